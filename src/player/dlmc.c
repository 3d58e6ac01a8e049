/* SPDX-License-Identifier: MIT
 *
 * `dlmc`: depth-limited Monte Carlo (Sato, Fujiki and Ikeda, sections 4.3.3 and A.2.4). Draws whole turns at
 * random, values each by short simulations and the linear evaluation, and plays the best to its end. In the
 * paper's evaluation infantry counts for a fifth.
 */
#include "game/game.h"
#include "player/common.h"
#include "player/players.h"
#include "search/turns.h"

struct options {
    int turns, sims, horizon;
    char values[PARAM_TEXT_MAX], policy[PARAM_TEXT_MAX];
    struct common_options common;
};

static const struct param params[] = {
    {"turns", PARAM_INT, offsetof(struct options, turns), 1, 1000000, 200,
     .help = "how many whole turns are drawn at random"},
    {"sims", PARAM_INT, offsetof(struct options, sims), 1, 1000000, 100,
     .help = "random simulations from the end of each"},
    {"horizon", PARAM_INT, offsetof(struct options, horizon), 0, 10000, 2,
     .help = "turns a simulation plays after the drawn one: 1 the enemy's, 2 the enemy's and one's own; 0: "
             "none, only the evaluation"},
    {"values", PARAM_TEXT, offsetof(struct options, values),
     .help =
         "weights of the evaluation at the end of a simulation, F:1,I:0.2 say: what one HP of each type is "
         "worth (default: the game's)",
     .power = PARAM_WORD},
    {"policy", PARAM_TEXT, offsetof(struct options, policy),
     .help = "how simulations are played ('senjutsu games' lists the ways; default: the game's)",
     .power = PARAM_WORD},
    COMMON_TIME(struct options),
    COMMON_SEED(struct options),
    COMMON_THREADS(struct options, "threads for one decision; the answer is the same for any number"),
    {0},
};

struct dlmc {
    struct player player; /* first member */
    struct options options;
    struct turns_settings settings;
    double weights[GAME_WEIGHTS_MAX];
    struct turns *turns;
    struct plan plan;
};

static void close_dlmc(struct player *player) {
    struct dlmc *p = (struct dlmc *)player;
    turns_close(p->turns);
    plan_done(&p->plan);
}

static bool open_dlmc(struct player *player, const struct game *game, const struct grant *grant,
                      struct err *e) {
    (void)grant;
    struct dlmc *p = (struct dlmc *)player;
    const struct options *o = &p->options;
    p->settings = (struct turns_settings){.turns = o->turns,
                                          .sims = o->sims,
                                          .horizon = o->horizon,
                                          .rollout = common_rollout("dlmc", game, o->policy, e),
                                          .eval = common_eval(game, "linear"),
                                          .weights = p->weights};
    if (p->settings.rollout == NULL)
        return false;
    if (p->settings.eval == NULL)
        return err_set(e, "dlmc: %s has no evaluation", game->name);
    if (!common_weights("dlmc", game, o->values, p->weights, e))
        return err_prefix(e, "dlmc: ");
    plan_init(&p->plan, game);
    p->turns = turns_open(game, o->common.threads);
    return true;
}

static void choose_dlmc(struct player *player, const struct ask *ask, struct answer *out) {
    struct dlmc *p = (struct dlmc *)player;
    if (plan_answer(&p->plan, ask, out))
        return;
    struct rng own;
    struct turns_result found;
    const struct search_task task = plan_task(ask, &p->options.common, 0, &own);
    turns_search(p->turns, &task, &p->settings, &found);
    plan_make(&p->plan, ask, &found.line, found.result.value);
    common_answer(&found.result, out);
}

const struct player_type player_dlmc = {
    .name = "dlmc",
    .help = "depth-limited Monte Carlo: draws whole turns, values each by short simulations, plays the best",
    .games = PLAYER_OPEN_GAMES,
    .size = sizeof(struct dlmc),
    .params = params,
    .options_size = sizeof(struct options),
    .open = open_dlmc,
    .choose = choose_dlmc,
    .close = close_dlmc,
};
