/* SPDX-License-Identifier: MIT
 *
 * `senjutsu repro`: lists and runs published experiments, and makes a page of their results.
 *
 * Experiments take minutes to days. With --out every repetition is stored in a journal, and the same
 * command continues after an interruption; without it only the result is printed. src/repro has the
 * experiments.
 */
#include "cli/cli.h"

#include "config.h"
#include "repro/repro.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* The options, and what the experiments of one command share. */
struct repro_command {
    struct clock cpu;
    struct repro_options run; /* options are read into it; its folder is NULL: results are not stored */
    bool json, quiet;

    char maps[FILE_PATH_MAX]; /* the folder of bundled maps */
    struct repro_stored stored;
};

/* ---- progress ---- */

enum { BAR_WIDTH = 24 };

/* Draws the bar. The remaining time follows from the repetitions of this run; those found in the journal took
 * no time. */
static void on_repetition(void *context, const struct repro_result *so_far) {
    struct repro_command *c = context;
    if (c->quiet || !cli_status_is_due(CLI_REDRAW_MS))
        return;
    const int done = so_far->repetitions_done, all = so_far->repetitions_all,
              here = done - so_far->repetitions_before;
    const int filled = all > 0 ? (int)((long long)done * BAR_WIDTH / all) : 0;
    char bar[BAR_WIDTH + 1] = "", left[40] = "";
    memset(bar, '.', BAR_WIDTH);
    memset(bar, '#', (size_t)(filled < BAR_WIDTH ? filled : BAR_WIDTH));
    if (here > 0) {
        const double seconds = cli_seconds() / here * (all - done);
        if (seconds >= 5400)
            snprintf(left, sizeof left, "%.1f h left", seconds / 3600);
        else if (seconds >= 90)
            snprintf(left, sizeof left, "%.0f min left", seconds / 60);
        else
            snprintf(left, sizeof left, "%.0f s left", seconds);
    }
    cli_status_draw("%s [%s] %d of %d repetitions  %s", so_far->experiment->name, bar, done, all, left);
}

/* ---- running ---- */

/* The context is the command; maps are read from its folder. Experiments use bundled maps alone, because
 * published figures depend on them. */
static bool read_map(void *context, const char *name, struct text *out, struct err *e) {
    struct repro_command *c = context;
    return repro_read_map(c->maps, name, out, e);
}

/* Mentions on standard error which pictures repro_draw could not make. They are no reason to fail: the data
 * are written. */
static void report_missing(const struct repro_command *c, const struct repro_result *result,
                           const struct repro_missing *missing) {
    const char *plot = missing->plot >= 0 ? result->plots[missing->plot].name : "";
    if (missing->boards)
        fprintf(stderr, "no pictures of the boards: this build has no Cairo\n");
    if (missing->gnuplot)
        fprintf(stderr,
                "no picture was made: there is no gnuplot (package gnuplot-nox); the data and the script are "
                "%s/%s.csv and .gp\n",
                c->run.folder, plot);
    else if (missing->plot >= 0)
        fprintf(stderr, "no picture was made: gnuplot failed on %s/%s.gp (status %d)\n", c->run.folder, plot,
                missing->plot_status);
}

/* Runs one experiment, stores and prints its result; returns the exit status. With several experiments the
 * JSON output is an array, `all`, filled here. The caller calls repro_result_done in every case. */
static int run_one(struct repro_command *c, const struct repro_experiment *x, struct repro_result *result,
                   json_t *all, struct err *e) {
    struct repro_missing missing;
    const char *folder = c->run.folder;
    if (x->maps != NULL && !cli_maps_folder(c->maps))
        return cli_error(CLI_FAILED, "the folder with our own maps is not to be found");
    if (folder != NULL && !repro_make_folders(x, folder, e))
        return CLI_FAILED;
    cli_begin();
    const enum repro_outcome outcome = repro_run(x, &c->run, result, e);
    cli_status_clear();
    if (outcome == REPRO_FAILED) {
        err_prefix(e, "%s: ", x->name);
        return CLI_FAILED;
    }
    if (outcome == REPRO_STOPPED) {
        fprintf(stderr, "%s: stopped after %d of %d repetitions; ", x->name, result->repetitions_done,
                result->repetitions_all);
        if (folder != NULL)
            fprintf(stderr, "they are stored in %s: the same command (without --fresh) continues\n", folder);
        else
            fputs("nothing is stored without --out DIR\n", stderr);
        return CLI_FAILED;
    }
    if (folder != NULL &&
        (!output_store(result, folder, e) || !repro_draw(result, folder, c->maps, &missing, e)))
        return CLI_FAILED;
    if (folder != NULL && !c->quiet)
        report_missing(c, result, &missing);
    if (c->json && all != NULL)
        return json_array_append_new(all, output_json(result)) == 0 ? CLI_OK : CLI_FAILED;
    if (c->json)
        return cli_show_json(output_json(result));
    struct text text = {0};
    output_text(result, &text);
    text_add(&text, "%.1f s\n\n", result->seconds);
    return cli_show_text(&text);
}

enum { CHOSEN_MAX = 64 };

/* Runs the experiments with these names, in the order of the arguments. A name stands for one experiment, a
 * group, or all parts of a larger one; an experiment that several names stand for runs once. All names are
 * checked before the first experiment runs: a mistyped last one must not show after days. */
static int run_chosen(struct repro_command *c, const struct cli_arguments *arguments) {
    const struct repro_experiment *chosen[CHOSEN_MAX];
    int count = 0;
    for (int i = 0; i < arguments->count; i++) {
        const char *name = arguments->values[i];
        bool found = false;
        for (const struct repro_experiment *const *x = repro_experiments; *x != NULL; x++) {
            if (strcmp((*x)->name, name) != 0 && strcmp((*x)->group, name) != 0 &&
                ((*x)->part_of == NULL || strcmp((*x)->part_of, name) != 0))
                continue;
            int k = 0; /* each one once */
            while (k < count && chosen[k] != *x)
                k++;
            if (k == count && k < CHOSEN_MAX)
                chosen[count++] = *x;
            found = true;
        }
        if (!found)
            return cli_error(CLI_USAGE, "'%s' is no experiment; 'senjutsu repro list' shows them", name);
    }
    static struct repro_result result; /* too large for the stack; one experiment runs at a time */
    json_t *all = c->json && count > 1 ? json_array() : NULL;
    cli_catch_interrupt();
    int status = CLI_OK;
    for (int i = 0; i < count && !atomic_load(&cli_stop); i++) {
        struct err e = {{0}};
        const int one = run_one(c, chosen[i], &result, all, &e);
        if (e.text[0] != '\0') /* the next one is run nevertheless */
            cli_error(one, "%s", e.text);
        status = one != CLI_OK ? one : status;
        repro_result_done(&result);
    }
    repro_stored_done(&c->stored);
    if (all != NULL && cli_show_json(all) != CLI_OK)
        status = CLI_FAILED;
    return status;
}

/* ---- list and report ---- */

/* The text is shorter than the JSON: it is for choosing an experiment, the JSON for programs that run
 * several. */
static int list(const struct repro_command *c) {
    json_t *all = c->json ? json_array() : NULL;
    for (int i = 0; repro_experiments[i] != NULL; i++) {
        const struct repro_experiment *x = repro_experiments[i];
        if (c->json)
            json_array_append_new(all, json_pack("{ss ss ss ss ss ss si si}", "name", x->name, "group",
                                                 x->group, "title", x->title, "source", x->source,
                                                 "published", x->published, "duration", x->duration, "trials",
                                                 x->repetitions, "trials_quick", x->repetitions_quick));
        else
            printf("%-14s %s\n%-14s published: %s\n%-14s takes: %s\n", x->name, x->title, "", x->published,
                   "", x->duration);
    }
    return c->json ? cli_show_json(all) : CLI_OK;
}

/* Writes report.html into the folder, from the results that are stored there. */
static int report(const char *folder, struct err *e) {
    char path[FILE_PATH_MAX], date[64];
    struct text page = {0};
    cli_date(date, sizeof date);
    const bool ok = file_path(path, e, "%s/report.html", folder) && report_make(folder, date, &page, e) &&
                    cli_write_text(path, &page, e);
    text_done(&page);
    if (ok)
        printf("%s\n", path);
    return ok ? CLI_OK : CLI_FAILED;
}

/* ---- the command ---- */

#define AT(field) offsetof(struct repro_command, field)

static const struct param own_params[] = {
    {"jobs", PARAM_INT, AT(run.workers), 1, 256,
     .help = "repetitions at a time (default: one a core); the result is the same"},
    {"out", PARAM_STRING, AT(run.folder), .value = "DIR",
     .help = "store results, pictures and every repetition in DIR; the same command continues"},
    {"fresh", PARAM_FLAG, AT(run.fresh), .help = "move the results in DIR aside and start again"},
    {"quiet", PARAM_FLAG, AT(quiet), .help = "no progress bar, no hints"},
    {"json", PARAM_FLAG, AT(json), .help = "the result as JSON"},
    {0},
};

static int run_repro(void *state, const struct cli_call *call, struct err *e) {
    struct repro_command *c = state;
    const struct cli_arguments *arguments = &call->arguments;
    const char *first = arguments->values[0];
    c->run.program = SENJUTSU_VERSION;
    c->run.stop = &cli_stop;
    c->run.stored = &c->stored;
    c->run.read_map = read_map;
    c->run.on_repetition = on_repetition;
    c->run.context = c;
    c->cpu = clock_thread();
    c->run.clock = cli_clock();
    c->run.cpu = &c->cpu;
    c->run.workers = c->run.workers > 0 ? c->run.workers : cli_cores();
    if (arguments->count == 0)
        return cli_error(CLI_USAGE, "what? 'list', 'report DIR', or names of experiments");
    if (strcmp(first, "list") == 0)
        return arguments->count == 1 ? list(c) : cli_error(CLI_USAGE, "list takes no name");
    if (strcmp(first, "report") == 0)
        return arguments->count == 2 ? report(arguments->values[1], e)
                                     : cli_error(CLI_USAGE, "report takes one folder");
    return run_chosen(c, arguments);
}

const struct cli_body cli_repro = {sizeof(struct repro_command),
                                   {{repro_params, AT(run)}, {own_params}},
                                   .takes_arguments = true,
                                   .run = run_repro};
