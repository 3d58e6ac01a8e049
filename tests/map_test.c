/* SPDX-License-Identifier: MIT
 *
 * Map files: the messages of the reader and of `map check` for every kind of fault, the freedoms of the
 * format, and that writing and reading (both forms) give the same map back.
 */
#include "base/file.h"
#include "base/mem.h"
#include "game/tbs/map.h"

#include "tests/map_support.h"
#include "tests/memory_support.h"

#include <dirent.h>
#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- a faultless map, line by line ---- */

/* The faultless map with one line (from 1; 0 for none) replaced. */
static void build(struct text *out, int line, const char *replacement, const char *line_end) {
    text_clear(out);
    for (int i = 1; i <= MAP_FAULTLESS_LINES; i++)
        text_add(out, "%s%s", i == line ? replacement : map_faultless[i - 1], line_end);
}

static void assert_same_map(const struct tbs_map *a, const struct tbs_map *b) {
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->height, b->height);
    assert_int_equal(a->turn_limit, b->turn_limit);
    assert_int_equal(a->threshold, b->threshold);
    assert_memory_equal(a->declared, b->declared, sizeof a->declared);
    assert_memory_equal(a->terrain, b->terrain, sizeof a->terrain);
    assert_string_equal(a->author, b->author);
    assert_string_equal(a->comment, b->comment);
    assert_int_equal(a->unit_count, b->unit_count);
    for (int i = 0; i < a->unit_count; i++) {
        const struct tbs_map_unit *u = &a->units[i], *v = &b->units[i];
        assert_true(u->x == v->x && u->y == v->y && u->type == v->type && u->side == v->side &&
                    u->hp == v->hp && u->done == v->done);
    }
}

static void read_faultless(struct tbs_map *out) {
    struct text text = {0};
    struct tbs_problems problems;
    build(&text, 0, NULL, "\n");
    assert_true(tbs_map_read(text_string(&text), text.size, out, &problems));
    assert_int_equal(problems.count, 0);
    text_done(&text);
}

static void faultless_map_is_read_whole(void **state) {
    (void)state;
    struct tbs_map map;
    read_faultless(&map);
    assert_int_equal(map.width, 6);
    assert_int_equal(map.height, 5);
    assert_int_equal(map.turn_limit, 8);
    assert_int_equal(map.threshold, 2);
    assert_int_equal(map.declared[TBS_RED], 2);
    assert_int_equal(map.declared[TBS_BLUE], 1);
    assert_string_equal(map.author, "us");
    assert_string_equal(map.comment, "a pond");
    assert_int_equal(map.terrain[3][1], TBS_WOOD);
    assert_int_equal(map.terrain[2][2], TBS_NO_ENTRY);
    assert_int_equal(map.terrain[4][2], TBS_SEA);
    assert_int_equal(map.terrain[4][3], TBS_MOUNTAIN);
    assert_int_equal(map.unit_count, 3);
    const struct tbs_map_unit *cannon = &map.units[1];
    assert_true(cannon->x == 1 && cannon->y == 3 && cannon->type == TBS_CANNON && cannon->side == TBS_RED);
    assert_true(cannon->hp == 7 && cannon->done && cannon->line == 11);
}

/* ---- every kind of fault ---- */

struct fault {
    const char *name;
    int line;                /* the line that is replaced, … */
    const char *replacement; /* … and by what */
    int problems;            /* how many are found in all */
    int problem_line;        /* one of them stands here (0: the file as a whole), … */
    bool fatal;
    const char *words; /* … and gives this message */
};

static const struct fault faults[] = {
    {"wider than its rows", 1, "SIZEX[7];SIZEY[5];", 5, 5, false, "row 0 has 6 cells; SIZEX says 7"},
    {"lower than its rows", 1, "SIZEX[6];SIZEY[4];", 6, 9, true, "5 MAP rows; SIZEY says 4"},
    {"unit below the map", 1, "SIZEX[6];SIZEY[4];", 6, 11, true, "1,3, outside the playable cells 1..4,1..2"},
    {"far too wide", 1, "SIZEX[9999];SIZEY[5];", 1, 1, true,
     "SIZEX is '9999'; expected a number from 3 to 34"},
    {"just too wide", 1, "SIZEX[35];SIZEY[5];", 1, 1, true, "SIZEX is '35'"},
    {"too narrow", 1, "SIZEX[2];SIZEY[5];", 1, 1, true, "SIZEX is '2'"},
    {"negative size", 1, "SIZEX[-6];SIZEY[5];", 1, 1, true, "SIZEX is '-6'"},
    {"overflowing size", 1, "SIZEX[6];SIZEY[99999999999999999999];", 1, 1, true,
     "SIZEY is '99999999999999999999'"},
    {"garbage size", 1, "SIZEX[6];SIZEY[5x];", 1, 1, true, "SIZEY is '5x'"},
    {"empty size", 1, "SIZEX[6];SIZEY[];", 1, 1, true, "SIZEY is ''"},
    {"no width", 1, "SIZEY[5];", 1, 0, true, "SIZEX is missing"},
    {"no height", 1, "SIZEX[6];", 1, 0, true, "SIZEY is missing"},
    {"no turn limit", 2, "HPTHRESHOLD[2];", 1, 0, true, "TURNLIMIT is missing"},
    {"no threshold", 2, "TURNLIMIT[8];", 1, 0, false, "HPTHRESHOLD is missing"},
    {"turn limit 0", 2, "TURNLIMIT[0];HPTHRESHOLD[2];", 1, 2, true,
     "TURNLIMIT is '0'; expected a number from 1"},
    {"turn limit in words", 2, "TURNLIMIT[eight];HPTHRESHOLD[2];", 1, 2, true, "TURNLIMIT is 'eight'"},
    {"negative threshold", 2, "TURNLIMIT[8];HPTHRESHOLD[-1];", 1, 2, true, "HPTHRESHOLD is '-1'"},
    {"key without its bracket", 2, "TURNLIMIT[8;HPTHRESHOLD[2];", 1, 2, true,
     "'TURNLIMIT[' has no ']' behind it"},
    {"no number of red units", 3, "UNITNUMBLUE[1];", 1, 0, false, "UNITNUMRED is missing"},
    {"no number of blue units", 3, "UNITNUMRED[2];", 1, 0, false, "UNITNUMBLUE is missing"},
    {"too many red units promised", 3, "UNITNUMRED[3];UNITNUMBLUE[1];", 1, 3, false,
     "UNITNUMRED says 3; there are 2 red"},
    {"too few blue units promised", 3, "UNITNUMRED[2];UNITNUMBLUE[0];", 1, 3, false,
     "UNITNUMBLUE says 0; there are 1 blue"},
    {"an open border", 5, "MAP[0,0,1,0,0,0];", 1, 5, true, "border cell 2,0 is plain"},
    {"a row too long", 6, "MAP[0,1,1,3,1,0,0];", 1, 6, true, "row 1 has 7 cells; SIZEX says 6"},
    {"a row too short", 6, "MAP[0,1,1,3,1];", 1, 6, false, "row 1 has 5 cells; SIZEX says 6"},
    {"a missing row", 9, "", 1, 8, false, "4 MAP rows; SIZEY says 5"},
    {"terrain 7", 7, "MAP[0,1,0,7,2,0];", 1, 7, true, "terrain '7' at 3,2 is unknown; expected 0 to 6"},
    {"terrain 9", 7, "MAP[0,9,0,5,2,0];", 1, 7, true, "terrain '9' at 1,2 is unknown"},
    {"negative terrain", 7, "MAP[0,-1,0,5,2,0];", 1, 7, true, "terrain '-1' at 1,2 is unknown"},
    {"terrain in words", 7, "MAP[0,1,0,road,2,0];", 1, 7, true, "terrain 'road' at 3,2 is unknown"},
    {"an unknown unit", 10, "UNIT[1,1,panzr,0,10,0];", 1, 10, true,
     "unit 'panzr' is unknown; expected fighter"},
    {"a unit's name with a blank", 10, "UNIT[1,1, panzer,0,10,0];", 1, 10, true, "unit ' panzer' is unknown"},
    {"on terrain it cannot enter", 10, "UNIT[4,2,panzer,0,10,0];", 1, 10, false,
     "4,2 on sea, which it cannot enter"},
    {"in a wall", 10, "UNIT[2,2,panzer,0,10,0];", 1, 10, false, "2,2 on no-entry, which it cannot enter"},
    {"on the border", 10, "UNIT[0,1,panzer,0,10,0];", 1, 10, true,
     "0,1, outside the playable cells 1..4,1..3"},
    {"far outside", 10, "UNIT[500,1,panzer,0,10,0];", 1, 10, true, "x is '500'"},
    {"two in one cell", 10, "UNIT[4,1,panzer,0,10,0];", 1, 12, true, "units 0 and 2 both stand at 4,1"},
    {"HP 0", 10, "UNIT[1,1,panzer,0,0,0];", 1, 10, true, "unit 0: HP is '0'; expected a number from 1 to 99"},
    {"HP 50", 10, "UNIT[1,1,panzer,0,50,0];", 1, 10, false, "unit 0 has HP 50, more than the usual 10"},
    {"HP 100", 10, "UNIT[1,1,panzer,0,100,0];", 1, 10, true, "HP is '100'"},
    {"garbage HP", 11, "UNIT[1,3,cannon,0,7HP,1];", 1, 11, true, "unit 1: HP is '7HP'"},
    {"garbage column", 11, "UNIT[one,3,cannon,0,7,1];", 1, 11, true, "unit 1: x is 'one'"},
    {"garbage flag", 11, "UNIT[1,3,cannon,0,7,yes];", 1, 11, true, "the finished flag is 'yes'"},
    {"team 2", 11, "UNIT[1,3,cannon,2,7,1];", 1, 11, true,
     "unit 1: team is '2'; expected a number from 0 to 1"},
    {"five fields", 11, "UNIT[1,3,cannon,0,7];", 1, 11, true,
     "unit 1 has 5 fields; expected x,y,name,team,hp,finished"},
    {"seven fields", 11, "UNIT[1,3,cannon,0,7,1,0];", 1, 11, true, "unit 1 has 7 fields"},
    {"no unit on a side", 12, "UNIT[4,1,infantry,0,10,0];", 3, 0, false, "blue has no units"},
};

static const struct tbs_problem *find_problem(const struct tbs_problems *problems, int line,
                                              const char *words) {
    for (int i = 0; i < problems->count; i++)
        if (problems->items[i].line == line && strstr(problems->items[i].text, words) != NULL)
            return &problems->items[i];
    return NULL;
}

static void check_fault(const struct fault *fault, const struct tbs_problems *problems, bool playable) {
    const struct tbs_problem *found = find_problem(problems, fault->problem_line, fault->words);
    bool any_fatal = false;
    for (int i = 0; i < problems->count; i++)
        any_fatal = any_fatal || problems->items[i].fatal;
    if (problems->count == fault->problems && found != NULL && found->fatal == fault->fatal &&
        playable == !any_fatal)
        return;
    for (int i = 0; i < problems->count; i++)
        print_message("  %d: %s%s\n", problems->items[i].line, problems->items[i].text,
                      problems->items[i].fatal ? " [fatal]" : "");
    fail_msg("%s: expected %d problems, one of them on line %d, %s, with the words: %s", fault->name,
             fault->problems, fault->problem_line, fault->fatal ? "fatal" : "not fatal", fault->words);
}

static void every_fault_is_reported_with_its_line(void **state) {
    (void)state;
    struct text text = {0};
    for (size_t i = 0; i < COUNT(faults); i++) {
        struct tbs_map map;
        struct tbs_problems problems;
        build(&text, faults[i].line, faults[i].replacement, "\n");
        const bool playable = tbs_map_read(text_string(&text), text.size, &map, &problems);
        check_fault(&faults[i], &problems, playable);
        /* The same lines wherever line ends are two characters. */
        build(&text, faults[i].line, faults[i].replacement, "\r\n");
        check_fault(&faults[i], &problems, tbs_map_read(text_string(&text), text.size, &map, &problems));
    }
    text_done(&text);
}

static void several_faults_come_in_the_order_of_lines(void **state) {
    (void)state;
    static const char text[] = "UNIT[9,9,tank,0,10,0];\nMAP[0,8,0];\nTURNLIMIT[x];\nSIZEX[3];SIZEY[3];\n";
    struct tbs_map map;
    struct tbs_problems problems;
    assert_false(tbs_map_read(text, strlen(text), &map, &problems));
    assert_true(problems.fatal);
    for (int i = 1; i < problems.count; i++)
        assert_true(problems.items[i - 1].line <= problems.items[i].line);
    assert_non_null(find_problem(&problems, 1, "tank"));
    assert_non_null(find_problem(&problems, 2, "terrain '8'"));
    assert_non_null(find_problem(&problems, 3, "TURNLIMIT is 'x'"));
}

static void too_many_units_and_problems_are_counted(void **state) {
    (void)state;
    struct text text = {0};
    struct tbs_map map;
    struct tbs_problems problems;
    build(&text, 3, "UNITNUMRED[64];UNITNUMBLUE[64];", "\n");
    for (int i = 3; i < TBS_UNITS_MAX + 1; i++)
        text_add(&text, "UNIT[1,1,panzer,%d,10,0];\n", i % 2);
    assert_false(tbs_map_read(text_string(&text), text.size, &map, &problems));
    assert_non_null(find_problem(&problems, 0, "129 units; at most 128 fit"));
    assert_int_equal(map.unit_count, TBS_UNITS_MAX);
    assert_int_equal(problems.count,
                     TBS_PROBLEMS_MAX); /* 126 of them share a cell, each with all before it */
    assert_true(problems.left_out > 1000);
    text_done(&text);
}

/* One side alone may be too large although all units together fit. */
static void too_many_units_on_a_side_are_reported(void **state) {
    (void)state;
    struct text text = {0};
    struct tbs_map map;
    struct tbs_problems problems;
    text_add(&text, "SIZEX[34];SIZEY[4];TURNLIMIT[1];HPTHRESHOLD[0];UNITNUMRED[64];UNITNUMBLUE[0];\n");
    for (int y = 0; y < 4; y++) {
        text_add(&text, "MAP[0");
        for (int x = 1; x < 34; x++)
            text_add(&text, ",%d", x < 33 && y > 0 && y < 3);
        text_add(&text, "];\n");
    }
    for (int i = 0; i < 64; i++)
        text_add(&text, "UNIT[%d,%d,panzer,0,10,0];\n", 1 + i % 32, 1 + i / 32);
    assert_true(tbs_map_read(text_string(&text), text.size, &map, &problems));
    assert_int_equal(problems.count, 1); /* blue has no units */
    text_add(&text, "UNIT[1,1,panzer,0,10,0];\n");
    assert_false(tbs_map_read(text_string(&text), text.size, &map, &problems));
    assert_non_null(find_problem(&problems, 0, "red has 65 units; at most 64 fit"));
    text_done(&text);
}

static void loading_gives_the_first_fatal_problem(void **state) {
    (void)state;
    struct text text = {0};
    struct tbs_map map;
    struct err e;
    build(&text, 11, "UNIT[1,3,gun,0,7,1];", "\n");
    assert_false(tbs_map_load("pond.tbsmap", text_string(&text), text.size, &map, &e));
    assert_non_null(strstr(e.text, "pond.tbsmap:11: unit 'gun' is unknown"));
    build(&text, 2, "HPTHRESHOLD[2];", "\n");
    assert_false(tbs_map_load("pond.tbsmap", text_string(&text), text.size, &map, &e));
    assert_string_equal(e.text, "pond.tbsmap: TURNLIMIT is missing");
    build(&text, 10, "UNIT[1,1,panzer,0,50,0];", "\n"); /* not fatal */
    assert_true(tbs_map_load("pond.tbsmap", text_string(&text), text.size, &map, &e));
    text_done(&text);
}

/* ---- the format's freedoms ---- */

static void read_clean(const char *text, size_t size, struct tbs_map *out) {
    struct tbs_problems problems;
    const bool ok = tbs_map_read(text, size, out, &problems);
    if (!ok || problems.count > 0)
        fail_msg("%d: %s", problems.items[0].line, problems.items[0].text);
}

static void layout_does_not_matter(void **state) {
    (void)state;
    struct tbs_map expected, map;
    read_faultless(&expected);
    struct text text = {0};
    static const char *const line_ends[] = {"\n", "\r\n", "", "\n\n  \t", "\r"};
    for (size_t i = 0; i < COUNT(line_ends); i++) {
        build(&text, 0, NULL, line_ends[i]);
        read_clean(text_string(&text), text.size, &map);
        assert_same_map(&map, &expected);
    }
    text_clear(&text); /* units before rows before sizes; rows and units stay in their own order */
    static const int order[MAP_FAULTLESS_LINES] = {10, 5, 11, 6, 7, 12, 8, 9, 4, 3, 2, 1};
    for (int i = 0; i < MAP_FAULTLESS_LINES; i++)
        text_add(&text, "%s\n", map_faultless[order[i] - 1]);
    read_clean(text_string(&text), text.size, &map);
    assert_same_map(&map, &expected);
    text_done(&text);
}

static void keys_may_share_a_segment_and_the_last_scalar_counts(void **state) {
    (void)state;
    struct tbs_map expected, map;
    read_faultless(&expected);
    struct text text = {0};
    build(&text, 1, "SIZEX[6]SIZEY[5]AUTHOR[nobody]", "\n"); /* goes on into the next line's segment */
    read_clean(text_string(&text), text.size, &map);
    assert_same_map(&map, &expected);
    build(&text, 1, "SIZEX[9];SIZEX[ 6 ];TURNLIMIT[3];SIZEY[5];", "\n");
    read_clean(text_string(&text), text.size, &map);
    assert_same_map(&map, &expected);
    /* A value may go on over a line end. */
    build(&text, 6, "MAP[0,1,\n1,3,1,0]\n;", "\n");
    read_clean(text_string(&text), text.size, &map);
    assert_same_map(&map, &expected);
    text_done(&text);
}

static void notes_are_decoded(void **state) {
    (void)state;
    struct text text = {0};
    struct tbs_map map;
    /* Shift_JIS; the second bytes are '[', '^' and ']' of ASCII and must not end anything. */
    build(&text, 4, "AUTHOR[\x8F\x5D];MAPCOM[\x83\x66\x81\x5B\x83\x5E];", "\r\n");
    read_clean(text_string(&text), text.size, &map);
    assert_string_equal(map.author, "\u5F93");
    assert_string_equal(map.comment, "\u30C7\u30FC\u30BF");
    /* UTF-8, after a byte-order mark. */
    struct text marked = {0};
    build(&text, 4, "AUTHOR[Zo\u00EB];MAPCOM[\u5730\u56F3];", "\n");
    text_add(&marked, "\xEF\xBB\xBF%s", text_string(&text));
    read_clean(text_string(&marked), marked.size, &map);
    assert_string_equal(map.author, "Zo\u00EB");
    assert_string_equal(map.comment, "\u5730\u56F3");
    text_done(&marked);
    text_done(&text);
}

static void long_notes_are_cut_at_a_whole_character(void **state) {
    (void)state;
    struct text text = {0}, line = {0};
    struct tbs_map map;
    for (int shift = 0; shift < 3; shift++) {
        text_clear(&line);
        text_add(&line, "AUTHOR[us];MAPCOM[%.*s", shift, "xx");
        for (int i = 0; i < 200; i++)
            text_add(&line, "\u5730");
        text_add(&line, "];");
        build(&text, 4, text_string(&line), "\n");
        read_clean(text_string(&text), text.size, &map);
        const size_t size = strlen(map.comment);
        assert_true(size < TBS_NOTE_MAX && size > TBS_NOTE_MAX - 4);
        assert_int_equal((size - (size_t)shift) % 3, 0);
    }
    text_done(&line);
    text_done(&text);
}

/* ---- round trips ---- */

static void draw_options(struct rng *r, struct tbs_random_options *out) {
    tbs_random_defaults(out);
    out->width = 2 + (int)rng_below(r, TBS_CELLS_MAX - 1);
    out->height = 2 + (int)rng_below(r, TBS_CELLS_MAX - 1);
    const uint32_t room = (uint32_t)(out->width * out->height / 2);
    for (int side = 0; side < TBS_SIDES; side++)
        out->units[side] = 1 + (int)rng_below(r, room < TBS_SIDE_UNITS_MAX ? room : TBS_SIDE_UNITS_MAX);
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        out->weight[terrain] += (int)rng_below(r, 20);
    out->turn_limit = 1 + (int)rng_below(r, TBS_TURN_LIMIT_MAX);
    out->threshold = (int)rng_below(r, TBS_THRESHOLD_MAX + 1);
    out->hp_low = 1;
}

static void draw_map(struct rng *r, struct tbs_map *out) {
    struct tbs_random_options options;
    struct err e;
    draw_options(r, &options);
    if (!tbs_map_random(&options, r, out, &e))
        fail_msg("%s", e.text);
    for (int i = 0; i < out->unit_count; i++)
        out->units[i].done = rng_below(r, 8) == 0;
    snprintf(out->author, sizeof out->author, "author %u", rng_below(r, 1000));
    if (rng_below(r, 2) == 0)
        snprintf(out->comment, sizeof out->comment, "\u5730\u56F3 %u, \"quoted\\\"", rng_below(r, 1000));
}

static void written_maps_are_read_back(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 20);
    struct text text = {0}, again = {0};
    for (int i = 0; i < 2000; i++) {
        struct tbs_map map, back;
        draw_map(&r, &map);
        text_clear(&text);
        text_clear(&again);
        tbs_map_write(&map, &text);
        read_clean(text_string(&text), text.size, &back);
        assert_same_map(&map, &back);
        tbs_map_write(&back, &again);
        assert_string_equal(text_string(&text), text_string(&again));
    }
    text_done(&text);
    text_done(&again);
}

static void notes_that_would_break_the_file_are_softened(void **state) {
    (void)state;
    struct tbs_map map, back;
    struct text text = {0};
    read_faultless(&map);
    snprintf(map.comment, sizeof map.comment, "a]b;SIZEX[9]\nc");
    tbs_map_write(&map, &text);
    read_clean(text_string(&text), text.size, &back);
    assert_int_equal(back.width, map.width);
    assert_string_equal(back.comment, "a)b,SIZEX(9)c");
    text_done(&text);
}

static void json_maps_are_read_back(void **state) {
    (void)state;
    struct rng r;
    rng_seed(&r, 21);
    struct text text = {0};
    for (int i = 0; i < 300; i++) {
        struct tbs_map map, back;
        struct tbs_problems problems;
        struct err e;
        draw_map(&r, &map);
        text_clear(&text);
        assert_true(tbs_map_write_json(&map, &text, &e));
        assert_true(tbs_map_read_json(text_string(&text), text.size, &back, &problems));
        assert_int_equal(problems.count, 0);
        assert_same_map(&map, &back);
    }
    text_done(&text);
}

#define HEAD  "{\"format\":\"senjutsu-map\",\"width\":4,\"height\":3,\"turn_limit\":5,\"threshold\":0,"
#define ROWS  "\"terrain\":[\"0000\",\"0110\",\"0000\"],"
#define UNITS "\"units\":[{\"x\":1,\"y\":1,\"type\":\"panzer\",\"side\":\"red\",\"hp\":3},"
#define BLUE  "{\"x\":2,\"y\":1,\"type\":\"infantry\",\"side\":\"blue\",\"hp\":9,\"done\":true}]}"

struct json_fault {
    const char *text, *words;
    int line;
    bool fatal;
};

static const struct json_fault json_faults[] = {
    {"", "cannot be read", 1, true},
    {"{\n\"format\": \"senjutsu-map\",\n]", "cannot be read", 3, true},
    {"[]", "no map", 0, true},
    {"{\"format\":\"other\"}", "no map", 0, true},
    {HEAD ROWS UNITS BLUE " x", "end of file expected", 1, true},
    {HEAD "\"width\":5," ROWS UNITS BLUE, "duplicate", 1, true},
    {HEAD UNITS BLUE, "terrain: expected an array of 3 rows", 0, true},
    {HEAD "\"terrain\":[\"0000\",\"011\",\"0000\"]," UNITS BLUE,
     "terrain row 1: expected a string of 4 digits", 0, true},
    {HEAD "\"terrain\":[\"0000\",\"0170\",\"0000\"]," UNITS BLUE, "terrain row 1", 0, true},
    {HEAD "\"terrain\":[\"0000\",7,\"0000\"]," UNITS BLUE, "terrain row 1", 0, true},
    {HEAD "\"terrain\":[\"0000\",\"1110\",\"0000\"]," UNITS BLUE, "border cell 0,1 is plain", 0, true},
    {HEAD "\"terrain\":[\"0000\",\"0210\",\"0000\"]," UNITS BLUE, "on sea, which it cannot enter", 0, false},
    {HEAD "\"author\":5," ROWS UNITS BLUE, "author is no string", 0, true},
    {HEAD ROWS "\"units\":7}", "units: expected an array", 0, true},
    {HEAD ROWS UNITS "4]}", "unit 1: x is missing", 0, true},
    {HEAD ROWS UNITS "{\"x\":2,\"y\":1,\"type\":\"gun\",\"side\":\"blue\",\"hp\":9}]}",
     "unit 1: type is 'gun'", 0, true},
    {HEAD ROWS UNITS "{\"x\":2,\"y\":1,\"type\":\"cannon\",\"side\":1,\"hp\":9}]}", "expected red or blue", 0,
     true},
    {HEAD ROWS UNITS "{\"x\":2.5,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":9}]}",
     "unit 1: x is out", 0, true},
    {HEAD ROWS UNITS "{\"x\":2,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":0}]}",
     "unit 1: hp is out", 0, true},
    {HEAD ROWS UNITS "{\"x\":2,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":1,\"done\":0}]}",
     "neither true", 0, true},
    {HEAD ROWS UNITS "{\"x\":1,\"y\":1,\"type\":\"cannon\",\"side\":\"blue\",\"hp\":1}]}",
     "both stand at 1,1", 0, true},
    {"{\"format\":\"senjutsu-map\",\"width\":99}", "width is out of range", 0, true},
    {"{\"format\":\"senjutsu-map\",\"width\":9}", "height is missing", 0, true},
};

static void json_faults_are_reported(void **state) {
    (void)state;
    struct tbs_map map;
    struct tbs_problems problems;
    static const char good[] = HEAD ROWS UNITS BLUE;
    assert_true(tbs_map_read_json(good, strlen(good), &map, &problems));
    assert_int_equal(problems.count, 0);
    assert_true(map.units[1].done && map.units[1].hp == 9 && map.declared[TBS_BLUE] == 1);
    for (size_t i = 0; i < COUNT(json_faults); i++) {
        const struct json_fault *fault = &json_faults[i];
        const bool playable = tbs_map_read_json(fault->text, strlen(fault->text), &map, &problems);
        const struct tbs_problem *found = find_problem(&problems, fault->line, fault->words);
        if (playable == fault->fatal || found == NULL || found->fatal != fault->fatal)
            fail_msg("%s\n  said '%s' on line %d; expected '%s' on line %d", fault->text,
                     problems.items[0].text, problems.items[0].line, fault->words, fault->line);
    }
}

/* ---- problems as data ---- */

static void problems_are_data(void **state) {
    (void)state;
    static const char text[] = "SIZEX[5];SIZEY[4];TURNLIMIT[x];HPTHRESHOLD[1];UNITNUMRED[1];UNITNUMBLUE[1];"
                               "MAP[0,0,3,0,0];MAP[0,1,1,9,0];MAP[0,1,1,2,0];MAP[0,0,0,0,0];"
                               "UNIT[3,2,panzer,0,20,0];UNIT[1,1,panzer,1,10,0];UNIT[1,1,panzer,1,10,0];"
                               "UNIT[1,2,panzer,7,10,0];";
    static const char *const expected[] = {
        "{\"args\":[\"2\",\"0\",\"wood\"],\"cells\":[[2,0]],\"code\":\"problem.border\",\"fatal\":true",
        "{\"args\":[\"TURNLIMIT\",\"x\",\"1\",\"9999\"],\"code\":\"problem.number\",\"fatal\":true,\"line\":"
        "1,",
        "{\"args\":[\"9\",\"3\",\"1\",\"6\"],\"cells\":[[3,1]],\"code\":\"problem.terrain\"",
        "{\"args\":[\"0\",\"panzer\",\"3\",\"2\",\"sea\"],\"cells\":[[3,2]],\"code\":\"problem.unit_"
        "terrain\",\"fatal\":"
        "false,\"line\":1,\"text\":\"unit 0 (panzer) stands at 3,2 on sea, which it cannot enter\"",
        "{\"args\":[\"0\",\"20\",\"10\"],\"code\":\"problem.hp_high\"",
        "more than the usual 10\",\"unit\":0}",
        "{\"args\":[\"1\",\"2\",\"1\",\"1\"],\"cells\":[[1,1]],\"code\":\"problem.same_cell\"",
        "{\"args\":[\"3\",\"team\",\"7\",\"0\",\"1\"],\"code\":\"problem.unit_number\"",
    };
    struct tbs_map map;
    struct tbs_problems problems;
    assert_false(tbs_map_read(text, strlen(text), &map, &problems));
    json_t *list = tbs_problems_json(&problems);
    char *dump = json_dumps(list, JSON_COMPACT | JSON_SORT_KEYS);
    for (size_t i = 0; i < COUNT(expected); i++)
        if (strstr(dump, expected[i]) == NULL)
            fail_msg("expected %s in %s", expected[i], dump);
    free(dump);
    json_decref(list);
}

/* ---- memory, and maps of others ---- */

static void read_text(void *context) {
    const struct text *text = context;
    struct tbs_map map;
    struct tbs_problems problems;
    assert_true(tbs_map_read(text_string(text), text->size, &map, &problems));
}

static void lack_of_memory_leaves_nothing_behind(void **state) {
    (void)state;
    struct text text = {0};
    int failures = 0;
    build(&text, 0, NULL, "\n");
    while (memory_runs_out(failures + 1, read_text, &text))
        assert_true(++failures < 50);
    assert_true(failures > 0);
    text_done(&text);
}

/* The platform's own maps lie beside the project on some machines. */
static void maps_of_the_platform_are_playable(void **state) {
    (void)state;
    const char *root = getenv("SENJUTSU_ROOT");
    char folder[3000];
    snprintf(folder, sizeof folder, "%s/../shared/maps", root != NULL ? root : ".");
    DIR *dir = opendir(folder);
    if (dir == NULL) {
        print_message("skipped: there is no folder %s\n", folder);
        skip();
    }
    int maps = 0;
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (strstr(entry->d_name, ".tbsmap") == NULL)
            continue;
        char path[4096];
        struct text text = {0}, written = {0};
        struct tbs_map map, back;
        struct tbs_problems problems;
        struct err e;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (!file_read(path, TBS_MAP_TEXT_MAX, &text, &e))
            fail_msg("%s", e.text);
        if (!tbs_map_read(text_string(&text), text.size, &map, &problems))
            fail_msg("%s: %s", path, problems.items[0].text);
        tbs_map_write(&map, &written);
        assert_true(tbs_map_read(text_string(&written), written.size, &back, &problems));
        for (int side = 0; side < TBS_SIDES;
             side++) /* the file's declared counts may be wrong; we write the real ones */
            map.declared[side] = tbs_map_side_units(&map, side);
        assert_same_map(&map, &back);
        text_done(&text);
        text_done(&written);
        maps++;
    }
    closedir(dir);
    assert_true(maps > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faultless_map_is_read_whole),
        cmocka_unit_test(every_fault_is_reported_with_its_line),
        cmocka_unit_test(several_faults_come_in_the_order_of_lines),
        cmocka_unit_test(too_many_units_and_problems_are_counted),
        cmocka_unit_test(too_many_units_on_a_side_are_reported),
        cmocka_unit_test(loading_gives_the_first_fatal_problem),
        cmocka_unit_test(layout_does_not_matter),
        cmocka_unit_test(keys_may_share_a_segment_and_the_last_scalar_counts),
        cmocka_unit_test(notes_are_decoded),
        cmocka_unit_test(long_notes_are_cut_at_a_whole_character),
        cmocka_unit_test(written_maps_are_read_back),
        cmocka_unit_test(notes_that_would_break_the_file_are_softened),
        cmocka_unit_test(json_maps_are_read_back),
        cmocka_unit_test(json_faults_are_reported),
        cmocka_unit_test(problems_are_data),
        cmocka_unit_test(lack_of_memory_leaves_nothing_behind),
        cmocka_unit_test(maps_of_the_platform_are_playable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
