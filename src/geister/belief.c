/* SPDX-License-Identifier: MIT */
#include "geister/belief.h"

#include <assert.h>

void belief_even(const struct geister *view, int side, struct belief *out) {
    const int other = 1 - side;
    out->count = 0;
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        const unsigned reds = geister_setup_reds(i);
        if ((reds & view->known[other]) == view->reds[other])
            out->reds[out->count++] = (uint8_t)reds;
    }
    for (int i = 0; i < out->count; i++) {
        out->weight[i] = 1.0 / out->count;
        for (int m = 0; m < BELIEF_MODELS; m++)
            out->share[i][m] = m == BELIEF_CHANCE ? out->weight[i] : 0;
    }
    for (int i = 0; i < GEISTER_CELLS; i++)
        out->look[i] = 0.5;
}

void belief_redness(const struct belief *belief, double out[GEISTER_PIECES]) {
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        out[piece] = 0;
        for (int i = 0; i < belief->count; i++)
            out[piece] += (belief->reds[i] >> piece & 1) != 0 ? belief->weight[i] : 0;
    }
}

unsigned belief_draw(const struct belief *belief, struct rng *r, enum belief_model *who) {
    double rest = rng_unit(r);
    int i = 0, model = BELIEF_CHANCE;
    assert(belief->count > 0);
    while (i < belief->count - 1 && rest >= belief->weight[i])
        rest -= belief->weight[i++];
    while (model < BELIEF_MODELS - 1 && rest >= belief->share[i][model])
        rest -= belief->share[i][model++];
    if (who != NULL) /* rounding may lead behind the last that has a share */
        *who = belief->share[i][model] > 0 ? (enum belief_model)model : BELIEF_CHANCE;
    return belief->reds[i];
}

void belief_fill(struct geister *view, int side, unsigned reds) {
    const int other = 1 - side;
    view->known[other] = (1U << GEISTER_PIECES) - 1;
    view->reds[other] = (uint8_t)reds;
    view->red[other] = view->blue[other] = view->unknown[other] = 0;
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (view->where[other][i] < GEISTER_CELLS)
            ((reds >> i & 1) != 0 ? view->red : view->blue)[other] |= UINT64_C(1) << view->where[other][i];
}
