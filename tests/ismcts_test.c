/* SPDX-License-Identifier: MIT
 *
 * The player `ismcts`: which actions it prefers where the best one is known, that its answers repeat, and
 * what its options do.
 */
#include "player/player.h"

#include "player_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

struct table {
    struct scenario *scenario;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

static void sit_down(struct table *t, const char *spec, const char *state) {
    struct err e = {0};
    t->scenario = game_load_spec(spec, &e);
    assert_string_equal(e.text, "");
    assert_non_null(t->scenario);
    if (!t->scenario->game->text->read_state(t->state, t->scenario, state, &e))
        fail_msg("%s", e.text);
}

static void stand_up(struct table *t) {
    game_unload(t->scenario);
}

static struct player *open_it(const char *spec, const struct table *t) {
    return open_player(spec, t->scenario->game);
}

static struct answer ask(struct player *player, const struct table *t, uint64_t seed,
                         struct thoughts *thoughts) {
    const struct ask question = {.game = t->scenario->game, .view = t->state, .thoughts = thoughts};
    return ask_in(player, &question, seed);
}

/* ---- preferences ---- */

struct preference {
    const char *game, *state, *chosen;
    double value; /* 0 … 1 */
};

/* After a bet J can only lose by calling and K only win; with Q that depends. In fusion a2 brings 0.5 of
 * -1 … 1. The whole state is given: the player sees its part of it. */
static const struct preference preferences[] = {
    {"fusion", "world=x moves=-", "a2", 0.75},          {"fusion", "world=y moves=-", "a2", 0.75},
    {"kuhn", "cards=Q,J moves=bet", "pass", 0.25},      {"kuhn", "cards=K,J moves=bet", "pass", 0.25},
    {"kuhn", "cards=J,K moves=bet", "bet", 1},          {"kuhn", "cards=Q,K moves=bet", "bet", 1},
    {"kuhn", "cards=J,Q moves=pass,bet", "pass", 0.25}, {"kuhn", "cards=J,K moves=pass,bet", "pass", 0.25},
    {"kuhn", "cards=K,Q moves=pass,bet", "bet", 1},     {"kuhn", "cards=K,J moves=pass,bet", "bet", 1},
};

static void check_preference(const struct preference *p, const char *spec) {
    struct table t;
    sit_down(&t, p->game, p->state);
    struct player *player = open_it(spec, &t);
    struct text text = {0};
    const struct answer answer = ask(player, &t, 3, NULL);
    t.scenario->game->text->write_action(t.state, answer.chosen, &text);
    assert_string_equal(text_string(&text), p->chosen);
    assert_true(fabs(answer.value - p->value) < 1e-9);
    text_done(&text);
    player_close(player);
    stand_up(&t);
}

static void dominated_actions_are_not_played(void **state) {
    (void)state;
    static const char *const specs[] = {"ismcts", "ismcts:sims=3000,choose=mean",
                                        "ismcts:bound=tuned,sims=3000,expand=3", "ismcts:threads=3"};
    for (size_t i = 0; i < sizeof preferences / sizeof preferences[0]; i++)
        for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++)
            check_preference(&preferences[i], specs[k]);
}

/* ---- its answers repeat ---- */

static void the_same_question_gets_the_same_answer(void **state) {
    (void)state;
    static const char *const specs[] = {"ismcts:sims=501", "ismcts:sims=501,threads=2",
                                        "ismcts:sims=501,bound=tuned,threads=3,memory=1"};
    struct table t, other;
    sit_down(&t, "synth:tree=12,df=0.4", "tree=12 moves=LR types=4,2");
    sit_down(&other, "synth:tree=13,df=0.4", "tree=13 moves=R types=1,2");
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        struct player *player = open_it(specs[i], &t);
        const struct answer first = ask(player, &t, 6, NULL);
        assert_int_equal(first.work_done, 501);
        assert_int_equal(first.leaves, 501);
        ask(player, &other, 7, NULL);
        const struct answer again = ask(player, &t, 6, NULL);
        expect_same_answer(&first, &again);
        struct player *fresh = open_it(specs[i], &t);
        const struct answer by_another = ask(fresh, &t, 6, NULL);
        expect_same_answer(&first, &by_another);
        player_close(fresh);
        player_close(player);
    }
    stand_up(&other);
    stand_up(&t);
}

/* It decides by its side's view: another type in the same information set changes nothing. */
static void what_it_cannot_see_changes_nothing(void **state) {
    (void)state;
    struct table t;
    char text[] = "tree=12 moves=LR types=4,0";
    struct answer first = {0};
    for (char type = '0'; type <= '7'; type++) {
        text[sizeof text - 2] = type;
        sit_down(&t, "synth:tree=12,df=0", text);
        struct player *player = open_it("ismcts:sims=300", &t);
        const struct answer answer = ask(player, &t, 21, NULL);
        if (type == '0')
            first = answer;
        expect_same_answer(&first, &answer);
        player_close(player);
        stand_up(&t);
    }
}

/* ---- options ---- */

static void an_own_seed_takes_the_place_of_the_games(void **state) {
    (void)state;
    struct table t;
    sit_down(&t, "synth:tree=3", "tree=3 moves=- types=4,2");
    struct player *player = open_it("ismcts:seed=9", &t);
    const struct answer a = ask(player, &t, 1, NULL), b = ask(player, &t, 2, NULL);
    expect_same_answer(&a, &b);
    player_close(player);
    stand_up(&t);
}

static void thoughts_have_means_and_visits(void **state) {
    (void)state;
    struct table t;
    struct thoughts thoughts = {0};
    sit_down(&t, "fusion", "world=x moves=-");
    struct player *player = open_it("ismcts:sims=2000", &t);
    ask(player, &t, 1, &thoughts);
    assert_int_equal(thoughts.count, 2);
    assert_int_equal(thoughts.simulations, 2000);
    assert_int_equal(thoughts.candidates[0].visits + thoughts.candidates[1].visits, 2000);
    assert_true(thoughts.candidates[0].visits > thoughts.candidates[1].visits);
    assert_true(fabs(thoughts.candidates[0].value - 0.75) < 1e-9);
    assert_true(thoughts.candidates[1].value < 0.7);
    player_close(player);
    stand_up(&t);
}

static void an_unknown_policy_is_a_sentence(void **state) {
    (void)state;
    struct table t;
    struct err e;
    sit_down(&t, "kuhn", "cards=K,J moves=-");
    assert_null(player_open("ismcts:policy=brave", t.scenario->game, &e));
    assert_string_equal(e.text, "ismcts: policy=brave is unknown; 'senjutsu games kuhn' lists the playouts");
    stand_up(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dominated_actions_are_not_played),
        cmocka_unit_test(the_same_question_gets_the_same_answer),
        cmocka_unit_test(what_it_cannot_see_changes_nothing),
        cmocka_unit_test(an_own_seed_takes_the_place_of_the_games),
        cmocka_unit_test(thoughts_have_means_and_visits),
        cmocka_unit_test(an_unknown_policy_is_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
