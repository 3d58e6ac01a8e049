/* SPDX-License-Identifier: MIT
 *
 * Watchers of searches: how often each search reports its state, by a clock that advances ten nanoseconds at
 * each reading. The intervals lie at, below and between its steps.
 */
#include "player_support.h"
#include "search/solve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { TICK_NS = 10 };

static int64_t now_ns;

static int64_t ticking(void *self) {
    (void)self;
    return now_ns += TICK_NS;
}

static const struct clock ticks = {.now_ns = ticking};

struct shown {
    int times;
    uint64_t sum; /* of the reports: work, depth, the best value */
};

static void note_shown(void *context, const struct thoughts *so_far) {
    struct shown *shown = context;
    const double value = so_far->count > 0 ? so_far->candidates[0].value : 0;
    shown->times++;
    shown->sum = rng_mix(shown->sum + so_far->nodes + 1000003 * so_far->simulations +
                         (uint64_t)(so_far->depth + 97 * so_far->count + 9973 * so_far->total) +
                         (uint64_t)(int64_t)(value * 1e6));
}

static const char board[] = "SIZEX[7];SIZEY[6];TURNLIMIT[8];HPTHRESHOLD[2];UNITNUMRED[4];UNITNUMBLUE[4];\n"
                            "MAP[0,0,0,0,0,0,0];\n"
                            "MAP[0,1,1,3,1,5,0];\n"
                            "MAP[0,1,0,5,1,1,0];\n"
                            "MAP[0,6,1,1,4,3,0];\n"
                            "MAP[0,1,1,1,1,1,0];\n"
                            "MAP[0,0,0,0,0,0,0];\n"
                            "UNIT[1,1,panzer,0,10,0];\n"
                            "UNIT[1,3,cannon,0,7,0];\n"
                            "UNIT[3,4,infantry,0,9,0];\n"
                            "UNIT[3,3,antiair,0,6,0];\n"
                            "UNIT[3,1,infantry,1,10,0];\n"
                            "UNIT[5,2,panzer,1,5,0];\n"
                            "UNIT[4,4,antiair,1,8,0];\n"
                            "UNIT[4,2,infantry,1,4,0];\n";

static struct shown watch_player(const char *spec, const struct position *p, int64_t every_ns) {
    struct shown shown = {0};
    struct thoughts thoughts = {0};
    const struct watch watch = {note_shown, &shown, every_ns};
    const struct ask question = {.game = p->scenario->game,
                                 .view = p->state,
                                 .budget = {.clock = &ticks},
                                 .thoughts = &thoughts,
                                 .watch = &watch};
    now_ns = 0;
    ask_once_in(spec, &question, 3);
    return shown;
}

static struct shown watch_solver(const struct position *p, int64_t every_ns) {
    static struct solution solution;
    struct shown shown = {0};
    struct thoughts thoughts = {0};
    const struct watch watch = {note_shown, &shown, every_ns};
    struct rng r;
    struct err e = {{0}};
    rng_seed(&r, 1);
    thoughts_start(&thoughts);
    const struct search_task task = {.game = p->scenario->game,
                                     .root = p->state,
                                     .budget = {.work_max = 400000, .clock = &ticks},
                                     .rng = &r,
                                     .thoughts = &thoughts,
                                     .watch = &watch};
    const struct solve_settings settings = {1 << 20, false};
    now_ns = 0;
    assert_true(solve(&task, &settings, &solution, &e));
    return shown;
}

static const int64_t intervals[] = {TICK_NS - 1, TICK_NS, TICK_NS + 1, 3 * TICK_NS};

static const struct {
    const char *spec; /* NULL: the solver */
    int times[4];     /* by interval */
    uint64_t sum;     /* of the reports when every reading is late enough */
} cases[] = {
    {"uct:sims=8000", {7, 7, 4, 2}, UINT64_C(0x92add324798312d9)},
    {"minmax:depth=1", {47, 47, 23, 15}, UINT64_C(0x557063840837d112)},
    {"aas:rest=greedy", {4, 4, 2, 1}, UINT64_C(0x92e91d34f95768e9)},
    {"aas:nodes=3000,merge=no", {8, 8, 4, 2}, UINT64_C(0x6472f6cfa8428445)},
    {"dlmc:turns=40,sims=3", {10, 10, 5, 3}, UINT64_C(0xa8322d9704f90063)},
    {"pimc:sims=300", {8, 8, 4, 2}, UINT64_C(0xdc80d649f9ae34dc)},
    {"ismcts:sims=6000", {23, 23, 12, 8}, UINT64_C(0x6c451588e52d7844)},
    {"muct:sims=6000", {23, 23, 12, 8}, UINT64_C(0xa820497ef8b11d8d)},
    {NULL, {6, 6, 3, 2}, UINT64_C(0xeab4136c43f0a8a0)},
};

static void searches_show_how_they_stand(void **state) {
    (void)state;
    struct position p;
    struct scenario *scenario = load_position(board, &p);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 4; k++) {
            const char *spec = cases[i].spec;
            const struct shown shown =
                spec != NULL ? watch_player(spec, &p, intervals[k]) : watch_solver(&p, intervals[k]);
            if (shown.times != cases[i].times[k] || (k < 2 && shown.sum != cases[i].sum))
                fail_msg("%s, every %d ns: shown %d times, 0x%016llx", spec != NULL ? spec : "the solver",
                         (int)intervals[k], shown.times, (unsigned long long)shown.sum);
        }
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_show_how_they_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
