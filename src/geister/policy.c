/* SPDX-License-Identifier: MIT
 *
 * The linear policy: features, scores, softmax, and weight files.
 */
#include "geister/policy.h"

#include "geister/policy_bits.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- bits ---- */

static void add_cells(uint64_t cells, int first, struct bit_list *out) {
    for (; cells != 0; cells &= cells - 1)
        out->bits[out->count++] = (uint8_t)(first + __builtin_ctzll(cells));
}

void bits_of(const struct geister_observation *seen, struct bit_list *out) {
    const uint64_t boards[3] = {seen->blue, seen->red, seen->unknown | seen->their_red | seen->their_blue};
    const int counts[4] = {seen->taken_blues, seen->taken_reds, seen->lost_blues, seen->lost_reds};
    out->count = 0;
    for (int plane = 0; plane < 3; plane++) {
        add_cells(boards[plane], plane * BIT_PLANE, out);
        for (int i = 0; i < 4; i++)
            if (counts[i] == plane + 1)
                out->bits[out->count++] = (uint8_t)(plane * BIT_PLANE + BIT_COUNTS + i);
    }
    out->bits[out->count++] = BIT_ALWAYS;
}

/* Four a cell: N, E, W, S; one line is a row of the board. */
const int8_t bits_targets[GEISTER_CELLS * 4] = {
    -1, 1,  -1, 6,  -1, 2,  0,  7,  -1, 3,  1,  8,  -1, 4,  2,  9,  -1, 5,  3,  10, -1, -1, 4,  11,
    0,  7,  -1, 12, 1,  8,  6,  13, 2,  9,  7,  14, 3,  10, 8,  15, 4,  11, 9,  16, 5,  -1, 10, 17,
    6,  13, -1, 18, 7,  14, 12, 19, 8,  15, 13, 20, 9,  16, 14, 21, 10, 17, 15, 22, 11, -1, 16, 23,
    12, 19, -1, 24, 13, 20, 18, 25, 14, 21, 19, 26, 15, 22, 20, 27, 16, 23, 21, 28, 17, -1, 22, 29,
    18, 25, -1, 30, 19, 26, 24, 31, 20, 27, 25, 32, 21, 28, 26, 33, 22, 29, 27, 34, 23, -1, 28, 35,
    24, 31, -1, -1, 25, 32, 30, -1, 26, 33, 31, -1, 27, 34, 32, -1, 28, 35, 33, -1, 29, -1, 34, -1,
};

int bits_mirror(int bit) {
    const int place = bit % BIT_PLANE;
    if (bit == BIT_ALWAYS || place >= GEISTER_CELLS)
        return bit;
    return bit - place + place / GEISTER_SIZE * GEISTER_SIZE + GEISTER_SIZE - 1 - place % GEISTER_SIZE;
}

int bits_moves(uint64_t red, uint64_t blue, bool both, action *out) {
    static const enum geister_direction order[4] = {GEISTER_NORTH, GEISTER_EAST, GEISTER_SOUTH, GEISTER_WEST};
    const uint64_t all = (UINT64_C(1) << GEISTER_CELLS) - 1, left = UINT64_C(0x41041041), right = left << 5;
    const uint64_t corner = blue & (UINT64_C(1) | UINT64_C(1) << (GEISTER_SIZE - 1));
    const uint64_t own = red | blue, free = all & ~own;
    uint64_t can[4]; /* the cells from which a piece can go in that direction */
    can[GEISTER_NORTH] = (free << GEISTER_SIZE) | (both ? corner : 0);
    can[GEISTER_SOUTH] = free >> GEISTER_SIZE;
    can[GEISTER_EAST] = ((free >> 1) & ~right) | (corner & right);
    can[GEISTER_WEST] = ((free << 1) & ~left) | (corner & left);
    int count = 0;
    for (uint64_t rest = own; rest != 0; rest &= rest - 1) {
        const int cell = __builtin_ctzll(rest);
        for (int i = 0; i < 4; i++) {
            out[count] = geister_move(cell, order[i]);
            count += (int)(can[order[i]] >> cell & 1);
        }
    }
    return count;
}

/* ---- scores ---- */

/* With the row sums of the position's bits (21 additions of 128 numbers, which compilers vectorize), each
 * move needs a handful of additions: it only clears one or two bits and sets one or two. */

void bits_sum(const float weights[POLICY_BITS][POLICY_ROW], const struct bit_list *list,
              float out[POLICY_ROW]) {
    _Alignas(64) float sums[POLICY_ROW] = {0};
    for (int i = 0; i < list->count; i++) {
        const float *row = weights[list->bits[i]];
        for (int j = 0; j < POLICY_ROW; j++)
            sums[j] += row[j];
    }
    memcpy(out, sums, sizeof sums);
}

float bits_score(const float weights[POLICY_BITS][POLICY_ROW], const struct bit_list *list,
                 const float sums[POLICY_ROW]) {
    float twice = 0; /* every pair of different bits is in two row sums, the bit itself in one */
    for (int i = 0; i < list->count; i++)
        twice += sums[list->bits[i]] + weights[list->bits[i]][list->bits[i]];
    return twice / 2;
}

/* exp(x) for x <= 0 as 2 to the power of x / ln 2: the integer part goes into the exponent, the rest, between
 * -1 and 0, into a polynomial (the Taylor series of 2^f at 0, with an error below 2e-6 there). It uses only
 * operations that IEEE 754 defines; libraries differ in the last bit. */
static inline float exp_below(float x) {
    const float t = x * 1.44269504F, limited = t < -100 ? -100 : t;
    const int whole = (int)limited;
    const float f = limited - (float)whole;
    const float p =
        1 + f * (0.693147181F +
                 f * (0.240226507F +
                      f * (0.0555041087F +
                           f * (0.00961812911F +
                                f * (0.00133335581F + f * (0.000154035304F + f * 0.0000152527338F))))));
    union {
        uint32_t bits;
        float value;
    } power = {.bits = (uint32_t)(whole + 127) << 23};
    return p * power.value;
}

void policy_softmax(float *scores, int count) {
    float best = scores[0], sum = 0;
    for (int i = 1; i < count; i++)
        best = scores[i] > best ? scores[i] : best;
    for (int i = 0; i < count; i++)
        scores[i] = exp_below(scores[i] - best);
    for (int i = 0; i < count; i++)
        sum += scores[i];
    for (int i = 0; i < count; i++)
        scores[i] /= sum;
}

int policy_best(const float *scores, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        best = scores[i] > scores[best] ? i : best;
    return best;
}

int policy_draw(const float *chances, int count, struct rng *r) {
    float rest = (float)rng_unit(r);
    for (int i = 0; i < count - 1; i++) {
        rest -= chances[i];
        if (rest < 0)
            return i;
    }
    return count - 1;
}

float bits_worth(float score) {
    const float e = exp_below(score > 0 ? -score : score), worth = (1 - e) / (1 + e);
    return score > 0 ? worth : -worth;
}

/* ---- the policy ---- */

void policy_scores(const struct policy_weights *weights, const struct geister_observation *seen,
                   const action *moves, int count, float *out) {
    _Alignas(64) float sums[POLICY_ROW];
    const uint64_t theirs = seen->unknown | seen->their_red | seen->their_blue;
    struct bit_list list;
    bits_of(seen, &list);
    bits_sum(weights->move, &list, sums);
    const float before = bits_score(weights->move, &list, sums);
    for (int i = 0; i < count; i++)
        out[i] = before + bits_change(weights->move, sums, bits_step(seen->blue, theirs, moves[i]));
}

int policy_moves(const struct geister_observation *seen, action *out) {
    return bits_moves(seen->red, seen->blue, true, out);
}

float policy_value(const struct policy_weights *weights, const struct geister_observation *seen) {
    _Alignas(64) float sums[POLICY_ROW];
    struct bit_list list;
    bits_of(seen, &list);
    bits_sum(weights->value, &list, sums);
    return bits_worth(bits_score(weights->value, &list, sums));
}

/* ---- weight files ---- */

/* Weight files. Text, so that they can be looked at, compared and kept with the sources:
 *
 *     senjutsu geister policy 1
 *     # any number of comments
 *     move                       the weights of pairs in 1024ths: a line a bit, its pairs with the bits
 *     -12                        before it and with itself
 *     3 44
 *     …                          127 lines
 *     value                      and those of the value, likewise
 *
 * tools/embed-policy reads the same when the program is built. */

#define HEADER "senjutsu geister policy 1"
enum { UNIT = 1024, WEIGHT_MAX = 1 << 20 };

struct reader {
    const char *name;
    const char *at, *end; /* the rest of the text */
    int line;             /* number of the current line */
    const char *start;    /* and its text, without the end */
    int length;
};

/* Advances to the next line that is no comment; an empty line behind the last. */
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

static bool expect_word(struct reader *r, const char *word, struct err *e) {
    next_line(r);
    if (r->length == (int)strlen(word) && memcmp(r->start, word, (size_t)r->length) == 0)
        return true;
    return err_set(e, "%s:%d: expected '%s', not '%.*s'", r->name, r->line, word,
                   r->length < 40 ? r->length : 40, r->start);
}

/* Reads a whole number followed by a blank or the line's end; returns the place behind it, or NULL. */
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
    if (!expect_word(r, word, e))
        return false;
    for (int bit = 0; bit < POLICY_BITS; bit++)
        if (!read_row(r, bit, square, e))
            return false;
    return true;
}

bool policy_read(const char *name, const char *text, size_t size, struct policy_weights *out, struct err *e) {
    struct reader r = {.name = name, .at = text, .end = text + size};
    memset(out, 0, sizeof *out);
    if (!expect_word(&r, HEADER, e) || !read_square(&r, "move", out->move, e) ||
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
