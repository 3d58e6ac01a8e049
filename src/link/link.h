/* SPDX-License-Identifier: MIT
 *
 * A conversation in lines with another program: a child process over its standard streams, or a peer over
 * TCP. The other end cannot harm this program: every wait has an end, every buffer a limit, a process is
 * ended with all its descendants, and a broken pipe is an outcome, not a signal. One link is used by one
 * thread at a time; any number of links by any number of threads.
 */
#ifndef LINK_LINK_H
#define LINK_LINK_H

#include "base/clock.h"
#include "base/text.h"

#include <stdatomic.h>
#include <stdint.h>

enum {
    LINK_LINE_MAX = 65536,    /* bytes of one line that is received */
    LINK_TAIL_LINES = 40,     /* the last lines, in both directions, that are logged */
    LINK_TAIL_LINE_MAX = 400, /* bytes of each */
    LINK_SENT_MAX = 1 << 20,  /* bytes of what was sent that are remembered, from the first */
    LINK_COMMAND_MAX = 2048,
    LINK_DESCRIPTORS = 3,          /* that a process takes; a connection takes one */
    LINK_DESCRIPTORS_STARTING = 6, /* more while one is started, and for the first of all: one at a time is */
};

struct link;

/* What came of waiting for a line. */
enum link_event {
    LINK_LINE,     /* a whole line */
    LINK_TIME,     /* the time was over */
    LINK_ENDED,    /* the other end closed or died; what was left of a line is in the tail */
    LINK_TOO_LONG, /* a line longer than LINK_LINE_MAX; the rest of it will be skipped */
    LINK_STOPPED,  /* `stop` was set */
    LINK_SHORTAGE, /* this machine lacked something (see link_is_shortage): no fault of the other end */
};

struct link_wait {
    const struct clock *clock; /* NULL: until_ns is a length, and only silence counts */
    int64_t until_ns;          /* on that clock; 0: for ever. Gaps of this program (link_gap_ns) prolong it */
    const atomic_bool *stop;   /* may be NULL; seen within 50 ms */
};

/* A wait that begins now; 0 ns: for ever. */
static inline struct link_wait link_wait_for(const struct clock *clock, int64_t ns, const atomic_bool *stop) {
    return (struct link_wait){clock, ns > 0 ? clock_now_ns(clock) + ns : 0, stop};
}

/* Whatever returns NULL, -1 or false here also sets errno. Is this the number of a shortage of our own:
 * descriptors, processes, memory, ports? Then nothing was learned about the other end, and it may be tried
 * again. */
bool link_is_shortage(int cause);

/* For how long a shortage is borne before it is reported, trying again meanwhile. */
enum { LINK_SHORTAGE_MS = 5000 };

/* Sleeps, also when the machine is short of memory. */
void link_nap(int ms);

/* Starts `sh -c command` in a session of its own, and reads its standard error, too. Should this program be
 * killed, it is killed too. */
struct link *link_start_process(const char *command, struct err *e);

/* Connects to HOST:PORT. (Looking up a name takes as long as it takes.) */
struct link *link_connect(const char *host, int port, const struct link_wait *wait, struct err *e);

/* Waits for a connection to this port. All links of this program that listen on one port share it:
 * each gets a connection of its own. The port stays open until the program ends, so that a player that
 * reconnects between two games is accepted. */
struct link *link_accept(const char *address, int port, const struct link_wait *wait, struct err *e);

/* The same two without a link, for other protocols: a connected socket (close-on-exec, non-blocking) that the
 * caller owns, or -1. */
int link_connect_socket(const char *host, int port, const struct link_wait *wait, struct err *e);
int link_accept_socket(const char *address, int port, const struct link_wait *wait, struct err *e);

/* Wraps such a socket and takes ownership of it; NULL for -1. */
struct link *link_from_socket(int socket);

/* A pipe of this program's own, to wake a thread that polls: close-on-exec, and neither end blocks. Both ends
 * are -1 after a failure, and once they are closed. */
bool link_open_pipe(int ends[2]);
void link_close_pipe(int ends[2]);

/* ---- listening ---- */

/* Who has connected. An IPv4 address that came through an IPv6 socket is written as IPv4. */
struct link_peer {
    char address[64];
    int port;
};

/* The listening socket of that port, shared by all links that accept connections there; -1 on failure. The
 * first call opens it, so that an error shows before the first wait; *port (0: any free one) gets its number.
 * The caller may wait for it with others (poll), and must not close it. */
int link_listener(const char *address, int *port, struct err *e);

/* A pending connection of a listening socket, as from link_accept_socket. -1 and errno when none is pending,
 * or descriptors are short. Never waits. */
int link_take(int listener, struct link_peer *peer);

/* A listening socket that the caller owns, close-on-exec and non-blocking; -1 and errno (EHOSTUNREACH: the
 * name has no address). */
int link_open_port(const char *address, int port, struct err *e);

struct sockaddr; /* of <sys/socket.h> */
void link_read_peer(const struct sockaddr *name, struct link_peer *out);
int link_port_of(int fd); /* of a bound socket; 0: unknown */

/* ---- lines ---- */

/* Sends bytes as they are (line ends included). False when the other end is gone or did not take them in
 * time. While it waits it also reads, so that two ends that send a lot never wait for each other. */
bool link_send(struct link *link, const char *bytes, size_t size, const struct link_wait *wait,
               struct err *e);

/* The next line without its line end (LF or CR LF), valid until the next call; NUL bytes have become '?'. */
enum link_event link_receive(struct link *link, const struct link_wait *wait, const char **line);

/* Has the other end sent something that was not read yet? Never waits. */
bool link_has_line(struct link *link);

/* Has the other end closed or died? Never waits; lines that came before may still be there. */
bool link_has_ended(struct link *link);

/* How many bytes came in all: for limits on players that send too much. */
uint64_t link_received_bytes(const struct link *link);

/* The total time in nanoseconds in which this program did not serve the link because it was stopped or short
 * of memory. It does not count as the other end's time. Needs a clock in the waits. */
int64_t link_gap_ns(const struct link *link);

/* "exit status 3", "signal 11, segmentation fault", "the connection was closed": once it has ended. */
void link_describe_end(struct link *link, char *out, size_t out_size);

/* In the environment of a program that is started by other means and may outlive this one (a browser): such a
 * program is never treated as a descendant of a link's program. */
#define LINK_EXEMPT "SENJUTSU_EXEMPT=1"

/* What the environments of a process and of its descendants contain; "" for a connection. */
const char *link_mark(const struct link *link);

/* Outside text made safe to show and store: UTF-8 without control characters and other terminal commands
 * (charset_glyph), cut to fit. */
void link_show(char *out, size_t out_size, const char *bytes, size_t size);

/* Appends what is remembered: see struct player_transcript. */
void link_sent(const struct link *link, struct text *out);
void link_tail(const struct link *link, struct text *out);

/* Records the descendants of the process, so that they are found even after the process has ended and without
 * a mark. False without a process, or on a system that does not list processes. */
bool link_note_family(struct link *link);

/* How many of the process's descendants, remembered or found now, are alive; their names, as they fit. */
int link_family_alive(struct link *link, char *names, size_t names_size);

/* Ends it: closes the connection; a process gets `grace_ms` to end by itself, then it and everything it
 * started is killed. Frees the link; NULL is allowed. */
void link_close(struct link *link, int grace_ms);

#endif
