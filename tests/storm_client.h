/* SPDX-License-Identifier: MIT
 *
 * One of many simultaneous clients of a Geister server: honest ones, which play random moves and check
 * everything they receive, and others, each with one fault.
 */
#ifndef TESTS_STORM_CLIENT_H
#define TESTS_STORM_CLIENT_H

#include "net/geister_client.h"

enum { STORM_IN_MAX = 4096 };

struct storm_client;

struct storm_mode {
    const char *name;
    bool is_honest;                        /* its games have to come to a proper end */
    bool is_viewer;                        /* goes to the viewers' port */
    bool is_deaf;                          /* never reads */
    int piece;                             /* bytes sent at once, with a rest between; 0: all */
    void (*ready)(struct storm_client *c); /* connected */
    void (*line)(struct storm_client *c, const char *line);
    void (*tick)(struct storm_client *c); /* every few milliseconds */
};

extern const struct storm_mode storm_modes[]; /* honest ones first; ended by a NULL name */

enum storm_end {
    STORM_GOES_ON,
    STORM_OVER,   /* a game was played; the client's fields hold its result */
    STORM_GONE,   /* closed by either side, as this mode expects */
    STORM_FAILED, /* an honest client was treated badly: the reason describes it */
};

struct storm_client {
    const struct storm_mode *mode;
    int fd; /* -1: none */
    int side, local_port;
    bool is_connected;
    enum storm_end end;
    int64_t since_ns, rest_until_ns;
    struct rng *rng;
    struct geister_client game;
    bool has_game;
    int steps; /* for modes that count */
    char in[STORM_IN_MAX];
    size_t in_size;
    struct text out;
    size_t out_sent;
    struct err reason;
};

/* Connects to a port of 127.0.0.1, without waiting. False when no socket is available. */
bool storm_client_open(struct storm_client *c, const struct storm_mode *mode, int port, int side,
                       const struct scenario *scenario, int64_t now_ns);
void storm_client_close(struct storm_client *c);

/* The events requested from poll, and its result. */
short storm_client_events(const struct storm_client *c, int64_t now_ns);
void storm_client_serve(struct storm_client *c, short events, int64_t now_ns);

#endif
