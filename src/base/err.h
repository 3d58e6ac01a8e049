/* SPDX-License-Identifier: MIT
 *
 * Errors are sentences for people. A function that can fail because of input or the system returns bool and
 * takes a `struct err *` last; when it returns false the text names what was wrong and what was expected.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum { ERR_TEXT_MAX = 512 };

struct err {
    char text[ERR_TEXT_MAX];
};

/* Writes the sentence (cut at ERR_TEXT_MAX) and returns false, so that callers can `return err_set(…)`. `e`
 * may be NULL when the caller needs no reason. */
bool err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts the formatted prefix before the existing text and returns false. */
bool err_prefix(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
