/* SPDX-License-Identifier: MIT
 *
 * The list of items, and what runs them one after the other.
 */
#include "protocol/compliance_inside.h"

#include "base/budget.h"
#include "base/charset.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* In the order in which they are run: those that others build on first, those that end it last. */
const struct compliance_item compliance_items[] = {
    {"start", "starts, and does not end by itself", true, NULL, true, compliance_test_start},
    {"handshake", "answers `sjp 1` with its name and a game known here", true, "start", false,
     compliance_test_handshake},
    {"version", "says in its answer to `sjp 1` which version it is", false, "handshake", false,
     compliance_test_version},
    {"map", "takes `newgame` and the maps, or positions where something is hidden", true, "handshake", false,
     compliance_test_map},
    {"legal", "answers `go` with a legal action, in positions from random games", true, "map", false,
     compliance_test_legal},
    {"queue", "answers commands that were sent together, one after the other", true, "legal", false,
     compliance_test_queue},
    {"still", "does not change the position when it answers `go`", true, "legal", false,
     compliance_test_still},
    {"fresh", "forgets the old game when a new one begins", true, "legal", false, compliance_test_fresh},
    {"clock", "answers `go time MS` in that time", true, "legal", false, compliance_test_clock},
    {"turn", "answers `go turn` with actions that end the turn", false, "legal", false, compliance_test_turn},
    {"undo", "takes actions back on `undo`", false, "legal", false, compliance_test_undo},
    {"refuse", "refuses an illegal `play` and keeps its position", false, "legal", false,
     compliance_test_refuse},
    {"stop", "ends a long `go` early on `stop`", false, "legal", false, compliance_test_stop},
    {"unknown", "answers a command it does not know with `error …`, and goes on", false, "handshake", false,
     compliance_test_unknown},
    {"blank", "says nothing to empty lines", false, "handshake", false, compliance_test_blank},
    {"line-ends", "takes lines that end with CR LF", false, "handshake", false, compliance_test_line_ends},
    {"seed", "gives the same answers with the same `seed`", false, "legal", false, compliance_test_seed},
    {"quit", "ends within 2 s of `quit`", true, "handshake", false, compliance_test_quit},
    {"processes", "leaves no process behind", true, "quit", true, compliance_test_processes},
    {"input-end", "ends within 2 s when its input ends", false, "handshake", false,
     compliance_test_input_end},
    {"quiet", "says nothing that the protocol does not ask for", true, "handshake", true,
     compliance_test_quiet},
    {0},
};

const char *const compliance_result_names[] = {
    [COMPLIANCE_PASS] = "pass", [COMPLIANCE_FAIL] = "fail", [COMPLIANCE_SKIPPED] = "skipped"};

/* ---- results ---- */

static void conclude(struct compliance_check *c, enum compliance_result result, const char *format,
                     va_list arguments) __attribute__((format(printf, 3, 0)));

/* The first failure counts. */
static void conclude(struct compliance_check *c, enum compliance_result result, const char *format,
                     va_list arguments) {
    struct compliance_finding *f = c->finding;
    if (f->result == COMPLIANCE_FAIL)
        return;
    f->result = result;
    vsnprintf(f->words, sizeof f->words, format, arguments);
    charset_disarm(f->words); /* they may quote the engine */
}

bool compliance_pass(struct compliance_check *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    conclude(c, COMPLIANCE_PASS, format, arguments);
    va_end(arguments);
    return false;
}

bool compliance_skip(struct compliance_check *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    conclude(c, COMPLIANCE_SKIPPED, format, arguments);
    va_end(arguments);
    return false;
}

bool compliance_fail(struct compliance_check *c, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    conclude(c, COMPLIANCE_FAIL, format, arguments);
    va_end(arguments);
    return false;
}

bool compliance_fail_answer(struct compliance_check *c, const char *command, const char *expected) {
    const struct talk_answer *a = &c->answer;
    char shown[TALK_LINE_SHOWN_MAX], said[TALK_LINE_SHOWN_MAX];
    talk_show_line(command, shown);
    switch (a->end) {
    case TALK_OK:
    case TALK_LIST: {
        char first[COMPLIANCE_LINE_MAX];
        const bool more = talk_next_line(text_string(&a->lines), first, sizeof first) != NULL;
        talk_show_line(more ? first : a->end == TALK_OK ? "ok" : "end", said);
        return compliance_fail(c, "`%s` was answered with `%s`; expected: %s", shown, said, expected);
    }
    case TALK_ERROR:
        return compliance_fail(c, "`%s` was answered with `error %s`; expected: %s", shown, a->words,
                               expected);
    case TALK_SILENCE:
    case TALK_DEATH:
    case TALK_FLOOD:
    case TALK_STOPPED: break;
    }
    return compliance_fail(c, "after `%s`: %s; expected: %s", shown, a->words, expected);
}

bool compliance_ok(struct compliance_check *c, const char *line) {
    if (talk_ask(&c->talk, line, &c->answer) != TALK_OK)
        return compliance_fail_answer(c, line, "ok");
    return c->answer.lines.size == 0 || compliance_fail_answer(c, line, "ok alone");
}

/* ---- conversations ---- */

bool compliance_open(struct compliance_check *c) {
    const struct compliance *s = c->setup;
    struct err e;
    compliance_close(c, 0);
    const struct link_wait wait = {s->clock, clock_now_ns(s->clock) + (int64_t)(s->timeout_s * 1e9), s->stop};
    c->talk.link = talk_open(s->engine, s->grant, &wait, &e);
    if (c->talk.link == NULL && link_is_shortage(errno))
        c->talk.shortage = errno;
    return c->talk.link != NULL || compliance_fail(c, "%s", e.text);
}

void compliance_close(struct compliance_check *c, int grace_ms) {
    link_close(c->talk.link, grace_ms);
    c->talk.link = NULL;
}

/* An item other than the first finds a conversation in which the handshake is over. */
static bool resume(struct compliance_check *c) {
    if (c->talk.link != NULL)
        return true;
    return compliance_open(c) && compliance_handshake(c);
}

/* ---- the run ---- */

static const struct compliance_finding *finding_of(const struct compliance_report *report, const char *name) {
    for (int i = 0; i < report->count; i++)
        if (strcmp(report->findings[i].item->name, name) == 0)
            return &report->findings[i];
    return NULL;
}

/* The item that did not pass and for which this one cannot be run; NULL: it can. */
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

static void run_item(struct compliance_check *c, const struct compliance_item *item) {
    const struct compliance_item *before = obstacle(c->report, item);
    if (before != NULL)
        compliance_skip(c, "needs `%s`, which did not pass", before->name);
    else if (item->alone || resume(c))
        item->run(c);
}

static bool is_stopped(const struct compliance_check *c) {
    return budget_is_stopped(c->setup->stop);
}

/* One that failed has left the conversation in a state nobody knows. */
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
    const bool whole_turns = s->engine->turn && item->run == compliance_test_turn;
    *c->finding = (struct compliance_finding){
        .item = item, .needed = item->needed || whole_turns, .result = COMPLIANCE_SKIPPED};
    const int64_t start = clock_now_ns(s->clock);
    if (s->watch != NULL)
        s->watch(s->watcher, item, NULL);
    run_item(c, item);
    if (is_stopped(c) || c->talk.shortage != 0)
        return false;
    clean_up(c);
    c->finding->seconds = clock_seconds_since(s->clock, start);
    report->count++;
    count(report, c->finding);
    if (s->watch != NULL)
        s->watch(s->watcher, item, c->finding);
    return !c->finding->conversation.failed;
}

bool compliance_run(const struct compliance *setup, struct compliance_report *out, struct err *e) {
    assert(setup->map_count > 0);
    *out = (struct compliance_report){.ready = true};
    struct compliance_check c = {.setup = setup, .report = out};
    c.talk = (struct talk){
        .clock = setup->clock, .stop = setup->stop, .timeout_ns = (int64_t)(setup->timeout_s * 1e9)};
    talk_answer_init(&c.answer);
    bool ok = true;
    for (const struct compliance_item *item = compliance_items; item->name != NULL && ok; item++)
        ok = run_next(&c, item);
    out->stopped = is_stopped(&c);
    out->ready = out->ready && !out->stopped;
    compliance_close(&c, 0);
    const bool failed = c.answer.lines.failed || (!ok && !out->stopped);
    talk_answer_done(&c.answer);
    if (c.talk.shortage != 0)
        return talk_is_short(&c.talk, e);
    return !failed || err_set(e, "not enough memory for a check");
}

void compliance_report_done(struct compliance_report *report) {
    for (int i = 0; i < COMPLIANCE_ITEMS_MAX; i++)
        text_done(&report->findings[i].conversation);
}
