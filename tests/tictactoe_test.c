/* SPDX-License-Identifier: MIT */
#include "game/plain.h"

#include "game/face.h"

#include "game_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Known count: 255168 games in all. */
static void all_games_are_counted(void **state) {
    (void)state;
    static const uint64_t counts[] = {1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872, 0};
    struct scenario *scenario = support_load("tictactoe");
    union support_state s;
    memset(&s, 0, sizeof s);
    tictactoe_game.start(&s, scenario, NULL);
    for (int depth = 0; depth <= 10; depth++) {
        uint64_t nodes;
        assert_true(game_perft(&tictactoe_game, &s, depth, NULL, &nodes));
        assert_int_equal(nodes, counts[depth]);
    }
    game_unload(scenario);
}

struct position {
    const char *text;
    int mover;
    const char *result; /* NULL: it is refused */
};

static void positions_are_read(void **state) {
    (void)state;
    static const struct position positions[] = {
        {"board=.........\n", 0, "none"},
        {"board=x........\n", 1, "none"},
        {"board=xxxoo....\n", NOBODY, "x line"},
        {"board=x..xo.xo.\n", NOBODY, "x line"},
        {"board=xo.xo..ox\n", NOBODY, "o line"},
        {"board=xx.oooxox\n", NOBODY, "o line"},
        {"board=o..xo.x.o\n", 0, NULL},
        {"board=xox.xooxx\n", NOBODY, NULL},
        {"board=xoxxoooxx\n", NOBODY, "draw full"},
        {"board=ooox.....\n", 0, NULL},
        {"board=xx.......\n", 0, NULL},
        {"board=xxxooo...\n", 0, NULL},
        {"board=x\n", 0, NULL},
        {"board=x.........\n", 0, NULL},
        {"board=z........\n", 0, NULL},
        {"cells=.........\n", 0, NULL},
    };
    struct scenario *scenario = support_load("tictactoe");
    for (size_t i = 0; i < sizeof positions / sizeof positions[0]; i++) {
        const struct position *p = &positions[i];
        union support_state s;
        struct err e = {{0}};
        memset(&s, 0, sizeof s);
        const bool ok = tictactoe_game.text->read_state(&s, scenario, p->text, &e);
        if (ok != (p->result != NULL) || (!ok && e.text[0] == '\0'))
            fail_msg("%s '%s'", p->text, e.text);
        if (!ok)
            continue;
        support_expect_text(scenario, &s, p->text);
        assert_int_equal(tictactoe_game.mover(&s), p->mover);
        assert_string_equal(tictactoe_game.text->result(&s), p->result);
    }
    game_unload(scenario);
}

static void actions_are_read(void **state) {
    (void)state;
    struct scenario *scenario = support_load("tictactoe");
    union support_state s;
    struct err e = {{0}};
    action a;
    memset(&s, 0, sizeof s);
    assert_true(tictactoe_game.text->read_state(&s, scenario, "board=x........", &e));
    assert_true(tictactoe_game.text->read_action(&s, "c2", &a, &e));
    assert_int_equal(a, 5);
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"a1", "'a1' is illegal: the cell is marked already"},
        {"d1", "'d1' is no cell; expected one as in b2"},
        {"a4", "'a4' is no cell; expected one as in b2"},
        {"b22", "'b22' is no cell; expected one as in b2"},
        {"", "'' is no cell; expected one as in b2"},
        {"b0", "'b0' is no cell; expected one as in b2"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(tictactoe_game.text->read_action(&s, wrong[i].text, &a, &e));
        assert_string_equal(e.text, wrong[i].said);
    }
    assert_true(tictactoe_game.text->read_state(&s, scenario, "board=xxxoo....", &e));
    assert_false(tictactoe_game.text->read_action(&s, "c3", &a, &e));
    assert_string_equal(e.text, "'c3' is illegal: the game is over");
    game_unload(scenario);
}

/* Lines that the other side has not entered; a won game is worth more than all of them. */
static void positions_are_evaluated(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double value;
    } cases[] = {{"board=.........", 0}, {"board=....x....", 4},  {"board=x...o....", -1},
                 {"board=xxxoo....", 9}, {"board=xo.xo..ox", -9}, {"board=xoxxoooxx", 0}};
    struct scenario *scenario = support_load("tictactoe");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        union support_state s;
        struct err e = {{0}};
        memset(&s, 0, sizeof s);
        assert_true(tictactoe_game.text->read_state(&s, scenario, cases[i].text, &e));
        const double first = tictactoe_game.evals[0].value(&s, 0, NULL);
        const double second = tictactoe_game.evals[0].value(&s, 1, NULL);
        if (first < cases[i].value || first > cases[i].value || second < -first || second > -first)
            fail_msg("%s: %g and %g", cases[i].text, first, second);
    }
    game_unload(scenario);
}

static void the_page_gets_cells(void **state) {
    (void)state;
    struct scenario *scenario = support_load("tictactoe");
    union support_state s;
    struct err e = {{0}};
    memset(&s, 0, sizeof s);
    assert_true(tictactoe_game.text->read_state(&s, scenario, "board=x....o...", &e));
    json_t *json = json_object();
    face_fill_json(json, scenario, &s);
    const json_t *rows = json_object_get(json, "board");
    char *text = json_dumps(rows, JSON_COMPACT);
    assert_string_equal(text, "[[[\"x\",\"a1\"],[\"\",\"b1\"],[\"\",\"c1\"]],[[\"\",\"a2\"],[\"\",\"b2\"],"
                              "[\"o\",\"c2\"]],[[\"\",\"a3\"],[\"\",\"b3\"],[\"\",\"c3\"]]]");
    free(text);
    json_decref(json);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_games_are_counted), cmocka_unit_test(positions_are_read),
        cmocka_unit_test(actions_are_read),      cmocka_unit_test(positions_are_evaluated),
        cmocka_unit_test(the_page_gets_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
