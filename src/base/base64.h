/* SPDX-License-Identifier: MIT
 *
 * Base64 (RFC 4648, section 4), with padding.
 */
#ifndef BASE_BASE64_H
#define BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

/* Characters for that many bytes, without the NUL. */
#define BASE64_CHARS(size) (((size) + 2) / 3 * 4)

/* `out` has room for BASE64_CHARS(size) + 1. */
void base64_write(const unsigned char *bytes, size_t size, char *out);

/* How many bytes a well-formed text stands for, or -1. */
long base64_size(const char *text);

#endif
