/* SPDX-License-Identifier: MIT
 *
 * A workbench in a folder of its own, asked without a network.
 */
#ifndef TESTS_SERVED_SUPPORT_H
#define TESTS_SERVED_SUPPORT_H

#include "serve/workbench.h"
#include "tests/scratch_support.h"

#include <jansson.h>

struct served {
    struct workbench *bench;
    char root[SCRATCH_PATH_MAX]; /* the folder; the data is in ROOT/data */
    char data[80];
    bool idle, programs;
    int cores;
    const struct clock *clock; /* NULL: the system's */
};

/* Messages of the workbench to the server's owner since it was opened, a line each. */
extern char served_warned[16384];

/* Opens it (again) with what is in its folder; made by the first call. */
void served_open(struct served *served);
void served_close(struct served *served);  /* the folder stays */
void served_remove(struct served *served); /* closes, removes the folder */

/* Sends a request, and expects that status. The caller owns the answer; NULL when there is none (204) or it
 * is a stream. `body` may be NULL. A path may have a query behind a '?', which is not decoded. */
json_t *served_ask(struct served *served, enum message_method method, const char *path, const char *body,
                   int status);

/* The same with a failure: its message has these words in it, and it names this field (NULL: none). */
void served_fail(struct served *served, enum message_method method, const char *path, const char *body,
                 int status, const char *field, const char *words);

/* The whole answer, if it is not JSON; the caller frees it. */
struct message_out served_raw(struct served *served, enum message_method method, const char *path,
                              const char *body);

/* Requests `path` until its member "state" is another than "running"; NULL when that takes minutes. */
json_t *served_wait(struct served *served, const char *path);

/* How many files and folders there are below a folder. */
int served_count(const char *folder);

#endif
