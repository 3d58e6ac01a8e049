/* SPDX-License-Identifier: MIT
 *
 * Tic-tac-toe, the smallest open game here: an example for a new game, and a game that is solved in moments.
 *
 * Cells are named by column (a, b, c) and row (1, 2, 3), and an action is the cell that is marked. A state is
 * written as the nine cells a1 b1 c1 a2 … c3: `board=x.o......`.
 */
#include "base/bits.h"
#include "game/face.h"
#include "game/plain.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 3, CELLS = WIDTH * WIDTH, ALL = (1 << CELLS) - 1 };

/* A set of cells is a bit for each of them. */
struct tictactoe {
    const struct scenario *scenario;
    uint16_t marks[2]; /* by side */
    uint8_t unused[4];
};

static const char letters[] = "xo";

/* ---- rules ---- */

static int turn(const void *state) {
    const struct tictactoe *s = state;
    return bits_count(s->marks[0]) + bits_count(s->marks[1]);
}

/* In octal a row of the board is a digit: three rows, three columns, two diagonals. */
static const uint16_t lines[] = {0007, 0070, 0700, 0111, 0222, 0444, 0421, 0124};

enum { LINES = sizeof lines / sizeof lines[0] };

static bool has_line(unsigned marks) {
    for (int i = 0; i < LINES; i++)
        if ((marks & lines[i]) == lines[i])
            return true;
    return false;
}

static void start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)r;
    *(struct tictactoe *)state = (struct tictactoe){.scenario = scenario};
}

/* Side 0 begins and sides alternate, so that the number of marks shows whose turn it is. */
static int mover(const void *state) {
    const struct tictactoe *s = state;
    const int count = turn(s);
    return count == CELLS || has_line(s->marks[0]) || has_line(s->marks[1]) ? NOBODY : count % 2;
}

static bool is_legal(const void *state, action a) {
    const struct tictactoe *s = state;
    return mover(state) != NOBODY && a < CELLS && ((s->marks[0] | s->marks[1]) >> a & 1) == 0;
}

/* In the order of the cells. */
static int actions(const void *state, action *out) {
    const struct tictactoe *s = state;
    const int taken = mover(state) == NOBODY ? ALL : s->marks[0] | s->marks[1];
    int count = 0;
    for (action cell = 0; cell < CELLS; cell++)
        if ((taken >> cell & 1) == 0)
            out[count++] = cell;
    return count;
}

/* The side to move is computed before its mark is set. */
static void play(void *state, action a, struct rng *r) {
    struct tictactoe *s = state;
    (void)r;
    assert(is_legal(state, a));
    s->marks[mover(state)] |= (uint16_t)(1u << a);
}

static double payoff(const void *state, int side) {
    const struct tictactoe *s = state;
    return has_line(s->marks[side]) ? 1 : has_line(s->marks[side ^ 1]) ? 0 : 0.5;
}

/* The marks are the whole position. Bit 32 is always set, so that the empty board has a key other than 0. */
static uint64_t key(const void *state) {
    const struct tictactoe *s = state;
    return rng_mix((uint64_t)s->marks[0] | (uint64_t)s->marks[1] << 16 | UINT64_C(1) << 32);
}

/* Side 0 begins, and the game ends with the first line: only the side that moved last has one. */
static bool valid(const void *state) {
    const struct tictactoe *s = state;
    const int lead = bits_count(s->marks[0]) - bits_count(s->marks[1]);
    return (s->marks[0] & s->marks[1]) == 0 && (s->marks[0] | s->marks[1]) <= ALL &&
           (lead == 0 || lead == 1) && !has_line(s->marks[lead]);
}

/* ---- evaluation ---- */

/* A won game is worth more than any number of open lines. */
static double value_lines(const void *state, int side, const double *weights) {
    const struct tictactoe *s = state;
    (void)weights;
    if (mover(state) == NOBODY)
        return (LINES + 1) * (2 * payoff(state, side) - 1);
    int lead = 0;
    for (int i = 0; i < LINES; i++)
        lead += ((s->marks[side ^ 1] & lines[i]) == 0) - ((s->marks[side] & lines[i]) == 0);
    return lead;
}

/* ---- notation ---- */

static void write_action(const void *state, action a, struct text *out) {
    (void)state;
    text_add(out, "%c%d", 'a' + (int)a % WIDTH, (int)a / WIDTH + 1);
}

static bool read_action(const void *state, const char *text, action *out, struct err *e) {
    if (text[0] < 'a' || text[0] > 'c' || text[1] < '1' || text[1] > '3' || text[2] != '\0')
        return err_set(e, "'%.64s' is no cell; expected one as in b2", text);
    *out = (action)(text[0] - 'a' + WIDTH * (text[1] - '1'));
    return !plain_is_over(state, text, e) &&
           (is_legal(state, *out) || err_set(e, "'%s' is illegal: the cell is marked already", text));
}

static void write_state(const void *state, struct text *out) {
    const struct tictactoe *s = state;
    char board[CELLS + 1] = "";
    for (int cell = 0; cell < CELLS; cell++)
        board[cell] = s->marks[0] >> cell & 1 ? letters[0] : s->marks[1] >> cell & 1 ? letters[1] : '.';
    text_add(out, "board=%s\n", board);
}

static bool read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    struct tictactoe *s = state;
    struct plain_fields fields;
    if (!plain_read_fields(text, (const char *const[]){"board", NULL}, &fields, e))
        return false;
    const char *board = fields.values[0];
    if (strlen(board) != CELLS || strspn(board, "xo.") != CELLS)
        return err_set(e, "board=%.64s; expected nine of x, o and . as in x.o......", board);
    start(state, scenario, NULL);
    for (int cell = 0; cell < CELLS; cell++)
        if (board[cell] != '.')
            s->marks[board[cell] == letters[1]] |= (uint16_t)(1u << cell);
    return valid(state) ||
           err_set(e, "board=%s cannot come about: x begins, and the game ends with a line", board);
}

static const char *result(const void *state) {
    if (mover(state) != NOBODY)
        return "none";
    const double first = payoff(state, 0);
    return first > 0.5 ? "x line" : first < 0.5 ? "o line" : "draw full";
}

/* ---- face ---- */

/* A click on a free cell plays its action; the page asks the rules whether it is legal. */
static void board(const void *view, struct face_board *out) {
    const struct tictactoe *s = view;
    out->width = out->height = WIDTH;
    for (int cell = 0; cell < CELLS; cell++) {
        struct face_cell *c = &out->cells[cell / WIDTH][cell % WIDTH];
        snprintf(c->action, sizeof c->action, "%c%d", 'a' + cell % WIDTH, cell / WIDTH + 1);
        for (int side = 0; side < 2; side++)
            if (s->marks[side] >> cell & 1)
                c->text[0] = letters[side];
    }
}

/* ---- tables ---- */

static const struct rollout rollouts[] = {{"random", "each action is as likely as the others", plain_rollout},
                                          {0}};
static const struct eval evals[] = {
    {"lines", "lines in which the other side has no mark, less those of the other side", value_lines}, {0}};
static const struct action_list lists[] = {{"all", "all free cells", actions}, {0}};

static const struct game_face face = {.board = board};

static const struct notation notation = {PLAIN_NOTATION, .side_names = {"x", "o"}};

const struct game tictactoe_game = {
    .name = "tictactoe",
    .help = "three in a row; nothing is hidden: the smallest example of an open game",
    .state_size = sizeof(struct tictactoe),
    .scenario_size = sizeof(struct scenario),
    .actions_max = CELLS,
    PLAIN_SLOTS,
    .play = play,
    .evals = evals,
    .face = &face,
};
