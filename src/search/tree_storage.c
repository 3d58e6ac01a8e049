/* SPDX-License-Identifier: MIT */
#include "search/tree_storage.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum { FAMILY = 8 }; /* memory is divided as if every node had at least this many children */

static uint32_t power_of_two_from(uint32_t n) {
    uint32_t power = 16;
    while (power < n)
        power *= 2;
    return power;
}

bool tree_storage_init(struct tree_storage *s, size_t memory_bytes, int actions_max, bool keyed,
                       bool squares) {
    const size_t child_size = sizeof *s->actions + sizeof *s->visits + sizeof *s->sums +
                              sizeof *s->child_nodes + (squares ? sizeof *s->squares : 0);
    const size_t node_size = sizeof *s->nodes + (keyed ? 3 * sizeof *s->places : 0);
    const size_t family = actions_max < FAMILY ? (size_t)actions_max : FAMILY;
    size_t children = memory_bytes / (child_size + node_size / family + 1);
    const size_t least = 2 * (size_t)actions_max, most = UINT32_MAX / 4;
    children = children < least ? least : children > most ? most : children;
    *s =
        (struct tree_storage){.child_max = (uint32_t)children, .node_max = (uint32_t)(children / family) + 2};
    const size_t readable = children + TREE_LANES;
    /* Not zeroed: entries are initialized when they are made, and most never are. */
    s->nodes = mem_try_resize(NULL, s->node_max * sizeof *s->nodes);
    s->actions = mem_try_resize(NULL, children * sizeof *s->actions);
    s->visits = mem_try_resize(NULL, readable * sizeof *s->visits);
    s->sums = mem_try_resize(NULL, readable * sizeof *s->sums);
    s->squares = squares ? mem_try_resize(NULL, readable * sizeof *s->squares) : NULL;
    s->child_nodes = mem_try_resize(NULL, children * sizeof *s->child_nodes);
    if (keyed) {
        s->place_count = power_of_two_from(2 * s->node_max);
        s->places = mem_try_alloc(s->place_count * sizeof *s->places);
        s->stamp = 1; /* zeroed places are older */
    }
    if (s->nodes != NULL && s->actions != NULL && s->visits != NULL && s->sums != NULL &&
        s->child_nodes != NULL && (!squares || s->squares != NULL) && (!keyed || s->places != NULL))
        return true;
    tree_storage_done(s);
    return false;
}

void tree_storage_done(struct tree_storage *s) {
    mem_free(s->nodes);
    mem_free(s->actions);
    mem_free(s->visits);
    mem_free(s->sums);
    mem_free(s->squares);
    mem_free(s->child_nodes);
    mem_free(s->places);
    *s = (struct tree_storage){0};
}

void tree_storage_clear(struct tree_storage *s) {
    s->node_count = s->child_count = 0;
    if (s->places == NULL || ++s->stamp != 0)
        return;
    memset(s->places, 0, s->place_count * sizeof *s->places); /* after 2^32 searches stamps start again */
    s->stamp = 1;
}

uint32_t tree_storage_add(struct tree_storage *s, const action *list, int count, int mover) {
    if (s->node_count == s->node_max || (uint32_t)count > s->child_max - s->child_count)
        return TREE_LEAF;
    const uint32_t first = s->child_count, number = s->node_count++;
    const size_t n = (size_t)count;
    s->child_count += (uint32_t)count;
    memcpy(s->actions + first, list, n * sizeof *list);
    memset(s->visits + first, 0, n * sizeof *s->visits);
    memset(s->sums + first, 0, n * sizeof *s->sums);
    if (s->squares != NULL)
        memset(s->squares + first, 0, n * sizeof *s->squares);
    memset(s->child_nodes + first, 0, n * sizeof *s->child_nodes);
    s->nodes[number] = (struct tree_node){.first = first, .count = (uint32_t)count, .mover = mover};
    return number;
}

/* ---- positions by key ---- */

/* The place of the key, or the empty place for it: there are more places than nodes. */
static struct tree_place *place_of(const struct tree_storage *s, uint64_t key) {
    uint32_t i = (uint32_t)key & (s->place_count - 1);
    while (s->places[i].stamp == s->stamp && s->places[i].key != key)
        i = (i + 1) & (s->place_count - 1);
    return &s->places[i];
}

uint32_t tree_storage_find(const struct tree_storage *s, uint64_t key) {
    if (s->places == NULL)
        return TREE_LEAF;
    const struct tree_place *place = place_of(s, key);
    return place->stamp == s->stamp ? place->node : TREE_LEAF;
}

void tree_storage_remember(struct tree_storage *s, uint64_t key, uint32_t node) {
    if (s->places != NULL)
        *place_of(s, key) = (struct tree_place){.key = key, .node = node, .stamp = s->stamp};
}

/* ---- moving a subtree ---- */

/* The new number of an old node; it is appended to `to` the first time. Its children follow later. */
static uint32_t moved_number(struct tree_storage *from, uint32_t old, struct tree_storage *to) {
    struct tree_node *node = &from->nodes[old];
    if (node->moved == 0) {
        const uint32_t number = to->node_count++;
        to->nodes[number] = (struct tree_node){.moved = old};
        node->moved = number + 1;
    }
    return node->moved - 1;
}

static void move_children(struct tree_storage *from, struct tree_storage *to, uint32_t number) {
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
        to->child_nodes[first + i] = below == TREE_LEAF ? TREE_LEAF : moved_number(from, below, to);
    }
}

void tree_storage_move(struct tree_storage *from, uint32_t root, struct tree_storage *to) {
    assert(to->node_count == 0);
    moved_number(from, root, to);
    for (uint32_t number = 0; number < to->node_count; number++)
        move_children(from, to, number);
    for (uint32_t i = 0; from->places != NULL && i < from->place_count; i++) {
        const struct tree_place *place = &from->places[i];
        const uint32_t moved = place->stamp == from->stamp ? from->nodes[place->node].moved : 0;
        if (moved > 1) /* not the new root, which no sequence can reach again */
            tree_storage_remember(to, place->key, moved - 1);
    }
}
