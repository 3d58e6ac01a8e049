/* SPDX-License-Identifier: MIT
 *
 * What a side sees of a state, and the states its view allows: which of the other's pieces are red. Unknown
 * colours are drawn uniformly from all sets with four reds a side.
 */
#include "game/geister/core.h"

#include <assert.h>
#include <string.h>

/* ---- hiding ---- */

/* When the game is over everything is public. */
void geister_hide(void *state, int side) {
    struct geister *s = state;
    for (int other = 0; other < 2 && s->stage != GEISTER_OVER; other++)
        if (other != side) {
            s->known[other] &= (uint8_t)core_taken(s, other);
            s->reds[other] &= s->known[other];
            s->unknown[other] = core_pieces(s, other);
            s->red[other] = s->blue[other] = 0;
        }
}

/* ---- worlds ---- */

/* Of a side's unknown pieces: how many there are, and how many of them are red. */
struct hidden {
    int pieces, reds;
};

static struct hidden hidden_of(const struct geister *s, int side) {
    if (!core_has_chosen(s, side))
        return (struct hidden){0, 0};
    return (struct hidden){GEISTER_PIECES - bits_count(s->known[side]),
                           GEISTER_REDS - bits_count(s->reds[side])};
}

static int worlds_of(const struct geister *s, int side) {
    const struct hidden h = hidden_of(s, side);
    return core_choose(h.pieces, h.reds);
}

double geister_worlds(const void *view) {
    return worlds_of(view, 0) * worlds_of(view, 1);
}

/* Fills in the number-th possible set of reds. */
static void fill(struct geister *s, int side, int number) {
    const struct hidden h = hidden_of(s, side);
    if (h.pieces == 0)
        return;
    unsigned set = core_subset(h.pieces, h.reds, number);
    for (unsigned left = ~(unsigned)s->known[side] & CORE_ALL_PIECES; left != 0; left &= left - 1, set >>= 1)
        s->reds[side] |= (uint8_t)((set & 1) << bits_first(left));
    s->known[side] = CORE_ALL_PIECES;
    core_boards(s, side);
}

void geister_world(void *view, uint64_t number) {
    struct geister *s = view;
    const int first = worlds_of(s, 0);
    assert(number < (uint64_t)(first * worlds_of(s, 1)));
    fill(s, 0, (int)number % first);
    fill(s, 1, (int)number / first);
}

void geister_determinize(void *view, struct rng *r) {
    for (int side = 0; side < 2; side++) {
        const int count = worlds_of(view, side);
        fill(view, side, count > 1 ? (int)rng_below(r, (uint32_t)count) : 0);
    }
}

/* The ply, from 1, of a side's n-th move from here. */
static int ply_of_move(const struct geister *s, int side, int n) {
    return s->mover == side ? 2 * n - 1 : 2 * n;
}

/* The fewest moves until a piece of unknown colour stands on an exit and leaves. */
static int moves_to_leave(const struct geister *s, int side) {
    int least = GEISTER_PLIES_MAX;
    for (uint64_t left = core_seen_by(side, s->unknown[side]); left != 0; left = bits_without_first(left)) {
        const int x = bits_first(left) % GEISTER_SIZE, y = bits_first(left) / GEISTER_SIZE;
        const int moves = y + (x < GEISTER_SIZE - 1 - x ? x : GEISTER_SIZE - 1 - x) + 1;
        least = moves < least ? moves : least;
    }
    return least;
}

/* A side can lose by taken pieces only with the last of a colour, which affects what follows. */
int geister_plies_alike(const struct geister *view) {
    int least = GEISTER_PLIES_MAX;
    for (int side = 0; side < 2; side++) {
        const unsigned taken = core_taken(view, side);
        const int reds = bits_count(taken & view->reds[side]), blues = bits_count(taken) - reds;
        const int leaves = ply_of_move(view, side, moves_to_leave(view, side)) - 1;
        const int ends = ply_of_move(view, side ^ 1, GEISTER_REDS - (reds > blues ? reds : blues));
        if (view->unknown[side] == 0)
            continue;
        least = leaves < least ? leaves : least;
        least = ends < least ? ends : least;
    }
    return least;
}

/* ---- observations ---- */

void geister_observe(const struct geister *s, int side, struct geister_observation *out) {
    const int other = side ^ 1;
    const unsigned taken = core_taken(s, other), lost = core_taken(s, side);
    *out = (struct geister_observation){
        .red = core_seen_by(side, s->red[side]),
        .blue = core_seen_by(side, s->blue[side]),
        .unknown = core_seen_by(side, s->unknown[other]),
        .their_red = core_seen_by(side, s->red[other]),
        .their_blue = core_seen_by(side, s->blue[other]),
        .taken_reds = bits_count(taken & s->reds[other]),
        .taken_blues = bits_count(taken & ~(unsigned)s->reds[other]),
        .lost_reds = bits_count(lost & s->reds[side]),
        .lost_blues = bits_count(lost & ~(unsigned)s->reds[side]),
    };
    out->hidden_reds = GEISTER_REDS - out->taken_reds;
}

struct cell_mark {
    char mark;
    size_t offset;
};

static const struct cell_mark cell_marks[] = {
    {'R', offsetof(struct geister_observation, red)},
    {'B', offsetof(struct geister_observation, blue)},
    {'r', offsetof(struct geister_observation, their_red)},
    {'b', offsetof(struct geister_observation, their_blue)},
    {'u', offsetof(struct geister_observation, unknown)},
};
enum { MARKS = sizeof cell_marks / sizeof cell_marks[0] };

static int mark_number(char c) {
    int i = 0;
    while (i < MARKS && cell_marks[i].mark != c)
        i++;
    return i;
}

static uint64_t *marked(struct geister_observation *seen, int i) {
    return (uint64_t *)(void *)((char *)seen + cell_marks[i].offset);
}

/* Of eight pieces a side, those that are not on the board are taken. */
static bool count_pieces(const char *board36, int hidden_reds, struct geister_observation *s, struct err *e) {
    const int theirs = bits_count(s->unknown | s->their_red | s->their_blue);
    s->hidden_reds = hidden_reds;
    s->taken_reds = GEISTER_REDS - hidden_reds;
    s->taken_blues = GEISTER_PIECES - theirs - s->taken_reds;
    s->lost_reds = GEISTER_REDS - bits_count(s->red);
    s->lost_blues = GEISTER_REDS - bits_count(s->blue);
    if (s->lost_reds < 0 || s->lost_blues < 0)
        return err_set(e, "board '%s': expected at most four R and four B", board36);
    if (hidden_reds < 0 || s->taken_reds < 0 || s->taken_blues < 0 || s->taken_blues > GEISTER_REDS ||
        bits_count(s->their_red) > hidden_reds || bits_count(s->their_blue) > GEISTER_REDS - s->taken_blues)
        return err_set(e, "board '%s': %d pieces of the other side cannot have %d reds among them", board36,
                       theirs, hidden_reds);
    return true;
}

bool geister_read_observation(const char *board36, int hidden_reds, struct geister_observation *out,
                              struct err *e) {
    *out = (struct geister_observation){0};
    if (strlen(board36) != GEISTER_CELLS)
        return err_set(e, "board '%.64s' has %zu characters; expected 36", board36, strlen(board36));
    for (int cell = 0; cell < GEISTER_CELLS; cell++) {
        const int i = mark_number(board36[cell]);
        if (i == MARKS && board36[cell] != '.')
            return err_set(e, "board '%s': character %d is '%c'; expected R, B, r, b, u or .", board36,
                           cell + 1, board36[cell]);
        if (i < MARKS)
            *marked(out, i) |= core_bit(cell);
    }
    return count_pieces(board36, hidden_reds, out, e);
}

void geister_write_observation(const struct geister_observation *seen, char out[GEISTER_CELLS + 1]) {
    struct geister_observation copy = *seen;
    memset(out, '.', GEISTER_CELLS);
    for (int i = 0; i < MARKS; i++)
        for (uint64_t left = *marked(&copy, i); left != 0; left = bits_without_first(left))
            out[bits_first(left)] = cell_marks[i].mark;
    out[GEISTER_CELLS] = '\0';
}
