/* SPDX-License-Identifier: MIT
 *
 * Random maps are legal whatever the options, as long as the options leave any map possible.
 */
#include "game/tbs/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void make(const struct tbs_random_options *options, struct rng *r, struct tbs_map *out) {
    struct err e;
    if (!tbs_map_random(options, r, out, &e))
        fail_msg("%d x %d, %d and %d units: %s", options->width, options->height, options->units[0],
                 options->units[1], e.text);
}

static void assert_legal(const struct tbs_map *map) {
    struct tbs_problems problems = {0};
    tbs_map_check(map, &problems);
    if (problems.count > 0)
        fail_msg("%s", problems.items[0].text);
}

static void assert_obeys(const struct tbs_map *map, const struct tbs_random_options *o) {
    assert_int_equal(map->width, o->width + 2);
    assert_int_equal(map->height, o->height + 2);
    assert_int_equal(map->turn_limit, o->turn_limit);
    assert_int_equal(map->threshold, o->threshold);
    for (int side = 0; side < TBS_SIDES; side++) {
        assert_int_equal(tbs_map_side_units(map, side), o->units[side]);
        assert_int_equal(map->declared[side], o->units[side]);
    }
    for (int i = 0; i < map->unit_count; i++) {
        assert_true(o->types >> map->units[i].type & 1);
        assert_in_range(map->units[i].hp, o->hp_low, o->hp_high);
    }
    for (int x = 1; x <= o->width; x++)
        for (int y = 1; y <= o->height; y++)
            assert_true(o->weight[map->terrain[x][y]] > 0);
}

static void assert_symmetric(const struct tbs_map *map) {
    for (int x = 0; x < map->width; x++)
        for (int y = 0; y < map->height; y++)
            assert_int_equal(map->terrain[x][y], map->terrain[map->width - 1 - x][map->height - 1 - y]);
    const int half = map->unit_count / 2;
    for (int i = 0; i < half; i++) {
        const struct tbs_map_unit *u = &map->units[i], *v = &map->units[i + half];
        assert_true(u->side == TBS_RED && v->side == TBS_BLUE && u->type == v->type && u->hp == v->hp);
        assert_int_equal(u->x + v->x, map->width - 1);
        assert_int_equal(u->y + v->y, map->height - 1);
    }
}

/* Anything that is possible, up to boards without a free cell and boards of walls. */
static void draw_options(struct rng *r, struct tbs_random_options *o) {
    static const int edges[] = {1, 2, 3, 4, 5, 6, 8, 9, 17, 32};
    tbs_random_defaults(o);
    do {
        o->width = edges[rng_below(r, COUNT(edges))];
        o->height = edges[rng_below(r, COUNT(edges))];
    } while (o->width * o->height < 2);
    o->symmetric = rng_below(r, 2) == 0;
    const int room = o->width * o->height, pairs = room / 2;
    const int most = pairs < TBS_SIDE_UNITS_MAX ? pairs : TBS_SIDE_UNITS_MAX;
    o->units[TBS_RED] = rng_below(r, 3) == 0 ? most : 1 + (int)rng_below(r, (uint32_t)most);
    const int left = room - o->units[TBS_RED];
    o->units[TBS_BLUE] = o->symmetric                ? o->units[TBS_RED]
                         : left < TBS_SIDE_UNITS_MAX ? left
                                                     : TBS_SIDE_UNITS_MAX;
    if (!o->symmetric && rng_below(r, 2) == 0)
        o->units[TBS_BLUE] = 1 + (int)rng_below(r, (uint32_t)o->units[TBS_BLUE]);
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        o->weight[terrain] = rng_below(r, 2) == 0 ? 0 : (int)rng_below(r, TBS_WEIGHT_MAX + 1);
    o->hp_low = 1 + (int)rng_below(r, TBS_HP_FULL);
    o->hp_high = o->hp_low + (int)rng_below(r, (uint32_t)(TBS_HP_FULL - o->hp_low + 1));
    o->types = 1 + rng_below(r, TBS_ALL_TYPES);
}

/* Is there, for each type that may come, terrain it can stand on? Only then must a map be made. */
static bool is_possible(const struct tbs_random_options *o) {
    for (int type = 0; type < TBS_TYPES; type++) {
        int weight = 0;
        for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
            if (tbs_terrain_types[terrain].cost[tbs_unit_types[type].class] < TBS_IMPASSABLE)
                weight += o->weight[terrain];
        if ((o->types >> type & 1) != 0 && weight == 0)
            return false;
    }
    return true;
}

static void random_maps_are_legal(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 5);
    int made = 0, refused = 0;
    for (int i = 0; i < 5000; i++) {
        struct tbs_random_options options;
        struct tbs_map map;
        struct err e;
        draw_options(&r, &options);
        if (!is_possible(&options)) {
            assert_false(tbs_map_random(&options, &r, &map, &e));
            refused++;
            continue;
        }
        make(&options, &r, &map);
        assert_legal(&map);
        assert_obeys(&map, &options);
        if (options.symmetric)
            assert_symmetric(&map);
        made++;
    }
    assert_true(made > 1000);
    assert_true(refused > 100);
}

/* A map made again from its seed, years later: all of them are unchanged. */
static void seeds_give_these_maps(void **state) {
    (void)state;
    struct rng r;
    struct text text = {0};
    uint64_t sum = 0;
    rng_seed(&r, 11);
    for (int i = 0; i < 400; i++) {
        struct tbs_random_options options;
        struct tbs_map map;
        draw_options(&r, &options);
        if (!is_possible(&options))
            continue;
        make(&options, &r, &map);
        text_clear(&text);
        tbs_map_write(&map, &text);
        for (size_t k = 0; k < text.size; k++)
            sum = rng_mix(sum + (unsigned char)text.data[k]);
    }
    text_done(&text);
    assert_int_equal(sum, UINT64_C(0x564213f4a75ace2a));
}

/* Each number at its lowest and its highest, and one beyond. */
static void numbers_have_limits(void **state) {
    (void)state;
    static const struct {
        size_t field;
        int low, high;
        const char *what;
    } numbers[] = {
        {offsetof(struct tbs_random_options, width), 1, 32, "the width"},
        {offsetof(struct tbs_random_options, height), 1, 32, "the height"},
        {offsetof(struct tbs_random_options, units[TBS_RED]), 1, 64, "the number of red units"},
        {offsetof(struct tbs_random_options, units[TBS_BLUE]), 1, 64, "the number of blue units"},
        {offsetof(struct tbs_random_options, turn_limit), 1, 9999, "the turn limit"},
        {offsetof(struct tbs_random_options, threshold), 0, 1000000, "the HP threshold"},
        {offsetof(struct tbs_random_options, hp_low), 1, 10, "the least HP"},
        {offsetof(struct tbs_random_options, hp_high), 1, 10, "the most HP"},
        {offsetof(struct tbs_random_options, weight[TBS_WOOD]), 0, 10000, "the weight of wood"},
        {offsetof(struct tbs_random_options, weight[TBS_FORTRESS]), 0, 10000, "the weight of fortress"},
    };
    for (size_t i = 0; i < COUNT(numbers); i++)
        for (int beyond = -1; beyond <= 1; beyond += 2)
            for (int step = 0; step < 2; step++) {
                struct tbs_random_options options;
                struct tbs_map map;
                struct rng r;
                struct err e = {""};
                rng_seed(&r, 2);
                tbs_random_defaults(&options);
                options.width = options.height = 20;
                options.units[TBS_RED] = options.units[TBS_BLUE] = 2;
                options.hp_low = 1;
                options.hp_high = 10;
                const int value = (beyond < 0 ? numbers[i].low : numbers[i].high) + step * beyond;
                memcpy((char *)&options + numbers[i].field, &value, sizeof value);
                if (tbs_map_random(&options, &r, &map, &e) != (step == 0))
                    fail_msg("%s %d: %s", numbers[i].what, value, e.text);
                char expected[100];
                snprintf(expected, sizeof expected, "%s is %d; expected %d to %d", numbers[i].what, value,
                         numbers[i].low, numbers[i].high);
                assert_true(step == 0 || strcmp(e.text, expected) == 0);
            }
}

static void units_need_room(void **state) {
    (void)state;
    static const struct {
        int edge, red, blue;
        bool symmetric;
        const char *sentence;
    } cases[] = {
        {3, 5, 4, false, ""},
        {3, 5, 5, false, "10 units do not fit on 3 x 3 cells"},
        {3, 4, 4, true, ""},
        {3, 5, 5, true, "5 units a side do not fit on 3 x 3 cells: a symmetric map has room for 4"},
        {9, 5, 4, true, "a symmetric map has as many red as blue units, not 5 and 4"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct tbs_random_options options;
        struct tbs_map map;
        struct rng r;
        struct err e = {""};
        rng_seed(&r, 2);
        tbs_random_defaults(&options);
        options.width = options.height = cases[i].edge;
        options.units[TBS_RED] = cases[i].red;
        options.units[TBS_BLUE] = cases[i].blue;
        options.symmetric = cases[i].symmetric;
        assert_int_equal(tbs_map_random(&options, &r, &map, &e), cases[i].sentence[0] == '\0');
        assert_string_equal(e.text, cases[i].sentence);
    }
}

static void sides_stand_apart_where_there_is_room(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 6);
    for (int i = 0; i < 500; i++) {
        struct tbs_random_options options;
        struct tbs_map map;
        tbs_random_defaults(&options);
        options.symmetric = i % 2 == 0;
        options.width = 4 + i % 5;
        options.weight[TBS_MOUNTAIN] = 0; /* then every unit can stand on every cell */
        make(&options, &r, &map);
        for (int id = 0; id < map.unit_count; id++) {
            const int x = map.units[id].x, half = options.width / 2;
            assert_true(map.units[id].side == TBS_RED ? x <= half : x > options.width - half);
        }
    }
}

static void the_same_seed_gives_the_same_map(void **state) {
    (void)state;
    struct text texts[3] = {{0}};
    static const uint64_t seeds[3] = {1, 1, 2};
    for (int i = 0; i < 3; i++) {
        struct tbs_random_options options;
        struct tbs_map map;
        struct rng r;
        rng_seed(&r, seeds[i]);
        tbs_random_defaults(&options);
        options.hp_low = 1;
        make(&options, &r, &map);
        tbs_map_write(&map, &texts[i]);
    }
    assert_string_equal(text_string(&texts[0]), text_string(&texts[1]));
    assert_string_not_equal(text_string(&texts[0]), text_string(&texts[2]));
    for (int i = 0; i < 3; i++)
        text_done(&texts[i]);
}

/* Frequencies of a large board against its weights, within five standard deviations. */
static void terrain_comes_as_often_as_its_weight(void **state) {
    (void)state;
    struct tbs_random_options options;
    struct tbs_map map;
    struct rng r;
    rng_seed(&r, 7);
    tbs_random_defaults(&options);
    options.width = options.height = TBS_CELLS_MAX;
    options.weight[TBS_SEA] = 10;
    options.weight[TBS_NO_ENTRY] = 10;
    int count[TBS_TERRAINS] = {0}, sum = 0, cells = 0;
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        sum += options.weight[terrain];
    for (int i = 0; i < 20; i++) {
        make(&options, &r, &map);
        for (int x = 1; x <= options.width; x++)
            for (int y = 1; y <= options.height; y++, cells++)
                count[map.terrain[x][y]]++;
    }
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
        const double p = (double)options.weight[terrain] / sum, off = count[terrain] - p * cells;
        assert_true(off * off <= 25 * p * (1 - p) * cells);
    }
}

struct refusal {
    struct tbs_random_options options;
    const char *words;
};

#define PLAIN_MAP                                                                                            \
    .weight = {[TBS_PLAIN] = 1}, .turn_limit = 9, .hp_low = 1, .hp_high = 10, .types = TBS_ALL_TYPES

static void impossible_options_are_refused(void **state) {
    (void)state;
    static const struct refusal refusals[] = {
        {{.width = 0, .height = 6, .units = {1, 1}, PLAIN_MAP}, "the width is 0; expected 1 to 32"},
        {{.width = 6, .height = 33, .units = {1, 1}, PLAIN_MAP}, "the height is 33"},
        {{.width = 6, .height = 6, .units = {0, 1}, PLAIN_MAP},
         "the number of red units is 0; expected 1 to 64"},
        {{.width = 32, .height = 6, .units = {1, 65}, PLAIN_MAP}, "the number of blue units is 65"},
        {{.width = 3, .height = 3, .units = {5, 5}, PLAIN_MAP}, "10 units do not fit on 3 x 3 cells"},
        {{.width = 3, .height = 3, .units = {5, 5}, .symmetric = true, PLAIN_MAP}, "has room for 4"},
        {{.width = 6, .height = 6, .units = {5, 4}, .symmetric = true, PLAIN_MAP},
         "as many red as blue units"},
        {{.width = 6, .height = 6, .units = {1, 1}, .turn_limit = 9, .hp_low = 1, .hp_high = 1, .types = 1},
         "no terrain has"},
        {{.width = 6,
          .height = 6,
          .units = {1, 1},
          .weight = {[TBS_SEA] = 1},
          .turn_limit = 9,
          .hp_low = 1,
          .hp_high = 1,
          .types = TBS_ALL_TYPES},
         "panzer has no terrain to stand on"},
        {{.width = 6,
          .height = 6,
          .units = {1, 1},
          .weight = {[TBS_WOOD] = -1},
          .turn_limit = 9,
          .hp_low = 1,
          .hp_high = 1,
          .types = 1},
         "the weight of wood is -1"},
        {{.width = 6,
          .height = 6,
          .units = {1, 1},
          .weight = {[TBS_PLAIN] = 1},
          .turn_limit = 9,
          .hp_low = 5,
          .hp_high = 4,
          .types = 1},
         "the most HP is 4; expected 5 to 10"},
        {{.width = 6,
          .height = 6,
          .units = {1, 1},
          .weight = {[TBS_PLAIN] = 1},
          .turn_limit = 9,
          .hp_low = 1,
          .hp_high = 1},
         "unit types is empty"},
    };
    for (size_t i = 0; i < COUNT(refusals); i++) {
        struct tbs_map map;
        struct rng r;
        struct err e = {""};
        rng_seed(&r, 1);
        assert_false(tbs_map_random(&refusals[i].options, &r, &map, &e));
        if (strstr(e.text, refusals[i].words) == NULL)
            fail_msg("said '%s'; expected '%s'", e.text, refusals[i].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_maps_are_legal),
        cmocka_unit_test(seeds_give_these_maps),
        cmocka_unit_test(numbers_have_limits),
        cmocka_unit_test(units_need_room),
        cmocka_unit_test(sides_stand_apart_where_there_is_room),
        cmocka_unit_test(the_same_seed_gives_the_same_map),
        cmocka_unit_test(terrain_comes_as_often_as_its_weight),
        cmocka_unit_test(impossible_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
