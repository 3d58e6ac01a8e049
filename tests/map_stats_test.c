/* SPDX-License-Identifier: MIT
 *
 * Statistics of maps agree with numbers worked out by hand, with plain enumeration, and with the platform's
 * counts.
 */
#include "game/tbs/map_stats.c" /* its tallies are internal */

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct tbs_rules *const rules = &tbs_rule_sets[0];

/* ---- statistics by hand ---- */

/* One row of playable cells; `marks` are terrain marks, units follow as UNIT segments. */
static void corridor(const char *marks, const char *units, struct tbs_map *out) {
    struct text text = {0};
    struct tbs_problems problems;
    const int cells = (int)strlen(marks);
    text_add(&text, "SIZEX[%d];SIZEY[3];TURNLIMIT[20];HPTHRESHOLD[0];%s", cells + 2, units);
    for (int y = 0; y < 3; y++) {
        text_add(&text, "MAP[0");
        for (int x = 0; x < cells; x++) {
            int terrain = 0;
            while (y == 1 && tbs_terrain_types[terrain].mark != marks[x])
                terrain++;
            text_add(&text, ",%d", terrain);
        }
        text_add(&text, ",0];");
    }
    if (!tbs_map_read(text_string(&text), text.size, out, &problems))
        fail_msg("%s", problems.items[0].text);
    text_done(&text);
}

static void measure(const struct tbs_map *map, uint64_t positions_max, struct tbs_map_stats *out) {
    struct err e;
    if (!tbs_map_stats(map, rules, positions_max, out, &e))
        fail_msg("%s", e.text);
}

/* Two red infantry at 1 and 2 and a blue one at 4, in a corridor of four plain cells. Unit 0 walks through
 * its friend: it ends at 1 or 3, or attacks from 3. Unit 1 ends at 2 or 3, or attacks from 3. The second unit
 * has three actions if the first one stayed and two (it cannot pass the enemy) if the first one went to 3: 3
 * + 2 + 2 for either order. */
static void a_tiny_map_by_hand(void **state) {
    (void)state;
    struct tbs_map map;
    struct tbs_map_stats s;
    corridor("....", "UNIT[1,1,infantry,0,10,0];UNIT[2,1,infantry,0,8,0];UNIT[4,1,infantry,1,9,0];", &map);
    measure(&map, 1000, &s);
    assert_int_equal(s.units[0].reach, 2);
    assert_int_equal(s.units[0].moves, 2);
    for (int which = 0; which < TBS_ATTACK_KINDS; which++)
        assert_int_equal(s.units[0].attacks[which], 1);
    assert_int_equal(s.units[1].moves, 2);
    assert_int_equal(s.units[2].moves, 2);
    assert_int_equal(s.sides[TBS_RED].moves, 4);
    assert_int_equal(s.sides[TBS_RED].attacks[TBS_ATTACKS_POWER], 2);
    assert_int_equal(s.sides[TBS_RED].attackers, 2);
    assert_int_equal(s.sides[TBS_RED].hp, 18);
    assert_int_equal(s.sides[TBS_RED].type_units[TBS_INFANTRY], 2);
    assert_int_equal(s.sides[TBS_BLUE].type_hp[TBS_INFANTRY], 9);
    assert_int_equal(s.sides[TBS_RED].contact, 1);
    assert_int_equal(s.turn.side, TBS_RED);
    assert_int_equal(s.turn.units, 2);
    assert_true(s.turn.actions_mean == 3.0);
    assert_true(s.turn.estimate == 18.0);
    assert_true(s.turn.is_counted && s.turn.is_exact);
    assert_true(s.turn.combinations == 14);
    assert_true(s.turn.ends_are_counted);
    assert_true(s.turn.ends ==
                9); /* five pairs of cells; an attacker at 3 makes a second one of four of them */
}

static void flagged_units_wait_for_their_turn(void **state) {
    (void)state;
    struct tbs_map map;
    struct tbs_map_stats s;
    corridor("....", "UNIT[1,1,infantry,0,10,1];UNIT[3,1,panzer,1,10,0];UNIT[4,1,infantry,1,9,1];", &map);
    measure(&map, 1000, &s);
    assert_int_equal(s.units[0].reach, 2);
    assert_int_equal(s.units[0].moves, 0);
    assert_int_equal(s.units[0].attacks[TBS_ATTACKS_ALL], 0);
    assert_int_equal(s.units[0].contact, 2);
    assert_int_equal(s.sides[TBS_RED].ready, 0);
    assert_int_equal(s.turn.side, TBS_BLUE); /* red's turn is empty */
    assert_int_equal(s.turn.units, 1);
    assert_true(s.turn.combinations == 3 && s.turn.ends == 3); /* the panzer: stay, 2, attack from 2 */
    corridor("....", "UNIT[1,1,infantry,0,10,0];", &map);
    measure(&map, 1000, &s);
    assert_int_equal(s.turn.side, NOBODY); /* no enemy to fight */
    assert_false(s.turn.is_counted);
}

struct contact_case {
    const char *marks, *red, *blue; /* each side's unit, as UNIT fields without the team */
    int contact;
};

static void contact_by_hand(void **state) {
    (void)state;
    static const struct contact_case cases[] = {
        {".........", "1,1,infantry", "9,1,infantry", 3}, /* 8 is seven steps away: 3 + 3 + 1 */
        {".........", "1,1,infantry", "2,1,infantry", 1},
        {".........", "1,1,panzer", "8,1,infantry", 1}, /* 7 is six steps away */
        {".........", "1,1,panzer", "9,1,infantry", 2},
        {".********", "1,1,panzer", "9,1,infantry", 3}, /* wood costs 2: three cells a turn */
        {".^^^.", "1,1,infantry", "5,1,infantry",
         3}, /* a mountain costs 2 of 3, the rest of the turn is lost */
        {".^^^.", "1,1,panzer", "5,1,infantry", 0}, /* and a panzer cannot go there */
        {".#.", "1,1,infantry", "3,1,infantry", 0},
        {".~~~.", "1,1,attacker", "5,1,infantry", 1},
        {".........", "1,1,fighter", "3,1,infantry", 0}, /* no power against it */
        {".........", "1,1,fighter", "9,1,attacker", 1},
        {".........", "1,1,cannon", "4,1,infantry", 1},
        {".........", "1,1,cannon", "9,1,infantry", 2}, /* goes to 6, fires in the next turn */
        {".........", "2,1,cannon", "3,1,infantry", 2}, /* too near: steps back first */
        {".........", "1,1,cannon", "2,1,infantry", 0}, /* too near, and the target is in the way */
        {".........", "1,1,cannon", "3,1,fighter", 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct tbs_map map;
        struct tbs_map_stats s;
        char units[200];
        snprintf(units, sizeof units, "UNIT[%s,0,10,0];UNIT[%s,1,10,0];", cases[i].red, cases[i].blue);
        corridor(cases[i].marks, units, &map);
        measure(&map, 0, &s);
        if (s.sides[TBS_RED].contact != cases[i].contact)
            fail_msg("%s, red %s, blue %s: contact in turn %d, expected %d", cases[i].marks, cases[i].red,
                     cases[i].blue, s.sides[TBS_RED].contact, cases[i].contact);
        assert_false(s.turn.is_counted);
        map.units[0].done = true;
        measure(&map, 0, &s);
        assert_int_equal(s.sides[TBS_RED].contact, cases[i].contact > 0 ? cases[i].contact + 1 : 0);
    }
}

/* ---- statistics by enumeration ---- */

static void make(const struct tbs_random_options *options, struct rng *r, struct tbs_map *out) {
    struct err e;
    if (!tbs_map_random(options, r, out, &e))
        fail_msg("%d x %d, %d and %d units: %s", options->width, options->height, options->units[0],
                 options->units[1], e.text);
}

enum { ENDS_MAX = 1 << 20 };

struct enumeration {
    const struct game *game;
    int turn;
    uint64_t count;
    uint64_t *ends;
};

/* Every sequence, one after the other, with nothing remembered. */
static void enumerate(struct enumeration *n, const void *state) {
    if (n->game->turn(state) != n->turn || n->game->mover(state) == NOBODY) {
        assert_true(n->count < ENDS_MAX);
        n->ends[n->count++] = n->game->key(state);
        return;
    }
    action list[2048];
    assert_true(n->game->actions_max <= (int)COUNT(list));
    const int count = n->game->actions(state, list);
    for (int i = 0; i < count; i++) {
        _Alignas(16) unsigned char next[GAME_STATE_MAX];
        memcpy(next, state, n->game->state_size);
        n->game->play(next, list[i], NULL);
        enumerate(n, next);
    }
}

static int by_value(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void counts_agree_with_enumeration(void **state) {
    (void)state;
    struct enumeration n = {.ends = mem_alloc(ENDS_MAX * sizeof n.ends[0])};
    assert_non_null(n.ends);
    struct rng r;
    rng_seed(&r, 8);
    for (int i = 0; i < 60; i++) {
        struct tbs_random_options options;
        struct tbs_map map;
        struct tbs_map_stats s;
        struct err e;
        tbs_random_defaults(&options);
        options.width = options.height = 3;
        options.units[TBS_RED] = 1 + i % 4;
        options.units[TBS_BLUE] = 1 + i % 3;
        options.hp_low = 1; /* so that units die on both sides */
        make(&options, &r, &map);
        measure(&map, 10000000, &s);
        struct scenario *scenario = tbs_scenario_make(&map, rules, TBS_PATH_SMALL, &e);
        assert_non_null(scenario);
        _Alignas(16) unsigned char start[GAME_STATE_MAX];
        n.game = scenario->game;
        n.game->start(start, scenario, &r);
        n.turn = n.game->turn(start);
        n.count = 0;
        enumerate(&n, start);
        assert_true(s.turn.is_counted && s.turn.is_exact && s.turn.ends_are_counted);
        assert_true(s.turn.combinations == n.count);
        assert_true(s.turn.combinations_real == (double)n.count);
        qsort(n.ends, (size_t)n.count, sizeof n.ends[0], by_value);
        uint64_t different = 1;
        for (uint64_t k = 1; k < n.count; k++)
            different += n.ends[k] != n.ends[k - 1];
        assert_true(s.turn.ends == different);
        game_unload(scenario);
    }
    mem_free(n.ends);
}

/* Units that are walled in have one action each, so there are units! combinations and one end; the board
 * needs the wide path. */
static void factorials(void **state) {
    (void)state;
    static const double factorial[] = {[1] = 1, [5] = 120, [12] = 479001600};
    static const int sizes[] = {1, 5, 12};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct tbs_map map = {.width = 34, .height = 3, .turn_limit = 9, .unit_count = sizes[i] + 1};
        struct tbs_map_stats s;
        for (int id = 0; id <= sizes[i]; id++) { /* every second cell */
            map.units[id] = (struct tbs_map_unit){
                .x = (uint8_t)(1 + 2 * id), .y = 1, .type = TBS_INFANTRY, .side = id == sizes[i], .hp = 10};
            map.terrain[map.units[id].x][1] = TBS_PLAIN;
        }
        measure(&map, 1000000, &s);
        assert_true(s.turn.is_counted && s.turn.is_exact);
        assert_true((double)s.turn.combinations == factorial[sizes[i]]);
        assert_true(s.turn.combinations_real == factorial[sizes[i]]);
        assert_true(s.turn.estimate == factorial[sizes[i]]);
        assert_true(s.turn.ends_are_counted && s.turn.ends == 1);
    }
}

/* A first turn with more than 2^64 combinations takes seconds to count, so the arithmetic is tested by
 * itself. */
static void tallies_know_when_they_leave_64_bits(void **state) {
    (void)state;
    struct map_tally t = map_tally_of(1);
    for (int i = 0; i < 63; i++) {
        assert_true(t.exact == UINT64_C(1) << i);
        t = map_tally_sum(t, t);
    }
    const struct map_tally largest = {UINT64_MAX - 1, 0x1p64};
    assert_true(map_tally_sum(largest, map_tally_of(0)).exact == UINT64_MAX - 1);
    assert_true(map_tally_sum(largest, map_tally_of(1)).exact == UINT64_MAX);
    t = map_tally_sum(t, t);
    assert_true(t.exact == UINT64_MAX);
    assert_true(t.real == 0x1p64);
    t = map_tally_sum(t, map_tally_sum(map_tally_of(5), t));
    assert_true(t.exact == UINT64_MAX);
    assert_true(t.real == 0x1p65);
}

static void limits_and_lack_of_memory_are_outcomes(void **state) {
    (void)state;
    struct tbs_map map;
    struct tbs_map_stats s;
    struct err e;
    corridor("....", "UNIT[1,1,infantry,0,10,0];UNIT[2,1,infantry,0,8,0];UNIT[4,1,infantry,1,9,0];", &map);
    bool counted = false;
    for (uint64_t limit = 1; limit < 100; limit++) {
        measure(&map, limit, &s);
        assert_true(!counted || s.turn.is_counted); /* more room never counts less */
        assert_true(s.turn.is_counted || !s.turn.ends_are_counted);
        assert_true(!s.turn.is_counted || s.turn.combinations == 14);
        counted = s.turn.is_counted;
        assert_true(counted || limit < 10);
    }
    assert_true(s.turn.ends_are_counted);
    bool ok = false;
    int failures = 0;
    for (; !ok; failures += !ok) {
        assert_true(failures < 50);
        e.text[0] = '\0';
        mem_fail_at(failures + 1);
        ok = tbs_map_stats(&map, rules, 1000, &s, &e);
        mem_fail_at(0);
        assert_true(ok || strstr(e.text, "not enough memory") != NULL);
    }
    assert_true(failures >= 4); /* scenario, lists, and both tables */
    assert_true(s.turn.combinations == 14 && s.turn.ends == 9);
}

/* ---- the platform's counts ---- */

static bool load_shared(const char *name, struct text *out) {
    const char *root = getenv("SENJUTSU_ROOT");
    char path[4096];
    snprintf(path, sizeof path, "%s/../shared/%s", root != NULL ? root : ".", name);
    text_clear(out);
    return file_read(path, 16 << 20, out, NULL);
}

static void check_unit_line(const char *line, const struct tbs_map_stats *s) {
    int id, team, x, y, hp, done, reach, moves, all, power, damage;
    char type[16];
    assert_int_equal(
        sscanf(line,
               "unit %d team %d %15s at %d %d hp %d fin %d reach %d moves %d attacks %d attacks_pow %d "
               "attacks_dmg %d",
               &id, &team, type, &x, &y, &hp, &done, &reach, &moves, &all, &power, &damage),
        12);
    const struct tbs_unit_stats *u = &s->units[id];
    if (u->reach != reach || u->moves != moves || u->attacks[TBS_ATTACKS_ALL] != all ||
        u->attacks[TBS_ATTACKS_POWER] != power || u->attacks[TBS_ATTACKS_DAMAGE] != damage)
        fail_msg("%s\n  ours: reach %d moves %d attacks %d %d %d", line, u->reach, u->moves, u->attacks[0],
                 u->attacks[1], u->attacks[2]);
}

static void check_side_line(const char *line, const struct tbs_map_stats *s) {
    int side, ready, moves, all, power, damage;
    assert_int_equal(sscanf(line, "side %d units %d moves %d attacks %d attacks_pow %d attacks_dmg %d", &side,
                            &ready, &moves, &all, &power, &damage),
                     6);
    const struct tbs_side_stats *t = &s->sides[side];
    if (t->ready != ready || t->moves != moves || t->attacks[TBS_ATTACKS_ALL] != all ||
        t->attacks[TBS_ATTACKS_POWER] != power || t->attacks[TBS_ATTACKS_DAMAGE] != damage)
        fail_msg("%s\n  ours: units %d moves %d attacks %d %d %d", line, t->ready, t->moves, t->attacks[0],
                 t->attacks[1], t->attacks[2]);
}

static void load_map_of_line(const char *line, struct tbs_map_stats *out) {
    char name[200], path[300];
    struct text text = {0};
    struct tbs_map map;
    struct err e;
    assert_int_equal(sscanf(line, "map %199s", name), 1);
    snprintf(path, sizeof path, "maps/%s", name);
    if (!load_shared(path, &text))
        fail_msg("%s is counted but not there", path);
    if (!tbs_map_load(name, text_string(&text), text.size, &map, &e))
        fail_msg("%s", e.text);
    measure(&map, 0, out);
    text_done(&text);
}

static void counts_agree_with_the_platform(void **state) {
    (void)state;
    struct text counts = {0};
    if (!load_shared("golden/tbs/counts.txt", &counts)) {
        print_message("skipped: no shared/golden/tbs/counts.txt beside the project\n");
        skip();
    }
    struct tbs_map_stats s = {0};
    int units = 0;
    for (char *line = strtok(counts.data, "\r\n"); line != NULL; line = strtok(NULL, "\r\n")) {
        if (strncmp(line, "map ", 4) == 0)
            load_map_of_line(line, &s);
        else if (strncmp(line, "side ", 5) == 0)
            check_side_line(line, &s);
        else if (strncmp(line, "unit ", 5) == 0) {
            check_unit_line(line, &s);
            units++;
        }
    }
    assert_true(units > 100);
    text_done(&counts);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tiny_map_by_hand),
        cmocka_unit_test(flagged_units_wait_for_their_turn),
        cmocka_unit_test(contact_by_hand),
        cmocka_unit_test(counts_agree_with_enumeration),
        cmocka_unit_test(factorials),
        cmocka_unit_test(tallies_know_when_they_leave_64_bits),
        cmocka_unit_test(limits_and_lack_of_memory_are_outcomes),
        cmocka_unit_test(counts_agree_with_the_platform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
