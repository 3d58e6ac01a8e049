/* SPDX-License-Identifier: MIT
 *
 * SHA-1 (FIPS 180-4), which the WebSocket handshake wants. It protects nothing: do not use it to.
 */
#ifndef BASE_SHA1_H
#define BASE_SHA1_H

#include <stddef.h>

enum { SHA1_SIZE = 20 };

void sha1(const void *bytes, size_t size, unsigned char out[SHA1_SIZE]);

#endif
