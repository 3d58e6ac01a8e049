/* SPDX-License-Identifier: MIT
 *
 * What all methods share: births and records of them, the choice of maps to show, verification, and progress.
 */
#include "evolve/evolution.h"

#include "base/charset.h"
#include "base/mem.h"
#include "evolve/archive.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Games of verification are numbered behind all that a map could be judged by: their seeds are fresh. */
enum { FRESH_FIRST = 1 << 24 };

void evolution_init(struct evolution *ev, const struct plan *plan, uint64_t seed) {
    *ev = (struct evolution){.plan = plan, .seed = seed};
}

void evolution_done(struct evolution *ev) {
    mem_free(ev->origins);
    mem_free(ev->generations);
    mem_free(ev->individuals);
    mem_free(ev->shown);
}

/* ---- lists ---- */

int evolution_add_origin(struct evolution *ev, const struct origin *origin) {
    ev->origins = mem_grow(ev->origins, &ev->origin_capacity, ev->origin_count + 1, sizeof *ev->origins);
    ev->origins[ev->origin_count] = *origin;
    return ev->origin_count++;
}

void evolution_add_generation(struct evolution *ev, const struct generation *generation) {
    ev->generations = mem_grow(ev->generations, &ev->generation_capacity, ev->generation_count + 1,
                               sizeof *ev->generations);
    ev->generations[ev->generation_count++] = *generation;
}

void evolution_add(struct evolution *ev, const struct individual *individual) {
    ev->individuals = mem_grow(ev->individuals, &ev->capacity, ev->count + 1, sizeof *ev->individuals);
    ev->individuals[ev->count++] = *individual;
}

/* ---- births ---- */

void evolution_stream(uint64_t seed, enum evolution_stream what, int generation, int index, struct rng *r) {
    assert(generation >= 0 && index >= 0);
    rng_seed_stream(r, rng_job_seed(seed, (uint64_t)what), (uint64_t)generation << 32 | (uint64_t)index);
}

void evolution_birth(struct evolution *ev, const struct genome *genome, const struct origin *origin,
                     struct rng *r, struct individual *out) {
    const struct plan *plan = ev->plan;
    struct tbs_map map;
    *out = (struct individual){.genome = *genome, .fitness = (double)NAN, .place = {-1, -1}};
    if (plan->recipe.tidy)
        tidy_map(&plan->space, plan->rules, r, &out->genome);
    genome_to_map(&plan->space, &out->genome, &map);
    static_features_of(&map, plan->rules, &out->static_features);
    struct origin kept = *origin;
    kept.fitness = NAN;
    out->id = evolution_add_origin(ev, &kept);
}

/* The file's name without its folder, which is private. A character that does not fit as a whole is left
 * out. */
static void describe_seed(const char *name, char out[ORIGIN_NOTE_MAX]) {
    const char *slash = strrchr(name, '/');
    snprintf(out, ORIGIN_NOTE_MAX, "seed %s", slash != NULL ? slash + 1 : name);
    for (size_t size = strlen(out); !charset_is_utf8(out, size);)
        out[--size] = '\0';
}

void evolution_describe(const struct plan *plan, bool crossed, int changes, char out[ORIGIN_NOTE_MAX]) {
    static const char *const names[CROSSOVERS] = {"uniform", "block", "region"};
    const char *ending = changes == 1 ? "" : "s";
    const char *how = names[plan->recipe.crossover];
    if (crossed && changes == 0)
        snprintf(out, ORIGIN_NOTE_MAX, "%s", how);
    else if (crossed)
        snprintf(out, ORIGIN_NOTE_MAX, "%s, %d change%s", how, changes, ending);
    else
        snprintf(out, ORIGIN_NOTE_MAX, "%d change%s", changes, ending);
}

void evolution_first(const struct evolution_run *run, struct evolution *ev, int index, struct rng *r,
                     struct individual *out) {
    struct genome genome;
    struct origin origin = {.parents = {-1, -1}, .generation = ev->generation_count, .note = "random"};
    if (index < run->seed_count) {
        genome = run->seeds[index];
        describe_seed(run->seed_names[index], origin.note);
    } else {
        genome_random(&ev->plan->space, r, &genome);
    }
    evolution_birth(ev, &genome, &origin, r, out);
}

int evolution_mutate(const struct plan *plan, bool must, struct rng *r, struct genome *g) {
    /* Up to RECIPE_CHANGES_MAX changes, each with the same probability. */
    const double chance = plan->recipe.mutation_rate / RECIPE_CHANGES_MAX;
    int wanted = 0, made = 0;
    if (plan->mutations == 0 || !(chance > 0))
        return 0;
    for (int i = 0; i < RECIPE_CHANGES_MAX; i++)
        wanted += rng_unit(r) < chance;
    if (must && wanted == 0)
        wanted = 1;
    for (int i = 0; i < wanted; i++)
        made += operators_mutate(&plan->space, plan->mutations, r, g) != MUTATIONS;
    return made;
}

/* ---- fitness ---- */

double evolution_weighed(const struct plan *plan, double published, const struct static_features *features) {
    const double weight = plan->recipe.natural;
    const double ceiling = judgement_fitness(plan->recipe.games, plan->recipe.games);
    return weight > 0 ? (1 - weight) * published + weight * features->natural * ceiling : published;
}

double evolution_fitness(const struct plan *plan, const struct individual *individual) {
    const double published = judgement_fitness(judgement_points(&individual->judgement), plan->recipe.games);
    return evolution_weighed(plan, published, &individual->static_features);
}

double evolution_fitness_by(const struct plan *plan, const struct individual *individual,
                            const struct judgement *games) {
    const struct recipe *r = &plan->recipe;
    const int contests = judgement_contests(games);
    if (contests == 0)
        return (double)NAN;
    if (r->method == METHOD_ARCHIVE)
        return archive_quality_by(plan, individual, games);
    const double points = judgement_points(games) * r->games / contests;
    return evolution_weighed(plan, judgement_fitness(points, r->games), &individual->static_features);
}

void evolution_judged(struct evolution *ev, struct individual *individual, double fitness) {
    individual->fitness = fitness;
    ev->origins[individual->id].fitness = (float)fitness;
    ev->evaluations++;
}

bool evolution_is_over(const struct evolution_run *run) {
    const int budget = run->plan->recipe.budget;
    return (budget > 0 && evaluator_games(run->evaluator) >= budget) ||
           (run->is_enough != NULL && run->is_enough(run->context));
}

int evolution_games_planned(const struct plan *plan) {
    const struct recipe *r = &plan->recipe;
    if (r->method == METHOD_ARCHIVE)
        return r->budget;
    const double all =
        ((double)r->born + (double)r->generations * r->population) * ((double)r->games + r->peers);
    const double most = r->budget > 0 && r->budget < all ? r->budget : all;
    return most < (double)INT32_MAX ? (int)most : 0;
}

/* ---- maps to show ---- */

bool evolution_is_same_map(const struct individual *a, const struct individual *b) {
    const struct genome *g = &a->genome, *h = &b->genome;
    assert(g->width == h->width && g->height == h->height);
    return memcmp(g->cells, h->cells, (size_t)genome_cells(g) * sizeof g->cells[0]) == 0;
}

static bool is_better(const struct individual *a, const struct individual *b) {
    if (a->fitness < b->fitness || a->fitness > b->fitness)
        return a->fitness > b->fitness;
    if (a->static_features.natural < b->static_features.natural ||
        a->static_features.natural > b->static_features.natural)
        return a->static_features.natural > b->static_features.natural;
    return a->id < b->id;
}

static bool is_shown_already(const struct evolution *ev, const struct individual *candidate) {
    for (int i = 0; i < ev->shown_count; i++)
        if (evolution_is_same_map(&ev->individuals[ev->shown[i]], candidate))
            return true;
    return false;
}

static int best_not_shown(const struct evolution *ev) {
    int best = -1;
    for (int i = 0; i < ev->count; i++) {
        const struct individual *candidate = &ev->individuals[i];
        if (!isnan(candidate->fitness) && (best < 0 || is_better(candidate, &ev->individuals[best])) &&
            !is_shown_already(ev, candidate))
            best = i;
    }
    return best;
}

void evolution_show_best(struct evolution *ev) {
    const int most = ev->plan->recipe.show < ev->count ? ev->plan->recipe.show : ev->count;
    ev->shown = mem_resize(ev->shown, ((size_t)most + 1) * sizeof *ev->shown);
    ev->shown_count = 0;
    while (ev->shown_count < most) {
        const int next = best_not_shown(ev);
        if (next < 0)
            break;
        ev->shown[ev->shown_count++] = next;
    }
}

/* ---- verification ---- */

/* The games for one map: verify/2 from each side, verify/2 between equals. */
static int request_fresh(struct individual *individual, const struct tbs_map *map, int games,
                         struct request out[SAMPLE_KINDS]) {
    const struct request of = {
        .id = individual->id, .map = map, .first = FRESH_FIRST, .into = &individual->fresh};
    return request_more(&of, (int[SAMPLE_KINDS]){games / 2, games / 2, games / 2}, out);
}

static bool verify(const struct evolution_run *run, struct evolution *ev, bool *complete, struct err *e) {
    const int games = run->plan->recipe.verify;
    const size_t count = (size_t)ev->shown_count;
    *complete = true;
    if (games == 0 || count == 0)
        return true;
    struct tbs_map *maps = mem_alloc(count * sizeof *maps);
    struct request *requests = mem_alloc(count * SAMPLE_KINDS * sizeof *requests);
    int request_count = 0;
    for (size_t i = 0; i < count; i++) {
        struct individual *individual = &ev->individuals[ev->shown[i]];
        genome_to_map(&run->plan->space, &individual->genome, &maps[i]);
        individual->fresh = (struct judgement){0};
        request_count += request_fresh(individual, &maps[i], games, &requests[request_count]);
    }
    const bool ok = evaluator_play(run->evaluator, requests, request_count, complete, e);
    *complete = *complete && ok;
    ev->verified = *complete;
    mem_free(requests);
    mem_free(maps);
    return ok;
}

/* ---- all of it ---- */

typedef bool method_function(const struct evolution_run *run, struct evolution *ev, bool *complete,
                             struct err *e);

static method_function *const methods[] = {
    [METHOD_GENERATIONS] = evolution_by_generations,
    [METHOD_ARCHIVE] = evolution_by_archive,
    [METHOD_RANDOM] = evolution_by_generations,
};

bool evolution_play(const struct evolution_run *run, struct evolution *out, bool *complete, struct err *e) {
    assert(run->plan == out->plan);
    assert(run->seed == out->seed);
    *complete = false;
    if (!methods[run->plan->recipe.method](run, out, complete, e))
        return false;
    if (!*complete)
        return true;
    if (!verify(run, out, complete, e))
        return false;
    if (*complete && run->on_generation != NULL)
        run->on_generation(run->context, out);
    return true;
}

/* ---- progress ---- */

void evolution_progress_init(struct evolution_progress *p, const struct plan *plan) {
    *p = (struct evolution_progress){.plan = plan, .last.number = -1};
}

static bool is_archive(const struct evolution_progress *p) {
    return p->plan->recipe.method == METHOD_ARCHIVE;
}

void evolution_progress_game(struct evolution_progress *p, bool stored) {
    p->games++;
    p->stored += stored;
}

/* Verification shows itself by fresh games; then it is no new generation. */
bool evolution_progress_generation(struct evolution_progress *p, const struct evolution *ev) {
    if (ev->generation_count == 0 || ev->verified)
        return false;
    const struct recipe *r = &p->plan->recipe;
    /* With a budget its reserve ends the generations; it judges no new maps. */
    const struct generation *now = &ev->generations[ev->generation_count - 1];
    p->finals =
        is_archive(p) &&
        (p->ending || (r->budget > 0 && p->last.number >= 0 && p->last.evaluations == now->evaluations));
    p->last = *now;
    p->shown = ev->shown_count;
    p->ending = p->ending || p->finals || p->last.number >= r->generations ||
                (r->budget > 0 && p->last.games >= r->budget);
    return true;
}

double evolution_progress_fresh(const struct evolution_progress *p) {
    const struct recipe *r = &p->plan->recipe;
    const int shown = p->ending ? p->shown : r->show;
    return (double)shown * (r->verify / 2) * SAMPLE_KINDS;
}

/* The mean number of games a map took so far estimates what the others will take. */
double evolution_progress_planned(const struct evolution_progress *p) {
    const struct recipe *r = &p->plan->recipe;
    if (p->ending)
        return is_archive(p) && !p->finals ? 0 : p->last.games + evolution_progress_fresh(p);
    double planned = evolution_games_planned(p->plan);
    if (!(planned > 0) && p->last.number >= 0 && p->last.evaluations > 0)
        planned =
            (double)p->last.games / p->last.evaluations * (r->born + (double)r->generations * r->population);
    return planned > 0 ? planned + evolution_progress_fresh(p) : 0;
}

void evolution_progress_stage(const struct evolution_progress *p, struct text *out) {
    if (p->last.number < 0)
        text_add_string(out, "birth");
    else if (p->ending)
        text_add_string(out, is_archive(p) && !p->finals ? "judging the best again" : "verifying");
    else
        text_add(out, "generation %d of %d", p->last.number + 1, p->plan->recipe.generations);
}
