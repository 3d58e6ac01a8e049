/* SPDX-License-Identifier: MIT
 *
 * Many games between two players: what `senjutsu match` runs. Game i depends only on (seed, i), so the result
 * is the same for any number of workers, and a match can go on with more games. Games come in pairs: the same
 * map once from each side. Where the game draws something at its start (cards, a tree), both games of a pair
 * are played on the same draw.
 */
#ifndef MATCH_MATCH_H
#define MATCH_MATCH_H

#include "match/batch.h"
#include "match/statistics.h"

enum { MATCH_MAPS_MAX = 64, MATCH_ENDS_MAX = 16, MATCH_END_MAX = 48 };

/* One way in which games end ("escape", "annihilation", "crash"), and what player 0 made of it. */
struct match_end {
    char how[MATCH_END_MAX];
    struct tally tally;
};

struct match_totals {
    struct tally total, as_side[2]; /* player 0's, also by the side it had */
    struct tally by_map[MATCH_MAPS_MAX];
    int games, forfeits;
    int faults[2][PLAYER_FAULTS]; /* by player */
    int voids;                    /* games that were void and played again */
    int64_t gap_ns;               /* how long this program was stopped in those */
    long long actions, turns;
    int64_t think_ns[2];
    long long decisions[2];
    uint64_t leaves[2];
    struct payoffs payoffs; /* player 0's */
    int end_count;          /* of games that are won, drawn or lost; in the order they came */
    struct match_end ends[MATCH_ENDS_MAX];
};

struct match {
    int map_count;
    struct scenario *const *scenarios;
    const char *players[2]; /* specs */
    int games;
    uint64_t seed;
    bool one_sided; /* player 0 always has side 0 */
    /* How the games are played and kept, and the context of on_game. The match sets players and callbacks;
     * here `stop` may be NULL. */
    struct batch_setup batch;
    /* Called for each finished game in order; totals include it. False ends the match. May be NULL. */
    bool (*on_game)(void *context, const struct batch_result *game, const struct match_totals *totals);
};

/* Player 0's payoff, whichever side it had. */
double match_payoff(const struct batch_result *game);

/* False (and a reason) when a player cannot be opened, the machine lacks a resource that a player needs, a
 * game was void too often (see batch.c) or the store cannot be written. True when stopped early; the
 * totals contain the number of games played. */
bool match_run(const struct match *match, struct match_totals *out, struct err *e);

#endif
