/* SPDX-License-Identifier: MIT
 *
 * Errors are sentences for people. A function that can fail because of input or the system returns bool and
 * takes a `struct err *` last; when it returns false the text names what was wrong and what was expected.
 *
 * Messages are data: a code, the English text and its arguments. A program that translates a message looks up
 * its code and puts the arguments into its own text; it never reads the English text back.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;

/* ---- messages ---- */

enum { MSG_CODE_MAX = 40, MSG_ARGS_MAX = 12 };

/* The code of a text, and where its arguments are in it: each is formatted once, as a part of the text. A
 * plain value without pointers: messages are copied, and sent to other processes. */
struct msg {
    char code[MSG_CODE_MAX]; /* "": a text without a code */
    uint16_t prefix;         /* bytes of the text before the message, see err_prefix */
    uint8_t arg_count;
    struct {
        uint16_t at, size; /* in bytes; an argument that was cut off has size 0 */
    } args[MSG_ARGS_MAX];
};

/* Formats into `text`, cut at its size, and notes code and arguments. `code` may be NULL. Conversions: d i u
 * x c s f e g with flags, width, precision (also '*') and the lengths h, l, ll, z. */
void msg_format(struct msg *m, char *text, size_t text_size, const char *code, const char *format,
                va_list values) __attribute__((format(printf, 5, 0)));

/* The same with the arguments in the call. */
void msg_set(struct msg *m, char *text, size_t text_size, const char *code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Adds "code", "args" (an array of strings) and, where there is one, "prefix" to a JSON object; nothing
 * without a code. Bytes that are not UTF-8 become '?'. */
void msg_add_json(struct json_t *object, const struct msg *m, const char *text);

/* ---- errors ---- */

enum { ERR_TEXT_MAX = 512, ERR_FIELD_MAX = 64 };

struct err {
    char text[ERR_TEXT_MAX];
    struct msg msg;            /* the sentence as data, where err_code has made it */
    char field[ERR_FIELD_MAX]; /* the field or option that the sentence is about; empty: none, or unknown */
};

/* Writes the sentence (cut at ERR_TEXT_MAX), clears the field and returns false, so that callers can
 * `return err_set(…)`. `e` may be NULL when the caller needs no reason. */
bool err_set(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The same for a sentence that programs translate by its code. */
bool err_code(struct err *e, const char *code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Names the field of an existing sentence, in place of one within its value, and returns false:
 * `return timing_read(text, out, e) || err_field(e, "clock")`. */
bool err_field(struct err *e, const char *field);

/* Puts the formatted prefix before the existing text and returns false. */
bool err_prefix(struct err *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
