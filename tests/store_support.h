/* SPDX-License-Identifier: MIT
 *
 * For tests of the store: a folder of their own, games, and reading the contents back.
 */
#ifndef TESTS_STORE_SUPPORT_H
#define TESTS_STORE_SUPPORT_H

#include "store/store.h"

int store_make_folder(void **state);
int store_drop_folder(void **state); /* with everything in it */

/* The same with a folder in memory: SQLite holds the stores in memory. */
int store_make_memory(void **state);
int store_drop_memory(void **state);

/* A name in the folder; good until the fourth call after it. */
const char *store_path(const char *name);
bool has_stored_file(const char *name);
void write_bytes(const char *name, const void *bytes, size_t size);

/* No file of the folder has a name that begins with this one, but itself. */
void assert_only_file(const char *name);

struct store *open_store(const char *name, enum store_mode mode); /* must succeed */

/* A possible game derived from the number; its texts are valid until the fourth call after it. */
struct store_game make_game(int number);
bool is_same_game(const struct store_game *a, const struct store_game *b);
void assert_same_game(const struct store_game *a, const struct store_game *b);

void add_game(struct store *store, const struct store_game *game); /* must succeed */
void add_number(struct store *store, int number);

/* A visitor that copies the game into its context, with its texts; free_game frees those. */
bool keep_game(void *context, const struct store_game *game, struct err *e);
void free_game(struct store_game *game);

struct store_tally {
    int games, records, bundles;
};
struct store_tally count_games(struct store *store, int first, bool texts);

#endif
