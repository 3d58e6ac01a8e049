/* SPDX-License-Identifier: MIT
 *
 * What other parts of the workbench want of jobs.
 */
#ifndef SERVE_JOBS_H
#define SERVE_JOBS_H

#include "serve/inside.h"

/* The newest finished run of a published experiment: {"job": id, "finished": date, "summary": sentence}, a
 * new value; NULL when there is none. With the lock held. */
json_t *jobs_last_result(struct workbench *bench, const char *experiment);

#endif
