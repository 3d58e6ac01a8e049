/* SPDX-License-Identifier: MIT
 *
 * Matches: the same games and totals for any number of workers, both sides of each map, stopping,
 * records and times.
 */
#include "match/batch.h"

#include "game/tbs/tbs.h"
#include "clock_support.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-9;
}

enum { GAMES_MAX = 64, MAPS = 3 };

struct logged {
    int index, map;
    int red; /* which player had side 0 */
    double payoff;
    uint64_t seed;
    struct outcome outcome;
};

struct log {
    int count, calls_max; /* the callback returns false at this call; 0: never */
    atomic_bool *stop;    /* set then, instead of returning false */
    struct logged games[GAMES_MAX];
    struct match_totals totals;
};

static bool log_game(void *context, const struct batch_result *game, const struct match_totals *totals) {
    struct log *log = context;
    if (log->count == GAMES_MAX)
        return false;
    log->games[log->count++] = (struct logged){.index = game->game->number,
                                               .map = game->game->map,
                                               .red = game->game->players[0],
                                               .payoff = match_payoff(game),
                                               .seed = game->game->seed,
                                               .outcome = *game->outcome};
    log->totals = *totals;
    if (log->calls_max == 0 || log->count < log->calls_max)
        return true;
    nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL); /* meanwhile other workers finish games */
    if (log->stop == NULL)
        return false;
    atomic_store(log->stop, true);
    return true;
}

/* Two small maps and one that needs the wide table. */
static struct scenario *maps[MAPS];

static int make_maps(void **state) {
    (void)state;
    for (int i = 0; i < MAPS; i++) {
        struct tbs_random_options options;
        struct tbs_map map;
        struct rng r;
        struct err e;
        tbs_random_defaults(&options);
        options.width = options.height = i == 2 ? 9 : 5;
        options.units[0] = options.units[1] = 3 + i;
        options.turn_limit = 12;
        options.threshold = 2;
        options.symmetric = true;
        rng_seed(&r, 100 + (uint64_t)i);
        if (!tbs_map_random(&options, &r, &map, &e))
            return -1;
        maps[i] = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_AUTO, &e);
    }
    return 0;
}

static int drop_maps(void **state) {
    (void)state;
    for (int i = 0; i < MAPS; i++)
        game_unload(maps[i]);
    return 0;
}

static struct match default_match(struct log *log) {
    memset(log, 0, sizeof *log);
    return (struct match){.map_count = MAPS,
                          .scenarios = maps,
                          .players = {"acteval", "random"},
                          .games = 30,
                          .batch.workers = 1,
                          .seed = 42,
                          .on_game = log_game,
                          .batch.context = log};
}

static void assert_same_tally(const struct tally *a, const struct tally *b) {
    assert_int_equal(a->wins, b->wins);
    assert_int_equal(a->draws, b->draws);
    assert_int_equal(a->losses, b->losses);
}

static void assert_same_totals(const struct match_totals *a, const struct match_totals *b) {
    assert_same_tally(&a->total, &b->total);
    for (int i = 0; i < 2; i++)
        assert_same_tally(&a->as_side[i], &b->as_side[i]);
    for (int i = 0; i < MATCH_MAPS_MAX; i++)
        assert_same_tally(&a->by_map[i], &b->by_map[i]);
    assert_int_equal(a->games, b->games);
    assert_int_equal(a->forfeits, b->forfeits);
    assert_true(a->actions == b->actions && a->turns == b->turns);
    for (int i = 0; i < 2; i++)
        assert_true(a->decisions[i] == b->decisions[i] && a->think_ns[i] == b->think_ns[i]);
}

static void assert_same_games(const struct logged *a, const struct logged *b, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(a[i].index, b[i].index);
        assert_int_equal(a[i].map, b[i].map);
        assert_int_equal(a[i].red, b[i].red);
        assert_true(is_near(a[i].payoff, b[i].payoff));
        assert_int_equal(a[i].outcome.actions, b[i].outcome.actions);
        assert_int_equal(a[i].outcome.turns, b[i].outcome.turns);
        assert_string_equal(a[i].outcome.result, b[i].outcome.result);
        assert_true(a[i].seed == b[i].seed);
        assert_memory_equal(a[i].outcome.decisions, b[i].outcome.decisions, sizeof a[i].outcome.decisions);
    }
}

static void workers_do_not_matter(void **state) {
    (void)state;
    static const int workers[] = {1, 2, 4, 7};
    static struct log first, log;
    for (size_t i = 0; i < sizeof workers / sizeof workers[0]; i++) {
        struct match_totals totals;
        struct err e = {0};
        struct match match = default_match(&log);
        match.batch.workers = workers[i];
        assert_true(match_run(&match, &totals, &e));
        assert_int_equal(log.count, 30);
        assert_int_equal(totals.games, 30);
        assert_same_totals(&totals, &log.totals); /* the last callback saw them all */
        if (i == 0)
            first = log;
        assert_same_games(log.games, first.games, 30);
        assert_same_totals(&log.totals, &first.totals);
    }
}

/* The result's first word and the sides give the winner; the tallies must agree. */
static void tallies_agree_with_results(void **state) {
    (void)state;
    static struct log log;
    struct match_totals totals;
    struct tally total = {0}, as_side[2] = {{0}}, by_map[MAPS] = {{0}};
    struct err e = {0};
    const struct match match = default_match(&log);
    assert_true(match_run(&match, &totals, &e));
    long long actions = 0, turns = 0;
    for (int i = 0; i < log.count; i++) {
        const struct logged *g = &log.games[i];
        const int side = g->red == 0 ? 0 : 1; /* of player 0 */
        const char *mine = side == 0 ? "red" : "blue";
        struct tally *tallies[3] = {&total, &as_side[side], &by_map[g->map]};
        for (int k = 0; k < 3; k++) {
            if (strncmp(g->outcome.result, "draw", 4) == 0)
                tallies[k]->draws++;
            else if (strncmp(g->outcome.result, mine, strlen(mine)) == 0)
                tallies[k]->wins++;
            else
                tallies[k]->losses++;
        }
        assert_int_equal(g->outcome.decisions[0] + g->outcome.decisions[1], g->outcome.actions);
        actions += g->outcome.actions;
        turns += g->outcome.turns;
    }
    assert_same_tally(&total, &totals.total);
    assert_true(total.wins > 20); /* it is the stronger one, from both sides */
    for (int i = 0; i < 2; i++)
        assert_same_tally(&as_side[i], &totals.as_side[i]);
    for (int i = 0; i < MAPS; i++)
        assert_same_tally(&by_map[i], &totals.by_map[i]);
    assert_true(totals.actions == actions && totals.turns == turns);
    assert_true(totals.decisions[0] + totals.decisions[1] == actions);
    assert_int_equal(totals.forfeits, 0);
}

static void each_map_from_both_sides(void **state) {
    (void)state;
    static struct log log;
    struct match_totals totals;
    struct err e = {0};
    struct match match = default_match(&log);
    assert_true(match_run(&match, &totals, &e));
    for (int i = 0; i < 30; i++) {
        assert_int_equal(log.games[i].index, i);
        assert_int_equal(log.games[i].map, i / 2 % MAPS);
        assert_int_equal(log.games[i].red, i % 2);
    }
    for (int i = 0; i < MAPS; i++)
        assert_int_equal(tally_games(&totals.by_map[i]), 10);
    for (int i = 0; i < 2; i++)
        assert_int_equal(tally_games(&totals.as_side[i]), 15);

    match = default_match(&log);
    match.one_sided = true;
    assert_true(match_run(&match, &totals, &e));
    for (int i = 0; i < 30; i++) {
        assert_int_equal(log.games[i].map, i % MAPS);
        assert_int_equal(log.games[i].red, 0);
    }
    assert_int_equal(tally_games(&totals.as_side[0]), 30);
    assert_int_equal(tally_games(&totals.as_side[1]), 0);
}

/* A game depends on (seed, index) alone: fewer games are a prefix, another seed gives another match. */
static void a_game_depends_on_seed_and_index(void **state) {
    (void)state;
    static struct log all, some, other;
    struct match_totals totals;
    struct err e = {0};
    struct match match = default_match(&all);
    assert_true(match_run(&match, &totals, &e));
    match = default_match(&some);
    match.games = 7;
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(some.count, 7);
    assert_same_games(some.games, all.games, 7);
    match = default_match(&other);
    match.seed = 43;
    assert_true(match_run(&match, &totals, &e));
    for (int i = 0; i < 30; i++) {
        assert_true(other.games[i].seed != all.games[i].seed);
        for (int k = 0; k < i; k++)
            assert_true(all.games[k].seed != all.games[i].seed);
    }
}

/* When the callback returns false the match ends: the callback is not called again, and its last totals are
 * final. */
static void the_callback_can_stop(void **state) {
    (void)state;
    static struct log all, log;
    struct match_totals totals;
    struct err e = {0};
    struct match match = default_match(&all);
    assert_true(match_run(&match, &totals, &e));
    for (int workers = 1; workers <= 4; workers++) {
        match = default_match(&log);
        match.batch.workers = workers;
        log.calls_max = 5;
        assert_true(match_run(&match, &totals, &e));
        assert_int_equal(log.count, 5);
        assert_int_equal(totals.games, 5);
        assert_same_totals(&totals, &log.totals);
        assert_same_games(log.games, all.games, 5);
    }
}

static void a_stop_from_outside_leaves_a_prefix(void **state) {
    (void)state;
    static struct log all, log;
    struct match_totals totals;
    struct err e = {0};
    struct match match = default_match(&all);
    assert_true(match_run(&match, &totals, &e));
    for (int workers = 1; workers <= 4; workers++) {
        atomic_bool stop = false;
        match = default_match(&log);
        match.batch.workers = workers;
        match.batch.stop = &stop;
        log.calls_max = 5;
        log.stop = &stop;
        assert_true(match_run(&match, &totals, &e));
        assert_in_range(log.count, 5, 29); /* games that were finished by then count, too */
        assert_int_equal(totals.games, log.count);
        assert_same_games(log.games, all.games, log.count);
    }
    atomic_bool stopped = true;
    match = default_match(&log);
    match.batch.stop = &stopped;
    match.batch.workers = 3;
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(totals.games, 0);
    assert_int_equal(log.count, 0);
}

static void wrong_players_are_errors(void **state) {
    (void)state;
    static struct log log;
    struct match_totals totals;
    for (int i = 0; i < 2; i++) {
        struct err e = {0};
        struct match match = default_match(&log);
        match.players[i] = "acteval:style=best";
        match.batch.workers = 3;
        assert_false(match_run(&match, &totals, &e));
        assert_string_equal(e.text, "acteval: style=best is unknown; expected one of paper|sample");
        assert_int_equal(log.count, 0);
    }
}

static void no_games_are_no_error(void **state) {
    (void)state;
    static struct log log;
    struct match_totals totals;
    struct err e = {0};
    struct match match = default_match(&log);
    match.games = 0;
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(totals.games, 0);
    match.games = 4;
    match.on_game = NULL; /* allowed */
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(totals.games, 4);
}

/* ---- records and times ---- */

/* Every record replays to the game's result, names its players by side and can be written. */
static bool check_record(void *context, const struct batch_result *game, const struct match_totals *totals) {
    (void)totals;
    int *good = context;
    struct err e;
    struct replay replay;
    struct record record;
    record_init(&record);
    if (!record_read_json("its record", game->record, strlen(game->record), &record, &e))
        return false;
    struct scenario *scenario = record_scenario(&record, &e);
    if (scenario == NULL)
        return false;
    const struct outcome *o = game->outcome;
    const char *red = game->game->players[0] == 0 ? "acteval" : "random";
    *good += replay_to(&replay, &record, scenario, record.count, &e) && record.count == o->actions &&
             strcmp(scenario->game->text->result(replay.state), o->result) == 0 &&
             strcmp(record.result, o->result) == 0 && strcmp(record.players[0], red) == 0 &&
             strcmp(record.players[1], red) != 0 && record.seed == game->game->seed;
    game_unload(scenario);
    record_done(&record);
    return true;
}

static void every_game_has_its_record(void **state) {
    (void)state;
    static struct log log;
    struct match_totals totals;
    struct err e = {0};
    int good = 0;
    struct match match = default_match(&log);
    match.on_game = check_record;
    match.batch.records = true;
    match.batch.context = &good;
    match.batch.workers = 3;
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(good, 30);
}

/* A clock that advances by one millisecond at each reading. */
static int64_t tick(void *self) {
    return *(int64_t *)self += 1000000;
}

static bool check_times(void *context, const struct batch_result *game, const struct match_totals *totals) {
    (void)totals;
    int *good = context;
    struct record record;
    struct err e;
    record_init(&record);
    bool ok =
        record_read_json("its record", game->record, strlen(game->record), &record, &e) && record.count > 0;
    for (int i = 0; i < record.count; i++)
        ok = ok && is_near((double)record.actions[i].milliseconds, 1);
    for (int i = 0; i < 2; i++)
        ok = ok && game->outcome->think_ns[i] == (int64_t)game->outcome->decisions[i] * 1000000;
    record_done(&record);
    *good += ok;
    return true;
}

static void thinking_is_timed_by_the_clock_given(void **state) {
    (void)state;
    static struct log log;
    struct match_totals totals;
    struct err e = {0};
    int64_t now = 0;
    int good = 0;
    const struct clock ticking = {.now_ns = tick, .self = &now}, standing = clock_manual(&now);
    struct match match = default_match(&log);
    match.batch.clock = &ticking;
    match.on_game = check_times;
    match.batch.records = true;
    match.batch.context = &good;
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(good, 30);
    for (int i = 0; i < 2; i++)
        assert_true(totals.think_ns[i] == totals.decisions[i] * 1000000);
    match = default_match(&log);
    match.batch.clock = &standing;
    assert_true(match_run(&match, &totals, &e));
    assert_true(totals.think_ns[0] == 0 && totals.think_ns[1] == 0);
}

/* ---- void games ---- */

static void disturbed_games_are_played_again(void **state) {
    (void)state;
    static struct log log, quiet_log;
    struct match_totals totals, quiet;
    struct err e = {0};
    struct timing timing;
    assert_true(timing_read("turn=10", &timing, &e));
    struct gap_clock gaps = {.each_ns = INT64_C(2000000000), .first = 20, .last = 20};
    const struct clock clock = gap_clock(&gaps);
    struct match match = default_match(&quiet_log);
    match.batch.workers = 1;
    assert_true(match_run(&match, &quiet, &e));
    match.batch.context = &log;
    match.batch.timing = &timing;
    match.batch.clock = &clock;
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(totals.voids, 1);
    assert_true(totals.gap_ns == INT64_C(2000000000));
    assert_int_equal(totals.games, quiet.games);
    assert_true(totals.actions == quiet.actions && totals.forfeits == 0);
    assert_true(memcmp(&totals.total, &quiet.total, sizeof quiet.total) == 0);
    /* Without limits no result can be disturbed. */
    gaps = (struct gap_clock){.each_ns = INT64_C(2000000000), .first = 1, .last = 1000000};
    match.batch.timing = NULL;
    assert_true(match_run(&match, &totals, &e));
    assert_int_equal(totals.voids, 0);
    /* Twice again, and no more. */
    gaps = (struct gap_clock){.each_ns = INT64_C(2000000000), .first = 1, .last = 1000000};
    match.batch.timing = &timing;
    assert_false(match_run(&match, &totals, &e));
    assert_int_equal(totals.games, 0);
    assert_non_null(strstr(e.text, "void 3 times: this program was stopped"));
}

/* ---- the signature ---- */

static void signatures_repeat(void **state) {
    (void)state;
    uint64_t first = 0, again = 0, fewer = 0, turned = 0;
    struct err e;
    struct scenario *const backwards[] = {maps[1], maps[0]};
    if (!IS_SANITIZED) { /* searches of a few seconds, which only give a number */
        assert_true(signature_compute(maps, 2, &first, &e));
        assert_true(signature_compute(maps, 2, &again, &e));
        assert_true(signature_compute(maps, 1, &fewer, &e));
        assert_true(signature_compute(backwards, 2, &turned, &e));
        assert_true(first == again);
        assert_true(first != fewer);
        assert_true(first != turned);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(tallies_agree_with_results),
        cmocka_unit_test(each_map_from_both_sides),
        cmocka_unit_test(a_game_depends_on_seed_and_index),
        cmocka_unit_test(the_callback_can_stop),
        cmocka_unit_test(a_stop_from_outside_leaves_a_prefix),
        cmocka_unit_test(wrong_players_are_errors),
        cmocka_unit_test(no_games_are_no_error),
        cmocka_unit_test(every_game_has_its_record),
        cmocka_unit_test(thinking_is_timed_by_the_clock_given),
        cmocka_unit_test(disturbed_games_are_played_again),
        cmocka_unit_test(signatures_repeat),
    };
    return cmocka_run_group_tests(tests, make_maps, drop_maps);
}
