/* SPDX-License-Identifier: MIT
 *
 * Piece values estimated for a position: the regression on a game whose answer is known, and `values=auto` of
 * the players.
 */
#include "search/values.h"

#include "base/mem.h"
#include "player_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- a game with three pieces ---- */

/* The first call of a simulation draws two numbers of -2 … 2, the second multiplies the first by 3 and the
 * other by a half: so each counts that often at the end. The third never changes. */
struct toy {
    double x[3];
    int turn;
    int end; /* the turn in which the game ends; 0: none */
};

static int runs, noted_at;
static bool multiplies_by_less; /* the first is multiplied by -3 instead */

static int toy_mover(const void *state) {
    const struct toy *toy = state;
    return toy->end > 0 && toy->turn >= toy->end ? NOBODY : 1;
}

static long toy_run(void *state, struct rng *r, int turns) {
    struct toy *toy = state;
    runs++;
    if (toy->turn == 0) {
        toy->x[0] = (double)rng_below(r, 5) - 2;
        toy->x[1] = (double)rng_below(r, 5) - 2;
        noted_at = turns;
    } else {
        toy->x[0] *= multiplies_by_less ? -3 : 3;
        toy->x[1] *= 0.5;
    }
    toy->turn += turns;
    return 1;
}

/* To side 1, which searches; the other side's is the negative. */
static double toy_value(const void *state, int side, const double *weights) {
    const struct toy *toy = state;
    double sum = 0;
    for (int i = 0; i < 3; i++)
        sum += weights[i] * toy->x[i];
    return side == 1 ? sum : -sum;
}

static const struct rollout toy_rollout = {.name = "toy", .run = toy_run};
static const struct eval toy_eval = {.name = "toy", .value = toy_value};
static const struct weight toy_weights[] = {{"a", "", 1}, {"b", "", 1}, {"c", "", 1}, {0}};
static const struct game toy_game = {
    .name = "toy", .state_size = sizeof(struct toy), .mover = toy_mover, .weights = toy_weights};

static void estimate(const double *before, int end, struct budget budget, double *weights) {
    const struct toy root = {.x = {0, 0, 4}, .end = end};
    struct rng r, same;
    rng_seed(&r, 3);
    same = r;
    const struct search_task task = {.game = &toy_game, .root = &root, .budget = budget, .rng = &r};
    runs = 0;
    values_estimate(
        &task,
        &(struct values_settings){.eval = &toy_eval, .rollout = &toy_rollout, .before = before, .turns = 2},
        weights);
    rng_next(&same);
    assert_memory_equal(&r, &same, sizeof r);
}

static bool is_near(double a, double b, double margin) {
    return a > b - margin && a < b + margin;
}

/* The variance of a number is 2: with 400 simulations the values move by 800 of 900 parts towards the truth.
 */
static void test_values_are_found(void **unused) {
    (void)unused;
    double weights[GAME_WEIGHTS_MAX];
    const double before[GAME_WEIGHTS_MAX] = {1, 1, 0.7};
    estimate(before, 0, (struct budget){0}, weights);
    assert_int_equal(runs, 2 * VALUES_SIMS);
    assert_int_equal(noted_at, 2);
    assert_true(is_near(weights[0], 1 + 2 * 8 / 9.0, 0.1));
    assert_true(is_near(weights[1], 1 - 0.5 * 8 / 9.0, 0.1));
    assert_true(is_near(weights[2], 0.7, 1e-9)); /* no simulation differs in it */
    const double other[GAME_WEIGHTS_MAX] = {9, 0.5, 0};
    estimate(other, 0, (struct budget){0}, weights);
    assert_true(is_near(weights[0], 3 + 6 / 9.0, 0.2));
    assert_true(is_near(weights[1], 0.5, 0.1));
    assert_true(is_near(weights[2], 0, 1e-9));
}

/* A piece whose loss seems to help is still worth something; a value that was negative may stay so. */
static void test_values_stay_positive(void **unused) {
    (void)unused;
    double weights[GAME_WEIGHTS_MAX];
    multiplies_by_less = true;
    estimate((const double[GAME_WEIGHTS_MAX]){2, 1, 1}, 0, (struct budget){0}, weights);
    assert_true(is_near(weights[0], 2 * VALUES_LEAST, 1e-9));
    estimate((const double[GAME_WEIGHTS_MAX]){-2, 1, 1}, 0, (struct budget){0}, weights);
    assert_true(weights[0] < -2);
    multiplies_by_less = false;
}

/* A game that is over at the turn of the evaluation is not played further: every piece counts once. */
static void test_ended_games_count_once(void **unused) {
    (void)unused;
    double weights[GAME_WEIGHTS_MAX];
    estimate((const double[GAME_WEIGHTS_MAX]){1, 1, 1}, 2, (struct budget){0}, weights);
    assert_int_equal(runs, VALUES_SIMS);
    for (int i = 0; i < 3; i++)
        assert_true(is_near(weights[i], 1, 1e-9));
}

static int64_t tick(void *self) {
    return *(int64_t *)self += 1000000;
}

/* A quarter of the time, and at least one simulation, which changes nothing. */
static void test_time_limits_the_estimate(void **unused) {
    (void)unused;
    double weights[GAME_WEIGHTS_MAX];
    int64_t now = 0;
    const struct clock clock = {.now_ns = tick, .self = &now};
    const double before[GAME_WEIGHTS_MAX] = {1, 2, 3};
    estimate(before, 0, (struct budget){.clock = &clock, .time_ns_max = 400000000}, weights);
    assert_in_range(now, 100000000, 103000000);
    assert_in_range(runs, 150, 210); /* two a simulation */
    estimate(before, 0, (struct budget){.clock = &clock, .deadline_ns = 1}, weights);
    assert_int_equal(runs, 2);
    for (int i = 0; i < 3; i++)
        assert_true(is_near(weights[i], before[i], 1e-9));
}

/* ---- the players ---- */

/* Both sides have a fighter and an attacker, and there is no ground unit for the attackers: red's fighter can
 * destroy the attacker or wound the fighter. */
static const char fighters[] =
    "SIZEX[7];SIZEY[6];TURNLIMIT[16];HPTHRESHOLD[0];UNITNUMRED[2];UNITNUMBLUE[2];"
    "MAP[0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];MAP[0,1,1,1,1,1,0];"
    "MAP[0,0,0,0,0,0,0];"
    "UNIT[1,2,fighter,0,10,0];UNIT[1,1,attacker,0,7,0];UNIT[5,3,fighter,1,10,0];UNIT[5,1,attacker,1,7,0];";

/* The target of red's fighter. */
static int victim(const char *spec, const struct position *p, uint64_t seed) {
    const struct game *game = p->scenario->game;
    struct player *player = open_player(spec, game);
    struct position at = *p;
    action a = ask_player(player, &at, seed, NULL).chosen;
    if (tbs_action_unit(a) != 0) {
        game->play(at.state, a, NULL);
        a = ask_player(player, &at, seed, NULL).chosen;
    }
    player_close(player);
    return tbs_action_unit(a) == 0 ? tbs_action_target(a) : -2;
}

/* Equal values destroy the attacker, 7 HP against a lead of 4; the values of the position do not. */
static void test_players_adapt_their_values(void **unused) {
    (void)unused;
    static const char *const players[][2] = {{"minmax", "minmax:values=auto"},
                                             {"aas", "aas:values=auto"},
                                             {"dlmc:horizon=0", "dlmc:horizon=0,values=auto"}};
    struct position p;
    struct scenario *scenario = load_position(fighters, &p);
    for (int i = 0; i < 3; i++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            assert_int_equal(victim(players[i][0], &p, seed), 3);
            assert_int_equal(victim(players[i][1], &p, seed), 2);
        }
    game_unload(scenario);
}

/* An answer depends on the question alone, not on estimates for other positions. */
static void test_earlier_estimates_change_nothing(void **unused) {
    (void)unused;
    struct position p, other;
    struct scenario *scenario = load_position(fighters, &p);
    const struct game *game = scenario->game;
    other = p;
    game->play(other.state, tbs_action(1, 2, 1, TBS_NO_TARGET), NULL);
    struct player *player = open_player("minmax:values=auto", game);
    const struct answer first = ask_player(player, &p, 4, NULL);
    ask_player(player, &other, 9, NULL);
    const struct answer again = ask_player(player, &p, 4, NULL);
    assert_int_equal(again.chosen, first.chosen);
    assert_int_equal(again.work_done, first.work_done);
    assert_memory_equal(&again.value, &first.value, sizeof first.value);
    player_close(player);
    game_unload(scenario);
}

/* The estimate is a part of the turn's time: red's two decisions have half of it each. */
static void test_time_includes_the_estimate(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(fighters, &p);
    struct player *player = open_player("minmax:depth=0,values=auto,time=2000", scenario->game);
    int64_t now = 0;
    struct rng r;
    rng_seed(&r, 1);
    const struct clock clock = {.now_ns = tick, .self = &now};
    struct answer answer;
    player_choose(
        player,
        &(struct ask){.game = scenario->game, .view = p.state, .budget = {.clock = &clock}, .rng = &r},
        &answer);
    assert_in_range(now, 1000000000, 1020000000);
    player_close(player);
    game_unload(scenario);
}

static void test_games_without_values(void **unused) {
    (void)unused;
    struct err e = {0};
    struct scenario *scenario = game_load_spec("tictactoe", &e);
    assert_null(player_open("minmax:values=auto", scenario->game, &e));
    assert_non_null(strstr(e.text, "values=auto: the evaluation of tictactoe has no values"));
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_found),
        cmocka_unit_test(test_values_stay_positive),
        cmocka_unit_test(test_ended_games_count_once),
        cmocka_unit_test(test_time_limits_the_estimate),
        cmocka_unit_test(test_players_adapt_their_values),
        cmocka_unit_test(test_earlier_estimates_change_nothing),
        cmocka_unit_test(test_time_includes_the_estimate),
        cmocka_unit_test(test_games_without_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
