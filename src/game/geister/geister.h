/* SPDX-License-Identifier: MIT
 *
 * Geister by the rules of the official server: eight pieces a side on 6 x 6 cells, four of them red (bad),
 * four blue (good), and only their owner knows which. A side wins by leading a blue piece out of a far
 * corner, by taking the other's four blues, or by having its own four reds taken.
 *
 * Cells are y * 6 + x as the first player sees the board (its side at the bottom, y = 5; the second player
 * sees it turned around, cell 35 - c). Both choose their reds as the first action of the game, the first
 * player first; neither sees the other's choice.
 */
#ifndef GAME_GEISTER_GEISTER_H
#define GAME_GEISTER_GEISTER_H

#include "base/bits.h"
#include "game/game.h"

enum {
    GEISTER_PIECES = 8, /* A … H of a side, 0 … 7 */
    GEISTER_REDS = 4,   /* of them */
    GEISTER_SIZE = 6,
    GEISTER_CELLS = 36,
    GEISTER_TAKEN = 36,   /* in place of a cell */
    GEISTER_ESCAPED = 37, /* likewise */
    GEISTER_PLIES_MAX = 400,
    GEISTER_SETUPS = 70,
    GEISTER_BOARD_CHARS = 48, /* of a board string, 16 times x, y, colour */
};

/* Turned around, a direction d is 3 - d. */
enum geister_direction { GEISTER_NORTH, GEISTER_EAST, GEISTER_WEST, GEISTER_SOUTH };

enum geister_stage { GEISTER_FIRST_SETS, GEISTER_SECOND_SETS, GEISTER_PLAYING, GEISTER_OVER };

enum geister_end {
    GEISTER_NOT_ENDED,
    GEISTER_BY_ESCAPE, /* the winner's piece left */
    GEISTER_BY_BLUES,  /* the winner took four blues */
    GEISTER_BY_REDS,   /* the loser took four reds */
    GEISTER_BY_LIMIT,  /* a draw */
};

struct geister_scenario {
    struct scenario scenario; /* first member */
    int plies;                /* moves of both sides together until a draw */
    bool forward, sideways;   /* allowed ways out of a corner; the server allows both */
    bool bmi2;                /* playouts use those instructions; the games are the same */
    /* the options as given; see rules.c */
    int rules, plies_given, exits_given;
};

/* Pieces by side. A colour that is not in `known` is unknown in this state: it is a view (or the reds are not
 * chosen yet). The history is part of the state (but not of its key), because players infer colours from how
 * pieces were moved, and all moves are public. */
struct geister {
    const struct scenario *scenario;
    uint64_t red[2], blue[2], unknown[2]; /* cells of pieces on the board, by known colour */
    uint8_t where[2][GEISTER_PIECES];     /* cell, GEISTER_TAKEN or GEISTER_ESCAPED */
    uint8_t known[2];                     /* pieces (bit 0: A) whose colour is known, taken ones always */
    uint8_t reds[2];                      /* of those, the red ones */
    uint8_t mover;                        /* the side to move, or that would be if the game were not over */
    uint8_t stage, end, winner;           /* winner: 0, 1, or 2 when drawn */
    uint16_t ply;                         /* moves so far, without set-ups */
    uint16_t
        recorded; /* how many of the last moves are in `moves`: all, except in positions that were set up */
    uint8_t drawn[2];  /* models only (models.c): colours that were drawn, not seen */
    uint8_t seen_exit; /* models only: pieces that stood on their exit */
    uint8_t unused;
    float alive;                      /* models only: the probability that nothing was lost on the way */
    uint8_t from[2][GEISTER_PIECES];  /* where all pieces stood before the recorded moves */
    uint8_t moves[GEISTER_PLIES_MAX]; /* the oldest first: piece * 4 + direction, as the mover sees it */
};

extern const struct game geister_game;

/* ---- actions: cells and directions in the first player's view ---- */

enum { GEISTER_SETUP_FLAG = 0x100 };

static inline action geister_move(int cell, enum geister_direction d) {
    return (action)(cell * 4 + (int)d);
}

static inline action geister_setup(unsigned reds) {
    return (action)(GEISTER_SETUP_FLAG | reds);
}

static inline bool geister_is_setup(action a) {
    return (a & GEISTER_SETUP_FLAG) != 0;
}

/* Converts a move between the first player's view and that of `side`, in both directions. */
static inline action geister_turned(action a, int side) {
    return side == 0 ? a : (action)(GEISTER_CELLS * 4 - 1) - a; /* (35 - cell) * 4 + (3 - d) */
}

/* The piece of that side on a cell, or -1. */
int geister_piece_at(const struct geister *s, int side, int cell);

/* The cell to which a legal move leads; GEISTER_ESCAPED where it leaves the board. */
int geister_target(action a);

/* The position before the recorded moves, with the colours known now: playing `moves` from there leads back.
 * geister_recorded_action converts a recorded move to an action in the position it was made in. */
void geister_rewind(const struct geister *s, struct geister *out);
action geister_recorded_action(const struct geister *at, uint8_t recorded);

/* ---- what a side sees, with itself at the bottom: for searches and evaluations ---- */

struct geister_observation {
    uint64_t red, blue;                      /* own */
    uint64_t unknown, their_red, their_blue; /* the other's pieces on the board, by known colour */
    int hidden_reds;                         /* of the other's pieces, not taken: 4 less those taken */
    int taken_reds, taken_blues;             /* of the other's */
    int lost_reds, lost_blues;               /* own */
};

void geister_observe(const struct geister *s, int side, struct geister_observation *out);

/* The number of plies from here in which no unknown colour can affect legality: sequences up to that length
 * are the same in all worlds of the view. Sides are assumed to take the shortest way to an end. */
int geister_plies_alike(const struct geister *view);

/* All 36 cells turned around. */
BITS_INLINE uint64_t geister_turn_board(uint64_t board) {
    board = (board >> 1 & 0x5555555555555555) | (board & 0x5555555555555555) << 1;
    board = (board >> 2 & 0x3333333333333333) | (board & 0x3333333333333333) << 2;
    board = (board >> 4 & 0x0F0F0F0F0F0F0F0F) | (board & 0x0F0F0F0F0F0F0F0F) << 4;
    return __builtin_bswap64(board) >> (64 - GEISTER_CELLS);
}

/* ---- board strings as the server writes them ---- */

/* 48 characters for `side` (of a full state): the other's colours only where they are public, or all of them
 * (`reveal`: at the end of the game). Own pieces R/B, taken or escaped ones r/b; the other's u, r or b. */
void geister_write_board(const struct geister *s, int side, bool reveal, char out[GEISTER_BOARD_CHARS + 1]);

/* Reads a position from a board string of `side`'s view with that many plies played; colours that are 'u'
 * stay unknown. There is no history. */
bool geister_read_board(struct geister *s, const struct scenario *scenario, int side, const char *board,
                        int ply, int mover, struct err *e);

/* ---- set-ups ---- */

/* The 70 sets of reds in the order of their letters: ABCD, ABCE, … EFGH. */
unsigned geister_setup_reds(int number);
int geister_setup_number(unsigned reds); /* -1 when there are not four reds */

/* Reads four different letters of A … H, in any order and case; false with a sentence otherwise. */
bool geister_read_reds(const char *text, unsigned *reds, struct err *e);
void geister_write_reds(unsigned reds, char out[GEISTER_REDS + 1]);

/* ---- the game as tree searches see it from a view (models.c) ---- */

enum geister_model {
    GEISTER_EARLY,
    GEISTER_LATE,
    GEISTER_NEVER,
    GEISTER_AGAIN,
    GEISTER_LETTER,
    GEISTER_MODELS
};

/* Not registered: for tree searches with an open loop, from positions in which a move is to be made.
 * `actions` lists what any colours would allow, `is_legal` respects drawn colours; `determinize` begins a
 * simulation. The key does not depend on colours that the root does not know. A state ends where `from`
 * begins. */
extern const struct game geister_models[GEISTER_MODELS];

/* Formula (2): the probability that all `reds` hidden reds are among `taken` of `hidden` hidden pieces, all
 * sets being equally likely; 0 when fewer were taken. */
double geister_all_reds_taken(int hidden, int reds, int taken);

/* The same as printed: four reds must be among them, however many are hidden. */
double geister_four_reds_taken(int hidden, int reds, int taken);

#endif
