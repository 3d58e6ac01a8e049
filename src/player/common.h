/* SPDX-License-Identifier: MIT
 *
 * What the searching players share: budgets for a turn, their own seed, threads. An ask that brings its own
 * budget (`go sims 200`) limits this one decision and overrides the player's; otherwise the player's options
 * say what a whole turn may cost, and each decision gets an equal share.
 */
#ifndef PLAYER_COMMON_H
#define PLAYER_COMMON_H

#include "player/player.h"
#include "search/search.h"

struct common_options {
    int time_ms; /* for a whole turn; 0: no limit */
    int seed;    /* 0: as the game says */
    int threads;
};

#define COMMON_TIME(options)                                                                                 \
    {                                                                                                        \
        "time", PARAM_INT, offsetof(options, common.time_ms), 0, 86400000, 0,                                \
            .help = "milliseconds a turn, in place of counted work; 0: no limit"                             \
    }

#define COMMON_SEED(options)                                                                                 \
    {                                                                                                        \
        "seed", PARAM_INT, offsetof(options, common.seed), 0, 2147483647, 0,                                 \
            .help = "own random seed: the same position is answered the same in every game; 0: the game's"   \
    }

#define COMMON_THREADS(options, text)                                                                        \
    { "threads", PARAM_INT, offsetof(options, common.threads), 1, 64, 1, .help = text }

/* True when nothing is hidden in that game; otherwise false, and a sentence about the player of that name. */
bool common_needs_open_game(const char *player, const struct game *game, struct err *e);

/* The game's playout of that name ("": its first); NULL and a sentence when it has none such. */
const struct rollout *common_rollout(const char *player, const struct game *game, const char *policy,
                                     struct err *e);

/* One decision's task: budget shared out, generator chosen. `rng` is the storage for an own seed. `work` is
 * the whole turn's work (0: no limit); with a time limit it is ignored, because the time is what was asked
 * for. */
struct search_task common_task(const struct ask *ask, const struct common_options *common, uint64_t work,
                               struct rng *rng);

/* How many decisions the mover's whole turn has: those taken and those to come. At least 1. */
int common_turn_decisions(const struct ask *ask);

/* Copies a search's result into the player's answer. */
void common_answer(const struct search_result *result, struct answer *out);

#endif
