/* SPDX-License-Identifier: MIT
 *
 * Character sets. The platform's maps contain comments in Shift_JIS (CP932); all text inside this program is
 * UTF-8.
 */
#ifndef BASE_CHARSET_H
#define BASE_CHARSET_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

bool charset_is_utf8(const char *bytes, size_t size);

/* Appends the bytes as UTF-8: unchanged (without a byte-order mark) when they are valid UTF-8, otherwise
 * converted from CP932, with '?' for invalid bytes. NUL bytes become blanks, so the result is one C string.
 */
void charset_to_utf8(const char *bytes, size_t size, struct text *out);

/* Copies `length` bytes of UTF-8 and a NUL into `out`; text that does not fit is cut between two characters.
 */
void charset_copy(char *out, size_t out_size, const char *utf8, size_t length);

/* Replaces bytes that are not UTF-8 by '?', in place: for example half a character at the end of a quotation
 * that was cut. */
void charset_mend(char *string);

/* Appends foreign text in a form that is safe to show, on one line. Control characters, invisible characters,
 * characters that change the direction of text, and bytes that are not UTF-8 become \xNN or \u{NNNN}; a
 * backslash is doubled. Different texts look different, and a terminal executes nothing in them. */
void charset_show(const char *bytes, size_t size, struct text *out);

/* The same for sentences that quote foreign text: a backslash stays single. */
void charset_show_sentence(const char *bytes, size_t size, struct text *out);

/* Reads the character at the beginning of `size` bytes (at least one). Returns its size, 1 for a byte that is
 * not UTF-8. *harmless is false for characters that charset_show writes as \xNN or \u{NNNN}. */
size_t charset_glyph(const char *bytes, size_t size, bool *harmless);

/* The same in place, for buffers whose length must not change: each byte of a harmful character becomes '?';
 * line ends stay. */
void charset_disarm(char *string);

/* Columns a terminal needs for a UTF-8 string: East Asian wide characters take two. */
int charset_width(const char *utf8);

#endif
