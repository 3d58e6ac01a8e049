/* SPDX-License-Identifier: MIT
 *
 * The client's end of the Geister server's protocol, as a machine: it is fed with the server's lines, says
 * when a decision is wanted and what to send, and never waits. It keeps the game with its history: the other
 * side's moves are what turned the last board into this one. What a player is asked about is the view of the
 * same state that a match at home would show it.
 * The server is believed: when its board is none that a single move of the other side leads to, the game goes
 * on from that board, without the history (`restarts`). geister_join.h connects this with a player and a
 * server.
 */
#ifndef NET_GEISTER_CLIENT_H
#define NET_GEISTER_CLIENT_H

#include "match/record.h"
#include "match/timing.h"
#include "net/geister.h"

enum {
    GEISTER_ANSWER_MAX = 16,  /* bytes of what we send, CR LF and NUL included */
    GEISTER_REFUSED_MAX = 64, /* of our moves in one turn: more than there are */
};

enum geister_wants {
    GEISTER_WANTS_NOTHING, /* the server's next line */
    GEISTER_WANTS_REDS,    /* a set-up of ours: geister_client_decide */
    GEISTER_WANTS_MOVE,    /* a move of ours */
};

/* What the server has said of the game's end. */
enum geister_outcome { GEISTER_GOES_ON, GEISTER_WON, GEISTER_LOST, GEISTER_DREW };
extern const char *const geister_outcome_names[]; /* "unfinished", "won", "lost", "drawn" */

struct geister_client {
    const struct scenario *scenario;
    char name[RECORD_NAME_MAX];
    int side, side_told; /* ours, and what we were told: the first board shows it */
    enum geister_wants wants;
    enum geister_outcome outcome;
    bool greeted, begun;  /* SET? came; a board came */
    bool awaits_answer;   /* what we sent was not answered yet */
    bool by_rules;        /* the end of the game is one that the rules know */
    unsigned reds;        /* our own; 0 until they are chosen */
    unsigned their[2];    /* the other's pieces known to be blue, red */
    struct geister state; /* colours that are not known are supposed */
    action sent;          /* our last action */
    double sent_ms;       /* how long we thought about it */
    int refused_count;    /* of this turn's moves, which the server did not take */
    action refused[GEISTER_REFUSED_MAX];

    int surprises;                      /* things the server said that did not fit */
    struct err first;                   /* of them, in words */
    int restarts;                       /* how often the history was lost */
    char base[GEISTER_BOARD_CHARS + 1]; /* our board the history begins with; "": the start of the game */
    int base_ply, count;                /* moves before it, and since */
    action played[GEISTER_PLIES_MAX];
    struct record record; /* both set-ups, then the moves until the history was lost first */
};

/* The scenario is borrowed. `side` is what is expected, or NOBODY: then it is the first player's until the
 * first board shows it. `name` is the player's, for the record. */
void geister_client_init(struct geister_client *c, const struct scenario *scenario, int side,
                         const char *name);
void geister_client_done(struct geister_client *c);

enum geister_step {
    GEISTER_STEP_NOTHING, /* look at `wants` */
    GEISTER_STEP_REFUSED, /* our move was NG: unless the end follows at once, geister_client_again */
    GEISTER_STEP_OVER,    /* look at `outcome`; the connection is to be closed now */
    GEISTER_STEP_FAILED,  /* this cannot go on; the sentence has the server's line in it */
};

/* One line of the server, without its end. */
enum geister_step geister_client_take(struct geister_client *c, const char *line, struct err *e);

/* What we may see, now that a decision is wanted. */
void geister_client_view(const struct geister_client *c, struct geister *out);

/* The decision, and how long it took (negative: not known). `answer` is what to send. False when the rules
 * forbid it or memory ran out. */
bool geister_client_decide(struct geister_client *c, action a, double milliseconds,
                           char answer[GEISTER_ANSWER_MAX], struct err *e);

/* After a refusal: another move, the first that was not refused yet; false when there is none. */
bool geister_client_again(struct geister_client *c, char answer[GEISTER_ANSWER_MAX]);

/* Games on a Geister server with one of our players: connects, plays (geister_client.h), closes, and comes
 * back for the next one. The official server closes its ports between games, lets whoever comes too early
 * wait without a word and then cuts them off: all of that is met with another try. */

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
