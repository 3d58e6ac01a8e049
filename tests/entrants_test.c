/* SPDX-License-Identifier: MIT
 *
 * Lists of players as people write them, and files of entries.
 */
#include "tournament/tournament.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { LIST_MAX = 4 };

static void check_list(const char *list, int count, const char *const *specs) {
    struct tournament tournament = {0};
    struct err e = {{0}};
    if (!entrants_parse(list, &tournament, &e))
        fail_msg("%s: %s", list, e.text);
    assert_int_equal(tournament.player_count, count);
    for (int i = 0; i < count; i++) {
        assert_string_equal(tournament.players[i].spec, specs[i]);
        assert_string_equal(tournament.players[i].name, specs[i]);
        assert_string_equal(tournament.players[i].author, "");
    }
    tournament_done(&tournament);
}

static void commas_separate_players_or_their_options(void **state) {
    (void)state;
    static const struct {
        const char *list;
        int count;
        const char *specs[LIST_MAX];
    } cases[] = {
        {"random", 1, {"random"}},
        {"uct:sims=60,acteval", 2, {"uct:sims=60", "acteval"}},
        {"uct:sims=60,c=0.5,random", 2, {"uct:sims=60,c=0.5", "random"}},
        {"uct:sims=60, c=0.5 , random", 2, {"uct:sims=60,c=0.5", "random"}},
        {"dlmc:turns=50; sims=20, random", 2, {"dlmc:turns=50,sims=20", "random"}},
        {"dlmc:turns=50;sims=20,random", 2, {"dlmc:turns=50,sims=20", "random"}},
        {"dlmc:turns=50,sims=20,uct:sims=9", 2, {"dlmc:turns=50,sims=20", "uct:sims=9"}},
        {"\"dlmc:turns=50,sims=20\",random", 2, {"dlmc:turns=50,sims=20", "random"}},
        {"random,\"uct:sims=60,c=0.5\"", 2, {"random", "uct:sims=60,c=0.5"}},
        {"ext:cmd=[./bot a,b],random", 2, {"ext:cmd=[./bot a,b]", "random"}},
        {"ext:cmd=[./bot a;b],random", 2, {"ext:cmd=[./bot a;b]", "random"}}, /* the shell's, not ours */
        {"ext:cmd=./bot,acteval,random", 3, {"ext:cmd=./bot", "acteval", "random"}},
        {"minmax:values=A:100;F:1;depth=2,random", 2, {"minmax:values=A:100,F:1,depth=2", "random"}},
        {"first:player=[dlmc:turns=50,sims=20],then=acteval,random",
         2,
         {"first:player=[dlmc:turns=50,sims=20],then=acteval", "random"}},
        {" random , acteval ", 2, {"random", "acteval"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_list(cases[i].list, cases[i].count, cases[i].specs);
}

static void the_same_player_again_gets_a_number(void **state) {
    (void)state;
    struct tournament tournament = {0};
    struct err e;
    assert_true(entrants_parse("random,acteval,random,random,acteval", &tournament, &e));
    static const char *const names[] = {"random", "acteval", "random (2)", "random (3)", "acteval (2)"};
    for (int i = 0; i < 5; i++)
        assert_string_equal(tournament.players[i].name, names[i]);
    assert_string_equal(tournament.players[3].spec, "random");
    /* a list after a list goes on */
    assert_true(entrants_parse("random", &tournament, &e));
    assert_int_equal(tournament.player_count, 6);
    assert_string_equal(tournament.players[5].name, "random (4)");
    tournament_done(&tournament);
}

/* Long specs are named by their beginnings, still each by its own. */
static void long_names_are_cut_and_distinct(void **state) {
    (void)state;
    char list[2000], value[300];
    struct tournament tournament = {0};
    struct err e = {{0}};
    memset(value, 'x', 250);
    value[250] = '\0';
    snprintf(list, sizeof list, "ext:cmd=[%s1],ext:cmd=[%s2]", value, value);
    if (!entrants_parse(list, &tournament, &e))
        fail_msg("%s", e.text);
    assert_int_equal(tournament.player_count, 2);
    assert_string_not_equal(tournament.players[0].spec, tournament.players[1].spec);
    assert_string_not_equal(tournament.players[0].name, tournament.players[1].name);
    assert_true(strlen(tournament.players[1].name) < TOURNAMENT_NAME_MAX);
    tournament_done(&tournament);
}

static void check_refused(const char *list, const char *expected) {
    struct tournament tournament = {0};
    struct err e = {{0}};
    assert_false(entrants_parse(list, &tournament, &e));
    if (strstr(e.text, expected) == NULL)
        fail_msg("'%s' says '%s', expected '%s'", list, e.text, expected);
    tournament_done(&tournament);
}

static void wrong_lists_are_refused(void **state) {
    (void)state;
    check_refused("", "the list of players has an empty place in it");
    check_refused("random,", "empty place");
    check_refused("random,,acteval", "empty place");
    check_refused(",random", "empty place");
    check_refused("random,nobody", "player 'nobody' is unknown");
    check_refused("uct:sims=0", "sims");
    check_refused("uct:sims=60,colour=red", "colour");
    check_refused("ext:cmd=[./bot,random", "a bracket or quote in it has no partner");
    check_refused("random],acteval", "a bracket or quote in it has no partner");
    check_refused("\"random,acteval", "a bracket or quote in it has no partner");
    check_refused("random\nacteval", "control characters");
    check_refused("ext:cmd=a\x7f", "control characters");
    check_refused("ext:cmd=a\x1f", "control characters");
    check_refused("random,=3", "'=3' is no name");
    check_refused("random,dry-run_2=b", "dry-run_2");
    check_refused("ext:cmd=\xff\xfe", "UTF-8");
    char list[2000] = "random:";
    memset(list + 7, 'x', 1000);
    check_refused(list, "is too long");
}

/* As long as may be, and one byte more. */
static void lengths_have_limits(void **state) {
    (void)state;
    static const char copied[] = " is too long, or a bracket", kept[] = "its spec or its author is too long";
    char spec[RECORD_NAME_MAX + 1], author[TOURNAMENT_NAME_MAX + 1],
        text[RECORD_NAME_MAX + TOURNAMENT_NAME_MAX + 100];
    struct tournament tournament = {0};
    struct err e = {{0}};
    memset(spec, 'x', sizeof spec);
    memset(author, 'a', sizeof author);
    for (int more = 0; more < 2; more++) { /* there is no such player, but that error comes later */
        spec[RECORD_NAME_MAX - 1 + more] = '\0';
        assert_false(entrants_parse(spec, &tournament, &e));
        assert_int_equal(strstr(e.text, copied) != NULL, more == 1);
        snprintf(text, sizeof text, "[{\"spec\": \"%s\"}]", spec);
        assert_false(entrants_read("file", text, strlen(text), &tournament, &e));
        assert_int_equal(strstr(e.text, kept) != NULL, more == 1);
        spec[RECORD_NAME_MAX - 1 + more] = 'x';
    }
    for (int more = 0; more < 2; more++) {
        author[TOURNAMENT_NAME_MAX - 1 + more] = e.text[0] = '\0';
        snprintf(text, sizeof text, "[{\"spec\": \"random\", \"name\": \"%s\", \"author\": \"%s\"}]", author,
                 author);
        assert_int_equal(entrants_read("file", text, strlen(text), &tournament, &e), more == 0);
        assert_int_equal(strstr(e.text, kept) != NULL, more == 1);
        if (more == 0)
            assert_string_equal(tournament.players[0].author, author);
        author[TOURNAMENT_NAME_MAX - 1 + more] = 'a';
    }
    assert_int_equal(strlen(tournament.players[0].name),
                     TOURNAMENT_NAME_MAX - 17); /* with room for a number */
    tournament_done(&tournament);
}

static void there_are_only_so_many(void **state) {
    (void)state;
    struct text list = {0};
    struct tournament tournament = {0};
    struct err e = {{0}};
    for (int i = 0; i < TOURNAMENT_PLAYERS_MAX; i++)
        text_add(&list, "%srandom", i > 0 ? "," : "");
    assert_true(entrants_parse(text_string(&list), &tournament, &e));
    assert_int_equal(tournament.player_count, TOURNAMENT_PLAYERS_MAX);
    assert_string_equal(tournament.players[TOURNAMENT_PLAYERS_MAX - 1].name, "random (256)");
    assert_false(entrants_parse("random", &tournament, &e));
    assert_string_equal(e.text, "more than 256 players");
    tournament_done(&tournament);
    text_done(&list);
}

/* ---- files ---- */

static void files_name_players_and_authors(void **state) {
    (void)state;
    static const char text[] =
        "[{\"spec\": \"uct:sims=60\", \"name\": \"太郎's bot\", \"author\": \"Taro\"},\n"
        " {\"spec\": \"random\", \"author\": \"\"}, {\"spec\": \"random\"}]";
    struct tournament tournament = {0};
    struct err e = {{0}};
    if (!entrants_read("file", text, sizeof text - 1, &tournament, &e))
        fail_msg("%s", e.text);
    assert_int_equal(tournament.player_count, 3);
    assert_string_equal(tournament.players[0].name, "太郎's bot");
    assert_string_equal(tournament.players[0].spec, "uct:sims=60");
    assert_string_equal(tournament.players[0].author, "Taro");
    assert_string_equal(tournament.players[1].name, "random");
    assert_string_equal(tournament.players[1].author, "");
    assert_string_equal(tournament.players[2].name, "random (2)");
    tournament_done(&tournament);
}

static void wrong_files_are_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"[{\"spec\": \"random\",]", "file:1: "},
        {"{}", "file: expected a list of players"},
        {"[]", "file: expected a list of players"},
        {"[\"random\"]", "file: entry 1 is no object with a \"spec\""},
        {"[{\"name\": \"x\"}]", "file: entry 1 has no \"spec\""},
        {"[{\"spec\": \"random\"}, {\"spec\": \"nobody\"}]", "file: entry 2: player 'nobody' is unknown"},
        {"[{\"spec\": 3}]", "file: entry 1: \"spec\" is no text"},
        {"[{\"spec\": \"\"}]", "file: entry 1: \"spec\" is empty"},
        {"[{\"spec\": \"random\", \"name\": \"\"}]", "file: entry 1: \"name\" is empty"},
        {"[{\"spec\": \"random\", \"nmae\": \"x\"}]", "file: entry 1: \"nmae\" is no field"},
        {"[{\"spec\": \"random\", \"spec\": \"random\"}]", "file:1: duplicate object key"},
        {"[{\"spec\": \"random\", \"name\": \"x\"}, {\"spec\": \"acteval\", \"name\": \"x\"}]",
         "file: entry 2: the name \"x\" is there already"},
        {"[{\"spec\": \"random\", \"name\": \"x\\n1. me: 9 points\"}]", "file: entry 1: player 'random'"},
        {"[{\"spec\": \"random\", \"author\": \"\\u0007\"}]", "control characters"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tournament tournament = {0};
        struct err e = {{0}};
        assert_false(entrants_read("file", cases[i][0], strlen(cases[i][0]), &tournament, &e));
        if (strstr(e.text, cases[i][1]) == NULL)
            fail_msg("%s says '%s', expected '%s'", cases[i][0], e.text, cases[i][1]);
        tournament_done(&tournament);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commas_separate_players_or_their_options),
        cmocka_unit_test(the_same_player_again_gets_a_number),
        cmocka_unit_test(long_names_are_cut_and_distinct),
        cmocka_unit_test(wrong_lists_are_refused),
        cmocka_unit_test(lengths_have_limits),
        cmocka_unit_test(there_are_only_so_many),
        cmocka_unit_test(files_name_players_and_authors),
        cmocka_unit_test(wrong_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
