/* SPDX-License-Identifier: MIT
 *
 * Board strings as the official server writes them: for each of sixteen pieces, A … H of who looks and then
 * a … h of the other, column, row and colour. A taken piece stands at 99, one that left at 88.
 */
#include "game/geister/core.h"

#include <string.h>

enum { TAKEN_AT = 99, ESCAPED_AT = 88, TRIPLE = 3 };

/* ---- writing ---- */

static int place_seen(int cell, int side) {
    if (cell >= GEISTER_CELLS)
        return cell == GEISTER_TAKEN ? TAKEN_AT : ESCAPED_AT;
    const int seen = side == 0 ? cell : GEISTER_CELLS - 1 - cell;
    return seen % GEISTER_SIZE * 10 + seen / GEISTER_SIZE;
}

static char colour_mark(const struct geister *s, int side, int piece, bool own) {
    if ((s->known[side] >> piece & 1) == 0)
        return 'u';
    const bool red = (s->reds[side] >> piece & 1) != 0,
               capital = own && s->where[side][piece] < GEISTER_CELLS;
    return red ? (capital ? 'R' : 'r') : (capital ? 'B' : 'b');
}

void geister_write_board(const struct geister *s, int side, bool reveal, char out[GEISTER_BOARD_CHARS + 1]) {
    for (int i = 0; i < 2 * GEISTER_PIECES; i++) {
        const int owner = i < GEISTER_PIECES ? side : side ^ 1, piece = i % GEISTER_PIECES;
        const int place = place_seen(s->where[owner][piece], side);
        const bool public = owner == side || reveal || s->where[owner][piece] >= GEISTER_CELLS;
        out[i * TRIPLE] = (char)('0' + place / 10);
        out[i * TRIPLE + 1] = (char)('0' + place % 10);
        out[i * TRIPLE + 2] = public ? colour_mark(s, owner, piece, owner == side) : 'u';
    }
    out[GEISTER_BOARD_CHARS] = '\0';
}

/* ---- reading ---- */

/* What is wrong with a piece of the string, by its letter there. */
static bool bad_piece(int i, const char *triple, const char *expected, struct err *e) {
    const char letter = (char)(i < GEISTER_PIECES ? 'A' + i : 'a' + i - GEISTER_PIECES);
    return err_set(e, "board: piece %c is '%.3s'; expected %s", letter, triple, expected);
}

static bool read_place(const char *triple, int side, uint8_t *where) {
    const int x = triple[0] - '0', y = triple[1] - '0', place = x * 10 + y;
    if (place == TAKEN_AT || place == ESCAPED_AT) {
        *where = place == TAKEN_AT ? GEISTER_TAKEN : GEISTER_ESCAPED;
        return triple[0] == triple[1];
    }
    if (x < 0 || x >= GEISTER_SIZE || y < 0 || y >= GEISTER_SIZE)
        return false;
    const int seen = y * GEISTER_SIZE + x;
    *where = (uint8_t)(side == 0 ? seen : GEISTER_CELLS - 1 - seen);
    return true;
}

static bool read_piece(struct geister *s, int side, int i, const char *triple, struct err *e) {
    const int owner = i < GEISTER_PIECES ? side : side ^ 1, piece = i % GEISTER_PIECES;
    uint8_t *where = &s->where[owner][piece];
    const bool red = triple[2] == 'R' || triple[2] == 'r', blue = triple[2] == 'B' || triple[2] == 'b';
    if (!read_place(triple, side, where))
        return bad_piece(i, triple, "column and row of 0 to 5 each, 99 or 88", e);
    if (!red && !blue && triple[2] != 'u')
        return bad_piece(i, triple, "the colour R, B, r, b or u", e);
    if (*where == GEISTER_TAKEN && !red && !blue)
        return bad_piece(i, triple, "the colour of a piece that is taken", e);
    if (*where == GEISTER_ESCAPED && !blue)
        return bad_piece(i, triple, "a piece that left to be blue", e);
    s->known[owner] |= (uint8_t)((unsigned)(red || blue) << piece);
    s->reds[owner] |= (uint8_t)((unsigned)red << piece);
    return true;
}

static bool check_pieces(const struct geister *s, struct err *e) {
    uint64_t cells = 0;
    int escaped = 0;
    for (int i = 0; i < 2 * GEISTER_PIECES; i++) {
        const int cell = s->where[i / GEISTER_PIECES][i % GEISTER_PIECES];
        escaped += cell == GEISTER_ESCAPED;
        if (cell < GEISTER_CELLS && (cells & core_bit(cell)) != 0)
            return err_set(e, "board: two pieces stand on the same cell");
        cells |= core_bit(cell);
    }
    return escaped <= 1 || err_set(e, "board: %d pieces have left; expected at most one", escaped);
}

static bool check_colours(const struct geister *s, int side, int viewer, struct err *e) {
    const int reds = bits_count(s->reds[side]), blues = bits_count(s->known[side] & ~s->reds[side]);
    return (reds <= GEISTER_REDS && blues <= GEISTER_REDS) ||
           err_set(e, "board: of pieces %s %d are red and %d blue; expected four of each",
                   side == viewer ? "A to H" : "a to h", reds, blues);
}

/* A side has lost all pieces of one colour, and so has the other, or it has lost both colours. */
static bool check_ends(const struct geister *s, struct err *e) {
    int ends = 0;
    for (int side = 0; side < 2; side++) {
        const unsigned known = s->known[side], reds = s->reds[side];
        ends += s->red[side] == 0 && bits_count(reds) == GEISTER_REDS;
        ends += s->blue[side] == 0 && bits_count(known & ~reds) == GEISTER_REDS &&
                memchr(s->where[side], GEISTER_ESCAPED, GEISTER_PIECES) == NULL;
        ends += memchr(s->where[side], GEISTER_ESCAPED, GEISTER_PIECES) != NULL;
    }
    return ends <= 1 || err_set(e, "board: the game would have ended earlier, in another way");
}

bool geister_read_board(struct geister *s, const struct scenario *scenario, int side, const char *board,
                        int ply, int mover, struct err *e) {
    const int plies = ((const struct geister_scenario *)scenario)->plies;
    if (strlen(board) != GEISTER_BOARD_CHARS)
        return err_set(e, "board: '%.64s' has %zu characters; expected 48", board, strlen(board));
    if (ply < 0 || ply > plies)
        return err_set(e, "ply: %d; expected 0 to %d", ply, plies);
    *s = (struct geister){.scenario = scenario, .stage = GEISTER_PLAYING, .winner = CORE_NO_WINNER};
    s->ply = (uint16_t)ply;
    s->mover = (uint8_t)mover;
    for (int i = 0; i < 2 * GEISTER_PIECES; i++)
        if (!read_piece(s, side, i, board + i * TRIPLE, e))
            return false;
    core_boards(s, 0);
    core_boards(s, 1);
    if (!check_pieces(s, e) || !check_colours(s, side, side, e) || !check_colours(s, side ^ 1, side, e) ||
        !check_ends(s, e))
        return false;
    memcpy(s->from, s->where, sizeof s->from);
    core_settle(s);
    return true;
}
