/* SPDX-License-Identifier: MIT
 *
 * The schedule of a tournament: which games are played next, by which players, on which maps and with which
 * seeds; and the standings. These are pure functions of the tournament and the results so far. An interrupted
 * tournament therefore goes on where it stopped, independent of the workers and of the order in which games
 * end. The last sections play a tournament with its store, and verify it.
 */
#ifndef TOURNAMENT_SCHEDULE_H
#define TOURNAMENT_SCHEDULE_H

#include "match/batch.h"
#include "tournament/tournament.h"

/* ---- games ---- */

enum tournament_stage { STAGE_MAIN, STAGE_PLAYOFF, STAGE_FINAL, STAGES };

extern const char *const tournament_stage_names[STAGES];

/* All games scheduled so far, by number, with their outcomes; grows batch by batch. Where their number allows
 * it, games come in pairs: games 2k and 2k + 1 of a pairing on a map are that map from both sides. */
struct games {
    int count, capacity;
    struct scheduled_game *scheduled;
    struct outcome *outcomes;
    int stage, round;                      /* of the last batch */
    int walkovers[TOURNAMENT_PLAYERS_MAX]; /* games of the main stage won without play: by a bye, or against a
                                         disqualified player */
    int byes[TOURNAMENT_PLAYERS_MAX];
    struct void_games voids;
};

void games_init(struct games *games);
void games_done(struct games *games);

/* Adds the next batch: all games that follow from the results so far. *more is false when the tournament is
 * over. All games scheduled before must have been played. */
bool tournament_next_batch(const struct tournament *tournament, struct games *games, bool *more,
                           struct err *e);

/* How many games the tournament will have: those scheduled, and for later rounds the least number they will
 * have. */
int tournament_games_expected(const struct tournament *tournament, const struct games *games);

/* ---- pairings of a round, as pure functions of the results so far ---- */

struct pairing {
    int players[2]; /* players[0] has side 0 in the first game */
};

/* A player's data for a Swiss pairing. */
struct swiss_player {
    int player; /* index in the tournament */
    double points;
    int side_balance; /* games as side 0 less games as side 1 */
    int byes;         /* so far */
};

struct swiss {
    int count;                          /* at most EVENT_PLAYERS_MAX */
    const struct swiss_player *players; /* by rank: by points and tie-breaks, then by entry */
    const unsigned char
        *met; /* met[a * EVENT_PLAYERS_MAX + b]: how often tournament players a and b have met */
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
 * number that is no power of two the best have byes. order[] has the tournament's players, best first;
 * `slots` gets for each place of the bracket the player or -1 (a bye). Places 2k and 2k + 1 meet, and so do
 * the winners of neighbouring pairs. Returns the number of places: a power of two, less than 2 * count. */
int knock_out_slots(const int *order, int count, int *slots);

/* ---- the games of a pairing ---- */

struct round_plan {
    int stage, round;
    int games; /* per map */
};

/* Adds the games of a pairing, for which there must be a map; false when memory ran out, or there are too
 * many games. */
bool schedule_add(const struct tournament *tournament, struct games *games, const struct round_plan *plan,
                  const struct pairing *pairing, struct err *e);

/* Was the player disqualified before that round of that stage? Later faults change no earlier decisions. */
bool schedule_is_disqualified(const struct tournament *tournament, const struct games *games, int player,
                              int stage, int round);

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
    double tie_breaks[TOURNAMENT_TIE_BREAKS_MAX];
    int faults[PLAYER_FAULTS]; /* all stages */
    int byes;
    int decided_by; /* enum tournament_stage that put it here */
};

/* `out` has room for the tournament's players; best first. */
void standings_compute(const struct tournament *tournament, const struct games *games, struct standing *out);

/* The players of the final, best first, by the stages before it and without disqualified players; `scratch`
 * has room for the tournament's players. Returns their number: 0 when the rules have no final. */
int standings_finalists(const struct tournament *tournament, const struct games *games,
                        struct standing *scratch, int *out);

/* The table as text, one line a player, for storing and comparing. */
void standings_text(const struct tournament *tournament, const struct games *games, struct text *out);

/* ---- the store of a tournament (run.c) ----
 *
 * It has the tournament, its games, its void games and, at the end, its table. The tournament is written when
 * it begins and compared when it is continued. */

/* The named text with its table, once it is over. */
#define STORE_STANDINGS "standings"

/* When a match ends, as the store's named text has it: the number of games and the test. They may differ from
 * those of an earlier run; all that the games depend on may not. */
#define STORE_MATCH_END "match_end"

struct match_stop {
    int games;
    bool has_test;
    struct sprt test; /* without one only alpha and beta are set */
};

bool match_stop_read(struct store *store, const char *path, struct match_stop *out, struct err *e);

/* Opens the store for writing. A new store gets the tournament (under that name); otherwise the tournament
 * must be equal to the stored one, unless the store has no games. A `tournament` without players is filled
 * from the store. */
struct store *tournament_store_open(const char *path, const char *name, struct tournament *tournament,
                                    struct err *e);

/* Opens the store for reading, and reads the tournament. */
struct store *tournament_store_read(const char *path, const char *name, struct tournament *tournament,
                                    struct err *e);

/* Stores the final table, for verify_store. A NULL store stores nothing. */
bool tournament_store_standings(struct store *store, const struct tournament *tournament,
                                const struct games *games, struct err *e);

/* Schedules round by round as the results in the store (NULL: none) lead to it, up to the first round with a
 * game that is not stored. *complete: all games of the tournament are there. Stored games behind that round
 * are left out. */
bool tournament_resume(struct store *store, const struct tournament *tournament, struct games *games,
                       bool *complete, struct err *e);

/* ---- playing: the schedule gives the next games, a batch plays them ---- */

struct tournament_run {
    const struct tournament *tournament;
    /* How the games are played and kept, `watch`, and the context of both callbacks. The tournament sets
     * players, timing, scenarios, records and the other callbacks. With stored_only it ends at the first game
     * that is not stored. */
    struct batch_setup batch;
    /* After each game that was played or (`resumed`) found in the store, one at a time, on any thread. May
     * be NULL. */
    void (*on_game)(void *context, const struct games *games, int number, bool resumed);
};

/* Can every player be opened for every map? Says which cannot and why. */
bool tournament_check(const struct tournament *tournament, const struct grant *grant, struct err *e);

/* Fills `games`, which the caller initialises and frees. *complete is false when it was
 * stopped. On the ranks of a cluster beside 0 `games` stays empty and *complete false. */
bool tournament_play(const struct tournament_run *run, struct games *games, bool *complete, struct err *e);

/* ---- verifying ---- */

/* verify_store replays every record, compares every game with the schedule that follows from the tournament
 * or match, and computes the standings again. */
struct verify_report {
    int games, problems;
    bool is_match;           /* of two players, whose store has no standings */
    bool complete;           /* are all games there? */
    bool standings_compared; /* did the store have standings to compare with? */
    int voids;               /* games that were void and played again */
};

/* What to do with what is found. */
struct verify_watch {
    void (*problem)(void *context, const char *sentence); /* everything that is wrong */
    bool (*progress)(void *context, int games);           /* false ends it; may be NULL */
    void *context;
};

/* False only when the store cannot be read at all, or memory runs out: that is not reported as a problem of
 * the store. Fills `tournament` and `games`, which the caller frees. */
bool verify_store(struct store *store, const struct verify_watch *watch, struct tournament *tournament,
                  struct games *games, struct verify_report *out, struct err *e);

#endif
