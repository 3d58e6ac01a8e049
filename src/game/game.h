/* SPDX-License-Identifier: MIT
 *
 * The interface between rules and everything else. A game is one constant table of functions; a state is
 * plain bytes that own nothing, so copying bytes copies a position. Searches, players and matches use games
 * only through this header.
 *
 * Signs come from `mover`, never from ply parity: a side may act many times in a row.
 */
#ifndef GAME_GAME_H
#define GAME_GAME_H

#include "base/clock.h"
#include "base/numbers.h"
#include "base/spec.h"

#include <stddef.h>
#include <stdint.h>

typedef uint32_t action; /* packed by the game; the same meaning in every state that allows it */

enum {
    NOBODY = -1,
    GAME_STATE_MAX = 1024,
    GAME_WEIGHTS_MAX = 16,
    GAME_WORLDS_MAX = 1 << 20,
    GAME_OUTCOMES_MAX = 1 << 12
};

struct game;
struct game_face;

/* The constant context of states: map, rule set, tree parameters. Immutable, shared by threads, outlives its
 * states. Concrete scenarios begin with this. `game` is the table for the scenario's states: a game may have
 * several tables (the tactical game has a small and a wide one). */
struct scenario {
    const struct game *game;
};

/* The source of a scenario. */
struct game_source {
    const char *name; /* for messages: a file name */
    const char *text; /* the map's text; may be NULL for games without maps */
    size_t size;
    const struct spec *options; /* rules=… and so on; may be NULL */
};

/* A playout policy: the hot loop, written with the game's own inline rules. Plays in place until the game is
 * over or `turns_max` turns have passed (0: no limit; a turn in which no side can act may be added); returns
 * the number of actions played. */
struct rollout {
    const char *name, *help;
    long (*run)(void *state, struct rng *r, int turns_max);
};

/* A static evaluation of a state that need not be over: its value to a side, in the game's own units and by
 * the game's weights; the other side's value is the negative. */
struct eval {
    const char *name, *help;
    double (*value)(const void *state, int side, const double *weights);
};

/* One number by which evaluations are tuned: `values=NAME:NUMBER,…` (see weights_read). */
struct weight {
    const char *name, *help;
    double fallback;
};

/* Scores of actions before any search, higher is better. For move ordering and widening. */
struct prior {
    const char *name, *help;
    void (*score)(const void *state, const action *list, int count, float *out);
};

/* A shorter list of actions, for searches that prune. Never empty while the game goes on; all listed actions
 * are legal. */
struct action_list {
    const char *name, *help;
    int (*list)(const void *state, action *out);
    /* Of a list that follows an order drawn at random: the list for that draw, and `list` is the one for draw
     * 0. NULL: nothing is drawn. */
    int (*list_drawn)(const void *state, uint64_t draw, action *out);
};

/* The value of a player's option that its spec leaves open: {"uct", "policy", "attack"}. */
struct game_default {
    const char *player, *option, *value;
};

/* How a game is offered to users. */
struct game_offer {
    const char *public_name; /* where several tables play one game; NULL: the table's own name */
    bool takes_map;          /* it is loaded from a map; its source is a map and a rule set */
    const char *record_form; /* form of its records beside JSON: "sgf", "log"; NULL: none */
    /* All three players are set. */
    const char *opponent;      /* spec of the player that a person meets by default */
    const char *adviser;       /* spec of the player that gives hints and analyses */
    const char *commentator;   /* spec of the player whose expectations are drawn beside a live game, */
    uint64_t commentator_work; /* and its simulations for each position */
    bool can_pass, can_resign; /* are there actions that end the turn, and the game, at once? */
    action pass, resign;
};

/* Progress of the mover's turn: decisions taken (as far as the state shows) and decisions left. */
struct turn_progress {
    int taken, left;
};

/* The scale on which people count payoffs: 0 … 1 of the interface are low … high. */
struct payoff_scale {
    double low, high;
    const char *unit; /* "chips"; "" for bare numbers */
};

/* Reading and writing states and actions. Search code never sees it. */
struct notation {
    void (*write_state)(const void *state, struct text *out);
    bool (*read_state)(void *state, const struct scenario *scenario, const char *text, struct err *e);
    /* Reads a position in a foreign format without "name=value" (a server's board); NULL: there is none. */
    bool (*read_foreign)(void *state, const struct scenario *scenario, const char *text, struct err *e);
    void (*write_action)(const void *state, action a, struct text *out);
    bool (*read_action)(const void *state, const char *text, action *out,
                        struct err *e);       /* also checks legality */
    const char *(*result)(const void *state); /* "none", "red annihilation", … */
    /* Of games whose actions have fixed names: by the action's number, ended by NULL. NULL: they have not. */
    const char *const *action_names;
    /* The options that differ from their defaults, as params_write writes them: ":key=value,key=value". NULL:
     * the game's options are fields of its scenario. See game_write_spec. */
    void (*write_options)(const struct scenario *scenario, struct text *out);
    /* Of games that take a map: its text, the name of the rule set, and its author (NULL: not in the map). */
    void (*write_map)(const struct scenario *scenario, struct text *out);
    const char *(*rules)(const struct scenario *scenario);
    const char *(*map_author)(const struct scenario *scenario);
    /* All legal actions, also those that `actions` omits, at most actions_max; NULL: it omits none. */
    int (*all_actions)(const void *state, action *out);
    /* NULL: games are won, drawn or lost. Otherwise payoffs have more values, reported on this scale. */
    void (*scale)(const struct scenario *scenario, struct payoff_scale *out);
    const char *side_names[2];
};

struct game {
    const char *name, *help;
    size_t state_size; /* at most GAME_STATE_MAX */
    int actions_max;   /* no state has more actions than this */
    const struct param *options;

    size_t scenario_size; /* of a scenario that game_load makes */
    /* Fills what follows from the options; NULL: nothing. False when they cannot be played together. */
    bool (*complete)(struct scenario *scenario, const struct game_source *source, struct err *e);
    struct scenario *(*load)(const struct game_source *source, const struct game *game,
                             struct err *e); /* of games with maps, in place of both */
    void (*start)(void *state, const struct scenario *scenario, struct rng *r);

    int (*mover)(const void *state);                /* 0, 1, or NOBODY when the game is over */
    int (*actions)(const void *state, action *out); /* in a fixed documented order */
    bool (*is_legal)(const void *state,
                     action a); /* may allow more than `actions` lists (passing, for example) */
    void (*play)(void *state, action a, struct rng *r); /* r is used only where the game has chance */
    double (*payoff)(const void *state, int side); /* 0 (lost) … 1 (won), both sum to 1; only when over */
    int (*turn)(const void *state);                /* number of completed turns */
    struct turn_progress (*progress)(const void *state);
    uint64_t (*key)(const void *state);              /* equal positions, equal keys */
    uint64_t (*key_from_scratch)(const void *state); /* the same, computed from scratch: for tests */
    bool (*valid)(const void *state);                /* invariants, for tests and assertions */

    /* Chance after the start: NULL where an action determines the next state, otherwise both are set. An
     * action has a number of outcomes (1: nothing is drawn), all equally likely; `play` draws one of them. */
    int (*outcomes)(const void *state, action a);
    void (*play_outcome)(void *state, action a, int outcome);

    /* Hidden information: NULL where there is none, otherwise all four are set. A view is a state with
     * unknowns.
     *
     * `hide` erases what `side` cannot know, so that states it cannot distinguish become equal bytes (for
     * NOBODY: what not both sides know; at the start that is everything that was dealt). The view of the side
     * to move has the same mover and actions as the state. The key of a view identifies an information set.
     *
     * `worlds` is the number of states that a view allows (1 without unknowns), all equally likely: nothing
     * is inferred from play. `determinize` fills in one at random, `world` the one with that number (below
     * `worlds`, which must be at most GAME_WORLDS_MAX). */
    void (*hide)(void *state, int side);
    void (*determinize)(void *view, struct rng *r);
    double (*worlds)(const void *view);
    void (*world)(void *view, uint64_t number);

    /* Bounds on the payoff of side 0 for any play from here; NULL: no bounds before the end. */
    void (*bounds)(const void *state, double *low, double *high);

    /* The same under best play: what side 0 can force, and what the other side can hold it to. At least as
     * narrow as `bounds`; NULL: the same as `bounds`. */
    void (*secured)(const void *state, double *low, double *high);

    /* Each ended by a NULL name; the first is the default. */
    const struct rollout *rollouts;
    const struct eval *evals;
    const struct weight *weights; /* at most GAME_WEIGHTS_MAX */
    const struct prior *priors;
    const struct action_list *lists;     /* the first is `actions` */
    const struct game_default *defaults; /* ended by a NULL player; NULL: there are none */
    const struct game_offer *offer;      /* NULL: no map, and players for every game */
    const struct game_face *face;        /* game/face.h; NULL: states and actions as text */
    const struct notation *text;
};

/* ---- the registry ---- */

/* All tables, ended by NULL. */
extern const struct game *const game_tables[];

/* NULL when there is none of that name. */
const struct game *game_find(const char *name);

/* Loads a game from its source. Options are fields of the scenario, which is one block of memory. */
struct scenario *game_load(const struct game *game, const struct game_source *source, struct err *e);
void game_unload(struct scenario *scenario); /* may be NULL */

/* Loads a map under that rule set; NULL: the game's default. The source's options are ignored. */
struct scenario *game_load_map(const struct game *game, const char *rules, const struct game_source *map,
                               struct err *e);

/* Loads a game that needs no map from its spec: "synth:df=0.5,depth=8". */
struct scenario *game_load_spec(const char *spec, struct err *e);

/* Appends the spec from which game_load_spec (of a game with maps: together with its map) makes the same
 * scenario: "synth:df=0.5,depth=8". */
void game_write_spec(const struct scenario *scenario, struct text *out);

/* The same as the engine protocol's `newgame` takes it: the public name and options, "tbs rules=paper". */
void game_write_newgame(const struct scenario *scenario, struct text *out);

/* Appends the state in its notation on one line, without a line end. */
void game_write_line(const struct game *game, const void *state, struct text *out);

/* Reads a position in the game's own notation, which consists of fields (name=value), or in its foreign
 * format. */
bool game_read_position(const struct scenario *scenario, const char *text, void *state, struct err *e);

/* ---- questions that every game answers ---- */

/* True when the start and the actions determine the state, and all see it: then a history of actions says
 * everything. Otherwise players outside are sent views. */
static inline bool game_is_determined(const struct game *game) {
    return game->hide == NULL && game->outcomes == NULL;
}

/* Number of outcomes of an action, all equally likely. */
static inline int game_outcomes(const struct game *game, const void *state, action a) {
    return game->outcomes != NULL ? game->outcomes(state, a) : 1;
}

/* Plays the action with that outcome. Games without chance have only outcome 0. */
static inline void game_play_outcome(const struct game *game, void *state, action a, int outcome) {
    if (game->outcomes != NULL)
        game->play_outcome(state, a, outcome);
    else
        game->play(state, a, NULL);
}

/* The view of `side`; the whole state where nothing is hidden. `out` has room for a state. */
void game_view(const struct game *game, const void *state, int side, void *out);

/* The scale of payoffs; false where games are won, drawn or lost, on a scale of 0 to 1. */
bool game_scale(const struct scenario *scenario, struct payoff_scale *out);

/* A payoff (0 … 1) on that scale. */
double game_payoff_scaled(const struct scenario *scenario, double payoff);

/* NULL when the game has none of that name. */
const struct rollout *game_rollout(const struct game *game, const char *name);
const struct eval *game_eval(const struct game *game, const char *name);
const struct prior *game_prior(const struct game *game, const char *name);
const struct action_list *game_list(const struct game *game, const char *name);

const struct game_offer *game_offer(const struct game *game); /* never NULL */
const char *game_public_name(const struct game *game);

/* The game's default for an option of a player; "" where it has none. */
const char *game_default(const struct game *game, const char *player, const char *option);

/* ---- weights, and the text that sets them: "F:1,A:100" ---- */

/* The game's default weights; `out` has GAME_WEIGHTS_MAX places. */
void weights_default(const struct game *game, double *out);

/* Sets the weights named in the text ("NAME:NUMBER,NAME:NUMBER"; may be empty) and leaves the others. Names
 * are compared without regard to case. */
bool weights_read(const struct game *game, const char *text, double *out, struct err *e);

/* ---- laws that every game obeys (check.c) ---- */

/* They cover what all games have in common: copies, keys, notation, views. They do not replace perft, golden
 * games and position pictures, which define one game's rules. */

/* Plays `games` random games from the scenario's start and checks every law at every position. False with the
 * first broken law; the sentence names seed, game and ply, and the same arguments reproduce it. */
bool game_check(const struct scenario *scenario, int games, uint64_t seed, struct err *e);

/* ---- counting ---- */

/* Counts the sequences of `depth` actions and their outcomes (over `actions`; a game that ends earlier has
 * none; outcomes of the last action are not counted). False
 * when the budget ended (may be NULL; a unit of work is a position whose actions are listed). */
bool game_perft(const struct game *game, const void *state, int depth, const struct budget *budget,
                uint64_t *nodes);

/* Counts the decisions of a turn. The state does not show all of them: only a caller that watches the turn
 * from its beginning can count. */

/* True while it is that side's turn number `turn`. */
static inline bool turn_goes_on(const struct game *game, const void *state, int side, int turn) {
    return game->mover(state) == side && game->turn(state) == turn;
}

struct turn_count {
    int turn, mover, taken;
};

static inline void turn_count_start(struct turn_count *count, const struct game *game, const void *state) {
    *count = (struct turn_count){game->turn(state), game->mover(state), 0};
}

/* Call it after an action was played. */
static inline void turn_count_step(struct turn_count *count, const struct game *game, const void *state) {
    const int turn = game->turn(state), mover = game->mover(state);
    count->taken = turn == count->turn && mover == count->mover ? count->taken + 1 : 0;
    count->turn = turn;
    count->mover = mover;
}

#endif
