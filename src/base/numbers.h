/* SPDX-License-Identifier: MIT
 *
 * Numbers that are the same on every machine: random numbers, hashes, logarithms.
 */
#ifndef BASE_NUMBERS_H
#define BASE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* ---- random numbers ----
 *
 * They are always an argument. The generator is xoshiro256** (Blackman and Vigna), seeded through splitmix64;
 * both are tested against published vectors. The pair (seed, stream) names a generator: job i of a run uses
 * stream i and does not depend on the number of workers. */

struct rng {
    uint64_t s[4];
};

void rng_seed(struct rng *r, uint64_t seed);
void rng_seed_stream(struct rng *r, uint64_t seed, uint64_t stream);

/* A separate seed for job `index` of a run, for example a game of a match. */
uint64_t rng_job_seed(uint64_t seed, uint64_t index);

static inline uint64_t rng_rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t rng_next(struct rng *r) {
    uint64_t *s = r->s;
    const uint64_t result = rng_rotate(s[1] * 5, 7) * 9;
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rng_rotate(s[3], 45);
    return result;
}

/* Uniform in 0 … n-1, n > 0, without bias (Lemire's multiplication with rejection). */
static inline uint32_t rng_below(struct rng *r, uint32_t n) {
    uint64_t product = (rng_next(r) >> 32) * n;
    if (__builtin_expect((uint32_t)product < n, 0)) {
        const uint32_t threshold = (uint32_t)-n % n;
        while ((uint32_t)product < threshold)
            product = (rng_next(r) >> 32) * n;
    }
    return (uint32_t)(product >> 32);
}

/* Uniform in [0, 1). */
static inline double rng_unit(struct rng *r) {
    return (double)(rng_next(r) >> 11) * 0x1.0p-53;
}

/* splitmix64: advances *state and returns the next number. `rng_mix` is its finalizer alone, a good hash. */
uint64_t rng_splitmix(uint64_t *state);

static inline uint64_t rng_mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31);
}

/* ---- FNV-1a (64 bits), for signatures and digests of text, not for hash tables under attack ---- */

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

/* ---- the natural logarithm ----
 *
 * C libraries may round `log` differently, and a search that compares upper confidence bounds would then
 * choose differently; this one uses only operations whose results IEEE 754 defines. */

/* x > 0 and finite. The error is at most 2 units in the last place. */
double ln_of(double x);

/* The logarithms of LN_STRETCH consecutive whole numbers from `first` (at least 1, the last at most 2^53):
 * the same results as one by one, at a fraction of the cost. */
enum { LN_STRETCH = 64 };
void ln_of_stretch(uint64_t first, double out[LN_STRETCH]);

/* Logarithms of small whole numbers, which searches need all the time. */
enum { LN_TABLE_MAX = 1024 };

struct ln_table {
    double values[LN_TABLE_MAX + 1]; /* values[0] is 0 and is not used */
};

void ln_table_fill(struct ln_table *table);

static inline double ln_table_of(const struct ln_table *table, uint64_t n) {
    return n <= LN_TABLE_MAX ? table->values[n] : ln_of((double)n);
}

#endif
