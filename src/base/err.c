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
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

bool err_prefix(struct err *e, const char *format, ...) {
    if (e == NULL)
        return false;
    char old[ERR_TEXT_MAX];
    memcpy(old, e->text, sizeof old);
    va_list args;
    va_start(args, format);
    int used = vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    if (used >= 0 && (size_t)used < sizeof e->text)
        snprintf(e->text + used, sizeof e->text - (size_t)used, "%s", old);
    return false;
}
