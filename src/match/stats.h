/* SPDX-License-Identifier: MIT
 *
 * Counts of results and what may be concluded from them. docs/statistics.md explains every number.
 */
#ifndef MATCH_STATS_H
#define MATCH_STATS_H

struct tally {
    int wins, draws, losses;
};

int tally_games(const struct tally *t);

/* 1 a win, 1/2 a draw. */
double tally_points(const struct tally *t);

/* Points per game: 1 a win, 1/2 a draw. 0.5 while there are no games. */
double tally_score(const struct tally *t);

/* Counts one more game: a payoff above 1/2 is a win, below it a loss. */
void tally_add(struct tally *t, double payoff);

struct interval {
    double low, high;
};

/* Wilson's score interval for the mean of `n` observations in 0..1 with mean `p`, at `z` standard errors.
 * With draws as halves the true interval is narrower: the binomial variance is the largest there is. */
struct interval stats_wilson(double p, int n, double z);

#define STATS_Z95 1.959963984540054

/* The standard normal distribution: the probability of a value below z. */
double stats_normal(double z);

/* Its inverse, for 0 < p < 1. */
double stats_normal_quantile(double p);

/* 97.5 % point of Student's t; degrees >= 1. */
double stats_student(int degrees);

/* The probability that the true value of a normal estimate is above 0, kept within (0, 1): nothing is
 * certain. An error of 0 with a difference of 0 gives 1/2. */
double stats_superiority(double difference, double standard_error);

#endif
