/* SPDX-License-Identifier: MIT
 *
 * Statistics of a map: the size of the first turn by dynamic programming, and sums over units.
 *
 * The counts of the first turn are exact as long as they fit 64 bits, and carry a floating-point number
 * beside it for maps where they do not.
 */
#include "game/tbs/tbs.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* ---- the first turn: the hash table ---- */

/* The size of the first turn is counted by dynamic programming: positions reached by the same actions in
 * another order are one position, whose number of completions is stored in a hash table under the game's own
 * 64-bit key. (Two positions with the same key would falsify the count; for a million positions the
 * probability is 3 in 10^8.) */

/* A count that shows when it left 64 bits. */
struct map_tally {
    uint64_t exact; /* UINT64_MAX: at least that, see `real` */
    double real;
};

static inline struct map_tally map_tally_of(int n) {
    return (struct map_tally){(uint64_t)n, n};
}

static inline struct map_tally map_tally_sum(struct map_tally a, struct map_tally b) {
    const uint64_t room = UINT64_MAX - a.exact;
    return (struct map_tally){b.exact < room ? a.exact + b.exact : UINT64_MAX, a.real + b.real};
}

struct table_entry {
    uint64_t key;           /* 0: empty */
    struct map_tally tally; /* completions of the turn from there; unused in a set of keys */
};

/* Open addressing with linear probing, at most half full. */
struct table {
    struct table_entry *entries;
    size_t capacity, count;
    bool no_memory;
};

enum { TABLE_FIRST_CAPACITY = 1024 };

static void table_done(struct table *t) {
    mem_free(t->entries);
    *t = (struct table){0};
}

/* The entry of the key, or the empty one for it. Keys are well mixed: their low bits suffice. */
static struct table_entry *table_entry(const struct table *t, uint64_t key) {
    size_t i = (size_t)key & (t->capacity - 1);
    while (t->entries[i].key != 0 && t->entries[i].key != key)
        i = (i + 1) & (t->capacity - 1);
    return &t->entries[i];
}

static bool table_grow(struct table *t) {
    struct table larger = {.count = t->count,
                           .capacity = t->capacity > 0 ? 2 * t->capacity : TABLE_FIRST_CAPACITY};
    larger.entries = mem_try_alloc(larger.capacity * sizeof *larger.entries);
    if (larger.entries == NULL)
        return false;
    for (size_t i = 0; i < t->capacity; i++)
        if (t->entries[i].key != 0)
            *table_entry(&larger, t->entries[i].key) = t->entries[i];
    table_done(t);
    *t = larger;
    return true;
}

/* Adds a key that is not in the table; false when memory ran out, which the table remembers. */
static bool table_add(struct table *t, uint64_t key, struct map_tally tally) {
    t->no_memory = 2 * (t->count + 1) > t->capacity && !table_grow(t);
    if (t->no_memory)
        return false;
    struct table_entry *entry = table_entry(t, key);
    assert(entry->key == 0);
    *entry = (struct table_entry){key, tally};
    t->count++;
    return true;
}

/* ---- the first turn: walking through it ---- */

struct walk {
    const struct game *game;
    int turn;
    bool for_ends; /* count final positions, too: then every position is stored */
    uint64_t positions_left, ends;
    struct table table;
    action *lists; /* a block of actions_max for each number of ready units that are left */
};

/* Counts the ways to complete the turn; `left` units are ready. False when the limit or memory ended it. */
static bool count_completions(struct walk *w, const void *state, int left, struct map_tally *out) {
    const struct game *game = w->game;
    /* The turn also ends when the last enemy is destroyed. */
    const bool is_over = game->turn(state) != w->turn || game->mover(state) == NOBODY;
    /* Nearly all positions have one ready unit and are cheap: without need they are not stored. */
    const bool is_stored = w->for_ends || (left > 1 && !is_over);
    *out = map_tally_of(1);
    if (is_over && !w->for_ends)
        return true;
    if (w->positions_left == 0)
        return false;
    w->positions_left--;
    uint64_t key = is_stored ? game->key(state) : 0;
    key += key == 0; /* empty entries of the table are zeros */
    const struct table_entry *known = is_stored && w->table.count > 0 ? table_entry(&w->table, key) : NULL;
    if (known != NULL && known->key != 0) {
        *out = known->tally;
        return true;
    }
    if (is_over) {
        w->ends++;
        return table_add(&w->table, key, *out);
    }
    _Alignas(16) unsigned char next[GAME_STATE_MAX];
    action *list = w->lists + (size_t)left * (size_t)game->actions_max;
    const int count = game->actions(state, list);
    *out = map_tally_of(is_stored ? 0 : count);
    for (int i = 0; is_stored && i < count; i++) {
        struct map_tally completions;
        memcpy(next, state, game->state_size);
        game->play(next, list[i], NULL); /* the game has no chance */
        if (!count_completions(w, next, left - 1, &completions))
            return false;
        *out = map_tally_sum(*out, completions);
    }
    return !is_stored || table_add(&w->table, key, *out);
}

/* Both counts; false when memory ran out. */
static bool walk_turn(struct walk *w, const void *state, uint64_t positions_max, struct tbs_turn_stats *out) {
    struct map_tally total, again;
    w->positions_left = positions_max;
    out->is_counted = count_completions(w, state, out->units, &total);
    bool ok = !w->table.no_memory;
    table_done(&w->table);
    if (!out->is_counted)
        return ok;
    out->is_exact = total.exact != UINT64_MAX;
    out->combinations = total.exact;
    out->combinations_real = total.real;
    w->positions_left = positions_max;
    w->for_ends = true;
    out->ends_are_counted = count_completions(w, state, out->units, &again);
    out->ends = w->ends;
    ok = !w->table.no_memory;
    table_done(&w->table);
    return ok;
}

bool tbs_turn_stats(const struct game *game, const void *state, uint64_t positions_max,
                    struct tbs_turn_stats *out, struct err *e) {
    struct walk w = {.game = game, .turn = game->turn(state)};
    *out = (struct tbs_turn_stats){.side = game->mover(state)};
    if (out->side == NOBODY)
        return true;
    out->units = game->progress(state).left;
    const int lists = positions_max > 0 ? out->units + 1 : 1;
    w.lists = mem_try_alloc((size_t)lists * (size_t)game->actions_max * sizeof *w.lists);
    if (w.lists == NULL)
        return err_set(e, "not enough memory to count the actions of the first turn");
    out->actions_mean = (double)game->actions(state, w.lists) / out->units;
    out->estimate = 1;
    for (int i = 1; i <= out->units; i++)
        out->estimate *= out->actions_mean * i;
    const bool ok = positions_max == 0 || walk_turn(&w, state, positions_max, out);
    mem_free(w.lists);
    return ok || err_set(e, "not enough memory to count the combinations of the first turn");
}

/* ---- the whole map ---- */

/* What one unit can do, added to its side's sums. */
static void add_unit(const void *state, const struct tbs_map_unit *unit, int id, struct tbs_unit_stats *stats,
                     struct tbs_side_stats *side) {
    action list[TBS_UNIT_ACTIONS_MAX];
    for (int which = 0; which < TBS_ATTACK_KINDS; which++) {
        int attacks;
        const int count = tbs_unit_actions(state, id, (enum tbs_attacks)which, list, &attacks);
        stats->reach = count - attacks;
        stats->attacks[which] = unit->done ? 0 : attacks;
        side->attacks[which] += stats->attacks[which];
    }
    stats->moves = unit->done ? 0 : stats->reach;
    side->units++;
    side->ready += !unit->done;
    side->hp += unit->hp;
    side->type_units[unit->type]++;
    side->type_hp[unit->type] += unit->hp;
    side->moves += stats->moves;
    side->attackers += stats->attacks[TBS_ATTACKS_POWER] > 0;
    if (stats->contact > 0 && (side->contact == 0 || stats->contact < side->contact))
        side->contact = stats->contact;
}

bool tbs_map_stats(const struct tbs_map *map, const struct tbs_rules *rules, uint64_t positions_max,
                   struct tbs_map_stats *out, struct err *e) {
    *out = (struct tbs_map_stats){0};
    struct scenario *scenario = tbs_scenario_make(map, rules, TBS_PATH_AUTO, e);
    if (scenario == NULL)
        return false;
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    game->start(state, scenario, NULL); /* without chance */
    for (int id = 0; id < map->unit_count; id++) {
        out->units[id].contact = tbs_unit_contact(map, rules, id);
        add_unit(state, &map->units[id], id, &out->units[id], &out->sides[map->units[id].side]);
    }
    const bool ok = tbs_turn_stats(game, state, positions_max, &out->turn, e);
    game_unload(scenario);
    return ok;
}
