/* SPDX-License-Identifier: MIT
 *
 * Where a server is, as people write it.
 */
#ifndef CLI_PLACE_H
#define CLI_PLACE_H

#include "base/err.h"

enum { CLI_HOST_MAX = 256 };

struct cli_place {
    char host[CLI_HOST_MAX];
    int port; /* 0: none was given */
};

/* HOST, HOST:PORT or [HOST]:PORT; a host with several colons is an address that needs brackets for a port. */
bool cli_read_place(const char *text, struct cli_place *out, struct err *e);

#endif
