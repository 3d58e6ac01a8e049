/* SPDX-License-Identifier: MIT
 *
 * How far a run is, for whoever shows it: counted along with trials and generations.
 */
#ifndef EVOLVE_PROGRESS_H
#define EVOLVE_PROGRESS_H

#include "evolve/evolution.h"

struct evolution_progress {
    const struct plan *plan;
    int trials, recalled;
    struct generation last; /* number is -1 before the first */
    bool ending;            /* no more generations */
    bool finals;            /* the archive's best were judged again; what comes is verification */
    int shown;              /* maps to be verified, as far as is known */
};

void evolution_progress_init(struct evolution_progress *progress, const struct plan *plan);

/* An evaluator has had one more trial. */
void evolution_progress_trial(struct evolution_progress *progress, bool recalled);

/* An evolution's on_generation: false when it is no new generation but verification. */
bool evolution_progress_generation(struct evolution_progress *progress, const struct evolution *ev);

/* Trials of the whole run at most; 0: not known. */
double evolution_progress_planned(const struct evolution_progress *progress);

/* Of them, those of verification. */
double evolution_progress_fresh(const struct evolution_progress *progress);

/* "birth", "generation 3 of 20", "judging the best again", "verifying". */
void evolution_progress_stage(const struct evolution_progress *progress, struct text *out);

#endif
