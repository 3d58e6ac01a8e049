/* SPDX-License-Identifier: MIT
 *
 * Who may ask. A page from elsewhere can make a browser send requests here; it cannot forge these headers.
 * Checks of strings, without sockets.
 */
#ifndef NET_WEB_GUARD_H
#define NET_WEB_GUARD_H

#include "base/err.h"

#include <stddef.h>

enum { WEB_GUARD_NAMES_MAX = 24, WEB_GUARD_NAME_MAX = 260 };

struct web_guard {
    int port;
    bool any_address; /* we listen everywhere: an address as such is no name that somebody else controls */
    int name_count;
    char names[WEB_GUARD_NAMES_MAX][WEB_GUARD_NAME_MAX]; /* "localhost", "[::1]", "example.org:9000" */
    const char *token;                                   /* "": none is needed */
};

/* Names of ours for a server that listens on `bind`; `hosts` are further ones, ended by NULL. A name may have
 * a port of its own, for who comes through a forwarded one. */
bool web_guard_init(struct web_guard *guard, const char *bind, const char *const *hosts, struct err *e);

/* The Host header: one of our names, with our port or none. */
bool web_guard_host(const struct web_guard *guard, const char *host);

/* The Origin header of a request with that Host. */
bool web_guard_origin(const char *origin, const char *host);

/* Takes the same time wherever the two differ. */
bool web_guard_token(const struct web_guard *guard, const char *given);

/* Can connections from another machine arrive at that address? */
bool web_guard_is_loopback(const char *bind);

#endif
