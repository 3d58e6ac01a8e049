/* SPDX-License-Identifier: MIT
 *
 * Base64, CSV and HTML.
 */
#include "base/encode.h"

#include "base/charset.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Base64 ---- */

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(const unsigned char *bytes, size_t size, char *out) {
    for (size_t i = 0; i < size; i += 3) {
        const size_t left = size - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? bytes[i + 2] : 0);
        *out++ = letters[three >> 18];
        *out++ = letters[three >> 12 & 63];
        *out++ = left > 1 ? letters[three >> 6 & 63] : '=';
        *out++ = left > 2 ? letters[three & 63] : '=';
    }
    *out = '\0';
}

long base64_size(const char *text) {
    const size_t size = strspn(text, letters);
    const size_t padding = strspn(text + size, "=");
    if (text[size + padding] != '\0' || padding > 2 || (size + padding) % 4 != 0)
        return -1;
    /* Bits beyond the last byte must be zero. */
    if (padding > 0) {
        const long last = strchr(letters, text[size - 1]) - letters;
        if ((last & (padding == 1 ? 3 : 15)) != 0)
            return -1;
    }
    return (long)((size + padding) / 4 * 3 - padding);
}

/* ---- CSV ---- */

/* "-12.5": digits with a sign, a point, an exponent. "inf", "nan" and hexadecimal numbers do not count. */
static bool is_number(const char *field) {
    char *end;
    if (field[strspn(field, "0123456789+-.eE")] != '\0')
        return false;
    strtod(field, &end);
    return end != field && *end == '\0';
}

/* A spreadsheet treats such fields as formulas, which may read other files or start programs. Japanese
 * spreadsheets do so for the wide forms, too. */
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

/* ---- HTML ---- */

static void escape_utf8(const char *string, struct text *out) {
    for (const char *c = string; *c != '\0'; c++)
        switch (*c) {
        case '&': text_add_string(out, "&amp;"); break;
        case '<': text_add_string(out, "&lt;"); break;
        case '>': text_add_string(out, "&gt;"); break;
        case '"': text_add_string(out, "&quot;"); break;
        case '\n': text_add_string(out, "\n"); break;
        default:
            /* Other control characters are not allowed in a page, escaped or not. */
            if ((unsigned char)*c >= 0x20 && *c != 0x7F)
                text_add_bytes(out, c, 1);
        }
}

void html_escape(const char *string, struct text *out) {
    const size_t size = strlen(string);
    if (charset_is_utf8(string, size)) {
        escape_utf8(string, out);
        return;
    }
    struct text converted = {0};
    charset_to_utf8(string, size, &converted);
    escape_utf8(text_string(&converted), out);
    text_done(&converted);
}
