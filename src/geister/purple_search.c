/* SPDX-License-Identifier: MIT
 *
 * The purple-piece search for values: what the published program finds with plain alpha-beta, found sooner.
 * Iterative deepening, a transposition table, moves in the order of what they gain, killers and history,
 * null windows beside the main line. The last ply is not searched: what a side can gain in one move is
 * read off the board.
 *
 * A value depends on a position and the depth that is left alone (nothing counts repetitions), so that the
 * table changes nothing but the time. Wins and losses do not depend on the depth once it suffices.
 */
#include "geister/purple_moves.h"

/* ---- the table: values of wins and losses are counted from the position ---- */

BITS_INLINE int from_here(int value, int depth) {
    return value > PURPLE_MATE ? value + depth : value < -PURPLE_MATE ? value - depth : value;
}

BITS_INLINE int from_root(int value, int depth) {
    return value > PURPLE_MATE ? value - depth : value < -PURPLE_MATE ? value + depth : value;
}

/* May a value found with that depth left be used with this one? */
static bool is_usable(const struct purple_entry *entry, int remaining) {
    const int found = entry->about >> 2, bound = entry->about & 3, value = entry->value;
    if (found == remaining)
        return true;
    const bool decided = (value > PURPLE_MATE && (bound & PURPLE_AT_LEAST) != 0) ||
                         (value < -PURPLE_MATE && (bound & PURPLE_AT_MOST) != 0);
    const int plies = PURPLE_WIN - (value > 0 ? value : -value);
    return decided && plies <= remaining;
}

/* Does the table know enough for this window? */
static bool look_up(const struct purple *p, const struct purple_entry *entry, uint64_t key, int remaining,
                    const int window[2], int *value) {
    if (entry->key != key || entry->age != p->age || !is_usable(entry, remaining))
        return false;
    const int bound = entry->about & 3;
    *value = from_root(entry->value, purple_depth(p, remaining));
    return bound == PURPLE_EXACT || (bound == PURPLE_AT_LEAST && *value >= window[1]) ||
           (bound == PURPLE_AT_MOST && *value <= window[0]);
}

/* ---- the last ply ---- */

/* The most that a quiet move gains: 1, 0 or -1; -2 when there is none. Both sides' exits are at the ends of
 * their far row, so that sideways they are alike. */
BITS_INLINE int quiet_gain(uint64_t pieces, uint64_t empty, int side) {
    const uint64_t left = PURPLE_COLUMN(1) | PURPLE_COLUMN(2), right = PURPLE_COLUMN(3) | PURPLE_COLUMN(4);
    const uint64_t ahead = purple_shift(pieces, side == 0 ? GEISTER_NORTH : GEISTER_SOUTH);
    if (((ahead | (pieces & left) >> 1 | (pieces & right) << 1) & empty) != 0)
        return 1;
    if (((((pieces & PURPLE_COLUMN(2)) << 1) | ((pieces & PURPLE_COLUMN(3)) >> 1)) & empty) != 0)
        return 0;
    return (purple_around(pieces) & empty) != 0 ? -1 : -2;
}

/* The most that the move itself gains when one of the pieces steps there. */
BITS_INLINE int step_gain(uint64_t pieces, int to, int side) {
    int best = -1;
    for (uint64_t set = purple_around(UINT64_C(1) << to) & pieces; set != 0; set = bits_without_first(set)) {
        const int gain = purple_distance[side][bits_first(set)] - purple_distance[side][to];
        best = gain > best ? gain : best;
    }
    return best;
}

/* We move, then it is evaluated unless the other side can leave. To us. */
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

/* The other side moves, then it is evaluated unless we can leave. To the other side. */
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

/* ---- the search ---- */

static int search(struct purple *p, const struct purple_node *n, int remaining, int alpha, int beta);

/* The value of a move to who makes it, as far as it lies in the window; the first one gets all of it. */
static int try_move(struct purple *p, const struct purple_node *n, int remaining, const int window[2],
                    int move, bool first) {
    struct purple_node next = *n;
    purple_play(p, &next, purple_depth(p, remaining) & 1, move);
    if (!first && window[1] - window[0] > 1) {
        const int value = -search(p, &next, remaining - 1, -window[0] - 1, -window[0]);
        if (value <= window[0] || value >= window[1])
            return value;
    }
    return -search(p, &next, remaining - 1, -window[1], -window[0]);
}

static int search_moves(struct purple *p, const struct purple_node *n, int remaining, int window[2],
                        struct purple_entry *entry, uint64_t key) {
    struct purple_moves list;
    const int alpha = window[0];
    int best = -PURPLE_WIN - 1, best_move = 0; /* a step off the board: nobody's */
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
    *entry = (struct purple_entry){.key = key,
                                   .value = from_here(best, purple_depth(p, remaining)),
                                   .age = p->age,
                                   .move = (uint8_t)best_move,
                                   .about = (uint8_t)(remaining * 4 + bound)};
    return best;
}

/* To the side to move, within the window; a bound where it lies outside. */
static int search(struct purple *p, const struct purple_node *n, int remaining, int alpha, int beta) {
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
    if (look_up(p, entry, key, remaining, window, &value))
        return value;
    return search_moves(p, n, remaining, window, entry, key);
}

/* ---- the root ---- */

struct root {
    const struct purple_node *node;
    int count;
    struct purple_root moves[PURPLE_MOVES_MAX]; /* as listed */
    int order[PURPLE_MOVES_MAX];                /* as searched */
};

/* A move that is listed before the best so far replaces it when it is as good; one behind it must be better:
 * the first of equals wins, however they are ordered. */
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

/* The best first in the next search. */
static void bring_forward(struct root *root, int best) {
    int at = 0;
    while (root->order[at] != best)
        at++;
    for (; at > 0; at--)
        root->order[at] = root->order[at - 1];
    root->order[0] = best;
}

/* One depth; the index of the best move. Means nothing when the search had to end. */
static int search_root(struct purple *p, struct root *root) {
    int best = -1;
    for (int i = 0; i < root->count && !p->over; i++)
        best = try_root(p, root, root->order[i], best, p->task->exact_roots);
    return best;
}

/* Along the table, as far as it remembers: the last ply is not in it. */
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

static void report(struct purple *p, const struct root *root, int best, struct purple_result *out) {
    out->move = root->moves[best].move;
    out->value = root->moves[best].value;
    out->depth = p->depth;
    struct purple_roots *roots = p->task->roots;
    if (roots == NULL)
        return;
    roots->count = root->count;
    for (int i = 0; i < root->count; i++)
        roots->moves[i] = root->moves[i];
    follow_line(p, root, best, roots);
}

void purple_deepen(struct purple *p, const struct purple_node *node, struct purple_result *out) {
    struct root root = {.node = node};
    uint8_t list[PURPLE_MOVES_MAX];
    root.count = purple_list(node, list);
    for (int i = 0; i < root.count; i++) {
        root.moves[i] = (struct purple_root){.move = list[i], .value = node->eval};
        root.order[i] = i;
    }
    p->depth = 0;
    report(p, &root, 0, out);
    for (p->depth = 1; p->depth <= p->task->depth; p->depth++) {
        const int best = search_root(p, &root);
        if (p->over)
            return;
        report(p, &root, best, out);
        bring_forward(&root, best);
        /* More depth does not change a win or a loss, nor which move comes first. */
        if (!p->task->exact_roots && (out->value > PURPLE_MATE || out->value < -PURPLE_MATE))
            break;
    }
    out->complete = true;
}
