/* SPDX-License-Identifier: MIT
 *
 * What a player is asked, and what it answers: a view of the game with how long it may think, and an action
 * or a fault.
 */
#ifndef PLAYER_ASK_H
#define PLAYER_ASK_H

#include "base/budget.h"
#include "game/game.h"
#include "search/thoughts.h"

enum { PLAYER_REASON_MAX = 240 };

/* What a player can do wrong, besides playing badly. A fault is a result of the game: its player loses. */
enum player_fault {
    PLAYER_FAULT_NONE,
    PLAYER_FAULT_ILLEGAL,  /* an action the rules forbid */
    PLAYER_FAULT_CRASH,    /* it ended, or the connection to it did */
    PLAYER_FAULT_HANG,     /* no answer long after its time was over: it was killed */
    PLAYER_FAULT_LATE,     /* an answer, but after its time was over */
    PLAYER_FAULT_GARBAGE,  /* what it said is no line of the protocol */
    PLAYER_FAULT_PROTOCOL, /* what it said is well-formed but wrong at this point */
    PLAYER_FAULTS,
    /* No fault at all and no answer: this machine lacks descriptors, processes or memory to start the player
     * or to talk to it. Never a ruling and never stored; whoever asked stops with the reason, or asks again.
     */
    PLAYER_SHORTAGE,
};

/* "illegal", "crash", … as results and stores say it. */
extern const char *const player_fault_names[PLAYER_FAULTS];

/* The game so far, for players that have to tell somebody else about it. Borrowed for one ask.
 *
 * Where something is hidden, an action may be hidden too (the other's set-up, say), so there a course carries
 * only what is public: which game it is and how many actions were played, and `at` is NULL. What a side may
 * know of the past is in its view. */
struct course {
    const struct scenario *scenario;
    uint64_t id; /* another game, another number; where nothing is hidden, the game's seed */
    int count;
    action (*at)(const void *from, int index); /* the action with that number, 0 … count-1; may be NULL */
    const void *from;
};

/* How long an answer may take. Budgets say how much to think; this says when the clock is up. */
struct ask_time {
    int64_t limit_ns;    /* later answers are late; 0: there is no limit */
    int64_t share_ns;    /* what to use of it for this decision; the budget's deadline says the same */
    int64_t patience_ns; /* how long after the limit an answer is still waited for */
};

struct ask {
    const struct game *game;
    const void *view; /* the state less what this side cannot know */
    int side;
    int taken; /* decisions this side has taken in its turn so far; 0 when that is not known */
    struct budget budget;
    struct ask_time time; /* needs a clock in the budget */
    struct rng *rng;
    const struct course *course; /* NULL when only the position is known */
    struct thoughts *thoughts;   /* filled when not NULL, by players that have any */
    const struct watch *watch;   /* may be NULL; needs `thoughts` and a clock in the budget */
};

struct answer {
    action chosen;                  /* means nothing after a fault */
    double value;                   /* what the player thinks of it, or NAN; its scale is the player's own */
    uint64_t work_done;             /* simulations, nodes or actions scored */
    uint64_t leaves;                /* leaf evaluations, those inside of playouts included; 0: not counted */
    int64_t setup_ns;               /* of the time it took, what is not the player's: starting it, our gaps */
    enum player_fault fault;        /* players made here have none */
    char reason[PLAYER_REASON_MAX]; /* of the fault: a clause that goes on "red forfeits: …" */
};

#endif
