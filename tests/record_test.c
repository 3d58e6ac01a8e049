/* SPDX-License-Identifier: MIT
 *
 * Game records: both formats there and back over random games, exact texts, files, and replaying. What is
 * wrong with records is in record_faults_test.c.
 */
#include "match/record.h"

#include "base/file.h"
#include "game/tbs/tbs.h"
#include "record_support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { GAMES = 200 };

/* ---- helpers ---- */

static struct scenario *open_scenario(const struct record *record) {
    struct err e = {0};
    struct scenario *scenario = record_scenario(record, &e);
    assert_string_equal(e.text, "");
    return scenario;
}

/* The text of the position behind the last action; the caller frees it. */
static struct text final_position(const struct record *record) {
    struct scenario *scenario = open_scenario(record);
    struct replay replay;
    struct err e = {0};
    struct text text = {0};
    assert_true(replay_to(&replay, record, scenario, record->count, &e));
    scenario->game->text->write_state(replay.state, &text);
    game_unload(scenario);
    return text;
}

static void assert_same_position(const struct record *a, const struct record *b) {
    struct text first = final_position(a), second = final_position(b);
    assert_string_equal(text_string(&first), text_string(&second));
    text_done(&first);
    text_done(&second);
}

static void assert_same_actions(const struct record *a, const struct record *b) {
    assert_int_equal(a->count, b->count);
    for (int i = 0; i < a->count; i++)
        assert_int_equal(a->actions[i].action, b->actions[i].action);
}

/* ---- random games ---- */

static void draw_map(struct rng *r, struct tbs_map *map) {
    struct tbs_random_options options;
    struct err e;
    const bool wide = rng_below(r, 5) == 0;
    tbs_random_defaults(&options);
    options.width = (wide ? 9 : 3) + (int)rng_below(r, 6);
    options.height = 3 + (int)rng_below(r, 6);
    for (int side = 0; side < 2; side++)
        options.units[side] = 1 + (int)rng_below(r, 4);
    options.hp_low = 1;
    options.turn_limit = 1 + (int)rng_below(r, 14);
    options.threshold = (int)rng_below(r, 8);
    assert_true(tbs_map_random(&options, r, map, &e));
    for (int id = 0; id < map->unit_count; id++)
        map->units[id].done = rng_below(r, 3) == 0; /* also empty first turns */
    snprintf(map->comment, sizeof map->comment, "%s", rng_below(r, 2) == 0 ? "" : "地図 \"quoted\" \\ 100%");
}

static action draw_action(const struct game *game, const void *state, struct rng *r) {
    static action legal[1 << 15];
    const uint32_t kind = rng_below(r, 200);
    if (kind == 0)
        return TBS_RESIGN;
    if (kind < 12)
        return TBS_PASS;
    return legal[rng_below(r, (uint32_t)game->actions(state, legal))];
}

/* Some games are unfinished; times are present, missing, tiny and long. */
static void draw_game(struct rng *r, struct record *record) {
    struct tbs_map map;
    draw_map(r, &map);
    record_init(record);
    snprintf(record->game, sizeof record->game, "tbs");
    static const char *const rules[] = {"", "tubstap", "paper"};
    snprintf(record->rules, sizeof record->rules, "%s", rules[rng_below(r, 3)]);
    snprintf(record->players[0], RECORD_NAME_MAX, "acteval:style=sample,cover=0.1");
    snprintf(record->players[1], RECORD_NAME_MAX, "人 \"x\"");
    snprintf(record->date, sizeof record->date, "%s", rng_below(r, 2) == 0 ? "" : "2024-05-01T10:00:00Z");
    record->seed = rng_next(r) >> rng_below(r, 64);
    tbs_map_write(&map, &record->map);
    struct scenario *scenario = open_scenario(record);
    struct replay replay;
    struct err e;
    replay_start(&replay, record, scenario);
    const int actions_max = rng_below(r, 3) == 0 ? (int)rng_below(r, 20) : 100000;
    while (scenario->game->mover(replay.state) != NOBODY && record->count < actions_max) {
        const action a = draw_action(scenario->game, replay.state, r);
        const double time = rng_below(r, 3) == 0 ? -1 : pow(10, 12 * rng_unit(r) - 6);
        add_action(record, a, time);
        assert_true(replay_step(&replay, &e));
    }
    snprintf(record->result, sizeof record->result, "%s", scenario->game->text->result(replay.state));
    game_unload(scenario);
}

static void json_comes_back(void **state) {
    (void)state;
    struct rng r;
    int unfinished = 0, resigned = 0;
    rng_seed(&r, 11);
    for (int i = 0; i < GAMES; i++) {
        struct record record, again;
        struct text text = {0}, twice = {0};
        struct err e = {0};
        draw_game(&r, &record);
        record_init(&again);
        assert_true(record_write_json(&record, &text, &e));
        assert_true(record_read_json("again", text_string(&text), text.size, &again, &e));
        assert_same_actions(&record, &again);
        assert_same_position(&record, &again);
        assert_string_equal(record.game, again.game);
        assert_string_equal(record.rules, again.rules);
        assert_string_equal(text_string(&record.map), text_string(&again.map));
        assert_string_equal(record.players[0], again.players[0]);
        assert_string_equal(record.players[1], again.players[1]);
        assert_string_equal(record.date, again.date);
        assert_string_equal(record.result, again.result);
        assert_true(record.seed == again.seed);
        for (int k = 0; k < record.count; k++) {
            const double time = (double)record.actions[k].milliseconds,
                         back = (double)again.actions[k].milliseconds;
            assert_true(fabs(time - back) <= 1e-5 * fabs(time)); /* six digits are stored */
        }
        assert_true(record_write_json(&again, &twice, &e));
        assert_string_equal(text_string(&text), text_string(&twice));
        unfinished += strcmp(record.result, "none") == 0;
        resigned += strstr(record.result, "resignation") != NULL;
        text_done(&text);
        text_done(&twice);
        record_done(&record);
        record_done(&again);
    }
    assert_true(unfinished > 20 && resigned > 5);
}

/* A game after a round trip through the platform's format: units without an action stay, in the order of
 * their ids. */
static void with_stays(const struct record *record, struct record *out) {
    struct scenario *scenario = open_scenario(record);
    struct replay replay;
    struct err e;
    record_init(out);
    memcpy(out->game, record->game, sizeof out->game);
    text_add_string(&out->map, text_string(&record->map));
    replay_start(&replay, record, scenario);
    while (replay.next < record->count) {
        const action a = record->actions[replay.next].action;
        struct tbs_position p;
        tbs_position_of(replay.state, &p);
        for (int id = 0; id < p.unit_count && !tbs_is_unit_action(a); id++)
            if (p.units[id].hp > 0 && p.units[id].side == p.side && !p.units[id].done)
                add_action(out, tbs_action(id, p.units[id].x, p.units[id].y, TBS_NO_TARGET), -1);
        if (tbs_is_unit_action(a))
            add_action(out, a, -1);
        assert_true(replay_step(&replay, &e));
    }
    game_unload(scenario);
}

static void sgf_comes_back_with_stays(void **state) {
    (void)state;
    struct rng r;
    int passed = 0;
    rng_seed(&r, 12);
    for (int i = 0; i < GAMES; i++) {
        struct record record, expected, again;
        struct text text = {0}, twice = {0};
        struct err e = {0}, difference = {0};
        draw_game(&r, &record);
        with_stays(&record, &expected);
        record_init(&again);
        assert_true(record_write_sgf(&record, &text, &e));
        assert_true(record_read_sgf("again", text_string(&text), text.size, &again, &difference, &e));
        assert_string_equal(difference.text, "");
        assert_same_actions(&expected, &again);
        assert_string_equal(record.players[0], again.players[0]);
        assert_string_equal(record.players[1], again.players[1]);
        assert_string_equal(record.date, again.date);
        if (strstr(record.result, "resignation") == NULL) { /* which the format cannot express */
            assert_same_position(&record, &again);
            assert_string_equal(record.result, again.result);
            passed += again.count > record.count;
        }
        assert_true(record_write_sgf(&again, &twice, &e));
        assert_string_equal(text_string(&text), text_string(&twice));
        text_done(&text);
        text_done(&twice);
        record_done(&record);
        record_done(&expected);
        record_done(&again);
    }
    assert_true(passed > 20);
}

/* ---- one small game, to the letter ---- */

static void sgf_is_written_to_the_letter(void **state) {
    (void)state;
    struct record record;
    struct text text = {0};
    struct err e = {0};
    make_row_game(&record);
    assert_true(record_write_sgf(&record, &text, &e));
    assert_string_equal(text_string(&text), row_sgf);
    text_clear(&text);
    record.count = 3; /* within a turn; and names that would break the format */
    snprintf(record.players[0], RECORD_NAME_MAX, "a[b];\nc");
    assert_true(record_write_sgf(&record, &text, &e));
    assert_non_null(strstr(text_string(&text), "PLAYERRED[abc]PLAYERBLUE[random];\n"));
    assert_non_null(strstr(text_string(&text), "TURNINFO[2,0,1];\nACTION[1,1,1,2,1,-1,0,0,1,0,0];\n"));
    assert_null(strstr(text_string(&text), "ACTION[0,3,1,3,1"));
    text_done(&text);
    record_done(&record);
}

static void json_is_written_to_the_letter(void **state) {
    (void)state;
    struct record record;
    struct text text = {0};
    struct err e = {0};
    make_row_game(&record);
    snprintf(record.comment, sizeof record.comment, "a \"ruling\"");
    record.seed = UINT64_MAX; /* beyond what JSON's integers hold for us: written as text */
    assert_true(record_write_json(&record, &text, &e));
    static const char *const parts[] = {
        "{\n \"format\": \"senjutsu-record\",\n \"version\": 1,\n",
        " \"game\": \"tbs\",\n \"rules\": \"tubstap\",\n",
        " \"map\": \"SIZEX[6];SIZEY[3];\\nTURNLIMIT[6];",
        " \"players\": [\n  \"acteval\",\n  \"random\"\n ],\n \"date\": \"2024-05-01T10:00:00Z\",\n",
        " \"seed\": \"18446744073709551615\",\n",
        " \"actions\": [\n  \"0:3,1x2\",\n  \"pass\",\n  \"1:1,1\",\n  \"0:3,1x2\"\n ],\n",
        " \"milliseconds\": [\n  1.5,\n  -1.0,\n  0.0,\n  2.0\n ],\n",
        " \"result\": \"red annihilation\",\n \"comment\": \"a \\\"ruling\\\"\"\n}\n",
    };
    const char *at = text_string(&text);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        at = strstr(at, parts[i]);
        assert_non_null(at);
    }
    text_done(&text);
    record_done(&record);
}

/* ---- the platform's own ---- */

/* The lines of a record that describe the game. */
static struct text played_lines(const char *text) {
    struct text out = {0};
    while (*text != '\0') {
        const size_t length = strcspn(text, "\r\n");
        if (strncmp(text, "ACTION[", 7) == 0 || strncmp(text, "TURNINFO[", 9) == 0) {
            text_add_bytes(&out, text, length);
            text_add_string(&out, "\n");
        }
        text += length;
        text += strspn(text, "\r\n");
    }
    return out;
}

/* A game that the platform recorded is read without a difference and written again as it was. */
static void the_platforms_record_comes_back(void **state) {
    (void)state;
    char path[4096];
    const char *root = getenv("SENJUTSU_ROOT");
    struct text text = {0}, again = {0};
    struct record record;
    struct err e = {0}, difference = {0};
    snprintf(path, sizeof path, "%s/../shared/golden/tbs/sample_map04.sgf", root != NULL ? root : ".");
    if (access(path, R_OK) != 0) {
        print_message("skipped: the platform's record is not here\n");
        skip();
    }
    assert_true(file_read(path, RECORD_TEXT_MAX, &text, &e));
    assert_true(record_load(path, &record, &difference, &e));
    assert_string_equal(difference.text, "");
    assert_string_equal(record.players[0], "M-UCT");
    assert_string_equal(record.players[1], "Sample-MaxActionEvalFunc");
    assert_string_equal(record.result, "blue annihilation");
    assert_true(record_write_sgf(&record, &again, &e));
    struct text before = played_lines(text_string(&text)), after = played_lines(text_string(&again));
    assert_true(before.size > 100);
    assert_string_equal(text_string(&before), text_string(&after));
    text_done(&before);
    text_done(&after);
    text_done(&text);
    text_done(&again);
    record_done(&record);
}

/* ---- files ---- */

/* Either format, recognised by its first visible character. */
static void files_of_both_kinds_are_loaded(void **state) {
    (void)state;
    char path[] = "/tmp/senjutsu-record-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int kind = 0; kind < 2; kind++) {
        struct record record, again;
        struct text text = {0};
        struct err e = {0}, difference = {0};
        make_row_game(&record);
        text_add_string(&text, " \n\t");
        assert_true(kind == 0 ? record_write_json(&record, &text, &e) : record_write_sgf(&record, &text, &e));
        assert_true(file_write(path, text_string(&text), text.size, &e));
        strcpy(difference.text,
               "left over"); /* previous contents are replaced: no difference is an empty text */
        assert_true(record_load(path, &again, &difference, &e));
        assert_string_equal(difference.text, "");
        assert_same_position(&record, &again);
        assert_string_equal(again.result, "red annihilation");
        record_done(&record);
        record_done(&again);
        text_done(&text);
    }
    assert_int_equal(unlink(path), 0);
    struct record record;
    struct err e = {0}, difference = {0};
    assert_false(record_load(path, &record, &difference, &e));
    assert_non_null(strstr(e.text, path));
    record_done(&record);
}

/* ---- replaying ---- */

static void replays_go_anywhere(void **state) {
    (void)state;
    struct record record;
    struct replay replay;
    struct err e = {0};
    make_row_game(&record);
    struct scenario *scenario = open_scenario(&record);
    static const int turns[] = {0, 1, 2, 2, 3};
    for (int count = 4; count >= 0; count--) {
        assert_true(replay_to(&replay, &record, scenario, count, &e));
        assert_int_equal(replay.next, count);
        assert_int_equal(scenario->game->turn(replay.state), turns[count]);
    }
    assert_true(replay_to(&replay, &record, scenario, 99, &e)); /* all there are */
    assert_int_equal(replay.next, 4);
    record.actions[1].action = tbs_action(0, 2, 1, TBS_NO_TARGET);
    assert_false(replay_to(&replay, &record, scenario, 4, &e));
    assert_string_equal(e.text, "action 2, 0:2,1, is illegal");
    assert_int_equal(replay.next, 1); /* the position before it is there */
    struct text text = {0};
    assert_false(record_write_json(&record, &text, &e));
    assert_false(record_write_sgf(&record, &text, &e));
    assert_string_equal(e.text, "action 2, 0:2,1, is illegal");
    game_unload(scenario);
    text_done(&text);
    record_done(&record);
}

static void rule_sets_are_stored(void **state) {
    (void)state;
    struct record record;
    struct err e = {0};
    make_row_game(&record);
    snprintf(record.rules, sizeof record.rules, "paper");
    struct scenario *scenario = open_scenario(&record);
    assert_string_equal(tbs_scenario_rules(scenario)->name, "paper");
    game_unload(scenario);
    snprintf(record.game, sizeof record.game, "chess");
    assert_null(record_scenario(&record, &e));
    assert_string_equal(e.text, "the record's game 'chess' is unknown");
    record_done(&record);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_comes_back),
        cmocka_unit_test(sgf_comes_back_with_stays),
        cmocka_unit_test(sgf_is_written_to_the_letter),
        cmocka_unit_test(json_is_written_to_the_letter),
        cmocka_unit_test(the_platforms_record_comes_back),
        cmocka_unit_test(files_of_both_kinds_are_loaded),
        cmocka_unit_test(replays_go_anywhere),
        cmocka_unit_test(rule_sets_are_stored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
