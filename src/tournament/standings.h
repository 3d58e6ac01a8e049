/* SPDX-License-Identifier: MIT
 *
 * The table, computed from the rules and the games alone. The order is total: points, tie-breaks of the
 * rules, play-offs and final if any, at last the order of entry (with equal `place`).
 */
#ifndef TOURNAMENT_STANDINGS_H
#define TOURNAMENT_STANDINGS_H

#include "match/statistics.h"
#include "tournament/schedule.h"

struct standing {
    int player;
    int place;                      /* from 1; equal for players that no criterion separates */
    double points;                  /* of the main stage, byes included */
    struct tally total, as_side[2]; /* of the main stage */
    struct payoffs payoffs;         /* likewise: pairs, and games that have no mirror */
    double tie_breaks[EVENT_TIE_BREAKS_MAX];
    int faults[PLAYER_FAULTS]; /* all stages */
    int byes;
    int decided_by; /* enum event_stage that put it here */
};

/* `out` has room for the event's players; best first. */
void standings_compute(const struct event *event, const struct games *games, struct standing *out);

/* The players of the final, best first, by the stages before it and without disqualified players; `scratch`
 * has room for the event's players. Returns their number: 0 when the rules have no final. */
int standings_finalists(const struct event *event, const struct games *games, struct standing *scratch,
                        int *out);

/* The table as text, one line a player, for storing and comparing. */
void standings_text(const struct event *event, const struct games *games, struct text *out);

#endif
