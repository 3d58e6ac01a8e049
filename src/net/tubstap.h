/* SPDX-License-Identifier: MIT
 *
 * The network protocol of the TUBSTAP platform: its messages as text, a client and a server. The server sends
 * `command[ arguments]` CR LF, the client answers `= text` CR LF CR LF; an action is eleven numbers, the same
 * as in the platform's game records.
 */
#ifndef NET_TUBSTAP_H
#define NET_TUBSTAP_H

#include "base/err.h"
#include "base/text.h"
#include "game/game.h"
#include "game/tbs/map.h"
#include "link/link.h"
#include "match/clocked_game.h"
#include "player/player.h"

enum {
    TUBSTAP_PORT = 7777,
    TUBSTAP_NAME_MAX = 100,  /* stored bytes of a player's name, its NUL included */
    TUBSTAP_QUOTE_MAX = 100, /* bytes of a line that a message quotes, its NUL included */
};

/* ---- actions ---- */

enum tubstap_field {
    TUBSTAP_UNIT,
    TUBSTAP_TO_X,
    TUBSTAP_TO_Y,
    TUBSTAP_FROM_X,
    TUBSTAP_FROM_Y,
    TUBSTAP_TARGET,
    TUBSTAP_TARGET_X,
    TUBSTAP_TARGET_Y,
    TUBSTAP_TYPE,
    TUBSTAP_DAMAGE,
    TUBSTAP_COUNTER,
    TUBSTAP_FIELDS,
};

enum tubstap_type { TUBSTAP_SURRENDER, TUBSTAP_MOVE, TUBSTAP_ATTACK, TUBSTAP_TURN_END };

/* Appends the eleven numbers the platform would write for an action that is legal in this state. */
void tubstap_write_action(const void *state, action a, struct text *out);

/* Reads eleven numbers and nothing else; blanks around them do not matter. */
bool tubstap_read_numbers(const char *text, long out[TUBSTAP_FIELDS], struct err *e);

/* Which action of that game they mean: unit, destination, type and, in an attack, target decide. False when
 * they name nothing that is on the map, or an action that the rules forbid in this state. */
bool tubstap_find_action(const struct game *game, const void *state, const long numbers[TUBSTAP_FIELDS],
                         action *out, struct err *e);

/* Do the other numbers (where the unit stood, the target's cell, both damages) agree with the state? */
bool tubstap_agrees(const void *state, action a, const long numbers[TUBSTAP_FIELDS], struct err *e);

/* ---- commands and answers ---- */

enum tubstap_command {
    TUBSTAP_CALL_NAME,
    TUBSTAP_CALL_OPPONENT,
    TUBSTAP_CALL_MAP,
    TUBSTAP_CALL_COLOR,
    TUBSTAP_CALL_GENMOVE,
    TUBSTAP_CALL_PLAY,
    TUBSTAP_CALL_STATUS,   /* defined by the platform, but never sent */
    TUBSTAP_CALL_GAMEOVER, /* likewise */
    TUBSTAP_CALLS,
};

extern const char *const tubstap_command_names[TUBSTAP_CALLS];

void tubstap_write_command(enum tubstap_command command, const char *arguments, struct text *out);

/* TUBSTAP_CALLS when it is none of them. *arguments points into the line. */
enum tubstap_command tubstap_read_command(const char *line, const char **arguments);

void tubstap_write_answer(const char *text, struct text *out);

/* Kinds of a client's lines. */
enum tubstap_line {
    TUBSTAP_BLANK,   /* answers end with one; more do no harm */
    TUBSTAP_ANSWER,  /* "= …" */
    TUBSTAP_REFUSAL, /* "? …": the client refuses */
    TUBSTAP_GARBAGE,
};

enum tubstap_line tubstap_read_answer(const char *line, const char **text);

/* ---- the rest ---- */

/* A map file on one line, as MAP sends it. */
void tubstap_write_map(const struct tbs_map *map, struct text *out);

/* Cleans foreign text for messages and records: valid UTF-8 without control characters, cut to the size of
 * `out`. */
void tubstap_clean(const char *text, char *out, size_t out_size);

/* ---- the client ----
 *
 * A state machine: the caller feeds it with the server's lines and sends its answers.
 * It stores the game, checks every reported action against the rules, and never blocks. `tubstap_client_run`
 * connects it with a player and a link. */

struct tubstap_client {
    char name[TUBSTAP_NAME_MAX], opponent[TUBSTAP_NAME_MAX];
    struct scenario *scenario; /* NULL until MAP came */
    int side;                  /* NOBODY before Color */
    bool is_asked;             /* Genmove waits for tubstap_client_decide */
    bool told_over;            /* by `gameover` */
    int differences;           /* `play` lines whose other numbers differ from the state */
    struct err difference;     /* the first of them, with its line */
    struct timing timing;      /* of our decisions; for the caller to set before Color */
    struct record record;      /* likewise its seed */
    struct clocked_game game;
};

void tubstap_client_init(struct tubstap_client *client, const char *name);
void tubstap_client_done(struct tubstap_client *client);

enum tubstap_step {
    TUBSTAP_ANSWERED, /* send `answer` */
    TUBSTAP_ASKED,    /* our action is wanted: call tubstap_client_decide */
    TUBSTAP_NOTHING,  /* a blank line */
    TUBSTAP_FAILED,   /* this cannot go on; the sentence has the server's line in it */
};

/* One line of the server, without its end. */
enum tubstap_step tubstap_client_take(struct tubstap_client *client, const char *line, struct text *answer,
                                      struct err *e);

/* Our action. The protocol has no resignation: it ends the turn instead. False when the action is illegal
 * (then it is still wanted). */
bool tubstap_client_decide(struct tubstap_client *client, action a, struct text *answer, struct err *e);

/* Has the game begun? Is it over by the rules? */
bool tubstap_client_has_begun(const struct tubstap_client *client);
bool tubstap_client_is_over(const struct tubstap_client *client);

/* ---- a game over a link ---- */

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
