/* SPDX-License-Identifier: MIT
 *
 * An event in its store: the event itself, its games, its void games and, at the end, its table. The event is
 * written when it begins and compared when it is continued.
 */
#ifndef TOURNAMENT_EVENT_STORE_H
#define TOURNAMENT_EVENT_STORE_H

#include "tournament/schedule.h"

struct store;

/* The names of the store's texts: the event, its table once it is over, its void games
 * (tournament_read_voids).
 */
#define STORE_EVENT     "event"
#define STORE_STANDINGS "standings"
#define STORE_VOIDS     "voids"

/* Opens the store for writing. A new store gets the event; otherwise the event must be equal to the stored
 * one, unless the store has no games. An `event` without players is filled from the store. */
struct store *tournament_open_store(const char *path, struct event *event, struct err *e);

/* Opens the store for reading, and reads the event. */
struct store *tournament_read_store(const char *path, struct event *event, struct err *e);

/* Stores the final table, for verify.h. A NULL store stores nothing. */
bool tournament_store_standings(struct store *store, const struct event *event, const struct games *games,
                                struct err *e);

/* Reads the outcomes of scheduled games from `first` on; *beyond is the number of stored games that are not
 * scheduled yet. False when a game contradicts the schedule. */
bool tournament_resume(struct store *store, struct games *games, int first, int *beyond, struct err *e);

/* Void games as lines of JSON, {"game":…,"gap_s":…,"actions":…,"date":…,"record":…}: read_voids adds them to
 * `games`, store_voids to the store (NULL stores nothing), load_voids reads them from the store into `games`.
 */
bool tournament_read_voids(const char *lines, struct games *games, struct err *e);
bool tournament_store_voids(struct store *store, const char *lines, struct err *e);
bool tournament_load_voids(struct store *store, struct games *games, struct err *e);

/* Reads the record of one game. The caller calls record_done also after a failure. */
bool tournament_load_record(struct store *store, int number, struct record *out, struct err *e);

#endif
