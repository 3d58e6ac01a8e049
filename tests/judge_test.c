/* SPDX-License-Identifier: MIT
 *
 * Judging maps: when it stops, that the intervals have their stated coverage, and that a map's result depends
 * on the map alone.
 */
/* The library has this table, too. */
#define judge_params own_judge_params
#include "evolve/judge.c" /* when judging stops is internal */

#include "game/tbs/map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- the rule alone, with invented games ---- */

static void draw_games(struct tally *t, int count, double score, double draws, struct rng *r) {
    for (int i = 0; i < count; i++) {
        const bool drawn = rng_unit(r) < draws;
        const bool won = rng_unit(r) < score;
        tally_add(t, drawn ? 0.5 : won ? 1 : 0);
    }
}

/* Scores of strong with red and with blue, and of red between equals; some games are drawn. */
struct truth {
    double red, blue, peers, draws;
};

static double with_draws(const struct truth *t, double score) {
    return t->draws / 2 + (1 - t->draws) * score;
}

static struct judgement invent(const struct truth *t, const struct judge_limits *limits, struct rng *r,
                               int *rounds) {
    struct judgement j = {0};
    *rounds = 0;
    for (;;) {
        const struct judge_round round = judge_next(&j, limits);
        if (round.contests == 0 && round.peers == 0)
            return j;
        assert_int_equal(round.contests % 2, 0);
        draw_games(&j.strong[0], round.contests / 2, t->red, t->draws, r);
        draw_games(&j.strong[1], round.contests / 2, t->blue, t->draws, r);
        draw_games(&j.peers, round.peers, t->peers, t->draws, r);
        ++*rounds;
    }
}

static bool holds(const struct share *share, double truth) {
    return share->interval.low <= truth && truth <= share->interval.high;
}

static const struct truth truths[] = {
    {0.5, 0.5, 0.5, 0},   {0.6, 0.5, 0.55, 0},    {0.7, 0.6, 0.6, 0},     {0.8, 0.8, 0.7, 0},
    {0.9, 0.7, 0.8, 0},   {0.95, 0.85, 0.9, 0},   {0.98, 0.93, 0.95, 0},  {0.9, 0.99, 0.02, 0},
    {0.8, 0.8, 0.5, 0.3}, {0.95, 0.95, 0.6, 0.2}, {0.99, 0.5, 0.85, 0.1}, {0.99, 0.99, 0.02, 0},
};

/* Intervals that are evaluated repeatedly are a little too narrow. Measured over 2,000 runs of each of these
 * truths: with the default limits (0.05, at least 120 games) no interval holds the truth in less than 93 % of
 * all runs, and on average it is more than 94.5 %. Draws only make them hold more often. */
static void test_coverage(void **state) {
    enum { RUNS = 2000, TRUTHS = sizeof truths / sizeof truths[0] };
    const struct judge_limits limits = {.width = 0.05, .games_min = 120, .games_max = 100000};
    double sum = 0;
    (void)state;
    for (int i = 0; i < TRUTHS; i++) {
        const struct truth *t = &truths[i];
        const double strong = (with_draws(t, t->red) + with_draws(t, t->blue)) / 2;
        int strong_holds = 0, red_holds = 0;
        struct rng r;
        rng_seed_stream(&r, 3, (uint64_t)i);
        for (int run = 0; run < RUNS; run++) {
            int rounds;
            const struct judgement j = invent(t, &limits, &r, &rounds);
            const struct share strength = judgement_strength(&j), red = judgement_red(&j);
            assert_true(judge_is_tight(&j, &limits));
            strong_holds += holds(&strength, strong);
            red_holds += holds(&red, with_draws(t, t->peers));
        }
        if (strong_holds < 0.93 * RUNS || red_holds < 0.93 * RUNS)
            fail_msg("truth %d: %d and %d of %d intervals hold", i, strong_holds, red_holds, RUNS);
        sum += strong_holds + red_holds;
    }
    assert_true(sum / (2.0 * RUNS * TRUTHS) > 0.945);
}

static void test_stops(void **state) {
    const struct judge_limits limits = {.width = 0.05, .games_min = 120, .games_max = 600};
    const struct truth clear = {0.99, 0.99, 0.97, 0}, open = {0.5, 0.5, 0.5, 0};
    struct rng r;
    int rounds;
    (void)state;
    rng_seed(&r, 1);
    /* A clear case is tight long before the budget is used; an open one uses it to the last pair. */
    struct judgement j = invent(&clear, &limits, &r, &rounds);
    assert_true(judge_is_tight(&j, &limits));
    assert_in_range(judgement_games(&j), 120, 400);
    j = invent(&open, &limits, &r, &rounds);
    assert_false(judge_is_tight(&j, &limits));
    assert_int_equal(judgement_games(&j), 600);
    /* Both margins are about the same then: games went where the interval was wider. */
    const struct share strength = judgement_strength(&j), red = judgement_red(&j);
    assert_true(fabs(judge_margin(&strength) - judge_margin(&red)) < 0.01);
    assert_int_equal(tally_games(&j.strong[0]), tally_games(&j.strong[1]));
}

/* Few rounds, also for very narrow intervals. */
static void test_rounds(void **state) {
    const struct judge_limits limits = {.width = 0.01, .games_min = 0, .games_max = 1000000};
    const struct truth open = {0.5, 0.6, 0.5, 0};
    struct rng r;
    int rounds;
    (void)state;
    rng_seed(&r, 2);
    const struct judgement j = invent(&open, &limits, &r, &rounds);
    assert_true(judge_is_tight(&j, &limits));
    assert_true(judgement_games(&j) < 20500); /* 9,604 of each would do */
    assert_in_range(rounds, 5, 20);
}

static void test_small_budgets(void **state) {
    const struct truth open = {0.5, 0.5, 0.5, 0};
    struct rng r;
    int rounds;
    (void)state;
    rng_seed(&r, 3);
    for (int games = 0; games < 90; games++) {
        const struct judge_limits limits = {.width = 0.05, .games_min = 40, .games_max = games};
        const struct judgement j = invent(&open, &limits, &r, &rounds);
        assert_in_range(judgement_games(&j), games > 0 ? games - 1 : 0, games); /* contests come in pairs */
    }
}

/* ---- real games ---- */

static void draw_map(uint64_t seed, struct tbs_map *map) {
    struct tbs_random_options options;
    struct rng r;
    struct err e;
    tbs_random_defaults(&options);
    options.width = options.height = 4;
    options.units[0] = options.units[1] = 2;
    options.turn_limit = 8;
    rng_seed(&r, seed);
    assert_true(tbs_map_random(&options, &r, map, &e));
}

struct stopper {
    atomic_bool *stop;
    int games, games_max;
};

static void count_trial(void *context, const struct sample_game *sample, bool recalled) {
    (void)sample;
    struct stopper *s = context;
    (void)recalled;
    if (++s->games == s->games_max)
        atomic_store(s->stop, true);
}

enum { MAPS = 3 };

struct case_maps {
    struct tbs_map maps[MAPS];
    struct judge_subject subjects[MAPS];
};

static const struct judge_limits quick = {.width = 0.12, .games_min = 40, .games_max = 400};

/* Judges `count` maps, the first of them number `first`; returns whether it was complete. */
static bool judge_some(struct case_maps *c, int first, int count, int workers, int games_max) {
    static atomic_bool stop;
    atomic_store(&stop, false);
    struct stopper stopper = {&stop, 0, games_max};
    const struct evaluator_setup setup = {.rules = &tbs_rule_sets[0],
                                          .strong = "muct:sims=16",
                                          .weak = "random",
                                          .seed = 5,
                                          .workers = workers,
                                          .stop = &stop,
                                          .on_game = count_trial,
                                          .context = &stopper};
    struct err e = {""};
    bool complete = false;
    for (int i = 0; i < MAPS; i++) {
        draw_map((uint64_t)(40 + i), &c->maps[i]);
        c->subjects[i] = (struct judge_subject){.id = 7 * i, .map = &c->maps[i]};
    }
    struct evaluator *ev = evaluator_open(&setup, &e);
    if (ev == NULL || !judge_maps(ev, &quick, &c->subjects[first], count, &complete, &e))
        fail_msg("%s", e.text);
    evaluator_close(ev);
    return complete;
}

static void assert_same(const struct judge_subject *a, const struct judge_subject *b) {
    assert_memory_equal(&a->judgement, &b->judgement, sizeof a->judgement);
    assert_int_equal(a->tight, b->tight);
}

static void test_real_games(void **state) {
    struct case_maps all, threads, alone;
    (void)state;
    assert_true(judge_some(&all, 0, MAPS, 1, 0));
    assert_true(judge_some(&threads, 0, MAPS, 3, 0));
    for (int i = 0; i < MAPS; i++) {
        const struct judge_subject *s = &all.subjects[i];
        assert_same(s, &threads.subjects[i]);
        assert_true(judge_some(&alone, i, 1, 2, 0));
        assert_same(s, &alone.subjects[i]);
        assert_int_equal(s->tight, judge_is_tight(&s->judgement, &quick));
        assert_true(s->tight || judgement_games(&s->judgement) >= 399);
        assert_in_range(judgement_games(&s->judgement), 40, 400);
    }
}

/* Results from before the stop are there, and are the beginning of the full results. */
static void test_stopped(void **state) {
    struct case_maps all, some;
    (void)state;
    assert_true(judge_some(&all, 0, MAPS, 2, 0));
    assert_false(judge_some(&some, 0, MAPS, 2, 150));
    int games = 0;
    for (int i = 0; i < MAPS; i++) {
        const struct judgement *j = &some.subjects[i].judgement;
        games += judgement_games(j);
        assert_true(judgement_games(j) <= judgement_games(&all.subjects[i].judgement));
        assert_int_equal(some.subjects[i].tight, judge_is_tight(j, &quick));
    }
    assert_in_range(games, 120, 150); /* the first round was done: 40 games each */
}

/* Every allocation may fail: a sentence, and nothing leaks or crashes. */
static void test_no_maps(void **state) {
    static atomic_bool stop;
    const struct evaluator_setup setup = {
        .rules = &tbs_rule_sets[0], .strong = "random", .weak = "random", .workers = 1, .stop = &stop};
    struct err e = {""};
    bool complete = false;
    (void)state;
    struct evaluator *ev = evaluator_open(&setup, &e);
    assert_non_null(ev);
    assert_true(judge_maps(ev, &quick, NULL, 0, &complete, &e));
    assert_true(complete);
    evaluator_close(ev);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage),   cmocka_unit_test(test_stops),
        cmocka_unit_test(test_rounds),     cmocka_unit_test(test_small_budgets),
        cmocka_unit_test(test_real_games), cmocka_unit_test(test_stopped),
        cmocka_unit_test(test_no_maps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
