/* SPDX-License-Identifier: MIT
 *
 * Values written in formats of other programs: Base64, CSV and HTML. All output is appended to a `struct
 * text`, except Base64, which fills a buffer of known size.
 */
#ifndef BASE_ENCODE_H
#define BASE_ENCODE_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

/* ---- Base64 (RFC 4648, section 4), with padding ---- */

/* Characters for that many bytes, without the NUL. */
#define BASE64_CHARS(size) (((size) + 2) / 3 * 4)

/* `out` has room for BASE64_CHARS(size) + 1. */
void base64_write(const unsigned char *bytes, size_t size, char *out);

/* Number of bytes a well-formed text encodes, or -1. */
long base64_size(const char *text);

/* ---- CSV (RFC 4180, but lines end with \n as in all other files of the project) ---- */

/* Appends a text field, in quotes where necessary. A field that begins with = + - @ (or their wide forms), a
 * tab or a line end gets an apostrophe before it, unless it is a number: spreadsheets would calculate it. */
void csv_field(const char *field, struct text *out);

/* Appends a number with that many decimals, never "-0"; nothing for NAN and infinity. */
void csv_number(double value, int decimals, struct text *out);

/* ---- HTML ---- */

/* Appends the string as plain text, for use in an element or in a quoted attribute. Control characters except
 * line ends are dropped; bytes that are not UTF-8 are converted (see charset_to_utf8). */
void html_escape(const char *string, struct text *out);

#endif
