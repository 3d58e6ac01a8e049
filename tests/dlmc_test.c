/* SPDX-License-Identifier: MIT
 *
 * `dlmc`: turns drawn at random and valued by short simulations. The values against exact expectations, which
 * are computed by walking through everything a playout could do; the same answer for any number of threads;
 * budgets and options.
 */
#include "search/turns.h"

#include "base/mem.h"
#include "game/game.h"
#include "player_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static double weights[GAME_WEIGHTS_MAX];

static struct turns_settings settings_for(const struct game *game, int turns, int sims, int horizon) {
    weights_default(game, weights);
    return (struct turns_settings){.turns = turns,
                                   .sims = sims,
                                   .horizon = horizon,
                                   .rollout = game_rollout(game, "uniform"),
                                   .eval = game_eval(game, "linear"),
                                   .weights = weights};
}

static struct turns_result search(const struct position *p, const struct turns_settings *settings,
                                  int threads, struct budget budget, struct thoughts *thoughts) {
    struct err e = {0};
    struct rng r;
    struct turns_result out;
    memset(&out, 0, sizeof out);
    struct turns *turns = turns_open(p->scenario->game, threads);
    assert_string_equal(e.text, "");
    rng_seed(&r, 11);
    const struct search_task task = {
        .game = p->scenario->game, .root = p->state, .budget = budget, .rng = &r, .thoughts = thoughts};
    if (thoughts != NULL)
        thoughts_start(thoughts);
    turns_search(turns, &task, settings, &out);
    turns_close(turns);
    return out;
}

static bool same(double a, double b) {
    return !(a < b) && !(a > b);
}

/* ---- positions ---- */

#define LANE     "SIZEX[7];SIZEY[3];TURNLIMIT[20];HPTHRESHOLD[0];"
#define LANE_MAP "MAP[0,0,0,0,0,0,0];MAP[0,1,3,1,1,1,0];MAP[0,0,0,0,0,0,0];"

/* One unit a side, a few cells: everything can be enumerated. */
static const char *const tiny[] = {
    LANE "UNIT[2,1,infantry,0,10,0];UNIT[5,1,infantry,1,10,0];" LANE_MAP,
    LANE "UNIT[3,1,infantry,0,10,0];UNIT[5,1,infantry,1,8,0];" LANE_MAP,
    LANE "UNIT[1,1,infantry,0,6,0];UNIT[4,1,panzer,1,10,0];" LANE_MAP,
    LANE "UNIT[2,1,cannon,0,10,0];UNIT[5,1,infantry,1,10,0];" LANE_MAP,
    LANE "UNIT[1,1,panzer,0,3,0];UNIT[5,1,cannon,1,10,0];UNIT[3,1,infantry,1,2,0];" LANE_MAP,
};

enum { TINY = sizeof tiny / sizeof tiny[0] };

static struct scenario *middle_game(struct position *p, enum tbs_path path, int steps) {
    struct rng r;
    struct tbs_map map;
    struct scenario *scenario;
    for (uint64_t seed = 77;; seed++) {
        rng_seed(&r, seed);
        draw_map(&r, &map);
        map.turn_limit = 30;
        scenario = make_scenario(&map, path);
        if (map.unit_count >= 6 && walk(p, scenario, steps, &r))
            return scenario;
        game_unload(scenario);
    }
}

/* ---- exact expectations ---- */

/* The mean evaluation for `side` at the end of `turns` more turns, when at each step a ready unit is drawn
 * evenly and then one of its actions: the uniform policy, walked through instead of drawn. */
static double expectation(const struct position *p, int side, int turn_end) {
    const struct game *game = p->scenario->game;
    if (game->mover(p->state) == NOBODY || game->turn(p->state) >= turn_end)
        return game->evals[0].value(p->state, side, weights);
    struct tbs_position units;
    int ready = 0;
    double sum = 0;
    tbs_position_of(p->state, &units);
    for (int id = 0; id < units.unit_count; id++) {
        action list[TBS_UNIT_ACTIONS_MAX];
        int attacks;
        if (!tbs_can_act(&units, id))
            continue;
        ready++;
        const int count = tbs_unit_actions(p->state, id, TBS_ATTACKS_POWER, list, &attacks);
        double unit_sum = 0;
        for (int i = 0; i < count; i++) {
            struct position next = *p;
            game->play(next.state, list[i], NULL);
            unit_sum += expectation(&next, side, turn_end);
        }
        sum += unit_sum / count;
    }
    return sum / ready;
}

/* With many simulations the found turn is (nearly) the best one, and its value is the true one. */
static void means_approach_expectations(void **state) {
    (void)state;
    for (int i = 0; i < TINY; i++) {
        for (int horizon = 0; horizon <= 2; horizon++) {
            struct position p;
            struct scenario *scenario = load_position(tiny[i], &p);
            const struct turns_settings s = settings_for(&tbs_game, 60, 4000, horizon);
            const struct turns_result found = search(&p, &s, 1, (struct budget){0}, NULL);
            const int turn = tbs_game.turn(p.state);
            action list[TBS_UNIT_ACTIONS_MAX];
            int attacks;
            double best = -1e9, chosen = -1e9;
            const int count = tbs_unit_actions(p.state, 0, TBS_ATTACKS_POWER, list, &attacks);
            for (int k = 0; k < count; k++) {
                struct position next = p;
                tbs_game.play(next.state, list[k], NULL);
                const double value = expectation(&next, TBS_RED, turn + 1 + horizon);
                best = value > best ? value : best;
                chosen = list[k] == found.result.chosen ? value : chosen;
            }
            /* Means of 4000 values whose deviation is at most a few HP: 0.2 is five standard errors. */
            assert_true(fabs(found.result.value - chosen) < (horizon == 0 ? 1e-9 : 0.2));
            assert_true(best - chosen < (horizon == 0 ? 1e-9 : 0.2));
            assert_int_equal(found.line.count, 1);
            assert_int_equal(found.result.work, 60 * 4000);
            assert_int_equal(found.result.nodes, 60);
            game_unload(scenario);
        }
    }
}

/* Looking one enemy turn ahead: the infantry should avoid attacked cells, which the evaluation of its own
 * turn does not show. */
static void the_horizon_counts_turns_after_the_drawn_one(void **state) {
    (void)state;
    struct position p;
    /* The cannon reaches cells at distance 2 and 3 from (5, 1): 2 and 3. Only 1 and 4 are safe from it. */
    struct scenario *scenario =
        load_position(LANE "UNIT[2,1,infantry,0,10,0];UNIT[5,1,cannon,1,10,0];" LANE_MAP, &p);
    const struct turns_settings far = settings_for(&tbs_game, 100, 500, 1);
    const struct turns_result found = search(&p, &far, 1, (struct budget){0}, NULL);
    const int x = tbs_action_x(found.result.chosen);
    assert_true(x == 1 || x == 4);
    const struct turns_settings near = settings_for(&tbs_game, 100, 500, 0);
    const struct turns_result bare = search(&p, &near, 1, (struct budget){0}, NULL);
    /* Best at once: the attack on the cannon (10 * 10 + 70 = 170, by 110: 1 HP). */
    assert_int_equal(tbs_action_target(bare.result.chosen), 1);
    assert_true(same(bare.result.value, 1));
    game_unload(scenario);
}

/* Turns that are not played again count all the same. */
static void bare_evaluations_count_as_simulations(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 3);
    const struct turns_settings s = settings_for(&tbs_game, 50, 20, 0);
    const struct turns_result found = search(&p, &s, 1, (struct budget){0}, NULL);
    assert_int_equal(found.result.work, 50 * 20);
    struct position end = p;
    for (int i = 0; i < found.line.count; i++)
        tbs_game.play(end.state, found.line.actions[i], NULL);
    assert_true(tbs_game.turn(end.state) > tbs_game.turn(p.state));
    const int side = tbs_game.mover(p.state);
    assert_true(same(found.result.value, tbs_game.evals[0].value(end.state, side, weights)));
    game_unload(scenario);
}

/* ---- drawing ---- */

/* Turns are drawn evenly among the listed actions at each step: with one turn a search, the first action is
 * any of them alike. */
static void first_actions_are_drawn_evenly(void **state) {
    (void)state;
    enum { SEARCHES = 20000 };
    static int seen[4096];
    static action list[4096];
    struct position p;
    struct rng r;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 0);
    const struct turns_settings s = settings_for(&tbs_game, 1, 1, 0);
    struct turns *turns = turns_open(&tbs_game, 1);
    const int count = tbs_game.actions(p.state, list);
    rng_seed(&r, 3);
    for (int i = 0; i < SEARCHES; i++) {
        struct turns_result found;
        const struct search_task task = {.game = &tbs_game, .root = p.state, .rng = &r};
        turns_search(turns, &task, &s, &found);
        int at = 0;
        while (at < count && list[at] != found.result.chosen)
            at++;
        assert_true(at < count);
        seen[at]++;
    }
    const double each = (double)SEARCHES / count;
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += (seen[i] - each) * (seen[i] - each) / each;
    assert_true(fabs(sum - (count - 1)) < 5 * sqrt(2.0 * count)); /* chi-square: mean n - 1, variance 2n */
    turns_close(turns);
    game_unload(scenario);
}

/* ---- threads and tables ---- */

static void assert_same_result(const struct turns_result *a, const struct turns_result *b) {
    assert_int_equal(a->result.chosen, b->result.chosen);
    assert_true(same(a->result.value, b->result.value));
    assert_int_equal(a->result.work, b->result.work);
    assert_int_equal(a->result.nodes, b->result.nodes);
    assert_int_equal(a->line.count, b->line.count);
    assert_memory_equal(a->line.actions, b->line.actions, (size_t)a->line.count * sizeof(action));
}

static void threads_change_nothing(void **state) {
    (void)state;
    static struct thoughts first, other;
    for (int steps = 0; steps < 12; steps += 2) {
        struct position p;
        struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, steps);
        const struct turns_settings s = settings_for(&tbs_game, 203, 10, 2);
        const struct turns_result one = search(&p, &s, 1, (struct budget){0}, &first);
        for (int threads = 2; threads <= 3; threads++) {
            const struct turns_result more = search(&p, &s, threads, (struct budget){0}, &other);
            assert_same_result(&one, &more);
            assert_int_equal(first.count, other.count);
            for (int i = 0; i < first.count; i++) {
                assert_int_equal(first.candidates[i].action, other.candidates[i].action);
                assert_int_equal(first.candidates[i].visits, other.candidates[i].visits);
            }
        }
        game_unload(scenario);
    }
}

/* Without memory for threads the result is the same. */
static void threads_are_only_speed(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 4);
    struct player *one = open_player("dlmc:turns=50,sims=5", &tbs_game),
                  *two = open_player("dlmc:turns=50,sims=5,threads=2", &tbs_game);
    const struct answer expected = ask_player(one, &p, 5, NULL);
    for (long n = 1; n <= 2; n++) {
        mem_fail_at(n);
        const struct answer answer = ask_player(two, &p, 5, NULL);
        mem_fail_at(0);
        assert_int_equal(answer.chosen, expected.chosen);
        assert_int_equal(answer.work_done, expected.work_done);
    }
    player_close(one);
    player_close(two);
    game_unload(scenario);
}

static void both_tables_answer_the_same(void **state) {
    (void)state;
    for (int steps = 0; steps < 12; steps += 3) {
        struct position small, wide;
        struct scenario *a = middle_game(&small, TBS_PATH_SMALL, steps),
                        *b = middle_game(&wide, TBS_PATH_WIDE, steps);
        const struct turns_settings s = settings_for(&tbs_game, 40, 10, 2);
        const struct turns_settings w = settings_for(&tbs_wide_game, 40, 10, 2);
        const struct turns_result one = search(&small, &s, 1, (struct budget){0}, NULL),
                                  two = search(&wide, &w, 2, (struct budget){0}, NULL);
        assert_same_result(&one, &two);
        game_unload(a);
        game_unload(b);
    }
}

/* ---- budgets ---- */

static void work_budgets_scale_the_turns(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 2);
    const struct turns_settings s = settings_for(&tbs_game, 200, 10, 2);
    static const uint64_t budgets[][2] = {{1, 10}, {9, 10}, {10, 10}, {29, 20}, {1000, 1000}, {5000, 5000}};
    for (int i = 0; i < 6; i++)
        for (int threads = 1; threads <= 2; threads++) {
            const struct turns_result found =
                search(&p, &s, threads, (struct budget){.work_max = budgets[i][0]}, NULL);
            assert_int_equal(found.result.work, budgets[i][1]);
            assert_int_equal(found.result.nodes, budgets[i][1] / 10);
        }
    game_unload(scenario);
}

/* A clock that advances by one millisecond at each reading. */
static int64_t ticking(void *self) {
    int64_t *now = self;
    return *now += 1000000;
}

static void time_ends_the_search(void **state) {
    (void)state;
    struct position p;
    int64_t now = 0;
    const struct clock clock = {.now_ns = ticking, .self = &now};
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 2);
    const struct turns_settings s = settings_for(&tbs_game, 2, 10, 2);
    /* A reading before each simulation but the very first. The tenth turn is cut off: its five simulations
     * count, the turn does not. */
    const struct turns_result found =
        search(&p, &s, 1, (struct budget){.time_ns_max = 95000000, .clock = &clock}, NULL);
    assert_int_equal(found.result.nodes, 9); /* time, in place of the two turns of the settings */
    assert_int_equal(found.result.work, 95);
    now = 0; /* no time at all: one turn nevertheless, by a single simulation */
    const struct turns_settings many = settings_for(&tbs_game, 2, 1000000, 2);
    const struct turns_result one =
        search(&p, &many, 1, (struct budget){.time_ns_max = 1, .clock = &clock}, NULL);
    assert_int_equal(one.result.nodes, 1);
    assert_int_equal(one.result.work, 1);
    now = 0; /* the first turn has the value of its simulations */
    const struct turns_result cut =
        search(&p, &many, 1, (struct budget){.time_ns_max = 5000000, .clock = &clock}, NULL);
    assert_int_equal(cut.result.nodes, 1);
    assert_int_equal(cut.result.work, 5);
    now = 0; /* a deadline does the same */
    const struct turns_result late =
        search(&p, &many, 1, (struct budget){.deadline_ns = 5000000, .clock = &clock}, NULL);
    assert_int_equal(late.result.nodes, 1);
    assert_in_range(late.result.work, 1, 5);
    game_unload(scenario);
}

static void a_stop_ends_the_search(void **state) {
    (void)state;
    struct position p;
    const atomic_bool stop = true;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 2);
    const struct turns_settings s = settings_for(&tbs_game, 1000, 100, 2);
    const struct turns_result found = search(&p, &s, 1, (struct budget){.stop = &stop}, NULL);
    assert_int_equal(found.result.nodes, 1);
    const struct turns_result threads = search(&p, &s, 2, (struct budget){.stop = &stop}, NULL);
    assert_same_result(&found, &threads);
    game_unload(scenario);
}

/* ---- thoughts ---- */

static void check_line(const struct position *p, const struct thought *t) {
    struct position now = *p;
    const int side = tbs_game.mover(p->state), turn = tbs_game.turn(p->state);
    assert_true(t->line_count > 0);
    assert_int_equal(t->line[0], t->action);
    for (int i = 0; i < t->line_count; i++) {
        assert_int_equal(tbs_game.turn(now.state), turn);
        assert_int_equal(tbs_game.mover(now.state), side);
        assert_true(tbs_game.is_legal(now.state, t->line[i]));
        tbs_game.play(now.state, t->line[i], NULL);
    }
    assert_true(tbs_game.mover(now.state) != side || tbs_game.turn(now.state) != turn);
}

static void thoughts_show_whole_turns(void **state) {
    (void)state;
    static struct thoughts thoughts;
    struct position p;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 3);
    const struct turns_settings s = settings_for(&tbs_game, 100, 10, 2);
    const struct turns_result found = search(&p, &s, 1, (struct budget){0}, &thoughts);
    assert_int_equal(thoughts.candidates[0].action, found.result.chosen);
    assert_true(same(thoughts.candidates[0].value, found.result.value));
    assert_memory_equal(thoughts.candidates[0].line, found.line.actions,
                        (size_t)found.line.count * sizeof(action));
    assert_int_equal(thoughts.simulations, 1000);
    assert_int_equal(thoughts.nodes, 100);
    assert_true(thoughts.count > 5);
    uint64_t visits = 0;
    for (int i = 0; i < thoughts.count; i++) {
        check_line(&p, &thoughts.candidates[i]);
        assert_true(i == 0 || thoughts.candidates[i].value <= thoughts.candidates[i - 1].value);
        visits += thoughts.candidates[i].visits;
    }
    assert_true(thoughts.total > thoughts.count ? visits < 1000 : visits == 1000);
    game_unload(scenario);
}

struct shown {
    int times;
    uint64_t simulations;
};

static void note(void *context, const struct thoughts *so_far) {
    struct shown *shown = context;
    shown->times++;
    assert_true(so_far->simulations > shown->simulations);
    assert_true(so_far->count > 0 && so_far->candidates[0].line_count > 0);
    shown->simulations = so_far->simulations;
}

static void watchers_get_reports(void **state) {
    (void)state;
    static struct thoughts thoughts;
    struct position p;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 3);
    const struct turns_settings s = settings_for(&tbs_game, 200, 10, 2);
    for (int threads = 1; threads <= 2; threads++) {
        struct rng r;
        struct turns_result out;
        struct shown shown = {0};
        int64_t now = 0;
        const struct clock clock = {.now_ns = ticking, .self = &now};
        const struct watch watch = {.show = note, .context = &shown, .every_ns = 5000000};
        const struct search_task task = {.game = &tbs_game,
                                         .root = p.state,
                                         .budget = {.clock = &clock},
                                         .rng = &r,
                                         .thoughts = &thoughts,
                                         .watch = &watch};
        struct turns *turns = turns_open(&tbs_game, threads);
        rng_seed(&r, 1);
        turns_search(turns, &task, &s, &out);
        assert_int_equal(shown.times, 50 / 5); /* 50 batches, a reading after each */
        turns_close(turns);
    }
    game_unload(scenario);
}

/* ---- the player ---- */

static struct answer ask_in_turn(struct player *player, const struct position *p, int taken, struct rng *r) {
    const struct ask ask = {.game = p->scenario->game, .view = p->state, .taken = taken, .rng = r};
    struct answer answer;
    player_choose_in(player, &ask, &answer);
    return answer;
}

/* The first decision of a turn chooses the whole turn; the later ones only carry it out. */
static void plans_are_followed(void **state) {
    (void)state;
    for (int steps = 0; steps < 20; steps++) {
        struct position p;
        struct rng r;
        struct scenario *scenario = middle_game(&p, steps % 2 == 0 ? TBS_PATH_SMALL : TBS_PATH_WIDE, steps);
        const struct game *game = scenario->game;
        struct player *player = open_player("dlmc:turns=20,sims=4,policy=uniform", game);
        const int side = game->mover(p.state), turn = game->turn(p.state);
        const struct turns_settings s = settings_for(game, 20, 4, 2);
        weights[TBS_INFANTRY] = 0.2;
        const struct turns_result expected = search(&p, &s, 1, (struct budget){0}, NULL);
        rng_seed(&r, 11);
        for (int taken = 0; game->mover(p.state) == side && game->turn(p.state) == turn; taken++) {
            const struct answer answer = ask_in_turn(player, &p, taken, &r);
            assert_true(taken < expected.line.count);
            assert_int_equal(answer.chosen, expected.line.actions[taken]);
            assert_true(same(answer.value, expected.result.value));
            assert_int_equal(answer.work_done, taken == 0 ? 80 : 0);
            game->play(p.state, answer.chosen, &r);
        }
        player_close(player);
        game_unload(scenario);
    }
}

/* Infantry counts a fifth: the anti-air kills the fighter of 3 HP and not the infantry of 4. */
static void values_matter(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(
        LANE "UNIT[3,1,antiair,0,10,0];UNIT[2,1,fighter,1,3,0];UNIT[4,1,infantry,1,4,0];" LANE_MAP, &p);
    struct player *paper = open_player("dlmc:horizon=0", &tbs_game),
                  *equal = open_player("dlmc:horizon=0,values=I:1", &tbs_game);
    const struct answer a = ask_player(paper, &p, 1, NULL), b = ask_player(equal, &p, 1, NULL);
    assert_int_equal(tbs_action_target(a.chosen), 1);
    assert_true(fabs(a.value - (10 - 0.2 * 4)) < 1e-12);
    assert_int_equal(tbs_action_target(b.chosen), 2);
    assert_true(same(b.value, 7));
    player_close(paper);
    player_close(equal);
    game_unload(scenario);
}

/* With a seed of its own the player does not use the game's generator. */
static void own_seeds_are_used(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = middle_game(&p, TBS_PATH_SMALL, 5);
    struct player *own = open_player("dlmc:turns=10,sims=5,seed=9", &tbs_game),
                  *game = open_player("dlmc:turns=10,sims=5", &tbs_game);
    struct rng before, after;
    rng_seed(&before, 1);
    const struct answer a = ask_player(own, &p, 1, &after), b = ask_player(own, &p, 2, NULL);
    assert_memory_equal(&before, &after, sizeof before);
    assert_int_equal(a.chosen, b.chosen);
    assert_true(same(a.value, b.value));
    int differ = 0;
    const struct answer first = ask_player(game, &p, 1, NULL);
    for (uint64_t seed = 2; seed < 20; seed++)
        differ += !same(ask_player(game, &p, seed, NULL).value, first.value);
    assert_true(differ > 10);
    player_close(own);
    player_close(game);
    game_unload(scenario);
}

static void options_are_explained(void **state) {
    (void)state;
    struct err e;
    assert_null(player_open("dlmc:policy=best", &tbs_game, &e));
    assert_non_null(strstr(e.text, "dlmc: policy=best is unknown; 'senjutsu games tbs' lists the playouts"));
    assert_null(player_open("dlmc:values=I:0.2,X:1", &tbs_game, &e));
    assert_string_equal(e.text, "dlmc: value 'X' is unknown; known are F, A, P, U, R, I, threat");
    assert_null(player_open("dlmc:turns=0", &tbs_game, &e));
    assert_string_equal(e.text, "dlmc: turns=0: expected a whole number from 1 to 1000000");
    struct game other = tbs_game;
    other.evals = NULL;
    assert_null(player_open("dlmc", &other, &e));
    assert_string_equal(e.text, "dlmc: tbs has no evaluation");
    struct text canonical = {0};
    assert_true(player_check("dlmc:turns=200,horizon=2,threads=2", &canonical, &e));
    assert_string_equal(text_string(&canonical), "dlmc:threads=2");
    text_done(&canonical);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_approach_expectations),
        cmocka_unit_test(the_horizon_counts_turns_after_the_drawn_one),
        cmocka_unit_test(bare_evaluations_count_as_simulations),
        cmocka_unit_test(first_actions_are_drawn_evenly),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(threads_are_only_speed),
        cmocka_unit_test(both_tables_answer_the_same),
        cmocka_unit_test(work_budgets_scale_the_turns),
        cmocka_unit_test(time_ends_the_search),
        cmocka_unit_test(a_stop_ends_the_search),
        cmocka_unit_test(thoughts_show_whole_turns),
        cmocka_unit_test(watchers_get_reports),
        cmocka_unit_test(plans_are_followed),
        cmocka_unit_test(values_matter),
        cmocka_unit_test(own_seeds_are_used),
        cmocka_unit_test(options_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
