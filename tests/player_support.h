/* SPDX-License-Identifier: MIT
 *
 * Positions to ask players about, and asking them.
 */
#ifndef TESTS_PLAYER_SUPPORT_H
#define TESTS_PLAYER_SUPPORT_H

#include "game/tbs/tbs.h"
#include "player/player.h"

/* One position on one of the two tables. */
struct position {
    const struct scenario *scenario;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* A map of 3 x 3 to 8 x 8 cells in which units may be flagged and weak, so that all branches are met. */
void draw_map(struct rng *r, struct tbs_map *map);
struct scenario *make_scenario(const struct tbs_map *map, enum tbs_path path);

/* Plays up to `steps` random actions but never the one that would end the game. False when it is over at
 * once. */
bool walk(struct position *p, const struct scenario *scenario, int steps, struct rng *r);

/* The start of a map that is written down: "SIZEX[…];…". The caller unloads the scenario. */
struct scenario *load_position(const char *text, struct position *p);

struct player *open_player(const char *spec, const struct game *game);

/* Asks, showing what the mover sees, with the random stream `seed`; `after` (may be NULL) gets the generator
 * as the player left it. */
struct answer ask_player(struct player *player, const struct position *p, uint64_t seed, struct rng *after);

/* Asks about a whole state (the question's rng is that of `seed`): the answer is legal and without fault. */
struct answer ask_in(struct player *player, const struct ask *about, uint64_t seed);

/* The same of a player that is opened for this question alone. */
struct answer ask_once_in(const char *spec, const struct ask *about, uint64_t seed);

/* The same choice after the same work, and the value to the bit. */
void expect_same_answer(const struct answer *a, const struct answer *b);

#endif
