/* SPDX-License-Identifier: MIT */
#include "protocol/compliance_check.h"

#include "base/budget.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

/* ---- items about lines and answers ---- */

enum { START_MS = 200 };

static void test_start(struct compliance_check *c) {
    if (!compliance_open(c))
        return;
    talk_listen(&c->talk, START_MS);
    if (!link_has_ended(c->talk.link)) {
        compliance_pass(c, "it runs");
        return;
    }
    char how[128];
    link_describe_end(c->talk.link, how, sizeof how);
    compliance_fail(c, "it ended at once: %s; expected: it waits for commands", how);
}

static void test_handshake(struct compliance_check *c) {
    if (compliance_handshake(c))
        compliance_pass(c, "%s, after %.0f ms", c->report->name, c->answer.ms);
}

/* No other item depends on the version, but stored results should name it. */
static void test_version(struct compliance_check *c) {
    if (c->report->version[0] != '\0')
        compliance_pass(c, "%s", c->report->version);
    else
        compliance_fail(c, "`sjp 1` was answered without one; expected a line: id version VERSION");
}

/* ---- items about lines and answers: lines ---- */

static void test_unknown(struct compliance_check *c) {
    static const char command[] = "dance with me";
    if (talk_ask(&c->talk, command, &c->answer) != TALK_ERROR) {
        compliance_fail_answer(c, command, "error unknown command …");
        return;
    }
    char message[TALK_LINE_SHOWN_MAX];
    talk_show_line(c->answer.message, message);
    if (compliance_handshake(c))
        compliance_pass(c, "`error %s`, and it goes on", message);
}

static void test_blank(struct compliance_check *c) {
    const long before = c->talk.unasked.count;
    if (!talk_send(&c->talk, "\n  \n\n", &c->answer)) {
        compliance_fail_answer(c, "(empty lines)", "no answer");
        return;
    }
    if (talk_listen(&c->talk, COMPLIANCE_LISTEN_MS) > 0) {
        /* Count the fault only here: an answer to an empty line is not also an unasked line. */
        c->talk.unasked.count = before;
        compliance_fail(c, "it answered an empty line; expected: no answer");
        return;
    }
    if (compliance_handshake(c))
        compliance_pass(c, "no answer, and it goes on");
}

static void test_line_ends(struct compliance_check *c) {
    struct compliance_position p;
    struct text newgame = {0}, map = {0};
    const char *second = compliance_has_map(c) ? "map" : "position";
    const char *what = compliance_has_map(c) ? "map … endmap (CR LF)" : "position … (CR LF)";
    compliance_find_position(c, 0, true, &p);
    compliance_opening(&p, "\r\n", &newgame, &map);
    if (compliance_send(c, &newgame, "newgame (CR LF)") && compliance_send(c, &map, what))
        compliance_pass(c, "`newgame` and `%s` with CR LF were answered with `ok`", second);
    text_done(&newgame);
    text_done(&map);
}

/* Sends all commands up to the first decision in one write: four answers are expected, in order. */
static void test_queue(struct compliance_check *c) {
    const char *const commands[] = {"sjp 1", "newgame", compliance_has_map(c) ? "map … endmap" : "position …",
                                    "go time 50"};
    enum { COMMANDS = sizeof commands / sizeof commands[0] };
    struct compliance_position p;
    struct text all = {0}, map = {0};
    compliance_find_position(c, 0, true, &p);
    text_add_string(&all, "sjp 1\n");
    compliance_opening(&p, "\n", &all, &map);
    text_add(&all, "%s%s\n", text_string(&map), commands[COMMANDS - 1]);
    bool ok = talk_send(&c->talk, text_string(&all), &c->answer);
    for (int i = 0; i < COMMANDS && ok; i++)
        ok = talk_answer(&c->talk, &c->answer) == TALK_OK || compliance_fail_answer(c, commands[i], "ok");
    if (ok && compliance_best(c, &p, commands[COMMANDS - 1], NULL))
        compliance_pass(c, "%d commands in one piece, %d answers", COMMANDS, COMMANDS);
    else if (!ok)
        compliance_fail_answer(c, "(several commands)", "their answers");
    text_done(&all);
    text_done(&map);
}

/* ---- items about lines and answers: unasked lines ---- */

static void test_quiet(struct compliance_check *c) {
    const struct talk_strays *unasked = &c->talk.unasked, *foreign = &c->foreign;
    if (unasked->count > 0)
        compliance_fail(c,
                        "%ld line%s came while no command waited for an answer, the first of them `%s`; "
                        "expected: one answer for each command, and nothing else",
                        unasked->count, unasked->count == 1 ? "" : "s", unasked->first);
    else if (foreign->count > 0)
        compliance_fail(
            c,
            "%ld line%s in its answers that the protocol does not have there, the first of them `%s`; "
            "expected: nothing on standard output but the protocol",
            foreign->count, foreign->count == 1 ? "" : "s", foreign->first);
    else
        compliance_pass(c, "all its lines belong to answers");
}

/* ---- items about positions ---- */

/* The engine's position cannot be seen, so it is asked where an answer from a wrong position would be
 * illegal: after the other side came to move, for instance. */

/* `go` has a limit, so that a slow engine does not slow down the check. */
#define GO   "go time 50"
#define TURN "go turn time 50"

enum { FEW = 10, GOES_MAX = 24, PLIES = 40 };

/* Number of positions for items that change the position. */
static int few(const struct compliance_check *c) {
    return c->setup->positions < FEW ? c->setup->positions : FEW;
}

static bool set_up_position(struct compliance_check *c, int number, bool at_start,
                            struct compliance_position *p) {
    compliance_find_position(c, number, at_start, p);
    return compliance_set_up(c, p);
}

static void test_map(struct compliance_check *c) {
    struct compliance_position p;
    for (int i = 0; i < c->setup->map_count; i++)
        if (!set_up_position(c, i, true, &p))
            return;
    if (!compliance_has_map(c))
        compliance_pass(c, "%s, and what a side sees at its start", c->setup->map_names[0]);
    else
        compliance_pass(c, "%d map%s", c->setup->map_count, c->setup->map_count == 1 ? "" : "s");
}

static void test_legal(struct compliance_check *c) {
    struct compliance_position p;
    double slowest = 0;
    for (int i = 0; i < c->setup->positions; i++) {
        if (!set_up_position(c, i, false, &p) || !compliance_go(c, &p, GO, NULL))
            return;
        slowest = c->answer.ms > slowest ? c->answer.ms : slowest;
    }
    if (!compliance_has_map(c))
        compliance_pass(c, "%d positions, all answers legal, the slowest after %.0f ms", c->setup->positions,
                        slowest);
    else
        compliance_pass(c, "%d positions on %d map%s, all answers legal, the slowest after %.0f ms",
                        c->setup->positions, c->setup->map_count, c->setup->map_count == 1 ? "" : "s",
                        slowest);
}

/* With hidden information the view changes with every action, and `position` is sent again each time. */
static bool skip_hidden(struct compliance_check *c, const char *verb) {
    if (compliance_hides(c))
        compliance_skip(c, "`%s` is not used in %s, which hides something: positions are sent", verb,
                        c->setup->scenarios[0]->game->name);
    return compliance_hides(c);
}

static void test_turn(struct compliance_check *c) {
    struct compliance_position p;
    if (skip_hidden(c, "go turn"))
        return;
    for (int i = 0; i < c->setup->positions; i++) {
        if (!set_up_position(c, i, false, &p))
            return;
        if (talk_ask(&c->talk, TURN, &c->answer) == TALK_ERROR && i == 0 && !c->finding->needed) {
            compliance_skip(c, "`go turn` is answered with `error`: it plays action by action");
            return;
        }
        if (!compliance_best(c, &p, TURN, NULL))
            return;
    }
    compliance_pass(c, "%d positions, all turns legal and whole", c->setup->positions);
}

/* An engine that plays its own answer will at some point answer for the other side. */
static void test_still(struct compliance_check *c) {
    struct compliance_position p;
    int asked = 0;
    for (int i = 0; i < few(c); i++) {
        if (!set_up_position(c, i, false, &p))
            return;
        const int left = p.scenario->game->progress(p.state).left;
        const int goes = left + 1 < GOES_MAX ? left + 1 : GOES_MAX;
        for (int k = 0; k < goes; k++, asked++)
            if (!compliance_go(c, &p, "go time 20", NULL))
                return;
    }
    compliance_pass(c, "`go` %d times in %d positions, all answers legal", asked, few(c));
}

/* Starts a new game on the same map after a game in which the other side was to move. */
static void test_fresh(struct compliance_check *c) {
    struct compliance_position p, start;
    for (int i = 0; i < few(c); i++) {
        compliance_find_position(c, i, true, &start);
        p = start;
        if (!compliance_set_up(c, &p) || compliance_play_on(c, &p, PLIES) < 0 ||
            !compliance_set_up(c, &start) || !compliance_go(c, &start, GO, NULL))
            return;
    }
    compliance_pass(c, "%d games begun anew, all first answers legal", few(c));
}

static void test_undo(struct compliance_check *c) {
    struct compliance_position p, later;
    int undone = 0;
    if (skip_hidden(c, "undo"))
        return;
    for (int i = 0; i < few(c); i++) {
        if (!set_up_position(c, i, false, &p))
            return;
        later = p;
        const int played = compliance_play_on(c, &later, PLIES);
        for (int k = 0; k < played; k++)
            if (!compliance_ok(c, "undo"))
                return;
        if (played < 0 || !compliance_go(c, &p, GO, NULL))
            return;
        undone += played;
    }
    compliance_pass(c, "%d actions taken back in %d positions, all answers legal", undone, few(c));
}

/* No map has a unit with this number, or this cell. */
static void test_refuse(struct compliance_check *c) {
    static const char *const wrong[] = {"play 999:1,1", "play 0:99,99", "play nonsense"};
    struct compliance_position p;
    if (skip_hidden(c, "play"))
        return;
    for (int i = 0; i < few(c); i++) {
        if (!set_up_position(c, i, false, &p))
            return;
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++)
            if (talk_ask(&c->talk, wrong[k], &c->answer) != TALK_ERROR) {
                compliance_fail_answer(c, wrong[k], "error …");
                return;
            }
        if (!compliance_go(c, &p, GO, NULL))
            return;
    }
    compliance_pass(c, "illegal actions refused in %d positions, all answers legal after it", few(c));
}

/* ---- items about time ---- */

enum { TRIES = 3, LONG_GO_MS = 10000, BEFORE_STOP_MS = 300, AFTER_STOP_MS = 2000, SEED_POSITIONS = 4 };

/* ---- items about time: the clock ---- */

/* Asks up to TRIES times until an answer is in time: one late answer may be caused by the machine, three
 * are not. Each attempt opens a new conversation, so that an engine that is late only on its first `go` is
 * detected. */
static bool ask_in_time(struct compliance_check *c, int map, int ms, double *fastest) {
    struct compliance_position p;
    char command[32], place[80];
    snprintf(command, sizeof command, "go time %d", ms);
    compliance_find_position(c, map, true, &p);
    for (int i = 0; i < TRIES; i++) {
        if (!compliance_open(c) || !compliance_handshake(c) || !compliance_set_up(c, &p) ||
            !compliance_go(c, &p, command, NULL))
            return false;
        if (i == 0 || c->answer.ms < *fastest)
            *fastest = c->answer.ms;
        if (*fastest <= ms + c->setup->grace_ms)
            return true;
    }
    compliance_describe(&p, place, sizeof place);
    return compliance_fail(c,
                           "%s: `%s` was answered after %.0f ms at best in %d tries; expected: %d ms, and %d "
                           "more for the way",
                           place, command, *fastest, TRIES, ms, c->setup->grace_ms);
}

/* Long limits are tested once, the short one on every map: with many units, 100 ms is demanding. */
static void test_clock(struct compliance_check *c) {
    static const int limits[] = {100, 300, 1000};
    enum { LIMITS = sizeof limits / sizeof limits[0] };
    double slowest[LIMITS] = {0};
    for (int map = 0; map < c->setup->map_count; map++)
        for (int i = 0; i < (map == 0 ? LIMITS : 1); i++) {
            double ms;
            if (!ask_in_time(c, map, limits[i], &ms))
                return;
            slowest[i] = ms > slowest[i] ? ms : slowest[i];
        }
    compliance_pass(c, "the slowest answers came after %.0f of %d ms, %.0f of %d ms and %.0f of %d ms",
                    slowest[0], limits[0], slowest[1], limits[1], slowest[2], limits[2]);
}

/* ---- items about time: stop ---- */

static bool judge_stop(struct compliance_check *c, const struct compliance_position *p, const char *command) {
    const double patience = LONG_GO_MS - BEFORE_STOP_MS + c->setup->timeout_s * 1e3;
    talk_answer_within(&c->talk, patience, &c->answer);
    const double after = c->answer.ms;
    if (!compliance_best(c, p, command, NULL))
        return false;
    if (talk_answer(&c->talk, &c->answer) != TALK_OK)
        return compliance_fail_answer(c, "stop", "ok, after the answer to `go`");
    if (after > AFTER_STOP_MS)
        return compliance_fail(c, "`%s` was answered %.1f s after `stop`; expected: %.0f s at most", command,
                               after * 1e-3, AFTER_STOP_MS * 1e-3);
    return compliance_pass(c, "`%s` was answered %.0f ms after `stop`", command, after);
}

static void test_stop(struct compliance_check *c) {
    struct compliance_position p;
    char command[32], bytes[40];
    snprintf(command, sizeof command, "go time %d", LONG_GO_MS);
    snprintf(bytes, sizeof bytes, "%s\n", command);
    if (!set_up_position(c, 0, true, &p))
        return;
    if (!talk_send(&c->talk, bytes, &c->answer)) {
        compliance_fail_answer(c, command, "best ACTION, ok");
        return;
    }
    /* An engine that answers earlier leaves nothing to stop. */
    switch (talk_answer_within(&c->talk, BEFORE_STOP_MS, &c->answer)) {
    case TALK_SILENCE: break;
    case TALK_OK:
    case TALK_LIST:
    case TALK_ERROR:
    case TALK_DEATH:
    case TALK_FLOOD:
    case TALK_STOPPED:
        if (compliance_best(c, &p, command, NULL) && compliance_ok(c, "stop"))
            compliance_pass(c, "`%s` was answered before `stop` was sent", command);
        return;
    }
    if (talk_send_more(&c->talk, "stop\n", &c->answer))
        judge_stop(c, &p, command);
    else
        compliance_fail_answer(c, "stop", "ok");
}

/* ---- items about time: seeds ---- */

/* Collects its answers in a few positions, one per line. */
static bool collect(struct compliance_check *c, struct text *out) {
    struct compliance_position p;
    struct text best = {0};
    bool ok = compliance_ok(c, "setoption seed 7");
    for (int i = 0; i < SEED_POSITIONS && ok; i++) {
        ok = set_up_position(c, i, false, &p) && compliance_go(c, &p, "go sims 100", &best);
        text_add(out, "%s\n", text_string(&best));
    }
    text_done(&best);
    return ok;
}

static void test_seed(struct compliance_check *c) {
    struct text first = {0}, second = {0};
    if (!c->has_seed)
        compliance_skip(c, "it declares no option `seed`");
    else if (compliance_open(c) && compliance_handshake(c) && collect(c, &first) && compliance_open(c) &&
             compliance_handshake(c) && collect(c, &second)) {
        if (strcmp(text_string(&first), text_string(&second)) == 0)
            compliance_pass(c, "two runs gave the same answers");
        else
            compliance_skip(c, "two runs with `setoption seed 7` and `go sims 100` gave different answers: "
                               "its games cannot be repeated");
    }
    text_done(&first);
    text_done(&second);
}

/* ---- items about the end ---- */

enum { PROCESSES_MS = 1000, NAP_MS = 20 };

/* ---- items about the end: quit ---- */

/* Waits until the engine has ended; lines it still sends count as unasked. */
static bool wait_for_end(struct compliance_check *c, int ms) {
    assert(c->talk.link != NULL);
    const int64_t start = clock_now_ns(c->setup->clock);
    while (!link_has_ended(c->talk.link)) {
        if (clock_seconds_since(c->setup->clock, start) * 1e3 > ms)
            return false;
        talk_listen(&c->talk, NAP_MS);
    }
    return true;
}

static void test_quit(struct compliance_check *c) {
    link_note_family(c->talk.link); /* its children would lose the parent by which they are found */
    if (!talk_send(&c->talk, "quit\n", &c->answer)) {
        compliance_fail_answer(c, "quit", "it ends");
        return;
    }
    if (!wait_for_end(c, COMPLIANCE_QUIT_MS)) {
        compliance_fail(c, "it has not ended %d s after `quit`; expected: it ends, without an answer",
                        COMPLIANCE_QUIT_MS / 1000);
        return;
    }
    const double after = clock_seconds_since(c->setup->clock, c->talk.sent_ns);
    char how[128];
    link_describe_end(c->talk.link, how, sizeof how);
    compliance_pass(c, "%s, %.0f ms after `quit`", how, after * 1e3);
}

/* ---- items about the end: processes ---- */

static void test_processes(struct compliance_check *c) {
    const int64_t start = clock_now_ns(c->setup->clock);
    const char *mark = link_mark(c->talk.link);
    char names[200];
    int count = 0;
    if (mark[0] == '\0') {
        compliance_close(c, 0);
        compliance_skip(c, "it was not started here");
        return;
    }
    const bool known = link_note_family(c->talk.link);
    while ((count = link_family_alive(c->talk.link, names, sizeof names)) > 0 &&
           clock_seconds_since(c->setup->clock, start) * 1e3 < PROCESSES_MS)
        poll(NULL, 0, NAP_MS);
    if (!known)
        compliance_skip(c, "this system does not say which processes there are");
    else if (count > 0)
        compliance_fail(c, "%d process%s still there a second after it ended: %s; expected: none", count,
                        count == 1 ? " is" : "es are", names);
    else
        compliance_pass(c, "everything it started has ended");
    if (c->finding->result != COMPLIANCE_FAIL)
        compliance_close(c, 0);
}

/* ---- items about the end: the end of the input ---- */

/* link_close closes the engine's input, waits for its end, and only then uses force. */
static void test_input_end(struct compliance_check *c) {
    if (link_mark(c->talk.link)[0] == '\0') {
        compliance_skip(c, "it was not started here, so its end cannot be seen");
        return;
    }
    const int64_t start = clock_now_ns(c->setup->clock);
    compliance_close(c, COMPLIANCE_QUIT_MS);
    const double spent = clock_seconds_since(c->setup->clock, start);
    if (spent * 1e3 < COMPLIANCE_QUIT_MS)
        compliance_pass(c, "it ended %.0f ms after its input", spent * 1e3);
    else
        compliance_fail(c, "it has not ended %d s after its input; expected: as after `quit`",
                        COMPLIANCE_QUIT_MS / 1000);
}

/* ---- the list ---- */

/* In the order of execution: items that others depend on come first, items that end the engine last. */
const struct compliance_item compliance_items[] = {
    {"start", "starts, and does not end by itself", true, NULL, true, test_start},
    {"handshake", "answers `sjp 1` with its name and a game known here", true, "start", false,
     test_handshake},
    {"version", "says in its answer to `sjp 1` which version it is", false, "handshake", false, test_version},
    {"map", "takes `newgame` and the maps, or positions where something is hidden", true, "handshake", false,
     test_map},
    {"legal", "answers `go` with a legal action, in positions from random games", true, "map", false,
     test_legal},
    {"queue", "answers commands that were sent together, one after the other", true, "legal", false,
     test_queue},
    {"still", "does not change the position when it answers `go`", true, "legal", false, test_still},
    {"fresh", "forgets the old game when a new one begins", true, "legal", false, test_fresh},
    {"clock", "answers `go time MS` in that time", true, "legal", false, test_clock},
    {"turn", "answers `go turn` with actions that end the turn", false, "legal", false, test_turn},
    {"undo", "takes actions back on `undo`", false, "legal", false, test_undo},
    {"refuse", "refuses an illegal `play` and keeps its position", false, "legal", false, test_refuse},
    {"stop", "ends a long `go` early on `stop`", false, "legal", false, test_stop},
    {"unknown", "answers a command it does not know with `error …`, and goes on", false, "handshake", false,
     test_unknown},
    {"blank", "says nothing to empty lines", false, "handshake", false, test_blank},
    {"line-ends", "takes lines that end with CR LF", false, "handshake", false, test_line_ends},
    {"seed", "gives the same answers with the same `seed`", false, "legal", false, test_seed},
    {"quit", "ends within 2 s of `quit`", true, "handshake", false, test_quit},
    {"processes", "leaves no process behind", true, "quit", true, test_processes},
    {"input-end", "ends within 2 s when its input ends", false, "handshake", false, test_input_end},
    {"quiet", "says nothing that the protocol does not ask for", true, "handshake", true, test_quiet},
    {0},
};

const char *const compliance_result_names[] = {
    [COMPLIANCE_PASS] = "pass", [COMPLIANCE_FAIL] = "fail", [COMPLIANCE_SKIPPED] = "skipped"};

/* ---- the run ---- */

static const struct compliance_finding *finding_of(const struct compliance_report *report, const char *name) {
    for (int i = 0; i < report->count; i++)
        if (strcmp(report->findings[i].item->name, name) == 0)
            return &report->findings[i];
    return NULL;
}

/* Returns the failed item that this one depends on; NULL when it can be run. */
static const struct compliance_item *obstacle(const struct compliance_report *report,
                                              const struct compliance_item *item) {
    const struct compliance_item *found = NULL;
    while (item->after != NULL) {
        const struct compliance_finding *before = finding_of(report, item->after);
        assert(before != NULL);
        if (before->result == COMPLIANCE_PASS)
            break;
        found = item = before->item;
    }
    return found;
}

/* Items that do not run alone get a conversation in which the handshake is complete. */
static void run_item(struct compliance_check *c, const struct compliance_item *item) {
    const struct compliance_item *before = obstacle(c->report, item);
    if (before != NULL)
        compliance_skip(c, "needs `%s`, which did not pass", before->name);
    else if (item->alone || c->talk.link != NULL || (compliance_open(c) && compliance_handshake(c)))
        item->run(c);
}

/* A failed item leaves the conversation in an unknown state, so it is closed. */
static void clean_up(struct compliance_check *c) {
    struct compliance_finding *f = c->finding;
    if (f->result != COMPLIANCE_FAIL)
        return;
    if (c->talk.link != NULL)
        link_tail(c->talk.link, &f->conversation);
    compliance_close(c, 0);
}

static void count(struct compliance_report *report, const struct compliance_finding *f) {
    report->passed += f->result == COMPLIANCE_PASS;
    report->failed += f->result == COMPLIANCE_FAIL;
    report->skipped += f->result == COMPLIANCE_SKIPPED;
    if (f->needed && f->result == COMPLIANCE_FAIL)
        report->ready = false;
}

static bool run_next(struct compliance_check *c, const struct compliance_item *item) {
    const struct compliance *s = c->setup;
    struct compliance_report *report = c->report;
    assert(report->count < COMPLIANCE_ITEMS_MAX);
    c->finding = &report->findings[report->count];
    const bool whole_turns = s->engine->turn && item->run == test_turn;
    *c->finding = (struct compliance_finding){
        .item = item, .needed = item->needed || whole_turns, .result = COMPLIANCE_SKIPPED};
    const int64_t start = clock_now_ns(s->clock);
    if (s->watch != NULL)
        s->watch(s->watcher, item, NULL);
    run_item(c, item);
    if (budget_is_stopped(s->stop) || c->talk.shortage != 0)
        return false;
    clean_up(c);
    c->finding->seconds = clock_seconds_since(s->clock, start);
    report->count++;
    count(report, c->finding);
    if (s->watch != NULL)
        s->watch(s->watcher, item, c->finding);
    return true;
}

bool compliance_run(const struct compliance *setup, struct compliance_report *out, struct err *e) {
    assert(setup->clock != NULL && setup->engine != NULL);
    assert(setup->map_count > 0 && setup->positions > 0);
    assert(setup->timeout_s > 0 && setup->grace_ms >= 0);
    *out = (struct compliance_report){.ready = true};
    struct compliance_check c = {.setup = setup, .report = out};
    c.talk = (struct talk){
        .clock = setup->clock, .stop = setup->stop, .timeout_ns = (int64_t)(setup->timeout_s * 1e9)};
    bool ok = true;
    for (const struct compliance_item *item = compliance_items; item->name != NULL && ok; item++)
        ok = run_next(&c, item);
    out->stopped = budget_is_stopped(setup->stop);
    out->ready = out->ready && !out->stopped;
    compliance_close(&c, 0);
    talk_answer_done(&c.answer);
    if (c.talk.shortage != 0)
        return talk_is_short(&c.talk, e);
    return true;
}

void compliance_report_done(struct compliance_report *report) {
    for (int i = 0; i < COMPLIANCE_ITEMS_MAX; i++)
        text_done(&report->findings[i].conversation);
}
