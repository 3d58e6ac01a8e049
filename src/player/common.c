/* SPDX-License-Identifier: MIT */
#include "player/common.h"

bool common_needs_open_game(const char *player, const struct game *game, struct err *e) {
    return game->hide == NULL ||
           err_set(e, "%s needs a game in which nothing is hidden; %s hides something: use ismcts or pimc",
                   player, game->name);
}

const struct rollout *common_rollout(const char *player, const struct game *game, const char *policy,
                                     struct err *e) {
    if (game->rollouts == NULL || game->rollouts[0].name == NULL) {
        err_set(e, "%s needs playouts, and %s has none", player, game->name);
        return NULL;
    }
    const struct rollout *found = policy[0] == '\0' ? &game->rollouts[0] : game_rollout(game, policy);
    if (found == NULL)
        err_set(e, "%s: policy=%.64s is unknown; 'senjutsu games %s' lists the playouts", player, policy,
                game->name);
    return found;
}

int common_turn_decisions(const struct ask *ask) {
    const struct turn_progress progress = ask->game->progress(ask->view);
    /* A unit lost in its own attack does not show in the state, so who watched the turn knows better. */
    const int taken = ask->taken > progress.taken ? ask->taken : progress.taken;
    const int all = taken + progress.left;
    return all < 1 ? 1 : all;
}

static struct budget decision_budget(const struct ask *ask, const struct common_options *common,
                                     uint64_t work) {
    struct budget budget = ask->budget;
    if (budget.work_max > 0 || budget.time_ns_max > 0)
        return budget;
    const int decisions = common_turn_decisions(ask);
    if (common->time_ms > 0 && budget.clock != NULL)
        budget.time_ns_max = (int64_t)common->time_ms * 1000000 / decisions;
    else if (work > 0)
        budget.work_max = work / (uint64_t)decisions > 0 ? work / (uint64_t)decisions : 1;
    return budget;
}

struct search_task common_task(const struct ask *ask, const struct common_options *common, uint64_t work,
                               struct rng *rng) {
    if (common->seed != 0)
        rng_seed_stream(rng, (uint64_t)common->seed, ask->game->key(ask->view));
    return (struct search_task){
        .game = ask->game,
        .root = ask->view,
        .budget = decision_budget(ask, common, work),
        .rng = common->seed != 0 ? rng : ask->rng,
        .thoughts = ask->thoughts,
        .watch = ask->watch,
    };
}

void common_answer(const struct search_result *result, struct answer *out) {
    out->chosen = result->chosen;
    out->value = result->value;
    out->work_done = result->work;
    out->leaves = result->leaves;
}
