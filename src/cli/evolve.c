/* SPDX-License-Identifier: MIT
 *
 * `senjutsu evolve`: makes maps by a recipe, on threads or on the ranks of a cluster. Three parts: options,
 * made from the recipe's parameter table; progress and results (a status line on a terminal, otherwise a line
 * per generation; the folder's page; the table at the end); and the run itself.
 */
#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "cli/map.h"
#include "evolve/evolution.h"
#include "evolve/gallery.h"
#include "evolve/task.h"
#include "game/tbs/show.h"
#include "pool/pool.h"
#include "store/store.h"

#include <assert.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct store;

enum { EVOLVE_PARAMS_MAX = EVOLVE_CHOICES_MAX, EVOLVE_NAME_MAX = 40, EVOLVE_HELP_MAX = 200 };

/* The recipe's parameters as options: names, help and the preset's values, made from its table. */
struct evolve_params {
    int count;
    char names[EVOLVE_PARAMS_MAX][EVOLVE_NAME_MAX];
    char help[EVOLVE_PARAMS_MAX][EVOLVE_HELP_MAX];
    char defaults[EVOLVE_PARAMS_MAX][PARAM_TEXT_MAX];
    const char *values[EVOLVE_PARAMS_MAX]; /* the given value; otherwise points to the preset's */
};

struct evolve_options {
    struct evolve_params params;
    const char *preset, *seed, *from, *out;
    int jobs;
    double time; /* seconds; 0: no limit */
    bool quiet, json, show_recipe, go_on, programs;
};

/* ---- state of the view ---- */

struct evolve_view {
    const struct cli_command *command;
    const struct evolve_options *options;
    const struct evolve_task *task;
    bool shows;                   /* shows the folder's content; nothing is played or written */
    bool through_mpirun;          /* mpirun gives its ranks a terminal even when its own output is a file */
    int64_t start_ns, written_ns; /* written_ns is 0 before the first time */
    struct cli_status status;
    struct evolution_progress progress;
    struct text command_line, title;
    struct err failed; /* set when the folder cannot be written; ends the run */
};

/* ---- options ---- */

enum { OWN_OPTIONS = 12 };

/* ---- options: the command line ---- */

/* The preset determines the defaults that --help prints, so it is read before parsing. */
static const char *given_preset(int argc, char **argv) {
    const char *found = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--preset=", 9) == 0)
            found = argv[i] + 9;
        else if (strcmp(argv[i], "--preset") == 0 && i + 1 < argc)
            found = argv[i + 1];
    }
    return found;
}

static const char *value_name(const struct param *p) {
    switch (p->kind) {
    case PARAM_INT: return "N";
    case PARAM_REAL: return "X";
    case PARAM_SWITCH: return "yes|no";
    case PARAM_CHOICE: return "NAME";
    case PARAM_TEXT: break;
    }
    return "TEXT";
}

static void describe_param(const struct param *p, const struct recipe *usual, struct evolve_params *out) {
    const int i = out->count++;
    struct text value = {0};
    assert(i < EVOLVE_PARAMS_MAX);
    snprintf(out->names[i], EVOLVE_NAME_MAX, "%s", p->name);
    for (char *c = out->names[i]; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
    if (p->kind == PARAM_CHOICE)
        snprintf(out->help[i], EVOLVE_HELP_MAX, "%s: %s", p->choices, p->help);
    else
        snprintf(out->help[i], EVOLVE_HELP_MAX, "%s", p->help);
    params_write_value(p, usual, &value);
    snprintf(out->defaults[i], PARAM_TEXT_MAX, "%s", text_string(&value));
    out->values[i] = out->defaults[i];
    text_done(&value);
}

/* Reads the command line; returns as cli_parse. */
static bool parse_options(const struct cli_command *self, int argc, char **argv, struct evolve_options *out,
                          int *status) {
    struct recipe usual;
    struct err e;
    const char *preset = given_preset(argc, argv);
    if (!recipe_preset(&usual, preset, &e)) {
        *status = cli_fail(self, CLI_USAGE, "--preset: %s", e.text);
        return false;
    }
    struct evolve_options *o = out;
    struct cli_option options[EVOLVE_PARAMS_MAX + OWN_OPTIONS] = {
        {"preset", CLI_TEXT, &o->preset, "NAME",
         "paper (as published, the default), designer (what we recommend) or random"},
        {"seed", CLI_TEXT, &o->seed, "N", "everything random follows from it (default: 1)"},
        {"out", CLI_TEXT, &o->out, "DIR",
         "keep maps, pictures, games and a page there; the same command again goes on"},
        {"continue", CLI_FLAG, &o->go_on, NULL, "go on with the run in --out DIR that other arguments began"},
        {"programs", CLI_FLAG, &o->programs, NULL,
         "allow what the players in DIR start, connect to and read; it is shown"},
        {"from", CLI_TEXT, &o->from, "MAPS", "begin with these: files or names of our maps, with commas"},
        {"time", CLI_REAL, &o->time, "SECONDS", "no more generations after that; 0: no limit", 0, 1e9},
        {"jobs", CLI_INT, &o->jobs, "N", "games at a time (default: one a core); the result is the same", 1,
         256},
        {"quiet", CLI_FLAG, &o->quiet, NULL, "say nothing while it runs"},
        {"json", CLI_FLAG, &o->json, NULL, "the result as JSON"},
        {"show-recipe", CLI_FLAG, &o->show_recipe, NULL, "print all parameters, play nothing"},
    };
    struct cli_option *next = &options[OWN_OPTIONS - 1];
    for (const struct param *p = evolve_params_first(); p->name != NULL; p++, next++) {
        const int i = o->params.count;
        describe_param(p, &usual, &o->params);
        *next = (struct cli_option){o->params.names[i],
                                    p->power == PARAM_SPEC ? CLI_PLAYER : CLI_TEXT,
                                    &o->params.values[i],
                                    value_name(p),
                                    o->params.help[i],
                                    0,
                                    0};
    }
    if (!cli_parse_options(self, options, argc, argv, status))
        return false;
    if (o->out != NULL || (!o->go_on && !o->programs))
        return true;
    *status = cli_fail(self, CLI_USAGE, "--%s belongs to --out DIR", o->go_on ? "continue" : "programs");
    return false;
}

/* Rewrites a message about a parameter ("red_max=99: …") to name the option ("--red-max=99: …"). */
static void name_option(struct err *e) {
    const size_t size = strcspn(e->text, "=:");
    for (const struct param *p = evolve_params_first(); e->text[size] != '\0' && p->name != NULL; p++) {
        if (strlen(p->name) != size || strncmp(p->name, e->text, size) != 0)
            continue;
        err_prefix(e, "--");
        for (size_t i = 2; i < size + 2; i++)
            e->text[i] = e->text[i] == '_' ? '-' : e->text[i];
        return;
    }
}

/* ---- options: initial maps ---- */

static bool add_map(json_t *from, const char *name, struct err *e) {
    if (name[0] == '\0')
        return err_set(e, "--from has an empty name in it");
    struct map_file *file = mem_alloc(sizeof *file);
    const bool ok = file != NULL ? map_file_load(name, file, e) && evolve_add_map(from, name, &file->map, e)
                                 : err_set(e, "not enough memory");
    mem_free(file);
    return ok;
}

static bool gather_maps(const char *list, struct text *out, struct err *e) {
    struct text copy = {0};
    char *names[EVOLVE_FROM_MAX];
    text_add_string(&copy, list);
    const int count = text_split(copy.data, ',', names, EVOLVE_FROM_MAX);
    json_t *array = json_array();
    bool ok = count >= 0 || err_set(e, "--from: more than %d maps", EVOLVE_FROM_MAX);
    for (int i = 0; ok && i < count; i++)
        ok = add_map(array, names[i], e);
    char *dumped = ok ? json_dumps(array, JSON_COMPACT) : NULL;
    ok = ok && (dumped != NULL || err_set(e, "not enough memory"));
    if (ok)
        text_add_string(out, dumped);
    free(dumped);
    json_decref(array);
    text_done(&copy);
    return ok;
}

/* ---- options: the task ---- */

static bool read_seed(const struct evolve_options *o, struct evolve_overrides *overrides, struct err *e) {
    unsigned long long seed = 0;
    if (o->seed != NULL && !text_to_u64(o->seed, &seed))
        return err_set(e, "--seed %s: expected a whole number, 0 or more", o->seed);
    overrides->has_seed = o->seed != NULL;
    overrides->seed = seed;
    return true;
}

/* Omitted parameters keep their stored value. */
static void add_choices(const struct evolve_options *o, struct evolve_overrides *overrides) {
    const struct param *p = evolve_params_first();
    for (int i = 0; i < o->params.count; i++)
        if (o->params.values[i] != o->params.defaults[i])
            overrides->choices[overrides->choice_count++] =
                (struct evolve_choice){p[i].name, o->params.values[i]};
}

/* Resolves the task from the options and, when `store` is not NULL, from the stored task: see
 * evolve/task.h. Returns CLI_OK, or CLI_USAGE or CLI_FAILED with a reason. */
static int resolve_options(const struct evolve_options *o, struct store *store, bool writable,
                           struct evolve_task *out, struct err *e) {
    static const int statuses[] = {
        [EVOLVE_RESOLVED] = CLI_OK, [EVOLVE_WRONG] = CLI_USAGE, [EVOLVE_FAILED] = CLI_FAILED};
    struct evolve_overrides overrides = {
        .preset = o->preset, .folder = o->out, .from_label = o->from, .mark = "--"};
    struct text from = {0};
    if (!read_seed(o, &overrides, e))
        return CLI_USAGE;
    add_choices(o, &overrides);
    enum evolve_resolution resolved = EVOLVE_FAILED;
    if (o->from == NULL || gather_maps(o->from, &from, e)) {
        overrides.from = o->from != NULL ? text_string(&from) : NULL;
        resolved = evolve_resolve(&overrides, store, writable, out, e);
    }
    if (resolved == EVOLVE_WRONG)
        name_option(e);
    text_done(&from);
    return statuses[resolved];
}

/* ---- view ---- */

#define REDRAW_MS 250
#define WRITE_NS  INT64_C(2000000000) /* least time between two writes of the page */

static bool view_init(struct evolve_view *v, struct err *e) {
    v->start_ns = clock_now_ns(cli_clock());
    evolution_progress_init(&v->progress, &v->task->plan);
    evolve_command_line(v->task, &v->command_line);
    evolve_title(v->task, &v->title);
    return (!v->command_line.failed && !v->title.failed) || err_set(e, "not enough memory");
}

static void view_done(struct evolve_view *v) {
    text_done(&v->command_line);
    text_done(&v->title);
}

/* ---- view: during the run ---- */

static bool is_archive(const struct evolve_view *v) {
    return v->task->recipe.method == METHOD_ARCHIVE;
}

/* Remaining seconds; negative: unknown. Games found in the store do not count, because they took no time. */
static double time_left(const struct evolve_view *v, double seconds) {
    const struct evolution_progress *p = &v->progress;
    const int played = p->games - p->stored;
    const double planned = evolution_progress_planned(p);
    const double each = played > 0 ? seconds / played : 0;
    double left = planned > p->games && played > 0 ? (planned - p->games) * each : -1;
    const double limited = v->options->time - seconds + evolution_progress_fresh(p) * each;
    if (v->options->time > seconds && !p->ending && (left < 0 || left > limited))
        left = limited;
    return left;
}

static void add_duration(double seconds, struct text *out) {
    const long whole = lround(seconds < 0 ? 0 : seconds);
    if (whole < 60)
        text_add(out, "%ld s", whole);
    else if (whole < 3600)
        text_add(out, "%ld min %02ld s", whole / 60, whole % 60);
    else
        text_add(out, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
}

static void add_fitness(const struct evolve_view *v, struct text *out) {
    if (v->progress.last.number >= 0)
        text_add(out, is_archive(v) ? ", best %.3f, mean %.3f" : ", best %.4g, mean %.4g",
                 v->progress.last.best, v->progress.last.mean);
}

/* Approximate number of judged maps: in the current generation only games are counted. */
static int maps_judged(const struct evolve_view *v) {
    const int before = v->progress.last.number < 0 ? 0 : v->progress.last.evaluations;
    const int games = v->progress.games - (v->progress.last.number < 0 ? 0 : v->progress.last.games);
    return v->progress.ending ? before : before + games / (v->task->recipe.games + v->task->recipe.peers);
}

/* The most important parts come first: a narrow terminal shows only those. */
static void compose(const struct evolve_view *v, struct text *out) {
    const double seconds = clock_seconds_since(cli_clock(), v->start_ns);
    const int maps = maps_judged(v);
    /* The share that was played in this run, not found in the folder. */
    const double here =
        maps > 0 ? (double)(v->progress.games - v->progress.stored) / v->progress.games * maps : 0;
    const double left = time_left(v, seconds);
    char count[GALLERY_NUMBER_MAX];
    evolution_progress_stage(&v->progress, out);
    if (left >= 0) {
        text_add_string(out, ", ");
        add_duration(left, out);
        text_add_string(out, " left");
    }
    add_fitness(v, out);
    text_add(out, ", %s maps, %.1f a second", gallery_count(maps, count), seconds > 0 ? here / seconds : 0);
    text_add(out, ", %s games", gallery_count(v->progress.games, count));
}

static void draw(struct evolve_view *v) {
    struct text line = {0};
    compose(v, &line);
    v->status.is_dim = true;
    cli_status_draw(&v->status, "%s", text_string(&line));
    text_done(&line);
}

/* Prints one line per generation, for a log. */
static void print_generation(const struct evolve_view *v, const struct generation *g) {
    char maps[GALLERY_NUMBER_MAX], games[GALLERY_NUMBER_MAX];
    struct text line = {0};
    if (!v->progress.finals)
        text_add(&line, "generation %d of %d: ", g->number, v->task->recipe.generations);
    else
        text_add_string(&line, "the best judged again: ");
    text_add(&line, "%s maps judged, %s games", gallery_count(g->evaluations, maps),
             gallery_count(g->games, games));
    add_fitness(v, &line);
    text_add(&line, is_archive(v) ? ", %d kinds of maps\n" : ", %d different\n", g->filled);
    fputs(text_string(&line), stderr);
    text_done(&line);
}

/* The evaluator's callback after each game. */
static void evolve_view_game(void *context, bool stored) {
    struct evolve_view *v = context;
    evolution_progress_game(&v->progress, stored);
    if (v->options->quiet || !cli_status_is_due(&v->status, REDRAW_MS))
        return;
    draw(v);
}

static bool view_is_enough(void *context) {
    struct evolve_view *v = context;
    const double limit = v->options->time;
    v->progress.ending =
        v->progress.ending || (limit > 0 && clock_seconds_since(cli_clock(), v->start_ns) >= limit);
    return v->progress.ending;
}

/* ---- view: the folder ---- */

static bool write_folder(struct evolve_view *v, const struct evolution *ev, bool finished, struct err *e) {
    const struct gallery gallery = {
        .folder = v->options->out,
        .title = text_string(&v->title),
        .command = text_string(&v->command_line),
        .draw = gallery_draw,
        .finished = finished,
    };
    if (v->options->out == NULL || v->shows)
        return true;
    const bool ok = gallery_write(&gallery, ev, e);
    v->written_ns = clock_now_ns(cli_clock());
    return ok;
}

static void view_generation(void *context, const struct evolution *ev) {
    struct evolve_view *v = context;
    int columns, rows;
    if (!evolution_progress_generation(&v->progress, ev))
        return;
    if (!v->options->quiet && cli_terminal_error_size(&columns, &rows))
        draw(v);
    else if (!v->options->quiet)
        print_generation(v, &v->progress.last);
    if (clock_now_ns(cli_clock()) - v->written_ns >= WRITE_NS && v->failed.text[0] == '\0' &&
        !write_folder(v, ev, false, &v->failed))
        atomic_store(&cli_stop, true);
}

/* ---- view: the table ---- */

enum { CELL_MAX = 64 };

enum column {
    COLUMN_MAP,
    COLUMN_FITNESS,
    COLUMN_FRESH,
    COLUMN_WITH_RED,
    COLUMN_WITH_BLUE,
    COLUMN_RED,
    COLUMN_TURNS,
    COLUMN_DECISIVE,
    COLUMN_NATURAL,
    COLUMN_FILE,
    COLUMNS
};

static const char *const heads[COLUMNS] = {
    "map",           "fitness", "fresh",      "strong as red %", "as blue %",
    "equals: red %", "turns",   "decisive %", "natural",         "file",
};

struct row {
    char cells[COLUMNS][CELL_MAX];
};

static void share_cell(struct share share, char *out) {
    if (share.games > 0)
        snprintf(out, CELL_MAX, "%.1f [%.0f-%.0f]", 100 * share.value, 100 * share.interval.low,
                 100 * share.interval.high);
    else
        snprintf(out, CELL_MAX, "-");
}

static void fill_row(const struct evolve_view *v, const struct evolution *ev, int rank, struct row *out) {
    const struct individual *one = &ev->individuals[ev->shown[rank]];
    const struct judgement *j = ev->verified ? &one->fresh : &one->judgement;
    const double fresh = evolution_fitness_by(ev->plan, one, &one->fresh);
    char number[GALLERY_NUMBER_MAX];
    snprintf(out->cells[COLUMN_MAP], CELL_MAX, "%s", gallery_name(one->id, number));
    snprintf(out->cells[COLUMN_FITNESS], CELL_MAX, "%s", gallery_fitness(ev, one->fitness, number));
    snprintf(out->cells[COLUMN_FRESH], CELL_MAX, "%s",
             isnan(fresh) ? "-" : gallery_fitness(ev, fresh, number));
    share_cell(judgement_strong_with(j, 0), out->cells[COLUMN_WITH_RED]);
    share_cell(judgement_strong_with(j, 1), out->cells[COLUMN_WITH_BLUE]);
    share_cell(judgement_red(j), out->cells[COLUMN_RED]);
    snprintf(out->cells[COLUMN_TURNS], CELL_MAX, "%.1f", judgement_turns(j));
    snprintf(out->cells[COLUMN_DECISIVE], CELL_MAX, "%.0f", 100 * judgement_decisive(j).value);
    snprintf(out->cells[COLUMN_NATURAL], CELL_MAX, "%.2f", one->static_features.natural);
    snprintf(out->cells[COLUMN_FILE], CELL_MAX, "%s",
             v->options->out != NULL ? gallery_name(one->id, number) : "");
    if (v->options->out != NULL)
        snprintf(out->cells[COLUMN_FILE], CELL_MAX, "maps/%s.tbsmap", number);
}

static void print_row(const struct row *row, const int widths[COLUMNS], int columns) {
    for (int i = 0; i < columns; i++)
        printf("%*s%s", i == COLUMN_FILE ? 0 : widths[i], row->cells[i], i + 1 < columns ? "  " : "\n");
}

static void print_table(const struct evolve_view *v, const struct evolution *ev) {
    int widths[COLUMNS];
    struct row row;
    const int columns = v->options->out != NULL ? COLUMNS : COLUMN_FILE;
    for (int i = 0; i < COLUMNS; i++) {
        widths[i] = (int)strlen(heads[i]);
        snprintf(row.cells[i], CELL_MAX, "%s", heads[i]);
    }
    struct row line;
    for (int rank = 0; rank < ev->shown_count; rank++) {
        fill_row(v, ev, rank, &line);
        for (int i = 0; i < COLUMNS; i++)
            widths[i] = (int)strlen(line.cells[i]) > widths[i] ? (int)strlen(line.cells[i]) : widths[i];
    }
    print_row(&row, widths, columns);
    for (int rank = 0; rank < ev->shown_count; rank++) {
        fill_row(v, ev, rank, &line);
        print_row(&line, widths, columns);
    }
}

/* ---- view: at the end ---- */

/* The archive's quality is a lower bound, further below the mean for fewer games; so the mean score is
 * printed too. */
static void print_archive_bias(const struct individual *best) {
    const double selected = 100 * judgement_strength(&best->judgement).value,
                 fresh = 100 * judgement_strength(&best->fresh).value;
    printf(
        "On the best map strong scored %.1f %% in the %d games that selected it, %.1f %% in %d fresh ones.\n",
        selected, judgement_contests(&best->judgement), fresh, judgement_contests(&best->fresh));
}

/* The selected best is partly lucky: prints by how much. */
static void print_fitness_bias(const struct evolution *ev, const struct individual *best) {
    const double fresh = evolution_fitness_by(ev->plan, best, &best->fresh);
    char selected[GALLERY_NUMBER_MAX], measured[GALLERY_NUMBER_MAX];
    const double bias = fresh > 0 ? 100 * (best->fitness / fresh - 1) : 0;
    printf("The best map was selected with %s; %d fresh games say %s",
           gallery_fitness(ev, best->fitness, selected), judgement_contests(&best->fresh),
           gallery_fitness(ev, fresh, measured));
    if (bias >= 0.5)
        printf(" (selection flatters by %.0f %%).\n", bias);
    else
        printf(" (selection did not flatter it).\n");
}

static void print_bias(const struct evolution *ev) {
    if (!ev->verified || ev->shown_count == 0)
        return;
    const struct individual *best = &ev->individuals[ev->shown[0]];
    printf("\nfitness: what a map was selected by; fresh and all behind it: from %d games that selected "
           "nothing, with 95 %% intervals.\n",
           judgement_games(&best->fresh));
    if (ev->plan->recipe.method == METHOD_ARCHIVE)
        print_archive_bias(best);
    else
        print_fitness_bias(ev, best);
}

static void print_best_map(const struct evolve_view *v, const struct evolution *ev) {
    struct tbs_map map;
    struct text text = {0};
    if (ev->shown_count == 0)
        return;
    genome_to_map(&ev->plan->space, &ev->individuals[ev->shown[0]].genome, &map);
    tbs_show_map(&map, &(struct tbs_show){.colour = !v->through_mpirun && cli_colour_out()}, &text);
    printf("\nThe best map:\n%s", text_string(&text));
    text_done(&text);
}

static void print_summary(const struct evolve_view *v, const struct evolution *ev) {
    const double seconds = clock_seconds_since(cli_clock(), v->start_ns);
    char games[GALLERY_NUMBER_MAX], maps[GALLERY_NUMBER_MAX], stored[GALLERY_NUMBER_MAX];
    struct text line = {0};
    text_add(&line, "%s maps judged, %s games", gallery_count(ev->evaluations, maps),
             gallery_count(v->progress.games, games));
    if (v->progress.stored > 0)
        text_add(&line, " (%s of them found in the folder)", gallery_count(v->progress.stored, stored));
    text_add_string(&line, ", ");
    add_duration(seconds, &line);
    printf("%s\n\n", text_string(&line));
    text_done(&line);
}

/* A player that crashes loses its games, which looks like an effect of strength. */
static void warn_of_faults(const struct evolve_view *v, const struct evolution *ev) {
    int games = 0, forfeits = 0;
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *one = &ev->individuals[ev->shown[i]];
        games += judgement_games(&one->judgement) + judgement_games(&one->fresh);
        forfeits += one->judgement.forfeits + one->fresh.forfeits;
    }
    if (forfeits > 0)
        fprintf(
            stderr,
            "senjutsu %s: warning: a fault of a player (a crash, an illegal action, …) ended %d of the %d "
            "games on the maps shown\n",
            v->command->name, forfeits, games);
}

static bool print_result(struct evolve_view *v, const struct evolution *ev) {
    warn_of_faults(v, ev);
    if (v->options->json)
        return cli_print_json(v->command, gallery_json(ev));
    print_summary(v, ev);
    if (ev->shown_count == 0)
        printf("No map was judged: --budget %d is too small.\n", v->task->recipe.budget);
    else
        print_table(v, ev);
    print_bias(ev);
    if (v->options->out != NULL) {
        printf("\nEverything is in %s/index.html\n", v->options->out);
        if (gallery_draw == NULL)
            printf("There are no pictures of maps: this senjutsu was built without Cairo.\n");
    } else {
        print_best_map(v, ev);
        printf("\nNothing was kept: --out DIR keeps maps, pictures and games.\n");
    }
    return cli_finish_output(v->command);
}

static void print_stopped(const struct evolve_view *v) {
    char games[GALLERY_NUMBER_MAX];
    struct text line = {0};
    text_add(&line, "senjutsu evolve: stopped after %s games; ", gallery_count(v->progress.games, games));
    if (v->options->out != NULL) {
        struct text word = {0};
        evolve_add_word(&word, v->options->out);
        const char mark = strchr(text_string(&word), '\'') != NULL ? '"' : '\'';
        text_add(&line, "%csenjutsu evolve --out %s --continue%c goes on", mark, text_string(&word), mark);
        text_done(&word);
    } else {
        text_add_string(&line, "without --out nothing was kept");
    }
    fprintf(stderr, "%s\n", text_string(&line));
    text_done(&line);
}

/* Finishes: clears the status line, writes files, prints the result. False after a message. */
static bool view_finish(struct evolve_view *v, const struct evolution *ev, bool complete) {
    struct err e = v->failed;
    cli_status_clear(&v->status);
    if (e.text[0] != '\0' || (ev->generation_count > 0 && !write_folder(v, ev, complete, &e))) {
        cli_fail(v->command, CLI_FAILED, "%s", e.text);
        return false;
    }
    if (!complete && v->shows)
        fprintf(stderr,
                "senjutsu evolve: %s holds %d games of a run that is not over; --continue goes on with it\n",
                v->options->out, v->progress.games);
    else if (!complete)
        print_stopped(v);
    return v->shows ? ev->shown_count == 0 || print_result(v, ev) : !complete || print_result(v, ev);
}

/* ---- the command ---- */

struct run {
    const struct cli_command *command;
    struct evolve_options options;
    struct evolve_task task;
    struct store *store;
    struct cluster *cluster;
    bool shows; /* only shows the folder's content */
};

static bool is_coordinator(const struct run *run) {
    return run->cluster == NULL || cluster_rank(run->cluster) == 0;
}

/* ---- the command: the task and its folder ---- */

static bool store_path(const char *folder, char *out, size_t out_size, struct err *e) {
    if (folder[0] == '\0')
        return err_set(e, "--out needs the name of a folder");
    const int n = snprintf(out, out_size, "%s/games.db", folder);
    return (n > 0 && (size_t)n < out_size) || err_set(e, "%s: the name is too long", folder);
}

/* Removes temporary files of a run that was killed while writing; the store's lock ensures that no other
 * run writes there. */
static bool remove_leftovers(const char *folder, struct err *e) {
    static const char *const places[] = {"", "/maps", "/pictures"};
    char path[4096];
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const int n = snprintf(path, sizeof path, "%s%s", folder, places[i]);
        if (n < 0 || (size_t)n >= sizeof path || !file_remove_leftovers(path, e))
            return false;
    }
    return true;
}

static bool open_store(struct run *run, struct err *e) {
    char path[4096];
    const char *folder = run->options.out;
    if (folder == NULL)
        return true;
    if (!file_make_folder(folder, e) || !store_path(folder, path, sizeof path, e))
        return false;
    if (access(folder, W_OK | X_OK) != 0)
        return err_set(e, "%s: cannot be written to: %s", folder, strerror(errno));
    run->store = store_open(path, STORE_WRITE, e);
    return run->store != NULL && remove_leftovers(folder, e);
}

static bool is_same_text(const struct text *a, const struct text *b) {
    return !a->failed && !b->failed && strcmp(text_string(a), text_string(b)) == 0;
}

/* True when the command line alone describes the task. Otherwise the folder's run may be any run. */
static bool is_described(const struct run *run) {
    struct evolve_task alone = {0};
    struct text texts[2] = {{0}, {0}};
    struct err unheard;
    bool same = resolve_options(&run->options, NULL, false, &alone, &unheard) == CLI_OK;
    evolve_task_write(&run->task, &texts[0]);
    evolve_task_write(&alone, &texts[1]);
    same = same && is_same_text(&texts[0], &texts[1]) && is_same_text(&run->task.from_text, &alone.from_text);
    text_done(&texts[0]);
    text_done(&texts[1]);
    evolve_task_done(&alone);
    return same;
}

/* True when the folder has a run that the command line neither describes nor continues. Its task is then
 * resolved from a store opened for reading. */
static bool finds_another_run(struct run *run, const char *path, struct err *e) {
    struct err unheard;
    run->store = run->options.go_on ? NULL : store_open(path, STORE_READ, &unheard);
    if (run->store == NULL)
        return false;
    run->shows = resolve_options(&run->options, run->store, false, &run->task, &unheard) == CLI_OK &&
                 !is_described(run);
    if (run->shows && run->options.programs)
        err_set(e, "--programs is given, but nothing is played without --continue");
    if (run->shows)
        return true;
    evolve_task_done(&run->task);
    store_close(run->store);
    run->store = NULL;
    return false;
}

/* The recipe's players may come from the folder, so they need permission. */
static bool allow_players(const struct run *run) {
    const struct recipe *recipe = &run->task.recipe;
    const char *const specs[] = {recipe->strong, recipe->weak};
    return cli_allow(run->command,
                     &(struct cli_named){.file = run->options.out != NULL ? run->options.out : "",
                                         .count = 2,
                                         .specs = specs,
                                         .programs = run->options.programs});
}

/* Options are checked before the folder is created. After a failure that was already reported `e` is
 * empty. */
static int resolve(struct run *run, struct err *e) {
    const char *folder = run->options.out;
    char path[4096];
    if (folder != NULL && !store_path(folder, path, sizeof path, e))
        return CLI_FAILED;
    if (folder != NULL && access(path, F_OK) != 0) {
        if (run->options.go_on) {
            err_set(e, "--continue: %s has no run to go on with", folder);
            return CLI_FAILED;
        }
        const int status = resolve_options(&run->options, NULL, false, &run->task, e);
        evolve_task_done(&run->task);
        if (status != CLI_OK)
            return status;
    } else if (folder != NULL && finds_another_run(run, path, e)) {
        return e->text[0] == '\0' ? CLI_OK : CLI_USAGE;
    }
    const int status =
        open_store(run, e) ? resolve_options(&run->options, run->store, true, &run->task, e) : CLI_FAILED;
    return status == CLI_OK && !allow_players(run) ? CLI_FAILED : status;
}

/* Sends the task that rank 0 resolved (nothing if it failed) to the other ranks. */
static bool share_task(struct run *run, bool resolved, struct err *e) {
    struct text text = {0};
    struct err unheard;
    if (run->cluster == NULL)
        return resolved;
    bool ok = resolved || !is_coordinator(run);
    if (resolved)
        evolve_task_write(&run->task, &text);
    const bool shared = cluster_share(run->cluster, &text, ok ? e : &unheard);
    ok = ok && shared;
    if (ok && !is_coordinator(run))
        ok = text.size > 0 ? evolve_task_read(text_string(&text), &run->task, e)
                           : err_set(e, "rank 0 has no task");
    if (ok && !is_coordinator(run)) { /* rank 0 has checked them */
        cli_typed_player(run->task.recipe.strong);
        cli_typed_player(run->task.recipe.weak);
    }
    text_done(&text);
    return ok;
}

/* Only rank 0 checks and reports errors; the other ranks may be on machines without the files. */
static int prepare(struct run *run) {
    struct err e = {{0}};
    const int status = is_coordinator(run) ? resolve(run, &e) : CLI_FAILED;
    if (share_task(run, status == CLI_OK, &e))
        return CLI_OK;
    return is_coordinator(run) && e.text[0] != '\0'
               ? cli_fail(run->command, status == CLI_OK ? CLI_FAILED : status, "%s", e.text)
               : CLI_FAILED;
}

/* ---- the command: running ---- */

static int run_coordinator(struct run *run, struct evaluator *evaluator, struct evolve_view *view) {
    const struct evolve_task *task = &run->task;
    struct evolution ev;
    struct err e = {{0}};
    bool complete;
    evolution_init(&ev, &task->plan, task->seed);
    struct evolution_run evolution = evolve_task_run(task, evaluator);
    evolution.is_enough = view_is_enough;
    evolution.on_generation = view_generation;
    evolution.context = view;
    int status = CLI_FAILED;
    if (!evolution_play(&evolution, &ev, &complete, &e)) {
        cli_status_clear(&view->status);
        cli_fail(run->command, CLI_FAILED, "%s", e.text);
    } else if (view_finish(view, &ev, complete)) {
        status = complete || run->shows ? CLI_OK : CLI_FAILED;
    }
    evolution_done(&ev);
    return status;
}

static int play(struct run *run, struct evolve_view *view) {
    struct err e = {{0}};
    const struct recipe *recipe = &run->task.recipe;
    const char *const specs[] = {recipe->strong, recipe->weak};
    const struct cli_programs programs = {specs, 2, EVALUATOR_COPIES_MAX, 0};
    const struct evaluator_setup setup = {
        .rules = run->task.plan.rules,
        .strong = recipe->strong,
        .weak = recipe->weak,
        .seed = run->task.seed,
        .workers = run->cluster != NULL && cluster_size(run->cluster) > 1
                       ? 1 /* each rank plays one game at a time */
                       : cli_limit_jobs(run->command, run->options.jobs, &programs),
        .store = run->store,
        .cluster = run->cluster,
        .clock = cli_clock(),
        .grant = cli_grant(),
        .stored_only = run->shows,
        .stop = &cli_stop,
        .date = cli_date,
        .on_game = is_coordinator(run) ? evolve_view_game : NULL,
        .context = view,
    };
    cli_catch_interrupt();
    struct evaluator *evaluator = evaluator_open(&setup, &e);
    int status = CLI_FAILED;
    if (evaluator == NULL)
        status = is_coordinator(run) ? cli_fail(run->command, CLI_FAILED, "%s", e.text) : CLI_FAILED;
    else if (is_coordinator(run))
        status = run_coordinator(run, evaluator, view);
    else if (evaluator_work(evaluator, &e))
        status = CLI_OK;
    evaluator_close(evaluator);
    return status;
}

static int run_evolution(struct run *run) {
    struct err e;
    struct evolve_view view = {.command = run->command,
                               .options = &run->options,
                               .task = &run->task,
                               .through_mpirun = run->cluster != NULL};
    int status = prepare(run);
    if (status != CLI_OK)
        return status;
    view.shows = run->shows;
    if (is_coordinator(run) && !run->shows) {
        cli_warn_of_player(run->command, "strong", run->task.recipe.strong);
        cli_warn_of_player(run->command, "weak", run->task.recipe.weak);
    }
    status = view_init(&view, &e) ? play(run, &view) : cli_fail(run->command, CLI_FAILED, "%s", e.text);
    view_done(&view);
    return status;
}

static int run_checked(struct run *run) {
    struct err e;
    if (!cli_join_cluster(&run->cluster, &e))
        return cli_fail(run->command, CLI_FAILED, "%s", e.text);
    const int status = run_evolution(run);
    store_close(run->store);
    cli_leave_cluster(run->command, run->cluster);
    return status;
}

/* Prints the recipe of a new run, or of the folder's run. */
static int show_recipe(struct run *run) {
    struct err e;
    struct text text = {0};
    char path[4096];
    int status = CLI_FAILED;
    const char *folder = run->options.out;
    bool ok = folder == NULL || store_path(folder, path, sizeof path, &e);
    if (ok && folder != NULL && access(path, F_OK) == 0)
        ok = (run->store = store_open(path, STORE_READ, &e)) != NULL;
    if (ok)
        status = resolve_options(&run->options, run->store, false, &run->task, &e);
    store_close(run->store);
    if (status != CLI_OK)
        return cli_fail(run->command, status, "%s", e.text);
    recipe_write(&run->task.recipe, &text);
    ok = cli_write(run->command, "-", &text);
    text_done(&text);
    return ok ? CLI_OK : CLI_FAILED;
}

int cli_evolve(const struct cli_command *self, int argc, char **argv) {
    int status = CLI_FAILED;
    struct run *run = mem_alloc(sizeof *run);
    if (run == NULL)
        return cli_fail(self, CLI_FAILED, "not enough memory");
    run->command = self;
    if (parse_options(self, argc, argv, &run->options, &status))
        status = run->options.show_recipe ? show_recipe(run) : run_checked(run);
    evolve_task_done(&run->task);
    mem_free(run);
    return status;
}
