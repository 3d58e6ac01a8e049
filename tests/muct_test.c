/* SPDX-License-Identifier: MIT
 *
 * `muct` is the platform's M-UCT: its list-order effects, its playout, and, where the platform's vectors are
 * there, whole games bit by bit with the generator the platform used (.NET's seeded subtractive one, which
 * only this test needs).
 */
#include "base/numbers.h"
#include "game/tbs/core.h"
#include "game/tbs/tbs.h"
#include "golden_support.h"
#include "match/batch.h"
#include "own_maps.h"
#include "player_support.h"
#include "sample.h"
#include "search/tree.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

enum { CHILDREN_MAX = 4096 };

static const struct tree_memory small_storage = {.memory_bytes = 4 << 20, .trees = 1};

/* The player's own settings, spelt out again. */
static struct tree_settings settings_of(const struct game *model) {
    return (struct tree_settings){.c = 0.15,
                                  .expand = 11,
                                  .rollout = &model->rollouts[0],
                                  .root_total = true,
                                  .cooperative = true,
                                  .choice = TREE_CHOOSE_MEAN};
}

/* ---- the platform's generator ---- */

/* .NET's Random: Knuth's subtractive generator, as its documentation describes it. */
struct dotnet {
    int32_t seeds[56];
    int next, next_p;
};

static int32_t wrap(int32_t x) {
    return x < 0 ? x + INT32_MAX : x;
}

static void dotnet_seed(struct dotnet *d, int32_t seed) {
    int32_t mj = 161803398 - (seed < 0 ? -seed : seed), mk = 1;
    *d = (struct dotnet){.next = 0, .next_p = 21};
    d->seeds[55] = mj;
    for (int i = 1; i < 55; i++) {
        const int ii = 21 * i % 55;
        d->seeds[ii] = mk;
        mk = wrap(mj - mk);
        mj = d->seeds[ii];
    }
    for (int k = 1; k < 5; k++)
        for (int i = 1; i < 56; i++)
            d->seeds[i] = wrap((int32_t)((uint32_t)d->seeds[i] - (uint32_t)d->seeds[1 + (i + 30) % 55]));
}

static int32_t dotnet_next(struct dotnet *d) {
    d->next = d->next == 55 ? 1 : d->next + 1;
    d->next_p = d->next_p == 55 ? 1 : d->next_p + 1;
    int32_t value = d->seeds[d->next] - d->seeds[d->next_p];
    if (value == INT32_MAX)
        value--;
    value = wrap(value);
    d->seeds[d->next] = value;
    return value;
}

static double dotnet_unit(struct dotnet *d) {
    return dotnet_next(d) * (1.0 / INT32_MAX);
}

static int dotnet_below(struct dotnet *d, int n) {
    return (int)(dotnet_unit(d) * n);
}

/* ---- M-UCT's playout once more, from the description, with that generator ---- */

static struct dotnet master; /* seeds one generator a playout, as the platform's vectors were made */

static int list_of(const void *state, int side, enum tbs_attacks which, bool moves, action *out) {
    const struct tbs_core *c = core_of(state);
    int count = 0;
    for (int slot = 0; slot < c->scenario->slots[side]; slot++) {
        int attacks;
        if ((c->ready[side] >> slot & 1) == 0)
            continue;
        const int all = core_slot_actions(state, side, slot, which, out + count, &attacks);
        count += moves ? all : attacks;
    }
    return count;
}

static void play_unit(void *state, int side, struct dotnet *d) {
    static action list[CHILDREN_MAX];
    struct tbs_core *c = state;
    if (dotnet_unit(d) >= 0.2) {
        const int attacks = list_of(state, side, TBS_ATTACKS_ALL, false, list);
        if (attacks > 0) {
            core_act(state, list[dotnet_below(d, attacks)], c->scenario->wide);
            return;
        }
    }
    int n = dotnet_below(d, bits_count(c->ready[side])), slot = 0, unused;
    while ((c->ready[side] >> slot & 1) == 0 || n-- > 0)
        slot++;
    const int count = core_slot_actions(state, side, slot, TBS_ATTACKS_DAMAGE, list, &unused);
    core_act(state, list[dotnet_below(d, count)], c->scenario->wide);
}

static long dotnet_playout(void *state, struct rng *r, int turns_max) {
    (void)r;
    (void)turns_max;
    struct tbs_core *c = state;
    struct dotnet d;
    dotnet_seed(&d, dotnet_next(&master));
    const int limit = c->scenario->map.turn_limit;
    /* The model's data follow the state; the side that searches is their first byte. */
    const int own = ((const uint8_t *)state)[core_state_size(c->scenario)];
    while (c->turn < limit) {
        for (int half = 0; half < 2 && c->turn < limit; half++) {
            const int side = own ^ half;
            c->side = (uint8_t)side;
            while (c->ready[side] != 0)
                play_unit(state, side, &d);
            c->ready[side] = c->alive[side];
            c->turn++;
        }
        if (c->alive[0] == 0 || c->alive[1] == 0)
            break;
    }
    return 0;
}

/* The platform makes a generator at every expansion too and never uses it: it takes one seed off the master.
 */
static int dotnet_actions(const void *state, action *out) {
    dotnet_next(&master);
    return tbs_muct_model(&tbs_game)->actions(state, out);
}

/* ---- whole games of the platform ---- */

struct golden_game {
    struct scenario *scenario;
    struct game model;
    struct rollout rollouts[2];
    struct tree *tree;
    union search_state state, root;
    int sims[2];
};

/* Reads "turn side children totalsim chosen visits score2 depth hash | 11 ints" and compares a search with
 * it. */
static void check_decision(struct golden_game *g, const char *line) {
    int turn, side, children, total, chosen, visits, score2, depth, unit, to[2], from[2], target;
    unsigned long long hash;
    assert_int_equal(sscanf(line, "%d %d %d %d %d %d %d %d %llx | %d,%d,%d,%d,%d,%d", &turn, &side, &children,
                            &total, &chosen, &visits, &score2, &depth, &hash, &unit, &to[0], &to[1], &from[0],
                            &from[1], &target),
                     15);
    assert_int_equal(tbs_game.turn(&g->state), turn);
    assert_int_equal(tbs_game.mover(&g->state), side);
    struct rng r;
    rng_seed(&r, 1);
    tbs_muct_start(&g->root, &g->state);
    const struct search_task task = {
        .game = &g->model, .root = &g->root, .budget = {.work_max = (uint64_t)g->sims[side]}, .rng = &r};
    const struct tree_settings settings = settings_of(&g->model);
    struct search_result result;
    static struct tree_child list[CHILDREN_MAX];
    tree_search(g->tree, &task, &settings, &result);
    const int count = tree_root_children(g->tree, list, CHILDREN_MAX);
    uint64_t ours = HASH_START;
    int index = -1;
    for (int i = 0; i < count; i++) {
        char part[40];
        const int size = snprintf(part, sizeof part, "%d,%d;", list[i].visits, (int)(list[i].sum * 2));
        ours = hash_bytes(ours, part, (size_t)size);
        if (index < 0 && list[i].action == result.chosen)
            index = i;
    }
    assert_int_equal(count, children);
    assert_int_equal(result.work, total);
    assert_int_equal(index, chosen);
    assert_int_equal(list[index].visits, visits);
    assert_int_equal(list[index].sum * 2, score2);
    assert_int_equal(tree_depth(g->tree), depth);
    assert_true(ours == hash);
    assert_int_equal(result.chosen, tbs_action(unit, to[0], to[1], target));
    tbs_game.play(&g->state, result.chosen, NULL);
}

static void check_game(const char *file, const char *map, int seed, int red_sims, int blue_sims) {
    struct golden_game g = {.sims = {red_sims, blue_sims}};
    struct text text = {0};
    struct err e;
    golden_load("golden/tbs", file, &text);
    g.scenario = golden_scenario(&tbs_game, map);
    g.model = *tbs_muct_model(&tbs_game);
    g.rollouts[0] = (struct rollout){"dotnet", "the platform's", dotnet_playout};
    g.model.rollouts = g.rollouts;
    g.model.actions = dotnet_actions;
    g.tree = tree_open(&g.model, &small_storage, &e);
    assert_non_null(g.tree);
    tbs_game.start(&g.state, g.scenario, NULL);
    dotnet_seed(&master, seed);
    int decisions = 0;
    bool ended = false;
    for (char *at = text.data, *line; (line = golden_line(&at)) != NULL;) {
        if (line[0] >= '0' && line[0] <= '9') {
            check_decision(&g, line);
            decisions++;
        }
        ended = ended || strncmp(line, "END", 3) == 0;
    }
    assert_true(decisions >= 6);
    if (ended) /* one file stops in the middle of its game */
        assert_int_equal(tbs_game.mover(&g.state), NOBODY);
    tree_close(g.tree);
    game_unload(g.scenario);
    text_done(&text);
}

static void games_are_the_platforms(void **state) {
    (void)state;
    if (!golden_is_there())
        skip();
    check_game("muct_block_A1_300_300_s8.txt", "block_A1.tbsmap", 8, 300, 300);
    check_game("muct_map01_250_10_s1.txt", "map01.tbsmap", 1, 250, 10);
    check_game("muct_map04_60_30_s7.txt", "map04.tbsmap", 7, 60, 30);
}

/* ---- the playout's distribution ---- */

/* The mean of many playouts behind one root action. */
static double mean_score(const struct game *model, const void *root, action first, int playouts) {
    struct rng r;
    double sum = 0;
    rng_seed(&r, first);
    for (int i = 0; i < playouts; i++) {
        union search_state state;
        search_copy(model, &state, root);
        model->play(&state, first, NULL);
        model->rollouts[0].run(&state, &r, 0);
        sum += model->payoff(&state, 0);
    }
    return sum / playouts;
}

/* Scores are 0, 1/2 and 1, so p(1-p) is the most their variance can be. */
static double deviation(double golden, int golden_playouts, double ours, int playouts) {
    const double p = fmin(fmax((golden + ours) / 2, 0.02), 0.98);
    return (golden - ours) / sqrt(p * (1 - p) * (1.0 / golden_playouts + 1.0 / playouts));
}

static void check_root_values(const char *file, const char *map, int golden_playouts) {
    enum { PLAYOUTS = SAMPLE(4000, 400) };
    static action list[CHILDREN_MAX];
    struct text text = {0};
    golden_load("golden/tbs", file, &text);
    struct scenario *scenario = golden_scenario(&tbs_game, map);
    const struct game *model = tbs_muct_model(&tbs_game);
    union search_state start, root;
    tbs_game.start(&start, scenario, NULL);
    tbs_muct_start(&root, &start);
    const int count = model->actions(&root, list);
    int seen = 0;
    double squares = 0;
    for (char *at = text.data, *line; (line = golden_line(&at)) != NULL;) {
        int index;
        double golden;
        if (sscanf(line, "%d %lf |", &index, &golden) != 2)
            continue;
        assert_in_range(index, 0, count - 1);
        const double z =
            deviation(golden, golden_playouts, mean_score(model, &root, list[index], PLAYOUTS), PLAYOUTS);
        if (fabs(z) > 4.5)
            fail_msg("%s: action %d differs by %.1f standard errors", file, index, z);
        squares += z * z;
        seen++;
    }
    assert_int_equal(seen, count);
    assert_true(squares / seen < 2); /* far off 1 only if many differ a little */
    game_unload(scenario);
    text_done(&text);
}

static void root_values_are_the_platforms(void **state) {
    (void)state;
    if (!golden_is_there())
        skip();
    check_root_values("rootvalues_map01_red.txt", "map01.tbsmap", 200);
    check_root_values("rootvalues_map04_red.txt", "map04.tbsmap", 400);
}

/* ---- 250 simulations against 10 ---- */

static void check_rate(const char *map, int played, double platform_score, int platform_games) {
    struct scenario *scenario = golden_scenario(&tbs_game, map);
    struct scenario *const scenarios[] = {scenario};
    const struct match match = {.map_count = 1,
                                .scenarios = scenarios,
                                .players = {"muct:sims=250", "muct:sims=10"},
                                .games = played,
                                .batch.workers = 2,
                                .seed = 3};
    struct match_totals totals;
    struct err e;
    assert_true(match_run(&match, &totals, &e));
    const double z = deviation(platform_score, platform_games, tally_score(&totals.total), played);
    if (fabs(z) > 3)
        fail_msg("%s: %.3f here, %.3f there", map, tally_score(&totals.total), platform_score);
    game_unload(scenario);
}

static void more_simulations_win_as_often_as_there(void **state) {
    (void)state;
    if (!golden_is_there())
        skip();
    check_rate("map01.tbsmap", SAMPLE(20, 4), 1.0, 20);
    check_rate("map04.tbsmap", SAMPLE(80, 8), 0.95, 80); /* 72 won, 8 drawn, 0 lost */
}

/* ---- properties from the description ---- */

/* Returns how many nodes the search made. */
static uint64_t search_once(const struct scenario *scenario, int sims, struct tree_child *list, int *count) {
    const struct game *model = tbs_muct_model(scenario->game);
    union search_state start, root;
    struct err e;
    struct rng r;
    struct search_result result;
    rng_seed(&r, 11);
    scenario->game->start(&start, scenario, NULL);
    tbs_muct_start(&root, &start);
    struct tree *tree = tree_open(model, &small_storage, &e);
    const struct tree_settings settings = settings_of(model);
    const struct search_task task = {
        .game = model, .root = &root, .budget = {.work_max = (uint64_t)sims}, .rng = &r};
    tree_search(tree, &task, &settings, &result);
    *count = tree_root_children(tree, list, CHILDREN_MAX);
    tree_close(tree);
    return result.nodes;
}

static void few_simulations_try_the_first_actions_only(void **state) {
    (void)state;
    static const char *const maps[] = {"standard", "standard8", "skirmish_open", "duel", "battle16"};
    static struct tree_child list[TBS_SIDE_UNITS_MAX * TBS_UNIT_ACTIONS_MAX];
    for (size_t m = 0; m < sizeof maps / sizeof maps[0]; m++) {
        struct scenario *scenario = own_map(maps[m]);
        int count;
        search_once(scenario, 10, list, &count);
        assert_true(count > 10);
        for (int i = 0; i < count; i++)
            assert_int_equal(list[i].visits, i < 10 ? 1 : 0);
        /* And the player plays one of them, whatever its luck. */
        struct position p = {.scenario = scenario};
        scenario->game->start(p.state, scenario, NULL);
        struct player *player = open_player("muct:sims=10", scenario->game);
        for (uint64_t seed = 0; seed < 20; seed++) {
            const action chosen = ask_player(player, &p, seed, NULL).chosen;
            int at = 0;
            while (at < 10 && list[at].action != chosen)
                at++;
            assert_true(at < 10);
        }
        player_close(player);
        game_unload(scenario);
    }
}

static int most_visits(const struct tree_child *list, int count) {
    int most = 0;
    for (int i = 0; i < count; i++)
        most = list[i].visits > most ? list[i].visits : most;
    return most;
}

/* A child gets children of its own when it is selected for the twelfth time, not before. */
static void nodes_grow_at_the_twelfth_visit(void **state) {
    (void)state;
    struct scenario *scenario = own_map("duel");
    static struct tree_child list[CHILDREN_MAX];
    int count = 0, sims = 12;
    while (search_once(scenario, sims, list, &count) == (uint64_t)count)
        sims++;
    assert_int_equal(most_visits(list, count), 12);
    search_once(scenario, sims - 1, list, &count);
    assert_int_equal(most_visits(list, count), 11);
    game_unload(scenario);
}

/* The small path's playout, the plain one and the wide path's choose the same from the same numbers. */
static void playouts_are_one(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 77);
    for (int i = 0; i < SAMPLE(300, 60); i++) {
        struct tbs_map map;
        draw_map(&r, &map);
        struct scenario *small = make_scenario(&map, TBS_PATH_SMALL),
                        *wide = make_scenario(&map, TBS_PATH_WIDE);
        struct position p, q;
        const int steps = (int)rng_below(&r, 20);
        struct rng walk_small = r, walk_wide = r;
        if (walk(&p, small, steps, &walk_small) && walk(&q, wide, steps, &walk_wide)) {
            const struct game *models[3] = {tbs_muct_model(&tbs_game), tbs_muct_model(&tbs_game),
                                            tbs_muct_model(&tbs_wide_game)};
            long played[3];
            double scores[3];
            struct rng after[3];
            for (int k = 0; k < 3; k++) {
                union search_state s;
                tbs_muct_start(&s, k < 2 ? p.state : q.state);
                after[k] = r;
                played[k] = models[k]->rollouts[k == 1].run(&s, &after[k], 0);
                scores[k] = models[k]->payoff(&s, 0);
            }
            for (int k = 1; k < 3; k++) {
                assert_int_equal(played[k], played[0]);
                assert_true(fabs(scores[k] - scores[0]) < 1e-12);
                assert_memory_equal(&after[k], &after[0], sizeof after[0]);
            }
        }
        rng_next(&r);
        game_unload(small);
        game_unload(wide);
    }
}

/* ---- main ---- */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_are_the_platforms),
        cmocka_unit_test(root_values_are_the_platforms),
        cmocka_unit_test(more_simulations_win_as_often_as_there),
        cmocka_unit_test(few_simulations_try_the_first_actions_only),
        cmocka_unit_test(nodes_grow_at_the_twelfth_visit),
        cmocka_unit_test(playouts_are_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
