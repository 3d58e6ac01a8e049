/* SPDX-License-Identifier: MIT
 *
 * What the files of this folder share: cells as bits, steps, the ways out, and the members of the game's
 * table that are implemented in different files.
 */
#ifndef GAME_GEISTER_CORE_H
#define GAME_GEISTER_CORE_H

#include "game/geister/geister.h"

#define CORE_ALL     UINT64_C(0xFFFFFFFFF)
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

/* n over k, for n up to GEISTER_PIECES; 0 outside the triangle. */
int core_choose(int n, int k);

/* The number-th set of k of n pieces, ordered by letters. */
unsigned core_subset(int n, int k, int number);

/* The start cells of both sides' pieces. */
void core_places(uint8_t where[2][GEISTER_PIECES]);

/* Rebuilds the boards of a side from its pieces' places and known colours. */
void core_boards(struct geister *s, int side);

/* The mover's moves if those pieces may leave: by cells as it sees them, each N, E, S, W. `out` needs one
 * place more than the count. */
int core_moves(const struct geister *s, uint64_t leavers, action *out);

/* A board as a side sees it, from one as the first player sees it. */
static inline uint64_t core_seen_by(int side, uint64_t board) {
    return side == 0 ? board : geister_turn_board(board);
}

/* Checks whether the game is over (a piece left, all of a colour taken, the limit) and sets stage, end and
 * winner. */
void core_resolve_end(struct geister *s);

/* True when the recorded moves lead from the start places to the current ones. */
bool core_history_fits(const struct geister *s);

/* True when this side has chosen its reds. */
static inline bool core_has_chosen(const struct geister *s, int side) {
    return s->stage >= GEISTER_PLAYING || (s->stage == GEISTER_SECOND_SETS && side == 0);
}

/* ---- parts of the table ---- */

int geister_actions(const void *state, action *out);
bool geister_is_legal(const void *state, action a);
void geister_play(void *state, action a, struct rng *r);
int geister_mover(const void *state);

void geister_hide(void *state, int side);
void geister_determinize(void *view, struct rng *r);
double geister_worlds(const void *view);
void geister_world(void *view, uint64_t number);

extern const struct rollout geister_rollouts[];
extern const struct eval geister_evals[];
extern const struct weight geister_weights[];
extern const struct prior geister_priors[];
extern const struct action_list geister_lists[];
extern const struct notation geister_notation;

extern const struct game_face geister_face;

#endif
