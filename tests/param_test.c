/* SPDX-License-Identifier: MIT
 *
 * One parameter table read from options of a command line and from JSON, checked, written and described.
 */
#include "base/spec.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

struct points {
    double win, draw;
};

struct options {
    int games, format, orders[3]; /* orders: count and items */
    double share;
    bool both, quiet;
    uint64_t seed;
    char title[8];
    const char *file, *player;
    const json_t *maps, *anything;
    struct points points;
};

#define AT(field) offsetof(struct options, field)

static bool parse_points(const char *text, void *field, struct err *e) {
    struct points *p = field;
    return sscanf(text, "%lf/%lf", &p->win, &p->draw) == 2 || err_set(e, "points %s: expected 1/0.5", text);
}

static const struct param point_rows[] = {
    {"win", PARAM_REAL, offsetof(struct points, win), 0, 10, 1, .help = "for a win"},
    {"draw", PARAM_REAL, offsetof(struct points, draw), 0, 10, 0.5, .option = "draw-points",
     .help = "a draw"},
    {0},
};

static const struct param rows[] = {
    {"games", PARAM_INT, AT(games), 1, 100, 2, .help = "how many"},
    {"format", PARAM_CHOICE, AT(format), .fallback = 1, .choices = "round|swiss|cup", .help = "which"},
    {"orders", PARAM_CHOICES, AT(orders), .high = 2, .choices = "wins|losses|draws", .help = "ties"},
    {"share", PARAM_REAL, AT(share), 0, 1, 0.25, .help = "of one"},
    {"both_sides", PARAM_SWITCH, AT(both), .fallback = 1, .help = "from both sides"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no progress"},
    {"seed", PARAM_U64, AT(seed), .fallback = 1, .help = "of all"},
    {"title", PARAM_TEXT, AT(title), .high = 7, .choices = "none", .help = "a title"},
    {"points", PARAM_GROUP, AT(points), .rows = point_rows, .parse = parse_points, .help = "points"},
    {0},
};

static const struct param own_rows[] = {
    {"file", PARAM_STRING, AT(file), .value = "FILE", .help = "a file"},
    {"player", PARAM_PLAYER, AT(player), .choices = "uct", .help = "a player"},
    {"maps", PARAM_TEXTS, AT(maps), .high = 2, .help = "names"},
    {"anything", PARAM_JSON, AT(anything), .help = "any value"},
    {0},
};

struct fixture {
    struct options o;
    struct params sections[3];
};

static void start(struct fixture *f) {
    *f = (struct fixture){.sections = {{rows, &f->o, 0}, {own_rows, &f->o, 0}, {0}}};
    params_default(rows, &f->o);
    params_default(own_rows, &f->o);
}

/* Sets one option as a command line does. */
static bool option(struct fixture *f, const char *name, const char *value, struct err *e) {
    struct param_place place;
    return params_find_option(f->sections, name, strlen(name), &place) && params_set_option(&place, value, e);
}

static bool json(struct fixture *f, const char *text, struct err *e) {
    static json_t *root; /* borrowed values point into it */
    json_decref(root);
    root = text != NULL ? json_loads(text, 0, NULL) : NULL;
    return params_read_json(f->sections, root, e);
}

static void defaults_fill_every_kind(void **state) {
    (void)state;
    struct fixture f;
    start(&f);
    assert_int_equal(f.o.games, 2);
    assert_int_equal(f.o.format, 1);
    assert_int_equal(f.o.orders[0], 0);
    assert_true(f.o.both && !f.o.quiet);
    assert_int_equal(f.o.seed, 1);
    assert_string_equal(f.o.title, "none");
    assert_null(f.o.file);
    assert_string_equal(f.o.player, "uct");
    assert_true(f.o.maps == NULL && f.o.anything == NULL);
    assert_true(f.o.points.win > 0.99 && f.o.points.draw < 0.51);
}

static void options_are_read(void **state) {
    (void)state;
    struct fixture f;
    struct err e = {0};
    start(&f);
    assert_true(option(&f, "games", "7", &e));
    assert_true(option(&f, "format", "cup", &e));
    assert_true(option(&f, "orders", "draws,wins", &e));
    assert_true(option(&f, "both-sides", "no", &e));
    assert_true(option(&f, "quiet", NULL, &e));
    assert_true(option(&f, "seed", "18446744073709551615", &e));
    assert_true(option(&f, "title", "seven b", &e));
    assert_true(option(&f, "file", "a.json", &e));
    assert_true(option(&f, "player", "random", &e));
    assert_true(option(&f, "points", "3/1", &e));
    assert_true(option(&f, "draw-points", "2", &e));
    assert_int_equal(f.o.games, 7);
    assert_int_equal(f.o.format, 2);
    assert_int_equal(f.o.orders[0], 2);
    assert_int_equal(f.o.orders[1], 2);
    assert_int_equal(f.o.orders[2], 0);
    assert_true(!f.o.both && f.o.quiet);
    assert_true(f.o.seed == UINT64_MAX);
    assert_string_equal(f.o.title, "seven b");
    assert_string_equal(f.o.file, "a.json");
    assert_string_equal(f.o.player, "random");
    assert_true(f.o.points.win > 2.9 && f.o.points.draw > 1.9);
}

static void wrong_options_name_themselves(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"games", "0", "--games 0: expected a whole number from 1 to 100"},
        {"games", "x", "--games x: expected a whole number from 1 to 100"},
        {"share", "2", "--share 2: expected a number from 0 to 1"},
        {"seed", "-1", "--seed -1: expected a whole number from 0 to 18446744073709551615"},
        {"format", "roun", "--format roun: expected round, swiss or cup"},
        {"both-sides", "maybe", "--both-sides maybe: expected yes or no"},
        {"title", "too long", "--title too long: expected at most 7 bytes"},
        {"orders", "wins,wins",
         "--orders wins,wins: expected at most 2 different ones of wins, losses or draws"},
        {"points", "1", "--points 1: expected 1/0.5"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        struct err e = {0};
        start(&f);
        assert_false(option(&f, cases[i][0], cases[i][1], &e));
        assert_string_equal(e.text, cases[i][2]);
        assert_string_equal(e.field, cases[i][0]);
    }
}

static void only_names_of_options_are_found(void **state) {
    (void)state;
    struct fixture f;
    struct param_place place;
    static const char *const none[] = {"game", "gamess", "both_sides", "win", "draw", "maps", "anything", ""};
    start(&f);
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
        assert_false(params_find_option(f.sections, none[i], strlen(none[i]), &place));
    assert_true(params_find_option(f.sections, "games=3", 5, &place));
    assert_ptr_equal(place.row, &rows[0]);
}

static void given_rows_are_noted(void **state) {
    (void)state;
    struct fixture f;
    start(&f);
    assert_true(option(&f, "games", "2", NULL));
    assert_true(option(&f, "draw-points", "1", NULL));
    assert_true(json(&f, "{\"file\": \"a\", \"seed\": null}", NULL));
    assert_true(params_given(&f.sections[0], "games"));
    assert_true(params_given(&f.sections[0], "points"));
    assert_true(params_given(&f.sections[1], "file"));
    assert_false(params_given(&f.sections[0], "seed"));
    assert_false(params_given(&f.sections[0], "format"));
    assert_false(params_given(&f.sections[1], "player"));
}

static void members_are_read(void **state) {
    (void)state;
    struct fixture f;
    struct err e = {0};
    start(&f);
    assert_true(json(&f, NULL, &e));
    assert_true(
        json(&f,
             "{\"games\": 100, \"format\": \"round\", \"orders\": [\"losses\", \"wins\"], \"share\": 1,"
             " \"both_sides\": false, \"quiet\": true, \"seed\": \"18446744073709551615\","
             " \"title\": \"t\", \"file\": \"f\", \"player\": \"p\", \"maps\": [\"a\", \"b\"],"
             " \"anything\": {\"x\": 1}, \"points\": {\"draw\": 0}}",
             &e));
    assert_int_equal(f.o.games, 100);
    assert_int_equal(f.o.format, 0);
    assert_int_equal(f.o.orders[0], 2);
    assert_int_equal(f.o.orders[1], 1);
    assert_true(f.o.share > 0.9 && !f.o.both && f.o.quiet && f.o.seed == UINT64_MAX);
    assert_string_equal(f.o.title, "t");
    assert_string_equal(f.o.file, "f");
    assert_string_equal(f.o.player, "p");
    assert_int_equal(json_array_size(f.o.maps), 2);
    assert_true(json_is_object(f.o.anything));
    assert_true(f.o.points.draw < 0.1 && f.o.points.win > 0.9);
    assert_true(json(&f, "{\"draw-points\": 2}", &e)); /* the option of a row of the group */
    assert_true(f.o.points.draw > 1.9);
    assert_true(json(&f, "{\"points\": \"5/2\"}", &e));
    assert_true(f.o.points.win > 4.9);
    assert_true(json(&f, "{\"points\": \"\"}", &e));
    assert_true(f.o.points.win > 4.9);
}

static void wrong_members_name_themselves(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"{\"games\": 0}", "games", "\"games\": expected a whole number from 1 to 100"},
        {"{\"games\": 2.5}", "games", "\"games\": expected a whole number from 1 to 100"},
        {"{\"games\": \"2\"}", "games", "\"games\": expected a whole number from 1 to 100"},
        {"{\"games\": 9223372036854775807}", "games", "\"games\": expected a whole number from 1 to 100"},
        {"{\"share\": 1.1}", "share", "\"share\": expected a number from 0 to 1"},
        {"{\"both_sides\": 1}", "both_sides", "\"both_sides\": expected true or false"},
        {"{\"quiet\": \"yes\"}", "quiet", "\"quiet\": expected true or false"},
        {"{\"seed\": -1}", "seed",
         "\"seed\": expected a whole number from 0 to 18446744073709551615, or its digits as text"},
        {"{\"seed\": \" 1\"}", "seed",
         "\"seed\": expected a whole number from 0 to 18446744073709551615, or its digits as text"},
        {"{\"format\": \"x\"}", "format", "\"format\": expected round, swiss or cup"},
        {"{\"format\": 1}", "format", "\"format\": expected round, swiss or cup"},
        {"{\"orders\": [\"wins\", \"wins\"]}", "orders",
         "\"orders\": expected a list of at most 2 different ones of wins, losses or draws"},
        {"{\"orders\": \"wins\"}", "orders",
         "\"orders\": expected a list of at most 2 different ones of wins, losses or draws"},
        {"{\"title\": 1}", "title", "\"title\" is no text"},
        {"{\"title\": \"12345678\"}", "title", "\"title\": expected at most 7 bytes"},
        {"{\"title\": \"a\\nb\"}", "title",
         "\"title\": expected text without line ends and other control characters"},
        {"{\"file\": 1}", "file", "\"file\" is no text"},
        {"{\"maps\": []}", "maps", "\"maps\": expected a list of 1 to 2 texts"},
        {"{\"maps\": [\"a\", \"b\", \"c\"]}", "maps", "\"maps\": expected a list of 1 to 2 texts"},
        {"{\"maps\": [1]}", "maps", "\"maps\": expected a list of 1 to 2 texts"},
        {"{\"points\": 1}", "points", "\"points\": expected an object or a text"},
        {"{\"points\": \"x\"}", "points", "points x: expected 1/0.5"},
        {"{\"points\": {\"win\": 11}}", "points.win", "\"points.win\": expected a number from 0 to 10"},
        {"{\"points\": {\"loss\": 1}}", "points.loss",
         "\"points.loss\" is not known here; expected \"win\", \"draw\""},
        {"{\"rounds\": 1}", "rounds",
         "\"rounds\" is not known here; expected \"games\", \"format\", \"orders\", \"share\", "
         "\"both_sides\", \"quiet\", \"seed\", \"title\", \"points\", \"file\", \"player\", \"maps\", "
         "\"anything\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture f;
        struct err e = {0};
        start(&f);
        assert_false(json(&f, cases[i][0], &e));
        assert_string_equal(e.text, cases[i][2]);
        assert_string_equal(e.field, cases[i][1]);
        assert_false(json(&f, cases[i][0], NULL));
    }
}

static void json_survives_the_round_trip(void **state) {
    (void)state;
    struct fixture f, again;
    struct text t = {0}, second = {0};
    start(&f);
    start(&again);
    assert_true(option(&f, "title", "a \"b\"", NULL));
    assert_true(option(&f, "orders", "draws,wins", NULL));
    assert_true(option(&f, "share", "0.1", NULL));
    params_write_json(rows, &f.o, &t);
    assert_string_equal(text_string(&t),
                        "{\n  \"games\": 2,\n  \"format\": \"swiss\",\n  \"orders\": [\"draws\", \"wins\"],\n"
                        "  \"share\": 0.1,\n  \"both_sides\": true,\n  \"quiet\": false,\n  \"seed\": 1,\n"
                        "  \"title\": \"a \\\"b\\\"\",\n  \"points\": {\"win\": 1, \"draw\": 0.5}\n}\n");
    assert_true(json(&again, text_string(&t), NULL));
    params_write_json(rows, &again.o, &second);
    assert_string_equal(text_string(&t), text_string(&second));
    text_done(&t);
    text_done(&second);
}

static void changed_options_are_checked(void **state) {
    (void)state;
    struct fixture f;
    struct err e = {0};
    start(&f);
    assert_true(params_check_ranges(rows, &f.o, &e));
    f.o.games = 101;
    assert_false(params_check_ranges(rows, &f.o, &e));
    assert_string_equal(e.field, "games");
    f.o.games = 1;
    f.o.format = 3;
    assert_false(params_check_ranges(rows, &f.o, &e));
    assert_string_equal(e.text, "\"format\": expected round, swiss or cup");
    f.o.format = 0;
    f.o.orders[0] = 2;
    assert_false(params_check_ranges(rows, &f.o, &e)); /* the same twice */
    f.o.orders[1] = 2;
    assert_true(params_check_ranges(rows, &f.o, &e));
    f.o.points.win = -1;
    assert_false(params_check_ranges(rows, &f.o, &e));
    assert_string_equal(e.field, "points.win");
    f.o.points.win = 0;
    f.o.title[0] = '\n';
    assert_false(params_check_ranges(rows, &f.o, &e));
    assert_string_equal(e.field, "title");
}

static void rows_describe_themselves(void **state) {
    (void)state;
    json_t *list = params_describe(rows, NULL), *own = params_describe(own_rows, NULL);
    const json_t *games = json_array_get(list, 0), *format = json_array_get(list, 1);
    assert_int_equal(json_array_size(list), 9);
    assert_string_equal(json_string_value(json_object_get(games, "kind")), "int");
    assert_string_equal(json_string_value(json_object_get(games, "default")), "2");
    assert_true(json_number_value(json_object_get(games, "high")) > 99.5);
    assert_int_equal(json_array_size(json_object_get(format, "choices")), 3);
    assert_string_equal(json_string_value(json_object_get(format, "default")), "swiss");
    assert_int_equal(json_array_size(json_object_get(json_array_get(list, 8), "rows")), 2);
    assert_string_equal(json_string_value(json_object_get(json_array_get(own, 1), "kind")), "player");
    assert_string_equal(json_string_value(json_object_get(json_array_get(own, 1), "default")), "uct");
    json_decref(list);
    json_decref(own);
}

static void errors_carry_a_field(void **state) {
    (void)state;
    struct err e = {0};
    assert_false(err_set(&e, "there is no map '%s'", "x"));
    assert_false(err_field(&e, "map"));
    assert_false(err_field(&e, "from"));
    assert_string_equal(e.field, "from");
    assert_false(err_prefix(&e, "1: "));
    assert_string_equal(e.text, "1: there is no map 'x'");
    assert_false(err_set(&e, "again"));
    assert_string_equal(e.field, "");
    assert_false(err_field(&e, "rules"));
    assert_string_equal(e.field, "rules");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_fill_every_kind),      cmocka_unit_test(options_are_read),
        cmocka_unit_test(wrong_options_name_themselves), cmocka_unit_test(only_names_of_options_are_found),
        cmocka_unit_test(given_rows_are_noted),          cmocka_unit_test(members_are_read),
        cmocka_unit_test(wrong_members_name_themselves), cmocka_unit_test(json_survives_the_round_trip),
        cmocka_unit_test(changed_options_are_checked),   cmocka_unit_test(rows_describe_themselves),
        cmocka_unit_test(errors_carry_a_field),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
