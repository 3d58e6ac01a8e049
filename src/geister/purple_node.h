/* SPDX-License-Identifier: MIT
 *
 * Positions, moves and table of the purple-piece searches; the board functions are shared with guess.c. One
 * kind of position serves hidden and known colours: a piece of the other side is `fatal` when taking all
 * fatal pieces loses, and a `leaver` when it may leave the board. A purple piece is both, a known red is
 * fatal, a known blue is a leaver.
 */
#ifndef GEISTER_PURPLE_NODE_H
#define GEISTER_PURPLE_NODE_H

#include "base/bits.h"
#include "geister/purple.h"

enum purple_kind { PURPLE_OUR_RED, PURPLE_OUR_BLUE, PURPLE_FATAL, PURPLE_LEAVER, PURPLE_KINDS };
enum purple_bound { PURPLE_AT_MOST = 1, PURPLE_AT_LEAST = 2, PURPLE_EXACT = 3 };
enum { PURPLE_ACTIONS = GEISTER_CELLS * 4, PURPLE_BLUE_WORTH = 1000, PURPLE_LOOK_EVERY = 1024 };

#define PURPLE_BOARD       ((UINT64_C(1) << 36) - 1)
#define PURPLE_COLUMN(x)   (UINT64_C(0x41041041) << (x))
#define PURPLE_OUR_EXITS   (UINT64_C(1) | UINT64_C(1) << 5)
#define PURPLE_THEIR_EXITS (UINT64_C(1) << 30 | UINT64_C(1) << 35)

struct purple_node {
    uint64_t mine[2]; /* red, blue */
    uint64_t fatal, leaver;
    uint64_t key;  /* without the side to move */
    int32_t eval;  /* to us */
    int16_t left;  /* taking this many fatal pieces loses */
    int16_t blues; /* taking this many leavers wins; never reached with purple pieces */
};

struct purple_entry {
    uint64_t key;
    int32_t value; /* wins and losses counted from this position on */
    uint16_t age;
    uint8_t move;
    uint8_t about; /* depth * 4 + bound */
};

struct purple {
    uint64_t zobrist[PURPLE_KINDS][GEISTER_CELLS], side_key;
    struct purple_entry *entries;
    uint64_t mask;
    uint16_t age;
    /* of the current search */
    int worth; /* of a leaver */
    int depth;
    uint64_t nodes, look_at;
    const struct purple_task *task;
    bool over;
    uint8_t killers[PURPLE_DEPTH_MAX + 1][2];
    uint32_t history[2][PURPLE_ACTIONS];
};

extern const int8_t purple_distance[2][GEISTER_CELLS]; /* moves from a cell to the nearer exit, by side */
extern const int8_t purple_steps[4];                   /* by direction */

BITS_INLINE int purple_to(int move) {
    return (move >> 2) + purple_steps[move & 3];
}

/* Moves a whole set by one step; pieces that leave the board are removed. */
BITS_INLINE uint64_t purple_shift(uint64_t set, enum geister_direction d) {
    switch (d) {
    case GEISTER_NORTH: return set >> 6;
    case GEISTER_EAST: return (set & ~PURPLE_COLUMN(5)) << 1;
    case GEISTER_WEST: return (set & ~PURPLE_COLUMN(0)) >> 1;
    case GEISTER_SOUTH: break;
    }
    return (set << 6) & PURPLE_BOARD;
}

BITS_INLINE uint64_t purple_around(uint64_t set) {
    return purple_shift(set, GEISTER_NORTH) | purple_shift(set, GEISTER_EAST) |
           purple_shift(set, GEISTER_WEST) | purple_shift(set, GEISTER_SOUTH);
}

BITS_INLINE uint64_t purple_pieces(const struct purple_node *n, int side) {
    return side == 0 ? n->mine[0] | n->mine[1] : n->fatal | n->leaver;
}

/* The winner before `side` moves, as in purple_winner. */
BITS_INLINE int purple_ended(const struct purple_node *n, int side) {
    if (n->mine[0] == 0 || n->blues == 0)
        return 0;
    if (n->mine[1] == 0 || n->left <= 0)
        return 1;
    if (side == 0)
        return (n->mine[1] & PURPLE_OUR_EXITS) != 0 ? 0 : 2;
    return (n->leaver & PURPLE_THEIR_EXITS) != 0 ? 1 : 2;
}

BITS_INLINE void purple_play_ours(const struct purple *p, struct purple_node *n, int move) {
    const int from = move >> 2, to = purple_to(move);
    const uint64_t on = UINT64_C(1) << to;
    const int kind = (int)(n->mine[1] >> from & 1);
    n->mine[kind] ^= UINT64_C(1) << from | on;
    n->key ^= p->zobrist[kind][from] ^ p->zobrist[kind][to];
    n->eval += purple_distance[0][from] - purple_distance[0][to];
    if (((n->fatal | n->leaver) & on) == 0)
        return;
    n->eval -= purple_distance[1][to];
    if ((n->fatal & on) != 0) {
        n->fatal ^= on;
        n->key ^= p->zobrist[PURPLE_FATAL][to];
        n->left--;
    }
    if ((n->leaver & on) != 0) {
        n->leaver ^= on;
        n->key ^= p->zobrist[PURPLE_LEAVER][to];
        n->blues--;
        n->eval += p->worth;
    }
}

BITS_INLINE void purple_play_theirs(const struct purple *p, struct purple_node *n, int move) {
    const int from = move >> 2, to = purple_to(move);
    const uint64_t off = UINT64_C(1) << from, on = UINT64_C(1) << to;
    n->eval -= purple_distance[1][from] - purple_distance[1][to];
    if ((n->fatal & off) != 0) {
        n->fatal ^= off | on;
        n->key ^= p->zobrist[PURPLE_FATAL][from] ^ p->zobrist[PURPLE_FATAL][to];
    }
    if ((n->leaver & off) != 0) {
        n->leaver ^= off | on;
        n->key ^= p->zobrist[PURPLE_LEAVER][from] ^ p->zobrist[PURPLE_LEAVER][to];
    }
    if (((n->mine[0] | n->mine[1]) & on) == 0)
        return;
    const int kind = (n->mine[1] & on) != 0;
    n->mine[kind] ^= on;
    n->key ^= p->zobrist[kind][to];
    n->eval += purple_distance[0][to] - (kind == 1 ? PURPLE_BLUE_WORTH : 0);
}

BITS_INLINE void purple_play(const struct purple *p, struct purple_node *n, int side, int move) {
    if (side == 0)
        purple_play_ours(p, n, move);
    else
        purple_play_theirs(p, n, move);
}

/* Our moves in the order of the published program; returns how many. */
int purple_list(const struct purple_node *n, uint8_t out[PURPLE_MOVES_MAX]);

/* The move out of a blue on its exit; false when there is none. */
bool purple_leaves(uint64_t blue, struct purple_result *out);

#endif
