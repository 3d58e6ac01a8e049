/* SPDX-License-Identifier: MIT
 *
 * Statistics of a map: contact by shortest paths, the size of the first turn by dynamic programming, sums
 * over units.
 *
 * The counts of the first turn are exact as long as they fit 64 bits, and carry a floating-point number
 * beside it for maps where they do not.
 */
#include "game/tbs/map_stats.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

/* ---- contact ---- */

/* How soon a unit can attack if its enemies stand still: shortest paths over many turns, where unused move
 * power is lost at the end of a turn. */

/* A label is the turn (from 1) times LABEL_TURN plus the move power used in it. A smaller label means that a
 * cell is reached earlier, which is never worse, since a unit may always wait. */
enum { LABEL_TURN = 16, UNREACHED = INT32_MAX, BOARD_CELLS = TBS_EDGE_MAX * TBS_EDGE_MAX };

_Static_assert((int)TBS_MOVE_MAX < (int)LABEL_TURN, "the move power of one turn fits below the turn");

struct contact {
    const struct tbs_map *map;
    const struct tbs_map_unit *unit;
    const struct tbs_map_unit *target; /* the unit in the way; NULL: none */
    int label[TBS_EDGE_MAX][TBS_EDGE_MAX];
};

static int distance_to(const struct tbs_map_unit *target, int x, int y) {
    const int dx = x - target->x, dy = y - target->y;
    return (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
}

/* Cells to process again; each is in the queue at most once, so the queue never holds more than the board. */
struct queue {
    uint16_t cells[BOARD_CELLS];
    bool waits[BOARD_CELLS];
    int first, count;
};

/* A cell that waits already is not added again: its label is read when it is processed. */
static void queue_push(struct queue *q, int x, int y) {
    const int cell = x * TBS_EDGE_MAX + y;
    if (q->waits[cell])
        return;
    q->waits[cell] = true;
    q->cells[(q->first + q->count++) % BOARD_CELLS] = (uint16_t)cell;
}

/* The earliest label of every cell, with the target as the only obstacle. */
static void fill_labels(struct contact *c) {
    static const int dx[4] = {1, 0, -1, 0}, dy[4] = {0, -1, 0, 1};
    const struct tbs_unit_type *type = &tbs_unit_types[c->unit->type];
    struct queue q = {.first = 0};
    for (int x = 0; x < c->map->width; x++)
        for (int y = 0; y < c->map->height; y++)
            c->label[x][y] = UNREACHED;
    c->label[c->unit->x][c->unit->y] = (c->unit->done ? 2 : 1) * LABEL_TURN;
    queue_push(&q, c->unit->x, c->unit->y);
    while (q.count > 0) {
        const int cell = q.cells[q.first], x = cell / TBS_EDGE_MAX, y = cell % TBS_EDGE_MAX;
        q.first = (q.first + 1) % BOARD_CELLS;
        q.count--;
        q.waits[cell] = false;
        for (int i = 0; i < 4; i++) {
            const int nx = x + dx[i], ny = y + dy[i];
            if (c->target != NULL && distance_to(c->target, nx, ny) == 0)
                continue;
            const int from = c->label[x][y], next_turn = (from / LABEL_TURN + 1) * LABEL_TURN;
            const int cost = tbs_terrain_types[c->map->terrain[nx][ny]].cost[type->class];
            const int label = from % LABEL_TURN + cost <= type->move ? from + cost : next_turn + cost;
            if (cost <= type->move && label < c->label[nx][ny]) {
                c->label[nx][ny] = label;
                queue_push(&q, nx, ny);
            }
        }
    }
}

/* The turn of the first attack on a target by these labels, or UNREACHED. A cannon that moved fires one turn
 * later. */
static int first_attack(const struct contact *c, const struct tbs_map_unit *target) {
    const bool direct = tbs_unit_types[c->unit->type].direct;
    const int low = direct ? 1 : TBS_RANGE_LOW, high = direct ? 1 : TBS_RANGE_HIGH;
    int best = UNREACHED;
    for (int x = target->x - high; x <= target->x + high; x++)
        for (int y = target->y - high; y <= target->y + high; y++) {
            const int distance = distance_to(target, x, y);
            if (!tbs_map_is_playable(c->map, x, y) || c->label[x][y] == UNREACHED || distance < low ||
                distance > high)
                continue;
            const bool moved = x != c->unit->x || y != c->unit->y;
            const int turn = c->label[x][y] / LABEL_TURN + (!direct && moved);
            best = turn < best ? turn : best;
        }
    return best;
}

/* Without obstacles contact is never later: only a target that seems sooner than the best so far is computed
 * with itself as an obstacle. */
int tbs_unit_contact(const struct tbs_map *map, const struct tbs_rules *rules, int id) {
    struct contact clear = {.map = map, .unit = &map->units[id]}, c = clear;
    const int soonest = c.unit->done ? 2 : 1;
    int best = UNREACHED;
    fill_labels(&clear);
    for (int other = 0; other < map->unit_count && best > soonest; other++) {
        c.target = &map->units[other];
        if (c.target->side == c.unit->side || rules->power[c.unit->type][c.target->type] == 0 ||
            first_attack(&clear, c.target) >= best)
            continue;
        fill_labels(&c);
        const int turn = first_attack(&c, c.target);
        best = turn < best ? turn : best;
    }
    return best == UNREACHED ? 0 : best;
}

/* ---- the first turn: the hash table ---- */

/* The size of the first turn is counted by dynamic programming: positions reached by the same actions in
 * another order are one position, whose number of completions is stored in a hash table under the game's own
 * 64-bit key. (Two positions with the same key would falsify the count; for a million positions the
 * probability is 3 in 10^8.) */

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

/* The tally of a key; NULL when it is not in the table. */
static const struct map_tally *table_find(const struct table *t, uint64_t key) {
    const struct table_entry *entry = t->capacity > 0 ? table_entry(t, key) : NULL;
    return entry != NULL && entry->key != 0 ? &entry->tally : NULL;
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
    uint64_t positions_left;
    struct table table;
    struct arena arena; /* per level a list of actions and a state */
    uint64_t ends;
};

struct level {
    size_t mark;
    action *list;
    void *next;
};

/* Lists the actions; returns how many there are. The caller releases the level's mark. */
static int level_open(struct walk *w, const void *state, struct level *out) {
    out->mark = arena_mark(&w->arena);
    out->list = arena_alloc(&w->arena, (size_t)w->game->actions_max * sizeof out->list[0]);
    out->next = arena_alloc(&w->arena, w->game->state_size);
    assert(out->list != NULL);
    assert(out->next != NULL);
    return w->game->actions(state, out->list);
}

/* Fills the level's `next` with the state after its i-th action. The game has no chance: no generator is
 * needed. */
static void play_copy(struct walk *w, const void *state, struct level *level, int i) {
    memcpy(level->next, state, w->game->state_size);
    w->game->play(level->next, level->list[i], NULL);
}

/* False once the limit is reached; it is never exceeded by counting below 0. */
static bool spend_position(struct walk *w) {
    return w->positions_left > 0 && w->positions_left-- > 0;
}

/* Empty slots of the table are zeros, so no key may be zero. */
static uint64_t key_of(const struct walk *w, const void *state) {
    const uint64_t key = w->game->key(state);
    return key != 0 ? key : 1;
}

/* The turn also ends when the last enemy is destroyed. */
static bool is_turn_over(const struct walk *w, const void *state) {
    return w->game->turn(state) != w->turn || w->game->mover(state) == NOBODY;
}

/* Counts the ways to complete the turn; `left` units are ready. False when the limit or memory ended it. */
static bool count_completions(struct walk *w, const void *state, int left, struct map_tally *out) {
    *out = map_tally_of(1);
    if (is_turn_over(w, state))
        return true;
    if (!spend_position(w))
        return false;
    uint64_t key = 0;
    if (left > 1) { /* nearly all positions have one ready unit and are cheap: they are not stored */
        key = key_of(w, state);
        const struct map_tally *known = table_find(&w->table, key);
        if (known != NULL) {
            *out = *known;
            return true;
        }
    }
    struct level level;
    const int count = level_open(w, state, &level);
    *out = map_tally_of(left == 1 ? count : 0);
    bool ok = true;
    for (int i = 0; left > 1 && ok && i < count; i++) {
        struct map_tally completions;
        play_copy(w, state, &level, i);
        ok = count_completions(w, level.next, left - 1, &completions);
        *out = map_tally_sum(*out, completions);
    }
    arena_release(&w->arena, level.mark);
    return ok && (left == 1 || table_add(&w->table, key, *out));
}

/* Visits every position of the turn once and counts the final ones. */
static bool count_ends(struct walk *w, const void *state) {
    const uint64_t key = key_of(w, state);
    if (!spend_position(w))
        return false;
    if (table_find(&w->table, key) != NULL)
        return true;
    if (!table_add(&w->table, key, map_tally_of(0)))
        return false;
    if (is_turn_over(w, state)) {
        w->ends++;
        return true;
    }
    struct level level;
    const int count = level_open(w, state, &level);
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        play_copy(w, state, &level, i);
        ok = count_ends(w, level.next);
    }
    arena_release(&w->arena, level.mark);
    return ok;
}

/* Both counts; false when memory ran out. */
static bool walk_turn(struct walk *w, const void *state, uint64_t positions_max, struct tbs_turn_stats *out) {
    struct map_tally total;
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
    out->ends_are_counted = count_ends(w, state);
    out->ends = w->ends;
    ok = !w->table.no_memory;
    table_done(&w->table);
    return ok;
}

/* Ready units of the mover and the mean number of their actions. */
static void measure_units(const void *state, struct tbs_turn_stats *out) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    int actions = 0;
    for (int id = 0; id < p.unit_count; id++) {
        if (!tbs_can_act(&p, id))
            continue;
        action list[TBS_UNIT_ACTIONS_MAX];
        int attacks;
        actions += tbs_unit_actions(state, id, TBS_ATTACKS_POWER, list, &attacks);
        out->units++;
    }
    out->actions_mean = (double)actions / out->units;
    out->estimate = 1;
    for (int i = 1; i <= out->units; i++)
        out->estimate *= out->actions_mean * i;
}

bool tbs_turn_stats(const struct game *game, const void *state, uint64_t positions_max,
                    struct tbs_turn_stats *out, struct err *e) {
    struct walk w = {.game = game, .turn = game->turn(state)};
    *out = (struct tbs_turn_stats){.side = game->mover(state)};
    if (out->side == NOBODY)
        return true;
    measure_units(state, out);
    if (positions_max == 0)
        return true;
    const size_t level_size =
        game->state_size + (size_t)game->actions_max * sizeof(action) + 2 * 16; /* both rounded up to 16 */
    if (!arena_init(&w.arena, (size_t)(out->units + 1) * level_size, e))
        return false;
    const bool ok = walk_turn(&w, state, positions_max, out);
    arena_done(&w.arena);
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
    game->unload(scenario);
    return ok;
}
