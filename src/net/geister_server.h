/* SPDX-License-Identifier: MIT
 *
 * The official Geister server's ports with any number of games at once, on one thread. Clients of the first
 * player's port are paired with clients of the second player's in the order of their arrival, and each pair
 * plays one game (geister_session.h). No client can harm the server or another game: input and output buffers
 * are bounded, every wait has a time limit, and a client that floods, does not read or disconnects loses.
 *
 * Viewers use HTTP and WebSocket on a third port.
 *
 *     GET /                       a page that shows the games
 *     GET /games                  running and finished games as JSON
 *     ws /ws/geister              like the official server: the latest state every 500 ms and at changes
 *     ws /ws/geister/N            the game with that number
 *
 * Colours that are not public are shown only with ?token=…, or to all viewers when the viewers are open.
 */
#ifndef NET_GEISTER_SERVER_H
#define NET_GEISTER_SERVER_H

#include "net/geister_session.h"

#include <stddef.h>

enum {
    GEISTER_CONNECTIONS_MAX = 4096, /* the most connections at once, viewers included */
    GEISTER_VIEWERS_MAX = 256,
    GEISTER_SEATS_MAX = 64,    /* games against a player of our own at once */
    GEISTER_FINISHED_MAX = 256 /* finished games that viewers can still see */
};

/* A finished game, for the callback that stores it; valid during the call. */
struct geister_finished {
    int number;
    struct geister_session *session;
    const char *names[2]; /* addresses, or the spec of our own player */
};

struct geister_service {
    const char *address;
    int ports[2];    /* first and second player's; 0: any that is free */
    int viewer_port; /* likewise; -1: no viewers */
    struct geister_terms terms;
    int connections_max; /* connections at once; fewer than there are descriptors, files need some, too */
    int games_max;       /* 0: no limit; later clients are turned away */
    int waiting_max;     /* clients without an opponent */
    int address_max;     /* connections from one address; 0: no limit */
    int64_t linger_ns;   /* how long clients may take to close after the end */
    const char *token;   /* of viewers who may see all colours; NULL: there are none */
    bool open_viewers;
    const char *player;        /* sits on one side of each game; NULL: both are clients */
    const struct grant *grant; /* the player's permissions; NULL: none */
    int player_side;
    uint64_t seed; /* of that player */
    const struct clock *clock;
    void (*finished)(void *context, const struct geister_finished *game);
    void *context;
};

struct geister_server_state {
    int ports[2], viewer_port;
    int waiting, running, viewers; /* clients without an opponent; games; viewers */
    int connections;               /* all connections */
    uint64_t started, finished;    /* games so far */
    uint64_t turned_away;          /* connections */
};

struct geister_server;

/* Everything that the service points to must outlive the server. */
struct geister_server *geister_server_open(const struct geister_service *service, struct err *e);

/* Waits at most `ms` for events and handles them. */
void geister_server_round(struct geister_server *server, int ms);

void geister_server_look(const struct geister_server *server, struct geister_server_state *out);

/* Stops running games and reports them to `finished`. */
void geister_server_stop(struct geister_server *server);

/* Stops and closes all connections. NULL is allowed. */
void geister_server_close(struct geister_server *server);

/* The viewers' page, geister_viewer.html, which the build turns into this array (tools/embed-file). */

extern const char geister_viewer_page[]; /* HTML in UTF-8, NUL-terminated */
extern const size_t geister_viewer_page_size;

#endif
