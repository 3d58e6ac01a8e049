/* SPDX-License-Identifier: MIT
 *
 * An archive of different good maps: a table of cells by two features (length of games, share of aircraft),
 * in which each cell holds the few best maps that fell into it.
 *
 * Few noisy games decide how good a map is, so quality is a mean with an error. A map in the archive counts
 * with the low end of its interval, a newcomer with the high end. Private to src/evolve and tests.
 */
#ifndef EVOLVE_ARCHIVE_H
#define EVOLVE_ARCHIVE_H

#include "evolve/evolution.h"

enum {
    ARCHIVE_DEPTH = 3, /* maps in a cell: when an elite was only lucky, another one takes its place */
    ARCHIVE_CELLS_MAX = FEATURE_BINS_MAX * FEATURE_BINS_MAX,
};

struct archive {
    const struct plan *plan;
    int cell_count;
    int counts[ARCHIVE_CELLS_MAX];
    struct individual *slots; /* cell * ARCHIVE_DEPTH + rank, the best of a cell first */
};

void archive_open(struct archive *a, const struct plan *plan);
void archive_close(struct archive *a);

/* Optimism in standard errors: for maps in the archive, and for newcomers. */
enum { ARCHIVE_CAUTION = -1, ARCHIVE_HOPE = 1 };

/* Strength, fairness and naturalness in one number, 0 … 1, with so many standard errors of optimism. */
double archive_quality(const struct plan *plan, const struct individual *individual, double optimism);

/* The cautious quality it would have if as many games as selected it had ended at the rate of these:
 * caution depends on the number of games and must not be mistaken for the luck that selection brings. */
double archive_quality_by(const struct plan *plan, const struct individual *individual,
                          const struct judgement *games);

/* Whether red's score between equals is near enough to a half. */
bool archive_is_fair(const struct plan *plan, const struct judgement *judgement);

/* The map is fair by games of peers, the stronger player wins (its score is at least ARCHIVE_STRENGTH), and
 * the map is tidy if the recipe requires that. Without games of peers fairness is not checked. */
#define ARCHIVE_STRENGTH 0.7
bool archive_is_good(const struct plan *plan, const struct individual *individual);

/* Fills `place` from the features; returns the cell's number. */
int archive_place(struct individual *individual);

/* The quality that a newcomer to a cell has to reach: that of the least map in it, 0 while there is room. */
double archive_bar(const struct archive *a, int cell);

/* Inserts the individual if it is good enough for its cell. A near copy of a map in the cell competes with
 * that map alone. Returns whether it was inserted. */
bool archive_insert(struct archive *a, const struct individual *individual);

/* Removes one from the archive, to be judged again. */
void archive_take(struct archive *a, int cell, int rank, struct individual *out);

static inline struct individual *archive_at(const struct archive *a, int cell, int rank) {
    return &a->slots[cell * ARCHIVE_DEPTH + rank];
}

/* The mean quality of the cells' best; 0 while there are none. */
double archive_level(const struct archive *a);

int archive_filled(const struct archive *a);

/* Lists (cell, rank) of all maps, the best quality first; returns how many. */
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
