/* SPDX-License-Identifier: MIT
 *
 * The natural logarithm, the same on every machine. C libraries may round `log` differently, and a search
 * that compares upper confidence bounds would then choose differently; this one uses only operations whose
 * results IEEE 754 fixes.
 */
#ifndef BASE_LN_H
#define BASE_LN_H

/* x > 0 and finite. Within 2 units in the last place of the true value. */
double ln_of(double x);

#endif
