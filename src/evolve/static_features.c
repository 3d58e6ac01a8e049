/* SPDX-License-Identifier: MIT
 *
 * What a map is like before any game is played on it, and tidying maps by it.
 *
 * The measures are taken of every map that is ever made, so they have to be quick: terrain is looked at cell
 * by cell, movement with sets of cells, a word a row, in which a flood of a whole row is a few operations.
 * Bit x of row y is the cell (x, y) with the border counted; border cells are in no set, so there are no
 * checks for the edge of the map.
 */
#include "evolve/genome.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

_Static_assert((int)TBS_EDGE_MAX <= 64, "a row of cells fits a word");

/* ---- terrain ---- */

/* The cells around one; the first four share a side with it. */
static const int near_dx[8] = {1, 0, -1, 0, 1, 1, -1, -1}, near_dy[8] = {0, -1, 0, 1, 1, -1, 1, -1};

/* `reach` is 4 for the cells beside, 8 for those around. */
static int count_near(const struct tbs_map *map, int x, int y, int reach, int terrain) {
    int count = 0;
    for (int i = 0; i < reach; i++)
        count += map->terrain[x + near_dx[i]][y + near_dy[i]] == terrain;
    return count;
}

/* A road with that many roads beside it, no fortress, and no bridge: that has sea on two opposite sides and
 * none on the other two. */
static bool is_road_with(const struct tbs_map *map, int x, int y, int roads) {
    if (map->terrain[x][y] != TBS_ROAD)
        return false;
    const bool east = map->terrain[x + 1][y] == TBS_SEA, west = map->terrain[x - 1][y] == TBS_SEA;
    const bool north = map->terrain[x][y - 1] == TBS_SEA, south = map->terrain[x][y + 1] == TBS_SEA;
    const bool is_bridge = (east && west && !north && !south) || (north && south && !east && !west);
    return !is_bridge && count_near(map, x, y, 4, TBS_ROAD) == roads &&
           count_near(map, x, y, 4, TBS_FORTRESS) == 0;
}

bool static_features_is_isolated_road(const struct tbs_map *map, int x, int y) {
    return is_road_with(map, x, y, 0);
}

bool static_features_is_road_end(const struct tbs_map *map, int x, int y) {
    return x > 1 && y > 1 && x < map->width - 2 && y < map->height - 2 && is_road_with(map, x, y, 1);
}

/* Terrain that nature makes and that is not plain. */
static bool is_rough(int terrain) {
    return terrain == TBS_WOOD || terrain == TBS_MOUNTAIN || terrain == TBS_SEA;
}

/* Border cells count as neither plain nor rough (they are TBS_NO_ENTRY): the edge of a map strews nothing. */
static bool is_strewn(const struct tbs_map *map, int x, int y) {
    const int terrain = map->terrain[x][y];
    if (!is_rough(terrain))
        return false;
    int plain = 0, others = 0;
    for (int dx = -1; dx <= 1; dx++)
        for (int dy = -1; dy <= 1; dy++) {
            const int there = map->terrain[x + dx][y + dy];
            if (there == terrain && (dx != 0 || dy != 0))
                return false;
            plain += there == TBS_PLAIN;
            others += is_rough(there) && there != terrain;
        }
    return plain < others;
}

/* ---- coherence ---- */

/* Neighbouring cells by what they are: a pair that shares a side counts 2, one that shares a corner 1. */
enum { SIDE_WEIGHT = 2, CORNER_WEIGHT = 1 };

/* How alike two kinds of natural terrain are: trees grow on the slopes of mountains. Roads, fortresses and
 * walls are made by people and do not count here. */
enum { KINDS = 4 };
static const uint8_t kinds[KINDS] = {TBS_PLAIN, TBS_SEA, TBS_WOOD, TBS_MOUNTAIN};
static const double alike[KINDS][KINDS] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0.5}, {0, 0, 0.5, 1}};

/* An even mix of the four kinds strewn at random is 7/12 quiet; with a little for luck that is where the
 * scale begins. Patches of a few cells each reach GATHERED_FULL. A map without woods, mountains and sea has
 * nothing that could be wrong, and nothing to look at. */
#define QUIET_EVEN     0.6
#define QUIET_FULL     0.95
#define GATHERED_FULL  0.4
#define COHERENCE_BARE 0.75

static double within_unit(double x) {
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* Either is enough: quiet surroundings (single woods in a plain), or patches (a sea beside a forest). A rough
 * cell that meets kin or plain is quiet. Gathered is how much likelier neighbours are alike than if the same
 * cells were strewn at random; 1: as much as can be. */
static double coherence_of(const struct tbs_map *map, int rough) {
    int pairs[TBS_TERRAINS][TBS_TERRAINS] = {{0}}; /* of unlike cells: split over [a][b] and [b][a] */
    int cells[TBS_TERRAINS] = {0};
    if (rough == 0)
        return COHERENCE_BARE;
    for (int x = 1; x < map->width - 1; x++)
        for (int y = 1; y < map->height - 1; y++) {
            int *own = pairs[map->terrain[x][y]];
            cells[map->terrain[x][y]]++;
            own[map->terrain[x + 1][y]] += SIDE_WEIGHT;
            own[map->terrain[x][y + 1]] += SIDE_WEIGHT;
            own[map->terrain[x + 1][y + 1]] += CORNER_WEIGHT;
            own[map->terrain[x + 1][y - 1]] += CORNER_WEIGHT;
        }
    double quiet = 0, met = 0, like = 0, all = 0, expected = 0, count = 0;
    for (int a = 0; a < KINDS; a++) {
        count += cells[kinds[a]];
        for (int b = 0; b < KINDS; b++) {
            const int there = pairs[kinds[a]][kinds[b]], both = there + pairs[kinds[b]][kinds[a]];
            quiet += a > 0 ? both * (b == 0 ? 1 : alike[a][b]) : 0;
            met += a > 0 ? both : 0;
            like += there * alike[a][b];
            all += there;
            expected += alike[a][b] * cells[kinds[a]] * (cells[kinds[b]] - (a == b));
        }
    }
    expected /= count > 1 ? count * (count - 1) : 1;
    const double quiet_share = met > 0 ? quiet / met : 1;
    const double gathered = all > 0 && expected < 1 ? (like / all - expected) / (1 - expected) : 0;
    return 1 - (1 - within_unit((quiet_share - QUIET_EVEN) / (QUIET_FULL - QUIET_EVEN))) *
                   (1 - within_unit(gathered / GATHERED_FULL));
}

/* ---- movement ---- */

/* A set of cells: bit x of row y. */
struct board {
    uint64_t row[TBS_EDGE_MAX];
};

struct movement {
    const struct tbs_map *map;
    const struct tbs_rules *rules;
    struct board easy[TBS_CLASSES], hard[TBS_CLASSES]; /* cells that cost a class one, two points */
    struct board units[TBS_SIDES];
};

static uint64_t bit_of(int x) {
    return UINT64_C(1) << x;
}

static void movement_init(struct movement *g, const struct tbs_map *map, const struct tbs_rules *rules) {
    memset(g, 0, sizeof *g);
    g->map = map;
    g->rules = rules;
    for (int x = 1; x < map->width - 1; x++)
        for (int y = 1; y < map->height - 1; y++) {
            const uint8_t *cost = tbs_terrain_types[map->terrain[x][y]].cost;
            for (int class = 0; class < TBS_CLASSES; class ++) {
                g->easy[class].row[y] |= (uint64_t)(cost[class] == 1) << x;
                g->hard[class].row[y] |= (uint64_t)(cost[class] == 2) << x;
            }
        }
    for (int id = 0; id < map->unit_count; id++)
        g->units[map->units[id].side].row[map->units[id].y] |= bit_of(map->units[id].x);
}

/* The cells of row y that are beside a cell of the set. Rows 0 and height - 1 are the border, so y - 1 and y
 * + 1 exist. */
static uint64_t beside_row(const struct board *b, int y) {
    return b->row[y] << 1 | b->row[y] >> 1 | b->row[y - 1] | b->row[y + 1];
}

/* The cells that the unit reaches in any number of turns if only `closed`, another unit (NULL: none), is in
 * the way. Every type has the move power for the most expensive cell it can enter at all. */
static void flood(const struct movement *g, const struct tbs_map_unit *unit,
                  const struct tbs_map_unit *closed, struct board *out) {
    const int class = tbs_unit_types[unit->type].class, last = g->map->height - 2;
    struct board open;
    for (int y = 1; y <= last; y++)
        open.row[y] = g->easy[class].row[y] | g->hard[class].row[y];
    if (closed != NULL)
        open.row[closed->y] &= ~bit_of(closed->x);
    memset(out->row, 0, ((size_t)last + 2) * sizeof out->row[0]);
    out->row[unit->y] = bit_of(unit->x);
    for (bool grew = true; grew;) {
        grew = false;
        for (int y = 1; y <= last; y++) {
            const uint64_t before = out->row[y];
            out->row[y] |= beside_row(out, y) & open.row[y];
            grew |= out->row[y] != before;
        }
    }
}

/* Whether the set has a cell from which a unit of that type attacks the target. */
static bool has_stand(const struct tbs_map *map, const struct board *set, int type,
                      const struct tbs_map_unit *target) {
    const bool direct = tbs_unit_types[type].direct;
    const int low = direct ? 1 : TBS_RANGE_LOW, high = direct ? 1 : TBS_RANGE_HIGH;
    for (int dy = -high; dy <= high; dy++) {
        const int y = target->y + dy, rest = high - (dy < 0 ? -dy : dy);
        if (y < 1 || y > map->height - 2)
            continue;
        for (int dx = -rest; dx <= rest; dx++) {
            const int x = target->x + dx, distance = high - rest + (dx < 0 ? -dx : dx);
            if (distance >= low && x >= 1 && (set->row[y] & bit_of(x)) != 0)
                return true;
        }
    }
    return false;
}

/* An enemy of a type that the unit can damage at all. */
static bool is_prey(const struct movement *g, const struct tbs_map_unit *unit,
                    const struct tbs_map_unit *target) {
    return target->side != unit->side && g->rules->power[unit->type][target->type] > 0;
}

/* Whether the unit can attack the target at some time, if the target stands still and no other unit is in
 * the way. A unit that attacks neighbours meets the target on the way through its cell; a cannon has to get
 * past it. */
static bool will_meet(const struct movement *g, const struct tbs_map_unit *unit,
                      const struct tbs_map_unit *target) {
    struct board reached;
    flood(g, unit, tbs_unit_types[unit->type].direct ? NULL : target, &reached);
    return has_stand(g->map, &reached, unit->type, target);
}

/* Whether the unit can attack any of its prey at some time. */
static bool will_attack(const struct movement *g, const struct tbs_map_unit *unit) {
    const bool direct = tbs_unit_types[unit->type].direct;
    struct board reached;
    if (direct)
        flood(g, unit, NULL, &reached); /* once for all targets */
    for (int id = 0; id < g->map->unit_count; id++) {
        const struct tbs_map_unit *target = &g->map->units[id];
        if (is_prey(g, unit, target) &&
            (direct ? has_stand(g->map, &reached, unit->type, target) : will_meet(g, unit, target)))
            return true;
    }
    return false;
}

/* ---- units ---- */

/* The first reason in this order: no prey, stranded, stuck. */
static enum useless use_of(const struct movement *g, const struct tbs_map_unit *unit) {
    const int class = tbs_unit_types[unit->type].class;
    bool has_prey = false;
    for (int id = 0; id < g->map->unit_count && !has_prey; id++)
        has_prey = is_prey(g, unit, &g->map->units[id]);
    if (!has_prey)
        return USELESS_NO_PREY;
    bool will_fight = will_attack(g, unit);
    for (int id = 0; id < g->map->unit_count && !will_fight; id++)
        will_fight = is_prey(g, &g->map->units[id], unit) && will_meet(g, &g->map->units[id], unit);
    if (!will_fight)
        return USELESS_STRANDED;
    for (int i = 0; i < 4; i++) {
        const int terrain = g->map->terrain[unit->x + near_dx[i]][unit->y + near_dy[i]];
        if (tbs_terrain_types[terrain].cost[class] < TBS_IMPASSABLE)
            return USELESS_NOT;
    }
    return USELESS_STUCK;
}

/* The cells where the unit may end its first move: enemies are in the way, friends only at the end. What
 * costs two points is entered a step after it was next to a cell that was reached. */
static void first_ends(const struct movement *g, const struct tbs_map_unit *unit, struct board *out) {
    const struct tbs_unit_type *type = &tbs_unit_types[unit->type];
    const int last = g->map->height - 2;
    const struct board *easy = &g->easy[type->class], *hard = &g->hard[type->class];
    const struct board *enemy = &g->units[unit->side ^ 1], *friend = &g->units[unit->side];
    struct board around[2];
    memset(out->row, 0, ((size_t)last + 2) * sizeof out->row[0]);
    memset(around[0].row, 0, ((size_t)last + 2) * sizeof out->row[0]);
    out->row[unit->y] = bit_of(unit->x);
    for (int step = 0; step < type->move; step++) {
        struct board *now = &around[(step + 1) % 2], *before = &around[step % 2];
        for (int y = 1; y <= last; y++)
            now->row[y] = beside_row(out, y) & ~enemy->row[y];
        for (int y = 1; y <= last; y++)
            out->row[y] |= (now->row[y] & easy->row[y]) | (before->row[y] & hard->row[y]);
    }
    for (int y = 1; y <= last; y++)
        out->row[y] &= ~friend->row[y];
    out->row[unit->y] |= bit_of(unit->x);
}

/* Pairs of a cell to attack from and a target. Cannons do not move before they attack: theirs are targets. */
static int first_attacks_of(const struct movement *g, const struct tbs_map_unit *unit) {
    const bool direct = tbs_unit_types[unit->type].direct;
    struct board ends = {{0}};
    int count = 0;
    if (direct)
        first_ends(g, unit, &ends);
    ends.row[unit->y] |= bit_of(unit->x);
    for (int id = 0; id < g->map->unit_count; id++) {
        const struct tbs_map_unit *target = &g->map->units[id];
        if (!is_prey(g, unit, target))
            continue;
        if (!direct)
            count += has_stand(g->map, &ends, unit->type, target);
        for (int i = 0; i < 4 && direct; i++)
            count += (ends.row[target->y + near_dy[i]] & bit_of(target->x + near_dx[i])) != 0;
    }
    return count;
}

/* ---- all of it ---- */

/* Weights of the parts: shares of roads that lead somewhere, coherence, shares of units with prey and of
 * units that are not stranded. */
#define WEIGHT_ROADS     0.25
#define WEIGHT_COHERENCE 0.40
#define WEIGHT_PREY      0.20
#define WEIGHT_STRANDED  0.15

/* 1 where there is nothing that could have a defect. */
static double share_without(int defects, int all) {
    return all > 0 ? 1 - (double)defects / all : 1;
}

void static_features_of(const struct tbs_map *map, const struct tbs_rules *rules,
                        struct static_features *out) {
    struct movement g;
    *out = (struct static_features){0};
    for (int x = 1; x < map->width - 1; x++)
        for (int y = 1; y < map->height - 1; y++) {
            const int terrain = map->terrain[x][y];
            out->roads += terrain == TBS_ROAD;
            out->isolated_roads += static_features_is_isolated_road(map, x, y);
            out->road_ends += static_features_is_road_end(map, x, y);
            out->rough += is_rough(terrain);
            out->gathered += is_rough(terrain) && count_near(map, x, y, 4, terrain) > 0;
            out->strewn += is_strewn(map, x, y);
        }
    out->coherence = coherence_of(map, out->rough);
    movement_init(&g, map, rules);
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *unit = &map->units[id];
        const enum useless use = use_of(&g, unit);
        out->use[id] = (uint8_t)use;
        out->no_prey[unit->side] += use == USELESS_NO_PREY;
        out->stranded[unit->side] += use == USELESS_STRANDED || use == USELESS_STUCK;
        if (use == USELESS_NO_PREY || unit->done)
            continue;
        const int attacks = first_attacks_of(&g, unit);
        out->first_attacks[unit->side] += attacks;
        out->attackers[unit->side] += attacks > 0;
    }
    const int units = map->unit_count;
    double *parts = out->parts;
    parts[NATURAL_ROADS] = share_without(out->isolated_roads + out->road_ends, out->roads);
    parts[NATURAL_COHERENCE] = out->coherence;
    parts[NATURAL_PREY] = share_without(out->no_prey[TBS_RED] + out->no_prey[TBS_BLUE], units);
    parts[NATURAL_REACH] = share_without(out->stranded[TBS_RED] + out->stranded[TBS_BLUE], units);
    parts[NATURAL_GATHERED] = share_without(out->rough - out->gathered, out->rough);
    parts[NATURAL_CALM] = share_without(out->strewn, out->rough);
    out->natural = WEIGHT_ROADS * parts[NATURAL_ROADS] + WEIGHT_COHERENCE * parts[NATURAL_COHERENCE] +
                   WEIGHT_PREY * parts[NATURAL_PREY] + WEIGHT_STRANDED * parts[NATURAL_REACH];
}

/* ---- other weights ---- */

#define WEIGHT_MAX 1000.0

const char *const natural_part_names[NATURAL_PARTS] = {"roads", "coherence", "prey",
                                                       "reach", "gathered",  "calm"};

/* Where the number of that name is; NULL: there is none. */
static double *weight_of(struct naturalness *naturalness, const char *name) {
    int part = 0;
    if (strcmp(name, "base") == 0)
        return &naturalness->base;
    while (part < NATURAL_PARTS && strcmp(name, natural_part_names[part]) != 0)
        part++;
    return part < NATURAL_PARTS ? &naturalness->weights[part] : NULL;
}

bool naturalness_read(const char *text, struct naturalness *out, struct err *e) {
    char words[PARAM_TEXT_MAX];
    char *pieces[NATURAL_PARTS + 1];
    unsigned seen = 0;
    *out = (struct naturalness){.is_ours = strcmp(text, "ours") == 0};
    if (out->is_ours)
        return true;
    const int size = snprintf(words, sizeof words, "%s", text);
    const int count = size < (int)sizeof words ? text_split(words, ',', pieces, NATURAL_PARTS + 1) : -1;
    for (int i = 0; i < count; i++) {
        char *equals = strchr(pieces[i], '=');
        if (equals != NULL)
            *equals = '\0';
        double *weight = weight_of(out, text_trim(pieces[i])), value;
        if (weight == NULL || equals == NULL || !text_to_real(equals + 1, &value) ||
            !(value >= -WEIGHT_MAX && value <= WEIGHT_MAX))
            return err_set(
                e,
                "'%.40s' is no weight; expected ours, or numbers as in base=0.1,roads=0.2 for base, "
                "roads, coherence, prey, reach, gathered and calm",
                pieces[i]);
        const unsigned bit = 1U << (weight == &out->base ? NATURAL_PARTS : weight - out->weights);
        if ((seen & bit) != 0)
            return err_set(e, "the weight of %s is given twice", pieces[i]);
        seen |= bit;
        *weight = value;
    }
    return count > 0 || err_set(e, "the list is too long");
}

/* Six digits that count: the text is what is stored and read back, so it defines the weights. */
void naturalness_write(const struct naturalness *naturalness, struct text *out) {
    if (naturalness->is_ours) {
        text_add_string(out, "ours");
        return;
    }
    text_add(out, "base=%.6g", naturalness->base);
    for (int part = 0; part < NATURAL_PARTS; part++)
        text_add(out, ",%s=%.6g", natural_part_names[part], naturalness->weights[part]);
}

double naturalness_of(const struct naturalness *naturalness, const struct static_features *features) {
    double sum = naturalness->base;
    if (naturalness->is_ours)
        return features->natural;
    for (int part = 0; part < NATURAL_PARTS; part++)
        sum += naturalness->weights[part] * features->parts[part];
    return within_unit(sum);
}

int static_features_defects(const struct static_features *l) {
    return l->isolated_roads + l->strewn + l->no_prey[TBS_RED] + l->no_prey[TBS_BLUE] + l->stranded[TBS_RED] +
           l->stranded[TBS_BLUE];
}

/* ---- tidying ----
 *
 * For each defect a handful of small changes is tried, each on the map as a whole. The one that leaves the
 * fewest defects stays if those are fewer than before. So tidying never trades one defect for another,
 * changes little, and ends. */

enum {
    ROUNDS_MAX = 4,    /* over all cells of the map */
    PLACES_TRIED = 48, /* for one unit: all cells of a map of ordinary size */
};

/* The rank of a change: of those that leave equally few defects the one with the lowest rank is taken. A
 * move ranks by its distance, the others by these. */
enum { RANK_FIRST = 0, RANK_OTHER = 1, RANK_LAST = 2, RANK_TYPE = 100, RANK_MOST = 1000 };

struct tidy {
    const struct space *space;
    const struct tbs_rules *rules;
    struct rng *r;
    struct genome now, best; /* `best` only when best_defects < defects */
    struct tbs_map map;      /* of `now`, as the next two */
    struct static_features features;
    int defects;
    int best_defects, best_rank, best_count;
};

/* Fills in what is known of `now`. */
static void look_at(struct tidy *t) {
    genome_to_map(t->space, &t->now, &t->map);
    static_features_of(&t->map, t->rules, &t->features);
    t->defects = static_features_defects(&t->features);
}

/* Keeps the candidate if it is the best so far; among equals each is as likely. */
static void weigh(struct tidy *t, const struct genome *candidate, int rank) {
    struct tbs_map map;
    struct static_features features;
    genome_to_map(t->space, candidate, &map);
    static_features_of(&map, t->rules, &features);
    const int defects = static_features_defects(&features);
    if (defects > t->best_defects || (defects == t->best_defects && rank > t->best_rank))
        return;
    if (defects < t->best_defects || rank < t->best_rank)
        t->best_count = 0;
    t->best_defects = defects;
    t->best_rank = rank;
    t->best_count++;
    if (rng_below(t->r, (uint32_t)t->best_count) == 0)
        t->best = *candidate;
}

/* Other terrain, or another type, in one cell, if the space allows it and the unit can stand there. */
static void try_cell(struct tidy *t, int cell, struct cell value, int rank) {
    const struct cell *now = &t->now.cells[cell];
    if ((value.terrain == now->terrain && value.type == now->type) || t->space->weight[value.terrain] == 0 ||
        (value.type != GENOME_EMPTY &&
         ((t->space->types >> value.type & 1) == 0 || !space_can_stand(value.type, value.terrain))))
        return;
    struct genome candidate = t->now;
    genome_put(t->space, &candidate, cell, value);
    weigh(t, &candidate, rank);
}

static void try_terrain(struct tidy *t, int cell, int terrain, int rank) {
    struct cell value = t->now.cells[cell];
    value.terrain = (uint8_t)terrain;
    try_cell(t, cell, value, rank);
}

/* All types of the space that can stand there, at one rank. */
static void try_types(struct tidy *t, int cell, int rank) {
    for (int type = 0; type < TBS_TYPES; type++) {
        struct cell value = t->now.cells[cell];
        value.type = (uint8_t)type;
        try_cell(t, cell, value, rank);
    }
}

/* Another place for the unit, perhaps as another type; nearer ones rank first. All cells of a small map are
 * tried, a sample of those of a large one. */
static void try_places(struct tidy *t, int from, int type, int rank) {
    const int cells = genome_cells(&t->now);
    struct cell unit = t->now.cells[from];
    for (int i = 0; i < cells && i < PLACES_TRIED; i++) {
        const int to = cells <= PLACES_TRIED ? i : (int)rng_below(t->r, (uint32_t)cells);
        const struct cell there = t->now.cells[to];
        if (there.type != GENOME_EMPTY || !space_may_hold(t->space, to) ||
            !space_can_stand(type, there.terrain))
            continue;
        struct genome candidate = t->now;
        genome_put(t->space, &candidate, from,
                   (struct cell){.terrain = t->now.cells[from].terrain, .type = GENOME_EMPTY});
        unit.terrain = there.terrain;
        unit.type = (uint8_t)type;
        genome_put(t->space, &candidate, to, unit);
        weigh(t, &candidate, rank + space_distance(t->space, from, to));
    }
}

/* The best candidate, if it is an improvement. */
static bool take_best(struct tidy *t) {
    if (t->best_defects >= t->defects)
        return false;
    t->now = t->best;
    look_at(t);
    return true;
}

/* Equal candidates do not count as an improvement: only fewer defects than now do. */
static void start_candidates(struct tidy *t) {
    t->best_defects = t->defects;
    t->best_rank = RANK_MOST;
}

/* The cells beside one as near_dx and near_dy have them: equal candidates are drawn in this order. */
static const int beside_order[4] = {1, 2, 0, 3};

/* The cell in the map, whose border has no terrain that is asked for here. */
static int count_near_cell(const struct tidy *t, int cell, int reach, int terrain) {
    assert(terrain != TBS_NO_ENTRY);
    return count_near(&t->map, cell % t->now.width + 1, cell / t->now.width + 1, reach, terrain);
}

/* The cell takes a natural terrain near it that its unit can stand on; the most frequent one first. */
static void try_terrains_near(struct tidy *t, int cell, int reach) {
    const int type = t->now.cells[cell].type;
    int most = 1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < KINDS; i++) {
            const int terrain = kinds[i], count = count_near_cell(t, cell, reach, terrain);
            if (count == 0 || (type != GENOME_EMPTY && !space_can_stand(type, terrain)))
                continue;
            if (pass == 0)
                most = count > most ? count : most;
            else
                try_terrain(t, cell, terrain, count == most ? RANK_FIRST : RANK_OTHER);
        }
}

/* It becomes ground, or grows by a cell that joins it to another road or a fortress. */
static void tidy_road(struct tidy *t, int cell) {
    start_candidates(t);
    try_terrains_near(t, cell, 4);
    for (int i = 0; i < 4; i++) {
        const int there = space_beside(t->space, cell, beside_order[i]);
        if (there < 0)
            continue;
        const bool joins =
            count_near_cell(t, there, 4, TBS_ROAD) > 1 || count_near_cell(t, there, 4, TBS_FORTRESS) > 0;
        try_terrain(t, there, TBS_ROAD, joins ? RANK_FIRST : RANK_LAST);
    }
    take_best(t);
}

/* The cell takes the terrain around it, or spreads. Plain disturbs no neighbour and is the last resort. */
static void tidy_strewn(struct tidy *t, int cell) {
    const int terrain = t->now.cells[cell].terrain;
    start_candidates(t);
    try_terrains_near(t, cell, 8);
    try_terrain(t, cell, TBS_PLAIN, RANK_LAST);
    for (int i = 0; i < 4; i++) {
        const int there = space_beside(t->space, cell, beside_order[i]);
        const int beside = there >= 0 ? t->now.cells[there].terrain : TBS_NO_ENTRY;
        if (beside == TBS_PLAIN || is_rough(beside))
            try_terrain(t, there, terrain, RANK_FIRST);
    }
    if (take_best(t))
        return;
    /* Sea becomes plain together with the road that was a bridge because of it. */
    for (int i = 0; i < 4; i++) {
        const int there = space_beside(t->space, cell, beside_order[i]);
        if (there < 0 || t->now.cells[there].terrain != TBS_ROAD || t->space->weight[TBS_PLAIN] == 0)
            continue;
        struct genome candidate = t->now;
        struct cell below = candidate.cells[cell], beside = candidate.cells[there];
        below.terrain = beside.terrain = TBS_PLAIN;
        genome_put(t->space, &candidate, cell, below);
        genome_put(t->space, &candidate, there, beside);
        weigh(t, &candidate, RANK_LAST);
    }
    take_best(t);
}

/* Another type; if that does not help, another type in another place, or other enemies. */
static void tidy_prey(struct tidy *t, int cell) {
    start_candidates(t);
    try_types(t, cell, RANK_FIRST);
    if (take_best(t))
        return;
    for (int type = 0; type < TBS_TYPES; type++)
        if (t->space->types >> type & 1)
            try_places(t, cell, type, RANK_LAST);
    for (int i = 0; i < genome_cells(&t->now); i++)
        if (t->now.cells[i].type != GENOME_EMPTY && t->now.cells[i].side != t->now.cells[cell].side)
            try_types(t, i, RANK_OTHER);
    take_best(t);
}

/* Opens a way for the unit to another cell, first along its row, or first along its column: terrain that it
 * cannot enter becomes terrain that it can. */
static void try_way(struct tidy *t, int from, int to, bool row_first) {
    const int width = t->now.width, type = t->now.cells[from].type;
    /* Ground of the space that the type can enter: plain if there is any. The unit stands on some. */
    int terrain = TBS_PLAIN;
    while (terrain < TBS_FORTRESS && (t->space->weight[terrain] == 0 || !space_can_stand(type, terrain)))
        terrain++;
    const int dx = to % width < from % width ? -1 : 1, dy = to / width < from / width ? -width : width;
    struct genome candidate = t->now;
    int changes = 0;
    for (int cell = from; cell != to;) {
        const bool row_done = cell % width == to % width, column_done = cell / width == to / width;
        cell += row_first ? (row_done ? dy : dx) : (column_done ? dx : dy);
        struct cell value = candidate.cells[cell];
        const bool is_blocked = !space_can_stand(type, value.terrain);
        if (cell == to || !is_blocked)
            continue;
        /* A unit that stands where this one cannot go is less choosy: vehicles, infantry, aircraft. */
        assert(value.type == GENOME_EMPTY || space_can_stand(value.type, terrain));
        value.terrain = (uint8_t)terrain;
        genome_put(t->space, &candidate, cell, value);
        changes++;
    }
    if (changes > 0)
        weigh(t, &candidate, RANK_TYPE + changes);
}

/* Another place; if that does not help, another type, or a way to an enemy. */
static void tidy_stranded(struct tidy *t, int cell) {
    start_candidates(t);
    try_places(t, cell, t->now.cells[cell].type, RANK_FIRST);
    if (take_best(t))
        return;
    try_types(t, cell, RANK_TYPE);
    for (int i = 0; i < genome_cells(&t->now); i++)
        if (t->now.cells[i].type != GENOME_EMPTY && t->now.cells[i].side != t->now.cells[cell].side) {
            try_way(t, cell, i, true);
            try_way(t, cell, i, false);
        }
    take_best(t);
}

/* A unit's defects are looked for on the map as the terrain's repair has left it. */
static void tidy_cell(struct tidy *t, int cell) {
    const int x = cell % t->now.width + 1, y = cell / t->now.width + 1;
    if (static_features_is_isolated_road(&t->map, x, y))
        tidy_road(t, cell);
    if (is_strewn(&t->map, x, y))
        tidy_strewn(t, cell);
    int id = 0;
    while (id < t->map.unit_count && (t->map.units[id].x != x || t->map.units[id].y != y))
        id++;
    if (id == t->map.unit_count || t->features.use[id] == USELESS_NOT)
        return;
    if (t->features.use[id] == USELESS_NO_PREY)
        tidy_prey(t, cell);
    else
        tidy_stranded(t, cell);
}

void tidy_map(const struct space *space, const struct tbs_rules *rules, struct rng *r, struct genome *g) {
    struct tidy t = {.space = space, .rules = rules, .r = r, .now = *g};
    int before = INT_MAX;
    look_at(&t);
    for (int round = 0; round < ROUNDS_MAX && t.defects > 0 && t.defects < before; round++) {
        before = t.defects;
        for (int cell = 0; cell < genome_cells(&t.now) && t.defects > 0; cell++)
            tidy_cell(&t, cell);
    }
    *g = t.now;
}
