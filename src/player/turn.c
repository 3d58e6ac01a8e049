/* SPDX-License-Identifier: MIT
 *
 * The players of Sato, Fujiki and Ikeda that search turns without a tree.
 *
 * `minmax`: full-width search with an evaluation at its end (section 4.1). It is asked once per unit action
 * and searches the rest of its turn each time; the depth counts turns, so the answers of one turn add up to
 * the line it found at the beginning. prune=attacks and order=fixed are the paper's remedy (b) against the
 * size of a turn, eval=threat is remedy (c).
 *
 * `aas`: attack action search (sections 4.3.4 and A.2.3). Enumerates the orders in which units can attack in
 * this turn, and completes each to a whole turn.
 *
 * `dlmc`: depth-limited Monte Carlo (sections 4.3.3 and A.2.4). Draws whole turns at random and values each
 * by short simulations and the linear evaluation. In the paper's evaluation infantry counts for a fifth.
 *
 * aas and dlmc decide a turn once, at its first decision, and play it from a plan: asking again after every
 * action would search the same turn with a smaller budget.
 */
#include "player/common.h"
#include "search/minmax.h"
#include "search/turns.h"
#include "search/values.h"

#include <string.h>

struct options {
    struct common_options common;
    char values[PARAM_TEXT_MAX]; /* weights of the evaluation */
    int nodes, memory_mb;        /* minmax and aas */
    struct minmax_settings minmax;
    int prune, order, ties; /* minmax */
    bool alphabeta;
    char eval_name[PARAM_TEXT_MAX], sort[PARAM_TEXT_MAX];
    struct sequences_settings sequences; /* aas */
    int eval;
    struct turns_settings turns; /* dlmc */
    char policy[PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

static const struct param minmax_params[] = {
    {"depth", PARAM_INT, AT(minmax.turns), 0, 9999, 1,
     .help = "in turns, the one under way included; 0: until the budget ends"},
    {"plies", PARAM_INT, AT(minmax.plies), 0, MINMAX_PLIES_MAX, 0,
     .help = "depth in single actions instead; 0: depth counts"},
    {"values", PARAM_TEXT, AT(values), .power = PARAM_WORD,
     .help = "weights of the evaluation: NAME:NUMBER,…; those left out are the game's own; auto: estimated "
             "for each position by simulations"},
    {"eval", PARAM_TEXT, AT(eval_name), .power = PARAM_WORD,
     .help = "the game's evaluation to use (tactical game: linear or threat); empty: its first"},
    {"prune", PARAM_CHOICE, AT(prune), .choices = "none|attacks|early",
     .help = "plain moves that are not looked at: attacks: all; early: those while a unit can attack"},
    {"order", PARAM_CHOICE, AT(order), .choices = "any|fixed|random",
     .help = "units act in one order only; fixed: most HP first; random: drawn for each turn"},
    {"sort", PARAM_TEXT, AT(sort), .choices = "damage", .power = PARAM_WORD,
     .help = "what is looked at first (tactical game: damage, attacks); none: as listed"},
    {"nodes", PARAM_INT, AT(nodes), 0, 2147483647, 10000000,
     .help = "positions a turn, then the best so far is played; 0: no limit"},
    COMMON_TIME,
    COMMON_SEED,
    {"ties", PARAM_CHOICE, AT(ties), .choices = "first|random", .help = "which of equally good actions"},
    {"table", PARAM_SWITCH, AT(minmax.table), .fallback = 1,
     .help = "remember positions reached in several ways"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64, .help = "megabytes for that"},
    {"alphabeta", PARAM_SWITCH, AT(alphabeta), .fallback = 1,
     .help = "leave out what cannot change the answer; without it, the table and sort: plain Min-Max"},
    {0},
};

/* The choices of `rest` are in the order of enum sequences_rest. */
static const struct param aas_params[] = {
    {"length", PARAM_INT, AT(sequences.length), 0, SEQUENCES_LENGTH_MAX, 0,
     .help = "attacks in a sequence at most; 0: as many as there are units"},
    {"rest", PARAM_CHOICE, AT(sequences.rest), .choices = "random|greedy|stay",
     .help = "what the other units do: any legal action, what gains most at once, or nothing"},
    {"samples", PARAM_INT, AT(sequences.samples), 1, 10000, 1,
     .help = "how many times each sequence is completed at random; the best counts"},
    {"eval", PARAM_CHOICE, AT(eval), .choices = "linear|threat",
     .help = "evaluation after the turn: HP, or also HP that may be lost in the enemy's next turn"},
    {"values", PARAM_TEXT, AT(values), .power = PARAM_WORD,
     .help = "weights of the evaluation, F:1,I:0.2 say: what one HP of each type is worth (default: the "
             "game's); auto: estimated for each position by simulations"},
    {"merge", PARAM_SWITCH, AT(sequences.merge), .fallback = 1,
     .help = "evaluate positions that several orders lead to only once"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 4096, 16, .help = "megabytes for positions that were merged"},
    {"nodes", PARAM_INT, AT(nodes), 0, 2000000000, 1000000,
     .help = "positions evaluated in a turn at most; 0: no limit"},
    COMMON_TIME,
    COMMON_SEED,
    {0},
};

static const struct param dlmc_params[] = {
    {"turns", PARAM_INT, AT(turns.turns), 1, 1000000, 200,
     .help = "how many whole turns are drawn at random"},
    {"sims", PARAM_INT, AT(turns.sims), 1, 1000000, 100, .help = "random simulations from the end of each"},
    {"horizon", PARAM_INT, AT(turns.horizon), 0, 10000, 2,
     .help = "turns a simulation plays after the drawn one: 1 the enemy's, 2 the enemy's and one's own; 0: "
             "none, only the evaluation"},
    {"values", PARAM_TEXT, AT(values), .power = PARAM_WORD,
     .help = "weights of the evaluation at the end of a simulation, F:1,I:0.2 say: what one HP of each type "
             "is worth (default: the game's); auto: estimated for each position by simulations"},
    {"policy", PARAM_TEXT, AT(policy), .power = PARAM_WORD,
     .help = "how simulations are played ('senjutsu games' lists the ways; default: the game's)"},
    COMMON_TIME,
    COMMON_SEED,
    COMMON_THREADS("threads for one decision; the answer is the same for any number"),
    {0},
};

struct turn_player {
    struct player player; /* first member */
    struct options options;
    double weights[GAME_WEIGHTS_MAX];
    bool estimates; /* values=auto: the weights are those of the current position … */
    struct values_settings values;
    double before[GAME_WEIGHTS_MAX]; /* … and these are the ones to start from */
    struct minmax_cache *cache;      /* minmax */
    struct sequences *sequences;     /* aas */
    struct turns *turns;             /* dlmc */
    struct plan plan;                /* aas and dlmc */
};

/* Also after an open that failed: what was not opened is NULL. */
static void close_turn(struct player *player) {
    struct turn_player *p = (struct turn_player *)player;
    minmax_cache_close(p->cache);
    sequences_close(p->sequences);
    turns_close(p->turns);
    plan_done(&p->plan);
}

/* The game's linear evaluation, or its first; NULL when it has none. */
static const struct eval *linear_eval(const struct game *game) {
    const struct eval *found = game_eval(game, "linear");
    return found != NULL || game->evals == NULL || game->evals[0].name == NULL ? found : &game->evals[0];
}

/* Opens values=auto: simulations as UCT plays them, the sum that the values are weights of. */
static bool open_estimate(const struct game *game, struct turn_player *p, int turns, struct err *e) {
    p->estimates = true;
    p->values = (struct values_settings){
        .eval = linear_eval(game), .before = p->before, .turns = turns > 0 ? turns : 1};
    if (p->values.eval == NULL || game->weights == NULL)
        return err_set(e, "values=auto: the evaluation of %s has no values", game->name);
    return (p->values.rollout = common_rollout("uct", game, "", e)) != NULL;
}

/* The game's weights, changed by `values` ("" and "auto": by what the game names for this player). `turns` is
 * the depth of the search, as far as it is known. */
static bool read_weights(const struct game *game, struct turn_player *p, int turns, struct err *e) {
    const char *values = p->options.values, *player = p->player.type->name;
    const bool is_auto = strcmp(values, "auto") == 0;
    weights_default(game, p->weights);
    if (!weights_read(game, values[0] != '\0' && !is_auto ? values : game_default(game, player, "values"),
                      p->weights, e))
        return false;
    memcpy(p->before, p->weights, sizeof p->before);
    return !is_auto || open_estimate(game, p, turns, e);
}

/* With values=auto the weights for this task; its time is taken from the task's. */
static void estimate(struct turn_player *p, struct search_task *task) {
    if (!p->estimates)
        return;
    const struct clock *clock = task->budget.clock;
    const int64_t start_ns = clock != NULL ? clock_now_ns(clock) : 0;
    values_estimate(task, &p->values, p->weights);
    common_take_time(&task->budget, start_ns);
}

/* ---- minmax ---- */

/* Reports a value that the game does not have; `known` is released. */
static bool is_unknown(const char *option, const char *value, const struct game *game, struct text *known,
                       struct err *e) {
    err_set(e, "minmax: %s=%s is unknown; %s has %s", option, value, game->name, text_string(known));
    text_done(known);
    return false;
}

/* The default order applies only where the game has such a prior; other games are searched in list order. */
static bool find_eval_and_order(const struct game *game, struct options *o, struct err *e) {
    struct text known = {0};
    if (game->evals == NULL || game->evals[0].name == NULL)
        return err_set(e, "minmax needs an evaluation, and %s has none", game->name);
    o->minmax.eval = o->eval_name[0] == '\0' ? &game->evals[0] : game_eval(game, o->eval_name);
    o->minmax.order = game_prior(game, o->sort);
    if (o->minmax.eval == NULL) {
        for (const struct eval *eval = game->evals; eval->name != NULL; eval++)
            text_add(&known, "%s%s", eval == game->evals ? "" : ", ", eval->name);
        return is_unknown("eval", o->eval_name, game, &known, e);
    }
    if (o->minmax.order != NULL || strcmp(o->sort, "none") == 0 || strcmp(o->sort, "damage") == 0)
        return true;
    for (const struct prior *prior = game->priors; prior != NULL && prior->name != NULL; prior++)
        if (strcmp(prior->name, "none") != 0)
            text_add(&known, "%s, ", prior->name);
    text_add_string(&known, "none");
    return is_unknown("sort", o->sort, game, &known, e);
}

static bool open_minmax(struct player *player, const struct game *game, struct err *e) {
    static const char *const lists[3][3] = {{NULL, "fixed", "random"},
                                            {"attacks", "fixed-attacks", "random-attacks"},
                                            {"late-moves", "fixed-late-moves", "random-late-moves"}};
    struct turn_player *p = (struct turn_player *)player;
    struct options *o = &p->options;
    struct minmax_settings *s = &o->minmax;
    const char *list = lists[o->prune][o->order];
    s->weights = p->weights;
    s->random_ties = o->ties == 1;
    s->exhaustive = !o->alphabeta;
    if (!read_weights(game, p, s->turns, e))
        return err_prefix(e, "minmax: ");
    if (!find_eval_and_order(game, o, e))
        return false;
    s->list = list != NULL ? game_list(game, list) : NULL;
    if (list != NULL && s->list == NULL)
        return err_set(e, "minmax: %s cannot list its actions as '%s'", game->name, list);
    s->cache = p->cache = minmax_cache_open(game, s->table ? (size_t)o->memory_mb << 20 : 0, e);
    return p->cache != NULL || err_prefix(e, "minmax: ");
}

/* One order for all decisions of a turn. In a game with a history its number and the turn determine the
 * order; otherwise every decision draws one of its own. */
static uint64_t draw_order(const struct ask *ask, const struct search_task *task, int seed) {
    const uint64_t turn = (uint64_t)ask->game->turn(ask->view);
    if (seed != 0)
        return rng_mix((uint64_t)seed) + turn;
    return ask->history != NULL ? rng_mix(ask->history->id) + turn : rng_next(task->rng);
}

static void choose_minmax(struct player *player, const struct ask *ask, struct answer *out) {
    struct turn_player *p = (struct turn_player *)player;
    struct rng own;
    struct search_task task = common_task(ask, &p->options.common, (uint64_t)p->options.nodes, &own);
    struct minmax_settings settings = p->options.minmax;
    /* Without any limit the search would not end: then one turn is searched. */
    if (settings.turns == 0 && settings.plies == 0 && task.budget.work_max == 0 &&
        task.budget.time_ns_max == 0)
        settings.turns = 1;
    if (settings.list != NULL && settings.list->list_drawn != NULL)
        settings.draw = draw_order(ask, &task, p->options.common.seed);
    estimate(p, &task);
    struct search_result result;
    minmax_search(&task, &settings, &result);
    common_answer(&result, out);
}

/* ---- aas and dlmc ---- */

/* In a game without a list of attacks every action counts as one: the sequences are whole turns. */
static void score_all(const void *state, const action *list, int count, float *out) {
    (void)state, (void)list;
    for (int i = 0; i < count; i++)
        out[i] = 1;
}

static const struct prior all_attack = {.name = "all", .score = score_all};

/* The game names its attacks by a list and a score of that name; other games have sequences of all
 * actions. */
static bool open_aas(struct player *player, const struct game *game, struct err *e) {
    struct turn_player *p = (struct turn_player *)player;
    struct sequences_settings *s = &p->options.sequences;
    const bool threat = p->options.eval == 1;
    const bool names_attacks = game_list(game, "attacks") != NULL && game_prior(game, "attacks") != NULL;
    s->list = names_attacks ? game_list(game, "attacks") : game->lists;
    s->attacks = names_attacks ? game_prior(game, "attacks") : &all_attack;
    s->order = game_prior(game, "damage");
    s->eval = threat ? game_eval(game, "threat") : linear_eval(game);
    s->weights = p->weights;
    s->moves_matter = threat || !names_attacks;
    s->has_pass = game_offer(game)->can_pass;
    s->pass = game_offer(game)->pass;
    if (s->eval == NULL)
        return err_set(e, "aas: %s has no evaluation%s", game->name, threat ? " threat" : "");
    if (s->rest == SEQUENCES_STAY && !s->has_pass)
        return err_set(e, "aas: rest=stay: in %s a turn cannot be ended", game->name);
    plan_init(&p->plan, game);
    const size_t bytes = s->merge ? (size_t)p->options.memory_mb << 20 : 0;
    return (read_weights(game, p, 1, e) && (p->sequences = sequences_open(game, bytes, e)) != NULL) ||
           err_prefix(e, "aas: ");
}

static bool open_dlmc(struct player *player, const struct game *game, struct err *e) {
    struct turn_player *p = (struct turn_player *)player;
    struct turns_settings *s = &p->options.turns;
    s->rollout = common_rollout("dlmc", game, p->options.policy, e);
    s->eval = linear_eval(game);
    s->weights = p->weights;
    if (s->rollout == NULL)
        return false;
    if (s->eval == NULL)
        return err_set(e, "dlmc: %s has no evaluation", game->name);
    if (!read_weights(game, p, 1 + s->horizon, e))
        return err_prefix(e, "dlmc: ");
    plan_init(&p->plan, game);
    p->turns = turns_open(game, p->options.common.threads);
    return true;
}

/* Decides the whole turn at its first decision; the plan answers for the others. */
static void choose_turn(struct player *player, const struct ask *ask, struct answer *out) {
    struct turn_player *p = (struct turn_player *)player;
    const struct options *o = &p->options;
    if (plan_answer(&p->plan, ask, out))
        return;
    struct rng own;
    struct turns_result found;
    struct search_task task = plan_task(ask, &o->common, (uint64_t)o->nodes, &own);
    estimate(p, &task);
    if (p->turns != NULL) /* dlmc, which has no limit of nodes */
        turns_search(p->turns, &task, &o->turns, &found);
    else
        sequences_search(p->sequences, &task, &o->sequences, &found);
    plan_make(&p->plan, ask, &found.line, found.result.value);
    common_answer(&found.result, out);
}

#define TURN_TYPE(own_name, own_params, own_open, own_choose, own_help)                                      \
    {                                                                                                        \
        .name = own_name, .help = own_help, .games = PLAYER_OPEN_GAMES, .size = sizeof(struct turn_player),  \
        .params = own_params, .options_size = sizeof(struct options), .open = own_open,                      \
        .choose = own_choose, .close = close_turn                                                            \
    }

const struct player_type player_minmax =
    TURN_TYPE("minmax", minmax_params, open_minmax, choose_minmax,
              "searches everything to a depth: Min-Max with alpha-beta and a transposition table");

const struct player_type player_aas = TURN_TYPE(
    "aas", aas_params, open_aas, choose_turn,
    "attack action search: every order of attacks in this turn, completed, evaluated; plays the best");
const struct player_type player_dlmc = TURN_TYPE(
    "dlmc", dlmc_params, open_dlmc, choose_turn,
    "depth-limited Monte Carlo: draws whole turns, values each by short simulations, plays the best");
