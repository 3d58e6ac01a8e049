/* SPDX-License-Identifier: MIT
 *
 * The schedule of an event: which games are played next, by which players, on which maps and with which
 * seeds; and the standings. Everything here is a pure function of the event and the results so far. An
 * interrupted event therefore goes on where it stopped, independent of the workers and of the order in which
 * games end.
 */
#ifndef TOURNAMENT_SCHEDULE_H
#define TOURNAMENT_SCHEDULE_H

#include "match/batch.h"
#include "match/statistics.h"
#include "tournament/event.h"

/* ---- games ---- */

enum event_stage { STAGE_MAIN, STAGE_PLAYOFF, STAGE_FINAL, STAGES };

extern const char *const event_stage_names[STAGES];

/* All games scheduled so far, by number, with their outcomes; grows batch by batch. Where their number allows
 * it, games come in pairs: games 2k and 2k + 1 of a pairing on a map are that map from both sides. */
struct games {
    int count, capacity;
    struct scheduled_game *scheduled;
    struct outcome *outcomes;
    int stage, round;                 /* of the last batch */
    int walkovers[EVENT_PLAYERS_MAX]; /* games of the main stage won without play: by a bye, or against a
                                         disqualified player */
    int byes[EVENT_PLAYERS_MAX];
    struct void_games voids;
};

void games_init(struct games *games);
void games_done(struct games *games);

/* Adds the next batch: all games that follow from the results so far. *more is false when the event is over.
 * All games scheduled before must have been played. */
bool event_next_batch(const struct event *event, struct games *games, bool *more, struct err *e);

/* How many games the event will have: those scheduled, and for later rounds the least number they will have.
 */
int event_games_expected(const struct event *event, const struct games *games);

/* ---- pairings of a round, as pure functions of the results so far ---- */

struct pairing {
    int players[2]; /* players[0] has side 0 in the first game */
};

/* A player's data for a Swiss pairing. */
struct swiss_player {
    int player; /* index in the event */
    double points;
    int side_balance; /* games as side 0 less games as side 1 */
    int byes;         /* so far */
};

struct swiss {
    int count;                          /* at most EVENT_PLAYERS_MAX */
    const struct swiss_player *players; /* by rank: by points and tie-breaks, then by entry */
    const unsigned char *met; /* met[a * EVENT_PLAYERS_MAX + b]: how often event players a and b have met */
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

/* ---- the games of a pairing ---- */

struct round_plan {
    int stage, round;
    int games; /* per map */
};

/* Adds the games of a pairing, for which there must be a map; false when memory ran out, or there are too
 * many games. */
bool schedule_add(const struct event *event, struct games *games, const struct round_plan *plan,
                  const struct pairing *pairing, struct err *e);

/* Was the player disqualified before that round of that stage? Later faults do not change earlier decisions.
 */
bool schedule_is_disqualified(const struct event *event, const struct games *games, int player, int stage,
                              int round);

/* ---- standings ----
 *
 * The table, computed from the rules and the games alone. The order is total: points, tie-breaks of the
 * rules, play-offs and final if any, at last the order of entry (with equal `place`). */

struct standing {
    int player;
    int place;                      /* from 1; equal for players that no criterion separates */
    double points;                  /* of the main stage, byes included */
    struct tally total, as_side[2]; /* of the main stage */
    struct payoffs payoffs;         /* likewise: pairs, and games that have no mirror */
    double tie_breaks[EVENT_TIE_BREAKS_MAX];
    int faults[PLAYER_FAULTS]; /* all stages */
    int byes;
    int decided_by; /* enum event_stage that put it here */
};

/* `out` has room for the event's players; best first. */
void standings_compute(const struct event *event, const struct games *games, struct standing *out);

/* The players of the final, best first, by the stages before it and without disqualified players; `scratch`
 * has room for the event's players. Returns their number: 0 when the rules have no final. */
int standings_finalists(const struct event *event, const struct games *games, struct standing *scratch,
                        int *out);

/* The table as text, one line a player, for storing and comparing. */
void standings_text(const struct event *event, const struct games *games, struct text *out);

/* ---- matchings (matching.c) ----
 *
 * The cheapest perfect matching of a complete graph: an exact one, for pairings that promise something. Costs
 * have several levels, of which each counts only where all before it are equal. */

enum { MATCHING_LEVELS = 7, MATCHING_VERTICES_MAX = 256 };

/* What one level of one edge may cost at most (and with a minus sign, at least): sums stay far from overflow.
 */
#define MATCHING_COST_MAX (INT64_C(1) << 45)

struct matching_cost {
    int64_t level[MATCHING_LEVELS]; /* the most important first */
};

/* Less than, equal to or greater than 0, as the cost a is less than, equal to or greater than b. */
int matching_compare(const struct matching_cost *a, const struct matching_cost *b);

/* costs[a * count + b] is the symmetric cost of joining a and b; `count` is even and may be 0. mate[a] gets
 * the vertex that a is joined with. The sum of all costs is minimal; the same costs give the same matching.
 */
void matching_cheapest(const struct matching_cost *costs, int count, int *mate);

#endif
