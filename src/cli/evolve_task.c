/* SPDX-License-Identifier: MIT
 *
 * The options of `senjutsu evolve`, made from the recipe's own table, and what is wished by them.
 */
#include "cli/evolve.h"
#include "cli/map.h"

#include "base/mem.h"

#include <assert.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_OPTIONS = 12 };

/* ---- options ---- */

/* The preset decides what --help says is usual, so it must be known before anything is parsed. */
static const char *given_preset(int argc, char **argv) {
    const char *found = NULL;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--preset=", 9) == 0)
            found = argv[i] + 9;
        else if (strcmp(argv[i], "--preset") == 0 && i + 1 < argc)
            found = argv[i + 1];
    }
    return found;
}

static const char *value_name(const struct param *p) {
    switch (p->kind) {
    case PARAM_INT: return "N";
    case PARAM_REAL: return "X";
    case PARAM_SWITCH: return "yes|no";
    case PARAM_CHOICE: return "NAME";
    case PARAM_TEXT: break;
    }
    return "TEXT";
}

static void describe_param(const struct param *p, const struct recipe *usual, struct evolve_params *out) {
    const int i = out->count++;
    struct text value = {0};
    assert(i < EVOLVE_PARAMS_MAX);
    snprintf(out->names[i], EVOLVE_NAME_MAX, "%s", p->name);
    for (char *c = out->names[i]; *c != '\0'; c++)
        *c = *c == '_' ? '-' : *c;
    if (p->kind == PARAM_CHOICE)
        snprintf(out->help[i], EVOLVE_HELP_MAX, "%s: %s", p->choices, p->help);
    else
        snprintf(out->help[i], EVOLVE_HELP_MAX, "%s", p->help);
    params_write_value(p, usual, &value);
    snprintf(out->usual[i], PARAM_TEXT_MAX, "%s", text_string(&value));
    out->values[i] = out->usual[i];
    text_done(&value);
}

bool evolve_parse(const struct cli_command *self, int argc, char **argv, struct evolve_options *out,
                  int *status) {
    struct recipe usual;
    struct err e;
    const char *preset = given_preset(argc, argv);
    if (!recipe_preset(&usual, preset, &e)) {
        *status = cli_fail(self, CLI_USAGE, "--preset: %s", e.text);
        return false;
    }
    struct evolve_options *o = out;
    struct cli_option options[EVOLVE_PARAMS_MAX + OWN_OPTIONS] = {
        {"preset", CLI_TEXT, &o->preset, "NAME",
         "paper (as published, the default), designer (what we recommend) or random"},
        {"seed", CLI_TEXT, &o->seed, "N", "everything random follows from it (default: 1)"},
        {"out", CLI_TEXT, &o->out, "DIR",
         "keep maps, pictures, games and a page there; the same command again goes on"},
        {"continue", CLI_FLAG, &o->go_on, NULL, "go on with the run in --out DIR that other arguments began"},
        {"programs", CLI_FLAG, &o->programs, NULL,
         "allow what the players in DIR start, connect to and read; it is shown"},
        {"from", CLI_TEXT, &o->from, "MAPS", "begin with these: files or names of our maps, with commas"},
        {"time", CLI_REAL, &o->time, "SECONDS", "no more generations after that; 0: no limit", 0, 1e9},
        {"jobs", CLI_INT, &o->jobs, "N", "games at a time (default: one a core); the result is the same", 1,
         256},
        {"quiet", CLI_FLAG, &o->quiet, NULL, "say nothing while it runs"},
        {"json", CLI_FLAG, &o->json, NULL, "the result as JSON"},
        {"show-recipe", CLI_FLAG, &o->show_recipe, NULL, "print all parameters, play nothing"},
    };
    struct cli_option *next = &options[OWN_OPTIONS - 1];
    for (const struct param *p = evolve_params_first(); p->name != NULL; p++, next++) {
        const int i = o->params.count;
        describe_param(p, &usual, &o->params);
        *next = (struct cli_option){o->params.names[i],
                                    p->power == PARAM_SPEC ? CLI_PLAYER : CLI_TEXT,
                                    &o->params.values[i],
                                    value_name(p),
                                    o->params.help[i],
                                    0,
                                    0};
    }
    if (!cli_parse_options(self, options, argc, argv, status))
        return false;
    if (o->out != NULL || (!o->go_on && !o->programs))
        return true;
    *status = cli_fail(self, CLI_USAGE, "--%s belongs to --out DIR", o->go_on ? "continue" : "programs");
    return false;
}

/* A sentence about a parameter ("red_max=99: …") is to name the option ("--red-max=99: …"). */
static void name_option(struct err *e) {
    const size_t size = strcspn(e->text, "=:");
    for (const struct param *p = evolve_params_first(); e->text[size] != '\0' && p->name != NULL; p++) {
        if (strlen(p->name) != size || strncmp(p->name, e->text, size) != 0)
            continue;
        err_prefix(e, "--");
        for (size_t i = 2; i < size + 2; i++)
            e->text[i] = e->text[i] == '_' ? '-' : e->text[i];
        return;
    }
}

/* ---- maps to begin with ---- */

static bool add_map(json_t *from, const char *name, struct err *e) {
    if (name[0] == '\0')
        return err_set(e, "--from has an empty name in it");
    struct map_file *file = mem_alloc(sizeof *file);
    const bool ok = file != NULL ? map_file_load(name, file, e) && evolve_add_map(from, name, &file->map, e)
                                 : err_set(e, "not enough memory");
    mem_free(file);
    return ok;
}

static bool gather_maps(const char *list, struct text *out, struct err *e) {
    struct text copy = {0};
    char *names[EVOLVE_FROM_MAX];
    text_add_string(&copy, list);
    const int count = text_split(copy.data, ',', names, EVOLVE_FROM_MAX);
    json_t *array = json_array();
    bool ok = count >= 0 || err_set(e, "--from: more than %d maps", EVOLVE_FROM_MAX);
    for (int i = 0; ok && i < count; i++)
        ok = add_map(array, names[i], e);
    char *dumped = ok ? json_dumps(array, JSON_COMPACT) : NULL;
    ok = ok && (dumped != NULL || err_set(e, "not enough memory"));
    if (ok)
        text_add_string(out, dumped);
    free(dumped);
    json_decref(array);
    text_done(&copy);
    return ok;
}

/* ---- the wish ---- */

static bool read_seed(const struct evolve_options *o, struct evolve_wish *wish, struct err *e) {
    unsigned long long seed = 0;
    if (o->seed != NULL && !text_to_u64(o->seed, &seed))
        return err_set(e, "--seed %s: expected a whole number, 0 or more", o->seed);
    wish->has_seed = o->seed != NULL;
    wish->seed = seed;
    return true;
}

/* Parameters of which nothing was said are as they were. */
static void add_choices(const struct evolve_options *o, struct evolve_wish *wish) {
    const struct param *p = evolve_params_first();
    for (int i = 0; i < o->params.count; i++)
        if (o->params.values[i] != o->params.usual[i])
            wish->choices[wish->choice_count++] = (struct evolve_choice){p[i].name, o->params.values[i]};
}

int evolve_settle_options(const struct evolve_options *o, struct store *store, bool writable,
                          struct evolve_task *out, struct err *e) {
    static const int statuses[] = {
        [EVOLVE_SETTLED] = CLI_OK, [EVOLVE_WRONG] = CLI_USAGE, [EVOLVE_FAILED] = CLI_FAILED};
    struct evolve_wish wish = {.preset = o->preset, .folder = o->out, .from_words = o->from, .mark = "--"};
    struct text from = {0};
    if (!read_seed(o, &wish, e))
        return CLI_USAGE;
    add_choices(o, &wish);
    enum evolve_settled settled = EVOLVE_FAILED;
    if (o->from == NULL || gather_maps(o->from, &from, e)) {
        wish.from = o->from != NULL ? text_string(&from) : NULL;
        settled = evolve_settle(&wish, store, writable, out, e);
    }
    if (settled == EVOLVE_WRONG)
        name_option(e);
    text_done(&from);
    return statuses[settled];
}
