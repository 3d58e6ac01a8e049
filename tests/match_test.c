/* SPDX-License-Identifier: MIT
 *
 * One game under the referee, driven by scripts and by players that break the rules.
 */
#include "match/clocked_game.h"

#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "tests/map_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static bool is_near(double a, double b) {
    return fabs(a - b) < 1e-9;
}

/* ---- the referee ---- */

/* One answer of a script: the player that must be asked, and its answer. */
struct line {
    int side;
    const char *action;
};

static void follow(struct referee *referee, const struct line *script, int count) {
    const struct game *game = referee->scenario->game;
    for (int i = 0; i < count; i++) {
        struct ask ask;
        struct err e = {0};
        action a;
        assert_int_equal(referee_mover(referee), script[i].side);
        referee_ask(referee, &ask);
        assert_true(ask.game == game);
        assert_int_equal(ask.side, script[i].side);
        assert_memory_equal(ask.view, referee->state, game->state_size); /* nothing is hidden in this game */
        assert_true(ask.view != (const void *)referee->state);
        assert_true(game->text->read_action(ask.view, script[i].action, &a, &e));
        assert_true(referee_answer(referee, a, i, &e));
        assert_int_equal(referee->actions, i + 1);
    }
}

static void assert_over(const struct referee *referee, const char *result, double red) {
    char text[64];
    assert_int_equal(referee_mover(referee), NOBODY);
    referee_result(referee, text, sizeof text);
    assert_string_equal(text, result);
    assert_true(is_near(referee_payoff(referee, 0), red));
    assert_true(is_near(referee_payoff(referee, 1), 1 - red));
}

static void scripts_lead_to_results(void **state) {
    (void)state;
    static const struct {
        int count;
        struct line lines[8];
        const char *result;
        double red;
    } cases[] = {
        {3, {{0, "0:3,1x1"}, {1, "1:4,1"}, {0, "0:3,1x1"}}, "red annihilation", 1},
        {1, {{0, "resign"}}, "blue resignation", 0},
        {2, {{0, "pass"}, {1, "resign"}}, "red resignation", 1},
        {6,
         {{0, "pass"}, {1, "pass"}, {0, "pass"}, {1, "pass"}, {0, "pass"}, {1, "pass"}},
         "draw limit",
         0.5},
        {6,
         {{0, "0:3,1x1"}, {1, "pass"}, {0, "pass"}, {1, "pass"}, {0, "pass"}, {1, "pass"}},
         "red limit",
         1},
    };
    struct scenario *scenario = map_scenario(MAP_ROW);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct referee referee;
        referee_start(&referee, scenario, 5, NULL);
        follow(&referee, cases[i].lines, cases[i].count);
        assert_over(&referee, cases[i].result, cases[i].red);
    }
    game_unload(scenario);
}

static void the_record_is_complete(void **state) {
    (void)state;
    static const struct line script[] = {{0, "0:2,1"}, {1, "1:3,1x0"}, {0, "pass"}, {1, "resign"}};
    struct scenario *scenario = map_scenario(MAP_ROW);
    struct referee referee;
    struct record record;
    record_init(&record);
    referee_start(&referee, scenario, 77, &record);
    assert_string_equal(record.result, "none");
    follow(&referee, script, 3);
    assert_string_equal(record.result, "none");
    struct game_history history;
    assert_true(referee_history(&referee, &history));
    assert_int_equal(history.count, 3);
    struct err e;
    assert_true(referee_answer(&referee, TBS_RESIGN, -1, &e));
    assert_int_equal(record.count, 4);
    assert_int_equal(record.actions[0].action, tbs_action(0, 2, 1, TBS_NO_TARGET));
    assert_int_equal(record.actions[1].action, tbs_action(1, 3, 1, 0));
    assert_int_equal(record.actions[2].action, TBS_PASS);
    assert_int_equal(record.actions[3].action, TBS_RESIGN);
    assert_true(is_near((double)record.actions[2].milliseconds, 2));
    assert_true(record.actions[3].milliseconds < 0);
    assert_true(record.seed == 77);
    assert_string_equal(record.result, "red resignation");
    assert_string_equal(record.comment, "");
    record_done(&record);
    game_unload(scenario);
}

/* Each seat and the game have streams of their own, derived from the seed. */
static void seats_have_their_own_randomness(void **state) {
    (void)state;
    struct scenario *scenario = map_scenario(MAP_ROW);
    struct referee referee;
    struct ask ask;
    struct err e;
    struct game_history history;
    referee_start(&referee, scenario, 1234, NULL);
    assert_false(referee_history(&referee, &history)); /* there is no record */
    for (int side = 0; side < 2; side++) {
        struct rng expected;
        rng_seed_stream(&expected, 1234, (uint64_t)(RECORD_STREAM_SEAT + side));
        referee_ask(&referee, &ask);
        assert_int_equal(ask.side, side);
        assert_memory_equal(ask.rng, &expected, sizeof expected);
        rng_next(ask.rng);
        rng_next(&expected);
        referee_ask(&referee, &ask); /* asked again, it goes on */
        assert_memory_equal(ask.rng, &expected, sizeof expected);
        assert_true(referee_answer(&referee, TBS_PASS, -1, &e));
    }
    game_unload(scenario);
}

/* ---- players that break the rules ---- */

/* Moves the enemy's unit. */
static void choose_cheat(struct player *player, const struct ask *ask, struct answer *out) {
    (void)player;
    out->chosen = tbs_action(ask->side ^ 1, 2, 1, TBS_NO_TARGET);
}

static const struct player_type cheat = {
    .name = "cheat", .help = "breaks the rules", .size = sizeof(struct player), .choose = choose_cheat};

static void check_forfeit(int cheating_side, const char *result, const char *fault) {
    struct scenario *scenario = map_scenario(MAP_ROW);
    struct referee referee;
    struct record record;
    struct ask ask;
    struct answer answer;
    struct err e;
    record_init(&record);
    referee_start(&referee, scenario, 1, &record);
    if (cheating_side == 1)
        follow(&referee, (const struct line[]){{0, "pass"}}, 1);
    struct player player = {&cheat};
    referee_ask(&referee, &ask);
    player_choose(&player, &ask, &answer);
    unsigned char before[GAME_STATE_MAX];
    memcpy(before, referee.state, sizeof before);
    assert_true(referee_answer(&referee, answer.chosen, 1, &e)); /* a result, not an error */
    assert_memory_equal(before, referee.state, sizeof before);
    assert_over(&referee, result, cheating_side == 0 ? 0 : 1);
    assert_int_equal(referee.forfeiter, cheating_side);
    assert_string_equal(referee.fault.text, fault);
    assert_string_equal(record.result, result);
    assert_string_equal(record.comment, fault);
    assert_int_equal(record.count, cheating_side);
    assert_int_equal(referee.actions, cheating_side);
    record_done(&record);
    game_unload(scenario);
}

static void illegal_actions_forfeit(void **state) {
    (void)state;
    check_forfeit(0, "blue illegal", "red forfeits: 1:2,1 is illegal");
    check_forfeit(1, "red illegal", "blue forfeits: 0:2,1 is illegal");
}

/* Any 32 bits may be answered. */
static void no_answer_crashes_the_referee(void **state) {
    (void)state;
    struct scenario *scenario = map_scenario(MAP_ROW);
    struct rng r;
    int forfeits = 0;
    rng_seed(&r, 3);
    for (int i = 0; i < 5000; i++) {
        struct referee referee;
        struct err e;
        referee_start(&referee, scenario, 1, NULL);
        const action a = (action)rng_next(&r);
        const bool legal = tbs_game.is_legal(referee.state, a);
        assert_true(referee_answer(&referee, a, -1, &e));
        assert_int_equal(referee.forfeiter, legal ? NOBODY : 0);
        forfeits += !legal;
    }
    assert_true(forfeits > 4000);
    game_unload(scenario);
}

/* ---- hidden information ---- */

/* A game of one decision a side in which each holds a secret; only what the referee needs of it. */
struct secrets {
    int secret[2], side;
};

static void secrets_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)scenario;
    struct secrets *s = state;
    *s = (struct secrets){{100 + (int)rng_below(r, 50), 200 + (int)rng_below(r, 50)}, 0};
}

static int secrets_mover(const void *state) {
    const struct secrets *s = state;
    return s->side < 2 ? s->side : NOBODY;
}

static int secrets_turn(const void *state) {
    return ((const struct secrets *)state)->side;
}

static bool secrets_is_legal(const void *state, action a) {
    return secrets_mover(state) != NOBODY && a < 2;
}

static void secrets_play(void *state, action a, struct rng *r) {
    (void)a;
    (void)r;
    ((struct secrets *)state)->side++;
}

static void secrets_hide(void *state, int side) {
    ((struct secrets *)state)->secret[side ^ 1] = 0;
}

static void views_hide_and_states_do_not(void **state) {
    (void)state;
    const struct game game = {.name = "secrets",
                              .state_size = sizeof(struct secrets),
                              .actions_max = 2,
                              .start = secrets_start,
                              .mover = secrets_mover,
                              .is_legal = secrets_is_legal,
                              .play = secrets_play,
                              .turn = secrets_turn,
                              .hide = secrets_hide};
    const struct scenario scenario = {&game};
    struct referee referee;
    struct err e;
    referee_start(&referee, &scenario, 9, NULL);
    const struct secrets *truth = (const struct secrets *)(const void *)referee.state;
    for (int side = 0; side < 2; side++) {
        struct ask ask;
        referee_ask(&referee, &ask);
        const struct secrets *view = ask.view;
        assert_int_equal(view->secret[side], truth->secret[side]);
        assert_int_equal(view->secret[side ^ 1], 0);
        assert_in_range(truth->secret[side ^ 1], 100, 250);
        assert_true(referee_answer(&referee, 1, -1, &e));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_lead_to_results),         cmocka_unit_test(the_record_is_complete),
        cmocka_unit_test(seats_have_their_own_randomness), cmocka_unit_test(illegal_actions_forfeit),
        cmocka_unit_test(no_answer_crashes_the_referee),   cmocka_unit_test(views_hide_and_states_do_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
