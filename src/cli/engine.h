/* SPDX-License-Identifier: MIT
 *
 * `senjutsu engine` from the inside: one conversation, whatever carries it, and the two ways over TCP.
 */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "cli/cli.h"
#include "protocol/session.h"

#include <pthread.h>

enum { ENGINE_QUEUE_MAX = 256, ENGINE_CONNECTIONS_MAX = 64 };

/* Lines on their way from the reader to the session. A line that was too long is passed on cut to one byte
 * more than the limit, which the session refuses in its own words. */
struct engine_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *lines[ENGINE_QUEUE_MAX];
    int first, count;
    bool ended, closed; /* no more input; nobody takes lines any more */
    atomic_bool stop;   /* a stop has been read and not yet answered */
    int input;          /* the descriptor that is read */
};

/* Reads lines until there are no more; for a thread of its own, with the queue as its argument. */
void *engine_read(void *queue);

/* Answers lines until `quit`, the end of the input or a failed write (then false). */
bool engine_converse(struct session *session, struct engine_queue *q,
                     bool (*write_all)(void *to, const char *bytes, size_t size), void *to);

/* Nobody takes lines any more: drops those that wait and lets the reader go. */
void engine_close_queue(struct engine_queue *q);

/* "PORT" or "ADDRESS:PORT", which may be "[V6]:PORT"; without an address it is the fallback. */
bool engine_read_place(const char *text, const char *fallback, char *address, size_t address_size, int *port,
                       struct err *e);

/* Both return the subcommand's status. Whoever comes over the network may neither open files nor start
 * programs. */
int engine_listen(const struct cli_command *self, const struct session_setup *setup, const char *place);
int engine_connect(const struct cli_command *self, const struct session_setup *setup, const char *place);

#endif
