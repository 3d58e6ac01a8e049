/* SPDX-License-Identifier: MIT */
#include "geister_support.h"

#include "game_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define ON_EXITS   "00B50R24R34R25R99b99b45B55b05r21r31r11r40b99b99b"
#define BOTH_EXITS "00B50B24R34R25R99r99b45B55b05b21r31r11r99r40b99b"

/* With and without the newer instructions the same games come of the same seeds. */
static void every_machine_plays_the_same(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct geister_scenario plain = *(struct geister_scenario *)scenario;
    plain.bmi2 = false;
    for (const struct rollout *policy = geister_game.rollouts; policy->name != NULL; policy++)
        for (uint64_t i = 0; i < 300; i++) {
            struct geister s, t;
            struct rng r, q;
            rng_seed_stream(&r, 1, i);
            q = r;
            geister_game.start(&s, scenario, &r);
            geister_game.start(&t, &plain.scenario, &q);
            assert_int_equal(policy->run(&s, &r, (int)i), policy->run(&t, &q, (int)i));
            t.scenario = s.scenario;
            assert_memory_equal(&s, &t, sizeof s);
            assert_memory_equal(&r, &q, sizeof r);
        }
    game_unload(scenario);
}

enum { DRAWS = 2000 };

/* One move from a position: each of those that are expected so often, the others never. */
static void expect_even(const struct scenario *scenario, const char *board, int mover, const char *name,
                        const char *list) {
    struct geister s;
    struct rng r;
    action moves[GEISTER_SETUPS];
    int hits[GEISTER_PIECES * 4] = {0};
    rng_seed(&r, 11);
    geister_place(&s, scenario, board, 10, mover);
    const int count = game_list(&geister_game, list)->list(&s, moves);
    for (int i = 0; i < DRAWS * count; i++) {
        struct geister next = s;
        assert_int_equal(game_rollout(&geister_game, name)->run(&next, &r, 1), 1);
        assert_true(i >= 100 || geister_game.valid(&next));
        hits[next.moves[0]]++;
    }
    double chi = 0;
    int found = 0;
    for (int i = 0; i < count; i++) {
        const int piece = geister_piece_at(&s, mover, (int)moves[i] / 4);
        const int hit = hits[piece * 4 + (int)geister_turned(moves[i], mover) % 4];
        found += hit;
        chi += (double)(hit - DRAWS) * (hit - DRAWS) / DRAWS;
    }
    assert_int_equal(found, DRAWS * count);
    assert_true(chi < 65); /* up to 24 degrees of freedom: less than once in 10,000 */
}

static void every_move_is_as_likely(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    for (int mover = 0; mover < 2; mover++) {
        expect_even(scenario, ON_EXITS, mover, "random", "all");
        expect_even(scenario, BOTH_EXITS, mover, "random", "all");
        expect_even(scenario, BOTH_EXITS, mover, "leave", "wins");
        expect_even(scenario, "01B50R24R34R25R99b99b45B54b05r21r31r11r40b99b99b", mover, "leave", "all");
    }
    game_unload(scenario);
    for (int i = 0; i < 2; i++) {
        scenario = support_load(i == 0 ? "geister:exits=forward" : "geister:exits=sideways");
        for (int mover = 0; mover < 2; mover++) {
            expect_even(scenario, BOTH_EXITS, mover, "random", "all");
            expect_even(scenario, BOTH_EXITS, mover, "leave", "wins");
        }
        game_unload(scenario);
    }
}

/* Move by move through the table. */
static void play_slowly(struct geister *s, struct rng *r, const char *list) {
    action moves[GEISTER_SETUPS];
    while (geister_game.mover(s) != NOBODY) {
        const int count = game_list(&geister_game, list)->list(s, moves);
        geister_game.play(s, moves[rng_below(r, (uint32_t)count)], r);
    }
}

struct outcome {
    struct support_mean plies, ends[5], wins;
};

static void note(struct outcome *o, const struct geister *s) {
    support_mean_add(&o->plies, s->ply);
    support_mean_add(&o->wins, geister_game.payoff(s, 0));
    for (int end = 0; end < 5; end++)
        support_mean_add(&o->ends[end], s->end == end);
}

static double mean(const struct support_mean *m) {
    return m->sum / m->count;
}

/* Fast games are long, and end, as slow ones; those of many more games are taken as the true means. */
static void fast_games_are_like_slow_ones(void **state) {
    (void)state;
    static const char *const pairs[][2] = {{"random", "all"}, {"leave", "wins"}};
    struct scenario *scenario = support_load("geister");
    for (int k = 0; k < 2; k++) {
        struct outcome fast = {0}, slow = {0};
        struct geister s, start;
        struct rng r;
        rng_seed(&r, 3);
        geister_begin(&start, scenario, "ABCD", "EFGH");
        for (int i = 0; i < 60000; i++) {
            s = start;
            game_rollout(&geister_game, pairs[k][0])->run(&s, &r, 0);
            note(&fast, &s);
        }
        for (int i = 0; i < 2500; i++) {
            s = start;
            play_slowly(&s, &r, pairs[k][1]);
            note(&slow, &s);
        }
        support_expect_mean("plies", &slow.plies, mean(&fast.plies));
        support_expect_mean("wins of the first player", &slow.wins, mean(&fast.wins));
        for (int end = GEISTER_BY_ESCAPE; end <= GEISTER_BY_LIMIT; end++)
            support_expect_mean("ends of one kind", &slow.ends[end], mean(&fast.ends[end]));
    }
    game_unload(scenario);
}

/* From a view colours are drawn first, and from the start reds are chosen. */
static void playouts_begin_anywhere(void **state) {
    (void)state;
    struct scenario *scenario = support_load("geister");
    struct rng r;
    rng_seed(&r, 4);
    for (int i = 0; i < 200; i++) {
        struct geister s;
        if (i % 2 == 0)
            geister_game.start(&s, scenario, &r);
        else
            geister_place(&s, scenario, ON_EXITS, 299 - i, i / 2 % 2);
        geister_game.hide(&s, i / 4 % 3 - 1);
        const int turn = geister_game.turn(&s);
        const long played = geister_game.rollouts[0].run(&s, &r, i % 7);
        assert_int_equal(geister_game.turn(&s) - turn, played);
        assert_true(geister_game.valid(&s));
        geister_game.rollouts[1].run(&s, &r, 0);
        assert_int_equal(geister_game.mover(&s), NOBODY);
        assert_true(geister_game.valid(&s));
        assert_int_equal(geister_game.rollouts[0].run(&s, &r, 0), 0);
    }
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_machine_plays_the_same),
        cmocka_unit_test(every_move_is_as_likely),
        cmocka_unit_test(fast_games_are_like_slow_ones),
        cmocka_unit_test(playouts_begin_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
