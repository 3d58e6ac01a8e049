/* SPDX-License-Identifier: MIT */
#include "base/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "-12.5": digits with a sign, a point, an exponent. "inf", "nan" and hexadecimal ones are names. */
static bool is_number(const char *field) {
    char *end;
    if (field[strspn(field, "0123456789+-.eE")] != '\0')
        return false;
    strtod(field, &end);
    return end != field && *end == '\0';
}

/* A spreadsheet takes what begins so for a formula, which may read other files or start programs. A Japanese
 * one does so for the wide forms, too. */
static bool is_formula(const char *field) {
    static const char *const beginnings[] = {"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"};
    bool is_one = false;
    for (size_t i = 0; !is_one && i < sizeof beginnings / sizeof beginnings[0]; i++)
        is_one = strncmp(field, beginnings[i], strlen(beginnings[i])) == 0;
    return is_one && !is_number(field);
}

void csv_field(const char *field, struct text *out) {
    const char *guard = is_formula(field) ? "'" : "";
    if (strpbrk(field, ",\"\r\n") == NULL) {
        text_add(out, "%s%s", guard, field);
        return;
    }
    text_add(out, "\"%s", guard);
    for (const char *c = field; *c != '\0'; c++)
        text_add_bytes(out, *c == '"' ? "\"\"" : c, *c == '"' ? 2 : 1);
    text_add_string(out, "\"");
}

void csv_number(double value, int decimals, struct text *out) {
    if (isfinite(value))
        text_add(out, "%.*f", decimals, fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value);
}
