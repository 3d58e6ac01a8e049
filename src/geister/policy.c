/* SPDX-License-Identifier: MIT
 *
 * Learned weights and what they compute: the linear policy with its features, scores, softmax and files,
 * games between two policies, and the positions, values and files of geist.
 */
#include "geister/policy.h"

#include "base/file.h"
#include "base/mem.h"

#include <stddef.h>
#include <string.h>

/* ---- bits ---- */

/* Ascending, as the bits of a list must be. */
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

/* Counts and the bits of a move have no mirror image but themselves. */
int bits_mirror(int bit) {
    const int place = bit % BIT_PLANE;
    if (bit == BIT_ALWAYS || place >= GEISTER_CELLS)
        return bit;
    return bit - place + place / GEISTER_SIZE * GEISTER_SIZE + GEISTER_SIZE - 1 - place % GEISTER_SIZE;
}

/* All four directions of all pieces at once; the order is that of the game's own list. */
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

/* The sums are built in registers and stored once. */
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

/* Rounding may leave a rest: then the last one is drawn. */
int policy_draw(const float *chances, int count, struct rng *r) {
    float rest = (float)rng_unit(r);
    for (int i = 0; i < count - 1; i++) {
        rest -= chances[i];
        if (rest < 0)
            return i;
    }
    return count - 1;
}

/* The logistic function scaled to -1 … 1, from an exponential that is the same on every machine. */
float bits_worth(float score) {
    const float e = exp_below(score > 0 ? -score : score), worth = (1 - e) / (1 + e);
    return score > 0 ? worth : -worth;
}

/* ---- the policy ---- */

/* `seen` has no colours of the other side: all its pieces are one plane. `whole` is a constant where this is
 * inlined: with the score of the position before the move, or without. */
BITS_INLINE void score_moves(const float weights[POLICY_BITS][POLICY_ROW],
                             const struct geister_observation *seen, const action *moves, int count,
                             bool whole, float *out) {
    _Alignas(64) float sums[POLICY_ROW];
    const uint64_t theirs = seen->unknown | seen->their_red | seen->their_blue;
    struct bit_list list;
    bits_of(seen, &list);
    bits_sum(weights, &list, sums);
    const float before = whole ? bits_score(weights, &list, sums) : 0;
    for (int i = 0; i < count; i++)
        out[i] = before + bits_change(weights, sums, bits_step(seen->blue, theirs, moves[i]));
}

void policy_changes(const float weights[POLICY_BITS][POLICY_ROW], const struct geister_observation *seen,
                    const action *moves, int count, float *out) {
    score_moves(weights, seen, moves, count, false, out);
}

void policy_scores(const struct policy_weights *weights, const struct geister_observation *seen,
                   const action *moves, int count, float *out) {
    score_moves(weights->move, seen, moves, count, true, out);
}

/* ---- weight files ---- */

/* Text, so that the weights can be looked at, compared and kept with the sources:
 *
 *     senjutsu geister policy 1
 *     # any number of comments
 *     move                       the weights of pairs in 1024ths: a line a bit, its pairs with the bits
 *     -12                        before it and with itself
 *     3 44
 *     …                          127 lines
 *     value                      and those of the value, likewise
 *
 * Those of geist have three values in place of one, 221 lines each: open, mover and waiting.
 * tools/embed-policy and tools/embed-geist read the same when the program is built. */

enum { UNIT = 1024, WEIGHT_MAX = 1 << 20, POLICY_TEXT_MAX = 1 << 20, GEIST_TEXT_MAX = 1 << 22 };

struct lines {
    const char *name, *at, *end; /* the file's name, and the rest of its text */
    int number;                  /* of the current line */
    const char *start;           /* and its text, without the end */
    int length;
};

/* Advances to the next line that is no comment; an empty line behind the last. */
static void next_line(struct lines *l) {
    do {
        const char *stop = l->at < l->end ? memchr(l->at, '\n', (size_t)(l->end - l->at)) : NULL;
        stop = stop != NULL ? stop : l->end;
        l->start = l->at;
        l->length = (int)(stop - l->at);
        l->at = stop < l->end ? stop + 1 : l->end;
        l->number++;
        if (l->length > 0 && l->start[l->length - 1] == '\r')
            l->length--;
    } while (l->length > 0 && l->start[0] == '#');
}

/* A fixed line: headers and the names of parts. */
static bool expect_word(struct lines *l, const char *word, struct err *e) {
    next_line(l);
    return (l->length == (int)strlen(word) && memcmp(l->start, word, (size_t)l->length) == 0) ||
           err_set(e, "%s:%d: expected '%s', not '%.*s'", l->name, l->number, word,
                   l->length < 40 ? l->length : 40, l->start);
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

/* A triangle of weights in a file: row i has the weights of bit i with the bits 0 … i. */
struct part {
    const char *word; /* the line before it */
    int rows, stride; /* bits, and floats from one row to the next in memory */
    size_t offset;    /* of the square in the struct of weights */
    bool symmetric;   /* the square holds each pair twice, as [i][j] and [j][i] */
};

static bool read_row(struct lines *r, int bit, const struct part *part, float *square, struct err *e) {
    next_line(r);
    const char *at = r->start, *const stop = r->start + r->length;
    int count = 0;
    for (; at < stop && count <= bit; count++) {
        long n = 0;
        at = read_number(at, stop, &n);
        if (at == NULL)
            return err_set(e, "%s:%d: number %d is none; expected %d whole numbers with a blank between them",
                           r->name, r->number, count + 1, bit + 1);
        if (n < -WEIGHT_MAX || n > WEIGHT_MAX)
            return err_set(e, "%s:%d: number %d is out of range; expected %d to %d", r->name, r->number,
                           count + 1, -WEIGHT_MAX, WEIGHT_MAX);
        square[bit * part->stride + count] = (float)n / UNIT;
        if (part->symmetric)
            square[count * part->stride + bit] = (float)n / UNIT;
        at += at < stop;
    }
    return (count == bit + 1 && at == stop) ||
           err_set(e, "%s:%d: expected %d whole number%s, found %s", r->name, r->number, bit + 1,
                   bit == 0 ? "" : "s", count > bit ? "more" : "fewer");
}

struct weight_format {
    const char *header; /* the first line */
    size_t size;        /* of the struct of weights that the file fills */
    size_t text_max;
    struct part parts[5]; /* ended by a NULL word */
};

const struct weight_format policy_format = {
    "senjutsu geister policy 1",
    sizeof(struct policy_weights),
    POLICY_TEXT_MAX,
    {{"move", POLICY_BITS, POLICY_ROW, offsetof(struct policy_weights, move), true},
     {"value", POLICY_BITS, POLICY_ROW, offsetof(struct policy_weights, value), true}}};

const struct weight_format geist_format = {
    "senjutsu geister geist 1",
    sizeof(struct geist_weights),
    GEIST_TEXT_MAX,
    {{"move", POLICY_BITS, POLICY_ROW, offsetof(struct geist_weights, move), true},
     {"open", VALUE_BITS, VALUE_ROW, offsetof(struct geist_weights, value[VALUE_OPEN]), false},
     {"mover", VALUE_BITS, VALUE_ROW, offsetof(struct geist_weights, value[VALUE_MOVER]), false},
     {"waiting", VALUE_BITS, VALUE_ROW, offsetof(struct geist_weights, value[VALUE_WAITING]), false}}};

bool weight_file_read(const struct weight_format *format, const char *name, const struct text *text,
                      void *out, struct err *e) {
    const char *const start = text_string(text);
    struct lines lines = {.name = name, .at = start, .end = start + text->size}, *const l = &lines;
    memset(out, 0, format->size);
    if (!expect_word(l, format->header, e))
        return false;
    for (const struct part *part = format->parts; part->word != NULL; part++) {
        if (!expect_word(l, part->word, e))
            return false;
        for (int bit = 0; bit < part->rows; bit++)
            if (!read_row(l, bit, part, (float *)(void *)((char *)out + part->offset), e))
                return false;
    }
    next_line(l);
    return (l->length == 0 && l->at == l->end) ||
           err_set(e, "%s:%d: expected the end of the file", l->name, l->number);
}

/* Weights beyond the range of a file become its largest number; rounding is away from zero. */
static long units_of(float weight) {
    const float scaled = weight * UNIT;
    if (!(scaled > -WEIGHT_MAX && scaled < WEIGHT_MAX))
        return scaled > 0 ? WEIGHT_MAX : -WEIGHT_MAX;
    return (long)(scaled < 0 ? scaled - 0.5F : scaled + 0.5F);
}

float policy_round(float weight) {
    return (float)units_of(weight) / UNIT;
}

void *weight_file_load(const struct weight_format *format, const char *path, struct err *e) {
    struct text text = {0};
    void *weights = mem_alloc(format->size);
    const bool ok =
        file_read(path, format->text_max, &text, e) && weight_file_read(format, path, &text, weights, e);
    text_done(&text);
    if (ok)
        return weights;
    mem_free(weights);
    return NULL;
}

void weight_file_write(const struct weight_format *format, const void *weights, const char *comment,
                       struct text *out) {
    text_add(out, "%s\n", format->header);
    for (const char *at = comment; at != NULL && *at != '\0';) {
        const size_t length = strcspn(at, "\n");
        text_add(out, "# %.*s\n", (int)length, at);
        at += length + (at[length] != '\0');
    }
    for (const struct part *part = format->parts; part->word != NULL; part++) {
        const float *square = (const float *)(const void *)((const char *)weights + part->offset);
        text_add(out, "%s\n", part->word);
        for (int bit = 0; bit < part->rows; bit++)
            for (int i = 0; i <= bit; i++)
                text_add(out, "%ld%s", units_of(square[bit * part->stride + i]), i < bit ? " " : "\n");
    }
}

/* ---- games between two policies ---- */

/* The row sums of what the side sees. */
static void sum_up(struct duel *d, int side) {
    struct bit_list list;
    if (d->weights[side] == NULL)
        return;
    bits_of(&d->observations[side], &list);
    bits_sum(d->weights[side]->move, &list, d->sums[side].move);
    bits_sum(d->weights[side]->value, &list, d->sums[side].value);
}

/* `weights` may be NULL for a side that plays at random. */
void duel_start(struct duel *d, const struct policy_weights *const weights[2], const unsigned reds[2]) {
    /* A … D and E … H stand in the middle of the two rows next to their owner. */
    const int far_row = 4 * GEISTER_SIZE + 1, near_row = 5 * GEISTER_SIZE + 1;
    const uint64_t all = UINT64_C(0xF) << far_row | UINT64_C(0xF) << near_row;
    d->ply = 0;
    d->board = (struct geist_board){.left = INT16_MAX}; /* the caller counts plies */
    for (int side = 0; side < 2; side++) {
        d->weights[side] = weights[side];
        d->board.red[side] = (uint64_t)(reds[side] & 0xF) << far_row | (uint64_t)(reds[side] >> 4)
                                                                           << near_row;
        d->board.blue[side] = all & ~d->board.red[side];
        d->board.their_red[1 - side] = geister_turn_board(d->board.red[side]);
        d->board.their_blue[1 - side] = geister_turn_board(d->board.blue[side]);
    }
    for (int side = 0; side < 2; side++) {
        geist_observe(&d->board, side, &d->observations[side]);
        sum_up(d, side);
    }
}

void duel_start_random(struct duel *d, const struct policy_weights *const weights[2], struct rng *r) {
    unsigned reds[2];
    for (int side = 0; side < 2; side++)
        reds[side] = geister_setup_reds((int)rng_below(r, GEISTER_SETUPS));
    duel_start(d, weights, reds);
}

/* Escapes are one move each, because both ways out lead to the same position. */
void duel_list(const struct duel *d, struct duel_turn *out) {
    const struct geister_observation *seen = &d->observations[d->board.mover];
    const struct policy_weights *weights = d->weights[d->board.mover];
    out->count = bits_moves(seen->red, seen->blue, false, out->moves);
    for (int i = 0; i < out->count; i++) {
        out->steps[i] = bits_step(seen->blue, seen->unknown, out->moves[i]);
        out->scores[i] =
            weights != NULL ? bits_change(weights->move, d->sums[d->board.mover].move, out->steps[i]) : 0;
    }
}

void duel_chances(struct duel_turn *turn) {
    memcpy(turn->chances, turn->scores, (size_t)turn->count * sizeof *turn->scores);
    policy_softmax(turn->chances, turn->count);
}

float duel_worth(const struct duel *d, const struct bit_list *list) {
    return bits_worth(bits_score(d->weights[d->board.mover]->value, list, d->sums[d->board.mover].value));
}

static void shift(const float *restrict off, const float *restrict on, float *restrict sums) {
    for (int j = 0; j < POLICY_ROW; j++)
        sums[j] += on[j] - off[j];
}

/* Clears one bit of the side and sets another. A move without a capture changes one bit of each side: two
 * rows in place of twenty. */
static void shift_sums(struct duel *d, int side, int off, int on) {
    const struct policy_weights *w = d->weights[side];
    if (w == NULL)
        return;
    shift(w->move[off], w->move[on], d->sums[side].move);
    shift(w->value[off], w->value[on], d->sums[side].value);
}

/* After a capture counts change, so that all sums are computed again. */
int duel_play(struct duel *d, action move) {
    const int me = d->board.mover, you = 1 - me, turned = GEISTER_CELLS - 1;
    const struct bit_step step = bits_step(d->observations[me].blue, d->observations[me].unknown, move);
    d->ply++;
    if (step.on == BIT_ESCAPES)
        return me;
    const int end = geist_play(&d->board, move);
    for (int side = 0; side < 2; side++)
        geist_observe(&d->board, side, &d->observations[side]);
    if (step.taken != BIT_NONE) {
        sum_up(d, me);
        sum_up(d, you);
    } else {
        const int from = (int)move / 4, to = step.on % BIT_PLANE;
        shift_sums(d, me, step.off, step.on);
        shift_sums(d, you, BIT_THEIRS + turned - from, BIT_THEIRS + turned - to);
    }
    return end;
}

int duel_game(struct duel *d, enum duel_style style, int plies, struct rng *r) {
    while (d->ply < plies) {
        struct duel_turn turn;
        duel_list(d, &turn);
        int chosen;
        if (style == DUEL_BEST && d->weights[d->board.mover] != NULL) {
            chosen = policy_best(turn.scores, turn.count);
        } else {
            duel_chances(&turn);
            chosen = policy_draw(turn.chances, turn.count, r);
        }
        const int end = duel_play(d, turn.moves[chosen]);
        if (end != DUEL_GOES_ON)
            return end;
    }
    return DUEL_DRAWN;
}

/* Draws by the limit of plies count as draws, not by who is ahead. */
struct duel_score duel_compare(const struct duel_match *match) {
    struct duel_score score = {0};
    for (int i = 0; i < match->games; i++) {
        struct duel duel;
        struct rng r;
        rng_seed_stream(&r, match->seed, (uint64_t)i);
        const int first = i % 2; /* the policy that begins */
        const struct policy_weights *const seats[2] = {match->policies[first], match->policies[1 - first]};
        duel_start_random(&duel, seats, &r);
        const int end = duel_game(&duel, match->style, match->plies, &r);
        score.draws += end == DUEL_DRAWN;
        score.wins += end == first;
        score.losses += end == 1 - first;
    }
    return score;
}

/* ---- geist: positions ---- */

void geist_board_of(const struct geister *view, const unsigned reds[2], struct geist_board *out) {
    const struct geister_scenario *const sc = (const struct geister_scenario *)view->scenario;
    *out = (struct geist_board){.mover = view->mover, .left = (int16_t)(sc->plies - view->ply)};
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GEISTER_PIECES; i++) {
            const int cell = view->where[side][i];
            const bool red = (reds[side] >> i & 1) != 0;
            if (cell >= GEISTER_CELLS) {
                (red ? out->lost_reds : out->lost_blues)[side] += 1;
                continue;
            }
            const int own = side == 0 ? cell : geist_turned_cell(cell);
            (red ? out->red : out->blue)[side] |= UINT64_C(1) << own;
            (red ? out->their_red : out->their_blue)[1 - side] |= UINT64_C(1) << geist_turned_cell(own);
        }
}

/* Column x becomes column 5 - x. */
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

/* ---- geist: values ---- */

/* The cells at each number of steps from an exit: own left, own right, their left, their right, as a side
 * sees them. */
static const uint64_t rings[4][VALUE_STEPS - 1] = {
    {0x000000001, 0x000000042, 0x000001084, 0x000042108, 0x001084210, 0x042108420, 0x084210800},
    {0x000000020, 0x000000810, 0x000020408, 0x000810204, 0x020408102, 0x810204081, 0x408102040},
    {0x040000000, 0x081000000, 0x102040000, 0x204081000, 0x408102040, 0x810204081, 0x020408102},
    {0x800000000, 0x420000000, 0x210800000, 0x108420000, 0x084210800, 0x042108420, 0x001084210},
};

/* Beyond the last ring all distances count alike. */
static int steps_to(uint64_t set, int corner) {
    int steps = 0;
    while (steps < VALUE_STEPS - 1 && (set & rings[corner][steps]) == 0)
        steps++;
    return steps;
}

/* A value counts a taken piece for what its side believes: without the colours, `believed` replaces what was
 * really taken, and all pieces of the other side are one plane, runners and guards alike. */
void value_bits(const struct geist_board *b, int side, const uint8_t *believed, struct bit_list *out) {
    const int other = 1 - side;
    const uint64_t own = b->blue[side] | b->red[side], theirs = b->their_blue[side] | b->their_red[side];
    const uint64_t their_blue = believed == NULL ? b->their_blue[side] : theirs;
    const uint64_t runners[2] = {b->blue[side], their_blue}, guards[2] = {theirs, own};
    const uint8_t counts[4] = {believed == NULL ? b->lost_blues[other] : believed[0],
                               believed == NULL ? b->lost_reds[other] : believed[1], b->lost_blues[side],
                               b->lost_reds[side]};
    out->count = 0;
    add_cells(b->blue[side], 0, out);
    add_cells(b->red[side], VALUE_PLANE, out);
    add_cells(their_blue, 2 * VALUE_PLANE, out);
    add_cells(theirs & ~their_blue, 3 * VALUE_PLANE, out);
    for (int i = 0; i < 4; i++)
        if (counts[i] > 0) /* four: the game is over */
            out->bits[out->count++] = (uint8_t)(VALUE_COUNTS + i * 3 + (counts[i] < 3 ? counts[i] : 3) - 1);
    for (int corner = 0; corner < 4; corner++) {
        const int first = VALUE_RACES + corner * 2 * VALUE_STEPS;
        out->bits[out->count++] = (uint8_t)(first + steps_to(runners[corner / 2], corner));
        out->bits[out->count++] = (uint8_t)(first + VALUE_STEPS + steps_to(guards[corner / 2], corner));
    }
    out->bits[out->count++] = VALUE_ALWAYS;
}

float value_of(const struct geist_weights *weights, enum value_head head, const struct bit_list *bits) {
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
