/* SPDX-License-Identifier: MIT
 *
 * Mutation: each kind makes its own change and no other.
 */
#include "evolve/genome.h"

#include "space_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static bool is_same_unit(struct cell a, struct cell b) {
    return a.type == b.type && a.side == b.side && a.hp == b.hp;
}

/* What a change of each kind does to its cells; in a symmetric space there are twice as many. */
static void assert_terrain_changed(struct cell before, struct cell after) {
    assert_true(before.terrain != after.terrain && is_same_unit(before, after));
}
static void assert_type_changed(struct cell before, struct cell after) {
    assert_true(before.type != after.type && before.type < TBS_TYPES && after.type < TBS_TYPES);
    assert_true(before.terrain == after.terrain && before.side == after.side && before.hp == after.hp);
}
static void assert_hp_changed(struct cell before, struct cell after) {
    const int step = after.hp - before.hp;
    assert_true(step != 0 && step >= -3 && step <= 3);
    assert_true(before.terrain == after.terrain && before.type == after.type && before.side == after.side);
}
static void assert_one_or_other(struct cell before, struct cell after) {
    if (before.type == GENOME_EMPTY)
        assert_added(before, after);
    else
        assert_removed(before, after);
}

struct mutation_case {
    void (*check)(struct cell before, struct cell after);
    int cells;
};

static const struct mutation_case mutation_cases[MUTATIONS] = {
    [MUTATION_TERRAIN] = {assert_terrain_changed, 1},
    [MUTATION_TYPE] = {assert_type_changed, 1},
    [MUTATION_HP] = {assert_hp_changed, 1},
    [MUTATION_PLACE] = {assert_one_or_other, 2},
    [MUTATION_ADD] = {assert_added, 1},
    [MUTATION_REMOVE] = {assert_removed, 1},
};

static void each_mutation_makes_its_own_change(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 12);
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++)
        for (int kind = 0; kind < MUTATIONS; kind++) {
            const struct mutation_case *c = &mutation_cases[kind];
            struct named_space s = {"mutations", {.width = 0}};
            int made = 0;
            space_published(&s.space);
            s.space.symmetry = (enum symmetry)symmetry;
            for (int i = 0; i < 800; i++) {
                struct genome before, after;
                int cells[CELLS];
                genome_random(&s.space, &r, &before);
                after = before;
                if (operators_mutate(&s.space, 1U << kind, &r, &after) == MUTATIONS)
                    continue;
                made++;
                assert_lies_in(&s, &after);
                const int count = differing(&before, &after, cells);
                assert_int_equal(count, c->cells * (symmetry == SYMMETRY_NONE ? 1 : 2));
                for (int k = 0; k < count; k++)
                    c->check(before.cells[cells[k]], after.cells[cells[k]]);
            }
            assert_true(made > 500);
        }
}

static void moved_units_stay_identical(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    int near[11] = {0};
    space_published(&space);
    rng_seed(&r, 13);
    for (int i = 0; i < 6000; i++) {
        struct genome before, after;
        int cells[CELLS];
        genome_random(&space, &r, &before);
        after = before;
        assert_int_equal(operators_mutate(&space, 1 << MUTATION_PLACE, &r, &after), MUTATION_PLACE);
        assert_int_equal(differing(&before, &after, cells), 2);
        const int from = before.cells[cells[0]].type == GENOME_EMPTY, to = 1 - from;
        assert_true(is_same_unit(before.cells[cells[from]], after.cells[cells[to]]));
        near[space_distance(&space, cells[0], cells[1])]++;
    }
    assert_true(near[1] > near[2] && near[2] > near[3] && near[3] > near[5]);
    assert_true(near[1] < 4500 && near[5] + near[6] + near[7] + near[8] > 100);
}

/* Left half plain, right half wood, sea allowed: only the other half of all changes may bring sea, and they
 * do so every second time. */
static void terrain_spreads_or_is_replaced(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    struct genome g[2], after;
    int sea = 0, spread = 0;
    space_published(&space);
    space.weight[TBS_MOUNTAIN] = space.weight[TBS_ROAD] = space.weight[TBS_FORTRESS] = 0;
    make_plain_and_wood(&space, g);
    space.types = 1 << TBS_FIGHTER;
    for (int cell = 0; cell < CELLS; cell++)
        if (cell % 6 >= 3)
            g[0].cells[cell] = g[1].cells[cell];
    g[0].cells[0].type = g[0].cells[CELLS - 1].type = TBS_FIGHTER;
    rng_seed(&r, 14);
    for (int i = 0; i < 8000; i++) {
        int cells[CELLS];
        after = g[0];
        assert_int_equal(operators_mutate(&space, 1 << MUTATION_TERRAIN, &r, &after), MUTATION_TERRAIN);
        assert_int_equal(differing(&g[0], &after, cells), 1);
        sea += after.cells[cells[0]].terrain == TBS_SEA;
        spread += after.cells[cells[0]].terrain != TBS_SEA && (cells[0] % 6 == 2 || cells[0] % 6 == 3);
    }
    assert_share("sea", sea, 8000, 0.25);
    assert_share("what a neighbour is", spread, 8000, 0.5 + 0.25 / 3);
}

static void terrain_under_a_unit_stays_enterable(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    struct genome g;
    space_published(&space);
    rng_seed(&r, 15);
    int changed = 0;
    for (int i = 0; i < 4000; i++) {
        genome_random(&space, &r, &g);
        const struct genome before = g;
        int cells[CELLS];
        operators_mutate(&space, 1 << MUTATION_TERRAIN, &r, &g);
        assert_int_equal(differing(&before, &g, cells), 1);
        const struct cell *cell = &g.cells[cells[0]];
        if (cell->type != GENOME_EMPTY) {
            changed++;
            assert_true(space_can_stand(cell->type, cell->terrain));
        }
    }
    assert_true(changed > 200);
}

static void kinds_come_equally_often(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    struct genome g[2];
    space_published(&space);
    make_plain_and_wood(&space, g);
    rng_seed(&r, 16);
    int all[MUTATIONS] = {0}, some[MUTATIONS] = {0};
    for (int i = 0; i < 5000; i++) {
        struct genome one = g[0], two = g[0];
        one.cells[14] = (struct cell){TBS_PLAIN, TBS_INFANTRY, TBS_RED, 4}; /* then every kind is possible */
        all[operators_mutate(&space, MUTATION_ALL, &r, &one)]++;
        const unsigned set = 1 << MUTATION_REMOVE | 1 << MUTATION_TYPE | 1 << MUTATION_HP;
        some[operators_mutate(&space, set, &r, &two)]++; /* no unit can be removed */
    }
    assert_uniform("kinds", all, MUTATIONS);
    const int possible[2] = {some[MUTATION_TYPE], some[MUTATION_HP]};
    assert_uniform("possible kinds", possible, 2);
    assert_int_equal(possible[0] + possible[1], 5000);
}

static void impossible_changes_change_nothing(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 17);
    struct space space = *space_named("2 x 2, always full");
    space.types = 1 << TBS_FIGHTER;
    space.hp_low = space.hp_high = 7;
    memset(space.weight, 0, sizeof space.weight);
    space.weight[TBS_SEA] = 3;
    for (int i = 0; i < 100; i++) {
        struct genome g;
        genome_random(&space, &r, &g);
        const struct genome before = g;
        assert_int_equal(operators_mutate(&space, MUTATION_ALL, &r, &g), MUTATIONS);
        assert_memory_equal(&g, &before, sizeof g);
        for (int kind = 0; kind < MUTATIONS; kind++)
            assert_int_equal(operators_mutate(&space, 1U << kind, &r, &g), MUTATIONS);
        assert_int_equal(operators_mutate(&space, 0, &r, &g), MUTATIONS);
        assert_memory_equal(&g, &before, sizeof g);
    }
}

static void names_name_the_kinds(void **state) {
    (void)state;
    static const char *const expected[MUTATIONS] = {"terrain", "type", "hp", "place", "add", "remove"};
    for (int kind = 0; kind < MUTATIONS; kind++)
        assert_string_equal(mutation_names[kind], expected[kind]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_mutation_makes_its_own_change),
        cmocka_unit_test(moved_units_stay_identical),
        cmocka_unit_test(terrain_spreads_or_is_replaced),
        cmocka_unit_test(terrain_under_a_unit_stays_enterable),
        cmocka_unit_test(kinds_come_equally_often),
        cmocka_unit_test(impossible_changes_change_nothing),
        cmocka_unit_test(names_name_the_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
