/* SPDX-License-Identifier: MIT
 *
 * The catalogue that the page receives: it is complete and agrees with the registries.
 */
#include "tests/bench_support.h"

#include "evolve/recipe.h"
#include "player/player.h"
#include "repro/repro.h"
#include "serve/inside.h"
#include "tournament/tournament.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static json_t *get(const char *path) {
    return served_ask(&served, MESSAGE_GET, path, NULL, 200);
}

/* The object of a list whose "name" is that. */
static const json_t *named(const json_t *list, const char *name) {
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item) {
        if (strcmp(json_string_value(json_object_get(item, "name")), name) == 0)
            return item;
    }
    fail_msg("there is no '%s'", name);
    return NULL;
}

static const char *text_of(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (text == NULL)
        fail_msg("\"%s\" is no text", key);
    return text;
}

static bool has_text(const json_t *list, const char *text) {
    size_t i;
    const json_t *item;
    bool found = false;
    json_array_foreach(list, i, item) {
        found = found || strcmp(json_string_value(item), text) == 0;
    }
    return found;
}

static void describes_itself(void **state) {
    (void)state;
    json_t *about = get("/api/about");
    assert_true(strlen(text_of(about, "version")) > 0 && strlen(text_of(about, "compiler")) > 0);
    assert_int_equal(json_integer_value(json_object_get(about, "cores")), 2);
    assert_string_equal(text_of(about, "data"), served.data);
    assert_true(json_is_false(json_object_get(about, "programs")));
    assert_true(json_is_boolean(json_object_get(about, "pictures")));
    json_decref(about);
}

static void lists_games(void **state) {
    (void)state;
    json_t *games = get("/api/games");
    const json_t *tbs = named(games, "tbs"), *geister = named(games, "geister");
    assert_true(json_is_true(json_object_get(tbs, "takes_maps")));
    assert_true(json_is_false(json_object_get(tbs, "hidden")));
    assert_true(json_is_true(json_object_get(geister, "hidden")));
    assert_string_equal(text_of(geister, "adviser"), "geist");
    assert_string_equal(json_string_value(json_array_get(json_object_get(tbs, "sides"), 1)), "blue");
    size_t i;
    const json_t *game;
    json_array_foreach(games, i, game) {
        const struct game *table = game_find(text_of(game, "name"));
        struct player *opponent = player_open(text_of(game, "opponent"), table, NULL);
        struct player *adviser = player_open(text_of(game, "adviser"), table, NULL);
        assert_non_null(opponent);
        assert_non_null(adviser);
        player_close(opponent);
        player_close(adviser);
    }
    json_decref(games);
}

static void lists_players(void **state) {
    (void)state;
    json_t *players = get("/api/players");
    int count = 0;
    while (player_types[count] != NULL)
        count++;
    assert_int_equal(json_array_size(players), count);
    const json_t *uct = json_object_get(named(players, "uct"), "games");
    assert_true(has_text(uct, "tbs"));
    assert_false(has_text(uct, "geister"));
    const json_t *geist = json_object_get(named(players, "geist"), "games");
    assert_true(has_text(geist, "geister") && json_array_size(geist) == 1);
    assert_true(has_text(json_object_get(named(players, "random"), "games"), "kuhn"));
    assert_int_equal(json_array_size(json_object_get(named(players, "ext"), "games")), 0);
    json_decref(players);
}

static void lists_programs_where_they_are_allowed(void **state) {
    (void)state;
    struct served open = {.idle = true, .programs = true};
    served_open(&open);
    json_t *players = served_ask(&open, MESSAGE_GET, "/api/players", NULL, 200);
    assert_true(has_text(json_object_get(named(players, "ext"), "games"), "tbs"));
    json_decref(players);
    served_remove(&open);
}

/* Every option of every player accepts its documented default. */
static void gives_defaults_as_in_specs(void **state) {
    (void)state;
    for (int i = 0; player_types[i] != NULL; i++) {
        json_t *options = params_describe(player_types[i]->params, NULL);
        size_t k;
        const json_t *option;
        json_array_foreach(options, k, option) {
            struct text spec = {0}, canonical = {0};
            struct err e = {""};
            if (strcmp(player_types[i]->name, "ext") == 0 || text_of(option, "default")[0] == '\0')
                continue;
            text_add(&spec, "%s:%s=[%s]", player_types[i]->name, text_of(option, "name"),
                     text_of(option, "default"));
            if (!player_check(text_string(&spec), &canonical, &e))
                fail_msg("%s: %s", text_string(&spec), e.text);
            assert_string_equal(text_string(&canonical), player_types[i]->name);
            text_done(&spec);
            text_done(&canonical);
        }
        json_decref(options);
    }
}

static void gives_ranges_and_choices(void **state) {
    (void)state;
    json_t *players = get("/api/players");
    const json_t *options = json_object_get(named(players, "uct"), "options");
    const json_t *sims = named(options, "sims"), *cut = named(options, "cut");
    assert_string_equal(text_of(sims, "kind"), "int");
    assert_string_equal(text_of(sims, "default"), "6000");
    assert_true(json_number_value(json_object_get(sims, "low")) >= 1);
    assert_string_equal(text_of(cut, "kind"), "choice");
    assert_string_equal(text_of(cut, "default"), "hp");
    assert_int_equal(json_array_size(json_object_get(cut, "choices")), 2);
    assert_true(has_text(json_object_get(cut, "choices"), "loss"));
    assert_null(json_object_get(cut, "low"));
    json_decref(players);
}

/* A value beyond a range that the page receives is refused, with the field and a code. */
static void gives_the_ranges_of_requests(void **state) {
    static const struct {
        const char *kind, *others;
    } kinds[] = {{"match", "\"players\":[\"random\",\"first\"],"},
                 {"tournament", "\"players\":[\"random\",\"first\"],"},
                 {"judge", "\"map\":\"duel\","},
                 {"evolve", ""},
                 {"repro", "\"experiment\":\"tbs-fig4\","}};
    (void)state;
    json_t *requests = get("/api/requests");
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        const json_t *rows = json_object_get(requests, kinds[k].kind), *row;
        size_t i, ranges = 0;
        json_array_foreach(rows, i, row) {
            const json_t *low = json_object_get(row, "low"), *high = json_object_get(row, "high");
            for (int end = 0; end < 2 && high != NULL; end++) {
                char body[256];
                snprintf(body, sizeof body, "{\"kind\":\"%s\",\"params\":{%s\"%s\":%.15g}}", kinds[k].kind,
                         kinds[k].others, text_of(row, "name"),
                         end == 0 ? json_number_value(low) - 1 : json_number_value(high) + 1);
                json_t *answer = served_ask(&served, MESSAGE_POST, "/api/jobs", body, 400);
                assert_string_equal(text_of(answer, "field"), text_of(row, "name"));
                assert_memory_equal(text_of(answer, "code"), "json.", 5);
                json_decref(answer);
                ranges++;
            }
        }
        assert_true(ranges > 0);
    }
    assert_string_equal(text_of(named(json_object_get(requests, "match"), "games"), "default"), "100");
    assert_int_equal(json_array_size(json_object_get(requests, "match")), 8);
    named(json_object_get(requests, "analysis"), "top");
    named(json_object_get(requests, "random_map"), "units");
    json_decref(requests);
}

static void describes_the_tactical_game(void **state) {
    (void)state;
    json_t *tbs = get("/api/tbs");
    const json_t *units = json_object_get(tbs, "units"), *terrains = json_object_get(tbs, "terrains");
    assert_int_equal(json_array_size(units), TBS_TYPES);
    assert_string_equal(text_of(named(units, "cannon"), "class"), "vehicle");
    assert_true(json_is_false(json_object_get(named(units, "cannon"), "direct")));
    assert_int_equal(json_array_size(terrains), TBS_TERRAINS);
    const json_t *cost = json_object_get(named(terrains, "sea"), "cost");
    assert_true(json_is_null(json_object_get(cost, "foot")));
    assert_int_equal(json_integer_value(json_object_get(cost, "air")), 1);
    const json_t *paper = named(json_object_get(tbs, "rules"), "paper");
    const json_t *row = json_array_get(json_object_get(paper, "power"), TBS_ANTIAIR);
    assert_int_equal(json_integer_value(json_array_get(row, TBS_INFANTRY)), 115);
    assert_int_equal(json_integer_value(json_object_get(tbs, "cells_max")), 32);
    json_decref(tbs);
}

static void lists_experiments_and_presets(void **state) {
    (void)state;
    json_t *experiments = get("/api/experiments"), *tournaments = get("/api/presets/tournament"),
           *recipes = get("/api/presets/evolve");
    for (int i = 0; repro_experiments[i] != NULL; i++)
        assert_true(json_is_null(json_object_get(named(experiments, repro_experiments[i]->name), "last")));
    for (const struct tournament_rules_preset *preset = tournament_rules_presets; preset->name != NULL;
         preset++)
        assert_string_equal(text_of(named(tournaments, preset->name), "help"), preset->help);
    for (int i = 0; recipe_presets[i] != NULL; i++)
        assert_true(strlen(text_of(named(recipes, recipe_presets[i]), "help")) > 0);
    const json_t *designer = json_object_get(named(recipes, "designer"), "options");
    const json_t *paper = json_object_get(named(recipes, "paper"), "options");
    assert_string_equal(text_of(named(designer, "method"), "default"), "archive");
    assert_string_not_equal(text_of(named(paper, "method"), "default"), "archive");
    json_decref(experiments);
    json_decref(tournaments);
    json_decref(recipes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_itself),
        cmocka_unit_test(lists_games),
        cmocka_unit_test(lists_players),
        cmocka_unit_test(lists_programs_where_they_are_allowed),
        cmocka_unit_test(gives_defaults_as_in_specs),
        cmocka_unit_test(gives_ranges_and_choices),
        cmocka_unit_test(gives_the_ranges_of_requests),
        cmocka_unit_test(describes_the_tactical_game),
        cmocka_unit_test(lists_experiments_and_presets),
    };
    return cmocka_run_group_tests(tests, open_idle, close_it);
}
