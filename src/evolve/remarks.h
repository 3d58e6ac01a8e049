/* SPDX-License-Identifier: MIT
 *
 * Remarks about a map for its designer, made by rule from static features and judgement. A remark about a
 * share of games appears only when the 95% interval supports it.
 */
#ifndef EVOLVE_REMARKS_H
#define EVOLVE_REMARKS_H

#include "evolve/judge.h"
#include "evolve/static_features.h"

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
struct json_t;
struct json_t *remarks_json(const struct remarks *remarks);

#endif
