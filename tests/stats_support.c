/* SPDX-License-Identifier: MIT */
#include "tests/stats_support.h"

#include "match/statistics.h"

#include <math.h>

double support_play(struct rng *r, double elo, double draws) {
    const double score = elo_to_score(elo), drawn = fmin(draws, 2 * fmin(score, 1 - score));
    const double won = score - drawn / 2, u = rng_unit(r);
    return u < won ? 1 : u < won + drawn ? 0.5 : 0;
}

double support_normal(struct rng *r) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += rng_unit(r);
    return sum;
}

void support_add_pair(struct rng *r, double elo, double side, double draws, struct pairs *out) {
    const double as_red = support_play(r, elo + side, draws), as_blue = support_play(r, elo - side, draws);
    pairs_add(out, as_red, as_blue);
}

double support_strength(double elo, double side) {
    double low = elo - 1000, high = elo + 1000;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if ((elo_to_score(middle + side) + elo_to_score(middle - side)) / 2 < elo_to_score(elo))
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
