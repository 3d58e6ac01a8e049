/* SPDX-License-Identifier: MIT
 *
 * The games of an event that is a job, as a list that can be looked at while they are played. Private to
 * src/serve/job*.c; guarded by the workbench's lock, but for the event, which never changes.
 */
#ifndef SERVE_JOB_GAMES_H
#define SERVE_JOB_GAMES_H

#include "serve/job.h"

#include "tournament/event.h"

struct job_row {
    struct fixture fixture;
    bool played;
    double payoff;
    int actions;
    char result[sizeof((struct outcome *)0)->result];
};

struct job_games {
    struct event event;
    int count, capacity;
    struct job_row *rows;
};

/* The job's games; read from its folder when they are asked for the first time: what was played is in the
 * store, what is to be played follows from it. With the lock. NULL and a reason. */
struct job_games *job_games_of(struct job *job, struct err *e);

/* The same for the job's own thread, without the lock: that of a long event takes a while. */
struct job_games *job_games_prepare(struct job *job, struct err *e);
void job_games_close(struct job_games *games); /* NULL is allowed */

/* Takes over what is known by now: games that were scheduled since the last time and, if there is a `number`,
 * what became of that one (-1: nothing). False when memory ran out. */
bool job_games_note(struct job_games *list, const struct games *games, int number);

json_t *job_games_json(const struct job_games *list, int from, int count);

/* The name of the map that the game with this number is played on; NULL when there is no such game. */
const char *job_games_map(const struct job_games *list, int number);

/* One game as a record, which the caller is done with either way. */
bool job_games_load(const struct job *job, int number, struct record *out, struct err *e);

#endif
