/* SPDX-License-Identifier: MIT
 *
 * Messages (formatting with a note of where each argument is), and errors, which hold one.
 */
#include "base/charset.h"
#include "base/err.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

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
    charset_mend(part);
    return json_string(part);
}

void msg_add_json(struct json_t *object, const struct msg *m, const char *text) {
    if (m->code[0] == '\0')
        return;
    json_t *args = json_array();
    for (int i = 0; i < m->arg_count; i++)
        json_array_append_new(args, part_to_json(text, m->args[i].at, m->args[i].size));
    json_object_update_new(object, json_pack("{ss so so*}", "code", m->code, "args", args, "prefix",
                                             m->prefix > 0 ? part_to_json(text, 0, m->prefix) : NULL));
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
    const size_t size = strlen(e->text);
    e->msg.prefix = (uint16_t)(e->msg.prefix + used);
    for (int i = 0; i < e->msg.arg_count; i++) {
        const size_t at = e->msg.args[i].at + used, end = at + e->msg.args[i].size;
        e->msg.args[i].at = (uint16_t)(at < size ? at : size);
        e->msg.args[i].size = (uint16_t)((end < size ? end : size) - e->msg.args[i].at);
    }
    return false;
}
