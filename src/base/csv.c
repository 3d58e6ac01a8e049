/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <math.h>
#include <string.h>

void csv_field(const char *field, struct text *out) {
    if (strpbrk(field, ",\"\r\n") == NULL) {
        text_add_string(out, field);
        return;
    }
    text_add_string(out, "\"");
    for (const char *c = field; *c != '\0'; c++)
        text_add_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_add_string(out, "\"");
}

void csv_number(double value, int decimals, struct text *out) {
    if (isfinite(value))
        text_add(out, "%.*f", decimals, fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value);
}
