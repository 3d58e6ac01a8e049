/* SPDX-License-Identifier: MIT
 *
 * Sample games on a map that is being judged, and the evaluator that plays them in batches and does not play
 * again what the store has. A game is identified by its map's id, its kind and its number among the map's
 * games of that kind. Callers ask as a function of the seed and of earlier results alone, so an interrupted
 * run asks for the same games again and finds them. Results depend neither on workers nor on the store.
 */
#ifndef EVOLVE_EVALUATOR_H
#define EVOLVE_EVALUATOR_H

#include "game/tbs/tbs.h"
#include "match/batch.h"

struct store;
struct cluster;
struct evaluator;
struct judgement;

/* ---- sample games ---- */

enum sample_kind {
    SAMPLE_STRONG_RED, /* strong has red, weak has blue */
    SAMPLE_STRONG_BLUE,
    SAMPLE_PEERS, /* strong against itself: shows which side the map favours */
    SAMPLE_KINDS,
};

enum { SAMPLE_MASK_UNITS = 64 };

struct sample_game {
    enum sample_kind kind;
    struct outcome outcome;
    int first_kills[2]; /* enemies that red, blue destroyed in the first turn in which it could act */
    uint64_t attacked;  /* bit i: unit i attacked at least once (ids below SAMPLE_MASK_UNITS) */
};

/* Did one side lose everything? Otherwise the turn limit ended the game, or a fault. */
bool sample_is_annihilation(const struct sample_game *sample);

/* Digests of players and rules, and of those together with a map (its cells and units, not its notes): two
 * games are the same when this digest, kind, number and the run's seed are. */
uint64_t sample_digest_players(const struct tbs_rules *rules, const char *strong, const char *weak);
uint64_t sample_digest(uint64_t players, const struct tbs_map *map);

/* ---- the evaluator ---- */

/* Instances of each player that a worker opens at most: two that play each other, on small and on wide
 * maps. */
enum { EVALUATOR_COPIES_MAX = 4 };

struct evaluator_setup {
    const struct tbs_rules *rules;
    const char *strong, *weak; /* specs */
    uint64_t seed;
    int workers;
    struct store *store;       /* NULL: results are not stored */
    struct cluster *cluster;   /* NULL: threads of this machine */
    const struct clock *clock; /* for players that are limited by time; NULL: there are none */
    const struct grant *grant; /* what the players may start, open or read; NULL: nothing */
    bool stored_only;          /* only reads: it stops at the first game that the store does not have */
    atomic_bool *stop;         /* set from outside to stop early; also set here when something fails */
    void (*date)(char *out, size_t out_size); /* now, for the store; NULL: no dates */
    /* After each game, in the order in which they finish, on any thread, one call at a time. May be NULL. */
    void (*on_game)(void *context, const struct sample_game *sample, bool stored);
    void *context;
};

/* Reads the store. NULL and a sentence when a player is unknown or the store is another run's. The setup is
 * copied; what it points to stays the caller's and must outlive the evaluator. */
struct evaluator *evaluator_open(const struct evaluator_setup *setup, struct err *e);
void evaluator_close(struct evaluator *evaluator); /* NULL is allowed */

/* `count` more games of a kind on a map, the first of them its `first`-th game of that kind: the game's seed
 * follows from (seed, map's id, kind, its number). */
struct request {
    int id; /* of the map, >= 0: the same map, the same id */
    const struct tbs_map *map;
    enum sample_kind kind;
    int first, count;
    struct judgement *into; /* gets the results once all requests of the call are done */
};

/* Fills `out` with requests for that many more games of each kind on the map of `of`, into its judgement.
 * Their numbers follow those that the judgement has, beginning with `of->first`. Kinds without games are
 * left out. Returns the number of requests. */
int request_more(const struct request *of, const int games[SAMPLE_KINDS], struct request out[SAMPLE_KINDS]);

/* Plays all requests. *complete is false when it was stopped: then no judgement has changed, and later
 * calls play nothing. Several requests may have the same map; it is quickest when they follow each other. */
bool evaluator_play(struct evaluator *evaluator, const struct request *requests, int count, bool *complete,
                    struct err *e);

/* Games asked for and answered so far, those that the store had included. */
int evaluator_games(const struct evaluator *evaluator);

/* The loop of the worker ranks of a cluster: they call this in place of everything else, until rank 0
 * closes its evaluator. */
bool evaluator_work(struct evaluator *evaluator, struct err *e);

#endif
