/* SPDX-License-Identifier: MIT
 *
 * Spaces and the maps in them: what is refused, what is drawn how often, what comes back from a map.
 */
#include "evolve/genome.h"

#include "game/tbs/map.h"
#include "space_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- spaces ---- */

static void all_spaces_are_possible(void **state) {
    (void)state;
    for (const struct named_space *s = test_spaces; s->name != NULL; s++) {
        struct err e;
        if (!space_check(&s->space, &e))
            fail_msg("%s: %s", s->name, e.text);
    }
}

struct refusal {
    struct space space;
    const char *words;
};

#define PLAIN_MAP                                                                                            \
    .weight = {[TBS_PLAIN] = 1}, .turn_limit = 9, .hp_low = 1, .hp_high = 10, .types = TBS_ALL_TYPES
#define ONE_EACH .units_min = {1, 1}, .units_max = {1, 1}

static void impossible_spaces_are_refused(void **state) {
    (void)state;
    static const struct refusal refusals[] = {
        {{.width = 33, .height = 6, ONE_EACH, PLAIN_MAP}, "the width is 33; expected 1 to 32"},
        {{.width = 6, .height = 6, .units_min = {1, 1}, .units_max = {65, 1}, PLAIN_MAP},
         "the number of red units is 65; expected 1 to 64"},
        {{.width = 6, .height = 6, .units_min = {0, 1}, .units_max = {6, 6}, PLAIN_MAP},
         "the least number of red units is 0; expected 1 to 6"},
        {{.width = 6, .height = 6, .units_min = {1, 7}, .units_max = {6, 6}, PLAIN_MAP},
         "the least number of blue units is 7; expected 1 to 6"},
        {{.width = 3, .height = 3, .units_min = {1, 1}, .units_max = {5, 5}, PLAIN_MAP},
         "10 units do not fit on 3 x 3 cells"},
        {{.width = 3,
          .height = 3,
          .units_min = {1, 1},
          .units_max = {4, 4},
          .symmetry = SYMMETRY_MIRROR,
          PLAIN_MAP},
         "4 units a side do not fit on 3 x 3 cells: a map with this symmetry has room for 3"},
        {{.width = 6,
          .height = 6,
          .units_min = {1, 2},
          .units_max = {4, 4},
          .symmetry = SYMMETRY_TURN,
          PLAIN_MAP},
         "at least 1 and 2 cannot be"},
        {{.width = 6,
          .height = 6,
          .units_min = {1, 1},
          .units_max = {4, 3},
          .symmetry = SYMMETRY_FLIP,
          PLAIN_MAP},
         "at most 4 and 3 cannot be"},
        {{.width = 6, .height = 6, ONE_EACH, .symmetry = SYMMETRIES, PLAIN_MAP}, "the symmetry is number 4"},
        {{.width = 6, .height = 6, ONE_EACH, .placement = PLACEMENTS, PLAIN_MAP},
         "the placement is number 2"},
        {{.width = 6, .height = 6, ONE_EACH, .patches = 1.5, PLAIN_MAP},
         "the patches are 1.5; expected 0 to 1"},
        {{.width = 6,
          .height = 6,
          ONE_EACH,
          .turn_limit = 9,
          .hp_low = 1,
          .hp_high = 10,
          .types = 63,
          .weight = {[TBS_SEA] = 1}},
         "panzer has no terrain to stand on"},
        {{.width = 6,
          .height = 6,
          ONE_EACH,
          .turn_limit = 9,
          .hp_low = 1,
          .hp_high = 11,
          .types = 63,
          .weight = {[TBS_PLAIN] = 1}},
         "the most HP is 11; expected 1 to 10"},
    };
    for (size_t i = 0; i < COUNT(refusals); i++) {
        struct err e = {""};
        assert_false(space_check(&refusals[i].space, &e));
        if (strstr(e.text, refusals[i].words) == NULL)
            fail_msg("said '%s'; expected '%s'", e.text, refusals[i].words);
    }
}

static void opposites_come_in_pairs(void **state) {
    (void)state;
    for (const struct named_space *s = test_spaces; s->name != NULL; s++)
        for (int cell = 0; cell < space_cells(&s->space); cell++) {
            const int other = space_opposite(&s->space, cell), width = s->space.width;
            const int dx = cell % width + other % width, dy = cell / width + other / width;
            assert_int_equal(space_opposite(&s->space, other), cell);
            const bool turns_x = s->space.symmetry == SYMMETRY_TURN || s->space.symmetry == SYMMETRY_MIRROR;
            const bool turns_y = s->space.symmetry == SYMMETRY_TURN || s->space.symmetry == SYMMETRY_FLIP;
            assert_int_equal(dx, turns_x ? width - 1 : 2 * (cell % width));
            assert_int_equal(dy, turns_y ? s->space.height - 1 : 2 * (cell / width));
        }
}

static void neighbours_are_one_step_away(void **state) {
    (void)state;
    const struct space *space = space_named("walls");
    int sum = 0;
    for (int cell = 0; cell < space_cells(space); cell++) {
        for (int i = 0; i < 4; i++) {
            const int beside = space_beside(space, cell, i);
            if (beside >= 0)
                assert_int_equal(space_distance(space, cell, beside), 1);
            sum += beside >= 0;
        }
    }
    assert_int_equal(sum, 2 * (6 * 5 + 7 * 4)); /* both ends of every border between two cells */
}

/* ---- random maps ---- */

static void random_maps_lie_in_their_space(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    for (const struct named_space *s = test_spaces; s->name != NULL; s++)
        for (int i = 0; i < 300; i++) {
            struct genome g;
            memset(&g, 0xAA, sizeof g);
            genome_random(&s->space, &r, &g);
            assert_lies_in(s, &g);
        }
}

enum { DRAWS = 6000 };

/* The digest covers all of them: it is the same with every compiler on every machine, and changes only with
 * an intended change of the drawing. */
static void same_seed_same_maps(void **state) {
    (void)state;
    uint64_t hash = 0;
    struct rng r;
    rng_seed(&r, 11);
    for (const struct named_space *s = test_spaces; s->name != NULL; s++)
        for (int i = 0; i < 60; i++) {
            struct space space = s->space;
            struct genome g;
            if (i % 2 == 1)
                space.patches = i / 60.0;
            if (i % 3 == 2)
                space.placement = PLACEMENT_HALVES;
            genome_random(&space, &r, &g);
            hash = rng_mix(hash ^ genome_hash(&g));
        }
    if (hash != UINT64_C(0x3c1515da7df95747))
        fail_msg("the number is 0x%016llx", (unsigned long long)hash);
}

/* A road between fortresses that are each other's image ends where it meets its own. With an even number of
 * columns and an odd number of rows it would be two roads beside each other otherwise. */
static void roads_meet_their_image(void **state) {
    (void)state;
    static const int weights[TBS_TERRAINS] = {
        [TBS_PLAIN] = 60, [TBS_WOOD] = 10, [TBS_ROAD] = 20, [TBS_FORTRESS] = 10};
    uint64_t hash = 0;
    struct space space;
    struct rng r;
    space_published(&space);
    memcpy(space.weight, weights, sizeof weights);
    space.height = 5;
    space.symmetry = SYMMETRY_TURN;
    space.patches = 0.5;
    rng_seed(&r, 12);
    for (int i = 0; i < 100; i++) {
        struct genome g;
        genome_random(&space, &r, &g);
        hash = rng_mix(hash ^ genome_hash(&g));
    }
    if (hash != UINT64_C(0xdda8193557b9ec45))
        fail_msg("the number is 0x%016llx", (unsigned long long)hash);
}

struct frequencies {
    int terrain[TBS_TERRAINS], types[TBS_TYPES], hps[TBS_HP_FULL], numbers[TBS_SIDES][6];
    int places[TBS_SIDES][36];
};

static void count_cell(const struct cell *cell, int at, struct frequencies *f) {
    f->terrain[cell->terrain]++;
    if (cell->type == GENOME_EMPTY)
        return;
    f->types[cell->type]++;
    f->hps[cell->hp - 1]++;
    f->places[cell->side][at]++;
}

static void published_maps_are_uniform(void **state) {
    (void)state;
    struct space space;
    struct genome g;
    struct rng r;
    static struct frequencies f;
    space_published(&space);
    rng_seed(&r, 2);
    for (int i = 0; i < DRAWS; i++) {
        genome_random(&space, &r, &g);
        for (int cell = 0; cell < 36; cell++)
            count_cell(&g.cells[cell], cell, &f);
        for (int side = 0; side < TBS_SIDES; side++)
            f.numbers[side][genome_units(&g, side) - 1]++;
    }
    assert_int_equal(f.terrain[TBS_NO_ENTRY], 0);
    assert_uniform("terrain", &f.terrain[1], TBS_TERRAINS - 1);
    assert_uniform("types", f.types, TBS_TYPES);
    assert_uniform("HP", f.hps, TBS_HP_FULL);
    for (int side = 0; side < TBS_SIDES; side++) {
        assert_uniform("numbers of units", f.numbers[side], 6);
        assert_uniform("places", f.places[side], 36);
    }
}

static void terrain_follows_its_weights(void **state) {
    (void)state;
    struct space space;
    struct genome g;
    struct rng r;
    static const int weights[TBS_TERRAINS] = {5, 60, 10, 20, 10, 5, 5};
    space_published(&space);
    memcpy(space.weight, weights, sizeof weights);
    rng_seed(&r, 3);
    int counts[TBS_TERRAINS] = {0};
    for (int i = 0; i < 2000; i++) {
        genome_random(&space, &r, &g);
        for (int cell = 0; cell < 36; cell++)
            counts[g.cells[cell].terrain]++;
    }
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        assert_share("weights", counts[terrain], 2000 * 36, weights[terrain] / 115.0);
}

/* Which half of a mirrored map red gets is left to chance. */
static void red_may_stand_in_either_half(void **state) {
    (void)state;
    const struct space *space = space_named("8 x 8, mirrored, patches");
    struct rng r;
    rng_seed(&r, 4);
    int left = 0, all = 0;
    for (int i = 0; i < 1000; i++) {
        struct genome g;
        genome_random(space, &r, &g);
        for (int cell = 0; cell < 64; cell++)
            if (g.cells[cell].type != GENOME_EMPTY && g.cells[cell].side == TBS_RED) {
                left += cell % 8 < 4;
                all++;
            }
    }
    assert_share("red on the left", left, all, 0.5);
}

static void halves_separate_the_sides(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 5);
    for (int i = 0; i < 400; i++) {
        struct space space;
        struct genome g;
        space_published(&space);
        space.placement = PLACEMENT_HALVES;
        space.symmetry = (enum symmetry)(i % SYMMETRIES);
        space.width = 4 + i / SYMMETRIES % 3;
        space.weight[TBS_SEA] = space.weight[TBS_MOUNTAIN] = 0; /* then every unit can stand on every cell */
        genome_random(&space, &r, &g);
        const bool rows = space.symmetry == SYMMETRY_FLIP;
        const int edge = rows ? space.height : space.width;
        for (int cell = 0; cell < space_cells(&space); cell++) {
            const int place = rows ? cell / space.width : cell % space.width;
            if (g.cells[cell].type != GENOME_EMPTY)
                assert_true(g.cells[cell].side == TBS_RED ? place < edge / 2 : place >= edge - edge / 2);
        }
    }
}

/* Two and seven units on halves of four cells: units without a cell go to the other side. */
static void full_halves_overflow(void **state) {
    (void)state;
    struct named_space s = {"overflow", {.width = 0}};
    struct rng r;
    space_published(&s.space);
    s.space.width = 4;
    s.space.height = 2;
    s.space.units_min[TBS_RED] = s.space.units_max[TBS_RED] = 1;
    s.space.units_min[TBS_BLUE] = s.space.units_max[TBS_BLUE] = 7;
    s.space.placement = PLACEMENT_HALVES;
    rng_seed(&r, 6);
    for (int i = 0; i < 200; i++) {
        struct genome g;
        genome_random(&s.space, &r, &g);
        assert_lies_in(&s, &g);
    }
}

/* ---- patches ---- */

struct texture {
    int counts[TBS_TERRAINS];
    int alike[TBS_TERRAINS]; /* neighbours (right, below) with the same terrain */
    int isolated_roads;
};

static void feel(const struct space *space, const struct genome *g, struct texture *t) {
    for (int cell = 0; cell < genome_cells(g); cell++) {
        const int terrain = g->cells[cell].terrain;
        int roads = 0;
        for (int i = 0; i < 4; i++) {
            const int beside = space_beside(space, cell, i);
            if (beside < 0)
                continue;
            const int other = g->cells[beside].terrain;
            roads += other == TBS_ROAD || other == TBS_FORTRESS;
            t->alike[terrain] += other == terrain && beside > cell;
        }
        t->counts[terrain]++;
        t->isolated_roads += terrain == TBS_ROAD && roads == 0;
    }
}

enum { FELT = 3000 };

static void feel_many(struct space *space, double patches, struct texture *out) {
    struct rng r;
    rng_seed(&r, 7);
    space->patches = patches;
    *out = (struct texture){{0}};
    for (int i = 0; i < FELT; i++) {
        struct genome g;
        genome_random(space, &r, &g);
        feel(space, &g, out);
    }
}

/* With the frequencies of the weights, but in patches; a higher value gives longer patches. */
static void patches_hang_together(void **state) {
    (void)state;
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        struct space space = *space_named("8 x 8, mirrored, patches");
        struct texture strewn, small, large;
        space.symmetry = (enum symmetry)symmetry;
        space.units_min[0] = space.units_min[1] = space.units_max[0] = space.units_max[1] = 4;
        feel_many(&space, 0, &strewn);
        feel_many(&space, 0.3, &small);
        feel_many(&space, 1, &large);
        static const int growing[] = {TBS_SEA, TBS_WOOD, TBS_MOUNTAIN};
        for (size_t i = 0; i < COUNT(growing); i++) {
            const int terrain = growing[i];
            assert_true(3 * strewn.alike[terrain] < 2 * small.alike[terrain]);
            assert_true(small.alike[terrain] < large.alike[terrain]);
        }
        for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
            const double share = space.weight[terrain] / 110.0;
            assert_true(large.counts[terrain] >= 0.85 * share * FELT * 64);
            assert_true(large.counts[terrain] <= 1.15 * share * FELT * 64);
        }
        assert_true(strewn.alike[TBS_FORTRESS] > 200);
        assert_int_equal(small.alike[TBS_FORTRESS] + large.alike[TBS_FORTRESS], 0);
        assert_true(strewn.isolated_roads > 500);
        assert_int_equal(small.isolated_roads + large.isolated_roads, 0);
    }
}

/* ---- maps ---- */

static void maps_come_back(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 8);
    for (const struct named_space *s = test_spaces; s->name != NULL; s++)
        for (int i = 0; i < 50; i++) {
            struct genome g, back;
            struct tbs_map map;
            struct err e = {""};
            genome_random(&s->space, &r, &g);
            genome_to_map(&s->space, &g, &map);
            assert_int_equal(map.turn_limit, s->space.turn_limit);
            assert_int_equal(map.threshold, s->space.threshold);
            assert_int_equal(map.declared[TBS_RED], genome_units(&g, TBS_RED));
            memset(&back, 0xAA, sizeof back);
            map.units[0].done = true; /* taken as fresh */
            if (!genome_from_map(&s->space, &map, &back, &e))
                fail_msg("%s: %s", s->name, e.text);
            assert_memory_equal(&g, &back, sizeof g);
            for (int id = 1; id < map.unit_count; id++) {
                const struct tbs_map_unit *u = &map.units[id], *before = u - 1;
                assert_true(before->side < u->side ||
                            (before->side == u->side &&
                             (before->y < u->y || (before->y == u->y && before->x < u->x))));
            }
        }
}

/* A legal map of the published space and one thing that is changed about it. */
static void break_size(struct genome *g) {
    g->width = 5;
}
static void break_terrain(struct genome *g) {
    g->cells[7].terrain = TBS_NO_ENTRY;
}
static void break_terrain_number(struct genome *g) {
    g->cells[7].terrain = 99;
}
static void break_type_number(struct genome *g) {
    g->cells[8].type = 7;
}
static void break_hp(struct genome *g) {
    g->cells[0].hp = 11;
}
static void break_side(struct genome *g) {
    g->cells[0].side = 2;
}
static void break_place(struct genome *g) {
    g->cells[0].terrain = TBS_SEA;
}
static void break_emptiness(struct genome *g) {
    g->cells[7].hp = 3;
}
static void break_few(struct genome *g) {
    g->cells[0] = (struct cell){.terrain = TBS_PLAIN, .type = GENOME_EMPTY};
}
static void break_many(struct genome *g) {
    for (int i = 10; i < 17; i++)
        g->cells[i] = (struct cell){TBS_PLAIN, TBS_PANZER, TBS_BLUE, 4};
}

struct breakage {
    void (*break_it)(struct genome *g);
    const char *words;
};

static void make_duel(struct genome *out) {
    *out = (struct genome){.width = 6, .height = 6};
    for (int i = 0; i < 36; i++)
        out->cells[i] = (struct cell){.terrain = TBS_PLAIN, .type = GENOME_EMPTY};
    out->cells[0] = (struct cell){TBS_PLAIN, TBS_PANZER, TBS_RED, 9};
    out->cells[35] = (struct cell){TBS_PLAIN, TBS_PANZER, TBS_BLUE, 9};
}

static void errors_are_reported(void **state) {
    (void)state;
    static const struct breakage breakages[] = {
        {break_size, "the map has 5 x 6 cells; expected 6 x 6"},
        {break_terrain, "the terrain at (2, 2) is no-entry, which may not come"},
        {break_terrain_number, "the terrain at (2, 2) is number 99"},
        {break_type_number, "the unit at (3, 2) is of type 7"},
        {break_hp, "red's panzer at (1, 1) has HP 11; expected 1 to 10"},
        {break_side, "the unit at (1, 1) has no side"},
        {break_place, "red's panzer at (1, 1) stands on sea, which it cannot enter"},
        {break_emptiness, "there is no unit at (2, 2), but a side or HP"},
        {break_few, "red has 0 units; expected 1 to 6"},
        {break_many, "blue has 8 units; expected 1 to 6"},
    };
    struct space space;
    struct genome g;
    struct err e;
    space_published(&space);
    make_duel(&g);
    assert_true(genome_is_legal(&space, &g, &e));
    for (size_t i = 0; i < COUNT(breakages); i++) {
        make_duel(&g);
        breakages[i].break_it(&g);
        assert_false(genome_is_legal(&space, &g, NULL));
        assert_false(genome_is_legal(&space, &g, &e));
        if (strstr(e.text, breakages[i].words) == NULL)
            fail_msg("said '%s'; expected '%s'", e.text, breakages[i].words);
    }
}

static void types_and_symmetry_are_checked(void **state) {
    (void)state;
    struct space space;
    struct genome g;
    struct err e;
    space_published(&space);
    make_duel(&g);
    space.types = 1 << TBS_INFANTRY;
    assert_false(genome_is_legal(&space, &g, &e));
    assert_non_null(strstr(e.text, "red's panzer at (1, 1) is of a type that may not come"));
    space_published(&space);
    space.symmetry = SYMMETRY_TURN;
    assert_true(genome_is_legal(&space, &g, &e));
    g.cells[35].hp = 8;
    assert_false(genome_is_legal(&space, &g, &e));
    assert_non_null(strstr(e.text, "(1, 1) and its opposite (6, 6) do not match"));
    make_duel(&g);
    space.symmetry = SYMMETRY_MIRROR;
    assert_false(genome_is_legal(&space, &g, &e));

    space = *space_named("3 x 3, turned, full");
    g = (struct genome){.width = 3, .height = 3};
    for (int i = 0; i < 9; i++)
        g.cells[i] = (struct cell){TBS_PLAIN, GENOME_EMPTY, 0, 0};
    genome_put(&space, &g, 5, (struct cell){TBS_WOOD, TBS_CANNON, TBS_BLUE, 3});
    assert_true(g.cells[3].type == TBS_CANNON && g.cells[3].side == TBS_RED &&
                g.cells[3].terrain == TBS_WOOD);
    assert_true(genome_is_legal(&space, &g, &e));
    g.cells[4] = (struct cell){TBS_PLAIN, TBS_PANZER, TBS_RED, 3};
    assert_false(genome_is_legal(&space, &g, &e));
    assert_non_null(strstr(e.text, "(2, 2), which is its own opposite"));
}

static void foreign_maps_are_refused(void **state) {
    (void)state;
    struct space space;
    struct genome g, out;
    struct tbs_map map;
    struct err e = {""};
    space_published(&space);
    make_duel(&g);
    genome_to_map(&space, &g, &map);
    map.units[1].x = map.units[0].x;
    map.units[1].y = map.units[0].y;
    assert_false(genome_from_map(&space, &map, &out, &e));
    assert_string_equal(e.text, "two units stand at (1, 1)");
    map.units[1].x = 0;
    assert_false(genome_from_map(&space, &map, &out, &e));
    assert_string_equal(e.text, "unit 1 stands at (0, 1), outside the map");
    space.height = 7;
    assert_false(genome_from_map(&space, &map, &out, &e));
    assert_string_equal(e.text, "the map has 6 x 6 cells; expected 6 x 7");
}

/* ---- comparing ---- */

static void differences_are_counted_by_halves_and_quarters(void **state) {
    (void)state;
    struct genome a, b;
    make_duel(&a);
    make_duel(&b);
    assert_true(genome_difference(&a, &b) == 0);
    b.cells[0].hp = 8;
    assert_true(genome_difference(&a, &b) == 0.25 / 36);
    b.cells[0].type = TBS_CANNON;
    assert_true(genome_difference(&a, &b) == 0.5 / 36);
    b.cells[0].terrain = TBS_WOOD;
    assert_true(genome_difference(&a, &b) == 1.0 / 36);
    b.cells[1].terrain = TBS_WOOD;
    assert_true(genome_difference(&a, &b) == 1.5 / 36);
    b.cells[35].side = TBS_RED;
    assert_true(genome_difference(&a, &b) == 2.0 / 36);
}

/* 0 for the same map alone, the same both ways, never more than the way round a third map. */
static void differences_are_distances(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 9);
    for (const struct named_space *s = test_spaces; s->name != NULL; s++)
        for (int i = 0; i < 50; i++) {
            struct genome g[3];
            for (int k = 0; k < 3; k++)
                genome_random(&s->space, &r, &g[k]);
            const double ab = genome_difference(&g[0], &g[1]), bc = genome_difference(&g[1], &g[2]);
            const double ac = genome_difference(&g[0], &g[2]);
            assert_true(ab >= 0 && ab <= 1);
            assert_true(ab == genome_difference(&g[1], &g[0]));
            assert_true(ac <= ab + bc + 1e-12);
            assert_true((ab == 0) == (memcmp(&g[0], &g[1], sizeof g[0]) == 0));
            assert_true(genome_difference(&g[2], &g[2]) == 0);
        }
}

static void hashes_distinguish_maps(void **state) {
    (void)state;
    enum { MAPS = 1500 };
    static uint64_t hashes[MAPS];
    struct space space;
    struct genome g;
    struct rng r;
    space_published(&space);
    rng_seed(&r, 10);
    for (int i = 0; i < MAPS; i++) {
        genome_random(&space, &r, &g);
        hashes[i] = genome_hash(&g);
        for (int k = 0; k < i; k++)
            assert_true(hashes[i] != hashes[k]);
    }
    make_duel(&g);
    const uint64_t before = genome_hash(&g);
    g.cells[36].terrain = TBS_WOOD; /* behind the last cell */
    assert_true(genome_hash(&g) == before);
    g.cells[35].hp--;
    assert_true(genome_hash(&g) != before);
    make_duel(&g);
    g.width = 4;
    g.height = 9;
    assert_true(genome_hash(&g) != before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_spaces_are_possible),
        cmocka_unit_test(impossible_spaces_are_refused),
        cmocka_unit_test(opposites_come_in_pairs),
        cmocka_unit_test(neighbours_are_one_step_away),
        cmocka_unit_test(random_maps_lie_in_their_space),
        cmocka_unit_test(same_seed_same_maps),
        cmocka_unit_test(roads_meet_their_image),
        cmocka_unit_test(published_maps_are_uniform),
        cmocka_unit_test(terrain_follows_its_weights),
        cmocka_unit_test(red_may_stand_in_either_half),
        cmocka_unit_test(halves_separate_the_sides),
        cmocka_unit_test(full_halves_overflow),
        cmocka_unit_test(patches_hang_together),
        cmocka_unit_test(maps_come_back),
        cmocka_unit_test(errors_are_reported),
        cmocka_unit_test(types_and_symmetry_are_checked),
        cmocka_unit_test(foreign_maps_are_refused),
        cmocka_unit_test(differences_are_counted_by_halves_and_quarters),
        cmocka_unit_test(differences_are_distances),
        cmocka_unit_test(hashes_distinguish_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
