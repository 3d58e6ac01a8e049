/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a game record: JSON when the first visible one is '{', the platform's .sgf otherwise. An
 * accepted record is written in both forms and read again: the same game must come back.
 */
#include "fuzz.h"

#include "match/record.h"

#include <ctype.h>
#include <math.h>

/* JSON stores six digits of the times; .sgf stores no times. */
static bool same_time(float a, float b) {
    return (a < 0 && b < 0) || fabsf(a - b) <= fabsf(a) * 1e-5F;
}

static bool same_game(const struct record *a, const struct record *b) {
    if (a->count != b->count || strcmp(a->result, b->result) != 0)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->actions[i].action != b->actions[i].action)
            return false;
    return true;
}

static void check_json(const struct record *record) {
    struct text text = {0};
    struct record again;
    struct err e = {0};
    record_init(&again);
    REQUIRE(record_write_json(record, &text, &e));
    REQUIRE(record_read_json("again", text_string(&text), text.size, &again, &e));
    REQUIRE(same_game(record, &again));
    REQUIRE(strcmp(record->players[0], again.players[0]) == 0 &&
            strcmp(record->players[1], again.players[1]) == 0);
    REQUIRE(strcmp(record->date, again.date) == 0 && strcmp(record->comment, again.comment) == 0);
    REQUIRE(record->seed == again.seed);
    for (int i = 0; i < record->count; i++)
        REQUIRE(same_time(record->actions[i].milliseconds, again.actions[i].milliseconds));
    text_done(&text);
    record_done(&again);
}

static bool ends_by_itself(const struct record *record) {
    for (int i = 0; i < record->count; i++)
        if (!tbs_is_unit_action(record->actions[i].action))
            return false;
    return record->comment[0] == '\0' && (record->rules[0] == '\0' || strcmp(record->rules, "tubstap") == 0);
}

/* The .sgf stores passing and resigning as stays and omits the rule set, so only games without them come back
 * unchanged; but what it writes is always a record without differences. */
static void check_sgf(const struct record *record) {
    struct text text = {0};
    struct record again;
    struct err e = {0}, difference = {0};
    record_init(&again);
    REQUIRE(record_write_sgf(record, &text, &e));
    if (ends_by_itself(record)) {
        REQUIRE(record_read_sgf("again", text_string(&text), text.size, &again, &difference, &e));
        REQUIRE(difference.text[0] == '\0');
        REQUIRE(same_game(record, &again));
    }
    text_done(&text);
    record_done(&again);
}

static bool read_either(const char *text, size_t size, struct record *out, struct err *e) {
    size_t at = 0;
    struct err difference;
    while (at < size && isspace((unsigned char)text[at]))
        at++;
    if (at < size && text[at] == '{')
        return record_read_json("fuzz", text, size, out, e);
    return record_read_sgf("fuzz", text, size, out, &difference, e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct record record;
    struct err e = {0};
    record_init(&record);
    const bool ok = read_either((const char *)data, size, &record, &e);
    REQUIRE(ok || e.text[0] != '\0');
    if (ok) {
        check_json(&record);
        check_sgf(&record);
    }
    record_done(&record);
    return 0;
}
