/* SPDX-License-Identifier: MIT
 *
 * Matches and records of games that deal something: both games of a pair are played on the same deal, the
 * mean payoff is one of pairs, and a record holds all that is needed to play the game again.
 */
#include "match/record.h"
#include "match/batch.h"

#include "game/tbs/tbs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { GAMES = 24 };

#define EVERY_OPTION                                                                                         \
    "synth:worlds=16,depth=5,branching=3,r=7,lc=0.123456789012345,bias=0.333333333333,mu=0.4,sd=0.2,"        \
    "uncorr=different,df=0.30000000000000004"

static const char *const specs[] = {"kuhn", "fusion", "synth", EVERY_OPTION,
                                    "synth:payoffs=signs,r=1,tree=77,uncorr=independent"};
enum { SPECS = sizeof specs / sizeof specs[0] };

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-9;
}

static struct scenario *load(const char *spec) {
    struct err e = {0};
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s: %s", spec, e.text);
    return scenario;
}

/* ---- matches ---- */

struct log {
    const struct scenario *scenario;
    int count;
    struct scheduled_game games[GAMES];
    struct outcome outcomes[GAMES];
    double payoffs[GAMES];
    unsigned char starts[GAMES][GAME_STATE_MAX]; /* what was dealt, from the record alone */
};

static bool log_game(void *context, const struct batch_result *game, const struct match_totals *totals) {
    struct log *log = context;
    struct replay replay;
    (void)totals;
    assert_true(log->count < GAMES);
    struct record record;
    struct err e = {0};
    log->games[log->count] = *game->game;
    log->outcomes[log->count] = *game->outcome;
    log->payoffs[log->count] = match_payoff(game);
    record_init(&record);
    assert_true(record_read_json("its record", game->record, strlen(game->record), &record, &e));
    assert_true(record.seed == game->game->seed && record.deal == game->game->deal);
    replay_start(&replay, &record, log->scenario);
    record_done(&record);
    memcpy(log->starts[log->count++], replay.state, log->scenario->game->state_size);
    return true;
}

static struct match_totals play(struct scenario *const *scenario, const char *const players[2], int workers,
                                bool one_sided, struct log *log) {
    const struct match match = {.map_count = 1,
                                .scenarios = scenario,
                                .players = {players[0], players[1]},
                                .games = GAMES,
                                .batch.workers = workers,
                                .seed = 11,
                                .one_sided = one_sided,
                                .batch.records = true,
                                .on_game = log_game,
                                .batch.context = log};
    struct match_totals totals;
    struct err e = {0};
    memset(log, 0, sizeof *log);
    log->scenario = scenario[0];
    if (!match_run(&match, &totals, &e))
        fail_msg("%s", e.text);
    assert_int_equal(log->count, GAMES);
    return totals;
}

static const char *const randoms[2] = {"random", "random"};

static bool same_start(const struct log *log, int a, int b) {
    return memcmp(log->starts[a], log->starts[b], log->scenario->game->state_size) == 0;
}

static void pairs_share_the_deal(void **state) {
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct scenario *scenario = load(specs[i]);
        static struct log log;
        int others = 0;
        play(&scenario, randoms, 1, false, &log);
        for (int g = 0; g < GAMES; g += 2) {
            assert_true(same_start(&log, g, g + 1));
            assert_true(log.games[g].seed != log.games[g + 1].seed);
            assert_true(log.games[g].deal == 0 && log.games[g + 1].deal == log.games[g].seed);
            assert_int_equal(log.games[g].players[0], 0);
            assert_int_equal(log.games[g + 1].players[0], 1);
            others += !same_start(&log, 0, g);
        }
        assert_true(others > 0); /* every pair has a deal of its own */
        game_unload(scenario);
    }
}

static void one_sided_games_have_deals_of_their_own(void **state) {
    (void)state;
    struct scenario *scenario = load("synth");
    static struct log log;
    const struct match_totals totals = play(&scenario, randoms, 1, true, &log);
    for (int g = 1; g < GAMES; g++) {
        assert_true(log.games[g].deal == 0);
        assert_false(same_start(&log, g - 1, g));
    }
    assert_int_equal(totals.payoffs.count, GAMES);
    game_unload(scenario);
}

static void workers_do_not_matter(void **state) {
    (void)state;
    struct scenario *scenario = load("synth:df=0.7");
    static struct log one, three;
    static const char *const players[2] = {"random", "pimc:sims=10"};
    const struct match_totals a = play(&scenario, players, 1, false, &one);
    const struct match_totals b = play(&scenario, players, 3, false, &three);
    assert_memory_equal(one.starts, three.starts, sizeof one.starts);
    assert_memory_equal(&a.total, &b.total, sizeof a.total);
    assert_memory_equal(&a.payoffs, &b.payoffs, sizeof a.payoffs);
    for (int g = 0; g < GAMES; g++)
        assert_true(is_near(one.payoffs[g], three.payoffs[g]));
    game_unload(scenario);
}

/* A player that answers every position in the same way gets with one seat what it gives with the other. */
static void a_player_against_itself_gets_half_of_every_pair(void **state) {
    (void)state;
    static const char *const same[2] = {"pimc:seed=5,sims=20", "pimc:seed=5,sims=20"};
    for (int i = 0; i < SPECS; i++) {
        struct scenario *scenario = load(specs[i]);
        static struct log log;
        const struct match_totals t = play(&scenario, same, 2, false, &log);
        const struct interval interval = payoffs_interval(&t.payoffs);
        assert_int_equal(t.payoffs.count, GAMES / 2);
        assert_true(is_near(t.payoffs.mean, 0.5));
        assert_true(is_near(interval.low, 0.5) && is_near(interval.high, 0.5));
        assert_int_equal(t.total.wins, t.total.losses);
        for (int g = 0; g < GAMES; g += 2)
            assert_true(is_near(log.payoffs[g] + log.payoffs[g + 1], 1));
        game_unload(scenario);
    }
}

static void leaves_are_counted_by_player(void **state) {
    (void)state;
    struct scenario *scenario = load("synth");
    static struct log log;
    static const char *const players[2] = {"random", "pimc:sims=30,root=roundrobin"};
    const struct match_totals t = play(&scenario, players, 1, false, &log);
    uint64_t leaves = 0;
    for (int g = 0; g < GAMES; g++)
        leaves += log.outcomes[g].leaves[0] + log.outcomes[g].leaves[1];
    assert_true(t.leaves[0] == 0);
    assert_true(t.leaves[1] == leaves && leaves >= 30 * (uint64_t)t.decisions[1]);
    game_unload(scenario);
}

/* ---- the mean ---- */

static void means_are_of_pairs(void **state) {
    (void)state;
    static const double pairs[4][2] = {{0.8, 0}, {1, 0}, {0.25, 0.75}, {0.2, 1}}; /* 0.4, 0.5, 0.5, 0.6 */
    struct payoffs p = {0};
    for (int i = 0; i < 4; i++) {
        payoffs_add(&p, pairs[i][0], true);
        assert_int_equal(p.count, i); /* half a pair does not count */
        payoffs_add(&p, pairs[i][1], true);
    }
    const struct interval i = payoffs_interval(&p);
    const double half = 3.182446305 * sqrt(0.02 / 3 / 4);
    assert_true(is_near(p.mean, 0.5));
    assert_true(is_near(i.low, 0.5 - half) && is_near(i.high, 0.5 + half));
}

static void few_payoffs_allow_everything(void **state) {
    (void)state;
    struct payoffs p = {0};
    payoffs_add(&p, 0.9, false);
    struct interval i = payoffs_interval(&p);
    assert_true(is_near(i.low, 0) && is_near(i.high, 1));
    payoffs_add(&p, 0.1, false);
    i = payoffs_interval(&p);
    assert_true(is_near(p.mean, 0.5) && is_near(i.low, 0) && is_near(i.high, 1)); /* not beyond the scale */
}

/* ---- records ---- */

/* A random game, the second of a pair. */
static void make_record(const struct scenario *scenario, uint64_t seed, struct record *record) {
    const struct game *game = scenario->game;
    struct err e = {0};
    struct player *players[2];
    struct game_run_result result;
    for (int side = 0; side < 2; side++)
        players[side] = player_open("random", game, &e);
    const struct game_run game_run = {.game.scenario = scenario,
                                      .names = {"random", "somebody"},
                                      .players = {players[0], players[1]},
                                      .game.seed = seed,
                                      .game.deal = 0x8000000000000001U + seed};
    assert_true(game_run_play(&game_run, &result, &e));
    *record = result.record;
    result.record = (struct record){0}; /* taken over */
    game_run_result_done(&result);
    player_close(players[0]);
    player_close(players[1]);
}

static void records_of_any_game_round_trip(void **state) {
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct scenario *scenario = load(specs[i]), *again;
        struct record record, read;
        struct text first = {0}, second = {0}, spec = {0};
        struct replay replay;
        struct err e = {0};
        make_record(scenario, 40 + (uint64_t)i, &record);
        assert_true(record_write_json(&record, &first, &e));
        record_init(&read);
        if (!record_read_json("test", text_string(&first), first.size, &read, &e))
            fail_msg("%s: %s", specs[i], e.text);
        assert_true(record_write_json(&read, &second, &e));
        assert_string_equal(text_string(&first), text_string(&second));
        assert_true(read.seed == record.seed && read.deal == record.deal);
        again = record_scenario(&read, &e);
        assert_non_null(again);
        game_write_spec(again, &spec);
        assert_true(replay_to(&replay, &read, again, read.count, &e));
        assert_string_equal(again->game->text->result(replay.state), record.result);
        assert_int_equal(strncmp(text_string(&spec), specs[i], strcspn(specs[i], ":")), 0);
        game_unload(again);
        game_unload(scenario);
        record_done(&record);
        record_done(&read);
        text_done(&first);
        text_done(&second);
        text_done(&spec);
    }
}

/* Every option is there, to the last digit. */
static void a_game_is_named_by_what_was_chosen(void **state) {
    (void)state;
    for (int i = 0; i < SPECS; i++) {
        struct scenario *scenario = load(specs[i]);
        struct text spec = {0};
        game_write_spec(scenario, &spec);
        assert_string_equal(text_string(&spec), specs[i]);
        text_done(&spec);
        game_unload(scenario);
    }
}

static void only_the_tactical_game_has_sgf(void **state) {
    (void)state;
    struct scenario *scenario = load("kuhn");
    struct record record;
    struct text out = {0};
    struct err e = {0};
    make_record(scenario, 1, &record);
    assert_false(record_write_sgf(&record, &out, &e));
    assert_string_equal(e.text, "a record of kuhn has no form 'sgf'; expected json");
    text_done(&out);
    record_done(&record);
    game_unload(scenario);
}

static void expect_wrong(const char *json, const char *wanted) {
    struct record record;
    struct err e = {0};
    record_init(&record);
    assert_false(record_read_json("test", json, strlen(json), &record, &e));
    if (strstr(e.text, wanted) == NULL)
        fail_msg("'%s' does not say '%s'", e.text, wanted);
    record_done(&record);
}

#define HEAD "{\"format\": \"senjutsu-record\", \"version\": 1, \"players\": [\"a\", \"b\"], "

static void wrong_records_name_the_error(void **state) {
    (void)state;
    expect_wrong(HEAD "\"game\": \"chess\", \"actions\": []}", "'chess' is unknown");
    expect_wrong(HEAD "\"game\": \"kuhn\", \"rules\": \"paper\", \"actions\": []}", "\"rules\"");
    expect_wrong(HEAD "\"game\": \"kuhn\", \"map\": \"SIZEX[8];\", \"actions\": []}", "\"map\"");
    expect_wrong(HEAD "\"game\": \"kuhn\", \"options\": 7, \"actions\": []}", "\"options\" is no text");
    expect_wrong(HEAD "\"game\": \"kuhn\", \"options\": \"df=1\", \"actions\": []}", "df");
    expect_wrong(HEAD "\"game\": \"synth\", \"options\": \"df=2\", \"actions\": []}", "df=2");
    expect_wrong(HEAD "\"game\": \"kuhn\", \"deal\": -1, \"actions\": []}", "\"deal\" is no whole number");
    expect_wrong(HEAD "\"game\": \"kuhn\", \"actions\": [\"raise\"]}", "action 1");
    expect_wrong(HEAD "\"game\": \"kuhn\", \"result\": \"+2 chips\", \"actions\": [\"bet\"]}", "\"result\"");
}

/* The game's number must not be one from which the deal could be made again. */
static void the_history_does_not_reveal_the_deal(void **state) {
    (void)state;
    struct scenario *scenario = load("synth");
    struct record record;
    struct err e = {0};
    make_record(scenario, 0x123456789abcdefU, &record);
    record.deal = 0;
    const struct record_line line = {.record = &record, .count = record.count};
    const struct game_history history = record_history(&line, scenario);
    struct replay replay;
    assert_true(replay_to(&replay, &record, scenario, 0, &e));
    assert_true(history.id != record.seed && history.id >> 32 == 0);
    record.seed = history.id;
    struct replay guess;
    assert_true(replay_to(&guess, &record, scenario, 0, &e));
    assert_memory_not_equal(guess.state, replay.state, scenario->game->state_size);
    record_done(&record);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_share_the_deal),
        cmocka_unit_test(one_sided_games_have_deals_of_their_own),
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(a_player_against_itself_gets_half_of_every_pair),
        cmocka_unit_test(leaves_are_counted_by_player),
        cmocka_unit_test(means_are_of_pairs),
        cmocka_unit_test(few_payoffs_allow_everything),
        cmocka_unit_test(records_of_any_game_round_trip),
        cmocka_unit_test(a_game_is_named_by_what_was_chosen),
        cmocka_unit_test(only_the_tactical_game_has_sgf),
        cmocka_unit_test(wrong_records_name_the_error),
        cmocka_unit_test(the_history_does_not_reveal_the_deal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
