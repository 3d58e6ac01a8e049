/* SPDX-License-Identifier: MIT
 *
 * The server's end of the platform's protocol. A connected client is a player like any other, so that a bout
 * plays the game with its clocks and rulings; this adds what the protocol wants besides: the greeting, and
 * telling each client at once what the other side did. Whatever a client does wrong becomes a fault of that
 * player, when it is next asked.
 *
 *     tubstap_seat_open    a connection takes a seat and is asked for its name
 *     tubstap_begin        opponent, MAP and Color to each
 *     bout_play            with tubstap_watch as its watch: Genmove here, play there
 *     player_close         closes the connection, which is how a client learns that the game is over
 */
#ifndef NET_TUBSTAP_SERVER_H
#define NET_TUBSTAP_SERVER_H

#include "link/link.h"
#include "match/record.h"
#include "net/tubstap.h"
#include "player/player.h"

/* ---- seats ---- */

struct tubstap_manners {
    const struct clock *clock;
    const atomic_bool *stop; /* may be NULL */
    int64_t answer_ns;       /* how long an answer may take, but for Genmove, which has the game's clock */
};

/* Takes the link over (also when it fails) and asks for the name. NULL and a reason when there is no proper
 * answer: whoever cannot say its name gets no seat. */
struct player *tubstap_seat_open(struct link *link, const struct tubstap_manners *manners, struct err *e);

const char *tubstap_seat_name(const struct player *seat);

/* Is it still there, and silent as it should be? */
bool tubstap_seat_is_there(struct player *seat);

/* ---- a game ---- */

struct tubstap_table {
    struct player *seats[2]; /* by side; NULL: somebody of our own */
    const char *names[2];
};

void tubstap_begin(const struct tubstap_table *table, const struct scenario *scenario);

/* For struct bout, with the table as its context. */
void tubstap_watch(void *table, const void *state, const struct record *record);

#endif
