/* SPDX-License-Identifier: MIT */
#include "match/fault_report.h"

#include "base/charset.h"
#include "base/encode.h"
#include "base/mem.h"

#include <assert.h>
#include <string.h>

#define FORMAT "senjutsu-bundle"

void fault_report_init(struct fault_report *fault_report) {
    *fault_report = (struct fault_report){0};
    record_init(&fault_report->record);
}

void fault_report_done(struct fault_report *fault_report) {
    record_done(&fault_report->record);
    text_done(&fault_report->transcript.command);
    text_done(&fault_report->transcript.sent);
    text_done(&fault_report->transcript.tail);
}

/* ---- writing ---- */

/* The lines of an external program may be invalid UTF-8; JSON must be valid. */
static json_t *lines_of(const struct text *text) {
    json_t *lines = json_array();
    const char *at = text_string(text), *const end = at + text->size;
    while (at < end) { /* lines of an external program may contain NUL */
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        json_array_append_new(lines, jsontext_string(at, (size_t)((stop != NULL ? stop : end) - at)));
        at = stop != NULL ? stop + 1 : end;
    }
    return lines;
}

bool fault_report_write(const struct fault_report *b, const struct record *record, struct text *out,
                        struct err *e) {
    assert(b->side == 0 || b->side == 1);
    assert(b->fault >= PLAYER_FAULT_NONE);
    assert(b->fault < PLAYER_FAULTS);
    struct text game = {0};
    const bool written = record_write_json(record, &game, e);
    json_t *record_json = written ? jsontext_own(&game) : NULL;
    text_done(&game);
    if (!written)
        return false;
    json_t *root = json_pack(
        "{ss si ss si ss so sf sf ss so so so so}", "format", FORMAT, "version", 1, "ruling",
        player_fault_names[b->fault], "side", b->side, "player", record->players[b->side], "reason",
        jsontext_string(b->reason, strlen(b->reason)), "limit_ms", b->limit_ms, "patience_ms", b->patience_ms,
        "clock", b->clock, "command",
        jsontext_string(text_string(&b->transcript.command), b->transcript.command.size), "sent",
        lines_of(&b->transcript.sent), "tail", lines_of(&b->transcript.tail), "record", record_json);
    const bool ok = jsontext_add_line(root, JSON_INDENT(1) | JSON_REAL_PRECISION(6), out);
    json_decref(root);
    return ok || err_set(e, "the fault report cannot be written as JSON: a text in it is not UTF-8");
}

/* ---- reading ---- */

/* Lines go back into one text, as a player's transcript holds them. */
static bool read_lines(const json_t *root, const char *key, struct text *out, struct err *e) {
    const json_t *lines = json_object_get(root, key);
    if (!json_is_array(lines))
        return err_set(e, "\"%s\" is no list of lines", key);
    for (size_t i = 0; i < json_array_size(lines); i++) {
        const char *line = json_string_value(json_array_get(lines, i));
        if (line == NULL)
            return err_set(e, "\"%s\": entry %zu is no text", key, i + 1);
        text_add(out, "%s\n", line);
    }
    return true;
}

/* Texts that are missing are empty, and numbers that are missing 0. */
static bool read_root(json_t *root, struct fault_report *out, struct err *e) {
    const char *ruling = NULL, *reason = "", *clock = "", *command = "";
    json_int_t side = -1;
    if (!jsontext_is(root, FORMAT, e))
        return false;
    json_unpack(root, "{sI ss}", "side", &side, "ruling", &ruling);
    if (side != 0 && side != 1)
        return err_set(e, "\"side\" is neither 0 nor 1");
    out->side = (int)side;
    for (int fault = PLAYER_FAULT_NONE + 1; ruling != NULL && fault < PLAYER_FAULTS; fault++)
        if (strcmp(ruling, player_fault_names[fault]) == 0)
            out->fault = (enum player_fault)fault;
    if (out->fault == PLAYER_FAULT_NONE)
        return err_set(e, "\"ruling\" is no ruling that is known");
    if (!read_lines(root, "sent", &out->transcript.sent, e) ||
        !read_lines(root, "tail", &out->transcript.tail, e))
        return false;
    json_unpack(root, "{s?s}", "reason", &reason);
    json_unpack(root, "{s?s}", "clock", &clock);
    json_unpack(root, "{s?s}", "command", &command);
    json_unpack(root, "{s?F}", "limit_ms", &out->limit_ms);
    json_unpack(root, "{s?F}", "patience_ms", &out->patience_ms);
    charset_copy(out->reason, sizeof out->reason, reason, strlen(reason));
    charset_disarm(out->reason); /* it is only shown */
    charset_copy(out->clock, sizeof out->clock, clock, strlen(clock));
    text_add_string(&out->transcript.command, command);
    struct text text = {0};
    const bool ok = jsontext_member(root, "record", &text, e) &&
                    record_read_json("its record", text_string(&text), text.size, &out->record, e);
    text_done(&text);
    return ok;
}

/* The file may come from another person: every field is checked, and its texts are only shown. */
bool fault_report_read(const char *name, const char *text, size_t size, struct fault_report *out,
                       struct err *e) {
    json_t *root = jsontext_load(name, text, size, e);
    if (root == NULL)
        return false;
    const bool ok = read_root(root, out, e);
    json_decref(root);
    return ok || err_prefix(e, "%s: ", name);
}
