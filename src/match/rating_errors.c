/* SPDX-License-Identifier: MIT
 *
 * The estimates solve an equation, and their covariance is A^-1 B A^-1: A the second derivatives, B the
 * covariance of the gradient (the sandwich; Huber 1967, White 1982). B comes in two versions.
 *
 * Expected: games are independent and vary as their expectation and the share of draws say. Shown: the
 * gradients are summed over each mirrored pair before they are squared (Liang and Zeger 1986), because the
 * two games of a pair need not be independent; each residual is first divided by 1 - its leverage (MacKinnon
 * and White 1985, HC3), because few games are fitted too well. To both the prior adds its own curvature: a
 * parameter without games has the prior's variance.
 *
 * The block of maps in B is diagonal, as in A, because a pair is played on one map.
 */
#include "match/rating_errors.h"

#include "base/mem.h"
#include "match/matrix.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define LEVERAGE_MAX 0.9

/* A game's place among those of its pair. */
struct place {
    int pair, game;
};

/* What is needed while errors are computed. */
struct work {
    const struct rating_model *model;
    double *inverse;        /* players x players block of A^-1 */
    double *cross;          /* maps x players block of A^-1 */
    double *own;            /* maps: diagonal of A^-1 */
    struct rating_blocks b; /* B */
    struct place *order;    /* games, those of a cluster together */
    double *sum;            /* a cluster's gradient by player */
    int *touched;           /* the players in it */
    bool *is_touched;
    double *scratch[2]; /* players x players */
};

static void work_done(struct work *w) {
    rating_blocks_done(&w->b);
    mem_free(w->inverse);
    mem_free(w->cross);
    mem_free(w->own);
    mem_free(w->order);
    mem_free(w->sum);
    mem_free(w->touched);
    mem_free(w->is_touched);
    mem_free(w->scratch[0]);
    mem_free(w->scratch[1]);
}

static bool work_init(struct work *w, const struct rating_model *m) {
    const size_t n = m->players, maps = m->maps > 0 ? m->maps : 1, count = m->count > 0 ? m->count : 1;
    *w = (struct work){
        .model = m,
        .inverse = mem_alloc(sizeof(double) * n * n),
        .cross = mem_alloc(sizeof(double) * maps * n),
        .own = mem_alloc(sizeof(double) * maps),
        .order = mem_alloc(sizeof(struct place) * count),
        .sum = mem_alloc(sizeof(double) * n),
        .touched = mem_alloc(sizeof(int) * n),
        .is_touched = mem_alloc(sizeof(bool) * n),
        .scratch = {mem_alloc(sizeof(double) * n * n), mem_alloc(sizeof(double) * n * n)},
    };
    const bool blocks = rating_blocks_init(&w->b, m->players, m->maps);
    return blocks && w->inverse != NULL && w->cross != NULL && w->own != NULL && w->order != NULL &&
           w->sum != NULL && w->touched != NULL && w->is_touched != NULL && w->scratch[0] != NULL &&
           w->scratch[1] != NULL;
}

/* A^-1 by blocks, from the factor of the reduced matrix. */
static void invert(struct work *w) {
    const struct rating_model *m = w->model;
    const int n = m->players;
    matrix_inverse(m->reduced, n, w->inverse);
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        double *cross = w->cross + (size_t)i * n;
        for (int j = 0; j < n; j++)
            cross[j] = -matrix_dot(w->inverse + (size_t)j * n, mp, n) / d;
        w->own[i] = (1 - matrix_dot(mp, cross, n)) / d;
    }
}

/* ---- B: expected ---- */

static void fill_expected(struct work *w) {
    const struct rating_model *m = w->model;
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

/* ---- B: shown ---- */

/* How much a game pulls its own expectation. */
static double leverage(const struct work *w, const struct rating_game *g, double p) {
    const size_t n = w->model->players, a = g->players[0], b = g->players[1];
    const double *cross = w->cross + g->map * n;
    const double variance = w->inverse[a * n + a] + w->inverse[b * n + b] - 2 * w->inverse[a * n + b] +
                            2 * (cross[a] - cross[b]) + w->own[g->map];
    const double slope = w->model->moderation[g->map];
    return fmin(slope * slope * p * (1 - p) * variance, LEVERAGE_MAX);
}

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

static bool is_same_cluster(const struct place *a, const struct place *b) {
    return a->pair >= 0 && a->pair == b->pair;
}

static void sort_games(struct work *w) {
    for (int i = 0; i < w->model->count; i++)
        w->order[i] = (struct place){w->model->games[i].pair, i};
    qsort(w->order, w->model->count, sizeof *w->order, compare_places);
}

/* Adds one cluster's squared gradient; all of its games are on one map. */
static void add_cluster(struct work *w, int begin, int end) {
    const struct rating_model *m = w->model;
    const size_t n = m->players, map = m->games[w->order[begin].game].map;
    int count = 0;
    double side = 0;
    for (int i = begin; i < end; i++) {
        const struct rating_game *g = &m->games[w->order[i].game];
        assert((size_t)g->map == map);
        const double p = rating_model_expected(m, g);
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

static void fill_shown(struct work *w) {
    const struct rating_model *m = w->model;
    const size_t n = m->players;
    memset(w->b.pp, 0, sizeof(double) * n * n);
    memset(w->b.mp, 0, sizeof(double) * n * m->maps);
    for (size_t i = 0; i < n; i++)
        w->b.pp[i * n + i] = m->player_prior[i];
    for (int i = 0; i < m->maps; i++)
        w->b.mm[i] = m->dispersion * m->side_precision;
    for (int begin = 0, end; begin < m->count; begin = end) {
        end = begin + 1;
        while (end < m->count && is_same_cluster(&w->order[begin], &w->order[end]))
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
    const struct rating_model *m = w->model;
    const int n = m->players;
    memcpy(out, w->b.pp, sizeof(double) * (size_t)n * n);
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        double *b = w->sum;
        memcpy(b, w->b.mp + (size_t)i * n, sizeof(double) * n);
        add_to(b, mp, n, -w->b.mm[i] / (2 * d)); /* half of the square's term with each of the two */
        matrix_add_outer(out, n, -1 / d, mp, b);
        matrix_add_outer(out, n, -1 / d, b, mp);
    }
    memset(w->sum, 0, sizeof(double) * n);
}

/* A side is (its gradient - A_mp strengths) / D. */
static void side_variances(struct work *w, const double *players, double *out) {
    const struct rating_model *m = w->model;
    const int n = m->players;
    for (int i = 0; i < m->maps; i++) {
        const double *mp = m->information.mp + (size_t)i * n, d = m->information.mm[i];
        double *b = w->sum;
        memcpy(b, w->b.mp + (size_t)i * n, sizeof(double) * n);
        add_to(b, mp, n, -w->b.mm[i] / d);
        out[i] =
            (w->b.mm[i] - 2 * matrix_form(mp, w->inverse, b, n) + matrix_form(mp, players, mp, n)) / (d * d);
    }
    memset(w->sum, 0, sizeof(double) * n);
}

static void sandwich(struct work *w, double *players, double *sides) {
    const int n = w->model->players;
    reduce(w, w->scratch[0]);
    matrix_sandwich(w->inverse, w->scratch[0], n, w->scratch[1], players);
    side_variances(w, players, sides);
    matrix_centre(players, n);
}

/* ---- the whole ---- */

bool rating_errors_compute(const struct rating_model *m, struct rating_errors *out, struct err *e) {
    struct work w;
    const size_t n = m->players, maps = m->maps > 0 ? m->maps : 1;
    *out = (struct rating_errors){0};
    bool ok = work_init(&w, m);
    for (int i = 0; i < RATING_VERSIONS; i++) {
        out->players[i] = mem_alloc(sizeof(double) * n * n);
        out->sides[i] = mem_alloc(sizeof(double) * maps);
        ok = ok && out->players[i] != NULL && out->sides[i] != NULL;
    }
    if (ok) {
        sort_games(&w);
        invert(&w);
        fill_expected(&w);
        sandwich(&w, out->players[RATING_EXPECTED], out->sides[RATING_EXPECTED]);
        fill_shown(&w);
        sandwich(&w, out->players[RATING_SHOWN], out->sides[RATING_SHOWN]);
    } else {
        err_set(e, "not enough memory for the errors of %d ratings", m->players);
        rating_errors_done(out);
    }
    work_done(&w);
    return ok;
}

void rating_errors_done(struct rating_errors *errors) {
    for (int i = 0; i < RATING_VERSIONS; i++) {
        mem_free(errors->players[i]);
        mem_free(errors->sides[i]);
    }
    *errors = (struct rating_errors){0};
}
