/* SPDX-License-Identifier: MIT */
#include "game_support.h"

#include "game/game.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct scenario *support_load(const char *spec) {
    struct err e = {{0}};
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s: %s", spec, e.text);
    return scenario;
}

void support_expect_text(const struct scenario *scenario, const union support_state *s,
                         const char *expected) {
    struct text text = {0};
    scenario->game->text->write_state(s, &text);
    assert_string_equal(text_string(&text), expected);
    text_done(&text);
}

void support_refuse_states(const struct scenario *scenario, const struct support_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        struct err e = {{0}};
        union support_state s = {0};
        assert_false(scenario->game->text->read_state(&s, scenario, cases[i].input, &e));
        if (strstr(e.text, cases[i].expected) == NULL)
            fail_msg("'%s': got '%s', expected '%s'", cases[i].input, e.text, cases[i].expected);
    }
}

void support_check_laws(const char *spec, int games) {
    struct scenario *scenario = support_load(spec);
    struct err e = {{0}};
    if (!game_check(scenario, games, 1, &e))
        fail_msg("%s: %s", spec, e.text);
    game_unload(scenario);
}

/* ---- means ---- */

void support_mean_add(struct support_mean *m, double x) {
    m->count++;
    m->sum += x;
    m->squares += x * x;
}

void support_expect_mean(const char *what, const struct support_mean *m, double expected) {
    const double mean = m->sum / m->count, variance = m->squares / m->count - mean * mean;
    const double error = sqrt((variance > 0 ? variance : 0) / m->count) + 1e-12; /* sums are rounded */
    if (!(fabs(mean - expected) < SUPPORT_ERRORS * error))
        fail_msg("%s: %.5f, expected %.5f, which is %.1f standard errors (%.5f) away", what, mean, expected,
                 (mean - expected) / error, error);
}

/* ---- correlations ---- */

void support_pairs_add(struct support_pairs *p, double x, double y) {
    p->count++;
    p->x += x;
    p->y += y;
    p->xx += x * x;
    p->yy += y * y;
    p->xy += x * y;
}

void support_expect_uncorrelated(const char *what, const struct support_pairs *p) {
    const double n = p->count, x = p->x / n, y = p->y / n;
    const double r = (p->xy / n - x * y) / sqrt((p->xx / n - x * x) * (p->yy / n - y * y));
    if (!(fabs(r) < SUPPORT_ERRORS / sqrt(n)))
        fail_msg("%s: correlation %.5f, expected less than %.5f", what, r, SUPPORT_ERRORS / sqrt(n));
}
