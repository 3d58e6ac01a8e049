/* SPDX-License-Identifier: MIT
 *
 * Clocks: what they allow, to the nanosecond, and how they divide it; deadlines of budgets.
 */
#include "match/clocked_game.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define S  INT64_C(1000000000)
#define MS INT64_C(1000000)

static struct timing read_timing(const char *string) {
    struct timing t;
    struct err e = {{0}};
    if (!timing_read(string, &t, &e))
        fail_msg("%s: %s", string, e.text);
    return t;
}

/* ---- as text ---- */

static void clocks_are_read(void **state) {
    (void)state;
    const struct timing t =
        read_timing("turn=10,move=1,game=600,increment=5,byoyomi=7,grace=0.25,patience=3");
    const double given[] = {t.turn_s,    t.move_s,  t.game_s,    t.increment_s,
                            t.byoyomi_s, t.grace_s, t.patience_s};
    static const double expected[] = {10, 1, 600, 5, 7, 0.25, 3};
    for (int i = 0; i < 7; i++)
        assert_true(fabs(given[i] - expected[i]) < 1e-12);
    const struct timing usual = read_timing("turn=10");
    assert_true(fabs(usual.grace_s - 0.1) < 1e-12);
    assert_true(fabs(usual.patience_s - 2) < 1e-12);
    assert_false(usual.move_s > 0 || usual.game_s > 0 || usual.increment_s > 0 || usual.byoyomi_s > 0);
}

/* A clock that steps back gives no time, and takes none. */
static void negative_time_is_none(void **state) {
    (void)state;
    const struct timing t = read_timing("game=600,byoyomi=7");
    struct timing_clocks c, before;
    timing_start(&c, &t);
    before = c;
    timing_spend(&c, &t, 1, -250000000, false);
    assert_memory_equal(&c, &before, sizeof c);
}

static void wrong_clocks_are_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"turn", "key=value"},
        {"trun=10", "trun"},
        {"turn=-1", "turn"},
        {"turn=nan", "turn"},
        {"turn=1e9", "86400"},
        {"increment=5", "increment and byoyomi need game=SECONDS"},
        {"byoyomi=5", "increment and byoyomi need game=SECONDS"},
        {"turn=10,byoyomi=5", "increment and byoyomi need game=SECONDS"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct timing t;
        struct err e = {{0}};
        assert_false(timing_read(cases[i][0], &t, &e));
        if (strstr(e.text, cases[i][1]) == NULL)
            fail_msg("%s says '%s', expected '%s'", cases[i][0], e.text, cases[i][1]);
    }
    char list[2000];
    struct timing t;
    struct err e;
    memset(list, 'x', sizeof list - 1);
    list[sizeof list - 1] = '\0';
    assert_false(timing_read(list, &t, &e));
}

static void clocks_are_described(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"turn=10", "10 s a turn"},
        {"move=0.5", "0.5 s a move"},
        {"turn=10,move=1", "10 s a turn, 1 s a move"},
        {"game=600,byoyomi=10", "600 s a game, then 10 s a turn"},
        {"game=600,increment=5", "600 s a game, plus 5 s a turn"},
        {"grace=1", "no limit"},
        {"turn=0", "no limit"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text text = {0};
        const struct timing t = read_timing(cases[i][0]);
        timing_describe(&t, &text);
        assert_string_equal(text_string(&text), cases[i][1]);
        assert_int_equal(timing_is_limited(&t), strcmp(cases[i][1], "no limit") != 0);
        text_done(&text);
    }
}

/* ---- limits ---- */

/* One decision: the required limit before it, the time that it takes. */
struct decision {
    int64_t limit, spent;
    bool turn_over;
};

static void follow(const char *string, const struct decision *list, int count) {
    const struct timing t = read_timing(string);
    struct timing_clocks c;
    timing_start(&c, &t);
    for (int i = 0; i < count; i++) {
        const struct ask_time time = timing_allow(&c, &t, 1, 1);
        if (time.limit_ns != list[i].limit)
            fail_msg("%s: decision %d may take %lld, expected %lld", string, i, (long long)time.limit_ns,
                     (long long)list[i].limit);
        timing_spend(&c, &t, 1, list[i].spent, list[i].turn_over);
        /* the other side's clock stands still */
        assert_int_equal(c.game_left_ns[0], (int64_t)(t.game_s * 1e9));
        assert_int_equal(c.turn_used_ns[0], 0);
    }
}

#define FOLLOW(string, ...)                                                                                  \
    follow(string, (const struct decision[])__VA_ARGS__,                                                     \
           sizeof((const struct decision[])__VA_ARGS__) / sizeof(struct decision))

static void limits_are_exact(void **state) {
    (void)state;
    FOLLOW("turn=10,grace=0",
           {{10 * S, 4 * S, false}, {6 * S, 6 * S, false}, {1, 0, true}, {10 * S, 0, true}});
    /* time is forgiven once a turn */
    FOLLOW("turn=10,grace=0.5",
           {{10 * S + S / 2, 10 * S + S / 4, false}, {S / 4, 0, true}, {10 * S + S / 2, 0, true}});
    FOLLOW("move=2,grace=0.5", {{5 * S / 2, 2 * S, false}, {5 * S / 2, 2 * S, false}, {5 * S / 2, 0, true}});
    FOLLOW("turn=3,move=2,grace=0", {{2 * S, 2 * S, false}, {S, 0, true}, {2 * S, 0, true}});
    FOLLOW("game=10,grace=0", {{10 * S, 3 * S, true}, {7 * S, 7 * S, true}, {1, 0, true}, {1, 0, true}});
    /* … and of a game's time once a game: a clock that is used up stays so */
    FOLLOW("game=10,grace=0.5",
           {{10 * S + S / 2, 10 * S, true}, {S / 2, S / 4, true}, {S / 4, S / 4, true}, {1, 0, true}});
    FOLLOW("game=10,increment=2,grace=0",
           {{10 * S, 10 * S, true}, {2 * S, S, true}, {3 * S, 0, false}, {3 * S, 0, true}, {5 * S, 0, true}});
    /* a debt is paid from the next increment */
    FOLLOW("game=10,increment=2,grace=0.5",
           {{10 * S + S / 2, 10 * S + S / 4, true}, {2 * S + S / 4, 0, true}});
    FOLLOW("game=10,byoyomi=3,grace=0", {{13 * S, 8 * S, true},
                                         {5 * S, 4 * S, false},
                                         {S, S, true},
                                         {3 * S, 3 * S, true},
                                         {3 * S, S, false},
                                         {2 * S, 0, true}});
    FOLLOW("game=10,byoyomi=3,grace=0.5", {{13 * S + S / 2, 13 * S + S / 4, true}, {3 * S + S / 2, 0, true}});
    FOLLOW("game=10,turn=4,grace=0",
           {{4 * S, 4 * S, true}, {4 * S, 4 * S, true}, {2 * S, 2 * S, true}, {1, 0, true}});
    /* seconds that are no binary fractions are whole nanoseconds */
    FOLLOW("turn=0.57,grace=0", {{570 * MS, 0, true}});
    FOLLOW("move=0.29,grace=0.01", {{300 * MS, 0, true}});
}

static void no_limit_is_no_limit(void **state) {
    (void)state;
    const struct timing t = read_timing("grace=5,patience=7");
    struct timing_clocks c;
    timing_start(&c, &t);
    for (int i = 0; i < 3; i++) {
        const struct ask_time time = timing_allow(&c, &t, 0, 4);
        assert_true(time.limit_ns == 0 && time.share_ns == 0 && time.patience_ns == 0);
        timing_spend(&c, &t, 0, 1000 * S, true);
    }
    /* rules refuse it, but it must not run over either */
    const struct timing odd = {.byoyomi_s = 10, .grace_s = 1};
    assert_false(timing_is_limited(&odd));
    assert_true(timing_allow(&c, &odd, 0, 1).limit_ns == 0);
}

static void patience_is_passed_on(void **state) {
    (void)state;
    const struct timing t = read_timing("turn=1,patience=2.5");
    struct timing_clocks c;
    timing_start(&c, &t);
    assert_true(timing_allow(&c, &t, 0, 1).patience_ns == 5 * S / 2);
}

/* ---- shares ---- */

/* A player that uses its share of time is never late, with any clock and any length of turns. */
static void shares_stay_within_limits(void **state) {
    (void)state;
    static const char *const clocks[] = {
        "turn=10",
        "turn=0.01,grace=0",
        "turn=0.0001,grace=0.001",
        "move=1,grace=0",
        "turn=5,move=0.7,grace=0",
        "game=60,grace=0",
        "game=1,grace=0",
        "game=0.05,grace=0",
        "game=30,increment=1,grace=0",
        "game=2,increment=0.001,grace=0",
        "game=10,byoyomi=2,grace=0",
        "game=1,byoyomi=0.02,grace=0",
        "game=60,increment=1,byoyomi=1,turn=4,move=1,grace=0.1",
    };
    struct rng r;
    rng_seed(&r, 1);
    for (size_t i = 0; i < sizeof clocks / sizeof clocks[0]; i++) {
        const struct timing t = read_timing(clocks[i]);
        struct timing_clocks c;
        timing_start(&c, &t);
        for (int turn = 0; turn < 200; turn++) {
            const int decisions = 1 + (int)rng_below(&r, 20);
            for (int left = decisions; left > 0; left--) {
                const struct ask_time time = timing_allow(&c, &t, 0, left);
                assert_true(time.share_ns >= 1);
                if (time.share_ns > time.limit_ns)
                    fail_msg("%s: turn %d: a share of %lld of %lld", clocks[i], turn,
                             (long long)time.share_ns, (long long)time.limit_ns);
                timing_spend(&c, &t, 0, time.share_ns, left == 1);
            }
        }
    }
}

/* All decisions of a turn together take the turn's time, for any number of them. */
static int64_t use_turn(const char *string, int decisions) {
    const struct timing t = read_timing(string);
    struct timing_clocks c;
    int64_t used = 0;
    timing_start(&c, &t);
    for (int left = decisions; left > 0; left--) {
        const int64_t share = timing_allow(&c, &t, 0, left).share_ns;
        used += share;
        timing_spend(&c, &t, 0, share, left == 1);
    }
    return used;
}

static void a_turn_takes_its_share(void **state) {
    (void)state;
    for (int decisions = 1; decisions <= 30; decisions++) {
        assert_in_range(use_turn("turn=10,grace=0", decisions), 9 * S, 10 * S);
        assert_in_range(use_turn("move=2,grace=0", decisions), decisions * 18 * S / 10, decisions * 2 * S);
        /* the twentieth part of what is left */
        assert_in_range(use_turn("game=600,grace=0", decisions), 27 * S, 30 * S);
        assert_in_range(use_turn("game=600,increment=5,grace=0", decisions), 32 * S, 35 * S);
        assert_in_range(use_turn("game=600,byoyomi=10,grace=0", decisions), 37 * S, 40 * S);
    }
}

static void how_many_decisions_are_left_may_be_unknown(void **state) {
    (void)state;
    const struct timing t = read_timing("turn=10,grace=0");
    struct timing_clocks c;
    timing_start(&c, &t);
    const int64_t one = timing_allow(&c, &t, 0, 1).share_ns;
    assert_true(timing_allow(&c, &t, 0, 0).share_ns == one);
    assert_true(timing_allow(&c, &t, 0, -3).share_ns == one);
}

/* ---- deadlines of budgets ---- */

static void deadlines_cut(void **state) {
    (void)state;
    int64_t now = 1000;
    const struct clock clock = clock_manual(&now);
    struct budget_meter meter;
    struct budget budget = {.deadline_ns = 5000, .clock = &clock};
    assert_false(budget_is_cut(&budget, 0));
    now = 4999;
    assert_false(budget_is_cut(&budget, 0));
    now = 5000;
    assert_true(budget_is_cut(&budget, 5000));
    now = 4000;
    budget_start(&meter, &budget);
    for (int i = 0; i < 1000; i++)
        assert_true(budget_spend(&meter, 1));
    now = 6000;
    int more = 0;
    while (budget_spend(&meter, 1))
        more++;
    assert_true(more <= BUDGET_CLOCK_EVERY);
    now = 0; /* over is over */
    assert_false(budget_spend(&meter, 1));
}

static void the_first_limit_counts(void **state) {
    (void)state;
    int64_t now = 100;
    const struct clock clock = clock_manual(&now);
    atomic_bool stop = false;
    const struct budget budget = {
        .work_max = 50, .time_ns_max = 500, .deadline_ns = 1000, .clock = &clock, .stop = &stop};
    assert_false(budget_is_cut(&budget, 100));
    now = 600;
    assert_true(budget_is_cut(&budget, 100));
    assert_false(budget_is_cut(&budget, 101));
    now = 1000;
    assert_true(budget_is_cut(&budget, 999));
    now = 100;
    atomic_store(&stop, true);
    assert_true(budget_is_cut(&budget, 100));
    atomic_store(&stop, false);
    struct budget_meter meter;
    budget_start(&meter, &budget);
    int done = 1;
    while (budget_spend(&meter, 1))
        done++;
    assert_int_equal(done, 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_read),
        cmocka_unit_test(negative_time_is_none),
        cmocka_unit_test(wrong_clocks_are_refused),
        cmocka_unit_test(clocks_are_described),
        cmocka_unit_test(limits_are_exact),
        cmocka_unit_test(no_limit_is_no_limit),
        cmocka_unit_test(patience_is_passed_on),
        cmocka_unit_test(shares_stay_within_limits),
        cmocka_unit_test(a_turn_takes_its_share),
        cmocka_unit_test(how_many_decisions_are_left_may_be_unknown),
        cmocka_unit_test(deadlines_cut),
        cmocka_unit_test(the_first_limit_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
