/* SPDX-License-Identifier: MIT
 *
 * The games of a run in one SQLite file. A finished game is committed at once and only once; the program may
 * be killed at any moment and finds everything that was committed again. After a power failure the last few
 * games may be missing, but the file is whole. Who plays and by which rules is kept as named texts, so that
 * a run can be continued only by what it was begun with. Below a folder in memory (base/file_memory.h) a
 * store is in memory, too, with the same promises for as long as the process lives.
 *
 * Calls may come from different threads, one at a time. Beside the file PATH there are PATH-wal, PATH-shm and
 * PATH.lock while somebody writes; a clean close leaves PATH alone. After a kill they stay and belong to it:
 * whoever copies the file then copies PATH-wal too. Leftovers do not stop anybody from opening it.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/err.h"
#include "base/text.h"

#include <stdint.h>

struct store;

enum store_mode {
    STORE_WRITE, /* made if it is not there; nobody else may write at the same time */
    STORE_READ,  /* must be there; may be read while somebody writes */
};

struct store_game {
    int number; /* in the run's schedule, from 0: the key */
    int stage, round;
    int players[2]; /* by side: indices of the run's entrants */
    int map;
    uint64_t seed;
    double payoff;      /* of side 0: 1, 0.5 or 0 */
    const char *result; /* "red annihilation", "blue late" */
    int forfeiter;      /* 0, 1 or -1 */
    int fault;          /* enum player_fault */
    int actions, turns, lead_changes;
    int64_t think_ns[2], longest_ns[2];
    int decisions[2];
    const char *record;   /* JSON, or NULL: a game that was never begun has none */
    const char *bundle;   /* JSON, or NULL */
    const char *finished; /* when: ISO 8601; may be "" */
};

/* NULL and a reason, also when the file is something else than a store, or one of a later version: such a
 * file is left as it is. An empty file is a new store. */
struct store *store_open(const char *path, enum store_mode mode, struct err *e);
void store_close(struct store *store); /* NULL is allowed */

/* Named texts. `get` appends to `out`, and leaves *found false when there is none of that name; `put`
 * replaces the one that is there. */
bool store_get(struct store *store, const char *name, struct text *out, bool *found, struct err *e);
bool store_put(struct store *store, const char *name, const char *value, struct err *e);

/* Once it returns true the game is safe, with its record and bundle. False when it cannot be written, or when
 * that number is there already; then nothing was changed. */
bool store_add_game(struct store *store, const struct store_game *game, struct err *e);

/* All games by number, from `first` on; the pointers are valid during the call. A visitor that returns false
 * ends it, with its own reason in `e`; it may not visit again by itself. Without `texts` record and bundle
 * are left NULL: faster. Games that are added meanwhile by another program are not seen. */
struct store_visit {
    bool (*game)(void *context, const struct store_game *game, struct err *e);
    void *context;
    int first;
    bool texts;
};

bool store_visit_games(struct store *store, const struct store_visit *visit, struct err *e);

/* SQLite's own check of the whole file: structure, types, ranges, and that every record has its game. */
bool store_check(struct store *store, struct err *e);

#endif
