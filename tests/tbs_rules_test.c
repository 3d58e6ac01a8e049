/* SPDX-License-Identifier: MIT
 *
 * The rules, from the rule text alone: fights worked out by hand, and the position pictures of tests/rules.
 */
#include "base/file.h"
#include "game/tbs/core.h"
#include "sample.h"
#include "tbs_picture.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum {
    CASES_AT_LEAST = 80,
    PICTURE_SIZE_MAX = 1 << 20,
    FILES_MAX = 100,
    NAME_LIMIT = 600,
    PATH_LIMIT = 1000
};

/* ---- fights by hand ---- */

/* damage = (power * attacker HP + 70) / (100 + defender stars * defender HP), then the counter with the
 * defender's HP left, the attacker's stars and its undamaged HP. */
static const struct {
    struct tbs_fighter attacker, defender; /* type, HP, stars */
    int damage, counter;
} fights[] = {
    /* F on F: (55*10+70)/100 = 6; back (55*4+70)/100 = 2 */
    {{TBS_FIGHTER, 10, 0}, {TBS_FIGHTER, 10, 0}, 6, 2},
    /* F on A: (65*3+70)/100 = 2; the attacker has no power over a fighter */
    {{TBS_FIGHTER, 3, 0}, {TBS_ATTACKER, 10, 0}, 2, 0},
    /* F on P: no power: (0+70)/110 = 0; nor has the panzer */
    {{TBS_FIGHTER, 10, 0}, {TBS_PANZER, 10, 1}, 0, 0},
    /* F on R: 0; back (70*10+70)/100 = 7 */
    {{TBS_FIGHTER, 10, 0}, {TBS_ANTIAIR, 10, 4}, 0, 7},
    /* F with 5 HP on R: the counter of 7 is cut to 5 */
    {{TBS_FIGHTER, 5, 0}, {TBS_ANTIAIR, 10, 4}, 0, 5},
    /* A on P: (105*10+70)/(100+10) = 1120/110 = 10 */
    {{TBS_ATTACKER, 10, 0}, {TBS_PANZER, 10, 1}, 10, 0},
    /* A on P in a wood: 1120/130 = 8; the panzer has no power over aircraft */
    {{TBS_ATTACKER, 10, 0}, {TBS_PANZER, 10, 3}, 8, 0},
    /* A on R on a fortress: (85*10+70)/140 = 920/140 = 6; back (70*4+70)/100 = 350/100 = 3 */
    {{TBS_ATTACKER, 10, 0}, {TBS_ANTIAIR, 10, 4}, 6, 3},
    /* A on U: (105*5+70)/110 = 595/110 = 5; cannons never answer */
    {{TBS_ATTACKER, 5, 0}, {TBS_CANNON, 10, 1}, 5, 0},
    /* P on P: 620/110 = 5; back (55*5+70)/110 = 345/110 = 3 */
    {{TBS_PANZER, 10, 1}, {TBS_PANZER, 10, 1}, 5, 3},
    /* P on R: (75*10+70)/110 = 820/110 = 7; back (15*3+70)/110 = 115/110 = 1 */
    {{TBS_PANZER, 10, 1}, {TBS_ANTIAIR, 10, 1}, 7, 1},
    /* P on R, the panzer in a wood: back 115/130 = 0 */
    {{TBS_PANZER, 10, 3}, {TBS_ANTIAIR, 10, 1}, 7, 0},
    /* P on I with 1 HP: 820/101 = 8, cut to 1, and no defender is left to answer */
    {{TBS_PANZER, 10, 1}, {TBS_INFANTRY, 1, 1}, 1, 0},
    /* U on I: (90*10+70)/110 = 970/110 = 8, never answered */
    {{TBS_CANNON, 10, 1}, {TBS_INFANTRY, 10, 1}, 8, 0},
    /* U on I on a mountain: 970/140 = 6 */
    {{TBS_CANNON, 10, 1}, {TBS_INFANTRY, 10, 4}, 6, 0},
    /* U on U: (75*10+70)/110 = 820/110 = 7 */
    {{TBS_CANNON, 10, 1}, {TBS_CANNON, 10, 1}, 7, 0},
    /* R on F: (70*10+70)/100 = 7; back: no power */
    {{TBS_ANTIAIR, 10, 1}, {TBS_FIGHTER, 10, 0}, 7, 0},
    /* R on P: (15*10+70)/110 = 220/110 = 2; back (75*8+70)/110 = 670/110 = 6 */
    {{TBS_ANTIAIR, 10, 1}, {TBS_PANZER, 10, 1}, 2, 6},
    /* R on R: (45*10+70)/110 = 520/110 = 4; back (45*6+70)/110 = 340/110 = 3 */
    {{TBS_ANTIAIR, 10, 1}, {TBS_ANTIAIR, 10, 1}, 4, 3},
    /* R on I: (105*10+70)/110 = 1120/110 = 10 */
    {{TBS_ANTIAIR, 10, 1}, {TBS_INFANTRY, 10, 1}, 10, 0},
    /* R with 9 HP on I: (945+70)/110 = 1015/110 = 9; back (3*1+70)/109 = 0 */
    {{TBS_ANTIAIR, 9, 1}, {TBS_INFANTRY, 10, 1}, 9, 0},
    /* I on I: (55*10+70)/110 = 5; back (55*5+70)/110 = 3 */
    {{TBS_INFANTRY, 10, 1}, {TBS_INFANTRY, 10, 1}, 5, 3},
    /* I on P: (5*10+70)/110 = 120/110 = 1; back (75*9+70)/110 = 745/110 = 6 */
    {{TBS_INFANTRY, 10, 1}, {TBS_PANZER, 10, 1}, 1, 6},
    /* I on P, the infantry on a mountain: back 745/140 = 5 */
    {{TBS_INFANTRY, 10, 4}, {TBS_PANZER, 10, 1}, 1, 5},
    /* I on R: (3*10+70)/110 = 0 on plain, 100/100 = 1 on a road */
    {{TBS_INFANTRY, 10, 1}, {TBS_ANTIAIR, 10, 1}, 0, 10},
    {{TBS_INFANTRY, 10, 1}, {TBS_ANTIAIR, 10, 0}, 1, 9},
    /* I on U: (10*10+70)/110 = 170/110 = 1, never answered */
    {{TBS_INFANTRY, 10, 1}, {TBS_CANNON, 10, 1}, 1, 0},
    /* more than 10 HP: P with 99 on P with 99 in a wood: (55*99+70)/(100+297) = 5515/397 = 13; back
     * (55*86+70)/(100+99) = 4800/199 = 24 */
    {{TBS_PANZER, 99, 1}, {TBS_PANZER, 99, 3}, 13, 24},
};

static struct scenario *any_scenario(const struct tbs_rules *rules) {
    struct tbs_map map = {.width = 4, .height = 3, .turn_limit = 1, .unit_count = 2};
    map.terrain[1][1] = map.terrain[2][1] = TBS_PLAIN;
    map.units[0] = (struct tbs_map_unit){.x = 1, .y = 1, .type = TBS_PANZER, .side = TBS_RED, .hp = 10};
    map.units[1] = (struct tbs_map_unit){.x = 2, .y = 1, .type = TBS_PANZER, .side = TBS_BLUE, .hp = 10};
    struct scenario *sc = tbs_scenario_make(&map, rules, TBS_PATH_AUTO, NULL);
    assert_non_null(sc);
    return sc;
}

static void fights_by_hand(void **state) {
    (void)state;
    struct scenario *sc = any_scenario(&tbs_rule_sets[0]);
    for (size_t i = 0; i < sizeof fights / sizeof fights[0]; i++) {
        const struct tbs_exchange plain =
            tbs_fight(&tbs_rule_sets[0], fights[i].attacker, fights[i].defender);
        const struct tbs_exchange fast =
            core_fight((const struct tbs_scenario *)sc, fights[i].attacker, fights[i].defender);
        if (plain.damage != fights[i].damage || plain.counter != fights[i].counter)
            fail_msg("fight %zu: %d/%d; by hand %d/%d", i, plain.damage, plain.counter, fights[i].damage,
                     fights[i].counter);
        assert_memory_equal(&plain, &fast, sizeof plain);
    }
    game_unload(sc);
}

/* Every fight there can be, HP up to the limit: the table against the formula. */
static void fast_fights_equal_the_formula(void **state) {
    (void)state;
    for (const struct tbs_rules *rules = tbs_rule_sets; rules->name != NULL; rules++) {
        struct scenario *sc = any_scenario(rules);
        const struct tbs_scenario *tables = (const struct tbs_scenario *)sc;
        struct tbs_fighter a, d;
        int different = 0;
        for (a.type = 0; a.type < TBS_TYPES; a.type++)
            for (d.type = 0; d.type < TBS_TYPES; d.type++)
                for (a.hp = 1; a.hp <= TBS_HP_MAX; a.hp++)
                    for (d.hp = 1; d.hp <= TBS_HP_MAX; d.hp++)
                        for (int stars = 0; stars < 25; stars += SAMPLE(1, 6)) {
                            a.stars = stars / 5;
                            d.stars = stars % 5;
                            const struct tbs_exchange x = tbs_fight(rules, a, d),
                                                      y = core_fight(tables, a, d);
                            different += x.damage != y.damage || x.counter != y.counter;
                        }
        assert_int_equal(different, 0);
        game_unload(sc);
    }
}

static void rule_sets_differ_in_two_things(void **state) {
    (void)state;
    const struct tbs_rules *tubstap = &tbs_rule_sets[0], *paper = &tbs_rule_sets[1];
    assert_string_equal(tubstap->name, "tubstap");
    assert_string_equal(paper->name, "paper");
    for (int a = 0; a < TBS_TYPES; a++)
        for (int d = 0; d < TBS_TYPES; d++)
            assert_int_equal(paper->power[a][d] - tubstap->power[a][d],
                             a == TBS_ANTIAIR && d == TBS_INFANTRY ? 10 : 0);
    assert_int_equal(tubstap->power[TBS_ANTIAIR][TBS_INFANTRY], 105);
    assert_false(tubstap->equal_lead_wins);
    assert_true(paper->equal_lead_wins);
}

/* ---- pictures ---- */

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The names of all .t files of a folder, sorted; the caller frees them. */
static int list_pictures(const char *folder, char *names[FILES_MAX]) {
    DIR *dir = opendir(folder);
    if (dir == NULL)
        fail_msg("%s cannot be opened", folder);
    int count = 0;
    for (const struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        const size_t length = strlen(entry->d_name);
        if (length < 3 || strcmp(entry->d_name + length - 2, ".t") != 0)
            continue;
        assert_true(count < FILES_MAX);
        names[count++] = strdup(entry->d_name);
    }
    closedir(dir);
    qsort(names, (size_t)count, sizeof names[0], by_name);
    return count;
}

static void rules_folder(char out[NAME_LIMIT]) {
    const char *root = getenv("SENJUTSU_ROOT");
    snprintf(out, NAME_LIMIT, "%s/tests/rules", root != NULL ? root : ".");
}

static void read_whole(const char *folder, const char *name, struct text *out) {
    char path[PATH_LIMIT];
    struct err e;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!file_read(path, PICTURE_SIZE_MAX, out, &e))
        fail_msg("%s", e.text);
}

static void run_file(const char *folder, const char *name, struct picture_report *report) {
    char path[PATH_LIMIT];
    struct text text = {0};
    read_whole(folder, name, &text);
    snprintf(path, sizeof path, "tests/rules/%s", name);
    picture_run(path, text.data, report);
    text_done(&text);
}

static void every_picture_holds(void **state) {
    (void)state;
    char folder[NAME_LIMIT], *names[FILES_MAX];
    rules_folder(folder);
    struct picture_report report = {0};
    const int count = list_pictures(folder, names);
    for (int i = 0; i < count; i++) {
        run_file(folder, names[i], &report);
        free(names[i]);
    }
    const bool ok = report.failed == 0 && report.cases >= CASES_AT_LEAST;
    if (!ok)
        print_error("%s%d of %d cases failed; at least %d cases are expected\n", text_string(&report.text),
                    report.failed, report.cases, CASES_AT_LEAST);
    text_done(&report.text);
    assert_true(ok);
}

/* The indented block of README.md is a case like any other. */
static void the_example_in_the_readme_holds(void **state) {
    (void)state;
    char folder[NAME_LIMIT];
    struct text readme = {0}, example = {0};
    rules_folder(folder);
    read_whole(folder, "README.md", &readme);
    for (const char *line = readme.data; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "    ", 4) == 0)
            text_add(&example, "%.*s\n", (int)length - 4, line + 4);
        line += length + (line[length] == '\n');
    }
    struct picture_report report = {0};
    picture_run("README.md", example.data, &report);
    assert_string_equal(text_string(&report.text), "");
    assert_int_equal(report.cases, 1);
    text_done(&readme);
    text_done(&example);
}

/* ---- the reader of pictures ---- */

/* Each of these is wrong; the report must contain these words. */
static const struct {
    const char *text, *words;
} wrong_pictures[] = {
    {"map\n  .P .p\n", "before the first case"},
    {"case x\n", "checks nothing"},
    {"case x\nmap\n  .P .p\n", "checks nothing"},
    {"case x\nturn 0\n", "the map must come first"},
    {"case x\nmap\n  .P .p\nlimit 3\n", "comes too late"},
    {"case x\nmap\nturn 0\n", "a drawing of indented rows is expected"},
    {"case x\nmap\n  .P .\n  .p\n", "the row has 1 cells, the first one 2"},
    {"case x\nmap\n  ?P .p\n", "does not begin with a terrain mark"},
    {"case x\nmap\n  .Z .p\n", "'.Z' is no cell"},
    {"case x\nmap\n  .P100 .p\n", "'.P100' is no cell"},
    {"case x\nmap\n  .P/1 .p/1\n", "unit 1 is drawn twice"},
    {"case x\nmap\n  .P/2 .p\n", "there is no unit 1"},
    {"case x\nmap\n  .P .p\n\n  .P .p\nturn 0\n", "a drawing is not expected here"},
    {"case x\nmap\n  .P .p\nfly 0\n", "'fly' is no statement"},
    {"case x\nrules chess\nmap\n  .P .p\nturn 0\n", "no rules 'chess'"},
    {"case x\nmap\n  .P .p\nturn 1\n", "small path: the turn is 0"},
    {"case x\nmap\n  .P .p\nmover blue\n", "expected 'blue', got 'red'"},
    {"case x\nmap\n  .P .p\nresult red limit\n", "expected 'red limit', got 'none'"},
    {"case x\nmap\n  .P .p\nlist 0:1,1\n", "expected '0:1,1', got '0:1,1x1 0:1,1'"},
    {"case x\nmap\n  .P .p\nattacks 0\n", "expected '', got '0:1,1x1'"},
    {"case x\nmap\n  .P .p\nattacks 9\n", "does not begin with a unit's number"},
    {"case x\nmap\n  .P .p\nunlisted 0:1,1\n", "0:1,1 is listed"},
    {"case x\nmap\n  .P .p\nrefuse 0:1,1\n", "0:1,1 was accepted"},
    {"case x\nmap\n  .P .p\nrefuse 0:2,1: already acted\n", "refused for another reason"},
    {"case x\nmap\n  .P .p\ndo 0:2,1\nturn 0\n", "'0:2,1' is illegal"},
    {"case x\nmap\n  .P .p\nfight 0:1,1x1 5 4\n", "damage 5 and counter 3; expected 5 and 4"},
    {"case x\nmap\n  .P . .p\nreach 0\n  + - -\n", "unit 0 can end at 2,1"},
    {"case x\nmap\n  .P . .p\nreach 0\n  + + +\n", "unit 0 cannot end at 3,1"},
    {"case x\nmap\n  .P . .p\nreach 0\n  + +\n", "another size"},
    {"case x\nmap\n  .P . .p\nexpect\n  . .P .p\n", "is unit 0 (red panzer, HP 10, ready); expected '.'"},
    {"case x\nmap\n  .P . .p\nexpect\n  .P .P .p\n", "there is no unit at 2,1"},
    {"case x\nmap\n  .P . .p\nexpect\n  .P9 . .p\n", "expected '.P9'"},
    {"case x\nmap\n  .P . .p\nexpect\n  .P! . .p\n", "expected '.P!'"},
    {"case x\nmap\n  .P . .p\nexpect\n  .P/1 . .p\n", "expected '.P/1'"},
    {"case x\nmap\n  .P . .p\nexpect\n  .P * .p\n", "drawn differently in the map"},
};

static void wrong_pictures_are_reported(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong_pictures / sizeof wrong_pictures[0]; i++) {
        struct picture_report report = {0};
        char *copy = strdup(wrong_pictures[i].text);
        picture_run("x.t", copy, &report);
        if (report.failed != 1 || strstr(text_string(&report.text), wrong_pictures[i].words) == NULL)
            fail_msg("picture %zu: %d failed, '%s'; expected '%s'", i, report.failed,
                     text_string(&report.text), wrong_pictures[i].words);
        free(copy);
        text_done(&report.text);
    }
}

static void a_failed_case_does_not_hide_the_next(void **state) {
    (void)state;
    char text[] = "case first\nmap\n  .P .p\nturn 9\nturn 8\n# a remark\ncase second\nmap\n  .P .p\nturn 7\n";
    struct picture_report report = {0};
    picture_run("x.t", text, &report);
    assert_int_equal(report.cases, 2);
    assert_int_equal(report.failed, 2);
    assert_string_equal(text_string(&report.text), "x.t:4: case 'first': small path: the turn is 0\n"
                                                   "x.t:10: case 'second': small path: the turn is 0\n");
    text_done(&report.text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fights_by_hand),
        cmocka_unit_test(fast_fights_equal_the_formula),
        cmocka_unit_test(rule_sets_differ_in_two_things),
        cmocka_unit_test(every_picture_holds),
        cmocka_unit_test(the_example_in_the_readme_holds),
        cmocka_unit_test(wrong_pictures_are_reported),
        cmocka_unit_test(a_failed_case_does_not_hide_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
