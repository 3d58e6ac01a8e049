/* SPDX-License-Identifier: MIT
 *
 * Tournaments as the commands make them: rules that are changed by options, maps and games that are added,
 * and how many there may be.
 */
#include "own_maps.h"
#include "tournament/tournament.h"

#include "base/mem.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* ---- rules ---- */

/* Sets one option of the rules as a command line does. */
static bool option(struct tournament_rules *rules, const char *name, const char *value, struct err *e) {
    struct params sections[] = {{.table = tournament_params, .options = rules}, {0}};
    struct param_place place;
    assert_true(params_find_option(sections, name, strlen(name), &place));
    return params_set_option(&place, value, e);
}

static void options_change_rules(void **state) {
    (void)state;
    struct tournament_rules rules;
    struct err e = {{0}};
    static const char *const options[][2] = {
        {"format", "gauntlet"},
        {"points", "3, 1,-0.5"},
        {"title", "Cup"},
        {"game", "kuhn:cards=4"},
        {"rules", "paper"},
        {"clock", "game=60,byoyomi=5"},
        {"games", "4"},
        {"rounds", "5"},
        {"challengers", "3"},
        {"final", "6"},
        {"maps-per-pairing", "7"},
        {"disqualify-after", "8"},
        {"not-own-maps", NULL},
        {"tie-breaks", "wins,faults"},
        {"both-sides", "yes"},
    };
    tournament_rules_default(&rules);
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (!option(&rules, options[i][0], options[i][1], &e))
            fail_msg("%s", e.text);
    assert_int_equal(rules.format, TOURNAMENT_GAUNTLET);
    assert_int_equal((int)(2 * rules.win), 6);
    assert_int_equal((int)(2 * rules.draw), 2);
    assert_int_equal((int)(2 * rules.loss), -1);
    assert_string_equal(rules.title, "Cup");
    assert_string_equal(rules.game, "kuhn:cards=4");
    assert_string_equal(rules.rule_set, "paper");
    assert_int_equal((int)rules.timing.game_s, 60);
    assert_int_equal((int)rules.timing.byoyomi_s, 5);
    const int numbers[] = {rules.games,         rules.rounds,           rules.challengers,
                           rules.final_players, rules.maps_per_pairing, rules.disqualify_after};
    static const int expected[] = {4, 5, 3, 6, 7, 8};
    assert_memory_equal(numbers, expected, sizeof numbers);
    assert_true(rules.not_own_maps && rules.both_sides);
    assert_int_equal(rules.tie_break_count, 2);
    assert_int_equal(rules.tie_breaks[0], TOURNAMENT_TIE_WINS);
    assert_int_equal(rules.tie_breaks[1], TOURNAMENT_TIE_FAULTS);
}

static void wrong_options_are_named(void **state) {
    (void)state;
    char title[TOURNAMENT_TITLE_MAX + 1], game[TOURNAMENT_GAME_MAX + 1], points[80];
    memset(title, 't', sizeof title);
    memset(game, 'g', sizeof game);
    memset(points, '0', sizeof points);
    memcpy(points, "1,0,", 4);
    title[TOURNAMENT_TITLE_MAX] = game[TOURNAMENT_GAME_MAX] = points[64] = '\0';
    const struct {
        const char *name, *value, *sentence; /* the sentence's end */
    } cases[] = {
        {"format", "league", "--format league: expected round-robin, gauntlet, swiss or knock-out"},
        {"points", "1,0", "--points 1,0: expected points for a win, a draw and a loss: 1,0.5,0"},
        {"points", "1,0,0,0", "--points 1,0,0,0: expected points for a win, a draw and a loss: 1,0.5,0"},
        {"points", "1,0,x", "--points 1,0,x: expected points for a win, a draw and a loss: 1,0.5,0"},
        {"points", points, "000: expected points for a win, a draw and a loss: 1,0.5,0"},
        {"title", title, "t: expected at most 127 bytes"},
        {"game", game, "g: expected at most 255 bytes"},
        {"clock", "increment=3", "--clock: increment and byoyomi need game=SECONDS"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tournament_rules rules;
        struct err e = {{0}};
        tournament_rules_default(&rules);
        assert_false(option(&rules, cases[i].name, cases[i].value, &e));
        assert_string_equal(e.field, cases[i].name);
        assert_true(strlen(e.text) >= strlen(cases[i].sentence));
        assert_string_equal(e.text + strlen(e.text) - strlen(cases[i].sentence), cases[i].sentence);
    }
    struct tournament_rules rules;
    struct err e = {{0}};
    tournament_rules_default(&rules);
    title[TOURNAMENT_TITLE_MAX - 1] = game[TOURNAMENT_GAME_MAX - 1] = points[63] =
        '\0'; /* as long as may be */
    assert_true(option(&rules, "title", title, &e));
    assert_true(option(&rules, "game", game, &e));
    assert_true(option(&rules, "points", points, &e));
    assert_string_equal(rules.title, title);
    assert_string_equal(rules.game, game);
}

/* ---- maps and games ---- */

static void own_text(const char *name, struct text *out) {
    struct scenario *scenario = own_map(name);
    scenario->game->text->write_map(scenario, out);
    game_unload(scenario);
}

static void games_are_loaded_by_the_rules(void **state) {
    (void)state;
    struct text map = {0};
    own_text("duel", &map);
    const struct game_source source = {"duel.tbsmap", text_string(&map), map.size, NULL};
    const struct {
        const char *game, *rule_set;
        const struct game_source *map;
        const char *sentence; /* NULL: it is loaded */
    } cases[] = {
        {"tbs", "", &source, NULL},
        {"tbs", "paper", &source, NULL},
        {"kuhn", "", NULL, NULL},
        {"tbs", "", NULL, "tbs is played on maps"},
        {"tbs:rules=paper", "", &source,
         "\"game\": \"tbs:rules=paper\": the tactical game has no options here; \"rule_set\" names its "
         "rules"},
        {"kuhn", "", &source, "kuhn is played without maps and rule sets"},
        {"kuhn", "paper", NULL, "kuhn is played without maps and rule sets"},
        {"chess", "", NULL, "the tournament's game 'chess' is unknown; 'senjutsu games' lists them"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct tournament_rules rules;
        struct err e = {{0}};
        tournament_rules_default(&rules);
        snprintf(rules.game, sizeof rules.game, "%s", cases[i].game);
        snprintf(rules.rule_set, sizeof rules.rule_set, "%s", cases[i].rule_set);
        struct scenario *scenario = tournament_load(&rules, cases[i].map, &e);
        assert_int_equal(scenario == NULL, cases[i].sentence != NULL);
        if (scenario == NULL)
            assert_string_equal(e.text, cases[i].sentence);
        game_unload(scenario);
    }
    text_done(&map);
}

static void maps_have_names_of_their_own(void **state) {
    (void)state;
    struct tournament tournament = {.owns_scenarios = true};
    struct text map = {0};
    struct err e = {{0}};
    tournament_rules_default(&tournament.rules);
    own_text("duel", &map);
    const struct game_source source = {"a/duel.tbsmap", text_string(&map), map.size, NULL};
    if (!tournament_add_map(&tournament, "duel", &source, &e))
        fail_msg("%s", e.text);
    assert_int_equal(tournament.map_count, 1);
    assert_string_equal(tournament.maps[0].name, "duel");
    assert_string_equal(tournament.maps[0].author, "senjutsu");
    assert_true(tournament_add_map(&tournament, "duel 2", &source, &e));
    assert_false(tournament_add_map(&tournament, "duel", &source, &e));
    assert_string_equal(e.text, "a/duel.tbsmap: a map of that name is there already");
    const int count = tournament.map_count;
    const struct game_source wrong = {"wrong.tbsmap", "SIZEX[3];", 9, NULL};
    assert_false(tournament_add_map(&tournament, "wrong", &wrong, &e));
    assert_non_null(strstr(e.text, "wrong.tbsmap"));
    assert_int_equal(tournament.map_count, count);
    char name[32];
    for (int i = tournament.map_count; i < TOURNAMENT_MAPS_MAX; i++) {
        snprintf(name, sizeof name, "map %d", i);
        assert_true(tournament_add_map(&tournament, name, &source, &e));
    }
    assert_false(tournament_add_map(&tournament, "one more", &source, &e));
    assert_string_equal(e.text, "more than 1024 maps");
    assert_false(tournament_add_map(&tournament, tournament.rules.game, NULL, &e));
    assert_string_equal(e.text, "more than 1024 maps");
    tournament_done(&tournament);
    text_done(&map);
}

static void a_game_without_maps_is_one_place(void **state) {
    (void)state;
    struct tournament tournament = {.owns_scenarios = true};
    struct err e = {{0}};
    tournament_rules_default(&tournament.rules);
    assert_false(tournament_add_map(&tournament, tournament.rules.game, NULL, &e));
    assert_string_equal(e.text, "tbs is played on maps");
    assert_int_equal(tournament.map_count, 0);
    snprintf(tournament.rules.game, sizeof tournament.rules.game, "kuhn");
    assert_true(tournament_add_map(&tournament, tournament.rules.game, NULL, &e));
    assert_int_equal(tournament.map_count, 1);
    assert_string_equal(tournament.maps[0].name, "kuhn");
    assert_string_equal(tournament.maps[0].author, "");
    tournament_done(&tournament);
}

static void an_tournament_needs_players(void **state) {
    (void)state;
    struct tournament tournament = {0};
    struct err e = {{0}};
    tournament_rules_default(&tournament.rules);
    tournament.player_count = 1;
    assert_false(tournament_check_players(&tournament, &e));
    assert_string_equal(e.text, "a tournament needs two players or more; given: 1");
    tournament.player_count = 2;
    tournament.rules.challengers = 2;
    assert_true(tournament_check_players(&tournament, &e)); /* only a gauntlet has challengers */
    tournament.rules.format = TOURNAMENT_GAUNTLET;
    assert_false(tournament_check_players(&tournament, &e));
    assert_string_equal(e.text, "with 2 challengers of 2 players no opponent is left for them");
    tournament.player_count = 3;
    assert_true(tournament_check_players(&tournament, &e));
}

/* ---- how much a tournament as text may hold ---- */

static json_t *rows(int count, const char *const keys[3], const char *third) {
    json_t *list = json_array();
    char name[32];
    for (int i = 0; i < count; i++) {
        snprintf(name, sizeof name, "n%d", i);
        json_array_append_new(list, json_pack("{ss ss ss}", keys[0], name, keys[1], "", keys[2], third));
    }
    return list;
}

/* The tournament's sentence, or "" when it can be read. */
static void read_tournament(const char *game, json_t *players, json_t *maps, struct err *e) {
    struct tournament tournament;
    json_t *root = json_pack("{ss si ss s{ss} so so}", "format", "senjutsu-event", "version", 1, "seed", "7",
                             "rules", "game", game, "players", players, "maps", maps);
    char *dump = json_dumps(root, 0);
    e->text[0] = '\0';
    if (tournament_read("it", dump, strlen(dump), &tournament, e))
        tournament_done(&tournament);
    free(dump);
    json_decref(root);
}

static void texts_of_events_have_limits(void **state) {
    (void)state;
    static const char *const player_keys[] = {"name", "author", "spec"};
    static const char *const map_keys[] = {"name", "author", "map"};
    struct text map = {0};
    struct err e;
    own_text("duel", &map);
    const char *duel = text_string(&map);
    char name[TOURNAMENT_NAME_MAX + 1];
    memset(name, 'n', sizeof name);
    name[TOURNAMENT_NAME_MAX - 1] = '\0';
    read_tournament("tbs", rows(1, player_keys, "random"), rows(1, map_keys, duel), &e);
    assert_string_equal(e.text, "");
    read_tournament("tbs", rows(256, player_keys, "random"), rows(1024, map_keys, duel), &e);
    assert_string_equal(e.text, "");
    read_tournament("tbs", rows(257, player_keys, "random"), rows(1, map_keys, duel), &e);
    assert_string_equal(e.text, "it: \"players\" is no list of 1 to 256 players");
    read_tournament("tbs", rows(1, player_keys, "random"), rows(1025, map_keys, duel), &e);
    assert_string_equal(e.text, "it: \"maps\" is no list of 1 to 1024 maps");
    read_tournament("kuhn", rows(2, player_keys, "random"), rows(1, map_keys, ""), &e);
    assert_string_equal(e.text, "");
    read_tournament("kuhn", rows(2, player_keys, "random"), rows(2, map_keys, ""), &e);
    assert_string_equal(e.text, "it: \"maps\": kuhn is played without maps; expected one entry");
    read_tournament("kuhn", rows(2, player_keys, "random"), rows(1, map_keys, duel), &e);
    assert_string_equal(e.text, "it: kuhn is played without maps and rule sets");
    read_tournament("tbs", rows(1, player_keys, name), rows(1, map_keys, duel), &e);
    assert_string_equal(e.text, ""); /* the players do not matter here */
    json_t *players = json_pack("[{ss ss ss}]", "name", name, "author", name, "spec", "random");
    read_tournament("tbs", json_incref(players), rows(1, map_keys, duel), &e);
    assert_string_equal(e.text, "");
    name[TOURNAMENT_NAME_MAX - 1] = 'n';
    name[TOURNAMENT_NAME_MAX] = '\0';
    json_object_set_new(json_array_get(players, 0), "author", json_string(name));
    read_tournament("tbs", players, rows(1, map_keys, duel), &e);
    assert_string_equal(e.text, "it: \"players\": entry 1 has no name, spec and author");
    text_done(&map);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_change_rules),
        cmocka_unit_test(wrong_options_are_named),
        cmocka_unit_test(games_are_loaded_by_the_rules),
        cmocka_unit_test(maps_have_names_of_their_own),
        cmocka_unit_test(a_game_without_maps_is_one_place),
        cmocka_unit_test(an_tournament_needs_players),
        cmocka_unit_test(texts_of_events_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
