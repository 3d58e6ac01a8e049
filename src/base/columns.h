/* SPDX-License-Identifier: MIT
 *
 * Tables of results. A table is described once, as a list of columns; writers make CSV, JSON, a table for the
 * terminal and an HTML table of it. A new column is one line in its list.
 */
#ifndef BASE_COLUMNS_H
#define BASE_COLUMNS_H

#include "base/text.h"

struct json_t;

enum { CELL_TEXT_MAX = 700, COLUMNS_MAX = 64 };

enum cell_emphasis { CELL_PLAIN, CELL_STRONG, CELL_FAINT, CELL_WARNING };

/* One value. `get` receives it with number NAN, all else zero. */
struct column_cell {
    double number;       /* NAN: none */
    const char *text;    /* for readers, in place of the formatted number; of COLUMN_TEXT the value itself */
    struct json_t *json; /* of COLUMN_JSON: a new value */
    enum cell_emphasis emphasis; /* in a terminal with colours */
    char buffer[CELL_TEXT_MAX];  /* for `text` that has to be composed */
};

enum column_format {
    COLUMN_TEXT,
    COLUMN_COUNT,   /* an integer */
    COLUMN_NUMBER,  /* readers see two decimals at most, no zeros at the end */
    COLUMN_FIXED,   /* readers see as many decimals as `shown` */
    COLUMN_PERCENT, /* a share, for readers in per cent */
    COLUMN_SIGNED,  /* a whole number with its sign */
    COLUMN_ERROR,   /* "±" and a whole number; readers see nothing where there is none */
    COLUMN_GENERAL, /* any magnitude: six digits that count, all of a whole number */
    COLUMN_FLAG,    /* not 0: "yes" in CSV, true in JSON */
    COLUMN_JSON,    /* structured; readers see the cell's text */
};

/* Where a column is written. 0 stands for all of them. */
enum { IN_CSV = 1, IN_JSON = 2, IN_TERMINAL = 4, IN_HTML = 8, IN_DATA = IN_CSV | IN_JSON };

struct column {
    const char *name;  /* CSV header and JSON field */
    const char *title; /* for readers */
    enum column_format format;
    void (*get)(const void *source, int row, int index, struct column_cell *out);
    int index;        /* passed to `get`: columns of one kind share a function */
    int decimals;     /* of CSV */
    int places;       /* of COLUMN_FIXED, for readers */
    double unit;      /* JSON numbers are rounded to multiples of it; 0: 1e-6 */
    int leaves;       /* order of removal from a terminal that is too narrow: 1 first; 0 never */
    int width_min;    /* in the terminal */
    bool is_fixed;    /* as wide as width_min; wider content is written over the gap before it */
    bool is_left;     /* aligned left */
    bool is_cut;      /* a terminal that is too narrow cuts this column */
    bool is_optional; /* JSON: the field is omitted where there is no value */
    unsigned where;   /* IN_CSV … */
};

struct columns {
    const struct column *list;
    int count, rows;
    const void *source; /* passed to `get` */
};

void columns_csv(const struct columns *table, struct text *out);

/* A new list of one object a row. The fields in `order` (ended by NULL; may be NULL) come first: files keep
 * the order of fields they always had, whatever order the columns have. */
struct json_t *columns_json(const struct columns *table, const char *const *order);

/* [{"name":…,"title":…,"format":…},…] of the columns for readers: the page shows tables by it. */
struct json_t *columns_describe(const struct columns *table);

/* Column titles and one line a row. Columns are as wide as their content; when the line would be longer than
 * `columns_max` (0: no limit) columns leave, then the one with is_cut is cut. */
struct columns_style {
    int columns_max, indent;
    bool colour;
};
void columns_terminal(const struct columns *table, const struct columns_style *style, struct text *out);

/* A <table> without styles. */
void columns_html(const struct columns *table, struct text *out);

/* Appends the string cut to that many columns, with "…" in its later half in place of the omitted part.
 * Characters that would move a terminal's cursor or are not UTF-8 become '?'. Returns the columns used. */
int columns_fit(const char *string, int columns_max, struct text *out);

/* "3", "3.5", "0.25": two decimals at most, no zeros at the end. Returns `out`. */
enum { COLUMNS_NUMBER_MAX = 336 }; /* no double is longer */
char *columns_number(double value, char out[COLUMNS_NUMBER_MAX]);

/* null for what is no number; rounded to multiples of `unit`. */
struct json_t *columns_number_json(double value, double unit);

#endif
