/* SPDX-License-Identifier: MIT
 *
 * The public library, used as by an external program: only through senjutsu.h. Only the failing allocations
 * use internals.
 */
#include "senjutsu.h"

#include "base/mem.h"
#include "config.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char map[] =
    "SIZEX[6];SIZEY[5];TURNLIMIT[8];HPTHRESHOLD[2];UNITNUMRED[2];UNITNUMBLUE[1];"
    "MAP[0,0,0,0,0,0];MAP[0,1,1,3,1,0];MAP[0,1,0,5,2,0];MAP[0,6,1,1,4,0];MAP[0,0,0,0,0,0];"
    "UNIT[1,1,panzer,0,10,0];UNIT[1,3,cannon,0,7,1];UNIT[4,1,infantry,1,10,0];";

static senjutsu_position *open_map(void) {
    char error[SENJUTSU_ERROR_SIZE];
    senjutsu_position *p = senjutsu_open("tbs", map, sizeof map - 1, error);
    assert_non_null(p);
    return p;
}

static void a_whole_game_can_be_played(void **state) {
    (void)state;
    senjutsu_position *p = open_map();
    senjutsu_player *player = senjutsu_player_open("acteval", p, NULL);
    assert_non_null(player);
    int actions = 0;
    while (senjutsu_mover(p) != SENJUTSU_NOBODY) {
        uint32_t list[64];
        const int count = senjutsu_actions(p, list, 64);
        const uint32_t chosen = senjutsu_choose(player, p, 1);
        bool listed = false;
        for (int i = 0; i < count; i++)
            listed = listed || list[i] == chosen;
        assert_true(listed);
        assert_true(senjutsu_play(p, chosen, NULL));
        assert_true(++actions < 100);
    }
    assert_true(senjutsu_payoff(p, 0) + senjutsu_payoff(p, 1) > 0.999);
    senjutsu_player_close(player);
    senjutsu_close(p);
}

static void copies_go_their_own_way(void **state) {
    (void)state;
    senjutsu_position *p = open_map(), *q = senjutsu_copy(p, NULL);
    assert_non_null(q);
    const uint64_t key = senjutsu_key(p);
    uint64_t seed = 3;
    assert_true(senjutsu_rollout(q, &seed, 0) > 0);
    assert_int_equal(senjutsu_mover(q), SENJUTSU_NOBODY);
    assert_true(senjutsu_key(p) == key);
    senjutsu_close(p);
    char text[2000];
    assert_true(senjutsu_state_text(q, text, sizeof text) > 0); /* the map outlives the first position */
    senjutsu_close(q);
}

static void texts_and_errors_are_sentences(void **state) {
    (void)state;
    char error[SENJUTSU_ERROR_SIZE], text[32];
    senjutsu_position *p = open_map();
    uint32_t a;
    assert_true(senjutsu_action_read(p, "0:2,1", &a, error));
    assert_int_equal(senjutsu_action_text(p, a, text, sizeof text), 5);
    assert_string_equal(text, "0:2,1");
    assert_false(senjutsu_action_read(p, "0:2,2", &a, error)); /* a wall */
    assert_non_null(strstr(error, "cannot end its move"));
    assert_false(senjutsu_play(p, 12345678, error));
    assert_null(senjutsu_player_open("nobody", p, error));
    assert_non_null(strstr(error, "known are"));
    assert_null(senjutsu_open("chess", map, sizeof map - 1, error));
    assert_null(senjutsu_open("tbs", "SIZEX[9999];", 12, error));
    assert_non_null(strstr(error, "SIZEX"));
    senjutsu_close(p);
}

static void a_short_list_gives_the_full_count(void **state) {
    (void)state;
    senjutsu_position *p = open_map();
    uint32_t all[4096], few[3] = {7, 7, 7};
    const int count = senjutsu_actions(p, all, 4096);
    assert_true(count > 2);
    assert_int_equal(senjutsu_actions(p, few, 2), count);
    assert_int_equal(few[0], all[0]);
    assert_int_equal(few[1], all[1]);
    assert_int_equal(few[2], 7); /* there was no room for it */
    mem_fail_at(1);
    assert_int_equal(senjutsu_actions(p, few, 2), -1);
    mem_fail_at(0);
    char text[8] = "old";
    assert_true(senjutsu_state_text(p, text, sizeof text) >
                100); /* the whole buffer, of which the text is a part */
    assert_string_equal(text, "turn 0 ");
    assert_int_equal(senjutsu_action_text(p, all[0], NULL, 0), senjutsu_action_text(p, all[0], text, 8));
    mem_fail_at(1);
    assert_int_equal(senjutsu_action_text(p, all[0], text, sizeof text), -1);
    mem_fail_at(0);
    assert_string_equal(text, "");
    senjutsu_close(p);
}

static void the_same_seed_is_the_same_rollout(void **state) {
    (void)state;
    senjutsu_position *p = open_map(), *q = senjutsu_copy(p, NULL);
    uint64_t one = 3, other = 3;
    const long count = senjutsu_rollout(p, &one, 0);
    assert_int_equal(senjutsu_rollout(q, &other, 0), count);
    assert_true(one == other);
    assert_true(one != 3);
    assert_true(senjutsu_key(p) == senjutsu_key(q));
    assert_true(senjutsu_payoff(p, 0) == 1 - senjutsu_payoff(p, 1));
    senjutsu_close(p);
    senjutsu_close(q);
    senjutsu_close(NULL);
    senjutsu_player_close(NULL);
    assert_string_equal(senjutsu_version(), SENJUTSU_VERSION);
}

/* The same seed deals the same cards; a player's choice depends on its seed, and a time limit ends its
 * search. */
static void chance_is_the_same_each_time(void **state) {
    (void)state;
    char text[200], other[200];
    senjutsu_position *p = senjutsu_open("kuhn", NULL, 0, NULL);
    assert_non_null(p);
    senjutsu_state_text(p, text, sizeof text);
    assert_string_equal(text, "cards=Q,K moves=-\n");
    senjutsu_close(p);
    p = open_map();
    senjutsu_player *random = senjutsu_player_open("random", p, NULL);
    senjutsu_player *timed = senjutsu_player_open("uct:sims=1000000000,time=5", p, NULL);
    bool differs = false;
    for (uint64_t seed = 0; seed < 20; seed++) {
        const uint32_t chosen = senjutsu_choose(random, p, seed);
        assert_int_equal(senjutsu_choose(random, p, seed), chosen);
        differs = differs || chosen != senjutsu_choose(random, p, 99);
    }
    assert_true(differs);
    assert_true(senjutsu_action_text(p, senjutsu_choose(timed, p, 1), other, sizeof other) > 0);
    senjutsu_player_close(random);
    senjutsu_player_close(timed);
    senjutsu_close(p);
}

/* A list with room for the game's largest number of actions needs no memory; a shorter one is filled by way
 * of a copy. A buffer of one byte gets an empty text, and one of zero bytes is not touched. */
static void room_is_used_to_its_last_place(void **state) {
    (void)state;
    char text[200] = "old";
    uint32_t list[3] = {7, 7, 7};
    senjutsu_position *p = senjutsu_open("kuhn", NULL, 0, NULL);
    assert_int_equal(senjutsu_actions(p, NULL, 0), 2);
    assert_int_equal(senjutsu_actions(p, list, 1), 2);
    assert_int_equal(list[1], 7);
    mem_fail_at(1);
    assert_int_equal(senjutsu_actions(p, list, 2), 2);
    mem_fail_at(0);
    assert_true(list[0] != list[1] && list[1] != 7);
    assert_int_equal(list[2], 7);
    assert_int_equal(senjutsu_action_text(p, list[0], text, 0), 4);
    assert_string_equal(text, "old");
    assert_int_equal(senjutsu_action_text(p, list[0], text, 1), 4);
    assert_string_equal(text, "");
    assert_int_equal(senjutsu_action_text(p, list[0], text, 5), 4);
    assert_string_equal(text, "pass");
    assert_int_equal(senjutsu_action_text(p, list[1], text, 3), 3);
    assert_string_equal(text, "be");
    senjutsu_close(p);
}

/* Pass and bet in Kuhn poker: the side to move, keys, and the payoffs of both sides. */
static void a_small_game_is_followed_to_its_end(void **state) {
    (void)state;
    uint32_t list[2];
    senjutsu_position *p = senjutsu_open("kuhn", NULL, 0, NULL), *q = senjutsu_copy(p, NULL);
    const uint64_t start = senjutsu_key(p);
    assert_true(senjutsu_key(q) == start);
    assert_int_equal(senjutsu_mover(p), 0);
    assert_int_equal(senjutsu_actions(p, list, 2), 2);
    assert_true(senjutsu_play(p, list[1], NULL)); /* bet */
    assert_int_equal(senjutsu_mover(p), 1);
    assert_true(senjutsu_key(p) != start && senjutsu_key(q) == start);
    assert_false(senjutsu_play(p, 99, NULL));
    assert_int_equal(senjutsu_mover(p), 1);
    assert_true(senjutsu_play(p, list[1], NULL)); /* bet: the king takes two chips from the queen */
    assert_int_equal(senjutsu_mover(p), SENJUTSU_NOBODY);
    assert_true(senjutsu_payoff(p, 0) < 0.001 && senjutsu_payoff(p, 1) > 0.999);
    assert_true(senjutsu_play(q, list[0], NULL)); /* pass, and pass again: one chip */
    assert_true(senjutsu_play(q, list[0], NULL));
    assert_int_equal(senjutsu_mover(q), SENJUTSU_NOBODY);
    assert_true(senjutsu_payoff(q, 0) > 0.249 && senjutsu_payoff(q, 0) < 0.251);
    senjutsu_close(p);
    senjutsu_close(q);
}

/* The playout is the game's first playout (the numbers show it), and a limit of turns ends it. */
static void a_playout_is_the_games_first(void **state) {
    (void)state;
    static const char air[] =
        "SIZEX[6];SIZEY[5];TURNLIMIT[8];HPTHRESHOLD[2];UNITNUMRED[2];UNITNUMBLUE[2];"
        "MAP[0,0,0,0,0,0];MAP[0,1,1,1,3,0];MAP[0,1,0,5,2,0];MAP[0,6,1,1,1,0];MAP[0,0,0,0,0,0];"
        "UNIT[1,1,panzer,0,10,0];UNIT[1,3,infantry,0,7,0];UNIT[4,1,panzer,1,10,0];"
        "UNIT[4,3,fighter,1,10,0];";
    senjutsu_position *p = senjutsu_open("tbs", air, sizeof air - 1, NULL);
    uint64_t seed = 5;
    long first = 0, all = 0;
    double won = 0;
    for (int i = 0; i < 100; i++) {
        senjutsu_position *q = senjutsu_copy(p, NULL);
        first += senjutsu_rollout(q, &seed, 1);
        assert_int_equal(senjutsu_mover(q), 1);
        all += senjutsu_rollout(q, &seed, 0);
        assert_int_equal(senjutsu_mover(q), SENJUTSU_NOBODY);
        won += senjutsu_payoff(q, 0);
        senjutsu_close(q);
    }
    assert_int_equal(first, 200);
    assert_int_equal(all, 1320);
    assert_int_equal((int)(2 * won), 13);
    assert_true(seed == 12143218628366803955U);
    senjutsu_close(p);
}

static void messages_name_the_error(void **state) {
    (void)state;
    char error[SENJUTSU_ERROR_SIZE];
    senjutsu_position *p = open_map();
    assert_false(senjutsu_play(p, 12345678, error));
    assert_string_equal(error, "action 12345678 is illegal here");
    assert_null(senjutsu_open("chess:x=1", map, sizeof map - 1, error));
    assert_string_equal(error, "game 'chess' is unknown");
    assert_null(senjutsu_open("tbs:", map, sizeof map - 1, error));
    assert_non_null(strstr(error, "tbs:"));
    assert_null(senjutsu_player_open("ext:cmd=true", p, error));
    assert_string_equal(error,
                        "ext:cmd=true: an external player needs a whole game, which a position alone is not");
    senjutsu_close(p);
}

/* A player that asks another one may open a program, too. `cat` repeats the question, which is no answer. */
static void a_program_within_a_player_may_fail(void **state) {
    (void)state;
    char error[SENJUTSU_ERROR_SIZE];
    senjutsu_position *p = open_map();
    senjutsu_player *player = senjutsu_player_open("first:player=[ext:cmd=cat]", p, error);
    assert_non_null(player);
    assert_int_equal(senjutsu_choose(player, p, 1), SENJUTSU_NO_ACTION);
    senjutsu_player_close(player);
    senjutsu_close(p);
}

/* Invalid numbers, sides and positions are refused; none of them ends the program by an assertion. */
static void wrong_arguments_are_refused(void **state) {
    (void)state;
    static const char *const games[] = {"tbs", "geister", "kuhn", "fusion", "synth", "tictactoe", "race"};
    static const char *const specs[] = {"random", "pimc:sims=2", "ismcts:sims=2", "uct:sims=2", "guess"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        char text[8];
        uint64_t seed = 2;
        const bool is_tbs = i == 0;
        senjutsu_position *p = senjutsu_open(games[i], is_tbs ? map : "", is_tbs ? sizeof map - 1 : 0, NULL);
        senjutsu_position *over = senjutsu_copy(p, NULL), *other = i == 2 ? open_map() : NULL;
        other = other != NULL ? other : senjutsu_open("kuhn", NULL, 0, NULL);
        senjutsu_rollout(over, &seed, 0);
        for (int bit = 20; bit < 32; bit++) {
            assert_int_equal(senjutsu_action_text(p, UINT32_C(1) << bit, text, sizeof text), -1);
            assert_string_equal(text, "");
        }
        assert_int_equal(senjutsu_action_text(over, 0, text, sizeof text), -1);
        assert_true(isnan(senjutsu_payoff(p, 0)));
        assert_true(isnan(senjutsu_payoff(over, -1)) && isnan(senjutsu_payoff(over, 2)));
        assert_true(senjutsu_payoff(over, 0) >= 0);
        for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
            senjutsu_player *player = senjutsu_player_open(specs[k], p, NULL);
            if (player == NULL)
                continue; /* a player of other games */
            assert_int_equal(senjutsu_choose(player, over, 1), SENJUTSU_NO_ACTION);
            assert_int_equal(senjutsu_choose(player, other, 1), SENJUTSU_NO_ACTION);
            assert_true(senjutsu_choose(player, p, 1) != SENJUTSU_NO_ACTION);
            senjutsu_player_close(player);
        }
        senjutsu_close(p);
        senjutsu_close(over);
        senjutsu_close(other);
    }
}

/* senjutsu_choose returns it when memory is exhausted. */
static void no_action_has_no_text(void **state) {
    (void)state;
    static const char *const games[] = {"geister", "kuhn", "synth", "tictactoe"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        char text[8] = "x", error[SENJUTSU_ERROR_SIZE];
        senjutsu_position *p = senjutsu_open(games[i], "", 0, error);
        assert_non_null(p);
        assert_int_equal(senjutsu_action_text(p, SENJUTSU_NO_ACTION, text, sizeof text), -1);
        assert_string_equal(text, "");
        assert_false(senjutsu_play(p, SENJUTSU_NO_ACTION, error));
        senjutsu_close(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_game_can_be_played),
        cmocka_unit_test(copies_go_their_own_way),
        cmocka_unit_test(texts_and_errors_are_sentences),
        cmocka_unit_test(a_short_list_gives_the_full_count),
        cmocka_unit_test(the_same_seed_is_the_same_rollout),
        cmocka_unit_test(chance_is_the_same_each_time),
        cmocka_unit_test(room_is_used_to_its_last_place),
        cmocka_unit_test(a_small_game_is_followed_to_its_end),
        cmocka_unit_test(a_playout_is_the_games_first),
        cmocka_unit_test(messages_name_the_error),
        cmocka_unit_test(wrong_arguments_are_refused),
        cmocka_unit_test(no_action_has_no_text),
        cmocka_unit_test(a_program_within_a_player_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
