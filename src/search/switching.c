/* SPDX-License-Identifier: MIT */
#include "search/switching.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>

/* What a rule looks at. */
struct gap {
    const struct switching_arm *best, *second;
    double gap; /* between their means */
    double theta;
    const struct switching_case *from;
};

/* Of one arm's mean, from the variance of its rewards. */
static double standard_error(const struct switching_arm *arm) {
    return sqrt(arm->variance / (double)arm->visits);
}

static bool per_world(const struct gap *g) {
    return g->gap < g->theta / g->from->worlds;
}

static bool plain(const struct gap *g) {
    return g->gap < g->theta;
}

static bool by_worlds(const struct gap *g) {
    return g->gap < g->theta * g->from->worlds / g->from->worlds_at_start;
}

static bool errors(const struct gap *g) {
    return g->gap < g->theta * (standard_error(g->best) + standard_error(g->second));
}

/* Multiplied out. A best mean of 0 leaves no difference, so a relative one of 0. */
static bool relative(const struct gap *g) {
    return g->best->mean > 0 ? g->gap < g->theta * g->best->mean : g->theta > 0;
}

static bool reversed(const struct gap *g) {
    return g->gap > g->theta;
}

static bool always(const struct gap *g) {
    (void)g;
    return true;
}

static bool never(const struct gap *g) {
    (void)g;
    return false;
}

static bool lot(const struct gap *g) {
    return rng_unit(g->from->rng) < g->theta;
}

typedef bool rule_function(const struct gap *g);

static rule_function *const rules[SWITCH_RULES] = {
    [SWITCH_GAP_PER_WORLD] = per_world, [SWITCH_GAP] = plain,         [SWITCH_GAP_BY_WORLDS] = by_worlds,
    [SWITCH_ERRORS] = errors,           [SWITCH_RELATIVE] = relative, [SWITCH_REVERSED] = reversed,
    [SWITCH_ALWAYS] = always,           [SWITCH_NEVER] = never,       [SWITCH_RANDOM] = lot,
};

const double switching_thetas[SWITCH_RULES] = {
    [SWITCH_GAP_PER_WORLD] = 0.25, [SWITCH_GAP] = 0.1,      [SWITCH_GAP_BY_WORLDS] = 0.1, [SWITCH_ERRORS] = 1,
    [SWITCH_RELATIVE] = 0.1,       [SWITCH_REVERSED] = 0.1, [SWITCH_RANDOM] = 0.5,
};

/* The best two of the arms that were played; false when there are no two. */
static bool find_gap(const struct switching_case *c, struct gap *out) {
    out->best = out->second = NULL;
    for (int i = 0; i < c->count; i++) {
        const struct switching_arm *arm = &c->arms[i];
        if (arm->visits == 0)
            continue;
        if (out->best == NULL || arm->mean > out->best->mean) {
            out->second = out->best;
            out->best = arm;
        } else if (out->second == NULL || arm->mean > out->second->mean) {
            out->second = arm;
        }
    }
    if (out->second == NULL)
        return false;
    out->gap = out->best->mean - out->second->mean;
    return true;
}

bool switching_decide(enum switching_rule rule, double theta, const struct switching_case *c) {
    struct gap gap = {.theta = theta, .from = c};
    assert(rule < SWITCH_RULES);
    return find_gap(c, &gap) && rules[rule](&gap);
}
