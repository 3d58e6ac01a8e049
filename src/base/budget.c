/* SPDX-License-Identifier: MIT */
#include "base/budget.h"

#include <assert.h>
#include <stddef.h>

void budget_start(struct budget_meter *meter, const struct budget *budget) {
    assert((budget->time_ns_max == 0 && budget->deadline_ns == 0) || budget->clock != NULL);
    *meter = (struct budget_meter){.budget = *budget};
    if (budget->clock_every == 0)
        meter->budget.clock_every = BUDGET_CLOCK_EVERY;
    meter->clock_check_at = (uint64_t)meter->budget.clock_every;
    if (budget->clock != NULL)
        meter->start_ns = clock_now_ns(budget->clock);
}

bool budget_is_cut(const struct budget *b, int64_t start_ns) {
    if (budget_is_stopped(b->stop))
        return true;
    if (b->time_ns_max == 0 && b->deadline_ns == 0)
        return false;
    const int64_t now = clock_now_ns(b->clock);
    return (b->time_ns_max > 0 && now - start_ns >= b->time_ns_max) ||
           (b->deadline_ns > 0 && now >= b->deadline_ns);
}

bool budget_spend(struct budget_meter *meter, uint64_t work) {
    meter->work_done += work;
    if (meter->budget.work_max > 0 && meter->work_done >= meter->budget.work_max)
        meter->over = true;
    if (!meter->over && meter->work_done >= meter->clock_check_at) {
        meter->clock_check_at = meter->work_done + (uint64_t)meter->budget.clock_every;
        meter->over = budget_is_cut(&meter->budget, meter->start_ns);
    }
    return !meter->over;
}
