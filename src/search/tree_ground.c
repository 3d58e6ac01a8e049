/* SPDX-License-Identifier: MIT */
#include "search/tree_ground.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum { FAMILY = 8 }; /* storage is divided on the assumption that nodes have at least so many children */

static uint32_t power_of_two_from(uint32_t n) {
    uint32_t power = 16;
    while (power < n)
        power *= 2;
    return power;
}

bool ground_init(struct ground *g, size_t memory_bytes, int actions_max, bool keyed, bool squares) {
    const size_t child_size = sizeof *g->actions + sizeof *g->visits + sizeof *g->sums +
                              sizeof *g->child_nodes + (squares ? sizeof *g->squares : 0);
    const size_t node_size = sizeof *g->nodes + (keyed ? 3 * sizeof *g->places : 0);
    const size_t family = actions_max < FAMILY ? (size_t)actions_max : FAMILY;
    size_t children = memory_bytes / (child_size + node_size / family + 1);
    const size_t least = 2 * (size_t)actions_max, most = UINT32_MAX / 4;
    children = children < least ? least : children > most ? most : children;
    *g = (struct ground){.child_max = (uint32_t)children, .node_max = (uint32_t)(children / family) + 2};
    const size_t readable = children + GROUND_LANES;
    /* Not zeroed: entries are filled in when they are made, and most never are. */
    g->nodes = mem_resize(NULL, g->node_max * sizeof *g->nodes);
    g->actions = mem_resize(NULL, children * sizeof *g->actions);
    g->visits = mem_resize(NULL, readable * sizeof *g->visits);
    g->sums = mem_resize(NULL, readable * sizeof *g->sums);
    g->squares = squares ? mem_resize(NULL, readable * sizeof *g->squares) : NULL;
    g->child_nodes = mem_resize(NULL, children * sizeof *g->child_nodes);
    if (keyed) {
        g->place_count = power_of_two_from(2 * g->node_max);
        g->places = mem_alloc(g->place_count * sizeof *g->places);
        g->stamp = 1; /* zeroed places are older */
    }
    if (g->nodes != NULL && g->actions != NULL && g->visits != NULL && g->sums != NULL &&
        g->child_nodes != NULL && (!squares || g->squares != NULL) && (!keyed || g->places != NULL))
        return true;
    ground_done(g);
    return false;
}

void ground_done(struct ground *g) {
    mem_free(g->nodes);
    mem_free(g->actions);
    mem_free(g->visits);
    mem_free(g->sums);
    mem_free(g->squares);
    mem_free(g->child_nodes);
    mem_free(g->places);
    *g = (struct ground){0};
}

void ground_clear(struct ground *g) {
    g->node_count = g->child_count = 0;
    if (g->places == NULL || ++g->stamp != 0)
        return;
    memset(g->places, 0, g->place_count * sizeof *g->places); /* after 2^32 searches stamps begin again */
    g->stamp = 1;
}

uint32_t ground_add(struct ground *g, const action *list, int count, int mover) {
    if (g->node_count == g->node_max || (uint32_t)count > g->child_max - g->child_count)
        return GROUND_LEAF;
    const uint32_t first = g->child_count, number = g->node_count++;
    const size_t n = (size_t)count;
    g->child_count += (uint32_t)count;
    memcpy(g->actions + first, list, n * sizeof *list);
    memset(g->visits + first, 0, n * sizeof *g->visits);
    memset(g->sums + first, 0, n * sizeof *g->sums);
    if (g->squares != NULL)
        memset(g->squares + first, 0, n * sizeof *g->squares);
    memset(g->child_nodes + first, 0, n * sizeof *g->child_nodes);
    g->nodes[number] = (struct tree_node){.first = first, .count = (uint32_t)count, .mover = mover};
    return number;
}

/* ---- positions by key ---- */

/* Where the key is, or the empty place where it would be: there are more places than nodes. */
static struct ground_place *place_of(const struct ground *g, uint64_t key) {
    uint32_t i = (uint32_t)key & (g->place_count - 1);
    while (g->places[i].stamp == g->stamp && g->places[i].key != key)
        i = (i + 1) & (g->place_count - 1);
    return &g->places[i];
}

uint32_t ground_find(const struct ground *g, uint64_t key) {
    if (g->places == NULL)
        return GROUND_LEAF;
    const struct ground_place *place = place_of(g, key);
    return place->stamp == g->stamp ? place->node : GROUND_LEAF;
}

void ground_remember(struct ground *g, uint64_t key, uint32_t node) {
    if (g->places != NULL)
        *place_of(g, key) = (struct ground_place){.key = key, .node = node, .stamp = g->stamp};
}

/* ---- moving a subtree ---- */

/* The new number of an old node: appended to `to` when it is met first. Its children follow when its turn
 * comes. */
static uint32_t moved_number(struct ground *from, uint32_t old, struct ground *to) {
    struct tree_node *node = &from->nodes[old];
    if (node->moved == 0) {
        const uint32_t number = to->node_count++;
        to->nodes[number] = (struct tree_node){.moved = old};
        node->moved = number + 1;
    }
    return node->moved - 1;
}

static void move_children(struct ground *from, struct ground *to, uint32_t number) {
    const struct tree_node *old = &from->nodes[to->nodes[number].moved];
    const uint32_t first = to->child_count;
    const size_t n = old->count;
    memcpy(to->actions + first, from->actions + old->first, n * sizeof *to->actions);
    memcpy(to->visits + first, from->visits + old->first, n * sizeof *to->visits);
    memcpy(to->sums + first, from->sums + old->first, n * sizeof *to->sums);
    if (to->squares != NULL)
        memcpy(to->squares + first, from->squares + old->first, n * sizeof *to->squares);
    to->child_count += old->count;
    to->nodes[number] = *old;
    to->nodes[number].first = first;
    to->nodes[number].moved = 0;
    for (uint32_t i = 0; i < old->count; i++) {
        const uint32_t below = from->child_nodes[old->first + i];
        to->child_nodes[first + i] = below == GROUND_LEAF ? GROUND_LEAF : moved_number(from, below, to);
    }
}

void ground_move(struct ground *from, uint32_t root, struct ground *to) {
    assert(to->node_count == 0);
    moved_number(from, root, to);
    for (uint32_t number = 0; number < to->node_count; number++)
        move_children(from, to, number);
    for (uint32_t i = 0; from->places != NULL && i < from->place_count; i++) {
        const struct ground_place *place = &from->places[i];
        const uint32_t moved = place->stamp == from->stamp ? from->nodes[place->node].moved : 0;
        if (moved > 1) /* not the new root, which nothing can lead back to */
            ground_remember(to, place->key, moved - 1);
    }
}
