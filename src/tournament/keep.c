/* SPDX-License-Identifier: MIT */
#include "tournament/keep.h"

#include "store/store.h"
#include "tournament/verify.h"

static bool note_game(void *context, const struct store_game *game, struct err *e) {
    (void)game;
    *(bool *)context = true;
    return err_set(e, "one is enough");
}

static bool has_games(struct store *store) {
    bool found = false;
    struct err unheard;
    const struct store_visit visit = {.game = note_game, .context = &found};
    return !store_visit_games(store, &visit, &unheard) || found;
}

/* A store without games is not bound to the event in it: that may have been refused before its first game.
 * `kept` is NULL in a new store. */
static bool keep_event(struct store *store, const char *path, const struct event *event, const char *kept,
                       struct err *e) {
    struct text given = {0};
    bool ok = event_write(event, &given, e);
    if (ok && kept == NULL && has_games(store))
        ok = err_set(e, "%s holds the games of something else; choose another file", path);
    const bool same = ok && kept != NULL && event_compare(kept, text_string(&given), e);
    if (ok && kept != NULL && !same && has_games(store))
        ok = err_prefix(e, "%s was begun with other arguments: ", path);
    else if (ok && !same)
        ok = store_put(store, STORE_EVENT, text_string(&given), e);
    text_done(&given);
    return ok;
}

static bool read_event(struct store *store, const char *path, struct event *event, struct err *e) {
    struct text kept = {0};
    bool found = false;
    const bool ok = store_get(store, STORE_EVENT, &kept, &found, e) &&
                    (found ? event_read(path, text_string(&kept), kept.size, event, e)
                           : err_set(e, "%s: has no event in it yet; --players and --maps make one", path));
    text_done(&kept);
    return ok;
}

struct store *tournament_read_store(const char *path, struct event *event, struct err *e) {
    struct store *store = store_open(path, STORE_READ, e);
    if (store == NULL || read_event(store, path, event, e))
        return store;
    store_close(store);
    return NULL;
}

struct store *tournament_open_store(const char *path, struct event *event, struct err *e) {
    struct store *store = store_open(path, STORE_WRITE, e);
    if (store == NULL)
        return NULL;
    struct text kept = {0};
    bool found = false, ok;
    if (event->player_count == 0)
        ok = read_event(store, path, event, e);
    else
        ok = store_get(store, STORE_EVENT, &kept, &found, e) &&
             keep_event(store, path, event, found ? text_string(&kept) : NULL, e);
    text_done(&kept);
    if (!ok)
        store_close(store);
    return ok ? store : NULL;
}

bool tournament_keep_standings(struct store *store, const struct event *event, const struct games *games,
                               struct err *e) {
    struct text text = {0};
    const bool ok = store == NULL || (standings_text(event, games, &text, e) &&
                                      store_put(store, STORE_STANDINGS, text_string(&text), e));
    text_done(&text);
    return ok;
}
