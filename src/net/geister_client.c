/* SPDX-License-Identifier: MIT
 *
 * A client of a Geister server: the protocol as a state machine, and games over a connection with one of our
 * players.
 *
 * Of the other side's colours only those of taken pieces are known. The state assumes the rest, with four
 * reds: our own view does not depend on the assumption. When a colour turns out to be different, the moves
 * are replayed from the start, which takes microseconds.
 */
#include "net/geister_client.h"

#include "base/mem.h"
#include "link/link.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { QUOTE_MAX = 100, TRIPLE = 3, BLUE = 0, RED = 1 };

const char *const geister_outcome_names[] = {
    [GEISTER_GOES_ON] = "unfinished",
    [GEISTER_WON] = "won",
    [GEISTER_LOST] = "lost",
    [GEISTER_DREW] = "drawn",
};

/* ---- the state ---- */

/* The other side's reds: the known ones, filled up to four from the pieces of unknown colour. */
static unsigned supposed_reds(const struct geister_client *c) {
    unsigned reds = c->their[RED];
    for (unsigned piece = 1; bits_count(reds) < GEISTER_REDS; piece <<= 1)
        reds |= piece & ~c->their[BLUE];
    return reds;
}

/* Replays all moves with the colours known now. False when the colours make a move illegal. */
static bool rebuild(struct geister_client *c, struct err *e) {
    struct geister *state = (void *)c->game.referee.state;
    const unsigned theirs = supposed_reds(c);
    if (c->base[0] != '\0') { /* the board at which the history begins, with these colours */
        char board[GEISTER_BOARD_CHARS + 1];
        memcpy(board, c->base, sizeof board);
        for (int i = 0; i < 2 * GEISTER_PIECES; i++)
            board[i * TRIPLE + 2] = ((c->reds | theirs << GEISTER_PIECES) >> i & 1) != 0 ? 'r' : 'b';
        if (!geister_read_board(state, c->scenario, c->side, board, c->base_ply, c->side, e))
            return false;
    } else {
        geister_game.start(state, c->scenario, NULL);
        for (int side = 0; side < 2 && (side != c->side || c->reds != 0); side++)
            geister_game.play(state, geister_setup(side == c->side ? c->reds : theirs), NULL);
    }
    for (int i = 0; i < c->count; i++) {
        if (!geister_game.is_legal(state, c->played[i]))
            return err_set(e, "the moves do not fit the colours");
        geister_game.play(state, c->played[i], NULL);
    }
    turn_count_start(&c->game.referee.turn, &geister_game, state);
    if (c->record.count >= 2)
        c->record.actions[c->side ^ 1].action = geister_setup(theirs);
    return true;
}

/* The state is the start of the game; our side is a guess until the first board. */
void geister_client_init(struct geister_client *c, const struct scenario *scenario, int side,
                         const char *name) {
    assert(side == NOBODY || side == 0 || side == 1);
    struct err e;
    memset(c, 0, sizeof *c);
    c->scenario = scenario;
    c->side_expected = side;
    c->side = side == NOBODY ? 0 : side;
    charset_copy(c->name, sizeof c->name, name, strlen(name));
    record_init(&c->record);
    clocked_game_start(&c->game, &(struct clocked_setup){.scenario = scenario, .is_guest = true}, 0);
    rebuild(c, &e);
}

/* ---- unexpected lines ---- */

/* The game ends: puts the server's line before the reason in `e`, or before `what`. */
static enum geister_step fail(const char *line, const char *what, struct err *e) {
    char quote[QUOTE_MAX];
    link_show(quote, sizeof quote, line, strlen(line));
    if (what != NULL)
        err_set(e, "%s", what);
    err_prefix(e, "'%s' from the server: ", quote);
    return GEISTER_STEP_FAILED;
}

/* The game goes on; the first surprise is kept in words. */
static void surprise(struct geister_client *c, const char *line, const char *what) {
    if (c->surprises++ == 0)
        fail(line, what, &c->first);
}

/* ---- moves ---- */

/* Plays a move in the state and in the record. The record ends where the history was lost first: what
 * follows a restart does not follow from its moves. */
static bool apply(struct geister_client *c, action a, double milliseconds, struct err *e) {
    assert(c->count < GEISTER_PLIES_MAX);
    if (!geister_game.is_legal(geister_client_state(c), a)) /* after colours were learned */
        return err_set(e, "by the rules the game was over before");
    if (c->restarts == 0 && !record_add(&c->record, a, milliseconds, e))
        return false;
    c->played[c->count++] = a;
    return clocked_game_play(&c->game, a, RECORD_NO_TIME, e);
}

/* One of the other's pieces has that colour. False when that cannot be. */
static bool learn_colour(struct geister_client *c, const char *line, int piece, int colour) {
    assert(piece >= 0);
    assert(piece < GEISTER_PIECES);
    const unsigned bit = 1U << piece;
    if ((c->their[colour] & bit) != 0)
        return true;
    if ((c->their[colour ^ 1] & bit) != 0 || bits_count(c->their[colour]) == GEISTER_REDS) {
        surprise(c, line, "these colours are not four reds and four blues");
        return false;
    }
    c->their[colour] |= bit;
    return true;
}

/* Stores the other side's colours that the board shows. True when one was new. */
static bool learn_colours(struct geister_client *c, const char *line, const char *board) {
    const unsigned before = c->their[RED] | c->their[BLUE];
    for (int i = 0; i < GEISTER_PIECES; i++) {
        const char mark = board[(GEISTER_PIECES + i) * TRIPLE + 2];
        if ((mark == 'r' || mark == 'b') && !learn_colour(c, line, i, mark == 'r' ? RED : BLUE))
            break;
    }
    return (c->their[RED] | c->their[BLUE]) != before;
}

/* Is this the board that the server would write for that side? `reveal`: with all colours, as at the end. */
static bool looks_like(const struct geister *s, int side, bool reveal, const char *board) {
    char mine[GEISTER_BOARD_CHARS + 1];
    geister_write_board(s, side, reveal, mine);
    return memcmp(mine, board, GEISTER_BOARD_CHARS) == 0;
}

/* The legal move that leads to this board. */
static bool find_move(const struct geister_client *c, const char *board, bool reveal, action *out) {
    action list[GEISTER_SETUPS];
    const int count = geister_game.actions(geister_client_state(c), list);
    for (int i = 0; i < count; i++) {
        struct geister next = *geister_client_state(c);
        geister_game.play(&next, list[i], NULL);
        *out = list[i];
        if (looks_like(&next, c->side, reveal, board))
            return true;
    }
    return false;
}

/* ---- boards ---- */

/* The first board shows our side: no move was played yet, or only the first player's. */
static bool begin(struct geister_client *c, const char *line, const char *board, struct err *e) {
    const char *names[2];
    c->side = 0;
    if (!rebuild(c, e))
        return false;
    if (!looks_like(geister_client_state(c), c->side, false, board))
        c->side = 1;
    if (c->side_expected != NOBODY && c->side != c->side_expected)
        surprise(c, line, c->side == 0 ? "we are the first player" : "we are the second player");
    names[c->side] = c->name;
    names[c->side ^ 1] = "opponent";
    record_describe(&c->record, c->scenario, names);
    for (int side = 0; side < 2; side++)
        if (!record_add(&c->record, geister_setup(side == c->side ? c->reds : supposed_reds(c)),
                        side == c->side ? c->sent_ms : -1, e))
            return false;
    c->begun = true;
    return rebuild(c, e);
}

/* Continues from a board that does not follow from the previous one. The number of moves so far is a guess;
 * it counts only towards the limit. */
static bool restart(struct geister_client *c, const char *line, const char *board, struct err *e) {
    const int plies = ((const struct geister_scenario *)c->scenario)->plies;
    surprise(c, line, "no move of the other side leads to this board; going on from here");
    c->restarts++;
    c->base_ply = geister_client_state(c)->ply + (geister_client_state(c)->mover != c->side ? 1 : 0);
    c->base_ply += c->base_ply % 2 != c->side;
    if (c->base_ply >= plies)
        c->base_ply = c->side;
    c->count = 0;
    memcpy(c->base, board, GEISTER_BOARD_CHARS);
    c->base[GEISTER_BOARD_CHARS] = '\0';
    return rebuild(c, e) && (geister_game.mover(geister_client_state(c)) == c->side ||
                             err_set(e, "by the rules the game is over"));
}

/* Advances the state to this board. */
static bool follow(struct geister_client *c, const char *line, const char *board, struct err *e) {
    action a;
    if (!c->begun && !begin(c, line, board, e))
        return false;
    if (learn_colours(c, line, board) && !rebuild(c, e))
        return restart(c, line, board, e);
    if (c->awaits_answer) {
        surprise(c, line, "our last move was not answered");
        c->awaits_answer = false;
        if (!apply(c, c->sent, c->sent_ms, e))
            return false;
    }
    const int mover = geister_game.mover(geister_client_state(c));
    if (mover == (c->side ^ 1) && find_move(c, board, false, &a)) {
        if (!apply(c, a, -1, e))
            return false;
    } else if (mover != c->side || !looks_like(geister_client_state(c), c->side, false, board)) {
        return restart(c, line, board, e);
    }
    return geister_game.mover(geister_client_state(c)) == c->side || restart(c, line, board, e);
}

/* ---- answers ---- */

/* The server's answer to our last line. An accepted move is played here. */
static enum geister_step take_answer(struct geister_client *c, const char *line, enum geister_reply reply,
                                     struct err *e) {
    if (!c->awaits_answer) {
        surprise(c, line, "nothing was asked");
        return GEISTER_STEP_NOTHING;
    }
    c->awaits_answer = false;
    if (geister_is_setup(c->sent))
        return reply != GEISTER_REPLY_NG
                   ? GEISTER_STEP_NOTHING
                   : fail(line, "our reds were refused; four different letters were sent", e);
    if (reply == GEISTER_REPLY_NG) {
        surprise(c, line, "our move was refused, which the rules allow");
        if (c->refused_count < GEISTER_REFUSED_MAX)
            c->refused[c->refused_count++] = c->sent;
        return GEISTER_STEP_REFUSED;
    }
    /* The other side's piece that our move takes; -1: none. */
    const int to = geister_target(c->sent),
              victim = geister_piece_at(geister_client_state(c), c->side ^ 1, to);
    /* After an escape the official server repeats what the piece took before. */
    if (to != GEISTER_ESCAPED && (victim < 0) != (reply == GEISTER_REPLY_OK))
        surprise(c, line, victim < 0 ? "nothing was taken" : "a piece was taken");
    else if (victim >= 0)
        learn_colour(c, line, victim, reply == GEISTER_REPLY_OK_RED ? RED : BLUE);
    if ((victim >= 0 && !rebuild(c, e)) || !apply(c, c->sent, c->sent_ms, e))
        return fail(line, NULL, e);
    return GEISTER_STEP_NOTHING;
}

/* ---- the end ---- */

/* Plays the moves since the last board: our unanswered one, and the other side's last one. (After an escape
 * the board does not show the direction.) */
static bool follow_to_end(struct geister_client *c, const char *line, const char *board, struct err *e) {
    action a;
    if (!rebuild(c, e))
        return false;
    if (!looks_like(geister_client_state(c), c->side, true, board) && c->awaits_answer &&
        geister_game.is_legal(geister_client_state(c), c->sent) && !apply(c, c->sent, c->sent_ms, e))
        return false;
    if (looks_like(geister_client_state(c), c->side, true, board))
        return true;
    if (find_move(c, board, true, &a))
        return apply(c, a, -1, e);
    surprise(c, line, "no move leads to this board");
    return true;
}

/* The server has ended the game: its result counts, also where it contradicts the rules. */
static enum geister_step take_end(struct geister_client *c, const char *line, enum geister_reply reply,
                                  const char *board) {
    struct record *record = &c->record;
    struct err e = {0};
    c->outcome = reply == GEISTER_REPLY_WON    ? GEISTER_WON
                 : reply == GEISTER_REPLY_LOST ? GEISTER_LOST
                                               : GEISTER_DREW;
    c->wants = GEISTER_WANTS_NOTHING;
    if (c->begun) { /* before the first move the board means nothing: not both sides have chosen */
        learn_colours(c, line, board);
        if (!follow_to_end(c, line, board, &e))
            surprise(c, line, e.text);
    }
    const struct geister *state = geister_client_state(c);
    const int winner = c->outcome == GEISTER_DREW ? 2 : c->outcome == GEISTER_WON ? c->side : c->side ^ 1;
    c->by_rules = state->stage == GEISTER_OVER && state->winner == winner;
    if (c->by_rules) {
        snprintf(record->result, sizeof record->result, "%s", geister_game.text->result(state));
        return GEISTER_STEP_OVER;
    }
    if (state->stage == GEISTER_OVER)
        surprise(c, line, "the rules have it differently");
    if (winner == 2)
        snprintf(record->result, sizeof record->result, "draw");
    else
        snprintf(record->result, sizeof record->result, "%s %s", geister_game.text->side_names[winner],
                 c->refused_count > 0 ? player_fault_names[PLAYER_FAULT_ILLEGAL] : "forfeit");
    snprintf(record->comment, sizeof record->comment, "%s",
             c->refused_count > 0         ? "the server did not accept our move"
             : c->outcome == GEISTER_WON  ? "the server ended the game: the other side left or lost on time"
             : c->outcome == GEISTER_LOST ? "the server ended the game: we lost on time"
                                          : "the server ended the game");
    return GEISTER_STEP_OVER;
}

/* ---- the machine ---- */

/* The lines of the protocol in any order. An unexpected line that does no harm is a surprise and the game
 * goes on; only a line that leaves no playable state fails. */
enum geister_step geister_client_take(struct geister_client *c, const char *line, struct err *e) {
    const char *board;
    assert(c->wants == GEISTER_WANTS_NOTHING);
    const enum geister_reply reply = geister_read_reply(line, &board);
    switch (reply) {
    case GEISTER_REPLY_SET:
        if (c->greeted)
            surprise(c, line, "a second SET? in one game");
        else
            c->wants = GEISTER_WANTS_REDS;
        c->greeted = true;
        return GEISTER_STEP_NOTHING;
    case GEISTER_REPLY_MOVE:
        if (c->reds == 0)
            return fail(line, "a board before SET?", e);
        if (!c->begun)
            c->awaits_answer = false; /* our reds were accepted, with or without an answer */
        if (!follow(c, line, board, e))
            return fail(line, NULL, e);
        c->refused_count = 0;
        c->wants = GEISTER_WANTS_MOVE;
        return GEISTER_STEP_NOTHING;
    case GEISTER_REPLY_OK:
    case GEISTER_REPLY_OK_RED:
    case GEISTER_REPLY_OK_BLUE:
    case GEISTER_REPLY_NG: return take_answer(c, line, reply, e);
    case GEISTER_REPLY_WON:
    case GEISTER_REPLY_LOST:
    case GEISTER_REPLY_DRAWN: return take_end(c, line, reply, board);
    case GEISTER_REPLY_BAD: break;
    }
    return fail(line,
                "this is no line of a Geister server; expected SET?, MOV?, OK, NG, WON:, LST: or DRW:", e);
}

/* Every line that is sent waits for an answer, which take_answer matches with `sent`. */
static void write_answer(struct geister_client *c, action a, char answer[GEISTER_ANSWER_MAX]) {
    geister_write_request(geister_client_state(c), c->side, a, answer);
    c->sent = a;
    c->awaits_answer = true;
    c->wants = GEISTER_WANTS_NOTHING;
}

/* An illegal action of our player is reported here and not sent: the server would end the game for it. */
bool geister_client_decide(struct geister_client *c, action a, double milliseconds,
                           char answer[GEISTER_ANSWER_MAX], struct err *e) {
    assert(c->wants != GEISTER_WANTS_NOTHING);
    if (!geister_game.is_legal(geister_client_state(c), a)) {
        struct text words = {0};
        geister_game.text->write_action(geister_client_state(c), a, &words);
        err_set(e, "%s is illegal", text_string(&words));
        text_done(&words);
        return false;
    }
    if (c->wants == GEISTER_WANTS_REDS)
        c->reds = a & ~(action)GEISTER_SETUP_FLAG;
    c->sent_ms = milliseconds;
    write_answer(c, a, answer);
    return true;
}

/* Any legal move is better than none: a server that refuses moves by mistake may take another one. */
bool geister_client_again(struct geister_client *c, char answer[GEISTER_ANSWER_MAX]) {
    action list[GEISTER_SETUPS];
    assert(c->begun && !c->awaits_answer);
    const int count = geister_game.actions(geister_client_state(c), list);
    for (int i = 0; i < count; i++) {
        bool was_refused = false;
        for (int j = 0; j < c->refused_count && !was_refused; j++)
            was_refused = c->refused[j] == list[i];
        if (was_refused)
            continue;
        write_answer(c, list[i], answer);
        return true;
    }
    return false;
}

/* ---- games on a server ---- */

#define NS_PER_S   INT64_C(1000000000)
#define TRY_NS     (10 * NS_PER_S) /* for one connection */
#define SENDING_NS (10 * NS_PER_S)
#define LONG_NS    NS_PER_S       /* a connection that lasts longer reached a server */
#define VERDICT_NS (2 * NS_PER_S) /* after NG: the official server reports the lost game at once */

/* Rests between two tries grow from the first to the last. */
enum { REST_FIRST_MS = 20, REST_LAST_MS = 1000, REST_SLICE_MS = 20 };

/* All games of one geister_join_run; the client, the link and the player are of the current one. */
struct run {
    const struct geister_join *join;
    int index;
    struct geister_client client;
    struct link *link;
    struct player *player;
    struct rng rng;
    int64_t connected_ns; /* since when this try has a useful connection; 0: it has none */
    bool is_refused;      /* the server's verdict on a refused move is waited for */
};

static int64_t now(const struct run *run) {
    return clock_now_ns(run->join->clock);
}

/* Events are for people; a caller without on_event does without them. */
static void report(const struct run *run, enum geister_join_event event, const char *words) {
    if (run->join->on_event != NULL)
        run->join->on_event(run->join->context, run->index, event, words);
}

static enum geister_join_end explain_silence(struct run *run, enum link_event event, struct err *e) {
    const struct geister_join *join = run->join;
    const struct geister_client *c = &run->client;
    const int moves = geister_client_state(c)->ply;
    assert(event != LINK_LINE);
    if (event == LINK_STOPPED) {
        err_set(e, "stopped");
        return GEISTER_JOIN_STOPPED;
    }
    if (event == LINK_SHORTAGE) {
        err_set(e, "this machine cannot talk to the server: %s", strerror(errno));
        return GEISTER_JOIN_FAILED;
    }
    if (event == LINK_TIME)
        run->connected_ns = 0; /* a silent server: this was no waiting time */
    if (!c->greeted) {
        if (event == LINK_TOO_LONG)
            err_set(e, ": a line of more than %d bytes; expected SET?", LINK_LINE_MAX);
        else if (event == LINK_TIME)
            err_set(e, " says nothing; expected SET? within %g seconds", join->silence_s);
        else
            err_set(e, " closed the connection before SET?");
        err_prefix(e, "%s:%d", join->host, join->port);
    } else if (event == LINK_TOO_LONG)
        err_set(e, "a line of more than %d bytes from the server", LINK_LINE_MAX);
    else if (event == LINK_TIME)
        err_set(e, "the server has said nothing for %g seconds, after %d moves", join->silence_s, moves);
    else if (c->begun)
        err_set(e, "the server closed the connection in the middle of the game, after %d moves", moves);
    else
        err_set(e, "the server closed the connection before the game began");
    return !c->greeted && event == LINK_TOO_LONG ? GEISTER_JOIN_FAILED : GEISTER_JOIN_BROKEN;
}

/* ---- a game ---- */

/* A client for this game from its start. Each retry needs a new one, with the same seed, so that the game
 * does not depend on how often the connection failed. */
static void start_client(struct run *run) {
    const struct geister_join *join = run->join;
    geister_client_init(&run->client, join->scenario, join->side, join->player);
    run->client.record.seed = rng_job_seed(join->seed, (uint64_t)run->index);
    run->client.game.timing = join->timing;
    timing_start(&run->client.game.clocks, &join->timing);
}

static enum geister_join_end decide(struct run *run, char line[GEISTER_ANSWER_MAX], struct err *e) {
    const struct geister_join *join = run->join;
    struct geister_client *c = &run->client;
    const struct record_line past = {.record = &c->record, .count = c->record.count};
    const struct game_history history = record_history(&past, join->scenario);
    struct ask ask;
    struct answer answer;
    clocked_game_begin_decision(&c->game, now(run));
    clocked_game_ask(&c->game, c->game.asked_ns, &ask);
    ask.budget.clock = join->clock;
    ask.budget.stop = join->stop;
    ask.rng = &run->rng;
    ask.history = &history;
    player_choose(run->player, &ask, &answer);
    const int64_t end = now(run);
    const double ms = (double)clocked_game_spent(&c->game, end) * 1e-6;
    if (budget_is_stopped(join->stop))
        return explain_silence(run, LINK_STOPPED, e);
    if (answer.fault != PLAYER_FAULT_NONE) {
        err_set(e, "%s: %s", join->player, answer.reason);
        return GEISTER_JOIN_FAILED;
    }
    clocked_game_count_time(&c->game, end);
    if (c->wants == GEISTER_WANTS_MOVE) /* choosing reds is not charged */
        clocked_game_charge(&c->game, c->side, end);
    if (!geister_client_decide(c, answer.chosen, ms, line, e)) {
        err_prefix(e, "%s: ", join->player);
        return GEISTER_JOIN_FAILED;
    }
    return GEISTER_JOIN_OVER;
}

/* A failed write is not reported here: the next read returns what the server sent before it left. */
static void send_line(struct run *run, const char *line) {
    const struct link_wait wait = link_wait_for(run->join->clock, SENDING_NS, run->join->stop);
    link_send(run->link, line, strlen(line), &wait, NULL);
}

/* Connects, waits for SET?, with which the server starts a game, and plays to the end. */
static enum geister_join_end converse(struct run *run, struct err *e) {
    const struct geister_join *join = run->join;
    struct geister_client *c = &run->client;
    const struct link_wait connecting = link_wait_for(join->clock, TRY_NS, join->stop);
    run->link = link_connect(join->host, join->port, &connecting, e);
    if (run->link == NULL)
        return budget_is_stopped(join->stop) ? explain_silence(run, LINK_STOPPED, e) : GEISTER_JOIN_BROKEN;
    run->connected_ns = now(run);
    report(run, GEISTER_JOIN_CONNECTED, "");
    for (;;) {
        char answer[GEISTER_ANSWER_MAX];
        const char *line;
        const bool had_begun = c->begun, is_first = !c->greeted;
        if (c->wants != GEISTER_WANTS_NOTHING) {
            const enum geister_join_end end = decide(run, answer, e);
            if (end != GEISTER_JOIN_OVER)
                return end;
            send_line(run, answer);
            if (!had_begun)
                report(run, GEISTER_JOIN_WAITING, "");
        }
        const int64_t patience = run->is_refused ? VERDICT_NS : (int64_t)(join->silence_s * 1e9);
        const struct link_wait wait = link_wait_for(join->clock, patience, join->stop);
        const enum link_event event = link_receive(run->link, &wait, &line);
        if (event == LINK_TIME && run->is_refused) { /* the game goes on: the server allows another try */
            run->is_refused = false;
            if (!geister_client_again(c, answer)) {
                err_set(e, "the server refuses every move");
                return GEISTER_JOIN_BROKEN;
            }
            send_line(run, answer);
            continue;
        }
        if (event != LINK_LINE)
            return explain_silence(run, event, e);
        const enum geister_step step = geister_client_take(c, line, e);
        if (is_first && c->wants != GEISTER_WANTS_REDS) {
            if (step != GEISTER_STEP_FAILED) /* a line of the protocol can be shown as it is */
                err_set(e, "'%.60s' from the server", line);
            err_prefix(e, "no SET? at the beginning: ");
            return GEISTER_JOIN_FAILED;
        }
        run->is_refused = step == GEISTER_STEP_REFUSED;
        if (!had_begun && c->begun)
            report(run, GEISTER_JOIN_PLAYING, "");
        if (run->is_refused)
            report(run, GEISTER_JOIN_REFUSED, c->first.text);
        if (step == GEISTER_STEP_OVER || step == GEISTER_STEP_FAILED)
            return step == GEISTER_STEP_OVER ? GEISTER_JOIN_OVER : GEISTER_JOIN_BROKEN;
    }
}

/* Retries until a game has begun or the time for retries is over. Time spent connected (waiting for another
 * game's end, or for an opponent) does not count: being disconnected then is no reason to give up. */
static enum geister_join_end connect_and_play(struct run *run, struct err *e) {
    int64_t until = now(run) + (int64_t)(run->join->retry_s * 1e9);
    int rest_ms = REST_FIRST_MS;
    for (;;) {
        run->connected_ns = 0;
        const enum geister_join_end end = converse(run, e);
        link_close(run->link, 0);
        run->link = NULL;
        if (end != GEISTER_JOIN_BROKEN || run->client.begun)
            return end;
        const int64_t waited = run->connected_ns != 0 ? now(run) - run->connected_ns : 0;
        until += waited;
        if (waited > LONG_NS)
            rest_ms = REST_FIRST_MS;
        if (now(run) >= until)
            return run->client.greeted ? GEISTER_JOIN_BROKEN : GEISTER_JOIN_FAILED;
        report(run, GEISTER_JOIN_TRYING, e->text);
        for (int left = rest_ms; left > 0 && !budget_is_stopped(run->join->stop); left -= REST_SLICE_MS)
            link_nap(left < REST_SLICE_MS ? left : REST_SLICE_MS);
        rest_ms = rest_ms * 2 < REST_LAST_MS ? rest_ms * 2 : REST_LAST_MS;
        record_done(&run->client.record);
        start_client(run);
    }
}

/* Each game has a seed of its own, derived from the run's: game N can be repeated without those before it.
 * A player is opened for each game, so that none inherits knowledge from another. */
enum geister_join_end geister_join_run(const struct geister_join *join, struct err *e) {
    struct run *run = mem_alloc(sizeof *run);
    enum geister_join_end end = GEISTER_JOIN_FAILED;
    bool goes_on = true;
    run->join = join;
    for (int i = 0; i < join->games && goes_on; i++) {
        struct record *record = &run->client.record;
        run->index = i;
        run->is_refused = false;
        start_client(run);
        rng_seed_stream(&run->rng, record->seed, (uint64_t)(RECORD_STREAM_SEAT + run->client.side));
        run->player = player_open_granted(join->player, join->scenario->game, join->grant, e);
        end = run->player != NULL ? connect_and_play(run, e) : GEISTER_JOIN_FAILED;
        player_close(run->player);
        if (end != GEISTER_JOIN_OVER) { /* without a result from the server */
            snprintf(record->result, sizeof record->result, "none");
            charset_copy(record->comment, sizeof record->comment, e->text, strlen(e->text));
        }
        const int64_t *longest = run->client.game.longest_ns;
        const struct geister_joined game = {i, end, &run->client, end == GEISTER_JOIN_OVER ? "" : e->text,
                                            (double)(longest[0] > longest[1] ? longest[0] : longest[1]) *
                                                1e-6};
        goes_on = (join->on_game == NULL || join->on_game(join->context, &game)) &&
                  (end == GEISTER_JOIN_OVER || end == GEISTER_JOIN_BROKEN);
        record_done(&run->client.record);
    }
    mem_free(run);
    return end;
}
