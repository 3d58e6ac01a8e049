/* SPDX-License-Identifier: MIT
 *
 * The schedule of an event: which games are played next, by which players, on which maps and with which
 * seeds. Everything here is a pure function of the event and the results so far. An interrupted event
 * therefore goes on where it stopped, independent of the workers and of the order in which games end.
 */
#ifndef TOURNAMENT_SCHEDULE_H
#define TOURNAMENT_SCHEDULE_H

#include "match/batch.h"
#include "tournament/event.h"
#include "tournament/pairing.h"

/* ---- games ---- */

enum event_stage { STAGE_MAIN, STAGE_PLAYOFF, STAGE_FINAL, STAGES };

extern const char *const event_stage_names[STAGES];

/* All games scheduled so far, by number, with their outcomes; grows batch by batch. Where their number allows
 * it, games come in pairs: games 2k and 2k + 1 of a pairing on a map are that map from both sides. */
struct games {
    int count, capacity;
    struct scheduled_game *scheduled;
    struct outcome *outcomes;
    int stage, round;                 /* of the last batch */
    int walkovers[EVENT_PLAYERS_MAX]; /* games of the main stage won without play: by a bye, or against a
                                         disqualified player */
    int byes[EVENT_PLAYERS_MAX];
    struct void_games voids;
};

void games_init(struct games *games);
void games_done(struct games *games);

/* Adds the next batch: all games that follow from the results so far. *more is false when the event is over.
 * All games scheduled before must have been played. */
bool event_next_batch(const struct event *event, struct games *games, bool *more, struct err *e);

/* How many games the event will have: those scheduled, and for later rounds the least number they will have.
 */
int event_games_expected(const struct event *event, const struct games *games);

/* ---- the games of a pairing ---- */

struct round_plan {
    int stage, round;
    int games; /* per map */
};

/* Adds the games of a pairing, for which there must be a map; false when memory ran out, or there are too
 * many games. */
bool schedule_add(const struct event *event, struct games *games, const struct round_plan *plan,
                  const struct pairing *pairing, struct err *e);

/* How many games a pairing has in all; 0 when there is no map for the two. */
int schedule_count(const struct event *event, const struct pairing *pairing, int games_per_map);

/* May this player play on this map? The rules may exclude maps of its own author. */
bool schedule_may_play(const struct event *event, int player, int map);

/* A point in time: the start of a round of a stage. */
struct schedule_time {
    int stage, round;
};

/* Was the player disqualified before that time? Later faults do not change earlier decisions. */
bool schedule_is_disqualified(const struct event *event, const struct games *games, int player,
                              struct schedule_time before);

/* Is there a map for any two players that may meet? Checked before the first game, so that no event fails in
 * the middle. */
bool schedule_check(const struct event *event, struct err *e);

/* ---- knock-out ----
 *
 * The state of a knock-out is computed from the games each time. */

struct bracket {
    int stage;
    int games; /* per pairing and map; a tie is played again */
    int count;
    const int *order; /* the players by seed, best first */
};

struct bracket_state {
    int round;      /* the current one, from 0 */
    int open_count; /* its undecided pairings; 0: the knock-out is over */
    struct pairing open[EVENT_PLAYERS_MAX / 2];
    int level[EVENT_PLAYERS_MAX]; /* by player: rounds won; -1: not in it */
};

void bracket_walk(const struct event *event, const struct games *games, const struct bracket *bracket,
                  struct bracket_state *out);

#endif
