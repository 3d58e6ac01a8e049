/* SPDX-License-Identifier: MIT
 *
 * The rules file: accepted fields, refused ones and their messages, presets, and that writing and reading are
 * each other's inverse.
 */
#include "tournament/tournament.h"

#include "base/mem.h"
#include "base/numbers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static bool same_number(double a, double b) {
    return !(a < b) && !(a > b);
}

static bool same_timing(const struct timing *a, const struct timing *b) {
    return same_number(a->turn_s, b->turn_s) && same_number(a->move_s, b->move_s) &&
           same_number(a->game_s, b->game_s) && same_number(a->increment_s, b->increment_s) &&
           same_number(a->byoyomi_s, b->byoyomi_s) && same_number(a->grace_s, b->grace_s) &&
           same_number(a->patience_s, b->patience_s);
}

static bool same_stages(const struct tournament_rules *a, const struct tournament_rules *b) {
    return a->playoff_places == b->playoff_places && a->playoff_games == b->playoff_games &&
           a->playoff_repeats_max == b->playoff_repeats_max && a->final_players == b->final_players &&
           a->final_games == b->final_games && a->disqualify_after == b->disqualify_after;
}

static bool same_rules(const struct tournament_rules *a, const struct tournament_rules *b) {
    bool same = strcmp(a->title, b->title) == 0 && strcmp(a->game, b->game) == 0 &&
                strcmp(a->rule_set, b->rule_set) == 0 && a->format == b->format && a->rounds == b->rounds &&
                a->challengers == b->challengers && a->games == b->games && a->both_sides == b->both_sides &&
                a->maps_per_pairing == b->maps_per_pairing && a->not_own_maps == b->not_own_maps &&
                same_number(a->win, b->win) && same_number(a->draw, b->draw) &&
                same_number(a->loss, b->loss) && same_timing(&a->timing, &b->timing) && same_stages(a, b) &&
                a->tie_break_count == b->tie_break_count;
    for (int i = 0; same && i < a->tie_break_count; i++)
        same = a->tie_breaks[i] == b->tie_breaks[i];
    return same;
}

static void read_good(const char *text, struct tournament_rules *out) {
    struct err e = {{0}};
    if (!event_file_read("test.json", text, strlen(text), out, &e))
        fail_msg("%s", e.text);
    assert_true(tournament_rules_check(out, &e));
}

/* ---- accepted fields ---- */

static void defaults(void **state) {
    (void)state;
    struct tournament_rules rules, empty;
    tournament_rules_default(&rules);
    assert_string_equal(rules.title, "");
    assert_string_equal(rules.game, "tbs");
    assert_string_equal(rules.rule_set, "");
    assert_int_equal(rules.format, TOURNAMENT_ROUND_ROBIN);
    assert_int_equal(rules.games, 2);
    assert_int_equal(rules.challengers, 1);
    assert_true(same_number(rules.win, 1) && same_number(rules.draw, 0.5) && same_number(rules.loss, 0));
    assert_false(timing_is_limited(&rules.timing));
    assert_int_equal(rules.tie_break_count, 0);
    assert_int_equal(rules.playoff_places, 0);
    assert_int_equal(rules.playoff_repeats_max, 3);
    assert_int_equal(rules.final_players, 0);
    assert_true(tournament_rules_check(&rules, NULL));
    read_good("{}", &empty);
    assert_true(same_rules(&rules, &empty));
}

static void every_field_is_read(void **state) {
    (void)state;
    struct tournament_rules r;
    read_good("{\"title\": \"Sprint 2024: 決勝\", \"game\": \"synth-2\", \"rule_set\": \"paper\", "
              "\"format\": \"swiss\", \"rounds\": 7, \"challengers\": 1, \"games\": 4, \"both_sides\": true,"
              "\"disqualify_after\": 5, \"points\": {\"win\": 3, \"draw\": 1, \"loss\": -0.25},"
              "\"clock\": {\"turn\": 10, \"move\": 1.5, \"game\": 600, \"increment\": 5, \"byoyomi\": 30,"
              "\"grace\": 0.25, \"patience\": 7}, \"maps\": {\"per_pairing\": 3, \"not_own\": true},"
              "\"tie_breaks\": [\"wins\", \"faults\", \"buchholz\", \"sonneborn-berger\", \"head-to-head\"],"
              "\"playoff\": {\"places\": 2, \"games\": 6, \"repeats\": 0},"
              "\"final\": {\"players\": 8, \"games\": 10}}",
              &r);
    const struct tournament_rules expected = {
        .title = "Sprint 2024: 決勝",
        .game = "synth-2",
        .rule_set = "paper",
        .format = TOURNAMENT_SWISS,
        .rounds = 7,
        .challengers = 1,
        .games = 4,
        .both_sides = true,
        .disqualify_after = 5,
        .win = 3,
        .draw = 1,
        .loss = -0.25,
        .timing = {10, 1.5, 600, 5, 30, 0.25, 7},
        .maps_per_pairing = 3,
        .not_own_maps = true,
        .tie_break_count = 5,
        .tie_breaks = {TOURNAMENT_TIE_WINS, TOURNAMENT_TIE_FAULTS, TOURNAMENT_TIE_BUCHHOLZ,
                       TOURNAMENT_TIE_SONNEBORN, TOURNAMENT_TIE_HEAD_TO_HEAD},
        .playoff_places = 2,
        .playoff_games = 6,
        .playoff_repeats_max = 0,
        .final_players = 8,
        .final_games = 10};
    assert_true(same_rules(&r, &expected));
}

static void names_are_read_back(void **state) {
    (void)state;
    for (int i = 0; i < TOURNAMENT_FORMATS; i++) {
        struct tournament_rules r;
        char text[64];
        snprintf(text, sizeof text, "{\"format\": \"%s\"}", tournament_format_names[i]);
        read_good(text, &r);
        assert_int_equal(r.format, i);
    }
    for (int i = 0; i < TOURNAMENT_TIE_BREAKS; i++) {
        struct tournament_rules r;
        char text[64];
        snprintf(text, sizeof text, "{\"tie_breaks\": [\"%s\"]}", tournament_tie_break_names[i]);
        read_good(text, &r);
        assert_int_equal(r.tie_break_count, 1);
        assert_int_equal(r.tie_breaks[0], i);
    }
}

/* The order of the fields does not matter: the preset is always the base. */
static void a_preset_is_the_base(void **state) {
    (void)state;
    struct tournament_rules r;
    read_good("{\"games\": 10, \"clock\": {\"byoyomi\": 5}, \"preset\": \"gat-geister\"}", &r);
    assert_int_equal(r.games, 10);
    assert_string_equal(r.game, "geister");
    assert_true(same_number(r.win, 3));
    assert_true(
        same_number(r.timing.game_s, 600)); /* the other members of an object stay unchanged as well */
    assert_true(same_number(r.timing.byoyomi_s, 5));
}

/* ---- refusals ---- */

static const struct {
    const char *text, *message;
} refused[] = {
    {"{\n\n\"games\": 0\n}", "r.json:3: \"games\": expected a whole number from 1 to 100000"},
    {"{\"games\": 100001}", "r.json:1: \"games\": expected a whole number from 1 to 100000"},
    {"{\"games\": 99999999999999999}", "r.json:1: \"games\": expected a whole number from 1 to 100000"},
    {"{\"games\": 2.5}", "r.json:1: \"games\": expected a whole number from 1 to 100000"},
    {"{\"games\": \"two\"}", "r.json:1: \"games\": expected a whole number from 1 to 100000"},
    {"{\"clock\":\n{\"move\": 1,\n\"turn\": -1}}",
     "r.json:3: \"clock.turn\": expected a number from 0 to 86400"},
    {"{\"clock\": {\"turn\": [10]}}", "r.json:1: \"clock.turn\": expected a number from 0 to 86400"},
    {"{\"clock\": {\n\"trun\": 10}}",
     "r.json:2: \"clock.trun\" is not known here; expected \"turn\", \"move\", \"game\", \"increment\", "
     "\"byoyomi\", \"grace\", \"patience\""},
    {"{\"clock\": 10}", "r.json:1: \"clock\": expected an object or a text"},
    {"{\"points\": 10}", "r.json:1: \"points\": expected an object or a text"},
    {"{\"final\": \"4\"}", "r.json:1: \"final\": expected an object"},
    {"{\n\"gmaes\": 2}",
     "r.json:2: \"gmaes\" is not known here; expected \"preset\", \"title\", \"game\", \"rule_set\", "
     "\"format\", \"rounds\", \"challengers\", \"games\", \"both_sides\", \"disqualify_after\", \"points\", "
     "\"clock\", \"maps\", \"playoff\", \"final\", \"tie_breaks\""},
    {"{\"\\u001b[2J\": 1}",
     "r.json: \"?[2J\" is not known here; expected \"preset\", \"title\", \"game\", \"rule_set\", "
     "\"format\", \"rounds\", \"challengers\", \"games\", \"both_sides\", \"disqualify_after\", \"points\", "
     "\"clock\", \"maps\", \"playoff\", \"final\", \"tie_breaks\""},
    {"{\"maps\": {\"not_own\": 1}}", "r.json:1: \"maps.not_own\": expected true or false"},
    {"{\"format\": \"league\"}", "r.json:1: \"format\": expected round-robin, gauntlet, swiss or knock-out"},
    {"{\"format\": true}", "r.json:1: \"format\": expected round-robin, gauntlet, swiss or knock-out"},
    {"{\"preset\": \"gat\"}", "r.json:1: there is no preset \"gat\"; expected quick, swiss, gat-tactical, "
                              "gat-geister or gat-geister-multi"},
    {"{\"preset\": {}}", "r.json:1: \"preset\" is no text"},
    {"{\"tie_breaks\": \"wins\"}", "r.json:1: \"tie_breaks\": expected a list of at most 6 different ones of "
                                   "head-to-head, buchholz, sonneborn-berger, wins or faults"},
    {"{\"tie_breaks\": [\"wins\",\n\"luck\"]}",
     "r.json:1: \"tie_breaks\": expected a list of at most 6 different ones of head-to-head, buchholz, "
     "sonneborn-berger, wins or faults"},
    {"{\"tie_breaks\": [\"wins\", \"faults\", \"wins\"]}",
     "r.json:1: \"tie_breaks\": expected a list of at most 6 different ones of head-to-head, buchholz, "
     "sonneborn-berger, wins or faults"},
    {"{\"tie_breaks\": [1, 2, 3, 4, 5, 6, 7]}",
     "r.json:1: \"tie_breaks\": expected a list of at most 6 different ones of head-to-head, buchholz, "
     "sonneborn-berger, wins or faults"},
    {"{\"title\": 3}", "r.json:1: \"title\" is no text"},
    {"{\"title\": \"a\\nb\"}",
     "r.json:1: \"title\": expected text without line ends and other control characters"},
    {"{\"title\": \"\\u009b1m\"}",
     "r.json:1: \"title\": expected text without line ends and other control characters"},
    {"{\"game\": \"\"}", "r.json:1: \"game\" is empty; expected a name"},
    {"{\"game\": \"Chess 960\"}",
     "r.json:1: \"game\": \"Chess 960\" is no name; expected lower-case letters, digits, '-' and '_'"},
    {"{\"game\": \"Synth:df=0.5\"}",
     "r.json:1: \"game\": \"Synth:df=0.5\" is no name; expected lower-case letters, digits, '-' and '_'"},
    {"{\"rule_set\": \"abcdefghijklmnopqrstuvwxyz012345\"}",
     "r.json:1: \"rule_set\": expected at most 31 bytes"},
    {"[1]", "r.json: expected a JSON object: {\"format\": \"round-robin\", …}"},
    {"{\"games\": 2, \"games\": 4}", "r.json:1: duplicate object key near '\"games\"'"},
    {"{\n\"games\" 2}", "r.json:2: ':' expected near '2'"},
    {"", "r.json:1: '[' or '{' expected near end of file"},
};

static const struct {
    const char *text, *message;
} contradictory[] = {
    {"{\"format\": \"round-robin\",\n\"rounds\": 5}",
     "r.json:2: \"rounds\": only a Swiss has a given number of "
     "rounds; expected 0, or nothing (\"format\" is "
     "\"round-robin\")"},
    {"{\"challengers\": 2}",
     "r.json:1: \"challengers\": only a gauntlet has challengers; expected 1, or nothing "
     "(\"format\" is \"round-robin\")"},
    {"{\"format\": \"knock-out\", \"playoff\": {\"places\": 1}}",
     "r.json:1: \"playoff.places\": there is no table of equal games in which places could be tied; expected "
     "0 "
     "(\"format\" is \"knock-out\")"},
    {"{\"preset\": \"gat-tactical\", \"format\": \"gauntlet\"}",
     "r.json: \"playoff.places\": there is no table of equal games in which places could be tied; expected 0 "
     "(\"format\" is \"gauntlet\")"},
    {"{\"preset\": \"swiss\", \"format\": \"knock-out\"}",
     "r.json: \"final.players\": a knock-out has its own final; expected 0 (\"format\" is \"knock-out\")"},
    {"{\"format\": \"gauntlet\", \"final\": {\"players\": 2}}",
     "r.json:1: \"final.players\": players of a gauntlet have different numbers of games, so none is best; "
     "expected 0 (\"format\" is \"gauntlet\")"},
    {"{\"final\": {\"players\": 1}}",
     "r.json:1: \"final.players\": 1 player is no final; expected 0 (no final) or 2 and more"},
    {"{\"points\": {\"win\": 0, \"draw\": 0}}",
     "r.json:1: \"points.win\": a win must be worth more than a loss"},
    {"{\"points\": {\"draw\": 2}}", "r.json:1: \"points.draw\": a draw must not be worth more than a win or "
                                    "less than a loss (\"win\", \"draw\" "
                                    "and \"loss\" of \"points\")"},
    {"{\"clock\": {\"increment\": 2}}",
     "r.json:1: \"clock.increment\": it is added to the game's time, but there "
     "is none; expected \"game\" in \"clock\""},
    {"{\"clock\": {\"turn\": 10, \"byoyomi\": 2}}",
     "r.json:1: \"clock.byoyomi\": it begins when the game's time is used up, but there is none; expected "
     "\"game\" in \"clock\""},
    {"{\"preset\": \"gat-tactical\", \"games\": 3}", "r.json:1: \"games\": an odd number cannot be played "
                                                     "from both sides equally often, which \"both_sides\" "
                                                     "promises"},
    {"{\"preset\": \"gat-tactical\", \"playoff\": {\"games\": 1}}",
     "r.json:1: \"playoff.games\": an odd number cannot be played from both sides equally often, which "
     "\"both_sides\" promises"},
    {"{\"preset\": \"swiss\", \"final\": {\"games\": 5}}",
     "r.json:1: \"final.games\": an odd number cannot be played from both sides equally often, which "
     "\"both_sides\" promises"},
};

static void expect_refusal(const char *text, const char *message) {
    struct tournament_rules r;
    struct err e = {{0}};
    assert_false(event_file_read("r.json", text, strlen(text), &r, &e));
    assert_string_equal(e.text, message);
    assert_false(event_file_read("r.json", text, strlen(text), &r, NULL));
}

static void refusals_name_the_expected_value(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        expect_refusal(refused[i].text, refused[i].message);
}

static void contradictions_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof contradictory / sizeof contradictory[0]; i++)
        expect_refusal(contradictory[i].text, contradictory[i].message);
}

/* The ends of every range, and what is just beyond them. */
static void ranges_have_ends(void **state) {
    (void)state;
    static const struct {
        const char *field; /* up to the number */
        int low, high;
        const char *rest;
    } cases[] = {
        {"\"rounds\": ", 0, 1000, ", \"format\": \"swiss\""},
        {"\"challengers\": ", 1, 255, ", \"format\": \"gauntlet\""},
        {"\"games\": ", 1, 100000, ""},
        {"\"disqualify_after\": ", 0, 1000000, ""},
        {"\"points\": {\"loss\": -1000, \"draw\": -1000, \"win\": ", -999, 1000, "}"},
        {"\"points\": {\"win\": 1000, \"loss\": -1000, \"draw\": ", -1000, 1000, "}"},
        {"\"points\": {\"win\": 1000, \"draw\": 1000, \"loss\": ", -1000, 999, "}"},
        {"\"maps\": {\"per_pairing\": ", 0, 1024, "}"},
        {"\"playoff\": {\"places\": ", 0, 256, "}"},
        {"\"playoff\": {\"games\": ", 1, 100000, "}"},
        {"\"playoff\": {\"repeats\": ", 0, 100, "}"},
        {"\"final\": {\"players\": ", 2, 256, "}"},
        {"\"final\": {\"games\": ", 1, 100000, "}"},
        {"\"clock\": {\"grace\": ", 0, 86400, "}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 4; k++) {
            const int numbers[] = {cases[i].low - 1, cases[i].low, cases[i].high, cases[i].high + 1};
            struct tournament_rules r;
            struct err e = {{0}};
            char text[160];
            snprintf(text, sizeof text, "{%s%d%s}", cases[i].field, numbers[k], cases[i].rest);
            if (event_file_read("r.json", text, strlen(text), &r, &e) != (k == 1 || k == 2))
                fail_msg("%s: %s", text, e.text);
        }
}

/* The same fields where they do not contradict each other. */
static void what_is_no_contradiction(void **state) {
    (void)state;
    struct tournament_rules r;
    read_good("{\"format\": \"round-robin\", \"rounds\": 0, \"challengers\": 1}", &r);
    read_good("{\"format\": \"swiss\", \"rounds\": 5, \"final\": {\"players\": 2}}", &r);
    read_good("{\"format\": \"gauntlet\", \"challengers\": 3}", &r);
    read_good("{\"preset\": \"gat-tactical\", \"games\": 3, \"both_sides\": false}", &r);
    read_good("{\"preset\": \"swiss\", \"final\": {\"players\": 0, \"games\": 5}}", &r);
    read_good("{\"points\": {\"win\": 1, \"draw\": 1, \"loss\": -1}}", &r);
    read_good("{\"preset\": \"gat-tactical\", \"format\": \"knock-out\", \"playoff\": {\"places\": 0}}", &r);
}

static void too_long_a_file(void **state) {
    (void)state;
    struct tournament_rules r;
    struct err e = {{0}};
    char *text = malloc(EVENT_FILE_MAX + 1);
    assert_non_null(text);
    memset(text, ' ', EVENT_FILE_MAX + 1);
    memcpy(text, "{}", 2);
    assert_true(event_file_read("r.json", text, EVENT_FILE_MAX, &r, &e));
    assert_false(event_file_read("r.json", text, EVENT_FILE_MAX + 1, &r, &e));
    assert_string_equal(e.text, "r.json: 1048577 bytes are too much for rules; the limit is 1048576");
    free(text);
}

static void check_needs_no_file(void **state) {
    (void)state;
    struct tournament_rules r;
    struct err e = {{0}};
    tournament_rules_default(&r);
    r.games = -1;
    assert_false(tournament_rules_check(&r, &e));
    assert_string_equal(e.text, "\"games\": expected a whole number from 1 to 100000");
    tournament_rules_default(&r);
    r.timing.turn_s = (double)NAN;
    assert_false(tournament_rules_check(&r, &e));
    tournament_rules_default(&r);
    r.rounds = 3;
    assert_false(tournament_rules_check(&r, &e));
    assert_string_equal(e.text,
                        "\"rounds\": only a Swiss has a given number of rounds; expected 0, or nothing "
                        "(\"format\" is \"round-robin\")");
    tournament_rules_default(&r);
    r.tie_break_count = TOURNAMENT_TIE_BREAKS_MAX + 1;
    assert_false(tournament_rules_check(&r, &e));
    tournament_rules_default(&r);
    r.format = TOURNAMENT_FORMATS;
    assert_false(tournament_rules_check(&r, &e));
    tournament_rules_default(&r);
    memset(r.title, 'x', sizeof r.title);
    assert_false(tournament_rules_check(&r, &e));
    assert_string_equal(e.text, "\"title\": expected at most 127 bytes");
}

/* ---- lines ---- */

static void lines_of_fields(void **state) {
    (void)state;
    static const char text[] =
        "{\n \"a\": {\"x\": [1, {\"b\": 2}],\n \"y\\\"}\": \"},\\\"b\\\": 3\", \"b\"\n: 4},\n"
        " \"c\" :[],\r\n\"b\": 5}\n";
    const size_t size = sizeof text - 1;
    assert_int_equal(event_file_line(text, size, NULL, "a"), 2);
    assert_int_equal(event_file_line(text, size, NULL, "b"), 6);
    assert_int_equal(event_file_line(text, size, NULL, "c"), 5);
    assert_int_equal(event_file_line(text, size, "a", "b"), 3);
    assert_int_equal(event_file_line(text, size, "a", "x"), 2);
    assert_int_equal(event_file_line(text, size, "a", "z"), 0);
    assert_int_equal(event_file_line(text, size, "c", "b"), 0);
    assert_int_equal(event_file_line(text, size, "z", "b"), 0);
    assert_int_equal(event_file_line("{}", 2, NULL, "a"), 0);
    assert_int_equal(event_file_line("[]", 2, NULL, "a"), 0);
}

/* ---- presets ---- */

static void presets_are_good(void **state) {
    (void)state;
    for (const struct tournament_rules_preset *p = tournament_rules_presets; p->name != NULL; p++) {
        struct tournament_rules r;
        struct err e = {{0}};
        if (!tournament_rules_preset(p->name, &r, &e))
            fail_msg("%s: %s", p->name, e.text);
        assert_true(tournament_rules_check(&r, &e));
        assert_true(r.title[0] != '\0' && p->help[0] != '\0');
        assert_true(r.both_sides && r.games % 2 == 0);
        for (const struct tournament_rules_preset *q = tournament_rules_presets; q != p; q++)
            assert_string_not_equal(p->name, q->name);
    }
}

static void preset_values(void **state) {
    (void)state;
    struct tournament_rules r;
    assert_true(tournament_rules_preset("gat-tactical", &r, NULL));
    assert_string_equal(r.game, "tbs");
    assert_true(same_number(r.timing.turn_s, 10) && same_number(r.timing.game_s, 0));
    assert_true(r.not_own_maps && r.maps_per_pairing == 0 && r.games == 2 && r.playoff_places == 1);
    assert_true(same_number(r.win, 1) && same_number(r.draw, 0.5) && same_number(r.loss, 0));
    assert_int_equal(r.tie_break_count,
                     0); /* otherwise a tie for the first place would be broken without playing */
    assert_true(tournament_rules_preset("gat-geister", &r, NULL));
    assert_string_equal(r.game, "geister");
    assert_true(same_number(r.timing.game_s, 600) && same_number(r.timing.byoyomi_s, 10));
    assert_true(same_number(r.win, 3) && same_number(r.draw, 1) && same_number(r.loss, 0));
    assert_int_equal(r.games, 2);
    assert_true(tournament_rules_preset("gat-geister-multi", &r, NULL));
    assert_true(r.games == 100 && same_number(r.win, 3) && same_number(r.timing.byoyomi_s, 10));
    assert_true(tournament_rules_preset("quick", &r, NULL));
    assert_true(r.games == 2 && r.format == TOURNAMENT_ROUND_ROBIN && !timing_is_limited(&r.timing));
    assert_true(tournament_rules_preset("swiss", &r, NULL));
    assert_true(r.format == TOURNAMENT_SWISS && r.rounds == 0 && r.final_players == 4);
}

static void unknown_presets(void **state) {
    (void)state;
    struct tournament_rules r;
    struct err e = {{0}};
    assert_false(tournament_rules_preset("slow", &r, &e));
    assert_string_equal(e.text,
                        "there is no preset \"slow\"; expected quick, swiss, gat-tactical, gat-geister or "
                        "gat-geister-multi");
}

/* ---- writing ---- */

static double any_real(struct rng *r, double low, double high) {
    const double x = low + (high - low) * rng_unit(r);
    return rng_below(r, 2) == 0 ? (double)(int)x : x;
}

static int any_whole(struct rng *r, int low, int high) {
    return low + (int)rng_below(r, (uint32_t)(high - low + 1));
}

static void any_title(struct rng *r, char *out) {
    static const char *const parts[] = {"\"", "\\", "a", " ", "é", "戦術", "/", "{", "'", "z9", "☃", "<b>"};
    out[0] = '\0';
    for (int i = any_whole(r, 0, 18); i > 0; i--)
        strcat(out, parts[rng_below(r, 12)]);
}

static void any_clock(struct rng *r, struct timing *t) {
    t->turn_s = any_real(r, 0, 86400);
    t->move_s = any_real(r, 0, 1);
    t->game_s = any_real(r, 0, 600);
    t->increment_s = t->game_s > 0 ? any_real(r, 0, 86400) : 0;
    t->byoyomi_s = t->game_s > 0 ? any_real(r, 0, 86400) : 0;
    t->grace_s = any_real(r, 0, 86400);
    t->patience_s = any_real(r, 0, 1e-7);
}

static void any_stages(struct rng *r, struct tournament_rules *out) {
    const bool has_table = out->format == TOURNAMENT_ROUND_ROBIN || out->format == TOURNAMENT_SWISS;
    const int step = out->both_sides ? 2 : 1;
    out->games = step * any_whole(r, 1, TOURNAMENT_RULES_GAMES_MAX / step);
    out->playoff_places = has_table ? any_whole(r, 0, TOURNAMENT_PLAYERS_MAX) : 0;
    out->playoff_games = step * any_whole(r, 1, TOURNAMENT_RULES_GAMES_MAX / step);
    out->playoff_repeats_max = any_whole(r, 0, 100);
    out->final_players = has_table && rng_below(r, 2) == 0 ? any_whole(r, 2, TOURNAMENT_PLAYERS_MAX) : 0;
    out->final_games = step * any_whole(r, 1, TOURNAMENT_RULES_GAMES_MAX / step);
    out->disqualify_after = any_whole(r, 0, 1000000);
}

static void any_tie_breaks(struct rng *r, struct tournament_rules *out) {
    bool used[TOURNAMENT_TIE_BREAKS] = {false};
    for (int i = any_whole(r, 0, TOURNAMENT_TIE_BREAKS); i > 0; i--) {
        const int kind = any_whole(r, 0, TOURNAMENT_TIE_BREAKS - 1);
        if (!used[kind])
            out->tie_breaks[out->tie_break_count++] = (enum tournament_tie_break)kind;
        used[kind] = true;
    }
}

static void any_rules(struct rng *r, struct tournament_rules *out) {
    static const char *const games[] = {"tbs", "geister", "a", "abcdefghijklmnopqrstuvwxyz-_012"};
    *out = (struct tournament_rules){0};
    any_title(r, out->title);
    strcpy(out->game, games[rng_below(r, 4)]);
    strcpy(out->rule_set, rng_below(r, 2) == 0 ? "" : games[rng_below(r, 4)]);
    out->format = (enum tournament_format)rng_below(r, TOURNAMENT_FORMATS);
    out->rounds = out->format == TOURNAMENT_SWISS ? any_whole(r, 0, 1000) : 0;
    out->challengers = out->format == TOURNAMENT_GAUNTLET ? any_whole(r, 1, 255) : 1;
    out->both_sides = rng_below(r, 2) == 0;
    any_stages(r, out);
    out->maps_per_pairing = any_whole(r, 0, TOURNAMENT_MAPS_MAX);
    out->not_own_maps = rng_below(r, 2) == 0;
    out->loss = any_real(r, -1000, 0);
    out->draw = any_real(r, 0, 10);
    out->win = any_real(r, 11, 1000);
    any_clock(r, &out->timing);
    any_tie_breaks(r, out);
}

static void write_good(const struct tournament_rules *rules, struct text *out) {
    struct err e = {{0}};
    if (!tournament_rules_check(rules, &e) || !event_file_write(rules, out, &e))
        fail_msg("%s", e.text);
}

static void what_is_written_is_read_back(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 11);
    for (int i = 0; i < 5000; i++) {
        struct tournament_rules before, after;
        struct text first = {0}, second = {0};
        any_rules(&r, &before);
        write_good(&before, &first);
        read_good(text_string(&first), &after);
        assert_true(same_rules(&before, &after));
        write_good(&after, &second);
        assert_string_equal(text_string(&first), text_string(&second));
        text_done(&first);
        text_done(&second);
    }
}

static void the_order_is_always_the_same(void **state) {
    (void)state;
    struct tournament_rules r;
    struct text out = {0};
    tournament_rules_default(&r);
    write_good(&r, &out);
    assert_string_equal(text_string(&out), "{\n"
                                           "  \"title\": \"\",\n"
                                           "  \"game\": \"tbs\",\n"
                                           "  \"rule_set\": \"\",\n"
                                           "  \"format\": \"round-robin\",\n"
                                           "  \"rounds\": 0,\n"
                                           "  \"challengers\": 1,\n"
                                           "  \"games\": 2,\n"
                                           "  \"both_sides\": false,\n"
                                           "  \"disqualify_after\": 0,\n"
                                           "  \"points\": {\"win\": 1, \"draw\": 0.5, \"loss\": 0},\n"
                                           "  \"clock\": {\"turn\": 0, \"move\": 0, \"game\": 0, "
                                           "\"increment\": 0, \"byoyomi\": 0, \"grace\": 0.1, "
                                           "\"patience\": 2},\n"
                                           "  \"maps\": {\"per_pairing\": 0, \"not_own\": false},\n"
                                           "  \"playoff\": {\"places\": 0, \"games\": 2, \"repeats\": 3},\n"
                                           "  \"final\": {\"players\": 0, \"games\": 2},\n"
                                           "  \"tie_breaks\": []\n"
                                           "}\n");
    text_done(&out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(every_field_is_read),
        cmocka_unit_test(names_are_read_back),
        cmocka_unit_test(a_preset_is_the_base),
        cmocka_unit_test(refusals_name_the_expected_value),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(ranges_have_ends),
        cmocka_unit_test(what_is_no_contradiction),
        cmocka_unit_test(too_long_a_file),
        cmocka_unit_test(check_needs_no_file),
        cmocka_unit_test(lines_of_fields),
        cmocka_unit_test(presets_are_good),
        cmocka_unit_test(preset_values),
        cmocka_unit_test(unknown_presets),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(the_order_is_always_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
