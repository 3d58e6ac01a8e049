/* SPDX-License-Identifier: MIT
 *
 * Reads what a request asks to be played, and by which players. A request never names a file: maps are built
 * in or saved, and given by name, or they come as text.
 *
 * Functions that take a message_out return false (or NULL) after they have written the answer to it, or a
 * reason for a 400 into its `why`; both name the field.
 */
#ifndef SERVE_START_POSITION_H
#define SERVE_START_POSITION_H

#include "game/game.h"
#include "match/record.h"
#include "player/grant.h"
#include "serve/inside.h"

/* ---- members of a request; null counts as missing ---- */

/* Borrowed from the object; `fallback` (may be NULL) when it is not there. */
bool request_text(const json_t *object, const char *key, const char *fallback, const char **text,
                  struct message_out *out);

/* Reads the member of that row into the field, which keeps its value when the member is not there. */
bool request_read(const json_t *object, const struct param *row, void *field, struct message_out *out);

/* ---- scenarios and positions ---- */

/* The scenario of {"game": …, "map": …, "map_text": …, "rules": …}; the caller unloads it. The default game
 * is the tactical one, the default map "standard". Other members are ignored. */
struct scenario *start_position_scenario(struct workbench *bench, const json_t *body,
                                         struct message_out *out);

/* A position (docs/http-api.md, "Source"): scenario, record and replay, as the command line's --after has
 * them. To be filled in place: the replay points to the record. start_position_done also after a failure. */
struct start_position {
    struct scenario *scenario;
    struct record record;
    struct replay replay; /* replay.state is the position */
    bool placed;          /* given as text, without a history */
    bool partial;         /* something in it is unknown, so that nothing can be played in it */
};

/* Begins the replay of its record and scenario, at the position of that text (NULL: where the game begins).
 */
bool start_position_begin(struct start_position *out, const char *position, struct err *e);

bool start_position_load(struct workbench *bench, const json_t *source, struct start_position *out,
                         struct message_out *failure);
void start_position_done(struct start_position *position);

/* ---- players ---- */

/* May a page name this player? Programs only if allowed, no files, no more memory or threads than this
 * machine has; nested specs are checked, too. Writes the canonical spec into `out` (may be NULL). */
bool serve_check_player(const struct workbench *bench, const char *spec, struct text *out, struct err *e);

/* The same, and the player must play this game with these options. Checked before a game or job starts.
 * Starts no program. */
bool serve_try_player(const struct workbench *bench, const char *spec, const struct game *game,
                      struct text *out, struct err *e);

enum { SERVE_PLAYER_MB_MAX = 1024 }; /* of all the players that one spec names */

/* What players on this server may do beside thinking; they are opened with it. */
const struct grant *serve_grant(const struct workbench *bench);

/* ---- maps ---- */

/* Is this a valid name of a file in the data folder? 1 … 64 of a-z A-Z 0-9 _ -. */
bool serve_is_name(const char *name);

/* Names of saved maps begin with this; other names are those of built-in maps. */
#define SERVE_MINE "mine/"
bool serve_is_mine(const char *name);

/* Reads a map's text by its name ("duel", "mine/first"); 404 in `out` when there is none. */
bool serve_read_map(struct workbench *bench, const char *name, struct text *text, struct message_out *out);

/* The file of that name; false when it is no name of a map. It need not be there. */
bool serve_map_path(const struct workbench *bench, const char *name, char *out, size_t out_size);

#endif
