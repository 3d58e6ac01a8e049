/* SPDX-License-Identifier: MIT
 *
 * What games say about a map. A judgement sums up many games (in whole numbers, so the order of games does
 * not matter). Judging a map plays as many games as its intervals need. Remarks for the map's designer are
 * made by rule from static features and judgement; one about a share of games appears only when the 95%
 * interval supports it.
 */
#ifndef EVOLVE_JUDGE_H
#define EVOLVE_JUDGE_H

#include "evolve/evaluator.h"
#include "evolve/genome.h"
#include "match/statistics.h"

struct json_t;

enum { JUDGEMENT_KILLS_MAX = 16 };

struct judgement {
    struct tally strong[2];   /* strong against weak, strong's results with red, with blue */
    struct tally peers;       /* strong against itself, red's results */
    long long turns, actions; /* over all games */
    int annihilated;          /* games that ended so */
    int forfeits;             /* games that a fault ended */
    /* Games in which red, blue destroyed that many units (last: or more) in its first turn. */
    int first_kills[2][JUDGEMENT_KILLS_MAX + 1];
    int attacked[SAMPLE_MASK_UNITS]; /* games in which this unit attacked */
};

void judgement_add(struct judgement *j, const struct sample_game *sample);

int judgement_games(const struct judgement *j);
int judgement_games_of(const struct judgement *j, enum sample_kind kind);
int judgement_contests(const struct judgement *j); /* strong against weak */

/* Strong's wins and half its draws against weak: the w of the published fitness. */
double judgement_points(const struct judgement *j);

/* A number in 0 … 1 with its 95% interval. Without games: 0.5, 0 … 1.
 *
 * Of one tally the interval is Wilson's. Of the mean of two tallies it is constructed in the same way: it
 * holds every mean from which the observed one is at most z standard errors away, with the standard error
 * that belongs to that mean. With equally many games from sides that score alike this is Wilson's interval
 * of all games together. A difference of the sides beyond chance makes it narrower: two nearly certain
 * scores have a nearly certain mean, even if they differ. z is Student's quantile for games - 2.
 *
 * Coverage, for 10 to 400 games, half from each side, and true scores from 0.5 to 1: at least 93 % for 98
 * of 100 pairs of scores, and always more than 90 %. The exceptions are scores near 1 in few games, where
 * only few outcomes are possible. */
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

/* The share of games in which `side` destroyed at least that many enemies in its first turn. 0 without
 * games. */
double judgement_first_kills(const struct judgement *j, int side, int at_least);
double judgement_first_kills_mean(const struct judgement *j, int side);

/* max(1, w - 0.4 games)^3: with 10 games the published max(1, w - 4)^3, from 1 to 216. */
double judgement_fitness(double points, int games);

/* ---- judging: game after game until the intervals are narrow enough or the budget is used ---- */

struct judge_limits {
    double width;             /* half the width of the intervals that is enough, 0.05 for example */
    int games_min, games_max; /* a map: contests and games of peers together */
};

/* The default players. */
#define JUDGE_STRONG "muct:sims=250"
#define JUDGE_WEAK   "muct:sims=10"

/* The options of judging: of `map judge`, and of a job of the page. */
struct judge_options {
    const char *strong, *weak, *rules;
    struct judge_limits limits;
    double fair; /* how far from a half red's score may be on a fair map */
    uint64_t seed;
};
extern const struct param judge_params[];

/* A limit of games below the default minimum lowers the minimum, unless both were given: one number alone has
 * a meaning. False: the given ones contradict each other. */
bool judge_fit_limits(const struct params *given);

enum { JUDGE_BATCH = 20 }; /* games are asked for in multiples of it; results depend on it */

struct judge_subject {
    int id;
    const struct tbs_map *map;
    struct judgement judgement; /* grows */
    bool tight;                 /* both intervals are; otherwise the budget was used or it was stopped */
};

/* Judges all maps at once, so that the workers have enough to do; a map with narrow intervals waits for the
 * others. The results of one map do not depend on the other maps. When it was stopped (*complete is false)
 * each judgement has the games finished by then. */
bool judge_maps(struct evaluator *evaluator, const struct judge_limits *limits, struct judge_subject *maps,
                int count, bool *complete, struct err *e);

/* A map's id is a digest of what is played on it, so neither its place in a list nor its name changes its
 * games. */
int judge_id(const struct tbs_map *map, const struct tbs_rules *rules, const char *strong, const char *weak);

/* Everything that was measured on a map, as members of one object; NULL when memory ran out. */
struct json_t *judge_judgement_json(const struct judgement *j);

/* The judgement with static features, remarks and verdicts; `fair` is how far from a half red's score may
 * be on a fair map. */
struct json_t *judge_json(const struct judge_subject *subject, const struct tbs_rules *rules, double fair);

/* Half the width of the interval. */
double judge_margin(const struct share *share);

/* ---- remarks and verdicts ---- */

enum { REMARKS_MAX = 24, REMARK_TEXT_MAX = 200, REMARK_CELLS_MAX = 4 };

enum remark_weight { REMARK_GOOD, REMARK_NOTE, REMARK_FAULT };

struct remark {
    enum remark_weight weight;
    char text[REMARK_TEXT_MAX]; /* a sentence without its full stop */
    struct msg msg;
    int cell_count; /* of the cells that it is about */
    uint8_t cells[REMARK_CELLS_MAX][2];
};

struct remarks {
    int count;
    struct remark items[REMARKS_MAX]; /* faults, then notes, then what is good; the last are left out first */
};

/* `judgement` may be empty: then there are only remarks about static features. */
void remarks_make(const struct tbs_map *map, const struct tbs_rules *rules, const struct judgement *judgement,
                  struct remarks *out);

/* From red's share between equals, with its interval, and what counts as even:
 *   "fair"                        the interval lies within 0.5 ± tolerance
 *   "about fair"                  the share does, and the interval within twice that
 *   "favours red strongly"        the interval lies beyond 0.5 + 2 tolerances
 *   "favours red"                 it lies beyond 0.5 + tolerance
 *   "leans to red"                it lies beyond 0.5
 *   "not clear yet whether it is fair"   otherwise
 *   "fairness not measured"       no games
 * and the same with blue. */
const char *remarks_fairness(const struct share *red, double tolerance);

/* From strong's share against weak:
 *   "strength decides"            the interval lies above 0.8
 *   "strength tells"              above 0.6
 *   "strength tells a little"     above 0.5
 *   "the weaker player is better off"   below 0.5
 *   "strength hardly tells"       below 0.6
 *   "not clear yet whether strength tells"   otherwise
 *   "strength not measured"       no games */
const char *remarks_strength(const struct share *strong);

/* An array of objects with weight, text, code, args and cells. */
struct json_t *remarks_json(const struct remarks *remarks);

#endif
