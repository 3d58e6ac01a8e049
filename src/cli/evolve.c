/* SPDX-License-Identifier: MIT
 *
 * `senjutsu evolve`: makes maps by a recipe, on threads or on the ranks of a cluster. Three parts: options,
 * made from the recipe's parameter table; progress and results (a status line on a terminal, otherwise a
 * line per generation; the folder's page; the table at the end); and the run itself.
 *
 * A run with --out DIR stores its task and every game in DIR/games.db. The same command again finds them
 * and continues; a command that does not describe the stored run only shows it, and --continue continues it
 * with the stored values. Under mpirun only rank 0 reads options and files, and sends the task to the
 * others.
 */
#include "base/columns.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "evolve/evolution.h"
#include "evolve/gallery.h"
#include "game/tbs/tbs.h"
#include "store/store.h"
#include "study/report.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* One execution of the command, on each rank. */
struct run {
    /* The options. */
    struct recipe recipe;          /* over the preset's values */
    struct evolve_overrides given; /* other options are read into it; its folder is --out DIR */
    int jobs;
    double time;              /* seconds; 0: no limit */
    const char *natural_from; /* a study; NULL: none */
    bool quiet, json, show_recipe, go_on, programs;

    char *from; /* the maps of --from as JSON */
    struct evolve_task task;
    struct store *store;
    struct cluster *cluster;
    bool shows; /* shows the folder's content; nothing is played or written */

    int64_t written_ns; /* the page, the last time; 0: not yet */
    struct evolution_progress progress;
    struct text command_line, title;
    struct err failed; /* set when the folder cannot be written; ends the run */
};

/* ---- options ---- */

#define AT(field) offsetof(struct run, field)

static const struct param own_params[] = {
    {EVOLVE_PRESET_ROW(AT(given.preset))},
    {PARAM_SEED_ROW(AT(given.seed))},
    {"out", PARAM_STRING, AT(given.folder), .value = "DIR",
     .help = "write maps, pictures, games and a page to DIR; the same command again continues"},
    {"continue", PARAM_FLAG, AT(go_on),
     .help = "continue the run in --out DIR that was begun with other arguments"},
    {"programs", PARAM_FLAG, AT(programs),
     .help = "allow what the players in DIR start, connect to and read; it is shown"},
    {"from", PARAM_STRING, AT(given.from_label), .value = "MAPS",
     .help = "maps to begin with: files or names of our maps, with commas"},
    {"natural-from", PARAM_STRING, AT(natural_from), .value = "STUDY",
     .help = "fit the weights of naturalness to the ratings of a study with people"},
    {EVOLVE_TIME_ROW("time", AT(time))},
    {CLI_JOBS_ROW(AT(jobs))},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no progress line"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {"show-recipe", PARAM_FLAG, AT(show_recipe), .help = "print all parameters, play nothing"},
    {0},
};

/* The preset determines the defaults that --help prints, so it is looked for before the options are read. */
static bool read_preset(void *state, int argc, char **argv, struct err *e) {
    struct run *run = state;
    const char *preset = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--preset=", 9) == 0)
            preset = argv[i] + 9;
        else if (strcmp(argv[i], "--preset") == 0 && i + 1 < argc)
            preset = argv[i + 1];
    }
    return recipe_preset(&run->recipe, preset, e) || err_prefix(e, "--preset: ");
}

/* Reads the maps of --from, a list like "duel,mine.tbsmap": the initial maps of a run. They are stored with
 * the task, so that a run continues without the files. */
static bool gather_maps(struct run *run, struct err *e) {
    const char *list = run->given.from_label;
    if (list == NULL)
        return true;
    struct text copy = {0};
    struct map_file *file = mem_alloc(sizeof *file);
    char *names[EVOLVE_FROM_MAX];
    text_add_string(&copy, list);
    const int count = text_split(copy.data, ',', names, EVOLVE_FROM_MAX);
    json_t *array = json_array();
    bool ok = count >= 0 || err_set(e, "--from: more than %d maps", EVOLVE_FROM_MAX);
    for (int i = 0; ok && i < count; i++)
        ok = (names[i][0] != '\0' || err_set(e, "--from has an empty name in it")) &&
             map_file_load(names[i], file, e) && evolve_add_map(array, names[i], &file->map, e);
    run->given.from = run->from = json_dumps(array, JSON_COMPACT);
    json_decref(array);
    mem_free(file);
    text_done(&copy);
    return ok;
}

/* Fits naturalness to the ratings of --natural-from. The weights become a value of the recipe: the run is
 * stored and continued without the study. */
static bool gather_naturalness(struct run *run, struct err *e) {
    if (run->natural_from == NULL)
        return true;
    struct study *study = study_open(run->natural_from, STORE_READ, e);
    struct study_fit fit;
    struct text weights = {0}, sentences = {0};
    bool ok = study != NULL && (study_fit_naturalness(study, &fit, e) ||
                                err_prefix(e, "--natural-from %s: ", run->natural_from));
    if (ok) {
        naturalness_write(&fit.naturalness, &weights);
        ok = params_give(&run->given.recipe, "natural_by", text_string(&weights), e);
    }
    if (ok && !run->quiet) {
        study_fit_write(&fit, &sentences);
        fprintf(stderr, "%s", text_string(&sentences));
    }
    text_done(&weights);
    text_done(&sentences);
    study_close(study);
    return ok;
}

/* Resolves the task from the options and, when `store` is not NULL, from the stored task: see
 * evolve/recipe.h. Returns CLI_OK, or CLI_USAGE or CLI_FAILED with a reason. */
static int resolve_options(const struct run *run, struct store *store, bool writable, struct evolve_task *out,
                           struct err *e) {
    const enum evolve_resolution resolved = evolve_resolve(&run->given, store, writable, out, e);
    if (resolved == EVOLVE_RESOLVED && run->natural_from != NULL && !(out->recipe.natural > 0)) {
        err_set(e, "--natural-from: naturalness has no weight in this recipe; give --natural 0.1, say, or "
                   "--preset designer");
        return CLI_USAGE;
    }
    if (resolved != EVOLVE_WRONG)
        return resolved == EVOLVE_RESOLVED ? CLI_OK : CLI_FAILED;
    /* A message about a parameter ("red_max=99: …") is to name the option ("--red-max=99: …"). */
    const size_t size = strcspn(e->text, "=:");
    const struct param *p = recipe_params + 1;
    while (p->name != NULL && (strlen(p->name) != size || strncmp(p->name, e->text, size) != 0))
        p++;
    if (p->name == NULL || e->text[size] == '\0')
        return CLI_USAGE;
    err_prefix(e, "--");
    for (size_t i = 2; i < size + 2; i++)
        e->text[i] = e->text[i] == '_' ? '-' : e->text[i];
    return CLI_USAGE;
}

/* ---- view ---- */

/* The page of a run is large and its pictures are drawn anew, so it is not written after every generation. */
#define REDRAW_MS 250
#define WRITE_NS  INT64_C(2000000000) /* least time between two writes of the page */

/* Remaining seconds; negative: unknown. Games found in the store do not count, because they took no time.
 * With --time the run ends after the generation in which the limit passes, so games of that generation are
 * added. */
static double time_left(const struct run *run, double seconds) {
    const struct evolution_progress *p = &run->progress;
    const int played = p->games - p->stored;
    const double planned = evolution_progress_planned(p);
    const double each = played > 0 ? seconds / played : 0;
    double left = planned > p->games && played > 0 ? (planned - p->games) * each : -1;
    const double limited = run->time - seconds + evolution_progress_fresh(p) * each;
    if (run->time > seconds && !p->ending && (left < 0 || left > limited))
        left = limited;
    return left;
}

/* Two units are enough: runs take from seconds to days, and the estimate is rough. */
static void add_duration(double seconds, struct text *out) {
    const long whole = lround(seconds < 0 ? 0 : seconds);
    if (whole < 60)
        text_add(out, "%ld s", whole);
    else if (whole < 3600)
        text_add(out, "%ld min %02ld s", whole / 60, whole % 60);
    else
        text_add(out, "%ld h %02ld min", whole / 3600, whole / 60 % 60);
}

/* Nothing before the first generation is complete. The archive's quality lies between 0 and 1; the fitness of
 * the published algorithm has no fixed range. */
static void add_fitness(const struct run *run, struct text *out) {
    const struct generation *last = &run->progress.last;
    const bool archive = run->task.recipe.method == METHOD_ARCHIVE;
    if (last->number >= 0)
        text_add(out, archive ? ", best %.3f, mean %.3f" : ", best %.4g, mean %.4g", last->best, last->mean);
}

/* The most important parts come first: a narrow terminal shows only those. */
static void draw(struct run *run) {
    const struct evolution_progress *p = &run->progress;
    const bool is_first = p->last.number < 0; /* no generation is complete */
    const double seconds = cli_seconds(), left = time_left(run, seconds);
    /* Approximate number of judged maps: in the current generation only games are counted. */
    int maps = is_first ? 0 : p->last.evaluations;
    if (!p->ending)
        maps +=
            (p->games - (is_first ? 0 : p->last.games)) / (run->task.recipe.games + run->task.recipe.peers);
    /* The share that was played in this run, not found in the folder. */
    const double here = maps > 0 ? (double)(p->games - p->stored) / p->games * maps : 0;
    struct text line = {0};
    struct msg message;
    char count[GALLERY_NUMBER_MAX], stage[64];
    evolution_progress_stage(p, &message, stage, sizeof stage);
    text_add_string(&line, stage);
    if (left >= 0) {
        text_add_string(&line, ", ");
        add_duration(left, &line);
        text_add_string(&line, " left");
    }
    add_fitness(run, &line);
    text_add(&line, ", %s maps, %.1f a second", gallery_count(maps, count), seconds > 0 ? here / seconds : 0);
    text_add(&line, ", %s games", gallery_count(p->games, count));
    cli_status_draw("%s", text_string(&line));
    text_done(&line);
}

/* The evaluator's callback after each game; `stored` games were not played but found in the folder. */
static void evolve_view_game(void *context, const struct sample_game *sample, bool stored) {
    (void)sample;
    struct run *run = context;
    evolution_progress_game(&run->progress, stored);
    if (!run->quiet && cli_status_is_due(REDRAW_MS))
        draw(run);
}

/* Asked between generations: true once --time has passed. It stays true, because the last generation is
 * judged again with fresh games, which takes more time. */
static bool view_is_enough(void *context) {
    struct run *run = context;
    run->progress.ending = run->progress.ending || (run->time > 0 && cli_seconds() >= run->time);
    return run->progress.ending;
}

/* Writes pictures, maps and the page to --out DIR; true without a folder, or when it is only shown. */
static bool write_folder(struct run *run, const struct evolution *ev, bool finished, struct err *e) {
    const struct gallery gallery = {
        .folder = run->given.folder,
        .title = text_string(&run->title),
        .command = text_string(&run->command_line),
        .draw = gallery_draw,
        .finished = finished,
    };
    if (run->given.folder == NULL || run->shows)
        return true;
    const bool ok = gallery_write(&gallery, ev, e);
    run->written_ns = clock_now_ns(cli_clock());
    return ok;
}

/* Called after each generation and after the final judgement. When the page cannot be written the run is
 * stopped: the games are stored, so nothing is lost, and the reason is reported at the end. */
static void view_generation(void *context, const struct evolution *ev) {
    struct run *run = context;
    const struct generation *g = &run->progress.last;
    int columns, rows;
    if (!evolution_progress_generation(&run->progress, ev))
        return;
    if (!run->quiet && cli_terminal(STDERR_FILENO, &columns, &rows)) {
        draw(run);
    } else if (!run->quiet) { /* a line for a log */
        char maps[GALLERY_NUMBER_MAX], games[GALLERY_NUMBER_MAX];
        struct text line = {0};
        if (!run->progress.finals)
            text_add(&line, "generation %d of %d: ", g->number, run->task.recipe.generations);
        else
            text_add_string(&line, "the best judged again: ");
        text_add(&line, "%s maps judged, %s games", gallery_count(g->evaluations, maps),
                 gallery_count(g->games, games));
        add_fitness(run, &line);
        fprintf(stderr, "%s, %d %s\n", text_string(&line), g->filled,
                run->task.recipe.method == METHOD_ARCHIVE ? "kinds of maps" : "clearly different");
        text_done(&line);
    }
    if (clock_now_ns(cli_clock()) - run->written_ns >= WRITE_NS && run->failed.text[0] == '\0' &&
        !write_folder(run, ev, false, &run->failed))
        atomic_store(&cli_stop, true);
}

/* Columns of the table at the end. The files in the folder have more of them (evolve/gallery.c). */
enum map_value { NAME, MAP_FILE, FITNESS, FRESH, WITH_RED, WITH_BLUE, RED, TURNS, DECISIVE, NATURAL };

/* Results are those of the fresh games, or before verification of the games that selected the map. */
static void map_cell(const void *source, int rank, int index, struct column_cell *out) {
    const struct evolution *ev = source;
    const struct individual *one = &ev->individuals[ev->shown[rank]];
    const struct judgement *j = ev->verified ? &one->fresh : &one->judgement;
    const double fresh = evolution_fitness_by(ev->plan, one, &one->fresh);
    char name[GALLERY_NUMBER_MAX];
    struct share share;
    switch ((enum map_value)index) {
    case NAME:
    case MAP_FILE:
        gallery_name(one->id, name);
        snprintf(out->buffer, sizeof out->buffer, index == MAP_FILE ? "maps/%s.tbsmap" : "%s", name);
        out->text = out->buffer;
        break;
    case FITNESS: out->text = gallery_fitness(ev, one->fitness, out->buffer); break;
    case FRESH: out->text = isnan(fresh) ? "-" : gallery_fitness(ev, fresh, out->buffer); break;
    case WITH_RED:
    case WITH_BLUE:
    case RED:
        share = index == RED ? judgement_red(j)
                             : judgement_strong_with(j, index == WITH_RED ? TBS_RED : TBS_BLUE);
        snprintf(out->buffer, sizeof out->buffer, "%.1f [%.0f-%.0f]", 100 * share.value,
                 100 * share.interval.low, 100 * share.interval.high);
        out->text = share.games > 0 ? out->buffer : "-";
        break;
    case TURNS: out->number = judgement_turns(j); break;
    case DECISIVE: out->number = 100 * judgement_decisive(j).value; break;
    case NATURAL: out->number = one->static_features.natural; break;
    }
}

static const struct column map_columns[] = {
    {.title = "map", .get = map_cell, .index = NAME},
    {.title = "fitness", .get = map_cell, .index = FITNESS},
    {.title = "fresh", .get = map_cell, .index = FRESH},
    {.title = "strong as red %", .get = map_cell, .index = WITH_RED},
    {.title = "as blue %", .get = map_cell, .index = WITH_BLUE},
    {.title = "equals: red %", .get = map_cell, .index = RED},
    {.title = "turns", .format = COLUMN_FIXED, .get = map_cell, .index = TURNS, .places = 1},
    {.title = "decisive %", .format = COLUMN_FIXED, .get = map_cell, .index = DECISIVE},
    {.title = "natural", .format = COLUMN_FIXED, .get = map_cell, .index = NATURAL, .places = 2},
    {.title = "file", .get = map_cell, .index = MAP_FILE, .is_left = true}, /* of --out */
};
enum { MAP_COLUMNS = sizeof map_columns / sizeof map_columns[0] };

/* The selected best is partly lucky: says by how much. The fresh games have selected nothing, so their mean
 * has no such bias. */
static void add_bias(const struct evolution *ev, struct text *out) {
    if (!ev->verified || ev->shown_count == 0)
        return;
    const struct individual *best = &ev->individuals[ev->shown[0]];
    char selected[GALLERY_NUMBER_MAX], measured[GALLERY_NUMBER_MAX];
    text_add(out,
             "\nfitness: what a map was selected by; fresh and all behind it: from %d games that selected "
             "nothing, with 95 %% intervals.\n",
             judgement_games(&best->fresh));
    if (ev->plan->recipe.method == METHOD_ARCHIVE) {
        /* The archive's quality is a lower bound, further below the mean for fewer games; so the mean score
         * is printed. */
        text_add(
            out,
            "On the best map strong scored %.1f %% in the %d games that selected it, %.1f %% in %d fresh "
            "ones.\n",
            100 * judgement_strength(&best->judgement).value, judgement_contests(&best->judgement),
            100 * judgement_strength(&best->fresh).value, judgement_contests(&best->fresh));
        return;
    }
    const double fresh = evolution_fitness_by(ev->plan, best, &best->fresh);
    const double bias = fresh > 0 ? 100 * (best->fitness / fresh - 1) : 0;
    text_add(out, "The best map was selected with %s; %d fresh games say %s",
             gallery_fitness(ev, best->fitness, selected), judgement_contests(&best->fresh),
             gallery_fitness(ev, fresh, measured));
    if (bias >= 0.5)
        text_add(out, " (selection flatters by %.0f %%).\n", bias);
    else
        text_add(out, " (selection did not flatter it).\n");
}

/* Prints the result, as JSON or as text; returns the exit status. A player that crashes loses its games,
 * which looks like an effect of strength, so faults are mentioned on standard error in both forms. */
static int print_result(struct run *run, const struct evolution *ev) {
    char games[GALLERY_NUMBER_MAX], maps[GALLERY_NUMBER_MAX], stored[GALLERY_NUMBER_MAX];
    const char *folder = run->given.folder;
    struct text out = {0};
    int played = 0, forfeits = 0;
    for (int i = 0; i < ev->shown_count; i++) {
        const struct individual *one = &ev->individuals[ev->shown[i]];
        played += judgement_games(&one->judgement) + judgement_games(&one->fresh);
        forfeits += one->judgement.forfeits + one->fresh.forfeits;
    }
    if (forfeits > 0)
        cli_error(
            CLI_OK,
            "warning: a fault of a player (a crash, an illegal action, …) ended %d of the %d games on the "
            "maps shown",
            forfeits, played);
    if (run->json)
        return cli_show_json(gallery_json(ev, false));
    text_add(&out, "%s maps judged, %s games", gallery_count(ev->evaluations, maps),
             gallery_count(run->progress.games, games));
    if (run->progress.stored > 0)
        text_add(&out, " (%s of them found in the folder)", gallery_count(run->progress.stored, stored));
    text_add_string(&out, ", ");
    add_duration(cli_seconds(), &out);
    text_add_string(&out, "\n\n");
    if (ev->shown_count == 0)
        text_add(&out, "No map was judged: --budget %d is too small.\n", run->task.recipe.budget);
    else
        columns_terminal(&(struct columns){map_columns, folder != NULL ? MAP_COLUMNS : MAP_COLUMNS - 1,
                                           ev->shown_count, ev},
                         &(struct columns_style){0}, &out);
    add_bias(ev, &out);
    if (folder != NULL) {
        text_add(&out, "\nEverything is in %s/index.html\n", folder);
        if (gallery_draw == NULL)
            text_add_string(&out, "There are no pictures of maps: this senjutsu was built without Cairo.\n");
        return cli_show_text(&out);
    }
    if (ev->shown_count > 0) {
        /* Without colours under mpirun: its ranks may have a terminal although its own output is a file. */
        const struct tbs_show how = {.colour = run->cluster == NULL && cli_colour(STDOUT_FILENO)};
        struct tbs_map map;
        genome_to_map(&ev->plan->space, &ev->individuals[ev->shown[0]].genome, &map);
        text_add_string(&out, "\nThe best map:\n");
        tbs_show_map(&map, &how, &out);
    }
    text_add_string(&out, "\nNothing was stored: --out DIR stores maps, pictures and games.\n");
    return cli_show_text(&out);
}

/* Writes files and prints the result; returns the exit status. The command that continues the run is printed
 * so that a shell reads it back, whatever characters the folder's name has; cli_error would change them. */
static int conclude(struct run *run, const struct evolution *ev, bool complete, struct err *e) {
    const char *folder = run->given.folder;
    *e = run->failed;
    if (e->text[0] != '\0' || (ev->generation_count > 0 && !write_folder(run, ev, complete, e)))
        return CLI_FAILED;
    if (!complete && run->shows) {
        fprintf(stderr,
                "senjutsu evolve: %s holds %d games of a run that is not over; --continue continues it\n",
                folder, run->progress.games);
    } else if (!complete) {
        char games[GALLERY_NUMBER_MAX];
        struct text word = {0};
        fprintf(stderr, "senjutsu evolve: stopped after %s games; ",
                gallery_count(run->progress.games, games));
        if (folder != NULL)
            evolve_add_word(&word, folder);
        const char mark = strchr(text_string(&word), '\'') != NULL ? '"' : '\'';
        if (folder != NULL)
            fprintf(stderr, "%csenjutsu evolve --out %s --continue%c continues\n", mark, text_string(&word),
                    mark);
        else
            fputs("without --out nothing was stored\n", stderr);
        text_done(&word);
        return CLI_FAILED;
    }
    return run->shows && ev->shown_count == 0 ? CLI_OK : print_result(run, ev);
}

/* ---- the command ---- */

/* Fills the path of the store in the folder of --out. It has a name of its own there, so that the folder can
 * be moved and copied as a whole. */
static bool store_path(const char *folder, char out[FILE_PATH_MAX], struct err *e) {
    if (folder[0] == '\0')
        return err_set(e, "--out needs the name of a folder");
    return file_path(out, NULL, "%s/games.db", folder) || err_set(e, "%s: the name is too long", folder);
}

/* Creates the folder and opens its store for writing. Also removes temporary files of a run that was killed
 * while writing; the store's lock ensures that no other run writes there. */
static bool open_store(struct run *run, struct err *e) {
    static const char *const places[] = {"", "/maps", "/pictures"};
    char path[FILE_PATH_MAX];
    const char *folder = run->given.folder;
    if (folder == NULL)
        return true;
    if (!cli_make_folder(folder, e) || !store_path(folder, path, e))
        return false;
    run->store = store_open(path, STORE_WRITE, e);
    bool ok = run->store != NULL;
    for (size_t i = 0; ok && i < sizeof places / sizeof places[0]; i++)
        ok = file_path(path, e, "%s%s", folder, places[i]) && file_remove_leftovers(path, e);
    return ok;
}

/* True when the folder has a run that the command line neither describes nor continues. Its task is then
 * resolved from a store opened for reading. */
static bool finds_another_run(struct run *run, const char *path, struct err *e) {
    struct err ignored;
    run->store = run->go_on ? NULL : store_open(path, STORE_READ, &ignored);
    if (run->store == NULL)
        return false;
    if (resolve_options(run, run->store, false, &run->task, &ignored) == CLI_OK) {
        struct evolve_task alone = {0}; /* what the command line describes without the store */
        struct text stored = {0}, given = {0};
        run->shows = resolve_options(run, NULL, false, &alone, &ignored) != CLI_OK;
        evolve_task_write(&run->task, &stored);
        evolve_task_write(&alone, &given);
        run->shows = run->shows || strcmp(text_string(&stored), text_string(&given)) != 0 ||
                     strcmp(text_string(&run->task.from_text), text_string(&alone.from_text)) != 0;
        text_done(&stored);
        text_done(&given);
        evolve_task_done(&alone);
    }
    if (run->shows && run->programs)
        err_set(e, "--programs is given, but nothing is played without --continue");
    if (run->shows)
        return true;
    evolve_task_done(&run->task);
    store_close(run->store);
    run->store = NULL;
    return false;
}

/* Resolves the task and opens the store. Options are checked before the folder is created, so that a mistake
 * leaves no empty folder. After a failure that was already reported `e` is empty. Returns CLI_OK, CLI_USAGE
 * or CLI_FAILED. */
static int resolve(void *state, struct err *e) {
    struct run *run = state;
    const char *folder = run->given.folder;
    char path[FILE_PATH_MAX];
    int status = CLI_OK;
    if (folder != NULL && !store_path(folder, path, e))
        return CLI_FAILED;
    const bool is_there = folder != NULL && access(path, F_OK) == 0;
    if (run->go_on && !is_there)
        return cli_error(CLI_FAILED, "--continue: %s has no run to continue", folder);
    if (!gather_maps(run, e) || !gather_naturalness(run, e))
        return CLI_FAILED;
    if (is_there && finds_another_run(run, path, e))
        return e->text[0] == '\0' ? CLI_OK : CLI_USAGE;
    if (folder != NULL && !is_there) {
        status = resolve_options(run, NULL, false, &run->task, e);
        evolve_task_done(&run->task);
    }
    if (status == CLI_OK)
        status = open_store(run, e) ? resolve_options(run, run->store, true, &run->task, e) : CLI_FAILED;
    /* The recipe's players may come from the folder, so they need permission. */
    const char *const specs[] = {run->task.recipe.strong, run->task.recipe.weak};
    if (status == CLI_OK && !cli_permit(folder != NULL ? folder : "", specs, 2, run->programs))
        return CLI_FAILED;
    return status;
}

/* The task and not the command line is sent: the other ranks have no maps and no store to resolve it from. */
static bool write_task(const void *state, struct text *out, struct err *e) {
    const struct run *run = state;
    (void)e;
    evolve_task_write(&run->task, out);
    return true;
}

static bool read_task(void *state, const struct text *text, struct err *e) {
    struct run *run = state;
    return evolve_task_read(text_string(text), &run->task, e);
}

/* Plays on all ranks. Rank 0 leads the evolution and reports; the others only play the games that they are
 * sent. */
static int play(void *state, struct err *e) {
    struct run *run = state;
    const struct evolve_task *task = &run->task;
    const struct recipe *recipe = &task->recipe;
    const char *const specs[] = {recipe->strong, recipe->weak};
    const struct cli_programs programs = {specs, 2, EVALUATOR_COPIES_MAX, 0, run->cluster};
    const bool leads = cli_is_leader(run->cluster);
    for (int i = 0; i < 2; i++) {
        if (!leads) /* rank 0 has checked them */
            cli_typed_player(specs[i]);
        else if (!run->shows)
            cli_check_program(i == 0 ? "strong" : "weak", specs[i]);
    }
    cli_begin();
    cli_status_dim();
    evolution_progress_init(&run->progress, &task->plan);
    evolve_command_line(task, &run->command_line);
    evolve_title(task, &run->title);
    const struct evaluator_setup setup = {
        .rules = task->plan.rules,
        .strong = recipe->strong,
        .weak = recipe->weak,
        .seed = task->seed,
        .workers = cli_parallel_games(run->jobs, &programs),
        .store = run->store,
        .cluster = run->cluster,
        .clock = cli_clock(),
        .grant = cli_grant(),
        .stored_only = run->shows,
        .stop = &cli_stop,
        .date = cli_date,
        .on_game = leads ? evolve_view_game : NULL,
        .context = run,
    };
    int status = CLI_FAILED;
    struct evaluator *evaluator = evaluator_open(&setup, e);
    if (evaluator != NULL && !leads) {
        status = evaluator_work(evaluator, e) ? CLI_OK : CLI_FAILED;
    } else if (evaluator != NULL) {
        struct evolution ev = {.plan = &task->plan, .seed = task->seed};
        const struct evolution_run evolution = {.evaluator = evaluator,
                                                .seed_count = task->from_count,
                                                .seeds = task->from,
                                                .seed_names = task->names,
                                                .is_enough = view_is_enough,
                                                .on_generation = view_generation,
                                                .context = run};
        bool complete;
        const bool ok = evolution_play(&evolution, &ev, &complete, e);
        cli_status_clear();
        if (ok)
            status = conclude(run, &ev, complete, e);
        evolution_done(&ev);
    }
    evaluator_close(evaluator);
    return status;
}

/* Prints the recipe of a new run, or of the folder's run. The store is opened for reading, so that a run in
 * progress is neither disturbed nor waited for. */
static int show_recipe(struct run *run, struct err *e) {
    struct text text = {0};
    char path[FILE_PATH_MAX];
    const char *folder = run->given.folder;
    if (folder != NULL && !store_path(folder, path, e))
        return CLI_FAILED;
    if (folder != NULL && access(path, F_OK) == 0 && (run->store = store_open(path, STORE_READ, e)) == NULL)
        return CLI_FAILED;
    const int status = gather_maps(run, e) && gather_naturalness(run, e)
                           ? resolve_options(run, run->store, false, &run->task, e)
                           : CLI_FAILED;
    if (status != CLI_OK)
        return status;
    params_write_all(recipe_params, &run->task.recipe, &text);
    return cli_show_text(&text);
}

/* Options that were given override what the folder has; others keep the stored values (evolve/recipe.h). */
static int run_evolve(void *state, const struct cli_call *call, struct err *e) {
    static const struct cli_ranked ranked = {resolve, write_task, read_task, play};
    struct run *run = state;
    run->given.recipe = call->sections[1];
    run->given.has_seed = params_given(&call->sections[0], "seed");
    run->given.mark = "--";
    if (run->given.folder == NULL && (run->go_on || run->programs))
        return cli_error(CLI_USAGE, "--%s belongs to --out DIR", run->go_on ? "continue" : "programs");
    if (run->natural_from != NULL && params_given(&run->given.recipe, "natural_by"))
        return cli_error(CLI_USAGE, "--natural-from and --natural-by both give the weights of naturalness");
    return run->show_recipe ? show_recipe(run, e) : cli_run_ranked(&ranked, run, &run->cluster, e);
}

static void end_evolve(void *state) {
    struct run *run = state;
    text_done(&run->command_line);
    text_done(&run->title);
    mem_free(run->from);
    evolve_task_done(&run->task);
    store_close(run->store);
    cli_leave_cluster(run->cluster);
}

const struct cli_body cli_evolve = {
    .size = sizeof(struct run),
    .options = {{own_params, 0}, {recipe_params + 1, offsetof(struct run, recipe), true}},
    .before = read_preset,
    .run = run_evolve,
    .done = end_evolve,
};
