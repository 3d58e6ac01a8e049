/* SPDX-License-Identifier: MIT
 *
 * The players `uct` and `pwuct`: what their options mean, how a turn's simulations and time are shared out,
 * and where simulations end.
 */
#include "base/mem.h"
#include "game/game.h"
#include "search/tree.h"
#include "uct_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- options ---- */

/* A spec, and the tree settings it is to mean, spelt out again. */
struct meaning {
    const char *spec, *policy;
    struct tree_settings settings;
    bool attacks_first;
    const struct widening_branch *branches;
    int switch_at;
};

static const struct widening_branch own_branches[2] = {{2, 0, 3, 1}, {1.5, 10, 4, -2}};

static const struct meaning meanings[] = {
    {"uct", "attack", {.c = 1, .expand = 1, .horizon = 16}, .attacks_first = false},
    {"uct:c=0.3", "attack", {.c = 0.3, .expand = 1, .horizon = 16}},
    {"uct:expand=5", "attack", {.c = 1, .expand = 5, .horizon = 16}},
    {"uct:horizon=2", "attack", {.c = 1, .expand = 1, .horizon = 2}},
    {"uct:horizon=0", "attack", {.c = 1, .expand = 1}},
    {"uct:horizon=2,cut=loss", "attack", {.c = 1, .expand = 1, .horizon = 2, .cut = TREE_CUT_LOSS}},
    {"uct:policy=uniform", "uniform", {.c = 1, .expand = 1, .horizon = 16}},
    {"uct:first=attacks", "attack", {.c = 1, .expand = 1, .horizon = 16}, .attacks_first = true},
    {"uct:choose=visits", "attack", {.c = 1, .expand = 1, .horizon = 16, .choice = TREE_CHOOSE_VISITS}},
    {"pwuct", "attack", {.c = 1, .expand = 1, .horizon = 16}, true, widening_paper, 3000},
    {"pwuct:first=any", "attack", {.c = 1, .expand = 1, .horizon = 16}, false, widening_paper, 3000},
    {"pwuct:base=2,scale=3,offset=1,switch=50,base2=1.5,shift2=10,scale2=4,offset2=-2",
     "attack",
     {.c = 1, .expand = 1, .horizon = 16},
     true,
     own_branches,
     50},
};

static void check_meaning(const struct meaning *m, const struct position *p) {
    const struct game *game = p->scenario->game;
    struct tree_settings settings = m->settings;
    struct widening widening;
    double weights[GAME_WEIGHTS_MAX];
    struct thoughts here = {0}, there = {0};
    struct search_result result;
    struct err e;
    struct rng r;
    weights_default(game, weights);
    settings.rollout = game_rollout(game, m->policy);
    settings.eval = game_eval(game, "linear");
    settings.weights = weights;
    settings.shuffle = settings.hurry = true;
    settings.prior = m->attacks_first ? game_prior(game, "attacks") : NULL;
    if (m->branches != NULL) {
        widening_init(&widening, m->branches, m->switch_at);
        settings.widening = &widening;
    }
    struct tree *tree = tree_open(game, &(struct tree_memory){.memory_bytes = 64 << 20, .trees = 1}, &e);
    const struct search_task task = {
        .game = game, .root = p->state, .budget = {.work_max = 900}, .rng = &r, .thoughts = &here};
    rng_seed(&r, 6);
    tree_search(tree, &task, &settings, &result);
    struct player *player = open_player(m->spec, game);
    const struct answer answer = ask_question(
        player, p, &(struct question){.budget = {.work_max = 900}, .seed = 6, .thoughts = &there});
    assert_int_equal(answer.chosen, result.chosen);
    assert_int_equal(answer.work_done, 900);
    assert_true(same_number(answer.value, result.value));
    assert_same_thoughts(&here, &there);
    player_close(player);
    tree_close(tree);
}

static void options_have_their_effects(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(uct_field, &p);
    for (size_t i = 0; i < sizeof meanings / sizeof meanings[0]; i++)
        check_meaning(&meanings[i], &p);
    game_unload(scenario);
}

static void specs_come_back(void **state) {
    (void)state;
    static const char *const specs[][2] = {
        {"uct", "uct"},
        {"uct:sims=6000,c=1.0,horizon=16,cut=hp", "uct"},
        {"uct:threads=2,cut=loss,sims=800,seed=7", "uct:sims=800,cut=loss,seed=7,threads=2"},
        {"uct:policy=uniform,choose=visits,time=250", "uct:policy=uniform,choose=visits,time=250"},
        {"pwuct:base=1.4,switch=3000", "pwuct"},
        {"pwuct:scale=20,sims=10", "pwuct:scale=20,sims=10"},
    };
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct text first = {0}, second = {0};
        struct err e = {0};
        assert_true(player_check(specs[i][0], &first, &e));
        assert_string_equal(text_string(&first), specs[i][1]);
        assert_true(player_check(text_string(&first), &second, &e));
        assert_string_equal(text_string(&first), text_string(&second));
        text_done(&first);
        text_done(&second);
    }
    struct err e = {0};
    assert_false(player_check("uct:base=2", NULL, &e)); /* widening is pwuct's alone */
    assert_false(player_check("uct:sims=0", NULL, &e));
    assert_false(player_check("uct:threads=65", NULL, &e));
}

static void an_unknown_policy_is_explained(void **state) {
    (void)state;
    struct err e = {0};
    assert_null(player_open("uct:policy=brave", &tbs_game, &e));
    assert_string_equal(e.text, "uct: policy=brave is unknown; 'senjutsu games tbs' lists the playouts");
    assert_null(player_open("pwuct:policy=brave", &tbs_wide_game, &e));
    assert_string_equal(e.text,
                        "pwuct: policy=brave is unknown; 'senjutsu games tbs-wide' lists the playouts");
}

/* ---- sharing out a turn ---- */

static uint64_t work_of(const char *spec, const struct position *p, int taken) {
    struct player *player = open_player(spec, p->scenario->game);
    const uint64_t work = ask_question(player, p, &(struct question){.taken = taken}).work_done;
    player_close(player);
    return work;
}

static void each_decision_gets_an_equal_share(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(uct_field, &p);
    const struct game *game = scenario->game;
    assert_int_equal(work_of("uct:sims=403", &p, 0), 100);
    game->play(p.state, tbs_action(0, 2, 3, 4), NULL);
    struct tbs_position spelt;
    tbs_position_of(p.state, &spelt);
    assert_int_equal(spelt.units[0].hp, 0); /* lost in its own attack */
    assert_int_equal(game->progress(p.state).taken, 0);
    assert_int_equal(work_of("uct:sims=403", &p, 1), 100);
    assert_int_equal(work_of("pwuct:sims=403", &p, 1), 100);
    assert_int_equal(work_of("uct:sims=403", &p, 0),
                     134); /* a player that has not watched cannot count them */
    game->play(p.state, tbs_action(2, 1, 5, TBS_NO_TARGET), NULL);
    assert_int_equal(work_of("uct:sims=403", &p, 2), 100);
    assert_int_equal(work_of("uct:sims=403", &p, 0), 134);
    assert_int_equal(work_of("uct:sims=1", &p, 2), 1); /* at least one simulation is made */
    game_unload(scenario);
}

/* Whole games, each turn counted from its beginning: no turn costs more than it may, none much less. */
static void turns_cost_what_was_asked_for(void **state) {
    (void)state;
    enum { SIMS = 120 };
    struct position p;
    struct scenario *scenario = load_position(uct_field, &p);
    const struct game *game = scenario->game;
    struct player *player = open_player("uct:sims=120", game);
    struct turn_count count;
    int turns = 0;
    turn_count_start(&count, game, p.state);
    while (game->mover(p.state) != NOBODY) {
        const int turn = game->turn(p.state), decisions = game->progress(p.state).left;
        uint64_t work = 0;
        int taken = 0;
        while (game->mover(p.state) != NOBODY && game->turn(p.state) == turn) {
            const struct answer answer =
                ask_question(player, &p, &(struct question){.taken = count.taken, .seed = (uint64_t)turns});
            assert_int_equal(answer.work_done, SIMS / decisions);
            assert_true(game->is_legal(p.state, answer.chosen));
            game->play(p.state, answer.chosen, NULL);
            turn_count_step(&count, game, p.state);
            work += answer.work_done;
            taken++;
        }
        assert_true(work <= SIMS);
        assert_true(taken <= decisions);
        turns++;
    }
    assert_true(turns > 2);
    player_close(player);
    game_unload(scenario);
}

static void an_asks_budget_comes_first(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(uct_field, &p);
    struct player *player = open_player("uct:sims=400,time=1", scenario->game);
    const atomic_bool stop = true;
    assert_int_equal(ask_question(player, &p, &(struct question){.budget = {.work_max = 777}}).work_done,
                     777);
    assert_int_equal(ask_question(player, &p, &(struct question){.budget = {.stop = &stop}}).work_done, 32);
    player_close(player);
    game_unload(scenario);
}

/* ---- a measured game: simulations take time, which is recorded ---- */

static int64_t now_ns, simulation_ns;
static int last_turn_played, last_turn_reached;

static long run_watched(void *state, struct rng *r, int turns_max) {
    const long played = game_rollout(&tbs_game, "attack")->run(state, r, turns_max);
    now_ns += simulation_ns;
    if (tbs_game.turn(state) > last_turn_reached)
        last_turn_reached = tbs_game.turn(state);
    return played;
}

static void play_watched(void *state, action a, struct rng *r) {
    if (tbs_game.turn(state) > last_turn_played)
        last_turn_played = tbs_game.turn(state);
    tbs_game.play(state, a, r);
}

static const struct rollout watched_rollouts[] = {{"attack", "", run_watched}, {0}};

static struct game watched_game(void) {
    struct game game = tbs_game;
    game.rollouts = watched_rollouts;
    game.play = play_watched;
    return game;
}

static void time_is_shared_out_too(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(uct_field, &p);
    const struct game game = watched_game();
    const struct clock clock = clock_manual(&now_ns);
    struct player *player = open_player("uct:time=20,sims=400", &game);
    simulation_ns = 50000;
    /* 20 ms for four decisions: 100 simulations of 50 µs; the clock is read after every 32. */
    const struct question q = {.game = &game, .budget = {.clock = &clock}};
    assert_int_equal(ask_question(player, &p, &q).work_done, 128);
    const struct question own = {.game = &game, .budget = {.clock = &clock, .time_ns_max = 1500000}};
    assert_int_equal(ask_question(player, &p, &own).work_done, 32);
    const struct question none = {.game = &game};
    assert_int_equal(ask_question(player, &p, &none).work_done, 100); /* no clock: the counted work */
    player_close(player);
    game_unload(scenario);
}

static void nothing_is_played_beyond_the_horizon(void **state) {
    (void)state;
    static const int horizons[] = {1, 2, 3, 16};
    const struct game game = watched_game();
    for (int i = 0; i < 4; i++) {
        for (int started = 0; started < 2; started++) {
            char spec[40];
            struct position p;
            struct scenario *scenario = load_position(uct_field, &p);
            if (started == 1) { /* within the other side's first turn */
                game.play(p.state, TBS_PASS, NULL);
                game.play(p.state, tbs_action(6, 5, 6, TBS_NO_TARGET), NULL);
            }
            const int end = game.turn(p.state) + horizons[i];
            snprintf(spec, sizeof spec, "uct:horizon=%d", horizons[i]);
            struct player *player = open_player(spec, &game);
            last_turn_played = last_turn_reached = -1;
            ask_question(player, &p, &(struct question){.game = &game, .budget = {.work_max = 1500}});
            assert_true(last_turn_played < end);
            assert_int_equal(last_turn_reached, end);
            player_close(player);
            game_unload(scenario);
        }
    }
}

/* ---- how a simulation that was cut is decided ---- */

/* Two infantries on one long row, too far apart for this turn; the side to move is red or blue. */
static double value_apart(const char *spec, int red_hp, int blue_hp, int side) {
    char text[600];
    struct position p;
    struct thoughts t = {0};
    snprintf(text, sizeof text,
             "SIZEX[10];SIZEY[3];TURNLIMIT[40];HPTHRESHOLD[9];UNITNUMRED[1];UNITNUMBLUE[1];"
             "MAP[0,0,0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,1,1,0];MAP[0,0,0,0,0,0,0,0,0,0];"
             "UNIT[1,1,infantry,0,%d,%d];UNIT[8,1,infantry,1,%d,0];",
             red_hp, side, blue_hp);
    struct scenario *scenario = load_position(text, &p);
    assert_int_equal(scenario->game->mover(p.state), side);
    struct player *player = open_player(spec, scenario->game);
    const struct answer answer =
        ask_question(player, &p, &(struct question){.budget = {.work_max = 100}, .thoughts = &t});
    for (int i = 0; i < t.count; i++)
        assert_true(same_number(t.candidates[i].value, answer.value));
    player_close(player);
    game_unload(scenario);
    return answer.value;
}

static void cuts_are_decided_by_hp_or_lost(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        for (int lead = -1; lead <= 1; lead++) {
            const double to_red = (lead + 1) / 2.0;
            const double value = value_apart("uct:horizon=1", 5 + lead, 5, side);
            assert_true(same_number(value, side == 0 ? to_red : 1 - to_red));
            assert_true(same_number(value_apart("uct:horizon=1,cut=loss", 5 + lead, 5, side), 0));
        }
    }
}

/* With cut=loss and one turn, only what destroys all enemies now is worth anything. */
static void cut_loss_counts_annihilation_alone(void **state) {
    (void)state;
    struct position p;
    struct thoughts t = {0};
    struct scenario *scenario = load_position(
        "SIZEX[8];SIZEY[8];TURNLIMIT[40];HPTHRESHOLD[0];UNITNUMRED[2];UNITNUMBLUE[1];" EMPTY_ROWS
        "UNIT[1,1,infantry,0,3,0];UNIT[2,2,panzer,0,10,0];UNIT[5,4,infantry,1,3,0];",
        &p);
    const struct game *game = scenario->game;
    struct player *player = open_player("uct:horizon=1,cut=loss,choose=visits", game);
    const struct answer answer =
        ask_question(player, &p, &(struct question){.budget = {.work_max = 4000}, .thoughts = &t});
    assert_true(t.total <= THOUGHTS_MAX);
    int kills = 0;
    for (int i = 0; i < t.count; i++) {
        struct position next = p;
        game->play(next.state, t.candidates[i].action, NULL);
        const bool panzer = tbs_action_unit(t.candidates[i].action) == 1;
        if (game->mover(next.state) == NOBODY) {
            assert_true(same_number(t.candidates[i].value, 1));
            kills++;
        } else if (panzer) { /* a panzer that has not attacked leaves no unit that could */
            assert_true(same_number(t.candidates[i].value, 0));
        } else {
            assert_true(t.candidates[i].value > 0);
        }
    }
    assert_true(kills > 0 && kills < t.count);
    assert_true(same_number(answer.value, 1));
    player_close(player);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_have_their_effects),
        cmocka_unit_test(specs_come_back),
        cmocka_unit_test(an_unknown_policy_is_explained),
        cmocka_unit_test(each_decision_gets_an_equal_share),
        cmocka_unit_test(turns_cost_what_was_asked_for),
        cmocka_unit_test(an_asks_budget_comes_first),
        cmocka_unit_test(time_is_shared_out_too),
        cmocka_unit_test(nothing_is_played_beyond_the_horizon),
        cmocka_unit_test(cuts_are_decided_by_hp_or_lost),
        cmocka_unit_test(cut_loss_counts_annihilation_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
