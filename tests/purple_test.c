/* SPDX-License-Identifier: MIT
 *
 * The purple-piece searches: the published program's values and moves where its vectors are at hand, and a
 * plain Min-Max always.
 */
#include "geister/purple.c" /* the evaluation is internal */

#include "base/bits.h"
#include "base/mem.h"
#include "geister/fusion_position.h"
#include "geister_support.h"
#include "golden_support.h"
#include "purple_naive.h"
#include "sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { TABLE = 1 << 20, WORDS_MAX = 24 };

static struct purple *open_table(size_t bytes) {
    struct err e = {""};
    struct purple *purple = purple_open(bytes, &e);
    if (purple == NULL)
        fail_msg("%s", e.text);
    return purple;
}

/* The vectors have sets of pieces that no game has. */
static uint64_t cells_of(const char *board, char piece) {
    uint64_t set = 0;
    for (int i = 0; i < GEISTER_CELLS; i++)
        set |= (uint64_t)(board[i] == piece) << i;
    return set;
}

static struct geister_observation read_observation(const char *board) {
    return (struct geister_observation){.red = cells_of(board, 'R'),
                                        .blue = cells_of(board, 'B'),
                                        .unknown = cells_of(board, 'u'),
                                        .their_red = cells_of(board, 'r'),
                                        .their_blue = cells_of(board, 'b')};
}

/* With that many hidden blues of the other side. */
static struct geister_observation read_board(const char *board, int blues) {
    struct geister_observation seen = read_observation(board);
    seen.hidden_reds = bits_count(seen.unknown) - blues;
    return seen;
}

/* ---- the published program's vectors ---- */

static int split(char *line, char *words[WORDS_MAX]) {
    int count = 0;
    for (char *word = strtok(line, " "); word != NULL && count < WORDS_MAX; word = strtok(NULL, " "))
        words[count++] = word;
    return count;
}

/* Asks about every line that is no comment, of which there are `least` or more; false when the vectors are
 * not there. */
static bool each_line(const char *file, int least,
                      void (*check)(struct purple *purple, char *words[WORDS_MAX])) {
    struct text text = {0};
    char *words[WORDS_MAX], *line;
    int lines = 0;
    if (!geister_golden(file, &text))
        return false;
    struct purple *purple = open_table(TABLE);
    char *copy = mem_alloc(text.size + 1), *at = copy;
    memcpy(copy, text_string(&text), text.size);
    while ((line = golden_line(&at)) != NULL)
        if (line[0] != '#' && line[0] != '\0') {
            assert_in_range(split(line, words), 6, WORDS_MAX);
            check(purple, words);
            lines++;
        }
    mem_free(copy);
    purple_close(purple);
    text_done(&text);
    assert_true(lines >= least);
    return true;
}

/* "y x d" with d = N E S W. */
static action move_of(char *words[]) {
    static const enum geister_direction order[4] = {GEISTER_NORTH, GEISTER_EAST, GEISTER_SOUTH, GEISTER_WEST};
    return geister_move(atoi(words[0]) * GEISTER_SIZE + atoi(words[1]), order[atoi(words[2])]);
}

static void expect(const char *board, const struct purple_result *found, int value, action move) {
    if (found->value != value || found->move != move || !found->complete)
        fail_msg("%s: value %d move %u, expected %d %u", board, found->value, (unsigned)found->move, value,
                 (unsigned)move);
}

static void check_value(struct purple *purple, char *words[WORDS_MAX]) {
    const struct geister_observation seen = read_board(words[0], atoi(words[1]));
    struct purple_result found;
    purple_search(purple, &seen, &(struct purple_task){.depth = atoi(words[3])}, &found);
    expect(words[0], &found, atoi(words[5]), move_of(words + 7));
}

/* Columns: board, pnum, depth, value, nodes, "xyD". Wins are also what the search for wins alone finds. */
static void check_end(struct purple *purple, char *words[WORDS_MAX]) {
    const struct geister_observation seen = read_board(words[0], atoi(words[1]));
    const struct purple_task task = {.depth = atoi(words[2])};
    const char *best = words[5];
    const int value = atoi(words[3]);
    const action move = geister_move((best[1] - '0') * GEISTER_SIZE + best[0] - '0',
                                     (enum geister_direction)(strchr("NEWS", best[2]) - "NEWS"));
    struct purple_result found;
    purple_search(purple, &seen, &task, &found);
    /* The program gives the escape's direction in the form it sends. */
    expect(words[0], &found, value, move);
    assert_int_equal(purple_mate(purple, &seen, &task, &found), value > 0);
    if (value > 0)
        expect(words[0], &found, value, move);
}

static void check_open(struct purple *purple, char *words[WORDS_MAX]) {
    const struct geister_observation seen = read_observation(words[0]);
    struct purple_result found;
    purple_search(purple, &seen, &(struct purple_task){.depth = atoi(words[2]), .open = true}, &found);
    expect(words[0], &found, atoi(words[4]), move_of(words + 6));
}

static void check_static(struct purple *purple, char *words[WORDS_MAX]) {
    const struct geister_observation seen = read_board(words[0], atoi(words[1]));
    struct purple_node node;
    purple_node_of(purple, &seen, false, &node);
    assert_int_equal(purple_ended(&node, 0), atoi(words[3]));
    assert_int_equal(purple_ended(&node, 1), atoi(words[5]));
    assert_int_equal(node.eval, atoi(words[7]));
    assert_int_equal(-node.eval, atoi(words[9]));
}

static void published_values(void **unused) {
    (void)unused;
    if (!each_line("purple_values.txt", 240, check_value))
        skip();
}

static void published_wins_and_losses(void **unused) {
    (void)unused;
    if (!each_line("purple_wins.txt", 70, check_end) || !each_line("purple_losses.txt", 22, check_end))
        skip();
}

static void published_open_values(void **unused) {
    (void)unused;
    if (!each_line("kanzen_values.txt", 80, check_open))
        skip();
}

static void published_evaluations(void **unused) {
    (void)unused;
    if (!each_line("purple_static_eval.txt", 257, check_static))
        skip();
}

/* ---- against the plain search ---- */

static int draw_cell(struct naive *n, struct rng *r) {
    int cell;
    do
        cell = (int)rng_below(r, GEISTER_CELLS);
    while (n->board[cell] != '.');
    return cell;
}

/* A random unfinished position, with none of our pieces on its exit. */
static void draw(struct naive *n, bool open, struct rng *r) {
    do {
        memset(n->board, '.', GEISTER_CELLS);
        n->board[GEISTER_CELLS] = '\0';
        n->open = open;
        const int blues = 1 + (int)rng_below(r, 4), reds = 1 + (int)rng_below(r, 4);
        const int theirs = 2 + (int)rng_below(r, 7), least = theirs > 4 ? theirs - 4 : 1;
        const int most = theirs > 4 ? 4 : theirs - 1;
        const int hidden_reds = least + (int)rng_below(r, (uint32_t)(most - least + 1));
        for (int i = 0; i < blues; i++)
            n->board[draw_cell(n, r)] = 'B';
        for (int i = 0; i < reds; i++)
            n->board[draw_cell(n, r)] = 'R';
        for (int i = 0; i < theirs; i++)
            n->board[draw_cell(n, r)] = !open ? 'u' : i < hidden_reds ? 'r' : 'b';
        n->blues = theirs - hidden_reds;
    } while (naive_winner(n, 0) != 2);
}

/* Every move's value, and which comes first. */
static void compare_roots(struct naive *n, const struct purple_roots *roots, bool exact) {
    for (int i = 0; i < roots->count; i++) {
        const struct purple_root *root = &roots->moves[i];
        const int value = naive_value(n, (int)root->move);
        if (exact)
            assert_false(root->at_most);
        assert_true(root->at_most ? root->value >= value : root->value == value);
    }
}

static void search_drawn(struct purple *purple, struct naive *n, const struct purple_task *task,
                         struct purple_result *found) {
    const struct geister_observation seen =
        n->open ? read_observation(n->board) : read_board(n->board, n->blues);
    struct purple_task asked = *task;
    asked.open = n->open;
    purple_search(purple, &seen, &asked, found);
}

static void compare(struct purple *purple, bool open, int positions, int depth) {
    struct rng r;
    rng_seed_stream(&r, 5, (uint64_t)depth * 2 + open);
    for (int i = 0; i < positions; i++) {
        struct naive n = {.depth = depth};
        struct purple_roots roots;
        struct purple_task task = {.depth = depth, .roots = &roots};
        struct purple_result found, again;
        int move = -1;
        draw(&n, open, &r);
        const int value = purple_naive_search(&n, &move);
        search_drawn(purple, &n, &task, &found);
        expect(n.board, &found, value, (action)move);
        assert_int_equal(roots.line[0], move);
        if (found.depth == depth && depth <= 4)
            compare_roots(&n, &roots, false);
        task.exact_roots = depth <= 4;
        search_drawn(purple, &n, &task, &again);
        expect(n.board, &again, value, (action)move);
        if (depth <= 4)
            compare_roots(&n, &roots, true);
    }
}

static void as_a_plain_search(void **unused) {
    (void)unused;
    static const int positions[] = {0, 60, 60, 60, 40, 24, 8};
    for (int open = 0; open < 2; open++) {
        struct purple *purple = open_table(TABLE);
        for (int depth = 1; depth <= 6; depth++)
            compare(purple, open != 0, SAMPLE(positions[depth], positions[depth] / 4), depth);
        purple_close(purple);
    }
}

/* A table that overwrites nearly everything changes nothing but the time. */
static void in_a_small_table(void **unused) {
    (void)unused;
    struct purple *purple = open_table(1);
    compare(purple, false, 20, 5);
    compare(purple, true, 20, 5);
    purple_close(purple);
}

static void wins_alone_are_the_same_wins(void **unused) {
    (void)unused;
    struct purple *purple = open_table(TABLE);
    struct rng r;
    int wins = 0;
    rng_seed(&r, 9);
    for (int i = 0; i < 300; i++) {
        struct naive n = {0};
        struct purple_result by_value, by_mate;
        draw(&n, false, &r);
        const struct geister_observation seen = read_board(n.board, n.blues);
        const struct purple_task task = {.depth = 7 + i % 2};
        purple_search(purple, &seen, &task, &by_value);
        const bool won = purple_mate(purple, &seen, &task, &by_mate);
        if (won != (by_value.value > PURPLE_MATE))
            fail_msg("%s %d: value %d, but a win: %d", n.board, n.blues, by_value.value, won);
        if (won)
            expect(n.board, &by_mate, by_value.value, by_value.move);
        assert_true(by_mate.complete);
        wins += won;
    }
    assert_true(wins > 30 && wins < 270);
    purple_close(purple);
}

/* ---- limits ---- */

static const char quiet[] = ".uuuu..uuuu..............BRRB..RBBR.";

static void the_work_is_limited(void **unused) {
    (void)unused;
    struct purple *purple = open_table(TABLE);
    const struct geister_observation seen = read_board(quiet, 4);
    struct purple_result whole, part, before;
    purple_search(purple, &seen, &(struct purple_task){.depth = 6}, &whole);
    assert_true(whole.complete);
    assert_int_equal(whole.depth, 6);
    for (uint64_t nodes = 1; nodes < whole.nodes; nodes += whole.nodes / 17) {
        purple_search(purple, &seen, &(struct purple_task){.depth = 6, .nodes_max = nodes}, &part);
        assert_false(part.complete);
        assert_true(part.depth < 6 && part.nodes <= nodes);
        if (part.depth == 0)
            continue;
        /* It is the answer of the depth that was finished. */
        purple_search(purple, &seen, &(struct purple_task){.depth = part.depth}, &before);
        expect(quiet, &before, part.value, part.move);
    }
    purple_search(purple, &seen, &(struct purple_task){.depth = 6, .nodes_max = whole.nodes + 1}, &part);
    expect(quiet, &part, whole.value, whole.move);
    assert_int_equal(part.nodes, whole.nodes); /* earlier searches do not matter */
    assert_false(purple_mate(purple, &seen, &(struct purple_task){.depth = 20, .nodes_max = 5000}, &part));
    assert_false(part.complete);
    purple_close(purple);
}

static void it_can_be_stopped(void **unused) {
    (void)unused;
    struct purple *purple = open_table(TABLE);
    const struct geister_observation seen = read_board(quiet, 4);
    const atomic_bool stop = true;
    int64_t now = 100;
    const struct clock clock = clock_manual(&now);
    const struct budget late = {.deadline_ns = 50, .clock = &clock};
    const struct purple_task tasks[] = {{.depth = 20, .stop = &stop}, {.depth = 20, .cut = &late}};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        struct purple_result found;
        purple_search(purple, &seen, &tasks[i], &found);
        assert_false(found.complete);
        assert_int_equal(found.depth, 0);
        assert_int_equal(found.move, geister_move(25, GEISTER_NORTH)); /* legal all the same */
        assert_false(purple_mate(purple, &seen, &tasks[i], &found));
        assert_false(found.complete);
    }
    purple_close(purple);
}

static void exhausted_memory_is_reported(void **unused) {
    (void)unused;
    struct err e = {""};
    mem_fail_at(2);
    assert_null(purple_open(TABLE, &e));
    mem_fail_at(0);
    assert_non_null(strstr(e.text, "not enough memory"));
}

/* ---- pictures ---- */

struct picture {
    const char *board;
    int blues, depth, value;
    action move;
};

static void pictures(void **unused) {
    (void)unused;
    static const struct picture list[] = {
        /* Leaves at once, to the side. */
        {"B....R......u......................u", 1, 6, PURPLE_WIN, 0 * 4 + GEISTER_WEST},
        {".....BR.....u......................u", 1, 6, PURPLE_WIN, 5 * 4 + GEISTER_EAST},
        /* One step from the corner and no enemy near. */
        {"....B.R.....u.u.....................", 1, 6, PURPLE_WIN - 2, 4 * 4 + GEISTER_EAST},
        /* The position of the paper's kind: a run in five plies. */
        {FUSION_OBSERVATION, 1, 6, FUSION_WINNING_VALUE, FUSION_WINNING_MOVE},
        /* Two of theirs are on their exits: lost with the next ply, whatever is played. */
        {".............B..R...........u.u....u", 1, 6, -PURPLE_WIN + 1, 13 * 4 + GEISTER_NORTH},
    };
    struct purple *purple = open_table(TABLE);
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const struct geister_observation seen = read_board(list[i].board, list[i].blues);
        struct purple_result found;
        struct purple_roots roots;
        memset(&roots, 0xFF, sizeof roots);
        purple_search(purple, &seen, &(struct purple_task){.depth = list[i].depth, .roots = &roots}, &found);
        expect(list[i].board, &found, list[i].value, list[i].move);
        assert_int_equal(roots.moves[0].move, list[i].move);
        assert_int_equal(roots.moves[0].value, list[i].value);
        assert_int_equal(roots.line[0], list[i].move);
        assert_true(roots.count >= 1 && roots.line_count >= 1);
        if (list[i].value == PURPLE_WIN) /* it leaves now: no other move is searched */
            assert_true(roots.count == 1 && roots.line_count == 1);
    }
    purple_close(purple);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_values),
        cmocka_unit_test(published_wins_and_losses),
        cmocka_unit_test(published_open_values),
        cmocka_unit_test(published_evaluations),
        cmocka_unit_test(as_a_plain_search),
        cmocka_unit_test(in_a_small_table),
        cmocka_unit_test(wins_alone_are_the_same_wins),
        cmocka_unit_test(the_work_is_limited),
        cmocka_unit_test(it_can_be_stopped),
        cmocka_unit_test(exhausted_memory_is_reported),
        cmocka_unit_test(pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
