/* SPDX-License-Identifier: MIT
 *
 * M-UCT's own model of the tactical game (by Muto, in the TUBSTAP distribution; winner of GAT 2016 and 2017):
 * another table of functions over a state, for a tree search. It reproduces all deviations of M-UCT from the
 * rules:
 *
 * - Turns do not end. After one unit the searcher's next unfinished unit acts, then the enemy's; when none is
 *   left, both sides are enabled and the searcher begins again.
 * - The turn counter goes up when a side acts that has no finished unit. (A unit that died in its attack
 *   leaves no trace, so the counter may go up twice.)
 * - A playout plays the searcher's half first, even from within the enemy's, counts a turn for each half, and
 *   checks for annihilation once a round. With probability 0.8 it takes a random attack of any unit, attacks
 *   that do nothing included; otherwise a random unit's random action.
 * - A lead equal to the threshold wins the playout; so with threshold 0 equal HP are a win for the searcher.
 */
#ifndef GAME_TBS_MUCT_H
#define GAME_TBS_MUCT_H

#include "game/game.h"

/* The model of one of the two tables of the tactical game. It has only mover, actions, play, payoff, turn and
 * rollouts: what a tree search uses. */
const struct game *tbs_muct_model(const struct game *game);

/* The model's state for a search from `state` by its mover; `out` has GAME_STATE_MAX bytes. */
void tbs_muct_start(void *out, const void *state);

/* The side the search is for. */
int tbs_muct_searcher(const void *state);

#endif
