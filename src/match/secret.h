/* SPDX-License-Identifier: MIT
 *
 * What actions hide and reveal, computed from the game's views alone. An action is secret from a
 * side (the other's set-up, say) when another one would have looked the same to it, by the key and the text
 * of what it sees next. An action shows a side something (a taken piece's colour, say) when some worlds
 * of what it saw before cannot lead to what it sees then. The end of a game shows everything.
 */
#ifndef MATCH_SECRET_H
#define MATCH_SECRET_H

#include "match/record.h"

/* Lists the legal actions that look to `side` like `played`, itself among them, in the game's order; `out`
 * has room for actions_max. Returns how many: 1 when the action is no secret. */
int secret_alike(const struct game *game, const void *state, action played, int side, action *out);

/* Is it hidden from that side which action this is? */
bool secret_is(const struct game *game, const void *state, action played, int side);

/* Has one of the record's actions behind `back` shown something to one of these sides (bit 0: the first)?
 * Then moves must not be taken back to that point: the side would go on with the information. All worlds of a
 * view are compared, or SECRET_WORLDS_MAX drawn ones if there are more. The answer about a side follows from
 * its views alone, so the side may see it. */
enum { SECRET_WORLDS_MAX = 1024 };
bool secret_was_shown(const struct replay *back, unsigned sides);

#endif
