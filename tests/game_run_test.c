/* SPDX-License-Identifier: MIT
 *
 * Whole games between scripted players, on a clock that the test advances: every ruling, clocks to the
 * nanosecond, the leading side.
 */
#include "match/batch.h"

#include "game/tbs/tbs.h"
#include "game/game.h"
#include "map_support.h"
#include "memory_support.h"
#include "own_maps.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define S INT64_C(1000000000)

/* Two units a side, far apart. */
#define TWO                                                                                                  \
    "SIZEX[8];SIZEY[4];TURNLIMIT[6];HPTHRESHOLD[3];UNITNUMRED[2];UNITNUMBLUE[2];UNIT[1,1,infantry,0,10,0];"  \
    "UNIT[1,2,infantry,0,10,0];UNIT[6,1,infantry,1,10,0];UNIT[6,2,infantry,1,10,0];MAP[0,0,0,0,0,0,0,0];"    \
    "MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0];"

/* Blue has more, red's panzer can hit hard, and so can blue's fighter. */
#define LEADS                                                                                                \
    "SIZEX[6];SIZEY[4];TURNLIMIT[6];HPTHRESHOLD[3];UNITNUMRED[2];UNITNUMBLUE[2];UNIT[1,1,panzer,0,10,0];"    \
    "UNIT[1,2,attacker,0,7,0];UNIT[4,1,infantry,1,10,0];UNIT[4,2,fighter,1,10,0];MAP[0,0,0,0,0,0];"          \
    "MAP[0,1,1,1,1,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

/* One blow of red's attacker ends it, though blue has more than red. */
#define LAST                                                                                                 \
    "SIZEX[6];SIZEY[3];TURNLIMIT[6];HPTHRESHOLD[3];UNITNUMRED[1];UNITNUMBLUE[1];UNIT[1,1,attacker,0,6,0];"   \
    "UNIT[4,1,panzer,1,7,0];MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

/* ---- players by script ---- */

struct step {
    const char *say; /* NULL: pass; "!": something illegal */
    int64_t spent;
    enum player_fault fault;
    int64_t setup;
};

/* The last step is repeated. */
struct script {
    int count;
    const struct step *steps;
};

struct scripted {
    struct player player;
    struct script script;
    int64_t *now;
    int asked;
    struct ask last; /* what the last ask was */
    int history_count;
    uint64_t history_id;
};

static void choose_scripted(struct player *player, const struct ask *ask, struct answer *out) {
    struct scripted *p = (struct scripted *)player;
    const int i = p->asked < p->script.count ? p->asked : p->script.count - 1;
    const struct step *step = &p->script.steps[i];
    struct err e = {{0}};
    p->asked++;
    p->last = *ask;
    p->history_count = ask->history != NULL ? ask->history->count : -1;
    p->history_id = ask->history != NULL ? ask->history->id : 0;
    *p->now += step->spent + step->setup;
    out->fault = step->fault;
    out->setup_ns = step->setup;
    if (step->fault != PLAYER_FAULT_NONE)
        snprintf(out->reason, sizeof out->reason, "it did what is called %s",
                 player_fault_names[step->fault]);
    out->chosen = TBS_PASS;
    struct tbs_position position;
    tbs_position_of(ask->view, &position);
    if (step->say != NULL && strcmp(step->say, "!") == 0) /* the other side's unit */
        out->chosen = tbs_action(ask->side == 0 ? position.unit_count - 1 : 0, 2, 1, TBS_NO_TARGET);
    else if (step->say != NULL && !ask->game->text->read_action(ask->view, step->say, &out->chosen, &e))
        fail_msg("%s", e.text);
}

static void close_nothing(struct player *player) {
    (void)player;
}

static void describe_transcript(const struct player *player, struct player_transcript *out) {
    (void)player;
    text_add(&out->command, "./bot --fast");
    text_add(&out->sent, "sjp 1\ngo time 950\n");
    text_add(&out->tail, "> go time 950\n< bset 3:4,2\n! help\n");
}

static const struct player_type inside = {
    .name = "inside", .choose = choose_scripted, .close = close_nothing};
static const struct player_type outside = {
    .name = "outside", .choose = choose_scripted, .close = close_nothing, .transcript = describe_transcript};

/* ---- a game of two scripts ---- */

struct scene {
    struct scenario *scenario;
    int64_t now;
    struct clock clock;
    struct scripted players[2];
    struct timing timing;
    struct game_run game_run;
    struct game_run_result result;
};

static void scene_init(struct scene *s, const char *map, struct script red, struct script blue) {
    *s = (struct scene){.scenario = map_scenario(map), .now = 12345};
    s->clock = clock_manual(&s->now);
    s->players[0] = (struct scripted){.player = {&outside}, .script = red, .now = &s->now};
    s->players[1] = (struct scripted){.player = {&inside}, .script = blue, .now = &s->now};
    s->game_run = (struct game_run){.game.scenario = s->scenario,
                                    .names = {"red one", "blue one"},
                                    .players = {&s->players[0].player, &s->players[1].player},
                                    .game.seed = 77,
                                    .clock = &s->clock};
}

static void scene_play(struct scene *s, const char *clock) {
    struct err e = {{0}};
    if (clock != NULL) {
        if (!timing_read(clock, &s->timing, &e))
            fail_msg("%s", e.text);
        s->game_run.game.timing = &s->timing;
    }
    if (!game_run_play(&s->game_run, &s->result, &e))
        fail_msg("%s", e.text);
}

static void scene_done(struct scene *s) {
    game_run_result_done(&s->result);
    game_unload(s->scenario);
}

#define SCRIPT(...)                                                                                          \
    ((struct script){sizeof((const struct step[])__VA_ARGS__) / sizeof(struct step),                         \
                     (const struct step[])__VA_ARGS__})

static void a_game_is_played_to_its_end(void **state) {
    (void)state;
    struct scene s;
    scene_init(&s, MAP_ROW, SCRIPT({{"0:3,1x1", 2 * S}, {"0:3,1x1", 5 * S}}), SCRIPT({{"1:4,1", S}}));
    scene_play(&s, NULL);
    const struct game_run_result *r = &s.result;
    assert_false(r->stopped);
    assert_true(is_near(r->outcome.payoff, 1));
    assert_int_equal(r->outcome.actions, 3);
    assert_int_equal(r->outcome.decisions[0], 2);
    assert_int_equal(r->outcome.decisions[1], 1);
    assert_true(r->outcome.think_ns[0] == 7 * S && r->outcome.think_ns[1] == S);
    assert_true(r->outcome.longest_ns[0] == 5 * S && r->outcome.longest_ns[1] == S);
    assert_int_equal(r->outcome.forfeiter, NOBODY);
    assert_int_equal(r->outcome.fault, PLAYER_FAULT_NONE);
    assert_int_equal(r->outcome.lead_changes, 0);
    assert_int_equal(r->fault_report.size, 0);
    assert_int_equal(r->record.count, 3);
    assert_true(is_near((double)r->record.actions[1].milliseconds, 1000));
    assert_string_equal(r->record.result, "red annihilation");
    assert_string_equal(r->record.players[0], "red one");
    assert_string_equal(r->record.players[1], "blue one");
    assert_string_equal(r->record.comment, "");
    assert_true(r->record.seed == 77);
    /* the last ask: no limits, the game so far */
    const struct scripted *red = &s.players[0];
    assert_true(red->last.time.limit_ns == 0 && red->last.budget.deadline_ns == 0);
    assert_ptr_equal(red->last.budget.clock, &s.clock);
    assert_int_equal(red->history_count, 2);
    assert_true(red->history_id == 77);
    scene_done(&s);
}

/* Without a clock there are no times. */
static void games_need_no_clock(void **state) {
    (void)state;
    struct scene s;
    scene_init(&s, MAP_ROW, SCRIPT({{NULL, S}}), SCRIPT({{NULL, S}}));
    s.game_run.clock = NULL;
    scene_play(&s, NULL);
    assert_true(is_near(s.result.outcome.payoff, 0.5));
    assert_int_equal(s.result.outcome.turns, 6);
    assert_true(s.result.outcome.think_ns[0] == 0 && s.result.outcome.longest_ns[1] == 0);
    for (int i = 0; i < s.result.record.count; i++)
        assert_true(s.result.record.actions[i].milliseconds < 0);
    scene_done(&s);
}

/* ---- clocks ---- */

/* One unit a side, so that every pass is a turn: three of each side. Red spends these times. */
static void clocks_rule_at_their_limits(void **state) {
    (void)state;
    static const struct {
        const char *clock;
        int64_t spent[3];
        int late; /* which of them is one nanosecond too much */
    } cases[] = {
        {"turn=10,grace=0", {10 * S, 10 * S, 10 * S}, -1},
        {"turn=10,grace=0", {10 * S, 10 * S + 1, 0}, 1},
        {"turn=10,grace=0.5", {10 * S + S / 2, 10 * S + S / 2, 10 * S + S / 2}, -1},
        {"turn=10,grace=0.5", {10 * S + S / 2, 10 * S, 10 * S + S / 2 + 1}, 2},
        {"move=1,grace=0", {S, S, S}, -1},
        {"move=1,grace=0", {S + 1, 0, 0}, 0},
        {"move=1,turn=10,grace=0.25", {S, S + S / 4, S + S / 4 + 1}, 2},
        {"game=9,grace=0", {3 * S, 3 * S, 3 * S}, -1},
        {"game=9,grace=0", {3 * S, 3 * S, 3 * S + 1}, 2},
        {"game=9,grace=0.5", {9 * S, S / 4, S / 4}, -1},
        {"game=9,grace=0.5", {9 * S, S / 4, S / 4 + 1}, 2},
        {"game=9,increment=2,grace=0", {9 * S, 2 * S, 2 * S}, -1},
        {"game=9,increment=2,grace=0", {9 * S, 2 * S, 2 * S + 1}, 2},
        {"game=9,increment=2,grace=0", {8 * S, 3 * S + 1, 0}, 1},
        {"game=9,byoyomi=3,grace=0", {12 * S, 3 * S, 3 * S}, -1},
        {"game=9,byoyomi=3,grace=0", {8 * S, 4 * S, 3 * S}, -1},
        {"game=9,byoyomi=3,grace=0", {12 * S, 3 * S, 3 * S + 1}, 2},
        {"game=9,byoyomi=3,grace=0", {12 * S + 1, 0, 0}, 0},
        {"game=9,byoyomi=3,grace=0.5", {12 * S + S / 2, 3 * S + S / 2, 3 * S + S / 2}, -1},
        {"game=9,byoyomi=3,grace=0.5", {12 * S + S / 2, 3 * S + S / 2 + 1, 0}, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int side = 0; side < 2; side++) { /* the same clock for both sides */
            struct scene s;
            struct step steps[3] = {{0}};
            const struct step still = {0};
            for (int k = 0; k < 3; k++)
                steps[k].spent = cases[i].spent[k];
            const struct script slow = {3, steps}, fast = {1, &still};
            scene_init(&s, MAP_ROW, side == 0 ? slow : fast, side == 0 ? fast : slow);
            scene_play(&s, cases[i].clock);
            const bool late = cases[i].late >= 0;
            if (s.result.outcome.forfeiter != (late ? side : NOBODY))
                fail_msg("%s, case %zu: %s", cases[i].clock, i, s.result.record.comment);
            assert_int_equal(s.result.outcome.fault, late ? PLAYER_FAULT_LATE : PLAYER_FAULT_NONE);
            assert_int_equal(s.result.outcome.decisions[side], late ? cases[i].late + 1 : 3);
            /* the late answer is not played */
            assert_int_equal(s.result.outcome.actions, late ? 2 * cases[i].late + side : 6);
            if (late)
                assert_string_equal(s.result.record.result, side == 0 ? "blue late" : "red late");
            scene_done(&s);
        }
}

/* Two decisions a turn share its time. */
static void decisions_share_a_turn(void **state) {
    (void)state;
    struct scene s;
    scene_init(&s, TWO, SCRIPT({{"0:1,1", 6 * S}, {"1:1,2", 4 * S}, {NULL, 10 * S}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "turn=10,grace=0");
    assert_int_equal(s.result.outcome.forfeiter, NOBODY);
    scene_done(&s);
    scene_init(&s, TWO, SCRIPT({{"0:1,1", 6 * S}, {"1:1,2", 4 * S + 1}, {NULL, 0}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "turn=10,grace=0");
    assert_int_equal(s.result.outcome.fault, PLAYER_FAULT_LATE);
    assert_string_equal(s.result.record.comment, "red forfeits: late, after 4.00 s of 4.00 s");
    scene_done(&s);
    /* a move's time is each decision's */
    scene_init(&s, TWO, SCRIPT({{"0:1,1", 6 * S}, {"1:1,2", 6 * S}, {NULL, 6 * S}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "move=6,grace=0");
    assert_int_equal(s.result.outcome.forfeiter, NOBODY);
    scene_done(&s);
    /* increments come with turns, not with decisions */
    scene_init(&s, TWO, SCRIPT({{"0:1,1", 6 * S}, {"1:1,2", 4 * S + 1}, {NULL, 0}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "game=10,increment=1,grace=0");
    assert_int_equal(s.result.outcome.fault, PLAYER_FAULT_LATE);
    scene_done(&s);
    scene_init(&s, TWO, SCRIPT({{"0:1,1", 6 * S}, {"1:1,2", 4 * S}, {NULL, S}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "game=10,increment=1,grace=0");
    assert_int_equal(s.result.outcome.forfeiter, NOBODY);
    scene_done(&s);
}

/* The ask holds the time at which the clock runs out, and its budget the time for the answer. */
static void asks_hold_the_time(void **state) {
    (void)state;
    struct scene s;
    scene_init(&s, TWO, SCRIPT({{"0:1,1", 2 * S}, {"!", 0}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "turn=10,grace=0.5,patience=3");
    const struct ask *ask = &s.players[0].last;
    assert_int_equal(s.players[0].asked, 2);
    assert_int_equal(ask->taken, 1);
    assert_true(ask->time.limit_ns == 8 * S + S / 2);
    assert_true(ask->time.patience_ns == 3 * S);
    assert_true(ask->time.share_ns > 7 * S && ask->time.share_ns < 8 * S);
    assert_true(ask->budget.deadline_ns == s.now + ask->time.share_ns);
    scene_done(&s);
}

/* Starting a program is not its time. */
static void starting_a_player_is_not_its_time(void **state) {
    (void)state;
    struct scene s;
    scene_init(&s, MAP_ROW, SCRIPT({{NULL, S, PLAYER_FAULT_NONE, 30 * S}, {NULL, 10 * S}}),
               SCRIPT({{NULL, 0}}));
    scene_play(&s, "turn=10,grace=0");
    assert_int_equal(s.result.outcome.forfeiter, NOBODY);
    assert_true(s.result.outcome.think_ns[0] == 21 * S);
    assert_true(s.result.outcome.longest_ns[0] == 10 * S);
    assert_true(is_near((double)s.result.record.actions[0].milliseconds, 1000));
    scene_done(&s);
}

/* ---- rulings ---- */

static void check_bundle(const struct game_run_result *r, int side) {
    struct fault_report b;
    struct err e = {{0}};
    fault_report_init(&b);
    if (!fault_report_read("bundle", text_string(&r->fault_report), r->fault_report.size, &b, &e))
        fail_msg("%s", e.text);
    assert_int_equal(b.fault, r->outcome.fault);
    assert_int_equal(b.side, side);
    assert_string_equal(b.reason, r->record.comment);
    assert_string_equal(text_string(&b.clock), "10 s a turn");
    assert_true(is_near(b.limit_ms, 10500));
    assert_true(is_near(b.patience_ms, 2000));
    assert_int_equal(b.record.count, r->record.count);
    for (int i = 0; i < b.record.count; i++)
        assert_int_equal(b.record.actions[i].action, r->record.actions[i].action);
    assert_string_equal(b.record.result, r->record.result);
    assert_string_equal(text_string(&b.transcript.command), side == 0 ? "./bot --fast" : "");
    assert_string_equal(text_string(&b.transcript.sent), side == 0 ? "sjp 1\ngo time 950\n" : "");
    assert_string_equal(text_string(&b.transcript.tail),
                        side == 0 ? "> go time 950\n< bset 3:4,2\n! help\n" : "");
    fault_report_done(&b);
}

static void every_fault_is_a_result(void **state) {
    (void)state;
    for (int fault = PLAYER_FAULT_NONE + 1; fault < PLAYER_FAULTS; fault++)
        for (int side = 0; side < 2; side++) {
            struct scene s;
            const struct step good = {"0:2,1", S}, bad = {NULL, S, (enum player_fault)fault, 0};
            const struct step pass = {0};
            const struct step red[2] = {good, bad};
            char expected[64];
            scene_init(&s, MAP_ROW, (struct script){side == 0 ? 2 : 1, red},
                       (struct script){1, side == 1 ? &bad : &pass});
            scene_play(&s, "turn=10,grace=0.5");
            const struct game_run_result *r = &s.result;
            assert_false(r->stopped);
            assert_int_equal(r->outcome.forfeiter, side);
            assert_int_equal(r->outcome.fault, fault);
            assert_true(is_near(r->outcome.payoff, side == 0 ? 0 : 1));
            assert_int_equal(r->outcome.actions, side == 0 ? 2 : 1);
            assert_int_equal(r->record.count, r->outcome.actions);
            snprintf(expected, sizeof expected, "%s %s", side == 0 ? "blue" : "red",
                     player_fault_names[fault]);
            assert_string_equal(r->record.result, expected);
            snprintf(expected, sizeof expected, "%s forfeits: it did what is called %s",
                     side == 0 ? "red" : "blue", player_fault_names[fault]);
            assert_string_equal(r->record.comment, expected);
            check_bundle(r, side);
            scene_done(&s);
        }
}

static void illegal_actions_are_ruled(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        struct scene s;
        const struct step illegal = {"!", S}, pass = {0};
        scene_init(&s, MAP_ROW, (struct script){1, side == 0 ? &illegal : &pass},
                   (struct script){1, side == 1 ? &illegal : &pass});
        scene_play(&s, "turn=10,grace=0.5");
        assert_int_equal(s.result.outcome.forfeiter, side);
        assert_int_equal(s.result.outcome.fault, PLAYER_FAULT_ILLEGAL);
        assert_string_equal(s.result.record.comment,
                            side == 0 ? "red forfeits: 1:2,1 is illegal" : "blue forfeits: 0:2,1 is illegal");
        assert_int_equal(s.result.outcome.actions, side);
        assert_int_equal(s.result.outcome.lead_changes, 0);
        check_bundle(&s.result, side);
        scene_done(&s);
    }
}

/* A fault gets its own ruling, also when it came late; a late answer is not evaluated. */
static void the_first_ruling_counts(void **state) {
    (void)state;
    struct scene s;
    scene_init(&s, MAP_ROW, SCRIPT({{"!", 11 * S}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "turn=10,grace=0.5");
    assert_int_equal(s.result.outcome.fault, PLAYER_FAULT_LATE);
    assert_string_equal(s.result.record.comment, "red forfeits: late, after 11.00 s of 10.50 s");
    scene_done(&s);
    scene_init(&s, MAP_ROW, SCRIPT({{NULL, 13 * S, PLAYER_FAULT_HANG}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, "turn=10,grace=0.5");
    assert_int_equal(s.result.outcome.fault, PLAYER_FAULT_HANG);
    assert_true(s.result.outcome.think_ns[0] == 13 * S);
    scene_done(&s);
}

/* ---- stopping and watching ---- */

struct watcher {
    int calls, stop_at;
    atomic_bool stop;
};

static void watch(void *context, const void *game_state, const struct record *record) {
    struct watcher *w = context;
    assert_non_null(game_state);
    assert_int_equal(record->count, w->calls); /* one more each time */
    w->calls++;
    if (w->calls == w->stop_at)
        atomic_store(&w->stop, true);
}

static void a_stopped_game_has_no_result(void **state) {
    (void)state;
    for (int stop_at = 1; stop_at <= 8; stop_at++) {
        struct scene s;
        struct watcher w = {.stop_at = stop_at};
        scene_init(&s, MAP_ROW, SCRIPT({{NULL, 0}}), SCRIPT({{NULL, 0}}));
        s.game_run.watch = watch;
        s.game_run.context = &w;
        s.game_run.stop = &w.stop;
        scene_play(&s, NULL);
        /* six passes end it: then nothing is left to stop */
        assert_int_equal(s.result.stopped, stop_at <= 6);
        assert_int_equal(w.calls, stop_at < 7 ? stop_at : 7);
        assert_int_equal(s.result.record.count, w.calls - 1);
        assert_int_equal(s.result.fault_report.size, 0);
        scene_done(&s);
    }
}

/* ---- the lead ---- */

static void leads_change_at_the_ends_of_turns(void **state) {
    (void)state;
    struct scene s;
    /* red attacks and leads, then blue attacks and leads */
    scene_init(&s, LEADS, SCRIPT({{"0:3,1x2", 0}, {NULL, 0}}), SCRIPT({{"3:2,2x1", 0}, {NULL, 0}}));
    scene_play(&s, NULL);
    assert_int_equal(s.result.outcome.lead_changes, 1);
    scene_done(&s);
    /* blue was ahead at the end of the first turn already */
    scene_init(&s, LEADS, SCRIPT({{NULL, 0}}), SCRIPT({{"3:2,2x1", 0}, {NULL, 0}}));
    scene_play(&s, NULL);
    assert_int_equal(s.result.outcome.lead_changes, 0);
    scene_done(&s);
    /* no attack and no leading side: both sides are equal */
    scene_init(&s, MAP_ROW, SCRIPT({{NULL, 0}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, NULL);
    assert_int_equal(s.result.outcome.lead_changes, 0);
    scene_done(&s);
    /* the side that destroys the last enemy leads at the end */
    scene_init(&s, LAST, SCRIPT({{NULL, 0}, {"0:3,1x1", 0}}), SCRIPT({{NULL, 0}}));
    scene_play(&s, NULL);
    assert_string_equal(s.result.record.result, "red annihilation");
    assert_int_equal(s.result.outcome.lead_changes, 1);
    scene_done(&s);
}

/* Counted anew from the record: signs at the ends of turns, without the draws. */
static int count_leads(const struct record *record, const struct scenario *scenario) {
    const struct game *game = scenario->game;
    double weights[GAME_WEIGHTS_MAX];
    struct replay replay;
    struct err e;
    int changes = 0, leader = 0, turn;
    weights_default(game, weights);
    replay_start(&replay, record, scenario);
    turn = game->turn(replay.state);
    while (replay.next < record->count) {
        assert_true(replay_step(&replay, &e));
        if (game->turn(replay.state) == turn && game->mover(replay.state) != NOBODY)
            continue;
        turn = game->turn(replay.state);
        const double value = game->evals[0].value(replay.state, 1, weights);
        const int sign = value > 0 ? 1 : value < 0 ? -1 : 0;
        changes += sign != 0 && leader == -sign;
        leader = sign != 0 ? sign : leader;
    }
    return changes;
}

static void leads_are_those_of_the_record(void **state) {
    (void)state;
    struct scenario *scenario = own_map("skirmish_open");
    struct err e;
    struct player *players[2];
    int sum = 0;
    for (int side = 0; side < 2; side++)
        players[side] = player_open("random", scenario->game, &e);
    for (uint64_t seed = 0; seed < 60; seed++) {
        const struct game_run game_run = {.game.scenario = scenario,
                                          .names = {"a", "b"},
                                          .players = {players[0], players[1]},
                                          .game.seed = seed};
        struct game_run_result r;
        assert_true(game_run_play(&game_run, &r, &e));
        assert_int_equal(r.outcome.lead_changes, count_leads(&r.record, scenario));
        sum += r.outcome.lead_changes;
        game_run_result_done(&r);
    }
    assert_true(sum > 20);
    for (int side = 0; side < 2; side++)
        player_close(players[side]);
    game_unload(scenario);
}

/* ---- memory ---- */

static void play_scene(void *context) {
    scene_play(context, NULL);
}

/* Only the result is changed, and it is freed. (The test of fault reports has their JSON.) */
static void a_game_can_run_out_of_memory(void **state) {
    (void)state;
    bool was_short = true;
    long n = 1;
    for (; was_short && n < 500; n++) {
        struct scene s;
        scene_init(&s, MAP_ROW, SCRIPT({{"0:3,1x1", 0}, {"0:3,1x1", 0}}), SCRIPT({{"1:4,1", 0}}));
        was_short = memory_runs_out(n, play_scene, &s);
        if (was_short)
            s.result = (struct game_run_result){0};
        else
            assert_int_equal(s.result.record.count, 3);
        scene_done(&s);
    }
    assert_false(was_short);
    assert_true(n > 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_game_is_played_to_its_end),
        cmocka_unit_test(games_need_no_clock),
        cmocka_unit_test(clocks_rule_at_their_limits),
        cmocka_unit_test(decisions_share_a_turn),
        cmocka_unit_test(asks_hold_the_time),
        cmocka_unit_test(starting_a_player_is_not_its_time),
        cmocka_unit_test(every_fault_is_a_result),
        cmocka_unit_test(illegal_actions_are_ruled),
        cmocka_unit_test(the_first_ruling_counts),
        cmocka_unit_test(a_stopped_game_has_no_result),
        cmocka_unit_test(leads_change_at_the_ends_of_turns),
        cmocka_unit_test(leads_are_those_of_the_record),
        cmocka_unit_test(a_game_can_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
