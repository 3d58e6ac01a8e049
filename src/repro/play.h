/* SPDX-License-Identifier: MIT
 *
 * The parts of a repetition: a player's first turn on a map, played by a player that is opened anew for it,
 * or a whole game, which is one of a batch.
 */
#ifndef REPRO_PLAY_H
#define REPRO_PLAY_H

#include "game/tbs/tbs.h"
#include "player/player.h"
#include "repro/repro.h"

struct referee;

/* One decision of a game, and how long it took. */
struct play_decision {
    struct answer answer;
    double ms;
};

/* Asks the player to move, with the task's clock and stop; nothing is played yet. */
struct play_decision play_decide(const struct repro_task *task, struct referee *referee,
                                 struct player *player);

enum { PLAY_ACTIONS_MAX = TBS_SIDE_UNITS_MAX };

/* A turn as it was played from the map's start. */
struct play_turn {
    int side;
    int count;
    action actions[PLAY_ACTIONS_MAX];
    struct tbs_position before, after;
    uint64_t work; /* simulations, positions or actions scored: what the player counts */
};

/* The first turn of the cell's first player; its actions and time are noted in the repetition. False with a
 * reason when the player cannot be opened or plays against the rules. When the task is stopped the turn ends
 * early. */
bool play_first_turn(const struct repro_task *task, const struct scenario *scenario, struct play_turn *out,
                     struct repro_repetition *repetition, struct err *e);

/* How many units of a side are left, of one type or (TBS_TYPES) of any. */
int play_units_left(const struct tbs_position *position, int side, int type);

/* Values of a repetition that is a game; points are those of the side that begins, hit points are the
 * tactical game's. */
enum { GAME_RED_POINTS, GAME_TURNS, GAME_ACTIONS, GAME_RED_HP, GAME_BLUE_HP, GAME_VALUES };
extern const char *const play_game_names[]; /* for value_names */

/* Over the games of a cell: points of a side, and how many were drawn. */
struct play_score {
    int n, wins, draws;
    double points; /* a draw is half a point */
};

struct play_score play_score(const struct repro_data *data, int cell, int side);

#endif
