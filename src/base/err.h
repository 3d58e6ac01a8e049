/* SPDX-License-Identifier: MIT
 *
 * Errors are sentences for people. A function that the outside world can make fail returns bool and takes
 * a `struct err *` last; on false the text says what was wrong and what was expected.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdbool.h>

enum { ERR_TEXT_MAX = 512 };

struct err {
    char text[ERR_TEXT_MAX];
};

/* Writes the sentence (cut at ERR_TEXT_MAX) and returns false, so that callers can `return err_set(…)`.
 * `e` may be NULL when the caller does not want the reason. */
bool err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "prefix" in front of the text that is there already and returns false. */
bool err_prefix(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
