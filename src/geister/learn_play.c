/* SPDX-License-Identifier: MIT
 *
 * Self-play and what its games say about the weights.
 *
 * The score of a move is the sum of the weights of all pairs of the bits after it: with u the bits before and
 * d what the move changes (two to four bits by -1 or 1), the matrix (u + d)(u + d)'. Its slope, the chosen
 * move's matrix less the mean over the policy, is u D' + D u' and a few products of d with itself, where D is
 * the chosen d less the mean one: a row is added for each of the bits of u, whatever the number of moves.
 */
#include "geister/learn_inside.h"

#include "base/ln.h"

#include <string.h>

/* ---- slopes ---- */

/* The products of d with itself, each pair once. */
static void add_products(struct bit_step s, float c, struct learn_slope *out) {
    out->move[s.off][s.on] -= c;
    if (s.taken == BIT_NONE)
        return;
    out->move[s.off][s.taken] += c;
    out->move[s.on][s.taken] -= c;
    out->move[s.off][BIT_TAKES] -= c;
    out->move[s.on][BIT_TAKES] += c;
    out->move[s.taken][BIT_TAKES] -= c;
}

/* How the score of each move should change: by the policy's gradient, and by that of its entropy. */
static void score_slopes(const struct learn_note *note, float gain, float entropy, float *out) {
    const struct duel_turn *turn = &note->turn;
    for (int i = 0; i < turn->count; i++)
        out[i] = gain * ((i == note->chosen ? 1.0F : 0.0F) - turn->chances[i]);
    if (!(entropy > 0))
        return;
    float mean = 0; /* of scores: logarithms of chances, but for a constant that falls out */
    for (int i = 0; i < turn->count; i++)
        mean += turn->chances[i] * turn->scores[i];
    for (int i = 0; i < turn->count; i++)
        out[i] -= entropy * turn->chances[i] * (turn->scores[i] - mean);
}

void learn_move_slope(const struct learn_note *note, float gain, float entropy, struct learn_slope *out) {
    _Alignas(64) float change[POLICY_ROW] = {0};
    float slopes[POLICY_MOVES_MAX];
    const struct duel_turn *turn = &note->turn;
    score_slopes(note, gain, entropy, slopes);
    for (int i = 0; i < turn->count; i++) {
        const struct bit_step s = turn->steps[i];
        change[s.off] -= slopes[i];
        change[s.on] += slopes[i];
        add_products(s, slopes[i], out);
        if (s.taken != BIT_NONE) {
            change[s.taken] -= slopes[i];
            change[BIT_TAKES] += slopes[i];
        }
    }
    for (int i = 0; i < note->list.count; i++) {
        float *row = out->move[note->list.bits[i]];
        for (int j = 0; j < POLICY_ROW; j++)
            row[j] += change[j];
    }
}

void learn_value_slope(const struct learn_note *note, float gain, struct learn_slope *out) {
    const struct bit_list *list = &note->list;
    for (int i = 0; i < list->count; i++) {
        float *row = out->value[list->bits[i]];
        for (int j = 0; j <= i; j++)
            row[list->bits[j]] += gain;
    }
}

/* ---- games ---- */

/* Who plays by which weights. */
static void choose_sides(const struct learn *l, struct learn_lane *lane, uint64_t game, struct rng *r,
                         const struct policy_weights *weights[2]) {
    weights[0] = weights[1] = &l->square;
    lane->past_side = -1;
    const int count = learn_past_count(l);
    if (count == 0 || !(rng_unit(r) < l->recipe.past))
        return;
    lane->past_side = l->recipe.sides == LEARN_FIRST ? 1 : (int)(game % 2);
    weights[lane->past_side] = &l->past[rng_below(r, (uint32_t)count)];
}

static int play_game(struct learn *l, struct learn_lane *lane, uint64_t game) {
    struct duel duel;
    struct rng r;
    unsigned reds[2];
    rng_seed_stream(&r, l->seed, game);
    for (int side = 0; side < 2; side++)
        reds[side] = geister_setup_reds((int)rng_below(&r, GEISTER_SETUPS));
    const struct policy_weights *weights[2];
    choose_sides(l, lane, game, &r, weights);
    duel_start(&duel, weights, reds);
    for (lane->note_count = 0; duel.ply < l->recipe.plies;) {
        struct learn_note *note = &lane->notes[lane->note_count++];
        bits_of(&duel.sights[duel.mover], &note->list);
        note->worth = duel_worth(&duel, &note->list);
        duel_list(&duel, &note->turn);
        duel_chances(&note->turn);
        note->chosen = policy_draw(note->turn.chances, note->turn.count, &r);
        const int end = duel_play(&duel, note->turn.moves[note->chosen]);
        if (end != DUEL_GOES_ON)
            return end;
    }
    return DUEL_DRAWN;
}

static float result_of(int end, int side) {
    return end == DUEL_DRAWN ? 0.0F : end == side ? 1.0F : -1.0F;
}

/* One side's decisions, the last first. */
static void learn_from(const struct learn *l, struct learn_lane *lane, int side, float result) {
    const struct learn_recipe *recipe = &l->recipe;
    const float lambda = (float)recipe->lambda, entropy = (float)recipe->entropy;
    float next = result, gain = 0;
    const int last = lane->note_count - 1;
    for (int i = last - (last % 2 != side); i >= 0; i -= 2) {
        const struct learn_note *note = &lane->notes[i];
        gain = next - note->worth + lambda * gain;
        next = note->worth;
        learn_move_slope(note, recipe->baseline ? gain : result, entropy, &lane->slope);
        learn_value_slope(note, result - note->worth, &lane->slope);
    }
}

/* How well the value had foreseen the result. */
static void count_values(struct learn_lane *lane, int end) {
    struct learn_tally *t = &lane->tally;
    for (int i = 0; i < lane->note_count && end != DUEL_DRAWN; i++) {
        const double value = (double)lane->notes[i].worth, result = (double)result_of(end, i % 2);
        const double chance = (1 + result * value) / 2;
        t->positions++;
        t->sum_value += value;
        t->sum_result += result;
        t->sum_values += value * value;
        t->sum_results += result * result;
        t->sum_product += value * result;
        t->surprise -= ln_of(chance > 1e-6 ? chance : 1e-6);
    }
}

static bool is_learned_from(const struct learn *l, const struct learn_lane *lane, int side, int end) {
    return side != lane->past_side && (side == 0 || l->recipe.sides == LEARN_BOTH) &&
           (end != DUEL_DRAWN || l->recipe.draws);
}

void learn_play(struct learn *l, int number, uint64_t first) {
    struct learn_lane *lane = &l->lanes[number];
    const int games = l->recipe.batch / LEARN_LANES;
    memset(&lane->slope, 0, sizeof lane->slope);
    lane->tally = (struct learn_tally){0};
    for (int i = 0; i < games; i++) {
        const int end = play_game(l, lane, first + (uint64_t)(number * games + i));
        lane->tally.games++;
        lane->tally.plies += (uint64_t)lane->note_count;
        lane->tally.ends[end]++;
        if (i == 0 && lane->past_side < 0) /* enough to know, and logarithms take their time */
            count_values(lane, end);
        for (int side = 0; side < 2; side++)
            if (is_learned_from(l, lane, side, end))
                learn_from(l, lane, side, result_of(end, side));
    }
}
