/* SPDX-License-Identifier: MIT
 *
 * Published experiments: results that depend neither on workers nor on interruptions, and the tables of the
 * experiments themselves.
 */
#include "repro/experiments.h"

#include "game/tbs/map.h"
#include "own_maps.h"
#include "player/player.h"
#include "repro_support.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- a small experiment ---- */

static const char *const test_maps[] = {"little", NULL};
static const struct repro_cell test_cells[] = {{"games", 0, {"acteval", "random"}},
                                               {"turned round", 0, {"random", "acteval"}},
                                               {"few", 0, {"random", "random"}, .repetitions_max = 2}};

static void test_finish(const struct repro_data *data, struct repro_result *out) {
    for (int cell = 0; cell < data->experiment->cell_count; cell++) {
        const struct play_score s = play_score(data, cell, TBS_RED);
        rows_add_share(out, data->experiment->cells[cell].label, (struct rows_published){50, 20}, s.points,
                       s.n);
    }
    const struct cell_sum time = rows_sum(data, 0, CELL_TIME);
    rows_add_time(out, "games ms", 10, time);
    rows_add_finding(out, TESTS(test_claim(true)), "finding.test", "games are \"played\", <always>");
}

static const struct repro_experiment test_experiment = {
    .name = "test-games",
    .group = "test",
    .title = "games between quick players",
    .source = "nowhere",
    .published = "nothing",
    .duration = "at once",
    .version = 1,
    .repetitions = 8,
    .repetitions_quick = 3,
    .maps = test_maps,
    .cells = test_cells,
    .cell_count = 3,
    .value_names = play_game_names,
    .finish = test_finish,
    .bars = {{"wins", "Games", "%", "wins"}},
};

struct host {
    int64_t now;
    struct clock clock;
    atomic_bool stop;
    int stop_after; /* trials; 0: never */
    int map_seed;
    int trials_seen;
};

static bool read_little_map(void *context, const char *name, struct text *out, struct err *e) {
    const struct host *host = context;
    struct tbs_random_options options;
    struct tbs_map map;
    struct rng r;
    assert_string_equal(name, "little");
    tbs_random_defaults(&options);
    options.width = options.height = 5;
    options.units[0] = options.units[1] = 3;
    options.turn_limit = 10;
    options.threshold = 2;
    rng_seed(&r, (uint64_t)host->map_seed);
    if (!tbs_map_random(&options, &r, &map, e))
        return false;
    tbs_map_write(&map, out);
    return true;
}

static void count_repetition(void *context, const struct repro_result *so_far) {
    struct host *host = context;
    host->trials_seen++;
    assert_true(so_far->repetitions_done <= so_far->repetitions_all);
    if (host->stop_after > 0 && host->trials_seen >= host->stop_after)
        atomic_store(&host->stop, true);
}

static void start_host(struct host *host) {
    *host = (struct host){.map_seed = 3};
    host->clock = clock_manual(&host->now);
}

static struct repro_options default_options(struct host *host) {
    return (struct repro_options){.seed = 5,
                                  .workers = 1,
                                  .program = "test",
                                  .clock = &host->clock,
                                  .stop = &host->stop,
                                  .read_map = read_little_map,
                                  .on_repetition = count_repetition,
                                  .context = host};
}

/* All reports of a run, as one text. */
static void describe(const struct repro_result *r, struct text *out) {
    json_t *root = output_json(r);
    char *dump = json_dumps(root, JSON_INDENT(1));
    text_add_string(out, dump);
    output_rows_csv(r, out);
    output_text(r, out);
    text_add_string(out, text_string(&r->repetitions_csv));
    for (int i = 0; i < r->plot_count; i++)
        text_add(out, "%s%s", text_string(&r->plots[i].script), text_string(&r->plots[i].data));
    free(dump);
    json_decref(root);
}

static struct repro_result result; /* large */

static void run_whole(const struct repro_options *options, struct text *out) {
    struct err e;
    const enum repro_outcome outcome = repro_run(&test_experiment, options, &result, &e);
    if (outcome != REPRO_DONE)
        fail_msg("%s", e.text);
    describe(&result, out);
    repro_result_done(&result);
}

static void results_do_not_depend_on_workers(void **state) {
    (void)state;
    struct text one = {0}, more = {0};
    for (int workers = 1; workers <= 4; workers++) {
        struct host host;
        start_host(&host);
        struct repro_options options = default_options(&host);
        options.workers = workers;
        text_clear(&more);
        run_whole(&options, workers == 1 ? &one : &more);
        assert_int_equal(host.trials_seen, 8 + 8 + 2);
        if (workers > 1)
            assert_string_equal(text_string(&one), text_string(&more));
    }
    struct host host;
    start_host(&host);
    struct repro_options options = default_options(&host);
    options.seed = 6;
    text_clear(&more);
    run_whole(&options, &more);
    assert_string_not_equal(text_string(&one), text_string(&more));
    text_done(&one);
    text_done(&more);
}

static int count_games(void) {
    int games_there = 0;
    for (int i = 1; i <= 18; i++) {
        char name[64];
        snprintf(name, sizeof name, "test-games-games/trial-%06d.json", i);
        games_there += access(repro_path(name), R_OK) == 0;
    }
    return games_there;
}

static void an_interrupted_run_goes_on(void **state) {
    (void)state;
    struct text whole = {0};
    struct host host;
    start_host(&host);
    struct repro_options options = default_options(&host);
    run_whole(&options, &whole);
    options.folder = repro_folder;
    mkdir(repro_path("test-games-games"), 0777);
    for (int workers = 1; workers <= 2; workers++) {
        remove(repro_path("test-games.journal"));
        int done = 0, runs = 0;
        for (enum repro_outcome outcome = REPRO_STOPPED; outcome == REPRO_STOPPED; runs++) {
            struct err e;
            start_host(&host);
            host.stop_after = 4;
            options.workers = workers;
            outcome = repro_run(&test_experiment, &options, &result, &e);
            assert_int_not_equal(outcome, REPRO_FAILED);
            assert_int_equal(result.repetitions_before, done);
            assert_true(result.repetitions_done > done);
            done = result.repetitions_done;
            if (outcome == REPRO_DONE) {
                struct text pieces = {0};
                describe(&result, &pieces);
                assert_string_equal(text_string(&whole), text_string(&pieces));
                text_done(&pieces);
            }
            repro_result_done(&result);
        }
        assert_true(runs >= (workers == 1 ? 4 : 2));
        assert_int_equal(count_games(), 18);
    }
    /* A complete journal: nothing is left to do, and the result is the same. */
    struct text again = {0};
    start_host(&host);
    run_whole(&options, &again);
    assert_int_equal(host.trials_seen, 0);
    assert_string_equal(text_string(&whole), text_string(&again));
    text_done(&again);
    text_done(&whole);
}

static void a_run_with_another_map_is_refused(void **state) {
    (void)state;
    struct err e;
    struct host host;
    start_host(&host);
    struct repro_options options = default_options(&host);
    options.folder = repro_folder;
    mkdir(repro_path("test-games-games"), 0777);
    options.fresh = true;
    assert_int_equal(repro_run(&test_experiment, &options, &result, &e), REPRO_DONE);
    repro_result_done(&result);
    options.fresh = false;
    host.map_seed = 4;
    assert_int_equal(repro_run(&test_experiment, &options, &result, &e), REPRO_FAILED);
    assert_non_null(strstr(e.text, "other players, maps or rules"));
    repro_result_done(&result);
}

static void a_game_can_be_replayed(void **state) {
    (void)state;
    struct text text = {0};
    repro_read(repro_path("test-games-games/trial-000001.json"), &text);
    json_t *root = json_loadb(text.data, text.size, 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_array_get(json_object_get(root, "players"), 0)), "acteval");
    json_decref(root);
    text_done(&text);
}

static void trials_follow_the_options(void **state) {
    (void)state;
    struct repro_options options = {0};
    assert_int_equal(repro_repetitions(&test_experiment, &options), 8);
    options.quick = true;
    assert_int_equal(repro_repetitions(&test_experiment, &options), 3);
    options.repetitions = 5;
    assert_int_equal(repro_repetitions(&test_experiment, &options), 5);
    /* Experiments without random numbers are repeated less often. */
    static const struct {
        const struct repro_experiment *x;
        int repetitions, all;
    } cases[] = {{&repro_tbs_fig2, 7, 2},        {&repro_tbs_branching, 7, 4},   {&repro_tbs_fig4, 10, 83},
                 {&repro_tbs_fig4, 11, 89},      {&repro_tbs_fig4, 100, 623},    {&repro_tbs_fig5, 7, 14},
                 {&repro_tbs_table7, 500, 3600}, {&repro_tbs_table7, 5, 36},     {&repro_tbs_table7, 6, 48},
                 {&repro_tbs_table7, 1, 12},     {&repro_tbs_remedies, 2, 54},   {&repro_tbs_remedies, 3, 81},
                 {&repro_tbs_remedies, 4, 87},   {&repro_tbs_remedies, 100, 573}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        options.repetitions = cases[i].repetitions;
        assert_int_equal(repro_repetitions_all(cases[i].x, &options), cases[i].all);
    }
}

/* A turn ends with the side's phase, and its notes hold the played actions. */
static void a_turn_is_played_to_its_end(void **state) {
    (void)state;
    struct err e;
    struct host host;
    struct text text = {0};
    struct play_turn turn;
    struct repro_repetition trial = {0};
    start_host(&host);
    assert_true(read_little_map(&host, "little", &text, &e));
    struct scenario *map =
        game_load(&tbs_game, &(struct game_source){"little", text_string(&text), text.size, NULL}, &e);
    struct repro_cell cell = {.players = {"random"}};
    const struct repro_task task = {.cell = &cell, .seed = 1, .clock = &host.clock, .stop = &host.stop};
    assert_true(play_first_turn(&task, map, &turn, &trial, &e));
    assert_int_equal(turn.count, 3);
    assert_int_equal(turn.side, turn.before.side);
    assert_true(turn.after.turn == turn.before.turn + 1 && turn.after.side != turn.side);
    assert_int_equal(play_units_left(&turn.before, turn.side, TBS_TYPES), 3);
    for (int i = 0; i < turn.count; i++) {
        struct text word = {0};
        map->game->text->write_action(NULL, turn.actions[i], &word);
        assert_non_null(strstr(trial.note, text_string(&word)));
        text_done(&word);
    }
    cell.players[0] = "nobody";
    assert_false(play_first_turn(&task, map, &turn, &trial, &e));
    assert_non_null(strstr(e.text, "'nobody' is unknown"));
    game_unload(map);
    text_done(&text);
}

/* ---- output ---- */

static void json_has_its_fields(void **state) {
    (void)state;
    struct host host;
    struct err e;
    start_host(&host);
    const struct repro_options options = default_options(&host);
    assert_int_equal(repro_run(&test_experiment, &options, &result, &e), REPRO_DONE);
    json_t *root = output_json(&result);
    const char *name;
    json_int_t seed;
    json_t *rows, *findings, *parameters;
    double seconds;
    assert_int_equal(json_unpack(root, "{ss sI so so so sf}", "name", &name, "seed", &seed, "rows", &rows,
                                 "findings", &findings, "parameters", &parameters, "seconds", &seconds),
                     0);
    assert_string_equal(name, "test-games");
    assert_int_equal(seed, 5);
    assert_int_equal(json_array_size(rows), 4);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        static const char *const keys[] = {"label", "published", "ours", "low", "high", "verdict"};
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++)
            assert_non_null(json_object_get(json_array_get(rows, i), keys[k]));
        assert_true(json_is_number(json_object_get(json_array_get(rows, i), "ours")));
        assert_true(json_is_string(json_object_get(json_array_get(rows, i), "verdict")));
    }
    assert_true(json_is_true(json_object_get(json_array_get(findings, 0), "holds")));
    assert_int_equal(json_array_size(json_object_get(parameters, "cells")), 3);
    json_decref(root);
    repro_result_done(&result);
}

/* ---- the experiments ---- */

static void tables_are_sound(void **state) {
    (void)state;
    for (int i = 0; repro_experiments[i] != NULL; i++) {
        const struct repro_experiment *x = repro_experiments[i];
        struct err e;
        for (int k = 0; k < i; k++)
            assert_string_not_equal(x->name, repro_experiments[k]->name);
        assert_true(x->version >= 1 && x->repetitions >= x->repetitions_quick && x->repetitions_quick >= 1);
        assert_in_range(x->cell_count, 1, REPRO_CELLS_MAX);
        assert_true(x->run != NULL || x->value_names == play_game_names || x->maps == NULL);
        int names = 0, maps = 0;
        while (x->value_names[names] != NULL)
            names++;
        assert_in_range(names, 1, REPRO_VALUES_MAX);
        while (x->maps != NULL && x->maps[maps] != NULL)
            maps++;
        for (int cell = 0; cell < x->cell_count; cell++) {
            assert_true(x->maps == NULL || x->cells[cell].map < maps);
            for (int k = 0; k < 2; k++)
                if (x->cells[cell].players[k] != NULL && !player_check(x->cells[cell].players[k], NULL, &e))
                    fail_msg("%s: %s", x->name, e.text);
        }
    }
}

static void the_figures_findings(void **state) {
    (void)state;
    struct err e;
    struct host host;
    start_host(&host);
    const struct repro_options options = default_options(&host);
    assert_int_equal(repro_run(&repro_tbs_fig2, &options, &result, &e), REPRO_DONE);
    assert_int_equal(result.finding_count, 2);
    assert_int_equal(result.findings[0].verdict, VERDICT_SAME);
    assert_int_equal(result.findings[1].verdict,
                     VERDICT_NOT_SAME); /* the complex rules do not lie above the middle */
    /* Independently computed: the shares of the first two components. */
    assert_true(repro_is_near(result.rows[6].ours, 35.44, 0.01));
    assert_true(repro_is_near(result.rows[7].ours, 23.60, 0.01));
    repro_result_done(&result);
}

/* Of the maps that are counted at once; the others take seconds. */
static void combinations_are_counted(void **state) {
    (void)state;
    static const double expected[2][5] = {{2, 16, 512, 474, 249}, {5, 9.6, 9784472.3712, 9858312, 189276}};
    struct scenario *maps[] = {own_map("duel"), own_map("rooms")};
    for (int cell = 0; cell < 2; cell++) {
        struct err e;
        struct repro_repetition trial = {0};
        const struct repro_task task = {
            .experiment = &repro_tbs_branching, .cell = &repro_tbs_branching.cells[cell], .maps = maps};
        assert_true(repro_tbs_branching.run(&task, &trial, &e));
        for (int i = 0; i < 5; i++)
            assert_true(repro_is_near(trial.values[i], expected[cell][i], 1e-6));
        game_unload(maps[cell]);
    }
}

static void the_weaker_fighter_is_right(void **state) {
    (void)state;
    struct tbs_position p = {.side = TBS_RED, .unit_count = 5};
    p.units[0] = (struct tbs_unit){.type = TBS_ANTIAIR, .side = TBS_RED, .hp = 10};
    p.units[1] = (struct tbs_unit){.type = TBS_FIGHTER, .side = TBS_BLUE, .hp = 7};
    p.units[2] = (struct tbs_unit){.type = TBS_FIGHTER, .side = TBS_BLUE, .hp = 5};
    p.units[3] = (struct tbs_unit){.type = TBS_CANNON, .side = TBS_BLUE, .hp = 1};
    p.units[4] = (struct tbs_unit){.type = TBS_FIGHTER, .side = TBS_BLUE, .hp = 2};
    assert_true(fig4_is_right(&p, tbs_action(0, 1, 1, 2), 0, 4));
    assert_false(fig4_is_right(&p, tbs_action(0, 1, 1, 1), 0, 4));
    assert_false(fig4_is_right(&p, tbs_action(0, 1, 1, 3), 0, 4));
    assert_false(fig4_is_right(&p, tbs_action(0, 1, 1, TBS_NO_TARGET), 0, 4));
    assert_false(fig4_is_right(&p, TBS_PASS, 0, 4));
    assert_false(fig4_is_right(&p, tbs_action(0, 1, 1, 2), 0, 5)); /* the fifth unit is weaker still */
    assert_true(fig4_is_right(&p, tbs_action(0, 1, 1, 4), 0, 5));
    p.units[2].hp = 0;
    assert_true(fig4_is_right(&p, tbs_action(0, 1, 1, 1), 0, 4));
}

static void a_doubled_map_is_legal(void **state) {
    (void)state;
    struct tbs_random_options options;
    struct tbs_map one, two;
    struct tbs_problems problems = {0};
    struct rng r;
    struct err e;
    rng_seed(&r, 9);
    tbs_random_defaults(&options);
    options.width = 8;
    options.height = 6;
    assert_true(tbs_map_random(&options, &r, &one, &e));
    assert_true(remedies_double_map(&one, &two, &e));
    tbs_map_check(&two, &problems);
    assert_int_equal(problems.count, 0);
    assert_int_equal(two.unit_count, 2 * one.unit_count);
    const int offset = two.width - one.width;
    for (int i = 0; i < one.unit_count; i++) {
        const struct tbs_map_unit *a = &two.units[i], *b = &two.units[i + one.unit_count];
        assert_true(a->type == b->type && a->side == b->side && a->hp == b->hp && a->y == b->y);
        assert_int_equal(b->x - a->x, offset);
        assert_int_equal(two.terrain[a->x][a->y], two.terrain[b->x][b->y]);
    }
    for (int y = 1; y < one.height - 1; y++)
        for (int x = one.width - 1; x < offset + 1; x++)
            assert_int_equal(two.terrain[x][y], TBS_NO_ENTRY);
    options.width = 20;
    assert_true(tbs_map_random(&options, &r, &one, &e));
    assert_false(remedies_double_map(&one, &two, &e));
    assert_non_null(strstr(e.text, "too wide"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_workers),
        cmocka_unit_test(an_interrupted_run_goes_on),
        cmocka_unit_test(a_run_with_another_map_is_refused),
        cmocka_unit_test(a_game_can_be_replayed),
        cmocka_unit_test(trials_follow_the_options),
        cmocka_unit_test(a_turn_is_played_to_its_end),
        cmocka_unit_test(json_has_its_fields),
        cmocka_unit_test(tables_are_sound),
        cmocka_unit_test(the_figures_findings),
        cmocka_unit_test(combinations_are_counted),
        cmocka_unit_test(the_weaker_fighter_is_right),
        cmocka_unit_test(a_doubled_map_is_legal),
    };
    return cmocka_run_group_tests(tests, repro_make_folder, repro_drop_folder);
}
