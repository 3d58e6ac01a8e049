/* SPDX-License-Identifier: MIT */
#include "base/html.h"

#include "base/charset.h"

#include <string.h>

static void escape_utf8(const char *string, struct text *out) {
    for (const char *c = string; *c != '\0'; c++)
        switch (*c) {
        case '&': text_add_string(out, "&amp;"); break;
        case '<': text_add_string(out, "&lt;"); break;
        case '>': text_add_string(out, "&gt;"); break;
        case '"': text_add_string(out, "&quot;"); break;
        case '\n': text_add_string(out, "\n"); break;
        default:
            /* Other control characters have no place in a page, escaped or not. */
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
    out->failed = out->failed || converted.failed;
    text_done(&converted);
}
