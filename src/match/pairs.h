/* SPDX-License-Identifier: MIT
 *
 * Mirrored pairs: the same two players on the same map, once from each side. What a map gives to one side it
 * gives to both players once, so the score of a pair varies less than that of two games on unbalanced maps,
 * and the five counts of pair scores (pentanomial) hold all there is to know.
 */
#ifndef MATCH_PAIRS_H
#define MATCH_PAIRS_H

#include <stdbool.h>

enum { PAIRS_SCORES = 5, PAIRS_SINGLE_SCORES = 3 };

struct pairs {
    int counts[PAIRS_SCORES];         /* pairs with 0, 0.5, 1, 1.5 and 2 points */
    int singles[PAIRS_SINGLE_SCORES]; /* games without a partner, with 0, 0.5 and 1 point */
};

/* Points of the player whose view this is. */
void pairs_add(struct pairs *p, double first, double second);
void pairs_add_single(struct pairs *p, double payoff);

int pairs_count(const struct pairs *p); /* pairs alone */
int pairs_singles(const struct pairs *p);
int pairs_games(const struct pairs *p);

/* Points a game; 0.5 while there are no games. */
double pairs_score(const struct pairs *p);

/* The variance of that mean, from the spread of pairs (and single games) around it; 0 while there are fewer
 * than two of them, and 0 when all are alike: whoever needs an error bar must not take that for certainty. */
double pairs_variance(const struct pairs *p);

/* Games that come in order, those of a pair one after the other: the first waits for the second. */
struct pairs_stream {
    struct pairs pairs;
    bool is_waiting;
    double waiting; /* the payoff of the pair's first game */
};

void pairs_stream_add(struct pairs_stream *s, double payoff, bool paired);

/* All games so far; one that waits counts as single. */
struct pairs pairs_stream_all(const struct pairs_stream *s);

#endif
