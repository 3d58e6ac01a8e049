/* SPDX-License-Identifier: MIT
 *
 * The flat searches once more, naively: Algorithms 1 and 2 one line after the other, no table, no shortcut.
 * They draw what the real ones draw, so that every visit and every sum must agree. And searches to be made.
 */
#ifndef TESTS_FLAT_SUPPORT_H
#define TESTS_FLAT_SUPPORT_H

#include "game_support.h"
#include "search/flat.h"

enum { NAIVE_ACTIONS_MAX = 64 };

/* Statistics of one position after a search. */
struct naive_arms {
    int count;
    action actions[NAIVE_ACTIONS_MAX];
    struct flat_arm arms[NAIVE_ACTIONS_MAX];
};

struct naive_flat {
    const struct game *game;
    const struct flat_settings *settings;
    struct rng rng;
    uint64_t leaves;
};

/* The actions of a view, in the order in which they are first tried. */
void naive_list(struct naive_flat *n, const union search_state *view, struct naive_arms *out);

/* Algorithm 1 on a view and its actions with `sims` simulations; `thinking`: with Algorithm 2 for a value. */
void naive_pimc(struct naive_flat *n, const union search_state *view, uint64_t sims, bool thinking,
                struct naive_arms *out);

/* What Algorithm 1 returns then. */
action naive_choice(struct naive_flat *n, const struct naive_arms *known);

/* The exact value of a state to `side` by brute force; counts the final states. */
double naive_minimax(const struct game *game, const union search_state *state, int side, uint64_t *ends);

/* The mean payoff to `side` when all moves are random: the mean over all ends, each as likely as its moves.
 */
double naive_random(const struct game *game, const union search_state *state, int side);

/* ---- positions and searches ---- */

/* The game's start after `plies` random moves. */
void start_game(const struct scenario *scenario, uint64_t seed, int plies, union search_state *out);

/* What the mover sees of it. */
void view_of(const struct game *game, const union search_state *state, union search_state *out);

struct flat_trial {
    const struct game *game;
    const union search_state *view;
    struct flat_settings settings; /* without a rollout: the game's first */
    uint64_t seed;
    struct budget budget;
    const struct watch *watch;
};

struct flat_found {
    struct search_result result;
    struct flat_report report;
    struct thoughts thoughts;
    struct rng after; /* the task's generator */
};

void flat_find(const struct flat_trial *trial, struct flat_found *out);

/* The candidate for that action; visits 0 when there is none. */
struct thought thought_about(const struct thoughts *thoughts, action a);

#endif
