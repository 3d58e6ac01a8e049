/* SPDX-License-Identifier: MIT
 *
 * The parts of `senjutsu bench` that measure searches (bench_searches.c).
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "base/err.h"

struct json_t;

/* Measures every searching player for `seconds` each and prints the lines, or, with `json`, appends objects
 * to that array. False and a sentence when a map or player cannot be loaded; Ctrl-C ends it early. */
bool bench_searches(double seconds, struct json_t *json, struct err *e);

/* Playouts, searches and the exact solver on a synthetic tree; likewise. */
bool bench_hidden(double seconds, struct json_t *json, struct err *e);

/* Playouts, searches and the policy of Geister; likewise. */
bool bench_geister(double seconds, struct json_t *json, struct err *e);

#endif
