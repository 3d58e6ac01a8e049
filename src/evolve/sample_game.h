/* SPDX-License-Identifier: MIT
 *
 * One game on a map that is being judged: who plays, what is observed of it, and its key in a store.
 */
#ifndef EVOLVE_SAMPLE_GAME_H
#define EVOLVE_SAMPLE_GAME_H

#include "game/tbs/tbs.h"
#include "match/batch.h"

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

/* The players of a batch of sample games. Strong against itself is two players: one must not find a plan that
 * the other made. False when a spec is wrong. The specs must outlive them. */
enum sample_player { SAMPLE_STRONG, SAMPLE_WEAK, SAMPLE_STRONG_AGAIN, SAMPLE_PLAYERS };

bool sample_players(const char *strong, const char *weak, struct batch_player out[SAMPLE_PLAYERS],
                    struct err *e);

/* ---- keys ----
 *
 * Two games are the same when map, rules, players, kind, number and the run's seed are. So a store serves a
 * run again even if the run asks in another order (because it had more time, for example), and another run's
 * store is recognized. */

struct sample_key {
    int map; /* its id */
    enum sample_kind kind;
    int number;      /* among the map's games of that kind */
    uint64_t digest; /* of map, rules and players: see sample_digest */
};

/* The seed of that game in a run with this seed. */
uint64_t sample_seed(uint64_t seed, const struct sample_key *key);

/* The game for a batch, without its number and its scenario. */
struct scheduled_game sample_schedule(uint64_t seed, const struct sample_key *key);

/* A digest of players and rules, and of those together with a map (its cells and units, not its notes). */
uint64_t sample_digest_players(const struct tbs_rules *rules, const char *strong, const char *weak);
uint64_t sample_digest(uint64_t players, const struct tbs_map *map);

/* ---- in a store ----
 *
 * The store's columns hold most of a game: map, `stage` (the kind), `round` (the number among the map's games
 * of that kind), seed, outcome. The note has the rest:
 *
 *     {"trial": "0123456789abcdef", "first_kills": [2, 0], "attacked": "3f"}
 *
 * These are the digest of map, rules and players, and the units that attacked as bits. Both are hexadecimal
 * digits, because JSON numbers are not exact for 64 bits. In older stores it is in place of the
 * record. */

/* Observes the game by replaying it. */
void sample_write_note(uint64_t digest, const struct scenario *scenario, const struct record *record,
                       struct text *note);
bool sample_read_note(const char *note, uint64_t *digest, struct sample_game *out);

struct stored_sample {
    struct sample_key key;
    struct sample_game sample;
};

/* The games that a store had when it was read. */
struct sample_store {
    uint64_t seed;
    int number_next;  /* in the store, whose numbers give only the order in which games were asked for */
    bool lacks_notes; /* the last game that was read has neither note nor record */
    int count, capacity;
    struct stored_sample *stored; /* ordered by key */
};

#define SAMPLE_STORE_RECIPE "recipe" /* the named text of an evolution's store */

/* Reads the whole store; NULL is an empty one. sample_store_done is due also after a failure. */
bool sample_store_read(struct sample_store *samples, struct store *store, uint64_t seed, struct err *e);
void sample_store_done(struct sample_store *samples);

/* *found is NULL when it is not there. False when one is there under that id that was played on another map
 * or by others. */
bool sample_store_find(const struct sample_store *samples, const struct sample_key *key,
                       const struct sample_game **found, struct err *e);

/* False when the store holds sample games and no event; the sentence names the command that shows them. */
bool sample_store_is_none(struct store *store, const char *path, struct err *e);

#endif
