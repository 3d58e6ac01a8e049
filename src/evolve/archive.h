/* SPDX-License-Identifier: MIT
 *
 * Different good maps: a table of cells by two features (how long games last, how much of the armies flies),
 * in which each cell keeps the few best maps that fell into it.
 *
 * How good a map is depends on few noisy games, so quality is a mean with an error: what is known of a map
 * that is kept counts at its low end, what is hoped of a newcomer at its high end. Private to src/evolve
 * and tests.
 */
#ifndef EVOLVE_ARCHIVE_H
#define EVOLVE_ARCHIVE_H

#include "evolve/evolution.h"

enum {
    ARCHIVE_DEPTH = 3, /* maps a cell keeps: an elite that was only lucky has somebody to take its place */
    ARCHIVE_CELLS_MAX = FEATURE_BINS_MAX * FEATURE_BINS_MAX,
};

struct archive {
    const struct plan *plan;
    int cell_count;
    int counts[ARCHIVE_CELLS_MAX];
    struct individual *slots; /* cell * ARCHIVE_DEPTH + rank, the best of a cell first */
};

bool archive_open(struct archive *a, const struct plan *plan, struct err *e);
void archive_close(struct archive *a);

/* How a map is seen, in standard errors: one that is kept, and one that might be. */
enum { ARCHIVE_CAUTION = -1, ARCHIVE_HOPE = 1 };

/* Strength, fairness and looks in one number, 0 … 1, seen with so many standard errors of optimism. */
double archive_quality(const struct plan *plan, const struct individual *individual, double optimism);

/* The cautious quality that it would have, had as many games as selected it gone as these did: caution is
 * about how many games there were, and not to be taken for what selection flatters. */
double archive_quality_by(const struct plan *plan, const struct individual *individual,
                          const struct judgement *games);

/* Is red's score between equals, as far as it is known, near enough to a half? */
bool archive_is_fair(const struct plan *plan, const struct judgement *judgement);

/* What the archive is for: fair by games of peers, and strength tells (strong's score is at least
 * ARCHIVE_STRENGTH), as far as is known; and tidy if the recipe wants that. Where no games of peers are
 * played fairness is not asked. */
#define ARCHIVE_STRENGTH 0.7
bool archive_is_good(const struct plan *plan, const struct individual *individual);

/* Nothing in it that a person would never have drawn, or the recipe does not mind. */
bool archive_is_tidy(const struct plan *plan, const struct individual *individual);

/* Fills `place` from the features; returns the cell's number. */
int archive_place(struct individual *individual);

/* The quality a newcomer to a cell has to reach: that of the least it keeps, 0 while there is room. */
double archive_bar(const struct archive *a, int cell);

/* Keeps the individual if it is good enough for its cell. A near copy of one that is kept competes with that
 * one alone. Returns whether it was kept. */
bool archive_insert(struct archive *a, const struct individual *individual);

/* Takes one out, for somebody who wants to judge it again. */
void archive_take(struct archive *a, int cell, int rank, struct individual *out);

static inline struct individual *archive_at(const struct archive *a, int cell, int rank) {
    return &a->slots[cell * ARCHIVE_DEPTH + rank];
}

/* The mean quality of the cells' best; 0 while there are none. */
double archive_level(const struct archive *a);

int archive_filled(const struct archive *a);

/* Lists (cell, rank) of everybody, the best quality first; returns how many. */
struct archive_entry {
    int cell, rank;
    double quality;
};
enum { ARCHIVE_ENTRIES_MAX = ARCHIVE_CELLS_MAX * ARCHIVE_DEPTH };
int archive_list(const struct archive *a, struct archive_entry out[ARCHIVE_ENTRIES_MAX]);

/* Below this difference (genome_difference) two maps are near copies; clearly different ones differ by more
 * than the second. */
#define ARCHIVE_NEAR_COPY 0.12
#define ARCHIVE_DIFFERENT 0.25

#endif
