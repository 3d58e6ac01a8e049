/* SPDX-License-Identifier: MIT
 *
 * The public library, used the way a stranger would: only through senjutsu.h.
 */
#include "senjutsu.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_game_can_be_played),
        cmocka_unit_test(copies_go_their_own_way),
        cmocka_unit_test(texts_and_errors_are_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
