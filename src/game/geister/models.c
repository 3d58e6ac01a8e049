/* SPDX-License-Identifier: MIT
 *
 * The rules as the three models play them in the tree. They differ in what happens when a piece is taken,
 * when it steps on its exit, and when a simulation begins.
 */
#include "game/geister/models.h"

#include "game/geister/models_inside.h"

#include <assert.h>
#include <stddef.h>

enum { STATE_SIZE = offsetof(struct geister, from), ACTIONS_MAX = 64 };

/* ---- chances ---- */

double geister_all_reds_taken(int hidden, int reds, int taken) {
    if (taken < reds)
        return 0;
    return (double)core_choose(hidden - reds, taken - reds) / core_choose(hidden, taken);
}

double geister_four_reds_taken(int hidden, int reds, int taken) {
    const int blues = taken - GEISTER_REDS;
    if (blues < 0 || blues > hidden - reds)
        return 0;
    return (double)core_choose(hidden - reds, blues) / core_choose(hidden, taken);
}

typedef double reds_taken(int hidden, int reds, int taken);

/* Of a `never` state: (1), the chance that nothing was lost on the way, by that reading of (2). */
static double alive(const struct geister *s, reds_taken *chance) {
    const int hider = models_hider(s);
    const struct models_open open = models_open(s, hider);
    const unsigned taken = core_taken(s, hider);
    if (s->red[hider] != 0 || taken == 0) /* one red is known to stand there still */
        return (double)s->alive;
    const int count = bits_count(taken & ~(unsigned)s->known[hider]) - (taken == CORE_ALL_PIECES);
    return (double)s->alive * (1 - chance(open.pieces, open.reds, count));
}

/* ---- actions ---- */

/* Its pieces that are red for sure: those that some colours would let leave are all others. */
static uint64_t seen_reds(const struct geister *s, int side) {
    unsigned seen = (unsigned)(s->known[side] & s->reds[side]) & ~(unsigned)s->drawn[side];
    uint64_t cells = 0;
    for (; seen != 0; seen &= seen - 1) {
        const int cell = s->where[side][bits_first(seen)];
        if (cell < GEISTER_CELLS)
            cells |= core_bit(cell);
    }
    return cells;
}

static int any_actions(const void *state, action *out) {
    const struct geister *s = state;
    return core_moves(s, core_pieces(s, s->mover) & ~seen_reds(s, s->mover), out);
}

static int never_actions(const void *state, action *out) {
    const struct geister *s = state;
    return core_moves(s, s->blue[s->mover], out);
}

/* ---- playing ---- */

/* Gives a piece its colour, for this simulation. */
static void draw_colour(struct geister *s, int side, int piece, struct rng *r) {
    const bool red = models_draw(models_open(s, side), rng_next(r));
    const int cell = s->where[side][piece];
    models_note(s, side, piece, red);
    if (cell < GEISTER_CELLS) {
        s->unknown[side] ^= core_bit(cell);
        *(red ? &s->red[side] : &s->blue[side]) |= core_bit(cell);
    }
}

static bool is_open(const struct geister *s, int side, int piece) {
    return (s->known[side] >> piece & 1) == 0;
}

/* C: a hidden piece steps on its exit. */
static void stand_on_exit(struct geister *s, enum geister_model model, int side, int piece) {
    if (!is_open(s, side, piece) || (s->seen_exit >> piece & 1) != 0)
        return;
    s->alive *= models_survival(models_open(s, side), model == GEISTER_AGAIN ? 0 : bits_count(s->seen_exit));
    s->seen_exit |= (uint8_t)(1U << piece);
    if (s->alive <= 0)
        models_end(s, GEISTER_BY_ESCAPE, side);
}

static void take_piece(struct geister *s, enum geister_model model, int cell, struct rng *r) {
    const int side = 1 - s->mover, piece = geister_piece_at(s, side, cell);
    const uint64_t others = ~core_bit(cell);
    if (model == GEISTER_LATE && is_open(s, side, piece))
        draw_colour(s, side, piece, r);
    s->where[side][piece] = GEISTER_TAKEN;
    s->red[side] &= others;
    s->blue[side] &= others;
    s->unknown[side] &= others;
}

static void step(struct geister *s, int piece, int from, int to) {
    const int side = s->mover;
    const uint64_t target = to < GEISTER_CELLS ? core_bit(to) : 0;
    s->where[side][piece] = (uint8_t)to;
    core_shift(&s->red[side], core_bit(from), target);
    core_shift(&s->blue[side], core_bit(from), target);
    core_shift(&s->unknown[side], core_bit(from), target);
}

/* Hidden pieces on their exits while the game goes on: one that has stepped there, or since the root. */
static void look_at_exits(struct geister *s, enum geister_model model, struct rng *r) {
    const int hider = models_hider(s);
    uint64_t standing = s->unknown[hider] & core_exits(hider);
    for (; standing != 0 && s->stage == GEISTER_PLAYING; standing = bits_without_first(standing)) {
        const int piece = geister_piece_at(s, hider, bits_first(standing));
        if (model == GEISTER_LATE)
            draw_colour(s, hider, piece, r);
        else
            stand_on_exit(s, model, hider, piece);
    }
}

/* By the rules, as far as colours are known; C knows no more when the other side has no piece left. */
static void settle(struct geister *s, int taken_from) {
    core_settle(s);
    if (s->stage == GEISTER_PLAYING && core_pieces(s, taken_from) == 0)
        models_end(s, GEISTER_BY_BLUES, 1 - taken_from);
}

static void play(struct geister *s, enum geister_model model, action a, struct rng *r) {
    const int side = s->mover, cell = (int)a / 4, piece = geister_piece_at(s, side, cell);
    const bool leaves = core_steppers(core_bit(cell), (int)a % 4) == 0;
    const int to = leaves ? GEISTER_ESCAPED : cell + core_delta((int)a % 4);
    const bool takes = !leaves && (core_pieces(s, 1 - side) & core_bit(to)) != 0;
    assert(s->stage == GEISTER_PLAYING);
    assert(!leaves || (s->blue[side] & core_bit(cell)) != 0);
    if (takes)
        take_piece(s, model, to, r);
    step(s, piece, cell, to);
    if (model == GEISTER_AGAIN && side == models_hider(s))
        s->seen_exit &= (uint8_t) ~(1U << piece);
    s->ply++;
    s->mover = (uint8_t)(1 - side);
    if (takes || leaves || s->ply >= core_scenario(s)->plies)
        settle(s, 1 - side);
    if (model != GEISTER_EARLY)
        look_at_exits(s, model, r);
}

static void early_play(void *state, action a, struct rng *r) {
    play(state, GEISTER_EARLY, a, r);
}

static void late_play(void *state, action a, struct rng *r) {
    play(state, GEISTER_LATE, a, r);
}

static void never_play(void *state, action a, struct rng *r) {
    play(state, GEISTER_NEVER, a, r);
}

static void again_play(void *state, action a, struct rng *r) {
    play(state, GEISTER_AGAIN, a, r);
}

/* ---- how simulations begin and end ---- */

static void early_begin(void *state, struct rng *r) {
    struct geister *s = state;
    const int hider = models_hider(s);
    for (int i = 0; i < GEISTER_PIECES; i++)
        if (is_open(s, hider, i))
            draw_colour(s, hider, i, r);
}

static void late_begin(void *state, struct rng *r) {
    look_at_exits(state, GEISTER_LATE, r);
}

static void never_begin(void *state, struct rng *r) {
    struct geister *s = state;
    (void)r; /* nothing is drawn */
    s->alive = 1;
    s->seen_exit = 0;
}

static double won(const struct geister *s, int side) {
    return s->winner == CORE_NO_WINNER ? 0.5 : s->winner == side ? 1 : 0;
}

static double drawn_payoff(const void *state, int side) {
    return won(state, side);
}

static double survived(const struct geister *s, int side, reds_taken *chance) {
    const int searcher = 1 - models_hider(s);
    const double value = won(s, searcher) * alive(s, chance);
    return side == searcher ? value : 1 - value;
}

static double never_payoff(const void *state, int side) {
    return survived(state, side, geister_all_reds_taken);
}

static double letter_payoff(const void *state, int side) {
    return survived(state, side, geister_four_reds_taken);
}

/* ---- the rest of the tables ---- */

static int ply_of(const void *state) {
    return ((const struct geister *)state)->ply;
}

static struct turn_progress one_move(const void *state) {
    (void)state;
    return (struct turn_progress){0, 1};
}

static uint64_t blind_key(const void *state) {
    const struct geister *s = state;
    const int hider = models_hider(s);
    uint64_t key = rng_mix(s->red[1 - hider] ^ (uint64_t)s->ply << 48);
    key = rng_mix(key ^ s->blue[1 - hider] ^ (uint64_t)s->mover << 63);
    key = rng_mix(key ^ core_pieces(s, hider));
    return rng_mix(key ^ seen_reds(s, hider) ^ (uint64_t)hider << 63);
}

/* Boards and places say the same, and no colour is drawn that there is not. */
static bool model_valid(const void *state) {
    const struct geister *s = state;
    for (int side = 0; side < 2; side++) {
        uint64_t boards[3] = {0};
        for (int i = 0; i < GEISTER_PIECES; i++) {
            const int kind = is_open(s, side, i) ? 0 : 1 + (s->reds[side] >> i & 1);
            if (s->where[side][i] < GEISTER_CELLS)
                boards[kind] |= core_bit(s->where[side][i]);
        }
        if (boards[0] != s->unknown[side] || boards[1] != s->blue[side] || boards[2] != s->red[side] ||
            bits_count(s->reds[side]) > GEISTER_REDS ||
            bits_count(s->known[side] & ~(unsigned)s->reds[side]) > GEISTER_PIECES - GEISTER_REDS)
            return false;
    }
    return (core_pieces(s, 0) & core_pieces(s, 1)) == 0;
}

#define COMMON_SLOTS                                                                                         \
    .state_size = STATE_SIZE, .actions_max = ACTIONS_MAX, .mover = geister_mover,                            \
    .is_legal = geister_is_legal, .turn = ply_of, .progress = one_move, .key = blind_key,                    \
    .key_from_scratch = blind_key, .valid = model_valid

const struct game geister_models[GEISTER_MODELS] = {
    [GEISTER_EARLY] = {COMMON_SLOTS, .name = "geister-early",
                       .help = "all hidden colours are drawn before a simulation", .actions = any_actions,
                       .play = early_play, .payoff = drawn_payoff, .determinize = early_begin,
                       .rollouts = geister_rollouts},
    [GEISTER_LATE] = {COMMON_SLOTS, .name = "geister-late", .help = "a colour is drawn when it is needed",
                      .actions = any_actions, .play = late_play, .payoff = drawn_payoff,
                      .determinize = late_begin, .rollouts = models_late_rollouts},
    [GEISTER_NEVER] = {COMMON_SLOTS, .name = "geister-never", .help = "no colour is drawn",
                       .actions = never_actions, .play = never_play, .payoff = never_payoff,
                       .determinize = never_begin, .rollouts = models_never_rollouts},
    [GEISTER_AGAIN] = {COMMON_SLOTS, .name = "geister-again",
                       .help = "no colour is drawn, and every step on an exit counts as the first",
                       .actions = never_actions, .play = again_play, .payoff = never_payoff,
                       .determinize = never_begin, .rollouts = models_again_rollouts},
    [GEISTER_LETTER] = {COMMON_SLOTS, .name = "geister-letter",
                        .help = "no colour is drawn, and only four reds of one simulation lose it",
                        .actions = never_actions, .play = never_play, .payoff = letter_payoff,
                        .determinize = never_begin, .rollouts = models_never_rollouts},
};
