/* SPDX-License-Identifier: MIT
 *
 * Studies with people: the design of the orders, steps that count once, what erasing leaves, and reports that
 * find the known tastes of simulated raters.
 */
#include "base/file.h"
#include "base/mem.h"
#include "base/numbers.h"
#include "study/report.h"
#include "tests/store_support.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* ---- studies ---- */

static char *copy(const char *text) {
    return mem_copy(text, strlen(text) + 1);
}

/* Random maps of many kinds of terrain, in three groups. */
static void make_plan(int maps, uint64_t seed, struct study_plan *out) {
    static const char *const groups[] = {"low", "high", "human"};
    *out = (struct study_plan){.seed = seed, .places = 3, .rules = "tubstap", .player = "random"};
    for (int i = 0; i < STUDY_LANGUAGES; i++) {
        out->title[i] = copy(i == 0 ? "A study" : "調査");
        out->consent[i] = copy("I agree.");
    }
    strcpy(out->code, "openopenopenopen");
    out->maps = mem_alloc((size_t)maps * sizeof *out->maps);
    for (; out->map_count < maps; out->map_count++) {
        struct study_map *map = &out->maps[out->map_count];
        struct tbs_random_options options;
        struct rng r;
        struct err e;
        rng_seed_stream(&r, 11, (uint64_t)out->map_count);
        tbs_random_defaults(&options);
        options.weight[TBS_PLAIN] = 10 + (int)rng_below(&r, 80);
        options.weight[TBS_ROAD] = 4 + (int)rng_below(&r, 40);
        options.weight[TBS_WOOD] = 5 + (int)rng_below(&r, 40);
        options.weight[TBS_MOUNTAIN] = (int)rng_below(&r, 20);
        options.weight[TBS_SEA] = (int)rng_below(&r, 20);
        assert_true(tbs_map_random(&options, &r, &map->map, &e));
        snprintf(map->name, sizeof map->name, "map%02d", out->map_count);
        strcpy(map->group, groups[out->map_count % 3]);
    }
}

static struct study *create(const char *name, int maps) {
    struct study_plan plan;
    struct err e = {{0}};
    make_plan(maps, 5, &plan);
    struct study *study = study_create(store_path(name), &plan, &e);
    if (study == NULL)
        fail_msg("%s", e.text);
    return study;
}

static struct study *reopen(struct study *study, const char *name) {
    struct err e = {{0}};
    study_close(study);
    study = study_open(store_path(name), STORE_WRITE, &e);
    if (study == NULL)
        fail_msg("%s", e.text);
    return study;
}

static struct study_person *add_person(struct study *study, int number, const char *visit) {
    char key[STUDY_KEY_MAX];
    struct err e;
    snprintf(key, sizeof key, "secretsecret%04d", number);
    struct study_person *person = study_add_person(study, key, visit, &e);
    assert_non_null(person);
    assert_int_equal(person->number, number);
    const struct study_consent consent = {
        .language = STUDY_JAPANESE, .name = "Hanako", .about = {2, -1}, .date = "2024-05-01"};
    assert_true(study_consent(study, person, &consent, &e));
    return person;
}

/* A game that the participant won. */
static void play(struct study *study, struct study_person *person, int position, int side) {
    const struct study_answer *answer = study_answer(study, person, position);
    const int index = answer->game_count;
    struct study_game game = {.side = side, .table = "tabletabletable2", .key = "seatseatseatseat"};
    const struct outcome outcome = {.played = true,
                                    .payoff = side == TBS_RED ? 1 : 0,
                                    .forfeiter = -1,
                                    .actions = 9,
                                    .turns = 4,
                                    .result = "red annihilation"};
    const struct study_result result = {&outcome, 77, "{\"by\":\"Hanako\"}", "2024-05-01"};
    struct err e;
    assert_true(study_start_game(study, person, position, index, &game, &e));
    assert_false(answer->games[index].is_over);
    assert_true(study_end_game(study, person, study_map_at(&study->plan, person->place, position), index,
                               &result, &e));
}

static void rate(struct study *study, struct study_person *person, int position, int handmade, int fun) {
    struct err e;
    assert_true(study_rate(study, person, position, STUDY_HANDMADE, handmade, &e));
    assert_true(study_rate(study, person, position, STUDY_FUN, fun, &e));
}

/* ---- the design ---- */

static void assert_balanced(int count) {
    const int blocks = 2, places = blocks * count;
    int in_place[STUDY_MAPS_MAX][STUDY_MAPS_MAX] = {{0}}, after[STUDY_MAPS_MAX][STUDY_MAPS_MAX] = {{0}};
    int first[STUDY_MAPS_MAX] = {0}, first_in[STUDY_MAPS_MAX] = {0};
    struct study_plan plan = {.seed = 9, .map_count = count};
    for (int place = 0; place < places; place++) {
        unsigned seen = 0;
        for (int i = 0; i < count; i++) {
            const int map = study_map_at(&plan, place, i), side = study_side_at(&plan, place, i);
            seen |= 1U << map;
            in_place[map][i]++;
            first[map] += side;
            first_in[i] += side;
            if (i > 0) {
                after[study_map_at(&plan, place, i - 1)][map]++;
                assert_int_equal(side, 1 - study_side_at(&plan, place, i - 1));
            }
        }
        assert_int_equal(seen, (1U << count) - 1); /* an order is a permutation */
        for (int map = 0; map < count && place % count == count - 1; map++)
            for (int i = 0; i < count; i++) /* a block has every map in every place once */
                assert_int_equal(in_place[map][i], place / count + 1);
    }
    for (int map = 0; map < count; map++) {
        assert_int_equal(2 * first[map], places);
        assert_int_equal(2 * first_in[map], places);
        for (int other = 0; other < count; other++)
            assert_int_equal(after[map][other], map == other ? 0 : blocks);
    }
}

static void orders_and_sides_are_balanced(void **state) {
    (void)state;
    for (int count = STUDY_MAPS_MIN; count <= 13; count++)
        assert_balanced(count);
    assert_balanced(STUDY_MAPS_MAX);
}

static void the_seed_draws_the_orders(void **state) {
    (void)state;
    struct study_plan a = {.seed = 1, .map_count = 8}, b = {.seed = 2, .map_count = 8};
    int same = 0;
    for (int place = 0; place < 16; place++)
        for (int i = 0; i < 8; i++)
            same += study_map_at(&a, place, i) == study_map_at(&b, place, i);
    assert_in_range(same, 2, 40); /* of 128, one in eight by chance */
}

/* ---- steps ---- */

static void steps_lead_to_the_end(void **state) {
    (void)state;
    struct study *study = create("steps.study", 3);
    struct err e;
    struct study_person *person = study_add_person(study, "secretsecret0001", "", &e);
    assert_int_equal(study_stage(study, person), STUDY_CONSENT);
    const struct study_consent consent = {.name = "", .about = {0, 3}, .date = ""};
    assert_true(study_consent(study, person, &consent, &e));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(study_stage(study, person), STUDY_MAPS);
        assert_int_equal(study_state(study, person, i), STUDY_OPEN);
        assert_int_equal(study_state(study, person, 2), i < 2 ? STUDY_WAITING : STUDY_OPEN);
        assert_true(study_rate(study, person, i, (enum study_question)(i % 2), 1, &e));
        play(study, person, i, TBS_BLUE);
        play(study, person, i, TBS_RED);
        assert_false(study_is_rated(study_answer(study, person, i))); /* one of two questions */
        assert_int_equal(study_state(study, person, i), STUDY_OPEN);
        assert_true(study_rate(study, person, i, (enum study_question)(1 - i % 2), 5, &e));
        assert_int_equal(study_state(study, person, i), STUDY_DONE);
    }
    assert_int_equal(study_stage(study, person), STUDY_CLOSING);
    study = reopen(study, "steps.study");
    assert_int_equal(study->persons[0]->about[0], 0);
    assert_int_equal(study->persons[0]->about[1], 3);
    assert_int_equal(study->persons[0]->language, STUDY_ENGLISH);
    assert_int_equal(study_stage(study, study->persons[0]), STUDY_CLOSING);
    study_close(study);
    study = create("games.study", 3);
    person = study_add_person(study, "secretsecret0001", "", &e);
    assert_true(study_consent(study, person, &consent, &e));
    for (int i = 0; i < 3; i++) { /* ratings alone are not enough, nor is one side */
        rate(study, person, i, 1, 5);
        assert_int_equal(study_state(study, person, i), STUDY_OPEN);
        play(study, person, i, TBS_RED);
        assert_int_equal(study_state(study, person, i), STUDY_OPEN);
        play(study, person, i, TBS_BLUE);
        assert_int_equal(study_state(study, person, i), STUDY_DONE);
    }
    assert_int_equal(study_stage(study, person), STUDY_CLOSING);
    assert_true(study_finish(study, person, "2024-05-01", &e));
    assert_true(study_finish(study, person, "2024-05-02", &e));
    assert_int_equal(study_stage(study, person), STUDY_FINISHED);
    study_close(study);
}

/* What was stored comes back; a step that is sent again replaces itself. */
static void steps_count_once(void **state) {
    (void)state;
    struct study *study = create("once.study", 4);
    struct study_person *person = add_person(study, 1, "");
    struct err e;
    play(study, person, 0, TBS_BLUE);
    play(study, person, 0, TBS_RED);
    rate(study, person, 0, 2, 2);
    rate(study, person, 0, 3, 2);
    rate(study, person, 0, 3, 2);
    assert_true(study_comment(study, person, 0, "one", &e));
    assert_true(study_comment(study, person, 0, "two\nlines", &e));
    assert_true(study_comment(study, person, -1, "all", &e));
    const struct study_game waiting = {.side = TBS_RED, .table = "first", .key = "key"};
    const struct study_game again = {.side = TBS_RED, .table = "second", .key = "key"};
    assert_true(study_start_game(study, person, 1, 0, &waiting, &e));
    assert_true(study_start_game(study, person, 1, 0, &again, &e)); /* the first was lost */
    for (int round = 0; round < 2; round++) {
        person = study_find(study, "secretsecret0001");
        assert_non_null(person);
        const struct study_answer *answer = study_answer(study, person, 0);
        assert_int_equal(answer->game_count, 2);
        assert_int_equal(answer->games[0].side, TBS_BLUE);
        assert_true(answer->games[0].is_over && fabs(answer->games[0].won - 1) < 1e-12);
        assert_true(fabs(answer->games[1].won - 1) < 1e-12);
        assert_int_equal(answer->games[1].actions, 9);
        assert_string_equal(answer->games[1].result, "red annihilation");
        assert_int_equal(answer->ratings[STUDY_HANDMADE], 3);
        assert_string_equal(answer->comment, "two\nlines");
        assert_string_equal(person->comment, "all");
        assert_string_equal(person->name, "Hanako");
        assert_int_equal(person->language, STUDY_JAPANESE);
        assert_int_equal(person->about[0], 2);
        assert_int_equal(person->about[1], -1);
        assert_int_equal(study_answer(study, person, 1)->game_count, 1);
        assert_string_equal(study_answer(study, person, 1)->games[0].table, "second");
        assert_false(study_answer(study, person, 1)->games[0].is_over);
        study = reopen(study, "once.study");
    }
    assert_int_equal(count_games(study->store, 0, false).games, 2);
    study_close(study);
}

static void keys_are_secrets(void **state) {
    (void)state;
    struct study *study = create("keys.study", 2);
    add_person(study, 1, "");
    add_person(study, 2, "visitvisitvisit1");
    struct study *other = create("others.study", 2);
    add_person(other, 1, "visitvisitvisit2");
    assert_int_equal(study_find_visit(other, "visitvisitvisit2")->number, 1);
    assert_null(study_find_visit(other, "visitvisitvisit1"));
    assert_int_equal(study_open_places(other), 2);
    study_close(other);
    assert_int_equal(study_find(study, "secretsecret0002")->number, 2);
    assert_null(study_find(study, ""));
    assert_null(study_find(study, "secretsecret000"));
    assert_null(study_find(study, "secretsecret00011"));
    assert_null(study_find(study, "visitvisitvisit1"));
    assert_null(study_find_visit(study, "")); /* the first has none */
    assert_int_equal(study_find_visit(study, "visitvisitvisit1")->number, 2);
    assert_true(study_is_code(study, "openopenopenopen"));
    assert_false(study_is_code(study, ""));
    assert_int_equal(study_open_places(study), 2);
    study_close(study);
}

/* ---- erasing ---- */

static bool file_has(const char *name, const char *needle) {
    struct text text = {0};
    struct err e;
    bool found = false;
    if (file_read(store_path(name), 1 << 26, &text, &e))
        for (size_t i = 0; !found && i + strlen(needle) <= text.size; i++)
            found = memcmp(text.data + i, needle, strlen(needle)) == 0;
    text_done(&text);
    return found;
}

/* In the file and in its log, while it is open. */
static bool has_trace(const char *needle) {
    return file_has("erase.study", needle) || file_has("erase.study-wal", needle);
}

static void erasing_leaves_nothing(void **state) {
    (void)state;
    struct study *study = create("erase.study", 4);
    struct err e;
    struct study_person *first = add_person(study, 1, "visitvisitvisit1"), *second = add_person(study, 2, "");
    assert_true(study_comment(study, first, 0, "I live in the blue house", &e));
    assert_true(study_comment(study, second, 0, "I stay", &e));
    play(study, first, 0, TBS_RED);
    play(study, second, 0, TBS_RED);
    study = reopen(study, "erase.study"); /* some of it is in the file, the rest in the log */
    first = study_find_number(study, 1);
    rate(study, first, 0, 5, 1);
    assert_true(study_comment(study, first, 1, "and I like green", &e));
    assert_true(has_trace("secretsecret0001") && has_trace("blue house") && has_trace("like green"));
    bool traces = true;
    assert_true(study_erase(study, first, &traces, &e));
    assert_false(traces);
    assert_false(has_trace("secretsecret0001"));
    assert_false(has_trace("visitvisitvisit1"));
    assert_false(has_trace("blue house"));
    assert_false(has_trace("like green"));
    assert_true(has_trace("secretsecret0002") && has_trace("I stay"));
    assert_null(study_find(study, "secretsecret0001"));
    assert_true(study_was_erased(study, "visitvisitvisit1"));
    assert_false(study_was_erased(study, "visitvisitvisit2"));
    assert_int_equal(study_open_places(study), 3);
    study = reopen(study, "erase.study");
    assert_null(study_find_number(study, 1));
    assert_int_equal(count_games(study->store, 0, false).games, 1);
    const struct study_person *third = add_person(study, 3, ""); /* a number is not given again */
    assert_int_equal(third->place, 0);                           /* the place in the design is */
    assert_int_equal(study_find_number(study, 2)->place, 1);
    assert_true(store_check(study->store, &e));
    study_close(study);
}

/* ---- files ---- */

static void expect_refused(const char *name, const char *words) {
    struct err e = {{0}};
    if (study_open(store_path(name), STORE_READ, &e) != NULL)
        fail_msg("%s was opened", name);
    if (strstr(e.text, words) == NULL)
        fail_msg("%s", e.text);
}

static void damaged_studies_are_refused(void **state) {
    static const char *const texts[][2] = {
        {"person/0001/map/07/fun", "3"},
        {"person/0001/map/00/fun", "6"},
        {"person/0001/map/00/fun", "x"},
        {"person/0001/map/00/game/01", "{\"side\":0}"},
        {"person/0001/shoes", "brown"},
        {"person/none", ""},
        {"person/0001/consent", "{}"},
        {"person/0001/link", "{\"key\":\"too long to be a key of a study\"}"},
        {"study", "{\"format\":\"other\"}"}};
    (void)state;
    struct err e;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        char name[32], words[80];
        snprintf(name, sizeof name, "damaged%zu.study", i);
        struct study *study = create(name, 2);
        add_person(study, 1, "");
        assert_true(store_put(study->store, texts[i][0], texts[i][1], &e));
        study_close(study);
        snprintf(words, sizeof words, "text '%s' cannot be read", texts[i][0]);
        expect_refused(name, strcmp(texts[i][0], "study") == 0 ? "format" : words);
    }
    static const char *const members[][2] = {
        {"places", "-1"},
        {"places", "2001"},
        {"places", "null"},
        {"seed", "\"x\""},
        {"player", "7"},
        {"code", "\"a code that is much too long\""},
        {"maps", "[]"},
        {"rules", "\"go\""},
        {"title", "{\"en\":\"only\"}"},
        {"maps", "[{\"name\":\"a\",\"group\":\"\",\"map\":\"MAP[0]\"},{}]"},
        {"consent", "{\"en\":1,\"ja\":\"\"}"}};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        char name[32];
        bool found;
        struct text plan_text = {0};
        snprintf(name, sizeof name, "plan%zu.study", i);
        struct study *study = create(name, 2);
        assert_true(store_get(study->store, "study", &plan_text, &found, &e));
        json_t *root = json_loads(text_string(&plan_text), 0, NULL);
        json_object_set_new(root, members[i][0], json_loads(members[i][1], JSON_DECODE_ANY, NULL));
        char *changed = json_dumps(root, 0);
        assert_true(store_put(study->store, "study", changed, &e));
        free(changed);
        json_decref(root);
        text_done(&plan_text);
        study_close(study);
        expect_refused(name, "text 'study' cannot be read");
    }
    struct store *store = open_store("match.study", STORE_WRITE);
    add_number(store, 1);
    store_close(store);
    expect_refused("match.study", "it is no study with people");
    struct study_plan plan;
    make_plan(2, 1, &plan);
    assert_null(study_create(store_path("match.study"), &plan, &e));
    assert_non_null(strstr(e.text, "is there already"));
    study_plan_done(&plan);
}

/* ---- reports ---- */

enum { RATERS = 20 };

/* A taste: how much the standardized parts of naturalness matter, and how firm the judgement is. */
struct taste {
    double weights[NATURAL_PARTS], noise;
};

/* Two numbers from the standard normal distribution. */
static double draw_normal(struct rng *r) {
    return stats_normal_quantile((rng_unit(r) + 1e-9) / (1 + 2e-9));
}

/* What an ideal rater thinks of each map: 3 is the middle. */
static void think(const struct study *study, const struct taste *taste, double out[STUDY_MAPS_MAX]) {
    const int maps = study->plan.map_count;
    struct err e;
    for (int map = 0; map < maps; map++)
        out[map] = 3;
    for (int part = 0; part < NATURAL_PARTS; part++) {
        double values[STUDY_MAPS_MAX], mean = 0, squares = 0;
        for (int map = 0; map < maps; map++) {
            struct static_features features;
            static_features_of(&study->plan.maps[map].map, tbs_read_rules("tubstap", &e), &features);
            values[map] = features.parts[part];
            mean += values[map] / maps;
        }
        for (int map = 0; map < maps; map++)
            squares += (values[map] - mean) * (values[map] - mean) / maps;
        for (int map = 0; squares > 0 && map < maps; map++)
            out[map] += taste->weights[part] * (values[map] - mean) / sqrt(squares);
    }
}

static int to_scale(double opinion) {
    const double rounded = floor(opinion + 0.5);
    return rounded < 1 ? 1 : rounded > 5 ? 5 : (int)rounded;
}

static struct study *simulate(const char *name, int maps, const struct taste *taste) {
    struct study *study = create(name, maps);
    double opinion[STUDY_MAPS_MAX];
    think(study, taste, opinion);
    for (int i = 0; i < RATERS; i++) {
        struct study_person *person = add_person(study, i + 1, "");
        struct rng r;
        rng_seed_stream(&r, 21, (uint64_t)i);
        for (int position = 0; position < maps; position++) {
            const int map = study_map_at(&study->plan, person->place, position);
            const int handmade = to_scale(opinion[map] + taste->noise * draw_normal(&r));
            play(study, person, position, TBS_RED);
            play(study, person, position, TBS_BLUE);
            rate(study, person, position, handmade, 6 - handmade); /* and likes the opposite */
        }
    }
    return study;
}

/* The chance of each rating of an opinion with normal noise. */
static void chances_of(double opinion, double noise, double out[6]) {
    for (int value = 1; value <= 5; value++) {
        const double low = value == 1 ? 0 : stats_normal((value - 0.5 - opinion) / noise),
                     high = value == 5 ? 1 : stats_normal((value + 0.5 - opinion) / noise);
        out[value] = high - low;
    }
}

/* Krippendorff's alpha of endlessly many raters of this taste, from the chances of all pairs of ratings. */
static double true_alpha(const double *opinion, int maps, double noise) {
    double share[6] = {0}, both[6][6] = {{0}}, observed = 0, expected = 0;
    for (int map = 0; map < maps; map++) {
        double p[6];
        chances_of(opinion[map], noise, p);
        for (int c = 1; c <= 5; c++) {
            share[c] += p[c] / maps;
            for (int k = 1; k <= 5; k++)
                both[c][k] += p[c] * p[k] / maps;
        }
    }
    for (int c = 1; c <= 5; c++)
        for (int k = c + 1; k <= 5; k++) {
            double distance = (share[c] + share[k]) / 2;
            for (int g = c + 1; g < k; g++)
                distance += share[g];
            observed += both[c][k] * distance * distance;
            expected += share[c] * share[k] * distance * distance;
        }
    return 1 - observed / expected;
}

static double true_mean(double opinion, double noise) {
    double p[6], mean = 0;
    chances_of(opinion, noise, p);
    for (int value = 1; value <= 5; value++)
        mean += value * p[value];
    return mean;
}

static void known_tastes_are_found(void **state) {
    (void)state;
    enum { MAPS = 12 };
    const struct taste taste = {.weights = {[NATURAL_ROADS] = 0.5, [NATURAL_COHERENCE] = 0.9}, .noise = 0.7};
    struct study *study = simulate("tastes.study", MAPS, &taste);
    struct study_report report;
    struct err e;
    double opinion[STUDY_MAPS_MAX], measured[MAPS];
    int held = 0;
    think(study, &taste, opinion);
    assert_true(study_report(study, &report, &e));
    assert_int_equal(report.participants, RATERS);
    assert_int_equal(report.games, RATERS * MAPS * 2);
    for (int map = 0; map < MAPS; map++) {
        const struct ratings_mean *mean = &report.maps[map].means[STUDY_HANDMADE];
        const double truth = true_mean(opinion[map], taste.noise);
        assert_int_equal(mean->count, RATERS);
        assert_true(fabs(mean->mean - truth) < 0.6);
        held += mean->interval.low <= truth && truth <= mean->interval.high;
        measured[map] = mean->mean;
    }
    assert_in_range(held, MAPS - 2, MAPS);
    assert_true(ratings_spearman(opinion, measured, MAPS).value > 0.9); /* the order of the maps */
    /* Naturalness has the same parts in it: people who like them agree with it, and it shows. */
    const struct ratings_correlation *natural = &report.spearman[STUDY_HANDMADE][STUDY_NATURAL];
    assert_int_equal(natural->count, MAPS);
    assert_true(natural->value > 0.6 && natural->interval.low > 0);
    assert_true(report.kendall[STUDY_HANDMADE][STUDY_NATURAL].value > 0.4);
    assert_true(report.spearman[STUDY_FUN][STUDY_NATURAL].interval.high < 0);
    assert_true(report.spearman[STUDY_HANDMADE][STUDY_OTHER_QUESTION].value < -0.95);
    assert_int_equal(report.spearman[STUDY_HANDMADE][STUDY_FITNESS].count, 0); /* not judged */
    struct text text = {0};
    char wanted[200];
    snprintf(wanted, sizeof wanted,
             "\nhandmade,naturalness,spearman,%d,%.4f,%.4f,%.4f\nhandmade,naturalness,kendall,", MAPS,
             natural->value, natural->interval.low, natural->interval.high);
    study_report_csv(&report, STUDY_TABLE_CORRELATIONS, &text);
    assert_non_null(strstr(text_string(&text), wanted));
    text_done(&text);
    const struct ratings_alpha *alpha = &report.alpha[STUDY_HANDMADE];
    const double truth = true_alpha(opinion, MAPS, taste.noise);
    if (fabs(alpha->value - truth) > 0.07 || alpha->interval.low > truth || alpha->interval.high < truth)
        fail_msg("alpha %.3f (%.3f to %.3f), true %.3f", alpha->value, alpha->interval.low,
                 alpha->interval.high, truth);
    assert_int_equal(report.concordance[STUDY_HANDMADE].raters, RATERS);
    assert_true(report.concordance[STUDY_HANDMADE].value > 0.5);
    study_close(study);
}

static void raters_without_a_taste_agree_by_chance(void **state) {
    (void)state;
    const struct taste none = {.noise = 1.2};
    struct study *study = simulate("chance.study", 6, &none);
    struct study_report report;
    struct err e;
    assert_true(study_report(study, &report, &e));
    assert_true(fabs(report.alpha[STUDY_HANDMADE].value) < 0.08);
    assert_true(report.concordance[STUDY_HANDMADE].value < 0.2);
    assert_int_equal(report.group_count, 3);
    for (int i = 0; i < 3; i++) {
        const struct ratings_mean *mean = &report.groups[i].means[STUDY_HANDMADE];
        assert_int_equal(mean->count, RATERS); /* each once, although two maps are of the group */
        assert_true(mean->interval.low < 3 && mean->interval.high > 3);
    }
    study_close(study);
}

static void fitness_is_correlated_once_it_is_stored(void **state) {
    (void)state;
    const struct taste taste = {.weights = {[NATURAL_COHERENCE] = 1}, .noise = 0.3};
    struct study *study = simulate("fitness.study", 6, &taste);
    struct study_report report;
    struct err e;
    double opinion[STUDY_MAPS_MAX];
    think(study, &taste, opinion);
    for (int map = 0; map < 6; map++) {
        char name[32], value[200];
        snprintf(name, sizeof name, "fitness/%02d", map);
        snprintf(value, sizeof value,
                 "{\"strong\":\"s\",\"weak\":\"w\",\"games\":20,\"fitness\":%f,\"strength\":0.5,"
                 "\"interval\":[0.4,0.6],\"red\":null}",
                 100 - opinion[map]);
        assert_true(study_put_text(study, name, value, &e));
    }
    assert_true(study_report(study, &report, &e));
    const struct ratings_correlation *c = &report.spearman[STUDY_HANDMADE][STUDY_FITNESS];
    assert_int_equal(c->count, 6);
    assert_true(c->value < -0.8 && c->interval.high < 0.5);
    study_close(study);
}

static void tables_hold_what_was_given(void **state) {
    (void)state;
    struct study *study = create("tables.study", 2);
    struct study_person *person = add_person(study, 1, "");
    struct study_report report;
    struct text text = {0};
    struct err e;
    play(study, person, 0, study_side_at(&study->plan, 0, 0));
    rate(study, person, 0, 4, 2);
    assert_true(study_comment(study, person, 0, "=1+1, \"so\"", &e));
    assert_true(study_report(study, &report, &e));
    const char *map = study->plan.maps[study_map_at(&study->plan, 0, 0)].name;
    char wanted[300];
    study_report_csv(&report, STUDY_TABLE_RATINGS, &text);
    snprintf(wanted, sizeof wanted, "participant,position,map,group,question,rating\n1,1,%s,%s,handmade,4\n",
             map, study->plan.maps[study_map_at(&study->plan, 0, 0)].group);
    assert_memory_equal(text_string(&text), wanted, strlen(wanted));
    text_clear(&text);
    study_report_csv(&report, STUDY_TABLE_COMMENTS, &text);
    assert_non_null(
        strstr(text_string(&text), ",\"'=1+1, \"\"so\"\"\"\n")); /* no formula for a spreadsheet */
    text_clear(&text);
    study_report_csv(&report, STUDY_TABLE_PARTICIPANTS, &text);
    assert_string_equal(text_string(&text),
                        "participant,place,language,finished,hours,titles\n1,1,ja,no,20,\n");
    assert_null(strstr(text_string(&text), "Hanako"));
    text_clear(&text);
    study_report_csv(&report, STUDY_TABLE_MAPS, &text);
    const struct static_features *f = &report.maps[1].features;
    const int map_1_is_rated = study_map_at(&study->plan, 0, 0) == 1;
    snprintf(wanted, sizeof wanted, "map01,high,%s,,,,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f\n",
             map_1_is_rated ? "4.000,1.000,5.000,1,2.000,1.000,5.000,1" : ",1.000,5.000,0,,1.000,5.000,0",
             f->natural, f->parts[NATURAL_ROADS], f->parts[NATURAL_COHERENCE], f->parts[NATURAL_PREY],
             f->parts[NATURAL_REACH], f->parts[NATURAL_GATHERED], f->parts[NATURAL_CALM]);
    assert_non_null(strstr(text_string(&text), wanted));
    text_clear(&text);
    study_report_write(&report, &text);
    assert_non_null(strstr(text_string(&text), "  4.0 [1.0-5.0]  2.0 [1.0-5.0]       1        -  "));
    assert_non_null(
        strstr(text_string(&text), "participants: 1, consented: 1, finished: 0; games against random: 1"));
    text_done(&text);
    json_t *json = study_report_json(&report);
    assert_int_equal(json_array_size(json_object_get(json, "maps")), 2);
    assert_int_equal(json_array_size(json_object_get(json, "correlations")), 10);
    json_decref(json);
    study_close(study);
}

/* Ratings that are missing do not count as zero, and the lowest ones count. */
static void means_of_groups_are_exact(void **state) {
    (void)state;
    struct study *study = create("groups.study", 6); /* low: maps 0 and 3 */
    struct study_report report;
    struct err e;
    for (int i = 1; i <= 2; i++) {
        struct study_person *person = add_person(study, i, "");
        for (int position = 0; position < 6; position++) {
            const int map = study_map_at(&study->plan, person->place, position);
            if (map == 0 || (map == 3 && i == 1))
                rate(study, person, position, map == 0 ? 1 : 4, 5);
        }
    }
    assert_true(study_report(study, &report, &e));
    assert_string_equal(report.groups[0].name, "low");
    assert_int_equal(report.groups[0].means[STUDY_HANDMADE].count, 2);
    assert_true(fabs(report.groups[0].means[STUDY_HANDMADE].mean - (2.5 + 1) / 2) < 1e-12);
    assert_int_equal(report.groups[1].means[STUDY_HANDMADE].count, 0);
    assert_int_equal(report.maps[3].means[STUDY_FUN].count, 1);
    study_close(study);
}

/* ---- naturalness by people ---- */

static void weights_of_naturalness_are_found(void **state) {
    (void)state;
    const struct taste taste = {
        .weights = {[NATURAL_ROADS] = 0.9, [NATURAL_COHERENCE] = 0.5, [NATURAL_CALM] = -0.3}, .noise = 0.6};
    struct study *study = simulate("weights.study", STUDY_MAPS_MAX, &taste);
    struct study_fit fit;
    struct err e;
    assert_true(study_fit_naturalness(study, &fit, &e));
    const double *found = fit.fit.standardized;
    if (!(found[NATURAL_ROADS] > found[NATURAL_COHERENCE] && found[NATURAL_COHERENCE] > 0.2 &&
          found[NATURAL_CALM] < -0.05))
        fail_msg("roads %.2f, coherence %.2f, calm %.2f", found[NATURAL_ROADS], found[NATURAL_COHERENCE],
                 found[NATURAL_CALM]);
    for (int part = 0; part < NATURAL_PARTS; part++)
        if (part != NATURAL_ROADS && part != NATURAL_COHERENCE)
            assert_true(fabs(found[part]) < found[NATURAL_COHERENCE]);
    assert_true(fit.fit.error < 0.6 * fit.fit.error_mean);
    assert_int_equal(fit.maps, STUDY_MAPS_MAX);
    assert_int_equal(fit.ratings, RATERS * STUDY_MAPS_MAX);
    /* Naturalness is the rating of the fit, brought from 1 … 5 to 0 … 1. */
    double opinion[STUDY_MAPS_MAX];
    think(study, &taste, opinion);
    for (int map = 0; map < STUDY_MAPS_MAX; map++) {
        struct static_features features;
        static_features_of(&study->plan.maps[map].map, tbs_read_rules("tubstap", &e), &features);
        const double wanted = (true_mean(opinion[map], taste.noise) - 1) / 4;
        assert_true(fabs(naturalness_of(&fit.naturalness, &features) - wanted) < 0.17);
    }
    study_close(study);
}

static void few_ratings_fit_nothing(void **state) {
    (void)state;
    struct study *study = create("few.study", 6);
    struct study_fit fit;
    struct err e;
    for (int i = 1; i <= 3; i++) {
        struct study_person *person = add_person(study, i, "");
        for (int position = 0; position < 6; position++)
            if (i < 3 || study_map_at(&study->plan, person->place, position) < 3)
                rate(study, person, position, 1 + position % 5, 1);
    }
    assert_false(study_fit_naturalness(study, &fit, &e));
    assert_non_null(strstr(e.text, "3 maps were rated by at least 3 participants, 4 such maps are needed"));
    study_close(study);
}

static void weights_are_read_as_they_are_written(void **state) {
    static const char *const wrong[] = {"",          "roads",          "roads=x",   "roads=1,roads=2",
                                        "shoes=1",   "roads=nan",      "roads=1e9", "ours,roads=1",
                                        "base=0.1,", "base=1,base=0.5"};
    (void)state;
    struct naturalness read;
    struct text text = {0};
    struct err e;
    struct static_features features = {.natural = 0.25, .parts = {0.5, 1, 0, 0, 0, 1}};
    assert_true(naturalness_read("ours", &read, &e));
    assert_true(fabs(naturalness_of(&read, &features) - 0.25) < 1e-12);
    assert_true(naturalness_read("base=0.1,calm=-0.25, roads=0.5", &read, &e));
    assert_true(fabs(naturalness_of(&read, &features) - 0.1) < 1e-12);
    features.parts[NATURAL_ROADS] = 9;
    assert_true(fabs(naturalness_of(&read, &features) - 1) < 1e-12); /* cut at the ends */
    naturalness_write(&read, &text);
    assert_string_equal(text_string(&text),
                        "base=0.1,roads=0.5,coherence=0,prey=0,reach=0,gathered=0,calm=-0.25");
    text_done(&text);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (naturalness_read(wrong[i], &read, &e))
            fail_msg("'%s' was read", wrong[i]);
}

int main(void) {
    const struct CMUnitTest on_disk[] = {
        cmocka_unit_test(erasing_leaves_nothing),
    };
    const struct CMUnitTest in_memory[] = {
        cmocka_unit_test(orders_and_sides_are_balanced),
        cmocka_unit_test(the_seed_draws_the_orders),
        cmocka_unit_test(steps_lead_to_the_end),
        cmocka_unit_test(steps_count_once),
        cmocka_unit_test(keys_are_secrets),
        cmocka_unit_test(damaged_studies_are_refused),
        cmocka_unit_test(known_tastes_are_found),
        cmocka_unit_test(raters_without_a_taste_agree_by_chance),
        cmocka_unit_test(fitness_is_correlated_once_it_is_stored),
        cmocka_unit_test(tables_hold_what_was_given),
        cmocka_unit_test(means_of_groups_are_exact),
        cmocka_unit_test(weights_of_naturalness_are_found),
        cmocka_unit_test(few_ratings_fit_nothing),
        cmocka_unit_test(weights_are_read_as_they_are_written),
    };
    return cmocka_run_group_tests(on_disk, store_make_folder, store_drop_folder) +
           cmocka_run_group_tests(in_memory, store_make_memory, store_drop_memory);
}
