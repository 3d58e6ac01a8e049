/* SPDX-License-Identifier: MIT
 *
 * The players `pimc`, `iimc` and `amcts`: what their options mean, that they play every game, and that a
 * player's strength and knowledge do not depend on what it cannot see or where it sits.
 */
#include "synth_support.h"
#include "flat_support.h"

#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "own_maps.h"
#include "player/player.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- options ---- */

/* A spec, and the settings it is to mean, spelt out again. */
struct meaning {
    const char *spec;
    struct flat_settings settings;
};

static const struct meaning meanings[] = {
    {"pimc", {.sims = 400}},
    {"pimc:sims=0", {.constant = 25}},
    {"pimc:sims=0,constant=3", {.constant = 3}},
    {"pimc:root=ucb1", {.root = FLAT_UCB1, .c = 1.41421356, .sims = 400}},
    {"pimc:root=ucb1,c=0.3", {.root = FLAT_UCB1, .c = 0.3, .sims = 400}},
    {"pimc:root=roundrobin,sims=31", {.root = FLAT_ROUND_ROBIN, .sims = 31}},
    {"pimc:value=sum,sims=60", {.by_sum = true, .sims = 60}},
    {"pimc:evaluator=minimax,sims=60", {.leaf = FLAT_MINIMAX, .sims = 60}},
    {"pimc:evaluator=minimax,depth=2,sims=60", {.leaf = FLAT_MINIMAX, .depth = 2, .sims = 60}},
    {"pimc:evaluator=minimax,worlds=all,sims=60", {.leaf = FLAT_MINIMAX, .all_worlds = true, .sims = 60}},
    {"pimc:leaves=77", {.sims = 400, .leaves_max = 77}},
    {"iimc:sims=40", {.thinkers = FLAT_OWN, .inner_sims = 50, .sims = 40}},
    {"iimc:sims=40,inner=5,opponent=pimc", {.thinkers = FLAT_BOTH, .inner_sims = 5, .sims = 40}},
    {"iimc:sims=40,inner=0,constant=2", {.thinkers = FLAT_OWN, .inner_constant = 2, .sims = 40}},
    {"iimc:sims=40,evaluator=minimax,depth=1,inner=9",
     {.thinkers = FLAT_OWN, .leaf = FLAT_MINIMAX, .depth = 1, .inner_sims = 9, .sims = 40}},
    {"amcts:inner=5",
     {.adaptive = true,
      .thinkers = FLAT_OWN,
      .inner_sims = 5,
      .theta = 0.25,
      .skip_last = true,
      .constant = 25}},
    {"amcts:inner=5,rule=6x,theta=0.3,w0=16,skip=no",
     {.adaptive = true,
      .thinkers = FLAT_OWN,
      .inner_sims = 5,
      .rule = SWITCH_GAP_BY_WORLDS,
      .theta = 0.3,
      .worlds_at_start = 16,
      .constant = 25}},
    {"amcts:inner=5,rule=always,keep=yes,opponent=pimc,sims=30",
     {.adaptive = true,
      .thinkers = FLAT_BOTH,
      .inner_sims = 5,
      .rule = SWITCH_ALWAYS,
      .skip_last = true,
      .keep = true,
      .sims = 30}},
    {"amcts:rule=random,inner=0,constant=2",
     {.adaptive = true,
      .thinkers = FLAT_OWN,
      .inner_constant = 2,
      .rule = SWITCH_RANDOM,
      .skip_last = true,
      .theta = 0.5,
      .constant = 2}},
};

static struct player *open_player(const char *spec, const struct game *game) {
    struct err e = {0};
    struct player *player = player_open(spec, game, &e);
    assert_string_equal(e.text, "");
    assert_non_null(player);
    return player;
}

static struct answer ask_view(struct player *player, const struct game *game, const union search_state *view,
                              uint64_t seed) {
    struct answer answer;
    struct rng r;
    rng_seed(&r, seed);
    const struct ask ask = {.game = game, .view = view, .side = game->mover(view), .rng = &r};
    player_choose(player, &ask, &answer);
    return answer;
}

static void assert_answers(const struct answer *a, const struct answer *b) {
    assert_int_equal(a->chosen, b->chosen);
    assert_int_equal(a->work_done, b->work_done);
    assert_int_equal(a->leaves, b->leaves);
    assert_memory_equal(&a->value, &b->value, sizeof a->value);
}

static void options_have_their_effects(void **state) {
    (void)state;
    struct scenario *scenario = support_load("synth:df=0.4");
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++) {
        struct player *player = open_player(meanings[i].spec, scenario->game);
        for (uint64_t seed = 1; seed <= 6; seed++) {
            union search_state whole, view;
            struct flat_found found;
            start_game(scenario, seed, (int)seed - 1, &whole);
            view_of(scenario->game, &whole, &view);
            flat_find(
                &(struct flat_trial){
                    .game = scenario->game, .view = &view, .settings = meanings[i].settings, .seed = seed},
                &found);
            const struct answer answer = ask_view(player, scenario->game, &view, seed);
            const struct answer expected = {.chosen = found.result.chosen,
                                            .value = found.result.value,
                                            .work_done = found.result.work,
                                            .leaves = found.result.leaves};
            assert_answers(&answer, &expected);
        }
        player_close(player);
    }
    game_unload(scenario);
}

/* A negative theta is the rule's own. */
static void each_rule_has_its_theta(void **state) {
    (void)state;
    static const char *const same[][2] = {
        {"amcts:inner=3", "amcts:inner=3,rule=6w,theta=0.25"},
        {"amcts:inner=3,rule=6g", "amcts:inner=3,rule=6g,theta=0.1"},
        {"amcts:inner=3,rule=6x", "amcts:inner=3,rule=6x,theta=0.1,w0=8"},
        {"amcts:inner=3,rule=6c", "amcts:inner=3,rule=6c,theta=1"},
        {"amcts:inner=3,rule=6q", "amcts:inner=3,rule=6q,theta=0.1"},
        {"amcts:inner=3,rule=6i", "amcts:inner=3,rule=6i,theta=0.1"},
        {"amcts:rule=never", "pimc:sims=0"},
    };
    struct scenario *scenario = support_load("synth:df=0.4");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        struct player *one = open_player(same[i][0], scenario->game);
        struct player *two = open_player(same[i][1], scenario->game);
        for (uint64_t seed = 1; seed <= 30; seed++) {
            union search_state whole, view;
            start_game(scenario, seed, (int)(seed % 6), &whole);
            view_of(scenario->game, &whole, &view);
            const struct answer a = ask_view(one, scenario->game, &view, seed);
            const struct answer b = ask_view(two, scenario->game, &view, seed);
            assert_answers(&a, &b);
        }
        player_close(one);
        player_close(two);
    }
    game_unload(scenario);
}

static void specs_come_back(void **state) {
    (void)state;
    static const char *const specs[][2] = {
        {"pimc", "pimc"},
        {"pimc:sims=400,root=tuned,value=mean", "pimc"},
        {"pimc:seed=3,root=ucb1,c=1.41421356,time=5", "pimc:root=ucb1,time=5,seed=3"},
        {"iimc:inner=50,opponent=pimc,worlds=all", "iimc:opponent=pimc,worlds=all"},
        {"amcts:sims=0,constant=25,rule=6w,theta=-1,w0=8,keep=no,skip=yes", "amcts"},
        {"amcts:theta=0.5,rule=6c,leaves=100,skip=no", "amcts:rule=6c,theta=0.5,skip=no,leaves=100"},
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct text back = {0};
        struct err e = {0};
        assert_true(player_check(specs[i][0], &back, &e));
        assert_string_equal(text_string(&back), specs[i][1]);
        text_done(&back);
    }
    static const char *const wrong[] = {
        "pimc:inner=3",  "pimc:rule=6w",  "iimc:keep=yes",   "amcts:evaluator=minimax",
        "amcts:rule=6z", "pimc:depth=65", "pimc:constant=0", "iimc:sims=-1"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct err e = {0};
        assert_false(player_check(wrong[i], NULL, &e));
    }
}

static void what_is_lacking_is_a_sentence(void **state) {
    (void)state;
    struct err e = {0};
    assert_null(player_open("iimc:policy=brave", &synth_game, &e));
    assert_string_equal(e.text, "iimc: policy=brave is unknown; 'senjutsu games synth' lists the playouts");
    struct game silent = synth_game;
    silent.rollouts = NULL;
    assert_null(player_open("pimc", &silent, &e));
    assert_string_equal(e.text, "pimc needs playouts, and synth has none");
}

/* ---- games ---- */

/* One game between two players, each with a random stream of its own, on the deal of that seed; the payoff to
 * the side that plays first: the first of the two, or when seats are swapped the second. */
static double play_game(struct player *const players[2], const struct scenario *scenario, uint64_t seed,
                        bool swapped) {
    const struct game *game = scenario->game;
    union search_state whole = {0}, view;
    struct rng r, streams[2];
    rng_seed_stream(&r, seed, 0);
    game->start(&whole, scenario, &r);
    for (uint64_t who = 0; who < 2; who++)
        rng_seed_stream(&streams[who], seed, who + 1);
    for (int side = game->mover(&whole); side != NOBODY; side = game->mover(&whole)) {
        const int who = swapped ? 1 - side : side;
        struct answer answer;
        view_of(game, &whole, &view);
        const struct ask ask = {.game = game, .view = &view, .side = side, .rng = &streams[who]};
        player_choose(players[who], &ask, &answer);
        assert_true(game->is_legal(&whole, answer.chosen));
        assert_true(answer.value >= 0 && answer.value <= 1);
        assert_true(answer.leaves > 0);
        game->play(&whole, answer.chosen, &r);
    }
    return game->payoff(&whole, 0);
}

static void seats_do_not_matter_when_swapped(void **state) {
    (void)state;
    enum { DEALS = 400 };
    static const char *const specs[] = {"pimc:sims=12", "amcts:constant=1,inner=4,rule=6g"};
    struct scenario *scenario = support_load("synth:df=0.5");
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct player *const players[2] = {open_player(specs[i], scenario->game),
                                           open_player(specs[i], scenario->game)};
        double sum = 0, squares = 0, first = 0;
        for (uint64_t deal = 0; deal < DEALS; deal++) {
            const double here = play_game(players, scenario, deal, false);
            const double there = play_game(players, scenario, deal, true);
            const double pair = (here + 1 - there) / 2; /* what the first of them got */
            sum += pair;
            squares += pair * pair;
            first += (here + there) / 2;
        }
        const double mean = sum / DEALS, error = sqrt((squares / DEALS - mean * mean) / DEALS);
        assert_true(error > 0 && error < 0.01);
        assert_true(fabs(mean - 0.5) < 4 * error);
        assert_true(first / DEALS > 0.65); /* the bias of 0.75 is the first seat's */
        player_close(players[0]);
        player_close(players[1]);
    }
    game_unload(scenario);
}

/* Whatever the other has been dealt: one view, one answer. */
static void nothing_leaks(void **state) {
    (void)state;
    static const char *const specs[] = {"pimc:sims=50", "iimc:sims=10,inner=5", "amcts:inner=5,constant=2"};
    struct scenario *scenario = support_load("synth:df=0.2,tree=7");
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct player *player = open_player(specs[i], scenario->game);
        const struct synth_place place = {7, 1, 2};
        const struct synth_cell cell = synth_cell(scenario, &place, 0, (int[]){3, 5});
        struct answer first = {0};
        assert_true(cell.size > 1);
        for (int type = cell.first; type < cell.first + cell.size; type++) {
            union search_state whole = {0}, view;
            synth_set(&whole, scenario, &place, (int[]){3, type});
            view_of(scenario->game, &whole, &view);
            const struct answer answer = ask_view(player, scenario->game, &view, 1);
            if (type == cell.first)
                first = answer;
            assert_answers(&answer, &first);
        }
        player_close(player);
    }
    game_unload(scenario);
}

/* ---- the tactical game ---- */

/* Nothing is hidden there: one world. A turn has several decisions, and each has all of N. */
static void tactics_are_one_world(void **state) {
    (void)state;
    static const char *const specs[] = {"pimc:sims=20", "iimc:sims=6,inner=2",
                                        "iimc:sims=4,inner=2,opponent=pimc", "amcts:sims=8,inner=2",
                                        "pimc:sims=40,evaluator=minimax,depth=1,leaves=3000"};
    static const char *const maps[] = {"duel", "standard"};
    for (size_t m = 0; m < 2; m++) {
        struct scenario *scenario = own_map(maps[m]);
        const struct game *game = scenario->game;
        for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
            struct player *player = open_player(specs[i], game);
            union search_state whole = {0};
            struct rng r;
            rng_seed(&r, i);
            game->start(&whole, scenario, &r);
            for (int step = 0; step < 5 && game->mover(&whole) != NOBODY; step++) {
                const struct answer answer = ask_view(player, game, &whole, (uint64_t)step);
                assert_true(game->is_legal(&whole, answer.chosen));
                if (i == 0)
                    assert_int_equal(answer.work_done, 20);
                game->play(&whole, answer.chosen, &r);
            }
            player_close(player);
        }
        game_unload(scenario);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_have_their_effects),
        cmocka_unit_test(each_rule_has_its_theta),
        cmocka_unit_test(specs_come_back),
        cmocka_unit_test(what_is_lacking_is_a_sentence),
        cmocka_unit_test(seats_do_not_matter_when_swapped),
        cmocka_unit_test(nothing_leaks),
        cmocka_unit_test(tactics_are_one_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
