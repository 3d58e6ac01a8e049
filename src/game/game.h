/* SPDX-License-Identifier: MIT
 *
 * The interface between rules and everything else. A game is one constant table of functions; a state is
 * plain bytes that own nothing, so copying bytes copies a position. Searches, players and matches know games
 * only through this header.
 *
 * Signs come from `mover`, never from ply parity: a side may act many times in a row.
 */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include "base/budget.h"
#include "base/err.h"
#include "base/rng.h"
#include "base/spec.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

typedef uint32_t action; /* packed by the game; the same meaning in every state that allows it */

enum { NOBODY = -1, GAME_STATE_MAX = 1024, GAME_WEIGHTS_MAX = 16, GAME_WORLDS_MAX = 1 << 20 };

struct game;

/* What a state is about but does not contain: map, rule set, tree parameters. Immutable, shared by threads,
 * outlives its states. Concrete scenarios begin with this. The table here is the one to use with the
 * scenario's states: a game may have several tables (the tactical game has a small and a wide one). */
struct scenario {
    const struct game *game;
};

/* Where a scenario comes from. */
struct game_source {
    const char *name; /* for messages: a file name */
    const char *text; /* the map's text; may be NULL for games without maps */
    size_t size;
    const struct spec *options; /* rules=… and so on; may be NULL */
};

/* A playout policy: the hot loop, written with the game's own inline rules. Plays on in place until the game
 * is over or `turns_max` turns have passed (0: no such limit; a turn in which nobody can act may come on
 * top); returns how many actions were played. */
struct rollout {
    const char *name, *help;
    long (*run)(void *state, struct rng *r, int turns_max);
};

/* A static evaluation of a state that may still go on: what it is worth to a side, in the game's own units
 * and by the game's weights; the other side's worth is the negative. */
struct eval {
    const char *name, *help;
    double (*value)(const void *state, int side, const double *weights);
};

/* One number the evaluations can be tuned by: `values=NAME:NUMBER,…` (see weights_read). */
struct weight {
    const char *name, *help;
    double fallback;
};

/* How promising actions look before any search, higher first; equal scores are equal. For move ordering and
 * widening. */
struct prior {
    const char *name, *help;
    void (*score)(const void *state, const action *list, int count, float *out);
};

/* A way to list fewer actions than all: what a search that prunes looks at. Never empty while somebody is to
 * move, everything listed is legal. */
struct action_list {
    const char *name, *help;
    int (*list)(const void *state, action *out);
};

/* The value of a player's option that its spec leaves open: {"uct", "policy", "attack"}. */
struct game_default {
    const char *player, *option, *value;
};

/* How a game is offered to users. */
struct game_offer {
    const char *public_name;   /* where several tables play one game; NULL: the table's own name */
    bool takes_map;            /* it is loaded from a map; its source is a map and a rule set */
    const char *opponent;      /* spec of the player that a person meets by default */
    const char *adviser;       /* spec of the player that gives hints and analyses */
    const char *commentator;   /* spec of the player whose expectations are drawn beside a live game, */
    uint64_t commentator_work; /* and its simulations for each position */
    bool can_pass, can_resign; /* are there actions that end the turn, and the game, at once? */
    action pass, resign;
};

/* How far the mover's turn is: decisions taken in it (as far as the state shows) and still to take. */
struct turn_progress {
    int taken, left;
};

/* How people count payoffs: 0 … 1 of the interface are low … high of these. */
struct payoff_scale {
    double low, high;
    const char *unit; /* "chips"; "" for bare numbers */
};

/* Reading and writing states and actions. Search code never sees it. */
struct notation {
    void (*write_state)(const void *state, struct text *out);
    bool (*read_state)(void *state, const struct scenario *scenario, const char *text, struct err *e);
    /* A position as others write it, without "name=value" in it (a server's board); NULL: nobody does. */
    bool (*read_foreign)(void *state, const struct scenario *scenario, const char *text, struct err *e);
    void (*write_action)(const void *state, action a, struct text *out);
    bool (*read_action)(const void *state, const char *text, action *out,
                        struct err *e);       /* also checks legality */
    const char *(*result)(const void *state); /* "none", "red annihilation", … */
    /* What the scenario was made from: the map's text (nothing for games without maps) and the options that
     * differ from their defaults, "key=value key=value". Loading that gives the same scenario. */
    void (*write_source)(const struct scenario *scenario, struct text *map, struct text *options);
    /* NULL: games are won, drawn or lost. Otherwise payoffs have shades, and this is how they are told. */
    void (*scale)(const struct scenario *scenario, struct payoff_scale *out);
    const char *side_names[2];
};

struct game {
    const char *name, *help;
    size_t state_size; /* at most GAME_STATE_MAX */
    int actions_max;   /* no state has more actions than this */
    const struct param *options;

    struct scenario *(*load)(const struct game_source *source, struct err *e);
    void (*unload)(struct scenario *scenario);
    void (*start)(void *state, const struct scenario *scenario, struct rng *r);

    int (*mover)(const void *state);                /* 0, 1, or NOBODY when the game is over */
    int (*actions)(const void *state, action *out); /* in a fixed documented order */
    bool (*is_legal)(const void *state, action a);  /* may allow more than `actions` lists (passing, say) */
    void (*play)(void *state, action a, struct rng *r); /* r only where the model has chance */
    double (*payoff)(const void *state, int side); /* 0 (lost) … 1 (won), both sum to 1; only when over */
    int (*turn)(const void *state);                /* how many turns were completed */
    struct turn_progress (*progress)(const void *state);
    uint64_t (*key)(const void *state);              /* equal positions, equal keys */
    uint64_t (*key_from_scratch)(const void *state); /* the same, computed anew: for tests */
    bool (*valid)(const void *state);                /* invariants, for tests and assertions */

    /* What is hidden: NULL where nothing is, all four together otherwise. A view is a state with unknowns.
     *
     * `hide` erases what `side` cannot know, so that two states that look alike to it become equal bytes
     * (asked for NOBODY: what not both know; at the start that is everything that was dealt). The view of who
     * is to move has the mover and the actions of the state. The key of a view is that of an information set.
     *
     * `worlds` says how many states a view can be (1 when nothing is unknown in it), all of them equally
     * likely: nothing is concluded from how others have played. `determinize` fills in one at random, `world`
     * the one with that number (below `worlds`, which must be at most GAME_WORLDS_MAX). */
    void (*hide)(void *state, int side);
    void (*determinize)(void *view, struct rng *r);
    double (*worlds)(const void *view);
    void (*world)(void *view, uint64_t number);

    /* Bounds on the payoff of side 0 whatever is played from here; NULL: nothing is known before the end. */
    void (*bounds)(const void *state, double *low, double *high);

    /* The same under best play: what side 0 can secure, and what the other side can hold it to. At least as
     * narrow as `bounds`; NULL: no more is known than that. */
    void (*secured)(const void *state, double *low, double *high);

    /* Each ended by a NULL name; the first is the default. */
    const struct rollout *rollouts;
    const struct eval *evals;
    const struct weight *weights; /* at most GAME_WEIGHTS_MAX */
    const struct prior *priors;
    const struct action_list *lists;     /* the first is `actions` */
    const struct game_default *defaults; /* ended by a NULL player; NULL: there are none */
    const struct game_offer *offer;      /* NULL: game_plain_offer */
    const struct notation *text;
};

/* ---- the registry ---- */

/* All tables, ended by NULL. */
extern const struct game *const game_tables[];

/* NULL when there is none of that name. */
const struct game *game_find(const char *name);

/* Loads a map (the source's options are left empty) under that rule set; NULL: the game's usual one. */
struct scenario *game_load_map(const struct game *game, const char *rules, const struct game_source *map,
                               struct err *e);

/* Loads a game that needs no map from its spec: "synth:df=0.5,depth=8". */
struct scenario *game_load_spec(const char *spec, struct err *e);

/* Reads a position as people have it: in the game's own notation, which is fields (name=value), or in the
 * other one that the game knows. */
bool game_read_position(const struct scenario *scenario, const char *text, void *state, struct err *e);

/* ---- questions that every game answers ---- */

/* What `side` sees of a state; all of it where nothing is hidden. `out` has room for a state. */
void game_view(const struct game *game, const void *state, int side, void *out);

/* How people count payoffs there; false where games are won, drawn or lost, and that is 0 to 1. */
bool game_scale(const struct scenario *scenario, struct payoff_scale *out);

/* A payoff (0 … 1) as people count it. */
double game_payoff_shown(const struct scenario *scenario, double payoff);

/* NULL when the game has none of that name. */
const struct rollout *game_rollout(const struct game *game, const char *name);
const struct eval *game_eval(const struct game *game, const char *name);
const struct prior *game_prior(const struct game *game, const char *name);
const struct action_list *game_list(const struct game *game, const char *name);

/* Of games that bring none: no map, and a player for every game. */
extern const struct game_offer game_plain_offer;
const struct game_offer *game_offer(const struct game *game); /* never NULL */
const char *game_public_name(const struct game *game);

/* What the game names for an option of a player; "" where it names nothing. */
const char *game_default(const struct game *game, const char *player, const char *option);

/* ---- weights, and the text that sets them: "F:1,A:100" ---- */

/* All weights as the game has them; `out` has GAME_WEIGHTS_MAX places. */
void weights_default(const struct game *game, double *out);

/* Sets those named in the text ("NAME:NUMBER,NAME:NUMBER"; empty: none) and leaves the others. Names are
 * matched without regard to case. */
bool weights_read(const struct game *game, const char *text, double *out, struct err *e);

/* ---- counting ---- */

/* Counts the action sequences of length `depth` (over `actions`; a game that ends earlier has none). False
 * when the budget (may be NULL; its work is positions whose actions are listed) ended on the way or memory
 * ran out. */
bool game_perft(const struct game *game, const void *state, int depth, const struct budget *budget,
                uint64_t *nodes);

/* Where a turn ends, and how many decisions the mover has taken in it: only a caller that watched the turn
 * from its beginning can count them. */

/* Is it still that side's turn number `turn`? */
static inline bool turn_goes_on(const struct game *game, const void *state, int side, int turn) {
    return game->mover(state) == side && game->turn(state) == turn;
}

struct turn_count {
    int turn, mover, taken;
};

static inline void turn_count_start(struct turn_count *count, const struct game *game, const void *state) {
    *count = (struct turn_count){game->turn(state), game->mover(state), 0};
}

/* After an action was played. */
static inline void turn_count_step(struct turn_count *count, const struct game *game, const void *state) {
    const int turn = game->turn(state), mover = game->mover(state);
    count->taken = turn == count->turn && mover == count->mover ? count->taken + 1 : 0;
    count->turn = turn;
    count->mover = mover;
}

#endif
