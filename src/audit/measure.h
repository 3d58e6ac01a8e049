/* SPDX-License-Identifier: MIT
 *
 * The three properties by which Long, Sturtevant, Buro and Furtak (AAAI 2010) predict how well a search over
 * worlds plays a game: leaf correlation, bias, disambiguation factor. They are defined on synthetic trees; as
 * in that paper they are estimated here for any game from random play.
 *
 * A *family* is the end of a random game: all actions that end the game in the position of its last decision,
 * if there are at least two (an action with chance counts if every outcome ends the game, with their mean
 * payoff). A game gives one family or none, so games are independent observations.
 *
 * - Leaf correlation: the share of families whose payoffs are all equal. In a game with more than two payoffs
 *   also the share whose winners are all equal (payoff above, at or below a half), and the share *beyond
 *   chance*: (share - e) / (1 - e), e being the share that would be equal if each leaf had the payoff of a
 *   random leaf. Synthetic trees with uncorrelated siblings drawn independently return their parameter there.
 * - Bias: the first side's mean payoff over the families whose payoffs (winners) are all equal.
 * - Disambiguation factor: each time a side is to move, its information set is compared with the one at its
 *   last move (or at the start of the game, for the side that does not move first). Sets of 2^a that become
 *   2^b have been halved a - b times, and b > 0 means that one attempt more has failed; the factor is the
 *   share of successful attempts, over all moves of random play. It is 0 when nothing is learned, 1 when
 *   everything is, and the maximum-likelihood estimate of the parameter on synthetic trees. Steps at which a
 *   set has become larger (by a hidden action) are not counted.
 */
#ifndef AUDIT_MEASURE_H
#define AUDIT_MEASURE_H

#include "game/game.h"
#include "match/statistics.h"

#include <stdatomic.h>

enum { MEASURE_GAMES_MAX = 100000000, MEASURE_LAST_MAX = 100000 };

struct measure_task {
    const struct scenario *scenario;
    int games;
    int last; /* of the disambiguation factor: only the last so many decisions of each game; 0: all */
    uint64_t seed;
    int workers;                                     /* the result is the same for any number */
    const atomic_bool *stop;                         /* may be NULL */
    void (*on_progress)(void *context, double done); /* 0 … 1; may be NULL */
    void *context;
};

/* A number within 0 … 1 (beyond chance: at most 1) with its 95 % interval, which lies within the same bounds.
 * Not known where `games` is 0: no random game has a family, or nothing is hidden. */
struct measure_figure {
    int games; /* that contribute */
    double value;
    struct interval t95;
};

/* Readings of "the same payoff". */
enum measure_reading { MEASURE_PAYOFF, MEASURE_WINNER, MEASURE_READINGS };

struct measure_report {
    int games; /* done; fewer than asked for after a stop */
    bool stopped;
    struct measure_figure correlation[MEASURE_READINGS], bias[MEASURE_READINGS];
    struct measure_figure beyond_chance; /* of equal payoffs; not known with too many different payoffs */
    struct measure_figure disambiguation;
    struct measure_figure payoff; /* the first side's mean over all random games, 0 … 1 */
    struct measure_figure family; /* share of games that end in a family */
    bool has_grades;              /* payoffs other than 0, a half and 1 were seen */
    bool hides;                   /* the game has hidden information; if not, the factor is 1 by definition */
    double decisions, actions;    /* of a game; of a decision */
};

/* False only when the workers cannot begin. Nothing is left to be freed. */
bool measure_game(const struct measure_task *task, struct measure_report *out, struct err *e);

#endif
