/* SPDX-License-Identifier: MIT
 *
 * An event in its store: put there when it begins, compared when it goes on, its table kept at the end.
 */
#ifndef TOURNAMENT_KEEP_H
#define TOURNAMENT_KEEP_H

#include "tournament/event.h"

struct store;

/* Opens the store and puts the event into it, or compares it with the one that is there; an `event` without
 * players is filled from the store. A store without games is not bound to the event in it. */
struct store *tournament_open_store(const char *path, struct event *event, struct err *e);

/* The store as it is, and the event from it. */
struct store *tournament_read_store(const char *path, struct event *event, struct err *e);

/* The event is over: its table, for verify.h. A NULL store keeps nothing. */
bool tournament_keep_standings(struct store *store, const struct event *event, const struct games *games,
                               struct err *e);

#endif
