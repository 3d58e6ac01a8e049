/* SPDX-License-Identifier: MIT
 *
 * What matches and tournaments have in common as jobs: a match is an event of two entrants. Private to
 * src/serve/job*.c.
 */
#ifndef SERVE_JOB_EVENT_H
#define SERVE_JOB_EVENT_H

#include "serve/job_kind.h"

#include "tournament/make.h"

enum {
    JOB_PLAYERS_MAX = 64,
    JOB_MAPS_MAX = 64,
    JOB_GAMES_MAX = 100000, /* of an event, as far as they can be counted before it begins */
};

/* Reads what the params say of rules, players and maps into an event. `games` per pairing and map is left as
 * it is when the params have none. All members of params are known. The event is to be done with either way.
 */
bool job_event_make(struct workbench *bench, const json_t *params, struct event *event,
                    struct message_out *failure);

/* Is it not too much, and can everybody play? Then the work is drafted. */
bool job_event_draft(const struct workbench *bench, const struct event *event, struct job_draft *out,
                     struct message_out *failure);

enum job_outcome job_event_run(struct job_run *run, struct err *e);

/* {"players": …, "games": …, "score": …, "elo": …, …} of an event of two, as `senjutsu match --json` counts
 * it, from the first one's side. NULL when memory ran out. */
json_t *job_match_json(const struct event *event, const struct games *games);

#endif
