/* SPDX-License-Identifier: MIT
 *
 * A result in all its forms. CSV, JSON and the terminal are views of one table of columns, so they cannot
 * disagree. Labels, verdicts and findings are English text for people and messages for translations, in this
 * order: a reader that knows no codes shows the text.
 */
#include "repro/output.h"

#include "base/columns.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "repro/rows.h"

#include <stdio.h>
#include <string.h>

/* ---- rows ---- */

enum row_value { LABEL, UNIT, PUBLISHED, MARGIN, OURS, LOW, HIGH, INTERVAL, REPETITIONS, VERDICT };

/* As readers see it: large ones whole. */
static void write_number(double number, const char *unit, char *out, size_t out_size) {
    if (!isfinite(number))
        snprintf(out, out_size, "-");
    else if (strcmp(unit, "%") == 0)
        snprintf(out, out_size, "%.1f", number);
    else
        snprintf(out, out_size, fabs(number) >= 1000 ? "%.0f" : "%.4g", number);
}

/* Numbers of data are exact; the text of a number is for readers. Where there is no interval its column is
 * empty, and so it is for one without width (an exact number). */
static void get_row(const void *source, int row, int index, struct column_cell *out) {
    const struct repro_row *r = &((const struct repro_row *)source)[row];
    char low[COLUMNS_NUMBER_MAX], high[COLUMNS_NUMBER_MAX];
    switch ((enum row_value)index) {
    case LABEL: out->text = r->label; break;
    case UNIT: out->text = r->unit; break;
    case PUBLISHED:
    case OURS:
        out->number = index == OURS ? r->ours : r->published;
        write_number(out->number, r->unit, out->buffer, sizeof out->buffer - 1);
        if (isfinite(out->number) && strcmp(r->unit, "%") == 0)
            strcat(out->buffer, "%");
        out->text = out->buffer;
        break;
    case MARGIN: out->number = r->published_margin; break;
    case LOW: out->number = r->low; break;
    case HIGH: out->number = r->high; break;
    case INTERVAL:
        write_number(r->low, r->unit, low, sizeof low);
        write_number(r->high, r->unit, high, sizeof high);
        if (!isnan(r->low) && r->low < r->high)
            snprintf(out->buffer, sizeof out->buffer, "%s to %s", low, high);
        out->text = out->buffer;
        break;
    case REPETITIONS: out->number = r->repetitions; break;
    case VERDICT: out->text = r->verdict; break;
    }
}

enum { READERS = IN_TERMINAL | IN_HTML };

static const struct column row_columns[] = {
    {"label", "", COLUMN_TEXT, get_row, LABEL, .is_left = true, .width_min = 12},
    {"unit", "", COLUMN_TEXT, get_row, UNIT, .where = IN_DATA},
    {"published", "published", COLUMN_GENERAL, get_row, PUBLISHED, .width_min = 11, .is_fixed = true},
    {"published_margin", "", COLUMN_GENERAL, get_row, MARGIN, .where = IN_CSV},
    {"ours", "ours", COLUMN_GENERAL, get_row, OURS, .width_min = 11, .is_fixed = true},
    {"low", "", COLUMN_GENERAL, get_row, LOW, .where = IN_DATA},
    {"high", "", COLUMN_GENERAL, get_row, HIGH, .where = IN_DATA},
    {"interval", "95% interval", COLUMN_TEXT, get_row, INTERVAL, .is_left = true, .width_min = 20,
     .is_fixed = true, .where = READERS},
    {"trials", "n", COLUMN_COUNT, get_row, REPETITIONS, .width_min = 5, .is_fixed = true},
    {"verdict", "", COLUMN_TEXT, get_row, VERDICT, .is_left = true},
};

/* The fields of NAME.json keep their order. */
static const char *const row_fields[] = {"label", "published", "ours",    "low", "high",
                                         "unit",  "trials",    "verdict", NULL};

static struct columns row_table(const struct repro_result *r) {
    return (struct columns){row_columns, sizeof row_columns / sizeof row_columns[0], r->row_count, r->rows};
}

void output_rows_csv(const struct repro_result *r, struct text *out) {
    const struct columns table = row_table(r);
    columns_csv(&table, out);
}

/* ---- JSON ---- */

/* A label in parts (repro/rows.h) as messages, one after the other. Text without a code is the same in every
 * language. */
static json_t *parts_json(const char *label) {
    json_t *parts = json_array();
    while (*label != '\0') {
        const bool has_code = *label == '[';
        const char *text = has_code ? strchr(label, '|') + 1 : label;
        const size_t size = strcspn(text, has_code ? "]" : "[");
        const struct rows_label part = rows_label("%.*s", (int)size, text);
        json_t *object = json_pack("{ss}", "text", rows_plain(part.text).text);
        if (has_code) {
            json_t *args = json_array();
            for (const char *arg = strchr(part.text, '{'); arg != NULL; arg = strchr(arg + 1, '{'))
                json_array_append_new(args, json_stringn(arg + 1, strcspn(arg, "}") - 1));
            json_object_set_new(object, "code",
                                json_sprintf("label.%.*s", (int)(text - label) - 2, label + 1));
            json_object_set_new(object, "args", args);
        }
        json_array_append_new(parts, object);
        label = text + size + has_code;
    }
    return parts;
}

/* The texts in a plot: as they are drawn, and as messages. Panels and lines of one plot share axes and keys;
 * each distinct text is written once, since a reader looks it up by the English. */
static json_t *texts_json(const struct repro_plot *plot) {
    json_t *texts = json_array(), *seen = json_object();
    for (const char *line = text_string(&plot->texts); *line != '\0'; line += strcspn(line, "\n") + 1) {
        const struct rows_label label = rows_label("%.*s", (int)strcspn(line, "\n"), line),
                                plain = rows_plain(label.text);
        if (json_object_get(seen, plain.text) != NULL)
            continue;
        json_object_set_new(seen, plain.text, json_true());
        json_array_append_new(texts,
                              json_pack("{ss so}", "text", plain.text, "messages", parts_json(label.text)));
    }
    json_decref(seen);
    return texts;
}

/* The columns give the plain members, which keep their order; messages and a margin come behind them. */
static json_t *rows_json(const struct repro_result *r) {
    const struct columns table = row_table(r);
    json_t *rows = columns_json(&table, row_fields);
    for (int i = 0; i < r->row_count; i++) {
        json_t *object = json_array_get(rows, (size_t)i);
        msg_add_json(object, &r->rows[i].msg, r->rows[i].verdict);
        json_object_set_new(object, "label_messages", parts_json(r->rows[i].label_parts));
        if (!isnan(r->rows[i].published_margin))
            json_object_set_new(object, "published_margin", json_real(r->rows[i].published_margin));
    }
    return rows;
}

json_t *output_summary_json(const struct repro_result *r) {
    json_t *sentences = json_array();
    for (int i = 0; i < 2; i++) {
        json_t *object = json_pack("{ss}", "text", r->sentences[i].text);
        msg_add_json(object, &r->sentences[i].msg, r->sentences[i].text);
        json_array_append_new(sentences, object);
    }
    return sentences;
}

/* Members without a value are left out. */
static json_t *cells_json(const struct repro_experiment *x) {
    json_t *cells = json_array();
    for (const struct repro_cell *cell = x->cells; cell < x->cells + x->cell_count; cell++) {
        json_t *players =
            cell->players[0] != NULL ? json_pack("[ss*]", cell->players[0], cell->players[1]) : NULL;
        json_array_append_new(cells, json_pack("{ss so ss* ss* so*}", "label", rows_plain(cell->label).text,
                                               "label_messages", parts_json(cell->label), "map",
                                               x->maps != NULL ? x->maps[cell->map] : NULL, "game",
                                               cell->game, "players", players));
    }
    return cells;
}

/* The members keep their order and their names, which are older than some words of the code: trials are
 * repetitions. */
json_t *output_json(const struct repro_result *r) {
    const struct repro_experiment *x = r->experiment;
    json_t *findings = json_array(), *plots = json_array(), *maps = json_array();
    for (int i = 0; i < r->finding_count; i++) {
        const struct repro_finding *f = &r->findings[i];
        json_t *object = json_pack("{ss sb}", "text", f->text, "holds", f->holds);
        msg_add_json(object, &f->msg, f->text);
        if (f->first != NULL)
            json_object_set_new(object, "first_messages", parts_json(f->first));
        json_array_append_new(findings, object);
    }
    for (int i = 0; i < r->plot_count; i++)
        json_array_append_new(plots, json_pack("{ss ss so}", "name", r->plots[i].name, "title",
                                               r->plots[i].title, "texts", texts_json(&r->plots[i])));
    for (int i = 0; x->maps != NULL && x->maps[i] != NULL; i++)
        json_array_append_new(maps, json_string(x->maps[i]));
    json_t *parameters =
        json_pack("{si so* so so}", "version", x->version, "rules",
                  x->maps != NULL ? json_string(REPRO_RULES) : NULL, "maps", maps, "cells", cells_json(x));
    return json_pack("{ss ss ss ss so so so ss so so si si so sf}", "name", x->name, "title", x->title,
                     "source", x->source, "published", x->published, "seed", jsontext_seed(r->seed), "rows",
                     rows_json(r), "findings", findings, "summary", r->summary, "summary_messages",
                     output_summary_json(r), "parameters", parameters, "trials", r->repetitions, "trials_all",
                     r->repetitions_all, "plots", plots, "seconds", r->seconds);
}

/* ---- numbers ---- */

/* Numbers of data files. From 10^15 on a whole number is written as a power of ten, too. */
void output_number(double number, struct text *out) {
    if (!isfinite(number))
        return;
    if (fabs(number) < 1e15 && number == floor(number))
        text_add(out, "%.0f", number);
    else
        text_add(out, "%.6g", number);
}

/* ---- CSV ---- */

/* Numbered from 1, as in the names of stored games. Times have a fixed number of digits, values as many as a
 * double holds for certain. */
void output_repetitions_csv(const struct repro_data *data, struct text *out) {
    const struct repro_experiment *x = data->experiment;
    text_add_string(out, "trial,cell,repetition");
    for (int i = 0; x->value_names[i] != NULL; i++)
        text_add(out, ",%s", x->value_names[i]);
    text_add_string(out, ",ms,note\n");
    for (int t = 0; t < data->count; t++) {
        text_add(out, "%d,", t + 1);
        csv_field(rows_plain(x->cells[data->units[t].cell].label).text, out);
        text_add(out, ",%d", data->units[t].rep + 1);
        for (int i = 0; x->value_names[i] != NULL; i++)
            text_add(out, ",%.15g", data->results[t].values[i]);
        text_add(out, ",%.6f,", data->results[t].ms);
        csv_field(data->results[t].note, out);
        text_add_string(out, "\n");
    }
}

/* ---- text ---- */

/* What is played by whom comes before the rows, so that a copied table can be repeated. */
void output_text(const struct repro_result *r, struct text *out) {
    const struct repro_experiment *x = r->experiment;
    const struct columns rows = row_table(r);
    text_add(out, "%s: %s\n%s\nseed %llu, %d trial%s in all%s\n", x->name, x->title, x->source,
             (unsigned long long)r->seed, r->repetitions_all, r->repetitions_all == 1 ? "" : "s",
             x->maps != NULL ? ", rules " REPRO_RULES : "");
    for (int i = 0; i < x->cell_count; i++) {
        const struct repro_cell *cell = &x->cells[i];
        const char *place = cell->game != NULL ? cell->game : x->maps != NULL ? x->maps[cell->map] : NULL;
        if (cell->players[0] == NULL)
            continue;
        text_add(out, "  %s: %s", rows_plain(cell->label).text, cell->players[0]);
        if (cell->players[1] != NULL)
            text_add(out, " against %s", cell->players[1]);
        if (place != NULL)
            text_add(out, " (%s)", place);
        text_add_string(out, "\n");
    }
    text_add_string(out, "\n");
    columns_terminal(&rows, &(struct columns_style){.indent = 2}, out);
    text_add_string(out, "\n");
    for (int i = 0; i < r->finding_count; i++)
        text_add(out, "  %-14s %s\n",
                 r->findings[i].holds ? "holds:" : "does not hold:", r->findings[i].text);
    text_add(out, "%s\n", r->summary);
}

/* ---- files ---- */

static bool store(const char *folder, const char *name, const char *ending, const struct text *text,
                  struct err *e) {
    char path[FILE_PATH_MAX];
    return file_path(path, e, "%s/%s%s", folder, name, ending) &&
           file_write(path, text_string(text), text->size, e);
}

/* The JSON comes first: it is complete, and the page needs nothing else. Plots are data and a script;
 * pictures are made later, and only where there is gnuplot. */
bool output_store(const struct repro_result *r, const char *folder, struct err *e) {
    const char *name = r->experiment->name;
    json_t *root = output_json(r);
    char *dump = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    struct text json = {0}, rows = {0};
    text_add(&json, "%s\n", dump);
    output_rows_csv(r, &rows);
    bool ok = store(folder, name, ".json", &json, e) && store(folder, name, ".csv", &rows, e) &&
              store(folder, name, "-trials.csv", &r->repetitions_csv, e);
    for (int i = 0; ok && i < r->plot_count; i++)
        ok = store(folder, r->plots[i].name, ".csv", &r->plots[i].data, e) &&
             store(folder, r->plots[i].name, ".gp", &r->plots[i].script, e);
    text_done(&json);
    text_done(&rows);
    mem_free(dump);
    json_decref(root);
    return ok;
}

/* ---- the report: everything a folder holds as one page ----
 *
 * Pictures are data of the page, which shows them as images: an image runs no scripts and loads nothing. */

enum { FILE_SIZE_MAX = 16 << 20 };

static const char *string_of(const json_t *object, const char *key) {
    const char *string = json_string_value(json_object_get(object, key));
    return string != NULL ? string : "";
}

/* No file is no failure: a folder need not hold all experiments. The name inside must be that of the file,
 * since pictures are looked up by it. */
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

/* ---- the report: pictures ---- */

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

/* Missing pictures are left out: the page then shows the table alone. */
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

/* ---- the report: plain tables of what the files hold ---- */

static void get_field(const void *rows, int row, int index, struct column_cell *out);

static const struct column report_columns[] = {
    {"label", "", COLUMN_TEXT, get_field, 0},
    {"published", "published", COLUMN_GENERAL, get_field, 1},
    {"ours", "ours", COLUMN_GENERAL, get_field, 2},
    {"low", "95% interval: low", COLUMN_GENERAL, get_field, 3},
    {"high", "high", COLUMN_GENERAL, get_field, 4},
    {"unit", "unit", COLUMN_TEXT, get_field, 5},
    {"trials", "n", COLUMN_COUNT, get_field, 6},
    {"verdict", "verdict", COLUMN_TEXT, get_field, 7},
};

static void get_field(const void *rows, int row, int index, struct column_cell *out) {
    const json_t *object = json_array_get(rows, (size_t)row),
                 *value = json_object_get(object, report_columns[index].name);
    if (report_columns[index].format == COLUMN_TEXT)
        out->text = string_of(object, report_columns[index].name);
    out->number = json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static void add_element(const char *name, const char *text, struct text *out) {
    text_add(out, "<%s>", name);
    html_escape(text, out);
    text_add(out, "</%s>\n", name);
}

/* For readers without scripts: what the page says, without pictures. */
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
    columns_html(&(struct columns){report_columns, sizeof report_columns / sizeof report_columns[0],
                                   (int)json_array_size(rows), rows},
                 out);
}

/* ---- the report: the page ---- */

/* The page has the data of all experiments; its scripts build tables and pictures from them in the language
 * of the reader. */
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
