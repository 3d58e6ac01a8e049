/* SPDX-License-Identifier: MIT */
#include "tournament/event_store.h"

#include "base/jsontext.h"
#include "base/mem.h"
#include "player/player.h"
#include "store/store.h"
#include "tournament/verify.h"

#include <assert.h>
#include <stdio.h>
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
static bool store_event(struct store *store, const char *path, const struct event *event, const char *stored,
                        struct err *e) {
    struct text given = {0};
    bool ok = event_write(event, &given, e);
    if (ok && stored == NULL && has_games(store))
        ok = err_set(e, "%s holds the games of something else; choose another file", path);
    const bool same = ok && stored != NULL && event_compare(stored, text_string(&given), e);
    if (ok && stored != NULL && !same && has_games(store))
        ok = err_prefix(e, "%s was begun with other arguments: ", path);
    else if (ok && !same)
        ok = store_put(store, STORE_EVENT, text_string(&given), e);
    text_done(&given);
    return ok;
}

static bool read_event(struct store *store, const char *path, struct event *event, struct err *e) {
    struct text stored = {0};
    bool found = false;
    const bool ok = store_get(store, STORE_EVENT, &stored, &found, e) &&
                    (found ? event_read(path, text_string(&stored), stored.size, event, e)
                           : err_set(e, "%s: has no event in it yet; --players and --maps make one", path));
    text_done(&stored);
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
    struct text stored = {0};
    bool found = false, ok;
    if (event->player_count == 0)
        ok = read_event(store, path, event, e);
    else
        ok = store_get(store, STORE_EVENT, &stored, &found, e) &&
             store_event(store, path, event, found ? text_string(&stored) : NULL, e);
    text_done(&stored);
    if (!ok)
        store_close(store);
    return ok ? store : NULL;
}

bool tournament_store_standings(struct store *store, const struct event *event, const struct games *games,
                                struct err *e) {
    struct text text = {0};
    const bool ok = store == NULL || (standings_text(event, games, &text, e) &&
                                      store_put(store, STORE_STANDINGS, text_string(&text), e));
    text_done(&text);
    return ok;
}

/* ---- games ---- */

static bool is_scheduled(const struct scheduled_game *f, const struct store_game *g) {
    return f->stage == g->stage && f->round == g->round && f->players[0] == g->players[0] &&
           f->players[1] == g->players[1] && f->map == g->map && f->seed == g->seed;
}

static void note_outcome(const struct store_game *g, struct outcome *o) {
    *o = (struct outcome){
        .played = true,
        .payoff = g->payoff,
        .forfeiter = g->forfeiter,
        .fault = g->fault,
        .actions = g->actions,
        .turns = g->turns,
        .lead_changes = g->lead_changes,
    };
    for (int side = 0; side < 2; side++) {
        o->think_ns[side] = g->think_ns[side];
        o->longest_ns[side] = g->longest_ns[side];
        o->decisions[side] = g->decisions[side];
    }
    snprintf(o->result, sizeof o->result, "%s", g->result);
}

struct resumption {
    struct games *games;
    int beyond;
};

/* Games of later batches are only counted: they are read once they are scheduled. */
static bool resume_game(void *context, const struct store_game *g, struct err *e) {
    struct resumption *r = context;
    if (g->number >= r->games->count) {
        r->beyond++;
        return true;
    }
    if (!is_scheduled(&r->games->scheduled[g->number], g))
        return err_set(e, "game %d in the store is not the one that the schedule has there", g->number);
    if ((g->forfeiter == NOBODY) != (g->fault == PLAYER_FAULT_NONE) || g->fault >= PLAYER_FAULTS)
        return err_set(e, "game %d in the store has a ruling that cannot be: fault %d of side %d", g->number,
                       g->fault, g->forfeiter);
    note_outcome(g, &r->games->outcomes[g->number]);
    return true;
}

bool tournament_resume(struct store *store, struct games *games, int first, int *beyond, struct err *e) {
    assert(first >= 0);
    assert(first <= games->count);
    struct resumption resumption = {.games = games};
    const struct store_visit visit = {.game = resume_game, .context = &resumption, .first = first};
    const bool ok = store_visit_games(store, &visit, e);
    *beyond = resumption.beyond;
    return ok;
}

/* ---- void games ---- */

static bool add_void(struct games *games, const struct void_game *v, struct err *e) {
    if (games->void_count == games->void_capacity) {
        const int wanted = games->void_capacity > 0 ? 2 * games->void_capacity : 8;
        struct void_game *voids = mem_resize(games->voids, (size_t)wanted * sizeof *voids);
        if (voids == NULL)
            return err_set(e, "not enough memory for the void games");
        games->voids = voids;
        games->void_capacity = wanted;
    }
    games->voids[games->void_count++] = *v;
    return true;
}

static bool read_void(const char *line, size_t size, struct games *games, struct err *e) {
    json_t *root = jsontext_load("void games", line, size, e);
    if (root == NULL)
        return false;
    int number, actions;
    double gap_s;
    const bool fits =
        json_unpack(root, "{si sF si}", "game", &number, "gap_s", &gap_s, "actions", &actions) == 0 &&
        number >= 0 && actions >= 0 && gap_s > 0 && gap_s < 1e9;
    json_decref(root);
    const struct void_game v = {number, actions, fits ? (int64_t)(gap_s * 1e9) : 0};
    return fits ? add_void(games, &v, e)
                : err_set(e, "void games: expected game, actions and gap_s in each line");
}

bool tournament_read_voids(const char *lines, struct games *games, struct err *e) {
    while (*lines != '\0') {
        const size_t size = strcspn(lines, "\n");
        if (size > 0 && !read_void(lines, size, games, e))
            return false;
        lines += size + (lines[size] == '\n');
    }
    return true;
}

bool tournament_store_voids(struct store *store, const char *lines, struct err *e) {
    struct text all = {0};
    bool found;
    if (store == NULL || *lines == '\0')
        return true;
    bool ok = store_get(store, STORE_VOIDS, &all, &found, e);
    text_add_string(&all, lines);
    if (ok && all.failed)
        ok = err_set(e, "not enough memory for the void games");
    ok = ok && store_put(store, STORE_VOIDS, text_string(&all), e);
    text_done(&all);
    return ok;
}

bool tournament_load_voids(struct store *store, struct games *games, struct err *e) {
    struct text all = {0};
    bool found;
    games->void_count = 0;
    const bool ok =
        store_get(store, STORE_VOIDS, &all, &found, e) && tournament_read_voids(text_string(&all), games, e);
    text_done(&all);
    return ok;
}

/* ---- the record of a game ---- */

struct wanted {
    int number;
    bool found, read;
    struct record *record;
};

/* The first game from that number on, which need not be it. */
static bool read_wanted(void *context, const struct store_game *g, struct err *e) {
    struct wanted *w = context;
    char name[32];
    snprintf(name, sizeof name, "game %d", g->number);
    w->found = g->number == w->number && g->record != NULL;
    w->read = w->found && record_read_json(name, g->record, strlen(g->record), w->record, e);
    return false; /* one is enough */
}

bool tournament_load_record(struct store *store, int number, struct record *out, struct err *e) {
    struct wanted wanted = {.number = number, .record = out};
    const struct store_visit visit = {
        .game = read_wanted, .context = &wanted, .first = number, .texts = true};
    record_init(out);
    store_visit_games(store, &visit, e);
    return wanted.read || (!wanted.found && err_set(e, "there is no game %d in it", number));
}
