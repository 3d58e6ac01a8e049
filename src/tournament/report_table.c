/* SPDX-License-Identifier: MIT
 *
 * The table for a terminal. Columns are as wide as what stands in them; when the line would be too long the
 * ones that matter least go first, then names are cut.
 */
#include "tournament/report_data.h"

#include "base/charset.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CELL_MAX = 48, GAP = 2, NAME_WANTED = 12, NAME_COLUMNS_MAX = 60 };

#define STRONG "\033[1m"
#define FAINT  "\033[2m"
#define WARN   "\033[33m"
#define RESET  "\033[0m"

enum column {
    COLUMN_PLACE,
    COLUMN_PLAYER,
    COLUMN_POINTS,
    COLUMN_GAMES,
    COLUMN_WON,
    COLUMN_DRAWN,
    COLUMN_LOST,
    COLUMN_SCORE,
    COLUMN_PAYOFF,
    COLUMN_ELO,
    COLUMN_ERROR,
    COLUMN_FAULTS,
    COLUMNS
};

struct layout {
    int rows;
    bool shown[COLUMNS];
    int widths[COLUMNS];
};

/* ---- cells ---- */

static void place_cell(const struct report *report, int row, char *out) {
    int last;
    if (report_place_is_shared(report, row, &last))
        snprintf(out, CELL_MAX, "%d-%d", report->standings[row].place, last);
    else
        snprintf(out, CELL_MAX, "%d", report->standings[row].place);
}

static void points_cell(const struct report *report, int row, char *out) {
    report_number(report->standings[row].points, out);
}

static void games_cell(const struct report *report, int row, char *out) {
    snprintf(out, CELL_MAX, "%d", tally_games(&report->standings[row].total));
}

static void won_cell(const struct report *report, int row, char *out) {
    snprintf(out, CELL_MAX, "%d", report->standings[row].total.wins);
}

static void drawn_cell(const struct report *report, int row, char *out) {
    snprintf(out, CELL_MAX, "%d", report->standings[row].total.draws);
}

static void lost_cell(const struct report *report, int row, char *out) {
    snprintf(out, CELL_MAX, "%d", report->standings[row].total.losses);
}

static void score_cell(const struct report *report, int row, char *out) {
    const struct tally *total = &report->standings[row].total;
    if (tally_games(total) > 0)
        snprintf(out, CELL_MAX, "%.1f%%", 100 * tally_score(total));
    else
        snprintf(out, CELL_MAX, "-");
}

static void payoff_cell(const struct report *report, int row, char *out) {
    struct report_payoff payoff;
    if (report_payoff(report, &report->standings[row], &payoff))
        snprintf(out, CELL_MAX, "%.3f", payoff.mean);
    else
        snprintf(out, CELL_MAX, "-");
}

static void elo_cell(const struct report *report, int row, char *out) {
    const double elo =
        report->ratings != NULL ? round(report->ratings[report->standings[row].player].elo) : 0;
    if (report->ratings == NULL)
        snprintf(out, CELL_MAX, "-");
    else if (elo > 0 || elo < 0)
        snprintf(out, CELL_MAX, "%+.0f", elo);
    else
        snprintf(out, CELL_MAX, "0");
}

static void error_cell(const struct report *report, int row, char *out) {
    out[0] = '\0';
    if (report->ratings != NULL)
        snprintf(out, CELL_MAX, "±%.0f", report->ratings[report->standings[row].player].error);
}

static void faults_cell(const struct report *report, int row, char *out) {
    snprintf(out, CELL_MAX, "%d", report_faults(&report->standings[row]));
}

struct column_kind {
    const char *head;
    void (*cell)(const struct report *report, int row, char *out); /* NULL: names, cut to the width */
    int leaves; /* the order of removal when the line is too long: 1 first; 0 never */
};

static const struct column_kind columns[COLUMNS] = {
    [COLUMN_PLACE] = {"#", place_cell, 0},
    [COLUMN_PLAYER] = {"player", NULL, 0},
    [COLUMN_POINTS] = {"points", points_cell, 6},
    [COLUMN_GAMES] = {"games", games_cell, 1},
    [COLUMN_WON] = {"W", won_cell, 2},
    [COLUMN_DRAWN] = {"D", drawn_cell, 2},
    [COLUMN_LOST] = {"L", lost_cell, 2},
    [COLUMN_SCORE] = {"score", score_cell, 4},
    [COLUMN_PAYOFF] = {"payoff", payoff_cell, 5},
    [COLUMN_ELO] = {"Elo", elo_cell, 3},
    [COLUMN_ERROR] = {"", error_cell, 3},
    [COLUMN_FAULTS] = {"faults", faults_cell, 5},
};

/* ---- layout ---- */

static int name_width(const struct report *report, int row) {
    struct text name = {0};
    const int width =
        report_fit(report->event->players[report->standings[row].player].name, NAME_COLUMNS_MAX, &name);
    text_done(&name);
    return width;
}

static int cell_width(const struct report *report, int row, int column) {
    char cell[CELL_MAX];
    if (columns[column].cell == NULL)
        return name_width(report, row);
    columns[column].cell(report, row, cell);
    return charset_width(cell);
}

static bool has_faults(const struct report *report) {
    for (int i = 0; i < report->event->player_count; i++)
        if (report_faults(&report->standings[i]) > 0)
            return true;
    return false;
}

static int line_width(const struct layout *layout) {
    int width = -GAP;
    for (int c = 0; c < COLUMNS; c++)
        if (layout->shown[c])
            width += layout->widths[c] + GAP;
    return width;
}

/* The columns left for names; less than one when the line does not fit at all. */
static int room_for_names(const struct layout *layout, int columns_max) {
    return columns_max - (line_width(layout) - layout->widths[COLUMN_PLAYER]);
}

static void fit(struct layout *layout, int columns_max) {
    const int wanted =
        layout->widths[COLUMN_PLAYER] < NAME_WANTED ? layout->widths[COLUMN_PLAYER] : NAME_WANTED;
    for (int leaves = 1; leaves <= COLUMNS && room_for_names(layout, columns_max) < wanted; leaves++)
        for (int c = 0; c < COLUMNS; c++)
            if (columns[c].leaves == leaves)
                layout->shown[c] = false;
    const int room = room_for_names(layout, columns_max);
    if (layout->widths[COLUMN_PLAYER] > room)
        layout->widths[COLUMN_PLAYER] = room > 1 ? room : 1;
}

static struct layout layout_of(const struct report *report, const struct report_style *style) {
    const int players = report->event->player_count;
    struct layout layout = {.rows = style->rows > 0 && style->rows < players ? style->rows : players};
    for (int c = 0; c < COLUMNS; c++) {
        layout.shown[c] = true;
        layout.widths[c] = charset_width(columns[c].head);
        for (int row = 0; row < layout.rows; row++) {
            const int width = cell_width(report, row, c);
            if (width > layout.widths[c])
                layout.widths[c] = width;
        }
    }
    layout.shown[COLUMN_FAULTS] = has_faults(report);
    layout.shown[COLUMN_PAYOFF] = report_has_payoffs(report);
    layout.shown[COLUMN_ERROR] = report->ratings != NULL;
    if (style->columns > 0)
        fit(&layout, style->columns);
    return layout;
}

/* ---- lines ---- */

static void add_blanks(int count, struct text *out) {
    for (int i = 0; i < count; i++)
        text_add_string(out, " ");
}

/* Numbers stand at the right of their column, names at the left. */
static void add_cell(const char *cell, const struct layout *layout, int column, struct text *out) {
    struct text fitted = {0};
    const int width = layout->widths[column];
    const int blanks = width - report_fit(cell, width, &fitted);
    if (column != COLUMN_PLAYER)
        add_blanks(blanks, out);
    text_add_string(out, text_string(&fitted));
    if (column == COLUMN_PLAYER)
        add_blanks(blanks, out);
    out->failed = out->failed || fitted.failed;
    text_done(&fitted);
}

static void add_head(const struct layout *layout, bool colour, struct text *out) {
    text_add_string(out, colour ? FAINT : "");
    for (int c = 0; c < COLUMNS; c++)
        if (layout->shown[c]) {
            add_blanks(c > 0 ? GAP : 0, out);
            add_cell(columns[c].head, layout, c, out);
        }
    text_add_string(out, colour ? RESET "\n" : "\n");
}

static const char *colour_of(const struct report *report, int row, int column) {
    if (column == COLUMN_PLAYER && report->standings[row].place == 1 && report->games_played > 0)
        return STRONG;
    if (column == COLUMN_ERROR)
        return FAINT;
    return column == COLUMN_FAULTS && report_faults(&report->standings[row]) > 0 ? WARN : "";
}

static void add_row(const struct report *report, const struct layout *layout, int row, bool colour,
                    struct text *out) {
    for (int c = 0; c < COLUMNS; c++) {
        char cell[CELL_MAX];
        const char *text = cell;
        if (!layout->shown[c])
            continue;
        if (columns[c].cell != NULL)
            columns[c].cell(report, row, cell);
        else
            text = report->event->players[report->standings[row].player].name;
        const char *start = colour ? colour_of(report, row, c) : "";
        add_blanks(c > 0 ? GAP : 0, out);
        text_add_string(out, start);
        add_cell(text, layout, c, out);
        text_add_string(out, start[0] != '\0' ? RESET : "");
    }
    text_add_string(out, "\n");
}

/* ---- the last line ---- */

static void describe_speed(double games_a_second, char *out) {
    if (games_a_second >= 1)
        snprintf(out, CELL_MAX, "%.1f games a second", games_a_second);
    else if (games_a_second * 60 >= 1)
        snprintf(out, CELL_MAX, "%.1f games a minute", games_a_second * 60);
    else
        snprintf(out, CELL_MAX, "%.1f games an hour", games_a_second * 3600);
}

static void describe_left(double seconds, char *out) {
    if (seconds < 60)
        snprintf(out, CELL_MAX, "%.0f s left", ceil(seconds));
    else if (seconds < 3600)
        snprintf(out, CELL_MAX, "%.0f min left", ceil(seconds / 60));
    else if (seconds < 48 * 3600)
        snprintf(out, CELL_MAX, "%.0f h %.0f min left", floor(seconds / 3600),
                 floor(fmod(seconds, 3600) / 60));
    else
        snprintf(out, CELL_MAX, "%.0f days left", ceil(seconds / 86400));
}

/* Adds the text if it fits. */
static void add_words(struct text *line, const char *words, int columns_max) {
    const int width = charset_width(text_string(line)) + 2 + (int)strlen(words);
    if (columns_max <= 0 || width <= columns_max)
        text_add(line, ", %s", words);
}

static void add_progress(const struct report *report, const struct report_style *style, struct text *out) {
    struct text line = {0};
    char words[CELL_MAX];
    const int timed = report->games_played - report->games_untimed;
    const double speed = timed > 0 && report->seconds > 0 ? timed / report->seconds : 0;
    const int left = report->games_expected - report->games_played;
    text_add(&line, "%d of %d games", report->games_played, report->games_expected);
    if (speed > 0) {
        describe_speed(speed, words);
        add_words(&line, words, style->columns);
    }
    if (report->games->void_count > 0) {
        snprintf(words, sizeof words, "%d void and played again", report->games->void_count);
        add_words(&line, words, style->columns);
    }
    if (report->complete)
        add_words(&line, "complete", style->columns);
    else if (speed > 0 && left > 0) {
        describe_left(left / speed, words);
        add_words(&line, words, style->columns);
    }
    text_add_string(out, style->colour ? FAINT : "");
    report_fit(text_string(&line), style->columns > 0 ? style->columns : CELL_MAX * 4, out);
    text_add_string(out, style->colour ? RESET "\n" : "\n");
    out->failed = out->failed || line.failed;
    text_done(&line);
}

void report_table(const struct report *report, const struct report_style *style, struct text *out) {
    assert(style->columns >= 0);
    assert(style->rows >= 0);
    const struct layout layout = layout_of(report, style);
    const int hidden = report->event->player_count - layout.rows;
    add_head(&layout, style->colour, out);
    for (int row = 0; row < layout.rows; row++)
        add_row(report, &layout, row, style->colour, out);
    if (hidden > 0)
        text_add(out, "… and %d more\n", hidden);
    add_progress(report, style, out);
}
