/* SPDX-License-Identifier: MIT
 *
 * Exact solutions of a game of one hidden choice, which is a matrix game, and refusals of games that break
 * their laws.
 */
#include "exact_support.h"
#include "base/mem.h"
#include "exact/form.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- a game of one hidden choice, and ways to break it ---- */

/* Side 0 chooses one of two, side 1 guesses without having seen it. Nothing is dealt: what is hidden is an
 * action. For some faults side 0 acts once more in between. */
enum fault { LAWFUL, ONE_KEY, OTHER_ACTIONS, FORGETS };

struct guess {
    uint8_t ply, hidden, chosen, guessed;
};

static enum fault fault;
static double prizes[2][2]; /* side 0's payoff by choice and guess */

static void guess_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)scenario;
    (void)r;
    *(struct guess *)state = (struct guess){0};
}

static int guess_mover(const void *state) {
    static const int movers[] = {0, 1, NOBODY}, twice[] = {0, 0, 1, NOBODY};
    const int ply = ((const struct guess *)state)->ply;
    return fault == FORGETS || fault == ONE_KEY ? twice[ply] : movers[ply];
}

static int guess_actions(const void *state, action *out) {
    const struct guess *g = state;
    out[0] = 0;
    out[1] = fault == OTHER_ACTIONS && g->ply == 1 ? 1u + g->chosen : 1;
    return 2;
}

static void guess_play(void *state, action a, struct rng *r) {
    (void)r;
    struct guess *g = state;
    if (g->ply == 0)
        g->chosen = (uint8_t)a;
    else
        g->guessed = a != 0;
    g->ply++;
}

static double guess_payoff(const void *state, int side) {
    const struct guess *g = state;
    const double prize = prizes[g->chosen][g->guessed];
    return side == 0 ? prize : 1 - prize;
}

static uint64_t guess_key(const void *state) {
    const struct guess *g = state;
    return fault == ONE_KEY ? 7
                            : (uint64_t)g->ply | (uint64_t)g->chosen << 8 | (uint64_t)g->guessed << 16 |
                                  (uint64_t)g->hidden << 24;
}

static void guess_hide(void *state, int side) {
    struct guess *g = state;
    if (g->ply > 0 && (side != 0 || fault == FORGETS)) {
        g->chosen = 0;
        g->hidden = 1;
    }
}

static double guess_worlds(const void *view) {
    return ((const struct guess *)view)->hidden != 0 ? 2 : 1;
}

static void guess_world(void *view, uint64_t number) {
    struct guess *g = view;
    g->chosen = (uint8_t)(g->hidden != 0 ? number : g->chosen);
    g->hidden = 0;
}

static const struct game guess_game = {.name = "guess",
                                       .state_size = sizeof(struct guess),
                                       .actions_max = 2,
                                       .start = guess_start,
                                       .mover = guess_mover,
                                       .actions = guess_actions,
                                       .play = guess_play,
                                       .payoff = guess_payoff,
                                       .key = guess_key,
                                       .hide = guess_hide,
                                       .worlds = guess_worlds,
                                       .world = guess_world};
static const struct scenario guess_scenario = {&guess_game};

/* The same with everything open. */
static const struct game open_game = {.name = "open",
                                      .state_size = sizeof(struct guess),
                                      .actions_max = 2,
                                      .start = guess_start,
                                      .mover = guess_mover,
                                      .actions = guess_actions,
                                      .play = guess_play,
                                      .payoff = guess_payoff,
                                      .key = guess_key};
static const struct scenario open_scenario = {&open_game};

static void set_prizes(double a, double b, double c, double d) {
    fault = LAWFUL;
    prizes[0][0] = a;
    prizes[0][1] = b;
    prizes[1][0] = c;
    prizes[1][1] = d;
}

/* ---- a long way with nothing to decide ---- */

static int corridor_length;

static int corridor_mover(const void *state) {
    return *(const int *)state < corridor_length ? 0 : NOBODY;
}

static void corridor_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)scenario;
    (void)r;
    *(int *)state = 0;
}

static int corridor_actions(const void *state, action *out) {
    (void)state;
    out[0] = 0;
    return 1;
}

static void corridor_play(void *state, action a, struct rng *r) {
    (void)a;
    (void)r;
    ++*(int *)state;
}

static double corridor_payoff(const void *state, int side) {
    (void)state;
    return side == 0 ? 0.25 : 0.75;
}

static uint64_t corridor_key(const void *state) {
    return (uint64_t)((const int *)state)[0];
}

static const struct game corridor_game = {.name = "corridor",
                                          .state_size = sizeof(int),
                                          .actions_max = 1,
                                          .start = corridor_start,
                                          .mover = corridor_mover,
                                          .actions = corridor_actions,
                                          .play = corridor_play,
                                          .payoff = corridor_payoff,
                                          .key = corridor_key};
static const struct scenario corridor_scenario = {&corridor_game};

/* ---- a lottery: a deal, and the game is over ---- */

static double tickets; /* how many deals there are; side 0 wins with the odd ones */

static void lottery_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)scenario;
    (void)r;
    *(uint64_t *)state = 0;
}

static int lottery_mover(const void *state) {
    (void)state;
    return NOBODY;
}

static double lottery_payoff(const void *state, int side) {
    return (double)((*(const uint64_t *)state + (uint64_t)side) % 2);
}

static void lottery_hide(void *state, int side) {
    (void)side;
    *(uint64_t *)state = 0;
}

static double lottery_worlds(const void *view) {
    (void)view;
    return tickets;
}

static void lottery_world(void *view, uint64_t number) {
    *(uint64_t *)view = number;
}

static void lottery_determinize(void *view, struct rng *r) {
    lottery_world(view, rng_below(r, (uint32_t)tickets));
}

static const struct game lottery_game = {.name = "lottery",
                                         .state_size = sizeof(uint64_t),
                                         .actions_max = 1,
                                         .start = lottery_start,
                                         .mover = lottery_mover,
                                         .payoff = lottery_payoff,
                                         .hide = lottery_hide,
                                         .worlds = lottery_worlds,
                                         .world = lottery_world,
                                         .determinize = lottery_determinize};
static const struct scenario lottery_scenario = {&lottery_game};

/* ---- values ---- */

struct matrix {
    double prizes[4], value, first; /* how often side 0 takes its first action */
};

/* 2 x 2 without a saddle: (ad - bc) / (a + d - b - c); with one: the saddle. */
static void hidden_choices_are_matrix_games(void **state) {
    (void)state;
    static const struct matrix cases[] = {{{1, 0, 0, 1}, 0.5, 0.5},
                                          {{0.9, 0.2, 0.4, 0.6}, (0.54 - 0.08) / 0.9, 0.2 / 0.9},
                                          {{0.6, 0.5, 0.4, 0.1}, 0.5, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const double *p = cases[i].prizes;
        struct err e;
        struct solved s = {0};
        set_prizes(p[0], p[1], p[2], p[3]);
        assert_true(form_build(&guess_scenario, 1, 100, NULL, &s.form, &e));
        assert_int_equal(s.form.set_count, 2);
        solved_find(&s, 1e-7);
        assert_true(is_near(s.result.value, cases[i].value, 1e-6));
        assert_true(is_near(s.strategy[0], cases[i].first, 0.01));
        solved_drop(&s);
    }
}

/* Seeing the choice, side 1 answers it: every node is a set of its own. */
static void open_games_are_minimax(void **state) {
    (void)state;
    struct err e;
    struct solved s = {0};
    set_prizes(0.9, 0.2, 0.4, 0.6);
    assert_true(form_build(&open_scenario, 1, 100, NULL, &s.form, &e));
    assert_int_equal(s.form.deal_count, 1);
    assert_int_equal(s.form.set_count, 3);
    solved_find(&s, 1e-7);
    assert_true(is_near(s.result.value, 0.4, 1e-6));
    solved_drop(&s);
}

/* With equal sums actions share; two worlds of one set count alike. */
static void equal_actions_share(void **state) {
    (void)state;
    struct err e;
    struct form form;
    double strategy[4];
    set_prizes(1, 0, 0, 1);
    assert_true(form_build(&guess_scenario, 1, 100, NULL, &form, &e));
    assert_true(pimc_strategy(&form, strategy, &e));
    for (int i = 0; i < 4; i++)
        assert_true(is_near(strategy[i], 0.5, 0));
    form_done(&form);
    set_prizes(1, 0.5, 0, 0.25); /* side 1 sees 1/2 for its first guess, 3/8 for its second */
    assert_true(form_build(&guess_scenario, 1, 100, NULL, &form, &e));
    assert_true(pimc_strategy(&form, strategy, &e));
    assert_true(is_near(strategy[0], 1, 0));
    assert_true(is_near(strategy[3], 1, 0));
    form_done(&form);
}

/* ---- refusals ---- */

struct refusal {
    enum fault fault;
    const char *words;
};

static void lawless_games_are_refused(void **state) {
    (void)state;
    static const struct refusal cases[] = {{ONE_KEY, "two different views of side 0 have the same key"},
                                           {OTHER_ACTIONS, "look alike to side 1 allow it different actions"},
                                           {FORGETS, "side 0 forgets"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {""};
        struct form form;
        set_prizes(1, 0, 0, 1);
        fault = cases[i].fault;
        const bool ok = form_build(&guess_scenario, 1, 100, NULL, &form, &e);
        form_done(&form);
        assert_false(ok);
        if (strstr(e.text, cases[i].words) == NULL)
            fail_msg("'%s' does not say '%s'", e.text, cases[i].words);
    }
    fault = LAWFUL;
}

static void histories_have_a_limit(void **state) {
    (void)state;
    struct err e;
    struct form form;
    corridor_length = FORM_DEPTH_MAX;
    assert_true(form_build(&corridor_scenario, 1, FORM_NODES_MAX, NULL, &form, &e));
    double *strategy = form_uniform(&form);
    assert_true(is_near(form_value(&form, (const double *const[2]){strategy, strategy}), 0.25, 0));
    mem_free(strategy);
    form_done(&form);
    corridor_length = FORM_DEPTH_MAX + 1;
    assert_false(form_build(&corridor_scenario, 1, FORM_NODES_MAX, NULL, &form, &e));
    assert_non_null(strstr(e.text, "longer than 4096 actions"));
    form_done(&form);
}

/* Every deal is a node, and there is a largest number of deals. */
static void deals_have_a_limit(void **state) {
    (void)state;
    static const struct {
        double tickets;
        uint32_t nodes_max;
        const char *refusal; /* NULL: it is written out */
    } cases[] = {
        {5, 5, NULL},
        {5, 4, "lottery: there are 5 deals, too many to write the game out"},
        {GAME_WORLDS_MAX, FORM_NODES_MAX, NULL},
        {GAME_WORLDS_MAX + 1, FORM_NODES_MAX,
         "lottery: there are 1048577 deals, too many to write the game out"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct err e = {""};
        struct form form;
        tickets = cases[i].tickets;
        const bool ok = form_build(&lottery_scenario, 1, cases[i].nodes_max, NULL, &form, &e);
        assert_int_equal(ok, cases[i].refusal == NULL);
        if (ok) {
            const uint32_t wins = form.deal_count / 2;
            assert_int_equal(form.deal_count, (uint32_t)tickets);
            assert_int_equal(form.node_count, form.deal_count);
            assert_int_equal(form.leaf_count, wins); /* leaves without a payoff are left out */
            assert_true(is_near(form_value(&form, (const double *const[2]){NULL, NULL}), wins / tickets, 0));
        } else {
            assert_string_equal(e.text, cases[i].refusal);
        }
        form_done(&form);
    }
}

/* The estimate counts the start of every deal and all positions of a corridor; a game of 2^16 actions counts
 * as endless. */
static void sizes_are_estimated(void **state) {
    (void)state;
    struct form_size size;
    tickets = 7;
    size = form_estimate_size(&lottery_scenario, 1);
    assert_true(is_near(size.deals, 7, 0));
    assert_true(is_near(size.nodes, 7, 0));
    corridor_length = (1 << 16) - 1;
    size = form_estimate_size(&corridor_scenario, 1);
    assert_true(is_near(size.deals, 1, 0));
    assert_true(is_near(size.nodes, 1 << 16, 0));
    corridor_length = 1 << 16;
    size = form_estimate_size(&corridor_scenario, 1);
    assert_true(is_near(size.deals, 1, 0));
    assert_true(size.nodes > DBL_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_choices_are_matrix_games),
        cmocka_unit_test(open_games_are_minimax),
        cmocka_unit_test(equal_actions_share),
        cmocka_unit_test(lawless_games_are_refused),
        cmocka_unit_test(histories_have_a_limit),
        cmocka_unit_test(deals_have_a_limit),
        cmocka_unit_test(sizes_are_estimated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
