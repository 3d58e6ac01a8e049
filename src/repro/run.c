/* SPDX-License-Identifier: MIT
 *
 * Runs one experiment: loads its maps, plans the repetitions, takes over those in the journal, and gives
 * the rest to the pool. A repetition that was under way when the run was stopped does not count: its
 * players may have been cut short.
 */

#include "base/file.h"
#include "base/mem.h"
#include "pool/pool.h"
#include "repro/experiments.h"
#include "repro/journal.h"
#include "repro/output.h"
#include "repro/play.h"
#include "repro/rows.h"

#include <assert.h>
#include <string.h>

/* The registry: all experiments in the order in which they are listed and run. */
const struct repro_experiment *const repro_experiments[] = {
    &repro_tbs_fig2,       &repro_tbs_branching,   &repro_tbs_fig4,       &repro_tbs_fig5,
    &repro_tbs_table5,     &repro_tbs_table6,      &repro_tbs_table7,     &repro_tbs_remedies,
    &repro_mapgen_trials,  &repro_mapgen_cost,     &repro_mapgen_random,  &repro_mapgen_features,
    &repro_synth_fig2,     &repro_synth_fig3,      &repro_synth_fig4,     &repro_synth_fig5,
    &repro_synth_fig6,     &repro_synth_fig7,      &repro_synth_fig8,     &repro_synth_fig9,
    &repro_synth_readings, &repro_synth_switching, &repro_synth_space,    &repro_geister_table1,
    &repro_geister_table2, &repro_geister_table3,  &repro_geister_fusion, NULL,
};

/* The state of one run. Arrays are as long as the plan; the pool sees only the pending units, by number of
 * the job. */
struct run {
    const struct repro_experiment *experiment;
    const struct repro_options *options;
    struct repro_result *result;
    int map_count;
    struct scenario *maps[REPRO_MAPS_MAX];
    struct scenario *games[REPRO_CELLS_MAX]; /* by cell; NULL: its game is a map's */
    uint64_t setup;

    int count;
    struct repro_unit *units;
    struct repro_repetition *results;
    bool *done;
    int *pending; /* job -> unit */
    int pending_count;

    struct journal journal;
    atomic_bool stop; /* from outside or after a failure */
    bool failed, ended;
    struct err reason;
};

/* Of one repetition. An aborted one is not stored; a failed one ends the run with its reason. */
struct job_result {
    struct repro_repetition repetition;
    bool aborted, failed;
    struct err reason;
};

/* ---- preparing ---- */

/* Maps are read by the caller, who knows where they are; their bytes are part of the setup, so a changed
 * map makes older journals unusable. */
static bool load_map(struct run *run, const char *name, struct err *e) {
    const struct repro_options *options = run->options;
    struct text text = {0};
    struct spec spec;
    struct game_source source = {.name = name, .options = &spec};
    struct scenario *scenario = NULL;
    if (options->read_map(options->context, name, &text, e) && spec_parse("tbs", &spec, e) &&
        spec_add(&spec, "rules", REPRO_RULES, e)) {
        source.text = text_string(&text);
        source.size = text.size;
        scenario = tbs_game.load(&source, e);
        run->setup = hash_bytes(run->setup, text_string(&text), text.size);
    }
    text_done(&text);
    if (scenario != NULL)
        run->maps[run->map_count++] = scenario;
    return scenario != NULL;
}

/* Checks players now, so that a misspelt one does not end a run after hours. The order and the repeated map
 * number in the digest are those of existing journals. */
static bool load_cell(struct run *run, int index, struct err *e) {
    const struct repro_cell *cell = &run->experiment->cells[index];
    for (int i = 0; i < 2; i++) {
        const char *spec = cell->players[i] != NULL ? cell->players[i] : "";
        if (cell->players[i] != NULL && !player_check(spec, NULL, e))
            return false;
        run->setup = hash_bytes(run->setup, spec, strlen(spec) + 1);
        run->setup = hash_u64(run->setup, (uint64_t)cell->map);
    }
    if (cell->game == NULL)
        return true;
    run->games[index] = game_load_spec(cell->game, e);
    run->setup = hash_bytes(run->setup, cell->game, strlen(cell->game) + 1);
    return run->games[index] != NULL;
}

/* The digest covers everything a repetition depends on, except for its number. */
static bool prepare(struct run *run, struct err *e) {
    const struct repro_experiment *x = run->experiment;
    assert(x->cell_count <= REPRO_CELLS_MAX);
    run->setup = HASH_START;
    for (int i = 0; x->maps != NULL && x->maps[i] != NULL; i++) {
        assert(run->map_count < REPRO_MAPS_MAX);
        if (!load_map(run, x->maps[i], e))
            return false;
    }
    if (x->maps != NULL)
        run->setup = hash_bytes(run->setup, REPRO_RULES, sizeof REPRO_RULES);
    for (int cell = 0; cell < x->cell_count; cell++)
        if (!load_cell(run, cell, e))
            return false;
    return true;
}

/* A number given by the user counts before --quick, and --quick before the published number. */
int repro_repetitions(const struct repro_experiment *x, const struct repro_options *options) {
    return options->repetitions > 0 ? options->repetitions
           : options->quick         ? x->repetitions_quick
                                    : x->repetitions;
}

/* Rounded up, so that every cell has a repetition. */
int repro_cell_repetitions(const struct repro_cell *cell, int repetitions) {
    const int n = cell->one_in > 0 ? (repetitions + cell->one_in - 1) / cell->one_in : repetitions;
    return cell->repetitions_max > 0 && n > cell->repetitions_max ? cell->repetitions_max : n;
}

int repro_repetitions_all(const struct repro_experiment *x, const struct repro_options *options) {
    int all = 0;
    for (int cell = 0; cell < x->cell_count; cell++)
        all += repro_cell_repetitions(&x->cells[cell], repro_repetitions(x, options));
    return all;
}

/* Repetition by repetition: a run that is stopped has tried all cells about equally often, and time left can
 * be judged from time spent. */
static void plan(struct run *run) {
    const struct repro_experiment *x = run->experiment;
    const int repetitions = run->result->repetitions;
    run->count = repro_repetitions_all(x, run->options);
    const size_t n = (size_t)run->count;
    run->units = mem_alloc(n * sizeof *run->units);
    run->results = mem_alloc(n * sizeof *run->results);
    run->done = mem_alloc(n * sizeof *run->done);
    run->pending = mem_alloc(n * sizeof *run->pending);
    int index = 0;
    for (int rep = 0; rep < repetitions; rep++)
        for (int cell = 0; cell < x->cell_count; cell++)
            if (rep < repro_cell_repetitions(&x->cells[cell], repetitions))
                run->units[index++] = (struct repro_unit){cell, rep};
    assert(index == run->count);
}

/* A journal may have its lines in any order: repetitions end as they like. */
static bool take_from_journal(void *context, int index, const struct repro_repetition *repetition) {
    struct run *run = context;
    if (run->done[index])
        return false;
    run->done[index] = true;
    run->results[index] = *repetition;
    run->result->repetitions_before++;
    return true;
}

static bool open_journal(struct run *run, struct err *e) {
    const struct repro_options *o = run->options;
    const struct repro_experiment *x = run->experiment;
    const struct journal_head head = {x->name, o->program, x->version, run->result->repetitions,
                                      o->seed, run->setup};
    const struct journal_reader reader = {run->count, take_from_journal, run};
    return o->folder == NULL || (journal_set_path(&run->journal, o->folder, x->name, e) &&
                                 journal_open(&run->journal, &head, o->fresh, &reader, e));
}

/* ---- repetitions as jobs ---- */

/* On a thread of the pool. The seed depends on the index in the plan alone, and the seed of deals on the
 * repetition alone. A stop during the repetition makes it worthless, whatever it returned. */
static void run_repetition(void *shared, void *worker, int job, void *argument) {
    (void)worker;
    struct run *run = shared;
    struct job_result *result = argument;
    const int index = run->pending[job];
    const struct repro_unit unit = run->units[index];
    bool (*const work)(const struct repro_task *, struct repro_repetition *, struct err *) =
        run->experiment->run != NULL ? run->experiment->run : play_game;
    struct rng r;
    rng_seed_stream(&r, run->options->seed, (uint64_t)index);
    const struct repro_task task = {.experiment = run->experiment,
                                    .cell = &run->experiment->cells[unit.cell],
                                    .unit = unit,
                                    .seed = rng_next(&r),
                                    .deal_seed = rng_job_seed(~run->options->seed, (uint64_t)unit.rep),
                                    .maps = run->maps,
                                    .game = run->games[unit.cell],
                                    .clock = run->options->clock,
                                    .stop = run->options->stop};
    const bool ok = budget_is_stopped(task.stop) || work(&task, &result->repetition, &result->reason);
    result->aborted = budget_is_stopped(task.stop);
    result->failed = !ok && !result->aborted;
}

static bool store_repetition(struct run *run, int index, struct repro_repetition *repetition, struct err *e) {
    const char *folder = run->options->folder;
    char path[FILE_PATH_MAX];
    /* The game is stored before the line of the journal that marks it as finished. */
    if (folder != NULL && repetition->game.size > 0 &&
        (!file_path(path, e, "%s/%s-games/trial-%06d.json", folder, run->experiment->name, index + 1) ||
         !file_write(path, repetition->game.data, repetition->game.size, e)))
        return false;
    if (folder != NULL && !journal_add(&run->journal, index, repetition, e))
        return false;
    run->results[index] = *repetition;
    run->results[index].game = (struct text){0};
    run->done[index] = true;
    run->result->repetitions_done++;
    if (run->options->on_repetition != NULL)
        run->options->on_repetition(run->options->context, run->result);
    return true;
}

/* In the order of the plan, one call at a time. After the first that fails or was aborted nothing is stored
 * any more: the journal then holds a prefix, apart from what it had before. */
static void take_repetition(void *shared, int job, void *argument) {
    struct run *run = shared;
    struct job_result *result = argument;
    run->ended = run->ended || result->aborted;
    if (!run->ended && !run->failed &&
        (result->failed || !store_repetition(run, run->pending[job], &result->repetition, &result->reason))) {
        run->failed = true;
        run->reason = result->reason;
        /* Games under way may be long; they end, and so does what the caller does beside them. */
        if (result->failed && run->experiment->run == NULL && run->options->stop != NULL)
            atomic_store(run->options->stop, true);
    }
    if (run->ended || run->failed)
        atomic_store(&run->stop, true);
    text_done(&result->repetition.game);
}

/* ---- repetitions that another experiment has done ---- */

/* Of all that repetitions depend on. Experiments with the same cells have them in common under one name. */
static uint64_t stored_key(const struct run *run) {
    const struct repro_experiment *x = run->experiment;
    const char *name = x->repetitions_of != NULL ? x->repetitions_of : x->name;
    uint64_t key = hash_bytes(run->setup, name, strlen(name));
    key = hash_u64(key, (uint64_t)x->version);
    key = hash_u64(key, (uint64_t)run->result->repetitions);
    return hash_u64(key, run->options->seed);
}

/* Those that the journal has are not taken again. A repetition that is taken over is stored like one that
 * was run: the journal is complete either way. */
static bool take_stored(struct run *run, struct err *e) {
    const struct repro_stored *stored = run->options->stored;
    if (stored == NULL || stored->results == NULL || stored->key != stored_key(run) ||
        stored->count != run->count)
        return true;
    for (int i = 0; i < run->count; i++)
        if (!run->done[i] && !store_repetition(run, i, &stored->results[i], e))
            return false;
    return true;
}

void repro_stored_done(struct repro_stored *stored) {
    mem_free(stored->results);
    stored->results = NULL;
}

/* ---- the rest ---- */

/* The jobs are the repetitions that neither the journal nor another experiment has. */
static bool run_pending(struct run *run, struct err *e) {
    for (int i = 0; i < run->count; i++)
        if (!run->done[i])
            run->pending[run->pending_count++] = i;
    run->result->repetitions_done = run->count - run->pending_count;
    const struct pool_work work = {.jobs = run->pending_count,
                                   .workers = run->options->workers,
                                   .shared = run,
                                   .result_size = sizeof(struct job_result),
                                   .run = run_repetition,
                                   .take = take_repetition,
                                   .stop = &run->stop};
    return pool_run(&work, e) >= 0 && (!run->failed || err_set(e, "%s", run->reason.text));
}

/* ---- the whole ---- */

/* Only with all repetitions: rows of some of them would look like a result. */
static bool finish(struct run *run, struct err *e) {
    struct repro_result *out = run->result;
    const struct repro_data data = {run->experiment, run->count, run->units, run->results};
    run->experiment->finish(&data, out);
    if (out->failure.text[0] != '\0') {
        *e = out->failure;
        return false;
    }
    rows_summarize(out);
    output_repetitions_csv(&data, &out->repetitions_csv);
    return true;
}

/* Also after a failure half-way: what was not opened is NULL or not counted. */
static void drop(struct run *run) {
    journal_close(&run->journal);
    for (int i = 0; i < run->map_count; i++)
        run->maps[i]->game->unload(run->maps[i]);
    for (int i = 0; i < REPRO_CELLS_MAX; i++)
        if (run->games[i] != NULL)
            run->games[i]->game->unload(run->games[i]);
    mem_free(run->units);
    mem_free(run->results);
    mem_free(run->done);
    mem_free(run->pending);
}

/* Repetitions found in the journal count as done, and so do those of another experiment. The time is that
 * of this run alone. */
enum repro_outcome repro_run(const struct repro_experiment *experiment, const struct repro_options *options,
                             struct repro_result *out, struct err *e) {
    *out = (struct repro_result){.experiment = experiment, .seed = options->seed};
    out->repetitions = repro_repetitions(experiment, options);
    struct run run = {.experiment = experiment, .options = options, .result = out, .journal.file = -1};
    const int64_t start = clock_now_ns(options->clock);
    enum repro_outcome outcome = REPRO_FAILED;
    if (prepare(&run, e)) {
        plan(&run);
        out->repetitions_all = run.count;
        if (open_journal(&run, e) && take_stored(&run, e) && run_pending(&run, e)) {
            outcome = out->repetitions_done < run.count ? REPRO_STOPPED : REPRO_DONE;
            out->seconds = clock_seconds_since(options->clock, start);
            if (outcome == REPRO_DONE && !finish(&run, e))
                outcome = REPRO_FAILED;
            if (outcome == REPRO_DONE && options->stored != NULL) { /* the run does not need them any more */
                repro_stored_done(options->stored);
                *options->stored = (struct repro_stored){stored_key(&run), run.count, run.results};
                run.results = NULL;
            }
        }
    }
    drop(&run);
    return outcome;
}

void repro_result_done(struct repro_result *result) {
    text_done(&result->repetitions_csv);
    for (int i = 0; i < REPRO_PLOTS_MAX; i++) {
        struct repro_plot *p = &result->plots[i];
        struct text *const texts[] = {&p->commands, &p->drawing, &p->script, &p->data, &p->texts};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            text_done(texts[k]);
    }
}
