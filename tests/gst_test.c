/* SPDX-License-Identifier: MIT
 *
 * The players gst-a, gst-b, gst-c and nissy, as they are asked: wins they must find, that their answers
 * repeat, and what their options do.
 */
#include "player/player.h"

#include "base/mem.h"
#include "geister_support.h"
#include "player_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const char *const names[] = {"gst-a", "gst-b", "gst-c", "nissy"};

enum { NAMES = sizeof names / sizeof names[0] };

/* With a small tree: opening takes as long as its memory is large. */
static struct player *open_it(const char *name, const char *options) {
    char spec[128];
    snprintf(spec, sizeof spec, "%s:%s%s", name, options,
             strstr(options, "memory=") == NULL ? ",memory=12" : "");
    return open_player(spec, &geister_game);
}

static struct answer ask(struct player *player, const struct geister *s, uint64_t seed,
                         struct thoughts *thoughts) {
    const struct ask question = {.game = s->scenario->game, .view = s, .thoughts = thoughts};
    return ask_in(player, &question, seed);
}

static struct answer ask_once(const char *name, const char *options, const struct geister *s) {
    struct player *player = open_it(name, options);
    const struct answer answer = ask(player, s, 3, NULL);
    player_close(player);
    return answer;
}

static void expect_move(const struct geister *s, const struct answer *answer, const char *expected,
                        const char *who) {
    struct text text = {0};
    geister_game.text->write_action(s, answer->chosen, &text);
    if (strstr(expected, text_string(&text)) == NULL)
        fail_msg("%s plays %s (worth %.3f), expected %s", who, text_string(&text), answer->value, expected);
    text_done(&text);
}

/* ---- wins that must be found ---- */

/* Positions with one right answer (or some), seen by either side: mirrored, letters stay the same. */
struct known {
    const char *board, *moves;
    double least; /* of the value */
};

static const struct known known[] = {
    /* a blue on its exit leaves */
    {"24R34R44R13R00B25B35B32B40r31b30r21b11r20b10r41b", "EN EW", 0.999},
    /* one step from it, and no enemy near: forced in three plies */
    {"24R34R44R13R01B25B35B33B40r31b30r32b22r50b43r41b", "EN", 0.9},
    /* the last red stands beside three of theirs, but leaving wins at once */
    {"99r99r99r13R05B25B50B33B04r12b30r32b23r14b43r41b", "GN GE", 0.999},
};

/* The same position seen from the other side of the board. */
static void mirror(const char *board, char *out) {
    for (int i = 0; i < 2 * GEISTER_PIECES; i++) {
        const char *from = board + 3 * i;
        char *to = out + 3 * ((i + GEISTER_PIECES) % (2 * GEISTER_PIECES));
        const bool is_taken = from[0] == '9';
        to[0] = is_taken ? '9' : (char)('0' + '5' - from[0]);
        to[1] = is_taken ? '9' : (char)('0' + '5' - from[1]);
        to[2] = is_taken ? from[2] : (char)(from[2] ^ ('a' ^ 'A'));
    }
    out[GEISTER_BOARD_CHARS] = '\0';
}

static void wins_are_found(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        for (int side = 0; side < 2; side++) {
            char board[GEISTER_BOARD_CHARS + 1];
            struct geister s;
            mirror(known[i].board, board);
            geister_place(&s, geister_scenario, side == 0 ? known[i].board : board, 40, side);
            for (int n = 0; n < NAMES; n++) {
                const struct answer answer = ask_once(names[n], "sims=3000", &s);
                expect_move(&s, &answer, known[i].moves, names[n]);
                assert_true(answer.value >= known[i].least);
            }
        }
}

/* A hidden piece stands on its exit: taken it cannot leave, otherwise it does every second time. */
static void a_piece_that_could_leave_is_taken(void **state) {
    (void)state;
    struct geister s;
    geister_place(&s, geister_scenario, "24R34R44R13R22B25B35B04B40r31b30r41b05r51b11r10b", 40, 0);
    for (int n = 0; n < NAMES; n++) {
        const struct answer answer = ask_once(names[n], "sims=4000", &s);
        expect_move(&s, &answer, "HS", names[n]);
    }
}

/* ---- answers repeat ---- */

static void the_same_question_gets_the_same_answer(void **state) {
    (void)state;
    static const char *const options[] = {"sims=401", "sims=401,threads=2", "sims=401,merge=yes,memory=1",
                                          "sims=401,policy=random,choose=visits,expand=3"};
    struct geister s, other;
    geister_begin(&s, geister_scenario, "ABCD", "BCFG");
    geister_begin(&other, geister_scenario, "EFGH", "ABEF");
    geister_play_all(&s, "AN/CN/AW/CN");
    for (int n = 0; n < NAMES; n++)
        for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
            struct player *player = open_it(names[n], options[i]);
            const struct answer first = ask(player, &s, 6, NULL);
            assert_int_equal(first.work_done, 401);
            ask(player, &other, 7, NULL);
            const struct answer again = ask(player, &s, 6, NULL);
            expect_same_answer(&first, &again);
            player_close(player);
        }
}

/* It decides by what it sees. */
static void hidden_colours_change_nothing(void **state) {
    (void)state;
    static const char *const setups[] = {"ABCD", "EFGH", "BCFG"};
    for (int n = 0; n < NAMES; n++) {
        struct answer first = {0};
        for (size_t i = 0; i < sizeof setups / sizeof setups[0]; i++) {
            struct geister s;
            geister_begin(&s, geister_scenario, "ABEF", setups[i]);
            geister_play_all(&s, "AN/DN/BN/CN");
            const struct answer answer = ask_once(names[n], "sims=200", &s);
            if (i == 0)
                first = answer;
            expect_same_answer(&first, &answer);
        }
    }
}

/* A and B simulate the same games with the same chances: their results differ only by chance. */
static void early_and_late_drawing_agree(void **state) {
    (void)state;
    struct geister s;
    struct answer answers[2];
    geister_place(&s, geister_scenario, "24R34R44R13R02B25B35B04B40r31b30r41b15r51b11r10b", 40, 0);
    for (int n = 0; n < 2; n++)
        answers[n] = ask_once(names[n], "sims=20000", &s);
    assert_int_equal(answers[0].chosen, answers[1].chosen);
    assert_true(fabs(answers[0].value - answers[1].value) < 0.05);
}

/* ---- options ---- */

static void an_own_seed_takes_the_place_of_the_games(void **state) {
    (void)state;
    struct geister s, start;
    geister_begin(&s, geister_scenario, "ABCD", "BCFG");
    geister_game.start(&start, geister_scenario, &(struct rng){{1}});
    for (int n = 0; n < NAMES; n++) {
        struct player *player = open_it(names[n], "sims=50,seed=9");
        const struct answer a = ask(player, &s, 1, NULL), b = ask(player, &s, 2, NULL);
        expect_same_answer(&a, &b);
        const struct answer c = ask(player, &start, 1, NULL), d = ask(player, &start, 2, NULL);
        assert_int_equal(c.chosen, d.chosen);
        player_close(player);
    }
}

static void setups_are_an_option(void **state) {
    (void)state;
    struct geister s;
    struct err e;
    geister_game.start(&s, geister_scenario, &(struct rng){{1}});
    for (int n = 0; n < NAMES; n++) {
        const struct answer fixed = ask_once(names[n], "setup=BCFG", &s);
        assert_int_equal(fixed.chosen, geister_setup(0x66));
        assert_true(geister_is_setup(ask_once(names[n], "sims=1", &s).chosen));
    }
    assert_null(player_open("gst-b:setup=AABC", &geister_game, &e));
    assert_non_null(strstr(e.text, "gst-b: "));
}

static void nissy_without_its_search_is_gst_b(void **state) {
    (void)state;
    struct geister s;
    geister_begin(&s, geister_scenario, "ABCD", "BCFG");
    const struct answer b = ask_once("gst-b", "sims=300", &s),
                        plain = ask_once("nissy", "sims=300,mate=0", &s);
    const struct answer nissy = ask_once("nissy", "sims=300", &s); /* there is no win yet */
    expect_same_answer(&b, &plain);
    expect_same_answer(&b, &nissy);
}

/* A win found by nissy comes from the purple search, not from playouts; the answer marks it as certain. */
static void nissys_wins_are_certain(void **state) {
    (void)state;
    struct geister s;
    struct thoughts thoughts = {0};
    geister_place(&s, geister_scenario, known[1].board, 40, 0);
    struct player *player = open_it("nissy", "sims=1");
    const struct answer answer = ask(player, &s, 1, &thoughts);
    assert_true(answer.value >= 1);
    assert_int_equal(answer.work_done, thoughts.nodes);
    assert_int_equal(thoughts.simulations, 0);
    assert_int_equal(thoughts.count, 1);
    assert_int_equal(thoughts.candidates[0].action, answer.chosen);
    assert_int_equal(thoughts.candidates[0].line_count, 1);
    player_close(player);
}

/* Where only the way forward is a way out, nissy takes that. */
static void nissy_leaves_by_the_rules(void **state) {
    (void)state;
    struct err e;
    struct geister s;
    struct scenario *forward = game_load_spec("geister:rules=uctgeister", &e);
    assert_non_null(forward);
    geister_place(&s, forward, known[0].board, 40, 0);
    const struct answer answer = ask_once("nissy", "sims=1", &s);
    expect_move(&s, &answer, "EN", "nissy");
    game_unload(forward);
}

/* A clock that advances at each reading. */
static int64_t tick(void *self) {
    return *(int64_t *)self += 1000000;
}

static void time_takes_the_place_of_sims(void **state) {
    (void)state;
    struct geister s;
    geister_begin(&s, geister_scenario, "ABCD", "BCFG");
    for (int n = 0; n < NAMES; n++) {
        int64_t now = 0;
        const struct clock clock = {.now_ns = tick, .self = &now};
        struct player *player = open_it(names[n], "time=40");
        struct rng r;
        struct answer answer;
        rng_seed(&r, 1);
        const struct ask question = {
            .game = &geister_game, .view = &s, .rng = &r, .budget = {.clock = &clock}};
        player_choose_in(player, &question, &answer);
        assert_in_range(answer.work_done, 32, 64 * 32);
        assert_true(now < 100 * INT64_C(1000000));
        player_close(player);
    }
}

static void other_games_are_refused(void **state) {
    (void)state;
    struct err e;
    for (int n = 0; n < NAMES; n++) {
        char expected[64];
        snprintf(expected, sizeof expected, "%s plays only Geister, not kuhn", names[n]);
        assert_null(player_open(names[n], game_find("kuhn"), &e));
        assert_string_equal(e.text, expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wins_are_found),
        cmocka_unit_test(a_piece_that_could_leave_is_taken),
        cmocka_unit_test(the_same_question_gets_the_same_answer),
        cmocka_unit_test(hidden_colours_change_nothing),
        cmocka_unit_test(early_and_late_drawing_agree),
        cmocka_unit_test(an_own_seed_takes_the_place_of_the_games),
        cmocka_unit_test(setups_are_an_option),
        cmocka_unit_test(nissy_without_its_search_is_gst_b),
        cmocka_unit_test(nissys_wins_are_certain),
        cmocka_unit_test(nissy_leaves_by_the_rules),
        cmocka_unit_test(time_takes_the_place_of_sims),
        cmocka_unit_test(other_games_are_refused),
    };
    return cmocka_run_group_tests(tests, geister_set_up, geister_tear_down);
}
