/* SPDX-License-Identifier: MIT
 *
 * What games share that have no map and no knowledge of their own: an evaluation and a prior that say
 * nothing, a playout by the rules, states as one line of "name=value" fields.
 */
#ifndef GAME_PLAIN_H
#define GAME_PLAIN_H

#include "game/game.h"

enum { PLAIN_FIELDS_MAX = 6, PLAIN_LINE_MAX = 2048 };

extern const struct eval plain_evals[];   /* "even": nobody is ahead */
extern const struct prior plain_priors[]; /* "none": all actions look alike */

/* A playout of random actions through the game's table, each one as likely as the others. */
long plain_rollout(const struct game *game, void *state, struct rng *r, int turns_max);

/* Reads the source's options and refuses a map. */
bool plain_options(const struct game *game, const struct game_source *source, void *options, struct err *e);

/* A game without options has a scenario of which there is nothing to say. Any scenario that is one piece of
 * memory is unloaded like that. */
struct scenario *plain_load(const struct game *game, const struct game_source *source, struct err *e);
void plain_unload(struct scenario *scenario);
void plain_write_nothing(const struct scenario *scenario, struct text *map, struct text *options);

/* The options that differ from their defaults, "key=value key=value". */
void plain_write_options(const struct game *game, const void *options, struct text *out);

/* ---- states as text ---- */

struct plain_fields {
    char storage[PLAIN_LINE_MAX];
    char *values[PLAIN_FIELDS_MAX];
};

/* Reads "a=… b=…": these fields in this order, all of them; `names` ends with NULL. Blanks and the end of the
 * line around them do not matter. */
bool plain_read_fields(const char *text, const char *const *names, struct plain_fields *out, struct err *e);

/* Plays moves that are parted by commas ("-": none) from a state. The game must have no chance. */
bool plain_play_moves(const struct game *game, void *state, char *moves, struct err *e);

#endif
