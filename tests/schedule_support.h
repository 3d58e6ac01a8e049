/* SPDX-License-Identifier: MIT
 *
 * Tournaments of players and maps that exist in name only, and whole histories of them with invented results.
 */
#ifndef TESTS_TOURNAMENT_SUPPORT_H
#define TESTS_TOURNAMENT_SUPPORT_H

#include "tournament/schedule.h"

/* Players "p0", "p1", … and maps "m0", … without scenarios; default rules, seed 1. */
void make_tournament(struct tournament *out, int players, int maps);

/* Decides the outcome of a game: `out` is a draw without faults before. */
typedef void decide_function(void *context, const struct games *games, const struct scheduled_game *f,
                             struct outcome *out);

void decide_draw(void *context, const struct games *games, const struct scheduled_game *f,
                 struct outcome *out);

/* The player with the lower number wins. */
void decide_strength(void *context, const struct games *games, const struct scheduled_game *f,
                     struct outcome *out);

/* By the game's seed and *(const uint64_t *)context. `_faulty`: some are forfeits. */
void decide_random(void *context, const struct games *games, const struct scheduled_game *f,
                   struct outcome *out);
void decide_faulty(void *context, const struct games *games, const struct scheduled_game *f,
                   struct outcome *out);

/* A loss by a fault of that side. */
void forfeit(struct outcome *out, int side);

struct tournament_history {
    decide_function *decide;
    void *context;
    int batches, batches_max; /* stops before the next one; 0: plays all */
    bool complete;
};

/* Plays batch by batch, checks the properties of every schedule, and must not fail. */
void play_tournament(const struct tournament *tournament, struct games *games,
                     struct tournament_history *course);

/* All of it with one function. Returns the number of batches. */
int play_all(const struct tournament *tournament, struct games *games, decide_function *decide,
             void *context);

/* How many games of that stage (-1: any) and round (-1: any) the two have. */
int count_meeting(const struct games *games, int a, int b, struct scheduled_game where);
int count_stage(const struct games *games, int stage);
int byes_of(const struct games *games, int players); /* all together */

/* The first `count`. */
void assert_same_scheduled(const struct games *a, const struct games *b, int count);

/* The player of the table's row. */
int player_at(const struct tournament *tournament, const struct games *games, int row);
int place_of(const struct tournament *tournament, const struct games *games, int player);

#endif
