/* SPDX-License-Identifier: MIT
 *
 * Weight files. Text, so that they can be looked at, compared and kept with the sources:
 *
 *     senjutsu geister policy 1
 *     # any number of comments
 *     move                       the weights of pairs in 1024ths: a line a bit, its pairs with the bits
 *     -12                        before it and with itself
 *     3 44
 *     …                          127 lines
 *     value                      and those of the value, likewise
 *
 * tools/embed-policy reads the same when the program is built.
 */
#include "geister/policy.h"

#include <stdio.h>
#include <string.h>

#define HEADER "senjutsu geister policy 1"
enum { UNIT = 1024, WEIGHT_MAX = 1 << 20 };

struct reader {
    const char *name;
    const char *at, *end; /* the rest of the text */
    int line;             /* the number of the line at hand */
    const char *start;    /* and itself, without its end */
    int length;
};

/* The next line that is no comment; the empty line behind the last. */
static void next_line(struct reader *r) {
    do {
        const char *stop = r->at < r->end ? memchr(r->at, '\n', (size_t)(r->end - r->at)) : NULL;
        stop = stop != NULL ? stop : r->end;
        r->start = r->at;
        r->length = (int)(stop - r->at);
        r->at = stop < r->end ? stop + 1 : r->end;
        r->line++;
        if (r->length > 0 && r->start[r->length - 1] == '\r')
            r->length--;
    } while (r->length > 0 && r->start[0] == '#');
}

static bool wants_word(struct reader *r, const char *word, struct err *e) {
    next_line(r);
    if (r->length == (int)strlen(word) && memcmp(r->start, word, (size_t)r->length) == 0)
        return true;
    return err_set(e, "%s:%d: expected '%s', not '%.*s'", r->name, r->line, word,
                   r->length < 40 ? r->length : 40, r->start);
}

/* Reads a whole number that a blank or the line's end follows; where that is, or NULL. */
static const char *read_number(const char *at, const char *stop, long *out) {
    const bool minus = at < stop && *at == '-';
    const char *first = at + minus;
    *out = 0;
    for (at = first; at < stop && *at >= '0' && *at <= '9'; at++)
        *out = *out <= WEIGHT_MAX ? *out * 10 + (*at - '0') : *out;
    *out = minus ? -*out : *out;
    return at > first && (at == stop || *at == ' ') ? at : NULL;
}

static bool read_row(struct reader *r, int bit, float square[POLICY_BITS][POLICY_ROW], struct err *e) {
    next_line(r);
    const char *at = r->start, *const stop = r->start + r->length;
    int count = 0;
    for (; at < stop && count <= bit; count++) {
        long n = 0;
        at = read_number(at, stop, &n);
        if (at == NULL)
            return err_set(e, "%s:%d: number %d is none; expected %d whole numbers with a blank between them",
                           r->name, r->line, count + 1, bit + 1);
        if (n < -WEIGHT_MAX || n > WEIGHT_MAX)
            return err_set(e, "%s:%d: number %d is out of range; expected %d to %d", r->name, r->line,
                           count + 1, -WEIGHT_MAX, WEIGHT_MAX);
        square[bit][count] = square[count][bit] = (float)n / UNIT;
        at += at < stop;
    }
    return (count == bit + 1 && at == stop) ||
           err_set(e, "%s:%d: expected %d whole number%s, found %s", r->name, r->line, bit + 1,
                   bit == 0 ? "" : "s", count > bit ? "more" : "fewer");
}

static bool read_square(struct reader *r, const char *word, float square[POLICY_BITS][POLICY_ROW],
                        struct err *e) {
    if (!wants_word(r, word, e))
        return false;
    for (int bit = 0; bit < POLICY_BITS; bit++)
        if (!read_row(r, bit, square, e))
            return false;
    return true;
}

bool policy_read(const char *name, const char *text, size_t size, struct policy_weights *out, struct err *e) {
    struct reader r = {.name = name, .at = text, .end = text + size};
    memset(out, 0, sizeof *out);
    if (!wants_word(&r, HEADER, e) || !read_square(&r, "move", out->move, e) ||
        !read_square(&r, "value", out->value, e))
        return false;
    next_line(&r);
    return (r.length == 0 && r.at == r.end) ||
           err_set(e, "%s:%d: expected the end of the file", name, r.line);
}

static long units_of(float weight) {
    const float scaled = weight * UNIT;
    if (!(scaled > -WEIGHT_MAX && scaled < WEIGHT_MAX))
        return scaled > 0 ? WEIGHT_MAX : -WEIGHT_MAX;
    return (long)(scaled < 0 ? scaled - 0.5F : scaled + 0.5F);
}

float policy_round(float weight) {
    return (float)units_of(weight) / UNIT;
}

static void write_square(const char *word, const float square[POLICY_BITS][POLICY_ROW], struct text *out) {
    text_add(out, "%s\n", word);
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j <= i; j++)
            text_add(out, "%ld%s", units_of(square[i][j]), j < i ? " " : "\n");
}

void policy_write(const struct policy_weights *weights, const char *comment, struct text *out) {
    text_add_string(out, HEADER "\n");
    for (const char *at = comment; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        text_add(out, "# %.*s\n", (int)length, at);
        at += length + (at[length] != '\0');
    }
    write_square("move", weights->move, out);
    write_square("value", weights->value, out);
}
