/* SPDX-License-Identifier: MIT */
#include "repro/plot.h"

#include "base/encode.h"
#include "repro/output.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct repro_plot *plot_add(struct repro_result *out, const char *suffix, const char *title) {
    assert(out->plot_count < REPRO_PLOTS_MAX);
    struct repro_plot *plot = &out->plots[out->plot_count++];
    snprintf(plot->name, sizeof plot->name, "%s-%s", out->experiment->name, suffix);
    snprintf(plot->title, sizeof plot->title, "%s", title);
    return plot;
}

/* The folder comes as an argument (`gnuplot -c NAME.gp FOLDER`) when the caller is not in it. The commands
 * may set another height. */
void plot_script(struct repro_plot *plot, const char *commands, const char *drawing) {
    text_add(&plot->script,
             "# Run 'gnuplot %s.gp' in this folder to make the pictures again.\n"
             "if (exists(\"ARGC\")) { if (ARGC > 0) { cd ARG1 } }\n"
             "data = \"%s.csv\"\n"
             "set encoding utf8\n"
             "set datafile separator comma\n"
             "set title \"%s\" noenhanced\n"
             "set grid ytics lc rgb \"#dddddd\"\n"
             "set border 3\n"
             "set tics nomirror out\n"
             "high = 500\n"
             "%s"
             "set terminal svg size 860,high dynamic noenhanced font \"sans-serif,14\" background \"white\"\n"
             "set output \"%s.svg\"\n"
             "%s"
             "set terminal pngcairo size 1290,1.5*high noenhanced font \"sans,13\"\n"
             "set output \"%s.png\"\n"
             "%s"
             "set output\n",
             plot->name, plot->name, plot->title, commands, plot->name, drawing, plot->name, drawing);
}

void plot_number(double number, struct text *out) {
    text_add_string(out, ",");
    if (isfinite(number))
        output_number(number, out);
    else
        text_add_string(out, "NaN");
}

/* Returns how many rows there are, and whether one of them has a published figure. */
static int add_rows(const struct repro_result *r, const char *unit, struct text *out, bool *published) {
    int count = 0;
    text_add_string(out, "label,published,ours,low,high\n");
    for (int i = 0; i < r->row_count; i++) {
        const struct repro_row *row = &r->rows[i];
        if (strcmp(row->unit, unit) != 0)
            continue;
        csv_field(row->label, out);
        plot_number(row->published, out);
        plot_number(row->ours, out);
        plot_number(isnan(row->low) ? row->ours : row->low, out);
        plot_number(isnan(row->high) ? row->ours : row->high, out);
        text_add_string(out, "\n");
        *published = *published || !isnan(row->published);
        count++;
    }
    return count;
}

/* More rows than these have steep labels, and a higher picture: labels must leave room for the bars. */
#define FEW_ROWS 12

void plot_rows(struct repro_result *out, const char *suffix, const char *title,
               const struct plot_bars *bars) {
    struct repro_plot *plot = plot_add(out, suffix, title);
    bool published = false;
    const int count = add_rows(out, bars->unit, &plot->data, &published);
    char commands[512];
    snprintf(commands, sizeof commands,
             "set style fill solid 0.9 noborder\n"
             "set boxwidth %s\n"
             "set key outside top center horizontal\n"
             "set ylabel \"%s\" noenhanced\n"
             "set xrange [-0.6:%d.6]\n"
             "set xtics rotate by %s left noenhanced\n"
             "%s%s",
             published ? "0.38" : "0.6", bars->axis, count - 1, count > FEW_ROWS ? "-60" : "-30",
             count > FEW_ROWS ? "high = 760\n" : "",
             bars->logarithmic ? "set logscale y\nset format y \"%g\"\n" : "set yrange [0:*]\n");
    const char *both = "plot data skip 1 using ($0 - 0.2):2:xtic(1) with boxes lc rgb \"#9aa5b1\" "
                       "title \"published\", \\\n"
                       "     data skip 1 using ($0 + 0.2):3 with boxes lc rgb \"#2f6db5\" "
                       "title \"ours, with 95% interval\", \\\n"
                       "     data skip 1 using ($0 + 0.2):4:(0):($5 - $4) " PLOT_INTERVALS "\n";
    const char *ours = "plot data skip 1 using 0:3:xtic(1) with boxes lc rgb \"#2f6db5\" title \"ours\", \\\n"
                       "     data skip 1 using 0:4:(0):($5 - $4) " PLOT_INTERVALS "\n";
    plot_script(plot, commands, published ? both : ours);
}
