/* SPDX-License-Identifier: MIT
 *
 * Shares of a budget, plans for a whole turn, and what all players of Geister do.
 *
 * Budgets are divided by the decisions of a turn as the game counts them. A caller that watches the turn
 * knows more than the state shows, and its count wins.
 */
#include "player/common.h"

#include "base/mem.h"

#include <string.h>

/* ---- budgets ---- */

const struct rollout *common_rollout(const char *player, const struct game *game, const char *policy,
                                     struct err *e) {
    if (game->rollouts == NULL || game->rollouts[0].name == NULL) {
        err_set(e, "%s needs playouts, and %s has none", player, game->name);
        return NULL;
    }
    if (policy[0] == '\0')
        policy = game_default(game, player, "policy");
    const struct rollout *found = policy[0] == '\0' ? &game->rollouts[0] : game_rollout(game, policy);
    if (found == NULL)
        err_code(e, "refused.policy", "%s: policy=%.64s is unknown; 'senjutsu games %s' lists the playouts",
                 player, policy, game->name);
    return found;
}

int common_turn_decisions(const struct ask *ask) {
    const struct turn_progress progress = ask->game->progress(ask->view);
    /* A unit lost in its own attack leaves no trace in the state; a caller that watched the turn has counted
     * it. */
    const int taken = ask->taken > progress.taken ? ask->taken : progress.taken;
    const int all = taken + progress.left;
    return all < 1 ? 1 : all;
}

/* A budget in the question replaces the player's options altogether. */
struct search_task common_task(const struct ask *ask, const struct common_options *common, uint64_t work,
                               struct rng *rng) {
    struct budget budget = ask->budget;
    if (budget.work_max == 0 && budget.time_ns_max == 0) {
        const int decisions = common_turn_decisions(ask);
        if (common->time_ms > 0 && budget.clock != NULL)
            budget.time_ns_max = (int64_t)common->time_ms * 1000000 / decisions;
        else if (work > 0)
            budget.work_max = work / (uint64_t)decisions > 0 ? work / (uint64_t)decisions : 1;
    }
    if (common->seed != 0)
        rng_seed_stream(rng, (uint64_t)common->seed, ask->game->key(ask->view));
    return (struct search_task){
        .game = ask->game,
        .root = ask->view,
        .budget = budget,
        .rng = common->seed != 0 ? rng : ask->rng,
        .thoughts = ask->thoughts,
        .watch = ask->watch,
    };
}

/* At least a nanosecond stays, since 0 would mean no limit. */
void common_take_time(struct budget *budget, int64_t start_ns) {
    if (budget->time_ns_max == 0 || budget->clock == NULL)
        return;
    const int64_t left_ns = budget->time_ns_max - (clock_now_ns(budget->clock) - start_ns);
    budget->time_ns_max = left_ns > 0 ? left_ns : 1;
}

void common_answer(const struct search_result *result, struct answer *out) {
    out->chosen = result->chosen;
    out->value = result->value;
    out->work_done = result->work;
    out->leaves = result->leaves;
}

/* ---- plans: the rest of a turn ---- */

void plan_init(struct plan *plan, const struct game *game) {
    *plan = (struct plan){.game = game, .states = mem_alloc(TURN_LINE_MAX * game->state_size)};
}

void plan_done(struct plan *plan) {
    mem_free(plan->states);
    plan->states = NULL;
}

static unsigned char *state_at(const struct plan *plan, int i) {
    return plan->states + (size_t)i * plan->game->state_size;
}

/* States are stored, so that a plan is used only in exactly the positions it foresaw. */
void plan_make(struct plan *plan, const struct ask *ask, const struct turn_line *line, double value) {
    const struct game *game = plan->game;
    union search_state state;
    plan->line = *line;
    plan->value = value;
    plan->taken = ask->taken;
    plan->expected = 0;
    search_copy(game, &state, ask->view);
    for (int i = 0; i < line->count && game->mover(&state) == ask->side; i++) {
        memcpy(state_at(plan, i), &state, game->state_size);
        plan->expected = i + 1;
        if (game_outcomes(game, &state, line->actions[i]) > 1) /* what follows depends on the outcome */
            break;
        game_play_outcome(game, &state, line->actions[i], 0);
    }
}

bool plan_answer(const struct plan *plan, const struct ask *ask, struct answer *out) {
    for (int i = 1; i < plan->expected; i++) {
        /* A caller that did not watch the turn passes 0; then the state itself must show that decisions were
         * taken in it. */
        const bool in_turn =
            ask->taken == plan->taken + i || (ask->taken == 0 && ask->game->progress(ask->view).taken > 0);
        if (!in_turn || memcmp(state_at(plan, i), ask->view, plan->game->state_size) != 0)
            continue;
        *out = (struct answer){.chosen = plan->line.actions[i], .value = plan->value};
        if (ask->thoughts != NULL) {
            struct turn_line rest = {.count = plan->line.count - i};
            memcpy(rest.actions, plan->line.actions + i, (size_t)rest.count * sizeof rest.actions[0]);
            struct thought candidate = {.action = rest.actions[0], .value = plan->value};
            turn_line_show(&rest, &candidate);
            thoughts_add(ask->thoughts, &candidate, false);
        }
        return true;
    }
    return false;
}

struct search_task plan_task(const struct ask *ask, const struct common_options *common, uint64_t work,
                             struct rng *rng) {
    struct search_task task = common_task(ask, common, 0, rng);
    const int left = ask->game->progress(ask->view).left, all = common_turn_decisions(ask);
    /* Under a clock that limits each decision separately there is only this decision's share. */
    if (task.budget.deadline_ns > 0 && left > 1 && left * ask->time.share_ns <= ask->time.limit_ns)
        task.budget.deadline_ns += (left - 1) * ask->time.share_ns;
    if (ask->budget.work_max > 0 || ask->budget.time_ns_max > 0)
        return task;
    const double share = left < 1 ? 1.0 / all : (double)left / all;
    if (task.budget.time_ns_max > 0) {
        task.budget.time_ns_max = (int64_t)((double)common->time_ms * 1e6 * share);
    } else if (work > 0) {
        task.budget.work_max = (uint64_t)((double)work * share);
        if (task.budget.work_max == 0)
            task.budget.work_max = 1;
    }
    return task;
}

/* ---- players made for Geister ---- */

/* The strategy is parsed once, when the player is opened. */
bool geister_player_setup(const struct player *player, const char *setup, struct setup_strategy *out,
                          struct err *e) {
    return setup_read(setup, out, e) || err_prefix(e, "%s: ", player->type->name);
}

bool geister_player_sets(const struct setup_strategy *strategy, const struct ask *ask, struct answer *out) {
    const struct geister *view = ask->view;
    if (view->stage >= GEISTER_PLAYING)
        return false;
    out->chosen = setup_choose(strategy, ask->rng);
    out->work_done = 1;
    return true;
}

/* Searches list only the sideways way out, which leads to the same end. */
action geister_player_move(const struct ask *ask, action own) {
    const action sideways = geister_turned(own, ask->side);
    return ask->game->is_legal(ask->view, sideways)
               ? sideways
               : geister_turned(geister_move((int)own / 4, GEISTER_NORTH), ask->side);
}
