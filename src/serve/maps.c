/* SPDX-License-Identifier: MIT
 *
 * Maps: the built-in ones, which are only read, and those that users save in the data folder.
 */
#include "serve/start_position.h"

#include "base/charset.h"
#include "base/file.h"
#include "base/jsontext.h"
#include "base/mem.h"
#include "evolve/remarks.h"
#include "game/tbs/map.h"
#include "game/tbs/map_random.h"
#include "game/tbs/map_stats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".tbsmap"
#define MINE   "mine/"
#define FOLDER "maps"

enum { SAVED_MAX = 500, LISTED_MAX = 1000, FULL_NAME_MAX = 72 };

/* A map that was read, with all that is wrong with it. */
struct read_map {
    struct tbs_map map;
    struct tbs_problems problems;
};

/* ---- reading ---- */

static bool is_json(const char *text) {
    return text[strspn(text, " \t\r\n")] == '{';
}

static void read_text(const char *text, size_t size, struct read_map *out) {
    *out = (struct read_map){0};
    if (is_json(text))
        tbs_map_read_json(text, size, &out->map, &out->problems);
    else
        tbs_map_read(text, size, &out->map, &out->problems);
}

/* {"map": …} or {"text": …}. */
static bool read_body(const json_t *body, struct read_map *out, struct message_out *failure) {
    static const char *const members[] = {"map", "text", NULL};
    const json_t *map = json_object_get(body, "map");
    const char *text;
    if (!serve_knows(body, members, failure) || !request_text(body, "text", NULL, &text, failure))
        return false;
    if ((map != NULL) == (text != NULL)) {
        message_fail(failure, 400, NULL, "expected either \"map\" (an object) or \"text\" (a .tbsmap)");
        return false;
    }
    char *dump = map != NULL ? json_dumps(map, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
    const char *given = map != NULL ? dump : text;
    const bool fits = given != NULL && strlen(given) <= TBS_MAP_TEXT_MAX;
    if (!json_is_object(map) && map != NULL)
        message_fail(failure, 400, "map", "\"map\" is no object");
    else if (!fits)
        message_fail(failure, given == NULL ? 500 : 400, text != NULL ? "text" : "map",
                     given == NULL ? "not enough memory" : "the map is too large; the limit is %d bytes",
                     TBS_MAP_TEXT_MAX);
    else
        read_text(given, strlen(given), out);
    free(dump);
    return failure->status == 0;
}

/* ---- showing ---- */

static json_t *show_problem(struct tbs_problem problem) {
    charset_mend(problem.text); /* it may quote a part of the map */
    return json_pack("{si sb ss}", "line", problem.line > 0 ? problem.line : 0, "fatal", problem.fatal,
                     "text", problem.text);
}

static json_t *show_problems(const struct tbs_problems *problems) {
    json_t *list = json_array();
    for (int i = 0; i < problems->count; i++)
        json_array_append_new(list, show_problem(problems->items[i]));
    struct tbs_problem rest = {0};
    snprintf(rest.text, sizeof rest.text, "and %d more problems", problems->left_out);
    if (problems->left_out > 0)
        json_array_append_new(list, show_problem(rest));
    return list;
}

static json_t *show_map(const struct tbs_map *map) {
    struct text text = {0};
    json_t *object = tbs_map_write_json(map, &text, NULL) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return object;
}

static json_t *show_text(const struct tbs_map *map) {
    struct text text = {0};
    tbs_map_write(map, &text);
    json_t *string = text.failed ? NULL : jsontext_string(text_string(&text), text.size);
    text_done(&text);
    return string;
}

/* *MapInfo* */
static json_t *show_info(const char *name, const struct tbs_map *map) {
    return json_pack(
        "{ss sb si si s[ii] so so}", "name", name, "mine", strncmp(name, MINE, strlen(MINE)) == 0, "width",
        map->width - 2, "height", map->height - 2, "units", tbs_map_side_units(map, TBS_RED),
        tbs_map_side_units(map, TBS_BLUE), "comment", jsontext_string(map->comment, strlen(map->comment)),
        "author", jsontext_string(map->author, strlen(map->author)));
}

static void answer_details(const char *name, const struct read_map *read, struct message_out *out) {
    json_t *info = show_info(name, &read->map);
    json_object_set_new(info, "map", show_map(&read->map));
    json_object_set_new(info, "text", show_text(&read->map));
    json_object_set_new(info, "problems", show_problems(&read->problems));
    message_json(out, 200, info);
}

/* The sooner of two turns, 0 being never. */
static int sooner(int a, int b) {
    return a == 0 ? b : b == 0 ? a : a < b ? a : b;
}

static json_t *show_remarks(const struct tbs_map *map) {
    const struct judgement nothing_played = {0};
    json_t *list = json_array();
    struct remarks *remarks = mem_alloc(sizeof *remarks);
    if (remarks != NULL)
        remarks_make(map, &tbs_rule_sets[0], &nothing_played, remarks);
    for (int i = 0; remarks != NULL && i < remarks->count; i++)
        json_array_append_new(list, json_string(remarks->items[i].text));
    mem_free(remarks);
    return list;
}

static json_t *show_stats(const struct tbs_map *map) {
    struct tbs_map_stats *stats = mem_alloc(sizeof *stats);
    json_t *object = NULL;
    if (stats != NULL && tbs_map_stats(map, &tbs_rule_sets[0], 0, stats, NULL)) {
        const struct tbs_side_stats *first = &stats->sides[stats->turn.side == TBS_BLUE ? TBS_BLUE : TBS_RED];
        const int contact = sooner(stats->sides[TBS_RED].contact, stats->sides[TBS_BLUE].contact);
        object = json_pack("{si so so}", "actions",
                           stats->turn.side == NOBODY ? 0 : first->moves + first->attacks[TBS_ATTACKS_POWER],
                           "contact", contact > 0 ? json_integer(contact) : json_null(), "unused",
                           show_remarks(map));
    }
    mem_free(stats);
    return object;
}

/* *MapCheck* */
static void answer_check(const struct read_map *read, struct message_out *out) {
    const bool playable = !read->problems.fatal;
    const struct tbs_map *map = &read->map;
    message_json(
        out, 200,
        json_pack("{sb so so so so}", "playable", playable, "problems", show_problems(&read->problems),
                  "text", playable ? show_text(map) : json_string(""), "map",
                  playable ? show_map(map) : json_null(), "stats", playable ? show_stats(map) : json_null()));
}

/* ---- the list ---- */

struct listed {
    char name[FULL_NAME_MAX];
    int cells, units;
    json_t *info;
};

struct list {
    int count;
    struct listed items[LISTED_MAX];
};

/* "first.tbsmap" becomes "mine/first"; false if it is no saved map. */
static bool name_of_file(const char *file, const char *prefix, char out[FULL_NAME_MAX]) {
    const size_t size = strlen(file), ending = strlen(ENDING), before = strlen(prefix);
    if (size <= ending || strcmp(file + size - ending, ENDING) != 0 ||
        size - ending + before >= FULL_NAME_MAX)
        return false;
    memcpy(out, prefix, before);
    memcpy(out + before, file, size - ending);
    out[before + size - ending] = '\0';
    return serve_is_name(out + before);
}

static bool load_map(struct workbench *bench, const char *name, struct read_map *out,
                     struct message_out *failure) {
    struct text text = {0};
    const bool ok = serve_read_map(bench, name, &text, failure);
    if (ok)
        read_text(text_string(&text), text.size, out);
    text_done(&text);
    return ok;
}

/* A file that is no playable map is left out. */
static void add_listed(struct workbench *bench, const char *name, struct list *list) {
    struct read_map *read = mem_alloc(sizeof *read);
    struct message_out ignored = {0};
    if (read != NULL && load_map(bench, name, read, &ignored) && !read->problems.fatal) {
        struct listed *item = &list->items[list->count++];
        snprintf(item->name, sizeof item->name, "%s", name);
        item->cells = (read->map.width - 2) * (read->map.height - 2);
        item->units = read->map.unit_count;
        item->info = show_info(name, &read->map);
    }
    message_done(&ignored);
    mem_free(read);
}

/* A folder of maps to list. */
struct listing {
    struct workbench *bench;
    const char *prefix;
    struct list *list;
};

static bool list_entry(void *context, const char *file) {
    const struct listing *listing = context;
    char name[FULL_NAME_MAX];
    if (name_of_file(file, listing->prefix, name))
        add_listed(listing->bench, name, listing->list);
    return listing->list->count < LISTED_MAX;
}

/* One that is not there has no maps. */
static void list_folder(struct workbench *bench, const char *folder, const char *prefix, struct list *list) {
    struct listing listing = {bench, prefix, list};
    if (list->count < LISTED_MAX)
        file_list(folder, &(struct file_visit){list_entry, &listing}, NULL);
}

/* Smallest first, as the command line lists them. */
static int by_size(const void *a, const void *b) {
    const struct listed *p = a, *q = b;
    if (p->cells != q->cells)
        return p->cells < q->cells ? -1 : 1;
    return p->units != q->units ? (p->units < q->units ? -1 : 1) : strcmp(p->name, q->name);
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct listed *)a)->name, ((const struct listed *)b)->name);
}

static void list_maps(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)call;
    struct err e;
    char folder[SERVE_PATH_MAX];
    struct list *list = mem_alloc(sizeof *list);
    if (list == NULL || !serve_path(bench, FOLDER, "", folder, &e)) {
        message_fail(out, 500, NULL, "%s", list == NULL ? "not enough memory" : e.text);
        mem_free(list);
        return;
    }
    list_folder(bench, bench->maps, "", list);
    const int ours = list->count;
    qsort(list->items, (size_t)ours, sizeof list->items[0], by_size);
    list_folder(bench, folder, MINE, list);
    qsort(list->items + ours, (size_t)(list->count - ours), sizeof list->items[0], by_name);
    json_t *array = json_array();
    for (int i = 0; i < list->count; i++)
        json_array_append_new(array, list->items[i].info);
    mem_free(list);
    message_json(out, 200, array);
}

/* ---- one of them ---- */

static void full_name(const char *name, bool mine, char out[MESSAGE_PATH_MAX]) {
    snprintf(out, MESSAGE_PATH_MAX, "%s%s", mine ? MINE : "", name);
}

static void show_one(struct workbench *bench, const char *name, struct message_out *out) {
    struct read_map *read = mem_alloc(sizeof *read);
    if (read == NULL)
        message_fail(out, 500, NULL, "not enough memory");
    else if (load_map(bench, name, read, out) && read->problems.fatal)
        message_fail(out, 404, "map", "the file of '%.80s' is no map that can be played", name);
    else if (out->status == 0)
        answer_details(name, read, out);
    mem_free(read);
}

static void show_ours(struct workbench *bench, const struct call *call, struct message_out *out) {
    show_one(bench, call->parts[0], out);
}

static void show_mine(struct workbench *bench, const struct call *call, struct message_out *out) {
    char name[MESSAGE_PATH_MAX];
    full_name(call->parts[0], true, name);
    show_one(bench, name, out);
}

static void send_file(struct workbench *bench, const struct call *call, bool mine, struct message_out *out) {
    char name[MESSAGE_PATH_MAX];
    struct text text = {0};
    full_name(call->parts[0], mine, name);
    if (serve_read_map(bench, name, &text, out)) {
        out->status = 200;
        out->type = "text/plain; charset=utf-8";
        charset_to_utf8(text_string(&text), text.size, &out->body);
        snprintf(out->file_name, sizeof out->file_name, "%.64s" ENDING, call->parts[0]);
    }
    text_done(&text);
}

static void send_ours(struct workbench *bench, const struct call *call, struct message_out *out) {
    send_file(bench, call, false, out);
}

static void send_mine(struct workbench *bench, const struct call *call, struct message_out *out) {
    send_file(bench, call, true, out);
}

/* ---- saving ---- */

static bool count_entry(void *context, const char *file) {
    char name[FULL_NAME_MAX];
    *(int *)context += name_of_file(file, "", name);
    return true;
}

static int count_saved(const char *folder) {
    int count = 0;
    file_list(folder, &(struct file_visit){count_entry, &count}, NULL);
    return count;
}

/* The path to save under; false after the answer was written. */
static bool choose_path(struct workbench *bench, const char *name, char path[SERVE_PATH_MAX],
                        struct message_out *out) {
    struct err e;
    char folder[SERVE_PATH_MAX], full[MESSAGE_PATH_MAX];
    full_name(name, true, full);
    if (!serve_map_path(bench, full, path, SERVE_PATH_MAX)) {
        message_fail(out, 400, "name",
                     "'%.80s' is no name for a map; expected 1 to 64 letters, digits, _ or -", name);
        return false;
    }
    if (!serve_make_folder(bench, FOLDER, &e) || !serve_path(bench, FOLDER, "", folder, &e)) {
        message_fail(out, 500, NULL, "%s", e.text);
        return false;
    }
    if (file_is_plain(path))
        return true;
    if (file_exists(path)) {
        message_fail(out, 409, "name", "what has the name '%.80s' in the data folder is no map of ours",
                     name);
        return false;
    }
    if (count_saved(folder) < SAVED_MAX)
        return true;
    message_fail(out, 409, NULL, "there are %d saved maps, which is the limit; expected one less", SAVED_MAX);
    return false;
}

static bool write_file(const char *path, const struct tbs_map *map, struct message_out *out) {
    struct text text = {0};
    struct err e = {"not enough memory"};
    tbs_map_write(map, &text);
    const bool ok = !text.failed && file_write(path, text_string(&text), text.size, &e);
    if (!ok)
        message_fail(out, text.failed ? 500 : 507, NULL, "%s", e.text);
    text_done(&text);
    return ok;
}

static void save_read(struct workbench *bench, const char *name, const struct read_map *read,
                      struct message_out *out) {
    char path[SERVE_PATH_MAX], full[MESSAGE_PATH_MAX];
    struct err e;
    if (!tbs_problems_explain(&read->problems, "the map", &e)) {
        message_fail(out, 400, "map", "%s", e.text);
        return;
    }
    if (!choose_path(bench, name, path, out) || !write_file(path, &read->map, out))
        return;
    full_name(name, true, full);
    answer_details(full, read, out);
}

static void save_map(struct workbench *bench, const struct call *call, struct message_out *out) {
    struct read_map *read = mem_alloc(sizeof *read);
    if (read == NULL)
        message_fail(out, 500, NULL, "not enough memory");
    else if (read_body(call->body, read, out))
        save_read(bench, call->parts[0], read, out);
    mem_free(read);
}

static void delete_map(struct workbench *bench, const struct call *call, struct message_out *out) {
    char path[SERVE_PATH_MAX], name[MESSAGE_PATH_MAX];
    struct err e;
    full_name(call->parts[0], true, name);
    if (!serve_map_path(bench, name, path, sizeof path) || file_kind(path) == FILE_NONE)
        message_fail(out, 404, "name", "there is no map '%.80s'", name);
    else if (!file_remove(path, &e))
        message_fail(out, 507, NULL, "%s", e.text);
    else
        out->status = 204;
}

/* ---- checking and making ---- */

static void check_map(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)bench;
    struct read_map *read = mem_alloc(sizeof *read);
    if (read == NULL)
        message_fail(out, 500, NULL, "not enough memory");
    else if (read_body(call->body, read, out))
        answer_check(read, out);
    mem_free(read);
}

static bool read_random(const json_t *body, struct tbs_random_options *options, uint64_t *seed,
                        struct message_out *out) {
    static const char *const members[] = {"seed", "width", "height", "units", "symmetric", NULL};
    const struct request_range cells = {1, TBS_CELLS_MAX, options->width},
                               units = {1, TBS_SIDE_UNITS_MAX, options->units[TBS_RED]};
    long width, height, count;
    if (!serve_knows(body, members, out) || !request_seed(body, "seed", 1, seed, out) ||
        !request_int(body, "width", cells, &width, out) ||
        !request_int(body, "height", cells, &height, out) ||
        !request_int(body, "units", units, &count, out) ||
        !request_bool(body, "symmetric", false, &options->symmetric, out))
        return false;
    options->width = (int)width;
    options->height = (int)height;
    options->units[TBS_RED] = options->units[TBS_BLUE] = (int)count;
    return true;
}

static void make_random(struct workbench *bench, const struct call *call, struct message_out *out) {
    (void)bench;
    struct tbs_random_options options;
    struct rng rng;
    struct err e;
    uint64_t seed;
    tbs_random_defaults(&options);
    if (!read_random(call->body, &options, &seed, out))
        return;
    struct read_map *read = mem_alloc(sizeof *read);
    rng_seed(&rng, seed);
    if (read == NULL)
        message_fail(out, 500, NULL, "not enough memory");
    else if (!tbs_map_random(&options, &rng, &read->map, &e))
        message_fail(out, 400, "units", "%s", e.text);
    else
        answer_check(read, out);
    mem_free(read);
}

const struct route map_routes[] = {
    {MESSAGE_GET, "/api/maps", list_maps},
    {MESSAGE_POST, "/api/maps/check", check_map},
    {MESSAGE_POST, "/api/maps/random", make_random},
    {MESSAGE_GET, "/api/maps/mine/*", show_mine},
    {MESSAGE_PUT, "/api/maps/mine/*", save_map},
    {MESSAGE_DELETE, "/api/maps/mine/*", delete_map},
    {MESSAGE_GET, "/api/maps/mine/*/file", send_mine},
    {MESSAGE_GET, "/api/maps/*", show_ours},
    {MESSAGE_GET, "/api/maps/*/file", send_ours},
    {MESSAGE_GET, NULL, NULL},
};
