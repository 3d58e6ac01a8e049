/* SPDX-License-Identifier: MIT
 *
 * The workbench behind the page: tables where games are played, analyses, maps, and jobs. It answers messages
 * and works in the background; it knows no sockets. Everything it does is done by the same functions that the
 * command line calls.
 *
 * One lock guards everything that messages look at: a handler has it while it runs and never waits for
 * anything; background work has it only while it takes what it needs and leaves what it found.
 */
#ifndef SERVE_WORKBENCH_H
#define SERVE_WORKBENCH_H

#include "base/clock.h"
#include "base/err.h"
#include "net/message.h"

struct workbench;

struct workbench_setup {
    const char
        *data; /* folder: saved maps, games, jobs. Made if it is not there; nothing outside is written */
    const char *maps; /* folder of our own maps: only read */
    int cores;        /* for jobs */
    bool programs;    /* may external programs be players? */
    bool idle;        /* nothing is done in the background (tests, fuzzing) */
    const struct clock *clock;
    void (*date)(char *out, size_t out_size); /* now, ISO 8601 */
    /* Bytes that nobody can guess, for ids and keys. */
    void (*secret)(void *out, size_t size);
    /* A sentence for who runs the server: something cannot be saved, or read. May be NULL. */
    void (*warn)(const char *sentence);
};

/* Opens the data folder; jobs and games that were under way go on. */
struct workbench *workbench_open(const struct workbench_setup *setup, struct err *e);

/* Stops all work so that it can go on the next time. False when something could not be saved and is lost; it
 * was warned of. NULL is allowed. */
bool workbench_close(struct workbench *bench);

/* A web server's `handle`; the context is the workbench. */
void workbench_handle(void *bench, const struct message_in *in, struct message_out *out);

#endif
