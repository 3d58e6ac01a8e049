/* SPDX-License-Identifier: MIT
 *
 * Plays an event: batch by batch, each game a job of the pool, each result in the store as soon as it is
 * done. Stored games are not played again.
 */
#ifndef TOURNAMENT_RUN_H
#define TOURNAMENT_RUN_H

#include "base/clock.h"
#include "tournament/schedule.h"

#include <stdatomic.h>

struct store;
struct cluster;
struct grant;

struct tournament_run {
    const struct event *event;
    struct store *store;     /* NULL: nothing is stored (as on the ranks of a cluster beside 0) */
    struct cluster *cluster; /* NULL: threads of this machine */
    int workers;
    const struct clock *clock;
    const struct grant *grant; /* external resources that the players may use; NULL: none */
    bool resume_only;          /* plays nothing: stops at the first game that is not stored */
    atomic_bool *stop; /* set from outside to stop early; also set here when the store cannot be written */
    void (*date)(char *out, size_t out_size); /* now, for the store; NULL: no dates */
    /* After each game that was played or (`recalled`) found in the store, one at a time, on any thread. May
     * be NULL. */
    void (*on_game)(void *context, const struct games *games, int number, bool resumed);
    /* At the start of a game and after each of its actions, on the thread that plays it, so several calls at
     * a time. Not called for games on other ranks. May be NULL. */
    void (*watch)(void *context, const struct scheduled_game *scheduled, const void *state,
                  const struct record *record);
    void *context;
};

/* Can every player be opened for every map? Says which cannot and why. */
bool tournament_check(const struct event *event, const struct grant *grant, struct err *e);

/* Fills `games`, which the caller initialises and frees. *complete is false when it was
 * stopped. On the ranks of a cluster beside 0 `games` stays empty and *complete false. */
bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e);

/* ---- a worker's open players ----
 *
 * The cache holds only a few: an event with many external players would otherwise have a process of each on
 * every worker. */

enum { PLAYER_CACHE_MAX = 8 };

struct cached_player {
    int player;
    const struct game *game; /* the table it was opened for */
    struct player *open;
    unsigned used_at;
};

struct player_cache {
    const struct event *event;
    const struct grant *grant; /* may be NULL: player/grant.h */
    struct cached_player entries[PLAYER_CACHE_MAX];
    unsigned clock;
};

void player_cache_init(struct player_cache *cache, const struct event *event, const struct grant *grant);
void player_cache_done(struct player_cache *cache);

/* Returns the player, opened if necessary; then the least recently used one is closed. The two players of one
 * game never displace each other. NULL and a reason when it cannot be opened. */
struct player *player_cache_take(struct player_cache *cache, int player, const struct game *game,
                                 struct err *e);

#endif
