/* SPDX-License-Identifier: MIT
 *
 * One analysis: a position that a player thinks about, or that is solved, while people watch. What was asked
 * never changes; what was found is changed by its task, with the workbench's lock held.
 */
#ifndef SERVE_ANALYSIS_H
#define SERVE_ANALYSIS_H

#include "serve/ground.h"

#include "net/topic.h"

enum analysis_kind { ANALYSIS_THINK, ANALYSIS_SOLVE, ANALYSIS_KINDS };
enum analysis_state { ANALYSIS_RUNNING, ANALYSIS_DONE, ANALYSIS_STOPPED, ANALYSIS_FAILED, ANALYSIS_STATES };

enum {
    ANALYSIS_WATCH_NS = 200000000,
    ANALYSIS_TURN_MAX = 256, /* actions of one turn */
    ANALYSIS_SOLVE_MB = 256,
};

struct analysis {
    struct workbench *bench;
    char id[SERVE_ID_MAX];
    struct analysis *next; /* in the list, newest first */
    int holders;           /* the list, the task */

    /* what was asked */
    enum analysis_kind kind;
    struct ground_position position; /* somebody is to move */
    int side;
    struct text player; /* canonical spec; nothing when it is to be solved */
    uint64_t sims, seed;
    int64_t time_ns;
    int top;

    /* for everybody: */
    atomic_bool stop;
    struct topic *topic;

    /* what was found so far; with the lock */
    bool begun; /* the task is at work */
    enum analysis_state state;
    struct err error;
    json_t *shown, *map;                         /* the position */
    json_t *thoughts, *chosen, *turn, *solution; /* NULL: not yet */
};

/* The task's work, without the lock: false and a sentence when it failed. They publish thoughts on the way,
 * and leave the rest in `out`. */
struct analysis_result {
    json_t *chosen, *turn, *solution; /* NULL: none */
};
bool analysis_think(struct analysis *a, struct analysis_result *out, struct err *e);
bool analysis_solve(struct analysis *a, struct analysis_result *out, struct err *e);

/* Tells those who watch; takes the thoughts over. Takes the lock itself. */
void analysis_tell(struct analysis *a, json_t *thoughts);

#endif
