/* SPDX-License-Identifier: MIT
 *
 * A game as a referee holds it, for players that need all of it, and programs to play in it.
 */
#ifndef TESTS_TABLE_SUPPORT_H
#define TESTS_TABLE_SUPPORT_H

#include "base/clock.h"
#include "player/player.h"

enum { GAME_MAX = 400 };

struct table {
    struct scenario *scenario;
    action played[GAME_MAX];
    int count, taken, turn;
    uint64_t id;
    struct rng rng[2];
    struct ask_time time;
    struct budget budget;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Call it once before threads do. */
const struct clock *table_clock(void);

/* Begins a game on a small map; the second time on the same scenario. */
void sit_down(struct table *t, uint64_t id);
void get_up(struct table *t);

struct answer ask_at(struct table *t, struct player *player);
void play_at(struct table *t, action chosen);

/* A whole game; stops at the first fault and returns it. */
struct answer play_at_table(struct table *t, struct player *red, struct player *blue);

struct player *open_spec(const char *spec);

/* "ext:cmd=saboteur MODE" with more options behind it. */
struct player *open_saboteur(const char *mode, const char *more);

/* Processes that only tests start; all descend from this one. */
int saboteurs(void);
void expect_gone(void);

#endif
