/* SPDX-License-Identifier: MIT
 *
 * The archive of different good maps, and the method of the designer preset that fills it: a variant of
 * MAP-Elites (Mouret and Clune 2015) for noisy fitness.
 *
 * Each generation makes children of maps in the archive, mostly of different cells, and races them: a few
 * games for all, more for those that may still be kept, all games for the rest. Elites are judged again as
 * long as their optimistic quality is high, so that a lucky map does not stay at the top. What is left of a
 * budget of games decides between the best.
 */
#include "evolve/evolution.h"

#include "base/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

const struct feature evolution_features[FEATURES] = {
    [FEATURE_LENGTH] = {"length of games", "turns", FEATURE_LENGTH_BINS, {6, 8, 10, 12, 14, 17, 20}},
    [FEATURE_MIX] = {"aircraft among the units", "%", FEATURE_MIX_BINS, {5, 22, 36, 45, 55, 70}},
};

enum {
    ARCHIVE_DEPTH = 3, /* maps in a cell: when an elite was only lucky, another one takes its place */
    ARCHIVE_MAPS_MAX = ARCHIVE_CELLS * ARCHIVE_DEPTH,
};

#define ARCHIVE_STRENGTH  0.7  /* least score of the stronger player on a good map */
#define ARCHIVE_NEAR_COPY 0.12 /* below this difference (genome_difference) two maps are near copies */
#define ARCHIVE_DIFFERENT 0.25 /* clearly different maps differ by more than this */
#define UNFAIR_COST       2.0  /* quality lost for each point of red's score beyond the tolerance */

/* One list of the maps of all cells, which are few. The best map comes first; maps of equal quality are
 * ordered by cell, and within a cell in the order in which they came. */
struct archive {
    const struct plan *plan;
    int count;
    struct individual *maps; /* room for ARCHIVE_MAPS_MAX; owned */
};

/* ---- quality ----
 *
 * Few noisy games decide how good a map is, so quality is a mean with an error. A map in the archive counts
 * with the low end of its interval, a newcomer with the high end. */

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

/* Red's score between equals costs as far as it is beyond what is tolerated; with caution (negative optimism)
 * its error counts against the map. */
double archive_quality(const struct plan *plan, const struct individual *individual,
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
    one.fitness = quality_by_own_games(a->plan, &one, ARCHIVE_CAUTION);
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

struct archive_run {
    const struct evolution_run *run;
    struct evolution *ev;
    struct archive archive;
    struct individual
        *newcomers; /* room for `born` or `population`; in a race `fitness` is the hoped quality */
    json_t *seen;   /* a set: its keys are the hashes of the maps that were made already */
};

/* ---- games ---- */

/* Games that the budget leaves; without a budget there is no limit. */
static int room(const struct archive_run *c) {
    const int budget = c->run->plan->recipe.budget;
    return budget > 0 ? budget - evaluator_games(c->run->evaluator) : INT_MAX;
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
static void thin_out(struct archive_run *c, int count, int rung) {
    const int most = (rungs[rung].room * count + 50) / 100;
    const double level = archive_level(&c->archive);
    int left = 0;
    for (int i = 0; i < count; i++) {
        struct individual *one = &c->newcomers[i];
        const double hope = one->fitness = quality_by_own_games(c->run->plan, one, ARCHIVE_HOPE);
        one->raced_out =
            one->raced_out || !(hope > archive_bar(&c->archive, archive_place(one)) && hope > level);
        left += !one->raced_out;
    }
    for (; left > (most > 1 ? most : 1); left--) {
        int least = -1;
        for (int i = 0; i < count; i++)
            if (!c->newcomers[i].raced_out &&
                (least < 0 || c->newcomers[i].fitness <= c->newcomers[least].fitness))
                least = i;
        c->newcomers[least].raced_out = true;
    }
}

/* Judges the newcomers and inserts those that are good enough. One that is out of the race may still be the
 * best of its cell so far; it is inserted with the games it has had. */
static bool race(struct archive_run *c, int count, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    for (int rung = first_rung(r); rung < RUNGS && !c->ev->stopped; rung++) {
        for (int i = 0; i < count; i++)
            rung_games(r, rung, c->newcomers[i].wanted);
        if (!evolution_judge(c->run, c->ev, c->newcomers, count, room(c), e))
            return false;
        if (rung < RUNGS - 1)
            thin_out(c, count, rung);
    }
    for (int i = 0; i < count && !c->ev->stopped; i++) {
        struct individual *one = &c->newcomers[i];
        if (judgement_games(&one->judgement) == 0)
            continue; /* it was there before, or the budget was used up before it could play */
        evolution_judged(c->ev, one, quality_by_own_games(c->run->plan, one, ARCHIVE_CAUTION));
        one->raced_out = false;
        archive_insert(&c->archive, one);
    }
    return true;
}

/* ---- judging again ---- */

/* Moves the map with the highest optimistic quality, of those with fewer contests than `enough`, out of the
 * archive. False when there is none. */
static bool take_hopeful(struct archive_run *c, int enough, struct individual *out) {
    double most = 0;
    int best = -1;
    for (int i = 0; i < c->archive.count; i++) {
        const struct individual *one = &c->archive.maps[i];
        const double hope = quality_by_own_games(c->run->plan, one, ARCHIVE_HOPE);
        if (judgement_contests(&one->judgement) < enough && (best < 0 || hope > most)) {
            best = i;
            most = hope;
        }
    }
    if (best >= 0)
        *out = archive_take(&c->archive, best);
    return best >= 0;
}

/* `all` divided by `share`, rounded up. */
static int part_of(int all, int share) {
    return (all + share - 1) / share;
}

/* Judges elites again, one part in `share` of a population at a time, for about `games` games. */
static bool judge_elites(struct archive_run *c, int share, int games, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    const int begin = evaluator_games(c->run->evaluator), most = part_of(r->population, share);
    for (int before = -1, now = begin; now > before && now - begin < games && !c->ev->stopped;) {
        int count = 0;
        while (count < most && take_hopeful(c, r->reevaluate, &c->newcomers[count]))
            count++;
        for (int i = 0; i < count; i++) {
            const struct judgement *j = &c->newcomers[i].judgement;
            int *wanted = c->newcomers[i].wanted;
            wanted[SAMPLE_STRONG_RED] = wanted[SAMPLE_STRONG_BLUE] = (judgement_contests(j) + AGAIN_STEP) / 2;
            wanted[SAMPLE_PEERS] = r->peers > 0 ? tally_games(&j->peers) + AGAIN_PEERS : 0;
        }
        const bool ok = evolution_judge(c->run, c->ev, c->newcomers, count, room(c), e);
        for (int i = 0; i < count; i++)
            archive_insert(&c->archive, &c->newcomers[i]);
        if (!ok)
            return false;
        before = now;
        now = evaluator_games(c->run->evaluator);
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
static void make_child(const struct archive_run *c, struct rng *r, struct individual *out) {
    const struct plan *plan = c->run->plan;
    const struct individual *first = draw_parent(&c->archive, r), *second = draw_parent(&c->archive, r);
    const bool crossed = first != second && rng_unit(r) < plan->recipe.crossover_rate;
    struct genome genome = first->genome;
    if (crossed) {
        const struct genome *const parents[2] = {&first->genome, &second->genome};
        struct genome children[2];
        operators_cross(&plan->space, (enum crossover)plan->recipe.crossover, parents, r, children);
        genome = children[rng_below(r, 2)];
    }
    evolution_child(c->ev, &genome, (int[2]){first->id, crossed ? second->id : -1}, r, out);
}

/* A child of maps in the archive, a random map or a seed map. It is one that was not there before, if that is
 * found in a few tries; otherwise it takes no part in the race. */
static void make_newcomer(struct archive_run *c, int index, struct individual *out) {
    const bool is_child = c->ev->generation_count > 0 && c->archive.count > 0 && index % IMMIGRANT_SHARE != 0;
    struct rng r;
    char key[17]; /* the map's hash, 16 digits */
    evolution_stream(c->ev, STREAM_ARCHIVE, index, &r);
    out->raced_out = true;
    for (int tries = 0; tries < TRIES_MAX && out->raced_out; tries++) {
        if (is_child)
            make_child(c, &r, out);
        else
            evolution_first(c->run, c->ev, index, &r, out);
        snprintf(key, sizeof key, "%016" PRIx64, genome_hash(&out->genome));
        out->raced_out = json_object_get(c->seen, key) != NULL;
        json_object_set_new(c->seen, key, json_true());
    }
}

/* ---- maps to show ---- */

/* A map to show must be in another cell than those before it, and clearly differ from each of them. */
static bool is_different(const struct evolution *ev, const struct individual *one) {
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *other = &ev->individuals[ev->shown[i]];
        if (cell_of(one) == cell_of(other) ||
            genome_difference(&one->genome, &other->genome) <= ARCHIVE_DIFFERENT)
            return false;
    }
    return true;
}

/* Copies the archive into the evolution, the best first, and ends the generation. Shown are the best maps of
 * the cells that are good and clearly different. If no map is good, tidy ones; if none is tidy, any. */
static void publish(struct archive_run *c) {
    const struct archive *a = &c->archive;
    struct evolution *ev = c->ev;
    struct generation g = {.best = a->count > 0 ? a->maps[0].fitness : 0,
                           .best_id = a->count > 0 ? a->maps[0].id : -1,
                           .mean = archive_level(a)};
    ev->count = 0;
    for (int i = 0; i < a->count; i++) {
        evolution_add(ev, &a->maps[i]);
        g.filled += is_best_of_cell(a, i) && archive_is_good(a->plan, &a->maps[i]);
    }
    ev->shown = mem_resize(ev->shown, (size_t)(ev->count + 1) * sizeof *ev->shown);
    ev->shown_count = 0;
    for (int least = 2; least >= 0 && ev->shown_count == 0; least--)
        for (int i = 0; i < ev->count && ev->shown_count < a->plan->recipe.show; i++) {
            const struct individual *one = &ev->individuals[i];
            const int worth = is_tidy(a->plan, one) + archive_is_good(a->plan, one); /* good ones are tidy */
            if (worth >= least && is_different(ev, one))
                ev->shown[ev->shown_count++] = i;
        }
    evolution_publish(c->run, ev, g);
}

/* ---- the method ---- */

/* A stopped generation is taken back: the one published before stays. */
static bool run_generation(struct archive_run *c, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    const int count = c->ev->generation_count == 0 ? r->born : r->population;
    const int before = evaluator_games(c->run->evaluator);
    const int origins = c->ev->origin_count, evaluations = c->ev->evaluations;
    for (int i = 0; i < count; i++)
        make_newcomer(c, i, &c->newcomers[i]);
    if (!race(c, count, e))
        return false;
    const int raced = evaluator_games(c->run->evaluator) - before;
    if (!judge_elites(c, AGAIN_ELITES, raced / AGAIN_SHARE, e))
        return false;
    if (c->ev->stopped) {
        c->ev->origin_count = origins;
        c->ev->evaluations = evaluations;
    } else {
        publish(c);
    }
    return true;
}

/* After the generations the best are judged again until their quality is known well enough, at most for the
 * share of all games that is reserved of a budget: a run with little time must not wait for finals that take
 * ten times as long. */
static bool run_all(struct archive_run *c, struct err *e) {
    const struct recipe *r = &c->run->plan->recipe;
    int least[SAMPLE_KINDS]; /* that a map can be judged by */
    rung_games(r, first_rung(r), least);
    while (c->ev->generation_count <= r->generations && !c->ev->stopped) {
        if (c->ev->generation_count > 0 &&
            (room(c) <= r->budget / RESERVE_SHARE ||
             room(c) < 2 * least[SAMPLE_STRONG_RED] + least[SAMPLE_PEERS] ||
             (c->run->is_enough != NULL && c->run->is_enough(c->run->context))))
            break;
        if (!run_generation(c, e))
            return false;
    }
    const int most = part_of(evaluator_games(c->run->evaluator), RESERVE_SHARE - 1);
    if (!judge_elites(c, FINALISTS_SHARE, most, e))
        return false;
    if (!c->ev->stopped)
        publish(c);
    return true;
}

bool evolution_by_archive(const struct evolution_run *run, struct evolution *ev, struct err *e) {
    const struct recipe *r = &run->plan->recipe;
    const size_t most = (size_t)(r->born > r->population ? r->born : r->population);
    struct archive_run c = {
        .run = run,
        .ev = ev,
        .archive = {.plan = run->plan, .maps = mem_alloc(ARCHIVE_MAPS_MAX * sizeof *c.archive.maps)},
        .newcomers = mem_alloc(most * sizeof *c.newcomers),
        .seen = json_object(),
    };
    const bool ok = run_all(&c, e);
    mem_free(c.archive.maps);
    json_decref(c.seen);
    mem_free(c.newcomers);
    return ok;
}
