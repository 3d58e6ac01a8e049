/* SPDX-License-Identifier: MIT
 *
 * Random numbers are always an argument. The generator is xoshiro256** (Blackman and Vigna), seeded through
 * splitmix64; both are tested against published vectors. The pair (seed, stream) names a generator: job i of
 * a run uses stream i and does not depend on the number of workers.
 */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

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

#endif
