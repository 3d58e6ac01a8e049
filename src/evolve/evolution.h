/* SPDX-License-Identifier: MIT
 *
 * A run of a recipe: individuals, generations, the archive, and what came out. Everything in here follows
 * from (recipe, seed); the evaluator's store makes a repeated run quick.
 */
#ifndef EVOLVE_EVOLUTION_H
#define EVOLVE_EVOLUTION_H

#include "evolve/judge.h"
#include "evolve/recipe.h"

enum { ORIGIN_NOTE_MAX = 32 };

/* Where a map comes from. One for every map that was ever made; the index is the map's id. */
struct origin {
    int parents[2]; /* ids; -1 where there is none */
    int generation;
    short crossover, changes;   /* of a map with parents; crossover -1: it has one parent */
    char seed[ORIGIN_NOTE_MAX]; /* the name of the map it is; "": none */
    float fitness; /* when it was first judged; NAN before. Where racing ended it: what it had then */
};

/* "random", "seed duel", "uniform", "region, 2 changes", "3 changes", as a message. */
void evolution_origin_note(const struct origin *origin, struct msg *m, char out[ORIGIN_NOTE_MAX]);

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
    int first_game;           /* the number of the first of them */
    bool raced_out;
};

/* One line of fitness.csv. */
struct generation {
    int number;        /* 0: at birth, after selection */
    int evaluations;   /* maps judged so far */
    int games;         /* sample games so far */
    double best, mean; /* fitness in the population after selection, or in the archive */
    double candidates; /* mean fitness before selection, of all maps that competed. METHOD_ARCHIVE: 0 */
    int best_id;
    int filled; /* METHOD_ARCHIVE: cells whose best map is good (archive_is_good); otherwise the number of
                   clearly different maps (evolution_different) */
};

/* The archive's two features. A pair of bins is a cell of the archive. */
enum { FEATURE_LENGTH, FEATURE_MIX, FEATURES };
enum {
    FEATURE_LENGTH_BINS = 8,
    FEATURE_MIX_BINS = 7,
    FEATURE_BINS_MAX = FEATURE_LENGTH_BINS,
    ARCHIVE_CELLS = FEATURE_LENGTH_BINS * FEATURE_MIX_BINS,
};
struct feature {
    const char *name, *unit;
    int bins;
    double edges[FEATURE_BINS_MAX - 1]; /* between the bins, in `unit`; an edge belongs to the bin above it */
};
extern const struct feature evolution_features[FEATURES];

/* Begins with a plan and a seed. */
struct evolution {
    const struct plan *plan;
    uint64_t seed;
    const struct evolution_run *run; /* while it is played */
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
    bool stopped;    /* before it was complete */
};

struct evolution_run {
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

void evolution_done(struct evolution *evolution);

/* Clearly different maps have a genome_difference of more than this. */
#define EVOLUTION_DIFFERENT 0.25

/* How many of the maps are clearly different from each other: in the order of the list a map counts if it is
 * clearly different from all that count already. So near copies of one map count once. */
int evolution_different(const struct individual *maps, int count);

/* *complete is false when it was stopped. */
bool evolution_play(const struct evolution_run *run, struct evolution *out, bool *complete, struct err *e);

/* Games that a run takes at most before verification, to estimate the time left; 0: unknown. */
int evolution_games_planned(const struct plan *plan);

/* The fitness if these games had selected the map, at their rate of wins and draws: `fresh` beside
 * `judgement` shows how much luck selection brought. METHOD_ARCHIVE: of as many games as selected it;
 * otherwise of as many games as the recipe has for a map (10: the published scale). NAN without games. */
double evolution_fitness_by(const struct plan *plan, const struct individual *individual,
                            const struct judgement *games);

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

/* "birth", "generation 3 of 20", "judging the best again", "verifying", as a message. */
void evolution_progress_stage(const struct evolution_progress *progress, struct msg *m, char *out,
                              size_t out_size);

#endif
