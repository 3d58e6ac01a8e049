/* SPDX-License-Identifier: MIT
 *
 * Formats of other programs: Base64, SHA-1, CSV, HTML, JSON, and a page of HTML with its data. All output is
 * appended to a `struct text`, except Base64 and SHA-1, which fill a buffer of known size.
 */
#ifndef BASE_ENCODE_H
#define BASE_ENCODE_H

#include "base/text.h"

#include <jansson.h>
#include <stdint.h>

/* ---- Base64 (RFC 4648, section 4), with padding ---- */

/* Characters for that many bytes, without the NUL. */
#define BASE64_CHARS(size) (((size) + 2) / 3 * 4)

/* `out` has room for BASE64_CHARS(size) + 1. */
void base64_write(const unsigned char *bytes, size_t size, char *out);

/* Number of bytes a well-formed text encodes, or -1. */
long base64_size(const char *text);

/* ---- SHA-1 (FIPS 180-4), for the WebSocket handshake only: it protects nothing ---- */

enum { SHA1_SIZE = 20 };

void sha1(const void *bytes, size_t size, unsigned char out[SHA1_SIZE]);

/* ---- CSV (RFC 4180, but lines end with \n as in all other files of the project) ---- */

/* Appends a text field, in quotes where necessary. A field that begins with = + - @ (or their wide forms), a
 * tab or a line end gets an apostrophe before it, unless it is a number: spreadsheets would calculate it. */
void csv_field(const char *field, struct text *out);

/* ---- HTML ---- */

/* Appends the string as plain text, for use in an element or in a quoted attribute. Control characters except
 * line ends are dropped; bytes that are not UTF-8 are converted (see charset_to_utf8). */
void html_escape(const char *string, struct text *out);

/* ---- JSON: loading it, its head, and values that need care ---- */

/* Loads a document; the caller drops it. On a syntax error or duplicate key: NULL and "NAME:LINE: reason". */
json_t *jsontext_load(const char *name, const char *text, size_t size, struct err *e);

/* True when "format" is that string and "version" is 1. */
bool jsontext_is(const json_t *root, const char *format, struct err *e);

/* The seed as a number, or as a string of digits when it exceeds what JSON readers represent exactly. */
json_t *jsontext_seed(uint64_t seed);

/* A string from bytes that need not be UTF-8 (see charset_to_utf8). */
json_t *jsontext_string(const char *bytes, size_t size);

/* Parses text that this program has written; NULL when it is no JSON. */
json_t *jsontext_own(const struct text *text);

/* Appends the text of a value (NULL is allowed) and a line end; `flags` are those of json_dumps. False, with
 * nothing appended, when a string in it is not UTF-8 or memory ran out. The value stays the caller's. */
bool jsontext_add_line(const json_t *value, size_t flags, struct text *out);

/* Appends the JSON text of a member to `out`, for readers that take text. On false `e` has the reason. */
bool jsontext_member(const json_t *root, const char *key, struct text *out, struct err *e);

/* ---- pages ----
 *
 * Results as a page: one HTML file that loads nothing from anywhere. It holds its data as JSON, the
 * components of the workbench's page as one classic script (web/src/report), and the same tables as plain
 * HTML, which the script replaces. Where Node.js was missing when the program was built, there is only the
 * plain HTML. */

/* Made by tools/embed-page. Without a script all are NULL. */
struct page_bundle {
    const char *script; /* with the line ends around it */
    const char *style;
    const char *hash; /* of the script, for a Content-Security-Policy: "sha256-…" */
};

extern const struct page_bundle page_bundle;

struct page {
    const char *title;
    const char *kind;   /* which of the pages of web/src/report/main.tsx */
    const json_t *data; /* of that page */
    const char *plain;  /* HTML below the title */
    int refresh_s;      /* the page loads itself again after that time; 0: never */
};

/* The script and the style stand on lines of their own between <script>, </script>, <style> and </style>. */
void page_write(const struct page *page, struct text *out);

/* Appends the value so that it can stand in a <script> element: no '<', '>', '&', U+2028 or U+2029. */
void page_add_json(const json_t *value, struct text *out);

#endif
