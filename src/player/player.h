/* SPDX-License-Identifier: MIT
 *
 * A player chooses an action from what its side may see. Players keep no secret state between decisions: any
 * player can be asked about any position, and the same ask with the same random stream gives the same answer.
 */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "game/game.h"
#include "search/search.h"

/* ---- questions and answers ---- */

enum { PLAYER_REASON_MAX = 240 };

/* What a player can do wrong, besides playing badly. A fault decides the game: its player loses. */
enum player_fault {
    PLAYER_FAULT_NONE,
    PLAYER_FAULT_ILLEGAL,  /* an action the rules forbid */
    PLAYER_FAULT_CRASH,    /* the process ended, or the connection did */
    PLAYER_FAULT_HANG,     /* no answer long after its time was over: the process was killed */
    PLAYER_FAULT_LATE,     /* an answer, but after its time was over */
    PLAYER_FAULT_GARBAGE,  /* its output is no line of the protocol */
    PLAYER_FAULT_PROTOCOL, /* its output is well-formed but wrong at this point */
    PLAYER_FAULTS,
    /* Neither a fault nor an answer: this machine lacks descriptors, processes or memory to start the player
     * or to talk to it. Never a ruling and never stored; the caller stops with the reason, or asks again. */
    PLAYER_SHORTAGE,
};

/* "illegal", "crash", … as in results and stores. */
extern const char *const player_fault_names[PLAYER_FAULTS];

/* The game so far, for players that must pass it on. The pointer is valid for one ask.
 *
 * Where something is hidden, an action may be hidden too (the other's set-up, for example). There the history
 * holds only public data: the game's number and how many actions were played; `at` is NULL. What a side may
 * know of the past is in its view. */
struct game_history {
    const struct scenario *scenario;
    uint64_t id; /* different for each game; where nothing is hidden, the game's seed */
    int count;
    action (*at)(const void *from, int index); /* the action with that index, 0 … count-1; may be NULL */
    const void *from;
};

/* How long an answer may take. Budgets limit the search; this limits the clock time. */
struct ask_time {
    int64_t limit_ns;    /* nanoseconds; later answers are late; 0: no limit */
    int64_t share_ns;    /* nanoseconds of it to use for this decision, equal to the budget's deadline */
    int64_t patience_ns; /* nanoseconds after the limit during which an answer is still waited for */
};

struct ask {
    const struct game *game;
    const void *view; /* the state without what this side cannot know */
    int side;
    int taken; /* decisions this side has taken in its turn so far; 0 when unknown */
    struct budget budget;
    struct ask_time time; /* needs a clock in the budget */
    struct rng *rng;
    const struct game_history *history; /* NULL when only the position is given */
    struct thoughts *thoughts;          /* filled when not NULL, by players that report candidates */
    const struct watch *watch;          /* may be NULL; needs `thoughts` and a clock in the budget */
};

struct answer {
    action chosen;      /* undefined after a fault */
    double value;       /* the player's value of the action, or NAN; on the player's own scale */
    uint64_t work_done; /* simulations, nodes or actions scored */
    uint64_t leaves;    /* leaf evaluations, those inside playouts included; 0: not counted */
    int64_t
        setup_ns; /* nanoseconds that do not count as the player's time: starting it, gaps of this program */
    enum player_fault fault;        /* built-in players have none */
    char reason[PLAYER_REASON_MAX]; /* of the fault: a clause that continues "red forfeits: …" */
};

/* ---- players ---- */

struct player;
struct grant;

/* The conversation with an external player, for the analysis of a fault. */
struct player_transcript {
    struct text command; /* the command that starts it */
    struct text sent;    /* every line it was sent since it was started (or the last of them), one a line */
    struct text tail;    /* the last lines in both directions: "> sent", "< received", "! standard error" */
};

/* The games that a player can play. */
enum player_games {
    PLAYER_ANY_GAME,
    PLAYER_OPEN_GAMES, /* those that hide nothing */
    PLAYER_TBS,
    PLAYER_GEISTER,
};

struct player_type {
    const char *name, *help;
    enum player_games games;
    size_t size; /* of the player: a struct player, then the struct that the params fill, then its own */
    const struct param *params;
    size_t options_size;

    /* True when its values are expected payoffs: means over games played to their end, or cut and then
     * judged. Other players have scales of their own: HP, scores, votes. */
    bool expects_payoffs;

    /* Checks what the parameter table cannot express, such as nested specs. NULL: nothing more to check. */
    bool (*check)(const struct player_type *type, const void *options, struct err *e);

    /* Opens a zeroed player with its type and options set; NULL: nothing more to do. False and a reason when
     * it cannot play that game; then it is closed. */
    bool (*open)(struct player *player, const struct game *game, struct err *e);
    void (*choose)(struct player *player, const struct ask *ask, struct answer *out);
    /* Frees what the player owns, also after an open that failed; NULL: nothing. */
    void (*close)(struct player *player);

    /* Appends the stored conversation; NULL: the player is not external. */
    void (*transcript)(const struct player *player, struct player_transcript *out);
};

/* Concrete players begin with this. It is aligned so that their options follow without a gap. */
struct player {
    _Alignas(max_align_t) const struct player_type *type;
    const struct grant *grant; /* only while it is opened, for players that it opens itself */
};

extern const struct player_type *const player_types[]; /* ended by NULL */
const struct player_type *player_type_find(const char *name);
bool player_expects_payoffs(const char *spec);

/* Opens a player from a spec string like "acteval:style=sample". All players are opened here: options that
 * start a program, open a connection or read a file are refused unless the grant allows them; a NULL grant
 * allows none. The player keeps no pointer to the grant. */
struct player *player_open(const char *spec, const struct game *game, struct err *e);
struct player *player_open_granted(const char *spec, const struct game *game, const struct grant *grant,
                                   struct err *e);
void player_choose(struct player *player, const struct ask *ask, struct answer *out);
void player_close(struct player *player);

/* The same about a full state in place of the view: the player gets only the view of the side to move, which
 * need not be set in the ask. */
void player_choose_in(struct player *player, const struct ask *whole, struct answer *out);

/* True when the spec is well-formed and known. `canonical` (may be NULL) gets the spec without defaults. */
bool player_check(const char *spec, struct text *canonical, struct err *e);

/* For specs from strangers, after player_check: true when its players, nested ones included, together stay
 * within that memory and that number of threads. */
bool player_check_needs(const char *spec, int memory_mb_max, int threads_max, struct err *e);

/* ---- the options of any player, for code that inspects a spec ---- */

enum { PLAYER_OPTIONS_MAX = 2048 };

/* Aligned for any player's options; each player's size is checked by a test. */
union player_options {
    max_align_t alignment;
    unsigned char bytes[PLAYER_OPTIONS_MAX];
};

/* ---- permissions ---- */

/* Some options start a program, open a connection or read a file; their rows in the parameter tables declare
 * it (enum param_power). A spec can come from anywhere: a command line, a store, a recipe, a fault report, a
 * message. What a person typed is added to a grant, and opening a player compares its options with the grant
 * (player_open_granted).
 *
 * A grant names a player with the exact values of all its powerful options: permission to start `./bot` is no
 * permission to start it with other options. */

struct grant {
    unsigned powers;   /* 1 << enum param_power: allowed with any value */
    struct text lines; /* allowed in addition, a line each, as grant_missing writes them; the owner's */
};

/* For callers whose specs are constants, and for tests. */
extern const struct grant grant_everything;

/* Allows everything that this spec and nested specs do. False when the spec is unknown. */
bool grant_add(struct grant *grant, const char *spec, struct err *e);

/* True when a player may have these options. Nested players are not checked here, since opening them checks
 * them. A NULL grant allows nothing. The sentence shows the refused option, as charset_show writes it. */
bool grant_allows_options(const struct grant *grant, const struct player_type *type, const void *options,
                          struct err *e);

/* True when a player with this spec, and the players nested in it, may be opened. */
bool grant_allows(const struct grant *grant, const char *spec, struct err *e);

/* Appends what the grant lacks for a spec, one line each, without control characters: "ext:cmd=./bot (starts
 * a program)". False when the spec is unknown. */
bool grant_missing(const struct grant *grant, const char *spec, struct text *out, struct err *e);

/* ---- all types, for the registry and for players that one type opens ---- */

extern const struct player_type player_random;
extern const struct player_type player_acteval, player_minmax, player_first, player_split;
extern const struct player_type player_portfolio, player_ext;
extern const struct player_type player_uct, player_pwuct, player_muct, player_ismcts;
extern const struct player_type player_dlmc, player_aas, player_pimc, player_iimc, player_amcts;
extern const struct player_type player_gst_a, player_gst_b, player_gst_c, player_nissy;
extern const struct player_type player_guess, player_pg, player_purple, player_march, player_eacp,
    player_geist;

#endif
