/* SPDX-License-Identifier: MIT
 *
 * What players share: how a turn's work or time is divided among its decisions, which random numbers they
 * draw, and their messages about games that they cannot play.
 */
#include "player/common.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct turn_progress now;

static struct turn_progress progress(const void *state) {
    (void)state;
    return now;
}

static uint64_t key(const void *state) {
    (void)state;
    return 4711;
}

static long run(void *state, struct rng *r, int turns_max) {
    (void)state, (void)r, (void)turns_max;
    return 0;
}

static void hide(void *state, int side) {
    (void)state, (void)side;
}

static const struct rollout rollouts[] = {{"first", "", run}, {"second", "", run}, {0}};
static const struct game toy = {.name = "toy", .progress = progress, .key = key, .rollouts = rollouts};

static int64_t noon(void *self) {
    (void)self;
    return 12;
}

static const struct clock noon_clock = {.now_ns = noon};

static struct budget divided(struct budget budget, int taken, int time_ms, uint64_t work) {
    const struct ask ask = {.game = &toy, .taken = taken, .budget = budget};
    const struct common_options options = {.time_ms = time_ms};
    struct rng r;
    return common_task(&ask, &options, work, &r).budget;
}

static void work_is_divided(void **state) {
    (void)state;
    const struct budget none = {0};
    now = (struct turn_progress){.taken = 0, .left = 4};
    assert_int_equal(divided(none, 0, 0, 1000).work_max, 250);
    assert_int_equal(divided(none, 1, 0, 1000).work_max, 200);
    assert_int_equal(divided(none, 0, 0, 4).work_max, 1);
    assert_int_equal(divided(none, 0, 0, 3).work_max, 1); /* at least one, because 0 would mean no limit */
    assert_int_equal(divided(none, 0, 0, 0).work_max, 0);
    assert_int_equal(divided(none, 0, 0, 1000).time_ns_max, 0);
    now.taken = 6; /* the state's count, where it exceeds what the player has seen */
    assert_int_equal(divided(none, 1, 0, 1000).work_max, 100);
    assert_int_equal(divided(none, 16, 0, 1000).work_max, 50);
    now = (struct turn_progress){0};
    assert_int_equal(divided(none, 0, 0, 1000).work_max, 1000);
}

static void time_is_divided(void **state) {
    (void)state;
    const struct budget timed = {.clock = &noon_clock};
    now = (struct turn_progress){.taken = 1, .left = 3};
    assert_int_equal(divided(timed, 0, 100, 1000).time_ns_max, 25000000);
    assert_int_equal(divided(timed, 0, 100, 1000).work_max, 0);
    assert_int_equal(divided(timed, 0, 0, 1000).time_ns_max, 0);
    assert_int_equal(divided(timed, 0, 0, 1000).work_max, 250);
    const struct budget none = {0}; /* without a clock there is no time */
    assert_int_equal(divided(none, 0, 100, 1000).time_ns_max, 0);
    assert_int_equal(divided(none, 0, 100, 1000).work_max, 250);
}

/* A limit of the question takes precedence over the player's own options. */
static void budgets_of_a_decision_stay(void **state) {
    (void)state;
    now = (struct turn_progress){.taken = 1, .left = 3};
    const struct budget work = {.work_max = 1, .clock = &noon_clock},
                        time = {.time_ns_max = 1, .clock = &noon_clock};
    assert_int_equal(divided(work, 0, 100, 1000).work_max, 1);
    assert_int_equal(divided(work, 0, 100, 1000).time_ns_max, 0);
    assert_int_equal(divided(time, 0, 100, 1000).work_max, 0);
    assert_int_equal(divided(time, 0, 100, 1000).time_ns_max, 1);
}

/* ---- plans of whole turns ---- */

static struct budget planned(struct budget budget, struct ask_time time, int time_ms, uint64_t work) {
    const struct ask ask = {.game = &toy, .budget = budget, .time = time};
    const struct common_options options = {.time_ms = time_ms};
    struct rng r;
    return plan_task(&ask, &options, work, &r).budget;
}

/* A plan is for all that is left of the turn. */
static void plans_get_the_rest_of_a_turn(void **state) {
    (void)state;
    const struct budget none = {0}, timed = {.clock = &noon_clock};
    const struct ask_time no_limit = {0};
    now = (struct turn_progress){.taken = 1, .left = 3};
    assert_int_equal(planned(none, no_limit, 0, 1000).work_max, 750);
    assert_int_equal(planned(none, no_limit, 0, 1).work_max, 1);
    assert_int_equal(planned(none, no_limit, 0, 0).work_max, 0);
    assert_int_equal(planned(timed, no_limit, 100, 1000).time_ns_max, 75000000);
    assert_int_equal(planned(timed, no_limit, 100, 1000).work_max, 0);
    const struct budget work = {.work_max = 7}, time = {.time_ns_max = 8, .clock = &noon_clock};
    assert_int_equal(planned(work, no_limit, 0, 1000).work_max, 7);
    assert_int_equal(planned(time, no_limit, 100, 1000).time_ns_max, 8);
    assert_int_equal(planned(time, no_limit, 100, 1000).work_max, 0);
    now = (struct turn_progress){.taken = 3, .left = 0};
    assert_int_equal(planned(none, no_limit, 0, 900).work_max, 300);
    now = (struct turn_progress){.taken = 1, .left = 1};
    assert_int_equal(planned(none, no_limit, 0, 900).work_max, 450);
}

/* A clock of the whole game gives the shares of all decisions; one of each decision gives one. */
static void plans_get_the_shares_of_a_turn(void **state) {
    (void)state;
    const struct budget budget = {.deadline_ns = 1000, .clock = &noon_clock}, none = {.clock = &noon_clock};
    const struct ask_time enough = {.limit_ns = 30, .share_ns = 10}, less = {.limit_ns = 29, .share_ns = 10};
    now = (struct turn_progress){.taken = 1, .left = 3};
    assert_int_equal(planned(budget, enough, 0, 5).deadline_ns, 1020);
    assert_int_equal(planned(budget, less, 0, 5).deadline_ns, 1000);
    assert_int_equal(planned(none, enough, 0, 5).deadline_ns, 0);
    now.left = 2;
    assert_int_equal(planned(budget, enough, 0, 5).deadline_ns, 1010);
    now.left = 1;
    assert_int_equal(planned(budget, enough, 0, 5).deadline_ns, 1000);
    now.left = 0;
    assert_int_equal(planned(budget, enough, 0, 5).deadline_ns, 1000);
}

static void a_seed_of_its_own_belongs_to_the_position(void **state) {
    (void)state;
    struct rng games, own, expected;
    rng_seed(&games, 1);
    rng_seed(&own, 2);
    struct thoughts thoughts = {0};
    const struct watch watch = {0};
    const int view = 0;
    const struct ask ask = {
        .game = &toy, .view = &view, .rng = &games, .thoughts = &thoughts, .watch = &watch};
    const struct common_options without = {0}, with = {.seed = 9};
    struct search_task task = common_task(&ask, &without, 5, &own);
    assert_ptr_equal(task.rng, &games);
    assert_ptr_equal(task.game, &toy);
    assert_ptr_equal(task.root, &view);
    assert_ptr_equal(task.thoughts, &thoughts);
    assert_ptr_equal(task.watch, &watch);
    task = common_task(&ask, &with, 5, &own);
    assert_ptr_equal(task.rng, &own);
    rng_seed_stream(&expected, 9, 4711);
    assert_int_equal(rng_next(&own), rng_next(&expected));
}

static void answers_are_copied(void **state) {
    (void)state;
    const struct search_result result = {.chosen = 3, .value = 0.5, .work = 7, .nodes = 8, .leaves = 9};
    struct answer answer = {0};
    common_answer(&result, &answer);
    assert_int_equal(answer.chosen, 3);
    assert_true(answer.value >= 0.5 && answer.value <= 0.5);
    assert_int_equal(answer.work_done, 7);
    assert_int_equal(answer.leaves, 9);
}

static void games_that_lack_something_are_named(void **state) {
    (void)state;
    struct err e = {{0}};
    struct game other = toy;
    assert_ptr_equal(common_rollout("p", &toy, "", &e), &rollouts[0]);
    assert_ptr_equal(common_rollout("p", &toy, "second", &e), &rollouts[1]);
    assert_null(common_rollout("p", &toy, "third", &e));
    assert_string_equal(e.text, "p: policy=third is unknown; 'senjutsu games toy' lists the playouts");
    other.rollouts = &rollouts[2];
    assert_null(common_rollout("p", &other, "", &e));
    assert_string_equal(e.text, "p needs playouts, and toy has none");
    e.text[0] = '\0';
    other.rollouts = NULL;
    assert_null(common_rollout("p", &other, "first", &e));
    assert_string_equal(e.text, "p needs playouts, and toy has none");
    other.hide = hide;
    assert_null(player_open("dlmc", &other, &e));
    assert_string_equal(e.text,
                        "dlmc needs a game in which nothing is hidden; toy hides something: use ismcts or "
                        "pimc");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_divided),
        cmocka_unit_test(time_is_divided),
        cmocka_unit_test(budgets_of_a_decision_stay),
        cmocka_unit_test(plans_get_the_rest_of_a_turn),
        cmocka_unit_test(plans_get_the_shares_of_a_turn),
        cmocka_unit_test(a_seed_of_its_own_belongs_to_the_position),
        cmocka_unit_test(answers_are_copied),
        cmocka_unit_test(games_that_lack_something_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
