/* SPDX-License-Identifier: MIT
 *
 * Conversations with an engine, and the repetition of a fault. An answer has no length that is known before:
 * it ends with `ok`, `end` or `error`, so an engine that omits this line, or never stops before it, costs a
 * time limit or TALK_ANSWER_MAX bytes, and no more.
 */
#include "protocol/talk.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "player/player.h"

/* ---- the engine ---- */

bool talk_read_spec(const char *spec, struct ext_options *out, struct err *e) {
    const struct player_type *type = player_type_find("ext");
    struct spec parsed;
    if (!player_check(spec, NULL, e) || !spec_parse(spec, &parsed, e))
        return false;
    if (strcmp(parsed.name, type->name) != 0)
        return err_set(e,
                       "'%.64s' is one of our own players; expected an external program: "
                       "ext:cmd=COMMAND",
                       spec);
    params_default(type->params, out);
    return params_read(type->params, &parsed, out, e);
}

/* A wait that begins now; the setup's `stop` ends it early. */
static struct link_wait wait_of(const struct talk *t, int64_t ns) {
    return link_wait_for(t->setup->clock, ns, t->setup->stop);
}

/* A shortage of this machine is noted, because it is no fault of the engine. */
bool talk_open(struct talk *t, struct err *e) {
    const struct ext_options *engine = t->setup->engine;
    assert(t->setup->timeout_s > 0);
    talk_close(t, 0);
    if (!grant_allows_options(t->setup->grant, player_type_find("ext"), engine, e))
        return false;
    /* A person may have to start an engine that connects to this program: it has a wait of its own. */
    const struct link_wait wait = wait_of(t, (int64_t)(t->setup->timeout_s * 1e9));
    const struct link_wait guest_wait = wait_of(t, (int64_t)engine->wait_s * 1000000000);
    t->link = ext_open_link(engine, &wait, &guest_wait, e);
    if (t->link == NULL && link_is_shortage(errno))
        t->shortage = errno;
    return t->link != NULL;
}

void talk_close(struct talk *t, int grace_ms) {
    link_close(t->link, grace_ms);
    t->link = NULL;
}

bool talk_was_possible(const struct talk *t, struct err *e) {
    return t->shortage == 0 ||
           err_set(e, "this machine cannot start the engine or talk to it: %s", strerror(t->shortage));
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

/* An engine that is gone is reported as an end and not as a failed write: how it ended says more. */
bool talk_send_more(struct talk *t, const char *bytes, struct talk_answer *out) {
    assert(t->link != NULL);
    t->sent_ns = clock_now_ns(t->setup->clock);
    const struct link_wait wait = wait_of(t, (int64_t)(t->setup->timeout_s * 1e9));
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

/* What is there before the command was sent cannot be its answer. */
bool talk_send(struct talk *t, const char *bytes, struct talk_answer *out) {
    const struct link_wait now = wait_of(t, 1000000);
    const char *line;
    while (link_has_line(t->link) && link_receive(t->link, &now, &line) == LINK_LINE)
        talk_count_stray(&t->unasked, line);
    return talk_send_more(t, bytes, out);
}

/* ---- answers ---- */

/* Trailing blanks are ignored: they cannot change what the word means. */
static bool is_word(const char *line, const char *word) {
    const char *rest = text_after_word(line, word);
    return rest != NULL && *rest == '\0';
}

/* The time of an answer counts from the sending of its command, the limit from now: of several commands that
 * were sent together each answer has the whole limit. */
enum talk_end talk_answer_within(struct talk *t, double ms, struct talk_answer *out) {
    assert(t->link != NULL);
    const struct link_wait wait = wait_of(t, (int64_t)(ms * 1e6));
    text_clear(&out->lines);
    out->message[0] = '\0';
    for (;;) {
        const char *line;
        const enum link_event event = link_receive(t->link, &wait, &line);
        out->ms = (double)(clock_now_ns(t->setup->clock) - t->sent_ns) * 1e-6;
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
    return talk_answer_within(t, t->setup->timeout_s * 1e3, out);
}

enum talk_end talk_ask(struct talk *t, const char *line, struct talk_answer *out) {
    struct text bytes = {0};
    text_add(&bytes, "%s\n", line);
    const bool sent = talk_send(t, text_string(&bytes), out);
    text_done(&bytes);
    return sent ? talk_answer(t, out) : out->end;
}

int talk_best(const struct talk_answer *answer, char *best, size_t best_size, struct talk_strays *strays) {
    int count = 0;
    char line[TALK_BEST_MAX];
    best[0] = '\0';
    for (const char *at = text_string(&answer->lines);
         (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        const char *rest = text_after_word(line, "best");
        if (rest != NULL && count++ == 0)
            snprintf(best, best_size, "%s", rest);
        if (rest == NULL && (count > 0 || text_after_word(line, "info") == NULL))
            talk_count_stray(strays, line);
    }
    return count;
}

/* ---- repeating a fault ---- */

enum { LISTEN_MS = 300, LINE_MAX_SIZE = 256 };

/* One repetition of a fault. */
struct run {
    const struct reproduce *setup;
    struct reproduction *out;
    struct talk talk;
    struct talk_answer answer;
    struct scenario *scenario;
    struct replay replay; /* the game as it was at the fault */
};

/* The transcript of a connection has no command, but a description in brackets. */
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

/* Copies one command with all its lines; returns the start of the next one. A map has many lines and one
 * answer. The transcript may be cut in the middle of a line, which is then ended here. */
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

/* The answer has no last line, or a wrong one. An answer that this machine has cut short is no fault. */
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

/* A legal action is played, so that the next one of a turn is judged after it. */
static bool judge_action(struct run *run, void *state, const char *word) {
    const struct game *game = run->scenario->game;
    struct err e;
    action a;
    if (!game->text->read_action(state, word, &a, &e))
        return fault(run, PLAYER_FAULT_ILLEGAL, "%s", e.text);
    game->play(state, a, &run->replay.rng);
    return true;
}

/* Only the last `go` is judged by its time and the rules: the position is known there alone. Earlier answers
 * may differ from those in the report: what is played is what the report has, whatever the engine answers. */
static bool judge_go(struct run *run, const char *command, bool is_last) {
    const struct game *game = run->scenario->game;
    const double limit_ms = run->setup->fault_report->limit_ms;
    char best[TALK_BEST_MAX];
    struct talk_strays strays = {0};
    const int count = talk_best(&run->answer, best, sizeof best, &strays);
    if (count != 1 || best[0] == '\0')
        return fault(run, PLAYER_FAULT_PROTOCOL,
                     count == 0   ? "it answered without an action"
                     : count == 1 ? "it answered with an empty action"
                                  : "it answered with more than one action");
    if (strays.count > 0)
        return fault(run, PLAYER_FAULT_PROTOCOL, "it sent more between its action and `ok`");
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

/* A line that is not allowed in this answer is garbage when it is unknown, and else breaks the protocol. */
static bool judge_answer(struct run *run, const char *command, bool is_last) {
    /* First words of lines, and the command before whose `ok` such a line may stand; "": no command. */
    static const struct {
        const char *word, *command;
    } known[] = {{"info", "go"},    {"best", "go"}, {"id", "sjp"}, {"game", "sjp"},
                 {"option", "sjp"}, {"ok", ""},     {"error", ""}, {"end", ""}};
    const size_t count = sizeof known / sizeof known[0];
    char line[TALK_BEST_MAX], shown[TALK_LINE_SHOWN_MAX];
    for (const char *at = text_string(&run->answer.lines);
         (at = talk_next_line(at, line, sizeof line)) != NULL;) {
        size_t i = 0;
        while (i < count && text_after_word(line, known[i].word) == NULL)
            i++;
        if (i == count || known[i].command[0] == '\0' || text_after_word(command, known[i].command) == NULL)
            return fault(run, i < count ? PLAYER_FAULT_PROTOCOL : PLAYER_FAULT_GARBAGE, "it sent '%s'",
                         talk_show_line(line, shown));
    }
    if (run->answer.end != TALK_OK)
        return judge_end(run);
    return text_after_word(command, "go") == NULL || judge_go(run, command, is_last);
}

/* Lines that no command asked for break the protocol, whatever they say. */
static bool judge_strays(struct run *run) {
    return run->talk.unasked.count == 0 ||
           fault(run, PLAYER_FAULT_PROTOCOL, "it sent '%s' when nothing was asked", run->talk.unasked.first);
}

/* False after a fault, or when there are no more commands: `quit` has no answer, and what follows it was
 * never answered. */
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
    const double other = run->setup->talk.timeout_s * 1e3;
    talk_answer_within(&run->talk, known > 0 && (is_last || known > other) ? known : other, &run->answer);
    return judge_answer(run, line, is_last);
}

/* Sends the commands of the report until the engine commits a fault, or all are sent. */
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
    take_event(&run->talk, LINK_ENDED, &run->answer);
    judge_end(run);
}

/* `again` compares the kinds of the faults; their messages may differ. */
bool reproduce_run(const struct reproduce *r, struct reproduction *out, struct err *e) {
    assert(r->talk.clock != NULL && r->talk.engine != NULL && r->fault_report != NULL);
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

    struct run run = {.setup = r, .out = out, .talk = {.setup = &r->talk}};
    /* The game comes first: in a report whose actions break the rules of this version nothing can be judged,
     * and no engine is started for it. */
    run.scenario = record_scenario(record, e);
    bool ok = run.scenario != NULL && replay_to(&run.replay, record, run.scenario, record->count, e) &&
              talk_open(&run.talk, e);
    if (ok) {
        converse(&run);
        link_tail(run.talk.link, &out->tail);
        ok = talk_was_possible(&run.talk, e);
    }
    out->stopped = budget_is_stopped(r->talk.stop);
    out->again = out->fault == r->fault_report->fault && !out->stopped;
    talk_close(&run.talk, 0);
    text_done(&run.answer.lines);
    game_unload(run.scenario);
    return ok;
}
