/* SPDX-License-Identifier: MIT
 *
 * Tasks: resolving them from overrides and a store, maps to begin with, and a task as text.
 */
#include "evolve/task.h"

#include "base/mem.h"
#include "evolve/sample_game.h"
#include "store/store.h"

#include <assert.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* Named texts of the store. */
#define STORE_RECIPE SAMPLE_STORE_RECIPE
#define STORE_SEED   "seed"
#define STORE_FROM   "from" /* the maps to begin with: [{"name": …, "map": …}] */

enum { SEED_DEFAULT = 1 };

const struct param *evolve_params_first(void) {
    assert(strcmp(recipe_params[0].name, "preset") == 0);
    return recipe_params + 1;
}

/* ---- maps to begin with ---- */

/* In the form of the store, so that a run continues without the files. */
bool evolve_add_map(json_t *from, const char *name, const struct tbs_map *map, struct err *e) {
    struct text text = {0};
    tbs_map_write(map, &text);
    json_t *entry = json_pack("{ss ss}", "name", name, "map", text_string(&text));
    text_done(&text);
    if (entry == NULL)
        return err_set(e, "%s: its name or its text is no UTF-8", name);
    json_array_append_new(from, entry);
    return true;
}

static bool read_maps(const struct evolve_overrides *overrides, struct evolve_task *task, struct err *e) {
    if (task->from_text.size == 0)
        return true;
    json_t *array = json_loads(text_string(&task->from_text), 0, NULL);
    const size_t count = json_array_size(array);
    bool ok = count > 0 || err_set(e, "the store's maps to begin with cannot be read");
    if (ok && (count > EVOLVE_FROM_MAX || count > (size_t)task->recipe.born))
        ok = err_set(e, "%sfrom: %zu maps, but %sborn is %d: no more than are born", overrides->mark, count,
                     overrides->mark, task->recipe.born);
    task->from = ok ? mem_alloc((count + 1) * sizeof *task->from) : NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const char *name = "", *text = NULL;
        struct tbs_map map;
        ok = json_unpack(json_array_get(array, i), "{ss ss}", "name", &name, "map", &text) == 0 ||
             err_set(e, "the store's maps to begin with cannot be read");
        if (ok)
            text_add_bytes(&task->name_text, name, strlen(name) + 1);
        ok = ok && tbs_map_load(name, text, strlen(text), &map, e) &&
             (genome_from_map(&task->plan.space, &map, &task->from[i], e) ||
              err_prefix(e, "%sfrom %s: ", overrides->mark, name));
        task->from_count += ok;
    }
    json_decref(array);
    /* The names point into one text, which moves while it grows: so they are found at the end. */
    char *next = task->name_text.data;
    for (int i = 0; i < task->from_count; i++) {
        task->names[i] = next;
        next += strlen(next) + 1;
    }
    return ok;
}

/* ---- the task ---- */

/* A task as the named texts of a store. */
struct stored_task {
    bool found;
    struct text recipe, seed, from;
};

static void stored_task_done(struct stored_task *stored) {
    text_done(&stored->recipe);
    text_done(&stored->seed);
    text_done(&stored->from);
}

/* Omitted options keep the stored value; given ones must match it. */
static bool compare(const struct evolve_overrides *overrides, const struct stored_task *begun,
                    const struct stored_task *now, struct err *e) {
    const char *folder = overrides->folder;
    struct err why;
    if (recipe_differs(text_string(&begun->recipe), text_string(&now->recipe), &why))
        return err_set(e,
                       "%s was begun with other arguments: %s; choose another folder or the same arguments",
                       folder, why.text);
    if (strcmp(text_string(&begun->seed), text_string(&now->seed)) != 0)
        return err_set(e, "%s was begun with seed %s, now %s; choose another folder or the same arguments",
                       folder, text_string(&begun->seed), text_string(&now->seed));
    return strcmp(text_string(&begun->from), text_string(&now->from)) == 0 ||
           err_set(e, "%s was begun with other maps than %sfrom %s; choose another folder or the same maps",
                   folder, overrides->mark, overrides->from_label);
}

/* Recipe, seed and plan. */
static bool resolve(const struct evolve_overrides *overrides, const struct stored_task *begun,
                    struct evolve_task *out, struct err *e) {
    unsigned long long seed = overrides->has_seed ? overrides->seed : SEED_DEFAULT;
    if (begun->found && overrides->preset == NULL ? !recipe_read(text_string(&begun->recipe), &out->recipe, e)
                                                  : !recipe_preset(&out->recipe, overrides->preset, e))
        return false;
    if (overrides->recipe.table != NULL)
        params_copy_given(&overrides->recipe, &out->recipe);
    if (!overrides->has_seed && begun->found && !text_to_u64(text_string(&begun->seed), &seed))
        return err_set(e, "the folder's store has no seed but '%s'", text_string(&begun->seed));
    out->seed = seed;
    return recipe_plan(&out->recipe, &out->plan, e);
}

static bool is_not_ours(void *context, const struct store_game *game, struct err *e) {
    (void)game;
    return err_set(e, "%s/games.db holds the games of something else; choose another folder",
                   *(const char **)context);
}

/* A store of other games is not changed. The recipe last: a folder is begun once it is there. */
static bool begin_store(const struct evolve_overrides *overrides, struct store *store,
                        const struct stored_task *now, struct err *e) {
    const char *folder = overrides->folder;
    return store_visit_games(store, &(struct store_visit){.game = is_not_ours, .context = &folder}, e) &&
           store_put(store, STORE_FROM, text_string(&now->from), e) &&
           store_put(store, STORE_SEED, text_string(&now->seed), e) &&
           store_put(store, STORE_RECIPE, text_string(&now->recipe), e);
}

enum evolve_resolution evolve_resolve(const struct evolve_overrides *overrides, struct store *store,
                                      bool writable, struct evolve_task *out, struct err *e) {
    struct stored_task begun = {0}, now = {0};
    enum evolve_resolution resolution = EVOLVE_FAILED;
    bool has_seed = false, has_from;
    const bool is_read = store == NULL || (store_get(store, STORE_RECIPE, &begun.recipe, &begun.found, e) &&
                                           store_get(store, STORE_SEED, &begun.seed, &has_seed, e) &&
                                           store_get(store, STORE_FROM, &begun.from, &has_from, e));
    if (is_read && begun.found && !has_seed) {
        err_set(e, "the folder's store has a recipe but no seed");
    } else if (is_read && !resolve(overrides, &begun, out, e)) {
        resolution = EVOLVE_WRONG;
    } else if (is_read) {
        text_add_string(&out->from_text,
                        overrides->from != NULL ? overrides->from : text_string(&begun.from));
        recipe_write(&out->recipe, &now.recipe);
        text_add(&now.seed, "%" PRIu64, out->seed);
        text_add_string(&now.from, text_string(&out->from_text));
        if ((!begun.found || compare(overrides, &begun, &now, e)) && read_maps(overrides, out, e) &&
            (store == NULL || !writable || begun.found || begin_store(overrides, store, &now, e)))
            resolution = EVOLVE_RESOLVED;
    }
    stored_task_done(&begun);
    stored_task_done(&now);
    return resolution;
}

void evolve_task_done(struct evolve_task *task) {
    mem_free(task->from);
    text_done(&task->from_text);
    text_done(&task->name_text);
    *task = (struct evolve_task){0};
}

struct evolution_run evolve_task_run(const struct evolve_task *task, struct evaluator *evaluator) {
    return (struct evolution_run){
        .plan = &task->plan,
        .seed = task->seed,
        .evaluator = evaluator,
        .seed_count = task->from_count,
        .seeds = task->from,
        .seed_names = (const char *const *)task->names,
    };
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
    struct recipe defaults;
    struct text values[2] = {{0}, {0}};
    const char *preset = recipe_presets[task->recipe.preset];
    struct err e;
    text_add(out, "senjutsu evolve --preset %s --seed %" PRIu64, preset, task->seed);
    const bool known = recipe_preset(&defaults, preset, &e);
    for (const struct param *p = evolve_params_first(); known && p->name != NULL; p++) {
        text_clear(&values[0]);
        text_clear(&values[1]);
        params_write_value(p, &defaults, &values[0]);
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

void evolve_title(const struct evolve_task *task, struct text *out) {
    text_add(out, "Maps by the recipe %s, seed %" PRIu64, recipe_presets[task->recipe.preset], task->seed);
}
