/* SPDX-License-Identifier: MIT
 *
 * One game as a state machine that asks and is answered. It never blocks: the caller (a match, the terminal,
 * a scripted test) takes the ask, finds an action, and answers. Legality is checked before an action is
 * applied; a player's fault is a result of the game, not an error of the driver.
 */
#ifndef MATCH_REFEREE_H
#define MATCH_REFEREE_H

#include "match/record.h"
#include "player/player.h"

/* As forfeiter: both sides broke a rule, and the game is drawn. */
enum { REFEREE_BOTH = 2 };

struct referee {
    const struct scenario *scenario;
    struct record *record; /* borrowed; may be NULL */
    struct rng game_rng, seat_rng[2];
    int forfeiter; /* the side that broke a rule or resigned, REFEREE_BOTH, or NOBODY */
    enum player_fault fault_kind;
    int actions;
    struct turn_count turn;
    struct record_line line;        /* for referee_history */
    char reason[PLAYER_REASON_MAX]; /* of the fault */
    struct err fault; /* the same as a sentence: "red forfeits: …"; its message is the reason's */
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    _Alignas(16) unsigned char view[GAME_STATE_MAX]; /* the view of the asked side */
};

/* Everything random in the game follows from the seed. */
void referee_start(struct referee *referee, const struct scenario *scenario, uint64_t seed,
                   struct record *record);

/* The same, but what the game itself draws follows from `deal` (0: from the seed, too), so that several games
 * can be played on the same deal. */
void referee_start_dealt(struct referee *referee, const struct scenario *scenario, uint64_t seed,
                         uint64_t deal, struct record *record);

/* The side to act, or NOBODY when the game is over (or forfeited). */
int referee_mover(const struct referee *referee);

/* Fills the question for the mover (there must be one); it is valid until the answer. */
void referee_ask(struct referee *referee, struct ask *out);

/* The mover's answer and how long it took (negative: not measured). False only when the record is full. */
bool referee_answer(struct referee *referee, action a, double milliseconds, struct err *e);

/* That side has done something else wrong: it loses. `reason` follows "red forfeits: ", and stands alone for
 * REFEREE_BOTH. */
void referee_rule(struct referee *referee, int side, enum player_fault fault, const char *reason);

/* The same for a reason that programs translate by its code (base/msg.h). */
void referee_rule_coded(struct referee *referee, int side, enum player_fault fault, const struct err *reason);

/* The game so far, for players that need it; false without a record. Valid until the next answer. */
bool referee_history(struct referee *referee, struct game_history *out);

/* 0 … 1; only when over. */
double referee_payoff(const struct referee *referee, int side);

/* "red annihilation", or "blue illegal" (the winner, the fault) when red forfeited. */
void referee_result(const struct referee *referee, char *out, size_t out_size);

#endif
