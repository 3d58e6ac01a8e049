/* SPDX-License-Identifier: MIT
 *
 * Games written out whole, best answers and equilibria: against the known solution of Kuhn poker, against
 * brute force over pure strategies, and against perfect information where nothing stays hidden.
 */
#include "exact_support.h"
#include "base/mem.h"
#include "exact/form.h"
#include "tests/memory_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- support ---- */

static double value_of(const struct form *form, const double *first, const double *second) {
    return form_value(form, (const double *const[2]){first, second});
}

static double answer(const struct form *form, const double *strategy, int side, double *best) {
    struct err e;
    double value = 0;
    assert_true(response_find(form, strategy, side, best, &value, &e));
    return value;
}

/* The best of all pure strategies of a side, tried one by one: sets have two actions. */
static double brute_force(const struct form *form, const double *strategy, int side) {
    uint32_t sets = 0;
    for (uint32_t i = 0; i < form->set_count; i++)
        sets += form->sets[i].side == side;
    assert_in_range(sets, 1, 14);
    double *pure = form_uniform(form), best = 0;
    for (uint32_t pattern = 0; pattern < 1u << sets; pattern++) {
        uint32_t bit = 0;
        for (uint32_t i = 0; i < form->set_count; i++)
            if (form->sets[i].side == side) {
                pure[form->sets[i].first] = pattern >> bit & 1;
                pure[form->sets[i].first + 1] = 1 - pure[form->sets[i].first];
                bit++;
            }
        const double first = side == 0 ? value_of(form, pure, strategy) : value_of(form, strategy, pure);
        best = fmax(best, side == 0 ? first : 1 - first);
    }
    mem_free(pure);
    return best;
}

static void fill_random(const struct form *form, uint64_t seed, double *out) {
    struct rng r;
    rng_seed(&r, seed);
    for (uint32_t i = 0; i < form->set_count; i++) {
        double sum = 0, *chances = out + form->sets[i].first;
        for (int k = 0; k < form->sets[i].count; k++)
            sum += chances[k] = rng_unit(&r) + 0.01;
        for (int k = 0; k < form->sets[i].count; k++)
            chances[k] /= sum;
    }
}

/* ---- Kuhn poker ---- */

/* A set by the line that is written of its view: "cards=J,? moves=-". */
static const struct form_set *set_named(const struct solved *s, const char *wanted) {
    const struct form_set *found = NULL;
    for (uint32_t i = 0; i < s->form.set_count && found == NULL; i++) {
        struct text name = {0};
        s->scenario->game->text->write_state(form_view(&s->form, i), &name);
        char *line = text_trim(name.data);
        if (strcmp(line, wanted) == 0)
            found = &s->form.sets[i];
        text_done(&name);
    }
    if (found == NULL)
        fail_msg("there is no set '%s'", wanted);
    return found;
}

/* How often the second action (a bet or a call) is played there. */
static double bets(const struct solved *s, const char *view) {
    return s->strategy[set_named(s, view)->first + 1];
}

static void kuhn_has_its_shape(void **state) {
    (void)state;
    struct solved s;
    solved_write_out(&s, "kuhn", 1);
    assert_int_equal(s.form.deal_count, 6);
    assert_int_equal(s.form.node_count, 6 * 9);
    assert_int_equal(s.form.set_count, 12);
    assert_int_equal(s.form.action_count, 24);
    solved_drop(&s);
}

/* Two chances of 0 to 1 that sum to 1, in every set; the last one is changed here. */
static void a_strategy_has_its_laws(void **state) {
    (void)state;
    static const struct {
        double first, second;
        bool holds;
    } cases[] = {{0.5, 0.5, true},        {0, 1, true},       {0.25, 0.25, false},
                 {0.75, 0.75, false},     {-0.5, 1.5, false}, {1.5, -0.5, false},
                 {0, 0, false},           {1, 1e-12, true},   {1, 1e-6, false},
                 {(double)NAN, 1, false}, {1, 5e-10, true},   {1, 2e-9, false}};
    struct solved s;
    solved_write_out(&s, "kuhn", 1);
    double *strategy = form_uniform(&s.form);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        strategy[22] = cases[i].first;
        strategy[23] = cases[i].second;
        assert_int_equal(form_is_strategy(&s.form, strategy), cases[i].holds);
    }
    mem_free(strategy);
    solved_drop(&s);
}

static void kuhn_is_worth_minus_one_eighteenth(void **state) {
    (void)state;
    struct solved s;
    solved_write_out(&s, "kuhn", 1);
    solved_find(&s, 1e-6);
    assert_true(s.result.gap <= 1e-6);
    assert_true(is_near(game_payoff_scaled(s.scenario, s.result.value), -1.0 / 18, 4e-6));
    assert_true(is_near(value_of(&s.form, s.strategy, s.strategy), s.result.value, 1e-6));
    solved_drop(&s);
}

struct known_bet {
    const char *view;
    double bets;
};

/* All equilibria are known: the first side has one for each frequency of betting the jack, the second side
 * has only one. */
static void kuhn_is_played_as_known(void **state) {
    (void)state;
    struct solved s;
    solved_write_out(&s, "kuhn", 1);
    solved_find(&s, 1e-7);
    const double alpha = bets(&s, "cards=J,? moves=-");
    assert_true(alpha >= -0.001 && alpha <= 1.0 / 3 + 0.001);
    assert_true(is_near(bets(&s, "cards=K,? moves=-"), 3 * alpha, 0.005));
    assert_true(is_near(bets(&s, "cards=Q,? moves=-"), 0, 0.005));
    assert_true(is_near(bets(&s, "cards=J,? moves=pass,bet"), 0, 0.005));
    assert_true(is_near(bets(&s, "cards=Q,? moves=pass,bet"), alpha + 1.0 / 3, 0.005));
    assert_true(is_near(bets(&s, "cards=K,? moves=pass,bet"), 1, 0.005));
    static const struct known_bet second[] = {{"cards=?,J moves=pass", 1.0 / 3}, {"cards=?,Q moves=pass", 0},
                                              {"cards=?,K moves=pass", 1},       {"cards=?,J moves=bet", 0},
                                              {"cards=?,Q moves=bet", 1.0 / 3},  {"cards=?,K moves=bet", 1}};
    for (size_t i = 0; i < sizeof second / sizeof second[0]; i++)
        assert_true(is_near(bets(&s, second[i].view), second[i].bets, 0.005));
    solved_drop(&s);
}

static void answers_are_those_of_brute_force(void **state) {
    (void)state;
    static const char *const specs[] = {"kuhn", "fusion", "synth:worlds=2,depth=3,df=0",
                                        "synth:worlds=2,depth=2,df=0.5", "synth:worlds=4,depth=2,df=0"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct solved s;
            solved_write_out(&s, specs[i], seed);
            double *strategy = form_uniform(&s.form), *best = form_uniform(&s.form);
            if (seed > 0)
                fill_random(&s.form, seed, strategy);
            const double even = value_of(&s.form, strategy, strategy);
            for (int side = 0; side < 2; side++) {
                const double value = answer(&s.form, strategy, side, best);
                const double alike =
                    side == 0 ? value_of(&s.form, best, strategy) : 1 - value_of(&s.form, strategy, best);
                assert_true(is_near(alike, value, 1e-12));
                assert_true(value >= (side == 0 ? even : 1 - even) - 1e-12);
                if (side == 0 || strcmp(specs[i], "fusion") != 0)
                    assert_true(is_near(brute_force(&s.form, strategy, side), value, 1e-12));
            }
            mem_free(strategy);
            mem_free(best);
            solved_drop(&s);
        }
}

static void the_best_answer_to_even_choices(void **state) {
    (void)state;
    struct solved s;
    solved_write_out(&s, "kuhn", 1);
    double *even = form_uniform(&s.form);
    /* Counted by hand, in chips. The first side bets whatever it has: J (1 - 2) / 2, Q (1 + 0) / 2, K
     * (1 + 2) / 2, a third each. The second has J (fold -1, bluff -1/2), Q (call 0, bet 1/2), K (call 2, bet
     * 3/2), each after a bet and after a pass, a sixth each: 5/12. */
    assert_true(is_near(game_payoff_scaled(s.scenario, answer(&s.form, even, 0, NULL)), 0.5, 1e-12));
    assert_true(
        is_near(game_payoff_scaled(s.scenario, 1 - answer(&s.form, even, 1, NULL)), -5.0 / 12, 1e-12));
    mem_free(even);
    solved_drop(&s);
}

/* ---- other games of known value ---- */

static void fusion_is_worth_a_half(void **state) {
    (void)state;
    struct solved s;
    solved_write_out(&s, "fusion", 1);
    solved_find(&s, 1e-6);
    assert_true(is_near(game_payoff_scaled(s.scenario, s.result.value), 0.5, 1e-5));
    const struct form_set *root = &s.form.sets[s.form.nodes[0].set];
    assert_true(s.strategy[root->first + 1] > 0.9999); /* a2 */
    solved_drop(&s);
}

/* ---- synthetic trees ---- */

static double minimax(const struct form *form, uint32_t index) {
    const struct form_node *node = &form->nodes[index];
    if (node->set < 0)
        return node->payoff;
    const struct form_set *set = &form->sets[node->set];
    double best = minimax(form, node->first);
    for (int i = 1; i < set->count; i++) {
        const double value = minimax(form, node->first + (uint32_t)i);
        best = set->side == 0 ? fmax(best, value) : fmin(best, value);
    }
    return best;
}

/* With df=1 each player sees the whole world before its first move. */
static void knowing_all_is_minimax(void **state) {
    (void)state;
    struct solved s;
    solved_write_out(&s, "synth:df=1", 3);
    assert_int_equal(s.form.deal_count, 64);
    assert_int_equal(s.form.node_count, 64 * 127);
    assert_int_equal(s.form.set_count, 64 * 63);
    solved_find(&s, 1e-5);
    double sum = 0;
    for (uint32_t deal = 0; deal < s.form.deal_count; deal++)
        sum += minimax(&s.form, deal);
    assert_true(is_near(s.result.value, sum / 64, 1e-5));
    solved_drop(&s);
}

static void learning_nothing_leaves_large_sets(void **state) {
    (void)state;
    struct solved s;
    solved_write_out(&s, "synth:df=0,tree=5", 1);
    assert_int_equal(s.form.set_count, 8 * 63);
    solved_find(&s, 1e-4);
    assert_true(s.result.gap <= 1e-4);
    /* A strategy's guarantee is at most the value, its best answer at least. */
    double *other = form_uniform(&s.form);
    for (uint64_t seed = 0; seed < 5; seed++) {
        fill_random(&s.form, seed, other);
        assert_true(answer(&s.form, other, 0, NULL) >= s.result.value - 1e-4);
        assert_true(1 - answer(&s.form, other, 1, NULL) <= s.result.value + 1e-4);
        assert_true(value_of(&s.form, s.strategy, other) >= s.result.value - 1e-4);
        assert_true(value_of(&s.form, other, s.strategy) <= s.result.value + 1e-4);
    }
    mem_free(other);
    solved_drop(&s);
}

/* Averaging over worlds overestimates a1 in fusion (strategy fusion), plays minimax where nothing is hidden,
 * and never does better than the value. */
static void averaging_over_worlds(void **state) {
    (void)state;
    struct err e;
    struct solved s;
    solved_write_out(&s, "fusion", 1);
    s.strategy = form_uniform(&s.form);
    assert_true(pimc_strategy(&s.form, s.strategy, &e));
    const struct form_set *root = &s.form.sets[s.form.nodes[0].set];
    assert_true(is_near(s.strategy[root->first], 1, 0)); /* a1 */
    assert_true(is_near(game_payoff_scaled(s.scenario, value_of(&s.form, s.strategy, s.strategy)), 0, 1e-12));
    solved_drop(&s);

    static const char *const specs[] = {"synth:df=1,depth=4", "synth:df=0,payoffs=signs", "kuhn"};
    for (int i = 0; i < 3; i++) {
        solved_write_out(&s, specs[i], 4);
        solved_find(&s, 1e-4);
        double *pimc = form_uniform(&s.form);
        assert_true(pimc_strategy(&s.form, pimc, &e));
        assert_true(form_is_strategy(&s.form, pimc));
        const double guaranteed = 1 - answer(&s.form, pimc, 1, NULL);
        assert_true(guaranteed <= s.result.value + 1e-4);
        assert_int_equal(is_near(guaranteed, s.result.value, 1e-4), i == 0);
        mem_free(pimc);
        solved_drop(&s);
    }
}

/* Own actions on the way to every node, as a hash: nodes of a set must agree. */
static void check_recall(const struct form *form, uint32_t index, const uint64_t own[2], uint64_t *seen) {
    const struct form_node *node = &form->nodes[index];
    if (node->set < 0)
        return;
    const struct form_set *set = &form->sets[node->set];
    uint64_t *of_set = &seen[node->set];
    assert_true(*of_set == 0 || *of_set == own[set->side]);
    *of_set = own[set->side];
    for (int i = 0; i < set->count; i++) {
        uint64_t next[2] = {own[0], own[1]};
        next[set->side] = rng_mix(own[set->side] * 31 + (uint64_t)node->set) + (uint64_t)i + 1;
        assert_true(node->first + (uint32_t)i > index);
        check_recall(form, node->first + (uint32_t)i, next, seen);
    }
}

static void all_players_remember(void **state) {
    (void)state;
    static const char *const specs[] = {"kuhn", "fusion", "synth:df=0.3", "synth:df=0.7,branching=3,depth=4"};
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct solved s;
        solved_write_out(&s, specs[i], 9);
        uint64_t *seen = mem_alloc(s.form.set_count * sizeof *seen);
        for (uint32_t deal = 0; deal < s.form.deal_count; deal++)
            check_recall(&s.form, deal, (const uint64_t[2]){1, 1}, seen);
        for (uint32_t k = 0; k < s.form.set_count; k++)
            assert_true(seen[k] != 0);
        mem_free(seen);
        solved_drop(&s);
    }
}

/* Trees of their own depend on the seed and on nothing else. */
static void the_seed_draws_the_tree(void **state) {
    (void)state;
    struct solved a, b, c;
    solved_write_out(&a, "synth", 5);
    solved_write_out(&b, "synth", 5);
    solved_write_out(&c, "synth", 6);
    assert_int_equal(a.form.node_count, b.form.node_count);
    assert_memory_equal(a.form.nodes, b.form.nodes, a.form.node_count * sizeof *a.form.nodes);
    bool same = true;
    for (uint32_t i = 0; i < c.form.node_count; i++)
        same = same && is_near(a.form.nodes[i].payoff, c.form.nodes[i].payoff, 0);
    assert_false(same);
    solved_find(&a, 1e-3);
    solved_find(&b, 1e-3);
    assert_int_equal(a.result.iterations, b.result.iterations);
    assert_memory_equal(a.strategy, b.strategy, a.form.action_count * sizeof *a.strategy);
    solved_drop(&a);
    solved_drop(&b);
    solved_drop(&c);
}

/* ---- iterations ---- */

struct gaps {
    int looks, last;
    double first, latest;
    atomic_bool *stop;
};

static void note_gap(void *context, int iterations, double gap) {
    struct gaps *gaps = context;
    assert_true(iterations > gaps->last);
    gaps->last = iterations;
    if (gaps->looks++ == 0)
        gaps->first = gap;
    gaps->latest = gap;
    if (gaps->stop != NULL)
        atomic_store(gaps->stop, true);
}

static void the_gap_falls_and_is_true(void **state) {
    (void)state;
    struct err e;
    struct solved s;
    struct gaps gaps = {0};
    double gap = 0;
    solved_write_out(&s, "synth:df=0.3", 2);
    s.strategy = form_uniform(&s.form);
    const struct cfr_options options = {
        .iterations_max = 200, .gap = 1e-9, .on_gap = note_gap, .context = &gaps};
    assert_true(cfr_solve(&s.form, &options, s.strategy, &s.result, &e));
    assert_int_equal(s.result.iterations, 200);
    assert_int_equal(gaps.last, 200);
    assert_false(s.result.stopped);
    assert_true(gaps.looks > 5);
    assert_true(gaps.latest < gaps.first / 10);
    assert_true(response_gap(&s.form, (const double *const[2]){s.strategy, s.strategy}, &gap, &e));
    assert_true(is_near(gap, s.result.gap, 1e-9));
    solved_drop(&s);
}

static void a_stop_is_heeded(void **state) {
    (void)state;
    struct err e;
    struct solved s;
    atomic_bool stop = false;
    struct gaps gaps = {.stop = &stop, .last = -1};
    solved_write_out(&s, "synth:df=0.3", 2);
    s.strategy = form_uniform(&s.form);
    const struct cfr_options options = {.stop = &stop, .on_gap = note_gap, .context = &gaps};
    assert_true(cfr_solve(&s.form, &options, s.strategy, &s.result, &e));
    assert_true(s.result.stopped);
    assert_true(form_is_strategy(&s.form, s.strategy));
    struct form other;
    assert_false(form_build(s.scenario, 1, FORM_NODES_MAX, &stop, &other, &e));
    assert_string_equal(e.text, "stopped while the game was written out");
    assert_int_equal(other.node_count, other.deal_count); /* it stops before the first node */
    form_done(&other);
    solved_drop(&s);
}

/* Without an iteration the answer is uniform play; value and gap are those of uniform play. */
static void a_stop_before_the_first_iteration(void **state) {
    (void)state;
    struct err e;
    struct solved s;
    const atomic_bool stop = true;
    double gap = 0;
    solved_write_out(&s, "kuhn", 1);
    s.strategy = form_uniform(&s.form);
    double *even = form_uniform(&s.form);
    memset(s.strategy, 0, s.form.action_count * sizeof *s.strategy);
    assert_true(cfr_solve(&s.form, &(struct cfr_options){.stop = &stop}, s.strategy, &s.result, &e));
    assert_true(s.result.stopped);
    assert_int_equal(s.result.iterations, 0);
    assert_memory_equal(s.strategy, even, s.form.action_count * sizeof *even);
    assert_true(response_gap(&s.form, (const double *const[2]){even, even}, &gap, &e));
    assert_true(is_near(s.result.gap, gap, 1e-12));
    const double high = answer(&s.form, even, 0, NULL), low = 1 - answer(&s.form, even, 1, NULL);
    assert_true(is_near(s.result.value, (high + low) / 2, 1e-12));
    mem_free(even);
    solved_drop(&s);
}

/* ---- refusals ---- */

static void limits_hold(void **state) {
    (void)state;
    struct err e;
    struct form form;
    struct scenario *kuhn = game_load_spec("kuhn", &e);
    assert_true(form_build(kuhn, 1, 54, NULL, &form, &e));
    form_done(&form);
    assert_false(form_build(kuhn, 1, 53, NULL, &form, &e));
    assert_non_null(strstr(e.text, "more than 53 nodes"));
    form_done(&form);
    assert_false(form_build(kuhn, 1, 5, NULL, &form, &e));
    assert_non_null(strstr(e.text, "6 deals"));
    form_done(&form);
    game_unload(kuhn);
}

struct solving {
    struct scenario *scenario;
    bool done;
};

static void solve_whole(void *context) {
    struct solving *s = context;
    struct form form;
    struct cfr_result result;
    double strategy[24], gap;
    struct err e = {""};
    s->done = form_build(s->scenario, 1, 100, NULL, &form, &e) &&
              cfr_solve(&form, &(struct cfr_options){.iterations_max = 10}, strategy, &result, &e) &&
              response_gap(&form, (const double *const[2]){strategy, strategy}, &gap, &e);
    form_done(&form);
    assert_true(s->done || strstr(e.text, "memory") != NULL);
}

/* Missing tables are reported; a small allocation that fails leaves nothing behind. */
static void memory_may_run_out(void **state) {
    (void)state;
    struct err e;
    struct solving s = {.scenario = game_load_spec("kuhn", &e)};
    long n = 1;
    int escapes = 0;
    for (; !s.done && n < 200; n++)
        escapes += memory_runs_out(n, solve_whole, &s);
    assert_true(s.done && n > 15);
    assert_int_equal(escapes, 1);
    game_unload(s.scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kuhn_has_its_shape),
        cmocka_unit_test(a_strategy_has_its_laws),
        cmocka_unit_test(kuhn_is_worth_minus_one_eighteenth),
        cmocka_unit_test(kuhn_is_played_as_known),
        cmocka_unit_test(answers_are_those_of_brute_force),
        cmocka_unit_test(the_best_answer_to_even_choices),
        cmocka_unit_test(fusion_is_worth_a_half),
        cmocka_unit_test(knowing_all_is_minimax),
        cmocka_unit_test(learning_nothing_leaves_large_sets),
        cmocka_unit_test(averaging_over_worlds),
        cmocka_unit_test(all_players_remember),
        cmocka_unit_test(the_seed_draws_the_tree),
        cmocka_unit_test(the_gap_falls_and_is_true),
        cmocka_unit_test(a_stop_is_heeded),
        cmocka_unit_test(a_stop_before_the_first_iteration),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
