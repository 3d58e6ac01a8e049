/* SPDX-License-Identifier: MIT
 *
 * For tests of games with chance: scenarios from specs, and measured means beside expected ones. What is
 * random is compared from fixed seeds: a measured value must lie within SUPPORT_ERRORS standard errors of the
 * expected one, which a right generator misses once in 10,000 comparisons, and these seeds never.
 */
#ifndef TESTS_GAME_SUPPORT_H
#define TESTS_GAME_SUPPORT_H

#include "game/game.h"

#define SUPPORT_ERRORS 4.0

union support_state {
    max_align_t align;
    unsigned char bytes[GAME_STATE_MAX];
};

/* An input text and its result: the text that is written back, or the error message. */
struct support_case {
    const char *input, *expected;
};

/* Fails the test when it cannot be loaded. */
struct scenario *support_load(const char *spec);
/* The state is written so. */
void support_expect_text(const struct scenario *scenario, const union support_state *s, const char *expected);

/* Every input is refused as a state, with its sentence. */
void support_refuse_states(const struct scenario *scenario, const struct support_case *cases, size_t count);

/* game_check of so many random games. */
void support_check_laws(const char *spec, int games);

/* ---- means ---- */

struct support_mean {
    double count, sum, squares;
};

void support_mean_add(struct support_mean *m, double x);
void support_expect_mean(const char *what, const struct support_mean *m, double expected);

/* ---- correlations ---- */

struct support_pairs {
    double count, x, y, xx, yy, xy;
};

void support_pairs_add(struct support_pairs *p, double x, double y);

/* Of independent pairs Pearson's correlation is about normal with deviation 1 / sqrt(count). */
void support_expect_uncorrelated(const char *what, const struct support_pairs *p);

#endif
