/* SPDX-License-Identifier: MIT
 *
 * Recipes: the published algorithm field by field, wrong values and wrong combinations, and the texts by
 * which runs are compared.
 */
/* The library has these tables, too. */
#define recipe_params      own_recipe_params
#define recipe_preset_help own_recipe_preset_help
#define recipe_presets     own_recipe_presets
#include "evolve/recipe.c" /* one test compares recipes */

#include "game/tbs/map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static struct recipe preset(const char *name) {
    struct recipe r;
    struct err e;
    if (!recipe_preset(&r, name, &e))
        fail_msg("%s", e.text);
    return r;
}

static void set(struct recipe *r, const char *name, const char *value) {
    struct err e;
    if (!recipe_set(r, name, value, &e))
        fail_msg("%s=%s: %s", name, value, e.text);
}

static void assert_is(double value, double expected) {
    if (value < expected || value > expected)
        fail_msg("%g is not %g", value, expected);
}

/* ---- presets ---- */

static void paper_is_as_published(void **state) {
    (void)state;
    const struct recipe r = preset("paper");
    assert_int_equal(r.space.width, 6);
    assert_int_equal(r.space.height, 6);
    assert_int_equal(r.space.units_min[TBS_RED], 1);
    assert_int_equal(r.space.units_max[TBS_RED], 6);
    assert_int_equal(r.space.units_min[TBS_BLUE], 1);
    assert_int_equal(r.space.units_max[TBS_BLUE], 6);
    assert_int_equal(r.space.hp_low, 1);
    assert_int_equal(r.space.hp_high, 10);
    assert_string_equal(r.types, "all");
    assert_string_equal(r.terrain, "even");
    assert_int_equal(r.space.symmetry, SYMMETRY_NONE);
    assert_int_equal(r.space.placement, PLACEMENT_ANYWHERE);
    assert_is(r.space.patches, 0);
    assert_string_equal(r.strong, "muct:sims=250");
    assert_string_equal(r.weak, "muct:sims=10");
    assert_int_equal(r.games, 10);
    assert_int_equal(r.peers, 0);
    assert_is(r.natural, 0);
    assert_int_equal(r.method, METHOD_GENERATIONS);
    assert_int_equal(r.selection, SELECTION_ROULETTE);
    assert_int_equal(r.crossover, CROSSOVER_UNIFORM);
    assert_is(r.crossover_rate, 1);
    assert_string_equal(r.mutation, "none");
    assert_int_equal(r.born, 80);
    assert_int_equal(r.population, 40);
    assert_int_equal(r.generations, 10);
    assert_false(r.tidy);
    assert_false(r.race);
    assert_int_equal(r.budget, 0);
}

/* Values that the paper omits: those of that map generator. */
static void paper_has_the_platforms_limits(void **state) {
    (void)state;
    const struct recipe r = preset("paper");
    assert_int_equal(r.space.turn_limit, 30);
    assert_int_equal(r.space.threshold, 10);
    assert_string_equal(r.rules, "tubstap");
    assert_int_equal(r.verify, 200);
    assert_int_equal(r.show, 4);
}

static void paper_comes_first(void **state) {
    (void)state;
    const struct recipe paper = preset("paper"), defaults = preset(NULL);
    assert_memory_equal(&paper, &defaults, sizeof paper);
    assert_string_equal(recipe_presets[0], "paper");
}

static void paper_plans_even_terrain_and_all_types(void **state) {
    (void)state;
    const struct recipe r = preset("paper");
    struct plan plan;
    struct err e;
    if (!recipe_plan(&r, &plan, &e))
        fail_msg("%s", e.text);
    assert_int_equal(plan.space.types, (1 << TBS_TYPES) - 1);
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        assert_int_equal(plan.space.weight[terrain], terrain != TBS_NO_ENTRY);
    assert_int_equal(plan.mutations, 0);
    assert_string_equal(plan.rules->name, "tubstap");
}

/* The baseline differs in the method alone: the difference is the effect of selection. */
static void random_is_paper_without_parents(void **state) {
    (void)state;
    struct recipe random = preset("random");
    const struct recipe paper = preset("paper");
    assert_int_equal(random.method, METHOD_RANDOM);
    random.method = paper.method;
    random.preset = paper.preset;
    assert_memory_equal(&random, &paper, sizeof paper);
}

static void all_presets_can_be_planned(void **state) {
    (void)state;
    struct plan plan;
    struct err e;
    for (int i = 0; recipe_presets[i] != NULL; i++) {
        const struct recipe r = preset(recipe_presets[i]);
        assert_int_equal(r.preset, i);
        if (!recipe_plan(&r, &plan, &e))
            fail_msg("%s: %s", recipe_presets[i], e.text);
    }
    assert_false(recipe_preset(&(struct recipe){0}, "nosuch", &e));
    assert_string_equal(e.text, "preset 'nosuch' is unknown; known are paper, designer, random");
}

/* ---- single fields ---- */

static void wrong_values_name_the_expected_one(void **state) {
    (void)state;
    static const char *const cases[][3] = {
        {"games", "ten", "games=ten: expected a whole number from 2 to 1000000"},
        {"width", "33", "width=33: expected a whole number from 1 to 32"},
        {"natural", "1.5", "natural=1.5: expected a number from 0 to 1"},
        {"symmetry", "half", "symmetry=half is unknown; expected one of none|turn|mirror|flip"},
        {"race", "maybe", "race=maybe is no switch; expected yes or no"},
        {"preset", "best", "preset=best is unknown; expected one of paper|designer|random"},
        {"types", "panzer\ninfantry", "types: a value is one line"},
        {"colour", "red", "option 'colour' is unknown; known are preset, width, "},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct recipe r = preset("paper");
        const struct recipe before = r;
        struct err e = {{0}};
        assert_false(recipe_set(&r, cases[i][0], cases[i][1], &e));
        if (strncmp(e.text, cases[i][2], strlen(cases[i][2])) != 0)
            fail_msg("'%s', not '%s'", e.text, cases[i][2]);
        assert_memory_equal(&r, &before, sizeof r);
    }
}

/* Every field of the table can be set to what it is, and is its own. */
static void every_field_can_be_set(void **state) {
    (void)state;
    const struct recipe designer = preset("designer");
    struct recipe r = preset("paper");
    for (const struct param *p = recipe_params; p->name != NULL; p++) {
        struct text value = {0};
        params_write_value(p, &designer, &value);
        set(&r, p->name, text_string(&value));
        text_done(&value);
    }
    assert_memory_equal(&r, &designer, sizeof r);
}

/* ---- together ---- */

struct combination {
    const char *fields[6]; /* name, value, … */
    const char *sentence;  /* how it begins */
};

static void combinations_that_make_no_sense(void **state) {
    (void)state;
    static const struct combination cases[] = {
        {{"games", "11"}, "games=11: expected an even number"},
        {{"verify", "1"}, "verify=1: expected an even number"},
        {{"population", "41"}, "population=41: expected an even number"},
        {{"born", "20"}, "born=20 is fewer than population=40"},
        {{"method", "random", "race", "yes"}, "race=yes with method=random"},
        {{"rejudge", "yes", "race", "yes"}, "race=yes with rejudge=yes"},
        {{"replacement", "children", "race", "yes"}, "race=yes with replacement=children"},
        {{"copies", "yes", "selection", "best"}, "copies=yes with selection=best"},
        {{"rejudge", "yes", "games", "10000", "generations", "3355"},
         "rejudge=yes: 16780000 games of one map are too many; the limit is 16777216"},
        {{"rejudge", "yes", "peers", "6000", "generations", "2796"},
         "rejudge=yes: 16782000 games of one map are too many; the limit is 16777216"},
        {{"crossover_rate", "0"}, "crossover_rate=0 and no mutation"},
        {{"crossover_rate", "0", "mutation", "all", "mutation_rate", "0"},
         "crossover_rate=0 and no mutation"},
        {{"mutation", "hp,colour"},
         "mutation=hp,colour: 'colour' is unknown; expected none, all, or terrain"},
        {{"types", "panzer,X"}, "types=panzer,X: unit 'X' is unknown"},
        {{"terrain", "plain=1,lava=2"}, "terrain: option 'lava' is unknown"},
        {{"rules", "chess"}, "rule set 'chess' is unknown; known are tubstap, paper"},
        {{"strong", "nosuch"}, "strong=nosuch: player 'nosuch' is unknown"},
        {{"weak", "muct:sims=0"}, "weak=muct:sims=0: muct: sims=0: expected"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct recipe r = preset("paper");
        struct plan plan;
        struct err e = {{0}};
        for (int k = 0; k < 6 && cases[i].fields[k] != NULL; k += 2)
            set(&r, cases[i].fields[k], cases[i].fields[k + 1]);
        assert_false(recipe_plan(&r, &plan, &e));
        if (strncmp(e.text, cases[i].sentence, strlen(cases[i].sentence)) != 0)
            fail_msg("'%s', not '%s'", e.text, cases[i].sentence);
    }
}

/* As many games as may be asked for at once, and a few more. */
static void batches_have_a_limit(void **state) {
    (void)state;
    static const struct {
        const char *fields[10], *sentence; /* NULL: it may be */
    } cases[] = {
        {{"born", "1000000"}, NULL},
        {{"born", "1000000", "games", "12"},
         "born * (games + peers): 12000000 games at once are too many; the limit is 10000000"},
        {{"born", "500000", "peers", "10"}, NULL},
        {{"born", "500000", "peers", "11"},
         "born * (games + peers): 10500000 games at once are too many; the limit is 10000000"},
        {{"method", "random", "born", "2", "population", "500000", "peers", "10"}, NULL},
        {{"method", "random", "born", "2", "population", "500000", "peers", "11"},
         "population * (games + peers): 10500000 games at once are too many; the limit is 10000000"},
        {{"show", "10000", "verify", "666"}, NULL},
        {{"show", "10000", "verify", "668"},
         "show * verify: 10020000 games at once are too many; the limit is 10000000"},
        {{"born", "40"}, NULL},
        {{"method", "random", "born", "7", "population", "9"}, NULL},
        {{"crossover_rate", "0", "method", "random"}, NULL},
        {{"rejudge", "yes", "games", "10000", "generations", "3354"}, NULL},
        {{"method", "archive", "rejudge", "yes", "race", "yes"}, NULL},
        {{"crossover_rate", "0", "mutation", "hp"}, NULL},
        {{"mutation", "hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp"}, NULL},
        {{"mutation", "hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp,hp"},
         "mutation: the list is too long"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct recipe r = preset("paper");
        struct plan plan;
        struct err e = {{0}};
        for (int k = 0; k < 10 && cases[i].fields[k] != NULL; k += 2)
            set(&r, cases[i].fields[k], cases[i].fields[k + 1]);
        assert_int_equal(recipe_plan(&r, &plan, &e), cases[i].sentence == NULL);
        assert_string_equal(e.text, cases[i].sentence != NULL ? cases[i].sentence : "");
    }
}

/* A player of another game exists, but does not open on this game's boards. */
static void players_of_other_games_are_refused(void **state) {
    (void)state;
    static const char *const names[] = {"strong", "weak"};
    for (int i = 0; i < 2; i++) {
        struct recipe r = preset("paper");
        struct plan plan;
        struct err e = {{0}};
        set(&r, names[i], "purple");
        assert_false(recipe_plan(&r, &plan, &e));
        assert_int_equal(strncmp(e.text, i == 0 ? "strong=purple: " : "weak=purple: ", i == 0 ? 15 : 13), 0);
        assert_false(recipe_names_player("games"));
        assert_true(recipe_names_player(names[i]));
    }
}

/* The ranges as docs/map-generation.md gives them. */
static void fields_have_their_ranges(void **state) {
    (void)state;
    struct text ranges = {0};
    for (const struct param *p = recipe_params; p->name != NULL; p++)
        if (p->kind == PARAM_INT || p->kind == PARAM_REAL)
            text_add(&ranges, "%s %.10g %.10g %.10g\n", p->name, p->low, p->high, p->fallback);
    assert_string_equal(text_string(&ranges), "width 1 32 6\n"
                                              "height 1 32 6\n"
                                              "red_min 1 64 1\n"
                                              "red_max 1 64 6\n"
                                              "blue_min 1 64 1\n"
                                              "blue_max 1 64 6\n"
                                              "hp_low 1 10 1\n"
                                              "hp_high 1 10 10\n"
                                              "patches 0 1 0\n"
                                              "turn_limit 1 9999 30\n"
                                              "threshold 0 1000000 10\n"
                                              "games 2 1000000 10\n"
                                              "peers 0 1000000 0\n"
                                              "natural 0 1 0\n"
                                              "verify 0 1000000 200\n"
                                              "born 2 1000000 80\n"
                                              "population 2 1000000 40\n"
                                              "generations 0 1000000 10\n"
                                              "tournament 2 1000 3\n"
                                              "crossover_rate 0 1 1\n"
                                              "mutation_rate 0 32 1\n"
                                              "reevaluate 0 1000000 0\n"
                                              "fair 0 0.5 0.1\n"
                                              "budget 0 2000000000 0\n"
                                              "show 1 10000 4\n");
    text_done(&ranges);
}

/* What no map can satisfy is refused by the space. */
static void impossible_spaces_are_refused(void **state) {
    (void)state;
    static const char *const cases[][2] = {{"red_min", "7"}, {"hp_high", "0"}, {"terrain", "wall=1"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct recipe r = preset("paper");
        struct plan plan;
        struct err e = {{0}};
        assert_true(!recipe_set(&r, cases[i][0], cases[i][1], &e) || !recipe_plan(&r, &plan, &e));
        assert_true(strlen(e.text) > 0);
    }
}

static void lists_are_read(void **state) {
    (void)state;
    struct recipe r = preset("paper");
    struct plan plan;
    struct err e;
    set(&r, "types", "panzer, I");
    set(&r, "terrain", "plain=3,road=1");
    set(&r, "mutation", "hp, place");
    set(&r, "rules", "paper");
    if (!recipe_plan(&r, &plan, &e))
        fail_msg("%s", e.text);
    assert_int_equal(plan.space.types, 1 << TBS_PANZER | 1 << TBS_INFANTRY);
    assert_int_equal(plan.space.weight[TBS_PLAIN], 3);
    assert_int_equal(plan.space.weight[TBS_ROAD], 1);
    assert_int_equal(plan.space.weight[TBS_SEA], 0);
    assert_int_equal(plan.mutations, 1 << MUTATION_HP | 1 << MUTATION_PLACE);
    assert_string_equal(plan.rules->name, "paper");
    set(&r, "mutation", "all");
    assert_true(recipe_plan(&r, &plan, &e));
    assert_int_equal(plan.mutations, MUTATION_ALL);
}

/* ---- as text ---- */

static void recipes_survive_the_round_trip(void **state) {
    (void)state;
    for (int i = 0; recipe_presets[i] != NULL; i++) {
        struct recipe r = preset(recipe_presets[i]), back;
        struct text text = {0};
        struct err e;
        set(&r, "natural", "0.1");
        set(&r, "strong", "split:player=[uct:sims=3]");
        params_write_all(recipe_params, &r, &text);
        if (!recipe_read(text_string(&text), &back, &e))
            fail_msg("%s", e.text);
        assert_memory_equal(&r, &back, sizeof r);
        text_done(&text);
    }
}

static void wrong_texts_are_refused(void **state) {
    (void)state;
    struct recipe r;
    struct err e;
    assert_false(recipe_read("preset=paper\ngames", &r, &e));
    assert_string_equal(e.text, "'games' is no line of a recipe; expected name=value");
    assert_false(recipe_read("games=0", &r, &e));
    assert_true(recipe_read("\n\ngames=12\n\nshow=5", &r, &e));
    assert_int_equal(r.games, 12);
    assert_int_equal(r.show, 5);
    char line[1000];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    assert_false(recipe_read(line, &r, &e));
    assert_string_equal(e.text, "a line of a recipe is too long");
}

static void the_first_difference_is_named(void **state) {
    (void)state;
    struct recipe r = preset("paper");
    struct text before = {0}, now = {0};
    struct err why = {{0}};
    params_write_all(recipe_params, &r, &before);
    assert_false(recipe_differs(text_string(&before), text_string(&before), &why));
    set(&r, "games", "12");
    set(&r, "show", "5");
    params_write_all(recipe_params, &r, &now);
    assert_true(recipe_differs(text_string(&before), text_string(&now), &why));
    assert_string_equal(why.text, "games was 10 and is now 12");
    assert_true(recipe_differs("nonsense", text_string(&now), &why));
    assert_string_equal(why.text, "'nonsense' is no line of a recipe; expected name=value");
    assert_true(recipe_differs(text_string(&now), "other nonsense", &why));
    assert_string_equal(why.text, "'other nonsense' is no line of a recipe; expected name=value");
    text_done(&before);
    text_done(&now);
}

/* Any single field that changes is a difference. */
static void no_field_is_forgotten(void **state) {
    (void)state;
    const struct recipe paper = preset("paper"), designer = preset("designer");
    int seen = 0;
    for (const struct param *p = recipe_params + 1; p->name != NULL; p++) {
        struct recipe r = paper;
        struct text value = {0}, standard = {0}, before = {0}, now = {0};
        struct err why = {{0}};
        params_write_value(p, &designer, &value);
        params_write_value(p, &paper, &standard);
        set(&r, p->name, text_string(&value));
        params_write_all(recipe_params, &paper, &before);
        params_write_all(recipe_params, &r, &now);
        const bool changed = strcmp(text_string(&value), text_string(&standard)) != 0;
        assert_int_equal(recipe_differs(text_string(&before), text_string(&now), &why), changed);
        assert_int_equal(strncmp(why.text, p->name, strlen(p->name)) == 0, changed);
        seen += changed;
        text_done(&value);
        text_done(&standard);
        text_done(&before);
        text_done(&now);
    }
    assert_true(seen > 10);
}

/* ---- the words of a list ---- */

static void words_have_limits(void **state) {
    (void)state;
    unsigned types;
    int weight[TBS_TERRAINS];
    char many[300];
    struct err e;
    memset(many, 'P', sizeof many);
    many[sizeof many - 1] = '\0';
    assert_false(tbs_read_types(many, &types, &e));
    assert_string_equal(e.text, "the list of types is too long");
    assert_false(tbs_read_types("", &types, &e));
    assert_false(tbs_read_weights("plain=10001", weight, &e));
    assert_false(tbs_read_weights("plain=-1", weight, &e));
    assert_true(tbs_read_weights("wall=5", weight, &e));
    assert_int_equal(weight[TBS_NO_ENTRY], 5);
    assert_int_equal(weight[TBS_PLAIN], 0);
    assert_null(tbs_read_rules("", &e));
    assert_ptr_equal(tbs_read_rules("tubstap", &e), &tbs_rule_sets[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper_is_as_published),
        cmocka_unit_test(paper_has_the_platforms_limits),
        cmocka_unit_test(paper_comes_first),
        cmocka_unit_test(paper_plans_even_terrain_and_all_types),
        cmocka_unit_test(random_is_paper_without_parents),
        cmocka_unit_test(all_presets_can_be_planned),
        cmocka_unit_test(wrong_values_name_the_expected_one),
        cmocka_unit_test(every_field_can_be_set),
        cmocka_unit_test(combinations_that_make_no_sense),
        cmocka_unit_test(batches_have_a_limit),
        cmocka_unit_test(players_of_other_games_are_refused),
        cmocka_unit_test(fields_have_their_ranges),
        cmocka_unit_test(impossible_spaces_are_refused),
        cmocka_unit_test(lists_are_read),
        cmocka_unit_test(recipes_survive_the_round_trip),
        cmocka_unit_test(wrong_texts_are_refused),
        cmocka_unit_test(the_first_difference_is_named),
        cmocka_unit_test(no_field_is_forgotten),
        cmocka_unit_test(words_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
