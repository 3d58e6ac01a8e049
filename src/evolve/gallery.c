/* SPDX-License-Identifier: MIT
 *
 * Writing the folder of a gallery, and the numbers of a map that all of its files show, computed in one
 * place.
 */
#include "evolve/gallery.h"

#include "base/file.h"
#include "base/jsontext.h"
#include "config.h"
#include "game/tbs/show.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- qualities ---- */

static struct share strong_red(const struct judgement *j) {
    return judgement_strong_with(j, TBS_RED);
}

static struct share strong_blue(const struct judgement *j) {
    return judgement_strong_with(j, TBS_BLUE);
}

const struct gallery_quality gallery_qualities[QUALITIES] = {
    [QUALITY_STRONG_RED] = {"strong_red", "strong with red", strong_red},
    [QUALITY_STRONG_BLUE] = {"strong_blue", "strong with blue", strong_blue},
    [QUALITY_STRENGTH] = {"strength", "strong beats weak", judgement_strength},
    [QUALITY_RED] = {"red", "red between equals", judgement_red},
    [QUALITY_DECISIVE] = {"decisive", "games with a winner", judgement_decisive},
};

enum { MEASURE_MAX = 80 };

static char *measure(const char *what, const struct share *share, char out[MEASURE_MAX]) {
    out[0] = '\0';
    if (share->games > 0)
        snprintf(out, MEASURE_MAX, ", %s %.1f %% (%.1f to %.1f)", what, 100 * share->value,
                 100 * share->interval.low, 100 * share->interval.high);
    return out;
}

/* tbs_map_write replaces characters that a comment must not have; there are none here. */
static void write_comment(const struct evolution *ev, struct gallery_entry *f) {
    const int games = judgement_games(f->judgement);
    char strength[MEASURE_MAX], red[MEASURE_MAX], count[MEASURE_MAX] = "";
    if (games > 0)
        snprintf(count, sizeof count, ", %d %sgames", games, f->is_fresh ? "fresh " : "");
    snprintf(f->map.comment, sizeof f->map.comment, "evolved by senjutsu, preset %s, seed %llu, map %d%s%s%s",
             recipe_presets[ev->plan->recipe.preset], (unsigned long long)ev->seed, f->individual->id,
             measure("strong beats weak", &f->qualities[QUALITY_STRENGTH], strength),
             measure("red between equals", &f->qualities[QUALITY_RED], red), count);
    snprintf(f->map.author, sizeof f->map.author, "senjutsu evolve");
}

void gallery_entry_make(const struct evolution *ev, int rank, struct gallery_entry *out) {
    const struct individual *individual = &ev->individuals[ev->shown[rank]];
    const bool is_fresh = judgement_games(&individual->fresh) > 0;
    memset(out, 0, sizeof *out);
    out->individual = individual;
    out->origin = &ev->origins[individual->id];
    out->is_fresh = is_fresh;
    out->judgement = is_fresh ? &individual->fresh : &individual->judgement;
    for (int i = 0; i < QUALITIES; i++)
        out->qualities[i] = gallery_qualities[i].measure(out->judgement);
    out->fitness_fresh = evolution_fitness_by(ev->plan, individual, &individual->fresh);
    genome_to_map(&ev->plan->space, &individual->genome, &out->map);
    remarks_make(&out->map, ev->plan->rules, out->judgement, &out->remarks);
    write_comment(ev, out);
}

/* ---- numbers ---- */

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
    else if (ev->plan->recipe.method == METHOD_ARCHIVE)
        snprintf(out, GALLERY_NUMBER_MAX, "%.3f", fitness);
    else
        snprintf(out, GALLERY_NUMBER_MAX, fabs(fitness - round(fitness)) < 0.05 ? "%.0f" : "%.1f", fitness);
    return out;
}

double gallery_ceiling(const struct evolution *ev) {
    const struct recipe *recipe = &ev->plan->recipe;
    return recipe->method == METHOD_ARCHIVE ? 1 : judgement_fitness(recipe->games, recipe->games);
}

char *gallery_name(int id, char out[GALLERY_NUMBER_MAX]) {
    snprintf(out, GALLERY_NUMBER_MAX, "%04d", id);
    return out;
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

enum { PATH_SIZE = 4096 };

static const char maps_folder[] = "maps", maps_ending[] = ".tbsmap";
static const char pictures_folder[] = "pictures", pictures_ending[] = ".svg";

/* ---- one file ---- */

static bool path_of(const struct gallery *gallery, const char *name, char out[PATH_SIZE], struct err *e) {
    const int length = snprintf(out, PATH_SIZE, "%s/%s", gallery->folder, name);
    return (size_t)length < PATH_SIZE || /* a failure, -1, is a large size */
           err_set(e, "%s/%s: the name is too long", gallery->folder, name);
}

static bool is_same(const char *path, const struct text *text) {
    struct text there = {0};
    const bool same = file_exists(path) && file_read(path, text->size, &there, NULL) &&
                      there.size == text->size &&
                      memcmp(text_string(&there), text_string(text), text->size) == 0;
    text_done(&there);
    return same;
}

static bool write_text(const struct gallery *gallery, const char *name, const struct text *text,
                       struct err *e) {
    char path[PATH_SIZE];
    if (!path_of(gallery, name, path, e))
        return false;
    if (is_same(path, text))
        return !gallery->finished || file_sync(path, e);
    return (gallery->finished ? file_write : file_write_soon)(path, text_string(text), text->size, e);
}

/* ---- a map and its picture ---- */

/* Whether the map on the disk is this one, apart from its notes. Otherwise it belongs to another run, and
 * so does the picture beside it. */
static bool is_same_map(const char *path, const struct tbs_map *map) {
    struct text texts[2] = {{0}, {0}};
    struct tbs_map one = *map, other;
    bool same = file_exists(path) && file_read(path, TBS_MAP_TEXT_MAX, &texts[0], NULL) &&
                tbs_map_load(path, texts[0].data != NULL ? texts[0].data : "", texts[0].size, &other, NULL);
    if (same) {
        text_clear(&texts[0]);
        one.author[0] = one.comment[0] = other.author[0] = other.comment[0] = '\0';
        tbs_map_write(&one, &texts[0]);
        tbs_map_write(&other, &texts[1]);
        same = strcmp(text_string(&texts[0]), text_string(&texts[1])) == 0;
    }
    text_done(&texts[0]);
    text_done(&texts[1]);
    return same;
}

/* Whether the file exists and is not empty. */
static bool has_bytes(const char *path) {
    struct text none = {0};
    const bool is_empty = file_read(path, 0, &none, NULL); /* more than nothing is too much */
    text_done(&none);
    return file_exists(path) && !is_empty;
}

/* The picture is written before the map: a process that is killed between the two draws it again. */
static bool write_map(const struct gallery *gallery, const struct gallery_entry *entry, struct err *e) {
    char number[GALLERY_NUMBER_MAX], name[2 * GALLERY_NUMBER_MAX], drawn[2 * GALLERY_NUMBER_MAX];
    char map[PATH_SIZE], picture[PATH_SIZE];
    struct text text = {0};
    gallery_name(entry->individual->id, number);
    snprintf(drawn, sizeof drawn, "%s/%s%s", pictures_folder, number, pictures_ending);
    snprintf(name, sizeof name, "%s/%s%s", maps_folder, number, maps_ending);
    if (!path_of(gallery, drawn, picture, e) || !path_of(gallery, name, map, e))
        return false;
    const bool is_drawn = has_bytes(picture) && is_same_map(map, &entry->map);
    if (gallery->draw != NULL && !is_drawn && !gallery->draw(&entry->map, picture, e))
        return false;
    tbs_map_write(&entry->map, &text);
    const bool ok = write_text(gallery, name, &text, e);
    text_done(&text);
    return ok;
}

static bool write_maps(const struct gallery *gallery, const struct evolution *ev, struct err *e) {
    char path[PATH_SIZE];
    bool ok = path_of(gallery, maps_folder, path, e) && file_make_folder(path, e);
    if (gallery->draw != NULL)
        ok = ok && path_of(gallery, pictures_folder, path, e) && file_make_folder(path, e);
    for (int i = 0; ok && i < ev->shown_count; i++) {
        struct gallery_entry entry;
        gallery_entry_make(ev, i, &entry);
        ok = write_map(gallery, &entry, e);
    }
    return ok;
}

/* ---- maps that are no longer shown ---- */

static bool is_shown(const struct evolution *ev, int id) {
    for (int i = 0; i < ev->shown_count; i++)
        if (ev->individuals[ev->shown[i]].id == id)
            return true;
    return false;
}

/* Whether it is a name that this program gives, for a map that is not shown. Other files in the folder are
 * not ours. */
static bool is_stale(const struct evolution *ev, const char *name, const char *ending) {
    char own[2 * GALLERY_NUMBER_MAX], number[GALLERY_NUMBER_MAX];
    char *end;
    if (name[0] < '0' || name[0] > '9')
        return false;
    errno = 0;
    const long id = strtol(name, &end, 10);
    if (errno != 0 || id > INT32_MAX)
        return false;
    snprintf(own, sizeof own, "%s%s", gallery_name((int)id, number), ending);
    return strcmp(name, own) == 0 && !is_shown(ev, (int)id);
}

struct sweep {
    const struct gallery *gallery;
    const struct evolution *ev;
    const char *folder, *ending;
    struct err *e;
    bool ok;
};

static bool sweep_entry(void *context, const char *file) {
    struct sweep *sweep = context;
    char name[PATH_SIZE], path[PATH_SIZE];
    if (!is_stale(sweep->ev, file, sweep->ending))
        return true;
    snprintf(name, sizeof name, "%s/%.64s", sweep->folder, file);
    sweep->ok = path_of(sweep->gallery, name, path, sweep->e) && file_remove(path, sweep->e);
    return sweep->ok;
}

static bool remove_stale(const struct gallery *gallery, const struct evolution *ev, const char *folder,
                         const char *ending, struct err *e) {
    char path[PATH_SIZE];
    struct sweep sweep = {gallery, ev, folder, ending, e, true};
    if (path_of(gallery, folder, path, e))
        file_list(path, &(struct file_visit){sweep_entry, &sweep}, NULL); /* not there: nothing to remove */
    return sweep.ok;
}

/* ---- the whole ---- */

static void add_json(const struct evolution *ev, struct text *out) {
    json_t *root = gallery_json(ev);
    char *dump = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
    text_add(out, "%s\n", dump);
    free(dump);
    json_decref(root);
}

static bool write_tables(const struct gallery *gallery, const struct evolution *ev, struct err *e) {
    struct part {
        const char *name;
        void (*make)(const struct evolution *ev, struct text *out);
    };
    static const struct part parts[] = {{"fitness.csv", gallery_fitness_csv},
                                        {"maps.csv", gallery_maps_csv},
                                        {"fitness.svg", gallery_plot_svg},
                                        {"results.json", add_json}};
    struct text text = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof parts / sizeof parts[0]; i++) {
        text_clear(&text);
        parts[i].make(ev, &text);
        ok = write_text(gallery, parts[i].name, &text, e);
    }
    text_done(&text);
    return ok;
}

bool gallery_write(const struct gallery *gallery, const struct evolution *ev, struct err *e) {
    struct text page = {0};
    if (!write_maps(gallery, ev, e) || !write_tables(gallery, ev, e))
        return false;
    /* The page last: all that it names is there. */
    gallery_html(gallery, ev, &page);
    const bool ok = write_text(gallery, "index.html", &page, e) &&
                    remove_stale(gallery, ev, maps_folder, maps_ending, e) &&
                    remove_stale(gallery, ev, pictures_folder, pictures_ending, e);
    text_done(&page);
    return ok;
}
