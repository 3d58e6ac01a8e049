/* SPDX-License-Identifier: MIT
 *
 * One game on a map that is being judged, and what is remembered of it.
 */
#ifndef EVOLVE_TRIAL_H
#define EVOLVE_TRIAL_H

#include "base/clock.h"
#include "game/tbs/tbs.h"
#include "player/player.h"

#include <stdatomic.h>

enum trial_kind {
    TRIAL_STRONG_RED, /* strong has red, weak has blue */
    TRIAL_STRONG_BLUE,
    TRIAL_PEERS, /* strong against itself: whom does the map favour? */
    TRIAL_KINDS,
};

enum { TRIAL_MASK_UNITS = 64, TRIAL_RESULT_MAX = 24 };

struct trial {
    enum trial_kind kind;
    double payoff; /* of red: 1, 0.5 or 0 */
    int actions, turns;
    bool annihilated;        /* one side lost everything; otherwise the turn limit ended it, or a fault */
    int first_kills[2];      /* enemies that red, blue destroyed in the first turn in which it could act */
    uint64_t attacked;       /* bit i: unit i attacked at least once (ids below TRIAL_MASK_UNITS) */
    enum player_fault fault; /* of an external player, which lost by it */
    int64_t think_ns[2];     /* by side; 0 without a clock */
    char result[TRIAL_RESULT_MAX]; /* as a record says it: "red annihilation", "blue illegal" */
};

/* Who plays: opened players for both board tables, made when they are first needed. One thread's. NULL and a
 * sentence when a spec is wrong. The grant (player/grant.h; may be NULL) must stay. */
struct trial_players;
struct grant;
struct trial_players *trial_players_open(const char *strong, const char *weak, const struct grant *grant,
                                         struct err *e);
void trial_players_close(struct trial_players *players); /* NULL is allowed */

struct trial_game {
    const struct scenario *scenario;
    enum trial_kind kind;
    uint64_t seed;             /* everything random follows from it */
    const struct clock *clock; /* for players that are limited by time; may be NULL when none is */
    const atomic_bool *stop;   /* may be NULL */
};

/* Plays one game. *stopped: there is no result. */
bool trial_play(struct trial_players *players, const struct trial_game *game, struct trial *out,
                bool *stopped, struct err *e);

#endif
