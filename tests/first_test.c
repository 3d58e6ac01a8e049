/* SPDX-License-Identifier: MIT
 *
 * `first`, which changes players after some turns, and the specs of players made of players.
 */
#include "base/mem.h"
#include "player_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static void assert_same(const struct answer *x, const struct answer *y) {
    assert_int_equal(x->chosen, y->chosen);
    assert_int_equal(x->work_done, y->work_done);
    assert_memory_equal(&x->value, &y->value, sizeof x->value);
}

/* A whole game: each answer is that of the player whose turn it is. */
static void play_compared(const struct tbs_map *map, int asked[2]) {
    struct scenario *scenario = make_scenario(map, TBS_PATH_AUTO);
    const struct game *game = scenario->game;
    struct player *both = open_player("first:player=random,then=[acteval:style=sample],turns=2", game);
    struct player *opening = open_player("random", game), *rest = open_player("acteval:style=sample", game);
    struct position p;
    struct rng r;
    rng_seed(&r, 1);
    for (bool goes_on = walk(&p, scenario, 0, &r); goes_on; goes_on = game->mover(p.state) != NOBODY) {
        const bool opens = game->turn(p.state) < 4;
        const struct answer x = ask_player(both, &p, 9, NULL),
                            y = ask_player(opens ? opening : rest, &p, 9, NULL);
        assert_same(&x, &y);
        asked[opens]++;
        game->play(p.state, x.chosen, NULL);
    }
    player_close(both);
    player_close(opening);
    player_close(rest);
    game_unload(scenario);
}

static void test_first_changes_players(void **unused) {
    (void)unused;
    struct rng r;
    int asked[2] = {0, 0};
    rng_seed(&r, 38);
    for (int i = 0; i < 20; i++) {
        struct tbs_map map;
        draw_map(&r, &map);
        play_compared(&map, asked);
    }
    assert_true(asked[0] > 50 && asked[1] > 50);
}

/* ---- specs and memory ---- */

static void check_canonical(const char *spec, const char *expected) {
    struct text once = {0}, twice = {0};
    struct err e = {0};
    assert_true(player_check(spec, &once, &e));
    assert_string_equal(text_string(&once), expected);
    assert_true(player_check(text_string(&once), &twice, &e));
    assert_string_equal(text_string(&twice), expected);
    text_done(&once);
    text_done(&twice);
}

static void assert_refused(const char *spec, const char *part) {
    struct err e = {0};
    assert_false(player_check(spec, NULL, &e));
    if (strstr(e.text, part) == NULL)
        fail_msg("'%s' does not say '%s'", e.text, part);
    assert_null(player_open(spec, &tbs_game, &e));
}

static void test_nested_specs(void **unused) {
    (void)unused;
    check_canonical("split:horizon=2,player=[minmax:depth=3,values=A:1,F:2]",
                    "split:player=[minmax:depth=3,values=A:1,F:2]");
    check_canonical("first:player=[split:player=[minmax:depth=2],horizon=3],then=random",
                    "first:player=[split:player=[minmax:depth=2],horizon=3],then=random");
    assert_refused("split:player=nobody", "player 'nobody' is unknown");
    assert_refused("split:player=[minmax:deep=2]", "option 'deep' is unknown");
    assert_refused("split:player=[first:then=[minmax:depth=x]]", "depth=x");
    assert_refused("first:player=nobody", "player 'nobody' is unknown");
    assert_refused("first:then=nobody,player=random", "player 'nobody' is unknown");
    assert_refused("first:turns=0", "turns=0");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_changes_players),
        cmocka_unit_test(test_nested_specs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
