/* SPDX-License-Identifier: MIT
 *
 * The client's end of the Geister server's protocol, as a state machine, and games on a server with one of
 * our players.
 *
 * The machine takes the server's lines, reports when a decision is needed and what to send, and never blocks.
 * It stores the game with its history: the other side's move is the one that leads from the last board to
 * this one. A player sees the same view as in a match without a server.
 *
 * The server's board is authoritative: if no single move of the other side leads to it, the game continues
 * from that board without its history (`restarts`).
 */
#ifndef NET_GEISTER_CLIENT_H
#define NET_GEISTER_CLIENT_H

#include "net/geister_session.h"

enum { GEISTER_REFUSED_MAX = 64 /* of our moves in one turn: more than there are */ };

enum geister_wants {
    GEISTER_WANTS_NOTHING, /* the server's next line */
    GEISTER_WANTS_REDS,    /* our set-up: call geister_client_decide */
    GEISTER_WANTS_MOVE,    /* our move */
};

/* The end of the game according to the server. */
enum geister_outcome { GEISTER_GOES_ON, GEISTER_WON, GEISTER_LOST, GEISTER_DREW };
extern const char *const geister_outcome_names[]; /* "unfinished", "won", "lost", "drawn" */

struct geister_client {
    const struct scenario *scenario;
    char name[RECORD_NAME_MAX];
    int side, side_expected; /* our side, and the expected one: the first board shows it */
    enum geister_wants wants;
    enum geister_outcome outcome;
    bool greeted, begun; /* SET? came; a board came */
    bool awaits_answer;  /* our last line was not answered yet */
    bool by_rules;       /* the game ended by the rules */
    unsigned reds;       /* our own; 0 until they are chosen */
    unsigned their[2];   /* the other side's pieces known to be blue, red */
    action sent;         /* our last action */
    double sent_ms;      /* how long we thought about it */
    int refused_count;   /* of this turn's moves, which the server did not take */
    action refused[GEISTER_REFUSED_MAX];

    int surprises;                      /* number of unexpected lines of the server */
    struct err first;                   /* of them, in words */
    int restarts;                       /* how often the history was lost */
    char base[GEISTER_BOARD_CHARS + 1]; /* our board the history begins with; "": the start of the game */
    int base_ply, count;                /* moves before it, and since */
    action played[GEISTER_PLIES_MAX];
    struct record record;     /* both set-ups, then the moves until the history was lost first */
    struct clocked_game game; /* in its state, unknown colours are assumed */
};

static inline const struct geister *geister_client_state(const struct geister_client *c) {
    return (const void *)c->game.referee.state;
}

/* The scenario is borrowed. `side` is the expected side, or NOBODY: then the first player's is assumed until
 * the first board. `name` is the player's name in the record, which the caller frees (record_done). */
void geister_client_init(struct geister_client *c, const struct scenario *scenario, int side,
                         const char *name);

enum geister_step {
    GEISTER_STEP_NOTHING, /* see `wants` */
    GEISTER_STEP_REFUSED, /* our move was NG: unless the end follows at once, geister_client_again */
    GEISTER_STEP_OVER,    /* see `outcome`; the caller closes the connection now */
    GEISTER_STEP_FAILED,  /* this cannot go on; the sentence has the server's line in it */
};

/* One line of the server, without its end. */
enum geister_step geister_client_take(struct geister_client *c, const char *line, struct err *e);

/* Takes the decision and its time (negative: not known), and writes the line to send into `answer`. False
 * when the action is illegal. */
bool geister_client_decide(struct geister_client *c, action a, double milliseconds,
                           char answer[GEISTER_ANSWER_MAX], struct err *e);

/* After a refusal: writes the first legal move that was not refused yet; false when there is none. */
bool geister_client_again(struct geister_client *c, char answer[GEISTER_ANSWER_MAX]);

/* ---- games on a server ----
 *
 * Plays games on a Geister server with one of our players: connects, plays,
 * closes, and connects again for the next game. The official server closes its ports between games; it lets
 * early clients wait silently and then disconnects them. In all these cases the client retries. */

enum geister_join_event {
    GEISTER_JOIN_TRYING,    /* unreachable, or disconnected before the game; `words` is the reason */
    GEISTER_JOIN_CONNECTED, /* SET? is waited for */
    GEISTER_JOIN_WAITING,   /* the reds are chosen; the other player is waited for */
    GEISTER_JOIN_PLAYING,   /* the first board came */
    GEISTER_JOIN_REFUSED,   /* our move was NG; `words`: what was unexpected first in this game */
};

/* How one game went. */
enum geister_join_end {
    GEISTER_JOIN_OVER,    /* the server reported the result */
    GEISTER_JOIN_BROKEN,  /* during the game the server disconnected, fell silent or sent nonsense */
    GEISTER_JOIN_STOPPED, /* `stop` was set */
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
    int port, side; /* side: the expected side, or NOBODY: the first board shows it */
    const char *player;
    const struct grant *grant; /* the player's permissions; NULL: none */
    const struct scenario *scenario;
    int games;
    double retry_s;       /* how long to retry a connection, each time */
    double silence_s;     /* longest silence of the server; 0: no limit */
    struct timing timing; /* of our own thinking */
    uint64_t seed;
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    void (*on_event)(void *context, int index, enum geister_join_event event, const char *words);
    bool (*on_game)(void *context, const struct geister_joined *game); /* false: no more games */
    void *context;
};

/* Plays the games one after the other. Returns the end of the last one, and in `e` why it is not OVER. */
enum geister_join_end geister_join_run(const struct geister_join *join, struct err *e);

#endif
