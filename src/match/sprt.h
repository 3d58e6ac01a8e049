/* SPDX-License-Identifier: MIT
 *
 * Wald's sequential test between two differences of strength, on the counts of mirrored pairs: play until one
 * of the two hypotheses may be accepted. The log-likelihood ratio is the generalised one: each hypothesis
 * fixes only the expected score, and the rest of the distribution is the most likely one with that score (M.
 * Van den Bergh, hardy.uhasselt.be/Fishtest/support_MLE_multinomial.pdf, proposition 1.1; the maximum is
 * exact, not a normal approximation).
 */
#ifndef MATCH_SPRT_H
#define MATCH_SPRT_H

#include "base/err.h"
#include "match/statistics.h"

struct sprt {
    double elo0, elo1; /* H0: the difference is elo0; H1: it is elo1 > elo0 */
    double alpha;      /* how often H1 may be accepted although H0 is true */
    double beta;       /* how often H0 may be accepted although H1 is true */
};

/* Reads "ELO0,ELO1" into elo0 and elo1. */
bool sprt_read(const char *string, struct sprt *out, struct err *e);

/* Are the numbers those of a test? Elo within -1000..1000, elo0 < elo1, alpha and beta above 0 and below 1/2.
 */
bool sprt_check(const struct sprt *sprt, struct err *e);

/* H0 is accepted at or below the lower bound, H1 at or above the upper one. */
double sprt_lower(const struct sprt *sprt); /* ln(beta / (1 - alpha)) */
double sprt_upper(const struct sprt *sprt); /* ln((1 - beta) / alpha) */

/* The log-likelihood ratio of H1 to H0. Single games count as well as pairs do, a trinomial beside the
 * pentanomial; each possible score has 0.001 virtual observations, so that none is impossible. */
double sprt_ratio(const struct sprt *sprt, const struct pairs *p);

enum sprt_verdict { SPRT_UNDECIDED, SPRT_H0, SPRT_H1 };

enum sprt_verdict sprt_decide(const struct sprt *sprt, double ratio);

#endif
