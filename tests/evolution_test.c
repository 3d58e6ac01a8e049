/* SPDX-License-Identifier: MIT
 *
 * Whole runs with players that need no time: the published algorithm by its numbers, what survives and what
 * is not judged again, racing, random maps, verification, and that nothing depends on workers or
 * interruptions.
 */
#include "evolve/evolution.c" /* one test mutates, one chooses maps to show */

#include "base/mem.h"
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

enum { IDS_MAX = 2000 };

/* Data recorded of a run beside its result. */
struct observer {
    struct genome *genomes; /* by id, of every map that was ever in the population */
    bool seen[IDS_MAX];
    int calls, sizes[100];
    int enough_after; /* generations; 0: never */
    int stop_after;   /* games; 0: never */
    int games, stored;
    atomic_bool stop;
};

struct result {
    struct plan plan;
    struct evolution ev;
    struct observer observer;
    int games, stored;
    bool complete;
};

struct setting {
    int workers;
    uint64_t seed;
    struct store *store;
    int enough_after, stop_after;
    int seed_count;
    const struct genome *seeds;
};

static const char *const seed_names[] = {"first", "second"};

static void on_game(void *context, const struct sample_game *sample, bool stored) {
    (void)sample;
    struct observer *w = context;
    w->games++;
    w->stored += stored;
    if (w->stop_after > 0 && w->games >= w->stop_after)
        atomic_store(&w->stop, true);
}

static void on_generation(void *context, const struct evolution *ev) {
    struct observer *w = context;
    assert_true(w->calls < 100);
    w->sizes[w->calls++] = ev->count;
    for (int i = 0; i < ev->count; i++) {
        assert_true(ev->individuals[i].id < IDS_MAX);
        w->seen[ev->individuals[i].id] = true;
        w->genomes[ev->individuals[i].id] = ev->individuals[i].genome;
    }
}

static bool is_enough(void *context) {
    const struct observer *w = context;
    return w->enough_after > 0 && w->calls > w->enough_after;
}

static void plan_of(const char *preset, const char *const *fields, struct plan *out) {
    struct recipe r;
    struct err e = {{0}};
    assert_true(recipe_preset(&r, preset, &e));
    assert_true(recipe_set(&r, "strong", "acteval", &e));
    assert_true(recipe_set(&r, "weak", "random", &e));
    for (; fields != NULL && *fields != NULL; fields += 2)
        if (!recipe_set(&r, fields[0], fields[1], &e))
            fail_msg("%s", e.text);
    if (!recipe_plan(&r, out, &e))
        fail_msg("%s", e.text);
}

static struct result *play(const char *preset, const char *const *fields, const struct setting *setting) {
    struct result *out = mem_alloc(sizeof *out);
    struct err e = {{0}};
    assert_non_null(out);
    plan_of(preset, fields, &out->plan);
    struct observer *w = &out->observer;
    w->genomes = mem_alloc(IDS_MAX * sizeof *w->genomes);
    assert_non_null(w->genomes);
    w->enough_after = setting->enough_after;
    w->stop_after = setting->stop_after;
    const struct evaluator_setup setup = {.rules = out->plan.rules,
                                          .strong = out->plan.recipe.strong,
                                          .weak = out->plan.recipe.weak,
                                          .seed = setting->seed,
                                          .workers = setting->workers,
                                          .store = setting->store,
                                          .stop = &w->stop,
                                          .on_game = on_game,
                                          .context = w};
    struct evaluator *evaluator = evaluator_open(&setup, &e);
    if (evaluator == NULL)
        fail_msg("%s", e.text);
    const struct evolution_run run = {.evaluator = evaluator,
                                      .seed_count = setting->seed_count,
                                      .seeds = setting->seeds,
                                      .seed_names = seed_names,
                                      .is_enough = is_enough,
                                      .on_generation = on_generation,
                                      .context = w};
    out->ev = (struct evolution){.plan = &out->plan, .seed = setting->seed};
    if (!evolution_play(&run, &out->ev, &out->complete, &e))
        fail_msg("%s", e.text);
    out->games = evaluator_games(evaluator);
    out->stored = w->stored;
    evaluator_close(evaluator);
    return out;
}

static void drop(struct result *result) {
    evolution_done(&result->ev);
    mem_free(result->observer.genomes);
    mem_free(result);
}

static const struct setting default_setting = {.workers = 2, .seed = 1};

static const char *const tiny[] = {"born",   "12", "population", "6", "generations", "4",
                                   "verify", "4",  "show",       "3", NULL};

static void assert_is(double value, double expected) {
    if (!(value >= expected && value <= expected))
        fail_msg("%.17g is not %.17g", value, expected);
}

/* ---- the published algorithm ---- */

static void paper_judges_480_maps(void **state) {
    (void)state;
    static const char *const fields[] = {"verify", "0", NULL};
    struct result *result = play("paper", fields, &default_setting);
    const struct evolution *ev = &result->ev;
    assert_true(result->complete);
    assert_int_equal(ev->evaluations, 80 + 10 * 40);
    assert_int_equal(ev->origin_count, 480);
    assert_int_equal(result->games, 4800);
    assert_int_equal(ev->generation_count, 11);
    for (int g = 0; g <= 10; g++) {
        assert_int_equal(ev->generations[g].number, g);
        assert_int_equal(ev->generations[g].evaluations, 80 + 40 * g);
        assert_int_equal(ev->generations[g].games, 10 * (80 + 40 * g));
        assert_int_equal(result->observer.sizes[g], 40);
    }
    assert_int_equal(result->observer.calls, 12); /* once more when all is verified */
    assert_int_equal(ev->count, 40);
    assert_int_equal(evolution_games_planned(&result->plan), 4800);
    drop(result);
}

static void origins_hold_generations_and_parents(void **state) {
    (void)state;
    struct result *result = play("paper", tiny, &default_setting);
    const struct evolution *ev = &result->ev;
    for (int id = 0; id < 12; id++) {
        assert_int_equal(ev->origins[id].parents[0], -1);
        assert_int_equal(ev->origins[id].parents[1], -1);
        assert_int_equal(ev->origins[id].generation, 0);
        assert_string_equal(origin_note(&ev->origins[id]), "random");
    }
    for (int id = 12; id < ev->origin_count; id += 2) {
        const struct origin *siblings = &ev->origins[id];
        assert_int_equal(siblings[0].generation, 1 + (id - 12) / 6);
        assert_int_equal(siblings[1].generation, siblings[0].generation);
        assert_int_not_equal(siblings[0].parents[0], siblings[0].parents[1]);
        assert_int_equal(siblings[0].parents[0], siblings[1].parents[1]);
        assert_int_equal(siblings[0].parents[1], siblings[1].parents[0]);
        assert_true(siblings[0].parents[0] < id && siblings[0].parents[1] < id);
        assert_string_equal(origin_note(&siblings[0]), "uniform");
    }
    drop(result);
}

/* Is this what one of the parents has there? Units may have been taken off where there were too many. */
static void assert_inherited(const struct genome *child, const struct genome *a, const struct genome *b) {
    for (int i = 0; i < genome_cells(child); i++) {
        const struct cell *c = &child->cells[i];
        const struct cell *const parents[2] = {&a->cells[i], &b->cells[i]};
        bool found = false;
        for (int k = 0; k < 2; k++)
            found = found || (c->terrain == parents[k]->terrain &&
                              (c->type == GENOME_EMPTY || memcmp(c, parents[k], sizeof *c) == 0));
        assert_true(found);
    }
}

static void cells_come_from_parents(void **state) {
    (void)state;
    static const char *const fields[] = {"generations", "6", "verify", "0", NULL};
    struct result *result = play("paper", fields, &default_setting);
    const struct observer *w = &result->observer;
    int children = 0;
    for (int id = 80; id < result->ev.origin_count; id++) {
        const struct origin *origin = &result->ev.origins[id];
        if (!w->seen[id])
            continue;
        children++;
        assert_true(w->seen[origin->parents[0]] && w->seen[origin->parents[1]]);
        assert_true(genome_is_legal(&result->plan.space, &w->genomes[id], NULL));
        assert_inherited(&w->genomes[id], &w->genomes[origin->parents[0]], &w->genomes[origin->parents[1]]);
    }
    assert_true(children > 50);
    drop(result);
}

/* The best map always survives, and no map is judged twice. */
static void the_best_never_falls(void **state) {
    (void)state;
    struct setting setting = default_setting;
    for (setting.seed = 1; setting.seed <= 5; setting.seed++) {
        struct result *result = play("paper", tiny, &setting);
        const struct evolution *ev = &result->ev;
        for (int g = 1; g < ev->generation_count; g++)
            assert_true(ev->generations[g].best >= ev->generations[g - 1].best);
        for (int i = 0; i < ev->count; i++) {
            const struct individual *one = &ev->individuals[i];
            assert_int_equal(judgement_contests(&one->judgement), 10);
            assert_is(one->fitness, judgement_fitness(judgement_points(&one->judgement), 10));
            assert_is((double)ev->origins[one->id].fitness, (double)(float)one->fitness);
            assert_true(one->fitness <= ev->individuals[0].fitness);
        }
        drop(result);
    }
}

/* ---- the same result for any workers and any interruptions ---- */

static void workers_do_not_matter(void **state) {
    (void)state;
    static const char *const presets[] = {"paper", "random"};
    for (int i = 0; i < 2; i++) {
        struct result *one = play(presets[i], tiny, &(struct setting){.workers = 1, .seed = 7});
        struct result *four = play(presets[i], tiny, &(struct setting){.workers = 4, .seed = 7});
        struct result *other = play(presets[i], tiny, &(struct setting){.workers = 1, .seed = 8});
        assert_same_evolution(&one->ev, &four->ev);
        assert_memory_not_equal(&one->ev.individuals[0].genome, &other->ev.individuals[0].genome,
                                sizeof(struct genome));
        drop(one);
        drop(four);
        drop(other);
    }
}

static void a_stopped_run_goes_on_to_the_same_end(void **state) {
    (void)state;
    static const int moments[] = {1, 57, 60, 121, 200, 290, 361, 370};
    char folder[SCRATCH_PATH_MAX], path[80], lock[100];
    assert_true(scratch_folder("evolution", folder));
    snprintf(path, sizeof path, "%s/games.db", folder);
    snprintf(lock, sizeof lock, "%s.lock", path);
    struct result *whole = play("paper", tiny, &(struct setting){.workers = 2, .seed = 3});
    int games = 0;
    for (size_t i = 0; i <= sizeof moments / sizeof moments[0]; i++) {
        const bool last = i == sizeof moments / sizeof moments[0];
        struct setting setting = {.workers = 1 + (int)i % 3, .seed = 3, .stop_after = last ? 0 : moments[i]};
        struct err e;
        setting.store = store_open(path, STORE_WRITE, &e);
        assert_non_null(setting.store);
        struct result *part = play("paper", tiny, &setting);
        store_close(setting.store);
        assert_true(part->stored >= games); /* stored games are not played again */
        games = part->stored;
        assert_int_equal(part->complete, last);
        if (last)
            assert_same_evolution(&whole->ev, &part->ev);
        else
            assert_true(part->ev.count == 0 || part->ev.count == 6); /* nothing half judged */
        for (int k = 0; k < part->ev.count; k++)
            assert_false(isnan(part->ev.individuals[k].fitness));
        drop(part);
    }
    drop(whole);
    unlink(path);
    unlink(lock);
    assert_int_equal(rmdir(folder), 0);
}

static void time_ends_generations_but_not_verification(void **state) {
    (void)state;
    struct result *result =
        play("paper", tiny, &(struct setting){.workers = 2, .seed = 1, .enough_after = 2});
    struct result *whole = play("paper", tiny, &default_setting);
    assert_true(result->complete);
    assert_int_equal(result->ev.generation_count, 3);
    assert_memory_equal(result->ev.generations, whole->ev.generations, 3 * sizeof(struct generation));
    assert_true(result->ev.verified);
    drop(result);
    drop(whole);
}

static void a_budget_ends_generations(void **state) {
    (void)state;
    static const char *const fields[] = {"born",   "12", "population", "6",   "generations", "4",
                                         "verify", "0",  "budget",     "200", NULL};
    struct result *result = play("paper", fields, &default_setting);
    /* 120, then 180: that is not enough; then 240. */
    assert_int_equal(result->ev.generation_count, 3);
    assert_int_equal(result->games, 240);
    assert_int_equal(evolution_games_planned(&result->plan), 200);
    drop(result);
}

/* ---- variations ---- */

/* Was every map that was ended by racing hopeless? And does racing save games? */
static void races_spare_games(void **state) {
    (void)state;
    static const char *const fields[] = {"verify", "0", "generations", "6", "race", "yes", NULL};
    static const char *const plain[] = {"verify", "0", "generations", "6", NULL};
    struct result *raced = play("paper", fields, &default_setting),
                  *all = play("paper", plain, &default_setting);
    const struct evolution *ev = &raced->ev;
    assert_int_equal(ev->evaluations, 80 + 6 * 40);
    assert_int_equal(all->games, 10 * ev->evaluations);
    assert_true(raced->games < all->games - 100);
    assert_memory_equal(&ev->generations[0], &all->ev.generations[0], sizeof ev->generations[0]);
    for (int i = 0; i < ev->count; i++) {
        const struct individual *one = &ev->individuals[i];
        const int games = judgement_contests(&one->judgement);
        assert_true(one->raced_out ? games == 4 || games == 8 : games == 10);
        assert_int_equal(judgement_games(&one->judgement), games);
        if (one->raced_out)
            assert_is(one->fitness, 1);
    }
    for (int g = 1; g < ev->generation_count; g++)
        assert_true(ev->generations[g].best >= ev->generations[g - 1].best);
    drop(raced);
    drop(all);
}

static void random_maps_have_no_parents(void **state) {
    (void)state;
    static const char *const fields[] = {"verify", "2", NULL};
    struct result *result = play("random", fields, &default_setting);
    const struct evolution *ev = &result->ev;
    double best = 0;
    int better = 0;
    assert_int_equal(ev->evaluations, 480);
    assert_int_equal(ev->generation_count, 11);
    assert_int_equal(ev->count, 40);
    for (int id = 0; id < ev->origin_count; id++) {
        assert_int_equal(ev->origins[id].parents[0], -1);
        assert_int_equal(ev->origins[id].generation, id < 80 ? 0 : 1 + (id - 80) / 40);
        best = fmax(best, (double)ev->origins[id].fitness);
        better += (double)ev->origins[id].fitness > ev->individuals[39].fitness;
    }
    assert_is(ev->individuals[0].fitness, best);
    assert_true(better < 40); /* the population is the best 40 of all */
    drop(result);
}

static void mutation_and_one_parent(void **state) {
    (void)state;
    static const char *const fields[] = {"born",
                                         "20",
                                         "population",
                                         "10",
                                         "generations",
                                         "8",
                                         "verify",
                                         "0",
                                         "crossover_rate",
                                         "0.5",
                                         "mutation",
                                         "all",
                                         "mutation_rate",
                                         "1.5",
                                         "crossover",
                                         "region",
                                         "tidy",
                                         "yes",
                                         "selection",
                                         "tournament",
                                         NULL};
    struct result *result = play("paper", fields, &default_setting);
    const struct evolution *ev = &result->ev;
    int crossed = 0, alone = 0;
    for (int id = 20; id < ev->origin_count; id++) {
        const struct origin *o = &ev->origins[id];
        const bool has_two = o->parents[1] >= 0;
        crossed += has_two;
        alone += !has_two;
        assert_int_equal(strncmp(origin_note(o), "region", 6) == 0, has_two);
        assert_true(has_two || strcmp(origin_note(o), "0 changes") != 0); /* no copies */
    }
    assert_true(crossed > 20 && alone > 20);
    const uint64_t hash = evolution_hash(HASH_START, ev);
    if (hash !=
        UINT64_C(0x197bc363b8ea387f)) /* the digest changes only with an intended change of the method */
        fail_msg("the hash is 0x%016llx", (unsigned long long)hash);
    for (int i = 0; i < ev->count; i++)
        assert_true(genome_is_legal(&result->plan.space, &ev->individuals[i].genome, NULL));
    drop(result);
}

static void as_many_changes_as_in_the_recipe(void **state) {
    (void)state;
    static const char *const fields[] = {"mutation", "all", "mutation_rate", "2.5", NULL};
    enum { TRIES = 4000 };
    struct plan plan;
    struct rng r;
    long made = 0, least = 0;
    plan_of("paper", fields, &plan);
    rng_seed(&r, 1);
    for (int i = 0; i < TRIES; i++) {
        struct genome g;
        genome_random(&plan.space, &r, &g);
        made += evolution_mutate(&plan, false, &r, &g);
        least += evolution_mutate(&plan, true, &r, &g) == 0;
    }
    assert_true(fabs((double)made / TRIES - 2.5) < 4.5 * sqrt(2.5 / TRIES));
    assert_int_equal(least, 0);
}

static void seed_maps_are_born_first(void **state) {
    (void)state;
    struct genome seeds[2];
    struct plan plan;
    struct rng r;
    plan_of("paper", NULL, &plan);
    rng_seed(&r, 99);
    genome_random(&plan.space, &r, &seeds[0]);
    genome_random(&plan.space, &r, &seeds[1]);
    static const char *const fields[] = {"born", "12",     "population", "12", "generations",
                                         "0",    "verify", "0",          NULL};
    struct result *result =
        play("paper", fields, &(struct setting){.workers = 2, .seed = 1, .seed_count = 2, .seeds = seeds});
    assert_string_equal(origin_note(&result->ev.origins[0]), "seed first");
    assert_string_equal(origin_note(&result->ev.origins[1]), "seed second");
    assert_string_equal(origin_note(&result->ev.origins[2]), "random");
    for (int i = 0; i < 2; i++)
        assert_memory_equal(&result->observer.genomes[i], &seeds[i], sizeof seeds[i]);
    assert_int_equal(result->ev.generation_count, 1);
    drop(result);
}

/* ---- other readings of the published algorithm ---- */

/* A tiny run with one or two parameters more; the caller drops it. */
static struct result *play_reading(const char *const more[4], const struct setting *setting) {
    const char *fields[24] = {NULL};
    int count = 0;
    for (; tiny[count] != NULL; count++)
        fields[count] = tiny[count];
    for (int i = 0; i < 4 && more[i] != NULL; i++)
        fields[count++] = more[i];
    return play("paper", fields, setting);
}

/* All are of the last generation, but for one parent at most: the best. */
static void children_replace_parents(void **state) {
    (void)state;
    int kept = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct result *result = play_reading((const char *const[4]){"replacement", "children"},
                                             &(struct setting){.workers = 2, .seed = seed});
        const struct evolution *ev = &result->ev;
        assert_int_equal(ev->count, 6);
        int parents = 0;
        for (int i = 0; i < ev->count; i++)
            parents += ev->origins[ev->individuals[i].id].generation < 4;
        assert_true(parents <= 1);
        kept += parents;
        for (int g = 1; g < ev->generation_count; g++)
            assert_true(ev->generations[g].best >= ev->generations[g - 1].best);
        drop(result);
    }
    assert_true(kept > 0);
}

static void each_parent_is_in_one_pair(void **state) {
    (void)state;
    struct result *result = play_reading((const char *const[4]){"parents", "once"}, &default_setting);
    const struct evolution *ev = &result->ev;
    for (int first = 12; first < ev->origin_count; first += 6) {
        bool is_parent[IDS_MAX] = {false};
        for (int id = first; id < first + 6; id += 2)
            for (int k = 0; k < 2; k++) {
                const int parent = ev->origins[id].parents[k];
                assert_false(is_parent[parent]);
                is_parent[parent] = true;
            }
    }
    drop(result);
}

/* The two fittest are the first pair; of the others one alone has a chance, which begins the second. */
static void weights_stay_with_their_maps(void **state) {
    (void)state;
    static const double fitness[] = {8, 8, 1, 0, 0, 0};
    static const char *const fields[] = {"parents", "once", NULL};
    struct individual maps[6] = {{.id = 0}};
    struct plan plan;
    plan_of("paper", fields, &plan);
    for (int i = 0; i < 6; i++)
        maps[i] = (struct individual){.id = i, .fitness = fitness[i]};
    int others = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        const struct evolution ev = {.plan = &plan, .seed = seed, .individuals = maps, .count = 6};
        struct rng rngs[3];
        int parents[6], sum = 0;
        choose_parents(&ev, 3, rngs, parents);
        for (int i = 0; i < 6; i++)
            sum += 1 << parents[i];
        assert_int_equal(sum, 63);
        if (parents[0] + parents[1] == 1) /* a map of weight 1 is seldom in the first pair */
            assert_int_equal(parents[2], 2);
        else
            others++;
    }
    assert_true(others < 40);
}

/* Copies are of one map in all respects; the best comes first, and once more only when another map equals it.
 */
static void maps_are_copied(void **state) {
    (void)state;
    int copies = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct result *result = play_reading((const char *const[4]){"copies", "yes"},
                                             &(struct setting){.workers = 2, .seed = seed});
        const struct evolution *ev = &result->ev;
        assert_int_equal(ev->count, 6);
        for (int i = 0; i < ev->count; i++) {
            assert_true(ev->individuals[i].fitness <= ev->individuals[0].fitness);
            for (int k = 0; k < i; k++)
                if (ev->individuals[i].id == ev->individuals[k].id) {
                    assert_true(k > 0);
                    assert_memory_equal(&ev->individuals[i].genome, &ev->individuals[k].genome,
                                        sizeof ev->individuals[i].genome);
                    copies++;
                }
        }
        drop(result);
    }
    assert_true(copies > 0);
}

/* Twelve maps at birth, then six children and six parents in each of four generations. The first judgement of
 * a map stays in its origin. */
static void parents_are_judged_again(void **state) {
    (void)state;
    struct result *result = play_reading((const char *const[4]){"rejudge", "yes"}, &default_setting);
    const struct evolution *ev = &result->ev;
    int changed = 0;
    assert_int_equal(ev->evaluations, 12 + 4 * 6);
    assert_int_equal(evolution_games_planned(&result->plan), 10 * (12 + 4 * 12));
    assert_int_equal(result->games, 10 * (12 + 4 * 12) + 3 * 6);
    for (int i = 0; i < ev->count; i++) {
        const struct individual *one = &ev->individuals[i];
        assert_int_equal(judgement_contests(&one->judgement), 10);
        assert_is(one->fitness, judgement_fitness(judgement_points(&one->judgement), 10));
        const double first = (double)ev->origins[one->id].fitness;
        changed += first < one->fitness || first > one->fitness;
    }
    assert_true(changed > 0);
    drop(result);
}

/* Parents are judged together with the children, or not at all. */
static void readings_survive_interruptions(void **state) {
    (void)state;
    static const char *const more[4] = {"rejudge", "yes", "copies", "yes"};
    struct result *whole = play_reading(more, &(struct setting){.workers = 1, .seed = 3});
    struct result *four = play_reading(more, &(struct setting){.workers = 4, .seed = 3});
    assert_same_evolution(&whole->ev, &four->ev);
    for (int stop_after = 130; stop_after < 620; stop_after += 70) {
        struct result *cut =
            play_reading(more, &(struct setting){.workers = 1, .seed = 3, .stop_after = stop_after});
        assert_false(cut->complete);
        for (int i = 0; i < cut->ev.count; i++)
            assert_int_equal(judgement_contests(&cut->ev.individuals[i].judgement), 10);
        const struct generation *last = &cut->ev.generations[cut->ev.generation_count - 1],
                                *same = &whole->ev.generations[cut->ev.generation_count - 1];
        assert_is(last->mean, same->mean);
        assert_is(cut->ev.individuals[0].fitness, same->best);
        drop(cut);
    }
    drop(whole);
    drop(four);
}

/* Twenty near copies of two maps are two different maps. */
static void near_copies_count_once(void **state) {
    (void)state;
    enum { MAPS = 20 };
    static struct individual maps[MAPS];
    struct plan plan;
    struct rng r;
    plan_of("paper", NULL, &plan);
    rng_seed(&r, 21);
    assert_int_equal(evolution_different(maps, 0), 0);
    for (int i = 0; i < 2; i++)
        genome_random(&plan.space, &r, &maps[i].genome);
    assert_true(genome_difference(&maps[0].genome, &maps[1].genome) > 0.4);
    for (int i = 2; i < MAPS; i++) {
        maps[i].genome = maps[i % 2].genome;
        for (int k = 0; k < 3; k++)
            operators_mutate(&plan.space, MUTATION_ALL, &r, &maps[i].genome);
        assert_true(genome_difference(&maps[i].genome, &maps[i % 2].genome) > 0);
    }
    assert_int_equal(evolution_different(maps, MAPS), 2);
    assert_int_equal(evolution_different(maps, 1), 1);
    genome_random(&plan.space, &r, &maps[MAPS - 1].genome);
    assert_int_equal(evolution_different(maps, MAPS), 3);
}

/* ---- progress, and results of fresh games ---- */

static void the_best_different_maps_are_shown(void **state) {
    (void)state;
    struct evolution ev;
    struct plan plan;
    struct rng r;
    static const double fitness[] = {8, 64, 64, 27, 64, 8};
    plan_of("paper", NULL, &plan);
    ev = (struct evolution){.plan = &plan, .seed = 1};
    rng_seed(&r, 5);
    for (int i = 0; i < 6; i++) {
        struct individual one = {.id = i, .fitness = fitness[i]};
        genome_random(&plan.space, &r, &one.genome);
        one.static_features.natural = i == 2 ? 0.9 : 0.5;
        evolution_add(&ev, &one);
    }
    ev.individuals[3].genome = ev.individuals[2].genome; /* a copy */
    evolution_show_best(&ev);
    static const int expected[] = {2, 1, 4, 0};
    assert_int_equal(ev.shown_count, 4);
    assert_memory_equal(ev.shown, expected, sizeof expected);
    evolution_done(&ev);
}

static void fresh_games_select_nothing(void **state) {
    (void)state;
    struct result *result = play("paper", tiny, &default_setting);
    const struct evolution *ev = &result->ev;
    assert_true(ev->verified);
    assert_int_equal(ev->shown_count, 3);
    assert_int_equal(result->games, 10 * ev->evaluations + 3 * 6);
    for (int i = 0; i < ev->count; i++) {
        const struct individual *one = &ev->individuals[i];
        const bool shown = i == ev->shown[0] || i == ev->shown[1] || i == ev->shown[2];
        assert_int_equal(judgement_contests(&one->fresh), shown ? 4 : 0);
        assert_int_equal(tally_games(&one->fresh.strong[0]), shown ? 2 : 0);
        assert_int_equal(tally_games(&one->fresh.peers), shown ? 2 : 0);
        assert_int_equal(judgement_games(&one->judgement), 10);
    }
    drop(result);
}

static void fitness_from_other_games(void **state) {
    (void)state;
    static const char *const fields[] = {"natural", "0.25", NULL};
    struct plan plan;
    struct individual one = {.static_features = {.natural = 0.5}};
    const struct judgement games = {.strong = {{90, 0, 10}, {85, 10, 5}}}; /* 180 of 200: 9 of 10 */
    plan_of("paper", NULL, &plan);
    assert_is(evolution_fitness_by(&plan, &one, &games), 125);
    assert_true(isnan(evolution_fitness_by(&plan, &one, &one.fresh)));
    plan_of("paper", fields, &plan);
    assert_is(evolution_fitness_by(&plan, &one, &games), 0.75 * 125 + 0.25 * 0.5 * 216);
    one.judgement = (struct judgement){.strong = {{5, 0, 0}, {2, 2, 1}}}; /* the paper's example: 64 */
    assert_is(evolution_fitness_by(&plan, &one, &one.judgement), 0.75 * 64 + 0.25 * 0.5 * 216);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_judges_480_maps),
        cmocka_unit_test(origins_hold_generations_and_parents),
        cmocka_unit_test(cells_come_from_parents),
        cmocka_unit_test(the_best_never_falls),
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(a_stopped_run_goes_on_to_the_same_end),
        cmocka_unit_test(time_ends_generations_but_not_verification),
        cmocka_unit_test(a_budget_ends_generations),
        cmocka_unit_test(races_spare_games),
        cmocka_unit_test(random_maps_have_no_parents),
        cmocka_unit_test(mutation_and_one_parent),
        cmocka_unit_test(as_many_changes_as_in_the_recipe),
        cmocka_unit_test(seed_maps_are_born_first),
        cmocka_unit_test(children_replace_parents),
        cmocka_unit_test(each_parent_is_in_one_pair),
        cmocka_unit_test(weights_stay_with_their_maps),
        cmocka_unit_test(maps_are_copied),
        cmocka_unit_test(parents_are_judged_again),
        cmocka_unit_test(readings_survive_interruptions),
        cmocka_unit_test(near_copies_count_once),
        cmocka_unit_test(the_best_different_maps_are_shown),
        cmocka_unit_test(fresh_games_select_nothing),
        cmocka_unit_test(fitness_from_other_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
