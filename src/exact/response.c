/* SPDX-License-Identifier: MIT */
#include "exact/response.h"

#include "base/mem.h"
#include "exact/plan.h"

#include <assert.h>

bool response_find(const struct form *form, const double *strategy, int side, double *best, double *value,
                   struct err *e) {
    assert(best != strategy);
    double *plan = plan_alloc(form), *gains = plan_alloc(form);
    const bool ok = plan != NULL && gains != NULL;
    if (ok) {
        plan_fill(form, strategy, 1 - side, plan);
        plan_gains(form, plan, side, gains);
        /* Side 1 gets what is left of 1. */
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
