/* SPDX-License-Identifier: MIT
 *
 * Fitting maps into their space changes illegal parts and nothing else.
 */
#define mutation_names own_mutation_names /* the library has this table, too */
#include "evolve/operators.c"             /* legalizing is internal */

#include "space_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static void legal_maps_stay_as_they_are(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 18);
    const struct genome *const no_parents[2] = {NULL, NULL};
    for (const struct named_space *s = test_spaces; s->name != NULL; s++)
        for (int i = 0; i < 100; i++) {
            struct genome g;
            genome_random(&s->space, &r, &g);
            const struct genome before = g;
            legalize(&s->space, no_parents, &r, &g);
            assert_memory_equal(&g, &before, sizeof g);
        }
}

/* Draws a map of one space, fits it into another, and lists the changed cells. */
struct moved {
    struct genome before, after;
    int count, cells[CELLS];
};

static void move_into(const struct space *from, const struct space *to, struct rng *r, struct moved *out) {
    const struct genome *const no_parents[2] = {NULL, NULL};
    genome_random(from, r, &out->before);
    out->after = out->before;
    legalize(to, no_parents, r, &out->after);
    out->count = differing(&out->before, &out->after, out->cells);
}

/* Only units go, and only those that are too many. */
static void surplus_units_are_removed(void **state) {
    (void)state;
    struct space space, wide;
    struct moved m;
    struct rng r;
    space_published(&space);
    wide = space;
    wide.units_max[0] = wide.units_max[1] = 18;
    rng_seed(&r, 19);
    for (int i = 0; i < 500; i++) {
        int due = 0;
        move_into(&wide, &space, &r, &m);
        for (int side = 0; side < TBS_SIDES; side++)
            due += genome_units(&m.before, side) > 6 ? genome_units(&m.before, side) - 6 : 0;
        assert_int_equal(m.count, due);
        for (int k = 0; k < m.count; k++)
            assert_removed(m.before.cells[m.cells[k]], m.after.cells[m.cells[k]]);
    }
}

static void missing_units_are_added(void **state) {
    (void)state;
    struct space space, few;
    struct moved m;
    struct rng r;
    space_published(&few);
    space = few;
    space.units_min[0] = space.units_min[1] = 5;
    rng_seed(&r, 20);
    for (int i = 0; i < 500; i++) {
        move_into(&few, &space, &r, &m);
        assert_true(genome_units(&m.after, TBS_RED) >= 5 && genome_units(&m.after, TBS_BLUE) >= 5);
        for (int k = 0; k < m.count; k++)
            assert_added(m.before.cells[m.cells[k]], m.after.cells[m.cells[k]]);
    }
}

/* A panzer at sea goes to the nearest land; without any land the sea gives way. */
static void misplaced_units_find_a_place(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    struct genome g[2];
    const struct genome *const no_parents[2] = {NULL, NULL};
    space_published(&space);
    rng_seed(&r, 21);
    make_plain_and_wood(&space, g);
    g[0].cells[0].terrain = g[0].cells[1].terrain = TBS_SEA;
    legalize(&space, no_parents, &r, &g[0]);
    assert_int_equal(g[0].cells[0].type, GENOME_EMPTY);
    assert_int_equal(g[0].cells[0].terrain, TBS_SEA);
    assert_int_equal(g[0].cells[6].type, TBS_PANZER); /* the only one beside it */
    assert_int_equal(g[0].cells[6].hp, 5);
    for (int cell = 0; cell < CELLS; cell++)
        g[1].cells[cell].terrain = TBS_SEA;
    legalize(&space, no_parents, &r, &g[1]);
    assert_int_equal(g[1].cells[0].type, TBS_PANZER);
    assert_int_equal(g[1].cells[1].terrain, TBS_SEA);
    assert_true(genome_is_legal(&space, &g[1], NULL));
}

static void ranges_hold(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    struct genome g[2];
    const struct genome *const no_parents[2] = {NULL, NULL};
    space_published(&space);
    space.hp_low = 3;
    space.hp_high = 6;
    space.weight[TBS_SEA] = space.weight[TBS_WOOD] = 0;
    rng_seed(&r, 22);
    make_plain_and_wood(space_named("published"), g);
    const struct genome before = g[0];
    g[0].cells[0].hp = 10;
    g[0].cells[35].hp = 1;
    g[0].cells[7].terrain = TBS_SEA;
    legalize(&space, no_parents, &r, &g[0]);
    assert_int_equal(g[0].cells[0].hp, 6);
    assert_int_equal(g[0].cells[35].hp, 3);
    assert_true(space.weight[g[0].cells[7].terrain] > 0);
    for (int cell = 0; cell < CELLS; cell++)
        if (cell != 0 && cell != 7 && cell != 35)
            assert_memory_equal(&g[0].cells[cell], &before.cells[cell], sizeof(struct cell));
    space.types = 1 << TBS_INFANTRY;
    legalize(&space, no_parents, &r, &g[0]);
    assert_int_equal(g[0].cells[0].type, TBS_INFANTRY);
    assert_int_equal(g[0].cells[35].type, TBS_INFANTRY);
}

static void red_decides_what_is_symmetric(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    struct genome g[2];
    const struct genome *const no_parents[2] = {NULL, NULL};
    space_published(&space);
    rng_seed(&r, 23);
    make_plain_and_wood(&space, g);
    space.symmetry = SYMMETRY_MIRROR;
    /* Red in the upper left, blue in the lower right; a red cannon on a fortress on the right. */
    g[0].cells[9] = (struct cell){TBS_FORTRESS, TBS_CANNON, TBS_RED, 2};
    g[0].cells[12].terrain = TBS_WOOD; /* left */
    g[0].cells[23].terrain = TBS_ROAD; /* right */
    legalize(&space, no_parents, &r, &g[0]);
    assert_true(genome_is_legal(&space, &g[0], NULL));
    assert_true(g[0].cells[5].type == TBS_PANZER && g[0].cells[5].side == TBS_BLUE);
    assert_true(g[0].cells[8].type == TBS_CANNON && g[0].cells[8].side == TBS_BLUE);
    assert_int_equal(g[0].cells[8].terrain, TBS_FORTRESS);
    assert_int_equal(g[0].cells[35].type, GENOME_EMPTY);
    assert_int_equal(g[0].cells[17].terrain, TBS_WOOD);
    assert_int_equal(g[0].cells[23].terrain, TBS_PLAIN);
}

/* In the middle of a turned map red's unit goes to a free cell beside, blue's is given up. */
static void no_unit_stands_on_the_axis(void **state) {
    (void)state;
    const struct space *space = space_named("3 x 3, turned, full");
    const struct genome *const no_parents[2] = {NULL, NULL};
    struct rng r;
    rng_seed(&r, 24);
    for (int side = 0; side < TBS_SIDES; side++) {
        struct genome g[2];
        make_plain_and_wood(space, g);
        g[0].cells[4] = (struct cell){TBS_PLAIN, TBS_INFANTRY, (uint8_t)side, 8};
        legalize(space, no_parents, &r, &g[0]);
        assert_true(genome_is_legal(space, &g[0], NULL));
        assert_int_equal(genome_units(&g[0], TBS_RED), side == TBS_RED ? 2 : 1);
        int beside = 0;
        for (int cell = 1; cell < 9; cell += 2)
            beside += g[0].cells[cell].type == TBS_INFANTRY;
        assert_int_equal(beside, side == TBS_RED ? 2 : 0);
    }
}

/* The parents' units of a side stand where the other side's stand in the child, or nowhere: only then are new
 * ones made. */
static void missing_units_come_from_the_parents(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    struct genome g[2], child;
    space_published(&space);
    make_plain_and_wood(&space, g);
    g[1].cells[0] = (struct cell){TBS_WOOD, GENOME_EMPTY, 0, 0};
    g[1].cells[8] = (struct cell){TBS_FORTRESS, TBS_CANNON, TBS_RED, 7};
    const struct genome *const parents[2] = {&g[0], &g[1]};
    rng_seed(&r, 8);
    int first = 0;
    for (int i = 0; i < 2000; i++) {
        child = g[0];
        child.cells[0] = (struct cell){TBS_MOUNTAIN, GENOME_EMPTY, 0, 0};
        legalize(&space, parents, &r, &child);
        assert_int_equal(genome_units(&child, TBS_RED), 1);
        const bool is_first = memcmp(&child.cells[0], &g[0].cells[0], sizeof(struct cell)) == 0;
        const bool is_second = memcmp(&child.cells[8], &g[1].cells[8], sizeof(struct cell)) == 0;
        assert_true(is_first != is_second);
        first += is_first;
    }
    assert_share("units from the first parent", first, 2000, 0.5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(missing_units_come_from_the_parents), cmocka_unit_test(legal_maps_stay_as_they_are),
        cmocka_unit_test(surplus_units_are_removed),           cmocka_unit_test(missing_units_are_added),
        cmocka_unit_test(misplaced_units_find_a_place),        cmocka_unit_test(ranges_hold),
        cmocka_unit_test(red_decides_what_is_symmetric),       cmocka_unit_test(no_unit_stands_on_the_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
