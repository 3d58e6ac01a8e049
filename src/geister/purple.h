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

#include "base/budget.h"
#include "game/geister/geister.h"

enum {
    PURPLE_WIN = 100000000,
    PURPLE_MATE = PURPLE_WIN / 2, /* values beyond are wins and losses */
    PURPLE_DEPTH_MAX = 32,
    PURPLE_MOVES_MAX = 32, /* of a side */
};

/* Our side at the bottom. */
struct purple_board {
    uint64_t red, blue, purple;
    int blues; /* hidden blues of the other side: with no more purple pieces than this, all reds are taken */
};

void purple_board_of(const struct geister_observation *seen, struct purple_board *out);

/* 0: we have won, 1: the other side has, 2: not over; `side` (0 = we) is to move. */
int purple_winner(const struct purple_board *board, int side);
int purple_evaluate(const struct purple_board *board); /* to us */

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

struct purple_task {
    int depth;                  /* 1 … PURPLE_DEPTH_MAX */
    uint64_t nodes_max;         /* 0: no limit */
    const atomic_bool *stop;    /* may be NULL */
    const struct budget *cut;   /* may be NULL: its stop, time and deadline end the search, too … */
    int64_t start_ns;           /* … the time counted from here on its clock */
    struct purple_roots *roots; /* filled when not NULL */
    bool exact_roots;           /* compute the value of every move, not only of the best */
};

void purple_search(struct purple *purple, const struct purple_board *board, const struct purple_task *task,
                   struct purple_result *out);

/* The move of the search to that depth in what a side sees. */
action purple_move(struct purple *purple, const struct geister_observation *seen, int depth);

/* Only whether there is a forced win within `depth` (the quickest, and the first move of equals): much faster
 * than the value. False: there is none, or (when not `complete`) the search was stopped before. `roots` are
 * not filled. */
bool purple_mate(struct purple *purple, const struct purple_board *board, const struct purple_task *task,
                 struct purple_result *out);

/* The same search with all colours known; `unknown` must be empty. */
void purple_search_open(struct purple *purple, const struct geister_observation *seen,
                        const struct purple_task *task, struct purple_result *out);

#endif
