/* SPDX-License-Identifier: MIT
 *
 * The Geister server: connections, our own players, games, the pairing of clients, and viewers.
 *
 * One round waits, reads what has arrived, applies time limits to games and connections, updates viewers, and
 * frees what was closed. A connection that is closed in a round stays in the lists until the end of the
 * round, so pointers to it stay valid meanwhile.
 */
#include "net/geister_server.h"

#include "base/mem.h"
#include "link/link.h"
#include "net/http.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 /* then the link layer's SO_NOSIGPIPE does it */
#endif

enum {
    LABEL_MAX = 80,     /* bytes of a player's name: an address, or the spec of our own player */
    CHUNK = 2048,       /* bytes of one connection that are read in one round */
    ACCEPTS_MAX = 64,   /* connections of one port that are accepted in one round */
    BACKLOG_MAX = 4096, /* bytes a viewer has not taken: it misses states until it has */
    LISTENERS = 3,
    VIEWERS = 2, /* their listener */
};

static const int64_t drain_ns = 1000000000;    /* for the peer to close after everything was sent */
static const int64_t request_ns = 10000000000; /* for a viewer's request */
static const int64_t stuck_ns = 30000000000;   /* a viewer that takes nothing for so long is disconnected */
static const int64_t every_ns = 500000000;     /* a viewer's state is sent again */
static const int64_t no_descriptors_ns = 100000000;

/* Data of viewers only. */
struct watcher {
    struct text in; /* fewer than HTTP_HEAD_MAX bytes: a head or a frame that is incomplete */
    bool is_open;   /* the handshake is over: frames follow */
    struct websocket_reader reader;
    int number; /* of the game; 0: the latest */
    bool all;   /* colours that are not public, too */
    char sent[GEISTER_SPECTATOR_VIEW_MAX];
    int64_t next_ns; /* when it is sent again */
};

/* One connection. It ends in steps: everything is sent, our side is shut down, the peer closes (or the time
 * limit passes). Closing at once with unread bytes would discard what was sent last. */
struct connection {
    int fd; /* -1: closed, to be swept */
    struct link_peer peer;
    struct text out;  /* unsent; a player's is short, as a game has few lines; a viewer's: BACKLOG_MAX */
    bool ending;      /* nothing more will be queued */
    bool shut;        /* our side was shut down */
    int64_t until_ns; /* the next step is taken then in any case; INT64_MAX: never */
    struct pairing *pairing; /* a player's */
    int side;
    bool is_viewer;
    struct watcher watcher;
};

/* One game, or a client that waits for one. Viewers may see a game after its end: it is freed when its
 * connections have gone and GEISTER_FINISHED_MAX later games have begun. */
struct pairing {
    struct geister_session session;
    int number; /* 0 until both sides are present */
    struct connection *connections[2];
    struct seat *seat; /* our own player, if one plays */
    char names[2][LABEL_MAX];
    bool is_reported;               /* its end */
    uint64_t seen_changes, changed; /* when it last changed, counted in changes of all games */
};

struct geister_server {
    struct geister_service service;
    int listeners[LISTENERS]; /* first, second, viewers; -1: none */
    int ports[LISTENERS];
    int wake[2];           /* a pipe: our own players have answered */
    int64_t deaf_until_ns; /* until then no connection is accepted: there were no descriptors left */
    struct connection **connections;
    int connection_count, connections_capacity;
    struct pairing **pairings; /* in the order of arrival */
    int pairing_count, pairings_capacity;
    atomic_int seats; /* of our own players, also those that were released and still search */
    uint64_t started, finished, turned_away, changes;
    struct pollfd *polled;
    int polled_capacity;

    struct pairing *stage; /* the source of the latest state; NULL before the first game */
    int64_t hold_ns;       /* how long the end of its game is shown */
};

static int64_t now_of(const struct geister_server *s) {
    return clock_now_ns(s->service.clock);
}

/* ---- connections ---- */

/* Closes the descriptor at once. The struct lives until the sweep. */
static void close_connection(struct connection *c) {
    if (c->fd >= 0)
        close(c->fd);
    c->fd = -1;
}

/* Removes bytes from the front. */
static void take(struct text *bytes, size_t size) {
    assert(size <= bytes->size);
    bytes->size -= size;
    memmove(bytes->data, bytes->data + size, bytes->size);
}

/* Sends as much as the peer takes now. An ending connection is shut down once everything was sent. */
static void flush(struct connection *c, int64_t now_ns) {
    while (c->fd >= 0 && c->out.size > 0) {
        const ssize_t n = send(c->fd, c->out.data, c->out.size, MSG_NOSIGNAL);
        if (n > 0)
            take(&c->out, (size_t)n);
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        else if (n < 0 && errno != EINTR) {
            /* The peer is gone. A read would report that, too, but an ending connection may not be read any
             * more. */
            text_clear(&c->out);
            c->ending = true;
        }
    }
    if (c->fd >= 0 && c->ending && !c->shut) {
        shutdown(c->fd, SHUT_WR);
        c->shut = true;
        c->until_ns = now_ns + drain_ns;
    }
}

/* Begins the end: what is queued is still sent, nothing more is. The peer has drain_ns to take it. */
static void end_connection(struct connection *c, int64_t now_ns) {
    if (c->fd < 0 || c->ending)
        return;
    c->ending = true;
    c->until_ns = now_ns + drain_ns; /* time to send the rest */
    flush(c, now_ns);
}

/* Bytes read, 0 when none have arrived, -1 when the peer has closed. */
static int read_bytes(const struct connection *c, char *out, size_t size) {
    assert(c->fd >= 0);
    const ssize_t n = recv(c->fd, out, size, 0);
    if (n > 0)
        return (int)n;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

/* Open connections of viewers or of players; `address` (may be NULL): only from there. */
static int count_connections(const struct geister_server *s, bool viewers, const char *address) {
    int count = 0;
    for (int i = 0; i < s->connection_count; i++) {
        const struct connection *c = s->connections[i];
        count += c->fd >= 0 && c->is_viewer == viewers &&
                 (address == NULL || strcmp(c->peer.address, address) == 0);
    }
    return count;
}

/* ---- our own player ----
 *
 * It thinks on a thread of its own, so that other games continue meanwhile. One byte in a pipe reports its
 * answer. The thread owns the seat: it frees it once the loop has released it and the search has ended. */

enum seat_stage { SEAT_IDLE, SEAT_ASKED, SEAT_ANSWERED, SEAT_CLOSING };

struct seat {
    struct geister_server *server;
    struct player *player;
    struct rng rng;
    pthread_mutex_t lock;
    pthread_cond_t asked;
    enum seat_stage stage;    /* guarded by the lock; decides which thread owns the other members */
    atomic_bool stop;         /* ends a search early */
    struct clocked_game game; /* a copy, for the question */
    struct ask ask;
    struct answer answer;
};

/* Closing a player may take long, when a program must end first. The count comes last: the server waits for
 * it before it is freed. */
static void free_seat(struct seat *seat) {
    struct geister_server *server = seat->server;
    player_close(seat->player);
    pthread_cond_destroy(&seat->asked);
    pthread_mutex_destroy(&seat->lock);
    mem_free(seat);
    atomic_fetch_sub(&server->seats, 1);
}

/* The seat's thread: waits for a question, searches without the lock, and reports the answer by a byte in
 * the pipe. The loop may close the seat during a search; then the answer is dropped. */
static void *think(void *context) {
    struct seat *seat = context;
    pthread_mutex_lock(&seat->lock);
    while (seat->stage != SEAT_CLOSING) {
        if (seat->stage != SEAT_ASKED) {
            pthread_cond_wait(&seat->asked, &seat->lock);
            continue;
        }
        pthread_mutex_unlock(&seat->lock);
        seat->answer = (struct answer){0};
        player_choose(seat->player, &seat->ask, &seat->answer);
        pthread_mutex_lock(&seat->lock);
        if (seat->stage == SEAT_ASKED)
            seat->stage = SEAT_ANSWERED;
        /* A full pipe has woken the reader already. */
        if (write(seat->server->wake[1], "", 1) < 0)
            continue;
    }
    pthread_mutex_unlock(&seat->lock);
    free_seat(seat);
    return NULL;
}

/* Asks it when a decision of its side is wanted and none is under way. While both sides choose their reds,
 * all choices of the first look the same to the second: any is used. */
static void ask_seat(struct seat *seat, const struct geister_session *t, int64_t now_ns) {
    const struct geister_service *service = &seat->server->service;
    const bool moving = t->phase == GEISTER_PHASE_MOVING;
    const int side = service->player_side;
    pthread_mutex_lock(&seat->lock);
    if (seat->stage == SEAT_IDLE &&
        (t->phase == GEISTER_PHASE_SETTING ? !t->has_set[side] : geister_session_asked(t) == side)) {
        seat->game = t->game;
        seat->game.referee.record = NULL;
        if (!moving && side == 1 && !t->has_set[0])
            clocked_game_play(&seat->game, geister_setup(geister_setup_reds(0)), RECORD_NO_TIME, NULL);
        clocked_game_ask(&seat->game, moving ? t->game.asked_ns : now_ns, &seat->ask);
        if (!moving) {
            const int64_t limit = t->terms->setup_ns;
            seat->ask.time = (struct ask_time){.limit_ns = limit, .share_ns = limit / 2};
            seat->ask.budget.deadline_ns = limit > 0 ? now_ns + limit / 2 : 0;
        }
        seat->ask.rng = &seat->rng;
        seat->ask.budget.clock = service->clock;
        seat->ask.budget.stop = &seat->stop;
        seat->stage = SEAT_ASKED;
        pthread_cond_signal(&seat->asked);
    }
    pthread_mutex_unlock(&seat->lock);
}

/* Opens the player with a seed of its own for this game. NULL when the player or its thread cannot be had. */
static struct seat *open_seat(struct geister_server *s) {
    struct seat *seat = mem_alloc(sizeof *seat);
    pthread_t thread;
    seat->server = s;
    atomic_fetch_add(&s->seats, 1);
    rng_seed(&seat->rng, rng_job_seed(s->service.seed, s->started));
    seat->player = player_open_granted(s->service.player, &geister_game, s->service.grant, NULL);
    pthread_mutex_init(&seat->lock, NULL);
    pthread_cond_init(&seat->asked, NULL);
    if (seat->player != NULL && pthread_create(&thread, NULL, think, seat) == 0) {
        pthread_detach(thread);
        return seat;
    }
    free_seat(seat);
    return NULL;
}

/* Ends the search early. The thread frees the seat, which must not be used any more. */
static void release_seat(struct seat *seat) {
    atomic_store(&seat->stop, true);
    pthread_mutex_lock(&seat->lock);
    seat->stage = SEAT_CLOSING;
    pthread_cond_signal(&seat->asked);
    pthread_mutex_unlock(&seat->lock);
}

/* ---- spectator views ---- */

/* Both sides have come, and the end was not reported yet. */
static bool is_running(const struct pairing *p) {
    return p->number > 0 && !p->is_reported;
}

/* The latest state follows one game to its end, shows its end, and then follows the one that changed last. */
static void choose_stage(struct geister_server *s, int64_t now_ns) {
    struct pairing *next = NULL;
    if (now_ns < s->hold_ns || (s->stage != NULL && is_running(s->stage)))
        return;
    for (int i = 0; i < s->pairing_count; i++) {
        struct pairing *p = s->pairings[i];
        if (is_running(p) && p->session.spoke_ns != 0 && (next == NULL || p->changed > next->changed))
            next = p;
    }
    if (next != NULL)
        s->stage = next;
}

/* The game of that number; NULL before it and when it was freed. */
static const struct pairing *find_pairing(const struct geister_server *s, int number) {
    for (int i = 0; i < s->pairing_count; i++)
        if (s->pairings[i]->number == number)
            return s->pairings[i];
    return NULL;
}

/* Is it sent states? */
static bool is_watching(const struct connection *c) {
    return c->watcher.is_open && c->fd >= 0 && !c->ending && c->out.size <= BACKLOG_MAX;
}

static void update_viewers(struct geister_server *s, int64_t now_ns) {
    choose_stage(s, now_ns);
    for (int i = 0; i < s->connection_count; i++) {
        struct connection *c = s->connections[i];
        struct watcher *watcher = &c->watcher;
        char view[GEISTER_SPECTATOR_VIEW_MAX];
        if (!is_watching(c))
            continue;
        const struct pairing *p = watcher->number == 0 ? s->stage : find_pairing(s, watcher->number);
        if (p != NULL)
            geister_session_spectator_view(&p->session, watcher->all, view);
        else
            snprintf(view, sizeof view, "null"); /* no state yet, in the words of the official server */
        if (now_ns < watcher->next_ns && strcmp(view, watcher->sent) == 0)
            continue;
        memcpy(watcher->sent, view, sizeof view);
        watcher->next_ns = now_ns + every_ns;
        websocket_write_text(view, strlen(view), &c->out);
        flush(c, now_ns);
        if (c->out.size == 0)
            c->until_ns = now_ns + stuck_ns;
    }
}

/* ---- requests of viewers ---- */

/* Only the name of our own player, without options: they could reveal its reds. */
static json_t *pack_names(const struct geister_server *s, const char names[2][LABEL_MAX]) {
    json_t *list = json_array();
    for (int side = 0; side < 2; side++) {
        const bool own = s->service.player != NULL && s->service.player_side == side;
        json_array_append_new(
            list, json_stringn(names[side], own ? strcspn(names[side], ":") : strlen(names[side])));
    }
    return list;
}

/* The list for /games, in the order of their beginning, which is that of the pairings. */
static void answer_games(const struct geister_server *s, const struct http_request *request,
                         struct text *out) {
    json_t *running = json_array(), *finished = json_array();
    for (int i = 0; i < s->pairing_count; i++) {
        const struct pairing *p = s->pairings[i];
        const struct geister_session *t = &p->session;
        const int asked = geister_session_asked(t), plies = geister_session_state(t)->ply;
        const int64_t *left_ns = t->game.clocks.game_left_ns;
        if (is_running(p))
            json_array_append_new(running, json_pack("{si so si sI sI so}", "game", p->number, "players",
                                                     pack_names(s, p->names), "plies", plies, "left_ms_first",
                                                     (json_int_t)(left_ns[0] / 1000000), "left_ms_second",
                                                     (json_int_t)(left_ns[1] / 1000000), "to_move",
                                                     asked == NOBODY ? json_null() : json_integer(asked)));
        else if (p->number > 0)
            json_array_append_new(finished, json_pack("{si so si si ss}", "game", p->number, "players",
                                                      pack_names(s, p->names), "plies", plies, "winner",
                                                      t->winner, "result", t->record.result));
    }
    json_t *root = json_pack("{so so}", "running", running, "finished", finished);
    char *dump = json_dumps(root, JSON_COMPACT);
    json_decref(root);
    http_write(&(struct http_answer){200, "application/json", dump, strlen(dump)}, request, out);
    mem_free(dump);
}

/* "/ws/geister" (0) or "/ws/geister/N"; -1 when it is neither, or that game finished long ago. */
static int game_of_path(const struct geister_server *s, const char *path) {
    static const char prefix[] = "/ws/geister";
    const size_t size = sizeof prefix - 1;
    long number;
    if (strncmp(path, prefix, size) != 0)
        return -1;
    if (path[size] == '\0' || strcmp(path + size, "/") == 0)
        return 0;
    if (path[size] != '/' || strspn(path + size + 1, "0123456789") != strlen(path + size + 1) ||
        !text_to_int(path + size + 1, &number) || number < 1 || number > INT32_MAX)
        return -1;
    return (uint64_t)number > s->started || find_pairing(s, (int)number) != NULL ? (int)number : -1;
}

/* Reads and answers a viewer's request once its head is complete. A page and a list end their connection; a
 * handshake turns it into one with frames. */
static void read_request(const struct geister_server *s, struct connection *c, int64_t now_ns) {
    struct watcher *watcher = &c->watcher;
    const char *token = s->service.token;
    struct http_request request;
    char guess[HTTP_PATH_MAX] = "";
    const enum http_step step = http_read(text_string(&watcher->in), watcher->in.size, &request);
    if (step == HTTP_MORE)
        return;
    const int number = step == HTTP_READY ? game_of_path(s, request.path) : -1;
    if (step == HTTP_BAD) {
        http_write_error(request.status, NULL, &c->out);
    } else if (strcmp(request.path, "/") == 0) {
        http_write(&(struct http_answer){200, "text/html; charset=utf-8", geister_viewer_page,
                                         geister_viewer_page_size},
                   &request, &c->out);
    } else if (strcmp(request.path, "/games") == 0) {
        answer_games(s, &request, &c->out);
    } else if (number < 0) {
        http_write_error(404, &request, &c->out);
    } else if (websocket_handshake(&request, &c->out) == 101) {
        http_query(&request, "token", guess, sizeof guess);
        watcher->is_open = true;
        watcher->number = number;
        watcher->all =
            s->service.open_viewers || (token != NULL && token[0] != '\0' && web_guard_token(token, guess));
    }
    if (!watcher->is_open) {
        end_connection(c, now_ns);
        return;
    }
    c->until_ns = now_ns + stuck_ns;
    take(&watcher->in, request.size);
    flush(c, now_ns);
}

/* A viewer's bytes: first its request, then frames. Both readers work on one buffer, so a client may send
 * frames right after its request without waiting for the answer. */
static void viewer_receive(struct geister_server *s, struct connection *c, int64_t now_ns) {
    struct watcher *watcher = &c->watcher;
    char bytes[HTTP_HEAD_MAX];
    if (c->ending) /* input is discarded, only its end matters */
        text_clear(&watcher->in);
    const int n = read_bytes(c, bytes, sizeof bytes - watcher->in.size);
    if (n < 0)
        close_connection(c);
    if (n < 0 || c->ending)
        return;
    text_add_bytes(&watcher->in, bytes, (size_t)n);
    if (!watcher->is_open)
        read_request(s, c, now_ns);
    if (c->ending || !watcher->is_open)
        return;
    const size_t queued = c->out.size;
    enum websocket_step step;
    size_t taken;
    while ((step = websocket_read(&watcher->reader, watcher->in.data, watcher->in.size, &taken, &c->out)) ==
           WEBSOCKET_TAKEN)
        take(&watcher->in, taken);
    if (queued > BACKLOG_MAX) /* a viewer that pings and does not read gets no more answers */
        c->out.size = queued;
    if (step == WEBSOCKET_CLOSED)
        end_connection(c, now_ns);
    else
        flush(c, now_ns);
}

/* ---- games ---- */

/* Reports a finished game, and gives clients time to close their connections. Our own player may be
 * searching: the server does not wait for the end of the search. */
static void finish_game(struct geister_server *s, struct pairing *p, int64_t now_ns) {
    assert(is_running(p));
    assert(geister_session_is_over(&p->session));
    p->is_reported = true;
    s->finished++;
    if (p->seat != NULL)
        release_seat(p->seat);
    p->seat = NULL;
    for (int side = 0; side < 2; side++) {
        struct connection *c = p->connections[side];
        if (c != NULL && p->session.cut)
            end_connection(c, now_ns);
        else if (c != NULL)
            c->until_ns = now_ns + s->service.linger_ns;
    }
    if (s->stage != p)
        choose_stage(s, now_ns); /* a short game may begin and end between two updates */
    if (s->stage == NULL || !is_running(s->stage)) {
        s->stage = p;
        s->hold_ns = now_ns + every_ns;
    }
    const struct geister_finished game = {p->number, &p->session, {p->names[0], p->names[1]}};
    if (s->service.finished != NULL)
        s->service.finished(s->service.context, &game);
    text_done(&p->session.log); /* viewers do not see it, and a client's rejected lines can make it long */
}

/* Called after every change of a session: sends its output, first to the side that caused it. */
static void after_change(struct geister_server *s, struct pairing *p, int first, int64_t now_ns) {
    struct geister_session *t = &p->session;
    for (int i = 0; i < 2; i++) {
        struct connection *c = p->connections[first ^ i];
        struct text *out = &t->out[first ^ i];
        if (c != NULL && c->fd >= 0 && !c->ending && out->size > 0) {
            text_add_bytes(&c->out, out->data, out->size);
            flush(c, now_ns);
        }
        text_clear(out);
    }
    if (t->changes != p->seen_changes) {
        p->seen_changes = t->changes;
        p->changed = ++s->changes;
    }
    if (geister_session_is_over(t) && is_running(p))
        finish_game(s, p, now_ns);
    if (p->seat != NULL)
        ask_seat(p->seat, t, now_ns);
}

/* A client has disconnected. During a game its opponent wins; after a game the other connection is ended,
 * too; before a game nothing else happens. */
static void lose(struct geister_server *s, struct connection *c, int64_t now_ns) {
    struct pairing *p = c->pairing;
    struct connection *other = p->connections[c->side ^ 1];
    close_connection(c);
    if (p->is_reported) {
        if (other != NULL)
            end_connection(other, now_ns);
        return;
    }
    geister_session_leave(&p->session, c->side, now_ns);
    if (p->number > 0)
        after_change(s, p, c->side ^ 1, now_ns);
}

/* A player's bytes. The session takes one line at a time, and its output is sent before the next line is
 * taken: the order of lines is the official server's. */
static void player_receive(struct geister_server *s, struct connection *c, int64_t now_ns) {
    struct geister_session *t = &c->pairing->session;
    char bytes[CHUNK];
    const int n = read_bytes(c, bytes, sizeof bytes);
    if (n < 0) {
        lose(s, c, now_ns);
        return;
    }
    for (size_t at = 0; at < (size_t)n && !geister_session_is_over(t);) {
        at += geister_session_receive(t, c->side, bytes + at, (size_t)n - at, now_ns);
        after_change(s, c->pairing, c->side, now_ns);
    }
    /* A client that misbehaves while it waits for an opponent is disconnected. */
    if (n > 0 && geister_session_is_over(t) && c->pairing->number == 0)
        end_connection(c, now_ns);
}

/* Our own player may have answered. A shortage is neither side's fault: the game ends without a winner. */
static void seat_receive(struct geister_server *s, struct pairing *p, int64_t now_ns) {
    const int side = s->service.player_side;
    struct seat *seat = p->seat;
    struct geister_session *t = &p->session;
    if (seat == NULL)
        return;
    pthread_mutex_lock(&seat->lock);
    const bool answered = seat->stage == SEAT_ANSWERED;
    if (answered)
        seat->stage = SEAT_IDLE;
    pthread_mutex_unlock(&seat->lock);
    if (!answered)
        return;
    const struct answer *answer = &seat->answer;
    if (answer->fault == PLAYER_SHORTAGE) {
        char reason[PLAYER_REASON_MAX];
        snprintf(reason, sizeof reason, "stopped: %.200s", answer->reason);
        t->cut = true;
        geister_session_stop(t, reason, now_ns);
    } else if (answer->fault != PLAYER_FAULT_NONE) {
        geister_session_blame(t, side, answer->fault, answer->reason, now_ns);
    } else {
        geister_session_answer(t, side, answer->chosen, now_ns);
    }
    after_change(s, p, side, now_ns);
}

/* ---- pairing ---- */

/* Has the last of the wanted games begun? */
static bool is_full(const struct geister_server *s) {
    return s->service.games_max > 0 && s->started >= (uint64_t)s->service.games_max;
}

/* Clients without an opponent, for the limit and for the status line. */
static int waiting_count(const struct geister_server *s) {
    int count = 0;
    for (int i = 0; i < s->pairing_count; i++)
        count += s->pairings[i]->number == 0 && !geister_session_is_over(&s->pairings[i]->session);
    return count;
}

/* The client of the other side that has waited longest and is there, or a new one; NULL: too many wait. */
static struct pairing *pairing_for(struct geister_server *s, int side) {
    for (int i = 0; i < s->pairing_count; i++) {
        struct pairing *p = s->pairings[i];
        const struct connection *other = p->connections[side ^ 1];
        if (p->number == 0 && !p->session.here[side] && other != NULL && other->fd >= 0 &&
            !geister_session_is_over(&p->session))
            return p;
    }
    if (waiting_count(s) >= s->service.waiting_max)
        return NULL;
    struct pairing *p = mem_alloc(sizeof *p);
    geister_session_start(&p->session, &s->service.terms);
    p->seen_changes = p->session.changes;
    s->pairings = mem_grow(s->pairings, &s->pairings_capacity, s->pairing_count + 1, sizeof s->pairings[0]);
    return s->pairings[s->pairing_count++] = p;
}

static bool seat_client(struct geister_server *s, struct connection *c, int side, int64_t now_ns) {
    assert(side == 0 || side == 1);
    struct pairing *p = is_full(s) ? NULL : pairing_for(s, side);
    if (p == NULL)
        return false;
    c->pairing = p;
    c->side = side;
    p->connections[side] = c;
    snprintf(p->names[side], sizeof p->names[side], "%s:%d", c->peer.address, c->peer.port);
    geister_session_join(&p->session, side, now_ns);
    if (s->service.player != NULL) {
        const int own = s->service.player_side;
        assert(own == (side ^ 1));
        p->seat = open_seat(s);
        if (p->seat == NULL)
            return false;
        snprintf(p->names[own], sizeof p->names[own], "%s", s->service.player);
        geister_session_join(&p->session, own, now_ns);
        text_clear(&p->session.out[own]); /* our player is asked through its seat */
    }
    if (p->session.here[0] && p->session.here[1])
        p->number = (int)++s->started;
    after_change(s, p, side, now_ns);
    for (int i = 0; is_full(s) && i < s->connection_count; i++) {
        /* The last game has begun: clients that still wait for an opponent are disconnected. */
        struct connection *waiting = s->connections[i];
        if (waiting->pairing == NULL || waiting->pairing->number > 0 || waiting->fd < 0 || waiting->ending)
            continue;
        end_connection(waiting, now_ns);
        s->turned_away++;
    }
    return true;
}

static bool may_come(const struct geister_server *s, int which, const char *address) {
    const int limit = s->service.address_max, viewers = count_connections(s, true, NULL);
    if (viewers + count_connections(s, false, NULL) >= s->service.connections_max ||
        (limit > 0 && count_connections(s, which == VIEWERS, address) >= limit))
        return false;
    if (which == VIEWERS)
        return viewers < GEISTER_VIEWERS_MAX;
    return s->service.player == NULL ||
           (which != s->service.player_side && atomic_load(&s->seats) < GEISTER_SEATS_MAX);
}

static void accept_all(struct geister_server *s, int which, int64_t now_ns) {
    struct link_peer peer;
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        const int fd = link_take(s->listeners[which], &peer);
        /* Pending connections wait until descriptors are free; polling for them would use all the time. */
        if (fd < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM))
            s->deaf_until_ns = now_ns + no_descriptors_ns;
        if (fd < 0 && errno != ECONNABORTED && errno != EINTR)
            return;
        if (fd < 0)
            continue;
        if (!may_come(s, which, peer.address)) {
            close(fd);
            s->turned_away++;
            continue;
        }
        struct connection *c = mem_alloc(sizeof *c);
        *c = (struct connection){.fd = fd, .peer = peer, .is_viewer = which == VIEWERS};
        c->until_ns = c->is_viewer ? now_ns + request_ns : INT64_MAX;
        s->connections = mem_grow(s->connections, &s->connections_capacity, s->connection_count + 1,
                                  sizeof s->connections[0]);
        s->connections[s->connection_count++] = c;
        if (!c->is_viewer && !seat_client(s, c, which, now_ns)) {
            close_connection(c);
            s->turned_away++;
        }
    }
}

/* ---- a round ---- */

/* Lists the descriptors to wait for. Returns for how many milliseconds: until something is due, rounded up so
 * that no round comes too early, and at most ms_max. */
static int prepare_poll(struct geister_server *s, int64_t now_ns, int ms_max) {
    const int needed = LISTENERS + 1 + s->connection_count;
    const bool is_deaf = now_ns < s->deaf_until_ns;
    int64_t due = is_deaf ? s->deaf_until_ns : INT64_MAX;
    s->polled = mem_grow(s->polled, &s->polled_capacity, needed, sizeof s->polled[0]);
    for (int i = 0; i < LISTENERS; i++)
        s->polled[i] = (struct pollfd){.fd = is_deaf ? -1 : s->listeners[i], .events = POLLIN};
    s->polled[LISTENERS] = (struct pollfd){.fd = s->wake[0], .events = POLLIN};
    for (int i = 0; i < s->pairing_count; i++) {
        const int64_t at = geister_session_due(&s->pairings[i]->session);
        due = at < due ? at : due;
    }
    for (int i = 0; i < s->connection_count; i++) {
        const struct connection *c = s->connections[i];
        const short events = c->out.size > 0 ? POLLIN | POLLOUT : POLLIN;
        s->polled[LISTENERS + 1 + i] = (struct pollfd){.fd = c->fd, .events = events};
        due = c->until_ns < due ? c->until_ns : due;
        due = is_watching(c) && c->watcher.next_ns < due ? c->watcher.next_ns : due;
    }
    if (due <= now_ns)
        return 0;
    const int64_t ms = due == INT64_MAX ? ms_max : (due - now_ns + 999999) / 1000000;
    return ms < ms_max ? (int)ms : ms_max;
}

/* Sessions judge their own clocks. A connection whose time is over takes its next step: it ends, then it
 * is closed. A player that is closed by force counts as one that has left. */
static void apply_time_limits(struct geister_server *s, int64_t now_ns) {
    for (int i = 0; i < s->pairing_count; i++) {
        struct pairing *p = s->pairings[i];
        if (now_ns >= geister_session_due(&p->session)) {
            geister_session_tick(&p->session, now_ns);
            after_change(s, p, 0, now_ns);
        }
    }
    for (int i = 0; i < s->connection_count; i++) {
        struct connection *c = s->connections[i];
        if (c->fd < 0 || now_ns < c->until_ns)
            continue;
        if (!c->ending)
            end_connection(c, now_ns);
        else if (c->pairing != NULL)
            lose(s, c, now_ns);
        else
            close_connection(c);
    }
}

static void free_pairing(struct pairing *p) {
    assert(p->seat == NULL);
    geister_session_done(&p->session);
    mem_free(p);
}

/* Frees closed connections, and games that have no connections left and that viewers cannot see any more. */
static void sweep(struct geister_server *s) {
    int left = 0;
    for (int i = 0; i < s->connection_count; i++) {
        struct connection *c = s->connections[i];
        if (c->fd >= 0) {
            s->connections[left++] = c;
            continue;
        }
        if (c->pairing != NULL)
            c->pairing->connections[c->side] = NULL;
        text_done(&c->out);
        text_done(&c->watcher.in);
        mem_free(c);
    }
    s->connection_count = left;
    left = 0;
    for (int i = 0; i < s->pairing_count; i++) {
        struct pairing *p = s->pairings[i];
        const bool is_seen =
            p == s->stage || (p->number > 0 && (uint64_t)p->number + GEISTER_FINISHED_MAX > s->started);
        if (is_running(p) || is_seen || p->connections[0] != NULL || p->connections[1] != NULL)
            s->pairings[left++] = p;
        else
            free_pairing(p);
    }
    s->pairing_count = left;
}

/* Connections that come in this round were not waited for: only those before the wait are looked at. The
 * clock is read again for each of them, so that its bytes are judged by the time at which they are
 * handled. */
void geister_server_round(struct geister_server *s, int ms) {
    assert(ms >= 0);
    int64_t now = now_of(s);
    const int wait = prepare_poll(s, now, ms), polled = s->connection_count;
    if (poll(s->polled, (nfds_t)(LISTENERS + 1 + polled), wait) > 0) {
        char bytes[64];
        for (int i = 0; i < polled; i++) {
            struct connection *c = s->connections[i];
            const short events = s->polled[LISTENERS + 1 + i].revents;
            now = now_of(s);
            if (c->fd >= 0 && (events & POLLOUT) != 0)
                flush(c, now);
            if (c->fd < 0 || (events & ~POLLOUT) == 0)
                continue;
            if (c->is_viewer)
                viewer_receive(s, c, now);
            else
                player_receive(s, c, now);
        }
        if (s->polled[LISTENERS].revents != 0) {
            while (read(s->wake[0], bytes, sizeof bytes) > 0)
                continue;
            for (int i = 0; i < s->pairing_count; i++)
                seat_receive(s, s->pairings[i], now_of(s));
        }
        now = now_of(s);
        for (int i = 0; i < LISTENERS; i++)
            if (s->polled[i].revents != 0)
                accept_all(s, i, now);
    }
    now = now_of(s);
    apply_time_limits(s, now);
    update_viewers(s, now);
    sweep(s);
}

/* Counts are made on demand: the loop needs none of them, and the command line asks a few times a second. */
void geister_server_look(const struct geister_server *s, struct geister_server_state *out) {
    *out = (struct geister_server_state){.ports = {s->ports[0], s->ports[1]},
                                         .viewer_port = s->listeners[VIEWERS] < 0 ? -1 : s->ports[VIEWERS],
                                         .waiting = waiting_count(s),
                                         .running = (int)(s->started - s->finished),
                                         .viewers = count_connections(s, true, NULL),
                                         .connections = s->connection_count,
                                         .started = s->started,
                                         .finished = s->finished,
                                         .turned_away = s->turned_away};
}

/* ---- opening and closing ---- */

/* The pipe does not block: a thread that finds it full has nothing to add, the loop is awake. */
static bool open_pipe_and_ports(struct geister_server *s, struct err *e) {
    if (!link_open_pipe(s->wake))
        return err_set(e, "no pipe: %s", strerror(errno));
    for (int i = 0; i < LISTENERS; i++) {
        s->ports[i] = i == VIEWERS ? s->service.viewer_port : s->service.ports[i];
        s->listeners[i] = -1;
        if (s->ports[i] < 0)
            continue;
        for (int j = 0; j < i; j++)
            if (s->ports[i] != 0 && s->ports[i] == s->ports[j])
                return err_set(e, "port %d is wanted twice", s->ports[i]);
        s->listeners[i] = link_listener(s->service.address, &s->ports[i], e);
        if (s->listeners[i] < 0)
            return false;
    }
    return true;
}

/* On failure everything that was opened is closed again, except ports, which belong to src/link. */
struct geister_server *geister_server_open(const struct geister_service *service, struct err *e) {
    assert(service->clock != NULL);
    assert(service->player == NULL || service->player_side == 0 || service->player_side == 1);
    struct geister_server *s = mem_alloc(sizeof *s);
    s->service = *service;
    if (open_pipe_and_ports(s, e))
        return s;
    geister_server_close(s);
    return NULL;
}

/* Games that were stopped are reported like finished ones: their logs are written. */
void geister_server_stop(struct geister_server *s) {
    const int64_t now = now_of(s);
    for (int i = 0; i < s->pairing_count; i++) {
        struct pairing *p = s->pairings[i];
        geister_session_stop(&p->session, "", now);
        if (is_running(p))
            finish_game(s, p, now);
    }
}

/* Waits for the searches of our own players: their threads use the server's memory. */
void geister_server_close(struct geister_server *s) {
    if (s == NULL)
        return;
    geister_server_stop(s);
    for (int i = 0; i < s->connection_count; i++)
        close_connection(s->connections[i]);
    sweep(s);
    for (int i = 0; i < s->pairing_count; i++)
        free_pairing(s->pairings[i]);
    while (atomic_load(&s->seats) > 0)
        link_nap(1);
    link_close_pipe(s->wake);
    mem_free(s->connections);
    mem_free(s->pairings);
    mem_free(s->polled);
    mem_free(s);
}
