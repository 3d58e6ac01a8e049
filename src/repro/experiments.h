/* SPDX-License-Identifier: MIT
 *
 * What experiments are made of: decisions and turns as repetitions; from repetitions to rows (sums over a
 * cell, intervals, verdicts) and to plots; then all experiments, for the registry and for tests, and the
 * functions of single experiments that another experiment or a test uses. Sources:
 *
 * - tbs: Sato, Fujiki and Ikeda, "Proposal of Challenges and Approaches to Create Effective Artificial
 *   Players for Turn-based Tactics Game", IPSJ Journal 2016 (in Japanese).
 * - mapgen: Taguchi and Sato, "Initial game position generation for Turn based war simulation games using
 *   genetic algorithm technique", IPSJ SIG Technical Report, 2019 (in Japanese).
 * - synth: a Japanese paper on adaptive Monte Carlo tree search (AMCTS) for games with imperfect information,
 *   on the trees of Long, Sturtevant, Buro and Furtak (AAAI 2010). The paper survives in parts only. No bar
 * of its figures can be read, so our figures are compared with its claims in words.
 * - geister: Nishikori, Aoki and Hashimoto, "Research of Geister AI using UCT" (in Japanese).
 */
#ifndef REPRO_EXPERIMENTS_H
#define REPRO_EXPERIMENTS_H

#include "game/tbs/tbs.h"
#include "match/statistics.h"
#include "player/player.h"
#include "repro/repro.h"

struct evolution;
struct judgement;
struct plan;
struct referee;

/* ---- the journal (journal.c) ----
 *
 * The finished repetitions of a run, a line each, appended and flushed as they finish. An interrupted run
 * reads the journal and does only the rest. The first line identifies the run; a journal of another run is
 * refused. */

/* What must be the same for a run to go on. */
struct journal_head {
    const char *experiment, *program;
    int version, repetitions;
    uint64_t seed;
    uint64_t setup; /* digest of players, maps and rules */
};

struct journal {
    int file; /* descriptor, or -1 while closed */
    char path[4096];
};

/* Opens (or begins) the journal. Results that are in it are handed to `take` (index < count); a torn last
 * line is cut off. With `fresh` a journal that is there is renamed to PATH.old first. */
struct journal_reader {
    int count; /* units of the plan */
    bool (*take)(void *context, int index,
                 const struct repro_repetition *repetition); /* false: it has come before */
    void *context;
};

bool journal_open(struct journal *journal, const struct journal_head *head, bool fresh,
                  const struct journal_reader *reader, struct err *e);

/* Hands the results of another run's journal in the folder to `take`. Nothing is written; a journal that is
 * not there, or is that of another run, has no results. */
bool journal_read(const char *folder, const struct journal_head *head, const struct journal_reader *reader,
                  struct err *e);

/* The path is set before. */
bool journal_set_path(struct journal *journal, const char *folder, const char *name, struct err *e);

bool journal_add(struct journal *journal, int index, const struct repro_repetition *repetition,
                 struct err *e);
void journal_close(struct journal *journal);

/* One line with its line end; and back (false when it is not whole). Exact: doubles return as they were. */
void journal_write_line(int index, const struct repro_repetition *repetition, struct text *out);
bool journal_read_line(const char *line, size_t size, int *index, struct repro_repetition *out);

/* ---- decisions, turns and games ---- */

/* One decision of a game, and how long it took. */
struct play_decision {
    struct answer answer;
    double ms;
};

/* Asks the player to move, with the task's clock and stop; nothing is played yet. */
struct play_decision play_decide(const struct repro_task *task, struct referee *referee,
                                 struct player *player);

enum { PLAY_ACTIONS_MAX = TBS_SIDE_UNITS_MAX };

/* A turn as it was played from the map's start. */
struct play_turn {
    int side;
    int count;
    action actions[PLAY_ACTIONS_MAX];
    struct tbs_position before, after;
    uint64_t work; /* simulations, positions or actions scored: what the player counts */
};

/* The first turn of the cell's first player; its actions and time are noted in the repetition. False with a
 * reason when the player cannot be opened or plays against the rules. When the task is stopped the turn ends
 * early. */
bool play_first_turn(const struct repro_task *task, const struct scenario *scenario, struct play_turn *out,
                     struct repro_repetition *repetition, struct err *e);

/* How many units of a side are left, of one type or (TBS_TYPES) of any. */
int play_units_left(const struct tbs_position *position, int side, int type);

/* The turn has destroyed the enemy's infantry. */
bool play_removes_infantry(const struct play_turn *turn);

/* Values of a repetition that is a game; points are those of the side that begins. Then follow values of one
 * game: hit points of the tactical game, or how a game of Geister ended (enum geister_end). */
enum {
    GAME_RED_POINTS,
    GAME_TURNS,
    GAME_ACTIONS,
    GAME_RED_HP,
    GAME_BLUE_HP,
    GAME_VALUES,
    GAME_END = GAME_RED_HP,
};
extern const char *const play_game_names[]; /* for value_names */

/* Over the games of a cell: points of a side, and how many were drawn. */
struct play_score {
    int n, wins, draws;
    double points; /* a draw is half a point */
};

struct play_score play_score(const struct repro_data *data, int cell, int side);

/* ---- sums and rows: all verdicts are made by rules here, so that no experiment judges itself ---- */

/* One value over the repetitions of a cell. */
struct cell_sum {
    int n;
    double sum, mean;
    double error;        /* standard error of the mean; infinite with fewer than two repetitions */
    struct interval t95; /* of the mean, Student's t; the whole line with fewer than two repetitions */
};

enum { CELL_TIME = -1 }; /* in place of a value's index: the repetition's milliseconds */

struct cell_sum rows_sum(const struct repro_data *data, int cell, int value);

/* Fills the error and the interval of a mean over n values; `squares`: of the distances from it, summed. */
void rows_set_error(struct cell_sum *sum, double squares);

/* One value of one cell, times its weight. */
struct rows_term {
    int cell, value;
    double weight;
};

/* A sum of values over the repetitions that have all of them (a difference of two cells, or a mean of
 * several, for example), with the interval over repetitions. Where cells share their deals, the luck of the
 * deals cancels out or counts once. */
struct cell_sum rows_contrast(const struct repro_data *data, const struct rows_term *terms, int count);

/* The difference of two means of independent repetitions, with Welch's error and degrees of freedom. */
struct cell_sum rows_difference(struct cell_sum a, struct cell_sum b);

/* Tests of findings: the mean is above the level, or within +-margin of it. match/verdict.h has those of
 * shares and of claims. */
struct test rows_is_above(struct cell_sum sum, double level);
struct test rows_is_equal(struct cell_sum sum, double level, double margin);
struct test rows_is_within(struct cell_sum sum, double level, double margin);
struct test rows_is_at_most(struct cell_sum sum, double level, double margin);

/* The sum of what `value_of` makes of each repetition of a cell. */
struct cell_sum rows_sum_of(const struct repro_data *data, int cell,
                            double (*value_of)(const struct repro_repetition *repetition));

/* The successes of a value that is 0 or 1 in every repetition of a cell. */
struct proportion rows_share(const struct repro_data *data, int cell, int value);

/* A published figure is a sample like ours: its value in the unit of the row (REPRO_NONE: none) and the
 * trials behind it. */
struct rows_published {
    double value;
    int n;
};

#define ROWS_UNPUBLISHED ((struct rows_published){REPRO_NONE, 0})

/* Values that a quantity can have; its interval stays within them. Both 0: any. */
struct rows_range {
    double low, high;
};

#define ROWS_NOT_NEGATIVE ((struct rows_range){0, (double)INFINITY})
#define ROWS_UNIT         ((struct rows_range){0, 1})

/* Each adds a row. Without a published figure the verdict says so. */
struct repro_row *rows_add(struct repro_result *out, const char *label, const char *unit, double published);

/* `successes` of n in per cent (draws may count a half), with Wilson's interval; compared with the published
 * share of so many trials by verdict_shares. */
struct repro_row *rows_add_share(struct repro_result *out, const char *label, struct rows_published published,
                                 double successes, int n);

/* Milliseconds of the thread, from another machine: faster or slower, and how many times. No verdict. */
struct repro_row *rows_add_time(struct repro_result *out, const char *label, double published,
                                struct cell_sum time);

/* A number without spread: arithmetic, or a deterministic answer. It has no interval, is the same as the
 * published one or not, and confirms nothing. */
struct repro_row *rows_add_exact(struct repro_result *out, const char *label, double published, double ours);

/* A statement of the paper without a number and without chance: 1 when it was seen, else 0; "holds" or "does
 * not hold". */
struct repro_row *rows_add_claim(struct repro_result *out, const char *label, bool seen);

/* A row without a published figure: the mean of a value times `factor`, with its interval within the range
 * (of the value, before the factor) where there are at least two repetitions. */
struct repro_row *rows_add_mean(struct repro_result *out, const char *label, const char *unit, double factor,
                                struct cell_sum sum, struct rows_range range);

/* ---- the same figures of many cells ---- */

/* Cells first … first + count - 1. */
struct rows_span {
    int first, count;
};

enum rows_kind {
    ROWS_MEAN,  /* rows_add_mean */
    ROWS_SHARE, /* rows_add_share: the sum of the value is the number of successes; of a deterministic cell
                   rows_add_exact in per cent */
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
    struct rows_range range;   /* of ROWS_MEAN */
    const double *published;   /* by place in the span; NULL: nothing is published */
    int published_n;           /* of ROWS_SHARE: the trials behind each of them */
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

/* What the paper concludes: a statement with the tests that show it, or its alternative. The caller may set
 * `first` of what is returned. */
struct repro_finding *rows_add_finding(struct repro_result *out, const struct test *tests, int count,
                                       const char *code, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The tests of a finding as two arguments: rows_add_finding(out, TESTS(a, b), code, …). */
#define TESTS(...)                                                                                           \
    (const struct test[]){__VA_ARGS__},                                                                      \
        (int)(sizeof((const struct test[]){__VA_ARGS__}) / sizeof(struct test))

/* Replaces the verdict of a row. */
void rows_set_verdict(struct repro_row *row, enum verdict kind, const char *code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Fills out->summary from rows and findings. */
void rows_summarize(struct repro_result *out);

/* The experiment's `finish`, then the plots that it has as data, summary and CSV of all repetitions. */
void output_finish(const struct repro_data *data, struct repro_result *out);

/* ---- plots: gnuplot scripts with their data beside them ----
 *
 * A reader without senjutsu can run `gnuplot NAME.gp` in the folder to make the plots again. */

/* A new plot of the result, named EXPERIMENT-SUFFIX. */
struct repro_plot *plot_add(struct repro_result *out, const char *suffix, const char *title);

/* The English of a label in parts for the script, and a note of the label for translations. */
struct rows_label plot_text(struct repro_plot *plot, const char *label);

/* How intervals are drawn: lines with ends, from columns x:low:(0):(high - low), or along x from columns
 * low:y:(high - low):(0). The colour is that of the figure. */
#define PLOT_INTERVALS_OF(colour)                                                                            \
    "with vectors heads size screen 0.004,90 lc rgb \"" colour "\" lw 1.5 notitle"

/* Fine lines that do not compete with the data. */
#define PLOT_GRID "lt 1 lw 0.6 lc rgb \"#e0e0e0\""

/* A comma and the number, or NaN (which gnuplot leaves out) where there is none: for lines of data. */
void plot_number(double number, struct text *out);

/* A key of so many entries below the axis' label, one a line: entries of any length have room, in any
 * language. The picture becomes higher by as much. */
void plot_key(struct repro_plot *plot, int entries);

/* The title in the middle of the picture; that of the axes is too far right where labels are long. Comes
 * after the setting of `high`. */
void plot_middle_title(struct repro_plot *plot);

/* Settings for the labels of both axes. */
void plot_axes(struct repro_plot *plot, const char *x, const char *y);

/* Makes the script from the plot's commands and its drawing, which is done for SVG and for PNG. In both, the
 * data file is the gnuplot variable `data`. */
void plot_script(struct repro_plot *plot);

/* For files: rows, and a number with at most six digits that count, or all of a whole number's. */
void output_rows_csv(const struct repro_result *result, struct text *out);
void output_number(double number, struct text *out);

/* ---- all experiments ---- */

extern const struct repro_experiment repro_tbs_fig2, repro_tbs_branching, repro_tbs_fig4, repro_tbs_fig5,
    repro_tbs_table5, repro_tbs_table6, repro_tbs_table7, repro_tbs_remedies;
extern const struct repro_experiment repro_mapgen_trials, repro_mapgen_cost, repro_mapgen_random,
    repro_mapgen_features, repro_mapgen_crossover, repro_mapgen_readings;
extern const struct repro_experiment repro_synth_fig2, repro_synth_fig3, repro_synth_fig4, repro_synth_fig5,
    repro_synth_fig6, repro_synth_fig7, repro_synth_fig8, repro_synth_fig9, repro_synth_readings,
    repro_synth_switching, repro_synth_space, repro_synth_tuning, repro_synth_rules, repro_amcts_games;
extern const struct repro_experiment repro_geister_table1, repro_geister_table2, repro_geister_table3,
    repro_geister_fusion, repro_geister_march, repro_geister_mates, repro_geister_beliefs;

/* ---- geister ---- */

struct geister;
struct purple;

/* After a move of `side`: how many plies a forced win takes, that move included, when the other side delays
 * it as long as it can; 0 when there is none whose escape is seen within that depth after the answer.
 * Whatever the hidden colours. */
int geister_plies_to_win(struct purple *purple, const struct geister *moved, int side, int depth);

/* ---- tbs ---- */

/* Principal components. The sign of a component is arbitrary in theory; here its largest loading (the first
 * of those) is positive, so that results can be compared. */
enum { PCA_VARIABLES_MAX = 20, PCA_OBSERVATIONS_MAX = 40 };

struct pca_table {
    int observations, variables;
    double x[PCA_OBSERVATIONS_MAX][PCA_VARIABLES_MAX];
};

struct pca {
    double variance[PCA_VARIABLES_MAX];                    /* of the components, largest first */
    double share[PCA_VARIABLES_MAX];                       /* of the whole variance */
    double loading[PCA_VARIABLES_MAX][PCA_VARIABLES_MAX];  /* [component][variable], unit length */
    double score[PCA_OBSERVATIONS_MAX][PCA_VARIABLES_MAX]; /* [observation][component] */
};

/* Of the covariance matrix, or with `standardize` of the correlation matrix (a variable that is the same in
 * all observations counts as zero then). At least two observations. */
void pca_compute(const struct pca_table *table, int standardize, struct pca *out);

/* Whether the action attacks the weaker of the enemy's fighters among units first … first + count - 1. */
bool fig4_is_right(const struct tbs_position *position, action a, int first, int count);

/* Figure 4's map twice on one, as far apart as there is room. */
bool remedies_double_map(const struct tbs_map *one, struct tbs_map *out, struct err *e);

/* ---- mapgen ---- */

/* One whole run of a preset inside a repetition, on its own thread, with nothing stored. `settings` is
 * "name=value" pairs with blanks between, in addition to the preset. `out` is initialised here; the caller
 * drops it with evolution_done, whatever is returned. `plan` must outlive it. */
bool mapgen_evolve(const struct repro_task *task, const char *preset, const char *settings, struct plan *plan,
                   struct evolution *out, struct err *e);

/* What is run in a cell, and what is noted of it: the `details` of an experiment, by cell. With `same_seed`
 * all cells have the same random numbers, and so the same maps at birth. */
struct mapgen_run {
    const char *preset, *settings;
    void (*describe)(const struct evolution *run, struct repro_repetition *out);
    bool same_seed;
};

/* A repetition that is one such run. */
bool mapgen_run(const struct repro_task *task, struct repro_repetition *out, struct err *e);

/* Pearson's correlation between the fitness of a child and the mean of its parents', all as first judged,
 * within generations: the rise from generation to generation is no part of it. 0 where one of them does not
 * vary. */
double mapgen_correlation(const struct evolution *run);

/* The mean genome_difference of two maps of the population; 0 with fewer than two. */
double mapgen_diversity(const struct evolution *run);

/* A picture of panels, each with its own axis and the same places along it, at which points with their
 * intervals stand side by side. */
struct mapgen_panel {
    const char *title; /* in parts */
    double low, high;  /* of the axis; an infinite end follows from the points */
};

struct mapgen_point {
    int panel, place, series; /* series -1: in the middle of the place */
    double value, low, high;
};

struct mapgen_panels {
    const char *suffix, *title;
    const struct mapgen_panel *panels;
    int count, columns;
    const char *const *places; /* in parts */
    int place_count;
    const char *series[2]; /* in parts: the key */
};

/* The point of a row of ours. Without an interval it is the value alone. */
struct mapgen_point mapgen_point_of(const struct repro_row *row, int panel, int place, int series);
void mapgen_plot_panels(struct repro_result *out, const struct mapgen_panels *layout,
                        const struct mapgen_point *points, int count);

/* The values and the note of a run, as a repetition of mapgen-trials and of mapgen-random. */
void mapgen_describe_history(const struct evolution *run, struct repro_repetition *out);
void mapgen_describe_best(const struct evolution *run, struct repro_repetition *out);

/* The fitness on the published scale, of ten games, at the rate of points of these; 1 without games. */
double mapgen_fitness(const struct judgement *judgement);

#define SYNTH_SOURCE "adaptive Monte Carlo tree search for games with imperfect information (in Japanese)"

/* ---- synth: a repetition is one deal (a tree and both types), played once from each seat ---- */

/* A is the cell's first player, B its second. Payoffs are counted as the paper does, 0 … 4: B has the rest.
 * Both games of a deal have the same random numbers at each seat, and so has every cell. */
enum {
    SYNTH_FIRST,  /* A's payoff where it moved first … */
    SYNTH_SECOND, /* … and where it moved second; */
    SYNTH_MEAN,   /* of both */
    SYNTH_MS_A,   /* milliseconds a move */
    SYNTH_MS_B,
    SYNTH_LEAVES_A, /* leaf evaluations a move */
    SYNTH_LEAVES_B,
    SYNTH_SWITCHED, /* share of A's moves at which AMCTS searched again; only of N by equation (5) */
    SYNTH_VALUES
};

bool synth_play_deal(const struct repro_task *task, struct repro_repetition *out, struct err *e);

/* ---- ten values of df: cells `first` … first + 9 are df 0.1 … 1.0 ---- */

enum { SYNTH_DFS = 10, SYNTH_DEALS = 1500 }; /* 3000 matches a point, as published */

#define SYNTH_EVEN 2.0 /* both sides' payoffs sum to 4 */

/* The mean of a value over some cells (ten values of df, or a half of them), less that over others, if there
 * are any. All cells have the same deals, so differences are taken deal by deal and intervals are over deals.
 */
struct cell_sum synth_contrast(const struct repro_data *data, int value, struct rows_span cells,
                               struct rows_span less);

/* ---- claims of the figures, each with the rule that decides it ----
 *
 * A claim is the paper's text as far as it survives. Where a word of it cannot be read the finding says that
 * it is a reading. Small df are 0.1 to 0.5, large ones 0.6 to 1.0. */

/* Ten cells, AMCTS against one opponent for df 0.1 … 1.0. `setting` is the part of their labels after the
 * df (", 0.01 s"), or "". */
struct synth_series {
    int first;
    const char *setting, *opponent;
    int counted; /* cells with counted playouts at large df, on the same deals; 0: none */
};

enum synth_claim {
    SYNTH_NOTHING,          /* no claim: the end of a list */
    SYNTH_BETTER,           /* the interval over all df is above 2.00, and at no df below */
    SYNTH_EQUAL,            /* each mean is within 0.05 of 2.00 */
    SYNTH_NOT_ABOVE,        /* at no df is the interval above 2.00 */
    SYNTH_WITHIN_AXIS,      /* each mean is within what the surviving axes show */
    SYNTH_FALLS,            /* less time at df 1.0 than at 0.1, and at no step of df more leaves */
    SYNTH_LONGER,           /* more time than the opponent at every df */
    SYNTH_CHEAPER,          /* less time than the opponent at every df */
    SYNTH_BETTER_AT_LARGE,  /* the interval over large df is above 2.00 */
    SYNTH_BEHIND_AT_SMALL,  /* the interval over small df is below 2.00 */
    SYNTH_MORE_THAN_COUNTED /* more at large df than with counted playouts, by the difference's interval */
};

void synth_add_claim(const struct repro_data *data, struct repro_result *out, const struct synth_series *s,
                     enum synth_claim claim);

/* ---- the space of synthetic trees: a grid, and means over parts of it ---- */

enum { SPACE_LCS = 5, SPACE_BIASES = 5, SPACE_DFS = 6, SPACE_CELLS = SPACE_LCS * SPACE_BIASES * SPACE_DFS };

/* The axes of the cube. */
enum space_axis { SPACE_LC, SPACE_BIAS, SPACE_DF, SPACE_AXES };

struct space_axis_scale {
    const char *name;
    int count;
    const double *steps;
};

extern const struct space_axis_scale space_axes[SPACE_AXES];

/* A repetition's values, all in Long's points: a game is won (+1) or lost (-1). Losses are the mean of both
 * seats where no seat is named. */
enum space_value {
    SPACE_VALUE,        /* of the game to the side that moves first */
    SPACE_GAP,          /* how exact that is */
    SPACE_PIMC_FIRST,   /* what PIMC loses against optimal play, moving first … */
    SPACE_PIMC_SECOND,  /* … and second */
    SPACE_PIMC,         /* its mean */
    SPACE_RANDOM,       /* the same of random play */
    SPACE_GAIN,         /* how much less PIMC loses */
    SPACE_PIMC_WORST,   /* what PIMC loses against the best answer to it: its exploitability … */
    SPACE_RANDOM_WORST, /* … and that of playing at random */
    SPACE_VALUES
};

/* Where a cell is: the step on each axis. */
void space_place(int cell, int steps[SPACE_AXES]);

#endif
