/* SPDX-License-Identifier: MIT
 *
 * What requests for jobs say. False after the answer was written. Private to src/serve/job*.c.
 */
#ifndef SERVE_JOB_PARAMS_H
#define SERVE_JOB_PARAMS_H

#include "serve/inside.h"

/* A number with or without a fraction. */
struct job_range {
    double low, high, fallback;
};
bool job_real(const json_t *params, const char *key, struct job_range range, double *number,
              struct message_out *out);

/* A player's spec that a page may name, canonical, or the usual one. */
struct job_role {
    const char *key, *usual;
};
bool job_player(struct workbench *bench, const json_t *params, struct job_role role, struct text *out,
                struct message_out *failure);

/* The sentence of a failure, for a job that finds out when it runs. */
void job_take_failure(const struct message_out *failure, struct err *e);

/* A list of at most `count_max` texts; json NULL when it is not there. */
bool job_texts(const json_t *params, const char *key, int count_max, const json_t **list,
               struct message_out *out);

#endif
