/* SPDX-License-Identifier: MIT
 *
 * Learning the policy by self-play from zero weights (REINFORCE): after a game, the winner's moves become
 * more likely and the loser's less. The recipe `published` is Shiga's; `own` is the recommended one.
 *
 * A step plays a batch of games with the same weights on a fixed number of lanes and then changes the
 * weights. Lanes are merged in order, and game i depends only on (seed, i): results do not depend on the
 * number of threads. The state can be written and read back: an interrupted run gives the same result.
 */
#ifndef GEISTER_LEARN_H
#define GEISTER_LEARN_H

#include "geister/policy.h"

enum { LEARN_LANES = 8, LEARN_PLIES_MAX = 400, LEARN_PAST_MAX = 16 };

enum learn_rule { LEARN_PLAIN, LEARN_ADAM };
enum learn_sides { LEARN_FIRST, LEARN_BOTH };

struct learn_recipe {
    int rule, sides;
    double rate, value_rate; /* of the two sets of weights */
    int half;       /* games after which the rates are half as large, then a third, and so on; 0: never */
    int batch;      /* games a step: a multiple of LEARN_LANES */
    int plies;      /* a longer game is a draw */
    bool mirror;    /* every game is also learned from in its mirror image */
    bool baseline;  /* a result counts relative to the value of the position */
    bool draws;     /* learn from draws too, with result 0 */
    double lambda;  /* with a baseline: 1 uses only the result, 0 only the next value */
    double entropy; /* weight of the entropy bonus */
    double past;    /* share of games against earlier weights */
    int keep;       /* games after which the current weights are added to those */
    int average;    /* games over which the written weights are averaged; 0: none */
};

/* Its options, for help. */
extern const struct param learn_params[];

/* "own", "published", or one of them with options: "own:rate=0.002,lambda=0.9". */
bool learn_recipe_read(const char *text, struct learn_recipe *out, struct err *e);

/* Writes all options, so that the text keeps its meaning when defaults change. */
void learn_recipe_write(const struct learn_recipe *recipe, struct text *out);

/* Sums over the games of all steps since it was last cleared. */
struct learn_tally {
    uint64_t games, plies, ends[3]; /* won by the first player, by the second, drawn */
    double surprise;                /* log loss of the value over the positions of games that were won */
    double positions, sum_value, sum_result, sum_values, sum_results, sum_product; /* for correlations */
};

/* ---- the learner ---- */

enum { LEARN_MOVE, LEARN_VALUE, LEARN_HEADS };

/* A weight and the optimizer's state for it. */
struct learn_weight {
    float now, mean, square, average;
};

/* The gradient over a sum of games: a pair's part is [i][j] + [j][i]. The part of a single bit is that of its
 * pair with the bit that is always set, so it is not stored separately. */
struct learn_slope {
    float move[POLICY_BITS][POLICY_ROW];
    float value[POLICY_BITS][POLICY_ROW];
};

/* A decision, stored until the game is over. */
struct learn_note {
    struct bit_list list;
    struct duel_turn turn;
    int chosen;
    float worth; /* of the position, before the move */
};

struct learn_lane {
    struct learn_slope slope;
    struct learn_tally tally;
    int past_side; /* the side that plays by earlier weights; -1: none */
    int note_count;
    struct learn_note notes[LEARN_PLIES_MAX];
};

struct learn {
    struct learn_recipe recipe;
    uint64_t seed, games, steps;
    struct learn_tally tally;
    struct learn_weight weights[LEARN_HEADS][POLICY_PAIRS]; /* row by row */
    struct policy_weights square;                           /* `now` as a square, for playing */
    uint64_t stored; /* number of earlier weights stored so far; the last of them are here */
    struct policy_weights past[LEARN_PAST_MAX]; /* move weights only: they are not used for values */
    struct learn_lane lanes[LEARN_LANES];
};

/* To be freed with mem_free. */
struct learn *learn_open(const struct learn_recipe *recipe, uint64_t seed);

/* Plays one batch of games on that many threads and learns from it. */
bool learn_step(struct learn *learn, int threads, struct err *e);

/* The correlation of values and results, NAN when undefined; the mean log loss. */
double learn_correlation(const struct learn_tally *tally);
double learn_surprise(const struct learn_tally *tally);

/* The weights in the form of a weight file. */
void learn_policy(const struct learn *learn, struct policy_weights *out);

/* The complete state of the run, exact to the last bit. */
void learn_write(const struct learn *learn, struct text *out);
struct learn *learn_read(const char *name, const char *text, size_t size, struct err *e);

/* ---- training of geist ---- */

/* First its policy (REINFORCE, as above), in a league: it plays against itself, against its earlier versions,
 * and against `purple`, whose style self-play alone does not teach. Then the values of positions, from games
 * of the same league. Training starts from zero weights and depends on the seed alone; positions and their
 * mirror images are treated alike. */

struct geist_recipe {
    int games, value_games;
    double rate, rate_end; /* learning rate of the policy, falling from the first to the second */
    double value_rate, value_rate_end;
    double purple, past; /* shares of games against those opponents; the rest is self-play */
};

enum { GEIST_GAMES = 500000, GEIST_VALUE_GAMES = 200000 }; /* of our own recipe */
extern const struct geist_recipe geist_recipe_own;

/* Counts over the games since the tally was last cleared; results of the learner: won, drawn, lost. */
struct geist_tally {
    uint64_t games, plies, drawn, purple[3], past[3];
    uint64_t positions;
    double surprise[VALUE_HEADS]; /* sum of squared errors */
};

enum { GEIST_PAST_MAX = 12, GEIST_PLIES = 200 };

struct geist_learn {
    struct geist_recipe recipe;
    uint64_t seed;
    int done; /* games of both kinds so far */
    int past_count;
    struct geist_tally tally;
    struct purple *purple;
    struct policy_weights now, past[GEIST_PAST_MAX]; /* `value` stays empty */
    struct geist_weights weights;
    struct learn_slope slope;
    int note_count, board_count;
    struct learn_note notes[GEIST_PLIES];
    uint8_t note_sides[GEIST_PLIES];
    struct geist_board boards[GEIST_PLIES];
};

struct geist_learn *geist_learn_open(const struct geist_recipe *recipe, uint64_t seed, struct err *e);
void geist_learn_close(struct geist_learn *learn);

/* Plays the next games, at most that many, and learns from them; false: none are left. The policy's games
 * come first, then those of the values. */
bool geist_learn_go(struct geist_learn *learn, int games);

#endif
