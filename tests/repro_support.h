/* SPDX-License-Identifier: MIT
 *
 * What the tests of published experiments share: a folder of their own, and whole files.
 */
#ifndef TESTS_REPRO_SUPPORT_H
#define TESTS_REPRO_SUPPORT_H

#include "base/text.h"

#include <stdbool.h>

extern char repro_folder[]; /* made and removed by the two functions below */

int repro_make_folder(void **state);
int repro_drop_folder(void **state);

/* A name in the folder; good until the fourth call after it. */
const char *repro_path(const char *name);

/* Both fail the test when it cannot be done. */
void repro_read(const char *path, struct text *out);
void repro_write(const char *path, const char *bytes, size_t size);

bool repro_is_near(double a, double b, double tolerance);

/* Properties of the result of any experiment: intervals around the values, different labels that were not cut
 * off, and plots with finite data. */
struct repro_result;
void repro_check_result(const struct repro_result *r);

struct repro_experiment;
struct repro_unit;

/* The plan of so many repetitions, in the order of a run; at most `most` units, or the test fails. A smaller
 * plan is the beginning of a larger one where no cell has `one_in`. */
int repro_plan_units(const struct repro_experiment *experiment, int each, struct repro_unit *units, int most);

#endif
