/* SPDX-License-Identifier: MIT
 *
 * The JSON of states, actions and thoughts for the page: the members of its types, the rules' own numbers,
 * and nothing that is hidden from the viewer. The last is tested with other hidden parts: no byte may change.
 */
#include "serve/inside.h"
#include "tests/own_maps.h"
#include "tests/sample.h"

#include "game/geister/geister.h"
#include "game/plain.h"
#include "game/tbs/tbs.h"
#include "player/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ACTIONS_MAX = 4096, GAMES = 12 };

static struct scenario *load(const char *spec) {
    struct err e;
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}

/* Takes the value; the text is the caller's. */
static char *dumped(json_t *value) {
    assert_non_null(value);
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS);
    json_decref(value);
    assert_non_null(text);
    return text;
}

/* Has the object these members (blanks between them) and no others? */
static void check_members(const json_t *object, const char *names) {
    char list[512];
    char *pieces[32];
    snprintf(list, sizeof list, "%s", names);
    const int count = text_split(list, ' ', pieces, 32);
    for (int i = 0; i < count; i++)
        if (json_object_get(object, pieces[i]) == NULL)
            fail_msg("\"%s\" is missing", pieces[i]);
    assert_int_equal(json_object_size(object), count);
}

static const char *text_at(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void play_text(const struct scenario *scenario, void *state, const char *text) {
    struct rng r;
    struct err e;
    action a;
    rng_seed(&r, 1);
    if (!scenario->game->text->read_action(state, text, &a, &e))
        fail_msg("%s", e.text);
    scenario->game->play(state, a, &r);
}

/* ---- the tactical game ---- */

#define TBS_STATE "game mover turn text result payoff over units turn_limit threshold hp"

static void check_tbs_state(const struct scenario *scenario, const void *state) {
    struct tbs_position p;
    _Alignas(16) unsigned char again[GAME_STATE_MAX];
    struct err e;
    tbs_position_of(state, &p);
    json_t *shape = json_view_state(scenario, state, JSON_VIEWER_PUBLIC);
    check_members(shape, TBS_STATE);
    size_t alive = 0;
    for (int id = 0; id < p.unit_count; id++)
        alive += p.units[id].hp > 0;
    assert_int_equal(json_array_size(json_object_get(shape, "units")), alive);
    for (size_t i = 0; i < alive; i++) {
        const json_t *unit = json_array_get(json_object_get(shape, "units"), i);
        check_members(unit, "id type side x y hp done");
        const struct tbs_unit *u = &p.units[json_integer_value(json_object_get(unit, "id"))];
        assert_int_equal(json_integer_value(json_object_get(unit, "x")), u->x);
        assert_int_equal(json_integer_value(json_object_get(unit, "hp")), u->hp);
        assert_string_equal(text_at(unit, "type"), tbs_unit_types[u->type].name);
    }
    if (!scenario->game->text->read_state(again, scenario, text_at(shape, "text"), &e))
        fail_msg("%s", e.text);
    assert_true(scenario->game->key(again) == scenario->game->key(state));
    json_decref(shape);
}

/* The page's actions are those of the rules, each once. */
static void check_tbs_actions(const struct scenario *scenario, const void *state) {
    const struct game *game = scenario->game;
    static action list[ACTIONS_MAX];
    const int count = game->actions(state, list);
    json_t *shape = json_view_actions(scenario, state);
    check_members(shape, "game units");
    const json_t *units = json_object_get(shape, "units");
    int told = 0;
    for (size_t i = 0; i < json_array_size(units); i++) {
        const json_t *unit = json_array_get(units, i), *cell;
        const int id = (int)json_integer_value(json_object_get(unit, "id"));
        size_t j;
        check_members(unit, "id stays attacks");
        json_array_foreach(json_object_get(unit, "stays"), j, cell) {
            assert_int_equal(json_array_size(cell), 2);
            assert_true(game->is_legal(state, tbs_action(id, (int)json_integer_value(json_array_get(cell, 0)),
                                                         (int)json_integer_value(json_array_get(cell, 1)),
                                                         TBS_NO_TARGET)));
            told++;
        }
        json_array_foreach(json_object_get(unit, "attacks"), j, cell) {
            int n[5];
            assert_int_equal(json_array_size(cell), 5);
            for (size_t k = 0; k < 5; k++)
                n[k] = (int)json_integer_value(json_array_get(cell, k));
            const action a = tbs_action(id, n[0], n[1], n[2]);
            assert_true(game->is_legal(state, a));
            assert_int_equal(tbs_preview(state, a).damage, n[3]);
            assert_int_equal(tbs_preview(state, a).counter, n[4]);
            told++;
        }
    }
    assert_int_equal(told, count);
    json_decref(shape);
}

/* The declared effects of an action equal its real effects. */
static void check_tbs_did(const struct scenario *scenario, const void *state, action a) {
    struct tbs_position before, after;
    _Alignas(16) unsigned char next[GAME_STATE_MAX];
    struct rng r;
    rng_seed(&r, 1);
    memcpy(next, state, scenario->game->state_size);
    scenario->game->play(next, a, &r);
    tbs_position_of(state, &before);
    tbs_position_of(next, &after);
    json_t *did = json_view_did(scenario, state, a, JSON_VIEWER_FIRST);
    const json_t *target = json_object_get(did, "target");
    check_members(did, target != NULL ? "kind unit type side from to target" : "kind unit type side from to");
    assert_int_equal(target != NULL, tbs_action_target(a) != TBS_NO_TARGET);
    if (target != NULL) {
        const int id = tbs_action_target(a), unit = tbs_action_unit(a);
        check_members(target, "id type at damage counter destroyed lost");
        assert_int_equal(json_integer_value(json_object_get(target, "damage")),
                         before.units[id].hp - after.units[id].hp);
        assert_int_equal(json_integer_value(json_object_get(target, "counter")),
                         before.units[unit].hp - after.units[unit].hp);
        assert_int_equal(json_is_true(json_object_get(target, "destroyed")), after.units[id].hp == 0);
        assert_int_equal(json_is_true(json_object_get(target, "lost")), after.units[unit].hp == 0);
    }
    json_decref(did);
}

static void test_tbs(void **unused) {
    (void)unused;
    struct scenario *scenario = own_map("ambush");
    const struct game *game = scenario->game;
    static action list[ACTIONS_MAX];
    struct rng r;
    int attacks = 0;
    rng_seed(&r, 3);
    for (int n = 0; n < 4; n++) {
        _Alignas(16) unsigned char state[GAME_STATE_MAX];
        game->start(state, scenario, &r);
        while (game->mover(state) != NOBODY) {
            check_tbs_state(scenario, state);
            check_tbs_actions(scenario, state);
            const int count = game->actions(state, list);
            const action a = list[rng_below(&r, (uint32_t)count)];
            attacks += tbs_action_target(a) != TBS_NO_TARGET;
            check_tbs_did(scenario, state, a);
            game->play(state, a, &r);
        }
        check_tbs_state(scenario, state);
        json_t *actions = json_view_actions(scenario, state),
               *shape = json_view_state(scenario, state, JSON_VIEWER_ALL);
        assert_true(json_is_null(actions));
        assert_true(json_is_null(json_object_get(shape, "mover")));
        assert_true(json_is_true(json_object_get(shape, "over")));
        assert_int_equal(json_array_size(json_object_get(shape, "payoff")), 2);
        json_decref(actions);
        json_decref(shape);
    }
    assert_true(attacks > 20);
    game_unload(scenario);
}

static void test_tbs_other_actions(void **unused) {
    (void)unused;
    struct scenario *scenario = own_map("duel");
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    rng_seed(&r, 1);
    scenario->game->start(state, scenario, &r);
    char *pass = dumped(json_view_did(scenario, state, TBS_PASS, JSON_VIEWER_PUBLIC));
    char *resign = dumped(json_view_played(scenario, state, TBS_RESIGN, JSON_VIEWER_PUBLIC));
    char *text = dumped(json_view_action(scenario, state, TBS_PASS, JSON_VIEWER_PUBLIC));
    assert_string_equal(pass, "{\"kind\":\"pass\",\"side\":0}");
    assert_string_equal(resign, "{\"kind\":\"resign\",\"side\":0}");
    assert_string_equal(text, "\"pass\"");
    free(pass);
    free(resign);
    free(text);
    json_t *map = json_view_map(scenario);
    assert_string_equal(text_at(map, "format"), "senjutsu-map");
    json_decref(map);
    game_unload(scenario);
}

/* ---- Geister ---- */

static void test_geister(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s;
    struct rng r;
    rng_seed(&r, 1);
    geister_game.start(&s, scenario, &r);
    char *setup = dumped(json_view_actions(scenario, &s));
    assert_string_equal(setup, "{\"game\":\"geister\",\"moves\":[],\"setup\":true}");
    free(setup);
    play_text(scenario, &s, "ABCD");
    play_text(scenario, &s, "EFGH");
    json_t *state = json_view_state(scenario, &s, JSON_VIEWER_FIRST);
    check_members(state, "game mover turn text result payoff over phase ply plies_max pieces exits");
    assert_string_equal(text_at(state, "phase"), "play");
    const json_t *pieces = json_object_get(state, "pieces");
    assert_int_equal(json_array_size(pieces), 16);
    for (size_t i = 0; i < 16; i++) {
        const json_t *piece = json_array_get(pieces, i);
        check_members(piece, "side letter at fate colour");
        assert_int_equal(json_integer_value(json_object_get(piece, "side")), i / 8);
        assert_int_equal(text_at(piece, "letter")[0], 'A' + i % 8);
        assert_string_equal(text_at(piece, "colour"), i >= 8 ? "unknown" : i < 4 ? "red" : "blue");
    }
    char *first = dumped(json_deep_copy(json_array_get(pieces, 0)));
    assert_string_equal(first,
                        "{\"at\":[1,4],\"colour\":\"red\",\"fate\":\"board\",\"letter\":\"A\",\"side\":0}");
    free(first);
    json_decref(state);
    json_t *actions = json_view_actions(scenario, &s);
    check_members(actions, "game setup moves");
    assert_int_equal(json_array_size(json_object_get(actions, "moves")), 8);
    char *move = dumped(json_deep_copy(json_array_get(json_object_get(actions, "moves"), 0)));
    assert_non_null(strstr(move, "\"action\":\""));
    free(move);
    json_decref(actions);
    game_unload(scenario);
}

/* A taken piece has a visible colour; before, it is hidden from the taking side. */
static void test_geister_taking(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s;
    struct err e;
    action a = 0;
    /* A may take a, one cell to the north. */
    if (!geister_game.text->read_state(&s, scenario,
                                       "board=14R24R34R44R15B25B35B45B13b31b21b11b40r30r20r10r mover=first "
                                       "ply=6 from=- moves=-",
                                       &e) ||
        !geister_game.text->read_action(&s, "AN", &a, &e))
        fail_msg("%s", e.text);
    char *would = dumped(json_view_did(scenario, &s, a, JSON_VIEWER_FIRST));
    char *has = dumped(json_view_played(scenario, &s, a, JSON_VIEWER_PUBLIC));
    char *line = dumped(json_view_line(scenario, &s, &a, 1, JSON_VIEWER_FIRST));
    assert_string_equal(would,
                        "{\"from\":[1,4],\"kind\":\"geister\",\"letter\":\"A\",\"side\":0,\"to\":[1,3],"
                        "\"took\":{\"colour\":\"unknown\",\"letter\":\"A\"}}");
    assert_string_equal(has, "{\"from\":[1,4],\"kind\":\"geister\",\"letter\":\"A\",\"side\":0,\"to\":[1,3],"
                             "\"took\":{\"colour\":\"blue\",\"letter\":\"A\"}}");
    assert_non_null(strstr(line, "unknown"));
    assert_null(strstr(line, "blue"));
    free(would);
    free(has);
    free(line);
    game_unload(scenario);
}

/* ---- nothing that is hidden ---- */

/* Both must give the same text; the counter shows that texts were compared. */
static void compare(json_t *one, json_t *other, long *bytes) {
    char *a = dumped(one), *b = dumped(other);
    if (strcmp(a, b) != 0)
        fail_msg("what is hidden shows:\n%s\n%s", a, b);
    *bytes += (long)strlen(a);
    free(a);
    free(b);
}

/* A state and another one that the viewer cannot distinguish from it. */
static void compare_worlds(const struct scenario *scenario, const void *state, const void *other,
                           enum json_viewer viewer, long *bytes) {
    const struct game *game = scenario->game;
    static action list[ACTIONS_MAX];
    compare(json_view_state(scenario, state, viewer), json_view_state(scenario, other, viewer), bytes);
    const int count = game->mover(state) != NOBODY ? game->actions(state, list) : 0;
    for (int i = 0; i < count; i++) {
        if (!game->is_legal(other, list[i]))
            continue;
        compare(json_view_did(scenario, state, list[i], viewer),
                json_view_did(scenario, other, list[i], viewer), bytes);
        compare(json_view_action(scenario, state, list[i], viewer),
                json_view_action(scenario, other, list[i], viewer), bytes);
        compare(json_view_line(scenario, state, &list[i], 1, viewer),
                json_view_line(scenario, other, &list[i], 1, viewer), bytes);
    }
}

static int side_of(enum json_viewer viewer) {
    return viewer == JSON_VIEWER_PUBLIC ? NOBODY : (int)viewer;
}

/* The choice of a set-up is hidden: another one gives the same JSON to all but the choosing side. */
static void compare_actions(const struct scenario *scenario, const void *state, enum json_viewer viewer,
                            long *bytes) {
    static action list[ACTIONS_MAX];
    if (scenario->game != &geister_game || ((const struct geister *)state)->stage >= GEISTER_PLAYING ||
        side_of(viewer) == scenario->game->mover(state))
        return;
    scenario->game->actions(state, list);
    compare(json_view_action(scenario, state, list[0], viewer),
            json_view_action(scenario, state, list[1], viewer), bytes);
    compare(json_view_played(scenario, state, list[0], viewer),
            json_view_played(scenario, state, list[1], viewer), bytes);
}

static void play_hidden(const struct scenario *scenario, struct rng *r, long *bytes, long *different) {
    const struct game *game = scenario->game;
    static action list[ACTIONS_MAX];
    _Alignas(16) unsigned char state[GAME_STATE_MAX], other[GAME_STATE_MAX];
    memset(state, 0, sizeof state);
    game->start(state, scenario, r);
    while (game->mover(state) != NOBODY) {
        for (int viewer = JSON_VIEWER_FIRST; viewer <= JSON_VIEWER_PUBLIC; viewer++) {
            game_view(game, state, side_of((enum json_viewer)viewer), other);
            game->determinize(other, r);
            *different += memcmp(other, state, game->state_size) != 0;
            compare_worlds(scenario, state, other, (enum json_viewer)viewer, bytes);
            compare_actions(scenario, state, (enum json_viewer)viewer, bytes);
        }
        const int count = game->actions(state, list);
        game->play(state, list[rng_below(r, (uint32_t)count)], r);
    }
}

static void test_hidden(void **unused) {
    static const char *const games[] = {"geister", "geister:rules=uctgeister", "kuhn", "synth:depth=6"};
    (void)unused;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++) {
        struct scenario *scenario = load(games[i]);
        long bytes = 0, different = 0;
        struct rng r;
        rng_seed(&r, i + 1);
        for (int n = 0; n < (scenario->game == &geister_game ? SAMPLE(3, 1) : GAMES); n++)
            play_hidden(scenario, &r, &bytes, &different);
        if (scenario->game->hide == NULL || bytes < 1000 || different < 5)
            fail_msg("%s: %ld bytes of %ld other worlds were compared", games[i], bytes, different);
        game_unload(scenario);
    }
}

/* Control for the test above: a viewer that sees everything gets different JSON for another world. */
static void test_hidden_is_there(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister one, other;
    struct rng r;
    rng_seed(&r, 1);
    geister_game.start(&one, scenario, &r);
    play_text(scenario, &one, "ABCD");
    other = one;
    play_text(scenario, &one, "ABCD");
    play_text(scenario, &other, "EFGH");
    for (int viewer = JSON_VIEWER_FIRST; viewer <= JSON_VIEWER_ALL; viewer++) {
        char *a = dumped(json_view_state(scenario, &one, (enum json_viewer)viewer));
        char *b = dumped(json_view_state(scenario, &other, (enum json_viewer)viewer));
        assert_int_equal(strcmp(a, b) == 0, viewer == JSON_VIEWER_FIRST || viewer == JSON_VIEWER_PUBLIC);
        free(a);
        free(b);
    }
    game_unload(scenario);
}

/* ---- plain games ---- */

static void test_plain(void **unused) {
    (void)unused;
    struct scenario *scenario = load("kuhn");
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    action list[16];
    struct rng r;
    rng_seed(&r, 1);
    game->start(state, scenario, &r);
    json_t *shape = json_view_state(scenario, state, JSON_VIEWER_FIRST);
    check_members(shape, "game mover turn text result payoff over name");
    assert_string_equal(text_at(shape, "game"), "plain");
    assert_string_equal(text_at(shape, "name"), "kuhn");
    json_decref(shape);
    json_t *actions = json_view_actions(scenario, state);
    check_members(actions, "game list");
    assert_int_equal(json_array_size(json_object_get(actions, "list")), game->actions(state, list));
    json_decref(actions);
    json_t *did = json_view_did(scenario, state, list[0], JSON_VIEWER_PUBLIC);
    check_members(did, "kind side text");
    json_decref(did);
    json_t *map = json_view_map(scenario);
    assert_true(json_is_null(map));
    json_decref(map);
    game_unload(scenario);
}

static void write_quoted(const void *state, struct text *out) {
    (void)state;
    text_add_string(out, "say \"a\\b\"\nend\n");
}

static void states_of_any_text_are_json(void **unused) {
    (void)unused;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct notation notation = *kuhn_game.text;
    struct game quoting = kuhn_game;
    const struct scenario scenario = {&quoting};
    struct rng r;
    notation.write_state = write_quoted;
    quoting.text = &notation;
    rng_seed(&r, 1);
    quoting.start(state, &scenario, &r);
    json_t *shape = json_view_state(&scenario, state, JSON_VIEWER_FIRST);
    assert_string_equal(text_at(shape, "text"), "say \"a\\b\"\nend");
    json_decref(shape);
}

/* ---- thoughts ---- */

static json_t *ask(const struct scenario *scenario, const void *view, const char *spec, int top) {
    struct err e;
    struct rng r;
    struct answer answer;
    static struct thoughts thoughts;
    rng_seed(&r, 1);
    thoughts_start(&thoughts);
    struct player *player = player_open(spec, scenario->game, &e);
    if (player == NULL)
        fail_msg("%s", e.text);
    const struct ask question = {.game = scenario->game, .view = view, .rng = &r, .thoughts = &thoughts};
    player_choose_in(player, &question, &answer);
    player_close(player);
    const struct json_view_thoughts of = {&thoughts, spec, 0.25, top};
    return json_view_thoughts(scenario, view, &of);
}

static void check_candidates(const json_t *candidates, bool is_chance) {
    const json_t *candidate;
    size_t i;
    json_array_foreach(candidates, i, candidate) {
        const json_t *chance = json_object_get(candidate, "chance"),
                     *line = json_object_get(candidate, "line");
        check_members(candidate, "action did value chance at_most visits line");
        assert_int_equal(json_is_real(chance), is_chance);
        if (is_chance)
            assert_true(json_real_value(chance) >= 0 && json_real_value(chance) <= 1);
        if (json_array_size(line) > 0)
            assert_string_equal(text_at(json_array_get(line, 0), "action"), text_at(candidate, "action"));
        for (size_t j = 0; j < json_array_size(line); j++)
            check_members(json_array_get(line, j), "action did");
    }
}

static void test_thoughts(void **unused) {
    (void)unused;
    struct scenario *scenario = own_map("duel");
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    struct rng r;
    rng_seed(&r, 1);
    scenario->game->start(state, scenario, &r);
    json_t *uct = ask(scenario, state, "uct:sims=300", 5), *minmax = ask(scenario, state, "minmax", 64);
    check_members(uct, "side player candidates total simulations nodes depth seconds");
    assert_int_equal(json_array_size(json_object_get(uct, "candidates")), 5);
    assert_string_equal(text_at(uct, "player"), "uct:sims=300");
    check_candidates(json_object_get(uct, "candidates"), true);
    assert_true(json_array_size(json_object_get(minmax, "candidates")) > 5);
    check_candidates(json_object_get(minmax, "candidates"), false);
    json_decref(uct);
    json_decref(minmax);
    game_unload(scenario);
}

/* Does it take a piece of the second player? Then the colour is omitted. */
static int count_taken(const json_t *did) {
    const json_t *took = json_object_get(did, "took");
    if (took == NULL || json_integer_value(json_object_get(did, "side")) != 0)
        return 0;
    assert_string_equal(text_at(took, "colour"), "unknown");
    return 1;
}

/* A player's thoughts about a piece that it could take do not reveal its colour. */
static void test_thoughts_hidden(void **unused) {
    (void)unused;
    struct scenario *scenario = load("geister");
    struct geister s;
    struct err e;
    if (!geister_game.text->read_state(&s, scenario,
                                       "board=14R24R34R44R15B25B35B45B13b31b21b11b40r30r20r10r mover=first "
                                       "ply=6 from=- moves=-",
                                       &e))
        fail_msg("%s", e.text);
    geister_game.hide(&s, 0);
    json_t *thoughts = ask(scenario, &s, "geist:sims=200", 64);
    const json_t *candidate;
    int taken = 0;
    size_t i;
    json_array_foreach(json_object_get(thoughts, "candidates"), i, candidate) {
        taken += count_taken(json_object_get(candidate, "did"));
        for (size_t j = 0; j < json_array_size(json_object_get(candidate, "line")); j++)
            count_taken(json_object_get(json_array_get(json_object_get(candidate, "line"), j), "did"));
    }
    assert_int_equal(taken, 1);
    json_decref(thoughts);
    game_unload(scenario);
}

static void test_chances(void **unused) {
    (void)unused;
    assert_true(player_expects_payoffs("uct"));
    assert_true(player_expects_payoffs("pwuct:sims=10"));
    assert_true(player_expects_payoffs("geist:sims=10,mate=3"));
    assert_true(player_expects_payoffs("gst-b"));
    assert_false(player_expects_payoffs("minmax:depth=2"));
    assert_false(player_expects_payoffs("acteval"));
    assert_false(player_expects_payoffs("dlmc"));
    assert_false(player_expects_payoffs("purple"));
    assert_false(player_expects_payoffs("split:player=uct"));
    assert_false(player_expects_payoffs(":"));
}

static void test_numbers(void **unused) {
    (void)unused;
    const double given[] = {0.5, -0.0, 1e300, -1e300, 1.0 / 0.0, 0.0 / 0.0};
    const double wanted[] = {0.5, 0, 1e9, -1e9, 1e9, 0};
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        json_t *number = json_view_number(given[i]);
        assert_true(json_real_value(number) == wanted[i]);
        json_decref(number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(states_of_any_text_are_json),
        cmocka_unit_test(test_tbs),
        cmocka_unit_test(test_tbs_other_actions),
        cmocka_unit_test(test_geister),
        cmocka_unit_test(test_geister_taking),
        cmocka_unit_test(test_hidden),
        cmocka_unit_test(test_hidden_is_there),
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_thoughts),
        cmocka_unit_test(test_thoughts_hidden),
        cmocka_unit_test(test_chances),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
