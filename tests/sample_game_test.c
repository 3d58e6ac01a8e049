/* SPDX-License-Identifier: MIT
 *
 * Single trials: the seats, the observations of the game, and that the seed determines all of it.
 */
#include "evolve/evaluator.c" /* players and notes of sample games are internal */

#include "outside_support.h"
#include "own_maps.h"
#include "sample.h"
#include "player/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* A batch with one worker, whose players stay open. */
struct table {
    struct batch_player players[SAMPLE_PLAYERS];
    atomic_bool stop;
    struct batch *batch;
    struct sample_game last;
};

static void annotate_alike(void *context, const struct scheduled_game *game, const struct scenario *scenario,
                           const struct record *record, struct text *note) {
    (void)context, (void)game;
    sample_write_note(7, scenario, record, note);
}

static bool note_game(void *context, const struct batch_result *result, struct err *e) {
    struct table *t = context;
    uint64_t digest;
    (void)e;
    t->last =
        (struct sample_game){.kind = (enum sample_kind)result->game->stage, .outcome = *result->outcome};
    assert_true(sample_read_note(result->note, &digest, &t->last));
    assert_true(digest == 7);
    return true;
}

static void open_timed(struct table *t, const char *strong, const char *weak, const struct clock *clock) {
    struct err e = {{0}};
    *t = (struct table){0};
    if (!sample_players(strong, weak, t->players, &e))
        fail_msg("%s", e.text);
    const struct batch_setup setup = {.players = t->players,
                                      .player_count = SAMPLE_PLAYERS,
                                      .grant = &grant_everything,
                                      .clock = clock,
                                      .workers = 1,
                                      .stop = &t->stop,
                                      .annotate = annotate_alike,
                                      .on_game = note_game,
                                      .context = t};
    t->batch = batch_open(&setup);
}

static void open_players(struct table *t, const char *strong, const char *weak) {
    open_timed(t, strong, weak, NULL);
}

static void close_players(struct table *t) {
    assert_true(batch_close(t->batch, NULL));
}

static bool play_or_stop(struct table *t, struct scenario *scenario, enum sample_kind kind, uint64_t seed) {
    const struct sample_key key = {.kind = kind};
    struct scheduled_game game = sample_schedule(1, &key);
    struct outcome outcome = {0};
    struct err e = {{0}};
    game.seed = seed;
    const struct batch_list list = {1, &game, &outcome, &scenario, NULL};
    if (!batch_play(t->batch, &list, &e))
        fail_msg("%s", e.text);
    return outcome.played;
}

static struct sample_game play(struct table *t, struct scenario *scenario, enum sample_kind kind,
                               uint64_t seed) {
    assert_true(play_or_stop(t, scenario, kind, seed));
    assert_int_equal(t->last.kind, kind);
    return t->last;
}

static void assert_same(const struct sample_game *a, const struct sample_game *b) {
    assert_true(a->outcome.payoff == b->outcome.payoff);
    assert_int_equal(a->outcome.actions, b->outcome.actions);
    assert_int_equal(a->outcome.turns, b->outcome.turns);
    assert_int_equal(a->first_kills[0], b->first_kills[0]);
    assert_int_equal(a->first_kills[1], b->first_kills[1]);
    assert_true(a->attacked == b->attacked);
    assert_int_equal(a->outcome.fault, b->outcome.fault);
    assert_string_equal(a->outcome.result, b->outcome.result);
}

/* ---- hand-made maps ---- */

static struct tbs_map plain_map(int width, int height) {
    struct tbs_map map = {.width = width + 2, .height = height + 2, .turn_limit = 8, .declared = {-1, -1}};
    for (int x = 1; x <= width; x++)
        for (int y = 1; y <= height; y++)
            map.terrain[x][y] = TBS_PLAIN;
    return map;
}

static void place(struct tbs_map *map, struct tbs_map_unit unit) {
    map->units[map->unit_count++] = unit;
}

static struct scenario *scenario_of(const struct tbs_map *map, enum tbs_path path) {
    struct tbs_problems problems = {0};
    struct err e = {{0}};
    tbs_map_check(map, &problems);
    assert_int_equal(problems.count, 0);
    struct scenario *scenario = tbs_scenario_make(map, &tbs_rule_sets[0], path, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}

/* Red's two panzers have a wounded infantry each before them, which have no way out; blue's fighter, behind a
 * wall of sea, then finds a wounded attacker. The anti-aircraft units prevent an early end. */
static struct tbs_map kills_map(bool red_waits) {
    struct tbs_map map = plain_map(8, 3);
    for (int y = 1; y <= 3; y++)
        map.terrain[4][y] = TBS_SEA;
    place(&map, (struct tbs_map_unit){1, 1, TBS_PANZER, TBS_RED, 10, red_waits, 0});
    place(&map, (struct tbs_map_unit){1, 3, TBS_PANZER, TBS_RED, 10, red_waits, 0});
    place(&map, (struct tbs_map_unit){2, 1, TBS_INFANTRY, TBS_BLUE, 1, true, 0});
    place(&map, (struct tbs_map_unit){2, 3, TBS_INFANTRY, TBS_BLUE, 1, true, 0});
    place(&map, (struct tbs_map_unit){7, 2, TBS_ATTACKER, TBS_RED, 1, true, 0});
    place(&map, (struct tbs_map_unit){8, 2, TBS_FIGHTER, TBS_BLUE, 10, false, 0});
    return map;
}

static void first_turns_are_seen(void **state) {
    (void)state;
    struct table players;
    open_players(&players, "acteval", "acteval:style=sample");
    const struct tbs_map map = kills_map(false);
    for (int path = TBS_PATH_SMALL; path <= TBS_PATH_WIDE; path++) {
        struct scenario *scenario = scenario_of(&map, (enum tbs_path)path);
        for (int kind = 0; kind < SAMPLE_KINDS; kind++) {
            const struct sample_game t = play(&players, scenario, (enum sample_kind)kind, 5);
            assert_int_equal(t.first_kills[TBS_RED], 2);
            assert_int_equal(t.first_kills[TBS_BLUE], 1);
            assert_int_equal(t.attacked & 0x3F, 0x23); /* both panzers and the fighter */
            assert_false(sample_is_annihilation(&t));  /* panzers cannot hit what flies */
            assert_int_equal(t.outcome.turns, 8);
        }
        game_unload(scenario);
    }
    close_players(&players);
}

/* A side whose units are all done has no turn at the start: its first one comes later. */
static void the_first_turn_is_the_first_in_which_one_can_act(void **state) {
    (void)state;
    struct table players;
    open_players(&players, "acteval", "acteval");
    struct tbs_map map = kills_map(true);
    struct scenario *scenario = scenario_of(&map, TBS_PATH_AUTO);
    const struct sample_game t = play(&players, scenario, SAMPLE_PEERS, 1);
    assert_int_equal(t.first_kills[TBS_BLUE], 1);
    assert_int_equal(t.first_kills[TBS_RED], 2);
    game_unload(scenario);
    close_players(&players);
}

static void annihilation_is_seen(void **state) {
    (void)state;
    struct table players;
    open_players(&players, "acteval", "random");
    struct tbs_map map = plain_map(4, 1);
    place(&map, (struct tbs_map_unit){1, 1, TBS_PANZER, TBS_RED, 10, false, 0});
    place(&map, (struct tbs_map_unit){3, 1, TBS_INFANTRY, TBS_BLUE, 1, false, 0});
    struct scenario *scenario = scenario_of(&map, TBS_PATH_AUTO);
    const struct sample_game t = play(&players, scenario, SAMPLE_STRONG_RED, 1);
    assert_true(sample_is_annihilation(&t));
    assert_true(t.outcome.payoff == 1);
    assert_int_equal(t.outcome.actions, 1);
    assert_int_equal(t.first_kills[TBS_RED], 1);
    assert_int_equal(t.first_kills[TBS_BLUE], 0);
    assert_string_equal(t.outcome.result, "red annihilation");
    game_unload(scenario);
    close_players(&players);
}

/* ---- the players ---- */

static void strong_has_the_seat_of_the_kind(void **state) {
    (void)state;
    struct table players;
    open_players(&players, "acteval", "random");
    struct scenario *scenario = own_map("standard");
    double strong[2] = {0, 0}, peers = 0;
    enum { GAMES = 20 };
    for (int i = 0; i < GAMES; i++) {
        strong[0] += play(&players, scenario, SAMPLE_STRONG_RED, (uint64_t)i).outcome.payoff;
        strong[1] += 1 - play(&players, scenario, SAMPLE_STRONG_BLUE, (uint64_t)i).outcome.payoff;
        peers += play(&players, scenario, SAMPLE_PEERS, (uint64_t)i).outcome.payoff;
    }
    assert_true(strong[0] > 0.8 * GAMES);
    assert_true(strong[1] > 0.8 * GAMES);
    assert_true(peers > 0.1 * GAMES);
    assert_true(peers < 0.9 * GAMES);
    game_unload(scenario);
    close_players(&players);
}

/* Earlier games, on any table, do not matter. */
static void the_same_seed_is_the_same_trial(void **state) {
    (void)state;
    static const char *const strong[] = {"muct:sims=20,memory=1", "dlmc:sims=5", "random",
                                         "uct:sims=40,memory=1"};
    struct scenario *maps[] = {own_map("duel"), own_map("lane")};
    for (size_t i = SAMPLE(0, 2); i < sizeof strong / sizeof strong[0]; i++) {
        struct sample_game first[2][SAMPLE_KINDS];
        bool differ = false;
        struct table players;
        open_players(&players, strong[i], "acteval:style=sample");
        for (int m = 0; m < 2; m++)
            for (int kind = 0; kind < SAMPLE_KINDS; kind++)
                first[m][kind] = play(&players, maps[m], (enum sample_kind)kind, 77);
        for (int m = 1; m >= 0; m--)
            for (int kind = SAMPLE_KINDS - 1; kind >= 0; kind--) {
                struct table fresh;
                open_players(&fresh, strong[i], "acteval:style=sample");
                const struct sample_game other = play(&players, maps[m], (enum sample_kind)kind, 78);
                const struct sample_game again = play(&players, maps[m], (enum sample_kind)kind, 77);
                const struct sample_game anew = play(&fresh, maps[m], (enum sample_kind)kind, 77);
                assert_same(&again, &first[m][kind]);
                assert_same(&anew, &first[m][kind]);
                differ = differ || other.outcome.actions != again.outcome.actions ||
                         other.attacked != again.attacked;
                close_players(&fresh);
            }
        assert_true(differ);
        close_players(&players);
    }
    for (int m = 0; m < 2; m++)
        game_unload(maps[m]);
}

static void wide_maps_are_played(void **state) {
    (void)state;
    struct table players;
    open_players(&players, "acteval", "random");
    struct scenario *scenario = own_map("battle30");
    assert_true(scenario->game == &tbs_wide_game);
    const struct sample_game t = play(&players, scenario, SAMPLE_STRONG_BLUE, 3);
    assert_true(t.outcome.payoff == 0);
    assert_true(t.attacked != 0);
    game_unload(scenario);
    close_players(&players);
}

static void wrong_specs_are_refused(void **state) {
    (void)state;
    struct batch_player players[SAMPLE_PLAYERS];
    struct err e = {{0}};
    assert_false(sample_players("nosuch", "random", players, &e));
    assert_non_null(strstr(e.text, "strong: player 'nosuch' is unknown"));
    assert_false(sample_players("random", "muct:simulations=3", players, &e));
    assert_non_null(strstr(e.text, "weak: muct: option 'simulations' is unknown"));
}

static void a_fault_is_a_result(void **state) {
    (void)state;
    char spec[600];
    snprintf(spec, sizeof spec, "ext:cmd=%s exit 2", outside_saboteur());
    struct table players;
    open_players(&players, spec, "acteval");
    struct scenario *scenario = own_map("duel");
    for (int i = 0; i < 2; i++) { /* the next game has a fresh process */
        const struct sample_game t = play(&players, scenario, SAMPLE_STRONG_BLUE, 3);
        assert_int_equal(t.outcome.fault, PLAYER_FAULT_CRASH);
        assert_true(t.outcome.payoff == 1);
        assert_string_equal(t.outcome.result, "red crash");
        assert_true(t.outcome.actions > 0);
    }
    game_unload(scenario);
    close_players(&players);
}

static void a_stop_leaves_no_result(void **state) {
    (void)state;
    struct table players;
    open_players(&players, "acteval", "random");
    struct scenario *scenario = own_map("duel");
    atomic_store(&players.stop, true);
    assert_false(play_or_stop(&players, scenario, SAMPLE_PEERS, 1));
    game_unload(scenario);
    close_players(&players);
}

static int64_t count_looks(void *self) {
    int64_t *now = self;
    return *now += 1000000;
}

/* Players with a time limit receive the clock, and their use of it is measured. */
static void time_is_measured(void **state) {
    (void)state;
    int64_t now = 0;
    const struct clock clock = {.now_ns = count_looks, .self = &now};
    struct table players;
    open_timed(&players, "muct:time=50", "random", &clock);
    struct scenario *scenario = own_map("duel");
    const struct sample_game trial = play(&players, scenario, SAMPLE_STRONG_BLUE, 1);
    assert_true(trial.outcome.think_ns[TBS_RED] > 0);
    /* Two clock readings an action for the random player; dozens within muct's time, a millisecond each. */
    assert_true(trial.outcome.think_ns[TBS_BLUE] > 4 * trial.outcome.think_ns[TBS_RED]);
    game_unload(scenario);
    close_players(&players);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_turns_are_seen),
        cmocka_unit_test(the_first_turn_is_the_first_in_which_one_can_act),
        cmocka_unit_test(annihilation_is_seen),
        cmocka_unit_test(strong_has_the_seat_of_the_kind),
        cmocka_unit_test(the_same_seed_is_the_same_trial),
        cmocka_unit_test(wide_maps_are_played),
        cmocka_unit_test(wrong_specs_are_refused),
        cmocka_unit_test(a_fault_is_a_result),
        cmocka_unit_test(a_stop_leaves_no_result),
        cmocka_unit_test(time_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
