/* SPDX-License-Identifier: MIT */
#include "base/rng.h"

uint64_t rng_splitmix(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15U;
    return rng_mix(*state);
}

void rng_seed(struct rng *r, uint64_t seed) {
    for (int i = 0; i < 4; i++)
        r->s[i] = rng_splitmix(&seed);
}

void rng_seed_stream(struct rng *r, uint64_t seed, uint64_t stream) {
    /* Two rounds of mixing separate (1, 2) from (2, 1), and (s, 0) from the plain seed s. */
    uint64_t first = seed ^ 0xD1B54A32D192ED03U;
    uint64_t second = rng_splitmix(&first) + stream;
    rng_seed(r, rng_splitmix(&second));
}

uint64_t rng_job_seed(uint64_t seed, uint64_t index) {
    struct rng r;
    rng_seed_stream(&r, seed, index);
    return rng_next(&r);
}
