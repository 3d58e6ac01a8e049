/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share: cells as bits, steps, the ways out, and the members of the game's
 * table that are implemented in different files.
 */
#ifndef GAME_GEISTER_CORE_H
#define GAME_GEISTER_CORE_H

#include "game/geister/geister.h"

#include <string.h>

#define CORE_NORTH   UINT64_C(0x00000003F) /* the row y = 0 */
#define CORE_SOUTH   UINT64_C(0xFC0000000)
#define CORE_WEST    UINT64_C(0x041041041) /* the column x = 0 */
#define CORE_EAST    UINT64_C(0x820820820)
#define CORE_CORNERS UINT64_C(0x000000021) /* the exits of a side as it sees the board: cells 0 and 5 */

enum { CORE_ALL_PIECES = 0xFF, CORE_NO_WINNER = 2 };

BITS_INLINE uint64_t core_bit(int cell) {
    return UINT64_C(1) << cell;
}

/* The cells of all its pieces on the board. */
BITS_INLINE uint64_t core_pieces(const struct geister *s, int side) {
    return s->red[side] | s->blue[side] | s->unknown[side];
}

/* Its taken pieces, as bits. */
static inline unsigned core_taken(const struct geister *s, int side) {
    unsigned taken = 0;
    for (int i = 0; i < GEISTER_PIECES; i++)
        taken |= (unsigned)(s->where[side][i] == GEISTER_TAKEN) << i;
    return taken;
}

/* If the board has a piece on `from`: moves it to `to`, or removes it (0). */
static inline void core_shift(uint64_t *board, uint64_t from, uint64_t to) {
    *board = (*board & from) != 0 ? (*board & ~from) | to : *board;
}

/* Moves a piece from a cell to another, or off the board (GEISTER_TAKEN, GEISTER_ESCAPED). */
static inline void core_put(struct geister *s, int side, int piece, int cell, int to) {
    const uint64_t from = core_bit(cell), target = to < GEISTER_CELLS ? core_bit(to) : 0;
    s->where[side][piece] = (uint8_t)to;
    core_shift(&s->red[side], from, target);
    core_shift(&s->blue[side], from, target);
    core_shift(&s->unknown[side], from, target);
}

/* Its exits on the board as the first player sees it. */
BITS_INLINE uint64_t core_exits(int side) {
    return side == 0 ? CORE_CORNERS : CORE_CORNERS << 30;
}

/* The difference between a cell and its neighbour in that direction. */
BITS_INLINE int core_delta(int direction) {
    static const int8_t deltas[] = {-GEISTER_SIZE, 1, -1, GEISTER_SIZE};
    return deltas[direction];
}

/* The pieces that can step in that direction: the target is on the board and not occupied by one of them. */
BITS_INLINE uint64_t core_steppers(uint64_t pieces, int direction) {
    switch (direction) {
    case GEISTER_NORTH: return pieces & ~CORE_NORTH & ~(pieces << GEISTER_SIZE);
    case GEISTER_EAST: return pieces & ~CORE_EAST & ~(pieces >> 1);
    case GEISTER_WEST: return pieces & ~CORE_WEST & ~(pieces << 1);
    default: return pieces & ~CORE_SOUTH & ~(pieces >> GEISTER_SIZE);
    }
}

/* The cell to which a legal move leads; GEISTER_ESCAPED where it leaves the board. */
BITS_INLINE int core_target(action a) {
    const int cell = (int)a / 4, direction = (int)a % 4;
    return core_steppers(core_bit(cell), direction) == 0 ? GEISTER_ESCAPED : cell + core_delta(direction);
}

/* The exits that a piece can leave in that direction, both as the side sees the board. */
static inline uint64_t core_ways_out(const struct geister_scenario *sc, int direction) {
    const uint64_t ways[] = {
        [GEISTER_NORTH] = sc->forward ? CORE_CORNERS : 0,
        [GEISTER_EAST] = sc->sideways ? CORE_CORNERS & CORE_EAST : 0,
        [GEISTER_WEST] = sc->sideways ? CORE_CORNERS & CORE_WEST : 0,
        [GEISTER_SOUTH] = 0,
    };
    return ways[direction];
}

static inline const struct geister_scenario *core_scenario(const struct geister *s) {
    return (const struct geister_scenario *)s->scenario;
}

/* Of a side's pieces whose colour is unknown: how many there are, and how many of them are red. */
struct core_hidden {
    int pieces, reds;
};

/* Whether one of them is red, by a random number of 64 bits: with probability reds / pieces. */
static inline bool core_draws_red(struct core_hidden hidden, uint64_t luck) {
    return (luck >> 32) * (uint64_t)hidden.pieces >> 32 < (uint64_t)hidden.reds;
}

/* n over k, for n up to GEISTER_PIECES; 0 outside the triangle. */
int core_choose(int n, int k);

/* The start cells of both sides' pieces. */
void core_places(uint8_t where[2][GEISTER_PIECES]);

/* Rebuilds the boards of a side from its pieces' places and known colours. */
void core_boards(struct geister *s, int side);

/* Is that a board of a game: pieces in different cells, four of each colour, not ended twice? The sentence is
 * about the pieces as `viewer` sees them. */
bool core_check_board(const struct geister *s, int viewer, struct err *e);

/* The mover's moves if those pieces may leave: by cells as it sees them, each N, E, S, W. `out` needs room
 * for four moves of each of its pieces. */
int core_moves(const struct geister *s, uint64_t leavers, action *out);

/* A board as a side sees it, from one as the first player sees it. */
static inline uint64_t core_seen_by(int side, uint64_t board) {
    return side == 0 ? board : geister_turn_board(board);
}

/* ---- how a game ends ---- */

/* True when all four of a colour are known and none of them is on the board. Only blues can leave, which ends
 * the game anyway. */
static inline bool core_has_lost_reds(const struct geister *s, int side) {
    return s->red[side] == 0 && bits_count(s->reds[side]) == GEISTER_REDS;
}

static inline bool core_has_lost_blues(const struct geister *s, int side) {
    return s->blue[side] == 0 && bits_count(s->known[side] & ~s->reds[side]) == GEISTER_REDS;
}

static inline bool core_has_escaped(const struct geister *s, int side) {
    return memchr(s->where[side], GEISTER_ESCAPED, GEISTER_PIECES) != NULL;
}

static inline void core_end(struct geister *s, enum geister_end end, int winner) {
    s->stage = GEISTER_OVER;
    s->end = (uint8_t)end;
    s->winner = (uint8_t)winner;
}

/* The fewest steps of one of these pieces to an exit, as its side sees the board; many without a piece. */
static inline int core_steps_out(uint64_t pieces) {
    int least = GEISTER_PLIES_MAX;
    for (; pieces != 0; pieces = bits_without_first(pieces)) {
        const int x = bits_first(pieces) % GEISTER_SIZE, y = bits_first(pieces) / GEISTER_SIZE;
        const int steps = y + (x < GEISTER_SIZE - 1 - x ? x : GEISTER_SIZE - 1 - x);
        least = steps < least ? steps : least;
    }
    return least;
}

/* Ends the game if a piece left, all of a colour are taken, or the limit is reached. */
void core_resolve_end(struct geister *s);

/* True when the recorded moves lead from the start places to the current ones. */
bool core_history_fits(const struct geister *s);

/* ---- how playouts choose a step ---- */

/* Four words hold which pieces can step in which direction, and the k-th bit of them all is the move. */

/* Start cell and direction, as the first player sees the board. */
struct steps_one {
    int cell, direction;
};

/* All steps of a side. */
struct steps {
    uint64_t can[4], sums[4]; /* sums: as in bits_sums, used without those instructions */
    int counts[4], total;
};

/* The steps in one direction. */
BITS_INLINE int steps_towards(struct steps *all, uint64_t pieces, int direction, bool bmi2) {
    const uint64_t can = core_steppers(pieces, direction), sums = bmi2 ? 0 : bits_sums(can);
    all->can[direction] = can;
    all->sums[direction] = sums;
    return all->counts[direction] = bmi2 ? bits_count(can) : (int)(sums >> 56);
}

/* Without a loop, so that the four words stay in registers. */
BITS_INLINE struct steps steps_of(uint64_t pieces, bool bmi2) {
    struct steps all;
    all.total = steps_towards(&all, pieces, GEISTER_NORTH, bmi2);
    all.total += steps_towards(&all, pieces, GEISTER_EAST, bmi2);
    all.total += steps_towards(&all, pieces, GEISTER_WEST, bmi2);
    all.total += steps_towards(&all, pieces, GEISTER_SOUTH, bmi2);
    return all;
}

/* Selects one of two without a branch, which would be unpredictable. `other` is all ones or 0. */
BITS_INLINE uint64_t steps_either(uint64_t a, uint64_t b, uint64_t other) {
    return a ^ ((a ^ b) & other);
}

/* The k-th step, N first, then E, W, S. */
BITS_INLINE struct steps_one steps_nth(const struct steps *all, int k, bool bmi2) {
    const uint64_t *can = all->can, *sums = all->sums;
    const int *counts = all->counts;
    const int upper = counts[0] + counts[1];
    const uint64_t high = -(uint64_t)(k >= upper);
    k -= upper & (int)high;
    const int first = (int)steps_either((uint64_t)counts[0], (uint64_t)counts[2], high);
    const uint64_t last = -(uint64_t)(k >= first);
    k -= first & (int)last;
    const uint64_t word =
        steps_either(steps_either(can[0], can[2], high), steps_either(can[1], can[3], high), last);
    const uint64_t its_sums =
        steps_either(steps_either(sums[0], sums[2], high), steps_either(sums[1], sums[3], high), last);
    return (struct steps_one){
        .cell = bmi2 ? bits_select(word, k, true) : bits_select_sums(word, its_sums, k),
        .direction = (int)((high & 2) | (last & 1)),
    };
}

/* ---- parts of the table ---- */

int geister_actions(const void *state, action *out);
bool geister_is_legal(const void *state, action a);
void geister_play(void *state, action a, struct rng *r);
int geister_mover(const void *state);
double geister_payoff(const void *state, int side);
void geister_determinize(void *view, struct rng *r);

#define CORE_LEAVE_HELP  "a blue piece that can leave does; otherwise every move is as likely as the others"
#define CORE_RANDOM_HELP "every move is as likely as the others"

extern const struct rollout geister_rollouts[];
extern const struct eval geister_evals[];
extern const struct weight geister_weights[];
extern const struct prior geister_priors[];
extern const struct action_list geister_lists[];
extern const struct notation geister_notation;
extern const struct game_face geister_face;

#endif
