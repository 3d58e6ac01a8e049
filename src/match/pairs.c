/* SPDX-License-Identifier: MIT */
#include "match/pairs.h"

#include <assert.h>

/* Half points, rounded: results are 0, 1/2 or 1. */
static int half_points(double points, int most) {
    const int halves = (int)(2 * points + 0.5);
    assert(halves >= 0);
    assert(halves <= most);
    return halves;
}

void pairs_add(struct pairs *p, double first, double second) {
    p->counts[half_points(first + second, PAIRS_SCORES - 1)]++;
}

void pairs_add_single(struct pairs *p, double payoff) {
    p->singles[half_points(payoff, PAIRS_SINGLE_SCORES - 1)]++;
}

int pairs_count(const struct pairs *p) {
    int count = 0;
    for (int i = 0; i < PAIRS_SCORES; i++)
        count += p->counts[i];
    return count;
}

int pairs_singles(const struct pairs *p) {
    int count = 0;
    for (int i = 0; i < PAIRS_SINGLE_SCORES; i++)
        count += p->singles[i];
    return count;
}

int pairs_games(const struct pairs *p) {
    return 2 * pairs_count(p) + pairs_singles(p);
}

double pairs_score(const struct pairs *p) {
    const int games = pairs_games(p);
    double points = 0;
    for (int i = 0; i < PAIRS_SCORES; i++)
        points += 0.5 * i * p->counts[i];
    for (int i = 0; i < PAIRS_SINGLE_SCORES; i++)
        points += 0.5 * i * p->singles[i];
    return games > 0 ? points / games : 0.5;
}

/* A pair counts as a cluster of two games, a single game as one of one: the mean is a ratio of sums over
 * clusters, and this is the usual variance of such a ratio. With pairs alone it is the sample variance of
 * their scores, divided by their number. */
double pairs_variance(const struct pairs *p) {
    const int clusters = pairs_count(p) + pairs_singles(p);
    if (clusters < 2)
        return 0;
    const double mean = pairs_score(p), games = pairs_games(p);
    double sum = 0;
    for (int i = 0; i < PAIRS_SCORES; i++)
        sum += p->counts[i] * (0.5 * i - 2 * mean) * (0.5 * i - 2 * mean);
    for (int i = 0; i < PAIRS_SINGLE_SCORES; i++)
        sum += p->singles[i] * (0.5 * i - mean) * (0.5 * i - mean);
    return sum / (games * games) * clusters / (clusters - 1);
}

void pairs_stream_add(struct pairs_stream *s, double payoff, bool paired) {
    if (!paired) {
        pairs_add_single(&s->pairs, payoff);
    } else if (s->is_waiting) {
        pairs_add(&s->pairs, s->waiting, payoff);
        s->is_waiting = false;
    } else {
        s->waiting = payoff;
        s->is_waiting = true;
    }
}

struct pairs pairs_stream_all(const struct pairs_stream *s) {
    struct pairs all = s->pairs;
    if (s->is_waiting)
        pairs_add_single(&all, s->waiting);
    return all;
}
