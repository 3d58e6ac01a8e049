/* SPDX-License-Identifier: MIT
 *
 * Kuhn poker (H. W. Kuhn, "A simplified two-person poker", 1950). It is small enough to be solved completely
 * (worth -1/18 chips to the first player), so it is the reference for players and solvers of games with
 * hidden information.
 *
 * Both players ante one chip and are dealt one of three cards, J below Q below K. Each may `pass` or `bet` a
 * second chip: before a bet a pass is a check, after it a fold, and a bet after a bet is a call. Passing
 * twice or calling shows the cards.
 *
 *     pass pass        the higher card wins 1        bet pass         the first wins 1
 *     pass bet pass    the second wins 1             bet bet          the higher card wins 2
 *     pass bet bet     the higher card wins 2
 *
 * A state is written `cards=J,K moves=pass,bet`, with `?` for an unknown card and `-` for no moves.
 */
#include "game/plain.h"

#include <assert.h>
#include <string.h>

enum { CARDS = 3, CARD_UNKNOWN = CARDS, DEALS = CARDS * (CARDS - 1) };
enum { PASS, BET, STAKE_MAX = 2 };

/* All sequences of play. The rest of a name are the moves so far. */
enum stage { START, P, B, PB, END_PP, END_PBP, END_PBB, END_BP, END_BB, STAGES };

struct stage_row {
    int mover, turn;
    enum stage next[2]; /* after a pass, after a bet */
    int stake;          /* at the end: chips that change hands … */
    int winner;         /* … to this side; NOBODY: to the higher card */
    const char *moves;
};

static const struct stage_row stages[STAGES] = {
    [START] = {.mover = 0, .turn = 0, .next = {P, B}, .moves = "-"},
    [P] = {.mover = 1, .turn = 1, .next = {END_PP, PB}, .moves = "pass"},
    [B] = {.mover = 1, .turn = 1, .next = {END_BP, END_BB}, .moves = "bet"},
    [PB] = {.mover = 0, .turn = 2, .next = {END_PBP, END_PBB}, .moves = "pass,bet"},
    [END_PP] = {.mover = NOBODY, .turn = 2, .stake = 1, .winner = NOBODY, .moves = "pass,pass"},
    [END_PBP] = {.mover = NOBODY, .turn = 3, .stake = 1, .winner = 1, .moves = "pass,bet,pass"},
    [END_PBB] = {.mover = NOBODY, .turn = 3, .stake = 2, .winner = NOBODY, .moves = "pass,bet,bet"},
    [END_BP] = {.mover = NOBODY, .turn = 2, .stake = 1, .winner = 0, .moves = "bet,pass"},
    [END_BB] = {.mover = NOBODY, .turn = 2, .stake = 2, .winner = NOBODY, .moves = "bet,bet"},
};

struct kuhn {
    const struct scenario *scenario;
    uint8_t cards[2], stage, unused[5];
};

static const char card_letters[] = "JQK?";
static const char *const action_names[] = {[PASS] = "pass", [BET] = "bet", NULL};

static const struct stage_row *row_of(const void *state) {
    return &stages[((const struct kuhn *)state)->stage];
}

/* ---- rules ---- */

/* The number-th of the cards that are not `taken` (CARD_UNKNOWN: none is taken). */
static uint8_t card_beside(int taken, int number) {
    return (uint8_t)(number + (number >= taken));
}

/* The deals are numbered: all cards of the first player, for each of them those left for the second. */
static void deal(struct kuhn *s, int number) {
    s->cards[0] = (uint8_t)(number / (CARDS - 1));
    s->cards[1] = card_beside(s->cards[0], number % (CARDS - 1));
}

/* Both cards are dealt here; after that the game has no chance. */
static void start(void *state, const struct scenario *scenario, struct rng *r) {
    struct kuhn *s = state;
    *s = (struct kuhn){.scenario = scenario, .stage = START};
    deal(s, (int)rng_below(r, DEALS));
}

static int mover(const void *state) {
    return row_of(state)->mover;
}

static int actions(const void *state, action *out) {
    out[0] = PASS;
    out[1] = BET;
    return mover(state) == NOBODY ? 0 : 2;
}

static bool is_legal(const void *state, action a) {
    return mover(state) != NOBODY && a <= BET;
}

static void play(void *state, action a, struct rng *r) {
    (void)r;
    assert(is_legal(state, a));
    ((struct kuhn *)state)->stage = (uint8_t)row_of(state)->next[a];
}

/* Chips that side 0 has won. */
static int chips(const struct kuhn *s) {
    const struct stage_row *f = row_of(s);
    const int winner = f->winner != NOBODY ? f->winner : s->cards[1] > s->cards[0];
    return winner == 0 ? f->stake : -f->stake;
}

/* -2 … +2 chips of the first player as 0 … 1, so that the two sides sum to 1. */
static double payoff(const void *state, int side) {
    const double first = (double)(chips(state) + STAKE_MAX) / (2 * STAKE_MAX);
    return side == 0 ? first : 1 - first;
}

static int turn(const void *state) {
    return row_of(state)->turn;
}

/* Bit 32 is always set: rng_mix gives 0 for 0, which tables use for empty entries. */
static uint64_t key(const void *state) {
    const struct kuhn *s = state;
    return rng_mix((uint64_t)s->cards[0] | (uint64_t)s->cards[1] << 8 | (uint64_t)s->stage << 16 |
                   UINT64_C(1) << 32);
}

static bool valid(const void *state) {
    const struct kuhn *s = state;
    return s->stage < STAGES && s->cards[0] <= CARD_UNKNOWN && s->cards[1] <= CARD_UNKNOWN &&
           (s->cards[0] != s->cards[1] || s->cards[0] == CARD_UNKNOWN);
}

/* ---- views ---- */

/* After a showdown both cards are known to both. */
static void hide(void *state, int side) {
    struct kuhn *s = state;
    const bool is_showdown = mover(state) == NOBODY && row_of(state)->winner == NOBODY;
    for (int other = 0; other < 2 && !is_showdown; other++)
        if (other != side)
            s->cards[other] = CARD_UNKNOWN;
}

/* An unknown card is one of those that the other player does not hold. */
static double worlds(const void *view) {
    const struct kuhn *s = view;
    const int unknown = (s->cards[0] == CARD_UNKNOWN) + (s->cards[1] == CARD_UNKNOWN);
    return unknown == 2 ? DEALS : unknown == 1 ? CARDS - 1 : 1;
}

static void world(void *view, uint64_t number) {
    struct kuhn *s = view;
    assert(number < (uint64_t)worlds(view));
    if (s->cards[0] == CARD_UNKNOWN && s->cards[1] == CARD_UNKNOWN)
        deal(s, (int)number);
    for (int side = 0; side < 2; side++)
        if (s->cards[side] == CARD_UNKNOWN)
            s->cards[side] = card_beside(s->cards[side ^ 1], (int)number);
}

/* ---- notation ---- */

static void write_state(const void *state, struct text *out) {
    const struct kuhn *s = state;
    text_add(out, "cards=%c,%c moves=%s\n", card_letters[s->cards[0]], card_letters[s->cards[1]],
             row_of(s)->moves);
}

/* Moves are played from the start, so that only sequences of the game are accepted. */
static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct plain_fields fields;
    struct kuhn *s = state;
    *s = (struct kuhn){.scenario = scenario, .stage = START};
    if (!plain_read_fields(text, (const char *const[]){"cards", "moves", NULL}, &fields, e))
        return false;
    const char *cards = fields.values[0];
    if (strlen(cards) != 3 || cards[1] != ',' || strchr(card_letters, cards[0]) == NULL ||
        strchr(card_letters, cards[2]) == NULL)
        return err_set(e, "cards=%.64s: expected two of J, Q, K and ?, say J,K or Q,?", cards);
    for (int side = 0; side < 2; side++)
        s->cards[side] = (uint8_t)(strchr(card_letters, cards[2 * side]) - card_letters);
    if (s->cards[0] == s->cards[1] && s->cards[0] != CARD_UNKNOWN)
        return err_set(e, "cards=%s: there is one card of each kind", cards);
    return plain_play_moves(state, fields.values[1], e);
}

/* In a view after a showdown the cards are known; after a fold they stay unknown but do not matter. */
static const char *result(const void *state) {
    static const char *const words[] = {"-2 chips", "-1 chip", "0 chips", "+1 chip", "+2 chips"};
    const struct kuhn *s = state;
    if (mover(state) != NOBODY)
        return "none";
    const bool unknown = s->cards[0] == CARD_UNKNOWN || s->cards[1] == CARD_UNKNOWN;
    return row_of(s)->winner == NOBODY && unknown ? "unknown" : words[chips(s) + STAKE_MAX];
}

static void scale(const struct scenario *scenario, struct payoff_scale *out) {
    (void)scenario;
    *out = (struct payoff_scale){-STAKE_MAX, STAKE_MAX, "chips"};
}

/* ---- tables ---- */

static const struct rollout rollouts[] = {{"random", "pass or bet, evenly", plain_rollout}, {0}};
static const struct action_list lists[] = {{"all", "pass, bet", actions}, {0}};

static const struct notation notation = {PLAIN_NAMED_NOTATION, .scale = scale,
                                         .side_names = {"first", "second"}};

const struct game kuhn_game = {
    .name = "kuhn",
    .help = "Kuhn poker: three cards, one each, one bet",
    .state_size = sizeof(struct kuhn),
    .scenario_size = sizeof(struct scenario),
    .actions_max = 2,
    PLAIN_SLOTS,
    PLAIN_VIEWS,
    .play = play,
    .determinize = plain_determinize,
    .evals = plain_evals,
};
