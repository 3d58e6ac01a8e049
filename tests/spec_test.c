/* SPDX-License-Identifier: MIT
 *
 * Spec strings and parameter tables.
 */
#include "base/spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct options {
    int sims, style;
    double constant;
    bool reuse;
};

static const struct param table[] = {
    {"sims", PARAM_INT, offsetof(struct options, sims), 1, 1000000, 2000, NULL, "simulations"},
    {"c", PARAM_REAL, offsetof(struct options, constant), 0, 10, 0.15, NULL, "exploration"},
    {"reuse", PARAM_SWITCH, offsetof(struct options, reuse), 0, 0, 1, NULL, "keep the tree"},
    {"style", PARAM_CHOICE, offsetof(struct options, style), 0, 0, 1, "sample|paper|own", "whose way"},
    {0},
};

/* ---- spec strings ---- */

static void names_and_pairs(void **state) {
    (void)state;
    struct spec s;
    assert_true(spec_parse("uct", &s, NULL));
    assert_string_equal(s.name, "uct");
    assert_int_equal(s.count, 0);
    assert_true(spec_parse("pw-uct_2:sims=6000,c=0.5,map=a=b,empty=", &s, NULL));
    assert_string_equal(s.name, "pw-uct_2");
    assert_int_equal(s.count, 4);
    assert_string_equal(s.pairs[0].key, "sims");
    assert_string_equal(s.pairs[0].value, "6000");
    assert_string_equal(s.pairs[2].value, "a=b");
    assert_string_equal(s.pairs[3].value, "");
}

static void wrong_specs_say_why(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"", "'' is no name"},
        {":sims=1", "'' is no name"},
        {"a b", "'a b' is no name"},
        {"an-extraordinarily-long-name-of-a-player", "is no name"},
        {"uct:", "uct: '' has no '='"},
        {"uct:sims", "uct: 'sims' has no '='; expected key=value"},
        {"uct:sims=1,", "uct: '' has no '='"},
        {"uct:=1", "uct: '' is no option name"},
        {"uct:s ims=1", "uct: 's ims' is no option name"},
        {"uct:sims=1,sims=2", "uct: option 'sims' is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct spec s;
        struct err e;
        assert_false(spec_parse(cases[i][0], &s, &e));
        if (strstr(e.text, cases[i][1]) == NULL)
            fail_msg("'%s': got '%s', expected '%s'", cases[i][0], e.text, cases[i][1]);
    }
}

static void specs_have_limits(void **state) {
    (void)state;
    char string[2 * SPEC_TEXT_MAX];
    struct spec s;
    struct err e;
    int size = snprintf(string, sizeof string, "x:k=");
    memset(string + size, '1', sizeof string - (size_t)size);
    string[SPEC_TEXT_MAX - 1] = '\0';
    assert_true(spec_parse(string, &s, &e)); /* exactly full */
    assert_false(spec_add(&s, "a", "", &e));
    assert_string_equal(e.text, "too many options; 511 characters are the limit");
    string[SPEC_TEXT_MAX - 1] = '1';
    string[SPEC_TEXT_MAX] = '\0';
    assert_false(spec_parse(string, &s, &e));
    assert_string_equal(e.text, "a spec of 512 characters is too long; the limit is 511");
}

static void specs_hold_so_many_pairs(void **state) {
    (void)state;
    struct spec s;
    struct err e;
    assert_true(spec_parse("x", &s, NULL));
    for (int i = 0; i < SPEC_PAIRS_MAX; i++) {
        char key[16];
        snprintf(key, sizeof key, "k%d", i);
        assert_true(spec_add(&s, key, "v", &e));
    }
    assert_string_equal(s.pairs[SPEC_PAIRS_MAX - 1].key, "k23");
    assert_string_equal(s.pairs[0].key, "k0"); /* the first is where it was */
    assert_false(spec_add(&s, "one-more", "v", &e));
    assert_string_equal(e.text, "more than 24 options");
}

static void pairs_are_added(void **state) {
    (void)state;
    struct spec s;
    struct err e;
    assert_true(spec_parse("tbs:rules=paper", &s, NULL));
    assert_true(spec_add(&s, "path", "wide", &e));
    assert_string_equal(s.pairs[1].value, "wide");
    assert_string_equal(s.pairs[0].value, "paper");
    assert_false(spec_add(&s, "path", "small", &e));
    assert_string_equal(e.text, "option 'path' is given twice");
    assert_false(spec_add(&s, "a,b", "1", &e));
    assert_int_equal(s.count, 2);
}

/* ---- parameters ---- */

static bool read_options(const char *string, struct options *out, struct err *e) {
    struct spec s;
    return spec_parse(string, &s, e) && params_read(table, &s, out, e);
}

static void defaults_come_first(void **state) {
    (void)state;
    struct options o;
    memset(&o, 0x55, sizeof o);
    params_default(table, &o);
    assert_int_equal(o.sims, 2000);
    assert_true(o.constant > 0.149 && o.constant < 0.151);
    assert_true(o.reuse);
    assert_int_equal(o.style, 1);
    assert_true(read_options("uct:sims=7", &o, NULL));
    assert_int_equal(o.sims, 7);
    assert_int_equal(o.style, 1);
    params_default(NULL, &o); /* no table, no options */
}

static void every_kind_is_read(void **state) {
    (void)state;
    struct options o;
    assert_true(read_options("uct:sims=1000000,c=2.5,reuse=off,style=own", &o, NULL));
    assert_int_equal(o.sims, 1000000);
    assert_true(o.constant > 2.4999 && o.constant < 2.5001);
    assert_false(o.reuse);
    assert_int_equal(o.style, 2);
    static const char *const yes[] = {"yes", "true", "on", "1", "YES"}, *const no[] = {"no", "false", "off",
                                                                                       "0"};
    for (int i = 0; i < 9; i++) {
        char string[32];
        snprintf(string, sizeof string, "uct:reuse=%s", i < 5 ? yes[i] : no[i - 5]);
        assert_true(read_options(string, &o, NULL));
        assert_int_equal(o.reuse, i < 5);
    }
}

static void wrong_values_say_what_is_expected(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"uct:depth=3", "uct: option 'depth' is unknown; known are sims, c, reuse, style"},
        {"uct:sims=0", "uct: sims=0: expected a whole number from 1 to 1e+06"},
        {"uct:sims=1000001", "uct: sims=1000001: expected a whole number from 1 to 1e+06"},
        {"uct:sims=2.5", "uct: sims=2.5: expected a whole number from 1 to 1e+06"},
        {"uct:sims=", "uct: sims=: expected a whole number"},
        {"uct:sims=99999999999999999999", "expected a whole number"},
        {"uct:c=-0.1", "uct: c=-0.1: expected a number from 0 to 10"},
        {"uct:c=nan", "uct: c=nan: expected a number from 0 to 10"},
        {"uct:reuse=maybe", "uct: reuse=maybe is no switch; expected yes or no"},
        {"uct:style=pap", "uct: style=pap is unknown; expected one of sample|paper|own"},
        {"uct:style=paper|own", "is unknown; expected one of"},
        {"uct:style=", "uct: style= is unknown"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options o;
        struct err e;
        assert_false(read_options(cases[i][0], &o, &e));
        if (strstr(e.text, cases[i][1]) == NULL)
            fail_msg("'%s': got '%s', expected '%s'", cases[i][0], e.text, cases[i][1]);
    }
}

static void without_a_table_no_option_is_known(void **state) {
    (void)state;
    struct spec s;
    struct err e;
    struct options o;
    assert_true(spec_parse("random:sims=1", &s, NULL));
    assert_false(params_read(NULL, &s, &o, &e));
    assert_string_equal(e.text, "random: option 'sims' is unknown; random has no options");
    assert_true(spec_parse("random", &s, NULL));
    assert_true(params_read(NULL, &s, &o, &e));
}

static void expect_written(const char *spec, const char *expected) {
    struct options o;
    struct text t = {0};
    assert_true(read_options(spec, &o, NULL));
    params_write(table, &o, &t);
    assert_string_equal(text_string(&t), expected);
    text_done(&t);
}

static void only_what_differs_is_written(void **state) {
    (void)state;
    expect_written("uct", "");
    expect_written("uct:sims=2000,c=0.15,reuse=yes,style=paper", "");
    expect_written("uct:style=sample,sims=5", ":sims=5,style=sample");
    expect_written("uct:reuse=0,c=10", ":c=10,reuse=no");
    expect_written("uct:c=0.1", ":c=0.1");
    expect_written("uct:c=0.30000000000000004", ":c=0.30000000000000004");
}

/* Whatever is written reads back as the same options. */
static void options_survive_the_round_trip(void **state) {
    (void)state;
    for (int i = 1; i < 500; i++) {
        struct options o = {.sims = i * 37, .style = i % 3, .constant = 10.0 / i, .reuse = i % 2 == 0}, back;
        struct text t = {0};
        text_add_string(&t, "uct");
        params_write(table, &o, &t);
        assert_true(read_options(text_string(&t), &back, NULL));
        assert_int_equal(o.sims, back.sims);
        assert_int_equal(o.style, back.style);
        assert_int_equal(o.reuse, back.reuse);
        assert_memory_equal(&o.constant, &back.constant, sizeof o.constant);
        text_done(&t);
    }
}

static void help_has_a_line_for_each(void **state) {
    (void)state;
    struct text t = {0};
    params_help(table, "  ", &t);
    assert_string_equal(text_string(&t), "  sims       1..1e+06 [2000]  simulations\n"
                                         "  c          0..10 [0.15]  exploration\n"
                                         "  reuse      yes|no [yes]  keep the tree\n"
                                         "  style      sample|paper|own [paper]  whose way\n");
    text_done(&t);
    params_help(NULL, "", &t);
    assert_string_equal(text_string(&t), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_pairs),
        cmocka_unit_test(wrong_specs_say_why),
        cmocka_unit_test(specs_have_limits),
        cmocka_unit_test(specs_hold_so_many_pairs),
        cmocka_unit_test(pairs_are_added),
        cmocka_unit_test(defaults_come_first),
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(wrong_values_say_what_is_expected),
        cmocka_unit_test(without_a_table_no_option_is_known),
        cmocka_unit_test(only_what_differs_is_written),
        cmocka_unit_test(options_survive_the_round_trip),
        cmocka_unit_test(help_has_a_line_for_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
