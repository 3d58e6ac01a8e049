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

static void wrong_specs_give_the_reason(void **state) {
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

/* ---- lists and specs within specs ---- */

static void expect_values(const char *string, int count, const char *const *expected) {
    struct spec s;
    struct err e = {0};
    if (!spec_parse(string, &s, &e))
        fail_msg("'%s': %s", string, e.text);
    assert_int_equal(s.count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(s.pairs[i].key, expected[2 * i]);
        assert_string_equal(s.pairs[i].value, expected[2 * i + 1]);
    }
}

#define EXPECT_VALUES(string, ...)                                                                           \
    do {                                                                                                     \
        const char *const pairs[] = {__VA_ARGS__};                                                           \
        expect_values(string, (int)(sizeof pairs / sizeof pairs[0] / 2), pairs);                             \
    } while (0)

static void values_may_be_lists(void **state) {
    (void)state;
    EXPECT_VALUES("minmax:values=A:100,F:1", "values", "A:100,F:1");
    EXPECT_VALUES("minmax:values=A:100,F:1,depth=2", "values", "A:100,F:1", "depth", "2");
    EXPECT_VALUES("x:depth=2,values=a,b,c", "depth", "2", "values", "a,b,c");
    EXPECT_VALUES("x:a=1,2,b=3,4,c=", "a", "1,2", "b", "3,4", "c", "");
    EXPECT_VALUES("x:a=,b", "a", ",b");
    EXPECT_VALUES("x:a=1,,b", "a", "1,,b");
}

static void values_may_be_specs(void **state) {
    (void)state;
    EXPECT_VALUES("first:player=dlmc,then=pwuct", "player", "dlmc", "then", "pwuct");
    EXPECT_VALUES("first:player=[dlmc:turns=50,sims=20],then=pwuct", "player", "dlmc:turns=50,sims=20",
                  "then", "pwuct");
    EXPECT_VALUES("first:then=[a:x=1],player=[b:y=[c:z=1,w=2],v=3]", "then", "a:x=1", "player",
                  "b:y=[c:z=1,w=2],v=3");
    EXPECT_VALUES("x:a=[]", "a", "");
    EXPECT_VALUES("x:a=[[b]]", "a", "[b]");
    EXPECT_VALUES("x:a=[b][c]", "a", "[b][c]"); /* no pair of brackets is around all of it */
    EXPECT_VALUES("x:a=[b],c,d=[e]", "a", "[b],c", "d", "e");
    EXPECT_VALUES("x:a=[b,c=1]d", "a", "[b,c=1]d");
    EXPECT_VALUES("x:player=dlmc:turns=50", "player", "dlmc:turns=50"); /* one option needs no brackets */
}

/* What is inside is a spec again, down to the innermost. */
static void inner_specs_are_specs(void **state) {
    (void)state;
    struct spec outer, inner, innermost;
    assert_true(spec_parse("first:player=[split:player=[dlmc:turns=5,values=I:0.2,F:2],groups=2],turns=1",
                           &outer, NULL));
    assert_int_equal(outer.count, 2);
    assert_true(spec_parse(outer.pairs[0].value, &inner, NULL));
    assert_string_equal(inner.name, "split");
    assert_string_equal(inner.pairs[1].value, "2");
    assert_true(spec_parse(inner.pairs[0].value, &innermost, NULL));
    assert_string_equal(innermost.name, "dlmc");
    assert_string_equal(innermost.pairs[1].value, "I:0.2,F:2");
}

static void wrong_brackets_are_reported(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"x:a=[b", "x: a=[b: a bracket has no partner"},
        {"x:a=b]", "x: a=b]: a bracket has no partner"},
        {"x:a=[b,c=1", "x: a=[b,c=1: a bracket has no partner"},
        {"x:a=b],c=1", "x: a=b]: a bracket has no partner"},
        {"x:a=][", "x: a=][: a bracket has no partner"},
        {"x:a=[[b]", "x: a=[[b]: a bracket has no partner"},
        {"x:a=[b]]", "x: a=[b]]: a bracket has no partner"},
        {"x:[a=1]", "x: '[a' is no option name"},
        {"x:[a]", "x: '[a]' has no '='"},
        {"x:a,b=1", "x: 'a' has no '='"},
        {"x:a,b", "x: 'a' has no '='"},
        {"x:a=1,b,a=2", "x: option 'a' is given twice"},
        {"x:a=1,b,", "x: '' has no '='"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct spec s;
        struct err e;
        assert_false(spec_parse(cases[i][0], &s, &e));
        if (strncmp(e.text, cases[i][1], strlen(cases[i][1])) != 0)
            fail_msg("'%s': got '%s', expected '%s'", cases[i][0], e.text, cases[i][1]);
    }
    struct spec s;
    struct err e;
    assert_true(spec_parse("x", &s, NULL));
    assert_false(spec_add(&s, "a", "[b", &e));
    assert_string_equal(e.text, "a=[b: a bracket has no partner");
    assert_true(spec_add(&s, "a", "[b]", &e)); /* added values are taken as they are */
    assert_string_equal(s.pairs[0].value, "[b]");
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

static void wrong_values_name_the_expected_ones(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"uct:depth=3", "uct: option 'depth' is unknown; known are sims, c, reuse, style"},
        {"uct:sims=0", "uct: sims=0: expected a whole number from 1 to 1000000"},
        {"uct:sims=1000001", "uct: sims=1000001: expected a whole number from 1 to 1000000"},
        {"uct:sims=2.5", "uct: sims=2.5: expected a whole number from 1 to 1000000"},
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

/* Written options read back as the same options. */
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
    assert_string_equal(text_string(&t), "  sims       1..1000000 [2000]  simulations\n"
                                         "  c          0..10 [0.15]  exploration\n"
                                         "  reuse      yes|no [yes]  keep the tree\n"
                                         "  style      sample|paper|own [paper]  whose way\n");
    text_done(&t);
    params_help(NULL, "", &t);
    assert_string_equal(text_string(&t), "");
}

/* ---- texts ---- */

struct texts {
    char values[PARAM_TEXT_MAX];
    int depth;
    char player[PARAM_TEXT_MAX];
};

static const struct param text_table[] = {
    {"values", PARAM_TEXT, offsetof(struct texts, values), .choices = "F:1,I:0.2", .help = "worth"},
    {"depth", PARAM_INT, offsetof(struct texts, depth), 0, 9, 1, .help = "turns"},
    {"player", PARAM_TEXT, offsetof(struct texts, player), .help = "another player"},
    {0},
};

static bool read_texts(const char *string, struct texts *out, struct err *e) {
    struct spec s;
    return spec_parse(string, &s, e) && params_read(text_table, &s, out, e);
}

static void texts_are_read(void **state) {
    (void)state;
    struct texts t;
    memset(&t, 0x55, sizeof t);
    assert_true(read_texts("x", &t, NULL));
    assert_string_equal(t.values, "F:1,I:0.2");
    assert_string_equal(t.player, "");
    assert_true(read_texts("x:player=[dlmc:turns=5,sims=2],values=A:1,B:2,depth=3", &t, NULL));
    assert_string_equal(t.values, "A:1,B:2");
    assert_string_equal(t.player, "dlmc:turns=5,sims=2");
    assert_int_equal(t.depth, 3);
    for (size_t i = strlen(t.values); i < PARAM_TEXT_MAX; i++)
        assert_int_equal(t.values[i], 0); /* so that options can be compared as bytes */
    assert_true(read_texts("x:values=", &t, NULL));
    assert_string_equal(t.values, "");
}

static void texts_have_a_limit(void **state) {
    (void)state;
    char string[SPEC_TEXT_MAX];
    struct texts t;
    struct err e;
    const int size = snprintf(string, sizeof string, "x:player=");
    memset(string + size, 'a', PARAM_TEXT_MAX);
    string[size + PARAM_TEXT_MAX - 1] = '\0';
    assert_true(read_texts(string, &t, &e)); /* exactly full */
    assert_int_equal(strlen(t.player), PARAM_TEXT_MAX - 1);
    string[size + PARAM_TEXT_MAX - 1] = 'a';
    string[size + PARAM_TEXT_MAX] = '\0';
    assert_false(read_texts(string, &t, &e));
    assert_string_equal(e.text, "x: player: a value of 400 characters is too long; the limit is 399");
}

static void expect_texts(const char *spec, const char *expected) {
    struct texts t;
    struct text written = {0};
    assert_true(read_texts(spec, &t, NULL));
    params_write(text_table, &t, &written);
    assert_string_equal(text_string(&written), expected);
    text_done(&written);
}

static void texts_are_written_in_brackets_when_needed(void **state) {
    (void)state;
    expect_texts("x", "");
    expect_texts("x:values=F:1,I:0.2,depth=1", "");
    expect_texts("x:values=F:2", ":values=F:2");
    expect_texts("x:values=F:2,I:3,depth=4", ":values=[F:2,I:3],depth=4");
    expect_texts("x:values=,player=[a:b=1]", ":values=,player=[a:b=1]");
    expect_texts("x:player=a:b=1", ":player=[a:b=1]");
    expect_texts("x:player=[[a]]", ":player=[[a]]");
}

/* Any text with balanced brackets: read(write(x)) == x, and writing that again gives the same. */
static void texts_survive_the_round_trip(void **state) {
    (void)state;
    static const char letters[] = "ab,=[]:1 ";
    uint32_t seed = 1;
    int kept = 0;
    for (int i = 0; i < 200000; i++) {
        struct texts t = {.depth = i % 10}, back;
        for (int which = 0; which < 2; which++) {
            char *out = which == 0 ? t.values : t.player;
            seed = seed * 1664525 + 1013904223;
            const int length = (int)(seed >> 16) % 9;
            for (int k = 0; k < length; k++) {
                seed = seed * 1664525 + 1013904223;
                out[k] = letters[(seed >> 16) % (sizeof letters - 1)];
            }
        }
        struct spec probe;
        assert_true(spec_parse("x", &probe, NULL));
        if (!spec_add(&probe, "values", t.values, NULL) || !spec_add(&probe, "player", t.player, NULL))
            continue; /* unbalanced */
        kept++;
        struct text first = {0}, second = {0};
        struct err e = {0};
        text_add_string(&first, "x");
        params_write(text_table, &t, &first);
        if (!read_texts(text_string(&first), &back, &e) || memcmp(&t, &back, sizeof t) != 0)
            fail_msg("'%s' and '%s' were written as '%s' (%s)", t.values, t.player, text_string(&first),
                     e.text);
        text_add_string(&second, "x");
        params_write(text_table, &back, &second);
        assert_string_equal(text_string(&first), text_string(&second));
        text_done(&first);
        text_done(&second);
    }
    assert_true(kept > 10000);
}

static void help_shows_the_default_text(void **state) {
    (void)state;
    struct text t = {0};
    params_help(text_table, "", &t);
    assert_string_equal(text_string(&t), "values     text [F:1,I:0.2]  worth\n"
                                         "depth      0..9 [1]  turns\n"
                                         "player     text []  another player\n");
    text_done(&t);
}

/* ---- one parameter at a time ---- */

static void parameters_are_set_by_name(void **state) {
    (void)state;
    struct options o;
    struct texts t;
    params_default(table, &o);
    assert_true(params_set(table, "sims", "17", &o, NULL));
    assert_true(params_set(table, "c", "0.25", &o, NULL));
    assert_true(params_set(table, "reuse", "off", &o, NULL));
    assert_true(params_set(table, "style", "own", &o, NULL));
    assert_int_equal(o.sims, 17);
    assert_true(o.constant > 0.2499 && o.constant < 0.2501);
    assert_false(o.reuse);
    assert_int_equal(o.style, 2);
    params_default(text_table, &t);
    assert_true(params_set(text_table, "values", "a=b,[c", &t, NULL)); /* no spec: any text will do */
    assert_string_equal(t.values, "a=b,[c");
}

static void setting_wrongly_changes_nothing(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"sims", "0", "sims=0: expected a whole number from 1 to 1000000"},
        {"sims", "many", "sims=many: expected a whole number from 1 to 1000000"},
        {"c", "11", "c=11: expected a number from 0 to 10"},
        {"reuse", "perhaps", "reuse=perhaps is no switch; expected yes or no"},
        {"style", "mine", "style=mine is unknown; expected one of sample|paper|own"},
        {"depth", "1", "option 'depth' is unknown; known are sims, c, reuse, style"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct options o, before;
        struct err e = {0};
        memset(&o, 0, sizeof o);
        params_default(table, &o);
        before = o;
        assert_false(params_set(table, cases[i][0], cases[i][1], &o, &e));
        assert_string_equal(e.text, cases[i][2]);
        assert_memory_equal(&o, &before, sizeof o);
    }
}

static void all_are_written_and_set_again(void **state) {
    (void)state;
    struct options o;
    struct text t = {0};
    params_default(table, &o);
    assert_true(params_set(table, "c", "0.1", &o, NULL));
    params_write_all(table, &o, &t);
    assert_string_equal(text_string(&t), "sims=2000\nc=0.1\nreuse=yes\nstyle=paper\n");
    text_clear(&t);
    params_write_value(&table[3], &o, &t);
    assert_string_equal(text_string(&t), "paper");
    text_done(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_pairs),
        cmocka_unit_test(wrong_specs_give_the_reason),
        cmocka_unit_test(specs_have_limits),
        cmocka_unit_test(specs_hold_so_many_pairs),
        cmocka_unit_test(pairs_are_added),
        cmocka_unit_test(values_may_be_lists),
        cmocka_unit_test(values_may_be_specs),
        cmocka_unit_test(inner_specs_are_specs),
        cmocka_unit_test(wrong_brackets_are_reported),
        cmocka_unit_test(defaults_come_first),
        cmocka_unit_test(every_kind_is_read),
        cmocka_unit_test(wrong_values_name_the_expected_ones),
        cmocka_unit_test(without_a_table_no_option_is_known),
        cmocka_unit_test(only_what_differs_is_written),
        cmocka_unit_test(options_survive_the_round_trip),
        cmocka_unit_test(help_has_a_line_for_each),
        cmocka_unit_test(texts_are_read),
        cmocka_unit_test(texts_have_a_limit),
        cmocka_unit_test(texts_are_written_in_brackets_when_needed),
        cmocka_unit_test(texts_survive_the_round_trip),
        cmocka_unit_test(help_shows_the_default_text),
        cmocka_unit_test(parameters_are_set_by_name),
        cmocka_unit_test(setting_wrongly_changes_nothing),
        cmocka_unit_test(all_are_written_and_set_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
