/* SPDX-License-Identifier: MIT */
#include "repro/rows.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- sums ---- */

static double value_of(const struct repro_repetition *repetition, int value) {
    return value == CELL_TIME ? repetition->ms : repetition->values[value];
}

struct cell_sum rows_sum(const struct repro_data *data, int cell, int value) {
    assert(value >= CELL_TIME);
    assert(value < REPRO_VALUES_MAX);
    struct cell_sum s = {.t95 = {-(double)INFINITY, (double)INFINITY}};
    for (int i = 0; i < data->count; i++)
        if (data->units[i].cell == cell) {
            s.sum += value_of(&data->results[i], value);
            s.n++;
        }
    s.mean = s.n > 0 ? s.sum / s.n : 0;
    double squares = 0;
    for (int i = 0; i < data->count; i++)
        if (data->units[i].cell == cell) {
            const double d = value_of(&data->results[i], value) - s.mean;
            squares += d * d;
        }
    if (s.n >= 2) {
        const double half = stats_student(s.n - 1) * sqrt(squares / (s.n - 1) / s.n);
        s.t95 = (struct interval){s.mean - half, s.mean + half};
    }
    return s;
}

struct contrast {
    const struct rows_term *terms;
    int count;
    int rep, seen; /* of the repetition under way: its number, terms found */
    double value;
    int n;
    double mean, squares; /* of the complete ones, by Welford's recurrence */
};

static void add_complete(struct contrast *c) {
    if (c->seen == c->count) {
        const double d = c->value - c->mean;
        c->mean += d / ++c->n;
        c->squares += d * (c->value - c->mean);
    }
    c->seen = 0;
    c->value = 0;
}

static void add_unit(struct contrast *c, const struct repro_unit *unit,
                     const struct repro_repetition *repetition) {
    if (unit->rep != c->rep)
        add_complete(c);
    c->rep = unit->rep;
    for (int i = 0; i < c->count; i++)
        if (c->terms[i].cell == unit->cell) {
            c->value += c->terms[i].weight * value_of(repetition, c->terms[i].value);
            c->seen++;
        }
}

struct cell_sum rows_contrast(const struct repro_data *data, const struct rows_term *terms, int count) {
    assert(count > 0);
    struct contrast c = {.terms = terms, .count = count};
    for (int i = 0; i < data->count; i++)
        add_unit(&c, &data->units[i], &data->results[i]);
    add_complete(&c);
    struct cell_sum s = {.n = c.n, .sum = c.mean * c.n, .mean = c.mean};
    const double half =
        c.n >= 2 ? stats_student(c.n - 1) * sqrt(c.squares / (c.n - 1) / c.n) : (double)INFINITY;
    s.t95 = (struct interval){s.mean - half, s.mean + half};
    return s;
}

const struct repro_repetition *rows_first(const struct repro_data *data, int cell) {
    for (int i = 0; i < data->count; i++)
        if (data->units[i].cell == cell)
            return &data->results[i];
    assert(false); /* every cell has a repetition */
    return NULL;
}

/* ---- rows ---- */

static void set_verdict(struct repro_row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void set_verdict(struct repro_row *row, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(row->verdict, sizeof row->verdict, format, args);
    va_end(args);
}

struct repro_row *rows_add(struct repro_result *out, const char *label, const char *unit, double published) {
    assert(out->row_count < REPRO_ROWS_MAX);
    struct repro_row *row = &out->rows[out->row_count++];
    *row = (struct repro_row){.published = published,
                              .published_margin = REPRO_NONE,
                              .ours = REPRO_NONE,
                              .low = REPRO_NONE,
                              .high = REPRO_NONE,
                              .repetitions = 1};
    snprintf(row->label, sizeof row->label, "%s", label);
    snprintf(row->unit, sizeof row->unit, "%s", unit);
    set_verdict(row, "no published figure");
    return row;
}

static void judge_inside(struct repro_row *row) {
    if (!isnan(row->published))
        set_verdict(row, "%s",
                    row->published >= row->low && row->published <= row->high ? "inside our interval"
                                                                              : "outside our interval");
}

struct repro_row *rows_add_share(struct repro_result *out, const char *label, double published,
                                 double successes, int n) {
    struct repro_row *row = rows_add(out, label, "%", published);
    const struct interval i = stats_wilson(n > 0 ? successes / n : 0.5, n, STATS_Z95);
    row->ours = n > 0 ? 100 * successes / n : 50;
    row->low = 100 * i.low;
    row->high = 100 * i.high;
    row->repetitions = n;
    judge_inside(row);
    return row;
}

struct repro_row *rows_add_time(struct repro_result *out, const char *label, double published,
                                const struct cell_sum *time) {
    struct repro_row *row = rows_add(out, label, "ms", published);
    row->ours = time->mean;
    row->repetitions = time->n;
    if (time->n >= 2) {
        row->low = fmax(time->t95.low, 0);
        row->high = time->t95.high;
    }
    if (isnan(published))
        return row;
    if (!(time->mean > 0))
        set_verdict(row, "too short to measure");
    else if (time->mean <= published)
        set_verdict(row, "faster (x %.3g)", published / time->mean);
    else
        set_verdict(row, "slower (x %.3g)", time->mean / published);
    return row;
}

struct repro_row *rows_add_exact(struct repro_result *out, const char *label, double published, double ours) {
    struct repro_row *row = rows_add(out, label, "", published);
    row->ours = row->low = row->high = ours;
    judge_inside(row);
    return row;
}

struct repro_row *rows_add_claim(struct repro_result *out, const char *label, bool seen) {
    struct repro_row *row = rows_add(out, label, "", REPRO_NONE);
    row->ours = seen ? 1 : 0;
    set_verdict(row, "%s", seen ? "holds" : "does not hold");
    return row;
}

struct repro_row *rows_add_mean(struct repro_result *out, const char *label, const char *unit, double factor,
                                const struct cell_sum *sum) {
    struct repro_row *row = rows_add(out, label, unit, REPRO_NONE);
    row->ours = factor * sum->mean;
    row->repetitions = sum->n;
    if (sum->n >= 2) {
        row->low = factor * sum->t95.low;
        row->high = factor * sum->t95.high;
    }
    return row;
}

void rows_label(char *out, const char *label, const char *ending) {
    snprintf(out, REPRO_NAME_MAX, "%.40s%.20s", label, ending);
}

/* ---- findings ---- */

void rows_add_finding(struct repro_result *out, bool holds, const char *format, ...) {
    assert(out->finding_count < REPRO_FINDINGS_MAX);
    struct repro_finding *f = &out->findings[out->finding_count++];
    f->holds = holds;
    va_list args;
    va_start(args, format);
    vsnprintf(f->text, sizeof f->text, format, args);
    va_end(args);
}

static void summarize_published(const struct repro_result *r, char *out, size_t out_size) {
    int inside = 0, outside = 0;
    for (int i = 0; i < r->row_count; i++) {
        inside += strcmp(r->rows[i].verdict, "inside our interval") == 0;
        outside += strcmp(r->rows[i].verdict, "outside our interval") == 0;
    }
    if (inside + outside == 0)
        snprintf(out, out_size, "the paper gives no figure that could lie in an interval");
    else if (outside == 0)
        snprintf(out, out_size, "%s",
                 inside == 1 ? "the published figure lies inside our interval"
                             : "all published figures lie inside our intervals");
    else
        snprintf(out, out_size, "%d of %d published figures lie%s inside our intervals", inside,
                 inside + outside, inside == 1 ? "s" : "");
}

void rows_summarize(struct repro_result *r) {
    char figures[128];
    summarize_published(r, figures, sizeof figures);
    int held = 0;
    for (int i = 0; i < r->finding_count; i++)
        held += r->findings[i].holds;
    if (r->finding_count == 1)
        snprintf(r->summary, sizeof r->summary, "The finding %s; %s.", held == 1 ? "holds" : "does not hold",
                 figures);
    else if (held == r->finding_count)
        snprintf(r->summary, sizeof r->summary, "All findings hold (%d of %d); %s.", held, r->finding_count,
                 figures);
    else
        snprintf(r->summary, sizeof r->summary, "%d of %d findings hold%s; %s.", held, r->finding_count,
                 held == 1 ? "s" : "", figures);
}
