/* SPDX-License-Identifier: MIT
 *
 * Text: growing strings, UTF-8, and sentences for people.
 *
 * All text inside this program is UTF-8. The platform's maps contain comments in Shift_JIS (CP932).
 *
 * Errors are sentences. A function that can fail because of input or the system returns bool and takes a
 * `struct err *` last; when it returns false the text names what was wrong and what was expected.
 *
 * Messages are data: a code, the English text and its arguments. A program that translates a message looks up
 * its code and puts the arguments into its own text; it never reads the English text back.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct json_t;

/* ---- growing strings; additions cannot fail (base/mem.h) ---- */

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

/* ---- character sets ---- */

bool charset_is_utf8(const char *bytes, size_t size);

/* Appends the bytes as UTF-8: unchanged (without a byte-order mark) when they are valid UTF-8, otherwise
 * converted from CP932, with '?' for invalid bytes. NUL bytes become blanks, so the result is one C string.
 */
void charset_to_utf8(const char *bytes, size_t size, struct text *out);

/* Copies `length` bytes of UTF-8 and a NUL into `out`; text that does not fit is cut between characters. */
void charset_copy(char *out, size_t out_size, const char *utf8, size_t length);

/* Replaces bytes that are not UTF-8 by '?', in place: for example half a character at the end of a quotation
 * that was cut. */
void charset_repair(char *string);

/* Appends foreign text in a form that is safe to show, on one line. Control characters, invisible characters,
 * characters that change the direction of text, and bytes that are not UTF-8 become \xNN or \u{NNNN}; a
 * backslash is doubled. Different texts look different, and a terminal executes nothing in them. */
void charset_show(const char *bytes, size_t size, struct text *out);

/* The same for sentences that quote foreign text: a backslash stays single. */
void charset_show_sentence(const char *bytes, size_t size, struct text *out);

/* The same in place, for buffers whose length must not change: each byte of a harmful character becomes '?';
 * line ends stay. */
void charset_disarm(char *string);

/* Reads the character at the beginning of `size` bytes (at least one). Returns its size, 1 for a byte that is
 * not UTF-8. *harmless is false for characters that charset_show writes as \xNN or \u{NNNN}. */
size_t charset_glyph(const char *bytes, size_t size, bool *harmless);

/* Columns a terminal needs for a UTF-8 string: East Asian wide characters take two. */
int charset_width(const char *utf8);

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

/* An object of "code", "args" (an array of strings) and, where there is one, "prefix"; NULL without a code.
 * Bytes that are not UTF-8 become '?'. The other function adds these members to an object. */
struct json_t *msg_json(const struct msg *m, const char *text);
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
