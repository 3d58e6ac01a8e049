/* SPDX-License-Identifier: MIT
 *
 * Sources are named at the formulas. Logarithms come from base/numbers.h: those of C libraries differ in
 * the last bits, and bounds of tests are compared with them.
 */
#include "match/statistics.h"

#include "base/numbers.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- wins, draws, losses ---- */

int tally_games(const struct tally *t) {
    return t->wins + t->draws + t->losses;
}

double tally_points(const struct tally *t) {
    return t->wins + 0.5 * t->draws;
}

/* 0.5 without games: neither side is ahead. */
double tally_score(const struct tally *t) {
    const int games = tally_games(t);
    return games > 0 ? tally_points(t) / games : 0.5;
}

void tally_add(struct tally *t, double payoff) {
    t->wins += payoff > 0.5;
    t->losses += payoff < 0.5;
    t->draws += !(payoff > 0.5) && !(payoff < 0.5);
}

/* ---- distributions ---- */

/* E. B. Wilson, "Probable inference, the law of succession, and statistical inference", 1927. Unlike the
 * normal interval it stays within 0 and 1. */
struct interval stats_wilson(double p, int n, double z) {
    if (n <= 0)
        return (struct interval){0, 1};
    const double z2 = z * z, scale = 1 + z2 / n;
    const double centre = (p + z2 / (2.0 * n)) / scale;
    const double half = z / scale * sqrt(p * (1 - p) / n + z2 / (4.0 * n * n));
    /* Rounding must not leave p just outside: 0 for p = 0, 1 for p = 1. */
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
    /* Bisection is exact to the last digits in the far tail; the function is called a few times a run. */
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

/* Kept a little away from 0 and 1: readers would take a printed 100 % for a proof. */
double stats_superiority(double difference, double standard_error) {
    if (!(standard_error > 0))
        return difference > 0 ? 1 - 1e-15 : difference < 0 ? 1e-15 : 0.5;
    return fmin(fmax(stats_normal(difference / standard_error), 1e-15), 1 - 1e-15);
}

/* ---- mirrored pairs ---- */

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

static int sum_of(const int *counts, int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

int pairs_count(const struct pairs *p) {
    return sum_of(p->counts, PAIRS_SCORES);
}

int pairs_singles(const struct pairs *p) {
    return sum_of(p->singles, PAIRS_SINGLE_SCORES);
}

int pairs_games(const struct pairs *p) {
    return 2 * pairs_count(p) + pairs_singles(p);
}

/* Pairs and single games weigh by their number of games. */
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

/* ---- mean payoff ---- */

/* Welford's update has no large sums that nearly cancel. */
void payoffs_add(struct payoffs *p, double payoff, bool paired) {
    assert(payoff >= 0);
    assert(payoff <= 1);
    if (paired && !p->is_waiting) {
        p->is_waiting = true;
        p->waiting = payoff;
        return;
    }
    const double value = paired ? (p->waiting + payoff) / 2 : payoff, before = value - p->mean;
    p->count++;
    p->mean += before / p->count;
    p->squares += before * (value - p->mean);
    p->is_waiting = false;
}

/* With few observations the spread itself is uncertain: Student's t in place of the normal quantile. */
struct interval payoffs_interval(const struct payoffs *p) {
    assert(p->count >= 0);
    if (p->count < 2)
        return (struct interval){0, 1};
    const double half = stats_student(p->count - 1) * sqrt(p->squares / (p->count - 1) / p->count);
    return (struct interval){fmax(p->mean - half, 0), fmin(p->mean + half, 1)};
}

/* ---- Elo differences ---- */

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

/* The dispersion is how much the games' sum varies, in units of what as many independent games without draws
 * would: below 1 with draws and on unbalanced maps. The virtual pair makes it 1 without games.
 *
 * The error is the standard error of the score over the slope of the curve (the delta method), both at the
 * score with half a win and half a loss more, so that neither can be 0 (Gart 1966). The spread of few pairs
 * is itself uncertain: the factor is Student's t in units of the normal quantile, by the first term of its
 * expansion (Fisher and Cornish 1960). */
struct elo_estimate elo_estimate(const struct pairs *p) {
    const int games = pairs_games(p), clusters = pairs_count(p) + pairs_singles(p);
    const double score = pairs_score(p), edge = games > 0 ? 0.25 / games : 0.25;
    const double seen = pairs_variance(p) * games * games;
    const double dispersion = (seen + PRIOR_VARIANCE) / (games * score * (1 - score) + PRIOR_VARIANCE);
    const double mean = (games * score + 0.5) / (games + 1);
    const double information = fmax(games, 1) * mean * (1 - mean);
    const double few = 1 + (STATS_Z95 * STATS_Z95 + 1) / (4.0 * (clusters + 1));
    /* Against equality the variance is the one that equals have, and the curve's slope does not matter. */
    const double equals = dispersion * 0.25 / fmax(games, 1);
    return (struct elo_estimate){
        .elo = elo_from_score(fmin(fmax(score, edge), 1 - edge)),
        .error = STATS_Z95 * ELO_PER_LOGIT * (sqrt(dispersion / information) * few),
        .superiority = stats_superiority(score - 0.5, sqrt(equals)),
    };
}

/* ---- the length of a match ---- */

/* The standard deviation of one game's score: wins w = s - d/2 and draws d give w + d/4 - s^2. */
static double deviation(double score, double draws) {
    return sqrt(fmax(score - draws / 4 - score * score, 0));
}

/* The largest difference that is possible with this share of draws. */
static double needed_elo_max(const struct needed *needed) {
    return elo_from_score(1 - fmax(needed->draws, 1e-6) / 2);
}

/* Unrounded: both error rates are met when the difference is (z_alpha sd_0 + z_power sd_1) / sqrt n.
 */
static double games_for(const struct needed *needed, double elo) {
    const double z_alpha = stats_normal_quantile(1 - needed->alpha / (needed->two_sided ? 2 : 1));
    const double z_power = stats_normal_quantile(needed->power);
    const double score = elo_to_score(elo), root = (z_alpha * deviation(0.5, needed->draws) +
                                                    z_power * deviation(score, needed->draws)) /
                                                   (score - 0.5);
    return root * root;
}

bool needed_games(const struct needed *needed, double elo, int *out, struct err *e) {
    const double size = fabs(elo), most = needed_elo_max(needed);
    if (!(size > 0))
        return err_set(e, "a difference of 0 Elo cannot be shown");
    if (size > most)
        return err_set(e, "a difference of %g Elo leaves no room for %g%% draws; expected at most %.0f Elo",
                       elo, 100 * needed->draws, floor(most));
    const double games = games_for(needed, size);
    if (!(games <= NEEDED_GAMES_MAX))
        return err_set(e, "a difference of %g Elo needs more than %d games", elo, NEEDED_GAMES_MAX);
    *out = 2 * (int)fmax(ceil(games / 2 - 1e-9), 1);
    return true;
}

/* The number of games falls with the difference, so bisection finds the smallest one that is shown. */
bool needed_elo(const struct needed *needed, int games, double *out, struct err *e) {
    assert(games > 0);
    double low = 0, high = needed_elo_max(needed);
    if (games_for(needed, high) > games)
        return err_set(e, "%d games are too few to show any difference with that power", games);
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (games_for(needed, middle) > games)
            low = middle;
        else
            high = middle;
    }
    *out = high;
    return true;
}

/* The delta method at a score of one half, where the slope of the curve is 1/4 in log odds. */
double needed_error(const struct needed *needed, int games) {
    assert(games > 0);
    return STATS_Z95 * ELO_PER_LOGIT * deviation(0.5, needed->draws) / sqrt(games) / 0.25;
}

struct needed_sequential needed_sequential(const struct needed *needed, double elo) {
    const double alpha = needed->alpha, beta = 1 - needed->power;
    const double upper = ln_of((1 - beta) / alpha), lower = ln_of(beta / (1 - alpha));
    const double gap = elo_to_score(fabs(elo)) - 0.5;
    const double middle = deviation(0.5 + gap / 2, needed->draws);
    /* Of the log-likelihood ratio, a game; minus it if there is no difference. */
    const double drift = gap * gap / (2 * (middle * middle));
    return (struct needed_sequential){
        .if_none = -(alpha * upper + (1 - alpha) * lower) / drift,
        .if_there = ((1 - beta) * upper + beta * lower) / drift,
        .halfway = -upper * lower / (2 * drift),
    };
}

/* ---- the sequential test ---- */

#define PRIOR 1e-3

enum { ELO_MAX = 1000 };

bool sprt_read(const char *string, struct sprt *out, struct err *e) {
    char copy[64], *pieces[2];
    if (strlen(string) >= sizeof copy)
        return err_set(e, "%.40s…: expected ELO0,ELO1", string);
    strcpy(copy, string);
    return (text_split(copy, ',', pieces, 2) == 2 && text_to_real(pieces[0], &out->elo0) &&
            text_to_real(pieces[1], &out->elo1)) ||
           err_set(e, "%s: expected two differences, ELO0,ELO1", string);
}

bool sprt_check(const struct sprt *sprt, struct err *e) {
    const double rates[2] = {sprt->alpha, sprt->beta};
    if (!(fabs(sprt->elo0) <= ELO_MAX && fabs(sprt->elo1) <= ELO_MAX))
        return err_set(e, "%g,%g: expected differences from %d to %d", sprt->elo0, sprt->elo1, -ELO_MAX,
                       ELO_MAX);
    if (!(sprt->elo0 < sprt->elo1))
        return err_set(e, "%g,%g: the first difference must be the smaller one", sprt->elo0, sprt->elo1);
    for (int i = 0; i < 2; i++)
        if (!(rates[i] > 0 && rates[i] < 0.5))
            return err_set(e, "%s %g: expected a number above 0 and below 0.5", i == 0 ? "alpha" : "beta",
                           rates[i]);
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
    double values[PAIRS_SCORES], numbers[PAIRS_SCORES];
};

/* Every score gets PRIOR virtual observations. */
static struct outcomes make_outcomes(const int *counts, int n) {
    struct outcomes o = {.count = n};
    for (int i = 0; i < n; i++) {
        o.values[i] = (double)i / (n - 1);
        o.numbers[i] = counts[i] + PRIOR;
    }
    return o;
}

/* The most likely distribution with mean `score` is p_i = n_i / (N (1 + theta (a_i - score))), and theta
 * solves sum n_i (a_i - score) / (1 + theta (a_i - score)) = 0. The sum falls with theta; between the poles
 * of the outermost values there is one solution. Newton's steps, kept between shrinking limits. */
static double solve_theta(const struct outcomes *o, double score) {
    double low = -1 / (1 - score), high = 1 / score, theta = 0;
    for (int round = 0; round < 200; round++) {
        double sum = 0, slope = 0;
        for (int i = 0; i < o->count; i++) {
            const double d = o->values[i] - score, q = d / (1 + theta * d);
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
    for (int i = 0; i < o->count; i++)
        sum += o->numbers[i] *
               (ln_of(1 + theta0 * (o->values[i] - score0)) - ln_of(1 + theta1 * (o->values[i] - score1)));
    return sum;
}

double sprt_ratio(const struct sprt *sprt, const struct pairs *p) {
    assert(sprt->elo0 < sprt->elo1);
    const struct outcomes five = make_outcomes(p->counts, PAIRS_SCORES);
    const struct outcomes three = make_outcomes(p->singles, PAIRS_SINGLE_SCORES);
    const double score0 = elo_to_score(sprt->elo0), score1 = elo_to_score(sprt->elo1);
    return (pairs_count(p) > 0 ? ratio_of(&five, score0, score1) : 0) +
           (pairs_singles(p) > 0 ? ratio_of(&three, score0, score1) : 0);
}

/* Wald's bounds. With a whole number of pairs the ratio may step beyond a bound, so the true error rates
 * are a little smaller. */
enum sprt_verdict sprt_decide(const struct sprt *sprt, double ratio) {
    return ratio >= sprt_upper(sprt) ? SPRT_H1 : ratio <= sprt_lower(sprt) ? SPRT_H0 : SPRT_UNDECIDED;
}

/* ---- JSON ---- */

json_t *statistics_tally_json(const struct tally *t) {
    const struct interval i = stats_wilson(tally_score(t), tally_games(t), STATS_Z95);
    return json_pack("{s[ii] si sf s[ff]}", "wins", t->wins, t->losses, "draws", t->draws, "score",
                     tally_score(t), "interval", i.low, i.high);
}

json_t *statistics_elo_json(const struct pairs *pairs) {
    const struct elo_estimate e = elo_estimate(pairs);
    return json_pack("{sf sf s[ff] sf}", "difference", e.elo, "error", e.error, "interval", e.elo - e.error,
                     e.elo + e.error, "superiority", e.superiority);
}

json_t *statistics_pairs_json(const struct pairs *pairs) {
    const int *n = pairs->counts;
    return json_pack("[iiiii]", n[0], n[1], n[2], n[3], n[4]);
}
