/* SPDX-License-Identifier: MIT
 *
 * `uct` and `pwuct`: UCT over single unit actions, without and with progressive widening (Sato, Fujiki and
 * Ikeda, A.2.1 and A.2.2). The simulations of a turn are divided evenly among its decisions; each decision
 * searches the rest of the turn and beyond, in which the units may act in any order.
 */
#include "game/game.h"
#include "player/common.h"
#include "player/players.h"
#include "search/tree.h"

#include <string.h>

struct options {
    struct common_options common;
    int sims, expand, horizon, memory_mb, cut, choose, first;
    bool transpositions, reuse;
    double c;
    char policy[PARAM_TEXT_MAX];
    /* pwuct only */
    double base[2], scale[2], shift, offset[2];
    int switch_at;
};

enum { FIRST_AUTO, FIRST_ANY, FIRST_ATTACKS, WIDENING_PARAMS = 8 };
enum { CUT_HP, CUT_LOSS };

#define AT(field) offsetof(struct options, field)

/* All rows are for pwuct; uct has those behind the widening ones. */
static const struct param params[] = {
    {"base", PARAM_REAL, AT(base[0]), 1.001, 100, 1.4,
     .help = "widening: floor(log_base(n / scale) + offset) actions are open at a node's n-th simulation"},
    {"scale", PARAM_REAL, AT(scale[0]), 1e-3, 1e9, 40, .help = "as above"},
    {"offset", PARAM_REAL, AT(offset[0]), -1000, 1000, 2, .help = "as above"},
    {"switch", PARAM_INT, AT(switch_at), 0, 2000000000, 3000,
     .help = "beyond so many simulations: floor(log_base2((n + shift2) / scale2) + offset2)"},
    {"base2", PARAM_REAL, AT(base[1]), 1.001, 100, 1.2, .help = "as above"},
    {"shift2", PARAM_REAL, AT(shift), 0, 1e9, 2000, .help = "as above"},
    {"scale2", PARAM_REAL, AT(scale[1]), 1e-3, 1e9, 45, .help = "as above"},
    {"offset2", PARAM_REAL, AT(offset[1]), -1000, 1000, -11, .help = "as above"},

    {"sims", PARAM_INT, AT(sims), 1, 1000000000, 6000,
     .help = "simulations for a whole turn; each of its decisions gets an equal share"},
    {"c", PARAM_REAL, AT(c), 0, 100, 1.0,
     .help = "exploration: mean + c * sqrt(ln(parent's visits) / visits)"},
    {"horizon", PARAM_INT, AT(horizon), 0, 10000, 16,
     .help = "turns after which a simulation is cut; 1: at the end of this turn, 0: never"},
    {"cut", PARAM_CHOICE, AT(cut), 0, 0, 0, "hp|loss",
     .help = "a simulation that was cut: won by who has more HP, or lost unless the game is won"},
    {"policy", PARAM_TEXT, AT(policy),
     .help = "of the simulations: a playout of the game ('senjutsu games' lists them; default: the game's)",
     .power = PARAM_WORD},
    {"expand", PARAM_INT, AT(expand), 1, 1000000, 1,
     .help = "visits after which an action's answers are looked at one by one"},
    {"first", PARAM_CHOICE, AT(first), 0, 0, FIRST_AUTO, "auto|any|attacks",
     .help = "which actions of a node are tried first, at random among equals; auto: attacks with widening, "
             "where the game "
             "has attacks"},
    {"choose", PARAM_CHOICE, AT(choose), 0, 0, 0, "mean|visits",
     .help = "the action played: best mean result, or most visited"},
    {"transpositions", PARAM_SWITCH, AT(transpositions),
     .help = "positions that several orders of actions lead to share what is known of them"},
    {"reuse", PARAM_SWITCH, AT(reuse),
     .help = "keep the tree behind the action played; then an answer depends on earlier ones"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64,
     .help = "megabytes for the tree; when they are full it grows no more"},
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    COMMON_THREADS(struct options, "so many trees at a time, each with its share of the simulations"),
    {0},
};

struct uct {
    struct player player; /* first member */
    struct options options;
    struct tree_settings settings;
    struct widening widening;
    double weights[GAME_WEIGHTS_MAX];
    struct tree *tree;
};

static void close_uct(struct player *player) {
    tree_close(((struct uct *)player)->tree);
}

/* What the game must provide besides playouts. */
static bool check_game(const struct uct *p, const struct game *game, bool attacks_first, struct err *e) {
    const struct options *o = &p->options;
    const char *name = p->player.type->name;
    if (attacks_first && game_prior(game, "attacks") == NULL)
        return err_set(e, "%s: %s does not say which actions are attacks: use first=any", name, game->name);
    if (o->horizon > 0 && o->cut == CUT_HP && (game->evals == NULL || game->evals[0].name == NULL))
        return err_set(e, "%s: %s has no evaluation for simulations that are cut: use horizon=0 or cut=loss",
                       name, game->name);
    return true;
}

static bool open_uct(struct player *player, const struct game *game, const struct grant *grant,
                     struct err *e) {
    (void)grant;
    struct uct *p = (struct uct *)player;
    const struct options *o = &p->options;
    const bool widens = player->type == &player_pwuct;
    const bool attacks_first = o->first == FIRST_ATTACKS ||
                               (o->first == FIRST_AUTO && widens && game_prior(game, "attacks") != NULL);
    if (!check_game(p, game, attacks_first, e))
        return false;
    weights_default(game, p->weights);
    p->settings = (struct tree_settings){
        .c = o->c,
        .expand = o->expand,
        .rollout = common_rollout(player->type->name, game, o->policy, e),
        .horizon = o->horizon,
        .cut = o->cut == CUT_HP ? TREE_CUT_SIGN : TREE_CUT_LOSS,
        .eval = game->evals,
        .weights = p->weights,
        .prior = attacks_first ? game_prior(game, "attacks") : NULL,
        .shuffle = true,
        .choice = o->choose == 0 ? TREE_CHOOSE_MEAN : TREE_CHOOSE_VISITS,
        .hurry = true,
        .transpositions = o->transpositions,
        .reuse = o->reuse,
    };
    if (p->settings.rollout == NULL)
        return false;
    if (widens) {
        const struct widening_branch branches[2] = {{o->base[0], 0, o->scale[0], o->offset[0]},
                                                    {o->base[1], o->shift, o->scale[1], o->offset[1]}};
        widening_init(&p->widening, branches, o->switch_at);
        p->settings.widening = &p->widening;
    }
    const struct tree_memory storage = {.memory_bytes = (size_t)o->memory_mb << 20,
                                        .trees = o->common.threads,
                                        .keyed = o->transpositions,
                                        .spare = o->reuse};
    p->tree = tree_open(game, &storage, e);
    return p->tree != NULL || err_prefix(e, "%s: ", player->type->name);
}

static void choose_uct(struct player *player, const struct ask *ask, struct answer *out) {
    struct uct *p = (struct uct *)player;
    struct rng own;
    struct search_result result;
    const struct search_task task = common_task(ask, &p->options.common, (uint64_t)p->options.sims, &own);
    tree_search(p->tree, &task, &p->settings, &result);
    common_answer(&result, out);
}

const struct player_type player_uct = {
    .name = "uct",
    .help = "UCT over single unit actions (Sato, Fujiki and Ikeda, A.2.1)",
    .games = PLAYER_OPEN_GAMES,
    .size = sizeof(struct uct),
    .params = params + WIDENING_PARAMS,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .open = open_uct,
    .choose = choose_uct,
    .close = close_uct,
};

const struct player_type player_pwuct = {
    .name = "pwuct",
    .help = "UCT with progressive widening, attacks first (A.2.2)",
    .games = PLAYER_OPEN_GAMES,
    .size = sizeof(struct uct),
    .params = params,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .open = open_uct,
    .choose = choose_uct,
    .close = close_uct,
};
