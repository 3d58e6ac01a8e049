/* SPDX-License-Identifier: MIT
 *
 * One whole game between two open players, with clocks and rulings: what matches, tournaments and servers
 * play. A fault ends the game, not the run, and produces a fault report.
 */
#ifndef MATCH_GAME_RUN_H
#define MATCH_GAME_RUN_H

#include "base/clock.h"
#include "match/record.h"
#include "match/timing.h"
#include "player/player.h"
#include "store/store.h"

#include <stdatomic.h>

struct game_run {
    const struct scenario *scenario;
    const char *names[2];        /* by side, for the record */
    struct player *players[2];   /* by side, opened for the scenario's table */
    uint64_t seed;               /* all random numbers derive from it, */
    uint64_t deal;               /* except those that the game itself draws; 0: derive from `seed`, too */
    const struct timing *timing; /* NULL: no limits */
    const struct clock *clock;   /* NULL: no times are measured and there may be no limits */
    const atomic_bool *stop;     /* may be NULL */
    /* A game with limits in which this program was stopped for a while (clock_gap_ns) is void and ends at
     * once: it is unknown which player gained from that. False: the game goes on, and the gap is on no
     * player's clock. */
    bool can_be_void;
    /* Called after each action and at the start; may be NULL. */
    void (*watch)(void *context, const void *state, const struct record *record);
    void *context;
};

struct game_run_result {
    bool stopped;   /* in the middle of the game: no result */
    int64_t gap_ns; /* of a void game: how long this program was stopped; no result */
    struct outcome outcome;
    struct record record;     /* date left empty */
    struct text fault_report; /* JSON; empty without a fault */
};

/* False when the record is full, or the machine lacks a resource that a player needs (PLAYER_SHORTAGE). In
 * both cases the caller calls game_run_result_done. */
bool game_run_play(const struct game_run *game_run, struct game_run_result *out, struct err *e);
void game_run_result_done(struct game_run_result *result);

#endif
