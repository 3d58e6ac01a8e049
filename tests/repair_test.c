/* SPDX-License-Identifier: MIT
 *
 * Repair of maps: the search finds the smallest changes that balance a map, with any number of workers, and
 * describes them.
 */
#include "evolve/repair.c" /* single changes are internal */

#include "base/mem.h"
#include "game/tbs/map.h"
#include "sample.h"
#include "tests/memory_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* A call that memory ends frees what its thread has allocated; players that the pool's threads have opened,
 * and their JSON, are not freed, as in a program that ends then. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:worker_main\nleak:libjansson\n";
}

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

static void assert_legal(const struct tbs_map *map) {
    struct tbs_problems problems = {0};
    tbs_map_check(map, &problems);
    if (problems.count > 0)
        fail_msg("%s", problems.items[0].text);
}

/* ---- the search ---- */

static const struct repair_options default_options = {.low = 0.35,
                                                      .high = 0.65,
                                                      .kinds = REPAIR_ALL,
                                                      .changes_max = 3,
                                                      .games_max = SAMPLE(6000, 2000),
                                                      .games_sure = SAMPLE(100, 40)};

static atomic_bool stop;

struct stopper {
    int games, games_max;
};

static void count_trial(void *context, const struct sample_game *sample, bool recalled) {
    (void)sample;
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
                                          .on_game = count_trial,
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

/* Repairs the map and checks what must hold of any result. */
static struct repair_result run_repair(const struct tbs_map *map, const struct repair_options *options,
                                       int workers) {
    struct stopper stopper = {0};
    struct evaluator *ev = open_evaluator(11, workers, &stopper);
    const struct repair_run run = {.map = map, .options = options, .evaluator = ev, .seed = 11};
    struct repair_result r;
    struct err e = {""};
    bool complete;
    if (!repair_map(&run, &r, &complete, &e))
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

/* Do the listed changes account for the whole difference? Applies them to the original map. */
static void assert_undone(const struct tbs_map *map, const struct repair_result *r, unsigned kinds) {
    struct tbs_map replayed = *map;
    struct changes list;
    changes_list(map, kinds, TBS_RED, 1, &list);
    for (int i = 0; i < r->change_count; i++) {
        int at = 0;
        for (char words[REPAIR_TEXT_MAX]; at < list.count; at++) {
            change_describe(&list.items[at], &replayed, words, sizeof words);
            if (strcmp(words, r->changes[i]) == 0)
                break;
        }
        if (at == list.count)
            fail_msg("'%s' is no change of these kinds", r->changes[i]);
        assert_true(change_apply(&list.items[at], &replayed));
    }
    assert_memory_equal(&replayed, &r->map, sizeof replayed);
    mem_free(list.items);
}

static void test_repairs(void **state) {
    struct tbs_map map;
    (void)state;
    read_map(unequal, &map);
    const struct repair_result r = run_repair(&map, &default_options, 2);
    assert_false(r.was_good);
    assert_true(r.found);
    assert_true(judgement_red(&r.before).value > 0.9);
    assert_in_range(r.change_count, 1, 3);
    assert_in_range(r.cost, 1, 12);
    assert_undone(&map, &r, REPAIR_ALL);
    /* Another number of workers, the same result. */
    const struct repair_result again = run_repair(&map, &default_options, 3);
    assert_memory_equal(&r.map, &again.map, sizeof r.map);
    assert_memory_equal(&r.after, &again.after, sizeof r.after);
    assert_int_equal(r.games, again.games);
    assert_int_equal(r.candidates, again.candidates);
    /* A repaired map needs no repair. */
    struct repair_options wider = default_options;
    wider.low = 0.25;
    wider.high = 0.75;
    const struct repair_result good = run_repair(&r.map, &wider, 1);
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
    for (int kind = 0; kind < REPAIR_KINDS; kind++) {
        struct repair_options options = default_options;
        options.kinds = 1U << kind;
        options.games_max = SAMPLE(2500, 2000);
        const struct repair_result r = run_repair(&map, &options, 2);
        assert_undone(&map, &r, options.kinds);
        if (kind == REPAIR_HP)
            assert_true(r.found);
    }
}

static double score_of(struct evaluator *ev, int id, const struct tbs_map *map) {
    struct judgement j = {0};
    struct err e;
    bool complete;
    const struct request request = {id, map, SAMPLE_PEERS, 0, SAMPLE(300, 80), &j};
    assert_true(evaluator_play(ev, &request, 1, &complete, &e));
    assert_true(complete);
    return judgement_red(&j).value;
}

/* The least cost of one or two changes that bring the score to between low and high, trying all of them. */
static int least_cost(const struct tbs_map *map, const struct changes *list, const double *scores, double low,
                      double high) {
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
    struct changes list;
    struct stopper stopper = {0};
    struct repair_options options = default_options;
    (void)state;
    options.kinds = 1 << REPAIR_HP;
    options.changes_max = 2;
    read_map(tiny, &map);
    changes_list(&map, options.kinds, TBS_RED, 1, &list);
    assert_int_equal(list.count, CHANGES);
    struct evaluator *ev = open_evaluator(99, 2, &stopper);
    for (int i = 0; i < CHANGES; i++)
        for (int k = i; k < CHANGES; k++) {
            struct tbs_map changed = map;
            assert_true(change_apply(&list.items[i], &changed));
            const bool one = k == i, possible = one || (!changes_clash(&list.items[i], &list.items[k]) &&
                                                        change_apply(&list.items[k], &changed));
            scores[i * CHANGES + k] = possible ? score_of(ev, i * CHANGES + k, &changed) : -1;
        }
    evaluator_close(ev);
    /* Those that are clearly inside bound it from above, those that might be from below. */
    const int most = least_cost(&map, &list, scores, options.low + 0.08, options.high - 0.08);
    const int least = least_cost(&map, &list, scores, options.low - 0.08, options.high + 0.08);
    assert_in_range(most, 1, 18);
    const struct repair_result r = run_repair(&map, &options, 2);
    assert_true(r.found);
    assert_in_range(r.cost, least, most);
    mem_free(list.items);
}

/* Where no change can help the best one found is shown, and the budget is not exceeded. */
static void test_not_found(void **state) {
    struct tbs_map map;
    struct repair_options options = default_options;
    (void)state;
    read_map(unequal, &map);
    for (int i = 0; i < 3; i++)
        map.units[i].type = TBS_FIGHTER; /* which infantry cannot attack */
    options.kinds = 1 << REPAIR_TERRAIN;
    options.changes_max = 1;
    options.games_sure = 20;
    options.games_max = repair_games_least(20);
    options.low = 0.64;
    const struct repair_result r = run_repair(&map, &options, 2);
    assert_false(r.found);
    assert_false(r.was_good);
    assert_undone(&map, &r, options.kinds);
}

/* Where one side always wins no small change has an effect; large ones are found all the same. */
static void test_large_changes(void **state) {
    struct tbs_map map;
    struct repair_options options = default_options;
    (void)state;
    read_map(unequal, &map);
    for (int i = 3; i < 6; i++)
        map.units[i].hp = 4;
    options.kinds = 1 << REPAIR_HP;
    options.games_max = SAMPLE(3000, 1500);
    const struct repair_result r = run_repair(&map, &options, 2);
    assert_true(judgement_red(&r.before).value > 0.99);
    assert_true(r.found);
    assert_false(r.out_of_reach);
    assert_in_range(r.cost, 6, 27);
    assert_undone(&map, &r, options.kinds);
}

/* One unit's HP cannot make up for three panzers; the search detects this early. */
static void test_out_of_reach(void **state) {
    struct tbs_map map;
    struct repair_options options = default_options;
    (void)state;
    read_map(unequal, &map);
    for (int i = 0; i < 6; i++) {
        map.units[i].type = i < 3 ? TBS_PANZER : TBS_INFANTRY;
        map.units[i].hp = i < 3 ? 10 : 1;
    }
    options.kinds = 1 << REPAIR_HP;
    options.changes_max = 1;
    const struct repair_result r = run_repair(&map, &options, 2);
    assert_false(r.found);
    assert_true(r.out_of_reach);
    assert_true(r.games < options.games_max / 2);
}

/* Draws are no balance: the repair checks that enough games are decided. */
static void test_lively(void **state) {
    struct tbs_map map;
    struct repair_options options = default_options;
    (void)state;
    read_map(unequal, &map);
    map.threshold = 10;
    static const double shares[] = {0.6, 0};
    for (size_t i = 0; i < SAMPLE(sizeof shares / sizeof shares[0], 1); i++) {
        options.decided = shares[i];
        const struct repair_result r = run_repair(&map, &options, 2);
        assert_true(!r.found || r.alike >= 1 || r.was_good);
    }
}

/* ---- the effect of seeds ---- */

/* Small maps, unequal armies, short games: a random player's results depend on all of it. */
static void draw_unequal(uint64_t seed, struct tbs_map *map) {
    struct tbs_random_options options;
    struct rng r;
    struct err e;
    rng_seed(&r, seed);
    tbs_random_defaults(&options);
    options.width = 3 + (int)rng_below(&r, 3);
    options.height = 3 + (int)rng_below(&r, 2);
    options.units[0] = 1 + (int)rng_below(&r, 3);
    options.units[1] = 1 + (int)rng_below(&r, 3);
    options.hp_low = 3;
    options.turn_limit = 12;
    options.threshold = 1 + (int)rng_below(&r, 4);
    options.weight[TBS_SEA] = options.weight[TBS_WOOD] = 10;
    assert_true(tbs_map_random(&options, &r, map, &e));
}

static uint64_t digest;

static void add_number(int number) {
    digest = hash_u64(digest, (uint64_t)number);
}

static void add_round(void *context, int cost, int candidates, int games) {
    (void)context;
    add_number(cost);
    add_number(candidates);
    add_number(games);
}

static void add_tally(const struct tally *t) {
    add_number(t->wins);
    add_number(t->draws);
    add_number(t->losses);
}

static void add_result(const struct repair_result *r) {
    const int numbers[] = {r->was_good,     r->found, r->change_count, r->found ? r->alike : 0,
                           r->out_of_reach, r->cost,  r->games,        r->candidates};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        add_number(numbers[i]);
    for (int i = 0; i < r->change_count; i++)
        digest = hash_bytes(digest, r->changes[i], strlen(r->changes[i]));
    add_tally(&r->before.peers);
    add_tally(&r->after.peers);
    for (int side = 0; side < 2; side++)
        add_tally(&r->after.strong[side]);
}

static const struct repair_options seed_options[] = {
    {0.35, 0.65, 0, REPAIR_ALL, 3, 900, 20},
    {0.45, 0.55, 0.5, 1 << REPAIR_HP, 2, 1200, 40},
    {0.6, 0.65, 0, 1 << REPAIR_HP | 1 << REPAIR_MOVE, 4, 1500, 30},
    {0.2, 0.3, 0.9, REPAIR_ALL, 2, 700, 24},
    {0.48, 0.52, 0.2, 1 << REPAIR_MOVE | 1 << REPAIR_SWAP | 1 << REPAIR_TERRAIN, 3, 1000, 50},
    {0.4, 0.6, 1, 1 << REPAIR_TERRAIN, 1, 500, 20},
    {0.9, 1, 0.3, 1 << REPAIR_HP, 8, 2500, 20},
    {0.7, 0.9, 0, 1 << REPAIR_HP | 1 << REPAIR_SWAP, 1, 150, 20},
};

/* The found changes, and the number of games until then, are the same with every compiler on every machine;
 * the digest changes only with an intended change of the search. */
static void test_searches_of_seeds(void **state) {
    enum { OPTIONS = sizeof seed_options / sizeof seed_options[0] };
    int good = 0, found = 0;
    (void)state;
    digest = HASH_START;
    for (uint64_t seed = 1; seed <= 5 * OPTIONS; seed++) {
        const struct evaluator_setup setup = {
            .rules = &tbs_rule_sets[0], .strong = "random", .weak = "random", .workers = 1, .stop = &stop};
        struct err e = {""};
        struct repair_result r;
        struct tbs_map map;
        bool complete = false;
        draw_unequal(seed, &map);
        atomic_store(&stop, false);
        struct evaluator *ev = evaluator_open(&setup, &e);
        assert_non_null(ev);
        const struct repair_run run = {.map = &map,
                                       .options = &seed_options[seed % OPTIONS],
                                       .evaluator = ev,
                                       .seed = seed,
                                       .on_round = add_round};
        assert_true(repair_map(&run, &r, &complete, &e));
        assert_true(complete);
        evaluator_close(ev);
        add_result(&r);
        good += r.was_good;
        found += r.found && !r.was_good;
    }
    assert_in_range(good, 1, 10);
    assert_in_range(found, 10, 35);
    if (digest != UINT64_C(0xaa1bc3e824f52e45))
        fail_msg("the digest is 0x%016llx", (unsigned long long)digest);
}

struct small_repair {
    struct tbs_map map;
    struct repair_result result;
    bool done;
    struct err e; /* otherwise */
};

static void repair_small(void *context) {
    static const struct repair_options few = {.low = 0.45,
                                              .high = 0.55,
                                              .kinds = 1 << REPAIR_HP,
                                              .changes_max = 2,
                                              .games_max = 200,
                                              .games_sure = REPAIR_SURE_MIN};
    const struct evaluator_setup setup = {
        .rules = &tbs_rule_sets[0], .strong = "random", .weak = "random", .workers = 1, .stop = &stop};
    struct small_repair *small = context;
    bool complete = false;
    atomic_store(&stop, false);
    struct evaluator *ev = evaluator_open(&setup, &small->e);
    const struct repair_run run = {.map = &small->map, .options = &few, .evaluator = ev, .seed = 3};
    small->done = ev != NULL && repair_map(&run, &small->result, &complete, &small->e);
    evaluator_close(ev);
}

/* Every allocation may fail: a large one has a sentence, nothing leaks or crashes, and without a failure the
 * result is the same. */
static void test_memory(void **state) {
    struct small_repair whole = {0}, small = {0};
    long n = 1;
    (void)state;
    read_map(tiny, &whole.map);
    repair_small(&whole);
    assert_true(whole.done);
    for (; !small.done; n += SAMPLE(1, n == 1 ? 1 : 3)) {
        small = (struct small_repair){.map = whole.map};
        if (!memory_runs_out(n, repair_small, &small) && !small.done)
            assert_non_null(strstr(small.e.text, "memory"));
    }
    assert_true(n > 20);
    assert_int_equal(small.result.games, whole.result.games);
    assert_int_equal(small.result.candidates, whole.result.candidates);
    assert_memory_equal(&small.result.map, &whole.result.map, sizeof whole.result.map);
    assert_memory_equal(&small.result.after, &whole.result.after, sizeof whole.result.after);
}

static void test_refuses(void **state) {
    struct tbs_map map;
    struct err e;
    struct repair_result r;
    bool complete;
    (void)state;
    read_map(tiny, &map);
    map.units[0].hp = 11;
    assert_false(repair_check(&map, &e));
    assert_non_null(strstr(e.text, "HP 11"));
    read_map(tiny, &map);
    map.terrain[1][1] = TBS_SEA;
    assert_false(repair_check(&map, &e));
    assert_non_null(strstr(e.text, "sea"));
    read_map(tiny, &map);
    assert_true(repair_check(&map, &e));
    struct repair_options wrong[] = {default_options, default_options, default_options, default_options,
                                     default_options, default_options, default_options, default_options,
                                     default_options, default_options, default_options};
    wrong[0].low = 0.7;
    wrong[1].low = wrong[1].high;
    wrong[2].low = -0.25;
    wrong[3].high = 1.25;
    wrong[4].decided = 1.5;
    wrong[5].decided = -0.5;
    wrong[6].kinds = REPAIR_ALL + 1;
    wrong[7].changes_max = REPAIR_CHANGES_MAX + 1;
    wrong[8].changes_max = 0;
    wrong[9].games_sure = REPAIR_SURE_MIN - 1;
    wrong[10].games_sure = 100;
    wrong[10].games_max = 499;
    static const char *const words[] = {
        "the target is 0.7 to 0.65; expected two numbers in 0 to 1, the lower one first",
        "the target is 0.65 to 0.65; expected two numbers in 0 to 1, the lower one first",
        "the target is -0.25 to 0.65; expected two numbers in 0 to 1, the lower one first",
        "the target is 0.35 to 1.25; expected two numbers in 0 to 1, the lower one first",
        "1.5 of the games decided; expected 0 to 1",
        "-0.5 of the games decided; expected 0 to 1",
        "no kind of change is allowed",
        "at most 9 changes; expected 1 to 8",
        "at most 0 changes; expected 1 to 8",
        "19 games to be sure; expected at least 20",
        "a budget of 499 games is too small; to be sure with 100 it takes at least 500"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const struct repair_run run = {.map = &map, .options = &wrong[i]};
        assert_false(repair_map(&run, &r, &complete, &e));
        assert_string_equal(e.text, words[i]);
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
        const struct repair_run run = {.map = &map, .options = &default_options, .evaluator = ev, .seed = 11};
        struct repair_result r;
        struct err e;
        bool complete = true;
        assert_true(repair_map(&run, &r, &complete, &e));
        assert_false(complete);
        evaluator_close(ev);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_repairs),       cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_least_cost),    cmocka_unit_test(test_not_found),
        cmocka_unit_test(test_large_changes), cmocka_unit_test(test_out_of_reach),
        cmocka_unit_test(test_lively),        cmocka_unit_test(test_searches_of_seeds),
        cmocka_unit_test(test_memory),        cmocka_unit_test(test_refuses),
        cmocka_unit_test(test_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
