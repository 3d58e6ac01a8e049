/* SPDX-License-Identifier: MIT
 *
 * A conversation of the engine protocol from the controller's side, with an engine nobody trusts: a command
 * is sent, its answer is read to the line that ends it, and everything the engine says that no command asked
 * for is noticed. Nothing here waits longer than it was told to.
 */
#ifndef PROTOCOL_TALK_H
#define PROTOCOL_TALK_H

#include "link/link.h"
#include "player/ext.h"

enum { TALK_LINE_SHOWN_MAX = 80, TALK_ANSWER_MAX = 1 << 20 /* bytes */ };

/* How an answer ended. */
enum talk_end {
    TALK_OK,      /* `ok` */
    TALK_LIST,    /* `end` */
    TALK_ERROR,   /* `error …` */
    TALK_SILENCE, /* not within the time: no last line */
    TALK_DEATH,   /* the other end closed or died */
    TALK_FLOOD,   /* a line, or an answer, beyond all measure */
    TALK_STOPPED, /* somebody here asked to stop, or this machine is short of something: no answer of its own
                   */
};

struct talk_answer {
    enum talk_end end;
    double ms;         /* from sending to the last line */
    struct text lines; /* those before the last one, one a line */
    char words[256]; /* the sentence of an `error`; otherwise what was wrong, as a clause: "no answer …" */
};

/* Lines that should not have been, and the first of them. */
struct talk_strays {
    long count;
    char first[TALK_LINE_SHOWN_MAX];
};

struct talk {
    struct link *link;
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    int64_t timeout_ns;
    struct talk_strays unasked; /* said while no command was waiting for an answer */
    int64_t sent_ns;            /* when the last command was sent */
    int shortage;               /* errno, once this machine was too short of something to go on; 0 before */
};

/* Reads the spec of an external player ("ext:cmd=./bot"); others are refused. */
bool talk_read_spec(const char *spec, struct ext_options *out, struct err *e);

/* Starts or finds the engine: a conversation in which nothing was said yet. `wait` limits connecting; one
 * that is to connect itself gets the time its options say. Refused without leave, as a player would be. */
struct link *talk_open(const struct ext_options *engine, const struct grant *grant,
                       const struct link_wait *wait, struct err *e);

/* That nothing can be said about the engine, since this machine is too short of something; false. */
bool talk_is_short(const struct talk *t, struct err *e);

/* Sends the bytes as they are: one line, or a map with all its lines, or several commands. What the engine
 * said before unasked is put aside first. */
bool talk_send(struct talk *t, const char *bytes, struct talk_answer *out);

/* The same while an answer is still awaited (`stop`): nothing is put aside. */
bool talk_send_more(struct talk *t, const char *bytes, struct talk_answer *out);

/* Reads one answer; its time counts from the last talk_send. The limit is the talk's own, or `ms` from now.
 */
enum talk_end talk_answer(struct talk *t, struct talk_answer *out);
enum talk_end talk_answer_within(struct talk *t, double ms, struct talk_answer *out);

/* Sends a line (its end is added) and reads the answer. */
enum talk_end talk_ask(struct talk *t, const char *line, struct talk_answer *out);

/* Listens for a while; whatever comes was not asked for. Returns how many lines came. */
long talk_listen(struct talk *t, int ms);

void talk_answer_init(struct talk_answer *answer);
void talk_answer_done(struct talk_answer *answer);

/* Walks through an answer's lines: fills `line` (cut to its size) and returns where the next one begins, or
 * NULL when there is none left. */
const char *talk_next_line(const char *at, char *line, size_t line_size);

/* For messages: as it can be shown, cut to TALK_LINE_SHOWN_MAX. Returns `out`. */
const char *talk_show_line(const char *line, char *out);

#endif
