/* SPDX-License-Identifier: MIT
 *
 * Growing strings, reading words and numbers from strings; UTF-8, conversion from CP932, foreign text in a
 * form that is safe to show; messages (formatting with a note of where each argument is), and errors, which
 * hold one.
 */
#include "base/text.h"

#include "base/mem.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_done(struct text *t) {
    mem_free(t->data);
    *t = (struct text){0};
}

/* Keeps the memory: a text that is filled again and again allocates only while it grows. */
void text_clear(struct text *t) {
    t->size = 0;
    if (t->data != NULL)
        t->data[0] = '\0';
}

/* For amounts that come from outside and may be too large: the only addition that can fail. The capacity
 * doubles, so that many small additions cost a constant time each. A NUL behind the text always fits. */
bool text_reserve(struct text *t, size_t more) {
    if (t->capacity - t->size > more)
        return true;
    const size_t least = t->size + more + 1, doubled = t->capacity > 0 ? 2 * t->capacity : 256;
    const size_t wanted = least > doubled ? least : doubled;
    char *data = mem_try_resize(t->data, wanted);
    if (data == NULL)
        return false;
    if (t->data == NULL)
        data[0] = '\0';
    t->data = data;
    t->capacity = wanted;
    return true;
}

static void make_room(struct text *t, size_t more) {
    if (!text_reserve(t, more))
        mem_exhausted();
}

/* Most additions fit: they are formatted in place, and only those that do not fit are formatted again. */
void text_add(struct text *t, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const size_t room = t->capacity - t->size;
    int size = vsnprintf(room > 0 ? t->data + t->size : NULL, room, format, args);
    va_end(args);
    const bool fits = size >= 0 && (size_t)size < room;
    if (!fits && room > 0)
        t->data[t->size] = '\0';
    if (!fits && size >= 0) {
        make_room(t, (size_t)size);
        size = vsnprintf(t->data + t->size, (size_t)size + 1, format, again);
    }
    va_end(again);
    if (size > 0)
        t->size += (size_t)size;
}

void text_add_bytes(struct text *t, const char *bytes, size_t size) {
    make_room(t, size);
    if (size > 0)
        memcpy(t->data + t->size, bytes, size);
    t->size += size;
    t->data[t->size] = '\0';
}

void text_add_string(struct text *t, const char *string) {
    text_add_bytes(t, string, strlen(string));
}

const char *text_string(const struct text *t) {
    return t->data != NULL ? t->data : "";
}

static const char blanks[] = " \t\n\v\f\r"; /* those that strtol skips */

/* The blanks before the text are skipped and not moved: a caller that frees the string keeps its own
 * pointer. */
char *text_trim(char *string) {
    string += strspn(string, blanks);
    size_t size = strlen(string);
    while (size > 0 && isspace((unsigned char)string[size - 1]))
        size--;
    string[size] = '\0';
    return string;
}

static bool only_blanks(const char *s) {
    return s[strspn(s, blanks)] == '\0';
}

const char *text_after_word(const char *line, const char *word) {
    const size_t size = strlen(word);
    if (strncmp(line, word, size) != 0 || (line[size] != '\0' && line[size] != ' ' && line[size] != '\t'))
        return NULL;
    return line + size + strspn(line + size, " \t");
}

/* strtol reads a prefix and saturates. Both are refused here: "12x" is no number, and neither is one that
 * does not fit. */
bool text_to_int(const char *string, long *out) {
    char *end;
    errno = 0;
    long value = strtol(string, &end, 10);
    if (end == string || errno != 0 || !only_blanks(end))
        return false;
    *out = value;
    return true;
}

/* strtoull accepts "-1" and returns the largest number; a minus anywhere is refused. */
bool text_to_u64(const char *string, unsigned long long *out) {
    char *end;
    errno = 0;
    unsigned long long value = strtoull(string, &end, 10);
    if (end == string || errno != 0 || !only_blanks(end) || strchr(string, '-') != NULL)
        return false;
    *out = value;
    return true;
}

bool text_to_real(const char *string, double *out) {
    char *end;
    double value =
        strtod(string, &end); /* not errno, which is also set for the smallest numbers, which are valid */
    if (end == string || !only_blanks(end) || !isfinite(value))
        return false;
    *out = value;
    return true;
}

/* Empty pieces count: "a,,b" has three. The pieces point into the string. */
int text_split(char *string, char separator, char **pieces, int pieces_max) {
    int count = 0;
    for (;;) {
        if (count == pieces_max)
            return -1;
        pieces[count++] = string;
        char *cut = strchr(string, separator);
        if (cut == NULL)
            return count;
        *cut = '\0';
        string = cut + 1;
    }
}

/* ---- character sets ---- */

/* Length of the well-formed UTF-8 sequence at `s` (RFC 3629: no overlong forms, no surrogates), or 0. */
static size_t sequence_size(const unsigned char *s, size_t size) {
    if (s[0] < 0x80)
        return 1;
    size_t need = s[0] >= 0xC2 && s[0] <= 0xDF   ? 2
                  : (s[0] & 0xF0) == 0xE0        ? 3
                  : s[0] >= 0xF0 && s[0] <= 0xF4 ? 4
                                                 : 0;
    if (need == 0 || need > size)
        return 0;
    for (size_t i = 1; i < need; i++)
        if ((s[i] & 0xC0) != 0x80)
            return 0;
    if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F))
        return 0;
    if ((s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
        return 0;
    return need;
}

/* The character at the beginning of `size` bytes, which takes *used of them; -1 for one that is not UTF-8. */
static int32_t character_at(const char *bytes, size_t size, size_t *used) {
    const unsigned char *s = (const unsigned char *)bytes;
    const size_t n = sequence_size(s, size);
    *used = n > 0 ? n : 1;
    if (n == 0)
        return -1;
    int32_t c = n == 2 ? s[0] & 0x1F : n == 3 ? s[0] & 0x0F : n == 4 ? s[0] & 0x07 : s[0];
    for (size_t i = 1; i < n; i++)
        c = c << 6 | (s[i] & 0x3F);
    return c;
}

bool charset_is_utf8(const char *bytes, size_t size) {
    const unsigned char *s = (const unsigned char *)bytes;
    for (size_t n; size > 0; s += n, size -= n)
        if ((n = sequence_size(s, size)) == 0)
            return false;
    return true;
}

void charset_repair(char *string) {
    for (size_t n, size = strlen(string); size > 0; string += n, size -= n)
        if (character_at(string, size, &n) < 0)
            *string = '?';
}

/* Text inside the program is C strings: a NUL would cut it. */
static void add_without_nul(struct text *out, const char *bytes, size_t size) {
    size_t start = out->size;
    text_add_bytes(out, bytes, size);
    for (size_t i = start; i < out->size; i++)
        if (out->data[i] == '\0')
            out->data[i] = ' ';
}

static void add_from_cp932(iconv_t converter, const char *bytes, size_t size, struct text *out) {
    char *from =
        (char *)(uintptr_t)bytes; /* iconv's prototype lacks a const; it does not write to its input */
    while (size > 0) {
        char buffer[4096];
        char *to = buffer;
        size_t room = sizeof buffer;
        size_t done = iconv(converter, &from, &size, &to, &room);
        add_without_nul(out, buffer, sizeof buffer - room);
        if (done == (size_t)-1 && errno != E2BIG) {
            text_add_bytes(out, "?", 1);
            from++;
            size--;
        }
    }
}

void charset_to_utf8(const char *bytes, size_t size, struct text *out) {
    if (charset_is_utf8(bytes, size)) {
        bool has_mark = size >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0;
        add_without_nul(out, has_mark ? bytes + 3 : bytes, has_mark ? size - 3 : size);
        return;
    }
    /* Two bytes of CP932 become three of UTF-8 at most, one becomes one or three. With the room there,
     * nothing is allocated while the converter is open, so exhausted memory cannot leak it. */
    if (!text_reserve(out, 3 * size + 1))
        mem_exhausted();
    iconv_t converter = iconv_open("UTF-8", "CP932");
    for (size_t i = 0; converter == (iconv_t)-1 && i < size; i++) /* without a converter: ASCII only */
        text_add_bytes(out, (unsigned char)bytes[i] < 0x80 && bytes[i] != '\0' ? &bytes[i] : "?", 1);
    if (converter == (iconv_t)-1)
        return;
    add_from_cp932(converter, bytes, size, out);
    iconv_close(converter);
}

/* Never cuts within a character: the result would not be UTF-8, and JSON refuses it. */
void charset_copy(char *out, size_t out_size, const char *utf8, size_t length) {
    if (length >= out_size) {
        length = out_size - 1;
        while (length > 0 && ((unsigned char)utf8[length] & 0xC0) == 0x80)
            length--;
    }
    memcpy(out, utf8, length);
    out[length] = '\0';
}

/* The ranges of Unicode's East Asian Width that common terminals show in two columns. */
static bool is_wide(int32_t c) {
    return (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
           (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
           (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
}

/* A byte that is not UTF-8 takes one column: it is shown as "?". */
int charset_width(const char *utf8) {
    int width = 0;
    for (size_t n, size = strlen(utf8); size > 0; utf8 += n, size -= n)
        width += is_wide(character_at(utf8, size, &n)) ? 2 : 1;
    return width;
}

/* ---- showing foreign text ---- */

/* Characters without a visible picture: blanks of no width, marks that change the direction of text, and
 * others (Unicode categories Cc, Cf, Zl, Zp, and those of Zs and Mn that show nothing). */
static bool is_unseen(int32_t c) {
    static const int32_t ranges[][2] = {
        {0x0000, 0x001F},   {0x007F, 0x00A0}, {0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x0600, 0x0605},
        {0x061C, 0x061C},   {0x06DD, 0x06DD}, {0x070F, 0x070F}, {0x115F, 0x1160}, {0x1680, 0x1680},
        {0x17B4, 0x17B5},   {0x180B, 0x180F}, {0x2000, 0x200F}, {0x2028, 0x202F}, {0x205F, 0x206F},
        {0x3164, 0x3164},   {0xFE00, 0xFE0F}, {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
        {0xE0000, 0xE0FFF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

/* `exactly`: a backslash is doubled, so that the text can be restored and no two texts look alike. */
static void show(const char *bytes, size_t size, bool exactly, struct text *out) {
    for (size_t n; size > 0; bytes += n, size -= n) {
        const int32_t c = character_at(bytes, size, &n);
        if (c < ' ' || c == 0x7F)
            text_add(out, "\\x%02X", (unsigned char)*bytes);
        else if (is_unseen(c))
            text_add(out, "\\u{%04X}", (unsigned)c);
        else if (c == '\\' && exactly)
            text_add_string(out, "\\\\");
        else
            text_add_bytes(out, bytes, n);
    }
}

void charset_show(const char *bytes, size_t size, struct text *out) {
    show(bytes, size, true, out);
}

void charset_show_sentence(const char *bytes, size_t size, struct text *out) {
    show(bytes, size, false, out);
}

/* Used by writers that measure and cut text character by character. */
size_t charset_glyph(const char *bytes, size_t size, bool *harmless) {
    size_t used;
    const int32_t c = character_at(bytes, size, &used);
    *harmless = c >= 0 && !is_unseen(c);
    return used;
}

void charset_disarm(char *string) {
    bool harmless;
    for (size_t n, size = strlen(string); size > 0; string += n, size -= n) {
        n = charset_glyph(string, size, &harmless);
        if (!harmless && *string != '\n')
            memset(string, '?', n);
    }
}

/* ---- messages ---- */

enum { SPEC_MAX = 24 };

/* One conversion of a format: "%-5.2f", with '*' replaced by its value, and the length of its type. */
struct conversion {
    char spec[SPEC_MAX];
    int longs; /* how many 'l' */
    bool is_size;
    char type;
};

/* Reads the conversion at `at`, which is behind the '%'; returns what follows it. Values of '*' are taken
 * from `values`. */
static const char *read_conversion(const char *at, va_list *values, struct conversion *out) {
    size_t used = 1;
    *out = (struct conversion){.spec = "%"};
    for (; strchr("diuxcsfeg", *at) == NULL; at++) {
        assert(strchr("-+ #0123456789.*hlz", *at) != NULL);
        out->longs += *at == 'l';
        out->is_size |= *at == 'z';
        if (*at == '*')
            used += (size_t)snprintf(out->spec + used, SPEC_MAX - used, "%d", va_arg(*values, int));
        else
            out->spec[used++] = *at;
        assert(used < SPEC_MAX - 1);
    }
    assert(*at != '\0');
    out->spec[used] = out->type = *at;
    return at + 1;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral" /* each spec is one conversion of a checked format */

/* Types smaller than int are passed as int. The signed type serves for the unsigned one of the same size. */
static int format_one(char *out, size_t size, const struct conversion *c, va_list *values) {
    if (c->type == 's')
        return snprintf(out, size, c->spec, va_arg(*values, const char *));
    if (strchr("feg", c->type) != NULL)
        return snprintf(out, size, c->spec, va_arg(*values, double));
    if (c->is_size)
        return snprintf(out, size, c->spec, va_arg(*values, size_t));
    if (c->longs == 2)
        return snprintf(out, size, c->spec, va_arg(*values, long long));
    if (c->longs == 1)
        return snprintf(out, size, c->spec, va_arg(*values, long));
    return snprintf(out, size, c->spec, va_arg(*values, int));
}

#pragma GCC diagnostic pop

void msg_format(struct msg *m, char *text, size_t text_size, const char *code, const char *format,
                va_list values) {
    size_t size = 0; /* of the text so far */
    va_list rest;
    assert(text_size > 0);
    assert(text_size <= UINT16_MAX);
    assert(code == NULL || strlen(code) < MSG_CODE_MAX);
    *m = (struct msg){0};
    snprintf(m->code, sizeof m->code, "%s", code == NULL ? "" : code);
    va_copy(rest, values);
    while (*format != '\0' && size + 1 < text_size) {
        if (format[0] != '%' || format[1] == '%') {
            text[size++] = *format;
            format += *format == '%' ? 2 : 1;
            continue;
        }
        struct conversion conversion;
        format = read_conversion(format + 1, &rest, &conversion);
        const int written = format_one(text + size, text_size - size, &conversion, &rest);
        const size_t room = text_size - size - 1;
        const size_t there = written < 0 ? 0 : (size_t)written < room ? (size_t)written : room;
        if (code != NULL && m->arg_count < MSG_ARGS_MAX) {
            m->args[m->arg_count].at = (uint16_t)size;
            m->args[m->arg_count++].size = (uint16_t)there;
        }
        size += there;
    }
    text[size] = '\0';
    va_end(rest);
}

void msg_set(struct msg *m, char *text, size_t text_size, const char *code, const char *format, ...) {
    va_list values;
    va_start(values, format);
    msg_format(m, text, text_size, code, format, values);
    va_end(values);
}

/* A part of a text, which may quote what is no UTF-8. */
static json_t *part_to_json(const char *text, size_t at, size_t size) {
    char part[1024];
    assert(at + size <= strlen(text));
    snprintf(part, sizeof part, "%.*s", (int)size, text + at);
    charset_repair(part);
    return json_string(part);
}

json_t *msg_json(const struct msg *m, const char *text) {
    if (m->code[0] == '\0')
        return NULL;
    json_t *args = json_array();
    for (int i = 0; i < m->arg_count; i++)
        json_array_append_new(args, part_to_json(text, m->args[i].at, m->args[i].size));
    return json_pack("{ss so so*}", "code", m->code, "args", args, "prefix",
                     m->prefix > 0 ? part_to_json(text, 0, m->prefix) : NULL);
}

void msg_add_json(json_t *object, const struct msg *m, const char *text) {
    json_object_update_new(object, msg_json(m, text));
}

/* ---- errors ---- */

/* Without a code any conversion of printf may be in the format. */
bool err_set(struct err *e, const char *format, ...) {
    if (e == NULL)
        return false;
    va_list args;
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    e->msg = (struct msg){0};
    e->field[0] = '\0';
    return false;
}

bool err_code(struct err *e, const char *code, const char *format, ...) {
    if (e == NULL)
        return false;
    va_list args;
    va_start(args, format);
    msg_format(&e->msg, e->text, sizeof e->text, code, format, args);
    va_end(args);
    e->field[0] = '\0';
    return false;
}

/* The caller's name of the field replaces one that the reader of the value has set: it is the outer one. */
bool err_field(struct err *e, const char *field) {
    if (e != NULL)
        snprintf(e->field, sizeof e->field, "%s", field);
    return false;
}

/* The old text is cut at its end, never the prefix: it names the place. Arguments move with the text; those
 * that were cut off keep a place inside it, with size 0. */
bool err_prefix(struct err *e, const char *format, ...) {
    if (e == NULL)
        return false;
    char old[ERR_TEXT_MAX];
    memcpy(old, e->text, sizeof old);
    va_list args;
    va_start(args, format);
    const int written = vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    const size_t wanted = written < 0 ? 0 : (size_t)written;
    const size_t used = wanted < sizeof e->text ? wanted : sizeof e->text - 1;
    snprintf(e->text + used, sizeof e->text - used, "%s", old);
    const size_t size = strlen(e->text), prefix = e->msg.prefix + used;
    e->msg.prefix = (uint16_t)(prefix < size ? prefix : size);
    for (int i = 0; i < e->msg.arg_count; i++) {
        const size_t at = e->msg.args[i].at + used, end = at + e->msg.args[i].size;
        e->msg.args[i].at = (uint16_t)(at < size ? at : size);
        e->msg.args[i].size = (uint16_t)((end < size ? end : size) - e->msg.args[i].at);
    }
    return false;
}
