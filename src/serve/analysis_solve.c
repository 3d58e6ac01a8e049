/* SPDX-License-Identifier: MIT
 *
 * The exact result of a position, or what could be proved about it in the time there was.
 */
#include "serve/analysis.h"

#include "serve/shape.h"

#include "base/mem.h"
#include "search/solve.h"

struct solving {
    struct analysis *analysis;
    int64_t start_ns;
    struct thoughts thoughts;
    struct solution solution;
};

static double seconds_of(const struct solving *s) {
    return clock_seconds_since(s->analysis->bench->setup.clock, s->start_ns);
}

/* There are no candidates on the way, but it is told how deep it is. */
static void watch_progress(void *context, const struct thoughts *so_far) {
    const struct solving *s = context;
    const struct ground_position *position = &s->analysis->position;
    const struct shape_thoughts of = {so_far, "solve", seconds_of(s), s->analysis->top};
    analysis_tell(s->analysis, shape_thoughts(position->scenario, position->replay.state, &of));
}

static json_t *value_of(const struct solution *s) {
    if (!s->solved)
        return json_null();
    return json_string(s->low >= 1 ? "win" : s->low > 0 ? "draw" : "loss");
}

static json_t *show_solution(const struct solving *s) {
    const struct ground_position *position = &s->analysis->position;
    const struct solution *found = &s->solution;
    return json_pack(
        "{sb si so sf sf si si si sI sf so}", "solved", found->solved, "side", s->analysis->side, "value",
        value_of(found), "low", found->low, "high", found->high, "turns_low", found->turns_low, "turns_high",
        found->turns_high, "depth", found->depth, "nodes", (json_int_t)found->nodes, "seconds", seconds_of(s),
        "line",
        shape_line(position->scenario, position->replay.state, found->line, found->line_count, SHAPE_ALL));
}

bool analysis_solve(struct analysis *a, struct analysis_result *out, struct err *e) {
    struct solving *s = mem_alloc(sizeof *s);
    if (s == NULL)
        return err_set(e, "not enough memory");
    const struct clock *clock = a->bench->setup.clock;
    const struct watch watch = {watch_progress, s, ANALYSIS_WATCH_NS};
    const struct search_task task = {
        .game = a->position.scenario->game,
        .root = a->position.replay.state,
        .budget = {.work_max = a->sims, .time_ns_max = a->time_ns, .clock = clock, .stop = &a->stop},
        .rng = &a->position.replay.rng,
        .thoughts = &s->thoughts,
        .watch = &watch,
    };
    const struct solve_settings settings = {.memory_bytes = (size_t)ANALYSIS_SOLVE_MB << 20};
    s->analysis = a;
    s->start_ns = clock_now_ns(clock);
    const bool ok = solve(&task, &settings, &s->solution, e);
    if (ok)
        out->solution = show_solution(s);
    mem_free(s);
    return ok;
}
