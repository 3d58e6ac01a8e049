/* SPDX-License-Identifier: MIT
 *
 * Positions, values and weight files of geist.
 */
#include "geister/geist_value.h"

#include <stdlib.h>
#include <string.h>

/* ---- positions ---- */

static void add_piece(struct geist_board *b, int side, int cell, bool red) {
    const uint64_t at = UINT64_C(1) << cell, turned = UINT64_C(1) << geist_turned_cell(cell);
    (red ? b->red : b->blue)[side] |= at;
    (red ? b->their_red : b->their_blue)[1 - side] |= turned;
}

void geist_board_of(const struct geister *view, const unsigned reds[2], struct geist_board *out) {
    const struct geister_scenario *const sc = (const struct geister_scenario *)view->scenario;
    *out = (struct geist_board){.mover = view->mover, .left = (int16_t)(sc->plies - view->ply)};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GEISTER_PIECES; i++) {
            const int cell = view->where[side][i];
            const bool red = (reds[side] >> i & 1) != 0;
            if (cell < GEISTER_CELLS)
                add_piece(out, side, side == 0 ? cell : geist_turned_cell(cell), red);
            else
                (red ? out->lost_reds : out->lost_blues)[side] += 1;
        }
}

static uint64_t mirrored(uint64_t board) {
    const uint64_t column = UINT64_C(0x041041041);
    uint64_t out = 0;
    for (int x = 0; x < GEISTER_SIZE; x++)
        out |= (board >> x & column) << (GEISTER_SIZE - 1 - x);
    return out;
}

void geist_mirror(struct geist_board *b) {
    for (int side = 0; side < 2; side++) {
        b->red[side] = mirrored(b->red[side]);
        b->blue[side] = mirrored(b->blue[side]);
        b->their_red[side] = mirrored(b->their_red[side]);
        b->their_blue[side] = mirrored(b->their_blue[side]);
    }
}

/* ---- values ---- */

/* The cells at each number of steps from an exit: own left, own right, their left, their right, as a side
 * sees them. */
static const uint64_t rings[4][VALUE_STEPS - 1] = {
    {0x000000001, 0x000000042, 0x000001084, 0x000042108, 0x001084210, 0x042108420, 0x084210800},
    {0x000000020, 0x000000810, 0x000020408, 0x000810204, 0x020408102, 0x810204081, 0x408102040},
    {0x040000000, 0x081000000, 0x102040000, 0x204081000, 0x408102040, 0x810204081, 0x020408102},
    {0x800000000, 0x420000000, 0x210800000, 0x108420000, 0x084210800, 0x042108420, 0x001084210},
};

static int steps_to(uint64_t set, int corner) {
    int steps = 0;
    while (steps < VALUE_STEPS - 1 && (set & rings[corner][steps]) == 0)
        steps++;
    return steps;
}

static void add_cells(uint64_t cells, int first, struct value_bits *out) {
    for (; cells != 0; cells &= cells - 1)
        out->bits[out->count++] = (uint8_t)(first + __builtin_ctzll(cells));
}

/* A position in the form the bits are computed from. */
struct seat {
    uint64_t blue, red, their_blue, their_red;
    uint8_t counts[4]; /* taken: their blues, their reds, own blues, own reds */
};

static void bits_of_seat(const struct seat *s, struct value_bits *out) {
    const uint64_t own = s->blue | s->red, theirs = s->their_blue | s->their_red;
    const uint64_t runners[2] = {s->blue, s->their_blue}, guards[2] = {theirs, own};
    out->count = 0;
    add_cells(s->blue, 0, out);
    add_cells(s->red, VALUE_PLANE, out);
    add_cells(s->their_blue, 2 * VALUE_PLANE, out);
    add_cells(s->their_red, 3 * VALUE_PLANE, out);
    for (int i = 0; i < 4; i++)
        if (s->counts[i] > 0) /* four: the game is over */
            out->bits[out->count++] =
                (uint8_t)(VALUE_COUNTS + i * 3 + (s->counts[i] < 3 ? s->counts[i] : 3) - 1);
    for (int corner = 0; corner < 4; corner++) {
        const int first = VALUE_RACES + corner * 2 * VALUE_STEPS;
        out->bits[out->count++] = (uint8_t)(first + steps_to(runners[corner / 2], corner));
        out->bits[out->count++] = (uint8_t)(first + VALUE_STEPS + steps_to(guards[corner / 2], corner));
    }
    out->bits[out->count++] = VALUE_ALWAYS;
}

void value_bits_open(const struct geist_board *b, int side, struct value_bits *out) {
    const int other = 1 - side;
    bits_of_seat(
        &(struct seat){b->blue[side],
                       b->red[side],
                       b->their_blue[side],
                       b->their_red[side],
                       {b->lost_blues[other], b->lost_reds[other], b->lost_blues[side], b->lost_reds[side]}},
        out);
}

void value_bits_hidden(const struct geist_board *b, int side, const uint8_t counts[2],
                       struct value_bits *out) {
    bits_of_seat(&(struct seat){b->blue[side],
                                b->red[side],
                                b->their_blue[side] | b->their_red[side],
                                0,
                                {counts[0], counts[1], b->lost_blues[side], b->lost_reds[side]}},
                 out);
}

float value_of(const struct geist_weights *weights, enum value_head head, const struct value_bits *bits) {
    const float(*w)[VALUE_ROW] = weights->value[head];
    float score = 0;
    for (int i = 0; i < bits->count; i++) {
        const float *row = w[bits->bits[i]];
        float sum = 0;
        for (int j = 0; j <= i; j++)
            sum += row[bits->bits[j]];
        score += sum;
    }
    return (1 + bits_worth(score)) / 2;
}

/* ---- weight files ---- */

/* Weight files of geist. Text, like those of the policy (policy.c):
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
 * tools/embed-geist reads the same when the program is built. */

#define HEADER "senjutsu geister geist 1"
enum { UNIT = 1024, WEIGHT_MAX = 1 << 20 };

static const char *const head_names[VALUE_HEADS] = {"open", "mover", "waiting"};

struct lines {
    const char *name, *at, *end;
    const char *start; /* the current line, up to `stop` */
    const char *stop;
    int number;
};

/* Advances to the next line that is no comment; an empty one behind the last. */
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

static bool expect_word(struct lines *l, const char *word, struct err *e) {
    next_line(l);
    const int length = (int)(l->stop - l->start);
    if (length == (int)strlen(word) && memcmp(l->start, word, (size_t)length) == 0)
        return true;
    return err_set(e, "%s:%d: expected '%s', not '%.*s'", l->name, l->number, word, length < 40 ? length : 40,
                   l->start);
}

/* Reads a row: exactly that many whole numbers. */
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
    if (!expect_word(&l, HEADER, e) || !expect_word(&l, "move", e))
        return false;
    for (int i = 0; i < POLICY_BITS; i++) {
        if (!read_row(&l, i + 1, out->move[i], e))
            return false;
        for (int j = 0; j < i; j++)
            out->move[j][i] = out->move[i][j];
    }
    for (int head = 0; head < VALUE_HEADS; head++) {
        if (!expect_word(&l, head_names[head], e))
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
