/* SPDX-License-Identifier: MIT
 *
 * Trials in a store: read once, found by what they are, added as they come. A trial is the same when map,
 * rules, players, kind, number and the run's seed are, so a store serves a run again even if it asks in
 * another order (because there was more time for it, say), and another run's store is recognized.
 */
#ifndef EVOLVE_TRIAL_STORE_H
#define EVOLVE_TRIAL_STORE_H

#include "evolve/trial.h"

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
