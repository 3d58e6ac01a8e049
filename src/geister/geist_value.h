/* SPDX-License-Identifier: MIT
 *
 * What geist has learned: a policy over the bits of policy_bits.h, and values of positions. A value is a
 * linear function of pairs of bits, too: pieces by cell and colour, what was taken, and for every exit how
 * far its nearest runner and its nearest guard are. There are three of them: with all colours known, to the
 * side to move; and as a side that does not know the other's colours sees it, when it is to move and when it
 * is not.
 */
#ifndef GEISTER_GEIST_VALUE_H
#define GEISTER_GEIST_VALUE_H

#include "geister/geist_board.h"

enum {
    VALUE_PLANE = GEISTER_CELLS, /* own blues, own reds, their blues (or all of theirs), their reds */
    VALUE_COUNTS = 4 * VALUE_PLANE,
    VALUE_RACES = VALUE_COUNTS + 4 * 3,
    VALUE_STEPS = 8, /* distances 0 … 6, and more */
    VALUE_ALWAYS = VALUE_RACES + 4 * 2 * VALUE_STEPS,
    VALUE_BITS = VALUE_ALWAYS + 1,
    VALUE_ROW = 224,
    VALUE_BITS_MAX = 2 * GEISTER_PIECES + 4 + 8 + 1,
    GEIST_TEXT_MAX = 1 << 22, /* bytes of a weight file */
};

enum value_head { VALUE_OPEN, VALUE_MOVER, VALUE_WAITING, VALUE_HEADS };

struct geist_weights {
    float move[POLICY_BITS][POLICY_ROW];             /* as in struct policy_weights */
    float value[VALUE_HEADS][VALUE_BITS][VALUE_ROW]; /* [i][j] with j <= i */
};

/* The project's own (data/geister-geist.weights), made by `senjutsu train geister-geist`. */
const struct geist_weights *geist_builtin(void);

/* A weight file; `name` is for messages. Weights are whole 1024ths there. */
bool geist_weights_read(const char *name, const char *text, size_t size, struct geist_weights *out,
                        struct err *e);
void geist_weights_write(const struct geist_weights *weights, const char *comment, struct text *out);

struct value_bits {
    int count;
    uint8_t bits[VALUE_BITS_MAX]; /* ascending */
};

/* The bits of a position as that side sees it: with the other's colours, or (`counts` as it believes: their
 * blues and reds that were taken) without them. */
void value_bits_open(const struct geist_board *b, int side, struct value_bits *out);
void value_bits_hidden(const struct geist_board *b, int side, const uint8_t counts[2],
                       struct value_bits *out);

/* The chance to win, 0 … 1, draws counting half. */
float value_of(const struct geist_weights *weights, enum value_head head, const struct value_bits *bits);

/* The position of the mover in a mirror: left and right are alike. */
void geist_mirror(struct geist_board *b);

#endif
