/* SPDX-License-Identifier: MIT */
#include "evolve/archive.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct feature evolution_features[FEATURES] = {
    [FEATURE_LENGTH] = {"length of games", "turns", 8, {6, 8, 10, 12, 14, 17, 20}},
    [FEATURE_MIX] = {"aircraft among the units", "%", 7, {5, 22, 36, 45, 55, 70}},
};

/* What an unfair map loses, for each point beyond what is tolerated. */
static const double unfair_cost = 2.0;

bool archive_open(struct archive *a, const struct plan *plan, struct err *e) {
    *a = (struct archive){.plan = plan,
                          .cell_count =
                              evolution_features[FEATURE_LENGTH].bins * evolution_features[FEATURE_MIX].bins};
    a->slots = mem_alloc((size_t)a->cell_count * ARCHIVE_DEPTH * sizeof *a->slots);
    return a->slots != NULL || err_set(e, "not enough memory for the archive");
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
struct record {
    double points, red;
    int contests, peers;
};

static struct record record_of(const struct judgement *j) {
    return (struct record){.points = judgement_points(j),
                           .red = tally_points(&j->peers),
                           .contests = judgement_contests(j),
                           .peers = tally_games(&j->peers)};
}

/* How far beyond what is tolerated red's score between equals is; what is not known counts against those who
 * are seen with caution. */
static double unfairness(const struct plan *plan, const struct record *record, double optimism) {
    if (plan->recipe.peers == 0)
        return 0;
    const struct guess red = guess(record->red, record->peers);
    return fmax(0, fabs(red.mean - 0.5) - optimism * red.error - plan->recipe.fair);
}

static double within(double value) {
    return fmin(1, fmax(0, value));
}

static double quality_of(const struct plan *plan, const struct record *record, const struct looks *looks,
                         double optimism) {
    const struct guess strong = guess(record->points, record->contests);
    const double strength = within(strong.mean + optimism * strong.error);
    const double play = within(strength - unfair_cost * unfairness(plan, record, optimism));
    const double weight = plan->recipe.natural;
    return (1 - weight) * play + weight * looks->natural;
}

double archive_quality(const struct plan *plan, const struct individual *individual, double optimism) {
    const struct record record = record_of(&individual->judgement);
    return quality_of(plan, &record, &individual->looks, optimism);
}

double archive_quality_by(const struct plan *plan, const struct individual *individual,
                          const struct judgement *games) {
    struct record record = record_of(games);
    const struct record own = record_of(&individual->judgement);
    if (own.contests > 0 && record.contests > 0) {
        record.points *= (double)own.contests / record.contests;
        record.contests = own.contests;
    }
    if (own.peers > 0 && record.peers > 0) {
        record.red *= (double)own.peers / record.peers;
        record.peers = own.peers;
    }
    return quality_of(plan, &record, &individual->looks, ARCHIVE_CAUTION);
}

bool archive_is_fair(const struct plan *plan, const struct judgement *judgement) {
    const struct share red = judgement_red(judgement);
    return red.games > 0 && fabs(red.value - 0.5) <= plan->recipe.fair;
}

bool archive_is_tidy(const struct plan *plan, const struct individual *individual) {
    return !plan->recipe.tidy || looks_are_tidy(&individual->looks);
}

bool archive_is_good(const struct plan *plan, const struct individual *individual) {
    const struct judgement *j = &individual->judgement;
    const bool is_fair = plan->recipe.peers == 0 || (tally_games(&j->peers) > 0 && archive_is_fair(plan, j));
    return is_fair && judgement_strength(j).value >= ARCHIVE_STRENGTH && archive_is_tidy(plan, individual);
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
        if (g->cells[i].type != GENOME_NOBODY) {
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
