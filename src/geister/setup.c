/* SPDX-License-Identifier: MIT
 *
 * Set-up strategies of players, the matrix of games between all set-ups, and its equilibrium.
 *
 * The game between set-ups is symmetric and small (70 by 70): regret matching solves it quickly, and the
 * games that fill the matrix are nearly all of the work.
 */
#include "geister/setup.h"

#include "pool/pool.h"

#include <string.h>

/* ---- strategies of players ---- */

/* Found with the weights of pg in data/ by `senjutsu train geister-setups --games 200 --constants`. */
const float setup_strong_weights[GEISTER_SETUPS] = {
    [0] = 0.0315F,  /* ABCD */
    [1] = 0.0137F,  /* ABCE */
    [4] = 0.1771F,  /* ABCH */
    [14] = 0.0264F, /* ABGH */
    [24] = 0.1285F, /* ACGH */
    [35] = 0.1771F, /* BCDE */
    [38] = 0.0137F, /* BCDH */
    [39] = 0.1385F, /* BCEF */
    [44] = 0.1385F, /* BCGH */
    [45] = 0.1285F, /* BDEF */
    [55] = 0.0264F, /* CDEF */
};

/* Letters are checked last, so that the sentence names all three forms. */
bool setup_read(const char *text, struct setup_strategy *out, struct err *e) {
    *out = (struct setup_strategy){SETUP_FIXED, 0};
    if (strcmp(text, "random") == 0 || strcmp(text, "strong") == 0)
        out->kind = text[0] == 'r' ? SETUP_RANDOM : SETUP_STRONG;
    return out->kind != SETUP_FIXED || geister_read_reds(text, &out->reds, NULL) ||
           err_set(e, "setup=%.64s: expected random, strong, or four different letters of A to H (BCFG)",
                   text);
}

action setup_choose(const struct setup_strategy *strategy, struct rng *r) {
    if (strategy->kind == SETUP_FIXED)
        return geister_setup(strategy->reds);
    if (strategy->kind == SETUP_RANDOM)
        return geister_setup(geister_setup_reds((int)rng_below(r, GEISTER_SETUPS)));
    double rest = rng_unit(r);
    int number = 0;
    for (int i = 0; i < GEISTER_SETUPS && rest >= 0; i++)
        if (setup_strong_weights[i] > 0) {
            number = i;
            rest -= (double)setup_strong_weights[i];
        }
    return geister_setup(geister_setup_reds(number));
}

/* ---- the matrix and its equilibrium ---- */

enum { ROUNDS = 20000 };

/* The mirror image of a set-up: A and D, B and C, E and H, F and G. */
static int setup_mirror(int number) {
    const unsigned reds = geister_setup_reds(number);
    unsigned mirrored = 0;
    for (int piece = 0; piece < GEISTER_PIECES; piece++)
        if (reds >> piece & 1)
            mirrored |= 1U << (piece ^ 3); /* A … D and E … H in reverse order */
    return geister_setup_number(mirrored);
}

/* ---- games ---- */

struct play {
    const struct setup_task *task;
    struct setup_matrix *out;
};

static void play_row(void *shared, void *worker, int job, void *result) {
    const struct play *play = shared;
    const struct setup_task *task = play->task;
    double *row = result; /* its mean results, moving first */
    (void)worker;
    for (int other = 0; other < GEISTER_SETUPS; other++) {
        const struct policy_weights *const weights[2] = {task->policy, task->policy};
        const unsigned reds[2] = {geister_setup_reds(job), geister_setup_reds(other)};
        struct rng r;
        int sum = 0;
        rng_seed_stream(&r, task->seed, (uint64_t)(job * GEISTER_SETUPS + other));
        for (int i = 0; i < task->games && !budget_is_stopped(task->stop); i++) {
            struct duel duel;
            duel_start(&duel, weights, reds);
            const int end = duel_game(&duel, DUEL_SAMPLE, task->plies, &r);
            sum += end == 0 ? 1 : end == 1 ? -1 : 0;
        }
        row[other] = (double)sum / task->games;
    }
}

static void take_row(void *shared, int job, void *result) {
    const struct play *play = shared;
    memcpy(play->out->first[job], result, sizeof play->out->first[job]);
    if (play->task->progress != NULL)
        play->task->progress(play->task->context, job + 1);
}

bool setup_matrix_play(const struct setup_task *task, struct setup_matrix *out, struct err *e) {
    struct play play = {task, out};
    const struct pool_work work = {.jobs = GEISTER_SETUPS,
                                   .workers = task->threads,
                                   .shared = &play,
                                   .result_size = sizeof out->first[0],
                                   .run = play_row,
                                   .take = take_row,
                                   .stop = task->stop};
    const int done = pool_run(&work, e);
    if (done < 0)
        return false;
    if (done < GEISTER_SETUPS || budget_is_stopped(task->stop)) /* the last rows may be incomplete */
        return err_set(e, "interrupted; nothing was found");
    /* A pair and its mirror image are two samples of one value. */
    double folded[GEISTER_SETUPS][GEISTER_SETUPS];
    for (int i = 0; i < GEISTER_SETUPS; i++)
        for (int j = 0; j < GEISTER_SETUPS; j++)
            folded[i][j] = (out->first[i][j] + out->first[setup_mirror(i)][setup_mirror(j)]) / 2;
    memcpy(out->first, folded, sizeof folded);
    for (int i = 0; i < GEISTER_SETUPS; i++)
        for (int j = 0; j < GEISTER_SETUPS; j++)
            out->worth[i][j] = (out->first[i][j] - out->first[j][i]) / 2;
    return true;
}

/* ---- equilibrium ---- */

/* What each set-up wins against a weighted set. */
static void play_against(const struct setup_matrix *m, const double *weights, double *out) {
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        out[i] = 0;
        for (int j = 0; j < GEISTER_SETUPS; j++)
            out[i] += m->worth[i][j] * weights[j];
    }
}

/* Scales the weights to a sum of 1; all equal when they are 0. */
static void scale(double *weights) {
    double sum = 0;
    for (int i = 0; i < GEISTER_SETUPS; i++)
        sum += weights[i];
    for (int i = 0; i < GEISTER_SETUPS; i++)
        weights[i] = sum > 0 ? weights[i] / sum : 1.0 / GEISTER_SETUPS;
}

/* The average over all rounds, later ones weighted more, converges to the equilibrium. */
void setup_matrix_solve(const struct setup_matrix *m, double least, struct setup_solution *out) {
    double regrets[GEISTER_SETUPS] = {0}, now[GEISTER_SETUPS], wins[GEISTER_SETUPS];
    *out = (struct setup_solution){0};
    for (int round = 1; round <= ROUNDS; round++) {
        /* Regret matching+ (Tammelin). The game is symmetric: playing against itself wins nothing. */
        memcpy(now, regrets, sizeof now);
        scale(now);
        play_against(m, now, wins);
        for (int i = 0; i < GEISTER_SETUPS; i++) {
            regrets[i] = regrets[i] + wins[i] > 0 ? regrets[i] + wins[i] : 0;
            out->weights[i] += now[i] * round;
        }
    }
    scale(out->weights);
    for (int i = 0; i < GEISTER_SETUPS; i++)
        out->weights[i] = out->weights[i] < least ? 0 : out->weights[i];
    scale(out->weights);
    play_against(m, out->weights, wins);
    for (int i = 0; i < GEISTER_SETUPS; i++) {
        out->regret = i == 0 || wins[i] > out->regret ? wins[i] : out->regret;
        out->gain -= wins[i] / GEISTER_SETUPS;
    }
}
