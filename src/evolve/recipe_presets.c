/* SPDX-License-Identifier: MIT
 *
 * Presets: what differs from the published algorithm, whose values are the defaults of the table.
 */
#include "evolve/recipe.h"

#include <string.h>

enum { SETTINGS_MAX = 32 };

struct setting {
    const char *name, *value;
};

/* What we recommend to somebody who needs many different maps that look as if a person had made them. */
static const struct setting designer[SETTINGS_MAX] = {
    {"red_min", "3"},        {"blue_min", "3"},
    {"hp_low", "5"},         {"terrain", "plain=60,wood=16,mountain=10,sea=4,road=6,fortress=4"},
    {"symmetry", "turn"},    {"patches", "0.7"},
    {"games", "20"},         {"peers", "20"},
    {"natural", "0.1"},      {"method", "archive"},
    {"crossover", "region"}, {"crossover_rate", "0.5"},
    {"mutation", "all"},     {"mutation_rate", "2"},
    {"tidy", "yes"},         {"race", "yes"},
    {"reevaluate", "150"},   {"generations", "100"},
    {"show", "36"},
};

/* As many maps judged in the same way as published, but none has parents: what selection adds is the
 * difference. */
static const struct setting random_maps[SETTINGS_MAX] = {
    {"method", "random"},
};

static const struct setting paper[SETTINGS_MAX] = {{0}};

const char *const recipe_presets[] = {"paper", "designer", "random", NULL};

const char *const recipe_preset_help[] = {
    "as published: maps that a stronger player wins, by a genetic algorithm",
    "what we recommend: many different maps that look as if a person had made them",
    "as many maps judged as published, but none has parents: what selection adds is the difference",
};

static const struct setting *const settings[] = {paper, designer, random_maps};

static bool find_preset(const char *name, int *index, struct err *e) {
    struct text known = {0};
    for (*index = 0; recipe_presets[*index] != NULL; (*index)++) {
        if (strcmp(recipe_presets[*index], name) == 0) {
            text_done(&known);
            return true;
        }
        text_add(&known, "%s%s", *index == 0 ? "" : ", ", recipe_presets[*index]);
    }
    err_set(e, "preset '%.64s' is unknown; known are %s", name, text_string(&known));
    text_done(&known);
    return false;
}

bool recipe_preset(struct recipe *out, const char *preset, struct err *e) {
    int index = 0;
    if (preset != NULL && !find_preset(preset, &index, e))
        return false;
    struct recipe recipe;
    memset(&recipe, 0, sizeof recipe); /* recipes may be compared as bytes */
    params_default(recipe_params, &recipe);
    recipe.preset = index;
    for (const struct setting *s = settings[index]; s->name != NULL; s++)
        if (!recipe_set(&recipe, s->name, s->value, e))
            return false;
    *out = recipe;
    return true;
}
