/* SPDX-License-Identifier: MIT
 *
 * The tactical game for code that depends on it: players, records, terminal and pictures. Everything here
 * works on states of both tables (small and wide).
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
bool tbs_scenario_is_wide(const struct scenario *scenario);

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

#endif
