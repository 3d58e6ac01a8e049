/* SPDX-License-Identifier: MIT
 *
 * Maps as JSON; map.h has the format.
 */
#include "game/tbs/map.h"

#include "base/charset.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static const char format_name[] = "senjutsu-map";

struct number {
    const char *key;
    int low, high;
};

enum { NUMBERS = 4 };

static const struct number numbers[NUMBERS] = {
    {"width", 3, TBS_EDGE_MAX},
    {"height", 3, TBS_EDGE_MAX},
    {"turn_limit", 1, TBS_TURN_LIMIT_MAX},
    {"threshold", 0, TBS_THRESHOLD_MAX},
};

/* ---- writing ---- */

static json_t *units_to_json(const struct tbs_map *map) {
    json_t *units = json_array();
    for (int i = 0; i < map->unit_count; i++) {
        const struct tbs_map_unit *u = &map->units[i];
        json_array_append_new(units, json_pack("{s:i, s:i, s:s, s:s, s:i, s:b}", "x", u->x, "y", u->y, "type",
                                               tbs_unit_types[u->type].name, "side", tbs_side_names[u->side],
                                               "hp", u->hp, "done", u->done));
    }
    return units;
}

static json_t *terrain_to_json(const struct tbs_map *map) {
    json_t *rows = json_array();
    for (int y = 0; y < map->height; y++) {
        char row[TBS_EDGE_MAX];
        for (int x = 0; x < map->width; x++)
            row[x] = (char)('0' + map->terrain[x][y]);
        json_array_append_new(rows, json_stringn(row, (size_t)map->width));
    }
    return rows;
}

bool tbs_map_write_json(const struct tbs_map *map, struct text *out, struct err *e) {
    json_t *object = json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:s, s:o, s:o}", "format", format_name,
                               "width", map->width, "height", map->height, "turn_limit", map->turn_limit,
                               "threshold", map->threshold, "author", map->author, "comment", map->comment,
                               "terrain", terrain_to_json(map), "units", units_to_json(map));
    if (object == NULL)
        return err_set(e, "the map cannot be written as JSON: a note is no UTF-8");
    char *dump = json_dumps(object, JSON_INDENT(2));
    json_decref(object);
    text_add(out, "%s\n", dump);
    free(dump);
    return true;
}

/* ---- reading ---- */

struct reader {
    struct tbs_map *map;
    struct tbs_problems *problems;
};

/* `unit` is the id of the unit that the number belongs to, or -1. */
static bool read_number(struct reader *r, const json_t *value, int unit, struct number range, int *out) {
    if (json_is_integer(value) && json_integer_value(value) >= range.low &&
        json_integer_value(value) <= range.high) {
        *out = (int)json_integer_value(value);
        return true;
    }
    const char *fault = value == NULL ? "is missing" : "is out of range or no number";
    if (unit < 0)
        tbs_problems_add(r->problems, true, 0, "problem.json_number",
                         "%s %s; expected a whole number from %d to %d", range.key, fault, range.low,
                         range.high);
    else
        tbs_problems_add(r->problems, true, 0, "problem.json_unit_number",
                         "unit %d: %s %s; expected a whole number from %d to %d", unit, range.key, fault,
                         range.low, range.high)
            ->unit = unit;
    return false;
}

static void read_note(struct reader *r, const json_t *object, const char *key, char *out) {
    const json_t *value = json_object_get(object, key);
    if (value == NULL)
        return;
    if (!json_is_string(value)) {
        tbs_problems_add(r->problems, true, 0, "problem.json_note", "%s is no string", key);
        return;
    }
    charset_copy(out, TBS_NOTE_MAX, json_string_value(value), json_string_length(value));
}

static void read_row(struct reader *r, const json_t *value, int y) {
    const char *row = json_string_value(value);
    if (row == NULL || strlen(row) != (size_t)r->map->width || strspn(row, "0123456") != strlen(row)) {
        tbs_problems_add(r->problems, true, 0, "problem.json_row",
                         "terrain row %d: expected a string of %d digits from 0 to %d", y, r->map->width,
                         TBS_TERRAINS - 1);
        return;
    }
    for (int x = 0; x < r->map->width; x++)
        r->map->terrain[x][y] = (uint8_t)(row[x] - '0');
}

static void read_terrain(struct reader *r, const json_t *rows) {
    if (r->map->width == 0 || r->map->height == 0)
        return; /* already reported, and there is no size to compare with */
    if (json_array_size(rows) != (size_t)r->map->height) {
        tbs_problems_add(r->problems, true, 0, "problem.json_rows",
                         "terrain: expected an array of %d rows, as height says", r->map->height);
        return;
    }
    for (int y = 0; y < r->map->height; y++)
        read_row(r, json_array_get(rows, (size_t)y), y);
}

/* The index of a unit's member in a list of names; `count` and a problem when it is not in the list. */
static int read_name(struct reader *r, const json_t *unit, int id, const char *key, const char *const *names,
                     int count) {
    const char *name = json_string_value(json_object_get(unit, key));
    for (int i = 0; name != NULL && i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return i;
    struct text list = {0};
    for (int i = 0; i < count; i++)
        text_add(&list, "%s%s", i == 0 ? "" : i == count - 1 ? " or " : ", ", names[i]);
    const char *quote = name != NULL ? "'" : "";
    tbs_problems_add(r->problems, true, 0, "problem.json_name", "unit %d: %s is %s%.40s%s; expected %s", id,
                     key, quote, name != NULL ? name : "missing or no string", quote, text_string(&list))
        ->unit = id;
    text_done(&list);
    return count;
}

static bool read_unit(struct reader *r, const json_t *unit, int id, struct tbs_map_unit *out) {
    enum { X, Y, HP, FIELDS };
    static const struct number ranges[FIELDS] = {
        [X] = {"x", 0, TBS_EDGE_MAX - 1}, [Y] = {"y", 0, TBS_EDGE_MAX - 1}, [HP] = {"hp", 1, TBS_HP_MAX}};
    const char *types[TBS_TYPES];
    int n[FIELDS] = {0};
    bool ok = true;
    for (int i = 0; i < FIELDS; i++)
        ok = read_number(r, json_object_get(unit, ranges[i].key), id, ranges[i], &n[i]) && ok;
    for (int type = 0; type < TBS_TYPES; type++)
        types[type] = tbs_unit_types[type].name;
    const int type = read_name(r, unit, id, "type", types, TBS_TYPES);
    const int side = read_name(r, unit, id, "side", tbs_side_names, TBS_SIDES);
    const json_t *done = json_object_get(unit, "done");
    if (done != NULL && !json_is_boolean(done))
        tbs_problems_add(r->problems, true, 0, "problem.json_done", "unit %d: done is neither true nor false",
                         id)
            ->unit = id;
    *out = (struct tbs_map_unit){
        .x = (uint8_t)n[X],
        .y = (uint8_t)n[Y],
        .type = (uint8_t)(type % TBS_TYPES),
        .side = (uint8_t)(side % TBS_SIDES),
        .hp = (uint8_t)n[HP],
        .done = json_is_true(done),
    };
    return ok && type < TBS_TYPES && side < TBS_SIDES;
}

static void read_units(struct reader *r, const json_t *units) {
    if (!json_is_array(units) || json_array_size(units) > TBS_UNITS_MAX) {
        tbs_problems_add(r->problems, true, 0, "problem.json_units",
                         "units: expected an array of at most %d units", TBS_UNITS_MAX);
        return;
    }
    r->map->unit_count = (int)json_array_size(units);
    for (int id = 0; id < r->map->unit_count; id++) {
        struct tbs_map_unit *unit = &r->map->units[id];
        if (!read_unit(r, json_array_get(units, (size_t)id), id, unit))
            unit->line = TBS_UNREADABLE;
    }
}

static void read_object(struct reader *r, const json_t *object) {
    const char *format = json_string_value(json_object_get(object, "format"));
    if (format == NULL || strcmp(format, format_name) != 0) {
        tbs_problems_add(r->problems, true, 0, "problem.json_format",
                         "this JSON is no map: expected an object with \"format\": \"%s\"", format_name);
        return;
    }
    int *const fields[NUMBERS] = {&r->map->width, &r->map->height, &r->map->turn_limit, &r->map->threshold};
    for (int i = 0; i < NUMBERS; i++)
        read_number(r, json_object_get(object, numbers[i].key), -1, numbers[i], fields[i]);
    read_note(r, object, "author", r->map->author);
    read_note(r, object, "comment", r->map->comment);
    read_terrain(r, json_object_get(object, "terrain"));
    read_units(r, json_object_get(object, "units"));
    for (int side = 0; side < TBS_SIDES; side++)
        r->map->declared[side] = tbs_map_side_units(r->map, side);
    if (r->map->width > 0 && r->map->height > 0)
        tbs_map_check(r->map, r->problems);
}

bool tbs_map_read_json(const char *text, size_t size, struct tbs_map *out, struct tbs_problems *problems) {
    *out = (struct tbs_map){.declared = {-1, -1}};
    *problems = (struct tbs_problems){0};
    struct reader r = {.map = out, .problems = problems};
    json_error_t error;
    json_t *object = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (object == NULL)
        tbs_problems_add(problems, true, error.line > 0 ? error.line : 0, "problem.json",
                         "the JSON cannot be read: %s", error.text);
    else
        read_object(&r, object);
    json_decref(object);
    return !problems->fatal;
}
