/* SPDX-License-Identifier: MIT
 *
 * The members of the game table, and the questions of tbs.h, that do not depend on how boards are stored; and
 * scenarios, the tables a game runs on, made from a map and a rule set.
 */
#include "game/tbs/small.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

const char *const tbs_result_names[TBS_RESULTS] = {
    [TBS_RUNNING] = "none",
    [TBS_RED_ANNIHILATION] = "red annihilation",
    [TBS_BLUE_ANNIHILATION] = "blue annihilation",
    [TBS_RED_LIMIT] = "red limit",
    [TBS_BLUE_LIMIT] = "blue limit",
    [TBS_DRAW_LIMIT] = "draw limit",
    [TBS_RED_RESIGNATION] = "red resignation",
    [TBS_BLUE_RESIGNATION] = "blue resignation",
};

int tbs_winner(int result) {
    static const int8_t winners[TBS_RESULTS] = {
        [TBS_RUNNING] = NOBODY,
        [TBS_RED_ANNIHILATION] = TBS_RED,
        [TBS_BLUE_ANNIHILATION] = TBS_BLUE,
        [TBS_RED_LIMIT] = TBS_RED,
        [TBS_BLUE_LIMIT] = TBS_BLUE,
        [TBS_DRAW_LIMIT] = NOBODY,
        [TBS_RED_RESIGNATION] = TBS_RED,
        [TBS_BLUE_RESIGNATION] = TBS_BLUE,
    };
    return winners[result];
}

bool game_is_tbs(const struct game *game) {
    return game == &tbs_game || game == &tbs_wide_game;
}

/* ---- game table ---- */

static void core_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)r;
    const struct tbs_scenario *sc = (const struct tbs_scenario *)scenario;
    struct tbs_position p;
    tbs_map_position(&sc->map, &p);
    core_set_position(state, sc, &p);
    core_advance(state); /* the core is the state's first member */
}

static int core_mover(const void *state) {
    const struct tbs_core *c = core_of(state);
    return c->result == TBS_RUNNING ? c->side : NOBODY;
}

double core_payoff(const void *state, int side) {
    const int winner = tbs_winner(core_of(state)->result);
    return winner == NOBODY ? 0.5 : winner == side ? 1.0 : 0.0;
}

int core_turn(const void *state) {
    return core_of(state)->turn;
}

bool core_is_legal(const void *state, action a) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_map *map = &c->scenario->map;
    if (c->result != TBS_RUNNING || !tbs_is_unit_action(a))
        return c->result == TBS_RUNNING;
    const int unit = tbs_action_unit(a);
    if (unit >= map->unit_count || map->units[unit].side != c->side ||
        (c->ready[c->side] >> c->scenario->slot_of[unit] & 1) == 0)
        return false;
    action list[TBS_UNIT_ACTIONS_MAX];
    int attacks;
    const int count = tbs_unit_actions(state, unit, TBS_ATTACKS_ALL, list, &attacks);
    for (int i = 0; i < count; i++)
        if (list[i] == a)
            return true;
    return false;
}

/* True when a game can end in this position with this result. */
static bool is_possible_end(const struct tbs_core *c) {
    const bool red = c->alive[TBS_RED] != 0, blue = c->alive[TBS_BLUE] != 0;
    if (c->result == TBS_RED_ANNIHILATION || c->result == TBS_BLUE_ANNIHILATION)
        return c->result == TBS_RED_ANNIHILATION ? red && !blue : !red;
    const bool resigned = c->result == TBS_RED_RESIGNATION || c->result == TBS_BLUE_RESIGNATION;
    return red && blue &&
           (resigned || (c->turn == c->scenario->map.turn_limit && c->result == core_judge(c)));
}

/* Rebuilding the state from its position must give the same bytes: boards, sums, flags and key. */
static bool core_valid(const void *state) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_scenario *sc = c->scenario;
    for (int side = 0; side < TBS_SIDES; side++) {
        const uint64_t slots = sc->slots[side] == 64 ? UINT64_MAX : (UINT64_C(1) << sc->slots[side]) - 1;
        if ((c->alive[side] & ~slots) != 0 || (c->ready[side] & ~c->alive[side]) != 0)
            return false;
    }
    if (c->result == TBS_RUNNING
            ? c->turn >= sc->map.turn_limit || core_phase_is_over(c)
            : c->result >= TBS_RESULTS || c->turn > sc->map.turn_limit || !is_possible_end(c))
        return false;
    struct tbs_position p;
    bool taken[TBS_EDGE_MAX][TBS_EDGE_MAX] = {{false}};
    _Alignas(16) unsigned char again[GAME_STATE_MAX];
    tbs_position_of(state, &p);
    for (int id = 0; id < p.unit_count; id++) {
        const struct tbs_unit *u = &p.units[id];
        if (u->hp > 0 && taken[u->x][u->y])
            return false;
        taken[u->x][u->y] = taken[u->x][u->y] || u->hp > 0;
    }
    core_set_position(again, sc, &p);
    return memcmp(state, again, core_path(sc)->state_size) == 0;
}

int core_actions(const void *state, action *out) {
    const struct tbs_core *c = core_of(state);
    if (c->result != TBS_RUNNING)
        return 0;
    const struct tbs_path_table *path = core_path(c->scenario);
    int count = 0;
    /* Slots are in the order of ids, and only one side moves, so this is the order of ids. */
    for (uint64_t left = c->ready[c->side]; left != 0; left = bits_without_first(left)) {
        int attacks;
        count +=
            path->slot_actions(state, c->side, bits_first(left), TBS_ATTACKS_POWER, out + count, &attacks);
    }
    return count;
}

/* ---- keys ---- */

uint64_t core_units_key(const void *state) {
    const struct tbs_core *c = core_of(state);
    const struct tbs_path_table *path = core_path(c->scenario);
    uint64_t key = 0;
    for (int side = 0; side < TBS_SIDES; side++)
        for (uint64_t left = c->alive[side]; left != 0; left = bits_without_first(left)) {
            const int slot = bits_first(left);
            const struct core_place place = path->place_of(state, side, slot);
            key ^= core_unit_key(c->scenario->id[side][slot], place.x, place.y, place.hp);
        }
    return key;
}

static uint64_t core_state_key(const void *state) {
    return core_key(core_of(state), core_of(state)->units_key);
}

static uint64_t core_key_from_scratch(const void *state) {
    return core_key(core_of(state), core_units_key(state));
}

/* ---- positions ---- */

void core_set_position(void *state, const struct tbs_scenario *sc, const struct tbs_position *in) {
    const struct tbs_path_table *path = core_path(sc);
    struct tbs_core *c = state;         /* the core is the state's first member */
    memset(state, 0, path->state_size); /* padding too: states are compared as bytes */
    c->scenario = sc;
    c->turn = (uint16_t)in->turn;
    c->side = (uint8_t)in->side;
    c->result = (uint8_t)in->result;
    for (int id = 0; id < in->unit_count; id++) {
        const struct tbs_unit *u = &in->units[id];
        const int slot = sc->slot_of[id];
        const uint64_t bit = UINT64_C(1) << slot;
        path->put(state, u->side, slot, (struct core_place){u->x, u->y, u->hp});
        if (u->hp == 0)
            continue;
        c->hp_sum[u->side] = (uint16_t)(c->hp_sum[u->side] + u->hp);
        c->alive[u->side] |= bit;
        c->ready[u->side] |= u->done ? 0 : bit;
    }
    c->units_key = core_units_key(state);
}

/* ---- questions ---- */

void tbs_position_of(const void *state, struct tbs_position *out) {
    const struct tbs_core *c = core_of(state);
    *out = (struct tbs_position){
        .turn = c->turn,
        .side = c->side,
        .result = c->result,
        .hp_sum = {c->hp_sum[0], c->hp_sum[1]},
        .unit_count = c->scenario->map.unit_count,
    };
    const struct tbs_path_table *path = core_path(c->scenario);
    for (int id = 0; id < out->unit_count; id++) {
        const struct tbs_map_unit *u = &c->scenario->map.units[id];
        const int slot = c->scenario->slot_of[id];
        const struct core_place place = path->place_of(state, u->side, slot);
        const bool ready = c->ready[u->side] >> slot & 1;
        out->units[id] = (struct tbs_unit){place.x, place.y, u->type, u->side, place.hp, !ready};
    }
}

void tbs_map_position(const struct tbs_map *map, struct tbs_position *out) {
    *out = (struct tbs_position){.side = TBS_RED, .result = TBS_RUNNING, .unit_count = map->unit_count};
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        out->units[id] = (struct tbs_unit){u->x, u->y, u->type, u->side, u->hp, u->done};
        out->hp_sum[u->side] += u->hp;
    }
}

const struct tbs_map *tbs_map_of(const void *state) {
    return &core_of(state)->scenario->map;
}

const struct tbs_rules *tbs_rules_of(const void *state) {
    return core_of(state)->scenario->rules;
}

const struct tbs_map *tbs_scenario_map(const struct scenario *scenario) {
    return &((const struct tbs_scenario *)scenario)->map;
}

const struct tbs_rules *tbs_scenario_rules(const struct scenario *scenario) {
    return ((const struct tbs_scenario *)scenario)->rules;
}

bool tbs_scenario_is_wide(const struct scenario *scenario) {
    return ((const struct tbs_scenario *)scenario)->wide;
}

int tbs_unit_actions(const void *state, int unit, enum tbs_attacks which, action *out, int *attacks) {
    const struct tbs_scenario *sc = core_of(state)->scenario;
    return core_path(sc)->slot_actions(state, sc->map.units[unit].side, sc->slot_of[unit], which, out,
                                       attacks);
}

struct tbs_exchange tbs_preview(const void *state, action a) {
    if (!tbs_is_unit_action(a) || tbs_action_target(a) == TBS_NO_TARGET)
        return (struct tbs_exchange){0};
    struct tbs_position p;
    tbs_position_of(state, &p);
    const struct tbs_map *map = tbs_map_of(state);
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)], *t = &p.units[tbs_action_target(a)];
    const int stand = map->terrain[tbs_action_x(a)][tbs_action_y(a)];
    return tbs_fight(tbs_rules_of(state), (struct tbs_fighter){u->type, u->hp, tbs_stars(u->type, stand)},
                     (struct tbs_fighter){t->type, t->hp, tbs_stars(t->type, map->terrain[t->x][t->y])});
}

/* ---- scenarios ---- */

static bool fits_small(const struct tbs_map *map) {
    return map->width - 2 <= SMALL_CELLS && map->height - 2 <= SMALL_CELLS &&
           tbs_map_side_units(map, TBS_RED) <= SMALL_SIDE_UNITS &&
           tbs_map_side_units(map, TBS_BLUE) <= SMALL_SIDE_UNITS;
}

/* The shortcuts of both paths depend on these facts about the rules; a new rule set that breaks one must be
 * detected. */
static void check_rules(const struct tbs_rules *rules) {
    for (int attacker = 0; attacker < TBS_TYPES; attacker++)
        for (int defender = 0; defender < TBS_TYPES; defender++)
            assert((rules->power[attacker][defender] > 0) ==
                   (rules->power[attacker][tbs_is_air(defender) ? TBS_FIGHTER : TBS_INFANTRY] > 0));
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        for (int class = 0; class < TBS_CLASSES; class ++) {
            const int cost = tbs_terrain_types[terrain].cost[class];
            assert(cost == 1 || cost == 2 || cost == TBS_IMPASSABLE);
        }
    for (int type = 0; type < TBS_TYPES; type++) {
        assert(tbs_unit_types[type].direct == (type != TBS_CANNON));
        assert(tbs_unit_types[type].move <= TBS_MOVE_MAX);
    }
}

static void fill_wide_cell(struct tbs_scenario *sc, int x, int y) {
    const struct tbs_terrain_type *terrain = &tbs_terrain_types[sc->map.terrain[x][y]];
    for (int class = 0; class < TBS_CLASSES; class ++) {
        sc->wide_cost1[class][x - 1] |= terrain->cost[class] == 1 ? UINT32_C(1) << (y - 1) : 0;
        sc->wide_cost2[class][x - 1] |= terrain->cost[class] == 2 ? UINT32_C(1) << (y - 1) : 0;
    }
    sc->wide_stars[(x - 1) * WIDE_CELLS + y - 1] = terrain->stars;
}

static void fill_small_cell(struct tbs_scenario *sc, int x, int y) {
    const struct tbs_terrain_type *terrain = &tbs_terrain_types[sc->map.terrain[x][y]];
    const int cell = (x - 1) * SMALL_CELLS + y - 1;
    for (int class = 0; class < TBS_CLASSES; class ++) {
        sc->small_cost1[class] |= terrain->cost[class] == 1 ? UINT64_C(1) << cell : 0;
        sc->small_cost2[class] |= terrain->cost[class] == 2 ? UINT64_C(1) << cell : 0;
    }
    sc->small_stars[cell] = terrain->stars;
    for (int ox = 1; ox <= SMALL_CELLS; ox++)
        for (int oy = 1; oy <= SMALL_CELLS; oy++) {
            const int distance = abs(ox - x) + abs(oy - y);
            const uint64_t bit = UINT64_C(1) << ((ox - 1) * SMALL_CELLS + oy - 1);
            sc->small_adjacent[cell] |= distance == 1 ? bit : 0;
            sc->small_ring[cell] |= distance >= TBS_RANGE_LOW && distance <= TBS_RANGE_HIGH ? bit : 0;
        }
}

static void fill_tables(struct tbs_scenario *sc) {
    for (int id = 0; id < sc->map.unit_count; id++) {
        const struct tbs_map_unit *u = &sc->map.units[id];
        const int slot = sc->slots[u->side]++;
        sc->type[u->side][slot] = u->type;
        sc->id[u->side][slot] = (uint8_t)id;
        sc->slot_of[id] = (uint8_t)slot;
    }
    for (int type = 0; type < TBS_TYPES; type++) {
        sc->hits_air[type] = sc->rules->power[type][TBS_FIGHTER] > 0;
        sc->hits_ground[type] = sc->rules->power[type][TBS_INFANTRY] > 0;
    }
    for (uint32_t k = 0; k < RECIPROCALS; k++)
        sc->reciprocal[k] = UINT32_MAX / (100 + k) + 1;
    for (int x = 1; x < sc->map.width - 1; x++)
        for (int y = 1; y < sc->map.height - 1; y++)
            (sc->wide ? fill_wide_cell : fill_small_cell)(sc, x, y);
}

struct scenario *tbs_scenario_make(const struct tbs_map *map, const struct tbs_rules *rules,
                                   enum tbs_path path, struct err *e) {
    if (path == TBS_PATH_SMALL && !fits_small(map)) {
        err_set(e, "path=small holds up to %d x %d cells and %d units a side; this map is larger",
                SMALL_CELLS, SMALL_CELLS, SMALL_SIDE_UNITS);
        return NULL;
    }
    struct tbs_scenario *sc = mem_try_alloc(sizeof *sc);
    if (sc == NULL) {
        err_set(e, "not enough memory");
        return NULL;
    }
    sc->wide = path == TBS_PATH_WIDE || !fits_small(map);
    sc->base.game = sc->wide ? &tbs_wide_game : &tbs_game;
    sc->rules = rules;
    sc->map = *map;
    sc->bmi2 = bits_have_bmi2();
    sc->avx2 = bits_have_avx2();
    check_rules(rules);
    fill_tables(sc);
    return &sc->base;
}

/* ---- scenarios: loading ---- */

struct options {
    int rules, path;
};

#define RULES_ROW                                                                                            \
    {                                                                                                        \
        "rules", PARAM_CHOICE, offsetof(struct options, rules), .choices = "tubstap|paper",                  \
                                                                .help = "the rule set"                       \
    }

static const struct param core_wide_options[] = {RULES_ROW, {0}};

static const struct param core_options[] = {
    RULES_ROW,
    {"path", PARAM_CHOICE, offsetof(struct options, path), .choices = "auto|small|wide",
     .help = "how boards are stored; auto takes the small one where the map fits"},
    {0},
};

/* Progressive widening looks at the better actions more often, so that the mean over all simulations is
 * meaningful. */
static const struct game_offer core_offer = {
    .public_name = "tbs",
    .takes_map = true,
    .record_form = "sgf",
    .opponent = "acteval",
    .adviser = "uct",
    .commentator = "pwuct",
    .commentator_work = 600,
    .can_pass = true,
    .can_resign = true,
    .pass = TBS_PASS,
    .resign = TBS_RESIGN,
};

/* As in the experiments of Sato, Fujiki and Ikeda. */
static const struct game_default core_defaults[] = {
    {"uct", "policy", "attack"},
    {"pwuct", "policy", "attack"},
    {"dlmc", "policy", "attack"},
    {"dlmc", "values", "F:1,A:1,P:1,U:1,R:1,I:0.2"},
    {"aas", "values", "F:1,A:1,P:1,U:1,R:1,I:1"},
    {0},
};

static struct scenario *load(const struct game_source *source, bool wide, struct err *e) {
    const struct param *table = wide ? core_wide_options : core_options;
    struct options options = {.path = wide ? TBS_PATH_WIDE : TBS_PATH_AUTO};
    params_default(table, &options);
    if (source->options != NULL && !params_read(table, source->options, &options, e))
        return NULL;
    if (source->text == NULL) {
        err_set(e, "the tactical game needs a map");
        return NULL;
    }
    struct tbs_map map;
    if (!tbs_map_load(source->name, source->text, source->size, &map, e))
        return NULL;
    return tbs_scenario_make(&map, &tbs_rule_sets[options.rules], (enum tbs_path)options.path, e);
}

static struct scenario *core_load(const struct game_source *source, struct err *e) {
    return load(source, false, e);
}

static struct scenario *core_load_wide(const struct game_source *source, struct err *e) {
    return load(source, true, e);
}

/* ---- the tables ---- */

#define CORE_SLOTS                                                                                           \
    .unload = plain_unload, .start = core_start, .mover = core_mover, .actions = core_actions,               \
    .is_legal = core_is_legal, .payoff = core_payoff, .turn = core_turn, .progress = core_progress,          \
    .key = core_state_key, .key_from_scratch = core_key_from_scratch, .valid = core_valid,                   \
    .bounds = core_bounds, .secured = core_secured, .evals = core_evals, .weights = core_weights,            \
    .priors = core_priors, .lists = core_lists, .defaults = core_defaults, .offer = &core_offer,             \
    .face = &core_face, .text = &core_notation

const struct game tbs_game = {
    .name = "tbs",
    .help = "the tactical game of the TUBSTAP platform; maps up to 32 x 32 cells and 64 units a side",
    .state_size = sizeof(struct tbs_small),
    .actions_max = SMALL_SIDE_UNITS * (64 + 4 * SMALL_SIDE_UNITS),
    .options = core_options,
    .load = core_load,
    .play = small_play,
    .rollouts = small_rollouts,
    CORE_SLOTS,
};

const struct game tbs_wide_game = {
    .name = "tbs-wide",
    .help =
        "the same game on the boards made for large maps, whatever the map's size (for tests and comparison)",
    .state_size = sizeof(struct tbs_wide),
    .actions_max = TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX,
    .options = core_wide_options,
    .load = core_load_wide,
    .play = wide_play,
    .rollouts = wide_rollouts,
    CORE_SLOTS,
};
