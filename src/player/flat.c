/* SPDX-License-Identifier: MIT
 *
 * `pimc`, `iimc` and `amcts`: Monte Carlo over the worlds that the player's view allows. They play any game;
 * where nothing is hidden there is one world. As in the papers, simulations are counted per decision and not
 * per turn; time is per turn, as for every player.
 *
 * By default pimc and iimc have 400 simulations for a decision, amcts as many as equation (5) gives, and a
 * thoughtful move of a playout has 50.
 */
#include "player/common.h"
#include "player/player.h"
#include "search/flat.h"

struct options {
    struct common_options common;
    struct flat_settings flat; /* the choices of its fields are in the order of their enums */
    int sims, value, worlds, leaves, opponent;
    char policy[PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

#define SIMS_HELP        "N, simulations for a decision; 0: by equation (5), worlds * actions * constant"
#define INNER_HELP       "M, simulations for each thoughtful move of a playout; 0: by equation (5)"
#define OTHER_HELP       "the opponent's moves in a thoughtful playout: by the policy, or thoughtful too"
#define ROOT_HELP        "which action is simulated: by UCB1-tuned, by UCB1, or all in turn in each world drawn"
#define VALUE_HELP       "the action played: best mean result, or best sum of results"
#define POLICY_HELP      "of the playouts: one of the game's ('senjutsu games' lists them); default: its first"
#define LEAVES_HELP      "leaf evaluations for a decision in place of N, those inside of playouts included; 0: N"
#define LEAF_HELP(whose) "what an action is worth in a world" whose ": a random playout, or its exact value"
#define DEPTH_HELP       "of evaluator=minimax: plies looked ahead behind the action, then a playout; 0: to the end"
#define WORLDS_HELP                                                                                          \
    "all: every action in every world in turn, where N reaches so far (with exact values once)"

/* Rows that several tables share. */
#define SIMS_ROW(fallback)                                                                                   \
    { "sims", PARAM_INT, AT(sims), 0, 1e9, fallback, NULL, SIMS_HELP }
#define CONSTANT_ROW                                                                                         \
    { "constant", PARAM_REAL, AT(flat.constant), 0.001, 1e6, 25, NULL, "C of equation (5)" }
#define INNER_ROWS                                                                                           \
    {"inner", PARAM_INT, AT(flat.inner_sims), 0, 1e6, 50, NULL, INNER_HELP}, {                               \
        "opponent", PARAM_CHOICE, AT(opponent), 0, 0, 0, "random|pimc", OTHER_HELP                           \
    }
#define ROOT_ROWS                                                                                            \
    {"root", PARAM_CHOICE, AT(flat.root), 0, 0, 0, "tuned|ucb1|roundrobin", ROOT_HELP},                      \
        {"c", PARAM_REAL, AT(flat.c), 0,                                                                     \
         100, 1.41421356, NULL,       "of root=ucb1: mean + c * sqrt(ln n / visits)"},                       \
        {"value", PARAM_CHOICE, AT(value), 0, 0, 0, "mean|sum", VALUE_HELP},                                 \
        {"policy", PARAM_TEXT, AT(policy), 0, 0, 0, NULL, POLICY_HELP, PARAM_WORD}, {                        \
        "leaves", PARAM_INT, AT(leaves), 0, 2e9, 0, NULL, LEAVES_HELP                                        \
    }
#define WORLD_ROWS(whose)                                                                                    \
    {"evaluator", PARAM_CHOICE, AT(flat.leaf), 0, 0, 0, "random|minimax", LEAF_HELP(whose)},                 \
        {"depth", PARAM_INT, AT(flat.depth), 0, FLAT_DEPTH_MAX, 0, NULL, DEPTH_HELP}, {                      \
        "worlds", PARAM_CHOICE, AT(worlds), 0, 0, 0, "random|all", WORLDS_HELP                               \
    }

static const struct param pimc_params[] = {SIMS_ROW(400), CONSTANT_ROW, ROOT_ROWS, WORLD_ROWS(""),
                                           COMMON_TIME,   COMMON_SEED,  {0}};

static const struct param iimc_params[] = {
    SIMS_ROW(400), INNER_ROWS,  CONSTANT_ROW, ROOT_ROWS, WORLD_ROWS(", to the thoughtful moves"),
    COMMON_TIME,   COMMON_SEED, {0}};

static const struct param amcts_params[] = {
    SIMS_ROW(0),
    INNER_ROWS,
    CONSTANT_ROW,
    {"rule", PARAM_CHOICE, AT(flat.rule), .choices = SWITCHING_NAMES,
     .help = "reading of equation (6): when to search again with thoughtful playouts"},
    {"theta", PARAM_REAL, AT(flat.theta), -1, 1e6, -1,
     .help = "the rule's threshold; negative: 0.25 (6w), 1 (6c), 0.5 (random), else 0.1"},
    {"w0", PARAM_REAL, AT(flat.worlds_at_start), 1, 1e9, 8,
     .help = "of rule=6x: worlds when nothing is known yet, which a player cannot see"},
    {"keep", PARAM_SWITCH, AT(flat.keep), .help = "keep the first search's results in the second"},
    {"skip", PARAM_SWITCH, AT(flat.skip_last), .fallback = 1,
     .help = "no second search where certainly no later decision is a real choice"},
    ROOT_ROWS,
    COMMON_TIME,
    COMMON_SEED,
    {0},
};

struct flat_player {
    struct player player; /* first member */
    struct options options;
    struct flat *flat;
};

static void close_flat(struct player *player) {
    flat_close(((struct flat_player *)player)->flat);
}

static bool open_flat(struct player *player, const struct game *game, struct err *e) {
    struct flat_player *p = (struct flat_player *)player;
    const struct options *o = &p->options;
    struct flat_settings *s = &p->options.flat;
    s->all_worlds = o->worlds == 1;
    s->by_sum = o->value == 1;
    s->thinkers = player->type == &player_pimc ? FLAT_NO_ONE : o->opponent == 0 ? FLAT_OWN : FLAT_BOTH;
    s->inner_constant = s->constant;
    s->adaptive = player->type == &player_amcts;
    if (s->theta < 0)
        s->theta = switching_thetas[s->rule];
    s->sims = (uint64_t)o->sims;
    s->leaves_max = (uint64_t)o->leaves;
    s->rollout = common_rollout(player->type->name, game, o->policy, e);
    if (s->rollout == NULL)
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
    flat_search(p->flat, &task, &p->options.flat, &result, NULL);
    common_answer(&result, out);
}

#define FLAT_TYPE(own_name, own_params, own_help)                                                            \
    {                                                                                                        \
        .name = own_name, .help = own_help, .size = sizeof(struct flat_player), .params = own_params,        \
        .options_size = sizeof(struct options), .expects_payoffs = true, .open = open_flat,                  \
        .choose = choose_flat, .close = close_flat                                                           \
    }

const struct player_type player_pimc = FLAT_TYPE(
    "pimc", pimc_params, "perfect information Monte Carlo: random playouts in the worlds that are possible");
const struct player_type player_iimc =
    FLAT_TYPE("iimc", iimc_params,
              "imperfect information Monte Carlo: the same with playouts whose moves are chosen by pimc");
const struct player_type player_amcts =
    FLAT_TYPE("amcts", amcts_params,
              "adaptive Monte Carlo tree search: pimc first, and iimc where that leaves the choice open");
