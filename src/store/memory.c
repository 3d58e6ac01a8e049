/* SPDX-License-Identifier: MIT
 *
 * The store in memory. Its games and texts live in a file of base/file_system.h and stay there while that
 * file does; an open store is one more holder of them. Readers and a writer may be on different threads.
 */
#include "base/file.h"
#include "base/file_system.h"
#include "base/mem.h"
#include "store/backend.h"

#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { DISPLAY_PATH_MAX = 256 };

struct named {
    char *name, *value;
    struct named *next;
};

/* What the file holds. Texts of games are never moved or freed before the end, so that a visitor may use them
 * without the lock. */
struct content {
    pthread_mutex_t lock;
    int holders;
    bool has_writer;
    struct named *texts;
    struct store_game *games; /* by number */
    int count, capacity;
};

struct memory_store {
    struct store store;
    struct content *content;
    enum store_mode mode;
    char display_path[DISPLAY_PATH_MAX];
};

static void free_text(const char *text) {
    union {
        const char *text;
        void *block;
    } it = {.text = text};
    mem_free(it.block);
}

/* ---- what the file holds ---- */

static void game_done(struct store_game *game) {
    for (int i = 0; i < STORE_COLUMN_COUNT; i++)
        if (store_columns[i].kind == STORE_TEXT)
            free_text(*(const char **)((char *)game + store_columns[i].offset));
}

static void content_hold(void *object) {
    struct content *content = object;
    pthread_mutex_lock(&content->lock);
    content->holders++;
    pthread_mutex_unlock(&content->lock);
}

static void content_free(struct content *content) {
    for (struct named *next; content->texts != NULL; content->texts = next) {
        next = content->texts->next;
        mem_free(content->texts->name);
        mem_free(content->texts->value);
        mem_free(content->texts);
    }
    for (int i = 0; i < content->count; i++)
        game_done(&content->games[i]);
    mem_free(content->games);
    pthread_mutex_destroy(&content->lock);
    mem_free(content);
}

static void content_drop(void *object) {
    struct content *content = object;
    pthread_mutex_lock(&content->lock);
    const bool is_last = --content->holders == 0;
    pthread_mutex_unlock(&content->lock);
    if (is_last)
        content_free(content);
}

/* A new file with nothing in it, held by the file and by the caller. */
static struct content *content_make(const char *path, struct err *e) {
    struct content *content = mem_alloc(sizeof *content);
    pthread_mutex_init(&content->lock, NULL);
    content->holders = 2;
    if (file_memory_put(path, (struct file_object){content, content_hold, content_drop}, e))
        return content;
    content_free(content);
    return NULL;
}

/* The first game with this number or a later one. */
static int place_of(const struct content *content, int number) {
    int low = 0, high = content->count;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (content->games[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- opening and closing ---- */

static struct content *find_content(const char *path, enum store_mode mode, struct err *e) {
    struct content *content = file_memory_get(path);
    if (content != NULL)
        return content;
    switch (file_kind(path)) {
    case FILE_NONE:
        if (mode == STORE_WRITE)
            return content_make(path, e);
        err_set(e, "%s: cannot be opened: %s", path, strerror(ENOENT));
        break;
    case FILE_PLAIN: err_set(e, "%s: is not a store of games; the file holds something else", path); break;
    case FILE_FOLDER:
    case FILE_OTHER: err_set(e, "%s: is a folder; expected the name of a file", path); break;
    }
    return NULL;
}

static bool take_writing(struct content *content) {
    pthread_mutex_lock(&content->lock);
    const bool is_free = !content->has_writer;
    content->has_writer = true;
    pthread_mutex_unlock(&content->lock);
    return is_free;
}

static struct store *memory_open(const char *path, enum store_mode mode, struct err *e) {
    struct content *content = find_content(path, mode, e);
    if (content != NULL && mode == STORE_WRITE && !take_writing(content)) {
        err_set(e, "%s: another run (process %ld) is using this store", path, (long)getpid());
        content_drop(content);
        content = NULL;
    }
    if (content == NULL)
        return NULL;
    struct memory_store *store = mem_alloc(sizeof *store);
    store->store.type = &store_memory;
    store->content = content;
    store->mode = mode;
    snprintf(store->display_path, sizeof store->display_path, "%s", path);
    return &store->store;
}

static void memory_close(struct store *base) {
    struct memory_store *store = (struct memory_store *)base;
    if (store->mode == STORE_WRITE) {
        pthread_mutex_lock(&store->content->lock);
        store->content->has_writer = false;
        pthread_mutex_unlock(&store->content->lock);
    }
    content_drop(store->content);
    mem_free(store);
}

/* ---- texts ---- */

static struct named *find_text(const struct content *content, const char *name) {
    struct named *text = content->texts;
    while (text != NULL && strcmp(text->name, name) != 0)
        text = text->next;
    return text;
}

static bool memory_get(struct store *base, const char *name, struct text *out, bool *found, struct err *e) {
    struct content *content = ((struct memory_store *)base)->content;
    (void)e;
    pthread_mutex_lock(&content->lock);
    const struct named *text = find_text(content, name);
    *found = text != NULL;
    if (text != NULL)
        text_add_string(out, text->value);
    pthread_mutex_unlock(&content->lock);
    return true;
}

static bool memory_put(struct store *base, const char *name, const char *value, struct err *e) {
    struct memory_store *store = (struct memory_store *)base;
    struct content *content = store->content;
    (void)e;
    assert(store->mode == STORE_WRITE);
    pthread_mutex_lock(&content->lock);
    struct named *text = find_text(content, name);
    if (text == NULL) {
        text = mem_alloc(sizeof *text);
        *text = (struct named){.name = mem_copy_string(name), .next = content->texts};
        content->texts = text;
    }
    mem_free(text->value);
    text->value = mem_copy_string(value);
    pthread_mutex_unlock(&content->lock);
    return true;
}

/* ---- games ---- */

/* With the lock. */
static bool insert(struct memory_store *store, const struct store_game *game, struct err *e) {
    struct content *content = store->content;
    const int at = place_of(content, game->number);
    if (at < content->count && content->games[at].number == game->number)
        return err_set(e, "%s: game %d is there already; every game is stored once", store->display_path,
                       game->number);
    struct store_game copy = *game;
    copy.outcome.played = true;
    for (int i = 0; i < STORE_COLUMN_COUNT; i++) {
        const char **text = (const char **)((char *)&copy + store_columns[i].offset);
        if (store_columns[i].kind == STORE_TEXT && *text != NULL)
            *text = mem_copy_string(*text);
    }
    content->games = mem_grow(content->games, &content->capacity, content->count + 1, sizeof copy);
    memmove(&content->games[at + 1], &content->games[at], (size_t)(content->count - at) * sizeof copy);
    content->games[at] = copy;
    content->count++;
    return true;
}

static bool memory_add_game(struct store *base, const struct store_game *game, struct err *e) {
    struct memory_store *store = (struct memory_store *)base;
    assert(store->mode == STORE_WRITE);
    assert(game->finished != NULL);
    const struct store_column *bad = store_bad_column(game);
    if (bad != NULL)
        return err_set(e, "%s: game %d cannot be written: %s is out of range", store->display_path,
                       game->number, bad->name);
    pthread_mutex_lock(&store->content->lock);
    const bool ok = insert(store, game, e);
    pthread_mutex_unlock(&store->content->lock);
    return ok;
}

/* The game with this number, or the next one. */
static bool find_game(struct content *content, int number, struct store_game *out) {
    pthread_mutex_lock(&content->lock);
    const int at = place_of(content, number);
    const bool found = at < content->count;
    if (found)
        *out = content->games[at];
    pthread_mutex_unlock(&content->lock);
    return found;
}

static bool memory_visit_games(struct store *base, const struct store_visit *visit, struct err *e) {
    struct memory_store *store = (struct memory_store *)base;
    struct store_game game;
    for (int next = visit->first; find_game(store->content, next, &game); next = game.number + 1) {
        if (!visit->texts)
            game.record = game.fault_report = NULL;
        if (!visit->game(visit->context, &game, e))
            return false;
        if (game.number == INT_MAX)
            break;
    }
    return true;
}

/* Games are checked when they are added, and nothing else writes to it. */
static bool memory_check(struct store *base, struct err *e) {
    (void)base, (void)e;
    return true;
}

const struct store_type store_memory = {.open = memory_open,
                                        .close = memory_close,
                                        .get = memory_get,
                                        .put = memory_put,
                                        .add_game = memory_add_game,
                                        .visit_games = memory_visit_games,
                                        .check = memory_check};
