/* SPDX-License-Identifier: MIT
 *
 * The workbench behind the page: live games, analyses, maps and jobs. It answers messages and works in the
 * background, without sockets. It calls the same functions as the command line.
 *
 * One lock guards everything that messages read. A handler holds it while it runs and never blocks;
 * background work holds it only to copy its input and to store its results.
 */
#ifndef SERVE_WORKBENCH_H
#define SERVE_WORKBENCH_H

#include "base/clock.h"
#include "net/message.h"

struct study;
struct workbench;

struct workbench_setup {
    /* Folders; the strings stay the caller's and live as long as the workbench. */
    const char *data; /* saved maps, games, jobs. Made if missing; nothing outside is written */
    const char *maps; /* our own maps: only read */
    int cores;        /* for jobs */
    bool programs;    /* may external programs be players? */
    bool idle;        /* nothing is done in the background (tests, fuzzing) */
    /* The workbench serves the participants of this study and nothing else (study_site.c): all other requests
     * find nothing. NULL: it is a workbench. Used with the lock held; the caller closes it afterwards. */
    struct study *study;
    const struct clock *clock;
    void (*date)(char *out, size_t out_size); /* now, ISO 8601 */
    /* Fills `out` with unguessable bytes, for ids and keys. */
    void (*secret)(void *out, size_t size);
    /* Reports a problem to the server's owner: a file cannot be written or read. May be NULL. */
    void (*warn)(const char *sentence);
};

/* Opens the data folder; unfinished jobs and games continue. NULL and a reason in `e` when the data folder
 * cannot be made or listed; then nothing is left running. Damaged files do not make it fail: they are left
 * alone and named in /api/about. The setup is copied, but not what it points to. */
struct workbench *workbench_open(const struct workbench_setup *setup, struct err *e);

/* Stops all work so that it can go on the next time. False when something could not be saved and is lost; it
 * was warned of. NULL is allowed. The caller has closed the web server before: no request runs or comes any
 * more. Waits for the threads of all tasks. */
bool workbench_close(struct workbench *bench);

/* A web server's `handle`; the context is the workbench. May be called on several threads at once; the lock
 * lets one handler run at a time. The answer is complete when this returns, except for `out->stream`, which
 * the web server reads later. */
void workbench_handle(void *bench, const struct message_in *in, struct message_out *out);

#endif
