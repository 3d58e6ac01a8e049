/* SPDX-License-Identifier: MIT
 *
 * `geist`, this project's own player of Geister: forced wins first, then a search over its belief about the
 * other's colours (geister/belief.h, geister/geist.h), with a policy and values learned from games against
 * itself and against `purple` (geister/geist_learn.h).
 */
#include "geister/geist.h"

#include "base/file.h"
#include "base/mem.h"
#include "player/common.h"
#include "player/players.h"

struct options {
    int sims, mate, guard, depth, memory;
    double explore, known, follow, sharpness, doubt, draw;
    bool models;
    char weights[PARAM_TEXT_MAX], setup[PARAM_TEXT_MAX];
    struct common_options common;
};

static const struct param params[] = {
    {"sims", PARAM_INT, offsetof(struct options, sims), 1, 100000000, 10000, .help = "simulations a move"},
    COMMON_TIME(struct options),
    {"mate", PARAM_INT, offsetof(struct options, mate), 0, PURPLE_DEPTH_MAX, 11,
     .help = "forced wins within so many plies are looked for first; 0: not at all"},
    {"guard", PARAM_INT, offsetof(struct options, guard), 0, PURPLE_DEPTH_MAX, 7,
     .help = "moves after which the other has a likely forced win within so many plies are avoided; 0: not"},
    {"models", PARAM_SWITCH, offsetof(struct options, models), .fallback = 1,
     .help = "conclude also which player the other is, of those it knows (guess, pg, purple)"},
    {"depth", PARAM_INT, offsetof(struct options, depth), 0, 8, 4,
     .help = "depth of the purple it compares the other's moves with; 0: it does not"},
    {"known", PARAM_REAL, offsetof(struct options, known), 0, 1, 0.5,
     .help = "how often the other is taken to have guessed our colours rightly, from how we moved"},
    {"follow", PARAM_REAL, offsetof(struct options, follow), 0, 1, 0.95,
     .help = "how often the other does in a simulation what that player would do"},
    {"sharpness", PARAM_REAL, offsetof(struct options, sharpness), 0, 100, 1,
     .help = "of the policy that the other's moves are explained with; 0: moves tell nothing"},
    {"doubt", PARAM_REAL, offsetof(struct options, doubt), 0.001, 1, 0.1,
     .help = "share of the other's moves that need no explanation"},
    {"explore", PARAM_REAL, offsetof(struct options, explore), 0, 100, 0.7,
     .help = "how much the search trusts the policy and tries what was seldom tried"},
    {"draw", PARAM_REAL, offsetof(struct options, draw), 0, 1, 0.4, .help = "what a draw is worth to it"},
    {"weights", PARAM_TEXT, offsetof(struct options, weights),
     .help = "a file that 'senjutsu train geister-geist' has written; otherwise our own weights",
     .power = PARAM_READS},
    GEISTER_SETUP(struct options, "strong"),
    {"memory", PARAM_INT, offsetof(struct options, memory), 1, 65536, 64, .help = "megabytes for the tree"},
    COMMON_SEED(struct options),
    {0},
};

struct geist_player {
    struct player player; /* first member */
    struct options options;
    struct setup_strategy setup;
    struct geist_weights *own; /* from a file; NULL otherwise */
    struct inference *inference;
    struct geist *geist;
};

/* ---- opening ---- */

static void close_geist(struct player *player) {
    struct geist_player *p = (struct geist_player *)player;
    geist_close(p->geist);
    inference_close(p->inference);
    mem_free(p->own);
}

static bool load_weights(struct geist_player *p, const char *path, struct err *e) {
    struct text text = {0};
    p->own = mem_alloc(sizeof *p->own);
    const bool ok = file_read(path, GEIST_TEXT_MAX, &text, e) &&
                    geist_weights_read(path, text_string(&text), text.size, p->own, e);
    text_done(&text);
    return ok;
}

static bool open_geist(struct player *player, const struct game *game, const struct grant *grant,
                       struct err *e) {
    (void)game, (void)grant;
    struct geist_player *p = (struct geist_player *)player;
    const struct options *const o = &p->options;
    if (!geister_player_setup(player, o->setup, &p->setup, e))
        return false;
    if (o->weights[0] != '\0' && !load_weights(p, o->weights, e))
        return false;
    const struct geist_weights *const weights = p->own != NULL ? p->own : geist_builtin();
    const struct belief_settings belief = {.weights = weights,
                                           .models = o->models,
                                           .depth = o->depth,
                                           .sharpness = o->sharpness,
                                           .doubt = o->doubt};
    const struct geist_settings search = {.weights = weights,
                                          .explore = o->explore,
                                          .known = o->known,
                                          .follow = o->follow,
                                          .model_depth = 2,
                                          .mate = o->mate,
                                          .mate_nodes_max = 100000,
                                          .guard = o->guard,
                                          .draw = o->draw};
    p->inference = inference_open(&belief, e);
    p->geist = p->inference != NULL ? geist_open(&search, (size_t)o->memory << 20, e) : NULL;
    return p->geist != NULL || err_prefix(e, "geist: ");
}

static bool check_geist(const void *options, struct err *e) {
    struct setup_strategy setup;
    return setup_read(((const struct options *)options)->setup, &setup, e) || err_prefix(e, "geist: ");
}

/* ---- choosing ---- */

/* The inference costs time, too. */
static void conclude(struct geist_player *p, const struct ask *ask, struct budget *budget,
                     struct belief *out) {
    const int64_t start_ns = budget->clock != NULL ? clock_now_ns(budget->clock) : 0;
    inference_conclude(p->inference, ask->view, ask->side, out);
    if (budget->time_ns_max > 0 && budget->clock != NULL) {
        const int64_t left_ns = budget->time_ns_max - (clock_now_ns(budget->clock) - start_ns);
        budget->time_ns_max = left_ns > 0 ? left_ns : 1;
    }
}

static void choose_geist(struct player *player, const struct ask *ask, struct answer *out) {
    struct geist_player *p = (struct geist_player *)player;
    if (geister_player_sets(&p->setup, ask, out))
        return;
    struct rng own;
    struct belief belief;
    struct search_result result;
    struct search_task task = common_task(ask, &p->options.common, (uint64_t)p->options.sims, &own);
    conclude(p, ask, &task.budget, &belief);
    geist_search(p->geist, &task, &belief, &result);
    common_answer(&result, out);
    out->chosen = geister_player_move(ask, result.chosen);
}

const struct player_type player_geist = {
    .name = "geist",
    .help = "our own: forced wins, beliefs about the other's colours, a search over them with learned "
            "policy and values (Geister)",
    .games = PLAYER_GEISTER,
    .size = sizeof(struct geist_player),
    .params = params,
    .options_size = sizeof(struct options),
    .expects_payoffs = true,
    .check = check_geist,
    .open = open_geist,
    .choose = choose_geist,
    .close = close_geist,
};
