/* SPDX-License-Identifier: MIT
 *
 * What an engine under examination is sent before it is asked anything: the game with its options, and the
 * map or what its side sees.
 */
#include "protocol/compliance_inside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct scenario *load(const char *spec) {
    struct err e;
    struct scenario *scenario = game_load_spec(spec, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}

static void expect_opening(const char *spec, const char *newgame, const char *position) {
    struct scenario *scenario = load(spec);
    struct compliance_position p = {.scenario = scenario, .map = "start"};
    struct text first = {0}, second = {0};
    char place[80];
    rng_seed(&p.rng, 1);
    scenario->game->start(p.state, scenario, &p.rng);
    compliance_opening(&p, "\r\n", &first, &second);
    assert_string_equal(text_string(&first), newgame);
    assert_string_equal(text_string(&second), position);
    compliance_place(&p, place, sizeof place);
    assert_string_equal(place, "start after 0 actions");
    text_done(&first);
    text_done(&second);
    scenario->game->unload(scenario);
}

static void games_come_with_their_options(void **state) {
    (void)state;
    expect_opening("geister", "newgame geister\r\n",
                   "position board=14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u mover=first ply=setup "
                   "from=- moves=-\r\n");
    expect_opening("geister:rules=uctgeister", "newgame geister rules=uctgeister\r\n",
                   "position board=14u24u34u44u15u25u35u45u41u31u21u11u40u30u20u10u mover=first ply=setup "
                   "from=- moves=-\r\n");
    expect_opening("kuhn", "newgame kuhn\r\n", "position cards=K,? moves=-\r\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(games_come_with_their_options)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
