/* SPDX-License-Identifier: MIT
 *
 * The archive of different good maps, and the method that fills it.
 */
/* The library has this table, too. */
#define evolution_features own_evolution_features
#include "evolve/evolution.c" /* the archive itself is internal */

#include "base/numbers.h"
#include "evolution_support.h"
#include "scratch_support.h"
#include "store/store.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
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
    one.static_features.natural = 0.5;
    one.judgement.strong[0] = (struct tally){m->wins / 2, 0, m->contests / 2 - m->wins / 2};
    one.judgement.strong[1] =
        (struct tally){m->wins - m->wins / 2, 0, m->contests - m->contests / 2 - (m->wins - m->wins / 2)};
    one.judgement.peers = (struct tally){m->red, 0, m->peers - m->red};
    one.judgement.turns = (long long)m->turns * (m->contests + m->peers);
    return one;
}

static struct evolution of_plan = {.plan = &plan};

static struct archive open_archive(void) {
    return (struct archive){.ev = &of_plan, .maps = mem_alloc(ARCHIVE_MAPS_MAX * sizeof(struct individual))};
}

static int count_of(const struct archive *a, int cell) {
    int count = 0;
    while (archive_find(a, cell, count) >= 0)
        count++;
    return count;
}

/* The map of that rank in a cell. */
static const struct individual *map_at(const struct archive *a, int cell, int rank) {
    const int index = archive_find(a, cell, rank);
    assert_true(index >= 0);
    return &a->maps[index];
}

/* All aircraft become panzers: all maps have the same mix of units. */
static void ground(struct individual *one) {
    for (int i = 0; i < genome_cells(&one->genome); i++)
        if (one->genome.cells[i].type != GENOME_EMPTY)
            one->genome.cells[i].type = TBS_PANZER;
}

static void test_quality_grows_with_wins_and_games(void **state) {
    (void)state;
    const struct individual few = make(&(struct made){1, 10, 10, 5, 10, 8}),
                            many = make(&(struct made){1, 40, 40, 20, 40, 8}),
                            worse = make(&(struct made){1, 30, 40, 20, 40, 8});
    assert_true(quality_by_own_games(&plan, &many, -1) > quality_by_own_games(&plan, &few, -1));
    assert_true(quality_by_own_games(&plan, &many, -1) > quality_by_own_games(&plan, &worse, -1));
    assert_true(quality_by_own_games(&plan, &few, 1) > quality_by_own_games(&plan, &few, -1));
    assert_true(quality_by_own_games(&plan, &many, 1) <= 1);
}

/* One win and one loss more: 10 of 12 and 6 of 12, with errors of 0.103362 and 0.138675. With caution the
 * strength is 0.729971; red's score may be 0.138675 from a half, 0.038675 more than is tolerated, which costs
 * twice as much. With optimism both have their best value. The static features, 0.5, have a weight of one
 * tenth. */
static void test_quality_by_hand(void **state) {
    (void)state;
    struct individual one = make(&(struct made){1, 9, 10, 5, 10, 8});
    assert_true(fabs(quality_by_own_games(&plan, &one, -1) - (0.9 * (0.729971 - 2 * 0.038675) + 0.05)) <
                1e-5);
    assert_true(fabs(quality_by_own_games(&plan, &one, 1) - (0.9 * 0.936695 + 0.05)) < 1e-5);
    plan.recipe.peers = 0; /* fairness is not required */
    assert_true(fabs(quality_by_own_games(&plan, &one, -1) - (0.9 * 0.729971 + 0.05)) < 1e-5);
    one = make(&(struct made){1, 0, 10, 5, 10, 8}); /* 1 of 12, less than its error more */
    assert_true(fabs(quality_by_own_games(&plan, &one, -2) - 0.05) < 1e-9);
    one = make(&(struct made){1, 10, 10, 5, 10, 8});
    assert_true(fabs(quality_by_own_games(&plan, &one, 2) - 0.95) < 1e-9);
}

/* Twenty units of which `aircraft` fly, and games of so many turns. */
static struct individual make_kind(int aircraft, int turns) {
    struct individual one = make(&(struct made){1, 10, 20, 10, 20, turns});
    for (int i = 0; i < genome_cells(&one.genome); i++)
        one.genome.cells[i].type = i < aircraft ? TBS_ATTACKER : i < 20 ? TBS_INFANTRY : GENOME_EMPTY;
    return one;
}

static void test_bins_begin_at_their_edges(void **state) {
    (void)state;
    static const char mixes[] = "011112223445556666666", lengths[] = "00000011223344555666777";
    for (int i = 0; mixes[i] != '\0'; i++) {
        struct individual one = make_kind(i, 9);
        assert_int_equal(archive_place(&one), 2 * 7 + mixes[i] - '0');
        assert_int_equal(one.place[FEATURE_MIX], mixes[i] - '0');
    }
    for (int i = 0; lengths[i] != '\0'; i++) {
        struct individual one = make_kind(8, i);
        assert_int_equal(archive_place(&one), 7 * (lengths[i] - '0') + 3);
        assert_int_equal(one.place[FEATURE_LENGTH], lengths[i] - '0');
    }
}

/* Three cells with one map each, a fourth with two. */
static void test_lists_go_by_quality(void **state) {
    (void)state;
    static const int kinds[][3] = {
        {0, 9, 12}, {8, 9, 18}, {20, 5, 15}, {8, 21, 10}}; /* aircraft, turns, wins */
    struct archive a = open_archive();
    assert_true(!(archive_level(&a) > 0));
    assert_int_equal(a.count, 0);
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        struct individual one = make_kind(kinds[i][0], kinds[i][1]);
        one.judgement.strong[0] = one.judgement.strong[1] =
            (struct tally){kinds[i][2] / 2, 0, 10 - kinds[i][2] / 2};
        one.id = i;
        assert_true(archive_insert(&a, &one));
        sum += quality_by_own_games(&plan, &one, ARCHIVE_CAUTION);
        assert_int_equal(archive_filled(&a), i + 1);
    }
    assert_true(fabs(archive_level(&a) - sum / 4) < 1e-12);
    struct individual second = make_kind(8, 9); /* with the second's record, another map */
    second.id = 4;
    for (int i = 0; i < genome_cells(&second.genome); i++)
        second.genome.cells[i].terrain =
            (uint8_t)(second.genome.cells[i].terrain == TBS_PLAIN ? TBS_WOOD : TBS_PLAIN);
    second.judgement.strong[0] = second.judgement.strong[1] = (struct tally){9, 0, 1};
    assert_true(archive_insert(&a, &second));
    assert_int_equal(archive_filled(&a), 4);
    assert_true(fabs(archive_level(&a) - sum / 4) < 1e-12);
    static const int order[] = {1, 4, 2, 0, 3};
    assert_int_equal(a.count, 5);
    for (int i = 0; i < 5; i++)
        assert_int_equal(a.maps[i].id, order[i]);
    mem_free(a.maps);
}

/* A near copy replaces the map it copies, even where another map of its cell is worse. */
static void test_copies_replace_their_model(void **state) {
    (void)state;
    struct archive a = open_archive();
    struct individual ones[4];
    static const int wins[] = {9, 5, 7, 6}; /* of ten with either side */
    for (int i = 0; i < 4; i++) {
        ones[i] = make_kind(8, 9);
        ones[i].id = i;
        ones[i].judgement.strong[0] = ones[i].judgement.strong[1] = (struct tally){wins[i], 0, 10 - wins[i]};
        for (int k = 0; i > 0 && k < genome_cells(&ones[i].genome); k++) /* the others are one map */
            ones[i].genome.cells[k].terrain =
                (uint8_t)(ones[0].genome.cells[k].terrain == TBS_PLAIN ? TBS_WOOD : TBS_PLAIN);
    }
    const int cell = archive_place(&ones[0]);
    assert_true(archive_insert(&a, &ones[0]));
    assert_true(archive_insert(&a, &ones[1]));
    assert_true(archive_insert(&a, &ones[2]));
    assert_false(archive_insert(&a, &ones[3])); /* a poorer copy */
    assert_int_equal(count_of(&a, cell), 2);
    assert_int_equal(map_at(&a, cell, 0)->id, 0);
    assert_int_equal(map_at(&a, cell, 1)->id, 2);
    mem_free(a.maps);
}

/* Results of fresh games are compared with the results that selected the map: the same rates and the same
 * quality, for any number of games. */
static void test_fresh_games_are_compared_at_their_rate(void **state) {
    (void)state;
    const struct individual one = make(&(struct made){1, 90, 100, 30, 50, 8}),
                            few = make(&(struct made){1, 18, 20, 6, 10, 8}),
                            many = make(&(struct made){1, 360, 400, 120, 200, 8}),
                            worse = make(&(struct made){1, 340, 400, 140, 200, 8});
    const double own = quality_by_own_games(&plan, &one, ARCHIVE_CAUTION);
    assert_true(fabs(archive_quality(&plan, &one, &few.judgement, ARCHIVE_CAUTION) - own) < 1e-12);
    assert_true(fabs(archive_quality(&plan, &one, &many.judgement, ARCHIVE_CAUTION) - own) < 1e-12);
    assert_true(archive_quality(&plan, &one, &worse.judgement, ARCHIVE_CAUTION) < own - 0.05);
    const struct individual untried = make(&(struct made){1, 0, 0, 0, 0, 8});
    assert_true(fabs(archive_quality(&plan, &untried, &one.judgement, ARCHIVE_CAUTION) - own) < 1e-12);
    /* One game of each kind is a rate, too. */
    const struct individual single = make(&(struct made){1, 1, 1, 1, 1, 8}),
                            sure = make(&(struct made){1, 100, 100, 50, 50, 8});
    const double of_sure = quality_by_own_games(&plan, &sure, ARCHIVE_CAUTION),
                 of_single = quality_by_own_games(&plan, &single, ARCHIVE_CAUTION);
    assert_true(fabs(of_sure - of_single) > 0.05);
    assert_true(fabs(archive_quality(&plan, &sure, &single.judgement, ARCHIVE_CAUTION) - of_sure) < 1e-12);
    assert_true(fabs(archive_quality(&plan, &single, &sure.judgement, ARCHIVE_CAUTION) - of_single) < 1e-12);
}

static void test_unfair_maps_lose(void **state) {
    (void)state;
    const struct individual fair = make(&(struct made){1, 20, 20, 100, 200, 8}),
                            nearly = make(&(struct made){1, 20, 20, 106, 200, 8}),
                            unfair = make(&(struct made){1, 20, 20, 190, 200, 8}),
                            other = make(&(struct made){1, 20, 20, 10, 200, 8});
    assert_true(archive_is_good(&plan, &fair));
    assert_true(archive_is_good(&plan, &nearly));
    assert_false(archive_is_good(&plan, &unfair));
    assert_true(fabs(quality_by_own_games(&plan, &fair, -1) - quality_by_own_games(&plan, &nearly, -1)) <
                1e-12);
    assert_true(quality_by_own_games(&plan, &unfair, -1) < quality_by_own_games(&plan, &fair, -1) - 0.2);
    assert_true(fabs(quality_by_own_games(&plan, &unfair, -1) - quality_by_own_games(&plan, &other, -1)) <
                1e-12);
}

/* A good map is fair, separates strong from weak players and is tidy; fairness is measured in games of peers
 * if the recipe has any. */
static void test_good_is_fair_strong_and_tidy(void **state) {
    (void)state;
    struct individual one = make(&(struct made){1, 15, 20, 10, 20, 8});
    assert_true(archive_is_good(&plan, &one));
    one.static_features.isolated_roads = 1;
    assert_false(archive_is_good(&plan, &one));
    plan.recipe.tidy = false;
    assert_true(archive_is_good(&plan, &one));
    one = make(&(struct made){1, 13, 20, 10, 20, 8});
    assert_false(archive_is_good(&plan, &one)); /* 65 % */
    one = make(&(struct made){1, 15, 20, 13, 20, 8});
    assert_false(archive_is_good(&plan, &one)); /* red 65 % */
    one = make(&(struct made){1, 20, 20, 0, 0, 8});
    assert_true(fabs(judgement_red(&one.judgement).value - 0.5) <= plan.recipe.fair); /* by contests */
    assert_false(archive_is_good(&plan, &one));
    plan.recipe.peers = 0;
    assert_true(archive_is_good(&plan, &one));
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
        if (one.genome.cells[i].type != GENOME_EMPTY)
            one.genome.cells[i].type = TBS_FIGHTER;
    archive_place(&one);
    assert_int_equal(one.place[FEATURE_MIX], evolution_features[FEATURE_MIX].bins - 1);
    one.judgement.turns = 1000 * judgement_games(&one.judgement);
    archive_place(&one);
    assert_int_equal(one.place[FEATURE_LENGTH], evolution_features[FEATURE_LENGTH].bins - 1);
}

static void test_a_cell_holds_the_best_first(void **state) {
    (void)state;
    struct archive a = open_archive();
    static const int wins[] = {14, 18, 16, 20, 12, 19};
    int cell = -1;
    for (int i = 0; i < 6; i++) {
        struct individual one = make(&(struct made){10 + i, wins[i], 20, 10, 20, 8});
        ground(&one);
        cell = archive_place(&one);
        assert_int_equal(archive_insert(&a, &one), wins[i] != 12);
    }
    assert_int_equal(count_of(&a, cell), ARCHIVE_DEPTH);
    assert_int_equal(map_at(&a, cell, 0)->id, 13);
    assert_int_equal(map_at(&a, cell, 1)->id, 15);
    assert_int_equal(map_at(&a, cell, 2)->id, 11);
    const double least = map_at(&a, cell, 2)->fitness, bar = archive_bar(&a, cell);
    assert_true(!(least < bar) && !(least > bar));
    const struct individual taken = archive_take(&a, archive_find(&a, cell, 0));
    assert_int_equal(taken.id, 13);
    assert_int_equal(map_at(&a, cell, 0)->id, 15);
    assert_true(!(archive_bar(&a, cell) > 0));
    assert_true(archive_insert(&a, &taken));
    assert_int_equal(map_at(&a, cell, 0)->id, 13);
    mem_free(a.maps);
}

static void test_a_near_copy_competes_with_its_like(void **state) {
    (void)state;
    struct archive a = open_archive();
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
    assert_int_equal(count_of(&a, cell), 1);
    assert_int_equal(map_at(&a, cell, 0)->id, 2);
    mem_free(a.maps);
}

/* ---- the method ---- */

static const char *const fast[] = {
    "strong",     "acteval", "weak",   "random", "games",       "8", "peers",      "8",  "born", "24",
    "population", "12",      "verify", "0",      "generations", "4", "reevaluate", "16", NULL};

/* A run that may be stopped, may have reached its goal, may use a store, and may start from given maps. */
struct setting {
    int workers;
    uint64_t seed;
    struct store *store;
    int stop_after; /* games; 0: never */
    bool enough;    /* from the start */
    int seed_count;
    const struct genome *seeds;
    const char *const *seed_names;
};

struct observer {
    const struct setting *setting;
    int games;
    atomic_bool stop;
};

static void on_game(void *context, const struct sample_game *sample, bool stored) {
    (void)sample;
    struct observer *w = context;
    (void)stored;
    if (++w->games == w->setting->stop_after)
        atomic_store(&w->stop, true);
}

static bool is_enough(void *context) {
    const struct observer *w = context;
    return w->setting->enough;
}

/* False with an error message, or *complete as set by evolution_play. The caller frees `ev` in both cases. */
static bool try_run(const struct plan *p, const struct setting *s, struct evolution *ev, int *games,
                    bool *complete, struct err *e) {
    struct observer watch = {.setting = s};
    const struct evaluator_setup setup = {.rules = p->rules,
                                          .strong = p->recipe.strong,
                                          .weak = p->recipe.weak,
                                          .seed = s->seed,
                                          .workers = s->workers,
                                          .store = s->store,
                                          .stop = &watch.stop,
                                          .on_game = on_game,
                                          .context = &watch};
    *ev = (struct evolution){.plan = p, .seed = s->seed};
    struct evaluator *evaluator = evaluator_open(&setup, e);
    if (evaluator == NULL)
        return false;
    const struct evolution_run settings = {.evaluator = evaluator,
                                           .seed_count = s->seed_count,
                                           .seeds = s->seeds,
                                           .seed_names = s->seed_names,
                                           .is_enough = is_enough,
                                           .context = &watch};
    const bool ok = evolution_play(&settings, ev, complete, e);
    *games = evaluator_games(evaluator);
    evaluator_close(evaluator);
    return ok;
}

static void run_with(const struct plan *p, const struct setting *s, struct evolution *ev, int *games) {
    struct err e;
    bool complete;
    if (!try_run(p, s, ev, games, &complete, &e))
        fail_msg("%s", e.text);
    assert_int_equal(complete, s->stop_after == 0);
}

static void run(const struct plan *p, int workers, uint64_t seed, struct evolution *ev, int *games) {
    run_with(p, &(struct setting){.workers = workers, .seed = seed}, ev, games);
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
    assert_same_evolution(&one, &four);
    evolution_done(&one);
    evolution_done(&four);
}

static void check_shown(const struct plan *p, const struct evolution *ev) {
    assert_true(ev->shown_count > 0);
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *one = &ev->individuals[ev->shown[i]];
        assert_true(genome_is_legal(&p->space, &one->genome, NULL));
        assert_true(!p->recipe.tidy || (static_features_defects(&one->static_features) == 0));
        assert_true(one->id < ev->origin_count);
        assert_false(one->raced_out);
        for (int j = 0; j < i; j++) {
            const struct individual *other = &ev->individuals[ev->shown[j]];
            assert_true(genome_difference(&one->genome, &other->genome) > EVOLUTION_DIFFERENT);
            assert_false(one->place[0] == other->place[0] && one->place[1] == other->place[1]);
        }
    }
}

static void test_shown_maps_are_legal_and_different(void **state) {
    (void)state;
    struct plan p;
    struct evolution ev;
    int games;
    make_plan(&p, fast);
    run(&p, 2, 6, &ev, &games);
    check_shown(&p, &ev);
    const struct generation *first = &ev.generations[0], *last = &ev.generations[ev.generation_count - 1];
    assert_true(last->games == games && last->games > first->games);
    assert_true(last->evaluations > 24);
    for (int i = 0; i < ev.origin_count; i++)
        for (int k = 0; k < 2; k++)
            assert_true(ev.origins[i].parents[k] < i);
    evolution_done(&ev);
}

static void test_a_budget_is_not_exceeded(void **state) {
    (void)state;
    for (int budget = 50; budget <= 800; budget *= 4) {
        char text[16];
        snprintf(text, sizeof text, "%d", budget);
        const char *settings[sizeof fast / sizeof fast[0] + 4] = {"budget", text};
        memcpy(&settings[2], fast, sizeof fast); /* its end marks the start of one more */
        settings[sizeof fast / sizeof fast[0] + 1] = "generations";
        settings[sizeof fast / sizeof fast[0] + 2] = "1000";
        struct plan p;
        struct evolution ev;
        int games;
        make_plan(&p, settings);
        run(&p, 2, 7, &ev, &games);
        assert_true(games <= budget && games > budget - 60);
        evolution_done(&ev);
    }
}

/* Re-evaluation: the best maps at the end have had their games, and no map has more than one step too many.
 * Finals end when every map has enough games, or after a third as many games as before. */
static void test_elites_are_judged_again(void **state) {
    (void)state;
    struct plan p;
    struct evolution ev;
    int games;
    make_plan(&p, fast);
    run(&p, 2, 8, &ev, &games);
    int waiting = 0;
    for (int i = 0; i < ev.count; i++) {
        const int contests = judgement_contests(&ev.individuals[i].judgement);
        assert_true(contests < p.recipe.reevaluate + 10);
        waiting += contests < p.recipe.reevaluate;
    }
    assert_true(judgement_contests(&ev.individuals[ev.shown[0]].judgement) >= p.recipe.reevaluate);
    const int before = ev.generations[ev.generation_count - 2].games;
    const int finals = games - before, step = 3 * 16; /* three finalists at a time */
    assert_true(finals > 0 && finals < before / 3 + 1 + step);
    assert_true(waiting == 0 || finals >= before / 3);
    evolution_done(&ev);
}

/* ---- small and degenerate spaces ---- */

static void test_odd_settings_work(void **state) {
    (void)state;
    static const char *const cases[][40] = {
        {"born", "2", "population", "2", "games", "2", "peers", "0", "show", "1", "reevaluate", "0"},
        {"born", "2", "population", "7", "race", "no", "tidy", "no", "peers", "1"},
        {"born", "9", "population", "3", "games", "2", "symmetry", "none", "natural", "1"},
        {"width", "2", "height", "1", "red_min", "1", "red_max", "1", "blue_min", "1", "blue_max", "1"},
        {"width", "1", "height", "2", "symmetry", "flip", "red_min", "1", "red_max", "1", "blue_min", "1",
         "blue_max", "1"},
        /* only one map is possible: every map after the first is a duplicate */
        {"width",    "2", "height", "1",        "red_min", "1",       "red_max", "1",  "blue_min", "1",
         "blue_max", "1", "types",  "infantry", "terrain", "plain=1", "hp_low",  "10", "hp_high",  "10"},
        {"symmetry", "mirror", "crossover", "block", "mutation", "none", "crossover_rate", "1"},
        {"symmetry", "flip", "crossover", "uniform", "fair", "0", "show", "10000"},
        {"symmetry", "none", "tidy", "yes", "patches", "0", "terrain", "even", "generations", "0"},
    };
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *settings[80] = {NULL};
        int count = 0;
        for (; fast[count] != NULL; count++)
            settings[count] = fast[count];
        for (int k = 0; k < 40 && cases[i][k] != NULL; k++)
            settings[count++] = cases[i][k];
        struct plan p;
        struct evolution ev;
        int games;
        make_plan(&p, settings);
        run(&p, 2, 10 + i, &ev, &games);
        assert_true(ev.count > 0);
        assert_true(ev.shown_count > 0 && ev.shown_count <= p.recipe.show);
        for (int k = 0; k < ev.count; k++)
            assert_true(genome_is_legal(&p.space, &ev.individuals[k].genome, NULL));
        assert_int_equal(ev.generation_count, p.recipe.generations + 2);
        hash = evolution_hash(hash, &ev);
        evolution_done(&ev);
    }
    if (hash !=
        UINT64_C(0xf4ad6e9af42009d1)) /* the digest changes only with an intended change of the method */
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
}

/* Too small for any map, for one game from each side, for a first rung of half of the maps, … */
static void test_a_small_budget_ends_at_once(void **state) {
    (void)state;
    for (int budget = 1; budget <= 48; budget += 1 + budget / 4) {
        char text[16];
        snprintf(text, sizeof text, "%d", budget);
        const char *settings[40] = {"budget", text};
        int count = 2;
        for (int i = 0; fast[i] != NULL; i++)
            settings[count++] = fast[i];
        settings[count++] = "generations";
        settings[count++] = "1000000";
        settings[count++] = "race";
        settings[count++] = budget % 2 == 0 ? "yes" : "no";
        struct plan p;
        struct evolution ev;
        int games;
        make_plan(&p, settings);
        run(&p, 1, 3, &ev, &games);
        assert_true(games <= budget);
        assert_true(ev.generation_count <= 30);
        const struct generation *last = &ev.generations[ev.generation_count - 1];
        assert_int_equal(last->games, games);
        assert_int_equal(last->best_id >= 0, games > 0);
        assert_int_equal(ev.shown_count > 0, games > 0);
        evolution_done(&ev);
    }
}

static void test_enough_ends_generations(void **state) {
    (void)state;
    struct plan p;
    struct evolution ev;
    int games;
    make_plan(&p, fast);
    run_with(&p, &(struct setting){.workers = 2, .seed = 5, .enough = true}, &ev, &games);
    assert_int_equal(ev.generation_count, 2); /* birth, and the best judged again */
    check_shown(&p, &ev);
    assert_true(games > ev.generations[0].games);
    evolution_done(&ev);
}

static void test_seed_maps_come_first(void **state) {
    (void)state;
    static const char *const names[3] = {
        "/home/somebody/maps/duel.tbsmap", "duel",
        "maps/\u6226\u8853\u6226\u8853\u6226\u8853\u6226\u8853\u6226.tbsmap"};
    struct plan p;
    struct evolution ev;
    struct genome seeds[3];
    struct rng r;
    int games;
    make_plan(&p, fast);
    rng_seed(&r, 77);
    for (int i = 0; i < 3; i++) {
        genome_random(&p.space, &r, &seeds[i]);
        tidy_map(&p.space, p.rules, &r, &seeds[i]);
    }
    seeds[1] = seeds[0]; /* given twice: judged once */
    const struct setting setting = {
        .workers = 2, .seed = 5, .seed_count = 3, .seeds = seeds, .seed_names = names};
    run_with(&p, &setting, &ev, &games);
    assert_string_equal(origin_note(&ev.origins[0]), "seed duel.tbsmap");
    assert_string_equal(origin_note(&ev.origins[1]), "seed duel");
    assert_false(isnan(ev.origins[0].fitness));
    assert_true(isnan(ev.origins[1].fitness));
    int last = 1;
    while (strcmp(origin_note(&ev.origins[last]), "seed duel") == 0)
        last++;
    /* 31 bytes are room for eight characters of three bytes and one byte more, which is none. */
    assert_string_equal(origin_note(&ev.origins[last]),
                        "seed \u6226\u8853\u6226\u8853\u6226\u8853\u6226\u8853");
    evolution_done(&ev);
}

/* Stopped anywhere (in a race, while elites are judged again, in the finals, in verification) the last
 * published result is available, and the continued run gives the result of an uninterrupted one. */
static void test_a_stopped_run_goes_on_to_the_same_end(void **state) {
    (void)state;
    static const int moments[] = {1, 30, 100, 170, 240, 330, 400, 470, 560, 650};
    enum { MOMENTS = sizeof moments / sizeof moments[0] };
    char folder[SCRATCH_PATH_MAX], path[80], lock[100];
    struct plan p;
    struct evolution whole;
    int all;
    assert_true(scratch_folder("archive", folder));
    snprintf(path, sizeof path, "%s/games.db", folder);
    snprintf(lock, sizeof lock, "%s.lock", path);
    make_plan(&p, fast);
    p.recipe.verify = 4;
    run(&p, 2, 9, &whole, &all);
    for (int i = 0; i <= MOMENTS; i++) {
        struct setting setting = {.workers = 1 + i % 3, .seed = 9};
        struct evolution part;
        struct err e;
        int games;
        if (i < MOMENTS && moments[i] >= all)
            continue;
        setting.stop_after = i < MOMENTS ? moments[i] : 0;
        setting.store = store_open(path, STORE_WRITE, &e);
        assert_non_null(setting.store);
        run_with(&p, &setting, &part, &games);
        store_close(setting.store);
        if (i == MOMENTS)
            assert_same_evolution(&whole, &part);
        for (int k = 0; k < part.count; k++)
            assert_true(part.individuals[k].id < part.origin_count);
        if (part.generation_count > 0)
            assert_int_equal(part.evaluations, part.generations[part.generation_count - 1].evaluations);
        else
            assert_int_equal(part.evaluations + part.origin_count, 0);
        evolution_done(&part);
    }
    evolution_done(&whole);
    unlink(path);
    unlink(lock);
    assert_int_equal(rmdir(folder), 0);
}

/* 768 maps are possible here, and 700 are created: most draws towards the end are duplicates. */
static void test_many_maps_are_distinguished(void **state) {
    (void)state;
    static const char *const settings[] = {"strong",      "random",
                                           "weak",        "random",
                                           "width",       "2",
                                           "height",      "2",
                                           "red_min",     "1",
                                           "red_max",     "1",
                                           "blue_min",    "1",
                                           "blue_max",    "1",
                                           "hp_low",      "10",
                                           "types",       "I,P",
                                           "terrain",     "plain=1,wood=1",
                                           "symmetry",    "none",
                                           "patches",     "0",
                                           "tidy",        "no",
                                           "games",       "2",
                                           "peers",       "0",
                                           "born",        "700",
                                           "population",  "6",
                                           "generations", "1",
                                           "budget",      "30",
                                           "verify",      "0",
                                           NULL};
    struct plan p;
    struct evolution ev;
    int games;
    make_plan(&p, settings);
    run(&p, 1, 1, &ev, &games);
    assert_in_range(ev.origin_count, 1500, 2500);
    assert_in_range(games, 20, 30);
    evolution_done(&ev);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_quality_grows_with_wins_and_games, set_up),
        cmocka_unit_test_setup(test_quality_by_hand, set_up),
        cmocka_unit_test_setup(test_copies_replace_their_model, set_up),
        cmocka_unit_test_setup(test_bins_begin_at_their_edges, set_up),
        cmocka_unit_test_setup(test_lists_go_by_quality, set_up),
        cmocka_unit_test_setup(test_fresh_games_are_compared_at_their_rate, set_up),
        cmocka_unit_test_setup(test_unfair_maps_lose, set_up),
        cmocka_unit_test_setup(test_good_is_fair_strong_and_tidy, set_up),
        cmocka_unit_test_setup(test_place_follows_length_and_mix, set_up),
        cmocka_unit_test_setup(test_a_cell_holds_the_best_first, set_up),
        cmocka_unit_test_setup(test_a_near_copy_competes_with_its_like, set_up),
        cmocka_unit_test(test_workers_do_not_matter),
        cmocka_unit_test(test_shown_maps_are_legal_and_different),
        cmocka_unit_test(test_a_budget_is_not_exceeded),
        cmocka_unit_test(test_elites_are_judged_again),
        cmocka_unit_test(test_odd_settings_work),
        cmocka_unit_test(test_a_small_budget_ends_at_once),
        cmocka_unit_test(test_enough_ends_generations),
        cmocka_unit_test(test_seed_maps_come_first),
        cmocka_unit_test(test_a_stopped_run_goes_on_to_the_same_end),
        cmocka_unit_test(test_many_maps_are_distinguished),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
