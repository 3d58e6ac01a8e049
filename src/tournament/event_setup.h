/* SPDX-License-Identifier: MIT
 *
 * Sets an event up from options or a form: first the rules, then the entrants, then the maps or the game.
 */
#ifndef TOURNAMENT_EVENT_SETUP_H
#define TOURNAMENT_EVENT_SETUP_H

#include "tournament/event.h"

/* ---- maps ---- */

/* Adds a map; `name` is unique and stands in tables, the source's name in messages. */
bool event_add_map(struct event *event, const char *name, const struct game_source *source, struct err *e);

/* Adds the only entry of a game without maps. */
bool event_add_game(struct event *event, struct err *e);

/* Are there enough entrants for the rules? */
bool event_check_players(const struct event *event, struct err *e);

/* ---- entrants ---- */

/* A list like `uct:sims=60,dlmc:turns=50;sims=20,random`. Commas separate players, except commas within [ ]
 * or " " and those before a part that begins with KEY=, which continues the player before it. Within a
 * player's options ; means a comma. Names are the specs as written; a second one of the same name gets " (2)"
 * behind it.
 */
bool entrants_parse(const char *list, struct event *event, struct err *e);

/* A JSON list: [{"spec": "uct:sims=60", "name": "Taro's bot", "author": "Taro"}, …]; name and author are
 * optional. */
bool entrants_read(const char *name, const char *text, size_t size, struct event *event, struct err *e);

#endif
