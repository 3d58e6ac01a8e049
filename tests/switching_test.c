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
    {"errors 1/8 and 1/4 in quadrature are more than 1/4",
     SWITCH_SQUARES,
     1,
     8,
     2,
     {{0.75, 0.25, 16}, {0.5, 0.25, 4}},
     true},
    {"and less than 3/8: 6c would", SWITCH_SQUARES, 1, 8, 2, {{0.8125, 0.25, 16}, {0.5, 0.25, 4}}, false},
    {"a deviation of 1/2, whatever the visits",
     SWITCH_SPREAD,
     0.51,
     8,
     2,
     {{0.75, 0.25, 16}, {0.5, 0.25, 4}},
     true},
    {"half of it and no more", SWITCH_SPREAD, 0.49, 8, 2, {{0.75, 0.25, 16}, {0.5, 0.25, 4}}, false},
    {"no gap: the gain is the error, here 1/4",
     SWITCH_GAIN,
     0.24,
     8,
     2,
     {{0.5, 0.25, 8}, {0.5, 0.25, 8}},
     true},
    {"no more than that", SWITCH_GAIN, 0.26, 8, 2, {{0.5, 0.25, 8}, {0.5, 0.25, 8}}, false},
    {"a gap of the error halves it", SWITCH_GAIN, 0.13, 8, 2, {{0.75, 0.25, 8}, {0.5, 0.25, 8}}, false},
    {"no error, no gain", SWITCH_GAIN, 0, 8, 2, {{0.5, 0, 8}, {0.5, 0, 8}}, false},
    {"half as often", SWITCH_VISITS, 0.49, 8, 2, {{0.75, 0, 8}, {0.5, 0, 4}}, true},
    {"and no more", SWITCH_VISITS, 0.5, 8, 2, {{0.75, 0, 8}, {0.5, 0, 4}}, false},
    {"lost is as decided as won", SWITCH_OPEN, 0.25, 8, 2, {{0.25, 0, 8}, {0.125, 0, 4}}, false},
    {"nearly even", SWITCH_OPEN, 0.25, 8, 2, {{0.375, 0, 8}, {0.125, 0, 4}}, true},
    {"behind", SWITCH_BEHIND, 0.5, 8, 2, {{0.375, 0, 8}, {0.125, 0, 4}}, true},
    {"not behind", SWITCH_BEHIND, 0.5, 8, 2, {{0.5, 0, 8}, {0.125, 0, 4}}, false},
    {"8 worlds are enough", SWITCH_MANY, 0.2, 8, 2, {{0.5, 0, 8}, {0.375, 0, 4}}, true},
    {"4 are too few", SWITCH_MANY, 0.2, 4, 2, {{0.5, 0, 8}, {0.375, 0, 4}}, false},
    {"2 choices and 2 worlds: a fourth of theta",
     SWITCH_COST,
     0.51,
     2,
     2,
     {{0.5, 0, 8}, {0.375, 0, 4}},
     true},
    {"which is 1/8 here", SWITCH_COST, 0.5, 2, 2, {{0.5, 0, 8}, {0.375, 0, 4}}, false},
    {"2 choices and 2 worlds: theta itself", SWITCH_LATER, 0.126, 2, 2, {{0.5, 0, 8}, {0.375, 0, 4}}, true},
    {"and no more", SWITCH_LATER, 0.125, 2, 2, {{0.5, 0, 8}, {0.375, 0, 4}}, false},
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
        .arms = arms, .count = x->count, .worlds = x->worlds, .worlds_at_start = 8, .choices = 2, .rng = r};
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
    for (int rule = 0; rule < SWITCH_RULES; rule++)
        if (rule != SWITCH_RANDOM)
            decide(
                &(struct example){"", (enum switching_rule)rule, 0.3, 8, 2, {{0.5, 0, 9}, {0.5, 0, 9}}, true},
                &r);
    assert_memory_equal(&r, &fresh, sizeof r);
    for (int i = 0; i < 10000; i++)
        yes += decide(&(struct example){"", SWITCH_RANDOM, 0.3, 8, 2, {{1, 0, 9}, {0, 0, 9}}, true}, &r);
    assert_in_range(yes, 2770, 3230); /* five standard errors */
}

/* A gap of 1/8 in 4 worlds against a margin that is divided by 4^p; 6v's gain is 1/4 of its error there. */
static void power_divides_the_margin_by_worlds(void **state) {
    (void)state;
    const struct flat_arm arms[] = {{.visits = 16, .sum = 10, .squares = 10},
                                    {.visits = 16, .sum = 8, .squares = 8}};
    static const double divisors[] = {1, 2, 4, 8, 16};
    for (int rule = 0; rule < SWITCH_RULES; rule++)
        for (int halves = 0; switching_has_power((enum switching_rule)rule) && halves < 5; halves++) {
            struct switching_case c = {.arms = arms, .count = 2, .worlds = 4, .worlds_at_start = 8};
            double low = 0, high = 100; /* the theta at which the answer changes, with power 0 */
            for (int i = 0; i < 100; i++) {
                const double theta = (low + high) / 2;
                const bool more =
                    switching_decide((enum switching_rule)rule, theta, &c) == (rule == SWITCH_GAIN);
                *(more ? &low : &high) = theta;
            }
            c.halves = halves;
            const double factor = rule == SWITCH_GAIN ? 1 / divisors[halves] : divisors[halves];
            const bool at_less = switching_decide((enum switching_rule)rule, 0.999 * low * factor, &c),
                       at_more = switching_decide((enum switching_rule)rule, 1.001 * low * factor, &c);
            assert_int_equal(at_less, rule == SWITCH_GAIN);
            assert_int_equal(at_more, rule != SWITCH_GAIN);
        }
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
        cmocka_unit_test(power_divides_the_margin_by_worlds),
        cmocka_unit_test(names_and_defaults_go_with_the_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
