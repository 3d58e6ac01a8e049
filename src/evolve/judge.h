/* SPDX-License-Identifier: MIT
 *
 * Judging maps: game after game until the intervals are tight enough or the budget is used.
 */
#ifndef EVOLVE_JUDGE_H
#define EVOLVE_JUDGE_H

#include "evolve/evaluator.h"

struct judge_limits {
    double width;             /* intervals may be plus or minus this: 0.05, say */
    int games_min, games_max; /* a map: contests and games of peers together */
};

/* Who plays, how long and what is fair, unless somebody wishes otherwise. */
#define JUDGE_STRONG "muct:sims=250"
#define JUDGE_WEAK   "muct:sims=10"
#define JUDGE_LIMITS_USUAL                                                                                   \
    { .width = 0.05, .games_min = 120, .games_max = 2000 }
#define JUDGE_FAIR_USUAL 0.1

enum { JUDGE_BATCH = 20 }; /* games are asked for in multiples of it; results depend on it */

struct judge_subject {
    int id;
    const struct tbs_map *map;
    struct judgement judgement; /* grows */
    bool tight;                 /* both intervals are; otherwise the budget was used or it was stopped */
};

/* All maps at once, so that the workers have enough to do; a map that is tight waits for the others. Results
 * of one map do not depend on which others are judged with it. When it was stopped (*complete is false) each
 * judgement is what had been finished by then. */
bool judge_maps(struct evaluator *evaluator, const struct judge_limits *limits, struct judge_subject *maps,
                int count, bool *complete, struct err *e);

/* A map is known by what is played on it, so that neither its place in a list nor its name changes its games.
 */
int judge_id(const struct tbs_map *map, const struct tbs_rules *rules, const char *strong, const char *weak);

/* Everything that was measured on a map, as members of one object; NULL when memory ran out. */
struct json_t;
struct json_t *judge_judgement_json(const struct judgement *j);

/* That, its looks, remarks and verdicts; `fair` is how far from a half red's score may be on a fair map. */
struct json_t *judge_json(const struct judge_subject *subject, const struct tbs_rules *rules, double fair);

/* ---- the parts, also for tests ---- */

/* Half the width of the interval. */
double judge_margin(const struct share *share);

/* Are strength and red's score between equals both known to limits->width? Never before games_min. */
bool judge_is_tight(const struct judgement *j, const struct judge_limits *limits);

/* How many games to play before the next look at the intervals: contests (an even number, half from each
 * side) and games of peers. Both 0: that was it, it is tight or the budget is used. */
struct judge_wish {
    int contests, peers;
};
struct judge_wish judge_next(const struct judgement *j, const struct judge_limits *limits);

#endif
