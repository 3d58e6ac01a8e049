/* SPDX-License-Identifier: MIT */
#include "tournament/verify.h"

#include "base/mem.h"
#include "store/store.h"
#include "tournament/event_store.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct verification {
    const struct verify_watch *watch;
    const struct event *event;
    const struct games *games;
    struct verify_report *report;
    bool stopped;
    long failures; /* of memory, before it began */
    bool broken;   /* the games contradict the schedule, so its continuation is unknown */
};

static void add_problem(struct verification *v, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Problems that a lack of memory causes are not the store's. */
static bool lacks_memory(const struct verification *v) {
    return mem_failures() != v->failures;
}

static void add_problem(struct verification *v, const char *format, ...) {
    char sentence[ERR_TEXT_MAX + 128];
    va_list arguments;
    if (lacks_memory(v))
        return;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    v->report->problems++;
    v->watch->problem(v->watch->context, sentence);
}

/* ---- one game ---- */

/* Does the result follow from the actions, or from the ruling? The actions were executed by the reader. */
static bool check_result(const struct record *record, const struct store_game *g, const struct replay *replay,
                         struct err *e) {
    const struct game *game = replay->scenario->game;
    const int mover = game->mover(replay->state);
    char ruled[64];
    if (g->outcome.forfeiter == NOBODY) {
        const char *result = game->text->result(replay->state);
        if (mover != NOBODY)
            return err_set(e, "its record stops before the end");
        if (strcmp(result, g->outcome.result) != 0 || strcmp(result, record->result) != 0)
            return err_set(e, "its actions end with '%s', the store says '%s'", result, g->outcome.result);
        const double payoff = game->payoff(replay->state, 0);
        return (payoff > g->outcome.payoff - 1e-9 && payoff < g->outcome.payoff + 1e-9) ||
               err_set(e, "'%s' is %g for the first side, the store says %g", result, payoff,
                       g->outcome.payoff);
    }
    if (g->outcome.fault <= PLAYER_FAULT_NONE || g->outcome.fault >= PLAYER_FAULTS)
        return err_set(e, "fault %d is none that is known", g->outcome.fault);
    snprintf(ruled, sizeof ruled, "%s %s", game->text->side_names[g->outcome.forfeiter ^ 1],
             player_fault_names[g->outcome.fault]);
    if (strcmp(ruled, g->outcome.result) != 0 || strcmp(ruled, record->result) != 0)
        return err_set(e, "it was ruled '%s', the store says '%s'", ruled, g->outcome.result);
    if (mover != g->outcome.forfeiter)
        return err_set(e, "the side that forfeited was not to move");
    return g->outcome.payoff == (g->outcome.forfeiter == 0 ? 0.0 : 1.0) ||
           err_set(e, "who forfeited did not lose");
}

static bool check_names(const struct verification *v, const struct record *record,
                        const struct scheduled_game *f, struct err *e) {
    for (int side = 0; side < 2; side++)
        if (strcmp(record->players[side], v->event->players[f->players[side]].name) != 0)
            return err_set(e, "its record names %s where the schedule has %s", record->players[side],
                           v->event->players[f->players[side]].name);
    struct record expected;
    const char *const names[2] = {"", ""};
    record_init(&expected);
    record_describe(&expected, v->event->maps[f->map].scenario, names);
    const bool same = strcmp(text_string(&expected.map), text_string(&record->map)) == 0 &&
                      strcmp(expected.rules, record->rules) == 0 &&
                      strcmp(expected.game, record->game) == 0 &&
                      strcmp(text_string(&expected.options), text_string(&record->options)) == 0;
    record_done(&expected);
    if (!same)
        return err_set(e, "its record was played on another %s than %s",
                       event_takes_maps(&v->event->rules) ? "map" : "game", v->event->maps[f->map].name);
    if (record->deal != f->deal)
        return err_set(e, "its record has another deal");
    return record->seed == f->seed || err_set(e, "its record has another seed");
}

static bool check_record(const struct verification *v, const struct store_game *g,
                         const struct record *record, struct err *e) {
    const struct scheduled_game *f = &v->games->scheduled[g->number];
    if (!check_names(v, record, f, e))
        return false;
    if (record->count != g->outcome.actions)
        return err_set(e, "its record has %d actions, the store says %d", record->count, g->outcome.actions);
    struct replay replay;
    if (!replay_to(&replay, record, v->event->maps[f->map].scenario, record->count, e))
        return false;
    const int turns = replay.scenario->game->turn(replay.state);
    if (turns != g->outcome.turns)
        return err_set(e, "it took %d turns, the store says %d", turns, g->outcome.turns);
    if ((g->outcome.forfeiter != NOBODY) != (g->fault_report != NULL))
        return err_set(e, g->fault_report != NULL ? "it has a bundle without a fault"
                                                  : "its fault has no bundle");
    return check_result(record, g, &replay, e);
}

static void complain_beyond(struct verification *v, int number) {
    if (!v->broken)
        add_problem(v, "game %d: %s", number,
                    v->report->complete ? "the schedule has no such game"
                                        : "games before it are missing that the schedule depends on");
}

static bool check_game(void *context, const struct store_game *g, struct err *e) {
    struct verification *v = context;
    struct record record;
    struct err reason = {{0}};
    (void)e;
    v->report->games++;
    record_init(&record);
    if (g->number >= v->games->count)
        complain_beyond(v, g->number);
    else if (g->record == NULL)
        add_problem(v, "game %d: it has no record", g->number);
    else if (!record_read_json("its record", g->record, strlen(g->record), &record, &reason) ||
             !check_record(v, g, &record, &reason))
        add_problem(v, "game %d: %s", g->number, reason.text);
    record_done(&record);
    v->stopped = v->watch->progress != NULL && !v->watch->progress(v->watch->context, v->report->games);
    return !v->stopped && !lacks_memory(v);
}

/* ---- the whole ---- */

void standings_text(const struct event *event, const struct games *games, struct text *out) {
    struct standing *rows = mem_alloc((size_t)event->player_count * sizeof *rows);
    standings_compute(event, games, rows);
    for (int i = 0; i < event->player_count; i++) {
        const struct standing *s = &rows[i];
        text_add(out, "%d. %s: %.10g points, %d won, %d drawn, %d lost\n", s->place,
                 event->players[s->player].name, s->points, s->total.wins, s->total.draws, s->total.losses);
    }
    mem_free(rows);
}

static bool check_standings(struct verification *v, struct store *store, struct err *e) {
    struct text kept = {0}, now = {0};
    bool found;
    const bool ok = store_get(store, STORE_STANDINGS, &kept, &found, e);
    standings_text(v->event, v->games, &now);
    if (ok && found) {
        v->report->standings_compared = true;
        if (!v->report->complete)
            add_problem(v, "the store has final standings, but %s", "games of the event are missing");
        else if (strcmp(text_string(&kept), text_string(&now)) != 0)
            add_problem(v, "the standings that were kept do not follow from the games; what follows is:\n%s",
                        text_string(&now));
    }
    text_done(&kept);
    text_done(&now);
    return ok;
}

/* Void games must be games of the event; nothing else can be checked. */
static void check_voids(struct verification *v, struct store *store, struct games *games) {
    struct err reason;
    if (!batch_load_voids(store, &games->voids, &reason))
        add_problem(v, "%s", reason.text);
    v->report->voids = games->voids.count;
    for (int i = 0; v->report->complete && i < games->voids.count; i++)
        if (games->voids.games[i].number >= games->count)
            add_problem(v, "a void game %d is kept, which the schedule does not have",
                        games->voids.games[i].number);
}

static bool load_event(struct store *store, struct event *event, struct err *e) {
    struct text text = {0};
    bool found = false;
    bool ok = store_get(store, STORE_EVENT, &text, &found, e);
    if (ok && !found)
        ok = err_set(e, "the store has no event in it");
    ok = ok && event_read("the store's event", text_string(&text), text.size, event, e);
    text_done(&text);
    return ok;
}

static bool verify(struct verification *v, struct store *store, struct event *event, struct games *games,
                   struct err *e) {
    struct verify_report *out = v->report;
    struct err reason;
    if (!store_check(store, &reason))
        add_problem(v, "%s", reason.text);
    if (!load_event(store, event, e))
        return false;
    if (!tournament_resume(store, event, games, &out->complete, &reason)) {
        add_problem(v, "%s", reason.text);
        v->broken = true; /* which game is to blame may be one before that */
    }
    check_voids(v, store, games);
    const struct store_visit visit = {.game = check_game, .context = v, .texts = true};
    if (!store_visit_games(store, &visit, e))
        return v->stopped ? err_set(e, "stopped after %d game%s", out->games, out->games == 1 ? "" : "s")
                          : false;
    return v->broken || check_standings(v, store, e);
}

bool verify_store(struct store *store, const struct verify_watch *watch, struct event *event,
                  struct games *games, struct verify_report *out, struct err *e) {
    assert(watch->problem != NULL);
    *out = (struct verify_report){0};
    struct verification v = {
        .watch = watch, .event = event, .games = games, .report = out, .failures = mem_failures()};
    const bool ok = verify(&v, store, event, games, e);
    if (!lacks_memory(&v))
        return ok;
    return err_set(e, "there is not enough memory to verify it; of %d games %d problems were found before",
                   out->games, out->problems);
}
