/* SPDX-License-Identifier: MIT
 *
 * Bits of one word. The functions are plain C. Where a faster instruction exists, a caller that was compiled
 * for it passes `bmi2 = true` as a constant (see the playouts in game/tbs) and gets the same result in less
 * time.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* For the few functions that are fast only inside their caller's loop. */
#define BITS_INLINE static inline __attribute__((always_inline))

/* Marks a function compiled for machines with those instructions; call it only after bits_have_… returned
 * true. */
#if defined(__x86_64__)
#define BITS_FOR_BMI2 __attribute__((target("popcnt,bmi,bmi2")))
#define BITS_FOR_AVX2 __attribute__((target("popcnt,bmi,bmi2,avx2")))
#else
#define BITS_FOR_BMI2
#define BITS_FOR_AVX2
#endif

BITS_INLINE int bits_count(uint64_t word) {
    return __builtin_popcountll(word);
}

/* Index of the lowest set bit; word != 0. */
BITS_INLINE int bits_first(uint64_t word) {
    return __builtin_ctzll(word);
}

BITS_INLINE uint64_t bits_without_first(uint64_t word) {
    return word & (word - 1);
}

/* ---- without those instructions: eight bytes at once ---- */

#define BITS_BYTES UINT64_C(0x0101010101010101) /* one in each byte */

/* Byte i is the number of set bits in bytes 0 to i; the last byte is the total. */
BITS_INLINE uint64_t bits_sums(uint64_t word) {
    word -= word >> 1 & 0x55 * BITS_BYTES;
    word = (word & 0x33 * BITS_BYTES) + (word >> 2 & 0x33 * BITS_BYTES);
    return ((word + (word >> 4)) & 0x0F * BITS_BYTES) * BITS_BYTES;
}

/* How many of eight sums are at most k; sums and k below 128. */
BITS_INLINE int bits_sums_upto(uint64_t sums, int k) {
    const uint64_t not_above = (((uint64_t)k | 0x80) * BITS_BYTES - sums) >> 7 & BITS_BYTES;
    return (int)(not_above * BITS_BYTES >> 56);
}

/* Index of the k-th set bit (k from 0, k < number of bits) of a word with these sums. First the byte is
 * found, then the bit in it: the byte's bits are spread over eight bytes for that. */
BITS_INLINE int bits_select_sums(uint64_t word, uint64_t sums, int k) {
    const int byte = bits_sums_upto(sums, k);
    k -= (int)(sums << 8 >> 8 * byte & 0xFF);
    const uint64_t spread = (word >> 8 * byte & 0xFF) * BITS_BYTES & 0x8040201008040201;
    const uint64_t bits = (spread + 0x7F * BITS_BYTES) >> 7 & BITS_BYTES;
    return 8 * byte + bits_sums_upto(bits * BITS_BYTES, k);
}

static inline int bits_select_plain(uint64_t word, int k) {
    return bits_select_sums(word, bits_sums(word), k);
}

BITS_INLINE int bits_select(uint64_t word, int k, bool bmi2) {
#if defined(__x86_64__)
    if (bmi2) {
        uint64_t bit;
        /* Inline assembly, because the intrinsic requires -mbmi2 of every function this is inlined into. */
        __asm__("pdep %2, %1, %0" : "=r"(bit) : "r"(UINT64_C(1) << k), "r"(word));
        return bits_first(bit);
    }
#else
    (void)bmi2;
#endif
    return bits_select_plain(word, k);
}

/* ---- what this machine has; the answer never changes while the program runs ---- */

static inline bool bits_have_bmi2(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

static inline bool bits_have_avx2(void) {
#if defined(__x86_64__)
    return bits_have_bmi2() && __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

#endif
