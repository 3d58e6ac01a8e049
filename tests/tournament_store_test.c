/* SPDX-License-Identifier: MIT
 *
 * The contents of a store of a tournament beside its games: the tournament itself, its table, its void games;
 * and the files made from a store: records, tables, others.
 */
#include "tournament_support.h"

#include "clock_support.h"
#include "own_maps.h"
#include "tournament/tournament.h"
#include "tournament/schedule.h"
#include "tournament/report.h"

#include "base/file.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- the tournament ---- */

static void build_small(struct tournament *out) {
    struct err e = {{0}};
    *out = (struct tournament){.seed = 5, .owns_scenarios = true, .map_count = 1};
    tournament_rules_default(&out->rules);
    assert_true(entrants_parse("acteval,random,random", out, &e));
    out->maps = mem_alloc(sizeof out->maps[0]);
    assert_non_null(out->maps);
    snprintf(out->maps[0].name, sizeof out->maps[0].name, "duel");
    out->maps[0].scenario = own_map("duel");
}

/* Plays so many games of it (0: all) and stores them. */
static void play(const struct tournament *tournament, struct store *store, int stop_after,
                 struct games *games) {
    struct session session = {.stop_after = stop_after};
    const struct tournament_run r = {.tournament = tournament,
                                     .batch.store = store,
                                     .batch.workers = 1,
                                     .batch.stop = &session.stop,
                                     .on_game = note_game,
                                     .batch.context = &session};
    struct err e = {{0}};
    games_init(games);
    if (!tournament_play(&r, games, &session.complete, &e))
        fail_msg("%s", e.text);
    assert_int_equal(session.complete, stop_after == 0);
}

static void assert_refused(struct tournament *tournament, const char *words) {
    struct err e = {{0}};
    assert_null(tournament_store_open(store_file, STORE_TOURNAMENT, tournament, &e));
    if (strstr(e.text, words) == NULL)
        fail_msg("'%s', expected '%s'", e.text, words);
}

static void a_store_is_bound_by_its_games(void **state) {
    (void)state;
    struct tournament tournament, read = {0};
    struct err e = {{0}};
    struct games games;
    assert_null(tournament_store_read(store_file, STORE_TOURNAMENT, &read, &e)); /* there is no file */
    store_close(open_tournament_store(STORE_WRITE));
    assert_null(tournament_store_read(store_file, STORE_TOURNAMENT, &read, &e));
    assert_non_null(strstr(e.text, "has no tournament in it yet; --players and --maps make one"));
    assert_refused(&read, "has no tournament in it yet; --players and --maps make one");
    build_small(&tournament);
    struct store *store = tournament_store_open(store_file, STORE_TOURNAMENT, &tournament, &e);
    assert_non_null(store);
    store_close(store);
    tournament.seed = 6; /* nothing is played yet: another tournament may take its place */
    store = tournament_store_open(store_file, STORE_TOURNAMENT, &tournament, &e);
    assert_non_null(store);
    play(&tournament, store, 2, &games);
    games_done(&games);
    store_close(store);
    tournament.seed = 7;
    assert_refused(&tournament, "was begun with other arguments: the seed was 6 and is now 7");
    tournament.seed = 6;
    store = tournament_store_open(store_file, STORE_TOURNAMENT, &tournament, &e);
    assert_non_null(store);
    store_close(store);
    /* the store holds a tournament without players */
    store = tournament_store_open(store_file, STORE_TOURNAMENT, &read, &e);
    assert_non_null(store);
    assert_int_equal(read.player_count, 3);
    assert_true(read.seed == 6);
    store_close(store);
    tournament_done(&read);
    store = tournament_store_read(store_file, STORE_TOURNAMENT, &read, &e);
    assert_non_null(store);
    assert_string_equal(read.players[2].name, "random (2)");
    store_close(store);
    tournament_done(&read);
    tournament_done(&tournament);
    drop_store();
}

static void games_without_an_tournament_are_something_else(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    build_small(&tournament);
    struct store *store = open_tournament_store(STORE_WRITE);
    play(&tournament, store, 1, &games);
    games_done(&games);
    store_close(store);
    assert_refused(&tournament, "holds the games of something else; choose another file or folder");
    tournament_done(&tournament);
    drop_store();
}

static void the_table_is_stored(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct text kept = {0}, expected = {0};
    struct err e = {{0}};
    bool found;
    build_small(&tournament);
    struct store *store = tournament_store_open(store_file, STORE_TOURNAMENT, &tournament, &e);
    play(&tournament, store, 0, &games);
    assert_true(tournament_store_standings(NULL, &tournament, &games, &e));
    assert_true(tournament_store_standings(store, &tournament, &games, &e));
    table_of(&tournament, &games, &expected);
    assert_true(store_get(store, STORE_STANDINGS, &kept, &found, &e));
    assert_true(found);
    assert_string_equal(text_string(&kept), text_string(&expected));
    assert_non_null(strstr(text_string(&kept), "1. acteval: 4 points, 4 won, 0 drawn, 0 lost\n"));
    store_close(store);
    text_done(&kept);
    text_done(&expected);
    games_done(&games);
    tournament_done(&tournament);
    drop_store();
}

/* ---- records ---- */

static void a_record_is_found_by_its_number(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct record record;
    struct err e = {{0}};
    build_small(&tournament);
    struct store *store = tournament_store_open(store_file, STORE_TOURNAMENT, &tournament, &e);
    play(&tournament, store, 0, &games);
    for (int i = 0; i < games.count; i++) {
        assert_true(batch_load_record(store, i, &record, NULL, &e));
        assert_int_equal(record.count, games.outcomes[i].actions);
        assert_true(record.seed == games.scheduled[i].seed);
        record_done(&record);
    }
    assert_false(batch_load_record(store, games.count, &record, NULL, &e));
    assert_string_equal(e.text, "there is no game 6 in it");
    record_done(&record);
    struct store_game beyond = {.number = 9, .outcome.result = "", .finished = "", .outcome.forfeiter = -1};
    assert_true(store_add_game(store, &beyond, &e)); /* without a record, and not the one that is asked for */
    for (int number = 8; number <= 9; number++) {
        char expected[64];
        snprintf(expected, sizeof expected, "there is no game %d in it", number);
        assert_false(batch_load_record(store, number, &record, NULL, &e));
        assert_string_equal(e.text, expected);
        record_done(&record);
    }
    beyond.number = 10;
    beyond.record = "{}";
    assert_true(store_add_game(store, &beyond, &e));
    assert_false(batch_load_record(store, 10, &record, NULL, &e));
    assert_non_null(strstr(e.text, "game 10: "));
    record_done(&record);
    store_close(store);
    games_done(&games);
    tournament_done(&tournament);
    drop_store();
}

/* ---- void games ---- */

static void lines_are_void_games(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "{\"game\": -1, \"gap_s\": 1.5, \"actions\": 3}\n",
        "{\"game\": 1, \"gap_s\": 0, \"actions\": 3}\n",
        "{\"game\": 1, \"gap_s\": 1e9, \"actions\": 3}\n",
        "{\"game\": 1, \"gap_s\": 1, \"actions\": -1}\n",
        "{\"game\": 1, \"gap_s\": 1}\n",
        "{}",
    };
    struct games games;
    struct text lines = {0};
    struct err e = {{0}};
    games_init(&games);
    assert_true(batch_read_voids("", &games.voids, &e));
    assert_true(batch_read_voids("\n\n", &games.voids, &e));
    assert_int_equal(games.voids.count, 0);
    for (int i = 0; i < 20; i++)
        text_add(&lines, "{\"game\": %d, \"gap_s\": %d.5, \"actions\": %d, \"more\": 1}\n", 3 * i, i, i);
    text_add_string(&lines, "\n{\"game\": 0, \"gap_s\": 999999999, \"actions\": 0}"); /* no line end */
    assert_true(batch_read_voids(text_string(&lines), &games.voids, &e));
    assert_int_equal(games.voids.count, 21);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(games.voids.games[i].number, 3 * i);
        assert_true(games.voids.games[i].gap_ns == 500000000 + INT64_C(1000000000) * i);
        assert_int_equal(games.voids.games[i].actions, i);
    }
    assert_true(games.voids.games[20].gap_ns == INT64_C(999999999000000000));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(batch_read_voids(wrong[i], &games.voids, &e));
        assert_string_equal(e.text, "void games: expected game, actions and gap_s in each line");
    }
    assert_false(batch_read_voids("{\n", &games.voids, &e));
    assert_true(strncmp(e.text, "void games:1: ", 14) == 0);
    assert_int_equal(games.voids.count, 21);
    games_done(&games);
    text_done(&lines);
}

static void void_games_are_stored_line_by_line(void **state) {
    (void)state;
    static const char first[] = "{\"game\": 4, \"gap_s\": 2.0, \"actions\": 7}\n";
    static const char second[] = "{\"game\": 4, \"gap_s\": 3.0, \"actions\": 8}\n";
    struct games games;
    struct err e = {{0}};
    games_init(&games);
    assert_true(batch_store_voids(NULL, first, &e));
    struct store *store = open_tournament_store(STORE_WRITE);
    assert_true(batch_store_voids(store, "", &e));
    assert_true(batch_load_voids(store, &games.voids, &e));
    assert_int_equal(games.voids.count, 0);
    assert_true(batch_store_voids(store, first, &e));
    assert_true(batch_store_voids(store, second, &e));
    for (int i = 0; i < 2; i++) { /* the second time does not add to the first */
        assert_true(batch_load_voids(store, &games.voids, &e));
        assert_int_equal(games.voids.count, 2);
        assert_int_equal(games.voids.games[0].actions, 7);
        assert_int_equal(games.voids.games[1].actions, 8);
    }
    store_close(store);
    games_done(&games);
    drop_store();
}

static void a_date(char *out, size_t out_size) {
    snprintf(out, out_size, "2024-02-29T12:00:00Z");
}

static void disturbed_games_are_played_again(void **state) {
    (void)state;
    struct tournament tournament;
    struct games quiet, games;
    struct session session = {0};
    struct text voids = {0};
    struct err e = {{0}};
    struct gap_clock gaps = {.each_ns = INT64_C(2500000000), .first = 3, .last = 3};
    const struct clock clock = gap_clock(&gaps);
    bool found;
    build_small(&tournament);
    play(&tournament, NULL, 0, &quiet);
    tournament.rules.timing.turn_s = 10;
    struct store *store = open_tournament_store(STORE_WRITE);
    struct tournament_run r = {.tournament = &tournament,
                               .batch.store = store,
                               .batch.workers = 1,
                               .batch.clock = &clock,
                               .batch.stop = &session.stop,
                               .batch.date = a_date,
                               .on_game = note_game,
                               .batch.context = &session};
    games_init(&games);
    if (!tournament_play(&r, &games, &session.complete, &e))
        fail_msg("%s", e.text);
    assert_true(session.complete);
    assert_int_equal(session.played, 6);
    for (int i = 0; i < 6; i++) {
        assert_string_equal(games.outcomes[i].result, quiet.outcomes[i].result);
        assert_int_equal(games.outcomes[i].actions, quiet.outcomes[i].actions);
    }
    assert_int_equal(games.voids.count, 1);
    assert_int_equal(games.voids.games[0].number, 0);
    assert_int_equal(games.voids.games[0].actions, 1); /* the second answer came after the gap */
    assert_true(games.voids.games[0].gap_ns == INT64_C(2500000000));
    assert_true(store_get(store, STORE_VOIDS, &voids, &found, &e));
    assert_non_null(strstr(text_string(&voids), "{\"game\":0,\"gap_s\":2.5,\"actions\":1,"
                                                "\"date\":\"2024-02-29T12:00:00Z\",\"record\":{"));
    games_done(&games);
    store_close(store);
    drop_store();
    gaps = (struct gap_clock){
        .each_ns = INT64_C(2500000000), .first = 1, .last = 1000000}; /* twice again, and no more */
    r.batch.store = NULL;
    games_init(&games);
    assert_false(tournament_play(&r, &games, &session.complete, &e));
    assert_true(strncmp(e.text, "game 0, ", 8) == 0);
    assert_non_null(
        strstr(e.text, " on duel: a game with clocks was void 3 times: this program was stopped"));
    assert_int_equal(games.voids.count, 3);
    games_done(&games);
    games_done(&quiet);
    text_done(&voids);
    tournament_done(&tournament);
}

/* ---- playing ---- */

static void count_looks(void *context, const struct scheduled_game *scheduled, const void *state,
                        const struct record *record) {
    struct session *session = context;
    (void)state;
    assert_true(record->seed == scheduled->seed);
    session->resumed++;
}

static bool note_date(void *context, const struct store_game *game, struct err *e) {
    int *dated = context;
    (void)e;
    *dated += strcmp(game->finished, "2024-02-29T12:00:00Z") == 0 &&
              strstr(game->record, "\"date\": \"2024-02-29T12:00:00Z\"") != NULL;
    return true;
}

static void games_are_watched_and_dated(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct session session = {0};
    struct err e = {{0}};
    build_small(&tournament);
    struct store *store = open_tournament_store(STORE_WRITE);
    const struct tournament_run r = {.tournament = &tournament,
                                     .batch.store = store,
                                     .batch.workers = 1,
                                     .batch.stop = &session.stop,
                                     .batch.date = a_date,
                                     .batch.watch = count_looks,
                                     .batch.context = &session};
    games_init(&games);
    assert_true(tournament_play(&r, &games, &session.complete, &e));
    int looks = 0, dated = 0;
    for (int i = 0; i < games.count; i++)
        looks += 1 + games.outcomes[i].actions;
    assert_int_equal(session.resumed, looks);
    const struct store_visit visit = {.game = note_date, .context = &dated, .texts = true};
    assert_true(store_visit_games(store, &visit, &e));
    assert_int_equal(dated, 6);
    store_close(store);
    games_done(&games);
    tournament_done(&tournament);
    drop_store();
}

/* Nothing is played: it ends where the store has no game. */
static void games_can_be_resumed_alone(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct err e = {{0}};
    build_small(&tournament);
    struct store *store = open_tournament_store(STORE_WRITE);
    play(&tournament, store, 2, &games);
    games_done(&games);
    for (int beyond = 0; beyond < 2; beyond++) {
        struct session session = {.played_before = {true, true}};
        const struct tournament_run r = {.tournament = &tournament,
                                         .batch.store = store,
                                         .batch.workers = 1,
                                         .batch.stop = &session.stop,
                                         .batch.stored_only = true,
                                         .on_game = note_game,
                                         .batch.context = &session};
        games_init(&games);
        session.complete = true;
        assert_int_equal(tournament_play(&r, &games, &session.complete, &e), beyond == 0);
        assert_false(session.complete);
        assert_int_equal(session.played, 0);
        assert_int_equal(session.resumed, beyond == 0 ? 2 : 0);
        games_done(&games);
        struct store_game more = {
            .number = 100, .outcome.result = "", .finished = "", .outcome.forfeiter = -1};
        if (beyond == 0)
            assert_true(store_add_game(store, &more, &e));
        else
            assert_string_equal(e.text, "the store has 1 games that the tournament does not have");
    }
    store_close(store);
    tournament_done(&tournament);
    drop_store();
}

/* ---- tables and files ---- */

static void a_table_is_a_moment_of_the_tournament(void **state) {
    (void)state;
    struct tournament tournament;
    struct games games;
    struct tournament_table table;
    struct report report = {
        .games_played = 6, .games_untimed = 2, .seconds = 1.5, .date = "d", .store = "s", .complete = true};
    build_small(&tournament);
    play(&tournament, NULL, 0, &games);
    tournament_table_init(&table, &tournament);
    tournament_table_report(&table, &games, &report);
    assert_ptr_equal(report.tournament, &tournament);
    assert_ptr_equal(report.games, &games);
    assert_int_equal(report.games_played, 6);
    assert_int_equal(report.games_expected, 6);
    assert_int_equal(report.games_untimed, 2);
    assert_int_equal((int)(2 * report.seconds), 3);
    assert_string_equal(report.date, "d");
    assert_string_equal(report.store, "s");
    assert_true(report.complete);
    assert_int_equal(report.standings[0].player, 0);
    assert_non_null(report.ratings);
    assert_ptr_equal(report.fit->ratings, report.ratings);
    assert_true(report.ratings[0].elo > 0);
    static const struct {
        int played;
        bool complete, rated;
    } cases[] = {{0, false, false},
                 {1, false, true},
                 {50000, false, true},
                 {50001, false, false},
                 {50001, true, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        report.games_played = cases[i].played;
        report.complete = cases[i].complete;
        tournament_table_report(&table, &games, &report);
        assert_int_equal(report.ratings != NULL, cases[i].rated);
        assert_int_equal(report.fit != NULL, cases[i].rated);
    }
    tournament_table_done(&table);
    games_done(&games);
    tournament_done(&tournament);
}

static void a_report_is_a_folder_of_files(void **state) {
    (void)state;
    static const char *const names[] = {"results.json",     "standings.csv", "games.csv",
                                        "cross-table.html", "results.html",  "faults/game-000007.json"};
    struct tournament tournament;
    struct games games;
    struct tournament_table table;
    struct report report = {.games_played = 6};
    struct text text = {0};
    struct err e = {{0}};
    char folder[700], path[800];
    build_small(&tournament);
    play(&tournament, NULL, 0, &games);
    tournament_table_init(&table, &tournament);
    tournament_table_report(&table, &games, &report);
    struct store *store = open_tournament_store(STORE_WRITE);
    struct store_game game = {.number = 7,
                              .outcome.result = "",
                              .finished = "",
                              .outcome.forfeiter = -1,
                              .fault_report = "{\"b\": 1}"};
    assert_true(store_add_game(store, &game, &e));
    game.number = 8;
    game.fault_report = NULL;
    assert_true(store_add_game(store, &game, &e));
    snprintf(folder, sizeof folder, "%s.out", store_file);
    assert_true(report_write_files(&report, folder, store, &e));
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        text_clear(&text);
        assert_true(file_read(path, 1 << 20, &text, &e));
        assert_true(text.size > 0);
        assert_int_equal(unlink(path), 0);
    }
    assert_string_equal(text_string(&text), "{\"b\": 1}");
    snprintf(path, sizeof path, "%s/faults", folder);
    assert_int_equal(rmdir(path), 0); /* and nothing else was in it */
    assert_int_equal(rmdir(folder), 0);
    store_close(store);
    text_done(&text);
    tournament_table_done(&table);
    games_done(&games);
    tournament_done(&tournament);
    drop_store();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_store_is_bound_by_its_games),
        cmocka_unit_test(games_without_an_tournament_are_something_else),
        cmocka_unit_test(the_table_is_stored),
        cmocka_unit_test(a_record_is_found_by_its_number),
        cmocka_unit_test(lines_are_void_games),
        cmocka_unit_test(void_games_are_stored_line_by_line),
        cmocka_unit_test(disturbed_games_are_played_again),
        cmocka_unit_test(games_are_watched_and_dated),
        cmocka_unit_test(games_can_be_resumed_alone),
        cmocka_unit_test(a_table_is_a_moment_of_the_tournament),
        cmocka_unit_test(a_report_is_a_folder_of_files),
    };
    return cmocka_run_group_tests(tests, tournament_make_folder, tournament_drop_folder);
}
