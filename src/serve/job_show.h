/* SPDX-License-Identifier: MIT
 *
 * Jobs as JSON, and to those who listen. Private to src/serve/job*.c; with the lock held.
 */
#ifndef SERVE_JOB_SHOW_H
#define SERVE_JOB_SHOW_H

#include "serve/job.h"

const char *job_state_name(enum job_state state);
json_t *job_info_json(const struct job *job);
json_t *jobs_list_json(const struct jobs *jobs); /* newest first */

/* The whole of it on one line; reads the result when it has not been read yet. */
void job_write(struct job *job, struct text *out);

/* Something has changed but for progress: to who listens to it, and (its state) to who listens to the list.
 */
void job_tell(struct job *job);
void jobs_tell(struct jobs *jobs);
void job_tell_progress(struct job *job);

/* The stream ends: it is done, or removed. */
void job_tell_end(struct job *job);

/* Somebody wants to listen: a held topic that begins with a whole picture; NULL when memory ran out. */
struct topic *job_listen(struct job *job);

#endif
