/* SPDX-License-Identifier: MIT
 *
 * Verdicts: what a comparison of two samples shows, and what tests of a statement show. Each has three
 * answers, of which one is that there were too few trials. docs/experiments.md ("Verdicts") states the rules.
 */
#ifndef MATCH_VERDICT_H
#define MATCH_VERDICT_H

#include "match/statistics.h"

enum verdict {
    VERDICT_NONE, /* nothing to compare with */
    VERDICT_AGREES,
    VERDICT_DIFFERS,
    VERDICT_CANNOT_TELL, /* with so many trials */
    VERDICT_SAME,        /* without chance: an answer or a number that repeats exactly … */
    VERDICT_NOT_SAME     /* … and does not. Neither confirms anything */
};

/* "agrees", "differs", "cannot_tell", "same", "not_same", "none": for JSON and CSV. */
const char *verdict_name(enum verdict verdict);

#define VERDICT_ALPHA  0.05 /* of every test */
#define VERDICT_POWER  0.8  /* of plans */
#define VERDICT_MARGIN 0.1  /* shares this close agree: ten points of a hundred */

/* ---- distributions ---- */

/* Student's t: the probability of a value above t; degrees >= 1. */
double student_tail(double t, int degrees);

/* The 95 % interval of a mean of values within low … high (either may be infinite): within the same bounds,
 * and not empty where all values are equal. `error` is the mean's standard error. The whole range while
 * n < 2. */
struct interval interval_within(double mean, double error, int n, double low, double high);

/* ---- shares of two samples ---- */

/* Successes of n trials; a draw may count a half. */
struct proportion {
    double successes;
    int n;
};

static inline double proportion_mean(struct proportion s) {
    return s.n > 0 ? s.successes / s.n : 0.5;
}

/* The interval of share a less share b at z standard errors: R. G. Newcombe, "Interval estimation for the
 * difference between independent proportions", 1998, method 10. Within -1 … 1, and right where all or none
 * succeed. */
struct interval shares_difference(struct proportion a, struct proportion b, double z);

/* Agrees: the 90 % interval of the difference lies within +-margin (two one-sided tests at 5 %). Differs: it
 * does not, and the 95 % interval excludes 0. */
enum verdict verdict_shares(struct proportion published, struct proportion ours, double margin);

/* How many trials of ours make the verdict: enough that equal shares agree, and shares that differ by the
 * margin differ, each with that power at least, in tests at level alpha. 0: no number does, because the
 * published trials are too few. */
int verdict_trials(struct proportion published, double margin, double alpha, double power);

/* ---- tests of a statement ---- */

enum test_kind {
    TEST_GREATER, /* the statement: above 0; its alternative: below 0 */
    TEST_EQUAL,   /* about 0, that is within +-margin; its alternative: not 0 */
    TEST_WITHIN,  /* within +-margin; its alternative: beyond it */
    TEST_AT_MOST, /* not above 0 by the margin or more; its alternative: above 0 */
    TEST_CLAIM    /* no chance is involved */
};

struct test {
    enum test_kind kind;
    double estimate, margin; /* of a TEST_CLAIM: 1 when it holds, else 0 */
    double p_for;            /* of what is observed, if the statement were not so */
    double p_against;        /* of what is observed, if the alternative were not so */
};

/* A mean with its standard error, by Student's t; one without error and without trials behind it (n < 2)
 * shows nothing. A mean without any spread shows what n equal signs show: p is 1/2 to the power of n. */
struct test test_greater(double mean, double error, int n);
struct test test_equal(double mean, double error, int n, double margin);
struct test test_within(double mean, double error, int n, double margin);
struct test test_at_most(double mean, double error, int n, double margin);

/* A share above `level`, by Wilson's interval; share a above share b, by Newcombe's and by Fisher's exact
 * test (mid-p); and both for "equal". */
struct test test_share_above(struct proportion share, double level);
struct test test_share_equal(struct proportion share, double level, double margin);
struct test test_shares_greater(struct proportion a, struct proportion b);
struct test test_shares_not_less(struct proportion a, struct proportion b, double margin); /* a than b */
struct test test_shares_equal(struct proportion a, struct proportion b, double margin);

struct test test_claim(bool holds);

/* The opposite of a TEST_GREATER: below 0. */
struct test test_less(struct test test);

/* What all tests of one statement show together, after S. Holm's correction ("A simple sequentially rejective
 * multiple test procedure", 1979): it agrees when all are shown, differs when one alternative is shown or one
 * claim does not hold. Claims alone are the same or not. `p`: of the agreement, or of the difference, that is
 * shown, or the larger of what fails to show agreement; NaN for claims. May be NULL. */
enum verdict verdict_of(const struct test *tests, int count, double *p);

/* "greater", "equal", "within", "at_most", "claim": for JSON. */
const char *test_name(enum test_kind kind);

#endif
