/* SPDX-License-Identifier: MIT
 *
 * The games of a run in one SQLite file. A finished game is committed once and at once: a program that is
 * killed at any moment finds all committed games again. After a power failure the last few games may be
 * missing, but the file is intact. Named texts hold the players and the rules, so that a run can be continued
 * only with those it was begun with. Below a folder in memory (base/file.h) a store is in memory, too,
 * with the same guarantees for as long as the process lives.
 *
 * Calls may come from different threads, one at a time. Beside the file PATH there are PATH-wal, PATH-shm and
 * PATH.lock while a program writes; a clean close leaves only PATH. After a kill they stay and belong to the
 * store: a copy of the file then needs PATH-wal as well. They do not prevent opening it.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/text.h"

#include <stdint.h>

enum { OUTCOME_RESULT_MAX = 64 };

/* The result of one game: what a game run gives, a batch hands on, a store holds and reports sum up. Plain
 * bytes, so it travels to other ranks as it is. */
struct outcome {
    bool played;   /* false: there is no result yet */
    double payoff; /* of side 0 */
    int forfeiter; /* the side that broke a rule; -1 (NOBODY): none did */
    int fault;     /* enum player_fault: which rule */
    int actions, turns;
    int lead_changes; /* how often the side ahead (by the game's first evaluation, at the ends of turns)
                         changed */
    int64_t think_ns[2], longest_ns[2]; /* by side: in all, and the longest decision */
    int decisions[2];
    uint64_t leaves[2];              /* leaf evaluations, by side; 0: not counted */
    char result[OUTCOME_RESULT_MAX]; /* as in a record: "red annihilation", "blue late" */
};

struct store;

enum store_mode {
    STORE_WRITE, /* created if missing; only one writer at a time */
    STORE_READ,  /* must exist; can be read while another program writes */
};

struct store_game {
    int number; /* in the run's schedule, from 0: the key */
    int stage, round;
    int players[2]; /* by side: indices of the run's entrants */
    int map;
    uint64_t seed;
    struct outcome outcome;   /* without leaves, which have no column */
    const char *note;         /* JSON of what has no column, or NULL; older stores have none */
    const char *record;       /* JSON, or NULL: a game that was never begun has none */
    const char *fault_report; /* JSON, or NULL */
    const char *finished;     /* when: ISO 8601; may be "" */
};

/* NULL and a reason, also when the file is not a store, or one of a later version: such a file is not
 * changed. An empty file is a new store. */
struct store *store_open(const char *path, enum store_mode mode, struct err *e);
void store_close(struct store *store); /* NULL is allowed */

/* The named texts by which stores are told apart: a tournament; a match of two, described like a tournament;
 * the parameters of an evolution; a study with people. A store of judged maps has none of them. */
#define STORE_TOURNAMENT "event"
#define STORE_MATCH      "match"
#define STORE_RECIPE     "recipe"
#define STORE_STUDY      "study"

/* Has the store that text (NULL: games that judge maps), or no games yet? If not, the sentence says whose
 * games they are and which command shows them. */
bool store_is_of(struct store *store, const char *name, struct err *e);

/* Named texts. `get` appends to `out`, and leaves *found false when there is no text of that name; `put`
 * replaces an existing one. */
bool store_get(struct store *store, const char *name, struct text *out, bool *found, struct err *e);
bool store_put(struct store *store, const char *name, const char *value, struct err *e);

/* All named texts whose names begin with `prefix`, by name; the pointers are valid during the call. A visitor
 * that returns false ends the visit, with its own reason in `e`, and must not start another one. */
struct store_text_visit {
    bool (*text)(void *context, const char *name, const char *value, struct err *e);
    void *context;
    const char *prefix;
};

bool store_visit_texts(struct store *store, const struct store_text_visit *visit, struct err *e);

/* Removes the texts whose names begin with `prefix`, and the games from `first` to `last` with their texts,
 * all or nothing. Traces may be left in the file until store_shred. */
struct store_erasure {
    const char *prefix;
    int first, last;
};

bool store_erase(struct store *store, const struct store_erasure *what, struct err *e);

/* Leaves nothing of deleted data in the file or beside it: the file is written anew, and its log is emptied.
 * Fails while another program reads the store. */
bool store_shred(struct store *store, struct err *e);

/* Once it returns true the game is safe, with its record and fault report. False when it cannot be written,
 * or when that number exists already; then nothing was changed. */
bool store_add_game(struct store *store, const struct store_game *game, struct err *e);

/* All games by number, from `first` on; the pointers are valid during the call. A visitor that returns false
 * ends the visit, with its own reason in `e`; a visitor must not start another visit. Without `texts` record
 * and fault report are left NULL: faster. Games that another program adds meanwhile are not seen. */
struct store_visit {
    bool (*game)(void *context, const struct store_game *game, struct err *e); /* NULL: games are only read */
    void *context;
    int first;
    bool texts;
};

bool store_visit_games(struct store *store, const struct store_visit *visit, struct err *e);

/* SQLite's own check of the whole file: structure, types, ranges, and that every record has its game. */
bool store_check(struct store *store, struct err *e);

/* ---- one writer at a time ---- */

enum { STORE_PATH_MAX = 4096 };

/* A lock on PATH.lock, for any PATH, that the system drops when its holder ends, however it ends. The file is
 * removed when the lock is; a file that a killed program left does not block others. */
struct store_lock {
    int fd; /* -1: not held */
    char path[STORE_PATH_MAX];
};

/* Fails at once when another program holds it. When the one that took it has ended, and a child of it has not
 * closed its copy of the descriptor yet, waits for that, up to two seconds. `display_path` is the store's
 * name in messages. */
bool store_lock_take(struct store_lock *lock, const char *path, const char *display_path, struct err *e);
void store_lock_drop(struct store_lock *lock);

#endif
