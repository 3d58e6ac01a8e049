/* SPDX-License-Identifier: MIT
 *
 * AMCTS's two searches, and where searches end: simulations, leaves, time, a stop.
 */
#include "flat_support.h"

#include "game/synth/synth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* A playout that the test controls. */
static struct hands {
    long calls;
    long odd_until;    /* so many calls use other playouts: all first actions, and one that draws too many
                          numbers */
    long stop_at;      /* the call that sets … */
    atomic_bool *stop; /* … this */
} hands;

static long handled_run(void *state, struct rng *r, int turns_max) {
    if (++hands.calls == hands.stop_at)
        atomic_store(hands.stop, true);
    if (hands.calls > hands.odd_until)
        return synth_game.rollouts[0].run(state, r, turns_max);
    long played = 0;
    for (; synth_game.mover(state) != NOBODY && (turns_max == 0 || played < turns_max); played++)
        synth_game.play(state, rng_next(r) % 8 == 0, r);
    return played;
}

static const struct rollout handled = {"handled", "for tests", handled_run};

static struct scenario *scenario;
static union search_state view; /* of a start with 8 worlds */

static int set_up(void **state) {
    (void)state;
    union search_state whole;
    scenario = support_load("synth:df=0.2");
    uint64_t seed = 0;
    do {
        start_game(scenario, ++seed, 0, &whole);
        view_of(&synth_game, &whole, &view);
    } while (synth_game.worlds(&view) < 8);
    hands = (struct hands){0};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    game_unload(scenario);
    return 0;
}

static struct flat_trial adaptive(enum switching_rule rule, uint64_t seed) {
    return (struct flat_trial){.game = &synth_game,
                               .view = &view,
                               .settings = {.thinkers = FLAT_OWN,
                                            .inner_sims = 10,
                                            .rollout = &handled,
                                            .adaptive = true,
                                            .rule = rule,
                                            .theta = switching_thetas[rule],
                                            .worlds_at_start = 8,
                                            .constant = 25},
                               .seed = seed};
}

static void assert_same(const struct flat_found *a, const struct flat_found *b) {
    assert_int_equal(a->result.chosen, b->result.chosen);
    assert_memory_equal(&a->result.value, &b->result.value, sizeof a->result.value);
    assert_int_equal(a->thoughts.count, b->thoughts.count);
    for (int i = 0; i < a->thoughts.count; i++) {
        assert_int_equal(a->thoughts.candidates[i].action, b->thoughts.candidates[i].action);
        assert_int_equal(a->thoughts.candidates[i].visits, b->thoughts.candidates[i].visits);
    }
}

/* ---- two searches ---- */

static void never_is_pimc_by_equation_5(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct flat_found found, pimc;
        struct flat_trial trial = adaptive(SWITCH_NEVER, seed);
        flat_find(&trial, &found);
        trial.settings = (struct flat_settings){.sims = 400, .rollout = &handled};
        flat_find(&trial, &pimc);
        assert_same(&found, &pimc);
        assert_false(found.report.switched);
        assert_int_equal(found.result.leaves, 400);
        assert_memory_equal(&found.after, &pimc.after, sizeof found.after);
    }
}

static void the_first_search_is_forgotten(void **state) {
    (void)state;
    int differ = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct flat_found found, other, kept, stored_other;
        struct flat_trial trial = adaptive(SWITCH_ALWAYS, seed);
        hands = (struct hands){0};
        flat_find(&trial, &found);
        assert_true(found.report.switched);
        assert_int_equal(found.report.sims[0], 400);
        assert_int_equal(found.report.sims[1], 400);
        assert_int_equal(found.result.work, 800);
        hands = (struct hands){.odd_until = 400}; /* another first search */
        flat_find(&trial, &other);
        assert_same(&found, &other);
        assert_int_equal(found.result.leaves, other.result.leaves);
        trial.settings.keep = true;
        flat_find(&trial, &kept);
        hands = (struct hands){.odd_until = 400};
        flat_find(&trial, &stored_other);
        assert_int_equal(kept.thoughts.candidates[0].visits + kept.thoughts.candidates[1].visits, 800);
        differ +=
            kept.result.value < stored_other.result.value || kept.result.value > stored_other.result.value;
    }
    assert_true(differ > 15);
}

/* The second search equals its own naive version. */
static void the_second_search_is_iimc(void **state) {
    (void)state;
    struct flat_trial trial = adaptive(SWITCH_ALWAYS, 5);
    struct naive_flat naive = {.game = &synth_game, .settings = &trial.settings};
    struct naive_arms known;
    struct flat_found found;
    struct rng task;
    flat_find(&trial, &found);
    rng_seed(&task, 5);
    const uint64_t seed = rng_next(&task);
    rng_seed_stream(&naive.rng, seed, 0);
    naive_list(&naive, &view, &known);
    rng_seed_stream(&naive.rng, seed, 1);
    naive_pimc(&naive, &view, 400, true, &known);
    for (int i = 0; i < 2; i++)
        assert_int_equal(thought_about(&found.thoughts, known.actions[i]).visits, known.arms[i].visits);
    assert_int_equal(found.result.leaves, 400 + naive.leaves);
}

static void rules_switch_some_and_chance_half(void **state) {
    (void)state;
    int switched[SWITCH_RULES] = {0};
    for (int rule = 0; rule < SWITCH_RULES; rule++) {
        for (uint64_t seed = 1; seed <= 60; seed++) {
            struct flat_found found;
            struct flat_trial trial = adaptive((enum switching_rule)rule, seed);
            union search_state whole, own;
            start_game(scenario, seed, 2, &whole);
            view_of(&synth_game, &whole, &own);
            trial.view = &own;
            trial.settings.inner_sims = 2;
            flat_find(&trial, &found);
            switched[rule] += found.report.switched;
        }
    }
    assert_int_equal(switched[SWITCH_ALWAYS], 60);
    assert_int_equal(switched[SWITCH_NEVER], 0);
    assert_in_range(switched[SWITCH_RANDOM], 12, 48);
    for (int rule = 0; rule < SWITCH_ALWAYS; rule++)
        assert_in_range(switched[rule], 1, 59);
    assert_int_equal(switched[SWITCH_GAP] + switched[SWITCH_REVERSED], 60); /* no gap is just theta */
}

/* Rule 6x compares the number of remaining worlds with that at the start: with few at the start any
 * difference is small, with many none is. */
static void worlds_at_the_start_are_a_measure(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct flat_found found;
        struct flat_trial trial = adaptive(SWITCH_GAP_BY_WORLDS, seed);
        trial.settings.inner_sims = 2;
        trial.settings.worlds_at_start = 0.01; /* a threshold that no difference reaches */
        flat_find(&trial, &found);
        assert_true(found.report.switched);
        trial.settings.worlds_at_start = 1e9;
        flat_find(&trial, &found);
        assert_false(found.report.switched);
    }
}

/* A player without a later choice gains nothing from planning it. */
static void the_last_decision_is_searched_once(void **state) {
    (void)state;
    for (int ply = 0; ply < 6; ply++) {
        for (int both = 0; both < 2; both++) {
            union search_state whole, own;
            struct flat_found found;
            struct flat_trial trial = adaptive(SWITCH_ALWAYS, 1);
            start_game(scenario, 4, ply, &whole);
            view_of(&synth_game, &whole, &own);
            trial.view = &own;
            trial.settings.thinkers = both ? FLAT_BOTH : FLAT_OWN;
            trial.settings.skip_last = true;
            flat_find(&trial, &found);
            assert_int_equal(found.report.switched, ply < (both ? 5 : 4));
            trial.settings.skip_last = false;
            flat_find(&trial, &found);
            assert_true(found.report.switched);
            assert_int_equal(found.report.sims[1], found.report.sims[0]);
        }
    }
}

/* In Kuhn poker only some sequences contain a second choice; one is enough. */
static void one_line_with_a_choice_is_enough(void **state) {
    (void)state;
    struct scenario *kuhn = support_load("kuhn");
    for (int plies = 0; plies < 2; plies++) {
        union search_state whole, own;
        struct flat_found found;
        struct flat_trial trial = adaptive(SWITCH_ALWAYS, 1);
        start_game(kuhn, 1, plies, &whole);
        view_of(kuhn->game, &whole, &own);
        trial.game = kuhn->game;
        trial.view = &own;
        trial.settings.rollout = NULL;
        trial.settings.skip_last = true;
        flat_find(&trial, &found);
        assert_int_equal(found.report.switched, plies == 0);
    }
    game_unload(kuhn);
}

/* Two possible cards of the other player, and two actions: four positions, more than the limit. */
static void too_many_lines_are_not_looked_at(void **state) {
    (void)state;
    struct scenario *kuhn = support_load("kuhn");
    union search_state whole, own;
    start_game(kuhn, 1, 1, &whole);
    view_of(kuhn->game, &whole, &own);
    for (uint64_t sims = 3; sims <= 4; sims++) {
        struct flat_found found;
        struct flat_trial trial = adaptive(SWITCH_ALWAYS, 1);
        trial.game = kuhn->game;
        trial.view = &own;
        trial.settings.rollout = NULL;
        trial.settings.skip_last = true;
        trial.settings.sims = sims;
        flat_find(&trial, &found);
        assert_int_equal(found.report.switched, sims < 4);
    }
    game_unload(kuhn);
}

/* ---- limits ---- */

static void leaves_are_a_limit(void **state) {
    (void)state;
    for (uint64_t limit = 1; limit < 3000; limit = limit * 3 + 1) {
        struct flat_found found;
        struct flat_trial trial = {.game = &synth_game,
                                   .view = &view,
                                   .settings = {.sims = 7, .leaves_max = limit}, /* in place of N */
                                   .seed = limit};
        flat_find(&trial, &found);
        assert_int_equal(found.result.leaves, limit);
        assert_int_equal(found.result.work, limit);
        trial.settings.thinkers = FLAT_BOTH;
        trial.settings.inner_sims = 10;
        flat_find(&trial, &found);
        assert_int_equal(found.result.leaves, limit);
        assert_int_equal(found.result.work, limit / 51); /* five thoughtful moves and itself */
        trial.settings.thinkers = FLAT_NO_ONE;
        trial.settings.leaf = FLAT_MINIMAX;
        flat_find(&trial, &found);
        assert_int_equal(found.result.leaves, limit);
        assert_true(synth_game.is_legal(&view, found.result.chosen));
        trial = adaptive(SWITCH_ALWAYS, 1);
        trial.settings.leaves_max = limit;
        flat_find(&trial, &found);
        assert_int_equal(found.result.leaves, limit);
        assert_int_equal(found.report.switched, limit > 400);
        assert_int_equal(found.report.sims[0], limit < 400 ? limit : 400);
        assert_int_equal(found.thoughts.simulations, found.report.sims[0] + found.report.sims[1]);
    }
}

static void work_of_the_budget_goes_first(void **state) {
    (void)state;
    struct flat_found found;
    struct flat_trial trial = adaptive(SWITCH_ALWAYS, 1);
    trial.budget.work_max = 33;
    flat_find(&trial, &found);
    assert_int_equal(found.report.sims[0], 33);
    assert_int_equal(found.report.sims[1], 33);
    trial.settings.root = FLAT_ROUND_ROBIN;
    flat_find(&trial, &found);
    assert_int_equal(found.report.sims[0], 32);
    trial.budget.work_max = 1;
    flat_find(&trial, &found);
    assert_int_equal(found.report.sims[0], 1);
}

/* Each reading takes a microsecond; one of them may ask to stop. */
struct slow_clock {
    int64_t now;
    long looks, stop_at;
    atomic_bool stop;
};

static int64_t slow_now(void *self) {
    struct slow_clock *c = self;
    if (++c->looks == c->stop_at)
        atomic_store(&c->stop, true);
    return c->now += 1000;
}

static void time_takes_the_place_of_n(void **state) {
    (void)state;
    struct slow_clock slow = {0};
    const struct clock clock = {.now_ns = slow_now, .self = &slow};
    struct flat_found found;
    struct flat_trial trial = {.game = &synth_game,
                               .view = &view,
                               .settings = {.sims = 50},
                               .budget = {.clock = &clock, .time_ns_max = 300000}};
    flat_find(&trial, &found);
    assert_true(found.result.work > 1000);
    assert_in_range(slow.looks, 290, 320);
    trial.settings.thinkers = FLAT_OWN;
    trial.settings.inner_sims = 10;
    flat_find(&trial, &found);
    assert_true(found.result.work > 50);

    trial = adaptive(SWITCH_ALWAYS, 1);
    trial.budget = (struct budget){.clock = &clock, .time_ns_max = 300000};
    flat_find(&trial, &found);
    assert_int_equal(found.report.sims[0], 400);
    assert_true(found.report.sims[1] > 400);
    trial.settings.rule = SWITCH_NEVER;
    flat_find(&trial, &found);
    assert_int_equal(found.result.work, 400);
    trial.settings.sims = 100000000;
    trial.settings.rule = SWITCH_ALWAYS;
    flat_find(&trial, &found); /* the first search takes all of the time */
    assert_false(found.report.switched);
    trial.settings.sims = 50;
    trial.budget = (struct budget){.clock = &clock, .deadline_ns = slow.now + 1000000000};
    flat_find(&trial, &found); /* a deadline only cuts */
    assert_int_equal(found.report.sims[1], 50);
}

/* Results that the second search has not begun to replace stay. */
static void a_second_search_cut_at_once_leaves_the_first(void **state) {
    (void)state;
    struct flat_found found, first;
    struct flat_trial trial = adaptive(SWITCH_ALWAYS, 9);
    trial.settings.leaves_max = 410; /* a thoughtful playout takes 21 */
    flat_find(&trial, &found);
    assert_true(found.report.switched);
    assert_int_equal(found.report.sims[1], 0);
    assert_int_equal(found.thoughts.simulations, 400);
    trial.settings.rule = SWITCH_NEVER;
    flat_find(&trial, &first);
    assert_same(&found, &first);
}

static void a_stop_reaches_all(void **state) {
    (void)state;
    struct scenario *deep = support_load("synth:df=0,depth=60");
    struct slow_clock slow = {.stop_at = 300};
    const struct clock clock = {.now_ns = slow_now, .self = &slow};
    union search_state whole, own;
    struct flat_found found;
    start_game(deep, 1, 0, &whole);
    view_of(&synth_game, &whole, &own);
    struct flat_trial trial = {.game = &synth_game,
                               .view = &own,
                               .settings = {.leaf = FLAT_MINIMAX, .sims = 400},
                               .budget = {.clock = &clock, .deadline_ns = INT64_MAX, .stop = &slow.stop}};
    flat_find(&trial, &found); /* inside of one exact value, which would take for ever */
    assert_int_equal(found.result.work, 0);
    assert_true(synth_game.is_legal(&own, found.result.chosen));
    assert_int_equal(found.thoughts.count, 1);

    atomic_bool stop = false;
    hands = (struct hands){.stop_at = 5000, .stop = &stop};
    trial.settings = (struct flat_settings){
        .thinkers = FLAT_BOTH, .inner_sims = 1000000, .rollout = &handled, .sims = 400};
    trial.budget = (struct budget){.stop = &stop};
    flat_find(&trial, &found); /* inside of one thoughtful move, and without a clock */
    assert_int_equal(found.result.work, 0);
    assert_in_range(hands.calls, 5000, 5100);
    game_unload(deep);
}

/* ---- watching ---- */

struct watcher {
    int shown;
    uint64_t simulations;
};

static void show(void *context, const struct thoughts *so_far) {
    struct watcher *w = context;
    w->shown++;
    assert_true(so_far->simulations > w->simulations);
    assert_in_range(so_far->count, 1, 2);
    w->simulations = so_far->simulations;
}

static void watchers_see_it_grow(void **state) {
    (void)state;
    struct slow_clock slow = {0};
    const struct clock clock = {.now_ns = slow_now, .self = &slow};
    struct watcher watcher = {0};
    struct flat_found found;
    struct flat_trial trial = adaptive(SWITCH_ALWAYS, 1);
    trial.settings.sims = 20000;
    trial.budget.clock = &clock;
    trial.watch = &(struct watch){show, &watcher, 10000};
    flat_find(&trial, &found);
    assert_in_range(watcher.shown, 3, 1000);
    assert_true(watcher.simulations > 20000); /* of both searches */
    assert_int_equal(found.thoughts.simulations, 40000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(never_is_pimc_by_equation_5, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_first_search_is_forgotten, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_second_search_is_iimc, set_up, tear_down),
        cmocka_unit_test_setup_teardown(rules_switch_some_and_chance_half, set_up, tear_down),
        cmocka_unit_test_setup_teardown(worlds_at_the_start_are_a_measure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_last_decision_is_searched_once, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_line_with_a_choice_is_enough, set_up, tear_down),
        cmocka_unit_test_setup_teardown(too_many_lines_are_not_looked_at, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_are_a_limit, set_up, tear_down),
        cmocka_unit_test_setup_teardown(work_of_the_budget_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(time_takes_the_place_of_n, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_second_search_cut_at_once_leaves_the_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_stop_reaches_all, set_up, tear_down),
        cmocka_unit_test_setup_teardown(watchers_see_it_grow, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
