/* SPDX-License-Identifier: MIT
 *
 * The rules, which are few: sides take turns, every action is always there, and after `depth` moves the tree
 * says who gets what.
 */
#include "game/synth/core.h"

#include "game/plain.h"

#include <assert.h>

static struct synth_place place_of(const struct synth_state *s) {
    return (struct synth_place){s->tree, s->path, s->ply};
}

/* ---- rules ---- */

void synth_set(void *state, const struct scenario *scenario, const struct synth_place *place,
               const int types[2]) {
    *(struct synth_state *)state = (struct synth_state){
        .scenario = synth_scenario_of(scenario),
        .tree = place->tree,
        .path = place->path,
        .first = {(uint16_t)types[0], (uint16_t)types[1]},
        .ply = (uint8_t)place->ply,
    };
}

/* Both players know the tree's number. So it must not be one that tells the generator's state, from which the
 * types are drawn next: 31 bits of it do not, and the option `tree` can name every tree there is. */
static void start(void *state, const struct scenario *scenario, struct rng *r) {
    const struct synth_params *p = synth_params_of(scenario);
    const uint64_t tree = p->tree != 0 ? (uint64_t)p->tree : 1 + (uint64_t)rng_below(r, INT32_MAX);
    const int first = (int)rng_below(r, (uint32_t)p->worlds);
    const int second = (int)rng_below(r, (uint32_t)p->worlds);
    synth_set(state, scenario, &(struct synth_place){tree, 0, 0}, (int[]){first, second});
}

static int mover(const void *state) {
    const struct synth_state *s = state;
    return s->ply < s->scenario->params.depth ? s->ply % 2 : NOBODY;
}

/* 0, 1, 2 … */
static int actions(const void *state, action *out) {
    if (mover(state) == NOBODY)
        return 0;
    const int count = ((const struct synth_state *)state)->scenario->params.branching;
    for (int i = 0; i < count; i++)
        out[i] = (action)i;
    return count;
}

static bool is_legal(const void *state, action a) {
    return mover(state) != NOBODY &&
           a < (action)((const struct synth_state *)state)->scenario->params.branching;
}

static void play(void *state, action a, struct rng *r) {
    (void)r;
    struct synth_state *s = state;
    s->path = s->path * (uint64_t)s->scenario->params.branching + a;
    s->ply++;
}

/* Of a view it would be that of one of its worlds: only full states have payoffs. */
static double payoff(const void *state, int side) {
    const struct synth_state *s = state;
    return s->scenario->payoffs[side][synth_leaf_at(s->scenario, s->tree, s->path, s->first)];
}

static int turn(const void *state) {
    return ((const struct synth_state *)state)->ply;
}

static struct turn_progress progress(const void *state) {
    return (struct turn_progress){.taken = 0, .left = mover(state) == NOBODY ? 0 : 1};
}

static uint64_t key(const void *state) {
    const struct synth_state *s = state;
    const uint64_t known = (uint64_t)s->first[0] | (uint64_t)s->first[1] << 16 | (uint64_t)s->span[0] << 32 |
                           (uint64_t)s->span[1] << 40 | (uint64_t)s->ply << 48 | UINT64_C(1) << 56;
    return rng_mix(rng_mix(s->tree + known) + s->path);
}

static bool is_block(const struct synth_scenario *sc, int first, int span) {
    return span <= sc->span && first < sc->params.worlds && first >> span << span == first;
}

static bool valid(const void *state) {
    const struct synth_state *s = state;
    const struct synth_scenario *sc = s->scenario;
    if (s->ply > sc->params.depth || s->unused != 0)
        return false;
    uint64_t paths = 1;
    for (int i = 0; i < s->ply; i++)
        paths *= (uint64_t)sc->params.branching;
    return s->path < paths && is_block(sc, s->first[0], s->span[0]) && is_block(sc, s->first[1], s->span[1]);
}

/* All moves that are left in one go: with a power of two for branching they are the bits of one number. */
static long rollout(void *state, struct rng *r, int turns_max) {
    struct synth_state *s = state;
    const struct synth_scenario *sc = s->scenario;
    int count = sc->params.depth - s->ply;
    if (turns_max > 0 && turns_max < count)
        count = turns_max;
    if (count == 0)
        return 0;
    const int bits = sc->shift * count;
    if (bits > 0)
        s->path = s->path << bits | rng_next(r) >> (64 - bits);
    for (int i = 0; i < count && bits == 0; i++)
        s->path = s->path * (uint64_t)sc->params.branching + rng_below(r, (uint32_t)sc->params.branching);
    s->ply = (uint8_t)(s->ply + count);
    return count;
}

/* ---- views ---- */

static void forget(struct synth_state *s, int side) {
    s->first[side] = 0;
    s->span[side] = (uint8_t)s->scenario->span;
}

/* What the side knows of the other depends on its own type; who does not know that one knows nothing. */
static void hide(void *state, int side) {
    struct synth_state *s = state;
    if (side == NOBODY) {
        forget(s, 0);
        forget(s, 1);
        return;
    }
    const int other = side ^ 1;
    if (s->span[side] > 0) {
        forget(s, other);
        return;
    }
    const struct synth_place place = place_of(s);
    const struct synth_block within = {s->first[other], s->span[other]};
    const struct synth_block cell = synth_cell_block(s->scenario, &place, side, s->first[side], within);
    s->first[other] = (uint16_t)cell.first;
    s->span[other] = (uint8_t)cell.span;
}

static double worlds(const void *view) {
    const struct synth_state *s = view;
    return (double)(UINT64_C(1) << (s->span[0] + s->span[1]));
}

/* All types of the second for the first type of the first, and so on. */
static void world(void *view, uint64_t number) {
    struct synth_state *s = view;
    const uint64_t mask = (UINT64_C(1) << s->span[1]) - 1;
    s->first[1] = (uint16_t)(s->first[1] + (number & mask));
    s->first[0] = (uint16_t)(s->first[0] + (number >> s->span[1]));
    s->span[0] = s->span[1] = 0;
}

static void determinize(void *view, struct rng *r) {
    const struct synth_state *s = view;
    const int bits = s->span[0] + s->span[1];
    if (bits > 0)
        world(view, rng_next(r) >> (64 - bits));
}

/* ---- the table ---- */

static const struct rollout rollouts[] = {{"random", "every action is as likely as the others", rollout},
                                          {0}};
static const struct action_list lists[] = {{"all", "all actions, which are always the same", actions}, {0}};

const struct game synth_game = {
    .name = "synth",
    .help = "synthetic trees: each player has a type the other learns of bit by bit",
    .state_size = sizeof(struct synth_state),
    .actions_max = SYNTH_BRANCHING_MAX,
    .options = synth_options,
    .load = synth_load,
    .unload = plain_unload,
    .start = start,
    .mover = mover,
    .actions = actions,
    .is_legal = is_legal,
    .play = play,
    .payoff = payoff,
    .turn = turn,
    .progress = progress,
    .key = key,
    .key_from_scratch = key,
    .valid = valid,
    .hide = hide,
    .determinize = determinize,
    .worlds = worlds,
    .world = world,
    .rollouts = rollouts,
    .evals = plain_evals,
    .priors = plain_priors,
    .lists = lists,
    .text = &synth_notation,
};
