/* SPDX-License-Identifier: MIT
 *
 * Random games, sums over them, and figures with intervals from the sums. All figures but one are ratios of
 * sums over games. Their intervals are Wilson's, with the number of observations that would have the same
 * standard error; so they stay within 0 and 1, and have a width where all games agree.
 */
#include "audit/measure.h"

#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum {
    JOB_GAMES = 50,
    BLOCKS = 64,      /* of the jackknife; job i belongs to block i % BLOCKS */
    PAYOFFS_MAX = 65, /* different payoffs of leaves that are counted one by one */
    FAMILY_MAX = 64,  /* larger families count as one of this size where chance is computed */
};

/* Payoffs are compared by this number of parts of 1: means over outcomes are not exact. */
#define PARTS 1e9

/* ---- sums ---- */

/* Over games, of x, y and their products: for the ratio of the sums. */
struct ratio {
    int n; /* games with y > 0 */
    double x, y, xx, xy, yy;
};

struct sums {
    int games;
    double decisions, actions;
    struct ratio correlation[MEASURE_READINGS], bias[MEASURE_READINGS], disambiguation, payoff, family;
    bool has_grades;
    int payoff_count; /* PAYOFFS_MAX + 1: there are more */
    struct {
        int64_t parts;
        double leaves;
    } payoffs[PAYOFFS_MAX];          /* of the leaves of families */
    double families[FAMILY_MAX + 1]; /* by size */
};

static void ratio_add(struct ratio *r, double x, double y) {
    if (!(y > 0))
        return;
    r->n++;
    r->x += x;
    r->y += y;
    r->xx += x * x;
    r->xy += x * y;
    r->yy += y * y;
}

static void ratio_merge(struct ratio *to, const struct ratio *from) {
    to->n += from->n;
    to->x += from->x;
    to->y += from->y;
    to->xx += from->xx;
    to->xy += from->xy;
    to->yy += from->yy;
}

static void count_payoff(struct sums *sums, int64_t parts, double leaves) {
    int i = 0;
    if (sums->payoff_count > PAYOFFS_MAX)
        return;
    while (i < sums->payoff_count && sums->payoffs[i].parts != parts)
        i++;
    if (i == sums->payoff_count && ++sums->payoff_count > PAYOFFS_MAX)
        return;
    sums->payoffs[i].parts = parts;
    sums->payoffs[i].leaves += leaves;
}

static void sums_merge(struct sums *to, const struct sums *from) {
    to->games += from->games;
    to->decisions += from->decisions;
    to->actions += from->actions;
    to->has_grades = to->has_grades || from->has_grades;
    for (int i = 0; i < MEASURE_READINGS; i++) {
        ratio_merge(&to->correlation[i], &from->correlation[i]);
        ratio_merge(&to->bias[i], &from->bias[i]);
    }
    ratio_merge(&to->disambiguation, &from->disambiguation);
    ratio_merge(&to->payoff, &from->payoff);
    ratio_merge(&to->family, &from->family);
    if (from->payoff_count > PAYOFFS_MAX)
        to->payoff_count = PAYOFFS_MAX + 1;
    for (int i = 0; i < from->payoff_count && i < PAYOFFS_MAX; i++)
        count_payoff(to, from->payoffs[i].parts, from->payoffs[i].leaves);
    for (int size = 0; size <= FAMILY_MAX; size++)
        to->families[size] += from->families[size];
}

/* ---- one random game ---- */

struct step {
    double learned; /* halvings of the mover's information set since its last move */
    double failed;  /* 1 when the set still has more than one state; the step counts unless both are 0 */
};

/* A worker's memory. */
struct worker {
    const struct measure_task *task;
    action *list;
    struct step *steps;
    int steps_max;
};

union state {
    _Alignas(16) unsigned char bytes[GAME_STATE_MAX];
};

/* The number of states that the side cannot tell apart. */
static double set_size(const struct game *game, const void *state, int side) {
    union state view;
    if (game->hide == NULL)
        return 1;
    game_view(game, state, side, &view);
    return game->worlds(&view);
}

/* The mean payoff of the first side when the action ends the game with every outcome; false when one of them
 * does not. */
static bool ending_payoff(const struct game *game, const void *state, action a, double *out) {
    const int outcomes = game_outcomes(game, state, a);
    double sum = 0;
    for (int i = 0; i < outcomes; i++) {
        union state after;
        memcpy(&after, state, game->state_size);
        game_play_outcome(game, &after, a, i);
        if (game->mover(&after) != NOBODY)
            return false;
        sum += game->payoff(&after, 0);
    }
    *out = sum / outcomes;
    return true;
}

/* The winner of a payoff as a payoff of its own: 1, a half, 0. */
static int64_t winner_of(int64_t parts) {
    return parts * 2 > (int64_t)PARTS   ? (int64_t)PARTS
           : parts * 2 < (int64_t)PARTS ? 0
                                        : (int64_t)(PARTS / 2);
}

/* The family of the position before the last decision; there are `count` actions in the worker's list. */
static void add_family(const struct worker *w, const void *state, int count, struct sums *sums) {
    const struct game *game = w->task->scenario->game;
    int size = 0;
    int64_t first = 0;
    bool same[MEASURE_READINGS] = {true, true};
    int64_t leaves[PAYOFFS_MAX];
    for (int i = 0; i < count; i++) {
        double payoff;
        if (!ending_payoff(game, state, w->list[i], &payoff))
            continue;
        const int64_t parts = (int64_t)(payoff * PARTS + 0.5);
        first = size == 0 ? parts : first;
        same[MEASURE_PAYOFF] = same[MEASURE_PAYOFF] && parts == first;
        same[MEASURE_WINNER] = same[MEASURE_WINNER] && winner_of(parts) == winner_of(first);
        if (size < PAYOFFS_MAX)
            leaves[size] = parts;
        size++;
    }
    ratio_add(&sums->family, size > 1, 1);
    if (size < 2)
        return;
    const double values[MEASURE_READINGS] = {(double)first / PARTS, (double)winner_of(first) / PARTS};
    for (int i = 0; i < MEASURE_READINGS; i++) {
        ratio_add(&sums->correlation[i], same[i], 1);
        ratio_add(&sums->bias[i], same[i] ? values[i] : 0, same[i]);
    }
    const int counted = size < PAYOFFS_MAX ? size : PAYOFFS_MAX; /* each family weighs the same */
    for (int i = 0; i < counted; i++)
        count_payoff(sums, leaves[i], 1.0 / counted);
    sums->families[size < FAMILY_MAX ? size : FAMILY_MAX]++;
}

static void set_step(struct worker *w, int number, struct step step) {
    w->steps = mem_grow(w->steps, &w->steps_max, number + 1, sizeof *w->steps);
    w->steps[number] = step;
}

/* `before` 0: the set was not known, so nothing can be compared. */
static struct step compare_sets(double before, double now) {
    if (!(before > 1) || now > before)
        return (struct step){0};
    return (struct step){ln_of(before / now) / ln_of(2), now > 1};
}

static void random_game(struct worker *w, uint64_t seed, struct sums *sums) {
    const struct game *game = w->task->scenario->game;
    union state state, last;
    struct rng r;
    int decisions = 0, count = 0, side;
    double before[2] = {0};
    rng_seed(&r, seed);
    game->start(&state, w->task->scenario, &r);
    if ((side = game->mover(&state)) != NOBODY)
        before[1 - side] = set_size(game, &state, 1 - side);
    for (; (side = game->mover(&state)) != NOBODY; decisions++) {
        const double now = set_size(game, &state, side);
        set_step(w, decisions, compare_sets(before[side], now));
        before[side] = now;
        memcpy(&last, &state, game->state_size);
        count = game->actions(&state, w->list);
        sums->actions += count;
        game->play(&state, w->list[rng_below(&r, (uint32_t)count)], &r);
    }
    sums->games++;
    sums->decisions += decisions;
    const double payoff = game->payoff(&state, 0);
    sums->has_grades =
        sums->has_grades || winner_of((int64_t)(payoff * PARTS + 0.5)) != (int64_t)(payoff * PARTS + 0.5);
    ratio_add(&sums->payoff, payoff, 1);
    if (decisions > 0)
        add_family(w, &last, count, sums);
    double learned = 0, attempts = 0;
    const int from = w->task->last > 0 && w->task->last < decisions ? decisions - w->task->last : 0;
    for (int i = from; i < decisions; i++) {
        learned += w->steps[i].learned;
        attempts += w->steps[i].learned + w->steps[i].failed;
    }
    ratio_add(&sums->disambiguation, learned, attempts);
}

/* ---- figures ---- */

/* Linearised: the standard error of x / y is that of the mean of x - ratio * y, over the mean of y. */
static struct measure_figure figure_of(const struct ratio *r) {
    struct measure_figure f = {.games = r->n};
    if (r->n == 0)
        return f;
    f.value = r->x / r->y;
    const double squares = r->xx - 2 * f.value * r->xy + f.value * f.value * r->yy,
                 variance = r->n > 1 ? squares / (r->y * r->y) * r->n / (r->n - 1) : 0;
    double n = r->n; /* where all games agree, Wilson's interval for so many of them */
    if (variance > 1e-12 * f.value * (1 - f.value))
        n = f.value * (1 - f.value) / variance;
    f.t95 = stats_wilson(f.value, n < 1 ? 1 : n > INT_MAX ? INT_MAX : (int)n, STATS_Z95);
    return f;
}

/* The share of families that would be equal if each leaf had the payoff of a random leaf. */
static double chance_of(const struct sums *sums) {
    double all = 0, families = 0, chance = 0;
    for (int i = 0; i < sums->payoff_count; i++)
        all += sums->payoffs[i].leaves;
    for (int size = 2; size <= FAMILY_MAX; size++) {
        double equal = 0;
        for (int i = 0; i < sums->payoff_count; i++) {
            double p = 1;
            for (int k = 0; k < size; k++)
                p *= sums->payoffs[i].leaves / all;
            equal += p;
        }
        chance += sums->families[size] * equal;
        families += sums->families[size];
    }
    return chance / families;
}

/* False without families, and where all leaves are equal: then chance explains everything. */
static bool beyond_chance(const struct sums *sums, double *out, double *chance) {
    const struct ratio *r = &sums->correlation[MEASURE_PAYOFF];
    if (r->n == 0 || sums->payoff_count > PAYOFFS_MAX || sums->payoff_count < 2)
        return false;
    *chance = chance_of(sums);
    *out = (r->x / r->y - *chance) / (1 - *chance);
    return true;
}

/* The jackknife over blocks of games, since the share and its expectation come from the same leaves. */
static struct measure_figure judge_chance(const struct sums *total, const struct sums *blocks) {
    struct measure_figure f = {0};
    double values[BLOCKS], mean = 0, squares = 0, chance, own_chance;
    int count = 0;
    if (!beyond_chance(total, &f.value, &chance))
        return (struct measure_figure){0};
    f.games = total->correlation[MEASURE_PAYOFF].n;
    for (int left_out = 0; left_out < BLOCKS; left_out++) {
        struct sums rest = {0};
        for (int i = 0; i < BLOCKS; i++)
            if (i != left_out)
                sums_merge(&rest, &blocks[i]);
        if (blocks[left_out].games > 0 && beyond_chance(&rest, &values[count], &own_chance))
            mean += values[count++];
    }
    mean /= count > 0 ? count : 1;
    for (int i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    const double half =
        count > 1 ? stats_student(count - 1) * sqrt(squares * (count - 1) / count) : (double)INFINITY;
    f.t95 = (struct interval){fmax(f.value - half, -chance / (1 - chance)), fmin(f.value + half, 1)};
    if (!(half > 0)) { /* all families agree: the interval of their share on this scale */
        const struct interval share = figure_of(&total->correlation[MEASURE_PAYOFF]).t95;
        f.t95 = (struct interval){(share.low - chance) / (1 - chance), (share.high - chance) / (1 - chance)};
    }
    return f;
}

/* ---- all games ---- */

struct shared {
    const struct measure_task *task;
    struct sums blocks[BLOCKS];
    int jobs;
};

static void *begin_worker(void *shared, struct err *e) {
    const struct measure_task *task = ((struct shared *)shared)->task;
    struct worker *w = mem_alloc(sizeof *w);
    (void)e;
    *w = (struct worker){.task = task,
                         .list = mem_alloc((size_t)task->scenario->game->actions_max * sizeof(action))};
    return w;
}

static void end_worker(void *worker) {
    struct worker *w = worker;
    mem_free(w->list);
    mem_free(w->steps);
    mem_free(w);
}

static void run_job(void *shared, void *worker, int job, void *result) {
    const struct measure_task *task = ((const struct shared *)shared)->task;
    const int first = job * JOB_GAMES,
              end = task->games - first < JOB_GAMES ? task->games : first + JOB_GAMES;
    for (int i = first; i < end; i++)
        random_game(worker, rng_job_seed(task->seed, (uint64_t)i), result);
}

/* In the order of the jobs, so that sums of doubles do not depend on the number of workers. */
static void take_job(void *shared, int job, void *result) {
    struct shared *s = shared;
    sums_merge(&s->blocks[job % BLOCKS], result);
    if (s->task->on_progress != NULL)
        s->task->on_progress(s->task->context, (double)(job + 1) / s->jobs);
}

static void report(const struct shared *s, struct measure_report *out) {
    struct sums *total = mem_alloc(sizeof *total);
    *total = (struct sums){0};
    for (int i = 0; i < BLOCKS; i++)
        sums_merge(total, &s->blocks[i]);
    for (int i = 0; i < MEASURE_READINGS; i++) {
        out->correlation[i] = figure_of(&total->correlation[i]);
        out->bias[i] = figure_of(&total->bias[i]);
    }
    out->disambiguation = figure_of(&total->disambiguation);
    out->payoff = figure_of(&total->payoff);
    out->family = figure_of(&total->family);
    out->beyond_chance = judge_chance(total, s->blocks);
    out->games = total->games;
    out->has_grades = total->has_grades;
    out->decisions = total->games > 0 ? total->decisions / total->games : 0;
    out->actions = total->decisions > 0 ? total->actions / total->decisions : 0;
    mem_free(total);
}

bool measure_game(const struct measure_task *task, struct measure_report *out, struct err *e) {
    assert(task->games > 0 && task->games <= MEASURE_GAMES_MAX);
    assert(task->last >= 0 && task->last <= MEASURE_LAST_MAX);
    struct shared *s = mem_alloc(sizeof *s);
    *s = (struct shared){.task = task, .jobs = (task->games - 1) / JOB_GAMES + 1};
    const struct pool_work work = {.jobs = s->jobs,
                                   .workers = task->workers,
                                   .shared = s,
                                   .result_size = sizeof(struct sums),
                                   .begin = begin_worker,
                                   .end = end_worker,
                                   .run = run_job,
                                   .take = take_job,
                                   .stop = task->stop};
    const int done = pool_run(&work, e);
    *out = (struct measure_report){.hides = task->scenario->game->hide != NULL, .stopped = done < s->jobs};
    if (done >= 0)
        report(s, out);
    mem_free(s);
    return done >= 0;
}
