/* SPDX-License-Identifier: MIT */
#include "evolve/selection.h"

#include <assert.h>

/* Whom to choose from: those in `list` (NULL: everybody), but not the one at position `without`. */
struct field {
    const double *fitness;
    const int *list;
    int count, without; /* -1: nobody is left out */
};

static double weight_at(const struct field *field, int position) {
    return field->fitness[field->list != NULL ? field->list[position] : position];
}

static int field_size(const struct field *field) {
    return field->count - (field->without >= 0);
}

/* A position, all alike. */
static int draw_evenly(const struct field *field, struct rng *r) {
    const int position = (int)rng_below(r, (uint32_t)field_size(field));
    return position + (field->without >= 0 && position >= field->without);
}

static int draw_roulette(const struct field *field, struct rng *r) {
    double total = 0;
    for (int i = 0; i < field->count; i++)
        total += i == field->without ? 0 : weight_at(field, i);
    if (!(total > 0))
        return draw_evenly(field, r);
    double ball = rng_unit(r) * total;
    int last = -1; /* rounding may leave the ball behind everybody */
    for (int i = 0; i < field->count; i++) {
        const double weight = i == field->without ? 0 : weight_at(field, i);
        if (!(weight > 0))
            continue;
        last = i;
        if (ball < weight)
            break;
        ball -= weight;
    }
    return last;
}

static int draw_tournament(const struct field *field, int rounds, struct rng *r) {
    int best = draw_evenly(field, r);
    for (int i = 1; i < rounds; i++) {
        const int other = draw_evenly(field, r);
        if (weight_at(field, other) > weight_at(field, best))
            best = other;
    }
    return best;
}

/* The lowest index among the best of a list. */
static int find_best(const struct field *field) {
    int best = 0;
    assert(field->list != NULL);
    assert(field->without < 0);
    for (int i = 1; i < field->count; i++) {
        const double lead = weight_at(field, i) - weight_at(field, best);
        if (lead > 0 || (!(lead < 0) && field->list[i] < field->list[best]))
            best = i;
    }
    return best;
}

int selection_roulette(const double *weights, int n, struct rng *r) {
    assert(n > 0);
    return draw_roulette(&(struct field){weights, NULL, n, -1}, r);
}

static int draw_survivor(const struct selection_rule *rule, const struct field *field, struct rng *r) {
    switch (rule->how) {
    case SELECTION_ROULETTE: return draw_roulette(field, r);
    case SELECTION_TOURNAMENT: return draw_tournament(field, rule->tournament, r);
    case SELECTION_BEST: break;
    }
    return find_best(field);
}

void selection_survive(const struct selection_rule *rule, const double *fitness, int n, int keep,
                       struct rng *r, int *chosen) {
    assert(n > 0);
    assert(keep <= n);
    for (int i = 0; i < n; i++)
        chosen[i] = i;
    for (int k = 0; k < keep; k++) {
        const struct field rest = {fitness, chosen + k, n - k, -1};
        const int position = k + (k == 0 ? find_best(&rest) : draw_survivor(rule, &rest, r));
        const int winner = chosen[position];
        chosen[position] = chosen[k];
        chosen[k] = winner;
    }
}

void selection_pair(const struct selection_rule *rule, const double *fitness, int n, struct rng *r,
                    int parents[2]) {
    assert(n >= 2);
    struct field field = {fitness, NULL, n, -1};
    for (int i = 0; i < 2; i++) {
        parents[i] = rule->how == SELECTION_BEST ? draw_evenly(&field, r) : draw_survivor(rule, &field, r);
        field.without = parents[i];
    }
}
