/* SPDX-License-Identifier: MIT
 *
 * The statistics of ratings: means on a bounded scale, rank correlations, agreement between raters, and a
 * linear fit with few observations. docs/studies.md explains every number.
 */
#ifndef STUDY_RATINGS_H
#define STUDY_RATINGS_H

#include "match/statistics.h"

#include <stdint.h>

/* ---- means ---- */

struct ratings_scale {
    int low, high; /* both ends can be given */
};

struct ratings_mean {
    int count;
    double mean;              /* NAN without values */
    struct interval interval; /* 95 %, within the scale; the whole scale without values */
};

/* The interval is Student's after one more value at each end of the scale was added, cut at the ends and made
 * to hold the mean. So equal values do not look certain, and few values do not lead beyond the scale, as the
 * plain interval does (the paper's table has 3.8 ± 3.2 on a scale of five). */
struct ratings_mean ratings_mean(struct ratings_scale scale, const double *values, int count);

/* ---- rank correlations ---- */

struct ratings_correlation {
    int count;                /* of pairs */
    double value;             /* -1 … 1; NAN: fewer than three pairs, or one of the two is constant */
    struct interval interval; /* 95 %, of the pairs as a sample (Fisher's transformation) */
};

/* Spearman's rho: Pearson's correlation of the ranks, ties have their mean rank. The standard error is that
 * of Bonett and Wright (2000). */
struct ratings_correlation ratings_spearman(const double *x, const double *y, int count);

/* Kendall's tau-b, with the standard error of Fieller, Hartley and Pearson (1957). */
struct ratings_correlation ratings_kendall(const double *x, const double *y, int count);

/* ---- agreement between raters ---- */

/* Ratings of `units` things by `raters`: values[rater * units + unit]; 0: not rated. */
struct ratings_table {
    struct ratings_scale scale; /* low > 0, at most RATINGS_VALUES_MAX values */
    int raters, units;
    const int *values;
};

enum { RATINGS_VALUES_MAX = 16, RATINGS_BOOTSTRAPS = 2000 };

struct ratings_alpha {
    int pairable;             /* ratings of units that at least two have rated */
    double value;             /* NAN: nothing to compare, or all ratings are equal */
    struct interval interval; /* 95 %, bootstrap of the units */
};

/* Krippendorff's alpha for ordinal data: 1 agreement, 0 what chance gives (Krippendorff 2011, Computing
 * Krippendorff's Alpha-Reliability). `seed`: of the bootstrap. */
struct ratings_alpha ratings_alpha(const struct ratings_table *table, uint64_t seed);

struct ratings_concordance {
    int raters;         /* who rated all units */
    double value;       /* Kendall's W, 0 … 1; NAN: fewer than two raters or units, or no differences */
    double chi_squared; /* Friedman's statistic m (n - 1) W, with n - 1 degrees of freedom */
};

/* With the correction for ties. */
struct ratings_concordance ratings_concordance(const struct ratings_table *table);

/* ---- a linear fit ---- */

enum { RATINGS_FEATURES_MAX = 8, RATINGS_FIT_MIN = 4 };

struct ratings_fit {
    double base, weights[RATINGS_FEATURES_MAX]; /* value = base + sum of weight * feature */
    double standardized[RATINGS_FEATURES_MAX];  /* the same in units of value per standard deviation */
    double penalty;                             /* the strength of the ridge that was chosen */
    double error;      /* cross-validated: root of the mean square, each observation left out once */
    double error_mean; /* the same for the mean of the others in place of the fit */
};

/* Ridge regression on standardized features: `count` rows of `features` numbers each. The penalty is the one
 * with the least error when each observation is left out once; the error is measured with one more
 * observation left out, so that the choice does not flatter it. False with a sentence for fewer than
 * RATINGS_FIT_MIN observations, or when all values or all features are constant. */
bool ratings_fit(const double *x, const double *y, int count, int features, struct ratings_fit *out,
                 struct err *e);

#endif
