/* SPDX-License-Identifier: MIT */
#include "match/stats.h"

#include <assert.h>
#include <math.h>

int tally_games(const struct tally *t) {
    return t->wins + t->draws + t->losses;
}

double tally_points(const struct tally *t) {
    return t->wins + 0.5 * t->draws;
}

double tally_score(const struct tally *t) {
    const int games = tally_games(t);
    return games > 0 ? tally_points(t) / games : 0.5;
}

void tally_add(struct tally *t, double payoff) {
    t->wins += payoff > 0.5;
    t->losses += payoff < 0.5;
    t->draws += !(payoff > 0.5) && !(payoff < 0.5);
}

struct interval stats_wilson(double p, int n, double z) {
    if (n <= 0)
        return (struct interval){0, 1};
    const double z2 = z * z, scale = 1 + z2 / n;
    const double centre = (p + z2 / (2.0 * n)) / scale;
    const double half = z / scale * sqrt(p * (1 - p) / n + z2 / (4.0 * n * n));
    /* It always holds p, also where rounding would leave it just outside: 0 for p = 0, 1 for p = 1. */
    return (struct interval){fmax(fmin(centre - half, p), 0), fmin(fmax(centre + half, p), 1)};
}

double stats_normal(double z) {
    return 0.5 * erfc(-z * 0x1.6a09e667f3bcdp-1); /* the square root of 1/2 */
}

double stats_normal_quantile(double p) {
    assert(p > 0);
    assert(p < 1);
    if (p > 0.5)
        return -stats_normal_quantile(1 - p);
    /* Bisection: it is asked for a few times a run, and this is right to the last digits in the far tail. */
    double low = -40, high = 0;
    for (int i = 0; i < 80; i++) {
        const double middle = (low + high) / 2;
        if (stats_normal(middle) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double stats_superiority(double difference, double standard_error) {
    if (!(standard_error > 0))
        return difference > 0 ? 1 - 1e-15 : difference < 0 ? 1e-15 : 0.5;
    return fmin(fmax(stats_normal(difference / standard_error), 1e-15), 1 - 1e-15);
}
