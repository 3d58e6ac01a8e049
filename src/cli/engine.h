/* SPDX-License-Identifier: MIT
 *
 * `senjutsu engine` from the inside: one conversation, whatever carries it, and the two ways over TCP.
 */
#ifndef CLI_ENGINE_H
#define CLI_ENGINE_H

#include "cli/cli.h"
#include "protocol/session.h"

#include <pthread.h>

enum {
    ENGINE_QUEUE_MAX = 256,           /* lines that wait */
    ENGINE_QUEUE_BYTES_MAX = 1 << 20, /* and their bytes; one line is always taken */
    ENGINE_CONNECTIONS_MAX = 64,
    /* Of one connection: */
    ENGINE_PEER_MEMORY_MB = 64, /* of the players it chooses */
    ENGINE_PEER_SECONDS = 300,  /* one go or perft, unless --longest says otherwise */
    ENGINE_PEER_SECONDS_MAX = 86400,
    ENGINE_FAREWELL_MS = 3000,  /* it is still answered after the end of what it sends */
    ENGINE_PEER_SILENCE_S = 60, /* it neither takes an answer nor says that it lives */
};

/* Lines on their way from the reader to the session. A line that was too long is passed on cut to one byte
 * more than the limit, which the session refuses in its own words. */
struct engine_queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *lines[ENGINE_QUEUE_MAX];
    int first, count;
    size_t bytes;             /* of the lines that wait */
    bool ended, closed, gone; /* no more input; nobody takes lines any more; nobody takes answers any more */
    atomic_bool stop;         /* a stop has been read and not yet answered, or the other end is gone */
    int input, output; /* the descriptors that are read, and written by somebody else: one for a socket */
    int64_t ended_ns;  /* when a socket's other end closed its side; 0: not yet */
};

void engine_open_queue(struct engine_queue *q, int input, int output);
void engine_done_queue(struct engine_queue *q);

/* Reads lines until there are no more, and then looks whether somebody takes the answers, until the queue is
 * closed; for a thread of its own, with the queue as its argument. When the other end has gone, `stop` is set
 * and the lines that wait are dropped. */
void *engine_read(void *queue);

/* What happens when the other end has gone; also for whoever ends the conversation from outside. */
void engine_leave(struct engine_queue *q);

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
