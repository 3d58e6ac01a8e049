/* SPDX-License-Identifier: MIT
 *
 * Published experiments, run again. An experiment is a constant table: cells (a row of a published table,
 * for example), each of which is repeated many times, a function that does one repetition, and one that
 * turns all repetitions into rows beside the published figures. Repetition i depends only on (seed, i), so
 * results depend neither on the number of workers nor on where a run was interrupted and continued.
 */
#ifndef REPRO_REPRO_H
#define REPRO_REPRO_H

#include "game/game.h"
#include "match/verdict.h"

#include <math.h>
#include <stdatomic.h>

struct json_t;

/* Limits of tables, results and texts. A result has room for all of them, so it is too large for a stack. */
enum {
    REPRO_VALUES_MAX = 24, /* a line of the journal has so many, used or not */
    REPRO_NOTE_MAX = 256,
    REPRO_NAME_MAX = 64,
    REPRO_LABEL_MAX = 256, /* bytes of a label in parts, see experiments.h */
    REPRO_MAPS_MAX = 8,
    REPRO_CELLS_MAX = 160,
    REPRO_ROWS_MAX = 256,
    REPRO_FINDINGS_MAX = 32,
    REPRO_PLOTS_MAX = 4,
    REPRO_TICKS_MAX = 32,
    REPRO_SCALE_MAX = 64,
    REPRO_REPETITIONS_MAX = 1000000, /* of one cell */
};

/* The result of one repetition. The experiment's value_names name the values. Only the time may differ from
 * run to run. */
struct repro_repetition {
    double values[REPRO_VALUES_MAX];
    double ms;                 /* thinking time in milliseconds of the thread; 0 where no player was asked */
    char note[REPRO_NOTE_MAX]; /* one line for people: the actions played, how the game ended */
    struct text game; /* a whole game as a record (JSON) to be stored, or empty; the runner's to free */
};

/* One thing that is tried many times. Fields an experiment does not need stay 0. */
struct repro_cell {
    const char *label;      /* in parts, see experiments.h */
    int map;                /* index into the experiment's maps */
    const char *players[2]; /* specs; red and blue, or only the first */
    const char *game;       /* the spec of a game without maps; NULL: the game is the map's */
    int one_in;             /* only every so manieth repetition is done, rounded up; 0: all are */
    int repetitions_max;    /* 0: no limit */
    bool is_deterministic;  /* every repetition gives the same answer; only times differ */
};

/* One repetition to be done: number `rep` of a cell. Its index in the plan is its random stream. */
struct repro_unit {
    int cell, rep;
};

struct repro_experiment;

struct repro_task {
    const struct repro_experiment *experiment;
    const struct repro_cell *cell;
    struct repro_unit unit;
    uint64_t seed;      /* of this repetition alone */
    uint64_t deal_seed; /* of this repetition, the same in every cell: for comparisons on the same deals */
    struct scenario *const *maps;
    const struct scenario *game; /* of the cell's game, or its map's; NULL: it has neither */
    const struct clock *clock;   /* of thinking times and of limits of time */
    /* May be NULL. A repetition that finds it set may return early: it does not count. */
    const atomic_bool *stop;
};

/* All repetitions, for the function that sums them up. */
struct repro_data {
    const struct repro_experiment *experiment;
    int count;
    const struct repro_unit *units; /* repetition by repetition: the first of cell i is number i */
    const struct repro_repetition *results;
};

/* ---- what comes out ---- */

#define REPRO_NONE ((double)NAN) /* no such number */

struct repro_row {
    char label[REPRO_NAME_MAX], unit[16]; /* "%", "ms" or "" */
    char label_parts[REPRO_LABEL_MAX];    /* the label in parts, see experiments.h */
    double published;                     /* REPRO_NONE: none */
    int published_n;                      /* the trials behind it; 0: none, or not stated */
    double published_margin;              /* the paper's own interval is +- this; REPRO_NONE: not given */
    double ours, low, high;               /* low and high REPRO_NONE: no interval */
    int repetitions;
    enum verdict kind;
    int repetitions_needed; /* where the verdict cannot tell: those that could; 0: no number could */
    char verdict[REPRO_NAME_MAX];
    struct msg msg; /* the verdict as data */
};

struct repro_finding {
    char text[256];
    struct msg msg;
    const char *first; /* the first argument in parts, where it has a translation of its own; or NULL */
    enum verdict verdict;
    int comparisons;     /* with chance in them, Holm-corrected; 0: none */
    enum test_kind kind; /* of the first of those */
    double margin, p;    /* of it, and of all together; see match/verdict.h */
};

struct repro_sentence {
    char text[128];
    struct msg msg;
};

/* A picture to be made by gnuplot: NAME.gp reads NAME.csv and writes NAME.svg and NAME.png. */
struct repro_plot {
    char name[REPRO_NAME_MAX], title[128];
    struct text commands, drawing; /* of the script: settings, then one plot command */
    struct text script, data;
    struct text texts; /* axes and keys in parts, a line each; titles have their names, and rows theirs */
    char scale[REPRO_SCALE_MAX]; /* repro_scale of its result */
};

enum { REPRO_SENTENCES = 4 };

struct repro_result {
    const struct repro_experiment *experiment;
    uint64_t seed;
    int repetitions, repetitions_done, repetitions_all; /* of a cell; taken, and planned in all */
    int repetitions_before;                             /* of those taken: found in the journal */
    bool quick;                                         /* fewer repetitions were asked for by that name */
    int row_count, finding_count, plot_count;
    struct repro_row rows[REPRO_ROWS_MAX];
    struct repro_finding findings[REPRO_FINDINGS_MAX];
    struct repro_plot plots[REPRO_PLOTS_MAX];
    double ticks[REPRO_TICKS_MAX]; /* the mean of each cell of the experiment's table of ticks */
    struct text repetitions_csv;   /* every repetition, a line each */
    char summary[512]; /* one sentence: verdicts of findings and of figures, and how many trials they have */
    struct repro_sentence sentences[REPRO_SENTENCES]; /* its parts as data; unused ones have no text */
    double seconds;
    struct err failure; /* why an experiment could not sum up its repetitions; empty: it could */
};

void repro_result_done(struct repro_result *result);

/* "quick, 40 of 500 trials" for a run that is smaller than the whole experiment, else nothing: headlines,
 * tables and plots have it. `out` has REPRO_SCALE_MAX bytes. */
void repro_scale(const struct repro_result *result, char *out);

/* ---- experiments ---- */

/* A plot of all rows with that unit: a line each, with the published figure and ours and the intervals of
 * both. */
struct repro_bars {
    const char *suffix, *title, *unit, *axis; /* the name, see plot_add; the axis' label, in parts */
    bool logarithmic, published_only;         /* only: rows without a published figure are left out */
    double level; /* a line at this figure, with which others are compared; 0: none */
};

/* Answers of a value that is 0 or 1 as a table: cell number column * row_count + row of the experiment. A
 * reader shows the answer of a deterministic cell as a tick, and of others how often it is 1. */
struct repro_ticks {
    int value; /* index */
    int column_count, row_count;
    const char *const *columns, *const *rows; /* labels, in parts */
};

struct repro_experiment {
    const char *name, *group, *title;
    const char *part_of;        /* a second name for it and others together; may be NULL */
    const char *source;         /* where it is published */
    const char *published;      /* in one line */
    const char *duration;       /* how long it takes, in words */
    const char *repetitions_of; /* the experiment that has the same cells and repetitions; NULL: none has */
    int version;                /* goes up when its repetitions change: older journals are refused then */
    int repetitions, repetitions_quick;
    const char *const *maps; /* names, ended by NULL; NULL: none. All are played by REPRO_RULES */
    const struct repro_cell *cells;
    int cell_count;
    const char *const *value_names; /* of a repetition's values, ended by NULL */

    /* NULL: a repetition is a whole game between the cell's two players (repro/experiments.h). The games are
     * played as a batch and stored in FOLDER/NAME-games, which must exist. */
    bool (*run)(const struct repro_task *task, struct repro_repetition *out, struct err *e);
    void (*finish)(const struct repro_data *data, struct repro_result *out);
    const struct repro_ticks *ticks; /* NULL: none */
    struct repro_bars bars[2];       /* plotted after `finish`; those without a suffix are none */
    const void *details; /* for a `run` or `finish` that several experiments share; the type is its own */
};

/* The rule set of the published experiments with maps. */
#define REPRO_RULES "tubstap"

/* The fields that follow from the group, the name within it and the array of cells. */
#define REPRO_EXPERIMENT(group_name, short_name, array)                                                      \
    .name = group_name "-" short_name, .group = (group_name), .cells = (array),                              \
    .cell_count = (int)(sizeof(array) / sizeof(array)[0])

extern const struct repro_experiment *const repro_experiments[]; /* ended by NULL */

/* ---- running one ---- */

/* The repetitions of the experiment that was run last, for one that evaluates the same ones in another way.
 * Begins zeroed; the caller drops it. */
struct repro_stored {
    uint64_t key; /* digest of all that they depend on */
    int count;
    struct repro_repetition *results;
};

void repro_stored_done(struct repro_stored *stored);

struct repro_options {
    uint64_t seed;
    int repetitions; /* of a cell; 0: as published */
    bool quick, fresh;
    int workers;
    const char *folder;  /* of the journal and all games; NULL: nothing is stored. Must exist. */
    const char *program; /* its version: a journal is continued by the same one only */
    const struct clock *clock;
    const struct clock *cpu;     /* of thinking times: see clock_thread; NULL: `clock` */
    atomic_bool *stop;           /* may be NULL; also set when a game fails */
    struct repro_stored *stored; /* may be NULL */
    bool (*read_map)(void *context, const char *name, struct text *out, struct err *e);
    /* After each repetition, in order; may be NULL. */
    void (*on_repetition)(void *context, const struct repro_result *so_far);
    void *context;
};

/* Over struct repro_options: which repetitions a run plays, for the command line and for requests. */
extern const struct param repro_params[];

enum repro_outcome { REPRO_FAILED, REPRO_STOPPED, REPRO_DONE };

/* Stopped: `out` has the number of finished repetitions; rows and findings are there only when all are
 * finished. `out` is large; the caller drops it with repro_result_done, whatever the outcome. */
enum repro_outcome repro_run(const struct repro_experiment *experiment, const struct repro_options *options,
                             struct repro_result *out, struct err *e);

/* Repetitions of a cell that these options ask for; of them, those that this cell is given; and those of all
 * cells together. */
int repro_repetitions(const struct repro_experiment *experiment, const struct repro_options *options);
int repro_cell_repetitions(const struct repro_cell *cell, int repetitions);
int repro_repetitions_all(const struct repro_experiment *experiment, const struct repro_options *options);

/* ---- results: JSON, CSV, text for a terminal, and the page over all of a folder ---- */

/* New values, the caller's: the whole result, and the two halves of its summary as messages. */
struct json_t *output_json(const struct repro_result *result);
struct json_t *output_summary_json(const struct repro_result *result);

/* Rows beside the published figures, findings, the summary. */
void output_text(const struct repro_result *result, struct text *out);

/* NAME.json, NAME.csv, NAME-trials.csv and, for each plot, PLOT.csv and PLOT.gp. */
bool output_store(const struct repro_result *result, const char *folder, struct err *e);

/* One page over everything a folder holds: tables, findings, plots and boards. It loads nothing from
 * anywhere, follows the reader's choice of light or dark, and can be printed. Reads FOLDER/NAME.json of every
 * experiment there is, with its pictures; false when there is none, or one cannot be read. `date` is when the
 * folder was made, or "". */
bool report_make(const char *folder, const char *date, struct text *out, struct err *e);

/* ---- folders, and drawing ---- */

/* FOLDER and, for experiments that store games, FOLDER/NAME-games. */
bool repro_make_folders(const struct repro_experiment *experiment, const char *folder, struct err *e);

/* For struct repro_options: one of our own maps; the context is the name of their folder. */
bool repro_read_map(void *maps_folder, const char *name, struct text *out, struct err *e);

/* Pictures that could not be made. The result is complete without them: the folder has data and scripts. */
struct repro_missing {
    bool boards;     /* this build has no Cairo */
    bool gnuplot;    /* there is none on this machine */
    int plot;        /* the first plot without a picture; -1: all have one */
    int plot_status; /* of gnuplot on that plot, unless there is none */
};

/* Boards and plots of a finished result that was stored in the folder. False only for failures that the
 * user must be told of (a failed write). */
bool repro_draw(const struct repro_result *result, const char *folder, const char *maps_folder,
                struct repro_missing *missing, struct err *e);

#endif
