/* SPDX-License-Identifier: MIT
 *
 * The experiments of Taguchi and Sato on map generation: their runs, the cost of judging a map, their
 * algorithm against random maps, and what sets maps of low and of high fitness apart. mapgen_search.c has
 * those on the algorithm itself.
 */
#include "evolve/evolution.h"
#include "repro/experiments.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAPGEN_SOURCE "Taguchi and Sato, IPSJ SIG Technical Report, 2019"

/* The evaluator sets its stop when something fails; a repetition must not stop the others that way. So it
 * has its own, and looks at the run's after each game. */
struct mapgen_stop {
    const atomic_bool *outer;
    atomic_bool own;
};

/* ---- whole runs ---- */

/* Settings have the names and the values of `senjutsu evolve`. */
static bool set_pairs(struct recipe *recipe, const char *settings, struct err *e) {
    char copy[512];
    char *pairs[32];
    assert(strlen(settings) < sizeof copy);
    snprintf(copy, sizeof copy, "%s", settings);
    const int count = settings[0] == '\0' ? 0 : text_split(copy, ' ', pairs, 32);
    assert(count >= 0);
    for (int i = 0; i < count; i++) {
        char *value = strchr(pairs[i], '=');
        if (value == NULL)
            return err_set(e, "'%s' sets nothing; expected name=value", pairs[i]);
        *value = '\0';
        if (!recipe_set(recipe, pairs[i], value + 1, e))
            return false;
    }
    return true;
}

/* Called after each game. */
static void pass_stop(void *context, const struct sample_game *sample, bool stored) {
    (void)sample, (void)stored;
    struct mapgen_stop *stop = context;
    if (budget_is_stopped(stop->outer))
        atomic_store(&stop->own, true);
}

/* On the repetition's own thread, with nothing stored. */
static struct evaluator *open_evaluator(const struct repro_task *task, const struct plan *plan,
                                        struct mapgen_stop *stop, struct err *e) {
    stop->outer = task->stop;
    atomic_init(&stop->own, false);
    const struct evaluator_setup setup = {.rules = plan->rules,
                                          .strong = plan->recipe.strong,
                                          .weak = plan->recipe.weak,
                                          .seed = task->seed,
                                          .workers = 1,
                                          .stop = &stop->own,
                                          .on_game = pass_stop,
                                          .context = stop};
    return evaluator_open(&setup, e);
}

/* A run that was stopped is incomplete and no result, whatever generations it has. */
bool mapgen_evolve(const struct repro_task *task, const char *preset, const char *settings, struct plan *plan,
                   struct evolution *out, struct err *e) {
    struct recipe recipe;
    struct mapgen_stop stop;
    struct evolution_run run = {0};
    bool complete = false;
    *out = (struct evolution){.plan = plan, .seed = task->seed};
    const bool ok = recipe_preset(&recipe, preset, e) && set_pairs(&recipe, settings, e) &&
                    recipe_plan(&recipe, plan, e) &&
                    (run.evaluator = open_evaluator(task, plan, &stop, e)) != NULL &&
                    evolution_play(&run, out, &complete, e);
    evaluator_close(run.evaluator);
    return ok && (complete || err_set(e, "stopped"));
}

/* Without a map to show all values stay 0. */
bool mapgen_run(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const struct mapgen_run *how = (const struct mapgen_run *)task->experiment->details + task->unit.cell;
    struct repro_task of = *task;
    struct plan plan;
    struct evolution run;
    if (how->same_seed)
        of.seed = task->deal_seed;
    const bool ok = mapgen_evolve(&of, how->preset, how->settings, &plan, &run, e);
    if (ok && run.shown_count > 0)
        how->describe(&run, out);
    evolution_done(&run);
    return ok;
}

/* ---- single maps ---- */

/* An evaluator for a repetition that judges maps by itself. It must not move while it is open. */
struct mapgen_judge {
    struct plan plan; /* the published setting */
    struct mapgen_stop stop;
    struct evaluator *evaluator;
};

/* What a repetition does with its evaluator: the `details` of an experiment. */
struct judging {
    bool (*work)(struct mapgen_judge *judge, const struct repro_task *task, struct repro_repetition *out,
                 struct err *e);
};

static bool run_judging(const struct repro_task *task, struct repro_repetition *out, struct err *e) {
    const struct judging *how = task->experiment->details;
    struct recipe recipe;
    struct mapgen_judge judge = {.evaluator = NULL};
    const bool ok = recipe_preset(&recipe, "paper", e) && recipe_plan(&recipe, &judge.plan, e) &&
                    (judge.evaluator = open_evaluator(task, &judge.plan, &judge.stop, e)) != NULL &&
                    how->work(&judge, task, out, e);
    evaluator_close(judge.evaluator);
    return ok;
}

/* Plays games[0] more contests (half of them from each side) and games[1] more games of peers. False also
 * when stopped. */
static bool mapgen_judge_more(struct mapgen_judge *judge, int id, const struct tbs_map *map,
                              const int games[2], struct judgement *into, struct err *e) {
    const struct request of = {.id = id, .map = map, .into = into};
    const int counts[SAMPLE_KINDS] = {games[0] / 2, games[0] - games[0] / 2, games[1]};
    struct request requests[SAMPLE_KINDS];
    const int count = request_more(&of, counts, requests);
    bool complete = false;
    return evaluator_play(judge->evaluator, requests, count, &complete, e) &&
           (complete || err_set(e, "stopped"));
}

/* The published fitness is of ten games; other numbers of games are scaled to ten. */
double mapgen_fitness(const struct judgement *judgement) {
    const int contests = judgement_contests(judgement);
    return contests > 0 ? judgement_fitness(10 * judgement_points(judgement) / contests, 10) : 1;
}

/* ---- figures 3 to 5 ----
 *
 * Figures 3 to 5 of Taguchi and Sato (section 5): runs of the published algorithm, 80 maps at birth, 40
 * afterwards, ten generations. In two of their three runs the best fitness did not change; in the third
 * both best and mean rose. Three runs are few to show how often that happens, so ours are more. */

enum {
    GENERATIONS = 10,
    POINTS = GENERATIONS + 1,
    BEST = 0,
    MEAN = POINTS,
    FRESH = 2 * POINTS,
    PUBLISHED_RUNS = 3
};

static const char *const runs_value_names[] = {
    "best_0", "best_1", "best_2",  "best_3", "best_4", "best_5",  "best_6",      "best_7",
    "best_8", "best_9", "best_10", "mean_0", "mean_1", "mean_2",  "mean_3",      "mean_4",
    "mean_5", "mean_6", "mean_7",  "mean_8", "mean_9", "mean_10", "elite_fresh", NULL};

static const struct repro_cell runs_cells[] = {{"[as_published|as published]", 0, {NULL}}};

/* Best and mean are those that the algorithm saw. The last elite's fresh games played no part in its
 * selection. */
void mapgen_describe_history(const struct evolution *ev, struct repro_repetition *out) {
    assert(ev->generation_count == POINTS);
    for (int g = 0; g < POINTS; g++) {
        out->values[BEST + g] = ev->generations[g].best;
        out->values[MEAN + g] = ev->generations[g].mean;
    }
    const struct individual *elite = &ev->individuals[ev->shown[0]];
    out->values[FRESH] = mapgen_fitness(&elite->fresh);
    snprintf(out->note, sizeof out->note, "elite %d: selected with %g, %d fresh games: %.1f points",
             elite->id, elite->fitness, judgement_contests(&elite->fresh), judgement_points(&elite->fresh));
}

static const struct mapgen_run runs_method = {"paper", "show=1", mapgen_describe_history, false};

/* ---- what came out ---- */

/* A line of data: the generation, means over all runs, and each run's best and mean. */
static void add_generation(const struct repro_data *data, int g, struct text *out) {
    text_add(out, "%d,%.17g,%.17g", g, rows_sum(data, 0, BEST + g).mean, rows_sum(data, 0, MEAN + g).mean);
    for (int i = 0; i < data->count; i++)
        text_add(out, ",%.17g,%.17g", data->results[i].values[BEST + g], data->results[i].values[MEAN + g]);
    text_add_string(out, "\n");
}

/* The paper draws its three runs, each in a figure. Here all runs are thin lines of one figure, under their
 * means. */
static void plot_runs(const struct repro_data *data, struct repro_result *out) {
    struct repro_plot *plot =
        plot_add(out, "fitness", "Best and mean fitness by generation, all runs (figures 3 to 5)");
    text_add_string(&plot->data, "generation,best over all runs,mean over all runs");
    for (int i = 0; i < data->count; i++)
        text_add(&plot->data, ",best of run %d,mean of run %d", i + 1, i + 1);
    text_add_string(&plot->data, "\n");
    for (int g = 0; g < POINTS; g++)
        add_generation(data, g, &plot->data);
    text_add_string(&plot->commands, "set yrange [0:220]\nset xrange [0:10]\n");
    plot_key(plot, 4);
    plot_axes(plot, "[generation|generation]", "[fitness|fitness]");
    text_add_string(&plot->drawing, "plot ");
    for (int i = 0; i < data->count; i++)
        for (int mean = 0; mean < 2; mean++) {
            text_add(&plot->drawing, "data skip 1 using 1:%d with lines lc rgb \"%s\" lw 1 ",
                     4 + 2 * i + mean, mean ? "#f2b77c" : "#9dbfe0");
            if (i == 0)
                text_add(
                    &plot->drawing, "title \"%s\", \\\n     ",
                    plot_text(plot, mean ? "[mean_each|mean, each run]" : "[best_each|best, each run]").text);
            else
                text_add_string(&plot->drawing, "notitle, \\\n     ");
        }
    const struct rows_label best_all = plot_text(plot, "[best_all|best, mean of all runs]"),
                            mean_all = plot_text(plot, "[mean_all|mean, mean of all runs]");
    text_add(&plot->drawing,
             "data skip 1 using 1:2 with linespoints lc rgb \"#1f5fa8\" pt 7 lw 3 title \"%s\", \\\n"
             "     data skip 1 using 1:3 with linespoints lc rgb \"#c05a00\" pt 7 lw 3 title \"%s\"\n",
             best_all.text, mean_all.text);
    plot_script(plot);
}

/* Of a fitness on the published scale. */
#define FITNESS_RANGE ((struct rows_range){1, 216})

/* "In some runs": in more than one of ten. */
#define SOME 0.1

static struct repro_row *add_mean(const struct repro_data *data, struct repro_result *out, const char *label,
                                  int value) {
    return rows_add_mean(out, label, "", 1, rows_sum(data, 0, value), FITNESS_RANGE);
}

/* The first row is the only one with a published figure: two runs of three. */
static void runs_finish(const struct repro_data *data, struct repro_result *out) {
    int unchanged = 0, mean_rose = 0, above = 0;
    for (int i = 0; i < data->count; i++) {
        const double *v = data->results[i].values;
        unchanged += !(v[BEST + GENERATIONS] > v[BEST]);
        mean_rose += v[MEAN + GENERATIONS] > v[MEAN];
        for (int g = 0; g < POINTS; g++)
            above += v[BEST + g] > 216;
    }
    rows_add_share(out, "[runs_unchanged|runs whose best fitness did not change]",
                   (struct rows_published){200.0 / 3, PUBLISHED_RUNS}, unchanged, data->count);
    rows_add_share(out, "[runs_risen|runs whose mean fitness rose]",
                   (struct rows_published){100.0 / 3, PUBLISHED_RUNS}, mean_rose, data->count);
    const struct repro_row *birth = add_mean(data, out, "[best_at_birth|best at birth]", BEST);
    const struct repro_row *end =
        add_mean(data, out, "[best_after|best after {10} generations]", BEST + GENERATIONS);
    add_mean(data, out, "[mean_at_birth|mean at birth]", MEAN);
    add_mean(data, out, "[mean_after|mean after {10} generations]", MEAN + GENERATIONS);
    const struct repro_row *fresh =
        add_mean(data, out, "[last_elite|the last elite in 200 fresh games]", FRESH);
    const struct proportion stays = {unchanged, data->count}, rises = {data->count - unchanged, data->count};
    const struct rows_term flattery[] = {{0, BEST + GENERATIONS, 1}, {0, FRESH, -1}};
    rows_add_finding(out, TESTS(test_share_above(stays, SOME)), "finding.some_runs_best_fitness",
                     "in some runs the best fitness does not change in ten generations");
    rows_add_finding(out, TESTS(test_share_above(rises, SOME)), "finding.some_runs_rises_from",
                     "in some runs it rises (from %.1f to %.1f on average)", birth->ours, end->ours);
    rows_add_finding(out, TESTS(test_claim(above == 0)), "finding.no_fitness_exceeds_ceiling",
                     "no fitness exceeds the ceiling of 216");
    rows_add_finding(out, TESTS(rows_is_above(rows_contrast(data, flattery, 2), 0)),
                     "finding.selection_flatters_last_elite",
                     "selection flatters: the last elite has %.1f by the games that selected it, %.1f by "
                     "fresh ones (ours, not the paper's)",
                     end->ours, fresh->ours);
    plot_runs(data, out);
}

const struct repro_experiment repro_mapgen_trials = {
    REPRO_EXPERIMENT("mapgen", "trials", runs_cells),
    .title = "runs of the published genetic algorithm: best and mean fitness by generation",
    .source = MAPGEN_SOURCE ", section 5, figures 3 to 5",
    .published = "3 runs: the elite's fitness stays in two and rises in one; the ceiling is 216",
    .duration = "about five minutes on two cores (20 runs of 480 maps)",
    .version = 1,
    .repetitions = 20,
    .repetitions_quick = 3,
    .value_names = runs_value_names,
    .run = mapgen_run,
    .details = &runs_method,
    .finish = runs_finish,
};

/* ---- the cost of judging a map ----
 *
 * Section 5.1.4 of Taguchi and Sato: how long it takes to judge one map, ten games of M-UCT with 250
 * simulations against 10. A repetition is a random map of the published kind. */

enum { FITNESS, ACTIONS, UNITS };

static const struct repro_cell cost_cells[] = {{"[random_map|a random map]", 0, {NULL}}};

/* Only the games are timed, not drawing the map or opening the players. */
static bool judge_one(struct mapgen_judge *judge, const struct repro_task *task, struct repro_repetition *out,
                      struct err *e) {
    static const int games[2] = {10, 0};
    struct rng r;
    struct genome genome;
    struct tbs_map map;
    struct judgement judgement = {0};
    rng_seed(&r, task->seed);
    genome_random(&judge->plan.space, &r, &genome);
    genome_to_map(&judge->plan.space, &genome, &map);
    const int64_t start = clock_now_ns(task->clock);
    if (!mapgen_judge_more(judge, 0, &map, games, &judgement, e))
        return false;
    out->ms = (double)(clock_now_ns(task->clock) - start) * 1e-6;
    out->values[FITNESS] = judgement_fitness(judgement_points(&judgement), judgement_contests(&judgement));
    out->values[ACTIONS] = (double)judgement.actions;
    out->values[UNITS] = map.unit_count;
    return true;
}

/* The paper's machine is another one, so a shorter time is all that can be claimed. */
static void cost_finish(const struct repro_data *data, struct repro_result *out) {
    const struct cell_sum time = rows_sum(data, 0, CELL_TIME);
    rows_add_time(out, "[ten_games|ten games on one map]", 15000, time);
    add_mean(data, out, "[random_fitness|fitness of a random map]", FITNESS);
    rows_add_mean(out, "[actions_in_ten|actions in ten games]", "", 1, rows_sum(data, 0, ACTIONS),
                  ROWS_NOT_NEGATIVE);
    rows_add_finding(out, TESTS(test_less(rows_is_above(time, 15000))), "finding.map_judged_sooner_published",
                     "a map is judged sooner than published (ours: %.0f ms)", time.mean);
}

const struct repro_experiment repro_mapgen_cost = {
    REPRO_EXPERIMENT("mapgen", "cost", cost_cells),
    .title = "how long it takes to judge one map",
    .source = MAPGEN_SOURCE ", section 5.1.4",
    .published = "about 15 seconds on a Pentium G4400",
    .duration = "about ten seconds",
    .version = 1,
    .repetitions = 200,
    .repetitions_quick = 40,
    .value_names = (const char *const[]){"fitness", "actions", "units", NULL},
    .run = run_judging,
    .details = &(const struct judging){judge_one},
    .finish = cost_finish,
};

/* ---- the algorithm against random maps ----
 *
 * The published algorithm, random maps and the designer preset are compared, each with as many games as the
 * published run has (480 maps, ten games each). Each run's best map is then judged by fresh games: the
 * score that selected it is the largest of many noisy numbers and too high. */

enum { PAPER, RANDOM, DESIGNER, SAME_SPACE, METHODS_CELLS };
enum { SELECTED, FRESH_FITNESS, FRESH_SHARE, FRESH_RED, NATURAL, METHODS_MAPS, GAMES };

static const struct repro_cell methods_cells[METHODS_CELLS] = {
    [PAPER] = {"[published_algorithm|published algorithm]", 0, {NULL}},
    [RANDOM] = {"[random_maps|random maps]", 0, {NULL}},
    [DESIGNER] = {"[designer_preset|designer preset]", 0, {NULL}},
    [SAME_SPACE] = {"[algorithm|published], [designers_maps|designer's maps]", 0, {NULL}},
};

/* The first map shown is the best one by the games that selected it. */
void mapgen_describe_best(const struct evolution *ev, struct repro_repetition *out) {
    assert(ev->shown_count > 0);
    const struct individual *best = &ev->individuals[ev->shown[0]];
    out->values[SELECTED] = mapgen_fitness(&best->judgement);
    out->values[FRESH_FITNESS] = mapgen_fitness(&best->fresh);
    out->values[FRESH_SHARE] = judgement_strength(&best->fresh).value;
    out->values[FRESH_RED] = judgement_red(&best->fresh).value;
    out->values[NATURAL] = best->static_features.natural;
    out->values[METHODS_MAPS] = ev->evaluations;
    out->values[GAMES] = ev->generations[ev->generation_count - 1].games;
    snprintf(out->note, sizeof out->note, "map %d: %d games selected it, %d fresh ones", best->id,
             judgement_contests(&best->judgement), judgement_contests(&best->fresh));
}

static const struct mapgen_run methods_runs[METHODS_CELLS] = {
    [PAPER] = {"paper", "show=1", mapgen_describe_best, false},
    [RANDOM] = {"random", "show=1", mapgen_describe_best, false},
    [DESIGNER] = {"designer", "budget=4800 generations=1000 show=1", mapgen_describe_best, false},
    /* Separates the effect of the kind of maps from that of the algorithm. */
    [SAME_SPACE] = {"paper",
                    "show=1 red_min=3 blue_min=3 hp_low=5 symmetry=turn patches=0.7 tidy=yes "
                    "terrain=plain=60,wood=16,mountain=10,sea=4,road=6,fortress=4",
                    mapgen_describe_best, false},
};

/* Judged by fresh games: by those that selected a map every method looks better than it is. */
static void methods_finish(const struct repro_data *data, struct repro_result *out) {
    double selected[METHODS_CELLS], fresh[METHODS_CELLS];
    const struct rows_column columns[] = {
        {ROWS_MEAN, SELECTED, ", [selected_by|fitness that selected its best]", .range = FITNESS_RANGE,
         .means = selected},
        {ROWS_MEAN, FRESH_FITNESS, ", [in_fresh_games|in fresh games]", .range = FITNESS_RANGE,
         .means = fresh},
        {ROWS_MEAN, FRESH_SHARE, ", [strong_score|strong's score], [fresh|fresh]", NULL, "%", 100, ROWS_UNIT},
        {ROWS_MEAN, FRESH_RED, ", [red_score|red's score between equals]", NULL, "%", 100, ROWS_UNIT},
        {ROWS_MEAN, NATURAL, ", [naturalness|naturalness]", .range = ROWS_UNIT},
        {ROWS_MEAN, METHODS_MAPS, ", [maps_judged|maps judged]", .range = ROWS_NOT_NEGATIVE},
        {ROWS_MEAN, GAMES, ", [games|games]", .range = ROWS_NOT_NEGATIVE},
    };
    rows_add_columns(data, out, (struct rows_span){0, METHODS_CELLS}, columns,
                     sizeof columns / sizeof columns[0]);
    struct cell_sum fresh_games[METHODS_CELLS], flattery[METHODS_CELLS];
    struct test flattered[METHODS_CELLS];
    for (int cell = 0; cell < METHODS_CELLS; cell++) {
        const struct rows_term terms[] = {{cell, SELECTED, 1}, {cell, FRESH_FITNESS, -1}};
        fresh_games[cell] = rows_sum(data, cell, FRESH_FITNESS);
        flattery[cell] = rows_contrast(data, terms, 2);
        flattered[cell] = rows_is_above(flattery[cell], 0);
    }
    rows_add_finding(out,
                     TESTS(rows_is_above(rows_difference(fresh_games[DESIGNER], fresh_games[PAPER]), 0),
                           rows_is_above(rows_difference(fresh_games[DESIGNER], fresh_games[RANDOM]), 0)),
                     "finding.many_games_designer_preset",
                     "with as many games the designer preset's best map is the best in fresh games: %.1f, "
                     "published %.1f, random %.1f",
                     fresh[DESIGNER], fresh[PAPER], fresh[RANDOM]);
    rows_add_finding(out, flattered, METHODS_CELLS, "finding.what_map_was_selected",
                     "what a map was selected by flatters it, on average in each row of runs");
    rows_add_finding(out, TESTS(rows_is_above(rows_difference(flattery[PAPER], flattery[DESIGNER]), 0)),
                     "finding.judging_elites_again_lessens",
                     "judging elites again lessens that (by %.1f in place of %.1f)",
                     selected[DESIGNER] - fresh[DESIGNER], selected[PAPER] - fresh[PAPER]);
    rows_add_finding(
        out, TESTS(rows_is_above(rows_difference(fresh_games[DESIGNER], fresh_games[SAME_SPACE]), 0)),
        "finding.not_only_kind_maps",
        "that is not only the kind of maps: the published algorithm on maps of the designer's kind "
        "has %.1f",
        fresh[SAME_SPACE]);
}

const struct repro_experiment repro_mapgen_random = {
    REPRO_EXPERIMENT("mapgen", "random", methods_cells),
    .title = "best maps of the published algorithm, of random maps and of the designer preset, same games",
    .source = MAPGEN_SOURCE ", section 5 (compared in words)",
    .published = "(compared qualitatively)",
    .duration = "about six minutes on two cores",
    .version = 2,
    .repetitions = 5,
    .repetitions_quick = 1,
    .value_names = (const char *const[]){"selected", "fresh_fitness", "fresh_share", "fresh_red", "natural",
                                         "maps", "games", NULL},
    .run = mapgen_run,
    .details = methods_runs,
    .finish = methods_finish,
    .bars = {{"share", "Fresh games on the best map: strong's score, and red's between equals", "%",
              "[axis_score|score (%)]", .level = 50}},
};

/* ---- what people felt ----
 *
 * Section 6 of Taguchi and Sato: five people played two random maps of the least fitness (1), two of the
 * greatest (216) and two made by people. They rated how much there was to think about and whether a person
 * had made the map. Here many maps of each group are measured; the ratings should show in the numbers. The
 * competition maps of the paper are not available; ours of about that size replace them. */

enum { LOW, HIGH, HAND, FEATURES_CELLS };
enum { FIRST_SIDE, TURNS, ATTACKS, CHOICES, USELESS, COHERENCE, NATURALNESS, STRENGTH, VALUES };
enum { TRIES_MAX = 5000, FEATURE_CONTESTS = 40, FEATURE_PEERS = 40 };

static const char *const maps[] = {"standard",      "standard8",       "skirmish_ground",
                                   "skirmish_open", "skirmish_cannon", "skirmish_infantry",
                                   "airlift",       "fortress_siege",  NULL};
enum { FEATURES_MAPS = sizeof maps / sizeof maps[0] - 1 };

static const struct repro_cell features_cells[FEATURES_CELLS] = {
    [LOW] = {"[low_fitness|low fitness]", 0, {NULL}},
    [HIGH] = {"[high_fitness|high fitness]", 0, {NULL}},
    [HAND] = {"[hand_made|hand-made]", 0, {NULL}},
};

/* Draws random maps until ten games give one the fitness asked for, as the paper did. */
static bool find_map(struct mapgen_judge *judge, uint64_t seed, double fitness, struct tbs_map *out,
                     struct err *e) {
    static const int games[2] = {10, 0};
    struct rng r;
    rng_seed(&r, seed);
    for (int id = 0; id < TRIES_MAX; id++) {
        struct genome genome;
        struct judgement judgement = {0};
        genome_random(&judge->plan.space, &r, &genome);
        genome_to_map(&judge->plan.space, &genome, out);
        if (!mapgen_judge_more(judge, id, out, games, &judgement, e))
            return false;
        const double found = judgement_fitness(judgement_points(&judgement), 10);
        if (!(found < fitness) && !(found > fitness))
            return true;
    }
    return err_set(e, "no random map of fitness %g in %d", fitness, TRIES_MAX);
}

/* Maps made by people are taken in turn, others are drawn until one has the fitness. */
static bool measure(struct mapgen_judge *judge, const struct repro_task *task, struct repro_repetition *out,
                    struct err *e) {
    static const int games[2] = {FEATURE_CONTESTS, FEATURE_PEERS};
    struct judgement judgement = {0};
    struct static_features measured;
    struct tbs_map map;
    if (task->unit.cell == HAND) {
        const int which = task->unit.rep % FEATURES_MAPS;
        map = *tbs_scenario_map(task->maps[which]);
        snprintf(out->note, sizeof out->note, "%s", maps[which]);
    } else if (!find_map(judge, task->seed, task->unit.cell == LOW ? 1 : 216, &map, e)) {
        return false;
    }
    /* A number of its own: none of the games that found the map are looked at again. */
    if (!mapgen_judge_more(judge, TRIES_MAX, &map, games, &judgement, e))
        return false;
    static_features_of(&map, judge->plan.rules, &measured);
    out->values[FIRST_SIDE] = judgement_red(&judgement).value;
    out->values[TURNS] = judgement_turns(&judgement);
    out->values[ATTACKS] = measured.first_attacks[TBS_RED];
    out->values[CHOICES] = judgement_first_kills_mean(&judgement, TBS_RED);
    out->values[USELESS] = measured.no_prey[TBS_RED] + measured.no_prey[TBS_BLUE];
    out->values[COHERENCE] = measured.coherence;
    out->values[NATURALNESS] = measured.natural;
    out->values[STRENGTH] = judgement_strength(&judgement).value;
    return true;
}

/* ---- what came out ---- */

static const struct rows_column features[VALUES] = {
    [FIRST_SIDE] = {ROWS_MEAN, FIRST_SIDE, NULL, "[first_score|first side's score], ", "%", 100, {0, 1}},
    [TURNS] = {ROWS_MEAN, TURNS, NULL, "[turns_a_game|turns a game], ", .range = {0, (double)INFINITY}},
    [ATTACKS] = {ROWS_MEAN, ATTACKS, NULL, "[attacks_on_turn_1|attacks on turn 1], ",
                 .range = {0, (double)INFINITY}},
    [CHOICES] = {ROWS_MEAN, CHOICES, NULL, "[destroyed_on_turn_1|destroyed on turn 1], ",
                 .range = {0, (double)INFINITY}},
    [USELESS] = {ROWS_MEAN, USELESS, NULL, "[useless_units|useless units], ", .range = {0, (double)INFINITY}},
    [COHERENCE] = {ROWS_MEAN, COHERENCE, NULL, "[coherence|coherence of terrain], ", .range = {0, 1}},
    [NATURALNESS] = {ROWS_MEAN, NATURALNESS, NULL, "[naturalness|naturalness], ", .range = {0, 1}},
    [STRENGTH] = {ROWS_MEAN, STRENGTH, NULL, "[strong_score|strong's score], ", "%", 100, {0, 1}},
};

/* How far from a half the first side's score is on a map. */
static double imbalance(const struct repro_repetition *repetition) {
    return fabs(repetition->values[FIRST_SIDE] - 0.5);
}

/* Whether a value is higher on the maps of one group than on those of another. */
static struct test is_higher(const struct repro_data *data, int value, int more, int less) {
    return rows_is_above(rows_difference(rows_sum(data, more, value), rows_sum(data, less, value)), 0);
}

/* Table 1 of the paper: five people's mean ratings, from 1 to 5, of two maps of each group, and the interval
 * printed behind each mean. */
enum { RATERS = 5, RATED_MAPS = 2, QUESTIONS = 2, RATING_MIN = 1, RATING_MAX = 5 };

static const struct {
    const char *question;
    struct {
        double mean, margin;
    } ratings[FEATURES_CELLS][RATED_MAPS];
} people[QUESTIONS] = {
    {"[looks_hand_made|looks hand-made]",
     {[LOW] = {{2.2, 2.6}, {1.2, 0.88}},
      [HIGH] = {{2.2, 2.6}, {2.0, 1.1}},
      [HAND] = {{3.8, 3.2}, {4.0, 3.4}}}},
    {"[fun|fun to think about]",
     {[LOW] = {{3.4, 3.3}, {3.2, 3.5}},
      [HIGH] = {{4.4, 1.1}, {4.4, 1.8}},
      [HAND] = {{4.6, 2.6}, {5.0, 0.0}}}},
};

static void add_ratings(struct repro_result *out) {
    for (int i = 0; i < QUESTIONS; i++)
        for (int cell = 0; cell < FEATURES_CELLS; cell++)
            for (int k = 0; k < RATED_MAPS; k++) {
                const struct rows_label label = rows_label("[people|people]: %s, %s %c", people[i].question,
                                                           features_cells[cell].label, 'A' + k);
                struct repro_row *row = rows_add(out, label.text, "of 5", people[i].ratings[cell][k].mean);
                row->published_margin = people[i].ratings[cell][k].margin;
                row->published_n = RATERS;
                row->repetitions = 0; /* none of ours */
                rows_set_verdict(row, VERDICT_NONE, "verdict.rated", "±%g as printed, %d people",
                                 row->published_margin, RATERS);
            }
}

/* The upper panels are about playing on a map, the lower ones about its looks; people's ratings come first.
 * Each of ours has the rows of one value. */
enum { PANELS = 8 };

static const struct mapgen_panel feature_panels[PANELS] = {
    {"[people|people]: [fun|fun to think about]", 0.8, 5.2},
    {"[strong_score|strong's score] (%)", 0, 100},
    {"[turns_a_game|turns a game]", 0, (double)INFINITY},
    {"[attacks_on_turn_1|attacks on turn 1]", 0, (double)INFINITY},
    {"[people|people]: [looks_hand_made|looks hand-made]", 0.8, 5.2},
    {"[naturalness|naturalness]", 0, 1},
    {"[coherence|coherence of terrain]", 0, 1},
    {"[useless_units|useless units]", 0, (double)INFINITY},
};

/* Of each panel: the value, or -1 - question. */
static const int feature_values[PANELS] = {-2, STRENGTH, TURNS, ATTACKS, -1, NATURALNESS, COHERENCE, USELESS};

/* A printed interval reaches beyond the scale; it is drawn within it. */
static struct mapgen_point rating_point(int panel, int cell, int question, int map) {
    const double mean = people[question].ratings[cell][map].mean,
                 margin = people[question].ratings[cell][map].margin;
    return (struct mapgen_point){.panel = panel,
                                 .place = cell,
                                 .series = map,
                                 .value = mean,
                                 .low = fmax(mean - margin, RATING_MIN),
                                 .high = fmin(mean + margin, RATING_MAX)};
}

static void plot_features(struct repro_result *out) {
    struct mapgen_point points[PANELS * FEATURES_CELLS * RATED_MAPS];
    const char *groups[FEATURES_CELLS];
    int count = 0;
    for (int cell = 0; cell < FEATURES_CELLS; cell++)
        groups[cell] = features_cells[cell].label;
    for (int panel = 0; panel < PANELS; panel++)
        for (int cell = 0; cell < FEATURES_CELLS; cell++)
            if (feature_values[panel] >= 0) {
                const struct repro_row *row = &out->rows[feature_values[panel] * FEATURES_CELLS + cell];
                points[count++] = mapgen_point_of(row, panel, cell, -1);
            } else {
                for (int k = 0; k < RATED_MAPS; k++)
                    points[count++] = rating_point(panel, cell, -1 - feature_values[panel], k);
            }
    const struct mapgen_panels layout = {
        .suffix = "groups",
        .title = "Ratings of five people (as printed, within the scale), and our measurements",
        .panels = feature_panels,
        .count = PANELS,
        .columns = 2,
        .places = groups,
        .place_count = FEATURES_CELLS,
        .series = {"[rated_map|map {A}]", "[rated_map|map {B}]"},
    };
    mapgen_plot_panels(out, &layout, points, count);
}

/* People's ratings cannot be repeated. They stand beside our numbers without a verdict, and the findings
 * say what in the numbers goes with them. */
static void features_finish(const struct repro_data *data, struct repro_result *out) {
    for (int value = 0; value < VALUES; value++)
        rows_add_columns(data, out, (struct rows_span){0, FEATURES_CELLS}, &features[value], 1);
    add_ratings(out);
    plot_features(out);
    const struct cell_sum low = rows_sum_of(data, LOW, imbalance), high = rows_sum_of(data, HIGH, imbalance);
    rows_add_finding(out, TESTS(rows_is_above(rows_difference(low, high), 0)), "finding.on_low_fitness_maps",
                     "on low-fitness maps the side decides: the first side's score is %.0f points from even, "
                     "on high-fitness ones %.0f",
                     100 * low.mean, 100 * high.mean);
    rows_add_finding(out, TESTS(is_higher(data, ATTACKS, HIGH, LOW)), "finding.high_fitness_maps_offer",
                     "high-fitness maps offer the first side more attacks to choose from");
    rows_add_finding(out, TESTS(is_higher(data, TURNS, HIGH, LOW)), "finding.low_fitness_maps_end",
                     "low-fitness maps end sooner");
    rows_add_finding(
        out, TESTS(is_higher(data, COHERENCE, HAND, HIGH), is_higher(data, NATURALNESS, HAND, HIGH)),
        "finding.hand_made_maps_have",
        "hand-made maps have coherent terrain and look natural; fitness alone does not bring that");
    rows_add_finding(out, TESTS(is_higher(data, USELESS, HIGH, HAND)), "finding.random_maps_have_useless",
                     "random maps have useless units, hand-made ones hardly any");
}

const struct repro_experiment repro_mapgen_features = {
    REPRO_EXPERIMENT("mapgen", "features", features_cells),
    .title = "what sets low-fitness, high-fitness and hand-made maps apart",
    .source = MAPGEN_SOURCE ", section 6, table 1",
    .published =
        "5 people, 6 maps: \"fun to think about\" 3.4 and 3.2 for low-fitness, 4.4 and 4.4 for high-fitness, "
        "4.6 and 5.0 for hand-made maps",
    .duration = "about two minutes on two cores",
    .version = 1,
    .repetitions = 40,
    .repetitions_quick = 8,
    .maps = maps,
    .value_names = (const char *const[]){"first_side", "turns", "attacks", "first_kills", "useless",
                                         "coherence", "naturalness", "strength", NULL},
    .run = run_judging,
    .details = &(const struct judging){measure},
    .finish = features_finish,
};
