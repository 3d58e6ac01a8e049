/* SPDX-License-Identifier: MIT
 *
 * The network protocol of the TUBSTAP platform: a client and a server. The server sends `command[ arguments]`
 * CR LF, the client answers `= text` CR LF CR LF; an action is eleven numbers, the same as in the platform's
 * game records.
 */
#ifndef NET_TUBSTAP_H
#define NET_TUBSTAP_H

#include "game/game.h"
#include "link/link.h"
#include "match/clocked_game.h"
#include "player/player.h"

enum {
    TUBSTAP_PORT = 7777,
    TUBSTAP_NAME_MAX = 100, /* stored bytes of a player's name, its NUL included */
};

/* ---- the client ----
 *
 * It stores the game and checks every reported action against the rules. */

struct tubstap_client {
    char name[TUBSTAP_NAME_MAX], opponent[TUBSTAP_NAME_MAX];
    struct scenario *scenario; /* NULL until MAP came */
    int side;                  /* NOBODY before Color */
    bool is_asked;             /* Genmove waits for our action */
    bool told_over;            /* by `gameover` */
    int differences;           /* `play` lines whose other numbers differ from the state */
    struct err difference;     /* the first of them, with its line */
    struct timing timing;      /* of our decisions; for the caller to set before Color */
    struct record record;      /* likewise its seed */
    struct clocked_game game;
};

void tubstap_client_init(struct tubstap_client *client, const char *name);
void tubstap_client_done(struct tubstap_client *client);

struct tubstap_join {
    const char *player;        /* spec */
    const struct grant *grant; /* the player's permissions; NULL: none */
    uint64_t seed;             /* of the game: the player's random stream follows from it and the side */
    double turn_seconds;       /* at most, for each of our turns; 0: no limit */
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
};

enum tubstap_end {
    TUBSTAP_END_OVER,    /* the game was played to its end */
    TUBSTAP_END_CLOSED,  /* the server left before that */
    TUBSTAP_END_STOPPED, /* `stop` was set */
    TUBSTAP_END_FAILED,  /* the server or our player did something wrong */
};

/* Plays one game. `e` is the reason if it is not TUBSTAP_END_OVER. The caller keeps the link. */
enum tubstap_end tubstap_client_run(struct tubstap_client *client, struct link *link,
                                    const struct tubstap_join *join, struct err *e);

/* ---- the server ----
 *
 * A connected client is a player, so an ordinary game run plays the game with its clocks and rulings. This
 * module adds the greeting, and reports each side's actions to the other client. An error of a client becomes
 * a fault of that player at its next decision.
 *
 *     tubstap_seat_open    a connection takes a seat and is asked for its name
 *     tubstap_begin        sends opponent, MAP and Color to each client
 *     game_run_play        with tubstap_watch as its watch: Genmove here, play there
 *     player_close         closes the connection, which ends the game for the client
 */

/* ---- seats ---- */

struct tubstap_limits {
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    int64_t answer_ns;       /* how long an answer may take, but for Genmove, which has the game's clock */
};

/* Takes ownership of the link (also on failure) and asks for the name. NULL and a reason without a proper
 * answer: a client without a name gets no seat. */
struct player *tubstap_seat_open(struct link *link, const struct tubstap_limits *limits, struct err *e);

const char *tubstap_seat_name(const struct player *seat);

/* Is it still there, and silent as it should be? */
bool tubstap_seat_is_there(struct player *seat);

/* ---- a game ---- */

struct tubstap_game {
    struct player *seats[2]; /* by side; NULL: one of our own players */
    const char *names[2];
};

void tubstap_begin(const struct tubstap_game *game, const struct scenario *scenario);

/* For struct game_run, with the tubstap_game as its context. */
void tubstap_watch(void *game, const void *state, const struct record *record);

#endif
