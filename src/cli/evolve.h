/* SPDX-License-Identifier: MIT
 *
 * What the parts of `senjutsu evolve` share: the command line's wishes, what the run was begun with, and how
 * it is shown.
 */
#ifndef CLI_EVOLVE_H
#define CLI_EVOLVE_H

#include "cli/cli.h"
#include "evolve/evolution.h"
#include "evolve/task.h"

struct store;

enum { EVOLVE_PARAMS_MAX = EVOLVE_CHOICES_MAX, EVOLVE_NAME_MAX = 40, EVOLVE_HELP_MAX = 200 };

/* The recipe's parameters as options: names, help and the chosen preset's values, made from its table. */
struct evolve_params {
    int count;
    char names[EVOLVE_PARAMS_MAX][EVOLVE_NAME_MAX];
    char help[EVOLVE_PARAMS_MAX][EVOLVE_HELP_MAX];
    char usual[EVOLVE_PARAMS_MAX][PARAM_TEXT_MAX];
    const char *values[EVOLVE_PARAMS_MAX]; /* what was given; otherwise points to `usual` */
};

struct evolve_options {
    struct evolve_params params;
    const char *preset, *seed, *from, *out;
    int jobs;
    double time; /* seconds; 0: no limit */
    bool quiet, json, show_recipe, go_on, programs;
};

/* Reads the command line; as cli_parse. */
bool evolve_parse(const struct cli_command *self, int argc, char **argv, struct evolve_options *out,
                  int *status);

/* The task from the options and, when `store` is not NULL, from what it was begun with: see evolve/task.h.
 * Returns CLI_OK, or CLI_USAGE or CLI_FAILED with a sentence. */
int evolve_settle_options(const struct evolve_options *options, struct store *store, bool writable,
                          struct evolve_task *out, struct err *e);

/* ---- showing ---- */

struct evolve_view {
    const struct cli_command *command;
    const struct evolve_options *options;
    const struct evolve_task *task;
    bool shows;          /* what the folder has: nothing is played or written */
    bool through_mpirun; /* which gives its ranks a terminal, even when it writes to a file itself */
    int64_t start_ns, shown_ns, written_ns; /* the last two are 0 before the first time: long ago */
    struct evolution_progress progress;
    bool drawn; /* there is a line on the terminal */
    struct text command_line, title;
    struct err failed; /* a folder that could not be written to ends the run */
};

bool evolve_view_init(struct evolve_view *view, struct err *e);
void evolve_view_done(struct evolve_view *view);

/* An evaluator's on_trial, an evolution's on_generation and is_enough. */
void evolve_view_trial(void *view, bool recalled);
void evolve_view_generation(void *view, const struct evolution *ev);
bool evolve_view_is_enough(void *view);

/* The live line goes, before anything else is said. */
void evolve_view_clear(struct evolve_view *view);

/* The end: the live line goes, files are written, the result is printed. False after a message. */
bool evolve_view_finish(struct evolve_view *view, const struct evolution *ev, bool complete);

#endif
