/* SPDX-License-Identifier: MIT
 *
 * Rows, findings and plots of every experiment, from invented trials: equal ones, rising and falling ones,
 * wins and losses, numbers near 2, and so on. The results are compared with
 * tests/expected/repro/invented.txt, a line for each experiment and kind of trials: findings that hold (+) or
 * do not (-), and digests of the rows, the text and the plots. EXPECTED=update writes that file anew.
 */
#include "base/numbers.h"
#include "expected_support.h"
#include "repro/experiments.h"
#include "repro_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

/* Experiments with many cells take longer, and have fewer rounds. */
enum { TRIALS_MAX = 12, UNITS_MAX = TRIALS_MAX * REPRO_CELLS_MAX, FEW_CELLS = 12, FEW_ROUNDS = 6 };

/* One number to be invented. */
struct place {
    int cell, cells, rep, value;
    uint64_t seed;
};

/* A whole number below n that depends on the place and, unless `same`, on the repetition. */
static int draw(const struct place *p, int salt, bool same, int n) {
    uint64_t hash = hash_u64(HASH_START, p->seed);
    hash = hash_u64(hash, (uint64_t)(p->cell * 64 + p->value));
    hash = hash_u64(hash, (uint64_t)(salt * 64 + (same ? 0 : p->rep + 1)));
    return (int)((hash ^ hash >> 29) % (uint64_t)n);
}

static double zero(const struct place *p) {
    (void)p;
    return 0;
}

static double one(const struct place *p) {
    (void)p;
    return 1;
}

static double rising(const struct place *p) {
    return (p->cell + 1) / 8.0;
}

static double falling(const struct place *p) {
    return (p->cells - p->cell) / 8.0;
}

/* Won, lost or drawn, in some cells always and in some never. */
static double game(const struct place *p) {
    const int chance = draw(p, 1, true, 5);
    return draw(p, 2, false, 16) == 0 ? 0.5 : draw(p, 3, false, 4) < chance;
}

/* The later the cell the more probable a win. */
static double climb(const struct place *p) {
    return draw(p, 4, false, p->cells) < p->cell;
}

static double descent(const struct place *p) {
    return draw(p, 5, false, p->cells) >= p->cell;
}

/* Exactly the same in all repetitions: there is no doubt about a mean. */
static double sure(const struct place *p) {
    return draw(p, 6, true, 3) / 2.0;
}

/* All patterns of six cells, round by round. */
static double bits(const struct place *p) {
    return (double)(p->seed >> p->cell % 6 & 1);
}

/* The first column is the highest, or the last. */
static double left(const struct place *p) {
    return (REPRO_VALUES_MAX - p->value) / 2.0 + (p->cells - p->cell) / 64.0;
}

static double right(const struct place *p) {
    return p->value / 2.0 + p->cell / 64.0;
}

static double halves(const struct place *p) {
    return p->value % 2 == 0 ? 1 : 0.5;
}

static double even(const struct place *p) {
    return 2 + (draw(p, 20, true, 13) - 6) / 128.0 + (draw(p, 21, false, 3) - 1) / 1024.0;
}

static double near_two(const struct place *p) {
    return 2 + (draw(p, 7, true, 33) - 16) / 128.0 + (draw(p, 8, false, 3) - 1) / 1024.0;
}

static double above_two(const struct place *p) {
    return 2 + draw(p, 9, true, 9) / 128.0 + draw(p, 10, false, 2) / 1024.0;
}

static double below_two(const struct place *p) {
    return 4 - above_two(p);
}

static double small(const struct place *p) {
    return (draw(p, 11, true, 41) - 4) / 256.0 + draw(p, 12, false, 2) / 4096.0;
}

static double tiny(const struct place *p) {
    return (draw(p, 13, true, 9) - 4) / 2048.0 + draw(p, 14, false, 2) / 65536.0;
}

static double fitness(const struct place *p) {
    return draw(p, 15, false, 440) / 2.0;
}

static double large(const struct place *p) {
    return draw(p, 16, true, 1000) * (double)draw(p, 17, true, 100000) + draw(p, 18, false, 8);
}

static const struct kind {
    const char *name;
    double (*value)(const struct place *place);
    int repetitions, rounds;
} kinds[] = {
    {"zero", zero, 2, 1},           {"one", one, 3, 1},
    {"rising", rising, 2, 1},       {"falling", falling, 2, 1},
    {"game", game, 12, 6},          {"climb", climb, 12, 1},
    {"descent", descent, 12, 1},    {"sure", sure, 3, 6},
    {"near two", near_two, 4, 4},   {"above two", above_two, 4, 2},
    {"below two", below_two, 4, 2}, {"small", small, 4, 3},
    {"tiny", tiny, 4, 2},           {"fitness", fitness, 4, 4},
    {"large", large, 2, 3},         {"single", near_two, 1, 1},
    {"bits", bits, 12, 64},         {"left", left, 2, 1},
    {"right", right, 2, 1},         {"halves", halves, 2, 1},
    {"even", even, 3, 4},
};

static struct repro_unit units[UNITS_MAX];
static struct repro_repetition repetitions[UNITS_MAX];
static struct repro_result result; /* large */

static void invent(const struct repro_experiment *x, const struct kind *kind, uint64_t seed, int count) {
    for (int i = 0; i < count; i++) {
        struct place place = {units[i].cell, x->cell_count, units[i].rep, REPRO_VALUES_MAX, seed};
        repetitions[i] = (struct repro_repetition){.ms = draw(&place, 19, false, 40000) / 2.0};
        for (place.value = 0; place.value < REPRO_VALUES_MAX; place.value++)
            repetitions[i].values[place.value] = kind->value(&place);
    }
}

/* Appends all output of the experiment. */
struct said {
    struct text findings, rows, text, plots;
};

static void describe(struct said *said) {
    text_add_string(&said->findings, " ");
    for (int i = 0; i < result.finding_count; i++)
        text_add(&said->findings, "%c", ".+-?=!"[result.findings[i].verdict]);
    output_rows_csv(&result, &said->rows);
    output_text(&result, &said->text);
    for (int i = 0; i < result.plot_count; i++)
        text_add(&said->plots, "%s %s\n%s%s", result.plots[i].name, result.plots[i].title,
                 text_string(&result.plots[i].script), text_string(&result.plots[i].data));
}

static void finish(const struct repro_experiment *x, const struct kind *kind, int round, struct said *said) {
    const int count = repro_plan_units(x, kind->repetitions, units, UNITS_MAX);
    const struct repro_data data = {.experiment = x, .count = count, .units = units, .results = repetitions};
    invent(x, kind, (uint64_t)round, count);
    result = (struct repro_result){
        .experiment = x, .seed = 1, .repetitions = kind->repetitions, .repetitions_all = count};
    output_finish(&data, &result);
    assert_string_equal(result.failure.text, "");
    describe(said);
    repro_result_done(&result);
}

static void add_experiment(const struct repro_experiment *x, const struct kind *kind, struct text *out) {
    struct said said = {0};
    const int rounds = x->cell_count > FEW_CELLS && kind->rounds > FEW_ROUNDS ? FEW_ROUNDS : kind->rounds;
    for (int round = 0; round < rounds; round++)
        finish(x, kind, round, &said);
    text_add(out, "%s, %s:%s rows %08x, text %08x, plots %08x\n", x->name, kind->name,
             text_string(&said.findings), expected_digest(&said.rows), expected_digest(&said.text),
             expected_digest(&said.plots));
    text_done(&said.findings);
    text_done(&said.rows);
    text_done(&said.text);
    text_done(&said.plots);
}

static void results_are_as_before(void **state) {
    (void)state;
    struct text found = {0};
    for (int i = 0; repro_experiments[i] != NULL; i++)
        for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++)
            add_experiment(repro_experiments[i], &kinds[kind], &found);
    expected_compare("repro/invented.txt", &found);
    text_done(&found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(results_are_as_before)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
