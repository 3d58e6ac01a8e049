/* SPDX-License-Identifier: MIT */
#include "protocol/talk.h"

#include "player/grant.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* ---- the engine ---- */

bool talk_read_spec(const char *spec, struct ext_options *out, struct err *e) {
    const struct player_type *type = player_type_find("ext");
    struct spec parsed;
    if (!player_check(spec, NULL, e) || !spec_parse(spec, &parsed, e))
        return false;
    if (strcmp(parsed.name, type->name) != 0)
        return err_set(e,
                       "'%.64s' is one of our own players; expected somebody else's program: "
                       "ext:cmd=COMMAND",
                       spec);
    params_default(type->params, out);
    return params_read(type->params, &parsed, out, e);
}

struct link *talk_open(const struct ext_options *engine, const struct grant *grant,
                       const struct link_wait *wait, struct err *e) {
    if (!grant_allows_options(grant, player_type_find("ext"), engine, e)) {
        errno = EPERM; /* not a shortage from an earlier call */
        return NULL;
    }
    const int64_t patience = (int64_t)engine->wait_s * 1000000000;
    const struct link_wait guest_wait = {wait->clock, clock_now_ns(wait->clock) + patience, wait->stop};
    return ext_open_link(engine, wait, &guest_wait, e);
}

bool talk_is_short(const struct talk *t, struct err *e) {
    assert(t->shortage != 0);
    return err_set(e, "this machine cannot start the engine or talk to it: %s", strerror(t->shortage));
}

/* ---- lines ---- */

const char *talk_show_line(const char *line, char *out) {
    link_show(out, TALK_LINE_SHOWN_MAX, line, strlen(line));
    return out;
}

const char *talk_next_line(const char *at, char *line, size_t line_size) {
    assert(line_size > 0);
    if (*at == '\0')
        return NULL;
    const size_t length = strcspn(at, "\n");
    const size_t stored = length < line_size - 1 ? length : line_size - 1;
    memcpy(line, at, stored);
    line[stored] = '\0';
    return at + length + (at[length] == '\n');
}

void talk_count_stray(struct talk_strays *strays, const char *line) {
    if (strays->count++ == 0)
        talk_show_line(line, strays->first);
}

static struct link_wait wait_of(const struct talk *t, int64_t ns) {
    return (struct link_wait){.clock = t->clock, .until_ns = clock_now_ns(t->clock) + ns, .stop = t->stop};
}

long talk_listen(struct talk *t, int ms) {
    assert(t->link != NULL && ms >= 0);
    const long before = t->unasked.count;
    const struct link_wait wait = wait_of(t, (int64_t)ms * 1000000);
    for (;;) {
        const char *line;
        const enum link_event event = link_receive(t->link, &wait, &line);
        if (event != LINK_LINE && event != LINK_TOO_LONG)
            return t->unasked.count - before;
        talk_count_stray(&t->unasked, event == LINK_LINE ? line : "a line that does not end");
    }
}

/* Handles an event other than a line. */
static void take_event(struct talk *t, enum link_event event, struct talk_answer *out) {
    char how[128];
    assert(event != LINK_LINE);
    switch (event) {
    case LINK_TIME:
        out->end = TALK_SILENCE;
        snprintf(out->message, sizeof out->message, "%s in %.1f s",
                 out->lines.size == 0 ? "no answer" : "no end of its answer", out->ms * 1e-3);
        break;
    case LINK_ENDED:
        out->end = TALK_DEATH;
        link_describe_end(t->link, how, sizeof how);
        snprintf(out->message, sizeof out->message, "it ended (%s)", how);
        break;
    case LINK_TOO_LONG:
        out->end = TALK_FLOOD;
        snprintf(out->message, sizeof out->message, "a line of more than %d bytes", LINK_LINE_MAX);
        break;
    case LINK_SHORTAGE: t->shortage = errno; /* fall through */
    case LINK_STOPPED:
    case LINK_LINE:
        out->end = TALK_STOPPED;
        snprintf(out->message, sizeof out->message, "stopped");
        break;
    }
}

bool talk_send_more(struct talk *t, const char *bytes, struct talk_answer *out) {
    assert(t->link != NULL && t->timeout_ns > 0);
    t->sent_ns = clock_now_ns(t->clock);
    const struct link_wait wait = wait_of(t, t->timeout_ns);
    struct err e;
    if (link_send(t->link, bytes, strlen(bytes), &wait, &e))
        return true;
    if (link_is_shortage(errno) || link_has_ended(t->link)) {
        take_event(t, link_is_shortage(errno) ? LINK_SHORTAGE : LINK_ENDED, out);
        return false;
    }
    out->end = TALK_SILENCE;
    snprintf(out->message, sizeof out->message, "%.200s", e.text);
    return false;
}

bool talk_send(struct talk *t, const char *bytes, struct talk_answer *out) {
    const struct link_wait now = wait_of(t, 1000000);
    const char *line;
    while (link_has_line(t->link) && link_receive(t->link, &now, &line) == LINK_LINE)
        talk_count_stray(&t->unasked, line);
    return talk_send_more(t, bytes, out);
}

/* ---- answers ---- */

/* Trailing blanks are ignored. */
static bool is_word(const char *line, const char *word) {
    const char *rest = text_after_word(line, word);
    return rest != NULL && *rest == '\0';
}

enum talk_end talk_answer_within(struct talk *t, double ms, struct talk_answer *out) {
    assert(t->link != NULL);
    const struct link_wait wait = wait_of(t, (int64_t)(ms * 1e6));
    text_clear(&out->lines);
    out->message[0] = '\0';
    for (;;) {
        const char *line;
        const enum link_event event = link_receive(t->link, &wait, &line);
        out->ms = (double)(clock_now_ns(t->clock) - t->sent_ns) * 1e-6;
        if (event != LINK_LINE) {
            take_event(t, event, out);
            return out->end;
        }
        const char *sentence = text_after_word(line, "error");
        if (sentence != NULL) {
            link_show(out->message, sizeof out->message, sentence, strlen(sentence));
            return out->end = TALK_ERROR;
        }
        if (is_word(line, "ok"))
            return out->end = TALK_OK;
        if (is_word(line, "end"))
            return out->end = TALK_LIST;
        text_add(&out->lines, "%s\n", line);
        if (out->lines.size > TALK_ANSWER_MAX) {
            snprintf(out->message, sizeof out->message, "an answer of more than %d bytes", TALK_ANSWER_MAX);
            return out->end = TALK_FLOOD;
        }
    }
}

enum talk_end talk_answer(struct talk *t, struct talk_answer *out) {
    return talk_answer_within(t, (double)t->timeout_ns * 1e-6, out);
}

enum talk_end talk_ask(struct talk *t, const char *line, struct talk_answer *out) {
    struct text bytes = {0};
    text_add(&bytes, "%s\n", line);
    const bool sent = talk_send(t, text_string(&bytes), out);
    text_done(&bytes);
    return sent ? talk_answer(t, out) : out->end;
}
