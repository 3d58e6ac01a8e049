/* SPDX-License-Identifier: MIT
 *
 * A result in all its forms, its pictures, and the page over all results of a folder. CSV, JSON and the
 * terminal are views of one table of columns, so they cannot disagree. Labels, verdicts and findings are
 * English text for people and messages for translations, in this order: a reader that knows no codes shows
 * the text. Only output_store writes results, and only report_make reads them.
 */
#include "game/tbs/tbs.h"
#include "repro/experiments.h"

#include "base/columns.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

/* ---- rows ---- */

enum row_value {
    LABEL,
    UNIT,
    PUBLISHED,
    PUBLISHED_N,
    MARGIN,
    OURS,
    LOW,
    HIGH,
    INTERVAL,
    REPETITIONS,
    KIND,
    NEEDED,
    VERDICT,
    SCALE
};

/* As readers see it: large ones whole. */
static void write_number(double number, const char *unit, char *out, size_t out_size) {
    if (!isfinite(number))
        snprintf(out, out_size, "-");
    else if (strcmp(unit, "%") == 0)
        snprintf(out, out_size, "%.1f", number);
    else
        snprintf(out, out_size, fabs(number) >= 1000 ? "%.0f" : "%.4g", number);
}

/* A count that may be missing. */
static double some(int count) {
    return count > 0 ? count : (double)NAN;
}

/* Numbers of data are exact; the text of a number is for readers. Where there is no interval its column is
 * empty. */
static void get_row(const void *source, int row, int index, struct column_cell *out) {
    const struct repro_result *result = source;
    const struct repro_row *r = &result->rows[row];
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
    case PUBLISHED_N: out->number = some(r->published_n); break;
    case MARGIN: out->number = r->published_margin; break;
    case LOW: out->number = r->low; break;
    case HIGH: out->number = r->high; break;
    case INTERVAL:
        write_number(r->low, r->unit, low, sizeof low);
        write_number(r->high, r->unit, high, sizeof high);
        if (!isnan(r->low))
            snprintf(out->buffer, sizeof out->buffer, "%s to %s", low, high);
        out->text = out->buffer;
        break;
    case REPETITIONS: out->number = r->repetitions; break;
    case KIND: out->text = verdict_name(r->kind); break;
    case NEEDED: out->number = some(r->repetitions_needed); break;
    case VERDICT: out->text = r->verdict; break;
    case SCALE:
        repro_scale(result, out->buffer);
        out->text = out->buffer;
        break;
    }
}

enum { READERS = IN_TERMINAL | IN_HTML };

static const struct column row_columns[] = {
    {"label", "", COLUMN_TEXT, get_row, LABEL, .is_left = true, .width_min = 12},
    {"unit", "", COLUMN_TEXT, get_row, UNIT, .where = IN_DATA},
    {"published", "published", COLUMN_GENERAL, get_row, PUBLISHED, .width_min = 11, .is_fixed = true},
    {"published_trials", "", COLUMN_COUNT, get_row, PUBLISHED_N, .where = IN_DATA, .is_optional = true},
    {"published_margin", "", COLUMN_GENERAL, get_row, MARGIN, .where = IN_CSV},
    {"ours", "ours", COLUMN_GENERAL, get_row, OURS, .width_min = 11, .is_fixed = true},
    {"low", "", COLUMN_GENERAL, get_row, LOW, .where = IN_DATA},
    {"high", "", COLUMN_GENERAL, get_row, HIGH, .where = IN_DATA},
    {"interval", "95% interval", COLUMN_TEXT, get_row, INTERVAL, .is_left = true, .width_min = 20,
     .is_fixed = true, .where = READERS},
    {"trials", "n", COLUMN_COUNT, get_row, REPETITIONS, .width_min = 5, .is_fixed = true},
    {"kind", "", COLUMN_TEXT, get_row, KIND, .where = IN_DATA},
    {"trials_needed", "", COLUMN_COUNT, get_row, NEEDED, .where = IN_DATA, .is_optional = true},
    {"verdict", "", COLUMN_TEXT, get_row, VERDICT, .is_left = true},
    {"run", "", COLUMN_TEXT, get_row, SCALE, .where = IN_CSV},
};

/* The fields of NAME.json keep their order. */
static const char *const row_fields[] = {"label", "published", "ours",    "low", "high",
                                         "unit",  "trials",    "verdict", NULL};

static struct columns row_table(const struct repro_result *r) {
    return (struct columns){row_columns, sizeof row_columns / sizeof row_columns[0], r->row_count, r};
}

void output_rows_csv(const struct repro_result *r, struct text *out) {
    const struct columns table = row_table(r);
    columns_csv(&table, out);
}

/* ---- JSON ---- */

/* A label in parts (repro/experiments.h) as messages, one after the other. Text without a code is the same in
 * every language. */
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
    for (int i = 0; i < REPRO_SENTENCES && r->sentences[i].text[0] != '\0'; i++) {
        json_t *object = json_pack("{ss}", "text", r->sentences[i].text);
        msg_add_json(object, &r->sentences[i].msg, r->sentences[i].text);
        json_array_append_new(sentences, object);
    }
    return sentences;
}

/* Members without a value are left out. "holds" is for readers that know no verdicts. */
static json_t *findings_json(const struct repro_result *r) {
    json_t *findings = json_array();
    for (const struct repro_finding *f = r->findings; f < r->findings + r->finding_count; f++) {
        const bool holds = f->verdict == VERDICT_AGREES || f->verdict == VERDICT_SAME;
        json_t *object =
            json_pack("{ss sb ss ss si}", "text", f->text, "holds", holds, "verdict",
                      verdict_name(f->verdict), "test", test_name(f->kind), "comparisons", f->comparisons);
        if (f->margin > 0)
            json_object_set_new(object, "margin", json_real(f->margin));
        if (!isnan(f->p))
            json_object_set_new(object, "p", json_real(f->p));
        msg_add_json(object, &f->msg, f->text);
        if (f->first != NULL)
            json_object_set_new(object, "first_messages", parts_json(f->first));
        json_array_append_new(findings, object);
    }
    return findings;
}

static json_t *label_json(const char *label) {
    return json_pack("{ss so}", "label", rows_plain(label).text, "label_messages", parts_json(label));
}

/* A row of answers: how often the value is 1 (0 … 1), and whether chance is involved. */
static json_t *ticks_row_json(const struct repro_result *r, const struct repro_ticks *ticks, int row) {
    json_t *object = label_json(ticks->rows[row]), *answers = json_array();
    for (int column = 0; column < ticks->column_count; column++) {
        const int cell = column * ticks->row_count + row;
        json_array_append_new(answers, json_pack("{sf sb}", "share", r->ticks[cell], "exact",
                                                 r->experiment->cells[cell].is_deterministic));
    }
    json_object_set_new(object, "answers", answers);
    return object;
}

static json_t *ticks_json(const struct repro_result *r) {
    const struct repro_ticks *ticks = r->experiment->ticks;
    if (ticks == NULL)
        return NULL;
    json_t *columns = json_array(), *rows = json_array();
    for (int i = 0; i < ticks->column_count; i++)
        json_array_append_new(columns, label_json(ticks->columns[i]));
    for (int i = 0; i < ticks->row_count; i++)
        json_array_append_new(rows, ticks_row_json(r, ticks, i));
    return json_pack("{so so}", "columns", columns, "rows", rows);
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

/* The members keep the order and the names of earlier versions: "trials" are repetitions. */
json_t *output_json(const struct repro_result *r) {
    const struct repro_experiment *x = r->experiment;
    char scale[REPRO_SCALE_MAX];
    json_t *plots = json_array(), *maps = json_array();
    repro_scale(r, scale);
    for (int i = 0; i < r->plot_count; i++)
        json_array_append_new(plots, json_pack("{ss ss so}", "name", r->plots[i].name, "title",
                                               r->plots[i].title, "texts", texts_json(&r->plots[i])));
    for (int i = 0; x->maps != NULL && x->maps[i] != NULL; i++)
        json_array_append_new(maps, json_string(x->maps[i]));
    json_t *parameters =
        json_pack("{si so* so so}", "version", x->version, "rules",
                  x->maps != NULL ? json_string(REPRO_RULES) : NULL, "maps", maps, "cells", cells_json(x));
    return json_pack("{ss ss ss ss so so so ss so so si si si sb ss so* so sf}", "name", x->name, "title",
                     x->title, "source", x->source, "published", x->published, "seed", jsontext_seed(r->seed),
                     "rows", rows_json(r), "findings", findings_json(r), "summary", r->summary,
                     "summary_messages", output_summary_json(r), "parameters", parameters, "trials",
                     r->repetitions, "trials_all", r->repetitions_all, "trials_whole", x->repetitions,
                     "quick", r->quick, "scale", scale, "ticks", ticks_json(r), "plots", plots, "seconds",
                     r->seconds);
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
static void add_repetitions(const struct repro_data *data, struct text *out) {
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

/* A finding's verdict and its test, in front of its text and behind it. */
static void add_finding(const struct repro_finding *f, struct text *out) {
    static const char *const verdicts[] = {[VERDICT_AGREES] = "agrees:",
                                           [VERDICT_DIFFERS] = "differs:",
                                           [VERDICT_CANNOT_TELL] = "cannot tell:",
                                           [VERDICT_SAME] = "holds:",
                                           [VERDICT_NOT_SAME] = "does not hold:"},
                             *const kinds[] = {[TEST_GREATER] = "greater",
                                               [TEST_EQUAL] = "equal within",
                                               [TEST_WITHIN] = "within",
                                               [TEST_AT_MOST] = "at most"};
    text_add(out, "  %-14s %s", verdicts[f->verdict], f->text);
    if (f->comparisons == 0) {
        text_add_string(out, " [no chance in it]\n");
        return;
    }
    text_add(out, " [%s", kinds[f->kind]);
    if (f->margin > 0)
        text_add(out, " %.3g", f->margin);
    if (f->comparisons > 1)
        text_add(out, ", %d comparisons", f->comparisons);
    text_add(out, f->p < 0.0005 ? ", p < 0.001]\n" : ", p = %.3f]\n", f->p);
}

/* What is played by whom comes before the rows, so that a copied table can be repeated. */
void output_text(const struct repro_result *r, struct text *out) {
    const struct repro_experiment *x = r->experiment;
    const struct columns rows = row_table(r);
    char scale[REPRO_SCALE_MAX];
    repro_scale(r, scale);
    text_add(out, "%s: %s%s%s%s\n%s\nseed %llu, %d repetition%s in all%s\n", x->name, x->title,
             scale[0] != '\0' ? " (" : "", scale, scale[0] != '\0' ? ")" : "", x->source,
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
        add_finding(&r->findings[i], out);
    text_add(out, "%s\n", r->summary);
}

/* ---- plots: scripts and data for gnuplot ---- */

/* The name is that of the files, and unique because suffixes are within an experiment. */
struct repro_plot *plot_add(struct repro_result *out, const char *suffix, const char *title) {
    assert(out->plot_count < REPRO_PLOTS_MAX);
    struct repro_plot *plot = &out->plots[out->plot_count++];
    snprintf(plot->name, sizeof plot->name, "%s-%s", out->experiment->name, suffix);
    snprintf(plot->title, sizeof plot->title, "%.127s", rows_plain(title).text);
    repro_scale(out, plot->scale);
    return plot;
}

/* Text without a mark is the same in every language and needs no note. */
struct rows_label plot_text(struct repro_plot *plot, const char *label) {
    if (strchr(label, '[') != NULL)
        text_add(&plot->texts, "%s\n", label);
    return rows_plain(label);
}

void plot_key(struct repro_plot *plot, int entries) {
    text_add(&plot->commands,
             "high = high + %d\n"
             "set bmargin %g\n"
             "set key below center vertical maxcols 1 Left reverse samplen 3\n",
             20 * entries, 4.5 + 1.2 * entries);
}

/* 100 is a number that no other label of a plot has. */
void plot_middle_title(struct repro_plot *plot) {
    text_add(&plot->commands,
             "unset title\n"
             "set label 100 \"%s%s%s\" at screen 0.5, screen 1 - 22.0 / high center noenhanced\n",
             plot->title, plot->scale[0] != '\0' ? "\\n" : "", plot->scale);
}

/* In this order: texts of a plot are numbered as they are noted. */
void plot_axes(struct repro_plot *plot, const char *x, const char *y) {
    text_add(&plot->commands, "set xlabel \"%s\" noenhanced\n", plot_text(plot, x).text);
    text_add(&plot->commands, "set ylabel \"%s\" noenhanced\n", plot_text(plot, y).text);
}

/* The folder comes as an argument (`gnuplot -c NAME.gp FOLDER`) when the caller is not in it. The commands
 * may set another height. */
void plot_script(struct repro_plot *plot) {
    const char *drawing = text_string(&plot->drawing);
    text_add(&plot->script,
             "# Run 'gnuplot %s.gp' in this folder to make the pictures again.\n"
             "if (exists(\"ARGC\")) { if (ARGC > 0) { cd ARG1 } }\n"
             "data = \"%s.csv\"\n"
             "set encoding utf8\n"
             "set datafile separator comma\n"
             "set title \"%s%s%s\" noenhanced\n"
             "set grid ytics " PLOT_GRID "\n"
             "set border 3\n"
             "set tics nomirror out\n"
             "high = 500\n"
             "%s"
             "set terminal svg size 860,high dynamic noenhanced font \"sans-serif,14\" background \"white\"\n"
             "set output \"%s.svg\"\n"
             "%s"
             "set terminal pngcairo size 1290,1.5*high pointscale 2 noenhanced font \"sans,13\"\n"
             "set output \"%s.png\"\n"
             "%s"
             "set output\n",
             plot->name, plot->name, plot->title, plot->scale[0] != '\0' ? "\\n" : "", plot->scale,
             text_string(&plot->commands), plot->name, drawing, plot->name, drawing);
}

/* Lines of data begin with a label, so every number follows a comma. */
void plot_number(double number, struct text *out) {
    text_add_string(out, ",");
    if (isfinite(number))
        output_number(number, out);
    else
        text_add_string(out, "NaN");
}

/* A published share is a sample like ours: where the paper states no margin of its own, its trials give one.
 */
static struct interval published_interval(const struct repro_row *row) {
    const double margin = isnan(row->published_margin) ? 0 : row->published_margin;
    struct interval i = {row->published - margin, row->published + margin};
    if (!isnan(row->published) && isnan(row->published_margin) && row->published_n > 0 &&
        strcmp(row->unit, "%") == 0) {
        i = stats_wilson(row->published / 100, row->published_n, STATS_Z95);
        i = (struct interval){100 * i.low, 100 * i.high};
    }
    return i;
}

/* One row is a line of the data; false: the row has another unit and belongs to another plot. A figure
 * without an interval gets one without width, which is drawn as a dash. */
static bool add_row(const struct repro_row *row, const struct repro_bars *bars, struct text *out) {
    if (strcmp(row->unit, bars->unit) != 0 || (bars->published_only && isnan(row->published)))
        return false;
    const struct interval published = published_interval(row);
    csv_field(row->label, out);
    plot_number(row->published, out);
    plot_number(published.low, out);
    plot_number(published.high, out);
    plot_number(row->ours, out);
    plot_number(isnan(row->low) ? row->ours : row->low, out);
    plot_number(isnan(row->high) ? row->ours : row->high, out);
    text_add_string(out, "\n");
    return true;
}

/* The axis of the figures: shares from 0 to all, times and counts by powers where they differ by many. */
static const char *axis_of(const struct repro_bars *bars) {
    if (bars->logarithmic)
        return strcmp(bars->unit, "ms") == 0 ? "set logscale x\nset format x \"%.10g\"\n"
                                             : "set logscale x\nset format x \"10^%T\"\n";
    return strcmp(bars->unit, "%") == 0 ? "set xrange [0:100]\n" : "set xrange [0:*]\n";
}

/* The settings of a plot with `count` rows: a line each, from the top, so that labels of any length stay
 * level. The picture is as high as the rows need. */
static void set_rows(struct repro_plot *plot, const struct repro_bars *bars, int count) {
    text_add(&plot->commands,
             "high = %d\n"
             "set yrange [%d.5:-0.5]\n"
             "set ytics scale 0 noenhanced\n"
             "set rmargin 5\n"
             "set tmargin 4\n"
             "set grid xtics ytics " PLOT_GRID "\n"
             "set xlabel \"%s\" noenhanced\n"
             "%s",
             220 + 32 * count, count - 1, plot_text(plot, bars->axis).text, axis_of(bars));
    plot_middle_title(plot);
    if (bars->level > 0)
        text_add(&plot->commands,
                 "set arrow 1 from %g, graph 0 to %g, graph 1 nohead dt 2 lw 1.5 lc rgb \"#111111\"\n",
                 bars->level, bars->level);
}

/* Points and not bars: only a bar that begins at 0 shows a size, and an axis of powers has no 0. Published
 * figures lie a little above ours, so that both can be seen where they agree. */
static void draw_rows(struct repro_plot *plot, const struct repro_bars *bars, bool published) {
    const char *const ours = published ? "[ours_interval|ours, with 95% interval]" : "[ours|ours]";
    text_add(
        &plot->drawing,
        "plot data skip 1 using 5:0:ytic(1) with points pt 7 ps 0.7 lc rgb \"#2f6db5\" title \"%s\", \\\n"
        "     data skip 1 using 6:0:($7 - $6):(0) " PLOT_INTERVALS_OF("#2f6db5"),
        plot_text(plot, ours).text);
    if (published)
        text_add(&plot->drawing,
                 ", \\\n     data skip 1 using 2:($0 - 0.3) with points pt 12 ps 0.8 lw 1.5 lc rgb "
                 "\"#c0392b\" title \"%s\", \\\n"
                 "     data skip 1 using 3:($0 - 0.3):($4 - $3):(0) " PLOT_INTERVALS_OF("#c0392b"),
                 plot_text(plot, "[published|published]").text);
    if (bars->level > 0)
        text_add(&plot->drawing, ", \\\n     NaN with lines dt 2 lw 1.5 lc rgb \"#111111\" title \"%s\"",
                 plot_text(plot, rows_label("[even_level|even: {%g}%%]", bars->level).text).text);
    text_add_string(&plot->drawing, "\n");
}

static void plot_rows(struct repro_result *out, const struct repro_bars *bars) {
    struct repro_plot *plot = plot_add(out, bars->suffix, bars->title);
    bool published = false;
    int count = 0;
    text_add_string(&plot->data, "label,published,published_low,published_high,ours,low,high\n");
    for (const struct repro_row *row = out->rows; row < out->rows + out->row_count; row++)
        if (add_row(row, bars, &plot->data)) {
            published = published || !isnan(row->published);
            count++;
        }
    set_rows(plot, bars, count);
    plot_key(plot, 1 + published + (bars->level > 0));
    draw_rows(plot, bars, published);
    plot_script(plot);
}

void output_finish(const struct repro_data *data, struct repro_result *out) {
    const struct repro_experiment *x = data->experiment;
    x->finish(data, out);
    for (int cell = 0; x->ticks != NULL && cell < x->ticks->column_count * x->ticks->row_count; cell++) {
        assert(cell < REPRO_TICKS_MAX);
        out->ticks[cell] = rows_sum(data, cell, x->ticks->value).mean;
    }
    for (int i = 0; i < 2 && x->bars[i].suffix != NULL; i++)
        plot_rows(out, &x->bars[i]);
    if (out->failure.text[0] == '\0') {
        rows_summarize(out);
        add_repetitions(data, &out->repetitions_csv);
    }
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

/* Experiments whose repetitions are not games store none. */
bool repro_make_folders(const struct repro_experiment *experiment, const char *folder, struct err *e) {
    char games[FILE_PATH_MAX];
    return file_path(games, e, "%s/%s-games", folder, experiment->name) && file_make_folder(folder, e) &&
           (experiment->run != NULL || file_make_folder(games, e));
}

bool repro_read_map(void *maps_folder, const char *name, struct text *out, struct err *e) {
    char path[FILE_PATH_MAX];
    return file_path(path, e, "%s/%s.tbsmap", (const char *)maps_folder, name) &&
           file_read(path, TBS_MAP_TEXT_MAX, out, e);
}

/* ---- drawing: boards ---- */

#ifdef SENJUTSU_CAIRO
static bool draw_board(const char *folder, const char *maps_folder, const char *name, struct err *e) {
    static const char *const endings[] = {"svg", "png"};
    static const enum tbs_picture formats[] = {TBS_PICTURE_SVG, TBS_PICTURE_PNG};
    char path[FILE_PATH_MAX];
    struct text text = {0};
    struct tbs_map map;
    struct tbs_position position;
    bool ok = file_path(path, e, "%s", maps_folder) && repro_read_map(path, name, &text, e) &&
              tbs_map_load(name, text_string(&text), text.size, &map, e);
    if (ok)
        tbs_map_position(&map, &position);
    for (int i = 0; ok && i < 2; i++)
        ok = file_path(path, e, "%s/map-%s.%s", folder, name, endings[i]) &&
             tbs_draw(&map, &position, path, formats[i], TBS_DRAW_CELL_DEFAULT, e);
    text_done(&text);
    return ok;
}
#endif

/* ---- drawing: plots ---- */

extern char **environ; /* handed on to gnuplot, not read */

enum { NO_PROGRAM = 127, PICTURE_SIZE_MAX = 64 << 20 };

/* gnuplot's messages do not reach the user's terminal: it warns about fonts. */
static int run_gnuplot(const char *script, const char *folder) {
    const char *const words[] = {"gnuplot", "-c", script, folder, NULL};
    char *arguments[5];
    memcpy(arguments, words,
           sizeof arguments); /* posix_spawn takes them without const and does not change them */
    posix_spawn_file_actions_t files;
    pid_t child;
    int status = NO_PROGRAM << 8;
    if (posix_spawn_file_actions_init(&files) != 0)
        return NO_PROGRAM;
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", fd == 0 ? O_RDONLY : O_WRONLY, 0);
    if (posix_spawnp(&child, "gnuplot", &files, NULL, arguments, environ) == 0)
        while (waitpid(child, &status, 0) < 0 && errno == EINTR)
            ;
    posix_spawn_file_actions_destroy(&files);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}

/* gnuplot reports no error when the disk is full; an incomplete picture shows it. */
static bool check_picture(const char *folder, const char *name, const char *ending, const char *end,
                          struct err *e) {
    char path[FILE_PATH_MAX];
    struct text picture = {0};
    if (!file_path(path, e, "%s/%s%s", folder, name, ending))
        return false;
    if (!file_is_plain(path))
        return true;
    bool ok = file_read(path, PICTURE_SIZE_MAX, &picture, e);
    while (picture.size > 0 && picture.data[picture.size - 1] == '\n')
        picture.size--;
    if (ok && (picture.size < strlen(end) ||
               memcmp(picture.data + picture.size - strlen(end), end, strlen(end)) != 0))
        ok = err_set(e, "%s: gnuplot could not finish it; is the disk full?", path);
    text_done(&picture);
    return ok || (file_remove(path, NULL), false); /* half a picture is none */
}

/* Boards need Cairo in this build, plots need gnuplot on this machine. Without gnuplot the first plot is
 * tried and the others are not. */
bool repro_draw(const struct repro_result *result, const char *folder, const char *maps_folder,
                struct repro_missing *missing, struct err *e) {
    *missing = (struct repro_missing){.plot = -1};
    const char *const *maps = result->experiment->maps;
#ifdef SENJUTSU_CAIRO
    for (int i = 0; maps != NULL && maps[i] != NULL; i++)
        if (!draw_board(folder, maps_folder, maps[i], e))
            return false;
#else
    (void)maps_folder;
    missing->boards = maps != NULL;
#endif
    for (int i = 0; !missing->gnuplot && i < result->plot_count; i++) {
        const char *name = result->plots[i].name;
        char script[FILE_PATH_MAX];
        if (!file_path(script, e, "%s/%s.gp", folder, name))
            return false;
        const int status = run_gnuplot(script, folder);
        missing->gnuplot = status == NO_PROGRAM;
        if (status == 0 && !(check_picture(folder, name, ".svg", "</svg>", e) &&
                             check_picture(folder, name, ".png", "IEND\xae\x42\x60\x82", e)))
            return false;
        if (status != 0 && missing->plot < 0) {
            missing->plot = i;
            missing->plot_status = status;
        }
    }
    return true;
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
        text_add_string(out, "<li>");
        html_escape(string_of(finding, "verdict"), out);
        text_add_string(out, ": ");
        html_escape(string_of(finding, "text"), out);
        text_add_string(out, "</li>\n");
    }
    text_add_string(out, "</ul>\n");
    columns_html(&(struct columns){report_columns, sizeof report_columns / sizeof report_columns[0],
                                   (int)json_array_size(rows), rows},
                 out);
}

/* ---- the report: all statements ---- */

static void add_cell(const char *text, struct text *out) {
    text_add_string(out, "<td>");
    html_escape(text, out);
    text_add_string(out, "</td>");
}

/* "–" in place of a number that is not there. */
static void add_number(const json_t *row, const char *key, struct text *out) {
    const json_t *value = json_object_get(row, key);
    const char *unit = string_of(row, "unit");
    char number[COLUMNS_NUMBER_MAX], cell[2 * COLUMNS_NUMBER_MAX];
    if (json_is_number(value))
        write_number(json_number_value(value), unit, number, sizeof number);
    else
        snprintf(number, sizeof number, "–");
    snprintf(cell, sizeof cell, "%s %s", number, json_is_number(value) ? unit : "");
    add_cell(cell, out);
}

/* Conclusions, then published figures and statements without one. Other rows are no statements of a paper. */
static void add_statements(const json_t *experiment, struct text *out) {
    const json_t *findings = json_object_get(experiment, "findings"),
                 *rows = json_object_get(experiment, "rows");
    for (size_t i = 0; i < json_array_size(findings) + json_array_size(rows); i++) {
        const bool is_row = i >= json_array_size(findings);
        const json_t *of =
            is_row ? json_array_get(rows, i - json_array_size(findings)) : json_array_get(findings, i);
        const char *kind = string_of(of, "kind");
        if (is_row && !json_is_number(json_object_get(of, "published")) && strcmp(kind, "same") != 0 &&
            strcmp(kind, "not_same") != 0)
            continue;
        text_add_string(out, "<tr>");
        add_cell(string_of(experiment, "source"), out);
        add_cell(string_of(of, is_row ? "label" : "text"), out);
        if (is_row) {
            add_number(of, "published", out);
            add_number(of, "ours", out);
        } else {
            text_add_string(out, "<td></td><td></td>");
        }
        add_cell(string_of(of, "verdict"), out);
        text_add_string(out, "</tr>\n");
    }
}

/* ---- the report: the page ---- */

/* The page has the data of all experiments; its scripts build tables and pictures from them in the language
 * of the reader. */
bool report_make(const char *folder, const char *date, struct text *out, struct err *e) {
    json_t *list = json_array();
    struct text plain = {0}, all = {0};
    bool ok = true;
    text_add_string(&all, "<h2>All statements</h2>\n<table>\n<tr><th>paper</th><th>statement</th>"
                          "<th>published</th><th>ours</th><th>verdict</th></tr>\n");
    for (int i = 0; ok && repro_experiments[i] != NULL; i++) {
        json_t *experiment = load(folder, repro_experiments[i]->name, e);
        ok = experiment != NULL || e->text[0] == '\0';
        if (experiment == NULL)
            continue;
        add_statements(experiment, &all);
        add_plain(experiment, &plain);
        json_array_append_new(
            list, json_pack("{so so}", "pictures", pictures_json(folder, experiment), "result", experiment));
    }
    if (ok && json_array_size(list) == 0)
        ok = err_set(e, "%s: holds no result of an experiment; 'senjutsu repro NAME --out %s' makes one",
                     folder, folder);
    json_t *data = json_pack("{ss so}", "date", date, "experiments", list);
    text_add(&all, "</table>\n%s", text_string(&plain));
    if (ok)
        page_write(&(struct page){.title = "Published experiments, run again",
                                  .kind = "experiments",
                                  .data = data,
                                  .plain = text_string(&all)},
                   out);
    json_decref(data);
    text_done(&plain);
    text_done(&all);
    return ok;
}
