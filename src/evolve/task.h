/* SPDX-License-Identifier: MIT
 *
 * What a run is made of, apart from how and where it is run: a recipe, a seed, maps to begin with. It follows
 * from what is wished and from what a store was begun with.
 */
#ifndef EVOLVE_TASK_H
#define EVOLVE_TASK_H

#include "evolve/evolution.h"

struct store;
struct json_t;

enum { EVOLVE_FROM_MAX = 64, EVOLVE_CHOICES_MAX = 64 };

/* One of the recipe's parameters and what it is to be. */
struct evolve_choice {
    const char *name, *value;
};

/* What is not wished is as the store has it or, in a new one, as usual. */
struct evolve_overrides {
    const char *preset; /* NULL: not wished */
    int choice_count;
    struct evolve_choice choices[EVOLVE_CHOICES_MAX];
    bool has_seed;
    uint64_t seed;
    const char *from; /* the maps to begin with: an array by evolve_add_map as text; NULL: not wished */

    /* For messages: where the store is, what the maps were called, and what stands before the name of a wish
     * ("--" where wishes are options). */
    const char *folder, *from_label, *mark;
};

struct evolve_task {
    struct recipe recipe;
    struct plan plan;
    uint64_t seed;
    int from_count; /* maps to begin with */
    struct genome *from;
    char *names[EVOLVE_FROM_MAX];
    struct text from_text; /* the maps, as the store keeps them */
    struct text name_text; /* what the names point into */
};

enum evolve_resolution {
    EVOLVE_RESOLVED,
    EVOLVE_WRONG,  /* a parameter is, with whose name the sentence begins, or they do not agree */
    EVOLVE_FAILED, /* maps that do not fit, a store of something else */
};

/* `store` may be NULL. A new one is begun with the task if it is `writable` and otherwise left as it is. The
 * task begins zeroed and is to be done with also after a failure; it may be settled again afterwards. */
enum evolve_resolution evolve_resolve(const struct evolve_overrides *overrides, struct store *store,
                                      bool writable, struct evolve_task *out, struct err *e);
void evolve_task_done(struct evolve_task *task);

/* What of a run follows from the task: all but who listens. */
struct evolution_run evolve_task_run(const struct evolve_task *task, struct evaluator *evaluator);

/* Adds a map to an array of maps to begin with. */
bool evolve_add_map(struct json_t *from, const char *name, const struct tbs_map *map, struct err *e);

/* For the other ranks: what they must know of the task. */
void evolve_task_write(const struct evolve_task *task, struct text *out);
bool evolve_task_read(const char *text, struct evolve_task *out, struct err *e);

/* "senjutsu evolve --preset paper --seed 1 --games 20": the same run again. */
void evolve_command_line(const struct evolve_task *task, struct text *out);

/* A word as a shell wants it, in quotation marks where it needs them. */
void evolve_add_word(struct text *out, const char *word);

/* "Maps by the recipe paper, seed 1". */
void evolve_title(const struct evolve_task *task, struct text *out);

/* The recipe's parameters without the preset, which stands for all of them. */
const struct param *evolve_params_first(void);

#endif
