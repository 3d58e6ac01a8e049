/* SPDX-License-Identifier: MIT
 *
 * `geist`: forced wins, answers that depend on view and seed alone, small trees, its weights and how they are
 * learned.
 */
#include "base/mem.h"
#include "geister/learn.h"
#include "geister_support.h"
#include "player/player.h"
#include "player_support.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct scenario *load(const char *spec) {
    struct err e = {""};
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}

static struct answer ask(const char *spec, const struct geister *state, uint64_t seed,
                         struct thoughts *thoughts) {
    const struct ask question = {.game = &geister_game, .view = state, .thoughts = thoughts};
    return ask_once_in(spec, &question, seed);
}

/* ---- decisions ---- */

static void it_leaves_when_it_can(void **unused) {
    (void)unused;
    static const char *const rules[] = {"geister", "geister:exits=forward"};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct scenario *scenario = load(rules[i]);
        struct geister s;
        geister_begin(&s, scenario, "ABCD", "EFGH");
        geister_play_all(&s, "HE/BN/HN/BS/HN/BN/HN/BS/HN/BN/HN/BS");
        const struct answer answer = ask("geist:sims=20", &s, 1, NULL);
        geister_game.play(&s, answer.chosen, NULL);
        assert_int_equal(s.end, GEISTER_BY_ESCAPE);
        assert_int_equal(s.winner, 0);
        game_unload(scenario);
    }
}

/* A blue two steps from the exit that no enemy can catch: the mate search finds it with any seed. */
static void it_plays_a_forced_win(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s;
    action list[96];
    geister_place(&s, scenario, "05R15R25R35R52B45B55B44B01u11u02u12u21u22u00u10u", 40, 0);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct thoughts thoughts = {0};
        struct geister t = s;
        while (t.stage == GEISTER_PLAYING) {
            const struct answer answer = ask("geist:sims=20", &t, seed, &thoughts);
            assert_true(answer.value > 0.999);
            assert_int_equal(thoughts.count, 1);
            geister_game.play(&t, answer.chosen, NULL);
            if (t.stage == GEISTER_PLAYING) {
                geister_game.actions(&t, list);
                geister_game.play(&t, list[0], NULL);
            }
        }
        assert_int_equal(t.winner, 0);
        assert_int_equal(t.end, GEISTER_BY_ESCAPE);
        assert_int_equal(t.ply, 45);
    }
    game_unload(scenario);
}

/* Only A to the west stops the runner on the left from leaving; a search of one simulation does not see it.
 */
static void it_guards_against_a_forced_loss(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s;
    geister_place(&s, scenario, "35R32B99r99r99r99b99b99b03u40u99r99r99r99b99b99b", 100, 0);
    const action saves = geister_move(33, GEISTER_WEST);
    assert_int_not_equal(ask("geist:sims=1,mate=0,guard=0", &s, 1, NULL).chosen, saves);
    assert_int_equal(ask("geist:sims=1,mate=0,guard=7", &s, 1, NULL).chosen, saves);
    game_unload(scenario);
}

static void answers_follow_from_view_and_seed(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s, same_view;
    const char *const moves = "BN/AN/CN/DE/BN/DN";
    geister_begin(&s, scenario, "ACFH", "BDEG");
    geister_begin(&same_view, scenario, "ACFH", "ACFH");
    geister_play_all(&s, moves);
    geister_play_all(&same_view, moves);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct thoughts a = {0}, b = {0};
        const struct answer first = ask("geist:sims=300", &s, seed, &a);
        const struct answer second = ask("geist:sims=300", &same_view, seed, &b);
        assert_int_equal(first.chosen, second.chosen);
        assert_true(fabs(first.value - second.value) <= 0);
        assert_int_equal(first.work_done, 300);
        assert_int_equal(a.count, b.count);
        uint64_t visits = 0;
        for (int i = 0; i < a.count; i++) {
            assert_int_equal(a.candidates[i].visits, b.candidates[i].visits);
            visits += a.candidates[i].visits;
        }
        assert_int_equal(visits, 300);
    }
    game_unload(scenario);
}

/* Every reading of this clock takes a millisecond. */
static int64_t creeping(void *self) {
    return *(int64_t *)self += 1000000;
}

/* Simulations within so many milliseconds. One millisecond is spent on conclusions; each of the others gives
 * 32 simulations. */
static uint64_t work_within(const struct geister *s, int milliseconds) {
    int64_t now = 0;
    const struct clock clock = {.now_ns = creeping, .self = &now};
    const struct ask question = {.game = &geister_game,
                                 .view = s,
                                 .budget = {.time_ns_max = (int64_t)milliseconds * 1000000, .clock = &clock}};
    return ask_once_in("geist:sims=1000,mate=0,guard=0", &question, 3).work_done;
}

static void conclusions_take_time(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s;
    geister_begin(&s, scenario, "ACFH", "BDEG");
    geister_play_all(&s, "BN/AN/CN/DE");
    assert_int_equal(work_within(&s, 10), 9 * 32);
    assert_int_equal(work_within(&s, 3), 2 * 32);
    assert_int_equal(work_within(&s, 1), 32); /* no budget is left: one search remains */
    game_unload(scenario);
}

static void a_full_tree_still_answers(void **unused) {
    (void)unused;
    struct scenario *scenario = load(SAMPLE("geister:plies=40", "geister:plies=8"));
    struct geister s;
    geister_begin(&s, scenario, "ACFH", "BDEG");
    while (s.stage == GEISTER_PLAYING) {
        const struct answer answer = ask("geist:sims=3000,memory=1,mate=2,guard=2", &s, s.ply, NULL);
        geister_game.play(&s, answer.chosen, NULL);
    }
    assert_true(s.ply <= SAMPLE(40, 8));
    game_unload(scenario);
}

static void other_games_are_refused(void **unused) {
    (void)unused;
    struct err e = {""};
    assert_null(player_open_granted("geist", game_find("synth"), &grant_everything, &e));
    assert_string_equal(e.text, "geist plays only Geister, not synth");
    assert_null(player_open_granted("geist:weights=/nowhere/weights", &geister_game, &grant_everything, &e));
    assert_non_null(strstr(e.text, "/nowhere/weights"));
}

/* ---- weights ---- */

static void weights_are_text_and_back(void **unused) {
    (void)unused;
    struct geist_weights *copy = mem_alloc(sizeof *copy);
    struct text text = {0};
    struct err e = {""};
    assert_non_null(copy);
    weight_file_write(&geist_format, geist_builtin(), "a comment", &text);
    assert_true(weight_file_read(&geist_format, "it", &text, copy, &e));
    assert_memory_equal(copy, geist_builtin(), sizeof *copy);
    text.size -= 3;
    assert_false(weight_file_read(&geist_format, "it", &text, copy, &e));
    assert_true(strncmp(e.text, "it:", 3) == 0);
    text_clear(&text);
    text_add_string(&text, "senjutsu geister geist 1\nmove\n1 2\n");
    assert_false(weight_file_read(&geist_format, "it", &text, copy, &e));
    assert_string_equal(e.text, "it:3: expected 1 whole number, found more");
    text_clear(&text);
    text_add_string(&text, "senjutsu geister policy 1\n");
    assert_false(weight_file_read(&geist_format, "it", &text, copy, &e));
    assert_string_equal(e.text, "it:1: expected 'senjutsu geister geist 1', not 'senjutsu geister policy 1'");
    text_done(&text);
    mem_free(copy);
}

static void learning_repeats(void **unused) {
    (void)unused;
    struct geist_recipe recipe = geist_recipe_own;
    struct text texts[3] = {{0}};
    recipe.games = 240;
    recipe.value_games = 60;
    for (int i = 0; i < 3; i++) {
        struct err e = {""};
        struct geist_learn *learn = geist_learn_open(&recipe, i < 2 ? 5 : 6, &e);
        assert_non_null(learn);
        while (geist_learn_go(learn, i == 0 ? 7 : 100))
            continue;
        assert_int_equal(learn->done, 300);
        assert_true(learn->tally.purple[2] > 0);
        assert_true(learn->tally.positions > 60);
        weight_file_write(&geist_format, &learn->weights, "learned", &texts[i]);
        geist_learn_close(learn);
    }
    assert_string_equal(text_string(&texts[0]), text_string(&texts[1]));
    assert_string_not_equal(text_string(&texts[0]), text_string(&texts[2]));
    for (int i = 0; i < 3; i++)
        text_done(&texts[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_leaves_when_it_can),
        cmocka_unit_test(it_plays_a_forced_win),
        cmocka_unit_test(it_guards_against_a_forced_loss),
        cmocka_unit_test(answers_follow_from_view_and_seed),
        cmocka_unit_test(conclusions_take_time),
        cmocka_unit_test(a_full_tree_still_answers),
        cmocka_unit_test(other_games_are_refused),
        cmocka_unit_test(weights_are_text_and_back),
        cmocka_unit_test(learning_repeats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
