/* SPDX-License-Identifier: MIT
 *
 * Three ways to search a position of which the other side's colours are not known (Nishikori, Aoki and
 * Hashimoto): three tables over the same state for one and the same tree search. Their states are views of
 * the side the search is for (with `drawn` and `alive` beside); nodes of the tree are ways, so that a colour
 * that was drawn differently leads through the same nodes.
 *
 *     early    A: all colours are drawn before a simulation, which then plays an open game
 *     late     B: a colour is drawn when it is needed: when a piece is taken or steps on its exit
 *     never    C: no colour is drawn; an end is worth the chance that the game was not lost before it
 */
#ifndef GAME_GEISTER_MODELS_H
#define GAME_GEISTER_MODELS_H

#include "game/geister/geister.h"

enum geister_model { GEISTER_EARLY, GEISTER_LATE, GEISTER_NEVER, GEISTER_MODELS };

/* Not registered: for searches. `actions` lists what any colours would allow, `is_legal` knows those drawn. */
extern const struct game geister_models[GEISTER_MODELS];

/* Formula (2): the chance that all `reds` hidden reds are among `taken` of `hidden` hidden pieces, each set
 * of pieces being as likely as the others; 0 when fewer were taken. */
double geister_all_reds_taken(int hidden, int reds, int taken);

#endif
