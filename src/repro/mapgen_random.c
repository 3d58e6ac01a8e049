/* SPDX-License-Identifier: MIT
 *
 * Is the algorithm worth it? The published one, random maps and the designer preset, each with as many games
 * as the published run has (480 maps, ten games each). Each run's best map is then judged afresh: what it was
 * selected by is the largest of many noisy numbers and flatters.
 */
#include "repro/mapgen.h"
#include "repro/plot.h"

#include <assert.h>
#include <stdio.h>

enum { PAPER, RANDOM, DESIGNER, SAME_SPACE, CELLS };
enum { SELECTED, FRESH_FITNESS, FRESH_SHARE, FRESH_RED, NATURAL, MAPS, GAMES };

static const char *const value_names[] = {"selected", "fresh_fitness", "fresh_share", "fresh_red",
                                          "natural",  "maps",          "games",       NULL};

static const struct repro_cell cells[CELLS] = {
    [PAPER] = {"published algorithm", 0, {NULL}},
    [RANDOM] = {"random maps", 0, {NULL}},
    [DESIGNER] = {"designer preset", 0, {NULL}},
    [SAME_SPACE] = {"published, designer's maps", 0, {NULL}},
};

/* What is run for each. */
struct method_run {
    const char *preset, *settings;
};

static const struct method_run runs[CELLS] = {
    [PAPER] = {"paper", "show=1"},
    [RANDOM] = {"random", "show=1"},
    [DESIGNER] = {"designer", "budget=4800 generations=1000 show=1"},
    /* Which part of the difference is the kind of maps, and which the algorithm? */
    [SAME_SPACE] = {"paper", "show=1 red_min=3 blue_min=3 hp_low=5 symmetry=turn patches=0.7 tidy=yes "
                             "terrain=plain=60,wood=16,mountain=10,sea=4,road=6,fortress=4"},
};

void mapgen_describe_best(const struct evolution *ev, struct repro_trial *out) {
    assert(ev->shown_count > 0);
    const struct individual *best = &ev->individuals[ev->shown[0]];
    out->values[SELECTED] = mapgen_fitness(&best->judgement);
    out->values[FRESH_FITNESS] = mapgen_fitness(&best->fresh);
    out->values[FRESH_SHARE] = judgement_strength(&best->fresh).value;
    out->values[FRESH_RED] = judgement_red(&best->fresh).value;
    out->values[NATURAL] = best->looks.natural;
    out->values[MAPS] = ev->evaluations;
    out->values[GAMES] = ev->generations[ev->generation_count - 1].games;
    snprintf(out->note, sizeof out->note, "map %d: %d games selected it, %d fresh ones", best->id,
             judgement_contests(&best->judgement), judgement_contests(&best->fresh));
}

static bool run(const struct repro_task *task, struct repro_trial *out, struct err *e) {
    const struct method_run *how = &runs[task->unit.cell];
    struct plan plan;
    struct evolution ev;
    const bool ok = mapgen_evolve(task, how->preset, how->settings, &plan, &ev, e);
    if (ok && ev.shown_count > 0)
        mapgen_describe_best(&ev, out);
    evolution_done(&ev);
    return ok;
}

static double add_row(const struct repro_data *data, struct repro_result *out, int cell, int value,
                      const char *what) {
    const struct cell_sum s = rows_sum(data, cell, value);
    const bool percent = value == FRESH_SHARE || value == FRESH_RED;
    char label[REPRO_NAME_MAX];
    snprintf(label, sizeof label, "%s, %s", cells[cell].label, what);
    rows_add_mean(out, label, percent ? "%" : "", percent ? 100 : 1, &s);
    return s.mean;
}

static bool finish(const struct repro_data *data, struct repro_result *out, struct err *e) {
    (void)e;
    double selected[CELLS], fresh[CELLS];
    int flattered = 0;
    for (int cell = 0; cell < CELLS; cell++) {
        selected[cell] = add_row(data, out, cell, SELECTED, "fitness that selected its best");
        fresh[cell] = add_row(data, out, cell, FRESH_FITNESS, "in fresh games");
        add_row(data, out, cell, FRESH_SHARE, "strong's score, fresh");
        add_row(data, out, cell, FRESH_RED, "red's score between equals");
        add_row(data, out, cell, NATURAL, "naturalness");
        add_row(data, out, cell, MAPS, "maps judged");
        add_row(data, out, cell, GAMES, "games");
        flattered += selected[cell] > fresh[cell];
    }
    rows_add_finding(out, fresh[DESIGNER] > fresh[PAPER] && fresh[DESIGNER] > fresh[RANDOM],
                     "with as many games the designer preset's best map is the best in fresh games: %.1f, "
                     "published %.1f, random %.1f",
                     fresh[DESIGNER], fresh[PAPER], fresh[RANDOM]);
    rows_add_finding(out, flattered == CELLS,
                     "what a map was selected by flatters it, on average in each row of runs");
    rows_add_finding(out, selected[DESIGNER] - fresh[DESIGNER] < selected[PAPER] - fresh[PAPER],
                     "judging elites again lessens that (by %.1f in place of %.1f)",
                     selected[DESIGNER] - fresh[DESIGNER], selected[PAPER] - fresh[PAPER]);
    rows_add_finding(
        out, fresh[DESIGNER] > fresh[SAME_SPACE],
        "that is not only the kind of maps: the published algorithm on maps of the designer's kind "
        "has %.1f",
        fresh[SAME_SPACE]);
    plot_rows(out, "share", "Fresh games on the best map: strong's score, and red's between equals",
              &(struct plot_bars){"%", "score (%)", false});
    return true;
}

const struct repro_experiment repro_mapgen_random = {
    .name = "mapgen-random",
    .group = "mapgen",
    .title = "best maps of the published algorithm, of random maps and of the designer preset, same games",
    .source = MAPGEN_SOURCE ", section 5 (compared in words)",
    .published = "(compared qualitatively)",
    .duration = "about six minutes on two cores",
    .version = 2,
    .trials = 5,
    .trials_quick = 1,
    .cells = cells,
    .cell_count = CELLS,
    .value_names = value_names,
    .run = run,
    .finish = finish,
};
