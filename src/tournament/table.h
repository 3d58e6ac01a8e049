/* SPDX-License-Identifier: MIT
 *
 * How an event stands at some moment: places and ratings, computed anew whenever somebody looks.
 */
#ifndef TOURNAMENT_TABLE_H
#define TOURNAMENT_TABLE_H

#include "tournament/report.h"

struct event_table {
    const struct event *event;
    struct standing *standings;
    struct rating_fit fit;
    struct rating_game *rating_games;
    int rating_capacity;
};

/* Also after a failure the table is to be done with. */
bool event_table_init(struct event_table *table, const struct event *event, struct err *e);
void event_table_done(struct event_table *table);

/* What the report says beside the games themselves. */
struct event_moment {
    int played, recalled; /* games in all; of them found in the store */
    double seconds;
    const char *date, *store; /* may be NULL */
    bool complete;
};

/* The report points into the table and holds until the next call. While an event of very many games goes on
 * it has no ratings: they would take longer than the games. */
bool event_table_report(struct event_table *table, const struct games *games,
                        const struct event_moment *moment, struct report *out, struct err *e);

#endif
