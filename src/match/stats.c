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

double stats_student(int degrees) {
    static const double few[] = {12.706204736, 4.302652730, 3.182446305, 2.776445105, 2.570581836,
                                 2.446911851,  2.364624252, 2.306004135, 2.262157163, 2.228138852,
                                 2.200985160,  2.178812830, 2.160368656, 2.144786688, 2.131449546,
                                 2.119905299,  2.109815578, 2.100922040, 2.093024054, 2.085963447};
    assert(degrees >= 1);
    if (degrees <= (int)(sizeof few / sizeof few[0]))
        return few[degrees - 1];
    /* Cornish and Fisher's expansion around the normal quantile; right to six digits from here on. */
    const double z = STATS_Z95, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, v = degrees;
    return z + (z3 + z) / (4 * v) + (5 * z5 + 16 * z3 + 3 * z) / (96 * v * v) +
           (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / (384 * v * v * v);
}

double stats_superiority(double difference, double standard_error) {
    if (!(standard_error > 0))
        return difference > 0 ? 1 - 1e-15 : difference < 0 ? 1e-15 : 0.5;
    return fmin(fmax(stats_normal(difference / standard_error), 1e-15), 1 - 1e-15);
}
