/* SPDX-License-Identifier: MIT
 *
 * The pairings of a round, as pure functions of the results so far.
 */
#ifndef TOURNAMENT_PAIRING_H
#define TOURNAMENT_PAIRING_H

#include "base/err.h"
#include "tournament/event.h"

struct pairing {
    int players[2]; /* players[0] has side 0 in the first game */
};

/* A player's data for a Swiss pairing. */
struct swiss_player {
    int player; /* index in the event */
    double points;
    int rank;         /* among all, 0 first: by points and tie-breaks, then by entry */
    int side_balance; /* games as side 0 less games as side 1 */
    int byes;         /* so far */
};

struct swiss {
    int count;                          /* at most EVENT_PLAYERS_MAX */
    const struct swiss_player *players; /* in the order of their ranks */
    const unsigned char *met;           /* met[a * stride + b]: how often event players a and b have met */
    int stride;
};

/* The side balance that pairings try not to exceed. */
enum { SWISS_BALANCE_MAX = 2 };

/* Pairs all players. With an odd number one is left out: *bye, otherwise -1. `out` has room for count / 2 and
 * is filled from the best-ranked player on. Of all pairings it is the one with
 *   1. the fewest rematches (none, while they can be avoided), and those between players that met least
 * often;
 *   2. the bye for a player with the fewest byes, and of these the lowest-ranked;
 *   3. the fewest games by which a side balance goes beyond SWISS_BALANCE_MAX;
 *   4. the least sum of squared differences in points;
 *   5. within equal points, the upper half against the lower half in the order of ranks; a player that is
 * paired outside its points is the last of them, and meets the first of those below;
 *   6. the least sum of squared side balances.
 * Each counts only where all before it are equal. The player with the lower side balance gets side 0; between
 * equal balances it alternates, from the best-ranked on. The same input gives the same pairing. */
void swiss_pair(const struct swiss *swiss, struct pairing *out, int *bye);

/* The pairings of a knock-out's first round by seed: 1 meets the last, so that the best meet late; with a
 * number that is no power of two the best have byes. order[] has the event's players, best first; `slots`
 * gets for each place of the bracket the player or -1 (a bye). Places 2k and 2k + 1 meet, and so do the
 * winners of neighbouring pairs. Returns the number of places: a power of two, less than 2 * count. */
int knock_out_slots(const int *order, int count, int *slots);

#endif
