/* SPDX-License-Identifier: MIT
 *
 * The Monte Carlo players, over the tree search (search/tree.h) and over worlds (search/flat.h). They differ
 * in their options, in the settings that those fill, and in the game that a tree is grown on.
 *
 * `uct` and `pwuct`: UCT over single unit actions, without and with progressive widening (Sato, Fujiki and
 * Ikeda, A.2.1 and A.2.2). The simulations of a turn are divided evenly among its decisions; each decision
 * searches the rest of the turn and beyond, in which the units may act in any order.
 *
 * `muct`: the M-UCT player of the TUBSTAP distribution, on M-UCT's own model of the game (game/tbs/muct.c):
 * children in list order, all of a node's made at its twelfth visit, the logarithm of all simulations at
 * every depth, the enemy assumed to cooperate inside the tree, and the best mean played whatever its visits.
 * With fewer simulations than actions only the first actions of the list are tried.
 *
 * `ismcts`: information-set UCT for any game (Cowling, Powley and Whitehouse, "Information set Monte Carlo
 * tree search", 2012). Each simulation draws a world that agrees with the view at random, and nodes of the
 * tree are information sets of their mover: decisions in the tree never depend on differences that the mover
 * cannot see. Opponents in the tree do not see what the player at the root has, but they learn to answer it
 * as if they did. Where nothing is hidden it is UCT with transpositions.
 *
 * `gst-a`, `gst-b`, `gst-c`: UCT for Geister in the three variants of Nishikori, Aoki and Hashimoto, on three
 * models of the game (game/geister/models.c); the paper's experiments used 30,000 playouts a move. What the
 * paper leaves open follows the program that one of its authors published: playouts in which a blue that can
 * leave does, c = sqrt 2, children made at the second visit, and the action with the best mean is played.
 *
 * `nissy`: their entry to the GAT competition of 2022, `gst-b` that first searches for a win against purple
 * pieces and plays it when there is one.
 *
 * `pimc`, `iimc` and `amcts`: Monte Carlo over the worlds that the player's view allows, for any game; where
 * nothing is hidden there is one world. As in the papers, simulations are counted per decision and not per
 * turn; time is per turn, as for every player. By default pimc and iimc have 400 simulations for a decision,
 * amcts as many as equation (5) gives, and a thoughtful move of a playout has 50.
 */
#include "search/flat.h"
#include "search/tree.h"

#include "game/tbs/tbs.h"
#include "geister/purple.h"
#include "player/common.h"

enum { FIRST_AUTO, FIRST_ANY, FIRST_ATTACKS, WIDENING_PARAMS = 8 };
enum { MATE_BYTES = 4 << 20 };

struct options {
    struct common_options common;
    struct tree_settings tree; /* the choices below are in the order of its enums */
    int sims, memory_mb;
    char policy[PARAM_TEXT_MAX];
    int first;                          /* uct */
    struct widening_branch branches[2]; /* pwuct */
    int switch_at;                      /* pwuct */
    int playout, reading, mate;         /* the players of Geister */
    char setup[PARAM_TEXT_MAX];
    struct flat_settings
        flat; /* pimc, iimc, amcts; the choices of its fields are in the order of their enums */
    int value, worlds, leaves, opponent;
};

#define AT(field) offsetof(struct options, field)

#define MEMORY_HELP "megabytes for the tree; when they are full it grows no more"
#define TREES_HELP  "so many trees at a time, each with its share of the simulations"

/* All rows are for pwuct; uct has those behind the widening ones. */
static const struct param uct_params[] = {
    {"base", PARAM_REAL, AT(branches[0].base), 1.001, 100, 1.4,
     .help = "widening: floor(log_base(n / scale) + offset) actions are open at a node's n-th simulation"},
    {"scale", PARAM_REAL, AT(branches[0].scale), 1e-3, 1e9, 40, .help = "as above"},
    {"offset", PARAM_REAL, AT(branches[0].offset), -1000, 1000, 2, .help = "as above"},
    {"switch", PARAM_INT, AT(switch_at), 0, 2000000000, 3000,
     .help = "beyond so many simulations: floor(log_base2((n + shift2) / scale2) + offset2)"},
    {"base2", PARAM_REAL, AT(branches[1].base), 1.001, 100, 1.2, .help = "as above"},
    {"shift2", PARAM_REAL, AT(branches[1].shift), 0, 1e9, 2000, .help = "as above"},
    {"scale2", PARAM_REAL, AT(branches[1].scale), 1e-3, 1e9, 45, .help = "as above"},
    {"offset2", PARAM_REAL, AT(branches[1].offset), -1000, 1000, -11, .help = "as above"},

    {"sims", PARAM_INT, AT(sims), 1, 1000000000, 6000,
     .help = "simulations for a whole turn; each of its decisions gets an equal share"},
    {"c", PARAM_REAL, AT(tree.c), 0, 100, 1.0,
     .help = "exploration: mean + c * sqrt(ln(parent's visits) / visits)"},
    {"horizon", PARAM_INT, AT(tree.horizon), 0, 10000, 16,
     .help = "turns after which a simulation is cut; 1: at the end of this turn, 0: never"},
    {"cut", PARAM_CHOICE, AT(tree.cut), 0, 0, 0, "hp|loss",
     .help = "a simulation that was cut: won by who has more HP, or lost unless the game is won"},
    {"policy", PARAM_TEXT, AT(policy), .power = PARAM_WORD,
     .help = "of the simulations: a playout of the game ('senjutsu games' lists them; default: the game's)"},
    {"expand", PARAM_INT, AT(tree.expand), 1, 1000000, 1,
     .help = "visits after which an action's answers are looked at one by one"},
    {"first", PARAM_CHOICE, AT(first), 0, 0, FIRST_AUTO, "auto|any|attacks",
     .help = "which actions of a node are tried first, at random among equals; auto: attacks with widening, "
             "where the game has attacks"},
    {"choose", PARAM_CHOICE, AT(tree.choice), 0, 0, 0, "mean|visits",
     .help = "the action played: best mean result, or most visited"},
    {"transpositions", PARAM_SWITCH, AT(tree.transpositions),
     .help = "positions that several orders of actions lead to share what is known of them"},
    {"reuse", PARAM_SWITCH, AT(tree.reuse),
     .help = "keep the tree behind the action played; then an answer depends on earlier ones"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64, .help = MEMORY_HELP},
    COMMON_TIME,
    COMMON_SEED,
    COMMON_THREADS(TREES_HELP),
    {0},
};

static const struct param muct_params[] = {
    {"sims", PARAM_INT, AT(sims), 1, 1000000000, 2000,
     .help = "simulations for each unit action (the platform's MAX_SIM; not shared out over a turn)"},
    {"c", PARAM_REAL, AT(tree.c), 0, 100, 0.15,
     .help = "exploration: mean + c * sqrt(ln(all simulations) / visits)"},
    {"expand", PARAM_INT, AT(tree.expand), 1, 1000000, 11,
     .help = "visits after which an action's answers are looked at one by one (the platform: more than 10)"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64, .help = MEMORY_HELP},
    COMMON_TIME,
    COMMON_SEED,
    {0},
};

static const struct param ismcts_params[] = {
    {"sims", PARAM_INT, AT(sims), 1, 1000000000, 400,
     .help = "simulations for each decision, as papers on hidden information count (uct's are for a turn)"},
    {"c", PARAM_REAL, AT(tree.c), 0, 100, 1.0, .help = "exploration: the bound's term is multiplied by it"},
    {"bound", PARAM_CHOICE, AT(tree.bound), .choices = "ucb1|tuned",
     .help = "mean + c * sqrt(ln n / visits), or UCB1-tuned: the term times the root of min(1/4, variance)"},
    {"policy", PARAM_TEXT, AT(policy), .power = PARAM_WORD,
     .help = "of the simulations: a playout of the game ('senjutsu games' lists them); empty: its first"},
    {"expand", PARAM_INT, AT(tree.expand), 1, 1000000, 1,
     .help = "visits after which what an action leads to is looked at action by action"},
    {"choose", PARAM_CHOICE, AT(tree.choice), .fallback = TREE_CHOOSE_VISITS, .choices = "mean|visits",
     .help = "the action played: best mean result, or most visited"},
    {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 16, .help = MEMORY_HELP},
    COMMON_TIME,
    COMMON_SEED,
    COMMON_THREADS(TREES_HELP),
    {0},
};

#define POLICY_HELP "of the playouts: a blue that can leave does, or any move is as likely as the others"
#define EXPAND_HELP "visits after which what a move leads to is looked at move by move"
#define CHOOSE_HELP "the move played: best mean result, or most visited"
#define MERGE_HELP  "positions that look alike but for the hidden colours share what is known of them"
#define READING_HELP                                                                                         \
    "of the formulas: a piece on its exit counts once, or again each time; letter: four reds must be taken"
#define MATE_HELP "depth of the search for a win against purple pieces, before anything else; 0: none"

#define GST_PARAMS                                                                                           \
    {"sims", PARAM_INT, AT(sims), 1, 1e9, 30000, NULL, "playouts for each move"},                            \
        {"c", PARAM_REAL, AT(tree.c), 0,                                                                     \
         100, 1.41421356, NULL,       "exploration: mean + c * sqrt(ln n / visits)"},                        \
        {"policy", PARAM_CHOICE, AT(playout), 0, 0, 0, "leave|random", POLICY_HELP},                         \
        {"expand", PARAM_INT, AT(tree.expand), 1, 1e6, 1, NULL, EXPAND_HELP},                                \
        {"choose", PARAM_CHOICE, AT(tree.choice), 0, 0, 0, "mean|visits", CHOOSE_HELP},                      \
        {"merge", PARAM_SWITCH, AT(tree.transpositions), 0, 0, 0, NULL, MERGE_HELP},                         \
        {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64, NULL, MEMORY_HELP}, COMMON_TIME, COMMON_SEED,     \
        COMMON_THREADS("so many trees at a time, each with its share of the playouts"),                      \
        GEISTER_SETUP(struct options, "random")

static const struct param gst_params[] = {GST_PARAMS, {0}};

static const struct param gst_c_params[] = {
    GST_PARAMS, {"reading", PARAM_CHOICE, AT(reading), 0, 0, 0, "once|again|letter", READING_HELP}, {0}};

static const struct param nissy_params[] = {
    {"mate", PARAM_INT, AT(mate), 0, PURPLE_DEPTH_MAX, 6, NULL, MATE_HELP}, GST_PARAMS, {0}};

/* ---- options of the players over worlds ---- */

#define SIMS_HELP  "N, simulations for a decision; 0: by equation (5), worlds * actions * constant"
#define INNER_HELP "M, simulations for each thoughtful move of a playout; 0: by equation (5)"
#define OTHER_HELP "the opponent's moves in a thoughtful playout: by the policy, or thoughtful too"
#define ROOT_HELP  "which action is simulated: by UCB1-tuned, by UCB1, or all in turn in each world drawn"
#define VALUE_HELP "the action played: best mean result, or best sum of results"
#define FLAT_POLICY_HELP                                                                                     \
    "of the playouts: one of the game's ('senjutsu games' lists them); default: its first"
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
        {"policy", PARAM_TEXT, AT(policy), 0, 0, 0, NULL, FLAT_POLICY_HELP, PARAM_WORD}, {                   \
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
     .help = "reading of equation (6), or a rule of ours: when to search again with thoughtful playouts"},
    {"theta", PARAM_REAL, AT(flat.theta), -1, 1e6, -1,
     .help = "the rule's threshold; negative: the rule's own (0.25 for 6w)"},
    {"w0", PARAM_REAL, AT(flat.worlds_at_start), 1, 1e9, 8,
     .help = "of rule=6x: worlds when nothing is known yet, which a player cannot see; of 6m: the fewest"},
    {"power", PARAM_CHOICE, AT(flat.halves), .choices = "0|0.5|1|1.5|2",
     .help = "of rule=6g, 6c, 6e, 6s, 6q, 6v: the margin (6v: the gain) is divided by worlds to this power"},
    {"keep", PARAM_SWITCH, AT(flat.keep), .help = "keep the first search's results in the second"},
    {"skip", PARAM_SWITCH, AT(flat.skip_last), .fallback = 1,
     .help = "no second search where certainly no later decision is a real choice"},
    ROOT_ROWS,
    COMMON_TIME,
    COMMON_SEED,
    {0},
};

struct tree_player {
    struct player player; /* first member */
    struct options options;
    const struct game *model; /* the game of the tree */
    struct widening widening;
    double weights[GAME_WEIGHTS_MAX];
    struct tree *tree;           /* NULL for the players over worlds */
    struct flat *flat;           /* those */
    union search_state root;     /* muct: the position in its model */
    struct setup_strategy setup; /* the players of Geister */
    struct purple *purple;       /* nissy */
};

/* ---- opening ---- */

static void close_tree(struct player *player) {
    struct tree_player *p = (struct tree_player *)player;
    tree_close(p->tree);
    flat_close(p->flat);
    purple_close(p->purple);
}

/* After the settings were completed. */
static bool open_tree(struct tree_player *p, const struct game *model, struct err *e) {
    const struct options *o = &p->options;
    const struct tree_memory memory = {.memory_bytes = (size_t)o->memory_mb << 20,
                                       .trees = o->common.threads > 0 ? o->common.threads : 1,
                                       .keyed = o->tree.transpositions || o->tree.hidden,
                                       .squares = o->tree.bound == TREE_TUNED,
                                       .spare = o->tree.reuse};
    p->model = model;
    p->tree = tree_open(model, &memory, e);
    return p->tree != NULL || err_prefix(e, "%s: ", p->player.type->name);
}

/* For uct and pwuct; the second widens. */
static bool open_uct(struct player *player, const struct game *game, struct err *e) {
    struct tree_player *p = (struct tree_player *)player;
    struct options *o = &p->options;
    struct tree_settings *s = &o->tree;
    const char *name = player->type->name;
    const bool widens = player->type == &player_pwuct;
    const struct prior *attacks = game_prior(game, "attacks");
    if (o->first == FIRST_ATTACKS && attacks == NULL)
        return err_set(e, "%s: %s does not say which actions are attacks: use first=any", name, game->name);
    if (s->horizon > 0 && s->cut == TREE_CUT_SIGN && (game->evals == NULL || game->evals[0].name == NULL))
        return err_set(e, "%s: %s has no evaluation for simulations that are cut: use horizon=0 or cut=loss",
                       name, game->name);
    weights_default(game, p->weights);
    s->rollout = common_rollout(name, game, o->policy, e);
    s->eval = game->evals;
    s->weights = p->weights;
    s->prior = o->first == FIRST_ATTACKS || (o->first == FIRST_AUTO && widens) ? attacks : NULL;
    s->shuffle = s->hurry = true;
    if (widens) {
        widening_init(&p->widening, o->branches, o->switch_at);
        s->widening = &p->widening;
    }
    return s->rollout != NULL && open_tree(p, game, e);
}

/* M-UCT's deviations are settings of the search and rules of its model. */
static bool open_muct(struct player *player, const struct game *game, struct err *e) {
    struct tree_player *p = (struct tree_player *)player;
    const struct game *model = tbs_muct_model(game);
    p->options.tree.rollout = &model->rollouts[0];
    p->options.tree.root_total = p->options.tree.cooperative = true;
    return open_tree(p, model, e);
}

/* Common playouts and bounds; only `hidden` makes nodes information sets. */
static bool open_ismcts(struct player *player, const struct game *game, struct err *e) {
    struct tree_player *p = (struct tree_player *)player;
    struct tree_settings *s = &p->options.tree;
    s->rollout = common_rollout("ismcts", game, p->options.policy, e);
    s->shuffle = s->hurry = s->hidden = true;
    return s->rollout != NULL && open_tree(p, game, e);
}

/* The variants A, B and C are three tables over the same state. */
static bool open_gst(struct player *player, const struct game *game, struct err *e) {
    static const enum geister_model readings[] = {GEISTER_NEVER, GEISTER_AGAIN, GEISTER_LETTER};
    (void)game;
    struct tree_player *p = (struct tree_player *)player;
    struct options *o = &p->options;
    if (!geister_player_setup(player, o->setup, &p->setup, e))
        return false;
    const struct game *model = &geister_models[player->type == &player_gst_c   ? readings[o->reading]
                                               : player->type == &player_gst_a ? GEISTER_EARLY
                                                                               : GEISTER_LATE];
    o->tree.rollout = game_rollout(model, o->playout == 0 ? "leave" : "random");
    o->tree.shuffle = o->tree.hurry = o->tree.open_loop = true;
    if (!open_tree(p, model, e))
        return false;
    if (o->mate > 0) /* only nissy's table has it; for the others it stays 0 */
        p->purple = purple_open(MATE_BYTES, e);
    return o->mate == 0 || p->purple != NULL || err_prefix(e, "%s: ", player->type->name);
}

static bool open_flat(struct player *player, const struct game *game, struct err *e) {
    struct tree_player *p = (struct tree_player *)player;
    const struct options *o = &p->options;
    struct flat_settings *s = &p->options.flat;
    s->all_worlds = o->worlds == 1;
    s->by_sum = o->value == 1;
    s->thinkers = player->type == &player_pimc ? FLAT_NO_ONE : o->opponent == 0 ? FLAT_OWN : FLAT_BOTH;
    s->inner_constant = s->constant;
    s->adaptive = player->type == &player_amcts;
    if (s->halves > 0 && !switching_has_power(s->rule))
        return err_set(e, "%s: power= goes with rule=6g, 6c, 6e, 6s, 6q or 6v", player->type->name);
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

/* ---- choosing ---- */

/* A win for all possible colours. */
static bool finds_mate(struct tree_player *p, const struct ask *ask, const struct budget *budget,
                       struct answer *out) {
    struct geister_observation seen;
    struct purple_result found;
    const struct purple_task mate = {.depth = p->options.mate,
                                     .cut = budget,
                                     .start_ns = budget->clock != NULL ? clock_now_ns(budget->clock) : 0};
    geister_observe(ask->view, ask->side, &seen);
    if (!purple_mate(p->purple, &seen, &mate, &found))
        return false;
    *out =
        (struct answer){.chosen = geister_player_move(ask, found.move), .value = 1, .work_done = found.nodes};
    if (ask->thoughts != NULL) {
        const struct thought only = {
            .action = out->chosen, .value = 1, .visits = found.nodes, .line_count = 1, .line = {out->chosen}};
        thoughts_add(ask->thoughts, &only, false);
        ask->thoughts->nodes = found.nodes;
        ask->thoughts->depth = p->options.mate;
    }
    return true;
}

/* The players of Geister: the reds are chosen without a search, and nissy may find a win. */
static bool answers_at_once(struct tree_player *p, const struct ask *ask, struct search_task *task,
                            struct answer *out) {
    const int64_t start_ns = task->budget.clock != NULL ? clock_now_ns(task->budget.clock) : 0;
    struct ask seeded = *ask;
    seeded.rng = task->rng;
    if (geister_player_sets(&p->setup, &seeded, out) ||
        (p->purple != NULL && finds_mate(p, ask, &task->budget, out)))
        return true;
    if (p->purple != NULL)
        common_take_time(&task->budget, start_ns);
    return false;
}

/* The simulations of muct and ismcts are for a decision, those of uct and Geister's players for a turn. The
 * players over worlds count themselves, per decision: common_task would share their work among the turn's
 * decisions. */
static void choose_tree(struct player *player, const struct ask *ask, struct answer *out) {
    struct tree_player *p = (struct tree_player *)player;
    const bool per_decision = player->type == &player_muct || player->type == &player_ismcts;
    const uint64_t decisions = per_decision ? (uint64_t)common_turn_decisions(ask) : 1;
    const uint64_t work = p->flat != NULL ? 0 : (uint64_t)p->options.sims * decisions;
    struct rng own;
    struct search_result result;
    struct search_task task = common_task(ask, &p->options.common, work, &own);
    if (player->type == &player_muct) {
        tbs_muct_start(&p->root, ask->view);
        task.root = &p->root;
        task.budget.clock_every = 1; /* a playout of many units takes milliseconds */
    }
    if (player->type->games == PLAYER_GEISTER && answers_at_once(p, ask, &task, out))
        return;
    if (p->flat != NULL) {
        flat_search(p->flat, &task, &p->options.flat, &result, NULL);
    } else {
        task.game = p->model; /* its states are what the tree is grown on */
        tree_search(p->tree, &task, &p->options.tree, &result);
    }
    common_answer(&result, out);
}

#define TREE_TYPE(own_name, own_games, own_params, own_open, own_help)                                       \
    {                                                                                                        \
        .name = own_name, .help = own_help, .games = own_games, .size = sizeof(struct tree_player),          \
        .params = own_params, .options_size = sizeof(struct options), .expects_payoffs = true,               \
        .open = own_open, .choose = choose_tree, .close = close_tree                                         \
    }

const struct player_type player_uct =
    TREE_TYPE("uct", PLAYER_OPEN_GAMES, uct_params + WIDENING_PARAMS, open_uct,
              "UCT over single unit actions (Sato, Fujiki and Ikeda, A.2.1)");
const struct player_type player_pwuct = TREE_TYPE("pwuct", PLAYER_OPEN_GAMES, uct_params, open_uct,
                                                  "UCT with progressive widening, attacks first (A.2.2)");
const struct player_type player_muct =
    TREE_TYPE("muct", PLAYER_TBS, muct_params, open_muct,
              "M-UCT as the TUBSTAP platform has it, faults and all (tactical game)");
const struct player_type player_ismcts =
    TREE_TYPE("ismcts", PLAYER_ANY_GAME, ismcts_params, open_ismcts,
              "information-set UCT: a tree of what the mover sees, over worlds drawn at random (any game)");
const struct player_type player_gst_a =
    TREE_TYPE("gst-a", PLAYER_GEISTER, gst_params, open_gst,
              "UCT for Geister, all hidden colours drawn before each playout (Nishikori et al., A)");
const struct player_type player_gst_b = TREE_TYPE("gst-b", PLAYER_GEISTER, gst_params, open_gst,
                                                  "the same, a colour drawn only when it matters (B)");
const struct player_type player_gst_c =
    TREE_TYPE("gst-c", PLAYER_GEISTER, gst_c_params, open_gst,
              "the same, no colour drawn: ends count with the chance to have got there (C)");
const struct player_type player_nissy =
    TREE_TYPE("nissy", PLAYER_GEISTER, nissy_params, open_gst,
              "gst-b that first looks for a win against purple pieces (GAT 2022)");
const struct player_type player_pimc =
    TREE_TYPE("pimc", PLAYER_ANY_GAME, pimc_params, open_flat,
              "perfect information Monte Carlo: random playouts in the worlds that are possible");
const struct player_type player_iimc =
    TREE_TYPE("iimc", PLAYER_ANY_GAME, iimc_params, open_flat,
              "imperfect information Monte Carlo: the same with playouts whose moves are chosen by pimc");
const struct player_type player_amcts =
    TREE_TYPE("amcts", PLAYER_ANY_GAME, amcts_params, open_flat,
              "adaptive Monte Carlo tree search: pimc first, and iimc where that leaves the choice open");
