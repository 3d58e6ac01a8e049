/* SPDX-License-Identifier: MIT
 *
 * FNV-1a, 64 bits: for signatures and digests of text. Not for hash tables under attack.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Byte order does not matter: the same on every machine. */
static inline uint64_t hash_u64(uint64_t hash, uint64_t value) {
    for (int i = 0; i < 8; i++)
        hash = (hash ^ (value >> (8 * i) & 0xFF)) * UINT64_C(0x100000001b3);
    return hash;
}

#endif
