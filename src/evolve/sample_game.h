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

enum sample_kind {
    SAMPLE_STRONG_RED, /* strong has red, weak has blue */
    SAMPLE_STRONG_BLUE,
    SAMPLE_PEERS, /* strong against itself: shows which side the map favours */
    SAMPLE_KINDS,
};

enum { SAMPLE_MASK_UNITS = 64, SAMPLE_RESULT_MAX = 24 };

struct sample_game {
    enum sample_kind kind;
    double payoff; /* of red: 1, 0.5 or 0 */
    int actions, turns;
    bool annihilated;        /* one side lost everything; otherwise the turn limit ended it, or a fault */
    int first_kills[2];      /* enemies that red, blue destroyed in the first turn in which it could act */
    uint64_t attacked;       /* bit i: unit i attacked at least once (ids below SAMPLE_MASK_UNITS) */
    enum player_fault fault; /* of an external player, which lost by it */
    int64_t think_ns[2];     /* by side; 0 without a clock */
    char result[SAMPLE_RESULT_MAX]; /* as in a record: "red annihilation", "blue illegal" */
};

/* Opened players for both kinds of board, opened when they are first needed; for one thread. NULL and a
 * sentence when a spec is wrong. The grant (player/grant.h; may be NULL) must outlive them. */
struct sample_players;
struct grant;
struct sample_players *sample_players_open(const char *strong, const char *weak, const struct grant *grant,
                                           struct err *e);
void sample_players_close(struct sample_players *players); /* NULL is allowed */

struct sample_setup {
    const struct scenario *scenario;
    enum sample_kind kind;
    uint64_t seed;             /* of everything random in the game */
    const struct clock *clock; /* for players that are limited by time; may be NULL when none is */
    const atomic_bool *stop;   /* may be NULL */
};

/* Plays one game. *stopped: there is no result. */
bool sample_game_play(struct sample_players *players, const struct sample_setup *game,
                      struct sample_game *out, bool *stopped, struct err *e);

/* ---- in a store ----
 *
 * A store is read once; a game in it is found by its key, and new ones are added as they finish. Two games
 * are the same when map, rules, players, kind, number and the run's seed are. So a store serves a run again
 * even if the run asks in another order (because it had more time, for example), and another run's store is
 * recognized. */

struct store;

struct sample_key {
    int map; /* its id */
    enum sample_kind kind;
    int number;      /* among the map's games of that kind */
    uint64_t digest; /* of map, rules and players: see sample_digest */
};

/* The seed of that game in a run with this seed. */
uint64_t sample_seed(uint64_t seed, const struct sample_key *key);

/* A digest of players and rules, and of those together with a map (its cells and units, not its notes). */
uint64_t sample_digest_players(const struct tbs_rules *rules, const char *strong, const char *weak);
uint64_t sample_digest(uint64_t players, const struct tbs_map *map);

struct stored_sample {
    struct sample_key key;
    struct sample_game sample;
};

struct sample_store {
    struct store *store; /* NULL: nothing is stored */
    uint64_t seed;
    int number_next; /* in the store, whose numbers give only the order in which games came */
    int count, capacity;
    struct stored_sample *stored; /* ordered by key */
};

/* False when the store holds sample games and no event; the sentence names the command that shows them.
 * Sample games are stored without their actions, so they cannot be replayed or executed again. */
bool sample_store_is_none(struct store *store, const char *path, struct err *e);

#define SAMPLE_STORE_RECIPE "recipe" /* the named text of an evolution's store */

/* Reads the whole store. sample_store_done is due also after a failure; `store` stays the caller's. */
bool sample_store_read(struct sample_store *samples, struct store *store, uint64_t seed, struct err *e);
void sample_store_done(struct sample_store *samples);

/* *found is NULL when it is not there. False when one is there under that id that was played on another map
 * or by others. */
bool sample_store_find(const struct sample_store *samples, const struct sample_key *key,
                       const struct sample_game **found, struct err *e);

/* When it returns true the game is on the disk. sample_store_find does not find it before the store is read
 * again. `date` may be "". */
bool sample_store_add(struct sample_store *samples, const struct stored_sample *sample, const char *date,
                      struct err *e);

#endif
