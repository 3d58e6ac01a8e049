/* SPDX-License-Identifier: MIT */
#include "match/sprt.h"

#include "base/ln.h"
#include "base/text.h"
#include "match/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PRIOR 1e-3

enum { ELO_MAX = 1000 };

bool sprt_read(const char *string, struct sprt *out, struct err *e) {
    char copy[64], *pieces[2];
    const size_t size = strlen(string);
    if (size >= sizeof copy)
        return err_set(e, "%.40s…: expected ELO0,ELO1", string);
    memcpy(copy, string, size + 1);
    if (text_split(copy, ',', pieces, 2) != 2 || !text_to_real(pieces[0], &out->elo0) ||
        !text_to_real(pieces[1], &out->elo1))
        return err_set(e, "%s: expected two differences, ELO0,ELO1", string);
    return true;
}

bool sprt_check(const struct sprt *sprt, struct err *e) {
    if (!(fabs(sprt->elo0) <= ELO_MAX && fabs(sprt->elo1) <= ELO_MAX))
        return err_set(e, "%g,%g: expected differences from %d to %d", sprt->elo0, sprt->elo1, -ELO_MAX,
                       ELO_MAX);
    if (!(sprt->elo0 < sprt->elo1))
        return err_set(e, "%g,%g: the first difference must be the smaller one", sprt->elo0, sprt->elo1);
    if (!(sprt->alpha > 0 && sprt->alpha < 0.5))
        return err_set(e, "alpha %g: expected a number above 0 and below 0.5", sprt->alpha);
    if (!(sprt->beta > 0 && sprt->beta < 0.5))
        return err_set(e, "beta %g: expected a number above 0 and below 0.5", sprt->beta);
    return true;
}

double sprt_lower(const struct sprt *sprt) {
    assert(sprt->beta > 0);
    assert(sprt->alpha < 1);
    return ln_of(sprt->beta / (1 - sprt->alpha));
}

double sprt_upper(const struct sprt *sprt) {
    assert(sprt->alpha > 0);
    assert(sprt->beta < 1);
    return ln_of((1 - sprt->beta) / sprt->alpha);
}

/* Observations that take evenly spaced values in 0..1, with their (virtually increased) numbers. */
struct outcomes {
    int count;
    double numbers[PAIRS_SCORES];
};

static double value_of(const struct outcomes *o, int i) {
    return (double)i / (o->count - 1);
}

/* The most likely distribution with mean `score` is p_i = n_i / (N (1 + theta (a_i - score))), and theta
 * solves sum n_i (a_i - score) / (1 + theta (a_i - score)) = 0. The sum falls with theta; between the poles
 * of the outermost values there is one solution. Newton's steps, kept between shrinking limits. */
static double solve_theta(const struct outcomes *o, double score) {
    double low = -1 / (1 - score), high = 1 / score, theta = 0;
    for (int round = 0; round < 200; round++) {
        double sum = 0, slope = 0;
        for (int i = 0; i < o->count; i++) {
            const double d = value_of(o, i) - score, q = d / (1 + theta * d);
            sum += o->numbers[i] * q;
            slope -= o->numbers[i] * q * q;
        }
        if (sum > 0)
            low = theta;
        else
            high = theta;
        const double newton = theta - sum / slope;
        const double next = newton > low && newton < high ? newton : (low + high) / 2;
        if (fabs(next - theta) <= 1e-13 * fmax(1, fabs(theta)))
            return next;
        theta = next;
    }
    return theta;
}

static double ratio_of(const struct outcomes *o, double score0, double score1) {
    const double theta0 = solve_theta(o, score0), theta1 = solve_theta(o, score1);
    double sum = 0;
    for (int i = 0; i < o->count; i++) {
        const double a = value_of(o, i);
        sum += o->numbers[i] * (ln_of(1 + theta0 * (a - score0)) - ln_of(1 + theta1 * (a - score1)));
    }
    return sum;
}

double sprt_ratio(const struct sprt *sprt, const struct pairs *p) {
    assert(sprt->elo0 < sprt->elo1);
    struct outcomes five = {.count = PAIRS_SCORES}, three = {.count = PAIRS_SINGLE_SCORES};
    for (int i = 0; i < PAIRS_SCORES; i++)
        five.numbers[i] = p->counts[i] + PRIOR;
    for (int i = 0; i < PAIRS_SINGLE_SCORES; i++)
        three.numbers[i] = p->singles[i] + PRIOR;
    const double score0 = elo_to_score(sprt->elo0), score1 = elo_to_score(sprt->elo1);
    double ratio = 0;
    if (pairs_count(p) > 0)
        ratio += ratio_of(&five, score0, score1);
    if (pairs_singles(p) > 0)
        ratio += ratio_of(&three, score0, score1);
    return ratio;
}

enum sprt_verdict sprt_decide(const struct sprt *sprt, double ratio) {
    return ratio >= sprt_upper(sprt) ? SPRT_H1 : ratio <= sprt_lower(sprt) ? SPRT_H0 : SPRT_UNDECIDED;
}
