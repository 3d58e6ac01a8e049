/* SPDX-License-Identifier: MIT
 *
 * The model of muct.h on both kinds of board. The playout here lists actions and is plain; small boards have
 * a faster one that makes the same choices (small_muct.c).
 */
#include "game/tbs/muct.h"

#include "game/tbs/muct_tail.h"
#include "game/tbs/wide.h"

#include <string.h>

/* ---- the course of the game as M-UCT's tree sees it ---- */

static bool nobody_is_ready(const struct tbs_core *c) {
    return (c->ready[TBS_RED] | c->ready[TBS_BLUE]) == 0;
}

static int muct_mover(const void *state) {
    const struct tbs_core *c = core_of(state);
    const struct muct_tail *tail = muct_tail(state);
    const int own = tail->searcher;
    if (tail->at_root || c->ready[own] != 0)
        return own;
    if (c->ready[own ^ 1] != 0)
        return own ^ 1;
    return c->alive[own] != 0 ? own : own ^ 1;
}

static int muct_actions(const void *state, action *out) {
    const struct tbs_core *c = core_of(state);
    const int side = muct_mover(state);
    const uint64_t units = nobody_is_ready(c) ? c->alive[side] : c->ready[side];
    int count = 0, attacks;
    for (uint64_t left = units; left != 0; left = bits_without_first(left))
        count += core_path(c->scenario)
                     ->slot_actions(state, side, bits_first(left), TBS_ATTACKS_DAMAGE, out + count, &attacks);
    return count;
}

static void muct_play(void *state, action a, struct rng *r) {
    (void)r;
    struct tbs_core *c = state; /* the core is the state's first member */
    struct muct_tail *tail = muct_tail_of(state);
    const int side = muct_mover(state);
    if (!tail->at_root) {
        if (nobody_is_ready(c))
            for (int i = 0; i < TBS_SIDES; i++)
                c->ready[i] = c->alive[i];
        if (c->ready[side] == c->alive[side]) /* none has acted: the turn has just changed */
            c->turn++;
    }
    tail->at_root = false;
    c->side = (uint8_t)side;
    core_path(c->scenario)->act(state, a);
}

static double score(const struct tbs_core *c, int own) {
    if (c->alive[own] == 0)
        return 0;
    if (c->alive[own ^ 1] == 0)
        return 1;
    const int lead = (int)c->hp_sum[own] - (int)c->hp_sum[own ^ 1], threshold = c->scenario->map.threshold;
    return lead >= threshold ? 1 : -lead < threshold ? 0.5 : 0;
}

static double muct_payoff(const void *state, int side) {
    const int own = muct_tail(state)->searcher;
    const double won = score(core_of(state), own);
    return side == own ? won : 1 - won;
}

/* ---- the plain playout ---- */

/* All attacks of the side's ready units. */
static int list_attacks(const void *state, int side, action *out) {
    const struct tbs_core *c = core_of(state);
    int count = 0, attacks;
    for (uint64_t left = c->ready[side]; left != 0; left = bits_without_first(left)) {
        core_path(c->scenario)
            ->slot_actions(state, side, bits_first(left), TBS_ATTACKS_ALL, out + count, &attacks);
        count += attacks;
    }
    return count;
}

static action random_action(const void *state, int side, struct rng *r) {
    enum { LIST_MAX = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX };
    action list[LIST_MAX];
    const struct tbs_core *c = core_of(state);
    const bool wants_attack = rng_unit(r) >= MUCT_RANDOM_SHARE;
    const int attacks = wants_attack ? list_attacks(state, side, list) : 0;
    if (attacks > 0)
        return list[rng_below(r, (uint32_t)attacks)];
    const uint64_t ready = c->ready[side];
    const int slot = bits_select_plain(ready, (int)rng_below(r, (uint32_t)bits_count(ready)));
    int unused;
    const int count =
        core_path(c->scenario)->slot_actions(state, side, slot, TBS_ATTACKS_DAMAGE, list, &unused);
    return list[rng_below(r, (uint32_t)count)];
}

/* One side's half of a round; once a side is gone the score is known and nothing more is played. */
static long play_half(void *state, int side, struct rng *r) {
    struct tbs_core *c = state;
    long count = 0;
    c->side = (uint8_t)side;
    while (c->ready[side] != 0 && c->alive[side ^ 1] != 0) {
        core_path(c->scenario)->act(state, random_action(state, side, r));
        count++;
    }
    c->ready[side] = c->alive[side];
    c->turn++;
    return count;
}

static long run_plain(void *state, struct rng *r, int turns_max) {
    (void)turns_max; /* M-UCT knows no horizon but the turn limit */
    const struct tbs_core *c = core_of(state);
    const int own = muct_tail(state)->searcher, limit = c->scenario->map.turn_limit;
    long count = 0;
    for (int half = 0; c->turn < limit && c->alive[0] != 0 && c->alive[1] != 0; half ^= 1)
        count += play_half(state, own ^ half, r);
    return count;
}

/* ---- tables ---- */

static const struct rollout small_muct_rollouts[] = {
    {"muct", "M-UCT's playout", small_muct_run},
    {"muct-plain", "the same, listing all actions", run_plain},
    {0},
};

static const struct rollout wide_muct_rollouts[] = {{"muct", "M-UCT's playout", run_plain}, {0}};

static const struct game small_model = {
    .name = "tbs-muct",
    .help = "the tactical game as M-UCT sees it",
    .state_size = MUCT_TAIL_AT_SMALL + sizeof(struct muct_tail),
    .actions_max = SMALL_SIDE_UNITS * (64 + 4 * SMALL_SIDE_UNITS),
    .mover = muct_mover,
    .actions = muct_actions,
    .play = muct_play,
    .payoff = muct_payoff,
    .turn = core_turn,
    .rollouts = small_muct_rollouts,
};

static const struct game wide_model = {
    .name = "tbs-wide-muct",
    .help = "the tactical game as M-UCT sees it, on wide boards",
    .state_size = sizeof(struct tbs_wide) + sizeof(struct muct_tail),
    .actions_max = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX,
    .mover = muct_mover,
    .actions = muct_actions,
    .play = muct_play,
    .payoff = muct_payoff,
    .turn = core_turn,
    .rollouts = wide_muct_rollouts,
};

const struct game *tbs_muct_model(const struct game *game) {
    return game == &tbs_wide_game ? &wide_model : &small_model;
}

void tbs_muct_start(void *out, const void *state) {
    const struct tbs_core *c = core_of(state);
    memcpy(out, state, core_path(c->scenario)->state_size);
    *muct_tail_of(out) = (struct muct_tail){.searcher = c->side, .at_root = true};
}
