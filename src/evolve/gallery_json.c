/* SPDX-License-Identifier: MIT
 *
 * Everything that is known of a run, for programs. docs/map-generation.md explains every member. The
 * ancestors of all maps are one list, each of them once; a member that could not be made is missing, and then
 * the whole is given up.
 */
#include "base/jsontext.h"
#include "base/mem.h"
#include "evolve/gallery_facts.h"

#include <math.h>
#include <string.h>

/* Six decimals, so that a number does not depend on how it was stored; null for what is none. */
static json_t *real(double value) {
    return isfinite(value) ? json_real(round(value * 1e6) / 1e6) : json_null();
}

static json_t *string(const char *bytes) {
    return jsontext_string(bytes, strlen(bytes));
}

static json_t *sides(const int values[TBS_SIDES]) {
    return json_pack("{s:i, s:i}", tbs_side_names[TBS_RED], values[TBS_RED], tbs_side_names[TBS_BLUE],
                     values[TBS_BLUE]);
}

/* ---- the recipe ---- */

static json_t *value_of(const struct param *p, const struct recipe *recipe) {
    struct text value = {0};
    json_t *json = NULL;
    long integer = 0;
    double number = 0;
    params_write_value(p, recipe, &value);
    if (p->kind == PARAM_INT && text_to_int(text_string(&value), &integer))
        json = json_integer(integer);
    else if (p->kind == PARAM_REAL && text_to_real(text_string(&value), &number))
        json = real(number);
    else if (p->kind == PARAM_SWITCH)
        json = json_boolean(strcmp(text_string(&value), "yes") == 0);
    else if (!value.failed)
        json = string(text_string(&value));
    text_done(&value);
    return json;
}

static json_t *recipe_json(const struct recipe *recipe) {
    json_t *object = json_object();
    bool ok = object != NULL;
    for (const struct param *p = recipe_params; ok && p->name != NULL; p++)
        ok = json_object_set_new(object, p->name, value_of(p, recipe)) == 0;
    if (!ok)
        json_decref(object);
    return ok ? object : NULL;
}

/* ---- games ---- */

static json_t *tally_json(const struct tally *t) {
    return json_pack("{s:i, s:i, s:i}", "wins", t->wins, "draws", t->draws, "losses", t->losses);
}

static json_t *ints(const int *values, int count) {
    json_t *array = json_array();
    bool ok = array != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = json_array_append_new(array, json_integer(values[i])) == 0;
    if (!ok)
        json_decref(array);
    return ok ? array : NULL;
}

static json_t *judgement_json(const struct judgement *j, int unit_count) {
    const int units = unit_count < TRIAL_MASK_UNITS ? unit_count : TRIAL_MASK_UNITS;
    return json_pack("{s:o, s:o, s:o, s:I, s:I, s:i, s:i, s:o, s:o, s:o}", "strong_red",
                     tally_json(&j->strong[TBS_RED]), "strong_blue", tally_json(&j->strong[TBS_BLUE]),
                     "peers_red", tally_json(&j->peers), "turns", (json_int_t)j->turns, "actions",
                     (json_int_t)j->actions, "annihilated", j->annihilated, "forfeits", j->forfeits,
                     "first_kills_red", ints(j->first_kills[TBS_RED], JUDGEMENT_KILLS_MAX + 1),
                     "first_kills_blue", ints(j->first_kills[TBS_BLUE], JUDGEMENT_KILLS_MAX + 1), "attacked",
                     ints(j->attacked, units));
}

static json_t *share_json(const struct share *s) {
    if (s->games == 0)
        return json_null();
    return json_pack("{s:o, s:o, s:o, s:i}", "value", real(s->value), "low", real(s->interval.low), "high",
                     real(s->interval.high), "games", s->games);
}

static json_t *qualities_json(const struct gallery_facts *f) {
    const struct judgement *j = f->judgement;
    const bool known = judgement_games(j) > 0;
    json_t *object =
        json_pack("{s:s, s:i}", "from", f->is_fresh ? "fresh" : "selection", "games", judgement_games(j));
    bool ok = object != NULL;
    for (int i = 0; ok && i < QUALITIES; i++)
        ok = json_object_set_new(object, gallery_qualities[i].key, share_json(&f->qualities[i])) == 0;
    ok = ok && json_object_set_new(object, "turns", real(known ? judgement_turns(j) : (double)NAN)) == 0;
    if (!ok)
        json_decref(object);
    return ok ? object : NULL;
}

/* ---- maps ---- */

static json_t *looks_json(const struct looks *l) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "roads", l->roads,
                     "isolated_roads", l->isolated_roads, "road_ends", l->road_ends, "rough", l->rough,
                     "gathered", l->gathered, "strewn", l->strewn, "coherence", real(l->coherence), "no_prey",
                     sides(l->no_prey), "stranded", sides(l->stranded), "first_attacks",
                     sides(l->first_attacks), "attackers", sides(l->attackers), "natural", real(l->natural));
}

static json_t *map_text(const struct tbs_map *map) {
    struct text text = {0};
    tbs_map_write(map, &text);
    json_t *json = text.failed ? NULL : string(text_string(&text));
    text_done(&text);
    return json;
}

/* -1 is nobody: null. */
static json_t *id_json(int id) {
    return id >= 0 ? json_integer(id) : json_null();
}

static json_t *pair_json(const int values[2]) {
    return json_pack("[o, o]", id_json(values[0]), id_json(values[1]));
}

static json_t *map_json(const struct evolution *ev, int rank) {
    struct gallery_facts f;
    gallery_facts_make(ev, rank, &f);
    const struct individual *one = f.individual;
    const int units = f.map.unit_count;
    return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rank",
                     rank + 1, "id", one->id, "generation", f.origin->generation, "note",
                     string(f.origin->note), "parents", pair_json(f.origin->parents), "place",
                     pair_json(one->place), "fitness", real(one->fitness), "fitness_fresh",
                     real(f.fitness_fresh), "qualities", qualities_json(&f), "looks", looks_json(&one->looks),
                     "remarks", remarks_json(&f.remarks), "judgement", judgement_json(&one->judgement, units),
                     "fresh", judgement_json(&one->fresh, units), "map", map_text(&f.map));
}

/* ---- lists ---- */

static json_t *generation_json(const struct evolution *ev, int index) {
    const struct generation *g = &ev->generations[index];
    return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:i}", "generation", g->number, "evaluations",
                     g->evaluations, "games", g->games, "best", real(g->best), "mean", real(g->mean),
                     "best_id", id_json(g->best_id), "filled", g->filled);
}

static json_t *feature_json(const struct evolution *ev, int index) {
    const struct feature *f = &evolution_features[index];
    (void)ev;
    json_t *edges = json_array();
    bool ok = edges != NULL;
    for (int i = 0; ok && i < f->bins - 1; i++)
        ok = json_array_append_new(edges, real(f->edges[i])) == 0;
    if (!ok)
        json_decref(edges);
    return json_pack("{s:s, s:s, s:o}", "name", f->name, "unit", f->unit, "edges", ok ? edges : NULL);
}

static json_t *list(const struct evolution *ev, int count, json_t *(*make)(const struct evolution *, int)) {
    json_t *array = json_array();
    bool ok = array != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = json_array_append_new(array, make(ev, i)) == 0;
    if (!ok)
        json_decref(array);
    return ok ? array : NULL;
}

static json_t *origin_json(const struct evolution *ev, int id) {
    const struct origin *o = &ev->origins[id];
    return json_pack("{s:i, s:i, s:o, s:o, s:o}", "id", id, "generation", o->generation, "parents",
                     pair_json(o->parents), "note", string(o->note), "fitness", real((double)o->fitness));
}

/* The maps that are shown and all their ancestors, each once, the oldest first. */
static json_t *lineage_json(const struct evolution *ev) {
    unsigned char *marks = mem_alloc((size_t)ev->origin_count + 1);
    json_t *array = json_array();
    bool ok = marks != NULL && array != NULL;
    for (int i = 0; ok && i < ev->shown_count; i++) {
        const int id = ev->individuals[ev->shown[i]].id;
        gallery_mark_ancestors(ev, id, marks);
        marks[id] = 1;
    }
    for (int id = 0; ok && id < ev->origin_count; id++)
        ok = marks[id] == 0 || json_array_append_new(array, origin_json(ev, id)) == 0;
    mem_free(marks);
    if (!ok)
        json_decref(array);
    return ok ? array : NULL;
}

/* ---- the whole ---- */

struct json_t *gallery_json(const struct evolution *ev) {
    const bool has_archive = ev->plan->recipe.method == METHOD_ARCHIVE;
    const int games = ev->generation_count > 0 ? ev->generations[ev->generation_count - 1].games : 0;
    return json_pack("{s:s, s:i, s:o, s:o, s:i, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "format",
                     "senjutsu-evolution", "version", 1, "seed", jsontext_seed(ev->seed), "recipe",
                     recipe_json(&ev->plan->recipe), "maps_made", ev->origin_count, "evaluations",
                     ev->evaluations, "games", games, "verified", ev->verified, "fitness_max",
                     real(gallery_ceiling(ev)), "features",
                     list(ev, has_archive ? FEATURES : 0, feature_json), "generations",
                     list(ev, ev->generation_count, generation_json), "maps",
                     list(ev, ev->shown_count, map_json), "lineage", lineage_json(ev));
}
