/* SPDX-License-Identifier: MIT
 *
 * For commands that serve or connect: secrets, descriptors, server addresses as typed, and lines of
 * output.
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CLI_TOKEN_BYTES = 16, CLI_TOKEN_SIZE = 2 * CLI_TOKEN_BYTES + 1, CLI_TOKEN_MAX = 100 };

/* Fills cryptographically random bytes; ends the program when the system has none. */
void cli_secret(void *out, size_t size);

/* Random bytes as hexadecimal digits, two each. A token has CLI_TOKEN_BYTES. */
void cli_make_token(char *out, int bytes);

/* Checks that a chosen token can stand in an address without quoting. Messages name it `option`. */
bool cli_check_token(const char *option, const char *token, int length_min, struct err *e);

/* Raises the limit of descriptors to `wanted` if possible; returns the limit then, at most `wanted`. */
int cli_descriptors(int wanted);

static inline int64_t cli_seconds_ns(double seconds) {
    return (int64_t)(seconds * 1e9);
}

/* ---- addresses ---- */

enum { CLI_HOST_MAX = 256 };

struct cli_place {
    char host[CLI_HOST_MAX];
    int port; /* 0: not given */
};

/* Reads HOST, HOST:PORT or [HOST]:PORT; an address with colons needs brackets before a port. */
bool cli_read_place(const char *text, struct cli_place *out, struct err *e);

/* ---- output ---- */

/* Prints a line, `with_json` on standard error; removes the status line (may be NULL) first. */
struct cli_status;
void cli_message(bool with_json, struct cli_status *status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Prints a JSON value on one line and releases it; false when it is NULL or cannot be printed. */
struct json_t;
bool cli_print_row(struct json_t *row);

#endif
