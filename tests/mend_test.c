/* SPDX-License-Identifier: MIT
 *
 * Mending maps: single changes are legal and undone by what they say, and the search finds the smallest that
 * balance a map, whoever counts.
 */
#include "evolve/mend.h"
#include "evolve/mend_changes.h"
#include "evolve/mend_rays.h"

#include "base/mem.h"
#include "game/tbs/map_random.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- maps ---- */

static void read_map(const char *text, struct tbs_map *map) {
    struct err e = {""};
    if (!tbs_map_load("map", text, strlen(text), map, &e))
        fail_msg("%s", e.text);
}

/* Three infantries a side, blue's weaker. */
static const char unequal[] =
    "SIZEX[8];SIZEY[7];TURNLIMIT[16];HPTHRESHOLD[3];"
    "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,3,1,1,3,1,0];MAP[0,1,1,4,4,1,1,0];"
    "MAP[0,1,3,1,1,3,1,0];MAP[0,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0];"
    "UNIT[1,2,infantry,0,10,0];UNIT[1,3,infantry,0,10,0];UNIT[1,4,infantry,0,10,0];"
    "UNIT[6,2,infantry,1,8,0];UNIT[6,3,infantry,1,8,0];UNIT[6,4,infantry,1,8,0];";

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

static void assert_kind(const struct mend_change *c, const struct difference *d) {
    const bool places = c->kind == MEND_SWAP && !c->types, types = c->kind == MEND_SWAP && c->types;
    assert_int_equal(d->hp, c->kind == MEND_HP);
    assert_int_equal(d->places, c->kind == MEND_MOVE ? 1 : places ? 2 : 0);
    assert_int_equal(d->types, types ? 2 : 0);
    assert_int_equal(d->terrain, c->kind == MEND_TERRAIN);
}

static void test_changes_are_legal(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= SAMPLE(60, 20); seed++) {
        struct tbs_map map;
        struct mend_changes list;
        int kinds[MEND_KINDS] = {0};
        draw_map(seed, &map);
        assert_true(mend_changes_list(&map, MEND_ALL, TBS_RED, seed, &list));
        for (int i = 0; i < list.count; i++) {
            struct tbs_map changed = map;
            assert_true(mend_change_apply(&list.items[i], &changed));
            assert_legal(&changed);
            const struct difference d = compare(&map, &changed);
            assert_kind(&list.items[i], &d);
            kinds[list.items[i].kind]++;
            if (i > 0)
                assert_true(list.items[i - 1].cost <= list.items[i].cost);
        }
        assert_int_equal(kinds[MEND_HP], 9 * map.unit_count);
        assert_true(kinds[MEND_TERRAIN] > 0);
        mend_changes_done(&list);
    }
}

/* All of them, counted by hand: infantry of 9 and 4 HP on 3 x 2 plains. */
static void test_changes_are_complete(void **state) {
    struct tbs_map map;
    struct mend_changes list;
    (void)state;
    read_map(tiny, &map);
    static const struct {
        unsigned kinds;
        int count;
    } cases[] = {
        {1 << MEND_HP, 18},
        /* Red from (1, 1): (2, 1) and (1, 2), (3, 1) and (2, 2); blue the same from its corner. */
        {1 << MEND_MOVE, 8},
        {1 << MEND_SWAP, 1},     /* places; their types are the same */
        {1 << MEND_TERRAIN, 28}, /* six cells, five others each, but neither unit can stand on sea */
        {MEND_ALL, 18 + 8 + 1 + 28},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_true(mend_changes_list(&map, cases[i].kinds, TBS_RED, 1, &list));
        assert_int_equal(list.count, cases[i].count);
        mend_changes_done(&list);
    }
    /* Red is ahead: weakening it, or strengthening blue, comes first. */
    assert_true(mend_changes_list(&map, 1 << MEND_HP, TBS_RED, 1, &list));
    for (int i = 0; i < 2; i++)
        assert_int_equal(list.items[i].value, list.items[i].unit == 0 ? 8 : 5);
    mend_changes_done(&list);
    assert_true(mend_changes_list(&map, 1 << MEND_HP, TBS_BLUE, 1, &list));
    for (int i = 0; i < 2; i++)
        assert_int_equal(list.items[i].value, list.items[i].unit == 0 ? 10 : 3);
    mend_changes_done(&list);
}

static void test_words(void **state) {
    struct tbs_map map;
    (void)state;
    read_map(tiny, &map);
    map.units[1].type = TBS_PANZER;
    static const struct {
        struct mend_change change;
        const char *words;
    } cases[] = {
        {{.kind = MEND_HP, .unit = 0, .value = 7}, "red infantry at (1, 1): HP 9 becomes 7"},
        {{.kind = MEND_MOVE, .unit = 1, .x = 2, .y = 2}, "blue panzer at (3, 2) moves to (2, 2)"},
        {{.kind = MEND_SWAP, .unit = 0, .other = 1},
         "red infantry at (1, 1) and blue panzer at (3, 2) change places"},
        {{.kind = MEND_SWAP, .unit = 0, .other = 1, .types = true},
         "red infantry at (1, 1) and blue panzer at (3, 2) change types"},
        {{.kind = MEND_TERRAIN, .x = 2, .y = 1, .value = TBS_WOOD}, "plain at (2, 1) becomes wood"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char words[MEND_TEXT_MAX];
        mend_change_say(&cases[i].change, &map, words, sizeof words);
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

static void assert_ray(const struct tbs_map *map, const struct mend_sets *sets, const struct mend_ray *ray,
                       int ahead) {
    for (int cost = ray->base.cost + 1; cost <= mend_ray_cost(ray); cost++) {
        struct tbs_map changed = *map;
        struct mend_set set;
        mend_ray_at(sets, ray, cost, &set);
        assert_int_equal(set.cost, cost);
        assert_in_range(set.count, 1, sets->changes_max);
        for (int i = 0; i < set.count; i++)
            assert_true(mend_change_apply(&sets->list->items[set.changes[i]], &changed));
        assert_legal(&changed);
        assert_int_equal(points_against(map, &changed, ahead), cost - ray->base.cost);
    }
}

static void test_rays(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const int ahead = seed % 2 == 0 ? TBS_RED : TBS_BLUE;
        static struct mend_sets sets;
        struct mend_ray rays[MEND_RAYS_MAX];
        struct tbs_map map;
        struct mend_changes list;
        draw_map(seed, &map);
        assert_true(mend_changes_list(&map, MEND_ALL, ahead, seed, &list));
        sets = (struct mend_sets){.list = &list,
                                  .changes_max = 1 + (int)(seed % 4),
                                  .seed = seed,
                                  .goal = ahead == TBS_RED ? -3 : 3};
        int move = 0;
        while (move < list.count && list.items[move].kind != MEND_MOVE)
            move++;
        if (move < list.count) {
            const struct mend_set helped = {
                .count = 1, .cost = list.items[move].cost, .changes = {move}, .effect = sets.goal / 2};
            mend_sets_note(&sets, &helped, true);
        }
        const int count = mend_rays_draw(&sets, 0, rays);
        int with_base = 0;
        for (int i = 0; i < count; i++) {
            assert_ray(&map, &sets, &rays[i], ahead);
            with_base += rays[i].base.count;
        }
        assert_true(with_base == 0 || sets.changes_max > 1);
        mend_changes_done(&list);
    }
}

/* Without HP there are none. */
static void test_rays_need_hp(void **state) {
    struct mend_ray rays[MEND_RAYS_MAX];
    static struct mend_sets sets;
    struct tbs_map map;
    struct mend_changes list;
    (void)state;
    read_map(tiny, &map);
    assert_true(mend_changes_list(&map, MEND_ALL & ~(1U << MEND_HP), TBS_RED, 1, &list));
    sets = (struct mend_sets){.list = &list, .changes_max = 3};
    assert_int_equal(mend_rays_draw(&sets, 0, rays), 0);
    mend_changes_done(&list);
    /* Red has 9 and blue 4: one can lose 8, the other gain 6, or both. */
    assert_true(mend_changes_list(&map, 1 << MEND_HP, TBS_RED, 1, &list));
    assert_int_equal(mend_rays_draw(&sets, 0, rays), 3);
    assert_int_equal(mend_ray_cost(&rays[0]), 14);
    assert_int_equal(mend_ray_cost(&rays[1]), 6);
    assert_int_equal(mend_ray_cost(&rays[2]), 8);
    mend_changes_done(&list);
}

/* ---- the search ---- */

static const struct mend_options usual = {.low = 0.35,
                                          .high = 0.65,
                                          .kinds = MEND_ALL,
                                          .changes_max = 3,
                                          .games_max = SAMPLE(6000, 2000),
                                          .games_sure = SAMPLE(100, 40)};

static atomic_bool stop;

struct stopper {
    int games, games_max;
};

static void count_trial(void *context, bool recalled) {
    struct stopper *s = context;
    (void)recalled;
    if (++s->games == s->games_max)
        atomic_store(&stop, true);
}

static struct evaluator *open_evaluator(uint64_t seed, int workers, struct stopper *stopper) {
    const struct evaluator_setup setup = {.rules = &tbs_rule_sets[0],
                                          .strong = "muct:sims=16,memory=1",
                                          .weak = "random",
                                          .seed = seed,
                                          .workers = workers,
                                          .stop = &stop,
                                          .on_trial = count_trial,
                                          .context = stopper};
    struct err e = {""};
    atomic_store(&stop, false);
    struct evaluator *ev = evaluator_open(&setup, &e);
    if (ev == NULL)
        fail_msg("%s", e.text);
    return ev;
}

/* The share of games between equals that were not drawn. */
static double decided_of(const struct judgement *j) {
    return 1 - (double)j->peers.draws / tally_games(&j->peers);
}

/* Mends and checks what must hold of any result. */
static struct mend_result mend(const struct tbs_map *map, const struct mend_options *options, int workers) {
    struct stopper stopper = {0};
    struct evaluator *ev = open_evaluator(11, workers, &stopper);
    const struct mend_run run = {.map = map, .options = options, .evaluator = ev, .seed = 11};
    struct mend_result r;
    struct err e = {""};
    bool complete;
    if (!mend_map(&run, &r, &complete, &e))
        fail_msg("%s", e.text);
    evaluator_close(ev);
    assert_true(complete);
    assert_int_equal(r.games, stopper.games);
    assert_true(r.games <= options->games_max);
    assert_legal(&r.map);
    assert_in_range(r.change_count, 0, options->changes_max);
    assert_int_equal(tally_games(&r.before.peers), options->games_sure);
    assert_int_equal(tally_games(&r.after.peers), options->games_sure);
    const double score = judgement_red(&r.after).value;
    const double decided = fmin(options->decided, decided_of(&r.before));
    assert_int_equal(r.found,
                     score >= options->low && score <= options->high && decided_of(&r.after) >= decided);
    return r;
}

/* Is what was listed all that differs? Replays the words on the map before. */
static void assert_undone(const struct tbs_map *map, const struct mend_result *r, unsigned kinds) {
    struct tbs_map replayed = *map;
    struct mend_changes list;
    assert_true(mend_changes_list(map, kinds, TBS_RED, 1, &list));
    for (int i = 0; i < r->change_count; i++) {
        int at = 0;
        for (char words[MEND_TEXT_MAX]; at < list.count; at++) {
            mend_change_say(&list.items[at], &replayed, words, sizeof words);
            if (strcmp(words, r->changes[i]) == 0)
                break;
        }
        if (at == list.count)
            fail_msg("'%s' is no change of these kinds", r->changes[i]);
        assert_true(mend_change_apply(&list.items[at], &replayed));
    }
    assert_memory_equal(&replayed, &r->map, sizeof replayed);
    mend_changes_done(&list);
}

static void test_mends(void **state) {
    struct tbs_map map;
    (void)state;
    read_map(unequal, &map);
    const struct mend_result r = mend(&map, &usual, 2);
    assert_false(r.was_good);
    assert_true(r.found);
    assert_true(judgement_red(&r.before).value > 0.9);
    assert_in_range(r.change_count, 1, 3);
    assert_in_range(r.cost, 1, 12);
    assert_undone(&map, &r, MEND_ALL);
    /* Another number of workers, the same result. */
    const struct mend_result again = mend(&map, &usual, 3);
    assert_memory_equal(&r.map, &again.map, sizeof r.map);
    assert_memory_equal(&r.after, &again.after, sizeof r.after);
    assert_int_equal(r.games, again.games);
    assert_int_equal(r.candidates, again.candidates);
    /* What was mended needs no mending. */
    struct mend_options wider = usual;
    wider.low = 0.25;
    wider.high = 0.75;
    const struct mend_result good = mend(&r.map, &wider, 1);
    assert_true(good.was_good);
    assert_true(good.found);
    assert_int_equal(good.change_count, 0);
    assert_int_equal(good.candidates, 0);
    assert_memory_equal(&good.map, &r.map, sizeof r.map);
}

static void test_kinds(void **state) {
    struct tbs_map map;
    (void)state;
    read_map(unequal, &map);
    for (int kind = 0; kind < MEND_KINDS; kind++) {
        struct mend_options options = usual;
        options.kinds = 1U << kind;
        options.games_max = SAMPLE(2500, 2000);
        const struct mend_result r = mend(&map, &options, 2);
        assert_undone(&map, &r, options.kinds);
        if (kind == MEND_HP)
            assert_true(r.found);
    }
}

static double score_of(struct evaluator *ev, int id, const struct tbs_map *map) {
    struct judgement j = {0};
    struct err e;
    bool complete;
    const struct request request = {id, map, TRIAL_PEERS, 0, SAMPLE(300, 80), &j};
    assert_true(evaluator_play(ev, &request, 1, &complete, &e));
    assert_true(complete);
    return judgement_red(&j).value;
}

/* The least cost of one or two changes that bring the score to between low and high, trying all of them. */
static int least_cost(const struct tbs_map *map, const struct mend_changes *list, const double *scores,
                      double low, double high) {
    int least = 1000;
    (void)map;
    for (int i = 0; i < list->count; i++)
        for (int k = i; k < list->count; k++) {
            const double score = scores[i * list->count + k];
            const int cost = list->items[i].cost + (k > i ? list->items[k].cost : 0);
            if (score >= low && score <= high && cost < least)
                least = cost;
        }
    return least;
}

static void test_least_cost(void **state) {
    enum { CHANGES = 18 };
    static double scores[CHANGES * CHANGES];
    struct tbs_map map;
    struct mend_changes list;
    struct stopper stopper = {0};
    struct mend_options options = usual;
    (void)state;
    options.kinds = 1 << MEND_HP;
    options.changes_max = 2;
    read_map(tiny, &map);
    assert_true(mend_changes_list(&map, options.kinds, TBS_RED, 1, &list));
    assert_int_equal(list.count, CHANGES);
    struct evaluator *ev = open_evaluator(99, 2, &stopper);
    for (int i = 0; i < CHANGES; i++)
        for (int k = i; k < CHANGES; k++) {
            struct tbs_map changed = map;
            assert_true(mend_change_apply(&list.items[i], &changed));
            const bool one = k == i, possible = one || (!mend_changes_clash(&list.items[i], &list.items[k]) &&
                                                        mend_change_apply(&list.items[k], &changed));
            scores[i * CHANGES + k] = possible ? score_of(ev, i * CHANGES + k, &changed) : -1;
        }
    evaluator_close(ev);
    /* Those that are clearly inside bound it from above, those that might be from below. */
    const int most = least_cost(&map, &list, scores, options.low + 0.08, options.high - 0.08);
    const int least = least_cost(&map, &list, scores, options.low - 0.08, options.high + 0.08);
    assert_in_range(most, 1, 18);
    const struct mend_result r = mend(&map, &options, 2);
    assert_true(r.found);
    assert_in_range(r.cost, least, most);
    mend_changes_done(&list);
}

/* Where no change can help the best that was seen is shown, and the budget is kept. */
static void test_not_found(void **state) {
    struct tbs_map map;
    struct mend_options options = usual;
    (void)state;
    read_map(unequal, &map);
    for (int i = 0; i < 3; i++)
        map.units[i].type = TBS_FIGHTER; /* which infantry cannot attack */
    options.kinds = 1 << MEND_TERRAIN;
    options.changes_max = 1;
    options.games_sure = 20;
    options.games_max = mend_games_least(20);
    options.low = 0.64;
    const struct mend_result r = mend(&map, &options, 2);
    assert_false(r.found);
    assert_false(r.was_good);
    assert_undone(&map, &r, options.kinds);
}

/* Where one side always wins no small change shows anything; large ones are found all the same. */
static void test_large_changes(void **state) {
    struct tbs_map map;
    struct mend_options options = usual;
    (void)state;
    read_map(unequal, &map);
    for (int i = 3; i < 6; i++)
        map.units[i].hp = 4;
    options.kinds = 1 << MEND_HP;
    options.games_max = SAMPLE(3000, 1500);
    const struct mend_result r = mend(&map, &options, 2);
    assert_true(judgement_red(&r.before).value > 0.99);
    assert_true(r.found);
    assert_false(r.out_of_reach);
    assert_in_range(r.cost, 6, 27);
    assert_undone(&map, &r, options.kinds);
}

/* One unit's HP cannot make up for three panzers; that is noticed early. */
static void test_out_of_reach(void **state) {
    struct tbs_map map;
    struct mend_options options = usual;
    (void)state;
    read_map(unequal, &map);
    for (int i = 0; i < 6; i++) {
        map.units[i].type = i < 3 ? TBS_PANZER : TBS_INFANTRY;
        map.units[i].hp = i < 3 ? 10 : 1;
    }
    options.kinds = 1 << MEND_HP;
    options.changes_max = 1;
    const struct mend_result r = mend(&map, &options, 2);
    assert_false(r.found);
    assert_true(r.out_of_reach);
    assert_true(r.games < options.games_max / 2);
}

/* Draws are no balance: `mend` checks that enough games are decided. */
static void test_lively(void **state) {
    struct tbs_map map;
    struct mend_options options = usual;
    (void)state;
    read_map(unequal, &map);
    map.threshold = 10;
    static const double shares[] = {0.6, 0, 0.9};
    for (size_t i = 0; i < SAMPLE(sizeof shares / sizeof shares[0], 1); i++) {
        options.decided = shares[i];
        const struct mend_result r = mend(&map, &options, 2);
        assert_true(!r.found || r.alike >= 1 || r.was_good);
    }
}

/* Every allocation may fail: a sentence, and nothing leaks or crashes. */
static void test_memory(void **state) {
    static const struct mend_options few = {.low = 0.45,
                                            .high = 0.55,
                                            .kinds = 1 << MEND_HP,
                                            .changes_max = 2,
                                            .games_max = 800,
                                            .games_sure = MEND_SURE_MIN};
    struct tbs_map map;
    bool done = false;
    (void)state;
    read_map(tiny, &map);
    for (long n = 1; !done; n += 1 + n / 16) {
        const struct evaluator_setup setup = {
            .rules = &tbs_rule_sets[0], .strong = "random", .weak = "random", .workers = 1, .stop = &stop};
        struct err e = {""};
        struct mend_result r;
        bool complete = false;
        atomic_store(&stop, false);
        struct evaluator *ev = evaluator_open(&setup, &e);
        assert_non_null(ev);
        const struct mend_run run = {.map = &map, .options = &few, .evaluator = ev, .seed = 3};
        mem_fail_at(n);
        done = mend_map(&run, &r, &complete, &e);
        mem_fail_at(0);
        if (!done && strstr(e.text, "memory") == NULL)
            fail_msg("allocation %ld: '%s'", n, e.text);
        evaluator_close(ev);
    }
}

static void test_refuses(void **state) {
    struct tbs_map map;
    struct err e;
    struct mend_result r;
    bool complete;
    (void)state;
    read_map(tiny, &map);
    map.units[0].hp = 11;
    assert_false(mend_check(&map, &e));
    assert_non_null(strstr(e.text, "HP 11"));
    read_map(tiny, &map);
    map.terrain[1][1] = TBS_SEA;
    assert_false(mend_check(&map, &e));
    assert_non_null(strstr(e.text, "sea"));
    read_map(tiny, &map);
    assert_true(mend_check(&map, &e));
    struct mend_options wrong[6] = {usual, usual, usual, usual, usual, usual};
    wrong[0].low = 0.7;
    wrong[1].kinds = 0;
    wrong[2].changes_max = MEND_CHANGES_MAX + 1;
    wrong[3].games_sure = MEND_SURE_MIN - 1;
    wrong[4].games_max = mend_games_least(usual.games_sure) - 1;
    wrong[5].decided = 1.5;
    static const char *const words[] = {"target", "kind", "changes", "sure", "budget", "decided"};
    for (int i = 0; i < 6; i++) {
        const struct mend_run run = {.map = &map, .options = &wrong[i]};
        assert_false(mend_map(&run, &r, &complete, &e));
        assert_non_null(strstr(e.text, words[i]));
    }
}

static void test_stops(void **state) {
    struct tbs_map map;
    (void)state;
    read_map(unequal, &map);
    static const int after[] = {1, SAMPLE(120, 60), SAMPLE(170, 110), SAMPLE(700, 300)};
    for (size_t i = 0; i < sizeof after / sizeof after[0]; i++) {
        struct stopper stopper = {0, after[i]};
        struct evaluator *ev = open_evaluator(11, 2, &stopper);
        const struct mend_run run = {.map = &map, .options = &usual, .evaluator = ev, .seed = 11};
        struct mend_result r;
        struct err e;
        bool complete = true;
        assert_true(mend_map(&run, &r, &complete, &e));
        assert_false(complete);
        evaluator_close(ev);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_changes_are_legal),
        cmocka_unit_test(test_changes_are_complete),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_rays_need_hp),
        cmocka_unit_test(test_mends),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_least_cost),
        cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_large_changes),
        cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_lively),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
