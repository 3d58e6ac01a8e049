/* SPDX-License-Identifier: MIT
 *
 * The experiments on synthetic trees: a deal from both seats, the same deals in every cell, results that
 * depend neither on workers nor on interruptions, and the rules by which claims hold.
 */
#include "game/synth/synth.h"
#include "player/player.h"
#include "repro/experiments.h"
#include "repro_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct repro_experiment *const experiments[] = {
    &repro_synth_fig2, &repro_synth_fig3, &repro_synth_fig4, &repro_synth_fig5,     &repro_synth_fig6,
    &repro_synth_fig7, &repro_synth_fig8, &repro_synth_fig9, &repro_synth_readings, &repro_synth_switching};
enum { EXPERIMENTS = sizeof experiments / sizeof experiments[0] };

static struct repro_result result; /* large */

/* ---- the tables ---- */

static void all_are_registered(void **state) {
    (void)state;
    int in_all = 0;
    for (int i = 0; repro_experiments[i] != NULL; i++)
        in_all +=
            repro_experiments[i]->part_of != NULL && strcmp(repro_experiments[i]->part_of, "synth-all") == 0;
    assert_int_equal(in_all, EXPERIMENTS);
    for (int i = 0; i < EXPERIMENTS; i++) {
        bool found = false;
        for (int k = 0; repro_experiments[k] != NULL; k++)
            found = found || repro_experiments[k] == experiments[i];
        assert_true(found);
        assert_string_equal(experiments[i]->group, "synth");
        assert_int_equal(experiments[i]->repetitions, 1500); /* 3000 matches a point */
    }
}

/* The setting of section 6: everything but df is the game's default. */
static void the_setting_is_the_published_one(void **state) {
    (void)state;
    struct err e;
    for (int i = 0; i < EXPERIMENTS; i++)
        for (int c = 0; c < experiments[i]->cell_count; c++) {
            const struct repro_cell *cell = &experiments[i]->cells[c];
            struct scenario *scenario = game_load_spec(cell->game, &e);
            assert_non_null(scenario);
            const struct synth_params *p = synth_params_of(scenario);
            double df = 0;
            assert_int_equal(sscanf(cell->label, "df %lf", &df), 1);
            assert_true(repro_is_near(p->disambiguation, df, 1e-12));
            assert_true(p->worlds == 8 && p->depth == 6 && p->branching == 2 && p->top == 4);
            assert_true(repro_is_near(p->correlation, 0.3, 1e-12) && repro_is_near(p->bias, 0.75, 1e-12));
            assert_int_equal(p->tree, 0);
            for (int k = 0; k < 2; k++)
                if (!player_check(cell->players[k], NULL, &e))
                    fail_msg("%s", e.text);
            game_unload(scenario);
        }
}

/* ---- one deal ---- */

static int64_t standing_still;

static void play(const char *game, const char *a, const char *b, uint64_t deal,
                 struct repro_repetition *out) {
    struct err e;
    const struct clock clock = clock_manual(&standing_still);
    const struct repro_cell cell = {.label = "test", .players = {a, b}, .game = game};
    struct scenario *scenario = game_load_spec(game, &e);
    assert_non_null(scenario);
    const struct repro_task task = {.cell = &cell, .deal_seed = deal, .game = scenario, .clock = &clock};
    *out = (struct repro_repetition){0};
    if (!synth_play_deal(&task, out, &e))
        fail_msg("%s", e.text);
    game_unload(scenario);
}

/* Players A and B may be exchanged: the two games of a deal are the same games. */
static void both_sides_sum_to_four(void **state) {
    (void)state;
    bool seats_differ = false, deals_differ = false;
    struct repro_repetition before = {0};
    for (uint64_t deal = 1; deal <= 20; deal++) {
        struct repro_repetition ab, ba;
        play("synth:df=0.5", "pimc:sims=40", "random", deal, &ab);
        play("synth:df=0.5", "random", "pimc:sims=40", deal, &ba);
        for (int i = SYNTH_FIRST; i <= SYNTH_MEAN; i++)
            assert_true(ab.values[i] >= 0 && ab.values[i] <= 4);
        assert_true(repro_is_near(ab.values[SYNTH_FIRST] + ba.values[SYNTH_SECOND], 4, 1e-9));
        assert_true(repro_is_near(ab.values[SYNTH_SECOND] + ba.values[SYNTH_FIRST], 4, 1e-9));
        assert_true(repro_is_near(ab.values[SYNTH_MEAN],
                                  (ab.values[SYNTH_FIRST] + ab.values[SYNTH_SECOND]) / 2, 1e-9));
        assert_true(repro_is_near(ab.values[SYNTH_LEAVES_A], 40, 1e-9));
        assert_true(repro_is_near(ba.values[SYNTH_LEAVES_B], 40, 1e-9));
        seats_differ =
            seats_differ || !repro_is_near(ab.values[SYNTH_FIRST], 4 - ab.values[SYNTH_SECOND], 1e-9);
        deals_differ = deals_differ || (deal > 1 && strcmp(before.note, ab.note) != 0);
        before = ab;
    }
    assert_true(seats_differ && deals_differ);
}

static void playing_itself_is_exactly_even(void **state) {
    (void)state;
    for (uint64_t deal = 1; deal <= 5; deal++) {
        struct repro_repetition t;
        play("synth:df=0.7", "amcts:inner=5", "amcts:inner=5", deal, &t);
        assert_true(repro_is_near(t.values[SYNTH_MEAN], SYNTH_EVEN, 1e-12));
        assert_true(repro_is_near(t.values[SYNTH_LEAVES_A], t.values[SYNTH_LEAVES_B], 1e-9));
    }
}

/* W is the cell's size: 1 everywhere at df 1, 8 at df 0. At the last own move nothing is searched again. */
static void searching_again_is_seen(void **state) {
    (void)state;
    struct repro_repetition t;
    play("synth:df=1", "amcts:rule=never", "random", 3, &t);
    assert_true(repro_is_near(t.values[SYNTH_LEAVES_A], 50, 1e-9));
    assert_true(repro_is_near(t.values[SYNTH_SWITCHED], 0, 1e-12));
    play("synth:df=0", "amcts:rule=never", "random", 3, &t);
    assert_true(repro_is_near(t.values[SYNTH_LEAVES_A], 400, 1e-9));
    play("synth:df=1", "amcts:rule=always", "random", 3, &t);
    assert_true(repro_is_near(t.values[SYNTH_SWITCHED], 2.0 / 3, 1e-12));
    /* N = 50, M = 50: 50 + 50 * (1 + 2 * 50), 50 + 50 * (1 + 50) and 50. */
    assert_true(repro_is_near(t.values[SYNTH_LEAVES_A], (50 + 50 * 101 + 50 + 50 * 51 + 50) / 3.0, 1e-9));
}

static void a_stopped_trial_returns(void **state) {
    (void)state;
    struct err e;
    atomic_bool stop;
    atomic_init(&stop, true);
    const struct clock clock = clock_manual(&standing_still);
    const struct repro_cell cell = {.label = "test", .players = {"amcts", "random"}, .game = "synth"};
    struct scenario *scenario = game_load_spec("synth", &e);
    assert_non_null(scenario);
    const struct repro_task task = {
        .cell = &cell, .deal_seed = 1, .game = scenario, .clock = &clock, .stop = &stop};
    struct repro_repetition t = {0};
    assert_true(synth_play_deal(&task, &t, &e));
    assert_string_equal(t.note, "");
    game_unload(scenario);
}

/* ---- whole runs ---- */

struct host {
    int64_t now;
    struct clock clock;
    atomic_bool stop;
    int seen, stop_after; /* trials; 0: never */
};

static void on_repetition(void *context, const struct repro_result *so_far) {
    struct host *host = context;
    (void)so_far;
    if (++host->seen == host->stop_after)
        atomic_store(&host->stop, true);
}

static struct repro_options start(struct host *host, int repetitions, int workers) {
    *host = (struct host){0};
    host->clock = clock_manual(&host->now);
    return (struct repro_options){.seed = 5,
                                  .repetitions = repetitions,
                                  .workers = workers,
                                  .program = "test",
                                  .clock = &host->clock,
                                  .stop = &host->stop,
                                  .on_repetition = on_repetition,
                                  .context = host};
}

static void describe(struct text *out) {
    output_text(&result, out);
    output_rows_csv(&result, out);
    text_add_string(out, text_string(&result.repetitions_csv));
    for (int i = 0; i < result.plot_count; i++)
        text_add(out, "%s%s", text_string(&result.plots[i].script), text_string(&result.plots[i].data));
    repro_result_done(&result);
}

static void run_whole(const struct repro_experiment *x, const struct repro_options *options,
                      struct text *out) {
    struct err e;
    text_clear(out);
    if (repro_run(x, options, &result, &e) != REPRO_DONE)
        fail_msg("%s", e.text);
    describe(out);
}

static void workers_and_interruptions_change_nothing(void **state) {
    (void)state;
    struct host host;
    struct err e;
    struct text one = {0}, other = {0};
    struct repro_options options = start(&host, 3, 1);
    run_whole(&repro_synth_fig2, &options, &one);
    options = start(&host, 3, 3);
    run_whole(&repro_synth_fig2, &options, &other);
    assert_string_equal(text_string(&one), text_string(&other));
    int runs = 0;
    for (enum repro_outcome outcome = REPRO_STOPPED; outcome == REPRO_STOPPED; runs++) {
        options = start(&host, 3, 1);
        options.folder = repro_folder;
        host.stop_after = 13;
        outcome = repro_run(&repro_synth_fig2, &options, &result, &e);
        assert_int_not_equal(outcome, REPRO_FAILED);
        if (outcome == REPRO_DONE) {
            text_clear(&other);
            describe(&other);
        } else {
            repro_result_done(&result);
        }
    }
    assert_int_equal(runs, 3); /* 13, 13 and 4 trials */
    assert_string_equal(text_string(&one), text_string(&other));
    text_done(&one);
    text_done(&other);
}

/* Figure 3 uses the games of figure 2. */
static void trials_are_shared(void **state) {
    (void)state;
    struct host host;
    struct repro_stored stored = {0};
    struct text own = {0}, shared = {0}, unused = {0};
    struct repro_options options = start(&host, 2, 2);
    run_whole(&repro_synth_fig3, &options, &own);
    options = start(&host, 2, 2);
    options.stored = &stored;
    run_whole(&repro_synth_fig2, &options, &unused);
    atomic_store(&host.stop, false);
    run_whole(&repro_synth_fig3, &options, &shared);
    assert_string_equal(text_string(&own), text_string(&shared));
    /* Stored trials are used: a changed value shows, but only in a run with the same settings. */
    stored.results[0].values[SYNTH_MS_A] = 12345;
    run_whole(&repro_synth_fig3, &options, &shared);
    assert_non_null(strstr(text_string(&shared), "12345"));
    stored.results[0].values[SYNTH_MS_A] = 12345;
    options.seed = 6;
    run_whole(&repro_synth_fig3, &options, &shared);
    assert_null(strstr(text_string(&shared), "12345"));
    repro_stored_done(&stored);
    text_done(&own);
    text_done(&shared);
    text_done(&unused);
}

/* The lines behind the first one. */
static const char *lines_of(const struct text *journal) {
    return strchr(text_string(journal), '\n') + 1;
}

/* Times are measured, so equal lines were taken over and not run again. --fresh runs them again. */
static void trials_of_a_folder_are_used(void **state) {
    (void)state;
    struct host host;
    struct text unused = {0}, second = {0}, third = {0}, again = {0};
    struct repro_options options = start(&host, 2, 2);
    const struct clock clock = clock_system();
    options.clock = &clock;
    options.folder = repro_folder;
    options.fresh = true; /* other tests have left journals there */
    run_whole(&repro_synth_fig2, &options, &unused);
    options.fresh = false;
    remove(repro_path("synth-fig3.journal"));
    run_whole(&repro_synth_fig3, &options, &unused);
    repro_read(repro_path("synth-fig2.journal"), &second);
    repro_read(repro_path("synth-fig3.journal"), &third);
    assert_string_equal(lines_of(&second), lines_of(&third));
    assert_true(strlen(lines_of(&third)) > 100);
    options.fresh = true;
    run_whole(&repro_synth_fig3, &options, &unused);
    repro_read(repro_path("synth-fig3.journal"), &again);
    assert_string_not_equal(lines_of(&second), lines_of(&again));
    options.fresh = false;
    options.seed = 77;
    assert_int_equal(remove(repro_path("synth-fig3.journal")), 0);
    run_whole(&repro_synth_fig3, &options, &unused); /* another seed: figure 2 is left alone */
    text_done(&unused);
    text_done(&second);
    text_done(&third);
    text_done(&again);
}

/* The clock must run: with a time limit a search goes on until it is over. */
static void fixed_time_is_played(void **state) {
    (void)state;
    struct host host;
    struct text text = {0};
    struct repro_options options = start(&host, 1, 2);
    const struct clock clock = clock_system();
    options.clock = &clock;
    run_whole(&repro_synth_fig8, &options, &text);
    assert_int_equal(host.seen, 2 * SYNTH_DFS);
    assert_non_null(strstr(text_string(&text), "df 0.1, 0.001 s: leaves a move, PIMC"));
    text_done(&text);
}

/* The probabilities of random switching cost what 6w costs: measured again on a few deals. */
static void random_switching_costs_as_much(void **state) {
    (void)state;
    enum { DEALS = 24 };
    const struct repro_cell *cells = repro_synth_switching.cells;
    for (int i = 0; i < SYNTH_DFS; i += 3) {
        double leaves[4] = {0}, theta = 0;
        for (int arm = 0; arm < 4; arm++)
            for (uint64_t deal = 1; deal <= DEALS && arm != 1; deal++) {
                struct repro_repetition t;
                const struct repro_cell *cell = &cells[arm * SYNTH_DFS + i];
                play(cell->game, cell->players[0], "random", deal, &t);
                leaves[arm] += t.values[SYNTH_LEAVES_A];
            }
        const struct repro_cell *random = &cells[SYNTH_DFS + i];
        assert_int_equal(sscanf(random->players[0], "amcts:rule=random,theta=%lf", &theta), 1);
        const double equal = (leaves[0] - leaves[2]) / (leaves[3] - leaves[2]);
        if (!repro_is_near(theta, equal, 0.15))
            fail_msg("%s: %.3f, measured %.3f", random->label, theta, equal);
        assert_string_equal(cells[4 * SYNTH_DFS + i].players[1], random->players[0]);
    }
}

/* ---- rows ---- */

enum { DEALS_MAX = 4, TRIALS_MAX = DEALS_MAX * REPRO_CELLS_MAX };

static struct repro_unit units[TRIALS_MAX];
static struct repro_repetition repetitions[TRIALS_MAX];

static struct repro_data data_of(const struct repro_experiment *x, int deals) {
    for (int i = 0; i < deals * x->cell_count; i++)
        units[i] = (struct repro_unit){i % x->cell_count, i / x->cell_count};
    return (struct repro_data){
        .experiment = x, .count = deals * x->cell_count, .units = units, .results = repetitions};
}

static void check_rows(const struct repro_result *r, int deals) {
    repro_check_result(r);
    assert_true(r->plot_count > 0);
    for (int i = 0; i < r->row_count; i++) {
        assert_true(isfinite(r->rows[i].ours));
        assert_true(isnan(r->rows[i].low) || deals >= 2);
        assert_string_equal(r->rows[i].verdict, "no published figure");
    }
}

static void rows_follow_from_trials(void **state) {
    (void)state;
    for (int i = 0; i < EXPERIMENTS; i++)
        for (int deals = 1; deals <= DEALS_MAX; deals += DEALS_MAX - 1) {
            struct rng r;
            rng_seed(&r, 9);
            for (int t = 0; t < TRIALS_MAX; t++)
                for (int k = 0; k < SYNTH_VALUES; k++)
                    repetitions[t].values[k] = (k < SYNTH_MS_A ? 4 : 50000) * rng_unit(&r);
            const struct repro_data data = data_of(experiments[i], deals);
            result = (struct repro_result){.experiment = experiments[i]};
            output_finish(&data, &result);
            check_rows(&result, deals);
            repro_result_done(&result);
        }
}

/* Differences are taken deal by deal: common variation cancels, and deals without a cell do not count. */
static void differences_are_paired(void **state) {
    (void)state;
    struct repro_data data = data_of(&repro_synth_fig2, DEALS_MAX);
    const double luck[DEALS_MAX] = {0, 3, 1, 2};
    for (int i = 0; i < data.count; i++) {
        repetitions[i] = (struct repro_repetition){0};
        repetitions[i].values[SYNTH_MEAN] = luck[units[i].rep] + (units[i].cell == 7 ? 0.25 : 0);
    }
    const struct cell_sum d =
        synth_contrast(&data, SYNTH_MEAN, (struct rows_span){7, 1}, (struct rows_span){2, 1});
    assert_int_equal(d.n, DEALS_MAX);
    assert_true(repro_is_near(d.mean, 0.25, 1e-12) && repro_is_near(d.t95.low, 0.25, 1e-9) &&
                repro_is_near(d.t95.high, 0.25, 1e-9));
    /* Means of cells with common random numbers are no more certain than one of them. */
    const struct cell_sum one = rows_sum(&data, 0, SYNTH_MEAN);
    const struct cell_sum all =
        synth_contrast(&data, SYNTH_MEAN, (struct rows_span){0, 5}, (struct rows_span){0});
    assert_true(repro_is_near(one.t95.low, all.t95.low, 1e-9) && repro_is_near(one.mean, all.mean, 1e-9));
    data.count -= 3; /* the last deal has no cells 7, 8 and 9 */
    assert_int_equal(synth_contrast(&data, SYNTH_MEAN, (struct rows_span){7, 1}, (struct rows_span){2, 1}).n,
                     DEALS_MAX - 1);
    assert_int_equal(synth_contrast(&data, SYNTH_MEAN, (struct rows_span){6, 1}, (struct rows_span){2, 1}).n,
                     DEALS_MAX);
}

/* ---- claims ---- */

/* Payoffs and times by df, the same in every deal but for a little spread. */
struct claim_case {
    enum synth_claim claim;
    double small, large; /* A's payoffs at df 0.1 to 0.5 and 0.6 to 1.0, … */
    double at_third;     /* … but at df 0.3 */
    double ms[2], step; /* A's and B's times at df 0.1; A's grows by `step` from df to df, as its leaves do */
    enum verdict verdict;
};

static const struct claim_case claim_cases[] = {
    {SYNTH_BETTER, 2.02, 2.08, 2.02, {1, 1}, 0, VERDICT_AGREES},
    {SYNTH_BETTER, 2.02, 2.08, 1.97, {1, 1}, 0, VERDICT_DIFFERS}, /* behind at one df */
    {SYNTH_BETTER, 2.0, 2.0, 2.0, {1, 1}, 0, VERDICT_CANNOT_TELL},
    {SYNTH_EQUAL, 1.96, 2.04, 2.0, {1, 1}, 0, VERDICT_AGREES},
    {SYNTH_EQUAL, 1.96, 2.04, 1.94, {1, 1}, 0, VERDICT_DIFFERS},
    {SYNTH_EQUAL, 1.96, 2.04, 2.06, {1, 1}, 0, VERDICT_DIFFERS},
    {SYNTH_NOT_ABOVE, 1.9, 2.0, 1.9, {1, 1}, 0, VERDICT_AGREES},
    {SYNTH_NOT_ABOVE, 1.9, 2.0, 2.03, {1, 1}, 0, VERDICT_DIFFERS},
    {SYNTH_WITHIN_AXIS, 1.96, 2.04, 2.0, {1, 1}, 0, VERDICT_AGREES},
    {SYNTH_WITHIN_AXIS, 1.96, 2.04, 1.9, {1, 1}, 0, VERDICT_DIFFERS},
    {SYNTH_FALLS, 2, 2, 2, {10, 1}, -0.5, VERDICT_AGREES},
    {SYNTH_FALLS, 2, 2, 2, {10, 1}, 0, VERDICT_CANNOT_TELL},
    {SYNTH_FALLS, 2, 2, 2, {10, 1}, 0.5, VERDICT_DIFFERS},
    {SYNTH_LONGER, 2, 2, 2, {10, 1}, -0.5, VERDICT_AGREES},
    {SYNTH_LONGER, 2, 2, 2, {10, 7}, -0.5, VERDICT_DIFFERS}, /* not at df 0.7 and beyond */
    {SYNTH_CHEAPER, 2, 2, 2, {10, 11}, -0.5, VERDICT_AGREES},
    {SYNTH_CHEAPER, 2, 2, 2, {10, 9}, -0.5, VERDICT_DIFFERS},
    {SYNTH_BETTER_AT_LARGE, 1.8, 2.03, 1.8, {1, 1}, 0, VERDICT_AGREES},
    {SYNTH_BETTER_AT_LARGE, 2.2, 2.0, 2.2, {1, 1}, 0, VERDICT_CANNOT_TELL},
    {SYNTH_BEHIND_AT_SMALL, 1.97, 2.2, 1.97, {1, 1}, 0, VERDICT_AGREES},
    {SYNTH_BEHIND_AT_SMALL, 2.0, 1.8, 2.0, {1, 1}, 0, VERDICT_CANNOT_TELL},
};

static void invent(const struct claim_case *c, const struct repro_data *data, int first) {
    for (int i = 0; i < data->count; i++) {
        const int df = units[i].cell - first;
        const double spread = 0.002 * (1 + df / 10.0) * (units[i].rep - 1.5);
        double *values = repetitions[i].values;
        values[SYNTH_MEAN] = (df == 2 ? c->at_third : df < 5 ? c->small : c->large) + spread;
        values[SYNTH_MS_A] = c->ms[0] + c->step * df + spread;
        values[SYNTH_MS_B] = c->ms[1];
        values[SYNTH_LEAVES_A] = 1000 * (c->ms[0] + c->step * df) + spread;
        values[SYNTH_LEAVES_B] = 1000 * c->ms[1];
    }
}

static void claims_hold_by_their_rules(void **state) {
    (void)state;
    const struct repro_data data = data_of(&repro_synth_fig4, DEALS_MAX);
    const struct synth_series series = {SYNTH_DFS, ", second", "IIMC"};
    for (size_t i = 0; i < sizeof claim_cases / sizeof claim_cases[0]; i++) {
        const struct claim_case *c = &claim_cases[i];
        invent(c, &data, series.first);
        result = (struct repro_result){.experiment = &repro_synth_fig4, .repetitions = SYNTH_DEALS};
        synth_add_claim(&data, &result, &series, c->claim);
        assert_int_equal(result.finding_count, 1);
        if (result.findings[0].verdict != c->verdict)
            fail_msg("case %zu: %s", i, result.findings[0].text);
        assert_memory_equal(result.findings[0].text, "second: ", 8);
    }
    /* One deal gives no interval. */
    struct repro_data one = data_of(&repro_synth_fig4, 1);
    invent(&claim_cases[0], &one, series.first);
    result = (struct repro_result){.experiment = &repro_synth_fig4, .repetitions = SYNTH_DEALS};
    synth_add_claim(&one, &result, &series, SYNTH_BETTER);
    assert_int_equal(result.findings[0].verdict, VERDICT_CANNOT_TELL);
}

/* Figure 7 against figure 4, on the same deals. */
static void more_than_other_cells(void **state) {
    (void)state;
    const struct repro_data data = data_of(&repro_synth_fig7, DEALS_MAX);
    const struct synth_series series = {0, "", "IIMC", 2 * SYNTH_DFS};
    for (int more = 0; more < 2; more++) {
        for (int i = 0; i < data.count; i++) {
            repetitions[i] = (struct repro_repetition){0};
            repetitions[i].values[SYNTH_MEAN] =
                2 + units[i].rep + (units[i].cell < SYNTH_DFS ? 0.02 * more : 0);
        }
        result = (struct repro_result){.experiment = &repro_synth_fig7, .repetitions = SYNTH_DEALS};
        synth_add_claim(&data, &result, &series, SYNTH_MORE_THAN_COUNTED);
        assert_int_equal(result.findings[0].verdict, more == 1 ? VERDICT_AGREES : VERDICT_CANNOT_TELL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_registered),
        cmocka_unit_test(the_setting_is_the_published_one),
        cmocka_unit_test(both_sides_sum_to_four),
        cmocka_unit_test(playing_itself_is_exactly_even),
        cmocka_unit_test(searching_again_is_seen),
        cmocka_unit_test(a_stopped_trial_returns),
        cmocka_unit_test(workers_and_interruptions_change_nothing),
        cmocka_unit_test(trials_are_shared),
        cmocka_unit_test(trials_of_a_folder_are_used),
        cmocka_unit_test(fixed_time_is_played),
        cmocka_unit_test(random_switching_costs_as_much),
        cmocka_unit_test(rows_follow_from_trials),
        cmocka_unit_test(differences_are_paired),
        cmocka_unit_test(claims_hold_by_their_rules),
        cmocka_unit_test(more_than_other_cells),
    };
    return cmocka_run_group_tests(tests, repro_make_folder, repro_drop_folder);
}
