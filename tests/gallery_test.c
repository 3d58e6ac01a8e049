/* SPDX-License-Identifier: MIT
 *
 * The parts of a gallery of a run that was made by hand (gallery_support.c): complete, well-formed, harmless,
 * the same bytes for the same run. What is written to the disk is in gallery_files_test.c.
 */
/* The library has this table, too. */
#define gallery_draw own_gallery_draw
#include "evolve/gallery.c" /* the files' contents are internal */

#include "base/numbers.h"
#include "gallery_support.h"
#include "html_support.h"
#include "memory_support.h"

#include "base/mem.h"

#include <ctype.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct gallery_sample sample;
static struct text out;

static int make_paper(void **state) {
    (void)state;
    gallery_sample_make(&sample, "paper");
    return 0;
}

static int make_designer(void **state) {
    (void)state;
    gallery_sample_make(&sample, "designer");
    return 0;
}

static int drop(void **state) {
    (void)state;
    gallery_sample_done(&sample);
    text_done(&out);
    return 0;
}

static bool draw_nothing(const struct tbs_map *map, const char *path, struct err *e) {
    (void)map, (void)path, (void)e;
    return true;
}

/* ---- looking at text ---- */

static void has(const char *part) {
    if (strstr(text_string(&out), part) == NULL)
        fail_msg("this is missing: %s\nin:\n%s", part, text_string(&out));
}

static void lacks(const char *part) {
    if (strstr(text_string(&out), part) != NULL)
        fail_msg("this should not be there: %s", part);
}

static int parts(const char *part) {
    int count = 0;
    for (const char *at = text_string(&out); (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* No number is "nan" or "inf": neither stands where a word begins and ends. */
static void assert_numbers(void) {
    static const char *const words[] = {"nan", "inf", "NaN", "-nan"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        for (const char *at = text_string(&out); (at = strstr(at, words[i])) != NULL; at++) {
            const bool begins = at == text_string(&out) || !isalpha((unsigned char)at[-1]);
            if (begins && !isalpha((unsigned char)at[strlen(words[i])]))
                fail_msg("a number that is none: %.60s", at);
        }
}

/* Every element is closed in its turn, and nothing is run or loaded. */
static void assert_well_formed(void) {
    assert_elements_close(text_string(&out));
    static const char *const forbidden[] = {"<script>", "<link", "<iframe", "https:", "src=\"/",
                                            "src=\"h",  "url(",  "@import", "onload", "javascript"};
    for (size_t i = 0; i < sizeof forbidden / sizeof forbidden[0]; i++)
        lacks(forbidden[i]);
    assert_int_equal(parts("http:"), parts("xmlns=\"http://www.w3.org/2000/svg\""));
    assert_numbers();
}

static void make_page(void) {
    text_clear(&out);
    gallery_html(&sample.gallery, &sample.ev, &out);
    remove_page_code(&out);
    assert_well_formed();
}

/* ---- the page ---- */

static json_t *page_data(void) {
    static const char start[] = "id=\"data\">\n";
    const char *from = strstr(text_string(&out), start);
    assert_non_null(from);
    from += strlen(start);
    json_t *root = json_loadb(from, (size_t)(strstr(from, "\n</script>") - from), 0, NULL);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "page")), "gallery");
    json_t *data = json_incref(json_object_get(root, "data"));
    json_decref(root);
    return data;
}

static void a_page_has_a_plain_table_and_its_data(void **state) {
    (void)state;
    sample.gallery.command = "senjutsu evolve --preset paper";
    sample.gallery.finished = true;
    make_page();
    has("<th scope=\"col\">red between equals</th>");
    assert_int_equal(parts("<tr>"), 2 + sample.ev.shown_count + sample.ev.generation_count);
    lacks("http-equiv");
    json_t *data = page_data(), *result = json_object_get(data, "result");
    assert_string_equal(json_string_value(json_object_get(data, "command")), sample.gallery.command);
    assert_true(json_is_true(json_object_get(data, "finished")));
    assert_true(json_is_null(json_object_get(data, "archive")));
    const json_t *map = json_array_get(json_object_get(result, "maps"), 0);
    assert_string_equal(json_string_value(json_object_get(json_object_get(map, "map"), "format")),
                        "senjutsu-map");
    assert_non_null(strstr(json_string_value(json_object_get(map, "text")), "evolved by senjutsu"));
    assert_non_null(json_object_get(json_object_get(data, "help"), "population"));
    json_decref(data);
    sample.gallery.finished = false;
    make_page();
    has("<meta http-equiv=\"refresh\" content=\"5\"/>");
}

/* Each cell of the archive has one map, its best. */
static void the_archive_is_data_of_the_page(void **state) {
    (void)state;
    make_page();
    json_t *data = page_data();
    const json_t *archive = json_object_get(data, "archive");
    assert_true(json_array_size(archive) > 1);
    for (size_t i = 0; i < json_array_size(archive); i++) {
        const json_t *one = json_array_get(archive, i);
        for (size_t k = i + 1; k < json_array_size(archive); k++)
            assert_false(json_equal(json_object_get(one, "place"),
                                    json_object_get(json_array_get(archive, k), "place")));
        int id = (int)json_integer_value(json_object_get(one, "id"));
        const json_t *place = json_object_get(one, "place");
        const struct individual *best = NULL;
        for (int k = 0; k < sample.ev.count; k++) {
            const struct individual *other = &sample.ev.individuals[k];
            if (other->place[0] == json_integer_value(json_array_get(place, 0)) &&
                other->place[1] == json_integer_value(json_array_get(place, 1)) &&
                (best == NULL || other->fitness > best->fitness))
                best = other;
        }
        assert_non_null(best);
        assert_int_equal(best->id, id);
    }
    json_decref(data);
}

static void hostile_words_mean_only_themselves(void **state) {
    (void)state;
    sample.gallery.title = "</title><script>alert(\"1\")</script>";
    sample.gallery.command = "senjutsu evolve --strong 'x<img src=\"http://a\">' && rm";
    sample.ev.origins[2] = (struct origin){.parents = {-1, -1}, .crossover = -1, .seed = "<b onload=\"x\">&"};
    strcpy(sample.plan.recipe.strong, "<i>strong</i>");
    text_clear(&out);
    gallery_html(&sample.gallery, &sample.ev, &out);
    remove_page_code(&out);
    lacks("<script>");
    lacks("<b onload");
    lacks("<i>strong");
    lacks("<img");
    has("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
    has("&lt;b onload=&quot;x&quot;&gt;&amp;");
    json_t *data = page_data();
    const json_t *map = json_array_get(json_object_get(json_object_get(data, "result"), "maps"), 0);
    assert_string_equal(json_string_value(json_object_get(map, "note")), "seed <b onload=\"x\">&");
    assert_string_equal(json_string_value(json_object_get(data, "command")), sample.gallery.command);
    json_decref(data);
}

static void fitness_csv_has_a_line_a_generation(void **state) {
    (void)state;
    gallery_fitness_csv(&sample.ev, &out);
    assert_string_equal(text_string(&out), "generation,evaluations,games,best,mean,best_id,filled\n"
                                           "0,80,800,0.500000,0.250000,2,30\n"
                                           "1,120,1200,,,,29\n"
                                           "2,160,1600,0.500000,0.250000,2,28\n");
}

/* Splits a line at commas outside of quotes, in place. */
static int fields_of(char *line, char **fields, int fields_max) {
    int count = 0;
    bool quoted = false;
    fields[count++] = line;
    for (char *c = line; *c != '\0'; c++) {
        quoted ^= *c == '"';
        if (*c == ',' && !quoted) {
            *c = '\0';
            assert_true(count < fields_max);
            fields[count++] = c + 1;
        }
    }
    return count;
}

enum { FIELDS_MAX = 64 };

static const char *field(char **head, char **row, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(head[i], name) == 0)
            return row[i];
    fail_msg("there is no column %s", name);
    return NULL;
}

static void maps_csv_has_every_quality(void **state) {
    (void)state;
    gallery_sample_verify(&sample);
    sample.ev.individuals[sample.ev.shown[1]].fresh = (struct judgement){0};
    gallery_maps_csv(&sample.ev, &out);
    assert_numbers();
    char *lines[8], *head[FIELDS_MAX], *rows[3][FIELDS_MAX];
    assert_int_equal(text_split(out.data, '\n', lines, 8), 5); /* the last is empty */
    const int count = fields_of(lines[0], head, FIELDS_MAX);
    for (int i = 0; i < 3; i++)
        assert_int_equal(fields_of(lines[i + 1], rows[i], FIELDS_MAX), count);
    struct known {
        const char *name, *first, *second;
    };
    static const struct known known[] = {
        {"rank", "1", "2"},
        {"id", "2", "3"},
        {"note", "\"region, 2 changes\"", "3 changes"},
        {"parent", "0", "2"},
        {"other_parent", "1", ""},
        {"place_mix", "", ""},
        {"fitness", "216.000000", "125.250000"},
        {"fitness_fresh", "42.875000", ""},
        {"games_from", "fresh", "selection"},
        {"games", "302", "32"},
        {"strong_red", "1.000000", "1.000000"},
        {"strong_red_low", "0.963007", "0.722467"},
        {"strong_blue", "0.500000", "0.500000"},
        {"strength", "0.750000", "0.750000"},
        {"red", "0.500000", "0.500000"},
        {"red_games", "102", "12"},
        {"decisive", "0.993377", "0.937500"},
        {"turns", "7.0000", "7.0000"},
        {"actions", "40.0000", "40.0000"},
        {"first_kills_red", "0.5000", "0.5000"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        assert_string_equal(field(head, rows[0], count, known[i].name), known[i].first);
        assert_string_equal(field(head, rows[1], count, known[i].name), known[i].second);
    }
    assert_string_equal(field(head, rows[2], count, "fitness"), "");
    char natural[24];
    snprintf(natural, sizeof natural, "%.4f", sample.ev.individuals[0].static_features.natural);
    assert_string_equal(field(head, rows[0], count, "natural"), natural);
}

/* ---- JSON ---- */

static double member_number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("%s is no number", key);
    return json_number_value(value);
}

static void json_knows_the_run(void **state) {
    (void)state;
    json_t *root = gallery_json(&sample.ev, false);
    assert_non_null(root);
    assert_string_equal(json_string_value(json_object_get(root, "format")), "senjutsu-evolution");
    assert_int_equal(member_number(root, "seed"), 17);
    assert_int_equal(member_number(root, "evaluations"), 12345);
    assert_int_equal(member_number(root, "games"), 1600);
    assert_true(json_is_false(json_object_get(root, "verified")));
    const json_t *recipe = json_object_get(root, "recipe");
    for (const struct param *p = recipe_params; p->name != NULL; p++)
        assert_non_null(json_object_get(recipe, p->name));
    assert_string_equal(json_string_value(json_object_get(recipe, "preset")), "designer");
    assert_true(json_is_true(json_object_get(recipe, "tidy")));
    assert_true(json_is_integer(json_object_get(recipe, "games")));
    assert_true(fabs(member_number(recipe, "natural") - sample.plan.recipe.natural) < 1e-9);
    const json_t *generations = json_object_get(root, "generations");
    assert_int_equal(json_array_size(generations), 3);
    assert_true(json_is_null(json_object_get(json_array_get(generations, 1), "best")));
    assert_true(json_is_null(json_object_get(json_array_get(generations, 1), "best_id")));
    assert_int_equal(json_array_size(json_object_get(root, "features")), FEATURES);
    json_decref(root);
}

static void json_knows_the_maps(void **state) {
    (void)state;
    gallery_sample_verify(&sample);
    json_t *root = gallery_json(&sample.ev, false);
    const json_t *maps = json_object_get(root, "maps"), *one = json_array_get(maps, 0);
    assert_int_equal(json_array_size(maps), 3);
    assert_int_equal(member_number(one, "id"), 2);
    const json_t *measured = json_object_get(one, "qualities");
    assert_string_equal(json_string_value(json_object_get(measured, "from")), "fresh");
    assert_true(fabs(member_number(json_object_get(measured, "strength"), "value") - 0.75) < 1e-9);
    assert_true(member_number(json_object_get(measured, "red"), "low") < 0.5);
    assert_int_equal(member_number(json_object_get(json_object_get(one, "judgement"), "strong_red"), "wins"),
                     10);
    assert_int_equal(member_number(json_object_get(json_object_get(one, "fresh"), "strong_red"), "wins"),
                     100);
    assert_true(json_is_null(json_object_get(json_array_get(maps, 2), "fitness")));
    assert_true(json_is_array(json_object_get(one, "remarks")));
    assert_true(fabs(member_number(json_object_get(one, "looks"), "natural") -
                     sample.ev.individuals[0].static_features.natural) < 1e-6);
    /* The map's text is a map, with legal notes. */
    const char *text = json_string_value(json_object_get(one, "map"));
    struct tbs_map map;
    struct err e;
    if (!tbs_map_load("map", text, strlen(text), &map, &e))
        fail_msg("%s", e.text);
    assert_non_null(strstr(map.comment,
                           "evolved by senjutsu, preset paper, seed 17, map 2, strong beats weak "
                           "75.0 % ("));
    assert_non_null(strstr(map.comment, "red between equals 50.0 % (40.5 to 59.5), 302 fresh games"));
    json_decref(root);
}

static void json_has_all_ancestors_once(void **state) {
    (void)state;
    gallery_sample_add_deep(&sample, 30);
    json_t *root = gallery_json(&sample.ev, false);
    const json_t *lineage = json_object_get(root, "lineage");
    assert_int_equal(json_array_size(lineage), 4 + 1 + 2 * 29 + 1);
    for (size_t i = 0; i < json_array_size(lineage); i++)
        assert_int_equal(member_number(json_array_get(lineage, i), "id"), (int)i);
    const json_t *child = json_array_get(lineage, 3);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(child, "parents"), 0)), 2);
    assert_true(json_is_null(json_array_get(json_object_get(child, "parents"), 1)));
    assert_string_equal(json_string_value(json_object_get(child, "note")), "3 changes");
    assert_null(json_object_get(child, "note_message"));
    assert_true(json_is_null(json_object_get(json_array_get(lineage, 1), "fitness")));
    json_decref(root);
}

static void page_has_notes_as_messages(void **state) {
    (void)state;
    static const struct known {
        const char *code, *arg;
    } known[] = {
        {"origin.random", ""}, {"origin.seed", "duel"}, {"origin.both", "region"}, {"origin.changed", "3"}};
    json_t *root = gallery_json(&sample.ev, true);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const json_t *one = json_array_get(json_object_get(root, "lineage"), i);
        const json_t *message = json_object_get(one, "note_message");
        const char *arg = json_string_value(json_array_get(json_object_get(message, "args"), 0));
        assert_string_equal(json_string_value(json_object_get(message, "code")), known[i].code);
        assert_string_equal(arg != NULL ? arg : "", known[i].arg);
    }
    const json_t *map = json_array_get(json_object_get(root, "maps"), 0);
    assert_string_equal(json_string_value(json_object_get(map, "note")), "region, 2 changes");
    assert_non_null(json_object_get(map, "note_message"));
    json_decref(root);
}

/* ---- the plot ---- */

enum { FRAME_LEFT = 58, FRAME_RIGHT = 622, FRAME_TOP = 28, FRAME_BOTTOM = 238 };

/* All points of the first line of that class, which must lie in its frame. */
static int points_of(const char *class, double (*points)[2], int points_max) {
    char head[64];
    snprintf(head, sizeof head, "<polyline class=\"%s\" points=\"", class);
    const char *at = strstr(text_string(&out), head);
    int count = 0, read = 0;
    assert_non_null(at);
    at += strlen(head);
    while (count < points_max && sscanf(at, "%lf,%lf%n", &points[count][0], &points[count][1], &read) == 2) {
        assert_true(points[count][0] >= FRAME_LEFT && points[count][0] <= FRAME_RIGHT);
        count++;
        at += read;
    }
    return count;
}

static void plot_has_known_points(void **state) {
    (void)state;
    double points[600][2];
    gallery_plot_svg(&sample.ev, &out);
    assert_well_formed();
    assert_int_equal(points_of("best", points, 600), 11);
    assert_true(fabs(points[0][0] - FRAME_LEFT) < 0.1 && fabs(points[10][0] - FRAME_RIGHT) < 0.1);
    /* 27, and from the eighth generation on the ceiling of 216, of a frame that ends at 1.1 times that. */
    assert_true(fabs(points[0][1] - (FRAME_BOTTOM - 27 / 237.6 * (FRAME_BOTTOM - FRAME_TOP))) < 0.1);
    assert_true(fabs(points[10][1] - (FRAME_BOTTOM - (FRAME_BOTTOM - FRAME_TOP) / 1.1)) < 0.1);
    for (int i = 1; i < 11; i++)
        assert_true(points[i][0] > points[i - 1][0] && points[i][1] <= points[i - 1][1]);
    assert_int_equal(points_of("mean", points, 600), 11);
    assert_int_equal(parts("<circle class=\"best\""), 11);
    has("the most: 216</text>");
    has(">generation</text>");
    has(">200</text>");
    has("clearly different maps (of 40)");
}

static void plot_has_gaps_and_limits(void **state) {
    (void)state;
    char label[80];
    double points[600][2];
    gallery_plot_svg(&sample.ev, &out);
    assert_well_formed();
    assert_int_equal(parts("<polyline class=\"best\""), 2); /* before and after the generation without one */
    assert_int_equal(parts("<circle class=\"best\""), 2);
    has(">0.2</text>");
    snprintf(label, sizeof label, "cells of the archive with a good map (of %d)",
             evolution_features[FEATURE_LENGTH].bins * evolution_features[FEATURE_MIX].bins);
    has(label);
    lacks("the most");
    for (int i = 3; i < 5000; i++) {
        const struct generation g = {.number = i, .best = 2, .mean = 0.5, .filled = 3};
        gallery_sample_add(&sample, &g);
    }
    text_clear(&out);
    gallery_plot_svg(&sample.ev, &out);
    assert_true(out.size < 40000);
    assert_int_equal(parts("<circle"), 0);
    const int count = points_of("filled", points, 600);
    assert_int_equal(count, 500);
    assert_true(fabs(points[count - 1][0] - FRAME_RIGHT) < 0.1);
    /* What is above the axis stays in the frame. */
    points_of("best", points, 600);
    assert_true(points[0][1] >= FRAME_TOP);
}

/* ---- nothing, and no memory ---- */

static void nothing_judged_yet(void **state) {
    static const char *const presets[] = {"paper", "designer", "random"};
    (void)state;
    for (int i = 0; i < 3; i++) {
        gallery_sample_empty(&sample, presets[i]);
        make_page();
        assert_int_equal(parts("<tr>"), 2);
        text_clear(&out);
        gallery_fitness_csv(&sample.ev, &out);
        gallery_maps_csv(&sample.ev, &out);
        assert_int_equal(parts("\n"), 2);
        json_t *root = gallery_json(&sample.ev, false);
        assert_int_equal(json_array_size(json_object_get(root, "maps")), 0);
        assert_int_equal(json_array_size(json_object_get(root, "lineage")), 0);
        json_decref(root);
        gallery_sample_done(&sample);
    }
    /* Shown maps without games: the page makes no statement about them. */
    gallery_sample_make(&sample, "designer");
    for (int i = 0; i < sample.ev.count; i++)
        sample.ev.individuals[i].judgement = (struct judgement){0};
    make_page();
    text_clear(&out);
    gallery_maps_csv(&sample.ev, &out);
    assert_numbers();
    has(",,,,0,,,,0,,,,0,,,,0,,,,0,,,,,,");
}

static void write_everything(void *context) {
    struct text text = {0};
    (void)context;
    gallery_html(&sample.gallery, &sample.ev, &text);
    gallery_plot_svg(&sample.ev, &text);
    gallery_fitness_csv(&sample.ev, &text);
    gallery_maps_csv(&sample.ev, &text);
    text_done(&text);
}

/* Whichever allocation fails, nothing is left behind. */
static void memory_may_run_out(void **state) {
    (void)state;
    long n = 1;
    while (memory_runs_out(n, write_everything, NULL))
        n++;
    assert_true(n > 10);
}

static void same_run_same_bytes(void **state) {
    (void)state;
    struct gallery_sample other;
    struct text again = {0};
    gallery_sample_make(&other, "designer");
    make_page();
    gallery_html(&other.gallery, &other.ev, &again);
    remove_page_code(&again);
    assert_string_equal(text_string(&out), text_string(&again));
    json_t *one = gallery_json(&sample.ev, false), *two = gallery_json(&other.ev, false);
    assert_true(json_equal(one, two));
    json_decref(one);
    json_decref(two);
    text_done(&again);
    gallery_sample_done(&other);
}

static uint64_t digest;

static void add_out(void) {
    if (strncmp(text_string(&out), "<!DOCTYPE", 9) == 0)
        remove_page_code(&out);
    digest = hash_bytes(digest, text_string(&out), out.size);
    text_clear(&out);
}

/* The page, the plot, both tables and the JSON of a run. */
static void add_all(struct gallery_sample *s) {
    gallery_html(&s->gallery, &s->ev, &out);
    add_out();
    gallery_plot_svg(&s->ev, &out);
    add_out();
    gallery_fitness_csv(&s->ev, &out);
    add_out();
    gallery_maps_csv(&s->ev, &out);
    add_out();
    json_t *root = gallery_json(&s->ev, false);
    char *dump = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(9));
    assert_non_null(dump);
    digest = hash_bytes(digest, dump, strlen(dump));
    free(dump);
    json_decref(root);
}

/* Runs of all lengths and presets, with few and many ancestors, verified or not: every byte is unchanged. The
 * digest changes only with an intended change of a page. */
static void all_bytes_of_many_runs(void **state) {
    static const char *const presets[] = {"paper", "designer", "random"};
    static const int lengths[] = {1,  2,   8,   10,  11,  12,  17,  30,  31,
                                  81, 100, 101, 102, 103, 499, 500, 501, 3000},
                     depths[] = {1, 4, 14, 15, 16, 17, 40};
    (void)state;
    digest = HASH_START;
    for (int i = 0; i < 3; i++) {
        struct gallery_sample s;
        gallery_sample_make(&s, presets[i]);
        add_all(&s);
        for (size_t k = 0; k < sizeof depths / sizeof depths[0]; k++)
            gallery_sample_add_deep(&s, depths[k]);
        gallery_sample_verify(&s);
        add_all(&s);
        s.ev.shown_count = 3; /* no game, one, two */
        for (int k = 0; k < 3; k++) {
            struct individual *one = &s.ev.individuals[s.ev.shown[k]];
            one->fresh = (struct judgement){0};
            one->judgement =
                (struct judgement){.strong = {{k > 0, 0, 0}, {0}}, .peers = {0, k > 1, 0}, .turns = 3 * k};
        }
        add_all(&s);
        s.ev.shown_count = 1;
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            s.ev.generation_count = 0;
            for (int n = 0; n < lengths[k]; n++) {
                const struct generation g = {
                    .number = n, .best = n % 7 * 0.2, .mean = n % 5 * 0.1, .filled = n % 60};
                gallery_sample_add(&s, &g);
            }
            s.gallery.finished = k % 2 == 0;
            s.gallery.draw = k % 3 == 0 ? draw_nothing : NULL;
            gallery_html(&s.gallery, &s.ev, &out);
            add_out();
        }
        gallery_sample_done(&s);
    }
    if (digest != UINT64_C(0xfa3e93a8de915cae))
        fail_msg("the digest is 0x%016llx", (unsigned long long)digest);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_page_has_a_plain_table_and_its_data, make_paper, drop),
        cmocka_unit_test_setup_teardown(the_archive_is_data_of_the_page, make_designer, drop),
        cmocka_unit_test_setup_teardown(hostile_words_mean_only_themselves, make_paper, drop),
        cmocka_unit_test_setup_teardown(fitness_csv_has_a_line_a_generation, make_designer, drop),
        cmocka_unit_test_setup_teardown(maps_csv_has_every_quality, make_paper, drop),
        cmocka_unit_test_setup_teardown(json_knows_the_run, make_designer, drop),
        cmocka_unit_test_setup_teardown(json_knows_the_maps, make_paper, drop),
        cmocka_unit_test_setup_teardown(json_has_all_ancestors_once, make_paper, drop),
        cmocka_unit_test_setup_teardown(page_has_notes_as_messages, make_paper, drop),
        cmocka_unit_test_setup_teardown(plot_has_known_points, make_paper, drop),
        cmocka_unit_test_setup_teardown(plot_has_gaps_and_limits, make_designer, drop),
        cmocka_unit_test_teardown(nothing_judged_yet, drop),
        cmocka_unit_test_setup_teardown(memory_may_run_out, make_designer, drop),
        cmocka_unit_test_setup_teardown(same_run_same_bytes, make_designer, drop),
        cmocka_unit_test(all_bytes_of_many_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
