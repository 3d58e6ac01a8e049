/* SPDX-License-Identifier: MIT
 *
 * No operator ever makes an illegal map, and crossover takes the declared parts from its parents, with the
 * declared frequency.
 */
#define mutation_names own_mutation_names /* the library has this table, too */
#include "evolve/operators.c"             /* legalizing is internal */

#include "sample.h"
#include "space_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* ---- everything that is made is legal ---- */

enum { OFFSPRING = SAMPLE(100000, 10000), POOL = 6, GARBAGE = SAMPLE(20000, 2000) };

static int spaces_count(void) {
    int count = 0;
    while (test_spaces[count].name != NULL)
        count++;
    return count;
}

/* Crosses two of the pool, changes the children up to three times, and puts them in the place of others. */
static void breed(const struct named_space *s, struct rng *r, struct genome pool[POOL],
                  int times[CROSSOVERS]) {
    struct genome children[2];
    memset(children, 0xAA, sizeof children);
    const uint32_t first = rng_below(r, POOL), second = rng_below(r, POOL);
    const struct genome *const parents[2] = {&pool[first], &pool[second]};
    const enum crossover how = (enum crossover)rng_below(r, CROSSOVERS);
    operators_cross(&s->space, how, parents, r, children);
    times[how]++;
    for (int child = 0; child < 2; child++) {
        assert_true(genome_is_legal(&s->space, &children[child], NULL));
        for (uint32_t changes = rng_below(r, 4); changes > 0; changes--) {
            const struct genome before = children[child];
            const unsigned kinds = rng_below(r, MUTATION_ALL + 1);
            const enum mutation kind = operators_mutate(&s->space, kinds, r, &children[child]);
            const bool is_same = memcmp(&before, &children[child], sizeof before) == 0;
            assert_true(is_same == (kind == MUTATIONS));
            assert_true(kind == MUTATIONS || (kinds >> kind & 1) != 0);
        }
        assert_lies_in(s, &children[child]);
        pool[rng_below(r, POOL)] = children[child];
    }
}

static void no_child_is_illegal(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    int made = 0, times[CROSSOVERS] = {0};
    const int spaces = spaces_count();
    for (int i = 0; i < spaces; i++) {
        static struct genome pool[POOL];
        const int due = (int)((long long)OFFSPRING * (i + 1) / spaces) / 2 * 2;
        for (int k = 0; made < due; k++, made += 2) {
            if (k % 100 == 0)
                for (int p = 0; p < POOL; p++)
                    genome_random(&test_spaces[i].space, &r, &pool[p]);
            breed(&test_spaces[i], &r, pool, times);
        }
    }
    assert_int_equal(made, OFFSPRING);
    for (int how = 0; how < CROSSOVERS; how++)
        assert_true(times[how] > OFFSPRING / 10);
}

/* Any numbers at all, or a map of another space of the same size. */
static void make_garbage(struct rng *r, struct genome *g) {
    const bool wild = rng_below(r, 2) == 0;
    for (int i = 0; i < genome_cells(g); i++) {
        struct cell *cell = &g->cells[i];
        cell->terrain = (uint8_t)rng_below(r, wild ? 256 : TBS_TERRAINS);
        cell->type = GENOME_EMPTY;
        if (rng_below(r, 3) == 0)
            continue;
        cell->type = (uint8_t)rng_below(r, wild ? 256 : TBS_TYPES);
        cell->side = (uint8_t)rng_below(r, wild ? 256 : TBS_SIDES);
        cell->hp = (uint8_t)rng_below(r, 256);
    }
}

static void anything_becomes_legal(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 2);
    uint64_t hash = 0; /* as below, of the first ones */
    const int spaces = spaces_count();
    for (int i = 0; i < GARBAGE; i++) {
        const struct named_space *s = &test_spaces[i % spaces];
        struct genome g[3];
        for (int k = 0; k < 3; k++) {
            g[k] = (struct genome){.width = s->space.width, .height = s->space.height};
            make_garbage(&r, &g[k]);
        }
        const bool orphan = rng_below(&r, 2) == 0;
        const struct genome *const parents[2] = {orphan ? NULL : &g[1], orphan ? NULL : &g[2]};
        legalize(&s->space, parents, &r, &g[0]);
        assert_lies_in(s, &g[0]);
        if (i < 2000)
            hash = rng_mix(hash ^ genome_hash(&g[0]));
    }
    if (hash != UINT64_C(0xc09aa12e73a72ef1))
        fail_msg("the number is 0x%016llx", (unsigned long long)hash);
}

/* Parents that are not of the space have children that are. */
static void children_of_foreign_maps_are_legal(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 3);
    const int spaces = spaces_count();
    for (int i = 0; i < SAMPLE(3000, 600); i++) {
        const struct named_space *s = &test_spaces[i % spaces];
        struct genome g[2], children[2];
        for (int k = 0; k < 2; k++) {
            g[k] = (struct genome){.width = s->space.width, .height = s->space.height};
            make_garbage(&r, &g[k]);
        }
        const struct genome *const parents[2] = {&g[0], &g[1]};
        operators_cross(&s->space, (enum crossover)(i % CROSSOVERS), parents, &r, children);
        for (int k = 0; k < 2; k++)
            assert_lies_in(s, &children[k]);
    }
}

/* The digest covers all of them: it is the same with every compiler on every machine, and changes only with
 * an intended change of the drawing. */
static void same_seed_same_children(void **state) {
    (void)state;
    for (int run = 0; run < 2; run++) {
        struct rng r;
        uint64_t hash = 0;
        rng_seed(&r, 4);
        for (const struct named_space *s = test_spaces; s->name != NULL; s++) {
            struct genome g[2], children[2];
            genome_random(&s->space, &r, &g[0]);
            genome_random(&s->space, &r, &g[1]);
            const struct genome *const parents[2] = {&g[0], &g[1]};
            for (int i = 0; i < 10 * CROSSOVERS; i++) {
                memset(children, run, sizeof children);
                operators_cross(&s->space, (enum crossover)(i % CROSSOVERS), parents, &r, children);
                operators_mutate(&s->space, MUTATION_ALL, &r, &children[0]);
                hash = rng_mix(hash ^ genome_hash(&children[0])) ^ genome_hash(&children[1]);
            }
        }
        assert_true(hash == UINT64_C(0x3885054729fccf01));
    }
}

/* ---- crossover ---- */

static void cross_plain_and_wood(const struct space *space, enum crossover how, struct rng *r,
                                 bool *is_wood) {
    struct genome g[2], children[2];
    make_plain_and_wood(space, g);
    const struct genome *const parents[2] = {&g[0], &g[1]};
    operators_cross(space, how, parents, r, children);
    for (int cell = 0; cell < space_cells(space); cell++) {
        is_wood[cell] = children[0].cells[cell].terrain == TBS_WOOD;
        assert_memory_equal(&children[0].cells[cell], &g[is_wood[cell]].cells[cell], sizeof(struct cell));
        assert_memory_equal(&children[1].cells[cell], &g[!is_wood[cell]].cells[cell], sizeof(struct cell));
    }
}

enum { CROSSINGS = SAMPLE(20000, 4000) };

static void uniform_crossover_is_a_coin_for_each_cell(void **state) {
    (void)state;
    static int wood[CELLS], alike[CELLS][CELLS];
    struct space space;
    struct rng r;
    space_published(&space);
    rng_seed(&r, 5);
    for (int i = 0; i < CROSSINGS; i++) {
        bool is_wood[CELLS];
        cross_plain_and_wood(&space, CROSSOVER_UNIFORM, &r, is_wood);
        for (int a = 0; a < CELLS; a++) {
            wood[a] += is_wood[a];
            for (int b = 0; b < a; b++)
                alike[a][b] += is_wood[a] == is_wood[b];
        }
    }
    for (int a = 0; a < CELLS; a++) {
        assert_share("cells from the second parent", wood[a], CROSSINGS, 0.5);
        for (int b = 0; b < a; b++)
            assert_share("two cells from the same parent", alike[a][b], CROSSINGS, 0.5);
    }
}

/* On a symmetric map there is one coin for a cell and its opposite. */
static void uniform_crossover_keeps_symmetry(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 6);
    for (int symmetry = SYMMETRY_TURN; symmetry < SYMMETRIES; symmetry++) {
        struct space space;
        int wood[25] = {0}, alike = 0;
        space_published(&space);
        space.width = space.height = 5;
        space.symmetry = (enum symmetry)symmetry;
        for (int i = 0; i < 4000; i++) {
            bool is_wood[25];
            cross_plain_and_wood(&space, CROSSOVER_UNIFORM, &r, is_wood);
            for (int cell = 0; cell < 25; cell++) {
                wood[cell] += is_wood[cell];
                assert_true(is_wood[cell] == is_wood[space_opposite(&space, cell)]);
            }
            alike += is_wood[0] == is_wood[6];
        }
        for (int cell = 0; cell < 25; cell++)
            assert_share("pairs from the second parent", wood[cell], 4000, 0.5);
        assert_share("two pairs from the same parent", alike, 4000, 0.5);
    }
}

/* Whose cell a child has there: bit 0 for the first parent, bit 1 for the second. */
static unsigned whose(const struct genome *child, const struct genome parents[2], int cell) {
    unsigned origins = 0;
    for (int i = 0; i < 2; i++)
        if (memcmp(&child->cells[cell], &parents[i].cells[cell], sizeof(struct cell)) == 0)
            origins |= 1U << i;
    return origins;
}

/* Both parents together never have too many units: no unit is removed, and a side's missing units come back
 * as a whole cell. */
static void terrain_and_unit_travel_together(void **state) {
    (void)state;
    struct space space, wide;
    struct rng r;
    space_published(&space);
    wide = space;
    wide.units_max[0] = wide.units_max[1] = 12;
    rng_seed(&r, 7);
    int whole = 0, repaired = 0;
    for (int i = 0; i < SAMPLE(3000, 600); i++) {
        struct genome g[2], children[2];
        genome_random(&space, &r, &g[0]);
        genome_random(&space, &r, &g[1]);
        const struct genome *const parents[2] = {&g[0], &g[1]};
        operators_cross(&wide, (enum crossover)(i % CROSSOVERS), parents, &r, children);
        for (int cell = 0; cell < CELLS; cell++) {
            const unsigned first = whose(&children[0], g, cell), second = whose(&children[1], g, cell);
            assert_true(first != 0 && second != 0);
            whole += (first | second) == 3;
            repaired += (first | second) != 3; /* both have one parent's cell: one of them got it back */
        }
    }
    assert_true(whole > SAMPLE(100000, 20000));
    assert_true(repaired > 0 && repaired < whole / 50);
}

/* Left, right, top and bottom of what is set. */
static bool is_rectangle(const bool *is_set, int width, int height, int size[2]) {
    int left = width, right = -1, top = height, bottom = -1, count = 0;
    for (int cell = 0; cell < width * height; cell++)
        if (is_set[cell]) {
            const int x = cell % width, y = cell / width;
            left = x < left ? x : left;
            right = x > right ? x : right;
            top = y < top ? y : top;
            bottom = y > bottom ? y : bottom;
            count++;
        }
    size[0] = right - left + 1;
    size[1] = bottom - top + 1;
    return count == size[0] * size[1];
}

static void blocks_are_rectangles(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    int widths[7] = {0}, heights[7] = {0};
    space_published(&space);
    rng_seed(&r, 9);
    for (int i = 0; i < 3600; i++) {
        bool is_wood[CELLS];
        int size[2];
        cross_plain_and_wood(&space, CROSSOVER_BLOCK, &r, is_wood);
        assert_true(is_rectangle(is_wood, 6, 6, size));
        assert_true(size[0] >= 1 && size[0] * size[1] < CELLS);
        widths[size[0]]++;
        heights[size[1]]++;
    }
    for (int edge = 1; edge <= 6; edge++) {
        const double p = edge == 6 ? 5 / 35.0 : 6 / 35.0; /* all sizes alike but the whole map */
        assert_share("widths", widths[edge], 3600, p);
        assert_share("heights", heights[edge], 3600, p);
    }
}

/* How many cells hang together with the first one that is set; clears them. */
static int flood(const struct space *space, bool *is_set) {
    int stack[CELLS], height = 0, count = 0;
    for (int cell = 0; cell < space_cells(space) && height == 0; cell++)
        if (is_set[cell]) {
            is_set[cell] = false;
            stack[height++] = cell;
        }
    while (height > 0) {
        const int cell = stack[--height];
        count++;
        for (int i = 0; i < 4; i++) {
            const int beside = space_beside(space, cell, i);
            if (beside < 0 || !is_set[beside])
                continue;
            is_set[beside] = false;
            stack[height++] = beside;
        }
    }
    return count;
}

static void regions_are_connected(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    int sizes[CELLS + 1] = {0}, cells[CELLS] = {0}, rectangles = 0;
    space_published(&space);
    rng_seed(&r, 10);
    for (int i = 0; i < 4000; i++) {
        bool is_wood[CELLS];
        int count = 0, box[2];
        cross_plain_and_wood(&space, CROSSOVER_REGION, &r, is_wood);
        for (int cell = 0; cell < CELLS; cell++) {
            count += is_wood[cell];
            cells[cell] += is_wood[cell];
        }
        assert_in_range(count, 9, 18);
        sizes[count]++;
        rectangles += is_rectangle(is_wood, 6, 6, box);
        assert_int_equal(flood(&space, is_wood), count);
    }
    assert_uniform("sizes of regions", &sizes[9], 10);
    assert_true(rectangles < 100);
    for (int cell = 0; cell < CELLS; cell++)
        assert_in_range(cells[cell], 500, 3000);
}

/* With its image a region has one piece or two of the same size, and about as many cells as without. */
static void regions_come_with_their_image(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 11);
    for (int symmetry = SYMMETRY_TURN; symmetry < SYMMETRIES; symmetry++) {
        struct space space;
        space_published(&space);
        space.symmetry = (enum symmetry)symmetry;
        for (int i = 0; i < 1000; i++) {
            bool is_wood[CELLS];
            int count = 0;
            cross_plain_and_wood(&space, CROSSOVER_REGION, &r, is_wood);
            for (int cell = 0; cell < CELLS; cell++) {
                count += is_wood[cell];
                assert_true(is_wood[cell] == is_wood[space_opposite(&space, cell)]);
            }
            assert_in_range(count, 10, 18); /* 18 pairs: 5 to 9 of them */
            const int piece = flood(&space, is_wood);
            assert_true(piece == count || 2 * piece == count);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_child_is_illegal),
        cmocka_unit_test(anything_becomes_legal),
        cmocka_unit_test(children_of_foreign_maps_are_legal),
        cmocka_unit_test(same_seed_same_children),
        cmocka_unit_test(uniform_crossover_is_a_coin_for_each_cell),
        cmocka_unit_test(uniform_crossover_keeps_symmetry),
        cmocka_unit_test(terrain_and_unit_travel_together),
        cmocka_unit_test(blocks_are_rectangles),
        cmocka_unit_test(regions_are_connected),
        cmocka_unit_test(regions_come_with_their_image),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
