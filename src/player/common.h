/* SPDX-License-Identifier: MIT
 *
 * What players share: budgets for a turn, their own seed, threads; the rest of a turn that was searched as a
 * whole; and the choice of reds in Geister.
 */
#ifndef PLAYER_COMMON_H
#define PLAYER_COMMON_H

#include "geister/setup.h"
#include "player/player.h"

/* ---- budgets ---- */

/* An ask with its own budget (`go sims 200`) limits this one decision and overrides the player's options.
 * Otherwise the options limit a whole turn, and each decision gets an equal share. */

/* The first member of the options of a player that has one of the rows below. */
struct common_options {
    int time_ms; /* milliseconds for a whole turn; 0: no limit */
    int seed;    /* 0: the game's */
    int threads;
};

#define COMMON_TIME                                                                                          \
    {                                                                                                        \
        "time", PARAM_INT, offsetof(struct common_options, time_ms), 0, 86400000, 0,                         \
            .help = "milliseconds a turn, in place of counted work; 0: no limit"                             \
    }
#define COMMON_SEED                                                                                          \
    {                                                                                                        \
        "seed", PARAM_INT, offsetof(struct common_options, seed), 0, 2147483647, 0,                          \
            .help = "own random seed: the same position is answered the same in every game; 0: the game's"   \
    }
#define COMMON_THREADS(text)                                                                                 \
    { "threads", PARAM_INT, offsetof(struct common_options, threads), 1, 64, 1, .help = text }

/* The game's playout of that name ("": the one that the game names for this player, or its first); NULL and a
 * sentence when it has none of that name. */
const struct rollout *common_rollout(const char *player, const struct game *game, const char *policy,
                                     struct err *e);

/* The task of one decision: its share of the budget, its generator. `rng` is the storage for the player's own
 * seed. `work` is the whole turn's work (0: no limit); with a time limit it is ignored. */
struct search_task common_task(const struct ask *ask, const struct common_options *common, uint64_t work,
                               struct rng *rng);

/* Subtracts the time since `start_ns` from a time limit of the budget. */
void common_take_time(struct budget *budget, int64_t start_ns);

/* Number of decisions in the mover's whole turn, those taken included. At least 1. */
int common_turn_decisions(const struct ask *ask);

/* Copies a search's result into the player's answer. */
void common_answer(const struct search_result *result, struct answer *out);

/* ---- plans: the rest of a turn ---- */

/* A player that searches whole turns is still asked once per action. At the first decision of a turn it
 * decides all of them and stores the others for the following asks.
 *
 * This is the one exception from "players keep no secret state": a player that saw the beginning of a turn
 * plays it to its end, while one that is first asked in the middle of it searches the rest again. To rule out
 * any other difference, a plan applies only when the whole state equals the expected one and as many
 * decisions were taken as the plan foresaw. It never answers for the position it was made in, and a new plan
 * replaces it. */

struct plan {
    const struct game *game;
    struct turn_line line;
    double value;
    int taken;             /* as in the ask it was made for */
    int expected;          /* states 1 … expected-1 of the turn are stored */
    unsigned char *states; /* before each action of the line */
};

void plan_init(struct plan *plan, const struct game *game);
void plan_done(struct plan *plan);

/* Stores the line found for this ask. */
void plan_make(struct plan *plan, const struct ask *ask, const struct turn_line *line, double value);

/* Answers from the plan (without work); false when it does not apply here. */
bool plan_answer(const struct plan *plan, const struct ask *ask, struct answer *out);

/* The task of one decision that decides all remaining decisions of the turn: it gets all of their shares. */
struct search_task plan_task(const struct ask *ask, const struct common_options *common, uint64_t work,
                             struct rng *rng);

/* ---- players made for Geister ---- */

/* These players choose their reds by a strategy that is an option of each. */

/* The option's field is `char setup[PARAM_TEXT_MAX]`. */
#define GEISTER_SETUP(options, fallback)                                                                     \
    {                                                                                                        \
        "setup", PARAM_TEXT, offsetof(options, setup), .choices = fallback, .help = SETUP_HELP,              \
                                                       .power = PARAM_WORD                                   \
    }

/* False and a sentence that names the player when the strategy is malformed. */
bool geister_player_setup(const struct player *player, const char *setup, struct setup_strategy *out,
                          struct err *e);

/* Answers when the ask is about the player's reds; false: it is about a move. */
bool geister_player_sets(const struct setup_strategy *strategy, const struct ask *ask, struct answer *out);

/* The action of a move as the side sees it. Some searches use only the sideways exit moves; where the rules
 * do not allow those, the forward move is returned. */
action geister_player_move(const struct ask *ask, action own);

#endif
