/* SPDX-License-Identifier: MIT
 *
 * From repetitions to rows: sums over a cell, intervals, and verdicts. All verdicts are made by rules here,
 * so that no experiment judges itself.
 */
#ifndef REPRO_ROWS_H
#define REPRO_ROWS_H

#include "match/statistics.h"
#include "repro/repro.h"

/* One value over the repetitions of a cell. */
struct cell_sum {
    int n;
    double sum, mean;
    struct interval t95; /* of the mean, Student's t; the whole line with fewer than two repetitions */
};

enum { CELL_TIME = -1 }; /* in place of a value's index: the repetition's milliseconds */

struct cell_sum rows_sum(const struct repro_data *data, int cell, int value);

/* One value of one cell, times its weight. */
struct rows_term {
    int cell, value;
    double weight;
};

/* A sum of values over the repetitions that have all of them (a difference of two cells, or a mean of
 * several, for example), with the interval over repetitions. Where cells share their deals, the luck of the
 * deals cancels out or counts once. */
struct cell_sum rows_contrast(const struct repro_data *data, const struct rows_term *terms, int count);

/* Each adds a row with its verdict. `published` may be REPRO_NONE: then the verdict says that there is none.
 */
struct repro_row *rows_add(struct repro_result *out, const char *label, const char *unit, double published);

/* `successes` of n in per cent (draws may count a half), with Wilson's interval: inside or outside. */
struct repro_row *rows_add_share(struct repro_result *out, const char *label, double published,
                                 double successes, int n);

/* Milliseconds from another machine: faster or slower, and how many times. */
struct repro_row *rows_add_time(struct repro_result *out, const char *label, double published,
                                struct cell_sum time);

/* A number without spread. */
struct repro_row *rows_add_exact(struct repro_result *out, const char *label, double published, double ours);

/* A statement of the paper without a number: 1 when it was seen, else 0; "holds" or "does not hold". */
struct repro_row *rows_add_claim(struct repro_result *out, const char *label, bool seen);

/* A row without a published figure: the mean of a value times `factor`, with its interval where there are
 * at least two repetitions. */
struct repro_row *rows_add_mean(struct repro_result *out, const char *label, const char *unit, double factor,
                                struct cell_sum sum);

/* ---- the same figures of many cells ---- */

/* Cells first … first + count - 1. */
struct rows_span {
    int first, count;
};

enum rows_kind {
    ROWS_MEAN,  /* rows_add_mean */
    ROWS_SHARE, /* rows_add_share: the sum of the value is the number of successes */
    ROWS_TIME,  /* rows_add_time */
    ROWS_EXACT, /* rows_add_exact: the mean, for a value without spread */
};

/* One figure, as a table of an experiment declares it. The label is the cell's between `before` and
 * `behind`. */
struct rows_column {
    enum rows_kind kind;
    int value;                 /* index, or CELL_TIME */
    const char *behind;        /* in parts, as `before` is; NULL: nothing */
    const char *before, *unit; /* the unit of ROWS_MEAN; NULL: none */
    double factor;             /* of ROWS_MEAN; 0: 1 */
    const double *published;   /* by place in the span; NULL: nothing is published */
    double *means;             /* by place in the span; NULL, or gets the means for findings */
};

/* Cell by cell a row for each of the columns. */
void rows_add_columns(const struct repro_data *data, struct repro_result *out, struct rows_span cells,
                      const struct rows_column *columns, int count);

/* Whether a value that is 0 or 1 is 1 in every repetition of the cell, or in none. */
bool rows_always(const struct repro_data *data, int cell, int value);
bool rows_never(const struct repro_data *data, int cell, int value);

/* ---- labels in parts ----
 *
 * A label is English text with marks at what a translation replaces: "[CODE|text]". Arguments of a part are
 * in braces: "df 0.1, [depth|depth {2}]". Text without a mark (names, numbers, punctuation) is the same in
 * every language. So a label that is made of others carries their codes with it, and a translation never has
 * to find them in the English. All functions here take labels in parts; rows_plain gives the English. */

struct rows_label {
    char text[REPRO_LABEL_MAX];
};

/* A label for one call: rows_add(out, rows_label("%s[time_of| ms]", name).text, …). It must fit. */
struct rows_label rows_label(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The label without its marks. */
struct rows_label rows_plain(const char *label);

/* What the paper concludes. The caller may set `first` of what is returned. */
struct repro_finding *rows_add_finding(struct repro_result *out, bool holds, const char *code,
                                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Replaces the verdict of a row. */
void rows_set_verdict(struct repro_row *row, const char *code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fills out->summary from rows and findings. */
void rows_summarize(struct repro_result *out);

#endif
