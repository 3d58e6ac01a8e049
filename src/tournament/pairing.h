/* SPDX-License-Identifier: MIT
 *
 * Who meets whom in a round. Pure functions of what was played so far.
 */
#ifndef TOURNAMENT_PAIRING_H
#define TOURNAMENT_PAIRING_H

#include "base/err.h"
#include "base/rng.h"
#include "tournament/event.h"

struct pairing {
    int players[2]; /* players[0] has side 0 in the first game */
};

/* What a Swiss pairing looks at. */
struct swiss_player {
    int player; /* index in the event */
    double points;
    int rank;         /* among all, 0 first: by points and tie-breaks, then by entry */
    int side_balance; /* games as side 0 less games as side 1 */
    bool had_bye;
};

struct swiss {
    int count;
    const struct swiss_player *players; /* in the order of their ranks */
    const unsigned char *met;           /* met[a * stride + b]: how often event players a and b have met */
    int stride;
};

/* Pairs all (but one, when their number is odd: that one is *bye, else -1). No rematch while one can be
 * avoided, the fewest possible otherwise; then players with equal points as far as possible; then sides
 * balanced. `out` has room for count / 2. The lowest-ranked who had no bye yet gets it (the fewest byes, when
 * all had one). */
bool swiss_pair(const struct swiss *swiss, struct pairing *out, int *bye, struct err *e);

/* The pairings of a knock-out's first round by seed: 1 meets the last, so that the best meet late; with a
 * number that is no power of two the best have byes. order[] has the event's players, best first; `slots`
 * gets for each place of the bracket the player or -1 (a bye). Returns the number of places: a power of two,
 * at most 2 * count. */
int knock_out_slots(const int *order, int count, int *slots);

#endif
