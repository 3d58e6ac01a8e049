/* SPDX-License-Identifier: MIT
 *
 * Games between two policies. See duel.h.
 */
#include "geister/duel.h"

#include <assert.h>
#include <string.h>

static void sum_up(struct duel *d, int side) {
    struct bit_list list;
    if (d->weights[side] == NULL)
        return;
    bits_of(&d->observations[side], &list);
    bits_sum(d->weights[side]->move, &list, d->sums[side].move);
    bits_sum(d->weights[side]->value, &list, d->sums[side].value);
}

void duel_start(struct duel *d, const struct policy_weights *const weights[2], const unsigned reds[2]) {
    /* A … D and E … H stand in the middle of the two rows next to their owner. */
    const uint64_t far_row = UINT64_C(0xF) << (4 * GEISTER_SIZE + 1), near_row = UINT64_C(0xF)
                                                                                 << (5 * GEISTER_SIZE + 1);
    const uint64_t all = far_row | near_row;
    d->mover = d->ply = 0;
    for (int side = 0; side < 2; side++) {
        const uint64_t red = (uint64_t)(reds[side] & 0xF) << (4 * GEISTER_SIZE + 1) |
                             (uint64_t)(reds[side] >> 4) << (5 * GEISTER_SIZE + 1);
        d->weights[side] = weights[side];
        d->observations[side] =
            (struct geister_observation){.red = red,
                                         .blue = all & ~red,
                                         .unknown = UINT64_C(0x1E) | UINT64_C(0x1E) << GEISTER_SIZE,
                                         .hidden_reds = GEISTER_REDS};
        sum_up(d, side);
    }
}

void duel_list(const struct duel *d, struct duel_turn *out) {
    const struct geister_observation *seen = &d->observations[d->mover];
    const struct policy_weights *weights = d->weights[d->mover];
    out->count = bits_moves(seen->red, seen->blue, false, out->moves);
    for (int i = 0; i < out->count; i++) {
        out->steps[i] = bits_step(seen->blue, seen->unknown, out->moves[i]);
        out->scores[i] =
            weights != NULL ? bits_change(weights->move, d->sums[d->mover].move, out->steps[i]) : 0;
    }
}

void duel_chances(struct duel_turn *turn) {
    memcpy(turn->chances, turn->scores, (size_t)turn->count * sizeof *turn->scores);
    policy_softmax(turn->chances, turn->count);
}

float duel_worth(const struct duel *d, const struct bit_list *list) {
    return bits_worth(bits_score(d->weights[d->mover]->value, list, d->sums[d->mover].value));
}

static void shift(const float *restrict off, const float *restrict on, float *restrict sums) {
    for (int j = 0; j < POLICY_ROW; j++)
        sums[j] += on[j] - off[j];
}

/* Clears one bit of the side and sets another. */
static void shift_sums(struct duel *d, int side, int off, int on) {
    const struct policy_weights *w = d->weights[side];
    if (w == NULL)
        return;
    shift(w->move[off], w->move[on], d->sums[side].move);
    shift(w->value[off], w->value[on], d->sums[side].value);
}

/* Takes the piece of the other side on that cell (as its owner sees it). */
static int take(struct duel *d, int cell) {
    const int me = d->mover, you = 1 - me;
    struct geister_observation *mine = &d->observations[me], *yours = &d->observations[you];
    const uint64_t bit = UINT64_C(1) << cell;
    mine->unknown &= ~(UINT64_C(1) << (GEISTER_CELLS - 1 - cell));
    if (yours->red & bit) {
        yours->red &= ~bit;
        yours->lost_reds++;
        mine->taken_reds++;
        mine->hidden_reds--;
        return mine->taken_reds == GEISTER_REDS ? you : DUEL_GOES_ON;
    }
    assert(yours->blue & bit);
    yours->blue &= ~bit;
    yours->lost_blues++;
    mine->taken_blues++;
    return mine->taken_blues == GEISTER_PIECES - GEISTER_REDS ? me : DUEL_GOES_ON;
}

int duel_play(struct duel *d, action move) {
    const int me = d->mover, you = 1 - me, turned = GEISTER_CELLS - 1;
    struct geister_observation *mine = &d->observations[me], *yours = &d->observations[you];
    const struct bit_step step = bits_step(mine->blue, mine->unknown, move);
    d->ply++;
    if (step.on == BIT_ESCAPES)
        return me;
    const int from = (int)move / 4, to = step.on % BIT_PLANE;
    const uint64_t change = UINT64_C(1) << from | UINT64_C(1) << to;
    const int end = step.taken != BIT_NONE ? take(d, turned - to) : DUEL_GOES_ON;
    *(step.off < BIT_RED ? &mine->blue : &mine->red) ^= change;
    yours->unknown ^= UINT64_C(1) << (turned - from) | UINT64_C(1) << (turned - to);
    if (step.taken != BIT_NONE) {
        sum_up(d, me);
        sum_up(d, you);
    } else {
        shift_sums(d, me, step.off, step.on);
        shift_sums(d, you, BIT_THEIRS + turned - from, BIT_THEIRS + turned - to);
    }
    d->mover = you;
    return end;
}

int duel_game(struct duel *d, enum duel_style style, int plies, struct rng *r) {
    while (d->ply < plies) {
        struct duel_turn turn;
        duel_list(d, &turn);
        int chosen;
        if (style == DUEL_BEST && d->weights[d->mover] != NULL) {
            chosen = policy_best(turn.scores, turn.count);
        } else {
            duel_chances(&turn);
            chosen = policy_draw(turn.chances, turn.count, r);
        }
        const int end = duel_play(d, turn.moves[chosen]);
        if (end != DUEL_GOES_ON)
            return end;
    }
    return DUEL_DRAWN;
}

struct duel_score duel_compare(const struct duel_match *match) {
    struct duel_score score = {0};
    for (int i = 0; i < match->games; i++) {
        struct duel duel;
        struct rng r;
        unsigned reds[2];
        rng_seed_stream(&r, match->seed, (uint64_t)i);
        for (int side = 0; side < 2; side++)
            reds[side] = geister_setup_reds((int)rng_below(&r, GEISTER_SETUPS));
        const int first = i % 2; /* the policy that begins */
        const struct policy_weights *const seats[2] = {match->policies[first], match->policies[1 - first]};
        duel_start(&duel, seats, reds);
        const int end = duel_game(&duel, match->style, match->plies, &r);
        score.draws += end == DUEL_DRAWN;
        score.wins += end == first;
        score.losses += end == 1 - first;
    }
    return score;
}
