/* SPDX-License-Identifier: MIT */
#include "tournament/event_store.h"

#include "store/store.h"
#include "tournament/verify.h"

#include <string.h>

/* ---- the event ---- */

static bool note_game(void *context, const struct store_game *game, struct err *e) {
    (void)game;
    *(bool *)context = true;
    return err_set(e, "one is enough");
}

static bool has_games(struct store *store) {
    bool found = false;
    struct err ignored;
    const struct store_visit visit = {.game = note_game, .context = &found};
    return !store_visit_games(store, &visit, &ignored) || found;
}

/* A store without games is not bound to the event in it: that may have been refused before its first game.
 * `stored` is NULL in a new store. */
static bool store_event(struct store *store, const char *path, const char *name, const struct event *event,
                        const char *stored, struct err *e) {
    struct text given = {0};
    bool ok = event_write(event, &given, e);
    if (ok && stored == NULL && has_games(store))
        ok = err_set(e, "%s holds the games of something else; choose another file", path);
    const bool same = ok && stored != NULL && event_compare(stored, text_string(&given), e);
    if (ok && stored != NULL && !same && has_games(store))
        ok = err_prefix(e, "%s was begun with other arguments: ", path);
    else if (ok && !same)
        ok = store_put(store, name, text_string(&given), e);
    text_done(&given);
    return ok;
}

static bool read_event(struct store *store, const char *path, const char *name, struct event *event,
                       struct err *e) {
    struct text stored = {0};
    bool found = false;
    bool ok = store_get(store, name, &stored, &found, e);
    if (ok && !found)
        ok = strcmp(name, STORE_MATCH) == 0
                 ? err_set(e, "%s: has no match in it yet; two players make one", path)
                 : err_set(e, "%s: has no event in it yet; --players and --maps make one", path);
    ok = ok && event_read(path, text_string(&stored), stored.size, event, e);
    text_done(&stored);
    return ok;
}

struct store *event_store_read(const char *path, const char *name, struct event *event, struct err *e) {
    struct store *store = store_open(path, STORE_READ, e);
    if (store == NULL || read_event(store, path, name, event, e))
        return store;
    store_close(store);
    return NULL;
}

struct store *event_store_open(const char *path, const char *name, struct event *event, struct err *e) {
    struct store *store = store_open(path, STORE_WRITE, e);
    if (store == NULL)
        return NULL;
    struct text stored = {0};
    bool found = false, ok;
    if (event->player_count == 0)
        ok = read_event(store, path, name, event, e);
    else
        ok = store_get(store, name, &stored, &found, e) &&
             store_event(store, path, name, event, found ? text_string(&stored) : NULL, e);
    text_done(&stored);
    if (!ok)
        store_close(store);
    return ok ? store : NULL;
}

bool tournament_store_standings(struct store *store, const struct event *event, const struct games *games,
                                struct err *e) {
    struct text text = {0};
    standings_text(event, games, &text);
    const bool ok = store == NULL || store_put(store, STORE_STANDINGS, text_string(&text), e);
    text_done(&text);
    return ok;
}

bool tournament_resume(struct store *store, const struct event *event, struct games *games, bool *complete,
                       struct err *e) {
    for (bool more = true;;) {
        const int first = games->count;
        int beyond;
        if (!event_next_batch(event, games, &more, e))
            return false;
        *complete = !more;
        if (!more)
            return true;
        const struct batch_list list = {.count = games->count - first,
                                        .games = games->scheduled + first,
                                        .outcomes = games->outcomes + first};
        if (store != NULL && !batch_resume(store, &list, first, &beyond, e))
            return false;
        if (!batch_is_whole(games->outcomes, first, games->count))
            return true;
    }
}
