/* SPDX-License-Identifier: MIT
 *
 * A drawn turn is a pure function of (root, seed, number of the turn), so threads exchange only its mean; the
 * few lines to be reported are drawn again. Turns go to the pool in batches, because the pool hands out jobs
 * one by one under a lock.
 */
#include "search/turns.h"

#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>

enum { BATCH = 4, TURNS_MAX = 1 << 30 };

/* Statistics of the turns that begin with one action of the root. */
struct first {
    double best; /* mean of its best turn */
    uint64_t sims;
    int turn; /* the number of that turn */
};

struct turns {
    const struct game *game;
    int threads;
    action *lists; /* one a thread, and one for drawing lines again while threads run */
    action *root_actions;
    struct first *firsts; /* by index into root_actions */

    /* The current search. */
    const struct search_task *task;
    const struct turns_settings *settings;
    uint64_t seed;
    int turn_limit, root_count, side, turn;
    int64_t start_ns, shown_ns;
    atomic_int workers_begun;
    atomic_bool over;
    int done, best;
    uint64_t sims_done;
};

/* The result of a job. */
struct batch {
    int count;
    uint64_t sims; /* of a turn that was cut off, too, which does not count */
    struct valued {
        double mean;
        int first;
    } turns[BATCH];
};

/* ---- memory ---- */

struct turns *turns_open(const struct game *game, int threads) {
    assert(threads >= 1);
    const size_t actions = (size_t)game->actions_max;
    struct turns *t = mem_alloc(sizeof *t);
    t->game = game;
    t->threads = threads;
    t->lists = mem_alloc((size_t)(threads + 1) * actions * sizeof *t->lists);
    t->root_actions = mem_alloc(actions * sizeof *t->root_actions);
    t->firsts = mem_alloc(actions * sizeof *t->firsts);
    return t;
}

void turns_close(struct turns *t) {
    if (t == NULL)
        return;
    mem_free(t->lists);
    mem_free(t->root_actions);
    mem_free(t->firsts);
    mem_free(t);
}

static action *list_of(struct turns *t, int worker) {
    return t->lists + (size_t)worker * (size_t)t->game->actions_max;
}

/* ---- one turn ---- */

/* Plays a turn from the root, all actions equally likely at each step; returns the index of its first action.
 * `list` is working memory for actions; `line` (may be NULL) gets the actions played. */
static int draw_turn(const struct turns *t, action *list, struct rng *r, union search_state *state,
                     struct turn_line *line) {
    const struct game *game = t->game;
    search_copy(game, state, t->task->root);
    const int first = (int)rng_below(r, (uint32_t)t->root_count);
    action a = t->root_actions[first];
    for (;;) {
        if (line != NULL)
            turn_line_add(line, a);
        game->play(state, a, r);
        if (!turn_goes_on(game, state, t->side, t->turn))
            return first;
        const int count = game->actions(state, list);
        a = list[rng_below(r, (uint32_t)count)];
    }
}

/* Evaluates the turn that ends in `from` by simulations; false when time ran out before. The very first turn
 * is always evaluated, by at least one simulation: on the largest maps a hundred of them can take longer than
 * the whole clock. So the clock is read before each simulation, which costs nothing in comparison. */
static bool simulate(const struct turns *t, const union search_state *from, struct rng *r, bool is_first,
                     struct batch *out) {
    const struct turns_settings *s = t->settings;
    double sum = 0;
    int done = 0;
    for (; done < s->sims; done++) {
        union search_state state;
        if (done > 0 &&
            budget_is_cut(&t->task->budget, t->start_ns)) /* run_batch has read it before the first */
            break;
        search_copy(t->game, &state, from);
        s->rollout->run(&state, r, s->horizon);
        sum += s->eval->value(&state, t->side, s->weights);
        out->sims++;
    }
    if (done < s->sims && !is_first)
        return false;
    out->turns[out->count].mean = sum / done;
    return true;
}

static bool value_turn(const struct turns *t, action *list, int index, struct batch *out) {
    const struct turns_settings *s = t->settings;
    union search_state state;
    struct rng r;
    rng_seed_stream(&r, t->seed, (uint64_t)index);
    struct valued *valued = &out->turns[out->count];
    valued->first = draw_turn(t, list, &r, &state, NULL);
    if (s->horizon == 0 || t->game->mover(&state) == NOBODY) {
        /* All simulations would end here: one is enough, and all count as done. */
        valued->mean = s->eval->value(&state, t->side, s->weights);
        out->sims += (uint64_t)s->sims;
    } else if (!simulate(t, &state, &r, index == 0, out)) {
        return false;
    }
    out->count++;
    return true;
}

/* ---- jobs ---- */

static void run_batch(void *shared, void *worker, int job, void *result) {
    struct turns *t = shared;
    for (int i = 0; i < BATCH && job * BATCH + i < t->turn_limit; i++) {
        const int index = job * BATCH + i;
        if ((index > 0 && budget_is_cut(&t->task->budget, t->start_ns)) ||
            !value_turn(t, worker, index, result)) {
            atomic_store(&t->over, true);
            return;
        }
    }
}

static void fill_thoughts(struct turns *t);

/* In the order of the jobs, so that the first of equal turns stays the best. */
static void take_batch(void *shared, int job, void *result) {
    struct turns *t = shared;
    const struct batch *batch = result;
    for (int i = 0; i < batch->count; i++) {
        const struct valued *valued = &batch->turns[i];
        struct first *first = &t->firsts[valued->first];
        if (first->sims == 0 || valued->mean > first->best) {
            first->best = valued->mean;
            first->turn = job * BATCH + i;
        }
        first->sims += (uint64_t)t->settings->sims;
        if (t->best < 0 || first->best > t->firsts[t->best].best)
            t->best = valued->first;
    }
    t->done += batch->count;
    t->sims_done += batch->sims;
    if (search_shows(t->task, &t->shown_ns)) {
        fill_thoughts(t);
        search_show(t->task);
    }
}

static void *begin_worker(void *shared, struct err *e) {
    (void)e;
    struct turns *t = shared;
    return list_of(t, atomic_fetch_add(&t->workers_begun, 1));
}

/* ---- the answer ---- */

static void redraw(struct turns *t, int index, struct turn_line *line) {
    union search_state state;
    struct rng r;
    rng_seed_stream(&r, t->seed, (uint64_t)index);
    line->count = 0;
    draw_turn(t, list_of(t, t->threads), &r, &state, line);
}

static struct thought thought_of(const struct turns *t, int first) {
    const struct first *f = &t->firsts[first];
    return (struct thought){.action = t->root_actions[first], .value = f->best, .visits = f->sims};
}

static void fill_thoughts(struct turns *t) {
    struct thoughts *out = t->task->thoughts;
    thoughts_start(out);
    for (int i = 0; i < t->root_count; i++) {
        const struct thought candidate = thought_of(t, i);
        if (candidate.visits > 0 && i != t->best)
            thoughts_add(out, &candidate, false);
    }
    const struct thought best = thought_of(t, t->best);
    turn_line_lead(out, &best);
    for (int i = 0; i < out->count; i++) {
        struct turn_line line;
        int first = 0;
        while (t->root_actions[first] != out->candidates[i].action)
            first++;
        redraw(t, t->firsts[first].turn, &line);
        turn_line_show(&line, &out->candidates[i]);
    }
    out->simulations = t->sims_done;
    out->nodes = (uint64_t)t->done;
    out->depth = 1 + t->settings->horizon;
}

static void start(struct turns *t, const struct search_task *task, const struct turns_settings *s) {
    const struct game *game = t->game;
    const struct budget *budget = &task->budget;
    const uint64_t turns = budget->work_max / (uint64_t)s->sims;
    assert(task->game == game);
    assert(budget->time_ns_max == 0 || budget->clock != NULL);
    assert(s->turns >= 1 && s->sims >= 1 && s->horizon >= 0);
    t->task = task;
    t->settings = s;
    t->seed = rng_next(task->rng);
    if (budget->work_max == 0)
        t->turn_limit = budget->time_ns_max > 0 ? TURNS_MAX : s->turns;
    else
        t->turn_limit = turns < 1 ? 1 : turns > TURNS_MAX ? TURNS_MAX : (int)turns;
    t->side = game->mover(task->root);
    t->turn = game->turn(task->root);
    assert(t->side != NOBODY);
    t->root_count = game->actions(task->root, t->root_actions);
    for (int i = 0; i < t->root_count; i++)
        t->firsts[i] = (struct first){0};
    t->start_ns = t->shown_ns = budget->clock != NULL ? clock_now_ns(budget->clock) : 0;
    atomic_store(&t->workers_begun, 0);
    atomic_store(&t->over, false);
    t->done = 0;
    t->best = -1;
    t->sims_done = 0;
}

void turns_search(struct turns *t, const struct search_task *task, const struct turns_settings *settings,
                  struct turns_result *out) {
    start(t, task, settings);
    const struct pool_work work = {
        .jobs = (t->turn_limit + BATCH - 1) / BATCH,
        .workers = t->threads,
        .shared = t,
        .result_size = sizeof(struct batch),
        .begin = begin_worker,
        .run = run_batch,
        .take = take_batch,
        .stop = &t->over,
    };
    /* Threads only add speed: without them the result is the same. */
    if (t->threads == 1 || work.jobs == 1 || pool_run(&work, NULL) < 0)
        for (int job = 0; job < work.jobs && !atomic_load(&t->over); job++) {
            struct batch batch = {0};
            run_batch(t, list_of(t, 0), job, &batch);
            take_batch(t, job, &batch);
        }
    assert(t->best >= 0);
    redraw(t, t->firsts[t->best].turn, &out->line);
    out->result = (struct search_result){
        .chosen = t->root_actions[t->best],
        .value = t->firsts[t->best].best,
        .work = t->sims_done,
        .nodes = (uint64_t)t->done,
    };
    if (task->thoughts != NULL)
        fill_thoughts(t);
}
