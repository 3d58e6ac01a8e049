/* SPDX-License-Identifier: MIT */
#include "store_support.h"

#include "base/file.h"
#include "base/mem.h"
#include "scratch_support.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { PATHS = 4, TEXT_MAX = 20000 };

static char folder[SCRATCH_PATH_MAX];

int store_make_folder(void **state) {
    (void)state;
    return scratch_folder("store", folder) ? 0 : -1;
}

int store_drop_folder(void **state) {
    (void)state;
    DIR *list = opendir(folder);
    if (list == NULL)
        return -1;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        if (remove(store_path(entry->d_name)) != 0 && entry->d_name[0] != '.')
            return -1;
    closedir(list);
    return rmdir(folder);
}

int store_make_memory(void **state) {
    snprintf(folder, sizeof folder, "memory");
    *state = file_memory_open(folder);
    return *state != NULL ? 0 : -1;
}

int store_drop_memory(void **state) {
    file_memory_close(*state);
    return 0;
}

const char *store_path(const char *name) {
    static char paths[PATHS][600];
    static int next;
    char *path = paths[next++ % PATHS];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

bool has_stored_file(const char *name) {
    return access(store_path(name), F_OK) == 0;
}

void write_bytes(const char *name, const void *bytes, size_t size) {
    FILE *file = fopen(store_path(name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

void assert_only_file(const char *name) {
    DIR *list = opendir(folder);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;)
        count += strncmp(entry->d_name, name, strlen(name)) == 0;
    closedir(list);
    assert_int_equal(count, 1);
    assert_true(has_stored_file(name));
}

struct store *open_store(const char *name, enum store_mode mode) {
    struct err e = {0};
    struct store *store = store_open(store_path(name), mode, &e);
    if (store == NULL)
        fail_msg("%s", e.text);
    return store;
}

/* Records of up to five pages, so that they fill some and share others. */
struct store_game make_game(int number) {
    static char records[PATHS][TEXT_MAX], bundles[PATHS][TEXT_MAX], notes[PATHS][32];
    static int next;
    const int at = next++ % PATHS;
    snprintf(records[at], TEXT_MAX, "{\"game\":%d,\"actions\":\"%0*d\"}", number, 1 + number * 37 % 19000,
             number);
    snprintf(bundles[at], TEXT_MAX, "{\"bundle\":%d}", number);
    snprintf(notes[at], sizeof notes[at], "{\"note\":%d}", number);
    struct store_game game = {.number = number,
                              .stage = number % 3,
                              .round = number % 7,
                              .players = {number % 11, number % 13},
                              .map = number % 5,
                              .seed = (uint64_t)number * 0x9E3779B97F4A7C15U,
                              .outcome.payoff = number % 3 / 2.0,
                              .outcome.forfeiter = number % 3 - 1,
                              .outcome.fault = number % 4,
                              .outcome.actions = number % 400,
                              .outcome.turns = number % 30,
                              .outcome.lead_changes = number % 6,
                              .outcome.think_ns = {number, number + 1},
                              .outcome.longest_ns = {number + 2, number + 3},
                              .outcome.decisions = {number % 200, number % 190},
                              .note = number % 2 == 0 ? notes[at] : NULL,
                              .record = records[at],
                              .fault_report = number % 3 == 0 ? bundles[at] : NULL,
                              .finished = "2024-01-01T00:00:00Z"};
    snprintf(game.outcome.result, sizeof game.outcome.result, "result %d", number);
    return game;
}

static bool is_same_text(const char *a, const char *b) {
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static bool is_same_result(const struct store_game *a, const struct store_game *b) {
    return !(a->outcome.payoff < b->outcome.payoff) && !(a->outcome.payoff > b->outcome.payoff) &&
           a->outcome.forfeiter == b->outcome.forfeiter && a->outcome.fault == b->outcome.fault &&
           a->outcome.actions == b->outcome.actions && a->outcome.turns == b->outcome.turns &&
           a->outcome.lead_changes == b->outcome.lead_changes &&
           is_same_text(a->outcome.result, b->outcome.result);
}

bool is_same_game(const struct store_game *a, const struct store_game *b) {
    bool same = a->number == b->number && a->stage == b->stage && a->round == b->round && a->map == b->map &&
                a->seed == b->seed && is_same_result(a, b) && is_same_text(a->record, b->record) &&
                is_same_text(a->fault_report, b->fault_report) && is_same_text(a->note, b->note) &&
                is_same_text(a->finished, b->finished);
    for (int side = 0; side < 2; side++)
        same = same && a->players[side] == b->players[side] &&
               a->outcome.think_ns[side] == b->outcome.think_ns[side] &&
               a->outcome.longest_ns[side] == b->outcome.longest_ns[side] &&
               a->outcome.decisions[side] == b->outcome.decisions[side];
    return same;
}

void assert_same_game(const struct store_game *a, const struct store_game *b) {
    assert_true(is_same_game(a, b));
}

void add_game(struct store *store, const struct store_game *game) {
    struct err e = {0};
    if (!store_add_game(store, game, &e))
        fail_msg("%s", e.text);
}

void add_number(struct store *store, int number) {
    const struct store_game game = make_game(number);
    add_game(store, &game);
}

static const char *copy_of(const char *string) {
    if (string == NULL)
        return NULL;
    char *copy = mem_alloc(strlen(string) + 1);
    return copy == NULL ? NULL : strcpy(copy, string);
}

bool keep_game(void *context, const struct store_game *game, struct err *e) {
    (void)e;
    struct store_game *kept = context;
    free_game(kept);
    *kept = *game;
    kept->note = copy_of(game->note);
    kept->record = copy_of(game->record);
    kept->fault_report = copy_of(game->fault_report);
    kept->finished = copy_of(game->finished);
    return true;
}

static void free_text(const char *text) {
    union {
        const char *kept;
        void *block;
    } it = {.kept = text};
    mem_free(it.block);
}

void free_game(struct store_game *game) {
    free_text(game->note);
    free_text(game->record);
    free_text(game->fault_report);
    free_text(game->finished);
}

static bool count_game(void *context, const struct store_game *game, struct err *e) {
    (void)e;
    struct store_tally *tally = context;
    tally->games++;
    tally->records += game->record != NULL;
    tally->bundles += game->fault_report != NULL;
    return true;
}

struct store_tally count_games(struct store *store, int first, bool texts) {
    struct err e = {0};
    struct store_tally tally = {0};
    const struct store_visit visit = {.game = count_game, .context = &tally, .first = first, .texts = texts};
    if (!store_visit_games(store, &visit, &e))
        fail_msg("%s", e.text);
    return tally;
}
