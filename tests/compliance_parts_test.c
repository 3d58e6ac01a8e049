/* SPDX-License-Identifier: MIT
 *
 * Parts of the examination of engines: what an engine receives before its first question (the game with its
 * options, and the map or what its side sees), the judgement of its answers, and options that it refuses.
 * These functions are private to their file, so the test includes it.
 */
/* The library has these tables, too. */
#define compliance_items        own_compliance_items
#define compliance_result_names own_compliance_result_names
#include "protocol/compliance.c"

#include "own_maps.h"
#include "player/player.h"
#include "protocol/talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct scenario *load(const char *spec) {
    struct err e;
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}

static void expect_opening(const char *spec, const char *newgame, const char *position) {
    struct scenario *scenario = load(spec);
    struct position p = {.scenario = scenario, .map = "start"};
    struct text first = {0}, second = {0};
    char place[80];
    rng_seed(&p.rng, 1);
    scenario->game->start(p.state, scenario, &p.rng);
    write_opening(&p, "\r\n", &first, &second);
    assert_string_equal(text_string(&first), newgame);
    assert_string_equal(text_string(&second), position);
    describe(&p, place);
    assert_string_equal(place, "start after 0 actions");
    text_done(&first);
    text_done(&second);
    game_unload(scenario);
}

static void games_come_with_their_options(void **state) {
    (void)state;
    expect_opening("geister", "newgame geister\r\n",
                   "position board=14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u mover=first ply=setup "
                   "from=- moves=-\r\n");
    expect_opening("geister:rules=uctgeister", "newgame geister rules=uctgeister\r\n",
                   "position board=14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u mover=first ply=setup "
                   "from=- moves=-\r\n");
    expect_opening("kuhn", "newgame kuhn\r\n", "position cards=K,? moves=-\r\n");
}

/* Line by line, each with the end that was asked for. */
static void maps_are_sent_line_by_line(void **state) {
    (void)state;
    static const char first[] = "map\r\nSIZEX[6];SIZEY[6];\r\nTURNLIMIT[16];HPTHRESHOLD[3];\r\n"
                                "UNITNUMRED[2];UNITNUMBLUE[2];\r\nAUTHOR[senjutsu];\r\nMAPCOM[";
    static const char last[] =
        "];\r\nUNIT[2,2,infantry,0,10,0];\r\nUNIT[1,1,panzer,0,10,0];\r\nUNIT[3,3,infantry,1,10,0];\r\n"
        "UNIT[4,4,panzer,1,10,0];\r\nMAP[0,0,0,0,0,0];\r\nMAP[0,1,3,1,1,0];\r\nMAP[0,3,4,1,3,0];\r\n"
        "MAP[0,3,1,4,3,0];\r\nMAP[0,1,1,3,1,0];\r\nMAP[0,0,0,0,0,0];\r\nendmap\r\n";
    struct scenario *scenario = own_map("duel");
    const struct position p = {.scenario = scenario, .map = "duel"};
    struct text newgame = {0}, map = {0};
    write_opening(&p, "\r\n", &newgame, &map);
    assert_string_equal(text_string(&newgame), "newgame tbs\r\n");
    assert_memory_equal(text_string(&map), first, strlen(first));
    assert_true(map.size > strlen(first) + strlen(last));
    assert_string_equal(text_string(&map) + map.size - strlen(last), last);
    text_done(&newgame);
    text_done(&map);
    game_unload(scenario);
}

/* ---- answers ---- */

/* A check of one item, at the start of a small map. */
struct desk {
    struct scenario *scenario;
    struct compliance_check check;
    struct compliance_finding finding;
    struct position position;
};

static void desk_open(struct desk *d) {
    *d = (struct desk){.scenario = own_map("duel")};
    d->check.finding = &d->finding;
    d->position = (struct position){.scenario = d->scenario, .map = "duel"};
    rng_seed(&d->position.rng, 1);
    d->scenario->game->start(d->position.state, d->scenario, &d->position.rng);
    d->check.answer = (struct talk_answer){0};
}

static void desk_close(struct desk *d) {
    text_done(&d->check.answer.lines);
    game_unload(d->scenario);
}

static void answer_with(struct desk *d, enum talk_end end, const char *lines) {
    text_clear(&d->check.answer.lines);
    text_add_string(&d->check.answer.lines, lines);
    d->check.answer.end = end;
    d->finding = (struct compliance_finding){.result = COMPLIANCE_PASS};
    d->check.foreign = (struct talk_strays){0};
}

struct judged {
    const char *command, *lines, *message; /* NULL: good */
    long foreign;
};

static void answers_to_go_are_judged(void **state) {
    (void)state;
    static const struct judged cases[] = {
        {"go", "best 1:1,2\n", NULL, 0},
        {"go", "info work 3\nbest 1:1,2\n", NULL, 0},
        {"go", "hello\nbest 1:1,2\n", NULL, 1},
        {"go", "best 1:1,2\ninfo work 3\nmore\n", NULL, 2},
        {"go", "", "`go` was answered with 0 `best` lines; expected: one, then ok", 0},
        {"go", "best 1:1,2\nbest 1:1,2\n", "`go` was answered with 2 `best` lines; expected: one, then ok",
         0},
        {"go turn", "best 1:1,2 0:2,1\n", NULL, 0},
        {"go turn", "best pass\n", NULL, 0},
        {"go turn", "best 1:1,2\n",
         "duel after 0 actions: `go turn` was answered with 1 action, after which the turn goes on; "
         "expected: actions that end "
         "it",
         0},
        {"go turn", "best 1:1,2 pass pass\n",
         "duel after 0 actions: `go turn` was answered with actions beyond the turn, `pass` …", 0},
    };
    struct desk d;
    desk_open(&d);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text best = {0};
        answer_with(&d, TALK_OK, cases[i].lines);
        const bool ok = judge_go(&d.check, &d.position, cases[i].command, &best);
        assert_string_equal(d.finding.message, cases[i].message != NULL ? cases[i].message : "");
        assert_int_equal(ok, cases[i].message == NULL);
        assert_int_equal(d.check.foreign.count, cases[i].foreign);
        assert_int_equal(d.finding.result, ok ? COMPLIANCE_PASS : COMPLIANCE_FAIL);
        if (ok)
            assert_memory_equal(strstr(cases[i].lines, "best ") + 5, text_string(&best), best.size);
        text_done(&best);
    }
    desk_close(&d);
}

static void actions_that_are_none_are_quoted(void **state) {
    (void)state;
    struct desk d;
    desk_open(&d);
    for (int turn = 0; turn < 2; turn++) {
        answer_with(&d, TALK_OK, "best 7:1,2\n");
        assert_false(judge_go(&d.check, &d.position, turn == 0 ? "go" : "go turn", NULL));
        const char *start = turn == 0 ? "duel after 0 actions: `go`: " : "duel after 0 actions: `go turn`: ";
        assert_memory_equal(d.finding.message, start, strlen(start));
        assert_non_null(strstr(d.finding.message, "7:1,2"));
    }
    desk_close(&d);
}

static void other_answers_are_quoted(void **state) {
    (void)state;
    static const struct {
        enum talk_end end;
        const char *lines, *message;
    } cases[] = {
        {TALK_OK, "one\ntwo\n", "`x` was answered with `one`; expected: y"},
        {TALK_OK, "", "`x` was answered with `ok`; expected: y"},
        {TALK_LIST, "", "`x` was answered with `end`; expected: y"},
        {TALK_ERROR, "", "`x` was answered with `error WORDS`; expected: y"},
        {TALK_SILENCE, "", "after `x`: WORDS; expected: y"},
        {TALK_DEATH, "", "after `x`: WORDS; expected: y"},
    };
    struct desk d;
    desk_open(&d);
    snprintf(d.check.answer.message, sizeof d.check.answer.message, "WORDS");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        answer_with(&d, cases[i].end, cases[i].lines);
        assert_false(fail_answer(&d.check, "x", "y"));
        assert_string_equal(d.finding.message, cases[i].message);
    }
    assert_false(conclude(&d.check, COMPLIANCE_FAIL, "another")); /* the first counts */
    assert_false(conclude(&d.check, COMPLIANCE_PASS, "passed"));
    assert_string_equal(d.finding.message, cases[5].message);
    answer_with(&d, TALK_OK, "");
    assert_false(conclude(&d.check, COMPLIANCE_SKIPPED, "no \x1b need"));
    assert_string_equal(d.finding.message, "no ? need");
    assert_int_equal(d.finding.result, COMPLIANCE_SKIPPED);
    desk_close(&d);
}

/* ---- options ---- */

/* An engine that has the option "a" only. */
static void expect_handshake(struct desk *d, const char *options) {
    const struct clock clock = clock_system();
    struct compliance_report report = {0};
    struct ext_options engine = {
        .cmd = "while read -r line; do case $line in sjp*) echo id name x; echo game tbs; echo ok ;; "
               "'setoption a '*) echo ok ;; *) echo error no ;; esac; done"};
    struct scenario *const scenarios[] = {d->scenario};
    const struct compliance setup = {
        .talk = {.engine = &engine, .grant = &grant_everything, .clock = &clock, .timeout_s = 60},
        .scenarios = scenarios,
        .map_count = 1};
    snprintf(engine.options, sizeof engine.options, "%s", options);
    answer_with(d, TALK_OK, "");
    d->check.setup = &setup;
    d->check.report = &report;
    d->check.talk = (struct talk){.setup = &setup.talk};
    assert_true(open_talk(&d->check));
    const bool good = shake_hands(&d->check);
    assert_int_equal(good, d->finding.result == COMPLIANCE_PASS);
    assert_string_equal(report.name, "x");
    talk_close(&d->check.talk, 0);
    d->check.setup = NULL;
}

static void options_may_be_refused(void **state) {
    (void)state;
    struct desk d;
    desk_open(&d);
    expect_handshake(&d, "a=1;a=2 3");
    assert_int_equal(d.finding.result, COMPLIANCE_PASS);
    expect_handshake(&d, "b=1;a=1");
    assert_string_equal(d.finding.message, "`setoption b 1` was answered with `error no`; expected: ok");
    expect_handshake(&d, "a=1;bc=2 3;d=4");
    assert_string_equal(d.finding.message, "`setoption bc 2 3` was answered with `error no`; expected: ok");
    desk_close(&d);
}

/* ---- fault reports ---- */

/* Which engine a fault report is about: the longest command is still one. */
static void bundles_name_their_engine(void **state) {
    (void)state;
    static struct fault_report fault_report;
    struct ext_options engine;
    struct err e;
    char expected[80];
    while (fault_report.transcript.command.size < sizeof engine.cmd - 1)
        text_add_string(&fault_report.transcript.command, "x");
    assert_true(reproduce_engine(&fault_report, &engine, &e));
    assert_string_equal(engine.cmd, text_string(&fault_report.transcript.command));
    text_add_string(&fault_report.transcript.command, "x");
    assert_false(reproduce_engine(&fault_report, &engine, &e));
    snprintf(expected, sizeof expected, "its command is longer than %zu characters", sizeof engine.cmd - 1);
    assert_string_equal(e.text, expected);
    text_done(&fault_report.transcript.command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_come_with_their_options), cmocka_unit_test(maps_are_sent_line_by_line),
        cmocka_unit_test(answers_to_go_are_judged),      cmocka_unit_test(actions_that_are_none_are_quoted),
        cmocka_unit_test(other_answers_are_quoted),      cmocka_unit_test(options_may_be_refused),
        cmocka_unit_test(bundles_name_their_engine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
