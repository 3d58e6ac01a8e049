/* SPDX-License-Identifier: MIT
 *
 * The answers of `uct` and `pwuct`: they depend on the question alone, not on earlier questions, the table or
 * the number of threads; their thoughts; that pwuct tries attacks first and as many actions as in the paper;
 * and that they find wins.
 */
#include "search/solve.h"
#include "search/tree.h"
#include "sample.h"
#include "uct_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

enum { ACTIONS_MAX = 1 << 15, POSITIONS = 24, REPEATED = SAMPLE(POSITIONS, 6) };

static const char *const specs[] = {
    "uct:sims=300,memory=2",
    "uct:sims=300,memory=2,threads=2",
    "uct:sims=300,memory=2,threads=3",
    "uct:sims=300,memory=2,choose=visits",
    "uct:sims=200,memory=2,horizon=1,cut=loss",
    "pwuct:sims=300,memory=2",
    "pwuct:sims=300,memory=2,threads=2",
};
enum { SPECS = sizeof specs / sizeof specs[0] };

/* The same random positions on both tables. */
struct pair {
    struct scenario *scenarios[2];
    struct position positions[2];
};

static struct pair pairs[POSITIONS];

static int make_pairs(void **state) {
    (void)state;
    for (uint64_t seed = 1, count = 0; count < POSITIONS; seed++) {
        struct pair *pair = &pairs[count];
        struct tbs_map map;
        struct rng r, again;
        rng_seed(&r, seed);
        draw_map(&r, &map);
        const int steps = (int)rng_below(&r, 25);
        again = r;
        pair->scenarios[0] = make_scenario(&map, TBS_PATH_SMALL);
        pair->scenarios[1] = make_scenario(&map, TBS_PATH_WIDE);
        const bool running = walk(&pair->positions[0], pair->scenarios[0], steps, &r);
        assert_int_equal(walk(&pair->positions[1], pair->scenarios[1], steps, &again), running);
        count += running;
        for (int k = 0; k < 2 && !running; k++)
            game_unload(pair->scenarios[k]);
    }
    return 0;
}

static int free_pairs(void **state) {
    (void)state;
    for (int i = 0; i < POSITIONS; i++)
        for (int k = 0; k < 2; k++)
            game_unload(pairs[i].scenarios[k]);
    return 0;
}

/* ---- the same to the same ask ---- */

static void answers_are_repeatable(void **state) {
    (void)state;
    static struct thoughts first[POSITIONS], again;
    struct answer answers[POSITIONS];
    for (int s = 0; s < SPECS; s++) {
        for (int table = 0; table < 2; table++) {
            struct player *player = open_player(specs[s], table == 0 ? &tbs_game : &tbs_wide_game);
            for (int i = 0; i < REPEATED; i++) {
                const struct question q = {.seed = (uint64_t)i, .thoughts = table == 0 ? &first[i] : &again};
                const struct answer answer = ask_question(player, &pairs[i].positions[table], &q);
                if (table == 0)
                    answers[i] = answer;
                assert_true(same_answer(&answer, &answers[i]));
                assert_same_thoughts(q.thoughts, &first[i]);
            }
            for (int i = REPEATED - 1; i >= 0; i--) { /* after others in between, too */
                const struct question q = {.seed = (uint64_t)i, .thoughts = &again};
                const struct answer answer = ask_question(player, &pairs[i].positions[table], &q);
                assert_true(same_answer(&answer, &answers[i]));
                assert_same_thoughts(&again, &first[i]);
            }
            player_close(player);
        }
    }
}

/* Asks with the stream that is determined by a seed and the position. */
static struct answer ask_stream(struct player *player, const struct position *p, uint64_t seed) {
    struct rng r;
    struct answer answer;
    rng_seed_stream(&r, seed, p->scenario->game->key(p->state));
    player_choose_in(player, &(struct ask){.game = p->scenario->game, .view = p->state, .rng = &r}, &answer);
    return answer;
}

/* An own seed: the game's stream is neither used nor moved. Without one the stream matters. */
static void an_own_seed_makes_independent(void **state) {
    (void)state;
    struct player *own = open_player("uct:sims=300,seed=5", &tbs_game),
                  *other = open_player("uct:sims=300,seed=6", &tbs_game),
                  *without = open_player("uct:sims=300", &tbs_game);
    int other_seeds = 0, other_streams = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct position *p = &pairs[i].positions[0];
        struct rng before, after;
        rng_seed(&before, 1);
        const struct answer first = ask_player(own, p, 1, &after), second = ask_player(own, p, 2, NULL);
        assert_memory_equal(&before, &after, sizeof after);
        assert_true(same_answer(&first, &second));
        const struct answer stream =
            ask_stream(without, p, 5); /* which stream it is depends on the position */
        assert_true(same_answer(&first, &stream));
        const struct answer third = ask_player(other, p, 1, NULL);
        other_seeds += !same_answer(&first, &third);
        const struct answer stream1 = ask_player(without, p, 1, &after),
                            stream2 = ask_player(without, p, 2, NULL);
        assert_memory_not_equal(&before, &after, sizeof after);
        other_streams += !same_answer(&stream1, &stream2);
    }
    assert_true(other_seeds > POSITIONS / 2);
    assert_true(other_streams > POSITIONS / 2);
    player_close(own);
    player_close(other);
    player_close(without);
}

static void threads_share_the_simulations(void **state) {
    (void)state;
    static const int sims[] = {3, 4, 5, 100, 301};
    struct thoughts t = {0};
    for (int threads = 1; threads <= 3; threads++) {
        char spec[40];
        snprintf(spec, sizeof spec, "uct:memory=2,threads=%d", threads);
        struct player *player = open_player(spec, &tbs_game);
        for (int i = 0; i < POSITIONS; i++) {
            const uint64_t work = (uint64_t)sims[i % 5];
            const struct question q = {.budget = {.work_max = work}, .thoughts = &t};
            assert_int_equal(ask_question(player, &pairs[i].positions[0], &q).work_done, work);
            assert_int_equal(t.simulations, work);
            if (t.total <= THOUGHTS_MAX)
                assert_int_equal(sum_of_visits(&t), work);
        }
        player_close(player);
    }
}

/* ---- thoughts ---- */

static void check_line(const struct position *p, const struct thought *c) {
    const struct game *game = p->scenario->game;
    struct position at = *p;
    assert_in_range(c->line_count, 1, THOUGHTS_LINE_MAX);
    assert_int_equal(c->line[0], c->action);
    for (int i = 0; i < c->line_count; i++) {
        assert_true(game->mover(at.state) != NOBODY);
        assert_true(game->is_legal(at.state, c->line[i]));
        game->play(at.state, c->line[i], NULL);
    }
}

static void check_thoughts(const struct position *p, const struct thoughts *t, const struct answer *answer,
                           bool by_visits) {
    static action list[ACTIONS_MAX];
    bool found = false;
    int longest = 0;
    assert_int_equal(t->total, p->scenario->game->actions(p->state, list));
    assert_in_range(t->count, 1, t->total < THOUGHTS_MAX ? t->total : THOUGHTS_MAX);
    for (int i = 0; i < t->count; i++) {
        const struct thought *c = &t->candidates[i], *next = c + 1;
        check_line(p, c);
        assert_true(c->visits > 0);
        assert_true(c->value >= 0 && c->value <= 1);
        if (i + 1 < t->count)
            assert_true(by_visits ? c->visits >= next->visits : c->value >= next->value);
        found = found || (c->action == answer->chosen && same_number(c->value, answer->value));
        longest = c->line_count > longest ? c->line_count : longest;
    }
    assert_true(found);
    if (t->candidates[0].value < 1) /* among sure wins the soonest is played */
        assert_true(by_visits ? t->candidates[0].action == answer->chosen
                              : same_number(t->candidates[0].value, answer->value));
    assert_int_equal(t->simulations, answer->work_done);
    assert_true(t->nodes >= (uint64_t)t->total);
    assert_true(longest <= t->depth || longest == THOUGHTS_LINE_MAX);
}

static void thoughts_are_in_order_and_legal(void **state) {
    (void)state;
    struct thoughts t = {0};
    for (int s = 0; s < SPECS; s++) {
        struct player *player = open_player(specs[s], &tbs_game);
        const bool by_visits = strstr(specs[s], "visits") != NULL;
        for (int i = 0; i < REPEATED; i++) {
            const struct question q = {.budget = {.work_max = 600}, .thoughts = &t};
            const struct answer answer = ask_question(player, &pairs[i].positions[0], &q);
            check_thoughts(&pairs[i].positions[0], &t, &answer, by_visits);
        }
        player_close(player);
    }
}

struct watcher {
    int64_t now_ns, shown_ns, every_ns;
    int calls;
    uint64_t simulations;
    bool well; /* not asserted at once: a failing test must not leave a thread by a jump */
};

static void note(void *context, const struct thoughts *so_far) {
    struct watcher *w = context;
    w->well = w->well && so_far->simulations > w->simulations && so_far->simulations % 256 == 0 &&
              so_far->count > 0 && w->now_ns - w->shown_ns >= w->every_ns;
    w->simulations = so_far->simulations;
    w->shown_ns = w->now_ns;
    w->calls++;
}

/* Each reading of this clock takes a second. */
static int64_t tick(void *self) {
    struct watcher *w = self;
    return w->now_ns += 1000000000;
}

static void watchers_get_reports(void **state) {
    (void)state;
    static const struct {
        int seconds, calls_low, calls_high;
    } cases[] = {{0, 15, 15}, {1, 15, 15}, {5, 2, 3}, {100, 0, 0}};
    struct position p;
    struct scenario *scenario = load_position(uct_field, &p);
    struct player *player = open_player("uct", scenario->game);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct watcher w = {.well = true, .every_ns = (int64_t)cases[i].seconds * 1000000000};
        const struct clock clock = {.now_ns = tick, .self = &w};
        const struct watch watch = {note, &w, w.every_ns};
        struct thoughts t = {0};
        const struct question q = {
            .budget = {.work_max = 15 * 256 + 9, .clock = &clock}, .thoughts = &t, .watch = &watch};
        ask_question(player, &p, &q);
        assert_true(w.well);
        assert_in_range(w.calls, cases[i].calls_low, cases[i].calls_high);
        assert_int_equal(t.simulations, 15 * 256 + 9);
    }
    player_close(player);
    game_unload(scenario);
}

/* With several trees the first is the one that is shown. */
static void watchers_see_one_tree(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(uct_field, &p);
    struct player *player = open_player("uct:threads=3", scenario->game);
    struct watcher w = {.well = true};
    const struct clock clock = clock_manual(&w.now_ns);
    const struct watch watch = {note, &w, 0};
    struct thoughts t = {0};
    const struct question q = {
        .budget = {.work_max = 3 * (4 * 256 + 1), .clock = &clock}, .thoughts = &t, .watch = &watch};
    ask_question(player, &p, &q);
    assert_true(w.well);
    assert_int_equal(w.calls, 4);
    assert_int_equal(t.simulations, 3 * (4 * 256 + 1));
    player_close(player);
    game_unload(scenario);
}

/* ---- widening ---- */

static bool is_attack(action a) {
    return tbs_action_target(a) != TBS_NO_TARGET;
}

static int attacks_among(const action *list, int count) {
    int attacks = 0;
    for (int i = 0; i < count; i++)
        attacks += is_attack(list[i]);
    return attacks;
}

/* The formula gives the number of tried actions, and moves come only after all attacks. */
static void widening_opens_attacks_first(void **state) {
    (void)state;
    static const int sims[] = {1, 39, 40, 55, 56, 300, 1500, 3000, 3152, 6000};
    static action list[ACTIONS_MAX];
    struct player *player = open_player("pwuct:memory=4", &tbs_game);
    int few = 0, both = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct position *p = &pairs[i].positions[0];
        const int count = tbs_game.actions(p->state, list), attacks = attacks_among(list, count);
        const int n = sims[i % 10];
        const int formula = widening_count(widening_paper, WIDENING_PAPER_SWITCH, n);
        const int open = formula < count ? formula : count;
        struct thoughts t = {0};
        ask_question(player, p, &(struct question){.budget = {.work_max = (uint64_t)n}, .thoughts = &t});
        assert_int_equal(t.count, open);
        int tried = 0;
        for (int k = 0; k < t.count; k++)
            tried += is_attack(t.candidates[k].action);
        assert_int_equal(tried, attacks < open ? attacks : open);
        few += open <= attacks;
        both += tried > 0 && tried < open;
    }
    assert_true(few > 2 && both > 2); /* so both cases were met */
    player_close(player);
}

/* Without widening every attack is tried once before any move is. */
static void attacks_come_first_where_asked(void **state) {
    (void)state;
    static action list[ACTIONS_MAX];
    struct player *player = open_player("uct:memory=4,first=attacks", &tbs_game),
                  *any = open_player("uct:memory=4", &tbs_game);
    int moves_of_any = 0, seen = 0;
    for (int i = 0; i < POSITIONS; i++) {
        const struct position *p = &pairs[i].positions[0];
        const int count = tbs_game.actions(p->state, list), attacks = attacks_among(list, count);
        struct thoughts t = {0};
        const struct question q = {.budget = {.work_max = (uint64_t)attacks}, .thoughts = &t};
        if (attacks == 0 || attacks > THOUGHTS_MAX)
            continue;
        seen++;
        ask_question(player, p, &q);
        assert_int_equal(t.count, attacks);
        for (int k = 0; k < t.count; k++)
            assert_true(is_attack(t.candidates[k].action) && t.candidates[k].visits == 1);
        ask_question(any, p, &q);
        for (int k = 0; k < t.count; k++)
            moves_of_any += !is_attack(t.candidates[k].action);
    }
    assert_true(seen > 5 && moves_of_any > 0);
    player_close(player);
    player_close(any);
}

/* ---- wins ---- */

enum verdict { NOT_KNOWN, WON, NOT_WON };

/* For `side`, by exact solving, if that is quickly done. */
static enum verdict judge(const struct game *game, const void *state, int side) {
    const struct search_task task = {.game = game, .root = state, .budget = {.work_max = 3000}};
    const struct solve_settings settings = {.memory_bytes = 1 << 14, .wdl_only = true};
    struct solution solution;
    struct err e;
    if (game->mover(state) == NOBODY)
        return game->payoff(state, side) > 0.75 ? WON : NOT_WON;
    assert_true(solve(&task, &settings, &solution, &e));
    const bool own = game->mover(state) == side;
    const double low = own ? solution.low : 1 - solution.high, high = own ? solution.high : 1 - solution.low;
    return low > 0.75 ? WON : high < 0.75 ? NOT_WON : NOT_KNOWN;
}

/* Is exactly one of at least six actions a proved win, and are the others not? */
static bool has_only_win(const struct position *p, action *win) {
    static action list[ACTIONS_MAX];
    const struct game *game = p->scenario->game;
    const int side = game->mover(p->state), count = game->actions(p->state, list);
    int wins = 0;
    *win = list[0];
    if (count < 6 || judge(game, p->state, side) != WON)
        return false;
    for (int i = 0; i < count; i++) {
        union search_state next;
        search_copy(game, &next, p->state);
        game->play(&next, list[i], NULL);
        const enum verdict verdict = judge(game, &next, side);
        if (verdict == WON)
            *win = list[i];
        wins += verdict == WON;
        if (verdict == NOT_KNOWN || wins > 1)
            return false;
    }
    return wins == 1;
}

/* A position shortly before the end. */
static bool draw_late(struct rng *r, struct position *p, struct scenario **scenario) {
    struct tbs_map map;
    draw_map(r, &map);
    map.turn_limit = 2 + (int)rng_below(r, 3);
    *scenario = make_scenario(&map, TBS_PATH_SMALL);
    return walk(p, *scenario, (int)rng_below(r, 4), r);
}

static bool wins_at_once(const struct position *p, action a) {
    const struct game *game = p->scenario->game;
    union search_state next;
    search_copy(game, &next, p->state);
    game->play(&next, a, NULL);
    return game->mover(&next) == NOBODY && game->payoff(&next, game->mover(p->state)) > 0.75;
}

static void wins_are_not_put_off(void **state) {
    (void)state;
    static action list[ACTIONS_MAX];
    struct player *players[2] = {open_player("uct:memory=8", &tbs_game),
                                 open_player("uct:memory=8,choose=visits", &tbs_game)};
    int seen = 0;
    for (uint64_t seed = 1; seen < SAMPLE(20, 6); seed++) {
        struct position p;
        struct scenario *scenario;
        struct rng r;
        rng_seed(&r, seed);
        if (draw_late(&r, &p, &scenario)) {
            const int count = tbs_game.actions(p.state, list);
            int wins = 0;
            for (int i = 0; i < count; i++)
                wins += wins_at_once(&p, list[i]);
            const struct question q = {.budget = {.work_max = 1000}, .seed = seed};
            for (int k = 0; k < 2 && wins > 0 && wins < count / 2; k++)
                assert_true(wins_at_once(&p, ask_question(players[k], &p, &q).chosen));
            seen += wins > 0 && wins < count / 2;
        }
        game_unload(scenario);
    }
    player_close(players[0]);
    player_close(players[1]);
}

static int count_of(const struct position *p) {
    static action list[ACTIONS_MAX];
    return p->scenario->game->actions(p->state, list);
}

static void only_wins_are_found(void **state) {
    (void)state;
    enum { WANTED = SAMPLE(32, 1) };
    struct player *players[2] = {open_player("uct:memory=8", &tbs_game),
                                 open_player("pwuct:memory=8", &tbs_game)};
    int positions = 0, found[2] = {0};
    double by_chance = 0;
    for (uint64_t seed = 1; positions < WANTED; seed++) {
        struct position p;
        struct scenario *scenario;
        struct rng r;
        action win;
        rng_seed(&r, seed);
        if (draw_late(&r, &p, &scenario) && has_only_win(&p, &win)) {
            const struct question q = {.budget = {.work_max = 6000}, .seed = seed};
            positions++;
            by_chance += 1.0 / count_of(&p);
            for (int k = 0; k < 2; k++)
                found[k] += ask_question(players[k], &p, &q).chosen == win;
        }
        game_unload(scenario);
    }
    assert_true(by_chance < WANTED / 8.0); /* so these are no easy guesses */
    assert_true(found[0] >= WANTED * 9 / 10);
    assert_true(found[1] >= WANTED * 8 / 10);
    player_close(players[0]);
    player_close(players[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_repeatable),        cmocka_unit_test(an_own_seed_makes_independent),
        cmocka_unit_test(threads_share_the_simulations), cmocka_unit_test(thoughts_are_in_order_and_legal),
        cmocka_unit_test(watchers_get_reports),          cmocka_unit_test(watchers_see_one_tree),
        cmocka_unit_test(widening_opens_attacks_first),  cmocka_unit_test(attacks_come_first_where_asked),
        cmocka_unit_test(wins_are_not_put_off),          cmocka_unit_test(only_wins_are_found),
    };
    return cmocka_run_group_tests(tests, make_pairs, free_pairs);
}
