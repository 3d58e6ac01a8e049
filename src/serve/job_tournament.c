/* SPDX-License-Identifier: MIT
 *
 * Matches and tournaments as jobs: a match is a tournament of two entrants. The params of a request become a
 * tournament; its games are listed and their boards are shown while they are played.
 */
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "match/statistics.h"
#include "serve/inside.h"
#include "store/store.h"
#include "tournament/tournament.h"
#include "tournament/report.h"
#include "tournament/schedule.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum {
    JOB_PLAYERS_MAX = 64,
    JOB_MAPS_MAX = 64,
    JOB_GAMES_MAX = 100000, /* of a tournament, as far as they can be counted before it begins */
};

/* ---- params ---- */

/* The members of a request beside the rules. */
struct tournament_request {
    const json_t *players, *maps;
    const char *preset;
    uint64_t seed;
};

#define AT(field) offsetof(struct tournament_request, field)

static const struct param request_params[] = {
    {"players", PARAM_JSON, AT(players), .help = "specs, or objects with spec, name and author"},
    {"maps", PARAM_TEXTS, AT(maps), .high = JOB_MAPS_MAX, .help = "names of maps"},
    {TOURNAMENT_PRESET_ROW(AT(preset))},
    {PARAM_SEED_ROW(AT(seed))},
    {0},
};

/* A match counts all its games; a tournament those of a pairing and map. */
static const struct param match_games[] = {{MATCH_GAMES_ROW(offsetof(struct tournament_rules, games))}, {0}};

/* A player is a spec, or an object with one. They go through the reader of entries that files have, so that
 * the same is right and wrong. */
static bool add_players(struct workbench *bench, const json_t *players, struct tournament *tournament,
                        struct message_out *out) {
    struct err *e = &out->why;
    if (!json_is_array(players) || json_array_size(players) > JOB_PLAYERS_MAX)
        return message_fail_code(out, 400, "players", "refused.players",
                                 "\"players\": expected a list of 2 to %d players", JOB_PLAYERS_MAX);
    json_t *list = json_array();
    bool ok = true;
    for (size_t i = 0; ok && i < json_array_size(players); i++) {
        json_t *entry = json_array_get(players, i);
        const char *spec = json_string_value(json_is_object(entry) ? json_object_get(entry, "spec") : entry);
        if (json_is_object(entry) && !serve_knows(entry, "spec name author", out))
            ok = false;
        else if (spec == NULL)
            ok = message_fail(out, 400, "players",
                              "a player is its spec as text, or an object with a \"spec\"");
        else
            ok = serve_check_player(bench, spec, NULL, e) || err_field(e, "players");
        json_array_append_new(list, json_is_object(entry) ? json_deep_copy(entry)
                                                          : json_pack("{ss*}", "spec", spec));
    }
    char *text = serve_dump(list, 0);
    ok = ok && (json_array_size(players) == 0 ||
                entrants_read("players", text, strlen(text), tournament, e) || err_field(e, "players"));
    mem_free(text);
    return ok && (tournament_check_players(tournament, e) || err_field(e, "players"));
}

static bool is_too_long(double games, struct message_out *failure) {
    return games > JOB_GAMES_MAX &&
           !message_fail_code(failure, 400, "games", "refused.games", "about %.0f games; expected %d at most",
                              games, JOB_GAMES_MAX);
}

/* Reads the request into a tournament. The first table that has a member reads it. */
static bool read_tournament_request(const struct job *job, struct tournament *tournament,
                                    struct message_out *failure) {
    struct workbench *bench = job->jobs->bench;
    struct tournament_request request;
    struct tournament_rules *rules = &tournament->rules;
    struct params sections[4] = {{0}};
    const char *preset = json_string_value(json_object_get(job->params, "preset"));
    struct err *e = &failure->why;
    *tournament = (struct tournament){.owns_scenarios = true};
    tournament_rules_default(rules);
    for (int i = 2; i >= 0; i--) {
        sections[i].table = job->kind->params[i];
        sections[i].options = i == 0 ? (void *)&request : rules;
        params_default(sections[i].table, sections[i].options);
    }
    bool ok = (preset == NULL || tournament_rules_preset(preset, rules, e) || err_field(e, "preset")) &&
              params_read_json(sections, job->params, e) && !is_too_long(rules->games, failure) &&
              ((rules->rule_set[0] == '\0' && request_member(job->params, "rules") == NULL) ||
               tbs_read_rules(rules->rule_set, e) != NULL || err_field(e, "rules")) &&
              tournament_rules_check(rules, e);
    tournament->seed = request.seed;
    if (!ok || !add_players(bench, request.players, tournament, failure))
        return false;
    const json_t *names = request.maps;
    if (!tournament_takes_maps(rules))
        return names == NULL ? tournament_add_map(tournament, rules->game, NULL, e) || err_field(e, "game")
                             : message_fail_code(failure, 400, "maps", "refused.game_maps",
                                                 "\"%s\" does not go with %s, which is played without maps",
                                                 "maps", rules->game);
    for (size_t i = 0; ok && i < (names != NULL ? json_array_size(names) : 1); i++) {
        const char *name = names != NULL ? json_string_value(json_array_get(names, i)) : "standard";
        struct text text = {0};
        ok = serve_read_map(bench, name, &text, failure);
        const struct game_source source = {.name = name, .text = text_string(&text), .size = text.size};
        ok = ok && (tournament_add_map(tournament, name, &source, e) || err_field(e, "maps"));
        text_done(&text);
    }
    return ok;
}

/* Opens every player, which checks that it can play this; starts no program. The number of games is estimated
 * before anything is scheduled, since the schedule is held in memory. */
static json_t *make_work(struct job *job, const struct tournament *tournament, const char *between,
                         struct message_out *failure) {
    const double players = tournament->player_count;
    const int drawn = tournament->rules.maps_per_pairing, rounds = tournament->rules.rounds;
    const int maps = drawn > 0 && drawn < tournament->map_count ? drawn : tournament->map_count;
    const double pairings = tournament->rules.format != TOURNAMENT_SWISS /* of the main stage, or more */
                                ? players * (players - 1) / 2
                                : players / 2 * (rounds > 0 ? rounds : 8);
    const double games = pairings * maps * tournament->rules.games;
    struct text text = {0}, title = {0};
    struct games none;
    json_t *work = NULL;
    const bool fits = !is_too_long(games, failure);
    if (fits && !tournament_check(tournament, serve_grant(job->jobs->bench), &failure->why))
        err_field(&failure->why, "players");
    else if (fits && !tournament_write(tournament, &text, &failure->why))
        message_fail_err(failure, 500, NULL, &failure->why);
    else if (fits)
        work = json_pack("{ss}", "event", text_string(&text));
    games_init(&none);
    job->progress.total = work != NULL ? tournament_games_expected(tournament, &none) : -1;
    text_add_string(&title, tournament->rules.title);
    for (int i = 0; tournament->rules.title[0] == '\0' && i < tournament->player_count; i++)
        text_add(&title, "%s%s", i > 0 ? between : "", tournament->players[i].name);
    charset_copy(job->title, sizeof job->title, text_string(&title), title.size);
    text_done(&title);
    text_done(&text);
    return work;
}

/* ---- the list of games ---- */

/* Read and changed with the workbench's lock held; the tournament is constant. The games are a copy of those
 * of the job's thread, which it changes without the lock. */
struct job_games {
    struct tournament tournament;
    struct games games;
};

/* Adds the games that were scheduled since the last call. A list that was read from the folder has those of
 * an earlier run already, while the thread finds them one after another. */
static void add_scheduled(struct games *to, const struct games *from) {
    if (from->count <= to->count)
        return;
    to->scheduled = mem_resize(to->scheduled, (size_t)from->count * sizeof *to->scheduled);
    to->outcomes = mem_resize(to->outcomes, (size_t)from->count * sizeof *to->outcomes);
    to->capacity = from->count;
    for (; to->count < from->count; to->count++) {
        to->scheduled[to->count] = from->scheduled[to->count];
        to->outcomes[to->count] = from->outcomes[to->count];
    }
}

/* NULL: nothing was played yet. */
static struct store *open_store(const struct job *job) {
    char path[SERVE_PATH_MAX];
    const bool is_there = job_path(job, "games.db", path, NULL) && file_exists(path);
    return is_there ? store_open(path, STORE_READ, NULL) : NULL;
}

/* From the folder. */
static struct job_games *open_games(const struct job *job, struct err *e) {
    struct job_games *list = mem_alloc(sizeof *list);
    struct store *store = open_store(job);
    bool complete;
    json_t *work = job_read_work(job, e);
    const char *text = json_string_value(json_object_get(work, "event"));
    bool ok = text != NULL ? tournament_read("the job's tournament", text, strlen(text), &list->tournament, e)
                           : work != NULL && err_set(e, "job %s has no tournament", job->id);
    ok = ok && tournament_resume(store, &list->tournament, &list->games, &complete, e);
    store_close(store);
    json_decref(work);
    if (ok)
        return list;
    job_games_close(list);
    return NULL;
}

/* The job's list of games, with the lock held. The first call reads it from the folder: finished games are in
 * the store, and the schedule of the others follows from them. NULL and a reason. */
static struct job_games *games_of(struct job *job, struct err *e) {
    assert(workbench_is_locked(job->jobs->bench));
    assert(job->kind->has_games);
    if (job->games == NULL)
        job->games = open_games(job, e);
    return job->games;
}

void job_games_close(struct job_games *list) {
    if (list == NULL)
        return;
    tournament_done(&list->tournament);
    games_done(&list->games);
    mem_free(list);
}

/* ---- requests about games ---- */

enum { ROWS_DEFAULT = 100, ROWS_MAX = 1000 };

/* *out keeps its value when the query does not have it. A wrong value is refused: a page that asked for other
 * rows than it gets would show them in the wrong place. */
static bool query_int(const struct message_in *in, const char *name, int low, int high, int *out,
                      struct message_out *failure) {
    const char *text = message_query(in, name);
    long number = *out;
    if (text == NULL || (text_to_int(text, &number) && number >= low && number <= high)) {
        *out = (int)number;
        return true;
    }
    return message_fail_code(failure, 400, name, "json.int", "\"%s\": expected a whole number from %d to %d",
                             name, low, high);
}

/* 404 for a kind of job without games. */
static bool has_games(const struct call *call, struct message_out *out) {
    const struct job_kind *kind = call->job->kind;
    return kind->has_games ||
           message_fail(out, 404, NULL, "a job of the kind %s has no games to look at", kind->name);
}

/* A part of the list of games, chosen by "from" and "count" in the query. */
bool job_get_games(const struct call *call, struct message_out *out) {
    int from = 0, count = ROWS_DEFAULT;
    if (!has_games(call, out) || !query_int(call->in, "from", 0, TOURNAMENT_GAMES_MAX, &from, out) ||
        !query_int(call->in, "count", 1, ROWS_MAX, &count, out))
        return false;
    const struct job_games *list = games_of(call->job, &out->why);
    if (list == NULL)
        return message_fail_err(out, 500, NULL, &out->why);
    json_t *rows = json_array();
    for (int i = from; i < list->games.count && i - from < count; i++) {
        const struct scheduled_game *f = &list->games.scheduled[i];
        const struct outcome *o = &list->games.outcomes[i];
        const struct entrant *players = list->tournament.players;
        json_array_append_new(rows,
                              json_pack("{si s[ss] ss ss so si si ss}", "number", f->number, "players",
                                        players[f->players[0]].name, players[f->players[1]].name, "map",
                                        list->tournament.maps[f->map].name, "result", o->result, "payoff",
                                        o->played ? json_real(o->payoff) : json_null(), "actions", o->actions,
                                        "round", f->round, "stage", tournament_stage_names[f->stage]));
    }
    return message_json(out, 200, rows);
}

/* The game as a record, for which the caller calls record_done; false after a 404. */
static bool load_game(const struct call *call, long *number, struct record *record, struct message_out *out) {
    if (!has_games(call, out))
        return false;
    struct store *store = open_store(call->job);
    record_init(record);
    const bool ok = store != NULL && text_to_int(call->parts[1], number) && *number >= 0 &&
                    *number < TOURNAMENT_GAMES_MAX &&
                    batch_load_record(store, (int)*number, record, NULL, &out->why);
    store_close(store);
    if (ok)
        return true;
    record_done(record);
    return message_fail_code(out, 404, NULL, "refused.no_game", "there is no game '%.20s' that is over",
                             call->parts[1]);
}

/* A record contains the map's text; only the tournament has its name. */
bool job_get_game(const struct call *call, struct message_out *out) {
    struct record record;
    long number;
    if (!load_game(call, &number, &record, out))
        return false;
    const struct job_games *list = games_of(call->job, &out->why);
    const char *map = list != NULL && number < list->games.count
                          ? list->tournament.maps[list->games.scheduled[number].map].name
                          : NULL;
    return live_games_show_record(call->bench, &record, call->parts[1], map, out);
}

/* The record as a file; 404 for a game that is not over. */
bool job_get_record(const struct call *call, struct message_out *out) {
    struct record record;
    long number;
    if (!load_game(call, &number, &record, out))
        return false;
    const bool ok = record_write_json(&record, &out->body, &out->why);
    record_done(&record);
    snprintf(out->file_name, sizeof out->file_name, "game-%.20s.json", call->parts[1]);
    return ok ? serve_done(out, 200) : message_fail_err(out, 500, NULL, &out->why);
}

/* ---- boards of games that are played ---- */

/* A game that readers of the job can watch. A board belongs to the thread that plays its game. */
enum { NO_GAME = -1 };

struct job_board {
    int game; /* NO_GAME: free */
    int64_t published_ns;
    json_t *shown; /* the last published tournament, owned; NULL: none yet */
};

/* A match or tournament while it is played. */
struct tournament_job {
    struct job_run *run;
    struct job_games *list;
    struct tournament *tournament; /* the list's */
    struct tournament_table table;
    char date[JOB_DATE_MAX];
    int played, resumed; /* games; resumed: found in the store, of those played */

    /* Games are played on several threads at once: a lock of its own guards the list of boards. */
    pthread_mutex_t lock;
    struct job_board *boards; /* one a core */
    int64_t begun_ns;         /* when a new board was last published */
    atomic_llong asked_ns;    /* when has_listeners was last updated; not guarded */
    atomic_bool has_listeners;
};

/* Interval between two states of one board, and between the first states of two boards. Games may take
 * milliseconds, and a state of a large map is long: readers get a picture, not every action. */
#define BOARD_INTERVAL_NS     INT64_C(250000000)
#define NEW_BOARD_INTERVAL_NS INT64_C(100000000)

/* Fast players act millions of times a second: readers are counted only this often. */
#define READERS_INTERVAL_NS INT64_C(100000000)

/* The job's topic, held; NULL: it has no readers. */
static struct topic *find_listeners(const struct job_run *run) {
    workbench_lock(run->bench);
    struct topic *topic = run->job->topic;
    topic = topic != NULL && topic_readers(topic) > 0 ? topic_hold(topic) : NULL;
    workbench_unlock(run->bench);
    return topic;
}

/* Is a board worth making? This is asked after every action, so the answer may be READERS_INTERVAL_NS old. */
static bool has_listeners(struct tournament_job *r) {
    const int64_t now = clock_now_ns(r->run->bench->setup.clock);
    if (now - atomic_load(&r->asked_ns) >= READERS_INTERVAL_NS) {
        atomic_store(&r->asked_ns, now);
        struct topic *topic = find_listeners(r->run);
        atomic_store(&r->has_listeners, topic != NULL);
        topic_drop(topic);
    }
    return atomic_load(&r->has_listeners);
}

/* Replaces the last event of this game's board. */
static void publish_board(const struct tournament_job *r, const struct job_board *board) {
    struct topic *topic = find_listeners(r->run);
    if (topic == NULL)
        return;
    char *dump = serve_dump(json_incref(board->shown), 0);
    topic_set(topic, "board", (uint64_t)board->game, dump);
    mem_free(dump);
    topic_drop(topic);
}

/* That of the game; NO_GAME: a free one. NULL: there is none. With the lock of the boards. */
static struct job_board *find_board(const struct tournament_job *r, int game) {
    for (int i = 0; i < r->run->bench->setup.cores; i++)
        if (r->boards[i].game == game)
            return &r->boards[i];
    return NULL;
}

/* Called after every action of every game, on the thread that plays it. Every tournament contains the map,
 * for readers who join in the middle of a game. The first board of a game waits for its turn among those of
 * others, so that a match of short games does not send one for each of them. */
static void watch(void *context, const struct scheduled_game *f, const void *state,
                  const struct record *record) {
    struct tournament_job *r = context;
    const struct entrant *players = r->tournament->players;
    const struct tournament_map *map = &r->tournament->maps[f->map];
    const bool is_over = map->scenario->game->mover(state) == NOBODY;
    if (!has_listeners(r))
        return;
    const int64_t now = clock_now_ns(r->run->bench->setup.clock);
    pthread_mutex_lock(&r->lock);
    struct job_board *board = find_board(r, f->number);
    if (board != NULL) {
        board = is_over || now - board->published_ns >= BOARD_INTERVAL_NS ? board : NULL;
    } else if (now - r->begun_ns >= NEW_BOARD_INTERVAL_NS) {
        board = find_board(r, NO_GAME);
        r->begun_ns = board != NULL ? now : r->begun_ns;
    }
    if (board != NULL) {
        board->game = f->number;
        board->published_ns = now;
    }
    pthread_mutex_unlock(&r->lock);
    if (board == NULL)
        return;
    json_decref(board->shown);
    board->shown = json_pack("{si s[ss] ss so si so sb}", "game", f->number, "players",
                             players[f->players[0]].name, players[f->players[1]].name, "map", map->name,
                             "board", json_view_map(map->scenario), "ply", record->count, "state",
                             json_view_state(map->scenario, state, JSON_VIEWER_ALL), "over", is_over);
    publish_board(r, board);
}

/* Frees the board of a game that is over. A forfeit has no last state: the last published one is marked. */
static void close_board(struct tournament_job *r, int game) {
    pthread_mutex_lock(&r->lock);
    struct job_board *board = find_board(r, game);
    pthread_mutex_unlock(&r->lock);
    if (board == NULL)
        return;
    if (json_is_false(json_object_get(board->shown, "over"))) {
        json_object_set_new(board->shown, "over", json_true());
        publish_board(r, board);
    }
    pthread_mutex_lock(&r->lock);
    json_decref(board->shown);
    *board = (struct job_board){.game = NO_GAME};
    pthread_mutex_unlock(&r->lock);
}

/* ---- the result ---- */

/* Were this game and the next one both played, as a pair? The games of a pair are neighbours. */
static bool is_pair(const struct games *games, int first) {
    const struct scheduled_game *f = games->scheduled;
    return first >= 0 && first + 1 < games->count && f[first].pair >= 0 &&
           f[first].pair == f[first + 1].pair && games->outcomes[first].played &&
           games->outcomes[first + 1].played;
}

/* The numbers of `senjutsu match`, from the games of a tournament of two. From its first player's side. A
 * game whose partner was not played counts as a single one. Elo counts results, not payoffs. */
static json_t *match_json(const struct tournament *tournament, const struct games *games) {
    struct tally total = {0}, as_side[2] = {{0}, {0}};
    struct pairs pairs = {0};
    double before = 0; /* points of the game before */
    for (int i = 0; i < games->count; i++) {
        if (!games->outcomes[i].played)
            continue;
        const bool is_first = games->scheduled[i].players[0] == 0;
        const double payoff = is_first ? games->outcomes[i].payoff : 1 - games->outcomes[i].payoff;
        const double points = payoff > 0.5 ? 1 : payoff < 0.5 ? 0 : 0.5;
        tally_add(&total, payoff);
        tally_add(&as_side[!is_first], payoff);
        if (is_pair(games, i - 1))
            pairs_add(&pairs, before, points);
        else if (!is_pair(games, i))
            pairs_add_single(&pairs, points);
        before = points;
    }
    return serve_join(statistics_tally_json(&total),
                      json_pack("{s[ss] si si so so so so}", "players", tournament->players[0].name,
                                tournament->players[1].name, "games", tally_games(&total), "games_wanted",
                                tournament_games_expected(tournament, games), "elo",
                                statistics_elo_json(&pairs), "pairs", statistics_pairs_json(&pairs),
                                "as_first", statistics_tally_json(&as_side[0]), "as_second",
                                statistics_tally_json(&as_side[1])));
}

/* `at` is the game that was played last; NULL: all were. */
static void report_step(struct tournament_job *r, const struct games *games,
                        const struct scheduled_game *at) {
    struct job_note note = {0};
    const enum tournament_format format = r->tournament->rules.format;
    if (at != NULL && at->stage != STAGE_MAIN)
        msg_set(&note.msg, note.text, sizeof note.text,
                at->stage == STAGE_FINAL ? "stage.final" : "stage.play-off", "%s",
                tournament_stage_names[at->stage]);
    else if (at != NULL && (format == TOURNAMENT_SWISS || format == TOURNAMENT_KNOCK_OUT))
        msg_set(&note.msg, note.text, sizeof note.text, "stage.round", "round %d", at->round + 1);
    job_report_progress(r->run, r->played, tournament_games_expected(r->tournament, games),
                        r->played - r->resumed, &note);
}

static void make_report(struct tournament_job *r, const struct games *games, bool complete,
                        struct report *out) {
    *out = (struct report){
        .games_played = r->played,
        .games_untimed = r->resumed,
        .seconds = clock_seconds_since(r->run->bench->setup.clock, r->run->start_ns),
        .date = r->date,
        .complete = complete,
    };
    tournament_table_report(&r->table, games, out);
}

/* The result of a match is that of a tournament with one more member. */
static void publish_report(struct tournament_job *r, const struct report *report) {
    json_t *result = report_json_value(report);
    json_object_set_new(result, "columns", report_columns_json(report));
    if (r->run->job->kind == &job_match)
        json_object_set_new(result, "match", match_json(r->tournament, report->games));
    job_publish_result(r->run, result);
}

/* Called for each game that is over, also for those found in the store (`resumed`): one call at a time, on
 * any thread. The list gets its rows here, while requests may read it. */
static void on_game(void *context, const struct games *games, int number, bool resumed) {
    struct tournament_job *r = context;
    struct report report;
    r->played++;
    r->resumed += resumed;
    workbench_lock(r->run->bench);
    add_scheduled(&r->list->games, games);
    assert(number < r->list->games.count);
    r->list->games.outcomes[number] = games->outcomes[number];
    workbench_unlock(r->run->bench);
    if (!resumed)
        close_board(r, number);
    report_step(r, games, &games->scheduled[number]);
    if (job_result_is_due(r->run)) {
        make_report(r, games, false, &report);
        publish_report(r, &report);
    }
}

/* ---- running ---- */

/* Standings are stored only when all games were played; the files are written also after a stop. */
static bool play(struct tournament_job *r, struct store *store, bool *complete, struct err *e) {
    const struct workbench_setup *setup = &r->run->bench->setup;
    struct games games;
    struct report report;
    const struct tournament_run run = {
        .tournament = r->tournament,
        .batch.store = store,
        .batch.workers = setup->cores,
        .batch.clock = setup->clock,
        .batch.stop = &r->run->job->stop,
        .batch.grant = serve_grant(r->run->bench),
        .batch.date = setup->date,
        .on_game = on_game,
        .batch.watch = watch,
        .batch.context = r,
    };
    games_init(&games);
    bool ok = tournament_play(&run, &games, complete, e) &&
              (!*complete || tournament_store_standings(store, r->tournament, &games, e));
    if (ok) {
        make_report(r, &games, *complete, &report);
        report_step(r, &games, NULL);
        ok = report_write_files(&report, r->run->files, store, e);
        publish_report(r, &report);
    }
    games_done(&games);
    return ok;
}

/* Permissions may have changed since the request. The list of games is read without the lock, since a store
 * may be long. A request may have read it before: the first one read is used. */
static bool run_tournament(struct job_run *run, bool *complete, struct err *e) {
    const struct workbench_setup *setup = &run->bench->setup;
    struct job_games *mine = open_games(run->job, e);
    struct tournament_job r = {.run = run};
    char path[SERVE_PATH_MAX];
    workbench_lock(run->bench);
    r.list = run->job->games != NULL ? run->job->games : mine;
    run->job->games = r.list;
    workbench_unlock(run->bench);
    if (r.list != mine)
        job_games_close(mine);
    if (r.list == NULL)
        return false;
    r.tournament = &r.list->tournament;
    for (int i = 0; i < r.tournament->player_count; i++)
        if (!serve_check_player(run->bench, r.tournament->players[i].spec, NULL, e))
            return false;
    if (!tournament_check(r.tournament, serve_grant(run->bench), e) ||
        !job_path(run->job, "games.db", path, e))
        return false;
    setup->date(r.date, sizeof r.date);
    tournament_table_init(&r.table, r.tournament);
    atomic_init(&r.asked_ns, clock_now_ns(setup->clock) - READERS_INTERVAL_NS);
    pthread_mutex_init(&r.lock, NULL);
    r.boards = mem_alloc((size_t)setup->cores * sizeof r.boards[0]);
    for (int i = 0; i < setup->cores; i++)
        r.boards[i].game = NO_GAME;
    struct store *store = tournament_store_open(path, STORE_TOURNAMENT, r.tournament, e);
    const bool ok = store != NULL && play(&r, store, complete, e);
    store_close(store);
    for (int i = 0; i < setup->cores; i++)
        json_decref(r.boards[i].shown);
    mem_free(r.boards);
    pthread_mutex_destroy(&r.lock);
    tournament_table_done(&r.table);
    return ok;
}

/* "games" of a match counts the whole match; each map gets an equal share, rounded up. */
static json_t *draft_tournament(struct job *job, struct message_out *failure) {
    const bool is_match = job->kind == &job_match;
    struct tournament tournament = {0};
    bool ok = (!is_match || serve_knows(job->params, job->kind->members, failure)) &&
              read_tournament_request(job, &tournament, failure);
    if (ok && is_match && tournament.player_count != 2)
        ok = message_fail_code(failure, 400, "players", "refused.match_players",
                               "a match has two players; given: %d", tournament.player_count);
    if (ok && is_match)
        tournament.rules.games = (tournament.rules.games + tournament.map_count - 1) / tournament.map_count;
    json_t *work = ok ? make_work(job, &tournament, is_match ? " – " : ", ", failure) : NULL;
    tournament_done(&tournament);
    return work;
}

const struct job_kind job_match = {.name = "match",
                                   .unit = "games",
                                   .members = "players game maps games seed clock rules title",
                                   .params = {request_params, match_games, tournament_params},
                                   .has_games = true,
                                   .draft = draft_tournament,
                                   .run = run_tournament};
const struct job_kind job_tournament = {.name = "tournament",
                                        .unit = "games",
                                        .params = {request_params, tournament_params},
                                        .has_games = true,
                                        .draft = draft_tournament,
                                        .run = run_tournament};
