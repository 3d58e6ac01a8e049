/* SPDX-License-Identifier: MIT
 *
 * `ext`: an external program, or a player on another machine, in the engine protocol. Opening one only checks
 * the options; the program is started at the first question. After a fault it is killed, and the next game
 * starts a new process. What it receives depends on the question alone (the whole game so far, and a seed
 * drawn from the game's generator), so results do not depend on earlier questions to the same process.
 *
 * In games with hidden information it does not receive the game, but for each question the view of its side:
 * information that was never sent cannot leak.
 *
 * Two clocks are kept apart: the time that the rules of the match allow, which decides whether an answer is
 * late, and the patience of this program, after which a silent process is killed.
 */
#include "player/ext.h"

#include "base/mem.h"
#include "player/common.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { FAREWELL_MS = 500, MS = 1000000, ADDRESS_MAX = 128, SHORTAGE_NAP_MS = 100 };

struct ext {
    struct player player; /* first member */
    struct ext_options options;
    const struct game *game;

    struct link *link;      /* NULL: not connected */
    bool takes_seed;        /* the program has an option of that name */
    struct text commands;   /* to be sent together; each is answered with ok */
    struct text sent, tail; /* of the last process, after it ended */

    bool in_game; /* what it was sent: */
    const struct scenario *scenario;
    uint64_t id;
    int side;
    action *actions;
    int action_count, action_capacity;
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after all of them */

    struct plan plan; /* the rest of a turn that it has decided */
};

/* One decision in progress. */
struct ext_ask {
    struct ext *ext;
    const struct ask *ask;
    struct answer *out;
    struct link_wait wait; /* the deadline */
    int64_t allowed_ms;    /* its length */
    uint64_t bytes_before; /* received before this answer */
    bool stopped;          /* the caller does not need the answer any more */
};

/* ---- faults ---- */

/* A line whose first word is not in the protocol is garbage; one that is in it but wrong at this point breaks
 * the protocol. */

/* Sets the fault and its reason; returns false. */
__attribute__((format(printf, 3, 4))) static bool ext_fault(struct ext_ask *a, enum player_fault fault,
                                                            const char *format, ...) {
    va_list args;
    va_start(args, format);
    a->out->fault = fault;
    vsnprintf(a->out->reason, sizeof a->out->reason, format, args);
    va_end(args);
    charset_disarm(a->out->reason); /* the reason may quote the program */
    return false;
}

/* Reports a shortage of this machine, which is no fault of the player; returns false. */
static bool ext_shortage(struct ext_ask *a, int cause) {
    return ext_fault(a, PLAYER_SHORTAGE, "this machine cannot start it or talk to it: %s", strerror(cause));
}

/* `out` has EXT_QUOTE_MAX bytes; control characters are shown, not sent to a terminal. */
static const char *quote(const char *line, char *out) {
    link_show(out, EXT_QUOTE_MAX, line, strlen(line));
    return out;
}

/* Adds the last line of standard error, where programs usually write why they end. */
static bool has_ended(struct ext_ask *a) {
    char how[100], line[EXT_QUOTE_MAX] = "";
    const char *last = NULL;
    struct text tail = {0};
    link_describe_end(a->ext->link, how, sizeof how);
    link_tail(a->ext->link, &tail);
    for (const char *at = text_string(&tail); *at != '\0';) {
        if (at[0] == '!')
            last = at + 2;
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    if (last != NULL)
        link_show(line, sizeof line, last, strcspn(last, "\n"));
    text_done(&tail);
    return ext_fault(a, PLAYER_FAULT_CRASH, "it ended: %s%s%s", how, last != NULL ? "; it said: " : "", line);
}

/* The caller has ended the match: no fault, and no answer. */
static bool is_stopped(struct ext_ask *a) {
    a->stopped = true;
    return false;
}

/* ---- waiting ---- */

/* Sets the deadline to `ms` milliseconds from now. */
static void ext_allow(struct ext_ask *a, int64_t ms) {
    const struct budget *budget = &a->ask->budget;
    a->allowed_ms = ms;
    a->wait = (struct link_wait){.clock = budget->clock, .stop = budget->stop, .until_ns = ms * MS};
    if (budget->clock != NULL)
        a->wait.until_ns += clock_now_ns(budget->clock);
}

/* The next line of the program, or a fault. The limit of bytes holds for a whole answer: a program that sends
 * `info` without end would otherwise never be late. */
static bool receive(struct ext_ask *a, const char **line) {
    switch (link_receive(a->ext->link, &a->wait, line)) {
    case LINK_LINE:
        if (link_received_bytes(a->ext->link) - a->bytes_before <= EXT_ANSWER_MAX)
            return true;
        return ext_fault(a, PLAYER_FAULT_GARBAGE, "more than %d bytes in one answer", EXT_ANSWER_MAX);
    case LINK_TOO_LONG:
        return ext_fault(a, PLAYER_FAULT_GARBAGE, "a line of more than %d bytes", LINK_LINE_MAX);
    case LINK_TIME:
        return ext_fault(a, PLAYER_FAULT_HANG, "no answer within %.3g s", (double)a->allowed_ms * 1e-3);
    case LINK_STOPPED: return is_stopped(a);
    case LINK_SHORTAGE: return ext_shortage(a, errno);
    case LINK_ENDED: break;
    }
    return has_ended(a);
}

/* ---- lines ---- */

/* Trailing blanks are allowed, as everywhere in the protocol. */
static bool is_ok(const char *line) {
    const char *rest = text_after_word(line, "ok");
    return rest != NULL && *rest == '\0';
}

/* First words of all lines that a program may send. */
static bool is_known_word(const char *line) {
    static const char *const words[] = {"ok", "error", "info", "best", "id", "game", "option", "end"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (text_after_word(line, words[i]) != NULL)
            return true;
    return false;
}

/* A line that came before the question is a fault: taken for the answer, it would belong to an earlier
 * question from then on. */
static bool send_text(struct ext_ask *a, const char *text) {
    struct link *link = a->ext->link;
    const char *line;
    char said[EXT_QUOTE_MAX];
    if (link_has_line(link)) {
        a->bytes_before = link_received_bytes(link);
        if (!receive(a, &line))
            return false;
        /* The same kind of fault as if the program had ended a moment later, after the question. */
        return ext_fault(a, is_known_word(line) ? PLAYER_FAULT_PROTOCOL : PLAYER_FAULT_GARBAGE,
                         "it sent '%s' when nothing was asked", quote(line, said));
    }
    a->bytes_before = link_received_bytes(link);
    if (link_send(link, text, strlen(text), &a->wait, NULL))
        return true;
    const int cause = errno;
    if (budget_is_stopped(a->ask->budget.stop))
        return is_stopped(a);
    if (link_is_shortage(cause))
        return ext_shortage(a, cause);
    /* Its last lines may explain why it does not read any more. */
    return link_has_ended(link)
               ? has_ended(a)
               : ext_fault(a, PLAYER_FAULT_HANG, "it read nothing for %.3g s", (double)a->allowed_ms * 1e-3);
}

/* Reports a line that is not allowed here. `command` is what was sent, up to its line end. */
static bool is_wrong(struct ext_ask *a, const char *line, const char *command) {
    char said[EXT_QUOTE_MAX], asked[EXT_QUOTE_MAX];
    link_show(asked, sizeof asked, command, strcspn(command, "\n"));
    if (!is_known_word(line))
        return ext_fault(a, PLAYER_FAULT_GARBAGE, "'%s' is no line of the protocol", quote(line, said));
    return ext_fault(a, PLAYER_FAULT_PROTOCOL, "'%s' is no answer to '%s'", quote(line, said), asked);
}

/* The next command behind this one: a map with all its lines is one command. */
static const char *next_command(const char *command) {
    const bool is_map = strncmp(command, "map\n", 4) == 0;
    const char *last = is_map ? strstr(command, "\nendmap\n") : NULL;
    const char *end = strchr(last != NULL ? last + 1 : command, '\n');
    assert(end != NULL); /* a command is a whole line */
    return end + 1;
}

/* Sends the collected commands and expects an ok to each. */
static bool ext_send_commands(struct ext_ask *a) {
    struct text *commands = &a->ext->commands;
    const char *line;
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

/* ---- greeting ---- */

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

/* A shortage passes when another game ends, so it is waited for. The waits are prolonged by each nap, because
 * the other end has done nothing wrong. */
struct link *ext_open_link(const struct ext_options *o, const struct link_wait *wait,
                           const struct link_wait *guest_wait, struct err *e) {
    struct link_wait waits[2] = {*wait, *guest_wait};
    for (int napped = 0;; napped += SHORTAGE_NAP_MS) {
        struct link *link;
        char address[ADDRESS_MAX];
        int port = 0;
        if (o->cmd[0] != '\0') {
            link = link_start_process(o->cmd, e);
        } else if (o->host[0] != '\0') {
            link = link_connect(o->host, o->port, &waits[0], e);
        } else {
            const bool known = ext_read_listen(o->listen, address, sizeof address, &port, e);
            assert(known); /* the options were checked when the player was opened */
            link = link_accept(address, port, &waits[1], e);
        }
        if (link != NULL || !link_is_shortage(errno) || napped >= LINK_SHORTAGE_MS ||
            budget_is_stopped(wait->stop))
            return link;
        link_nap(SHORTAGE_NAP_MS);
        for (int i = 0; i < 2; i++) /* an error of this machine, not of the other end */
            waits[i].until_ns += waits[i].until_ns > 0 ? (int64_t)SHORTAGE_NAP_MS * MS : 0;
    }
}

/* Waiting for a connection from outside may take longer than starting a process. */
static bool open_link(struct ext_ask *a) {
    struct ext *p = a->ext;
    const struct ext_options *o = &p->options;
    struct err e = {0};
    ext_allow(a, (int64_t)o->wait_s * 1000);
    const struct link_wait guest_wait = a->wait;
    ext_allow(a, o->start_ms);
    p->link = ext_open_link(o, &a->wait, &guest_wait, &e);
    const int cause = errno;
    ext_allow(a, o->start_ms); /* the greeting has a time limit of its own */
    if (p->link != NULL)
        return true;
    if (budget_is_stopped(a->ask->budget.stop))
        return is_stopped(a);
    if (link_is_shortage(cause))
        return ext_shortage(a, cause);
    return ext_fault(a, PLAYER_FAULT_CRASH, "%s: %.180s",
                     o->cmd[0] != '\0' ? "it cannot be started" : "it cannot be reached", e.text);
}

/* Starts or connects to the program and exchanges greetings and options. */
static bool ext_meet(struct ext_ask *a) {
    static const char command[] = "sjp 1\n";
    struct ext *p = a->ext;
    const char *line, *option;
    if (!open_link(a))
        return false;
    p->takes_seed = p->in_game = false;
    text_clear(&p->commands);
    if (!send_text(a, command) || !receive(a, &line))
        return false;
    while (!is_ok(line)) {
        if ((option = text_after_word(line, "option")) != NULL)
            p->takes_seed = p->takes_seed || text_after_word(option, "seed") != NULL;
        else if (text_after_word(line, "id") == NULL && text_after_word(line, "game") == NULL)
            return is_wrong(a, line, command);
        if (!receive(a, &line))
            return false;
    }
    for (const char *at = p->options.options; *at != '\0';) { /* checked when the player was opened */
        const size_t size = strcspn(at, ";"), name = strcspn(at, "=;");
        if (name < size)
            text_add(&p->commands, "setoption %.*s %.*s\n", (int)name, at, (int)(size - name - 1),
                     at + name + 1);
        at += size + (at[size] == ';');
    }
    return ext_send_commands(a);
}

/* Ends the connection, with `grace_ms` milliseconds for an orderly end; the transcript is stored. */
static void ext_drop(struct ext *p, int grace_ms) {
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

/* ---- the answer to a question ---- */

/* Sends a go; `best` gets the text behind the word. */
static bool ext_go(struct ext_ask *a, const char *command, struct text *best) {
    const char *line, *rest, *value;
    unsigned long long count;
    double number;
    bool has_best = false;
    if (!send_text(a, command))
        return false;
    for (;;) {
        if (!receive(a, &line))
            return false;
        if (is_ok(line) && has_best)
            return true;
        if ((rest = text_after_word(line, "info")) != NULL && !has_best) {
            if ((value = text_after_word(rest, "value")) != NULL && text_to_real(value, &number))
                a->out->value = number;
            if ((value = text_after_word(rest, "work")) != NULL && text_to_u64(value, &count))
                a->out->work_done = count;
        } else if ((rest = text_after_word(line, "best")) != NULL && *rest != '\0' && !has_best) {
            has_best = true;
            text_add_string(best, rest);
        } else {
            return is_wrong(a, line, command);
        }
    }
}

/* ---- options ---- */

#define FIELD(name) offsetof(struct ext_options, name)

static const struct param params[] = {
    {"cmd", PARAM_TEXT, FIELD(cmd), .power = PARAM_STARTS,
     .help = "the command that starts it, as the shell understands it"},
    {"host", PARAM_TEXT, FIELD(host), .power = PARAM_CONNECTS,
     .help = "in place of cmd: the machine where it listens"},
    {"port", PARAM_INT, FIELD(port), 0, 65535, 0, .power = PARAM_CONNECTS, .help = "of that machine"},
    {"listen", PARAM_TEXT, FIELD(listen), .power = PARAM_CONNECTS,
     .help = "in place of both: the port (ADDRESS:PORT) it connects to"},
    {"wait", PARAM_INT, FIELD(wait_s), 1, 86400, 60, .help = "seconds that is waited for it to connect"},
    {"turn", PARAM_SWITCH, FIELD(turn), .help = "ask it for whole turns"},
    {"timeout", PARAM_INT, FIELD(timeout_ms), 1, 86400000, 60000,
     .help = "milliseconds an answer may take when the game has no clock"},
    {"start", PARAM_INT, FIELD(start_ms), 1, 86400000, 10000,
     .help = "milliseconds it may take to start and to take in a map"},
    {"options", PARAM_TEXT, FIELD(options), .power = PARAM_STARTS,
     .help = "its own options, sent to it: [NAME=VALUE;NAME=VALUE]"},
    {0},
};

/* ---- checking and opening ---- */

/* Line ends within options would be commands of their own: an option could say anything to the program. */
static bool check_ext(const struct player_type *type, const void *options, struct err *e) {
    (void)type;
    const struct ext_options *o = options;
    const int ways = (o->cmd[0] != '\0') + (o->host[0] != '\0') + (o->listen[0] != '\0');
    char address[ADDRESS_MAX];
    int port;
    if (ways != 1)
        return err_set(e, "ext: expected one of cmd=COMMAND, host=NAME,port=N and listen=PORT%s",
                       ways == 0 ? "" : ", not several");
    if ((o->host[0] != '\0') != (o->port != 0))
        return err_set(e, "ext: host and port belong together: host=NAME,port=N");
    if (o->listen[0] != '\0' && !ext_read_listen(o->listen, address, sizeof address, &port, e))
        return err_prefix(e, "ext: ");
    if (strpbrk(o->cmd, "\n\r") != NULL || strpbrk(o->options, "\n\r") != NULL)
        return err_set(e, "ext: a line end within an option");
    for (const char *at = o->options; *at != '\0';) {
        const size_t size = strcspn(at, ";"), name = strcspn(at, "=; \t");
        if (name == 0 || at[name] != '=' || name >= size)
            return err_set(e, "ext: options=[%.64s]: expected NAME=VALUE;NAME=VALUE", at);
        at += size + (at[size] == ';');
    }
    return true;
}

/* A program that does not end within FAREWELL_MS is killed by the link. */
static void close_ext(struct player *player) {
    struct ext *p = (struct ext *)player;
    ext_drop(p, FAREWELL_MS); /* closing its input asks it to end */
    plan_done(&p->plan);
    text_done(&p->commands);
    text_done(&p->sent);
    text_done(&p->tail);
    mem_free(p->actions);
}

/* The program itself starts with the first question: a tournament opens many players that wait for their
 * games. */
static bool open_ext(struct player *player, const struct game *game, struct err *e) {
    struct ext *p = (struct ext *)player;
    if (!game_is_determined(game) && p->options.turn)
        return err_set(e,
                       "ext: turn=yes: in %s something is %s, and what a side sees changes with every action",
                       game->name, game->hide != NULL ? "hidden" : "drawn");
    p->game = game;
    plan_init(&p->plan, game);
    return true;
}

/* ---- sending the game ---- */

/* True when the game begins with the actions that were sent; more may follow. */
static bool goes_on(const struct ext *p, const struct ask *ask) {
    const struct game_history *history = ask->history;
    if (!p->in_game || history->scenario != p->scenario || history->id != p->id || ask->side != p->side ||
        history->count < p->action_count)
        return false;
    for (int i = 0; i < p->action_count; i++) /* none where something is hidden: there the view is sent */
        if (history->at(history->from, i) != p->actions[i])
            return false;
    return true;
}

/* Options, map and game in one message: one exchange in place of four. */
static bool send_new_game(struct ext_ask *a) {
    struct ext *p = a->ext;
    const struct game_history *history = a->ask->history;
    if (p->takes_seed) /* few programs support more than 31 bits */
        text_add(&p->commands, "setoption seed %lu\n", (unsigned long)(rng_next(a->ask->rng) >> 33));
    text_add_string(&p->commands, "newgame ");
    game_write_newgame(history->scenario, &p->commands);
    text_add_string(&p->commands, "\n");
    if (p->game->text->write_map != NULL) {
        text_add_string(&p->commands, "map\n");
        p->game->text->write_map(history->scenario, &p->commands);
        text_add_string(&p->commands,
                        p->commands.data[p->commands.size - 1] == '\n' ? "endmap\n" : "\nendmap\n");
    }
    struct rng none;
    rng_seed(&none, 0);
    p->game->start(p->state, history->scenario, &none);
    p->scenario = history->scenario;
    p->id = history->id;
    p->side = a->ask->side;
    p->action_count = 0;
    p->plan.expected = 0; /* made for another game */
    p->in_game = ext_send_commands(a);
    return p->in_game;
}

/* Only the actions since the last question: a game of n actions costs n lines, not n squared. Where something
 * is hidden or drawn, the view is sent instead. */
static bool send_actions(struct ext_ask *a) {
    struct ext *p = a->ext;
    const struct game_history *history = a->ask->history;
    struct rng none;
    if (!game_is_determined(p->game)) { /* the view of its side, on one line */
        text_add_string(&p->commands, "position ");
        game_write_line(p->game, a->ask->view, &p->commands);
        text_add_string(&p->commands, "\n");
        return ext_send_commands(a);
    }
    rng_seed(&none, 0);
    p->actions = mem_grow(p->actions, &p->action_capacity, history->count, sizeof *p->actions);
    while (p->action_count < history->count) {
        const action played = history->at(history->from, p->action_count);
        text_add_string(&p->commands, "play ");
        p->game->text->write_action(p->state, played, &p->commands);
        text_add_string(&p->commands, "\n");
        p->game->play(p->state, played, &none);
        p->actions[p->action_count++] = played;
    }
    return ext_send_commands(a);
}

/* ---- actions of the answer ---- */

/* A whole turn gets the shares of all its decisions; under a clock that limits each decision separately it
 * gets only this one's. */
static void write_go(const struct ext *p, const struct ask *ask, struct text *out) {
    const bool turn = p->options.turn;
    int64_t ns = ask->budget.time_ns_max;
    if (ask->time.limit_ns > 0) {
        const int64_t left = ask->game->progress(ask->view).left;
        ns = ask->time.share_ns;
        ns *= turn && left > 1 && ns <= ask->time.limit_ns / left ? left : 1;
    }
    text_add_string(out, "go");
    if (ask->budget.work_max > 0)
        text_add(out, " sims %llu", (unsigned long long)ask->budget.work_max);
    if (ns > 0 || ask->time.limit_ns > 0)
        text_add(out, " time %lld", (long long)(ns < MS ? 1 : ns / MS)); /* at least one */
    text_add_string(out, turn ? " turn\n" : "\n");
}

/* Reads one action of the answer, and plays it when more may follow. */
static bool take_action(struct ext_ask *a, void *state, char *word, struct turn_line *line) {
    const struct game *game = a->ext->game;
    struct rng chance = *a->ask->rng;
    struct err e = {0};
    action chosen;
    char said[EXT_QUOTE_MAX];
    if (game->mover(state) != a->ask->side)
        return ext_fault(a, PLAYER_FAULT_ILLEGAL, "'%s' comes after the end of its turn", quote(word, said));
    if (!game->text->read_action(state, word, &chosen, &e)) {
        char why[PLAYER_REASON_MAX];
        link_show(why, sizeof why, e.text, strlen(e.text));
        return ext_fault(a, PLAYER_FAULT_ILLEGAL, "%s", why);
    }
    turn_line_add(line, chosen);
    if (a->ext->options.turn)
        game->play(state, chosen, &chance);
    return true;
}

/* A turn is a list of actions in one line; the first is answered now, the others from the plan. Without
 * turn=yes the whole line is one action, whose notation may contain blanks. */
static bool take_best(struct ext_ask *a, char *best) {
    struct ext *p = a->ext;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    memcpy(state, a->ask->view, p->game->state_size);
    struct turn_line line = {0};
    char *rest = NULL;
    for (char *word = p->options.turn ? strtok_r(best, " \t", &rest) : text_trim(best); word != NULL;
         word = p->options.turn ? strtok_r(NULL, " \t", &rest) : NULL)
        if (!take_action(a, state, word, &line))
            return false;
    a->out->chosen = line.actions[0];
    if (p->options.turn)
        plan_make(&p->plan, a->ask, &line, a->out->value);
    return true;
}

/* Time of this machine between two lines is measured by the link and not charged to the player. */
static bool think(struct ext_ask *a) {
    const struct ask *ask = a->ask;
    const bool limited = ask->time.limit_ns > 0;
    const int64_t limit_ms = (ask->time.limit_ns + ask->time.patience_ns) / MS;
    const int64_t gap_before = link_gap_ns(a->ext->link);
    ext_allow(a, limited ? (limit_ms > 1 ? limit_ms : 1) : a->ext->options.timeout_ms);
    struct text go = {0}, best = {0};
    write_go(a->ext, ask, &go);
    const bool good = send_actions(a) && ext_go(a, text_string(&go), &best) && take_best(a, best.data);
    text_done(&go);
    text_done(&best);
    a->out->setup_ns += link_gap_ns(a->ext->link) - gap_before;
    return good;
}

/* After any fault the process is dropped: what it believes about the game is unknown. The next question
 * starts another one and sends the game again. */
static void choose_ext(struct player *player, const struct ask *ask, struct answer *out) {
    struct ext *p = (struct ext *)player;
    struct ext_ask a = {.ext = p, .ask = ask, .out = out};
    if (ask->history == NULL) {
        ext_fault(&a, PLAYER_FAULT_PROTOCOL, "an external player needs the game from its beginning");
        return;
    }
    bool ready = p->link != NULL && goes_on(p, ask);
    if (ready && p->options.turn && plan_answer(&p->plan, ask, out))
        return;
    if (!ready) {
        const struct clock *clock = ask->budget.clock;
        const int64_t start = clock != NULL ? clock_now_ns(clock) : 0;
        ready = p->link != NULL || ext_meet(&a);
        ext_allow(&a, p->options.start_ms);
        ready = ready && send_new_game(&a);
        /* Preparing a game does not count as thinking time. */
        out->setup_ns = clock != NULL ? clock_now_ns(clock) - start : 0;
    }
    if (ready && think(&a))
        return;
    p->plan.expected = 0;
    ext_drop(p, 0);
    if (a.stopped)
        *out = (struct answer){.value = (double)NAN};
}

/* Of the running process, or of the last one, which a fault has ended. */
static void transcript(const struct player *player, struct player_transcript *out) {
    const struct ext *p = (const struct ext *)player;
    const struct ext_options *o = &p->options;
    if (o->cmd[0] != '\0')
        text_add_string(&out->command, o->cmd);
    else if (o->host[0] != '\0')
        text_add(&out->command, "(a connection to %s:%d)", o->host, o->port);
    else
        text_add(&out->command, "(a connection from outside to %s)", o->listen);
    if (p->link != NULL) {
        link_sent(p->link, &out->sent);
        link_tail(p->link, &out->tail);
    } else {
        text_add_bytes(&out->sent, text_string(&p->sent), p->sent.size);
        text_add_bytes(&out->tail, text_string(&p->tail), p->tail.size);
    }
}

const struct player_type player_ext = {
    .name = "ext",
    .help = "an external program or machine that speaks the engine protocol",
    .size = sizeof(struct ext),
    .params = params,
    .options_size = sizeof(struct ext_options),
    .check = check_ext,
    .open = open_ext,
    .choose = choose_ext,
    .close = close_ext,
    .transcript = transcript,
};
