/* SPDX-License-Identifier: MIT */
#include "flat_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* ---- Algorithms 1 and 2 ---- */

static int naive_arm(const struct naive_flat *n, const struct naive_arms *known, uint64_t i) {
    double highest = 0;
    int best = -1;
    if (n->settings->root == FLAT_ROUND_ROBIN || i < (uint64_t)known->count)
        return (int)(i % (uint64_t)known->count);
    for (int k = 0; k < known->count; k++) {
        const double bound = flat_bound(&known->arms[k], i, n->settings->root, n->settings->c);
        if (best < 0 || bound > highest) {
            best = k;
            highest = bound;
        }
    }
    return best;
}

static double naive_final(const struct naive_flat *n, const struct flat_arm *arm) {
    return n->settings->by_sum ? arm->sum : arm->sum / (double)arm->visits;
}

action naive_choice(struct naive_flat *n, const struct naive_arms *known) {
    int equals[NAIVE_ACTIONS_MAX], count = 0;
    for (int k = 0; k < known->count; k++) {
        if (known->arms[k].visits == 0)
            continue;
        const double value = naive_final(n, &known->arms[k]);
        const double best = count > 0 ? naive_final(n, &known->arms[equals[0]]) : value;
        if (value > best)
            count = 0;
        if (count == 0 || !(value < best))
            equals[count++] = k;
    }
    assert_true(count > 0);
    return known->actions[equals[count > 1 ? rng_below(&n->rng, (uint32_t)count) : 0]];
}

static void naive_think(struct naive_flat *n, union search_state *state) {
    const struct flat_settings *s = n->settings;
    struct naive_arms known;
    union search_state view;
    action list[NAIVE_ACTIONS_MAX];
    const int count = n->game->actions(state, list);
    action chosen = list[0];
    if (count > 1) {
        view_of(n->game, state, &view);
        const double worlds = n->game->hide != NULL ? n->game->worlds(&view) : 1;
        const uint64_t sims = s->inner_sims > 0 ? (uint64_t)s->inner_sims
                                                : (uint64_t)(worlds * count * s->inner_constant + 0.5);
        naive_list(n, &view, &known);
        naive_pimc(n, &view, sims, false, &known);
        chosen = naive_choice(n, &known);
    }
    n->game->play(state, chosen, &n->rng);
}

/* Algorithm 2, or all moves at random. */
static double naive_playout(struct naive_flat *n, union search_state *state, int side, bool thinking) {
    while (thinking && n->game->mover(state) != NOBODY) {
        if (n->settings->thinkers == FLAT_BOTH || n->game->mover(state) == side)
            naive_think(n, state);
        else
            n->settings->rollout->run(state, &n->rng, 1);
    }
    if (n->game->mover(state) != NOBODY)
        n->settings->rollout->run(state, &n->rng, 0);
    n->leaves++;
    return n->game->payoff(state, side);
}

void naive_list(struct naive_flat *n, const union search_state *view, struct naive_arms *out) {
    *out = (struct naive_arms){0};
    out->count = n->game->actions(view, out->actions);
    search_shuffle(&n->rng, out->actions, out->count);
}

void naive_pimc(struct naive_flat *n, const union search_state *view, uint64_t sims, bool thinking,
                struct naive_arms *out) {
    const bool hides = n->game->hide != NULL && n->game->worlds(view) > 1;
    const int side = n->game->mover(view);
    union search_state world = *view;
    if (n->game->hide != NULL && !hides)
        n->game->world(&world, 0);
    for (uint64_t i = 0; i < sims; i++) {
        const int arm = naive_arm(n, out, i);
        if (hides && (n->settings->root != FLAT_ROUND_ROBIN || arm == 0)) {
            world = *view;
            n->game->determinize(&world, &n->rng);
        }
        union search_state state = world;
        n->game->play(&state, out->actions[arm], &n->rng);
        const double value = naive_playout(n, &state, side, thinking);
        out->arms[arm].visits++;
        out->arms[arm].sum += value;
        out->arms[arm].squares += value * value;
    }
}

double naive_minimax(const struct game *game, const union search_state *state, int side, uint64_t *ends) {
    action list[NAIVE_ACTIONS_MAX];
    const int mover = game->mover(state);
    double best = mover == side ? -1 : 2;
    if (mover == NOBODY) {
        ++*ends;
        return game->payoff(state, side);
    }
    const int count = game->actions(state, list);
    for (int i = 0; i < count; i++) {
        union search_state next = *state;
        game->play(&next, list[i], NULL);
        const double value = naive_minimax(game, &next, side, ends);
        if (mover == side ? value > best : value < best)
            best = value;
    }
    return best;
}

double naive_random(const struct game *game, const union search_state *state, int side) {
    action list[NAIVE_ACTIONS_MAX];
    if (game->mover(state) == NOBODY)
        return game->payoff(state, side);
    const int count = game->actions(state, list);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        union search_state next = *state;
        game->play(&next, list[i], NULL);
        sum += naive_random(game, &next, side);
    }
    return sum / count;
}

/* ---- positions and searches ---- */

void start_game(const struct scenario *scenario, uint64_t seed, int plies, union search_state *out) {
    action list[NAIVE_ACTIONS_MAX];
    struct rng r;
    rng_seed(&r, seed);
    *out = (union search_state){0};
    scenario->game->start(out, scenario, &r);
    for (int i = 0; i < plies; i++) {
        const int count = scenario->game->actions(out, list);
        scenario->game->play(out, list[rng_below(&r, (uint32_t)count)], &r);
    }
}

void view_of(const struct game *game, const union search_state *state, union search_state *out) {
    *out = *state;
    if (game->hide != NULL)
        game->hide(out, game->mover(state));
}

void flat_find(const struct flat_trial *trial, struct flat_found *out) {
    struct flat *flat = flat_open(trial->game);
    struct flat_settings settings = trial->settings;
    if (settings.rollout == NULL)
        settings.rollout = &trial->game->rollouts[0];
    rng_seed(&out->after, trial->seed);
    out->thoughts = (struct thoughts){0};
    thoughts_start(&out->thoughts);
    const struct search_task task = {.game = trial->game,
                                     .root = trial->view,
                                     .budget = trial->budget,
                                     .rng = &out->after,
                                     .thoughts = &out->thoughts,
                                     .watch = trial->watch};
    flat_search(flat, &task, &settings, &out->result, &out->report);
    flat_close(flat);
}

struct thought thought_about(const struct thoughts *thoughts, action a) {
    for (int i = 0; i < thoughts->count; i++)
        if (thoughts->candidates[i].action == a)
            return thoughts->candidates[i];
    return (struct thought){.action = a};
}
