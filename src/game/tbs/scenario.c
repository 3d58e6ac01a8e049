/* SPDX-License-Identifier: MIT
 *
 * From a map and a rule set to the tables the game runs on.
 */
#include "base/mem.h"
#include "game/tbs/core.h"

#include <stdlib.h>
#include <string.h>

static bool fits_small(const struct tbs_map *map) {
    return map->width - 2 <= SMALL_CELLS && map->height - 2 <= SMALL_CELLS &&
           tbs_map_side_units(map, TBS_RED) <= SMALL_SIDE_UNITS &&
           tbs_map_side_units(map, TBS_BLUE) <= SMALL_SIDE_UNITS;
}

static void fill_slots(struct tbs_scenario *sc) {
    for (int id = 0; id < sc->map.unit_count; id++) {
        const struct tbs_map_unit *u = &sc->map.units[id];
        const int slot = sc->slots[u->side]++;
        sc->type[u->side][slot] = u->type;
        sc->id[u->side][slot] = (uint8_t)id;
        sc->slot_of[id] = (uint8_t)slot;
    }
}

/* The shortcuts of the two paths rest on these facts about the rules; a new rule set that breaks one must not
 * pass unnoticed. */
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

static void fill_fight_tables(struct tbs_scenario *sc) {
    for (int type = 0; type < TBS_TYPES; type++) {
        sc->hits_air[type] = sc->rules->power[type][TBS_FIGHTER] > 0;
        sc->hits_ground[type] = sc->rules->power[type][TBS_INFANTRY] > 0;
    }
    for (uint32_t k = 0; k < RECIPROCALS; k++)
        sc->reciprocal[k] = UINT32_MAX / (100 + k) + 1;
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
    const int cell = (x - 1) * SMALL_CELLS + y - 1;
    const struct tbs_terrain_type *terrain = &tbs_terrain_types[sc->map.terrain[x][y]];
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

static void fill_cells(struct tbs_scenario *sc) {
    for (int x = 1; x < sc->map.width - 1; x++)
        for (int y = 1; y < sc->map.height - 1; y++) {
            if (sc->wide)
                fill_wide_cell(sc, x, y);
            else
                fill_small_cell(sc, x, y);
        }
}

struct scenario *tbs_scenario_make(const struct tbs_map *map, const struct tbs_rules *rules,
                                   enum tbs_path path, struct err *e) {
    if (path == TBS_PATH_SMALL && !fits_small(map)) {
        err_set(e, "path=small holds up to %d x %d cells and %d units a side; this map is larger",
                SMALL_CELLS, SMALL_CELLS, SMALL_SIDE_UNITS);
        return NULL;
    }
    struct tbs_scenario *sc = mem_alloc(sizeof *sc);
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
    fill_slots(sc);
    fill_fight_tables(sc);
    fill_cells(sc);
    return &sc->base;
}

/* ---- loading ---- */

struct options {
    int rules, path;
};

const struct param core_wide_options[] = {
    {"rules", PARAM_CHOICE, offsetof(struct options, rules), .choices = "tubstap|paper",
     .help = "the rule set"},
    {0},
};

const struct param core_options[] = {
    {"rules", PARAM_CHOICE, offsetof(struct options, rules), .choices = "tubstap|paper",
     .help = "the rule set"},
    {"path", PARAM_CHOICE, offsetof(struct options, path), .choices = "auto|small|wide",
     .help = "how boards are stored; auto takes the small one where the map fits"},
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

struct scenario *core_load(const struct game_source *source, struct err *e) {
    return load(source, false, e);
}

struct scenario *core_load_wide(const struct game_source *source, struct err *e) {
    return load(source, true, e);
}

void core_unload(struct scenario *scenario) {
    mem_free(scenario);
}
