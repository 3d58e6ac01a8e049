/* SPDX-License-Identifier: MIT */
#include "exact/plan.h"

#include "base/mem.h"

#include <string.h>

double *plan_alloc(const struct form *form) {
    return mem_alloc(((size_t)form->action_count + 1) * sizeof(double));
}

void plan_fill(const struct form *form, const double *strategy, int side, double *plan) {
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
    memset(gains, 0, ((size_t)form->action_count + 1) * sizeof *gains);
    const double unit = (side == 0 ? 1.0 : -1.0) / form->deal_count;
    for (uint32_t i = 0; i < form->leaf_count; i++) {
        const struct form_leaf *leaf = &form->leaves[i];
        gains[leaf->sequences[side]] += unit * leaf->payoff * plan[leaf->sequences[1 - side]];
    }
}

/* Sets come after those their mover passed on the way: backwards, all that is deeper is done. */
double plan_best(const struct form *form, int side, double *gains, double *best) {
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
