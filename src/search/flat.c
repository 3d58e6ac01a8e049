/* SPDX-License-Identifier: MIT
 *
 * The searches as a whole: limits, AMCTS's two searches, the answer. Source: the paper on AMCTS, Algorithms 1
 * and 2 and equations (1) to (6), on top of Long, Sturtevant, Buro and Furtak (PIMC) and of Furtak and Buro
 * (IIMC).
 */
#include "search/flat.h"

#include "base/mem.h"
#include "search/flat_inside.h"
#include "search/turn_line.h"

#include <assert.h>

enum {
    LOOK_NS = 10000, /* about how often the clock is looked at: a hundredth of a millisecond */
    LOOK_EVERY = 64, /* leaves between two looks where there is no clock to go by */
    LOOK_EVERY_MAX = 4096,
    AHEAD_MAX = 4096, /* positions looked at to tell whether a thinker has a choice to come */
};

#define NO_LIMIT UINT64_MAX

uint64_t flat_equation_5(double worlds, int actions, double constant) {
    const double n = worlds * actions * constant + 0.5;
    return n < 1 ? 1 : n < 0x1p62 ? (uint64_t)n : UINT64_C(1) << 62;
}

/* ---- storage ---- */

static bool open_levels(struct flat *f) {
    for (int i = 0; i < FLAT_LEVELS; i++) {
        struct flat_level *level = &f->levels[i];
        level->list = mem_alloc(f->list_max * sizeof *level->list);
        level->bandit.arms = mem_alloc(f->list_max * sizeof *level->bandit.arms);
        level->bandit.logs = &f->logs;
        if (level->list == NULL || level->bandit.arms == NULL)
            return false;
    }
    return true;
}

struct flat *flat_open(const struct game *game, struct err *e) {
    struct flat *f = mem_alloc(sizeof *f);
    if (f != NULL) {
        f->game = game;
        f->copy_size = (game->state_size + 31) / 32 * 32;
        f->list_max = (size_t)game->actions_max;
        f->ply = mem_alloc((FLAT_DEPTH_MAX + 1) * sizeof *f->ply);
        f->ply_lists = mem_alloc((FLAT_DEPTH_MAX + 1) * f->list_max * sizeof *f->ply_lists);
        f->spare_arms = mem_alloc(f->list_max * sizeof *f->spare_arms);
        f->switching_arms = mem_alloc(f->list_max * sizeof *f->switching_arms);
        ln_table_fill(&f->logs);
    }
    if (f == NULL || f->ply == NULL || f->ply_lists == NULL || f->spare_arms == NULL ||
        f->switching_arms == NULL || !open_levels(f)) {
        flat_close(f);
        err_set(e, "not enough memory for a search over worlds");
        return NULL;
    }
    return f;
}

void flat_close(struct flat *f) {
    if (f == NULL)
        return;
    for (int i = 0; i < FLAT_LEVELS; i++) {
        mem_free(f->levels[i].list);
        mem_free(f->levels[i].bandit.arms);
    }
    mem_free(f->ply);
    mem_free(f->ply_lists);
    mem_free(f->spare_arms);
    mem_free(f->switching_arms);
    mem_free(f);
}

/* ---- thoughts ---- */

static struct thought thought_of(const struct flat_level *level, int arm) {
    const struct bandit_arm *a = &level->bandit.arms[arm];
    return (struct thought){.action = level->list[arm],
                            .value = bandit_mean(a),
                            .visits = a->visits,
                            .line_count = 1,
                            .line = {level->list[arm]}};
}

/* `first` (or -1) before all others: among equals it would otherwise stand anywhere. */
static void think_aloud(const struct flat *f, int first) {
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    struct thoughts *out = f->task->thoughts;
    thoughts_start(out);
    for (int i = 0; i < level->bandit.count; i++) {
        const struct thought candidate = thought_of(level, i);
        if (i != first && candidate.visits > 0)
            thoughts_add(out, &candidate, false);
    }
    if (first >= 0) {
        const struct thought chosen = thought_of(level, first);
        turn_line_lead(out, &chosen);
    }
    out->total = level->bandit.count;
    out->simulations = f->sims_before + level->bandit.n;
    out->depth = 1;
}

/* ---- limits ---- */

static bool has_clock(const struct flat *f) {
    const struct budget *b = &f->task->budget;
    return b->clock != NULL && (b->time_ns_max > 0 || b->deadline_ns > 0 || f->task->watch != NULL);
}

/* A leaf may cost nanoseconds or milliseconds: how many of them go by between two looks follows the clock. */
static void keep_pace(struct flat *f) {
    const int64_t now = clock_now_ns(f->task->budget.clock), passed = now - f->looked_ns;
    const struct watch *watch = f->task->watch;
    f->looked_ns = now;
    if (passed < LOOK_NS / 2 && f->look_every < LOOK_EVERY_MAX)
        f->look_every *= 2;
    else if (passed > LOOK_NS && f->look_every > 1)
        f->look_every = f->look_every * LOOK_NS / (uint64_t)passed + 1;
    if (watch == NULL || now - f->watched_ns < watch->every_ns)
        return;
    f->watched_ns = now;
    think_aloud(f, -1);
    watch->show(watch->context, f->task->thoughts);
}

void flat_look(struct flat *f) {
    const uint64_t leaves_max = f->settings->leaves_max;
    if (budget_is_cut(&f->task->budget, f->start_ns) || (leaves_max > 0 && f->leaves >= leaves_max))
        f->over = true;
    if (has_clock(f))
        keep_pace(f);
    f->look_at = f->leaves + f->look_every;
    if (leaves_max > 0 && f->look_at > leaves_max)
        f->look_at = leaves_max;
}

/* Whole rounds, where there is at least one. */
static uint64_t whole_rounds(uint64_t sims, uint64_t round) {
    return sims == NO_LIMIT || sims < round ? sims : sims / round * round;
}

/* Settles whether the worlds are gone through in order, and how many simulations that leaves. */
static uint64_t settle_rounds(struct flat *f, uint64_t sims, bool plain) {
    const struct flat_settings *s = f->settings;
    struct flat_level *level = &f->levels[FLAT_OUTER];
    const double all = level->worlds * level->bandit.count;
    level->in_order = s->all_worlds && level->worlds <= GAME_WORLDS_MAX && all <= (double)sims;
    level->bandit.root = level->in_order ? FLAT_ROUND_ROBIN : s->root;
    if (level->bandit.root != FLAT_ROUND_ROBIN)
        return sims;
    if (!level->in_order)
        return whole_rounds(sims, (uint64_t)level->bandit.count);
    const bool exact = plain && s->leaf == FLAT_MINIMAX && s->depth == 0;
    return exact ? (uint64_t)all : whole_rounds(sims, (uint64_t)all);
}

/* N: what the settings say. */
static uint64_t own_sims(const struct flat *f) {
    const struct flat_settings *s = f->settings;
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    if (s->sims > 0)
        return s->sims;
    return s->constant > 0 ? flat_equation_5(level->worlds, level->bandit.count, s->constant) : NO_LIMIT;
}

/* Of the search at hand; `last`: no other follows. */
static uint64_t sims_limit(const struct flat *f, bool last) {
    const struct budget *b = &f->task->budget;
    if (b->work_max > 0)
        return b->work_max;
    if (last && b->time_ns_max > 0)
        return NO_LIMIT;
    return last && f->settings->leaves_max > 0 ? f->settings->leaves_max : own_sims(f);
}

/* ---- AMCTS ---- */

/* Equation (6), whatever it was. The lot has a generator of its own, so that drawing it changes nothing else.
 */
static bool wants_second(const struct flat *f, uint64_t seed) {
    const struct flat_settings *s = f->settings;
    const struct flat_level *level = &f->levels[FLAT_OUTER];
    struct rng lot;
    rng_seed_stream(&lot, seed, 2);
    for (int i = 0; i < level->bandit.count; i++) {
        const struct bandit_arm *arm = &level->bandit.arms[i];
        const double mean = bandit_mean(arm), n = (double)arm->visits;
        const double variance = arm->visits > 0 ? arm->squares / n - mean * mean : 0;
        f->switching_arms[i] = (struct switching_arm){mean, variance > 0 ? variance : 0, arm->visits};
    }
    const struct switching_case c = {.arms = f->switching_arms,
                                     .count = level->bandit.count,
                                     .worlds = level->worlds,
                                     .worlds_at_start = s->worlds_at_start,
                                     .rng = &lot};
    return switching_decide(s->rule, s->theta, &c);
}

/* Once more from the beginning, with thinkers; what the first search found is thrown away unless it is kept.
 * Returns how many simulations there were. */
static uint64_t search_again(struct flat *f, uint64_t seed) {
    struct flat_level *level = &f->levels[FLAT_OUTER];
    const struct bandit first = level->bandit;
    rng_seed_stream(&f->rng, seed, 1);
    if (!f->settings->keep) {
        level->bandit.arms = f->spare_arms;
        f->spare_arms = first.arms;
        bandit_clear(&level->bandit, first.count);
        f->sims_before = first.n;
    }
    const uint64_t sims = settle_rounds(f, sims_limit(f, true), false);
    const uint64_t done = flat_simulate(f, level, sims, flat_value_thinking);
    if (!f->settings->keep && done == 0) {
        f->spare_arms = level->bandit.arms;
        level->bandit = first;
        f->sims_before = 0;
    }
    return done;
}

static uint64_t search_adaptively(struct flat *f, uint64_t seed, struct flat_report *report) {
    const uint64_t sims = own_sims(f);
    report->switched =
        !f->over && wants_second(f, seed) &&
        (!f->settings->skip_last || flat_thinker_ahead(f, sims < AHEAD_MAX ? sims : AHEAD_MAX));
    return report->switched ? search_again(f, seed) : 0;
}

/* ---- the whole ---- */

static void start(struct flat *f, const struct search_task *task, const struct flat_settings *settings) {
    struct flat_level *level = &f->levels[FLAT_OUTER];
    union search_state root;
    assert(task->game == f->game);
    assert(settings->rollout != NULL);
    assert(!settings->adaptive || settings->thinkers != FLAT_NO_ONE);
    assert(settings->depth >= 0 && settings->depth <= FLAT_DEPTH_MAX);
    f->task = task;
    f->settings = settings;
    f->sims_before = f->leaves = 0;
    f->over = false;
    search_copy(f->game, &root, task->root);
    flat_prepare(f, level, &root, true);
    assert(level->side != NOBODY);
    bandit_clear(&level->bandit, f->game->actions(task->root, level->list));
    search_shuffle(&f->rng, level->list, level->bandit.count);
    level->bandit.c = f->levels[FLAT_INNER].bandit.c = settings->c;
    f->levels[FLAT_INNER].bandit.root = settings->root;
    f->thinkers = settings->thinkers == FLAT_BOTH  ? 3
                  : settings->thinkers == FLAT_OWN ? 1u << level->side
                                                   : 0;
    f->start_ns = f->looked_ns = f->watched_ns =
        task->budget.clock != NULL ? clock_now_ns(task->budget.clock) : 0;
    f->look_every = has_clock(f) ? 1 : LOOK_EVERY;
    f->look_at = has_clock(f) || settings->leaves_max > 0 ? 1 : LOOK_EVERY;
}

void flat_search(struct flat *f, const struct search_task *task, const struct flat_settings *settings,
                 struct search_result *out, struct flat_report *report) {
    const uint64_t seed = rng_next(task->rng);
    const bool plain = settings->adaptive || settings->thinkers == FLAT_NO_ONE;
    struct flat_level *level = &f->levels[FLAT_OUTER];
    struct flat_report done = {0};
    rng_seed_stream(&f->rng, seed, 0);
    start(f, task, settings);
    const uint64_t sims = settle_rounds(f, sims_limit(f, !settings->adaptive), plain);
    done.sims[0] = flat_simulate(f, level, sims, plain ? flat_plain_value(f) : flat_value_thinking);
    if (settings->adaptive)
        done.sims[1] = search_adaptively(f, seed, &done);
    const int best = bandit_best(&level->bandit, settings->by_sum, &f->rng);
    *out = (struct search_result){.chosen = level->list[best],
                                  .value = bandit_mean(&level->bandit.arms[best]),
                                  .work = done.sims[0] + done.sims[1],
                                  .leaves = f->leaves};
    if (task->thoughts != NULL)
        think_aloud(f, best);
    if (report != NULL)
        *report = done;
}
