/* SPDX-License-Identifier: MIT
 *
 * Thoughts: the order of candidates, what a full list retains, and that a player's thoughts and its watcher
 * reach the caller.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/mem.h"
#include "base/numbers.h"
#include "player_support.h"
#include "search/search.h"

#include <math.h>
#include <string.h>

static struct thought make(action a, double value, uint64_t visits) {
    return (struct thought){.action = a, .value = value, .visits = visits};
}

static void expect_order(const struct thoughts *t, const action *wanted, int count) {
    assert_int_equal(t->count, count);
    for (int i = 0; i < count; i++)
        assert_int_equal(t->candidates[i].action, wanted[i]);
}

/* ---- order ---- */

static void starts_empty(void **state) {
    (void)state;
    struct thoughts t = {0};
    memset(&t, 0x5A, sizeof t);
    thoughts_start(&t);
    assert_int_equal(t.count, 0);
    assert_int_equal(t.total, 0);
    assert_int_equal(t.depth, 0);
    assert_true(t.simulations == 0 && t.nodes == 0);
}

/* Actions 1 … 5 in this order; equals stay in the order they came. */
static const struct thought five[] = {
    {.action = 1, .value = 0.5, .visits = 10}, {.action = 2, .value = 0.7, .visits = 5},
    {.action = 3, .value = 0.5, .visits = 20}, {.action = 4, .value = 0.5, .visits = 10},
    {.action = 5, .value = -1, .visits = 20},
};

static void orders_by_value_then_visits(void **state) {
    (void)state;
    struct thoughts t = {0};
    thoughts_start(&t);
    for (int i = 0; i < 5; i++)
        assert_non_null(thoughts_add(&t, &five[i], false));
    expect_order(&t, (const action[]){2, 3, 1, 4, 5}, 5);
    assert_int_equal(t.total, 5);
}

static void orders_by_visits_then_value(void **state) {
    (void)state;
    struct thoughts t = {0};
    thoughts_start(&t);
    for (int i = 0; i < 5; i++)
        assert_non_null(thoughts_add(&t, &five[i], true));
    expect_order(&t, (const action[]){3, 5, 1, 4, 2}, 5);
}

static void returns_the_place_it_took(void **state) {
    (void)state;
    struct thoughts t = {0};
    thoughts_start(&t);
    for (int i = 0; i < 5; i++) {
        struct thought *added = thoughts_add(&t, &five[i], false);
        assert_int_equal(added->action, five[i].action);
        assert_int_equal(added->line_count, 0);
        added->line_count = 1;
        added->line[0] = five[i].action; /* must move along when better ones come */
    }
    for (int i = 0; i < 5; i++)
        assert_int_equal(t.candidates[i].line[0], t.candidates[i].action);
}

/* ---- a full list ---- */

static void a_full_list_drops_its_worst(void **state) {
    (void)state;
    struct thoughts t = {0};
    thoughts_start(&t);
    for (int i = 0; i < THOUGHTS_MAX; i++) {
        const struct thought c = make((action)i, i, 0);
        thoughts_add(&t, &c, false);
    }
    const struct thought worse = make(1000, -1, 9), equal = make(1001, 0, 0), better = make(1002, 0.5, 0),
                         best = make(1003, 1e9, 0);
    assert_null(thoughts_add(&t, &worse, false));
    assert_null(thoughts_add(&t, &equal, false)); /* the one that was there first stays */
    assert_int_equal(t.candidates[THOUGHTS_MAX - 1].action, 0);
    assert_ptr_equal(thoughts_add(&t, &better, false), &t.candidates[THOUGHTS_MAX - 1]);
    assert_ptr_equal(thoughts_add(&t, &best, false), &t.candidates[0]);
    assert_int_equal(t.candidates[THOUGHTS_MAX - 1].action, 1); /* 1002 fell out again */
    assert_int_equal(t.count, THOUGHTS_MAX);
    assert_int_equal(t.total, THOUGHTS_MAX + 4);
}

/* The whole contract against the plain way: each candidate's place is the number of those that are better, or
 * as good and came earlier. */
static int rank_of(const struct thought *all, int i, int count, bool by_visits) {
    int rank = 0;
    for (int j = 0; j < count; j++) {
        const double first = by_visits ? (double)all[j].visits - (double)all[i].visits
                                       : all[j].value - all[i].value,
                     second = by_visits ? all[j].value - all[i].value
                                        : (double)all[j].visits - (double)all[i].visits;
        const bool equal = !(first > 0 || first < 0 || second > 0 || second < 0);
        rank += equal ? j < i : first > 0 || (!(first < 0) && second > 0);
    }
    return rank;
}

static void random_lists_are_in_order(void **state) {
    (void)state;
    enum { MOST = 2 * THOUGHTS_MAX };
    static struct thought all[MOST];
    struct rng r;
    rng_seed(&r, 7);
    for (int round = 0; round < 200; round++) {
        struct thoughts t = {0};
        const int count = 1 + (int)rng_below(&r, MOST), room = round < 100 ? THOUGHTS_MAX : round;
        const bool by_visits = round % 2 == 1;
        thoughts_widen(&t, room);
        assert_int_equal(thoughts_room(&t), room);
        thoughts_start(&t);
        for (int i = 0; i < count; i++) {
            all[i] = make((action)i, (int)rng_below(&r, 9) - 4, rng_below(&r, 4));
            thoughts_add(&t, &all[i], by_visits);
        }
        assert_int_equal(t.total, count);
        assert_int_equal(t.count, count < room ? count : room);
        for (int i = 0; i < count; i++) {
            const int rank = rank_of(all, i, count, by_visits);
            if (rank < room)
                assert_int_equal(t.candidates[rank].action, i);
        }
        thoughts_done(&t);
    }
}

static void the_list_only_grows(void **state) {
    (void)state;
    struct thoughts t = {0};
    thoughts_widen(&t, THOUGHTS_MAX); /* that many always fit */
    assert_int_equal(t.capacity, 0);
    assert_int_equal(thoughts_room(&t), THOUGHTS_MAX);
    thoughts_widen(&t, THOUGHTS_MAX + 1);
    assert_int_equal(thoughts_room(&t), THOUGHTS_MAX + 1);
    thoughts_widen(&t, THOUGHTS_MAX);
    assert_int_equal(thoughts_room(&t), THOUGHTS_MAX + 1);
    thoughts_done(&t);
}

/* ---- from a player to its caller ---- */

struct fake {
    struct player player; /* first member */
    bool silent;
    int taken_seen;
};

static void fake_choose(struct player *player, const struct ask *ask, struct answer *out) {
    struct fake *fake = (struct fake *)player;
    action actions[TBS_UNIT_ACTIONS_MAX];
    fake->taken_seen = ask->taken;
    const int count = ask->game->actions(ask->view, actions);
    out->chosen = actions[0];
    if (fake->silent)
        return;
    for (int i = 0; i < count; i++) {
        const struct thought c = {.action = actions[i], .value = -i, .line_count = 1, .line = {actions[i]}};
        thoughts_add(ask->thoughts, &c, false);
        ask->thoughts->simulations++;
        if (ask->watch != NULL)
            ask->watch->show(ask->watch->context, ask->thoughts);
    }
}

static void count_refreshes(void *context, const struct thoughts *so_far) {
    int *refreshes = context;
    *refreshes += 1;
    assert_int_equal(so_far->total, *refreshes);
}

static void a_players_thoughts_arrive(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(
        "SIZEX[5];SIZEY[3];TURNLIMIT[8];HPTHRESHOLD[0];UNITNUMRED[1];UNITNUMBLUE[1];MAP[0,0,0,0,0];"
        "MAP[0,1,1,1,0];MAP[0,0,0,0,0];UNIT[1,1,infantry,0,10,0];UNIT[3,1,infantry,1,10,0];",
        &p);
    static const struct player_type type = {.name = "fake", .choose = fake_choose};
    struct fake fake = {.player = {&type}};
    int refreshes = 0;
    const struct watch watch = {count_refreshes, &refreshes, 0};
    struct thoughts t = {0};
    struct answer answer;
    t.count = t.total = 9; /* previous contents are removed */
    t.simulations = 9;
    const struct ask ask = {
        .game = scenario->game, .view = p.state, .taken = 3, .thoughts = &t, .watch = &watch};
    player_choose_in(&fake.player, &ask, &answer);
    assert_int_equal(fake.taken_seen, 3);
    assert_int_equal(t.total, 3); /* stay, one step, and the attack from there */
    assert_int_equal(refreshes, 3);
    assert_int_equal(t.simulations, 3);
    assert_int_equal(t.candidates[0].action, answer.chosen);
    assert_int_equal(t.candidates[0].line[0], answer.chosen);
    assert_true(isnan(answer.value)); /* a player without thoughts */
    fake.silent = true;
    player_choose_in(&fake.player, &ask, &answer);
    assert_int_equal(t.total, 0);
    assert_int_equal(t.count, 0);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty),
        cmocka_unit_test(orders_by_value_then_visits),
        cmocka_unit_test(orders_by_visits_then_value),
        cmocka_unit_test(returns_the_place_it_took),
        cmocka_unit_test(a_full_list_drops_its_worst),
        cmocka_unit_test(random_lists_are_in_order),
        cmocka_unit_test(the_list_only_grows),
        cmocka_unit_test(a_players_thoughts_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
