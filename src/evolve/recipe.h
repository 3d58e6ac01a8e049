/* SPDX-License-Identifier: MIT
 *
 * Recipes: all parameters of map evolution in one table, read from the command line, written into stores and
 * pages, checked in one place. Tasks: a recipe, a seed and maps to begin with, which determine a run. A task
 * is resolved from overrides (options, a request) and from what the store was begun with.
 */
#ifndef EVOLVE_RECIPE_H
#define EVOLVE_RECIPE_H

#include "base/spec.h"
#include "evolve/genome.h"

struct store;
struct json_t;

enum {
    RECIPE_CHANGES_MAX = 32,     /* that mutation makes in one child */
    RECIPE_BATCH_MAX = 10000000, /* games that are asked for at once */
    RECIPE_FRESH = 1 << 24, /* number of a map's first game of verification: no other game has one as high */
};

enum method {
    METHOD_GENERATIONS, /* parents and children compete for the places of the next generation */
    METHOD_ARCHIVE,     /* the best map of each cell survives; races decide which one that is */
    METHOD_RANDOM,      /* new random maps only: the baseline */
};

enum selection {
    SELECTION_ROULETTE,   /* with probability proportional to fitness, without replacement */
    SELECTION_TOURNAMENT, /* the best of a few drawn at random, without replacement */
    SELECTION_BEST,       /* the best ones */
    SELECTION_EVEN,       /* the best one, and any others with the same probability */
};

enum replacement {
    REPLACEMENT_COMPETE,  /* parents and children compete for the places of the next generation */
    REPLACEMENT_CHILDREN, /* children compete with each other and with the best parent alone */
};

enum parents_rule {
    PARENTS_DRAWN, /* two different parents are drawn for each pair */
    PARENTS_ONCE,  /* parents are drawn without replacement: each is in exactly one pair */
};

struct recipe {
    int preset; /* index into recipe_presets: where the others' defaults come from */

    /* The space. Its types and weights are zero here: the plan reads them from the texts. */
    struct space space;
    char types[PARAM_TEXT_MAX];   /* "all" or names or letters, with commas */
    char terrain[PARAM_TEXT_MAX]; /* "plain=60,wood=20", or "even": all six alike */
    char rules[PARAM_TEXT_MAX];

    /* the judgement */
    char strong[PARAM_TEXT_MAX], weak[PARAM_TEXT_MAX]; /* player specs */
    int games;                       /* strong against weak a map, even: half of them from each side */
    int peers;                       /* strong against itself a map, for fairness */
    double natural;                  /* weight of naturalness (static_features.c), 0 … 1 */
    char natural_by[PARAM_TEXT_MAX]; /* "ours", or other weights of its parts */
    int verify; /* fresh games for each map that is shown at the end: this many contests, half as many games
                   of peers */

    /* the algorithm */
    int method, selection, crossover;
    int born, population, generations;
    int tournament;                /* how many meet in tournament selection */
    int replacement, parents;      /* METHOD_GENERATIONS */
    bool copies;                   /* the same: a map may get several places of the next generation */
    bool rejudge;                  /* the same: parents are judged by new games in every generation */
    double crossover_rate;         /* of children that have two parents */
    double mutation_rate;          /* of changes in a child, on average */
    char mutation[PARAM_TEXT_MAX]; /* "none", "all", or kinds with commas */
    bool tidy;      /* remove defects that a person would never have drawn (static_features.c) */
    bool race;      /* stop judging maps that can hardly be selected any more */
    int reevaluate; /* METHOD_ARCHIVE: contests up to which an elite is judged again */
    double fair;    /* METHOD_ARCHIVE: red's score between equals may be so far from a half */
    int budget;     /* games in all before verification; 0: until the generations are over */
    int show;       /* maps in the gallery */
};

extern const struct param recipe_params[];     /* the first is the preset, which stands for all others */
extern const char *const recipe_presets[];     /* "paper", "designer", "random"; ended by NULL */
extern const char *const recipe_preset_help[]; /* of each, in the same order */

/* All fields as the preset has them. NULL: the first. False when there is no such preset. */
bool recipe_preset(struct recipe *out, const char *preset, struct err *e);

/* Sets one field by its name; the sentence names it and what was expected. "preset" sets all of them. */
bool recipe_set(struct recipe *recipe, const char *name, const char *value, struct err *e);

/* Whether the field of this name is a player's spec. */
bool recipe_names_player(const char *name);

/* The fields resolved and checked: space, kinds of mutation, players, rule set. */
struct plan {
    struct recipe recipe;
    struct space space;
    unsigned mutations;
    const struct tbs_rules *rules;
    struct naturalness naturalness;
};

bool recipe_plan(const struct recipe *recipe, struct plan *out, struct err *e);

/* From "name=value" a line, as params_write_all writes them: two recipes are the same when these are. */
bool recipe_read(const char *text, struct recipe *out, struct err *e);

/* ---- tasks ---- */

enum { EVOLVE_FROM_MAX = 64 };

/* Omitted fields keep the stored value, or the default in a new store. */
struct evolve_overrides {
    const char *preset;   /* NULL: omitted */
    struct params recipe; /* the given ones behind the first of recipe_params */
    bool has_seed;
    uint64_t seed;
    const char *from; /* the maps to begin with: an array by evolve_add_map as text; NULL: omitted */

    /* For messages: the store's folder, the name of the maps to begin with, and the prefix of a parameter's
     * name ("--" for options). */
    const char *folder, *from_label, *mark;
};

/* The same for the command line and for requests; the second is named by its unit in requests. */
#define EVOLVE_PRESET_ROW(at)                                                                                \
    "preset", PARAM_STRING, (at),                                                                            \
        .value = "NAME", .help = "paper (as published, the default), designer (what we recommend) or random"
#define EVOLVE_TIME_ROW(name, at)                                                                            \
    (name), PARAM_REAL, (at), 0, 1e9, .value = "SECONDS",                                                    \
                                      .help = "no more generations after that; 0: no limit"

struct evolve_task {
    struct recipe recipe;
    struct plan plan;
    uint64_t seed;
    int from_count; /* maps to begin with */
    struct genome *from;
    const char *names[EVOLVE_FROM_MAX];
    struct text from_text; /* the maps, in the form of the store */
    struct json_t *maps;   /* the same parsed: the names point into it */
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

#endif
