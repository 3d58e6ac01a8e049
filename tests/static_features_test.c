/* SPDX-License-Identifier: MIT
 *
 * Static features of maps agree with small maps worked out by hand, with the map statistics, and with maps
 * drawn by people; repair changes little, stays in the space and leaves tidy maps alone.
 */
#include "base/file.h"
#include "base/numbers.h"
#include "evolve/genome.h"
#include "game/tbs/tbs.h"
#include "map_support.h"
#include "space_support.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct tbs_rules *const rules = &tbs_rule_sets[0];

/* A fight for both sides, out of the way. */
#define DUEL "UNIT[1,1,infantry,0,10,0];UNIT[2,1,infantry,1,10,0];"

static struct static_features features_of(const char *rows, const char *units) {
    struct tbs_map map;
    struct static_features features;
    map_of_rows(rows, units, &map);
    static_features_of(&map, rules, &features);
    return features;
}

/* A digest of all results so far: the same with every compiler on every machine. It changes only with an
 * intended change of the evaluation or repair of maps. */
static uint64_t digest;

static void add_static_features(const struct static_features *l) {
    const int numbers[] = {l->roads,
                           l->isolated_roads,
                           l->road_ends,
                           l->rough,
                           l->gathered,
                           l->strewn,
                           (int)(l->coherence * 1e6 + 0.5),
                           (int)(l->natural * 1e6 + 0.5)};
    for (size_t i = 0; i < COUNT(numbers); i++)
        digest = hash_u64(digest, (uint64_t)numbers[i]);
}

static void assert_digest(uint64_t expected) {
    if (digest != expected)
        fail_msg("the digest is 0x%016llx", (unsigned long long)digest);
}

static void assert_near(double found, double expected) {
    if (!(found > expected - 1e-9 && found < expected + 1e-9))
        fail_msg("found %.9f; expected %.9f", found, expected);
}

/* ---- roads ---- */

struct road_case {
    const char *rows;
    int roads, isolated, ends;
};

static const struct road_case road_cases[] = {
    {"..... ..... ..... ..... .....", 0, 0, 0}, {"..... ..... ..=.. ..... .....", 1, 1, 0},
    {"..... .=... ..=.. ..... .....", 2, 2, 0}, /* a corner joins nothing */
    {"..... ..... .==.. ..... .....", 2, 0, 2}, /* a dead end on both sides */
    {"..... ..... ===== ..... .....", 5, 0, 0}, /* leads out of the map */
    {"..... ..... .==@. ..... .....", 2, 0, 1}, /* from nowhere to a fortress */
    {"..... ..... ..=@. ..... .....", 1, 0, 0}, {"..~.. ..~.. ..=.. ..~.. ..~..", 1, 0, 0}, /* a bridge */
    {"..~~. ..~~. .=... ..~~. ..~~.", 1, 1, 0}, /* before the water */
    {"..~~. ..~~. ..==. ..~~. ..~~.", 2, 0, 0}, /* a longer bridge */
    {"..~.. .~~~. .~=~. .~~~. .....", 1, 1, 0}, /* water all around: no bridge */
};

static void roads_are_counted(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(road_cases); i++) {
        const struct road_case *c = &road_cases[i];
        const struct static_features l = features_of(c->rows, DUEL);
        if (l.roads != c->roads || l.isolated_roads != c->isolated || l.road_ends != c->ends)
            fail_msg("\"%s\": %d roads, %d isolated, %d ends", c->rows, l.roads, l.isolated_roads,
                     l.road_ends);
    }
}

/* Two of five roads are isolated and one leads nowhere: two fifths of them are connected. */
static void roads_are_a_quarter_of_the_features(void **state) {
    (void)state;
    const struct static_features l = features_of("....= ..... ===.. ..... ....=", DUEL);
    assert_int_equal(l.roads, 5);
    assert_int_equal(l.isolated_roads, 2);
    assert_int_equal(l.road_ends, 1);
    assert_near(l.coherence, 0.75);
    assert_near(l.natural, 0.25 * 0.4 + 0.4 * 0.75 + 0.2 + 0.15);
}

/* ---- coherence ---- */

struct ground_case {
    const char *rows;
    int rough, gathered, strewn;
    double coherence;
};

/* Worked out by hand, a shared side counting 2 and a corner 1. */
static const struct ground_case ground_cases[] = {
    {"... ... ...", 0, 0, 0, 0.75}, /* nothing there */
    {"... .*. ...", 1, 0, 0, 1},    /* a wood in a plain */
    {"=*= *.* =*=", 4, 0, 0, 1},    /* roads do not count, corners join */
    {"=== *^= ===", 2, 0, 2, 0},    /* quiet 1/2; alike 1/2, as expected */
    {"=== *~= ===", 2, 0, 2, 0},    /* quiet 0 */
    {"=== ^.~ ===", 2, 0, 0, 1},    /* parted by plain */
    {"^^^ ^^^ ^^^", 9, 9, 0, 1},    /* quiet 1 */
    {"**~~ **~~", 8, 8, 0, 1},      /* two patches: see below */
    {"=*== *~*= =*==", 5, 0, 1, 0}, /* the sea is alone, the woods meet at corners: see below */
};

/* "**~~ **~~": rows of 4 and 2 cells have 6 + 4 pairs that share a side and 6 that share a corner, weight 26
 * in all. Alike: 4 sides and 2 corners in each patch, 20. Expected of 4 + 4 strewn cells: 2 * 4 * 3 / (8 * 7)
 * = 3/7. (20/26 - 3/7) / (4/7) = 0.596, more than the 0.4 that is full marks.
 *
 * "=*== *~*= =*==": the sea shares 4 sides with woods (8), the woods 4 corners among themselves (4). Quiet: 4
 * pairs seen from both ends, 8, of 8 + 8 + 8: a third, below 0.6. Alike: 4 of 12, a third; expected 4 * 3 /
 * (5 * 4) = 0.6. */
static void coherence_by_hand(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(ground_cases); i++) {
        const struct ground_case *c = &ground_cases[i];
        const struct static_features l = features_of(c->rows, "");
        if (l.rough != c->rough || l.gathered != c->gathered || l.strewn != c->strewn)
            fail_msg("\"%s\": %d rough, %d gathered, %d strewn", c->rows, l.rough, l.gathered, l.strewn);
        assert_near(l.coherence, c->coherence);
    }
}

/* Between the ends. "*^. ...": quiet, the wood sees a mountain (2, half of it quiet), and plain beside and
 * below it (2) and at its corner (1): 4/5. The mountain sees the wood, plain on two sides and at two corners:
 * 1 + 4 + 2 of 8. Together 11/13. Alike: the wood and the mountain 1 of 2, plain and plain: (3,1)-(3,2) 2,
 * (1,2)-(2,2) 2, (2,2)-(3,2) 2, (2,2)-(3,1) 1; in all 8 of 7 sides and 4 corners, 18; expected (0.5 * 2 + 4 *
 * 3) / (6 * 5). */
static void coherence_between(void **state) {
    (void)state;
    const double quiet = (11.0 / 13 - 0.6) / 0.35;
    const double gathered = (8.0 / 18 - 13.0 / 30) / (1 - 13.0 / 30) / 0.4;
    assert_near(features_of("*^. ...", "").coherence, 1 - (1 - quiet) * (1 - gathered));
}

/* ---- units ---- */

struct use_case {
    const char *rows, *units;
    enum useless use; /* of the first unit */
};

static const struct use_case use_cases[] = {
    {"...", "UNIT[1,1,fighter,0,10,0];UNIT[3,1,infantry,1,10,0];", USELESS_NO_PREY},
    {"...", "UNIT[1,1,fighter,0,10,0];UNIT[2,1,infantry,1,10,0];UNIT[3,1,attacker,1,10,0];", USELESS_NOT},
    {"...", "UNIT[1,1,fighter,0,10,0];UNIT[2,1,attacker,0,10,0];UNIT[3,1,panzer,1,10,0];", USELESS_NO_PREY},
    {"..~..", "UNIT[1,1,infantry,0,10,0];UNIT[5,1,infantry,1,10,0];", USELESS_STRANDED},
    {"..^..", "UNIT[1,1,infantry,0,10,0];UNIT[5,1,infantry,1,10,0];", USELESS_NOT},
    {"..^..", "UNIT[1,1,panzer,0,10,0];UNIT[5,1,infantry,1,10,0];", USELESS_NOT}, /* the infantry comes */
    {"..^..", "UNIT[1,1,panzer,0,10,0];UNIT[5,1,panzer,1,10,0];", USELESS_STRANDED},
    {"..^..", "UNIT[1,1,panzer,0,10,0];UNIT[5,1,cannon,1,10,0];", USELESS_NOT}, /* the cannon shoots */
    {"..^...", "UNIT[1,1,panzer,0,10,0];UNIT[6,1,cannon,1,10,0];", USELESS_NOT},
    {"..^^^.", "UNIT[1,1,panzer,0,10,0];UNIT[6,1,cannon,1,10,0];", USELESS_STRANDED},
    {"..^^^.", "UNIT[1,1,panzer,0,10,0];UNIT[6,1,attacker,1,10,0];", USELESS_NO_PREY},
    {".~...", "UNIT[1,1,cannon,0,10,0];UNIT[3,1,panzer,1,10,0];", USELESS_STUCK},
    {"..", "UNIT[1,1,cannon,0,10,0];UNIT[2,1,panzer,1,10,0];",
     USELESS_NOT}, /* never shoots, but is shot at */
    {"..", "UNIT[1,1,cannon,0,10,0];UNIT[2,1,cannon,1,10,0];", USELESS_STRANDED}, /* for ever too near */
    {"....", "UNIT[2,1,cannon,0,10,0];UNIT[3,1,cannon,1,10,0];", USELESS_NOT},
};

static void units_of_no_use(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(use_cases); i++) {
        struct tbs_map map;
        struct static_features features;
        map_of_rows(use_cases[i].rows, use_cases[i].units, &map);
        static_features_of(&map, rules, &features);
        if (features.use[0] != use_cases[i].use)
            fail_msg("\"%s\" with %s: %d", use_cases[i].rows, use_cases[i].units, features.use[0]);
    }
}

/* Red's fighter has no target; red's panzer is stranded; blue's two infantry meet no enemy either. */
static void useless_units_are_counted(void **state) {
    (void)state;
    const struct static_features l =
        features_of("..~..", "UNIT[1,1,fighter,0,10,0];UNIT[2,1,panzer,0,10,0];"
                             "UNIT[4,1,infantry,1,10,0];UNIT[5,1,infantry,1,10,0];");
    assert_int_equal(l.no_prey[TBS_RED], 1);
    assert_int_equal(l.no_prey[TBS_BLUE], 0);
    assert_int_equal(l.stranded[TBS_RED], 1);
    assert_int_equal(l.stranded[TBS_BLUE], 2);
    assert_near(l.coherence, 1);
    assert_near(l.natural, 0.25 + 0.4 + 0.2 * 0.75 + 0.15 * 0.25);
    assert_true(static_features_defects(&l) > 0);
    assert_int_equal(static_features_defects(&l), 4);
}

/* Two infantry before one: the first walks past its friend. Blue can attack the nearer one from two cells. */
static void first_attacks_by_hand(void **state) {
    (void)state;
    const struct static_features l = features_of("....", "UNIT[1,1,infantry,0,10,0];UNIT[2,1,infantry,0,8,0];"
                                                         "UNIT[4,1,infantry,1,9,0];");
    assert_int_equal(l.first_attacks[TBS_RED], 2);
    assert_int_equal(l.attackers[TBS_RED], 2);
    assert_int_equal(l.first_attacks[TBS_BLUE], 1);
    assert_int_equal(l.attackers[TBS_BLUE], 1);
}

/* ---- against the map statistics ---- */

static void compare_with_stats(const struct tbs_map *map) {
    struct tbs_map_stats s;
    struct static_features l;
    struct err e;
    assert_true(tbs_map_stats(map, rules, 0, &s, &e));
    static_features_of(map, rules, &l);
    add_static_features(&l);
    for (int side = 0; side < TBS_SIDES; side++) {
        assert_int_equal(l.first_attacks[side], s.sides[side].attacks[TBS_ATTACKS_POWER]);
        assert_int_equal(l.attackers[side], s.sides[side].attackers);
    }
    for (int id = 0; id < map->unit_count; id++) {
        const int use = l.use[id];
        if (use == USELESS_NO_PREY || use == USELESS_STRANDED)
            assert_int_equal(s.units[id].contact, 0);
        if (s.units[id].contact > 0)
            assert_true(use == USELESS_NOT || use == USELESS_STUCK);
    }
}

/* A unit alone against one: stranded exactly if neither ever attacks the other. Returns how many are. */
static int compare_a_duel(const struct tbs_map *map) {
    int stranded = 0;
    const bool red = tbs_unit_contact(map, rules, 0) > 0, blue = tbs_unit_contact(map, rules, 1) > 0;
    struct static_features features;
    static_features_of(map, rules, &features);
    for (int id = 0; id < 2; id++) {
        const bool has_prey = rules->power[map->units[id].type][map->units[1 - id].type] > 0;
        const int use = features.use[id];
        assert_true((use == USELESS_NO_PREY) == !has_prey);
        if (has_prey)
            assert_true((use == USELESS_STRANDED) == (!red && !blue));
        stranded += use == USELESS_STRANDED;
    }
    return stranded;
}

static void features_agree_with_statistics(void **state) {
    (void)state;
    struct rng r;
    int stranded = 0;
    rng_seed(&r, 20);
    digest = HASH_START;
    for (int i = 0; i < 400; i++) {
        struct tbs_random_options o;
        struct tbs_map map;
        struct err e;
        tbs_random_defaults(&o);
        o.width = 3 + (int)rng_below(&r, i % 20 == 0 ? 16 : 6);
        o.height = 3 + (int)rng_below(&r, 6);
        for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
            o.weight[terrain] = 1 + (terrain == TBS_PLAIN || terrain == TBS_SEA);
        const bool duel = i % 2 == 0;
        for (int side = 0; side < TBS_SIDES; side++)
            o.units[side] = duel ? 1 : 1 + (int)rng_below(&r, 4);
        if (!tbs_map_random(&o, &r, &map, &e))
            continue; /* nowhere to stand */
        map.units[rng_below(&r, (uint32_t)map.unit_count)].done = !duel;
        compare_with_stats(&map);
        if (duel)
            stranded += compare_a_duel(&map);
    }
    assert_true(stranded >= 20); /* so it was tried */
    assert_digest(UINT64_C(0xf8b9efde44e44855));
}

/* ---- maps drawn by people ---- */

static double mean_of_folder(const char *path, int *count) {
    DIR *folder = opendir(path);
    double sum = 0;
    *count = 0;
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        if (strstr(entry->d_name, ".tbsmap") == NULL)
            continue;
        char file[2048];
        struct text text = {0};
        struct tbs_map map;
        struct static_features features;
        struct err e;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        if (!file_read(file, TBS_MAP_TEXT_MAX, &text, &e) ||
            !tbs_map_load(file, text_string(&text), text.size, &map, &e))
            fail_msg("%s", e.text);
        text_done(&text);
        static_features_of(&map, rules, &features);
        sum += features.natural;
        ++*count;
    }
    if (folder != NULL)
        closedir(folder);
    return *count > 0 ? sum / *count : 0;
}

/* Six terrains alike. */
static void even_space(struct space *space, enum symmetry symmetry) {
    space_published(space);
    space->symmetry = symmetry;
}

static struct static_features check_genome(const struct space *space, const struct genome *g) {
    struct tbs_map map;
    struct static_features features;
    genome_to_map(space, g, &map);
    static_features_of(&map, rules, &features);
    return features;
}

static void drawn_maps_score_better_than_strewn_ones(void **state) {
    (void)state;
    char path[1024];
    int own_count;
    snprintf(path, sizeof path, "%s/maps", getenv("SENJUTSU_ROOT"));
    const double own = mean_of_folder(path, &own_count);
    assert_true(own_count >= 20);
    struct space space;
    struct rng r;
    double strewn = 0, coherence = 0;
    enum { MAPS = 300 };
    even_space(&space, SYMMETRY_NONE);
    rng_seed(&r, 21);
    for (int i = 0; i < MAPS; i++) {
        struct genome g;
        genome_random(&space, &r, &g);
        const struct static_features l = check_genome(&space, &g);
        strewn += l.natural / MAPS;
        coherence += l.coherence / MAPS;
    }
    print_message("own maps %.3f, strewn evenly %.3f (coherence %.3f)\n", own, strewn, coherence);
    assert_true(own > 0.85);
    assert_true(strewn < 0.65);
    assert_true(coherence < 0.25);
    snprintf(path, sizeof path, "%s/../shared/maps", getenv("SENJUTSU_ROOT"));
    int shared_count;
    const double shared = mean_of_folder(path, &shared_count);
    if (shared_count == 0)
        print_message("no maps of the platform beside the project: their comparison is skipped\n");
    else
        assert_true(shared > strewn + 0.15);
}

/* ---- repair ---- */

/* Whether tidying changes the map. */
static bool tidies(const struct space *space, struct rng *r, struct genome *g) {
    const struct genome before = *g;
    tidy_map(space, rules, r, g);
    return memcmp(&before, g, sizeof before) != 0;
}

static void tidy_keeps_its_promises(const struct space *space, struct rng *r, int *tidied, double *changed) {
    struct genome g, again;
    struct err e;
    genome_random(space, r, &g);
    const struct genome before = g;
    const struct static_features was = check_genome(space, &before);
    struct rng copy = *r;
    const bool moved = tidies(space, r, &g);
    if (!genome_is_legal(space, &g, &e))
        fail_msg("%s", e.text);
    const double difference = genome_difference(&before, &g);
    const struct static_features is = check_genome(space, &g);
    assert_true(moved == (difference > 0));
    assert_true((static_features_defects(&was) == 0) == !moved || !(static_features_defects(&is) == 0));
    assert_true(static_features_defects(&is) < static_features_defects(&was) || !moved);
    for (int side = 0; side < TBS_SIDES; side++)
        assert_int_equal(genome_units(&g, side), genome_units(&before, side));
    again = before;
    tidy_map(space, rules, &copy, &again);
    assert_memory_equal(&again, &g, sizeof g); /* the same generator, the same map */
    if ((static_features_defects(&is) == 0)) {
        assert_false(tidies(space, r, &again));
        assert_memory_equal(&again, &g, sizeof g);
    }
    *tidied += (static_features_defects(&is) == 0);
    *changed += difference;
    digest = hash_u64(digest, genome_hash(&g));
}

static void maps_are_repaired(void **state) {
    (void)state;
    enum { MAPS = 250 };
    digest = HASH_START;
    for (int symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        struct space space;
        struct rng r;
        int tidied = 0;
        double changed = 0;
        even_space(&space, (enum symmetry)symmetry);
        rng_seed(&r, 22);
        for (int i = 0; i < MAPS; i++)
            tidy_keeps_its_promises(&space, &r, &tidied, &changed);
        print_message("symmetry %d: %d of %d tidy, %.3f of a map changed\n", symmetry, tidied, MAPS,
                      changed / MAPS);
        assert_true(100 * tidied >= 99 * MAPS);
        assert_true(changed / MAPS < 0.1);
    }
    assert_digest(UINT64_C(0x1ebead324dc0b47e));
}

/* More cells than are tried as places for one unit: some are drawn. */
static void large_maps_are_repaired(void **state) {
    (void)state;
    struct space space;
    struct rng r;
    int tidied = 0;
    double changed = 0;
    even_space(&space, SYMMETRY_NONE);
    space.width = 11;
    space.height = 7;
    space.weight[TBS_SEA] = 4;
    rng_seed(&r, 24);
    digest = HASH_START;
    for (int i = 0; i < 12; i++)
        tidy_keeps_its_promises(&space, &r, &tidied, &changed);
    assert_true(tidied >= 10);
    assert_digest(UINT64_C(0x2be972027fe66a2b));
}

/* Narrow spaces: one type, two kinds of terrain, maps of one row, walls. */
static void narrow_spaces_are_not_left(void **state) {
    (void)state;
    static const unsigned types[] = {1 << TBS_PANZER, 1 << TBS_ATTACKER, 1 << TBS_FIGHTER | 1 << TBS_INFANTRY,
                                     1 << TBS_CANNON};
    struct rng r;
    rng_seed(&r, 23);
    digest = HASH_START;
    for (int i = 0; i < 200; i++) {
        struct space space;
        struct err e;
        int tidied = 0;
        double changed = 0;
        even_space(&space, (enum symmetry)(i % SYMMETRIES));
        space.types = types[i / SYMMETRIES % (int)COUNT(types)];
        space.width = 1 + (int)rng_below(&r, 8);
        space.height = 1 + (int)rng_below(&r, 8);
        space.units_max[TBS_RED] = space.units_max[TBS_BLUE] = 1 + (int)rng_below(&r, 3);
        for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
            space.weight[terrain] = (int)rng_below(&r, 2);
        if (space_check(&space, &e))
            tidy_keeps_its_promises(&space, &r, &tidied, &changed);
    }
    assert_digest(UINT64_C(0xce23595db965f3aa));
}

struct repair_case {
    const char *rows, *units;
    int changes_max; /* cells that may differ */
};

/* Defects, and the number of changed cells that repairs them. */
static const struct repair_case repair_cases[] = {
    {"...... .=.... ...... ......", DUEL, 1},                                            /* a road */
    {"...... .=.=== ...... ......", DUEL, 1},                                            /* a gap */
    {"...... ..**.. .*~*.. ..**..", DUEL, 1},                                            /* a pond */
    {"...... ......", "UNIT[1,1,fighter,0,10,0];UNIT[6,2,infantry,1,10,0];", 1},         /* a type */
    {"..~... .~~~.. ~~....", "UNIT[1,1,infantry,0,10,0];UNIT[6,3,infantry,1,10,0];", 2}, /* a place */
    {"..~~.. ..~~..", "UNIT[1,1,panzer,0,10,0];UNIT[5,1,panzer,1,10,0];", 2},            /* a place */
};

static void few_cells_are_changed(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(repair_cases); i++) {
        struct space space;
        struct tbs_map map;
        struct genome g;
        struct err e;
        struct rng r;
        map_of_rows(repair_cases[i].rows, repair_cases[i].units, &map);
        even_space(&space, SYMMETRY_NONE);
        space.width = map.width - 2;
        space.height = map.height - 2;
        rng_seed(&r, i);
        if (!genome_from_map(&space, &map, &g, &e))
            fail_msg("%s", e.text);
        const struct genome before = g;
        assert_true(tidies(&space, &r, &g));
        const struct static_features after = check_genome(&space, &g);
        assert_int_equal(static_features_defects(&after), 0);
        int changes = 0;
        for (int cell = 0; cell < genome_cells(&g); cell++)
            changes += memcmp(&g.cells[cell], &before.cells[cell], sizeof g.cells[0]) != 0;
        if (changes > repair_cases[i].changes_max)
            fail_msg("case %zu: %d cells changed", i, changes);
    }
}

static void read_genome(const char *rows, const char *units, struct space *space, struct genome *g) {
    struct tbs_map map;
    struct err e;
    map_of_rows(rows, units, &map);
    even_space(space, SYMMETRY_NONE);
    space->width = map.width - 2;
    space->height = map.height - 2;
    if (!genome_from_map(space, &map, g, &e))
        fail_msg("%s", e.text);
}

/* The red panzer cannot cross the sea, and no other place helps: as a cannon it shoots across, which changes
 * less than a bridge. Where cannons are not allowed, the sea becomes plain. */
static void another_type_comes_before_a_way(void **state) {
    (void)state;
    for (int cannons = 0; cannons < 2; cannons++) {
        struct space space;
        struct genome g;
        struct rng r;
        read_genome("..~..", "UNIT[2,1,panzer,0,10,0];UNIT[4,1,panzer,1,10,0];UNIT[5,1,panzer,1,10,0];",
                    &space, &g);
        if (cannons == 0)
            space.types &= ~(1U << TBS_CANNON);
        rng_seed(&r, 1);
        assert_true(tidies(&space, &r, &g));
        assert_int_equal(g.cells[1].type, cannons == 1 ? TBS_CANNON : TBS_PANZER);
        assert_int_equal(g.cells[2].terrain, cannons == 1 ? TBS_SEA : TBS_PLAIN);
    }
}

/* Where plain is not allowed, the way becomes the first terrain of the space that the unit can enter. */
static void ways_take_the_terrain_of_the_space(void **state) {
    (void)state;
    struct space space;
    struct genome g;
    struct rng r;
    read_genome("==~==", "UNIT[2,1,panzer,0,10,0];UNIT[4,1,panzer,1,10,0];UNIT[5,1,panzer,1,10,0];", &space,
                &g);
    space.types = 1 << TBS_PANZER;
    space.weight[TBS_PLAIN] = 0;
    rng_seed(&r, 1);
    assert_true(tidies(&space, &r, &g));
    assert_int_equal(g.cells[2].terrain, TBS_WOOD);
}

/* Attackers alone cannot attack each other: no repair helps, and no cell is changed. */
static void defects_without_repair_stay(void **state) {
    (void)state;
    struct space space;
    struct tbs_map map;
    struct genome g;
    struct err e;
    struct rng r;
    map_of_rows("...... ......", "UNIT[1,1,attacker,0,10,0];UNIT[6,2,attacker,1,10,0];", &map);
    even_space(&space, SYMMETRY_TURN);
    space.height = 2;
    space.types = 1 << TBS_ATTACKER;
    rng_seed(&r, 1);
    assert_true(genome_from_map(&space, &map, &g, &e));
    const struct genome before = g;
    assert_false(tidies(&space, &r, &g));
    assert_memory_equal(&g, &before, sizeof g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roads_are_counted),
        cmocka_unit_test(roads_are_a_quarter_of_the_features),
        cmocka_unit_test(coherence_by_hand),
        cmocka_unit_test(coherence_between),
        cmocka_unit_test(units_of_no_use),
        cmocka_unit_test(useless_units_are_counted),
        cmocka_unit_test(first_attacks_by_hand),
        cmocka_unit_test(features_agree_with_statistics),
        cmocka_unit_test(drawn_maps_score_better_than_strewn_ones),
        cmocka_unit_test(maps_are_repaired),
        cmocka_unit_test(large_maps_are_repaired),
        cmocka_unit_test(narrow_spaces_are_not_left),
        cmocka_unit_test(few_cells_are_changed),
        cmocka_unit_test(another_type_comes_before_a_way),
        cmocka_unit_test(ways_take_the_terrain_of_the_space),
        cmocka_unit_test(defects_without_repair_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
