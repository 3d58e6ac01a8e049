/* SPDX-License-Identifier: MIT
 *
 * The lines of the Geister protocol, and one game of the server: its lines in both directions, its clocks,
 * its log.
 */
#include "net/geister_session.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* ---- lines of both ends ---- */

static const char *const direction_names[] = {
    [GEISTER_NORTH] = "NORTH", [GEISTER_EAST] = "EAST", [GEISTER_WEST] = "WEST", [GEISTER_SOUTH] = "SOUTH"};

/* PIECE "," DIRECTION, both words; of the first only its first letter counts. */
static bool read_move(const char *text, size_t size, unsigned *value) {
    const int piece = toupper((unsigned char)text[0]) - 'A';
    size_t name = 0;
    while (name < size && (unsigned char)text[name] < 128 &&
           (isalnum((unsigned char)text[name]) || text[name] == '_'))
        name++;
    if (piece < 0 || piece >= GEISTER_PIECES || name == size || text[name] != ',')
        return false;
    const char *word = text + name + 1;
    const size_t word_size = size - name - 1;
    for (int d = GEISTER_NORTH; d <= (int)GEISTER_SOUTH; d++)
        if ((word_size == 1 || word_size == strlen(direction_names[d])) &&
            strncasecmp(word, direction_names[d], word_size) == 0) {
            *value = (unsigned)(piece * 4 + d);
            return true;
        }
    return false;
}

/* A line is one command and nothing else: bytes after it make it bad. */
void geister_read_request(const char *line, size_t size, struct geister_request *out) {
    char reds[GEISTER_REDS + 1] = "";
    *out = (struct geister_request){.command = GEISTER_COMMAND_BAD};
    if (size == 4 + GEISTER_REDS && memcmp(line, "SET:", 4) == 0) {
        memcpy(reds, line + 4, GEISTER_REDS);
        if (geister_read_reds(reds, &out->value, NULL))
            out->command = GEISTER_COMMAND_SET;
    } else if (size > 4 && memcmp(line, "MOV:", 4) == 0 && read_move(line + 4, size - 4, &out->value)) {
        out->command = GEISTER_COMMAND_MOVE;
    }
}

/* Directions are from the sender's point of view: the board is turned for the second player. */
void geister_write_request(const struct geister *s, int side, action a, char out[GEISTER_ANSWER_MAX]) {
    assert(side == 0 || side == 1);
    char reds[GEISTER_REDS + 1];
    if (geister_is_setup(a)) {
        geister_write_reds(a & ~(action)GEISTER_SETUP_FLAG, reds);
        snprintf(out, GEISTER_ANSWER_MAX, "SET:%s\r\n", reds);
        return;
    }
    const int piece = geister_piece_at(s, side, (int)(a / 4));
    snprintf(out, GEISTER_ANSWER_MAX, "MOV:%c,%c\r\n", piece < 0 ? '-' : 'A' + piece,
             direction_names[geister_turned(a, side) % 4][0]);
}

/* Directions of a line are the sender's; the rules have one orientation for both sides. */
bool geister_request_action(const struct geister *s, const struct geister_request *request, action *out) {
    const int mover = geister_game.mover(s);
    if (mover == NOBODY || request->command == GEISTER_COMMAND_BAD)
        return false;
    if (request->command == GEISTER_COMMAND_SET)
        *out = geister_setup(request->value);
    else if (s->where[mover][request->value / 4] < GEISTER_CELLS)
        *out = geister_recorded_action(s, (uint8_t)request->value);
    else
        return false;
    return geister_game.is_legal(s, *out);
}

static const struct {
    const char *word;
    bool board;
} replies[GEISTER_REPLY_BAD] = {
    [GEISTER_REPLY_SET] = {"SET?", false},    [GEISTER_REPLY_MOVE] = {"MOV?", true},
    [GEISTER_REPLY_OK] = {"OK ", false},      [GEISTER_REPLY_OK_RED] = {"OKR", false},
    [GEISTER_REPLY_OK_BLUE] = {"OKB", false}, [GEISTER_REPLY_NG] = {"NG ", false},
    [GEISTER_REPLY_WON] = {"WON:", true},     [GEISTER_REPLY_LOST] = {"LST:", true},
    [GEISTER_REPLY_DRAWN] = {"DRW:", true},
};

/* Replies are told apart by their first characters and their length; the blank of "OK " and "NG " is part
 * of the line. */
enum geister_reply geister_read_reply(const char *line, const char **board) {
    *board = NULL;
    for (int reply = 0; reply < (int)GEISTER_REPLY_BAD; reply++) {
        const size_t length = strlen(replies[reply].word);
        const size_t rest = replies[reply].board ? GEISTER_BOARD_CHARS : 0;
        if (strncmp(line, replies[reply].word, length) != 0 || strlen(line + length) != rest)
            continue;
        if (replies[reply].board)
            *board = line + length;
        return (enum geister_reply)reply;
    }
    return GEISTER_REPLY_BAD;
}

/* ---- output ---- */

/* One call causes at most an answer, a prompt and an end. */
static void queue_line(struct geister_session *t, int side, const char *word, const char *board) {
    assert(side == 0 || side == 1);
    text_add(&t->out[side], "%s%s\r\n", word, board);
    assert(t->out[side].size <= GEISTER_OUT_MAX);
}

/* The label is what viewers see first: "MV0:" to move, "WI0:" has won, "MOV:" for anything else. A new
 * label is a change even when the board is the same. */
static void set_label(struct geister_session *t, const char *label) {
    snprintf(t->label, sizeof t->label, "%s", label);
    t->changes++;
}

/* Before both sides have chosen, the state has no colours: those chosen so far come from the session. Of a
 * side that is not `known` only what is public is shown; `reveal` shows the other side's colours as well. */
static void write_board(const struct geister_session *t, int side, const bool known[2], bool reveal,
                        char out[GEISTER_BOARD_CHARS + 1]) {
    struct geister shown = *geister_session_state(t);
    for (int who = 0; who < 2; who++)
        if (shown.stage < GEISTER_PLAYING) {
            shown.known[who] = known[who] ? 0xFF : 0;
            shown.reds[who] = t->has_set[who] ? (uint8_t)t->reds[who] : 0;
        } else if (!known[who]) {
            geister_game.hide(&shown, who ^ 1);
        }
    geister_write_board(&shown, side, reveal, out);
}

static const bool both_known[2] = {true, true};

/* ---- the end ---- */

/* Ends the game with a result, and sends both sides the final board with all colours, as the official
 * server does. */
static void finish(struct geister_session *t, int winner, int64_t now_ns) {
    assert(winner >= 0);
    assert(winner <= 2);
    static const char *const labels[] = {"WI0:", "WI1:", "DRW:"};
    char board[GEISTER_BOARD_CHARS + 1];
    t->phase = GEISTER_PHASE_OVER;
    t->winner = winner;
    t->ended_ns = now_ns;
    for (int side = 0; side < 2; side++)
        if (t->here[side]) {
            write_board(t, side, both_known, true, board);
            queue_line(t, side, winner == 2 ? "DRW:" : winner == side ? "WON:" : "LST:", board);
        }
    set_label(t, labels[winner]);
}

/* A fault after the end changes nothing: the result was sent. */
void geister_session_blame(struct geister_session *t, int side, enum player_fault fault, const char *reason,
                           int64_t now_ns) {
    assert(side == 0 || side == 1);
    if (geister_session_is_over(t))
        return;
    clocked_game_fault(&t->game, side, fault, reason);
    finish(t, side ^ 1, now_ns);
}

/* The same, and the connections are closed at once. */
static void cut_off(struct geister_session *t, int side, enum player_fault fault, const char *reason,
                    int64_t now_ns) {
    t->cut = true;
    geister_session_blame(t, side, fault, reason, now_ns);
}

/* A side that has left gets no more lines. */
void geister_session_leave(struct geister_session *t, int side, int64_t now_ns) {
    t->here[side] = false;
    geister_session_blame(t, side, PLAYER_FAULT_CRASH, "the connection was closed", now_ns);
}

/* Not sent to the clients: the protocol has no line for a game without a result. */
void geister_session_stop(struct geister_session *t, const char *reason, int64_t now_ns) {
    if (geister_session_is_over(t))
        return;
    snprintf(t->game.referee.reason, sizeof t->game.referee.reason, "%s", reason);
    clocked_game_stop(&t->game, "the server was stopped");
    t->phase = GEISTER_PHASE_OVER;
    t->winner = NOBODY;
    t->ended_ns = now_ns;
    set_label(t, "MOV:");
}

/* ---- time ---- */

/* The rules have a mover also between an answer and the next prompt; a side that was not prompted is not
 * asked. */
int geister_session_asked(const struct geister_session *t) {
    return t->phase == GEISTER_PHASE_MOVING ? geister_session_state(t)->mover : NOBODY;
}

int64_t geister_session_due(const struct geister_session *t) {
    switch (t->phase) {
    case GEISTER_PHASE_SETTING:
        return t->here[0] && t->here[1] && t->terms->setup_ns > 0 ? t->since_ns + t->terms->setup_ns
                                                                  : INT64_MAX;
    case GEISTER_PHASE_WAITING: return t->since_ns + t->terms->wait_ns;
    case GEISTER_PHASE_MOVING: return clocked_game_due(&t->game);
    case GEISTER_PHASE_OVER: break;
    }
    return INT64_MAX;
}

/* The side's clock begins when its line is queued: the way of a line to the client is the client's time. */
static void prompt(struct geister_session *t, int64_t now_ns) {
    char board[GEISTER_BOARD_CHARS + 1];
    t->phase = GEISTER_PHASE_MOVING;
    clocked_game_begin_decision(&t->game, now_ns);
    write_board(t, geister_session_asked(t), both_known, false, board);
    queue_line(t, geister_session_asked(t), "MOV?", board);
}

/* A late tick judges at the moment that was due, so that the result does not depend on the caller's
 * delays. */
void geister_session_tick(struct geister_session *t, int64_t now_ns) {
    const int64_t due = geister_session_due(t);
    if (now_ns < due)
        return;
    if (t->phase == GEISTER_PHASE_WAITING) {
        prompt(t, now_ns);
    } else if (t->phase == GEISTER_PHASE_MOVING) {
        cut_off(t, geister_session_asked(t), PLAYER_FAULT_HANG, "no move in time", due);
    } else if (t->has_set[0] != t->has_set[1]) { /* the side that has not chosen loses */
        cut_off(t, t->has_set[0] ? 1 : 0, PLAYER_FAULT_HANG, "no reds were chosen in time", due);
    } else { /* neither side has chosen: a draw */
        t->cut = true;
        clocked_game_fault(&t->game, REFEREE_BOTH, PLAYER_FAULT_HANG, "neither side chose its reds in time");
        finish(t, 2, due);
    }
}

/* ---- lines ---- */

/* Lines that were not asked for are answered, but bounded: a client that floods loses. */
static void reject(struct geister_session *t, int side, int64_t now_ns) {
    if (++t->rejected[side] > GEISTER_REJECTED_MAX) {
        cut_off(t, side, PLAYER_FAULT_PROTOCOL, "too many lines that were not asked for", now_ns);
        return;
    }
    queue_line(t, side, "NG ", "");
    set_label(t, "MOV:");
}

/* Both sides choose at the same time; the rules have the first player's reds first. */
static void choose_reds(struct geister_session *t, int side, unsigned reds, int64_t now_ns) {
    const bool timed = t->here[0] && t->here[1];
    t->has_set[side] = true;
    t->reds[side] = reds;
    t->setup_ms[side] = timed ? (double)(now_ns - t->since_ns) / 1e6 : RECORD_NO_TIME;
    for (int who = t->game.referee.actions; who < 2 && t->has_set[who]; who++)
        clocked_game_play(&t->game, geister_setup(t->reds[who]), t->setup_ms[who], NULL);
    queue_line(t, side, "OK ", "");
    set_label(t, "MOV:");
    if (t->has_set[0] && t->has_set[1]) {
        set_label(t, "MV0:");
        prompt(t, now_ns);
    }
}

/* The colour of the taken piece, for the answer to a move. An escape takes nothing and repeats what the same
 * piece took with its previous move, like the official server. */
static char taken_colour(struct geister_session *t, int side, action a) {
    const struct geister *state = geister_session_state(t);
    const int piece = geister_piece_at(state, side, (int)(a / 4)), to = geister_target(a);
    const int prey = geister_piece_at(state, side ^ 1, to);
    if (to != GEISTER_ESCAPED)
        t->took[side][piece] = prey < 0 ? ' ' : (state->reds[side ^ 1] >> prey & 1) != 0 ? 'R' : 'B';
    return t->took[side][piece];
}

/* The answer is sent first, then the end or the other side's prompt. */
static void play(struct geister_session *t, int side, action a, int64_t now_ns) {
    const char answer[] = {'O', 'K', taken_colour(t, side, a), '\0'};
    clocked_game_answer(&t->game, a, now_ns, NULL);
    queue_line(t, side, answer, "");
    if (clocked_game_mover(&t->game) == NOBODY) {
        finish(t, geister_session_state(t)->winner, now_ns);
        return;
    }
    set_label(t, geister_session_state(t)->mover == 0 ? "MV0:" : "MV1:");
    t->phase = GEISTER_PHASE_WAITING;
    t->since_ns = now_ns;
    geister_session_tick(t, now_ns);
}

/* A command of that side. Its action is NULL when the line holds none; `is_move` is for the fault. */
static void execute(struct geister_session *t, int side, const action *a, bool is_move, int64_t now_ns) {
    assert(!geister_session_is_over(t));
    if (t->phase == GEISTER_PHASE_SETTING && a != NULL && geister_is_setup(*a) && !t->has_set[side]) {
        choose_reds(t, side, *a & ~(action)GEISTER_SETUP_FLAG, now_ns);
    } else if (geister_session_asked(t) != side) {
        reject(t, side, now_ns);
    } else if (a != NULL && geister_game.is_legal(geister_session_state(t), *a)) {
        play(t, side, *a, now_ns);
    } else {
        reject(t, side, now_ns);
        if (!t->terms->go_on)
            geister_session_blame(t, side, is_move ? PLAYER_FAULT_ILLEGAL : PLAYER_FAULT_GARBAGE,
                                  is_move ? "an illegal move" : "a line that is no move", now_ns);
    }
}

/* The line as received, with characters replaced that would break the log. */
static void log_line(struct geister_session *t, int side, const char *line, size_t size, int64_t now_ns) {
    if (t->spoke_ns == 0)
        t->spoke_ns = now_ns;
    text_add(&t->log, "player=%d,", side);
    for (size_t i = 0; i < size; i++)
        text_add(&t->log, "%c", line[i] < ' ' || line[i] > '~' ? '?' : line[i]);
    text_add_string(&t->log, "\n");
}

/* One complete line. A line that does not fit is logged as far as it fits, and means nothing. */
static void execute_line(struct geister_session *t, int side, const struct geister_line_buffer *buffer,
                         int64_t now_ns) {
    assert(buffer->size >= 2); /* CR LF */
    struct geister_request request = {.command = GEISTER_COMMAND_BAD};
    const bool fits = buffer->size <= sizeof buffer->line;
    const size_t size = fits ? buffer->size - 2 : sizeof buffer->line;
    if (size == 0) { /* an empty line is not answered */
        if (++t->rejected[side] > GEISTER_REJECTED_MAX)
            cut_off(t, side, PLAYER_FAULT_PROTOCOL, "too many empty lines", now_ns);
        return;
    }
    log_line(t, side, buffer->line, size, now_ns);
    if (fits)
        geister_read_request(buffer->line, size, &request);
    action a = geister_setup(request.value);
    const bool is_action = request.command == GEISTER_COMMAND_SET ||
                           geister_request_action(geister_session_state(t), &request, &a);
    execute(t, side, is_action ? &a : NULL, request.command == GEISTER_COMMAND_MOVE, now_ns);
}

/* ---- events ---- */

/* The record is filled from the first action on; names and date come at the end. */
void geister_session_start(struct geister_session *t, const struct geister_terms *terms) {
    const double budget_s = (double)terms->budget_ns * 1e-9, grace_s = (double)terms->grace_ns * 1e-9;
    struct timing timing = {.unit_s = terms->whole_seconds ? 1 : 1e-3, .is_grace_fresh = true};
    *t = (struct geister_session){.terms = terms, .winner = NOBODY};
    /* Every move has the full grace beyond the budget. Without a budget the grace is all that a move has. */
    if (terms->budget_ns > 0) {
        timing.game_s = budget_s;
        timing.grace_s = grace_s;
    } else {
        timing.move_s = grace_s > 0 ? grace_s : 1e-9;
    }
    record_init(&t->record);
    const struct clocked_setup setup = {.scenario = terms->scenario, .timing = &timing, .record = &t->record};
    clocked_game_start(&t->game, &setup, 0);
    memset(t->took, ' ', sizeof t->took);
    set_label(t, "MOV:");
}

void geister_session_done(struct geister_session *t) {
    record_done(&t->record);
    text_done(&t->log);
    text_done(&t->out[0]);
    text_done(&t->out[1]);
}

/* Our own player's action is logged as the line that a client would have sent, so that logs of both kinds
 * of games read alike. */
void geister_session_answer(struct geister_session *t, int side, action a, int64_t now_ns) {
    assert(side == 0 || side == 1);
    char line[GEISTER_ANSWER_MAX];
    geister_session_tick(t, now_ns);
    if (geister_session_is_over(t))
        return;
    geister_write_request(geister_session_state(t), side, a, line);
    log_line(t, side, line, strlen(line) - 2, now_ns);
    execute(t, side, &a, true, now_ns);
}

/* The time for choosing begins anew when the second side joins: the first could not know when that is. */
void geister_session_join(struct geister_session *t, int side, int64_t now_ns) {
    assert(!t->here[side] && t->phase == GEISTER_PHASE_SETTING);
    t->here[side] = true;
    t->since_ns = t->started_ns = now_ns;
    queue_line(t, side, "SET?", "");
}

/* Time comes first: a line that arrives after the limit comes too late, also when both are noticed at
 * once. Bytes of a line that is too long are counted and dropped. */
size_t geister_session_receive(struct geister_session *t, int side, const char *bytes, size_t size,
                               int64_t now_ns) {
    assert(side == 0 || side == 1);
    struct geister_line_buffer *buffer = &t->line_buffers[side];
    geister_session_tick(t, now_ns);
    for (size_t i = 0; i < size && !geister_session_is_over(t); i++) {
        const bool ends = bytes[i] == '\n' && buffer->last == '\r';
        if (buffer->size < sizeof buffer->line)
            buffer->line[buffer->size] = bytes[i];
        buffer->last = bytes[i];
        if (++buffer->size > GEISTER_SKIPPED_MAX)
            cut_off(t, side, PLAYER_FAULT_GARBAGE, "a line without an end", now_ns);
        else if (ends) {
            execute_line(t, side, buffer, now_ns);
            *buffer = (struct geister_line_buffer){0};
            return i + 1;
        }
    }
    return size;
}

/* ---- views ---- */

void geister_session_spectator_view(const struct geister_session *t, bool all,
                                    char out[GEISTER_SPECTATOR_VIEW_MAX]) {
    const bool shown = all || (geister_session_is_over(t) && t->winner != NOBODY);
    const bool known[2] = {shown && t->has_set[0], shown && t->has_set[1]};
    memcpy(out, t->label, GEISTER_LABEL_CHARS);
    write_board(t, 1, known, shown, out + GEISTER_LABEL_CHARS);
}

/* ---- logs and records ---- */

/* After a fault the official server writes no winner; our addition says who is to blame. */
void geister_session_write_log(const struct geister_session *t, bool official, struct text *out) {
    const struct referee *referee = &t->game.referee;
    text_add_bytes(out, text_string(&t->log), t->log.size);
    if (referee->fault_kind != PLAYER_FAULT_NONE && official)
        return;
    if (referee->fault_kind != PLAYER_FAULT_NONE)
        text_add(out, "fault=%d,%s: %s\n", referee->forfeiter, player_fault_names[referee->fault_kind],
                 referee->reason);
    if (t->winner != NOBODY)
        text_add(out, "winner=%d\n", t->winner);
}

/* The caller may ask twice (for a file and for a report): the record is described once. */
struct record *geister_session_record(struct geister_session *t, const char *const players[2]) {
    if (t->record.game[0] == '\0')
        record_describe(&t->record, t->terms->scenario, players);
    return &t->record;
}
