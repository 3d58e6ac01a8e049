/* SPDX-License-Identifier: MIT
 *
 * A batch of games: the one runner under matches, tournaments, evolutions, judged maps and experiments. Each
 * game is a job of the pool, on threads or on the ranks of a cluster; its result is stored as soon as it is
 * there. A game depends only on its entry in the list, so results do not depend on the number of workers.
 * Games that have an outcome already (from a store) are not played again, so an interrupted run goes on where
 * it stopped.
 */
#ifndef MATCH_BATCH_H
#define MATCH_BATCH_H

#include "match/clocked_game.h"
#include "match/statistics.h"
#include "store/store.h"

#include <stdatomic.h>

struct batch;
struct cluster;
struct grant;

/* ---- one game ----
 *
 * A whole game between two open players, with clocks and rulings. A fault ends the game, not the run, and
 * produces a fault report. */

struct game_run {
    /* Scenario, seeds and timing. A game that can be void ends at once when this program was stopped for a
     * while; otherwise it goes on, and the gap is on no player's clock. The other fields are set here. */
    struct clocked_setup game;
    const char *names[2];      /* by side, for the record */
    struct player *players[2]; /* by side, opened for the scenario's table */
    const struct clock *clock; /* NULL: no times are measured and there may be no limits */
    const atomic_bool *stop;   /* may be NULL */
    /* Called after each action and at the start; may be NULL. */
    void (*watch)(void *context, const void *state, const struct record *record);
    void *context;
};

struct game_run_result {
    bool stopped;   /* in the middle of the game: no result */
    int64_t gap_ns; /* of a void game: how long this program was stopped; no result */
    struct outcome outcome;
    struct record record;     /* date left empty */
    struct text fault_report; /* JSON; empty without a fault */
};

/* False when the record is full, or the machine lacks a resource that a player needs (PLAYER_SHORTAGE). In
 * both cases the caller calls game_run_result_done. */
bool game_run_play(const struct game_run *game_run, struct game_run_result *out, struct err *e);
void game_run_result_done(struct game_run_result *result);

/* ---- many games ---- */

/* A worker keeps only so many players open: a tournament with many external players would otherwise have a
 * process of each on every worker. */
enum { PLAYER_CACHE_MAX = 8 };

/* One game to play. Plain bytes: it travels to other ranks as it is. */
struct scheduled_game {
    int number; /* in its store; in a schedule from 0 */
    int stage, round;
    int players[2]; /* by side: indices of the batch's players */
    int map;        /* its number in the store */
    int pair;       /* the same for a game and its mirror; -1: it has none */
    uint64_t seed;
    uint64_t deal; /* the seed of what the game itself draws; a mirror has that of its partner; 0: `seed` */
    int scenario;  /* index of the list's scenarios */
};

struct batch_player {
    const char *name; /* in records */
    const char *spec;
    const char *role; /* in front of the reason when it cannot be opened; may be NULL */
};

/* A finished game. The texts are JSON, valid during the call, and NULL where there is none. */
struct batch_result {
    int index; /* in the list */
    const struct scheduled_game *game;
    const struct outcome *outcome;
    bool resumed; /* it was not played now; it comes without texts */
    const char *record, *fault_report, *note;
};

struct batch_setup {
    const struct batch_player *players;
    int player_count;
    const struct grant *grant;   /* external resources that the players may use; NULL: none */
    const struct timing *timing; /* NULL: no limits */
    const struct clock *clock;   /* NULL: no times */
    int workers;
    struct cluster *cluster; /* NULL: threads of this machine */
    struct store *store;     /* NULL: nothing is stored, as on the ranks of a cluster beside 0 */
    bool records;            /* results come with a record; needed for a store */
    bool stored_only;        /* nothing is played */
    bool leaves;             /* numbers of leaf evaluations are stored, too, as a note */
    atomic_bool *stop;       /* set from outside to stop early; also set here when something fails */
    void (*date)(char *out, size_t out_size); /* now, for records and the store; NULL: no dates */
    /* Appends what is stored beside a game's columns, as JSON; on the thread that has played the game. May be
     * NULL. */
    void (*annotate)(void *context, const struct scheduled_game *game, const struct scenario *scenario,
                     const struct record *record, struct text *note);
    /* At the start of a game and after each of its actions, on the thread that plays it, so several calls at
     * a time. Not called for games on other ranks. May be NULL. */
    void (*watch)(void *context, const struct scheduled_game *game, const void *state,
                  const struct record *record);
    /* After each game, in the order in which they end, those that need no playing first; one call at a time,
     * on any thread. May be NULL. */
    bool (*on_game)(void *context, const struct batch_result *result, struct err *e);
    /* After each game, in the order of the list, one call at a time. False ends the batch; later games do not
     * count. May be NULL. */
    bool (*take)(void *context, const struct batch_result *result);
    struct void_games *voids; /* gets those that are played now; NULL: they are only stored */
    /* Puts the name of the game in front of a reason; false. May be NULL. */
    bool (*blame)(void *context, const struct scheduled_game *game, struct err *e);
    /* On the other ranks of a cluster: takes what rank 0 shared with the games and returns their scenarios,
     * valid until the next call. NULL: `scenarios` are the same on all ranks. */
    struct scenario *const *(*receive)(void *context, const char *bytes, size_t size, struct err *e);
    struct scenario *const *scenarios; /* for `receive` NULL */
    void *context;
};

/* The setup is copied; what it points to stays the caller's and must outlive the batch. */
struct batch *batch_open(const struct batch_setup *setup);

/* Ends batch_work on the other ranks. NULL is allowed. */
bool batch_close(struct batch *batch, struct err *e);

struct batch_list {
    int count;
    const struct scheduled_game *games;
    struct outcome *outcomes; /* games that are played already are not played again */
    struct scenario *const *scenarios;
    const struct text *shared; /* for the other ranks' `receive`; may be NULL */
};

/* Players stay open from list to list. True when it was stopped or ended early: then not all are played. */
bool batch_play(struct batch *batch, const struct batch_list *list, struct err *e);

/* The loop of the ranks of a cluster beside 0, in place of everything else. */
bool batch_work(struct batch *batch, struct err *e);

/* Are all games of the list from `first` on played? */
bool batch_is_whole(const struct outcome *outcomes, int first, int count);

/* ---- in a store ---- */

/* Fills the outcomes of the games, whose numbers are `first` and those that follow, from the store. *beyond
 * is the number of stored games behind the list. False when a stored game is not the one in the list. */
bool batch_resume(struct store *store, const struct batch_list *list, int first, int *beyond, struct err *e);

/* The record of one game, and its fault report (empty without one; may be NULL). The caller calls record_done
 * also after a failure. */
bool batch_load_record(struct store *store, int number, struct record *out, struct text *fault_report,
                       struct err *e);

/* A game with clocks during which this program was stopped. It does not count and is played again. */
struct void_game {
    int number;     /* the scheduled game's */
    int actions;    /* played until then */
    int64_t gap_ns; /* how long this program was stopped */
};

#define STORE_VOIDS "voids" /* the named text of a store */

struct void_games {
    int count, capacity;
    struct void_game *games; /* in the order they ended; a game may occur more than once */
};

/* Void games as lines of JSON, {"game":…,"gap_s":…,"actions":…,"date":…,"record":…}: read_voids adds them to
 * `out`, store_voids to the store (NULL stores nothing); load_voids reads those of the store, in place of
 * what `out` has. */
bool batch_read_voids(const char *lines, struct void_games *out, struct err *e);
bool batch_store_voids(struct store *store, const char *lines, struct err *e);
bool batch_load_voids(struct store *store, struct void_games *out, struct err *e);

/* ---- many games between two players ----
 *
 * What `senjutsu match` runs. Game i depends only on (seed, i), so the result is the same for any number of
 * workers, and a match can go on with more games. Games come in pairs: the same map once from each side.
 * Where the game draws something at its start (cards, a tree), both games of a pair are played on the same
 * draw. */

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

/* The games from number `first` on, which follow from maps, seed and sides; none of them is played. The
 * second game of a pair has the deal of the first; the players' random numbers differ. */
void match_schedule(const struct match *match, int first, int count, struct scheduled_game *games,
                    struct outcome *outcomes);

/* False (and a reason) when a player cannot be opened, the machine lacks a resource that a player needs, a
 * game was void too often (see batch.c) or the store cannot be written. True when stopped early; the
 * totals contain the number of games played. */
bool match_run(const struct match *match, struct match_totals *out, struct err *e);

#endif
