/* SPDX-License-Identifier: MIT
 *
 * Three ways to search a position in which the other side's colours are unknown (Nishikori, Aoki and
 * Hashimoto, "UCT wo mochiita Geister AI no kenkyu", section 5): tables over the same state for the same tree
 * search. Their states are views of the searching side (with `drawn`, `seen_exit` and `alive`, but without
 * history); nodes of the tree are sequences of moves, so that different drawn colours lead through the same
 * nodes.
 *
 *     early    A: all colours are drawn before a simulation, which then plays an open game
 *     late     B: a colour is drawn when it is needed: when a piece is taken or steps on its exit
 *     never    C: no colour is drawn; an end is worth the probability that the game was not lost before
 *     again    C in another reading, see below
 *     letter   C in a third one
 *
 * A and B. A piece is red with probability (hidden reds left) / (hidden pieces left): of five hidden pieces
 * two of which are red, 2/5. Since only leaving the board depends on a colour, drawing it early or late gives
 * the same simulations with the same probabilities.
 *
 * C. An end that we would have won is worth
 *
 *     (1) D = E (1 - F)
 *     (2) F = C(Ub, Lb) / C(Uk, Gk)
 *
 * where E is the product of the probabilities to be red of the hidden pieces that stood on their exit, and F
 * the probability that all hidden reds are among those we have taken: Uk pieces were hidden at the root, Ub
 * of them blue, Gk of them were taken, and Lb = Gk - (hidden reds) of those are blue. The paper's example
 * (3), 4/8 (1 - C(4, 1) / C(8, 5)) = 13/28, treats the two as independent, which they are not: over the 70
 * colourings, with five pieces taken and a sixth seen on its exit, the probability is 1/2, and if that one is
 * among the five, 31/70.
 *
 * What the paper leaves open, and how it is read here:
 *   - E counts a piece once, when it first steps on its exit: from then on it is red, or the game is lost. So
 *     the next piece to do so is red with one red and one piece less: 4/8, then 3/7. With none left, E is 0,
 *     and the simulation ends there, worth nothing. That we could take the piece at once does not matter.
 *     `again` is the other reading, without bookkeeping: every step on an exit multiplies E by the
 *     probability at the root, for any piece and any number of times.
 *   - The paper has F = 0 while fewer than four pieces are taken, and Lb blues beside four reds: correct as
 *     long as all four reds are hidden. With reds taken before the root, fewer suffice; `letter` ignores
 *     that and uses (2) as printed, so that it takes pieces too readily once reds are gone.
 *   - A hidden piece that stands on its exit at the root counts as stepping on it when we have moved and
 *     have not taken it (C); its colour is drawn at the beginning of the simulation (B).
 *   - In C no hidden piece leaves the board: E has counted that it would have.
 *   - Losing all our blues is worth 0, the limit of plies half of what a win would be.
 *   - When the other side has no piece left (C), the game was over before its last one was taken: lost if
 *     that one was blue, won if it was red. So it is worth D as it was before: F with Gk - 1.
 *   - Colours that the root knows (taken pieces, and others in positions that were set up) are played by the
 *     rules.
 *
 * The models differ in what happens when a piece is taken, when it steps on its exit, and when a simulation
 * begins.
 */
#include "game/geister/core.h"
#include "game/plain.h"

#include <assert.h>
#include <stddef.h>

enum { STATE_SIZE = offsetof(struct geister, from), ACTIONS_MAX = 64 };

/* ---- whose colours are unknown, and how many of them ---- */

/* The side with colours that the root does not know (the second if all are known). */
static inline int models_hider(const struct geister *s) {
    return (s->known[0] & ~s->drawn[0]) != CORE_ALL_PIECES ? 0 : 1;
}

static inline struct core_hidden models_open(const struct geister *s, int side) {
    return (struct core_hidden){GEISTER_PIECES - bits_count(s->known[side]),
                                GEISTER_REDS - bits_count((uint64_t)(s->reds[side] & s->known[side]))};
}

static inline void models_note(struct geister *s, int side, int piece, bool red) {
    const uint8_t bit = (uint8_t)(1U << piece);
    s->known[side] |= bit;
    s->drawn[side] |= bit;
    s->reds[side] |= red ? bit : 0;
}

/* C: a hidden piece steps on its exit, after others that have counted. True when the game is surely lost. */
static inline bool stand_on_exit(struct geister *s, int hider, struct core_hidden open, int piece,
                                 enum geister_model model) {
    const int stood = model == GEISTER_AGAIN ? 0 : bits_count(s->seen_exit);
    s->alive *= open.reds <= stood ? 0 : (float)(open.reds - stood) / (float)(open.pieces - stood);
    s->seen_exit |= (uint8_t)(1U << piece);
    if (s->alive <= 0)
        core_end(s, GEISTER_BY_ESCAPE, hider);
    return s->alive <= 0;
}

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

/* ---- actions ---- */

/* Its pieces that are certainly red; with some colours all others could leave. */
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

/* C draws no colour, and a piece without a colour does not leave. */
static int never_actions(const void *state, action *out) {
    const struct geister *s = state;
    return core_moves(s, s->blue[s->mover], out);
}

/* ---- playing ---- */

/* Draws a piece's colour for this simulation. */
static void draw_colour(struct geister *s, int side, int piece, struct rng *r) {
    const bool red = core_draws_red(models_open(s, side), rng_next(r));
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

/* Processes hidden pieces on their exits while the game goes on: one that has just stepped there, or since
 * the root. */
static void look_at_exits(struct geister *s, enum geister_model model, struct rng *r) {
    const int hider = models_hider(s);
    uint64_t standing = s->unknown[hider] & core_exits(hider);
    for (; standing != 0 && s->stage == GEISTER_PLAYING; standing = bits_without_first(standing)) {
        const int piece = geister_piece_at(s, hider, bits_first(standing));
        if (model == GEISTER_LATE)
            draw_colour(s, hider, piece, r);
        else if (is_open(s, hider, piece) && (s->seen_exit >> piece & 1) == 0)
            stand_on_exit(s, hider, models_open(s, hider), piece, model);
    }
}

/* The rules, as far as colours are known; C also ends the game when the other side has no piece left. */
static void play(struct geister *s, enum geister_model model, action a, struct rng *r) {
    const int side = s->mover, other = 1 - side, cell = (int)a / 4, to = core_target(a);
    const int piece = geister_piece_at(s, side, cell);
    const bool leaves = to == GEISTER_ESCAPED, takes = !leaves && (core_pieces(s, other) >> to & 1) != 0;
    assert(s->stage == GEISTER_PLAYING);
    assert(!leaves || (s->blue[side] & core_bit(cell)) != 0);
    if (takes) {
        const int victim = geister_piece_at(s, other, to);
        if (model == GEISTER_LATE && is_open(s, other, victim))
            draw_colour(s, other, victim, r);
        core_put(s, other, victim, to, GEISTER_TAKEN);
    }
    core_put(s, side, piece, cell, to);
    if (model == GEISTER_AGAIN && side == models_hider(s))
        s->seen_exit &= (uint8_t) ~(1U << piece);
    s->ply++;
    s->mover = (uint8_t)other;
    if (takes || leaves || s->ply >= core_scenario(s)->plies) {
        core_resolve_end(s);
        if (s->stage == GEISTER_PLAYING && core_pieces(s, other) == 0)
            core_end(s, GEISTER_BY_BLUES, side);
    }
    if (model != GEISTER_EARLY)
        look_at_exits(s, model, r);
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

/* Of a `never` state: the value to the side that searches, times (1), the probability that nothing was lost
 * on the way, by that reading of (2). The other side's value is the rest to 1. */
static double survived(const struct geister *s, int side, reds_taken *chance) {
    const int hider = models_hider(s);
    const struct core_hidden open = models_open(s, hider);
    const unsigned taken = core_taken(s, hider);
    double alive = (double)s->alive;
    if (s->red[hider] == 0 && taken != 0) { /* no known red is still on the board */
        const int count = bits_count(taken & ~(unsigned)s->known[hider]) - (taken == CORE_ALL_PIECES);
        alive *= 1 - chance(open.pieces, open.reds, count);
    }
    const double value = geister_payoff(s, 1 - hider) * alive;
    return side != hider ? value : 1 - value;
}

static double never_payoff(const void *state, int side) {
    return survived(state, side, geister_all_reds_taken);
}

static double letter_payoff(const void *state, int side) {
    return survived(state, side, geister_four_reds_taken);
}

/* ---- playouts ---- */

/* The playouts of `late`, `never` and `again`; `early` uses the game's own. A simulation is about a hundred
 * moves, so most time is spent here: boards stay in registers, and only a piece that is taken or steps on its
 * exit gets a closer look. As in the game's own playouts, the loop is compiled twice, for every machine and
 * for those with POPCNT and BMI2; both give the same games from the same seed. */

enum colour { BLUE, RED, OPEN };

/* What the loop needs of a side. A piece that is neither blue nor open is red. */
struct camp {
    uint64_t pieces, blue, open;
};

/* The rest, which is rarely used. */
struct run {
    uint8_t at[GEISTER_CELLS]; /* the piece on each cell; undefined for empty cells */
    uint8_t gone[2];           /* pieces taken in the playout, as bits */
    int left[2][2];            /* by side and colour: how many more must be taken to end the game */
    struct core_hidden open;   /* of the hider */
    int hider, ply, stop;
    int count; /* number of the hider's pieces on the board */
    enum geister_model model;
    bool eager;            /* a blue that can leave does */
    struct geister *state; /* colours are recorded there immediately */
};

/* ---- playouts: rare events ---- */

static bool end_run(struct run *g, enum geister_end end, int winner) {
    core_end(g->state, end, winner);
    return true;
}

/* Draws a hidden piece's colour; true: red. */
static bool draw(struct run *g, int piece, uint64_t luck) {
    const bool red = core_draws_red(g->open, luck);
    g->open.pieces--;
    g->open.reds -= red;
    models_note(g->state, g->hider, piece, red);
    return red;
}

/* C: true when the game is certainly lost by a hidden piece that stands on its exit. */
static bool stand(struct run *g, int piece) {
    const bool counts = g->model == GEISTER_AGAIN || (g->state->seen_exit >> piece & 1) == 0;
    return counts && stand_on_exit(g->state, g->hider, g->open, piece, g->model);
}

/* A piece was taken. True when that ends the game. */
static bool take(struct run *g, int side, int piece, enum colour colour, uint64_t luck) {
    g->gone[side] |= (uint8_t)(1U << piece);
    if (colour == OPEN && g->model != GEISTER_LATE)
        return --g->count == 0 && end_run(g, GEISTER_BY_BLUES, 1 - side);
    if (colour == OPEN)
        colour = draw(g, piece, luck) ? RED : BLUE;
    g->count -= side == g->hider;
    if (--g->left[side][colour] > 0) /* the last piece can be a known red after others that were not drawn */
        return g->count == 0 && end_run(g, GEISTER_BY_BLUES, 1 - side);
    return end_run(g, colour == RED ? GEISTER_BY_REDS : GEISTER_BY_BLUES, colour == RED ? side : 1 - side);
}

/* True when a side that can leave does: always when it is eager, otherwise with the same probability as each
 * of its other moves. `blue`: its pieces on an exit. */
static bool leaves_now(struct run *g, int side, uint64_t blue, int steps, uint64_t luck) {
    const struct geister_scenario *sc = core_scenario(g->state);
    const int ways = sc->forward + sc->sideways;
    const int k = (int)((luck >> 32) * (uint64_t)(steps + ways * bits_count(blue)) >> 32);
    if (k < steps)
        return false;
    const int piece = g->at[bits_select_plain(blue, (k - steps) / ways)];
    g->state->where[side][piece] = GEISTER_ESCAPED;
    return end_run(g, GEISTER_BY_ESCAPE, side);
}

/* ---- playouts: the loop ---- */

/* The moved piece of the other side takes the piece on its target cell; true when that ends the game. */
BITS_INLINE bool meet(struct run *g, struct camp *camp, int side, int target, uint64_t luck) {
    const uint64_t to = core_bit(target);
    const bool open = (camp->open & to) != 0, blue = (camp->blue & to) != 0;
    camp->pieces ^= to;
    camp->blue &= ~to;
    camp->open &= ~to;
    return take(g, side, g->at[target], open ? OPEN : blue ? BLUE : RED, luck);
}

/* A move; true when it ends the game. `side` is a constant, too: it determines the exits. */
BITS_INLINE bool move(struct run *g, struct camp camps[2], struct rng *r, int side, bool bmi2) {
    struct camp *mine = &camps[side];
    const struct steps all = steps_of(mine->pieces, bmi2);
    bool ended = false;
    g->ply++;
    if (__builtin_expect((mine->blue & core_exits(side)) != 0, 0) &&
        leaves_now(g, side, mine->blue & core_exits(side), g->eager ? 0 : all.total, rng_next(r)))
        return true;
    const struct steps_one step = steps_nth(&all, (int)rng_below(r, (uint32_t)all.total), bmi2);
    const int target = step.cell + core_delta(step.direction);
    const uint64_t to = core_bit(target), both = core_bit(step.cell) | to;
    mine->blue ^= both & -(mine->blue >> step.cell & 1);
    mine->open ^= both & -(mine->open >> step.cell & 1);
    mine->pieces ^= both;
    if ((camps[1 - side].pieces & to) != 0)
        ended = meet(g, &camps[1 - side], 1 - side, target, rng_next(r));
    g->at[target] = g->at[step.cell];
    if ((mine->open & core_exits(side) & to) == 0 || ended)
        return ended;
    if (g->model != GEISTER_LATE)
        return g->ply < core_scenario(g->state)->plies && stand(g, g->at[target]);
    mine->open ^= to;
    mine->blue |= draw(g, g->at[target], rng_next(r)) ? 0 : to;
    return false;
}

/* `bmi2`, a constant: the machine has those instructions. */
BITS_INLINE void run_body(struct run *g, struct camp camps[2], struct rng *rng, bool bmi2) {
    struct camp local[2] = {camps[0], camps[1]};
    struct rng r = *rng; /* copies stay in registers */
    bool over = g->state->mover == 1 && move(g, local, &r, 1, bmi2);
    while (!over) {
        over = g->ply >= g->stop || move(g, local, &r, 0, bmi2);
        over = over || g->ply >= g->stop || move(g, local, &r, 1, bmi2);
    }
    camps[0] = local[0];
    camps[1] = local[1];
    *rng = r;
}

BITS_FOR_BMI2 static void run_bmi2(struct run *g, struct camp camps[2], struct rng *r) {
    run_body(g, camps, r, true);
}

/* ---- playouts: in and out ---- */

/* Counts and places that the loop updates in place of the state. */
static void begin(struct run *g, struct geister *s, enum geister_model model, int turns_max) {
    const int plies = core_scenario(s)->plies, blues = GEISTER_PIECES - GEISTER_REDS;
    *g = (struct run){.left = {{blues, GEISTER_REDS}, {blues, GEISTER_REDS}},
                      .hider = models_hider(s),
                      .ply = s->ply,
                      .stop = turns_max > 0 && turns_max < plies - s->ply ? s->ply + turns_max : plies,
                      .model = model,
                      .state = s};
    g->open = models_open(s, g->hider);
    g->count = bits_count(core_pieces(s, g->hider));
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GEISTER_PIECES; i++) {
            if (s->where[side][i] < GEISTER_CELLS)
                g->at[s->where[side][i]] = (uint8_t)i;
            else if ((s->known[side] >> i & 1) != 0)
                g->left[side][s->reds[side] >> i & 1]--;
        }
}

/* Hidden pieces that stood on their exits at the root are processed when a simulation begins (B) or with its
 * first move (C), so there are none here. */
static long run(struct geister *s, struct rng *r, int turns_max, enum geister_model model, bool eager) {
    if (s->stage != GEISTER_PLAYING)
        return 0;
    struct run g;
    struct camp camps[2];
    begin(&g, s, model, turns_max);
    g.eager = eager;
    for (int side = 0; side < 2; side++)
        camps[side] = (struct camp){core_pieces(s, side), s->blue[side], s->unknown[side]};
    if (bits_have_bmi2())
        run_bmi2(&g, camps, r);
    else
        run_body(&g, camps, r, false);
    const int moves = g.ply - s->ply;
    s->ply = (uint16_t)g.ply;
    s->mover ^= moves & 1;
    for (int side = 0; side < 2; side++) {
        for (unsigned left = g.gone[side]; left != 0; left &= left - 1)
            s->where[side][bits_first(left)] = GEISTER_TAKEN;
        for (uint64_t left = camps[side].pieces; left != 0; left = bits_without_first(left)) {
            uint8_t *where = &s->where[side][g.at[bits_first(left)]];
            *where = *where != GEISTER_ESCAPED ? (uint8_t)bits_first(left) : GEISTER_ESCAPED;
        }
        core_boards(s, side);
    }
    if (s->stage == GEISTER_PLAYING && g.ply == core_scenario(s)->plies)
        core_end(s, GEISTER_BY_LIMIT, CORE_NO_WINNER);
    return moves;
}

/* The slots that differ by the model alone. */
#define MODEL(name, model)                                                                                   \
    static void name##_play(void *state, action a, struct rng *r) {                                          \
        play(state, model, a, r);                                                                            \
    }                                                                                                        \
    static long name##_random(void *state, struct rng *r, int turns_max) {                                   \
        return run(state, r, turns_max, model, false);                                                       \
    }                                                                                                        \
    static long name##_leave(void *state, struct rng *r, int turns_max) {                                    \
        return run(state, r, turns_max, model, true);                                                        \
    }                                                                                                        \
    static const struct rollout name##_rollouts[] = {                                                        \
        {"random", CORE_RANDOM_HELP, name##_random}, {"leave", CORE_LEAVE_HELP, name##_leave}, {0}};

MODEL(late, GEISTER_LATE)
MODEL(never, GEISTER_NEVER)
MODEL(again, GEISTER_AGAIN)

static void early_play(void *state, action a, struct rng *r) {
    play(state, GEISTER_EARLY, a, r);
}

/* ---- the rest of the tables ---- */

static int ply_of(const void *state) {
    return ((const struct geister *)state)->ply;
}

/* Only what the root knows of the hider's colours, so that all drawn worlds share a node. */
static uint64_t blind_key(const void *state) {
    const struct geister *s = state;
    const int hider = models_hider(s);
    uint64_t key = rng_mix(s->red[1 - hider] ^ (uint64_t)s->ply << 48);
    key = rng_mix(key ^ s->blue[1 - hider] ^ (uint64_t)s->mover << 63);
    key = rng_mix(key ^ core_pieces(s, hider));
    return rng_mix(key ^ seen_reds(s, hider) ^ (uint64_t)hider << 63);
}

/* Boards and places agree, and the numbers of drawn colours are possible. */
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
    .is_legal = geister_is_legal, .turn = ply_of, .progress = plain_progress, .key = blind_key,              \
    .key_from_scratch = blind_key, .valid = model_valid

const struct game geister_models[GEISTER_MODELS] = {
    [GEISTER_EARLY] = {COMMON_SLOTS, .name = "geister-early",
                       .help = "all hidden colours are drawn before a simulation", .actions = any_actions,
                       .play = early_play, .payoff = geister_payoff, .determinize = early_begin,
                       .rollouts = geister_rollouts},
    [GEISTER_LATE] = {COMMON_SLOTS, .name = "geister-late", .help = "a colour is drawn when it is needed",
                      .actions = any_actions, .play = late_play, .payoff = geister_payoff,
                      .determinize = late_begin, .rollouts = late_rollouts},
    [GEISTER_NEVER] = {COMMON_SLOTS, .name = "geister-never", .help = "no colour is drawn",
                       .actions = never_actions, .play = never_play, .payoff = never_payoff,
                       .determinize = never_begin, .rollouts = never_rollouts},
    [GEISTER_AGAIN] = {COMMON_SLOTS, .name = "geister-again",
                       .help = "no colour is drawn, and every step on an exit counts as the first",
                       .actions = never_actions, .play = again_play, .payoff = never_payoff,
                       .determinize = never_begin, .rollouts = again_rollouts},
    [GEISTER_LETTER] = {COMMON_SLOTS, .name = "geister-letter",
                        .help = "no colour is drawn, and only four reds of one simulation lose it",
                        .actions = never_actions, .play = never_play, .payoff = letter_payoff,
                        .determinize = never_begin, .rollouts = never_rollouts},
};
