/* SPDX-License-Identifier: MIT
 *
 * Tests of shares are inverted intervals: p is the level at which the interval just reaches 0. So a
 * difference that is shown never contradicts the interval. Between two samples Fisher's exact test must show
 * it, too.
 */
#include "match/verdict.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

enum { TESTS_MAX = 256 };

const char *verdict_name(enum verdict verdict) {
    static const char *const names[] = {"none", "agrees", "differs", "cannot_tell", "same", "not_same"};
    assert((size_t)verdict < sizeof names / sizeof names[0]);
    return names[verdict];
}

const char *test_name(enum test_kind kind) {
    static const char *const names[] = {"greater", "equal", "within", "at_most", "claim"};
    assert((size_t)kind < sizeof names / sizeof names[0]);
    return names[kind];
}

/* ---- distributions ---- */

/* The finite sums for whole degrees: Abramowitz and Stegun, "Handbook of mathematical functions", 26.7.3 and
 * 26.7.4. They give the probability of a value within +-t. */
double student_tail(double t, int degrees) {
    assert(degrees >= 1);
    enum { MANY = 2000 }; /* here the normal distribution is right to four digits */
    if (degrees > MANY)
        return stats_normal(-t);
    const double angle = atan(fabs(t) / sqrt(degrees)), sine = sin(angle), cosine = cos(angle);
    double term = degrees % 2 == 0 ? 1 : cosine, sum = degrees == 1 ? 0 : term;
    for (int i = degrees % 2 == 0 ? 2 : 3; i < degrees - 1; i += 2) {
        term *= (double)(i - 1) / i * cosine * cosine;
        sum += term;
    }
    const double within = degrees % 2 == 0 ? sine * sum : 2 / acos(-1) * (angle + sine * sum);
    const double tail = fmax((1 - within) / 2, 0);
    return t >= 0 ? tail : 1 - tail;
}

/* Between two bounds: Wilson's interval of so many trials of 0 and 1 as would have that error, at Student's
 * quantile. Above one bound: on the scale of logarithms. */
struct interval interval_within(double mean, double error, int n, double low, double high) {
    low = fmin(low, mean); /* rounding may put a mean of equal values just outside */
    high = fmax(high, mean);
    if (n < 2)
        return (struct interval){low, high};
    const double t = stats_student(n - 1);
    if (isinf(low))
        return (struct interval){mean - t * error, fmin(mean + t * error, high)};
    if (isinf(high)) {
        const double factor = mean > low ? exp(t * error / (mean - low)) : 1;
        return (struct interval){low + (mean - low) / factor, low + (mean - low) * factor};
    }
    const double p = (mean - low) / (high - low), spread = error / (high - low);
    const double trials = spread > 0 ? fmax(p * (1 - p) / (spread * spread), 1) : n;
    const struct interval i = stats_wilson(p, trials, t);
    return (struct interval){low + (high - low) * i.low, low + (high - low) * i.high};
}

/* ---- shares of two samples ---- */

struct interval shares_difference(struct proportion a, struct proportion b, double z) {
    const double pa = proportion_mean(a), pb = proportion_mean(b);
    const struct interval ia = stats_wilson(pa, a.n, z), ib = stats_wilson(pb, b.n, z);
    return (struct interval){pa - pb - hypot(pa - ia.low, ib.high - pb),
                             pa - pb + hypot(ia.high - pa, pb - ib.low)};
}

enum verdict verdict_shares(struct proportion published, struct proportion ours, double margin,
                            double level) {
    assert(published.n > 0);
    const struct test test = test_shares_equal(ours, published, margin);
    return verdict_of(&test, 1, level, NULL);
}

/* Equal shares must pass both one-sided tests, each therefore with a power of (1 + power) / 2 at least; that
 * is a little more than what a difference of the margin needs. Wilson's centre keeps the variance
 * of a published 0 or 100 % above 0. */
int verdict_trials(struct proportion published, double margin, double alpha, double power) {
    assert(published.n > 0 && margin > 0);
    const double z = stats_normal_quantile(1 - alpha) + stats_normal_quantile((1 + power) / 2);
    const double p = (published.successes + 2) / (published.n + 4), error = margin / z;
    const double rest = error * error - p * (1 - p) / published.n; /* what our sample may add */
    const double n = ceil(p * (1 - p) / rest);
    return rest > 0 && n <= NEEDED_GAMES_MAX ? (int)n : 0;
}

/* ---- tests of a statement ---- */

/* The probability of a mean this far above 0, or farther, if the true one were 0. */
static double tail_of(double mean, double error, int n) {
    if (n < 2)
        return 1;
    if (error > 0)
        return student_tail(mean / error, n - 1);
    return mean > 0 ? pow(0.5, n) : 1;
}

struct test test_greater(double mean, double error, int n) {
    return (struct test){.kind = TEST_GREATER,
                         .estimate = mean,
                         .p_for = tail_of(mean, error, n),
                         .p_against = tail_of(-mean, error, n)};
}

/* Both one-sided tests must succeed (D. J. Schuirmann, 1987); the alternative is two-sided. */
static struct test equal_of(double estimate, double margin, double p_below, double p_above, double p_not_0) {
    assert(margin > 0);
    return (struct test){.kind = TEST_EQUAL,
                         .estimate = estimate,
                         .margin = margin,
                         .p_for = fmax(p_below, p_above),
                         .p_against = p_not_0};
}

struct test test_equal(double mean, double error, int n, double margin) {
    return equal_of(mean, margin, tail_of(margin - mean, error, n), tail_of(mean + margin, error, n),
                    fmin(1, 2 * tail_of(fabs(mean), error, n)));
}

struct test test_within(double mean, double error, int n, double margin) {
    struct test t = test_equal(mean, error, n, margin);
    t.kind = TEST_WITHIN;
    t.p_against = fmin(1, 2 * tail_of(fabs(mean) - margin, error, n));
    return t;
}

struct test test_at_most(double mean, double error, int n, double margin) {
    assert(margin > 0);
    return (struct test){.kind = TEST_AT_MOST,
                         .estimate = mean,
                         .margin = margin,
                         .p_for = tail_of(margin - mean, error, n),
                         .p_against = tail_of(mean, error, n)};
}

/* The level of the one-sided test at which the interval of a less b ends at `limit`: how sure it is that the
 * difference is above it. Bisection over z; the lower end falls as z grows. */
static double share_tail(struct proportion a, struct proportion b, double limit) {
    const double difference = proportion_mean(a) - proportion_mean(b);
    if (difference <= limit)
        return difference < limit ? 1 - share_tail(b, a, -limit) : 0.5;
    double low = 0, high = 40;
    for (int i = 0; i < 60; i++) {
        const double z = (low + high) / 2;
        if (shares_difference(a, b, z).low > limit)
            low = z;
        else
            high = z;
    }
    return stats_normal(-low);
}

/* Fisher's exact test that share a is not above share b, with half of the probability of what is observed
 * (mid-p): of few trials the intervals promise too much. Weights are relative to the observed table; a half
 * success counts against a. */
static double exact_tail(struct proportion a, struct proportion b) {
    const double x = floor(a.successes), all = x + ceil(b.successes), rest = b.n - all;
    double above = 0, below = 0, weight = 1;
    for (double k = x; k < fmin(all, a.n) && weight > 1e-20; k++)
        above += weight *= (all - k) * (a.n - k) / ((k + 1) * (rest + k + 1));
    weight = 1;
    for (double k = x; k > fmax(0, -rest) && weight > 1e-20; k--)
        below += weight *= k * (rest + k) / ((all - k + 1) * (a.n - k + 1));
    return (above + 0.5) / (above + 1 + below);
}

/* Beyond chance by the interval and by the exact test. */
static double beyond_chance(struct proportion a, struct proportion b) {
    return a.n > 0 && b.n > 0 ? fmax(share_tail(a, b, 0), exact_tail(a, b)) : 1;
}

struct test test_shares_greater(struct proportion a, struct proportion b) {
    return (struct test){.kind = TEST_GREATER,
                         .estimate = proportion_mean(a) - proportion_mean(b),
                         .p_for = beyond_chance(a, b),
                         .p_against = beyond_chance(b, a)};
}

struct test test_shares_not_less(struct proportion a, struct proportion b, double margin) {
    assert(margin > 0);
    return (struct test){.kind = TEST_AT_MOST,
                         .estimate = proportion_mean(b) - proportion_mean(a),
                         .margin = margin,
                         .p_for = share_tail(a, b, -margin),
                         .p_against = beyond_chance(b, a)};
}

struct test test_shares_equal(struct proportion a, struct proportion b, double margin) {
    return equal_of(proportion_mean(a) - proportion_mean(b), margin, share_tail(b, a, -margin),
                    share_tail(a, b, -margin), fmin(1, 2 * fmin(beyond_chance(a, b), beyond_chance(b, a))));
}

/* The exact binomial test that the share is not above the level, as exact_tail. */
static double binomial_tail(struct proportion share, double level) {
    const double x = floor(share.successes), n = share.n, odds = level / (1 - level);
    double above = 0, below = 0, weight = 1;
    for (double k = x; k < n && weight > 1e-20; k++)
        above += weight *= (n - k) / (k + 1) * odds;
    weight = 1;
    for (double k = x; k > 0 && weight > 1e-20; k--)
        below += weight *= k / (n - k + 1) / odds;
    return (above + 0.5) / (above + 1 + below);
}

/* Beyond chance by Wilson's interval, which ends where the normal test with the level's own variance does,
 * and by the exact test. */
static double level_tail(struct proportion share, double level) {
    assert(level > 0 && level < 1);
    if (share.n == 0)
        return 1;
    const double z = (level - proportion_mean(share)) / sqrt(level * (1 - level) / share.n);
    return fmax(stats_normal(z), binomial_tail(share, level));
}

/* The opposite: the share of failures above one less the level. */
static double level_tail_below(struct proportion share, double level) {
    return level_tail((struct proportion){share.n - share.successes, share.n}, 1 - level);
}

struct test test_share_above(struct proportion share, double level) {
    return (struct test){.kind = TEST_GREATER,
                         .estimate = proportion_mean(share) - level,
                         .p_for = level_tail(share, level),
                         .p_against = level_tail_below(share, level)};
}

struct test test_share_equal(struct proportion share, double level, double margin) {
    assert(level - margin > 0 && level + margin < 1);
    return equal_of(proportion_mean(share) - level, margin, level_tail_below(share, level + margin),
                    level_tail(share, level - margin),
                    fmin(1, 2 * fmin(level_tail(share, level), level_tail_below(share, level))));
}

struct test test_claim(bool holds) {
    return (struct test){.kind = TEST_CLAIM, .estimate = holds, .p_for = !holds, .p_against = holds};
}

struct test test_less(struct test t) {
    assert(t.kind == TEST_GREATER);
    return (struct test){.kind = t.kind, .estimate = -t.estimate, .p_for = t.p_against, .p_against = t.p_for};
}

/* ---- several tests ---- */

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts p and corrects them; a p is never smaller than one before it. */
static void correct(double *p, int count) {
    qsort(p, (size_t)count, sizeof *p, compare);
    for (int i = 0; i < count; i++)
        p[i] = fmax(fmin(1, (count - i) * p[i]), i > 0 ? p[i - 1] : 0);
}

/* Agreement needs every comparison, and so the largest corrected p; for a difference one is enough. What is
 * shown to be equal does not differ, although it may not be 0. */
enum verdict verdict_of(const struct test *tests, int count, double level, double *p) {
    double p_for[TESTS_MAX], p_against[TESTS_MAX];
    int chances = 0;
    bool claims_hold = true;
    assert(count > 0 && count <= TESTS_MAX);
    for (int i = 0; i < count; i++)
        if (tests[i].kind == TEST_CLAIM) {
            claims_hold = claims_hold && tests[i].estimate > 0.5;
        } else {
            const bool is_equal = tests[i].kind == TEST_EQUAL && tests[i].p_for < VERDICT_ALPHA;
            p_for[chances] = tests[i].p_for;
            p_against[chances++] = is_equal ? 1 : tests[i].p_against;
        }
    correct(p_for, chances);
    correct(p_against, chances);
    const bool differs = !claims_hold || (chances > 0 && p_against[0] < level);
    if (p != NULL)
        *p = chances == 0 ? (double)NAN : differs && claims_hold ? p_against[0] : p_for[chances - 1];
    if (chances == 0)
        return claims_hold ? VERDICT_SAME : VERDICT_NOT_SAME;
    return differs                              ? VERDICT_DIFFERS
           : p_for[chances - 1] < VERDICT_ALPHA ? VERDICT_AGREES
                                                : VERDICT_CANNOT_TELL;
}
