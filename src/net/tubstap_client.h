/* SPDX-License-Identifier: MIT
 *
 * The client's end of the platform's protocol. The client itself is a machine: it is fed with the server's
 * lines and says what to answer; it keeps the game, checks every action it is told of against the rules, and
 * never waits. `tubstap_client_run` connects it with a player and a link.
 */
#ifndef NET_TUBSTAP_CLIENT_H
#define NET_TUBSTAP_CLIENT_H

#include "link/link.h"
#include "match/record.h"
#include "net/tubstap.h"
#include "player/player.h"

struct tubstap_client {
    char name[TUBSTAP_NAME_MAX], opponent[TUBSTAP_NAME_MAX];
    struct scenario *scenario; /* NULL until MAP came */
    int side;                  /* NOBODY until Color came */
    bool is_asked;             /* Genmove waits for tubstap_client_decide */
    bool told_over;            /* by `gameover` */
    int differences;           /* of what `play` said beside its action */
    struct err difference;     /* the first of them, with its line */
    struct record record;
    struct turn_count turn;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

void tubstap_client_init(struct tubstap_client *client, const char *name);
void tubstap_client_done(struct tubstap_client *client);

enum tubstap_step {
    TUBSTAP_ANSWERED, /* `answer` is to be sent */
    TUBSTAP_ASKED,    /* an action of ours is wanted: tubstap_client_decide */
    TUBSTAP_NOTHING,  /* a blank line */
    TUBSTAP_FAILED,   /* this cannot go on; the sentence has the server's line in it */
};

/* One line of the server, without its end. */
enum tubstap_step tubstap_client_take(struct tubstap_client *client, const char *line, struct text *answer,
                                      struct err *e);

/* The action we were asked for. The protocol cannot say that somebody resigns: that ends the turn instead.
 * False when the rules forbid it (then we are still asked) or memory ran out. */
bool tubstap_client_decide(struct tubstap_client *client, action a, struct text *answer, struct err *e);

/* Has the game begun; is it over by the rules? */
bool tubstap_client_has_begun(const struct tubstap_client *client);
bool tubstap_client_is_over(const struct tubstap_client *client);

/* ---- a game over a link ---- */

struct tubstap_join {
    const char *player;        /* spec */
    const struct grant *grant; /* what it may do beside thinking; NULL: nothing */
    uint64_t seed;             /* of the game: the player's random stream follows from it and the side */
    double turn_seconds;       /* at most, for each of our turns; 0: no limit */
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
};

enum tubstap_end {
    TUBSTAP_END_OVER,    /* the game was played to its end */
    TUBSTAP_END_CLOSED,  /* the server left before that */
    TUBSTAP_END_STOPPED, /* somebody here asked to stop */
    TUBSTAP_END_FAILED,  /* the server or our player did something wrong */
};

/* Plays one game. `e` says why it is not TUBSTAP_END_OVER. The link stays the caller's. */
enum tubstap_end tubstap_client_run(struct tubstap_client *client, struct link *link,
                                    const struct tubstap_join *join, struct err *e);

#endif
