/* SPDX-License-Identifier: MIT
 *
 * The definition of a run: a recipe, a seed, maps to begin with. It is resolved from overrides (options, a
 * request) and from what the store was begun with.
 */
#ifndef EVOLVE_TASK_H
#define EVOLVE_TASK_H

#include "evolve/evolution.h"

struct store;
struct json_t;

enum { EVOLVE_FROM_MAX = 64 };

/* Omitted fields keep the stored value, or the default in a new store. */
struct evolve_overrides {
    const char *preset;   /* NULL: omitted */
    struct params recipe; /* the given ones of evolve_params_first */
    bool has_seed;
    uint64_t seed;
    const char *from; /* the maps to begin with: an array by evolve_add_map as text; NULL: omitted */

    /* For messages: the store's folder, the name of the maps to begin with, and the prefix of a parameter's
     * name ("--" for options). */
    const char *folder, *from_label, *mark;
};

struct evolve_task {
    struct recipe recipe;
    struct plan plan;
    uint64_t seed;
    int from_count; /* maps to begin with */
    struct genome *from;
    char *names[EVOLVE_FROM_MAX];
    struct text from_text; /* the maps, in the form of the store */
    struct text name_text; /* what the names point into */
};

enum evolve_resolution {
    EVOLVE_RESOLVED,
    EVOLVE_WRONG,  /* a parameter is wrong (the sentence begins with its name), or parameters contradict each
                      other */
    EVOLVE_FAILED, /* maps that do not fit, a store of something else */
};

/* `store` may be NULL. A new store is begun with the task if it is `writable`. `out` begins zeroed;
 * evolve_task_done is due also after a failure, and then the task may be resolved again. */
enum evolve_resolution evolve_resolve(const struct evolve_overrides *overrides, struct store *store,
                                      bool writable, struct evolve_task *out, struct err *e);
void evolve_task_done(struct evolve_task *task);

/* The run of a task, without its callbacks. */
struct evolution_run evolve_task_run(const struct evolve_task *task, struct evaluator *evaluator);

/* Adds a map to an array of maps to begin with. */
bool evolve_add_map(struct json_t *from, const char *name, const struct tbs_map *map, struct err *e);

/* The task as text for the worker ranks, and back. */
void evolve_task_write(const struct evolve_task *task, struct text *out);
bool evolve_task_read(const char *text, struct evolve_task *out, struct err *e);

/* "senjutsu evolve --preset paper --seed 1 --games 20": the same run again. */
void evolve_command_line(const struct evolve_task *task, struct text *out);

/* A word quoted for a shell where it needs quotation marks. */
void evolve_add_word(struct text *out, const char *word);

/* "Maps by the recipe paper, seed 1". */
void evolve_title(const struct evolve_task *task, struct text *out);

/* The recipe's parameters without the preset, which stands for all of them. */
const struct param *evolve_params_first(void);

#endif
