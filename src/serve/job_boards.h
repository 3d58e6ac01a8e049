/* SPDX-License-Identifier: MIT
 *
 * The games under way of an event that is a job, told to those who follow it: each at most four times a
 * second, and of games that are over in no time only some. Private to src/serve/job*.c.
 */
#ifndef SERVE_JOB_BOARDS_H
#define SERVE_JOB_BOARDS_H

#include "serve/job_run.h"

#include "match/record.h"
#include "tournament/event.h"

struct job_board {
    int game; /* -1: free */
    int64_t told_ns;
    int ply;
    json_t *state; /* the last one that was told */
    bool is_over;  /* so was that */
};

/* Guarded by a lock of its own: games are played on several threads. */
struct job_boards {
    struct job_run *run;
    const struct event *event;
    pthread_mutex_t lock;
    int64_t begun_ns;      /* when a board was last told of for the first time */
    atomic_llong asked_ns; /* when it was last asked whether somebody listens; not guarded */
    atomic_bool has_listeners;
    int count;
    struct job_board *boards;
};

bool job_boards_init(struct job_boards *boards, struct job_run *run, const struct event *event,
                     struct err *e);
void job_boards_done(struct job_boards *boards);

/* From a tournament_run's watch: any thread. */
void job_boards_watch(struct job_boards *boards, const struct fixture *fixture, const void *state,
                      const struct record *record);

/* The game is over, however it ended. */
void job_boards_over(struct job_boards *boards, const struct fixture *fixture);

#endif
