/* SPDX-License-Identifier: MIT
 *
 * Games on a Geister server with one of our players: connects, plays (geister_client.h), closes, and comes
 * back for the next one. The official server closes its ports between games, lets whoever comes too early
 * wait without a word and then cuts them off: all of that is met with another try.
 */
#ifndef NET_GEISTER_JOIN_H
#define NET_GEISTER_JOIN_H

#include "match/timing.h"
#include "net/geister_client.h"

enum geister_join_event {
    GEISTER_JOIN_TRYING, /* the server could not be reached, or cut us off before the game; `words` say why */
    GEISTER_JOIN_CONNECTED, /* SET? is waited for */
    GEISTER_JOIN_WAITING,   /* the reds are chosen; the other player is waited for */
    GEISTER_JOIN_PLAYING,   /* the first board came */
    GEISTER_JOIN_REFUSED,   /* our move was NG; `words` are the line we sent */
};

/* How one game went. */
enum geister_join_end {
    GEISTER_JOIN_OVER,    /* the server said how */
    GEISTER_JOIN_BROKEN,  /* it left in the middle, fell silent or said something impossible */
    GEISTER_JOIN_STOPPED, /* somebody here asked to stop */
    GEISTER_JOIN_FAILED,  /* it cannot be reached, or our player failed: no more games */
};

/* Valid during the call. */
struct geister_joined {
    int index; /* of the game, from 0 */
    enum geister_join_end end;
    struct geister_client *client; /* its record is complete but for the date */
    const char *reason;            /* why it is not GEISTER_JOIN_OVER */
    double longest_ms;             /* our longest decision */
};

struct geister_join {
    const char *host;
    int port, side; /* the side is what is expected, or NOBODY: the first board shows which it is */
    const char *player;
    const struct grant *grant; /* what it may do beside thinking; NULL: nothing */
    const struct scenario *scenario;
    int games;
    double retry_s;       /* how long to go on trying to connect, each time */
    double silence_s;     /* how long the server may say nothing; 0: for ever */
    struct timing timing; /* of our own thinking */
    uint64_t seed;
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    void (*on_event)(void *context, int index, enum geister_join_event event, const char *words);
    bool (*on_game)(void *context, const struct geister_joined *game); /* false: no more games */
    void *context;
};

/* Plays the games, one after the other. The end of the last one; `e` says why it is not GEISTER_JOIN_OVER. */
enum geister_join_end geister_join_run(const struct geister_join *join, struct err *e);

#endif
