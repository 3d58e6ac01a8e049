/* SPDX-License-Identifier: MIT
 *
 * Tournaments as text: there and back, and the differences between two of them.
 */
#include "own_maps.h"
#include "tournament/tournament.h"

#include "base/mem.h"
#include "memory_support.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const char *const map_names[] = {"duel", "duel_infantry", "short_limit"};

enum { MAPS = 3 };

static void build(struct tournament *out) {
    struct err e = {{0}};
    static const char entries[] =
        "[{\"spec\": \"uct:sims=60\", \"name\": \"太郎\", \"author\": \"Taro\"}, {\"spec\": \"random\"},"
        " {\"spec\": \"random\", \"author\": \"Hanako\"}]";
    *out = (struct tournament){
        .seed = UINT64_C(18446744073709551615), .owns_scenarios = true, .map_count = MAPS};
    tournament_rules_default(&out->rules);
    snprintf(out->rules.title, sizeof out->rules.title, "Spring \"cup\"");
    out->rules.win = 0.1;
    out->rules.draw = 0.05;
    out->rules.timing.turn_s = 0.3;
    out->rules.tie_break_count = 2;
    out->rules.tie_breaks[0] = TOURNAMENT_TIE_WINS;
    out->rules.tie_breaks[1] = TOURNAMENT_TIE_SONNEBORN;
    if (!entrants_read("entries", entries, sizeof entries - 1, out, &e))
        fail_msg("%s", e.text);
    out->maps = mem_alloc(MAPS * sizeof out->maps[0]);
    assert_non_null(out->maps);
    for (int i = 0; i < MAPS; i++) {
        snprintf(out->maps[i].name, sizeof out->maps[i].name, "%s", map_names[i]);
        snprintf(out->maps[i].author, sizeof out->maps[i].author, "author %d", i);
        out->maps[i].scenario = own_map(map_names[i]);
    }
}

static void write(const struct tournament *tournament, struct text *out) {
    struct err e = {{0}};
    text_clear(out);
    if (!tournament_write(tournament, out, &e))
        fail_msg("%s", e.text);
}

static void assert_same_tournament(const struct tournament *a, const struct tournament *b) {
    struct text maps[2] = {{0}}, options[2] = {{0}};
    assert_true(a->seed == b->seed);
    assert_int_equal(a->player_count, b->player_count);
    assert_int_equal(a->map_count, b->map_count);
    for (int i = 0; i < a->player_count; i++) {
        assert_string_equal(a->players[i].name, b->players[i].name);
        assert_string_equal(a->players[i].spec, b->players[i].spec);
        assert_string_equal(a->players[i].author, b->players[i].author);
    }
    for (int i = 0; i < a->map_count; i++) {
        const struct tournament *const tournaments[2] = {a, b};
        assert_string_equal(a->maps[i].name, b->maps[i].name);
        assert_string_equal(a->maps[i].author, b->maps[i].author);
        assert_ptr_equal(a->maps[i].scenario->game, b->maps[i].scenario->game);
        for (int k = 0; k < 2; k++) {
            const struct scenario *s = tournaments[k]->maps[i].scenario;
            text_clear(&maps[k]);
            text_clear(&options[k]);
            s->game->text->write_map(s, &maps[k]);
            game_write_spec(s, &options[k]);
        }
        assert_string_equal(text_string(&maps[0]), text_string(&maps[1]));
        assert_string_equal(text_string(&options[0]), text_string(&options[1]));
    }
    for (int k = 0; k < 2; k++) {
        text_done(&maps[k]);
        text_done(&options[k]);
    }
}

static void events_go_there_and_back(void **state) {
    (void)state;
    struct tournament tournament, back;
    struct text text = {0}, again = {0};
    struct err e = {{0}};
    build(&tournament);
    write(&tournament, &text);
    write(&tournament, &again); /* the same tournament is the same text */
    assert_string_equal(text_string(&text), text_string(&again));
    if (!tournament_read("text", text_string(&text), text.size, &back, &e))
        fail_msg("%s", e.text);
    assert_same_tournament(&tournament, &back);
    assert_memory_equal(&tournament.rules.timing, &back.rules.timing, sizeof tournament.rules.timing);
    assert_true(!(tournament.rules.win < back.rules.win) && !(tournament.rules.win > back.rules.win));
    assert_int_equal(back.rules.tie_breaks[1], TOURNAMENT_TIE_SONNEBORN);
    write(&back, &again);
    assert_string_equal(text_string(&text), text_string(&again));
    assert_true(tournament_compare(text_string(&text), text_string(&again), &e));
    text_done(&text);
    text_done(&again);
    tournament_done(&tournament);
    tournament_done(&back);
}

/* The rule set is part of the rules and reaches the maps. */
static void rule_sets_are_stored(void **state) {
    (void)state;
    struct tournament tournament, back;
    struct text text = {0}, options = {0};
    struct err e = {{0}};
    build(&tournament);
    snprintf(tournament.rules.rule_set, sizeof tournament.rules.rule_set, "paper");
    write(&tournament, &text);
    if (!tournament_read("text", text_string(&text), text.size, &back, &e))
        fail_msg("%s", e.text);
    assert_string_equal(back.rules.rule_set, "paper");
    game_write_spec(back.maps[0].scenario, &options);
    assert_string_equal(text_string(&options), "tbs:rules=paper");
    text_done(&text);
    text_done(&options);
    tournament_done(&tournament);
    tournament_done(&back);
}

/* ---- comparing ---- */

static void change_seed(struct tournament *e) {
    e->seed = 7;
}

static void change_spec(struct tournament *e) {
    snprintf(e->players[0].spec, sizeof e->players[0].spec, "uct:sims=61");
}

static void change_name(struct tournament *e) {
    snprintf(e->players[0].name, sizeof e->players[0].name, "次郎");
}

static void change_author(struct tournament *e) {
    snprintf(e->players[2].author, sizeof e->players[2].author, "Taro");
}

static void drop_player(struct tournament *e) {
    e->player_count--;
}

static void change_map_name(struct tournament *e) {
    snprintf(e->maps[1].name, sizeof e->maps[1].name, "other");
}

static void change_map_author(struct tournament *e) {
    snprintf(e->maps[1].author, sizeof e->maps[1].author, "me");
}

static void change_map_file(struct tournament *e) {
    game_unload(e->maps[2].scenario);
    e->maps[2].scenario = own_map("handicap");
}

static void drop_map(struct tournament *e) {
    e->map_count--;
    game_unload(e->maps[2].scenario);
}

static void change_points(struct tournament *e) {
    e->rules.win = 3;
}

static void change_clock(struct tournament *e) {
    e->rules.timing.turn_s = 0.7;
}

static void change_games(struct tournament *e) {
    e->rules.games = 4;
}

static void change_format(struct tournament *e) {
    e->rules.format = TOURNAMENT_SWISS;
}

static void change_title(struct tournament *e) {
    snprintf(e->rules.title, sizeof e->rules.title, "Autumn cup");
}

static void change_tie_breaks(struct tournament *e) {
    e->rules.tie_break_count = 1;
}

static void differences_are_named(void **state) {
    (void)state;
    static const struct {
        void (*change)(struct tournament *tournament);
        const char *sentence;
    } cases[] = {
        {change_seed, "the seed was 18446744073709551615 and is now 7"},
        {change_spec, "player 1 was \"uct:sims=60\" and is now \"uct:sims=61\""},
        {change_name, "the name of player 1 was \"太郎\" and is now \"次郎\""},
        {change_author, "the author of player 3 was \"Hanako\" and is now \"Taro\""},
        {drop_player, "there were 3 players and there are now 2"},
        {change_map_name, "map 2 was \"duel_infantry\" and is now \"other\""},
        {change_map_author, "the author of map 2 was \"author 1\" and is now \"me\""},
        {change_map_file, "map 3, short_limit, is not what it was: its file has changed"},
        {drop_map, "there were 3 maps and there are now 2"},
        {change_points, "points.win was 0.1 and is now 3"},
        {change_clock, "clock.turn was 0.3 and is now 0.7"},
        {change_games, "games was 2 and is now 4"},
        {change_format, "format was \"round-robin\" and is now \"swiss\""},
        {change_title, "title was \"Spring \\\"cup\\\"\" and is now \"Autumn cup\""},
        {change_tie_breaks, "tie_breaks was [\"wins\",\"sonneborn-berger\"] and is now [\"wins\"]"},
    };
    struct text kept = {0}, given = {0};
    struct tournament tournament;
    build(&tournament);
    write(&tournament, &kept);
    tournament_done(&tournament);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {{0}};
        build(&tournament);
        cases[i].change(&tournament);
        write(&tournament, &given);
        assert_false(tournament_compare(text_string(&kept), text_string(&given), &e));
        assert_string_equal(e.text, cases[i].sentence);
        tournament_done(&tournament);
    }
    text_done(&kept);
    text_done(&given);
}

/* Fields that only one of the two has, and seeds that are no text. */
static void fields_may_come_and_go(void **state) {
    (void)state;
    static const struct {
        const char *outer, *inner, *forth, *back; /* the field is missing now; it was missing before */
    } cases[] = {
        {"rules", "games", "games was 2 and is now nothing", "the rules have more fields now"},
        {"rules", "points", "points was {\"win\":0.1,\"draw\":0.05,\"loss\":0} and is now nothing",
         "the rules have more fields now"},
        {"rules.points", "win", "points.win was 0.1 and is now nothing",
         "the rules have more fields now in points"},
        {NULL, "seed", "the seed was 18446744073709551615 and is now no text",
         "the seed was no text and is now 18446744073709551615"},
    };
    struct text whole = {0};
    struct tournament tournament;
    struct err e = {{0}};
    build(&tournament);
    write(&tournament, &whole);
    tournament_done(&tournament);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        json_t *root = json_loads(text_string(&whole), 0, NULL), *from = root;
        if (cases[i].outer != NULL)
            from = json_object_get(from, "rules");
        if (cases[i].outer != NULL && strcmp(cases[i].outer, "rules.points") == 0)
            from = json_object_get(from, "points");
        assert_int_equal(json_object_del(from, cases[i].inner), 0);
        char *less = json_dumps(root, 0);
        assert_false(tournament_compare(text_string(&whole), less, &e));
        assert_string_equal(e.text, cases[i].forth);
        assert_false(tournament_compare(less, text_string(&whole), &e));
        assert_string_equal(e.text, cases[i].back);
        free(less);
        json_decref(root);
    }
    text_done(&whole);
}

/* ---- texts that cannot be written or read ---- */

static void names_must_be_text(void **state) {
    (void)state;
    static const char sentence[] = "the tournament cannot be written as JSON: a name is not UTF-8";
    struct tournament tournament;
    struct text text = {0};
    struct err e = {{0}};
    build(&tournament);
    snprintf(tournament.players[1].name, sizeof tournament.players[1].name, "\xff");
    assert_false(tournament_write(&tournament, &text, &e));
    assert_string_equal(e.text, sentence);
    snprintf(tournament.players[1].name, sizeof tournament.players[1].name, "random");
    snprintf(tournament.maps[2].author, sizeof tournament.maps[2].author, "\xff");
    assert_false(tournament_write(&tournament, &text, &e));
    assert_string_equal(e.text, sentence);
    snprintf(tournament.rules.title, sizeof tournament.rules.title, "\xff");
    assert_false(tournament_write(&tournament, &text, &e));
    assert_string_equal(e.text, "the title or the game is no UTF-8");
    assert_int_equal(text.size, 0);
    tournament_done(&tournament);
    text_done(&text);
}

/* Replaces one field (a path of two names at most) and reads it. */
static void check_refused(const char *text, const char *outer, const char *inner, const char *value,
                          const char *expected) {
    json_t *root = json_loads(text, 0, NULL), *target = root;
    struct tournament tournament;
    struct err e = {{0}};
    if (inner != NULL && json_is_array(json_object_get(root, outer)))
        target = json_array_get(json_object_get(root, outer), 0);
    else if (inner != NULL)
        target = json_object_get(root, outer);
    const char *key = inner != NULL ? inner : outer;
    if (value == NULL)
        json_object_del(target, key);
    else
        json_object_set_new(target, key, json_loads(value, JSON_DECODE_ANY, NULL));
    char *dump = json_dumps(root, 0);
    assert_false(tournament_read("text", dump, strlen(dump), &tournament, &e));
    if (strstr(e.text, expected) == NULL || strncmp(e.text, "text: ", 6) != 0)
        fail_msg("'%s', expected 'text: …%s'", e.text, expected);
    assert_null(tournament.players); /* nothing is left of it */
    assert_null(tournament.maps);
    free(dump);
    json_decref(root);
}

static void wrong_events_are_refused(void **state) {
    (void)state;
    struct tournament tournament;
    struct text text = {0};
    struct err e = {{0}};
    build(&tournament);
    write(&tournament, &text);
    tournament_done(&tournament);
    const char *string = text_string(&text);
    check_refused(string, "format", NULL, "\"senjutsu-record\"", "\"format\" is not \"senjutsu-event\"");
    check_refused(string, "version", NULL, "2", "\"version\" is not 1");
    check_refused(string, "seed", NULL, "\"-1\"", "\"seed\" is no whole number");
    check_refused(string, "seed", NULL, NULL, "\"seed\" is no whole number");
    check_refused(string, "rules", NULL, NULL, "\"rules\" is missing");
    check_refused(string, "rules", "games", "0", "\"games\"");
    check_refused(string, "rules", "game", "\"chess\"", "'chess' is unknown");
    check_refused(string, "players", NULL, "[]", "\"players\" is no list of 1 to 256 players");
    check_refused(string, "players", "name", NULL, "\"players\": entry 1 has no name, spec and author");
    check_refused(string, "players", "spec", "3", "\"players\": entry 1 has no name, spec and author");
    check_refused(string, "maps", NULL, "[]", "\"maps\" is no list of 1 to 1024 maps");
    check_refused(string, "maps", "map", "7", "\"maps\": entry 1 has no name, author and map");
    check_refused(string, "maps", "map", "\"SIZEX[6];\"", "duel");
    assert_false(tournament_read("text", "{", 1, &tournament, &e));
    assert_true(strncmp(e.text, "text:1: ", 8) == 0);
    assert_false(tournament_compare(string, "{", &e));
    assert_string_equal(e.text, "what it was begun with cannot be read");
    text_done(&text);
}

static void read_and_write(void *context) {
    const struct text *text = context;
    struct tournament tournament;
    struct text again = {0};
    struct err e = {{0}};
    assert_true(tournament_read("text", text_string(text), text->size, &tournament, &e));
    assert_true(tournament_write(&tournament, &again, &e));
    assert_string_equal(text_string(text), text_string(&again));
    text_done(&again);
    tournament_done(&tournament);
}

static void events_can_run_out_of_memory(void **state) {
    (void)state;
    struct tournament tournament;
    struct text text = {0};
    long n = 1;
    build(&tournament);
    write(&tournament, &text);
    while (memory_runs_out(n, read_and_write, &text))
        n += 1 + n / 64;
    assert_true(n > 10);
    tournament_done(&tournament);
    text_done(&text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_go_there_and_back),     cmocka_unit_test(rule_sets_are_stored),
        cmocka_unit_test(differences_are_named),        cmocka_unit_test(wrong_events_are_refused),
        cmocka_unit_test(fields_may_come_and_go),       cmocka_unit_test(names_must_be_text),
        cmocka_unit_test(events_can_run_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
