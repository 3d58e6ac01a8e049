/* SPDX-License-Identifier: MIT */
#include "exact_support.h"

#include "base/mem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

bool is_near(double a, double b, double tolerance) {
    return fabs(a - b) <= tolerance;
}

void solved_write_out(struct solved *s, const char *spec, uint64_t seed) {
    struct err e = {""};
    *s = (struct solved){.scenario = game_load_spec(spec, &e)};
    if (s->scenario == NULL || !form_build(s->scenario, seed, FORM_NODES_MAX, NULL, &s->form, &e))
        fail_msg("%s: %s", spec, e.text);
}

void solved_find(struct solved *s, double gap) {
    struct err e;
    const struct cfr_options options = {.gap = gap};
    s->strategy = form_uniform(&s->form);
    assert_non_null(s->strategy);
    assert_true(cfr_solve(&s->form, &options, s->strategy, &s->result, &e));
    assert_true(form_is_strategy(&s->form, s->strategy));
}

void solved_drop(struct solved *s) {
    mem_free(s->strategy);
    form_done(&s->form);
    game_unload(s->scenario);
}

bool form_is_strategy(const struct form *form, const double *strategy) {
    for (uint32_t s = 0; s < form->set_count; s++) {
        const struct form_set *set = &form->sets[s];
        double sum = 0;
        for (int i = 0; i < set->count; i++) {
            const double chance = strategy[set->first + (uint32_t)i];
            if (!(chance >= 0) || chance > 1 + 1e-9)
                return false;
            sum += chance;
        }
        if (fabs(sum - 1) > 1e-9)
            return false;
    }
    return true;
}
