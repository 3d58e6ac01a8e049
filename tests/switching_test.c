/* SPDX-License-Identifier: MIT
 *
 * The readings of equation (6), each on both sides of its threshold.
 */
#include "search/flat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

enum { ARMS_MAX = 4 };

struct example {
    const char *about;
    enum switching_rule rule;
    double theta, worlds;
    int count;
    struct {
        double mean, variance;
        uint64_t visits;
    } arms[ARMS_MAX];
    bool expected;
};

/* Means are sums of powers of two, so that differences are exact. */
static const struct example examples[] = {
    {"0.25 / 2 is more than 1/16", SWITCH_GAP_PER_WORLD, 0.25, 2, 2, {{0.5, 0, 9}, {0.4375, 0, 9}}, true},
    {"0.25 / 4 is no more than 1/16", SWITCH_GAP_PER_WORLD, 0.25, 4, 2, {{0.5, 0, 9}, {0.4375, 0, 9}}, false},
    {"a tie is close in any number of worlds",
     SWITCH_GAP_PER_WORLD,
     0.25,
     1e6,
     2,
     {{0.5, 0, 9}, {0.5, 0, 9}},
     true},
    {"the order does not matter", SWITCH_GAP_PER_WORLD, 0.25, 2, 2, {{0.4375, 0, 9}, {0.5, 0, 9}}, true},
    {"less than theta", SWITCH_GAP, 0.125, 8, 2, {{0.5, 0, 9}, {0.4375, 0, 9}}, true},
    {"theta itself", SWITCH_GAP, 0.0625, 8, 2, {{0.5, 0, 9}, {0.4375, 0, 9}}, false},
    {"theta 0 never", SWITCH_GAP, 0, 8, 2, {{0.5, 0, 9}, {0.5, 0, 9}}, false},
    {"only the best two of four count",
     SWITCH_GAP,
     0.1,
     8,
     4,
     {{0, 0, 9}, {0.75, 0, 9}, {0.125, 0, 9}, {0.6875, 0, 9}},
     true},
    {"far from all others",
     SWITCH_GAP,
     0.1,
     8,
     4,
     {{0.25, 0, 9}, {0.25, 0, 9}, {0.75, 0, 9}, {0.25, 0, 9}},
     false},
    {"all worlds are left: theta", SWITCH_GAP_BY_WORLDS, 0.125, 8, 2, {{0.5, 0, 9}, {0.4375, 0, 9}}, true},
    {"half of them: half of theta", SWITCH_GAP_BY_WORLDS, 0.125, 4, 2, {{0.5, 0, 9}, {0.4375, 0, 9}}, false},
    {"standard errors 1/8 and 1/4", SWITCH_ERRORS, 1, 8, 2, {{0.75, 0.25, 16}, {0.5, 0.25, 4}}, true},
    {"a third of them", SWITCH_ERRORS, 0.5, 8, 2, {{0.75, 0.25, 16}, {0.5, 0.25, 4}}, false},
    {"no variance, no doubt", SWITCH_ERRORS, 2, 8, 2, {{0.5, 0, 16}, {0.4375, 0, 4}}, false},
    {"an eighth of the best", SWITCH_RELATIVE, 0.25, 8, 2, {{0.5, 0, 9}, {0.4375, 0, 9}}, true},
    {"a half of the best", SWITCH_RELATIVE, 0.25, 8, 2, {{0.125, 0, 9}, {0.0625, 0, 9}}, false},
    {"nothing is no different from nothing", SWITCH_RELATIVE, 0.25, 8, 2, {{0, 0, 9}, {0, 0, 9}}, true},
    {"more than theta", SWITCH_REVERSED, 0.0625, 8, 2, {{0.5, 0, 9}, {0.25, 0, 9}}, true},
    {"a tie", SWITCH_REVERSED, 0.0625, 8, 2, {{0.5, 0, 9}, {0.5, 0, 9}}, false},
    {"always", SWITCH_ALWAYS, 0, 8, 2, {{1, 0, 9}, {0, 0, 9}}, true},
    {"never", SWITCH_NEVER, 1, 8, 2, {{0.5, 0, 9}, {0.5, 0, 9}}, false},
    {"for certain", SWITCH_RANDOM, 1, 8, 2, {{0.5, 0, 9}, {0.5, 0, 9}}, true},
    {"for certain not", SWITCH_RANDOM, 0, 8, 2, {{0.5, 0, 9}, {0.5, 0, 9}}, false},
    {"what was never played is not second",
     SWITCH_GAP,
     0.5,
     8,
     3,
     {{0.25, 0, 9}, {0, 0, 0}, {0, 0, 9}},
     true},
};

static bool decide(const struct example *x, struct rng *r) {
    struct flat_arm arms[ARMS_MAX];
    for (int i = 0; i < x->count; i++) {
        const double mean = x->arms[i].mean, n = (double)x->arms[i].visits;
        arms[i] = (struct flat_arm){
            .visits = x->arms[i].visits, .sum = n * mean, .squares = n * (x->arms[i].variance + mean * mean)};
    }
    const struct switching_case c = {
        .arms = arms, .count = x->count, .worlds = x->worlds, .worlds_at_start = 8, .rng = r};
    return switching_decide(x->rule, x->theta, &c);
}

static void each_rule_as_it_is_read(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (decide(&examples[i], &r) != examples[i].expected)
            fail_msg("'%s' should be %d", examples[i].about, examples[i].expected);
    }
}

static void one_action_is_no_choice(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 1);
    for (int rule = 0; rule < SWITCH_RULES; rule++) {
        struct example x = {"", (enum switching_rule)rule, 1, 1, 1, {{0.5, 0.1, 9}}, false};
        assert_false(decide(&x, &r));
        x.count = 2; /* the other was never played */
        assert_false(decide(&x, &r));
    }
}

static void chance_is_theta_and_no_other_rule_draws(void **state) {
    (void)state;
    struct rng r, fresh;
    int yes = 0;
    rng_seed(&r, 2);
    fresh = r;
    for (int rule = 0; rule < SWITCH_RANDOM; rule++)
        decide(&(struct example){"", (enum switching_rule)rule, 0.3, 8, 2, {{0.5, 0, 9}, {0.5, 0, 9}}, true},
               &r);
    assert_memory_equal(&r, &fresh, sizeof r);
    for (int i = 0; i < 10000; i++)
        yes += decide(&(struct example){"", SWITCH_RANDOM, 0.3, 8, 2, {{1, 0, 9}, {0, 0, 9}}, true}, &r);
    assert_in_range(yes, 2770, 3230); /* five standard errors */
}

static void names_and_defaults_go_with_the_rules(void **state) {
    (void)state;
    int names = 1;
    for (const char *c = SWITCHING_NAMES; *c != '\0'; c++)
        names += *c == '|';
    assert_int_equal(names, SWITCH_RULES);
    assert_true(switching_thetas[SWITCH_GAP_PER_WORLD] > 0.249 &&
                switching_thetas[SWITCH_GAP_PER_WORLD] < 0.251);
    for (int rule = 0; rule < SWITCH_RULES; rule++)
        assert_true((switching_thetas[rule] > 0) == (rule != SWITCH_ALWAYS && rule != SWITCH_NEVER));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_as_it_is_read),
        cmocka_unit_test(one_action_is_no_choice),
        cmocka_unit_test(chance_is_theta_and_no_other_rule_draws),
        cmocka_unit_test(names_and_defaults_go_with_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
