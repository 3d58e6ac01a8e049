/* SPDX-License-Identifier: MIT
 *
 * The policy against the plain reading of its definition: after a move, all 8128 products of two of 127 bits.
 */
#include "geister/learn.h"

#include "base/file.h"
#include "base/mem.h"
#include "game/game.h"
#include "geist_support.h"
#include "player/player.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = GEISTER_SIZE, CELLS = GEISTER_CELLS };

static void fill_randomly(struct policy_weights *w, uint64_t seed) {
    struct rng r;
    rng_seed(&r, seed);
    for (int i = 0; i < POLICY_BITS; i++) {
        for (int j = 0; j <= i; j++) {
            w->move[i][j] = w->move[j][i] = policy_round((float)rng_unit(&r) - 0.5F);
            w->value[i][j] = w->value[j][i] = policy_round(((float)rng_unit(&r) - 0.5F) / 8);
        }
    }
}

/* ---- the plain way ---- */

static void set_bits(const struct geister_observation *observation, bool takes, bool escapes,
                     bool bits[POLICY_BITS]) {
    const int counts[4] = {observation->taken_blues, observation->taken_reds, observation->lost_blues,
                           observation->lost_reds};
    memset(bits, 0, POLICY_BITS);
    for (int cell = 0; cell < CELLS; cell++) {
        bits[cell] = observation->blue >> cell & 1;
        bits[42 + cell] = observation->red >> cell & 1;
        bits[84 + cell] =
            (observation->unknown | observation->their_red | observation->their_blue) >> cell & 1;
    }
    for (int item = 0; item < 4; item++)
        if (counts[item] >= 1 && counts[item] <= 3)
            bits[42 * (counts[item] - 1) + 36 + item] = true;
    bits[36 + 4] = takes;
    bits[36 + 5] = escapes;
    bits[126] = true;
}

static double dot(const float weights[POLICY_BITS][POLICY_ROW], const bool bits[POLICY_BITS]) {
    double sum = 0;
    for (int i = 0; i < POLICY_BITS; i++)
        for (int j = 0; j <= i; j++)
            sum += bits[i] && bits[j] ? (double)weights[i][j] : 0;
    return sum;
}

static double plain_score(const struct policy_weights *w, struct geister_observation observation,
                          action move) {
    static const int step_x[4] = {0, 1, -1, 0}, step_y[4] = {-1, 0, 0, 1};
    const int from = (int)move / 4, x = from % SIZE + step_x[move % 4], y = from / SIZE + step_y[move % 4];
    const bool escapes = x < 0 || x >= SIZE || y < 0 || y >= SIZE;
    uint64_t *own = observation.blue >> from & 1 ? &observation.blue : &observation.red;
    bool bits[POLICY_BITS], takes = false;
    *own &= ~(UINT64_C(1) << from);
    if (!escapes) {
        const uint64_t to = UINT64_C(1) << (y * SIZE + x);
        takes = ((observation.unknown | observation.their_red | observation.their_blue) & to) != 0;
        *own |= to;
        observation.unknown &= ~to;
        observation.their_red &= ~to;
        observation.their_blue &= ~to;
    }
    set_bits(&observation, takes, escapes, bits);
    return dot(w->move, bits);
}

/* ---- random games ---- */

typedef void on_position(const struct geister *view, void *context);

static void visit_positions(int games, on_position *visit, void *context) {
    struct scenario *scenario = game_load_spec("geister", NULL);
    assert_non_null(scenario);
    struct rng r;
    rng_seed(&r, 3);
    for (int i = 0; i < games; i++) {
        struct geister s;
        geister_game.start(&s, scenario, &r);
        while (geister_game.mover(&s) >= 0) {
            action actions[GEISTER_SETUPS];
            if (s.stage == GEISTER_PLAYING) {
                struct geister view = s;
                geister_game.hide(&view, s.mover);
                visit(&view, context);
            }
            const int count = geister_game.actions(&s, actions);
            geister_game.play(&s, actions[rng_below(&r, (uint32_t)count)], &r);
        }
    }
    game_unload(scenario);
}

struct seen {
    const struct policy_weights *weights;
    int positions, captures, escapes;
};

static void compare_scores(const struct geister *view, void *context) {
    struct seen *seen = context;
    struct geister_observation observation;
    action moves[POLICY_MOVES_MAX];
    float scores[POLICY_MOVES_MAX];
    bool bits[POLICY_BITS];
    geister_observe(view, view->mover, &observation);
    const int count = bits_moves(observation.red, observation.blue, true, moves);
    policy_scores(seen->weights, &observation, moves, count, scores);
    for (int i = 0; i < count; i++)
        assert_true(fabs(plain_score(seen->weights, observation, moves[i]) - (double)scores[i]) < 1e-3);
    set_bits(&observation, false, false, bits);
    const double value = 2 / (1 + exp(-dot(seen->weights->value, bits))) - 1;
    assert_true(fabs(value - (double)policy_value(seen->weights, &observation)) < 1e-4);
    seen->positions++;
}

static void test_scores(void **state) {
    struct policy_weights *w = mem_alloc(sizeof *w);
    (void)state;
    assert_non_null(w);
    fill_randomly(w, 1);
    struct seen seen = {.weights = w};
    visit_positions(6, compare_scores, &seen);
    assert_true(seen.positions > 300);
    mem_free(w);
}

/* The same moves as the game lists, in its order, turned to the mover. */
static void compare_moves(const struct geister *view, void *context) {
    struct seen *seen = context;
    struct geister_observation observation;
    action moves[POLICY_MOVES_MAX], actions[GEISTER_SETUPS];
    geister_observe(view, view->mover, &observation);
    const int count = bits_moves(observation.red, observation.blue, true, moves);
    assert_int_equal(geister_game.actions(view, actions), count);
    for (int i = 0; i < count; i++) {
        assert_int_equal(geister_turned(actions[i], view->mover), moves[i]);
        seen->escapes += moves[i] == geister_move(0, GEISTER_WEST);
    }
}

static void test_moves(void **state) {
    struct seen seen = {0};
    (void)state;
    visit_positions(40, compare_moves, &seen);
    assert_true(seen.escapes > 0);
}

/* ---- softmax ---- */

static void test_softmax(void **state) {
    (void)state;
    for (int scale = 1; scale <= 64; scale *= 4) {
        float scores[30];
        double best = -1e9, sum = 0, expected[30];
        for (int i = 0; i < 30; i++) {
            scores[i] = (float)((i * 7) % 30 - 15) * (float)scale / 10;
            best = fmax(best, (double)scores[i]);
        }
        for (int i = 0; i < 30; i++)
            sum += expected[i] = exp((double)scores[i] - best);
        policy_softmax(scores, 30);
        for (int i = 0; i < 30; i++)
            assert_true(fabs((double)scores[i] - expected[i] / sum) < 1e-5);
    }
}

/* ---- files ---- */

static void test_written_is_read(void **state) {
    struct policy_weights *w = mem_alloc(sizeof *w), *back = mem_alloc(sizeof *back);
    struct text text = {0}, again = {0};
    struct err e;
    (void)state;
    assert_non_null(w);
    assert_non_null(back);
    fill_randomly(w, 2);
    weight_file_write(&policy_format, w, "two\nlines", &text);
    assert_non_null(strstr(text_string(&text), "\n# two\n# lines\nmove\n"));
    assert_true(weight_file_read(&policy_format, "a", &text, back, &e));
    assert_memory_equal(w, back, sizeof *w);
    weight_file_write(&policy_format, back, "two\nlines", &again);
    assert_string_equal(text_string(&text), text_string(&again));
    text_done(&text);
    text_done(&again);
    mem_free(w);
    mem_free(back);
}

/* The table in the program is what the reader makes of the project's file. */
static void compare_with_file(const struct policy_weights *table, const char *name, const char *recipe) {
    const char *root = getenv("SENJUTSU_ROOT");
    struct policy_weights *w = mem_alloc(sizeof *w);
    struct text text = {0};
    struct err e;
    char path[4096];
    assert_non_null(root);
    assert_non_null(w);
    snprintf(path, sizeof path, "%s/data/%s", root, name);
    assert_true(file_read(path, 1 << 20, &text, &e));
    assert_true(weight_file_read(&policy_format, path, &text, w, &e));
    assert_memory_equal(w, table, sizeof *w);
    assert_true(text.size < 250000);
    assert_non_null(strstr(text_string(&text), recipe));
    text_done(&text);
    mem_free(w);
}

static void test_builtin(void **state) {
    (void)state;
    compare_with_file(policy_builtin(), "geister-pg.weights", "own:rule=adam");
}

/* The header of the file has the recipe and the number of games that the paper reports. */
static void test_published(void **state) {
    (void)state;
    struct learn_recipe recipe;
    struct text expected = {0};
    struct err e;
    text_add_string(&expected, "# senjutsu train geister-pg --seed 1 --games 5000000 --recipe ");
    assert_true(learn_recipe_read("published", &recipe, &e));
    learn_recipe_write(&recipe, &expected);
    text_add_string(&expected, "\n");
    compare_with_file(policy_published(), "geister-pg-paper.weights", text_string(&expected));
    text_done(&expected);
}

/* Weights at the limits of a file's numbers, lines with the line ends of another system, no line end at the
 * end of the file. */
static void test_odd_files(void **state) {
    struct policy_weights *w = mem_alloc(sizeof *w), *back = mem_alloc(sizeof *back);
    struct text text = {0}, crlf = {0};
    struct err e;
    (void)state;
    assert_non_null(w);
    assert_non_null(back);
    w->move[0][0] = 1e9F;
    w->value[0][0] = -1e9F;
    w->value[1][1] = 1024;
    w->value[2][2] = -1024;
    w->value[3][3] = 1023.999F;
    w->value[4][4] = 0.0014F;
    w->value[5][5] = -0.0014F;
    w->value[6][6] = 0.0015F;
    w->value[7][7] = -0.0015F;
    weight_file_write(&policy_format, w, NULL, &text);
    assert_non_null(strstr(text.data, "policy 1\nmove\n1048576\n0 0\n"));
    assert_non_null(
        strstr(text.data, "value\n-1048576\n0 1048576\n0 0 -1048576\n0 0 0 1048575\n0 0 0 0 1\n"));
    assert_non_null(strstr(text.data, "\n0 0 0 0 0 -1\n0 0 0 0 0 0 2\n0 0 0 0 0 0 0 -2\n"));
    text_add_string(&crlf, "");
    for (size_t i = 0; i + 1 < text.size; i++) {
        text_add_bytes(&crlf, text.data[i] == '\n' ? "\r" : "", text.data[i] == '\n');
        text_add_bytes(&crlf, text.data + i, 1);
    }
    assert_true(weight_file_read(&policy_format, "a", &crlf, back, &e));
    assert_true(back->move[0][0] > 1023.99F && back->value[2][2] < -1023.99F && back->value[3][3] < 1024);
    assert_true(policy_round(0.0014F) > 0.0009F && policy_round(0.0014F) < 0.001F);
    text_done(&text);
    text_done(&crlf);
    mem_free(w);
    mem_free(back);
}

struct broken {
    const char *text, *says;
};

static void test_errors(void **state) {
    static const struct broken cases[] = {
        {"", "f:1: expected 'senjutsu geister policy 1', not ''"},
        {"senjutsu geister policy 2\n", "f:1: expected 'senjutsu geister policy 1'"},
        {"senjutsu geister policy 1\n# x\nmoves\n", "f:3: expected 'move', not 'moves'"},
        {"senjutsu geister policy 1\nmove\n1\n1\n", "f:4: expected 2 whole numbers, found fewer"},
        {"senjutsu geister policy 1\nmove\n1\n1 x\n", "f:4: number 2 is none; expected 2 whole numbers"},
        {"senjutsu geister policy 1\nmove\n1 2\n", "f:3: expected 1 whole number, found more"},
        {"senjutsu geister policy 1\nmove\n1.5\n", "f:3: number 1 is none; expected 1 whole"},
        {"senjutsu geister policy 1\nmove\n9999999\n",
         "f:3: number 1 is out of range; expected -1048576 to 1048576"},
        {"senjutsu geister policy 1\nmove\n", "f:3: expected 1 whole number, found fewer"},
        {"senjutsu geister policy 1\nmove\n1048577\n", "f:3: number 1 is out of range"},
        {"senjutsu geister policy 1\nmove\n-1048577\n", "f:3: number 1 is out of range"},
        {"senjutsu geister policy 1\nmove\n1048576\n-1048576 1048576\nx",
         "f:5: number 1 is none; expected 3"},
        {"senjutsu geister policy 1\nmove\n-\n", "f:3: number 1 is none; expected 1 whole"},
        {"senjutsu geister policy 1\nmove\n/\n", "f:3: number 1 is none; expected 1 whole"},
        {"senjutsu geister policy 1\nmove\n:\n", "f:3: number 1 is none; expected 1 whole"},
        {"senjutsu geister policy 1\nmove\n18446744073709551617\n", "f:3: number 1 is out of range"},
        {"senjutsu geister policy 1\nmove\n1\n1 2\n1 2 3 4 \n", "f:5: expected 3 whole numbers, found more"},
        {"senjutsu geister policy 1\n12345678901234567890123456789012345678901234567890\n",
         "f:2: expected 'move', not '1234567890123456789012345678901234567890'"},
    };
    struct policy_weights *w = mem_alloc(sizeof *w);
    struct text text = {0};
    struct err e;
    (void)state;
    assert_non_null(w);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        text_clear(&text);
        text_add_string(&text, cases[i].text);
        assert_false(weight_file_read(&policy_format, "f", &text, w, &e));
        assert_memory_equal(e.text, cases[i].says, strlen(cases[i].says));
    }
    text_clear(&text);
    memset(w, 0, sizeof *w);
    weight_file_write(&policy_format, w, NULL, &text);
    text_add_string(&text, "1\n");
    assert_false(weight_file_read(&policy_format, "f", &text, w, &e));
    assert_string_equal(e.text, "f:258: expected the end of the file");
    text_done(&text);
    mem_free(w);
}

/* ---- the player ---- */

static action ask_pg(const char *spec, const struct geister *view, struct thoughts *thoughts) {
    struct err e;
    struct rng r;
    struct answer answer;
    struct player *pg = player_open_granted(spec, &geister_game, &grant_everything, &e);
    assert_non_null(pg);
    rng_seed(&r, 9);
    const struct ask ask = {
        .game = &geister_game, .view = view, .side = view->mover, .rng = &r, .thoughts = thoughts};
    player_choose(pg, &ask, &answer);
    player_close(pg);
    return answer.chosen;
}

/* The player's spec, its weights, and how often it chose another move than pg. */
struct choices {
    const char *spec;
    const struct policy_weights *weights;
    int positions, others;
};

static void check_best(const struct geister *view, void *context) {
    struct choices *choices = context;
    static struct thoughts thoughts;
    struct geister_observation observation;
    action moves[POLICY_MOVES_MAX];
    float scores[POLICY_MOVES_MAX];
    if (choices->positions++ % 20 != 0)
        return;
    geister_observe(view, view->mover, &observation);
    const int count = bits_moves(observation.red, observation.blue, true, moves);
    policy_scores(choices->weights, &observation, moves, count, scores);
    int best = 0;
    for (int i = 1; i < count; i++)
        best = scores[i] > scores[best] ? i : best;
    const action chosen = ask_pg(choices->spec, view, &thoughts);
    assert_int_equal(geister_turned(chosen, view->mover), moves[best]);
    assert_int_equal(thoughts.total, count);
    assert_int_equal(thoughts.candidates[0].action, chosen);
    assert_true(geister_game.is_legal(view, ask_pg("pg:style=sample", view, NULL)));
    choices->others += chosen != ask_pg("pg", view, NULL);
}

static void test_player(void **state) {
    struct choices own = {"pg", policy_builtin(), 0, 0};
    struct choices published = {"pg:recipe=published", policy_published(), 0, 0};
    struct err e;
    (void)state;
    visit_positions(3, check_best, &own);
    visit_positions(3, check_best, &published);
    assert_int_equal(own.others, 0);
    assert_true(published.others > 0);
    assert_null(player_open_granted("pg:weights=/nowhere/at/all", &geister_game, &grant_everything, &e));
    assert_non_null(strstr(e.text, "/nowhere/at/all"));
    assert_null(player_open_granted("pg:weights=a,recipe=published", &geister_game, &grant_everything, &e));
    assert_non_null(strstr(e.text, "recipe=published and weights= exclude each other"));
    assert_null(player_open_granted("pg:setup=AAAA", &geister_game, &grant_everything, &e));
    assert_non_null(strstr(e.text, "AAAA"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scores),    cmocka_unit_test(test_moves),
        cmocka_unit_test(test_softmax),   cmocka_unit_test(test_written_is_read),
        cmocka_unit_test(test_odd_files), cmocka_unit_test(test_builtin),
        cmocka_unit_test(test_published), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_player),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
