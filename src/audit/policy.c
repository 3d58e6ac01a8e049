/* SPDX-License-Identifier: MIT */
#include "audit/policy.h"

#include "pool/pool.h"

#include <assert.h>
#include <limits.h>

void audit_add_state(const struct game *game, const void *state, struct text *out) {
    struct text lines = {0};
    game->text->write_state(state, &lines);
    if (lines.size > 0) {
        char *line = text_trim(lines.data);
        for (char *at = line; *at != '\0'; at++)
            if (*at == '\n')
                *at = ' ';
        text_add_string(out, line);
    }
    text_done(&lines);
}

struct sampling {
    const struct policy_task *task;
    double *halves[2]; /* even and odd: each job writes only its own set's actions */
    uint64_t leaves, asks;
    uint32_t sets_done;
    atomic_bool stop; /* from outside, or after a failure */
    bool cut, failed;
    struct err reason;
};

struct set_result {
    uint64_t leaves;
    int asks;
    bool cut, failed;
    struct err reason;
};

/* ---- one set ---- */

static bool is_asked(const struct policy_task *task, uint32_t set) {
    return task->side == NOBODY || task->form->sets[set].side == task->side;
}

/* Index of the action among the set's actions, or -1. */
static int place_of(const struct form *form, const struct form_set *set, action chosen) {
    for (int i = 0; i < set->count; i++)
        if (form->actions[set->first + (uint32_t)i] == chosen)
            return i;
    return -1;
}

static bool set_reason(const struct policy_task *task, uint32_t set, const struct answer *answer,
                       struct err *e) {
    const struct game *game = task->form->scenario->game;
    const void *view = form_view(task->form, set);
    struct text notation = {0};
    audit_add_state(game, view, &notation);
    if (answer->fault == PLAYER_SHORTAGE) {
        err_set(e, "%s cannot be asked: %s", task->player, answer->reason);
    } else if (answer->fault != PLAYER_FAULT_NONE) {
        err_set(e, "%s, asked in '%s', is at fault (%s): %s", task->player, text_string(&notation),
                player_fault_names[answer->fault], answer->reason);
    } else {
        err_set(e, "%s, asked in '%s', answers %lu, which is no action there", task->player,
                text_string(&notation), (unsigned long)answer->chosen);
    }
    text_done(&notation);
    return false;
}

static bool ask_once(const struct sampling *s, struct player *player, uint32_t set, int sample,
                     struct set_result *out) {
    const struct policy_task *task = s->task;
    const struct form_set *at = &task->form->sets[set];
    struct rng r;
    const uint64_t seed = rng_job_seed(task->seed, set);
    rng_seed_stream(&r, seed, (uint64_t)sample);
    /* Every question is a game of its own that begins in this state: its history is not needed, and an
     * external program draws new random numbers. */
    const struct game_history history = {.scenario = task->form->scenario,
                                         .id = rng_job_seed(seed, (uint64_t)sample)};
    const struct ask ask = {.game = task->form->scenario->game,
                            .view = form_view(task->form, set),
                            .side = at->side,
                            .budget = {.clock = task->clock, .stop = task->stop},
                            .rng = &r,
                            .history = &history};
    struct answer answer;
    player_choose(player, &ask, &answer);
    const int place = answer.fault == PLAYER_FAULT_NONE ? place_of(task->form, at, answer.chosen) : -1;
    if (place < 0)
        return set_reason(task, set, &answer, &out->reason);
    s->halves[sample % 2][at->first + (uint32_t)place]++;
    out->leaves += answer.leaves;
    out->asks++;
    return true;
}

static void run_set(void *shared, void *worker, int job, void *argument) {
    const struct sampling *s = shared;
    struct set_result *out = argument;
    const uint32_t set = (uint32_t)job;
    const struct form_set *at = &s->task->form->sets[set];
    if (!is_asked(s->task, set))
        return;
    for (int i = 0; i < at->count; i++)
        s->halves[0][at->first + (uint32_t)i] = s->halves[1][at->first + (uint32_t)i] = 0;
    for (int k = 0; k < s->task->samples && !out->cut && !out->failed; k++) {
        out->failed = !ask_once(s, worker, set, k, out);
        out->cut = budget_is_stopped(s->task->stop); /* possibly during the search */
    }
    for (int i = 0; i < 2 * at->count; i++) /* convert counts to frequencies */
        s->halves[i % 2][at->first + (uint32_t)i / 2] /= s->task->samples / 2;
}

/* ---- all sets ---- */

static void *begin_worker(void *shared, struct err *e) {
    const struct policy_task *task = ((const struct sampling *)shared)->task;
    return player_open_granted(task->player, task->form->scenario->game, task->grant, e);
}

static void end_worker(void *worker) {
    player_close(worker);
}

static void take_set(void *shared, int job, void *argument) {
    struct sampling *s = shared;
    const struct set_result *result = argument;
    if (result->failed && !s->failed && !s->cut) {
        s->failed = true;
        s->reason = result->reason;
    }
    s->cut = s->cut || result->cut;
    if (s->failed || s->cut) {
        atomic_store(&s->stop, true);
        return;
    }
    s->leaves += result->leaves;
    s->asks += (uint64_t)result->asks;
    s->sets_done = (uint32_t)job + 1;
    if (budget_is_stopped(s->task->stop))
        atomic_store(&s->stop, true);
    if (s->task->on_set != NULL)
        s->task->on_set(s->task->context, s->sets_done);
}

bool policy_sample(const struct policy_task *task, double *even, double *odd, double *leaves, struct err *e) {
    assert(task->side == NOBODY || task->side == 0 || task->side == 1);
    const uint32_t sets = task->form->set_count;
    assert(task->samples > 0 && task->samples % 2 == 0);
    assert(sets <= INT_MAX);
    struct sampling s = {.task = task, .halves = {even, odd}};
    const struct pool_work work = {
        .jobs = (int)sets,
        .workers = task->workers,
        .shared = &s,
        .result_size = sizeof(struct set_result),
        .begin = begin_worker,
        .end = end_worker,
        .run = run_set,
        .take = take_set,
        .stop = &s.stop,
    };
    if (pool_run(&work, e) < 0)
        return false;
    if (s.failed) {
        if (e != NULL)
            *e = s.reason;
        return false;
    }
    if (s.cut || s.sets_done < sets)
        return err_set(e, "stopped");
    if (leaves != NULL)
        *leaves = s.asks > 0 ? (double)s.leaves / (double)s.asks : 0;
    return true;
}
