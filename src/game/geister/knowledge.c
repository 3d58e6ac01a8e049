/* SPDX-License-Identifier: MIT
 *
 * What searches use of Geister: an evaluation, priors, shorter lists of moves, and the playouts.
 *
 * In a playout, which steps a side has depends on its own pieces alone, so that the next side's can be
 * computed while the last move is still being made. The body is compiled twice, once for every machine and
 * once for those with POPCNT and BMI2; both give the same games from the same seed.
 */
#include "game/geister/core.h"

/* ---- evaluation ---- */

enum { WEIGHT_BLUE, WEIGHT_RED, WEIGHT_NEAR, WEIGHT_TURN };

const struct weight geister_weights[] = {
    {"blue", "an own blue on the board", 1},
    {"red", "an own red on the board", -0.5},
    {"near", "a step that the nearest blue is nearer to an exit", 0.25},
    {"turn", "to be on the move", 0.25},
    {0},
};

/* Nearness of its nearest piece to an exit, 0 … 7. */
static int nearness(uint64_t pieces, int side) {
    enum { STEPS_MAX = 7 };
    const int steps = core_steps_out(core_seen_by(side, pieces));
    return STEPS_MAX - (steps < STEPS_MAX ? steps : STEPS_MAX);
}

/* Where colours are unknown, any piece may be the running blue. The numbers of reds and blues are always
 * known, since taken pieces are. */
static double worth(const struct geister *s, int side, const double *weights) {
    const unsigned taken = core_taken(s, side), reds = s->reds[side];
    return weights[WEIGHT_BLUE] * (GEISTER_REDS - bits_count(taken & ~reds)) +
           weights[WEIGHT_RED] * (GEISTER_REDS - bits_count(taken & reds)) +
           weights[WEIGHT_NEAR] * nearness(s->blue[side] | s->unknown[side], side) +
           (s->mover == side ? weights[WEIGHT_TURN] : 0);
}

static double lead(const void *state, int side, const double *weights) {
    return worth(state, side, weights) - worth(state, side ^ 1, weights);
}

const struct eval geister_evals[] = {
    {"lead", "blues left, reds lost, and how near the nearest blue (or unknown piece) is to an exit", lead},
    {0},
};

/* ---- priors ---- */

enum { SCORE_LEAVE = 100, SCORE_TAKE = 2, SCORE_NEARER = 1 };

static bool leaves(action a) {
    return !geister_is_setup(a) && core_target(a) == GEISTER_ESCAPED;
}

static void score_moves(const void *state, const action *list, int count, float *out) {
    const struct geister *s = state;
    const int other = s->mover ^ 1;
    for (int i = 0; i < count; i++) {
        out[i] = leaves(list[i]) ? SCORE_LEAVE : 0;
        if (geister_is_setup(list[i]) || leaves(list[i]))
            continue;
        const uint64_t from = core_bit((int)list[i] / 4), to = core_bit(core_target(list[i]));
        const int nearer = nearness(to, s->mover) - nearness(from, s->mover);
        const bool takes = (core_pieces(s, other) & ~s->red[other] & to) != 0;
        out[i] = (float)(SCORE_NEARER * nearer + SCORE_TAKE * takes);
    }
}

const struct prior geister_priors[] = {
    {"forward", "leaving first, then taking what is not known to be red, then steps nearer to an exit",
     score_moves},
    {0},
};

/* ---- shorter lists ---- */

/* A side that can leave wins: no other move needs to be searched. */
static int list_wins(const void *state, action *out) {
    const int count = geister_actions(state, out);
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (leaves(out[i]))
            out[kept++] = out[i];
    return kept > 0 ? kept : count;
}

const struct action_list geister_lists[] = {
    {"all", "set-ups by their letters; moves by cells as the mover sees them, each N, E, S, W",
     geister_actions},
    {"wins", "where a piece can leave only that, otherwise all", list_wins},
    {0},
};

/* ---- playouts ---- */

/* What a playout needs of a side. */
struct camp {
    uint64_t pieces, red;
    uint64_t forward, aside; /* the exits that it may leave northwards or southwards, and sideways */
    unsigned turn;           /* exclusive or with this turns directions into its own view */
};

/* Of the state before the playout; colours are all known by then. */
static struct camp camp_of(const struct geister *s, int side) {
    const struct geister_scenario *sc = core_scenario(s);
    return (struct camp){
        .pieces = core_pieces(s, side),
        .red = s->red[side],
        .forward = sc->forward ? core_exits(side) : 0,
        .aside = sc->sideways ? core_exits(side) : 0,
        .turn = side == 0 ? 0 : 3,
    };
}

/* The k-th way out, forward ones first. */
static struct steps_one nth_way_out(const struct camp *mine, int k) {
    const uint64_t blue = mine->pieces & ~mine->red;
    const int forward = bits_count(blue & mine->forward);
    if (k < forward)
        return (struct steps_one){bits_select_plain(blue & mine->forward, k),
                                  (int)(GEISTER_NORTH ^ mine->turn)};
    const int cell = bits_select_plain(blue & mine->aside, k - forward);
    return (struct steps_one){cell, (core_bit(cell) & CORE_WEST) != 0 ? GEISTER_WEST : GEISTER_EAST};
}

/* Chooses among all steps and ways out, all equally likely; an eager side that can leave does. True: it
 * leaves. */
BITS_INLINE bool choose(const struct camp *mine, struct rng *r, bool eager, bool bmi2,
                        struct steps_one *out) {
    const uint64_t blue = mine->pieces & ~mine->red;
    const struct steps all = steps_of(mine->pieces, bmi2);
    int k;
    if (__builtin_expect((blue & (mine->forward | mine->aside)) != 0, 0)) {
        const int ways = bits_count(blue & mine->forward) + bits_count(blue & mine->aside);
        const int steps = eager ? 0 : all.total;
        k = (int)rng_below(r, (uint32_t)(steps + ways));
        if (k >= steps) {
            *out = nth_way_out(mine, k - steps);
            return true;
        }
    } else {
        k = (int)rng_below(r, (uint32_t)all.total);
    }
    *out = steps_nth(&all, k, bmi2);
    return false;
}

/* A playout in progress. `at` is the piece on each cell; it is undefined for empty cells. */
struct run {
    uint8_t at[GEISTER_CELLS], gone[2]; /* gone: pieces taken in the playout, as bits */
    int escaped;                        /* the piece that left, or -1 */
    int ply, stop;
    bool eager; /* a side that can leave does */
    uint8_t *recorded;
};

/* Plays until the game is over or `stop` is reached; camps[0] is to move, also after it returns. True when
 * the last move ended the game before the limit. */
BITS_INLINE bool run_body(struct run *run, struct camp camps[2], struct rng *rng, bool bmi2) {
    struct camp mine = camps[0], theirs = camps[1];
    struct rng r = *rng; /* a local copy stays in registers */
    bool ended = false;
    int ply = run->ply;
    while (!ended && ply < run->stop) {
        struct steps_one step;
        const bool leaves = choose(&mine, &r, run->eager, bmi2, &step);
        const unsigned piece = run->at[step.cell];
        *run->recorded++ = (uint8_t)(piece * 4 + ((unsigned)step.direction ^ mine.turn));
        ply++;
        const uint64_t from = core_bit(step.cell);
        if (leaves) {
            mine.pieces ^= from;
            run->escaped = (int)piece;
            ended = true;
        } else {
            const int target = step.cell + core_delta(step.direction);
            const uint64_t to = core_bit(target), both = from | to;
            mine.red ^= both & -(mine.red >> step.cell & 1);
            mine.pieces ^= both;
            if ((theirs.pieces & to) != 0) {
                theirs.pieces ^= to;
                theirs.red &= ~to;
                run->gone[theirs.turn & 1] |= (uint8_t)(1U << run->at[target]);
                ended = theirs.red == 0 || theirs.red == theirs.pieces;
            }
            run->at[target] = (uint8_t)piece;
        }
        const struct camp mover = mine;
        mine = theirs;
        theirs = mover;
    }
    run->ply = ply;
    camps[0] = mine;
    camps[1] = theirs;
    *rng = r;
    return ended;
}

BITS_FOR_BMI2 static bool run_bmi2(struct run *run, struct camp camps[2], struct rng *r) {
    return run_body(run, camps, r, true);
}

/* ---- playouts: from a state to a run, and back ---- */

static void write_back(struct geister *s, const struct run *run, int side, const struct camp *camp) {
    for (unsigned left = run->gone[side]; left != 0; left &= left - 1)
        s->where[side][bits_first(left)] = GEISTER_TAKEN;
    for (uint64_t left = camp->pieces; left != 0; left = bits_without_first(left)) {
        const int cell = bits_first(left);
        s->where[side][run->at[cell]] = (uint8_t)cell;
    }
    s->red[side] = camp->red;
    s->blue[side] = camp->pieces & ~camp->red;
}

/* Unknown colours are drawn first. */
static long play_out(struct geister *s, struct rng *r, int moves_max, bool eager) {
    const int plies = core_scenario(s)->plies;
    struct run run = {
        .escaped = -1, .ply = s->ply, .stop = plies, .eager = eager, .recorded = s->moves + s->recorded};
    struct camp camps[2];
    if (moves_max > 0 && moves_max < plies - s->ply)
        run.stop = s->ply + moves_max;
    if (s->unknown[0] != 0 || s->unknown[1] != 0)
        geister_determinize(s, r);
    camps[0] = camp_of(s, s->mover);
    camps[1] = camp_of(s, s->mover ^ 1);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < GEISTER_PIECES; i++)
            if (s->where[side][i] < GEISTER_CELLS)
                run.at[s->where[side][i]] = (uint8_t)i;
    const bool ended = core_scenario(s)->bmi2 ? run_bmi2(&run, camps, r) : run_body(&run, camps, r, false);
    const int moves = run.ply - s->ply;
    s->mover ^= moves & 1;
    s->ply = (uint16_t)run.ply;
    s->recorded = (uint16_t)(s->recorded + moves);
    write_back(s, &run, s->mover, &camps[0]);
    write_back(s, &run, s->mover ^ 1, &camps[1]);
    if (run.escaped >= 0)
        s->where[s->mover ^ 1][run.escaped] = GEISTER_ESCAPED;
    if (ended || run.ply == plies)
        core_resolve_end(s);
    return moves;
}

/* Set-ups that are still open are drawn first, all 70 equally likely. */
static long run_with(void *state, struct rng *r, int turns_max, bool eager) {
    struct geister *s = state;
    long count = 0;
    for (; s->stage < GEISTER_PLAYING && (turns_max == 0 || count < turns_max); count++)
        geister_play(s, geister_setup(geister_setup_reds((int)rng_below(r, GEISTER_SETUPS))), r);
    if (s->stage != GEISTER_PLAYING || (turns_max > 0 && count == turns_max))
        return count;
    return count + play_out(s, r, turns_max > 0 ? turns_max - (int)count : 0, eager);
}

static long run_random(void *state, struct rng *r, int turns_max) {
    return run_with(state, r, turns_max, false);
}

static long run_leave(void *state, struct rng *r, int turns_max) {
    return run_with(state, r, turns_max, true);
}

const struct rollout geister_rollouts[] = {
    {"random", CORE_RANDOM_HELP, run_random}, {"leave", CORE_LEAVE_HELP, run_leave}, {0}};
