/* SPDX-License-Identifier: MIT
 *
 * What commands that serve or connect need: secrets, descriptors, the address of a server as a person types
 * it, and a browser.
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CLI_TOKEN_SIZE = 33, CLI_TOKEN_MAX = 100 };

/* Bytes that nobody can guess; the program ends where there are none. */
void cli_secret(void *out, size_t size);

/* 128 of such bits as text. */
void cli_make_token(char out[CLI_TOKEN_SIZE]);

/* Can a token that somebody chose stand in an address as it is? `option` is for the sentence. */
bool cli_check_token(const char *option, const char *token, int length_min, struct err *e);

/* Asks for as many descriptors; how many there are then, at most `wanted`. */
int cli_descriptors(int wanted);

/* ---- addresses ---- */

enum { CLI_HOST_MAX = 256 };

struct cli_place {
    char host[CLI_HOST_MAX];
    int port; /* 0: none was given */
};

/* HOST, HOST:PORT or [HOST]:PORT; a host with several colons is an address that needs brackets for a port. */
bool cli_read_place(const char *text, struct cli_place *out, struct err *e);

/* ---- the browser ---- */

struct browser {
    pid_t pid; /* 0: none, or it has ended */
};

/* False when there is no display, or no program that opens an address. */
bool browser_open(struct browser *browser, const char *address);

/* Has what was started ended by now? Then the system may forget it. */
void browser_look(struct browser *browser);

#endif
