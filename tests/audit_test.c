/* SPDX-License-Identifier: MIT
 *
 * Strategies estimated from samples, and their exploitability, compared with exactly known values.
 */
#include "audit/exploit.h"

#include "base/mem.h"
#include "exact/form.h"
#include "exact_support.h"
#include "match/statistics.h"
#include "memory_support.h"
#include "outside_support.h"
#include "player/player.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { ACTIONS_MAX = 8192 };

/* Kuhn poker to a gap of 0.01. */
#define SOLVING_KUHN                                                                                         \
    "solving 0.000000\nsolving 0.886108\nsolving 0.940564\nsolving 0.982132\nsolving 1.000000\n"

#define WHOLE_REPORTS                                                                                        \
    "value 0.486212765 gap 0.000956225 after 72: 6 deals 12 sets 54 nodes\n"                                 \
    "side 0: 0.486212765 0.455353099 0.384259259 0.398148148\n"                                              \
    "side 1: 0.513787235 0.473437303 0.361111111 0.513888889\n"                                              \
    "low 0.043981481 ± 0.044836873 high 0.127314815 ± 0.032252372 mixes, leaves 0.000, 1 s and 1 s\n"      \
    "value 0.486212765 gap 0.000956225 after 72: 6 deals 12 sets 54 nodes\n"                                 \
    "side 0: 0.486212765 0.471918245 0.447916667 0.500000000\n"                                              \
    "side 1: 0.513787235 0.495750742 0.437500000 0.437500000\n"                                              \
    "low 0.031250000 ± 0.023891372 high 0.057291667 ± 0.016387248 mixes, leaves 8.000, 0 s and 0 s\n"      \
    "value 0.750000000 gap 0.000000000 after 8: 2 deals 2 sets 10 nodes\n"                                   \
    "side 0: 0.750000000 0.625000000 0.625000000 0.625000000\n"                                              \
    "side 1: 0.250000000 0.250000000 0.250000000 0.250000000\n"                                              \
    "low 0.062500000 ± 0.060374201 high 0.062500000 ± 0.060374201 mixes, leaves 9.000, 0 s and 0 s\n"      \
    "value 0.734755536 gap 0.000881646 after 22: 16 deals 133 sets 496 nodes\n"                              \
    "side 0: 0.734755536 0.628915145 0.568359375 0.607421875\n"                                              \
    "side 1: 0.265244464 0.158654477 0.136718750 0.193359375\n"                                              \
    "low 0.099609375 ± 0.023795891 high 0.147460938 ± 0.016927201 mixes, leaves 0.000, 0 s and 0 s\n"      \
    "value 0.734755536 gap 0.000881646 after 22: 16 deals 133 sets 496 nodes\n"                              \
    "side 0: 0.734755536 0.705118343 0.687500000 0.687500000\n"                                              \
    "side 1: 0.265244464 0.245048953 0.187500000 0.187500000\n"                                              \
    "low 0.062500000 ± 0.000000000 high 0.062500000 ± 0.000000000 never mixes, leaves 20.000, 0 s and 0 s\n"

static struct scenario *load(const char *spec) {
    struct err e;
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s: %s", spec, e.text);
    return scenario;
}

/* A game written out, and two halves of a strategy in it. */
struct whole {
    struct scenario *scenario;
    struct form form;
    double even[ACTIONS_MAX], odd[ACTIONS_MAX];
};

static void open_whole(struct whole *w, const char *spec) {
    struct err e;
    memset(w, 0, sizeof *w);
    w->scenario = load(spec);
    if (!form_build(w->scenario, 5, 100000, NULL, &w->form, &e))
        fail_msg("%s: %s", spec, e.text);
    assert_true(w->form.action_count <= ACTIONS_MAX);
}

static void close_whole(struct whole *w) {
    form_done(&w->form);
    game_unload(w->scenario);
}

static double ask(struct whole *w, const char *player, int samples, int workers) {
    struct err e;
    double leaves = -1;
    const struct exploit_task task = {.player = player, .samples = samples, .seed = 17, .workers = workers};
    double *const halves[2] = {w->even, w->odd};
    if (!exploit_sample(&task, &w->form, halves, &leaves, &e))
        fail_msg("%s", e.text);
    assert_true(form_is_strategy(&w->form, w->even));
    assert_true(form_is_strategy(&w->form, w->odd));
    return leaves;
}

/* ---- strategies ---- */

static void random_is_even(void **unused) {
    (void)unused;
    struct whole w;
    open_whole(&w, "kuhn");
    const double leaves = ask(&w, "random", 800, 1);
    assert_true(leaves == 0);                            /* it evaluates none */
    for (uint32_t i = 0; i < w.form.action_count; i++) { /* 400 draws: six standard errors */
        assert_true(fabs(w.even[i] - 0.5) < 0.15);
        assert_true(fabs(w.odd[i] - 0.5) < 0.15);
    }
    assert_memory_not_equal(w.even, w.odd, w.form.action_count * sizeof w.even[0]);
    close_whole(&w);
}

static void a_pure_strategy_has_ones_and_noughts(void **unused) {
    (void)unused;
    struct whole w;
    open_whole(&w, "synth:tree=3,depth=4,worlds=4,df=0.4");
    ask(&w, "ismcts:sims=20,seed=9", 6, 1);
    for (uint32_t i = 0; i < w.form.action_count; i++) {
        assert_true(w.even[i] == 0 || w.even[i] == 1);
        assert_true(w.even[i] == w.odd[i]);
    }
    close_whole(&w);
}

static void workers_do_not_matter(void **unused) {
    (void)unused;
    static const char *const players[] = {"random", "pimc:sims=16", "amcts:constant=1,inner=4"};
    static struct whole one, four;
    open_whole(&one, "synth:tree=3,depth=4,worlds=4,df=0.4");
    open_whole(&four, "synth:tree=3,depth=4,worlds=4,df=0.4");
    for (size_t i = 0; i < sizeof players / sizeof players[0]; i++) {
        const double leaves = ask(&one, players[i], 4, 1);
        assert_true(leaves == ask(&four, players[i], 4, 4));
        assert_memory_equal(one.even, four.even, sizeof one.even);
        assert_memory_equal(one.odd, four.odd, sizeof one.odd);
    }
    close_whole(&one);
    close_whole(&four);
}

static void leaves_are_counted(void **unused) {
    (void)unused;
    struct whole w;
    open_whole(&w, "kuhn");
    assert_true(ask(&w, "pimc:sims=40", 2, 2) == 40);
    close_whole(&w);
}

struct told {
    uint32_t sets, last;
    bool in_order;
};

static void on_set(void *context, const char *what, double done) {
    struct told *told = context;
    told->in_order = told->in_order && done == (double)(told->last + 1) / told->sets;
    told->last++;
    assert_string_equal(what, "asking");
}

static void sets_are_asked_in_order(void **unused) {
    (void)unused;
    struct whole w;
    struct err e;
    double leaves;
    open_whole(&w, "kuhn");
    double *const halves[2] = {w.even, w.odd};
    struct told told = {w.form.set_count, 0, true};
    const struct exploit_task task = {
        .player = "random", .samples = 2, .workers = 3, .on_progress = on_set, .context = &told};
    assert_true(exploit_sample(&task, &w.form, halves, &leaves, &e));
    assert_true(told.in_order);
    assert_int_equal(told.last, w.form.set_count);
    for (uint32_t s = 0; s < w.form.set_count; s++) {
        const struct form_set *set = &w.form.sets[s];
        const double sum = w.even[set->first] + w.even[set->first + 1];
        assert_true(sum == 1);
    }
    close_whole(&w);
}

static void players_that_cannot_play_are_reported(void **unused) {
    (void)unused;
    struct whole w;
    struct err e;
    const atomic_bool stop = true;
    open_whole(&w, "kuhn");
    double leaves, *const halves[2] = {w.even, w.odd};
    struct exploit_task task = {.player = "nobody", .samples = 2};
    assert_false(exploit_sample(&task, &w.form, halves, &leaves, &e));
    assert_non_null(strstr(e.text, "player 'nobody' is unknown"));
    task.player = "acteval";
    assert_false(exploit_sample(&task, &w.form, halves, &leaves, &e));
    task.player = "random";
    task.stop = &stop;
    assert_false(exploit_sample(&task, &w.form, halves, &leaves, &e));
    assert_string_equal(e.text, "stopped");
    close_whole(&w);
}

/* ---- exploitability ---- */

/* Which player, in which position, and what it did. */
static void faults_name_the_position(void **unused) {
    (void)unused;
    struct whole w;
    struct err e;
    char player[300];
    open_whole(&w, "kuhn");
    double leaves, *const halves[2] = {w.even, w.odd};
    struct exploit_task task = {
        .player = player, .samples = 2, .seed = 1, .workers = 1, .grant = &grant_everything};
    snprintf(player, sizeof player, "ext:cmd='%s' error", outside_saboteur());
    assert_false(exploit_sample(&task, &w.form, halves, &leaves, &e));
    assert_non_null(
        strstr(e.text, ", asked in 'cards=J,? moves=-', is at fault (protocol): 'error I do not feel"));
    assert_false(exploit_sample(&task, &w.form, halves, &leaves, NULL));
    close_whole(&w);
}

static struct exploit_task task_for(const struct scenario *scenario, const char *player, int samples) {
    return (struct exploit_task){.scenario = scenario,
                                 .player = player,
                                 .seed = 1,
                                 .samples = samples,
                                 .gap = 1e-5,
                                 .nodes_max = 100000,
                                 .workers = 2};
}

static bool exploit_run(const struct exploit_task *task, struct exploit_report *out, struct err *e) {
    struct exploit_game game;
    const bool ok = exploit_solve(task, &game, e) && exploit_ask(task, &game, out, e);
    exploit_game_done(&game);
    return ok;
}

static struct exploit_report run(const struct exploit_task *task) {
    struct err e;
    struct exploit_report report;
    if (!exploit_run(task, &report, &e))
        fail_msg("%s", e.text);
    assert_true(report.low <= report.high);
    for (int side = 0; side < 2; side++)
        assert_true(report.sides[side].fitted <= report.sides[side].crossed);
    return report;
}

/* What the best answers to a strategy win, in the mean of both sides: the game's value cancels. */
static double exploitability(const struct form *form, const double *strategy) {
    struct err e;
    double first, second;
    assert_true(response_find(form, strategy, 0, NULL, &first, &e));
    assert_true(response_find(form, strategy, 1, NULL, &second, &e));
    return (first + second - 1) / 2;
}

/* Uniform play of Kuhn poker loses 11/24 of a chip a game against the best response, averaged over both
 * seats. */
#define UNIFORM_KUHN (11.0 / 24 / 4)

static void uniform_kuhn_is_known(void **unused) {
    (void)unused;
    struct whole w;
    open_whole(&w, "kuhn");
    double *uniform = form_uniform(&w.form);
    assert_non_null(uniform);
    assert_true(fabs(exploitability(&w.form, uniform) - UNIFORM_KUHN) < 1e-12);
    mem_free(uniform);
    close_whole(&w);
}

static void many_samples_come_near(void **unused) {
    (void)unused;
    struct scenario *kuhn = load("kuhn");
    const struct exploit_task task = task_for(kuhn, "random", SAMPLE(20000, 2000));
    const struct exploit_report r = run(&task);
    assert_true(fabs(game_payoff_scaled(kuhn, r.value) + 1.0 / 18) < 1e-4);
    assert_true(fabs(r.sides[0].guaranteed + r.sides[1].guaranteed - 1) < 1e-12);
    assert_true(fabs(r.low - UNIFORM_KUHN) < 4 * r.errors.low);
    assert_true(fabs(r.high - UNIFORM_KUHN) < 4 * r.errors.high);
    assert_true(r.errors.low > 0 && r.errors.low < SAMPLE(0.002, 0.007));
    assert_true(r.mixes);
    assert_int_equal(r.deals, 6);
    assert_int_equal(r.nodes, 54);
    assert_int_equal(r.sets, 12);
    game_unload(kuhn);
}

/* The true value lies between the two estimates in the mean; with few samples the two differ visibly. */
static void the_truth_lies_between(void **unused) {
    (void)unused;
    enum { RUNS = SAMPLE(400, 100) };
    struct err e;
    struct exploit_game game;
    struct exploit_report r;
    struct scenario *kuhn = load("kuhn");
    struct exploit_task task = task_for(kuhn, "random", 4);
    const double t = stats_student(task.samples - 1);
    double low = 0, high = 0, squares = 0, claimed = 0;
    int inside = 0;
    assert_true(exploit_solve(&task, &game, &e));
    for (int i = 0; i < RUNS; i++) {
        task.seed = 1000 + (uint64_t)i;
        assert_true(exploit_ask(&task, &game, &r, &e));
        low += r.low / RUNS;
        high += r.high / RUNS;
        squares += (r.high - UNIFORM_KUHN) * (r.high - UNIFORM_KUHN) / RUNS;
        claimed += r.errors.high / RUNS;
        inside += r.low - t * r.errors.low <= UNIFORM_KUHN && UNIFORM_KUHN <= r.high + t * r.errors.high;
    }
    const double deviation = sqrt(squares), error = deviation / sqrt(RUNS);
    assert_true(low < UNIFORM_KUHN - 2 * error);
    assert_true(high > UNIFORM_KUHN + 2 * error);
    assert_true(claimed > 0.5 * deviation && claimed < 1.5 * deviation);
    assert_true(inside > 0.95 * RUNS);
    exploit_game_done(&game);
    game_unload(kuhn);
}

/* Each world alone has the value 1, so the player chooses this action and gets 0 where 0.5 was possible. */
static void fusion_shows_what_is_wrong(void **unused) {
    (void)unused;
    struct scenario *fusion = load("fusion");
    struct exploit_task task = task_for(fusion, "pimc:sims=50,evaluator=minimax", 10);
    const struct exploit_report wrong = run(&task);
    assert_true(fabs(game_payoff_scaled(fusion, wrong.sides[0].guaranteed) - 0.5) < 1e-4);
    assert_true(fabs(game_payoff_scaled(fusion, wrong.sides[0].expected)) < 1e-12);
    assert_true(fabs(game_payoff_scaled(fusion, wrong.sides[0].fitted)) < 1e-12);
    assert_true(fabs(game_payoff_scaled(fusion, wrong.sides[0].crossed)) < 1e-12);
    assert_true(wrong.leaves > 0);
    task.player = "ismcts:sims=200";
    const struct exploit_report right = run(&task);
    assert_true(fabs(game_payoff_scaled(fusion, right.sides[0].expected) - 0.5) < 1e-12);
    assert_true(fabs(right.high) < 1e-4);
    game_unload(fusion);
}

/* A player that always gives the same answer is known exactly, even if its answers are bad. */
static void a_pure_strategy_is_known_exactly(void **unused) {
    (void)unused;
    static struct whole w;
    struct scenario *synth = load("synth:tree=3,depth=4,worlds=4,df=0.4");
    const struct exploit_task task = task_for(synth, "ismcts:sims=20,seed=9", 4);
    const struct exploit_report r = run(&task);
    assert_false(r.mixes);
    assert_true(r.low == r.high);
    assert_true(r.errors.low == 0 && r.errors.high == 0);
    open_whole(&w, "synth:tree=3,depth=4,worlds=4,df=0.4");
    ask(&w, "ismcts:sims=20,seed=9", 2, 1);
    assert_true(fabs(exploitability(&w.form, w.even) - r.low) < 1e-9);
    close_whole(&w);
    game_unload(synth);
}

static void reports_do_not_depend_on_workers(void **unused) {
    (void)unused;
    struct scenario *synth = load("synth:depth=4,worlds=4,df=0.4");
    struct exploit_task task = task_for(synth, "pimc:sims=16", 4);
    const struct exploit_report two = run(&task);
    task.workers = 1;
    const struct exploit_report one = run(&task);
    assert_true(one.value == two.value && one.low == two.low && one.high == two.high);
    assert_true(one.errors.low == two.errors.low && one.leaves == two.leaves);
    task.seed = 2; /* a tree of its own for each seed */
    const struct exploit_report other = run(&task);
    assert_true(other.value != one.value);
    game_unload(synth);
}

static void a_too_large_map_is_reported(void **unused) {
    (void)unused;
    struct err e;
    struct exploit_report r;
    const atomic_bool stop = true;
    struct scenario *kuhn = load("kuhn");
    struct exploit_task task = task_for(kuhn, "random", 4);
    task.nodes_max = 20;
    assert_false(exploit_run(&task, &r, &e));
    assert_non_null(strstr(e.text, "20 nodes"));
    task.nodes_max = 1000;
    task.stop = &stop;
    assert_false(exploit_run(&task, &r, &e));
    assert_non_null(strstr(e.text, "stopped"));
    game_unload(kuhn);
}

struct progress {
    int solving, asking, resampling;
    double last;
};

static void on_progress(void *context, const char *what, double done) {
    struct progress *p = context;
    const bool asks = strcmp(what, "asking") == 0, solves = strcmp(what, "solving") == 0;
    assert_true(done >= 0 && done <= 1);
    assert_true(asks || solves || strcmp(what, "resampling") == 0);
    assert_true(!solves || p->asking == 0);   /* solved before the player is asked, */
    assert_true(!asks || p->resampling == 0); /* asked before that is weighed */
    *(asks ? &p->asking : solves ? &p->solving : &p->resampling) += 1;
    p->last = asks ? done : p->last;
}

static void progress_is_reported(void **unused) {
    (void)unused;
    struct progress p = {0};
    struct scenario *kuhn = load("kuhn");
    struct exploit_task task = task_for(kuhn, "random", 4);
    task.on_progress = on_progress;
    task.context = &p;
    run(&task);
    assert_true(p.solving >= 2);
    assert_int_equal(p.asking, 13); /* the beginning, and after each set */
    assert_true(p.last == 1);
    assert_true(p.resampling > 1);
    game_unload(kuhn);
}

/* ---- everything that is reported, in order ---- */

struct all_reports {
    struct text text;
    atomic_bool *stop; /* set when this stage begins */
    const char *stop_at;
};

static void tell(void *context, const char *what, double done) {
    struct all_reports *t = context;
    text_add(&t->text, "%s %.6f\n", what, done);
    if (t->stop != NULL && strcmp(what, t->stop_at) == 0)
        atomic_store(t->stop, true);
}

/* Solving is on a logarithmic scale of the gap, from 0 to 1. Asking counts sets, resampling resamples. */
static void progress_is_exact(void **unused) {
    (void)unused;
    struct all_reports all = {{0}, NULL, NULL};
    struct text expected = {0};
    struct scenario *kuhn = load("kuhn");
    struct exploit_task task = task_for(kuhn, "random", 4);
    task.on_progress = tell;
    task.context = &all;
    task.gap = 0.01;
    run(&task);
    const char *asking = strstr(text_string(&all.text), "asking");
    assert_non_null(asking);
    const int length = (int)(asking - all.text.data);
    char solving[400];
    snprintf(solving, sizeof solving, "%.*s", length, all.text.data);
    assert_string_equal(solving, SOLVING_KUHN);
    for (int i = 0; i <= 12; i++)
        text_add(&expected, "asking %.6f\n", i / 12.0);
    for (int i = 0; i < 100; i++)
        text_add(&expected, "resampling %.6f\n", i / 100.0);
    assert_string_equal(asking, text_string(&expected));
    text_done(&expected);
    text_done(&all.text);

    /* A target that is no gap between 0 and 1 counts as reached at every report. */
    static const double targets[] = {0, -1, 1, 2};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct all_reports one = {{0}, NULL, NULL};
        struct scenario *fusion = load("fusion");
        struct exploit_game game;
        struct err e;
        task = task_for(fusion, "random", 2);
        task.gap = targets[i];
        task.on_progress = tell;
        task.context = &one;
        assert_true(exploit_solve(&task, &game, &e));
        assert_memory_equal(text_string(&one.text), "solving 0.000000\nsolving 1.000000\n", 34);
        assert_null(strstr(text_string(&one.text) + 17, "solving 0"));
        exploit_game_done(&game);
        text_done(&one.text);
        game_unload(fusion);
    }
    game_unload(kuhn);
}

/* A stop ends every stage with a sentence. */
static void every_stage_can_be_stopped(void **unused) {
    (void)unused;
    static const char *const cases[][2] = {{"solving", "stopped while the game was written out"},
                                           {"asking", "stopped"},
                                           {"resampling", "stopped"}};
    struct scenario *kuhn = load("kuhn");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        atomic_bool stop = false;
        struct all_reports all = {{0}, &stop, cases[i][0]};
        struct exploit_report r;
        struct err e = {""};
        struct exploit_task task = task_for(kuhn, "random", 4);
        task.on_progress = tell;
        task.context = &all;
        task.stop = &stop;
        assert_false(exploit_run(&task, &r, &e));
        assert_string_equal(e.text, cases[i][1]);
        text_done(&all.text);
    }
    game_unload(kuhn);
}

/* A clock that advances by one second at each reading. */
static int64_t tick(void *now) {
    return *(int64_t *)now += INT64_C(1000000000);
}

static void write_report(const struct exploit_report *r, struct text *out) {
    text_add(out, "value %.9f gap %.9f after %d: %u deals %u sets %u nodes\n", r->value, r->gap,
             r->iterations, r->deals, r->sets, r->nodes);
    for (int side = 0; side < 2; side++)
        text_add(out, "side %d: %.9f %.9f %.9f %.9f\n", side, r->sides[side].guaranteed,
                 r->sides[side].expected, r->sides[side].fitted, r->sides[side].crossed);
    text_add(out, "low %.9f ± %.9f high %.9f ± %.9f %s, leaves %.3f, %.0f s and %.0f s\n", r->low,
             r->errors.low, r->high, r->errors.high, r->mixes ? "mixes" : "never mixes", r->leaves,
             r->seconds_solving, r->seconds_asking);
}

/* All figures of a few players with fixed seeds. */
static void whole_reports(void **unused) {
    (void)unused;
    static const struct {
        const char *game, *player;
        int samples;
    } cases[] = {{"kuhn", "random", 6},
                 {"kuhn", "pimc:sims=8", 4},
                 {"fusion", "pimc:sims=9", 2},
                 {"synth:tree=3,depth=4,worlds=4,df=0.4", "random", 4},
                 {"synth:tree=3,depth=4,worlds=4,df=0.4", "ismcts:sims=20,seed=9", 2}};
    int64_t now = 0;
    const struct clock clock = {.now_ns = tick, .self = &now};
    struct text out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct scenario *scenario = load(cases[i].game);
        struct exploit_task task = task_for(scenario, cases[i].player, cases[i].samples);
        task.gap = 0.001;
        task.clock = i == 0 ? &clock : NULL;
        task.workers = 1;
        const struct exploit_report r = run(&task);
        write_report(&r, &out);
        game_unload(scenario);
    }
    assert_string_equal(text_string(&out), WHOLE_REPORTS);
    text_done(&out);
}

struct short_run {
    struct exploit_task task;
    struct exploit_report report;
    bool done;
};

static void run_short(void *context) {
    struct short_run *s = context;
    struct err e = {""};
    s->done = exploit_run(&s->task, &s->report, &e);
    assert_true(s->done || strstr(e.text, "memory") != NULL);
}

/* Missing tables are reported; a small allocation that fails leaves nothing behind. */
static void memory_may_run_out(void **unused) {
    (void)unused;
    struct scenario *kuhn = load("kuhn");
    struct short_run s = {.task = task_for(kuhn, "random", 4)};
    s.task.workers = 1;
    s.task.gap = 0.01;
    const struct exploit_report whole = run(&s.task);
    int refusals = 0;
    for (long n = 1; !s.done; n += SAMPLE(1, 3))
        refusals += !memory_runs_out(n, run_short, &s) && !s.done;
    assert_memory_equal(&s.report.sides, &whole.sides, sizeof whole.sides); /* no failure was passed over */
    assert_memory_equal(&s.report.errors, &whole.errors, sizeof whole.errors);
    assert_true(refusals > 5);
    game_unload(kuhn);
}

/* ---- sizes ---- */

static void sizes_are_known_beforehand(void **unused) {
    (void)unused;
    struct form_size size;
    struct scenario *synth = load("synth:depth=6,worlds=8"), *large = load("synth:depth=40,worlds=64");
    struct scenario *kuhn = load("kuhn");
    size = form_estimate_size(synth, 1);
    assert_true(size.deals == 64 && fabs(size.nodes - 64 * 127) < 1e-6);
    size = form_estimate_size(large, 1);
    assert_true(fabs(size.nodes / (4096 * 0x1p41) - 1) < 1e-9);
    size = form_estimate_size(kuhn, 1); /* histories of different lengths: not exact */
    assert_true(size.deals == 6 && fabs(size.nodes - 54) < 6);
    game_unload(synth);
    game_unload(large);
    game_unload(kuhn);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_is_even),
        cmocka_unit_test(a_pure_strategy_has_ones_and_noughts),
        cmocka_unit_test(workers_do_not_matter),
        cmocka_unit_test(leaves_are_counted),
        cmocka_unit_test(sets_are_asked_in_order),
        cmocka_unit_test(players_that_cannot_play_are_reported),
        cmocka_unit_test(faults_name_the_position),
        cmocka_unit_test(uniform_kuhn_is_known),
        cmocka_unit_test(many_samples_come_near),
        cmocka_unit_test(the_truth_lies_between),
        cmocka_unit_test(fusion_shows_what_is_wrong),
        cmocka_unit_test(a_pure_strategy_is_known_exactly),
        cmocka_unit_test(reports_do_not_depend_on_workers),
        cmocka_unit_test(a_too_large_map_is_reported),
        cmocka_unit_test(progress_is_reported),
        cmocka_unit_test(progress_is_exact),
        cmocka_unit_test(every_stage_can_be_stopped),
        cmocka_unit_test(whole_reports),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(sizes_are_known_beforehand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
