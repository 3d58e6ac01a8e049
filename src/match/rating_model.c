/* SPDX-License-Identifier: MIT
 *
 * Newton's method on a log-likelihood with priors. The expected payoff of side 0 is
 *     p = 1 / (1 + exp(-(strength_a - strength_b + side_map))),
 * and a game with payoff y contributes y ln p + (1 - y) ln(1 - p), draws being y = 1/2. Only the expectation
 * has to be right for the estimates to be (a quasi-likelihood); how games vary is left to the errors.
 *
 * A map on which only a pair or two were played does not tell what its side is worth. Were the estimate taken
 * for the truth, differences between players would come out too small or too large, however many such maps
 * there are (Neyman and Scott 1948). So the log odds are shrunk a little by what is not known of the side.
 */
#include "match/rating_model.h"

#include "base/ln.h"
#include "base/mem.h"
#include "match/elo.h"
#include "match/matrix.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

/* The prior of a player: so many drawn games against somebody of strength 0. However strong a player, it
 * pulls with less than half of that in points; a player who won all of 6 games gets a finite rating. */
#define PLAYER_VIRTUAL_GAMES 0.5

/* The prior of a map's side is normal. Its mean and variance are learnt from all maps, to which so many
 * virtual maps with a mean of 0 and a standard deviation of SIDE_SPREAD are added. */
#define SIDE_VIRTUAL_MAPS 2
#define SIDE_SPREAD       (200 / ELO_PER_LOGIT)

/* logistic(x + s) with an s that is only known to vary by v around 0 is on average about
 * logistic(x / sqrt(1 + pi v / 8)) (Spiegelhalter and Lauritzen 1990). */
#define PI_EIGHTH 0.39269908169872414

/* The variance of four decided games between equals, as a start for the dispersion. */
#define DISPERSION_VIRTUAL 1.0

enum { ROUNDS_MAX = 60 };
#define STEP_SMALL 1e-9

static double logistic(double x) {
    return 1 / (1 + exp(-x));
}

/* ---- memory ---- */

static double *numbers(size_t count) {
    return mem_alloc(sizeof(double) * (count > 0 ? count : 1));
}

bool rating_blocks_init(struct rating_blocks *b, int players, int maps) {
    *b = (struct rating_blocks){
        .pp = numbers((size_t)players * players),
        .mp = numbers((size_t)maps * players),
        .mm = numbers(maps),
    };
    if (b->pp != NULL && b->mp != NULL && b->mm != NULL)
        return true;
    rating_blocks_done(b);
    return false;
}

void rating_blocks_done(struct rating_blocks *b) {
    mem_free(b->pp);
    mem_free(b->mp);
    mem_free(b->mm);
    *b = (struct rating_blocks){0};
}

bool rating_model_init(struct rating_model *m, const struct rating_game *games, int count,
                       const struct rating_fit *sizes, struct err *e) {
    const int players = sizes->player_count, maps = sizes->map_count;
    *m = (struct rating_model){
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
        .reduced = numbers((size_t)players * players),
        .player_gradient = numbers(players),
        .map_gradient = numbers(maps),
    };
    const bool blocks = rating_blocks_init(&m->information, players, maps);
    if (blocks && m->strength != NULL && m->side != NULL && m->player_prior != NULL && m->reduced != NULL &&
        m->player_gradient != NULL && m->map_gradient != NULL && m->moderation != NULL) {
        for (int i = 0; i < maps; i++)
            m->moderation[i] = 1;
        return true;
    }
    rating_model_done(m);
    return err_set(e, "not enough memory for the ratings of %d players on %d maps", players, maps);
}

void rating_model_done(struct rating_model *m) {
    rating_blocks_done(&m->information);
    mem_free(m->strength);
    mem_free(m->side);
    mem_free(m->moderation);
    mem_free(m->player_prior);
    mem_free(m->reduced);
    mem_free(m->player_gradient);
    mem_free(m->map_gradient);
}

/* ---- derivatives ---- */

double rating_model_expected(const struct rating_model *m, const struct rating_game *g) {
    return logistic(m->moderation[g->map] *
                    (m->strength[g->players[0]] - m->strength[g->players[1]] + m->side[g->map]));
}

static void add_priors(struct rating_model *m) {
    const size_t n = m->players;
    for (size_t i = 0; i < n; i++) {
        const double p = logistic(m->strength[i]);
        m->player_prior[i] = PLAYER_VIRTUAL_GAMES * p * (1 - p);
        m->player_gradient[i] = PLAYER_VIRTUAL_GAMES * (0.5 - p);
        m->information.pp[i * n + i] = m->player_prior[i];
    }
    for (int i = 0; i < m->maps; i++) {
        m->map_gradient[i] = m->side_precision * (m->side_mean - m->side[i]);
        m->information.mm[i] = m->side_precision;
    }
}

static void differentiate(struct rating_model *m) {
    const size_t n = m->players;
    double *pp = m->information.pp;
    memset(pp, 0, sizeof *pp * n * n);
    memset(m->information.mp, 0, sizeof *pp * n * m->maps);
    add_priors(m);
    for (int i = 0; i < m->count; i++) {
        const struct rating_game *g = &m->games[i];
        const size_t a = g->players[0], b = g->players[1];
        const double slope = m->moderation[g->map], p = rating_model_expected(m, g);
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
static void solve_step(struct rating_model *m) {
    const int n = m->players;
    memcpy(m->reduced, m->information.pp, sizeof *m->reduced * (size_t)n * n);
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        matrix_add_outer(m->reduced, n, -1 / d, mp, mp);
        for (int j = 0; j < n; j++)
            m->player_gradient[j] -= mp[j] * m->map_gradient[i] / d;
    }
    matrix_factor(m->reduced, n);
    matrix_solve(m->reduced, n, m->player_gradient);
    for (int i = 0; i < m->maps; i++)
        m->map_gradient[i] =
            (m->map_gradient[i] - matrix_dot(m->information.mp + (size_t)i * n, m->player_gradient, n)) /
            m->information.mm[i];
}

static double largest(const double *x, int n) {
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

/* Full steps may overshoot far from the maximum. The third derivative of a logistic likelihood is at most its
 * second times the change d of the log odds, and then a step shortened to ln(1 + d) / d always climbs (Sun
 * and Tran-Dinh 2019). Returns how far it went. */
static double take_step(struct rating_model *m) {
    const double d = 2 * largest(m->player_gradient, m->players) + largest(m->map_gradient, m->maps);
    const double part = d > 1e-6 ? ln_of(1 + d) / d : 1;
    for (int i = 0; i < m->players; i++)
        m->strength[i] += part * m->player_gradient[i];
    for (int i = 0; i < m->maps; i++)
        m->side[i] += part * m->map_gradient[i];
    return d;
}

/* How much games vary in units of p (1 - p): a draw's variance is less by a quarter of its probability. */
static double dispersion(const struct rating_model *m) {
    double full = DISPERSION_VIRTUAL, drawn = 0;
    for (int i = 0; i < m->count; i++) {
        const double p = rating_model_expected(m, &m->games[i]), y = m->games[i].payoff;
        full += p * (1 - p);
        drawn += y * (1 - y);
    }
    return fmax(full - drawn, DISPERSION_VIRTUAL) / full;
}

/* What all maps say about a side's mean and spread (MacKay 1992: each counts by the share of its estimate
 * that comes from its games and not from the prior). Returns how much changed. */
static double learn_sides(struct rating_model *m) {
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

void rating_model_fit(struct rating_model *m) {
    assert(m->players > 0);
    double change = 1;
    for (int round = 0; round < ROUNDS_MAX && change > STEP_SMALL; round++) {
        differentiate(m);
        solve_step(m);
        change = take_step(m);
        if (change < 0.1)
            change += learn_sides(m);
    }
    differentiate(m); /* the information where we arrived */
    solve_step(m);
}
