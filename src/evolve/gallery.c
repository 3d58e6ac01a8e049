/* SPDX-License-Identifier: MIT
 *
 * A run as data and as a folder of files: the numbers of a map that all files show, generations and maps as
 * columns, JSON, the page, a plot of the generations as SVG, and writing the folder.
 */
#include "evolve/gallery.h"

#include "base/columns.h"
#include "base/encode.h"
#include "base/file.h"
#include "base/mem.h"
#include "config.h"
#include "game/tbs/tbs.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one of the maps that are shown: the same numbers in all files ---- */

/* The qualities of a map that are shares of games. */
enum { QUALITY_STRONG_RED, QUALITY_STRONG_BLUE, QUALITY_STRENGTH, QUALITY_RED, QUALITY_DECISIVE, QUALITIES };

struct entry {
    const struct individual *individual;
    const struct origin *origin;
    struct share qualities[QUALITIES]; /* from fresh games if there are any */
    struct tbs_map map;                /* with its origin and its scores in the comment */
    struct remarks remarks;

    /* For columns; NAN: none. fitness_fresh is like individual->fitness, from fresh games. */
    double rank, fitness_fresh, all_games, forfeits;
    double turns, actions, annihilated, first_kills[TBS_SIDES]; /* means */
    char note[ORIGIN_NOTE_MAX], from[16];
    struct msg note_message;
};

enum { MEASURE_MAX = 80 };

/* ", strong beats weak 75.0 % (66.4 to 82.1)"; nothing without games. Returns `out`. */
static char *measure(const char *what, const struct share *share, char out[MEASURE_MAX]) {
    out[0] = '\0';
    if (share->games > 0)
        snprintf(out, MEASURE_MAX, ", %s %.1f %% (%.1f to %.1f)", what, 100 * share->value,
                 100 * share->interval.low, 100 * share->interval.high);
    return out;
}

/* The rank-th map that is shown, from 0. */
static void entry_make(const struct evolution *ev, int rank, struct entry *out) {
    const struct individual *one = &ev->individuals[ev->shown[rank]];
    const struct origin *origin = &ev->origins[one->id];
    const bool is_fresh = judgement_games(&one->fresh) > 0;
    const struct judgement *j = is_fresh ? &one->fresh : &one->judgement;
    const int games = judgement_games(j);
    const double one_if_any = games > 0 ? 1 : (double)NAN;
    char strength[MEASURE_MAX], red[MEASURE_MAX], count[MEASURE_MAX] = "";
    *out = (struct entry){
        .individual = one,
        .origin = origin,
        .qualities = {[QUALITY_STRONG_RED] = judgement_strong_with(j, TBS_RED),
                      [QUALITY_STRONG_BLUE] = judgement_strong_with(j, TBS_BLUE),
                      [QUALITY_STRENGTH] = judgement_strength(j),
                      [QUALITY_RED] = judgement_red(j),
                      [QUALITY_DECISIVE] = judgement_decisive(j)},
        .rank = rank + 1,
        .fitness_fresh = evolution_fitness_by(ev->plan, one, &one->fresh),
        .all_games = games,
        .forfeits = j->forfeits,
        .turns = one_if_any * judgement_turns(j),
        .actions = (double)j->actions / (games * one_if_any),
        .annihilated = (double)j->annihilated / (games * one_if_any),
        .first_kills = {one_if_any * judgement_first_kills_mean(j, TBS_RED),
                        one_if_any * judgement_first_kills_mean(j, TBS_BLUE)},
    };
    evolution_origin_note(origin, &out->note_message, out->note);
    snprintf(out->from, sizeof out->from, "%s", is_fresh ? "fresh" : "selection");
    genome_to_map(&ev->plan->space, &one->genome, &out->map);
    remarks_make(&out->map, ev->plan->rules, j, &out->remarks);
    /* tbs_map_write replaces characters that a comment must not have; there are none here. */
    if (games > 0)
        snprintf(count, sizeof count, ", %d %sgames", games, is_fresh ? "fresh " : "");
    snprintf(out->map.comment, sizeof out->map.comment,
             "evolved by senjutsu, preset %s, seed %llu, map %d%s%s%s",
             recipe_presets[ev->plan->recipe.preset], (unsigned long long)ev->seed, one->id,
             measure("strong beats weak", &out->qualities[QUALITY_STRENGTH], strength),
             measure("red between equals", &out->qualities[QUALITY_RED], red), count);
    snprintf(out->map.author, sizeof out->map.author, "senjutsu evolve");
}

/* ---- numbers ---- */

static bool is_archive(const struct evolution *ev) {
    return ev->plan->recipe.method == METHOD_ARCHIVE;
}

char *gallery_count(long long count, char out[GALLERY_NUMBER_MAX]) {
    char digits[24];
    const int length = snprintf(digits, sizeof digits, "%lld", count < 0 ? 0 : count);
    int size = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            out[size++] = ',';
        out[size++] = digits[i];
    }
    out[size] = '\0';
    return out;
}

char *gallery_fitness(const struct evolution *ev, double fitness, char out[GALLERY_NUMBER_MAX]) {
    if (!isfinite(fitness))
        snprintf(out, GALLERY_NUMBER_MAX, "–");
    else if (is_archive(ev))
        snprintf(out, GALLERY_NUMBER_MAX, "%.3f", fitness);
    else
        snprintf(out, GALLERY_NUMBER_MAX, fabs(fitness - round(fitness)) < 0.05 ? "%.0f" : "%.1f", fitness);
    return out;
}

/* The most that fitness can be. */
static double ceiling_of(const struct evolution *ev) {
    const struct recipe *recipe = &ev->plan->recipe;
    return is_archive(ev) ? 1 : judgement_fitness(recipe->games, recipe->games);
}

char *gallery_name(int id, char out[GALLERY_NUMBER_MAX]) {
    snprintf(out, GALLERY_NUMBER_MAX, "%04d", id);
    return out;
}

/* ---- generations and maps as columns ---- */

enum {
    BEST = offsetof(struct generation, best),
    MEAN = offsetof(struct generation, mean),
    FILLED = offsetof(struct generation, filled),
};

/* An int, or a double where the table has one; -1 is none. */
static double number_at(const void *from, int offset, bool is_real) {
    const void *at = (const char *)from + offset;
    if (is_real)
        return *(const double *)at;
    return *(const int *)at >= 0 ? *(const int *)at : (double)NAN;
}

/* The number at that offset of a generation. */
static double generation_number(const struct evolution *ev, int row, int offset) {
    return number_at(&ev->generations[row], offset, offset == BEST || offset == MEAN);
}

/* The index of a column is the member's offset, here and in the other getters. */
static void get_generation(const void *source, int row, int offset, struct column_cell *out) {
    out->number = generation_number(source, row, offset);
}

static const struct column generation_columns[] = {
    {"generation", "generation", COLUMN_COUNT, get_generation, offsetof(struct generation, number)},
    {"evaluations", "maps judged", COLUMN_COUNT, get_generation, offsetof(struct generation, evaluations)},
    {"games", "games", COLUMN_COUNT, get_generation, offsetof(struct generation, games)},
    {"best", "best", COLUMN_NUMBER, get_generation, BEST, .decimals = 6},
    {"mean", "mean", COLUMN_NUMBER, get_generation, MEAN, .decimals = 6},
    {"best_id", "best map", COLUMN_COUNT, get_generation, offsetof(struct generation, best_id)},
    {"filled", "clearly different maps", COLUMN_COUNT, get_generation, FILLED},
};

static struct columns generation_table(const struct evolution *ev) {
    return (struct columns){generation_columns, sizeof generation_columns / sizeof generation_columns[0],
                            ev->generation_count, ev};
}

static void gallery_fitness_csv(const struct evolution *ev, struct text *out) {
    const struct columns table = generation_table(ev);
    columns_csv(&table, out);
}

#define INDIVIDUAL(member) offsetof(struct individual, member)

static void get_number(const void *source, int row, int offset, struct column_cell *out) {
    out->number = number_at(&((const struct entry *)source)[row], offset, true);
}

static void get_text(const void *source, int row, int offset, struct column_cell *out) {
    out->text = (const char *)&((const struct entry *)source)[row] + offset;
}

enum { QUALITY_VALUE, QUALITY_LOW, QUALITY_HIGH, QUALITY_GAMES, QUALITY_PARTS };

/* The index is the quality times QUALITY_PARTS, plus the part. */
static void get_quality(const void *source, int row, int index, struct column_cell *out) {
    const struct share *share = &((const struct entry *)source)[row].qualities[index / QUALITY_PARTS];
    const double parts[QUALITY_PARTS] = {share->value, share->interval.low, share->interval.high,
                                         share->games};
    if (share->games > 0 || index % QUALITY_PARTS == QUALITY_GAMES)
        out->number = parts[index % QUALITY_PARTS];
}

static void get_individual(const void *source, int row, int offset, struct column_cell *out) {
    const bool is_real = offset == INDIVIDUAL(fitness) || offset == INDIVIDUAL(static_features.coherence) ||
                         offset == INDIVIDUAL(static_features.natural);
    out->number = number_at(((const struct entry *)source)[row].individual, offset, is_real);
}

static void get_origin(const void *source, int row, int offset, struct column_cell *out) {
    out->number = number_at(((const struct entry *)source)[row].origin, offset, false);
}

#define OF(member) offsetof(struct entry, member)

/* A column of maps.csv alone: it has no title for readers. */
#define CSV(name, format, get, index, digits)                                                                \
    { (name), "", (format), (get), (index), .decimals = (digits), .where = IN_CSV }
#define FEATURE(name, member) CSV(name, COLUMN_COUNT, get_individual, INDIVIDUAL(static_features.member), 0)

/* A quality: its value, the ends of its interval, and its games. */
#define SHARE(name, title, quality)                                                                          \
    {(name), (title), COLUMN_PERCENT, get_quality, (quality)*QUALITY_PARTS, .decimals = 6},                  \
        CSV(name "_low", COLUMN_PERCENT, get_quality, (quality)*QUALITY_PARTS + QUALITY_LOW, 6),             \
        CSV(name "_high", COLUMN_PERCENT, get_quality, (quality)*QUALITY_PARTS + QUALITY_HIGH, 6),           \
        CSV(name "_games", COLUMN_COUNT, get_quality, (quality)*QUALITY_PARTS + QUALITY_GAMES, 0)

static const struct column map_columns[] = {
    {"rank", "#", COLUMN_COUNT, get_number, OF(rank)},
    {"id", "map", COLUMN_COUNT, get_individual, INDIVIDUAL(id)},
    {"generation", "generation", COLUMN_COUNT, get_origin, offsetof(struct origin, generation)},
    {"note", "origin", COLUMN_TEXT, get_text, OF(note)},
    CSV("parent", COLUMN_COUNT, get_origin, offsetof(struct origin, parents[0]), 0),
    CSV("other_parent", COLUMN_COUNT, get_origin, offsetof(struct origin, parents[1]), 0),
    CSV("place_length", COLUMN_COUNT, get_individual, INDIVIDUAL(place[FEATURE_LENGTH]), 0),
    CSV("place_mix", COLUMN_COUNT, get_individual, INDIVIDUAL(place[FEATURE_MIX]), 0),
    {"fitness", "fitness", COLUMN_NUMBER, get_individual, INDIVIDUAL(fitness), .decimals = 6},
    {"fitness_fresh", "by fresh games", COLUMN_NUMBER, get_number, OF(fitness_fresh), .decimals = 6},
    {"games_from", "numbers from", COLUMN_TEXT, get_text, OF(from)},
    {"games", "games", COLUMN_COUNT, get_number, OF(all_games)},
    CSV("forfeits", COLUMN_COUNT, get_number, OF(forfeits), 0),
    SHARE("strong_red", "strong with red", QUALITY_STRONG_RED),
    SHARE("strong_blue", "strong with blue", QUALITY_STRONG_BLUE),
    SHARE("strength", "strong beats weak", QUALITY_STRENGTH),
    SHARE("red", "red between equals", QUALITY_RED),
    SHARE("decisive", "games with a winner", QUALITY_DECISIVE),
    {"turns", "turns", COLUMN_FIXED, get_number, OF(turns), .decimals = 4, .places = 1},
    CSV("actions", COLUMN_FIXED, get_number, OF(actions), 4),
    CSV("annihilated", COLUMN_FIXED, get_number, OF(annihilated), 6),
    CSV("first_kills_red", COLUMN_FIXED, get_number, OF(first_kills[TBS_RED]), 4),
    CSV("first_kills_blue", COLUMN_FIXED, get_number, OF(first_kills[TBS_BLUE]), 4),
    FEATURE("first_attacks_red", first_attacks[TBS_RED]),
    FEATURE("first_attacks_blue", first_attacks[TBS_BLUE]),
    FEATURE("attackers_red", attackers[TBS_RED]),
    FEATURE("attackers_blue", attackers[TBS_BLUE]),
    FEATURE("no_prey_red", no_prey[TBS_RED]),
    FEATURE("no_prey_blue", no_prey[TBS_BLUE]),
    FEATURE("stranded_red", stranded[TBS_RED]),
    FEATURE("stranded_blue", stranded[TBS_BLUE]),
    FEATURE("roads", roads),
    FEATURE("isolated_roads", isolated_roads),
    FEATURE("road_ends", road_ends),
    FEATURE("rough", rough),
    FEATURE("gathered", gathered),
    FEATURE("strewn", strewn),
    CSV("coherence", COLUMN_FIXED, get_individual, INDIVIDUAL(static_features.coherence), 4),
    {"natural", "naturalness", COLUMN_FIXED, get_individual, INDIVIDUAL(static_features.natural),
     .decimals = 4, .places = 2},
};
enum { MAP_COLUMNS = sizeof map_columns / sizeof map_columns[0] };

/* The maps that are shown as CSV or HTML. */
static void write_table(const struct evolution *ev, void (*write)(const struct columns *, struct text *),
                        struct text *out) {
    struct entry *entries = mem_alloc(((size_t)ev->shown_count + 1) * sizeof *entries);
    for (int i = 0; i < ev->shown_count; i++)
        entry_make(ev, i, &entries[i]);
    write(&(struct columns){map_columns, MAP_COLUMNS, ev->shown_count, entries}, out);
    mem_free(entries);
}

static void gallery_maps_csv(const struct evolution *ev, struct text *out) {
    write_table(ev, columns_csv, out);
}

/* ---- JSON ----
 *
 * docs/map-generation.md explains every member. The ancestors of all maps are one list, each of them once. */

/* Six decimals, so that a number does not depend on how it was stored; null for NAN and infinity. */
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

static json_t *recipe_json(const struct recipe *recipe) {
    json_t *object = json_object();
    struct text text = {0};
    for (const struct param *p = recipe_params; p->name != NULL; p++) {
        const void *field = (const char *)recipe + p->offset;
        text_clear(&text);
        params_write_value(p, recipe, &text);
        json_object_set_new(object, p->name,
                            p->kind == PARAM_INT      ? json_integer(*(const int *)field)
                            : p->kind == PARAM_REAL   ? real(*(const double *)field)
                            : p->kind == PARAM_SWITCH ? json_boolean(*(const bool *)field)
                                                      : string(text_string(&text)));
    }
    text_done(&text);
    return object;
}

static json_t *tally_json(const struct tally *t) {
    return json_pack("{s:i, s:i, s:i}", "wins", t->wins, "draws", t->draws, "losses", t->losses);
}

static json_t *ints(const int *values, int count) {
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, json_integer(values[i]));
    return array;
}

/* `attacked` only for the units that the map has; a mask has room for SAMPLE_MASK_UNITS. */
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

static json_t *qualities_json(const struct entry *f) {
    json_t *object = json_pack("{s:s, s:i}", "from", f->from, "games", (int)f->all_games);
    for (const struct column *c = map_columns; c < map_columns + MAP_COLUMNS; c++) {
        if (c->get != get_quality || c->index % QUALITY_PARTS != QUALITY_VALUE)
            continue;
        const struct share *share = &f->qualities[c->index / QUALITY_PARTS];
        json_object_set_new(object, c->name,
                            share->games == 0 ? json_null()
                                              : json_pack("{s:o, s:o, s:o, s:i}", "value", real(share->value),
                                                          "low", real(share->interval.low), "high",
                                                          real(share->interval.high), "games", share->games));
    }
    json_object_set_new(object, "turns", real(f->turns));
    return object;
}

static json_t *static_features_json(const struct static_features *l) {
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "roads", l->roads,
                     "isolated_roads", l->isolated_roads, "road_ends", l->road_ends, "rough", l->rough,
                     "gathered", l->gathered, "strewn", l->strewn, "coherence", real(l->coherence), "no_prey",
                     sides(l->no_prey), "stranded", sides(l->stranded), "first_attacks",
                     sides(l->first_attacks), "attackers", sides(l->attackers), "natural", real(l->natural));
}

/* -1: none, null in JSON */
static json_t *pair_json(const int values[2]) {
    json_t *pair = json_array();
    for (int i = 0; i < 2; i++)
        json_array_append_new(pair, values[i] >= 0 ? json_integer(values[i]) : json_null());
    return pair;
}

/* `is_view`: "map" is the map as JSON and "text" its text; otherwise "map" is the text. */
static json_t *map_json(const struct evolution *ev, int rank, bool is_view) {
    struct entry f;
    entry_make(ev, rank, &f);
    const struct individual *one = f.individual;
    const int units = f.map.unit_count;
    struct text text = {0}, board = {0};
    tbs_map_write(&f.map, &text);
    json_t *map = string(text_string(&text));
    json_t *object = json_pack(
        "{s:i, s:i, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:O, s:o*}", "rank", rank + 1,
        "id", one->id, "generation", f.origin->generation, "note", string(f.note), "parents",
        pair_json(f.origin->parents), "place", pair_json(one->place), "fitness", real(one->fitness),
        "fitness_fresh", real(f.fitness_fresh), "qualities", qualities_json(&f), "looks",
        static_features_json(&one->static_features), "remarks", remarks_json(&f.remarks), "judgement",
        judgement_json(&one->judgement, units), "fresh", judgement_json(&one->fresh, units), "map", map,
        "note_message", is_view ? msg_json(&f.note_message, f.note) : NULL);
    if (is_view && tbs_map_write_json(&f.map, &board, NULL)) {
        json_object_set_new(object, "map", jsontext_own(&board));
        json_object_set(object, "text", map);
    }
    json_decref(map);
    text_done(&text);
    text_done(&board);
    return object;
}

/* The maps that are shown and all their ancestors, each once, the oldest first. Ids are given in the order of
 * birth, so parents always have lower ones. */
static json_t *lineage_json(const struct evolution *ev, bool is_view) {
    unsigned char *marks = mem_alloc((size_t)ev->origin_count + 1);
    json_t *array = json_array();
    for (int i = 0; i < ev->shown_count; i++)
        marks[ev->individuals[ev->shown[i]].id] = 1;
    for (int id = ev->origin_count - 1; id >= 0; id--)
        for (int i = 0; i < 2 && marks[id] != 0; i++) {
            const int parent = ev->origins[id].parents[i];
            assert(parent < id);
            if (parent >= 0)
                marks[parent] = 1;
        }
    for (int id = 0; id < ev->origin_count; id++) {
        const struct origin *o = &ev->origins[id];
        char note[ORIGIN_NOTE_MAX];
        struct msg message;
        if (marks[id] == 0)
            continue;
        evolution_origin_note(o, &message, note);
        json_array_append_new(array, json_pack("{s:i, s:i, s:o, s:o, s:o, s:o*}", "id", id, "generation",
                                               o->generation, "parents", pair_json(o->parents), "note",
                                               string(note), "fitness", real((double)o->fitness),
                                               "note_message", is_view ? msg_json(&message, note) : NULL));
    }
    mem_free(marks);
    return array;
}

json_t *gallery_json(const struct evolution *ev, bool is_view) {
    const struct columns generations = generation_table(ev);
    const int games = ev->generation_count > 0 ? ev->generations[ev->generation_count - 1].games : 0;
    json_t *maps = json_array(), *features = json_array();
    for (int i = 0; i < ev->shown_count; i++)
        json_array_append_new(maps, map_json(ev, i, is_view));
    for (int i = 0; is_archive(ev) && i < FEATURES; i++) {
        const struct feature *f = &evolution_features[i];
        json_t *edges = json_array();
        for (int k = 0; k < f->bins - 1; k++)
            json_array_append_new(edges, real(f->edges[k]));
        json_array_append_new(features,
                              json_pack("{s:s, s:s, s:o}", "name", f->name, "unit", f->unit, "edges", edges));
    }
    return json_pack("{s:s, s:i, s:o, s:o, s:i, s:i, s:i, s:b, s:o, s:o, s:o, s:o, s:o}", "format",
                     "senjutsu-evolution", "version", 1, "seed", jsontext_seed(ev->seed), "recipe",
                     recipe_json(&ev->plan->recipe), "maps_made", ev->origin_count, "evaluations",
                     ev->evaluations, "games", games, "verified", ev->verified, "fitness_max",
                     real(ceiling_of(ev)), "features", features, "generations",
                     columns_json(&generations, NULL), "maps", maps, "lineage", lineage_json(ev, is_view));
}

/* ---- the page ---- */

/* The best map of each cell of the archive, with or without a card. */
static json_t *archive_json(const struct evolution *ev) {
    json_t *list = json_array();
    for (int i = 0; i < ev->count; i++) {
        const struct individual *one = &ev->individuals[i];
        bool is_best = one->place[0] >= 0;
        for (int k = 0; k < ev->count; k++) {
            const struct individual *other = &ev->individuals[k];
            if (memcmp(other->place, one->place, sizeof one->place) == 0 &&
                (other->fitness > one->fitness || (k < i && other->fitness >= one->fitness)))
                is_best = false;
        }
        if (is_best)
            json_array_append_new(list, json_pack("{s:i, s:o, s:o, s:o}", "id", one->id, "place",
                                                  pair_json(one->place), "strength",
                                                  real(judgement_strength(&one->judgement).value), "red",
                                                  real(judgement_red(&one->judgement).value)));
    }
    return list;
}

static void gallery_html(const struct gallery *gallery, const struct evolution *ev, struct text *out) {
    const struct columns generations = generation_table(ev);
    struct text plain = {0};
    json_t *help = json_object();
    for (const struct param *p = recipe_params; p->name != NULL; p++)
        json_object_set_new(help, p->name, json_string(p->help != NULL ? p->help : ""));
    json_t *data =
        json_pack("{s:o, s:b, s:b, s:o, s:o, s:o}", "command",
                  gallery->command != NULL ? string(gallery->command) : json_null(), "finished",
                  gallery->finished, "pictures", gallery->draw != NULL, "result", gallery_json(ev, true),
                  "archive", is_archive(ev) ? archive_json(ev) : json_null(), "help", help);
    text_add(&plain, "<p>%s</p>\n<h2>Maps</h2>\n", gallery->finished ? "finished" : "running");
    write_table(ev, columns_html, &plain);
    text_add_string(&plain, "<h2>Generations</h2>\n");
    columns_html(&generations, &plain);
    page_write(&(struct page){.title = gallery->title,
                              .kind = "gallery",
                              .data = data,
                              .plain = text_string(&plain),
                              .refresh_s = gallery->finished ? 0 : 5},
               out);
    json_decref(data);
    text_done(&plain);
}

/* ---- the plot ----
 *
 * Best and mean fitness by generation, and below them how many clearly different maps (or cells of the
 * archive with a good one) there were. SVG in a file of its own; its colours follow the reader's choice of
 * light or dark. */

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

static double x_of(const struct frame *f, double generation) {
    return LEFT + generation / f->last * (RIGHT - LEFT);
}

/* Values outside the frame are drawn at its edge. */
static double y_of(const struct frame *f, double value) {
    const double inside = fmin(fmax(value, 0), f->high);
    return f->bottom - inside / f->high * (f->bottom - f->top);
}

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

/* Horizontal lines with their values, from 0 on. */
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

/* A line with dots. It has gaps where there was no value. */
static void add_series(const struct evolution *ev, const struct frame *f, const char *class, int offset,
                       struct text *out) {
    const int points = ev->generation_count < POINTS_MAX ? ev->generation_count : POINTS_MAX;
    bool drawing = false;
    for (int i = 0; i < points; i++) {
        const int row = points > 1 ? (int)((long long)i * (ev->generation_count - 1) / (points - 1)) : 0;
        const double value = generation_number(ev, row, offset);
        if (isfinite(value) && !drawing)
            text_add(out, "<polyline class=\"%s\" points=\"", class);
        if (isfinite(value))
            text_add(out, "%s%.1f,%.1f", drawing ? " " : "", x_of(f, ev->generations[row].number),
                     y_of(f, value));
        else if (drawing)
            text_add_string(out, "\"/>\n");
        drawing = isfinite(value);
    }
    text_add_string(out, drawing ? "\"/>\n" : "");
    for (int i = 0; i < ev->generation_count && ev->generation_count <= DOTS_MAX; i++) {
        const double value = generation_number(ev, i, offset);
        if (isfinite(value))
            text_add(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", class,
                     x_of(f, ev->generations[i].number), y_of(f, value));
    }
}

/* A sample of a line and its name, above the upper frame. */
static void add_key(double x, const char *name, struct text *out) {
    text_add(out,
             "<line class=\"%s\" x1=\"%.0f\" y1=\"14\" x2=\"%.0f\" y2=\"14\"/>"
             "<text class=\"ink\" x=\"%.0f\" y=\"18.5\">%s</text>\n",
             name, x, x + 28, x + 34, name);
}

/* The fitness in the upper frame, and below it how many maps it was chosen from. */
static void gallery_plot_svg(const struct evolution *ev, struct text *out) {
    const int count = ev->generation_count;
    const bool has_cells = is_archive(ev);
    const double ceiling = ceiling_of(ev), last = count > 0 ? fmax(ev->generations[count - 1].number, 1) : 1;
    const char *fitness = has_cells ? "quality" : "fitness";
    /* A little room above the published ceiling, so that a line along it can be seen. */
    const struct frame upper = {28, 238, has_cells ? 1 : 1.1 * ceiling, last};
    int most = has_cells ? ARCHIVE_CELLS : ev->plan->recipe.population;
    for (int i = 0; i < count; i++)
        most = ev->generations[i].filled > most ? ev->generations[i].filled : most;
    const struct frame lower = {274, 350, most, last};
    text_add(out,
             "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"evoplot\" viewBox=\"0 0 %d %d\" role=\"img\" "
             "aria-label=\"Best and mean %s by generation\">\n<style>%s</style>\n",
             WIDTH, HEIGHT, fitness, style);
    add_values(&upper, 6, !has_cells, out);
    if (!has_cells) {
        const double y = y_of(&upper, ceiling);
        text_add(out,
                 "<line class=\"ceiling\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>"
                 "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">the most: %.0f</text>\n",
                 LEFT, y, RIGHT, y, RIGHT - 5, y - 5, ceiling);
    }
    add_frame(&upper, out);
    add_series(ev, &upper, "mean", MEAN, out);
    add_series(ev, &upper, "best", BEST, out);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"18.5\">%s</text>\n", LEFT, fitness);
    add_key(LEFT + 76, "best", out);
    add_key(LEFT + 166, "mean", out);
    add_values(&lower, 4, true, out);
    add_frame(&lower, out);
    add_series(ev, &lower, "filled", FILLED, out);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"%.1f\">%s (of %d)</text>\n", LEFT, lower.top - 7,
             has_cells ? "cells of the archive with a good map" : "clearly different maps", most);
    const double step = step_of(last, TICKS_MAX, 1);
    for (double at = 0; at <= last; at += step)
        text_add(out,
                 "<line class=\"frame\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>"
                 "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n",
                 x_of(&lower, at), lower.bottom, x_of(&lower, at), lower.bottom + 5, x_of(&lower, at),
                 lower.bottom + 19, at);
    text_add(out, "<text class=\"ink\" x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">generation</text>\n",
             (LEFT + RIGHT) / 2, lower.bottom + 36);
    if (count == 0)
        text_add(out,
                 "<text x=\"%d\" y=\"%.0f\" text-anchor=\"middle\">no generation is finished yet</text>\n",
                 (LEFT + RIGHT) / 2, (upper.top + upper.bottom) / 2);
    text_add_string(out, "</svg>\n");
}

/* ---- pictures ---- */

#ifdef SENJUTSU_CAIRO
static bool draw_map(const struct tbs_map *map, const char *path, struct err *e) {
    struct tbs_position position;
    tbs_map_position(map, &position);
    return tbs_draw(map, &position, path, tbs_picture_of(path), TBS_DRAW_CELL_DEFAULT, e);
}
#else
#define draw_map NULL
#endif

bool (*const gallery_draw)(const struct tbs_map *map, const char *path, struct err *e) = draw_map;

/* ---- writing the folder ----
 *
 * A file whose bytes have not changed is left alone, a picture is drawn once, and only the last write waits
 * for the disk: most maps stay from one generation to the next, and drawing and waiting are what takes
 * time. Files that a power failure destroys are made again when the run continues. */

struct folder {
    const char *name, *ending;
};
enum { MAPS, PICTURES, FOLDERS };
static const struct folder folders[FOLDERS] = {
    [MAPS] = {"maps", ".tbsmap"}, [PICTURES] = {"pictures", ".svg"}};

/* The last write of a run waits for the disk, also for files that have not changed since. */
static bool write_text(const struct gallery *gallery, const char *name, const struct text *text,
                       struct err *e) {
    char path[FILE_PATH_MAX];
    if (!file_path(path, e, "%s/%s", gallery->folder, name))
        return false;
    struct text there = {0};
    const bool same = file_exists(path) && file_read(path, text->size, &there, NULL) &&
                      there.size == text->size &&
                      memcmp(text_string(&there), text_string(text), text->size) == 0;
    text_done(&there);
    if (same)
        return !gallery->finished || file_sync(path, e);
    return (gallery->finished ? file_write : file_write_soon)(path, text_string(text), text->size, e);
}

/* Whether the map on the disk is this one, apart from its notes. Otherwise it belongs to another run, and
 * so does the picture beside it. */
static bool is_same_map(const char *path, const struct tbs_map *map) {
    struct text text = {0};
    struct tbs_map other;
    const bool same = file_exists(path) && file_read(path, TBS_MAP_TEXT_MAX, &text, NULL) &&
                      tbs_map_load(path, text_string(&text), text.size, &other, NULL) &&
                      sample_digest(0, &other) == sample_digest(0, map);
    text_done(&text);
    return same;
}

/* The picture is written before the map: a process that is killed between the two draws it again. */
static bool write_map(const struct gallery *gallery, const struct entry *entry, struct err *e) {
    char number[GALLERY_NUMBER_MAX], name[2 * GALLERY_NUMBER_MAX], map[FILE_PATH_MAX], picture[FILE_PATH_MAX];
    struct text text = {0}, none = {0};
    gallery_name(entry->individual->id, number);
    snprintf(name, sizeof name, "%s/%s%s", folders[MAPS].name, number, folders[MAPS].ending);
    if (!file_path(picture, e, "%s/%s/%s%s", gallery->folder, folders[PICTURES].name, number,
                   folders[PICTURES].ending) ||
        !file_path(map, e, "%s/%s", gallery->folder, name))
        return false;
    const bool is_empty = file_read(picture, 0, &none, NULL); /* more than nothing is too much */
    const bool is_drawn = file_exists(picture) && !is_empty && is_same_map(map, &entry->map);
    text_done(&none);
    if (gallery->draw != NULL && !is_drawn && !gallery->draw(&entry->map, picture, e))
        return false;
    tbs_map_write(&entry->map, &text);
    const bool ok = write_text(gallery, name, &text, e);
    text_done(&text);
    return ok;
}

struct sweep {
    const struct gallery *gallery;
    const struct evolution *ev;
    const struct folder *folder;
    struct err *e;
    bool ok;
};

/* Removes the file if it has a name that this program gives, for a map that is not shown. Other files in the
 * folder are not ours. */
static bool sweep_entry(void *context, const char *file) {
    struct sweep *sweep = context;
    char own[2 * GALLERY_NUMBER_MAX], number[GALLERY_NUMBER_MAX], path[FILE_PATH_MAX];
    errno = 0;
    const long id = file[0] >= '0' && file[0] <= '9' ? strtol(file, NULL, 10) : -1;
    if (errno != 0 || id < 0 || id > INT32_MAX)
        return true;
    snprintf(own, sizeof own, "%s%s", gallery_name((int)id, number), sweep->folder->ending);
    bool is_stale = strcmp(file, own) == 0;
    for (int i = 0; i < sweep->ev->shown_count; i++)
        is_stale = is_stale && sweep->ev->individuals[sweep->ev->shown[i]].id != id;
    if (!is_stale)
        return true;
    sweep->ok = file_path(path, sweep->e, "%s/%s/%s", sweep->gallery->folder, sweep->folder->name, file) &&
                file_remove(path, sweep->e);
    return sweep->ok;
}

static void add_json(const struct evolution *ev, struct text *out) {
    json_t *root = gallery_json(ev, false);
    jsontext_add_line(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9), out);
    json_decref(root);
}

bool gallery_write(const struct gallery *gallery, const struct evolution *ev, struct err *e) {
    struct part {
        const char *name;
        void (*make)(const struct evolution *ev, struct text *out);
    };
    static const struct part parts[] = {{"fitness.csv", gallery_fitness_csv},
                                        {"maps.csv", gallery_maps_csv},
                                        {"fitness.svg", gallery_plot_svg},
                                        {"results.json", add_json}};
    struct text text = {0};
    char path[FILE_PATH_MAX];
    bool ok = true;
    for (int i = 0; ok && i < (gallery->draw != NULL ? FOLDERS : PICTURES); i++)
        ok = file_path(path, e, "%s/%s", gallery->folder, folders[i].name) && file_make_folder(path, e);
    for (int i = 0; ok && i < ev->shown_count; i++) {
        struct entry entry;
        entry_make(ev, i, &entry);
        ok = write_map(gallery, &entry, e);
    }
    for (size_t i = 0; ok && i < sizeof parts / sizeof parts[0]; i++) {
        text_clear(&text);
        parts[i].make(ev, &text);
        ok = write_text(gallery, parts[i].name, &text, e);
    }
    /* The page last: all that it names is there. */
    text_clear(&text);
    gallery_html(gallery, ev, &text);
    ok = ok && write_text(gallery, "index.html", &text, e);
    for (int i = 0; ok && i < FOLDERS; i++) {
        struct sweep sweep = {gallery, ev, &folders[i], e, true};
        if (file_path(path, e, "%s/%s", gallery->folder, folders[i].name))
            file_list(path, &(struct file_visit){sweep_entry, &sweep},
                      NULL); /* not there: nothing to remove */
        ok = sweep.ok;
    }
    text_done(&text);
    return ok;
}
