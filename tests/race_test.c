/* SPDX-License-Identifier: MIT */
#include "game/plain.h"

#include "game/face.h"
#include "game/game.h"
#include "match/record.h"
#include "match/clocked_game.h"
#include "player/player.h"
#include "search/solve.h"

#include "game_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void place(struct scenario *scenario, const char *text, union support_state *s) {
    struct err e = {{0}};
    memset(s, 0, sizeof *s);
    if (!race_game.text->read_state(s, scenario, text, &e))
        fail_msg("%s: %s", text, e.text);
}

/* The rules once more, without the game's code: chance of the side to move to win, with `own` and `other`
 * fields to go. */
static double chance(int own, int other) {
    static const int faces[] = {1, 1, 3, 5};
    if (other <= 0)
        return 0;
    const double step = 1 - chance(other, own - 2);
    double thrown = 0;
    for (int i = 0; i < 4; i++)
        thrown += (1 - chance(other, own - faces[i])) / 4;
    return step > thrown ? step : thrown;
}

static void expected_payoffs_are_exact(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int own, other;
    } cases[] = {{"at=0,0 turn=0", 10, 10}, {"at=4,7 turn=5", 3, 6}, {"at=8,3 turn=4", 2, 7},
                 {"at=9,9 turn=7", 1, 1},   {"at=6,9 turn=6", 4, 1}, {"at=7,5 turn=3", 5, 3}};
    struct scenario *scenario = support_load("race");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (size_t memory = 0; memory <= 1 << 20; memory += 1 << 20) {
            union support_state s;
            struct solution solution;
            struct err e = {{0}};
            struct rng r;
            rng_seed(&r, 1);
            place(scenario, cases[i].text, &s);
            const struct search_task task = {.game = &race_game, .root = &s, .rng = &r};
            assert_true(solve(&task, &(struct solve_settings){.memory_bytes = memory}, &solution, &e));
            assert_true(solution.solved);
            assert_true(fabs(solution.low - chance(cases[i].own, cases[i].other)) < 1e-12);
            assert_true(solution.line_count >= 1);
        }
    game_unload(scenario);
}

static void a_budget_too_small_leaves_all_open(void **state) {
    (void)state;
    struct scenario *scenario = support_load("race:track=30");
    union support_state s;
    struct solution solution;
    struct err e = {{0}};
    struct rng r;
    rng_seed(&r, 1);
    place(scenario, "at=0,0 turn=0", &s);
    const struct search_task task = {.game = &race_game, .root = &s, .rng = &r, .budget = {.work_max = 100}};
    assert_true(solve(&task, &(struct solve_settings){.memory_bytes = 1 << 20}, &solution, &e));
    assert_false(solution.solved);
    assert_true(solution.low <= 0 && solution.high >= 1);
    assert_int_equal(solution.line_count, 0);
    game_unload(scenario);
}

/* 2 actions, one with 4 outcomes: 5 positions after each turn. */
static void outcomes_are_counted(void **state) {
    (void)state;
    static const uint64_t counts[] = {1, 2, 10, 50};
    struct scenario *scenario = support_load("race:track=30");
    union support_state s;
    place(scenario, "at=0,0 turn=0", &s);
    for (int depth = 0; depth < 4; depth++) {
        uint64_t nodes;
        assert_true(game_perft(&race_game, &s, depth, NULL, &nodes));
        assert_int_equal(nodes, counts[depth]);
    }
    game_unload(scenario);
}

/* Two fields from the end a step wins at once; a throw wins in half of the cases. */
static void players_see_the_sure_win(void **state) {
    (void)state;
    static const char *const specs[] = {"uct",    "pwuct", "minmax", "minmax:depth=3", "dlmc",
                                        "ismcts", "pimc",  "iimc",   "amcts",          "aas"};
    struct scenario *scenario = support_load("race");
    union support_state s;
    place(scenario, "at=8,8 turn=8", &s);
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct err e = {{0}};
        struct player *player = player_open(specs[i], &race_game, &e);
        if (player == NULL)
            fail_msg("%s", e.text);
        struct rng r;
        struct answer answer;
        rng_seed(&r, 7);
        const struct ask ask = {.game = &race_game, .view = &s, .rng = &r};
        player_choose_in(player, &ask, &answer);
        assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
        if (answer.chosen != 0 && strcmp(specs[i], "dlmc") != 0) /* it samples one outcome for each turn */
            fail_msg("%s throws", specs[i]);
        player_close(player);
    }
    game_unload(scenario);
}

static void states_and_actions_are_read(void **state) {
    (void)state;
    static const char *const wrong[] = {"at=4 turn=5",       "at=4,7,1 turn=5", "at=4,x turn=5",
                                        "at=4,-7 turn=5",    "at=31,7 turn=5",  "at=4,7 turn=-1",
                                        "at=10,10 turn=10",  "at=1,7 turn=5",   "at=4,1 turn=5",
                                        "at=4,7 turn=5 x=1", "at=11,7 turn=5",  "turn=5 at=4,7"};
    struct scenario *scenario = support_load("race");
    union support_state s;
    struct err e = {{0}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        if (race_game.text->read_state(&s, scenario, wrong[i], &e) || e.text[0] == '\0')
            fail_msg("%s", wrong[i]);
    action a;
    place(scenario, "at=4,7 turn=5", &s);
    support_expect_text(scenario, &s, "at=4,7 turn=5\n");
    assert_true(race_game.text->read_action(&s, "throw", &a, &e));
    assert_int_equal(a, 1);
    assert_false(race_game.text->read_action(&s, "jump", &a, &e));
    assert_string_equal(e.text, "'jump' is no action; expected step or throw");
    place(scenario, "at=10,7 turn=9", &s);
    assert_string_equal(race_game.text->result(&s), "first finish");
    assert_false(race_game.text->read_action(&s, "step", &a, &e));
    assert_string_equal(e.text, "'step' is illegal: the game is over");
    game_unload(scenario);
}

static void the_board_shows_both(void **state) {
    (void)state;
    struct scenario *scenario = support_load("race:track=5");
    union support_state s;
    struct text text = {0};
    place(scenario, "at=2,3 turn=3", &s);
    face_draw(&race_game, &s, 0, false, &text);
    assert_string_equal(text_string(&text), "  . . 1 . . .\n  . . . 2 . .\n");
    text_done(&text);
    game_unload(scenario);
}

static void play_by_the_rules(void *state, action a, struct rng *r) {
    race_game.play_outcome(state, a, a == 1 ? (int)rng_below(r, 4) : 0);
}

static int no_outcomes(const void *state, action a) {
    (void)state, (void)a;
    return 0;
}

static void play_nothing(void *state, action a, int outcome) {
    (void)state, (void)a, (void)outcome;
}

static void play_beyond(void *state, action a, int outcome) {
    race_game.play_outcome(state, a, outcome);
    ((unsigned char *)state)[sizeof(void *)] = 31; /* behind the end */
}

static void laws_cover_outcomes(void **state) {
    (void)state;
    struct scenario *scenario = support_load("race");
    const struct {
        int (*outcomes)(const void *state, action a);
        void (*play_outcome)(void *state, action a, int outcome);
        const char *sentence;
    } cases[] = {{no_outcomes, race_game.play_outcome, "outcomes; expected 1 to"},
                 {race_game.outcomes, play_nothing, "gave none of its outcomes"},
                 {race_game.outcomes, play_beyond, "gives a state that is not valid"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct game broken = race_game;
        struct err e = {{0}};
        broken.outcomes = cases[i].outcomes;
        broken.play_outcome = cases[i].play_outcome;
        broken.play = play_by_the_rules;
        scenario->game = &broken;
        assert_false(game_check(scenario, 3, 1, &e));
        if (strstr(e.text, cases[i].sentence) == NULL)
            fail_msg("%s", e.text);
        scenario->game = &race_game;
    }
    game_unload(scenario);
}

/* A throw reveals new information; a step does not. */
static void throws_cannot_be_taken_back(void **state) {
    (void)state;
    struct scenario *scenario = support_load("race");
    for (action a = 0; a <= 1; a++) {
        struct record record;
        struct replay replay;
        struct err e;
        record_init(&record);
        assert_true(record_add(&record, a, RECORD_NO_TIME, &e));
        replay_start(&replay, &record, scenario);
        assert_int_equal(secret_was_shown(&replay, 1), a == 1);
        record_done(&record);
    }
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(expected_payoffs_are_exact),  cmocka_unit_test(a_budget_too_small_leaves_all_open),
        cmocka_unit_test(outcomes_are_counted),        cmocka_unit_test(players_see_the_sure_win),
        cmocka_unit_test(states_and_actions_are_read), cmocka_unit_test(the_board_shows_both),
        cmocka_unit_test(throws_cannot_be_taken_back), cmocka_unit_test(laws_cover_outcomes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
