/* SPDX-License-Identifier: MIT
 *
 * Errors are sentences for people. A function that can fail because of input or the system returns bool and
 * takes a `struct err *` last; when it returns false the text names what was wrong and what was expected.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/msg.h"

#include <stdbool.h>

enum { ERR_TEXT_MAX = 512, ERR_FIELD_MAX = 64 };

/* Readers of requests answer with different codes; all other callers ignore the kind. */
enum err_kind {
    ERR_INPUT,  /* the input is wrong */
    ERR_ABSENT, /* the input names something that does not exist */
    ERR_SYSTEM, /* the input is right, but the system failed */
};

struct err {
    char text[ERR_TEXT_MAX];
    struct msg msg;            /* the sentence as data, where err_code has made it */
    char field[ERR_FIELD_MAX]; /* the field or option that the sentence is about; empty: none, or unknown */
    enum err_kind kind;
};

/* Writes the sentence (cut at ERR_TEXT_MAX), clears field and kind and returns false, so that callers can
 * `return err_set(…)`. `e` may be NULL when the caller needs no reason. */
bool err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a sentence that programs translate by its code (base/msg.h). */
bool err_code(struct err *e, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Names the field of an existing sentence, in place of one within its value, and returns false:
 * `return timing_read(text, out, e) || err_field(e, "clock")`. */
bool err_field(struct err *e, const char *field);

/* Sets the kind and returns false. */
bool err_kind(struct err *e, enum err_kind kind);

/* Puts the formatted prefix before the existing text and returns false. */
bool err_prefix(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
