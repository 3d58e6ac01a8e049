/* SPDX-License-Identifier: MIT */
#include "evolution_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

/* Member by member: between them are bytes that nobody sets. */
static void assert_same_generation(const struct generation *a, const struct generation *b) {
    assert_int_equal(a->number, b->number);
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->games, b->games);
    assert_memory_equal(&a->best, &b->best, sizeof a->best);
    assert_memory_equal(&a->mean, &b->mean, sizeof a->mean);
    assert_int_equal(a->best_id, b->best_id);
    assert_int_equal(a->filled, b->filled);
}

static void assert_same_individual(const struct individual *a, const struct individual *b) {
    assert_int_equal(a->id, b->id);
    assert_memory_equal(&a->genome, &b->genome, sizeof a->genome);
    assert_memory_equal(&a->judgement, &b->judgement, sizeof a->judgement);
    assert_memory_equal(&a->fresh, &b->fresh, sizeof a->fresh);
    assert_memory_equal(&a->fitness, &b->fitness, sizeof a->fitness);
}

void assert_same_evolution(const struct evolution *a, const struct evolution *b) {
    assert_int_equal(a->generation_count, b->generation_count);
    for (int i = 0; i < a->generation_count; i++)
        assert_same_generation(&a->generations[i], &b->generations[i]);
    assert_int_equal(a->origin_count, b->origin_count);
    for (int i = 0; i < a->origin_count; i++)
        assert_memory_equal(&a->origins[i], &b->origins[i], sizeof a->origins[i]);
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        assert_same_individual(&a->individuals[i], &b->individuals[i]);
    assert_int_equal(a->shown_count, b->shown_count);
    assert_memory_equal(a->shown, b->shown, (size_t)a->shown_count * sizeof a->shown[0]);
    assert_int_equal(a->evaluations, b->evaluations);
    assert_int_equal(a->verified, b->verified);
}
