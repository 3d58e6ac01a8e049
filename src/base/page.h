/* SPDX-License-Identifier: MIT
 *
 * Results as a page: one HTML file that loads nothing from anywhere. It holds its data as JSON, the
 * components of the workbench's page as one classic script (web/src/report), and the same tables as plain
 * HTML, which the script replaces. Where Node.js was missing when the program was built, there is only the
 * plain HTML.
 */
#ifndef BASE_PAGE_H
#define BASE_PAGE_H

#include "base/text.h"

struct json_t;

/* Made by tools/embed-page. Without a script all are NULL. */
struct page_bundle {
    const char *script; /* with the line ends around it */
    const char *style;
    const char *hash; /* of the script, for a Content-Security-Policy: "sha256-…" */
};

extern const struct page_bundle page_bundle;

struct page {
    const char *title;
    const char *kind;          /* which of the pages of web/src/report/main.tsx */
    const struct json_t *data; /* of that page */
    const char *plain;         /* HTML below the title */
    int refresh_s;             /* the page loads itself again after that time; 0: never */
};

/* The script and the style stand on lines of their own between <script>, </script>, <style> and </style>. */
void page_write(const struct page *page, struct text *out);

/* Appends the value so that it can stand in a <script> element: no '<', '>', '&', U+2028 or U+2029. */
void page_add_json(const struct json_t *value, struct text *out);

#endif
