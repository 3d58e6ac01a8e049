/* SPDX-License-Identifier: MIT
 *
 * What a person types to say which maps are wanted: weights of terrain, lists of unit types, a rule
 * set.
 */
#ifndef GAME_TBS_MAP_WORDS_H
#define GAME_TBS_MAP_WORDS_H

#include "base/err.h"
#include "game/tbs/rules.h"

/* "plain=60,wood=20,wall=5": each 0 … TBS_WEIGHT_MAX; terrain that is not named does not come. */
bool tbs_read_weights(const char *string, int weight[TBS_TERRAINS], struct err *e);

/* Names or letters with commas ("panzer,I"): bit i is set for type i. */
bool tbs_read_types(const char *string, unsigned *out, struct err *e);

/* The rule set of that name; NULL and a sentence with those that are known. */
const struct tbs_rules *tbs_read_rules(const char *name, struct err *e);

#endif
