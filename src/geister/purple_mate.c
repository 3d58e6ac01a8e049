/* SPDX-License-Identifier: MIT
 *
 * Forced wins against purple pieces, and nothing else: is there one within so many plies? Yes and no need no
 * evaluation, so that whole positions can be settled at a look: a blue that nobody can catch wins its race,
 * and where no blue is near enough to an exit nothing can be won. Depths grow by two, so that the first win
 * found is the quickest; what is proved of a position is remembered for all depths that it holds for.
 *
 * A win is seen when we are to move: a blue is on its exit, or our reds are all taken. `remaining` counts the
 * plies until then at the latest; it is even when we are to move.
 */
#include "geister/purple_moves.h"

#include <assert.h>

/* In an entry's value: no win within `fails` plies, one within `wins`. */
enum { KNOWN_SHIFT = 8, KNOWN_MASK = 0xFF, WINS_NEVER = 0xFF };

/* ---- what a look can tell ---- */

/* The nearest of a set to an exit of that side, in moves. */
static int nearest(uint64_t set, int side) {
    int best = GEISTER_CELLS;
    for (; set != 0; set = bits_without_first(set)) {
        const int distance = purple_distance[side][bits_first(set)];
        best = distance < best ? distance : best;
    }
    return best;
}

/* At least so many cells surround that many pieces: with fewer reds we cannot leave the other side nothing
 * but to take one. */
static const int surround[GEISTER_PIECES + 1] = {0, 2, 3, 3, 4, 4, 4, 5, 5};

/* Can there be a win with so many own moves before it, the other side moving that often? It takes no red
 * unless it is surrounded by them, and then one a move: otherwise a blue has to be near enough. */
static bool is_in_reach(const struct purple_node *n, int moves, int their_moves) {
    if (nearest(n->mine[1], 0) <= moves)
        return true;
    const int reds = bits_count(n->mine[0]), least = bits_count(n->fatal) - n->left + 1;
    return reds <= their_moves && least >= 0 && least <= GEISTER_PIECES && reds >= surround[least];
}

/* Does a piece of that side reach an exit in at most `moves` moves, whatever the other side does, if that
 * makes `lead` moves before its first? It does when no piece can be at the corner in time (a piece that could
 * meet it on its way could be there, too), none leaves sooner, and own pieces leave a way. */
static bool wins_race(const struct purple_node *n, int side, int moves, int lead) {
    const uint64_t runners[2] = {n->mine[1], n->leaver}, others = purple_pieces(n, 1 - side);
    const uint64_t free = ~(purple_pieces(n, side) | others);
    const int sooner = nearest(runners[1 - side], 1 - side) - lead, limit = sooner < moves ? sooner : moves;
    for (uint64_t exits = side == 0 ? PURPLE_OUR_EXITS : PURPLE_THEIR_EXITS; exits != 0;
         exits = bits_without_first(exits)) {
        /* Both grow from the corner, the cells that runners can come from and those that catchers can. */
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

/* ---- the search ---- */

static bool we_win(struct purple *p, const struct purple_node *n, int remaining);

/* What the table knows: 1 a win, 0 none, -1 nothing. */
static int look_up(const struct purple *p, const struct purple_entry *entry, uint64_t key, int remaining) {
    if (entry->key != key || entry->age != p->age)
        return -1;
    if ((entry->value >> KNOWN_SHIFT) <= remaining)
        return 1;
    return (entry->value & KNOWN_MASK) >= remaining ? 0 : -1;
}

static void remember(struct purple *p, struct purple_entry *entry, uint64_t key, int remaining, bool wins,
                     int move) {
    int wins_in = WINS_NEVER, fails = 0;
    if (entry->key == key && entry->age == p->age) {
        wins_in = entry->value >> KNOWN_SHIFT;
        fails = entry->value & KNOWN_MASK;
    }
    if (wins)
        wins_in = remaining < wins_in ? remaining : wins_in;
    else
        fails = remaining > fails ? remaining : fails;
    *entry = (struct purple_entry){
        .key = key, .value = wins_in << KNOWN_SHIFT | fails, .age = p->age, .move = (uint8_t)move};
}

/* The other side is to move and has one ply left to keep a blue from leaving. With none on an exit it needs
 * not: of its moves at most one takes our last red, and it has more than one. */
static bool cannot_stop(const struct purple_node *n) {
    const uint64_t on_exit = n->mine[1] & PURPLE_OUR_EXITS;
    return on_exit != 0 &&
           (on_exit == PURPLE_OUR_EXITS || (purple_around(on_exit) & (n->fatal | n->leaver)) == 0);
}

/* All replies lose. */
static bool they_lose(struct purple *p, const struct purple_node *n, int remaining) {
    if (purple_is_over(p))
        return false;
    const int winner = purple_ended(n, 1);
    if (winner != 2)
        return winner == 0;
    if (remaining == 1)
        return cannot_stop(n);
    if (!is_in_reach(n, remaining / 2, remaining / 2 + 1))
        return false;
    if (wins_race(n, 0, remaining / 2, 1))
        return true;
    if (wins_race(n, 1, GEISTER_CELLS, 0))
        return false;
    const uint64_t key = n->key ^ p->side_key;
    struct purple_entry *entry = &p->entries[key & p->mask];
    const int known = look_up(p, entry, key, remaining);
    if (known >= 0)
        return known == 1;
    struct purple_moves list;
    purple_list_all(p, n, remaining, entry->key == key && entry->age == p->age ? entry->move : 0, &list);
    int refutes = 0;
    for (int i = 0; i < list.count && refutes == 0; i++) {
        const int move = purple_next(&list, i);
        struct purple_node next = *n;
        purple_play_theirs(p, &next, move);
        refutes = we_win(p, &next, remaining - 1) ? 0 : move;
    }
    if (p->over)
        return false;
    if (refutes != 0)
        purple_note(p, remaining, refutes);
    remember(p, entry, key, remaining, refutes == 0, refutes);
    return refutes == 0;
}

/* Some move wins. */
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
    if (wins_race(n, 1, GEISTER_CELLS, 1))
        return false;
    struct purple_entry *entry = &p->entries[n->key & p->mask];
    const int known = look_up(p, entry, n->key, remaining);
    if (known >= 0)
        return known == 1;
    struct purple_moves list;
    purple_list_all(p, n, remaining, entry->key == n->key && entry->age == p->age ? entry->move : 0, &list);
    int wins = 0;
    for (int i = 0; i < list.count && wins == 0; i++) {
        const int move = purple_next(&list, i);
        struct purple_node next = *n;
        purple_play_ours(p, &next, move);
        wins = they_lose(p, &next, remaining - 1) ? move : 0;
    }
    if (p->over)
        return false;
    if (wins != 0)
        purple_note(p, remaining, wins);
    remember(p, entry, n->key, remaining, wins != 0, wins);
    return wins != 0;
}

/* The first of our moves that wins within p->depth; false when none does. */
static bool find_first(struct purple *p, const struct purple_node *root, struct purple_result *out) {
    uint8_t list[PURPLE_MOVES_MAX];
    const int count = purple_list(root, list);
    for (int i = 0; i < count && !p->over; i++) {
        struct purple_node next = *root;
        purple_play_ours(p, &next, list[i]);
        if (!they_lose(p, &next, p->depth - 1) || p->over)
            continue;
        out->move = list[i];
        out->value = PURPLE_WIN - p->depth;
        return true;
    }
    return false;
}

bool purple_mate(struct purple *p, const struct purple_board *board, const struct purple_task *task,
                 struct purple_result *out) {
    struct purple_node root;
    *out = (struct purple_result){0};
    purple_node_of(p, board, &root);
    if (purple_leaves(root.mine[1], out))
        return true;
    purple_begin(p, task);
    bool found = false;
    for (p->depth = 2; p->depth <= task->depth && !found; p->depth += 2) {
        found = find_first(p, &root, out);
        if (p->over)
            break;
        out->depth = p->depth;
    }
    out->nodes = p->nodes;
    out->complete = !p->over;
    return found;
}
