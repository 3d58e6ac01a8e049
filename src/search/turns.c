/* SPDX-License-Identifier: MIT
 *
 * The searches over whole turns: turns drawn at random, and sequences of attacks.
 *
 * Both need the end of a turn from the game, not its number of actions: in the tactical game a turn is as
 * long as there are units that can act.
 */
#include "search/turns.h"

#include "base/mem.h"
#include "pool/pool.h"

#include <assert.h>

/* ---- drawn turns ---- */

/* A drawn turn is a pure function of (root, seed, number of the turn), so threads exchange only its mean; the
 * few lines to be reported are drawn again. Turns go to the pool in batches, because the pool hands out jobs
 * one by one under a lock. */

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

/* ---- drawn turns: memory ---- */

/* One list more than threads: lines are drawn again by the thread that reports. */
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

/* Lists are given out by number: which worker has which changes no result. */
static action *list_of(struct turns *t, int worker) {
    return t->lists + (size_t)worker * (size_t)t->game->actions_max;
}

/* ---- drawn turns: one turn ---- */

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

/* Draws and evaluates turn number `index`; false when time ran out before. The very first turn is always
 * evaluated, by at least one simulation: on the largest maps a hundred of them can take longer than the whole
 * clock. So the clock is read before each simulation, which costs nothing in comparison. */
static bool value_turn(const struct turns *t, action *list, int index, struct batch *out) {
    const struct turns_settings *s = t->settings;
    struct valued *valued = &out->turns[out->count];
    union search_state end, state;
    struct rng r;
    double sum = 0;
    int done = 0;
    rng_seed_stream(&r, t->seed, (uint64_t)index);
    valued->first = draw_turn(t, list, &r, &end, NULL);
    if (s->horizon == 0 || t->game->mover(&end) == NOBODY) {
        /* All simulations would end here: one is enough, and all count as done. */
        valued->mean = s->eval->value(&end, t->side, s->weights);
        out->sims += (uint64_t)s->sims;
        out->count++;
        return true;
    }
    for (; done < s->sims; done++) {
        if (done > 0 &&
            budget_is_cut(&t->task->budget, t->start_ns)) /* run_batch has read it before the first */
            break;
        search_copy(t->game, &state, &end);
        s->rollout->run(&state, &r, s->horizon);
        sum += s->eval->value(&state, t->side, s->weights);
        out->sims++;
    }
    if (done < s->sims && index > 0)
        return false;
    valued->mean = sum / done;
    out->count++;
    return true;
}

/* ---- drawn turns: the answer ---- */

static void redraw(struct turns *t, int index, struct turn_line *line) {
    union search_state state;
    struct rng r;
    rng_seed_stream(&r, t->seed, (uint64_t)index);
    line->count = 0;
    draw_turn(t, list_of(t, t->threads), &r, &state, line);
}

/* Visits are simulations of all turns that begin with the action. Lines are not stored but drawn again from
 * their turn's number. */
static void report_turns(struct turns *t) {
    struct thoughts *out = t->task->thoughts;
    thoughts_start(out);
    for (int i = 0; i < t->root_count; i++) {
        const struct first *f = &t->firsts[i];
        if (f->sims > 0)
            thoughts_add(
                out,
                &(struct thought){
                    .action = t->root_actions[i], .value = f->best, .leads = i == t->best, .visits = f->sims},
                false);
    }
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

/* ---- drawn turns: jobs ---- */

/* The first turn of all is evaluated whatever the clock shows, so that there is an answer. */
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
        report_turns(t);
        search_show(t->task);
    }
}

/* Each worker gets the next list; which one does not matter. */
static void *begin_worker(void *shared, struct err *e) {
    (void)e;
    struct turns *t = shared;
    return list_of(t, atomic_fetch_add(&t->workers_begun, 1));
}

/* ---- drawn turns: the whole search ---- */

/* With a time limit alone the number of turns is open, up to TURNS_MAX. */
static void start_turns(struct turns *t, const struct search_task *task, const struct turns_settings *s) {
    const struct game *game = t->game;
    const struct budget *budget = &task->budget;
    assert(task->game == game);
    assert(budget->time_ns_max == 0 || budget->clock != NULL);
    assert(s->turns >= 1 && s->sims >= 1 && s->horizon >= 0);
    const uint64_t turns = budget->work_max / (uint64_t)s->sims;
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

/* A search that ends by time takes the turns of a prefix of the batches, so only the length of that prefix
 * depends on the clock. */
void turns_search(struct turns *t, const struct search_task *task, const struct turns_settings *settings,
                  struct turns_result *out) {
    start_turns(t, task, settings);
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
        report_turns(t);
}

/* ---- sequences of attacks ---- */

/* Depth-first search over states copied on a preallocated stack. The table stores for each position how many
 * sequences continue from it and the best value among them, so that a merged sequence is counted and credited
 * without being walked again. The table has a fixed size and is emptied by counting up its generation; when
 * the places for a position are taken, that position is not merged. */

enum { PROBES = 16 };

struct entry {
    uint64_t key;
    uint64_t sequences; /* from here on, this one included */
    double best;
    uint64_t generation;
};

/* Memory and the current search over sequences of attacks. */
struct sequences {
    const struct game *game;
    union search_state *states; /* one a depth */
    action *actions;            /* attacks of each depth one behind the other, then room for one full list */
    float *scores, *orders;
    struct thought
        *firsts; /* by root attack, the best turn that begins with it: its attacks; visits: sequences */
    struct entry *table;
    uint64_t table_mask, generation;

    /* The current search. */
    const struct search_task *task;
    const struct sequences_settings *settings;
    struct budget_meter meter;
    int side, turn, length_max, used, root_count, first;
    int64_t shown_ns;
    uint64_t tie_seed, sequences, positions;
    struct turn_line path, best;
    double best_value;
    int best_length; /* attacks in it */
    bool best_is_whole;
};

/* ---- sequences: memory ---- */

/* Attacks of one depth follow those of the depth before; the last list is for completing a turn. */
struct sequences *sequences_open(const struct game *game, size_t table_bytes, struct err *e) {
    const size_t actions = (size_t)game->actions_max;
    struct sequences *q = mem_alloc(sizeof *q);
    q->game = game;
    q->states = mem_alloc((SEQUENCES_LENGTH_MAX + 1) * sizeof *q->states);
    q->actions = mem_alloc((SEQUENCES_LENGTH_MAX + 2) * actions * sizeof *q->actions);
    q->scores = mem_alloc(actions * sizeof *q->scores);
    q->orders = mem_alloc(actions * sizeof *q->orders);
    q->firsts = mem_alloc(actions * sizeof *q->firsts);
    if (table_bytes == 0)
        return q;
    uint64_t entries = 1;
    while (entries * 2 * sizeof *q->table <= table_bytes)
        entries *= 2;
    q->table = mem_try_alloc(entries * sizeof *q->table);
    q->table_mask = entries - 1;
    if (q->table != NULL)
        return q;
    sequences_close(q);
    err_set(e, "not enough memory for sequences of attacks");
    return NULL;
}

void sequences_close(struct sequences *q) {
    if (q == NULL)
        return;
    void *const blocks[] = {q->states, q->actions, q->scores, q->orders, q->firsts, q->table, q};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        mem_free(blocks[i]);
}

/* ---- sequences: evaluating ---- */

/* The turn ends with its last unit, by an action that ends it, or with the game. */
static bool is_same_turn(const struct sequences *q, const void *state) {
    return turn_goes_on(q->game, state, q->side, q->turn);
}

/* To the side that searches. A decided game is worth more than any evaluation. */
static double value_of(const struct sequences *q, const void *state) {
    const double value = q->settings->eval->value(state, q->side, q->settings->weights);
    if (q->game->mover(state) != NOBODY)
        return value;
    return value + SEQUENCES_WIN * (2 * q->game->payoff(state, q->side) - 1);
}

/* Writes the attacks of a state to `out`; 0 when the turn is over. */
static int list_attacks(struct sequences *q, const void *state, action *out) {
    if (!is_same_turn(q, state))
        return 0;
    const int listed = q->settings->list->list(state, out);
    int count = 0;
    q->settings->attacks->score(state, out, listed, q->scores);
    for (int i = 0; i < listed; i++)
        if (q->scores[i] > 0)
            out[count++] = out[i];
    return count;
}

/* ---- sequences: completing a turn ---- */

/* `moves_only`: the value of the turn is final, so that attacks must not change it. */
static action random_action(struct sequences *q, const void *state, bool moves_only) {
    action *list = q->actions + q->used;
    int count = q->game->actions(state, list);
    if (moves_only) {
        int kept = 0;
        q->settings->attacks->score(state, list, count, q->scores);
        for (int i = 0; i < count; i++)
            if (!(q->scores[i] > 0))
                list[kept++] = list[i];
        count = kept > 0 ? kept : count;
    }
    return list[rng_below(q->task->rng, (uint32_t)count)];
}

/* A candidate for completing a turn greedily. */
struct choice {
    double value;
    float order;
    uint64_t lot;
};

static bool is_better(const struct choice *a, const struct choice *b) {
    if (a->value < b->value || a->value > b->value)
        return a->value > b->value;
    if (a->order < b->order || a->order > b->order)
        return a->order > b->order;
    return a->lot > b->lot;
}

/* Ties are broken by a hash of position and action: as good as random, but the same each time the position is
 * reached, so merging changes nothing. */
static action greedy_action(struct sequences *q, const void *state) {
    const struct sequences_settings *s = q->settings;
    const action *list = q->actions + q->used;
    const int count = q->game->actions(state, q->actions + q->used);
    const double now = value_of(q, state);
    const uint64_t salt = q->tie_seed + q->game->key(state);
    struct choice best = {0};
    int best_index = -1;
    s->attacks->score(state, list, count, q->scores);
    if (s->order != NULL)
        s->order->score(state, list, count, q->orders);
    for (int i = 0; i < count; i++) {
        double value = now; /* moves are not tried when they cannot matter */
        if (q->scores[i] > 0 || s->moves_matter) {
            const int outcomes = game_outcomes(q->game, state, list[i]);
            value = 0;
            for (int outcome = 0; outcome < outcomes; outcome++) {
                union search_state next;
                search_copy(q->game, &next, state);
                game_play_outcome(q->game, &next, list[i], outcome);
                budget_spend(&q->meter, 1);
                value += value_of(q, &next);
            }
            value /= outcomes;
        }
        const struct choice choice = {
            .value = value,
            .order = s->order != NULL ? q->orders[i] : 0,
            .lot = rng_mix(salt ^ rng_mix(list[i] + UINT64_C(1))),
        };
        if (best_index < 0 || is_better(&choice, &best)) {
            best = choice;
            best_index = i;
        }
    }
    return list[best_index];
}

/* Plays the turn from `state` to its end, in place; the actions are appended to `line`. */
static void complete(struct sequences *q, void *state, bool moves_only, struct turn_line *line) {
    while (is_same_turn(q, state)) {
        const enum sequences_rest rest = q->settings->rest;
        const action a = rest == SEQUENCES_STAY     ? q->settings->pass
                         : rest == SEQUENCES_GREEDY ? greedy_action(q, state)
                                                    : random_action(q, state, moves_only);
        turn_line_add(line, a);
        q->game->play(state, a, q->task->rng);
    }
}

/* ---- sequences: the answer ---- */

/* Each first attack with its best sequence. The best turn may begin with a plain move, which is no first
 * attack. */
static void fill_thoughts(struct sequences *q) {
    struct thoughts *out = q->task->thoughts;
    struct thought best = {.action = q->best.actions[0], .value = q->best_value, .leads = true, .visits = 1};
    thoughts_start(out);
    for (int i = 0; i < q->root_count; i++) {
        const bool is_best = q->best_length > 0 && q->firsts[i].action == best.action;
        if (is_best)
            best.visits = q->firsts[i].visits;
        else if (q->firsts[i].line_count > 0)
            thoughts_add(out, &q->firsts[i], false);
    }
    turn_line_show(&q->best, &best);
    if (q->best.count > 0) /* without attacks the turn may not be complete yet */
        thoughts_add(out, &best, false);
    out->nodes = q->meter.work_done;
    out->depth = q->best_length;
}

/* ---- sequences: enumerating ---- */

/* Records a value for turns that begin with the current root attack. */
static void credit_first(struct sequences *q, double value) {
    struct thought *f = &q->firsts[q->first];
    if (f->line_count > 0 && !(value > f->value))
        return;
    f->value = value;
    turn_line_show(&q->path, f);
}

/* One turn: the current sequence and, when it is complete, its completion. Returns the value of its end. */
static double offer(struct sequences *q, const void *end, const struct turn_line *line, bool whole) {
    const double value = value_of(q, end);
    if (q->path.count > 0)
        credit_first(q, value);
    if (q->best_length < 0 || value > q->best_value) {
        q->best_value = value;
        q->best_length = q->path.count;
        q->best = *line;
        q->best_is_whole = whole;
    }
    budget_spend(&q->meter, 1);
    return value;
}

/* The sequence as it stands is one of the candidates, also when further attacks follow. Of several random
 * completions the best counts, as a player would choose it. Where no unit can attack and moves do not change
 * the value nothing is completed: it only matters whether the game is over at the turn's end. */
static double offer_sequence(struct sequences *q, int attacks) {
    const struct sequences_settings *s = q->settings;
    const union search_state *from = &q->states[q->path.count];
    const bool as_it_is = attacks == 0 && !s->moves_matter && s->rest != SEQUENCES_GREEDY;
    const bool over = !is_same_turn(q, from);
    const int samples = s->rest == SEQUENCES_RANDOM && !as_it_is && !over ? s->samples : 1;
    double best = 0;
    q->sequences++;
    q->positions++;
    for (int i = 0; i < samples && (i == 0 || !q->meter.over); i++) {
        union search_state end;
        struct turn_line line;
        search_copy(q->game, &end, from);
        if (!as_it_is) {
            line = q->path;
            complete(q, &end, false, &line);
        } else if (!over && s->has_pass) {
            q->game->play(&end, s->pass, q->task->rng);
        }
        const double value = offer(q, &end, as_it_is ? &q->path : &line, !as_it_is || over);
        best = i == 0 || value > best ? value : best;
    }
    if (q->sequences % BUDGET_CLOCK_EVERY == 0 && search_shows(q->task, &q->shown_ns)) {
        fill_thoughts(q);
        search_show(q->task);
    }
    return best;
}

static double enumerate(struct sequences *q);

/* The current sequence has become one attack longer. While the turn continues, the length is part of the key
 * because it limits what may follow. */
static double enumerate_merged(struct sequences *q) {
    const void *state = &q->states[q->path.count];
    struct entry *place = NULL; /* for the position; NULL when all are taken */
    if (q->settings->merge && q->table != NULL) {
        const uint64_t length = is_same_turn(q, state) ? (uint64_t)q->path.count : 0;
        const uint64_t key = q->game->key(state) + length * UINT64_C(0x9E3779B97F4A7C15);
        for (uint64_t i = 0; i < PROBES && place == NULL; i++) {
            struct entry *e = &q->table[(key + i) & q->table_mask];
            if (e->generation == q->generation && e->key == key) {
                q->sequences += e->sequences;
                credit_first(q, e->best);
                return e->best;
            }
            if (e->generation != q->generation) {
                *e = (struct entry){.key = key, .generation = q->generation};
                place = e;
            }
        }
    }
    const uint64_t before = q->sequences;
    const double best = enumerate(q);
    if (place != NULL) {
        place->sequences = q->sequences - before;
        place->best = best;
    }
    return best;
}

/* Evaluates the current sequence and all that begin with it; returns the best value among them. */
static double enumerate(struct sequences *q) {
    const int depth = q->path.count;
    action *attacks = q->actions + q->used;
    const int count = list_attacks(q, &q->states[depth], attacks);
    q->used += count;
    double best = offer_sequence(q, count);
    for (int i = 0; i < count && depth < q->length_max && !q->meter.over; i++) {
        search_copy(q->game, &q->states[depth + 1], &q->states[depth]);
        q->game->play(&q->states[depth + 1], attacks[i], q->task->rng);
        q->path.actions[q->path.count++] = attacks[i];
        if (depth == 0)
            q->first = i;
        const uint64_t before = q->sequences;
        const double value = enumerate_merged(q);
        if (depth == 0)
            q->firsts[i].visits = q->sequences - before;
        best = value > best ? value : best;
        q->path.count--;
    }
    q->used -= count;
    return best;
}

/* ---- sequences: the whole search ---- */

/* The seed of ties is drawn once: the same position is completed the same way in all sequences. */
static void start(struct sequences *q, const struct search_task *task, const struct sequences_settings *s) {
    assert(task->game == q->game);
    assert(s->samples >= 1 && s->length >= 0);
    assert(s->rest != SEQUENCES_STAY || s->has_pass);
    q->task = task;
    q->settings = s;
    budget_start(&q->meter, &task->budget);
    q->shown_ns = q->meter.start_ns;
    q->side = q->game->mover(task->root);
    q->turn = q->game->turn(task->root);
    assert(q->side != NOBODY);
    q->length_max = s->length == 0 || s->length > SEQUENCES_LENGTH_MAX ? SEQUENCES_LENGTH_MAX : s->length;
    q->tie_seed = rng_next(task->rng);
    q->generation++;
    q->used = q->path.count = 0;
    q->sequences = q->positions = 0;
    q->first = q->best_length = -1;
    search_copy(q->game, &q->states[0], task->root);
    q->root_count = list_attacks(q, &q->states[0], q->actions);
    for (int i = 0; i < q->root_count; i++)
        q->firsts[i] = (struct thought){.action = q->actions[i]};
}

/* The budget may end anywhere: the best turn so far is completed in any case, because an answer is a whole
 * turn. */
void sequences_search(struct sequences *q, const struct search_task *task,
                      const struct sequences_settings *settings, struct turns_result *out) {
    start(q, task, settings);
    enumerate(q);
    if (!q->best_is_whole) { /* it is completed with moves that do not change the value */
        union search_state state;
        search_copy(q->game, &state, task->root);
        for (int i = 0; i < q->best.count; i++)
            q->game->play(&state, q->best.actions[i], task->rng);
        complete(q, &state, true, &q->best);
    }
    *out = (struct turns_result){.result = {.chosen = q->best.actions[0],
                                            .value = q->best_value,
                                            .work = q->meter.work_done,
                                            .nodes = q->meter.work_done},
                                 .line = q->best,
                                 .sequences = q->sequences,
                                 .positions = q->positions};
    if (task->thoughts != NULL)
        fill_thoughts(q);
}
