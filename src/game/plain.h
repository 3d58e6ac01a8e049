/* SPDX-License-Identifier: MIT
 *
 * Shared parts of games without maps and without knowledge: an evaluation and a prior that are constant, a
 * playout by the rules, states as one line of "name=value" fields.
 */
#ifndef GAME_PLAIN_H
#define GAME_PLAIN_H

#include "game/game.h"

enum { PLAIN_FIELDS_MAX = 6, PLAIN_LINE_MAX = 2048 };

extern const struct eval plain_evals[];   /* "even": always 0 */
extern const struct prior plain_priors[]; /* "none": all actions have the same score */

/* A playout of random actions through the game's table, all equally likely. */
long plain_rollout(const struct game *game, void *state, struct rng *r, int turns_max);

/* Reads the source's options; refuses a map. */
bool plain_options(const struct game *game, const struct game_source *source, void *options, struct err *e);

/* For games without options: a scenario without data. plain_unload works for any scenario that is one block
 * of memory. */
struct scenario *plain_load(const struct game *game, const struct game_source *source, struct err *e);
void plain_unload(struct scenario *scenario);
void plain_write_nothing(const struct scenario *scenario, struct text *map, struct text *options);

/* Writes the options that differ from their defaults, "key=value key=value". */
void plain_write_options(const struct game *game, const void *options, struct text *out);

/* ---- states as text ---- */

struct plain_fields {
    char storage[PLAIN_LINE_MAX];
    char *values[PLAIN_FIELDS_MAX];
};

/* Reads "a=… b=…": exactly these fields in this order; `names` ends with NULL. Blanks and line ends around
 * them are ignored. */
bool plain_read_fields(const char *text, const char *const *names, struct plain_fields *out, struct err *e);

/* Plays moves separated by commas ("-": none) from a state. The game must have no chance. */
bool plain_play_moves(const struct game *game, void *state, char *moves, struct err *e);

#endif
