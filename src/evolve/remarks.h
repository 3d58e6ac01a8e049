/* SPDX-License-Identifier: MIT
 *
 * What is odd about a map, in words a designer understands. Made by rule from looks and judgement.
 */
#ifndef EVOLVE_REMARKS_H
#define EVOLVE_REMARKS_H

#include "evolve/judgement.h"
#include "evolve/looks.h"

enum { REMARKS_MAX = 24, REMARK_TEXT_MAX = 200 };

enum remark_weight { REMARK_GOOD, REMARK_NOTE, REMARK_FAULT };

struct remark {
    enum remark_weight weight;
    char text[REMARK_TEXT_MAX]; /* a sentence without its full stop */
};

struct remarks {
    int count;
    struct remark items[REMARKS_MAX]; /* faults first */
};

/* `judgement` may be empty: then only what can be seen without playing is said. */
void remarks_make(const struct tbs_map *map, const struct tbs_rules *rules, const struct judgement *judgement,
                  struct remarks *out);

/* "fair", "leans to red", "favours red strongly", "not clear yet (…)": from red's share between equals. */
const char *remarks_fairness(const struct share *red, double tolerance);
/* "strength tells", "strength hardly tells", …: from strong's share. */
const char *remarks_strength(const struct share *strong);

#endif
