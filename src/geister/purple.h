/* SPDX-License-Identifier: MIT
 *
 * The purple-piece search (Kawakami and Hashimoto). Every piece of the other side whose colour is hidden is
 * "purple": it has the colour that is worse for us whenever it matters, red when we take it, blue when it
 * stands on its exit. Wins found against such pieces are wins against any colours.
 *
 * Values are those of the published program, for the side to move: PURPLE_WIN - d for a win found at depth d
 * (an escape then takes d + 1 plies, all our reds taken d), its negative for a loss, else the evaluation at
 * the full depth. The best move is the first of equals: cells from the far row down, then N, E, S, W.
 */
#ifndef GEISTER_PURPLE_H
#define GEISTER_PURPLE_H

#include "game/geister/geister.h"

enum {
    PURPLE_WIN = 100000000,
    PURPLE_MATE = PURPLE_WIN / 2, /* values beyond are wins and losses */
    PURPLE_DEPTH_MAX = 32,
    PURPLE_MOVES_MAX = 32, /* of a side */
};

/* ---- the board, also for other files of src/geister ---- */

#define PURPLE_BOARD       ((UINT64_C(1) << 36) - 1)
#define PURPLE_COLUMN(x)   (UINT64_C(0x41041041) << (x))
#define PURPLE_OUR_EXITS   (UINT64_C(1) | UINT64_C(1) << 5)
#define PURPLE_THEIR_EXITS (UINT64_C(1) << 30 | UINT64_C(1) << 35)

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

/* Moves from the nearest of a set to an exit of that side; GEISTER_CELLS without a piece. */
int purple_nearest(uint64_t set, int side);

/* The move of a blue that is on its exit. */
BITS_INLINE action purple_way_out(uint64_t blue) {
    return (blue & 1) != 0 ? geister_move(0, GEISTER_WEST) : geister_move(5, GEISTER_EAST);
}

/* ---- the search ---- */

/* A move is geister_move(cell, direction) as we see the board; an escape is W from cell 0, E from cell 5. */
struct purple_result {
    action move;
    int value;
    uint64_t nodes;
    int depth;     /* last completed depth */
    bool complete; /* false: the search was stopped; the move is that of the last completed depth */
};

/* The value of each move, in the order of moves, and the line of the best, as we see the board. */
struct purple_root {
    action move;
    int value;
    bool at_most; /* the value is an upper bound */
};

struct purple_roots {
    int count;
    struct purple_root moves[PURPLE_MOVES_MAX];
    int line_count;
    action line[PURPLE_DEPTH_MAX];
};

/* The table; one a thread. Each search drops earlier results: the same task costs the same work. */
struct purple;
struct purple *purple_open(size_t memory_bytes, struct err *e);
void purple_close(struct purple *purple);

/* What a search is asked. All limits may be combined; the first that is reached ends it. */
struct purple_task {
    int depth;                  /* 1 … PURPLE_DEPTH_MAX */
    uint64_t nodes_max;         /* 0: no limit */
    const atomic_bool *stop;    /* may be NULL */
    const struct budget *cut;   /* may be NULL: its stop, time and deadline end the search, too … */
    int64_t start_ns;           /* … the time counted from here on its clock */
    struct purple_roots *roots; /* filled when not NULL */
    bool exact_roots;           /* compute the value of every move, not only of the best */
    bool open;                  /* search with known colours: `unknown` is empty; not for purple_mate */
};

/* In what a side sees. Unless the task is open, all pieces of the other side are purple, those of known
 * colour, too. */
void purple_search(struct purple *purple, const struct geister_observation *seen,
                   const struct purple_task *task, struct purple_result *out);

/* The move of the search to that depth. */
action purple_move(struct purple *purple, const struct geister_observation *seen, int depth);

/* Only whether there is a forced win within `depth` (the quickest, and the first move of equals): much faster
 * than the value. False: there is none, or (when not `complete`) the search was stopped before. `roots` are
 * not filled. */
bool purple_mate(struct purple *purple, const struct geister_observation *seen,
                 const struct purple_task *task, struct purple_result *out);

#endif
