/* SPDX-License-Identifier: MIT
 *
 * Plays an event: batch by batch, each game a job of the pool, each result in the store as soon as it is
 * there. What the store has already is not played again.
 */
#ifndef TOURNAMENT_RUN_H
#define TOURNAMENT_RUN_H

#include "base/clock.h"
#include "tournament/event.h"

#include <stdatomic.h>

struct store;
struct cluster;
struct grant;

struct tournament_run {
    const struct event *event;
    struct store *store;     /* NULL: nothing is kept (and on the ranks of a cluster that keep nothing) */
    struct cluster *cluster; /* NULL: threads of this machine */
    int workers;
    const struct clock *clock;
    const struct grant *grant; /* what the players may do beside thinking; NULL: nothing */
    bool recall_only;          /* nothing is played: it stops where the store has no game */
    atomic_bool *stop; /* set from outside to stop early; also set here when the store cannot be written */
    void (*date)(char *out, size_t out_size); /* now, for the store; NULL: no dates */
    /* After each game that was played or (`recalled`) found in the store, one at a time, on any thread. May
     * be NULL. */
    void (*on_game)(void *context, const struct games *games, int number, bool recalled);
    /* At the start of a game and after each of its actions, on the thread that plays it: several at a time.
     * Not told of games on other ranks. May be NULL. */
    void (*watch)(void *context, const struct fixture *fixture, const void *state,
                  const struct record *record);
    void *context;
};

/* Can every player be opened for every map? Says which cannot and why. */
bool tournament_check(const struct event *event, const struct grant *grant, struct err *e);

/* Fills `games` (initialised by the caller, who is also done with it). *complete is false when it was
 * stopped. On the ranks of a cluster beside 0 `games` stays empty and *complete false. */
bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e);

/* The outcomes a store has of the fixtures from `first` on; *beyond says how many games it has that are not
 * in the schedule yet. False when they contradict the schedule. */
bool tournament_recall(struct store *store, struct games *games, int first, int *beyond, struct err *e);

/* Void games as lines of JSON, {"game":…,"gap_s":…,"actions":…,"date":…,"record":…}: adds them to `games`, or
 * to what the store keeps (NULL keeps nothing), or from the store to `games`. */
bool tournament_read_voids(const char *lines, struct games *games, struct err *e);
bool tournament_keep_voids(struct store *store, const char *lines, struct err *e);
bool tournament_recall_voids(struct store *store, struct games *games, struct err *e);

/* One game of a store as a record, which the caller is done with either way. */
bool tournament_load_record(struct store *store, int number, struct record *out, struct err *e);

#endif
