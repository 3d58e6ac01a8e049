/* SPDX-License-Identifier: MIT
 *
 * Fields of comma-separated values (RFC 4180 but for the ends of lines, which are those of our other files).
 */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/text.h"

/* A text, in quotes where it needs them. One that begins with = + - @ (or their wide forms), a tab or the end
 * of a line gets an apostrophe before it, unless it is a number: spreadsheets would calculate it. */
void csv_field(const char *field, struct text *out);

/* With so many decimals, never "-0"; nothing at all for what is no number. */
void csv_number(double value, int decimals, struct text *out);

#endif
