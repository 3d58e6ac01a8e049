/* SPDX-License-Identifier: MIT
 *
 * The parts of `senjutsu bench` that measure searches (bench_searches.c).
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "base/err.h"

struct json_t;

/* Measures every searching player for `seconds` each and prints a line per player, or appends objects to
 * the array `json`. False with a reason when a map or player cannot be loaded; Ctrl-C ends it early. */
bool bench_searches(double seconds, struct json_t *json, struct err *e);

/* Measures playouts, searches and the exact solver on a synthetic tree; `json` is an object. */
bool bench_hidden(double seconds, struct json_t *json, struct err *e);

/* Measures playouts, searches and the policy of Geister; `json` is an object. */
bool bench_geister(double seconds, struct json_t *json, struct err *e);

#endif
