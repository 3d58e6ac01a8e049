/* SPDX-License-Identifier: MIT
 *
 * Learning the policy by self-play from nothing (REINFORCE): after a game, what the winner did becomes more
 * likely and what the loser did less. The recipe `published` is Shiga's; `own` is what we recommend.
 *
 * A step plays a batch of games with the same weights on a fixed number of lanes and then changes the
 * weights; lanes are merged in their order, and game i depends only on (seed, i): results do not depend on
 * the number of threads. The state can be written and read back: a run that was interrupted gives the same.
 */
#ifndef GEISTER_LEARN_H
#define GEISTER_LEARN_H

#include "base/spec.h"
#include "geister/policy.h"

enum { LEARN_LANES = 8, LEARN_PLIES_MAX = 400, LEARN_PAST_MAX = 16 };

enum learn_rule { LEARN_PLAIN, LEARN_ADAM };
enum learn_sides { LEARN_FIRST, LEARN_BOTH };

struct learn_recipe {
    int rule, sides;
    double rate, value_rate; /* of the two sets of weights */
    int half;                /* games after which the rates are half as large, then a third …; 0: never */
    int batch;               /* games a step: a multiple of LEARN_LANES */
    int plies;               /* a game that is longer is drawn */
    bool mirror;             /* left and right are the same: every game is also learned from in a mirror */
    bool baseline;           /* a result counts by how much better it is than what the value said */
    bool draws;              /* learn from draws too: worth 0 */
    double lambda;           /* with a baseline: 1 only the result counts, 0 only the next value */
    double entropy;          /* how much is done for variety */
    double past;             /* the part of the games that is played against earlier weights */
    int keep;                /* games after which the weights of the moment are added to those */
    int average;             /* games over which the weights that are given out are averaged; 0: none */
};

/* Its options, for help. */
extern const struct param learn_params[];

/* "own", "published", or one of them with options: "own:rate=0.002,lambda=0.9". */
bool learn_recipe_read(const char *text, struct learn_recipe *out, struct err *e);

/* With all options, so that it means the same when usual values have changed. */
void learn_recipe_write(const struct learn_recipe *recipe, struct text *out);

/* Sums over the games of all steps since learn_forget. */
struct learn_tally {
    uint64_t games, plies, ends[3]; /* won by the first player, by the second, drawn */
    double surprise;                /* log loss of the value over the positions of games that were won */
    double positions, sum_value, sum_result, sum_values, sum_results, sum_product; /* for correlations */
};

struct learn;
struct learn *learn_open(const struct learn_recipe *recipe, uint64_t seed, struct err *e);
void learn_close(struct learn *learn);

/* One batch of games on so many threads. */
bool learn_step(struct learn *learn, int threads, struct err *e);

uint64_t learn_games(const struct learn *learn);
uint64_t learn_seed(const struct learn *learn);
const struct learn_recipe *learn_recipe_of(const struct learn *learn);
const struct learn_tally *learn_tally_of(const struct learn *learn);
void learn_forget(struct learn *learn);

/* The correlation of values and results, NAN while there are none; the mean surprise. */
double learn_correlation(const struct learn_tally *tally);
double learn_surprise(const struct learn_tally *tally);

/* The weights as they would be written to a file now. */
void learn_policy(const struct learn *learn, struct policy_weights *out);

/* Everything that the rest of the run depends on, to the last bit. */
void learn_write(const struct learn *learn, struct text *out);
struct learn *learn_read(const char *name, const char *text, size_t size, struct err *e);

#endif
