/* SPDX-License-Identifier: MIT
 *
 * The public library while memory runs out: every allocation of every function fails once, and each time the
 * call fails with a sentence, the objects stay usable, and nothing ends the program. The linker replaces
 * exit, _exit and abort in the library (--wrap).
 */
#include "senjutsu.h"

#include "base/mem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

_Noreturn void __wrap_exit(int status);
_Noreturn void __wrap__exit(int status);
_Noreturn void __wrap_abort(void);
_Noreturn void __real_abort(void);

_Noreturn void __wrap_exit(int status) {
    (void)status;
    fail_msg("exit was called");
    __real_abort();
}

_Noreturn void __wrap__exit(int status) {
    (void)status;
    fail_msg("_exit was called");
    __real_abort();
}

_Noreturn void __wrap_abort(void) {
    fail_msg("abort was called");
    __real_abort();
}

/* Two pairs of units far from each other: `split` asks about each. */
static const char map[] =
    "SIZEX[14];SIZEY[3];TURNLIMIT[8];HPTHRESHOLD[2];UNITNUMRED[2];UNITNUMBLUE[2];"
    "MAP[0,0,0,0,0,0,0,0,0,0,0,0,0,0];MAP[0,1,1,1,0,0,0,0,0,0,1,1,1,0];MAP[0,0,0,0,0,0,0,0,0,0,0,0,0,0];"
    "UNIT[1,1,infantry,0,10,0];UNIT[12,1,infantry,0,10,0];UNIT[3,1,infantry,1,10,0];"
    "UNIT[10,1,infantry,1,10,0];";

static senjutsu_position *open_game(const char *game, char *error) {
    const int is_tbs = strcmp(game, "tbs") == 0;
    return senjutsu_open(game, is_tbs ? map : NULL, is_tbs ? sizeof map - 1 : 0, error);
}

static void opening_fails_with_a_sentence(void **state) {
    (void)state;
    static const char *const games[] = {"tbs", "geister", "kuhn", "synth", "tictactoe"};
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        senjutsu_position *p = NULL;
        long n = 0;
        while (p == NULL) {
            char error[SENJUTSU_ERROR_SIZE] = "";
            mem_fail_at(++n);
            p = open_game(games[i], error);
            assert_true(p != NULL || strstr(error, "not enough memory") != NULL);
        }
        assert_true(n > 2);
        mem_fail_at(1);
        char error[SENJUTSU_ERROR_SIZE] = "";
        assert_null(senjutsu_copy(p, error));
        assert_string_equal(error, "not enough memory");
        mem_fail_at(0);
        senjutsu_position *q = senjutsu_copy(p, NULL);
        assert_true(senjutsu_key(p) == senjutsu_key(q));
        senjutsu_close(q);
        senjutsu_close(p);
    }
}

static void texts_fail_without_harm(void **state) {
    (void)state;
    senjutsu_position *p = open_game("tbs", NULL);
    uint32_t actions[4096], read;
    char expected[2000], text[2000], error[SENJUTSU_ERROR_SIZE];
    const int size = senjutsu_state_text(p, expected, sizeof expected);
    const int count = senjutsu_actions(p, actions, 4096);
    int done = -1;
    for (long n = 1; done < 0; n++) {
        mem_fail_at(n);
        done = senjutsu_state_text(p, text, sizeof text);
        assert_string_equal(text, done < 0 ? "" : expected);
    }
    assert_int_equal(done, size);
    mem_fail_at(1);
    assert_int_equal(senjutsu_action_text(p, actions[0], text, sizeof text), -1);
    mem_fail_at(1);
    assert_int_equal(senjutsu_actions(p, actions, 1), -1);
    mem_fail_at(0);
    assert_int_equal(senjutsu_actions(p, actions, 1), count);
    senjutsu_action_text(p, actions[0], text, sizeof text);
    bool ok = false;
    for (long n = 1; !ok; n++) {
        error[0] = '\0';
        mem_fail_at(n);
        ok = senjutsu_action_read(p, text, &read, error);
        mem_fail_at(0);
        assert_true(ok || strcmp(error, "not enough memory") == 0);
    }
    assert_int_equal(read, actions[0]);
    uint64_t seed = 1;
    mem_fail_at(1); /* these allocate nothing */
    assert_true(senjutsu_play(p, read, NULL));
    assert_true(senjutsu_rollout(p, &seed, 0) > 0);
    assert_int_equal(senjutsu_mover(p), SENJUTSU_NOBODY);
    mem_fail_at(0);
    senjutsu_close(p);
}

/* Every allocation of a decision fails once; afterwards the player answers as it does with memory. */
static long check_choosing(const char *spec, const senjutsu_position *p) {
    senjutsu_player *player = senjutsu_player_open(spec, p, NULL);
    const uint32_t expected = senjutsu_choose(player, p, 1);
    assert_true(expected != SENJUTSU_NO_ACTION);
    long failures = 0;
    for (long n = 1;; n++) {
        const long before = mem_failures();
        mem_fail_at(n);
        const uint32_t chosen = senjutsu_choose(player, p, 1);
        mem_fail_at(0);
        assert_true(chosen == SENJUTSU_NO_ACTION || chosen == expected);
        if (mem_failures() == before)
            break;
        failures += chosen == SENJUTSU_NO_ACTION;
        assert_int_equal(senjutsu_choose(player, p, 1), expected);
    }
    senjutsu_player_close(player);
    return failures;
}

static void check_player(const char *spec, const char *game) {
    senjutsu_position *p = open_game(game, NULL);
    senjutsu_player *player = NULL;
    for (long n = 1; player == NULL; n++) {
        char error[SENJUTSU_ERROR_SIZE] = "";
        mem_fail_at(n);
        player = senjutsu_player_open(spec, p, error);
        mem_fail_at(0);
        assert_true(player != NULL || strstr(error, "not enough memory") != NULL);
    }
    senjutsu_player_close(player);
    check_choosing(spec, p);
    senjutsu_close(p);
}

static void players_fail_and_go_on(void **state) {
    (void)state;
    static const char *const tbs[] = {"random",
                                      "acteval",
                                      "uct:sims=40,memory=1",
                                      "uct:sims=40,memory=1,threads=2",
                                      "uct:sims=40,memory=1,reuse=yes,transpositions=yes",
                                      "pwuct:sims=40,memory=1",
                                      "muct:sims=20,memory=1",
                                      "minmax:memory=1",
                                      "dlmc:turns=8,sims=2",
                                      "dlmc:turns=8,sims=2,threads=2",
                                      "aas:memory=1",
                                      "split:player=[uct:sims=20,memory=1,threads=2]",
                                      "first:player=[dlmc:turns=4,sims=2],then=random",
                                      "pimc:sims=20",
                                      "iimc:sims=4,inner=2",
                                      "amcts:sims=4,inner=2",
                                      "ismcts:sims=20,memory=1,threads=2"};
    static const char *const geister[] = {"pg",
                                          "gst-a:sims=20,memory=1",
                                          "gst-c:sims=20,memory=1,threads=2",
                                          "nissy:sims=20,memory=1,mate=1",
                                          "purple:depth=1,memory=1",
                                          "eacp:depth=1,memory=1",
                                          "guess",
                                          "geist:sims=10,memory=1,mate=1,guard=1"};
    for (size_t i = 0; i < sizeof tbs / sizeof tbs[0]; i++)
        check_player(tbs[i], "tbs");
    for (size_t i = 0; i < sizeof geister / sizeof geister[0]; i++)
        check_player(geister[i], "geister");
}

/* A player that lacks memory for a decision reports it, and the game continues. */
static void a_decision_without_memory_is_no_action(void **state) {
    (void)state;
    senjutsu_position *p = open_game("tbs", NULL);
    assert_true(check_choosing("split:player=minmax", p) > 0);
    assert_false(senjutsu_play(p, SENJUTSU_NO_ACTION, NULL));
    senjutsu_close(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opening_fails_with_a_sentence),
        cmocka_unit_test(texts_fail_without_harm),
        cmocka_unit_test(players_fail_and_go_on),
        cmocka_unit_test(a_decision_without_memory_is_no_action),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
