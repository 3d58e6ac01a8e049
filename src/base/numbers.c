/* SPDX-License-Identifier: MIT
 *
 * Seeding of generators, and logarithms.
 */
#include "base/numbers.h"

#include <assert.h>
#include <string.h>

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

/* ---- logarithms ----
 *
 * The argument is split into a power of two and a factor near 1, whose logarithm is a short series. The same
 * operations are done for one number and for many, so that both give the same bits. */

#define LN2_HIGH 0x1.62e42fefap-1      /* 36 bits of ln 2: its product with any exponent is exact */
#define LN2_LOW  0x1.cf79abc9e3b3ap-40 /* the remaining bits */
#define SQRT_2   0x1.6a09e667f3bcdp+0

/* The series of artanh(s) / s - 1 in z = s^2 <= 0.0295, which needs ten terms. It is written out, because
 * compilers do not vectorize a loop over terms. */
static inline double series(double z) {
    double sum = 1.0 / 21 * z;
    sum = (sum + 1.0 / 19) * z;
    sum = (sum + 1.0 / 17) * z;
    sum = (sum + 1.0 / 15) * z;
    sum = (sum + 1.0 / 13) * z;
    sum = (sum + 1.0 / 11) * z;
    sum = (sum + 1.0 / 9) * z;
    sum = (sum + 1.0 / 7) * z;
    sum = (sum + 1.0 / 5) * z;
    return (sum + 1.0 / 3) * z;
}

/* ln x = exponent * ln 2 + ln m with m in [sqrt 1/2, sqrt 2), and ln m = 2 artanh(s) with
 * s = (m - 1) / (m + 1). */
static inline double put_together(double exponent, double m) {
    const double s = (m - 1) / (m + 1);
    return exponent * LN2_HIGH + (exponent * LN2_LOW + (2 * s + 2 * s * series(s * s)));
}

/* x = 2^exponent * m, not subnormal. */
static inline int split(double x, double *m) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const int exponent = (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(1023) << 52;
    memcpy(m, &bits, sizeof *m);
    if (*m > SQRT_2) {
        *m *= 0.5;
        return exponent + 1;
    }
    return exponent;
}

double ln_of(double x) {
    assert(x > 0);
    int exponent = 0;
    double m;
    if (x < 0x1p-1022) { /* subnormal */
        x *= 0x1p54;
        exponent = -54;
    }
    exponent += split(x, &m);
    return put_together(exponent, m);
}

void ln_of_stretch(uint64_t first, double out[LN_STRETCH]) {
    double exponents[LN_STRETCH], m[LN_STRETCH];
    assert(first > 0);
    assert(first + LN_STRETCH - 1 <= UINT64_C(1) << 53);
    for (int i = 0; i < LN_STRETCH; i++)
        exponents[i] = split((double)(int64_t)(first + (uint64_t)i), &m[i]);
    for (int i = 0; i < LN_STRETCH; i++)
        out[i] = put_together(exponents[i], m[i]);
}

void ln_table_fill(struct ln_table *table) {
    table->values[0] = 0;
    for (int n = 1; n <= LN_TABLE_MAX; n += LN_STRETCH)
        ln_of_stretch((uint64_t)n, &table->values[n]);
}
