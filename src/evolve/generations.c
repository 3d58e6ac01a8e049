/* SPDX-License-Identifier: MIT
 *
 * The published algorithm: selection by fitness, and generations of children. Random maps are the baseline
 * beside it.
 *
 * `born` maps are judged and `population` of them selected: the best unconditionally, the others by the rule
 * (roulette as published), none twice. In every generation population/2 pairs of different parents, drawn by
 * the same rule, have two children each; parents and children compete for the places. A survivor keeps its
 * judgement and is not judged again.
 *
 * Racing: children are judged in rungs of 4, 8, 16 … games. A child that could not reach the least fitness
 * among the parents even by winning all remaining games is judged no further. Its published fitness is taken
 * to be 1, the least there is: it may still be drawn, but hardly will.
 */
#include "base/mem.h"
#include "evolve/evolution.h"

#include <assert.h>
#include <math.h>

/* ---- drawing by fitness ---- */

/* The candidates of a draw: those in `list` (NULL: all), without the one at position `without`. */
struct field {
    const double *fitness;
    const int *list;
    int count, without; /* -1: all are candidates */
};

static double weight_at(const struct field *field, int position) {
    return field->fitness[field->list != NULL ? field->list[position] : position];
}

/* A position, all alike. */
static int draw_evenly(const struct field *field, struct rng *r) {
    const bool lacks_one = field->without >= 0;
    const int position = (int)rng_below(r, (uint32_t)(field->count - lacks_one));
    return position + (lacks_one && position >= field->without);
}

static int draw_roulette(const struct field *field, struct rng *r) {
    double total = 0;
    for (int i = 0; i < field->count; i++)
        total += i == field->without ? 0 : weight_at(field, i);
    if (!(total > 0))
        return draw_evenly(field, r);
    double ball = rng_unit(r) * total;
    int last = -1; /* rounding may leave the ball behind the last candidate */
    for (int i = 0; i < field->count; i++) {
        const double weight = i == field->without ? 0 : weight_at(field, i);
        if (!(weight > 0))
            continue;
        last = i;
        if (ball < weight)
            break;
        ball -= weight;
    }
    return last;
}

static int draw_tournament(const struct field *field, int rounds, struct rng *r) {
    int best = draw_evenly(field, r);
    for (int i = 1; i < rounds; i++) {
        const int other = draw_evenly(field, r);
        if (weight_at(field, other) > weight_at(field, best))
            best = other;
    }
    return best;
}

/* The lowest index among the best of a list. */
static int find_best(const struct field *field) {
    int best = 0;
    assert(field->list != NULL);
    assert(field->without < 0);
    for (int i = 1; i < field->count; i++) {
        const double lead = weight_at(field, i) - weight_at(field, best);
        if (lead > 0 || (!(lead < 0) && field->list[i] < field->list[best]))
            best = i;
    }
    return best;
}

int selection_roulette(const double *weights, int n, struct rng *r) {
    assert(n > 0);
    return draw_roulette(&(struct field){weights, NULL, n, -1}, r);
}

static int draw_survivor(const struct selection_rule *rule, const struct field *field, struct rng *r) {
    switch (rule->how) {
    case SELECTION_ROULETTE: return draw_roulette(field, r);
    case SELECTION_TOURNAMENT: return draw_tournament(field, rule->tournament, r);
    case SELECTION_BEST: break;
    }
    return find_best(field);
}

void selection_survive(const struct selection_rule *rule, const double *fitness, int n, int keep,
                       struct rng *r, int *chosen) {
    assert(n > 0);
    assert(keep <= n);
    for (int i = 0; i < n; i++)
        chosen[i] = i;
    for (int k = 0; k < keep; k++) {
        const struct field rest = {fitness, chosen + k, n - k, -1};
        const int position = k + (k == 0 ? find_best(&rest) : draw_survivor(rule, &rest, r));
        const int winner = chosen[position];
        chosen[position] = chosen[k];
        chosen[k] = winner;
    }
}

void selection_pair(const struct selection_rule *rule, const double *fitness, int n, struct rng *r,
                    int parents[2]) {
    assert(n >= 2);
    struct field field = {fitness, NULL, n, -1};
    for (int i = 0; i < 2; i++) {
        parents[i] = rule->how == SELECTION_BEST ? draw_evenly(&field, r) : draw_survivor(rule, &field, r);
        field.without = parents[i];
    }
}

/* ---- a generation ---- */

enum { FIRST_RUNG = 4 };

struct breeding {
    const struct evolution_run *run;
    struct evolution *ev;
    struct tbs_map *maps;     /* of those being judged */
    struct request *requests; /* of one rung */
    double *fitness;          /* of all individuals, for selection */
    int *chosen;
    int room; /* how many there may be of each */
};

/* ---- judging ---- */

/* Contests until there were `games_after` of them; games of peers with the last. */
static int add_requests(const struct breeding *c, struct individual *individual, const struct tbs_map *map,
                        int games_after, struct request *out) {
    const struct recipe *r = &c->run->plan->recipe;
    const struct request of = {.id = individual->id, .map = map, .into = &individual->judgement};
    const int half = (games_after - judgement_contests(&individual->judgement)) / 2;
    return request_more(&of, (int[SAMPLE_KINDS]){half, half, games_after < r->games ? 0 : r->peers}, out);
}

/* Every individual from `first` on that is still in the race plays until it has had `games_after` contests.
 */
static bool play_rung(struct breeding *c, int first, int games_after, bool *complete, struct err *e) {
    struct evolution *ev = c->ev;
    int count = 0;
    for (int i = first; i < ev->count; i++)
        if (!ev->individuals[i].raced_out)
            count +=
                add_requests(c, &ev->individuals[i], &c->maps[i - first], games_after, &c->requests[count]);
    *complete = true;
    return count == 0 || evaluator_play(c->run->evaluator, c->requests, count, complete, e);
}

/* Ends the race for children that could not reach `bar` even by winning all remaining games. */
static void end_races(struct breeding *c, int first, double bar) {
    const struct recipe *r = &c->run->plan->recipe;
    for (int i = first; i < c->ev->count; i++) {
        struct individual *child = &c->ev->individuals[i];
        const int left = r->games - judgement_contests(&child->judgement);
        const double most = evolution_weighed(
            c->run->plan, judgement_fitness(judgement_points(&child->judgement) + left, r->games),
            &child->static_features);
        child->raced_out = child->raced_out || (left > 0 && most < bar);
    }
}

/* Judges all individuals from `first` on. Those before are the parents, with which they compete. */
static bool judge(struct breeding *c, int first, bool *complete, struct err *e) {
    struct evolution *ev = c->ev;
    const struct recipe *r = &c->run->plan->recipe;
    double bar = (double)INFINITY;
    for (int i = 0; i < first; i++)
        bar = ev->individuals[i].fitness < bar ? ev->individuals[i].fitness : bar;
    for (int i = first; i < ev->count; i++)
        genome_to_map(&c->run->plan->space, &ev->individuals[i].genome, &c->maps[i - first]);
    const bool race = r->race && first > 0;
    for (int had = 0; had < r->games;) {
        const int wanted = !race ? r->games : had == 0 ? FIRST_RUNG : 2 * had;
        had = wanted < r->games ? wanted : r->games;
        const bool ok = play_rung(c, first, had, complete, e);
        if (!ok || !*complete)
            return ok;
        if (race)
            end_races(c, first, bar);
    }
    for (int i = first; i < ev->count; i++) {
        struct individual *child = &ev->individuals[i];
        evolution_judged(ev, child,
                         child->raced_out ? evolution_weighed(c->run->plan, judgement_fitness(0, r->games),
                                                              &child->static_features)
                                          : evolution_fitness(c->run->plan, child));
    }
    return true;
}

/* ---- survivors ---- */

/* Moves the chosen ones to the front, in that order, and drops the others. */
static void select_survivors(struct breeding *c, enum selection how) {
    struct evolution *ev = c->ev;
    const struct recipe *r = &c->run->plan->recipe;
    const int keep = ev->count < r->population ? ev->count : r->population;
    struct rng rng;
    evolution_stream(ev->seed, STREAM_SELECTION, ev->generation_count, 0, &rng);
    for (int i = 0; i < ev->count; i++)
        c->fitness[i] = ev->individuals[i].fitness;
    selection_survive(&(struct selection_rule){how, r->tournament}, c->fitness, ev->count, keep, &rng,
                      c->chosen);
    struct individual *survivors = mem_alloc((size_t)c->room * sizeof *survivors);
    for (int i = 0; i < keep; i++)
        survivors[i] = ev->individuals[c->chosen[i]];
    mem_free(ev->individuals);
    ev->individuals = survivors;
    ev->count = keep;
    ev->capacity = c->room;
}

static int count_different(const struct evolution *ev) {
    int different = 0;
    for (int i = 0; i < ev->count; i++) {
        bool seen = false;
        for (int k = 0; k < i && !seen; k++)
            seen = evolution_is_same_map(&ev->individuals[i], &ev->individuals[k]);
        different += !seen;
    }
    return different;
}

/* The population as it is now becomes a line of fitness.csv. */
static void publish(struct breeding *c) {
    struct evolution *ev = c->ev;
    const struct individual *best = &ev->individuals[0];
    double sum = 0;
    for (int i = 0; i < ev->count; i++)
        sum += ev->individuals[i].fitness;
    const struct generation line = {.number = ev->generation_count,
                                    .evaluations = ev->evaluations,
                                    .games = evaluator_games(c->run->evaluator),
                                    .best = best->fitness,
                                    .mean = sum / ev->count,
                                    .best_id = best->id,
                                    .filled = count_different(ev)};
    evolution_add_generation(ev, &line);
    evolution_show_best(ev);
    if (c->run->on_generation != NULL)
        c->run->on_generation(c->run->context, ev);
}

/* The individuals from `first` on were just born; if judging them fails or is stopped, they are removed
 * again. */
static bool finish(struct breeding *c, int first, enum selection how, bool *complete, struct err *e) {
    struct evolution *ev = c->ev;
    const bool ok = judge(c, first, complete, e);
    if (!ok || !*complete) {
        ev->origin_count = ev->individuals[first].id;
        ev->count = first;
        return ok;
    }
    select_survivors(c, how);
    publish(c);
    return true;
}

/* ---- births ---- */

static void bear_first(struct breeding *c, int count) {
    for (int i = 0; i < count; i++) {
        struct rng rng;
        struct individual individual;
        evolution_stream(c->ev->seed, STREAM_BIRTH, c->ev->generation_count, i, &rng);
        const int index = c->ev->generation_count == 0 ? i : c->run->seed_count + i;
        evolution_first(c->run, c->ev, index, &rng, &individual);
        evolution_add(c->ev, &individual);
    }
}

/* Two children of two members of the population, by their indices. */
static void bear_pair(struct breeding *c, const int pair[2], struct rng *r) {
    struct evolution *ev = c->ev;
    const struct plan *plan = c->run->plan;
    const struct individual *members = ev->individuals;
    const int ids[2] = {members[pair[0]].id, members[pair[1]].id};
    const struct genome *const parents[2] = {&members[pair[0]].genome, &members[pair[1]].genome};
    struct genome children[2] = {*parents[0], *parents[1]};
    const bool crossed = rng_unit(r) < plan->recipe.crossover_rate;
    if (crossed)
        operators_cross(&plan->space, (enum crossover)plan->recipe.crossover, parents, r, children);
    for (int i = 0; i < 2; i++) {
        struct origin origin = {.parents = {ids[i], crossed ? ids[1 - i] : -1},
                                .generation = ev->generation_count};
        struct individual child;
        const int changes = evolution_mutate(plan, !crossed, r, &children[i]);
        evolution_describe(plan, crossed, changes, origin.note);
        evolution_birth(ev, &children[i], &origin, r, &child);
        evolution_add(ev, &child);
    }
}

static void bear_children(struct breeding *c) {
    struct evolution *ev = c->ev;
    const struct recipe *r = &c->run->plan->recipe;
    const struct selection_rule rule = {(enum selection)r->selection, r->tournament};
    const int population = ev->count;
    for (int i = 0; i < population; i++)
        c->fitness[i] = ev->individuals[i].fitness;
    for (int i = 0; i < r->population / 2; i++) {
        struct rng rng;
        int pair[2];
        evolution_stream(ev->seed, STREAM_PAIR, ev->generation_count, i, &rng);
        selection_pair(&rule, c->fitness, population, &rng, pair);
        bear_pair(c, pair, &rng);
    }
}

/* ---- the method ---- */

bool evolution_by_generations(const struct evolution_run *run, struct evolution *ev, bool *complete,
                              struct err *e) {
    const struct recipe *r = &run->plan->recipe;
    const bool is_random = r->method == METHOD_RANDOM;
    const enum selection how = is_random ? SELECTION_BEST : (enum selection)r->selection;
    const int most = r->born > 2 * r->population ? r->born : 2 * r->population;
    const size_t n = (size_t)most;
    struct breeding c = {.run = run,
                         .ev = ev,
                         .maps = mem_alloc(n * sizeof *c.maps),
                         .requests = mem_alloc(n * SAMPLE_KINDS * sizeof *c.requests),
                         .fitness = mem_alloc(n * sizeof *c.fitness),
                         .chosen = mem_alloc(n * sizeof *c.chosen),
                         .room = most};
    bool ok = true;
    do {
        const int first = ev->count;
        if (ev->generation_count == 0 || is_random)
            bear_first(&c, ev->generation_count == 0 ? r->born : r->population);
        else
            bear_children(&c);
        ok = finish(&c, first, how, complete, e);
    } while (ok && *complete && ev->generation_count <= r->generations && !evolution_is_over(run));
    mem_free(c.maps);
    mem_free(c.requests);
    mem_free(c.fitness);
    mem_free(c.chosen);
    return ok;
}
