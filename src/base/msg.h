/* SPDX-License-Identifier: MIT
 *
 * Messages as data: a code, the English text and its arguments. A program that translates a message looks up
 * its code and puts the arguments into its own text; it never reads the English text back.
 */
#ifndef BASE_MSG_H
#define BASE_MSG_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

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

/* The text has got `size` bytes in front of it, and was cut to `text_size`. */
void msg_shift(struct msg *m, size_t size, size_t text_size);

/* Adds "code", "args" (an array of strings) and, where there is one, "prefix" to a JSON object; nothing
 * without a code. Bytes that are not UTF-8 become '?'. */
struct json_t;
void msg_add_json(struct json_t *object, const struct msg *m, const char *text);

#endif
