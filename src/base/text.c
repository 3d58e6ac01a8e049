/* SPDX-License-Identifier: MIT
 *
 * Growing strings, and reading words and numbers from strings.
 */
#include "base/text.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
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
