/* SPDX-License-Identifier: MIT
 *
 * The archive of different good maps, and the method that fills it.
 */
#include "evolve/archive.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct plan plan;

/* Fast players, small maps: a run takes a second or two. */
static void make_plan(struct plan *out, const char *const *settings) {
    struct recipe recipe;
    struct err e;
    assert_true(recipe_preset(&recipe, "designer", &e));
    for (int i = 0; settings != NULL && settings[i] != NULL; i += 2)
        if (!recipe_set(&recipe, settings[i], settings[i + 1], &e))
            fail_msg("%s", e.text);
    if (!recipe_plan(&recipe, out, &e))
        fail_msg("%s", e.text);
}

static int set_up(void **state) {
    (void)state;
    make_plan(&plan, NULL);
    return 0;
}

/* A random map that won `wins` of `contests`, with peers' games red won `red` of. */
struct made {
    int seed, wins, contests, red, peers, turns;
};

static struct individual make(const struct made *m) {
    struct individual one = {.id = m->seed};
    struct rng r;
    rng_seed(&r, (uint64_t)m->seed);
    genome_random(&plan.space, &r, &one.genome);
    one.looks.natural = 0.5;
    one.judgement.strong[0] = (struct tally){m->wins / 2, 0, m->contests / 2 - m->wins / 2};
    one.judgement.strong[1] =
        (struct tally){m->wins - m->wins / 2, 0, m->contests - m->contests / 2 - (m->wins - m->wins / 2)};
    one.judgement.peers = (struct tally){m->red, 0, m->peers - m->red};
    one.judgement.turns = (long long)m->turns * (m->contests + m->peers);
    return one;
}

/* All aircraft become panzers: the mix is the same for all. */
static void ground(struct individual *one) {
    for (int i = 0; i < genome_cells(&one->genome); i++)
        if (one->genome.cells[i].type != GENOME_NOBODY)
            one->genome.cells[i].type = TBS_PANZER;
}

static void test_quality_grows_with_wins_and_games(void **state) {
    (void)state;
    const struct individual few = make(&(struct made){1, 10, 10, 5, 10, 8}),
                            many = make(&(struct made){1, 40, 40, 20, 40, 8}),
                            worse = make(&(struct made){1, 30, 40, 20, 40, 8});
    assert_true(archive_quality(&plan, &many, -1) > archive_quality(&plan, &few, -1));
    assert_true(archive_quality(&plan, &many, -1) > archive_quality(&plan, &worse, -1));
    assert_true(archive_quality(&plan, &few, 1) > archive_quality(&plan, &few, -1));
    assert_true(archive_quality(&plan, &many, 1) <= 1);
}

static void test_unfair_maps_lose(void **state) {
    (void)state;
    const struct individual fair = make(&(struct made){1, 20, 20, 100, 200, 8}),
                            nearly = make(&(struct made){1, 20, 20, 106, 200, 8}),
                            unfair = make(&(struct made){1, 20, 20, 190, 200, 8}),
                            other = make(&(struct made){1, 20, 20, 10, 200, 8});
    assert_true(archive_is_fair(&plan, &fair.judgement));
    assert_true(archive_is_fair(&plan, &nearly.judgement));
    assert_false(archive_is_fair(&plan, &unfair.judgement));
    assert_true(fabs(archive_quality(&plan, &fair, -1) - archive_quality(&plan, &nearly, -1)) < 1e-12);
    assert_true(archive_quality(&plan, &unfair, -1) < archive_quality(&plan, &fair, -1) - 0.2);
    assert_true(fabs(archive_quality(&plan, &unfair, -1) - archive_quality(&plan, &other, -1)) < 1e-12);
}

static void test_place_follows_length_and_mix(void **state) {
    (void)state;
    struct individual one = make(&(struct made){1, 20, 20, 10, 20, 5});
    ground(&one);
    archive_place(&one);
    assert_int_equal(one.place[FEATURE_MIX], 0);
    const int short_bin = one.place[FEATURE_LENGTH];
    one.judgement.turns = 14 * judgement_games(&one.judgement);
    archive_place(&one);
    assert_true(one.place[FEATURE_LENGTH] > short_bin);
    for (int i = 0; i < genome_cells(&one.genome); i++)
        if (one.genome.cells[i].type != GENOME_NOBODY)
            one.genome.cells[i].type = TBS_FIGHTER;
    archive_place(&one);
    assert_int_equal(one.place[FEATURE_MIX], evolution_features[FEATURE_MIX].bins - 1);
    one.judgement.turns = 1000 * judgement_games(&one.judgement);
    archive_place(&one);
    assert_int_equal(one.place[FEATURE_LENGTH], evolution_features[FEATURE_LENGTH].bins - 1);
}

static void test_a_cell_keeps_the_best_first(void **state) {
    (void)state;
    struct archive a;
    struct err e;
    assert_true(archive_open(&a, &plan, &e));
    static const int wins[] = {14, 18, 16, 20, 12, 19};
    int cell = -1;
    for (int i = 0; i < 6; i++) {
        struct individual one = make(&(struct made){10 + i, wins[i], 20, 10, 20, 8});
        ground(&one);
        cell = archive_place(&one);
        assert_int_equal(archive_insert(&a, &one), wins[i] != 12);
    }
    assert_int_equal(a.counts[cell], ARCHIVE_DEPTH);
    assert_int_equal(archive_at(&a, cell, 0)->id, 13);
    assert_int_equal(archive_at(&a, cell, 1)->id, 15);
    assert_int_equal(archive_at(&a, cell, 2)->id, 11);
    const double least = archive_at(&a, cell, 2)->fitness, bar = archive_bar(&a, cell);
    assert_true(!(least < bar) && !(least > bar));
    struct individual taken;
    archive_take(&a, cell, 0, &taken);
    assert_int_equal(taken.id, 13);
    assert_int_equal(archive_at(&a, cell, 0)->id, 15);
    assert_true(!(archive_bar(&a, cell) > 0));
    assert_true(archive_insert(&a, &taken));
    assert_int_equal(archive_at(&a, cell, 0)->id, 13);
    archive_close(&a);
}

static void test_a_near_copy_competes_with_its_like(void **state) {
    (void)state;
    struct archive a;
    struct err e;
    assert_true(archive_open(&a, &plan, &e));
    struct individual one = make(&(struct made){1, 16, 20, 10, 20, 8});
    ground(&one);
    const int cell = archive_place(&one);
    assert_true(archive_insert(&a, &one));
    struct individual copy = one;
    copy.id = 2;
    assert_false(archive_insert(&a, &copy)); /* no better */
    copy.judgement.strong[0].wins++;
    copy.judgement.strong[0].losses--;
    assert_true(archive_insert(&a, &copy));
    assert_int_equal(a.counts[cell], 1);
    assert_int_equal(archive_at(&a, cell, 0)->id, 2);
    archive_close(&a);
}

/* ---- the method ---- */

static const char *const fast[] = {
    "strong",     "acteval", "weak",   "random", "games",       "8", "peers",      "8",  "born", "24",
    "population", "12",      "verify", "0",      "generations", "4", "reevaluate", "16", NULL};

static void run(const struct plan *p, int workers, uint64_t seed, struct evolution *ev, int *trials) {
    atomic_bool stop = false;
    struct err e;
    bool complete;
    const struct evaluator_setup setup = {.rules = p->rules,
                                          .strong = p->recipe.strong,
                                          .weak = p->recipe.weak,
                                          .seed = seed,
                                          .workers = workers,
                                          .stop = &stop};
    struct evaluator *evaluator = evaluator_open(&setup, &e);
    if (evaluator == NULL)
        fail_msg("%s", e.text);
    const struct evolution_run settings = {.plan = p, .seed = seed, .evaluator = evaluator};
    evolution_init(ev, p, seed);
    if (!evolution_play(&settings, ev, &complete, &e))
        fail_msg("%s", e.text);
    assert_true(complete);
    *trials = evaluator_trials(evaluator);
    evaluator_close(evaluator);
}

static void test_workers_do_not_matter(void **state) {
    (void)state;
    struct plan p;
    struct evolution one, four;
    int trials_one, trials_four;
    make_plan(&p, fast);
    run(&p, 1, 5, &one, &trials_one);
    run(&p, 4, 5, &four, &trials_four);
    assert_int_equal(trials_one, trials_four);
    assert_int_equal(one.generation_count, four.generation_count);
    for (int i = 0; i < one.generation_count; i++)
        assert_memory_equal(&one.generations[i], &four.generations[i], sizeof one.generations[i]);
    assert_int_equal(one.count, four.count);
    for (int i = 0; i < one.count; i++) {
        assert_int_equal(one.individuals[i].id, four.individuals[i].id);
        assert_memory_equal(&one.individuals[i].judgement, &four.individuals[i].judgement,
                            sizeof one.individuals[i].judgement);
    }
    evolution_done(&one);
    evolution_done(&four);
}

static void check_shown(const struct plan *p, const struct evolution *ev) {
    assert_true(ev->shown_count > 0);
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *one = &ev->individuals[ev->shown[i]];
        assert_true(genome_is_legal(&p->space, &one->genome, NULL));
        assert_true(one->id < ev->origin_count);
        for (int j = 0; j < i; j++) {
            const struct individual *other = &ev->individuals[ev->shown[j]];
            assert_true(genome_difference(&one->genome, &other->genome) > ARCHIVE_DIFFERENT);
            assert_false(one->place[0] == other->place[0] && one->place[1] == other->place[1]);
        }
    }
}

static void test_shown_maps_are_legal_and_different(void **state) {
    (void)state;
    struct plan p;
    struct evolution ev;
    int trials;
    make_plan(&p, fast);
    run(&p, 2, 6, &ev, &trials);
    check_shown(&p, &ev);
    const struct generation *first = &ev.generations[0], *last = &ev.generations[ev.generation_count - 1];
    assert_true(last->games == trials && last->games > first->games);
    assert_true(last->evaluations > 24);
    for (int i = 0; i < ev.origin_count; i++)
        for (int k = 0; k < 2; k++)
            assert_true(ev.origins[i].parents[k] < i);
    evolution_done(&ev);
}

static void test_a_budget_is_kept(void **state) {
    (void)state;
    for (int budget = 50; budget <= 800; budget *= 4) {
        char text[16];
        snprintf(text, sizeof text, "%d", budget);
        const char *settings[sizeof fast / sizeof fast[0] + 4] = {"budget", text};
        memcpy(&settings[2], fast, sizeof fast); /* its end becomes the place of one more */
        settings[sizeof fast / sizeof fast[0] + 1] = "generations";
        settings[sizeof fast / sizeof fast[0] + 2] = "1000";
        struct plan p;
        struct evolution ev;
        int trials;
        make_plan(&p, settings);
        run(&p, 2, 7, &ev, &trials);
        assert_true(trials <= budget && trials > budget - 60);
        evolution_done(&ev);
    }
}

/* Re-evaluation: whoever leads at the end has had its games, and none has more than a step too many. */
static void test_elites_are_judged_again(void **state) {
    (void)state;
    struct plan p;
    struct evolution ev;
    int trials;
    make_plan(&p, fast);
    run(&p, 2, 8, &ev, &trials);
    for (int i = 0; i < ev.count; i++) {
        const int contests = judgement_contests(&ev.individuals[i].judgement);
        assert_true(contests >= p.recipe.reevaluate && contests < p.recipe.reevaluate + 10);
    }
    evolution_done(&ev);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_quality_grows_with_wins_and_games, set_up),
        cmocka_unit_test_setup(test_unfair_maps_lose, set_up),
        cmocka_unit_test_setup(test_place_follows_length_and_mix, set_up),
        cmocka_unit_test_setup(test_a_cell_keeps_the_best_first, set_up),
        cmocka_unit_test_setup(test_a_near_copy_competes_with_its_like, set_up),
        cmocka_unit_test(test_workers_do_not_matter),
        cmocka_unit_test(test_shown_maps_are_legal_and_different),
        cmocka_unit_test(test_a_budget_is_kept),
        cmocka_unit_test(test_elites_are_judged_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
