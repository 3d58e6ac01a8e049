/* SPDX-License-Identifier: MIT */
#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool err_set(struct err *e, const char *format, ...) {
    if (e == NULL)
        return false;
    va_list args;
    va_start(args, format);
    e->msg = (struct msg){0};
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    e->field[0] = '\0';
    e->kind = ERR_INPUT;
    return false;
}

bool err_field(struct err *e, const char *field) {
    if (e != NULL)
        snprintf(e->field, sizeof e->field, "%s", field);
    return false;
}

bool err_kind(struct err *e, enum err_kind kind) {
    if (e != NULL)
        e->kind = kind;
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
    e->kind = ERR_INPUT;
    return false;
}

bool err_prefix(struct err *e, const char *format, ...) {
    if (e == NULL)
        return false;
    char old[ERR_TEXT_MAX];
    memcpy(old, e->text, sizeof old);
    va_list args;
    va_start(args, format);
    const int written = vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    const size_t used = written < 0 ? 0 : (size_t)written;
    if (used < sizeof e->text)
        snprintf(e->text + used, sizeof e->text - used, "%s", old);
    msg_shift(&e->msg, used < sizeof e->text ? used : sizeof e->text - 1, strlen(e->text));
    return false;
}
