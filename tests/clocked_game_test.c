/* SPDX-License-Identifier: MIT
 *
 * The clocked game with an invented clock: limits to the nanosecond, byoyomi, increment, grace, faults, void
 * games, and going back.
 */
#include "match/clocked_game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define S INT64_C(1000000000)

/* Not 0, so that times and durations cannot be confused. */
static const int64_t begin_ns = 17 * S + 5;

struct fixture {
    struct scenario *scenario;
    struct record record;
    struct timing timing;
    struct clocked_game game;
    int64_t now;
};

static void set_up(struct fixture *f, const char *clock, const struct clocked_setup *like) {
    static const char *const names[2] = {"a", "b"};
    struct err e = {{0}};
    struct clocked_setup setup = like != NULL ? *like : (struct clocked_setup){0};
    f->now = begin_ns;
    f->scenario = game_load_spec("tictactoe", &e);
    assert_non_null(f->scenario);
    record_init(&f->record);
    record_describe(&f->record, f->scenario, names);
    timing_default(&f->timing);
    if (clock != NULL && !timing_read(clock, &f->timing, &e))
        fail_msg("%s", e.text);
    setup.scenario = f->scenario;
    setup.seed = 5;
    setup.timing = &f->timing;
    setup.record = &f->record;
    clocked_game_start(&f->game, &setup, f->now);
}

static void tear_down(struct fixture *f) {
    record_done(&f->record);
    game_unload(f->scenario);
}

static action nth_legal(const struct fixture *f, int n) {
    action list[16];
    assert_true(f->scenario->game->actions(f->game.referee.state, list) > n);
    return list[n];
}

/* The mover answers with its first legal action, after that time. */
static void answer_after(struct fixture *f, int64_t ns) {
    struct err e = {{0}};
    f->now += ns;
    if (!clocked_game_answer(&f->game, nth_legal(f, 0), f->now, &e))
        fail_msg("%s", e.text);
}

static bool is_over(const struct fixture *f) {
    return clocked_game_mover(&f->game) == NOBODY;
}

/* ---- limits ---- */

struct limit_case {
    const char *clock;
    int64_t spent[5]; /* by the sides in turn, ended by 0 */
    int64_t limit;    /* of the next decision, grace included */
};

/* The clocks of both sides are independent: odd rows are the second side's. */
static const struct limit_case limit_cases[] = {
    {"turn=10,grace=0", {0}, 10 * S},
    {"turn=10,grace=0.5", {9 * S, S}, 10 * S + S / 2}, /* a turn has its full time again */
    {"move=3,grace=0", {3 * S, 1}, 3 * S},
    {"game=60,grace=0", {20 * S, S}, 40 * S},
    {"game=60,grace=0", {20 * S, S, 10 * S}, 59 * S},
    {"game=60,grace=0", {60 * S, S}, 1}, /* used up: the time left is none, represented by one nanosecond */
    {"game=60,grace=2", {61 * S, S}, S}, /* the grace is given once in the game */
    {"game=60,increment=5,grace=0", {20 * S, S}, 45 * S},
    {"game=60,byoyomi=7,grace=0", {20 * S, S}, 47 * S},
    {"game=60,byoyomi=7,grace=0", {60 * S, S}, 7 * S},
    {"game=60,byoyomi=7,grace=0", {65 * S, S}, 7 * S}, /* byoyomi is whole again in each turn */
    {"game=60,byoyomi=7,grace=0", {65 * S, S, 7 * S, S}, 7 * S},
    {"turn=10,game=15,grace=0", {10 * S, S}, 5 * S}, /* the lower limit counts */
};

static void limits_hold_at_their_edges(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof limit_cases / sizeof limit_cases[0]; i++)
        for (int late = 0; late < 2; late++) {
            const struct limit_case *c = &limit_cases[i];
            struct fixture f;
            set_up(&f, c->clock, NULL);
            for (int j = 0; c->spent[j] > 0; j++)
                answer_after(&f, c->spent[j]);
            const int side = clocked_game_mover(&f.game), played = f.game.referee.actions;
            assert_int_not_equal(side, NOBODY);
            assert_int_equal(clocked_game_due(&f.game), f.now + c->limit);
            assert_false(clocked_game_expire(&f.game, f.now + c->limit));
            answer_after(&f, c->limit + late);
            assert_int_equal(f.game.referee.actions, played + !late);
            assert_int_equal(f.game.referee.forfeiter, late ? side : NOBODY);
            assert_int_equal(f.game.referee.fault_kind, late ? PLAYER_FAULT_LATE : PLAYER_FAULT_NONE);
            tear_down(&f);
        }
}

static void time_runs_out_without_an_answer(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, "turn=10,grace=0.5", NULL);
    answer_after(&f, 4 * S);
    const int64_t due = clocked_game_due(&f.game);
    assert_false(clocked_game_expire(&f.game, due));
    assert_true(clocked_game_expire(&f.game, due + S));
    assert_true(is_over(&f));
    assert_true(referee_payoff(&f.game.referee, 0) > 0.9);
    assert_string_equal(f.record.result, "x late");
    assert_string_equal(f.record.comment, "o forfeits: late, after 11.50 s of 10.50 s");
    assert_string_equal(f.game.referee.reason, "late, after 11.50 s of 10.50 s");
    assert_string_equal(f.game.referee.fault.msg.code, "ruling.late");
    assert_int_equal(f.game.referee.fault.msg.prefix, strlen("o forfeits: "));
    assert_int_equal(clocked_game_due(&f.game), INT64_MAX);
    assert_false(clocked_game_expire(&f.game, due + 2 * S)); /* once */
    tear_down(&f);
}

static void no_limit_never_expires(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, NULL, NULL);
    assert_int_equal(clocked_game_due(&f.game), INT64_MAX);
    assert_false(clocked_game_expire(&f.game, INT64_MAX));
    answer_after(&f, 1000000 * S);
    assert_int_equal(f.game.referee.actions, 1);
    tear_down(&f);
}

/* As on the Geister server: whole seconds are charged, and each move has the full grace. */
static void fresh_grace_and_whole_seconds(void **state) {
    (void)state;
    struct fixture f;
    struct timing timing = {.game_s = 5, .grace_s = 2, .unit_s = 1, .is_grace_fresh = true};
    set_up(&f, NULL, NULL);
    f.game.timing = timing;
    timing_start(&f.game.clocks, &timing);
    answer_after(&f, 3 * S - 1); /* two seconds are charged */
    assert_int_equal(f.game.clocks.game_left_ns[0], 3 * S);
    assert_int_equal(f.game.think_ns[0], 3 * S - 1);
    answer_after(&f, 1);
    assert_int_equal(f.game.clocks.game_left_ns[1], 5 * S);
    answer_after(&f, 5 * S); /* 3 s, and all of the grace */
    assert_int_equal(f.game.clocks.game_left_ns[0], 0);
    answer_after(&f, 1);
    assert_int_equal(clocked_game_due(&f.game), f.now + 2 * S);
    answer_after(&f, 2 * S);
    assert_false(is_over(&f));
    answer_after(&f, 1);
    answer_after(&f, 2 * S + 1);
    assert_int_equal(f.game.referee.forfeiter, 0);
    tear_down(&f);
}

/* ---- asks ---- */

static void asks_allow_time(void **state) {
    (void)state;
    struct fixture f;
    struct ask ask;
    set_up(&f, "turn=10,grace=0.5,patience=3", NULL);
    clocked_game_ask(&f.game, f.now + 7, &ask);
    assert_int_equal(ask.side, 0);
    assert_int_equal(ask.time.limit_ns, 10 * S + S / 2);
    assert_int_equal(ask.time.patience_ns, 3 * S);
    assert_int_equal(ask.budget.deadline_ns, f.now + 7 + ask.time.share_ns);
    assert_true(ask.time.share_ns < 10 * S);
    assert_non_null(ask.history);
    assert_int_equal(ask.history->count, 0);
    answer_after(&f, S);
    clocked_game_ask(&f.game, f.now, &ask);
    assert_int_equal(ask.side, 1);
    assert_int_equal(ask.history->count, 1);
    tear_down(&f);
}

/* Starting a player, and gaps of this program, are on no clock. */
static void excused_time_is_on_no_clock(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, "game=10,grace=0", NULL);
    clocked_game_begin_decision(&f.game, f.now + 60 * S);
    f.now += 60 * S;
    clocked_game_excuse(&f.game, 5 * S);
    answer_after(&f, 15 * S);
    assert_false(is_over(&f));
    assert_int_equal(f.game.clocks.game_left_ns[0], 0);
    assert_int_equal(f.game.think_ns[0], 10 * S);
    assert_true(f.record.actions[0].milliseconds > 9999.9F && f.record.actions[0].milliseconds < 10000.1F);
    clocked_game_excuse(&f.game, 5 * S); /* more than was spent: no time is added */
    answer_after(&f, S);
    assert_int_equal(f.game.clocks.game_left_ns[1], 10 * S);
    tear_down(&f);
}

static void guests_are_not_ruled_late(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, "move=1,grace=0", &(struct clocked_setup){.is_guest = true});
    answer_after(&f, 100 * S);
    assert_false(is_over(&f));
    assert_int_equal(f.game.referee.actions, 1);
    assert_int_equal(f.game.longest_ns[0], 100 * S);
    tear_down(&f);
}

static void untimed_games_have_no_times(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, NULL, &(struct clocked_setup){.is_untimed = true});
    answer_after(&f, 0);
    assert_true(f.record.actions[0].milliseconds < 0);
    assert_int_equal(f.game.decisions[0], 1);
    tear_down(&f);
}

/* ---- ends ---- */

static void faults_are_results(void **state) {
    (void)state;
    static const struct {
        int side;
        enum player_fault fault;
        const char *result, *comment;
        double payoff;
    } cases[] = {
        {0, PLAYER_FAULT_CRASH, "o crash", "x forfeits: it left", 0},
        {1, PLAYER_FAULT_HANG, "x hang", "o forfeits: it left", 1}, /* not to move */
        {REFEREE_BOTH, PLAYER_FAULT_HANG, "draw hang", "it left", 0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        set_up(&f, NULL, NULL);
        clocked_game_fault(&f.game, cases[i].side, cases[i].fault, "it left");
        assert_true(is_over(&f));
        assert_string_equal(f.record.result, cases[i].result);
        assert_string_equal(f.record.comment, cases[i].comment);
        assert_string_equal(f.game.referee.reason, "it left");
        for (int side = 0; side < 2; side++) {
            const double payoff = referee_payoff(&f.game.referee, side);
            const double expected = side == 0 ? cases[i].payoff : 1 - cases[i].payoff;
            assert_true(payoff - expected < 1e-9 && expected - payoff < 1e-9);
        }
        tear_down(&f);
    }
}

static void an_illegal_answer_is_not_charged(void **state) {
    (void)state;
    struct fixture f;
    struct err e;
    set_up(&f, "game=10,grace=0", NULL);
    const action taken = nth_legal(&f, 0);
    answer_after(&f, S);
    assert_true(clocked_game_answer(&f.game, taken, f.now + S, &e));
    assert_int_equal(f.game.referee.forfeiter, 1);
    assert_int_equal(f.game.referee.fault_kind, PLAYER_FAULT_ILLEGAL);
    assert_int_equal(f.game.clocks.game_left_ns[1], 10 * S);
    tear_down(&f);
}

static void either_side_can_resign(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        struct fixture f;
        set_up(&f, NULL, NULL);
        clocked_game_resign(&f.game, side);
        assert_true(is_over(&f));
        assert_string_equal(f.record.result, side == 0 ? "o resignation" : "x resignation");
        assert_string_equal(f.record.comment, side == 0 ? "x resigns" : "o resigns");
        assert_true(referee_payoff(&f.game.referee, side) < 0.1);
        tear_down(&f);
    }
}

static void a_stopped_game_has_no_result(void **state) {
    (void)state;
    struct fixture f;
    set_up(&f, "turn=1", NULL);
    answer_after(&f, 1);
    clocked_game_stop(&f.game, "stopped: the power is out");
    assert_true(is_over(&f));
    assert_string_equal(f.record.result, "none");
    assert_string_equal(f.record.comment, "stopped: the power is out");
    assert_int_equal(f.game.referee.forfeiter, NOBODY);
    assert_false(clocked_game_expire(&f.game, f.now + 100 * S));
    tear_down(&f);
}

static void gaps_make_limited_games_void(void **state) {
    (void)state;
    static const struct {
        const char *clock;
        bool can_be_void;
        int64_t gap, expected;
    } cases[] = {
        {"turn=10", true, 3 * S, 0}, /* the gap was before the start */
        {"turn=10", true, 3 * S + 1, 1},
        {"turn=10", false, 9 * S, 0},
        {NULL, true, 9 * S, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        set_up(&f, cases[i].clock,
               &(struct clocked_setup){.can_be_void = cases[i].can_be_void, .gap_ns = 3 * S});
        assert_int_equal(clocked_game_void_ns(&f.game, cases[i].gap), cases[i].expected);
        tear_down(&f);
    }
}

/* ---- going back ---- */

static void going_back_gives_no_time_back(void **state) {
    (void)state;
    struct fixture f;
    struct err e;
    unsigned char second[GAME_STATE_MAX];
    set_up(&f, "game=60,grace=0", NULL);
    answer_after(&f, 10 * S);
    memcpy(second, f.game.referee.state, f.scenario->game->state_size);
    answer_after(&f, 20 * S);
    f.now += 5 * S; /* the first side thinks */
    assert_true(clocked_game_go_back(&f.game, 1, f.now, &e));
    assert_int_equal(clocked_game_mover(&f.game), 1);
    assert_memory_equal(second, f.game.referee.state, f.scenario->game->state_size);
    assert_int_equal(f.record.count, 1);
    assert_int_equal(f.game.referee.actions, 1);
    assert_int_equal(f.game.clocks.game_left_ns[0], 45 * S);
    assert_int_equal(f.game.clocks.game_left_ns[1], 40 * S);
    assert_int_equal(clocked_game_spent(&f.game, f.now + 3), 3);
    tear_down(&f);
}

static void a_record_is_gone_on_with(void **state) {
    (void)state;
    struct fixture f;
    struct err e;
    struct clocked_game again;
    set_up(&f, NULL, NULL);
    for (int i = 0; i < 3; i++)
        answer_after(&f, S);
    snprintf(f.record.result, sizeof f.record.result, "x late"); /* a loaded ruling stays */
    const struct clocked_setup setup = {.scenario = f.scenario, .seed = 5, .record = &f.record};
    clocked_game_start(&again, &setup, f.now);
    assert_true(clocked_game_go_back(&again, f.record.count, f.now, &e));
    assert_memory_equal(again.referee.state, f.game.referee.state, f.scenario->game->state_size);
    assert_int_equal(again.referee.actions, 3);
    assert_string_equal(f.record.result, "x late");
    f.record.actions[2].action = f.record.actions[0].action; /* a cell that is taken */
    clocked_game_start(&again, &setup, f.now);
    assert_false(clocked_game_go_back(&again, 3, f.now, &e));
    tear_down(&f);
}

static void games_begin_from_positions(void **state) {
    (void)state;
    struct fixture f, from;
    struct text position = {0};
    struct err e;
    struct ask ask;
    set_up(&f, NULL, NULL);
    answer_after(&f, S);
    f.scenario->game->text->write_state(f.game.referee.state, &position);
    set_up(&from, NULL, NULL);
    assert_true(clocked_game_place(&from.game, text_string(&position), &e));
    assert_int_equal(clocked_game_mover(&from.game), 1);
    clocked_game_ask(&from.game, from.now, &ask);
    assert_null(ask.history);
    answer_after(&from, S);
    assert_true(clocked_game_go_back(&from.game, 0, from.now, &e));
    assert_int_equal(f.scenario->game->key(from.game.referee.state),
                     f.scenario->game->key(f.game.referee.state));
    assert_false(clocked_game_place(&from.game, "no position", &e));
    for (int i = 0; !is_over(&f); i++)
        answer_after(&f, S);
    text_clear(&position);
    f.scenario->game->text->write_state(f.game.referee.state, &position);
    assert_false(clocked_game_place(&from.game, text_string(&position), &e));
    assert_string_equal(e.text, "the game is over in that position");
    text_done(&position);
    tear_down(&from);
    tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_hold_at_their_edges),
        cmocka_unit_test(time_runs_out_without_an_answer),
        cmocka_unit_test(no_limit_never_expires),
        cmocka_unit_test(fresh_grace_and_whole_seconds),
        cmocka_unit_test(asks_allow_time),
        cmocka_unit_test(excused_time_is_on_no_clock),
        cmocka_unit_test(guests_are_not_ruled_late),
        cmocka_unit_test(untimed_games_have_no_times),
        cmocka_unit_test(faults_are_results),
        cmocka_unit_test(an_illegal_answer_is_not_charged),
        cmocka_unit_test(either_side_can_resign),
        cmocka_unit_test(a_stopped_game_has_no_result),
        cmocka_unit_test(gaps_make_limited_games_void),
        cmocka_unit_test(going_back_gives_no_time_back),
        cmocka_unit_test(a_record_is_gone_on_with),
        cmocka_unit_test(games_begin_from_positions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
