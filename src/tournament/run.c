/* SPDX-License-Identifier: MIT
 *
 * A tournament and its store: opening, resuming, playing, verifying.
 */
#include "store/store.h"
#include "tournament/schedule.h"

#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- the store ---- */

/* Ends a visit at the first game: it tells whether there is one. */
static bool end_visit(void *context, const struct store_game *game, struct err *e) {
    (void)context, (void)game, (void)e;
    return false;
}

/* The sentence for a store without a tournament names the options that make one. */
static bool read_tournament(struct store *store, const char *path, const char *name,
                            struct tournament *tournament, struct err *e) {
    struct text stored = {0};
    bool found = false;
    bool ok = store_get(store, name, &stored, &found, e);
    if (ok && !found)
        ok = store_is_of(store, name, e) &&
             err_set(e, "%s: has no %s make one", path,
                     strcmp(name, STORE_MATCH) == 0 ? "match in it yet; two players"
                                                    : "tournament in it yet; --players and --maps");
    ok = ok && tournament_read(path, text_string(&stored), stored.size, tournament, e);
    text_done(&stored);
    return ok;
}

/* The caller closes the store and frees the tournament; on NULL there is nothing to free. */
struct store *tournament_store_read(const char *path, const char *name, struct tournament *tournament,
                                    struct err *e) {
    struct store *store = store_open(path, STORE_READ, e);
    if (store == NULL || read_tournament(store, path, name, tournament, e))
        return store;
    store_close(store);
    return NULL;
}

/* A store without games is not bound to the tournament in it: that may have been refused before its first
 * game. */
struct store *tournament_store_open(const char *path, const char *name, struct tournament *tournament,
                                    struct err *e) {
    struct store *store = store_open(path, STORE_WRITE, e);
    if (store == NULL)
        return NULL;
    struct text stored = {0}, given = {0};
    bool found = false, ok;
    if (tournament->player_count == 0) {
        ok = read_tournament(store, path, name, tournament, e);
    } else {
        ok = store_get(store, name, &stored, &found, e) && tournament_write(tournament, &given, e);
        const bool same = ok && found && tournament_compare(text_string(&stored), text_string(&given), e);
        if (ok && !found)
            ok = store_is_of(store, name, e);
        else if (ok && !same && !store_visit_games(store, &(struct store_visit){.game = end_visit}, NULL))
            ok = err_prefix(e, "%s was begun with other arguments: ", path);
        if (ok && !same)
            ok = store_put(store, name, text_string(&given), e);
    }
    text_done(&stored);
    text_done(&given);
    if (!ok)
        store_close(store);
    return ok ? store : NULL;
}

bool match_stop_read(struct store *store, const char *path, struct match_stop *out, struct err *e) {
    struct text text = {0};
    json_int_t games = 0;
    const char *test = NULL;
    bool found;
    *out = (struct match_stop){0};
    bool ok = store_get(store, STORE_MATCH_END, &text, &found, e);
    json_t *end = ok ? json_loads(text_string(&text), 0, NULL) : NULL;
    if (ok && (json_unpack(end, "{sI s?s sF sF}", "games", &games, "sprt", &test, "alpha", &out->test.alpha,
                           "beta", &out->test.beta) != 0 ||
               games < 1 || games > MATCH_GAMES_MAX))
        ok = err_set(e, "%s: its number of games cannot be read", path);
    ok = ok && (test == NULL || (sprt_read(test, &out->test, e) && sprt_check(&out->test, e)));
    out->games = (int)games;
    out->has_test = test != NULL;
    json_decref(end);
    text_done(&text);
    return ok;
}

/* Written once the tournament is over. A store without it is one of a tournament that goes on. */
bool tournament_store_standings(struct store *store, const struct tournament *tournament,
                                const struct games *games, struct err *e) {
    struct text text = {0};
    standings_text(tournament, games, &text);
    const bool ok = store == NULL || store_put(store, STORE_STANDINGS, text_string(&text), e);
    text_done(&text);
    return ok;
}

/* ---- playing ---- */

/* A run and how far it is. */
struct run_state {
    const struct tournament_run *run;
    struct games *games; /* NULL on the ranks beside 0 */
    struct batch *batch;
    struct scenario **scenarios;
};

/* The number of the game is enough for callers: they have the games. */
static bool report_game(void *context, const struct batch_result *result, struct err *e) {
    const struct run_state *s = context;
    (void)e;
    if (s->run->on_game != NULL)
        s->run->on_game(s->run->batch.context, s->games, result->game->number, result->resumed);
    return true;
}

/* Adapts the callback's context: the batch has ours, the caller's function its own. */
static void watch_game(void *context, const struct scheduled_game *game, const void *state,
                       const struct record *record) {
    const struct run_state *s = context;
    s->run->batch.watch(s->run->batch.context, game, state, record);
}

/* The reason of a failure names the game, so that it can be played alone. */
static bool blame_game(void *context, const struct scheduled_game *f, struct err *e) {
    const struct tournament *tournament = ((const struct run_state *)context)->run->tournament;
    return err_prefix(e, "game %d, %s against %s on %s: ", f->number, tournament->players[f->players[0]].name,
                      tournament->players[f->players[1]].name, tournament->maps[f->map].name);
}

/* The next round, with the results that the store (NULL: none) has. The list is empty when the tournament is
 * over. *beyond is the number of stored games behind it. */
static bool next_round(const struct tournament *tournament, struct games *games, struct store *store,
                       struct batch_list *out, int *beyond, struct err *e) {
    const int first = games->count;
    bool more;
    *beyond = 0;
    if (!tournament_next_batch(tournament, games, &more, e))
        return false;
    *out = (struct batch_list){.count = games->count - first,
                               .games = games->scheduled + first,
                               .outcomes = games->outcomes + first};
    assert(more == (out->count > 0));
    return store == NULL || batch_resume(store, out, first, beyond, e);
}

/* Reads without playing: for lists of games, and for verifying a store. */
bool tournament_resume(struct store *store, const struct tournament *tournament, struct games *games,
                       bool *complete, struct err *e) {
    struct batch_list list;
    int beyond;
    do {
        if (!next_round(tournament, games, store, &list, &beyond, e))
            return false;
        *complete = list.count == 0;
    } while (!*complete && batch_is_whole(list.outcomes, 0, list.count));
    return true;
}

/* Schedules, plays and stores all rounds: for rank 0, or without a cluster. Stored games that the schedule
 * does not have are found at the end only: until then they may belong to later rounds. */
static bool coordinate(struct run_state *s, bool *complete, struct err *e) {
    const struct tournament_run *run = s->run;
    struct batch_list next;
    int beyond;
    if (run->batch.store != NULL && !batch_load_voids(run->batch.store, &s->games->voids, e))
        return false;
    for (bool over = false; !over && !budget_is_stopped(run->batch.stop);) {
        if (!next_round(run->tournament, s->games, run->batch.store, &next, &beyond, e))
            return false;
        over = next.count == 0;
        const bool is_end = over || (run->batch.stored_only && !batch_is_whole(next.outcomes, 0, next.count));
        if (is_end && beyond > 0)
            return err_set(e, "the store has %d games that the tournament does not have", beyond);
        *complete = over;
        next.scenarios = s->scenarios;
        if (!over && !batch_play(s->batch, &next, e))
            return false;
        if (!batch_is_whole(next.outcomes, 0, next.count))
            break; /* stopped */
    }
    return true;
}

/* Players have no role in messages here: blame_game names them. */
bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e) {
    const struct tournament *tournament = run->tournament;
    const bool is_coordinator = run->batch.cluster == NULL || cluster_rank(run->batch.cluster) == 0;
    struct run_state s = {.run = run, .games = is_coordinator ? games : NULL};
    struct batch_player *players = mem_alloc((size_t)tournament->player_count * sizeof *players);
    s.scenarios = mem_alloc((size_t)tournament->map_count * sizeof *s.scenarios);
    for (int i = 0; i < tournament->player_count; i++)
        players[i] = (struct batch_player){tournament->players[i].name, tournament->players[i].spec, NULL};
    for (int i = 0; i < tournament->map_count; i++)
        s.scenarios[i] = tournament->maps[i].scenario;
    struct batch_setup setup = run->batch;
    setup.players = players;
    setup.player_count = tournament->player_count;
    setup.timing = &tournament->rules.timing;
    setup.records = setup.store != NULL || setup.cluster != NULL;
    setup.watch = setup.watch != NULL ? watch_game : NULL;
    setup.on_game = report_game;
    setup.voids = &games->voids;
    setup.blame = blame_game;
    setup.scenarios = s.scenarios;
    setup.context = &s;
    s.batch = batch_open(&setup);
    *complete = false;
    struct err ignored;
    bool ok = is_coordinator ? coordinate(&s, complete, e) : batch_work(s.batch, e);
    ok = batch_close(s.batch, ok ? e : &ignored) && ok;
    mem_free(players);
    mem_free(s.scenarios);
    return ok;
}

/* Opening all players before the first game finds a misspelt option at once and not after hours. */
bool tournament_check(const struct tournament *tournament, const struct grant *grant, struct err *e) {
    for (int map = 0; map < tournament->map_count; map++) {
        const struct game *game = tournament->maps[map].scenario->game;
        int first = 0; /* map with this table: the others need no second try */
        while (tournament->maps[first].scenario->game != game)
            first++;
        for (int i = 0; first == map && i < tournament->player_count; i++) {
            struct player *player = player_open_granted(tournament->players[i].spec, game, grant, e);
            if (player == NULL)
                return err_prefix(e, "%s on %s: ", tournament->players[i].name, tournament->maps[map].name);
            player_close(player);
        }
    }
    return true;
}

/* ---- verifying ---- */

/* Problems are reported as they are found, and do not end the verification. */
struct verification {
    const struct verify_watch *watch;
    const struct tournament *tournament;
    const struct games *games;
    struct verify_report *report;
    bool stopped;
    long failures; /* of memory, before it began */
    bool broken;   /* the games contradict the schedule, so its continuation is unknown */
};

/* Problems that a lack of memory causes are not the store's. */
static bool lacks_memory(const struct verification *v) {
    return mem_failures() != v->failures;
}

__attribute__((format(printf, 2, 3))) static void add_problem(struct verification *v, const char *format,
                                                              ...) {
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

/* Does the result follow from the actions, or from the ruling? The actions were executed by the reader. */
static bool check_result(const struct record *record, const struct store_game *g, const struct replay *replay,
                         struct err *e) {
    const struct game *game = replay->scenario->game;
    const struct outcome *o = &g->outcome;
    const int mover = game->mover(replay->state);
    char ruled[64];
    if (o->forfeiter == NOBODY) {
        const char *result = game->text->result(replay->state);
        if (mover != NOBODY)
            return err_set(e, "its record stops before the end");
        if (strcmp(result, o->result) != 0 || strcmp(result, record->result) != 0)
            return err_set(e, "its actions end with '%s', the store says '%s'", result, o->result);
        const double payoff = game->payoff(replay->state, 0);
        return (payoff > o->payoff - 1e-9 && payoff < o->payoff + 1e-9) ||
               err_set(e, "'%s' is %g for the first side, the store says %g", result, payoff, o->payoff);
    }
    if (o->fault <= PLAYER_FAULT_NONE || o->fault >= PLAYER_FAULTS)
        return err_set(e, "fault %d is none that is known", o->fault);
    snprintf(ruled, sizeof ruled, "%s %s", game->text->side_names[o->forfeiter ^ 1],
             player_fault_names[o->fault]);
    if (strcmp(ruled, o->result) != 0 || strcmp(ruled, record->result) != 0)
        return err_set(e, "it was ruled '%s', the store says '%s'", ruled, o->result);
    if (mover != o->forfeiter)
        return err_set(e, "the side that forfeited was not to move");
    return o->payoff == (o->forfeiter == 0 ? 0.0 : 1.0) || err_set(e, "who forfeited did not lose");
}

/* The record must be that of the scheduled game: its players, its map or game, its seeds. */
static bool check_record(const struct verification *v, const struct store_game *g,
                         const struct record *record, struct err *e) {
    const struct scheduled_game *f = &v->games->scheduled[g->number];
    const struct outcome *o = &g->outcome;
    const struct tournament_map *map = &v->tournament->maps[f->map];
    for (int side = 0; side < 2; side++) {
        const char *given = record->players[side], *wanted = v->tournament->players[f->players[side]].name;
        if (strcmp(given, wanted) != 0)
            return err_set(e, "its record names %s where the schedule has %s", given, wanted);
    }
    struct record expected;
    record_init(&expected);
    record_describe(&expected, map->scenario, (const char *const[2]){"", ""});
    const bool same = strcmp(text_string(&expected.map), text_string(&record->map)) == 0 &&
                      strcmp(expected.rules, record->rules) == 0 &&
                      strcmp(expected.game, record->game) == 0 &&
                      strcmp(text_string(&expected.options), text_string(&record->options)) == 0;
    record_done(&expected);
    if (!same)
        return err_set(e, "its record was played on another %s than %s",
                       tournament_takes_maps(&v->tournament->rules) ? "map" : "game", map->name);
    if (record->deal != f->deal)
        return err_set(e, "its record has another deal");
    if (record->seed != f->seed)
        return err_set(e, "its record has another seed");
    if (record->count != o->actions)
        return err_set(e, "its record has %d actions, the store says %d", record->count, o->actions);
    struct replay replay;
    if (!replay_to(&replay, record, map->scenario, record->count, e))
        return false;
    const int turns = replay.scenario->game->turn(replay.state);
    if (turns != o->turns)
        return err_set(e, "it took %d turns, the store says %d", turns, o->turns);
    if ((o->forfeiter != NOBODY) != (g->fault_report != NULL))
        return err_set(e, g->fault_report != NULL ? "it has a fault report without a fault"
                                                  : "its fault has no report");
    return check_result(record, g, &replay, e);
}

/* A problem does not end the visit: all games are checked, so that a user sees everything at once. */
static bool check_game(void *context, const struct store_game *g, struct err *e) {
    struct verification *v = context;
    struct record record;
    struct err reason = {{0}};
    (void)e;
    v->report->games++;
    record_init(&record);
    if (g->number >= v->games->count && !v->broken)
        add_problem(v, "game %d: %s", g->number,
                    v->report->complete ? "the schedule has no such game"
                                        : "games before it are missing that the schedule depends on");
    else if (g->number < v->games->count && g->record == NULL)
        add_problem(v, "game %d: it has no record", g->number);
    else if (g->number < v->games->count &&
             (!record_read_json("its record", g->record, strlen(g->record), &record, &reason) ||
              !check_record(v, g, &record, &reason)))
        add_problem(v, "game %d: %s", g->number, reason.text);
    record_done(&record);
    v->stopped = v->watch->progress != NULL && !v->watch->progress(v->watch->context, v->report->games);
    return !v->stopped && !lacks_memory(v);
}

/* All games of a match follow from their number; a sequential test may have ended it before the last. */
static bool resume_match(struct store *store, const struct tournament *tournament, struct games *games,
                         bool *complete, struct err *e) {
    struct scenario *scenarios[MATCH_MAPS_MAX];
    struct match match = {
        .scenarios = scenarios, .seed = tournament->seed, .one_sided = !tournament->rules.both_sides};
    struct match_stop end;
    int capacity = 0, beyond;
    if (!match_stop_read(store, "", &end, e) || end.games > TOURNAMENT_GAMES_MAX ||
        tournament->player_count != 2 || tournament->map_count > MATCH_MAPS_MAX)
        return err_set(e, "is no match of two players with 1 to %d games", TOURNAMENT_GAMES_MAX);
    for (; match.map_count < tournament->map_count; match.map_count++)
        scenarios[match.map_count] = tournament->maps[match.map_count].scenario;
    games->outcomes = mem_grow(games->outcomes, &capacity, end.games, sizeof *games->outcomes);
    games->scheduled = mem_grow(games->scheduled, &games->capacity, end.games, sizeof *games->scheduled);
    games->count = end.games;
    match_schedule(&match, 0, end.games, games->scheduled, games->outcomes);
    const struct batch_list list = {
        .count = end.games, .games = games->scheduled, .outcomes = games->outcomes};
    const bool ok = batch_resume(store, &list, 0, &beyond, e);
    *complete = ok && batch_is_whole(list.outcomes, 0, end.games);
    return ok;
}

/* First the file, then the tournament, then what follows from it: each step relies on the ones before. */
static bool verify(struct verification *v, struct store *store, struct tournament *tournament,
                   struct games *games, struct err *e) {
    struct verify_report *out = v->report;
    struct text stored = {0}, now = {0};
    struct err reason;
    bool found = false;
    if (!store_check(store, &reason))
        add_problem(v, "%s", reason.text);
    bool ok = store_get(store, STORE_TOURNAMENT, &stored, &found, e);
    out->is_match = ok && !found;
    ok = ok && (found || store_get(store, STORE_MATCH, &stored, &found, e)) &&
         (found || err_set(e, "the store has no tournament in it")) &&
         tournament_read("the store's tournament", text_string(&stored), stored.size, tournament, e);
    text_done(&stored);
    if (!ok)
        return false;
    if (!(out->is_match ? resume_match : tournament_resume)(store, tournament, games, &out->complete,
                                                            &reason)) {
        add_problem(v, "%s", reason.text);
        v->broken = true; /* which game is to blame may be one before that */
    }
    if (!batch_load_voids(store, &games->voids, &reason))
        add_problem(v, "%s", reason.text);
    out->voids = games->voids.count;
    /* Void games must be games of the tournament; nothing else can be checked. */
    for (int i = 0; out->complete && i < games->voids.count; i++)
        if (games->voids.games[i].number >= games->count)
            add_problem(v, "a void game %d is kept, which the schedule does not have",
                        games->voids.games[i].number);
    const struct store_visit visit = {.game = check_game, .context = v, .texts = true};
    if (!store_visit_games(store, &visit, e))
        return v->stopped && err_set(e, "stopped after %d game%s", out->games, out->games == 1 ? "" : "s");
    if (v->broken)
        return true;
    const bool read = store_get(store, STORE_STANDINGS, &stored, &found, e);
    standings_text(tournament, games, &now);
    out->standings_compared = read && found;
    if (out->standings_compared && !out->complete)
        add_problem(v, "the store has final standings, but games of the tournament are missing");
    else if (out->standings_compared && strcmp(text_string(&stored), text_string(&now)) != 0)
        add_problem(v, "the stored standings do not follow from the games; what follows is:\n%s",
                    text_string(&now));
    text_done(&stored);
    text_done(&now);
    return read;
}

/* A lack of memory may look like any problem, so nothing that was found after it can be trusted. */
bool verify_store(struct store *store, const struct verify_watch *watch, struct tournament *tournament,
                  struct games *games, struct verify_report *out, struct err *e) {
    assert(watch->problem != NULL);
    *out = (struct verify_report){0};
    struct verification v = {
        .watch = watch, .tournament = tournament, .games = games, .report = out, .failures = mem_failures()};
    const bool ok = verify(&v, store, tournament, games, e);
    if (!lacks_memory(&v))
        return ok;
    return err_set(e, "there is not enough memory to verify it; of %d games %d problems were found before",
                   out->games, out->problems);
}
