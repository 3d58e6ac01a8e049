/* SPDX-License-Identifier: MIT
 *
 * Tests of the check itself: a small game (take one or two stones; each player holds a secret bit) can break
 * one law at a time on request, and the check must answer with the right message.
 */
#include "game/game.h"

#include <math.h>
#include "memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum fault {
    NONE,
    INVALID,
    STRANGE_MOVER,
    RESULT_TOO_EARLY,
    TOO_MANY,
    ACTIONS_WHEN_OVER,
    NO_ACTIONS,
    ILLEGAL,
    DUPLICATE,
    UNSTABLE,
    KEY,
    ACTION_UNREADABLE,
    ACTION_READ_WRONGLY,
    ACTION_READ_ILLEGAL,
    STATE_UNREADABLE,
    STATE_READ_WRONGLY,
    STATE_READ_INVALID,
    STATE_KEY_OF_HISTORY,
    STATE_ACTIONS_OF_HISTORY,
    SHARED,
    CHANCE_ELSEWHERE,
    PAYOFF_SUM,
    PAYOFF_SUM_MORE,
    PAYOFF_RANGE,
    PAYOFF_FIRST_LESS,
    PAYOFF_FIRST_MORE,
    PAYOFF_SECOND_LESS,
    PAYOFF_SECOND_MORE,
    ENDLESS,
    TURN_BACK,
    ROLLOUT_SHORT,
    ROLLOUT_INVALID,
    ROLLOUT_STRANGE,
    ROLLOUT_STOPS_STRANGELY,
    ROLLOUT_MISCOUNTS,
    ROLLOUT_COUNTS_DOWN,
    ROLLOUT_COUNTS_ANEW,
    ROLLOUT_ENDS_ANEW,
    ROLLOUT_UNSEEDED,
    ROLLOUT_TOO_LONG,
    ROLLOUT_TOO_SHORT,
    LIST_EMPTY,
    LIST_NEGATIVE,
    LIST_TOO_LONG,
    LIST_WHEN_OVER,
    LIST_ILLEGAL,
    EVAL_ONE_SIDED,
    EVAL_BOTH_LOSE,
    EVAL_NO_NUMBER,
    EVAL_SUM_MORE,
    EVAL_SUM_LESS,
    BOUNDS_TOO_LOW,
    BOUNDS_TOO_HIGH,
    SECURED_WIDER,
    SECURED_HIGHER,
    SECURED_CROSSED,
    PROGRESS_OVER,
    PROGRESS_NONE,
    PROGRESS_NEGATIVE,
    FULL_UNKNOWN,
    FULL_IMPOSSIBLE,
    FULL_CHANGED,
    FULL_WORLD_CHANGED,
    HIDE_AGAIN,
    HIDE_ACTIONS,
    HIDE_MOVER,
    HIDE_TRACE,
    HIDE_TEXT,
    HIDE_LESS,
    DETERMINIZE_INVALID,
    DETERMINIZE_OTHER,
    DETERMINIZE_ELSEWHERE,
    WORLDS_NONE,
    WORLDS_PARTS,
    WORLDS_ENDLESS,
    WORLD_INVALID,
    WORLD_UNKNOWN,
    WORLD_OTHER,
    WORLD_ACTIONS,
    WORLD_TWICE,
    WORLD_MISSING,
    FAULTS,
    /* no faults: what a law allows */
    ROLLOUT_ONE_MORE,
    EVAL_ROUNDED,
    ALLOWED_END,
};

enum { STONES = 9, UNKNOWN = 2, TAKE_MAX = 2 };

struct toy_scenario {
    struct scenario base;
    enum fault fault;
    int *shared; /* an illegal state: it points outside of itself */
};

struct toy {
    const struct toy_scenario *scenario;
    uint64_t key;
    uint8_t stones, side, turn, secret[2], history;
    uint8_t salt; /* hidden from all: 0, unless a fault wants a world that is none */
};

static int shared_counter;

static enum fault fault_of(const void *state) {
    return ((const struct toy *)state)->scenario->fault;
}

/* ---- rules ---- */

static uint64_t toy_key_from_scratch(const void *state) {
    const struct toy *s = state;
    const uint64_t history = fault_of(s) == STATE_KEY_OF_HISTORY ? s->history : 0;
    return history + s->salt +
           rng_mix((uint64_t)s->stones | (uint64_t)s->side << 8 | (uint64_t)s->turn << 16 |
                   (uint64_t)s->secret[0] << 24 | (uint64_t)s->secret[1] << 32);
}

static uint64_t toy_key(const void *state) {
    const struct toy *s = state;
    return s->key + (fault_of(s) == KEY && s->stones == 3);
}

static void toy_set_key(struct toy *s) {
    s->key = toy_key_from_scratch(s);
}

static void toy_start(void *state, const struct scenario *scenario, struct rng *r) {
    struct toy *s = state;
    memset(s, 0, sizeof *s);
    s->scenario = (const struct toy_scenario *)scenario;
    s->stones = STONES;
    s->secret[0] = (uint8_t)rng_below(r, 2);
    s->secret[1] = (uint8_t)rng_below(r, 2);
    toy_set_key(s);
}

static int toy_mover(const void *state) {
    const struct toy *s = state;
    if (fault_of(s) == STRANGE_MOVER && s->stones == 4)
        return 2;
    return s->stones == 0 ? NOBODY : s->side;
}

static int toy_actions(const void *state, action *out) {
    const struct toy *s = state;
    const enum fault fault = fault_of(s);
    int count = 0;
    for (int take = 1; take <= TAKE_MAX && take <= s->stones; take++)
        out[count++] = (action)take;
    if (fault == TOO_MANY && s->stones == 5)
        out[count++] = 0;
    if (fault == ACTIONS_WHEN_OVER && s->stones == 0)
        out[count++] = 1;
    if (fault == NO_ACTIONS && s->stones == 2)
        return 0;
    if (fault == ILLEGAL && s->stones == 1)
        out[0] = 2;
    if (fault == DUPLICATE && s->stones > 1)
        out[1] = out[0];
    const bool turned = (fault == UNSTABLE && shared_counter++ % 2 != 0) ||
                        (fault == SHARED && *s->scenario->shared > 0) ||
                        (fault == STATE_ACTIONS_OF_HISTORY && s->history > 0);
    const bool seen = (fault == HIDE_ACTIONS && s->secret[0] == UNKNOWN) ||
                      (fault == WORLD_ACTIONS && s->secret[1] == 0 && s->secret[0] == 0);
    if (count == 2 && (turned || seen)) {
        out[0] = 2;
        out[1] = 1;
    }
    return count;
}

static bool toy_is_legal(const void *state, action a) {
    return a >= 1 && a <= TAKE_MAX && a <= ((const struct toy *)state)->stones;
}

static void toy_play(void *state, action a, struct rng *r) {
    (void)r;
    struct toy *s = state;
    const enum fault fault = fault_of(s);
    if (fault == ENDLESS && s->stones == 2)
        a = 0;
    if (fault == SHARED)
        ++*s->scenario->shared;
    s->stones = (uint8_t)(s->stones - a);
    s->side ^= 1;
    s->turn = fault == TURN_BACK && s->stones < 4 ? 0 : fault == ENDLESS ? s->turn : (uint8_t)(s->turn + 1);
    if (fault == CHANCE_ELSEWHERE)
        s->secret[0] = (uint8_t)(shared_counter++ % 2);
    s->history++;
    toy_set_key(s);
}

/* By fault: to player 0, to player 1. */
static const double wrong_payoffs[FAULTS][2] = {
    [PAYOFF_SUM] = {0.4, 0.4},       [PAYOFF_SUM_MORE] = {0.6, 0.6}, [PAYOFF_RANGE] = {2, -1},
    [PAYOFF_FIRST_LESS] = {-1, 0.5}, [PAYOFF_FIRST_MORE] = {2, 0.5}, [PAYOFF_SECOND_LESS] = {0.5, -1},
    [PAYOFF_SECOND_MORE] = {0.5, 2},
};

static double toy_payoff(const void *state, int side) {
    const struct toy *s = state;
    const enum fault fault = fault_of(s);
    if (fault >= PAYOFF_SUM && fault <= PAYOFF_SECOND_MORE)
        return wrong_payoffs[fault][side];
    return s->side != side ? 1 : 0;
}

static int toy_turn(const void *state) {
    return ((const struct toy *)state)->turn;
}

static bool toy_valid(const void *state) {
    const struct toy *s = state;
    return s->stones <= STONES && s->side < 2 && s->secret[0] <= UNKNOWN && s->secret[1] <= UNKNOWN &&
           !(fault_of(s) == INVALID && s->turn == 0);
}

/* ---- views ---- */

static void toy_hide(void *state, int side) {
    struct toy *s = state;
    const enum fault fault = fault_of(s);
    const bool again = side != NOBODY && s->secret[side ^ 1] == UNKNOWN;
    if (fault == HIDE_TRACE && !again) /* in neither text nor key: in the bytes alone */
        s->history = side == NOBODY ? 0 : (uint8_t)(100 + s->secret[side ^ 1]);
    for (int other = 0; other < 2; other++)
        if (other != side && !(fault == HIDE_LESS && side == NOBODY && other == 0))
            s->secret[other] = UNKNOWN;
    s->salt = 0;
    if (fault == HIDE_AGAIN && again)
        s->secret[side] = UNKNOWN;
    if (fault == HIDE_ACTIONS)
        s->secret[0] = UNKNOWN;
    if (fault == HIDE_MOVER && side == s->side)
        s->stones = 0; /* over, and hiding again does not change that */
    toy_set_key(s);
}

static double toy_worlds(const void *view) {
    const struct toy *s = view;
    const int unknown = (s->secret[0] == UNKNOWN) + (s->secret[1] == UNKNOWN);
    const enum fault fault = fault_of(s);
    if (fault == FULL_UNKNOWN || fault == FULL_IMPOSSIBLE)
        return fault == FULL_UNKNOWN ? 2 : 0;
    if (unknown > 0 && fault == WORLDS_ENDLESS)
        return 0x1p53;
    if (unknown > 0 && (fault == WORLDS_NONE || fault == WORLDS_PARTS))
        return fault == WORLDS_NONE ? 0 : 1.5;
    return fault == WORLD_MISSING ? 1 : 1 << unknown;
}

static void toy_world(void *view, uint64_t number) {
    struct toy *s = view;
    const enum fault fault = fault_of(s);
    const bool unknown = s->secret[0] == UNKNOWN || s->secret[1] == UNKNOWN;
    for (int side = 0; side < 2; side++)
        if (s->secret[side] == UNKNOWN && !(fault == WORLD_UNKNOWN && side == 0)) {
            s->secret[side] = fault == WORLD_TWICE ? 0 : (uint8_t)(number & 1);
            number >>= 1;
        }
    if (fault == FULL_WORLD_CHANGED && !unknown)
        s->secret[0] ^= 1;
    if (fault == WORLD_INVALID && unknown)
        s->side = 7;
    if (fault == WORLD_OTHER && unknown && s->stones > 0)
        s->stones--;
    toy_set_key(s);
}

static void toy_determinize(void *view, struct rng *r) {
    struct toy *s = view;
    const enum fault fault = fault_of(s);
    const bool unknown = s->secret[0] == UNKNOWN || s->secret[1] == UNKNOWN;
    for (int side = 0; side < 2; side++)
        if (s->secret[side] == UNKNOWN)
            s->secret[side] = (uint8_t)rng_below(r, 2);
    if (fault == FULL_CHANGED && s->stones == 1)
        s->secret[0] ^= 1;
    if (fault == DETERMINIZE_INVALID && unknown)
        s->side = 7;
    if (fault == DETERMINIZE_OTHER && unknown && s->stones > 0)
        s->stones--;
    if (fault == DETERMINIZE_ELSEWHERE && unknown)
        s->salt = 1;
    toy_set_key(s);
}

/* ---- rollout and notation ---- */

static bool rollout_goes_on(const struct toy *s, int turns, int turns_max) {
    const enum fault fault = fault_of(s);
    if (s->stones == 0 || (fault == ROLLOUT_SHORT && s->stones < 3))
        return false;
    if (fault == ROLLOUT_TOO_SHORT && turns_max == 2)
        return turns < 1;
    if (fault == ROLLOUT_ONE_MORE && turns_max > 0)
        return turns < turns_max + 1;
    return turns_max == 0 || fault == ROLLOUT_TOO_LONG || turns < turns_max;
}

static long toy_rollout(void *state, struct rng *r, int turns_max) {
    struct toy *s = state;
    const enum fault fault = fault_of(s);
    long count = 0;
    while (rollout_goes_on(s, (int)count, turns_max)) {
        const uint32_t most = s->stones < TAKE_MAX ? s->stones : TAKE_MAX;
        const uint32_t drawn = fault == ROLLOUT_UNSEEDED ? (uint32_t)shared_counter++ : rng_below(r, most);
        s->stones = (uint8_t)(s->stones - 1 - drawn % most);
        s->side ^= 1;
        s->turn++;
        count++;
    }
    if (fault == ROLLOUT_STRANGE || (fault == ROLLOUT_STOPS_STRANGELY && turns_max > 0))
        s->side = 7;
    if (fault == ROLLOUT_ENDS_ANEW)
        s->secret[0] = (uint8_t)(shared_counter++ % 2);
    toy_set_key(s);
    if (fault == ROLLOUT_INVALID)
        s->key++;
    if (fault == ROLLOUT_COUNTS_ANEW)
        return count == 0 ? 0 : count + shared_counter++ % 2;
    return fault == ROLLOUT_MISCOUNTS ? count + 1 : fault == ROLLOUT_COUNTS_DOWN ? -count : count;
}

static void toy_write_state(const void *state, struct text *out) {
    const struct toy *s = state;
    text_add(out, "%d %d %d %d %d", s->stones, s->side, s->turn, s->secret[0], s->secret[1]);
}

static bool toy_read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct toy *s = state;
    int n[5];
    memset(s, 0, sizeof *s);
    s->scenario = (const struct toy_scenario *)scenario;
    if (sscanf(text, "%d %d %d %d %d", &n[0], &n[1], &n[2], &n[3], &n[4]) != 5 ||
        fault_of(s) == STATE_UNREADABLE || (fault_of(s) == HIDE_TEXT && n[3] == UNKNOWN))
        return err_set(e, "five numbers are expected");
    s->stones = (uint8_t)n[0];
    s->side = (uint8_t)(fault_of(s) == STATE_READ_INVALID ? 7 : n[1]);
    s->turn = (uint8_t)(n[2] + (fault_of(s) == STATE_READ_WRONGLY));
    s->secret[0] = (uint8_t)n[3];
    s->secret[1] = (uint8_t)n[4];
    toy_set_key(s);
    return true;
}

static void toy_write_action(const void *state, action a, struct text *out) {
    text_add_string(out, "take");
    if (fault_of(state) != ACTION_UNREADABLE)
        text_add(out, " %u", (unsigned)a);
}

static bool toy_read_action(const void *state, const char *text, action *out, struct err *e) {
    unsigned take;
    if (sscanf(text, "take %u", &take) != 1)
        return err_set(e, "expected take N");
    *out = (action)(fault_of(state) == ACTION_READ_WRONGLY ? 3 - take : take);
    return fault_of(state) == ACTION_READ_ILLEGAL || toy_is_legal(state, take) || err_set(e, "illegal");
}

static const char *toy_result(const void *state) {
    const struct toy *s = state;
    const bool early = fault_of(s) == RESULT_TOO_EARLY && s->stones == 1;
    return s->stones > 0 && !early ? "none" : "taken";
}

/* ---- what searches may use ---- */

static int toy_least(const void *state, action *out) {
    const enum fault fault = fault_of(state);
    const bool over = toy_mover(state) == NOBODY;
    out[0] = fault == LIST_ILLEGAL ? STONES + 1 : 1;
    out[1] = out[2] = 1;
    if (fault == LIST_EMPTY || (over && fault != LIST_WHEN_OVER))
        return 0;
    return fault == LIST_NEGATIVE ? -1 : fault == LIST_TOO_LONG ? TAKE_MAX + 1 : 1;
}

static double toy_eval(const void *state, int side, const double *weights) {
    (void)weights;
    const double small = 1e-10, wrong = 1.5e-9;
    const bool odd = ((const struct toy *)state)->stones % 2 != 0;
    const enum fault fault = fault_of(state);
    if (fault == EVAL_ONE_SIDED || fault == EVAL_BOTH_LOSE)
        return fault == EVAL_ONE_SIDED ? 1 : -1;
    if (fault == EVAL_NO_NUMBER)
        return (double)NAN;
    if (fault == EVAL_SUM_MORE || fault == EVAL_SUM_LESS)
        return side == 1 ? 0 : fault == EVAL_SUM_MORE ? wrong : -wrong;
    if (fault == EVAL_ROUNDED)
        return side == 0 ? small : odd ? 0 : -2 * small;
    return side == 0 ? 1 : -1;
}

static void toy_score(const void *state, const action *list, int count, float *out) {
    (void)state;
    for (int i = 0; i < count; i++)
        out[i] = (float)list[i];
}

static void toy_bounds(const void *state, double *low, double *high) {
    const enum fault fault = fault_of(state);
    const bool wide = fault >= PAYOFF_SUM && fault <= PAYOFF_SECOND_MORE; /* another law's to find */
    *low = wide ? -1 : fault == BOUNDS_TOO_HIGH ? 1 : 0;
    *high = wide ? 2 : fault == BOUNDS_TOO_LOW ? 0 : 1;
}

static void toy_secured(const void *state, double *low, double *high) {
    const enum fault fault = fault_of(state);
    toy_bounds(state, low, high);
    if (toy_mover(state) == NOBODY)
        *low = *high = toy_payoff(state, 0);
    if (fault == SECURED_WIDER)
        *low -= 1;
    if (fault == SECURED_HIGHER)
        *high = 2;
    if (fault == SECURED_CROSSED) {
        *low = 0.75;
        *high = 0.25;
    }
}

static struct turn_progress toy_progress(const void *state) {
    const enum fault fault = fault_of(state);
    const bool over = toy_mover(state) == NOBODY && fault != PROGRESS_OVER;
    return (struct turn_progress){.taken = fault == PROGRESS_NEGATIVE ? -1 : 0,
                                  .left = over || fault == PROGRESS_NONE ? 0 : 1};
}

static const struct eval toy_evals[] = {{"mine", "red is ahead", toy_eval}, {0}};
static const struct prior toy_priors[] = {{"most", "two before one", toy_score}, {0}};
static const struct action_list toy_lists[] = {
    {"all", "one or two", toy_actions}, {"least", "one", toy_least}, {0}};
static const struct rollout toy_rollouts[] = {{"uniform", "one or two, evenly", toy_rollout}, {0}};
static const struct notation toy_notation = {.write_state = toy_write_state,
                                             .read_state = toy_read_state,
                                             .write_action = toy_write_action,
                                             .read_action = toy_read_action,
                                             .result = toy_result,
                                             .side_names = {"first", "second"}};

static struct scenario *toy_load(const struct game_source *source, const struct game *game, struct err *e) {
    (void)source, (void)game;
    err_set(e, "the tests make their scenarios themselves");
    return NULL;
}

static const struct game toy_game = {
    .name = "toy",
    .help = "take one or two stones; who takes the last wins",
    .state_size = sizeof(struct toy),
    .actions_max = TAKE_MAX,
    .load = toy_load,
    .start = toy_start,
    .mover = toy_mover,
    .actions = toy_actions,
    .is_legal = toy_is_legal,
    .play = toy_play,
    .payoff = toy_payoff,
    .turn = toy_turn,
    .progress = toy_progress,
    .bounds = toy_bounds,
    .secured = toy_secured,
    .evals = toy_evals,
    .priors = toy_priors,
    .lists = toy_lists,
    .key = toy_key,
    .key_from_scratch = toy_key_from_scratch,
    .valid = toy_valid,
    .hide = toy_hide,
    .determinize = toy_determinize,
    .worlds = toy_worlds,
    .world = toy_world,
    .rollouts = toy_rollouts,
    .text = &toy_notation,
};

/* ---- tests ---- */

/* Each complete: the game and the ply show that the fault was found at the first opportunity. */
static const char *const sentences[FAULTS] = {
    [INVALID] = "game 0, ply 0: the state is not valid",
    [STRANGE_MOVER] = "game 1, ply 4: the mover is 2; expected 0, 1 or NOBODY",
    [RESULT_TOO_EARLY] = "game 0, ply 5: the mover is 1 while the result is 'taken'",
    [TOO_MANY] = "game 0, ply 3: 3 actions are listed; actions_max is 2",
    [ACTIONS_WHEN_OVER] = "game 0, ply 6: 1 actions are listed although the game is over",
    [NO_ACTIONS] = "game 2, ply 6: no action is listed although player 0 moves",
    [ILLEGAL] = "game 0, ply 5: action 0 of the list (00000002) is not legal",
    [DUPLICATE] = "game 0, ply 0: action 00000001 is listed twice",
    [UNSTABLE] = "game 0, ply 0: the list of actions differs when asked for again",
    [KEY] = "game 0, ply 4: the key differs from the key computed anew",
    [ACTION_UNREADABLE] = "game 0, ply 0: action 'take' is written but not read: expected take N",
    [ACTION_READ_WRONGLY] = "game 0, ply 0: action 'take 1' reads back as another one",
    [ACTION_READ_ILLEGAL] = "game 0, ply 5: action 'take 2' is read, although it is not legal here",
    [STATE_UNREADABLE] = "game 0, ply 0: the state is written but not read: five numbers are expected",
    [STATE_READ_WRONGLY] = "game 0, ply 0: the state read back has another text, key, mover or turn",
    [STATE_READ_INVALID] = "game 0, ply 0: the state read back is not valid",
    [STATE_KEY_OF_HISTORY] = "game 0, ply 1: the state read back has another text, key, mover or turn",
    [STATE_ACTIONS_OF_HISTORY] = "game 0, ply 1: the state read back has other actions",
    [SHARED] = "game 0, ply 0: playing on a copy changed the original",
    [CHANCE_ELSEWHERE] = "game 0, ply 0: the same action on two copies gave two positions",
    [PAYOFF_SUM] = "game 0, ply 6: the payoffs are 0.4 and 0.4; they must sum to 1",
    [PAYOFF_SUM_MORE] = "game 0, ply 6: the payoffs are 0.6 and 0.6; they must sum to 1",
    [PAYOFF_RANGE] = "game 0, ply 6: the payoffs are 2 and -1; expected 0 to 1",
    [PAYOFF_FIRST_LESS] = "game 0, ply 6: the payoffs are -1 and 0.5; expected 0 to 1",
    [PAYOFF_FIRST_MORE] = "game 0, ply 6: the payoffs are 2 and 0.5; expected 0 to 1",
    [PAYOFF_SECOND_LESS] = "game 0, ply 6: the payoffs are 0.5 and -1; expected 0 to 1",
    [PAYOFF_SECOND_MORE] = "game 0, ply 6: the payoffs are 0.5 and 2; expected 0 to 1",
    [ENDLESS] = "game 2, ply 100000: the game does not end",
    [TURN_BACK] = "game 0, ply 4: the turn went back from 3 to 0",
    [ROLLOUT_SHORT] = "game 0, ply 0: rollout 'uniform' stopped before the end of the game",
    [ROLLOUT_INVALID] = "game 0, ply 0: rollout 'uniform' left a state that is not valid",
    [ROLLOUT_STRANGE] = "game 0, ply 0: rollout 'uniform' left a state that is not valid",
    [ROLLOUT_STOPS_STRANGELY] =
        "game 0, ply 0: rollout 'uniform' left a state that is not valid after 1 turns",
    [ROLLOUT_MISCOUNTS] = "game 0, ply 6: rollout 'uniform' says that it played 1 actions",
    [ROLLOUT_COUNTS_DOWN] = "game 0, ply 0: rollout 'uniform' says that it played -6 actions",
    [ROLLOUT_COUNTS_ANEW] = "game 0, ply 0: rollout 'uniform' gave two games from one seed",
    [ROLLOUT_ENDS_ANEW] = "game 0, ply 0: rollout 'uniform' gave two games from one seed",
    [ROLLOUT_UNSEEDED] = "game 0, ply 1: rollout 'uniform' gave two games from one seed",
    [ROLLOUT_TOO_LONG] = "game 0, ply 0: rollout 'uniform' played 6 turns; 1 were asked for",
    [ROLLOUT_TOO_SHORT] = "game 0, ply 0: rollout 'uniform' stopped after 1 turns; 2 were asked for",
    [LIST_EMPTY] = "game 0, ply 0: list 'least' has 0 actions",
    [LIST_NEGATIVE] = "game 0, ply 0: list 'least' has -1 actions",
    [LIST_TOO_LONG] = "game 0, ply 0: list 'least' has 3 actions",
    [LIST_WHEN_OVER] = "game 0, ply 6: list 'least' has 1 actions",
    [LIST_ILLEGAL] = "game 0, ply 0: list 'least' has an illegal action at 0",
    [EVAL_ONE_SIDED] = "game 0, ply 0: evaluation 'mine' gives 1 and 1, which do not cancel",
    [EVAL_BOTH_LOSE] = "game 0, ply 0: evaluation 'mine' gives -1 and -1, which do not cancel",
    [EVAL_NO_NUMBER] = "game 0, ply 0: evaluation 'mine' gives nan and nan, which do not cancel",
    [EVAL_SUM_MORE] = "game 0, ply 0: evaluation 'mine' gives 1.5e-09 and 0, which do not cancel",
    [EVAL_SUM_LESS] = "game 0, ply 0: evaluation 'mine' gives -1.5e-09 and 0, which do not cancel",
    [BOUNDS_TOO_LOW] = "game 0, ply 1: the bounds 0..0 do not hold: a game ended with 1",
    [BOUNDS_TOO_HIGH] = "game 0, ply 0: the bounds 1..1 do not hold: a game ended with 0",
    [SECURED_WIDER] = "game 0, ply 0: best play is bounded to -1..1, any play to 0..1",
    [SECURED_HIGHER] = "game 0, ply 0: best play is bounded to 0..2, any play to 0..1",
    [SECURED_CROSSED] = "game 0, ply 0: best play is bounded to 0.75..0.25, any play to 0..1",
    [PROGRESS_OVER] = "game 0, ply 6: the turn has 0 decisions taken and 1 left",
    [PROGRESS_NONE] = "game 0, ply 0: the turn has 0 decisions taken and 0 left",
    [PROGRESS_NEGATIVE] = "game 0, ply 0: the turn has -1 decisions taken and 1 left",
    [FULL_UNKNOWN] = "game 0, ply 0: a state in which nothing is unknown has 2 worlds",
    [FULL_IMPOSSIBLE] = "game 0, ply 0: a state in which nothing is unknown has 0 worlds",
    [FULL_CHANGED] = "game 0, ply 5: filling in what is unknown changed a state in which nothing is",
    [FULL_WORLD_CHANGED] = "game 0, ply 0: filling in what is unknown changed a state in which nothing is",
    [HIDE_AGAIN] = "game 0, ply 0: hiding twice from player 0 differs from hiding once",
    [HIDE_ACTIONS] = "game 0, ply 0: player 0 has other actions in its own view",
    [HIDE_MOVER] = "game 0, ply 0: player 0 is to move, but not in its own view",
    [HIDE_TRACE] = "game 0, ply 0: a world of the view of player 0 has another view",
    [HIDE_TEXT] = "game 0, ply 0: the view of no player is written but not read: five numbers are expected",
    [HIDE_LESS] = "game 0, ply 0: what both know is not part of what player 1 knows",
    [DETERMINIZE_INVALID] = "game 0, ply 0: determinized: a world of the view of no player is not valid",
    [DETERMINIZE_OTHER] = "game 0, ply 0: determinized: a world of the view of no player has another view",
    [DETERMINIZE_ELSEWHERE] = "game 0, ply 0: determinizing the view of no player gave none of its worlds",
    [WORLDS_NONE] = "game 0, ply 0: the view of no player has 0 worlds; expected a whole number from 1",
    [WORLDS_PARTS] = "game 0, ply 0: the view of no player has 1.5 worlds; expected a whole number from 1",
    [WORLDS_ENDLESS] =
        "game 0, ply 0: the view of no player has 9.0072e+15 worlds; expected a whole number from 1",
    [WORLD_INVALID] = "game 0, ply 0: a world of the view of no player is not valid",
    [WORLD_UNKNOWN] = "game 0, ply 0: a world of the view of no player still hides something",
    [WORLD_OTHER] = "game 0, ply 0: a world of the view of no player has another view",
    [WORLD_ACTIONS] = "game 1, ply 1: player 1 has other actions in a world of its view",
    [WORLD_TWICE] = "game 0, ply 0: worlds 0 and 1 of the view of no player are the same",
    [WORLD_MISSING] = "game 0, ply 0: the state is none of the worlds of the view of no player",
};

static void a_good_game_passes(void **state) {
    (void)state;
    const struct toy_scenario sc = {{&toy_game}, NONE, &shared_counter};
    struct err e = {{0}};
    const bool ok = game_check(&sc.base, 100, 1, &e);
    if (!ok)
        fail_msg("%s", e.text);
}

static void what_a_law_allows_passes(void **state) {
    (void)state;
    for (int allowed = FAULTS + 1; allowed < ALLOWED_END; allowed++) {
        const struct toy_scenario sc = {{&toy_game}, (enum fault)allowed, &shared_counter};
        struct err e = {{0}};
        if (!game_check(&sc.base, 20, 7, &e))
            fail_msg("%d: %s", allowed - FAULTS, e.text);
    }
}

static void check_toy(void *scenario) {
    struct err e = {{0}};
    assert_true(game_check(scenario, 1, 7, &e));
}

/* Two lists and two texts. */
static void memory_may_run_out(void **state) {
    (void)state;
    struct toy_scenario sc = {{&toy_game}, NONE, &shared_counter};
    for (long n = 1; n <= 4; n++)
        assert_true(memory_runs_out(n, check_toy, &sc));
}

static void every_broken_law_is_named(void **state) {
    (void)state;
    for (int fault = INVALID; fault < FAULTS; fault++) {
        const struct toy_scenario sc = {{&toy_game}, (enum fault)fault, &shared_counter};
        struct err e = {{0}};
        shared_counter = 0;
        if (game_check(&sc.base, 20, 7, &e))
            fail_msg("fault %d was not found; expected '%s'", fault, sentences[fault]);
        if (strncmp(e.text, "toy, seed 7, ", 13) != 0 || strcmp(e.text + 13, sentences[fault]) != 0)
            fail_msg("fault %d: got '%s', expected '%s'", fault, e.text, sentences[fault]);
    }
}

static void the_reason_may_be_left_out(void **state) {
    (void)state;
    const struct toy_scenario sc = {{&toy_game}, PAYOFF_SUM, &shared_counter};
    assert_false(game_check(&sc.base, 1, 1, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_game_passes),         cmocka_unit_test(what_a_law_allows_passes),
        cmocka_unit_test(memory_may_run_out),         cmocka_unit_test(every_broken_law_is_named),
        cmocka_unit_test(the_reason_may_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
