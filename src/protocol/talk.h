/* SPDX-License-Identifier: MIT
 *
 * A conversation of the engine protocol (docs/protocol.md) from the controller's side, with an untrusted
 * engine: a command is sent, its answer is read up to its last line, and all lines that no command asked for
 * are counted. Every wait has a limit, and every quotation of the engine is made printable.
 *
 * And what is made of such conversations: the repetition of a fault from its fault report (the engine is
 * started again, is sent the same lines and gets the same time limits; its faults, if any, are classified as
 * a referee classifies them), and the compliance check.
 */
#ifndef PROTOCOL_TALK_H
#define PROTOCOL_TALK_H

#include "game/game.h"
#include "link/link.h"
#include "match/clocked_game.h"
#include "player/ext.h"

enum { TALK_LINE_SHOWN_MAX = 80, TALK_BEST_MAX = 4096, TALK_ANSWER_MAX = 1 << 20 }; /* bytes */

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

/* The engine and the conditions of all conversations with it. */
struct talk_setup {
    const struct ext_options *engine;
    const struct grant *grant; /* permissions of the engine; NULL: none */
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    double timeout_s;        /* limit for answers that have no other; more than 0 */
};

/* A conversation, and after its end the next one with the same engine. Not for several threads. */
struct talk {
    const struct talk_setup *setup;
    struct link *link;          /* NULL: no conversation */
    struct talk_strays unasked; /* lines received while no command waited for an answer, in all of them */
    int64_t sent_ns;            /* when the last command was sent */
    int shortage;               /* errno once this machine was short of a resource; 0 before */
};

/* Reads the spec of an external player ("ext:cmd=./bot"); others are refused. */
bool talk_read_spec(const char *spec, struct ext_options *out, struct err *e);

/* Closes the previous conversation and starts or connects to the engine, within the time limit of an answer;
 * an engine that connects to this program gets the time in its options. Refused without permission, as for a
 * player. */
bool talk_open(struct talk *t, struct err *e);

/* Ends the conversation: closes the engine's input, waits `grace_ms` for its end, then uses force. */
void talk_close(struct talk *t, int grace_ms);

/* True when this machine has had all resources for the conversations. After a shortage the engine cannot be
 * judged: false with a reason. */
bool talk_was_possible(const struct talk *t, struct err *e);

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

/* Reads the answer to a `go`: returns the number of its `best` lines and fills `best` with the text of the
 * first (cut to its size; "" without one). Lines before it that are not `info`, and all after it, count as
 * `strays`. */
int talk_best(const struct talk_answer *answer, char *best, size_t best_size, struct talk_strays *strays);

/* Makes a line printable and cuts it to TALK_LINE_SHOWN_MAX, for messages. Returns `out`. */
const char *talk_show_line(const char *line, char *out);

/* ---- repeating a fault ---- */

struct reproduce {
    struct talk_setup talk; /* the engine of the fault report, or another */
    const struct fault_report *fault_report;
};

struct reproduction {
    enum player_fault fault; /* NONE: no fault this time */
    bool again;              /* the same fault as in the report */
    bool stopped;
    char message[ERR_TEXT_MAX]; /* description of the fault */
    char command[ERR_TEXT_MAX]; /* the command that it followed; "" after the last one */
    int commands_sent, commands_in_all;
    bool is_cut;      /* the fault report holds only the first part of the conversation */
    struct text tail; /* last lines in both directions: see link_tail */
};

/* Reads the engine of a fault report. False when it was a connection, which only its owner can open again. */
bool reproduce_engine(const struct fault_report *fault_report, struct ext_options *out, struct err *e);

/* False when the report cannot be replayed or the engine not opened. The caller frees out->tail. */
bool reproduce_run(const struct reproduce *r, struct reproduction *out, struct err *e);

/* ---- the compliance check ----
 *
 * Does an engine implement the protocol well enough for a tournament? The check is a list of items, each a
 * short conversation with the engine that ends with a message: what was observed and what was expected. */

enum {
    COMPLIANCE_ITEMS_MAX = 32,
    COMPLIANCE_QUIT_MS = 2000, /* limit for ending after `quit`, and after the end of the input */
};

struct compliance_check; /* private */

struct compliance_item {
    const char *name, *description;              /* "answers `go` with an action that is legal" */
    bool (*run)(struct compliance_check *check); /* what it returns has no meaning */
    const char *after;                           /* name of the item that must pass first; NULL: none */
    bool needed;                                 /* required in a tournament; otherwise recommended */
    bool alone; /* the item opens its own conversation, or inspects one that has ended */
};

extern const struct compliance_item compliance_items[]; /* ended by a NULL name */

enum compliance_result { COMPLIANCE_PASS, COMPLIANCE_FAIL, COMPLIANCE_SKIPPED };
extern const char *const compliance_result_names[]; /* "pass", "fail", "skipped" */

struct compliance_finding {
    const struct compliance_item *item;
    bool needed; /* also true for whole turns when the engine is configured to play them */
    enum compliance_result result;
    char message[ERR_TEXT_MAX];
    double seconds;
    struct text conversation; /* last lines in both directions, if the item failed; see link_tail */
};

struct compliance {
    struct talk_setup talk;
    struct scenario *const *scenarios; /* one or more maps of one game */
    const char *const *map_names;
    int map_count;
    int positions; /* number of random positions in which the engine is asked */
    uint64_t seed;
    int grace_ms; /* tolerance beyond a `go time` */

    /* Called before (with NULL) and after each item; may be NULL. */
    void (*watch)(void *watcher, const struct compliance_item *item,
                  const struct compliance_finding *finding);
    void *watcher;
};

struct compliance_report {
    char name[64], version[64]; /* as the engine reports them; may be empty */
    int count;
    struct compliance_finding findings[COMPLIANCE_ITEMS_MAX];
    int passed, failed, skipped;
    bool ready; /* no required item failed */
    bool stopped;
};

/* Runs all items. False only when this machine is short of memory, descriptors or processes. In either case
 * call compliance_report_done. Blocks until the last item has ended or setup->talk.stop is set. */
bool compliance_run(const struct compliance *setup, struct compliance_report *out, struct err *e);
void compliance_report_done(struct compliance_report *report);

#endif
