/* SPDX-License-Identifier: MIT
 *
 * `minmax`: full-width search with an evaluation at its end (Sato, Fujiki and Ikeda, section 4.1). It is
 * asked once per unit action and searches the rest of its turn each time; the depth counts turns, so the
 * answers of one turn add up to the line it found at the beginning. prune=attacks and order=fixed are the
 * paper's remedy (b) against the size of a turn, eval=threat is remedy (c).
 */
#include "game/game.h"
#include "player/common.h"
#include "player/players.h"
#include "search/minmax.h"

#include <assert.h>
#include <string.h>

enum { PRUNE_NONE, PRUNE_ATTACKS };
enum { ORDER_ANY, ORDER_FIXED };
enum { TIES_FIRST, TIES_RANDOM };
enum { MEGABYTE = 1 << 20 };

struct options {
    struct common_options common;
    int depth, plies, nodes, prune, order, ties, memory;
    bool table;
    char values[PARAM_TEXT_MAX], eval[PARAM_TEXT_MAX], sort[PARAM_TEXT_MAX];
};

static const struct param params[] = {
    {"depth", PARAM_INT, offsetof(struct options, depth), 0, 9999, 1,
     .help = "in turns, the one under way included; 0: until the budget ends"},
    {"plies", PARAM_INT, offsetof(struct options, plies), 0, MINMAX_PLIES_MAX, 0,
     .help = "depth in single actions instead; 0: depth counts"},
    {"values", PARAM_TEXT, offsetof(struct options, values),
     .help = "weights of the evaluation: NAME:NUMBER,…; those left out are the game's own",
     .power = PARAM_WORD},
    {"eval", PARAM_TEXT, offsetof(struct options, eval),
     .help = "the game's evaluation to use (tactical game: linear or threat); empty: its first",
     .power = PARAM_WORD},
    {"prune", PARAM_CHOICE, offsetof(struct options, prune), .choices = "none|attacks",
     .help = "attacks: plain moves are not looked at"},
    {"order", PARAM_CHOICE, offsetof(struct options, order), .choices = "any|fixed",
     .help = "fixed: units act in one order only"},
    {"sort", PARAM_TEXT, offsetof(struct options, sort), .choices = "damage",
     .help = "what is looked at first (tactical game: damage, attacks); none: as listed",
     .power = PARAM_WORD},
    {"nodes", PARAM_INT, offsetof(struct options, nodes), 0, 2147483647, 10000000,
     .help = "positions a turn, then the best so far is played; 0: no limit"},
    COMMON_TIME,
    COMMON_SEED,
    {"ties", PARAM_CHOICE, offsetof(struct options, ties), .choices = "first|random",
     .help = "which of equally good actions"},
    {"table", PARAM_SWITCH, offsetof(struct options, table), .fallback = 1,
     .help = "remember positions reached in several ways"},
    {"memory", PARAM_INT, offsetof(struct options, memory), 1, 65536, 64, .help = "megabytes for that"},
    {0},
};

struct minmax_player {
    struct player player; /* first member */
    struct options options;
    struct minmax_settings settings;
    double weights[GAME_WEIGHTS_MAX];
};

static bool find_eval(const struct game *game, const char *name, struct minmax_settings *out, struct err *e) {
    if (game->evals == NULL || game->evals[0].name == NULL)
        return err_set(e, "minmax needs an evaluation, and %s has none", game->name);
    out->eval = name[0] == '\0' ? &game->evals[0] : game_eval(game, name);
    if (out->eval != NULL)
        return true;
    struct text known = {0};
    for (const struct eval *eval = game->evals; eval->name != NULL; eval++)
        text_add(&known, "%s%s", eval == game->evals ? "" : ", ", eval->name);
    err_set(e, "minmax: eval=%s is unknown; %s has %s", name, game->name, text_string(&known));
    text_done(&known);
    return false;
}

/* The default applies only where the game has such a prior; other games are searched in list order. */
static bool find_order(const struct game *game, const char *name, struct minmax_settings *out,
                       struct err *e) {
    out->order = game->priors != NULL ? game_prior(game, name) : NULL;
    if (out->order != NULL || strcmp(name, "none") == 0 || strcmp(name, "damage") == 0)
        return true;
    struct text known = {0};
    for (const struct prior *prior = game->priors; prior != NULL && prior->name != NULL; prior++)
        text_add(&known, "%s, ", prior->name);
    err_set(e, "minmax: sort=%s is unknown; %s has %snone", name, game->name, text_string(&known));
    text_done(&known);
    return false;
}

static bool find_list(const struct game *game, const struct options *o, struct minmax_settings *out,
                      struct err *e) {
    static const char *const names[2][2] = {{NULL, "fixed"}, {"attacks", "fixed-attacks"}};
    const char *name = names[o->prune][o->order];
    if (name == NULL)
        return true;
    out->list = game->lists != NULL ? game_list(game, name) : NULL;
    return out->list != NULL || err_set(e, "minmax: %s cannot list its actions as '%s'", game->name, name);
}

static bool open_minmax(struct player *player, const struct game *game, const struct grant *grant,
                        struct err *e) {
    (void)grant;
    struct minmax_player *p = (struct minmax_player *)player;
    const struct options *o = &p->options;
    p->settings = (struct minmax_settings){.turns = o->plies > 0 ? 0 : o->depth,
                                           .plies = o->plies,
                                           .weights = p->weights,
                                           .table = o->table,
                                           .random_ties = o->ties == TIES_RANDOM};
    weights_default(game, p->weights);
    if (!weights_read(game, o->values, p->weights, e))
        return err_prefix(e, "minmax: ");
    if (!find_eval(game, o->eval, &p->settings, e) || !find_order(game, o->sort, &p->settings, e) ||
        !find_list(game, o, &p->settings, e))
        return false;
    p->settings.cache = minmax_cache_open(game, o->table ? (size_t)o->memory * MEGABYTE : 0, e);
    return p->settings.cache != NULL || err_prefix(e, "minmax: ");
}

static void choose_minmax(struct player *player, const struct ask *ask, struct answer *out) {
    struct minmax_player *p = (struct minmax_player *)player;
    struct rng own;
    const struct search_task task = common_task(ask, &p->options.common, (uint64_t)p->options.nodes, &own);
    struct minmax_settings settings = p->settings;
    /* Without any limit the search would not end: then one turn is searched. */
    if (settings.turns == 0 && settings.plies == 0 && task.budget.work_max == 0 &&
        task.budget.time_ns_max == 0)
        settings.turns = 1;
    struct search_result result;
    const bool found = minmax_search(&task, &settings, &result, NULL);
    assert(found);
    (void)found;
    common_answer(&result, out);
}

static void close_minmax(struct player *player) {
    minmax_cache_close(((struct minmax_player *)player)->settings.cache);
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
