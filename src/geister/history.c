/* SPDX-License-Identifier: MIT */
#include "geister/history.h"

#include <assert.h>

static const int steps[4] = {
    [GEISTER_NORTH] = -GEISTER_SIZE, [GEISTER_EAST] = 1, [GEISTER_WEST] = -1, [GEISTER_SOUTH] = GEISTER_SIZE};

/* Moves are written as the mover sees them. */
static int step_of(int who, int move) {
    return who == 0 ? steps[move & 3] : -steps[move & 3];
}

static int mover_of(const struct geister *view, int side, int number) {
    return (view->mover + view->told - number + side) & 1;
}

static void go_back(const struct geister *view, int side, struct history_step *s) {
    for (int who = 0; who < 2; who++)
        for (int piece = 0; piece < GEISTER_PIECES; piece++)
            s->cells[who][piece] = history_cell(side, view->from[who ^ side][piece]);
}

static int take_at(int cells[GEISTER_PIECES], int cell) {
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (cells[piece] == cell) {
            cells[piece] = GEISTER_TAKEN;
            return piece;
        }
    return -1;
}

void history_walk(const struct geister *view, int side,
                  void (*tell)(void *context, const struct history_step *step), void *context) {
    struct history_step s;
    assert(view->stage == GEISTER_PLAYING);
    go_back(view, side, &s);
    for (int i = 0; i < view->told; i++) {
        s.who = mover_of(view, side, i);
        s.piece = view->moves[i] >> 2;
        s.from = s.cells[s.who][s.piece];
        s.to = s.from + step_of(s.who, view->moves[i]);
        s.cells[s.who][s.piece] = s.to;
        s.taken = take_at(s.cells[1 - s.who], s.to);
        tell(context, &s);
    }
}

uint64_t history_set(const int cells[GEISTER_PIECES]) {
    uint64_t set = 0;
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (cells[piece] != GEISTER_TAKEN)
            set |= UINT64_C(1) << cells[piece];
    return set;
}
