/* SPDX-License-Identifier: MIT
 *
 * Single changes of a map, sets of them and rays: they are legal, complete, and determined by the seed.
 */
#include "evolve/repair.c" /* changes, sets and rays are internal */

#include "base/mem.h"
#include "game/tbs/map.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- maps ---- */

static void read_map(const char *text, struct tbs_map *map) {
    struct err e = {""};
    if (!tbs_map_load("map", text, strlen(text), map, &e))
        fail_msg("%s", e.text);
}

/* One infantry a side, three cells apart. */
static const char tiny[] = "SIZEX[5];SIZEY[4];TURNLIMIT[10];HPTHRESHOLD[1];"
                           "MAP[0,0,0,0,0];MAP[0,1,1,1,0];MAP[0,1,1,1,0];MAP[0,0,0,0,0];"
                           "UNIT[1,1,infantry,0,9,0];UNIT[3,2,infantry,1,4,0];";

static void draw_map(uint64_t seed, struct tbs_map *map) {
    struct tbs_random_options options;
    struct rng r;
    struct err e;
    rng_seed(&r, seed);
    tbs_random_defaults(&options);
    options.width = 3 + (int)rng_below(&r, 4);
    options.height = 3 + (int)rng_below(&r, 4);
    options.units[0] = 1 + (int)rng_below(&r, 3);
    options.units[1] = 1 + (int)rng_below(&r, 3);
    options.hp_low = 1;
    options.weight[TBS_SEA] = 20;
    options.weight[TBS_WOOD] = 20;
    options.weight[TBS_NO_ENTRY] = 5;
    assert_true(tbs_map_random(&options, &r, map, &e));
}

static void assert_legal(const struct tbs_map *map) {
    struct tbs_problems problems = {0};
    tbs_map_check(map, &problems);
    if (problems.count > 0)
        fail_msg("%s", problems.items[0].text);
}

/* ---- single changes ---- */

/* How many units and cells differ, by what differs. */
struct difference {
    int hp, places, types, terrain;
};

static struct difference compare(const struct tbs_map *a, const struct tbs_map *b) {
    struct difference d = {0};
    struct tbs_map same = *b;
    assert_int_equal(a->unit_count, b->unit_count);
    for (int i = 0; i < a->unit_count; i++) {
        const struct tbs_map_unit *u = &a->units[i], *v = &b->units[i];
        d.hp += u->hp != v->hp;
        d.places += u->x != v->x || u->y != v->y;
        d.types += u->type != v->type;
        same.units[i].hp = u->hp;
        same.units[i].x = u->x;
        same.units[i].y = u->y;
        same.units[i].type = u->type;
    }
    for (int x = 0; x < TBS_EDGE_MAX; x++)
        for (int y = 0; y < TBS_EDGE_MAX; y++)
            d.terrain += a->terrain[x][y] != b->terrain[x][y];
    memcpy(same.terrain, a->terrain, sizeof same.terrain);
    assert_memory_equal(a, &same, sizeof same); /* nothing else */
    return d;
}

static void assert_kind(const struct change *c, const struct difference *d) {
    const bool places = c->kind == REPAIR_SWAP && !c->types, types = c->kind == REPAIR_SWAP && c->types;
    assert_int_equal(d->hp, c->kind == REPAIR_HP);
    assert_int_equal(d->places, c->kind == REPAIR_MOVE ? 1 : places ? 2 : 0);
    assert_int_equal(d->types, types ? 2 : 0);
    assert_int_equal(d->terrain, c->kind == REPAIR_TERRAIN);
}

static void test_changes_are_legal(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SAMPLE(60, 20); seed++) {
        struct tbs_map map;
        struct changes list;
        int kinds[REPAIR_KINDS] = {0};
        draw_map(seed, &map);
        changes_list(&map, REPAIR_ALL, TBS_RED, seed, &list);
        for (int i = 0; i < list.count; i++) {
            struct tbs_map changed = map;
            assert_true(change_apply(&list.items[i], &changed));
            assert_legal(&changed);
            const struct difference d = compare(&map, &changed);
            assert_kind(&list.items[i], &d);
            kinds[list.items[i].kind]++;
            if (i > 0)
                assert_true(list.items[i - 1].cost <= list.items[i].cost);
        }
        assert_int_equal(kinds[REPAIR_HP], 9 * map.unit_count);
        assert_true(kinds[REPAIR_TERRAIN] > 0);
        mem_free(list.items);
    }
}

/* All of them, counted by hand: infantry of 9 and 4 HP on 3 x 2 plains. */
static void test_changes_are_complete(void **state) {
    struct tbs_map map;
    struct changes list;
    (void)state;
    read_map(tiny, &map);
    static const struct {
        unsigned kinds;
        int count;
    } cases[] = {
        {1 << REPAIR_HP, 18},
        /* Red from (1, 1): (2, 1) and (1, 2), (3, 1) and (2, 2); blue the same from its corner. */
        {1 << REPAIR_MOVE, 8},
        {1 << REPAIR_SWAP, 1},     /* places; their types are the same */
        {1 << REPAIR_TERRAIN, 28}, /* six cells, five others each, but neither unit can stand on sea */
        {REPAIR_ALL, 18 + 8 + 1 + 28},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        changes_list(&map, cases[i].kinds, TBS_RED, 1, &list);
        assert_int_equal(list.count, cases[i].count);
        mem_free(list.items);
    }
    /* Red is ahead: weakening it, or strengthening blue, comes first. */
    changes_list(&map, 1 << REPAIR_HP, TBS_RED, 1, &list);
    for (int i = 0; i < 2; i++)
        assert_int_equal(list.items[i].value, list.items[i].unit == 0 ? 8 : 5);
    mem_free(list.items);
    changes_list(&map, 1 << REPAIR_HP, TBS_BLUE, 1, &list);
    for (int i = 0; i < 2; i++)
        assert_int_equal(list.items[i].value, list.items[i].unit == 0 ? 10 : 3);
    mem_free(list.items);
}

static void test_words(void **state) {
    struct tbs_map map;
    (void)state;
    read_map(tiny, &map);
    map.units[1].type = TBS_PANZER;
    static const struct {
        struct change change;
        const char *words;
    } cases[] = {
        {{.kind = REPAIR_HP, .unit = 0, .value = 7}, "red infantry at (1, 1): HP 9 becomes 7"},
        {{.kind = REPAIR_MOVE, .unit = 1, .x = 2, .y = 2}, "blue panzer at (3, 2) moves to (2, 2)"},
        {{.kind = REPAIR_SWAP, .unit = 0, .other = 1},
         "red infantry at (1, 1) and blue panzer at (3, 2) change places"},
        {{.kind = REPAIR_SWAP, .unit = 0, .other = 1, .types = true},
         "red infantry at (1, 1) and blue panzer at (3, 2) change types"},
        {{.kind = REPAIR_TERRAIN, .x = 2, .y = 1, .value = TBS_WOOD}, "plain at (2, 1) becomes wood"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[REPAIR_TEXT_MAX];
        change_describe(&cases[i].change, &map, words, sizeof words);
        assert_string_equal(words, cases[i].words);
    }
}

/* ---- rays ---- */

/* HP of the units on the ray, summed up against the side that is ahead. */
static int points_against(const struct tbs_map *before, const struct tbs_map *after, int ahead) {
    int points = 0;
    for (int i = 0; i < before->unit_count; i++) {
        const int more = after->units[i].hp - before->units[i].hp;
        assert_true(before->units[i].side == ahead ? more <= 0 : more >= 0);
        points += before->units[i].side == ahead ? -more : more;
    }
    return points;
}

static void assert_ray(const struct tbs_map *map, const struct change_sets *sets, const struct ray *ray,
                       int ahead) {
    for (int cost = ray->base.cost + 1; cost <= ray_cost(ray); cost++) {
        struct tbs_map changed = *map;
        struct change_set set;
        ray_at(sets, ray, cost, &set);
        assert_int_equal(set.cost, cost);
        assert_in_range(set.count, 1, sets->changes_max);
        for (int i = 0; i < set.count; i++)
            assert_true(change_apply(&sets->list->items[set.changes[i]], &changed));
        assert_legal(&changed);
        assert_int_equal(points_against(map, &changed, ahead), cost - ray->base.cost);
    }
}

static void test_rays(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const int ahead = seed % 2 == 0 ? TBS_RED : TBS_BLUE;
        static struct change_sets sets;
        struct ray rays[RAYS_MAX];
        struct tbs_map map;
        struct changes list;
        draw_map(seed, &map);
        changes_list(&map, REPAIR_ALL, ahead, seed, &list);
        sets = (struct change_sets){.list = &list,
                                    .changes_max = 1 + (int)(seed % 4),
                                    .seed = seed,
                                    .goal = ahead == TBS_RED ? -3 : 3};
        int move = 0;
        while (move < list.count && list.items[move].kind != REPAIR_MOVE)
            move++;
        if (move < list.count) {
            const struct change_set helped = {
                .count = 1, .cost = list.items[move].cost, .changes = {move}, .effect = sets.goal / 2};
            sets_note(&sets, &helped, true);
        }
        const int count = rays_draw(&sets, 0, rays);
        int with_base = 0;
        for (int i = 0; i < count; i++) {
            assert_ray(&map, &sets, &rays[i], ahead);
            with_base += rays[i].base.count;
        }
        assert_true(with_base == 0 || sets.changes_max > 1);
        mem_free(list.items);
    }
}

/* ---- the effect of seeds ---- */

/* Any one or two changes that do not clash, with an effect. */
static bool draw_known(const struct change_sets *sets, struct rng *r, struct change_set *out) {
    const struct changes *list = sets->list;
    *out = (struct change_set){.effect = ((int)rng_below(r, 49) - 24) / 8.0 + 1.0 / 64}; /* no sum is 0 */
    for (int left = 1 + (int)rng_below(r, 2); left > 0; left--) {
        const int change = (int)rng_below(r, (uint32_t)list->count);
        if (!set_join(sets, out, change))
            return false;
    }
    return true;
}

static uint64_t add_set(uint64_t digest, const struct change_set *set) {
    digest = hash_u64(digest, (uint64_t)set->cost);
    digest = hash_u64(digest, (uint64_t)(int64_t)(64 * set->effect));
    for (int i = 0; i < set->count; i++)
        digest = hash_u64(digest, (uint64_t)set->changes[i]);
    return digest;
}

/* Sets of known changes: nearest the goal first, none twice; those drawn at random come behind them. Returns
 * how many were joined. */
static int assert_sets(const struct change_sets *sets, const struct change_set *built, int count, int cost) {
    int joined = 0;
    while (joined < count && built[joined].effect != 0)
        joined++;
    for (int i = 0; i < count; i++) {
        assert_int_equal(built[i].cost, cost);
        assert_in_range(built[i].count, 2, sets->changes_max);
        if (i > 0 && i < joined)
            assert_true(fabs(built[i - 1].effect - sets->goal) <= fabs(built[i].effect - sets->goal));
        for (int k = 0; k < i; k++)
            assert_true(built[k].count != built[i].count ||
                        memcmp(built[k].changes, built[i].changes, sizeof(int) * (size_t)built[i].count) !=
                            0);
    }
    assert_in_range(joined, 0, JOINED_MAX);
    assert_in_range(count - joined, 0, DRAWN_MAX);
    return joined;
}

/* Joined sets and rays are the same with every compiler on every machine; the digest changes only with an
 * intended change of the choice. */
static void test_sets_and_rays_of_seeds(void **state) {
    uint64_t digest = HASH_START;
    int most = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        static struct change_sets sets;
        struct changes list;
        struct tbs_map map;
        struct rng r;
        draw_map(seed, &map);
        rng_seed(&r, seed);
        changes_list(&map, REPAIR_ALL, (int)(seed % 2), seed, &list);
        sets = (struct change_sets){.list = &list,
                                    .changes_max = 1 + (int)(seed % 4),
                                    .seed = seed,
                                    .goal = seed % 2 == 0 ? -1.5 : 1.5};
        for (int i = 0; i < 60; i++) {
            struct change_set known;
            if (draw_known(&sets, &r, &known))
                sets_note(&sets, &known, rng_below(&r, 4) > 0);
        }
        for (int cost = 1; cost <= 9; cost++) {
            struct change_set built[SETS_MAX];
            const int count = sets_build(&sets, cost, built);
            const int joined = assert_sets(&sets, built, count, cost);
            most = joined > most ? joined : most;
            for (int i = 0; i < count; i++)
                digest = add_set(digest, &built[i]);
        }
        for (int round = 0; round < 3; round++) {
            struct ray rays[RAYS_MAX];
            const int count = rays_draw(&sets, round, rays);
            for (int i = 0; i < count; i++) {
                struct change_set set;
                ray_at(&sets, &rays[i], (rays[i].base.cost + ray_cost(&rays[i]) + 1) / 2, &set);
                digest = add_set(add_set(digest, &rays[i].base), &set);
            }
        }
        mem_free(list.items);
    }
    assert_int_equal(most, JOINED_MAX); /* so there were more sets than the limit */
    if (digest != UINT64_C(0xcafa877927af7d93))
        fail_msg("the digest is 0x%016llx", (unsigned long long)digest);
}

/* No more entries are stored than there is room for; an entry that is stored already still gets its new
 * effect. */
static void test_stored_sets(void **state) {
    static struct change_sets sets;
    (void)state;
    for (int i = 0; i < KNOWN_MAX + 2; i++) {
        const struct change_set set = {.count = 1, .cost = 1, .changes = {i}, .effect = 1};
        sets_note(&sets, &set, false);
        assert_int_equal(sets.known_count, i < KNOWN_MAX ? i : KNOWN_MAX);
        sets_note(&sets, &set, true);
        assert_int_equal(sets.known_count, i < KNOWN_MAX ? i + 1 : KNOWN_MAX);
    }
    const struct change_set again = {.count = 1, .cost = 1, .changes = {KNOWN_MAX - 1}, .effect = 2};
    sets_note(&sets, &again, false);
    assert_int_equal(sets.known_count, KNOWN_MAX);
    assert_true(sets.known[KNOWN_MAX - 1].effect > 1.5);
    assert_true(sets.known[KNOWN_MAX - 2].effect < 1.5);
}

/* Without HP there are none. */
static void test_rays_need_hp(void **state) {
    struct ray rays[RAYS_MAX];
    static struct change_sets sets;
    struct tbs_map map;
    struct changes list;
    (void)state;
    read_map(tiny, &map);
    changes_list(&map, REPAIR_ALL & ~(1U << REPAIR_HP), TBS_RED, 1, &list);
    sets = (struct change_sets){.list = &list, .changes_max = 3};
    assert_int_equal(rays_draw(&sets, 0, rays), 0);
    mem_free(list.items);
    /* Red has 9 and blue 4: one can lose 8, the other gain 6, or both. */
    changes_list(&map, 1 << REPAIR_HP, TBS_RED, 1, &list);
    assert_int_equal(rays_draw(&sets, 0, rays), 3);
    assert_int_equal(ray_cost(&rays[0]), 14);
    assert_int_equal(ray_cost(&rays[1]), 6);
    assert_int_equal(ray_cost(&rays[2]), 8);
    mem_free(list.items);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_are_legal),
        cmocka_unit_test(test_changes_are_complete),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_sets_and_rays_of_seeds),
        cmocka_unit_test(test_stored_sets),
        cmocka_unit_test(test_rays_need_hp),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
