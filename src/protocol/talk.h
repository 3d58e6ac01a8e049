/* SPDX-License-Identifier: MIT
 *
 * A conversation of the engine protocol from the controller's side, with an untrusted engine: a command is
 * sent, its answer is read up to its last line, and all lines that no command asked for are counted. Every
 * wait has a limit.
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
    TALK_SILENCE, /* no last line within the time limit */
    TALK_DEATH,   /* the engine closed the connection or died */
    TALK_FLOOD,   /* a line or an answer beyond its limit */
    TALK_STOPPED, /* stopped from here, or this machine is short of a resource: no answer of the engine */
};

/* Zero is an empty answer. */
struct talk_answer {
    enum talk_end end;
    double ms;         /* milliseconds from sending to the last line */
    struct text lines; /* the lines before the last one; the caller frees them */
    char message[256]; /* the text of an `error`; otherwise the problem as a clause: "no answer …" */
};

/* Number of unexpected lines, and the first of them. */
struct talk_strays {
    long count;
    char first[TALK_LINE_SHOWN_MAX];
};

struct talk {
    struct link *link;
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    int64_t timeout_ns;
    struct talk_strays unasked; /* lines received while no command waited for an answer */
    int64_t sent_ns;            /* when the last command was sent */
    int shortage;               /* errno once this machine was short of a resource; 0 before */
};

/* Reads the spec of an external player ("ext:cmd=./bot"); others are refused. */
bool talk_read_spec(const char *spec, struct ext_options *out, struct err *e);

/* Starts or connects to the engine. `wait` limits connecting; an engine that connects to this program gets
 * the time in its options. Refused without permission, as for a player. */
struct link *talk_open(const struct ext_options *engine, const struct grant *grant,
                       const struct link_wait *wait, struct err *e);

/* Fills the error for a shortage on this machine, after which the engine cannot be judged; returns false. */
bool talk_is_short(const struct talk *t, struct err *e);

/* Sends the bytes unchanged: one line, a map with all its lines, or several commands. First counts earlier
 * lines as unasked. */
bool talk_send(struct talk *t, const char *bytes, struct talk_answer *out);

/* The same while an answer is pending (`stop`): earlier lines stay part of that answer. */
bool talk_send_more(struct talk *t, const char *bytes, struct talk_answer *out);

/* Reads one answer; its time counts from the last talk_send. The limit is the talk's own, or `ms`. */
enum talk_end talk_answer(struct talk *t, struct talk_answer *out);
enum talk_end talk_answer_within(struct talk *t, double ms, struct talk_answer *out);

/* Sends a line (the line end is added) and reads the answer. */
enum talk_end talk_ask(struct talk *t, const char *line, struct talk_answer *out);

/* Receives for `ms` milliseconds; all lines count as unasked. Returns their number. */
long talk_listen(struct talk *t, int ms);

/* Counts a line that no command asked for, or that its answer must not have. */
void talk_count_stray(struct talk_strays *strays, const char *line);

/* Iterates over the lines of an answer: fills `line` (cut to its size) and returns the start of the next
 * one, or NULL at the end. */
const char *talk_next_line(const char *at, char *line, size_t line_size);

/* Makes a line printable and cuts it to TALK_LINE_SHOWN_MAX, for messages. Returns `out`. */
const char *talk_show_line(const char *line, char *out);

#endif
