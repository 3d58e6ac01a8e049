/* SPDX-License-Identifier: MIT
 *
 * A run as data: comma-separated values, JSON, and a plot of its generations as SVG.
 */
#include "base/encode.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "evolve/gallery.h"

#include <math.h>
#include <string.h>

/* ---- comma-separated values: an unknown value is an empty field ---- */

static void add_number(double value, int decimals, struct text *out) {
    text_add_string(out, ",");
    csv_number(value, decimals, out);
}

static void add_id(int id, struct text *out) {
    text_add_string(out, ",");
    if (id >= 0)
        text_add(out, "%d", id);
}

void gallery_fitness_csv(const struct evolution *ev, struct text *out) {
    text_add_string(out, "generation,evaluations,games,best,mean,best_id,filled\n");
    for (int i = 0; i < ev->generation_count; i++) {
        const struct generation *g = &ev->generations[i];
        text_add(out, "%d,%d,%d", g->number, g->evaluations, g->games);
        add_number(g->best, 6, out);
        add_number(g->mean, 6, out);
        add_id(g->best_id, out);
        text_add(out, ",%d\n", g->filled);
    }
}

/* ---- maps ---- */

static void add_head(struct text *out) {
    text_add_string(out, "rank,id,generation,note,parent,other_parent,place_length,place_mix,fitness,"
                         "fitness_fresh,games_from,games,forfeits");
    for (int i = 0; i < QUALITIES; i++) {
        const char *key = gallery_qualities[i].key;
        text_add(out, ",%s,%s_low,%s_high,%s_games", key, key, key, key);
    }
    text_add_string(out, ",turns,actions,annihilated,first_kills_red,first_kills_blue,first_attacks_red,"
                         "first_attacks_blue,attackers_red,attackers_blue,no_prey_red,no_prey_blue,"
                         "stranded_red,stranded_blue,roads,isolated_roads,road_ends,rough,gathered,strewn,"
                         "coherence,natural\n");
}

static void add_selection(const struct gallery_entry *f, struct text *out) {
    const struct individual *one = f->individual;
    text_add(out, ",%d,%d,", one->id, f->origin->generation);
    csv_field(f->origin->note, out);
    for (int i = 0; i < 2; i++)
        add_id(f->origin->parents[i], out);
    for (int i = 0; i < FEATURES; i++)
        add_id(one->place[i], out);
    add_number(one->fitness, 6, out);
    add_number(f->fitness_fresh, 6, out);
}

static void add_qualities(const struct gallery_entry *f, struct text *out) {
    const struct judgement *j = f->judgement;
    text_add(out, ",%s,%d,%d", f->is_fresh ? "fresh" : "selection", judgement_games(j), j->forfeits);
    for (int i = 0; i < QUALITIES; i++) {
        const struct share *share = &f->qualities[i];
        if (share->games == 0) {
            text_add_string(out, ",,,,0");
            continue;
        }
        add_number(share->value, 6, out);
        add_number(share->interval.low, 6, out);
        add_number(share->interval.high, 6, out);
        text_add(out, ",%d", share->games);
    }
}

static void add_game_means(const struct judgement *j, struct text *out) {
    const int games = judgement_games(j);
    if (games == 0) {
        text_add_string(out, ",,,,,");
        return;
    }
    add_number(judgement_turns(j), 4, out);
    add_number((double)j->actions / games, 4, out);
    add_number((double)j->annihilated / games, 6, out);
    for (int side = 0; side < TBS_SIDES; side++)
        add_number(judgement_first_kills_mean(j, side), 4, out);
}

static void add_static_features(const struct static_features *features, struct text *out) {
    const int *const pairs[] = {features->first_attacks, features->attackers, features->no_prey,
                                features->stranded};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        text_add(out, ",%d,%d", pairs[i][TBS_RED], pairs[i][TBS_BLUE]);
    text_add(out, ",%d,%d,%d,%d,%d,%d", features->roads, features->isolated_roads, features->road_ends,
             features->rough, features->gathered, features->strewn);
    add_number(features->coherence, 4, out);
    add_number(features->natural, 4, out);
}

void gallery_maps_csv(const struct evolution *ev, struct text *out) {
    add_head(out);
    for (int i = 0; i < ev->shown_count; i++) {
        struct gallery_entry entry;
        gallery_entry_make(ev, i, &entry);
        text_add(out, "%d", i + 1);
        add_selection(&entry, out);
        add_qualities(&entry, out);
        add_game_means(entry.judgement, out);
        add_static_features(&entry.individual->static_features, out);
        text_add_string(out, "\n");
    }
}

/* ---- JSON ----
 *
 * docs/map-generation.md explains every member. The ancestors of all maps are one list, each of them once.
 * When memory runs out for one member there is no JSON at all. */

/* Six decimals, so that a number does not depend on how it was stored; null for NAN and infinity. */
static json_t *real(double value) {
    return isfinite(value) ? json_real(round(value * 1e6) / 1e6) : json_null();
}

/* The list or object that was filled, or NULL when a part of it is missing. */
static json_t *finished(json_t *json, bool ok) {
    if (ok)
        return json;
    json_decref(json);
    return NULL;
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
    long integer;
    double number;
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
    return finished(object, ok);
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
    return finished(array, ok);
}

static json_t *judgement_json(const struct judgement *j, int unit_count) {
    const int units = unit_count < SAMPLE_MASK_UNITS ? unit_count : SAMPLE_MASK_UNITS;
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

static json_t *qualities_json(const struct gallery_entry *f) {
    const struct judgement *j = f->judgement;
    const bool known = judgement_games(j) > 0;
    json_t *object =
        json_pack("{s:s, s:i}", "from", f->is_fresh ? "fresh" : "selection", "games", judgement_games(j));
    bool ok = object != NULL;
    for (int i = 0; ok && i < QUALITIES; i++)
        ok = json_object_set_new(object, gallery_qualities[i].key, share_json(&f->qualities[i])) == 0;
    ok = ok && json_object_set_new(object, "turns", real(known ? judgement_turns(j) : (double)NAN)) == 0;
    return finished(object, ok);
}

/* ---- maps ---- */

static json_t *static_features_json(const struct static_features *l) {
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

/* -1: none, null in JSON */
static json_t *id_json(int id) {
    return id >= 0 ? json_integer(id) : json_null();
}

static json_t *pair_json(const int values[2]) {
    return json_pack("[o, o]", id_json(values[0]), id_json(values[1]));
}

static json_t *map_json(const struct evolution *ev, int rank) {
    struct gallery_entry f;
    gallery_entry_make(ev, rank, &f);
    const struct individual *one = f.individual;
    const int units = f.map.unit_count;
    return json_pack("{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "rank",
                     rank + 1, "id", one->id, "generation", f.origin->generation, "note",
                     string(f.origin->note), "parents", pair_json(f.origin->parents), "place",
                     pair_json(one->place), "fitness", real(one->fitness), "fitness_fresh",
                     real(f.fitness_fresh), "qualities", qualities_json(&f), "looks",
                     static_features_json(&one->static_features), "remarks", remarks_json(&f.remarks),
                     "judgement", judgement_json(&one->judgement, units), "fresh",
                     judgement_json(&one->fresh, units), "map", map_text(&f.map));
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
    return json_pack("{s:s, s:s, s:o}", "name", f->name, "unit", f->unit, "edges", finished(edges, ok));
}

static json_t *list(const struct evolution *ev, int count, json_t *(*make)(const struct evolution *, int)) {
    json_t *array = json_array();
    bool ok = array != NULL;
    for (int i = 0; ok && i < count; i++)
        ok = json_array_append_new(array, make(ev, i)) == 0;
    return finished(array, ok);
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
    return finished(array, ok);
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

/* ---- the plot ----
 *
 * Best and mean fitness by generation, and below them how many different
 * maps (or cells of the archive with a good one) there were. SVG that stands in a page or in a file of its
 * own; its colours follow the reader's choice of light or dark. */

enum {
    WIDTH = 640,
    HEIGHT = 400,
    LEFT = 58, /* of both frames */
    RIGHT = WIDTH - 18,
    POINTS_MAX = 500, /* of a line: more are indistinguishable */
    DOTS_MAX = 30,    /* of a line that has a dot at each point */
    TICKS_MAX = 8,
};

/* A frame of the plot: its place, and the values at its edges. */
struct frame {
    double top, bottom; /* pixels */
    double high;        /* value at the top; 0 at the bottom */
    double last;        /* generation; the first is 0 */
};

struct series {
    const char *class;
    double (*value)(const struct generation *g);
};

static const char style[] =
    ".evoplot{font:13px system-ui,sans-serif;--ink:#1b2026;--dim:#59636e;--line:#dde1e6;--one:#2d6aa3;"
    "--two:#b4621b}"
    "@media (prefers-color-scheme:dark){.evoplot{--ink:#e5e8eb;--dim:#9aa5b0;--line:#31373e;--one:#7db4e6;"
    "--two:#eea35c}}"
    ".evoplot text{fill:var(--dim)}.evoplot .ink{fill:var(--ink)}"
    ".evoplot .frame{fill:none;stroke:var(--dim)}.evoplot .grid{stroke:var(--line)}"
    ".evoplot .ceiling{stroke:var(--dim);stroke-dasharray:2 4}"
    ".evoplot .best,.evoplot .mean,.evoplot .filled{fill:none;stroke-width:2;stroke-linejoin:round}"
    ".evoplot .best{stroke:var(--one)}.evoplot .mean{stroke:var(--two);stroke-dasharray:7 4}"
    ".evoplot .filled{stroke:var(--dim)}"
    ".evoplot circle{stroke-width:0!important}.evoplot circle.best{fill:var(--one)}"
    ".evoplot circle.mean{fill:var(--two)}.evoplot circle.filled{fill:var(--dim)}";

static double best_of(const struct generation *g) {
    return g->best;
}

static double mean_of(const struct generation *g) {
    return g->mean;
}

static double filled_of(const struct generation *g) {
    return g->filled;
}

static double x_of(const struct frame *f, double generation) {
    return LEFT + generation / f->last * (RIGHT - LEFT);
}

static double y_of(const struct frame *f, double value) {
    const double inside = fmin(fmax(value, 0), f->high);
    return f->bottom - inside / f->high * (f->bottom - f->top);
}

/* ---- axes ---- */

/* A step of 1, 2 or 5 times a power of ten with at most `ticks_max` steps in the span. */
static double step_of(double span, int ticks_max, double least) {
    double power = least;
    while (span / (power * 10) > ticks_max)
        power *= 10;
    static const double factors[] = {1, 2, 5};
    for (int i = 0; i < 3; i++)
        if (span / (power * factors[i]) <= ticks_max)
            return power * factors[i];
    return power * 10;
}

static void add_frame(const struct frame *f, struct text *out) {
    text_add(out, "<rect class=\"frame\" x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\"/>\n", LEFT, f->top,
             RIGHT - LEFT, f->bottom - f->top);
}

static void add_values(const struct frame *f, int ticks_max, bool whole, struct text *out) {
    const double step = step_of(f->high, ticks_max, whole ? 1 : 0.1);
    const int count = (int)floor(f->high / step + 1e-9);
    for (int i = 0; i <= count; i++) {
        const double value = i * step, y = y_of(f, value);
        text_add(out,
                 "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.*f</text>\n",
                 LEFT, y, RIGHT, y, LEFT - 8, y + 4.5, whole ? 0 : 1, value);
    }
}

static void add_generations(const struct frame *f, struct text *out) {
    const double step = step_of(f->last, TICKS_MAX, 1);
    for (double at = 0; at <= f->last; at += step)
        text_add(out,
                 "<line class=\"frame\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                 "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n",
                 x_of(f, at), f->bottom, x_of(f, at), f->bottom + 5, x_of(f, at), f->bottom + 19, at);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">generation</text>\n",
             (LEFT + RIGHT) / 2, f->bottom + 36);
}

/* ---- lines ---- */

/* Which generation is the i-th point of a line. */
static int point(const struct evolution *ev, int i, int points) {
    return points > 1 ? (int)((long long)i * (ev->generation_count - 1) / (points - 1)) : 0;
}

/* A line has gaps where there was no value. */
static void add_line(const struct evolution *ev, const struct frame *f, const struct series *series,
                     struct text *out) {
    const int points = ev->generation_count < POINTS_MAX ? ev->generation_count : POINTS_MAX;
    bool drawing = false;
    for (int i = 0; i < points; i++) {
        const struct generation *g = &ev->generations[point(ev, i, points)];
        const double value = series->value(g);
        if (isfinite(value) && !drawing)
            text_add(out, "<polyline class=\"%s\" points=\"", series->class);
        if (isfinite(value))
            text_add(out, "%s%.1f,%.1f", drawing ? " " : "", x_of(f, g->number), y_of(f, value));
        else if (drawing)
            text_add_string(out, "\"/>\n");
        drawing = isfinite(value);
    }
    text_add_string(out, drawing ? "\"/>\n" : "");
}

static void add_dots(const struct evolution *ev, const struct frame *f, const struct series *series,
                     struct text *out) {
    for (int i = 0; i < ev->generation_count && ev->generation_count <= DOTS_MAX; i++) {
        const struct generation *g = &ev->generations[i];
        const double value = series->value(g);
        if (isfinite(value))
            text_add(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", series->class,
                     x_of(f, g->number), y_of(f, value));
    }
}

static void add_series(const struct evolution *ev, const struct frame *f, const char *class,
                       double (*value)(const struct generation *g), struct text *out) {
    const struct series series = {class, value};
    add_line(ev, f, &series, out);
    add_dots(ev, f, &series, out);
}

static void add_key(double x, const char *class, const char *words, struct text *out) {
    text_add(out,
             "<line class=\"%s\" x1=\"%.0f\" y1=\"14\" x2=\"%.0f\" y2=\"14\"/>"
             "<text class=\"ink\" x=\"%.0f\" y=\"18.5\">%s</text>\n",
             class, x, x + 28, x + 34, words);
}

/* ---- the two frames ---- */

static const char *fitness_name(const struct evolution *ev) {
    return ev->plan->recipe.method == METHOD_ARCHIVE ? "quality" : "fitness";
}

static void add_fitness(const struct evolution *ev, const struct frame *f, struct text *out) {
    const double ceiling = gallery_ceiling(ev);
    const bool is_published = ev->plan->recipe.method != METHOD_ARCHIVE;
    add_values(f, 6, is_published, out);
    if (is_published)
        text_add(out,
                 "<line class=\"ceiling\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">the most: %.0f</text>\n",
                 LEFT, y_of(f, ceiling), RIGHT, y_of(f, ceiling), RIGHT - 5, y_of(f, ceiling) - 5, ceiling);
    add_frame(f, out);
    add_series(ev, f, "mean", mean_of, out);
    add_series(ev, f, "best", best_of, out);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"18.5\">%s</text>\n", LEFT, fitness_name(ev));
    add_key(LEFT + 76, "best", "best", out);
    add_key(LEFT + 166, "mean", "mean", out);
}

static int filled_most(const struct evolution *ev) {
    const bool has_archive = ev->plan->recipe.method == METHOD_ARCHIVE;
    int most = has_archive ? evolution_features[FEATURE_LENGTH].bins * evolution_features[FEATURE_MIX].bins
                           : ev->plan->recipe.population;
    for (int i = 0; i < ev->generation_count; i++)
        most = ev->generations[i].filled > most ? ev->generations[i].filled : most;
    return most;
}

static void add_filled(const struct evolution *ev, const struct frame *f, struct text *out) {
    add_values(f, 4, true, out);
    add_frame(f, out);
    add_series(ev, f, "filled", filled_of, out);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"%.1f\">%s (of %.0f)</text>\n", LEFT, f->top - 7,
             ev->plan->recipe.method == METHOD_ARCHIVE ? "cells of the archive with a good map"
                                                       : "different maps",
             f->high);
}

void gallery_plot_svg(const struct evolution *ev, struct text *out) {
    const int count = ev->generation_count;
    const double ceiling = gallery_ceiling(ev);
    const double last = count > 0 ? fmax(ev->generations[count - 1].number, 1) : 1;
    /* A little room above the published ceiling, so that a line along it can be seen. */
    const struct frame upper = {28, 238, ev->plan->recipe.method == METHOD_ARCHIVE ? 1 : 1.1 * ceiling, last};
    const struct frame lower = {274, 350, filled_most(ev), last};
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"evoplot\" viewBox=\"0 0 %d %d\" role=\"img\" "
             "aria-label=\"Best and mean %s by generation\">\n<style>%s</style>\n",
             WIDTH, HEIGHT, fitness_name(ev), style);
    add_fitness(ev, &upper, out);
    add_filled(ev, &lower, out);
    add_generations(&lower, out);
    if (count == 0)
        text_add(out,
                 "<text x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">no generation is finished yet</text>\n",
                 (LEFT + RIGHT) / 2, (upper.top + upper.bottom) / 2);
    text_add_string(out, "</svg>\n");
}
