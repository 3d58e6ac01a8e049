/* SPDX-License-Identifier: MIT
 *
 * Tournaments that are really played, and a store for them.
 */
#ifndef TESTS_TOURNAMENT_SUPPORT_H
#define TESTS_TOURNAMENT_SUPPORT_H

#include "store/store.h"
#include "tournament/schedule.h"

/* Five fast players on three of our maps, on two in each pairing; play-offs and a final where there can be.
 */
void build_tournament(struct tournament *out, int format);

/* The store's file, in a folder of its own. */
extern char store_file[600];
int tournament_make_folder(void **state);
int tournament_drop_folder(void **state);
void drop_store(void);
struct store *open_tournament_store(enum store_mode mode); /* must succeed */

enum { GAMES_MAX = 400 };

/* Records of successive runs. */
struct session {
    int played, resumed, stop_after;
    bool played_before[GAMES_MAX], remove_store;
    atomic_bool stop;
    bool complete;
};

/* For a run's on_game, with a session: no game may be played twice or be lost. */
void note_game(void *context, const struct games *games, int number, bool resumed);

void table_of(const struct tournament *tournament, const struct games *games, struct text *out);

#endif
