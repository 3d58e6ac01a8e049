/* SPDX-License-Identifier: MIT
 *
 * Counts of results and what may be concluded from them.
 */
#ifndef MATCH_STATS_H
#define MATCH_STATS_H

struct tally {
    int wins, draws, losses;
};

int tally_games(const struct tally *t);

/* Points per game: 1 a win, 1/2 a draw. 0.5 while there are no games. */
double tally_score(const struct tally *t);

struct interval {
    double low, high;
};

/* Wilson's score interval for the mean of `n` observations in 0..1 with mean `p`, at `z` standard errors.
 * With draws as halves the true interval is narrower: the binomial variance is the largest there is. */
struct interval stats_wilson(double p, int n, double z);

#define STATS_Z95 1.959963984540054

#endif
