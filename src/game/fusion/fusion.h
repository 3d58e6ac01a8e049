/* SPDX-License-Identifier: MIT
 *
 * The smallest game in which looking at each world by itself is wrong (strategy fusion): one player, two
 * worlds it cannot tell apart (Cowling, Powley and Whitehouse; figures 2 and 3 of the paper on Geister).
 * a1 leads to a3 or a4, of which one wins 1 and the other loses 1, and which is which depends on the world;
 * a2 is worth 0.5 at once. Knowing the world, a1 is worth 1; not knowing it, 0.
 */
#ifndef GAME_FUSION_FUSION_H
#define GAME_FUSION_FUSION_H

#include "game/game.h"

extern const struct game fusion_game;

#endif
