/* SPDX-License-Identifier: MIT
 *
 * The solver against plain minimax without table or pruning, on random tiny positions: same value, same
 * distance, a line that reaches this value; and bounds that hold when it has to stop early.
 */
#include "search/solve.h"

#include "base/mem.h"
#include "game/tbs/map.h"
#include "player_support.h"
#include "sample.h"
#include "tests/memory_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* ---- plain minimax ---- */

enum {
    POSITIONS = SAMPLE(240, 60),
    NODES_MAX = 60000,   /* a position that takes plain minimax longer is replaced by another */
    BIG = 1000000,       /* a win's score, less the turns until then */
    ACTIONS_MAX = 1024,  /* of one of these positions */
    MEMORY = 4 << 20,    /* of the default table */
    SMALL_MEMORY = 1024, /* of one that overflows all the time */
};

struct truth {
    int score; /* of the side to move at the root */
    long nodes;
};

static int plain_score(const struct game *game, const void *state, int side, int turn, struct truth *t) {
    if (++t->nodes > NODES_MAX)
        return 0;
    const int mover = game->mover(state);
    if (mover == NOBODY) {
        const double payoff = game->payoff(state, side);
        const int turns = game->turn(state) - turn;
        return payoff > 0.75 ? BIG - turns : payoff < 0.25 ? turns - BIG : 0;
    }
    action list[ACTIONS_MAX];
    assert_true(game->actions_max <= 1 << 15);
    const int count = game->actions(state, list);
    int best = mover == side ? -BIG : BIG;
    for (int i = 0; i < count && t->nodes <= NODES_MAX; i++) {
        union search_state next;
        search_copy(game, &next, state);
        game->play(&next, list[i], NULL);
        const int score = plain_score(game, &next, side, turn, t);
        if (mover == side ? score > best : score < best)
            best = score;
    }
    return best;
}

/* False when the position is too large for it. */
static bool find_truth(const struct position *p, struct truth *out) {
    const struct game *game = p->scenario->game;
    *out = (struct truth){0};
    out->score = plain_score(game, p->state, game->mover(p->state), game->turn(p->state), out);
    return out->nodes <= NODES_MAX;
}

static double payoff_of(int score) {
    return score > 0 ? 1 : score < 0 ? 0 : 0.5;
}

/* ---- tiny positions ---- */

static void draw_tiny_map(struct rng *r, struct tbs_map *map) {
    struct tbs_random_options options;
    struct err e;
    tbs_random_defaults(&options);
    options.width = 2 + (int)rng_below(r, 3);
    options.height = 3 + (int)rng_below(r, 2);
    options.units[TBS_RED] = 1 + (int)rng_below(r, 2);
    options.units[TBS_BLUE] = 1 + (int)rng_below(r, 2);
    options.hp_low = 1;
    options.turn_limit = 2 + (int)rng_below(r, 4);
    options.threshold = (int)rng_below(r, 6);
    if (rng_below(r, 2) == 0)
        options.types = 1U << TBS_PANZER | 1U << TBS_CANNON | 1U << TBS_INFANTRY;
    if (!tbs_map_random(&options, r, map, &e))
        fail_msg("%s", e.text);
    for (int id = 0; id < map->unit_count; id++)
        map->units[id].done = rng_below(r, 10) == 0;
}

/* A tiny position with its truth, and the same on wide boards. */
struct sample {
    struct tbs_map map;
    struct scenario *small, *wide;
    struct position at, wide_at;
    struct truth truth;
};

static void sample_done(struct sample *s) {
    game_unload(s->small);
    game_unload(s->wide);
}

static bool try_sample(struct sample *s, struct rng *r) {
    struct err e;
    draw_tiny_map(r, &s->map);
    const struct tbs_rules *rules = &tbs_rule_sets[rng_below(r, 2)];
    s->small = tbs_scenario_make(&s->map, rules, TBS_PATH_SMALL, &e);
    s->wide = tbs_scenario_make(&s->map, rules, TBS_PATH_WIDE, &e);
    assert_non_null(s->small);
    assert_non_null(s->wide);
    struct rng steps = *r, same_steps = *r;
    const int count = (int)rng_below(r, 4);
    if (walk(&s->at, s->small, count, &steps) && walk(&s->wide_at, s->wide, count, &same_steps) &&
        find_truth(&s->at, &s->truth))
        return true;
    sample_done(s);
    return false;
}

/* Drawn once for all tests: the exact values are expensive. */
static struct sample samples[POSITIONS];

static int draw_samples(void **unused) {
    (void)unused;
    for (int i = 0; i < POSITIONS; i++) {
        struct rng r;
        rng_seed_stream(&r, 20, (uint64_t)i);
        while (!try_sample(&samples[i], &r))
            rng_next(&r);
    }
    return 0;
}

static int drop_samples(void **unused) {
    (void)unused;
    for (int i = 0; i < POSITIONS; i++)
        sample_done(&samples[i]);
    return 0;
}

/* ---- asking ---- */

struct limits {
    size_t memory;
    uint64_t nodes;
    bool wdl_only;
};

static void solve_position(const struct position *p, struct limits limits, struct solution *out) {
    struct err e = {0};
    struct rng r;
    rng_seed(&r, 1);
    const struct search_task task = {
        .game = p->scenario->game, .root = p->state, .budget = {.work_max = limits.nodes}, .rng = &r};
    const struct solve_settings settings = {limits.memory, limits.wdl_only};
    if (!solve(&task, &settings, out, &e))
        fail_msg("%s", e.text);
    assert_true(out->low <= out->high);
    assert_int_equal(out->solved, out->low >= out->high);
    assert_true(out->solved || (!out->distance_known && out->line_count == 0));
}

/* Plays the line: every action is legal, and the end has the computed result. A line without a distance may
 * stop where the game's own bounds decide. */
static void check_line(const struct position *p, const struct solution *s) {
    const struct game *game = p->scenario->game;
    const int side = game->mover(p->state);
    struct position now = *p;
    for (int i = 0; i < s->line_count; i++) {
        assert_true(game->is_legal(now.state, s->line[i]));
        game->play(now.state, s->line[i], NULL);
    }
    if (game->mover(now.state) == NOBODY) {
        assert_true(game->payoff(now.state, side) == s->low);
        if (s->distance_known)
            assert_int_equal(game->turn(now.state) - game->turn(p->state), s->turns_low);
        return;
    }
    double low, high;
    game->bounds(now.state, &low, &high);
    assert_false(s->distance_known);
    assert_true((side == 0 ? low : 1 - high) >= s->low);
    assert_true((side == 0 ? high : 1 - low) <= s->high);
}

/* A draw may be certain long before its end; then the distance is not searched. */
static void check_solution(const struct sample *sample, const struct position *p, const struct solution *s,
                           bool wdl_only) {
    const int score = sample->truth.score;
    assert_true(s->solved);
    assert_true(s->low == payoff_of(score));
    assert_false(s->too_deep);
    if (score != 0 && !wdl_only)
        assert_true(s->distance_known);
    if (score != 0) {
        const int turns = BIG - (score > 0 ? score : -score);
        assert_true(s->turns_low <= turns);
        assert_true(s->turns_high == 0 || s->turns_high >= turns);
    } else if (s->distance_known) {
        assert_int_equal(s->turns_low, sample->map.turn_limit - p->scenario->game->turn(p->state));
    }
    check_line(p, s);
}

/* ---- against plain minimax ---- */

static void test_same_as_plain_minimax(void **unused) {
    (void)unused;
    static struct solution s;
    int wins = 0, draws = 0, losses = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct sample *sample = &samples[i];
        solve_position(&sample->at, (struct limits){.memory = MEMORY}, &s);
        check_solution(sample, &sample->at, &s, false);
        solve_position(&sample->wide_at, (struct limits){.memory = MEMORY}, &s);
        check_solution(sample, &sample->wide_at, &s, false);
        wins += sample->truth.score > 0;
        draws += sample->truth.score == 0;
        losses += sample->truth.score < 0;
    }
    print_message("%d wins, %d draws, %d losses\n", wins, draws, losses);
    assert_true(wins >= POSITIONS / 16);
    assert_true(draws >= POSITIONS / 16);
    assert_true(losses >= POSITIONS / 16);
}

/* A table that overflows, one of 64 KB and none at all. */
static void test_any_memory(void **unused) {
    (void)unused;
    static const size_t sizes[] = {0, SMALL_MEMORY, 64 << 10};
    static struct solution s;
    for (int i = 0; i < POSITIONS; i++) {
        const struct sample *sample = &samples[i];
        for (int k = 0; k < 3; k++) {
            solve_position(&sample->at, (struct limits){.memory = sizes[k]}, &s);
            check_solution(sample, &sample->at, &s, false);
        }
        solve_position(&sample->at, (struct limits){.memory = MEMORY, .wdl_only = true}, &s);
        check_solution(sample, &sample->at, &s, true);
    }
}

/* A smaller budget gives wider bounds, but they are correct. */
static void test_bounds_hold_when_stopped(void **unused) {
    (void)unused;
    static struct solution s;
    int unsolved = 0, half_known = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct sample *sample = &samples[i];
        const double truth = payoff_of(sample->truth.score);
        const int turns = BIG - (sample->truth.score > 0 ? sample->truth.score : -sample->truth.score);
        for (uint64_t nodes = 1; nodes < 3000; nodes += 1 + nodes / 3) {
            solve_position(&sample->at, (struct limits){.memory = 16 << 10, .nodes = nodes}, &s);
            assert_true(s.nodes <= nodes);
            assert_true(s.low <= truth && truth <= s.high);
            if (s.solved && sample->truth.score != 0) {
                assert_true(s.turns_low <= turns);
                assert_true(s.turns_high == 0 || s.turns_high >= turns);
            }
            unsolved += !s.solved;
            half_known += !s.solved && (s.low > 0 || s.high < 1);
            if (s.solved && s.distance_known)
                break;
        }
    }
    assert_true(unsolved > POSITIONS);
    assert_true(half_known > 0);
}

/* ---- positions written down ---- */

#define ROOMS                                                                                                \
    "MAP[0,0,0,0,0,0];MAP[0,1,1,1,1,0];MAP[0,1,4,1,1,0];MAP[0,1,1,4,1,0];MAP[0,1,1,1,1,0];MAP[0,0,0,0,0,0];"

static const char three_a_side[] =
    "SIZEX[6];SIZEY[6];TURNLIMIT[4];HPTHRESHOLD[2];UNITNUMRED[3];"
    "UNITNUMBLUE[3];AUTHOR[senjutsu];"
    "UNIT[1,1,panzer,0,6,0];UNIT[2,1,infantry,0,5,0];UNIT[1,2,cannon,0,4,0];"
    "UNIT[4,4,panzer,1,6,0];UNIT[3,4,infantry,1,5,0];UNIT[4,3,cannon,1,4,0];" ROOMS;

static void test_table_saves_nodes(void **unused) {
    (void)unused;
    struct position p;
    static struct solution with, without;
    struct scenario *scenario = load_position(three_a_side, &p);
    solve_position(&p, (struct limits){.memory = 32 << 20}, &with);
    solve_position(&p, (struct limits){.memory = 0}, &without);
    print_message("%llu nodes with the table, %llu without\n", (unsigned long long)with.nodes,
                  (unsigned long long)without.nodes);
    assert_true(with.solved && without.solved);
    assert_true(with.low == without.low);
    assert_int_equal(with.turns_low, without.turns_low);
    assert_int_equal(with.turns_high, without.turns_high);
    assert_true(without.nodes > 5 * with.nodes);
    assert_true(with.transpositions > 0);
    assert_true(with.saved > with.transpositions);
    assert_int_equal(without.transpositions, 0);
    assert_int_equal(without.saved, 0);
    check_line(&p, &with);
    game_unload(scenario);
}

static void test_same_again(void **unused) {
    (void)unused;
    struct position p;
    static struct solution first, second;
    struct scenario *scenario = load_position(three_a_side, &p);
    solve_position(&p, (struct limits){.memory = 100000}, &first);
    solve_position(&p, (struct limits){.memory = 100000}, &second);
    assert_memory_equal(&first, &second, sizeof first);
    game_unload(scenario);
}

/* Red kills the infantry now, or never: blue's would flee. */
static void test_a_win_in_one(void **unused) {
    (void)unused;
    struct position p;
    static struct solution s;
    struct scenario *scenario =
        load_position("SIZEX[6];SIZEY[6];TURNLIMIT[9];HPTHRESHOLD[9];UNITNUMRED[1];UNITNUMBLUE[1];"
                      "UNIT[1,1,panzer,0,10,0];UNIT[4,4,infantry,1,1,0];" ROOMS,
                      &p);
    solve_position(&p, (struct limits){.memory = MEMORY}, &s);
    assert_true(s.solved && s.low == 1);
    assert_true(s.distance_known);
    assert_int_equal(s.turns_low, 1);
    assert_int_equal(s.line_count, 1);
    assert_int_equal(tbs_action_target(s.line[0]), 1);
    assert_int_equal(s.depth, 1);
    game_unload(scenario);
}

/* Two infantries behind walls, 3 HP apart: at a threshold of 3 the rule sets disagree. */
static void test_rule_sets(void **unused) {
    (void)unused;
    static const char map[] = "SIZEX[5];SIZEY[3];TURNLIMIT[6];HPTHRESHOLD[3];UNITNUMRED[1];UNITNUMBLUE[1];"
                              "UNIT[1,1,infantry,0,9,0];UNIT[3,1,infantry,1,6,0];"
                              "MAP[0,0,0,0,0];MAP[0,1,0,1,0];MAP[0,0,0,0,0];";
    static const struct {
        const char *rules;
        double value;
    } cases[] = {{"tubstap", 0.5}, {"paper", 1}};
    for (int i = 0; i < 2; i++) {
        struct err e = {0};
        struct spec options;
        static struct solution s;
        assert_true(spec_parse("tbs", &options, &e) && spec_add(&options, "rules", cases[i].rules, &e));
        const struct game_source source = {"test", map, sizeof map - 1, &options};
        struct scenario *scenario = game_load(&tbs_game, &source, &e);
        assert_non_null(scenario);
        struct position p = {.scenario = scenario};
        scenario->game->start(p.state, scenario, NULL);
        solve_position(&p, (struct limits){.memory = MEMORY}, &s);
        assert_true(s.solved && s.low == cases[i].value);
        assert_true(s.distance_known);
        assert_int_equal(s.turns_low, 6);
        check_line(&p, &s);
        game_unload(scenario);
    }
}

/* Eight units a side on a board of 12 x 10, too large to be solved, but not for a search. */
static void test_large_map(void **unused) {
    (void)unused;
    struct tbs_random_options options;
    struct tbs_map map;
    struct rng r;
    struct err e;
    tbs_random_defaults(&options);
    options.width = 12;
    options.height = 10;
    options.units[0] = options.units[1] = 8;
    rng_seed(&r, 3);
    assert_true(tbs_map_random(&options, &r, &map, &e));
    struct scenario *scenario = make_scenario(&map, TBS_PATH_AUTO);
    assert_true(scenario->game == &tbs_wide_game);
    struct position p;
    static struct solution s;
    assert_true(walk(&p, scenario, 0, &r));
    solve_position(&p, (struct limits){.memory = MEMORY, .nodes = 20000}, &s);
    assert_false(s.solved);
    assert_int_equal(s.nodes, 20000);
    assert_true(s.low == 0 && s.high == 1);
    game_unload(scenario);
}

/* ---- lines longer than the limit ---- */

/* All units can only wait: one action a turn. */
static struct scenario *load_waiting(int turns, struct position *p) {
    struct text text = {0};
    text_add(&text,
             "SIZEX[5];SIZEY[3];TURNLIMIT[%d];HPTHRESHOLD[3];UNITNUMRED[1];UNITNUMBLUE[1];"
             "UNIT[1,1,infantry,0,9,0];UNIT[3,1,infantry,1,8,0];"
             "MAP[0,0,0,0,0];MAP[0,1,0,1,0];MAP[0,0,0,0,0];",
             turns);
    struct scenario *scenario = load_position(text_string(&text), p);
    text_done(&text);
    return scenario;
}

static void test_long_games(void **unused) {
    (void)unused;
    struct position p;
    static struct solution s;
    struct scenario *scenario = load_waiting(SOLVE_LINE_MAX, &p);
    solve_position(&p, (struct limits){.memory = MEMORY}, &s);
    assert_true(s.solved && s.low == 0.5);
    assert_int_equal(s.line_count, SOLVE_LINE_MAX);
    assert_int_equal(s.turns_low, SOLVE_LINE_MAX);
    game_unload(scenario);

    scenario = load_waiting(SOLVE_LINE_MAX + 1, &p);
    solve_position(&p, (struct limits){.memory = MEMORY}, &s);
    assert_true(s.solved && s.low == 0.5);
    assert_int_equal(s.line_count, SOLVE_LINE_MAX);
    assert_false(s.distance_known);
    game_unload(scenario);

    if (IS_SANITIZED)
        return; /* a thousand iterations of a search: 20 s there */
    scenario = load_waiting(9999, &p);
    solve_position(&p, (struct limits){.memory = MEMORY}, &s);
    assert_false(s.solved);
    assert_true(s.too_deep);
    assert_true(s.depth > 1000 && s.depth < 9999);
    game_unload(scenario);
}

/* ---- being stopped, being watched ---- */

static int64_t manual_now;

/* Every reading of this clock takes a millisecond. */
static int64_t creeping(void *self) {
    (void)self;
    return manual_now += 1000000;
}

static void test_time_and_stop(void **unused) {
    (void)unused;
    struct position p;
    struct err e;
    static struct solution s;
    struct scenario *scenario = load_position(three_a_side, &p);
    const struct clock clock = {.now_ns = creeping, .self = NULL};
    const atomic_bool stop = true;
    const struct solve_settings settings = {MEMORY, false};
    struct search_task task = {.game = scenario->game, .root = p.state, .budget = {.stop = &stop}};
    assert_true(solve(&task, &settings, &s, &e));
    assert_false(s.solved);
    assert_int_equal(s.nodes, BUDGET_CLOCK_EVERY);
    task.budget = (struct budget){.time_ns_max = 10000000, .clock = &clock};
    assert_true(solve(&task, &settings, &s, &e));
    assert_false(s.solved);
    assert_true(s.nodes > BUDGET_CLOCK_EVERY && s.nodes <= 10 * BUDGET_CLOCK_EVERY);
    game_unload(scenario);
}

struct seen {
    int shows;
    uint64_t nodes;
    int depth;
};

static void watch_nodes(void *context, const struct thoughts *t) {
    struct seen *seen = context;
    assert_true(t->nodes > seen->nodes);
    assert_true(t->depth >= seen->depth);
    *seen = (struct seen){seen->shows + 1, t->nodes, t->depth};
}

static void test_watching(void **unused) {
    (void)unused;
    struct position p;
    struct err e;
    static struct solution s;
    static struct thoughts thoughts;
    struct seen seen = {0};
    struct scenario *scenario = load_position(three_a_side, &p);
    const struct clock clock = {.now_ns = creeping, .self = NULL};
    const struct watch watch = {watch_nodes, &seen, 1};
    const struct solve_settings settings = {100000, false};
    const struct search_task task = {.game = scenario->game,
                                     .root = p.state,
                                     .budget = {.clock = &clock, .work_max = 1 << 20},
                                     .thoughts = &thoughts,
                                     .watch = &watch};
    assert_true(solve(&task, &settings, &s, &e));
    assert_true(seen.shows > 0);
    assert_true(thoughts.nodes == s.nodes && thoughts.nodes >= seen.nodes);
    assert_int_equal(thoughts.depth, s.depth);
    if (s.solved) {
        assert_int_equal(thoughts.count, 1);
        assert_int_equal(thoughts.candidates[0].action, s.line[0]);
    }
    game_unload(scenario);
}

static int refused; /* with a sentence */

static void solve_some(void *context) {
    static struct solution s;
    const struct solve_settings settings = {MEMORY, false};
    struct err e = {0};
    if (solve(context, &settings, &s, &e))
        return;
    refused++;
    assert_non_null(strstr(e.text, "not enough memory"));
}

static void test_out_of_memory(void **unused) {
    (void)unused;
    struct position p;
    struct scenario *scenario = load_position(three_a_side, &p);
    struct search_task task = {.game = scenario->game, .root = p.state, .budget = {.work_max = 1000}};
    assert_true(memory_runs_out(1, solve_some, &task));
    for (long n = 2; n <= 4; n++)
        assert_false(memory_runs_out(n, solve_some, &task));
    assert_int_equal(refused, 2); /* arrays and table; no fourth allocation */
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_plain_minimax),
        cmocka_unit_test(test_any_memory),
        cmocka_unit_test(test_bounds_hold_when_stopped),
        cmocka_unit_test(test_table_saves_nodes),
        cmocka_unit_test(test_same_again),
        cmocka_unit_test(test_a_win_in_one),
        cmocka_unit_test(test_rule_sets),
        cmocka_unit_test(test_large_map),
        cmocka_unit_test(test_long_games),
        cmocka_unit_test(test_time_and_stop),
        cmocka_unit_test(test_watching),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, draw_samples, drop_samples);
}
