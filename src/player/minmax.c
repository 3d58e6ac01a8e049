/* SPDX-License-Identifier: MIT
 *
 * `minmax`: full-width search with an evaluation at its end (Sato, Fujiki and Ikeda, section 4.1). It is
 * asked once per unit action and searches the rest of its turn each time; the depth counts turns, so the
 * answers of one turn add up to the line it found at the beginning. prune=attacks and order=fixed are the
 * paper's remedy (b) against the size of a turn, eval=threat is remedy (c).
 */
#include "player/common.h"
#include "player/player.h"
#include "search/minmax.h"

#include <assert.h>
#include <string.h>

struct options {
    struct common_options common;
    struct minmax_settings minmax;
    int depth, nodes, prune, order, ties, memory_mb;
    char values[PARAM_TEXT_MAX], eval[PARAM_TEXT_MAX], sort[PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

static const struct param params[] = {
    {"depth", PARAM_INT, AT(depth), 0, 9999, 1,
     .help = "in turns, the one under way included; 0: until the budget ends"},
    {"plies", PARAM_INT, AT(minmax.plies), 0, MINMAX_PLIES_MAX, 0,
     .help = "depth in single actions instead; 0: depth counts"},
    {"values", PARAM_TEXT, AT(values),
     .help = "weights of the evaluation: NAME:NUMBER,…; those left out are the game's own",
     .power = PARAM_WORD},
    {"eval", PARAM_TEXT, AT(eval),
     .help = "the game's evaluation to use (tactical game: linear or threat); empty: its first",
     .power = PARAM_WORD},
    {"prune", PARAM_CHOICE, AT(prune), .choices = "none|attacks",
     .help = "attacks: plain moves are not looked at"},
    {"order", PARAM_CHOICE, AT(order), .choices = "any|fixed", .help = "fixed: units act in one order only"},
    {"sort", PARAM_TEXT, AT(sort), .choices = "damage",
     .help = "what is looked at first (tactical game: damage, attacks); none: as listed",
     .power = PARAM_WORD},
    {"nodes", PARAM_INT, AT(nodes), 0, 2147483647, 10000000,
     .help = "positions a turn, then the best so far is played; 0: no limit"},
    COMMON_TIME,
    COMMON_SEED,
    {"ties", PARAM_CHOICE, AT(ties), .choices = "first|random", .help = "which of equally good actions"},
    {"table", PARAM_SWITCH, AT(minmax.table), .fallback = 1,
     .help = "remember positions reached in several ways"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64, .help = "megabytes for that"},
    {0},
};

struct minmax_player {
    struct player player; /* first member */
    struct options options;
    double weights[GAME_WEIGHTS_MAX];
};

/* Reports a value that the game does not have; `known` is released. */
static bool is_unknown(const char *option, const char *value, const struct game *game, struct text *known,
                       struct err *e) {
    err_set(e, "minmax: %s=%s is unknown; %s has %s", option, value, game->name, text_string(known));
    text_done(known);
    return false;
}

static bool find_eval(const struct game *game, struct options *o, struct err *e) {
    if (game->evals == NULL || game->evals[0].name == NULL)
        return err_set(e, "minmax needs an evaluation, and %s has none", game->name);
    o->minmax.eval = o->eval[0] == '\0' ? &game->evals[0] : game_eval(game, o->eval);
    if (o->minmax.eval != NULL)
        return true;
    struct text known = {0};
    for (const struct eval *eval = game->evals; eval->name != NULL; eval++)
        text_add(&known, "%s%s", eval == game->evals ? "" : ", ", eval->name);
    return is_unknown("eval", o->eval, game, &known, e);
}

/* The default applies only where the game has such a prior; other games are searched in list order. */
static bool find_order(const struct game *game, struct options *o, struct err *e) {
    o->minmax.order = game_prior(game, o->sort);
    if (o->minmax.order != NULL || strcmp(o->sort, "none") == 0 || strcmp(o->sort, "damage") == 0)
        return true;
    struct text known = {0};
    for (const struct prior *prior = game->priors; prior != NULL && prior->name != NULL; prior++)
        text_add(&known, "%s, ", prior->name);
    text_add_string(&known, "none");
    return is_unknown("sort", o->sort, game, &known, e);
}

/* Depth in plies replaces depth in turns. */
static bool open_minmax(struct player *player, const struct game *game, struct err *e) {
    static const char *const lists[2][2] = {{NULL, "fixed"}, {"attacks", "fixed-attacks"}};
    struct minmax_player *p = (struct minmax_player *)player;
    struct options *o = &p->options;
    struct minmax_settings *s = &o->minmax;
    const char *list = lists[o->prune][o->order];
    s->turns = s->plies > 0 ? 0 : o->depth;
    s->weights = p->weights;
    s->random_ties = o->ties == 1;
    weights_default(game, p->weights);
    if (!weights_read(game, o->values, p->weights, e))
        return err_prefix(e, "minmax: ");
    if (!find_eval(game, o, e) || !find_order(game, o, e))
        return false;
    s->list = list != NULL ? game_list(game, list) : NULL;
    if (list != NULL && s->list == NULL)
        return err_set(e, "minmax: %s cannot list its actions as '%s'", game->name, list);
    s->cache = minmax_cache_open(game, s->table ? (size_t)o->memory_mb << 20 : 0, e);
    return s->cache != NULL || err_prefix(e, "minmax: ");
}

static void choose_minmax(struct player *player, const struct ask *ask, struct answer *out) {
    struct minmax_player *p = (struct minmax_player *)player;
    struct rng own;
    const struct search_task task = common_task(ask, &p->options.common, (uint64_t)p->options.nodes, &own);
    struct minmax_settings settings = p->options.minmax;
    /* Without any limit the search would not end: then one turn is searched. */
    if (settings.turns == 0 && settings.plies == 0 && task.budget.work_max == 0 &&
        task.budget.time_ns_max == 0)
        settings.turns = 1;
    struct search_result result;
    minmax_search(&task, &settings, &result);
    common_answer(&result, out);
}

static void close_minmax(struct player *player) {
    minmax_cache_close(((struct minmax_player *)player)->options.minmax.cache);
}

const struct player_type player_minmax = {
    .name = "minmax",
    .help = "searches everything to a depth: Min-Max with alpha-beta and a transposition table",
    .games = PLAYER_OPEN_GAMES,
    .size = sizeof(struct minmax_player),
    .params = params,
    .options_size = sizeof(struct options),
    .open = open_minmax,
    .choose = choose_minmax,
    .close = close_minmax,
};
