/* SPDX-License-Identifier: MIT */
#include "purple_naive.h"

#include <string.h>

enum { WIN = 100000000, SIZE = 6, CELLS = 36 };

static int to_edge(int x) {
    return x < SIZE - 1 - x ? x : SIZE - 1 - x;
}

static int count(const struct naive *n, char piece) {
    int found = 0;
    for (int i = 0; i < CELLS; i++)
        found += n->board[i] == piece;
    return found;
}

int naive_winner(const struct naive *n, int side) {
    const char leaver = n->open ? 'b' : 'u';
    if (count(n, 'R') == 0 || (n->open && count(n, 'b') == 0))
        return 0;
    if (count(n, 'B') == 0 || (n->open ? count(n, 'r') == 0 : count(n, 'u') <= n->blues))
        return 1;
    if (side == 0 && (n->board[0] == 'B' || n->board[5] == 'B'))
        return 0;
    return side == 1 && (n->board[30] == leaver || n->board[35] == leaver) ? 1 : 2;
}

int naive_evaluate(const struct naive *n) {
    int value = 0;
    for (int i = 0; i < CELLS; i++) {
        const int x = i % SIZE, y = i / SIZE;
        const char piece = n->board[i];
        if (piece == 'R' || piece == 'B')
            value -= y + to_edge(x);
        else if (piece != '.')
            value += SIZE - 1 - y + to_edge(x);
        value += piece == 'B' ? 1000 : piece == 'b' ? -1000 : 0;
    }
    return value;
}

static bool is_of(char piece, int side) {
    return piece != '.' && (side == 0) == (piece == 'R' || piece == 'B');
}

/* N E S W of the published program; the numbers are ours. */
static const int order[4] = {0, 1, 3, 2};

/* The target cell of a move, or -1. */
static int target(const struct naive *n, int side, int move) {
    static const int dx[4] = {0, 1, -1, 0}, dy[4] = {-1, 0, 0, 1};
    const int x = move / 4 % SIZE + dx[move % 4], y = move / 4 / SIZE + dy[move % 4];
    if (!is_of(n->board[move / 4], side) || x < 0 || x >= SIZE || y < 0 || y >= SIZE ||
        is_of(n->board[y * SIZE + x], side))
        return -1;
    return y * SIZE + x;
}

static int negamax(struct naive *n, int depth, int alpha, int beta);

static int try_move(struct naive *n, int depth, int move, int to, const int window[2]) {
    const char taken = n->board[to];
    n->board[to] = n->board[move / 4];
    n->board[move / 4] = '.';
    const int value = -negamax(n, depth + 1, -window[1], -window[0]);
    n->board[move / 4] = n->board[to];
    n->board[to] = taken;
    return value;
}

static int negamax(struct naive *n, int depth, int alpha, int beta) {
    const int side = depth % 2, winner = naive_winner(n, side);
    if (winner != 2)
        return winner == side ? WIN - depth : -WIN + depth;
    if (depth == n->depth)
        return side == 0 ? naive_evaluate(n) : -naive_evaluate(n);
    for (int i = 0; i < CELLS * 4 && alpha < beta; i++) {
        const int move = i / 4 * 4 + order[i % 4], to = target(n, side, move);
        if (to < 0)
            continue;
        const int value = try_move(n, depth, move, to, (const int[2]){alpha, beta});
        alpha = value > alpha ? value : alpha;
    }
    return alpha;
}

int naive_value(struct naive *n, int move) {
    return try_move(n, 0, move, target(n, 0, move), (const int[2]){-WIN - 1, WIN + 1});
}

int purple_naive_search(struct naive *n, int *best) {
    int alpha = -WIN - 1;
    for (int i = 0; i < CELLS * 4; i++) {
        const int move = i / 4 * 4 + order[i % 4], to = target(n, 0, move);
        if (to < 0)
            continue;
        const int value = try_move(n, 0, move, to, (const int[2]){alpha, WIN + 1});
        if (value > alpha) {
            alpha = value;
            *best = move;
        }
    }
    return alpha;
}
