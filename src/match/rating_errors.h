/* SPDX-License-Identifier: MIT
 *
 * Private to ratings: how far the estimates of a fitted model may be off.
 */
#ifndef MATCH_RATING_ERRORS_H
#define MATCH_RATING_ERRORS_H

#include "match/rating_model.h"

/* Variances in squared log odds, each in two versions: what the model expects, and what the games show. */
struct rating_errors {
    double *players[2]; /* players x players: covariances of strengths relative to their mean */
    double *sides[2];   /* maps */
};

enum { RATING_EXPECTED, RATING_SHOWN, RATING_VERSIONS };

bool rating_errors_compute(const struct rating_model *model, struct rating_errors *out, struct err *e);
void rating_errors_done(struct rating_errors *errors);

#endif
