/* SPDX-License-Identifier: MIT */
#include "exact/strategy.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* ---- plans ---- */

double *plan_alloc(const struct form *form) {
    return mem_try_alloc(((size_t)form->action_count + 1) * sizeof(double));
}

/* Fills the plan of one side's strategy; sequences of the other side stay unchanged. */
static void fill_plan(const struct form *form, const double *strategy, int side, double *plan) {
    plan[0] = 1;
    for (uint32_t s = 0; s < form->set_count; s++) {
        const struct form_set *set = &form->sets[s];
        if (set->side != side)
            continue;
        const double reach = plan[set->before];
        for (int i = 0; i < set->count; i++)
            plan[set->first + (uint32_t)i + 1] = reach * strategy[set->first + (uint32_t)i];
    }
}

void plan_gains(const struct form *form, const double *plan, int side, double *gains) {
    assert(side == 0 || side == 1);
    memset(gains, 0, ((size_t)form->action_count + 1) * sizeof *gains);
    const double unit = (side == 0 ? 1.0 : -1.0) / form->deal_count;
    for (uint32_t i = 0; i < form->leaf_count; i++) {
        const struct form_leaf *leaf = &form->leaves[i];
        gains[leaf->sequences[side]] += unit * leaf->payoff * plan[leaf->sequences[1 - side]];
    }
}

/* Sets come after those their mover passed before: in reverse order, all deeper sets are finished. */
double plan_best(const struct form *form, int side, double *gains, double *best) {
    assert(side == 0 || side == 1);
    for (uint32_t s = form->set_count; s-- > 0;) {
        const struct form_set *set = &form->sets[s];
        if (set->side != side)
            continue;
        const double *options = gains + set->first + 1;
        int chosen = 0;
        for (int i = 1; i < set->count; i++)
            if (options[i] > options[chosen])
                chosen = i;
        gains[set->before] += options[chosen];
        for (int i = 0; best != NULL && i < set->count; i++)
            best[set->first + (uint32_t)i] = i == chosen ? 1 : 0;
    }
    return gains[0];
}

/* ---- best responses ---- */

bool response_find(const struct form *form, const double *strategy, int side, double *best, double *value,
                   struct err *e) {
    assert(best != strategy);
    double *plan = plan_alloc(form), *gains = plan_alloc(form);
    const bool ok = plan != NULL && gains != NULL;
    if (ok) {
        fill_plan(form, strategy, 1 - side, plan);
        plan_gains(form, plan, side, gains);
        /* Payoffs of both sides sum to 1. */
        *value = (side == 0 ? 0 : 1) + plan_best(form, side, gains, best);
    }
    mem_free(plan);
    mem_free(gains);
    return ok || err_set(e, "not enough memory to answer a strategy");
}

bool response_gap(const struct form *form, const double *const strategies[2], double *gap, struct err *e) {
    double sum = -1;
    for (int side = 0; side < 2; side++) {
        double value = 0;
        if (!response_find(form, strategies[1 - side], side, NULL, &value, e))
            return false;
        sum += value;
    }
    *gap = sum;
    return true;
}

/* ---- the exact strategy of PIMC ---- */

/* Sums of the same payoffs in different orders may differ in their last bits; such sums count as equal. */
#define EQUAL 1e-9

/* Computes the value of every node to side 0 under perfect information. Parents come before their
 * children, so in reverse order all children are computed first. */
static void fill_values(const struct form *form, double *values) {
    for (uint32_t i = form->node_count; i-- > 0;) {
        const struct form_node *node = &form->nodes[i];
        values[i] = node->payoff;
        if (node->set < 0)
            continue;
        const struct form_set *set = &form->sets[node->set];
        const double *children = values + node->first;
        double best = children[0];
        for (int k = 1; k < set->count; k++)
            if (set->side == 0 ? children[k] > best : children[k] < best)
                best = children[k];
        values[i] = best;
    }
}

/* Sums the values of each action over all nodes of its set, from the mover's point of view. */
static void add_up(const struct form *form, const double *values, double *sums) {
    memset(sums, 0, form->action_count * sizeof *sums);
    for (uint32_t i = 0; i < form->node_count; i++) {
        const struct form_node *node = &form->nodes[i];
        if (node->set < 0)
            continue;
        const struct form_set *set = &form->sets[node->set];
        for (uint32_t k = 0; k < (uint32_t)set->count; k++)
            sums[set->first + k] += set->side == 0 ? values[node->first + k] : -values[node->first + k];
    }
}

static void choose_best(double *sums, int count) {
    double best = sums[0];
    int equals = 0;
    for (int i = 1; i < count; i++)
        best = sums[i] > best ? sums[i] : best;
    for (int i = 0; i < count; i++)
        equals += sums[i] >= best - EQUAL;
    for (int i = 0; i < count; i++)
        sums[i] = sums[i] >= best - EQUAL ? 1.0 / equals : 0;
}

bool pimc_strategy(const struct form *form, double *strategy, struct err *e) {
    double *values = mem_try_alloc(form->node_count * sizeof *values);
    if (values == NULL)
        return err_set(e, "not enough memory for the values of a game's nodes");
    fill_values(form, values);
    add_up(form, values, strategy);
    for (uint32_t i = 0; i < form->set_count; i++)
        choose_best(strategy + form->sets[i].first, form->sets[i].count);
    mem_free(values);
    return true;
}
