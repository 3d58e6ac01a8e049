/* SPDX-License-Identifier: MIT
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
#include "match/rating.h"

#include "base/ln.h"
#include "base/mem.h"
#include "match/statistics.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- square matrices ----
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

/* ---- the model ---- */

/* A symmetric matrix over players and maps whose block of maps is diagonal. */
struct blocks {
    double *pp; /* players x players */
    double *mp; /* maps x players */
    double *mm; /* maps */
};

struct model {
    const struct rating_game *games;
    int count, players, maps;
    double *strength, *side;          /* the parameters */
    double *moderation;               /* by map: the log odds are multiplied by it; at most 1 */
    double dispersion;                /* how much games vary, in units of p (1 - p); 1 without draws */
    double side_mean, side_precision; /* the prior of every side */
    double *player_prior;             /* curvature of the prior at each strength */
    struct blocks information;        /* minus the second derivatives, priors included */
    double *reduced;                  /* players x players: the Cholesky factor after elimination */
    double *player_gradient, *map_gradient;
};

/* Variances in squared log odds, each in two versions: expected by the model, and observed in the games. */
struct errors {
    double *players[2]; /* players x players: covariances of strengths relative to their mean */
    double *sides[2];   /* maps */
};

enum { EXPECTED, OBSERVED, VERSIONS };

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

static double *numbers(size_t count) {
    return mem_alloc(sizeof(double) * count);
}

/* All zero. */
static struct blocks make_blocks(int players, int maps) {
    return (struct blocks){
        .pp = numbers((size_t)players * players),
        .mp = numbers((size_t)maps * players),
        .mm = numbers(maps),
    };
}

/* ---- derivatives ---- */

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

/* ---- steps ---- */

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

/* ---- errors ---- */

#define LEVERAGE_MAX 0.9

/* A game's place among those of its pair. */
struct place {
    int pair, game;
};

struct work {
    const struct model *model;
    double *inverse;     /* players x players block of A^-1 */
    double *cross;       /* maps x players block of A^-1 */
    double *own;         /* maps: diagonal of A^-1 */
    struct blocks b;     /* B */
    struct place *order; /* games, those of a cluster together */
    double *sum;         /* a cluster's gradient by player */
    int *touched;        /* the players in it */
    bool *is_touched;
    double *scratch[2]; /* players x players */
};

/* ---- B: expected ---- */

static void fill_expected(struct work *w) {
    const struct model *m = w->model;
    const size_t n = m->players, maps = m->maps;
    const double share = m->dispersion;
    for (size_t i = 0; i < n * n; i++)
        w->b.pp[i] = share * m->information.pp[i];
    for (size_t i = 0; i < n; i++)
        w->b.pp[i * n + i] += (1 - share) * m->player_prior[i];
    for (size_t i = 0; i < n * maps; i++)
        w->b.mp[i] = share * m->information.mp[i];
    for (size_t i = 0; i < maps; i++)
        w->b.mm[i] = share * m->information.mm[i];
}

/* ---- B: observed ---- */

/* How much a game pulls its own expectation. */
static double leverage(const struct work *w, const struct rating_game *g, double p) {
    const size_t n = w->model->players, a = g->players[0], b = g->players[1];
    const double *cross = w->cross + g->map * n;
    const double variance = w->inverse[a * n + a] + w->inverse[b * n + b] - 2 * w->inverse[a * n + b] +
                            2 * (cross[a] - cross[b]) + w->own[g->map];
    const double slope = w->model->moderation[g->map];
    return fmin(slope * slope * p * (1 - p) * variance, LEVERAGE_MAX);
}

/* Adds to a player's part of the cluster's gradient, and notes the player: clusters touch few of many
 * players. */
static void touch(struct work *w, int player, double amount, int *count) {
    if (!w->is_touched[player])
        w->touched[(*count)++] = player;
    w->is_touched[player] = true;
    w->sum[player] += amount;
}

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;
    if (a->pair != b->pair)
        return a->pair < b->pair ? -1 : 1;
    return a->game < b->game ? -1 : a->game > b->game;
}

/* Adds one cluster's squared gradient; all of its games are on one map. */
static void add_cluster(struct work *w, int begin, int end) {
    const struct model *m = w->model;
    const size_t n = m->players, map = m->games[w->order[begin].game].map;
    int count = 0;
    double side = 0;
    for (int i = begin; i < end; i++) {
        const struct rating_game *g = &m->games[w->order[i].game];
        assert((size_t)g->map == map);
        const double p = expected_payoff(m, g);
        const double residual = m->moderation[g->map] * (g->payoff - p) / (1 - leverage(w, g, p));
        touch(w, g->players[0], residual, &count);
        touch(w, g->players[1], -residual, &count);
        side += residual;
    }
    for (int i = 0; i < count; i++) {
        const double amount = w->sum[w->touched[i]];
        for (int j = 0; j < count; j++)
            w->b.pp[w->touched[i] * n + w->touched[j]] += amount * w->sum[w->touched[j]];
        w->b.mp[map * n + w->touched[i]] += amount * side;
    }
    w->b.mm[map] += side * side;
    for (int i = 0; i < count; i++) {
        w->sum[w->touched[i]] = 0;
        w->is_touched[w->touched[i]] = false;
    }
}

/* One sort brings the games of a pair together; games without a partner (pair -1) are clusters of one. */
static void fill_observed(struct work *w) {
    const struct model *m = w->model;
    const size_t n = m->players;
    memset(w->b.pp, 0, sizeof(double) * n * n);
    memset(w->b.mp, 0, sizeof(double) * n * m->maps);
    for (size_t i = 0; i < n; i++)
        w->b.pp[i * n + i] = m->player_prior[i];
    for (int i = 0; i < m->maps; i++)
        w->b.mm[i] = m->dispersion * m->side_precision;
    for (int i = 0; i < m->count; i++)
        w->order[i] = (struct place){m->games[i].pair, i};
    qsort(w->order, m->count, sizeof *w->order, compare_places);
    for (int begin = 0, end; begin < m->count; begin = end) {
        const int pair = w->order[begin].pair;
        end = begin + 1;
        while (end < m->count && pair >= 0 && w->order[end].pair == pair)
            end++;
        add_cluster(w, begin, end);
    }
}

/* ---- A^-1 B A^-1 ---- */

static void add_to(double *a, const double *b, size_t count, double factor) {
    for (size_t i = 0; i < count; i++)
        a[i] += factor * b[i];
}

/* The gradient with the maps eliminated has the covariance R^T B R, where R = (I, -D^-1 A_mp). */
static void reduce(struct work *w, double *out) {
    const struct model *m = w->model;
    const int n = m->players;
    memcpy(out, w->b.pp, sizeof(double) * (size_t)n * n);
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        double *b = w->sum;
        memcpy(b, w->b.mp + (size_t)i * n, sizeof(double) * n);
        add_to(b, mp, n, -w->b.mm[i] / (2 * d)); /* half of the square's term with each of the two */
        add_outer(out, n, -1 / d, mp, b);
        add_outer(out, n, -1 / d, b, mp);
    }
    memset(w->sum, 0, sizeof(double) * n);
}

/* A side is (its gradient - A_mp strengths) / D. */
static void side_variances(struct work *w, const double *players, double *out) {
    const struct model *m = w->model;
    const int n = m->players;
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        double *b = w->sum;
        memcpy(b, w->b.mp + (size_t)i * n, sizeof(double) * n);
        add_to(b, mp, n, -w->b.mm[i] / d);
        out[i] = (w->b.mm[i] - 2 * form(mp, w->inverse, b, n) + form(mp, players, mp, n)) / (d * d);
    }
    memset(w->sum, 0, sizeof(double) * n);
}

static void compute_errors(const struct model *m, struct errors *out) {
    const int n = m->players;
    const size_t square = (size_t)n * n, maps = m->maps;
    struct work w = {
        .model = m,
        .inverse = numbers(square),
        .cross = numbers(maps * n),
        .own = numbers(maps),
        .b = make_blocks(n, m->maps),
        .order = mem_alloc(sizeof(struct place) * m->count),
        .sum = numbers(n),
        .touched = mem_alloc(sizeof(int) * n),
        .is_touched = mem_alloc(sizeof(bool) * n),
        .scratch = {numbers(square), numbers(square)},
    };
    inverse(m->reduced, n, w.inverse); /* A^-1 by blocks, from the factor of the reduced matrix */
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        double *cross = w.cross + (size_t)i * n;
        for (int j = 0; j < n; j++)
            cross[j] = -dot(w.inverse + (size_t)j * n, mp, n) / d;
        w.own[i] = (1 - dot(mp, cross, n)) / d;
    }
    for (int i = 0; i < VERSIONS; i++) {
        out->players[i] = numbers(square);
        out->sides[i] = numbers(maps);
        if (i == EXPECTED)
            fill_expected(&w);
        else
            fill_observed(&w);
        reduce(&w, w.scratch[0]);
        multiply(w.inverse, w.scratch[0], n, w.scratch[1]);
        multiply(w.scratch[1], w.inverse, n, out->players[i]);
        side_variances(&w, out->players[i], out->sides[i]);
        centre(out->players[i], n);
    }
    void *const owned[] = {w.inverse, w.cross, w.own,     w.b.pp,       w.b.mp,       w.b.mm,
                           w.order,   w.sum,   w.touched, w.is_touched, w.scratch[0], w.scratch[1]};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        mem_free(owned[i]);
}

/* Errors are this factor wider than the formulas give. The formulas treat estimates as known: the
 * spread of sides, the share of draws, and the normal distribution itself. */
#define MARGIN 1.05

/* ---- counts of games ---- */

/* Numbers that need no model: games and points of each player, games of each map. */
static void count_games(const struct rating_game *games, int count, struct rating_fit *fit) {
    for (int i = 0; i < fit->player_count; i++)
        fit->ratings[i] = (struct rating){.score = 0};
    for (int i = 0; fit->sides != NULL && i < fit->map_count; i++)
        fit->sides[i] = (struct rating_side){.games = 0};
    for (int i = 0; i < count; i++) {
        const struct rating_game *g = &games[i];
        for (int side = 0; side < 2; side++) {
            assert(g->players[side] >= 0);
            assert(g->players[side] < fit->player_count);
            struct rating *r = &fit->ratings[g->players[side]];
            r->games++;
            r->score += side == 0 ? g->payoff : 1 - g->payoff;
        }
        assert(g->map >= 0);
        assert(g->map < fit->map_count);
        if (fit->sides != NULL)
            fit->sides[g->map].games++;
    }
    for (int i = 0; i < fit->player_count; i++) {
        struct rating *r = &fit->ratings[i];
        r->score = r->games > 0 ? r->score / r->games : 0.5;
    }
}

/* Union-find with path halving. */
static int root_of(int *parents, int i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

/* ---- results ---- */

/* Of the two versions of an error the larger one counts. */
static void fill_ratings(const struct model *m, const struct errors *errors, struct rating_fit *fit) {
    const size_t n = m->players;
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += m->strength[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double v = fmax(errors->players[EXPECTED][i * n + i], errors->players[OBSERVED][i * n + i]);
        fit->ratings[i].elo = ELO_PER_LOGIT * (m->strength[i] - mean);
        fit->ratings[i].error = ELO_PER_LOGIT * STATS_Z95 * MARGIN * sqrt(fmax(v, 0));
    }
    for (int i = 0; fit->sides != NULL && i < m->maps; i++) {
        const double v = fmax(errors->sides[EXPECTED][i], errors->sides[OBSERVED][i]);
        fit->sides[i].elo = ELO_PER_LOGIT * m->side[i];
        fit->sides[i].error = ELO_PER_LOGIT * STATS_Z95 * MARGIN * sqrt(fmax(v, 0));
    }
    for (size_t i = 0; fit->superiority != NULL && i < n * n; i++) {
        const size_t a = i / n, b = i % n;
        double v = 0; /* the larger one of the difference's variances */
        for (int k = 0; k < VERSIONS; k++) {
            const double *covariance = errors->players[k];
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
    for (int i = 0; i < count && groups > 1; i++) { /* games join their players' groups until one is left */
        const int a = root_of(parents, games[i].players[0]), b = root_of(parents, games[i].players[1]);
        groups -= a != b;
        parents[a] = b;
    }
    fit->connected = groups <= 1;
    if (players == 0)
        return;
    count_games(games, count, fit);
    struct model m = {
        .games = games,
        .count = count,
        .players = players,
        .maps = maps,
        .strength = numbers(players),
        .side = numbers(maps),
        .moderation = numbers(maps),
        .dispersion = 1,
        .side_precision = 1 / (SIDE_SPREAD * SIDE_SPREAD),
        .player_prior = numbers(players),
        .information = make_blocks(players, maps),
        .reduced = numbers((size_t)players * players),
        .player_gradient = numbers(players),
        .map_gradient = numbers(maps),
    };
    struct errors errors;
    for (int i = 0; i < maps; i++)
        m.moderation[i] = 1;
    fit_model(&m);
    compute_errors(&m, &errors);
    fill_ratings(&m, &errors, fit);
    void *const owned[] = {m.strength,        m.side,           m.moderation,      m.player_prior,
                           m.information.pp,  m.information.mp, m.information.mm,  m.reduced,
                           m.player_gradient, m.map_gradient,   errors.players[0], errors.players[1],
                           errors.sides[0],   errors.sides[1]};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        mem_free(owned[i]);
}
