/* SPDX-License-Identifier: MIT
 *
 * Bits of one word. The functions are plain C; where a faster instruction exists a caller that was compiled
 * for it passes `bmi2 = true` as a constant (see game/tbs/rollout code) and gets the same result sooner.
 */
#ifndef BASE_BITS_H
#define BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

/* For the few functions whose speed depends on being part of their caller's loop. */
#define BITS_INLINE static inline __attribute__((always_inline))

/* A function compiled for machines that have those instructions; callers ask bits_have_… first. */
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

/* Index of the k-th set bit (k from 0, k < number of bits): halves the word six times. */
static inline int bits_select_plain(uint64_t word, int k) {
    int base = 0;
    for (int width = 32; width >= 1; width /= 2) {
        const uint64_t low = word & ((UINT64_C(1) << width) - 1);
        const int below = bits_count(low);
        if (k >= below) {
            k -= below;
            base += width;
            word >>= width;
        } else {
            word = low;
        }
    }
    return base;
}

BITS_INLINE int bits_select(uint64_t word, int k, bool bmi2) {
#if defined(__x86_64__)
    if (bmi2) {
        uint64_t bit;
        /* Not the intrinsic: that would demand -mbmi2 of every function this is inlined into. */
        __asm__("pdep %2, %1, %0" : "=r"(bit) : "r"(UINT64_C(1) << k), "r"(word));
        return bits_first(bit);
    }
#else
    (void)bmi2;
#endif
    return bits_select_plain(word, k);
}

/* What this machine can do; the answer never changes while the program runs. */
bool bits_have_bmi2(void);
bool bits_have_avx2(void);

#endif
