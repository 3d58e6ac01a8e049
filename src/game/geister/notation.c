/* SPDX-License-Identifier: MIT
 *
 * States as text. The server's board strings have column, row and colour for each of sixteen pieces, A … H of
 * the side that looks and then a … h of the other; a taken piece stands at 99, one that left at 88. A state
 * is one line:
 *
 *     board=14R24R34B… mover=first ply=12 from=start moves=AN/BN/…
 *
 * The board is a board string as the first player sees it, `u` for unknown colours. `mover` is the side to
 * move, or the one that would be if the game were not over. `ply=setup`: the mover has to choose its reds.
 * `moves` are the last moves, or none (`-`), as their movers see the board; `from` is where the pieces stood
 * before them: `start`, or column and row of A to H and a to h, or `-` where there are no moves.
 *
 * The server's strings have no history and no number of moves. The line has both, because players conclude
 * colours from how pieces were moved.
 */
#include "game/geister/core.h"
#include "game/plain.h"

#include <string.h>

enum { TAKEN_AT = 99, ESCAPED_AT = 88, TRIPLE = 3 };

/* ---- board strings: writing ---- */

void geister_write_board(const struct geister *s, int side, bool reveal, char out[GEISTER_BOARD_CHARS + 1]) {
    for (int i = 0; i < 2 * GEISTER_PIECES; i++) {
        const int owner = i < GEISTER_PIECES ? side : side ^ 1, piece = i % GEISTER_PIECES;
        const int cell = s->where[owner][piece], seen = side == 0 ? cell : GEISTER_CELLS - 1 - cell;
        const int place = cell == GEISTER_TAKEN     ? TAKEN_AT
                          : cell == GEISTER_ESCAPED ? ESCAPED_AT
                                                    : seen % GEISTER_SIZE * 10 + seen / GEISTER_SIZE;
        const bool public = owner == side || reveal || cell >= GEISTER_CELLS;
        const bool known = public && (s->known[owner] >> piece & 1) != 0;
        const bool capital = owner == side && cell < GEISTER_CELLS, red = (s->reds[owner] >> piece & 1) != 0;
        out[i * TRIPLE] = (char)('0' + place / 10);
        out[i * TRIPLE + 1] = (char)('0' + place % 10);
        out[i * TRIPLE + 2] = !known ? 'u' : capital ? "BR"[red] : "br"[red];
    }
    out[GEISTER_BOARD_CHARS] = '\0';
}

/* ---- board strings: reading ---- */

/* Reports a faulty piece of the string, by its letter. */
static bool bad_piece(int i, const char *triple, const char *expected, struct err *e) {
    const char letter = (char)(i < GEISTER_PIECES ? 'A' + i : 'a' + i - GEISTER_PIECES);
    return err_set(e, "board: piece %c is '%.3s'; expected %s", letter, triple, expected);
}

/* Sets one piece of the state from its three characters; the caller rebuilds the boards. */
static bool read_piece(struct geister *s, int side, int i, const char *triple, struct err *e) {
    const int owner = i < GEISTER_PIECES ? side : side ^ 1, piece = i % GEISTER_PIECES;
    const int x = triple[0] - '0', y = triple[1] - '0', seen = y * GEISTER_SIZE + x;
    uint8_t *where = &s->where[owner][piece];
    const bool red = triple[2] == 'R' || triple[2] == 'r', blue = triple[2] == 'B' || triple[2] == 'b';
    if (strncmp(triple, "99", 2) == 0 || strncmp(triple, "88", 2) == 0)
        *where = x == 9 ? GEISTER_TAKEN : GEISTER_ESCAPED;
    else if (x >= 0 && x < GEISTER_SIZE && y >= 0 && y < GEISTER_SIZE)
        *where = (uint8_t)(side == 0 ? seen : GEISTER_CELLS - 1 - seen);
    else
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

bool core_check_board(const struct geister *s, int viewer, struct err *e) {
    uint64_t cells = 0;
    int escaped = 0, ends = 0;
    for (int i = 0; i < 2 * GEISTER_PIECES; i++) {
        const int cell = s->where[i / GEISTER_PIECES][i % GEISTER_PIECES];
        escaped += cell == GEISTER_ESCAPED;
        if (cell < GEISTER_CELLS && (cells & core_bit(cell)) != 0)
            return err_set(e, "board: two pieces stand on the same cell");
        cells |= core_bit(cell);
    }
    if (escaped > 1)
        return err_set(e, "board: %d pieces have left; expected at most one", escaped);
    for (int i = 0; i < 2; i++) {
        const int side = viewer ^ i;
        const int reds = bits_count(s->reds[side]), blues = bits_count(s->known[side] & ~s->reds[side]);
        if (reds > GEISTER_REDS || blues > GEISTER_REDS)
            return err_set(e, "board: of pieces %s %d are red and %d blue; expected four of each",
                           side == viewer ? "A to H" : "a to h", reds, blues);
        ends += core_has_lost_reds(s, side) + (core_has_lost_blues(s, side) || core_has_escaped(s, side));
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
    *s = (struct geister){.scenario = scenario,
                          .stage = GEISTER_PLAYING,
                          .winner = CORE_NO_WINNER,
                          .ply = (uint16_t)ply,
                          .mover = (uint8_t)mover};
    for (int i = 0; i < 2 * GEISTER_PIECES; i++)
        if (!read_piece(s, side, i, board + i * TRIPLE, e))
            return false;
    core_boards(s, 0);
    core_boards(s, 1);
    if (!core_check_board(s, side, e))
        return false;
    memcpy(s->from, s->where, sizeof s->from);
    core_resolve_end(s);
    return true;
}

static const char directions[] = "NEWS"; /* ORDER DIRECTIONS */
static const char *const side_names[] = {"first", "second"};

enum { PLACES_CHARS = 4 * GEISTER_PIECES };

/* ---- actions ---- */

static void write_action(const void *state, action a, struct text *out) {
    const struct geister *s = state;
    if (geister_is_setup(a)) {
        char letters[GEISTER_REDS + 1];
        geister_write_reds(a & ~(action)GEISTER_SETUP_FLAG, letters);
        text_add_string(out, letters);
        return;
    }
    const int piece = geister_piece_at(s, s->mover, (int)a / 4);
    text_add(out, "%c%c", piece < 0 ? '?' : 'A' + piece, directions[geister_turned(a, s->mover) % 4]);
}

/* "AN" as piece * 4 + direction, in any case; -1 for other text. */
static int read_recorded(const char *text) {
    static const char pieces[] = "ABCDEFGHabcdefgh", ways[] = "NEWSnews";
    if (strlen(text) != 2)
        return -1;
    const char *piece = strchr(pieces, text[0]), *way = strchr(ways, text[1]);
    return piece == NULL || way == NULL ? -1
                                        : (int)((piece - pieces) % GEISTER_PIECES * 4 + (way - ways) % 4);
}

/* Why a piece on the board cannot go there. */
static const char *obstacle(const struct geister *s, action a) {
    const action own = geister_turned(a, s->mover);
    const bool on_exit = (CORE_CORNERS >> own / 4 & 1) != 0;
    const uint64_t edges[] = {CORE_NORTH, CORE_EAST, CORE_WEST, CORE_SOUTH};
    if ((edges[a % 4] >> a / 4 & 1) == 0)
        return "an own piece stands there";
    if (on_exit && (s->red[s->mover] >> a / 4 & 1) != 0)
        return "a red piece cannot leave";
    return on_exit ? "that is not the way out" : "that is off the board";
}

/* In this notation, or in the server's: "A,N". */
static bool read_action(const void *state, const char *text, action *out, struct err *e) {
    const struct geister *s = state;
    unsigned reds;
    if (s->stage == GEISTER_OVER)
        return err_set(e, "'%.64s' is illegal: the game is over", text);
    if (s->stage != GEISTER_PLAYING) {
        if (!geister_read_reds(text, &reds, e))
            return false;
        *out = geister_setup(reds);
        return true;
    }
    const char plain[] = {text[0], strlen(text) == 3 && text[1] == ',' ? text[2] : '\0', '\0'};
    const int recorded = read_recorded(plain[1] != '\0' ? plain : text);
    if (recorded < 0)
        return err_set(e, "'%.64s' is no move; expected a piece, A to H, and N, E, S or W, as in AN", text);
    if (s->where[s->mover][recorded / 4] >= GEISTER_CELLS)
        return err_set(e, "'%s' is illegal: piece %c is taken", text, 'A' + recorded / 4);
    *out = geister_recorded_action(s, (uint8_t)recorded);
    return geister_is_legal(s, *out) || err_set(e, "'%s' is illegal: %s", text, obstacle(s, *out));
}

/* ---- writing states ---- */

/* True when all moves are recorded, from the start of a game with the first player to move. */
static bool is_whole_game(const struct geister *s) {
    uint8_t places[2][GEISTER_PIECES];
    core_places(places);
    return s->recorded == s->ply && s->mover == (s->ply & 1) && memcmp(s->from, places, sizeof places) == 0;
}

/* The history is written as moves from the earliest known places: it is shorter than positions. */
static void write_state(const void *state, struct text *out) {
    const struct geister *s = state;
    char board[GEISTER_BOARD_CHARS + 1];
    geister_write_board(s, 0, true, board);
    text_add(out, "board=%s mover=%s ply=", board, side_names[s->mover]);
    if (s->stage < GEISTER_PLAYING)
        text_add_string(out, "setup");
    else
        text_add(out, "%d", s->ply);
    const bool places = s->recorded > 0 && !is_whole_game(s);
    text_add(out, " from=%s", s->recorded == 0 ? "-" : places ? "" : "start");
    if (places) {
        struct geister at;
        geister_rewind(s, &at);
        geister_write_board(&at, 0, false, board);
        for (int i = 0; i < 2 * GEISTER_PIECES; i++)
            text_add_bytes(out, board + TRIPLE * i, 2);
    }
    text_add_string(out, " moves=");
    for (int i = 0; i < s->recorded; i++) {
        const char move[] = {'/', (char)('A' + s->moves[i] / 4), directions[s->moves[i] % 4]};
        text_add_bytes(out, i == 0 ? move + 1 : move, i == 0 ? 2 : 3);
    }
    text_add_string(out, s->recorded == 0 ? "-\n" : "\n");
}

/* ---- reading states ---- */

enum field { BOARD, MOVER, PLY, FROM, MOVES };
static const char *const field_names[] = {"board", "mover", "ply", "from", "moves", NULL};

/* No piece has moved; the first player has chosen when the second one is to choose. */
static bool resolve_setup(struct geister *s, struct err *e) {
    uint8_t places[2][GEISTER_PIECES];
    core_places(places);
    if (memcmp(places, s->where, sizeof places) != 0)
        return err_set(e, "board: with ply=setup all pieces stand where they start");
    if (s->known[1] != 0 || (s->mover == 0 && s->known[0] != 0))
        return err_set(e, "board: with ply=setup colours are 'u' until they are chosen, the first player's "
                          "first");
    s->stage = s->mover == 0 ? GEISTER_FIRST_SETS : GEISTER_SECOND_SETS;
    return true;
}

/* Only stored here; core_history_fits plays them at the end. */
static bool read_moves(struct geister *s, char *text, struct err *e) {
    char *pieces[GEISTER_PLIES_MAX];
    if (strcmp(text, "-") == 0)
        return true;
    const int count = text_split(text, '/', pieces, GEISTER_PLIES_MAX);
    if (count < 0 || count > s->ply)
        return err_set(e, "moves: there are more than the %d that were played (ply)", s->ply);
    for (int i = 0; i < count; i++) {
        const int recorded = read_recorded(pieces[i]);
        if (recorded < 0)
            return err_set(e, "moves: '%.64s' is no move; expected A to H and N, E, S or W, as in AN",
                           pieces[i]);
        s->moves[i] = (uint8_t)recorded;
    }
    s->recorded = (uint16_t)count;
    return true;
}

static bool read_from(struct geister *s, const char *text, struct err *e) {
    if ((strcmp(text, "-") == 0) != (s->recorded == 0))
        return err_set(e, "from=%.64s: expected - where no moves are told, and only there", text);
    if (s->recorded == 0)
        return true;
    if (strcmp(text, "start") == 0) {
        if (s->recorded != s->ply)
            return err_set(e, "from=start: %d moves are told; expected all %d (ply)", s->recorded, s->ply);
        core_places(s->from);
        return is_whole_game(s) || err_set(e, "mover=%s: expected %s after %d moves from the start",
                                           side_names[s->mover], side_names[s->mover ^ 1], s->ply);
    }
    if (strlen(text) != PLACES_CHARS || strspn(text, "0123459") != PLACES_CHARS)
        return err_set(
            e, "from=%.64s: expected -, start, or 32 digits: column and row of A to H and a to h, or 99",
            text);
    char board[GEISTER_BOARD_CHARS + 1];
    struct geister at;
    geister_write_board(s, 0, true, board);
    for (int i = 0; i < 2 * GEISTER_PIECES; i++)
        memcpy(board + 3 * i, text + 2 * i, 2);
    if (!geister_read_board(&at, s->scenario, 0, board, s->ply - s->recorded, s->mover, e))
        return err_prefix(e, "from=%s: ", text);
    memcpy(s->from, at.where, sizeof s->from);
    return true;
}

/* In this order: the board first, since moves and places before them are checked against it. */
static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct plain_fields f;
    struct geister *s = state;
    long ply = 0;
    if (!plain_read_fields(text, field_names, &f, e))
        return false;
    const int mover = strcmp(f.values[MOVER], side_names[1]) == 0;
    if (strcmp(f.values[MOVER], side_names[mover]) != 0)
        return err_set(e, "mover=%.64s: expected first or second", f.values[MOVER]);
    const bool setup = strcmp(f.values[PLY], "setup") == 0;
    if (!setup && (!text_to_int(f.values[PLY], &ply) || ply < 0 || ply > GEISTER_PLIES_MAX))
        return err_set(e, "ply=%.64s: expected setup or the number of moves so far", f.values[PLY]);
    if (!geister_read_board(s, scenario, 0, f.values[BOARD], (int)ply, mover, e) ||
        (setup && !resolve_setup(s, e)) || !read_moves(s, f.values[MOVES], e) ||
        !read_from(s, f.values[FROM], e))
        return false;
    return core_history_fits(s) || err_set(e, "moves: they do not lead to the board");
}

/* "14R24R…", as a server sends it to the side to move: bare, or behind MOV?, with blanks around it when
 * pasted. The receiver is taken as the first player; the number of moves is unknown. */
static bool read_foreign(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    char board[GEISTER_BOARD_CHARS + 1] = "";
    text += strspn(text, " \t\r\n");
    text += strncmp(text, "MOV?", 4) == 0 ? 4 : 0;
    const size_t length = strcspn(text, " \t\r\n");
    if (text[length + strspn(text + length, " \t\r\n")] != '\0' || length != GEISTER_BOARD_CHARS)
        return err_code(e, "position.geister",
                        "'%.64s' is no position; expected the 48 characters of a server's board "
                        "(14R24R…), or board=… mover=… ply=… from=… moves=…",
                        text);
    memcpy(board, text, length);
    return geister_read_board(state, scenario, 0, board, 0, 0, e);
}

static const char *result(const void *state) {
    static const char *const words[][2] = {
        [GEISTER_BY_ESCAPE] = {"first escape", "second escape"},
        [GEISTER_BY_BLUES] = {"first blues", "second blues"},
        [GEISTER_BY_REDS] = {"first reds", "second reds"},
    };
    const struct geister *s = state;
    if (s->stage != GEISTER_OVER)
        return "none";
    return s->end == GEISTER_BY_LIMIT ? "draw limit" : words[s->end][s->winner];
}

const struct notation geister_notation = {
    PLAIN_NOTATION,
    .read_foreign = read_foreign,
    .side_names = {"first", "second"},
};
