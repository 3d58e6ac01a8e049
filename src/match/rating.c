/* SPDX-License-Identifier: MIT */
#include "match/rating.h"

#include "match/elo.h"
#include "match/rating_errors.h"
#include "match/stats.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* Errors are this much wider than the formulas say. They take for known what is only estimated: the spread of
 * sides, the share of draws, and the normal distribution itself. */
#define MARGIN 1.05

/* ---- counts ---- */

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

static int root_of(int *parents, int i) {
    while (parents[i] != i)
        i = parents[i] = parents[parents[i]];
    return i;
}

/* Games join their players' groups until one is left. */
static bool is_connected(const struct rating_game *games, int count, int players) {
    int parents[RATING_PLAYERS_MAX], groups = players;
    for (int i = 0; i < players; i++)
        parents[i] = i;
    for (int i = 0; i < count && groups > 1; i++) {
        const int a = root_of(parents, games[i].players[0]), b = root_of(parents, games[i].players[1]);
        groups -= a != b;
        parents[a] = b;
    }
    return groups <= 1;
}

/* ---- results ---- */

static double variance_of(const double *covariance, int players, int i, int j) {
    const size_t n = players;
    const double v = covariance[i * n + i] + covariance[j * n + j] - 2 * covariance[i * n + j];
    return fmax(v, 0);
}

static void fill_ratings(const struct rating_model *m, const struct rating_errors *errors,
                         struct rating_fit *fit) {
    const size_t n = m->players;
    double mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += m->strength[i] / (double)n;
    for (size_t i = 0; i < n; i++) {
        const double v =
            fmax(errors->players[RATING_EXPECTED][i * n + i], errors->players[RATING_SHOWN][i * n + i]);
        fit->ratings[i].elo = ELO_PER_LOGIT * (m->strength[i] - mean);
        fit->ratings[i].error = ELO_PER_LOGIT * STATS_Z95 * MARGIN * sqrt(fmax(v, 0));
    }
    for (int i = 0; fit->sides != NULL && i < m->maps; i++) {
        const double v = fmax(errors->sides[RATING_EXPECTED][i], errors->sides[RATING_SHOWN][i]);
        fit->sides[i].elo = ELO_PER_LOGIT * m->side[i];
        fit->sides[i].error = ELO_PER_LOGIT * STATS_Z95 * MARGIN * sqrt(fmax(v, 0));
    }
}

static void fill_superiority(const struct rating_model *m, const struct rating_errors *errors, double *out) {
    const int n = m->players;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const double v = fmax(variance_of(errors->players[RATING_EXPECTED], n, i, j),
                                  variance_of(errors->players[RATING_SHOWN], n, i, j));
            out[(size_t)i * n + j] =
                i == j ? 0.5 : stats_superiority(m->strength[i] - m->strength[j], MARGIN * sqrt(v));
        }
}

bool rating_compute(const struct rating_game *games, int count, struct rating_fit *fit, struct err *e) {
    assert(fit->player_count <= RATING_PLAYERS_MAX);
    assert(fit->map_count <= RATING_MAPS_MAX);
    fit->connected = is_connected(games, count, fit->player_count);
    if (fit->player_count == 0)
        return true;
    count_games(games, count, fit);
    struct rating_model model;
    struct rating_errors errors;
    if (!rating_model_init(&model, games, count, fit, e))
        return false;
    rating_model_fit(&model);
    const bool ok = rating_errors_compute(&model, &errors, e);
    if (ok) {
        fill_ratings(&model, &errors, fit);
        if (fit->superiority != NULL)
            fill_superiority(&model, &errors, fit->superiority);
        rating_errors_done(&errors);
    }
    rating_model_done(&model);
    return ok;
}
