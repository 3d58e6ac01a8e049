/* SPDX-License-Identifier: MIT
 *
 * How a run is shown: a line that is drawn over itself while it goes on (a plain line a generation where
 * there is no terminal), the folder's page, and the table at the end.
 */
#include "cli/evolve.h"

#include "evolve/gallery.h"
#include "game/tbs/show.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define REDRAW_NS INT64_C(250000000)
#define WRITE_NS  INT64_C(2000000000) /* the page is not written more often than that */

bool evolve_view_init(struct evolve_view *v, struct err *e) {
    v->start_ns = clock_now_ns(cli_clock());
    evolution_progress_init(&v->progress, &v->task->plan);
    evolve_command_line(v->task, &v->command_line);
    evolve_title(v->task, &v->title);
    return (!v->command_line.failed && !v->title.failed) || err_set(e, "not enough memory");
}

void evolve_view_done(struct evolve_view *v) {
    text_done(&v->command_line);
    text_done(&v->title);
}

/* ---- while it runs ---- */

void evolve_view_clear(struct evolve_view *v) {
    if (v->drawn)
        fputs("\r\033[K", stderr);
    v->drawn = false;
}

static bool is_archive(const struct evolve_view *v) {
    return v->task->recipe.method == METHOD_ARCHIVE;
}

/* Seconds; negative: nobody knows. What was found in the store says nothing about how long games take. */
static double time_left(const struct evolve_view *v, double seconds) {
    const struct evolution_progress *p = &v->progress;
    const int played = p->trials - p->recalled;
    const double planned = evolution_progress_planned(p);
    const double each = played > 0 ? seconds / played : 0;
    double left = planned > p->trials && played > 0 ? (planned - p->trials) * each : -1;
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

/* About how many: those of the generation under way are known by their games alone. */
static int maps_judged(const struct evolve_view *v) {
    const int before = v->progress.last.number < 0 ? 0 : v->progress.last.evaluations;
    const int games = v->progress.trials - (v->progress.last.number < 0 ? 0 : v->progress.last.games);
    return v->progress.ending ? before : before + games / (v->task->recipe.games + v->task->recipe.peers);
}

/* What matters most comes first: a narrow terminal shows only that. */
static void compose(const struct evolve_view *v, struct text *out) {
    const double seconds = clock_seconds_since(cli_clock(), v->start_ns);
    const int maps = maps_judged(v);
    /* As much of them as was played here, not found in the folder. */
    const double here = v->progress.trials > 0
                            ? (double)(v->progress.trials - v->progress.recalled) / v->progress.trials * maps
                            : 0;
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
    text_add(out, ", %s games", gallery_count(v->progress.trials, count));
}

static void draw(struct evolve_view *v, int columns) {
    struct text line = {0};
    compose(v, &line);
    const bool colour = cli_colour_error();
    fprintf(stderr, "\r\033[K%s%.*s%s", colour ? "\033[2m" : "", columns - 1, text_string(&line),
            colour ? "\033[0m" : "");
    fflush(stderr);
    v->drawn = true;
    text_done(&line);
}

/* One line a generation, for a log. */
static void say_generation(const struct evolve_view *v, const struct generation *g) {
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

void evolve_view_trial(void *context, bool recalled) {
    struct evolve_view *v = context;
    int columns, rows;
    evolution_progress_trial(&v->progress, recalled);
    const int64_t now = clock_now_ns(cli_clock());
    if (v->options->quiet || now - v->shown_ns < REDRAW_NS || !cli_terminal_error_size(&columns, &rows))
        return;
    draw(v, columns);
    v->shown_ns = now;
}

bool evolve_view_is_enough(void *context) {
    struct evolve_view *v = context;
    const double limit = v->options->time;
    v->progress.ending =
        v->progress.ending || (limit > 0 && clock_seconds_since(cli_clock(), v->start_ns) >= limit);
    return v->progress.ending;
}

/* ---- the folder ---- */

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

void evolve_view_generation(void *context, const struct evolution *ev) {
    struct evolve_view *v = context;
    int columns, rows;
    if (!evolution_progress_generation(&v->progress, ev))
        return;
    if (!v->options->quiet && cli_terminal_error_size(&columns, &rows))
        draw(v, columns);
    else if (!v->options->quiet)
        say_generation(v, &v->progress.last);
    if (clock_now_ns(cli_clock()) - v->written_ns >= WRITE_NS && v->failed.text[0] == '\0' &&
        !write_folder(v, ev, false, &v->failed))
        atomic_store(&cli_stop, true);
}

/* ---- the table ---- */

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
    snprintf(out->cells[COLUMN_NATURAL], CELL_MAX, "%.2f", one->looks.natural);
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

/* ---- at the end ---- */

/* The archive's quality is cautious, the more so the fewer the games: there the score itself says more. */
static void print_archive_bias(const struct individual *best) {
    const double selected = 100 * judgement_strength(&best->judgement).value,
                 fresh = 100 * judgement_strength(&best->fresh).value;
    printf(
        "On the best map strong scored %.1f %% in the %d games that selected it, %.1f %% in %d fresh ones.\n",
        selected, judgement_contests(&best->judgement), fresh, judgement_contests(&best->fresh));
}

/* What was selected for being best is partly lucky: how much? */
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
    char games[GALLERY_NUMBER_MAX], maps[GALLERY_NUMBER_MAX], recalled[GALLERY_NUMBER_MAX];
    struct text line = {0};
    text_add(&line, "%s maps judged, %s games", gallery_count(ev->evaluations, maps),
             gallery_count(v->progress.trials, games));
    if (v->progress.recalled > 0)
        text_add(&line, " (%s of them found in the folder)", gallery_count(v->progress.recalled, recalled));
    text_add_string(&line, ", ");
    add_duration(seconds, &line);
    printf("%s\n\n", text_string(&line));
    text_done(&line);
}

/* A player that crashes loses its games: the maps look as if strength told. */
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

static void say_stopped(const struct evolve_view *v) {
    char games[GALLERY_NUMBER_MAX];
    struct text line = {0};
    text_add(&line, "senjutsu evolve: stopped after %s games; ", gallery_count(v->progress.trials, games));
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

bool evolve_view_finish(struct evolve_view *v, const struct evolution *ev, bool complete) {
    struct err e = v->failed;
    evolve_view_clear(v);
    if (e.text[0] != '\0' || (ev->generation_count > 0 && !write_folder(v, ev, complete, &e))) {
        cli_fail(v->command, CLI_FAILED, "%s", e.text);
        return false;
    }
    if (!complete && v->shows)
        fprintf(stderr,
                "senjutsu evolve: %s holds %d games of a run that is not over; --continue goes on with it\n",
                v->options->out, v->progress.trials);
    else if (!complete)
        say_stopped(v);
    return v->shows ? ev->shown_count == 0 || print_result(v, ev) : !complete || print_result(v, ev);
}
