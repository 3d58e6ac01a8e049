/* SPDX-License-Identifier: MIT
 *
 * The task of a run: resolved from overrides, presets and the folder's store; and its progress.
 */
#include "evolve/evolution.h"

#include "base/mem.h"
#include "tests/memory_support.h"
#include "map_support.h"
#include "scratch_support.h"
#include "store/store.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#define OVERRIDES .folder = "FOLDER", .from_label = "WORDS", .mark = "--"

static struct evolve_task task;

static void check_resolved(const struct evolve_overrides *overrides, struct store *store,
                           enum evolve_resolution expected, const char *words) {
    struct err e = {""};
    evolve_task_done(&task);
    assert_int_equal(evolve_resolve(overrides, store, true, &task, &e), expected);
    assert_string_equal(e.text, words);
}

static void assert_line(const char *expected) {
    struct text line = {0};
    evolve_command_line(&task, &line);
    assert_string_equal(text_string(&line), expected);
    text_done(&line);
}

/* ---- without a store ---- */

/* Given parameters of the recipe: names and values, ended by NULL. */
static struct params given(const char *const *pairs) {
    static struct recipe values;
    struct params p = {.table = recipe_params + 1, .options = &values};
    params_default(p.table, &values);
    for (; *pairs != NULL; pairs += 2)
        assert_true(params_give(&p, pairs[0], pairs[1], NULL));
    return p;
}

#define GIVEN(...) given((const char *const[]){__VA_ARGS__, NULL})

static void test_defaults(void **state) {
    struct text title = {0};
    (void)state;
    check_resolved(&(struct evolve_overrides){OVERRIDES}, NULL, EVOLVE_RESOLVED, "");
    assert_int_equal(task.seed, 1);
    assert_line("senjutsu evolve --preset paper --seed 1");
    evolve_title(&task, &title);
    assert_string_equal(text_string(&title), "Maps by the recipe paper, seed 1");
    text_done(&title);
    assert_int_equal(task.from_count, 0);
    assert_string_equal(recipe_params[1].name, "width");
}

static void test_overrides(void **state) {
    const struct evolve_overrides overrides = {
        OVERRIDES, .preset = "designer", .has_seed = true, .seed = 12345678901234567890U,
        .recipe = GIVEN("hp_low", "2", "types", "F, P", "games", "20")};
    (void)state;
    check_resolved(&overrides, NULL, EVOLVE_RESOLVED, "");
    assert_line("senjutsu evolve --preset designer --seed 12345678901234567890 --hp-low 2 --types 'F, P'");
    struct evolve_overrides wrong = {OVERRIDES, .preset = "nowhere"};
    check_resolved(&wrong, NULL, EVOLVE_WRONG,
                   "preset 'nowhere' is unknown; known are paper, designer, random");
    wrong = (struct evolve_overrides){OVERRIDES, .recipe = GIVEN("games", "5")};
    check_resolved(&wrong, NULL, EVOLVE_WRONG,
                   "games=5: expected an even number, half of them from each side");
    struct err e;
    assert_false(params_give(&wrong.recipe, "gains", "5", &e));
    assert_non_null(strstr(e.text, "gains"));
}

static void test_words_for_a_shell(void **state) {
    static const char *const cases[][2] = {
        {"a_Z-0+=:,./%@", "a_Z-0+=:,./%@"}, {"", "''"}, {"two words", "'two words'"}, {"it's", "'it'\\''s'"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text out = {0};
        evolve_add_word(&out, cases[i][0]);
        assert_string_equal(text_string(&out), cases[i][1]);
        text_done(&out);
    }
}

static void test_for_other_ranks(void **state) {
    struct text text = {0};
    struct evolve_task other = {0};
    struct err e = {""};
    (void)state;
    const struct evolve_overrides overrides = {OVERRIDES, .has_seed = true, .seed = UINT64_MAX,
                                               .recipe = GIVEN("born", "50")};
    check_resolved(&overrides, NULL, EVOLVE_RESOLVED, "");
    evolve_task_write(&task, &text);
    assert_true(evolve_task_read(text_string(&text), &other, &e));
    assert_true(other.seed == UINT64_MAX);
    assert_memory_equal(&other.recipe, &task.recipe, sizeof task.recipe);
    assert_int_equal(other.plan.recipe.born, 50);
    text_done(&text);
    static const char *const wrong[] = {"", "\n", "12", "x\n", "-1\n", "123456789012345678901234567890123\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(evolve_task_read(wrong[i], &other, &e));
        assert_string_equal(e.text, "rank 0's task has no seed");
    }
    assert_false(evolve_task_read("1\nnonsense\n", &other, &e));
    assert_string_equal(e.text, "'nonsense' is no line of a recipe; expected name=value");
    assert_false(evolve_task_read("1\ngames=5\n", &other, &e));
    evolve_task_done(&other);
}

/* ---- maps to begin with ---- */

static void add_map(json_t *array, const char *name, const char *rows) {
    struct tbs_map map;
    struct err e = {""};
    map_of_rows(rows, "UNIT[1,1,infantry,0,10,0];UNIT[3,2,infantry,1,10,0];", &map);
    if (!evolve_add_map(array, name, &map, &e))
        fail_msg("%s", e.text);
}

static char *text_of(json_t *array) {
    char *text = json_dumps(array, JSON_COMPACT);
    assert_non_null(text);
    json_decref(array);
    return text;
}

static struct evolve_overrides small_overrides(const char *from) {
    return (struct evolve_overrides){OVERRIDES, .from = from,
                                     .recipe = GIVEN("width", "3", "height", "2", "red_max", "2", "blue_max",
                                                     "2", "born", "3", "population", "2")};
}

static void test_maps(void **state) {
    json_t *array = json_array();
    (void)state;
    add_map(array, "one", "... ...");
    add_map(array, "the second", "..* ...");
    add_map(array, "folder/3", "..^ ...");
    char *from = text_of(array);
    struct evolve_overrides overrides = small_overrides(from);
    check_resolved(&overrides, NULL, EVOLVE_RESOLVED, "");
    assert_int_equal(task.from_count, 3);
    assert_string_equal(task.names[0], "one");
    assert_string_equal(task.names[1], "the second");
    assert_string_equal(task.names[2], "folder/3");
    assert_int_equal(task.from[1].cells[2].terrain, TBS_WOOD);
    assert_int_equal(task.from[2].cells[2].terrain, TBS_MOUNTAIN);
    assert_line(
        "senjutsu evolve --preset paper --seed 1 --width 3 --height 2 --red-max 2 --blue-max 2 --born 3 "
        "--population 2 --from one,'the second',folder/3");
    assert_true(params_give(&overrides.recipe, "born", "2", NULL));
    check_resolved(&overrides, NULL, EVOLVE_FAILED, "--from: 3 maps, but --born is 2: no more than are born");
    assert_true(params_give(&overrides.recipe, "born", "3", NULL));
    assert_true(params_give(&overrides.recipe, "width", "4", NULL));
    check_resolved(&overrides, NULL, EVOLVE_FAILED, "--from one: the map has 3 x 2 cells; expected 4 x 2");
    free(from);
}

/* The limit on the number of maps with stored names. */
static void test_many_maps(void **state) {
    (void)state;
    for (int count = EVOLVE_FROM_MAX; count <= EVOLVE_FROM_MAX + 1; count++) {
        json_t *array = json_array();
        for (int i = 0; i < count; i++)
            add_map(array, "m", "... ...");
        char *from = text_of(array);
        struct evolve_overrides overrides = small_overrides(from);
        assert_true(params_give(&overrides.recipe, "born", "100", NULL));
        if (count <= EVOLVE_FROM_MAX)
            check_resolved(&overrides, NULL, EVOLVE_RESOLVED, "");
        else
            check_resolved(&overrides, NULL, EVOLVE_FAILED,
                           "--from: 65 maps, but --born is 100: no more than are born");
        free(from);
    }
}

static void test_wrong_maps(void **state) {
    static const char *const cases[][2] = {
        {"{}", "the store's maps to begin with cannot be read"},
        {"nonsense", "the store's maps to begin with cannot be read"},
        {"[]", "the store's maps to begin with cannot be read"},
        {"[{\"name\": \"x\"}]", "the store's maps to begin with cannot be read"},
        {"[{\"name\": \"x\", \"map\": \"SIZEX[3];\"}]", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct evolve_overrides overrides = small_overrides(cases[i][0]);
        struct err e = {""};
        evolve_task_done(&task);
        assert_int_equal(evolve_resolve(&overrides, NULL, true, &task, &e), EVOLVE_FAILED);
        assert_int_equal(task.from_count, 0);
        if (cases[i][1] != NULL)
            assert_string_equal(e.text, cases[i][1]);
        else
            assert_memory_equal(e.text, "x:", 2);
    }
    struct tbs_map map;
    struct err e;
    json_t *array = json_array();
    map_of_rows("...", "", &map);
    assert_false(evolve_add_map(array, "\xff", &map, &e));
    assert_string_equal(e.text, "\xff: its name or its text is no UTF-8");
    assert_int_equal(json_array_size(array), 0);
    json_decref(array);
}

/* ---- a folder's store ---- */

static char folder[SCRATCH_PATH_MAX], path[SCRATCH_PATH_MAX + 16];

static struct store *open_store(void) {
    struct err e = {""};
    struct store *store = store_open(path, STORE_WRITE, &e);
    if (store == NULL)
        fail_msg("%s", e.text);
    return store;
}

static void put(struct store *store, const char *name, const char *value) {
    struct err e;
    assert_true(store_put(store, name, value, &e));
}

static void assert_stored(struct store *store, const char *name, const char *expected) {
    struct text text = {0};
    bool found;
    struct err e;
    assert_true(store_get(store, name, &text, &found, &e));
    assert_int_equal(found, expected != NULL);
    if (expected != NULL)
        assert_string_equal(text_string(&text), expected);
    text_done(&text);
}

static void test_goes_on(void **state) {
    json_t *array = json_array();
    (void)state;
    add_map(array, "one", "... ...");
    char *from = text_of(array);
    struct evolve_overrides overrides = small_overrides(from);
    overrides.has_seed = true;
    overrides.seed = 7;
    struct store *store = open_store();
    struct err e = {""};
    assert_int_equal(evolve_resolve(&overrides, store, false, &task, &e), EVOLVE_RESOLVED);
    assert_stored(store, "seed", NULL); /* not writable */
    check_resolved(&overrides, store, EVOLVE_RESOLVED, "");
    assert_stored(store, "seed", "7");
    assert_stored(store, "from", from);
    check_resolved(&(struct evolve_overrides){OVERRIDES}, store, EVOLVE_RESOLVED, "");
    assert_int_equal(task.seed, 7);
    assert_int_equal(task.recipe.space.width, 3);
    assert_int_equal(task.from_count, 1);
    check_resolved(&overrides, store, EVOLVE_RESOLVED, "");
    overrides.seed = 8;
    check_resolved(&overrides, store, EVOLVE_FAILED,
                   "FOLDER was begun with seed 7, now 8; choose another folder or the same arguments");
    overrides.seed = 7;
    overrides.from = "[]";
    check_resolved(
        &overrides, store, EVOLVE_FAILED,
        "FOLDER was begun with other maps than --from WORDS; choose another folder or the same maps");
    overrides = (struct evolve_overrides){OVERRIDES, .recipe = GIVEN("height", "5")};
    check_resolved(
        &overrides, store, EVOLVE_FAILED,
        "FOLDER was begun with other arguments: height was 2 and is now 5; choose another folder or the same "
        "arguments");
    overrides = (struct evolve_overrides){OVERRIDES, .preset = "paper"};
    check_resolved(
        &overrides, store, EVOLVE_FAILED,
        "FOLDER was begun with other arguments: width was 3 and is now 6; choose another folder or the same "
        "arguments");
    store_close(store);
    free(from);
}

static void test_broken_stores(void **state) {
    const struct evolve_overrides overrides = {OVERRIDES};
    (void)state;
    struct store *store = open_store();
    put(store, STORE_RECIPE, "preset=paper\n");
    check_resolved(&overrides, store, EVOLVE_FAILED, "the folder's store has a recipe but no seed");
    put(store, "seed", "seven");
    check_resolved(&overrides, store, EVOLVE_WRONG, "the folder's store has no seed but 'seven'");
    put(store, "seed", "7");
    put(store, "from", "[1]");
    check_resolved(&overrides, store, EVOLVE_FAILED, "the store's maps to begin with cannot be read");
    put(store, STORE_RECIPE, "preset");
    check_resolved(&overrides, store, EVOLVE_WRONG, "'preset' is no line of a recipe; expected name=value");
    store_close(store);
}

static void test_games_of_others(void **state) {
    (void)state;
    struct store *store = open_store();
    const struct store_game game = {.outcome.result = "draw", .outcome.forfeiter = -1, .finished = ""};
    struct err e;
    assert_true(store_add_game(store, &game, &e));
    char expected[256];
    snprintf(expected, sizeof expected, "%s holds the games of something else; choose another file or folder",
             path);
    check_resolved(&(struct evolve_overrides){OVERRIDES}, store, EVOLVE_FAILED, expected);
    assert_stored(store, "seed", NULL);
    store_close(store);
}

static void resolve(void *context) {
    struct err e = {""};
    evolve_task_done(&task);
    if (evolve_resolve(context, NULL, true, &task, &e) != EVOLVE_RESOLVED)
        assert_non_null(strstr(e.text, "memory"));
}

static void test_memory(void **state) {
    json_t *array = json_array();
    (void)state;
    add_map(array, "one", "... ...");
    char *from = text_of(array);
    struct evolve_overrides overrides = small_overrides(from);
    long n = 1;
    evolve_task_done(&task);
    for (; memory_runs_out(n, resolve, &overrides); n++)
        task = (struct evolve_task){0}; /* its parts are freed */
    assert_true(n > 3);
    resolve(&overrides);
    assert_int_equal(task.from_count, 1);
    free(from);
}

/* ---- progress ---- */

static void assert_stage(const struct evolution_progress *p, const char *stage, double planned,
                         double fresh) {
    struct msg m;
    char text[80];
    evolution_progress_stage(p, &m, text, sizeof text);
    assert_string_equal(text, stage);
    assert_true(strncmp(m.code, "stage.", 6) == 0);
    assert_int_equal(m.arg_count, strncmp(stage, "generation", 10) == 0 ? 2 : 0);
    assert_true(evolution_progress_planned(p) > planned - 1e-6 &&
                evolution_progress_planned(p) < planned + 1e-6);
    assert_true(evolution_progress_fresh(p) > fresh - 1e-6 && evolution_progress_fresh(p) < fresh + 1e-6);
}

/* A plan of 10 born, 6 a generation for 3 generations, 4 games each; 2 shown with 6 + 3 fresh games. */
static void plan_small(const char *method, const char *budget, struct plan *out) {
    const char *const fields[][2] = {{"method", method},  {"budget", budget},   {"born", "10"},
                                     {"population", "6"}, {"generations", "3"}, {"games", "4"},
                                     {"verify", "6"},     {"show", "2"}};
    struct recipe recipe;
    struct err e = {""};
    assert_true(recipe_preset(&recipe, "paper", &e));
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        assert_true(recipe_set(&recipe, fields[i][0], fields[i][1], &e));
    if (!recipe_plan(&recipe, out, &e))
        fail_msg("%s", e.text);
}

/* The run has come to a generation, after so many maps and games. */
static bool come_to(struct evolution_progress *p, int number, int evaluations, int games) {
    struct generation generation = {.number = number, .evaluations = evaluations, .games = games};
    const struct evolution ev = {.plan = p->plan,
                                 .generation_count = 1,
                                 .generation_capacity = 1,
                                 .generations = &generation,
                                 .shown_count = 1};
    return evolution_progress_generation(p, &ev);
}

static void test_progress_of_generations(void **state) {
    struct evolution_progress p;
    struct plan plan;
    (void)state;
    plan_small("generations", "0", &plan);
    evolution_progress_init(&p, &plan);
    const struct evolution none = {.plan = &plan};
    assert_false(evolution_progress_generation(&p, &none));
    assert_stage(&p, "birth", (10 + 3 * 6) * 4 + 18, 18);
    assert_true(come_to(&p, 0, 10, 40));
    assert_stage(&p, "generation 1 of 3", 130, 18);
    assert_true(come_to(&p, 2, 22, 88));
    assert_stage(&p, "generation 3 of 3", 130, 18);
    assert_true(come_to(&p, 3, 28, 112));
    assert_stage(&p, "verifying", 112 + 9, 9); /* one is shown */
    const struct evolution over = {.plan = &plan, .generation_count = 1, .verified = true};
    assert_false(evolution_progress_generation(&p, &over));
    evolution_progress_game(&p, false);
    evolution_progress_game(&p, true);
    assert_int_equal(p.games, 2);
    assert_int_equal(p.stored, 1);
}

static void test_progress_with_a_budget(void **state) {
    struct evolution_progress p;
    struct plan plan;
    (void)state;
    plan_small("generations", "60", &plan);
    evolution_progress_init(&p, &plan);
    assert_stage(&p, "birth", 60 + 18, 18);
    come_to(&p, 0, 10, 59);
    come_to(&p, 1, 10, 59); /* no archive: no finals */
    assert_stage(&p, "generation 2 of 3", 78, 18);
    come_to(&p, 1, 16, 60);
    assert_stage(&p, "verifying", 69, 9);
    plan_small("generations", "111", &plan);
    assert_int_equal(evolution_games_planned(&plan), 111);
    plan_small("generations", "113", &plan);
    assert_int_equal(evolution_games_planned(&plan), 112);
}

static void test_progress_of_an_archive(void **state) {
    struct evolution_progress p;
    struct plan plan;
    (void)state;
    plan_small("archive", "0", &plan);
    evolution_progress_init(&p, &plan);
    assert_stage(&p, "birth", 0, 18); /* the length of races is not predictable */
    come_to(&p, 0, 10, 30);
    assert_stage(&p, "generation 1 of 3", 3.0 * (10 + 3 * 6) + 18, 18);
    come_to(&p, 1, 10, 30); /* without a budget this changes nothing */
    assert_stage(&p, "generation 2 of 3", 102, 18);
    come_to(&p, 3, 28, 90);
    assert_stage(&p, "judging the best again", 0, 9);
    come_to(&p, 4, 28, 100);
    assert_stage(&p, "verifying", 109, 9);
    plan_small("archive", "100", &plan);
    evolution_progress_init(&p, &plan);
    come_to(&p, 0, 10, 30);
    assert_stage(&p, "generation 1 of 3", 118, 18);
    come_to(&p, 1, 10, 35); /* no new maps: the reserve is played */
    assert_stage(&p, "verifying", 44, 9);
}

/* ---- all of them ---- */

static int enter(void **state) {
    (void)state;
    if (!scratch_folder("task", folder))
        return -1;
    snprintf(path, sizeof path, "%s/games.db", folder);
    return 0;
}

static int leave(void **state) {
    static const char *const endings[] = {"", "-wal", "-shm", "-journal", "-lock", ".lock"};
    (void)state;
    evolve_task_done(&task);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        char name[SCRATCH_PATH_MAX + 32];
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
    return rmdir(folder);
}

static int done(void **state) {
    (void)state;
    evolve_task_done(&task);
    return 0;
}

#define WITH_STORE(test) cmocka_unit_test_setup_teardown(test, enter, leave)
#define ALONE(test)      cmocka_unit_test_teardown(test, done)

int main(void) {
    const struct CMUnitTest tests[] = {
        ALONE(test_defaults),
        ALONE(test_overrides),
        ALONE(test_words_for_a_shell),
        ALONE(test_for_other_ranks),
        ALONE(test_maps),
        ALONE(test_many_maps),
        ALONE(test_wrong_maps),
        ALONE(test_memory),
        WITH_STORE(test_goes_on),
        WITH_STORE(test_broken_stores),
        WITH_STORE(test_games_of_others),
        ALONE(test_progress_of_generations),
        ALONE(test_progress_with_a_budget),
        ALONE(test_progress_of_an_archive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
