/* SPDX-License-Identifier: MIT
 *
 * A space defines which maps may be made: their size, their units, their terrain. A genome is a map as the
 * operators see it. Everything that makes or changes a map (operators.c) stays inside a space.
 */
#ifndef EVOLVE_GENOME_H
#define EVOLVE_GENOME_H

#include "game/tbs/map.h"

enum symmetry {
    SYMMETRY_NONE,
    SYMMETRY_TURN,   /* blue is red turned by 180 degrees */
    SYMMETRY_MIRROR, /* blue is red seen in a mirror between left and right */
    SYMMETRY_FLIP,   /* the same between top and bottom */
    SYMMETRIES,
};

enum placement {
    PLACEMENT_ANYWHERE,
    PLACEMENT_HALVES, /* red in the left half, blue in the right one (with SYMMETRY_FLIP: above and below), as
                         long as those have room; only for maps that are drawn anew: operators may move units
                         anywhere */
    PLACEMENTS,
};

struct space {
    int width, height;                              /* playable cells, 1 … TBS_CELLS_MAX */
    int units_min[TBS_SIDES], units_max[TBS_SIDES]; /* 1 … TBS_SIDE_UNITS_MAX; the most must fit */
    int hp_low, hp_high;                            /* 1 … TBS_HP_FULL */
    unsigned types;                                 /* bit i: units of type i may come */
    int weight[TBS_TERRAINS]; /* how often each terrain comes in a random cell; 0: never, nowhere */
    enum symmetry symmetry;   /* with one, both sides have the same limits */
    enum placement placement;
    double patches; /* 0: each cell of a new map is drawn independently; up to 1: terrain comes in patches
                       whose mean size grows to about a row of the map, roads in lines (operators.c) */
    int turn_limit, threshold;
};

/* False when no map of the space exists; the sentence names the field that is out of range, or what has
 * nowhere to stand. */
bool space_check(const struct space *space, struct err *e);

/* Whether a unit of that type can stand on that terrain. */
bool space_can_stand(int type, int terrain);

static inline int space_cells(const struct space *space) {
    return space->width * space->height;
}

/* Cells are counted row by row. The one that is the same for the other side; without symmetry the cell
 * itself. */
static inline int space_opposite(const struct space *space, int cell) {
    switch (space->symmetry) {
    case SYMMETRY_TURN: return space_cells(space) - 1 - cell;
    case SYMMETRY_MIRROR: return cell + space->width - 1 - 2 * (cell % space->width);
    case SYMMETRY_FLIP: return cell + space->width * (space->height - 1 - 2 * (cell / space->width));
    case SYMMETRY_NONE:
    case SYMMETRIES: break;
    }
    return cell;
}

/* The i-th of the four cells beside one (left, right, above, below); -1 where the map ends there. */
int space_beside(const struct space *space, int cell, int i);

/* In steps along rows and columns. */
int space_distance(const struct space *space, int a, int b);

/* Whether a unit may stand there: in a symmetric map not on a cell that is its own opposite. */
static inline bool space_may_hold(const struct space *space, int cell) {
    return space->symmetry == SYMMETRY_NONE || space_opposite(space, cell) != cell;
}

/* ---- genomes: cells, each with its terrain and the unit on it ----
 *
 * Terrain and unit of a cell travel together, so a unit never comes to stand on terrain it cannot enter. */

enum { GENOME_CELLS_MAX = TBS_CELLS_MAX * TBS_CELLS_MAX, GENOME_EMPTY = TBS_TYPES };

struct cell {
    uint8_t terrain;
    uint8_t type; /* GENOME_EMPTY: the cell is empty; then side and hp are 0 */
    uint8_t side, hp;
};

struct genome {
    int width, height;
    struct cell cells[GENOME_CELLS_MAX]; /* row by row; those behind width * height are all zero */
};

static inline int genome_cells(const struct genome *g) {
    return g->width * g->height;
}

int genome_units(const struct genome *g, int side);

/* Sets a cell, and in a symmetric space its opposite. */
void genome_put(const struct space *space, struct genome *g, int index, struct cell value);

/* A new map of the space (which must have been checked): number of units uniform between the limits, types
 * and HP uniform, terrain by weight (in patches if the space has them), places uniform among those where
 * the unit can stand. When all those are taken, the terrain of a free cell is drawn again for the unit.
 * Never fails. */
void genome_random(const struct space *space, struct rng *r, struct genome *out);

/* Units get their ids red first, then blue, each side by rows; the limits of the game come from the space. */
void genome_to_map(const struct space *space, const struct genome *g, struct tbs_map *out);

/* False, with the reason, when the map does not lie in the space. A unit that has acted already is taken as
 * fresh. */
bool genome_from_map(const struct space *space, const struct tbs_map *map, struct genome *out, struct err *e);

/* Whether the genome lies in the space: size, limits, types, HP, terrain, symmetry, every unit on terrain
 * it can enter. `why` (may be NULL) gets the first violation. */
bool genome_is_legal(const struct space *space, const struct genome *g, struct err *why);

uint64_t genome_hash(const struct genome *g);

/* The difference of two maps of one size, 0 … 1: the mean over the cells of a half for other terrain plus a
 * half for another unit (type or side, or none), or a quarter when only its HP differs. */
double genome_difference(const struct genome *a, const struct genome *b);

/* ---- operators that make new maps of old ones; their results always lie in the space ----
 *
 * The published algorithm does not define what happens to a child with too few or too many units. Here
 * surplus units are removed at random. A side with too few units gets cells (terrain and unit) of its
 * parents' units of that side back, at random, and new random units only when there are none. */

/* In a symmetric space a cell and its opposite come from the same parent: rectangles and regions come with
 * their image. */
enum crossover {
    CROSSOVER_UNIFORM, /* every cell from either parent, with probability 1/2 */
    CROSSOVER_BLOCK,   /* one rectangle from the other parent, its edges uniform; not the whole map */
    CROSSOVER_REGION,  /* a connected region, grown at random to between a quarter and half of the map */
    CROSSOVERS,
};

/* Two children: the second has the cells that the first does not have, except for legalizing. They must not
 * be the parents. */
void operators_cross(const struct space *space, enum crossover how, const struct genome *const parents[2],
                     struct rng *r, struct genome children[2]);

enum mutation {
    MUTATION_TERRAIN, /* a cell becomes what one of its neighbours is, or any terrain (half and half) */
    MUTATION_TYPE,    /* to one that can stand there */
    MUTATION_HP,      /* one to three more or less, never none */
    MUTATION_PLACE,   /* a unit goes to another cell; nearer ones are likelier */
    MUTATION_ADD,     /* to a free cell where it can stand; terrain stays */
    MUTATION_REMOVE,
    MUTATIONS,
};

enum { MUTATION_ALL = (1 << MUTATIONS) - 1 };

extern const char *const mutation_names[MUTATIONS]; /* "terrain", "type", … */

/* One change of one of the kinds in the set (bit 1 << kind), drawn uniformly among those kinds that are
 * possible here; in a symmetric space made to a cell and its opposite. The genome must lie in the space, and
 * is another one afterwards. Returns the kind, or MUTATIONS when none is possible: nothing was changed. */
enum mutation operators_mutate(const struct space *space, unsigned kinds, struct rng *r, struct genome *g);

/* ---- static features (static_features.c) ----
 *
 * Features of a map that need no games: whether it looks as if a person had made it, and whether every unit
 * has something to do. docs/map-generation.md explains every number. "Beside" a cell are its four
 * neighbours, "around" it all eight. */

enum useless {
    USELESS_NOT,
    USELESS_NO_PREY,  /* can attack no enemy type on the map */
    USELESS_STRANDED, /* never attacks while the enemies stand still, and they cannot attack it either */
    USELESS_STUCK,    /* cannot leave its cell even on an empty map */
};

/* What naturalness is made of, each from 0 to 1: shares of roads that lead somewhere, coherence, shares of
 * units with prey and of units that are not stranded, shares of rough cells with a like one beside them and
 * of those that do not look strewn. A share of nothing is 1. */
enum natural_part {
    NATURAL_ROADS,
    NATURAL_COHERENCE,
    NATURAL_PREY,
    NATURAL_REACH,
    NATURAL_GATHERED,
    NATURAL_CALM,
    NATURAL_PARTS,
};

extern const char *const natural_part_names[NATURAL_PARTS]; /* "roads", "coherence", … */

struct static_features {
    /* Road cells; those with neither road nor fortress beside them; those that lead nowhere: one road beside
     * them, inside the map, no fortress. A road with sea on two opposite sides and none on the other two is
     * a bridge, and neither. */
    int roads, isolated_roads, road_ends;
    /* Cells of wood, mountain and sea; those with a like one beside them; those that look strewn: no like one
     * around, and less than half of the wood, mountain, sea and plain around them is plain. */
    int rough, gathered, strewn;
    double coherence;             /* 0 … 1: woods, mountains and sea in patches or among plains */
    int no_prey[TBS_SIDES];       /* units by enum useless */
    int stranded[TBS_SIDES];      /* stuck ones as well */
    int first_attacks[TBS_SIDES]; /* attacks with power in a first turn, if that side began */
    int attackers[TBS_SIDES];     /* units that have one */
    double parts[NATURAL_PARTS];
    double natural;             /* 0 … 1: all of it in one number, by our own weights */
    uint8_t use[TBS_UNITS_MAX]; /* enum useless, by the unit's id on the map */
};

void static_features_of(const struct tbs_map *map, const struct tbs_rules *rules,
                        struct static_features *out);

/* Other weights of the parts, for example fitted to ratings by people: base + the sum of weight * part, cut
 * to 0 … 1. */
struct naturalness {
    bool is_ours; /* static_features.natural */
    double base, weights[NATURAL_PARTS];
};

/* "ours", or "base=0.1,roads=0.3,…" with any of the parts; those that are missing weigh nothing. */
bool naturalness_read(const char *text, struct naturalness *out, struct err *e);
void naturalness_write(const struct naturalness *naturalness, struct text *out);
double naturalness_of(const struct naturalness *naturalness, const struct static_features *features);

/* The same questions about one cell (playable, with the border counted). */
bool static_features_is_isolated_road(const struct tbs_map *map, int x, int y);
bool static_features_is_road_end(const struct tbs_map *map, int x, int y);

/* Removes what a person would never have drawn, without leaving the space: isolated roads and strewn cells
 * take the terrain around them or spread to a neighbour, units without prey get another type, stranded
 * units another place. It makes as few changes as possible and leaves what it cannot remove in a few
 * rounds. A tidy map stays as it is. */
void tidy_map(const struct space *space, const struct tbs_rules *rules, struct rng *r, struct genome *g);

/* The number of defects: isolated roads, strewn cells, units without prey, stranded ones. A tidy map has
 * none. */
int static_features_defects(const struct static_features *features);

#endif
