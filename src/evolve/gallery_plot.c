/* SPDX-License-Identifier: MIT
 *
 * The course of a run as a picture: best and mean fitness by generation, and below them how many different
 * maps (or cells of the archive with a good one) there were. SVG that stands in a page or in a file of its
 * own; its colours follow the reader's choice of light or dark.
 */
#include "evolve/gallery_facts.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH = 640,
    HEIGHT = 400,
    LEFT = 58, /* of both frames */
    RIGHT = WIDTH - 18,
    POINTS_MAX = 500, /* of a line: more cannot be told apart */
    DOTS_MAX = 30,    /* of a line that has a dot at each point */
    TICKS_MAX = 8,
};

/* A frame and what its edges stand for. */
struct frame {
    double top, bottom; /* pixels */
    double low, high;   /* values */
    double last;        /* generation; the first is 0 */
};

struct series {
    const char *class;
    double (*value)(const struct generation *g);
};

static const char style[] =
    ".evoplot{font:13px system-ui,sans-serif;--ink:#1b2026;--dim:#59636e;--line:#dde1e6;--one:#2d6aa3;"
    "--two:#b4621b}"
    "@media (prefers-color-scheme:dark){.evoplot{--ink:#e5e8eb;--dim:#9aa5b0;--line:#31373e;--one:#7db4e6;"
    "--two:#eea35c}}"
    ".evoplot text{fill:var(--dim)}.evoplot .ink{fill:var(--ink)}"
    ".evoplot .frame{fill:none;stroke:var(--dim)}.evoplot .grid{stroke:var(--line)}"
    ".evoplot .ceiling{stroke:var(--dim);stroke-dasharray:2 4}"
    ".evoplot .best,.evoplot .mean,.evoplot .filled{fill:none;stroke-width:2;stroke-linejoin:round}"
    ".evoplot .best{stroke:var(--one)}.evoplot .mean{stroke:var(--two);stroke-dasharray:7 4}"
    ".evoplot .filled{stroke:var(--dim)}"
    ".evoplot circle{stroke-width:0!important}.evoplot circle.best{fill:var(--one)}"
    ".evoplot circle.mean{fill:var(--two)}.evoplot circle.filled{fill:var(--dim)}";

static double best_of(const struct generation *g) {
    return g->best;
}

static double mean_of(const struct generation *g) {
    return g->mean;
}

static double filled_of(const struct generation *g) {
    return g->filled;
}

static double x_of(const struct frame *f, double generation) {
    return LEFT + generation / f->last * (RIGHT - LEFT);
}

static double y_of(const struct frame *f, double value) {
    const double inside = fmin(fmax(value, f->low), f->high);
    return f->bottom - (inside - f->low) / (f->high - f->low) * (f->bottom - f->top);
}

/* ---- axes ---- */

/* A step of 1, 2 or 5 times a power of ten that makes at most so many of the span. */
static double step_of(double span, int ticks_max, double least) {
    double power = least;
    while (span / (power * 10) > ticks_max)
        power *= 10;
    static const double factors[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
        if (span / (power * factors[i]) <= ticks_max)
            return power * factors[i];
    return power * 10;
}

static void add_frame(const struct frame *f, struct text *out) {
    text_add(out, "<rect class=\"frame\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", LEFT, f->top,
             RIGHT - LEFT, f->bottom - f->top);
}

static void add_values(const struct frame *f, int ticks_max, bool whole, struct text *out) {
    const double step = step_of(f->high - f->low, ticks_max, whole ? 1 : 0.1);
    const int count = (int)floor((f->high - f->low) / step + 1e-9);
    for (int i = 0; i <= count; i++) {
        const double value = f->low + i * step, y = y_of(f, value);
        text_add(out,
                 "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
                 LEFT, y, RIGHT, y, LEFT - 8, y + 4.5, whole ? 0 : 1, value);
    }
}

static void add_generations(const struct frame *f, struct text *out) {
    const double step = step_of(f->last, TICKS_MAX, 1);
    for (double at = 0; at <= f->last; at += step)
        text_add(out,
                 "<line class=\"frame\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                 "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n",
                 x_of(f, at), f->bottom, x_of(f, at), f->bottom + 5, x_of(f, at), f->bottom + 19, at);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">generation</text>\n",
             (LEFT + RIGHT) / 2, f->bottom + 36);
}

/* ---- lines ---- */

/* Which generation is the i-th point of a line. */
static int point(const struct evolution *ev, int i, int points) {
    return points > 1 ? (int)((long long)i * (ev->generation_count - 1) / (points - 1)) : 0;
}

/* A line has gaps where there was no value. */
static void add_line(const struct evolution *ev, const struct frame *f, const struct series *series,
                     struct text *out) {
    const int points = ev->generation_count < POINTS_MAX ? ev->generation_count : POINTS_MAX;
    bool drawing = false;
    for (int i = 0; i < points; i++) {
        const struct generation *g = &ev->generations[point(ev, i, points)];
        const double value = series->value(g);
        if (isfinite(value) && !drawing)
            text_add(out, "<polyline class=\"%s\" points=\"", series->class);
        if (isfinite(value))
            text_add(out, "%s%.1f,%.1f", drawing ? " " : "", x_of(f, g->number), y_of(f, value));
        else if (drawing)
            text_add_string(out, "\"/>\n");
        drawing = isfinite(value);
    }
    text_add_string(out, drawing ? "\"/>\n" : "");
}

static void add_dots(const struct evolution *ev, const struct frame *f, const struct series *series,
                     struct text *out) {
    for (int i = 0; i < ev->generation_count && ev->generation_count <= DOTS_MAX; i++) {
        const struct generation *g = &ev->generations[i];
        const double value = series->value(g);
        if (isfinite(value))
            text_add(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", series->class,
                     x_of(f, g->number), y_of(f, value));
    }
}

static void add_series(const struct evolution *ev, const struct frame *f, const char *class,
                       double (*value)(const struct generation *g), struct text *out) {
    const struct series series = {class, value};
    add_line(ev, f, &series, out);
    add_dots(ev, f, &series, out);
}

static void add_key(double x, const char *class, const char *words, struct text *out) {
    text_add(out,
             "<line class=\"%s\" x1=\"%.0f\" y1=\"14\" x2=\"%.0f\" y2=\"14\"/>"
             "<text class=\"ink\" x=\"%.0f\" y=\"18.5\">%s</text>\n",
             class, x, x + 28, x + 34, words);
}

/* ---- the two frames ---- */

static const char *fitness_name(const struct evolution *ev) {
    return ev->plan->recipe.method == METHOD_ARCHIVE ? "quality" : "fitness";
}

static void add_fitness(const struct evolution *ev, const struct frame *f, struct text *out) {
    const double ceiling = gallery_ceiling(ev);
    const bool is_published = ev->plan->recipe.method != METHOD_ARCHIVE;
    add_values(f, 6, is_published, out);
    if (is_published)
        text_add(out,
                 "<line class=\"ceiling\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">the most: %.0f</text>\n",
                 LEFT, y_of(f, ceiling), RIGHT, y_of(f, ceiling), RIGHT - 5, y_of(f, ceiling) - 5, ceiling);
    add_frame(f, out);
    add_series(ev, f, "mean", mean_of, out);
    add_series(ev, f, "best", best_of, out);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"18.5\">%s</text>\n", LEFT, fitness_name(ev));
    add_key(LEFT + 76, "best", "best", out);
    add_key(LEFT + 166, "mean", "mean", out);
}

static int filled_most(const struct evolution *ev) {
    const bool has_archive = ev->plan->recipe.method == METHOD_ARCHIVE;
    int most = has_archive ? evolution_features[FEATURE_LENGTH].bins * evolution_features[FEATURE_MIX].bins
                           : ev->plan->recipe.population;
    for (int i = 0; i < ev->generation_count; i++)
        most = ev->generations[i].filled > most ? ev->generations[i].filled : most;
    return most;
}

static void add_filled(const struct evolution *ev, const struct frame *f, struct text *out) {
    add_values(f, 4, true, out);
    add_frame(f, out);
    add_series(ev, f, "filled", filled_of, out);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"%.1f\">%s (of %.0f)</text>\n", LEFT, f->top - 7,
             ev->plan->recipe.method == METHOD_ARCHIVE ? "cells of the archive with a good map"
                                                       : "different maps",
             f->high);
}

void gallery_plot_svg(const struct evolution *ev, struct text *out) {
    const int count = ev->generation_count;
    const double ceiling = gallery_ceiling(ev);
    const double last = count > 0 ? fmax(ev->generations[count - 1].number, 1) : 1;
    /* A little room above the published ceiling, so that a line along it can be seen. */
    const struct frame upper = {28, 238, 0, ev->plan->recipe.method == METHOD_ARCHIVE ? 1 : 1.1 * ceiling,
                                last};
    const struct frame lower = {274, 350, 0, filled_most(ev), last};
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"evoplot\" viewBox=\"0 0 %d %d\" role=\"img\" "
             "aria-label=\"Best and mean %s by generation\">\n<style>%s</style>\n",
             WIDTH, HEIGHT, fitness_name(ev), style);
    add_fitness(ev, &upper, out);
    add_filled(ev, &lower, out);
    add_generations(&lower, out);
    if (count == 0)
        text_add(out,
                 "<text x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">no generation is finished yet</text>\n",
                 (LEFT + RIGHT) / 2, (upper.top + upper.bottom) / 2);
    text_add_string(out, "</svg>\n");
}
