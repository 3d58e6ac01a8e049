/* SPDX-License-Identifier: MIT */
#include "study/ratings.h"

#include "base/mem.h"
#include "base/numbers.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double clamp(double value, double low, double high) {
    return value < low ? low : value > high ? high : value;
}

/* ---- means ---- */

struct ratings_mean ratings_mean(struct ratings_scale scale, const double *values, int count) {
    assert(scale.low < scale.high);
    assert(count >= 0);
    struct ratings_mean out = {count, (double)NAN, {scale.low, scale.high}};
    if (count == 0)
        return out;
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    out.mean = sum / count;
    const int padded = count + 2;
    const double centre = (sum + scale.low + scale.high) / padded;
    for (int i = 0; i < count; i++)
        squares += (values[i] - centre) * (values[i] - centre);
    squares += (scale.low - centre) * (scale.low - centre) + (scale.high - centre) * (scale.high - centre);
    const double error = sqrt(squares / (padded - 1) / padded), reach = stats_student(padded - 1) * error;
    out.interval.low = fmin(clamp(centre - reach, scale.low, scale.high), out.mean);
    out.interval.high = fmax(clamp(centre + reach, scale.low, scale.high), out.mean);
    return out;
}

/* ---- rank correlations ---- */

/* Equality of doubles by < and > alone: the compiler warns of ==. */
static int sign_of(double difference) {
    return (difference > 0) - (difference < 0);
}

/* Ranks from 1; equal values share the mean of their ranks. */
static void rank_values(const double *values, int count, double *out) {
    for (int i = 0; i < count; i++) {
        int below = 0, equal = 0;
        for (int k = 0; k < count; k++) {
            below += values[k] < values[i];
            equal += sign_of(values[k] - values[i]) == 0;
        }
        out[i] = below + (equal + 1) / 2.0;
    }
}

static double pearson(const double *x, const double *y, int count) {
    double mean_x = 0, mean_y = 0, xx = 0, yy = 0, xy = 0;
    for (int i = 0; i < count; i++) {
        mean_x += x[i] / count;
        mean_y += y[i] / count;
    }
    for (int i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
    }
    return xx > 0 && yy > 0 ? clamp(xy / sqrt(xx * yy), -1, 1) : (double)NAN;
}

/* Fisher's interval with that variance of the transformed value. A correlation of 1 would transform to
 * infinity: it counts as just below 1, the nearer the more pairs there are. */
static struct ratings_correlation with_interval(double value, int count, double variance) {
    struct ratings_correlation out = {count, value, {-1, 1}};
    if (isnan(value) || !(variance > 0) || isinf(variance))
        return out;
    const double most = 1 - 1.0 / ((double)count * count), reach = STATS_Z95 * sqrt(variance);
    const double z = atanh(clamp(value, -most, most));
    out.interval = (struct interval){fmin(tanh(z - reach), value), fmax(tanh(z + reach), value)};
    return out;
}

struct ratings_correlation ratings_spearman(const double *x, const double *y, int count) {
    double value = (double)NAN;
    if (count >= 3) {
        double *ranks = mem_alloc(2 * (size_t)count * sizeof *ranks);
        rank_values(x, count, ranks);
        rank_values(y, count, ranks + count);
        value = pearson(ranks, ranks + count, count);
        mem_free(ranks);
    }
    return with_interval(value, count, count > 3 ? (1 + value * value / 2) / (count - 3) : 0);
}

struct ratings_correlation ratings_kendall(const double *x, const double *y, int count) {
    double sum = 0, untied_x = 0, untied_y = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            const int by_x = sign_of(x[i] - x[k]), by_y = sign_of(y[i] - y[k]);
            sum += by_x * by_y;
            untied_x += by_x != 0;
            untied_y += by_y != 0;
        }
    const bool is_defined = count >= 3 && untied_x > 0 && untied_y > 0;
    const double value = is_defined ? clamp(sum / (sqrt(untied_x) * sqrt(untied_y)), -1, 1) : (double)NAN;
    return with_interval(value, count, count > 4 ? 0.437 / (count - 4) : 0);
}

/* ---- agreement between raters ---- */

static int value_of(const struct ratings_table *t, int rater, int unit) {
    const int value = t->values[rater * t->units + unit];
    assert(value == 0 || (value >= t->scale.low && value <= t->scale.high));
    return value;
}

/* How often each value was given to each unit: counts[unit * RATINGS_VALUES_MAX + value - low]. */
static void count_values(const struct ratings_table *t, int *counts) {
    for (int rater = 0; rater < t->raters; rater++)
        for (int unit = 0; unit < t->units; unit++) {
            const int value = value_of(t, rater, unit);
            if (value != 0)
                counts[unit * RATINGS_VALUES_MAX + value - t->scale.low]++;
        }
}

/* Alpha of the units in the list, which may name one several times. The coincidences of a unit are its
 * ordered pairs of ratings, divided by one less than their number. */
static double alpha_of(const int *counts, int values, const int *units, int unit_count, int *pairable) {
    double both[RATINGS_VALUES_MAX][RATINGS_VALUES_MAX] = {{0}}, all[RATINGS_VALUES_MAX] = {0};
    double observed = 0, expected = 0, total = 0;
    for (int i = 0; i < unit_count; i++) {
        const int *own = &counts[units[i] * RATINGS_VALUES_MAX];
        int sum = 0;
        for (int c = 0; c < values; c++)
            sum += own[c];
        for (int c = 0; sum > 1 && c < values; c++) {
            all[c] += own[c];
            for (int k = c + 1; k < values; k++) /* equal ratings are at no distance */
                both[c][k] += (double)own[c] * own[k] / (sum - 1);
        }
        total += sum > 1 ? sum : 0;
    }
    for (int c = 0; c < values; c++) {
        double between = 0;
        for (int k = c + 1; k < values; k++) { /* far apart when many ratings lie between the two values */
            const double distance = all[c] / 2 + between + all[k] / 2;
            observed += both[c][k] * distance * distance;
            expected += all[c] * all[k] * distance * distance;
            between += all[k];
        }
    }
    *pairable = (int)total;
    return expected > 0 ? 1 - (total - 1) * observed / expected : (double)NAN;
}

static int compare_reals(const void *a, const void *b) {
    return sign_of(*(const double *)a - *(const double *)b);
}

/* The 2.5 % and 97.5 % points of the alphas of units drawn with replacement. Draws without any difference
 * have no alpha and are left out. */
static struct interval bootstrap(const int *counts, int values, int units, uint64_t seed) {
    double *found = mem_alloc(RATINGS_BOOTSTRAPS * sizeof *found);
    int *drawn = mem_alloc((size_t)units * sizeof *drawn), count = 0, ignored;
    for (int i = 0; i < RATINGS_BOOTSTRAPS; i++) {
        struct rng r;
        rng_seed_stream(&r, seed, (uint64_t)i);
        for (int k = 0; k < units; k++)
            drawn[k] = (int)rng_below(&r, (uint32_t)units);
        const double alpha = alpha_of(counts, values, drawn, units, &ignored);
        if (!isnan(alpha))
            found[count++] = alpha;
    }
    struct interval out = {-1, 1};
    qsort(found, (size_t)count, sizeof *found, compare_reals);
    if (count > 0)
        out = (struct interval){found[(int)(0.025 * (count - 1))], found[(int)ceil(0.975 * (count - 1))]};
    mem_free(found);
    mem_free(drawn);
    return out;
}

struct ratings_alpha ratings_alpha(const struct ratings_table *table, uint64_t seed) {
    const int values = table->scale.high - table->scale.low + 1;
    assert(table->scale.low > 0);
    assert(values > 1 && values <= RATINGS_VALUES_MAX);
    struct ratings_alpha out = {0, (double)NAN, {-1, 1}};
    if (table->units == 0)
        return out;
    int *counts = mem_alloc((size_t)table->units * RATINGS_VALUES_MAX * sizeof *counts);
    int *all = mem_alloc((size_t)table->units * sizeof *all);
    for (int i = 0; i < table->units; i++)
        all[i] = i;
    count_values(table, counts);
    out.value = alpha_of(counts, values, all, table->units, &out.pairable);
    if (!isnan(out.value)) {
        out.interval = bootstrap(counts, values, table->units, seed);
        out.interval.low = fmin(out.interval.low, out.value);
        out.interval.high = fmax(out.interval.high, out.value);
    }
    mem_free(counts);
    mem_free(all);
    return out;
}

static bool is_complete(const struct ratings_table *t, int rater) {
    int unit = 0;
    while (unit < t->units && value_of(t, rater, unit) != 0)
        unit++;
    return unit == t->units;
}

struct ratings_concordance ratings_concordance(const struct ratings_table *table) {
    const int n = table->units;
    struct ratings_concordance out = {0, (double)NAN, (double)NAN};
    double *own = mem_alloc(3 * (size_t)(n + 1) * sizeof *own), *ranks = own + n + 1, *sums = ranks + n + 1;
    double ties = 0, spread = 0;
    for (int rater = 0; rater < table->raters; rater++) {
        if (!is_complete(table, rater))
            continue;
        int per_value[RATINGS_VALUES_MAX] = {0};
        for (int unit = 0; unit < n; unit++) {
            own[unit] = value_of(table, rater, unit);
            per_value[(int)own[unit] - table->scale.low]++;
        }
        rank_values(own, n, ranks);
        for (int unit = 0; unit < n; unit++)
            sums[unit] += ranks[unit];
        for (int c = 0; c < RATINGS_VALUES_MAX; c++)
            ties += (double)per_value[c] * per_value[c] * per_value[c] - per_value[c];
        out.raters++;
    }
    const double m = out.raters, mean = m * (n + 1) / 2;
    for (int unit = 0; unit < n; unit++)
        spread += (sums[unit] - mean) * (sums[unit] - mean);
    const double most = m * m * ((double)n * n * n - n) - m * ties;
    if (out.raters >= 2 && n >= 2 && most > 0) {
        out.value = clamp(12 * spread / most, 0, 1);
        out.chi_squared = m * (n - 1) * out.value;
    }
    mem_free(own);
    return out;
}

/* ---- a linear fit ---- */

/* Rows that are fitted: all but at most two. */
struct rows {
    const double *x, *y;
    int count, features, without[2]; /* -1: none */
};

static bool is_in(const struct rows *rows, int i) {
    return i != rows->without[0] && i != rows->without[1];
}

/* Solves the symmetric positive definite system in place (Cholesky): the answer is in b. */
static void solve(double a[RATINGS_FEATURES_MAX][RATINGS_FEATURES_MAX], double *b, int size) {
    for (int i = 0; i < size; i++) {
        for (int k = 0; k <= i; k++) {
            double sum = a[i][k];
            for (int l = 0; l < k; l++)
                sum -= a[i][l] * a[k][l];
            a[i][k] = i == k ? sqrt(sum) : sum / a[k][k];
        }
        for (int l = 0; l < i; l++)
            b[i] -= a[i][l] * b[l];
        b[i] /= a[i][i];
    }
    for (int i = size - 1; i >= 0; i--) {
        for (int l = i + 1; l < size; l++)
            b[i] -= a[l][i] * b[l];
        b[i] /= a[i][i];
    }
}

/* Means and standard deviations of the rows; a constant feature has the deviation 0. */
struct scaling {
    int count;
    double mean_y, mean[RATINGS_FEATURES_MAX], deviation[RATINGS_FEATURES_MAX];
};

static struct scaling scaling_of(const struct rows *rows) {
    struct scaling out = {0};
    for (int i = 0; i < rows->count; i++)
        out.count += is_in(rows, i);
    for (int i = 0; i < rows->count; i++) {
        out.mean_y += is_in(rows, i) ? rows->y[i] / out.count : 0;
        for (int f = 0; f < rows->features && is_in(rows, i); f++)
            out.mean[f] += rows->x[i * rows->features + f] / out.count;
    }
    for (int f = 0; f < rows->features; f++) {
        double squares = 0;
        for (int i = 0; i < rows->count; i++) {
            const double distance = rows->x[i * rows->features + f] - out.mean[f];
            squares += is_in(rows, i) ? distance * distance : 0;
        }
        const double deviation = sqrt(squares / out.count);
        out.deviation[f] = deviation > 1e-9 ? deviation : 0;
    }
    return out;
}

/* The standardized feature of a row; 0 where the feature is constant. */
static double standardized(const struct rows *rows, const struct scaling *scaling, int i, int f) {
    return scaling->deviation[f] > 0
               ? (rows->x[i * rows->features + f] - scaling->mean[f]) / scaling->deviation[f]
               : 0;
}

/* The penalty is one a row, so that it does not depend on their number. */
static void ridge(const struct rows *rows, double penalty, const struct scaling *scaling,
                  double weights[RATINGS_FEATURES_MAX]) {
    double a[RATINGS_FEATURES_MAX][RATINGS_FEATURES_MAX] = {{0}};
    memset(weights, 0, RATINGS_FEATURES_MAX * sizeof *weights);
    for (int i = 0; i < rows->count; i++)
        for (int f = 0; f < rows->features && is_in(rows, i); f++) {
            const double own = standardized(rows, scaling, i, f);
            weights[f] += own * (rows->y[i] - scaling->mean_y);
            for (int g = 0; g < rows->features; g++)
                a[f][g] += own * standardized(rows, scaling, i, g);
        }
    for (int f = 0; f < rows->features; f++)
        a[f][f] += penalty * scaling->count;
    solve(a, weights, rows->features);
}

/* The square of the error in row `i` of a fit to `rows`. */
static double error_in(const struct rows *rows, double penalty, int i) {
    const struct scaling scaling = scaling_of(rows);
    double weights[RATINGS_FEATURES_MAX], value = scaling.mean_y;
    ridge(rows, penalty, &scaling, weights);
    for (int f = 0; f < rows->features; f++)
        value += weights[f] * standardized(rows, &scaling, i, f);
    return (value - rows->y[i]) * (value - rows->y[i]);
}

static const double penalties[] = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100};

/* The penalty with the least error, each row left out once. Row `outer` (-1: none) is never used. */
static double best_penalty(const struct rows *all, int outer) {
    double best = penalties[0], least = (double)INFINITY;
    for (size_t p = 0; p < sizeof penalties / sizeof penalties[0]; p++) {
        double sum = 0;
        for (int i = 0; i < all->count; i++) {
            const struct rows rest = {all->x, all->y, all->count, all->features, {outer, i}};
            sum += i != outer ? error_in(&rest, penalties[p], i) : 0;
        }
        if (sum < least) {
            least = sum;
            best = penalties[p];
        }
    }
    return best;
}

bool ratings_fit(const double *x, const double *y, int count, int features, struct ratings_fit *out,
                 struct err *e) {
    assert(features > 0 && features <= RATINGS_FEATURES_MAX);
    const struct rows all = {x, y, count, features, {-1, -1}};
    double low = (double)INFINITY, high = -(double)INFINITY, varied = 0, error = 0, error_mean = 0;
    *out = (struct ratings_fit){0};
    if (count < RATINGS_FIT_MIN)
        return err_set(e, "%d observations are too few to fit; at least %d are needed", count,
                       RATINGS_FIT_MIN);
    const struct scaling scaling = scaling_of(&all);
    for (int i = 0; i < count; i++) {
        low = fmin(low, y[i]);
        high = fmax(high, y[i]);
    }
    for (int f = 0; f < features; f++)
        varied += scaling.deviation[f];
    if (!(high > low))
        return err_set(e, "all values are equal, so there is nothing to fit");
    if (!(varied > 0))
        return err_set(e, "all features are equal, so nothing can be fitted by them");
    out->penalty = best_penalty(&all, -1);
    ridge(&all, out->penalty, &scaling, out->standardized);
    out->base = scaling.mean_y;
    for (int f = 0; f < features; f++) {
        out->weights[f] = scaling.deviation[f] > 0 ? out->standardized[f] / scaling.deviation[f] : 0;
        out->base -= out->weights[f] * scaling.mean[f];
    }
    for (int i = 0; i < count; i++) {
        const struct rows rest = {x, y, count, features, {i, -1}};
        const double from_mean = scaling_of(&rest).mean_y - y[i];
        error += error_in(&rest, best_penalty(&all, i), i);
        error_mean += from_mean * from_mean;
    }
    out->error = sqrt(error / count);
    out->error_mean = sqrt(error_mean / count);
    return true;
}
