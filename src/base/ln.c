/* SPDX-License-Identifier: MIT */
#include "base/ln.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define LN2_HIGH 0x1.62e42fefap-1      /* 36 bits of ln 2: times any exponent it is exact */
#define LN2_LOW  0x1.cf79abc9e3b3ap-40 /* the rest of it */
#define SQRT_2   0x1.6a09e667f3bcdp+0

/* ln x = e ln 2 + ln m with m in [sqrt 1/2, sqrt 2), and ln m = 2 artanh(s) with s = (m - 1) / (m + 1), whose
 * series in s^2 <= 0.0295 needs ten terms. */
static double ln_of_mantissa(double m) {
    const double s = (m - 1) / (m + 1), z = s * s;
    double sum = 0;
    for (int k = 21; k >= 3; k -= 2)
        sum = (sum + 1.0 / k) * z;
    return 2 * s + 2 * s * sum;
}

double ln_of(double x) {
    assert(x > 0);
    int exponent = 0;
    if (x < 0x1p-1022) { /* subnormal */
        x *= 0x1p54;
        exponent = -54;
    }
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    exponent += (int)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0xFFFFFFFFFFFFF)) | UINT64_C(1023) << 52;
    double m;
    memcpy(&m, &bits, sizeof m);
    if (m > SQRT_2) {
        m *= 0.5;
        exponent++;
    }
    return exponent * LN2_HIGH + (exponent * LN2_LOW + ln_of_mantissa(m));
}
