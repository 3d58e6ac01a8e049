/* SPDX-License-Identifier: MIT
 *
 * Sums, rows and findings. Means have intervals by Student's t over repetitions, shares of games by Wilson's
 * score: the latter stays within 0 and 1, and is meaningful when all games were won.
 */
#include "repro/rows.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* ---- sums ---- */

static double value_of(const struct repro_repetition *repetition, int value) {
    return value == CELL_TIME ? repetition->ms : repetition->values[value];
}

/* `squares` is the sum of squared deviations from the mean. One observation says nothing about the spread:
 * then the interval is the whole line. */
static struct interval mean_interval(double mean, double squares, int n) {
    const double half = n >= 2 ? stats_student(n - 1) * sqrt(squares / (n - 1) / n) : (double)INFINITY;
    return (struct interval){mean - half, mean + half};
}

/* In two passes: the mean first, so that the squares of large values do not cancel each other out.
 * Repetitions of other cells lie between those of this one. */
struct cell_sum rows_sum(const struct repro_data *data, int cell, int value) {
    assert(value >= CELL_TIME);
    assert(value < REPRO_VALUES_MAX);
    struct cell_sum s = {0};
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
    s.t95 = mean_interval(s.mean, squares, s.n);
    return s;
}

/* One pass over all repetitions. The units of one repetition number follow each other, cell by cell. */
struct contrast {
    int count;     /* terms */
    int rep, seen; /* of the repetition under way: its number, terms found */
    double value;
    int n;
    double mean, squares; /* of the complete ones, by Welford's recurrence */
};

/* The end of a repetition number. It counts only when every term was found: a run that was planned with
 * fewer repetitions of some cells has incomplete ones. */
static void add_complete(struct contrast *c) {
    if (c->seen == c->count) {
        const double d = c->value - c->mean;
        c->mean += d / ++c->n;
        c->squares += d * (c->value - c->mean);
    }
    c->seen = 0;
    c->value = 0;
}

struct cell_sum rows_contrast(const struct repro_data *data, const struct rows_term *terms, int count) {
    assert(count > 0);
    struct contrast c = {.count = count};
    for (int i = 0; i < data->count; i++) {
        const struct repro_unit *unit = &data->units[i];
        if (unit->rep != c.rep)
            add_complete(&c);
        c.rep = unit->rep;
        for (int k = 0; k < count; k++)
            if (terms[k].cell == unit->cell) {
                c.value += terms[k].weight * value_of(&data->results[i], terms[k].value);
                c.seen++;
            }
    }
    add_complete(&c);
    return (struct cell_sum){
        .n = c.n, .sum = c.mean * c.n, .mean = c.mean, .t95 = mean_interval(c.mean, c.squares, c.n)};
}

/* ---- rows ---- */

void rows_set_verdict(struct repro_row *row, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    msg_format(&row->msg, row->verdict, sizeof row->verdict, code, format, args);
    va_end(args);
}

/* A label that is too long for a table is cut in plain text only: its parts, which translations use, stay
 * whole. */
struct repro_row *rows_add(struct repro_result *out, const char *label, const char *unit, double published) {
    assert(out->row_count < REPRO_ROWS_MAX);
    struct repro_row *row = &out->rows[out->row_count++];
    *row = (struct repro_row){.published = published,
                              .published_margin = REPRO_NONE,
                              .ours = REPRO_NONE,
                              .low = REPRO_NONE,
                              .high = REPRO_NONE,
                              .repetitions = 1};
    snprintf(row->label, sizeof row->label, "%.*s", REPRO_NAME_MAX - 1, rows_plain(label).text);
    snprintf(row->label_parts, sizeof row->label_parts, "%s", label);
    snprintf(row->unit, sizeof row->unit, "%s", unit);
    rows_set_verdict(row, "verdict.unpublished", "no published figure");
    return row;
}

/* Both ends count as inside. A missing figure or a missing interval keeps the verdict that the row has. */
static void judge_inside(struct repro_row *row) {
    if (row->published >= row->low && row->published <= row->high)
        rows_set_verdict(row, "verdict.inside", "inside our interval");
    else if (!isnan(row->published))
        rows_set_verdict(row, "verdict.outside", "outside our interval");
}

/* Without games the share is 50 %, with the widest interval there is. */
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

/* An interval of times may reach below 0, which no time can be. A published time comes from another
 * machine, so it is compared as a ratio and never counts as inside or outside. */
struct repro_row *rows_add_time(struct repro_result *out, const char *label, double published,
                                struct cell_sum time) {
    struct repro_row *row = rows_add(out, label, "ms", published);
    row->ours = time.mean;
    row->repetitions = time.n;
    if (time.n >= 2) {
        row->low = fmax(time.t95.low, 0);
        row->high = time.t95.high;
    }
    if (isnan(published))
        return row;
    if (!(time.mean > 0))
        rows_set_verdict(row, "verdict.short", "too short to measure");
    else if (time.mean <= published)
        rows_set_verdict(row, "verdict.faster", "faster (x %.3g)", published / time.mean);
    else
        rows_set_verdict(row, "verdict.slower", "slower (x %.3g)", time.mean / published);
    return row;
}

/* The interval has no width: only the same number is inside. */
struct repro_row *rows_add_exact(struct repro_result *out, const char *label, double published, double ours) {
    struct repro_row *row = rows_add(out, label, "", published);
    row->ours = row->low = row->high = ours;
    judge_inside(row);
    return row;
}

/* Claims have no published figure, so the summary does not count them among the figures. */
struct repro_row *rows_add_claim(struct repro_result *out, const char *label, bool seen) {
    struct repro_row *row = rows_add(out, label, "", REPRO_NONE);
    row->ours = seen ? 1 : 0;
    rows_set_verdict(row, seen ? "verdict.holds" : "verdict.fails", "%s", seen ? "holds" : "does not hold");
    return row;
}

struct repro_row *rows_add_mean(struct repro_result *out, const char *label, const char *unit, double factor,
                                struct cell_sum sum) {
    struct repro_row *row = rows_add(out, label, unit, REPRO_NONE);
    row->ours = factor * sum.mean;
    row->repetitions = sum.n;
    if (sum.n >= 2) {
        row->low = factor * sum.t95.low;
        row->high = factor * sum.t95.high;
    }
    return row;
}

/* The span may begin anywhere, but published figures and means begin with its first cell. */
void rows_add_columns(const struct repro_data *data, struct repro_result *out, struct rows_span cells,
                      const struct rows_column *columns, int count) {
    for (int place = 0; place < cells.count; place++)
        for (int i = 0; i < count; i++) {
            const struct rows_column *c = &columns[i];
            const int cell = cells.first + place;
            const struct cell_sum s = rows_sum(data, cell, c->value);
            const double published = c->published != NULL ? c->published[place] : REPRO_NONE;
            const struct rows_label label =
                rows_label("%s%s%s", c->before != NULL ? c->before : "", data->experiment->cells[cell].label,
                           c->behind != NULL ? c->behind : "");
            switch (c->kind) {
            case ROWS_MEAN:
                rows_add_mean(out, label.text, c->unit != NULL ? c->unit : "", c->factor > 0 ? c->factor : 1,
                              s);
                break;
            case ROWS_SHARE: rows_add_share(out, label.text, published, s.sum, s.n); break;
            case ROWS_TIME: rows_add_time(out, label.text, published, s); break;
            case ROWS_EXACT: rows_add_exact(out, label.text, published, s.mean); break;
            }
            if (c->means != NULL)
                c->means[place] = s.mean;
        }
}

/* With a margin, because sums of doubles are compared. */
bool rows_always(const struct repro_data *data, int cell, int value) {
    const struct cell_sum s = rows_sum(data, cell, value);
    return s.sum > s.n - 0.5;
}

bool rows_never(const struct repro_data *data, int cell, int value) {
    return rows_sum(data, cell, value).sum < 0.5;
}

struct rows_label rows_label(const char *format, ...) {
    struct rows_label label;
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(label.text, sizeof label.text, format, args);
    va_end(args);
    assert(size >= 0 && size < REPRO_LABEL_MAX); /* a cut one could end within a mark */
    (void)size;
    return label;
}

/* A mark begins with the code, which is skipped up to the bar; of the rest only brackets and braces go. */
struct rows_label rows_plain(const char *label) {
    struct rows_label plain;
    size_t size = 0;
    for (; *label != '\0' && size + 1 < sizeof plain.text; label++)
        if (*label == '[')
            label += strcspn(label, "|");
        else if (strchr("]{}", *label) == NULL)
            plain.text[size++] = *label;
    plain.text[size] = '\0';
    return plain;
}

/* ---- findings ---- */

/* The text and the arguments of the message come from the same format, so a translation cannot disagree
 * with it. */
struct repro_finding *rows_add_finding(struct repro_result *out, bool holds, const char *code,
                                       const char *format, ...) {
    assert(out->finding_count < REPRO_FINDINGS_MAX);
    struct repro_finding *f = &out->findings[out->finding_count++];
    f->holds = holds;
    va_list args;
    va_start(args, format);
    msg_format(&f->msg, f->text, sizeof f->text, code, format, args);
    va_end(args);
    return f;
}

__attribute__((format(printf, 3, 4))) static void set_sentence(struct repro_sentence *out, const char *code,
                                                               const char *format, ...) {
    va_list args;
    va_start(args, format);
    msg_format(&out->msg, out->text, sizeof out->text, code, format, args);
    va_end(args);
}

/* Singular, plural and "all" are different sentences, since translations do not form them as English does. */
void rows_summarize(struct repro_result *r) {
    struct repro_sentence *findings = &r->sentences[0], *figures = &r->sentences[1];
    int held = 0, inside = 0, outside = 0;
    for (int i = 0; i < r->finding_count; i++)
        held += r->findings[i].holds;
    for (int i = 0; i < r->row_count; i++) {
        inside += strcmp(r->rows[i].msg.code, "verdict.inside") == 0;
        outside += strcmp(r->rows[i].msg.code, "verdict.outside") == 0;
    }
    if (r->finding_count == 1 && held == 1)
        set_sentence(findings, "summary.holds", "The finding holds");
    else if (r->finding_count == 1)
        set_sentence(findings, "summary.fails", "The finding does not hold");
    else if (held == r->finding_count)
        set_sentence(findings, "summary.all", "All findings hold (%d of %d)", held, held);
    else
        set_sentence(findings, "summary.some", "%d of %d findings hold%s", held, r->finding_count,
                     held == 1 ? "s" : "");
    if (inside + outside == 0)
        set_sentence(figures, "summary.no_figure", "the paper gives no figure that could lie in an interval");
    else if (outside == 0 && inside == 1)
        set_sentence(figures, "summary.figure_inside", "the published figure lies inside our interval");
    else if (outside == 0)
        set_sentence(figures, "summary.figures_inside", "all published figures lie inside our intervals");
    else
        set_sentence(figures, "summary.figures_some", "%d of %d published figures lie%s inside our intervals",
                     inside, inside + outside, inside == 1 ? "s" : "");
    snprintf(r->summary, sizeof r->summary, "%s; %s.", findings->text, figures->text);
}
