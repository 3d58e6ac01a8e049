/* SPDX-License-Identifier: MIT
 *
 * `ismcts`: information-set UCT for any game (Cowling, Powley and Whitehouse, "Information set Monte Carlo
 * tree search", 2012). Each simulation draws a world that agrees with the view at random, and nodes of the
 * tree are information sets of their mover: decisions in the tree never depend on differences that the mover
 * cannot see. Opponents in the tree do not see what the player at the root has, but they learn to answer it
 * as if they did. Where nothing is hidden it is UCT with transpositions.
 */
#include "player/common.h"
#include "player/players.h"
#include "search/tree.h"

struct options {
    struct common_options common;
    int sims, bound, expand, choose, memory_mb;
    double c;
    char policy[PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

/* The choices of `bound` and `choose` are in the order of their enums. */
static const struct param params[] = {
    {"sims", PARAM_INT, AT(sims), 1, 1000000000, 400,
     .help = "simulations for each decision, as papers on hidden information count (uct's are for a turn)"},
    {"c", PARAM_REAL, AT(c), 0, 100, 1.0, .help = "exploration: the bound's term is multiplied by it"},
    {"bound", PARAM_CHOICE, AT(bound), .choices = "ucb1|tuned",
     .help = "mean + c * sqrt(ln n / visits), or UCB1-tuned: the term times the root of min(1/4, variance)"},
    {"policy", PARAM_TEXT, AT(policy),
     .help = "of the simulations: a playout of the game ('senjutsu games' lists them); empty: its first",
     .power = PARAM_WORD},
    {"expand", PARAM_INT, AT(expand), 1, 1000000, 1,
     .help = "visits after which what an action leads to is looked at action by action"},
    {"choose", PARAM_CHOICE, AT(choose), .fallback = TREE_CHOOSE_VISITS, .choices = "mean|visits",
     .help = "the action played: best mean result, or most visited"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 16,
     .help = "megabytes for the tree; when they are full it grows no more"},
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    COMMON_THREADS(struct options, "so many trees at a time, each with its share of the simulations"),
    {0},
};

struct ismcts {
    struct player player; /* first member */
    struct options options;
    struct tree_settings settings;
    struct tree *tree;
};

static void close_ismcts(struct player *player) {
    tree_close(((struct ismcts *)player)->tree);
}

static bool open_ismcts(struct player *player, const struct game *game, const struct grant *grant,
                        struct err *e) {
    (void)grant;
    struct ismcts *p = (struct ismcts *)player;
    const struct options *o = &p->options;
    p->settings = (struct tree_settings){
        .bound = (enum tree_bound)o->bound,
        .c = o->c,
        .expand = o->expand,
        .rollout = common_rollout("ismcts", game, o->policy, e),
        .shuffle = true,
        .choice = (enum tree_choice)o->choose,
        .hurry = true,
        .hidden = true,
    };
    if (p->settings.rollout == NULL)
        return false;
    const struct tree_memory storage = {.memory_bytes = (size_t)o->memory_mb << 20,
                                        .trees = o->common.threads,
                                        .keyed = true,
                                        .squares = p->settings.bound == TREE_TUNED};
    p->tree = tree_open(game, &storage, e);
    return p->tree != NULL || err_prefix(e, "ismcts: ");
}

static void choose_ismcts(struct player *player, const struct ask *ask, struct answer *out) {
    struct ismcts *p = (struct ismcts *)player;
    struct rng own;
    struct search_result result;
    const uint64_t turn_work = (uint64_t)p->options.sims * (uint64_t)common_turn_decisions(ask);
    const struct search_task task = common_task(ask, &p->options.common, turn_work, &own);
    tree_search(p->tree, &task, &p->settings, &result);
    common_answer(&result, out);
}

const struct player_type player_ismcts = {
    .name = "ismcts",
    .help = "information-set UCT: a tree of what the mover sees, over worlds drawn at random (any game)",
    .size = sizeof(struct ismcts),
    .params = params,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .open = open_ismcts,
    .choose = choose_ismcts,
    .close = close_ismcts,
};
