/* SPDX-License-Identifier: MIT
 *
 * Random maps. A draw must never fail by chance, only when the options are impossible. Two facts make that
 * easy. Infantry can enter what vehicles can, and aircraft what infantry can: once there are enough cells for
 * the vehicles, for vehicles and infantry, and for all, placing the most restricted class first always
 * succeeds, whichever cells were taken before. And terrain with too few suitable cells is repaired by drawing
 * some cells again from suitable terrains.
 *
 * In symmetric maps everything is done to a cell and its opposite at once; the cell in the middle of a board
 * with odd edges is its own opposite and stays empty.
 */
#include "game/tbs/map.h"

#include "base/bits.h"
#include "base/spec.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { PLACES_MAX = TBS_CELLS_MAX * TBS_CELLS_MAX };

/* From the class with the fewest terrains to the one with the most. */
static const uint8_t choosy_first[TBS_CLASSES] = {TBS_VEHICLE, TBS_FOOT, TBS_AIR};

struct place {
    uint8_t x, y;
};

struct maker {
    const struct tbs_random_options *options;
    struct rng *rng;
    struct tbs_map *map;
    bool taken[TBS_EDGE_MAX][TBS_EDGE_MAX];
    int place_count;
    struct place places[PLACES_MAX]; /* the cells found last */
};

#define AT(field) offsetof(struct tbs_random_options, field)

const struct param tbs_random_params[] = {
    {"width", PARAM_INT, AT(width), 1, TBS_CELLS_MAX, 6, .help = "playable columns"},
    {"height", PARAM_INT, AT(height), 1, TBS_CELLS_MAX, 6, .help = "playable rows"},
    {"units", PARAM_INT, AT(units[TBS_RED]), 1, TBS_SIDE_UNITS_MAX, 6, .help = "units a side"},
    {"symmetric", PARAM_FLAG, AT(symmetric), .help = "blue is red turned by 180 degrees"},
    {"limit", PARAM_INT, AT(turn_limit), 1, TBS_TURN_LIMIT_MAX, 16, .help = "turn limit"},
    {"threshold", PARAM_INT, AT(threshold), 0, TBS_THRESHOLD_MAX, 5,
     .help = "HP lead that must be exceeded to win at the limit"},
    {0},
};

/* A small map that every player can search, with some cover. */
void tbs_random_defaults(struct tbs_random_options *out) {
    *out = (struct tbs_random_options){
        .weight =
            {[TBS_PLAIN] = 60, [TBS_WOOD] = 20, [TBS_MOUNTAIN] = 10, [TBS_ROAD] = 5, [TBS_FORTRESS] = 5},
        .hp_low = TBS_HP_FULL,
        .hp_high = TBS_HP_FULL,
        .types = TBS_ALL_TYPES,
    };
    params_default(tbs_random_params, out);
    out->units[TBS_BLUE] = out->units[TBS_RED];
}

/* ---- checks of the options ---- */

static bool can_enter(int class, int terrain) {
    return tbs_terrain_types[terrain].cost[class] < TBS_IMPASSABLE;
}

/* Options come from command lines and messages, so that each has its own sentence. */
static bool check_ranges(const struct tbs_random_options *o, struct err *e) {
    const struct {
        const char *what;
        int value, low, high;
    } ranges[] = {
        {"the width", o->width, 1, TBS_CELLS_MAX},
        {"the height", o->height, 1, TBS_CELLS_MAX},
        {"the number of red units", o->units[TBS_RED], 1, TBS_SIDE_UNITS_MAX},
        {"the number of blue units", o->units[TBS_BLUE], 1, TBS_SIDE_UNITS_MAX},
        {"the turn limit", o->turn_limit, 1, TBS_TURN_LIMIT_MAX},
        {"the HP threshold", o->threshold, 0, TBS_THRESHOLD_MAX},
        {"the least HP", o->hp_low, 1, TBS_HP_FULL},
        {"the most HP", o->hp_high, o->hp_low, TBS_HP_FULL},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (ranges[i].value < ranges[i].low || ranges[i].value > ranges[i].high)
            return err_code(e, "refused.range", "%s is %d; expected %d to %d", ranges[i].what,
                            ranges[i].value, ranges[i].low, ranges[i].high);
    return true;
}

/* Is there terrain, and does every type find some that it can enter? */
static bool check_terrain(const struct tbs_random_options *o, struct err *e) {
    int sum = 0;
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++) {
        if (o->weight[terrain] < 0 || o->weight[terrain] > TBS_WEIGHT_MAX)
            return err_set(e, "the weight of %s is %d; expected 0 to %d", tbs_terrain_types[terrain].name,
                           o->weight[terrain], TBS_WEIGHT_MAX);
        sum += o->weight[terrain];
    }
    if (sum == 0)
        return err_code(e, "refused.no_terrain", "no terrain has a weight above 0");
    if (o->types == 0 || (o->types & ~(unsigned)TBS_ALL_TYPES) != 0)
        return err_set(e, "the set of unit types is empty or names unknown ones");
    for (int type = 0; type < TBS_TYPES; type++) {
        bool stands = (o->types >> type & 1) == 0;
        for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
            stands = stands || (o->weight[terrain] > 0 && can_enter(tbs_unit_types[type].class, terrain));
        if (!stands)
            return err_code(e, "refused.no_ground",
                            "%s has no terrain to stand on: none that it can enter has a weight above 0",
                            tbs_unit_types[type].name);
    }
    return true;
}

/* Terrain is repaired later, but units need cells at all. */
static bool check_room(const struct tbs_random_options *o, struct err *e) {
    const int cells = o->width * o->height, red = o->units[TBS_RED], blue = o->units[TBS_BLUE];
    if (o->symmetric && red != blue)
        return err_set(e, "a symmetric map has as many red as blue units, not %d and %d", red, blue);
    if (o->symmetric && red > cells / 2)
        return err_code(e, "refused.units_side",
                        "%d units a side do not fit on %d x %d cells: a symmetric map has room for %d", red,
                        o->width, o->height, cells / 2);
    if (red + blue > cells)
        return err_code(e, "refused.units", "%d units do not fit on %d x %d cells", red + blue, o->width,
                        o->height);
    return true;
}

/* ---- terrain ---- */

/* The cell itself where the map is not symmetric. */
static struct place opposite(const struct maker *m, struct place p) {
    const struct place q = {(uint8_t)(m->map->width - 1 - p.x), (uint8_t)(m->map->height - 1 - p.y)};
    return m->options->symmetric ? q : p;
}

/* One terrain by weight, among all (class TBS_CLASSES) or those a class can enter. */
static int draw_terrain(const struct maker *m, int class) {
    const int *weight = m->options->weight;
    uint32_t sum = 0;
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        sum += class == TBS_CLASSES || can_enter(class, terrain) ? (uint32_t)weight[terrain] : 0;
    assert(sum > 0);
    int left = (int)rng_below(m->rng, sum), terrain = -1;
    do { /* ends: the drawn number is less than the sum */
        terrain++;
        left -= class == TBS_CLASSES || can_enter(class, terrain) ? weight[terrain] : 0;
    } while (left >= 0);
    return terrain;
}

/* A symmetric map is changed on both sides at once and so stays symmetric. */
static void set_terrain(struct maker *m, struct place p, int terrain) {
    const struct place q = opposite(m, p);
    m->map->terrain[p.x][p.y] = m->map->terrain[q.x][q.y] = (uint8_t)terrain;
}

/* True for the cell of each pair that is processed (without symmetry for every cell). */
static bool is_looked_at(const struct maker *m, struct place p) {
    const struct place q = opposite(m, p);
    return p.x < q.x || (p.x == q.x && p.y <= q.y);
}

/* ---- cells ---- */

/* Collects the cells of columns first..last that are free and that a class can (or cannot) enter; in
 * symmetric maps only one of each pair, and not the middle. */
static void find_places(struct maker *m, int first, int last, int class, bool enterable) {
    m->place_count = 0;
    for (int x = first; x <= last; x++)
        for (int y = 1; y <= m->options->height; y++) {
            const struct place p = {(uint8_t)x, (uint8_t)y};
            const bool is_middle = 2 * x == m->map->width - 1 && 2 * y == m->map->height - 1;
            if (m->taken[x][y] || can_enter(class, m->map->terrain[x][y]) != enterable)
                continue;
            if (!m->options->symmetric || (is_looked_at(m, p) && !is_middle))
                m->places[m->place_count++] = p;
        }
}

/* Removes a random one of the found cells from the list. */
static struct place draw_place(struct maker *m) {
    assert(m->place_count > 0);
    const uint32_t i = rng_below(m->rng, (uint32_t)m->place_count);
    const struct place p = m->places[i];
    m->places[i] = m->places[--m->place_count];
    return p;
}

/* ---- units ---- */

/* Draws everything about the units except their cells: red has the first ids. */
static void draw_units(struct maker *m) {
    const struct tbs_random_options *o = m->options;
    const int red = o->units[TBS_RED];
    m->map->unit_count = red + o->units[TBS_BLUE];
    for (int id = 0; id < m->map->unit_count; id++) {
        struct tbs_map_unit *u = &m->map->units[id];
        const int side = id < red ? TBS_RED : TBS_BLUE;
        if (o->symmetric && side == TBS_BLUE) {
            *u = m->map->units[id - red];
        } else {
            const int nth = (int)rng_below(m->rng, (uint32_t)bits_count(o->types));
            u->type = (uint8_t)bits_select(o->types, nth, false);
            u->hp = (uint8_t)(o->hp_low + (int)rng_below(m->rng, (uint32_t)(o->hp_high - o->hp_low + 1)));
        }
        u->side = (uint8_t)side;
    }
}

/* Number of units that need a cell: in symmetric maps only the red ones, each together with its opposite. */
static int seekers(const struct maker *m) {
    return m->options->symmetric ? m->options->units[TBS_RED] : m->map->unit_count;
}

/* Ensures enough cells for each class, beginning with the most restricted (see the head of this file). */
static void repair_board(struct maker *m) {
    int needed = 0;
    for (int i = 0; i < TBS_CLASSES; i++) {
        const int class = choosy_first[i];
        int of_class = 0;
        for (int id = 0; id < seekers(m); id++)
            of_class += tbs_unit_types[m->map->units[id].type].class == class;
        needed += of_class;
        if (of_class == 0)
            continue; /* the more restricted classes have enough already, and this class may have no terrain
                         to draw */
        find_places(m, 1, m->options->width, class, true);
        const int there = m->place_count;
        find_places(m, 1, m->options->width, class, false);
        for (int missing = needed - there; missing > 0; missing--) {
            const struct place p = draw_place(m);
            set_terrain(m, p, draw_terrain(m, class));
        }
    }
}

/* A unit without a cell has x = 0, which is the border and never a unit's place. */
static void put_unit(struct maker *m, int id, struct place p) {
    assert(!m->taken[p.x][p.y]);
    m->map->units[id].x = p.x;
    m->map->units[id].y = p.y;
    m->taken[p.x][p.y] = true;
}

/* Places the units of one class that have no cell yet, as long as there are cells: in the side's own half, or
 * on the whole board. */
static void place_class(struct maker *m, int side, int class, bool own_half) {
    const int width = m->options->width, half = width / 2;
    const int first = own_half && side == TBS_BLUE ? width - half + 1 : 1;
    const int last = own_half && side == TBS_RED ? half : width;
    find_places(m, first, last, class, true);
    for (int id = 0; id < seekers(m) && m->place_count > 0; id++) {
        const struct tbs_map_unit *u = &m->map->units[id];
        if (u->side != side || tbs_unit_types[u->type].class != class || u->x != 0)
            continue;
        const struct place p = draw_place(m);
        put_unit(m, id, p);
        if (m->options->symmetric)
            put_unit(m, id + m->options->units[TBS_RED], opposite(m, p));
    }
}

bool tbs_map_random(const struct tbs_random_options *options, struct rng *r, struct tbs_map *out,
                    struct err *e) {
    if (!check_ranges(options, e) || !check_terrain(options, e) || !check_room(options, e))
        return false;
    *out = (struct tbs_map){
        .width = options->width + 2,
        .height = options->height + 2,
        .turn_limit = options->turn_limit,
        .threshold = options->threshold,
        .declared = {options->units[TBS_RED], options->units[TBS_BLUE]},
    };
    struct maker m = {.options = options, .rng = r, .map = out};
    for (int x = 1; x <= options->width; x++)
        for (int y = 1; y <= options->height; y++) {
            const struct place p = {(uint8_t)x, (uint8_t)y};
            if (is_looked_at(&m, p))
                set_terrain(&m, p, draw_terrain(&m, TBS_CLASSES));
        }
    draw_units(&m);
    repair_board(&m);
    /* For each class, first all units in their side's own half, then the rest anywhere. */
    for (int i = 0; i < TBS_CLASSES; i++)
        for (int round = 0; round < 2; round++)
            for (int side = 0; side < TBS_SIDES; side++)
                place_class(&m, side, choosy_first[i], round == 0);
    return true;
}

/* ---- options as a person types them ---- */

#define WEIGHT(key, terrain)                                                                                 \
    { .name = key, .kind = PARAM_INT, .offset = (terrain) * sizeof(int), .high = TBS_WEIGHT_MAX }

/* Terrain that is not named gets weight 0. */
static const struct param terrain_weights[] = {
    WEIGHT("plain", TBS_PLAIN),       WEIGHT("wood", TBS_WOOD),
    WEIGHT("mountain", TBS_MOUNTAIN), WEIGHT("sea", TBS_SEA),
    WEIGHT("road", TBS_ROAD),         WEIGHT("fortress", TBS_FORTRESS),
    WEIGHT("wall", TBS_NO_ENTRY),     {0},
};

bool tbs_read_weights(const char *string, int weight[TBS_TERRAINS], struct err *e) {
    struct text whole = {0};
    text_add(&whole, "terrain:%s", string);
    struct spec spec;
    const bool ok =
        spec_parse(text_string(&whole), &spec, e) && params_read(terrain_weights, &spec, weight, e);
    text_done(&whole);
    return ok;
}

bool tbs_read_types(const char *string, unsigned *out, struct err *e) {
    char words[256], *pieces[4 * TBS_TYPES];
    snprintf(words, sizeof words, "%s", string);
    const int count = text_split(words, ',', pieces, 4 * TBS_TYPES);
    if (count < 0 || strlen(string) >= sizeof words)
        return err_set(e, "the list of types is too long");
    *out = 0;
    for (int i = 0; i < count; i++) {
        const char *word = text_trim(pieces[i]);
        int type = 0; /* by its letter, otherwise by its name */
        while (type < TBS_TYPES && (word[0] != tbs_unit_types[type].mark || word[1] != '\0'))
            type++;
        type = type < TBS_TYPES ? type : tbs_type_find(word);
        if (type == TBS_TYPES)
            return err_code(
                e, "refused.type",
                "unit '%.40s' is unknown; expected fighter (F), attacker (A), panzer (P), cannon (U), "
                "antiair (R) or infantry (I)",
                pieces[i]);
        *out |= 1U << type;
    }
    return true;
}
