/* SPDX-License-Identifier: MIT
 *
 * One game on a map that is being judged, and what is remembered of it.
 */
#ifndef EVOLVE_TRIAL_H
#define EVOLVE_TRIAL_H

#include "game/tbs/tbs.h"
#include "player/player.h"

#include <stdatomic.h>

enum trial_kind {
    TRIAL_STRONG_RED, /* strong has red, weak has blue */
    TRIAL_STRONG_BLUE,
    TRIAL_PEERS, /* strong against itself: whom does the map favour? */
    TRIAL_KINDS,
};

enum { TRIAL_MASK_UNITS = 64 };

struct trial {
    enum trial_kind kind;
    double payoff; /* of red: 1, 0.5 or 0 */
    int actions, turns;
    bool annihilated;   /* one side lost everything; otherwise the turn limit ended it */
    int first_kills[2]; /* enemies that red, blue destroyed in its own first turn */
    uint64_t attacked;  /* bit i: unit i attacked at least once (ids below TRIAL_MASK_UNITS) */
    bool forfeited;     /* an external player broke a rule */
};

/* Who plays: opened players for both board tables, made when they are first needed. One thread's. */
struct trial_players;
struct trial_players *trial_players_open(const char *strong, const char *weak, struct err *e);
void trial_players_close(struct trial_players *players); /* NULL is allowed */

/* Plays one game; everything random follows from the seed. *stopped: there is no result. */
bool trial_play(struct trial_players *players, const struct scenario *scenario, enum trial_kind kind,
                uint64_t seed, const atomic_bool *stop, struct trial *out, bool *stopped, struct err *e);

#endif
