/* SPDX-License-Identifier: MIT
 *
 * Grouped bars over df as the paper has them, and lines with intervals where more than two are compared.
 */
#include "repro/synth_plot.h"

#include "repro/plot.h"

#include <stdio.h>

/* Colours that stay apart in grey and for most colour-blind eyes. */
static const char *const colours[] = {"#2f6db5", "#d9822b", "#5a9e4b", "#8a5aa8", "#444444"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

static void add_sum(const struct cell_sum *s, double factor, struct text *out) {
    plot_number(factor * s->mean, out);
    plot_number(factor * s->t95.low, out);
    plot_number(factor * s->t95.high, out);
}

/* Below the axis' label, with room for both. */
#define KEY_BELOW                                                                                            \
    "set bmargin 5\n"                                                                                        \
    "set key outside bottom center horizontal\n"

/* ---- bars ---- */

static void draw_bars(struct repro_plot *plot, const struct synth_bars *bars, const char *range) {
    char commands[512], drawing[1024];
    snprintf(commands, sizeof commands,
             "set style fill solid 0.9 noborder\n"
             "set boxwidth 0.38\n" KEY_BELOW "set xlabel \"disambiguation factor df\" noenhanced\n"
             "set ylabel \"%s\" noenhanced\n"
             "set xrange [-0.6:%d.6]\n"
             "set for [i=0:%d] xtics (sprintf(\"%%.1f\", (i + 1) / 10.0) i)\n"
             "%s",
             bars->axis, SYNTH_DFS - 1, SYNTH_DFS - 1, range);
    snprintf(drawing, sizeof drawing,
             "plot data skip 1 using ($0 - 0.2):2 with boxes lc rgb \"%s\" title \"%s\", \\\n"
             "     data skip 1 using ($0 + 0.2):5 with boxes lc rgb \"%s\" title \"%s\", \\\n"
             "     data skip 1 using ($0 - 0.2):3:(0):($4 - $3) " PLOT_INTERVALS ", \\\n"
             "     data skip 1 using ($0 + 0.2):6:(0):($7 - $6) " PLOT_INTERVALS "\n",
             colours[0], bars->names[0], colours[1], bars->names[1]);
    plot_script(plot, commands, drawing);
}

static void begin_bars(struct repro_plot *plot) {
    text_add_string(&plot->data, "df,a,a_low,a_high,b,b_low,b_high\n");
}

static void begin_line(struct repro_plot *plot, int i) {
    text_add(&plot->data, "%.1f", (i + 1) / 10.0);
}

void synth_plot_bars(const struct repro_data *data, struct repro_result *out, const char *suffix,
                     const char *title, const struct synth_bars *bars) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    char range[128];
    begin_bars(plot);
    for (int i = 0; i < SYNTH_DFS; i++) {
        begin_line(plot, i);
        for (int who = 0; who < 2; who++) {
            const struct cell_sum s = rows_sum(data, bars->first + i, bars->values[who]);
            add_sum(&s, bars->factor, &plot->data);
        }
        text_add_string(&plot->data, "\n");
    }
    snprintf(range, sizeof range, "set yrange [0:*]\nset format y \"%s\"\n", bars->format);
    draw_bars(plot, bars, range);
}

void synth_plot_payoffs(const struct repro_data *data, struct repro_result *out, const char *suffix,
                        const char *title, const struct synth_bars *bars) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    char range[256];
    double widest = SYNTH_AXIS;
    begin_bars(plot);
    for (int i = 0; i < SYNTH_DFS; i++) {
        const struct cell_sum s = rows_sum(data, bars->first + i, SYNTH_MEAN);
        const double sum = 2 * SYNTH_EVEN;
        const struct cell_sum rest = {.mean = sum - s.mean, .t95 = {sum - s.t95.high, sum - s.t95.low}};
        begin_line(plot, i);
        add_sum(&s, 1, &plot->data);
        add_sum(&rest, 1, &plot->data);
        text_add_string(&plot->data, "\n");
        const double reach = fabs(s.mean - SYNTH_EVEN) + (s.n >= 2 ? s.t95.high - s.mean : 0);
        widest = reach > widest ? reach : widest;
    }
    snprintf(range, sizeof range,
             "set yrange [%.4f:%.4f]\nset format y \"%%.2f\"\n"
             "set arrow 1 from graph 0, first %g to graph 1, first %g nohead lc rgb \"#111111\" lw 1 front\n",
             SYNTH_EVEN - 1.1 * widest, SYNTH_EVEN + 1.1 * widest, SYNTH_EVEN, SYNTH_EVEN);
    draw_bars(plot, bars, range);
}

/* ---- lines ---- */

static void add_points(const struct repro_data *data, const struct synth_lines *lines, struct text *out) {
    text_add_string(out, "place");
    for (int line = 0; line < lines->count; line++)
        text_add(out, ",%s,low,high", lines->names[line]);
    text_add_string(out, "\n");
    for (int point = 0; point < lines->points; point++) {
        text_add_string(out, lines->places[point]);
        for (int line = 0; line < lines->count; line++) {
            const struct cell_sum s = lines->at(data, line, point);
            add_sum(&s, 1, out);
        }
        text_add_string(out, "\n");
    }
}

/* Side by side, so that the intervals at one place can be told apart. */
static void draw_lines(const struct synth_lines *lines, struct text *out) {
    for (int line = 0; line < lines->count; line++) {
        const double shift = 0.12 * (line - (lines->count - 1) / 2.0);
        const int column = 2 + 3 * line;
        const char *colour = colours[line % COLOURS];
        text_add(out,
                 "%s data skip 1 using ($0 + %g):%d with %s pt %d ps 1.2 lw 1.5 lc rgb \"%s\" title \"%s\", "
                 "\\\n"
                 "     data skip 1 using ($0 + %g):%d:(0):($%d - $%d) with vectors heads size screen "
                 "0.003,90 lw 1.2 lc rgb \"%s\" notitle%s\n",
                 line == 0 ? "plot" : "    ", shift, column, lines->joined ? "linespoints" : "points",
                 5 + 2 * line, colour, lines->names[line], shift, column + 1, column + 2, column + 1, colour,
                 line + 1 < lines->count ? ", \\" : "");
    }
}

static void set_places(const struct synth_lines *lines, struct text *out) {
    text_add_string(out, "set xtics noenhanced (");
    for (int i = 0; i < lines->points; i++)
        text_add(out, "%s\"%s\" %d", i > 0 ? ", " : "", lines->places[i], i);
    text_add_string(out, ")\n");
}

void synth_plot_lines(const struct repro_data *data, struct repro_result *out, const char *suffix,
                      const char *title, const struct synth_lines *lines) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    struct text commands = {0}, drawing = {0};
    add_points(data, lines, &plot->data);
    text_add(&commands,
             KEY_BELOW
             "set xlabel \"%s\" noenhanced\n"
             "set ylabel \"%s\" noenhanced\n"
             "set format y \"%s\"\n"
             "set xrange [-0.5:%d.5]\n"
             "set arrow 1 from graph 0, first %g to graph 1, first %g nohead dt 3 lc rgb \"#111111\"\n",
             lines->axis_x, lines->axis_y, lines->format, lines->points - 1, lines->level, lines->level);
    set_places(lines, &commands);
    draw_lines(lines, &drawing);
    plot_script(plot, text_string(&commands), text_string(&drawing));
    plot->script.failed = plot->script.failed || commands.failed || drawing.failed;
    text_done(&commands);
    text_done(&drawing);
}
