/* SPDX-License-Identifier: MIT
 *
 * Clocks of a game. All times are real; a limit of 0 is no limit. A turn is all that a side does in a row, a
 * move is one decision in it.
 */
#ifndef MATCH_TIMING_H
#define MATCH_TIMING_H

#include "base/spec.h"
#include "game/game.h"
#include "player/player.h"

#include <stdint.h>

struct timing {
    double turn_s;      /* for each turn */
    double move_s;      /* for each decision */
    double game_s;      /* for the whole game */
    double increment_s; /* added to the game's time after each turn */
    double byoyomi_s;   /* for each turn once the game's time is used up */
    double grace_s;     /* what is forgiven beyond each limit: the way there and back */
    double patience_s;  /* how long after that an answer is waited for before a player is killed */

    /* Of the Geister server's clocks; not among the params. */
    double unit_s;       /* time is charged in whole units of this; 0: to the nanosecond */
    bool is_grace_fresh; /* each decision has the full grace: a used-up game's time stays at 0 */
};

extern const struct param
    timing_params[]; /* turn=10,move=1,game=600,increment=5,byoyomi=10,grace=0.1,patience=2 */

/* "10 s a turn", "600 s a game, then 10 s a turn", "no limit". */
void timing_describe(const struct timing *timing, struct text *out);

bool timing_is_limited(const struct timing *timing);

/* No limits, and the params' defaults. */
void timing_default(struct timing *out);

/* Reads "turn=10,grace=0.1": the timing_params without a name in front. */
bool timing_read(const char *string, struct timing *out, struct err *e);

/* Both sides' clocks in one game. */
struct timing_clocks {
    int64_t game_left_ns[2]; /* without byoyomi it may go below 0: by no more than the grace */
    int64_t turn_used_ns[2], byoyomi_used_ns[2]; /* in the turn that goes on */
};

void timing_start(struct timing_clocks *clocks, const struct timing *timing);

/* What the mover of this state may use for its next decision. `left` is how many decisions its turn has yet,
 * this one included. */
struct ask_time timing_allow(const struct timing_clocks *clocks, const struct timing *timing, int side,
                             int left);

/* Books what a decision took; `turn_over`: it was the turn's last. */
void timing_spend(struct timing_clocks *clocks, const struct timing *timing, int side, int64_t spent_ns,
                  bool turn_over);

#endif
