/* SPDX-License-Identifier: MIT
 *
 * The public library, used the way a stranger would: only through senjutsu.h. Only the want of memory comes
 * from inside.
 */
#include "senjutsu.h"

#include "base/mem.h"
#include "config.h"

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

static void a_short_list_says_how_many_there_are(void **state) {
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
    assert_true(senjutsu_state_text(p, text, sizeof text) > 100); /* all of it, of which this is a part */
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

/* Cards are dealt the same each time; a player's choice follows its seed, and a time ends its search. */
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

static void sentences_say_what_is_wrong(void **state) {
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

/* Each allocation fails once. */
static void memory_may_run_out(void **state) {
    (void)state;
    char error[SENJUTSU_ERROR_SIZE];
    senjutsu_position *p = NULL, *q = NULL;
    senjutsu_player *player = NULL;
    long n;
    for (n = 1; p == NULL; n++) {
        error[0] = '\0';
        mem_fail_at(n);
        p = senjutsu_open("tbs", map, sizeof map - 1, error);
        assert_true(p != NULL || strstr(error, "memory") != NULL);
    }
    assert_true(n > 3);
    for (n = 1; q == NULL; n++) {
        mem_fail_at(n);
        q = senjutsu_copy(p, error);
    }
    assert_int_equal(n, 3);
    assert_string_equal(error, "not enough memory");
    for (n = 1; player == NULL; n++) {
        error[0] = '\0';
        mem_fail_at(n);
        player = senjutsu_player_open("uct", p, error);
        assert_true(player != NULL || strstr(error, "memory") != NULL);
    }
    mem_fail_at(0);
    assert_true(n > 2);
    senjutsu_player_close(player);
    senjutsu_close(q);
    senjutsu_close(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_game_can_be_played),
        cmocka_unit_test(copies_go_their_own_way),
        cmocka_unit_test(texts_and_errors_are_sentences),
        cmocka_unit_test(a_short_list_says_how_many_there_are),
        cmocka_unit_test(the_same_seed_is_the_same_rollout),
        cmocka_unit_test(chance_is_the_same_each_time),
        cmocka_unit_test(sentences_say_what_is_wrong),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
