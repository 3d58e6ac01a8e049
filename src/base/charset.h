/* SPDX-License-Identifier: MIT
 *
 * The platform's maps carry comments in Shift_JIS (CP932); ours are UTF-8. Inside the program all text is
 * UTF-8.
 */
#ifndef BASE_CHARSET_H
#define BASE_CHARSET_H

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>

bool charset_is_utf8(const char *bytes, size_t size);

/* Appends the bytes as UTF-8: as they are (less a byte-order mark) when they are valid UTF-8, otherwise read
 * as CP932, with '?' for what is neither. NUL bytes become blanks, so the result is one C string. */
void charset_to_utf8(const char *bytes, size_t size, struct text *out);

/* Copies `length` bytes of UTF-8 and a NUL into `out`; what does not fit is cut between two characters. */
void charset_copy(char *out, size_t out_size, const char *utf8, size_t length);

/* Bytes that are no UTF-8 become '?', in place: what a quotation that was cut leaves of a character, say. */
void charset_mend(char *string);

/* Appends text of others as a person may see it, on one line: control characters, characters that cannot be
 * seen or turn the direction of what follows, and bytes that are no UTF-8 become \xNN or \u{NNNN}, and a
 * backslash two. Two texts that differ are shown differently, and a terminal obeys nothing in them. */
void charset_show(const char *bytes, size_t size, struct text *out);

/* The same for sentences that quote what others wrote: a backslash stays as it is. */
void charset_show_sentence(const char *bytes, size_t size, struct text *out);

/* The character at the beginning of so many bytes (at least one): returns its size, 1 for a byte that is no
 * UTF-8. *harmless is false for what charset_show writes as \xNN or \u{NNNN}. */
size_t charset_glyph(const char *bytes, size_t size, bool *harmless);

/* The same in place, where the length must not change and it need not be known what stood there: each byte of
 * what is not harmless becomes '?', but line ends stay. */
void charset_disarm(char *string);

/* Columns a terminal needs for a UTF-8 string: East Asian wide characters take two. */
int charset_width(const char *utf8);

#endif
