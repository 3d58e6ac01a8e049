/* SPDX-License-Identifier: MIT
 *
 * One game on a map that is being judged: what is remembered of it, playing it, and its place in a store.
 */
#ifndef EVOLVE_SAMPLE_GAME_H
#define EVOLVE_SAMPLE_GAME_H

#include "base/clock.h"
#include "game/tbs/tbs.h"
#include "player/player.h"

#include <stdatomic.h>

enum trial_kind {
    TRIAL_STRONG_RED, /* strong has red, weak has blue */
    TRIAL_STRONG_BLUE,
    TRIAL_PEERS, /* strong against itself: whom does the map favour? */
    TRIAL_KINDS,
};

enum { TRIAL_MASK_UNITS = 64, TRIAL_RESULT_MAX = 24 };

struct trial {
    enum trial_kind kind;
    double payoff; /* of red: 1, 0.5 or 0 */
    int actions, turns;
    bool annihilated;        /* one side lost everything; otherwise the turn limit ended it, or a fault */
    int first_kills[2];      /* enemies that red, blue destroyed in the first turn in which it could act */
    uint64_t attacked;       /* bit i: unit i attacked at least once (ids below TRIAL_MASK_UNITS) */
    enum player_fault fault; /* of an external player, which lost by it */
    int64_t think_ns[2];     /* by side; 0 without a clock */
    char result[TRIAL_RESULT_MAX]; /* as a record says it: "red annihilation", "blue illegal" */
};

/* Who plays: opened players for both board tables, made when they are first needed. One thread's. NULL and a
 * sentence when a spec is wrong. The grant (player/grant.h; may be NULL) must stay. */
struct trial_players;
struct grant;
struct trial_players *trial_players_open(const char *strong, const char *weak, const struct grant *grant,
                                         struct err *e);
void trial_players_close(struct trial_players *players); /* NULL is allowed */

struct trial_game {
    const struct scenario *scenario;
    enum trial_kind kind;
    uint64_t seed;             /* everything random follows from it */
    const struct clock *clock; /* for players that are limited by time; may be NULL when none is */
    const atomic_bool *stop;   /* may be NULL */
};

/* Plays one game. *stopped: there is no result. */
bool trial_play(struct trial_players *players, const struct trial_game *game, struct trial *out,
                bool *stopped, struct err *e);

/* ---- in a store ----
 *
 * A store is read once; a trial in it is found by its key, and new ones are added as they come. Two trials
 * are the same when map, rules, players, kind, number and the run's seed are. So a store serves a run again
 * even if the run asks in another order (because it had more time, say), and another run's store is
 * recognized. */

struct store;

struct trial_key {
    int map; /* its id */
    enum trial_kind kind;
    int number;      /* among the map's games of that kind */
    uint64_t digest; /* of map, rules and players: see trial_digest */
};

/* A run's seed for that trial. */
uint64_t trial_seed(uint64_t seed, const struct trial_key *key);

/* Digests of who plays by which rules, and of that together with a map: its cells and units, not its notes.
 */
uint64_t trial_digest_players(const struct tbs_rules *rules, const char *strong, const char *weak);
uint64_t trial_digest(uint64_t players, const struct tbs_map *map);

struct kept_trial {
    struct trial_key key;
    struct trial trial;
};

struct trial_store {
    struct store *store; /* NULL: nothing was kept and nothing will be */
    uint64_t seed;
    int number_next; /* in the store, whose own numbers say only in which order trials came */
    int count, capacity;
    struct kept_trial *kept; /* ordered by key */
};

/* False, with a sentence that says what it is and what shows it, when that store has trials in it and no
 * event: they are kept without their actions, so that nothing can be replayed or executed again. */
bool trial_store_is_none(struct store *store, const char *path, struct err *e);

#define TRIAL_STORE_RECIPE "recipe" /* the named text of an evolution's store */

/* Reads all there is. Either way the store is to be done with; `store` stays the caller's. */
bool trial_store_read(struct trial_store *trials, struct store *store, uint64_t seed, struct err *e);
void trial_store_done(struct trial_store *trials);

/* *found is NULL when it is not there. False when one is there under that id that was played on another map
 * or by others. */
bool trial_store_find(const struct trial_store *trials, const struct trial_key *key,
                      const struct trial **found, struct err *e);

/* Once it returns true the trial is safe. Does not change what trial_store_find finds. `date` may be "". */
bool trial_store_add(struct trial_store *trials, const struct kept_trial *trial, const char *date,
                     struct err *e);

#endif
