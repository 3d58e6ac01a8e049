/* SPDX-License-Identifier: MIT
 *
 * What a request says is to be played, and by whom, made into scenarios and specs. Nothing that comes from a
 * page names a file: maps are ours or saved ones, by name, or come as text.
 */
#ifndef SERVE_GROUND_H
#define SERVE_GROUND_H

#include "serve/inside.h"

#include "game/game.h"
#include "match/record.h"

/* {"game": …, "map": …, "map_text": …, "rules": …}: the scenario, the caller's to unload. NULL after the
 * answer was written to `out` (a 400 or 404 that names the field). */
struct scenario *ground_load(struct workbench *bench, const json_t *body, struct message_out *out);

/* A position (docs/http-api.md, "Source"): scenario, record and replay, as the command line's --after has
 * them. */
struct ground_position {
    struct scenario *scenario;
    struct record record;
    struct replay replay; /* replay.state is the position */
    bool placed;          /* it was given as text */
};
bool ground_position_load(struct workbench *bench, const json_t *source, struct ground_position *out,
                          struct message_out *failure);
void ground_position_done(struct ground_position *position);

/* Is it a player's spec that a page may name? No programs unless they are allowed, no files, no more memory
 * or threads than this machine can give; nested specs are looked at, too. The canonical spec goes into `out`.
 */
bool ground_check_player(const struct workbench *bench, const char *spec, struct text *out, struct err *e);

/* A name of a file that is kept in the data folder: 1 … 64 of a-z A-Z 0-9 _ -. */
bool ground_is_name(const char *name);

/* Reads a map's text by its name ("duel", "mine/first"); 404 in `out` when there is none. */
bool ground_read_map(struct workbench *bench, const char *name, struct text *text, struct message_out *out);

/* A seed from JSON: a whole number, or digits in a string; `fallback` when it is not there. */
bool ground_seed(const json_t *body, const char *key, uint64_t fallback, uint64_t *seed,
                 struct message_out *out);

#endif
