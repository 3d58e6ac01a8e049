/* SPDX-License-Identifier: MIT
 *
 * `portfolio`: which player it asks about which position, and the search for a win in this turn.
 */
#include "base/mem.h"
#include "player_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define FIELD                                                                                                \
    "SIZEX[10];SIZEY[4];TURNLIMIT[16];HPTHRESHOLD[0];MAP[0,0,0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,1,1,0];"     \
    "MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0,0,0];"

/* Members that cannot be confused: their answers to a position differ in the work. */
#define MEMBERS "apart=[uct:sims=30],fight=[uct:sims=60],crowd=[uct:sims=90]"

static uint64_t work_of(const char *spec, const char *map) {
    struct position p;
    struct scenario *scenario = load_position(map, &p);
    struct player *player = open_player(spec, scenario->game);
    const struct answer answer = ask_player(player, &p, 1, NULL);
    assert_true(scenario->game->is_legal(p.state, answer.chosen));
    player_close(player);
    game_unload(scenario);
    return answer.work_done;
}

/* Red's infantry: the first and the second, the first alone, or none can attack. */
#define BLUE "UNIT[6,1,infantry,1,10,0];UNIT[8,1,infantry,1,10,0];"
static const char both_reach[] =
    FIELD "UNITNUMRED[2];UNITNUMBLUE[2];UNIT[3,1,infantry,0,10,0];UNIT[3,2,infantry,0,10,0];" BLUE;
static const char one_reaches[] =
    FIELD "UNITNUMRED[2];UNITNUMBLUE[2];UNIT[3,1,infantry,0,10,0];UNIT[1,1,infantry,0,10,0];" BLUE;
static const char two_reach[] = FIELD "UNITNUMRED[3];UNITNUMBLUE[2];UNIT[3,1,infantry,0,10,0];"
                                      "UNIT[3,2,infantry,0,10,0];UNIT[1,2,infantry,0,10,0];" BLUE;
static const char few_reach[] = FIELD "UNITNUMRED[3];UNITNUMBLUE[2];UNIT[3,1,infantry,0,10,0];"
                                      "UNIT[1,1,infantry,0,10,0];UNIT[1,2,infantry,0,10,0];" BLUE;
static const char out_of_reach[] =
    FIELD "UNITNUMRED[2];UNITNUMBLUE[2];UNIT[1,2,infantry,0,10,0];UNIT[1,1,infantry,0,10,0];" BLUE;

static void test_positions_choose_the_member(void **unused) {
    (void)unused;
    /* Each decision of the turn has its share of the simulations. */
    assert_int_equal(work_of("portfolio:win=0,units=5," MEMBERS, out_of_reach), 15);
    assert_int_equal(work_of("portfolio:win=0,units=5," MEMBERS, few_reach), 10);
    assert_int_equal(work_of("portfolio:win=0,units=5," MEMBERS, one_reaches), 15);
    assert_int_equal(work_of("portfolio:win=0,units=6," MEMBERS, two_reach), 20);
    assert_int_equal(work_of("portfolio:win=0,units=5," MEMBERS, both_reach), 30);
    assert_int_equal(work_of("portfolio:win=0,units=4," MEMBERS, both_reach), 45);
    assert_int_equal(work_of("portfolio:win=0,units=4," MEMBERS, out_of_reach), 15);
}

/* Red's panzers destroy both infantry, if each attacks its own; more enemies than units cannot be destroyed.
 */
#define PANZERS "UNIT[3,1,panzer,0,10,0];UNIT[3,2,panzer,0,10,0];"
static const char winning[] =
    FIELD "UNITNUMRED[2];UNITNUMBLUE[2];" PANZERS "UNIT[5,1,infantry,1,2,0];UNIT[5,2,infantry,1,2,0];";
static const char too_strong[] =
    FIELD "UNITNUMRED[2];UNITNUMBLUE[2];" PANZERS "UNIT[5,1,infantry,1,10,0];UNIT[5,2,infantry,1,2,0];";
static const char too_many[] =
    FIELD "UNITNUMRED[2];UNITNUMBLUE[3];" PANZERS
          "UNIT[5,1,infantry,1,1,0];UNIT[5,2,infantry,1,1,0];UNIT[6,1,infantry,1,1,0];";

static void test_wins_are_found(void **unused) {
    (void)unused;
    const char *player = "portfolio:apart=random,fight=random,crowd=random";
    struct position p;
    struct scenario *scenario = load_position(winning, &p);
    const struct game *game = scenario->game;
    struct player *opened = open_player(player, game);
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct position at = p;
        while (game->mover(at.state) == TBS_RED && game->turn(at.state) == 0)
            game->play(at.state, ask_player(opened, &at, seed, NULL).chosen, NULL);
        assert_int_equal(game->mover(at.state), NOBODY);
        assert_true(game->payoff(at.state, TBS_RED) > 0.5);
    }
    player_close(opened);
    game_unload(scenario);
    assert_true(work_of(player, winning) > 1); /* positions of the search; random's work is 1 */
    assert_int_equal(work_of(player, too_strong), 1);
    assert_int_equal(work_of(player, too_many), 1);
    assert_int_equal(work_of("portfolio:win=0,fight=random", winning), 1);
    assert_int_equal(work_of("portfolio:win=1,fight=random", winning), 1);
}

/* A fight stays one until the turn is over, but only behind the player's own answer. */
static void test_fights_last_a_turn(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(two_reach, &p);
    const struct game *game = scenario->game;
    struct player *player = open_player("portfolio:win=0,apart=random,fight=[minmax:depth=1]", game);
    const struct answer first = ask_player(player, &p, 1, NULL);
    assert_true(first.work_done > 1);                       /* random's work is 1 */
    assert_int_not_equal(tbs_action_unit(first.chosen), 2); /* one of the two that can attack */
    game->play(p.state, first.chosen, NULL);
    struct player *fresh = open_player("portfolio:win=0,apart=random,fight=[minmax:depth=1]", game);
    assert_int_equal(ask_player(fresh, &p, 1, NULL).work_done, 1);
    player_close(fresh);
    assert_true(ask_player(player, &p, 1, NULL).work_done > 1);
    assert_int_equal(ask_player(player, &p, 1, NULL).work_done, 1); /* not behind the last answer */
    player_close(player);
    game_unload(scenario);
}

/* ---- budgets, seeds, specs ---- */

static int64_t tick(void *self) {
    return *(int64_t *)self += 1000000;
}

/* The search for a win takes its share of the turn's time, and the member the rest. */
static void test_time_is_shared(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(too_strong, &p);
    struct player *player = open_player("portfolio:time=1000,fight=uct", scenario->game);
    int64_t now = 0;
    struct rng r;
    rng_seed(&r, 1);
    const struct clock clock = {.now_ns = tick, .self = &now};
    struct answer answer;
    player_choose(
        player,
        &(struct ask){.game = scenario->game, .view = p.state, .budget = {.clock = &clock}, .rng = &r},
        &answer);
    assert_in_range(now, 500000000, 520000000); /* two decisions */
    assert_true(scenario->game->is_legal(p.state, answer.chosen));
    player_close(player);
    game_unload(scenario);
}

/* A player of whole turns gets the time of all attacks at its first decision, and then plays its plan. */
static void test_crowds_plan_their_attacks(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(too_strong, &p);
    struct player *player =
        open_player("portfolio:time=1000,units=4,crowd=[dlmc:turns=1000000,sims=1]", scenario->game);
    int64_t now = 0;
    struct rng r;
    rng_seed(&r, 1);
    const struct clock clock = {.now_ns = tick, .self = &now};
    struct answer answer;
    const struct ask ask = {.game = scenario->game, .view = p.state, .budget = {.clock = &clock}, .rng = &r};
    player_choose(player, &ask, &answer);
    assert_in_range(now, 1000000000, 1020000000);
    scenario->game->play(p.state, answer.chosen, NULL);
    now = 0;
    player_choose(player, &ask, &answer);
    assert_true(now < 200000000);
    player_close(player);
    game_unload(scenario);
}

static void test_own_seed(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(out_of_reach, &p);
    struct player *seeded = open_player("portfolio:seed=5,apart=random", scenario->game),
                  *plain = open_player("portfolio:apart=random", scenario->game);
    const action first = ask_player(seeded, &p, 1, NULL).chosen,
                 other = ask_player(plain, &p, 1, NULL).chosen;
    int differ = 0;
    for (uint64_t seed = 2; seed < 12; seed++) {
        assert_int_equal(ask_player(seeded, &p, seed, NULL).chosen, first);
        differ += ask_player(plain, &p, seed, NULL).chosen != other;
    }
    assert_true(differ > 0);
    player_close(seeded);
    player_close(plain);
    game_unload(scenario);
}

static void assert_refused(const char *spec, const char *part) {
    struct err e = {0};
    assert_null(player_open(spec, &tbs_game, &e));
    if (strstr(e.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", e.text, part);
}

static void test_wrong_members(void **unused) {
    (void)unused;
    assert_refused("portfolio:crowd=nobody", "portfolio: crowd: player 'nobody' is unknown");
    assert_refused("portfolio:fight=[uct:deep=2]", "portfolio: fight: ");
    assert_refused("portfolio:apart=[ext:cmd=true]", "starts a program");
    assert_refused("portfolio:win=-1", "win=-1");
    struct err e = {0};
    struct scenario *scenario = game_load_spec("tictactoe", &e);
    assert_null(player_open("portfolio", scenario->game, &e));
    assert_non_null(strstr(e.text, "portfolio plays only the tactical game"));
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_positions_choose_the_member),
        cmocka_unit_test(test_wins_are_found),
        cmocka_unit_test(test_fights_last_a_turn),
        cmocka_unit_test(test_time_is_shared),
        cmocka_unit_test(test_crowds_plan_their_attacks),
        cmocka_unit_test(test_own_seed),
        cmocka_unit_test(test_wrong_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
