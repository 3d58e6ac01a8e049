/* SPDX-License-Identifier: MIT
 *
 * The TUBSTAP protocol: its messages as text, the client, and the server, for which a connected client is a
 * player, so that a match can be played with it.
 */
#include "net/tubstap.h"

#include "base/mem.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { QUOTE_MAX = 100 /* bytes of a line that a message quotes, its NUL included */ };

/* Cleans foreign text for messages and records: valid UTF-8 without control characters, cut to the size of
 * `out`. */
static void clean(const char *text, char *out, size_t out_size) {
    struct text utf8 = {0}, cleaned = {0};
    charset_to_utf8(text, strlen(text), &utf8);
    const char *at = text_string(&utf8);
    for (size_t left = strlen(at), size; left > 0; at += size, left -= size) {
        bool harmless;
        size = charset_glyph(at, left, &harmless);
        text_add_bytes(&cleaned, harmless ? at : "?", harmless ? size : 1);
    }
    text_add_string(&cleaned, ""); /* so that there is a string */
    const char *start = text_trim(cleaned.data);
    charset_copy(out, out_size, start, strlen(start));
    text_done(&utf8);
    text_done(&cleaned);
}

/* ---- actions ---- */

/* The eleven numbers of an action, in the order of the platform's records. */
enum field {
    TUBSTAP_UNIT,
    TUBSTAP_TO_X,
    TUBSTAP_TO_Y,
    TUBSTAP_FROM_X,
    TUBSTAP_FROM_Y,
    TUBSTAP_TARGET,
    TUBSTAP_TARGET_X,
    TUBSTAP_TARGET_Y,
    TUBSTAP_TYPE,
    TUBSTAP_DAMAGE,
    TUBSTAP_COUNTER,
    TUBSTAP_FIELDS,
};

enum type { TUBSTAP_SURRENDER, TUBSTAP_MOVE, TUBSTAP_ATTACK, TUBSTAP_TURN_END };

/* Damages are what the rules compute; both are 0 for a move. */
static void numbers_of(const void *state, action a, long out[TUBSTAP_FIELDS]) {
    if (!tbs_is_unit_action(a)) { /* a turn's end or a surrender: no unit, no target */
        const long type = a == TBS_PASS ? TUBSTAP_TURN_END : TUBSTAP_SURRENDER;
        const long none[TUBSTAP_FIELDS] = {-1, -1, -1, 0, 0, -1, 0, 0, type, 0, 0};
        memcpy(out, none, sizeof none);
        return;
    }
    struct tbs_position p;
    tbs_position_of(state, &p);
    const struct tbs_exchange exchange = tbs_preview(state, a);
    const int unit = tbs_action_unit(a), target = tbs_action_target(a);
    const bool attacks = target != TBS_NO_TARGET;
    const long numbers[TUBSTAP_FIELDS] = {
        [TUBSTAP_UNIT] = unit,
        [TUBSTAP_TO_X] = tbs_action_x(a),
        [TUBSTAP_TO_Y] = tbs_action_y(a),
        [TUBSTAP_FROM_X] = p.units[unit].x,
        [TUBSTAP_FROM_Y] = p.units[unit].y,
        [TUBSTAP_TARGET] = target,
        [TUBSTAP_TARGET_X] = attacks ? p.units[target].x : 0,
        [TUBSTAP_TARGET_Y] = attacks ? p.units[target].y : 0,
        [TUBSTAP_TYPE] = attacks ? TUBSTAP_ATTACK : TUBSTAP_MOVE,
        [TUBSTAP_DAMAGE] = exchange.damage,
        [TUBSTAP_COUNTER] = exchange.counter,
    };
    memcpy(out, numbers, sizeof numbers);
}

/* Appends the eleven numbers the platform would write for an action that is legal in this state. */
static void write_action(const void *state, action a, struct text *out) {
    long numbers[TUBSTAP_FIELDS];
    numbers_of(state, a, numbers);
    for (int i = 0; i < TUBSTAP_FIELDS; i++)
        text_add(out, "%s%ld", i > 0 ? "," : "", numbers[i]);
}

/* Reads eleven numbers and nothing else; blanks around them do not matter. */
static bool read_numbers(const char *text, long out[TUBSTAP_FIELDS], struct err *e) {
    char copy[256], quote[QUOTE_MAX];
    char *pieces[TUBSTAP_FIELDS];
    bool ok = strlen(text) < sizeof copy;
    if (ok) {
        memcpy(copy, text, strlen(text) + 1);
        ok = text_split(copy, ',', pieces, TUBSTAP_FIELDS) == TUBSTAP_FIELDS;
    }
    for (int i = 0; ok && i < TUBSTAP_FIELDS; i++)
        ok = text_to_int(pieces[i], &out[i]);
    if (ok)
        return true;
    clean(text, quote, sizeof quote);
    return err_set(e, "'%s' is no action; expected %d numbers with commas between them", quote,
                   TUBSTAP_FIELDS);
}

static bool is_within(long value, long low, long high) {
    return value >= low && value <= high;
}

/* Which action of that game they mean: unit, destination, type and, in an attack, target decide. False when
 * they name nothing that is on the map, or an action that the rules forbid in this state. Only numbers in
 * range can be packed into an action; the rules judge the rest. */
static bool find_action(const struct game *game, const void *state, const long n[TUBSTAP_FIELDS], action *out,
                        struct err *e) {
    const long type = n[TUBSTAP_TYPE], x = n[TUBSTAP_TO_X], y = n[TUBSTAP_TO_Y];
    const bool attacks = type == TUBSTAP_ATTACK;
    if (type == TUBSTAP_TURN_END || type == TUBSTAP_SURRENDER) {
        *out = type == TUBSTAP_TURN_END ? TBS_PASS : TBS_RESIGN;
    } else {
        if (!attacks && type != TUBSTAP_MOVE)
            return err_set(e, "there is no type of action %ld; expected 0 to 3 as the ninth number", type);
        if (!is_within(n[TUBSTAP_UNIT], 0, TBS_UNITS_MAX - 1))
            return err_set(e, "there is no unit %ld", n[TUBSTAP_UNIT]);
        if (!is_within(x, 0, TBS_EDGE_MAX - 1) || !is_within(y, 0, TBS_EDGE_MAX - 1))
            return err_set(e, "%ld,%ld is outside the map", x, y);
        if (attacks && !is_within(n[TUBSTAP_TARGET], 0, TBS_UNITS_MAX - 1))
            return err_set(e, "there is no unit %ld to be attacked", n[TUBSTAP_TARGET]);
        *out = tbs_action((int)n[TUBSTAP_UNIT], (int)x, (int)y,
                          attacks ? (int)n[TUBSTAP_TARGET] : TBS_NO_TARGET);
    }
    if (game->is_legal(state, *out))
        return true;
    struct text text = {0};
    action unused;
    game->text->write_action(state, *out, &text); /* reading it back gives the error as a sentence */
    game->text->read_action(state, text_string(&text), &unused, e);
    text_done(&text);
    return false;
}

/* Do the other numbers (where the unit stood, the target's cell, both damages) agree with the state? */
static bool agrees(const void *state, action a, const long numbers[TUBSTAP_FIELDS], struct err *e) {
    static const struct {
        enum field first; /* of two numbers that are compared */
        const char *what;
    } pairs[] = {{TUBSTAP_FROM_X, "the unit's cell"},
                 {TUBSTAP_TARGET_X, "the target's cell"},
                 {TUBSTAP_DAMAGE, "damage and counter-attack"}};
    if (!tbs_is_unit_action(a))
        return true; /* all that counts is the type */
    long ours[TUBSTAP_FIELDS];
    numbers_of(state, a, ours);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const long *theirs = &numbers[pairs[i].first], *right = &ours[pairs[i].first];
        const bool means_nothing = pairs[i].first == TUBSTAP_TARGET_X && ours[TUBSTAP_TYPE] == TUBSTAP_MOVE;
        if (!means_nothing && (theirs[0] != right[0] || theirs[1] != right[1]))
            return err_set(e, "it says %ld,%ld for %s; by the rules it is %ld,%ld", theirs[0], theirs[1],
                           pairs[i].what, right[0], right[1]);
    }
    return true;
}

/* ---- commands and answers ---- */

/* Commands of the server. */
enum command {
    TUBSTAP_CALL_NAME,
    TUBSTAP_CALL_OPPONENT,
    TUBSTAP_CALL_MAP,
    TUBSTAP_CALL_COLOR,
    TUBSTAP_CALL_GENMOVE,
    TUBSTAP_CALL_PLAY,
    TUBSTAP_CALL_STATUS,   /* defined by the platform, but never sent */
    TUBSTAP_CALL_GAMEOVER, /* likewise */
    TUBSTAP_CALLS,
};

static const char *const command_names[TUBSTAP_CALLS] = {
    [TUBSTAP_CALL_NAME] = "name",     [TUBSTAP_CALL_OPPONENT] = "opponent", [TUBSTAP_CALL_MAP] = "MAP",
    [TUBSTAP_CALL_COLOR] = "Color",   [TUBSTAP_CALL_GENMOVE] = "Genmove",   [TUBSTAP_CALL_PLAY] = "play",
    [TUBSTAP_CALL_STATUS] = "status", [TUBSTAP_CALL_GAMEOVER] = "gameover",
};

static void write_command(enum command command, const char *arguments, struct text *out) {
    const bool has_any = arguments != NULL && arguments[0] != '\0';
    text_add(out, "%s%s%s\r\n", command_names[command], has_any ? " " : "", has_any ? arguments : "");
}

static const char *skip_blanks(const char *at) {
    return at + strspn(at, " \t\r");
}

/* Some programs send a byte-order mark first. */
static const char *skip_lead(const char *line) {
    return skip_blanks(strncmp(line, "\xEF\xBB\xBF", 3) == 0 ? line + 3 : line);
}

/* TUBSTAP_CALLS when it is none of them. *arguments points into the line. */
static enum command read_command(const char *line, const char **arguments) {
    line = skip_lead(line);
    const size_t length = strcspn(line, " \t\r");
    *arguments = skip_blanks(line + length);
    for (int i = 0; i < TUBSTAP_CALLS; i++)
        if (strlen(command_names[i]) == length && strncmp(line, command_names[i], length) == 0)
            return (enum command)i;
    return TUBSTAP_CALLS;
}

/* The blank line is part of every answer. */
static void write_answer(const char *text, struct text *out) {
    text_add(out, "= %s\r\n\r\n", text);
}

/* Kinds of a client's lines. */
enum line_kind {
    TUBSTAP_BLANK,   /* answers end with one; more do no harm */
    TUBSTAP_ANSWER,  /* "= …" */
    TUBSTAP_REFUSAL, /* "? …": the client refuses */
    TUBSTAP_GARBAGE,
};

/* Programs for the platform differ in blanks and line ends, so these do not matter. */
static enum line_kind read_answer(const char *line, const char **text) {
    line = skip_lead(line);
    *text = line;
    if (*line == '\0')
        return TUBSTAP_BLANK;
    if (*line != '=' && *line != '?')
        return TUBSTAP_GARBAGE;
    *text = skip_blanks(line + 1);
    return *line == '=' ? TUBSTAP_ANSWER : TUBSTAP_REFUSAL;
}

/* A map file on one line, as MAP sends it. */
static void write_map(const struct tbs_map *map, struct text *out) {
    struct text lines = {0};
    tbs_map_write(map, &lines);
    for (const char *at = text_string(&lines); *at != '\0';) {
        const size_t length = strcspn(at, "\r\n");
        text_add_bytes(out, at, length);
        at += length + strspn(at + length, "\r\n");
    }
    text_done(&lines);
}

/* The server closes when the game is over. One that does not is not waited for. */
#define GOODBYE_NS (INT64_C(5) * 1000000000)
#define SENDING_NS (INT64_C(10) * 1000000000)

/* ---- the client: a state machine that never blocks ---- */

/* The name is sent to the server; it may come from a file or from the command line. */
void tubstap_client_init(struct tubstap_client *c, const char *name) {
    memset(c, 0, sizeof *c);
    clean(name, c->name, sizeof c->name);
    c->side = NOBODY;
    timing_default(&c->timing);
    record_init(&c->record);
}

void tubstap_client_done(struct tubstap_client *c) {
    record_done(&c->record);
    game_unload(c->scenario);
    c->scenario = NULL;
}

/* Both MAP and Color have come: there is a state. */
static bool has_begun(const struct tubstap_client *c) {
    return c->scenario != NULL && c->side != NOBODY;
}

/* By the rules. */
static bool is_over(const struct tubstap_client *c) {
    return has_begun(c) && c->scenario->game->mover(c->game.referee.state) == NOBODY;
}

/* The game begins: the record gets its names, the clocks their limits. */
static bool take_color(struct tubstap_client *c, const char *arguments, struct err *e) {
    long side;
    if (c->scenario == NULL)
        return err_set(e, "a colour before the map");
    if (c->side != NOBODY)
        return err_set(e, "a second colour in one game");
    if (!text_to_int(arguments, &side) || (side != 0 && side != 1))
        return err_set(e, "expected Color 0 (red) or Color 1 (blue)");
    c->side = (int)side;
    const char *const names[2] = {side == 0 ? c->name : c->opponent, side == 0 ? c->opponent : c->name};
    record_describe(&c->record, c->scenario, names);
    const struct clocked_setup setup = {.scenario = c->scenario,
                                        .seed = c->record.seed,
                                        .timing = &c->timing,
                                        .record = &c->record,
                                        .is_guest = true};
    clocked_game_start(&c->game, &setup, 0);
    return true;
}

/* Is it the turn of that side, by the rules? */
static bool is_turn_of(const struct tubstap_client *c, int side, struct err *e) {
    if (!has_begun(c))
        return err_set(e, "the game has not begun: MAP and Color come first");
    const int mover = c->scenario->game->mover(c->game.referee.state);
    if (mover == NOBODY)
        return err_set(e, "by the rules the game is over (%s)",
                       c->scenario->game->text->result(c->game.referee.state));
    if (mover != side)
        return err_set(e, "by the rules it is %s's turn", tbs_side_names[mover]);
    return true;
}

/* The other side's action. It must be legal by our rules; its other numbers need not agree with them. */
static bool take_play(struct tubstap_client *c, const char *arguments, struct err *e) {
    long numbers[TUBSTAP_FIELDS];
    action a;
    struct err difference;
    if (!is_turn_of(c, c->side ^ 1, e) || !read_numbers(arguments, numbers, e) ||
        !find_action(c->scenario->game, c->game.referee.state, numbers, &a, e))
        return false;
    /* The platform repeats what the other client sent, so the damages may be wrong: that is only noted. */
    if (!agrees(c->game.referee.state, a, numbers, &difference) && c->differences++ == 0) {
        char quote[QUOTE_MAX];
        clean(arguments, quote, sizeof quote);
        err_set(&c->difference, "play %s: %.300s", quote, difference.text);
    }
    return clocked_game_play(&c->game, a, RECORD_NO_TIME, e);
}

/* Executes a command and writes its answer, except Genmove's, which client_decide writes. */
static bool take_command(struct tubstap_client *c, const char *line, struct text *answer, struct err *e) {
    const char *arguments;
    struct tbs_position p;
    switch (read_command(line, &arguments)) {
    case TUBSTAP_CALL_NAME: write_answer(c->name, answer); return true;
    case TUBSTAP_CALL_STATUS: /* HP sums, ours first */
        if (!has_begun(c))
            return err_set(e, "the game has not begun: MAP and Color come first");
        tbs_position_of(c->game.referee.state, &p);
        text_add(answer, "= %d %d\r\n\r\n", p.hp_sum[c->side], p.hp_sum[c->side ^ 1]);
        return true;
    case TUBSTAP_CALL_GENMOVE: c->is_asked = is_turn_of(c, c->side, e); return c->is_asked;
    case TUBSTAP_CALL_OPPONENT: clean(arguments, c->opponent, sizeof c->opponent); break;
    case TUBSTAP_CALL_MAP:
        if (c->scenario != NULL)
            return err_set(e, "a second map in one game");
        c->scenario = game_load(
            &tbs_game, &(struct game_source){"the server's map", arguments, strlen(arguments), NULL}, e);
        if (c->scenario == NULL)
            return false;
        break;
    case TUBSTAP_CALL_COLOR:
        if (!take_color(c, arguments, e))
            return false;
        break;
    case TUBSTAP_CALL_PLAY:
        if (!take_play(c, arguments, e))
            return false;
        break;
    case TUBSTAP_CALL_GAMEOVER: c->told_over = true; break;
    case TUBSTAP_CALLS:
        return err_set(e, "this command is unknown; expected name, opponent, MAP, Color, Genmove or play");
    }
    write_answer("", answer);
    return true;
}

/* One line of the server, without its end. Appends the answer to send, but not to a blank line and not while
 * our action is wanted (is_asked). False when this cannot go on; the sentence has the server's line in it. */
static bool client_take(struct tubstap_client *c, const char *line, struct text *answer, struct err *e) {
    char quote[QUOTE_MAX];
    assert(!c->is_asked);
    if (line[strspn(line, " \t\r")] == '\0' || take_command(c, line, answer, e))
        return true;
    clean(line, quote, sizeof quote);
    return err_prefix(e, "'%s' from the server: ", quote); /* "'play 3,…' from the server: by the rules …" */
}

/* Our action. The protocol has no resignation: it ends the turn instead. False when the action is illegal
 * (then it is still wanted). */
static bool client_decide(struct tubstap_client *c, action a, struct text *answer, struct err *e) {
    assert(c->is_asked);
    struct text numbers = {0};
    if (a == TBS_RESIGN)
        a = TBS_PASS;
    if (!c->scenario->game->is_legal(c->game.referee.state, a)) {
        c->scenario->game->text->write_action(c->game.referee.state, a, &numbers);
        err_set(e, "%s is illegal", text_string(&numbers));
        text_done(&numbers);
        return false;
    }
    write_action(c->game.referee.state, a, &numbers);
    write_answer(text_string(&numbers), answer);
    text_done(&numbers);
    c->is_asked = false;
    return clocked_game_play(&c->game, a, RECORD_NO_TIME, e);
}

/* ---- the client: a game over a link ---- */

struct run {
    struct tubstap_client *client;
    struct link *link;
    const struct tubstap_join *join;
    struct player *player; /* NULL until the game begins */
    struct text answer;
};

/* No line came from the server: how that ends the game. */
static enum tubstap_end explain_silence(struct run *run, enum link_event event, struct err *e) {
    const struct tubstap_client *c = run->client;
    char reason[200];
    assert(event != LINK_LINE);
    if (event == LINK_STOPPED) {
        err_set(e, "stopped");
        return TUBSTAP_END_STOPPED;
    }
    if (event == LINK_SHORTAGE || event == LINK_TOO_LONG) {
        if (event == LINK_SHORTAGE)
            err_set(e, "this machine cannot talk to the server: %s", strerror(errno));
        else
            err_set(e, "a line of more than %d bytes from the server", LINK_LINE_MAX);
        return TUBSTAP_END_FAILED;
    }
    if (is_over(c))
        return TUBSTAP_END_OVER;
    link_describe_end(run->link, reason, sizeof reason);
    const int turns = has_begun(c) ? c->scenario->game->turn(c->game.referee.state) : 0;
    if (!has_begun(c))
        err_set(e, "%s before the game began", reason);
    else
        err_set(e, "%s in the middle of the game, after %d turn%s; %s", reason, turns, turns == 1 ? "" : "s",
                c->told_over ? "the server said that it is over" : "why, the server did not say");
    return TUBSTAP_END_CLOSED;
}

/* Asks our player; its answer's line is in run->answer then. */
static enum tubstap_end decide(struct run *run, struct err *e) {
    struct tubstap_client *c = run->client;
    const struct tubstap_join *join = run->join;
    const int64_t start = clock_now_ns(join->clock);
    struct ask ask;
    struct answer answer;
    clocked_game_begin_decision(&c->game, start);
    clocked_game_ask(&c->game, start, &ask);
    ask.budget.clock = join->clock;
    ask.budget.stop = join->stop;
    player_choose(run->player, &ask, &answer);
    if (budget_is_stopped(join->stop))
        return explain_silence(run, LINK_STOPPED, e);
    if (answer.fault != PLAYER_FAULT_NONE ? !err_set(e, "%s", answer.reason)
                                          : !client_decide(c, answer.chosen, &run->answer, e)) {
        err_prefix(e, "%s: ", join->player);
        return TUBSTAP_END_FAILED;
    }
    clocked_game_charge(&c->game, c->side, clock_now_ns(join->clock));
    return TUBSTAP_END_OVER;
}

/* One line of the server; TUBSTAP_END_OVER when it was dealt with. */
static enum tubstap_end take_line(struct run *run, const char *line, struct err *e) {
    const struct tubstap_join *join = run->join;
    struct tubstap_client *c = run->client;
    if (!client_take(c, line, &run->answer, e))
        return TUBSTAP_END_FAILED;
    /* Opened as soon as the scenario is known, before the first question, so that no turn is charged. */
    if (run->player == NULL && has_begun(c) &&
        (run->player = player_open_granted(join->player, c->scenario->game, join->grant, e)) == NULL)
        return TUBSTAP_END_FAILED;
    const enum tubstap_end end = c->is_asked ? decide(run, e) : TUBSTAP_END_OVER;
    if (end != TUBSTAP_END_OVER || run->answer.size == 0)
        return end;
    const struct link_wait wait = link_wait_for(join->clock, SENDING_NS, join->stop);
    const bool sent = link_send(run->link, text_string(&run->answer), run->answer.size, &wait, e);
    text_clear(&run->answer);
    /* A peer may disconnect after the last action. */
    return sent || is_over(c)              ? TUBSTAP_END_OVER
           : budget_is_stopped(join->stop) ? TUBSTAP_END_STOPPED
                                           : TUBSTAP_END_CLOSED;
}

/* While the game runs there is no limit on the server's silence: the other player thinks for as long as
 * the server lets it. */
enum tubstap_end tubstap_client_run(struct tubstap_client *client, struct link *link,
                                    const struct tubstap_join *join, struct err *e) {
    struct run run = {.client = client, .link = link, .join = join};
    client->timing.turn_s = join->turn_seconds;
    client->timing.grace_s = 0;
    client->record.seed = join->seed;
    enum tubstap_end end = TUBSTAP_END_OVER;
    enum link_event event = LINK_LINE;
    while (end == TUBSTAP_END_OVER && event == LINK_LINE) {
        const char *line;
        const struct link_wait wait =
            link_wait_for(join->clock, is_over(client) ? GOODBYE_NS : 0, join->stop);
        event = link_receive(link, &wait, &line);
        end = event == LINK_LINE ? take_line(&run, line, e) : explain_silence(&run, event, e);
    }
    player_close(run.player);
    text_done(&run.answer);
    return end;
}

enum { BLANKS_MAX = 1000 /* lines with nothing in them before an answer */ };

/* A connected client as a player. It repeats the game's actions in a state of its own, because the numbers
 * of an action depend on the state before it. */
struct seat {
    struct player player; /* first member */
    struct link *link;
    struct tubstap_limits limits;
    char name[TUBSTAP_NAME_MAX];
    enum player_fault fault; /* the first fault; nothing is sent after it */
    char reason[PLAYER_REASON_MAX];
    const struct scenario *scenario; /* NULL before the game */
    int side, reported;              /* `reported`: number of actions that the client was sent */
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after those */
};

static struct seat *seat_of(struct player *player);

/* ---- the server: faults ---- */

__attribute__((format(printf, 3, 4))) static bool blame(struct seat *seat, enum player_fault fault,
                                                        const char *format, ...) {
    va_list args;
    char whole[ERR_TEXT_MAX];
    va_start(args, format);
    vsnprintf(whole, sizeof whole, format, args);
    va_end(args);
    seat->fault = fault;
    charset_copy(seat->reason, sizeof seat->reason, whole, strlen(whole));
    return false;
}

/* No line came: whose fault is it, and which? */
static bool blame_silence(struct seat *seat, enum link_event event, const char *command) {
    char reason[120];
    if (event == LINK_SHORTAGE)
        return blame(seat, PLAYER_SHORTAGE, "this machine cannot talk to it: %s", strerror(errno));
    if (event == LINK_TOO_LONG)
        return blame(seat, PLAYER_FAULT_GARBAGE, "a line of more than %d bytes after %s", LINK_LINE_MAX,
                     command);
    if (event == LINK_TIME)
        return blame(seat, PLAYER_FAULT_HANG, "no answer to %s", command);
    if (event == LINK_STOPPED)
        return blame(seat, PLAYER_FAULT_HANG, "stopped while waiting for the answer to %s", command);
    link_describe_end(seat->link, reason, sizeof reason);
    return blame(seat, PLAYER_FAULT_CRASH, "%s before it answered %s", reason, command);
}

/* ---- the server: one command and its answer ---- */

/* Without a question only blank lines of earlier answers may arrive. */
static bool is_quiet(struct seat *seat) {
    const char *line, *text;
    while (link_has_line(seat->link)) {
        const struct link_wait wait = link_wait_for(seat->limits.clock, 1, NULL);
        const enum link_event event = link_receive(seat->link, &wait, &line);
        if (event != LINK_LINE)
            return blame_silence(seat, event, "an earlier command");
        if (read_answer(line, &text) != TUBSTAP_BLANK) {
            char quote[QUOTE_MAX];
            clean(line, quote, sizeof quote);
            return blame(seat, PLAYER_FAULT_PROTOCOL, "it sent '%s' without a question", quote);
        }
    }
    return true;
}

/* An error of this machine is a shortage, not a fault of the client: the match may repeat the game. */
static bool send_command(struct seat *seat, enum command command, const char *arguments) {
    const struct tubstap_limits *m = &seat->limits;
    const struct link_wait wait = link_wait_for(m->clock, m->answer_ns, m->stop);
    struct text line = {0};
    struct err e;
    write_command(command, arguments, &line);
    const bool ok = link_send(seat->link, text_string(&line), line.size, &wait, &e);
    const int cause = errno;
    text_done(&line);
    errno = cause;
    if (!ok && (link_is_shortage(cause) || link_has_ended(seat->link)))
        return blame_silence(seat, link_is_shortage(cause) ? LINK_SHORTAGE : LINK_ENDED,
                             command_names[command]);
    return ok ||
           blame(seat, PLAYER_FAULT_CRASH, "%s could not be sent: %.150s", command_names[command], e.text);
}

/* The text after '=', valid until the next line is received. */
static bool receive_answer(struct seat *seat, enum command command, const struct link_wait *wait,
                           const char **answer) {
    const char *name = command_names[command], *line;
    char quote[QUOTE_MAX];
    for (int blanks = 0; blanks < BLANKS_MAX; blanks++) {
        const enum link_event event = link_receive(seat->link, wait, &line);
        if (event != LINK_LINE)
            return blame_silence(seat, event, name);
        clean(line, quote, sizeof quote);
        switch (read_answer(line, answer)) {
        case TUBSTAP_BLANK: continue;
        case TUBSTAP_ANSWER: return true;
        case TUBSTAP_REFUSAL: return blame(seat, PLAYER_FAULT_PROTOCOL, "it refused %s: '%s'", name, quote);
        case TUBSTAP_GARBAGE:
            return blame(seat, PLAYER_FAULT_GARBAGE, "its answer to %s does not begin with '=': '%s'", name,
                         quote);
        }
    }
    return blame(seat, PLAYER_FAULT_GARBAGE, "%d blank lines in place of an answer to %s", BLANKS_MAX, name);
}

/* All commands but Genmove: their answers are short, so is their time limit. */
static bool call(struct seat *seat, enum command command, const char *arguments, const char **answer) {
    if (seat->fault != PLAYER_FAULT_NONE || !is_quiet(seat) || !send_command(seat, command, arguments))
        return false;
    const struct tubstap_limits *m = &seat->limits;
    const struct link_wait wait = link_wait_for(m->clock, m->answer_ns, m->stop);
    return receive_answer(seat, command, &wait, answer);
}

/* ---- the server: reporting actions ---- */

/* Brings the client up to date. Its own actions are not reported: it knows them. */
static void report_actions(struct seat *seat, const struct record *record) {
    const struct game *game = seat->scenario->game;
    while (seat->fault == PLAYER_FAULT_NONE && seat->reported < record->count) {
        const action a = record->actions[seat->reported++].action;
        /* Reports the other side's actions only. The protocol has no resignation. */
        if (game->mover(seat->state) != seat->side && a != TBS_RESIGN) {
            struct text numbers = {0};
            const char *unused;
            write_action(seat->state, a, &numbers);
            call(seat, TUBSTAP_CALL_PLAY, text_string(&numbers), &unused);
            text_done(&numbers);
        }
        game->play(seat->state, a, NULL);
    }
}

/* Called after every action, so the other client hears of an action at once and may think meanwhile. */
void tubstap_watch(void *context, const void *state, const struct record *record) {
    (void)state;
    const struct tubstap_game *game = context;
    for (int side = 0; side < 2; side++)
        if (game->seats[side] != NULL)
            report_actions(seat_of(game->seats[side]), record);
}

/* ---- the server: the player ---- */

/* The game's clock limits the answer: `patience_ns` is the time after the limit in which an answer is still
 * waited for. */
static void genmove(struct seat *seat, const struct ask *ask, struct answer *out) {
    const struct tubstap_limits *m = &seat->limits;
    const char *answer;
    long numbers[TUBSTAP_FIELDS];
    struct err e;
    if (!is_quiet(seat))
        return;
    const int64_t most_ns = ask->time.limit_ns > 0 ? ask->time.limit_ns + ask->time.patience_ns : 0;
    const struct link_wait wait = link_wait_for(m->clock, most_ns, m->stop);
    if (!send_command(seat, TUBSTAP_CALL_GENMOVE, NULL) ||
        !receive_answer(seat, TUBSTAP_CALL_GENMOVE, &wait, &answer))
        return;
    if (!read_numbers(answer, numbers, &e))
        blame(seat, PLAYER_FAULT_GARBAGE, "%s", e.text);
    else if (!find_action(ask->game, ask->view, numbers, &out->chosen, &e))
        blame(seat, PLAYER_FAULT_ILLEGAL, "%s", e.text);
}

/* The client knows all actions: tubstap_watch was called after each. Time in which this program could not
 * serve the link is not the client's. */
static void choose_remote(struct player *player, const struct ask *ask, struct answer *out) {
    struct seat *seat = seat_of(player);
    assert(seat->scenario != NULL);
    const int64_t gap_before = link_gap_ns(seat->link);
    if (seat->fault == PLAYER_FAULT_NONE)
        genmove(seat, ask, out);
    out->setup_ns = link_gap_ns(seat->link) - gap_before;
    out->fault = seat->fault;
    memcpy(out->reason, seat->reason, sizeof out->reason);
}

static void close_remote(struct player *player) {
    link_close(seat_of(player)->link, 0);
}

/* The stored text contains our line ends; a transcript has lines. */
static void transcribe_part(const struct link *link, void (*part)(const struct link *, struct text *),
                            struct text *out) {
    struct text whole = {0};
    part(link, &whole);
    for (const char *at = text_string(&whole); *at != '\0'; at += *at == '\r') {
        const size_t length = strcspn(at, "\r");
        text_add_bytes(out, at, length);
        at += length;
    }
    text_done(&whole);
}

static void transcribe_remote(const struct player *player, struct player_transcript *out) {
    const struct seat *seat = (const struct seat *)player;
    text_add(&out->command, "a client of the platform's protocol that calls itself %s", seat->name);
    transcribe_part(seat->link, link_sent, &out->sent);
    transcribe_part(seat->link, link_tail, &out->tail);
}

/* Not in the registry: only a connection makes one. */
static const struct player_type remote_type = {
    .name = "net",
    .help = "a client of the platform's network protocol",
    .choose = choose_remote,
    .close = close_remote,
    .transcript = transcribe_remote,
};

/* Only players that tubstap_seat_open made are seats. */
static struct seat *seat_of(struct player *player) {
    assert(player->type == &remote_type);
    return (struct seat *)player;
}

/* ---- the server: taking a seat ---- */

/* The name is the first thing that a client is asked: an answer shows that it speaks the protocol. */
struct player *tubstap_seat_open(struct link *link, const struct tubstap_limits *limits, struct err *e) {
    struct seat *seat = mem_alloc(sizeof *seat);
    const char *name;
    seat->player.type = &remote_type;
    seat->link = link;
    seat->limits = *limits;
    seat->side = NOBODY;
    if (!call(seat, TUBSTAP_CALL_NAME, NULL, &name)) {
        err_set(e, "%s", seat->reason);
        player_close(&seat->player);
        return NULL;
    }
    clean(name, seat->name, sizeof seat->name);
    if (seat->name[0] == '\0')
        snprintf(seat->name, sizeof seat->name, "nameless");
    return &seat->player;
}

const char *tubstap_seat_name(const struct player *seat) {
    return ((const struct seat *)seat)->name;
}

bool tubstap_seat_is_there(struct player *player) {
    struct seat *seat = seat_of(player);
    return is_quiet(seat) && !link_has_ended(seat->link);
}

/* ---- the server: the beginning of a game ---- */

/* Both clients learn their opponents before the first MAP. A fault of one does not
 * keep the other from its greeting; the game run reports it at the first decision. */
void tubstap_begin(const struct tubstap_game *game, const struct scenario *scenario) {
    char name[TUBSTAP_NAME_MAX];
    const char *unused;
    struct text map = {0};
    for (int side = 0; side < 2; side++) {
        clean(game->names[side ^ 1], name, sizeof name);
        if (game->seats[side] != NULL)
            call(seat_of(game->seats[side]), TUBSTAP_CALL_OPPONENT, name, &unused);
    }
    write_map(tbs_scenario_map(scenario), &map);
    for (int side = 0; side < 2; side++) {
        if (game->seats[side] == NULL)
            continue;
        struct seat *seat = seat_of(game->seats[side]);
        seat->scenario = scenario;
        seat->side = side;
        seat->reported = 0;
        scenario->game->start(seat->state, scenario, NULL);
        if (call(seat, TUBSTAP_CALL_MAP, text_string(&map), &unused))
            call(seat, TUBSTAP_CALL_COLOR, side == 0 ? "0" : "1", &unused);
    }
    text_done(&map);
}
