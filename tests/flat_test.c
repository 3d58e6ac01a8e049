/* SPDX-License-Identifier: MIT
 *
 * Monte Carlo over worlds: the bandit's formulas by hand, every visit against a naive search, values against
 * exact ones, and what the searches make of strategy fusion.
 */
#include "flat_support.h"

#include "game/plain.h"
#include "game/synth/synth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- formulas ---- */

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g should be %.9g", value, expected);
}

static void bounds_by_hand(void **state) {
    (void)state;
    /* Rewards 1, 1, 0.5, 0.5: V = 0.0625 + 1.073, so 1/4; 0.75 + sqrt(2.302585 / 4 / 4). */
    assert_near(flat_bound(&(struct flat_arm){4, 3, 2.5}, 10, FLAT_TUNED, 0), 1.129356782346, 1e-12);
    /* A thousand rewards of 0.5: V = 0 + 0.123296. */
    assert_near(flat_bound(&(struct flat_arm){1000, 500, 250}, 2000, FLAT_TUNED, 0), 0.530613033620, 1e-12);
    /* Mean 0.3 and variance 0.06: V = 0.06 + 0.130516. */
    assert_near(flat_bound(&(struct flat_arm){1000, 300, 150}, 5000, FLAT_TUNED, 0), 0.340282257596, 1e-12);
    /* A tenth of all rewards 1: the variance is what makes the difference. */
    assert_near(flat_bound(&(struct flat_arm){1000, 100, 100}, 5000, FLAT_TUNED, 0), 0.143337928801, 1e-12);
    assert_near(flat_bound(&(struct flat_arm){1, 1, 1}, 2, FLAT_TUNED, 0), 1 + sqrt(log(2) / 4), 1e-12);
    assert_near(flat_bound(&(struct flat_arm){4, 3, 2.5}, 10, FLAT_UCB1, sqrt(2)), 1.822983013145, 1e-12);
    assert_near(flat_bound(&(struct flat_arm){1000, 300, 150}, 5000, FLAT_UCB1, 0.5), 0.346144320321, 1e-12);
}

/* On both sides of where the cap of 1/4 sets in, the formula as it is printed. */
static void bounds_as_printed(void **state) {
    (void)state;
    for (uint64_t visits = 1; visits < 600; visits += 7) {
        for (int tenths = 0; tenths <= 10; tenths++) {
            const uint64_t n = 2 * visits + 13;
            const double t = (double)visits, sum = t * tenths / 10, squares = sum * 0.8;
            const double spread = squares / t - sum / t * (sum / t);
            const double v = (spread > 0 ? spread : 0) + sqrt(2 * log((double)n) / t);
            const double bound = sum / t + sqrt(log((double)n) / t * (v < 0.25 ? v : 0.25));
            assert_near(flat_bound(&(struct flat_arm){visits, sum, squares}, n, FLAT_TUNED, 0), bound, 1e-12);
        }
    }
}

static void equation_5(void **state) {
    (void)state;
    assert_int_equal(flat_equation_5(8, 2, 25), 400);
    assert_int_equal(flat_equation_5(1, 2, 25), 50);
    assert_int_equal(flat_equation_5(3, 5, 0.5), 8); /* 7.5 */
    assert_int_equal(flat_equation_5(1, 1, 0.01), 1);
    assert_int_equal(flat_equation_5(1e300, 64, 1e6), UINT64_C(1) << 62);
}

/* ---- the naive search agrees ---- */

static const char *const games[] = {"synth:df=0.5", "synth:df=0.1,branching=3,worlds=4,depth=5", "kuhn",
                                    "fusion"};

static const struct flat_settings settings_tried[] = {
    {.root = FLAT_TUNED, .sims = 400},
    {.root = FLAT_UCB1, .c = 0.7, .sims = 300},
    {.root = FLAT_ROUND_ROBIN, .sims = 120},
    {.root = FLAT_TUNED, .sims = 3000, .by_sum = true},
    {.root = FLAT_TUNED, .sims = 40, .thinkers = FLAT_OWN, .inner_sims = 20},
    {.root = FLAT_TUNED, .sims = 30, .thinkers = FLAT_BOTH, .inner_sims = 7},
    {.root = FLAT_UCB1, .c = 1, .sims = 30, .thinkers = FLAT_BOTH, .inner_constant = 1.5},
    {.root = FLAT_TUNED, .sims = 30, .thinkers = FLAT_BOTH, .inner_sims = 5, .by_sum = true},
    {.root = FLAT_ROUND_ROBIN, .sims = 36, .thinkers = FLAT_OWN, .inner_sims = 12, .by_sum = true},
};

static void compare_arms(const struct naive_arms *known, const struct flat_found *found) {
    for (int i = 0; i < known->count; i++) {
        const struct flat_arm *arm = &known->arms[i];
        const struct thought thought = thought_about(&found->thoughts, known->actions[i]);
        const double mean = arm->visits > 0 ? arm->sum / (double)arm->visits : 0;
        assert_int_equal(thought.visits, arm->visits);
        assert_memory_equal(&thought.value, &mean, sizeof mean);
    }
    assert_int_equal(found->thoughts.total, known->count);
}

static void compare_searches(const struct game *game, const union search_state *view,
                             const struct flat_settings *settings, uint64_t seed) {
    struct flat_trial trial = {.game = game, .view = view, .settings = *settings, .seed = seed};
    struct naive_flat naive = {.game = game, .settings = &trial.settings};
    struct naive_arms known;
    struct flat_found found;
    struct rng task;
    trial.settings.rollout = &game->rollouts[0];
    rng_seed(&task, seed);
    rng_seed_stream(&naive.rng, rng_next(&task), 0);
    naive_list(&naive, view, &known);
    naive_pimc(&naive, view, settings->sims, settings->thinkers != FLAT_NO_ONE, &known);
    flat_find(&trial, &found);
    compare_arms(&known, &found);
    assert_int_equal(found.result.chosen, naive_choice(&naive, &known));
    assert_int_equal(found.result.work, settings->sims);
    assert_int_equal(found.result.leaves, naive.leaves);
    assert_int_equal(found.thoughts.simulations, settings->sims);
    assert_memory_equal(&found.after, &task, sizeof task); /* one number was drawn */
    assert_int_equal(found.thoughts.candidates[0].action, found.result.chosen);
}

static void every_visit_agrees(void **state) {
    (void)state;
    for (size_t g = 0; g < sizeof games / sizeof games[0]; g++) {
        struct scenario *scenario = support_load(games[g]);
        for (size_t i = 0; i < sizeof settings_tried / sizeof settings_tried[0]; i++) {
            for (uint64_t seed = 1; seed <= 12; seed++) {
                union search_state whole, view;
                start_game(scenario, seed, scenario->game == &synth_game ? (int)(seed % 5) : 0, &whole);
                view_of(scenario->game, &whole, &view);
                compare_searches(scenario->game, &view, &settings_tried[i], seed);
            }
        }
        game_unload(scenario);
    }
}

/* With fewer simulations than actions the tried ones are drawn at random. */
static void a_small_n_favours_no_action(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:branching=3,depth=4");
    union search_state whole, view;
    int chosen[3] = {0};
    start_game(scenario, 1, 0, &whole);
    view_of(&synth_game, &whole, &view);
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct flat_found found;
        flat_find(
            &(struct flat_trial){.game = &synth_game, .view = &view, .settings = {.sims = 1}, .seed = seed},
            &found);
        chosen[found.result.chosen]++;
    }
    for (int i = 0; i < 3; i++)
        assert_in_range(chosen[i], 60, 140); /* five standard errors */
    game_unload(scenario);
}

/* By equation (5) N follows the mover's information set at its position, not that at the start. */
static void n_follows_the_cell(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:df=0.5");
    int seen[9] = {0};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        for (int adaptive = 0; adaptive < 2; adaptive++) {
            union search_state whole, view;
            struct flat_found found;
            start_game(scenario, seed, (int)(seed % 6), &whole);
            view_of(&synth_game, &whole, &view);
            const uint64_t worlds = (uint64_t)synth_game.worlds(&view);
            const struct flat_trial trial = {.game = &synth_game,
                                             .view = &view,
                                             .settings = {.thinkers = adaptive ? FLAT_OWN : FLAT_NO_ONE,
                                                          .adaptive = adaptive,
                                                          .rule = SWITCH_NEVER,
                                                          .constant = 25},
                                             .seed = seed};
            flat_find(&trial, &found);
            assert_int_equal(found.result.work, worlds * 2 * 25);
            seen[worlds]++;
        }
    }
    for (int worlds = 1; worlds <= 8; worlds *= 2)
        assert_true(seen[worlds] > 0);
    game_unload(scenario);
}

/* Few simulations, so that the action tried more often may have the higher sum and the lower mean. */
static void the_sum_or_the_mean_decides(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:df=0.5");
    union search_state whole, view;
    int differ = 0;
    start_game(scenario, 1, 0, &whole);
    view_of(&synth_game, &whole, &view);
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct flat_found mean, sum;
        struct flat_trial trial = {.game = &synth_game, .view = &view, .settings = {.sims = 5}, .seed = seed};
        flat_find(&trial, &mean);
        trial.settings.by_sum = true;
        flat_find(&trial, &sum);
        const struct thought by_mean = thought_about(&mean.thoughts, mean.result.chosen);
        const struct thought by_sum = thought_about(&sum.thoughts, sum.result.chosen);
        const struct thought other = thought_about(&sum.thoughts, 1 - sum.result.chosen);
        assert_true(by_sum.value * (double)by_sum.visits > other.value * (double)other.visits - 1e-9);
        assert_true(by_mean.value >= thought_about(&mean.thoughts, 1 - mean.result.chosen).value);
        differ += by_mean.action != by_sum.action;
    }
    assert_true(differ > 0);
    game_unload(scenario);
}

/* ---- values ---- */

/* The value of an action averaged over all worlds. */
struct worth {
    double random, minimax;
    uint64_t ends;
};

static struct worth worth_of(const struct game *game, const union search_state *view, action a) {
    const double worlds = game->worlds(view);
    struct worth w = {0};
    for (uint64_t k = 0; k < (uint64_t)worlds; k++) {
        union search_state next = *view;
        const int side = game->mover(view);
        game->world(&next, k);
        game->play(&next, a, NULL);
        w.random += naive_random(game, &next, side) / worlds;
        w.minimax += naive_minimax(game, &next, side, &w.ends) / worlds;
    }
    return w;
}

static void playouts_converge(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:df=0.3,depth=5,branching=3");
    for (uint64_t seed = 1; seed <= 4; seed++) {
        union search_state whole, view;
        struct flat_found found;
        start_game(scenario, seed, (int)seed, &whole);
        view_of(&synth_game, &whole, &view);
        flat_find(&(struct flat_trial){.game = &synth_game,
                                       .view = &view,
                                       .settings = {.root = FLAT_ROUND_ROBIN, .sims = 30001},
                                       .seed = seed},
                  &found);
        for (action a = 0; a < 3; a++) {
            const struct thought thought = thought_about(&found.thoughts, a);
            assert_int_equal(thought.visits, 10000); /* whole rounds */
            assert_near(thought.value, worth_of(&synth_game, &view, a).random, 5 * 0.25 / 100);
        }
        assert_int_equal(found.result.leaves, 30000);
    }
    game_unload(scenario);
}

static void minimax_is_exact_and_saves_leaves(void **state) {
    (void)state;
    static const char *const specs[] = {"synth:df=0.2", "synth:df=0.2,branching=3,depth=4", "kuhn", "fusion"};
    for (size_t g = 0; g < sizeof specs / sizeof specs[0]; g++) {
        struct scenario *scenario = support_load(specs[g]);
        const struct game *game = scenario->game;
        uint64_t ends = 0, leaves = 0;
        for (uint64_t seed = 1; seed <= 20; seed++) {
            union search_state whole, view;
            struct flat_found found;
            start_game(scenario, seed, game == &synth_game ? (int)(seed % 3) : 0, &whole);
            view_of(game, &whole, &view);
            const struct flat_trial trial = {
                .game = game,
                .view = &view,
                .settings = {.root = FLAT_TUNED, .leaf = FLAT_MINIMAX, .all_worlds = true, .sims = 400},
                .seed = seed};
            flat_find(&trial, &found);
            double best = 0;
            for (int i = 0; i < found.thoughts.count; i++) {
                const struct thought *thought = &found.thoughts.candidates[i];
                const struct worth w = worth_of(game, &view, thought->action);
                assert_int_equal(thought->visits, (uint64_t)game->worlds(&view));
                assert_near(thought->value, w.minimax, 1e-12);
                best = w.minimax > best ? w.minimax : best;
                ends += w.ends;
            }
            assert_near(found.result.value, best, 1e-12);
            leaves += found.result.leaves;
        }
        assert_true(leaves <= ends);
        assert_true(game == &fusion_game || leaves < ends);
        game_unload(scenario);
    }
}

/* In random worlds the means are those of the worlds that were drawn; a depth cuts the search short. */
static void minimax_in_random_worlds(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:df=0");
    union search_state whole, view;
    struct flat_found found, shallow;
    start_game(scenario, 3, 0, &whole);
    view_of(&synth_game, &whole, &view);
    struct flat_trial trial = {
        .game = &synth_game, .view = &view, .settings = {.leaf = FLAT_MINIMAX, .sims = 4000}, .seed = 3};
    flat_find(&trial, &found);
    for (action a = 0; a < 2; a++) {
        const struct thought thought = thought_about(&found.thoughts, a);
        assert_near(thought.value, worth_of(&synth_game, &view, a).minimax,
                    5 * 0.25 / sqrt((double)thought.visits));
    }
    trial.settings.depth = 2;
    flat_find(&trial, &shallow);
    assert_true(shallow.result.leaves <= 4 * 4000);
    assert_true(shallow.result.leaves > 2 * 4000);
    assert_true(found.result.leaves > shallow.result.leaves);
    trial.settings.depth = 5; /* as deep as there is */
    flat_find(&trial, &shallow);
    assert_int_equal(shallow.result.leaves, found.result.leaves);
    assert_memory_equal(&shallow.result.value, &found.result.value, sizeof found.result.value);
    game_unload(scenario);
}

/* In turn, as often as N allows; with a too small N they are drawn at random. */
static void all_worlds_in_turn(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:df=0");
    union search_state whole, view;
    struct flat_found found;
    start_game(scenario, 3, 0, &whole);
    view_of(&synth_game, &whole, &view);
    struct flat_trial trial = {.game = &synth_game,
                               .view = &view,
                               .settings = {.root = FLAT_UCB1, .c = 1, .all_worlds = true, .sims = 47},
                               .seed = 3};
    flat_find(&trial, &found);
    assert_int_equal(found.result.work, 32);
    assert_int_equal(thought_about(&found.thoughts, 0).visits, 16);
    trial.settings.leaf = FLAT_MINIMAX;
    flat_find(&trial, &found);
    assert_int_equal(found.result.work, 16);
    trial.settings.sims = 15;
    flat_find(&trial, &found);
    assert_int_equal(found.result.work, 15);
    game_unload(scenario);
}

/* ---- strategy fusion ---- */

static void per_world_search_believes_in_a1(void **state) {
    (void)state;
    enum { A1 = 1, A2 };
    struct scenario *scenario = support_load("fusion");
    union search_state whole, view;
    struct flat_found found;
    start_game(scenario, 1, 0, &whole);
    view_of(&fusion_game, &whole, &view);
    struct flat_trial trial = {
        .game = &fusion_game, .view = &view, .settings = {.leaf = FLAT_MINIMAX, .sims = 400}, .seed = 1};
    flat_find(&trial, &found);
    assert_int_equal(found.result.chosen, A1);
    assert_near(found.result.value, 1, 0);
    assert_near(game_payoff_scaled(scenario, found.result.value), 1, 1e-12);
    assert_near(game_payoff_scaled(scenario, thought_about(&found.thoughts, A2).value), 0.5, 1e-12);
    assert_true(found.result.leaves >= 400);

    trial.settings = (struct flat_settings){.thinkers = FLAT_OWN, .inner_sims = 50, .sims = 400};
    flat_find(&trial, &found);
    assert_int_equal(found.result.chosen, A2);
    assert_near(game_payoff_scaled(scenario, found.result.value), 0.5, 1e-12);
    assert_true(thought_about(&found.thoughts, A1).value < 0.7); /* 0.5 but for chance */

    /* Players that search each world alone are fused, too, but have lost that belief. */
    trial.settings.leaf = FLAT_MINIMAX;
    flat_find(&trial, &found);
    assert_int_equal(found.result.chosen, A2);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_by_hand),
        cmocka_unit_test(bounds_as_printed),
        cmocka_unit_test(equation_5),
        cmocka_unit_test(every_visit_agrees),
        cmocka_unit_test(a_small_n_favours_no_action),
        cmocka_unit_test(n_follows_the_cell),
        cmocka_unit_test(the_sum_or_the_mean_decides),
        cmocka_unit_test(playouts_converge),
        cmocka_unit_test(minimax_is_exact_and_saves_leaves),
        cmocka_unit_test(minimax_in_random_worlds),
        cmocka_unit_test(all_worlds_in_turn),
        cmocka_unit_test(per_world_search_believes_in_a1),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
