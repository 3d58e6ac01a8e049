/* SPDX-License-Identifier: MIT
 *
 * For commands that serve or connect: secrets, descriptors, server addresses as typed, and a browser.
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { CLI_TOKEN_SIZE = 33, CLI_TOKEN_MAX = 100 };

/* Fills cryptographically random bytes; ends the program when the system has none. */
void cli_secret(void *out, size_t size);

/* 128 random bits as hexadecimal digits. */
void cli_make_token(char out[CLI_TOKEN_SIZE]);

/* Checks that a chosen token can stand in an address without quoting. Messages name it `option`. */
bool cli_check_token(const char *option, const char *token, int length_min, struct err *e);

/* Raises the limit of descriptors to `wanted` if possible; returns the limit then, at most `wanted`. */
int cli_descriptors(int wanted);

/* ---- addresses ---- */

enum { CLI_HOST_MAX = 256 };

struct cli_place {
    char host[CLI_HOST_MAX];
    int port; /* 0: not given */
};

/* Reads HOST, HOST:PORT or [HOST]:PORT; a host with several colons is an address that needs brackets
 * before a port. */
bool cli_read_place(const char *text, struct cli_place *out, struct err *e);

/* ---- the browser ---- */

struct browser {
    pid_t pid; /* 0: not started, or ended */
};

/* Opens the address. False without a display or a program that opens addresses. */
bool browser_open(struct browser *browser, const char *address);

/* Reaps the process if it has ended. */
void browser_look(struct browser *browser);

#endif
