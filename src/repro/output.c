/* SPDX-License-Identifier: MIT */
#include "repro/output.h"

#include "base/charset.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/jsontext.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ---- */

/* Large counts as integers: a real is printed with fewer digits than they have. */
static json_t *number_or_null(double number) {
    if (!isfinite(number))
        return json_null();
    const bool is_count = fabs(number) >= 1e6 && fabs(number) < 1e15 && number == floor(number);
    return is_count ? json_integer((json_int_t)number) : json_real(number);
}

static json_t *row_json(const struct repro_row *row) {
    json_t *object = json_pack("{ss so so so so ss si ss}", "label", row->label, "published",
                               number_or_null(row->published), "ours", number_or_null(row->ours), "low",
                               number_or_null(row->low), "high", number_or_null(row->high), "unit", row->unit,
                               "trials", row->repetitions, "verdict", row->verdict);
    if (object != NULL && !isnan(row->published_margin))
        json_object_set_new(object, "published_margin", json_real(row->published_margin));
    return object;
}

static json_t *rows_json(const struct repro_result *r) {
    json_t *rows = json_array();
    for (int i = 0; i < r->row_count; i++)
        json_array_append_new(rows, row_json(&r->rows[i]));
    return rows;
}

static json_t *findings_json(const struct repro_result *r) {
    json_t *findings = json_array();
    for (int i = 0; i < r->finding_count; i++)
        json_array_append_new(
            findings, json_pack("{ss sb}", "text", r->findings[i].text, "holds", r->findings[i].holds));
    return findings;
}

static json_t *plots_json(const struct repro_result *r) {
    json_t *plots = json_array();
    for (int i = 0; i < r->plot_count; i++)
        json_array_append_new(plots,
                              json_pack("{ss ss}", "name", r->plots[i].name, "title", r->plots[i].title));
    return plots;
}

static json_t *cells_json(const struct repro_experiment *x) {
    json_t *cells = json_array();
    for (int i = 0; i < x->cell_count; i++) {
        const struct repro_cell *cell = &x->cells[i];
        json_t *object = json_pack("{ss}", "label", cell->label);
        if (x->maps != NULL)
            json_object_set_new(object, "map", json_string(x->maps[cell->map]));
        if (cell->game != NULL)
            json_object_set_new(object, "game", json_string(cell->game));
        json_t *players = json_array();
        for (int k = 0; k < 2; k++)
            if (cell->players[k] != NULL)
                json_array_append_new(players, json_string(cell->players[k]));
        if (json_array_size(players) > 0)
            json_object_set(object, "players", players);
        json_decref(players);
        json_array_append_new(cells, object);
    }
    return cells;
}

static json_t *maps_json(const struct repro_experiment *x) {
    json_t *maps = json_array();
    for (int i = 0; x->maps != NULL && x->maps[i] != NULL; i++)
        json_array_append_new(maps, json_string(x->maps[i]));
    return maps;
}

static json_t *parameters_json(const struct repro_result *r) {
    const struct repro_experiment *x = r->experiment;
    return json_pack("{si so* so so}", "version", x->version, "rules",
                     x->rules != NULL ? json_string(x->rules) : NULL, "maps", maps_json(x), "cells",
                     cells_json(x));
}

json_t *output_json(const struct repro_result *r) {
    const struct repro_experiment *x = r->experiment;
    return json_pack("{ss ss ss ss so so so ss so si si so sf}", "name", x->name, "title", x->title, "source",
                     x->source, "published", x->published, "seed", jsontext_seed(r->seed), "rows",
                     rows_json(r), "findings", findings_json(r), "summary", r->summary, "parameters",
                     parameters_json(r), "trials", r->repetitions, "trials_all", r->repetitions_all, "plots",
                     plots_json(r), "seconds", r->seconds);
}

/* ---- numbers ---- */

void output_number(double number, struct text *out) {
    if (!isfinite(number))
        return;
    if (fabs(number) < 1e15 && number == floor(number))
        text_add(out, "%.0f", number);
    else
        text_add(out, "%.6g", number);
}

/* ---- CSV ---- */

void output_rows_csv(const struct repro_result *r, struct text *out) {
    text_add_string(out, "label,unit,published,published_margin,ours,low,high,trials,verdict\n");
    for (int i = 0; i < r->row_count; i++) {
        const struct repro_row *row = &r->rows[i];
        csv_field(row->label, out);
        text_add(out, ",%s", row->unit);
        const double numbers[] = {row->published, row->published_margin, row->ours, row->low, row->high};
        for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
            text_add_string(out, ",");
            output_number(numbers[k], out);
        }
        text_add(out, ",%d,", row->repetitions);
        csv_field(row->verdict, out);
        text_add_string(out, "\n");
    }
}

void output_repetitions_csv(const struct repro_data *data, struct text *out) {
    const struct repro_experiment *x = data->experiment;
    text_add_string(out, "trial,cell,repetition");
    for (int i = 0; x->value_names[i] != NULL; i++)
        text_add(out, ",%s", x->value_names[i]);
    text_add_string(out, ",ms,note\n");
    for (int t = 0; t < data->count; t++) {
        text_add(out, "%d,", t + 1);
        csv_field(x->cells[data->units[t].cell].label, out);
        text_add(out, ",%d", data->units[t].rep + 1);
        for (int i = 0; x->value_names[i] != NULL; i++)
            text_add(out, ",%.15g", data->results[t].values[i]);
        text_add(out, ",%.6f,", data->results[t].ms);
        csv_field(data->results[t].note, out);
        text_add_string(out, "\n");
    }
}

/* ---- text ---- */

static void add_padded(const char *string, int width, bool right, struct text *out) {
    const int gap = width - charset_width(string);
    for (int i = 0; right && i < gap; i++)
        text_add_string(out, " ");
    text_add_string(out, string);
    for (int i = 0; !right && i < gap; i++)
        text_add_string(out, " ");
}

/* As the table shows it: large ones whole. */
static void write_cell(double number, const char *unit, char *out, size_t out_size) {
    if (!isfinite(number))
        snprintf(out, out_size, "-");
    else if (strcmp(unit, "%") == 0)
        snprintf(out, out_size, "%.1f", number);
    else
        snprintf(out, out_size, fabs(number) >= 1000 ? "%.0f" : "%.4g", number);
}

enum { NUMBER_MAX = 336, INTERVAL_WIDTH = 20 }; /* no double is longer */

static void add_cell(double number, const char *unit, int width, struct text *out) {
    char digits[NUMBER_MAX];
    write_cell(number, unit, digits, sizeof digits - 1);
    if (isfinite(number) && strcmp(unit, "%") == 0)
        strcat(digits, "%");
    add_padded(digits, width, true, out);
}

static void add_interval(const struct repro_row *row, struct text *out) {
    char low[NUMBER_MAX], high[NUMBER_MAX], both[2 * NUMBER_MAX + 8] = "";
    write_cell(row->low, row->unit, low, sizeof low);
    write_cell(row->high, row->unit, high, sizeof high);
    if (!isnan(row->low) && row->low < row->high)
        snprintf(both, sizeof both, "%s to %s", low, high);
    add_padded(both, INTERVAL_WIDTH, false, out);
}

static void add_row(const struct repro_row *row, int width, struct text *out) {
    text_add_string(out, "  ");
    add_padded(row->label, width, false, out);
    add_cell(row->published, row->unit, 13, out);
    add_cell(row->ours, row->unit, 13, out);
    text_add_string(out, "  ");
    add_interval(row, out);
    text_add(out, "%7d  %s\n", row->repetitions, row->verdict);
}

static void add_setting(const struct repro_experiment *x, struct text *out) {
    for (int i = 0; i < x->cell_count; i++) {
        const struct repro_cell *cell = &x->cells[i];
        if (cell->players[0] == NULL)
            continue;
        const char *place = cell->game != NULL ? cell->game : x->maps != NULL ? x->maps[cell->map] : NULL;
        text_add(out, "  %s: %s%s%s", cell->label, cell->players[0],
                 cell->players[1] != NULL ? " against " : "",
                 cell->players[1] != NULL ? cell->players[1] : "");
        if (place != NULL)
            text_add(out, " (%s)", place);
        text_add_string(out, "\n");
    }
}

void output_text(const struct repro_result *r, struct text *out) {
    const struct repro_experiment *x = r->experiment;
    int width = 12;
    for (int i = 0; i < r->row_count; i++)
        if (charset_width(r->rows[i].label) > width)
            width = charset_width(r->rows[i].label);
    text_add(out, "%s: %s\n%s\nseed %llu, %d trial%s in all%s%s\n", x->name, x->title, x->source,
             (unsigned long long)r->seed, r->repetitions_all, r->repetitions_all == 1 ? "" : "s",
             x->rules != NULL ? ", rules " : "", x->rules != NULL ? x->rules : "");
    add_setting(x, out);
    text_add_string(out, "\n  ");
    add_padded("", width, false, out);
    text_add(out, "%13s%13s  %-*s%7s\n", "published", "ours", INTERVAL_WIDTH, "95% interval", "n");
    for (int i = 0; i < r->row_count; i++)
        add_row(&r->rows[i], width, out);
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
    if (!file_path(path, e, "%s/%s%s", folder, name, ending))
        return false;
    return text->failed ? err_set(e, "not enough memory for %s", path)
                        : file_write(path, text_string(text), text->size, e);
}

static bool store_json(const struct repro_result *r, const char *folder, struct err *e) {
    json_t *root = output_json(r);
    char *dump = root != NULL ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : NULL;
    struct text text = {.failed = dump == NULL};
    if (dump != NULL)
        text_add(&text, "%s\n", dump);
    const bool ok = store(folder, r->experiment->name, ".json", &text, e);
    text_done(&text);
    free(dump);
    json_decref(root);
    return ok;
}

bool output_store(const struct repro_result *r, const char *folder, struct err *e) {
    struct text rows = {0};
    output_rows_csv(r, &rows);
    bool ok = store_json(r, folder, e) && store(folder, r->experiment->name, ".csv", &rows, e) &&
              store(folder, r->experiment->name, "-trials.csv", &r->repetitions_csv, e);
    for (int i = 0; ok && i < r->plot_count; i++)
        ok = store(folder, r->plots[i].name, ".csv", &r->plots[i].data, e) &&
             store(folder, r->plots[i].name, ".gp", &r->plots[i].script, e);
    text_done(&rows);
    return ok;
}
