/* SPDX-License-Identifier: MIT
 *
 * What comes out of jobs of every kind: the same as the command line prints for the same seed.
 */
#include "tests/jobs_support.h"

#include "serve/inside.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char tournament[] = "{\"kind\":\"tournament\",\"params\":{\"players\":[\"random\",\"acteval\","
                                 "\"first\"],\"maps\":[\"duel\",\"duel_panzer\"],\"seed\":\"3\"}}";
static const char judge[] = "{\"kind\":\"judge\",\"params\":{\"map\":\"duel\",\"strong\":\"acteval\","
                            "\"weak\":\"random\",\"tight\":0.2,\"games\":100,\"min_games\":40}}";
static const char evolve[] =
    "{\"kind\":\"evolve\",\"params\":{\"options\":{\"born\":\"4\",\"population\":\"2\",\"generations\":\"2\","
    "\"games\":\"2\",\"verify\":\"2\",\"show\":\"2\",\"strong\":\"acteval\",\"weak\":\"random\"}}}";

/* What the command line prints. */
static json_t *by_command(const char *arguments) {
    char line[1024];
    struct text text = {0};
    char bytes[4096];
    snprintf(line, sizeof line, "'%s' %s", getenv("SENJUTSU"), arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, pipe)) > 0;)
        text_add_bytes(&text, bytes, size);
    assert_int_equal(pclose(pipe), 0);
    json_t *value = json_loadb(text_string(&text), text.size, 0, NULL);
    text_done(&text);
    assert_non_null(value);
    return value;
}

static void tournament_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *ours = result_of(finish(served, tournament, id), "times");
    json_t *theirs = by_command("tournament --players random,acteval,first --maps duel,duel_panzer --seed 3 "
                                "--json --quiet");
    json_object_del(theirs, "times");
    /* The page also gets the list of columns, for its tables. */
    assert_true(json_is_array(json_object_get(json_object_get(ours, "columns"), "standings")) ||
                json_is_array(json_object_get(ours, "columns")));
    json_object_del(ours, "columns");
    assert_true(is_same(ours, theirs));
    json_decref(ours);
    json_decref(theirs);
}

static void judge_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *job = finish(served, judge, id);
    json_t *theirs = by_command("map judge duel --strong acteval --weak random --tight 0.2 --games 100 "
                                "--min-games 40 --json --quiet");
    json_t *ours = json_object_get(job, "result"), *value;
    json_t *map = json_array_get(json_object_get(theirs, "maps"), 0);
    const char *key;
    json_object_del(map, "file");
    json_object_foreach(map, key, value) {
        assert_true(is_same(json_object_get(ours, key), value));
    }
    assert_true(json_is_true(json_object_get(ours, "complete")));
    assert_true(
        json_equal(json_object_get(job, "title"), json_object_get(json_object_get(job, "params"), "map")));
    json_decref(job);
    json_decref(theirs);
}

/* The page also gets the notes as messages. */
static void take_note_message(json_t *one) {
    assert_true(strncmp(text_of(json_object_get(one, "note_message"), "code"), "origin.", 7) == 0);
    json_object_del(one, "note_message");
}

static void evolve_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *job = finish(served, evolve, id);
    json_t *theirs =
        by_command("evolve --born 4 --population 2 --generations 2 --games 2 --verify 2 --show 2 "
                   "--strong acteval --weak random --json --quiet");
    json_t *ours = json_object_get(job, "result"), *maps = json_object_get(ours, "maps");
    assert_true(has_file(job, "fitness.csv"));
    assert_true(has_file(job, "fitness.svg"));
    assert_int_equal(json_array_size(maps), 2);
    for (size_t i = 0; i < json_array_size(maps); i++) {
        json_t *one = json_array_get(maps, i);
        char name[64];
        assert_string_equal(text_of(json_object_get(one, "map"), "format"), "senjutsu-map");
        snprintf(name, sizeof name, "maps/%04" JSON_INTEGER_FORMAT ".tbsmap",
                 json_integer_value(json_object_get(one, "id")));
        assert_true(has_file(job, name));
        json_object_set(one, "map", json_object_get(one, "text"));
        json_object_del(one, "text");
        take_note_message(one);
    }
    const json_t *lineage = json_object_get(ours, "lineage");
    for (size_t i = 0; i < json_array_size(lineage); i++)
        take_note_message(json_array_get(lineage, i));
    assert_true(is_same(ours, theirs));
    json_decref(job);
    json_decref(theirs);
}

static void repro_is_the_command_lines(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    assert_null(jobs_last_result(served->bench, "tbs-table5"));
    json_t *ours = result_of(finish(served, small_repro, id), "seconds");
    json_t *theirs = by_command("repro tbs-table5 --trials " REPRO_TRIALS " --json --quiet");
    json_object_del(theirs, "seconds");
    assert_true(is_same(ours, theirs));
    json_t *last = jobs_last_result(served->bench, "tbs-table5");
    assert_string_equal(text_of(last, "job"), id);
    assert_string_equal(text_of(last, "summary"), text_of(theirs, "summary"));
    assert_null(jobs_last_result(served->bench, "tbs-fig5"));
    json_decref(last);
    json_decref(ours);
    json_decref(theirs);
}

static void match_has_its_figures(void **state) {
    struct served *served = *state;
    char id[SERVE_ID_MAX];
    json_t *job = finish(served, small_match, id);
    const json_t *figures = json_object_get(json_object_get(job, "result"), "match");
    const json_t *wins = json_object_get(figures, "wins");
    assert_int_equal(json_integer_value(json_object_get(figures, "games")), 11);
    assert_int_equal(json_integer_value(json_array_get(wins, 0)) +
                         json_integer_value(json_array_get(wins, 1)) +
                         json_integer_value(json_object_get(figures, "draws")),
                     11);
    /* acteval wins every game against random: the standings and the match agree. */
    const json_t *first = json_array_get(json_object_get(json_object_get(job, "result"), "standings"), 0);
    assert_string_equal(text_of(first, "player"), "acteval");
    assert_true(json_equal(json_object_get(first, "wins"), json_array_get(wins, 0)));
    assert_true(json_number_value(json_object_get(json_object_get(figures, "elo"), "difference")) > 100);
    json_t *pairs = json_object_get(figures, "pairs");
    json_int_t sum = 0;
    for (size_t i = 0; i < json_array_size(pairs); i++)
        sum += json_integer_value(json_array_get(pairs, i));
    assert_int_equal(sum, 5);
    json_decref(job);
}

/* ---- folders that were changed by hand ---- */

#define WORK(what) "{\"format\":\"senjutsu-work\",\"version\":1" what "}"

static void write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* Puts `to` in the place of `from` in one of the job's files; NULL: in the place of all of it. */
static void change(const struct served *served, const char *id, const char *name, const char *from,
                   const char *to) {
    char path[400], bytes[8192], changed[9000];
    snprintf(path, sizeof path, "%s/jobs/%s/%s", served->data, id, name);
    if (from == NULL) {
        write_text(path, to);
        return;
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    const char *at = strstr(bytes, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - bytes), bytes, to, at + strlen(from));
    write_text(path, changed);
}

/* The job fails with a sentence, and the others go on. */
static void changed_jobs_fail(void **unused) {
    (void)unused;
    static const char repro[] = "{\"kind\":\"repro\",\"params\":{\"experiment\":\"tbs-fig2\"}}";
    static const struct {
        const char *body, *file, *from, *to, *error;
    } cases[] = {
        {judge, "work.json", NULL, WORK(",\"work\":{}"), "the job has no map"},
        {judge, "work.json", NULL, WORK(""), "its work.json is not whole"},
        {judge, "work.json", NULL, WORK(",\"work\":{\"map\":\"x\"}"), "the job's map: SIZEX is missing"},
        {judge, "work.json", NULL, "", "work.json:1: '[' or '{' expected"},
        {judge, "job.json", "\"acteval\"", "\"nobody\"", "player 'nobody' is unknown"},
        {judge, "job.json", "0.2", "7.2", "\"tight\": expected a number from 0.005 to 0.5"},
        {tournament, "work.json", NULL, WORK(",\"work\":{}"), "has no tournament"},
        {tournament, "work.json", NULL, WORK(",\"work\":{\"event\":\"x\"}"), "the job's tournament"},
        {tournament, "work.json", "spec\\\": \\\"acteval", "spec\\\": \\\"nobody",
         "player 'nobody' is unknown"},
        {evolve, "job.json", "\"acteval\"", "\"nobody\"", "strong: player 'nobody' is unknown"},
        {evolve, "work.json", NULL, WORK(",\"work\":{\"from\":[3]}"),
         "the store's maps to begin with cannot be read"},
        {repro, "job.json", "\"experiment\":\"tbs-fig2", "\"experiment\":\"tbs-fig9",
         "'tbs-fig9' is no experiment"},
    };
    enum { CASES = sizeof cases / sizeof cases[0] };
    char ids[CASES][SERVE_ID_MAX];
    struct served bench = {.idle = true};
    served_open(&bench);
    for (int i = 0; i < CASES; i++)
        start(&bench, cases[i].body, ids[i]);
    served_close(&bench);
    for (int i = 0; i < CASES; i++)
        change(&bench, ids[i], cases[i].file, cases[i].from, cases[i].to);
    bench.idle = false;
    served_open(&bench);
    for (int i = 0; i < CASES; i++) {
        json_t *job = await(&bench, ids[i], "failed");
        if (strstr(text_of(job, "error"), cases[i].error) == NULL)
            fail_msg("case %d: '%s' does not say '%s'", i, text_of(job, "error"), cases[i].error);
        assert_true(json_is_null(json_object_get(job, "result")));
        json_decref(job);
    }
    served_remove(&bench);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tournament_is_the_command_lines, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(judge_is_the_command_lines, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(evolve_is_the_command_lines, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(repro_is_the_command_lines, open_jobs, close_jobs),
        cmocka_unit_test_setup_teardown(match_has_its_figures, open_jobs, close_jobs),
        cmocka_unit_test(changed_jobs_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
