/* SPDX-License-Identifier: MIT
 *
 * The smallest game in which solving each world separately is wrong (strategy fusion): one player, two worlds
 * it cannot distinguish (Cowling, Powley and Whitehouse; figures 2 and 3 of the paper on Geister). a1 leads
 * to a3 or a4, of which one wins 1 and the other loses 1, depending on the world; a2 is worth 0.5 at once.
 * With knowledge of the world a1 is worth 1, without it 0.
 */
#ifndef GAME_FUSION_FUSION_H
#define GAME_FUSION_FUSION_H

#include "game/game.h"

extern const struct game fusion_game;

#endif
