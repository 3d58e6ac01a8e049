/* SPDX-License-Identifier: MIT
 *
 * Plays an event round by round: the schedule says which games come next, a batch plays them.
 */
#ifndef TOURNAMENT_RUN_H
#define TOURNAMENT_RUN_H

#include "base/clock.h"
#include "tournament/schedule.h"

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
    /* After each game that was played or (`resumed`) found in the store, one at a time, on any thread. May
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

#endif
