/* SPDX-License-Identifier: MIT
 *
 * What searches may know before they look: who seems ahead, which moves seem good.
 */
#include "game/geister/core.h"

/* ---- evaluation ---- */

enum { WEIGHT_BLUE, WEIGHT_RED, WEIGHT_NEAR, WEIGHT_TURN };

const struct weight geister_weights[] = {
    {"blue", "an own blue on the board", 1},
    {"red", "an own red on the board", -0.5},
    {"near", "a step that the nearest blue is nearer to an exit", 0.25},
    {"turn", "to be on the move", 0.25},
    {0},
};

/* Steps to the nearer exit of a cell as its side sees it. */
static int steps_out(int cell) {
    const int x = cell % GEISTER_SIZE, y = cell / GEISTER_SIZE, mid = GEISTER_SIZE - 1 - x;
    return y + (x < mid ? x : mid);
}

enum { STEPS_MAX = 7 };

/* How near its nearest piece is, 0 … 7. */
static int nearness(uint64_t pieces, int side) {
    int nearest = STEPS_MAX;
    if (side != 0)
        pieces = geister_turn_board(pieces);
    for (; pieces != 0; pieces = bits_without_first(pieces)) {
        const int steps = steps_out(bits_first(pieces));
        nearest = steps < nearest ? steps : nearest;
    }
    return STEPS_MAX - nearest;
}

/* Where colours are not known, any piece may be the blue one that runs; reds and blues are counted all the
 * same, since it is known what is taken. */
static double worth(const struct geister *s, int side, const double *weights) {
    int taken_reds = 0, taken_blues = 0;
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (s->where[side][i] == GEISTER_TAKEN) {
            taken_reds += s->reds[side] >> i & 1;
            taken_blues += ~s->reds[side] >> i & 1;
        }
    return weights[WEIGHT_BLUE] * (GEISTER_REDS - taken_blues) +
           weights[WEIGHT_RED] * (GEISTER_REDS - taken_reds) +
           weights[WEIGHT_NEAR] * nearness(s->blue[side] | s->unknown[side], side) +
           (s->mover == side ? weights[WEIGHT_TURN] : 0);
}

static double lead(const void *state, int side, const double *weights) {
    return worth(state, side, weights) - worth(state, side ^ 1, weights);
}

const struct eval geister_evals[] = {
    {"lead", "blues left, reds lost, and how near the nearest blue (or unknown piece) is to an exit", lead},
    {0},
};

/* ---- which moves look good ---- */

enum { SCORE_LEAVE = 100, SCORE_TAKE = 2, SCORE_NEARER = 1 };

static bool leaves(const struct geister *s, action a) {
    return !geister_is_setup(a) &&
           (core_steppers(core_pieces(s, s->mover), (int)a % 4) & core_bit((int)a / 4)) == 0;
}

static float promise(const struct geister *s, action a) {
    if (geister_is_setup(a))
        return 0;
    if (leaves(s, a))
        return SCORE_LEAVE;
    const int cell = (int)a / 4, to = cell + core_delta((int)a % 4), other = s->mover ^ 1;
    const int nearer = nearness(core_bit(to), s->mover) - nearness(core_bit(cell), s->mover);
    const bool takes = (core_pieces(s, other) & ~s->red[other] & core_bit(to)) != 0;
    return (float)(SCORE_NEARER * nearer + SCORE_TAKE * takes);
}

static void score_moves(const void *state, const action *list, int count, float *out) {
    for (int i = 0; i < count; i++)
        out[i] = promise(state, list[i]);
}

const struct prior geister_priors[] = {
    {"forward", "leaving first, then taking what is not known to be red, then steps nearer to an exit",
     score_moves},
    {0},
};

/* ---- fewer moves ---- */

/* Who can leave wins: nothing else needs to be looked at. */
static int list_wins(const void *state, action *out) {
    const int count = geister_actions(state, out);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (leaves(state, out[i]))
            out[kept++] = out[i];
    return kept > 0 ? kept : count;
}

const struct action_list geister_lists[] = {
    {"all", "set-ups by their letters; moves by cells as the mover sees them, each N, E, S, W",
     geister_actions},
    {"wins", "where a piece can leave only that, otherwise all", list_wins},
    {0},
};
