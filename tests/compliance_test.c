/* SPDX-License-Identifier: MIT
 *
 * The compliance test of engines and the repeating of faults, against engines that are right, that are wrong
 * in one way each, and that misbehave.
 */
#include "match/batch.h"
#include "outside_support.h"
#include "own_maps.h"
#include "protocol/talk.h"
#include "player/player.h"
#include "sample.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { MAPS = 3, EXAMINATIONS_MAX = 24, AT_ONCE = 6 };

static const char *const map_names[MAPS] = {"duel", "standard", "battle16"};
static struct scenario *scenarios[MAPS];
static struct clock system_clock;
static char bot_path[] = "/tmp/senjutsu-bot-XXXXXX";

/* An engine in sh that passes, and has one defect, which $1 selects. It reads and answers line by line; in
 * mode `chunks` it takes the result of one read as one command. */
static const char bot_script[] =
    "mode=$1 goes=0 in_map=no seeded=pass\n"
    "answer() {\n"
    "    case $1 in\n"
    "    sjp*)\n"
    "        echo id name bot; echo id version 1\n"
    "        if [ $mode = game ]; then echo game chess; else echo game tbs; fi\n"
    "        if [ $mode = option ]; then echo option depth; fi\n"
    "        if [ $mode = number ]; then echo option depth number many; fi\n"
    "        if [ $mode = seed ]; then echo option seed number 1; fi\n"
    "        if [ $mode = banner ]; then echo Welcome; fi\n"
    "        echo ok ;;\n"
    "    newgame*) goes=0; if [ $mode = chatty ]; then echo a new game; fi; echo ok ;;\n"
    "    go*) go \"$1\" ;;\n"
    "    play*) if [ $mode = refuse ]; then case $1 in *999*|*99,99|*nonsense) echo error no; return ;; "
    "esac; fi\n"
    "        echo ok ;;\n"
    "    undo) if [ $mode = undo ]; then echo error never; else echo ok; fi ;;\n"
    "    setoption*) if [ -e $0.seed ]; then seeded=resign; else : >$0.seed; fi; echo ok ;;\n"
    "    stop) if [ $mode = no-stop ]; then echo error never; else echo ok; fi ;;\n"
    "    '') ;;\n"
    "    *) echo error unknown command ;;\n"
    "    esac\n"
    "}\n"
    "go() {\n"
    "    goes=$((goes + 1)) best=pass\n"
    "    case $mode-$1 in\n"
    "    *' turn'*) if [ $mode = single ]; then best=0:2,2; fi ;;\n"
    "    stop-*' 10000') sleep 3 ;;\n"
    "    no-stop-*' 10000') sleep 1 ;;\n"
    "    still-*) case $goes in 1) best=0:2,2 ;; 2) best=1:1,1 ;; *) best=2:3,3 ;; esac ;;\n"
    "    seed-*) best=$seeded ;;\n"
    "    esac\n"
    "    case $mode-$1 in no-turn-*turn*) echo error one at a time; return ;; esac\n"
    "    echo best $best\n"
    "    if [ $mode = afterthought ]; then echo info value 3; fi\n"
    "    echo ok\n"
    "}\n"
    "if [ $mode = chunks ]; then\n"
    "    while chunk=$(dd bs=65536 count=1 2>/dev/null) && [ -n \"$chunk\" ]; do\n"
    "        case $chunk in quit*) exit ;; map*) echo ok ;; *) answer \"${chunk%%\n*}\" ;; esac\n"
    "    done\n"
    "fi\n"
    "while IFS= read -r line; do\n"
    "    [ $mode = cr ] || line=${line%$(printf '\\r')}\n"
    "    if [ $in_map = yes ]; then\n"
    "        [ \"$line\" = endmap ] || continue\n"
    "        in_map=no; echo ok; continue\n"
    "    fi\n"
    "    case $line in\n"
    "    map) in_map=yes ;;\n"
    "    quit) [ $mode = quit ] || break ;;\n"
    "    *[!\\ ]*) answer \"$line\" ;;\n"
    "    esac\n"
    "done\n"
    "if [ $mode = input-end ] && [ \"${line:-}\" != quit ]; then sleep 4; fi\n";

/* ---- support ---- */

static int prepare(void **state) {
    (void)state;
    system_clock = clock_system();
    for (int i = 0; i < MAPS; i++)
        scenarios[i] = own_map(map_names[i]);
    const int fd = mkstemp(bot_path);
    const ssize_t size = (ssize_t)strlen(bot_script);
    const bool written = fd >= 0 && write(fd, bot_script, (size_t)size) == size;
    close(fd);
    return written ? 0 : -1;
}

static int clean(void **state) {
    (void)state;
    for (int i = 0; i < MAPS; i++)
        game_unload(scenarios[i]);
    unlink(bot_path);
    return 0;
}

static void read_engine(const char *command, struct ext_options *out) {
    struct err e;
    assert_true(talk_read_spec("ext:cmd=true", out, &e));
    snprintf(out->cmd, sizeof out->cmd, "%s", command);
}

static struct compliance setup_of(const struct ext_options *engine) {
    return (struct compliance){
        .talk.engine = engine,
        .talk.grant = &grant_everything,
        .talk.clock = &system_clock,
        .scenarios = scenarios,
        .map_names = map_names,
        .map_count = MAPS,
        .positions = SAMPLE(9, 3),
        .seed = 1,
        .talk.timeout_s = 20, /* only for correct engines: a loaded machine is slow */
        .grace_ms = 20000,    /* the same */
    };
}

static const struct compliance_finding *find(const struct compliance_report *report, const char *name) {
    for (int i = 0; i < report->count; i++)
        if (strcmp(report->findings[i].item->name, name) == 0)
            return &report->findings[i];
    fail_msg("no item %s", name);
    return NULL;
}

/* One engine and what is found out about it. */
struct examination {
    struct ext_options engine;
    struct compliance setup;
    struct compliance_report report;
    bool was_run;
};

static struct examination examinations[EXAMINATIONS_MAX];
static int examination_count;
static atomic_int examination_next;

static struct examination *add_examination(const char *command) {
    assert_true(examination_count < EXAMINATIONS_MAX);
    struct examination *x = &examinations[examination_count++];
    read_engine(command, &x->engine);
    x->setup = setup_of(&x->engine);
    return x;
}

static void *examine(void *unused) {
    for (int i; (i = atomic_fetch_add(&examination_next, 1)) < examination_count;) {
        struct err e;
        examinations[i].was_run = compliance_run(&examinations[i].setup, &examinations[i].report, &e);
    }
    return unused;
}

/* Runs all that were added. They wait for their engines most of the time: several do so at once. */
static void examine_all(void) {
    pthread_t threads[AT_ONCE];
    atomic_store(&examination_next, 0);
    for (int i = 0; i < AT_ONCE; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, examine, NULL), 0);
    for (int i = 0; i < AT_ONCE; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < examination_count; i++) {
        const struct compliance_report *report = &examinations[i].report;
        assert_true(examinations[i].was_run);
        assert_false(report->stopped);
        assert_int_equal(report->passed + report->failed + report->skipped, report->count);
    }
    assert_int_equal(outside_zombies(), 0);
}

static void drop_examinations(void) {
    for (int i = 0; i < examination_count; i++)
        compliance_report_done(&examinations[i].report);
    examination_count = 0;
}

static void check_result(const struct compliance_report *report, const char *name,
                         enum compliance_result result, const char *message) {
    const struct compliance_finding *f = find(report, name);
    if (f->result != result || strstr(f->message, message) == NULL)
        fail_msg("%s: %s, '%s'; expected: %s, '%s'", name, compliance_result_names[f->result], f->message,
                 compliance_result_names[result], message);
}

/* Nothing failed but the items named ("a b"). */
static void check_failures(const struct compliance_report *report, const char *names) {
    for (int i = 0; i < report->count; i++) {
        const struct compliance_finding *f = &report->findings[i];
        char padded[400], name[64];
        snprintf(padded, sizeof padded, " %s ", names);
        snprintf(name, sizeof name, " %s ", f->item->name);
        const bool expected = strstr(padded, name) != NULL;
        if (expected != (f->result == COMPLIANCE_FAIL))
            fail_msg("%s: %s, '%s'", f->item->name, compliance_result_names[f->result], f->message);
    }
}

/* ---- the list ---- */

static void items_are_well_formed(void **state) {
    (void)state;
    int count = 0, needed = 0;
    for (const struct compliance_item *item = compliance_items; item->name != NULL; item++) {
        bool found = item->after == NULL;
        for (const struct compliance_item *before = compliance_items; before != item; before++) {
            assert_string_not_equal(before->name, item->name);
            found = found || strcmp(before->name, item->after) == 0;
        }
        assert_true(found); /* earlier items come first */
        assert_true(strlen(item->description) > 10);
        assert_non_null(item->run);
        needed += item->needed;
        count++;
    }
    assert_in_range(count, 16, COMPLIANCE_ITEMS_MAX);
    assert_in_range(needed, 5, count - 1);
}

/* ---- correct engines ---- */

static void our_engine_passes_everything(void **state) {
    (void)state;
    static const char *const players[] = {"acteval", "uct:sims=200"};
    for (size_t i = 0; i < SAMPLE(sizeof players / sizeof players[0], 1); i++) {
        char command[PARAM_TEXT_MAX];
        snprintf(command, sizeof command, "'%s' engine --player %s", outside_senjutsu(), players[i]);
        add_examination(command)->engine.turn = true;
    }
    examine_all();
    for (int i = 0; i < examination_count; i++) {
        const struct compliance_report *report = &examinations[i].report;
        check_failures(report, "");
        assert_int_equal(report->passed, report->count);
        assert_true(report->ready);
        assert_string_equal(report->name, "senjutsu");
        assert_true(find(report, "turn")->needed);
    }
    drop_examinations();
}

/* ---- engines with one defect ---- */

static const struct wrong {
    const char *mode; /* of the script above */
    const char *item; /* that shows it */
    enum compliance_result result;
    const char *message; /* of its finding */
    const char *others;  /* items that fail besides */
    bool ready;
} wrongs[] = {
    {"right", "refuse", COMPLIANCE_FAIL, "`play 999:1,1` was answered with `ok`", "", true},
    {"refuse", "refuse", COMPLIANCE_PASS, "illegal actions refused", "", true},
    {"game", "handshake", COMPLIANCE_FAIL, "it plays chess; expected one of the games known here", "", false},
    {"option", "handshake", COMPLIANCE_FAIL, "`option depth` is not well-formed", "", false},
    {"number", "handshake", COMPLIANCE_FAIL, "`option depth number many` is not well-formed", "", false},
    {"banner", "quiet", COMPLIANCE_FAIL, "`Welcome`", "refuse", false},
    {"chatty", "map", COMPLIANCE_FAIL, "`newgame` was answered with `a new game`; expected: ok alone",
     "line-ends", false},
    {"afterthought", "quiet", COMPLIANCE_FAIL, "the first of them `info value 3`", "refuse", false},
    {"chunks", "queue", COMPLIANCE_FAIL, "no answer", "", false},
    {"still", "still", COMPLIANCE_FAIL, "it is red's turn", "refuse", false},
    {"undo", "undo", COMPLIANCE_FAIL, "`undo` was answered with `error never`", "refuse", true},
    {"single", "turn", COMPLIANCE_FAIL, "after which the turn goes on", "refuse", true},
    {"no-turn", "turn", COMPLIANCE_SKIPPED, "action by action", "refuse", true},
    {"stop", "stop", COMPLIANCE_FAIL, "s after `stop`; expected: 2 s at most", "refuse", true},
    {"no-stop", "stop", COMPLIANCE_FAIL, "`stop` was answered with `error never`", "refuse", true},
    {"seed", "seed", COMPLIANCE_SKIPPED, "cannot be repeated", "refuse", true},
    {"cr", "line-ends", COMPLIANCE_FAIL, "(CR LF)", "refuse", true},
    {"quit", "quit", COMPLIANCE_FAIL, "has not ended 2 s after `quit`", "refuse", false},
    {"input-end", "input-end", COMPLIANCE_FAIL, "has not ended 2 s after its input", "refuse", true},
};

static void check_wrong(const struct wrong *w, const struct compliance_report *report) {
    char names[128];
    check_result(report, w->item, w->result, w->message);
    snprintf(names, sizeof names, "%s %s", w->result == COMPLIANCE_FAIL ? w->item : "", w->others);
    if (strcmp(w->mode, "chunks") != 0)
        check_failures(report, names);
    assert_int_equal(report->ready, w->ready);
    const bool shown = find(report, w->item)->conversation.size > 0;
    assert_int_equal(shown, w->result == COMPLIANCE_FAIL && strcmp(w->item, "quiet") != 0 &&
                                strcmp(w->item, "input-end") != 0);
}

static void each_mistake_is_found_by_its_item(void **state) {
    (void)state;
    enum { WRONGS = sizeof wrongs / sizeof wrongs[0] };
    for (int i = 0; i < WRONGS; i++) {
        char command[PARAM_TEXT_MAX];
        snprintf(command, sizeof command, "sh %s %s", bot_path, wrongs[i].mode);
        struct compliance *setup = &add_examination(command)->setup;
        setup->map_count = 1;
        setup->positions = 1;
        if (strcmp(wrongs[i].mode, "chunks") == 0)
            setup->talk.timeout_s = 2; /* it will not answer */
    }
    examine_all();
    for (int i = 0; i < WRONGS; i++)
        check_wrong(&wrongs[i], &examinations[i].report);
    drop_examinations();
    char seed[64];
    snprintf(seed, sizeof seed, "%s.seed", bot_path);
    unlink(seed);
}

/* An engine that implements the rules but takes no action back: only its answers show it. */
static void an_undo_that_does_nothing_is_found(void **state) {
    (void)state;
    char command[PARAM_TEXT_MAX];
    snprintf(command, sizeof command, "sed -u -e 's/^undo$/stop/' -e '/^quit$/q' | '%s' engine",
             outside_senjutsu());
    const struct compliance_report *report = &add_examination(command)->report;
    examine_all();
    check_result(report, "undo", COMPLIANCE_FAIL, "is illegal");
    check_failures(report, "undo");
    assert_true(report->ready);
    drop_examinations();
}

/* ---- engines that misbehave ---- */

static const struct {
    const char *mode, *item, *message;
} saboteurs[] = {
    {"exit", "start", "exit status 3"},
    {"sleep-start", "handshake", "no answer in"},
    {"crash", "legal", "signal 11"},
    {"exit-mid", "legal", "exit status 3"},
    {"sleep", "legal", "no answer in"},
    {"flood", "legal", "a line of more than"},
    {"flood-lines", "legal", "an answer of more than"},
    {"half-line-exit", "legal", "it ended"},
    {"illegal", "legal", "'0:9999,9999' is no action"},
    {"wrong-game", "legal", "'e2e4' is no action"},
    {"silent-ok", "legal", "0 `best` lines"},
    {"twice", "legal", "2 `best` lines"},
    {"empty", "legal", "'' is no action"},
    {"error", "legal", "error I do not feel like playing"},
    {"garbage", "quiet", "is anybody there?"},
    {"unsolicited", "quiet", "`best pass`"},
    {"late", "clock", "`go time 100` was answered after"},
    {"fork-survivors", "processes", "processes are still there"},
};

static void saboteurs_are_not_ready(void **state) {
    (void)state;
    enum { SABOTEURS = sizeof saboteurs / sizeof saboteurs[0] };
    for (int i = 0; i < SABOTEURS; i++) {
        char command[PARAM_TEXT_MAX];
        snprintf(command, sizeof command, "'%s' %s", outside_saboteur(), saboteurs[i].mode);
        struct compliance *setup = &add_examination(command)->setup;
        if (strncmp(saboteurs[i].mode, "sleep", 5) == 0)
            setup->talk.timeout_s = 1;
        if (strcmp(saboteurs[i].mode, "late") == 0)
            setup->grace_ms = 100;
    }
    examine_all();
    for (int i = 0; i < SABOTEURS; i++) {
        check_result(&examinations[i].report, saboteurs[i].item, COMPLIANCE_FAIL, saboteurs[i].message);
        assert_false(examinations[i].report.ready);
    }
    drop_examinations();
    assert_int_equal(outside_processes_named("saboteur"), 0);
    assert_int_equal(outside_processes_named("sleep"), 0);
}

static void a_failed_start_is_reported(void **state) {
    (void)state;
    const struct compliance_report *report = &add_examination("/no/such/program")->report;
    examine_all();
    check_result(report, "start", COMPLIANCE_FAIL, "cannot be started");
    check_result(report, "clock", COMPLIANCE_SKIPPED, "needs `start`");
    assert_int_equal(report->failed, 1);
    drop_examinations();
}

static void a_stop_ends_it(void **state) {
    (void)state;
    struct ext_options engine;
    struct compliance_report report;
    struct err e;
    atomic_bool stop = true;
    char command[sizeof engine.cmd];
    snprintf(command, sizeof command, "'%s' sleep-start", outside_saboteur());
    read_engine(command, &engine);
    struct compliance setup = setup_of(&engine);
    setup.talk.stop = &stop;
    assert_true(compliance_run(&setup, &report, &e));
    assert_true(report.stopped);
    assert_false(report.ready);
    compliance_report_done(&report);
}

static void only_external_players_are_taken(void **state) {
    (void)state;
    struct ext_options engine;
    struct err e;
    assert_false(talk_read_spec("random", &engine, &e));
    assert_non_null(strstr(e.text, "'random' is one of our own players"));
    assert_false(talk_read_spec("ext", &engine, &e));
    assert_false(talk_read_spec("nobody:cmd=x", &engine, &e));
    assert_true(talk_read_spec("ext:cmd=./bot,options=[level=3]", &engine, &e));
    assert_string_equal(engine.cmd, "./bot");
    assert_string_equal(engine.options, "level=3");
}

/* ---- faults once more ---- */

static const struct {
    const char *mode;
    enum player_fault fault;
} faults[] = {
    {"exit", PLAYER_FAULT_CRASH},           {"exit-mid", PLAYER_FAULT_CRASH},
    {"crash", PLAYER_FAULT_CRASH},          {"half-line-exit", PLAYER_FAULT_CRASH},
    {"sleep", PLAYER_FAULT_HANG},           {"illegal 2", PLAYER_FAULT_ILLEGAL},
    {"wrong-game", PLAYER_FAULT_ILLEGAL},   {"garbage", PLAYER_FAULT_GARBAGE},
    {"flood", PLAYER_FAULT_GARBAGE},        {"silent-ok", PLAYER_FAULT_PROTOCOL},
    {"unsolicited", PLAYER_FAULT_PROTOCOL}, {"twice", PLAYER_FAULT_PROTOCOL},
    {"empty", PLAYER_FAULT_PROTOCOL},       {"error", PLAYER_FAULT_PROTOCOL},
    {"late 2", PLAYER_FAULT_LATE},
};

/* Plays a game against a saboteur until its fault. */
static void make_bundle(const char *mode, enum player_fault fault, struct fault_report *out) {
    struct err e;
    struct timing timing;
    struct game_run_result result;
    char spec[400];
    snprintf(spec, sizeof spec, "ext:cmd=%s %s", outside_saboteur(), mode);
    /* A hang must be waited for, twice; the others have time. */
    const char *limits = fault == PLAYER_FAULT_HANG   ? "turn=0.3,patience=0.7"
                         : fault == PLAYER_FAULT_LATE ? "turn=0.3,grace=0.1,patience=60"
                                                      : "turn=60,patience=60";
    assert_true(timing_read(limits, &timing, &e));
    const bool timed = fault != PLAYER_FAULT_ILLEGAL; /* a bare `go`, once */
    struct player *outsider = player_open_granted(spec, scenarios[0]->game, &grant_everything, &e);
    struct player *other = player_open_granted("random", scenarios[0]->game, &grant_everything, &e);
    assert_non_null(outsider);
    const struct game_run game_run = {.game.scenario = scenarios[0],
                                      .names = {spec, "random"},
                                      .players = {outsider, other},
                                      .game.seed = 3,
                                      .game.timing = timed ? &timing : NULL,
                                      .clock = &system_clock};
    assert_true(game_run_play(&game_run, &result, &e));
    if (result.outcome.fault != (int)fault)
        fail_msg("%s: %s", mode, player_fault_names[result.outcome.fault]);
    fault_report_init(out);
    assert_true(
        fault_report_read(mode, text_string(&result.fault_report), result.fault_report.size, out, &e));
    game_run_result_done(&result);
    player_close(outsider);
    player_close(other);
}

static void replay(const struct fault_report *fault_report, const char *command, struct reproduction *out) {
    struct ext_options engine;
    struct err e;
    if (command != NULL)
        read_engine(command, &engine);
    else
        assert_true(reproduce_engine(fault_report, &engine, &e));
    const struct reproduce setup = {.fault_report = fault_report,
                                    .talk.engine = &engine,
                                    .talk.grant = &grant_everything,
                                    .talk.clock = &system_clock,
                                    .talk.timeout_s = 20};
    assert_true(reproduce_run(&setup, out, &e));
}

static void faults_happen_again(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i += SAMPLE(1, 2)) {
        struct fault_report fault_report;
        struct reproduction again, repaired;
        char pass[300];
        make_bundle(faults[i].mode, faults[i].fault, &fault_report);
        replay(&fault_report, NULL, &again);
        if (!again.again || again.fault != faults[i].fault)
            fail_msg("%s: %s '%s' on '%s', not %s", faults[i].mode, player_fault_names[again.fault],
                     again.message, again.command, player_fault_names[faults[i].fault]);
        assert_true(again.message[0] != '\0');
        assert_true(again.tail.size > 0);
        assert_int_equal(again.commands_sent, again.commands_in_all);
        assert_false(again.is_cut);

        snprintf(pass, sizeof pass, "'%s' pass", outside_saboteur());
        replay(&fault_report, pass, &repaired);
        /* On a loaded machine even an engine that passes at once may be late by a third of a second. */
        if (faults[i].fault != PLAYER_FAULT_LATE && faults[i].fault != PLAYER_FAULT_HANG) {
            assert_int_equal(repaired.fault, PLAYER_FAULT_NONE);
            assert_false(repaired.again);
        }
        text_done(&again.tail);
        assert_null(again.tail.data);
        text_done(&repaired.tail);
        fault_report_done(&fault_report);
    }
}

static void another_fault_is_not_the_same(void **state) {
    (void)state;
    struct fault_report fault_report;
    struct reproduction r;
    char command[300];
    make_bundle("illegal", PLAYER_FAULT_ILLEGAL, &fault_report);
    snprintf(command, sizeof command, "'%s' crash", outside_saboteur());
    replay(&fault_report, command, &r);
    assert_false(r.again);
    assert_int_equal(r.fault, PLAYER_FAULT_CRASH);
    assert_non_null(strstr(r.message, "signal 11"));
    assert_non_null(strstr(r.command, "go"));
    text_done(&r.tail);
    fault_report_done(&fault_report);
}

static void bundles_that_cannot_be_replayed_are_refused(void **state) {
    (void)state;
    struct fault_report fault_report;
    struct ext_options engine;
    struct reproduction r;
    struct err e;
    make_bundle("illegal", PLAYER_FAULT_ILLEGAL, &fault_report);
    text_clear(&fault_report.transcript.command);
    assert_false(reproduce_engine(&fault_report, &engine, &e));
    assert_non_null(strstr(e.text, "no command"));
    text_add_string(&fault_report.transcript.command, "(a connection to example.org:4000)");
    assert_false(reproduce_engine(&fault_report, &engine, &e));
    assert_non_null(strstr(e.text, "a connection to example.org:4000"));
    text_clear(&fault_report.transcript.sent);
    read_engine("true", &engine);
    const struct reproduce setup = {.fault_report = &fault_report,
                                    .talk.engine = &engine,
                                    .talk.grant = &grant_everything,
                                    .talk.clock = &system_clock,
                                    .talk.timeout_s = 20};
    assert_false(reproduce_run(&setup, &r, &e));
    assert_non_null(strstr(e.text, "nothing in it"));
    text_done(&r.tail);
    fault_report_done(&fault_report);
}

/* A fault report from outside names a program. */
static void bundles_start_nothing(void **state) {
    (void)state;
    struct ext_options engine;
    struct fault_report fault_report;
    struct reproduction out;
    struct err e = {{0}};
    struct scenario *scenario = own_map("duel");
    const struct clock clock = clock_system();
    fault_report_init(&fault_report);
    text_add_string(&fault_report.transcript.command, "touch STARTED");
    text_add_string(&fault_report.transcript.sent, "sjp 1\n");
    record_describe(&fault_report.record, scenario, (const char *const[]){"ext:cmd=touch STARTED", "random"});
    assert_true(reproduce_engine(&fault_report, &engine, &e));
    const struct reproduce setup = {
        .fault_report = &fault_report, .talk.engine = &engine, .talk.clock = &clock, .talk.timeout_s = 5};
    assert_false(reproduce_run(&setup, &out, &e));
    assert_non_null(strstr(e.text, "needs leave"));
    assert_true(access("STARTED", F_OK) != 0);
    text_done(&out.tail);
    fault_report_done(&fault_report);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_are_well_formed),
        cmocka_unit_test(our_engine_passes_everything),
        cmocka_unit_test(each_mistake_is_found_by_its_item),
        cmocka_unit_test(an_undo_that_does_nothing_is_found),
        cmocka_unit_test(saboteurs_are_not_ready),
        cmocka_unit_test(a_failed_start_is_reported),
        cmocka_unit_test(a_stop_ends_it),
        cmocka_unit_test(only_external_players_are_taken),
        cmocka_unit_test(faults_happen_again),
        cmocka_unit_test(another_fault_is_not_the_same),
        cmocka_unit_test(bundles_that_cannot_be_replayed_are_refused),
        cmocka_unit_test(bundles_start_nothing),
    };
    return cmocka_run_group_tests(tests, prepare, clean);
}
