/* SPDX-License-Identifier: MIT
 *
 * What a game's table must have. The functions of the table here are never called: the test checks only their
 * presence.
 */
#include "game/game.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

/* ---- what is checked ---- */

/* Names unique and usable in spec strings, required members present, sizes within limits. `tables` ends with
 * NULL. */

static bool check_notation(const struct game *g, struct err *e) {
    const struct notation *n = g->text;
    if (n == NULL || n->write_state == NULL || n->read_state == NULL || n->write_action == NULL ||
        n->read_action == NULL || n->result == NULL || n->side_names[0] == NULL || n->side_names[1] == NULL)
        return err_set(e, "%s: a part of the notation is missing", g->name);
    return !game_offer(g)->takes_map || (n->write_map != NULL && n->rules != NULL) ||
           err_set(e, "%s: takes a map, but does not write it or name its rules", g->name);
}

/* What searches use; they take the first of each table as their default. */
static bool check_knowledge(const struct game *g, struct err *e) {
    if (g->rollouts == NULL || g->rollouts[0].name == NULL)
        return err_set(e, "%s: there is no rollout", g->name);
    for (const struct rollout *p = g->rollouts; p->name != NULL; p++) {
        if (p->help == NULL || p->run == NULL)
            return err_set(e, "%s: rollout '%s' lacks its help or its function", g->name, p->name);
        if (game_rollout(g, p->name) != p)
            return err_set(e, "%s: two rollouts are named '%s'", g->name, p->name);
    }
    if (g->evals == NULL || g->evals[0].name == NULL || g->priors == NULL || g->priors[0].name == NULL)
        return err_set(e, "%s: there is no evaluation or no prior", g->name);
    if (g->lists == NULL || g->lists[0].list != g->actions)
        return err_set(e, "%s: the first action list must be that of all actions", g->name);
    int weights = 0;
    while (g->weights != NULL && g->weights[weights].name != NULL)
        weights++;
    return weights <= GAME_WEIGHTS_MAX ||
           err_set(e, "%s: %d weights are too many; the limit is %d", g->name, weights, GAME_WEIGHTS_MAX);
}

/* People meet these players by default. */
static bool check_offer(const struct game *g, struct err *e) {
    const struct game_offer *o = game_offer(g);
    return (o->opponent != NULL && o->adviser != NULL && o->commentator != NULL && o->commentator_work > 0) ||
           err_set(e, "%s: the offer lacks an opponent, an adviser or a commentator and its work", g->name);
}

static bool check_table(const struct game *g, int index, struct err *e) {
    struct spec spec;
    if (g->name == NULL || g->help == NULL)
        return err_set(e, "game %d of the table lacks its name or its help", index);
    if (!spec_parse(g->name, &spec, e) || spec.count != 0)
        return err_set(e, "'%s' cannot be the name of a game", g->name);
    if ((g->load == NULL && g->scenario_size == 0) || g->start == NULL || g->mover == NULL ||
        g->actions == NULL || g->is_legal == NULL || g->play == NULL || g->payoff == NULL ||
        g->turn == NULL || g->progress == NULL || g->key == NULL || g->key_from_scratch == NULL ||
        g->valid == NULL)
        return err_set(e, "%s: a required function is missing", g->name);
    const int views = (g->hide != NULL) + (g->determinize != NULL) + (g->worlds != NULL) + (g->world != NULL);
    if (views != 0 && views != 4)
        return err_set(e, "%s: hide, determinize, worlds and world come together or not at all", g->name);
    if ((g->outcomes != NULL) != (g->play_outcome != NULL))
        return err_set(e, "%s: outcomes and play_outcome come together or not at all", g->name);
    if (!check_notation(g, e) || !check_knowledge(g, e) || !check_offer(g, e))
        return false;
    if (g->state_size == 0 || g->state_size > GAME_STATE_MAX)
        return err_set(e, "%s: a state has %zu bytes; expected 1 to %d", g->name, g->state_size,
                       GAME_STATE_MAX);
    return g->actions_max > 0 || err_set(e, "%s: actions_max is %d", g->name, g->actions_max);
}

static bool game_tables_check(const struct game *const *tables, struct err *e) {
    for (int i = 0; tables[i] != NULL; i++) {
        if (!check_table(tables[i], i, e))
            return false;
        for (int k = 0; k < i; k++)
            if (strcmp(tables[k]->name, tables[i]->name) == 0)
                return err_set(e, "two games are named '%s'", tables[i]->name);
    }
    return true;
}

/* ---- a table with everything ---- */

static struct scenario *toy_load(const struct game_source *source, const struct game *game, struct err *e) {
    (void)source, (void)game, (void)e;
    return NULL;
}

static void toy_start(void *state, const struct scenario *scenario, struct rng *r) {
    (void)state, (void)scenario, (void)r;
}

static int toy_number(const void *state) {
    (void)state;
    return 0;
}

static int toy_actions(const void *state, action *out) {
    (void)state, (void)out;
    return 0;
}

static int toy_fewer(const void *state, action *out) {
    (void)state, (void)out;
    return 0;
}

static bool toy_is_legal(const void *state, action a) {
    (void)state;
    return a == 0;
}

static void toy_play(void *state, action a, struct rng *r) {
    (void)state, (void)a, (void)r;
}

static double toy_payoff(const void *state, int side) {
    (void)state, (void)side;
    return 0;
}

static struct turn_progress toy_progress(const void *state) {
    (void)state;
    return (struct turn_progress){0};
}

static uint64_t toy_key(const void *state) {
    (void)state;
    return 0;
}

static bool toy_valid(const void *state) {
    (void)state;
    return true;
}

static void toy_hide(void *state, int side) {
    (void)state, (void)side;
}

static void toy_determinize(void *view, struct rng *r) {
    (void)view, (void)r;
}

static double toy_worlds(const void *view) {
    (void)view;
    return 1;
}

static void toy_world(void *view, uint64_t number) {
    (void)view, (void)number;
}

static long toy_rollout(void *state, struct rng *r, int turns_max) {
    (void)state, (void)r, (void)turns_max;
    return 0;
}

static void toy_write_state(const void *state, struct text *out) {
    (void)state, (void)out;
}

static bool toy_read_state(void *state, const struct scenario *scenario, const char *text, struct err *e) {
    (void)state, (void)scenario, (void)text, (void)e;
    return true;
}

static void toy_write_action(const void *state, action a, struct text *out) {
    (void)state, (void)a, (void)out;
}

static bool toy_read_action(const void *state, const char *text, action *out, struct err *e) {
    (void)state, (void)text, (void)out, (void)e;
    return true;
}

static const char *toy_result(const void *state) {
    (void)state;
    return "none";
}

static double toy_eval(const void *state, int side, const double *weights) {
    (void)state, (void)side, (void)weights;
    return 0;
}

static void toy_score(const void *state, const action *list, int count, float *out) {
    (void)state, (void)list, (void)count, (void)out;
}

static const struct eval toy_evals[] = {{"even", "nobody is ahead", toy_eval}, {0}};
static const struct prior toy_priors[] = {{"none", "all alike", toy_score}, {0}};
static const struct action_list toy_lists[] = {{"all", "all", toy_actions}, {"few", "few", toy_fewer}, {0}};
static const struct rollout toy_rollouts[] = {{"uniform", "evenly", toy_rollout}, {0}};

static const struct notation toy_notation = {.write_state = toy_write_state,
                                             .read_state = toy_read_state,
                                             .write_action = toy_write_action,
                                             .read_action = toy_read_action,
                                             .result = toy_result,
                                             .side_names = {"first", "second"}};

static const struct game toy_game = {
    .name = "toy",
    .help = "nothing but a table",
    .state_size = 8,
    .actions_max = 2,
    .load = toy_load,
    .start = toy_start,
    .mover = toy_number,
    .actions = toy_actions,
    .is_legal = toy_is_legal,
    .play = toy_play,
    .payoff = toy_payoff,
    .turn = toy_number,
    .progress = toy_progress,
    .evals = toy_evals,
    .priors = toy_priors,
    .lists = toy_lists,
    .key = toy_key,
    .key_from_scratch = toy_key,
    .valid = toy_valid,
    .hide = toy_hide,
    .determinize = toy_determinize,
    .worlds = toy_worlds,
    .world = toy_world,
    .rollouts = toy_rollouts,
    .text = &toy_notation,
};

static void expect_table_error(const struct game *game, const char *sentence) {
    const struct game *const tables[] = {game, NULL};
    struct err e = {{0}};
    assert_false(game_tables_check(tables, &e));
    assert_string_equal(e.text, sentence);
}

static void expect_good_table(const struct game *game) {
    const struct game *const tables[] = {game, NULL};
    struct err e = {{0}};
    if (!game_tables_check(tables, &e))
        fail_msg("%s", e.text);
}

/* A table without this function. */
#define EXPECT_NEEDED(field)                                                                                 \
    do {                                                                                                     \
        struct game needs = toy_game;                                                                        \
        needs.field = NULL;                                                                                  \
        expect_table_error(&needs, "toy: a required function is missing");                                   \
    } while (0)

static void every_function_is_needed(void **state) {
    (void)state;
    EXPECT_NEEDED(load);
    EXPECT_NEEDED(start);
    EXPECT_NEEDED(mover);
    EXPECT_NEEDED(actions);
    EXPECT_NEEDED(is_legal);
    EXPECT_NEEDED(play);
    EXPECT_NEEDED(payoff);
    EXPECT_NEEDED(turn);
    EXPECT_NEEDED(progress);
    EXPECT_NEEDED(key);
    EXPECT_NEEDED(key_from_scratch);
    EXPECT_NEEDED(valid);
}

#define EXPECT_WRITTEN(field)                                                                                \
    do {                                                                                                     \
        struct notation lacks = toy_notation;                                                                \
        struct game with = toy_game;                                                                         \
        lacks.field = NULL;                                                                                  \
        with.text = &lacks;                                                                                  \
        expect_table_error(&with, "toy: a part of the notation is missing");                                 \
    } while (0)

static void every_part_of_the_notation_is_needed(void **state) {
    (void)state;
    struct game g = toy_game;
    g.text = NULL;
    expect_table_error(&g, "toy: a part of the notation is missing");
    EXPECT_WRITTEN(write_state);
    EXPECT_WRITTEN(read_state);
    EXPECT_WRITTEN(write_action);
    EXPECT_WRITTEN(read_action);
    EXPECT_WRITTEN(result);
    EXPECT_WRITTEN(side_names[0]);
    EXPECT_WRITTEN(side_names[1]);
}

static void write_nothing(const struct scenario *scenario, struct text *out) {
    (void)scenario, (void)out;
}

static void games_with_maps_write_them(void **state) {
    (void)state;
    static const struct game_offer offer = {.takes_map = true};
    struct notation notation = toy_notation;
    struct game g = toy_game;
    g.offer = &offer;
    g.text = &notation;
    expect_table_error(&g, "toy: takes a map, but does not write it or name its rules");
    notation.write_map = write_nothing;
    expect_table_error(&g, "toy: takes a map, but does not write it or name its rules");
}

static void offers_have_players(void **state) {
    (void)state;
    const struct game_offer whole = {
        .opponent = "random", .adviser = "random", .commentator = "random", .commentator_work = 1};
    struct game_offer offers[] = {whole, whole, whole, whole};
    struct game g = toy_game;
    g.offer = &whole;
    expect_good_table(&g);
    offers[0].opponent = NULL;
    offers[1].adviser = NULL;
    offers[2].commentator = NULL;
    offers[3].commentator_work = 0;
    for (int i = 0; i < 4; i++) {
        g.offer = &offers[i];
        expect_table_error(&g, "toy: the offer lacks an opponent, an adviser or a commentator and its work");
    }
}

#define EXPECT_TOGETHER(field)                                                                               \
    do {                                                                                                     \
        struct game hides = toy_game;                                                                        \
        hides.field = NULL;                                                                                  \
        expect_table_error(&hides, "toy: hide, determinize, worlds and world come together or not at all");  \
    } while (0)

static void views_are_whole_or_absent(void **state) {
    (void)state;
    EXPECT_TOGETHER(hide);
    EXPECT_TOGETHER(determinize);
    EXPECT_TOGETHER(worlds);
    EXPECT_TOGETHER(world);
    struct game g = toy_game;
    g.hide = NULL;
    g.determinize = NULL;
    g.worlds = NULL;
    g.world = NULL;
    expect_good_table(&g);
}

static void names_and_help_are_needed(void **state) {
    (void)state;
    struct game g = toy_game;
    g.name = "no:name";
    expect_table_error(&g, "'no:name' cannot be the name of a game");
    g.name = "toy:size=2";
    expect_table_error(&g, "'toy:size=2' cannot be the name of a game");
    g.name = NULL;
    expect_table_error(&g, "game 0 of the table lacks its name or its help");
    g = toy_game;
    g.help = NULL;
    expect_table_error(&g, "game 0 of the table lacks its name or its help");
    const struct rollout no_help[] = {{"uniform", NULL, toy_rollout}, {0}};
    const struct rollout no_function[] = {{"uniform", "one or two", NULL}, {0}};
    g = toy_game;
    g.rollouts = no_help;
    expect_table_error(&g, "toy: rollout 'uniform' lacks its help or its function");
    g.rollouts = no_function;
    expect_table_error(&g, "toy: rollout 'uniform' lacks its help or its function");
}

static void searches_find_what_they_need(void **state) {
    (void)state;
    struct game g = toy_game;
    g.rollouts = &toy_rollouts[1];
    expect_table_error(&g, "toy: there is no rollout");
    g.rollouts = NULL;
    expect_table_error(&g, "toy: there is no rollout");
    g = toy_game;
    g.evals = NULL;
    expect_table_error(&g, "toy: there is no evaluation or no prior");
    g.evals = &toy_evals[1];
    expect_table_error(&g, "toy: there is no evaluation or no prior");
    g = toy_game;
    g.priors = NULL;
    expect_table_error(&g, "toy: there is no evaluation or no prior");
    g.priors = &toy_priors[1];
    expect_table_error(&g, "toy: there is no evaluation or no prior");
    g = toy_game;
    g.lists = NULL;
    expect_table_error(&g, "toy: the first action list must be that of all actions");
    g.lists = &toy_lists[1];
    expect_table_error(&g, "toy: the first action list must be that of all actions");
}

static void limits_of_a_table_hold(void **state) {
    (void)state;
    struct game g = toy_game;
    g.state_size = GAME_STATE_MAX;
    expect_good_table(&g);
    g.state_size = GAME_STATE_MAX + 1;
    expect_table_error(&g, "toy: a state has 1025 bytes; expected 1 to 1024");
    g.state_size = 0;
    expect_table_error(&g, "toy: a state has 0 bytes; expected 1 to 1024");
    g = toy_game;
    g.actions_max = 1;
    expect_good_table(&g);
    g.actions_max = 0;
    expect_table_error(&g, "toy: actions_max is 0");
    g.actions_max = -1;
    expect_table_error(&g, "toy: actions_max is -1");
    struct weight weights[GAME_WEIGHTS_MAX + 2] = {{0}};
    for (int i = 0; i < GAME_WEIGHTS_MAX; i++)
        weights[i].name = "weight";
    g = toy_game;
    g.weights = weights;
    expect_good_table(&g);
    weights[GAME_WEIGHTS_MAX].name = "one more";
    char expected[80];
    snprintf(expected, sizeof expected, "toy: %d weights are too many; the limit is %d", GAME_WEIGHTS_MAX + 1,
             GAME_WEIGHTS_MAX);
    expect_table_error(&g, expected);
}

static void two_of_one_name_are_refused(void **state) {
    (void)state;
    const struct game *const twice[] = {&toy_game, &toy_game, NULL};
    const struct rollout doubled[] = {toy_rollouts[0], toy_rollouts[0], {0}};
    struct err e = {{0}};
    assert_false(game_tables_check(twice, &e));
    assert_string_equal(e.text, "two games are named 'toy'");
    struct game g = toy_game;
    g.rollouts = doubled;
    expect_table_error(&g, "toy: two rollouts are named 'uniform'");
}

static void the_registry_is_in_order(void **state) {
    (void)state;
    struct err e = {{0}};
    if (!game_tables_check(game_tables, &e))
        fail_msg("%s", e.text);
    for (int i = 0; game_tables[i] != NULL; i++)
        assert_ptr_equal(game_find(game_tables[i]->name), game_tables[i]);
    assert_null(game_find("chess"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_needed),
        cmocka_unit_test(every_part_of_the_notation_is_needed),
        cmocka_unit_test(games_with_maps_write_them),
        cmocka_unit_test(offers_have_players),
        cmocka_unit_test(views_are_whole_or_absent),
        cmocka_unit_test(names_and_help_are_needed),
        cmocka_unit_test(searches_find_what_they_need),
        cmocka_unit_test(limits_of_a_table_hold),
        cmocka_unit_test(two_of_one_name_are_refused),
        cmocka_unit_test(the_registry_is_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
