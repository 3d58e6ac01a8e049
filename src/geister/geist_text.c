/* SPDX-License-Identifier: MIT
 *
 * Weight files of geist. Text, like those of the policy (policy_text.c):
 *
 *     senjutsu geister geist 1
 *     # any number of comments
 *     move                       the weights of pairs in 1024ths: a line a bit, its pairs with the bits
 *     -12                        before it and with itself; 127 lines
 *     …
 *     open                       and those of the three values, likewise, 221 lines each
 *     mover
 *     waiting
 *
 * tools/embed-geist reads the same when the program is built.
 */
#include "geister/geist_value.h"

#include <stdlib.h>
#include <string.h>

#define HEADER "senjutsu geister geist 1"
enum { UNIT = 1024, WEIGHT_MAX = 1 << 20 };

static const char *const head_names[VALUE_HEADS] = {"open", "mover", "waiting"};

struct lines {
    const char *name, *at, *end;
    const char *start; /* the line at hand, up to `stop` */
    const char *stop;
    int number;
};

/* The next line that is no comment; an empty one behind the last. */
static void next_line(struct lines *l) {
    do {
        const char *stop = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL;
        l->start = l->at;
        l->stop = stop != NULL ? stop : l->end;
        l->at = stop != NULL ? stop + 1 : l->end;
        l->number++;
    } while (l->start < l->stop && *l->start == '#');
    if (l->start < l->stop && l->stop[-1] == '\r')
        l->stop--;
}

static bool wants_word(struct lines *l, const char *word, struct err *e) {
    next_line(l);
    const int length = (int)(l->stop - l->start);
    if (length == (int)strlen(word) && memcmp(l->start, word, (size_t)length) == 0)
        return true;
    return err_set(e, "%s:%d: expected '%s', not '%.*s'", l->name, l->number, word, length < 40 ? length : 40,
                   l->start);
}

/* A row: so many whole numbers and nothing else. */
static bool read_row(struct lines *l, int count, float *out, struct err *e) {
    next_line(l);
    const char *at = l->start;
    for (int i = 0; i < count; i++) {
        char *after = NULL;
        while (at < l->stop && *at == ' ')
            at++;
        const long n = at < l->stop ? strtol(at, &after, 10) : 0;
        if (at >= l->stop || after == at || after > l->stop || n < -WEIGHT_MAX || n > WEIGHT_MAX)
            return err_set(e, "%s:%d: expected %d whole numbers between -%d and %d, number %d is none",
                           l->name, l->number, count, WEIGHT_MAX, WEIGHT_MAX, i + 1);
        out[i] = (float)n / UNIT;
        at = after;
    }
    return at == l->stop || err_set(e, "%s:%d: expected only %d numbers", l->name, l->number, count);
}

bool geist_weights_read(const char *name, const char *text, size_t size, struct geist_weights *out,
                        struct err *e) {
    struct lines l = {.name = name, .at = text, .end = text + size};
    memset(out, 0, sizeof *out);
    if (!wants_word(&l, HEADER, e) || !wants_word(&l, "move", e))
        return false;
    for (int i = 0; i < POLICY_BITS; i++) {
        if (!read_row(&l, i + 1, out->move[i], e))
            return false;
        for (int j = 0; j < i; j++)
            out->move[j][i] = out->move[i][j];
    }
    for (int head = 0; head < VALUE_HEADS; head++) {
        if (!wants_word(&l, head_names[head], e))
            return false;
        for (int i = 0; i < VALUE_BITS; i++)
            if (!read_row(&l, i + 1, out->value[head][i], e))
                return false;
    }
    next_line(&l);
    return l.start == l.end || err_set(e, "%s:%d: expected the end of the file", name, l.number);
}

static void write_row(const float *row, int count, struct text *out) {
    for (int i = 0; i < count; i++) {
        const float scaled = row[i] * UNIT;
        text_add(out, "%s%d", i == 0 ? "" : " ", (int)(scaled < 0 ? scaled - 0.5F : scaled + 0.5F));
    }
    text_add(out, "\n");
}

void geist_weights_write(const struct geist_weights *weights, const char *comment, struct text *out) {
    text_add(out, HEADER "\n# %s\nmove\n", comment);
    for (int i = 0; i < POLICY_BITS; i++)
        write_row(weights->move[i], i + 1, out);
    for (int head = 0; head < VALUE_HEADS; head++) {
        text_add(out, "%s\n", head_names[head]);
        for (int i = 0; i < VALUE_BITS; i++)
            write_row(weights->value[head][i], i + 1, out);
    }
}
