/* SPDX-License-Identifier: MIT
 *
 * SHA-1; FNV-1a is inline in hash.h.
 */
#include "base/hash.h"

#include <string.h>

enum { BLOCK = 64, STATE_WORDS = 5, SCHEDULE_WORDS = 80 };

static uint32_t rotated(uint32_t x, int by) {
    return x << by | x >> (32 - by);
}

/* The function and the constant of a round (section 4.1.1 and 4.2.1). */
static uint32_t mixed(int t, uint32_t b, uint32_t c, uint32_t d) {
    if (t < 20)
        return ((b & c) | (~b & d)) + UINT32_C(0x5a827999);
    if (t < 40)
        return (b ^ c ^ d) + UINT32_C(0x6ed9eba1);
    if (t < 60)
        return ((b & c) | (b & d) | (c & d)) + UINT32_C(0x8f1bbcdc);
    return (b ^ c ^ d) + UINT32_C(0xca62c1d6);
}

/* Section 6.1.2: the message schedule, then 80 rounds. */
static void take_block(uint32_t state[STATE_WORDS], const unsigned char *block) {
    uint32_t w[SCHEDULE_WORDS], v[STATE_WORDS];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < SCHEDULE_WORDS; t++)
        w[t] = rotated(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    memcpy(v, state, sizeof v);
    for (int t = 0; t < SCHEDULE_WORDS; t++) {
        const uint32_t next = rotated(v[0], 5) + mixed(t, v[1], v[2], v[3]) + v[4] + w[t];
        v[4] = v[3];
        v[3] = v[2];
        v[2] = rotated(v[1], 30);
        v[1] = v[0];
        v[0] = next;
    }
    for (int i = 0; i < STATE_WORDS; i++)
        state[i] += v[i];
}

void sha1(const void *bytes, size_t size, unsigned char out[SHA1_SIZE]) {
    const unsigned char *from = bytes;
    const size_t whole = size / BLOCK * BLOCK;
    uint32_t state[STATE_WORDS] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    for (size_t at = 0; at < whole; at += BLOCK)
        take_block(state, from + at);
    /* The rest of the message, a one bit, zeros, and the length in bits: one block or two. */
    unsigned char end[2 * BLOCK] = {0};
    const size_t rest = size - whole, end_size = rest + 1 + 8 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (rest > 0)
        memcpy(end, from + whole, rest);
    end[rest] = 0x80;
    for (int i = 0; i < 8; i++)
        end[end_size - 1 - (size_t)i] = (unsigned char)((uint64_t)size * 8 >> 8 * i);
    for (size_t at = 0; at < end_size; at += BLOCK)
        take_block(state, end + at);
    for (int i = 0; i < SHA1_SIZE; i++)
        out[i] = (unsigned char)(state[i / 4] >> (24 - 8 * (i % 4)));
}
