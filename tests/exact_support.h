/* SPDX-License-Identifier: MIT
 *
 * What the tests of exact solutions share: a game written out and solved.
 */
#ifndef TESTS_EXACT_SUPPORT_H
#define TESTS_EXACT_SUPPORT_H

#include "exact/form.h"

struct solved {
    struct scenario *scenario; /* NULL: not ours */
    struct form form;
    double *strategy;
    struct cfr_result result;
};

/* All of them fail the test when it cannot be done. */
void solved_write_out(struct solved *s, const char *spec, uint64_t seed);
void solved_find(struct solved *s, double gap);
void solved_drop(struct solved *s);

bool is_near(double a, double b, double tolerance);

/* Do the probabilities of every set sum to 1? */
bool form_is_strategy(const struct form *form, const double *strategy);

#endif
