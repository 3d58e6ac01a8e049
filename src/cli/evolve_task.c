/* SPDX-License-Identifier: MIT
 *
 * The options of `senjutsu evolve`, made from the recipe's own table, and the task that follows from them and
 * from what a folder was begun with.
 */
#include "cli/evolve.h"
#include "cli/map.h"

#include "base/mem.h"
#include "store/store.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Named texts of the store. */
#define STORE_RECIPE "recipe"
#define STORE_SEED   "seed"
#define STORE_FROM   "from" /* the maps to begin with: [{"name": …, "map": …}] */

enum { OWN_OPTIONS = 10 };

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

/* The preset has an option of its own. */
static const struct param *first_param(void) {
    assert(strcmp(recipe_params[0].name, "preset") == 0);
    return recipe_params + 1;
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
         "paper (as published, the default), designer (what we recommend) or random", 0, 0},
        {"seed", CLI_TEXT, &o->seed, "N", "everything random follows from it (default: 1)", 0, 0},
        {"out", CLI_TEXT, &o->out, "DIR", "keep maps, pictures, games and a page there; run again to go on",
         0, 0},
        {"from", CLI_TEXT, &o->from, "MAPS", "begin with these: files or names of our maps, with commas", 0,
         0},
        {"time", CLI_REAL, &o->time, "SECONDS", "no more generations after that; 0: no limit", 0, 1e9},
        {"jobs", CLI_INT, &o->jobs, "N", "games at a time (default: one a core); the result is the same", 1,
         256},
        {"quiet", CLI_FLAG, &o->quiet, NULL, "say nothing while it runs", 0, 0},
        {"json", CLI_FLAG, &o->json, NULL, "the result as JSON", 0, 0},
        {"show-recipe", CLI_FLAG, &o->show_recipe, NULL, "print all parameters, play nothing", 0, 0},
    };
    struct cli_option *next = &options[OWN_OPTIONS - 1];
    for (const struct param *p = first_param(); p->name != NULL; p++, next++) {
        const int i = o->params.count;
        describe_param(p, &usual, &o->params);
        *next = (struct cli_option){
            o->params.names[i], CLI_TEXT, &o->params.values[i], value_name(p), o->params.help[i], 0, 0};
    }
    return cli_parse_options(self, options, argc, argv, status);
}

/* A sentence about a parameter ("red_max=99: …") is to name the option ("--red-max=99: …"). */
static void name_option(struct err *e) {
    const size_t size = strcspn(e->text, "=:");
    for (const struct param *p = first_param(); e->text[size] != '\0' && p->name != NULL; p++) {
        if (strlen(p->name) != size || strncmp(p->name, e->text, size) != 0)
            continue;
        err_prefix(e, "--");
        for (size_t i = 2; i < size + 2; i++)
            e->text[i] = e->text[i] == '_' ? '-' : e->text[i];
        return;
    }
}

static bool is_given(const struct evolve_options *o, int i) {
    return o->params.values[i] != o->params.usual[i];
}

/* Sets what was given. */
static bool apply_options(const struct evolve_options *o, struct recipe *recipe, struct err *e) {
    const struct param *p = first_param();
    for (int i = 0; i < o->params.count; i++)
        if (is_given(o, i) && !recipe_set(recipe, p[i].name, o->params.values[i], e))
            return false;
    return true;
}

static bool read_seed(const struct evolve_options *o, uint64_t *out, struct err *e) {
    unsigned long long seed = 1;
    if (o->seed != NULL && !text_to_u64(o->seed, &seed))
        return err_set(e, "--seed %s: expected a whole number, 0 or more", o->seed);
    *out = seed;
    return true;
}

/* ---- maps to begin with ---- */

static json_t *read_map(const char *name, struct err *e) {
    struct map_file *file = mem_alloc(sizeof *file);
    struct text text = {0};
    json_t *entry = NULL;
    if (file == NULL)
        err_set(e, "not enough memory");
    else if (map_file_load(name, file, e)) {
        tbs_map_write(&file->map, &text);
        entry = json_pack("{ss ss}", "name", name, "map", text_string(&text));
        if (entry == NULL)
            err_set(e, "%s: its name or its text is no UTF-8", name);
    }
    text_done(&text);
    mem_free(file);
    return entry;
}

/* The maps of --from as the store keeps them, so that a run goes on without the files. */
static bool gather_maps(const char *list, struct text *out, struct err *e) {
    struct text copy = {0};
    char *names[EVOLVE_FROM_MAX];
    text_add_string(&copy, list);
    const int count = text_split(copy.data, ',', names, EVOLVE_FROM_MAX);
    json_t *array = json_array();
    bool ok = count >= 0 || err_set(e, "--from: more than %d maps", EVOLVE_FROM_MAX);
    for (int i = 0; ok && i < count; i++) {
        json_t *entry = names[i][0] != '\0' ? read_map(names[i], e) : NULL;
        if (names[i][0] == '\0')
            err_set(e, "--from has an empty name in it");
        ok = entry != NULL && json_array_append_new(array, entry) == 0;
    }
    char *dumped = ok ? json_dumps(array, JSON_COMPACT) : NULL;
    ok = ok && (dumped != NULL || err_set(e, "not enough memory"));
    if (ok)
        text_add_string(out, dumped);
    free(dumped);
    json_decref(array);
    text_done(&copy);
    return ok;
}

static bool take_map(struct evolve_task *task, const char *name, const char *text, struct err *e) {
    struct tbs_map map;
    if (!tbs_map_load(name, text, strlen(text), &map, e))
        return false;
    if (!genome_from_map(&task->plan.space, &map, &task->from[task->from_count], e))
        return err_prefix(e, "--from %s: ", name);
    task->from_count++;
    return true;
}

/* The names point into one text: it must not move while it grows, so they are found at the end. */
static void find_names(struct evolve_task *task) {
    char *name = task->name_text.data;
    for (int i = 0; i < task->from_count; i++) {
        task->names[i] = name;
        name += strlen(name) + 1;
    }
}

static bool read_maps(struct evolve_task *task, struct err *e) {
    if (task->from_text.size == 0)
        return true;
    json_t *array = json_loads(text_string(&task->from_text), 0, NULL);
    const size_t count = json_array_size(array);
    bool ok = count > 0 || err_set(e, "the store's maps to begin with cannot be read");
    if (ok && (count > EVOLVE_FROM_MAX || count > (size_t)task->recipe.born))
        ok =
            err_set(e, "--from: %zu maps, but --born is %d: no more than are born", count, task->recipe.born);
    task->from = ok ? mem_alloc((count + 1) * sizeof *task->from) : NULL;
    ok = ok && (task->from != NULL || err_set(e, "not enough memory"));
    for (size_t i = 0; ok && i < count; i++) {
        const char *name = NULL, *text = NULL;
        ok = json_unpack(json_array_get(array, i), "{ss ss}", "name", &name, "map", &text) == 0 ||
             err_set(e, "the store's maps to begin with cannot be read");
        if (ok)
            text_add_bytes(&task->name_text, name, strlen(name) + 1);
        ok = ok && take_map(task, name, text, e);
    }
    json_decref(array);
    find_names(task);
    return ok && (!task->name_text.failed || err_set(e, "not enough memory"));
}

/* ---- the task ---- */

/* What the folder was begun with. */
struct begun {
    bool found;
    struct text recipe, seed, from;
};

static void begun_done(struct begun *begun) {
    text_done(&begun->recipe);
    text_done(&begun->seed);
    text_done(&begun->from);
}

static bool read_begun(struct store *store, struct begun *out, struct err *e) {
    bool has_seed, has_from;
    *out = (struct begun){0};
    if (store == NULL)
        return true;
    return store_get(store, STORE_RECIPE, &out->recipe, &out->found, e) &&
           store_get(store, STORE_SEED, &out->seed, &has_seed, e) &&
           store_get(store, STORE_FROM, &out->from, &has_from, e) &&
           (!out->found || has_seed || err_set(e, "the folder's store has a recipe but no seed"));
}

/* What is not said is as it was; what is said must be as it was. */
static bool compare(const struct evolve_options *o, const struct begun *begun, const struct evolve_task *task,
                    struct err *e) {
    struct text recipe = {0}, seed = {0};
    struct err why;
    recipe_write(&task->recipe, &recipe);
    text_add(&seed, "%" PRIu64, task->seed);
    bool same = true;
    if (recipe_differs(text_string(&begun->recipe), text_string(&recipe), &why))
        same =
            err_set(e, "%s was begun with other arguments: %s; choose another folder or the same arguments",
                    o->out, why.text);
    else if (strcmp(text_string(&begun->seed), text_string(&seed)) != 0)
        same = err_set(e, "%s was begun with seed %s, now %s; choose another folder or the same arguments",
                       o->out, text_string(&begun->seed), text_string(&seed));
    else if (strcmp(text_string(&begun->from), text_string(&task->from_text)) != 0)
        same =
            err_set(e, "%s was begun with other maps than --from %s; choose another folder or the same maps",
                    o->out, o->from);
    text_done(&recipe);
    text_done(&seed);
    return same;
}

static bool settle_recipe(const struct evolve_options *o, const struct begun *begun, struct recipe *out,
                          struct err *e) {
    const bool goes_on = begun->found && o->preset == NULL;
    return (goes_on ? recipe_read(text_string(&begun->recipe), out, e) : recipe_preset(out, o->preset, e)) &&
           apply_options(o, out, e);
}

static bool settle_seed(const struct evolve_options *o, const struct begun *begun, uint64_t *out,
                        struct err *e) {
    unsigned long long seed;
    if (o->seed != NULL || !begun->found)
        return read_seed(o, out, e);
    if (!text_to_u64(text_string(&begun->seed), &seed))
        return err_set(e, "the folder's store has no seed but '%s'", text_string(&begun->seed));
    *out = seed;
    return true;
}

static bool settle_maps(const struct evolve_options *o, const struct begun *begun, struct evolve_task *task,
                        struct err *e) {
    if (o->from != NULL)
        return gather_maps(o->from, &task->from_text, e);
    text_add_string(&task->from_text, text_string(&begun->from));
    return true;
}

static bool is_not_ours(void *context, const struct store_game *game, struct err *e) {
    (void)game;
    return err_set(e, "%s/games.db holds the games of something else; choose another folder",
                   *(const char **)context);
}

/* Somebody else's games stay as they are. */
static bool begin_store(const struct evolve_options *o, struct store *store, const struct evolve_task *task,
                        struct err *e) {
    struct text recipe = {0}, seed = {0};
    const char *folder = o->out;
    if (!store_visit_games(store, &(struct store_visit){.game = is_not_ours, .context = &folder}, e))
        return false;
    recipe_write(&task->recipe, &recipe);
    text_add(&seed, "%" PRIu64, task->seed);
    /* The recipe last: a folder is begun once it is there. */
    const bool ok = store_put(store, STORE_FROM, text_string(&task->from_text), e) &&
                    store_put(store, STORE_SEED, text_string(&seed), e) &&
                    store_put(store, STORE_RECIPE, text_string(&recipe), e);
    text_done(&recipe);
    text_done(&seed);
    return ok;
}

int evolve_settle(const struct evolve_options *o, struct store *store, bool writable, struct evolve_task *out,
                  struct err *e) {
    struct begun begun;
    int status = CLI_FAILED;
    if (!read_begun(store, &begun, e)) {
        status = CLI_FAILED;
    } else if (!settle_recipe(o, &begun, &out->recipe, e) || !settle_seed(o, &begun, &out->seed, e) ||
               !recipe_plan(&out->recipe, &out->plan, e)) {
        name_option(e);
        status = CLI_USAGE;
    } else if (settle_maps(o, &begun, out, e) && (!begun.found || compare(o, &begun, out, e)) &&
               read_maps(out, e) &&
               (store == NULL || !writable || begun.found || begin_store(o, store, out, e))) {
        status = CLI_OK;
    }
    begun_done(&begun);
    return status;
}

void evolve_task_done(struct evolve_task *task) {
    mem_free(task->from);
    text_done(&task->from_text);
    text_done(&task->name_text);
    *task = (struct evolve_task){0};
}

void evolve_task_write(const struct evolve_task *task, struct text *out) {
    text_add(out, "%" PRIu64 "\n", task->seed);
    recipe_write(&task->recipe, out);
}

bool evolve_task_read(const char *text, struct evolve_task *out, struct err *e) {
    char line[32];
    unsigned long long seed;
    const size_t size = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)(size < sizeof line ? size : sizeof line - 1), text);
    if (text[size] != '\n' || !text_to_u64(line, &seed))
        return err_set(e, "rank 0's task has no seed");
    out->seed = seed;
    return recipe_read(text + size + 1, &out->recipe, e) && recipe_plan(&out->recipe, &out->plan, e);
}

void evolve_add_word(struct text *out, const char *word) {
    static const char harmless[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./%@";
    if (word[0] != '\0' && word[strspn(word, harmless)] == '\0') {
        text_add_string(out, word);
        return;
    }
    text_add_string(out, "'");
    for (; *word != '\0'; word++)
        *word == '\'' ? text_add_string(out, "'\\''") : text_add_bytes(out, word, 1);
    text_add_string(out, "'");
}

void evolve_command_line(const struct evolve_task *task, struct text *out) {
    struct recipe usual;
    struct text values[2] = {{0}, {0}};
    const char *preset = recipe_presets[task->recipe.preset];
    struct err e;
    text_add(out, "senjutsu evolve --preset %s --seed %" PRIu64, preset, task->seed);
    const bool known = recipe_preset(&usual, preset, &e);
    for (const struct param *p = first_param(); known && p->name != NULL; p++) {
        text_clear(&values[0]);
        text_clear(&values[1]);
        params_write_value(p, &usual, &values[0]);
        params_write_value(p, &task->recipe, &values[1]);
        if (strcmp(text_string(&values[0]), text_string(&values[1])) == 0)
            continue;
        text_add_string(out, " --");
        for (const char *c = p->name; *c != '\0'; c++)
            text_add_bytes(out, *c == '_' ? "-" : c, 1);
        text_add_string(out, " ");
        evolve_add_word(out, text_string(&values[1]));
    }
    for (int i = 0; i < task->from_count; i++) {
        text_add_string(out, i == 0 ? " --from " : ",");
        evolve_add_word(out, task->names[i]);
    }
    text_done(&values[0]);
    text_done(&values[1]);
}
