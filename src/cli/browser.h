/* SPDX-License-Identifier: MIT
 *
 * A browser, started without a shell in between.
 */
#ifndef CLI_BROWSER_H
#define CLI_BROWSER_H

#include <stdbool.h>
#include <sys/types.h>

struct browser {
    pid_t pid; /* 0: none, or it has ended */
};

/* False when there is no display, or no program that opens an address. */
bool browser_open(struct browser *browser, const char *address);

/* Has what was started ended by now? Then the system may forget it. */
void browser_look(struct browser *browser);

#endif
