/* SPDX-License-Identifier: MIT
 *
 * Two experiments on the genetic algorithm of Taguchi and Sato: their future work, other crossover operators,
 * with and without mutation; and the readings that their text allows, for the pattern of figures 3 to 5.
 */
#include "evolve/evolution.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#define MAPGEN_SOURCE "Taguchi and Sato, IPSJ SIG Technical Report, 2019"

/* ---- measures of a run ---- */

/* Deviations from the means of one generation, summed over all generations. */
struct deviations {
    double xx, yy, xy;
};

/* The origins of a generation follow each other. Welford's recurrence for two variables: x is the parents'
 * mean, y the child's fitness. Returns the index behind the generation. */
static int add_generation(const struct evolution *run, int first, struct deviations *sum) {
    const int generation = run->origins[first].generation;
    double mean_x = 0, mean_y = 0;
    int n = 0, i = first;
    for (; i < run->origin_count && run->origins[i].generation == generation; i++) {
        const struct origin *o = &run->origins[i];
        if (o->parents[0] < 0)
            continue;
        const double one = (double)run->origins[o->parents[0]].fitness;
        const double x = o->parents[1] < 0 ? one : (one + (double)run->origins[o->parents[1]].fitness) / 2;
        const double y = (double)o->fitness, dx = x - mean_x, dy = y - mean_y;
        n++;
        mean_x += dx / n;
        mean_y += dy / n;
        sum->xx += dx * (x - mean_x);
        sum->yy += dy * (y - mean_y);
        sum->xy += dx * (y - mean_y);
    }
    return i;
}

double mapgen_correlation(const struct evolution *run) {
    struct deviations sum = {0};
    for (int i = 0; i < run->origin_count;)
        i = add_generation(run, i, &sum);
    return sum.xx > 0 && sum.yy > 0 ? sum.xy / sqrt(sum.xx * sum.yy) : 0;
}

double mapgen_diversity(const struct evolution *run) {
    double sum = 0;
    for (int i = 0; i < run->count; i++)
        for (int k = 0; k < i; k++)
            sum += genome_difference(&run->individuals[i].genome, &run->individuals[k].genome);
    return run->count > 1 ? sum / (0.5 * run->count * (run->count - 1)) : 0;
}

/* The mean of all maps born in a generation, as first judged. */
static double born_mean(const struct evolution *run, int generation) {
    double sum = 0;
    int n = 0;
    for (int i = 0; i < run->origin_count; i++)
        if (run->origins[i].generation == generation) {
            sum += (double)run->origins[i].fitness;
            n++;
        }
    return n > 0 ? sum / n : 0;
}

/* ---- panels ---- */

struct mapgen_point mapgen_point_of(const struct repro_row *row, int panel, int place, int series) {
    return (struct mapgen_point){.panel = panel,
                                 .place = place,
                                 .series = series,
                                 .value = row->ours,
                                 .low = isnan(row->low) ? row->ours : row->low,
                                 .high = isnan(row->high) ? row->ours : row->high};
}

static void add_limit(double limit, struct text *out) {
    if (isfinite(limit))
        text_add(out, "%g", limit);
    else
        text_add_string(out, "*");
}

/* gnuplot leaves out points whose x is NaN, so conditions select the panel and the series. */
static void add_panel(struct repro_plot *plot, const struct mapgen_panels *layout, int index) {
    static const char *const colours[] = {"#2f6db5", "#c05a00", "#333333"};
    const struct mapgen_panel *panel = &layout->panels[index];
    struct text *out = &plot->drawing;
    text_add(out, "set title \"%s\"\nset yrange [", plot_text(plot, panel->title).text);
    add_limit(panel->low, out);
    text_add_string(out, ":");
    add_limit(panel->high, out);
    text_add_string(out, "]\nplot ");
    for (int series = 0; series < 3; series++) /* the last is -1 */
        text_add(out,
                 "data skip 1 using ($1 == %d && $3 == %d ? $2 + %g : NaN):4 with points pt 7 ps 0.7 "
                 "lc rgb \"%s\" notitle, \\\n     ",
                 index, series < 2 ? series : -1,
                 series == 0   ? -0.15
                 : series == 1 ? 0.15
                               : 0,
                 colours[series]);
    text_add(out,
             "data skip 1 using ($1 == %d ? $2 + ($3 == 0 ? -0.15 : $3 == 1 ? 0.15 : 0) : NaN)"
             ":5:(0):($6 - $5) " PLOT_INTERVALS_OF("#111111") "\n",
             index);
}

/* In pixels of SVG: title and key above the panels, and a panel with its title and the labels below it. */
enum { KEY_HEIGHT = 125, PANEL_HEIGHT = 240, BELOW_PANEL = 45, BETWEEN_PANELS = 95 };

/* Margins are shares of the picture. The key stands above all panels: its entries are labels of the picture,
 * the text apart from its mark, so that a translation finds it. */
static void add_frame(struct repro_plot *plot, const struct mapgen_panels *layout, int rows) {
    static const char *const colours[] = {"#2f6db5", "#c05a00"};
    const double high = KEY_HEIGHT + PANEL_HEIGHT * rows;
    text_add(&plot->drawing,
             "set multiplot layout %d,%d title \"%s%s%s\" font \",14\" margins 0.07,0.94,%.4f,%.4f "
             "spacing 0.08,%.4f\n",
             rows, layout->columns, plot->title, plot->scale[0] != '\0' ? "\\n" : "", plot->scale,
             BELOW_PANEL / high, 1 - KEY_HEIGHT / high, BETWEEN_PANELS / high);
    for (int series = 0; series < 2; series++)
        text_add(&plot->drawing,
                 "set label %d \"●\" at screen %g,%.4f right textcolor rgb \"%s\"\n"
                 "set label %d \"%s\" at screen %g,%.4f left noenhanced\n",
                 2 * series + 1, 0.2 + 0.3 * series, 1 - 72 / high, colours[series], 2 * series + 2,
                 plot_text(plot, layout->series[series]).text, 0.21 + 0.3 * series, 1 - 72 / high);
}

void mapgen_plot_panels(struct repro_result *out, const struct mapgen_panels *layout,
                        const struct mapgen_point *points, int count) {
    struct repro_plot *plot = plot_add(out, layout->suffix, layout->title);
    const int rows = (layout->count + layout->columns - 1) / layout->columns;
    text_add_string(&plot->data, "panel,place,series,value,low,high\n");
    for (const struct mapgen_point *p = points; p < points + count; p++) {
        text_add(&plot->data, "%d,%d,%d", p->panel, p->place, p->series);
        plot_number(p->value, &plot->data);
        plot_number(p->low, &plot->data);
        plot_number(p->high, &plot->data);
        text_add_string(&plot->data, "\n");
    }
    text_add(&plot->commands, "high = %d\nset title font \",12\"\nset tics font \",11\"\n",
             KEY_HEIGHT + PANEL_HEIGHT * rows);
    text_add(&plot->commands, "set xrange [-0.5:%d.5]\nset xtics (", layout->place_count - 1);
    for (int i = 0; i < layout->place_count; i++)
        text_add(&plot->commands, "%s\"%s\" %d", i > 0 ? ", " : "", plot_text(plot, layout->places[i]).text,
                 i);
    text_add_string(&plot->commands, ")\n");
    add_frame(plot, layout, rows);
    for (int i = 0; i < layout->count; i++) {
        add_panel(plot, layout, i);
        if (i == 0)
            text_add_string(&plot->drawing, "unset label\n"); /* they are drawn with each panel */
    }
    text_add_string(&plot->drawing, "unset multiplot\n");
    plot_script(plot);
}

/* ---- crossover operators ----
 *
 * The paper chose uniform crossover for its diversity, doubts that it hands on what is good about a map
 * (sections 4.2.2 and 5.2.1), and names better crossover as future work. Runs have half of the published
 * population and all of its ten generations: 240 maps, 2400 games, half of the time, and the population
 * still converges. All cells have the same maps at birth, so differences are taken run by run. */

enum { UNIFORM, BLOCK, REGION, OPERATORS, CROSSOVER_CELLS = 2 * OPERATORS }; /* mutation: behind OPERATORS */
enum { C_FRESH, C_SELECTED, C_MEAN, C_DIVERSITY, C_DIFFERENT, C_CORRELATION, C_MAPS, C_GAMES };

static const struct repro_cell crossover_cells[CROSSOVER_CELLS] = {
    {"[crossover_uniform|uniform]", 0, {NULL}},
    {"[crossover_block|block]", 0, {NULL}},
    {"[crossover_region|region]", 0, {NULL}},
    {"[crossover_uniform|uniform] + [mutation|mutation]", 0, {NULL}},
    {"[crossover_block|block] + [mutation|mutation]", 0, {NULL}},
    {"[crossover_region|region] + [mutation|mutation]", 0, {NULL}},
};

static void describe_crossover(const struct evolution *run, struct repro_repetition *out) {
    const struct individual *best = &run->individuals[run->shown[0]];
    const struct generation *last = &run->generations[run->generation_count - 1];
    out->values[C_FRESH] = mapgen_fitness(&best->fresh);
    out->values[C_SELECTED] = best->fitness;
    out->values[C_MEAN] = last->mean;
    out->values[C_DIVERSITY] = mapgen_diversity(run);
    out->values[C_DIFFERENT] = last->filled;
    out->values[C_CORRELATION] = mapgen_correlation(run);
    out->values[C_MAPS] = run->evaluations;
    out->values[C_GAMES] = last->games;
    snprintf(out->note, sizeof out->note, "map %d: selected with %g, %d fresh games", best->id, best->fitness,
             judgement_contests(&best->fresh));
}

#define HALF "born=40 population=20 show=1 crossover="

static const struct mapgen_run crossover_runs[CROSSOVER_CELLS] = {
    {"paper", HALF "uniform", describe_crossover, true},
    {"paper", HALF "block", describe_crossover, true},
    {"paper", HALF "region", describe_crossover, true},
    {"paper", HALF "uniform mutation=all", describe_crossover, true},
    {"paper", HALF "block mutation=all", describe_crossover, true},
    {"paper", HALF "region mutation=all", describe_crossover, true},
};

static const struct rows_column crossover_columns[] = {
    [C_FRESH] = {ROWS_MEAN, C_FRESH, NULL, "[fresh_best|fresh fitness of the best], ", .range = {1, 216}},
    [C_SELECTED] = {ROWS_MEAN, C_SELECTED, NULL, "[selected_best|fitness that selected it], ",
                    .range = {1, 216}},
    [C_MEAN] = {ROWS_MEAN, C_MEAN, NULL, "[mean_last|mean of the last generation], ", .range = {1, 216}},
    [C_DIVERSITY] = {ROWS_MEAN, C_DIVERSITY, NULL, "[diversity|mean difference of two maps], ",
                     .range = {0, 1}},
    [C_DIFFERENT] = {ROWS_MEAN, C_DIFFERENT, NULL, "[different_maps|clearly different maps], ",
                     .range = {1, 20}},
    [C_CORRELATION] = {ROWS_MEAN, C_CORRELATION, NULL, "[parent_child|parent-child correlation], ",
                       .range = {-1, 1}},
};
enum { CROSSOVER_COLUMNS = sizeof crossover_columns / sizeof crossover_columns[0] };

/* Panels of the picture, in the order of the table; the fitness that selected a map is nearly always 216. */
static void plot_crossover(struct repro_result *out) {
    static const int values[] = {C_FRESH, C_MEAN, C_DIVERSITY, C_CORRELATION};
    static const struct mapgen_panel panels[] = {
        {"[fresh_best|fresh fitness of the best]", 0, 216},
        {"[mean_last|mean of the last generation]", 0, 216},
        {"[diversity|mean difference of two maps]", 0, (double)INFINITY},
        {"[parent_child|parent-child correlation]", -(double)INFINITY, (double)INFINITY},
    };
    enum { PANELS = sizeof panels / sizeof panels[0] };
    struct mapgen_point points[PANELS * CROSSOVER_CELLS];
    const char *places[OPERATORS];
    for (int i = 0; i < OPERATORS; i++)
        places[i] = crossover_cells[i].label;
    for (int i = 0; i < PANELS; i++)
        for (int cell = 0; cell < CROSSOVER_CELLS; cell++)
            points[i * CROSSOVER_CELLS + cell] = mapgen_point_of(
                &out->rows[values[i] * CROSSOVER_CELLS + cell], i, cell % OPERATORS, cell / OPERATORS);
    const struct mapgen_panels layout = {
        .suffix = "operators",
        .title = "Crossover operators without and with mutation, same games",
        .panels = panels,
        .count = PANELS,
        .columns = 2,
        .places = places,
        .place_count = OPERATORS,
        .series = {"[without_mutation|without mutation]", "[with_mutation|with mutation]"},
    };
    mapgen_plot_panels(out, &layout, points, PANELS * CROSSOVER_CELLS);
}

/* Whether a value is higher in one cell than in another, run by run. */
static struct test is_higher(const struct repro_data *data, int value, int more, int less) {
    const struct rows_term terms[] = {{more, value, 1}, {less, value, -1}};
    return rows_is_above(rows_contrast(data, terms, 2), 0);
}

/* Without mutation: block and region against uniform. */
#define OTHERS_HIGHER(value)                                                                                 \
    TESTS(is_higher(data, (value), BLOCK, UNIFORM), is_higher(data, (value), REGION, UNIFORM))

/* Each operator with mutation against the same without. */
#define MUTATION_HIGHER(value)                                                                               \
    TESTS(is_higher(data, (value), OPERATORS + UNIFORM, UNIFORM),                                            \
          is_higher(data, (value), OPERATORS + BLOCK, BLOCK),                                                \
          is_higher(data, (value), OPERATORS + REGION, REGION))

/* The paper expects of a better operator that optimisation becomes steadier; which measure shows that is our
 * reading. */
static void crossover_finish(const struct repro_data *data, struct repro_result *out) {
    double means[CROSSOVER_COLUMNS][CROSSOVER_CELLS];
    bool equal = true;
    for (int i = 0; i < CROSSOVER_COLUMNS; i++) {
        struct rows_column column = crossover_columns[i];
        column.means = means[i];
        rows_add_columns(data, out, (struct rows_span){0, CROSSOVER_CELLS}, &column, 1);
    }
    const double *c = means[C_CORRELATION], *f = means[C_FRESH], *m = means[C_MEAN], *d = means[C_DIVERSITY];
    for (int i = 1; i < data->count; i++)
        equal = equal && !(fabs(data->results[i].values[C_GAMES] - data->results[0].values[C_GAMES]) > 0.5);
    rows_add_finding(out, TESTS(test_claim(equal)), "finding.crossover_equal_games",
                     "all runs have the same number of games (%.0f)", data->results[0].values[C_GAMES]);
    rows_add_finding(out, OTHERS_HIGHER(C_CORRELATION), "finding.crossover_inherits",
                     "block and region hand on more of the parents' fitness than uniform crossover "
                     "(%.2f and %.2f, uniform %.2f)",
                     c[BLOCK], c[REGION], c[UNIFORM]);
    rows_add_finding(out, OTHERS_HIGHER(C_FRESH), "finding.crossover_best",
                     "their best maps are better in fresh games (%.0f and %.0f, uniform %.0f)", f[BLOCK],
                     f[REGION], f[UNIFORM]);
    rows_add_finding(out, OTHERS_HIGHER(C_MEAN), "finding.crossover_mean",
                     "their populations have a higher mean (%.0f and %.0f, uniform %.0f)", m[BLOCK],
                     m[REGION], m[UNIFORM]);
    rows_add_finding(out, MUTATION_HIGHER(C_DIVERSITY), "finding.mutation_diversity",
                     "with mutation the last maps differ more, with each operator (uniform %.2f, without "
                     "%.2f)",
                     d[OPERATORS + UNIFORM], d[UNIFORM]);
    rows_add_finding(out, MUTATION_HIGHER(C_FRESH), "finding.mutation_best",
                     "with mutation the best map is better in fresh games, with each operator (uniform "
                     "%.0f, without %.0f)",
                     f[OPERATORS + UNIFORM], f[UNIFORM]);
    plot_crossover(out);
}

const struct repro_experiment repro_mapgen_crossover = {
    REPRO_EXPERIMENT("mapgen", "crossover", crossover_cells),
    .title = "crossover operators of the genetic algorithm, with and without mutation, same games",
    .source = MAPGEN_SOURCE ", sections 4.2.2, 5.2.1 and 7 (in words)",
    .published =
        "uniform crossover hardly hands on what is good about a map; better crossover is future work",
    .duration = "about ten minutes on two cores (120 runs of 240 maps)",
    .version = 1,
    .repetitions = 20,
    .repetitions_quick = 2,
    .value_names = (const char *const[]){"fresh", "selected", "mean", "diversity", "different", "correlation",
                                         "maps", "games", NULL},
    .run = mapgen_run,
    .details = crossover_runs,
    .finish = crossover_finish,
};

/* ---- readings of the published algorithm ----
 *
 * In two of the three published runs neither the best nor the mean fitness rises, in the third both do
 * (section 5.2). The text fixes the fitness, uniform crossover, no mutation, the best's survival, the numbers
 * of maps, and that parents and children compete. It leaves open whether a map can be drawn twice, whether
 * each survivor is in exactly one pair, whether a survivor keeps its fitness, and whether the plotted mean of
 * "all solutions" is taken before or after selection. Each reading has runs of the published size, all with
 * the same maps at birth. The last cells contradict the text: children replace their parents, or fitness
 * selects the best map alone. */

enum {
    AS_BUILT,
    COPIES,
    ONCE,
    REJUDGE,
    ONCE_REJUDGE,
    ALLOWED,
    CHILDREN = ALLOWED,
    CHILDREN_ONCE,
    EVEN,
    READINGS_CELLS
};
enum {
    R_GENERATIONS = 10,
    R_BEST_FIRST = 0,
    R_BEST_LAST,
    R_MEAN,
    R_CANDIDATES_FIRST = R_MEAN + R_GENERATIONS + 1,
    R_CANDIDATES_LAST,
    R_CHILDREN_FIRST,
    R_CHILDREN_LAST,
    R_GAMES
};

/* Which maps the plotted mean is of: where it begins, and where it ends after ten generations. The mean of
 * the children alone is none of "all solutions". */
enum { OF_SURVIVORS, OF_ALL, ALLOWED_MEANS, OF_CHILDREN = ALLOWED_MEANS, MEANS };

static const struct {
    const char *label;
    int first, last;
} means_of[MEANS] = {
    {"[of_survivors|survivors]", R_MEAN, R_MEAN + R_GENERATIONS},
    {"[of_all|before selection]", R_CANDIDATES_FIRST, R_CANDIDATES_LAST},
    {"[of_children|children]", R_CANDIDATES_FIRST, R_CHILDREN_LAST},
};

/* The published statement was read off a plot whose axis ends at 216: a rise by less than a twentieth of it
 * counts as none. */
#define VISIBLE (216 / 20.0)

enum { PUBLISHED_RUNS = 3, PUBLISHED_FLAT = 2 };

static const struct repro_cell readings_cells[READINGS_CELLS] = {
    [AS_BUILT] = {"[reading_built|as built]", 0, {NULL}},
    [COPIES] = {"[reading_copies|several copies]", 0, {NULL}},
    [ONCE] = {"[reading_once|parents once]", 0, {NULL}},
    [REJUDGE] = {"[reading_rejudge|judged again]", 0, {NULL}},
    [ONCE_REJUDGE] = {"[reading_once|parents once], [reading_rejudge|judged again]", 0, {NULL}},
    [CHILDREN] = {"[reading_children|children replace]", 0, {NULL}},
    [CHILDREN_ONCE] = {"[reading_children|children replace], [reading_once|parents once]", 0, {NULL}},
    [EVEN] = {"[reading_even|all but the best by chance]", 0, {NULL}},
};

static void describe_reading(const struct evolution *run, struct repro_repetition *out) {
    assert(run->generation_count == R_GENERATIONS + 1);
    const struct generation *last = &run->generations[R_GENERATIONS];
    out->values[R_BEST_FIRST] = run->generations[0].best;
    out->values[R_BEST_LAST] = last->best;
    for (int g = 0; g <= R_GENERATIONS; g++)
        out->values[R_MEAN + g] = run->generations[g].mean;
    out->values[R_CANDIDATES_FIRST] = run->generations[0].candidates;
    out->values[R_CANDIDATES_LAST] = last->candidates;
    out->values[R_CHILDREN_FIRST] = born_mean(run, 1);
    out->values[R_CHILDREN_LAST] = born_mean(run, R_GENERATIONS);
    out->values[R_GAMES] = last->games;
    snprintf(out->note, sizeof out->note, "best %g to %g, mean %.1f to %.1f", run->generations[0].best,
             last->best, run->generations[0].mean, last->mean);
}

static const struct mapgen_run readings_runs[READINGS_CELLS] = {
    [AS_BUILT] = {"paper", "verify=0", describe_reading, true},
    [COPIES] = {"paper", "verify=0 copies=yes", describe_reading, true},
    [ONCE] = {"paper", "verify=0 parents=once", describe_reading, true},
    [REJUDGE] = {"paper", "verify=0 rejudge=yes", describe_reading, true},
    [ONCE_REJUDGE] = {"paper", "verify=0 parents=once rejudge=yes", describe_reading, true},
    [CHILDREN] = {"paper", "verify=0 replacement=children", describe_reading, true},
    [CHILDREN_ONCE] = {"paper", "verify=0 replacement=children parents=once", describe_reading, true},
    [EVEN] = {"paper", "verify=0 selection=even", describe_reading, true},
};

/* Of the runs of a reading: how many show each half of the published pattern. */
struct pattern {
    int n, unchanged, risen; /* the best stays; the mean rises visibly */
    int both, neither;       /* best and mean rise; neither does */
};

static struct pattern count_pattern(const struct repro_data *data, int cell, int mean) {
    struct pattern p = {0};
    for (int i = 0; i < data->count; i++) {
        if (data->units[i].cell != cell)
            continue;
        const double *v = data->results[i].values;
        const bool rises = v[R_BEST_LAST] > v[R_BEST_FIRST];
        const bool mean_rises = v[means_of[mean].last] - v[means_of[mean].first] > VISIBLE;
        p.n++;
        p.unchanged += !rises;
        p.risen += mean_rises;
        p.both += rises && mean_rises;
        p.neither += !rises && !mean_rises;
    }
    return p;
}

/* One of three runs with both, and two with neither. */
static double pattern_chance(double both, double neither) {
    return 3 * both * neither * neither;
}

/* Both shares have intervals that hold at once with 95 % (each with 97.5 %). Within them the chance is least
 * where both are, and greatest on the line where they sum to 1, or at their upper ends. */
static struct interval pattern_interval(const struct pattern *p) {
    const double z = stats_normal_quantile(0.9875);
    const struct interval both = stats_wilson((double)p->both / p->n, p->n, z),
                          neither = stats_wilson((double)p->neither / p->n, p->n, z);
    const double most = fmax(fmin(neither.high, fmax(1 - both.high, 2 / 3.0)), neither.low);
    return (struct interval){pattern_chance(both.low, neither.low),
                             pattern_chance(fmin(both.high, 1 - most), most)};
}

static struct cell_sum rise_of(const struct repro_data *data, int cell, int mean) {
    const struct rows_term terms[] = {{cell, means_of[mean].last, 1}, {cell, means_of[mean].first, -1}};
    return rows_contrast(data, terms, 2);
}

/* The published flat runs as a second sample: their mean rise is VISIBLE at most. Both samples have our
 * spread between runs. */
static struct test is_above_published(struct cell_sum rise) {
    return test_greater(rise.mean - VISIBLE, rise.error * sqrt(1 + (double)rise.n / PUBLISHED_FLAT), rise.n);
}

static void add_reading(const struct repro_data *data, struct repro_result *out, int cell) {
    const char *label = readings_cells[cell].label;
    const struct pattern first = count_pattern(data, cell, OF_SURVIVORS);
    rows_add_share(out, rows_label("%s: [best_stays|best unchanged]", label).text,
                   (struct rows_published){100.0 * PUBLISHED_FLAT / PUBLISHED_RUNS, PUBLISHED_RUNS},
                   first.unchanged, first.n);
    for (int i = 0; i < MEANS; i++) {
        rows_add_mean(out, rows_label("%s: [rise_by|rise], %s", label, means_of[i].label).text, "", 1,
                      rise_of(data, cell, i), (struct rows_range){-215, 215});
        if (i >= ALLOWED_MEANS)
            continue;
        const struct pattern p = count_pattern(data, cell, i);
        const struct interval chance = pattern_interval(&p);
        rows_add_share(out, rows_label("%s: [mean_rises|mean rises], %s", label, means_of[i].label).text,
                       (struct rows_published){100.0 * (PUBLISHED_RUNS - PUBLISHED_FLAT) / PUBLISHED_RUNS,
                                               PUBLISHED_RUNS},
                       p.risen, p.n);
        struct repro_row *row = rows_add(
            out, rows_label("%s: [pattern|pattern], %s", label, means_of[i].label).text, "%", REPRO_NONE);
        row->ours = 100 * pattern_chance((double)p.both / p.n, (double)p.neither / p.n);
        row->low = 100 * chance.low;
        row->high = 100 * chance.high;
        row->repetitions = p.n;
    }
}

/* Mean fitness by generation: all runs of a reading are thin lines in its colour, under their mean. */
static void plot_readings(const struct repro_data *data, struct repro_result *out) {
    static const char *const colours[READINGS_CELLS] = {"#1f5fa8", "#c05a00", "#2a8a3c", "#8a7a20",
                                                        "#8a2a8a", "#b03030", "#20a0a0", "#555555"};
    struct repro_plot *plot = plot_add(out, "mean", "Mean fitness of the survivors by generation");
    text_add_string(&plot->data, "generation");
    for (int cell = 0; cell < READINGS_CELLS; cell++)
        text_add(&plot->data, ",%s", rows_plain(readings_cells[cell].label).text);
    for (int i = 0; i < data->count; i++)
        text_add(&plot->data, ",run %d", i + 1);
    for (int g = 0; g <= R_GENERATIONS; g++) {
        text_add(&plot->data, "\n%d", g);
        for (int cell = 0; cell < READINGS_CELLS; cell++)
            plot_number(rows_sum(data, cell, R_MEAN + g).mean, &plot->data);
        for (int i = 0; i < data->count; i++)
            plot_number(data->results[i].values[R_MEAN + g], &plot->data);
    }
    text_add_string(&plot->data, "\n");
    text_add_string(&plot->commands, "set yrange [0:220]\nset xrange [0:10]\n");
    plot_key(plot, READINGS_CELLS);
    plot_axes(plot, "[generation|generation]", "[fitness|fitness]");
    text_add_string(&plot->drawing, "plot ");
    for (int i = 0; i < data->count; i++)
        text_add(&plot->drawing, "data skip 1 using 1:%d with lines lc rgb \"#99%s\" lw 1 notitle, \\\n     ",
                 2 + READINGS_CELLS + i, colours[data->units[i].cell] + 1);
    for (int cell = 0; cell < READINGS_CELLS; cell++)
        text_add(&plot->drawing,
                 "data skip 1 using 1:%d with linespoints lc rgb \"%s\" pt 7 lw 3 title \"%s\"%s", 2 + cell,
                 colours[cell], plot_text(plot, readings_cells[cell].label).text,
                 cell + 1 < READINGS_CELLS ? ", \\\n     " : "\n");
    plot_script(plot);
}

/* Whether the survivors' mean ends higher as built than in another cell, run by run. */
static struct test is_above_cell(const struct repro_data *data, int cell) {
    const struct rows_term terms[] = {{AS_BUILT, R_MEAN + R_GENERATIONS, 1},
                                      {cell, R_MEAN + R_GENERATIONS, -1}};
    return rows_is_above(rows_contrast(data, terms, 2), 0);
}

/* Rounded, without a sign for zero. */
static double whole(double value) {
    return round(value) + 0.0;
}

static void readings_finish(const struct repro_data *data, struct repro_result *out) {
    struct test tests[ALLOWED * ALLOWED_MEANS];
    double least = (double)INFINITY;
    for (int cell = 0; cell < READINGS_CELLS; cell++)
        add_reading(data, out, cell);
    for (int i = 0; i < ALLOWED * ALLOWED_MEANS; i++) {
        const struct cell_sum rise = rise_of(data, i / ALLOWED_MEANS, i % ALLOWED_MEANS);
        tests[i] = is_above_published(rise);
        least = fmin(least, rise.mean);
    }
    rows_add_finding(
        out, tests, ALLOWED * ALLOWED_MEANS, "finding.readings_all_rise",
        "under no reading that the text allows do two runs of three stay flat: the mean rises by "
        "%.0f or more on average, and runs vary too little for that (ours, not the paper's)",
        least);
    rows_add_finding(
        out, TESTS(is_above_cell(data, CHILDREN_ONCE), is_above_cell(data, EVEN)),
        "finding.readings_pressure",
        "it stays flat where fitness hardly selects, against the text: it rises by %.0f as built, "
        "by %.0f where children replace and each map is a parent once, by %.0f where fitness "
        "selects the best alone",
        whole(rise_of(data, AS_BUILT, OF_SURVIVORS).mean),
        whole(rise_of(data, CHILDREN_ONCE, OF_SURVIVORS).mean),
        whole(rise_of(data, EVEN, OF_SURVIVORS).mean));
    plot_readings(data, out);
}

const struct repro_experiment repro_mapgen_readings = {
    REPRO_EXPERIMENT("mapgen", "readings", readings_cells),
    .title = "readings of the published genetic algorithm: how often the mean fitness rises",
    .source = MAPGEN_SOURCE ", sections 5.1.3, 5.1.4 and 5.2, figures 3 to 5",
    .published = "3 runs: best and mean fitness rise in one, neither in two",
    .duration = "about eight minutes on two cores (48 runs of 480 maps)",
    .version = 1,
    .repetitions = 6,
    .repetitions_quick = 1,
    .value_names =
        (const char *const[]){"best_0", "best_10", "mean_0", "mean_1", "mean_2", "mean_3", "mean_4", "mean_5",
                              "mean_6", "mean_7", "mean_8", "mean_9", "mean_10", "candidates_0",
                              "candidates_10", "children_1", "children_10", "games", NULL},
    .run = mapgen_run,
    .details = readings_runs,
    .finish = readings_finish,
};
