/* SPDX-License-Identifier: MIT
 *
 * The position a request names: of a map, a text, a record or a table.
 */
#include "serve/ground.h"
#include "serve/tables.h"

#include <string.h>

static const char *const source_members[] = {"game",   "map",   "map_text", "rules", "position",
                                             "record", "table", "key",      "after", NULL};

enum { ALL_ACTIONS = -1 };

static bool refuse(struct message_out *out, const char *field, const char *sentence) {
    message_fail(out, 400, field, "%s", sentence);
    return false;
}

static bool is_there(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    return value != NULL && !json_is_null(value);
}

/* A record as text of any form, or as the JSON that the form is. */
static bool read_record(const json_t *given, struct record *out, struct err *difference,
                        struct message_out *failure) {
    struct err e;
    const char *text = json_string_value(given);
    char *dump = text == NULL && json_is_object(given) ? json_dumps(given, JSON_COMPACT) : NULL;
    if (dump != NULL)
        text = dump;
    if (text == NULL)
        return refuse(failure, "record", "\"record\": expected a game as record.json has it, or its text");
    const bool ok = record_read("record", text, strlen(text), out, difference, &e);
    free(dump);
    return ok || refuse(failure, "record", e.text);
}

/* A record that leaves the rules is good up to there. */
static bool replay_record(const json_t *given, int after, struct ground_position *out,
                          struct message_out *failure) {
    struct err difference = {0}, e;
    if (!read_record(given, &out->record, &difference, failure))
        return false;
    if (difference.text[0] != '\0' && (after == ALL_ACTIONS || after > out->record.count))
        return refuse(failure, "record", difference.text);
    if (after > out->record.count) {
        message_fail(failure, 400, "after", "the record has %d action%s, not %d", out->record.count,
                     out->record.count == 1 ? "" : "s", after);
        return false;
    }
    out->scenario = record_scenario(&out->record, &e);
    if (out->scenario == NULL)
        return refuse(failure, "record", e.text);
    const int wanted = after == ALL_ACTIONS ? out->record.count : after;
    return replay_to(&out->replay, &out->record, out->scenario, wanted, &e) ||
           refuse(failure, "record", e.text);
}

static bool start_game(struct workbench *bench, const json_t *source, const char *position,
                       struct ground_position *out, struct message_out *failure) {
    static const char *const nobody[2] = {"", ""};
    struct err e;
    out->scenario = ground_load(bench, source, failure);
    if (out->scenario == NULL)
        return false;
    const struct game *game = out->scenario->game;
    record_describe(&out->record, out->scenario, nobody);
    replay_start(&out->replay, &out->record, out->scenario);
    if (position == NULL)
        return true;
    if (!game_read_position(out->scenario, position, out->replay.state, &e))
        return refuse(failure, "position", e.text);
    out->placed = true;
    turn_count_start(&out->replay.turn, game, out->replay.state);
    return true;
}

/* What says where it is: only one of them. */
static bool check_source(const json_t *source, struct message_out *failure) {
    if (!json_is_object(source))
        return refuse(failure, "source", "\"source\": expected an object that says which position");
    if (!serve_knows(source, source_members, failure))
        return false;
    const bool table = is_there(source, "table"), record = is_there(source, "record");
    if (table + record + is_there(source, "position") > 1)
        return refuse(failure, "source",
                      "expected one of \"position\", \"record\" and \"table\", not several");
    if (is_there(source, "key") && !table)
        return refuse(failure, "key", "\"key\" belongs to \"table\"");
    if (is_there(source, "after") && !table && !record)
        return refuse(failure, "after", "\"after\" belongs to \"record\" or \"table\"");
    return true;
}

static bool fill(struct workbench *bench, const json_t *source, struct ground_position *out,
                 struct message_out *failure) {
    const struct ground_range actions = {0, RECORD_ACTIONS_MAX, ALL_ACTIONS};
    const char *table, *key, *position;
    long after;
    if (!check_source(source, failure) || !ground_text(source, "table", NULL, &table, failure) ||
        !ground_text(source, "key", NULL, &key, failure) ||
        !ground_text(source, "position", NULL, &position, failure) ||
        !ground_int(source, "after", actions, &after, failure))
        return false;
    if (table != NULL)
        return tables_position(bench, &(struct tables_place){table, key, (int)after}, out, failure);
    if (is_there(source, "record"))
        return replay_record(json_object_get(source, "record"), (int)after, out, failure);
    return start_game(bench, source, position, out, failure);
}

bool ground_position_load(struct workbench *bench, const json_t *source, struct ground_position *out,
                          struct message_out *failure) {
    *out = (struct ground_position){0};
    record_init(&out->record);
    if (!fill(bench, source, out, failure))
        return false;
    const struct game *game = out->scenario->game;
    out->partial = game->hide != NULL && game->worlds(out->replay.state) > 1;
    return true;
}

void ground_position_done(struct ground_position *position) {
    if (position->scenario != NULL)
        position->scenario->game->unload(position->scenario);
    record_done(&position->record);
    *position = (struct ground_position){0};
}
