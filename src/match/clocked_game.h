/* SPDX-License-Identifier: MIT
 *
 * One game with clocks, as a state machine: the referee, both sides' clocks, and the decision under way. It
 * has no thread, waits for nothing and reads no clock: the time is an argument. Matches, live games, the
 * Geister server, clients of other servers and the terminal drive it:
 *
 *     clocked_game_start
 *     while clocked_game_mover is a side:
 *         clocked_game_ask                     the view, the allowed time, the deadline
 *         clocked_game_answer or _fault, or _expire when the time is over
 *     referee_payoff, referee_result
 *
 * It owns no memory. Its copy is an independent game, except for the record that both point to.
 *
 * A fault report is what remains of a game that a fault has ended.
 */
#ifndef MATCH_CLOCKED_GAME_H
#define MATCH_CLOCKED_GAME_H

#include "match/record.h"

/* ---- clocks ----
 *
 * All times are real; a limit of 0 is no limit. A turn is all that a side does in a row, a move is one
 * decision in it. */

struct timing {
    double turn_s;      /* for each turn */
    double move_s;      /* for each decision */
    double game_s;      /* for the whole game */
    double increment_s; /* added to the game's time after each turn */
    double byoyomi_s;   /* for each turn once the game's time is used up */
    double grace_s;     /* tolerated beyond each limit, for the transmission */
    double patience_s;  /* how long after that an answer is waited for before a player is killed */

    /* Of the Geister server's clocks; not among the params. */
    double unit_s;       /* time is charged in whole units of this; 0: to the nanosecond */
    bool is_grace_fresh; /* each decision has the full grace: a used-up game's time stays at 0 */
};

extern const struct param
    timing_params[]; /* turn=10,move=1,game=600,increment=5,byoyomi=10,grace=0.1,patience=2 */

/* "10 s a turn", "600 s a game, then 10 s a turn", "no limit". */
void timing_describe(const struct timing *timing, struct text *out);

bool timing_is_limited(const struct timing *timing);

/* No limits, and the params' defaults. */
void timing_default(struct timing *out);

/* Reads "turn=10,grace=0.1": the timing_params without a name in front. */
bool timing_read(const char *string, struct timing *out, struct err *e);

/* Both sides' clocks in one game. */
struct timing_clocks {
    int64_t game_left_ns[2]; /* without byoyomi it may go below 0: by no more than the grace */
    int64_t turn_used_ns[2], byoyomi_used_ns[2]; /* in the turn that goes on */
};

void timing_start(struct timing_clocks *clocks, const struct timing *timing);

/* What the mover of this state may use for its next decision. `left` is how many decisions its turn has yet,
 * this one included. */
struct ask_time timing_allow(const struct timing_clocks *clocks, const struct timing *timing, int side,
                             int left);

/* Books what a decision took; `turn_over`: it was the turn's last. */
void timing_spend(struct timing_clocks *clocks, const struct timing *timing, int side, int64_t spent_ns,
                  bool turn_over);

/* ---- the referee ----
 *
 * One game without clocks as a state machine that asks and is answered. It never blocks: the caller takes the
 * ask, finds an action, and answers. Legality is checked before an action is applied; a player's fault is a
 * result of the game, not an error of the driver. */

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

/* The side to act, or NOBODY when the game is over (or forfeited). */
int referee_mover(const struct referee *referee);

/* Fills the question for the mover (there must be one); it is valid until the answer. */
void referee_ask(struct referee *referee, struct ask *out);

/* The mover's answer and how long it took (negative: not measured). False only when the record is full. */
bool referee_answer(struct referee *referee, action a, double milliseconds, struct err *e);

/* That side has done something else wrong: it loses. `reason` follows "red forfeits: ", and stands alone for
 * REFEREE_BOTH. */
void referee_rule(struct referee *referee, int side, enum player_fault fault, const char *reason);

/* The game so far, for players that need it; false without a record. Valid until the next answer. */
bool referee_history(struct referee *referee, struct game_history *out);

/* 0 … 1; only when over. */
double referee_payoff(const struct referee *referee, int side);

/* "red annihilation", or "blue illegal" (the winner, the fault) when red forfeited. */
void referee_result(const struct referee *referee, char *out, size_t out_size);

/* ---- the game with its clocks ---- */

struct clocked_setup {
    const struct scenario *scenario;
    uint64_t seed;
    uint64_t deal;               /* of what the game itself draws; 0: it follows from `seed`, too */
    const struct timing *timing; /* NULL: no limits */
    struct record *record;       /* borrowed; may be NULL */
    bool is_untimed;             /* no times are measured: there may be no limits */
    bool is_guest;               /* another program rules on the time: late answers are played */
    bool can_be_void;            /* see clocked_game_void_ns */
    int64_t gap_ns;              /* clock_gap_ns at the start */
};

struct clocked_game {
    struct clocked_setup setup; /* as given, but `timing` is here */
    struct referee referee;
    struct timing timing;
    struct timing_clocks clocks;
    bool is_stopped;                    /* the game ended without a result */
    bool is_placed;                     /* it began from a given position */
    int64_t asked_ns;                   /* when the decision under way began */
    struct ask_time time;               /* that the last ask allowed */
    int64_t think_ns[2], longest_ns[2]; /* by side: in all, and the longest decision */
    int decisions[2];
    struct game_history history;                      /* of the last ask */
    _Alignas(16) unsigned char start[GAME_STATE_MAX]; /* the first state */
};

/* The first decision begins now. */
void clocked_game_start(struct clocked_game *game, const struct clocked_setup *setup, int64_t now_ns);

/* Right after the start: begins from the text's position. A side must be to move and nothing unknown. */
bool clocked_game_place(struct clocked_game *game, const char *position, struct err *e);

/* The side to act, or NOBODY when the game is over, forfeited or stopped. */
int clocked_game_mover(const struct clocked_game *game);

/* ---- a decision ---- */

/* Fills the question for the mover; it is valid until the next change. The caller adds clock and stop to the
 * budget. Its deadline counts from now; the mover's time counts from the beginning of the decision. */
void clocked_game_ask(struct clocked_game *game, int64_t now_ns, struct ask *out);

/* The mover's time begins now: before it the mover could not begin (it was started, or waited for). */
void clocked_game_begin_decision(struct clocked_game *game, int64_t now_ns);

/* That much of the decision is on no clock: gaps of this program, the start of a player's process. */
void clocked_game_excuse(struct clocked_game *game, int64_t ns);

/* Time of the decision under way; counting adds it to think_ns and longest_ns. An answer counts its own. */
int64_t clocked_game_spent(const struct clocked_game *game, int64_t now_ns);
void clocked_game_count_time(struct clocked_game *game, int64_t now_ns);

/* The last moment for the mover's answer, grace included; INT64_MAX: there is no limit. */
int64_t clocked_game_due(const struct clocked_game *game);

/* The mover's answer. A late one is not played, and its side loses; so it does with an illegal one. False
 * only when the record is full. */
bool clocked_game_answer(struct clocked_game *game, action a, int64_t now_ns, struct err *e);

/* Ends the game when an answer that comes now is late; returns whether it did. */
bool clocked_game_expire(struct clocked_game *game, int64_t now_ns);

/* Plays an action that is on no clock: of a record, of a player that another program charges. */
bool clocked_game_play(struct clocked_game *game, action a, double milliseconds, struct err *e);

/* Charges that side with the decision under way, for clients that play its action without an answer. */
void clocked_game_charge(struct clocked_game *game, int side, int64_t now_ns);

/* ---- other ends ---- */

/* That side (REFEREE_BOTH: both, a draw) did something else wrong. The reason follows "red forfeits: ". */
void clocked_game_fault(struct clocked_game *game, int side, enum player_fault fault, const char *reason);

void clocked_game_resign(struct clocked_game *game, int side);

/* Ends the game without a result; the comment goes into the record. */
void clocked_game_stop(struct clocked_game *game, const char *comment);

/* A game with limits in which this program was stopped for a while is void, if the setup allows it: it is
 * unknown which player gained from that. Returns the gap since the start; 0: the game counts. `gap_ns` is
 * clock_gap_ns now. */
int64_t clocked_game_void_ns(const struct clocked_game *game, int64_t gap_ns);

/* ---- going back, for games with a record ---- */

/* The position after `count` actions. False when the record breaks the rules before it. */
bool clocked_game_replay(const struct clocked_game *game, int count, struct replay *out, struct err *e);

/* Goes to the position after the record's first `count` actions; later ones are removed. The time used on
 * the decision under way is charged, and none is given back. Also loads a record right after the start. */
bool clocked_game_go_back(struct clocked_game *game, int count, int64_t now_ns, struct err *e);

/* ---- what actions hide and reveal ----
 *
 * Computed from the game's views alone. An action is secret from a side (the other's set-up, say) when
 * another one would have looked the same to it, by the key and the text of what it sees next. An action shows
 * a side something (a taken piece's colour, say) when some worlds of what it saw before cannot lead to what
 * it sees then. The end of a game shows everything. */

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

/* ---- fault reports ----
 *
 * Everything needed to examine a fault and to reproduce it, in one file: the ruling, the game up to it, what
 * the player was sent and its last lines.
 *
 *     {"format": "senjutsu-bundle", "version": 1, "ruling": "hang", "side": 1, "player": "ext:cmd=./bot",
 *      "reason": "…", "limit_ms": 10100, "patience_ms": 2000, "clock": "10 s a turn", "command": "./bot",
 *      "sent": ["sjp 1", …], "tail": ["> go time 950", "< bset 3:4,2"], "record": {…}} */

enum { FAULT_REPORT_TEXT_MAX = 80 << 20 };

struct fault_report {
    enum player_fault fault;
    int side;
    char reason[ERR_TEXT_MAX];
    struct text clock; /* "10 s a turn" */
    double limit_ms;   /* of the decision that failed; 0: none */
    double patience_ms;
    struct player_transcript transcript;
    struct record record;
};

void fault_report_init(struct fault_report *fault_report);
void fault_report_done(struct fault_report *fault_report);

/* `record` is the game; the fault report's own record is not looked at, so that nothing need be copied. */
bool fault_report_write(const struct fault_report *fault_report, const struct record *record,
                        struct text *out, struct err *e);

/* Fills all of it, the record included. */
bool fault_report_read(const char *name, const char *text, size_t size, struct fault_report *out,
                       struct err *e);

/* ---- the signature (signature.c) ---- */

/* One number over a fixed set of fixed-seed games of the given scenarios, in their order: every action chosen
 * by every player, every playout's end, and the legal actions on the way. A change that is meant to be pure
 * speed must leave it alone. */
bool signature_compute(struct scenario *const *scenarios, int count, uint64_t *out, struct err *e);

#endif
