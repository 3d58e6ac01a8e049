/* SPDX-License-Identifier: MIT
 *
 * What all methods share (births and records of them, games, the choice of maps to show, verification,
 * progress), and the published algorithm: selection by fitness, and generations of children. Random maps are
 * the baseline beside it.
 */
#include "evolve/evolution.h"

#include "base/mem.h"

#include <assert.h>
#include <limits.h>
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

void evolution_add(struct evolution *ev, const struct individual *individual) {
    ev->individuals = mem_grow(ev->individuals, &ev->capacity, ev->count + 1, sizeof *ev->individuals);
    ev->individuals[ev->count++] = *individual;
}

/* The report comes last: the callback sees the new line. */
void evolution_publish(const struct evolution_run *run, struct evolution *ev, struct generation line) {
    line.number = ev->generation_count;
    line.evaluations = ev->evaluations;
    line.games = evaluator_games(run->evaluator);
    ev->generations = mem_grow(ev->generations, &ev->generation_capacity, ev->generation_count + 1,
                               sizeof *ev->generations);
    ev->generations[ev->generation_count++] = line;
    if (run->on_generation != NULL)
        run->on_generation(run->context, ev);
}

/* ---- births ---- */

void evolution_stream(const struct evolution *ev, enum evolution_stream what, int index, struct rng *r) {
    assert(index >= 0);
    rng_seed_stream(r, rng_job_seed(ev->seed, (uint64_t)what),
                    (uint64_t)ev->generation_count << 32 | (uint64_t)index);
}

/* The map is tidied if the recipe requires that, measured, and its origin noted. */
static void give_birth(struct evolution *ev, const struct genome *genome, struct origin origin, struct rng *r,
                       struct individual *out) {
    const struct plan *plan = ev->plan;
    struct tbs_map map;
    *out = (struct individual){.genome = *genome, .fitness = (double)NAN, .place = {-1, -1}};
    if (plan->recipe.tidy)
        tidy_map(&plan->space, plan->rules, r, &out->genome);
    genome_to_map(&plan->space, &out->genome, &map);
    static_features_of(&map, plan->rules, &out->static_features);
    origin.generation = ev->generation_count;
    origin.fitness = NAN;
    ev->origins = mem_grow(ev->origins, &ev->origin_capacity, ev->origin_count + 1, sizeof *ev->origins);
    out->id = ev->origin_count++;
    ev->origins[out->id] = origin;
}

void evolution_first(const struct evolution_run *run, struct evolution *ev, int index, struct rng *r,
                     struct individual *out) {
    struct genome genome;
    struct origin origin = {.parents = {-1, -1}, .note = "random"};
    if (ev->generation_count == 0 && index < run->seed_count) {
        /* The file's name without its folder, which is private. A character that does not fit as a whole is
         * left out. */
        const char *name = run->seed_names[index], *slash = strrchr(name, '/');
        snprintf(origin.note, sizeof origin.note, "seed %s", slash != NULL ? slash + 1 : name);
        for (size_t size = strlen(origin.note); !charset_is_utf8(origin.note, size);)
            origin.note[--size] = '\0';
        genome = run->seeds[index];
    } else {
        genome_random(&ev->plan->space, r, &genome);
    }
    give_birth(ev, &genome, origin, r, out);
}

/* Mutates a child by the recipe: on average mutation_rate changes; at least one if it `must` (a child of one
 * parent would be a copy of it). Returns how many were made. */
static int evolution_mutate(const struct plan *plan, bool must, struct rng *r, struct genome *g) {
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

void evolution_child(struct evolution *ev, struct genome *genome, const int parents[2], struct rng *r,
                     struct individual *out) {
    static const char *const names[CROSSOVERS] = {"uniform", "block", "region"};
    const bool crossed = parents[1] >= 0;
    const int changes = evolution_mutate(ev->plan, !crossed, r, genome);
    struct origin origin = {.parents = {parents[0], parents[1]}};
    const char *how = crossed ? names[ev->plan->recipe.crossover] : "";
    if (crossed && changes == 0)
        snprintf(origin.note, sizeof origin.note, "%s", how);
    else
        snprintf(origin.note, sizeof origin.note, "%s%s%d change%s", how, crossed ? ", " : "", changes,
                 changes == 1 ? "" : "s");
    give_birth(ev, genome, origin, r, out);
}

/* ---- fitness ---- */

/* (1 - W) * published + W * natural * the greatest fitness, W being the weight of naturalness. */
static double weighed(const struct plan *plan, double published, const struct individual *one) {
    const double weight = plan->recipe.natural;
    const double ceiling = judgement_fitness(plan->recipe.games, plan->recipe.games);
    return weight > 0 ? (1 - weight) * published + weight * one->static_features.natural * ceiling
                      : published;
}

double evolution_fitness_by(const struct plan *plan, const struct individual *individual,
                            const struct judgement *games) {
    const struct recipe *r = &plan->recipe;
    const int contests = judgement_contests(games);
    if (contests == 0)
        return (double)NAN;
    if (r->method == METHOD_ARCHIVE)
        return archive_quality(plan, individual, games, ARCHIVE_CAUTION);
    const double points = judgement_points(games) * r->games / contests;
    return weighed(plan, judgement_fitness(points, r->games), individual);
}

void evolution_judged(struct evolution *ev, struct individual *individual, double fitness) {
    individual->fitness = fitness;
    ev->origins[individual->id].fitness = (float)fitness;
    ev->evaluations++;
}

/* In doubles: the product of three parameters may exceed an int. */
int evolution_games_planned(const struct plan *plan) {
    const struct recipe *r = &plan->recipe;
    if (r->method == METHOD_ARCHIVE)
        return r->budget;
    const double all =
        ((double)r->born + (double)r->generations * r->population) * ((double)r->games + r->peers);
    const double most = r->budget > 0 && r->budget < all ? r->budget : all;
    return most < (double)INT32_MAX ? (int)most : 0;
}

/* ---- games ---- */

bool evolution_judge(const struct evolution_run *run, struct evolution *ev, struct individual *list,
                     int count, int room, struct err *e) {
    struct tbs_map *maps = mem_alloc(((size_t)count + 1) * sizeof *maps);
    struct request *requests = mem_alloc(((size_t)count + 1) * SAMPLE_KINDS * sizeof *requests);
    bool complete = true;
    int used = 0;
    for (int i = 0; i < count; i++) {
        struct individual *one = &list[i];
        int missing[SAMPLE_KINDS], games = 0;
        if (one->raced_out)
            continue;
        for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
            missing[kind] = one->wanted[kind] - judgement_games_of(&one->judgement, (enum sample_kind)kind);
            games += missing[kind] > 0 ? missing[kind] : 0;
        }
        if (games > room)
            break;
        room -= games;
        genome_to_map(&run->plan->space, &one->genome, &maps[i]);
        const struct request of = {
            .id = one->id, .map = &maps[i], .first = one->first_game, .into = &one->judgement};
        used += request_more(&of, missing, &requests[used]);
    }
    const bool ok = used == 0 || evaluator_play(run->evaluator, requests, used, &complete, e);
    ev->stopped = ev->stopped || !complete;
    mem_free(requests);
    mem_free(maps);
    return ok;
}

/* For each map to show verify/2 games from each side, and verify/2 between equals. Copies of the maps are
 * judged: what selected a map stays. */
static bool verify(const struct evolution_run *run, struct evolution *ev, struct err *e) {
    const int half = run->plan->recipe.verify / 2;
    if (half == 0 || ev->shown_count == 0)
        return true;
    struct individual *copies = mem_alloc((size_t)ev->shown_count * sizeof *copies);
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *one = &ev->individuals[ev->shown[i]];
        copies[i] = (struct individual){
            .id = one->id, .genome = one->genome, .wanted = {half, half, half}, .first_game = FRESH_FIRST};
    }
    const bool ok = evolution_judge(run, ev, copies, ev->shown_count, INT_MAX, e);
    for (int i = 0; i < ev->shown_count; i++)
        ev->individuals[ev->shown[i]].fresh = copies[i].judgement;
    ev->verified = ok && !ev->stopped;
    mem_free(copies);
    return ok;
}

/* ---- maps to show ---- */

/* Whether both are cell by cell the same: terrain, units and their HP. */
static bool is_same_map(const struct individual *a, const struct individual *b) {
    const struct genome *g = &a->genome, *h = &b->genome;
    assert(g->width == h->width && g->height == h->height);
    return memcmp(g->cells, h->cells, (size_t)genome_cells(g) * sizeof g->cells[0]) == 0;
}

/* Fitness, then naturalness, then age. Comparisons by < and > alone: equality of doubles is not asked for. */
static bool is_better(const struct individual *a, const struct individual *b) {
    const double of_a = a->static_features.natural, of_b = b->static_features.natural;
    if (a->fitness < b->fitness || a->fitness > b->fitness)
        return a->fitness > b->fitness;
    return of_a < of_b || of_a > of_b ? of_a > of_b : a->id < b->id;
}

static bool is_shown_already(const struct evolution *ev, const struct individual *candidate) {
    for (int i = 0; i < ev->shown_count; i++)
        if (is_same_map(&ev->individuals[ev->shown[i]], candidate))
            return true;
    return false;
}

/* Fills `shown` with the best different maps; ties: the more natural one, then the older one. */
static void evolution_show_best(struct evolution *ev) {
    const int most = ev->plan->recipe.show < ev->count ? ev->plan->recipe.show : ev->count;
    ev->shown = mem_resize(ev->shown, ((size_t)most + 1) * sizeof *ev->shown);
    ev->shown_count = 0;
    for (int best = 0; best >= 0 && ev->shown_count < most;) {
        best = -1;
        for (int i = 0; i < ev->count; i++) {
            const struct individual *candidate = &ev->individuals[i];
            if (!isnan(candidate->fitness) && (best < 0 || is_better(candidate, &ev->individuals[best])) &&
                !is_shown_already(ev, candidate))
                best = i;
        }
        if (best >= 0)
            ev->shown[ev->shown_count++] = best;
    }
}

/* ---- selection: survivors and parents, from fitness alone ---- */

struct selection_rule {
    enum selection how;
    int tournament; /* how many meet, SELECTION_TOURNAMENT */
};

/* One of n with probability proportional to its weight (all at least 0; all 0: uniformly). */
static int selection_roulette(const double *weights, int n, struct rng *r) {
    double total = 0;
    assert(n > 0);
    for (int i = 0; i < n; i++)
        total += weights[i];
    if (!(total > 0))
        return (int)rng_below(r, (uint32_t)n);
    double ball = rng_unit(r) * total;
    int last = -1; /* rounding may leave the ball behind the last candidate */
    for (int i = 0; i < n; i++) {
        if (!(weights[i] > 0))
            continue;
        last = i;
        if (ball < weights[i])
            break;
        ball -= weights[i];
    }
    return last;
}

/* By roulette or tournament; with SELECTION_BEST uniformly, a tournament of one. */
static int draw(const struct selection_rule *rule, const double *weights, int n, struct rng *r) {
    if (rule->how == SELECTION_ROULETTE)
        return selection_roulette(weights, n, r);
    const int rounds = rule->how == SELECTION_TOURNAMENT ? rule->tournament : 1;
    int best = (int)rng_below(r, (uint32_t)n);
    for (int i = 1; i < rounds; i++) {
        const int other = (int)rng_below(r, (uint32_t)n);
        if (weights[other] > weights[best])
            best = other;
    }
    return best;
}

/* Chooses `keep` different ones of n: first the best of all, then the others by the rule, in the order of the
 * draws. Ties for the best go to the lowest index. `chosen` has room for all n; behind the first `keep` are
 * the ones not chosen. */
static void selection_survive(const struct selection_rule *rule, const double *fitness, int n, int keep,
                              struct rng *r, int *chosen) {
    assert(n > 0);
    assert(keep <= n);
    double *left = mem_alloc((size_t)n * sizeof *left); /* the fitness of chosen[i] */
    memcpy(left, fitness, (size_t)n * sizeof *left);
    for (int i = 0; i < n; i++)
        chosen[i] = i;
    for (int k = 0; k < keep; k++) {
        int at = k;
        if (k > 0 && rule->how != SELECTION_BEST)
            at += draw(rule, left + k, n - k, r);
        else
            for (int i = k + 1; i < n; i++)
                if (left[i] > left[at] || (!(left[i] < left[at]) && chosen[i] < chosen[at]))
                    at = i;
        const int winner = chosen[at];
        chosen[at] = chosen[k];
        chosen[k] = winner;
        left[at] = left[k]; /* that of the winner is not read again */
    }
    mem_free(left);
}

/* Two different parents of n >= 2, each by the rule. With SELECTION_BEST uniformly: the survivors are the
 * best already. */
static void selection_pair(const struct selection_rule *rule, const double *fitness, int n, struct rng *r,
                           int parents[2]) {
    assert(n >= 2);
    double *others = mem_alloc((size_t)n * sizeof *others);
    parents[0] = draw(rule, fitness, n, r);
    for (int i = 0; i < n - 1; i++)
        others[i] = fitness[i + (i >= parents[0])];
    parents[1] = draw(rule, others, n - 1, r);
    parents[1] += parents[1] >= parents[0];
    mem_free(others);
}

/* ---- generations ----
 *
 * `born` maps are judged and `population` of them selected: the best unconditionally, the others by the rule
 * (roulette as published), none twice. In every generation population/2 pairs of different parents, drawn by
 * the same rule, have two children each; parents and children compete for the places. A survivor keeps its
 * judgement and is not judged again.
 *
 * Racing: children are judged in rungs of 4, 8, 16 … games. A child that could not reach the least fitness
 * among the parents even by winning all remaining games is judged no further. Its published fitness is taken
 * to be 1, the least there is: it may still be drawn, but hardly will. */

enum { FIRST_RUNG = 4 };

/* Judges all individuals from `first` on. Those before are the parents, with which they compete. In each rung
 * every individual that is still in the race plays until it has had `had` contests; games of peers come with
 * the last. Then the race ends for children that could not reach `bar` even by winning all remaining games.
 */
static bool judge(const struct evolution_run *run, struct evolution *ev, int first, struct err *e) {
    const struct recipe *r = &run->plan->recipe;
    struct individual *children = ev->individuals + first;
    const int count = ev->count - first;
    const bool race = r->race && first > 0;
    double bar = race ? (double)INFINITY : -(double)INFINITY;
    for (int i = 0; race && i < first; i++)
        bar = fmin(bar, ev->individuals[i].fitness);
    for (int had = 0; had < r->games;) {
        const int more = !race ? r->games : had == 0 ? FIRST_RUNG : 2 * had;
        had = more < r->games ? more : r->games;
        const int wanted[SAMPLE_KINDS] = {had / 2, had / 2, had < r->games ? 0 : r->peers};
        for (int i = 0; i < count; i++)
            memcpy(children[i].wanted, wanted, sizeof wanted);
        if (!evolution_judge(run, ev, children, count, INT_MAX, e))
            return false;
        if (ev->stopped)
            return true;
        for (int i = 0; i < count; i++) {
            struct individual *child = &children[i];
            const int left = r->games - judgement_contests(&child->judgement);
            const double most = judgement_fitness(judgement_points(&child->judgement) + left, r->games);
            child->raced_out = child->raced_out || (left > 0 && weighed(run->plan, most, child) < bar);
        }
    }
    for (int i = 0; i < count; i++) {
        struct individual *child = &children[i];
        evolution_judged(ev, child,
                         child->raced_out ? weighed(run->plan, judgement_fitness(0, r->games), child)
                                          : evolution_fitness_by(run->plan, child, &child->judgement));
    }
    return true;
}

/* Of all individuals; the caller frees it. */
static double *fitness_list(const struct evolution *ev) {
    double *fitness = mem_alloc((size_t)ev->count * sizeof *fitness);
    for (int i = 0; i < ev->count; i++)
        fitness[i] = ev->individuals[i].fitness;
    return fitness;
}

/* Moves the chosen ones to the front, in that order, and drops the others. */
static void select_survivors(struct evolution *ev) {
    const struct recipe *r = &ev->plan->recipe;
    const struct selection_rule rule = {
        r->method == METHOD_RANDOM ? SELECTION_BEST : (enum selection)r->selection, r->tournament};
    const int keep = ev->count < r->population ? ev->count : r->population;
    int *chosen = mem_alloc((size_t)ev->count * sizeof *chosen);
    double *fitness = fitness_list(ev);
    struct rng rng;
    evolution_stream(ev, STREAM_SELECTION, 0, &rng);
    selection_survive(&rule, fitness, ev->count, keep, &rng, chosen);
    struct individual *survivors = mem_alloc((size_t)keep * sizeof *survivors);
    for (int i = 0; i < keep; i++)
        survivors[i] = ev->individuals[chosen[i]];
    mem_free(chosen);
    mem_free(fitness);
    mem_free(ev->individuals);
    ev->individuals = survivors;
    ev->count = ev->capacity = keep;
}

/* Two children of every pair of parents. A pair has a random stream of its own: it does not depend on how
 * many numbers the one before drew. */
static void bear_children(struct evolution *ev) {
    const struct plan *plan = ev->plan;
    const struct recipe *r = &plan->recipe;
    const struct selection_rule rule = {(enum selection)r->selection, r->tournament};
    const int population = ev->count;
    double *fitness = fitness_list(ev);
    for (int i = 0; i < r->population / 2; i++) {
        struct rng rng;
        int pair[2], ids[2];
        struct genome parents[2], children[2];
        evolution_stream(ev, STREAM_PAIR, i, &rng);
        selection_pair(&rule, fitness, population, &rng, pair);
        for (int k = 0; k < 2; k++) {
            ids[k] = ev->individuals[pair[k]].id;
            children[k] = parents[k] = ev->individuals[pair[k]].genome;
        }
        const bool crossed = rng_unit(&rng) < r->crossover_rate;
        if (crossed)
            operators_cross(&plan->space, (enum crossover)r->crossover,
                            (const struct genome *const[2]){&parents[0], &parents[1]}, &rng, children);
        for (int k = 0; k < 2; k++) {
            struct individual child;
            evolution_child(ev, &children[k], (int[2]){ids[k], crossed ? ids[1 - k] : -1}, &rng, &child);
            evolution_add(ev, &child);
        }
    }
    mem_free(fitness);
}

/* The method of METHOD_GENERATIONS and METHOD_RANDOM. If judging a generation fails or is stopped, its maps
 * are removed again. */
static bool run_generations(const struct evolution_run *run, struct evolution *ev, struct err *e) {
    const struct recipe *r = &run->plan->recipe;
    do {
        const int first = ev->count;
        const bool is_first = ev->generation_count == 0,
                   has_parents = !is_first && r->method != METHOD_RANDOM;
        if (has_parents)
            bear_children(ev);
        for (int i = 0; !has_parents && i < (is_first ? r->born : r->population); i++) {
            struct rng rng;
            struct individual individual;
            evolution_stream(ev, STREAM_BIRTH, i, &rng);
            evolution_first(run, ev, i, &rng, &individual);
            evolution_add(ev, &individual);
        }
        const bool ok = judge(run, ev, first, e);
        if (!ok || ev->stopped) {
            ev->origin_count = ev->individuals[first].id;
            ev->count = first;
            return ok;
        }
        select_survivors(ev);
        evolution_show_best(ev);
        struct generation line = {.best = ev->individuals[0].fitness, .best_id = ev->individuals[0].id};
        for (int i = 0; i < ev->count; i++) {
            bool seen = false;
            for (int k = 0; k < i && !seen; k++)
                seen = is_same_map(&ev->individuals[i], &ev->individuals[k]);
            line.filled += !seen;
            line.mean += ev->individuals[i].fitness;
        }
        line.mean /= ev->count;
        evolution_publish(run, ev, line);
    } while (ev->generation_count <= r->generations &&
             (r->budget == 0 || evaluator_games(run->evaluator) < r->budget) &&
             (run->is_enough == NULL || !run->is_enough(run->context)));
    return true;
}

/* ---- all of it ---- */

bool evolution_play(const struct evolution_run *run, struct evolution *out, bool *complete, struct err *e) {
    assert(run->plan == out->plan);
    assert(run->seed == out->seed);
    const bool is_archive = run->plan->recipe.method == METHOD_ARCHIVE;
    const bool ok = (is_archive ? evolution_by_archive(run, out, e) : run_generations(run, out, e)) &&
                    (out->stopped || verify(run, out, e));
    *complete = ok && !out->stopped;
    if (*complete && run->on_generation != NULL)
        run->on_generation(run->context, out);
    return ok;
}

/* ---- progress ---- */

void evolution_progress_init(struct evolution_progress *p, const struct plan *plan) {
    *p = (struct evolution_progress){.plan = plan, .last.number = -1};
}

/* The archive's method has finals between the generations and verification. */
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
    return (double)(p->ending ? p->shown : r->show) * (r->verify / 2) * SAMPLE_KINDS;
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
