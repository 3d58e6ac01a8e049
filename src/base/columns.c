/* SPDX-License-Identifier: MIT
 *
 * Cells of a table, and the writers of CSV, JSON, terminal and HTML tables.
 */
#include "base/columns.h"

#include "base/encode.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A column without a place is everywhere. */
static bool is_in(const struct column *column, unsigned where) {
    return column->where == 0 || (column->where & where) != 0;
}

/* The cell's text may point into the cell itself: the cell must not be moved. */
static void get_cell(const struct columns *table, int row, const struct column *column,
                     struct column_cell *out) {
    assert(row >= 0);
    assert(row < table->rows);
    *out = (struct column_cell){.number = (double)NAN};
    column->get(table->source, row, column->index, out);
}

/* ---- values ---- */

char *columns_number(double value, char out[COLUMNS_NUMBER_MAX]) {
    int n = snprintf(out, COLUMNS_NUMBER_MAX, "%.2f", fabs(value) < 0.005 ? 0 : value);
    while (n > 0 && n < COLUMNS_NUMBER_MAX && out[n - 1] == '0')
        out[--n] = '\0';
    if (n > 0 && n < COLUMNS_NUMBER_MAX && out[n - 1] == '.')
        out[--n] = '\0';
    return out;
}

struct json_t *columns_number_json(double value, double unit) {
    const double rounded = round(value / unit) * unit + 0.0; /* the sum makes a zero of a negative zero */
    return isfinite(rounded) ? json_real(rounded) : json_null();
}

/* Beyond 1e15 doubles have no fractions that could be shown. */
static bool is_whole(double number) {
    return fabs(number) < 1e15 && number == floor(number);
}

static json_t *json_cell(const struct column *column, const struct column_cell *cell) {
    const enum column_format format = column->format;
    const double number = cell->number;
    if (format == COLUMN_JSON)
        return cell->json;
    if (format == COLUMN_FLAG)
        return json_boolean(number != 0);
    /* Names come from files and command lines: they need not be UTF-8. */
    if (format == COLUMN_TEXT)
        return cell->text != NULL ? jsontext_string(cell->text, strlen(cell->text)) : json_null();
    /* Large counts as integers: a real is printed with fewer digits than they have. */
    if (format == COLUMN_COUNT || (format == COLUMN_GENERAL && fabs(number) >= 1e6 && is_whole(number)))
        return isfinite(number) ? json_integer((json_int_t)number) : json_null();
    if (format == COLUMN_GENERAL)
        return isfinite(number) ? json_real(number) : json_null();
    return columns_number_json(number, column->unit > 0 ? column->unit : 1e-6);
}

/* The cell as readers see it: cell->text, or the number written into the cell's buffer. */
static const char *text_of(const struct column *column, struct column_cell *cell) {
    const double number = cell->number;
    char *out = cell->buffer;
    const size_t size = sizeof cell->buffer;
    if (cell->text != NULL)
        return cell->text;
    if (isnan(number))
        return column->format == COLUMN_ERROR || column->format == COLUMN_TEXT ? "" : "-";
    switch (column->format) {
    case COLUMN_COUNT: snprintf(out, size, "%.0f", number); break;
    case COLUMN_NUMBER: return columns_number(number, out);
    case COLUMN_FIXED: snprintf(out, size, "%.*f", column->places, number); break;
    case COLUMN_PERCENT: snprintf(out, size, "%.1f%%", 100 * number); break;
    case COLUMN_SIGNED: snprintf(out, size, fabs(number) < 0.5 ? "0" : "%+.0f", round(number)); break;
    case COLUMN_ERROR: snprintf(out, size, "±%.0f", number); break;
    case COLUMN_GENERAL: snprintf(out, size, is_whole(number) ? "%.0f" : "%.6g", number); break;
    case COLUMN_FLAG: return number != 0 ? "yes" : "no";
    case COLUMN_TEXT:
    case COLUMN_JSON: break;
    }
    return out;
}

/* ---- CSV ---- */

void columns_csv(const struct columns *table, struct text *out) {
    for (int row = -1; row < table->rows; row++) {
        const char *comma = "";
        for (int i = 0; i < table->count; i++) {
            const struct column *column = &table->list[i];
            struct column_cell cell;
            if (!is_in(column, IN_CSV))
                continue;
            text_add_string(out, comma);
            comma = ",";
            if (row < 0) {
                text_add_string(out, column->name);
                continue;
            }
            get_cell(table, row, column, &cell);
            if (column->format == COLUMN_TEXT)
                csv_field(cell.text != NULL ? cell.text : "", out);
            else if (column->format == COLUMN_FLAG)
                text_add_string(out, cell.number != 0 ? "yes" : "no");
            else if (isfinite(cell.number) && column->format == COLUMN_GENERAL)
                text_add(out, is_whole(cell.number) ? "%.0f" : "%.6g", cell.number);
            else if (isfinite(cell.number)) /* never "-0.00": its sign would be a rounding error */
                text_add(out, "%.*f", column->decimals,
                         fabs(cell.number) < 0.5 * pow(10, -column->decimals) ? 0 : cell.number);
        }
        text_add_string(out, "\n");
    }
}

/* ---- JSON ---- */

/* A name may occur in several columns (one for each kind of writer): the first that JSON has wins. */
static void set_field(const struct columns *table, int row, const struct column *column, json_t *object) {
    struct column_cell cell;
    if (!is_in(column, IN_JSON) || json_object_get(object, column->name) != NULL)
        return;
    get_cell(table, row, column, &cell);
    const bool is_empty = column->format == COLUMN_TEXT   ? cell.text == NULL || cell.text[0] == '\0'
                          : column->format == COLUMN_JSON ? cell.json == NULL
                                                          : isnan(cell.number);
    if (!column->is_optional || !is_empty)
        json_object_set_new(object, column->name, json_cell(column, &cell));
}

struct json_t *columns_json(const struct columns *table, const char *const *order) {
    json_t *list = json_array();
    for (int row = 0; row < table->rows; row++) {
        json_t *object = json_object();
        for (int k = 0; order != NULL && order[k] != NULL; k++)
            for (int i = 0; i < table->count; i++)
                if (strcmp(table->list[i].name, order[k]) == 0)
                    set_field(table, row, &table->list[i], object);
        for (int i = 0; i < table->count; i++)
            set_field(table, row, &table->list[i], object);
        json_array_append_new(list, object);
    }
    return list;
}

/* The names of formats are part of the API: web/src reads them. */
struct json_t *columns_describe(const struct columns *table) {
    static const char *const formats[] = {
        [COLUMN_TEXT] = "text",       [COLUMN_COUNT] = "count",   [COLUMN_NUMBER] = "number",
        [COLUMN_FIXED] = "fixed",     [COLUMN_PERCENT] = "share", [COLUMN_SIGNED] = "signed",
        [COLUMN_ERROR] = "error",     [COLUMN_FLAG] = "flag",     [COLUMN_JSON] = "json",
        [COLUMN_GENERAL] = "general",
    };
    json_t *list = json_array();
    for (int i = 0; i < table->count; i++) {
        const struct column *c = &table->list[i];
        if (is_in(c, IN_HTML))
            json_array_append_new(list, json_pack("{ss ss ss}", "name", c->name, "title", c->title, "format",
                                                  formats[c->format]));
    }
    return list;
}

/* ---- characters of a terminal ---- */

/* One character of a string: its bytes, or "?" for what a terminal should not be shown. */
struct glyph {
    char bytes[5];
    size_t size; /* in the string */
    int width;
};

/* Foreign text in a table must not move the cursor, so harmful characters become "?" before they are
 * measured. */
static struct glyph glyph_at(const char *s) {
    struct glyph g = {.bytes = "?", .width = 1};
    bool harmless;
    g.size = charset_glyph(s, strnlen(s, sizeof g.bytes - 1), &harmless);
    if (!harmless)
        return g;
    memcpy(g.bytes, s, g.size);
    g.bytes[g.size] = '\0';
    g.width = charset_width(g.bytes);
    return g;
}

/* Adds the characters that fit, or with out NULL only counts their columns. */
static int add_glyphs(const char *string, int columns_max, struct text *out) {
    int used = 0;
    for (const char *s = string; *s != '\0';) {
        const struct glyph g = glyph_at(s);
        if (used + g.width > columns_max)
            break;
        if (out != NULL)
            text_add_string(out, g.bytes);
        used += g.width;
        s += g.size;
    }
    return used;
}

int columns_fit(const char *string, int columns_max, struct text *out) {
    if (columns_max <= 0)
        return 0;
    if (add_glyphs(string, INT32_MAX / 2, NULL) <= columns_max)
        return add_glyphs(string, columns_max, out);
    /* Specs often begin alike and differ at the end: a third of the columns shows the end. */
    const int back = columns_max / 3, front = columns_max - 1 - back;
    const char *tail = string;
    while (add_glyphs(tail, INT32_MAX / 2, NULL) > back)
        tail += glyph_at(tail).size;
    const int used = add_glyphs(string, front, out) + 1;
    text_add_string(out, "…");
    return used + add_glyphs(tail, back, out);
}

/* ---- the terminal ---- */

enum { GAP = 2, CUT_WANTED = 12, CUT_MAX = 60 };

static const char *const colours[] = {
    [CELL_PLAIN] = "", [CELL_STRONG] = "\033[1m", [CELL_FAINT] = "\033[2m", [CELL_WARNING] = "\033[33m"};
static const char reset[] = "\033[0m";

struct layout {
    bool is_present[COLUMNS_MAX];
    int widths[COLUMNS_MAX];
    int last; /* the last column that is present */
};

/* Of the columns that are present, with the gaps between them. */
static int line_width(const struct columns *table, const struct layout *layout) {
    int width = -GAP;
    for (int i = 0; i < table->count; i++)
        if (layout->is_present[i])
            width += layout->widths[i] + GAP;
    return width;
}

/* Columns leave in the order of `leaves`, so that the same table at the same width always looks the same,
 * until `wanted` columns of the terminal are left for the one that can be cut. */
static void fit(const struct columns *table, int columns_max, struct layout *layout) {
    int cut = 0;
    while (cut < table->count && !table->list[cut].is_cut)
        cut++;
    assert(cut < table->count);
    const int wanted = layout->widths[cut] < CUT_WANTED ? layout->widths[cut] : CUT_WANTED;
    int room = columns_max - line_width(table, layout) + layout->widths[cut];
    for (int leaves = 1; leaves <= table->count && room < wanted; leaves++) {
        for (int i = 0; i < table->count; i++)
            layout->is_present[i] = layout->is_present[i] && table->list[i].leaves != leaves;
        room = columns_max - line_width(table, layout) + layout->widths[cut];
    }
    if (layout->widths[cut] > room)
        layout->widths[cut] = room > 1 ? room : 1;
}

/* Every cell is made twice, here and when it is written: a table is small, and storing it would need a
 * struct of texts. */
static void make_layout(const struct columns *table, int columns_max, struct layout *layout) {
    *layout = (struct layout){0};
    for (int i = 0; i < table->count; i++) {
        const struct column *column = &table->list[i];
        layout->is_present[i] = is_in(column, IN_TERMINAL);
        if (!layout->is_present[i])
            continue;
        layout->widths[i] = charset_width(column->title);
        if (layout->widths[i] < column->width_min)
            layout->widths[i] = column->width_min;
        for (int row = 0; row < table->rows && !column->is_fixed; row++) {
            struct column_cell cell;
            get_cell(table, row, column, &cell);
            const int most = column->is_cut ? CUT_MAX : INT32_MAX / 2;
            const int width = add_glyphs(text_of(column, &cell), most, NULL);
            layout->widths[i] = width > layout->widths[i] ? width : layout->widths[i];
        }
    }
    if (columns_max > 0)
        fit(table, columns_max, layout);
    for (int i = 0; i < table->count; i++)
        layout->last = layout->is_present[i] ? i : layout->last;
}

static void add_blanks(int count, struct text *out) {
    text_add(out, "%*s", count > 0 ? count : 0, "");
}

/* Row -1 is the line of titles. Content wider than a fixed column is written over the gap before it. */
void columns_terminal(const struct columns *table, const struct columns_style *style, struct text *out) {
    struct layout layout;
    assert(table->count <= COLUMNS_MAX);
    make_layout(table, style->columns_max, &layout);
    for (int row = -1; row < table->rows; row++) {
        int gap = style->indent;
        text_add_string(out, row < 0 && style->colour ? colours[CELL_FAINT] : "");
        for (int i = 0; i < table->count; i++) {
            const struct column *column = &table->list[i];
            struct column_cell cell = {.text = column->title};
            if (!layout.is_present[i])
                continue;
            if (row >= 0)
                get_cell(table, row, column, &cell);
            const char *text = text_of(column, &cell);
            const bool is_last = i == layout.last && column->is_left && !column->is_cut;
            if (is_last && text[0] == '\0')
                break; /* no blanks at the end of a line */
            const char *colour = style->colour && row >= 0 ? colours[cell.emphasis] : "";
            struct text fitted = {0};
            const int room = column->is_fixed ? INT32_MAX / 2 : layout.widths[i];
            const int blanks = layout.widths[i] - columns_fit(text, room, &fitted);
            add_blanks(blanks < 0 && !column->is_left ? gap + blanks : gap, out);
            text_add_string(out, colour);
            add_blanks(column->is_left ? 0 : blanks, out);
            text_add_string(out, text_string(&fitted));
            add_blanks(column->is_left && !is_last ? blanks : 0, out);
            text_add_string(out, colour[0] != '\0' ? reset : "");
            text_done(&fitted);
            gap = GAP;
        }
        text_add_string(out, row < 0 && style->colour ? reset : "");
        text_add_string(out, "\n");
    }
}

/* ---- HTML ---- */

/* A cell of COLUMN_JSON owns its value, also where only its text is written. */
void columns_html(const struct columns *table, struct text *out) {
    text_add_string(out, "<table>\n");
    for (int row = -1; row < table->rows; row++) {
        text_add_string(out, row < 0 ? "<thead><tr>" : "<tr>");
        for (int i = 0; i < table->count; i++) {
            const struct column *column = &table->list[i];
            struct column_cell cell = {.text = column->title};
            if (!is_in(column, IN_HTML))
                continue;
            if (row >= 0)
                get_cell(table, row, column, &cell);
            text_add_string(out, row < 0 ? "<th scope=\"col\">" : "<td>");
            html_escape(text_of(column, &cell), out);
            json_decref(cell.json);
            text_add_string(out, row < 0 ? "</th>" : "</td>");
        }
        text_add_string(out, row < 0 ? "</tr></thead>\n<tbody>\n" : "</tr>\n");
    }
    text_add_string(out, "</tbody>\n</table>\n");
}
