/* SPDX-License-Identifier: MIT
 *
 * The statistics of results: wins and losses, mirrored pairs, mean payoffs, Elo differences, the length a
 * match needs, the sequential test, and ratings. docs/statistics.md explains every number.
 */
#ifndef MATCH_STATISTICS_H
#define MATCH_STATISTICS_H

#include "base/text.h"

#include <jansson.h>
#include <stdbool.h>

/* ---- wins, draws, losses ---- */

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

/* ---- distributions ---- */

struct interval {
    double low, high;
};

/* Wilson's score interval for the mean of `n` observations in 0..1 with mean `p`, at `z` standard errors.
 * With draws as halves the true interval is narrower: the binomial variance is the largest possible. */
struct interval stats_wilson(double p, double n, double z);

#define STATS_Z95 1.959963984540054

/* The standard normal distribution: the probability of a value below z. */
double stats_normal(double z);

/* Its inverse, for 0 < p < 1. */
double stats_normal_quantile(double p);

/* 97.5 % point of Student's t; degrees >= 1. */
double stats_student(int degrees);

/* The probability that the true value of a normal estimate is above 0, kept within (0, 1): no result is
 * certain. An error of 0 with a difference of 0 gives 1/2. */
double stats_superiority(double difference, double standard_error);

/* ---- mirrored pairs ----
 *
 * A pair is the same two players on the same map, once from each side. Both players get
 * the advantage of a map's better side once, so the score of a pair varies less than that of two games on
 * unbalanced maps, and the five counts of pair scores (pentanomial) are a sufficient summary. */

enum { PAIRS_SCORES = 5, PAIRS_SINGLE_SCORES = 3 };

struct pairs {
    int counts[PAIRS_SCORES];         /* pairs with 0, 0.5, 1, 1.5 and 2 points */
    int singles[PAIRS_SINGLE_SCORES]; /* games without a partner, with 0, 0.5 and 1 point */
};

/* Points are those of one of the two players, always the same. */
void pairs_add(struct pairs *p, double first, double second);
void pairs_add_single(struct pairs *p, double payoff);

int pairs_count(const struct pairs *p); /* pairs alone */
int pairs_singles(const struct pairs *p);
int pairs_games(const struct pairs *p);

/* Points a game; 0.5 while there are no games. */
double pairs_score(const struct pairs *p);

/* The variance of that mean, from the spread of pairs (and single games) around it; 0 while there are fewer
 * than two of them, and 0 when all are equal, which is no certainty: an error bar needs a prior (see
 * elo_estimate). */
double pairs_variance(const struct pairs *p);

/* Collects games that come in order, those of a pair one after the other. */
struct pairs_stream {
    struct pairs pairs;
    bool is_waiting;
    double waiting; /* the payoff of a pair's first game, until the second one comes */
};

void pairs_stream_add(struct pairs_stream *s, double payoff, bool paired);

/* All games so far; the first game of an unfinished pair counts as single. */
struct pairs pairs_stream_all(const struct pairs_stream *s);

/* ---- mean payoff ----
 *
 * For games with payoffs between win, draw and loss. One observation is a pair: the same deal once from each
 * side, so that neither the seat nor the luck of the deal favours a player. A one-sided match has no pairs;
 * there every game is one observation. */

struct payoffs {
    int count;      /* pairs, or games */
    double mean;    /* 0 … 1, of one of the players */
    double squares; /* of the distances from the mean, summed */
    bool is_waiting;
    double waiting; /* the payoff of a pair's first game, until the second one comes */
};

/* Games come in order, those of a pair one after the other. */
void payoffs_add(struct payoffs *p, double payoff, bool paired);

/* 95 % of Student's t around the mean, within 0 … 1; the whole range while there are fewer than two
 * observations. */
struct interval payoffs_interval(const struct payoffs *p);

/* ---- Elo differences ----
 *
 * Scores as differences of strength: the logistic curve on which 400 points are odds of ten to one. */

/* Elo points in one unit of log odds: 400 / ln 10. */
#define ELO_PER_LOGIT 173.71779276130073

/* The expected score of a player that is `elo` stronger. */
double elo_to_score(double elo);

/* Its inverse, for 0 < score < 1. */
double elo_from_score(double score);

struct elo_estimate {
    double elo;
    double error;       /* half the 95% interval, on the Elo scale */
    double superiority; /* the likelihood of being stronger, within (0, 1) */
};

/* Finite whatever the counts. The difference is the plain value of the curve; a side without any point is
 * treated as if it had a quarter of one. The error comes from the spread of pairs, to which one virtual pair
 * of two independent decided games is added, with a factor for few pairs (docs/statistics.md). Without games:
 * 0, with a very wide error. */
struct elo_estimate elo_estimate(const struct pairs *p);

/* ---- the length of a match ----
 *
 * How many games are needed to show a difference, and which difference a number of games can show. Games
 * count as independent, which is right on balanced maps and conservative on unbalanced ones (mirrored pairs
 * vary less). */

enum { NEEDED_GAMES_MAX = 1000000000 };

struct needed {
    double draws; /* the share of drawn games, 0 .. 0.99 */
    double alpha; /* the rate of false positives, 0 … 1 */
    double power; /* the rate at which a true difference is found, 0 … 1 */
    bool two_sided;
};

/* Games of a fixed-length match, rounded up to whole pairs. False when the difference is 0 or cannot occur
 * with that share of draws, or more than NEEDED_GAMES_MAX games would be needed. */
bool needed_games(const struct needed *needed, double elo, int *out, struct err *e);

/* The smallest difference that a match of `games` games shows with that power; false when none does. */
bool needed_elo(const struct needed *needed, int games, double *out, struct err *e);

/* Half of the 95% interval of the Elo difference after that many games between equals. */
double needed_error(const struct needed *needed, int games);

/* A sequential test of 0 against `elo` with the same errors (beta is 1 - power): the expected number of games
 * when the difference is 0, `elo`, or halfway, where the test takes longest (Wald 1945, without overshoot).
 */
struct needed_sequential {
    double if_none, if_there, halfway;
};

struct needed_sequential needed_sequential(const struct needed *needed, double elo);

/* ---- the sequential test ----
 *
 * Wald's sequential test between two differences of strength, on the counts of mirrored pairs: play until one
 * of the two hypotheses may be accepted. The log-likelihood ratio is the generalised one: each hypothesis
 * fixes only the expected score, and the rest of the distribution is the most likely one with that score (M.
 * Van den Bergh, hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1; the maximum is
 * exact, not a normal approximation). */

struct sprt {
    double elo0, elo1; /* H0: the difference is elo0; H1: it is elo1 > elo0 */
    double alpha;      /* how often H1 may be accepted although H0 is true */
    double beta;       /* how often H0 may be accepted although H1 is true */
};

/* Reads "ELO0,ELO1" into elo0 and elo1. */
bool sprt_read(const char *string, struct sprt *out, struct err *e);

/* Are the numbers those of a test? Elo within -1000..1000, elo0 < elo1, alpha and beta between 0 and 1/2. */
bool sprt_check(const struct sprt *sprt, struct err *e);

/* H0 is accepted at or below the lower bound, H1 at or above the upper one. */
double sprt_lower(const struct sprt *sprt); /* ln(beta / (1 - alpha)) */
double sprt_upper(const struct sprt *sprt); /* ln((1 - beta) / alpha) */

/* The log-likelihood ratio of H1 to H0. Single games count as well as pairs do, a trinomial beside the
 * pentanomial; each possible score has 0.001 virtual observations, so that none is impossible. */
double sprt_ratio(const struct sprt *sprt, const struct pairs *p);

enum sprt_verdict { SPRT_UNDECIDED, SPRT_H0, SPRT_H1 };

enum sprt_verdict sprt_decide(const struct sprt *sprt, double ratio);

/* ---- JSON ----
 *
 * The functions return new values, NULL when memory ran out. */

/* {"wins": [ours, theirs], "draws": …, "score": …, "interval": [low, high]}. */
json_t *statistics_tally_json(const struct tally *tally);

/* {"difference": …, "error": …, "interval": [low, high], "superiority": …}. */
json_t *statistics_elo_json(const struct pairs *pairs);

/* How many pairs had 0, 0.5, 1, 1.5 and 2 points. */
json_t *statistics_pairs_json(const struct pairs *pairs);

/* ---- ratings ----
 *
 * A Bradley-Terry fit in which a draw is half a win, with one more parameter a map for the advantage of the
 * first side there, so that unbalanced maps do not distort the ratings of the players that met on them.
 * Errors come from pairs of mirrored games. docs/statistics.md has the formulas. */

enum { RATING_PLAYERS_MAX = 256, RATING_MAPS_MAX = 1024 };

struct rating_game {
    int players[2]; /* by side */
    int map;
    int pair;      /* games of one pair have the same number, and the same map; -1: alone */
    double payoff; /* of side 0, from 0 to 1 */
};

struct rating {
    double elo;   /* the mean over all players is 0 */
    double error; /* half the 95% interval */
};

struct rating_side {   /* of one map */
    double elo, error; /* what it is worth there to be side 0 */
};

struct rating_fit {
    int player_count, map_count; /* up to RATING_PLAYERS_MAX and RATING_MAPS_MAX */
    struct rating *ratings;      /* the caller's; player_count of them */
    struct rating_side *sides;   /* the caller's; map_count of them; NULL: not computed */
    double *superiority;         /* the caller's; NULL, or player_count * player_count: the likelihood that
                                    the row is stronger than the column, within (0, 1); 1/2 for itself */
    bool connected; /* can all players be compared, directly or through others? If not, only the weak prior
                       relates the groups */
};

/* All numbers are finite for any games: none, one player, all won, players that
 * never met. The order of the games does not matter except for rounding. */
void rating_compute(const struct rating_game *games, int count, struct rating_fit *fit);

#endif
