/* SPDX-License-Identifier: MIT
 *
 * Runs one experiment: loads its maps, plans the repetitions, takes over those in the journal, and gives
 * the rest to the pool, or to a batch where they are games. A repetition that was under way when the run was
 * stopped does not count: its players may have been cut short.
 */
#include "game/geister/geister.h"
#include "game/tbs/tbs.h"
#include "match/clocked_game.h"
#include "player/player.h"
#include "repro/experiments.h"

#include "base/file.h"
#include "base/mem.h"
#include "match/batch.h"
#include "pool/pool.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* The registry: all experiments in the order in which they are listed and run. */
const struct repro_experiment *const repro_experiments[] = {
    &repro_tbs_fig2,         &repro_tbs_branching,   &repro_tbs_fig4,        &repro_tbs_fig5,
    &repro_tbs_table5,       &repro_tbs_table6,      &repro_tbs_table7,      &repro_tbs_remedies,
    &repro_mapgen_trials,    &repro_mapgen_cost,     &repro_mapgen_random,   &repro_mapgen_features,
    &repro_mapgen_crossover, &repro_mapgen_readings, &repro_synth_fig2,      &repro_synth_fig3,
    &repro_synth_fig4,       &repro_synth_fig5,      &repro_synth_fig6,      &repro_synth_fig7,
    &repro_synth_fig8,       &repro_synth_fig9,      &repro_synth_readings,  &repro_synth_switching,
    &repro_synth_space,      &repro_synth_tuning,    &repro_synth_rules,     &repro_amcts_games,
    &repro_geister_table1,   &repro_geister_table2,  &repro_geister_table3,  &repro_geister_fusion,
    &repro_geister_march,    &repro_geister_mates,   &repro_geister_beliefs, NULL,
};

/* The state of one run. Arrays are as long as the plan; the pool sees only the pending units, by number of
 * the job. */
struct run {
    const struct repro_experiment *experiment;
    const struct repro_options *options;
    struct repro_result *result;
    int map_count;
    struct scenario *maps[REPRO_MAPS_MAX];
    struct scenario *scenarios[REPRO_CELLS_MAX]; /* by cell: of its game; or its map's, which is in `maps` */
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
        scenario = game_load(&tbs_game, &source, e);
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
    run->scenarios[index] = cell->game != NULL ? game_load_spec(cell->game, e) : run->maps[cell->map];
    if (cell->game != NULL)
        run->setup = hash_bytes(run->setup, cell->game, strlen(cell->game) + 1);
    return cell->game == NULL || run->scenarios[index] != NULL;
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
static bool plan(struct run *run, struct err *e) {
    const struct repro_experiment *x = run->experiment;
    const int repetitions = run->result->repetitions;
    run->count = repro_repetitions_all(x, run->options);
    const size_t n = (size_t)run->count;
    run->units = mem_try_alloc(n * sizeof *run->units);
    run->results = mem_try_alloc(n * sizeof *run->results);
    run->done = mem_try_alloc(n * sizeof *run->done);
    run->pending = mem_try_alloc(n * sizeof *run->pending);
    if (run->units == NULL || run->results == NULL || run->done == NULL || run->pending == NULL)
        return err_set(e, "not enough memory for %d repetitions", run->count);
    int index = 0;
    for (int rep = 0; rep < repetitions; rep++)
        for (int cell = 0; cell < x->cell_count; cell++)
            if (rep < repro_cell_repetitions(&x->cells[cell], repetitions))
                run->units[index++] = (struct repro_unit){cell, rep};
    assert(index == run->count);
    return true;
}

/* A journal may have its lines in any order, because repetitions end in any order. */
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

/* ---- parts of repetitions: decisions and turns ---- */

/* Players measure nothing themselves: the time of a decision is taken around the call, on the clock of the
 * task, so that tests with a manual clock have the same times in every run. */
struct play_decision play_decide(const struct repro_task *task, struct referee *referee,
                                 struct player *player) {
    struct ask ask;
    struct play_decision d;
    referee_ask(referee, &ask);
    ask.budget.clock = task->clock;
    ask.budget.stop = task->stop;
    const int64_t start = clock_now_ns(task->clock);
    player_choose(player, &ask, &d.answer);
    d.ms = (double)(clock_now_ns(task->clock) - start) * 1e-6;
    return d;
}

/* Until the turn or the game is over. A stop is looked at before and after each decision, because a player
 * that is stopped answers early: such an answer is not noted. */
static bool play_on(const struct repro_task *task, struct referee *referee, struct player *player,
                    struct play_turn *out, struct repro_repetition *repetition, struct err *e) {
    const struct game *game = referee->scenario->game;
    const int turn = game->turn(referee->state);
    while (referee_mover(referee) == out->side && game->turn(referee->state) == turn) {
        if (budget_is_stopped(task->stop))
            return true;
        const struct play_decision d = play_decide(task, referee, player);
        if (budget_is_stopped(task->stop))
            return true;
        assert(out->count < PLAY_ACTIONS_MAX);
        out->actions[out->count++] = d.answer.chosen;
        out->work += d.answer.work_done;
        repetition->ms += d.ms;
        struct text text = {0};
        const size_t used = strlen(repetition->note);
        game->text->write_action(referee->state, d.answer.chosen, &text);
        snprintf(repetition->note + used, REPRO_NOTE_MAX - used, "%s%s", used > 0 ? " " : "",
                 text_string(&text));
        text_done(&text);
        if (!referee_answer(referee, d.answer.chosen, d.ms, e))
            return false;
        if (referee->forfeiter != NOBODY)
            return err_set(e, "%s", referee->fault.text);
    }
    return true;
}

/* The positions before and after are copied: judging a turn needs both, and the state itself moves on. */
bool play_first_turn(const struct repro_task *task, const struct scenario *scenario, struct play_turn *out,
                     struct repro_repetition *repetition, struct err *e) {
    const char *spec = task->cell->players[0];
    struct player *player = player_open(spec, scenario->game, e);
    if (player == NULL)
        return false;
    struct referee referee;
    referee_start(&referee, scenario, task->seed, NULL);
    *out = (struct play_turn){.side = referee_mover(&referee)};
    assert(out->side != NOBODY);
    tbs_position_of(referee.state, &out->before);
    const bool ok = play_on(task, &referee, player, out, repetition, e) || err_prefix(e, "%s: ", spec);
    tbs_position_of(referee.state, &out->after);
    player_close(player);
    return ok;
}

/* Units that are destroyed stay in the list with 0 HP. */
int play_units_left(const struct tbs_position *p, int side, int type) {
    int count = 0;
    for (int id = 0; id < p->unit_count; id++)
        count += p->units[id].hp > 0 && p->units[id].side == side &&
                 (type == TBS_TYPES || p->units[id].type == type);
    return count;
}

bool play_removes_infantry(const struct play_turn *turn) {
    const int enemy = turn->side ^ 1;
    return play_units_left(&turn->before, enemy, TBS_INFANTRY) > 0 &&
           play_units_left(&turn->after, enemy, TBS_INFANTRY) == 0;
}

/* ---- repetitions as jobs ---- */

/* Depends on the index in the plan alone. */
static uint64_t seed_of(const struct run *run, int index) {
    struct rng r;
    rng_seed_stream(&r, run->options->seed, (uint64_t)index);
    return rng_next(&r);
}

/* The processor time of the thread: what else runs on the machine counts neither as thinking nor against a
 * limit of time. */
static const struct clock *thinking_clock(const struct repro_options *options) {
    return options->cpu != NULL ? options->cpu : options->clock;
}

/* On a thread of the pool. The seed of deals depends on the number of the repetition alone. A stop during the
 * repetition makes it worthless, whatever it returned. */
static void run_repetition(void *shared, void *worker, int job, void *argument) {
    (void)worker;
    struct run *run = shared;
    struct job_result *result = argument;
    const int index = run->pending[job];
    const struct repro_unit unit = run->units[index];
    const struct repro_task task = {.experiment = run->experiment,
                                    .cell = &run->experiment->cells[unit.cell],
                                    .unit = unit,
                                    .seed = seed_of(run, index),
                                    .deal_seed = rng_job_seed(~run->options->seed, (uint64_t)unit.rep),
                                    .maps = run->maps,
                                    .game = run->scenarios[unit.cell],
                                    .clock = thinking_clock(run->options),
                                    .stop = run->options->stop};
    const bool ok =
        budget_is_stopped(task.stop) || run->experiment->run(&task, &result->repetition, &result->reason);
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
 * any more, and false is returned: the journal then holds a prefix, apart from what it had before. */
static bool take(struct run *run, int index, struct job_result *result) {
    run->ended = run->ended || result->aborted;
    if (!run->ended && !run->failed &&
        (result->failed || !store_repetition(run, index, &result->repetition, &result->reason))) {
        run->failed = true;
        run->reason = result->reason;
    }
    text_done(&result->repetition.game);
    return !run->ended && !run->failed;
}

static void take_repetition(void *shared, int job, void *argument) {
    struct run *run = shared;
    if (!take(run, run->pending[job], argument))
        atomic_store(&run->stop, true);
}

/* ---- repetitions as games of a batch ---- */

/* The values behind GAME_ACTIONS. */
static void describe_end(const struct scenario *scenario, const void *state, double *values) {
    if (scenario->game == &geister_game) {
        values[GAME_END] = ((const struct geister *)state)->end;
    } else if (scenario->game == &tbs_game) {
        struct tbs_position p;
        tbs_position_of(state, &p);
        values[GAME_RED_HP] = p.hp_sum[TBS_RED];
        values[GAME_BLUE_HP] = p.hp_sum[TBS_BLUE];
    }
}

/* The last position is reached by replaying the record: the outcome has only the result. The game is stored
 * without thinking times, which differ from run to run. */
static bool describe_game(const struct batch_result *result, const struct scenario *scenario,
                          struct repro_repetition *out, struct err *e) {
    const struct outcome *o = result->outcome;
    struct record record;
    struct replay end;
    record_init(&record);
    bool ok = record_read_json("game", result->record, strlen(result->record), &record, e) &&
              replay_to(&end, &record, scenario, record.count, e);
    if (ok) {
        for (int i = 0; i < record.count; i++)
            record.actions[i].milliseconds = RECORD_NO_TIME;
        *out = (struct repro_repetition){
            .values = {[GAME_RED_POINTS] = o->payoff, [GAME_TURNS] = o->turns, [GAME_ACTIONS] = o->actions},
            .ms = (double)(o->think_ns[0] + o->think_ns[1]) * 1e-6};
        describe_end(scenario, end.state, out->values);
        snprintf(out->note, sizeof out->note, "%s", o->result);
        ok = record_write_json_of(&record, scenario, &out->game, e);
    }
    record_done(&record);
    return ok;
}

static bool take_game(void *context, const struct batch_result *game) {
    struct run *run = context;
    struct job_result result = {0};
    result.failed =
        !describe_game(game, run->scenarios[game->game->scenario], &result.repetition, &result.reason);
    return take(run, game->game->number, &result);
}

/* The games of a cell have its two players and the number of its scenario. A game that fails ends those under
 * way, and what the caller does beside them, by the caller's stop. */
static bool play_games(struct run *run, struct err *e) {
    const struct repro_experiment *x = run->experiment;
    const struct repro_options *o = run->options;
    struct batch_player players[2 * REPRO_CELLS_MAX];
    const size_t n = (size_t)run->pending_count;
    struct scheduled_game *games = mem_try_alloc(n * sizeof *games);
    const struct batch_list list = {.count = run->pending_count,
                                    .games = games,
                                    .outcomes = mem_try_alloc(n * sizeof *list.outcomes),
                                    .scenarios = run->scenarios};
    bool ok =
        (games != NULL && list.outcomes != NULL) || err_set(e, "not enough memory for %d games", list.count);
    for (int i = 0; i < 2 * x->cell_count; i++)
        players[i].spec = players[i].name = x->cells[i / 2].players[i % 2];
    for (int i = 0; ok && i < list.count; i++) {
        const int index = run->pending[i], cell = run->units[index].cell;
        games[i] = (struct scheduled_game){.number = index,
                                           .players = {2 * cell, 2 * cell + 1},
                                           .pair = -1,
                                           .seed = seed_of(run, index),
                                           .scenario = cell};
    }
    struct batch *batch = batch_open(&(struct batch_setup){.players = players,
                                                           .player_count = 2 * x->cell_count,
                                                           .clock = thinking_clock(o),
                                                           .workers = o->workers,
                                                           .records = true,
                                                           .stop = o->stop != NULL ? o->stop : &run->stop,
                                                           .take = take_game,
                                                           .context = run});
    ok = ok && batch_play(batch, &list, e);
    batch_close(batch, NULL);
    mem_free(games);
    mem_free(list.outcomes);
    return ok;
}

/* ---- repetitions that another experiment has done ---- */

/* Experiments with the same cells have their repetitions in common under one name. */
static const char *common_name(const struct repro_experiment *x) {
    return x->repetitions_of != NULL ? x->repetitions_of : x->name;
}

/* Of all that repetitions depend on. */
static uint64_t stored_key(const struct run *run) {
    const struct repro_experiment *x = run->experiment;
    const char *name = common_name(x);
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

/* A repetition from the journal of a sister; one that is there already is skipped. */
struct sister {
    struct run *run;
    struct err reason; /* why it could not be stored */
};

static bool take_from_sister(void *context, int index, const struct repro_repetition *repetition) {
    struct sister *sister = context;
    struct repro_repetition copy = *repetition;
    return sister->run->done[index] || store_repetition(sister->run, index, &copy, &sister->reason);
}

/* Repetitions that the folder has from an experiment with the same cells. Its games, if it has any, stay
 * where they are. */
static bool take_from_folder(struct run *run, struct err *e) {
    const struct repro_options *o = run->options;
    struct sister sister = {.run = run};
    for (const struct repro_experiment *const *y = repro_experiments; *y != NULL; y++) {
        const struct journal_head head = {(*y)->name, o->program, (*y)->version, run->result->repetitions,
                                          o->seed,    run->setup};
        const struct journal_reader reader = {run->count, take_from_sister, &sister};
        if (o->folder == NULL || o->fresh || *y == run->experiment ||
            strcmp(common_name(*y), common_name(run->experiment)) != 0)
            continue;
        if (!journal_read(o->folder, &head, &reader, e))
            return sister.reason.text[0] == '\0' || err_set(e, "%s", sister.reason.text);
    }
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
    const bool ok = run->experiment->run != NULL ? pool_run(&work, e) >= 0 : play_games(run, e);
    return ok && (!run->failed || err_set(e, "%s", run->reason.text));
}

/* ---- the whole ---- */

/* Also after a failure half-way: what was not opened is NULL or not counted. */
static void drop(struct run *run) {
    journal_close(&run->journal);
    for (int i = 0; i < run->map_count; i++)
        game_unload(run->maps[i]);
    for (int i = 0; i < run->experiment->cell_count; i++)
        if (run->experiment->cells[i].game != NULL)
            game_unload(run->scenarios[i]);
    mem_free(run->units);
    mem_free(run->results);
    mem_free(run->done);
    mem_free(run->pending);
}

#define AT(field) offsetof(struct repro_options, field)

const struct param repro_params[] = {
    {"quick", PARAM_FLAG, AT(quick), .help = "fewer repetitions: minutes"},
    {"trials", PARAM_INT, AT(repetitions), 1, REPRO_REPETITIONS_MAX,
     .help = "repetitions (trials) of a cell (default: as many as published)"},
    {PARAM_SEED_ROW(AT(seed))},
    {0},
};

/* Repetitions found in the journal count as done, and so do those of another experiment. The time is that
 * of this run alone. */
enum repro_outcome repro_run(const struct repro_experiment *experiment, const struct repro_options *options,
                             struct repro_result *out, struct err *e) {
    *out = (struct repro_result){.experiment = experiment, .seed = options->seed};
    out->repetitions = repro_repetitions(experiment, options);
    out->quick = options->quick && options->repetitions == 0;
    struct run run = {.experiment = experiment, .options = options, .result = out, .journal.file = -1};
    const int64_t start = clock_now_ns(options->clock);
    enum repro_outcome outcome = REPRO_FAILED;
    if (prepare(&run, e) && plan(&run, e)) {
        out->repetitions_all = run.count;
        if (open_journal(&run, e) && take_stored(&run, e) && take_from_folder(&run, e) &&
            run_pending(&run, e)) {
            outcome = out->repetitions_done < run.count ? REPRO_STOPPED : REPRO_DONE;
            out->seconds = clock_seconds_since(options->clock, start);
            if (outcome == REPRO_DONE) /* rows of some repetitions would look like a result */
                output_finish(&(struct repro_data){experiment, run.count, run.units, run.results}, out);
            if (out->failure.text[0] != '\0') {
                *e = out->failure;
                outcome = REPRO_FAILED;
            }
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
