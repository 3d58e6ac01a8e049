/* SPDX-License-Identifier: MIT
 *
 * A step of learning: games on all lanes, then the change of the weights. Sums are made in a fixed order, and
 * with operations whose rounding IEEE 754 fixes.
 */
#include "geister/learn_inside.h"

#include "base/mem.h"
#include "pool/pool.h"

#include <math.h>
#include <string.h>

/* ---- the step ---- */

static void add_square(float (*restrict sum)[POLICY_ROW], float (*restrict add)[POLICY_ROW]) {
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j < POLICY_ROW; j++)
            sum[i][j] += add[i][j];
}

/* The sum of all lanes in the first of them. */
static void merge_lanes(struct learn *l) {
    struct learn_slope *sum = &l->lanes[0].slope;
    for (int lane = 1; lane < LEARN_LANES; lane++) {
        add_square(sum->move, l->lanes[lane].slope.move);
        add_square(sum->value, l->lanes[lane].slope.value);
    }
}

/* The slope of each pair, and of a bit alone that of its pair with the bit that is always set. */
static void gather(float (*slope)[POLICY_ROW], float *out) {
    for (int i = 0; i < POLICY_BITS; i++) {
        for (int j = 0; j < i; j++)
            out[learn_pair(i, j)] = slope[i][j] + slope[j][i];
    }
    for (int i = 0; i < BIT_ALWAYS; i++)
        out[learn_pair(i, i)] = out[learn_pair(BIT_ALWAYS, i)];
    out[learn_pair(BIT_ALWAYS, BIT_ALWAYS)] = slope[BIT_ALWAYS][BIT_ALWAYS];
}

struct pace {
    float rate, mean_scale, square_scale; /* Adam's corrections for its beginning */
};

static const float mean_keeps = 0.9F, square_keeps = 0.999F;

/* Adam (Kingma and Ba): the mean slope, by how large slopes of this weight usually are. */
static void change_adam(struct learn_weight *w, float slope, const struct pace *pace) {
    w->mean = mean_keeps * w->mean + (1 - mean_keeps) * slope;
    w->square = square_keeps * w->square + (1 - square_keeps) * (slope * slope);
    const float size = sqrtf(w->square * pace->square_scale) + 1e-7F;
    w->now += pace->rate * (w->mean * pace->mean_scale) / size;
}

/* By squaring: libraries round `pow` differently. */
static double power(double base, uint64_t exponent) {
    double result = 1;
    for (; exponent > 0; exponent >>= 1, base *= base)
        result *= exponent & 1 ? base : 1;
    return result;
}

static void change_head(struct learn *l, int head, const float *slopes, double rate) {
    const struct learn_recipe *recipe = &l->recipe;
    const double slow = recipe->half > 0 ? 1 + (double)l->games / recipe->half : 1;
    const double powers[2] = {power((double)mean_keeps, l->steps), power((double)square_keeps, l->steps)};
    const struct pace pace = {(float)(rate / slow), (float)(1 / (1 - powers[0])),
                              (float)(1 / (1 - powers[1]))};
    const float share = recipe->rule == LEARN_ADAM ? 1 / (float)recipe->batch : 1;
    double keep = recipe->average > 0 ? (double)recipe->batch / recipe->average : 1;
    if (keep < 1.0 / (double)l->steps || keep > 1)
        keep = keep > 1 ? 1 : 1.0 / (double)l->steps; /* at first the mean of all so far */
    for (int p = 0; p < POLICY_PAIRS; p++) {
        struct learn_weight *w = &l->weights[head][p];
        const float slope = (recipe->mirror ? slopes[p] + slopes[l->mirrored[p]] : slopes[p]) * share;
        if (recipe->rule == LEARN_ADAM)
            change_adam(w, slope, &pace);
        else
            w->now += pace.rate * slope;
        w->average += (w->now - w->average) * (float)keep;
    }
}

static void spread(const struct learn *l, int head, bool average, float out[POLICY_BITS][POLICY_ROW]) {
    for (int i = 0; i < POLICY_BITS; i++) {
        for (int j = 0; j <= i; j++) {
            const struct learn_weight *w = &l->weights[head][learn_pair(i, j)];
            out[i][j] = out[j][i] = average ? policy_round(w->average) : w->now;
        }
    }
}

void learn_refresh(struct learn *l) {
    spread(l, LEARN_MOVE, false, l->square.move);
    spread(l, LEARN_VALUE, false, l->square.value);
}

void learn_apply(struct learn *l) {
    float slopes[POLICY_PAIRS];
    l->steps++;
    merge_lanes(l);
    gather(l->lanes[0].slope.move, slopes);
    change_head(l, LEARN_MOVE, slopes, l->recipe.rate);
    gather(l->lanes[0].slope.value, slopes);
    change_head(l, LEARN_VALUE, slopes, l->recipe.value_rate);
    learn_refresh(l);
}

static void add_tally(struct learn_tally *sum, const struct learn_tally *add) {
    sum->games += add->games;
    sum->plies += add->plies;
    for (int i = 0; i < 3; i++)
        sum->ends[i] += add->ends[i];
    sum->surprise += add->surprise;
    sum->positions += add->positions;
    sum->sum_value += add->sum_value;
    sum->sum_result += add->sum_result;
    sum->sum_values += add->sum_values;
    sum->sum_results += add->sum_results;
    sum->sum_product += add->sum_product;
}

/* Keeps the weights of the moment in the place of any others, so that old ones become rare. */
static void keep_weights(struct learn *l) {
    struct rng r;
    int place = (int)l->kept;
    rng_seed_stream(&r, ~l->seed, l->kept);
    if (l->kept >= LEARN_PAST_MAX)
        place = (int)rng_below(&r, LEARN_PAST_MAX);
    memcpy(l->past[place].move, l->square.move, sizeof l->square.move);
    l->kept++;
}

static void run_lane(void *shared, void *worker, int job, void *result) {
    struct learn *l = shared;
    (void)worker, (void)result;
    learn_play(l, job, l->games);
}

bool learn_step(struct learn *l, int threads, struct err *e) {
    const struct pool_work work = {
        .jobs = LEARN_LANES, .workers = threads, .shared = l, .result_size = 1, .run = run_lane};
    if (pool_run(&work, e) < 0)
        return false;
    for (int lane = 0; lane < LEARN_LANES; lane++)
        add_tally(&l->tally, &l->lanes[lane].tally);
    learn_apply(l);
    l->games += (uint64_t)l->recipe.batch;
    if (l->recipe.past > 0 && l->games / (uint64_t)l->recipe.keep > l->kept)
        keep_weights(l);
    return true;
}

/* ---- the learner ---- */

struct learn *learn_open(const struct learn_recipe *recipe, uint64_t seed, struct err *e) {
    struct learn *l = mem_alloc(sizeof *l);
    if (l == NULL) {
        err_set(e, "not enough memory to learn");
        return NULL;
    }
    l->recipe = *recipe;
    l->seed = seed;
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j <= i; j++)
            l->mirrored[learn_pair(i, j)] = (uint16_t)learn_pair(bits_mirror(i), bits_mirror(j));
    return l;
}

void learn_close(struct learn *l) {
    mem_free(l);
}

uint64_t learn_games(const struct learn *l) {
    return l->games;
}

uint64_t learn_seed(const struct learn *l) {
    return l->seed;
}

const struct learn_recipe *learn_recipe_of(const struct learn *l) {
    return &l->recipe;
}

const struct learn_tally *learn_tally_of(const struct learn *l) {
    return &l->tally;
}

void learn_forget(struct learn *l) {
    l->tally = (struct learn_tally){0};
}

double learn_correlation(const struct learn_tally *t) {
    const double n = t->positions;
    const double top = n * t->sum_product - t->sum_value * t->sum_result;
    const double values = n * t->sum_values - t->sum_value * t->sum_value;
    const double results = n * t->sum_results - t->sum_result * t->sum_result;
    return values > 0 && results > 0 ? top / sqrt(values * results) : (double)NAN;
}

double learn_surprise(const struct learn_tally *t) {
    return t->positions > 0 ? t->surprise / t->positions : (double)NAN;
}

void learn_policy(const struct learn *l, struct policy_weights *out) {
    memset(out, 0, sizeof *out);
    spread(l, LEARN_MOVE, true, out->move);
    spread(l, LEARN_VALUE, true, out->value);
}
