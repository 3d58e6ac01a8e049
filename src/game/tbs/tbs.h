/* SPDX-License-Identifier: MIT
 *
 * The tactical game for code that depends on it: actions, positions, scenarios, M-UCT's model, boards for
 * people, groups of units, statistics. Everything here works on states of both tables (small and wide).
 */
#ifndef GAME_TBS_TBS_H
#define GAME_TBS_TBS_H

#include "game/game.h"
#include "game/tbs/map.h"

extern const struct game tbs_game;      /* loads any map; its states are the small ones */
extern const struct game tbs_wide_game; /* loads any map, always into wide states */

/* ---- actions ---- */

enum { TBS_NO_TARGET = -1 };

/* Ends the turn: the remaining units stay. */
#define TBS_PASS   UINT32_C(0xFFFFFFFF)
#define TBS_RESIGN UINT32_C(0xFFFFFFFE)

static inline action tbs_action(int unit, int x, int y, int target) {
    return (action)unit | (action)x << 8 | (action)y << 14 | (action)(target + 1) << 20;
}

static inline bool tbs_is_unit_action(action a) {
    return a < TBS_RESIGN;
}

static inline int tbs_action_unit(action a) {
    return (int)(a & 0xFF);
}

static inline int tbs_action_x(action a) {
    return (int)(a >> 8 & 0x3F);
}

static inline int tbs_action_y(action a) {
    return (int)(a >> 14 & 0x3F);
}

static inline int tbs_action_target(action a) {
    return (int)(a >> 20 & 0xFF) - 1;
}

/* Which attacks count: the platform's generator lists all, `actions` those with power, and M-UCT's tree those
 * that do damage. */
enum tbs_attacks { TBS_ATTACKS_ALL, TBS_ATTACKS_POWER, TBS_ATTACKS_DAMAGE };

/* ---- a position, spelt out ---- */

enum tbs_result {
    TBS_RUNNING,
    TBS_RED_ANNIHILATION,
    TBS_BLUE_ANNIHILATION,
    TBS_RED_LIMIT,
    TBS_BLUE_LIMIT,
    TBS_DRAW_LIMIT,
    TBS_RED_RESIGNATION, /* red wins because blue resigned */
    TBS_BLUE_RESIGNATION,
    TBS_RESULTS,
};

/* 0, 1, or NOBODY for a draw or a game that is not over. */
int tbs_winner(int result);
extern const char *const tbs_result_names[TBS_RESULTS];

struct tbs_unit {
    uint8_t x, y, type, side;
    uint8_t hp; /* 0: destroyed */
    bool done;  /* has acted in this turn */
};

struct tbs_position {
    int turn, side, result; /* side: whose turn it is, also when the game is over */
    int hp_sum[TBS_SIDES];
    int unit_count;
    struct tbs_unit units[TBS_UNITS_MAX];
};

void tbs_position_of(const void *state, struct tbs_position *out);

/* The units as the map places them. A game may start later: a side whose units are all done has no first
 * turn. */
void tbs_map_position(const struct tbs_map *map, struct tbs_position *out);

/* True for a unit of the side to move that has not acted. */
static inline bool tbs_can_act(const struct tbs_position *p, int id) {
    const struct tbs_unit *u = &p->units[id];
    return u->hp > 0 && u->side == p->side && !u->done;
}

/* ---- questions about a state ---- */

const struct tbs_map *tbs_map_of(const void *state);
const struct tbs_rules *tbs_rules_of(const void *state);
const struct tbs_map *tbs_scenario_map(const struct scenario *scenario);
const struct tbs_rules *tbs_scenario_rules(const struct scenario *scenario);

/* One unit's actions in generator order, whether or not it has acted and whichever side is to move (`actions`
 * lists only ready units of the mover). Returns their number; attacks come first, *attacks of them. */
int tbs_unit_actions(const void *state, int unit, enum tbs_attacks which, action *out, int *attacks);

enum { TBS_UNIT_ACTIONS_MAX = 512 };

/* The result of an attack. Zeros for a move. */
struct tbs_exchange tbs_preview(const void *state, action a);

/* ---- making scenarios ---- */

enum tbs_path { TBS_PATH_AUTO, TBS_PATH_SMALL, TBS_PATH_WIDE };

/* NULL when the map does not fit the requested path, or memory ran out. */
struct scenario *tbs_scenario_make(const struct tbs_map *map, const struct tbs_rules *rules,
                                   enum tbs_path path, struct err *e);

/* ---- the game as M-UCT sees it (muct.c) ---- */

/* The model of one of the two tables of the tactical game. It has only mover, actions, play, payoff, turn and
 * rollouts: what a tree search uses. */
const struct game *tbs_muct_model(const struct game *game);

/* The model's state for a search from `state` by its mover; `out` has GAME_STATE_MAX bytes. */
void tbs_muct_start(void *out, const void *state);

/* ---- boards as text (show.c) ---- */

/* Terrain is the background, a unit is its letter in the colour of its side and its HP; coordinates are along
 * the edges. Without colour the same board is readable as plain ASCII. */

enum tbs_mark { TBS_MARK_NONE, TBS_MARK_END, TBS_MARK_TARGET, TBS_MARK_FROM };

struct tbs_show {
    bool colour;                               /* ANSI escapes, 256 colours */
    bool ids;                                  /* print unit ids in the cells, beside letter and HP */
    bool legend;                               /* what letters and terrain marks mean, below the board */
    uint8_t marks[TBS_EDGE_MAX][TBS_EDGE_MAX]; /* enum tbs_mark by [x][y]: destinations, targets … */
};

/* A position on its map. */
void tbs_show_position(const struct tbs_map *map, const struct tbs_position *position,
                       const struct tbs_show *how, struct text *out);

/* A map at its start. */
void tbs_show_map(const struct tbs_map *map, const struct tbs_show *how, struct text *out);

/* ---- boards as pictures (draw.c) ---- */

/* One drawing, written as PNG, SVG or PDF. These functions exist only when the program was built with Cairo:
 * callers use `#ifdef SENJUTSU_CAIRO` (config.h) and otherwise report that this build draws no pictures. */

enum tbs_picture { TBS_PICTURE_PNG, TBS_PICTURE_SVG, TBS_PICTURE_PDF, TBS_PICTURES };

enum { TBS_DRAW_CELL_MIN = 8, TBS_DRAW_CELL_DEFAULT = 64, TBS_DRAW_CELL_MAX = 200 };

/* The format of the file name's ending (in any case); TBS_PICTURES for other endings. */
enum tbs_picture tbs_picture_of(const char *path);

/* Draws a complete position on its map; tbs_map_position gives a map's start. One cell is `cell_pixels` wide
 * (PNG), or as many units of 1/96 inch (SVG), or points (PDF), within TBS_DRAW_CELL_MIN..MAX. On false an
 * existing file is unchanged. */
bool tbs_draw(const struct tbs_map *map, const struct tbs_position *position, const char *path,
              enum tbs_picture format, int cell_pixels, struct err *e);

/* ---- groups of units, and contact (groups.c) ---- */

/* Groups cannot influence each other within a horizon (Sato, Fujiki and Ikeda, section 5.2 a). */

/* A set of cells: bit y of column x. */
struct tbs_cells {
    uint64_t columns[TBS_EDGE_MAX];
};

struct tbs_cell {
    uint8_t x, y; /* 0, 0: nowhere */
};

enum { TBS_NO_GROUP = -1, TBS_NO_UNIT = -1 };

struct tbs_groups {
    int count;
    int16_t of[TBS_UNITS_MAX]; /* by unit; TBS_NO_GROUP when destroyed */
    /* The place of the stand-in for a side's other units in a group's game. */
    struct tbs_cell stand_in[TBS_UNITS_MAX][TBS_SIDES];
    /* By unit: the cells that it may reach and the cells that it may attack within the horizon. */
    struct tbs_cells reach[TBS_UNITS_MAX], attack[TBS_UNITS_MAX];
};

/* Groups are numbered by their lowest unit. Two units are in one group when one could attack the other within
 * `horizon` turns (the current one is the first), or when both could reach the same cell. Units in the way
 * are ignored, so the separation is certain and groups may be larger than necessary. One group means that the
 * position cannot be split. */
void tbs_groups_find(const void *state, int horizon, struct tbs_groups *out);

/* One group's game: same map, turn and flags, but only the group's units. A side that has units elsewhere
 * gets one infantry in a closed cell that no unit can come near within the horizon: it represents them, with
 * their HP (as far as a unit can have them), so that losing the group does not lose the game. */
struct tbs_group_game {
    struct scenario *scenario;
    const void *whole;            /* the scenario of the position it was made for */
    int16_t id_of[TBS_UNITS_MAX]; /* from this game's units to the whole position's; TBS_NO_UNIT: stand-in */
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

/* Its states belong to the same table as the whole position's. If the mover has no unit left to act in this
 * group, it is already the other side's turn. `out` is zeroed, or has an earlier game: then its scenario
 * stays at its place, because states are compared with it, unless the whole position's is another one. False
 * when memory ran out. The caller unloads the scenario at the end. */
bool tbs_group_start(const void *state, const struct tbs_groups *groups, int group,
                     struct tbs_group_game *out, struct err *e);

/* Converts a unit's action in the group's game to an action of the whole position; false for other actions
 * and those of the stand-in. */
bool tbs_group_action(const struct tbs_group_game *game, action a, action *out);

/* The first of a unit's own turns, counted from 1, in which it can attack (with power) some enemy, if the
 * enemies stand still and only the target is in the way; 0 for never. */
int tbs_unit_contact(const struct tbs_map *map, const struct tbs_rules *rules, int unit);

/* ---- the start of a map in numbers (map_stats.c) ---- */

enum { TBS_ATTACK_KINDS = TBS_ATTACKS_DAMAGE + 1 };

/* A unit that cannot act in its side's first turn has cells in reach, but neither moves nor attacks. */
struct tbs_unit_stats {
    int reach;                     /* cells where it may end, its own included */
    int moves;                     /* as actions: the same, or 0 */
    int attacks[TBS_ATTACK_KINDS]; /* by enum tbs_attacks */
    int contact;                   /* as for its side, see below */
};

struct tbs_side_stats {
    int units, ready;
    int hp;
    int type_units[TBS_TYPES], type_hp[TBS_TYPES];
    int moves, attacks[TBS_ATTACK_KINDS]; /* sums over its units, as if it were to move at the start */
    int attackers;                        /* ready units that have an attack with power at once */

    /* The first of its own turns, counted from 1, in which some unit can attack (with power) some enemy, if
     * the enemies stand still and only the target is in the way; 0 for never. */
    int contact;
};

/* The first turn of the side to move. A combination is a sequence of actions in which every ready unit acts
 * once (fewer when one destroys the last enemy); the same actions in another order are another combination.
 */
struct tbs_turn_stats {
    int side; /* NOBODY: the game is over before it begins */
    int units;
    double actions_mean; /* n: actions per ready unit, attacks with power and moves */
    double estimate;     /* n^units * units!, the estimate of the papers on this game */
    bool is_counted;     /* false: it would have taken more than positions_max positions */
    bool is_exact; /* `combinations` is exact; otherwise it exceeds 64 bits, and only combinations_real is
                      valid */
    uint64_t combinations;
    double combinations_real;
    bool ends_are_counted;
    uint64_t ends; /* different positions at the end of the turn */
};

struct tbs_map_stats {
    struct tbs_unit_stats units[TBS_UNITS_MAX];
    struct tbs_side_stats sides[TBS_SIDES];
    struct tbs_turn_stats turn;
};

enum { TBS_STATS_POSITIONS_DEFAULT = 10000000 };

/* `positions_max` limits the work of each of the two counts of the first turn (visited positions, repeated
 * ones too), and with it memory: at most about 70 bytes a position, in practice a small part of that. 0 skips
 * the counts. False only when memory ran out. */
bool tbs_map_stats(const struct tbs_map *map, const struct tbs_rules *rules, uint64_t positions_max,
                   struct tbs_map_stats *out, struct err *e);

/* The part about the turn that begins or continues in a state. */
bool tbs_turn_stats(const struct game *game, const void *state, uint64_t positions_max,
                    struct tbs_turn_stats *out, struct err *e);

#endif
