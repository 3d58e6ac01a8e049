/* SPDX-License-Identifier: MIT */
#include "geister/purple_redness.h"

#include "geister/history.h"
#include "geister/purple_node.h"

#include <string.h>

struct ledger {
    unsigned reds; /* our own */
    int *redness;
};

static int own_reds(const struct ledger *l, const struct history_step *step) {
    int count = 0;
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        count +=
            (l->reds >> piece & 1) != 0 && (step->cells[0][piece] != GEISTER_TAKEN || piece == step->taken);
    return count;
}

static bool is_on_exit(int cell) {
    return cell != GEISTER_TAKEN && (PURPLE_THEIR_EXITS >> cell & 1) != 0;
}

/* What a move of theirs tells. */
static void judge(void *context, const struct history_step *step) {
    const struct ledger *l = context;
    if (step->who == 0)
        return;
    const uint64_t ours = history_set(step->cells[0]);
    const bool chases = (purple_around(UINT64_C(1) << step->from) & ours) == 0 &&
                        (purple_around(UINT64_C(1) << step->to) & ours) != 0;
    if (chases && step->taken < 0)
        l->redness[step->piece] += own_reds(l, step) == 1 ? PURPLE_CHASED_TROUBLE : PURPLE_CHASED;
    if (is_on_exit(step->from))
        l->redness[step->piece] += PURPLE_STAYED;
    for (int other = 0; other < GEISTER_PIECES; other++)
        if (other != step->piece && is_on_exit(step->cells[1][other]))
            l->redness[other] += PURPLE_STAYED;
}

void purple_redness(const struct geister *view, int side, int out[GEISTER_PIECES]) {
    struct ledger l = {.reds = view->reds[side], .redness = out};
    memset(out, 0, GEISTER_PIECES * sizeof out[0]);
    history_walk(view, side, judge, &l);
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (view->where[1 - side][piece] >= GEISTER_CELLS)
            out[piece] = 0;
}

int purple_surely_red(const struct geister *view, int side) {
    int redness[GEISTER_PIECES], best = -1, most = PURPLE_STAYED - 1, best_cell = 0;
    purple_redness(view, side, redness);
    for (int piece = 0; piece < GEISTER_PIECES; piece++) {
        const int cell = history_cell(side, view->where[1 - side][piece]);
        /* Of equals the first cell, as the published program looks through them. */
        if (redness[piece] > most || (best >= 0 && redness[piece] == most && cell < best_cell)) {
            best = piece;
            most = redness[piece];
            best_cell = cell;
        }
    }
    return best;
}
