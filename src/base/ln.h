/* SPDX-License-Identifier: MIT
 *
 * The natural logarithm with the same result on every machine. C libraries may round `log` differently, and a
 * search that compares upper confidence bounds would then choose differently; this one uses only operations
 * whose results IEEE 754 defines.
 */
#ifndef BASE_LN_H
#define BASE_LN_H

#include <stdint.h>

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
