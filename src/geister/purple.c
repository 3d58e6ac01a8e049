/* SPDX-License-Identifier: MIT
 *
 * The purple-piece searches: positions and the table, the order of moves, the search for values, the search
 * for forced wins.
 */
#include "geister/purple.h"

#include "base/mem.h"
#include "geister/policy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* One kind of position serves hidden and known colours: a piece of the other side is `fatal` when taking all
 * fatal pieces loses, and a `leaver` when it may leave the board. A purple piece is both, a known red is
 * fatal, a known blue is a leaver. */

enum purple_kind { PURPLE_OUR_RED, PURPLE_OUR_BLUE, PURPLE_FATAL, PURPLE_LEAVER, PURPLE_KINDS };
enum purple_bound { PURPLE_AT_MOST = 1, PURPLE_AT_LEAST = 2, PURPLE_EXACT = 3 };
enum { PURPLE_ACTIONS = GEISTER_CELLS * 4, PURPLE_BLUE_WORTH = 1000, PURPLE_LOOK_EVERY = 1024 };

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
const int8_t purple_distance[2][GEISTER_CELLS] = {
    {0, 1, 2, 2, 1, 0, 1, 2, 3, 3, 2, 1, 2, 3, 4, 4, 3, 2,
     3, 4, 5, 5, 4, 3, 4, 5, 6, 6, 5, 4, 5, 6, 7, 7, 6, 5},
    {5, 6, 7, 7, 6, 5, 4, 5, 6, 6, 5, 4, 3, 4, 5, 5, 4, 3,
     2, 3, 4, 4, 3, 2, 1, 2, 3, 3, 2, 1, 0, 1, 2, 2, 1, 0},
};

const int8_t purple_steps[4] = {-GEISTER_SIZE, 1, -1, GEISTER_SIZE};

/* ---- positions ---- */

BITS_INLINE uint64_t purple_pieces(const struct purple_node *n, int side) {
    return side == 0 ? n->mine[0] | n->mine[1] : n->fatal | n->leaver;
}

/* The winner before `side` moves (0: we have won, 1: the other side has), or 2: the game goes on. */
BITS_INLINE int purple_ended(const struct purple_node *n, int side) {
    if (n->mine[0] == 0 || n->blues == 0)
        return 0;
    if (n->mine[1] == 0 || n->left <= 0)
        return 1;
    if (side == 0)
        return (n->mine[1] & PURPLE_OUR_EXITS) != 0 ? 0 : 2;
    return (n->leaver & PURPLE_THEIR_EXITS) != 0 ? 1 : 2;
}

/* Key and evaluation are updated with the board, so that a node is never evaluated from scratch. */
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

/* A purple piece is in both sets and moves in both. Our red that is taken costs nothing in the evaluation. */
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

/* The sum of steps to the nearer exit, the evaluation's measure of progress. */
static int distances(uint64_t set, int side) {
    int sum = 0;
    for (; set != 0; set = bits_without_first(set))
        sum += purple_distance[side][bits_first(set)];
    return sum;
}

/* Purple pieces are fatal and leavers at once. They are worth nothing when taken, because they may be red,
 * and taking one never wins by blues. `open`: their true colours count. */
static void purple_node_of(struct purple *p, const struct geister_observation *seen, bool open,
                           struct purple_node *out) {
    const uint64_t theirs = seen->unknown | seen->their_red | seen->their_blue;
    assert(!open || seen->unknown == 0);
    p->worth = open ? PURPLE_BLUE_WORTH : 0;
    *out = (struct purple_node){
        .mine = {seen->red, seen->blue},
        .fatal = open ? seen->their_red : theirs,
        .leaver = open ? seen->their_blue : theirs,
        .left = (int16_t)(open ? bits_count(seen->their_red) : seen->hidden_reds),
        .blues = (int16_t)(open ? bits_count(seen->their_blue) : GEISTER_CELLS),
    };
    const uint64_t sets[PURPLE_KINDS] = {seen->red, seen->blue, out->fatal, out->leaver};
    for (int kind = 0; kind < PURPLE_KINDS; kind++)
        for (uint64_t set = sets[kind]; set != 0; set = bits_without_first(set))
            out->key ^= p->zobrist[kind][bits_first(set)];
    out->eval = PURPLE_BLUE_WORTH * bits_count(seen->blue) - p->worth * bits_count(out->leaver) -
                distances(seen->red | seen->blue, 0) + distances(out->fatal | out->leaver, 1);
}

/* The move out of a blue on its exit; false when there is none. */
static bool purple_leaves(uint64_t blue, struct purple_result *out) {
    if ((blue & PURPLE_OUR_EXITS) == 0)
        return false;
    out->move = purple_way_out(blue);
    out->value = PURPLE_WIN;
    out->complete = true;
    return true;
}

/* ---- the table and the work ---- */

/* The numbers of the hash are fixed, so that node counts are the same in every run. */
struct purple *purple_open(size_t memory_bytes, struct err *e) {
    struct purple *p = mem_alloc(sizeof *p);
    uint64_t count = 1024;
    while (count * 2 * sizeof(struct purple_entry) <= memory_bytes)
        count *= 2;
    p->entries = mem_try_alloc(count * sizeof(struct purple_entry));
    if (p->entries == NULL) {
        purple_close(p);
        err_set(e, "not enough memory for a table of %llu positions", (unsigned long long)count);
        return NULL;
    }
    uint64_t state = UINT64_C(0x70757270);
    for (int kind = 0; kind < PURPLE_KINDS; kind++)
        for (int cell = 0; cell < GEISTER_CELLS; cell++)
            p->zobrist[kind][cell] = rng_splitmix(&state);
    p->side_key = rng_splitmix(&state);
    p->mask = count - 1;
    return p;
}

void purple_close(struct purple *p) {
    if (p != NULL)
        mem_free(p->entries);
    mem_free(p);
}

/* Begins a search; earlier results are dropped. */
static void purple_begin(struct purple *p, const struct purple_task *task) {
    assert(task->depth >= 1 && task->depth <= PURPLE_DEPTH_MAX);
    if (++p->age == 0) {
        memset(p->entries, 0, (p->mask + 1) * sizeof p->entries[0]);
        p->age = 1;
    }
    p->task = task;
    p->nodes = p->look_at = 0;
    p->over = false;
    memset(p->killers, 0, sizeof p->killers);
    memset(p->history, 0, sizeof p->history);
}

/* Counts a node; true once the search has to end. */
static bool purple_is_over(struct purple *p) {
    const struct purple_task *task = p->task;
    if (task->nodes_max > 0 && p->nodes >= task->nodes_max)
        p->over = true;
    if (p->nodes >= p->look_at) {
        p->look_at = p->nodes + PURPLE_LOOK_EVERY;
        p->over = p->over || budget_is_stopped(task->stop) ||
                  (task->cut != NULL && budget_is_cut(task->cut, task->start_ns));
    }
    p->nodes += !p->over;
    return p->over;
}

/* ---- the order of moves ---- */

/* The order in which the searches try moves: the table's move, moves that refuted others at that depth, moves
 * with the largest immediate gain, moves that were good elsewhere. */

enum {
    PURPLE_FIRST = 1 << 30,  /* the table's move */
    PURPLE_KILLER = 1 << 29, /* the last two that caused a cut-off at that depth */
    PURPLE_GAIN = 1 << 24,   /* a point of the evaluation; above any history score */
    PURPLE_GAIN_MAX = 10,
    PURPLE_HISTORY_MAX = 1 << 22,
};

struct purple_moves {
    int count;
    uint8_t moves[PURPLE_MOVES_MAX];
    int32_t scores[PURPLE_MOVES_MAX];
};

/* The depth of a node when so much of `p->depth` remains. We move at even depths. */
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

/* Swaps the best of the moves from `at` on to `at` and returns it. */
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

/* Records a move that caused a cut-off. */
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

/* ---- values ---- */

/* The purple-piece search for values. It finds what the published program finds with plain alpha-beta, in
 * less time: iterative deepening, a transposition table, moves ordered by gain, killers and history, null
 * windows beside the main line. The last ply is not searched: the gain of one move is computed from the
 * board.
 *
 * A value depends only on the position and the remaining depth (repetitions do not count), so the table
 * changes only the time. Wins and losses do not depend on the depth once it suffices. */

/* True when the entry answers this window. Wins and losses in the table are counted from the position. */
static bool look_up_value(const struct purple *p, const struct purple_entry *entry, uint64_t key,
                          int remaining, const int window[2], int *value) {
    if (entry->key != key || entry->age != p->age)
        return false;
    const int bound = entry->about & 3, depth = purple_depth(p, remaining);
    const bool wins = entry->value > PURPLE_MATE, loses = entry->value < -PURPLE_MATE;
    if (entry->about >> 2 != remaining) { /* found with another depth: valid if it is a decision in reach */
        const bool decided =
            (wins && (bound & PURPLE_AT_LEAST) != 0) || (loses && (bound & PURPLE_AT_MOST) != 0);
        if (!decided || PURPLE_WIN - abs(entry->value) > remaining)
            return false;
    }
    *value = wins ? entry->value - depth : loses ? entry->value + depth : entry->value;
    return bound == PURPLE_EXACT || (bound == PURPLE_AT_LEAST && *value >= window[1]) ||
           (bound == PURPLE_AT_MOST && *value <= window[0]);
}

/* ---- values: the last ply ---- */

/* The most that a quiet move gains: 1, 0 or -1; -2 when there is none. Both sides' exits are at the ends of
 * their far row, so that sideways moves gain the same for both. */
BITS_INLINE int quiet_gain(uint64_t pieces, uint64_t empty, int side) {
    const uint64_t left = PURPLE_COLUMN(1) | PURPLE_COLUMN(2), right = PURPLE_COLUMN(3) | PURPLE_COLUMN(4);
    const uint64_t ahead = purple_shift(pieces, side == 0 ? GEISTER_NORTH : GEISTER_SOUTH);
    if (((ahead | (pieces & left) >> 1 | (pieces & right) << 1) & empty) != 0)
        return 1;
    if (((((pieces & PURPLE_COLUMN(2)) << 1) | ((pieces & PURPLE_COLUMN(3)) >> 1)) & empty) != 0)
        return 0;
    return (purple_around(pieces) & empty) != 0 ? -1 : -2;
}

/* The most that the move itself gains when one of the pieces steps to that cell. */
BITS_INLINE int step_gain(uint64_t pieces, int to, int side) {
    int best = -1;
    for (uint64_t set = purple_around(UINT64_C(1) << to) & pieces; set != 0; set = bits_without_first(set)) {
        const int gain = purple_distance[side][bits_first(set)] - purple_distance[side][to];
        best = gain > best ? gain : best;
    }
    return best;
}

/* We move, then the position is evaluated unless the other side can leave. Value to us. */
static int last_ply_ours(const struct purple *p, const struct purple_node *n) {
    const uint64_t mine = n->mine[0] | n->mine[1], theirs = n->fatal | n->leaver;
    const uint64_t threats = n->leaver & PURPLE_THEIR_EXITS;
    const int lost = -(PURPLE_WIN - p->depth);
    int best = lost;
    if (threats == 0) {
        const int gain = quiet_gain(mine, PURPLE_BOARD & ~(mine | theirs), 0);
        best = gain > -2 ? n->eval + gain : lost;
        if (p->worth == 0 && gain >= 0) /* taking a purple piece that is not on its exit gains less */
            return best;
    }
    for (uint64_t set = purple_around(mine) & theirs; set != 0; set = bits_without_first(set)) {
        const uint64_t on = set & -set;
        const int to = bits_first(on);
        if ((threats & ~on) != 0 || ((n->fatal & on) != 0 && n->left <= 1))
            continue;
        if ((n->leaver & on) != 0 && n->blues <= 1)
            return -lost;
        const int worth = (n->leaver & on) != 0 ? p->worth : 0;
        const int value = n->eval + worth - purple_distance[1][to] + step_gain(mine, to, 0);
        best = value > best ? value : best;
    }
    return best;
}

/* The other side moves, then the position is evaluated unless we can leave. Value to the other side. */
static int last_ply_theirs(const struct purple *p, const struct purple_node *n) {
    const uint64_t mine = n->mine[0] | n->mine[1], theirs = n->fatal | n->leaver;
    const uint64_t threats = n->mine[1] & PURPLE_OUR_EXITS;
    const int lost = -(PURPLE_WIN - p->depth);
    int best = lost;
    if (threats == 0) {
        const int gain = quiet_gain(theirs, PURPLE_BOARD & ~(mine | theirs), 1);
        best = gain > -2 ? gain - n->eval : lost;
    }
    for (uint64_t set = purple_around(theirs) & mine; set != 0; set = bits_without_first(set)) {
        const uint64_t on = set & -set;
        const int to = bits_first(on);
        const bool is_blue = (n->mine[1] & on) != 0;
        if (n->mine[is_blue] == on) { /* the last of its colour */
            if (is_blue)
                return -lost;
            continue;
        }
        if ((threats & ~on) != 0)
            continue;
        const int worth = is_blue ? PURPLE_BLUE_WORTH : 0;
        const int value = worth - n->eval - purple_distance[0][to] + step_gain(theirs, to, 1);
        best = value > best ? value : best;
    }
    return best;
}

/* ---- values: the search ---- */

static int search_node(struct purple *p, const struct purple_node *n, int remaining, int alpha, int beta);

/* The value of a move to the side that makes it, as far as it lies in the window; the first move gets the
 * full window. */
static int try_move(struct purple *p, const struct purple_node *n, int remaining, const int window[2],
                    int move, bool first) {
    struct purple_node next = *n;
    purple_play(p, &next, purple_depth(p, remaining) & 1, move);
    if (!first && window[1] - window[0] > 1) {
        const int value = -search_node(p, &next, remaining - 1, -window[0] - 1, -window[0]);
        if (value <= window[0] || value >= window[1])
            return value;
    }
    return -search_node(p, &next, remaining - 1, -window[1], -window[0]);
}

/* `window` is narrowed in place; `entry` is the place of the position in the table. */
static int search_moves(struct purple *p, const struct purple_node *n, int remaining, int window[2],
                        struct purple_entry *entry, uint64_t key) {
    struct purple_moves list;
    const int alpha = window[0];
    int best = -PURPLE_WIN - 1, best_move = 0; /* no valid move */
    purple_list_all(p, n, remaining, entry->key == key && entry->age == p->age ? entry->move : 0, &list);
    for (int i = 0; i < list.count; i++) {
        const int move = purple_next(&list, i);
        const int value = try_move(p, n, remaining, window, move, i == 0);
        if (p->over)
            return 0;
        if (value <= best)
            continue;
        best = value;
        best_move = move;
        window[0] = value > window[0] ? value : window[0];
        if (value >= window[1]) {
            purple_note(p, remaining, move);
            break;
        }
    }
    const int bound = best >= window[1] ? PURPLE_AT_LEAST : best > alpha ? PURPLE_EXACT : PURPLE_AT_MOST;
    const int depth = purple_depth(p, remaining);
    *entry = (struct purple_entry){.key = key,
                                   .value = best > PURPLE_MATE    ? best + depth
                                            : best < -PURPLE_MATE ? best - depth
                                                                  : best,
                                   .age = p->age,
                                   .move = (uint8_t)best_move,
                                   .about = (uint8_t)(remaining * 4 + bound)};
    return best;
}

/* Value to the side to move, within the window; a bound outside it. Negamax with principal variation search
 * (Marsland 1986) beside the first move. */
static int search_node(struct purple *p, const struct purple_node *n, int remaining, int alpha, int beta) {
    const int depth = purple_depth(p, remaining), side = depth & 1;
    if (purple_is_over(p))
        return 0;
    const int winner = purple_ended(n, side);
    if (winner != 2)
        return winner == side ? PURPLE_WIN - depth : -PURPLE_WIN + depth;
    if (remaining == 1)
        return side == 0 ? last_ply_ours(p, n) : last_ply_theirs(p, n);
    if (remaining == 0)
        return side == 0 ? n->eval : -n->eval;
    const uint64_t key = n->key ^ (side == 0 ? 0 : p->side_key);
    struct purple_entry *entry = &p->entries[key & p->mask];
    int window[2] = {alpha, beta};
    int value;
    if (look_up_value(p, entry, key, remaining, window, &value))
        return value;
    return search_moves(p, n, remaining, window, entry, key);
}

/* ---- values: the root ---- */

struct root {
    const struct purple_node *node;
    int count;
    struct purple_root moves[PURPLE_MOVES_MAX]; /* in list order */
    int order[PURPLE_MOVES_MAX];                /* in search order */
};

/* A move that is listed before the best so far replaces it when it is equal; one listed behind it must be
 * better. So the first of equals wins in any search order. */
static int try_root(struct purple *p, struct root *root, int at, int best, bool exact) {
    struct purple_root *m = &root->moves[at];
    const int low = best < 0 || exact ? -PURPLE_WIN - 1 : root->moves[best].value - (at < best);
    const int window[2] = {low, PURPLE_WIN + 1};
    m->value = try_move(p, root->node, p->depth, window, (int)m->move, best < 0 || exact);
    m->at_most = m->value <= low;
    if (best < 0)
        return at;
    const int lead = m->value - root->moves[best].value;
    return !m->at_most && (lead > 0 || (lead == 0 && at < best)) ? at : best;
}

/* Follows the table as far as it goes: the last ply is not in it. */
static void follow_line(struct purple *p, const struct root *root, int best, struct purple_roots *out) {
    struct purple_node n = *root->node;
    int move = (int)root->moves[best].move;
    out->line_count = 0;
    for (int depth = 0;; depth++) {
        out->line[out->line_count++] = (action)move;
        purple_play(p, &n, depth & 1, move);
        const int side = (depth + 1) & 1, remaining = p->depth - depth - 1;
        const uint64_t key = n.key ^ (side == 0 ? 0 : p->side_key);
        const struct purple_entry *entry = &p->entries[key & p->mask];
        if (remaining < 1 || purple_ended(&n, side) != 2 || entry->key != key || entry->age != p->age ||
            entry->about >> 2 != remaining)
            return;
        move = entry->move;
    }
}

/* Of the last completed depth; a search that is stopped answers with it. */
static void report(struct purple *p, const struct root *root, int best, struct purple_result *out) {
    out->move = root->moves[best].move;
    out->value = root->moves[best].value;
    out->depth = p->depth;
    struct purple_roots *roots = p->task->roots;
    if (roots == NULL)
        return;
    roots->count = root->count;
    memcpy(roots->moves, root->moves, sizeof roots->moves);
    follow_line(p, root, best, roots);
}

static void purple_deepen(struct purple *p, const struct purple_node *node, struct purple_result *out) {
    struct root root = {.node = node};
    action list[PURPLE_MOVES_MAX];
    root.count = bits_moves(purple_pieces(node, 0), 0, false, list); /* in the published order */
    for (int i = 0; i < root.count; i++) {
        root.moves[i] = (struct purple_root){.move = list[i], .value = node->eval};
        root.order[i] = i;
    }
    p->depth = 0;
    report(p, &root, 0, out);
    for (p->depth = 1; p->depth <= p->task->depth; p->depth++) {
        int best = -1, at = 0;
        for (int i = 0; i < root.count && !p->over; i++)
            best = try_root(p, &root, root.order[i], best, p->task->exact_roots);
        if (p->over)
            return;
        report(p, &root, best, out);
        while (root.order[at] != best) /* the best comes first at the next depth */
            at++;
        memmove(root.order + 1, root.order, (size_t)at * sizeof root.order[0]);
        root.order[0] = best;
        /* More depth changes neither a win or loss nor the first move that achieves it. */
        if (!p->task->exact_roots && (out->value > PURPLE_MATE || out->value < -PURPLE_MATE))
            break;
    }
    out->complete = true;
}

/* ---- forced wins ---- */

/* Forced wins against purple pieces only: is there one within that many plies? This needs no evaluation, so
 * many positions are decided immediately: a blue that cannot be caught wins its race, and where no blue is
 * near enough to an exit there is no win. Depths grow by two, so that the first win found is the quickest; a
 * proof is stored for all depths it is valid for.
 *
 * A win is detected when we are to move: a blue is on its exit, or our reds are all taken. `remaining` is the
 * number of plies until then at most; it is even when we are to move. */

/* In an entry's value: no win within `fails` plies, a win within `wins`. */
enum { KNOWN_SHIFT = 8, KNOWN_MASK = 0xFF, WINS_NEVER = 0xFF };

/* ---- forced wins: decided without search ---- */

int purple_nearest(uint64_t set, int side) {
    int best = GEISTER_CELLS;
    for (; set != 0; set = bits_without_first(set)) {
        const int distance = purple_distance[side][bits_first(set)];
        best = distance < best ? distance : best;
    }
    return best;
}

/* The least number of cells that surround that many pieces: with fewer reds we cannot force the other side to
 * take one. */
static const int surround[GEISTER_PIECES + 1] = {0, 2, 3, 3, 4, 4, 4, 5, 5};

/* False when there can be no win with that many own moves, the other side making `their_moves`. The other
 * side takes no red unless it is surrounded by reds, and then one a move; otherwise a blue must be near
 * enough. */
static bool is_in_reach(const struct purple_node *n, int moves, int their_moves) {
    if (purple_nearest(n->mine[1], 0) <= moves)
        return true;
    const int reds = bits_count(n->mine[0]), least = bits_count(n->fatal) - n->left + 1;
    return reds <= their_moves && least >= 0 && least <= GEISTER_PIECES && reds >= surround[least];
}

/* True when a piece of that side reaches an exit in at most `moves` moves against any defence, where the
 * other side makes `lead` moves before the first. This holds when no piece can be at the corner in time (a
 * piece that could meet it on its way could be there, too), none leaves sooner, and own pieces leave a way.
 */
static bool wins_race(const struct purple_node *n, int side, int moves, int lead) {
    const uint64_t runners[2] = {n->mine[1], n->leaver}, others = purple_pieces(n, 1 - side);
    const uint64_t free = ~(purple_pieces(n, side) | others);
    const int sooner = purple_nearest(runners[1 - side], 1 - side) - lead,
              limit = sooner < moves ? sooner : moves;
    for (uint64_t exits = side == 0 ? PURPLE_OUR_EXITS : PURPLE_THEIR_EXITS; exits != 0;
         exits = bits_without_first(exits)) {
        /* Both sets grow from the corner: the cells that runners can come from, and those that catchers can
         * come from. */
        uint64_t ways = exits & -exits, catchers = ways;
        if ((ways & ~free) != 0)
            continue;
        for (int i = 0; i < lead; i++)
            catchers |= purple_around(catchers);
        for (int distance = 1; distance <= limit; distance++) {
            catchers |= purple_around(catchers);
            if ((catchers & others) != 0)
                break;
            if ((purple_around(ways) & runners[side]) != 0)
                return true;
            ways |= purple_around(ways) & free;
        }
    }
    return false;
}

/* ---- forced wins: the search ---- */

static bool they_lose(struct purple *p, const struct purple_node *n, int remaining);
static bool we_win(struct purple *p, const struct purple_node *n, int remaining);

/* True when we win: one of our moves wins, or all replies of the other side lose. Asks the table first and
 * stores the answer. */
BITS_INLINE bool is_proved(struct purple *p, const struct purple_node *n, int side, int remaining) {
    const uint64_t key = side == 0 ? n->key : n->key ^ p->side_key;
    struct purple_entry *entry = &p->entries[key & p->mask];
    const bool stored = entry->key == key && entry->age == p->age;
    if (stored && (entry->value >> KNOWN_SHIFT) <= remaining)
        return true;
    if (stored && (entry->value & KNOWN_MASK) >= remaining)
        return false;
    struct purple_moves list;
    purple_list_all(p, n, remaining, stored ? entry->move : 0, &list);
    int decides = 0; /* the move that wins, or refutes */
    for (int i = 0; i < list.count && decides == 0; i++) {
        const int move = purple_next(&list, i);
        struct purple_node next = *n;
        purple_play(p, &next, side, move);
        const bool wins = side == 0 ? they_lose(p, &next, remaining - 1) : we_win(p, &next, remaining - 1);
        decides = wins == (side == 0) ? move : 0;
    }
    if (p->over)
        return false;
    if (decides != 0)
        purple_note(p, remaining, decides);
    const bool wins = (decides != 0) == (side == 0);
    int wins_in = WINS_NEVER, fails = 0;
    if (entry->key == key && entry->age == p->age) { /* unless the search has replaced it */
        wins_in = entry->value >> KNOWN_SHIFT;
        fails = entry->value & KNOWN_MASK;
    }
    if (wins)
        wins_in = remaining < wins_in ? remaining : wins_in;
    else
        fails = remaining > fails ? remaining : fails;
    *entry = (struct purple_entry){
        .key = key, .value = wins_in << KNOWN_SHIFT | fails, .age = p->age, .move = (uint8_t)decides};
    return wins;
}

/* True when all replies lose. */
static bool they_lose(struct purple *p, const struct purple_node *n, int remaining) {
    if (purple_is_over(p))
        return false;
    const int winner = purple_ended(n, 1);
    if (winner != 2)
        return winner == 0;
    if (remaining == 1) {
        /* One ply is left to stop a blue from leaving. With no blue on an exit it cannot fail: at most one of
         * its moves takes our last red, and it has more than one move. */
        const uint64_t on_exit = n->mine[1] & PURPLE_OUR_EXITS;
        return on_exit != 0 &&
               (on_exit == PURPLE_OUR_EXITS || (purple_around(on_exit) & (n->fatal | n->leaver)) == 0);
    }
    if (!is_in_reach(n, remaining / 2, remaining / 2 + 1))
        return false;
    if (wins_race(n, 0, remaining / 2, 1))
        return true;
    return !wins_race(n, 1, GEISTER_CELLS, 0) && is_proved(p, n, 1, remaining);
}

/* True when some move wins. */
static bool we_win(struct purple *p, const struct purple_node *n, int remaining) {
    if (purple_is_over(p))
        return false;
    const int winner = purple_ended(n, 0);
    if (winner != 2)
        return winner == 0;
    if (remaining == 0 || !is_in_reach(n, remaining / 2, remaining / 2))
        return false;
    if (wins_race(n, 0, remaining / 2, 0))
        return true;
    return !wins_race(n, 1, GEISTER_CELLS, 1) && is_proved(p, n, 0, remaining);
}

/* Depths 2, 4, …: a win needs an own move at its end. */
bool purple_mate(struct purple *p, const struct geister_observation *seen, const struct purple_task *task,
                 struct purple_result *out) {
    struct purple_node root;
    action list[PURPLE_MOVES_MAX];
    assert(!task->open);
    *out = (struct purple_result){0};
    purple_node_of(p, seen, false, &root);
    if (purple_leaves(root.mine[1], out))
        return true;
    purple_begin(p, task);
    bool found = false;
    for (p->depth = 2; p->depth <= task->depth && !found; p->depth += 2) {
        const int count = bits_moves(purple_pieces(&root, 0), 0, false, list);
        for (int i = 0; i < count && !p->over && !found; i++) { /* the first that wins */
            struct purple_node next = root;
            purple_play_ours(p, &next, (int)list[i]);
            found = they_lose(p, &next, p->depth - 1) && !p->over;
            if (found) {
                out->move = list[i];
                out->value = PURPLE_WIN - p->depth;
            }
        }
        if (p->over)
            break;
        out->depth = p->depth;
    }
    out->nodes = p->nodes;
    out->complete = !p->over;
    return found;
}

/* ---- entry points ---- */

/* A blue on its exit wins at once, and nothing is searched. */
void purple_search(struct purple *p, const struct geister_observation *seen, const struct purple_task *task,
                   struct purple_result *out) {
    struct purple_node root;
    *out = (struct purple_result){0};
    purple_node_of(p, seen, task->open, &root);
    if (!purple_leaves(root.mine[1], out)) {
        purple_begin(p, task);
        purple_deepen(p, &root, out);
        out->nodes = p->nodes;
    } else if (task->roots != NULL) {
        task->roots->count = task->roots->line_count = 1;
        task->roots->moves[0] = (struct purple_root){.move = out->move, .value = out->value};
        task->roots->line[0] = out->move;
    }
}

action purple_move(struct purple *p, const struct geister_observation *seen, int depth) {
    struct purple_result result;
    purple_search(p, seen, &(struct purple_task){.depth = depth}, &result);
    return result.move;
}
