/* SPDX-License-Identifier: MIT
 *
 * The external player's conversation: who may say what when, and what it is called when somebody does not
 * keep to it. A line whose first word the protocol does not know is garbage; one that it knows but that is
 * wrong at this point breaks the protocol.
 */
#include "player/ext.h"

#include "base/charset.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { ADDRESS_MAX = 128, MS = 1000000, SHORTAGE_NAP_MS = 100 };

/* ---- faults ---- */

bool ext_fault(struct ext_ask *a, enum player_fault fault, const char *format, ...) {
    va_list args;
    va_start(args, format);
    a->out->fault = fault;
    vsnprintf(a->out->reason, sizeof a->out->reason, format, args);
    va_end(args);
    charset_disarm(a->out->reason); /* it may quote the program */
    return false;
}

bool ext_shortage(struct ext_ask *a, int cause) {
    return ext_fault(a, PLAYER_SHORTAGE, "this machine cannot start it or talk to it: %s", strerror(cause));
}

static const char *quote(const char *line, char *out) {
    link_show(out, EXT_QUOTE_MAX, line, strlen(line));
    return out;
}

/* The last line of standard error, where programs say why they end. */
static void add_complaint(const struct ext *p, char *reason, size_t size) {
    struct text tail = {0};
    link_tail(p->link, &tail);
    const char *last = NULL, *at = text_string(&tail);
    for (; at != NULL && *at != '\0'; at = strchr(at, '\n') != NULL ? strchr(at, '\n') + 1 : NULL)
        if (at[0] == '!')
            last = at + 2;
    const size_t used = strlen(reason);
    char line[EXT_QUOTE_MAX];
    if (last != NULL && used < size) {
        link_show(line, sizeof line, last, strcspn(last, "\n"));
        snprintf(reason + used, size - used, "; it said: %s", line);
    }
    text_done(&tail);
}

static bool has_ended(struct ext_ask *a) {
    char how[100];
    link_describe_end(a->ext->link, how, sizeof how);
    ext_fault(a, PLAYER_FAULT_CRASH, "it ended: %s", how);
    add_complaint(a->ext, a->out->reason, sizeof a->out->reason);
    return false;
}

static bool is_stopped(struct ext_ask *a) {
    a->stopped = true;
    return false;
}

static bool hangs(struct ext_ask *a) {
    return ext_fault(a, PLAYER_FAULT_HANG, "no answer within %.3g s", (double)a->allowed_ms * 1e-3);
}

/* ---- waiting ---- */

void ext_allow(struct ext_ask *a, int64_t ms) {
    const struct budget *budget = &a->ask->budget;
    a->allowed_ms = ms;
    a->wait = (struct link_wait){.clock = budget->clock, .stop = budget->stop, .until_ns = ms * MS};
    if (budget->clock != NULL)
        a->wait.until_ns += clock_now_ns(budget->clock);
}

static bool receive(struct ext_ask *a, const char **line) {
    switch (link_receive(a->ext->link, &a->wait, line)) {
    case LINK_LINE:
        if (link_received_bytes(a->ext->link) - a->bytes_before <= EXT_ANSWER_MAX)
            return true;
        return ext_fault(a, PLAYER_FAULT_GARBAGE, "more than %d bytes in one answer", EXT_ANSWER_MAX);
    case LINK_TOO_LONG:
        return ext_fault(a, PLAYER_FAULT_GARBAGE, "a line of more than %d bytes", LINK_LINE_MAX);
    case LINK_TIME: return hangs(a);
    case LINK_STOPPED: return is_stopped(a);
    case LINK_SHORTAGE: return ext_shortage(a, errno);
    case LINK_ENDED: break;
    }
    return has_ended(a);
}

/* ---- lines ---- */

static bool is_ok(const char *line) {
    const char *rest = text_after_word(line, "ok");
    return rest != NULL && *rest == '\0';
}

static bool is_known_word(const char *line) {
    static const char *const words[] = {"ok", "error", "info", "best", "id", "game", "option", "end"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_after_word(line, words[i]) != NULL)
            return true;
    return false;
}

static bool send_text(struct ext_ask *a, const char *text) {
    struct link *link = a->ext->link;
    const char *line;
    char said[EXT_QUOTE_MAX];
    if (link_has_line(link)) {
        a->bytes_before = link_received_bytes(link);
        if (!receive(a, &line))
            return false;
        /* The same kind of fault as if it had come a moment later, when something was asked. */
        return ext_fault(a, is_known_word(line) ? PLAYER_FAULT_PROTOCOL : PLAYER_FAULT_GARBAGE,
                         "it said '%s' when nothing was asked", quote(line, said));
    }
    a->bytes_before = link_received_bytes(link);
    if (link_send(link, text, strlen(text), &a->wait, NULL))
        return true;
    const int cause = errno;
    if (budget_is_stopped(a->ask->budget.stop))
        return is_stopped(a);
    if (link_is_shortage(cause))
        return ext_shortage(a, cause);
    /* What it said last may explain why it listens no more. */
    return link_has_ended(link)
               ? has_ended(a)
               : ext_fault(a, PLAYER_FAULT_HANG, "it read nothing for %.3g s", (double)a->allowed_ms * 1e-3);
}

/* A line that cannot stand here. `command` is what was asked, up to its line end. */
static bool is_wrong(struct ext_ask *a, const char *line, const char *command) {
    char said[EXT_QUOTE_MAX], asked[EXT_QUOTE_MAX];
    link_show(asked, sizeof asked, command, strcspn(command, "\n"));
    if (!is_known_word(line))
        return ext_fault(a, PLAYER_FAULT_GARBAGE, "'%s' is no line of the protocol", quote(line, said));
    return ext_fault(a, PLAYER_FAULT_PROTOCOL, "'%s' is no answer to '%s'", quote(line, said), asked);
}

/* The command behind this one: a map with all its lines is one. */
static const char *next_command(const char *command) {
    const bool is_map = strncmp(command, "map\n", 4) == 0;
    const char *last = is_map ? strstr(command, "\nendmap\n") : NULL;
    const char *end = strchr(last != NULL ? last + 1 : command, '\n');
    assert(end != NULL); /* a command is a whole line */
    return end + 1;
}

bool ext_tell(struct ext_ask *a) {
    struct text *commands = &a->ext->commands;
    const char *line;
    if (commands->failed)
        return ext_shortage(a, ENOMEM);
    if (commands->size > 0 && !send_text(a, commands->data))
        return false;
    for (const char *command = text_string(commands); *command != '\0'; command = next_command(command)) {
        if (!receive(a, &line))
            return false;
        if (!is_ok(line))
            return is_wrong(a, line, command);
    }
    text_clear(commands);
    return true;
}

/* ---- acquaintance ---- */

bool ext_read_listen(const char *text, char *address, size_t address_size, int *port, struct err *e) {
    const char *colon = strrchr(text, ':');
    const char *digits = colon != NULL ? colon + 1 : text;
    const size_t size = colon != NULL ? (size_t)(colon - text) : 0;
    long number;
    if (!text_to_int(digits, &number) || number < 1 || number > 65535 || size >= address_size)
        return err_set(e, "listen=%.64s: expected a port from 1 to 65535, or ADDRESS:PORT", text);
    *port = (int)number;
    snprintf(address, address_size, "%.*s", size > 0 ? (int)size : 7, size > 0 ? text : "0.0.0.0");
    return true;
}

static struct link *open_once(const struct ext_options *o, const struct link_wait *wait,
                              const struct link_wait *guest_wait, struct err *e) {
    if (o->cmd[0] != '\0')
        return link_start_process(o->cmd, e);
    if (o->host[0] != '\0')
        return link_connect(o->host, o->port, wait, e);
    char address[ADDRESS_MAX];
    int port = 0;
    const bool known = ext_read_listen(o->listen, address, sizeof address, &port, e);
    assert(known); /* the options were checked */
    return link_accept(address, port, guest_wait, e);
}

struct link *ext_open_link(const struct ext_options *o, const struct link_wait *wait,
                           const struct link_wait *guest_wait, struct err *e) {
    struct link_wait waits[2] = {*wait, *guest_wait};
    for (int napped = 0;; napped += SHORTAGE_NAP_MS) {
        struct link *link = open_once(o, &waits[0], &waits[1], e);
        if (link != NULL || !link_is_shortage(errno) || napped >= LINK_SHORTAGE_MS ||
            budget_is_stopped(wait->stop))
            return link;
        link_nap(SHORTAGE_NAP_MS);
        for (int i = 0; i < 2; i++) /* ours, not the other end's */
            waits[i].until_ns += waits[i].until_ns > 0 ? (int64_t)SHORTAGE_NAP_MS * MS : 0;
    }
}

static bool open_link(struct ext_ask *a) {
    struct ext *p = a->ext;
    const struct ext_options *o = &p->options;
    struct err e = {0};
    ext_allow(a, (int64_t)o->wait_s * 1000);
    const struct link_wait guest_wait = a->wait;
    ext_allow(a, o->start_ms);
    p->link = ext_open_link(o, &a->wait, &guest_wait, &e);
    const int cause = errno;
    ext_allow(a, o->start_ms); /* the greeting has its own time */
    if (p->link != NULL)
        return true;
    if (budget_is_stopped(a->ask->budget.stop))
        return is_stopped(a);
    if (link_is_shortage(cause))
        return ext_shortage(a, cause);
    return ext_fault(a, PLAYER_FAULT_CRASH, "%s: %.180s",
                     o->cmd[0] != '\0' ? "it cannot be started" : "it cannot be reached", e.text);
}

static void note_option(struct ext *p, const char *option) {
    p->takes_seed = p->takes_seed || text_after_word(option, "seed") != NULL;
}

static bool greet(struct ext_ask *a) {
    static const char command[] = "sjp 1\n";
    const char *line, *option;
    if (!send_text(a, command))
        return false;
    for (;;) {
        if (!receive(a, &line))
            return false;
        if (is_ok(line))
            return true;
        if ((option = text_after_word(line, "option")) != NULL)
            note_option(a->ext, option);
        else if (text_after_word(line, "id") == NULL && text_after_word(line, "game") == NULL)
            return is_wrong(a, line, command);
    }
}

/* "NAME=VALUE;NAME=VALUE", checked when the player was opened. */
static void collect_options(struct ext *p) {
    for (const char *at = p->options.options; *at != '\0';) {
        const size_t size = strcspn(at, ";"), name = strcspn(at, "=;");
        if (name < size)
            text_add(&p->commands, "setoption %.*s %.*s\n", (int)name, at, (int)(size - name - 1),
                     at + name + 1);
        at += size + (at[size] == ';');
    }
}

bool ext_meet(struct ext_ask *a) {
    struct ext *p = a->ext;
    if (!open_link(a))
        return false;
    p->takes_seed = p->in_game = false;
    text_clear(&p->sent);
    text_clear(&p->tail);
    text_clear(&p->commands);
    if (!greet(a))
        return false;
    collect_options(p);
    return ext_tell(a);
}

void ext_drop(struct ext *p, int grace_ms) {
    if (p->link == NULL)
        return;
    text_clear(&p->sent);
    text_clear(&p->tail);
    link_sent(p->link, &p->sent);
    link_tail(p->link, &p->tail);
    link_close(p->link, grace_ms);
    p->link = NULL;
    p->in_game = false;
}

/* ---- go ---- */

static void note_info(struct ext_ask *a, const char *info) {
    const char *value = text_after_word(info, "value"), *work = text_after_word(info, "work");
    unsigned long long count;
    double number;
    if (value != NULL && text_to_real(value, &number))
        a->out->value = number;
    if (work != NULL && text_to_u64(work, &count))
        a->out->work_done = count;
}

bool ext_go(struct ext_ask *a, const char *command, struct text *best) {
    const char *line, *rest;
    bool has_best = false;
    if (!send_text(a, command))
        return false;
    for (;;) {
        if (!receive(a, &line))
            return false;
        if (is_ok(line) && has_best)
            return true;
        if ((rest = text_after_word(line, "info")) != NULL && !has_best) {
            note_info(a, rest);
        } else if ((rest = text_after_word(line, "best")) != NULL && *rest != '\0' && !has_best) {
            has_best = true;
            text_add_string(best, rest);
        } else {
            return is_wrong(a, line, command);
        }
    }
}
