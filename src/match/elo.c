/* SPDX-License-Identifier: MIT */
#include "match/elo.h"

#include "base/ln.h"
#include "match/stats.h"

#include <assert.h>
#include <math.h>

double elo_to_score(double elo) {
    return 1 / (1 + exp(-elo / ELO_PER_LOGIT));
}

double elo_from_score(double score) {
    assert(score > 0);
    assert(score < 1);
    return ELO_PER_LOGIT * ln_of(score / (1 - score));
}

/* The virtual pair: two independent decided games have a variance of 1/4 each. */
#define PRIOR_VARIANCE 0.5

/* How much the games' sum varies, in units of what as many independent games without draws would: below 1
 * with draws and on unbalanced maps. The virtual pair holds it at 1 while nothing is known. */
static double dispersion(const struct pairs *p, double score) {
    const double games = pairs_games(p);
    const double seen = pairs_variance(p) * games * games;
    return (seen + PRIOR_VARIANCE) / (games * score * (1 - score) + PRIOR_VARIANCE);
}

/* Student's t in units of the normal quantile, by the first term of its expansion (Fisher and Cornish 1960):
 * few pairs know little about their own spread. */
static double small_sample_factor(int clusters) {
    return 1 + (STATS_Z95 * STATS_Z95 + 1) / (4.0 * (clusters + 1));
}

/* The standard error of the log odds: that of the score over the slope of the curve (the delta method), both
 * at the score with half a win and half a loss more, so that neither can be 0 (Gart 1966). */
static double logit_error(const struct pairs *p, double score) {
    const int games = pairs_games(p);
    const double mean = (games * score + 0.5) / (games + 1);
    const double information = fmax(games, 1) * mean * (1 - mean);
    return sqrt(dispersion(p, score) / information) * small_sample_factor(pairs_count(p) + pairs_singles(p));
}

struct elo_estimate elo_estimate(const struct pairs *p) {
    const int games = pairs_games(p);
    struct elo_estimate out = {.score = pairs_score(p)};
    const double edge = games > 0 ? 0.25 / games : 0.25;
    out.elo = elo_from_score(fmin(fmax(out.score, edge), 1 - edge));
    out.error = STATS_Z95 * ELO_PER_LOGIT * logit_error(p, out.score);
    /* Against equality the variance is the one that equals have, and the curve's slope does not matter. */
    const double equals = dispersion(p, out.score) * 0.25 / fmax(games, 1);
    out.superiority = stats_superiority(out.score - 0.5, sqrt(equals));
    return out;
}
