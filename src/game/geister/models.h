/* SPDX-License-Identifier: MIT
 *
 * Three ways to search a position in which the other side's colours are unknown (Nishikori, Aoki and
 * Hashimoto, "UCT wo mochiita Geister AI no kenkyu", section 5): tables over the same state for the same tree
 * search. Their states are views of the searching side (with `drawn`, `seen_exit` and `alive`, but without
 * history); nodes of the tree are sequences of moves, so that different drawn colours lead through the same
 * nodes.
 *
 *     early    A: all colours are drawn before a simulation, which then plays an open game
 *     late     B: a colour is drawn when it is needed: when a piece is taken or steps on its exit
 *     never    C: no colour is drawn; an end is worth the probability that the game was not lost before
 *     again    C in another reading, see below
 *     letter   C in a third one
 *
 * A and B. A piece is red with probability (hidden reds left) / (hidden pieces left): of five hidden pieces
 * two of which are red, 2/5. Since only leaving the board depends on a colour, drawing it early or late gives
 * the same simulations with the same probabilities.
 *
 * C. An end that we would have won is worth
 *
 *     (1) D = E (1 - F)
 *     (2) F = C(Ub, Lb) / C(Uk, Gk)
 *
 * where E is the product of the probabilities to be red of the hidden pieces that stood on their exit, and F
 * the probability that all hidden reds are among those we have taken: Uk pieces were hidden at the root, Ub
 * of them blue, Gk of them were taken, and Lb = Gk - (hidden reds) of those are blue. The paper's example
 * (3), 4/8 (1 - C(4, 1) / C(8, 5)) = 13/28, treats the two as independent, which they are not: over the 70
 * colourings, with five pieces taken and a sixth seen on its exit, the probability is 1/2, and if that one is
 * among the five, 31/70.
 *
 * What the paper leaves open, and how it is read here:
 *   - E counts a piece once, when it first steps on its exit: from then on it is red, or the game is lost. So
 *     the next piece to do so is red with one red and one piece less: 4/8, then 3/7. With none left, E is 0,
 *     and the simulation ends there, worth nothing. That we could take the piece at once does not matter.
 *     `again` is the other reading, without bookkeeping: every step on an exit multiplies E by the
 *     probability at the root, for any piece and any number of times.
 *   - The paper has F = 0 while fewer than four pieces are taken, and Lb blues beside four reds: correct as
 *     long as all four reds are hidden. With reds taken before the root, fewer suffice; `letter` ignores
 *     that and uses (2) as printed, so that it takes pieces too readily once reds are gone.
 *   - A hidden piece that stands on its exit at the root counts as stepping on it when we have moved and
 *     have not taken it (C); its colour is drawn at the beginning of the simulation (B).
 *   - In C no hidden piece leaves the board: E has counted that it would have.
 *   - Losing all our blues is worth 0, the limit of plies half of what a win would be.
 *   - When the other side has no piece left (C), the game was over before its last one was taken: lost if
 *     that one was blue, won if it was red. So it is worth D as it was before: F with Gk - 1.
 *   - Colours that the root knows (taken pieces, and others in positions that were set up) are played by the
 *     rules.
 */
#ifndef GAME_GEISTER_MODELS_H
#define GAME_GEISTER_MODELS_H

#include "game/geister/geister.h"

enum geister_model {
    GEISTER_EARLY,
    GEISTER_LATE,
    GEISTER_NEVER,
    GEISTER_AGAIN,
    GEISTER_LETTER,
    GEISTER_MODELS
};

/* Not registered: for tree searches with an open loop, from positions in which a move is to be made.
 * `actions` lists what any colours would allow, `is_legal` respects drawn colours; `determinize` begins a
 * simulation. The key does not depend on colours that the root does not know. A state ends where `from`
 * begins. */
extern const struct game geister_models[GEISTER_MODELS];

/* Formula (2): the probability that all `reds` hidden reds are among `taken` of `hidden` hidden pieces, all
 * sets being equally likely; 0 when fewer were taken. */
double geister_all_reds_taken(int hidden, int reds, int taken);

/* The same as printed: four reds must be among them, however many are hidden. */
double geister_four_reds_taken(int hidden, int reds, int taken);

#endif
