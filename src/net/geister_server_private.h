/* SPDX-License-Identifier: MIT
 *
 * Private to the Geister server: types shared by geister_server.c and geister_server_view.c.
 */
#ifndef NET_GEISTER_SERVER_PRIVATE_H
#define NET_GEISTER_SERVER_PRIVATE_H

#include "link/link.h"
#include "net/geister_server.h"
#include "net/geister_session.h"
#include "net/http.h"

enum {
    GEISTER_NAME_MAX = 80,
    GEISTER_CHUNK = 2048, /* bytes of one connection that are read in one round */
    GEISTER_TOKEN_MAX = 128,
};

enum geister_connection_kind {
    GEISTER_CONNECTION_PLAYER,
    GEISTER_CONNECTION_HTTP,
    GEISTER_CONNECTION_VIEWER
};

/* Data of viewers only. */
struct geister_watcher {
    char in[HTTP_HEAD_MAX];
    size_t in_size;
    struct websocket_reader reader;
    int number; /* of the game; 0: the latest */
    bool all;   /* colours that are not public, too */
    char sent[GEISTER_SPECTATOR_VIEW_MAX];
    int64_t next_ns; /* when it is sent again */
};

/* One connection. It ends in steps: everything is sent, our side is shut down, the peer closes (or the time
 * limit passes). Closing at once with unread bytes would discard what was sent last. */
struct geister_connection {
    int fd; /* -1: closed, to be swept */
    enum geister_connection_kind kind;
    char address[64], name[GEISTER_NAME_MAX];
    struct text out;             /* a player's is bounded: a game has few lines, a viewer's by BACKLOG_MAX */
    size_t sent;                 /* of it */
    bool ending;                 /* nothing more will be queued */
    bool shut;                   /* our side was shut down */
    int64_t until_ns;            /* the next step is taken then in any case; INT64_MAX: never */
    struct geister_match *match; /* a player's */
    int side;
    struct geister_watcher *watcher; /* a viewer's */
};

/* One game, or a client that waits for one. */
struct geister_match {
    struct geister_session session;
    int number; /* 0 until both sides are present */
    struct geister_connection *connections[2];
    struct geister_seat *seat; /* our own player, if one plays */
    char names[2][GEISTER_NAME_MAX];
    bool told;                      /* its end */
    uint64_t seen_changes, changed; /* when it last changed, counted in changes of all games */
};

struct geister_finished_game {
    int number, plies, winner;
    char result[64];
    char names[2][GEISTER_NAME_MAX];
    char shown[GEISTER_SPECTATOR_VIEW_MAX];
};

struct geister_server {
    struct geister_service service;
    char token[GEISTER_TOKEN_MAX]; /* padded with zeros */
    int listeners[3];              /* first, second, viewers; -1: none */
    int ports[3];
    int wake[2];           /* a pipe: our own players have answered */
    int64_t deaf_until_ns; /* until then no connection is accepted: there were no descriptors left */
    struct geister_connection **connections;
    int connection_count, connections_capacity;
    struct geister_match **matches; /* those that wait first in the order of their coming */
    int match_count, matches_capacity;
    struct geister_seat *leaving[GEISTER_SEATS_MAX]; /* released; their searches have not ended yet */
    int leaving_count;
    uint64_t started, finished, turned_away, changes;
    struct pollfd *polled;
    int polled_capacity;

    struct geister_match *stage; /* the source of the latest state, while its game runs */
    /* The last view of the previous one, public and complete; "null" before the first. */
    char latest[2][GEISTER_SPECTATOR_VIEW_MAX];
    int64_t hold_ns; /* how long the end of the previous game is shown */
    struct geister_finished_game past[GEISTER_FINISHED_MAX]; /* by number, modulo their number */
};

static inline int64_t geister_server_now(const struct geister_server *s) {
    return clock_now_ns(s->service.clock);
}

/* ---- connections ---- */

void geister_connection_send(struct geister_connection *connection, const char *bytes, size_t size);
size_t geister_connection_waiting(const struct geister_connection *connection); /* bytes to be sent */
void geister_connection_flush(struct geister_connection *connection, int64_t now_ns);
void geister_connection_end(struct geister_connection *connection, int64_t now_ns);
void geister_connection_close(struct geister_connection *connection);

/* Bytes read, 0 when none have arrived, -1 when the peer has closed. */
int geister_connection_read(struct geister_connection *connection, char *out, size_t size);

/* ---- viewers ---- */

void geister_view_start(struct geister_server *s);
void geister_view_receive(struct geister_server *s, struct geister_connection *connection, int64_t now_ns);

/* geister_view_update sends what is new or due; geister_view_due returns when the next update is due. */
void geister_view_update(struct geister_server *s, int64_t now_ns);
int64_t geister_view_due(const struct geister_server *s);

/* Stores the final state of a finished game for viewers. */
void geister_view_keep(struct geister_server *s, const struct geister_match *match, int64_t now_ns);

#endif
