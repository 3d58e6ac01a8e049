/* SPDX-License-Identifier: MIT
 *
 * Recipes (the table of all parameters of a run, the presets, what the parameters mean together), and tasks:
 * a recipe, a seed and maps to begin with, resolved from overrides and a store.
 */
#include "evolve/recipe.h"

#include "base/mem.h"
#include "evolve/evaluator.h"
#include "game/tbs/tbs.h"
#include "player/player.h"
#include "store/store.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

const char *const recipe_presets[] = {"paper", "designer", "random", NULL};

const char *const recipe_preset_help[] = {
    "as published: maps that a stronger player wins, by a genetic algorithm",
    "what we recommend: many different maps that look as if a person had made them",
    "as many maps judged as published, but none has parents: what selection adds is the difference",
};

/* What each preset changes of the defaults of the table, as lines of a recipe. "designer" is recommended for
 * many different maps that look as if a person had made them. "random" judges as many maps as published and
 * in the same way, but without parents: the difference is the effect of selection. */
static const char *const preset_lines[] = {
    "",
    "red_min=3\nblue_min=3\nhp_low=5\nterrain=plain=60,wood=16,mountain=10,sea=4,road=6,fortress=4\n"
    "symmetry=turn\npatches=0.7\ngames=20\npeers=20\nnatural=0.1\nmethod=archive\ncrossover=region\n"
    "crossover_rate=0.5\nmutation=all\nmutation_rate=2\ntidy=yes\nrace=yes\nreevaluate=150\n"
    "generations=100\nshow=36\n",
    "method=random\n",
};

/* Sets the fields of a recipe by lines of "name=value". */
static bool set_lines(struct recipe *out, const char *text, struct err *e) {
    for (size_t size; *text != '\0'; text += size + (text[size] == '\n')) {
        char line[SPEC_NAME_MAX + PARAM_TEXT_MAX + 1];
        size = strcspn(text, "\n");
        if (size == 0)
            continue;
        if (size >= sizeof line)
            return err_set(e, "a line of a recipe is too long");
        memcpy(line, text, size);
        line[size] = '\0';
        char *equals = strchr(line, '=');
        if (equals == NULL)
            return err_set(e, "'%.64s' is no line of a recipe; expected name=value", line);
        *equals = '\0';
        if (!recipe_set(out, line, equals + 1, e))
            return false;
    }
    return true;
}

bool recipe_preset(struct recipe *out, const char *preset, struct err *e) {
    struct recipe recipe;
    int index = 0;
    while (preset != NULL && recipe_presets[index] != NULL && strcmp(recipe_presets[index], preset) != 0)
        index++;
    if (recipe_presets[index] == NULL)
        return err_set(e, "preset '%.64s' is unknown; known are paper, designer, random", preset);
    memset(&recipe, 0, sizeof recipe); /* recipes may be compared as bytes */
    params_default(recipe_params, &recipe);
    recipe.preset = index;
    if (!set_lines(&recipe, preset_lines[index], e))
        return false;
    *out = recipe;
    return true;
}

/* ---- the table ----
 *
 * The defaults are the published algorithm. The paper does not define how its games end; the maps that came
 * with the platform from that generator are played to a limit of 29 or 30 turns and a threshold of 10 HP,
 * and so are ours. */

#define AT(field) offsetof(struct recipe, field)

_Static_assert(sizeof(enum symmetry) == sizeof(int) && sizeof(enum placement) == sizeof(int),
               "a choice is written as an int");

/* The first of the choices is the default; a switch is off by default. */
#define CHOICE(field, all, words)                                                                            \
    { #field, PARAM_CHOICE, AT(field), .choices = (all), .help = (words) }
#define SWITCH(field, words)                                                                                 \
    { #field, PARAM_SWITCH, AT(field), .help = (words) }
#define TEXT(field, value, words, may)                                                                       \
    { #field, PARAM_TEXT, AT(field), .choices = (value), .help = (words), .power = (may) }

enum { COUNT_MAX = 1000000, BUDGET_MAX = 2000000000 };

const struct param recipe_params[] = {
    CHOICE(preset, "paper|designer|random", "where the others' defaults come from"),

    {"width", PARAM_INT, AT(space.width), 1, TBS_CELLS_MAX, 6, NULL, "columns of a map"},
    {"height", PARAM_INT, AT(space.height), 1, TBS_CELLS_MAX, 6, NULL, "rows of a map"},
    {"red_min", PARAM_INT, AT(space.units_min[TBS_RED]), 1, TBS_SIDE_UNITS_MAX, 1, NULL, "fewest red units"},
    {"red_max", PARAM_INT, AT(space.units_max[TBS_RED]), 1, TBS_SIDE_UNITS_MAX, 6, NULL, "most red units"},
    {"blue_min", PARAM_INT, AT(space.units_min[TBS_BLUE]), 1, TBS_SIDE_UNITS_MAX, 1, NULL,
     "fewest blue units"},
    {"blue_max", PARAM_INT, AT(space.units_max[TBS_BLUE]), 1, TBS_SIDE_UNITS_MAX, 6, NULL, "most blue units"},
    {"hp_low", PARAM_INT, AT(space.hp_low), 1, TBS_HP_FULL, 1, NULL, "least HP of a unit"},
    {"hp_high", PARAM_INT, AT(space.hp_high), 1, TBS_HP_FULL, 10, NULL, "most HP of a unit"},
    TEXT(types, "all", "unit types: all, or names or letters with commas", PARAM_WORD),
    TEXT(terrain, "even", "how often each comes: plain=60,wood=20, say, or even: all six alike", PARAM_WORD),
    {"symmetry", PARAM_CHOICE, AT(space.symmetry), .choices = "none|turn|mirror|flip",
     .help = "how blue follows from red"},
    {"placement", PARAM_CHOICE, AT(space.placement), .choices = "anywhere|halves",
     .help = "where units of new maps stand"},
    {"patches", PARAM_REAL, AT(space.patches), 0, 1, 0, NULL,
     "0: each cell of a new map for itself; towards 1: terrain in patches"},
    {"turn_limit", PARAM_INT, AT(space.turn_limit), 1, TBS_TURN_LIMIT_MAX, 30, NULL,
     "turns of a game at most"},
    {"threshold", PARAM_INT, AT(space.threshold), 0, TBS_THRESHOLD_MAX, 10, NULL,
     "HP lead that must be exceeded to win at the limit"},
    TEXT(rules, "tubstap", "rule set", PARAM_WORD),

    TEXT(strong, "muct:sims=250", "the player who should win", PARAM_SPEC),
    TEXT(weak, "muct:sims=10", "the player who should lose", PARAM_SPEC),
    {"games", PARAM_INT, AT(games), 2, COUNT_MAX, 10, NULL, "strong against weak a map, half from each side"},
    {"peers", PARAM_INT, AT(peers), 0, COUNT_MAX, 0, NULL, "strong against itself a map, for fairness"},
    {"natural", PARAM_REAL, AT(natural), 0, 1, 0, NULL, "weight of static features in the fitness"},
    TEXT(natural_by, "ours", "their weights: ours, or as in base=0.1,roads=0.2 (fitted by --natural-from)",
         PARAM_WORD),
    {"verify", PARAM_INT, AT(verify), 0, COUNT_MAX, 200, NULL,
     "fresh games for each map shown at the end, and half as many of strong against itself"},

    CHOICE(method, "generations|archive|random",
           "parents against children; the best of each kind; new maps only"),
    CHOICE(selection, "roulette|tournament|best|even", "who survives and who has children (generations)"),
    CHOICE(replacement, "compete|children",
           "children compete with their parents, or with the best parent alone (generations)"),
    CHOICE(parents, "drawn|once", "parents drawn for each pair, or each in one pair (generations)"),
    SWITCH(copies, "a map may be selected several times (generations)"),
    SWITCH(rejudge, "judge parents by new games in every generation (generations)"),
    CHOICE(crossover, "uniform|block|region", "which cells come from which parent"),
    {"born", PARAM_INT, AT(born), 2, COUNT_MAX, 80, NULL, "maps at the start"},
    {"population", PARAM_INT, AT(population), 2, COUNT_MAX, 40, NULL,
     "maps that survive, and children a generation"},
    {"generations", PARAM_INT, AT(generations), 0, COUNT_MAX, 10, NULL, "after birth"},
    {"tournament", PARAM_INT, AT(tournament), 2, 1000, 3, NULL, "how many meet in tournament selection"},
    {"crossover_rate", PARAM_REAL, AT(crossover_rate), 0, 1, 1, NULL, "share of children with two parents"},
    TEXT(mutation, "none", "changes in children: none, all, or terrain,type,hp,place,add,remove", PARAM_WORD),
    {"mutation_rate", PARAM_REAL, AT(mutation_rate), 0, RECIPE_CHANGES_MAX, 1, NULL,
     "changes in a child on average, where there are any"},
    SWITCH(tidy, "repair what a person would not draw"),
    SWITCH(race, "stop judging maps that can hardly be selected any more"),
    {"reevaluate", PARAM_INT, AT(reevaluate), 0, COUNT_MAX, 0, NULL,
     "judge the best again until they had so many games (archive)"},
    {"fair", PARAM_REAL, AT(fair), 0, 0.5, 0.1, NULL,
     "red's score between equals may be so far from a half (archive)"},
    {"budget", PARAM_INT, AT(budget), 0, BUDGET_MAX, 0, NULL,
     "no new generation after so many games; 0: no such limit"},
    {"show", PARAM_INT, AT(show), 1, 10000, 4, NULL, "maps to show at the end"},
    {0},
};

/* A recipe is stored as lines: a value with a line break could not be read back. The preset is checked by the
 * table first, for its message, and then sets all fields. */
bool recipe_set(struct recipe *recipe, const char *name, const char *value, struct err *e) {
    if (strpbrk(value, "\r\n") != NULL)
        return err_set(e, "%s: a value is one line", name);
    struct recipe changed = *recipe;
    if (!params_set(recipe_params, name, value, &changed, e))
        return false;
    if (strcmp(name, "preset") == 0)
        return recipe_preset(recipe, value, e);
    *recipe = changed;
    return true;
}

bool recipe_names_player(const char *name) {
    for (const struct param *p = recipe_params; p->name != NULL; p++)
        if (p->power == PARAM_SPEC && strcmp(p->name, name) == 0)
            return true;
    return false;
}

/* ---- what the fields mean together ---- */

static bool plan_space(const struct recipe *recipe, struct space *out, struct err *e) {
    *out = recipe->space;
    out->types = (1U << TBS_TYPES) - 1;
    if (strcmp(recipe->types, "all") != 0 && !tbs_read_types(recipe->types, &out->types, e))
        return err_prefix(e, "types=%s: ", recipe->types);
    if (strcmp(recipe->terrain, "even") != 0 && !tbs_read_weights(recipe->terrain, out->weight, e))
        return false;
    for (int terrain = 0; strcmp(recipe->terrain, "even") == 0 && terrain < TBS_TERRAINS; terrain++)
        out->weight[terrain] = terrain != TBS_NO_ENTRY;
    return space_check(out, e);
}

/* Words may come more than once, and with blanks around them. */
static bool plan_mutations(const struct recipe *recipe, unsigned *out, struct err *e) {
    char words[PARAM_TEXT_MAX];
    char *pieces[4 * MUTATIONS];
    *out = strcmp(recipe->mutation, "all") == 0 ? MUTATION_ALL : 0;
    if (*out != 0 || strcmp(recipe->mutation, "none") == 0)
        return true;
    memcpy(words, recipe->mutation, sizeof words);
    const int count = text_split(words, ',', pieces, 4 * MUTATIONS);
    for (int i = 0; i < count; i++) {
        const char *word = text_trim(pieces[i]);
        int kind = 0;
        while (kind < MUTATIONS && strcmp(word, mutation_names[kind]) != 0)
            kind++;
        if (kind == MUTATIONS)
            return err_code(e, "refused.mutation",
                            "mutation=%.64s: '%.40s' is unknown; expected none, all, or terrain, type, hp, "
                            "place, add and remove with commas",
                            recipe->mutation, pieces[i]);
        *out |= 1U << kind;
    }
    return count > 0 || err_set(e, "mutation: the list is too long");
}

/* Whether the player can play on both kinds of board, which only opening it shows. One that needs a grant
 * (player/player.h) is opened for its first game. */
static bool check_player(const char *name, const char *spec, struct err *e) {
    static const struct game *const tables[] = {&tbs_game, &tbs_wide_game};
    if (!player_check(spec, NULL, e))
        return err_prefix(e, "%s=%s: ", name, spec);
    for (int i = 0; i < 2 && grant_allows(NULL, spec, NULL); i++) {
        struct player *player = player_open(spec, tables[i], e);
        if (player == NULL)
            return err_prefix(e, "%s=%s: ", name, spec);
        player_close(player);
    }
    return true;
}

/* Batches of games are asked for at once. */
static bool check_amount(const char *what, double games, struct err *e) {
    return games <= RECIPE_BATCH_MAX ||
           err_code(e, "refused.at_once", "%s: %.0f games at once are too many; the limit is %d", what, games,
                    RECIPE_BATCH_MAX);
}

/* Contradictions between ways to select and to judge. Game numbers of maps that are judged in every
 * generation stay below those of verification. */
static bool check_selection(const struct recipe *r, struct err *e) {
    const double numbers = (r->generations + 1.0) * (r->games / 2 > r->peers ? r->games / 2 : r->peers);
    if (r->method == METHOD_RANDOM && r->race)
        return err_code(e, "refused.race",
                        "race=yes with method=random: every map is judged once, there is nothing to win");
    if (r->method != METHOD_GENERATIONS)
        return true;
    if (r->race && (r->rejudge || r->replacement == REPLACEMENT_CHILDREN))
        return err_code(e, "refused.race_parents",
                        "race=yes with %s: a child has no fitness of its parents to reach",
                        r->rejudge ? "rejudge=yes" : "replacement=children");
    if (r->copies && r->selection == SELECTION_BEST)
        return err_code(e, "refused.copies_best",
                        "copies=yes with selection=best: nothing is drawn, so nothing is drawn twice");
    return !r->rejudge || numbers <= RECIPE_FRESH ||
           err_code(e, "refused.rejudge", "rejudge=yes: %.0f games of one map are too many; the limit is %d",
                    numbers, RECIPE_FRESH);
}

/* What the ranges of the table cannot check: parities, products, and contradictions. */
static bool check_numbers(const struct plan *plan, struct err *e) {
    const struct recipe *r = &plan->recipe;
    const bool changes = plan->mutations != 0 && r->mutation_rate > 0;
    const double games = (double)r->games + r->peers;
    if (r->games % 2 != 0)
        return err_code(e, "refused.even", "%s=%d: expected an even number, half of them from each side",
                        "games", r->games);
    if (r->verify % 2 != 0)
        return err_code(e, "refused.even", "%s=%d: expected an even number, half of them from each side",
                        "verify", r->verify);
    if (r->method == METHOD_GENERATIONS && r->population % 2 != 0)
        return err_code(e, "refused.population",
                        "population=%d: expected an even number, as children come in pairs", r->population);
    if (r->method == METHOD_GENERATIONS && r->born < r->population)
        return err_code(e, "refused.born", "born=%d is fewer than population=%d: there is nothing to select",
                        r->born, r->population);
    if (!check_amount("born * (games + peers)", r->born * games, e) ||
        !check_amount("population * (games + peers)", r->population * games, e) ||
        !check_amount("show * verify", 1.5 * r->show * r->verify, e))
        return false;
    if (!check_selection(r, e))
        return false;
    if (r->method != METHOD_RANDOM && r->crossover_rate <= 0 && !changes)
        return err_code(e, "refused.copies",
                        "crossover_rate=0 and no mutation: all children would be copies of their parents");
    return true;
}

bool recipe_plan(const struct recipe *recipe, struct plan *out, struct err *e) {
    *out = (struct plan){.recipe = *recipe};
    return plan_space(recipe, &out->space, e) && plan_mutations(recipe, &out->mutations, e) &&
           (out->rules = tbs_read_rules(recipe->rules, e)) != NULL &&
           (naturalness_read(recipe->natural_by, &out->naturalness, e) ||
            err_prefix(e, "natural_by=%s: ", recipe->natural_by)) &&
           check_numbers(out, e) && check_player("strong", recipe->strong, e) &&
           check_player("weak", recipe->weak, e);
}

/* ---- as text ---- */

/* Begins with the defaults, so that stores of versions with fewer parameters can be read. */
bool recipe_read(const char *text, struct recipe *out, struct err *e) {
    return recipe_preset(out, NULL, e) && set_lines(out, text, e);
}

/* Writes the values of a parameter in two recipes; true when they differ. */
static bool write_values(const struct param *p, const struct recipe *a, const struct recipe *b,
                         struct text values[2]) {
    text_clear(&values[0]);
    text_clear(&values[1]);
    params_write_value(p, a, &values[0]);
    params_write_value(p, b, &values[1]);
    return strcmp(text_string(&values[0]), text_string(&values[1])) != 0;
}

/* The first field in which they differ: "games was 10 and is now 12". False when there is none. */
static bool recipe_differs(const char *before, const char *now, struct err *why) {
    struct recipe recipes[2];
    struct text values[2] = {{0}, {0}};
    if (!recipe_read(before, &recipes[0], why) || !recipe_read(now, &recipes[1], why))
        return true;
    const struct param *p = recipe_params;
    while (p->name != NULL && !write_values(p, &recipes[0], &recipes[1], values))
        p++;
    if (p->name != NULL)
        err_set(why, "%s was %s and is now %s", p->name, text_string(&values[0]), text_string(&values[1]));
    text_done(&values[0]);
    text_done(&values[1]);
    return p->name != NULL;
}

/* ---- tasks ---- */

/* Named texts of the store. The recipe is the last that is written: a folder is begun once it is there. */
enum { TASK_FROM, TASK_SEED, TASK_RECIPE, TASK_TEXTS };
static const char *const task_texts[TASK_TEXTS] = {
    "from", /* the maps to begin with: [{"name": …, "map": …}] */
    "seed",
    STORE_RECIPE,
};

enum { SEED_DEFAULT = 1 };

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

/* The maps come from a store or a request, and must lie in the task's space. */
static bool read_maps(const struct evolve_overrides *overrides, struct evolve_task *task, struct err *e) {
    if (task->from_text.size == 0)
        return true;
    task->maps = json_loads(text_string(&task->from_text), 0, NULL);
    const size_t count = json_array_size(task->maps);
    if (count == 0)
        return err_set(e, "the store's maps to begin with cannot be read");
    if (count > EVOLVE_FROM_MAX || count > (size_t)task->recipe.born)
        return err_code(e, "refused.from", "%sfrom: %zu maps, but %sborn is %d: no more than are born",
                        overrides->mark, count, overrides->mark, task->recipe.born);
    task->from = mem_alloc(count * sizeof *task->from);
    for (size_t i = 0; i < count; i++, task->from_count++) {
        const char **name = &task->names[i], *text;
        struct tbs_map map;
        if (json_unpack(json_array_get(task->maps, i), "{ss ss}", "name", name, "map", &text) != 0)
            return err_set(e, "the store's maps to begin with cannot be read");
        if (!tbs_map_load(*name, text, strlen(text), &map, e))
            return false;
        if (!genome_from_map(&task->plan.space, &map, &task->from[i], e))
            return err_prefix(e, "%sfrom %s: ", overrides->mark, *name);
    }
    return true;
}

/* A task as the named texts of a store. */
struct stored_task {
    bool has[TASK_TEXTS]; /* with its recipe the store is begun */
    struct text texts[TASK_TEXTS];
};

static const char *stored_text(const struct stored_task *stored, int which) {
    return text_string(&stored->texts[which]);
}

/* Omitted options keep the stored value; given ones must match it. */
static bool compare(const struct evolve_overrides *overrides, const struct stored_task *begun,
                    const struct stored_task *now, struct err *e) {
    const char *folder = overrides->folder;
    struct err why;
    if (recipe_differs(stored_text(begun, TASK_RECIPE), stored_text(now, TASK_RECIPE), &why))
        return err_set(e,
                       "%s was begun with other arguments: %s; choose another folder or the same arguments",
                       folder, why.text);
    if (strcmp(stored_text(begun, TASK_SEED), stored_text(now, TASK_SEED)) != 0)
        return err_set(e, "%s was begun with seed %s, now %s; choose another folder or the same arguments",
                       folder, stored_text(begun, TASK_SEED), stored_text(now, TASK_SEED));
    return strcmp(stored_text(begun, TASK_FROM), stored_text(now, TASK_FROM)) == 0 ||
           err_set(e, "%s was begun with other maps than %sfrom %s; choose another folder or the same maps",
                   folder, overrides->mark, overrides->from_label);
}

/* Recipe, seed and plan. */
static bool resolve(const struct evolve_overrides *overrides, const struct stored_task *begun,
                    struct evolve_task *out, struct err *e) {
    const bool is_begun = begun->has[TASK_RECIPE];
    unsigned long long seed = overrides->has_seed ? overrides->seed : SEED_DEFAULT;
    if (is_begun && overrides->preset == NULL ? !recipe_read(stored_text(begun, TASK_RECIPE), &out->recipe, e)
                                              : !recipe_preset(&out->recipe, overrides->preset, e))
        return false;
    if (overrides->recipe.table != NULL)
        params_copy_given(&overrides->recipe, &out->recipe);
    if (!overrides->has_seed && is_begun && !text_to_u64(stored_text(begun, TASK_SEED), &seed))
        return err_set(e, "the folder's store has no seed but '%s'", stored_text(begun, TASK_SEED));
    out->seed = seed;
    return recipe_plan(&out->recipe, &out->plan, e);
}

/* A store of other games is not changed. */
static bool begin_store(struct store *store, const struct stored_task *now, struct err *e) {
    bool ok = store_is_of(store, STORE_RECIPE, e);
    for (int i = 0; ok && i < TASK_TEXTS; i++)
        ok = store_put(store, task_texts[i], stored_text(now, i), e);
    return ok;
}

enum evolve_resolution evolve_resolve(const struct evolve_overrides *overrides, struct store *store,
                                      bool writable, struct evolve_task *out, struct err *e) {
    struct stored_task begun = {0}, now = {0};
    enum evolve_resolution resolution = EVOLVE_FAILED;
    bool is_read = true;
    for (int i = 0; store != NULL && is_read && i < TASK_TEXTS; i++)
        is_read = store_get(store, task_texts[i], &begun.texts[i], &begun.has[i], e);
    const bool is_begun = begun.has[TASK_RECIPE];
    if (is_read && is_begun && !begun.has[TASK_SEED]) {
        err_set(e, "the folder's store has a recipe but no seed");
    } else if (is_read && !resolve(overrides, &begun, out, e)) {
        resolution = EVOLVE_WRONG;
    } else if (is_read) {
        text_add_string(&out->from_text,
                        overrides->from != NULL ? overrides->from : stored_text(&begun, TASK_FROM));
        params_write_all(recipe_params, &out->recipe, &now.texts[TASK_RECIPE]);
        text_add(&now.texts[TASK_SEED], "%" PRIu64, out->seed);
        text_add_string(&now.texts[TASK_FROM], text_string(&out->from_text));
        if ((!is_begun || compare(overrides, &begun, &now, e)) && read_maps(overrides, out, e) &&
            (store == NULL || !writable || is_begun || begin_store(store, &now, e)))
            resolution = EVOLVE_RESOLVED;
    }
    for (int i = 0; i < TASK_TEXTS; i++) {
        text_done(&begun.texts[i]);
        text_done(&now.texts[i]);
    }
    return resolution;
}

void evolve_task_done(struct evolve_task *task) {
    mem_free(task->from);
    text_done(&task->from_text);
    json_decref(task->maps);
    *task = (struct evolve_task){0};
}

void evolve_task_write(const struct evolve_task *task, struct text *out) {
    text_add(out, "%" PRIu64 "\n", task->seed);
    params_write_all(recipe_params, &task->recipe, out);
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

/* Only characters that no shell interprets stay without quotation marks. */
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
    char option[SPEC_NAME_MAX];
    struct err e;
    text_add(out, "senjutsu evolve --preset %s --seed %" PRIu64, preset, task->seed);
    const bool known = recipe_preset(&defaults, preset, &e);
    for (const struct param *p = recipe_params + 1; known && p->name != NULL; p++) {
        if (!write_values(p, &defaults, &task->recipe, values))
            continue;
        param_option_name(p, option, sizeof option);
        text_add(out, " --%s ", option);
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
