/* SPDX-License-Identifier: MIT
 *
 * Sources are named at the formulas. Logarithms come from base/numbers.h: those of C libraries differ in
 * the last bits, and bounds of tests are compared with them.
 */
#include "match/statistics.h"

#include "base/mem.h"
#include "base/numbers.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
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
struct interval stats_wilson(double p, double n, double z) {
    if (n <= 0)
        return (struct interval){0, 1};
    const double z2 = z * z, scale = 1 + z2 / n;
    const double centre = (p + z2 / (2 * n)) / scale;
    const double half = z / scale * sqrt(p * (1 - p) / n + z2 / (4 * n * n));
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

/* Unrounded: both error rates are met when the difference is (z_alpha sd_0 + z_power sd_1) / sqrt n. */
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

/* ---- ratings ----
 *
 * The fit of the ratings and its errors. Everything is in log odds; only the results are in Elo.
 *
 * The model. The expected payoff of side 0 is
 *     p = 1 / (1 + exp(-(strength_a - strength_b + side_map))),
 * and a game with payoff y contributes y ln p + (1 - y) ln(1 - p) to the log-likelihood; a draw is y = 1/2.
 * The estimates need only the expectation to be right (a quasi-likelihood); the errors account for how games
 * vary. Newton's method finds the maximum, with priors.
 *
 * One or two pairs on a map do not determine the value of its side. With the estimate in place of the truth,
 * differences between players would come out too small or too large, however many such maps there are (Neyman
 * and Scott 1948). So the log odds are shrunk a little, by the uncertainty about the side.
 *
 * A map's parameter occurs only in its own games, so the block of maps in the second derivatives is diagonal.
 * Maps are eliminated (Schur complement): the matrices to solve have one row a player.
 *
 * The errors. The covariance of the estimates is A^-1 B A^-1: A the second derivatives, B the covariance of
 * the gradient (the sandwich; Huber 1967, White 1982). B is computed in two versions. Expected: games are
 * independent and vary as their expectation and the share of draws imply. Observed: the gradients are summed
 * over each mirrored pair before they are squared (Liang and Zeger 1986), because the two games of a pair
 * need not be independent; each residual is first divided by 1 - its leverage (MacKinnon and White 1985,
 * HC3), because few games are fitted too well. To both the prior adds its own curvature: a parameter without
 * games has the prior's variance. B's block of maps is diagonal as well, because a pair is played on one map.
 */

/* ---- ratings: square matrices ----
 *
 * They are arrays, row after row. */

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* x^T a y. */
static double form(const double *x, const double *a, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (x[i] < 0 || x[i] > 0)
            sum += x[i] * dot(a + (size_t)i * n, y, n);
    return sum;
}

/* Turns the lower triangle of a positive definite matrix into its Cholesky factor. The upper triangle is not
 * looked at. */
static void factor(double *a, int n) {
    for (int i = 0; i < n; i++) {
        double *row = a + (size_t)i * n;
        for (int j = 0; j < i; j++) {
            const double *other = a + (size_t)j * n;
            row[j] = (row[j] - dot(row, other, j)) / other[j];
        }
        const double rest = row[i] - dot(row, row, i);
        assert(rest > 0); /* the prior makes it so */
        row[i] = sqrt(rest);
    }
}

/* Solves (L L^T) x = b in place, L from factor. */
static void solve(const double *l, int n, double *x) {
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - dot(l + (size_t)i * n, x, i)) / l[(size_t)i * n + i];
    for (int i = n - 1; i >= 0; i--) {
        const double *row = l + (size_t)i * n;
        x[i] /= row[i];
        for (int j = 0; j < i; j++)
            x[j] -= row[j] * x[i];
    }
}

/* The inverse of L L^T. */
static void inverse(const double *l, int n, double *out) {
    memset(out, 0, sizeof *out * (size_t)n * n);
    for (int i = 0; i < n; i++) { /* symmetric: the rows are the columns */
        out[(size_t)i * n + i] = 1;
        solve(l, n, out + (size_t)i * n);
    }
}

/* a += factor * x y^T, skipping zeros of x. */
static void add_outer(double *a, int n, double factor, const double *x, const double *y) {
    for (int i = 0; i < n; i++) {
        if (!(x[i] < 0 || x[i] > 0))
            continue;
        const double f = factor * x[i];
        double *row = a + (size_t)i * n;
        for (int j = 0; j < n; j++)
            row[j] += f * y[j];
    }
}

/* The inner loop runs along rows of both, which compilers vectorise. */
static void multiply(const double *a, const double *b, int n, double *out) {
    memset(out, 0, sizeof *out * (size_t)n * n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            const double f = a[(size_t)i * n + k];
            const double *from = b + (size_t)k * n;
            double *to = out + (size_t)i * n;
            for (int j = 0; j < n; j++)
                to[j] += f * from[j];
        }
}

/* Takes the mean of each row and of each column out: (I - 11^T/n) a (I - 11^T/n). */
static void centre(double *a, int n) {
    for (int k = 0; k < 2 * n; k++) { /* rows, whose elements are next to each other, then columns */
        double *line = k < n ? a + (size_t)k * n : a + (k - n), mean = 0;
        const size_t step = k < n ? 1 : n;
        for (int i = 0; i < n; i++)
            mean += line[i * step] / n;
        for (int i = 0; i < n; i++)
            line[i * step] -= mean;
    }
}

/* ---- ratings: the model ---- */

/* A symmetric matrix over players and maps whose block of maps is diagonal. */
struct blocks {
    double *pp; /* players x players */
    double *mp; /* maps x players */
    double *mm; /* maps */
};

enum { EXPECTED, OBSERVED, VERSIONS };

/* The parameters, their derivatives, and the errors, which come in two versions: expected by the model, and
 * observed in the games. Variances are in squared log odds. */
struct model {
    const struct rating_game *games;
    int count, players, maps;
    double dispersion;                /* how much games vary, in units of p (1 - p); 1 without draws */
    double side_mean, side_precision; /* the prior of every side */
    double *numbers;                  /* one block, which all of the arrays below share */
    double *strength, *side;          /* the parameters */
    double *moderation;               /* by map: the log odds are multiplied by it; at most 1 */
    double *player_prior;             /* curvature of the prior at each strength */
    struct blocks information;        /* A: minus the second derivatives, priors included */
    double *reduced;                  /* players x players: the Cholesky factor after elimination */
    double *player_gradient, *map_gradient;
    double *inverse;                   /* players x players block of A^-1 */
    double *cross;                     /* maps x players block of A^-1 */
    double *own;                       /* maps: diagonal of A^-1 */
    struct blocks b;                   /* B */
    double *scratch[2];                /* players x players */
    double *player_variance[VERSIONS]; /* players x players: of strengths relative to their mean */
    double *side_variance[VERSIONS];   /* maps */
};

/* The prior of a player: this many drawn games against a player of strength 0. However strong a player
 * is, the prior pulls with less than half of that in points; a player that won all of 6 games gets a finite
 * rating. */
#define PLAYER_VIRTUAL_GAMES 0.5

/* The prior of a map's side is normal. Its mean and variance are learnt from all maps, to which this many
 * virtual maps with a mean of 0 and a standard deviation of SIDE_SPREAD are added. */
#define SIDE_VIRTUAL_MAPS 2
#define SIDE_SPREAD       (200 / ELO_PER_LOGIT)

/* logistic(x + s) with an s that varies by v around 0 is on average about
 * logistic(x / sqrt(1 + pi v / 8)) (Spiegelhalter and Lauritzen 1990). */
#define PI_EIGHTH 0.39269908169872414

/* The variance of four decided games between equals, as a start for the dispersion. */
#define DISPERSION_VIRTUAL 1.0

enum { ROUNDS_MAX = 60 };
#define STEP_SMALL 1e-9

/* The expected score at a difference of x in log odds. */
static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

/* All numbers are zero. Arrays of one size are one group. */
static void allocate(struct model *m) {
    const size_t n = m->players, maps = m->maps;
    double **const players[] = {&m->strength, &m->player_prior, &m->player_gradient};
    double **const sides[] = {&m->side,
                              &m->moderation,
                              &m->map_gradient,
                              &m->information.mm,
                              &m->own,
                              &m->b.mm,
                              &m->side_variance[EXPECTED],
                              &m->side_variance[OBSERVED]};
    double **const mixed[] = {&m->information.mp, &m->cross, &m->b.mp};
    double **const squares[] = {&m->information.pp,
                                &m->reduced,
                                &m->inverse,
                                &m->b.pp,
                                &m->scratch[0],
                                &m->scratch[1],
                                &m->player_variance[EXPECTED],
                                &m->player_variance[OBSERVED]};
    const struct {
        double **const *arrays;
        size_t count, size;
    } groups[] = {{players, 3, n}, {sides, 8, maps}, {mixed, 3, maps * n}, {squares, 8, n * n}};
    double *next = mem_alloc((3 * n + 8 * maps + 3 * maps * n + 8 * n * n) * sizeof *next);
    m->numbers = next;
    for (int g = 0; g < 4; g++)
        for (size_t i = 0; i < groups[g].count; i++, next += groups[g].size)
            *groups[g].arrays[i] = next;
}

/* ---- ratings: derivatives ---- */

static double expected_payoff(const struct model *m, const struct rating_game *g) {
    return logistic(m->moderation[g->map] *
                    (m->strength[g->players[0]] - m->strength[g->players[1]] + m->side[g->map]));
}

/* Gradient and second derivatives of the log-likelihood and the priors, at the current parameters. */
static void differentiate(struct model *m) {
    const size_t n = m->players;
    double *pp = m->information.pp;
    memset(pp, 0, sizeof *pp * n * n);
    memset(m->information.mp, 0, sizeof *pp * n * m->maps);
    for (size_t i = 0; i < n; i++) {
        const double p = logistic(m->strength[i]);
        m->player_prior[i] = PLAYER_VIRTUAL_GAMES * p * (1 - p);
        m->player_gradient[i] = PLAYER_VIRTUAL_GAMES * (0.5 - p);
        pp[i * n + i] = m->player_prior[i];
    }
    for (int i = 0; i < m->maps; i++) {
        m->map_gradient[i] = m->side_precision * (m->side_mean - m->side[i]);
        m->information.mm[i] = m->side_precision;
    }
    for (int i = 0; i < m->count; i++) {
        const struct rating_game *g = &m->games[i];
        const size_t a = g->players[0], b = g->players[1];
        const double slope = m->moderation[g->map], p = expected_payoff(m, g);
        const double w = slope * slope * p * (1 - p), residual = slope * (g->payoff - p);
        double *mp = m->information.mp + g->map * n;
        m->player_gradient[a] += residual;
        m->player_gradient[b] -= residual;
        m->map_gradient[g->map] += residual;
        pp[a * n + a] += w;
        pp[b * n + b] += w;
        pp[a * n + b] -= w;
        pp[b * n + a] -= w;
        mp[a] += w;
        mp[b] -= w;
        m->information.mm[g->map] += w;
    }
}

/* ---- ratings: steps ---- */

/* Turns the gradients into Newton's step, in place. */
static void solve_step(struct model *m) {
    const int n = m->players;
    memcpy(m->reduced, m->information.pp, sizeof *m->reduced * (size_t)n * n);
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        add_outer(m->reduced, n, -1 / d, mp, mp);
        for (int j = 0; j < n; j++)
            m->player_gradient[j] -= mp[j] * m->map_gradient[i] / d;
    }
    factor(m->reduced, n);
    solve(m->reduced, n, m->player_gradient);
    for (int i = 0; i < m->maps; i++)
        m->map_gradient[i] =
            (m->map_gradient[i] - dot(m->information.mp + (size_t)i * n, m->player_gradient, n)) /
            m->information.mm[i];
}

/* How much games vary in units of p (1 - p): a draw's variance is less by a quarter of its probability. */
static double dispersion(const struct model *m) {
    double full = DISPERSION_VIRTUAL, drawn = 0;
    for (int i = 0; i < m->count; i++) {
        const double p = expected_payoff(m, &m->games[i]), y = m->games[i].payoff;
        full += p * (1 - p);
        drawn += y * (1 - y);
    }
    return fmax(full - drawn, DISPERSION_VIRTUAL) / full;
}

/* Estimates the mean and spread of sides from all maps (MacKay 1992: each counts by the share of its estimate
 * that comes from its games and not from the prior). Returns how much changed. */
static double learn_sides(struct model *m) {
    double share_sum = 0, raw_sum = 0, square_sum = 0;
    for (int i = 0; i < m->maps; i++) {
        const double share = 1 - m->side_precision / m->information.mm[i], off = m->side[i] - m->side_mean;
        share_sum += share;
        raw_sum += share * m->side_mean + off; /* share times the estimate without the prior */
        square_sum += off * off;
    }
    const double mean = raw_sum / (share_sum + SIDE_VIRTUAL_MAPS);
    const double variance =
        (square_sum + SIDE_VIRTUAL_MAPS * SIDE_SPREAD * SIDE_SPREAD) / (share_sum + SIDE_VIRTUAL_MAPS);
    m->dispersion = dispersion(m);
    const double precision = m->dispersion / variance; /* in the likelihood's units */
    const double change = fabs(mean - m->side_mean) + fabs(precision - m->side_precision);
    m->side_mean = mean;
    m->side_precision = precision;
    for (int i = 0; i < m->maps; i++)
        m->moderation[i] = 1 / sqrt(1 + PI_EIGHTH * m->dispersion / m->information.mm[i]);
    return change;
}

/* Newton's steps. Full steps may overshoot far from the maximum. The third derivative of a logistic
 * likelihood is at most its second times the change d of the log odds, and then a step shortened to
 * ln(1 + d) / d always climbs (Sun and Tran-Dinh 2019). */
static void fit_model(struct model *m) {
    assert(m->players > 0);
    double change = 1;
    for (int round = 0; round < ROUNDS_MAX && change > STEP_SMALL; round++) {
        double player_step = 0, map_step = 0;
        differentiate(m);
        solve_step(m);
        for (int i = 0; i < m->players; i++)
            player_step = fmax(player_step, fabs(m->player_gradient[i]));
        for (int i = 0; i < m->maps; i++)
            map_step = fmax(map_step, fabs(m->map_gradient[i]));
        change = 2 * player_step + map_step;
        const double part = change > 1e-6 ? ln_of(1 + change) / change : 1;
        for (int i = 0; i < m->players; i++)
            m->strength[i] += part * m->player_gradient[i];
        for (int i = 0; i < m->maps; i++)
            m->side[i] += part * m->map_gradient[i];
        if (change < 0.1)
            change += learn_sides(m);
    }
    differentiate(m); /* at the maximum */
    solve_step(m);
}

/* ---- ratings: B, expected and observed ---- */

#define LEVERAGE_MAX 0.9

static void fill_expected(struct model *m) {
    const size_t n = m->players, maps = m->maps;
    const double share = m->dispersion;
    for (size_t i = 0; i < n * n; i++)
        m->b.pp[i] = share * m->information.pp[i];
    for (size_t i = 0; i < n; i++)
        m->b.pp[i * n + i] += (1 - share) * m->player_prior[i];
    for (size_t i = 0; i < n * maps; i++)
        m->b.mp[i] = share * m->information.mp[i];
    for (size_t i = 0; i < maps; i++)
        m->b.mm[i] = share * m->information.mm[i];
}

/* How much a game pulls its own expectation. */
static double leverage(const struct model *m, const struct rating_game *g, double p) {
    const size_t n = m->players, a = g->players[0], b = g->players[1];
    const double *cross = m->cross + g->map * n;
    const double variance = m->inverse[a * n + a] + m->inverse[b * n + b] - 2 * m->inverse[a * n + b] +
                            2 * (cross[a] - cross[b]) + m->own[g->map];
    const double slope = m->moderation[g->map];
    return fmin(slope * slope * p * (1 - p) * variance, LEVERAGE_MAX);
}

/* By pair, and within a pair in the order of the list. */
static int compare_games(const void *left, const void *right) {
    const struct rating_game *a = *(const struct rating_game *const *)left,
                             *b = *(const struct rating_game *const *)right;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Adds one cluster's squared gradient; all of its games are on one map. Of many players a cluster touches
 * few, which are listed. */
static void add_cluster(struct model *m, const struct rating_game *const *games, int game_count) {
    const size_t n = m->players, map = games[0]->map;
    double sum[RATING_PLAYERS_MAX], side = 0; /* the gradient by player, and of the map */
    bool is_touched[RATING_PLAYERS_MAX];
    int touched[RATING_PLAYERS_MAX], count = 0;
    memset(sum, 0, n * sizeof *sum);
    memset(is_touched, 0, n * sizeof *is_touched);
    for (int i = 0; i < game_count; i++) {
        const struct rating_game *g = games[i];
        assert((size_t)g->map == map);
        const double p = expected_payoff(m, g);
        const double residual = m->moderation[g->map] * (g->payoff - p) / (1 - leverage(m, g, p));
        for (int k = 0; k < 2; k++) {
            const int player = g->players[k];
            if (!is_touched[player])
                touched[count++] = player;
            is_touched[player] = true;
            sum[player] += k == 0 ? residual : -residual;
        }
        side += residual;
    }
    for (int i = 0; i < count; i++) {
        const double amount = sum[touched[i]];
        for (int j = 0; j < count; j++)
            m->b.pp[touched[i] * n + touched[j]] += amount * sum[touched[j]];
        m->b.mp[map * n + touched[i]] += amount * side;
    }
    m->b.mm[map] += side * side;
}

/* One sort brings the games of a pair together; games without a partner (pair -1) are clusters of one. */
static void fill_observed(struct model *m) {
    const size_t n = m->players;
    const struct rating_game **order = mem_alloc(sizeof *order * m->count);
    memset(m->b.pp, 0, sizeof(double) * n * n);
    memset(m->b.mp, 0, sizeof(double) * n * m->maps);
    for (size_t i = 0; i < n; i++)
        m->b.pp[i * n + i] = m->player_prior[i];
    for (int i = 0; i < m->maps; i++)
        m->b.mm[i] = m->dispersion * m->side_precision;
    for (int i = 0; i < m->count; i++)
        order[i] = &m->games[i];
    qsort(order, m->count, sizeof *order, compare_games);
    for (int begin = 0, end; begin < m->count; begin = end) {
        end = begin + 1;
        while (end < m->count && order[begin]->pair >= 0 && order[end]->pair == order[begin]->pair)
            end++;
        add_cluster(m, order + begin, end - begin);
    }
    mem_free(order);
}

/* ---- ratings: A^-1 B A^-1 ---- */

/* out = the row of map i in B, less `share` of what the map's own variance adds to it through A_mp / D. */
static void map_row(const struct model *m, int i, double share, double *out) {
    const size_t n = m->players;
    const double *mp = m->information.mp + i * n, factor = -m->b.mm[i] * share / m->information.mm[i];
    for (size_t j = 0; j < n; j++)
        out[j] = m->b.mp[i * n + j] + factor * mp[j];
}

/* The gradient with the maps eliminated has the covariance R^T B R, where R = (I, -D^-1 A_mp). */
static void reduce(const struct model *m, double *out) {
    const int n = m->players;
    double row[RATING_PLAYERS_MAX];
    memcpy(out, m->b.pp, sizeof(double) * (size_t)n * n);
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        map_row(m, i, 0.5, row); /* half of the square's term with each of the two */
        add_outer(out, n, -1 / d, mp, row);
        add_outer(out, n, -1 / d, row, mp);
    }
}

/* A side is (its gradient - A_mp strengths) / D. */
static void side_variances(const struct model *m, const double *players, double *out) {
    const int n = m->players;
    double row[RATING_PLAYERS_MAX];
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        map_row(m, i, 1, row);
        out[i] = (m->b.mm[i] - 2 * form(mp, m->inverse, row, n) + form(mp, players, mp, n)) / (d * d);
    }
}

static void compute_errors(struct model *m) {
    const int n = m->players;
    inverse(m->reduced, n, m->inverse); /* A^-1 by blocks, from the factor of the reduced matrix */
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        double *cross = m->cross + (size_t)i * n;
        for (int j = 0; j < n; j++)
            cross[j] = -dot(m->inverse + (size_t)j * n, mp, n) / d;
        m->own[i] = (1 - dot(mp, cross, n)) / d;
    }
    for (int i = 0; i < VERSIONS; i++) {
        if (i == EXPECTED)
            fill_expected(m);
        else
            fill_observed(m);
        reduce(m, m->scratch[0]);
        multiply(m->inverse, m->scratch[0], n, m->scratch[1]);
        multiply(m->scratch[1], m->inverse, n, m->player_variance[i]);
        side_variances(m, m->player_variance[i], m->side_variance[i]);
        centre(m->player_variance[i], n);
    }
}

/* Errors are this factor wider than the formulas give. The formulas treat estimates as known: the
 * spread of sides, the share of draws, and the normal distribution itself. */
#define MARGIN 1.05

/* Union-find with path halving. */
static int root_of(int *parents, int i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

/* ---- ratings: results ---- */

/* Of the two versions of an error the larger one counts. */
static double error_of(double expected, double observed) {
    return ELO_PER_LOGIT * STATS_Z95 * MARGIN * sqrt(fmax(fmax(expected, observed), 0));
}

static void fill_ratings(const struct model *m, struct rating_fit *fit) {
    const size_t n = m->players;
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += m->strength[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        fit->ratings[i].elo = ELO_PER_LOGIT * (m->strength[i] - mean);
        fit->ratings[i].error =
            error_of(m->player_variance[EXPECTED][i * n + i], m->player_variance[OBSERVED][i * n + i]);
    }
    for (int i = 0; fit->sides != NULL && i < m->maps; i++) {
        fit->sides[i].elo = ELO_PER_LOGIT * m->side[i];
        fit->sides[i].error = error_of(m->side_variance[EXPECTED][i], m->side_variance[OBSERVED][i]);
    }
    for (size_t i = 0; fit->superiority != NULL && i < n * n; i++) {
        const size_t a = i / n, b = i % n;
        double v = 0; /* the larger one of the difference's variances */
        for (int k = 0; k < VERSIONS; k++) {
            const double *covariance = m->player_variance[k];
            v = fmax(v, covariance[a * n + a] + covariance[b * n + b] - 2 * covariance[i]);
        }
        fit->superiority[i] =
            a == b ? 0.5 : stats_superiority(m->strength[a] - m->strength[b], MARGIN * sqrt(v));
    }
}

void rating_compute(const struct rating_game *games, int count, struct rating_fit *fit) {
    const int players = fit->player_count, maps = fit->map_count;
    assert(players <= RATING_PLAYERS_MAX);
    assert(maps <= RATING_MAPS_MAX);
    int parents[RATING_PLAYERS_MAX], groups = players;
    for (int i = 0; i < players; i++)
        parents[i] = i;
    for (int i = 0; i < count; i++) { /* a game joins the groups of its players */
        assert(games[i].players[0] >= 0 && games[i].players[0] < players);
        assert(games[i].players[1] >= 0 && games[i].players[1] < players);
        assert(games[i].map >= 0 && games[i].map < maps);
        const int a = root_of(parents, games[i].players[0]), b = root_of(parents, games[i].players[1]);
        groups -= a != b;
        parents[a] = b;
    }
    fit->connected = groups <= 1;
    if (players == 0)
        return;
    struct model m = {.games = games, .count = count, .players = players, .maps = maps, .dispersion = 1};
    m.side_precision = 1 / (SIDE_SPREAD * SIDE_SPREAD);
    allocate(&m);
    for (int i = 0; i < maps; i++)
        m.moderation[i] = 1;
    fit_model(&m);
    compute_errors(&m);
    fill_ratings(&m, fit);
    mem_free(m.numbers);
}
