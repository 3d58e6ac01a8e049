/* SPDX-License-Identifier: MIT
 *
 * Synthetic trees: equation (4), the payoffs of leaves, and playing.
 */
#include "synth_support.h"

#include "game_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { NODES = 40000, DEPTH = 6, BRANCHING_MAX = 4 };

/* ---- equation (4) ---- */

static void equation_4_rounds_half_up(void **state) {
    (void)state;
    for (int top = 1; top <= SYNTH_TOP_MAX; top++) {
        const double half = 1.0 / (2 * top);
        assert_int_equal(synth_round(0, top), 0);
        assert_int_equal(synth_round(-3, top), 0);
        assert_int_equal(synth_round(half - 1e-9, top), 0);
        assert_int_equal(synth_round(half, top), 1);
        assert_int_equal(synth_round(1 - half - 1e-9, top), top - 1);
        assert_int_equal(synth_round(1 - half + 1e-9, top), top);
        assert_int_equal(synth_round(1, top), top);
        assert_int_equal(synth_round(7, top), top);
        for (double i = 0.0003; i < 1; i += 0.01)
            assert_int_equal(synth_round(i, top), (int)floor(i * top + 0.5));
    }
}

/* ---- leaves ---- */

/* The payoffs of all children of one random node above the leaves, in a random world of a random tree. */
static void siblings(const struct scenario *scenario, struct rng *r, int *out) {
    const struct synth_params *p = synth_params_of(scenario);
    struct synth_place place = {.tree = rng_next(r), .ply = p->depth};
    uint64_t parent = 0;
    for (int i = 1; i < p->depth; i++)
        parent = parent * (uint64_t)p->branching + rng_below(r, (uint32_t)p->branching);
    int types[2];
    types[0] = (int)rng_below(r, (uint32_t)p->worlds);
    types[1] = (int)rng_below(r, (uint32_t)p->worlds);
    for (int child = 0; child < p->branching; child++) {
        place.path = parent * (uint64_t)p->branching + (uint64_t)child;
        out[child] = synth_leaf(scenario, &place, types);
        assert_in_range(out[child], 0, p->top);
    }
}

static bool are_alike(const int *values, int count) {
    for (int i = 1; i < count; i++)
        if (values[i] != values[0])
            return false;
    return true;
}

/* Statistics of siblings under a spec, and their expected values. */
struct leaf_case {
    const char *spec;
    double alike;          /* share of nodes whose children are all equal */
    double frequencies[5]; /* of payoffs 0 … 4 over all leaves; all 0: not checked */
};

/* P(r = 0 … 4) of equation (4) at b = 0.75, R = 4: Phi(z) at z = (r + 1/2) - 3 and the differences. */
#define P0        0.0062097
#define P1        0.0605975
#define P2        0.2417303
#define P3        0.3829249
#define P4        0.3085375
#define TIE       (P0 * P0 + P1 * P1 + P2 * P2 + P3 * P3 + P4 * P4)
#define CUBE      (P0 * P0 * P0 + P1 * P1 * P1 + P2 * P2 * P2 + P3 * P3 * P3 + P4 * P4 * P4)
#define POWER4(p) ((p) * (p) * (p) * (p))
#define FOURTH    (POWER4(P0) + POWER4(P1) + POWER4(P2) + POWER4(P3) + POWER4(P4))

static const struct leaf_case leaf_cases[] = {
    {"synth", 0.3 + 0.7 * TIE, {P0, P1, P2, P3, P4}},
    {"synth:lc=0", TIE, {P0, P1, P2, P3, P4}},
    {"synth:lc=1", 1, {P0, P1, P2, P3, P4}},
    {"synth:bias=0.3,mu=0.75", 0.3 + 0.7 * TIE, {P0, P1, P2, P3, P4}},
    {"synth:branching=3", 0.3 + 0.7 * CUBE, {P0, P1, P2, P3, P4}},
    {"synth:branching=4,depth=3", 0.3 + 0.7 * FOURTH, {P0, P1, P2, P3, P4}},
    /* A mirrored leaf is r or 4 - r, evenly; only 2 and 2 are alike. */
    {"synth:uncorr=mirror",
     0.3 + 0.7 * P2,
     {0.3 * P0 + 0.35 * (P0 + P4), 0.3 * P1 + 0.35 * (P1 + P3), P2, 0.3 * P3 + 0.35 * (P1 + P3),
      0.3 * P4 + 0.35 * (P0 + P4)}},
    {"synth:uncorr=mirror,lc=0", P2, {(P0 + P4) / 2, (P1 + P3) / 2, P2, (P1 + P3) / 2, (P0 + P4) / 2}},
    {"synth:uncorr=extreme", 0.3, {0.3 * P0 + 0.35, 0.3 * P1, 0.3 * P2, 0.3 * P3, 0.3 * P4 + 0.35}},
    {"synth:uncorr=extreme,branching=3,lc=0", 0, {0.5, 0, 0, 0, 0.5}},
    /* Draws that tie are thrown away: P(r, not a tie) / P(no tie). */
    {"synth:uncorr=different,lc=0",
     0,
     {(P0 - P0 * P0) / (1 - TIE), (P1 - P1 * P1) / (1 - TIE), (P2 - P2 * P2) / (1 - TIE),
      (P3 - P3 * P3) / (1 - TIE), (P4 - P4 * P4) / (1 - TIE)}},
    {"synth:uncorr=different,branching=3,lc=0.5", 0.5, {0}},
    {"synth:payoffs=signs,lc=0.6,bias=0.9", 0.6, {0.6 * 0.1 + 0.2, 0.6 * 0.9 + 0.2}},
    {"synth:payoffs=signs,lc=0,uncorr=independent,bias=0.9", 0.82, {0.1, 0.9}},
    {"synth:sd=0", 1, {0, 0, 0, 1, 0}},
};

static void check_leaf_case(const struct leaf_case *c) {
    struct scenario *scenario = support_load(c->spec);
    const struct synth_params *p = synth_params_of(scenario);
    struct rng r;
    struct support_mean alike = {0}, payoffs[SYNTH_TOP_MAX + 1] = {{0}};
    int values[BRANCHING_MAX];
    rng_seed(&r, 1);
    for (int i = 0; i < NODES; i++) {
        siblings(scenario, &r, values);
        support_mean_add(&alike, are_alike(values, p->branching));
        /* One leaf a node: those of one node are not independent. */
        const int chosen = values[i % p->branching];
        for (int payoff = 0; payoff <= p->top; payoff++)
            support_mean_add(&payoffs[payoff], chosen == payoff);
    }
    support_expect_mean(c->spec, &alike, c->alike);
    double given = 0;
    for (int payoff = 0; payoff < 5; payoff++)
        given += c->frequencies[payoff];
    for (int payoff = 0; given > 0 && payoff <= p->top; payoff++)
        support_expect_mean(c->spec, &payoffs[payoff], c->frequencies[payoff]);
    game_unload(scenario);
}

static void leaves_are_distributed_as_asked(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof leaf_cases / sizeof leaf_cases[0]; i++)
        check_leaf_case(&leaf_cases[i]);
}

/* The published figures, to their three decimals. */
static void the_papers_payoffs_have_the_stated_frequencies(void **state) {
    (void)state;
    static const double stated[] = {0.006, 0.061, 0.242, 0.383, 0.309}, exact[] = {P0, P1, P2, P3, P4};
    double mean = 0, square = 0;
    for (int r = 0; r < 5; r++) {
        assert_true(fabs(exact[r] - stated[r]) <= 0.0005);
        mean += r * exact[r];
        square += r * r * exact[r];
    }
    assert_true(fabs(mean - 2.93) < 0.005);
    assert_true(fabs(sqrt(square - mean * mean) - 0.92) < 0.005);
}

/* Many small steps: nearly the normal distribution itself. */
static void mean_and_deviation_are_parameters(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:r=64,mu=0.5,sd=0.1,bias=0.9");
    struct support_mean payoffs = {0}, squares = {0};
    struct rng r;
    int values[2];
    rng_seed(&r, 2);
    for (int i = 0; i < NODES; i++) {
        siblings(scenario, &r, values);
        const double deviation = values[0] / 64.0 - 0.5;
        support_mean_add(&payoffs, values[0] / 64.0);
        support_mean_add(&squares, deviation * deviation);
    }
    support_expect_mean("mean", &payoffs, 0.5);
    support_expect_mean("variance", &squares,
                        0.1 * 0.1 + 1.0 / 12 / 64 / 64); /* rounding adds that of a step */
    game_unload(scenario);
}

/* Long's trees: with all pairs correlated and b = 1 every leaf is +1; without correlation a pair sums to 0.
 */
static void longs_payoffs(void **state) {
    (void)state;
    struct scenario *all = support_load("synth:payoffs=signs,lc=1,bias=1"),
                    *none = support_load("synth:payoffs=signs,lc=0");
    struct rng r;
    int values[2];
    rng_seed(&r, 3);
    for (int i = 0; i < 1000; i++) {
        siblings(all, &r, values);
        assert_int_equal(values[0] + values[1], 2);
        siblings(none, &r, values);
        assert_int_equal(values[0] + values[1], 1);
    }
    game_unload(all);
    game_unload(none);
}

/* Leaves that are not siblings are independent: neighbours in path, world and tree seed. */
static void leaves_elsewhere_are_independent(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:depth=20");
    struct support_pairs paths = {0}, first = {0}, second = {0}, trees = {0};
    for (uint64_t i = 0; i < NODES; i++) {
        const int types[2] = {(int)(i % 8), (int)(i / 8 % 8)};
        const int next[2] = {types[0] ^ 1, types[1]}, other[2] = {types[0], types[1] ^ 1};
        const struct synth_place here = {1 + i % 16, 2 * i, 20};
        const struct synth_place cousin = {here.tree, here.path ^ 2, 20},
                                 tree = {here.tree + 16, here.path, 20};
        const double value = synth_leaf(scenario, &here, types);
        if (i % 2 == 0)
            support_pairs_add(&paths, value, synth_leaf(scenario, &cousin, types));
        if (types[0] % 2 == 0)
            support_pairs_add(&first, value, synth_leaf(scenario, &here, next));
        if (types[1] % 2 == 0)
            support_pairs_add(&second, value, synth_leaf(scenario, &here, other));
        support_pairs_add(&trees, value, synth_leaf(scenario, &tree, types));
    }
    support_expect_uncorrelated("paths", &paths);
    support_expect_uncorrelated("types of the first", &first);
    support_expect_uncorrelated("types of the second", &second);
    support_expect_uncorrelated("trees", &trees);
    game_unload(scenario);
}

/* The same seed is the same tree, leaf by leaf and cell by cell; another one is another. */
static void a_tree_is_its_seed(void **state) {
    (void)state;
    struct scenario *one = support_load("synth"), *again = support_load("synth:tree=9");
    int differences[2] = {0, 0};
    for (uint64_t path = 0; path < 64; path++)
        for (int world = 0; world < 64; world++) {
            const int types[2] = {world / 8, world % 8};
            const struct synth_place here = {9, path, DEPTH}, there = {10, path, DEPTH};
            assert_int_equal(synth_leaf(one, &here, types), synth_leaf(again, &here, types));
            differences[0] += synth_leaf(one, &here, types) != synth_leaf(one, &there, types);
            differences[1] += synth_cell(one, &here, 0, types).size != synth_cell(one, &there, 0, types).size;
            assert_int_equal(synth_cell(one, &here, 1, types).first,
                             synth_cell(again, &here, 1, types).first);
        }
    assert_in_range(differences[0], 64 * 64 / 2, 64 * 64); /* 70 % are expected */
    assert_true(differences[1] > 0);
    game_unload(one);
    game_unload(again);
}

/* A given seed determines the tree; without one every game has a tree of its own. */
static void the_tree_option_fixes_the_tree(void **state) {
    (void)state;
    struct scenario *fixed = support_load("synth:tree=77"), *free_one = support_load("synth");
    struct rng r;
    rng_seed(&r, 4);
    struct text text = {0};
    union support_state s;
    for (int i = 0; i < 2; i++) {
        synth_game.start(&s, fixed, &r);
        text_clear(&text);
        synth_game.text->write_state(&s, &text);
        assert_int_equal(strncmp(text_string(&text), "tree=77 moves=- types=", 22), 0);
    }
    uint64_t keys[2];
    for (int i = 0; i < 2; i++) {
        synth_game.start(&s, free_one, &r);
        synth_game.hide(&s, NOBODY);
        keys[i] = synth_game.key(&s);
    }
    assert_int_not_equal(keys[0], keys[1]);
    text_done(&text);
    game_unload(fixed);
    game_unload(free_one);
}

/* Both players receive the tree's number. The option must accept it, and it must be too short to reveal the
 * state of the generator that draws the types. */
static void drawn_trees_have_31_bits(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth");
    uint64_t seen = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        struct rng r;
        union support_state s;
        struct text text = {0};
        rng_seed(&r, seed);
        scenario->game->start(&s, scenario, &r);
        scenario->game->text->write_state(&s, &text);
        unsigned long long tree = 0;
        assert_int_equal(sscanf(text_string(&text), "tree=%llu ", &tree), 1);
        assert_true(tree >= 1 && tree <= INT32_MAX);
        seen |= tree;
        text_done(&text);
    }
    assert_int_equal(seen, INT32_MAX); /* every bit is used */
    game_unload(scenario);
}

/* ---- playing ---- */

/* Playing actions and filling in a state reach the same place; the payoff is that of its leaf. */
static void play_leads_to_the_leaf(void **state) {
    (void)state;
    static const char *const specs[] = {"synth", "synth:branching=3,depth=4", "synth:branching=4,r=7"};
    struct rng r;
    rng_seed(&r, 8);
    for (size_t i = 0; i < 3; i++) {
        struct scenario *scenario = support_load(specs[i]);
        const struct synth_params *p = synth_params_of(scenario);
        union support_state s = {0}, t = {0};
        struct synth_place place = {rng_next(&r), 0, 0};
        const int types[2] = {7, 2};
        synth_set(&s, scenario, &place, types);
        for (int ply = 0; ply < p->depth; ply++) {
            assert_int_equal(synth_game.mover(&s), ply % 2);
            const action a = rng_below(&r, (uint32_t)p->branching);
            place.path = place.path * (uint64_t)p->branching + a;
            place.ply++;
            synth_game.play(&s, a, &r);
        }
        synth_set(&t, scenario, &place, types);
        assert_memory_equal(s.bytes, t.bytes, synth_game.state_size);
        assert_int_equal(synth_game.mover(&s), NOBODY);
        const double shown = game_payoff_scaled(scenario, synth_game.payoff(&s, 0));
        assert_true(fabs(shown - synth_leaf(scenario, &place, types)) < 1e-9);
        game_unload(scenario);
    }
}

/* All leaves are reached alike: 4096 of them a number of times that fits (chi squared over its mean). */
static void expect_even_playouts(const char *spec) {
    enum { LEAVES_MAX = 4096, EACH = 16 };
    struct scenario *scenario = support_load(spec);
    const struct synth_params *p = synth_params_of(scenario);
    static int counts[LEAVES_MAX];
    memset(counts, 0, sizeof counts);
    int leaves = 1;
    for (int i = 0; i < p->depth; i++)
        leaves *= p->branching;
    struct rng r;
    rng_seed(&r, 9);
    for (int i = 0; i < leaves * EACH; i++) {
        union support_state s = {0};
        synth_set(&s, scenario, &(struct synth_place){1, 0, 0}, (int[]){0, 0});
        assert_int_equal(synth_game.rollouts[0].run(&s, &r, 0), p->depth);
        counts[((const struct synth_state *)&s)->path]++;
    }
    double chi = 0;
    for (int i = 0; i < leaves; i++)
        chi += (double)(counts[i] - EACH) * (counts[i] - EACH) / EACH;
    assert_true(fabs(chi - (leaves - 1)) < SUPPORT_ERRORS * sqrt(2.0 * (leaves - 1)));
    game_unload(scenario);
}

static void playouts_reach_every_leaf_evenly(void **state) {
    (void)state;
    expect_even_playouts("synth:depth=12");
    expect_even_playouts("synth:depth=6,branching=4");
    expect_even_playouts("synth:depth=7,branching=3");
}

static void the_laws_hold(void **state) {
    (void)state;
    static const char *const specs[] = {
        "synth",
        "synth:df=0",
        "synth:df=1",
        "synth:worlds=1",
        "synth:branching=3,depth=5,df=0.7",
        "synth:branching=64,depth=3,r=64,worlds=2",
        "synth:depth=61,worlds=4,tree=3",
        "synth:depth=1,worlds=64",
        "synth:payoffs=signs,uncorr=mirror",
        "synth:uncorr=different,r=7,worlds=4096,depth=4",
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++)
        support_check_laws(specs[i], 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equation_4_rounds_half_up),
        cmocka_unit_test(leaves_are_distributed_as_asked),
        cmocka_unit_test(the_papers_payoffs_have_the_stated_frequencies),
        cmocka_unit_test(mean_and_deviation_are_parameters),
        cmocka_unit_test(longs_payoffs),
        cmocka_unit_test(leaves_elsewhere_are_independent),
        cmocka_unit_test(a_tree_is_its_seed),
        cmocka_unit_test(the_tree_option_fixes_the_tree),
        cmocka_unit_test(drawn_trees_have_31_bits),
        cmocka_unit_test(play_leads_to_the_leaf),
        cmocka_unit_test(playouts_reach_every_leaf_evenly),
        cmocka_unit_test(the_laws_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
