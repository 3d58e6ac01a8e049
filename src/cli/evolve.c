/* SPDX-License-Identifier: MIT
 *
 * `senjutsu evolve`: makes maps by a recipe, on threads or on the ranks of a cluster.
 */
#include "cli/evolve.h"

#include "base/file.h"
#include "base/mem.h"
#include "pool/cluster.h"
#include "store/store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct run {
    const struct cli_command *command;
    struct evolve_options options;
    struct evolve_task task;
    struct store *store;
    struct cluster *cluster;
    bool shows; /* what the folder has, and plays nothing */
};

static bool is_leader(const struct run *run) {
    return run->cluster == NULL || cluster_rank(run->cluster) == 0;
}

/* ---- what to do ---- */

static bool store_path(const char *folder, char *out, size_t out_size, struct err *e) {
    if (folder[0] == '\0')
        return err_set(e, "--out needs the name of a folder");
    const int n = snprintf(out, out_size, "%s/games.db", folder);
    return (n > 0 && (size_t)n < out_size) || err_set(e, "%s: the name is too long", folder);
}

/* A run that was killed while it wrote; the store says that nobody writes there now. */
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

/* Does the command line alone describe the task? One that it does not may be anybody's. */
static bool is_described(const struct run *run) {
    struct evolve_task alone = {0};
    struct text texts[2] = {{0}, {0}};
    struct err unheard;
    bool same = evolve_settle_options(&run->options, NULL, false, &alone, &unheard) == CLI_OK;
    evolve_task_write(&run->task, &texts[0]);
    evolve_task_write(&alone, &texts[1]);
    same = same && is_same_text(&texts[0], &texts[1]) && is_same_text(&run->task.from_text, &alone.from_text);
    text_done(&texts[0]);
    text_done(&texts[1]);
    evolve_task_done(&alone);
    return same;
}

/* Is there a run in the folder that the command line neither describes nor says to go on with? Then it is
 * settled, from a store that is only read. */
static bool finds_another_run(struct run *run, const char *path, struct err *e) {
    struct err unheard;
    run->store = run->options.go_on ? NULL : store_open(path, STORE_READ, &unheard);
    if (run->store == NULL)
        return false;
    run->shows = evolve_settle_options(&run->options, run->store, false, &run->task, &unheard) == CLI_OK &&
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

/* The recipe's players may come from the folder. */
static bool allow_players(const struct run *run) {
    const struct recipe *recipe = &run->task.recipe;
    const char *const specs[] = {recipe->strong, recipe->weak};
    return cli_allow(run->command,
                     &(struct cli_named){.file = run->options.out != NULL ? run->options.out : "",
                                         .count = 2,
                                         .specs = specs,
                                         .programs = run->options.programs});
}

/* Nothing is made for wishes that cannot be met: they are looked at before there is a folder. A failure that
 * was told already leaves `e` empty. */
static int settle(struct run *run, struct err *e) {
    const char *folder = run->options.out;
    char path[4096];
    if (folder != NULL && !store_path(folder, path, sizeof path, e))
        return CLI_FAILED;
    if (folder != NULL && access(path, F_OK) != 0) {
        const int status = evolve_settle_options(&run->options, NULL, false, &run->task, e);
        evolve_task_done(&run->task);
        if (status != CLI_OK)
            return status;
    } else if (folder != NULL && finds_another_run(run, path, e)) {
        return e->text[0] == '\0' ? CLI_OK : CLI_USAGE;
    }
    const int status = open_store(run, e)
                           ? evolve_settle_options(&run->options, run->store, true, &run->task, e)
                           : CLI_FAILED;
    return status == CLI_OK && !allow_players(run) ? CLI_FAILED : status;
}

/* Rank 0 settled the task (or failed: then it shares nothing); the others take it over. */
static bool share_task(struct run *run, bool settled, struct err *e) {
    struct text text = {0};
    struct err unheard;
    if (run->cluster == NULL)
        return settled;
    bool ok = settled || !is_leader(run);
    if (settled)
        evolve_task_write(&run->task, &text);
    const bool shared = cluster_share(run->cluster, &text, ok ? e : &unheard);
    ok = ok && shared;
    if (ok && !is_leader(run))
        ok = text.size > 0 ? evolve_task_read(text_string(&text), &run->task, e)
                           : err_set(e, "rank 0 has no task");
    if (ok && !is_leader(run)) { /* rank 0 has looked at them */
        cli_typed_player(run->task.recipe.strong);
        cli_typed_player(run->task.recipe.weak);
    }
    text_done(&text);
    return ok;
}

/* Rank 0 looks at everything and is the one to complain; the others may be on machines without the files. */
static int prepare(struct run *run) {
    struct err e = {{0}};
    const int status = is_leader(run) ? settle(run, &e) : CLI_FAILED;
    if (share_task(run, status == CLI_OK, &e))
        return CLI_OK;
    return is_leader(run) && e.text[0] != '\0'
               ? cli_fail(run->command, status == CLI_OK ? CLI_FAILED : status, "%s", e.text)
               : CLI_FAILED;
}

/* ---- running ---- */

static int lead(struct run *run, struct evaluator *evaluator, struct evolve_view *view) {
    const struct evolve_task *task = &run->task;
    struct evolution ev;
    struct err e = {{0}};
    bool complete;
    evolution_init(&ev, &task->plan, task->seed);
    struct evolution_run evolution = evolve_task_run(task, evaluator);
    evolution.is_enough = evolve_view_is_enough;
    evolution.on_generation = evolve_view_generation;
    evolution.context = view;
    int status = CLI_FAILED;
    if (!evolution_play(&evolution, &ev, &complete, &e)) {
        evolve_view_clear(view);
        cli_fail(run->command, CLI_FAILED, "%s", e.text);
    } else if (evolve_view_finish(view, &ev, complete)) {
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
                       ? 1 /* a rank plays one game at a time */
                       : cli_limit_jobs(run->command, run->options.jobs, &programs),
        .store = run->store,
        .cluster = run->cluster,
        .clock = cli_clock(),
        .grant = cli_grant(),
        .recall_only = run->shows,
        .stop = &cli_stop,
        .date = cli_date,
        .on_trial = is_leader(run) ? evolve_view_trial : NULL,
        .context = view,
    };
    cli_catch_interrupt();
    struct evaluator *evaluator = evaluator_open(&setup, &e);
    int status = CLI_FAILED;
    if (evaluator == NULL)
        status = is_leader(run) ? cli_fail(run->command, CLI_FAILED, "%s", e.text) : CLI_FAILED;
    else if (is_leader(run))
        status = lead(run, evaluator, view);
    else if (evaluator_follow(evaluator, &e))
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
    if (is_leader(run) && !run->shows) {
        cli_warn_of_player(run->command, "strong", run->task.recipe.strong);
        cli_warn_of_player(run->command, "weak", run->task.recipe.weak);
    }
    status =
        evolve_view_init(&view, &e) ? play(run, &view) : cli_fail(run->command, CLI_FAILED, "%s", e.text);
    evolve_view_done(&view);
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

/* What a run would be made of, or what the folder's run was begun with. */
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
        status = evolve_settle_options(&run->options, run->store, false, &run->task, &e);
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
    if (evolve_parse(self, argc, argv, &run->options, &status))
        status = run->options.show_recipe ? show_recipe(run) : run_checked(run);
    evolve_task_done(&run->task);
    mem_free(run);
    return status;
}
