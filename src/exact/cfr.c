/* SPDX-License-Identifier: MIT */
#include "exact/cfr.h"

#include "base/budget.h"
#include "base/mem.h"
#include "exact/strategy.h"

#include <assert.h>
#include <string.h>

enum { GAP_FIRST = 8 }; /* iterations before the gap is first computed */

/* The data of one information set that an iteration reads; the sets of one side are contiguous. */
struct step {
    uint32_t first, before; /* sequences: of the first action, and before the set */
    int count;
};

/* Plans, gains, strategies and regrets are indexed by sequence. */
struct solver {
    const struct form *form;
    struct step *steps; /* of side 0, then of side 1, in the form's order */
    uint32_t step_from[2], step_to[2];
    double *strategy, *regrets;
    double *plan, *average; /* of both sides; the average is a plan */
    double *gains;
    double weights; /* sum of the weights of all strategies in the average */
};

static bool solver_init(struct solver *s, const struct form *form) {
    *s = (struct solver){.form = form};
    s->steps = mem_try_alloc(form->set_count * sizeof *s->steps);
    s->strategy = plan_alloc(form);
    s->regrets = plan_alloc(form);
    s->plan = plan_alloc(form);
    s->average = plan_alloc(form);
    s->gains = plan_alloc(form);
    return s->steps != NULL && s->strategy != NULL && s->regrets != NULL && s->plan != NULL &&
           s->average != NULL && s->gains != NULL;
}

static void solver_done(struct solver *s) {
    mem_free(s->steps);
    mem_free(s->strategy);
    mem_free(s->regrets);
    mem_free(s->plan);
    mem_free(s->average);
    mem_free(s->gains);
}

static void list_steps(struct solver *s) {
    uint32_t count = 0;
    for (int side = 0; side < 2; side++) {
        s->step_from[side] = count;
        for (uint32_t i = 0; i < s->form->set_count; i++) {
            const struct form_set *set = &s->form->sets[i];
            if (set->side != side)
                continue;
            s->steps[count] =
                (struct step){.first = set->first + 1, .before = set->before, .count = set->count};
            count++;
        }
        s->step_to[side] = count;
    }
}

/* ---- iterations ---- */

/* Regret matching: probabilities in proportion to the regret of each action, the payoff it would have
 * added so far. */
static void match_regrets(const double *regrets, int count, double *strategy) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += regrets[i];
    for (int i = 0; i < count; i++)
        strategy[i] = sum > 0 ? regrets[i] / sum : 1.0 / count;
}

/* Updates the regrets of one side, from its last set to its first, against the other side's plan. */
static void regret(struct solver *s, int side) {
    plan_gains(s->form, s->plan, side, s->gains);
    for (uint32_t i = s->step_to[side]; i-- > s->step_from[side];) {
        const struct step *step = &s->steps[i];
        const double *gains = s->gains + step->first;
        double *strategy = s->strategy + step->first, *regrets = s->regrets + step->first;
        double mean = 0;
        for (int k = 0; k < step->count; k++)
            mean += strategy[k] * gains[k];
        for (int k = 0; k < step->count; k++) {
            const double sum = regrets[k] + gains[k] - mean;
            regrets[k] = sum > 0 ? sum : 0;
        }
        match_regrets(regrets, step->count, strategy);
        s->gains[step->before] += mean;
    }
}

/* Computes the plan of the current strategy, from the first set to the last, and adds its share to the
 * average. */
static void plan_ahead(struct solver *s, int side, double share) {
    for (uint32_t i = s->step_from[side]; i < s->step_to[side]; i++) {
        const struct step *step = &s->steps[i];
        const double reach = s->plan[step->before];
        for (uint32_t k = step->first; k < step->first + (uint32_t)step->count; k++) {
            s->plan[k] = reach * s->strategy[k];
            s->average[k] += share * (s->plan[k] - s->average[k]);
        }
    }
}

/* Both sides start with uniform strategies; the first iteration replaces them in the average. */
static void begin(struct solver *s) {
    list_steps(s);
    s->plan[0] = s->average[0] = 1;
    for (int side = 0; side < 2; side++) {
        for (uint32_t i = s->step_from[side]; i < s->step_to[side]; i++) {
            const struct step *step = &s->steps[i];
            for (int k = 0; k < step->count; k++)
                s->strategy[step->first + (uint32_t)k] = 1.0 / step->count;
        }
        plan_ahead(s, side, 1);
    }
}

static void iterate(struct solver *s, int number) {
    const double weight = (double)number * number;
    s->weights += weight;
    for (int side = 0; side < 2; side++) {
        regret(s, side);
        plan_ahead(s, side, weight / s->weights);
    }
}

/* ---- results ---- */

/* Computes the bounds on the payoff of side 0: the most and the least it gets while one side plays its
 * average strategy. */
static void compute_gap(struct solver *s, struct cfr_result *out) {
    plan_gains(s->form, s->average, 0, s->gains);
    const double high = plan_best(s->form, 0, s->gains, NULL);
    plan_gains(s->form, s->average, 1, s->gains);
    const double low = -plan_best(s->form, 1, s->gains, NULL);
    out->value = (low + high) / 2;
    out->gap = high - low;
}

/* Converts the average plan to probabilities. Sets that are never reached get uniform probabilities. */
static void write_strategy(const struct solver *s, double *strategy) {
    for (uint32_t i = 0; i < s->form->set_count; i++) {
        const struct form_set *set = &s->form->sets[i];
        const double *plan = s->average + set->first + 1;
        double sum = 0;
        for (int k = 0; k < set->count; k++)
            sum += plan[k];
        for (int k = 0; k < set->count; k++)
            strategy[set->first + (uint32_t)k] = sum > 0 ? plan[k] / sum : 1.0 / set->count;
    }
}

/* Computing the gap costs about as much as an iteration, so it is computed less often as iterations
 * accumulate. */
static void solve(struct solver *s, const struct cfr_options *options, struct cfr_result *out) {
    const int last = options->iterations_max > 0 ? options->iterations_max : CFR_ITERATIONS_DEFAULT;
    int next = GAP_FIRST;
    out->iterations = 0;
    begin(s);
    while (true) {
        out->stopped = budget_is_stopped(options->stop);
        if (out->stopped || out->iterations >= next || out->iterations >= last) {
            compute_gap(s, out);
            if (options->on_gap != NULL)
                options->on_gap(options->context, out->iterations, out->gap);
            if (out->stopped || out->iterations >= last || out->gap <= options->gap)
                break;
            next = out->iterations + 1 + out->iterations / 6;
        }
        iterate(s, ++out->iterations);
    }
}

bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e) {
    struct solver s;
    assert(options->iterations_max >= 0);
    const bool ok = solver_init(&s, form);
    if (ok) {
        solve(&s, options, out);
        write_strategy(&s, strategy);
    }
    solver_done(&s);
    return ok || err_set(e, "not enough memory to solve the game");
}
