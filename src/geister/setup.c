/* SPDX-License-Identifier: MIT
 *
 * Set-up strategies. See setup.h.
 */
#include "geister/setup.h"

#include <string.h>

bool setup_read(const char *text, struct setup_strategy *out, struct err *e) {
    static const char *const names[] = {[SETUP_RANDOM] = "random", [SETUP_STRONG] = "strong"};
    *out = (struct setup_strategy){SETUP_FIXED, 0};
    for (int kind = 0; kind <= SETUP_STRONG; kind++) {
        if (names[kind] == NULL || strcmp(text, names[kind]) != 0)
            continue;
        out->kind = (enum setup_kind)kind;
        return true;
    }
    return geister_read_reds(text, &out->reds, NULL) ||
           err_set(e, "setup=%.64s: expected random, strong, or four different letters of A to H (BCFG)",
                   text);
}

static int draw_strong(struct rng *r) {
    double rest = rng_unit(r);
    int last = 0;
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        if (!(setup_strong_weights[i] > 0))
            continue;
        last = i;
        rest -= (double)setup_strong_weights[i];
        if (rest < 0)
            break;
    }
    return last;
}

action setup_choose(const struct setup_strategy *strategy, struct rng *r) {
    switch (strategy->kind) {
    case SETUP_RANDOM: return geister_setup(geister_setup_reds((int)rng_below(r, GEISTER_SETUPS)));
    case SETUP_STRONG: return geister_setup(geister_setup_reds(draw_strong(r)));
    case SETUP_FIXED: break;
    }
    return geister_setup(strategy->reds);
}
