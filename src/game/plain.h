/* SPDX-License-Identifier: MIT
 *
 * Shared parts of games without maps and without knowledge: an evaluation and a prior that are constant, a
 * playout by the rules, states as one line of "name=value" fields. And the games that are made of them.
 */
#ifndef GAME_PLAIN_H
#define GAME_PLAIN_H

#include "game/game.h"

/* The games without a header of their own. */
extern const struct game fusion_game, kuhn_game, race_game, tictactoe_game;

enum { PLAIN_FIELDS_MAX = 6, PLAIN_LINE_MAX = 2048, PLAIN_ACTIONS_MAX = 1024 };

extern const struct eval plain_evals[];   /* "even": always 0 */
extern const struct prior plain_priors[]; /* "none": all actions have the same score */

/* ---- slots of tables ---- */

/* The slots that these games fill alike, with functions and tables of the same names in their files. A game
 * with turns of several actions, or with priors, takes PLAIN_RULES and sets the other three itself. */
#define PLAIN_RULES                                                                                          \
    .start = start, .mover = mover, .actions = actions, .is_legal = is_legal, .payoff = payoff,              \
    .turn = turn, .key = key, .valid = valid, .rollouts = rollouts, .lists = lists, .text = &notation
#define PLAIN_SLOTS PLAIN_RULES, .progress = plain_progress, .key_from_scratch = key, .priors = plain_priors

#define PLAIN_NOTATION                                                                                       \
    .write_state = write_state, .read_state = read_state, .write_action = write_action,                      \
    .read_action = read_action, .result = result

/* The same for games whose actions have fixed names. */
#define PLAIN_NAMED_NOTATION                                                                                 \
    .write_state = write_state, .read_state = read_state, .write_action = plain_write_action,                \
    .read_action = plain_read_action, .result = result, .action_names = action_names

/* What games with hidden information add; those whose worlds are few draw one by its number. */
#define PLAIN_VIEWS .hide = hide, .worlds = worlds, .world = world

/* The states of these games begin with a pointer to their scenario. */
static inline const struct game *plain_game(const void *state) {
    return (*(const struct scenario *const *)state)->game;
}

/* A playout of random actions, all equally likely, in games with at most PLAIN_ACTIONS_MAX actions. */
long plain_rollout(void *state, struct rng *r, int turns_max);

/* For turns of one action. */
struct turn_progress plain_progress(const void *state);

/* One of the worlds at random. */
void plain_determinize(void *view, struct rng *r);

/* Of games with chance: draws an outcome and plays it. */
void plain_play(void *state, action a, struct rng *r);

/* ---- states as text ---- */

struct plain_fields {
    char storage[PLAIN_LINE_MAX];
    char *values[PLAIN_FIELDS_MAX];
};

/* Reads "a=… b=…": exactly these fields in this order; `names` ends with NULL. Blanks and line ends around
 * them are ignored. */
bool plain_read_fields(const char *text, const char *const *names, struct plain_fields *out, struct err *e);

/* Plays at most 64 moves separated by commas ("-": none) from a state. The game must have no chance. */
bool plain_play_moves(void *state, char *moves, struct err *e);

/* Reads and writes an action by its name in the notation's action_names; reading accepts legal ones. */
bool plain_read_action(const void *state, const char *text, action *out, struct err *e);
void plain_write_action(const void *state, action a, struct text *out);

/* A sentence about an action that is written well, but is not legal here because the game is over. */
bool plain_is_over(const void *state, const char *text, struct err *e);

#endif
