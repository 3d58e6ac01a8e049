/* SPDX-License-Identifier: MIT
 *
 * Tables in the data folder: tables/ID.json is the game with its seats, keys and clocks, written after each
 * change; tables/ID.thoughts has what the players thought, a line a step, and is written at the end. Both are
 * on the disk when they are written. What was written is read back by playing it again: a file that the rules
 * do not follow, or that is empty, is named and left alone.
 */
#include "serve/table_work.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/jsontext.h"
#include "base/mem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FORMAT "senjutsu-table"

enum { FILE_MAX = 8 << 20, THOUGHTS_FILE_MAX = 256 << 20 };

/* Of a file somebody may have been at: numbers beyond are none of ours (nanoseconds of thirty years). */
#define NUMBER_MAX INT64_C(1000000000000000000)

static bool path_of(const struct table *table, const char *ending, char out[SERVE_PATH_MAX], struct err *e) {
    char name[SERVE_ID_MAX + 16];
    snprintf(name, sizeof name, "%s%s", table->id, ending);
    return serve_path(table->tables->bench, "tables", name, out, e);
}

/* ---- writing ---- */

static json_t *seat_json(const struct table_seat *seat) {
    return json_pack("{sb ss ss ss}", "human", seat->is_human, "name", seat->name, "spec", seat->spec, "key",
                     seat->key);
}

/* Game, map and seed, as a record has them; the actions stand apart, since a game may begin anywhere. */
static json_t *head_json(const struct table *table) {
    struct record head = table->record;
    struct text text = {0};
    head.count = 0;
    head.comment[0] = '\0';
    snprintf(head.result, sizeof head.result, "none");
    struct replay replay;
    replay_start(&replay, &head, table->scenario);
    if (table->scenario->game->mover(replay.state) == NOBODY)
        snprintf(head.result, sizeof head.result, "%s", table->scenario->game->text->result(replay.state));
    json_t *json = record_write_json_of(&head, table->scenario, &text, NULL) ? jsontext_own(&text) : NULL;
    text_done(&text);
    return json;
}

static json_t *position_json(const struct table *table) {
    if (!table->is_placed)
        return json_null();
    struct text text = {0};
    table->scenario->game->text->write_state(table->start, &text);
    json_t *string = json_string(text_string(&text));
    text_done(&text);
    return string;
}

/* Of a step: the chance, null when the adviser cannot say it, false when it was not asked yet. */
static json_t *chance_json(const struct table_step *step) {
    if (!step->is_asked)
        return json_false();
    return isnan(step->chance) ? json_null() : json_real(step->chance);
}

static json_t *actions_json(const struct table *table) {
    const struct game *game = table->scenario->game;
    json_t *list = json_array();
    struct replay replay;
    struct text text = {0};
    table_replay(table, 0, &replay);
    while (replay.next < table->record.count) {
        const struct record_action *played = &table->record.actions[replay.next];
        text_clear(&text);
        game->text->write_action(replay.state, played->action, &text);
        json_array_append_new(list, json_pack("[sfo]", text_string(&text), (double)played->milliseconds,
                                              chance_json(&table->steps[replay.next])));
        replay_step(&replay, NULL);
    }
    text_done(&text);
    return list;
}

static json_t *numbers_json(const int64_t numbers[2]) {
    return json_pack("[II]", (json_int_t)numbers[0], (json_int_t)numbers[1]);
}

static json_t *rng_json(const struct rng *r) {
    char digits[4 * 16 + 1];
    for (int i = 0; i < 4; i++)
        snprintf(digits + (size_t)i * 16, 17, "%016" PRIx64, r->s[i]);
    return json_string(digits);
}

static json_t *table_json(const struct table *table) {
    const struct referee *referee = &table->referee;
    return json_pack("{ss si ss sI ss sO so so s[oo] ss so so so s[oo] sb si sb si si ss ss so}", "format",
                     FORMAT, "version", 1, "id", table->id, "number", (json_int_t)table->number, "created",
                     table->created, "ground", table->ground, "head", head_json(table), "position",
                     position_json(table), "seats", seat_json(&table->seats[0]), seat_json(&table->seats[1]),
                     "clock", table->clock, "game_left", numbers_json(table->clocks.game_left_ns),
                     "turn_used", numbers_json(table->clocks.turn_used_ns), "byoyomi_used",
                     numbers_json(table->clocks.byoyomi_used_ns), "streams", rng_json(&referee->seat_rng[0]),
                     rng_json(&referee->seat_rng[1]), "wants_thoughts", table->wants_thoughts, "offer",
                     table->offer, "ended", table->is_ended, "forfeiter", referee->forfeiter, "fault",
                     (int)referee->fault_kind, "result", table->record.result, "comment",
                     table->record.comment, "actions", actions_json(table));
}

bool table_save(struct table *table, struct err *e) {
    char path[SERVE_PATH_MAX];
    json_t *json = table_json(table);
    char *dump = json != NULL ? json_dumps(json, JSON_COMPACT) : NULL;
    json_decref(json);
    if (dump == NULL)
        return err_set(e, "cannot be written: not enough memory");
    const bool ok = path_of(table, ".json", path, e) && file_write(path, dump, strlen(dump), e);
    free(dump);
    table->saved_ns = table_now(table);
    table->is_changed = table->is_changed && !ok;
    table->is_urgent = false;
    return ok;
}

void table_save_thoughts(struct table *table) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    bool is_any = false;
    if (!table->has_thoughts)
        return;
    for (int i = 0; i < table->record.count; i++) {
        const char *thoughts = table->steps[i].thoughts;
        is_any = is_any || thoughts != NULL;
        text_add_string(&text, thoughts != NULL ? thoughts : "null");
        text_add_string(&text, "\n");
    }
    table->is_filed = is_any && !text.failed && path_of(table, ".thoughts", path, NULL) &&
                      file_write(path, text_string(&text), text.size, NULL);
    table->thoughts_hash = table->is_filed ? hash_bytes(HASH_START, text_string(&text), text.size) : 0;
    text_done(&text);
}

/* The game last: while its file is there, the game is. */
bool table_remove_files(const struct table *table, struct err *e) {
    static const char *const endings[] = {".thoughts", ".json"};
    char path[SERVE_PATH_MAX];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (!path_of(table, endings[i], path, e) || !file_remove(path, e))
            return false;
    return true;
}

/* ---- thoughts that are in their file ---- */

void table_drop_thoughts(struct table *table) {
    if (!table->is_filed || !table_is_over(table))
        return;
    for (int i = 0; i < table->record.count; i++) {
        mem_free(table->steps[i].thoughts);
        table->steps[i].thoughts = NULL;
    }
    table->has_thoughts = false;
}

/* The page gets the line as it is, in a line of an event: it must be JSON, and one line for everybody. */
static bool is_object(const char *line, size_t size) {
    json_t *read = memchr(line, '\r', size) == NULL ? json_loadb(line, size, 0, NULL) : NULL;
    const bool is = json_is_object(read);
    json_decref(read);
    return is;
}

static void keep_line(struct table *table, int index, const char *line, size_t size) {
    char *thoughts = mem_alloc(size + 1);
    if (thoughts != NULL)
        memcpy(thoughts, line, size);
    mem_free(table->steps[index].thoughts);
    table->steps[index].thoughts = thoughts;
}

/* What we have written ourselves, or looked at before, need not be looked at again: that takes ten times as
 * long as reading it. */
static void take_thoughts(struct table *table, const struct text *text) {
    const char *at = text_string(text);
    const uint64_t hash = hash_bytes(HASH_START, at, text->size);
    const bool is_known = table->thoughts_hash != 0 && hash == table->thoughts_hash;
    bool is_good = true;
    for (int i = 0; i < table->record.count && *at != '\0'; i++) {
        const size_t size = strcspn(at, "\n");
        if (at[0] == '{' && (is_known || is_object(at, size)))
            keep_line(table, i, at, size);
        else
            is_good = is_good && at[0] != '{';
        at += size + (at[size] == '\n');
    }
    table->thoughts_hash = is_good ? hash : 0;
}

void table_recall_thoughts(struct table *table) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    if (table->has_thoughts || !path_of(table, ".thoughts", path, NULL))
        return;
    table->has_thoughts = true;
    if (file_is_plain(path) && file_read(path, THOUGHTS_FILE_MAX, &text, NULL))
        take_thoughts(table, &text);
    text_done(&text);
}

/* ---- reading ---- */

static bool copy_text(const json_t *root, const char *key, char *out, size_t out_size) {
    const json_t *value = json_object_get(root, key);
    if (!json_is_string(value) || json_string_length(value) >= out_size)
        return false;
    memcpy(out, json_string_value(value), json_string_length(value) + 1);
    return true;
}

static bool read_seats(const json_t *root, struct table *table) {
    const json_t *seats = json_object_get(root, "seats");
    bool ok = json_array_size(seats) == 2;
    for (size_t i = 0; ok && i < 2; i++) {
        struct table_seat *seat = &table->seats[i];
        const json_t *from = json_array_get(seats, i);
        seat->is_human = json_is_true(json_object_get(from, "human"));
        ok = copy_text(from, "name", seat->name, sizeof seat->name) &&
             copy_text(from, "spec", seat->spec, sizeof seat->spec) &&
             copy_text(from, "key", seat->key, sizeof seat->key);
    }
    return ok;
}

static bool read_numbers(const json_t *root, const char *key, int64_t out[2]) {
    const json_t *numbers = json_object_get(root, key);
    for (size_t i = 0; i < 2; i++) {
        const json_t *number = json_array_get(numbers, i);
        out[i] = json_integer_value(number);
        if (!json_is_integer(number) || out[i] < -NUMBER_MAX || out[i] > NUMBER_MAX)
            return false;
    }
    return true;
}

static bool read_rng(const json_t *value, struct rng *out) {
    const char *digits = json_string_value(value);
    if (digits == NULL || strlen(digits) != 64 || strspn(digits, "0123456789abcdef") != 64)
        return false;
    for (int i = 0; i < 4; i++) {
        char word[17] = {0};
        memcpy(word, digits + (size_t)i * 16, 16);
        out->s[i] = strtoull(word, NULL, 16);
    }
    return (out->s[0] | out->s[1] | out->s[2] | out->s[3]) != 0;
}

static bool read_clocks(const json_t *root, struct table *table, struct err *e) {
    return copy_text(root, "clock", table->clock, sizeof table->clock) &&
           (table->clock[0] == '\0' || timing_read(table->clock, &table->timing, e));
}

static bool read_action(const json_t *row, struct table *table, struct err *e) {
    const char *text = json_string_value(json_array_get(row, 0));
    const json_t *chance = json_array_get(row, 2);
    action a;
    if (text == NULL || !json_is_number(json_array_get(row, 1)) || table->record.count >= TABLE_ACTIONS_MAX ||
        !table->scenario->game->text->read_action(table->referee.state, text, &a, e) ||
        !table_add(table, a, json_number_value(json_array_get(row, 1)), e))
        return false;
    struct table_step *step = &table->steps[table->record.count - 1];
    step->is_asked = step->is_asked || !json_is_false(chance);
    if (json_is_number(chance))
        step->chance = json_number_value(chance);
    if (step->is_asked && table->advised == table->record.count - 1)
        table->advised++;
    return true;
}

/* What the actions cannot say. */
static bool read_rest(const json_t *root, struct table *table) {
    struct referee *referee = &table->referee;
    const json_t *streams = json_object_get(root, "streams");
    const json_int_t forfeiter = json_integer_value(json_object_get(root, "forfeiter")),
                     fault = json_integer_value(json_object_get(root, "fault")),
                     offer = json_integer_value(json_object_get(root, "offer"));
    if (forfeiter < NOBODY || forfeiter > 1 || fault < 0 || fault >= PLAYER_FAULTS || offer < NOBODY ||
        offer > 1)
        return false;
    referee->forfeiter = (int)forfeiter;
    referee->fault_kind = (enum player_fault)fault;
    table->offer = (int)offer;
    table->is_ended = json_is_true(json_object_get(root, "ended"));
    table->wants_thoughts = json_is_true(json_object_get(root, "wants_thoughts"));
    return read_numbers(root, "game_left", table->clocks.game_left_ns) &&
           read_numbers(root, "turn_used", table->clocks.turn_used_ns) &&
           read_numbers(root, "byoyomi_used", table->clocks.byoyomi_used_ns) &&
           read_rng(json_array_get(streams, 0), &referee->seat_rng[0]) &&
           read_rng(json_array_get(streams, 1), &referee->seat_rng[1]) &&
           copy_text(root, "result", table->record.result, sizeof table->record.result) &&
           copy_text(root, "comment", table->record.comment, sizeof table->record.comment);
}

static bool fill(const json_t *root, struct table *table, struct err *e) {
    const json_t *actions = json_object_get(root, "actions");
    const json_int_t number = json_integer_value(json_object_get(root, "number"));
    if (number < 0 || number > NUMBER_MAX || !copy_text(root, "id", table->id, sizeof table->id) ||
        !serve_is_id(table->id) || !copy_text(root, "created", table->created, sizeof table->created) ||
        !read_seats(root, table) || !read_clocks(root, table, e) ||
        !json_is_object(json_object_get(root, "ground")))
        return false;
    table->number = (uint64_t)number;
    table->ground = json_incref(json_object_get(root, "ground"));
    if (!table_start(table, table->record.seed, json_string_value(json_object_get(root, "position")), e))
        return false;
    for (size_t i = 0; i < json_array_size(actions); i++)
        if (!read_action(json_array_get(actions, i), table, e))
            return false;
    return read_rest(root, table);
}

/* The table that a file has, or NULL and a reason. */
static struct table *read_table(struct tables *tables, const json_t *root, struct err *e) {
    struct record head;
    struct text text = {0};
    record_init(&head);
    struct scenario *scenario = NULL;
    if (jsontext_is(root, FORMAT, e) && jsontext_member(root, "head", &text, e) &&
        record_read_json("head", text_string(&text), text.size, &head, e))
        scenario = record_scenario(&head, e);
    text_done(&text);
    struct table *table = scenario != NULL ? table_open(tables, scenario) : NULL;
    if (table == NULL) {
        record_done(&head);
        return NULL;
    }
    table->record = head;
    table->has_thoughts = false;
    err_set(e, "a part of it is missing, or has no meaning");
    if (fill(root, table, e))
        return table;
    table_drop(table);
    return NULL;
}

static json_t *read_file(const char *path, struct err *e) {
    struct text text = {0};
    json_t *root = NULL;
    if (!file_is_plain(path))
        err_set(e, "it is no plain file");
    else if (file_read(path, FILE_MAX, &text, e))
        root = text.size == 0 ? (err_set(e, "it is empty"), NULL)
                              : jsontext_load("it", text_string(&text), text.size, e);
    text_done(&text);
    return root;
}

/* Thoughts are written whole, when there are any: an empty file had some. */
static void check_thoughts(struct table *table) {
    char path[SERVE_PATH_MAX];
    struct text text = {0};
    const bool is_empty = path_of(table, ".thoughts", path, NULL) && file_is_plain(path) &&
                          file_read(path, 0, &text, NULL); /* more than nothing is too much */
    text_done(&text);
    if (is_empty)
        serve_note_damage(
            table->tables->bench,
            "%s: what players thought in this game is lost: the file is empty; it is left as it is", path);
}

/* A file of ours that is none any more is named: a game that silently is not there would be taken for one
 * that never was. */
static struct table *load_file(struct tables *tables, const char *name) {
    char path[SERVE_PATH_MAX];
    struct err e = {"not enough memory for a game"};
    if (!serve_path(tables->bench, "tables", name, path, NULL))
        return NULL;
    json_t *root = read_file(path, &e);
    struct table *table = root != NULL ? read_table(tables, root, &e) : NULL;
    json_decref(root);
    if (table != NULL && strncmp(table->id, name, strlen(table->id)) != 0) {
        err_set(&e, "it is a copy of game %s", table->id);
        table_drop(table);
        table = NULL;
    }
    if (table == NULL) {
        serve_note_damage(tables->bench, "%s: this game cannot be read: %s; the file is left as it is", path,
                          e.text);
        return NULL;
    }
    table->is_filed = table_is_over(table);
    check_thoughts(table);
    return table;
}

/* "ID.json"; others are none of ours. */
static bool is_table_file(const char *name) {
    char id[SERVE_ID_MAX];
    const char *ending = strrchr(name, '.');
    if (ending == NULL || strcmp(ending, ".json") != 0 || (size_t)(ending - name) >= sizeof id)
        return false;
    memcpy(id, name, (size_t)(ending - name));
    id[ending - name] = '\0';
    return serve_is_id(id);
}

/* In the order of their making, however the folder lists them. */
static void put_in(struct tables *tables, struct table *table) {
    struct table **at = &tables->newest;
    while (*at != NULL && (*at)->number > table->number)
        at = &(*at)->next;
    table->next = *at;
    *at = table;
    if (table->number >= tables->number_next)
        tables->number_next = table->number + 1;
}

static bool take_entry(void *context, const char *name) {
    struct table *table = is_table_file(name) ? load_file(context, name) : NULL;
    if (table != NULL)
        put_in(context, table);
    return true;
}

bool tables_load(struct tables *tables, struct err *e) {
    char path[SERVE_PATH_MAX];
    if (!serve_make_folder(tables->bench, "tables", e) || !serve_path(tables->bench, "tables", "", path, e) ||
        !file_remove_leftovers(path, e))
        return false;
    return file_list(path, &(struct file_visit){take_entry, tables}, e);
}
