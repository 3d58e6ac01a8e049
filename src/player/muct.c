/* SPDX-License-Identifier: MIT
 *
 * `muct`: the M-UCT player of the TUBSTAP distribution. It is the tree search with M-UCT's settings on
 * M-UCT's own model of the game (game/tbs/muct.h): children in list order, all of a node's made at its
 * twelfth visit, the logarithm of all simulations at every depth, the enemy assumed to cooperate inside the
 * tree, and the best mean played whatever its visits. With fewer simulations than actions only the first
 * actions of the list are tried.
 */
#include "game/tbs/muct.h"
#include "game/tbs/tbs.h"
#include "player/common.h"
#include "player/players.h"
#include "search/tree.h"

struct options {
    struct common_options common;
    int sims, expand, memory_mb;
    double c;
};

static const struct param params[] = {
    {"sims", PARAM_INT, offsetof(struct options, sims), 1, 1000000000, 2000,
     .help = "simulations for each unit action (the platform's MAX_SIM; not shared out over a turn)"},
    {"c", PARAM_REAL, offsetof(struct options, c), 0, 100, 0.15,
     .help = "exploration: mean + c * sqrt(ln(all simulations) / visits)"},
    {"expand", PARAM_INT, offsetof(struct options, expand), 1, 1000000, 11,
     .help = "visits after which an action's answers are looked at one by one (the platform: more than 10)"},
    {"memory", PARAM_INT, offsetof(struct options, memory_mb), 1, 65536, 64,
     .help = "megabytes for the tree; when they are full it grows no more"},
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    {0},
};

struct muct {
    struct player player; /* first member */
    struct options options;
    const struct game *model;
    struct tree *tree;
    union search_state root;
};

static void close_muct(struct player *player) {
    tree_close(((struct muct *)player)->tree);
}

static bool open_muct(struct player *player, const struct game *game, const struct grant *grant,
                      struct err *e) {
    (void)grant;
    struct muct *p = (struct muct *)player;
    const struct tree_memory storage = {.memory_bytes = (size_t)p->options.memory_mb << 20, .trees = 1};
    p->model = tbs_muct_model(game);
    p->tree = tree_open(p->model, &storage, e);
    return p->tree != NULL || err_prefix(e, "muct: ");
}

static void choose_muct(struct player *player, const struct ask *ask, struct answer *out) {
    struct muct *p = (struct muct *)player;
    struct rng own;
    struct search_result result;
    const uint64_t turn_work = (uint64_t)p->options.sims * (uint64_t)common_turn_decisions(ask);
    struct search_task task = common_task(ask, &p->options.common, turn_work, &own);
    tbs_muct_start(&p->root, ask->view);
    task.game = p->model;
    task.budget.clock_every = 1; /* a playout of many units takes milliseconds */
    task.root = &p->root;
    const struct tree_settings settings = {.c = p->options.c,
                                           .expand = p->options.expand,
                                           .rollout = &p->model->rollouts[0],
                                           .root_total = true,
                                           .cooperative = true,
                                           .choice = TREE_CHOOSE_MEAN};
    tree_search(p->tree, &task, &settings, &result);
    common_answer(&result, out);
}

const struct player_type player_muct = {
    .name = "muct",
    .help = "M-UCT as the TUBSTAP platform has it, faults and all (tactical game)",
    .games = PLAYER_TBS,
    .size = sizeof(struct muct),
    .params = params,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .open = open_muct,
    .choose = choose_muct,
    .close = close_muct,
};
