/* SPDX-License-Identifier: MIT
 *
 * A run of a recipe: individuals, generations, the archive, and what came out. Everything in here follows
 * from (recipe, seed); the evaluator's store makes a repeated run quick.
 */
#ifndef EVOLVE_EVOLUTION_H
#define EVOLVE_EVOLUTION_H

#include "base/rng.h"
#include "evolve/evaluator.h"
#include "evolve/recipe.h"
#include "evolve/static_features.h"

enum { ORIGIN_NOTE_MAX = 32 };

/* Where a map comes from. One for every map that was ever made; the index is the map's id. */
struct origin {
    int parents[2]; /* ids; -1 where there is none */
    int generation;
    char note[ORIGIN_NOTE_MAX]; /* "random", "seed duel", "uniform", "region, 2 changes", "3 changes" */
    float fitness; /* when it was first judged; NAN before. Where racing ended it: what it had then */
};

struct individual {
    int id;
    struct genome genome;
    struct static_features static_features;
    struct judgement judgement; /* what it was selected by */
    struct judgement fresh;     /* games that selected nothing: verification. Empty before the end */
    double fitness; /* what it was selected by. METHOD_ARCHIVE: quality, 0 … 1; otherwise as published, with
                       naturalness by its weight */
    int place[2];   /* METHOD_ARCHIVE: the archive's cell; otherwise -1 */
    int wanted[SAMPLE_KINDS]; /* games of each kind that it is being judged by (evolution_judge) */
    bool raced_out;
};

/* One line of fitness.csv. */
struct generation {
    int number;        /* 0: at birth, after selection */
    int evaluations;   /* maps judged so far */
    int games;         /* sample games so far */
    double best, mean; /* fitness in the population after selection, or in the archive */
    int best_id;
    int filled; /* METHOD_ARCHIVE: cells whose best map is good (archive_is_good); otherwise the number of
                   different maps */
};

/* The archive's two features. */
enum { FEATURE_LENGTH, FEATURE_MIX, FEATURES };
enum { FEATURE_BINS_MAX = 8 };
struct feature {
    const char *name, *unit;
    int bins;
    double edges[FEATURE_BINS_MAX - 1]; /* between the bins */
};
extern const struct feature evolution_features[FEATURES];

struct evolution {
    const struct plan *plan;
    uint64_t seed;
    int origin_count, origin_capacity;
    struct origin *origins;
    int generation_count, generation_capacity;
    struct generation *generations;
    int count, capacity; /* the population, or everything in the archive */
    struct individual *individuals;
    int shown_count; /* the best ones, best first: indices into individuals. In the archive one a cell */
    int *shown;
    int evaluations; /* maps judged */
    bool verified;   /* the maps in `shown` have their `fresh` games */
};

struct evolution_run {
    const struct plan *plan;
    uint64_t seed;
    struct evaluator *evaluator; /* rank 0's */
    int seed_count;              /* maps to begin with, in place of random ones */
    const struct genome *seeds;
    const char *const *seed_names;
    /* True: no more generations (time is over, for example). The archive still judges its best maps again,
     * and the maps to show are verified. Called between generations; may be NULL. */
    bool (*is_enough)(void *context);
    /* After each generation, and after verification. May be NULL. */
    void (*on_generation)(void *context, const struct evolution *evolution);
    void *context;
};

void evolution_init(struct evolution *evolution, const struct plan *plan, uint64_t seed);
void evolution_done(struct evolution *evolution);

/* *complete is false when it was stopped. */
bool evolution_play(const struct evolution_run *run, struct evolution *out, bool *complete, struct err *e);

/* Games that a run takes at most before verification, to estimate the time left; 0: unknown. */
int evolution_games_planned(const struct plan *plan);

/* The fitness if these games had selected the map, at their rate of wins and draws: `fresh` beside
 * `judgement` shows how much luck selection brought. METHOD_ARCHIVE: of as many games as selected it;
 * otherwise of as many games as the recipe has for a map (10: the published scale). NAN without games. */
double evolution_fitness_by(const struct plan *plan, const struct individual *individual,
                            const struct judgement *games);

/* ---- between the files of src/evolve ---- */

/* METHOD_ARCHIVE: fills generations and individuals. */
bool evolution_by_archive(const struct evolution_run *run, struct evolution *ev, bool *complete,
                          struct err *e);

/* Returns the new id. */
int evolution_add_origin(struct evolution *ev, const struct origin *origin);
void evolution_add_generation(struct evolution *ev, const struct generation *generation);

/* Pointers to other individuals may move. */
void evolution_add(struct evolution *ev, const struct individual *individual);

/* Ends a generation: adds its line, with the numbers that are known here, and reports it. */
void evolution_publish(const struct evolution_run *run, struct evolution *ev, struct generation line);

/* Individual `index` of a generation without parents: in the first a seed map while there are any, otherwise
 * a random one. */
void evolution_first(const struct evolution_run *run, struct evolution *ev, int index, struct rng *r,
                     struct individual *out);

/* A child with this genome, which is mutated, of the parents with these ids; the second is -1 if it has one
 * parent. */
void evolution_child(struct evolution *ev, struct genome *genome, const int parents[2], struct rng *r,
                     struct individual *out);

/* Mutates a child by the recipe: on average mutation_rate changes; at least one if it `must` (a child of
 * one parent would be a copy of it). Returns how many were made. */
int evolution_mutate(const struct plan *plan, bool must, struct rng *r, struct genome *g);

/* A random stream of its own for every purpose, so that nothing depends on the workers or on earlier draws.
 */
enum evolution_stream { STREAM_BIRTH, STREAM_SELECTION, STREAM_PAIR, STREAM_ARCHIVE };
void evolution_stream(uint64_t seed, enum evolution_stream what, int generation, int index, struct rng *r);

/* Plays the games that the individuals lack of `wanted`, in the order of the list, for as many as `room`
 * games allow; the others, and those that are out of the race, do not change. */
bool evolution_judge(const struct evolution_run *run, struct individual *list, int count, int room,
                     bool *complete, struct err *e);

/* Sets the fitness of a judged map, in its origin too, and counts it. */
void evolution_judged(struct evolution *ev, struct individual *individual, double fitness);

/* Fills `shown` with the best different maps; ties: the more natural one, then the older one. */
void evolution_show_best(struct evolution *ev);

/* ---- selection: survivors and parents, from fitness alone ---- */

/* One of n with probability proportional to its weight (all at least 0; all 0: uniformly). */
int selection_roulette(const double *weights, int n, struct rng *r);

/* Chooses `keep` different ones of n: first the best of all, then the others by the rule, in the order of
 * the draws. Ties for the best go to the lowest index. `chosen` has room for all n; behind the first `keep`
 * are the ones not chosen. */
struct selection_rule {
    enum selection how;
    int tournament;
};
void selection_survive(const struct selection_rule *rule, const double *fitness, int n, int keep,
                       struct rng *r, int *chosen);

/* Two different parents of n >= 2, each by the rule. With SELECTION_BEST uniformly: the survivors are the
 * best already. */
void selection_pair(const struct selection_rule *rule, const double *fitness, int n, struct rng *r,
                    int parents[2]);

/* ---- progress of a run, counted along with games and generations ---- */

struct evolution_progress {
    const struct plan *plan;
    int games, stored;
    struct generation last; /* number is -1 before the first */
    bool ending;            /* no more generations */
    bool finals;            /* the archive's best were judged again; verification comes next */
    int shown;              /* maps to be verified, as far as is known */
};

void evolution_progress_init(struct evolution_progress *progress, const struct plan *plan);

/* Counts one more game of the evaluator. */
void evolution_progress_game(struct evolution_progress *progress, bool stored);

/* An evolution's on_generation: false when it is no new generation but verification. */
bool evolution_progress_generation(struct evolution_progress *progress, const struct evolution *ev);

/* Games of the whole run at most; 0: unknown. */
double evolution_progress_planned(const struct evolution_progress *progress);

/* Of them, those of verification. */
double evolution_progress_fresh(const struct evolution_progress *progress);

/* "birth", "generation 3 of 20", "judging the best again", "verifying". */
void evolution_progress_stage(const struct evolution_progress *progress, struct text *out);

/* ---- the archive of different good maps, between the files of src/evolve and for tests ----
 *
 * A table of cells by two features (length of games, share of aircraft), in which each cell holds the few best
 * maps that fell into it. Few noisy games decide how good a map is, so quality is a mean with an error. A map
 * in the archive counts with the low end of its interval, a newcomer with the high end. */

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
