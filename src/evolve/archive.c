/* SPDX-License-Identifier: MIT
 *
 * The archive of different good maps, and the method of the designer preset that fills it.
 *
 * Each generation makes children of maps in the archive, mostly of different cells, and races them: a few
 * games for all, more for those that may still be kept, all games for the rest. Elites are judged again as
 * long as their optimistic quality is high, so that a lucky map does not stay at the top. What is left of a
 * budget of games decides between the best.
 */
#include "evolve/archive.h"

#include "base/mem.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct feature evolution_features[FEATURES] = {
    [FEATURE_LENGTH] = {"length of games", "turns", 8, {6, 8, 10, 12, 14, 17, 20}},
    [FEATURE_MIX] = {"aircraft among the units", "%", 7, {5, 22, 36, 45, 55, 70}},
};

/* Quality that an unfair map loses for each point of red's score beyond the tolerance. */
static const double unfair_cost = 2.0;

void archive_open(struct archive *a, const struct plan *plan) {
    *a = (struct archive){.plan = plan,
                          .cell_count =
                              evolution_features[FEATURE_LENGTH].bins * evolution_features[FEATURE_MIX].bins};
    a->slots = mem_alloc((size_t)a->cell_count * ARCHIVE_DEPTH * sizeof *a->slots);
}

void archive_close(struct archive *a) {
    mem_free(a->slots);
    *a = (struct archive){0};
}

/* ---- quality ---- */

/* The mean of a share after `points` of `games`, one win and one loss assumed before, and its error. */
struct guess {
    double mean, error;
};

static struct guess guess(double points, int games) {
    const double n = games + 2.0, mean = (points + 1) / n;
    return (struct guess){mean, sqrt(mean * (1 - mean) / (n + 1))};
}

/* What quality is made of: strong's points, red's between equals, and how many games they come from. */
struct points {
    double strong, red;
    int contests, peers;
};

static struct points points_of(const struct judgement *j) {
    return (struct points){.strong = judgement_points(j),
                           .red = tally_points(&j->peers),
                           .contests = judgement_contests(j),
                           .peers = tally_games(&j->peers)};
}

/* How far red's score between equals is beyond what is tolerated. With caution (negative optimism) the
 * error of the score counts against the map. */
static double unfairness(const struct plan *plan, const struct points *points, double optimism) {
    if (plan->recipe.peers == 0)
        return 0;
    const struct guess red = guess(points->red, points->peers);
    return fmax(0, fabs(red.mean - 0.5) - optimism * red.error - plan->recipe.fair);
}

static double within(double value) {
    return fmin(1, fmax(0, value));
}

static double quality_of(const struct plan *plan, const struct points *points,
                         const struct static_features *features, double optimism) {
    const struct guess strong = guess(points->strong, points->contests);
    const double strength = within(strong.mean + optimism * strong.error);
    const double play = within(strength - unfair_cost * unfairness(plan, points, optimism));
    const double weight = plan->recipe.natural;
    return (1 - weight) * play + weight * features->natural;
}

double archive_quality(const struct plan *plan, const struct individual *individual, double optimism) {
    const struct points points = points_of(&individual->judgement);
    return quality_of(plan, &points, &individual->static_features, optimism);
}

double archive_quality_by(const struct plan *plan, const struct individual *individual,
                          const struct judgement *games) {
    struct points points = points_of(games);
    const struct points own = points_of(&individual->judgement);
    if (own.contests > 0 && points.contests > 0) {
        points.strong *= (double)own.contests / points.contests;
        points.contests = own.contests;
    }
    if (own.peers > 0 && points.peers > 0) {
        points.red *= (double)own.peers / points.peers;
        points.peers = own.peers;
    }
    return quality_of(plan, &points, &individual->static_features, ARCHIVE_CAUTION);
}

bool archive_is_fair(const struct plan *plan, const struct judgement *judgement) {
    const struct share red = judgement_red(judgement);
    return red.games > 0 && fabs(red.value - 0.5) <= plan->recipe.fair;
}

/* No defect that tidying removes, or the recipe does not ask for tidy maps. */
static bool is_tidy(const struct plan *plan, const struct individual *individual) {
    return !plan->recipe.tidy || static_features_are_tidy(&individual->static_features);
}

bool archive_is_good(const struct plan *plan, const struct individual *individual) {
    const struct judgement *j = &individual->judgement;
    const bool is_fair = plan->recipe.peers == 0 || (tally_games(&j->peers) > 0 && archive_is_fair(plan, j));
    return is_fair && judgement_strength(j).value >= ARCHIVE_STRENGTH && is_tidy(plan, individual);
}

/* ---- cells ---- */

static int bin_of(const struct feature *feature, double value) {
    int bin = 0;
    while (bin < feature->bins - 1 && value >= feature->edges[bin])
        bin++;
    return bin;
}

static double aircraft_percent(const struct genome *g) {
    int units = 0, aircraft = 0;
    for (int i = 0; i < genome_cells(g); i++)
        if (g->cells[i].type != GENOME_EMPTY) {
            units++;
            aircraft += tbs_is_air(g->cells[i].type);
        }
    return units > 0 ? 100.0 * aircraft / units : 0;
}

int archive_place(struct individual *individual) {
    const struct feature *f = evolution_features;
    individual->place[FEATURE_LENGTH] = bin_of(&f[FEATURE_LENGTH], judgement_turns(&individual->judgement));
    individual->place[FEATURE_MIX] = bin_of(&f[FEATURE_MIX], aircraft_percent(&individual->genome));
    return individual->place[FEATURE_LENGTH] * f[FEATURE_MIX].bins + individual->place[FEATURE_MIX];
}

double archive_bar(const struct archive *a, int cell) {
    const int count = a->counts[cell];
    return count < ARCHIVE_DEPTH ? 0 : archive_at(a, cell, count - 1)->fitness;
}

static void remove_at(struct archive *a, int cell, int rank) {
    assert(rank < a->counts[cell]);
    const int behind = --a->counts[cell] - rank;
    memmove(archive_at(a, cell, rank), archive_at(a, cell, rank + 1),
            (size_t)behind * sizeof(struct individual));
}

static void insert_at(struct archive *a, int cell, int rank, const struct individual *individual) {
    if (a->counts[cell] == ARCHIVE_DEPTH)
        a->counts[cell]--;
    const int behind = a->counts[cell]++ - rank;
    memmove(archive_at(a, cell, rank + 1), archive_at(a, cell, rank),
            (size_t)behind * sizeof(struct individual));
    *archive_at(a, cell, rank) = *individual;
}

/* The rank of a near copy in the cell, or -1. */
static int find_copy(const struct archive *a, int cell, const struct genome *genome) {
    for (int rank = 0; rank < a->counts[cell]; rank++)
        if (genome_difference(&archive_at(a, cell, rank)->genome, genome) < ARCHIVE_NEAR_COPY)
            return rank;
    return -1;
}

bool archive_insert(struct archive *a, const struct individual *individual) {
    struct individual one = *individual;
    const int cell = archive_place(&one);
    one.fitness = archive_quality(a->plan, &one, ARCHIVE_CAUTION);
    const int copy = find_copy(a, cell, &one.genome);
    if (copy >= 0 && one.fitness <= archive_at(a, cell, copy)->fitness)
        return false;
    if (copy >= 0)
        remove_at(a, cell, copy);
    int rank = a->counts[cell];
    while (rank > 0 && one.fitness > archive_at(a, cell, rank - 1)->fitness)
        rank--;
    if (rank == ARCHIVE_DEPTH)
        return false;
    insert_at(a, cell, rank, &one);
    return true;
}

void archive_take(struct archive *a, int cell, int rank, struct individual *out) {
    *out = *archive_at(a, cell, rank);
    remove_at(a, cell, rank);
}

double archive_level(const struct archive *a) {
    double sum = 0;
    int filled = 0;
    for (int cell = 0; cell < a->cell_count; cell++)
        if (a->counts[cell] > 0) {
            sum += archive_at(a, cell, 0)->fitness;
            filled++;
        }
    return filled > 0 ? sum / filled : 0;
}

int archive_filled(const struct archive *a) {
    int filled = 0;
    for (int cell = 0; cell < a->cell_count; cell++)
        filled += a->counts[cell] > 0;
    return filled;
}

static int compare_entries(const void *left, const void *right) {
    const struct archive_entry *a = left, *b = right;
    if (a->quality > b->quality || a->quality < b->quality)
        return a->quality > b->quality ? -1 : 1;
    return a->cell != b->cell ? a->cell - b->cell : a->rank - b->rank;
}

int archive_list(const struct archive *a, struct archive_entry out[ARCHIVE_ENTRIES_MAX]) {
    int count = 0;
    for (int cell = 0; cell < a->cell_count; cell++)
        for (int rank = 0; rank < a->counts[cell]; rank++)
            out[count++] = (struct archive_entry){cell, rank, archive_at(a, cell, rank)->fitness};
    qsort(out, (size_t)count, sizeof out[0], compare_entries);
    return count;
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

/* Which maps were made already: a set of hashes, open addressing. */
struct seen {
    uint64_t *hashes; /* 0: free */
    int count, capacity;
};

struct archive_run {
    const struct evolution_run *run;
    struct evolution *ev;
    struct archive archive;
    struct seen seen;
    int generation;
    struct individual *newcomers; /* room for `born` or `population` */
    struct tbs_map *maps;         /* room for as many */
    struct request *requests;
    double *hopes; /* as many */
    bool stopped;
};

/* ---- maps that were made already ---- */

/* Makes room for one more. */
static void seen_reserve(struct seen *s) {
    if (2 * s->count < s->capacity)
        return;
    struct seen larger = {.capacity = s->capacity > 0 ? 2 * s->capacity : 1024};
    larger.hashes = mem_alloc((size_t)larger.capacity * sizeof *larger.hashes);
    for (int i = 0; i < s->capacity; i++)
        if (s->hashes[i] != 0) {
            int at = (int)(s->hashes[i] % (uint64_t)larger.capacity);
            while (larger.hashes[at] != 0)
                at = (at + 1) % larger.capacity;
            larger.hashes[at] = s->hashes[i];
        }
    larger.count = s->count;
    mem_free(s->hashes);
    *s = larger;
}

/* False when it was there. There must be room. */
static bool seen_add(struct seen *s, uint64_t hash) {
    hash += hash == 0;
    int at = (int)(hash % (uint64_t)s->capacity);
    for (; s->hashes[at] != 0; at = (at + 1) % s->capacity)
        if (s->hashes[at] == hash)
            return false;
    s->hashes[at] = hash;
    s->count++;
    return true;
}

/* ---- games ---- */

static int room(const struct archive_run *c) {
    const int budget = c->run->plan->recipe.budget;
    return budget > 0 ? budget - evaluator_games(c->run->evaluator) : INT_MAX;
}

/* Requests that bring one map to that many games of each kind. */
static int request_missing(const struct archive_run *c, struct individual *one, struct tbs_map *map,
                           const int wanted[SAMPLE_KINDS], struct request *out) {
    const struct request of = {.id = one->id, .map = map, .into = &one->judgement};
    int missing[SAMPLE_KINDS];
    for (int kind = 0; kind < SAMPLE_KINDS; kind++)
        missing[kind] = wanted[kind] - judgement_games_of(&one->judgement, (enum sample_kind)kind);
    genome_to_map(&c->run->plan->space, &one->genome, map);
    return request_more(&of, missing, out);
}

static int games_of(const struct request *requests, int count) {
    int games = 0;
    for (int i = 0; i < count; i++)
        games += requests[i].count;
    return games;
}

/* How many games a map is to have had, by kind. */
struct target {
    int wanted[SAMPLE_KINDS];
};

static struct target target_of(int contests, int peers) {
    return (struct target){{contests / 2, contests / 2, peers}};
}

/* Plays the missing games for as many of `list` as the budget allows, in its order; the others do not
 * change. False on failure; a stop sets `stopped` and is no failure. */
static bool judge(struct archive_run *c, struct individual *list, int count, const struct target *targets,
                  struct err *e) {
    int requests = 0, left = room(c);
    for (int i = 0; i < count; i++) {
        if (list[i].raced_out)
            continue;
        struct request *mine = &c->requests[requests];
        const int more = request_missing(c, &list[i], &c->maps[i], targets[i].wanted, mine);
        if (games_of(mine, more) > left)
            break;
        left -= games_of(mine, more);
        requests += more;
    }
    bool complete = true;
    const bool ok = requests == 0 || evaluator_play(c->run->evaluator, c->requests, requests, &complete, e);
    c->stopped = c->stopped || !complete;
    return ok;
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

/* As many contests from each side, rounded up; games of peers to the nearest. */
static struct target rung_target(const struct recipe *r, int rung) {
    return target_of(2 * ((rungs[rung].contests * r->games + 199) / 200),
                     (rungs[rung].peers * r->peers + 50) / 100);
}

/* The least that a map can be judged by. */
static int first_games(const struct recipe *r) {
    const struct target target = rung_target(r, first_rung(r));
    return target.wanted[SAMPLE_STRONG_RED] + target.wanted[SAMPLE_STRONG_BLUE] + target.wanted[SAMPLE_PEERS];
}

/* Whether more games on the map are worth it: its optimistic quality must reach its cell and the mean of
 * the archive. */
static bool has_hope(const struct archive_run *c, struct individual *one) {
    const double hope = archive_quality(c->run->plan, one, ARCHIVE_HOPE);
    return hope > archive_bar(&c->archive, archive_place(one)) && hope > archive_level(&c->archive);
}

/* Removes the newcomers with the least optimistic quality from the race until at most `most` are left;
 * among equals the later ones. */
static void keep_most_hopeful(struct archive_run *c, int count, int left, int most) {
    for (; left > most; left--) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!c->newcomers[i].raced_out && (least < 0 || c->hopes[i] <= c->hopes[least]))
                least = i;
        c->newcomers[least].raced_out = true;
    }
}

/* After a rung those leave the race that have no chance any more, and of the others as many as exceed the
 * room on the next rung. */
static void thin_out(struct archive_run *c, int count, int rung) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        struct individual *one = &c->newcomers[i];
        one->raced_out = one->raced_out || !has_hope(c, one);
        c->hopes[i] = archive_quality(c->run->plan, one, ARCHIVE_HOPE);
        left += !one->raced_out;
    }
    const int most = (rungs[rung].room * count + 50) / 100;
    keep_most_hopeful(c, count, left, most > 1 ? most : 1);
}

static bool run_rungs(struct archive_run *c, int count, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    struct target *targets = mem_alloc((size_t)count * sizeof *targets);
    bool ok = true;
    for (int rung = first_rung(r); ok && rung < RUNGS && !c->stopped; rung++) {
        for (int i = 0; i < count; i++)
            targets[i] = rung_target(r, rung);
        ok = judge(c, c->newcomers, count, targets, e);
        if (ok && rung < RUNGS - 1)
            thin_out(c, count, rung);
    }
    mem_free(targets);
    return ok;
}

/* Judges the newcomers and inserts those that are good enough. One that is out of the race may still be the
 * best of its cell so far; it is inserted with the games it has had. */
static bool race(struct archive_run *c, int count, struct err *e) {
    if (!run_rungs(c, count, e))
        return false;
    for (int i = 0; i < count && !c->stopped; i++) {
        struct individual *one = &c->newcomers[i];
        if (judgement_games(&one->judgement) == 0)
            continue; /* it was there before, or the budget was used up before it could play */
        evolution_judged(c->ev, one, archive_quality(c->run->plan, one, ARCHIVE_CAUTION));
        one->raced_out = false;
        archive_insert(&c->archive, one);
    }
    return true;
}

/* ---- judging again ---- */

/* Moves the maps with the highest optimistic quality, of those with fewer contests than `enough`, from the
 * archive to the list of newcomers. */
static int take_hopeful(struct archive_run *c, int count_max, int enough) {
    const struct archive *a = &c->archive;
    int count = 0;
    while (count < count_max) {
        struct archive_entry entries[ARCHIVE_ENTRIES_MAX], *best = NULL;
        const int all = archive_list(a, entries);
        for (int i = 0; i < all; i++) {
            const struct individual *one = archive_at(a, entries[i].cell, entries[i].rank);
            entries[i].quality = archive_quality(c->run->plan, one, ARCHIVE_HOPE);
            if (judgement_contests(&one->judgement) < enough &&
                (best == NULL || entries[i].quality > best->quality))
                best = &entries[i];
        }
        if (best == NULL)
            break;
        archive_take(&c->archive, best->cell, best->rank, &c->newcomers[count++]);
    }
    return count;
}

static bool judge_again(struct archive_run *c, int count_max, int enough, int *judged, struct err *e) {
    const int count = take_hopeful(c, count_max, enough);
    struct target *targets = mem_alloc((size_t)(count + 1) * sizeof *targets);
    for (int i = 0; i < count; i++) {
        const struct judgement *j = &c->newcomers[i].judgement;
        const int peers = c->run->plan->recipe.peers > 0 ? tally_games(&j->peers) + AGAIN_PEERS : 0;
        targets[i] = target_of(judgement_contests(j) + AGAIN_STEP, peers);
    }
    const int before = evaluator_games(c->run->evaluator);
    const bool ok = judge(c, c->newcomers, count, targets, e);
    mem_free(targets);
    for (int i = 0; i < count; i++)
        archive_insert(&c->archive, &c->newcomers[i]);
    *judged = evaluator_games(c->run->evaluator) - before;
    return ok;
}

/* ---- children ---- */

static const struct individual *draw_parent(const struct archive_run *c, struct rng *r) {
    struct archive_entry entries[ARCHIVE_ENTRIES_MAX];
    const int count = archive_list(&c->archive, entries);
    assert(count > 0);
    int chosen = -1;
    if (rng_below(r, ANY_KIND_SHARE) > 0) { /* entries are sorted: the lowest index is the best */
        for (int i = 0; i < PARENTS_COMPARED; i++) {
            const int drawn = (int)rng_below(r, (uint32_t)count);
            chosen = chosen < 0 || drawn < chosen ? drawn : chosen;
        }
    } else { /* any filled cell alike, its best map */
        int left = (int)rng_below(r, (uint32_t)archive_filled(&c->archive));
        for (int i = 0; i < count && chosen < 0; i++)
            if (entries[i].rank == 0 && left-- == 0)
                chosen = i;
    }
    return archive_at(&c->archive, entries[chosen].cell, entries[chosen].rank);
}

static void make_child(const struct archive_run *c, struct rng *r, struct genome *out,
                       struct origin *origin) {
    const struct plan *plan = c->run->plan;
    const struct individual *first = draw_parent(c, r), *second = draw_parent(c, r);
    const bool crossed = first != second && rng_unit(r) < plan->recipe.crossover_rate;
    *origin = (struct origin){{first->id, crossed ? second->id : -1}, c->generation};
    *out = first->genome;
    if (crossed) {
        const struct genome *const parents[2] = {&first->genome, &second->genome};
        struct genome children[2];
        operators_cross(&plan->space, (enum crossover)plan->recipe.crossover, parents, r, children);
        *out = children[rng_below(r, 2)];
    }
    evolution_describe(plan, crossed, evolution_mutate(plan, !crossed, r, out), origin->note);
}

/* A map that was not there before, if one is found in a few tries. */
static void make_newcomer(struct archive_run *c, int index, struct individual *out) {
    struct rng r;
    evolution_stream(c->run->seed, STREAM_ARCHIVE, c->generation, index, &r);
    const bool is_child =
        c->generation > 0 && archive_filled(&c->archive) > 0 && index % IMMIGRANT_SHARE != 0;
    bool is_new = false;
    for (int tries = 0; tries < TRIES_MAX && !is_new; tries++) {
        struct genome genome;
        struct origin origin;
        if (is_child) {
            make_child(c, &r, &genome, &origin);
            evolution_birth(c->ev, &genome, &origin, &r, out);
        } else {
            evolution_first(c->run, c->ev, c->generation == 0 ? index : INT_MAX, &r, out);
        }
        seen_reserve(&c->seen);
        is_new = seen_add(&c->seen, genome_hash(&out->genome));
    }
    out->raced_out = !is_new;
}

/* ---- maps to show ---- */

static bool is_different(const struct evolution *ev, int index) {
    const struct individual *one = &ev->individuals[index];
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *other = &ev->individuals[ev->shown[i]];
        if (genome_difference(&one->genome, &other->genome) <= ARCHIVE_DIFFERENT ||
            (one->place[0] == other->place[0] && one->place[1] == other->place[1]))
            return false;
    }
    return true;
}

/* The classes of maps to show: good, at least tidy, any. */
enum worth { WORTH_ANY, WORTH_TIDY, WORTH_GOOD };

static enum worth worth_of(const struct plan *plan, const struct individual *one) {
    if (archive_is_good(plan, one))
        return WORTH_GOOD;
    return is_tidy(plan, one) ? WORTH_TIDY : WORTH_ANY;
}

/* The best maps of the cells that are good and clearly different. If no map is good, tidy ones; if none is
 * tidy, any. */
static void choose_shown(struct archive_run *c) {
    struct evolution *ev = c->ev;
    mem_free(ev->shown);
    ev->shown_count = 0;
    ev->shown = mem_alloc((size_t)(ev->count + 1) * sizeof *ev->shown);
    for (int worth = WORTH_GOOD; worth >= WORTH_ANY && ev->shown_count == 0; worth--)
        for (int i = 0; i < ev->count && ev->shown_count < c->run->plan->recipe.show; i++)
            if ((int)worth_of(c->run->plan, &ev->individuals[i]) >= worth && is_different(ev, i))
                ev->shown[ev->shown_count++] = i;
}

static void sum_up(const struct archive_run *c, struct generation *g) {
    const struct archive *a = &c->archive;
    int filled = 0;
    for (int cell = 0; cell < a->cell_count; cell++) {
        if (a->counts[cell] == 0)
            continue;
        const struct individual *best = archive_at(a, cell, 0);
        filled++;
        g->filled += archive_is_good(a->plan, best);
        g->mean += best->fitness;
        if (g->best_id < 0 || best->fitness > g->best) {
            g->best = best->fitness;
            g->best_id = best->id;
        }
    }
    g->mean = filled > 0 ? g->mean / filled : 0;
}

static void publish(struct archive_run *c) {
    struct generation g = {.number = c->generation,
                           .evaluations = c->ev->evaluations,
                           .games = evaluator_games(c->run->evaluator),
                           .best_id = -1};
    struct archive_entry entries[ARCHIVE_ENTRIES_MAX];
    const int count = archive_list(&c->archive, entries);
    sum_up(c, &g);
    c->ev->count = 0;
    for (int i = 0; i < count; i++)
        evolution_add(c->ev, archive_at(&c->archive, entries[i].cell, entries[i].rank));
    choose_shown(c);
    evolution_add_generation(c->ev, &g);
    if (c->run->on_generation != NULL)
        c->run->on_generation(c->run->context, c->ev);
}

/* ---- the method ---- */

/* `all` divided by `share`, rounded up. */
static int part_of(int all, int share) {
    return (all + share - 1) / share;
}

/* Judges elites again, one part in `share` of a population at a time, for about `games` games. */
static bool judge_elites(struct archive_run *c, int share, int games, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    for (int spent = 0, judged = 1; judged > 0 && spent < games && !c->stopped; spent += judged)
        if (!judge_again(c, part_of(r->population, share), r->reevaluate, &judged, e))
            return false;
    return true;
}

/* A stopped generation is taken back: the one published before stays. */
static bool run_generation(struct archive_run *c, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    const int count = c->generation == 0 ? r->born : r->population;
    const int before = evaluator_games(c->run->evaluator);
    const int origins = c->ev->origin_count, evaluations = c->ev->evaluations;
    for (int i = 0; i < count; i++)
        make_newcomer(c, i, &c->newcomers[i]);
    if (!race(c, count, e))
        return false;
    const int raced = evaluator_games(c->run->evaluator) - before;
    if (!c->stopped && !judge_elites(c, AGAIN_ELITES, raced / AGAIN_SHARE, e))
        return false;
    if (!c->stopped) {
        publish(c);
        return true;
    }
    c->ev->origin_count = origins;
    c->ev->evaluations = evaluations;
    return true;
}

/* Judges the best again until their quality is known well enough, at most for the share of all games that
 * is reserved of a budget: a run with little time must not wait for finals that take ten times as long. */
static bool run_finals(struct archive_run *c, struct err *e) {
    const int most = part_of(evaluator_games(c->run->evaluator), RESERVE_SHARE - 1);
    if (!judge_elites(c, FINALISTS_SHARE, most, e))
        return false;
    c->generation++;
    if (!c->stopped)
        publish(c);
    return true;
}

static bool run_all(struct archive_run *c, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    const int reserve = r->budget / RESERVE_SHARE;
    for (; c->generation <= r->generations && !c->stopped; c->generation++) {
        if (c->generation > 0 && (room(c) <= reserve || room(c) < first_games(r) ||
                                  (c->run->is_enough != NULL && c->run->is_enough(c->run->context))))
            break;
        if (!run_generation(c, e))
            return false;
    }
    c->generation--; /* the last that was run */
    return c->stopped || run_finals(c, e);
}

bool evolution_by_archive(const struct evolution_run *run, struct evolution *ev, bool *complete,
                          struct err *e) {
    const struct recipe *r = &run->plan->recipe;
    const size_t most = (size_t)(r->born > r->population ? r->born : r->population);
    struct archive_run c = {.run = run,
                            .ev = ev,
                            .newcomers = mem_alloc(most * sizeof *c.newcomers),
                            .maps = mem_alloc(most * sizeof *c.maps),
                            .requests = mem_alloc(most * SAMPLE_KINDS * sizeof *c.requests),
                            .hopes = mem_alloc(most * sizeof *c.hopes)};
    archive_open(&c.archive, run->plan);
    const bool ok = run_all(&c, e);
    *complete = ok && !c.stopped;
    archive_close(&c.archive);
    mem_free(c.seen.hashes);
    mem_free(c.newcomers);
    mem_free(c.maps);
    mem_free(c.requests);
    mem_free(c.hopes);
    return ok;
}
