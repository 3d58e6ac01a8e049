/* SPDX-License-Identifier: MIT
 *
 * Two hashes. FNV-1a (64 bits) is for signatures and digests of text, not for hash tables under attack. SHA-1
 * is for the WebSocket handshake only: it protects nothing.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* ---- FNV-1a ---- */

#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Independent of the machine's byte order. */
static inline uint64_t hash_u64(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (value >> (8 * i) & 0xFF)) * UINT64_C(0x100000001b3);
    return hash;
}

/* ---- SHA-1 (FIPS 180-4) ---- */

enum { SHA1_SIZE = 20 };

void sha1(const void *bytes, size_t size, unsigned char out[SHA1_SIZE]);

#endif
