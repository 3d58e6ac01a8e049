/* SPDX-License-Identifier: MIT
 *
 * Strategies on a form: best responses, the exact strategy of PIMC, and equilibria by CFR+.
 */
#include "exact/form.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* ---- plans ----
 *
 * The sequence form (von Stengel 1996): a plan holds, for every sequence of a side, the probability that the
 * side plays all its actions if the other side allows it. A side's expected payoff is linear in its plan, so
 * the ends of games are visited once and everything else works on information sets alone.
 *
 * Plans and gains have action_count + 1 numbers. Apart from 0, the empty sequence, the sequences of the two
 * sides differ, so one array can hold the plans of both. */

/* All 0; NULL when memory ran out. Free with mem_free. */
static double *plan_alloc(const struct form *form) {
    return mem_try_alloc(((size_t)form->action_count + 1) * sizeof(double));
}

/* Fills the gains of each sequence of `side`: its payoff from leaves that follow without another action of
 * `side`, while the other side follows its plan. Payoffs are those of side 0, negated for side 1. Other
 * gains become 0. */
static void plan_gains(const struct form *form, const double *plan, int side, double *gains) {
    assert(side == 0 || side == 1);
    memset(gains, 0, ((size_t)form->action_count + 1) * sizeof *gains);
    const double unit = (side == 0 ? 1.0 : -1.0) / form->deal_count;
    for (uint32_t i = 0; i < form->leaf_count; i++) {
        const struct form_leaf *leaf = &form->leaves[i];
        gains[leaf->sequences[side]] += unit * leaf->payoff * plan[leaf->sequences[1 - side]];
    }
}

/* Returns the largest total that `side` can reach with these gains, in the units of plan_gains. Afterwards
 * the gain of a sequence includes the best continuation. `best` (a strategy; may be NULL) gets that
 * continuation in the sets of `side`, the first of equal actions. Sets come after those their mover passed
 * before: in reverse order, all deeper sets are finished. */
static double plan_best(const struct form *form, int side, double *gains, double *best) {
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
        plan[0] = 1;
        for (uint32_t i = 0; i < form->set_count; i++) { /* of the other side's strategy */
            const struct form_set *set = &form->sets[i];
            for (uint32_t k = set->first; set->side != side && k < set->first + (uint32_t)set->count; k++)
                plan[k + 1] = plan[set->before] * strategy[k];
        }
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

bool pimc_strategy(const struct form *form, double *strategy, struct err *e) {
    double *values = mem_try_alloc(form->node_count * sizeof *values);
    if (values == NULL)
        return err_set(e, "not enough memory for the values of a game's nodes");
    memset(strategy, 0, form->action_count * sizeof *strategy);
    /* The value of every node to side 0 under perfect information. Parents come before their children, so in
     * reverse order all children are computed first. */
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
    /* Sums the values of each action over all nodes of its set, from the mover's point of view. */
    for (uint32_t i = 0; i < form->node_count; i++) {
        const struct form_node *node = &form->nodes[i];
        const struct form_set *set = node->set >= 0 ? &form->sets[node->set] : NULL;
        for (uint32_t k = 0; set != NULL && k < (uint32_t)set->count; k++)
            strategy[set->first + k] += set->side == 0 ? values[node->first + k] : -values[node->first + k];
    }
    for (uint32_t i = 0; i < form->set_count; i++) {
        double *sums = strategy + form->sets[i].first, best = sums[0];
        const int count = form->sets[i].count;
        int equals = 0;
        for (int k = 1; k < count; k++)
            best = sums[k] > best ? sums[k] : best;
        for (int k = 0; k < count; k++)
            equals += sums[k] >= best - EQUAL;
        for (int k = 0; k < count; k++)
            sums[k] = sums[k] >= best - EQUAL ? 1.0 / equals : 0;
    }
    mem_free(values);
    return true;
}

/* ---- equilibria: CFR+ ---- */

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
};

/* Probabilities in proportion to the numbers; uniform where all are 0. */
static void normalise(const double *numbers, int count, double *strategy) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers[i];
    for (int i = 0; i < count; i++)
        strategy[i] = sum > 0 ? numbers[i] / sum : 1.0 / count;
}

/* Updates the regrets of one side, from its last set to its first, against the other side's plan. Regret
 * matching: an action's probability is in proportion to its regret, the payoff it would have added so far. */
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
        normalise(regrets, step->count, strategy);
        s->gains[step->before] += mean;
    }
}

/* Computes the plan of the current strategy, first set to last, and adds its share to the average. */
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

/* Lists the steps. Both sides start uniformly; the first iteration replaces that in the average. */
static void begin(struct solver *s) {
    uint32_t count = 0;
    s->plan[0] = s->average[0] = 1;
    for (int side = 0; side < 2; side++) {
        s->step_from[side] = count;
        for (uint32_t i = 0; i < s->form->set_count; i++) {
            const struct form_set *set = &s->form->sets[i];
            if (set->side != side)
                continue;
            s->steps[count] =
                (struct step){.first = set->first + 1, .before = set->before, .count = set->count};
            count++;
            for (int k = 0; k < set->count; k++)
                s->strategy[set->first + 1 + (uint32_t)k] = 1.0 / set->count;
        }
        s->step_to[side] = count;
        plan_ahead(s, side, 1);
    }
}

/* Computing the gap costs about as much as an iteration, so it is computed less often later. */
static void solve(struct solver *s, const struct cfr_options *options, struct cfr_result *out) {
    const int last = options->iterations_max > 0 ? options->iterations_max : CFR_ITERATIONS_DEFAULT;
    int next = GAP_FIRST;
    double weights = 0; /* of all strategies in the average */
    out->iterations = 0;
    begin(s);
    while (true) {
        out->stopped = budget_is_stopped(options->stop);
        if (out->stopped || out->iterations >= next || out->iterations >= last) {
            /* The most and the least that side 0 gets while one side plays its average strategy. */
            plan_gains(s->form, s->average, 0, s->gains);
            const double high = plan_best(s->form, 0, s->gains, NULL);
            plan_gains(s->form, s->average, 1, s->gains);
            const double low = -plan_best(s->form, 1, s->gains, NULL);
            out->value = (low + high) / 2;
            out->gap = high - low;
            if (options->on_gap != NULL)
                options->on_gap(options->context, out->iterations, out->gap);
            if (out->stopped || out->iterations >= last || out->gap <= options->gap)
                break;
            next = out->iterations + 1 + out->iterations / 6;
        }
        const double number = ++out->iterations, weight = number * number;
        weights += weight;
        for (int side = 0; side < 2; side++) {
            regret(s, side);
            plan_ahead(s, side, weight / weights);
        }
    }
}

bool cfr_solve(const struct form *form, const struct cfr_options *options, double *strategy,
               struct cfr_result *out, struct err *e) {
    assert(options->iterations_max >= 0);
    struct solver s = {.form = form, .steps = mem_try_alloc(form->set_count * sizeof *s.steps)};
    double **const arrays[] = {&s.strategy, &s.regrets, &s.plan, &s.average, &s.gains};
    bool ok = s.steps != NULL;
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        ok = (*arrays[i] = plan_alloc(form)) != NULL && ok;
    if (ok) {
        solve(&s, options, out);
        for (uint32_t i = 0; i < form->set_count; i++) { /* sets that are never reached become uniform */
            const struct form_set *set = &form->sets[i];
            normalise(s.average + set->first + 1, set->count, strategy + set->first);
        }
    }
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        mem_free(*arrays[i]);
    mem_free(s.steps);
    return ok || err_set(e, "not enough memory to solve the game");
}
