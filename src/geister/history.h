/* SPDX-License-Identifier: MIT
 *
 * A game so far, move by move, from the history in a state: for those who conclude colours from how pieces
 * were moved. Everything is seen by one side, itself at the bottom.
 */
#ifndef GEISTER_HISTORY_H
#define GEISTER_HISTORY_H

#include "game/geister/geister.h"

struct history_step {
    int who;                      /* 0: that side, 1: the other */
    int piece, from, to;          /* the moved one */
    int taken;                    /* piece of the other side, or -1 */
    int cells[2][GEISTER_PIECES]; /* after the move: that side's, the other's; GEISTER_TAKEN where none is */
};

/* Tells every move of the history, the oldest first. The game must not be over (a move out of the board is
 * the last one there is). */
void history_walk(const struct geister *view, int side,
                  void (*tell)(void *context, const struct history_step *step), void *context);

/* The cells of pieces as a set. */
uint64_t history_set(const int cells[GEISTER_PIECES]);

/* A cell of the state as the side sees it. */
static inline int history_cell(int side, int cell) {
    return side == 0 || cell >= GEISTER_CELLS ? cell : GEISTER_CELLS - 1 - cell;
}

#endif
