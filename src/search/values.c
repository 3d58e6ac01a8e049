/* SPDX-License-Identifier: MIT
 *
 * Estimating the weights of an evaluation by least squares over simulations.
 *
 * A simulation is played to the turn at which the search will evaluate, where the parts of the evaluation are
 * noted, and then on to its end. There the evaluation with the game's own weights (in the tactical game the
 * lead in HP) says what the position was worth. Random simulations reach different positions, and the
 * regression finds how much each part of them counts: HP of a unit that no enemy can hurt, or that has
 * nothing left to attack, count once; HP of a unit that decides the fight count as often as they bring other
 * HP.
 *
 * The weights known beforehand are the centre of a ridge penalty: few simulations, or simulations that do not
 * differ in a part, leave its weight where it was.
 */
#include "search/values.h"

#include <assert.h>
#include <math.h>

/* Sums over simulations. */
struct sums {
    int count, parts;
    double x[GAME_WEIGHTS_MAX], y; /* of the differences from the first simulation, which keeps sums small */
    double xx[GAME_WEIGHTS_MAX][GAME_WEIGHTS_MAX], xy[GAME_WEIGHTS_MAX];
    double first_x[GAME_WEIGHTS_MAX], first_y;
};

static int count_parts(const struct game *game) {
    int count = 0;
    while (game->weights != NULL && game->weights[count].name != NULL)
        count++;
    return count;
}

/* Each part alone: the evaluation with that weight 1 and all others 0. */
static void find_parts(const struct eval *eval, const void *state, int side, int parts, double *out) {
    double one[GAME_WEIGHTS_MAX] = {0};
    for (int i = 0; i < parts; i++) {
        one[i] = 1;
        out[i] = eval->value(state, side, one);
        one[i] = 0;
    }
}

static void add(struct sums *s, const double *x, double y) {
    if (s->count++ == 0) {
        for (int i = 0; i < s->parts; i++)
            s->first_x[i] = x[i];
        s->first_y = y;
    }
    double dx[GAME_WEIGHTS_MAX];
    for (int i = 0; i < s->parts; i++)
        dx[i] = x[i] - s->first_x[i];
    for (int i = 0; i < s->parts; i++) {
        for (int k = 0; k < s->parts; k++)
            s->xx[i][k] += dx[i] * dx[k];
        s->xy[i] += dx[i] * (y - s->first_y);
        s->x[i] += dx[i];
    }
    s->y += y - s->first_y;
}

/* One simulation of the root. */
static void simulate(const struct search_task *task, const struct values_settings *settings,
                     const double *own, struct rng *r, struct sums *sums) {
    const struct game *game = task->game;
    const int side = game->mover(task->root);
    union search_state state;
    double parts[GAME_WEIGHTS_MAX];
    search_copy(game, &state, task->root);
    settings->rollout->run(&state, r, settings->turns);
    find_parts(settings->eval, &state, side, sums->parts, parts);
    if (game->mover(&state) != NOBODY)
        settings->rollout->run(&state, r, VALUES_HORIZON);
    add(sums, parts, settings->eval->value(&state, side, own));
}

/* Solves a x = b in place of b; `a` is symmetric and positive definite, and its lower half becomes Cholesky's
 * factor. */
static void solve(double a[GAME_WEIGHTS_MAX][GAME_WEIGHTS_MAX], double *b, int n) {
    for (int i = 0; i < n; i++)
        for (int k = 0; k <= i; k++) {
            double sum = a[i][k];
            for (int j = 0; j < k; j++)
                sum -= a[i][j] * a[k][j];
            a[i][k] = i == k ? sqrt(sum) : sum / a[k][k];
        }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            b[i] -= a[i][j] * b[j];
        b[i] /= a[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= a[j][i] * b[j];
        b[i] /= a[i][i];
    }
}

/* The change of the weights that explains best what the weights before leave unexplained. */
static void regress(const struct sums *s, const double *before, double *change) {
    double a[GAME_WEIGHTS_MAX][GAME_WEIGHTS_MAX];
    for (int i = 0; i < s->parts; i++) {
        change[i] = s->xy[i] - s->x[i] * s->y / s->count;
        for (int k = 0; k < s->parts; k++) {
            const double covariance = s->xx[i][k] - s->x[i] * s->x[k] / s->count;
            change[i] -= covariance * before[k];
            a[i][k] = covariance + (i == k ? VALUES_FAITH : 0);
        }
    }
    solve(a, change, s->parts);
}

void values_estimate(const struct search_task *task, const struct values_settings *settings,
                     double *weights) {
    const struct game *game = task->game;
    struct sums sums = {.parts = count_parts(game)};
    double own[GAME_WEIGHTS_MAX], change[GAME_WEIGHTS_MAX] = {0};
    struct budget budget = task->budget;
    struct rng r;
    assert(sums.parts > 0);
    assert(settings->turns >= 1);
    assert(game->mover(task->root) != NOBODY);
    budget.time_ns_max /= 4;
    weights_default(game, own);
    rng_seed(&r, rng_next(task->rng));
    const int64_t start_ns = budget.clock != NULL ? clock_now_ns(budget.clock) : 0;
    do
        simulate(task, settings, own, &r, &sums);
    while (sums.count < VALUES_SIMS && !budget_is_cut(&budget, start_ns));
    regress(&sums, settings->before, change);
    for (int i = 0; i < GAME_WEIGHTS_MAX; i++) {
        const double least = VALUES_LEAST * settings->before[i];
        weights[i] = settings->before[i] + change[i];
        if (settings->before[i] >= 0 && weights[i] < least)
            weights[i] = least;
    }
}
