/* SPDX-License-Identifier: MIT
 *
 * Correct stores, and every kind of incorrect one.
 */
#include "sample.h"
#include "tournament_support.h"

#include "base/file.h"
#include "memory_support.h"
#include "tournament/schedule.h"

#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* Each reading is a second later: the side that moves first is late. */
static int64_t tick(void *self) {
    return atomic_fetch_add((atomic_llong *)self, 1000000000);
}

static void put_text(struct store *store, const char *name, const struct text *text) {
    struct err e;
    assert_true(store_put(store, name, text_string(text), &e));
}

/* A whole tournament in the store, with its text and table. */
static void store_tournament(int format, bool faulty) {
    struct tournament tournament;
    struct games games;
    struct text text = {0};
    struct session session = {0};
    struct err e = {{0}};
    atomic_llong now = 0;
    const struct clock clock = {.now_ns = tick, .self = &now};
    build_tournament(&tournament, format);
    if (faulty) {
        tournament.rules.timing.turn_s = 0.5;
        tournament.rules.timing.grace_s = 0;
    }
    struct store *store = open_tournament_store(STORE_WRITE);
    assert_true(tournament_write(&tournament, &text, &e));
    put_text(store, STORE_TOURNAMENT, &text);
    const struct tournament_run r = {.tournament = &tournament,
                                     .batch.store = store,
                                     .batch.workers = 2,
                                     .batch.clock = &clock,
                                     .batch.stop = &session.stop,
                                     .on_game = note_game,
                                     .batch.context = &session};
    games_init(&games);
    if (!tournament_play(&r, &games, &session.complete, &e))
        fail_msg("%s", e.text);
    assert_true(session.complete);
    table_of(&tournament, &games, &text);
    put_text(store, STORE_STANDINGS, &text);
    store_close(store);
    games_done(&games);
    tournament_done(&tournament);
    text_done(&text);
}

struct finding {
    int count, stop_after;
    char all[8000]; /* a sentence a line */
};

static void note_problem(void *context, const char *sentence) {
    struct finding *f = context;
    const size_t used = strlen(f->all);
    f->count++;
    snprintf(f->all + used, sizeof f->all - used, "%s\n", sentence);
}

static bool go_on(void *context, int games) {
    const struct finding *f = context;
    return f->stop_after == 0 || games < f->stop_after;
}

static bool verify(struct finding *finding, struct verify_report *report, struct err *e) {
    struct tournament tournament = {0};
    struct games games;
    struct store *store = open_tournament_store(STORE_READ);
    const struct verify_watch watch = {note_problem, go_on, finding};
    games_init(&games);
    const bool ok = verify_store(store, &watch, &tournament, &games, report, e);
    games_done(&games);
    tournament_done(&tournament);
    store_close(store);
    return ok;
}

static void tamper(const char *sql) {
    sqlite3 *db;
    char *message = NULL;
    assert_int_equal(sqlite3_open(store_file, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &message) != SQLITE_OK)
        fail_msg("%s: %s", sql, message);
    assert_true(sqlite3_total_changes(db) > 0);
    sqlite3_close(db);
}

static void check_clean(bool complete) {
    struct finding finding = {0};
    struct verify_report report;
    struct err e = {{0}};
    if (!verify(&finding, &report, &e))
        fail_msg("%s", e.text);
    if (finding.count > 0)
        fail_msg("%s", finding.all);
    assert_int_equal(report.problems, 0);
    assert_int_equal(report.complete, complete);
    assert_int_equal(report.standings_compared, complete);
    assert_true(report.games > 0);
}

static void honest_stores_are_good(void **state) {
    (void)state;
    for (int format = 0; format < TOURNAMENT_FORMATS; format++)
        for (int faulty = 0; faulty < 2; faulty++) {
            store_tournament(format, faulty == 1);
            check_clean(true);
            drop_store();
        }
}

/* Void games do not affect the others; they are counted. */
static void void_games_are_no_problem(void **state) {
    (void)state;
    struct finding finding = {0};
    struct verify_report report;
    struct err e = {{0}};
    store_tournament(TOURNAMENT_KNOCK_OUT, false);
    tamper("INSERT INTO text VALUES ('voids', '{\"game\": 0, \"gap_s\": 2.5, \"actions\": 1}\n"
           "{\"game\": 1, \"gap_s\": 2.5, \"actions\": 1}\n')");
    assert_true(verify(&finding, &report, &e));
    assert_string_equal(finding.all, "");
    assert_int_equal(report.voids, 2);
    drop_store();
}

/* Games are missing at the end, and no table is stored: an interrupted tournament. */
static void an_unfinished_store_is_good(void **state) {
    (void)state;
    store_tournament(TOURNAMENT_SWISS, false);
    tamper("DELETE FROM record WHERE game > 5; DELETE FROM game WHERE number > 5;"
           "DELETE FROM text WHERE name = 'standings'");
    check_clean(false);
    drop_store();
}

static void verifying_can_be_stopped(void **state) {
    (void)state;
    struct finding finding = {.stop_after = 3};
    struct verify_report report;
    struct err e = {{0}};
    store_tournament(TOURNAMENT_GAUNTLET, false);
    assert_false(verify(&finding, &report, &e));
    assert_string_equal(e.text, "stopped after 3 games");
    drop_store();
}

struct lie {
    const char *sql, *found;
};

static void check_lies(const struct lie *lies, size_t count, bool faulty) {
    struct text honest = {0};
    struct err e = {{0}};
    store_tournament(TOURNAMENT_ROUND_ROBIN, faulty);
    assert_true(file_read(store_file, 64 << 20, &honest, &e));
    for (size_t i = 0; i < count; i += SAMPLE(1, 3)) {
        struct finding finding = {0};
        struct verify_report report;
        assert_true(file_write(store_file, honest.data, honest.size, &e));
        tamper(lies[i].sql);
        if (!verify(&finding, &report, &e))
            fail_msg("%s: %s", lies[i].sql, e.text);
        if (finding.count == 0 || strstr(finding.all, lies[i].found) == NULL)
            fail_msg("%s: found '%s', expected '%s'", lies[i].sql, finding.all, lies[i].found);
        assert_int_equal(report.problems, finding.count);
        drop_store();
    }
    text_done(&honest);
}

static void every_lie_is_found(void **state) {
    (void)state;
    static const struct lie lies[] = {
        {"UPDATE game SET payoff = 1 - payoff WHERE number = (SELECT min(number) FROM game WHERE payoff = 1)",
         "is 1 for the first side, the store says 0"},
        {"UPDATE game SET payoff = 0.5 WHERE number = (SELECT max(number) FROM game WHERE payoff = 0)",
         "is 0 for the first side, the store says 0.5"},
        {"UPDATE game SET result = 'draw limit', payoff = 0.5 WHERE number = "
         "(SELECT min(number) FROM game WHERE result <> 'draw limit')",
         "the store says 'draw limit'"},
        {"UPDATE record SET json = json_set(json, '$.actions[0]', 'resign') WHERE game = 3", "game 3: "},
        {"UPDATE record SET json = json_set(json, '$.actions[1]', 'pass') WHERE game = 3", "game 3: "},
        {"UPDATE record SET json = json_remove(json, '$.actions[#-1]') WHERE game = 3", "game 3: "},
        {"UPDATE record SET json = json_set(json_remove(json, '$.actions[#-1]'), '$.result', 'none') "
         "WHERE game = 3",
         "game 3: its record has "},
        {"UPDATE record SET json = json_set(json, '$.seed', 5) WHERE game = 3",
         "its record has another seed"},
        {"UPDATE record SET json = json_set(json, '$.players[0]', 'me') WHERE game = 3",
         "its record names me where the schedule has "},
        {"UPDATE record SET json = (SELECT json FROM record WHERE game = 20) WHERE game = 3", "game 3: "},
        {"UPDATE record SET json = 'x' WHERE game = 3", "game 3: its record:1: "},
        {"DELETE FROM record WHERE game = 3", "game 3: it has no record"},
        {"UPDATE game SET seed = seed + 1 WHERE number = 3", "game 3 in the store is not the one"},
        {"UPDATE game SET player0 = player1, player1 = player0 WHERE number = 3",
         "game 3 in the store is not the one"},
        {"UPDATE game SET map = 2 - map WHERE number = (SELECT min(number) FROM game WHERE map <> 1)",
         "in the store is not the one"},
        {"UPDATE game SET round = round + 1 WHERE number = 3", "game 3 in the store is not the one"},
        {"UPDATE game SET actions = actions + 1 WHERE number = 3", "the store says"},
        {"UPDATE game SET turns = turns + 1 WHERE number = 3", "turns, the store says"},
        {"UPDATE game SET fault = 2 WHERE number = 3", "has a ruling that cannot be: fault 2 of side -1"},
        {"UPDATE game SET fault = 1000000, forfeiter = 0 WHERE number = 3", "has a ruling that cannot be"},
        {"UPDATE game SET forfeiter = 0, fault = 4, payoff = 0, result = 'blue late' WHERE number = 3",
         "its fault has no report"},
        {"DELETE FROM record WHERE game = 3; DELETE FROM game WHERE number = 3",
         "games of the tournament are missing"},
        {"DELETE FROM record WHERE game = 0; DELETE FROM game WHERE number = 0",
         "games of the tournament are missing"},
        {"DELETE FROM record WHERE game = 0; DELETE FROM game WHERE number = 0",
         "games before it are missing that the schedule depends on"}, /* of the play-off or final */
        {"INSERT INTO game SELECT 100000, stage, round, player0, player1, map, seed, payoff, result, "
         "forfeiter,"
         " fault, actions, turns, lead_changes, think0_ns, think1_ns, longest0_ns, longest1_ns, decisions0,"
         " decisions1, finished FROM game WHERE number = 3",
         "game 100000: the schedule has no such game"},
        {"UPDATE record SET json = json_set(json_remove(json, '$.actions[#-1]'), '$.result', 'none') "
         "WHERE game = 3; UPDATE game SET actions = actions - 1, turns = turns - 1 WHERE number = 3",
         "game 3: its record stops before the end"},
        {"UPDATE record SET json = json_set(json, '$.deal', 5) WHERE game = 3",
         "game 3: its record has another deal"},
        {"UPDATE record SET json = json_set(json, '$.rules', 'paper', '$.comment', 'x') WHERE game = 3",
         "game 3: its record was played on another map than "},
        {"INSERT INTO text VALUES ('voids', '{\"game\": 100000, \"gap_s\": 2.5, \"actions\": 1}')",
         "a void game 100000 is kept, which the schedule does not have"},
        {"INSERT INTO text VALUES ('voids', '{\"game\": 1}')",
         "void games: expected game, actions and gap_s in each line"},
        {"UPDATE text SET value = replace(value, '1. ', '2. ') WHERE name = 'standings'",
         "the stored standings do not follow from the games"},
        {"UPDATE text SET value = json_set(value, '$.rules.points.win', 2) WHERE name = 'event'",
         "the stored standings do not follow from the games"},
    };
    check_lies(lies, sizeof lies / sizeof lies[0], false);
}

static void lies_about_rulings_are_found(void **state) {
    (void)state;
    static const struct lie lies[] = {
        {"DELETE FROM bundle WHERE game = 3", "game 3: its fault has no report"},
        {"UPDATE game SET fault = 3 WHERE number = 3", "it was ruled"},
        {"UPDATE game SET forfeiter = 1 - forfeiter WHERE number = 3", "it was ruled"},
        {"UPDATE game SET payoff = 0.5 WHERE number = 3", "who forfeited did not lose"},
        {"UPDATE game SET payoff = 1 - payoff WHERE number = 3", "who forfeited did not lose"},
        {"UPDATE game SET payoff = 1 - payoff WHERE number = 4", "who forfeited did not lose"},
        {"UPDATE game SET forfeiter = 1 - forfeiter, payoff = 1 - payoff, result = 'red late' "
         "WHERE number = 3; UPDATE record SET json = json_set(json, '$.result', 'red late') WHERE game = 3",
         "the side that forfeited was not to move"},
        {"UPDATE record SET json = json_set(json, '$.result', 'red late') WHERE game = 3", "it was ruled"},
        {"UPDATE game SET forfeiter = -1, fault = 0 WHERE number = 3",
         "it has a fault report without a fault"},
    };
    check_lies(lies, sizeof lies / sizeof lies[0], true);
}

static void a_store_without_tournament_cannot_be_verified(void **state) {
    (void)state;
    struct finding finding = {0};
    struct verify_report report;
    struct err e = {{0}};
    store_close(open_tournament_store(STORE_WRITE));
    assert_false(verify(&finding, &report, &e));
    assert_string_equal(e.text, "the store has no tournament in it");
    drop_store();
}

/* ---- too little memory ---- */

struct verification_task {
    struct store *store;
    struct finding finding;
};

static void verify_task(void *context) {
    struct verification_task *task = context;
    struct tournament tournament = {0};
    struct games games;
    struct verify_report report;
    struct err e = {{0}};
    const struct verify_watch watch = {note_problem, go_on, &task->finding};
    games_init(&games);
    assert_true(verify_store(task->store, &watch, &tournament, &games, &report, &e));
    games_done(&games);
    tournament_done(&tournament);
}

/* For any failing allocation: the store is not reported as faulty. */
static void a_lack_of_memory_is_no_fault_of_the_store(void **state) {
    (void)state;
    long n = 1;
    store_tournament(TOURNAMENT_ROUND_ROBIN, false);
    for (bool was_short = true; was_short; n += 1 + n / 16) {
        struct verification_task task = {.store = open_tournament_store(STORE_READ)};
        was_short = memory_runs_out(n, verify_task, &task);
        if (task.finding.count > 0)
            fail_msg("allocation %ld: %s", n, task.finding.all);
        store_close(task.store);
    }
    assert_true(n > 100);
    drop_store();
}

/* SQLite has memory of its own. */
static void nor_is_a_lack_of_sqlites_memory(void **state) {
    (void)state;
    struct finding finding = {0};
    struct verify_report report;
    struct tournament tournament = {0};
    struct games games;
    struct err e = {{0}};
    store_tournament(TOURNAMENT_ROUND_ROBIN, false);
    struct store *store = open_tournament_store(STORE_READ);
    const struct verify_watch watch = {note_problem, go_on, &finding};
    games_init(&games);
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + 1000);
    const bool ok = verify_store(store, &watch, &tournament, &games, &report, &e);
    sqlite3_hard_heap_limit64(0);
    games_done(&games);
    tournament_done(&tournament);
    store_close(store);
    assert_false(ok);
    assert_non_null(strstr(e.text, "not enough memory"));
    assert_string_equal(finding.all, "");
    drop_store();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_stores_are_good),
        cmocka_unit_test(void_games_are_no_problem),
        cmocka_unit_test(an_unfinished_store_is_good),
        cmocka_unit_test(verifying_can_be_stopped),
        cmocka_unit_test(every_lie_is_found),
        cmocka_unit_test(lies_about_rulings_are_found),
        cmocka_unit_test(a_store_without_tournament_cannot_be_verified),
        cmocka_unit_test(a_lack_of_memory_is_no_fault_of_the_store),
        cmocka_unit_test(nor_is_a_lack_of_sqlites_memory),
    };
    return cmocka_run_group_tests(tests, tournament_make_folder, tournament_drop_folder);
}
