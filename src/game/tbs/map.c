/* SPDX-License-Identifier: MIT
 *
 * Maps in the platform's .tbsmap format and as JSON: segments of the text, the list of problems, the checks
 * that make any map legal, readers and writers. In a .tbsmap order is free and line breaks have no meaning,
 * so rows and units are collected first and checked at the end. Every problem is stored with its line,
 * because a designer needs all of them.
 */
#include "game/tbs/map.h"

#include "base/mem.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- segments ---- */

/* The platform joins all lines with nothing between them, splits the whole at ';', and finds a key by
 * substring search for "KEY[". */

void tbs_segments_start(struct tbs_segments *s, const char *utf8, size_t size) {
    *s = (struct tbs_segments){.at = utf8, .end = utf8 + size, .line_next = 1};
}

void tbs_segments_done(struct tbs_segments *s) {
    text_done(&s->segment);
}

bool tbs_segments_next(struct tbs_segments *s) {
    if (s->at >= s->end)
        return false;
    text_clear(&s->segment);
    s->line = 0;
    const char *run = s->at; /* bytes not yet copied */
    while (s->at < s->end && *s->at != ';') {
        const char c = *s->at;
        if (c == '\n' || c == '\r') {
            text_add_bytes(&s->segment, run, (size_t)(s->at - run));
            run = s->at + 1;
        } else if (s->line == 0 && c != ' ' && c != '\t') {
            s->line = s->line_next;
        }
        s->line_next += c == '\n';
        s->at++;
    }
    text_add_bytes(&s->segment, run, (size_t)(s->at - run));
    if (s->line == 0)
        s->line = s->line_next;
    s->at += s->at < s->end;
    return true;
}

/* The first KEY[ counts, as on the platform: MAP[ is found in a segment that also has MAPCOM[. */
const char *tbs_segment_value(const char *segment, const char *key, size_t *length) {
    char opened[32];
    const int opened_size = snprintf(opened, sizeof opened, "%s[", key);
    const char *at = strstr(segment, opened);
    const char *close = at != NULL ? strchr(at + opened_size, ']') : NULL;
    if (close == NULL)
        return NULL;
    *length = (size_t)(close - at) - (size_t)opened_size;
    return at + opened_size;
}

/* ---- problems ---- */

/* A full list counts further problems and still notes whether one of them is fatal. They are written to the
 * place behind the last one, so that callers need not know whether theirs was stored. */
struct tbs_problem *tbs_problems_add(struct tbs_problems *p, bool fatal, int line, const char *code,
                                     const char *format, ...) {
    struct tbs_problem *item = &p->items[p->count];
    p->fatal = p->fatal || fatal;
    if (p->count < TBS_PROBLEMS_MAX)
        p->count++;
    else
        p->left_out++;
    *item = (struct tbs_problem){.line = line, .fatal = fatal, .unit = -1, .x = -1, .y = -1};
    va_list args;
    va_start(args, format);
    msg_format(&item->msg, item->text, sizeof item->text, code, format, args);
    va_end(args);
    return item;
}

/* The page marks the cell of a problem in the editor. */
static void about_cell(struct tbs_problem *problem, int x, int y) {
    problem->x = x;
    problem->y = y;
}

/* A copy: the text is changed where it quotes bytes that are no UTF-8. */
static json_t *problem_to_json(struct tbs_problem problem) {
    json_t *object =
        json_pack("{si sb}", "line", problem.line > 0 ? problem.line : 0, "fatal", problem.fatal);
    msg_add_json(object, &problem.msg, problem.text);
    charset_repair(problem.text); /* it may quote a part of the map */
    json_object_set_new(object, "text", json_string(problem.text));
    if (problem.unit >= 0)
        json_object_set_new(object, "unit", json_integer(problem.unit));
    if (problem.x >= 0)
        json_object_set_new(object, "cells", json_pack("[[ii]]", problem.x, problem.y));
    return object;
}

json_t *tbs_problems_json(const struct tbs_problems *problems) {
    json_t *list = json_array();
    for (int i = 0; i < problems->count; i++)
        json_array_append_new(list, problem_to_json(problems->items[i]));
    struct tbs_problem rest = {.unit = -1, .x = -1};
    msg_set(&rest.msg, rest.text, sizeof rest.text, "problem.more", "and %d more problems",
            problems->left_out);
    if (problems->left_out > 0)
        json_array_append_new(list, problem_to_json(rest));
    return list;
}

/* Problems of the whole file (line 0) come first; equal lines are ordered by text, so that runs agree. */
static int by_line(const void *a, const void *b) {
    const struct tbs_problem *p = a, *q = b;
    if (p->line != q->line)
        return p->line < q->line ? -1 : 1;
    return strcmp(p->text, q->text);
}

bool tbs_problems_explain(const struct tbs_problems *problems, const char *name, struct err *e) {
    const struct tbs_problem *first = NULL; /* the first fatal one, preferably with a line */
    if (!problems->fatal)
        return true;
    for (int i = 0; i < problems->count && (first == NULL || first->line == 0); i++) {
        const struct tbs_problem *p = &problems->items[i];
        if (p->fatal && (first == NULL || p->line > 0))
            first = p;
    }
    if (first == NULL) /* the list was full of lesser problems before the fatal one */
        return err_set(e, "%s: too many problems to be played", name);
    err_set(e, "%s", first->text);
    if (e != NULL)
        e->msg = first->msg;
    return first->line == 0 ? err_prefix(e, "%s: ", name) : err_prefix(e, "%s:%d: ", name, first->line);
}

/* ---- checks of any map ---- */

int tbs_map_side_units(const struct tbs_map *map, int side) {
    int count = 0;
    for (int i = 0; i < map->unit_count; i++)
        count += map->units[i].side == side;
    return count;
}

/* Only a unit outside of the board, without HP or on another unit prevents a game. */
static void check_unit(const struct tbs_map *map, int id, struct tbs_problems *problems) {
    const struct tbs_map_unit *u = &map->units[id];
    const struct tbs_unit_type *type = &tbs_unit_types[u->type];
    const bool is_inside = tbs_map_is_playable(map, u->x, u->y);
    const struct tbs_terrain_type *terrain =
        &tbs_terrain_types[is_inside ? map->terrain[u->x][u->y] : TBS_NO_ENTRY];
    if (!is_inside)
        about_cell(tbs_problems_add(problems, true, u->line, "problem.unit_outside",
                                    "unit %d (%s) stands at %d,%d, outside the playable cells 1..%d,1..%d",
                                    id, type->name, u->x, u->y, map->width - 2, map->height - 2),
                   u->x, u->y);
    else if (terrain->cost[type->class] == TBS_IMPASSABLE)
        about_cell(tbs_problems_add(problems, false, u->line, "problem.unit_terrain",
                                    "unit %d (%s) stands at %d,%d on %s, which it cannot enter", id,
                                    type->name, u->x, u->y, terrain->name),
                   u->x, u->y);
    if (u->hp < 1 || u->hp > TBS_HP_MAX)
        tbs_problems_add(problems, true, u->line, "problem.hp", "unit %d has HP %d; expected 1 to %d", id,
                         u->hp, TBS_HP_MAX)
            ->unit = id;
    else if (u->hp > TBS_HP_FULL)
        tbs_problems_add(problems, false, u->line, "problem.hp_high",
                         "unit %d has HP %d, more than the usual %d", id, u->hp, TBS_HP_FULL)
            ->unit = id;
    for (int other = 0; other < id; other++) {
        const struct tbs_map_unit *o = &map->units[other];
        if (o->line != TBS_UNREADABLE && o->x == u->x && o->y == u->y)
            about_cell(tbs_problems_add(problems, true, u->line, "problem.same_cell",
                                        "units %d and %d both stand at %d,%d", other, id, u->x, u->y),
                       u->x, u->y);
    }
}

/* A wall is allowed inside; the border must be wall, because movement is not bounded otherwise. */
void tbs_map_check(const struct tbs_map *map, struct tbs_problems *problems) {
    for (int x = 0; x < map->width; x++)
        for (int y = 0; y < map->height; y++)
            if (!tbs_map_is_playable(map, x, y) && map->terrain[x][y] != TBS_NO_ENTRY)
                about_cell(tbs_problems_add(problems, true, map->row_line[y], "problem.border",
                                            "border cell %d,%d is %s; the outer ring must be no-entry (0)", x,
                                            y, tbs_terrain_types[map->terrain[x][y]].name),
                           x, y);
    for (int id = 0; id < map->unit_count; id++)
        if (map->units[id].line != TBS_UNREADABLE) /* those are already reported */
            check_unit(map, id, problems);
    for (int side = 0; side < TBS_SIDES; side++) {
        const int count = tbs_map_side_units(map, side);
        if (count == 0)
            tbs_problems_add(problems, false, 0, "problem.no_units", "%s has no units", tbs_side_names[side]);
        if (count > TBS_SIDE_UNITS_MAX)
            tbs_problems_add(problems, true, 0, "problem.side_units", "%s has %d units; at most %d fit",
                             tbs_side_names[side], count, TBS_SIDE_UNITS_MAX);
    }
}

/* ---- reading: what both forms share ---- */

enum { WIDTH, HEIGHT, LIMIT, THRESHOLD, RED_COUNT, BLUE_COUNT, NUMBERS, JSON_NUMBERS = RED_COUNT };

/* The numbers of a map. The last two are not in JSON. */
static const struct number {
    const char *key, *json_key;
    int low, high;
    bool needed;   /* the game cannot be played without it */
    size_t offset; /* of the field, an int */
} numbers[NUMBERS] = {
    [WIDTH] = {"SIZEX", "width", 3, TBS_EDGE_MAX, true, offsetof(struct tbs_map, width)},
    [HEIGHT] = {"SIZEY", "height", 3, TBS_EDGE_MAX, true, offsetof(struct tbs_map, height)},
    [LIMIT] = {"TURNLIMIT", "turn_limit", 1, TBS_TURN_LIMIT_MAX, true, offsetof(struct tbs_map, turn_limit)},
    [THRESHOLD] = {"HPTHRESHOLD", "threshold", 0, TBS_THRESHOLD_MAX, false,
                   offsetof(struct tbs_map, threshold)},
    [RED_COUNT] = {"UNITNUMRED", NULL, 0, TBS_SIDE_UNITS_MAX, false, offsetof(struct tbs_map, declared[0])},
    [BLUE_COUNT] = {"UNITNUMBLUE", NULL, 0, TBS_SIDE_UNITS_MAX, false, offsetof(struct tbs_map, declared[1])},
};

enum { UNIT_X, UNIT_Y, UNIT_HP, UNIT_SIDE, UNIT_DONE, UNIT_NUMBERS, UNIT_WORDS = UNIT_NUMBERS + 1 };

/* The numbers of a unit. JSON has words for the last two. */
static const struct unit_number {
    const char *name, *json_key;
    int low, high;
    int word; /* its place in a .tbsmap; place 2 is the type's name */
} unit_numbers[UNIT_NUMBERS] = {
    [UNIT_X] = {"x", "x", 0, TBS_EDGE_MAX - 1, 0},
    [UNIT_Y] = {"y", "y", 0, TBS_EDGE_MAX - 1, 1},
    [UNIT_HP] = {"HP", "hp", 1, TBS_HP_MAX, 4},
    [UNIT_SIDE] = {"team", NULL, 0, 1, 3},
    [UNIT_DONE] = {"the finished flag", NULL, -TBS_HP_MAX, TBS_HP_MAX, 5},
};

/* What is collected until the whole file was read, because its order is free. */
struct reader {
    struct tbs_map *map;
    struct tbs_problems *problems;
    int line; /* of the current segment */
    int row_count, unit_total;
    int row_cells[TBS_EDGE_MAX], last_row_line;
    bool unit_unreadable;
    int number_line[NUMBERS]; /* where the file has each number, 0: nowhere */
};

/* The tables have offsets, so that both forms fill the same fields and share their ranges. */
static void set_number(struct tbs_map *map, int which, long value) {
    *(int *)(void *)((char *)map + numbers[which].offset) = (int)value;
}

/* ---- reading a .tbsmap ---- */

/* Finds KEY[value]: true when the key is there. A value without ']' (then *value is NULL) stops the
 * platform's reader: report it instead of skipping it. */
static bool find_value(struct reader *r, const char *segment, const char *key, const char **value,
                       size_t *length) {
    char opened[32];
    *value = tbs_segment_value(segment, key, length);
    if (*value != NULL)
        return true;
    snprintf(opened, sizeof opened, "%s[", key);
    if (strstr(segment, opened) == NULL)
        return false;
    tbs_problems_add(r->problems, true, r->line, "problem.unclosed", "'%s' has no ']' behind it", opened);
    return true;
}

static void read_numbers(struct reader *r, const char *segment) {
    for (int i = 0; i < NUMBERS; i++) {
        size_t length;
        const char *value;
        if (!find_value(r, segment, numbers[i].key, &value, &length))
            continue;
        r->number_line[i] = r->line; /* also without a value, so that it is not reported as missing, too */
        if (value == NULL)
            continue;
        char word[32]; /* longer values are cut and then do not read as numbers */
        long number;
        snprintf(word, sizeof word, "%.*s", (int)length, value);
        if (!text_to_int(word, &number) || number < numbers[i].low || number > numbers[i].high)
            tbs_problems_add(r->problems, true, r->line, "problem.number",
                             "%s is '%s'; expected a number from %d to %d", numbers[i].key, word,
                             numbers[i].low, numbers[i].high);
        else
            set_number(r->map, i, number);
    }
}

/* The first bytes are kept; a character is never cut. */
static void read_note(struct reader *r, const char *segment, const char *key, char *out) {
    size_t length;
    const char *value;
    if (find_value(r, segment, key, &value, &length) && value != NULL)
        charset_copy(out, TBS_NOTE_MAX, value, length);
}

/* Takes the next comma-separated word from *at; false at the end. */
static bool next_word(const char **at, const char *end, char *out, size_t out_size) {
    if (*at > end)
        return false;
    const char *stop = memchr(*at, ',', (size_t)(end - *at));
    if (stop == NULL)
        stop = end;
    snprintf(out, out_size, "%.*s", (int)(stop - *at), *at);
    *at = stop + 1;
    return true;
}

/* Rows have no numbers in the file: they are taken in their order. Cells beyond the limit are counted, so
 * that the problem names the true length. */
static void read_row(struct reader *r, const char *segment) {
    size_t length;
    const char *at;
    if (!find_value(r, segment, "MAP", &at, &length) || at == NULL)
        return;
    const int y = r->row_count++;
    r->last_row_line = r->line;
    if (y >= TBS_EDGE_MAX)
        return; /* reported once all rows are counted */
    r->map->row_line[y] = r->line;
    const char *end = at + length;
    char word[32];
    int x = 0;
    for (; next_word(&at, end, word, sizeof word); x++) {
        long terrain;
        if (!text_to_int(word, &terrain) || terrain < 0 || terrain >= TBS_TERRAINS)
            about_cell(tbs_problems_add(r->problems, true, r->line, "problem.terrain",
                                        "terrain '%s' at %d,%d is unknown; expected 0 to %d", word, x, y,
                                        TBS_TERRAINS - 1),
                       x, y);
        else if (x < TBS_EDGE_MAX)
            r->map->terrain[x][y] = (uint8_t)terrain;
    }
    r->row_cells[y] = x;
}

/* Missing rows are no-entry, as on the platform; superfluous ones cannot be stored. */
static void check_rows(struct reader *r) {
    const struct tbs_map *map = r->map;
    if (map->width == 0 || map->height == 0)
        return;
    if (r->row_count < map->height)
        tbs_problems_add(r->problems, false, r->last_row_line, "problem.rows_missing",
                         "%d MAP rows; SIZEY says %d (the missing ones are no-entry)", r->row_count,
                         map->height);
    if (r->row_count > map->height)
        tbs_problems_add(r->problems, true, r->last_row_line, "problem.rows_more",
                         "%d MAP rows; SIZEY says %d", r->row_count, map->height);
    for (int y = 0; y < r->row_count && y < map->height; y++) {
        const int cells = r->row_cells[y];
        if (cells != map->width)
            tbs_problems_add(r->problems, cells > map->width, map->row_line[y], "problem.row_cells",
                             "row %d has %d cells; SIZEX says %d", y, cells, map->width);
    }
}

/* All words are checked, not only up to the first fault. A type that is unknown is stored as any type: the
 * caller marks the unit as unreadable. */
static bool unit_from_words(struct reader *r, char words[UNIT_WORDS][32], struct tbs_map_unit *unit) {
    const int type = tbs_type_find(words[2]);
    long n[UNIT_NUMBERS] = {0};
    bool ok = type < TBS_TYPES;
    if (!ok)
        tbs_problems_add(
            r->problems, true, r->line, "problem.unit_type",
            "unit '%s' is unknown; expected fighter, attacker, panzer, cannon, antiair or infantry",
            words[2]);
    for (int i = 0; i < UNIT_NUMBERS; i++) {
        const struct unit_number *u = &unit_numbers[i];
        if (text_to_int(words[u->word], &n[i]) && n[i] >= u->low && n[i] <= u->high)
            continue;
        tbs_problems_add(r->problems, true, r->line, "problem.unit_number",
                         "unit %d: %s is '%s'; expected a number from %d to %d", r->unit_total, u->name,
                         words[u->word], u->low, u->high)
            ->unit = r->unit_total;
        ok = false;
    }
    *unit = (struct tbs_map_unit){
        .x = (uint8_t)n[UNIT_X],
        .y = (uint8_t)n[UNIT_Y],
        .type = (uint8_t)(type % TBS_TYPES),
        .side = (uint8_t)(n[UNIT_SIDE] == TBS_BLUE),
        .hp = (uint8_t)n[UNIT_HP],
        .done = n[UNIT_DONE] != 0,
        .line = r->line,
    };
    return ok;
}

static void read_unit(struct reader *r, const char *segment) {
    size_t length;
    const char *at;
    if (!find_value(r, segment, "UNIT", &at, &length) || at == NULL)
        return;
    const char *end = at + length;
    char words[UNIT_WORDS + 1][32]; /* further words overwrite the last one */
    int count = 0;
    while (next_word(&at, end, words[count < UNIT_WORDS ? count : UNIT_WORDS], 32))
        count++;
    struct tbs_map_unit unit = {0};
    if (count != UNIT_WORDS)
        tbs_problems_add(r->problems, true, r->line, "problem.unit_fields",
                         "unit %d has %d fields; expected x,y,name,team,hp,finished", r->unit_total, count);
    if (count != UNIT_WORDS || !unit_from_words(r, words, &unit))
        unit.line = TBS_UNREADABLE;
    if (r->map->unit_count < TBS_UNITS_MAX)
        r->map->units[r->map->unit_count++] = unit; /* also unreadable: the ids of later units depend on it */
    r->unit_unreadable = r->unit_unreadable || unit.line == TBS_UNREADABLE;
    r->unit_total++;
}

/* The units themselves count: a wrong declared number does not prevent a game. It is compared only if every
 * unit could be read, since otherwise the number of a side is not certain. */
static void check_counts(struct reader *r) {
    for (int i = 0; i < NUMBERS; i++)
        if (r->number_line[i] == 0)
            tbs_problems_add(r->problems, numbers[i].needed, 0, "problem.missing", "%s is missing",
                             numbers[i].key);
    if (r->map->threshold < 0)
        r->map->threshold = 0;
    for (int side = 0; side < TBS_SIDES; side++) {
        const int there = tbs_map_side_units(r->map, side), declared = r->map->declared[side];
        if (declared >= 0 && declared != there && !r->unit_unreadable)
            tbs_problems_add(r->problems, false, r->number_line[RED_COUNT + side], "problem.declared",
                             "%s says %d; there are %d %s units", numbers[RED_COUNT + side].key, declared,
                             there, tbs_side_names[side]);
    }
    if (r->unit_total > TBS_UNITS_MAX)
        tbs_problems_add(r->problems, true, 0, "problem.units", "%d units; at most %d fit", r->unit_total,
                         TBS_UNITS_MAX);
}

bool tbs_map_read(const char *text, size_t size, struct tbs_map *out, struct tbs_problems *problems) {
    *out = (struct tbs_map){.threshold = -1, .declared = {-1, -1}};
    *problems = (struct tbs_problems){0};
    if (size == 0) {
        tbs_problems_add(problems, true, 0, "problem.empty", "is empty; expected a map");
        return false;
    }
    struct reader r = {.map = out, .problems = problems};
    struct text utf8 = {0};
    struct tbs_segments s;
    charset_to_utf8(text, size, &utf8);
    tbs_segments_start(&s, text_string(&utf8), utf8.size);
    while (tbs_segments_next(&s)) {
        const char *segment = text_string(&s.segment);
        r.line = s.line;
        read_numbers(&r, segment);
        read_note(&r, segment, "AUTHOR", out->author);
        read_note(&r, segment, "MAPCOM", out->comment);
        read_row(&r, segment);
        read_unit(&r, segment);
    }
    tbs_segments_done(&s);
    text_done(&utf8);
    check_rows(&r);
    check_counts(&r);
    if (out->width > 0 && out->height > 0)
        tbs_map_check(out, problems);
    qsort(problems->items, (size_t)problems->count, sizeof problems->items[0], by_line);
    return !problems->fatal;
}

/* Lesser problems are ignored here: the platform plays such maps, too. */
bool tbs_map_load(const char *name, const char *text, size_t size, struct tbs_map *out, struct err *e) {
    struct tbs_problems problems;
    return tbs_map_read(text, size, out, &problems) || tbs_problems_explain(&problems, name, e);
}

/* ---- reading JSON ---- */

static const char json_format[] = "senjutsu-map";

/* Does the object have a whole number of that name in the range? `fault` says why not. */
static bool get_number(const json_t *object, const char *key, int low, int high, long *out,
                       const char **fault) {
    const json_t *value = json_object_get(object, key);
    *out = (long)json_integer_value(value);
    *fault = value == NULL ? "is missing" : "is out of range or no number";
    return json_is_integer(value) && *out >= low && *out <= high;
}

static void read_json_note(struct reader *r, const json_t *object, const char *key, char *out) {
    const json_t *value = json_object_get(object, key);
    if (json_is_string(value))
        charset_copy(out, TBS_NOTE_MAX, json_string_value(value), json_string_length(value));
    else if (value != NULL)
        tbs_problems_add(r->problems, true, 0, "problem.json_note", "%s is no string", key);
}

/* One string a row: short in a file, and a row of the map is seen as a row. */
static void read_terrain(struct reader *r, const json_t *rows) {
    const size_t width = (size_t)r->map->width, height = (size_t)r->map->height;
    if (width == 0 || height == 0)
        return; /* already reported, and there is no size to compare with */
    if (json_array_size(rows) != height) {
        tbs_problems_add(r->problems, true, 0, "problem.json_rows",
                         "terrain: expected an array of %d rows, as height says", (int)height);
        return;
    }
    for (size_t y = 0; y < height; y++) {
        const char *row = json_string_value(json_array_get(rows, y));
        const bool ok = row != NULL && strlen(row) == width && strspn(row, "0123456") == width;
        if (!ok)
            tbs_problems_add(r->problems, true, 0, "problem.json_row",
                             "terrain row %d: expected a string of %d digits from 0 to %d", (int)y,
                             (int)width, TBS_TERRAINS - 1);
        for (size_t x = 0; ok && x < width; x++)
            r->map->terrain[x][y] = (uint8_t)(row[x] - '0');
    }
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

/* All faults of a unit are reported, not only the first. */
static bool read_json_unit(struct reader *r, const json_t *unit, int id, struct tbs_map_unit *out) {
    const char *types[TBS_TYPES], *fault;
    long n[UNIT_SIDE] = {0};
    bool ok = true;
    for (int i = 0; i < UNIT_SIDE; i++) {
        const struct unit_number *u = &unit_numbers[i];
        if (get_number(unit, u->json_key, u->low, u->high, &n[i], &fault))
            continue;
        tbs_problems_add(r->problems, true, 0,
                         json_object_get(unit, u->json_key) == NULL ? "problem.json_unit_missing"
                                                                    : "problem.json_unit_number",
                         "unit %d: %s %s; expected a whole number from %d to %d", id, u->json_key, fault,
                         u->low, u->high)
            ->unit = id;
        n[i] = 0;
        ok = false;
    }
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
        .x = (uint8_t)n[UNIT_X],
        .y = (uint8_t)n[UNIT_Y],
        .type = (uint8_t)(type % TBS_TYPES),
        .side = (uint8_t)(side % TBS_SIDES),
        .hp = (uint8_t)n[UNIT_HP],
        .done = json_is_true(done),
    };
    return ok && type < TBS_TYPES && side < TBS_SIDES;
}

/* An unreadable unit keeps its place, because places are ids. */
static void read_json_units(struct reader *r, const json_t *units) {
    if (!json_is_array(units) || json_array_size(units) > TBS_UNITS_MAX) {
        tbs_problems_add(r->problems, true, 0, "problem.json_units",
                         "units: expected an array of at most %d units", TBS_UNITS_MAX);
        return;
    }
    r->map->unit_count = (int)json_array_size(units);
    for (int id = 0; id < r->map->unit_count; id++) {
        struct tbs_map_unit *unit = &r->map->units[id];
        if (!read_json_unit(r, json_array_get(units, (size_t)id), id, unit))
            unit->line = TBS_UNREADABLE;
    }
}

/* "format" first: other JSON (a record, a request) gets one sentence, not a list of missing members. */
static void read_object(struct reader *r, const json_t *object) {
    const char *format = json_string_value(json_object_get(object, "format"));
    if (format == NULL || strcmp(format, json_format) != 0) {
        tbs_problems_add(r->problems, true, 0, "problem.json_format",
                         "this JSON is no map: expected an object with \"format\": \"%s\"", json_format);
        return;
    }
    for (int i = 0; i < JSON_NUMBERS; i++) {
        const struct number *n = &numbers[i];
        const char *fault;
        long value;
        if (get_number(object, n->json_key, n->low, n->high, &value, &fault))
            set_number(r->map, i, value);
        else
            tbs_problems_add(
                r->problems, true, 0,
                json_object_get(object, n->json_key) == NULL ? "problem.json_missing" : "problem.json_number",
                "%s %s; expected a whole number from %d to %d", n->json_key, fault, n->low, n->high);
    }
    read_json_note(r, object, "author", r->map->author);
    read_json_note(r, object, "comment", r->map->comment);
    read_terrain(r, json_object_get(object, "terrain"));
    read_json_units(r, json_object_get(object, "units"));
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

/* ---- writing, in the platform's layout ---- */

/* ']' and ';' would end the value early and a line break would vanish: they are replaced by similar
 * characters. */
static void write_note(struct text *out, const char *key, const char *note) {
    if (note[0] == '\0')
        return;
    text_add(out, "%s[", key);
    for (; *note != '\0'; note++) {
        const char c = *note == ']' ? ')' : *note == '[' ? '(' : *note == ';' ? ',' : *note;
        if (c != '\n' && c != '\r')
            text_add_bytes(out, &c, 1);
    }
    text_add(out, "];\n");
}

void tbs_map_write(const struct tbs_map *map, struct text *out) {
    text_add(out, "SIZEX[%d];SIZEY[%d];\n", map->width, map->height);
    text_add(out, "TURNLIMIT[%d];HPTHRESHOLD[%d];\n", map->turn_limit, map->threshold);
    text_add(out, "UNITNUMRED[%d];UNITNUMBLUE[%d];\n", tbs_map_side_units(map, TBS_RED),
             tbs_map_side_units(map, TBS_BLUE));
    write_note(out, "AUTHOR", map->author);
    write_note(out, "MAPCOM", map->comment);
    for (int i = 0; i < map->unit_count; i++) {
        const struct tbs_map_unit *u = &map->units[i];
        text_add(out, "UNIT[%d,%d,%s,%d,%d,%d];\n", u->x, u->y, tbs_unit_types[u->type].name, u->side, u->hp,
                 u->done);
    }
    for (int y = 0; y < map->height; y++) {
        text_add(out, "MAP[");
        for (int x = 0; x < map->width; x++)
            text_add(out, "%s%d", x > 0 ? "," : "", map->terrain[x][y]);
        text_add(out, "];\n");
    }
}

/* ---- writing JSON ---- */

bool tbs_map_write_json(const struct tbs_map *map, struct text *out, struct err *e) {
    json_t *units = json_array(), *rows = json_array();
    for (int i = 0; i < map->unit_count; i++) {
        const struct tbs_map_unit *u = &map->units[i];
        json_array_append_new(units, json_pack("{s:i, s:i, s:s, s:s, s:i, s:b}", "x", u->x, "y", u->y, "type",
                                               tbs_unit_types[u->type].name, "side", tbs_side_names[u->side],
                                               "hp", u->hp, "done", u->done));
    }
    for (int y = 0; y < map->height; y++) {
        char row[TBS_EDGE_MAX];
        for (int x = 0; x < map->width; x++)
            row[x] = (char)('0' + map->terrain[x][y]);
        json_array_append_new(rows, json_stringn(row, (size_t)map->width));
    }
    json_t *object =
        json_pack("{s:s, s:i, s:i, s:i, s:i, s:s, s:s, s:o, s:o}", "format", json_format, "width", map->width,
                  "height", map->height, "turn_limit", map->turn_limit, "threshold", map->threshold, "author",
                  map->author, "comment", map->comment, "terrain", rows, "units", units);
    if (object == NULL)
        return err_set(e, "the map cannot be written as JSON: a note is no UTF-8");
    char *dump = json_dumps(object, JSON_INDENT(2));
    json_decref(object);
    text_add(out, "%s\n", dump);
    mem_free(dump);
    return true;
}
