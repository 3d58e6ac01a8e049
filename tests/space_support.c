/* SPDX-License-Identifier: MIT */
#include "space_support.h"

#include "game/tbs/tbs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

#define BOARD(w, h)      .width = (w), .height = (h), .turn_limit = 16, .threshold = 5
#define UNITS(low, high) .units_min = {low, low}, .units_max = {high, high}
#define ANY_HP           .hp_low = 1, .hp_high = TBS_HP_FULL
#define ANY_TYPE         .types = TBS_ALL_TYPES
#define EVEN             .weight = {0, 1, 1, 1, 1, 1, 1}
#define DEFAULT_TERRAIN  .weight = {0, 60, 10, 20, 10, 5, 5}
#define WET              .weight = {0, 1, 1000, 0, 0, 0, 0}
#define AIR              .types = 1 << TBS_FIGHTER | 1 << TBS_ATTACKER

const struct named_space test_spaces[] = {
    {"published", {BOARD(6, 6), UNITS(1, 6), ANY_HP, ANY_TYPE, EVEN}},
    {"patches",
     {BOARD(8, 7), UNITS(3, 8), ANY_HP, ANY_TYPE, DEFAULT_TERRAIN, .patches = 0.8,
      .placement = PLACEMENT_HALVES}},
    {"1 x 2", {BOARD(1, 2), UNITS(1, 1), ANY_HP, ANY_TYPE, EVEN}},
    {"2 x 1, mirrored", {BOARD(2, 1), UNITS(1, 1), ANY_HP, ANY_TYPE, EVEN, .symmetry = SYMMETRY_MIRROR}},
    {"1 x 2, flipped", {BOARD(1, 2), UNITS(1, 1), ANY_HP, ANY_TYPE, EVEN, .symmetry = SYMMETRY_FLIP}},
    {"1 x 3, turned", {BOARD(1, 3), UNITS(1, 1), ANY_HP, ANY_TYPE, EVEN, .symmetry = SYMMETRY_TURN}},
    {"2 x 2, full", {BOARD(2, 2), UNITS(1, 2), ANY_HP, ANY_TYPE, EVEN}},
    {"2 x 2, always full", {BOARD(2, 2), UNITS(2, 2), ANY_HP, ANY_TYPE, EVEN}},
    {"3 x 3, turned, full", {BOARD(3, 3), UNITS(1, 4), ANY_HP, ANY_TYPE, EVEN, .symmetry = SYMMETRY_TURN}},
    {"3 x 3, mirrored, full",
     {BOARD(3, 3), UNITS(3, 3), ANY_HP, ANY_TYPE, EVEN, .symmetry = SYMMETRY_MIRROR}},
    {"5 x 4, flipped",
     {BOARD(5, 4), UNITS(2, 7), ANY_HP, ANY_TYPE, DEFAULT_TERRAIN, .symmetry = SYMMETRY_FLIP, .patches = 1,
      .placement = PLACEMENT_HALVES}},
    {"7 x 5, turned, patches",
     {BOARD(7, 5), UNITS(1, 6), ANY_HP, ANY_TYPE, EVEN, .symmetry = SYMMETRY_TURN, .patches = 0.5,
      .placement = PLACEMENT_HALVES}},
    {"8 x 8, mirrored, patches",
     {BOARD(8, 8), UNITS(4, 8), ANY_HP, ANY_TYPE, DEFAULT_TERRAIN, .symmetry = SYMMETRY_MIRROR,
      .patches = 1}},
    {"one unit",
     {BOARD(5, 5), UNITS(1, 1), .hp_low = 10, .hp_high = 10, .types = 1 << TBS_PANZER, DEFAULT_TERRAIN}},
    {"unequal sides",
     {BOARD(5, 3), .units_min = {1, 6}, .units_max = {2, 13}, .hp_low = 3, .hp_high = 4, ANY_TYPE, EVEN}},
    {"air on sea", {BOARD(4, 4), UNITS(1, 8), ANY_HP, AIR, .weight = {[TBS_SEA] = 1}}},
    {"hardly any land", {BOARD(4, 4), UNITS(2, 8), ANY_HP, ANY_TYPE, WET}},
    {"walls", {BOARD(7, 5), UNITS(2, 9), ANY_HP, ANY_TYPE, .weight = {50, 10, 5, 5, 5, 5, 5}}},
    {"only roads", {BOARD(3, 5), UNITS(1, 3), ANY_HP, ANY_TYPE, .weight = {[TBS_ROAD] = 7}, .patches = 1}},
    {"largest", {BOARD(32, 32), UNITS(1, 64), ANY_HP, ANY_TYPE, DEFAULT_TERRAIN}},
    {"largest, turned",
     {BOARD(32, 31), UNITS(60, 64), ANY_HP, ANY_TYPE, EVEN, .symmetry = SYMMETRY_TURN, .patches = 0.7}},
    {0},
};

const struct space *space_named(const char *name) {
    for (const struct named_space *s = test_spaces; s->name != NULL; s++)
        if (strcmp(s->name, name) == 0)
            return &s->space;
    fail_msg("there is no space '%s'", name);
    return NULL;
}

void space_published(struct space *out) {
    *out = *space_named("published");
}

static void assert_nothing_behind(const struct genome *g) {
    static const struct cell nothing[GENOME_CELLS_MAX];
    const size_t behind = (size_t)(GENOME_CELLS_MAX - genome_cells(g)) * sizeof nothing[0];
    assert_memory_equal(&g->cells[genome_cells(g)], nothing, behind);
}

void assert_lies_in(const struct named_space *named, const struct genome *g) {
    struct err e = {""};
    struct tbs_map map;
    if (!genome_is_legal(&named->space, g, &e))
        fail_msg("%s: %s", named->name, e.text);
    if (genome_cells(g) < GENOME_CELLS_MAX)
        assert_nothing_behind(g);
    genome_to_map(&named->space, g, &map);
    static struct tbs_problems problems;
    problems.count = problems.left_out = 0;
    tbs_map_check(&map, &problems);
    if (problems.count > 0)
        fail_msg("%s: %s", named->name, problems.items[0].text);
    struct scenario *scenario = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_AUTO, &e);
    if (scenario == NULL)
        fail_msg("%s: %s", named->name, e.text);
    else
        game_unload(scenario);
}

void assert_uniform(const char *what, const int *counts, int n) {
    double sum = 0, chi_square = 0;
    for (int i = 0; i < n; i++)
        sum += counts[i];
    for (int i = 0; i < n; i++)
        chi_square += (counts[i] - sum / n) * (counts[i] - sum / n) / (sum / n);
    if (sum < 100 * n || chi_square > n - 1 + 5 * sqrt(2.0 * (n - 1)))
        fail_msg("%s: chi-square is %.1f for %d kinds and %.0f draws", what, chi_square, n, sum);
}

void assert_share(const char *what, int count, int of, double p) {
    const double error = sqrt(p * (1 - p) / of), off = (double)count / of - p;
    if (of < 100 || fabs(off) > 4.5 * error)
        fail_msg("%s: %d of %d; expected a share of %.4f", what, count, of, p);
}

void make_plain_and_wood(const struct space *space, struct genome g[2]) {
    static const uint8_t terrain[2] = {TBS_PLAIN, TBS_WOOD};
    const int enemy = space->symmetry == SYMMETRY_NONE ? space_cells(space) - 1 : space_opposite(space, 0);
    for (int i = 0; i < 2; i++) {
        g[i] = (struct genome){.width = space->width, .height = space->height};
        for (int cell = 0; cell < space_cells(space); cell++)
            g[i].cells[cell] = (struct cell){.terrain = terrain[i], .type = GENOME_EMPTY};
        g[i].cells[0] = (struct cell){terrain[i], TBS_PANZER, TBS_RED, 5};
        g[i].cells[enemy] = (struct cell){terrain[i], TBS_PANZER, TBS_BLUE, 5};
        assert_true(genome_is_legal(space, &g[i], NULL));
    }
}

int differing(const struct genome *a, const struct genome *b, int out[CELLS]) {
    int count = 0;
    for (int cell = 0; cell < genome_cells(a); cell++)
        if (memcmp(&a->cells[cell], &b->cells[cell], sizeof a->cells[cell]) != 0)
            out[count++] = cell;
    return count;
}

void assert_added(struct cell before, struct cell after) {
    assert_true(before.type == GENOME_EMPTY && after.type < TBS_TYPES && before.terrain == after.terrain);
}

void assert_removed(struct cell before, struct cell after) {
    assert_added(after, before);
}
