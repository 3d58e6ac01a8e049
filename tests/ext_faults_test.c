/* SPDX-License-Identifier: MIT
 *
 * The external player against programs that misbehave: every fault has its ruling, and no process or file of
 * the program is left afterwards.
 */
#include "outside_support.h"
#include "sample.h"
#include "table_support.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

struct misdeed {
    const char *mode, *options;
    enum player_fault fault;
    const char *reason; /* a part of it */
};

static const struct misdeed misdeeds[] = {
    {"exit", "", PLAYER_FAULT_CRASH, "it ended: exit status 3"},
    {"exit-mid", "", PLAYER_FAULT_CRASH, "it ended: exit status 3"},
    {"crash", "", PLAYER_FAULT_CRASH, "signal 11, segmentation fault"},
    {"sleep", ",timeout=150", PLAYER_FAULT_HANG, "no answer within 0.15 s"},
    {"sleep-start", ",start=150", PLAYER_FAULT_HANG, "no answer within 0.15 s"},
    {"sleep-ignore-term", ",timeout=150", PLAYER_FAULT_HANG, "no answer within 0.15 s"},
    {"flood", "", PLAYER_FAULT_GARBAGE, "a line of more than 65536 bytes"},
    {"flood-lines", "", PLAYER_FAULT_GARBAGE, "more than 1048576 bytes in one answer"},
    {"half-line", ",timeout=150", PLAYER_FAULT_HANG, "no answer"},
    {"half-line-exit", "", PLAYER_FAULT_CRASH, "exit status 0"},
    {"illegal", "", PLAYER_FAULT_ILLEGAL, "'0:9999,9999'"},
    {"wrong-game", "", PLAYER_FAULT_ILLEGAL, "'e2e4'"},
    {"garbage", "", PLAYER_FAULT_GARBAGE, "'??? hello, is anybody there?' is no line of the protocol"},
    {"banner", "", PLAYER_FAULT_GARBAGE, "'saboteur 1.0, ready to play'"},
    {"nul-bytes", "", PLAYER_FAULT_ILLEGAL, "'pass?\?\?'"},
    {"silent-ok", "", PLAYER_FAULT_PROTOCOL, "'ok' is no answer to 'go'"},
    {"unsolicited", "", PLAYER_FAULT_PROTOCOL, "'best pass'"},
    {"twice", "", PLAYER_FAULT_PROTOCOL, "'best pass' is no answer to 'go'"},
    {"empty", "", PLAYER_FAULT_PROTOCOL, "'best' is no answer to 'go'"},
    {"error", "", PLAYER_FAULT_PROTOCOL, "'error I do not feel like playing' is no answer to 'go'"},
    {"close", "", PLAYER_FAULT_CRASH, "it closed its standard output"},
    {"fork-exit", "", PLAYER_FAULT_CRASH, "exit status 5"},
    {"daemon", "", PLAYER_FAULT_CRASH, "exit status 6"},
    {"no-such-mode", "", PLAYER_FAULT_CRASH, "exit status 2; it said: saboteur: no such mode"},
};

static void misdeeds_have_names(void **state) {
    (void)state;
    struct table t = {0};
    struct player *blue = open_spec("acteval");
    for (size_t i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++) {
        const struct misdeed *m = &misdeeds[i];
        struct player *red = open_saboteur(m->mode, m->options);
        for (int game = 0; game < 2; game++) { /* the second gets a new process and the same treatment */
            sit_down(&t, (uint64_t)game + 1);
            const struct answer answer = play_at_table(&t, red, blue);
            if (answer.fault != m->fault || strstr(answer.reason, m->reason) == NULL)
                fail_msg("%s: %s: %s", m->mode, player_fault_names[answer.fault], answer.reason);
            expect_gone();
        }
        player_close(red);
    }
    player_close(blue);
    get_up(&t);
}

/* A program that cannot be started or reached is a fault of the game, not of the run. */
static void a_missing_program_is_a_fault(void **state) {
    (void)state;
    static const struct misdeed cases[] = {
        {"ext:cmd=/no/such/program", "", PLAYER_FAULT_CRASH,
         "exit status 127 (the command cannot be started)"},
        {"ext:host=127.0.0.1,port=1", "", PLAYER_FAULT_CRASH, "it cannot be reached: 127.0.0.1:1: "},
        {"ext:host=256.1.1.1,port=1", "", PLAYER_FAULT_CRASH, "it cannot be reached: 256.1.1.1:1: "},
    };
    struct table t = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct player *player = open_spec(cases[i].mode);
        sit_down(&t, 1);
        const struct answer answer = ask_at(&t, player);
        assert_int_equal(answer.fault, cases[i].fault);
        if (strstr(answer.reason, cases[i].reason) == NULL)
            fail_msg("%s", answer.reason);
        player_close(player);
    }
    get_up(&t);
    expect_gone();
}

static void needs_the_whole_game(void **state) {
    (void)state;
    struct table t = {0};
    sit_down(&t, 1);
    struct player *player = open_saboteur("pass", "");
    const struct ask ask = {.game = t.scenario->game, .view = t.state, .rng = &t.rng[0]};
    struct answer answer;
    player_choose(player, &ask, &answer);
    assert_int_equal(answer.fault, PLAYER_FAULT_PROTOCOL);
    assert_string_equal(answer.reason, "an external player needs the game from its beginning");
    player_close(player);
    get_up(&t);
}

/* With a clock both the limit and the patience apply, and an answer between the two is charged to the player,
 * not to us. */
static void clocks(void **state) {
    (void)state;
    struct table t = {0};
    struct player *late = open_saboteur("late", "");
    sit_down(&t, 1);
    t.time = (struct ask_time){.limit_ns = 1000000, .share_ns = 500000, .patience_ns = INT64_C(60000000000)};
    struct answer answer = ask_at(&t, late);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    assert_true(answer.setup_ns > 0);
    player_close(late);
    late = open_saboteur("late", "");
    t.time.patience_ns = 99000000;
    answer = ask_at(&t, late);
    assert_int_equal(answer.fault, PLAYER_FAULT_HANG);
    assert_string_equal(answer.reason, "no answer within 0.1 s");
    player_close(late);
    /* Without any clock the waits themselves are counted. */
    late = open_saboteur("sleep", ",timeout=200");
    t.time = (struct ask_time){0};
    t.budget.clock = NULL;
    answer = ask_at(&t, late);
    assert_int_equal(answer.fault, PLAYER_FAULT_HANG);
    player_close(late);
    get_up(&t);
    expect_gone();
}

static void *set_stop(void *argument) {
    const struct timespec time = {0, 100000000};
    nanosleep(&time, NULL);
    atomic_store((atomic_bool *)argument, true);
    return NULL;
}

static void stop_is_seen(void **state) {
    (void)state;
    struct table t = {0};
    sit_down(&t, 1);
    atomic_bool stop = false;
    t.budget.stop = &stop;
    struct player *player = open_saboteur("sleep", "");
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, set_stop, &stop), 0);
    const struct answer answer = ask_at(&t, player);
    pthread_join(thread, NULL);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    expect_gone();
    player_close(player);
    get_up(&t);
}

static void survivors_go(void **state) {
    (void)state;
    struct table t = {0};
    sit_down(&t, 1);
    struct player *red = open_saboteur("fork-survivors", ""), *blue = open_spec("random");
    const struct answer answer = play_at_table(&t, red, blue);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    assert_true(saboteurs() > 1);
    player_close(red);
    player_close(blue);
    get_up(&t);
    expect_gone();
}

static void memory_stays_flat(void **state) {
    (void)state;
    struct table t = {0};
    const long before = outside_peak_kilobytes();
    struct player *blue = open_spec("random");
    static const char *const modes[] = {"flood", "flood-lines", "stderr-flood"};
    for (size_t i = 0; i < SAMPLE(sizeof modes / sizeof modes[0], 1); i++) {
        /* How long 32 megabytes take depends on the machine: no time is measured here. */
        struct player *red = open_saboteur(modes[i], ",timeout=86400000");
        sit_down(&t, 1);
        const struct answer answer = play_at_table(&t, red, blue);
        assert_int_equal(answer.fault, i < 2 ? PLAYER_FAULT_GARBAGE : PLAYER_FAULT_NONE);
        player_close(red);
    }
    player_close(blue);
    get_up(&t);
    expect_gone();
    if (before > 0)
        assert_true(outside_peak_kilobytes() - before < 16 << 10);
}

int main(void) {
    table_clock();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(misdeeds_have_names),  cmocka_unit_test(a_missing_program_is_a_fault),
        cmocka_unit_test(needs_the_whole_game), cmocka_unit_test(clocks),
        cmocka_unit_test(stop_is_seen),         cmocka_unit_test(survivors_go),
        cmocka_unit_test(memory_stays_flat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
