/* SPDX-License-Identifier: MIT
 *
 * What many trials say about a map. Sums of whole numbers only, so the order of trials does not matter.
 */
#ifndef EVOLVE_JUDGEMENT_H
#define EVOLVE_JUDGEMENT_H

#include "evolve/trial.h"
#include "match/statistics.h"

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
int judgement_games_of(const struct judgement *j, enum trial_kind kind);
int judgement_contests(const struct judgement *j); /* strong against weak */

/* Strong's wins and half its draws against weak: the w of the published fitness. */
double judgement_points(const struct judgement *j);

/* A number in 0 … 1 with its 95% interval. Without games: 0.5, 0 … 1.
 *
 * Of one tally the interval is Wilson's. Of the mean of two tallies it is Wilson's too, in this sense: it
 * holds every mean from which what was seen is at most so many standard errors away, these as they would be
 * for that mean. With equally many games from sides that score alike that is Wilson's interval of all games
 * together; what the sides differ by beyond chance makes it narrower, as two sides that are each nearly
 * certain, but of different things, are not uncertain. The standard errors are counted with Student's
 * quantile for games - 2. For 10 to 400 games, half from each side, the interval holds the truth in at least
 * 93 of 100 cases for 98 of 100 pairs of true scores from 0.5 to 1, and always in more than 90: the
 * exceptions are scores near 1 in few games, where only few outcomes are possible. */
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
