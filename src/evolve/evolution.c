/* SPDX-License-Identifier: MIT
 *
 * What all methods share (births and records of them, games, the choice of maps to show, verification,
 * progress); the published algorithm: selection by fitness, and generations of children, with random maps as
 * the baseline beside it; and the archive.
 */
#include "evolve/evolution.h"

#include "base/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void evolution_done(struct evolution *ev) {
    mem_free(ev->origins);
    mem_free(ev->generations);
    mem_free(ev->individuals);
    mem_free(ev->shown);
}

/* ---- lists ---- */

static void evolution_add(struct evolution *ev, const struct individual *individual) {
    ev->individuals = mem_grow(ev->individuals, &ev->capacity, ev->count + 1, sizeof *ev->individuals);
    ev->individuals[ev->count++] = *individual;
}

static int games_played(const struct evolution *ev) {
    return evaluator_games(ev->run->evaluator);
}

/* Ends a generation: adds its line, with the numbers that are known here. The report comes last: the callback
 * sees the new line. */
static void evolution_publish(struct evolution *ev, struct generation line) {
    const struct evolution_run *run = ev->run;
    line.number = ev->generation_count;
    line.evaluations = ev->evaluations;
    line.games = games_played(ev);
    ev->generations = mem_grow(ev->generations, &ev->generation_capacity, ev->generation_count + 1,
                               sizeof *ev->generations);
    ev->generations[ev->generation_count++] = line;
    if (run->on_generation != NULL)
        run->on_generation(run->context, ev);
}

static bool has_enough(const struct evolution *ev) {
    return ev->run->is_enough != NULL && ev->run->is_enough(ev->run->context);
}

/* ---- births ---- */

/* A random stream of its own for every purpose and generation, so that nothing depends on the workers or on
 * earlier draws. */
enum stream { STREAM_BIRTH, STREAM_SELECTION, STREAM_PAIR, STREAM_ARCHIVE };

static void evolution_stream(const struct evolution *ev, enum stream what, int index, struct rng *r) {
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
    out->static_features.natural = naturalness_of(&plan->naturalness, &out->static_features);
    origin.generation = ev->generation_count;
    origin.fitness = NAN;
    ev->origins = mem_grow(ev->origins, &ev->origin_capacity, ev->origin_count + 1, sizeof *ev->origins);
    out->id = ev->origin_count++;
    ev->origins[out->id] = origin;
}

/* Individual `index` of a generation without parents: in the first a seed map while there are any, otherwise
 * a random one. */
static void evolution_first(struct evolution *ev, int index, struct rng *r, struct individual *out) {
    const struct evolution_run *run = ev->run;
    struct genome genome;
    struct origin origin = {.parents = {-1, -1}, .crossover = -1};
    if (ev->generation_count == 0 && index < run->seed_count) {
        /* The file's name without its folder, which is private. A character that does not fit as a whole is
         * left out. */
        const char *name = run->seed_names[index], *slash = strrchr(name, '/');
        snprintf(origin.seed, sizeof origin.seed - strlen("seed "), "%s", slash != NULL ? slash + 1 : name);
        for (size_t size = strlen(origin.seed); !charset_is_utf8(origin.seed, size);)
            origin.seed[--size] = '\0';
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

/* A child with this genome, which is mutated, of the parents with these ids; the second is -1 if it has one
 * parent. */
static void evolution_child(struct evolution *ev, struct genome *genome, const int parents[2], struct rng *r,
                            struct individual *out) {
    const bool crossed = parents[1] >= 0;
    struct origin origin = {.parents = {parents[0], parents[1]},
                            .crossover = crossed ? (short)ev->plan->recipe.crossover : -1,
                            .changes = (short)evolution_mutate(ev->plan, !crossed, r, genome)};
    give_birth(ev, genome, origin, r, out);
}

void evolution_origin_note(const struct origin *o, struct msg *m, char out[ORIGIN_NOTE_MAX]) {
    static const char *const names[CROSSOVERS] = {"uniform", "block", "region"};
    const char *how = o->crossover >= 0 ? names[o->crossover] : o->seed, *plural = o->changes == 1 ? "" : "s";
    if (o->parents[0] < 0)
        msg_set(m, out, ORIGIN_NOTE_MAX, how[0] != '\0' ? "origin.seed" : "origin.random",
                how[0] != '\0' ? "seed %s" : "random", how);
    else if (o->crossover < 0)
        msg_set(m, out, ORIGIN_NOTE_MAX, "origin.changed", "%d change%s", o->changes, plural);
    else
        msg_set(m, out, ORIGIN_NOTE_MAX, o->changes == 0 ? "origin.crossed" : "origin.both",
                o->changes == 0 ? "%s" : "%s, %d change%s", how, o->changes, plural);
}

/* ---- quality ----
 *
 * Few noisy games decide how good a map is, so quality is a mean with an error. A map in the archive counts
 * with the low end of its interval, a newcomer with the high end. */

#define ARCHIVE_STRENGTH 0.7 /* least score of the stronger player on a good map */
#define UNFAIR_COST      2.0 /* quality lost for each point of red's score beyond the tolerance */

/* The mean of a share after `points` of `games`, one win and one loss assumed before, and its error. */
struct guess {
    double mean, error;
};

static struct guess guess(double points, int games) {
    const double n = games + 2.0, mean = (points + 1) / n;
    return (struct guess){mean, sqrt(mean * (1 - mean) / (n + 1))};
}

/* Points of `had` games, stretched to *wanted of them. Where one of the two numbers is 0 there is no rate:
 * the points stay, and *wanted becomes `had`. */
static double stretch(double points, int had, int *wanted) {
    if (*wanted > 0 && had > 0)
        return points * ((double)*wanted / had);
    *wanted = had;
    return points;
}

/* The archive's measure: strength, fairness and naturalness in one number, 0 … 1. The quality is the one that
 * the individual would have if as many games as selected it had ended at the rate of `games`: caution depends
 * on the number of games and must not be mistaken for the luck that selection brings. `optimism` is in
 * standard errors: negative for maps in the archive, positive for newcomers. Red's score between equals costs
 * as far as it is beyond what is tolerated; with caution its error counts against the map. */
enum { ARCHIVE_CAUTION = -1, ARCHIVE_HOPE = 1 };

static double archive_quality(const struct plan *plan, const struct individual *individual,
                              const struct judgement *games, double optimism) {
    int contests = judgement_contests(&individual->judgement);
    int peers = tally_games(&individual->judgement.peers);
    const double points = stretch(judgement_points(games), judgement_contests(games), &contests);
    const double red_points = stretch(tally_points(&games->peers), tally_games(&games->peers), &peers);
    double unfair = 0;
    if (plan->recipe.peers > 0) {
        const struct guess red = guess(red_points, peers);
        unfair = fmax(0, fabs(red.mean - 0.5) - optimism * red.error - plan->recipe.fair);
    }
    const struct guess strong = guess(points, contests);
    const double likely = fmin(fmax(strong.mean + optimism * strong.error, 0), 1);
    const double play = fmax(likely - UNFAIR_COST * unfair, 0);
    return (1 - plan->recipe.natural) * play + plan->recipe.natural * individual->static_features.natural;
}

static double quality_by_own_games(const struct plan *plan, const struct individual *one, double optimism) {
    return archive_quality(plan, one, &one->judgement, optimism);
}

/* No defect that tidying removes, or the recipe does not ask for tidy maps. */
static bool is_tidy(const struct plan *plan, const struct individual *individual) {
    return !plan->recipe.tidy || static_features_defects(&individual->static_features) == 0;
}

/* The map is fair by games of peers, the stronger player wins, and the map is tidy if the recipe requires
 * that. Without games of peers fairness is not checked. */
static bool archive_is_good(const struct plan *plan, const struct individual *individual) {
    const struct judgement *j = &individual->judgement;
    const bool is_fair = plan->recipe.peers == 0 || (tally_games(&j->peers) > 0 &&
                                                     fabs(judgement_red(j).value - 0.5) <= plan->recipe.fair);
    return is_fair && judgement_strength(j).value >= ARCHIVE_STRENGTH && is_tidy(plan, individual);
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

/* Sets the fitness of a judged map, in its origin too, and counts it. */
static void evolution_judged(struct evolution *ev, struct individual *individual, double fitness) {
    individual->fitness = fitness;
    ev->origins[individual->id].fitness = (float)fitness;
    ev->evaluations++;
}

/* In doubles: the product of three parameters may exceed an int. */
int evolution_games_planned(const struct plan *plan) {
    const struct recipe *r = &plan->recipe;
    if (r->method == METHOD_ARCHIVE)
        return r->budget;
    const bool rejudges = r->method == METHOD_GENERATIONS && r->rejudge;
    const double maps = r->born + (rejudges ? 2.0 : 1.0) * r->generations * r->population;
    const double all = maps * ((double)r->games + r->peers);
    const double most = r->budget > 0 && r->budget < all ? r->budget : all;
    return most < (double)INT32_MAX ? (int)most : 0;
}

/* ---- games ---- */

/* Plays the games that the individuals lack of `wanted`, in the order of the list, for as many as `room`
 * games allow; the others, and those that are out of the race, do not change. A stop is no failure. */
static bool evolution_judge(struct evolution *ev, struct individual *list, int count, int room,
                            struct err *e) {
    struct tbs_map *maps = mem_try_alloc(((size_t)count + 1) * sizeof *maps);
    struct request *requests = mem_try_alloc(((size_t)count + 1) * SAMPLE_KINDS * sizeof *requests);
    bool ok = (maps != NULL && requests != NULL) || err_set(e, "not enough memory for %d maps", count);
    bool complete = true;
    int used = 0;
    for (int i = 0; ok && i < count; i++) {
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
        genome_to_map(&ev->plan->space, &one->genome, &maps[i]);
        const struct request of = {
            .id = one->id, .map = &maps[i], .first = one->first_game, .into = &one->judgement};
        used += request_more(&of, missing, &requests[used]);
    }
    ok = ok && (used == 0 || evaluator_play(ev->run->evaluator, requests, used, &complete, e));
    ev->stopped = ev->stopped || !complete;
    mem_free(requests);
    mem_free(maps);
    return ok;
}

/* For each map to show verify/2 games from each side, and verify/2 between equals. Copies of the maps are
 * judged: what selected a map stays. */
static bool verify(struct evolution *ev, struct err *e) {
    const int half = ev->plan->recipe.verify / 2;
    if (half == 0 || ev->shown_count == 0)
        return true;
    struct individual *copies = mem_alloc((size_t)ev->shown_count * sizeof *copies);
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *one = &ev->individuals[ev->shown[i]];
        copies[i] = (struct individual){
            .id = one->id, .genome = one->genome, .wanted = {half, half, half}, .first_game = RECIPE_FRESH};
    }
    const bool ok = evolution_judge(ev, copies, ev->shown_count, INT_MAX, e);
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

int evolution_different(const struct individual *maps, int count) {
    int *counted = mem_alloc(((size_t)count + 1) * sizeof *counted), different = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        while (k < different &&
               genome_difference(&maps[i].genome, &maps[counted[k]].genome) > EVOLUTION_DIFFERENT)
            k++;
        if (k == different)
            counted[different++] = i;
    }
    mem_free(counted);
    return different;
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
    int last = -1; /* the result where rounding leaves a remainder behind all of them */
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

/* By roulette or tournament; with the other rules uniformly, a tournament of one. */
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

/* Selection with copies: the best of n once, and keep - 1 draws with replacement among the others. `chosen`
 * gets those that were drawn, each once, in the order of their first draw, and times[i] how often number i
 * was; both have room for all n. Returns how many different ones were drawn. */
static int selection_copy(const struct selection_rule *rule, const double *fitness, int n, int keep,
                          struct rng *r, int *chosen, int *times) {
    double *others = mem_alloc((size_t)n * sizeof *others);
    selection_survive(rule, fitness, n, 1, r, chosen); /* the best */
    const int best = chosen[0];
    int different = 1;
    memset(times, 0, (size_t)n * sizeof *times);
    times[best] = 1;
    for (int i = 0; i < n - 1; i++)
        others[i] = fitness[i + (i >= best)];
    for (int k = 1; k < keep; k++) {
        int drawn = draw(rule, others, n - 1, r);
        drawn += drawn >= best;
        if (times[drawn]++ == 0)
            chosen[different++] = drawn;
    }
    mem_free(others);
    return different;
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
 * judgement and is not judged again. Parameters select other readings of the published text: children
 * replace the parents, a map is selected several times, each parent is in one pair, parents are judged again.
 *
 * Racing: children are judged in rungs of 4, 8, 16 … games. A child that could not reach the least fitness
 * among the parents even by winning all remaining games is judged no further. Its published fitness is taken
 * to be 1, the least there is: it may still be drawn, but hardly will. */

enum { FIRST_RUNG = 4 };

/* Judges all individuals from `first` on. Those before are the parents, with which they compete. In each rung
 * every individual that is still in the race plays until it has had `had` contests; games of peers come with
 * the last. Then the race ends for children that could not reach `bar` even by winning all remaining games.
 */
static bool judge(struct evolution *ev, int first, struct err *e) {
    const struct recipe *r = &ev->plan->recipe;
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
        if (!evolution_judge(ev, children, count, INT_MAX, e))
            return false;
        if (ev->stopped)
            return true;
        for (int i = 0; i < count; i++) {
            struct individual *child = &children[i];
            const int left = r->games - judgement_contests(&child->judgement);
            const double most = judgement_fitness(judgement_points(&child->judgement) + left, r->games);
            child->raced_out = child->raced_out || (left > 0 && weighed(ev->plan, most, child) < bar);
        }
    }
    for (int i = 0; i < count; i++) {
        struct individual *child = &children[i];
        evolution_judged(ev, child,
                         child->raced_out ? weighed(ev->plan, judgement_fitness(0, r->games), child)
                                          : evolution_fitness_by(ev->plan, child, &child->judgement));
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

/* Moves the chosen ones to the front, in that order. In place: they are large. */
static void move_to_front(struct individual *list, const int *chosen, int count) {
    for (int i = 0; i < count; i++) {
        const struct individual moved = list[i];
        int from = chosen[i];
        while (from < i) /* it was swapped away: follow the swaps to its present place */
            from = chosen[from];
        list[i] = list[from];
        list[from] = moved;
    }
}

/* REPLACEMENT_CHILDREN: the best parent alone competes with the children. The first of equal ones stays, as
 * in selection. */
static void drop_parents(struct evolution *ev, int parents) {
    int best = 0;
    for (int i = 1; i < parents; i++)
        if (ev->individuals[i].fitness > ev->individuals[best].fitness)
            best = i;
    ev->individuals[0] = ev->individuals[best];
    ev->count -= parents - 1;
    memmove(&ev->individuals[1], &ev->individuals[parents],
            (size_t)(ev->count - 1) * sizeof ev->individuals[0]);
}

/* Drops all that were not selected. */
static void select_survivors(struct evolution *ev) {
    const struct recipe *r = &ev->plan->recipe;
    const bool random = r->method == METHOD_RANDOM;
    const struct selection_rule rule = {random ? SELECTION_BEST : (enum selection)r->selection,
                                        r->tournament};
    const int keep = ev->count < r->population ? ev->count : r->population;
    int *chosen = mem_alloc((size_t)ev->count * sizeof *chosen);
    int *times = mem_alloc((size_t)ev->count * sizeof *times);
    double *fitness = fitness_list(ev);
    int different = keep;
    struct rng rng;
    evolution_stream(ev, STREAM_SELECTION, 0, &rng);
    if (!random && r->copies)
        different = selection_copy(&rule, fitness, ev->count, keep, &rng, chosen, times);
    else
        selection_survive(&rule, fitness, ev->count, keep, &rng, chosen);
    move_to_front(ev->individuals, chosen, different);
    ev->count = different;
    for (int i = 0; ev->count < keep; i++) /* copies come behind */
        for (int k = 1; k < times[chosen[i]]; k++)
            ev->individuals[ev->count++] = ev->individuals[i];
    mem_free(chosen);
    mem_free(times);
    mem_free(fitness);
}

/* The parents of all pairs by the recipe's rule, two numbers a pair: as often as they are drawn, or (an even
 * number of them) each in one pair. Each pair's draws come from its own random stream `rngs[pair]`. */
static void choose_parents(const struct evolution *ev, int pairs, struct rng *rngs, int *parents) {
    const struct recipe *r = &ev->plan->recipe;
    const struct selection_rule rule = {(enum selection)r->selection, r->tournament};
    double *fitness = fitness_list(ev);
    int *left = mem_alloc((size_t)ev->count * sizeof *left);
    for (int i = 0; i < ev->count; i++)
        left[i] = i;
    for (int i = 0, n = ev->count; i < 2 * pairs; i += 2) {
        evolution_stream(ev, STREAM_PAIR, i / 2, &rngs[i / 2]);
        selection_pair(&rule, fitness, n, &rngs[i / 2], &parents[i]);
        if (r->parents == PARENTS_DRAWN)
            continue;
        /* Both leave the list, the one behind first: the last of the list takes a place. */
        const int taken[2] = {parents[i], parents[i + 1]};
        const int behind = taken[0] > taken[1] ? taken[0] : taken[1], before = taken[0] + taken[1] - behind;
        parents[i] = left[taken[0]];
        parents[i + 1] = left[taken[1]];
        for (int k = 0; k < 2; k++) {
            const int at = k == 0 ? behind : before;
            n--;
            left[at] = left[n];
            fitness[at] = fitness[n];
        }
    }
    mem_free(left);
    mem_free(fitness);
}

/* Two children of every pair of parents. A pair has a random stream of its own: it does not depend on how
 * many numbers the one before drew. */
static void bear_children(struct evolution *ev) {
    const struct plan *plan = ev->plan;
    const struct recipe *r = &plan->recipe;
    const int pairs = r->population / 2;
    int *chosen = mem_alloc((size_t)r->population * sizeof *chosen);
    struct rng *rngs = mem_alloc((size_t)pairs * sizeof *rngs);
    choose_parents(ev, pairs, rngs, chosen);
    for (int i = 0; i < pairs; i++) {
        const int *pair = &chosen[(ptrdiff_t)2 * i];
        int ids[2];
        struct genome parents[2], children[2];
        for (int k = 0; k < 2; k++) {
            ids[k] = ev->individuals[pair[k]].id;
            children[k] = parents[k] = ev->individuals[pair[k]].genome;
        }
        const bool crossed = rng_unit(&rngs[i]) < r->crossover_rate;
        if (crossed)
            operators_cross(&plan->space, (enum crossover)r->crossover,
                            (const struct genome *const[2]){&parents[0], &parents[1]}, &rngs[i], children);
        for (int k = 0; k < 2; k++) {
            struct individual child;
            evolution_child(ev, &children[k], (int[2]){ids[k], crossed ? ids[1 - k] : -1}, &rngs[i], &child);
            evolution_add(ev, &child);
        }
    }
    mem_free(rngs);
    mem_free(chosen);
}

/* `rejudge`: copies of the parents, to be judged by games that they have not had. The caller frees them;
 * NULL without memory. */
static struct individual *parents_again(const struct evolution *ev, int count) {
    const struct recipe *r = &ev->plan->recipe;
    const int step = r->games / 2 > r->peers ? r->games / 2 : r->peers;
    struct individual *copies = mem_try_alloc((size_t)count * sizeof *copies);
    for (int i = 0; copies != NULL && i < count; i++) {
        copies[i] = ev->individuals[i];
        copies[i].judgement = (struct judgement){0};
        copies[i].first_game = ev->generation_count * step;
        memcpy(copies[i].wanted, (int[SAMPLE_KINDS]){r->games / 2, r->games / 2, r->peers},
               sizeof copies[i].wanted);
    }
    return copies;
}

/* The children behind the `parents` are judged, and with `rejudge` the parents again, whose new results
 * count once all are there. Without parents all are judged. */
static bool judge_generation(struct evolution *ev, int parents, struct err *e) {
    const bool again = parents > 0 && ev->plan->recipe.rejudge;
    struct individual *copies = again ? parents_again(ev, parents) : NULL;
    const bool ready = !again || (copies != NULL ? evolution_judge(ev, copies, parents, INT_MAX, e)
                                                 : err_set(e, "not enough memory for %d maps", parents));
    const bool ok = ready && (ev->stopped || judge(ev, parents, e));
    for (int i = 0; again && ok && !ev->stopped && i < parents; i++) {
        struct individual *parent = &ev->individuals[i];
        parent->judgement = copies[i].judgement;
        parent->fitness = evolution_fitness_by(ev->plan, parent, &parent->judgement);
    }
    mem_free(copies);
    return ok;
}

/* Mean fitness. */
static double mean_of(const struct evolution *ev) {
    double sum = 0;
    for (int i = 0; i < ev->count; i++)
        sum += ev->individuals[i].fitness;
    return sum / ev->count;
}

/* The method of METHOD_GENERATIONS and METHOD_RANDOM. If judging a generation fails or is stopped, its maps
 * are removed again. */
static bool run_generations(struct evolution *ev, struct err *e) {
    const struct recipe *r = &ev->plan->recipe;
    ev->capacity = r->born > 2 * r->population ? r->born : 2 * r->population; /* with the children */
    ev->individuals = mem_try_alloc((size_t)ev->capacity * sizeof *ev->individuals);
    if (ev->individuals == NULL)
        return err_set(e, "not enough memory for the population");
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
            evolution_first(ev, i, &rng, &individual);
            evolution_add(ev, &individual);
        }
        const bool ok = has_parents ? judge_generation(ev, first, e) : judge(ev, first, e);
        if (!ok || ev->stopped) {
            ev->origin_count = ev->individuals[first].id;
            ev->count = first;
            return ok;
        }
        if (has_parents && r->replacement == REPLACEMENT_CHILDREN)
            drop_parents(ev, first);
        const double candidates = mean_of(ev);
        select_survivors(ev);
        evolution_show_best(ev);
        const struct generation line = {.best = ev->individuals[0].fitness,
                                        .mean = mean_of(ev),
                                        .candidates = candidates,
                                        .best_id = ev->individuals[0].id,
                                        .filled = evolution_different(ev->individuals, ev->count)};
        evolution_publish(ev, line);
    } while (ev->generation_count <= r->generations && (r->budget == 0 || games_played(ev) < r->budget) &&
             !has_enough(ev));
    return true;
}

/* ---- the archive of different good maps ----
 *
 * The method of the designer preset: a variant of MAP-Elites (Mouret and Clune 2015) for noisy fitness. Each
 * generation makes children of maps in the archive, mostly of different cells, and races them: a few games
 * for all, more for those that may still be kept, all games for the rest. Elites are judged again as long as
 * their optimistic quality is high, so that a lucky map does not stay at the top. What is left of a budget of
 * games decides between the best. */

const struct feature evolution_features[FEATURES] = {
    [FEATURE_LENGTH] = {"length of games", "turns", FEATURE_LENGTH_BINS, {6, 8, 10, 12, 14, 17, 20}},
    [FEATURE_MIX] = {"aircraft among the units", "%", FEATURE_MIX_BINS, {5, 22, 36, 45, 55, 70}},
};

enum {
    ARCHIVE_DEPTH = 3, /* maps in a cell: when an elite was only lucky, another one takes its place */
    ARCHIVE_MAPS_MAX = ARCHIVE_CELLS * ARCHIVE_DEPTH,
};

#define ARCHIVE_NEAR_COPY 0.12 /* below this difference (genome_difference) two maps are near copies */

/* One list of the maps of all cells, which are few. The best map comes first; maps of equal quality are
 * ordered by cell, and within a cell in the order in which they came. */
struct archive {
    struct evolution *ev;
    int count;
    struct individual *maps;      /* room for ARCHIVE_MAPS_MAX; owned */
    struct individual *newcomers; /* of a generation; in a race `fitness` is the hoped quality */
    json_t *seen;                 /* a set: its keys are the hashes of the maps that were made already */
};

/* ---- cells ---- */

static int cell_of(const struct individual *one) {
    return one->place[FEATURE_LENGTH] * FEATURE_MIX_BINS + one->place[FEATURE_MIX];
}

/* Fills `place` from the features; returns the cell's number. */
static int archive_place(struct individual *individual) {
    const struct genome *g = &individual->genome;
    int units = 0, aircraft = 0;
    for (int i = 0; i < genome_cells(g); i++)
        if (g->cells[i].type != GENOME_EMPTY) {
            units++;
            aircraft += tbs_is_air(g->cells[i].type);
        }
    const double values[FEATURES] = {[FEATURE_LENGTH] = judgement_turns(&individual->judgement),
                                     [FEATURE_MIX] = units > 0 ? 100.0 * aircraft / units : 0};
    for (int i = 0; i < FEATURES; i++) {
        const struct feature *f = &evolution_features[i];
        int bin = 0;
        while (bin < f->bins - 1 && values[i] >= f->edges[bin])
            bin++;
        individual->place[i] = bin;
    }
    return cell_of(individual);
}

/* The index of the cell's map of that rank, 0 being its best; -1: the cell has fewer maps. */
static int archive_find(const struct archive *a, int cell, int rank) {
    for (int i = 0; i < a->count; i++)
        if (cell_of(&a->maps[i]) == cell && rank-- == 0)
            return i;
    return -1;
}

static bool is_best_of_cell(const struct archive *a, int index) {
    return archive_find(a, cell_of(&a->maps[index]), 0) == index;
}

/* The quality that a newcomer to a cell has to reach: that of the least map in it, 0 while there is room. */
static double archive_bar(const struct archive *a, int cell) {
    const int last = archive_find(a, cell, ARCHIVE_DEPTH - 1);
    return last >= 0 ? a->maps[last].fitness : 0;
}

/* Removes one from the archive: to be judged again, or because a better one replaces it. */
static struct individual archive_take(struct archive *a, int index) {
    assert(index >= 0);
    assert(index < a->count);
    const struct individual taken = a->maps[index];
    memmove(&a->maps[index], &a->maps[index + 1], (size_t)(--a->count - index) * sizeof taken);
    return taken;
}

/* Inserts the individual, with its cautious quality as fitness, if it is good enough for its cell. A near
 * copy of a map in the cell competes with that map alone: otherwise a cell would fill with copies of one map.
 * Any other map competes with the last one of a full cell. */
static bool archive_insert(struct archive *a, const struct individual *individual) {
    struct individual one = *individual;
    const int cell = archive_place(&one);
    int rival, rank = 0, at = 0;
    one.fitness = quality_by_own_games(a->ev->plan, &one, ARCHIVE_CAUTION);
    while ((rival = archive_find(a, cell, rank)) >= 0 && rank < ARCHIVE_DEPTH - 1 &&
           genome_difference(&a->maps[rival].genome, &one.genome) >= ARCHIVE_NEAR_COPY)
        rank++;
    if (rival >= 0 && one.fitness <= a->maps[rival].fitness)
        return false;
    if (rival >= 0)
        archive_take(a, rival);
    while (at < a->count && (a->maps[at].fitness > one.fitness ||
                             (!(a->maps[at].fitness < one.fitness) && cell_of(&a->maps[at]) <= cell)))
        at++;
    memmove(&a->maps[at + 1], &a->maps[at], (size_t)(a->count++ - at) * sizeof one);
    a->maps[at] = one;
    return true;
}

static int archive_filled(const struct archive *a) {
    int filled = 0;
    for (int i = 0; i < a->count; i++)
        filled += is_best_of_cell(a, i);
    return filled;
}

/* The mean quality of the cells' best; 0 while there are none. The sum goes by cells: its rounding, and with
 * it the result of a run, depends on the order. */
static double archive_level(const struct archive *a) {
    double sum = 0;
    for (int cell = 0; cell < ARCHIVE_CELLS; cell++) {
        const int best = archive_find(a, cell, 0);
        sum += best >= 0 ? a->maps[best].fitness : 0;
    }
    return a->count > 0 ? sum / archive_filled(a) : 0;
}

/* ---- the method: settings ---- */

enum {
    TRIES_MAX = 20,  /* for a child that was not there before */
    AGAIN_STEP = 10, /* contests when an elite is judged again */
    AGAIN_PEERS = 6, /* and games of peers */
};

/* Shares: 4 is one part in four. */
enum {
    AGAIN_SHARE = 4,      /* of the games of a race are played again by elites */
    AGAIN_ELITES = 10,    /* of a population is judged again at a time, … */
    FINALISTS_SHARE = 4,  /* … and in the finals */
    RESERVE_SHARE = 4,    /* of a budget decides between the best */
    IMMIGRANT_SHARE = 10, /* of the children are new random maps */
    ANY_KIND_SHARE = 3,   /* of the parents come from any cell alike; the others win a small tournament … */
    PARENTS_COMPARED = 3, /* … of so many */
};

/* ---- games ---- */

/* Games that the budget leaves; without a budget there is no limit. */
static int room(const struct archive *a) {
    const int budget = a->ev->plan->recipe.budget;
    return budget > 0 ? budget - games_played(a->ev) : INT_MAX;
}

/* ---- racing ---- */

/* The rungs of the race, in percent: the share of its games that a map has had there, and the share of the
 * newcomers that may go on. About half are out at each rung, as in successive halving: very few games show
 * that most maps are poor. Games of peers come later, for the maps that strength has left. */
struct rung {
    int contests, peers, room;
};
static const struct rung rungs[] = {
    {10, 0, 50}, {20, 0, 25}, {40, 20, 10}, {60, 40, 5}, {80, 70, 5}, {100, 100, 0},
};
enum { RUNGS = sizeof rungs / sizeof rungs[0] };

/* Without a race there is only the last one. */
static int first_rung(const struct recipe *r) {
    return r->race ? 0 : RUNGS - 1;
}

/* The games of each kind that a map has had after a rung: as many contests from each side, rounded up; games
 * of peers to the nearest. */
static void rung_games(const struct recipe *r, int rung, int out[SAMPLE_KINDS]) {
    out[SAMPLE_STRONG_RED] = out[SAMPLE_STRONG_BLUE] = (rungs[rung].contests * r->games + 199) / 200;
    out[SAMPLE_PEERS] = (rungs[rung].peers * r->peers + 50) / 100;
}

/* After a rung those leave the race that have no chance any more: their optimistic quality must reach their
 * cell and the mean of the archive. Of the others as many leave as exceed the room on the next rung, those
 * with the least optimistic quality; among equals the later ones. */
static void thin_out(struct archive *a, int count, int rung) {
    const int most = (rungs[rung].room * count + 50) / 100;
    const double level = archive_level(a);
    int left = 0;
    for (int i = 0; i < count; i++) {
        struct individual *one = &a->newcomers[i];
        const double hope = one->fitness = quality_by_own_games(a->ev->plan, one, ARCHIVE_HOPE);
        one->raced_out = one->raced_out || !(hope > archive_bar(a, archive_place(one)) && hope > level);
        left += !one->raced_out;
    }
    for (; left > (most > 1 ? most : 1); left--) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!a->newcomers[i].raced_out &&
                (least < 0 || a->newcomers[i].fitness <= a->newcomers[least].fitness))
                least = i;
        a->newcomers[least].raced_out = true;
    }
}

/* Judges the newcomers and inserts those that are good enough. One that is out of the race may still be the
 * best of its cell so far; it is inserted with the games it has had. */
static bool race(struct archive *a, int count, struct err *e) {
    const struct recipe *r = &a->ev->plan->recipe;
    for (int rung = first_rung(r); rung < RUNGS && !a->ev->stopped; rung++) {
        for (int i = 0; i < count; i++)
            rung_games(r, rung, a->newcomers[i].wanted);
        if (!evolution_judge(a->ev, a->newcomers, count, room(a), e))
            return false;
        if (rung < RUNGS - 1)
            thin_out(a, count, rung);
    }
    for (int i = 0; i < count && !a->ev->stopped; i++) {
        struct individual *one = &a->newcomers[i];
        if (judgement_games(&one->judgement) == 0)
            continue; /* it was there before, or the budget was used up before it could play */
        evolution_judged(a->ev, one, quality_by_own_games(a->ev->plan, one, ARCHIVE_CAUTION));
        one->raced_out = false;
        archive_insert(a, one);
    }
    return true;
}

/* ---- judging again ---- */

/* Moves the map with the highest optimistic quality, of those with fewer contests than `enough`, out of the
 * archive. False when there is none. */
static bool take_hopeful(struct archive *a, int enough, struct individual *out) {
    double most = 0;
    int best = -1;
    for (int i = 0; i < a->count; i++) {
        const struct individual *one = &a->maps[i];
        const double hope = quality_by_own_games(a->ev->plan, one, ARCHIVE_HOPE);
        if (judgement_contests(&one->judgement) < enough && (best < 0 || hope > most)) {
            best = i;
            most = hope;
        }
    }
    if (best >= 0)
        *out = archive_take(a, best);
    return best >= 0;
}

/* `all` divided by `share`, rounded up. */
static int part_of(int all, int share) {
    return (all + share - 1) / share;
}

/* Judges elites again, one part in `share` of a population at a time, for about `games` games. */
static bool judge_elites(struct archive *a, int share, int games, struct err *e) {
    const struct recipe *r = &a->ev->plan->recipe;
    const int begin = games_played(a->ev), most = part_of(r->population, share);
    for (int before = -1, now = begin; now > before && now - begin < games && !a->ev->stopped;) {
        int count = 0;
        while (count < most && take_hopeful(a, r->reevaluate, &a->newcomers[count]))
            count++;
        for (int i = 0; i < count; i++) {
            const struct judgement *j = &a->newcomers[i].judgement;
            int *wanted = a->newcomers[i].wanted;
            wanted[SAMPLE_STRONG_RED] = wanted[SAMPLE_STRONG_BLUE] = (judgement_contests(j) + AGAIN_STEP) / 2;
            wanted[SAMPLE_PEERS] = r->peers > 0 ? tally_games(&j->peers) + AGAIN_PEERS : 0;
        }
        const bool ok = evolution_judge(a->ev, a->newcomers, count, room(a), e);
        for (int i = 0; i < count; i++)
            archive_insert(a, &a->newcomers[i]);
        if (!ok)
            return false;
        before = now;
        now = games_played(a->ev);
    }
    return true;
}

/* ---- children ---- */

/* Most parents win a small tournament over all maps; the others are the best of any filled cell, so that rare
 * kinds of maps have children, too. */
static const struct individual *draw_parent(const struct archive *a, struct rng *r) {
    int chosen = a->count;
    assert(a->count > 0);
    if (rng_below(r, ANY_KIND_SHARE) > 0) { /* the list is sorted: the lowest index is the best */
        for (int i = 0; i < PARENTS_COMPARED; i++) {
            const int drawn = (int)rng_below(r, (uint32_t)a->count);
            chosen = drawn < chosen ? drawn : chosen;
        }
    } else { /* any filled cell alike, its best map */
        int left = (int)rng_below(r, (uint32_t)archive_filled(a));
        for (chosen = 0; !is_best_of_cell(a, chosen) || left-- > 0;)
            chosen++;
    }
    return &a->maps[chosen];
}

/* A copy of one parent, or the first or second child of two; evolution_child mutates it. */
static void make_child(const struct archive *a, struct rng *r, struct individual *out) {
    const struct plan *plan = a->ev->plan;
    const struct individual *first = draw_parent(a, r), *second = draw_parent(a, r);
    const bool crossed = first != second && rng_unit(r) < plan->recipe.crossover_rate;
    struct genome genome = first->genome;
    if (crossed) {
        const struct genome *const parents[2] = {&first->genome, &second->genome};
        struct genome children[2];
        operators_cross(&plan->space, (enum crossover)plan->recipe.crossover, parents, r, children);
        genome = children[rng_below(r, 2)];
    }
    evolution_child(a->ev, &genome, (int[2]){first->id, crossed ? second->id : -1}, r, out);
}

/* A child of maps in the archive, a random map or a seed map. It is one that was not there before, if that is
 * found in a few tries; otherwise it takes no part in the race. */
static void make_newcomer(struct archive *a, int index, struct individual *out) {
    const bool is_child = a->ev->generation_count > 0 && a->count > 0 && index % IMMIGRANT_SHARE != 0;
    struct rng r;
    char key[17]; /* the map's hash, 16 digits */
    evolution_stream(a->ev, STREAM_ARCHIVE, index, &r);
    out->raced_out = true;
    for (int tries = 0; tries < TRIES_MAX && out->raced_out; tries++) {
        if (is_child)
            make_child(a, &r, out);
        else
            evolution_first(a->ev, index, &r, out);
        snprintf(key, sizeof key, "%016" PRIx64, genome_hash(&out->genome));
        out->raced_out = json_object_get(a->seen, key) != NULL;
        json_object_set_new(a->seen, key, json_true());
    }
}

/* ---- maps to show ---- */

/* A map to show must be in another cell than those before it, and clearly differ from each of them. */
static bool is_different(const struct evolution *ev, const struct individual *one) {
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *other = &ev->individuals[ev->shown[i]];
        if (cell_of(one) == cell_of(other) ||
            genome_difference(&one->genome, &other->genome) <= EVOLUTION_DIFFERENT)
            return false;
    }
    return true;
}

/* Copies the archive into the evolution, the best first, and ends the generation. Shown are the best maps of
 * the cells that are good and clearly different. If no map is good, tidy ones; if none is tidy, any. */
static void publish(struct archive *a) {
    struct evolution *ev = a->ev;
    struct generation g = {.best = a->count > 0 ? a->maps[0].fitness : 0,
                           .best_id = a->count > 0 ? a->maps[0].id : -1,
                           .mean = archive_level(a)};
    ev->count = 0;
    for (int i = 0; i < a->count; i++) {
        evolution_add(ev, &a->maps[i]);
        g.filled += is_best_of_cell(a, i) && archive_is_good(a->ev->plan, &a->maps[i]);
    }
    ev->shown = mem_resize(ev->shown, (size_t)(ev->count + 1) * sizeof *ev->shown);
    ev->shown_count = 0;
    for (int least = 2; least >= 0 && ev->shown_count == 0; least--)
        for (int i = 0; i < ev->count && ev->shown_count < ev->plan->recipe.show; i++) {
            const struct individual *one = &ev->individuals[i];
            const int worth =
                is_tidy(ev->plan, one) + archive_is_good(ev->plan, one); /* good ones are tidy */
            if (worth >= least && is_different(ev, one))
                ev->shown[ev->shown_count++] = i;
        }
    evolution_publish(ev, g);
}

/* ---- the method ---- */

/* A stopped generation is taken back: the one published before stays. */
static bool run_generation(struct archive *a, struct err *e) {
    const struct recipe *r = &a->ev->plan->recipe;
    const int count = a->ev->generation_count == 0 ? r->born : r->population;
    const int before = games_played(a->ev);
    const int origins = a->ev->origin_count, evaluations = a->ev->evaluations;
    for (int i = 0; i < count; i++)
        make_newcomer(a, i, &a->newcomers[i]);
    if (!race(a, count, e))
        return false;
    const int raced = games_played(a->ev) - before;
    if (!judge_elites(a, AGAIN_ELITES, raced / AGAIN_SHARE, e))
        return false;
    if (a->ev->stopped) {
        a->ev->origin_count = origins;
        a->ev->evaluations = evaluations;
    } else {
        publish(a);
    }
    return true;
}

/* After the generations the best are judged again until their quality is known well enough, at most for the
 * share of all games that is reserved of a budget: a run with little time must not wait for finals that take
 * ten times as long. */
static bool run_all(struct archive *a, struct err *e) {
    const struct recipe *r = &a->ev->plan->recipe;
    int least[SAMPLE_KINDS]; /* that a map can be judged by */
    rung_games(r, first_rung(r), least);
    while (a->ev->generation_count <= r->generations && !a->ev->stopped) {
        if (a->ev->generation_count > 0 &&
            (room(a) <= r->budget / RESERVE_SHARE ||
             room(a) < 2 * least[SAMPLE_STRONG_RED] + least[SAMPLE_PEERS] || has_enough(a->ev)))
            break;
        if (!run_generation(a, e))
            return false;
    }
    const int most = part_of(games_played(a->ev), RESERVE_SHARE - 1);
    if (!judge_elites(a, FINALISTS_SHARE, most, e))
        return false;
    if (!a->ev->stopped)
        publish(a);
    return true;
}

static bool run_archive(struct evolution *ev, struct err *e) {
    const struct recipe *r = &ev->plan->recipe;
    const size_t most = (size_t)(r->born > r->population ? r->born : r->population);
    struct archive a = {
        .ev = ev,
        .maps = mem_alloc(ARCHIVE_MAPS_MAX * sizeof *a.maps),
        .newcomers = mem_try_alloc(most * sizeof *a.newcomers),
        .seen = json_object(),
    };
    const bool ok = a.newcomers != NULL ? run_all(&a, e) : err_set(e, "not enough memory for %zu maps", most);
    mem_free(a.maps);
    json_decref(a.seen);
    mem_free(a.newcomers);
    return ok;
}

/* ---- all of it ---- */

bool evolution_play(const struct evolution_run *run, struct evolution *out, bool *complete, struct err *e) {
    const bool is_archive = out->plan->recipe.method == METHOD_ARCHIVE;
    out->run = run;
    const bool ok =
        (is_archive ? run_archive(out, e) : run_generations(out, e)) && (out->stopped || verify(out, e));
    out->run = NULL;
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

void evolution_progress_stage(const struct evolution_progress *p, struct msg *m, char *out, size_t out_size) {
    if (p->last.number < 0)
        msg_set(m, out, out_size, "stage.birth", "birth");
    else if (p->ending && is_archive(p) && !p->finals)
        msg_set(m, out, out_size, "stage.again", "judging the best again");
    else if (p->ending)
        msg_set(m, out, out_size, "stage.verify", "verifying");
    else
        msg_set(m, out, out_size, "stage.generation", "generation %d of %d", p->last.number + 1,
                p->plan->recipe.generations);
}
