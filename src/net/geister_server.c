/* SPDX-License-Identifier: MIT
 *
 * The Geister server: connections, our own players, games and the pairing of clients.
 *
 * One round waits, reads what has arrived, applies time limits to games and connections, updates viewers, and
 * frees what was closed. A connection that is closed in a round stays in the lists until the end of the
 * round, so pointers to it stay valid meanwhile.
 */
#include "net/geister_server.h"

#include "base/mem.h"
#include "net/geister_server_private.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- connections ---- */

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 /* then the link layer's SO_NOSIGPIPE does it */
#endif

/* How long the peer may take to close after everything was sent. */
static const int64_t drain_ns = 1000000000;

static struct geister_connection *geister_connection_open(struct geister_server *s, int fd,
                                                          const struct link_peer *peer,
                                                          enum geister_connection_kind kind) {
    assert(fd >= 0);
    struct geister_connection *connection = mem_alloc(sizeof *connection);
    if (kind != GEISTER_CONNECTION_PLAYER)
        connection->watcher = mem_alloc(sizeof *connection->watcher);
    connection->fd = fd;
    connection->kind = kind;
    connection->until_ns = INT64_MAX;
    memcpy(connection->address, peer->address, sizeof connection->address);
    snprintf(connection->name, sizeof connection->name, "%s:%d", peer->address, peer->port);
    s->connections =
        mem_grow(s->connections, &s->connections_capacity, s->connection_count + 1, sizeof s->connections[0]);
    s->connections[s->connection_count++] = connection;
    return connection;
}

void geister_connection_close(struct geister_connection *connection) {
    if (connection->fd >= 0)
        close(connection->fd);
    connection->fd = -1;
}

size_t geister_connection_waiting(const struct geister_connection *connection) {
    assert(connection->sent <= connection->out.size);
    return connection->out.size - connection->sent;
}

void geister_connection_send(struct geister_connection *connection, const char *bytes, size_t size) {
    if (connection->fd < 0 || connection->ending || size == 0)
        return;
    if (connection->sent == connection->out.size) {
        text_clear(&connection->out);
        connection->sent = 0;
    }
    text_add_bytes(&connection->out, bytes, size);
}

static void shut(struct geister_connection *connection, int64_t now_ns) {
    shutdown(connection->fd, SHUT_WR);
    connection->shut = true;
    connection->until_ns = now_ns + drain_ns;
}

void geister_connection_flush(struct geister_connection *connection, int64_t now_ns) {
    while (connection->fd >= 0 && geister_connection_waiting(connection) > 0) {
        const ssize_t n = send(connection->fd, connection->out.data + connection->sent,
                               geister_connection_waiting(connection), MSG_NOSIGNAL);
        if (n > 0)
            connection->sent += (size_t)n;
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        else if (n < 0 && errno != EINTR) {
            /* The peer is gone. A read would report that, too, but an ending connection may not be read any
             * more. */
            connection->sent = connection->out.size;
            connection->ending = true;
        }
    }
    if (connection->fd >= 0 && connection->ending && !connection->shut)
        shut(connection, now_ns);
}

void geister_connection_end(struct geister_connection *connection, int64_t now_ns) {
    if (connection->fd < 0 || connection->ending)
        return;
    connection->ending = true;
    connection->until_ns = now_ns + drain_ns; /* time to send the rest */
    geister_connection_flush(connection, now_ns);
}

static void geister_connection_tick(struct geister_connection *connection, int64_t now_ns) {
    if (connection->fd < 0 || now_ns < connection->until_ns)
        return;
    if (connection->ending)
        geister_connection_close(connection);
    else
        geister_connection_end(connection, now_ns);
}

int geister_connection_read(struct geister_connection *connection, char *out, size_t size) {
    const ssize_t n = recv(connection->fd, out, size, 0);
    if (n > 0)
        return (int)n;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

static void geister_connections_sweep(struct geister_server *s) {
    int kept = 0;
    for (int i = 0; i < s->connection_count; i++) {
        struct geister_connection *connection = s->connections[i];
        if (connection->fd >= 0) {
            s->connections[kept++] = connection;
            continue;
        }
        if (connection->match != NULL)
            connection->match->connections[connection->side] = NULL;
        text_done(&connection->out);
        mem_free(connection->watcher);
        mem_free(connection);
    }
    s->connection_count = kept;
}

/* Open connections of viewers or of players; `address` (may be NULL): only from there. */
static int count_connections(const struct geister_server *s, bool viewers, const char *address) {
    int count = 0;
    for (int i = 0; i < s->connection_count; i++) {
        const struct geister_connection *connection = s->connections[i];
        count += connection->fd >= 0 && (connection->kind != GEISTER_CONNECTION_PLAYER) == viewers &&
                 (address == NULL || strcmp(connection->address, address) == 0);
    }
    return count;
}

/* ---- our own player ----
 *
 * It thinks on a thread of its own, so that other games continue meanwhile. One byte in a pipe reports its
 * answer. */

enum stage { SEAT_IDLE, SEAT_ASKED, SEAT_ANSWERED, SEAT_CLOSING, SEAT_ENDED };

struct geister_seat {
    const struct geister_server *server;
    struct player *player;
    struct rng rng;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t asked;
    enum stage stage;         /* guarded by the lock; decides which thread owns the other members */
    atomic_bool stop;         /* ends a search early */
    struct clocked_game game; /* a copy, for the question */
    struct ask ask;
    struct answer answer;
};

/* ---- the thread ---- */

static void *run(void *context) {
    struct geister_seat *seat = context;
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
    seat->stage = SEAT_ENDED;
    pthread_mutex_unlock(&seat->lock);
    return NULL;
}

/* ---- asking ---- */

/* While both sides choose their reds, all choices of the first look the same to the second: any is used. */
static void fill_ask(struct geister_seat *seat, const struct geister_session *t, int64_t now_ns) {
    const bool moving = t->phase == GEISTER_PHASE_MOVING;
    seat->game = t->game;
    seat->game.referee.record = NULL;
    if (!moving && seat->server->service.player_side == 1 && !t->has_set[0])
        clocked_game_play(&seat->game, geister_setup(geister_setup_reds(0)), RECORD_NO_TIME, NULL);
    clocked_game_ask(&seat->game, moving ? t->game.asked_ns : now_ns, &seat->ask);
    if (!moving) {
        const int64_t limit = t->terms->setup_ns;
        seat->ask.time = (struct ask_time){.limit_ns = limit, .share_ns = limit / 2};
        seat->ask.budget.deadline_ns = limit > 0 ? now_ns + limit / 2 : 0;
    }
    seat->ask.rng = &seat->rng;
    seat->ask.budget.clock = seat->server->service.clock;
    seat->ask.budget.stop = &seat->stop;
}

static void geister_seat_ask(struct geister_seat *seat, const struct geister_session *t, int64_t now_ns) {
    const int side = seat->server->service.player_side;
    pthread_mutex_lock(&seat->lock);
    if (seat->stage == SEAT_IDLE &&
        (t->phase == GEISTER_PHASE_SETTING ? !t->has_set[side] : geister_session_asked(t) == side)) {
        fill_ask(seat, t, now_ns);
        seat->stage = SEAT_ASKED;
        pthread_cond_signal(&seat->asked);
    }
    pthread_mutex_unlock(&seat->lock);
}

static bool geister_seat_answer(struct geister_seat *seat, struct answer *answer) {
    pthread_mutex_lock(&seat->lock);
    const bool answered = seat->stage == SEAT_ANSWERED;
    if (answered) {
        *answer = seat->answer;
        seat->stage = SEAT_IDLE;
    }
    pthread_mutex_unlock(&seat->lock);
    return answered;
}

/* ---- opening and closing ---- */

static struct geister_seat *geister_seat_open(const struct geister_server *s) {
    struct geister_seat *seat = mem_alloc(sizeof *seat);
    seat->server = s;
    rng_seed(&seat->rng, rng_job_seed(s->service.seed, s->started));
    seat->player = player_open_granted(s->service.player, &geister_game, s->service.grant, NULL);
    pthread_mutex_init(&seat->lock, NULL);
    pthread_cond_init(&seat->asked, NULL);
    if (seat->player != NULL && pthread_create(&seat->thread, NULL, run, seat) == 0)
        return seat;
    player_close(seat->player);
    pthread_cond_destroy(&seat->asked);
    pthread_mutex_destroy(&seat->lock);
    mem_free(seat);
    return NULL;
}

static void geister_seat_end(struct geister_seat *seat) {
    atomic_store(&seat->stop, true);
    pthread_mutex_lock(&seat->lock);
    if (seat->stage != SEAT_ENDED)
        seat->stage = SEAT_CLOSING;
    pthread_cond_signal(&seat->asked);
    pthread_mutex_unlock(&seat->lock);
}

static bool geister_seat_has_ended(struct geister_seat *seat) {
    pthread_mutex_lock(&seat->lock);
    const bool ended = seat->stage == SEAT_ENDED;
    pthread_mutex_unlock(&seat->lock);
    return ended;
}

static void geister_seat_close(struct geister_seat *seat) {
    if (seat == NULL)
        return;
    geister_seat_end(seat);
    pthread_join(seat->thread, NULL);
    player_close(seat->player);
    pthread_cond_destroy(&seat->asked);
    pthread_mutex_destroy(&seat->lock);
    mem_free(seat);
}

enum { LISTENERS = 3, VIEWERS = 2 /* their listener */, ACCEPTS_MAX = 64 /* a round */ };

static const int64_t no_descriptors_ns = 100000000;

/* ---- games ---- */

static struct geister_match *match_open(struct geister_server *s) {
    struct geister_match *match = mem_alloc(sizeof *match);
    geister_session_start(&match->session, &s->service.terms);
    match->seen_changes = match->session.changes;
    s->matches = mem_grow(s->matches, &s->matches_capacity, s->match_count + 1, sizeof s->matches[0]);
    s->matches[s->match_count++] = match;
    return match;
}

static void match_free(struct geister_match *match) {
    geister_seat_close(match->seat);
    geister_session_done(&match->session);
    mem_free(match);
}

/* The player may be searching: the server does not wait for the end of the search. */
static void release_seat(struct geister_server *s, struct geister_match *match) {
    assert(s->leaving_count < GEISTER_SEATS_MAX || match->seat == NULL);
    if (match->seat == NULL)
        return;
    geister_seat_end(match->seat);
    s->leaving[s->leaving_count++] = match->seat;
    match->seat = NULL;
}

static void sweep_seats(struct geister_server *s) {
    int kept = 0;
    for (int i = 0; i < s->leaving_count; i++)
        if (geister_seat_has_ended(s->leaving[i]))
            geister_seat_close(s->leaving[i]);
        else
            s->leaving[kept++] = s->leaving[i];
    s->leaving_count = kept;
}

/* Reports a finished game, and gives clients time to close their connections. */
static void finish_match(struct geister_server *s, struct geister_match *match, int64_t now_ns) {
    match->told = true;
    release_seat(s, match);
    s->finished++;
    for (int side = 0; side < 2; side++) {
        struct geister_connection *connection = match->connections[side];
        if (connection == NULL)
            continue;
        if (match->session.cut)
            geister_connection_end(connection, now_ns);
        else
            connection->until_ns = now_ns + s->service.linger_ns;
    }
    geister_view_keep(s, match, now_ns);
    const struct geister_finished game = {match->number, &match->session, {match->names[0], match->names[1]}};
    if (s->service.finished != NULL)
        s->service.finished(s->service.context, &game);
}

/* Sends the session's output, first to the side that caused it. */
static void pass_on(struct geister_match *match, int first, int64_t now_ns) {
    for (int i = 0; i < 2; i++) {
        const int side = first ^ i;
        struct geister_out_queue *said = &match->session.out[side];
        if (match->connections[side] != NULL) {
            geister_connection_send(match->connections[side], said->bytes, said->size);
            geister_connection_flush(match->connections[side], now_ns);
        }
        said->size = 0;
    }
}

/* Called after every change of a session. */
static void after_change(struct geister_server *s, struct geister_match *match, int first, int64_t now_ns) {
    struct geister_session *t = &match->session;
    pass_on(match, first, now_ns);
    if (t->changes != match->seen_changes) {
        match->seen_changes = t->changes;
        match->changed = ++s->changes;
    }
    if (geister_session_is_over(t) && !match->told && match->number > 0)
        finish_match(s, match, now_ns);
    if (match->seat != NULL)
        geister_seat_ask(match->seat, t, now_ns);
}

/* A client has disconnected. During a game its opponent wins; after a game the other connection is ended,
 * too; before a game nothing else happens. */
static void lose(struct geister_server *s, struct geister_connection *connection, int64_t now_ns) {
    struct geister_match *match = connection->match;
    struct geister_connection *other = match->connections[connection->side ^ 1];
    geister_connection_close(connection);
    if (match->told) {
        if (other != NULL)
            geister_connection_end(other, now_ns);
        return;
    }
    geister_session_leave(&match->session, connection->side, now_ns);
    if (match->number > 0)
        after_change(s, match, connection->side ^ 1, now_ns);
}

static void receive_lines(struct geister_server *s, struct geister_match *match, int side, const char *bytes,
                          size_t size, int64_t now_ns) {
    while (size > 0 && !geister_session_is_over(&match->session)) {
        const size_t taken = geister_session_receive(&match->session, side, bytes, size, now_ns);
        bytes += taken;
        size -= taken;
        after_change(s, match, side, now_ns);
    }
    /* A client that misbehaves while it waits for an opponent is disconnected. */
    if (geister_session_is_over(&match->session) && match->number == 0 && match->connections[side] != NULL)
        geister_connection_end(match->connections[side], now_ns);
}

static void player_receive(struct geister_server *s, struct geister_connection *connection, int64_t now_ns) {
    char bytes[GEISTER_CHUNK];
    const int n = geister_connection_read(connection, bytes, sizeof bytes);
    if (n < 0)
        lose(s, connection, now_ns);
    else if (n > 0)
        receive_lines(s, connection->match, connection->side, bytes, (size_t)n, now_ns);
}

/* Our own player has answered. A shortage is neither side's fault: the game ends without a winner. */
static void seat_receive(struct geister_server *s, struct geister_match *match, int64_t now_ns) {
    const int side = s->service.player_side;
    struct geister_session *t = &match->session;
    struct answer answer;
    if (match->seat == NULL || !geister_seat_answer(match->seat, &answer))
        return;
    if (answer.fault == PLAYER_SHORTAGE) {
        char reason[PLAYER_REASON_MAX];
        snprintf(reason, sizeof reason, "stopped: %.200s", answer.reason);
        t->cut = true;
        geister_session_stop(t, reason, now_ns);
    } else if (answer.fault != PLAYER_FAULT_NONE) {
        geister_session_blame(t, side, answer.fault, answer.reason, now_ns);
    } else {
        geister_session_answer(t, side, answer.chosen, now_ns);
    }
    after_change(s, match, side, now_ns);
}

/* ---- pairing ---- */

static bool is_full(const struct geister_server *s) {
    return s->service.games_max > 0 && s->started >= (uint64_t)s->service.games_max;
}

/* The last game has begun: disconnects clients that still wait for an opponent. */
static void turn_away_waiting(struct geister_server *s, int64_t now_ns) {
    for (int i = 0; i < s->match_count; i++)
        for (int side = 0; side < 2; side++) {
            struct geister_connection *connection = s->matches[i]->connections[side];
            if (s->matches[i]->number > 0 || connection == NULL || connection->fd < 0 || connection->ending)
                continue;
            geister_connection_end(connection, now_ns);
            s->turned_away++;
        }
}

static int waiting_count(const struct geister_server *s) {
    int count = 0;
    for (int i = 0; i < s->match_count; i++)
        count += s->matches[i]->number == 0 && !geister_session_is_over(&s->matches[i]->session);
    return count;
}

/* The client of the other side that has waited longest, and is still there. */
static struct geister_match *match_for(struct geister_server *s, int side) {
    for (int i = 0; i < s->match_count; i++) {
        struct geister_match *match = s->matches[i];
        const struct geister_connection *other = match->connections[side ^ 1];
        if (match->number == 0 && !match->session.here[side] && other != NULL && other->fd >= 0 &&
            !geister_session_is_over(&match->session))
            return match;
    }
    return waiting_count(s) < s->service.waiting_max ? match_open(s) : NULL;
}

static bool seat_own(struct geister_server *s, struct geister_match *match, int64_t now_ns) {
    const int side = s->service.player_side;
    match->seat = geister_seat_open(s);
    if (match->seat == NULL)
        return false;
    snprintf(match->names[side], sizeof match->names[side], "%s", s->service.player);
    geister_session_join(&match->session, side, now_ns);
    match->session.out[side].size = 0; /* our player is asked through its seat */
    return true;
}

/* A client has come: it takes a seat, or not. */
static bool seat_client(struct geister_server *s, struct geister_connection *connection, int side,
                        int64_t now_ns) {
    struct geister_match *match = is_full(s) ? NULL : match_for(s, side);
    if (match == NULL)
        return false;
    connection->match = match;
    connection->side = side;
    match->connections[side] = connection;
    snprintf(match->names[side], sizeof match->names[side], "%s", connection->name);
    geister_session_join(&match->session, side, now_ns);
    if (s->service.player != NULL && !seat_own(s, match, now_ns))
        return false;
    if (match->session.here[0] && match->session.here[1])
        match->number = (int)++s->started;
    after_change(s, match, side, now_ns);
    if (is_full(s))
        turn_away_waiting(s, now_ns);
    return true;
}

static int seats_taken(const struct geister_server *s) {
    int count = s->leaving_count;
    for (int i = 0; i < s->match_count; i++)
        count += s->matches[i]->seat != NULL;
    return count;
}

/* Is there room for one more on that port? */
static bool may_come(const struct geister_server *s, int which, const char *address) {
    const bool viewer = which == VIEWERS;
    const int limit = s->service.address_max;
    const int wires = count_connections(s, true, NULL) + count_connections(s, false, NULL);
    if (wires >= s->service.connections_max || (limit > 0 && count_connections(s, viewer, address) >= limit))
        return false;
    if (viewer)
        return count_connections(s, true, NULL) < GEISTER_VIEWERS_MAX;
    return s->service.player == NULL ||
           (which != s->service.player_side && seats_taken(s) < GEISTER_SEATS_MAX);
}

static void let_in(struct geister_server *s, int which, int fd, const struct link_peer *peer,
                   int64_t now_ns) {
    static const int64_t request_ns = 10000000000;
    struct geister_connection *connection = NULL;
    if (!may_come(s, which, peer->address))
        close(fd);
    else
        connection = geister_connection_open(
            s, fd, peer, which == VIEWERS ? GEISTER_CONNECTION_HTTP : GEISTER_CONNECTION_PLAYER);
    if (connection != NULL && which == VIEWERS) {
        connection->until_ns = now_ns + request_ns;
        return;
    }
    if (connection != NULL && !seat_client(s, connection, which, now_ns)) {
        geister_connection_close(connection);
        connection = NULL;
    }
    s->turned_away += connection == NULL;
}

static void accept_all(struct geister_server *s, int which, int64_t now_ns) {
    struct link_peer peer;
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        const int fd = link_take(s->listeners[which], &peer);
        if (fd >= 0) {
            let_in(s, which, fd, &peer, now_ns);
            continue;
        }
        /* Pending connections wait until descriptors are free; polling for them would use all the time. */
        if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)
            s->deaf_until_ns = now_ns + no_descriptors_ns;
        if (errno != ECONNABORTED && errno != EINTR)
            return;
    }
}

/* ---- a round ---- */

static int64_t next_due(const struct geister_server *s) {
    int64_t due = geister_view_due(s);
    for (int i = 0; i < s->match_count; i++) {
        const int64_t at = geister_session_due(&s->matches[i]->session);
        due = at < due ? at : due;
    }
    for (int i = 0; i < s->connection_count; i++)
        due = s->connections[i]->until_ns < due ? s->connections[i]->until_ns : due;
    return due;
}

/* Milliseconds until then, rounded up: never a round too early. */
static int wait_until(int64_t due, int64_t now_ns, int ms_max) {
    if (due <= now_ns)
        return 0;
    const int64_t ms = due == INT64_MAX ? ms_max : (due - now_ns + 999999) / 1000000;
    return ms < ms_max ? (int)ms : ms_max;
}

static void prepare_poll(struct geister_server *s, int64_t now_ns) {
    const int needed = LISTENERS + 1 + s->connection_count;
    s->polled = mem_grow(s->polled, &s->polled_capacity, needed, sizeof s->polled[0]);
    for (int i = 0; i < LISTENERS; i++)
        s->polled[i] =
            (struct pollfd){.fd = now_ns < s->deaf_until_ns ? -1 : s->listeners[i], .events = POLLIN};
    s->polled[LISTENERS] = (struct pollfd){.fd = s->wake[0], .events = POLLIN};
    for (int i = 0; i < s->connection_count; i++) {
        const struct geister_connection *connection = s->connections[i];
        const short out = geister_connection_waiting(connection) > 0 ? POLLOUT : 0;
        s->polled[LISTENERS + 1 + i] = (struct pollfd){.fd = connection->fd, .events = (short)(POLLIN | out)};
    }
}

static void read_wires(struct geister_server *s, int count) {
    for (int i = 0; i < count; i++) {
        struct geister_connection *connection = s->connections[i];
        const short events = s->polled[LISTENERS + 1 + i].revents;
        const int64_t now = geister_server_now(s);
        if (connection->fd >= 0 && (events & POLLOUT) != 0)
            geister_connection_flush(connection, now);
        if (connection->fd < 0 || (events & ~POLLOUT) == 0)
            continue;
        if (connection->kind == GEISTER_CONNECTION_PLAYER)
            player_receive(s, connection, now);
        else
            geister_view_receive(s, connection, now);
    }
}

static void read_seats(struct geister_server *s) {
    char bytes[64];
    while (read(s->wake[0], bytes, sizeof bytes) > 0)
        continue;
    for (int i = 0; i < s->match_count; i++)
        seat_receive(s, s->matches[i], geister_server_now(s));
}

static void let_time_pass(struct geister_server *s, int64_t now_ns) {
    for (int i = 0; i < s->match_count; i++) {
        struct geister_match *match = s->matches[i];
        if (now_ns >= geister_session_due(&match->session)) {
            geister_session_tick(&match->session, now_ns);
            after_change(s, match, 0, now_ns);
        }
    }
    for (int i = 0; i < s->connection_count; i++) {
        struct geister_connection *connection = s->connections[i];
        const bool was_open = connection->fd >= 0;
        geister_connection_tick(connection, now_ns);
        if (was_open && connection->fd < 0 && connection->match != NULL)
            lose(s, connection, now_ns);
    }
}

/* Frees games that have no connections left. */
static void sweep_matches(struct geister_server *s) {
    int kept = 0;
    for (int i = 0; i < s->match_count; i++) {
        struct geister_match *match = s->matches[i];
        const bool running = match->number > 0 && !match->told;
        if (running || match->connections[0] != NULL || match->connections[1] != NULL)
            s->matches[kept++] = match;
        else
            match_free(match);
    }
    s->match_count = kept;
}

void geister_server_round(struct geister_server *s, int ms) {
    int64_t now = geister_server_now(s);
    prepare_poll(s, now);
    const int polled = s->connection_count;
    const int wait = wait_until(next_due(s), now, now < s->deaf_until_ns && ms > 100 ? 100 : ms);
    const int ready = poll(s->polled, (nfds_t)(LISTENERS + 1 + polled), wait);
    if (ready > 0) {
        read_wires(s, polled);
        if (s->polled[LISTENERS].revents != 0)
            read_seats(s);
        now = geister_server_now(s);
        for (int i = 0; i < LISTENERS; i++)
            if (s->polled[i].revents != 0)
                accept_all(s, i, now);
    }
    now = geister_server_now(s);
    let_time_pass(s, now);
    geister_view_update(s, now);
    geister_connections_sweep(s);
    sweep_matches(s);
    sweep_seats(s);
}

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

static bool open_pipe(struct geister_server *s, struct err *e) {
    if (pipe(s->wake) != 0) {
        s->wake[0] = s->wake[1] = -1;
        return err_set(e, "no pipe: %s", strerror(errno));
    }
    for (int i = 0; i < 2; i++) {
        fcntl(s->wake[i], F_SETFD, FD_CLOEXEC);
        fcntl(s->wake[i], F_SETFL, O_NONBLOCK);
    }
    return true;
}

static bool open_ports(struct geister_server *s, struct err *e) {
    s->ports[0] = s->service.ports[0];
    s->ports[1] = s->service.ports[1];
    s->ports[VIEWERS] = s->service.viewer_port;
    for (int i = 0; i < LISTENERS; i++) {
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

struct geister_server *geister_server_open(const struct geister_service *service, struct err *e) {
    struct geister_server *s = mem_alloc(sizeof *s);
    s->service = *service;
    s->wake[0] = s->wake[1] = -1;
    geister_view_start(s);
    if (open_pipe(s, e) && open_ports(s, e))
        return s;
    geister_server_close(s);
    return NULL;
}

void geister_server_stop(struct geister_server *s) {
    const int64_t now = geister_server_now(s);
    for (int i = 0; i < s->match_count; i++) {
        struct geister_match *match = s->matches[i];
        geister_session_stop(&match->session, "", now);
        if (match->number > 0 && !match->told)
            finish_match(s, match, now);
    }
}

void geister_server_close(struct geister_server *s) {
    if (s == NULL)
        return;
    geister_server_stop(s);
    for (int i = 0; i < s->connection_count; i++)
        geister_connection_close(s->connections[i]);
    geister_connections_sweep(s);
    for (int i = 0; i < s->match_count; i++)
        match_free(s->matches[i]);
    for (int i = 0; i < s->leaving_count; i++)
        geister_seat_close(s->leaving[i]);
    for (int i = 0; i < 2; i++)
        if (s->wake[i] >= 0)
            close(s->wake[i]);
    mem_free(s->connections);
    mem_free(s->matches);
    mem_free(s->polled);
    mem_free(s);
}
