/* SPDX-License-Identifier: MIT
 *
 * A worker's open players. Only a few at a time: an event with many external players would otherwise have a
 * process of each on every worker.
 */
#ifndef TOURNAMENT_SEATS_H
#define TOURNAMENT_SEATS_H

#include "tournament/event.h"

struct grant;

enum { SEATS_OPEN_MAX = 8 };

struct seat {
    int player;
    const struct game *game; /* the table it was opened for */
    struct player *open;
    unsigned used_at;
};

struct seats {
    const struct event *event;
    const struct grant *grant; /* may be NULL: player/grant.h */
    struct seat seats[SEATS_OPEN_MAX];
    unsigned clock;
};

void seats_init(struct seats *seats, const struct event *event, const struct grant *grant);
void seats_done(struct seats *seats);

/* The player, opened if need be (then the one not used for longest makes room). The two of one game never
 * displace each other. NULL and a reason when it cannot be opened. */
struct player *seats_take(struct seats *seats, int player, const struct game *game, struct err *e);

#endif
