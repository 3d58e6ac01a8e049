/* SPDX-License-Identifier: MIT
 *
 * Sums, rows and findings. Means have intervals by Student's t over repetitions, kept within what the
 * quantity can be; shares of games have Wilson's, which is meaningful when all games were won. Verdicts are
 * made by match/verdict.c.
 */
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- sums ---- */

static double value_of(const struct repro_repetition *repetition, int value) {
    return value == CELL_TIME ? repetition->ms : repetition->values[value];
}

/* `squares` is the sum of squared deviations from the mean. One observation says nothing about the spread:
 * then the interval is the whole line. */
void rows_set_error(struct cell_sum *s, double squares) {
    s->error = s->n >= 2 ? sqrt(squares / (s->n - 1) / s->n) : (double)INFINITY;
    const double half = s->n >= 2 ? stats_student(s->n - 1) * s->error : (double)INFINITY;
    s->t95 = (struct interval){s->mean - half, s->mean + half};
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
    rows_set_error(&s, squares);
    return s;
}

/* The units of one repetition number follow each other, cell by cell. A number counts only when every term is
 * found: a run that was planned with fewer repetitions of some cells has incomplete ones. The mean is taken
 * in one pass, by Welford's recurrence. */
struct cell_sum rows_contrast(const struct repro_data *data, const struct rows_term *terms, int count) {
    assert(count > 0);
    struct cell_sum s = {0};
    double squares = 0;
    for (int i = 0; i < data->count;) {
        const int rep = data->units[i].rep;
        double value = 0;
        int seen = 0;
        for (; i < data->count && data->units[i].rep == rep; i++)
            for (int k = 0; k < count; k++)
                if (terms[k].cell == data->units[i].cell) {
                    value += terms[k].weight * value_of(&data->results[i], terms[k].value);
                    seen++;
                }
        if (seen == count) {
            const double d = value - s.mean;
            s.mean += d / ++s.n;
            squares += d * (value - s.mean);
        }
    }
    s.sum = s.mean * s.n;
    rows_set_error(&s, squares);
    return s;
}

/* B. L. Welch, "The generalization of Student's problem when several different population variances are
 * involved", 1947. The degrees of freedom are rounded down; n is one more. */
struct cell_sum rows_difference(struct cell_sum a, struct cell_sum b) {
    struct cell_sum d = {.mean = a.mean - b.mean};
    if (a.n >= 2 && b.n >= 2) {
        const double va = a.error * a.error, vb = b.error * b.error,
                     below = va * va / (a.n - 1) + vb * vb / (b.n - 1);
        d.n = 1 + (below > 0 ? (int)fmax((va + vb) * (va + vb) / below, 1) : a.n + b.n - 2);
        rows_set_error(&d, (va + vb) * d.n * (d.n - 1));
    } else {
        rows_set_error(&d, 0);
    }
    return d;
}

struct test rows_is_above(struct cell_sum s, double level) {
    return test_greater(s.mean - level, s.error, s.n);
}

struct test rows_is_equal(struct cell_sum s, double level, double margin) {
    return test_equal(s.mean - level, s.error, s.n, margin);
}

struct test rows_is_within(struct cell_sum s, double level, double margin) {
    return test_within(s.mean - level, s.error, s.n, margin);
}

struct test rows_is_at_most(struct cell_sum s, double level, double margin) {
    return test_at_most(s.mean - level, s.error, s.n, margin);
}

/* In one pass, by Welford's recurrence. */
struct cell_sum rows_sum_of(const struct repro_data *data, int cell,
                            double (*make)(const struct repro_repetition *repetition)) {
    struct cell_sum s = {0};
    double squares = 0;
    for (int i = 0; i < data->count; i++)
        if (data->units[i].cell == cell) {
            const double value = make(&data->results[i]), d = value - s.mean;
            s.mean += d / ++s.n;
            s.sum += value;
            squares += d * (value - s.mean);
        }
    rows_set_error(&s, squares);
    return s;
}

struct proportion rows_share(const struct repro_data *data, int cell, int value) {
    const struct cell_sum s = rows_sum(data, cell, value);
    return (struct proportion){s.sum, s.n};
}

/* ---- scores of games ---- */

const char *const play_game_names[] = {"red_points", "turns", "actions", "red_hp", "blue_hp", NULL};

/* Points are compared with a margin: 0, 1/2 and 1 are stored as doubles. */
struct play_score play_score(const struct repro_data *data, int cell, int side) {
    struct play_score s = {0};
    for (int i = 0; i < data->count; i++) {
        if (data->units[i].cell != cell)
            continue;
        const double red = data->results[i].values[GAME_RED_POINTS];
        const double points = side == 0 ? red : 1 - red;
        s.n++;
        s.points += points;
        s.wins += points > 0.75;
        s.draws += points > 0.25 && points < 0.75;
    }
    return s;
}

/* ---- rows ---- */

void rows_set_verdict(struct repro_row *row, enum verdict kind, const char *code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    msg_format(&row->msg, row->verdict, sizeof row->verdict, code, format, args);
    va_end(args);
    row->kind = kind;
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
    rows_set_verdict(row, VERDICT_NONE, "verdict.unpublished", "no published figure");
    return row;
}

/* A run with fewer repetitions than the experiment has is an early look at the whole one. */
static double level_of(const struct repro_result *r) {
    const bool is_part = r->experiment != NULL && r->repetitions < r->experiment->repetitions;
    return is_part ? VERDICT_INTERIM : VERDICT_ALPHA;
}

/* How many trials could tell is what `senjutsu plan` computes. */
static void judge_share(struct repro_row *row, struct proportion published, struct proportion ours,
                        double level) {
    const int needed = verdict_trials(published, VERDICT_MARGIN, VERDICT_ALPHA, VERDICT_POWER);
    const enum verdict verdict = verdict_shares(published, ours, VERDICT_MARGIN, level);
    if (verdict == VERDICT_AGREES) {
        rows_set_verdict(row, verdict, "verdict.agrees", "agrees (within %.0f points)", 100 * VERDICT_MARGIN);
        return;
    }
    if (verdict == VERDICT_DIFFERS) {
        rows_set_verdict(row, verdict, "verdict.differs", "differs");
        return;
    }
    row->repetitions_needed = needed;
    if (needed > ours.n)
        rows_set_verdict(row, verdict, "verdict.cannot_tell", "cannot tell with %d trials; %d could", ours.n,
                         needed);
    else if (needed > 0)
        rows_set_verdict(row, verdict, "verdict.between", "cannot tell with %d trials: between", ours.n);
    else
        rows_set_verdict(row, verdict, "verdict.few_published",
                         "cannot tell: the %d published trials are few", published.n);
}

/* Without games the share is 50 %, with the widest interval there is. */
struct repro_row *rows_add_share(struct repro_result *out, const char *label, struct rows_published published,
                                 double successes, int n) {
    struct repro_row *row = rows_add(out, label, "%", published.value);
    const struct proportion ours = {successes, n};
    const struct interval i = stats_wilson(proportion_mean(ours), n, STATS_Z95);
    row->ours = 100 * proportion_mean(ours);
    row->low = 100 * i.low;
    row->high = 100 * i.high;
    row->repetitions = n;
    row->published_n = published.n;
    assert(isnan(published.value) || published.n > 0);
    if (!isnan(published.value))
        judge_share(row, (struct proportion){published.value / 100 * published.n, published.n}, ours,
                    level_of(out));
    return row;
}

/* A published time comes from another machine, so it is compared as a ratio and has no verdict. */
struct repro_row *rows_add_time(struct repro_result *out, const char *label, double published,
                                struct cell_sum time) {
    struct repro_row *row = rows_add(out, label, "ms", published);
    row->ours = time.mean;
    row->repetitions = time.n;
    if (time.n >= 2) {
        const struct interval i = interval_within(time.mean, time.error, time.n, 0, (double)INFINITY);
        row->low = i.low;
        row->high = i.high;
    }
    if (isnan(published))
        return row;
    if (!(time.mean > 0))
        rows_set_verdict(row, VERDICT_NONE, "verdict.short", "too short to measure");
    else if (time.mean <= published)
        rows_set_verdict(row, VERDICT_NONE, "verdict.faster", "faster (x %.3g)", published / time.mean);
    else
        rows_set_verdict(row, VERDICT_NONE, "verdict.slower", "slower (x %.3g)", time.mean / published);
    return row;
}

/* Doubles are compared after rounding: a sum of tenths is not exactly a decimal number. */
struct repro_row *rows_add_exact(struct repro_result *out, const char *label, double published, double ours) {
    struct repro_row *row = rows_add(out, label, "", published);
    row->ours = ours;
    if (fabs(published - ours) <= 1e-9 * fmax(fabs(published), 1))
        rows_set_verdict(row, VERDICT_SAME, "verdict.same", "as published (no chance in it)");
    else if (!isnan(published))
        rows_set_verdict(row, VERDICT_NOT_SAME, "verdict.not_same", "not as published (no chance in it)");
    return row;
}

struct repro_row *rows_add_claim(struct repro_result *out, const char *label, bool seen) {
    struct repro_row *row = rows_add(out, label, "", REPRO_NONE);
    row->ours = seen ? 1 : 0;
    rows_set_verdict(row, seen ? VERDICT_SAME : VERDICT_NOT_SAME, seen ? "verdict.holds" : "verdict.fails",
                     "%s", seen ? "holds" : "does not hold");
    return row;
}

struct repro_row *rows_add_mean(struct repro_result *out, const char *label, const char *unit, double factor,
                                struct cell_sum sum, struct rows_range range) {
    struct repro_row *row = rows_add(out, label, unit, REPRO_NONE);
    const bool is_bounded = range.low < range.high;
    row->ours = factor * sum.mean;
    row->repetitions = sum.n;
    if (sum.n >= 2) {
        const struct interval i =
            interval_within(sum.mean, sum.error, sum.n, is_bounded ? range.low : -(double)INFINITY,
                            is_bounded ? range.high : (double)INFINITY);
        row->low = factor * i.low;
        row->high = factor * i.high;
    }
    return row;
}

/* A deterministic cell has no spread, and no interval. */
static void add_column(struct repro_result *out, const char *label, const struct rows_column *c,
                       struct cell_sum s, struct rows_published published, bool is_deterministic) {
    struct repro_row *row;
    switch (c->kind) {
    case ROWS_MEAN:
        rows_add_mean(out, label, c->unit != NULL ? c->unit : "", c->factor > 0 ? c->factor : 1, s, c->range);
        break;
    case ROWS_SHARE:
        if (is_deterministic) {
            row = rows_add_exact(out, label, published.value, 100 * s.mean);
            snprintf(row->unit, sizeof row->unit, "%%");
        } else {
            rows_add_share(out, label, published, s.sum, s.n);
        }
        break;
    case ROWS_TIME: rows_add_time(out, label, published.value, s); break;
    case ROWS_EXACT: rows_add_exact(out, label, published.value, s.mean); break;
    }
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
            add_column(out, label.text, c, s, (struct rows_published){published, c->published_n},
                       data->experiment->cells[cell].is_deterministic);
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
struct repro_finding *rows_add_finding(struct repro_result *out, const struct test *tests, int count,
                                       const char *code, const char *format, ...) {
    assert(out->finding_count < REPRO_FINDINGS_MAX);
    struct repro_finding *f = &out->findings[out->finding_count++];
    *f = (struct repro_finding){.kind = TEST_CLAIM};
    for (int i = count - 1; i >= 0; i--)
        if (tests[i].kind != TEST_CLAIM) {
            f->comparisons++;
            f->kind = tests[i].kind;
            f->margin = tests[i].margin;
        }
    f->verdict = verdict_of(tests, count, level_of(out), &f->p);
    va_list args;
    va_start(args, format);
    msg_format(&f->msg, f->text, sizeof f->text, code, format, args);
    va_end(args);
    return f;
}

/* ---- summary ---- */

__attribute__((format(printf, 3, 4))) static void set_sentence(struct repro_sentence *out, const char *code,
                                                               const char *format, ...) {
    va_list args;
    va_start(args, format);
    msg_format(&out->msg, out->text, sizeof out->text, code, format, args);
    va_end(args);
}

/* More repetitions than the experiment's own are no reason for a note. */
void repro_scale(const struct repro_result *r, char *out) {
    const int whole = r->experiment->repetitions;
    if (r->repetitions < whole)
        snprintf(out, REPRO_SCALE_MAX, "%s%d of %d trials", r->quick ? "quick, " : "", r->repetitions, whole);
    else
        out[0] = '\0';
}

/* Verdicts of findings, of published figures, of what has no chance in it; and how much of the whole
 * experiment was run. Claims and findings without chance are counted with the third. */
void rows_summarize(struct repro_result *r) {
    enum { KINDS = VERDICT_NOT_SAME + 1 };
    int findings[KINDS] = {0}, figures[KINDS] = {0};
    struct repro_sentence *s = r->sentences;
    for (int i = 0; i < r->finding_count; i++)
        findings[r->findings[i].verdict]++;
    for (int i = 0; i < r->row_count; i++)
        figures[r->rows[i].kind]++;
    const int *f = findings, *g = figures, same = f[VERDICT_SAME] + g[VERDICT_SAME],
              not_same = f[VERDICT_NOT_SAME] + g[VERDICT_NOT_SAME];
    memset(s, 0, sizeof r->sentences);
    if (f[VERDICT_AGREES] + f[VERDICT_DIFFERS] + f[VERDICT_CANNOT_TELL] > 0)
        set_sentence(s++, "summary.findings", "findings: agrees %d, differs %d, cannot tell %d",
                     f[VERDICT_AGREES], f[VERDICT_DIFFERS], f[VERDICT_CANNOT_TELL]);
    if (g[VERDICT_AGREES] + g[VERDICT_DIFFERS] + g[VERDICT_CANNOT_TELL] > 0)
        set_sentence(s++, "summary.figures", "published figures: agrees %d, differs %d, cannot tell %d",
                     g[VERDICT_AGREES], g[VERDICT_DIFFERS], g[VERDICT_CANNOT_TELL]);
    if (same + not_same > 0)
        set_sentence(s++, "summary.exact", "without chance: %d as published, %d not", same, not_same);
    if (s == r->sentences)
        set_sentence(s++, "summary.nothing", "nothing published to compare with");
    char scale[REPRO_SCALE_MAX];
    repro_scale(r, scale);
    if (scale[0] != '\0')
        set_sentence(s, r->quick ? "summary.quick" : "summary.part",
                     r->quick ? "quick, %d of %d trials" : "%d of %d trials", r->repetitions,
                     r->experiment->repetitions);
    r->summary[0] = '\0';
    for (s = r->sentences; s < r->sentences + REPRO_SENTENCES && s->text[0] != '\0'; s++)
        snprintf(r->summary + strlen(r->summary), sizeof r->summary - strlen(r->summary), "%s%s",
                 s == r->sentences ? "" : "; ", s->text);
    snprintf(r->summary + strlen(r->summary), sizeof r->summary - strlen(r->summary), ".");
}
