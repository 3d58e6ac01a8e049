/* SPDX-License-Identifier: MIT
 *
 * A growing string. Additions cannot fail (base/mem.h).
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* NUL-terminated once something was added; NULL before */
    size_t size, capacity;
};

void text_done(struct text *t);
void text_clear(struct text *t); /* keeps the memory */
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *t, const char *bytes, size_t size);
void text_add_string(struct text *t, const char *string);

/* Makes room for that many more bytes; false when there is not enough memory. For large amounts. */
bool text_reserve(struct text *t, size_t more);

/* Never NULL: "" while nothing was added. */
const char *text_string(const struct text *t);

/* Cuts white space from both ends of a NUL-terminated string, in place; returns its new start. */
char *text_trim(char *string);

/* If `line` begins with this word: the text behind the word and the blanks after it. Otherwise NULL. */
const char *text_after_word(const char *line, const char *word);

/* Reads a decimal integer that fills the whole string except blanks around it. */
bool text_to_int(const char *string, long *out);
bool text_to_u64(const char *string, unsigned long long *out);
bool text_to_real(const char *string, double *out);

/* Splits `string` in place at `separator`; returns how many pieces were stored, or -1 when there are more
 * than `pieces_max`. */
int text_split(char *string, char separator, char **pieces, int pieces_max);

#endif
