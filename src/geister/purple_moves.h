/* SPDX-License-Identifier: MIT
 *
 * In which order the purple-piece searches try moves: what the table remembers, what refuted other moves at
 * that depth, what gains most at once, what was good elsewhere.
 */
#ifndef GEISTER_PURPLE_MOVES_H
#define GEISTER_PURPLE_MOVES_H

#include "geister/purple_node.h"

enum {
    PURPLE_FIRST = 1 << 30,  /* of the table */
    PURPLE_KILLER = 1 << 29, /* the last two that cut at that depth */
    PURPLE_GAIN = 1 << 24,   /* a point of the evaluation; above what history adds up to */
    PURPLE_GAIN_MAX = 10,
    PURPLE_HISTORY_MAX = 1 << 22,
};

struct purple_moves {
    int count;
    uint8_t moves[PURPLE_MOVES_MAX];
    int32_t scores[PURPLE_MOVES_MAX];
};

/* How deep a search of `p->depth` is when so much of it remains. We move at even depths. */
BITS_INLINE int purple_depth(const struct purple *p, int remaining) {
    return p->depth - remaining;
}

BITS_INLINE int32_t purple_score(const struct purple *p, const struct purple_node *n, int side, int move) {
    const int from = move >> 2, to = purple_to(move);
    const uint64_t on = UINT64_C(1) << to;
    int gain = purple_distance[side][from] - purple_distance[side][to];
    if (side == 0 && ((n->fatal | n->leaver) & on) != 0)
        gain += ((n->leaver & on) != 0 ? p->worth : 0) - purple_distance[1][to];
    if (side == 1 && ((n->mine[0] | n->mine[1]) & on) != 0)
        gain += ((n->mine[1] & on) != 0 ? PURPLE_BLUE_WORTH : 0) - purple_distance[0][to];
    gain = gain > PURPLE_GAIN_MAX ? PURPLE_GAIN_MAX : gain < -PURPLE_GAIN_MAX ? -PURPLE_GAIN_MAX : gain;
    return gain * PURPLE_GAIN + (int32_t)p->history[side][move];
}

static inline void purple_list_all(const struct purple *p, const struct purple_node *n, int remaining,
                                   int table_move, struct purple_moves *out) {
    const int side = purple_depth(p, remaining) & 1;
    const uint64_t pieces = purple_pieces(n, side);
    const uint8_t *killers = p->killers[purple_depth(p, remaining)];
    out->count = 0;
    for (int d = 0; d < 4; d++)
        for (uint64_t set = purple_shift(pieces, (enum geister_direction)d) & ~pieces; set != 0;
             set = bits_without_first(set)) {
            const int move = (bits_first(set) - purple_steps[d]) * 4 + d;
            const bool kills = move == killers[0] || move == killers[1];
            const int32_t first = move == table_move ? PURPLE_FIRST : PURPLE_KILLER;
            out->moves[out->count] = (uint8_t)move;
            out->scores[out->count++] = move == table_move || kills ? first : purple_score(p, n, side, move);
        }
}

/* Brings the best of those from `at` on to `at`. */
BITS_INLINE int purple_next(struct purple_moves *list, int at) {
    int best = at;
    for (int i = at + 1; i < list->count; i++)
        best = list->scores[i] > list->scores[best] ? i : best;
    const int32_t score = list->scores[best];
    const uint8_t move = list->moves[best];
    list->scores[best] = list->scores[at];
    list->moves[best] = list->moves[at];
    list->scores[at] = score;
    list->moves[at] = move;
    return move;
}

/* Remembers a move that made looking at others needless. */
static inline void purple_note(struct purple *p, int remaining, int move) {
    const int depth = purple_depth(p, remaining);
    uint8_t *killers = p->killers[depth];
    uint32_t *history = &p->history[depth & 1][move];
    if (killers[0] != move) {
        killers[1] = killers[0];
        killers[0] = (uint8_t)move;
    }
    *history += (uint32_t)(remaining * remaining);
    if (*history > PURPLE_HISTORY_MAX)
        *history = PURPLE_HISTORY_MAX;
}

#endif
