/* SPDX-License-Identifier: MIT */
#include "base/page.h"

#include "base/encode.h"

#include <assert.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char plain_style[] = "\n:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;"
                                  "max-width:76rem;margin:2rem auto;padding:0 1rem}table{border-collapse:"
                                  "collapse}th,td{text-align:start;padding:.2rem .75rem .2rem 0}\n";

/* Strings are the only part of JSON that can hold these characters; there an escape means the same. */
void page_add_json(const struct json_t *value, struct text *out) {
    char *dump = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(12));
    assert(dump != NULL);
    for (const char *at = dump; *at != '\0';) {
        const size_t plain = strcspn(at, "<>&\xe2");
        text_add_bytes(out, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        if (strncmp(at, "\xe2\x80\xa8", 3) == 0 || strncmp(at, "\xe2\x80\xa9", 3) == 0) {
            text_add(out, "\\u20%s", at[2] == '\xa8' ? "28" : "29");
            at += 3;
        } else if (*at == '\xe2') {
            text_add_bytes(out, at++, 1);
        } else {
            text_add(out, "\\u%04x", (unsigned)*at++);
        }
    }
    free(dump);
}

void page_write(const struct page *page, struct text *out) {
    text_add_string(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    if (page->refresh_s > 0)
        text_add(out, "<meta http-equiv=\"refresh\" content=\"%d\"/>\n", page->refresh_s);
    text_add_string(out, "<title>");
    html_escape(page->title, out);
    text_add_string(out, "</title>\n<style>");
    text_add_string(out, page_bundle.style != NULL ? page_bundle.style : plain_style);
    text_add_string(out, "</style>\n</head>\n<body>\n<div id=\"app\">\n<h1>");
    html_escape(page->title, out);
    text_add_string(out, "</h1>\n");
    text_add_string(out, page->plain);
    text_add(out, "</div>\n<script type=\"application/json\" id=\"data\">\n{\"page\":\"%s\",\"data\":",
             page->kind);
    page_add_json(page->data, out);
    text_add_string(out, "}\n</script>\n");
    if (page_bundle.script != NULL) {
        text_add_string(out, "<script>");
        text_add_string(out, page_bundle.script);
        text_add_string(out, "</script>\n");
    }
    text_add_string(out, "</body>\n</html>\n");
}
