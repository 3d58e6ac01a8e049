/* SPDX-License-Identifier: MIT
 *
 * Checks of strings of a request, without sockets.
 *
 * A page from elsewhere can make a browser send requests here, but it cannot forge the Host and Origin
 * headers. struct web_guard holds the names of this server. struct web_target is the first line of a request,
 * "/api/tables/k3?key=ab%2Cd", as path and parameters; addresses that two readers could read differently are
 * refused.
 */
#ifndef NET_WEB_REQUEST_H
#define NET_WEB_REQUEST_H

#include "base/err.h"
#include "net/message.h"

#include <stddef.h>

enum { WEB_GUARD_NAMES_MAX = 40, WEB_GUARD_NAME_MAX = 260, WEB_GUARD_ORIGINS_MAX = 8 };

/* Schemes of our pages. This server speaks HTTP; HTTPS is added by a proxy in front of it. */
enum { WEB_GUARD_HTTP = 1, WEB_GUARD_HTTPS = 2 };

struct web_guard_name {
    char text[WEB_GUARD_NAME_MAX]; /* "localhost", "[::1]", "example.org:9000" */
    unsigned schemes;
    bool exact; /* with our port appended it is a different name */
};

struct web_guard {
    int port;
    bool any_address; /* listens on all addresses: any numeric Host is accepted */
    int name_count, origin_count;
    struct web_guard_name names[WEB_GUARD_NAMES_MAX];
    char origins[WEB_GUARD_ORIGINS_MAX][WEB_GUARD_NAME_MAX + 8]; /* "https://example.org" */
};

/* The names of a server that listens on `bind`; `hosts` are further ones, ended by NULL. A name may have a
 * port, for forwarded connections. A proxy may serve such a name with TLS. */
bool web_guard_init(struct web_guard *guard, const char *bind, const char *const *hosts, struct err *e);

/* Adds an origin of our page: "https://example.org:8443". Its name is accepted only with that scheme and
 * port. */
bool web_guard_add_origin(struct web_guard *guard, const char *origin, struct err *e);

/* The Host header: which schemes may lead there? 0: it is none of our names, with our port or none. */
unsigned web_guard_schemes(const struct web_guard *guard, const char *host);

/* The Origin header of a request with that Host: the host itself, or a place that was added. */
bool web_guard_origin(const struct web_guard *guard, const char *origin, const char *host);

/* Is `given` (NULL: nothing was given) the token? With "" as the token everything is. It takes the same time
 * wherever the two differ, so that a client cannot guess the token one character after the other. */
bool web_guard_token(const char *token, const char *given);

/* Is the address reachable only from this machine? */
bool web_guard_is_loopback(const char *bind);

/* The storage of a message's path and parameters. */
struct web_target {
    char path[MESSAGE_PATH_MAX];
    char names[MESSAGE_QUERY_MAX][MESSAGE_VALUE_MAX], values[MESSAGE_QUERY_MAX][MESSAGE_VALUE_MAX];
};

/* Reads the address of a request (its first line without method and version) into `in`, whose path and
 * parameters point into `out`. False, with a sentence, for a path that does not begin with '/', has a segment
 * "." or "..", an empty one, a backslash, an escape that is none, control characters or bytes that are not
 * UTF-8, or is too long; likewise for parameters, of which none may come twice. */
bool web_target_read(const char *raw, struct web_target *out, struct message_in *in, struct err *e);

/* Does a header (NULL: not there) with words between commas have this one, and not with ";q=0"? */
bool web_accepts(const char *list, const char *word);

#endif
