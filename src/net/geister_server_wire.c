/* SPDX-License-Identifier: MIT
 *
 * One connection, from bytes to its end in steps.
 */
#include "net/geister_server_inside.h"

#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#if !defined(MSG_NOSIGNAL)
#define MSG_NOSIGNAL 0 /* then the link layer's SO_NOSIGPIPE does it */
#endif

/* How long the other end may take to close once we have said all. */
static const int64_t drain_ns = 1000000000;

static bool make_room(struct geister_server *s) {
    if (s->wire_count < s->wires_capacity)
        return true;
    const int capacity = s->wires_capacity > 0 ? 2 * s->wires_capacity : 16;
    void *grown = mem_resize(s->wires, (size_t)capacity * sizeof(struct geister_wire *));
    if (grown == NULL)
        return false;
    s->wires = grown;
    s->wires_capacity = capacity;
    return true;
}

struct geister_wire *geister_wire_open(struct geister_server *s, int fd, const struct link_peer *peer,
                                       enum geister_wire_kind kind) {
    struct geister_wire *wire = make_room(s) ? mem_alloc(sizeof *wire) : NULL;
    if (wire != NULL && kind != GEISTER_WIRE_PLAYER) {
        wire->watcher = mem_alloc(sizeof *wire->watcher);
        if (wire->watcher == NULL) {
            mem_free(wire);
            wire = NULL;
        }
    }
    if (wire == NULL) {
        close(fd);
        return NULL;
    }
    wire->fd = fd;
    wire->kind = kind;
    wire->until_ns = INT64_MAX;
    memcpy(wire->address, peer->address, sizeof wire->address);
    snprintf(wire->name, sizeof wire->name, "%s:%d", peer->address, peer->port);
    s->wires[s->wire_count++] = wire;
    return wire;
}

void geister_wire_close(struct geister_wire *wire) {
    if (wire->fd >= 0)
        close(wire->fd);
    wire->fd = -1;
}

size_t geister_wire_waiting(const struct geister_wire *wire) {
    return wire->out.size - wire->sent;
}

void geister_wire_say(struct geister_wire *wire, const char *bytes, size_t size) {
    if (wire->fd < 0 || wire->ending || size == 0)
        return;
    if (wire->sent == wire->out.size) {
        text_clear(&wire->out);
        wire->sent = 0;
    }
    text_add_bytes(&wire->out, bytes, size);
    if (wire->out.failed)
        geister_wire_close(wire);
}

static void shut(struct geister_wire *wire, int64_t now_ns) {
    shutdown(wire->fd, SHUT_WR);
    wire->shut = true;
    wire->until_ns = now_ns + drain_ns;
}

void geister_wire_flush(struct geister_wire *wire, int64_t now_ns) {
    while (wire->fd >= 0 && geister_wire_waiting(wire) > 0) {
        const ssize_t n =
            send(wire->fd, wire->out.data + wire->sent, geister_wire_waiting(wire), MSG_NOSIGNAL);
        if (n > 0)
            wire->sent += (size_t)n;
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return;
        else if (n < 0 && errno != EINTR) {
            /* The other end is gone; reading says so, too, unless nobody will look any more. */
            wire->sent = wire->out.size;
            wire->ending = true;
        }
    }
    if (wire->fd >= 0 && wire->ending && !wire->shut)
        shut(wire, now_ns);
}

void geister_wire_end(struct geister_wire *wire, int64_t now_ns) {
    if (wire->fd < 0 || wire->ending)
        return;
    wire->ending = true;
    wire->until_ns = now_ns + drain_ns; /* to take what is left */
    geister_wire_flush(wire, now_ns);
}

void geister_wire_tick(struct geister_wire *wire, int64_t now_ns) {
    if (wire->fd < 0 || now_ns < wire->until_ns)
        return;
    if (wire->ending)
        geister_wire_close(wire);
    else
        geister_wire_end(wire, now_ns);
}

int geister_wire_read(struct geister_wire *wire, char *out, size_t size) {
    const ssize_t n = recv(wire->fd, out, size, 0);
    if (n > 0)
        return (int)n;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) ? 0 : -1;
}

void geister_wires_sweep(struct geister_server *s) {
    int kept = 0;
    for (int i = 0; i < s->wire_count; i++) {
        struct geister_wire *wire = s->wires[i];
        if (wire->fd >= 0) {
            s->wires[kept++] = wire;
            continue;
        }
        if (wire->match != NULL)
            wire->match->wires[wire->side] = NULL;
        text_done(&wire->out);
        mem_free(wire->watcher);
        mem_free(wire);
    }
    s->wire_count = kept;
}

int geister_wires_of_kind(const struct geister_server *s, bool viewers) {
    int count = 0;
    for (int i = 0; i < s->wire_count; i++)
        count += s->wires[i]->fd >= 0 && (s->wires[i]->kind != GEISTER_WIRE_PLAYER) == viewers;
    return count;
}

int geister_wires_from(const struct geister_server *s, const char *address, bool viewers) {
    int count = 0;
    for (int i = 0; i < s->wire_count; i++)
        count += s->wires[i]->fd >= 0 && (s->wires[i]->kind != GEISTER_WIRE_PLAYER) == viewers &&
                 strcmp(s->wires[i]->address, address) == 0;
    return count;
}
