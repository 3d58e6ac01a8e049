/* SPDX-License-Identifier: MIT
 *
 * `pimc`, `iimc` and `amcts`: Monte Carlo over the worlds that the player's view allows. They play any game;
 * where nothing is hidden there is one world. As in the papers, simulations are counted per decision and not
 * per turn; time is per turn, as for every player.
 */
#include "player/common.h"
#include "player/players.h"
#include "search/flat.h"

struct options {
    struct common_options common;
    int sims, root, value, evaluator, depth, worlds, leaves;
    double constant, c;
    char policy[PARAM_TEXT_MAX];
    /* iimc and amcts */
    int inner, opponent;
    /* amcts */
    int rule;
    double theta, w0;
    bool keep, skip;
};

#define AT(field) offsetof(struct options, field)

/* Rows of the three tables. */
#define ROW_SIMS(fallback)                                                                                   \
    {                                                                                                        \
        "sims", PARAM_INT, AT(sims), 0, 1000000000, fallback,                                                \
            .help = "N, simulations for a decision; 0: by equation (5), worlds * actions * constant"         \
    }
#define ROW_CONSTANT                                                                                         \
    { "constant", PARAM_REAL, AT(constant), 0.001, 1e6, 25, .help = "C of equation (5)" }
#define ROW_ROOT                                                                                             \
    {                                                                                                        \
        "root", PARAM_CHOICE, AT(root), 0, 0, 0, "tuned|ucb1|roundrobin",                                    \
            .help = "which action is simulated: by UCB1-tuned, by UCB1, or all in turn in each world drawn"  \
    }
#define ROW_C                                                                                                \
    { "c", PARAM_REAL, AT(c), 0, 100, 1.41421356, .help = "of root=ucb1: mean + c * sqrt(ln n / visits)" }
#define ROW_VALUE                                                                                            \
    {                                                                                                        \
        "value", PARAM_CHOICE, AT(value), 0, 0, 0, "mean|sum",                                               \
            .help = "the action played: best mean result, or best sum of results"                            \
    }
#define ROW_POLICY                                                                                           \
    {                                                                                                        \
        "policy", PARAM_TEXT, AT(policy),                                                                    \
            .help = "of the playouts: one of the game's ('senjutsu games' lists them); default: its first",  \
            .power = PARAM_WORD                                                                              \
    }
#define ROW_LEAVES                                                                                           \
    {                                                                                                        \
        "leaves", PARAM_INT, AT(leaves), 0, 2000000000, 0,                                                   \
            .help = "leaf evaluations for a decision in place of N, those inside of playouts included; 0: N" \
    }
#define ROW_INNER                                                                                            \
    {                                                                                                        \
        "inner", PARAM_INT, AT(inner), 0, 1000000, 50,                                                       \
            .help = "M, simulations for each thoughtful move of a playout; 0: by equation (5)"               \
    }
#define ROW_OPPONENT                                                                                         \
    {                                                                                                        \
        "opponent", PARAM_CHOICE, AT(opponent), 0, 0, 0, "random|pimc",                                      \
            .help = "the opponent's moves in a thoughtful playout: by the policy, or thoughtful too"         \
    }
#define ROW_EVALUATOR(whose)                                                                                 \
    {                                                                                                        \
        "evaluator", PARAM_CHOICE, AT(evaluator), 0, 0, 0, "random|minimax",                                 \
            .help = "what an action is worth in a world" whose ": a random playout, or its exact value"      \
    }
#define ROW_DEPTH                                                                                            \
    {                                                                                                        \
        "depth", PARAM_INT, AT(depth), 0, FLAT_DEPTH_MAX, 0,                                                 \
            .help = "of evaluator=minimax: plies looked ahead behind the action, then a playout; 0: to the " \
                    "end"                                                                                    \
    }
#define ROW_WORLDS                                                                                           \
    {                                                                                                        \
        "worlds", PARAM_CHOICE, AT(worlds), 0, 0, 0, "random|all",                                           \
            .help = "all: every action in every world in turn, where N reaches so far (with exact values "   \
                    "once)"                                                                                  \
    }

static const struct param pimc_params[] = {
    ROW_SIMS(400),
    ROW_CONSTANT,
    ROW_ROOT,
    ROW_C,
    ROW_VALUE,
    ROW_POLICY,
    ROW_LEAVES,
    ROW_EVALUATOR(""),
    ROW_DEPTH,
    ROW_WORLDS,
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    {0},
};

static const struct param iimc_params[] = {
    ROW_SIMS(400),
    ROW_INNER,
    ROW_OPPONENT,
    ROW_CONSTANT,
    ROW_ROOT,
    ROW_C,
    ROW_VALUE,
    ROW_POLICY,
    ROW_LEAVES,
    ROW_EVALUATOR(", to the thoughtful moves"),
    ROW_DEPTH,
    ROW_WORLDS,
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    {0},
};

static const struct param amcts_params[] = {
    ROW_SIMS(0),
    ROW_INNER,
    ROW_OPPONENT,
    ROW_CONSTANT,
    {"rule", PARAM_CHOICE, AT(rule), .choices = SWITCHING_NAMES,
     .help = "reading of equation (6): when to search again with thoughtful playouts"},
    {"theta", PARAM_REAL, AT(theta), -1, 1e6, -1,
     .help = "the rule's threshold; negative: 0.25 (6w), 1 (6c), 0.5 (random), else 0.1"},
    {"w0", PARAM_REAL, AT(w0), 1, 1e9, 8,
     .help = "of rule=6x: worlds when nothing is known yet, which a player cannot see"},
    {"keep", PARAM_SWITCH, AT(keep), .help = "keep the first search's results in the second"},
    {"skip", PARAM_SWITCH, AT(skip), .fallback = 1,
     .help = "no second search where it is certain that nobody thoughtful has a choice to come"},
    ROW_ROOT,
    ROW_C,
    ROW_VALUE,
    ROW_POLICY,
    ROW_LEAVES,
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    {0},
};

struct flat_player {
    struct player player; /* first member */
    struct options options;
    struct flat_settings settings;
    struct flat *flat;
};

static void close_flat(struct player *player) {
    flat_close(((struct flat_player *)player)->flat);
}

static bool open_flat(struct player *player, const struct game *game, const struct grant *grant,
                      struct err *e) {
    (void)grant;
    struct flat_player *p = (struct flat_player *)player;
    const struct options *o = &p->options;
    const bool adaptive = player->type == &player_amcts;
    p->settings = (struct flat_settings){
        .root = (enum flat_root)o->root,
        .c = o->c,
        .leaf = (enum flat_leaf)o->evaluator,
        .depth = o->depth,
        .all_worlds = o->worlds == 1,
        .by_sum = o->value == 1,
        .thinkers = player->type == &player_pimc ? FLAT_NO_ONE
                    : o->opponent == 0           ? FLAT_OWN
                                                 : FLAT_BOTH,
        .inner_sims = o->inner,
        .inner_constant = o->constant,
        .adaptive = adaptive,
        .rule = (enum switching_rule)o->rule,
        .theta = adaptive && o->theta < 0 ? switching_thetas[o->rule] : o->theta,
        .worlds_at_start = o->w0,
        .keep = o->keep,
        .skip_last = o->skip,
        .sims = (uint64_t)o->sims,
        .constant = o->constant,
        .leaves_max = (uint64_t)o->leaves,
        .rollout = common_rollout(player->type->name, game, o->policy, e),
    };
    if (p->settings.rollout == NULL)
        return false;
    p->flat = flat_open(game);
    return true;
}

static void choose_flat(struct player *player, const struct ask *ask, struct answer *out) {
    struct flat_player *p = (struct flat_player *)player;
    struct rng own;
    struct search_result result;
    /* No work for common_task, which would share it among the turn's decisions. */
    const struct search_task task = common_task(ask, &p->options.common, 0, &own);
    flat_search(p->flat, &task, &p->settings, &result, NULL);
    common_answer(&result, out);
}

const struct player_type player_pimc = {
    .name = "pimc",
    .help = "perfect information Monte Carlo: random playouts in the worlds that are possible",
    .size = sizeof(struct flat_player),
    .params = pimc_params,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .open = open_flat,
    .choose = choose_flat,
    .close = close_flat,
};

const struct player_type player_iimc = {
    .name = "iimc",
    .help = "imperfect information Monte Carlo: the same with playouts whose moves are chosen by pimc",
    .size = sizeof(struct flat_player),
    .params = iimc_params,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .open = open_flat,
    .choose = choose_flat,
    .close = close_flat,
};

const struct player_type player_amcts = {
    .name = "amcts",
    .help = "adaptive Monte Carlo tree search: pimc first, and iimc where that leaves the choice open",
    .size = sizeof(struct flat_player),
    .params = amcts_params,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .open = open_flat,
    .choose = choose_flat,
    .close = close_flat,
};
