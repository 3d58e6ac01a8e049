/* SPDX-License-Identifier: MIT
 *
 * A linear policy over pairs of features of the position after a move (Shiga's, champion of GAT2021): 127
 * bits, all products of two of them, one weight each. The move with the highest score is played, or one is
 * drawn by softmax. A second set of weights evaluates positions. Everything is as the moving side sees it,
 * itself at the bottom, without the other's colours except those of taken pieces.
 */
#ifndef GEISTER_POLICY_H
#define GEISTER_POLICY_H

#include "game/geister/geister.h"

enum {
    POLICY_BITS = 127,
    POLICY_PAIRS = POLICY_BITS * (POLICY_BITS + 1) / 2, /* pair (i, j), i >= j, is number i(i+1)/2 + j */
    POLICY_ROW = 128,
    POLICY_MOVES_MAX = 34, /* eight pieces, four ways each: two of them out of both corners */
};

/* The pairs as a square for fast sums: [i][j] and [j][i] are the pair's weight, [i][i] that of the bit. The
 * last column is padding. */
struct policy_weights {
    float move[POLICY_BITS][POLICY_ROW];
    float value[POLICY_BITS][POLICY_ROW];
};

/* The project's own, learned by self-play (data/geister-pg.weights). */
const struct policy_weights *policy_builtin(void);

/* Learned by the recipe of Shiga in 5 million games (data/geister-pg-paper.weights). */
const struct policy_weights *policy_published(void);

/* Weight files, of struct policy_weights and of struct geist_weights (below). */
struct weight_format;
extern const struct weight_format policy_format, geist_format;

/* Fills the weights of that format; `name` is for messages. */
bool weight_file_read(const struct weight_format *format, const char *name, const struct text *text,
                      void *out, struct err *e);

/* New weights from a file, to be freed with mem_free; NULL with a reason. */
void *weight_file_load(const struct weight_format *format, const char *path, struct err *e);

/* `comment` has any number of lines; NULL: none. */
void weight_file_write(const struct weight_format *format, const void *weights, const char *comment,
                       struct text *out);

/* Weights in files are whole 1024ths: the value after writing and reading. */
float policy_round(float weight);

/* Scores of moves (as the side sees them: geister_move of own cells), all at once. Their softmax is the
 * policy. */
void policy_scores(const struct policy_weights *weights, const struct geister_observation *seen,
                   const action *moves, int count, float *out);

/* The same relative to the score before the move, by one set of weights. */
void policy_changes(const float weights[POLICY_BITS][POLICY_ROW], const struct geister_observation *seen,
                    const action *moves, int count, float *out);

/* Index of the highest score, the first of equals. */
int policy_best(const float *scores, int count);

/* Replaces scores by the probabilities of their softmax. The same result on every machine. */
void policy_softmax(float *scores, int count);

/* Draws an index by such probabilities. */
int policy_draw(const float *chances, int count, struct rng *r);

/* ---- features, for the other files of src/geister ---- */

/* Three planes of 42 bits and one bit that is always set. Plane 0, 1, 2: own blues, own reds, the other's
 * pieces by cell; behind the cells of plane k - 1 a bit for each of four counts that is k (1 … 3), and in
 * plane 0 "this move takes a piece" and "this move escapes". */

enum {
    BIT_PLANE = 42,
    BIT_BLUE = 0,
    BIT_RED = BIT_PLANE,
    BIT_THEIRS = 2 * BIT_PLANE,
    BIT_COUNTS = GEISTER_CELLS, /* of taken pieces: their blues, their reds, own blues, own reds */
    BIT_TAKES = GEISTER_CELLS + 4,
    BIT_ESCAPES = GEISTER_CELLS + 5,
    BIT_ALWAYS = POLICY_BITS - 1,
    BIT_NONE = POLICY_ROW - 1,
    BITS_MAX = 2 * GEISTER_PIECES + 4 + 8 + 1, /* also of the values of geist (below) */
};

struct bit_list {
    int count;
    uint8_t bits[BITS_MAX]; /* ascending */
};

/* What a move changes: `off` is cleared and `on` is set; the bit of a taken piece is cleared (BIT_NONE: no
 * piece) and BIT_TAKES is set. */
struct bit_step {
    uint8_t off, on, taken;
};

/* The bits of what a side sees, ascending. The bits of a move (BIT_TAKES, BIT_ESCAPES) are never among
 * them. */
void bits_of(const struct geister_observation *seen, struct bit_list *out);

extern const int8_t bits_targets[GEISTER_CELLS * 4]; /* where a move ends; -1: off the board */

/* The change by a move of a side with these blues, the other's pieces being `theirs`. */
static inline struct bit_step bits_step(uint64_t blue, uint64_t theirs, action move) {
    const int from = (int)move / 4, to = bits_targets[move];
    const int plane = blue >> from & 1 ? BIT_BLUE : BIT_RED;
    if (to < 0)
        return (struct bit_step){(uint8_t)(plane + from), BIT_ESCAPES, BIT_NONE};
    const int taken = theirs >> to & 1 ? BIT_THEIRS + to : BIT_NONE;
    return (struct bit_step){(uint8_t)(plane + from), (uint8_t)(plane + to), (uint8_t)taken};
}

/* Row sums: out[j] is the sum of the weights of j with the bits of the list. */
void bits_sum(const float weights[POLICY_BITS][POLICY_ROW], const struct bit_list *list,
              float out[POLICY_ROW]);

/* The score of the bits whose row sums these are. */
float bits_score(const float weights[POLICY_BITS][POLICY_ROW], const struct bit_list *list,
                 const float sums[POLICY_ROW]);

/* How a step changes the score: pairs with cleared bits are subtracted, pairs with set bits added. */
static inline float bits_change(const float (*w)[POLICY_ROW], const float *sums, struct bit_step s) {
    const float plain = sums[s.on] + w[s.on][s.on] - w[s.off][s.on] - sums[s.off];
    if (s.taken == BIT_NONE)
        return plain;
    const float *const t = w[BIT_TAKES], *const c = w[s.taken];
    const float loses = sums[s.taken] - c[s.off] + c[s.on];
    const float wins = sums[BIT_TAKES] + t[BIT_TAKES] - t[s.off] - t[s.taken] + t[s.on];
    return plain - loses + wins;
}

/* The side's value of its position: 2 / (1 + exp(-score)) - 1. */
float bits_worth(float score);

/* Lists moves by cells and directions in the game's order: `both` ways out of a corner, or only sideways
 * (both lead to the same position). */
int bits_moves(uint64_t red, uint64_t blue, bool both, action *out);

/* The mirror image of a bit (left and right exchanged). */
int bits_mirror(int bit);

/* ---- the learned weights of geist ---- */

/* A policy over the bits above, and values of positions. A value is a linear function of pairs of bits, too:
 * pieces by cell and colour, taken pieces, and for every exit the distance of the nearest runner and of the
 * nearest guard. There are three values: with all colours known, to the side to move; and in the view of a
 * side that does not know the other's colours, when it is to move and when it is not. */

/* ---- positions ---- */

/* A position with all colours, small and quick to copy, for the searches and the training of geist. It holds
 * both sides' pieces as each side sees the board, itself at the bottom, so that nothing has to be turned
 * around. The rules are those of the game `geister`; a side that can leave the board wins before it moves
 * (geist_can_leave), so that escapes are no moves here. */

#define GEIST_EXITS (UINT64_C(1) | UINT64_C(1) << (GEISTER_SIZE - 1))

enum { GEIST_DRAWN = 2, GEIST_GOES_ON = 3 }; /* or the winner: 0, 1 */

struct geist_board {
    uint64_t red[2], blue[2];             /* a side's pieces as it sees them */
    uint64_t their_red[2], their_blue[2]; /* the other's, as the side sees them */
    uint8_t lost_reds[2], lost_blues[2];  /* taken from a side */
    uint8_t mover;
    int16_t left; /* plies until a draw */
};

static inline int geist_turned_cell(int cell) {
    return GEISTER_CELLS - 1 - cell;
}

/* The position of a view with the given reds of each side (by piece, taken ones included). */
void geist_board_of(const struct geister *view, const unsigned reds[2], struct geist_board *out);

static inline bool geist_can_leave(const struct geist_board *b) {
    return (b->blue[b->mover] & GEIST_EXITS) != 0;
}

/* What the side sees, without the other's colours. */
static inline void geist_observe(const struct geist_board *b, int side, struct geister_observation *out) {
    const int other = 1 - side;
    *out = (struct geister_observation){.red = b->red[side],
                                        .blue = b->blue[side],
                                        .unknown = b->their_red[side] | b->their_blue[side],
                                        .hidden_reds = GEISTER_REDS - b->lost_reds[other],
                                        .taken_reds = b->lost_reds[other],
                                        .taken_blues = b->lost_blues[other],
                                        .lost_reds = b->lost_reds[side],
                                        .lost_blues = b->lost_blues[side]};
}

/* Plays a move (as the mover sees it); returns the winner or GEIST_GOES_ON. */
static inline int geist_play(struct geist_board *b, action move) {
    const int side = b->mover, other = 1 - side, from = (int)move / 4, to = bits_targets[move];
    const uint64_t step = UINT64_C(1) << from | UINT64_C(1) << to, at = UINT64_C(1) << to;
    const uint64_t turned = UINT64_C(1) << geist_turned_cell(from) | UINT64_C(1) << geist_turned_cell(to);
    const uint64_t at_turned = UINT64_C(1) << geist_turned_cell(to);
    if ((b->red[side] >> from & 1) != 0) {
        b->red[side] ^= step;
        b->their_red[other] ^= turned;
    } else {
        b->blue[side] ^= step;
        b->their_blue[other] ^= turned;
    }
    b->mover = (uint8_t)other;
    b->left--;
    if ((b->their_red[side] & at) != 0) {
        b->their_red[side] ^= at;
        b->red[other] ^= at_turned;
        if (++b->lost_reds[other] == GEISTER_REDS)
            return other;
    } else if ((b->their_blue[side] & at) != 0) {
        b->their_blue[side] ^= at;
        b->blue[other] ^= at_turned;
        if (++b->lost_blues[other] == GEISTER_PIECES - GEISTER_REDS)
            return side;
    }
    return b->left <= 0 ? GEIST_DRAWN : GEIST_GOES_ON;
}

/* ---- weights and values ---- */

enum {
    VALUE_PLANE = GEISTER_CELLS, /* own blues, own reds, their blues (or all of theirs), their reds */
    VALUE_COUNTS = 4 * VALUE_PLANE,
    VALUE_RACES = VALUE_COUNTS + 4 * 3,
    VALUE_STEPS = 8, /* distances 0 … 6, and more */
    VALUE_ALWAYS = VALUE_RACES + 4 * 2 * VALUE_STEPS,
    VALUE_BITS = VALUE_ALWAYS + 1,
    VALUE_ROW = 224,
};

enum value_head { VALUE_OPEN, VALUE_MOVER, VALUE_WAITING, VALUE_HEADS };

struct geist_weights {
    float move[POLICY_BITS][POLICY_ROW];             /* as in struct policy_weights */
    float value[VALUE_HEADS][VALUE_BITS][VALUE_ROW]; /* [i][j] with j <= i */
};

/* The project's own weights (data/geister-geist.weights), made by `senjutsu train geister-geist`. */
const struct geist_weights *geist_builtin(void);

/* The bits of a position as that side sees it: with the other's colours (`believed` is NULL), or without them
 * (`believed`: taken blues and reds of the other side, as the side believes). */
void value_bits(const struct geist_board *b, int side, const uint8_t *believed, struct bit_list *out);

/* The probability to win, 0 … 1; a draw counts half. */
float value_of(const struct geist_weights *weights, enum value_head head, const struct bit_list *bits);

/* Mirrors the position left to right. */
void geist_mirror(struct geist_board *b);

/* ---- games between two policies ---- */

/* For learning and measuring policies: the position, as each side sees it, and the row sums of both sides'
 * bits, which are updated with the moves. Of the two ways out of a corner, which lead to the same position,
 * only one is listed. */

enum { DUEL_GOES_ON = GEIST_GOES_ON, DUEL_DRAWN = GEIST_DRAWN }; /* or the winner: 0, 1 */

struct duel_sums {
    float move[POLICY_ROW];
    float value[POLICY_ROW];
};

struct duel {
    const struct policy_weights *weights[2]; /* NULL: plays at random */
    struct geist_board board;
    struct geister_observation observations[2]; /* of the board, by side */
    struct duel_sums sums[2];
    int ply;
};

/* The mover's current choice. */
struct duel_turn {
    int count;
    action moves[POLICY_MOVES_MAX];
    struct bit_step steps[POLICY_MOVES_MAX];
    float scores[POLICY_MOVES_MAX];  /* relative to the position before the move */
    float chances[POLICY_MOVES_MAX]; /* by the mover's policy */
};

/* Both sides' reds are given, or drawn, the first player's first. */
void duel_start(struct duel *duel, const struct policy_weights *const weights[2], const unsigned reds[2]);
void duel_start_random(struct duel *duel, const struct policy_weights *const weights[2], struct rng *r);

/* Fills in the mover's moves and their scores, without probabilities. */
void duel_list(const struct duel *duel, struct duel_turn *out);
void duel_chances(struct duel_turn *turn);

/* The mover's value of the position; `list` gets its bits. */
float duel_worth(const struct duel *duel, const struct bit_list *list);

/* Plays a move of the list; returns the winner or DUEL_GOES_ON. */
int duel_play(struct duel *duel, action move);

/* How the sides choose: the best score (the first of equals), or at random by the probabilities. */
enum duel_style { DUEL_BEST, DUEL_SAMPLE };

/* Plays a whole game of at most that many plies; returns the winner or DUEL_DRAWN. */
int duel_game(struct duel *duel, enum duel_style style, int plies, struct rng *r);

struct duel_score {
    int wins, draws, losses; /* of the first policy */
};

/* Plays games with random set-ups, the sides alternating; game i depends only on (seed, i). */
struct duel_match {
    const struct policy_weights *policies[2];
    enum duel_style style;
    int games, plies;
    uint64_t seed;
};
struct duel_score duel_compare(const struct duel_match *match);

#endif
