/* SPDX-License-Identifier: MIT */
#include "exact/pimc.h"

#include "base/mem.h"

#include <string.h>

/* Sums of the same payoffs in another order may differ in their last bits: that is no difference. */
#define EQUAL 1e-9

/* What a node is worth to side 0 when both see everything. Parents come before their children: from the back
 * all children are known. */
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

/* The sum of each action's values over all nodes of its set, to its mover. */
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
    double *values = mem_alloc(form->node_count * sizeof *values);
    if (values == NULL)
        return err_set(e, "not enough memory for the values of a game's nodes");
    fill_values(form, values);
    add_up(form, values, strategy);
    for (uint32_t i = 0; i < form->set_count; i++)
        choose_best(strategy + form->sets[i].first, form->sets[i].count);
    mem_free(values);
    return true;
}
