/* SPDX-License-Identifier: MIT
 *
 * The part of `senjutsu bench` that measures searches.
 */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "base/err.h"

struct json_t;

/* Measures every searching player for `seconds` each and prints the lines, or, with `json`, appends objects
 * to that array. False and a sentence when a map or player cannot be loaded; Ctrl-C ends it early. */
bool bench_searches(double seconds, struct json_t *json, struct err *e);

#endif
