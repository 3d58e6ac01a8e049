/* SPDX-License-Identifier: MIT
 *
 * What many trials say about a map. Sums of whole numbers only, so the order of trials does not matter.
 */
#ifndef EVOLVE_JUDGEMENT_H
#define EVOLVE_JUDGEMENT_H

#include "evolve/trial.h"
#include "match/stats.h"

enum { JUDGEMENT_KILLS_MAX = 16 };

struct judgement {
    struct tally strong[2];   /* strong against weak, strong's results with red, with blue */
    struct tally peers;       /* strong against itself, red's results */
    long long turns, actions; /* over all games */
    int annihilated;          /* games that ended so */
    int forfeits;             /* games that a fault ended */
    /* Over all games: in how many did red, blue destroy that many (or, last, more) in its first turn? */
    int first_kills[2][JUDGEMENT_KILLS_MAX + 1];
    int attacked[TRIAL_MASK_UNITS]; /* in how many games did this unit attack? */
};

void judgement_add(struct judgement *j, const struct trial *trial);
void judgement_sum(struct judgement *into, const struct judgement *more);

int judgement_games(const struct judgement *j);
int judgement_contests(const struct judgement *j); /* strong against weak */

/* Strong's wins and half its draws against weak: the w of the published fitness. */
double judgement_points(const struct judgement *j);

/* A number in 0 … 1 with its 95% interval. Without games: 0.5, 0 … 1.
 *
 * Of one tally the interval is Wilson's. A mean of two tallies has the mean of their scores, and the
 * distances from each score to the ends of its Wilson interval are added as squares, below and above by
 * themselves (Newcombe 1998 does so for differences): so the two may have different numbers of games, and two
 * sides that are each nearly certain, but of different things, do not look uncertain. The intervals are taken
 * with Student's quantile for games - 2 instead of the normal one; with that ten games, five a side, hold the
 * truth in 94 to 98 of 100 cases at strengths of 0.5, 0.8 and 0.95. */
struct share {
    double value;
    struct interval interval;
    int games;
};

struct share judgement_strong_with(const struct judgement *j, int side);
/* Both sides weigh the same, also when one has more games; one without games is at 0.5, 0 … 1. */
struct share judgement_strength(const struct judgement *j);

/* Red's score when both are equally strong. Without games of peers, from the contests: the mean of what
 * strong and weak score with red. */
struct share judgement_red(const struct judgement *j);
struct share judgement_decisive(const struct judgement *j); /* games that were not drawn */
double judgement_turns(const struct judgement *j);          /* a game */

/* In which share of games did `side` destroy at least that many enemies in its first turn? 0 without games.
 */
double judgement_first_kills(const struct judgement *j, int side, int at_least);
double judgement_first_kills_mean(const struct judgement *j, int side);

/* max(1, w - 0.4 games)^3: with 10 games the published max(1, w - 4)^3, from 1 to 216. */
double judgement_fitness(double points, int games);

#endif
