/* SPDX-License-Identifier: MIT
 *
 * An event in its store: the event itself, its games, its void games and, at the end, its table. The event is
 * written when it begins and compared when it is continued.
 */
#ifndef TOURNAMENT_EVENT_STORE_H
#define TOURNAMENT_EVENT_STORE_H

#include "tournament/schedule.h"

struct store;

/* The names of the store's texts: the event, and its table once it is over; a match of two players is
 * described like an event, under a name of its own. */
#define STORE_EVENT     "event"
#define STORE_MATCH     "match"
#define STORE_STANDINGS "standings"

/* Opens the store for writing. A new store gets the event (under that name); otherwise the event must be
 * equal to the stored one, unless the store has no games. An `event` without players is filled from the
 * store. */
struct store *event_store_open(const char *path, const char *name, struct event *event, struct err *e);

/* Opens the store for reading, and reads the event. */
struct store *event_store_read(const char *path, const char *name, struct event *event, struct err *e);

/* Stores the final table, for verify.h. A NULL store stores nothing. */
bool tournament_store_standings(struct store *store, const struct event *event, const struct games *games,
                                struct err *e);

/* Schedules round by round as the results in the store (NULL: none) lead to it, up to the first round with a
 * game that is not stored. *complete: all games of the event are there. Stored games behind that round are
 * left out. */
bool tournament_resume(struct store *store, const struct event *event, struct games *games, bool *complete,
                       struct err *e);

#endif
