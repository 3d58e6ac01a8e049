/* SPDX-License-Identifier: MIT */
#include "geist_support.h"

void belief_redness(const struct belief *belief, double out[GEISTER_PIECES]) {
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        out[piece] = 0;
        for (int i = 0; i < belief->count; i++)
            out[piece] += (belief->reds[i] >> piece & 1) != 0 ? belief->weight[i] : 0;
    }
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

float policy_value(const struct policy_weights *weights, const struct geister_observation *seen) {
    _Alignas(64) float sums[POLICY_ROW];
    struct bit_list list;
    bits_of(seen, &list);
    bits_sum(weights->value, &list, sums);
    return bits_worth(bits_score(weights->value, &list, sums));
}
