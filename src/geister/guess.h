/* SPDX-License-Identifier: MIT
 *
 * Colours guessed from movement, and moves chosen by rules, without search (after Suetsugu and Oda's program,
 * which won GAT2018: it valued how blue the other side's pieces look from how and where they move).
 */
#ifndef GEISTER_GUESS_H
#define GEISTER_GUESS_H

#include "geister/history.h"

enum { GUESS_MOVES_MAX = 32 };

/* The chance that each piece of the other side is blue, from how it was moved; 0 or 1 for taken ones. They
 * sum to the number of blues; without history hidden pieces are all alike. */
void guess_blueness(const struct geister *view, int side, double out[GEISTER_PIECES]);

/* What the rules think of each move, the higher the better; moves as the side sees them. */
struct guess_verdict {
    int count;
    action moves[GUESS_MOVES_MAX];
    double scores[GUESS_MOVES_MAX];
};

void guess_moves(const struct geister *view, int side, struct guess_verdict *out);

/* ---- the same in steps, for whoever asks what it would have done ---- */

/* What was seen of the other side's pieces so far: points for blue. Begins zeroed. */
struct guess_evidence {
    int points[GEISTER_PIECES];
};

void guess_note(struct guess_evidence *evidence, const struct history_step *step);

/* Blueness, the colours in `known` being known and those in `reds` red. */
void guess_weigh(const struct guess_evidence *evidence, unsigned known, unsigned reds,
                 double out[GEISTER_PIECES]);

/* Moves of the side that has this sight, the other's pieces being as blue as that, by cell. */
void guess_judge(const struct geister_sight *sight, const double blueness[GEISTER_CELLS],
                 struct guess_verdict *out);

#endif
