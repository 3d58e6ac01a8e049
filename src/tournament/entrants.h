/* SPDX-License-Identifier: MIT
 *
 * Who takes part, from a list on the command line or from a file.
 */
#ifndef TOURNAMENT_ENTRANTS_H
#define TOURNAMENT_ENTRANTS_H

#include "tournament/event.h"

/* A list like `uct:sims=60,dlmc:turns=50;sims=20,random`. Commas separate players, but for those within [ ]
 * or " " and those before a part that begins with KEY=, which goes on with the player before it; within a
 * player's options ; stands for a comma. Names are the specs as written; a second one of the same name gets
 * " (2)" behind it. */
bool entrants_parse(const char *list, struct event *event, struct err *e);

/* A JSON list: [{"spec": "uct:sims=60", "name": "Taro's bot", "author": "Taro"}, …]; name and author may be
 * left out. */
bool entrants_read(const char *name, const char *text, size_t size, struct event *event, struct err *e);

#endif
