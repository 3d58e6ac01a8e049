/* SPDX-License-Identifier: MIT
 *
 * Viewers of the Geister server: HTTP requests, and WebSockets that receive the states of games.
 */
#include "net/geister_server_private.h"

#include "net/geister_server.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BACKLOG_MAX = 4096 /* bytes a viewer has not taken: it misses states until it has */ };

static const int64_t every_ns = 500000000;
static const int64_t stuck_ns = 30000000000; /* a viewer that takes nothing for so long is let go */

/* No state yet, in the words of the official server. */
static const char nothing[] = "null";

void geister_view_start(struct geister_server *s) {
    memcpy(s->latest[0], nothing, sizeof nothing);
    memcpy(s->latest[1], nothing, sizeof nothing);
    if (s->service.token != NULL)
        snprintf(s->token, sizeof s->token, "%s", s->service.token);
}

/* ---- spectator views ---- */

/* Takes the same time for every guess. */
static bool is_token(const struct geister_server *s, const char *guess) {
    char padded[GEISTER_TOKEN_MAX] = "";
    const size_t length = strlen(guess);
    unsigned difference = length >= sizeof padded || s->token[0] == '\0';
    memcpy(padded, guess, length < sizeof padded ? length : sizeof padded);
    for (size_t i = 0; i < sizeof padded; i++)
        difference |= (unsigned)(unsigned char)padded[i] ^ (unsigned char)s->token[i];
    return difference == 0;
}

/* The latest state follows one game to its end, shows the end for a moment, and then follows the game that
 * changed last. */
static void choose_stage(struct geister_server *s, int64_t now_ns) {
    if (s->stage != NULL || now_ns < s->hold_ns)
        return;
    for (int i = 0; i < s->match_count; i++) {
        struct geister_match *match = s->matches[i];
        if (match->number > 0 && !match->told && match->session.spoke_ns != 0 &&
            (s->stage == NULL || match->changed > s->stage->changed))
            s->stage = match;
    }
}

void geister_view_keep(struct geister_server *s, const struct geister_match *match, int64_t now_ns) {
    assert(match->number > 0);
    struct geister_finished_game *past = &s->past[match->number % GEISTER_FINISHED_MAX];
    *past = (struct geister_finished_game){.number = match->number,
                                           .plies = geister_session_state(&match->session)->ply,
                                           .winner = match->session.winner};
    memcpy(past->names, match->names, sizeof past->names);
    memcpy(past->result, match->session.record.result, sizeof past->result);
    geister_session_spectator_view(&match->session, false, past->shown);
    /* A short game may begin and end between two updates. */
    if (s->stage == NULL && now_ns >= s->hold_ns)
        choose_stage(s, now_ns);
    if (s->stage == match || s->stage == NULL) {
        geister_session_spectator_view(&match->session, false, s->latest[0]);
        geister_session_spectator_view(&match->session, true, s->latest[1]);
        s->stage = NULL;
        s->hold_ns = now_ns + every_ns;
    }
}

static const struct geister_match *match_of(const struct geister_server *s, int number) {
    for (int i = 0; i < s->match_count; i++)
        if (s->matches[i]->number == number)
            return s->matches[i];
    return NULL;
}

/* The current view of that game (0: the latest). */
static void write_view(const struct geister_server *s, int number, bool all,
                       char out[GEISTER_SPECTATOR_VIEW_MAX]) {
    const struct geister_match *match = number == 0 ? s->stage : match_of(s, number);
    const struct geister_finished_game *past = &s->past[number % GEISTER_FINISHED_MAX];
    if (match != NULL)
        geister_session_spectator_view(&match->session, all, out);
    else if (number == 0)
        memcpy(out, s->latest[all], GEISTER_SPECTATOR_VIEW_MAX);
    else if (past->number == number)
        memcpy(out, past->shown, GEISTER_SPECTATOR_VIEW_MAX);
    else
        memcpy(out, nothing, sizeof nothing);
}

/* ---- frames ---- */

static void send_view(struct geister_server *s, struct geister_connection *connection, int64_t now_ns) {
    struct geister_watcher *watcher = connection->watcher;
    char view[GEISTER_SPECTATOR_VIEW_MAX];
    struct text frame = {0};
    write_view(s, watcher->number, watcher->all, view);
    if ((now_ns < watcher->next_ns && strcmp(view, watcher->sent) == 0) ||
        geister_connection_waiting(connection) > BACKLOG_MAX)
        return;
    memcpy(watcher->sent, view, sizeof view);
    watcher->next_ns = now_ns + every_ns;
    websocket_write_text(view, strlen(view), &frame);
    geister_connection_send(connection, frame.data, frame.size);
    geister_connection_flush(connection, now_ns);
    text_done(&frame);
    if (geister_connection_waiting(connection) == 0)
        connection->until_ns = now_ns + stuck_ns;
}

void geister_view_update(struct geister_server *s, int64_t now_ns) {
    choose_stage(s, now_ns);
    for (int i = 0; i < s->connection_count; i++)
        if (s->connections[i]->kind == GEISTER_CONNECTION_VIEWER && s->connections[i]->fd >= 0 &&
            !s->connections[i]->ending)
            send_view(s, s->connections[i], now_ns);
}

int64_t geister_view_due(const struct geister_server *s) {
    int64_t due = INT64_MAX;
    for (int i = 0; i < s->connection_count; i++) {
        const struct geister_connection *connection = s->connections[i];
        if (connection->kind == GEISTER_CONNECTION_VIEWER && !connection->ending &&
            geister_connection_waiting(connection) <= BACKLOG_MAX)
            due = connection->watcher->next_ns < due ? connection->watcher->next_ns : due;
    }
    return due;
}

/* ---- requests ---- */

/* Only the name of our own player, without options: they could reveal its reds. */
static json_t *pack_names(const struct geister_server *s, const char names[2][GEISTER_NAME_MAX]) {
    json_t *list = json_array();
    for (int side = 0; side < 2; side++) {
        const bool own = s->service.player != NULL && s->service.player_side == side;
        json_array_append_new(
            list, json_stringn(names[side], own ? strcspn(names[side], ":") : strlen(names[side])));
    }
    return list;
}

static json_t *pack_running(const struct geister_server *s, const struct geister_match *match) {
    const struct geister_session *t = &match->session;
    const int asked = geister_session_asked(t);
    return json_pack("{si so si sI sI so}", "game", match->number, "players", pack_names(s, match->names),
                     "plies", (int)geister_session_state(t)->ply, "left_ms_first",
                     (json_int_t)(t->game.clocks.game_left_ns[0] / 1000000), "left_ms_second",
                     (json_int_t)(t->game.clocks.game_left_ns[1] / 1000000), "to_move",
                     asked == NOBODY ? json_null() : json_integer(asked));
}

static json_t *pack_games(const struct geister_server *s) {
    json_t *running = json_array(), *finished = json_array();
    for (int i = 0; i < s->match_count; i++)
        if (s->matches[i]->number > 0 && !s->matches[i]->told)
            json_array_append_new(running, pack_running(s, s->matches[i]));
    const int last = (int)s->started,
              first = last > GEISTER_FINISHED_MAX ? last - GEISTER_FINISHED_MAX + 1 : 1;
    for (int number = first; number <= last; number++) {
        const struct geister_finished_game *past = &s->past[number % GEISTER_FINISHED_MAX];
        if (past->number == number)
            json_array_append_new(finished, json_pack("{si so si si ss}", "game", number, "players",
                                                      pack_names(s, past->names), "plies", past->plies,
                                                      "winner", past->winner, "result", past->result));
    }
    return json_pack("{so so}", "running", running, "finished", finished);
}

static void answer_games(const struct geister_server *s, const struct http_request *request,
                         struct text *out) {
    json_t *root = pack_games(s);
    char *dump = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    const struct http_answer answer = {200, "application/json", dump, strlen(dump)};
    http_write(&answer, request, out);
    free(dump);
}

/* "/ws/geister" or "/ws/geister/N"; the number, -1 when it is neither. */
static int game_of_path(const char *path) {
    static const char prefix[] = "/ws/geister";
    long number;
    if (strncmp(path, prefix, sizeof prefix - 1) != 0)
        return -1;
    path += sizeof prefix - 1;
    if (path[0] == '\0' || strcmp(path, "/") == 0)
        return 0;
    if (path[0] != '/' || strspn(path + 1, "0123456789") != strlen(path + 1) ||
        !text_to_int(path + 1, &number) || number < 1 || number > INT32_MAX)
        return -1;
    return (int)number;
}

/* Games that finished long ago are forgotten. */
static bool is_known(const struct geister_server *s, int number) {
    return number == 0 || (uint64_t)number > s->started || match_of(s, number) != NULL ||
           s->past[number % GEISTER_FINISHED_MAX].number == number;
}

/* True when frames follow. */
static bool answer_request(struct geister_server *s, struct geister_connection *connection,
                           const struct http_request *request, struct text *out) {
    char guess[HTTP_PATH_MAX] = "";
    const int number = game_of_path(request->path);
    if (strcmp(request->path, "/") == 0) {
        const struct http_answer page = {200, "text/html; charset=utf-8", geister_viewer_page,
                                         geister_viewer_page_size};
        http_write(&page, request, out);
    } else if (strcmp(request->path, "/games") == 0) {
        answer_games(s, request, out);
    } else if (number < 0 || !is_known(s, number)) {
        http_write_error(404, request, out);
    } else if (websocket_handshake(request, out) == 101) {
        connection->watcher->number = number;
        http_query(request, "token", guess, sizeof guess);
        connection->watcher->all = s->service.open_viewers || is_token(s, guess);
        return true;
    }
    return false;
}

static void take_in(struct geister_watcher *watcher, size_t size) {
    assert(size <= watcher->in_size);
    watcher->in_size -= size;
    memmove(watcher->in, watcher->in + size, watcher->in_size);
}

static void read_request(struct geister_server *s, struct geister_connection *connection, int64_t now_ns) {
    struct geister_watcher *watcher = connection->watcher;
    struct http_request request;
    struct text out = {0};
    const enum http_step step = http_read(watcher->in, watcher->in_size, &request);
    if (step == HTTP_MORE)
        return;
    bool frames = false;
    if (step == HTTP_BAD)
        http_write_error(request.status, NULL, &out);
    else
        frames = answer_request(s, connection, &request, &out);
    geister_connection_send(connection, text_string(&out), out.size);
    text_done(&out);
    if (!frames) {
        geister_connection_end(connection, now_ns);
        return;
    }
    connection->kind = GEISTER_CONNECTION_VIEWER;
    connection->until_ns = now_ns + stuck_ns;
    take_in(watcher, request.size);
    geister_connection_flush(connection, now_ns);
}

static void read_frames(struct geister_connection *connection, int64_t now_ns) {
    struct geister_watcher *watcher = connection->watcher;
    struct text answer = {0};
    enum websocket_step step;
    size_t taken;
    while ((step = websocket_read(&watcher->reader, watcher->in, watcher->in_size, &taken, &answer)) ==
           WEBSOCKET_TAKEN)
        take_in(watcher, taken);
    if (geister_connection_waiting(connection) <= BACKLOG_MAX)
        geister_connection_send(connection, text_string(&answer), answer.size);
    text_done(&answer);
    if (step == WEBSOCKET_CLOSED)
        geister_connection_end(connection, now_ns);
    else
        geister_connection_flush(connection, now_ns);
}

void geister_view_receive(struct geister_server *s, struct geister_connection *connection, int64_t now_ns) {
    struct geister_watcher *watcher = connection->watcher;
    if (connection->ending)
        watcher->in_size = 0; /* input is discarded, only its end matters */
    const int n = geister_connection_read(connection, watcher->in + watcher->in_size,
                                          sizeof watcher->in - watcher->in_size);
    if (n < 0) {
        geister_connection_close(connection);
        return;
    }
    watcher->in_size += (size_t)n;
    if (connection->ending)
        return;
    if (connection->kind == GEISTER_CONNECTION_HTTP)
        read_request(s, connection, now_ns);
    if (connection->kind == GEISTER_CONNECTION_VIEWER && !connection->ending)
        read_frames(connection, now_ns);
}
