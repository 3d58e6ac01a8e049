/* SPDX-License-Identifier: MIT
 *
 * One game of the Geister server: what it says to each side, its clocks, its lines, its log.
 */
#include "net/geister_session.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static const int64_t ns_per_ms = 1000000, ns_per_second = 1000000000;

/* ---- saying ---- */

static void queue_line(struct geister_session *t, int side, const char *word, const char *board) {
    struct geister_out_queue *to = &t->out[side];
    const int n = snprintf(to->bytes + to->size, sizeof to->bytes - to->size, "%s%s\r\n", word, board);
    assert(n > 0 && (size_t)n < sizeof to->bytes - to->size);
    to->size += (size_t)n;
}

static void set_label(struct geister_session *t, const char *label) {
    snprintf(t->label, sizeof t->label, "%s", label);
    t->changes++;
}

/* Before both sides have chosen, the state has no colours: those chosen so far come from the session. */
static void write_start(const struct geister_session *t, int side, bool known[2], char *out) {
    static const char places[2][2 * GEISTER_PIECES + 1] = {"1424344415253545", "4131211140302010"};
    for (int whose = 0; whose < 2; whose++)
        for (int piece = 0; piece < GEISTER_PIECES; piece++, out += 3) {
            const int owner = whose == 0 ? side : side ^ 1;
            const bool red = t->has_set[owner] && (t->reds[owner] >> piece & 1) != 0;
            memcpy(out, &places[whose][2 * piece], 2);
            out[2] = !known[owner] ? 'u' : whose == 0 ? (red ? 'R' : 'B') : red ? 'r' : 'b';
        }
    *out = '\0';
}

static void write_board(const struct geister_session *t, int side, bool reveal,
                        char out[GEISTER_BOARD_CHARS + 1]) {
    bool known[2] = {true, true};
    if (t->state.stage < GEISTER_PLAYING)
        write_start(t, side, known, out);
    else
        geister_write_board(&t->state, side, reveal, out);
}

/* ---- the end ---- */

static void queue_end(struct geister_session *t, int side) {
    char board[GEISTER_BOARD_CHARS + 1];
    if (!t->here[side])
        return;
    write_board(t, side, true, board);
    queue_line(t, side, t->winner == 2 ? "DRW:" : t->winner == side ? "WON:" : "LST:", board);
}

static void finish(struct geister_session *t, int winner, int64_t now_ns) {
    assert(winner >= 0);
    assert(winner <= 2);
    static const char *const labels[] = {"WI0:", "WI1:", "DRW:"};
    t->phase = GEISTER_PHASE_OVER;
    t->winner = winner;
    t->ended_ns = now_ns;
    queue_end(t, 0);
    queue_end(t, 1);
    set_label(t, labels[winner]);
}

void geister_session_blame(struct geister_session *t, int side, enum player_fault fault, const char *reason,
                           int64_t now_ns) {
    assert(side == 0 || side == 1);
    assert(fault != PLAYER_FAULT_NONE);
    if (geister_session_is_over(t))
        return;
    t->culprit = side;
    t->fault = fault;
    snprintf(t->reason, sizeof t->reason, "%s", reason);
    finish(t, side ^ 1, now_ns);
}

/* The same, and the connections are closed at once. */
static void cut_off(struct geister_session *t, int side, enum player_fault fault, const char *reason,
                    int64_t now_ns) {
    t->cut = true;
    geister_session_blame(t, side, fault, reason, now_ns);
}

void geister_session_leave(struct geister_session *t, int side, int64_t now_ns) {
    t->here[side] = false;
    geister_session_blame(t, side, PLAYER_FAULT_CRASH, "the connection was closed", now_ns);
}

void geister_session_stop(struct geister_session *t, int64_t now_ns) {
    if (geister_session_is_over(t))
        return;
    t->phase = GEISTER_PHASE_OVER;
    t->winner = NOBODY;
    t->ended_ns = now_ns;
    set_label(t, "MOV:");
}

/* ---- time ---- */

int geister_session_asked(const struct geister_session *t) {
    return t->phase == GEISTER_PHASE_MOVING ? t->state.mover : NOBODY;
}

int64_t geister_session_limit_ns(const struct geister_session *t, int side) {
    assert(side == 0 || side == 1);
    return t->left_ns[side] + t->terms->grace_ns;
}

int64_t geister_session_due(const struct geister_session *t) {
    switch (t->phase) {
    case GEISTER_PHASE_SETTING:
        return t->here[0] && t->here[1] && t->terms->setup_ns > 0 ? t->since_ns + t->terms->setup_ns
                                                                  : INT64_MAX;
    case GEISTER_PHASE_WAITING: return t->since_ns + t->terms->wait_ns;
    case GEISTER_PHASE_MOVING: return t->since_ns + geister_session_limit_ns(t, t->state.mover);
    case GEISTER_PHASE_OVER: break;
    }
    return INT64_MAX;
}

static void prompt(struct geister_session *t, int64_t now_ns) {
    char board[GEISTER_BOARD_CHARS + 1];
    t->phase = GEISTER_PHASE_MOVING;
    t->since_ns = now_ns;
    write_board(t, t->state.mover, false, board);
    queue_line(t, t->state.mover, "MOV?", board);
}

/* A side that has not chosen loses; if neither has, the game is drawn. */
static void end_setting(struct geister_session *t, int64_t now_ns) {
    if (t->has_set[0] != t->has_set[1]) {
        cut_off(t, t->has_set[0] ? 1 : 0, PLAYER_FAULT_HANG, "no reds were chosen in time", now_ns);
        return;
    }
    t->cut = true;
    t->fault = PLAYER_FAULT_HANG;
    snprintf(t->reason, sizeof t->reason, "neither side chose its reds in time");
    finish(t, 2, now_ns);
}

void geister_session_tick(struct geister_session *t, int64_t now_ns) {
    const int64_t due = geister_session_due(t);
    if (now_ns < due)
        return;
    if (t->phase == GEISTER_PHASE_WAITING)
        prompt(t, now_ns);
    else if (t->phase == GEISTER_PHASE_SETTING)
        end_setting(t, due);
    else
        cut_off(t, t->state.mover, PLAYER_FAULT_HANG, "no move in time", due);
}

/* Charges the time of a move, rounded down to milliseconds or whole seconds. */
static void charge(struct geister_session *t, int side, int64_t elapsed_ns) {
    const int64_t unit = t->terms->whole_seconds ? ns_per_second : ns_per_ms;
    t->left_ns[side] -= elapsed_ns - elapsed_ns % unit;
    if (t->left_ns[side] < 0)
        t->left_ns[side] = 0;
    t->used_ns[side] += elapsed_ns;
}

/* ---- lines ---- */

static void reject(struct geister_session *t, int side, int64_t now_ns) {
    if (++t->rejected[side] > GEISTER_REJECTED_MAX) {
        cut_off(t, side, PLAYER_FAULT_PROTOCOL, "too many lines that nobody asked for", now_ns);
        return;
    }
    queue_line(t, side, "NG ", "");
    set_label(t, "MOV:");
}

static void note_action(struct geister_session *t, action a, double milliseconds) {
    assert(t->count >= 2);
    assert(t->count < GEISTER_PLIES_MAX + 2);
    t->played[t->count] = a;
    t->milliseconds[t->count++] = (float)milliseconds;
}

static void begin(struct geister_session *t, int64_t now_ns) {
    for (int side = 0; side < 2; side++)
        geister_game.play(&t->state, t->played[side], NULL);
    t->count = 2;
    set_label(t, "MV0:");
    prompt(t, now_ns);
}

static void choose_reds(struct geister_session *t, int side, const struct geister_request *request,
                        int64_t now_ns) {
    if (request->command != GEISTER_COMMAND_SET || t->has_set[side]) {
        reject(t, side, now_ns);
        return;
    }
    const bool timed = t->here[0] && t->here[1];
    t->has_set[side] = true;
    t->reds[side] = request->reds;
    t->played[side] = geister_setup(request->reds);
    t->milliseconds[side] = timed ? (float)((double)(now_ns - t->since_ns) / (double)ns_per_ms) : -1;
    queue_line(t, side, "OK ", "");
    set_label(t, "MOV:");
    if (t->has_set[0] && t->has_set[1])
        begin(t, now_ns);
}

/* The colour of the taken piece, for the answer to a move. An escape takes nothing and repeats what the same
 * piece took with its previous move, like the official server. */
static char taken_colour(struct geister_session *t, int side, int piece, action a) {
    const int cell = (int)(a / 4), d = (int)(a % 4);
    static const int steps[4][2] = {[GEISTER_NORTH] = {0, -1},
                                    [GEISTER_EAST] = {1, 0},
                                    [GEISTER_WEST] = {-1, 0},
                                    [GEISTER_SOUTH] = {0, 1}};
    const int x = cell % GEISTER_SIZE + steps[d][0], y = cell / GEISTER_SIZE + steps[d][1];
    if (x < 0 || x >= GEISTER_SIZE || y < 0 || y >= GEISTER_SIZE)
        return t->took[side][piece];
    const int prey = geister_piece_at(&t->state, side ^ 1, y * GEISTER_SIZE + x);
    t->took[side][piece] = prey < 0 ? ' ' : (t->state.reds[side ^ 1] >> prey & 1) != 0 ? 'R' : 'B';
    return t->took[side][piece];
}

static void play(struct geister_session *t, int side, int piece, action a, int64_t now_ns) {
    const char answer[] = {'O', 'K', taken_colour(t, side, piece, a), '\0'};
    const int64_t elapsed = now_ns - t->since_ns;
    note_action(t, a, (double)elapsed / (double)ns_per_ms);
    charge(t, side, elapsed);
    geister_game.play(&t->state, a, NULL);
    queue_line(t, side, answer, "");
    if (geister_game.mover(&t->state) == NOBODY) {
        finish(t, t->state.winner, now_ns);
        return;
    }
    set_label(t, t->state.mover == 0 ? "MV0:" : "MV1:");
    t->phase = GEISTER_PHASE_WAITING;
    t->since_ns = now_ns;
    geister_session_tick(t, now_ns);
}

static void move(struct geister_session *t, int side, const struct geister_request *request, int64_t now_ns) {
    action a;
    if (request->command == GEISTER_COMMAND_MOVE && geister_request_action(&t->state, request, &a)) {
        play(t, side, request->piece, a, now_ns);
        return;
    }
    reject(t, side, now_ns);
    if (t->terms->go_on || geister_session_is_over(t))
        return;
    if (request->command == GEISTER_COMMAND_MOVE)
        geister_session_blame(t, side, PLAYER_FAULT_ILLEGAL, "an illegal move", now_ns);
    else
        geister_session_blame(t, side, PLAYER_FAULT_GARBAGE, "a line that is no move", now_ns);
}

/* The line as received, with characters replaced that would break the log. */
static void log_line(struct geister_session *t, int side, const char *line, size_t size) {
    char shown[GEISTER_LINE_MAX + 1];
    for (size_t i = 0; i < size; i++)
        shown[i] = line[i] < ' ' || line[i] > '~' ? '?' : line[i];
    shown[size] = '\0';
    text_add(&t->log, "player=%d,%s\n", side, shown);
}

static void execute(struct geister_session *t, int side, const struct geister_line_buffer *buffer,
                    int64_t now_ns) {
    struct geister_request request = {.command = GEISTER_COMMAND_BAD};
    const bool fits = buffer->size <= sizeof buffer->line;
    const size_t size = fits ? buffer->size - 2 : sizeof buffer->line;
    if (size == 0) { /* an empty line is not answered */
        if (++t->rejected[side] > GEISTER_REJECTED_MAX)
            cut_off(t, side, PLAYER_FAULT_PROTOCOL, "too many empty lines", now_ns);
        return;
    }
    if (t->spoke_ns == 0)
        t->spoke_ns = now_ns;
    log_line(t, side, buffer->line, size);
    if (fits)
        geister_read_request(buffer->line, size, &request);
    if (t->phase == GEISTER_PHASE_SETTING)
        choose_reds(t, side, &request, now_ns);
    else if (geister_session_asked(t) == side)
        move(t, side, &request, now_ns);
    else
        reject(t, side, now_ns);
}

/* ---- events ---- */

void geister_session_start(struct geister_session *t, const struct geister_terms *terms) {
    struct rng none;
    rng_seed(&none, 0);
    *t = (struct geister_session){
        .terms = terms, .left_ns = {terms->budget_ns, terms->budget_ns}, .winner = NOBODY, .culprit = NOBODY};
    geister_game.start(&t->state, terms->scenario, &none);
    memset(t->took, ' ', sizeof t->took);
    set_label(t, "MOV:");
}

void geister_session_done(struct geister_session *t) {
    text_done(&t->log);
}

void geister_session_join(struct geister_session *t, int side, int64_t now_ns) {
    assert(!t->here[side] && t->phase == GEISTER_PHASE_SETTING);
    t->here[side] = true;
    t->since_ns = t->started_ns = now_ns;
    queue_line(t, side, "SET?", "");
}

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
            execute(t, side, buffer, now_ns);
            *buffer = (struct geister_line_buffer){0};
            return i + 1;
        }
    }
    return size;
}

/* ---- views ---- */

/* The second player's own colours are in its view, but not for spectators. */
static void hide_own(char *board) {
    for (int i = 2; i < GEISTER_BOARD_CHARS / 2; i += 3)
        if (board[i] == 'R' || board[i] == 'B')
            board[i] = 'u';
}

void geister_session_spectator_view(const struct geister_session *t, bool all,
                                    char out[GEISTER_SPECTATOR_VIEW_MAX]) {
    const bool shown = all || (geister_session_is_over(t) && t->winner != NOBODY);
    bool known[2] = {shown && t->has_set[0], shown && t->has_set[1]};
    char *board = out + GEISTER_LABEL_CHARS;
    memcpy(out, t->label, GEISTER_LABEL_CHARS);
    if (t->state.stage < GEISTER_PLAYING) {
        write_start(t, 1, known, board);
        return;
    }
    geister_write_board(&t->state, 1, shown, board);
    if (!shown)
        hide_own(board);
}

void geister_session_result(const struct geister_session *t, char *out, size_t out_size) {
    const struct notation *text = geister_game.text;
    if (t->culprit != NOBODY)
        snprintf(out, out_size, "%s %s", text->side_names[t->winner], player_fault_names[t->fault]);
    else if (t->fault != PLAYER_FAULT_NONE)
        snprintf(out, out_size, "draw %s", player_fault_names[t->fault]);
    else
        snprintf(out, out_size, "%s", t->winner == NOBODY ? "none" : text->result(&t->state));
}

/* ---- geister log ---- */

void geister_session_write_log(const struct geister_session *t, bool official, struct text *out) {
    text_add_bytes(out, text_string(&t->log), t->log.size);
    out->failed = out->failed || t->log.failed;
    if (t->fault != PLAYER_FAULT_NONE && official)
        return;
    if (t->fault != PLAYER_FAULT_NONE)
        text_add(out, "fault=%d,%s: %s\n", t->culprit == NOBODY ? 2 : t->culprit,
                 player_fault_names[t->fault], t->reason);
    if (t->winner != NOBODY)
        text_add(out, "winner=%d\n", t->winner);
}

/* Reds that were chosen before the other's, and stayed alone, are no action yet: the first player's come
 * first. */
static int actions_known(const struct geister_session *t) {
    return t->count > 0 ? t->count : t->has_set[0] ? 1 : 0;
}

bool geister_session_record(const struct geister_session *t, const char *const players[2], struct record *out,
                            struct err *e) {
    const char *const *names = geister_game.text->side_names;
    record_describe(out, t->terms->scenario, players);
    for (int i = 0; i < actions_known(t); i++)
        if (!record_add(out, t->played[i], (double)t->milliseconds[i], e))
            return false;
    geister_session_result(t, out->result, sizeof out->result);
    if (t->culprit != NOBODY)
        snprintf(out->comment, sizeof out->comment, "%s forfeits: %s", names[t->culprit], t->reason);
    else if (t->fault != PLAYER_FAULT_NONE)
        snprintf(out->comment, sizeof out->comment, "%s", t->reason);
    else if (t->winner == NOBODY)
        snprintf(out->comment, sizeof out->comment, "the server was stopped");
    return !out->map.failed || err_set(e, "not enough memory for the record");
}
