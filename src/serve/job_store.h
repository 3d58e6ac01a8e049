/* SPDX-License-Identifier: MIT
 *
 * A job's folder, data/jobs/ID, which has
 *
 *     job.json     what it is and how far, written at every change of state
 *     work.json    what it works on, whole: later changes of saved maps do not matter; and job.json as it was
 *                  when the job was made
 *     result.json  the result, as far as it is known
 *     games.db     its store, if it has one
 *     files/       what the page may fetch
 *
 * Private to src/serve/job*.c.
 */
#ifndef SERVE_JOB_STORE_H
#define SERVE_JOB_STORE_H

#include "serve/job.h"

enum { JOB_FILE_MAX = 64 << 20, JOB_FILES_MAX = 512 };

const struct job_kind *job_kind_find(const char *name); /* NULL: there is none */

/* "DATA/jobs/ID/name". */
bool job_path(const struct job *job, const char *name, char out[SERVE_PATH_MAX], struct err *e);
bool job_save(const struct job *job, struct err *e);

/* Reads job.json of a folder of that name; NULL and a reason. */
struct job *job_load(struct jobs *jobs, const char *id, struct err *e);
json_t *job_read_work(const struct job *job, struct err *e);
bool job_make_folder(const struct job *job, const json_t *work, struct err *e);

/* Removes data/jobs/ID with everything in it; symbolic links are not followed. */
bool job_remove_folder(const struct workbench *bench, const char *id, struct err *e);

/* Names of its files, sorted: "fitness.csv", "maps/12.tbsmap". */
json_t *job_files_json(const struct job *job);
bool job_has_file(const struct job *job, const char *name);

#endif
