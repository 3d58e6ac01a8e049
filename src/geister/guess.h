/* SPDX-License-Identifier: MIT
 *
 * Colours concluded from how pieces were moved: the game so far, move by move (history_), the bookkeeping of
 * the player `purple` (purple_redness), and the guesses of the player `guess` with moves chosen by rules,
 * without search (after Suetsugu and Oda's program, which won GAT2018: it valued how blue the other side's
 * pieces look from how and where they move).
 */
#ifndef GEISTER_GUESS_H
#define GEISTER_GUESS_H

#include "game/geister/geister.h"

/* ---- the game so far ---- */

/* A move of the history in a state. Everything is as one side sees it, itself at the bottom. */
struct history_step {
    int who;                      /* 0: that side, 1: the other */
    int piece, from, to;          /* the moved one */
    int taken;                    /* piece of the other side, or -1 */
    int cells[2][GEISTER_PIECES]; /* after the move, by `who`; GEISTER_TAKEN for taken pieces */
};

/* Walks through the history: after history_start the cells are those before the first move, and each call of
 * history_next advances by the move of that index. The game must not be over (a move out of the board is
 * always the last). */
void history_start(const struct geister *view, int side, struct history_step *step);
void history_next(const struct geister *view, int side, int index, struct history_step *step);

/* A cell of the state as the side sees it. */
static inline int history_cell(int side, int cell) {
    return side == 0 || cell >= GEISTER_CELLS ? cell : GEISTER_CELLS - 1 - cell;
}

/* ---- how red pieces look to `purple` ---- */

/* The champion's bookkeeping beside the purple-piece search. The only strong evidence: a piece that stands on
 * its exit and does not leave cannot leave. Without history nothing is concluded. */

enum {
    PURPLE_CHASED = 5,         /* it stepped beside a piece of ours, having had none beside it … */
    PURPLE_CHASED_TROUBLE = 1, /* … while we had one red left: then it must */
    PURPLE_STAYED = 1000,      /* it was on its exit and did not leave; once for every turn */
};

/* By piece of the other side, A first; 0 for taken ones. */
void purple_redness(const struct geister *view, int side, int out[GEISTER_PIECES]);

/* The piece that is certainly red (the one with the most points); -1 when there is none. */
int purple_surely_red(const struct geister *view, int side);

/* ---- how blue pieces look to `guess` ---- */

enum { GUESS_MOVES_MAX = 32 };

/* The probability that each piece of the other side is blue, from how it was moved; 0 or 1 for taken ones.
 * They sum to the number of blues; without history all hidden pieces have the same value. */
void guess_blueness(const struct geister *view, int side, double out[GEISTER_PIECES]);

/* The score of each move by the rules, higher is better; moves as the side sees them. */
struct guess_verdict {
    int count;
    action moves[GUESS_MOVES_MAX];
    double scores[GUESS_MOVES_MAX];
};

void guess_moves(const struct geister *view, int side, struct guess_verdict *out);

/* ---- the same in steps, for models of that player ---- */

/* Evidence about the other side's pieces so far: points for blue. Starts zeroed. */
struct guess_evidence {
    int points[GEISTER_PIECES];
};

void guess_note(struct guess_evidence *evidence, const struct history_step *step);

/* Blueness from the evidence; the colours in `known` are known, those in `reds` are red. */
void guess_weigh(const struct guess_evidence *evidence, unsigned known, unsigned reds,
                 double out[GEISTER_PIECES]);

/* Scores the moves of the side that sees this position; `blueness` of the other's pieces is by cell. */
void guess_judge(const struct geister_observation *seen, const double blueness[GEISTER_CELLS],
                 struct guess_verdict *out);

#endif
