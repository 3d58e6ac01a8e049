/* SPDX-License-Identifier: MIT
 *
 * The report over everything a folder holds as one page. Pictures are data of the page, which shows them as
 * images: an image runs no scripts and loads nothing.
 */
#include "repro/report.h"

#include "base/columns.h"
#include "base/encode.h"
#include "base/file.h"
#include "repro/repro.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FILE_SIZE_MAX = 16 << 20 };

static const char *string_of(const json_t *object, const char *key) {
    const char *string = json_string_value(json_object_get(object, key));
    return string != NULL ? string : "";
}

static json_t *load(const char *folder, const char *name, struct err *e) {
    char path[FILE_PATH_MAX];
    struct text text = {0};
    json_error_t error;
    json_t *root = NULL;
    err_set(e, "%s", "");
    if (file_path(path, e, "%s/%s.json", folder, name) && file_exists(path) &&
        file_read(path, FILE_SIZE_MAX, &text, e)) {
        root = json_loadb(text_string(&text), text.size, 0, &error);
        if (root == NULL)
            err_set(e, "%s:%d: %s", path, error.line, error.text);
        else if (strcmp(string_of(root, "name"), name) != 0) {
            err_set(e, "%s: is no result of %s", path, name);
            json_decref(root);
            root = NULL;
        }
    }
    text_done(&text);
    return root;
}

/* ---- pictures ---- */

/* Adds FOLDER/NAME.svg under that name, if it is there. Names come from files in the folder; one that could
 * lead out of it is no name of ours. */
static void add_picture(const char *folder, const char *name, json_t *pictures) {
    char path[FILE_PATH_MAX];
    struct text svg = {0};
    if (strchr(name, '/') == NULL && file_path(path, NULL, "%s/%s.svg", folder, name) &&
        file_read(path, FILE_SIZE_MAX, &svg, NULL))
        json_object_set_new(pictures, name, json_stringn(text_string(&svg), svg.size)); /* only UTF-8 */
    text_done(&svg);
}

static json_t *pictures_json(const char *folder, const json_t *experiment) {
    json_t *pictures = json_object();
    const json_t *plots = json_object_get(experiment, "plots"),
                 *maps = json_object_get(json_object_get(experiment, "parameters"), "maps");
    for (size_t i = 0; i < json_array_size(plots); i++)
        add_picture(folder, string_of(json_array_get(plots, i), "name"), pictures);
    for (size_t i = 0; i < json_array_size(maps); i++) {
        char name[128];
        const char *map = json_string_value(json_array_get(maps, i));
        snprintf(name, sizeof name, "map-%.100s", map != NULL ? map : "");
        add_picture(folder, name, pictures);
    }
    return pictures;
}

/* ---- plain tables, of what the files hold ---- */

static void get_text(const void *rows, int row, int index, struct column_cell *out);
static void get_number(const void *rows, int row, int index, struct column_cell *out);

static const struct column columns[] = {
    {"label", "", COLUMN_TEXT, get_text, 0},
    {"published", "published", COLUMN_GENERAL, get_number, 1},
    {"ours", "ours", COLUMN_GENERAL, get_number, 2},
    {"low", "95% interval: low", COLUMN_GENERAL, get_number, 3},
    {"high", "high", COLUMN_GENERAL, get_number, 4},
    {"unit", "unit", COLUMN_TEXT, get_text, 5},
    {"trials", "n", COLUMN_COUNT, get_number, 6},
    {"verdict", "verdict", COLUMN_TEXT, get_text, 7},
};

static void get_text(const void *rows, int row, int index, struct column_cell *out) {
    out->text = string_of(json_array_get(rows, (size_t)row), columns[index].name);
}

static void get_number(const void *rows, int row, int index, struct column_cell *out) {
    const json_t *value = json_object_get(json_array_get(rows, (size_t)row), columns[index].name);
    out->number = json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void add_element(const char *name, const char *text, struct text *out) {
    text_add(out, "<%s>", name);
    html_escape(text, out);
    text_add(out, "</%s>\n", name);
}

static void add_plain(const json_t *experiment, struct text *out) {
    const json_t *findings = json_object_get(experiment, "findings"),
                 *rows = json_object_get(experiment, "rows");
    add_element("h2", string_of(experiment, "title"), out);
    add_element("p", string_of(experiment, "source"), out);
    add_element("p", string_of(experiment, "summary"), out);
    text_add_string(out, "<ul>\n");
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        text_add(out,
                 "<li>%s: ", json_is_true(json_object_get(finding, "holds")) ? "holds" : "does not hold");
        html_escape(string_of(finding, "text"), out);
        text_add_string(out, "</li>\n");
    }
    text_add_string(out, "</ul>\n");
    columns_html(
        &(struct columns){columns, sizeof columns / sizeof columns[0], (int)json_array_size(rows), rows},
        out);
}

/* ---- the page ---- */

bool report_make(const char *folder, const char *date, struct text *out, struct err *e) {
    json_t *list = json_array();
    struct text plain = {0};
    bool ok = true;
    for (int i = 0; ok && repro_experiments[i] != NULL; i++) {
        json_t *experiment = load(folder, repro_experiments[i]->name, e);
        ok = experiment != NULL || e->text[0] == '\0';
        if (experiment == NULL)
            continue;
        add_plain(experiment, &plain);
        json_array_append_new(
            list, json_pack("{so so}", "pictures", pictures_json(folder, experiment), "result", experiment));
    }
    if (ok && json_array_size(list) == 0)
        ok = err_set(e, "%s: holds no result of an experiment; 'senjutsu repro NAME --out %s' makes one",
                     folder, folder);
    json_t *data = json_pack("{ss so}", "date", date, "experiments", list);
    if (ok)
        page_write(&(struct page){.title = "Published experiments, run again",
                                  .kind = "experiments",
                                  .data = data,
                                  .plain = text_string(&plain)},
                   out);
    json_decref(data);
    text_done(&plain);
    return ok;
}
