/* SPDX-License-Identifier: MIT
 *
 * One round: wait, read what came, let time act on games and connections, tell viewers, sweep. A connection
 * that is closed in a round stays in the lists until the sweep at its end, so that pointers hold meanwhile.
 */
#include "net/geister_server_inside.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LISTENERS = 3, VIEWERS = 2 /* their listener */, ACCEPTS_MAX = 64 /* a round */ };

static const int64_t no_descriptors_ns = 100000000;

/* ---- games ---- */

static struct geister_match *match_open(struct geister_server *s) {
    if (s->match_count == s->matches_capacity) {
        const int capacity = s->matches_capacity > 0 ? 2 * s->matches_capacity : 16;
        void *grown = mem_resize(s->matches, (size_t)capacity * sizeof(struct geister_match *));
        if (grown == NULL)
            return NULL;
        s->matches = grown;
        s->matches_capacity = capacity;
    }
    struct geister_match *match = mem_alloc(sizeof *match);
    if (match == NULL)
        return NULL;
    geister_table_start(&match->table, &s->service.terms);
    match->seen_changes = match->table.changes;
    s->matches[s->match_count++] = match;
    return match;
}

static void match_free(struct geister_match *match) {
    geister_seat_close(match->seat);
    geister_table_done(&match->table);
    mem_free(match);
}

/* Our player may be in the middle of a search: nobody waits for its end. */
static void dismiss_seat(struct geister_server *s, struct geister_match *match) {
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

/* The game is over: whoever keeps games is told, and clients get time to close their connections. */
static void tell_end(struct geister_server *s, struct geister_match *match, int64_t now_ns) {
    match->told = true;
    dismiss_seat(s, match);
    s->finished++;
    for (int side = 0; side < 2; side++) {
        struct geister_wire *wire = match->wires[side];
        if (wire == NULL)
            continue;
        if (match->table.cut)
            geister_wire_end(wire, now_ns);
        else
            wire->until_ns = now_ns + s->service.linger_ns;
    }
    geister_view_keep(s, match, now_ns);
    const struct geister_finished game = {match->number, &match->table, {match->names[0], match->names[1]}};
    if (s->service.finished != NULL)
        s->service.finished(s->service.context, &game);
}

/* Sends what the table says, to the side first that it happened to. */
static void pass_on(struct geister_match *match, int first, int64_t now_ns) {
    for (int i = 0; i < 2; i++) {
        const int side = first ^ i;
        struct geister_say *said = &match->table.say[side];
        if (match->wires[side] != NULL) {
            geister_wire_say(match->wires[side], said->bytes, said->size);
            geister_wire_flush(match->wires[side], now_ns);
        }
        said->size = 0;
    }
}

/* Something happened at the table. */
static void settle(struct geister_server *s, struct geister_match *match, int first, int64_t now_ns) {
    struct geister_table *t = &match->table;
    pass_on(match, first, now_ns);
    for (int side = 0; side < 2; side++)
        if (match->wires[side] != NULL && geister_wire_waiting(match->wires[side]) > GEISTER_OUT_MAX) {
            geister_table_blame(t, side, PLAYER_FAULT_PROTOCOL, "it does not read what it is told", now_ns);
            pass_on(match, side ^ 1, now_ns);
            geister_wire_close(match->wires[side]);
        }
    if (t->changes != match->seen_changes) {
        match->seen_changes = t->changes;
        match->changed = ++s->changes;
    }
    if (geister_table_is_over(t) && !match->told && match->number > 0)
        tell_end(s, match, now_ns);
    if (match->seat != NULL)
        geister_seat_ask(match->seat, t, now_ns);
}

/* A client is gone. In a game its opponent wins; after it, the other connection has no more use, too; before
 * it, nothing has happened. */
static void lose(struct geister_server *s, struct geister_wire *wire, int64_t now_ns) {
    struct geister_match *match = wire->match;
    struct geister_wire *other = match->wires[wire->side ^ 1];
    geister_wire_close(wire);
    if (match->told) {
        if (other != NULL)
            geister_wire_end(other, now_ns);
        return;
    }
    geister_table_leave(&match->table, wire->side, now_ns);
    if (match->number > 0)
        settle(s, match, wire->side ^ 1, now_ns);
}

static void hear(struct geister_server *s, struct geister_match *match, int side, const char *bytes,
                 size_t size, int64_t now_ns) {
    while (size > 0 && !geister_table_is_over(&match->table)) {
        const size_t taken = geister_table_receive(&match->table, side, bytes, size, now_ns);
        bytes += taken;
        size -= taken;
        settle(s, match, side, now_ns);
    }
    /* Who waits for an opponent and cannot behave waits no longer. */
    if (geister_table_is_over(&match->table) && match->number == 0 && match->wires[side] != NULL)
        geister_wire_end(match->wires[side], now_ns);
}

static void player_receive(struct geister_server *s, struct geister_wire *wire, int64_t now_ns) {
    char bytes[GEISTER_CHUNK];
    const int n = geister_wire_read(wire, bytes, sizeof bytes);
    if (n < 0)
        lose(s, wire, now_ns);
    else if (n > 0)
        hear(s, wire->match, wire->side, bytes, (size_t)n, now_ns);
}

/* It was neither the player's fault nor the client's: nobody wins. */
static void stop_short(struct geister_table *t, const char *reason, int64_t now_ns) {
    snprintf(t->reason, sizeof t->reason, "stopped: %.200s", reason);
    t->cut = true;
    geister_table_stop(t, now_ns);
}

/* Our own player has answered. */
static void seat_receive(struct geister_server *s, struct geister_match *match, int64_t now_ns) {
    const int side = s->service.player_side;
    struct answer answer;
    char line[GEISTER_LINE_MAX];
    if (match->seat == NULL || !geister_seat_answer(match->seat, &match->table, &answer, line))
        return;
    if (answer.fault == PLAYER_FAULT_NONE) {
        hear(s, match, side, line, strlen(line), now_ns);
        return;
    }
    if (answer.fault == PLAYER_SHORTAGE)
        stop_short(&match->table, answer.reason, now_ns);
    else
        geister_table_blame(&match->table, side, answer.fault, answer.reason, now_ns);
    settle(s, match, side, now_ns);
}

/* ---- pairing ---- */

static bool is_full(const struct geister_server *s) {
    return s->service.games_max > 0 && s->started >= (uint64_t)s->service.games_max;
}

/* The last game has begun: who still waits for an opponent waits in vain. */
static void dismiss_waiting(struct geister_server *s, int64_t now_ns) {
    for (int i = 0; i < s->match_count; i++)
        for (int side = 0; side < 2; side++) {
            struct geister_wire *wire = s->matches[i]->wires[side];
            if (s->matches[i]->number > 0 || wire == NULL || wire->fd < 0 || wire->ending)
                continue;
            geister_wire_end(wire, now_ns);
            s->turned_away++;
        }
}

static int waiting_count(const struct geister_server *s) {
    int count = 0;
    for (int i = 0; i < s->match_count; i++)
        count += s->matches[i]->number == 0 && !geister_table_is_over(&s->matches[i]->table);
    return count;
}

/* The client of the other side that has waited longest, and is still there. */
static struct geister_match *match_for(struct geister_server *s, int side) {
    for (int i = 0; i < s->match_count; i++) {
        struct geister_match *match = s->matches[i];
        const struct geister_wire *other = match->wires[side ^ 1];
        if (match->number == 0 && !match->table.here[side] && other != NULL && other->fd >= 0 &&
            !geister_table_is_over(&match->table))
            return match;
    }
    return waiting_count(s) < s->service.waiting_max ? match_open(s) : NULL;
}

static bool seat_own(struct geister_server *s, struct geister_match *match, int64_t now_ns) {
    struct err e;
    const struct geister_seat_terms terms = {.spec = s->service.player,
                                             .grant = s->service.grant,
                                             .side = s->service.player_side,
                                             .seed = rng_job_seed(s->service.seed, s->started),
                                             .wake = s->wake[1],
                                             .clock = s->service.clock};
    match->seat = geister_seat_open(&terms, &e);
    if (match->seat == NULL)
        return false;
    snprintf(match->names[terms.side], sizeof match->names[0], "%s", terms.spec);
    geister_table_join(&match->table, terms.side, now_ns);
    match->table.say[terms.side].size = 0; /* it is asked otherwise */
    return true;
}

/* A client has come: it takes a seat, or not. */
static bool seat_client(struct geister_server *s, struct geister_wire *wire, int side, int64_t now_ns) {
    struct geister_match *match = is_full(s) ? NULL : match_for(s, side);
    if (match == NULL)
        return false;
    wire->match = match;
    wire->side = side;
    match->wires[side] = wire;
    snprintf(match->names[side], sizeof match->names[side], "%s", wire->name);
    geister_table_join(&match->table, side, now_ns);
    if (s->service.player != NULL && !seat_own(s, match, now_ns))
        return false;
    if (match->table.here[0] && match->table.here[1])
        match->number = (int)++s->started;
    settle(s, match, side, now_ns);
    if (is_full(s))
        dismiss_waiting(s, now_ns);
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
    const int wires = geister_wires_of_kind(s, true) + geister_wires_of_kind(s, false);
    if (wires >= s->service.wires_max || (limit > 0 && geister_wires_from(s, address, viewer) >= limit))
        return false;
    if (viewer)
        return geister_wires_of_kind(s, true) < GEISTER_VIEWERS_MAX;
    return s->service.player == NULL ||
           (which != s->service.player_side && seats_taken(s) < GEISTER_SEATS_MAX);
}

static void let_in(struct geister_server *s, int which, int fd, const struct link_peer *peer,
                   int64_t now_ns) {
    static const int64_t request_ns = 10000000000;
    struct geister_wire *wire = NULL;
    if (!may_come(s, which, peer->address))
        close(fd);
    else
        wire = geister_wire_open(s, fd, peer, which == VIEWERS ? GEISTER_WIRE_HTTP : GEISTER_WIRE_PLAYER);
    if (wire != NULL && which == VIEWERS) {
        wire->until_ns = now_ns + request_ns;
        return;
    }
    if (wire != NULL && !seat_client(s, wire, which, now_ns)) {
        geister_wire_close(wire);
        wire = NULL;
    }
    s->turned_away += wire == NULL;
}

static void accept_all(struct geister_server *s, int which, int64_t now_ns) {
    struct link_peer peer;
    for (int i = 0; i < ACCEPTS_MAX; i++) {
        const int fd = link_take(s->listeners[which], &peer);
        if (fd >= 0) {
            let_in(s, which, fd, &peer, now_ns);
            continue;
        }
        /* Those who wait stay there until others have left; asking on and on would take all the time. */
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
        const int64_t at = geister_table_due(&s->matches[i]->table);
        due = at < due ? at : due;
    }
    for (int i = 0; i < s->wire_count; i++)
        due = s->wires[i]->until_ns < due ? s->wires[i]->until_ns : due;
    return due;
}

/* Milliseconds until then, rounded up: never a round too early. */
static int wait_until(int64_t due, int64_t now_ns, int ms_max) {
    if (due <= now_ns)
        return 0;
    const int64_t ms = due == INT64_MAX ? ms_max : (due - now_ns + 999999) / 1000000;
    return ms < ms_max ? (int)ms : ms_max;
}

static bool prepare_poll(struct geister_server *s, int64_t now_ns) {
    const int needed = LISTENERS + 1 + s->wire_count;
    if (needed > s->polled_capacity) {
        void *grown = mem_resize(s->polled, 2 * (size_t)needed * sizeof s->polled[0]);
        if (grown == NULL)
            return false;
        s->polled = grown;
        s->polled_capacity = 2 * needed;
    }
    for (int i = 0; i < LISTENERS; i++)
        s->polled[i] =
            (struct pollfd){.fd = now_ns < s->deaf_until_ns ? -1 : s->listeners[i], .events = POLLIN};
    s->polled[LISTENERS] = (struct pollfd){.fd = s->wake[0], .events = POLLIN};
    for (int i = 0; i < s->wire_count; i++) {
        const struct geister_wire *wire = s->wires[i];
        const short out = geister_wire_waiting(wire) > 0 ? POLLOUT : 0;
        s->polled[LISTENERS + 1 + i] = (struct pollfd){.fd = wire->fd, .events = (short)(POLLIN | out)};
    }
    return true;
}

static void read_wires(struct geister_server *s, int count) {
    for (int i = 0; i < count; i++) {
        struct geister_wire *wire = s->wires[i];
        const short events = s->polled[LISTENERS + 1 + i].revents;
        const int64_t now = geister_server_now(s);
        if (wire->fd >= 0 && (events & POLLOUT) != 0)
            geister_wire_flush(wire, now);
        if (wire->fd < 0 || (events & ~POLLOUT) == 0)
            continue;
        if (wire->kind == GEISTER_WIRE_PLAYER)
            player_receive(s, wire, now);
        else
            geister_view_receive(s, wire, now);
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
        if (now_ns >= geister_table_due(&match->table)) {
            geister_table_tick(&match->table, now_ns);
            settle(s, match, 0, now_ns);
        }
    }
    for (int i = 0; i < s->wire_count; i++) {
        struct geister_wire *wire = s->wires[i];
        const bool was_open = wire->fd >= 0;
        geister_wire_tick(wire, now_ns);
        if (was_open && wire->fd < 0 && wire->match != NULL)
            lose(s, wire, now_ns);
    }
}

/* Games whose connections are all gone. */
static void sweep_matches(struct geister_server *s) {
    int kept = 0;
    for (int i = 0; i < s->match_count; i++) {
        struct geister_match *match = s->matches[i];
        const bool running = match->number > 0 && !match->told;
        if (running || match->wires[0] != NULL || match->wires[1] != NULL)
            s->matches[kept++] = match;
        else
            match_free(match);
    }
    s->match_count = kept;
}

void geister_server_round(struct geister_server *s, int ms) {
    int64_t now = geister_server_now(s);
    if (!prepare_poll(s, now)) {
        poll(NULL, 0, ms < 10 ? ms : 10); /* memory is short for a moment */
        return;
    }
    const int polled = s->wire_count;
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
    geister_wires_sweep(s);
    sweep_matches(s);
    sweep_seats(s);
}

void geister_server_look(const struct geister_server *s, struct geister_server_state *out) {
    *out = (struct geister_server_state){.ports = {s->ports[0], s->ports[1]},
                                         .viewer_port = s->listeners[VIEWERS] < 0 ? -1 : s->ports[VIEWERS],
                                         .waiting = waiting_count(s),
                                         .running = (int)(s->started - s->finished),
                                         .viewers = geister_wires_of_kind(s, true),
                                         .wires = s->wire_count,
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
    if (s == NULL) {
        err_set(e, "not enough memory for a server");
        return NULL;
    }
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
        geister_table_stop(&match->table, now);
        if (match->number > 0 && !match->told)
            tell_end(s, match, now);
    }
}

void geister_server_close(struct geister_server *s) {
    if (s == NULL)
        return;
    geister_server_stop(s);
    for (int i = 0; i < s->wire_count; i++)
        geister_wire_close(s->wires[i]);
    geister_wires_sweep(s);
    for (int i = 0; i < s->match_count; i++)
        match_free(s->matches[i]);
    for (int i = 0; i < s->leaving_count; i++)
        geister_seat_close(s->leaving[i]);
    for (int i = 0; i < 2; i++)
        if (s->wake[i] >= 0)
            close(s->wake[i]);
    mem_free(s->wires);
    mem_free(s->matches);
    mem_free(s->polled);
    mem_free(s);
}
