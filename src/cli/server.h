/* SPDX-License-Identifier: MIT
 *
 * What a server needs from the machine: secrets, and descriptors for its connections.
 */
#ifndef CLI_SERVER_H
#define CLI_SERVER_H

#include "base/err.h"

#include <stddef.h>

enum { CLI_TOKEN_SIZE = 33, CLI_TOKEN_MAX = 100 };

/* Bytes that nobody can guess; the program ends where there are none. */
void cli_secret(void *out, size_t size);

/* 128 of such bits as text. */
void cli_make_token(char out[CLI_TOKEN_SIZE]);

/* Can a token that somebody chose stand in an address as it is? `option` is for the sentence. */
bool cli_check_token(const char *option, const char *token, int length_min, struct err *e);

/* Asks for as many descriptors; how many there are then, at most `wanted`. */
int cli_descriptors(int wanted);

#endif
