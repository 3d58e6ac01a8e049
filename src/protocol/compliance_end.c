/* SPDX-License-Identifier: MIT
 *
 * Items about the end: of the engine, of its input, and of everything it started.
 */
#include "protocol/compliance_inside.h"

#include <poll.h>

enum { PROCESSES_MS = 1000, NAP_MS = 20 };

/* ---- quit ---- */

/* Waits until it has ended, and counts what it still says as unasked for. */
static bool wait_for_end(struct compliance_check *c, int ms) {
    const int64_t start = clock_now_ns(c->setup->clock);
    while (!link_has_ended(c->talk.link)) {
        if (clock_seconds_since(c->setup->clock, start) * 1e3 > ms)
            return false;
        talk_listen(&c->talk, NAP_MS);
    }
    return true;
}

void compliance_test_quit(struct compliance_check *c) {
    link_note_family(c->talk.link); /* what it has started loses the parent it would be found by */
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

/* ---- processes ---- */

void compliance_test_processes(struct compliance_check *c) {
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

/* ---- the end of the input ---- */

/* Closing a link closes the engine's input, waits for it, and only then uses force. */
void compliance_test_input_end(struct compliance_check *c) {
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
