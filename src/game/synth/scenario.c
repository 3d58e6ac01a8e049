/* SPDX-License-Identifier: MIT
 *
 * From parameters to the tables that leaves are drawn by.
 */
#include "base/mem.h"
#include "game/plain.h"
#include "game/synth/core.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Trees are numbered in 62 bits: there is room for arithmetic on paths. */
#define PATHS_MAX (UINT64_C(1) << 62)

/* With uncorr=different draws are repeated while they are alike; more of them than this would be. */
#define ALIKE_MAX 0.99

const struct param synth_options[] = {
    {"worlds", PARAM_INT, offsetof(struct synth_params, worlds), 1, SYNTH_WORLDS_MAX, 8,
     .help = "types of each player, a power of two"},
    {"depth", PARAM_INT, offsetof(struct synth_params, depth), 1, SYNTH_DEPTH_MAX, 6,
     .help = "moves of a game, of both players together"},
    {"branching", PARAM_INT, offsetof(struct synth_params, branching), 2, SYNTH_BRANCHING_MAX, 2,
     .help = "actions at each move"},
    {"payoffs", PARAM_CHOICE, offsetof(struct synth_params, payoffs), .choices = "normal|signs",
     .help = "normal: 0 to r, normally distributed; signs: 1 or 0, Long's +1 and -1"},
    {"r", PARAM_INT, offsetof(struct synth_params, top), 1, SYNTH_TOP_MAX, 4, .help = "the highest payoff"},
    {"lc", PARAM_REAL, offsetof(struct synth_params, correlation), 0, 1, 0.3,
     .help = "leaf correlation: how often all leaves of one parent are made equal"},
    {"bias", PARAM_REAL, offsetof(struct synth_params, bias), 0, 1, 0.75, .help = "towards the first player"},
    {"mu", PARAM_REAL, offsetof(struct synth_params, mean), -1, 1, -1,
     .help = "mean of payoffs=normal; negative: the bias"},
    {"sd", PARAM_REAL, offsetof(struct synth_params, deviation), -1, 10, -1,
     .help = "standard deviation of payoffs=normal; negative: 1/r"},
    {"uncorr", PARAM_CHOICE, offsetof(struct synth_params, uncorrelated),
     .choices = "independent|mirror|extreme|different",
     .help = "what leaves get that are not made equal: draws of their own; x and r-x; r and 0 (the default "
             "with signs); draws until they differ"},
    {"df", PARAM_REAL, offsetof(struct synth_params, disambiguation), 0, 1, 0.5,
     .help = "disambiguation factor: how readily the possible types are halved at a move"},
    {"tree", PARAM_INT, offsetof(struct synth_params, tree), 0, 2147483647, 0,
     .help = "the tree's seed; 0: every game has a tree of its own"},
    {0},
};

/* ---- do the parameters fit together? ---- */

static bool is_given(const struct spec *spec, const char *name) {
    for (int i = 0; spec != NULL && i < spec->count; i++)
        if (strcmp(spec->pairs[i].key, name) == 0)
            return true;
    return false;
}

/* Long's payoffs are 1 and 0, and siblings that are not equal are opposites unless one says otherwise. */
static bool settle_signs(const struct spec *spec, struct synth_params *p, struct err *e) {
    if (p->payoffs != SYNTH_SIGNS)
        return true;
    if (is_given(spec, "r") && p->top != 1)
        return err_set(e, "synth: r=%d and payoffs=signs contradict each other; with signs r is 1", p->top);
    if ((is_given(spec, "mu") && p->mean >= 0) || (is_given(spec, "sd") && p->deviation >= 0))
        return err_set(e, "synth: mu and sd belong to payoffs=normal; with signs the bias decides alone");
    p->top = 1;
    if (!is_given(spec, "uncorr"))
        p->uncorrelated = SYNTH_EXTREME;
    return true;
}

static bool check_shape(const struct synth_params *p, struct err *e) {
    if ((p->worlds & (p->worlds - 1)) != 0)
        return err_set(e, "synth: worlds=%d is no power of two; cells could not be halved", p->worlds);
    uint64_t paths = 1;
    for (int i = 0; i < p->depth && paths < PATHS_MAX; i++) /* the next one may not fit into 64 bits */
        paths =
            paths <= (PATHS_MAX - 1) / (uint64_t)p->branching ? paths * (uint64_t)p->branching : PATHS_MAX;
    if (paths >= PATHS_MAX)
        return err_set(e,
                       "synth: branching=%d and depth=%d make too large a tree; expected fewer than 2^62 "
                       "leaves",
                       p->branching, p->depth);
    return true;
}

/* ---- tables ---- */

static int log2_of(int n) {
    int log = 0;
    while (n > 1) {
        n >>= 1;
        log++;
    }
    return log;
}

static uint64_t probability(double p) {
    return (uint64_t)floor(p * (double)SYNTH_CERTAIN + 0.5);
}

/* The probability that a payoff is at most r, below the top one: that a normal draw stays below
 * (2 (r + 1) - 1) / (2 top), equation (4). Cutting it to 0 … 1 first makes no difference there. */
static double at_most(const struct synth_params *p, int r) {
    if (p->payoffs == SYNTH_SIGNS)
        return 1 - p->bias;
    const double mean = p->mean < 0 ? p->bias : p->mean;
    const double deviation = p->deviation < 0 ? 1.0 / p->top : p->deviation;
    if (!(deviation > 0))
        return synth_round(mean, p->top) <= r ? 1 : 0;
    const double edge = (double)(2 * (r + 1) - 1) / (2 * p->top);
    return 0.5 * erfc((mean - edge) / deviation * 0x1.6a09e667f3bcdp-1); /* 1 / sqrt 2 */
}

static void fill_draws(struct synth_scenario *sc) {
    const struct synth_params *p = &sc->params;
    sc->correlated = probability(p->correlation);
    sc->splits = probability(p->disambiguation);
    for (int r = 0; r < p->top; r++)
        sc->below[r] = probability(at_most(p, r));
    sc->below[p->top] = SYNTH_CERTAIN;
    for (uint64_t i = 0; i < SYNTH_GUIDES; i++)
        while (i << 24 >= sc->below[sc->guide[i]])
            sc->guide[i]++;
}

static void fill_payoffs(struct synth_scenario *sc) {
    const int top = sc->params.top;
    for (int r = 0; r <= top; r++) {
        sc->payoffs[0][r] = (double)r / top;
        sc->payoffs[1][r] = 1 - sc->payoffs[0][r];
        snprintf(sc->results[r], sizeof sc->results[r], "%d of %d", r, top);
    }
}

/* How often all siblings that are drawn by themselves are alike. */
static double share_alike(const struct synth_scenario *sc) {
    double share = 0;
    for (int r = 0; r <= sc->params.top; r++) {
        const uint64_t before = r == 0 ? 0 : sc->below[r - 1];
        share += pow((double)(sc->below[r] - before) / (double)SYNTH_CERTAIN, sc->params.branching);
    }
    return share;
}

static bool check_different(const struct synth_scenario *sc, struct err *e) {
    if (sc->params.uncorrelated != SYNTH_DIFFERENT || share_alike(sc) <= ALIKE_MAX)
        return true;
    return err_set(e, "synth: uncorr=different cannot be had: with these payoffs siblings are nearly always "
                      "alike; expected a mean nearer to 0.5 or a larger sd");
}

struct scenario *synth_load(const struct game_source *source, struct err *e) {
    struct synth_params params;
    memset(&params, 0, sizeof params);
    if (!plain_options(&synth_game, source, &params, e) || !settle_signs(source->options, &params, e) ||
        !check_shape(&params, e))
        return NULL;
    struct synth_scenario *sc = mem_alloc(sizeof *sc);
    if (sc == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    sc->base.game = &synth_game;
    sc->params = params;
    sc->span = log2_of(params.worlds);
    sc->shift = (params.branching & (params.branching - 1)) == 0 ? log2_of(params.branching) : 0;
    fill_draws(sc);
    fill_payoffs(sc);
    if (check_different(sc, e))
        return &sc->base;
    mem_free(sc);
    return NULL;
}

const struct synth_params *synth_params_of(const struct scenario *scenario) {
    return &synth_scenario_of(scenario)->params;
}
