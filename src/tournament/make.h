/* SPDX-License-Identifier: MIT
 *
 * Putting an event together from what somebody asks for, whether by options or by a form: the rules as they
 * are wished, then entrants (entrants.h), then what is played.
 */
#ifndef TOURNAMENT_MAKE_H
#define TOURNAMENT_MAKE_H

#include "tournament/event.h"

/* What is to be different from the rules that are there; NULL, 0 or false: nothing. */
struct rules_wish {
    const char *format, *points, *title, *game, *rules, *clock;
    int games, rounds, challengers, final, maps_per_pairing, disqualify_after;
    bool not_own_maps;
};

/* On false *field names the wish that is wrong; the sentence begins with it ("format nosuch: expected …") but
 * for that of `rules`. Whether the wishes agree with each other is for rules_check. */
bool rules_change(struct rules *rules, const struct rules_wish *wish, const char **field, struct err *e);

/* One more map, under a name of its own in tables; the source's name is for messages. */
bool event_add_map(struct event *event, const char *name, const struct game_source *source, struct err *e);

/* What is played where the rules' game knows no maps: it takes the place of the only one. */
bool event_add_game(struct event *event, struct err *e);

/* Are there enough entrants for the rules? */
bool event_check_players(const struct event *event, struct err *e);

#endif
