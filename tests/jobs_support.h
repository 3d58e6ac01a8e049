/* SPDX-License-Identifier: MIT
 *
 * Jobs of a workbench as tests use them: begun, awaited, compared.
 */
#ifndef TESTS_JOBS_SUPPORT_H
#define TESTS_JOBS_SUPPORT_H

#include "tests/sample.h"
#include "tests/served_support.h"

#include "serve/inside.h"

/* Requests for jobs: two that are done in a moment, one that can be stopped in the middle and then goes on to
 * its end, and one that takes minutes on any machine. The experiment measures no times: figures and findings
 * are the same in every run. */
extern const char small_match[], small_repro[], long_event[], endless_event[];

/* How many games the long one has, and the experiment, and simulations a decision in the endless one. A
 * sanitizer makes each of them take several times as long. */
#if IS_SANITIZED
#define LONG_GAMES   20
#define REPRO_TRIALS "1"
#define ENDLESS_SIMS "500"
#else
#define LONG_GAMES   90
#define REPRO_TRIALS "3"
#define ENDLESS_SIMS "4000"
#endif
#define ENDLESS_GAMES 900

/* A set-up and a tear-down: the test's state is a struct served. */
int open_jobs(void **state);
int close_jobs(void **state);

/* ---- requests ---- */

/* "/api/jobs/ID" and the rest behind it. */
void path_of(const char *id, const char *rest, char out[256]);

/* Begins one; its id is stored in `id`. */
void start(struct served *served, const char *body, char id[SERVE_ID_MAX]);
json_t *ask(struct served *served, const char *id, const char *rest);
void post(struct served *served, const char *id, const char *verb, int status);

/* The whole job, once it is in that state. */
json_t *await(struct served *served, const char *id, const char *state);

/* Begins one and waits until it is done. */
json_t *finish(struct served *served, const char *body, char id[SERVE_ID_MAX]);

/* Until something was done, but not all of it. */
void await_some(struct served *served, const char *id);
void pause_shortly(void);

/* ---- answers ---- */

/* A member that must be there. */
const char *text_of(const json_t *object, const char *key);
bool is_at_rest(const json_t *job); /* neither waits nor runs */
bool has_file(const json_t *job, const char *name);

/* Takes the result out, without what differs from run to run. */
json_t *result_of(json_t *job, const char *unlike);

/* The same values? Numbers are printed with different precisions. */
bool is_same(const json_t *a, const json_t *b);

#endif
