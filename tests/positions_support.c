/* SPDX-License-Identifier: MIT */
#include "positions_support.h"

#include "own_maps.h"
#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- positions ---- */

void spot_open(struct spot *spot, const char *name) {
    spot->scenario = own_map(name);
    assert_false(spot->scenario->game == &tbs_wide_game);
    tbs_game.start(&spot->start, spot->scenario, NULL);
}

void spot_close(struct spot *spot) {
    game_unload(spot->scenario);
}

struct tbs_small after(const struct tbs_small *s, action a) {
    struct tbs_small next = *s;
    tbs_game.play(&next, a, NULL);
    return next;
}

static int side_of(const struct tbs_scenario *sc, int id) {
    return sc->map.units[id].side;
}

int hp_of(const struct tbs_small *s, int id) {
    const struct tbs_scenario *sc = s->core.scenario;
    return s->hp[side_of(sc, id)][sc->slot_of[id]];
}

double lead(const struct tbs_small *s, const double *weights) {
    const struct tbs_scenario *sc = s->core.scenario;
    double sum = 0;
    for (int id = 0; id < sc->map.unit_count; id++) {
        const double worth = hp_of(s, id) * (weights != NULL ? weights[sc->map.units[id].type] : 1);
        sum += side_of(sc, id) == TBS_RED ? worth : -worth;
    }
    return sum;
}

/* ---- tables ---- */

static struct known *place_of(const struct known_table *table, uint64_t key) {
    size_t i = key & (table->capacity - 1);
    while (table->places[i].key != 0 && table->places[i].key != key)
        i = (i + 1) & (table->capacity - 1);
    return &table->places[i];
}

static void grow(struct known_table *table) {
    struct known_table larger = {.capacity = table->capacity > 0 ? 2 * table->capacity : 1 << 12};
    larger.places = mem_alloc(larger.capacity * sizeof *larger.places);
    assert_non_null(larger.places);
    for (size_t i = 0; i < table->capacity; i++)
        if (table->places[i].key != 0)
            *place_of(&larger, table->places[i].key) = table->places[i];
    larger.count = table->count;
    mem_free(table->places);
    *table = larger;
}

struct known *known_at(struct known_table *table, uint64_t key) {
    assert_true(key != 0);
    if (2 * table->count >= table->capacity)
        grow(table);
    return place_of(table, key);
}

void known_add(struct known_table *table, uint64_t key, const double value[3]) {
    struct known *place = known_at(table, key);
    table->count += place->key == 0;
    place->key = key;
    memcpy(place->value, value, sizeof place->value);
}

void known_done(struct known_table *table) {
    mem_free(table->places);
    *table = (struct known_table){0};
}

/* ---- all turns ---- */

static void add_ending(struct endings *e, const struct tbs_small *s) {
    if (e->count == e->capacity) {
        e->capacity = e->capacity > 0 ? 2 * e->capacity : 256;
        e->items = mem_resize(e->items, (size_t)e->capacity * sizeof *e->items);
        assert_non_null(e->items);
    }
    e->items[e->count++] = *s;
}

static void collect(struct endings *e, const struct tbs_small *s, int turn) {
    static const double nothing[3];
    const uint64_t key = tbs_game.key(s);
    if (known_at(&e->seen, key)->key != 0)
        return;
    known_add(&e->seen, key, nothing);
    if (s->core.turn != turn) {
        add_ending(e, s);
        return;
    }
    action list[SPOT_ACTIONS_MAX];
    const int count = tbs_game.actions(s, list);
    for (int i = 0; i < count; i++) {
        const struct tbs_small next = after(s, list[i]);
        collect(e, &next, turn);
    }
}

void endings_collect(struct endings *e, const struct tbs_small *s) {
    *e = (struct endings){0};
    collect(e, s, s->core.turn);
}

void endings_done(struct endings *e) {
    mem_free(e->items);
    known_done(&e->seen);
}

/* ---- proofs ---- */

/* Cells that a unit of that class could ever reach from a cell, if no unit blocked it. */
static uint64_t roam(const struct tbs_scenario *sc, int class, int cell) {
    const uint64_t enterable = sc->small_cost1[class] | sc->small_cost2[class];
    uint64_t reached = small_bit(cell), before;
    do {
        before = reached;
        reached |= small_neighbours(reached) & enterable;
    } while (reached != before);
    return reached;
}

static uint64_t attacked_from(const struct tbs_scenario *sc, int type, uint64_t cells) {
    if (type != TBS_CANNON)
        return small_neighbours(cells);
    uint64_t attacked = 0;
    for (; cells != 0; cells = bits_without_first(cells))
        attacked |= sc->small_ring[bits_first(cells)];
    return attacked;
}

void proof_open(struct proof *p, const struct spot *spot, int side, double goal, proof_plan *plan) {
    const struct tbs_small *s = &spot->start;
    const struct tbs_scenario *sc = s->core.scenario;
    *p = (struct proof){.scenario = sc, .side = side, .goal = goal, .plan = plan};
    for (int who = 0; who < TBS_SIDES; who++)
        for (int slot = 0; slot < sc->slots[who]; slot++) {
            const int type = sc->type[who][slot];
            const uint64_t cells = roam(sc, tbs_unit_types[type].class, s->cell[who][slot]);
            p->danger[who][slot] = attacked_from(sc, type, cells);
        }
}

void proof_close(struct proof *p) {
    mem_free(p->marks);
}

/* Where a position's mark is or belongs. */
static uint64_t *mark_of(const struct proof *p, uint64_t key) {
    size_t i = key >> 1 & (p->capacity - 1);
    while (p->marks[i] != 0 && (p->marks[i] ^ key) > 1)
        i = (i + 1) & (p->capacity - 1);
    return &p->marks[i];
}

static void make_room(struct proof *p) {
    if (2 * p->nodes < p->capacity)
        return;
    uint64_t *const old = p->marks;
    const size_t old_capacity = p->capacity;
    p->capacity = old_capacity > 0 ? 2 * old_capacity : 1 << 12;
    p->marks = mem_alloc(p->capacity * sizeof *p->marks);
    assert_non_null(p->marks);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i] != 0)
            *mark_of(p, old[i]) = old[i];
    mem_free(old);
}

static bool is_safe(const struct proof *p, const struct tbs_small *s, int side, int type, int cell) {
    const struct tbs_scenario *sc = p->scenario;
    for (uint64_t left = s->core.alive[side ^ 1]; left != 0; left = bits_without_first(left)) {
        const int enemy = bits_first(left);
        if (sc->rules->power[sc->type[side ^ 1][enemy]][type] > 0 &&
            (p->danger[side ^ 1][enemy] & small_bit(cell)) != 0)
            return false;
    }
    return true;
}

/* Would a unit there be out of every living enemy's reach for good? */
static bool is_haven(const struct proof *p, const struct tbs_small *s, int id, int cell) {
    return is_safe(p, s, side_of(p->scenario, id), p->scenario->map.units[id].type, cell);
}

/* The least a side gets: it preserves the HP of its safe units by staying, and the enemy never gains any. */
static double secured(const struct proof *p, const struct tbs_small *s, int side) {
    const int threshold = p->scenario->map.threshold, enemy_hp = s->core.hp_sum[side ^ 1];
    int kept = 0;
    for (uint64_t left = s->core.alive[side]; left != 0; left = bits_without_first(left)) {
        const int slot = bits_first(left);
        if (is_safe(p, s, side, p->scenario->type[side][slot], s->cell[side][slot]))
            kept += s->hp[side][slot];
    }
    if (kept == 0)
        return 0;
    return kept > enemy_hp + threshold ? 1 : enemy_hp <= kept + threshold ? 0.5 : 0;
}

static int promise(const struct proof *p, const struct tbs_small *s, action a) {
    if (is_attack(a)) {
        const struct tbs_exchange x = tbs_preview(s, a);
        return 10 + 4 * x.damage - 3 * x.counter;
    }
    return is_haven(p, s, tbs_action_unit(a), core_cell(tbs_action_x(a), tbs_action_y(a), CORE_SMALL)) ? 1
                                                                                                       : 0;
}

/* The proving side's actions: those of its plan, promising ones first, others as the game lists them. */
static int planned(const struct proof *p, const struct tbs_small *s, action *list, int count) {
    int scores[SPOT_ACTIONS_MAX], kept = 0;
    for (int i = 0; i < count; i++) {
        const action a = list[i];
        if (p->plan != NULL && !p->plan(p, s, a))
            continue;
        const int score = promise(p, s, a);
        int k = kept++;
        for (; k > 0 && scores[k - 1] < score; k--) {
            list[k] = list[k - 1];
            scores[k] = scores[k - 1];
        }
        list[k] = a;
        scores[k] = score;
    }
    return kept;
}

static bool prove(struct proof *p, const struct tbs_small *s) {
    if (s->core.result != TBS_RUNNING)
        return tbs_game.payoff(s, p->side) >= p->goal;
    if (secured(p, s, p->side) >= p->goal)
        return true;
    if (1 - secured(p, s, p->side ^ 1) < p->goal)
        return false;
    const uint64_t key = tbs_game.key(s);
    make_room(p);
    const uint64_t mark = *mark_of(p, key);
    if (mark != 0)
        return (mark & 1) != 0;
    const bool mine = s->core.side == p->side;
    action list[SPOT_ACTIONS_MAX];
    int count = tbs_game.actions(s, list);
    assert_in_range(count, 1, SPOT_ACTIONS_MAX);
    if (mine)
        count = planned(p, s, list, count);
    bool holds = !mine;
    for (int i = 0; i < count && holds != mine; i++) {
        const struct tbs_small next = after(s, list[i]);
        holds = prove(p, &next);
    }
    make_room(p);
    *mark_of(p, key) = (key & ~UINT64_C(1)) | (holds ? 1 : 0);
    p->nodes++;
    return holds;
}

bool proof_holds(struct proof *p, const struct tbs_small *s) {
    assert_ptr_equal(s->core.scenario, p->scenario);
    return prove(p, s);
}
