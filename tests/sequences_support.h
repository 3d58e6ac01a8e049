/* SPDX-License-Identifier: MIT
 *
 * Sequences of attacks enumerated literally, by the units' own attacks and in the simplest way, as a
 * reference for the search. All units that do not attack stay.
 */
#ifndef TESTS_SEQUENCES_SUPPORT_H
#define TESTS_SEQUENCES_SUPPORT_H

#include "player_support.h"
#include "search/turns.h"

enum { LITERAL_MAX = 20000 };

struct literal {
    const struct game *game;
    int side, turn, length;
    long sequences;
    double best;
    uint64_t keys[LITERAL_MAX]; /* where the sequences end */
    int key_count;
};

/* What HP are worth, by unit type. */
extern double literal_weights[GAME_WEIGHTS_MAX];

/* All sequences of up to `length` attacks (negative: no limit); false when there are more than LITERAL_MAX.
 */
bool literal_enumerate(struct literal *l, const struct position *p, int length);
long literal_different_keys(struct literal *l);

/* The evaluation of a state for the enumerated side. */
double literal_value(const struct literal *l, const void *state);

/* Plays the whole line, which must fill the turn exactly; the value at its end. */
double literal_realise(const struct literal *l, const struct position *p, const struct turn_line *line);

static inline bool same(double a, double b) {
    return !(a < b) && !(a > b);
}

#endif
