/* SPDX-License-Identifier: MIT
 *
 * Events as they are played: the store with an event, its games, its void games and, at the end, its table;
 * playing round by round (the schedule gives the next games, a batch plays them); and verifying a store. The
 * event is written when it begins and compared when it is continued.
 */
#ifndef TOURNAMENT_RUN_H
#define TOURNAMENT_RUN_H

#include "tournament/schedule.h"

/* ---- the store ---- */

/* The names of the store's texts: the event, and its table once it is over; a match of two players is
 * described like an event, under a name of its own. */
#define STORE_EVENT     "event"
#define STORE_MATCH     "match"
#define STORE_STANDINGS "standings"

/* Opens the store for writing. A new store gets the event (under that name); otherwise the event must be
 * equal to the stored one, unless the store has no games. An `event` without players is filled from the
 * store. */
struct store *event_store_open(const char *path, const char *name, struct event *event, struct err *e);

/* Opens the store for reading, and reads the event. */
struct store *event_store_read(const char *path, const char *name, struct event *event, struct err *e);

/* Stores the final table, for verify_store. A NULL store stores nothing. */
bool tournament_store_standings(struct store *store, const struct event *event, const struct games *games,
                                struct err *e);

/* Schedules round by round as the results in the store (NULL: none) lead to it, up to the first round with a
 * game that is not stored. *complete: all games of the event are there. Stored games behind that round are
 * left out. */
bool tournament_resume(struct store *store, const struct event *event, struct games *games, bool *complete,
                       struct err *e);

/* ---- playing ---- */

struct tournament_run {
    const struct event *event;
    /* How the games are played and kept, `watch`, and the context of both callbacks. The event sets players,
     * timing, scenarios, records and the other callbacks. With stored_only it ends at the first game that is
     * not stored. */
    struct batch_setup batch;
    /* After each game that was played or (`resumed`) found in the store, one at a time, on any thread. May
     * be NULL. */
    void (*on_game)(void *context, const struct games *games, int number, bool resumed);
};

/* Can every player be opened for every map? Says which cannot and why. */
bool tournament_check(const struct event *event, const struct grant *grant, struct err *e);

/* Fills `games`, which the caller initialises and frees. *complete is false when it was
 * stopped. On the ranks of a cluster beside 0 `games` stays empty and *complete false. */
bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e);

/* ---- verifying ---- */

/* verify_store replays every record, compares every game with the schedule that follows from the event, and
 * computes the standings again. */
struct verify_report {
    int games, problems;
    bool complete;           /* are all games of the event there? */
    bool standings_compared; /* did the store have standings to compare with? */
    int voids;               /* games that were void and played again */
};

/* What to do with what is found. */
struct verify_watch {
    void (*problem)(void *context, const char *sentence); /* everything that is wrong */
    bool (*progress)(void *context, int games);           /* false ends it; may be NULL */
    void *context;
};

/* False only when the store cannot be read at all, or memory runs out: that is not reported as a problem of
 * the store. Fills `event` and `games`, which the caller frees. */
bool verify_store(struct store *store, const struct verify_watch *watch, struct event *event,
                  struct games *games, struct verify_report *out, struct err *e);

#endif
