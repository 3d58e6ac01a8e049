/* SPDX-License-Identifier: MIT
 *
 * What the figures on synthetic trees claim, each claim with the rule that decides it. A claim is the paper's
 * text as far as it survives. Where a word of it cannot be read the finding says that it is a reading.
 */
#ifndef REPRO_SYNTH_CLAIMS_H
#define REPRO_SYNTH_CLAIMS_H

#include "repro/synth.h"

/* Ten cells, AMCTS against one opponent for df 0.1 … 1.0, and in what they differ from others of the
 * experiment: as their labels go on after the df (", 0.01 s"), or "". */
struct synth_series {
    int first;
    const char *setting, *opponent;
};

/* ---- rows ---- */

void synth_add_payoffs(const struct repro_data *data, struct repro_result *out, const struct synth_series *s);
void synth_add_costs(const struct repro_data *data, struct repro_result *out, const struct synth_series *s);

/* ---- claims: small df are 0.1 to 0.5, large ones 0.6 to 1.0 ---- */

enum synth_claim {
    SYNTH_BETTER,          /* the interval over all df is above 2.00, and at no df below */
    SYNTH_EQUAL,           /* each mean is within 0.05 of 2.00 */
    SYNTH_NOT_ABOVE,       /* at no df is the interval above 2.00 */
    SYNTH_WITHIN_AXIS,     /* each mean is within what the surviving axes show */
    SYNTH_FALLS,           /* less time at df 1.0 than at 0.1, and at no step of df more leaves */
    SYNTH_LONGER,          /* more time than the opponent at every df */
    SYNTH_CHEAPER,         /* less time than the opponent at every df */
    SYNTH_BETTER_AT_LARGE, /* the interval over large df is above 2.00 */
    SYNTH_BEHIND_AT_SMALL, /* the interval over small df is below 2.00 */
    SYNTH_CLAIMS
};

void synth_add_claim(const struct repro_data *data, struct repro_result *out, const struct synth_series *s,
                     enum synth_claim claim);

/* More at large df than other cells (five, the same df and deals), by the interval of the difference. */
void synth_claim_more_than(const struct repro_data *data, struct repro_result *out,
                           const struct synth_series *s, int others);

/* ---- pictures ---- */

void synth_draw_payoffs(const struct repro_data *data, struct repro_result *out, const char *suffix,
                        const char *title, const struct synth_series *s);

/* Two: time and leaves. */
void synth_draw_costs(const struct repro_data *data, struct repro_result *out, const char *suffix,
                      const char *title, const struct synth_series *s);

#endif
