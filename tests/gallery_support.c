/* SPDX-License-Identifier: MIT */
#include "gallery_support.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <math.h>
#include <string.h>
#include <cmocka.h>

/* `crossover`: -1 for none. */
static void add_origin(struct gallery_sample *s, int first, int second, int generation, int crossover,
                       int changes) {
    const struct origin origin = {.parents = {first, second},
                                  .generation = generation,
                                  .crossover = (short)crossover,
                                  .changes = (short)changes,
                                  .fitness = 64.0F};
    s->ev.origins =
        mem_grow(s->ev.origins, &s->ev.origin_capacity, s->ev.origin_count + 1, sizeof *s->ev.origins);
    s->ev.origins[s->ev.origin_count++] = origin;
}

/* Strong won all with red and half with blue; red and blue are equal between equals. */
static struct judgement known_games(int games) {
    struct judgement j = {.strong = {{games / 2, 0, 0}, {games / 4, 0, games / 2 - games / 4}},
                          .peers = {games / 4, 2, games / 4},
                          .annihilated = games};
    const int all = judgement_games(&j);
    j.turns = 7LL * all;
    j.actions = 40LL * all;
    j.first_kills[TBS_RED][0] = all - all / 2;
    j.first_kills[TBS_RED][1] = all / 2;
    j.first_kills[TBS_BLUE][0] = all;
    return j;
}

static void add_individual(struct gallery_sample *s, int id, double fitness) {
    struct individual one = {.id = id, .fitness = fitness, .place = {-1, -1}};
    struct tbs_map map;
    struct rng r;
    rng_seed_stream(&r, 7, (uint64_t)id);
    genome_random(&s->plan.space, &r, &one.genome);
    genome_to_map(&s->plan.space, &one.genome, &map);
    static_features_of(&map, s->plan.rules, &one.static_features);
    one.judgement = known_games(20);
    if (s->plan.recipe.method == METHOD_ARCHIVE) {
        one.place[FEATURE_LENGTH] = s->ev.count % 3;
        one.place[FEATURE_MIX] = 1;
    }
    s->ev.individuals =
        mem_grow(s->ev.individuals, &s->ev.capacity, s->ev.count + 1, sizeof *s->ev.individuals);
    s->ev.individuals[s->ev.count++] = one;
    s->ev.shown[s->ev.shown_count++] = s->ev.count - 1;
}

void gallery_sample_add(struct gallery_sample *s, const struct generation *generation) {
    s->ev.generations = mem_grow(s->ev.generations, &s->ev.generation_capacity, s->ev.generation_count + 1,
                                 sizeof *s->ev.generations);
    s->ev.generations[s->ev.generation_count++] = *generation;
}

static void add_generations(struct gallery_sample *s) {
    const bool has_archive = s->plan.recipe.method == METHOD_ARCHIVE;
    for (int i = 0; i < (has_archive ? 3 : 11); i++) {
        struct generation g = {.number = i,
                               .evaluations = 80 + 40 * i,
                               .games = 800 + 400 * i,
                               .best = has_archive          ? 0.5
                                       : 27 * (i + 1) < 216 ? 27 * (i + 1)
                                                            : 216,
                               .mean = has_archive ? 0.25 : 8,
                               .best_id = 2,
                               .filled = 30 - i};
        if (has_archive && i == 1) {
            g.best = g.mean = (double)NAN;
            g.best_id = -1;
        }
        gallery_sample_add(s, &g);
    }
}

void gallery_sample_empty(struct gallery_sample *s, const char *preset) {
    struct recipe recipe;
    struct err e;
    memset(s, 0, sizeof *s);
    if (!recipe_preset(&recipe, preset, &e) || !recipe_plan(&recipe, &s->plan, &e))
        fail_msg("%s", e.text);
    s->ev = (struct evolution){.plan = &s->plan, .seed = 17};
    s->gallery = (struct gallery){.title = "Maps & more", .command = "senjutsu evolve --seed 17"};
}

void gallery_sample_make(struct gallery_sample *s, const char *preset) {
    gallery_sample_empty(s, preset);
    s->ev.shown = mem_alloc(16 * sizeof *s->ev.shown);
    assert_non_null(s->ev.shown);
    add_origin(s, -1, -1, 0, -1, 0);
    add_origin(s, -1, -1, 0, -1, 0);
    snprintf(s->ev.origins[1].seed, ORIGIN_NOTE_MAX, "duel");
    add_origin(s, 0, 1, 1, CROSSOVER_REGION, 2);
    add_origin(s, 2, -1, 2, -1, 3);
    s->ev.origins[1].fitness = (float)NAN;
    add_individual(s, 2, s->plan.recipe.method == METHOD_ARCHIVE ? 0.75 : 216);
    add_individual(s, 3, s->plan.recipe.method == METHOD_ARCHIVE ? 0.5 : 125.25);
    add_individual(s, 1, (double)NAN);
    add_generations(s);
    s->ev.evaluations = 12345;
}

void gallery_sample_done(struct gallery_sample *s) {
    evolution_done(&s->ev);
}

void gallery_sample_verify(struct gallery_sample *s) {
    for (int i = 0; i < s->ev.shown_count; i++)
        s->ev.individuals[s->ev.shown[i]].fresh = known_games(200);
    s->ev.verified = true;
}

void gallery_sample_add_deep(struct gallery_sample *s, int generations) {
    int first = s->ev.origin_count, second = -1;
    add_origin(s, -1, -1, 0, -1, 0);
    for (int g = 1; g < generations; g++) {
        const int next = s->ev.origin_count;
        add_origin(s, first, second, g, CROSSOVER_UNIFORM, 0);
        add_origin(s, first, second, g, CROSSOVER_BLOCK, 0);
        s->ev.origins[next].fitness = 100;
        s->ev.origins[next + 1].fitness = 200;
        first = next;
        second = next + 1;
    }
    add_origin(s, first, second, generations, CROSSOVER_UNIFORM, 0);
    add_individual(s, s->ev.origin_count - 1, 64);
}
