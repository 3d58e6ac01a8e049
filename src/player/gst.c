/* SPDX-License-Identifier: MIT
 *
 * `gst-a`, `gst-b`, `gst-c`: UCT for Geister in the three variants of Nishikori, Aoki and Hashimoto (see
 * game/geister/models.h). They are one tree search on three models; the paper's experiments used 30,000
 * playouts a move.
 *
 * `nissy`: their entry to the GAT competition of 2022, `gst-b` that first searches for a win against purple
 * pieces and plays it when there is one.
 *
 * What the paper leaves open follows the program that one of its authors published: playouts in which a blue
 * that can leave does, c = sqrt 2, children made at the second visit, and the action with the best mean is
 * played.
 */
#include "game/geister/models.h"
#include "geister/purple.h"
#include "player/common.h"
#include "player/players.h"
#include "search/tree.h"

enum { MATE_BYTES = 4 << 20 };

struct options {
    struct common_options common;
    int mate, reading, sims, policy, expand, choose, memory_mb;
    double c;
    bool merge;
    char setup[PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

static const char *const policies[] = {"leave", "random"};

#define SIMS_HELP   "playouts for each move"
#define POLICY_HELP "of the playouts: a blue that can leave does, or any move is as likely as the others"
#define EXPAND_HELP "visits after which what a move leads to is looked at move by move"
#define CHOOSE_HELP "the move played: best mean result, or most visited"
#define MERGE_HELP  "positions that look alike but for the hidden colours share what is known of them"
#define MEMORY_HELP "megabytes for the tree; when they are full it grows no more"
#define TREES_HELP  "so many trees at a time, each with its share of the playouts"
#define READING_HELP                                                                                         \
    "of the formulas: a piece on its exit counts once, or again each time; letter: four reds must be taken"
#define MATE_HELP "depth of the search for a win against purple pieces, before anything else; 0: none"

/* Options of all of them. */
#define GST_PARAMS                                                                                           \
    {"sims", PARAM_INT, AT(sims), 1, 1e9, 30000, NULL, SIMS_HELP},                                           \
        {"c", PARAM_REAL, AT(c), 0, 100, 1.41421356, NULL, "exploration: mean + c * sqrt(ln n / visits)"},   \
        {"policy", PARAM_CHOICE, AT(policy), 0, 0, 0, "leave|random", POLICY_HELP},                          \
        {"expand", PARAM_INT, AT(expand), 1, 1e6, 1, NULL, EXPAND_HELP},                                     \
        {"choose", PARAM_CHOICE, AT(choose), 0, 0, 0, "mean|visits", CHOOSE_HELP},                           \
        {"merge", PARAM_SWITCH, AT(merge), 0, 0, 0, NULL, MERGE_HELP},                                       \
        {"memory", PARAM_INT, AT(memory_mb), 1, 65536, 64, NULL, MEMORY_HELP}, COMMON_TIME(struct options),  \
        COMMON_SEED(struct options), COMMON_THREADS(struct options, TREES_HELP),                             \
        GEISTER_SETUP(struct options, "random")

static const struct param params[] = {GST_PARAMS, {0}};

static const struct param never_params[] = {
    GST_PARAMS, {"reading", PARAM_CHOICE, AT(reading), 0, 0, 0, "once|again|letter", READING_HELP}, {0}};

static const struct param nissy_params[] = {
    {"mate", PARAM_INT, AT(mate), 0, PURPLE_DEPTH_MAX, 6, NULL, MATE_HELP}, GST_PARAMS, {0}};

struct gst {
    struct player player; /* first member */
    struct options options;
    const struct game *model;
    struct tree_settings settings;
    struct setup_strategy setup;
    struct tree *tree;
    struct purple *purple; /* nissy's */
};

static void close_gst(struct player *player) {
    struct gst *p = (struct gst *)player;
    tree_close(p->tree);
    purple_close(p->purple);
}

static enum geister_model model_of(const struct player_type *type, const struct options *o) {
    static const enum geister_model readings[] = {GEISTER_NEVER, GEISTER_AGAIN, GEISTER_LETTER};
    if (type == &player_gst_c)
        return readings[o->reading];
    return type == &player_gst_a ? GEISTER_EARLY : GEISTER_LATE;
}

static bool open_gst(struct player *player, const struct game *game, const struct grant *grant,
                     struct err *e) {
    (void)game, (void)grant;
    struct gst *p = (struct gst *)player;
    const struct options *o = &p->options;
    if (!geister_player_setup(player, o->setup, &p->setup, e))
        return false;
    p->model = &geister_models[model_of(player->type, o)];
    p->settings = (struct tree_settings){
        .c = o->c,
        .expand = o->expand,
        .rollout = game_rollout(p->model, policies[o->policy]),
        .shuffle = true,
        .choice = o->choose == 0 ? TREE_CHOOSE_MEAN : TREE_CHOOSE_VISITS,
        .hurry = true,
        .transpositions = o->merge,
        .open_loop = true,
    };
    const struct tree_memory storage = {
        .memory_bytes = (size_t)o->memory_mb << 20, .trees = o->common.threads, .keyed = o->merge};
    p->tree = tree_open(p->model, &storage, e);
    if (p->tree != NULL && o->mate > 0) /* only nissy's table has it; for the others it stays 0 */
        p->purple = purple_open(MATE_BYTES, e);
    return (p->tree != NULL && (o->mate == 0 || p->purple != NULL)) ||
           err_prefix(e, "%s: ", player->type->name);
}

/* ---- choosing ---- */

/* A win for all possible colours. */
static bool finds_mate(struct gst *p, const struct ask *ask, const struct search_task *task,
                       struct answer *out) {
    if (p->purple == NULL)
        return false;
    struct geister_observation seen;
    struct purple_board board;
    struct purple_result found;
    const struct budget *budget = &task->budget;
    const struct purple_task mate = {.depth = p->options.mate,
                                     .cut = budget,
                                     .start_ns = budget->clock != NULL ? clock_now_ns(budget->clock) : 0};
    geister_observe(ask->view, ask->side, &seen);
    purple_board_of(&seen, &board);
    if (!purple_mate(p->purple, &board, &mate, &found))
        return false;
    *out =
        (struct answer){.chosen = geister_player_move(ask, found.move), .value = 1, .work_done = found.nodes};
    if (ask->thoughts != NULL) {
        const struct thought only = {.action = out->chosen, .value = 1, .visits = found.nodes};
        struct thought *stored = thoughts_add(ask->thoughts, &only, false);
        stored->line[stored->line_count++] = out->chosen;
        ask->thoughts->total = 1;
        ask->thoughts->nodes = found.nodes;
        ask->thoughts->depth = p->options.mate;
    }
    return true;
}

/* The time that the search for a win has left. */
static void take_time(struct budget *budget, int64_t begin_ns) {
    if (budget->time_ns_max == 0 || budget->clock == NULL)
        return;
    const int64_t left = budget->time_ns_max - (clock_now_ns(budget->clock) - begin_ns);
    budget->time_ns_max = left > 0 ? left : 1;
}

static void choose_gst(struct player *player, const struct ask *ask, struct answer *out) {
    struct gst *p = (struct gst *)player;
    struct rng own;
    struct search_result result;
    struct search_task task = common_task(ask, &p->options.common, (uint64_t)p->options.sims, &own);
    struct ask seeded = *ask;
    const int64_t begin_ns = task.budget.clock != NULL ? clock_now_ns(task.budget.clock) : 0;
    seeded.rng = task.rng;
    if (geister_player_sets(&p->setup, &seeded, out) || finds_mate(p, ask, &task, out))
        return;
    if (p->purple != NULL)
        take_time(&task.budget, begin_ns);
    task.game = p->model;
    tree_search(p->tree, &task, &p->settings, &result);
    common_answer(&result, out);
}

#define GST_TYPE(own_name, own_help, own_params)                                                             \
    {                                                                                                        \
        .name = own_name, .help = own_help, .games = PLAYER_GEISTER, .size = sizeof(struct gst),             \
        .params = own_params, .options_size = sizeof(struct options), .expects_payoffs = true,               \
        .open = open_gst, .choose = choose_gst, .close = close_gst                                           \
    }

const struct player_type player_gst_a = GST_TYPE(
    "gst-a", "UCT for Geister, all hidden colours drawn before each playout (Nishikori et al., A)", params);
const struct player_type player_gst_b =
    GST_TYPE("gst-b", "the same, a colour drawn only when it matters (B)", params);
const struct player_type player_gst_c = GST_TYPE(
    "gst-c", "the same, no colour drawn: ends count with the chance to have got there (C)", never_params);
const struct player_type player_nissy =
    GST_TYPE("nissy", "gst-b that first looks for a win against purple pieces (GAT 2022)", nissy_params);
