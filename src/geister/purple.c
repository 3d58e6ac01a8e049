/* SPDX-License-Identifier: MIT
 *
 * Positions of the purple-piece searches, their table, and what is asked of them from outside. The searches
 * themselves are in purple_search.c (values) and purple_mate.c (forced wins).
 */
#include "geister/purple.h"

#include "base/mem.h"
#include "geister/purple_node.h"

#include <assert.h>
#include <string.h>

const int8_t purple_distance[2][GEISTER_CELLS] = {
    {0, 1, 2, 2, 1, 0, 1, 2, 3, 3, 2, 1, 2, 3, 4, 4, 3, 2,
     3, 4, 5, 5, 4, 3, 4, 5, 6, 6, 5, 4, 5, 6, 7, 7, 6, 5},
    {5, 6, 7, 7, 6, 5, 4, 5, 6, 6, 5, 4, 3, 4, 5, 5, 4, 3,
     2, 3, 4, 4, 3, 2, 1, 2, 3, 3, 2, 1, 0, 1, 2, 2, 1, 0},
};

const int8_t purple_steps[4] = {-GEISTER_SIZE, 1, -1, GEISTER_SIZE};

const enum geister_direction purple_order[4] = {GEISTER_NORTH, GEISTER_EAST, GEISTER_SOUTH, GEISTER_WEST};

/* ---- positions ---- */

void purple_board_of(const struct geister_sight *sight, struct purple_board *out) {
    const uint64_t theirs = sight->unknown | sight->their_red | sight->their_blue;
    *out = (struct purple_board){.red = sight->red,
                                 .blue = sight->blue,
                                 .purple = theirs,
                                 .blues = bits_count(theirs) - sight->hidden_reds};
}

static int distances(uint64_t set, int side) {
    int sum = 0;
    for (; set != 0; set = bits_without_first(set))
        sum += purple_distance[side][bits_first(set)];
    return sum;
}

static void colours_of(const struct purple_board *board, struct purple_node *out) {
    *out = (struct purple_node){.mine = {board->red, board->blue},
                                .fatal = board->purple,
                                .leaver = board->purple,
                                .left = (int16_t)(bits_count(board->purple) - board->blues),
                                .blues = GEISTER_CELLS};
}

int purple_winner(const struct purple_board *board, int side) {
    struct purple_node n;
    colours_of(board, &n);
    return purple_ended(&n, side);
}

int purple_evaluate(const struct purple_board *board) {
    return PURPLE_BLUE_WORTH * bits_count(board->blue) - distances(board->red | board->blue, 0) +
           distances(board->purple, 1);
}

void purple_node_finish(const struct purple *p, struct purple_node *n) {
    const uint64_t sets[PURPLE_KINDS] = {n->mine[0], n->mine[1], n->fatal, n->leaver};
    n->key = 0;
    for (int kind = 0; kind < PURPLE_KINDS; kind++)
        for (uint64_t set = sets[kind]; set != 0; set = bits_without_first(set))
            n->key ^= p->zobrist[kind][bits_first(set)];
    n->eval = PURPLE_BLUE_WORTH * bits_count(n->mine[1]) - p->worth * bits_count(n->leaver) -
              distances(n->mine[0] | n->mine[1], 0) + distances(n->fatal | n->leaver, 1);
}

void purple_node_of(struct purple *p, const struct purple_board *board, struct purple_node *out) {
    p->worth = 0;
    colours_of(board, out);
    purple_node_finish(p, out);
}

int purple_list(const struct purple_node *n, uint8_t out[PURPLE_MOVES_MAX]) {
    const uint64_t mine = n->mine[0] | n->mine[1];
    int count = 0;
    for (uint64_t set = mine; set != 0; set = bits_without_first(set)) {
        const uint64_t from = set & -set;
        for (int i = 0; i < 4; i++)
            if ((purple_shift(from, purple_order[i]) & ~mine) != 0)
                out[count++] = (uint8_t)geister_move(bits_first(from), purple_order[i]);
    }
    return count;
}

bool purple_leaves(uint64_t blue, struct purple_result *out) {
    if ((blue & PURPLE_OUR_EXITS) == 0)
        return false;
    out->move = (blue & 1) != 0 ? geister_move(0, GEISTER_WEST) : geister_move(5, GEISTER_EAST);
    out->value = PURPLE_WIN;
    out->complete = true;
    return true;
}

/* ---- the table and the work ---- */

struct purple *purple_open(size_t memory_bytes, struct err *e) {
    struct purple *p = mem_alloc(sizeof *p);
    uint64_t count = 1024;
    while (count * 2 * sizeof(struct purple_entry) <= memory_bytes)
        count *= 2;
    if (p != NULL)
        p->entries = mem_alloc(count * sizeof(struct purple_entry));
    if (p == NULL || p->entries == NULL) {
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

void purple_begin(struct purple *p, const struct purple_task *task) {
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

bool purple_is_over(struct purple *p) {
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

/* ---- asked from outside ---- */

/* A line of one move, when it leaves. */
static void leaves_alone(const struct purple_result *found, struct purple_roots *out) {
    if (out == NULL)
        return;
    out->count = out->line_count = 1;
    out->moves[0] = (struct purple_root){.move = found->move, .value = found->value};
    out->line[0] = found->move;
}

static void search(struct purple *p, const struct purple_node *root, const struct purple_task *task,
                   struct purple_result *out) {
    *out = (struct purple_result){0};
    if (purple_leaves(root->mine[1], out)) {
        leaves_alone(out, task->roots);
        return;
    }
    purple_begin(p, task);
    purple_deepen(p, root, out);
    out->nodes = p->nodes;
}

void purple_search(struct purple *p, const struct purple_board *board, const struct purple_task *task,
                   struct purple_result *out) {
    struct purple_node root;
    purple_node_of(p, board, &root);
    search(p, &root, task, out);
}

void purple_search_open(struct purple *p, const struct geister_sight *sight, const struct purple_task *task,
                        struct purple_result *out) {
    assert(sight->unknown == 0);
    struct purple_node root = {.mine = {sight->red, sight->blue},
                               .fatal = sight->their_red,
                               .leaver = sight->their_blue,
                               .left = (int16_t)bits_count(sight->their_red),
                               .blues = (int16_t)bits_count(sight->their_blue)};
    p->worth = PURPLE_BLUE_WORTH;
    purple_node_finish(p, &root);
    search(p, &root, task, out);
}
