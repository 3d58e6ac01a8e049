/* SPDX-License-Identifier: MIT */
#include "protocol/reproduce.h"

#include "base/charset.h"
#include "base/clock.h"
#include "protocol/talk.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { LISTEN_MS = 300, LINE_MAX_SIZE = 256, BEST_MAX = 4096 };

struct run {
    const struct reproduce *setup;
    struct reproduction *out;
    struct talk talk;
    struct talk_answer answer;
    struct scenario *scenario;
    struct replay replay; /* the game as it was at the fault */
};

bool reproduce_engine(const struct fault_report *fault_report, struct ext_options *out, struct err *e) {
    const char *command = text_string(&fault_report->transcript.command);
    params_default(player_type_find("ext")->params, out);
    if (command[0] == '\0')
        return err_set(e, "it is about a player of our own, which has no command; name a player");
    if (command[0] == '(')
        return err_set(e, "it is about %.200s; name a player", command);
    if (strlen(command) >= sizeof out->cmd)
        return err_set(e, "its command is longer than %zu characters", sizeof out->cmd - 1);
    snprintf(out->cmd, sizeof out->cmd, "%s", command);
    return true;
}

/* Copies one command with all its lines; returns the start of the next one. */
static const char *next_command(const char *at, struct text *command) {
    assert(*at != '\0');
    const char *last = strncmp(at, "map\n", 4) == 0 ? strstr(at, "\nendmap\n") : NULL;
    const char *end = strchr(last != NULL ? last + 1 : at, '\n');
    const size_t size = end != NULL ? (size_t)(end + 1 - at) : strlen(at);
    text_clear(command);
    text_add_bytes(command, at, size);
    if (end == NULL)
        text_add_string(command, "\n");
    return at + size;
}

__attribute__((format(printf, 3, 4))) static bool fault(struct run *run, enum player_fault kind,
                                                        const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    run->out->fault = kind;
    vsnprintf(run->out->message, sizeof run->out->message, format, arguments);
    va_end(arguments);
    charset_disarm(run->out->message); /* the message may quote the program */
    return false;
}

/* The answer has no last line, or a wrong one. */
static bool judge_end(struct run *run) {
    static const enum player_fault kinds[] = {
        [TALK_OK] = PLAYER_FAULT_NONE,        [TALK_LIST] = PLAYER_FAULT_PROTOCOL,
        [TALK_ERROR] = PLAYER_FAULT_PROTOCOL, [TALK_SILENCE] = PLAYER_FAULT_HANG,
        [TALK_DEATH] = PLAYER_FAULT_CRASH,    [TALK_FLOOD] = PLAYER_FAULT_GARBAGE,
        [TALK_STOPPED] = PLAYER_FAULT_NONE};
    const enum talk_end end = run->answer.end;
    return fault(run, kinds[end], "%s%.300s", end == TALK_ERROR ? "it answered: error " : "",
                 end == TALK_LIST ? "it answered: end" : run->answer.message);
}

/* Lines allowed before `ok`, by the first word of the command; the last row is for all other commands. */
static const struct form {
    const char *verb;
    const char *lines[4];
} forms[] = {
    {"sjp", {"id", "game", "option", NULL}},
    {"go", {"info", "best", NULL}},
    {"", {NULL}},
};

static bool judge_action(struct run *run, void *state, const char *word) {
    const struct game *game = run->scenario->game;
    struct err e;
    action a;
    if (!game->text->read_action(state, word, &a, &e))
        return fault(run, PLAYER_FAULT_ILLEGAL, "%s", e.text);
    game->play(state, a, &run->replay.rng);
    return true;
}

static bool judge_go(struct run *run, const char *command, bool is_last) {
    const struct game *game = run->scenario->game;
    const double limit_ms = run->setup->fault_report->limit_ms;
    char line[BEST_MAX], best[BEST_MAX] = "";
    int count = 0;
    bool is_last_line = false;
    for (const char *at = text_string(&run->answer.lines);
         (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        const char *rest = text_after_word(line, "best");
        is_last_line = rest != NULL;
        count += rest != NULL;
        if (rest != NULL)
            snprintf(best, sizeof best, "%s", rest);
    }
    if (count != 1 || best[0] == '\0')
        return fault(run, PLAYER_FAULT_PROTOCOL,
                     count == 0   ? "it answered without an action"
                     : count == 1 ? "it answered with an empty action"
                                  : "it answered with more than one action");
    if (!is_last_line)
        return fault(run, PLAYER_FAULT_PROTOCOL, "it said more between its action and `ok`");
    if (!is_last)
        return true;
    if (limit_ms > 0 && run->answer.ms > limit_ms)
        return fault(run, PLAYER_FAULT_LATE, "late, after %.2f s of %.2f s", run->answer.ms * 1e-3,
                     limit_ms * 1e-3);
    /* The actions of the last `go` are judged in the position of the fault. */
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    memcpy(state, run->replay.state, game->state_size);
    if (strstr(command, " turn") == NULL)
        return judge_action(run, state, text_trim(best));
    char *rest = NULL;
    for (char *word = strtok_r(best, " \t", &rest); word != NULL; word = strtok_r(NULL, " \t", &rest))
        if (!judge_action(run, state, word))
            return false;
    return true;
}

/* ---- the conversation ---- */

/* A line that is not allowed in this answer is garbage when it is unknown, and otherwise breaks the protocol.
 */
static bool judge_answer(struct run *run, const char *command, bool is_last) {
    static const char *const words[] = {"ok", "error", "info", "best", "id", "game", "option", "end"};
    const struct form *form = forms;
    while (form->verb[0] != '\0' && text_after_word(command, form->verb) == NULL)
        form++;
    char line[BEST_MAX], shown[TALK_LINE_SHOWN_MAX];
    for (const char *at = text_string(&run->answer.lines);
         (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        bool allowed = false, known = false;
        for (int i = 0; form->lines[i] != NULL; i++)
            allowed = allowed || text_after_word(line, form->lines[i]) != NULL;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            known = known || text_after_word(line, words[i]) != NULL;
        if (!allowed)
            return fault(run, known ? PLAYER_FAULT_PROTOCOL : PLAYER_FAULT_GARBAGE, "it said '%s'",
                         talk_show_line(line, shown));
    }
    if (run->answer.end != TALK_OK)
        return judge_end(run);
    return strcmp(form->verb, "go") != 0 || judge_go(run, command, is_last);
}

static bool judge_strays(struct run *run) {
    return run->talk.unasked.count == 0 ||
           fault(run, PLAYER_FAULT_PROTOCOL, "it said '%s' when nothing was asked", run->talk.unasked.first);
}

/* False after a fault, or when there are no more commands. */
static bool ask(struct run *run, const char *command, bool is_last) {
    const struct fault_report *b = run->setup->fault_report;
    char line[LINE_MAX_SIZE]; /* the first line, which holds the command */
    talk_next_line(command, line, sizeof line);
    if (!talk_send(&run->talk, command, &run->answer))
        return judge_strays(run) && judge_end(run);
    if (!judge_strays(run) || text_after_word(line, "quit") != NULL)
        return false;
    if (text_trim(line)[0] == '\0')
        return true;
    /* The last command has its own time limit; the others get the longer of the two. */
    const double known = b->limit_ms > 0 ? b->limit_ms + b->patience_ms : 0;
    const double other = run->setup->timeout_s * 1e3;
    talk_answer_within(&run->talk, known > 0 && (is_last || known > other) ? known : other, &run->answer);
    return judge_answer(run, line, is_last);
}

static void converse(struct run *run) {
    const char *at = text_string(&run->setup->fault_report->transcript.sent);
    struct text command = {0};
    bool going = true;
    while (*at != '\0' && going) {
        at = next_command(at, &command);
        link_show(run->out->command, TALK_LINE_SHOWN_MAX, text_string(&command),
                  strcspn(text_string(&command), "\r\n"));
        run->out->commands_sent++;
        going = ask(run, text_string(&command), *at == '\0');
    }
    text_done(&command);
    if (!going)
        return;
    run->out->command[0] = '\0';
    talk_listen(&run->talk, LISTEN_MS); /* for what the engine sends or does after its last answer */
    if (!judge_strays(run) || !link_has_ended(run->talk.link))
        return;
    char how[128];
    link_describe_end(run->talk.link, how, sizeof how);
    fault(run, PLAYER_FAULT_CRASH, "it ended (%s)", how);
}

bool reproduce_run(const struct reproduce *r, struct reproduction *out, struct err *e) {
    assert(r->clock != NULL && r->engine != NULL && r->fault_report != NULL);
    assert(r->timeout_s > 0);
    *out = (struct reproduction){0};
    const struct record *record = &r->fault_report->record;
    const struct text *sent = &r->fault_report->transcript.sent;
    if (sent->size == 0)
        return err_set(e, "there is nothing in it that was sent to its player");
    struct text command = {0};
    for (const char *at = text_string(sent); *at != '\0'; out->commands_in_all++)
        at = next_command(at, &command);
    text_done(&command);
    out->is_cut = sent->size >= LINK_SENT_MAX;

    const int64_t timeout_ns = (int64_t)(r->timeout_s * 1e9);
    const struct link_wait wait = {r->clock, clock_now_ns(r->clock) + timeout_ns, r->stop};
    struct run run = {
        .setup = r, .out = out, .talk = {.clock = r->clock, .stop = r->stop, .timeout_ns = timeout_ns}};
    run.scenario = record_scenario(record, e);
    if (run.scenario != NULL && replay_to(&run.replay, record, run.scenario, record->count, e))
        run.talk.link = talk_open(r->engine, r->grant, &wait, e);
    bool ok = run.talk.link != NULL;
    if (ok) {
        converse(&run);
        link_tail(run.talk.link, &out->tail);
        ok = run.talk.shortage == 0 || talk_is_short(&run.talk, e);
    }
    out->stopped = budget_is_stopped(r->stop);
    out->again = out->fault == r->fault_report->fault && !out->stopped;
    link_close(run.talk.link, 0);
    text_done(&run.answer.lines);
    if (run.scenario != NULL)
        run.scenario->game->unload(run.scenario);
    return ok;
}
