/* SPDX-License-Identifier: MIT
 *
 * A player chooses an action from what it may see. Players keep no secret state between decisions: any
 * position can be asked of any player, and the same ask with the same random stream gives the same answer.
 */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "base/budget.h"
#include "game/game.h"
#include "search/thoughts.h"

/* ---- questions and answers ---- */

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

/* ---- players ---- */

struct player;
struct grant;

/* What was said between us and a player that is somebody else, for whoever looks into a fault. */
struct player_transcript {
    struct text command; /* how to start it again */
    struct text sent;    /* every line it was sent since it was started (or the last of them), one a line */
    struct text tail;    /* the last lines of both: "> sent", "< said", "! said on standard error" */
};

struct player_type {
    const char *name, *help;
    const struct param *params;
    size_t options_size; /* of the struct the params fill */

    /* Are its values the payoffs it expects: means over games to their end, or cut and then won or lost? All
     * others have scales of their own: HP, scores, votes. */
    bool expects_payoffs;

    /* What the params cannot see: are nested specs well-formed and known? NULL: nothing more to ask. */
    bool (*check)(const void *options, struct err *e);

    /* NULL and a reason when it cannot play that game; `options` has options_size bytes, read already. */
    struct player *(*open)(const struct player_type *type, const struct game *game, const void *options,
                           struct err *e);
    /* In place of `open`, for a player that opens others (PARAM_SPEC): with the grant it was opened with. */
    struct player *(*open_nesting)(const struct player_type *type, const struct game *game,
                                   const void *options, const struct grant *grant, struct err *e);
    void (*choose)(struct player *player, const struct ask *ask, struct answer *out);
    void (*close)(struct player *player);

    /* Appends what is remembered; NULL: the player is no outsider. */
    void (*transcript)(const struct player *player, struct player_transcript *out);
};

/* Concrete players begin with this. */
struct player {
    const struct player_type *type;
};

extern const struct player_type *const player_types[]; /* ended by NULL */
const struct player_type *player_type_find(const char *name);
bool player_expects_payoffs(const char *spec);

/* Opens a player from a spec string like "acteval:style=sample". All players are opened here: options that
 * start a program, open a connection or read a file are refused, but for what the grant allows. Without a
 * grant nothing of that kind is allowed. A player keeps no pointer to the grant. */
struct player *player_open(const char *spec, const struct game *game, struct err *e);
struct player *player_open_granted(const char *spec, const struct game *game, const struct grant *grant,
                                   struct err *e);
void player_choose(struct player *player, const struct ask *ask, struct answer *out);
void player_close(struct player *player);

/* Asks a player about a whole state: shows it only what the side to move may see. */
struct position_ask {
    const struct game *game;
    const void *state; /* somebody must be to move */
    int taken;         /* as in an ask */
    struct budget budget;
    struct rng *rng;
    const struct course *course;
    struct thoughts *thoughts;
    const struct watch *watch;
};

void player_choose_in(struct player *player, const struct position_ask *ask, struct answer *out);

/* Is the spec well-formed and known? `canonical` (may be NULL) gets the spec with defaults left out. */
bool player_check(const char *spec, struct text *canonical, struct err *e);

/* For specs of strangers, after player_check: do its players, those within others included, keep within that
 * memory and that many threads, together? */
bool player_check_needs(const char *spec, int memory_mb_max, int threads_max, struct err *e);

#endif
