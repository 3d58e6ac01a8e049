/* SPDX-License-Identifier: MIT
 *
 * The tactical game's rules as data (unit types, terrain, attack powers, the fight formula); a map before any
 * game is played on it, its two forms as text, the platform's .tbsmap and JSON, and random maps. Coordinates
 * are the file's: column x and row y from 0, a border of one no-entry cell around the playable ones.
 */
#ifndef GAME_TBS_MAP_H
#define GAME_TBS_MAP_H

#include "base/spec.h"
#include "base/numbers.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- rules ---- */

enum tbs_side { TBS_RED, TBS_BLUE, TBS_SIDES };

enum tbs_type { TBS_FIGHTER, TBS_ATTACKER, TBS_PANZER, TBS_CANNON, TBS_ANTIAIR, TBS_INFANTRY, TBS_TYPES };

enum tbs_terrain {
    TBS_NO_ENTRY,
    TBS_PLAIN,
    TBS_SEA,
    TBS_WOOD,
    TBS_MOUNTAIN,
    TBS_ROAD,
    TBS_FORTRESS,
    TBS_TERRAINS,
};

/* Units of one class pay the same for each terrain. */
enum tbs_class { TBS_AIR, TBS_VEHICLE, TBS_FOOT, TBS_CLASSES };

enum {
    TBS_IMPASSABLE = 99,
    TBS_HP_FULL = 10, /* the most in any map of the platform */
    TBS_HP_MAX = 99,  /* the most that a state can hold */
    TBS_STARS_MAX = 4,
    TBS_MOVE_MAX = 9,
    TBS_RANGE_LOW = 2, /* a cannon's range, in Manhattan distance */
    TBS_RANGE_HIGH = 3,
};

struct tbs_unit_type {
    const char *name;
    char mark;
    uint8_t move;
    bool direct; /* attacks its four neighbours; otherwise the cannon's range, without moving */
    uint8_t class;
};

struct tbs_terrain_type {
    const char *name;
    char mark;
    uint8_t stars;
    uint8_t cost[TBS_CLASSES];
};

struct tbs_rules {
    const char *name, *help;
    uint8_t power[TBS_TYPES][TBS_TYPES]; /* [attacker][defender] */
    bool equal_lead_wins;                /* at the turn limit a lead equal to the threshold wins too */
};

extern const struct tbs_unit_type tbs_unit_types[TBS_TYPES];
extern const struct tbs_terrain_type tbs_terrain_types[TBS_TERRAINS];
extern const struct tbs_rules tbs_rule_sets[]; /* ends with a NULL name; the first is the default */
extern const char *const tbs_side_names[TBS_SIDES];

/* TBS_TYPES when there is no unit of that name. */
int tbs_type_find(const char *name);

static inline bool tbs_is_air(int type) {
    return tbs_unit_types[type].class == TBS_AIR;
}

/* Defence stars of a unit of that type on that terrain: aircraft have none. */
int tbs_stars(int type, int terrain);

/* One side of a fight, before it. */
struct tbs_fighter {
    int type, hp, stars;
};

struct tbs_exchange {
    int damage, counter;
};

/* The damage of both sides in a fight: the formula of the rules, written plainly. */
struct tbs_exchange tbs_fight(const struct tbs_rules *rules, struct tbs_fighter attacker,
                              struct tbs_fighter defender);

/* The rule set of that name; NULL and a sentence that lists the known ones. */
const struct tbs_rules *tbs_read_rules(const char *name, struct err *e);

/* ---- maps ---- */

enum {
    TBS_CELLS_MAX = 32,               /* playable cells along one edge */
    TBS_EDGE_MAX = TBS_CELLS_MAX + 2, /* with the border */
    TBS_SIDE_UNITS_MAX = 64,
    TBS_UNITS_MAX = TBS_SIDES * TBS_SIDE_UNITS_MAX,
    TBS_TURN_LIMIT_MAX = 9999,
    TBS_THRESHOLD_MAX = 1000000,
    TBS_MAP_TEXT_MAX = 1 << 20, /* bytes of a map file */
    TBS_NOTE_MAX = 400,         /* bytes of AUTHOR and MAPCOM that are stored */
    TBS_UNREADABLE = -1,
};

struct tbs_map_unit {
    uint8_t x, y, type, side, hp;
    bool done; /* cannot act in its side's first turn */
    int line;  /* line in the file; 0 for a generated map, TBS_UNREADABLE for a unit that could not be read */
};

struct tbs_map {
    int width, height; /* with the border */
    int turn_limit, threshold;
    int declared[TBS_SIDES]; /* UNITNUMRED, UNITNUMBLUE; -1 when absent */
    int unit_count;
    struct tbs_map_unit units[TBS_UNITS_MAX];    /* the index is the unit's id */
    uint8_t terrain[TBS_EDGE_MAX][TBS_EDGE_MAX]; /* [x][y] */
    int row_line[TBS_EDGE_MAX];                  /* line of each row in the file; 0 for a generated map */
    char author[TBS_NOTE_MAX], comment[TBS_NOTE_MAX];
};

/* Problems of a map. The platform plays some faulty maps (a unit on terrain it cannot enter, for example):
 * only a fatal problem prevents a game. */
enum { TBS_PROBLEMS_MAX = 64 };

struct tbs_problem {
    int line; /* 0: the file as a whole */
    bool fatal;
    int unit, x, y; /* what it is about: a unit's id, a cell; -1: none */
    char text[200];
    struct msg msg;
};

struct tbs_problems {
    int count; /* of stored problems */
    int left_out;
    bool fatal;
    struct tbs_problem items[TBS_PROBLEMS_MAX + 1]; /* the last takes problems that are left out */
};

/* The caller may add to the returned problem what it is about. */
struct tbs_problem *tbs_problems_add(struct tbs_problems *p, bool fatal, int line, const char *code,
                                     const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Objects with line, fatal, text, code, args, and unit and cells where it is about them. The last says how
 * many were left out. */
struct json_t;
struct json_t *tbs_problems_json(const struct tbs_problems *problems);

/* True when none is fatal; otherwise the sentence for the problem that prevents a game. */
bool tbs_problems_explain(const struct tbs_problems *problems, const char *name, struct err *e);

/* Reads the text of a .tbsmap (in any of its encodings) and lists all problems in it, ordered by line. False
 * when one of them is fatal; then `out` holds what could be read. */
bool tbs_map_read(const char *text, size_t size, struct tbs_map *out, struct tbs_problems *problems);

/* The same for callers that need a playable map or one sentence. `name` is for that sentence. */
bool tbs_map_load(const char *name, const char *text, size_t size, struct tbs_map *out, struct err *e);

/* The checks that need no file: border, terrain, units. Part of tbs_map_read; also for generated maps. */
void tbs_map_check(const struct tbs_map *map, struct tbs_problems *problems);

/* Writes the platform's own layout, LF, UTF-8. tbs_map_read gives the same map back. */
void tbs_map_write(const struct tbs_map *map, struct text *out);

int tbs_map_side_units(const struct tbs_map *map, int side);

static inline bool tbs_map_is_playable(const struct tbs_map *map, int x, int y) {
    return x >= 1 && y >= 1 && x < map->width - 1 && y < map->height - 1;
}

/* ---- the file's segments, shared with the reader of game records ---- */

/* The text is split at ';' (line ends are dropped, as the platform does); `line` is the line of the segment's
 * first visible character. */
struct tbs_segments {
    const char *at, *end;
    int line_next;
    struct text segment;
    int line;
};

void tbs_segments_start(struct tbs_segments *s, const char *utf8, size_t size);
bool tbs_segments_next(struct tbs_segments *s);
void tbs_segments_done(struct tbs_segments *s);

/* Finds KEY[value] in a segment: returns the start of the value and its length, or NULL. */
const char *tbs_segment_value(const char *segment, const char *key, size_t *length);

/* ---- JSON, for programs that read or make maps ---- */

/* A map is one object:
 *
 *     {"format": "senjutsu-map", "width": 6, "height": 5, "turn_limit": 8, "threshold": 2,
 *      "author": "me", "comment": "",
 *      "terrain": ["000000", "011310", "010520", "061140", "000000"],
 *      "units": [{"x": 1, "y": 1, "type": "panzer", "side": "red", "hp": 10, "done": false}, …]}
 *
 * Sizes and coordinates are the map file's (with the border); terrain is a string a row, a digit a cell. A
 * unit's place in the list is its id. "author", "comment" and "done" may be absent in input.
 *
 * tbs_map_write_json appends the object and a line end. False when a note is no UTF-8. */
bool tbs_map_write_json(const struct tbs_map *map, struct text *out, struct err *e);

/* Like tbs_map_read: lists every problem; false when one of them is fatal. Only a syntax error has a line. */
bool tbs_map_read_json(const char *text, size_t size, struct tbs_map *out, struct tbs_problems *problems);

/* ---- random maps ---- */

/* They are always legal. Terrain is drawn cell by cell; units stand where they can enter, red in the left
 * half and blue in the right one as long as there is room. */

enum { TBS_WEIGHT_MAX = 10000, TBS_ALL_TYPES = (1 << TBS_TYPES) - 1 };

struct tbs_random_options {
    int width, height;        /* playable cells, 1 … TBS_CELLS_MAX */
    int units[TBS_SIDES];     /* 1 … TBS_SIDE_UNITS_MAX */
    int weight[TBS_TERRAINS]; /* relative frequency of each terrain, 0 … TBS_WEIGHT_MAX; TBS_NO_ENTRY makes
                                 walls */
    bool symmetric; /* blue is red turned by 180 degrees, terrain and units: the same types and HP */
    int turn_limit, threshold;
    int hp_low, hp_high; /* 1 … TBS_HP_FULL */
    unsigned types;      /* bit i: units of type i are allowed */
};

/* Over this struct: the size, the units of both sides, symmetry and limits. */
extern const struct param tbs_random_params[];

/* 6 x 6 cells, six units a side of any type with full HP, mostly plain. */
void tbs_random_defaults(struct tbs_random_options *out);

/* The same options and generator state give the same map, and tbs_map_check finds no problem in it. False
 * when an option is out of range or no such map exists: units without a possible cell. */
bool tbs_map_random(const struct tbs_random_options *options, struct rng *r, struct tbs_map *out,
                    struct err *e);

/* Options as a person types them. */

/* "plain=60,wood=20,wall=5": each 0 … TBS_WEIGHT_MAX; terrain that is not named gets 0. */
bool tbs_read_weights(const char *string, int weight[TBS_TERRAINS], struct err *e);

/* Names or letters separated by commas ("panzer,I"): bit i is set for type i. */
bool tbs_read_types(const char *string, unsigned *out, struct err *e);

#endif
