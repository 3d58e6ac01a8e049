/* SPDX-License-Identifier: MIT */
#include "match/stats.h"

#include <math.h>

int tally_games(const struct tally *t) {
    return t->wins + t->draws + t->losses;
}

double tally_score(const struct tally *t) {
    const int games = tally_games(t);
    return games > 0 ? (t->wins + 0.5 * t->draws) / games : 0.5;
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
