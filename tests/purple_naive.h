/* SPDX-License-Identifier: MIT
 *
 * The purple-piece search a second time, in the simplest form: characters on a board, plain alpha-beta
 * without a table, the published program's order of moves and tests.
 */
#ifndef TESTS_PURPLE_NAIVE_H
#define TESTS_PURPLE_NAIVE_H

#include <stdbool.h>

struct naive {
    char board[37]; /* R B ours; u theirs, or r b when colours are known */
    int blues;      /* hidden blues of theirs */
    bool open;      /* colours are known */
    int depth;
};

/* The winner before `side` moves, or 2: the game goes on; the evaluation to us. */
int naive_winner(const struct naive *n, int side);
int naive_evaluate(const struct naive *n);

/* The value and the first best move (cell * 4 + direction N E W S). No blue of ours is on its exit. */
int purple_naive_search(struct naive *n, int *move);

/* The value of one move. */
int naive_value(struct naive *n, int move);

#endif
