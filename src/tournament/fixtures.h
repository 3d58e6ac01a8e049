/* SPDX-License-Identifier: MIT
 *
 * The games of one pairing: on which maps, who has which side first, with which seeds.
 */
#ifndef TOURNAMENT_FIXTURES_H
#define TOURNAMENT_FIXTURES_H

#include "tournament/pairing.h"

struct fixture_plan {
    int stage, round;
    int games; /* per map */
};

/* Adds the games of a pairing; false when no map is left for the two, or memory ran out. */
bool fixtures_add(const struct event *event, struct games *games, const struct fixture_plan *plan,
                  const struct pairing *pairing, struct err *e);

/* How many games a pairing has with so many a map; 0 when no map is left for the two. */
int fixtures_count(const struct event *event, const struct pairing *pairing, int games_per_map);

/* May this player play there? Not on a map of its own author, where the rules say so. */
bool fixtures_may_play(const struct event *event, int player, int map);

/* A round of a stage, as a point in the course of the event. */
struct fixture_time {
    int stage, round;
};

/* Was the player disqualified by what happened before that round? What happens later must not change what was
 * decided by then. */
bool fixtures_disqualified(const struct event *event, const struct games *games, int player,
                           struct fixture_time before);

/* Is there a map for any two that may meet? Asked before the first game, because nothing may stop an event
 * later. */
bool fixtures_check(const struct event *event, struct err *e);

#endif
