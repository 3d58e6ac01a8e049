/* SPDX-License-Identifier: MIT
 *
 * Items about time and repeatability.
 */
#include "protocol/compliance_inside.h"

#include <stdio.h>
#include <string.h>

enum { TRIES = 3, LONG_GO_MS = 10000, BEFORE_STOP_MS = 300, AFTER_STOP_MS = 2000, SEED_POSITIONS = 4 };

/* ---- the clock ---- */

/* Asks until an answer is in time: one that is late may be the machine's fault, three are not. Each time it
 * is a new conversation, so that an engine which is late on its first `go` only does not hide behind that. */
static bool ask_in_time(struct compliance_check *c, int map, int ms, double *fastest) {
    struct compliance_position p;
    char command[32], place[80];
    snprintf(command, sizeof command, "go time %d", ms);
    if (!compliance_find_position(c, map, true, &p))
        return false;
    for (int i = 0; i < TRIES; i++) {
        if (!compliance_open(c) || !compliance_handshake(c) || !compliance_set_up(c, &p) ||
            !compliance_go(c, &p, command, NULL))
            return false;
        if (i == 0 || c->answer.ms < *fastest)
            *fastest = c->answer.ms;
        if (*fastest <= ms + c->setup->grace_ms)
            return true;
    }
    compliance_place(&p, place, sizeof place);
    return compliance_fail(c,
                           "%s: `%s` was answered after %.0f ms at best in %d tries; expected: %d ms, and %d "
                           "more for the way",
                           place, command, *fastest, TRIES, ms, c->setup->grace_ms);
}

/* The long ones once, the short one on every map: many units are much to think about in 100 ms. */
void compliance_test_clock(struct compliance_check *c) {
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

/* ---- stop ---- */

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

void compliance_test_stop(struct compliance_check *c) {
    struct compliance_position p;
    char command[32], bytes[40];
    snprintf(command, sizeof command, "go time %d", LONG_GO_MS);
    snprintf(bytes, sizeof bytes, "%s\n", command);
    if (!compliance_find_position(c, 0, true, &p) || !compliance_set_up(c, &p))
        return;
    if (!talk_send(&c->talk, bytes, &c->answer)) {
        compliance_fail_answer(c, command, "best ACTION, ok");
        return;
    }
    /* An engine that does not think that long has answered before: then there is nothing to stop. */
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

/* ---- seeds ---- */

/* What it answers in a few positions, one a line. */
static bool collect(struct compliance_check *c, struct text *out) {
    struct compliance_position p;
    struct text best = {0};
    bool ok = compliance_ok(c, "setoption seed 7");
    for (int i = 0; i < SEED_POSITIONS && ok; i++) {
        ok = compliance_find_position(c, i, false, &p) && compliance_set_up(c, &p) &&
             compliance_go(c, &p, "go sims 100", &best);
        text_add(out, "%s\n", text_string(&best));
    }
    text_done(&best);
    return ok;
}

void compliance_test_seed(struct compliance_check *c) {
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
