/* SPDX-License-Identifier: MIT
 *
 * Depth-first search over states copied on a preallocated stack. The table stores for each position how many
 * sequences continue from it and the best value among them, so that a merged sequence is counted and credited
 * without being walked again. The table has a fixed size and is emptied by counting up its generation; when
 * the places for a position are taken, that position is not merged.
 */
#include "search/sequences.h"

#include "base/mem.h"

#include <assert.h>

enum { PROBES = 16 };

struct entry {
    uint64_t key;
    uint64_t sequences; /* from here on, this one included */
    double best;
    uint64_t generation;
};

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

/* ---- memory ---- */

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
    mem_free(q->states);
    mem_free(q->actions);
    mem_free(q->scores);
    mem_free(q->orders);
    mem_free(q->firsts);
    mem_free(q->table);
    mem_free(q);
}

/* ---- evaluating ---- */

static bool is_same_turn(const struct sequences *q, const void *state) {
    return turn_goes_on(q->game, state, q->side, q->turn);
}

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

/* ---- completing a turn ---- */

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

/* ---- enumerating ---- */

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

/* No unit can attack, and moves do not change the value: it only matters whether the game is over at the
 * turn's end. */
static double offer_as_it_is(struct sequences *q, const union search_state *from) {
    union search_state end;
    search_copy(q->game, &end, from);
    const bool over = !is_same_turn(q, &end);
    if (!over && q->settings->has_pass)
        q->game->play(&end, q->settings->pass, q->task->rng);
    return offer(q, &end, &q->path, over);
}

static double offer_completed(struct sequences *q, const union search_state *from) {
    const int samples =
        q->settings->rest == SEQUENCES_RANDOM && is_same_turn(q, from) ? q->settings->samples : 1;
    double best = 0;
    for (int i = 0; i < samples && (i == 0 || !q->meter.over); i++) {
        union search_state end;
        struct turn_line line = q->path;
        search_copy(q->game, &end, from);
        complete(q, &end, false, &line);
        const double value = offer(q, &end, &line, true);
        best = i == 0 || value > best ? value : best;
    }
    return best;
}

static void fill_thoughts(struct sequences *q);

static double offer_sequence(struct sequences *q, int attacks) {
    const union search_state *state = &q->states[q->path.count];
    const bool as_it_is = attacks == 0 && !q->settings->moves_matter && q->settings->rest != SEQUENCES_GREEDY;
    q->sequences++;
    q->positions++;
    const double value = as_it_is ? offer_as_it_is(q, state) : offer_completed(q, state);
    if (q->sequences % BUDGET_CLOCK_EVERY == 0 && search_shows(q->task, &q->shown_ns)) {
        fill_thoughts(q);
        search_show(q->task);
    }
    return value;
}

/* The place of a position: its entry, a free one for it (then *found is false), or NULL when all are taken.
 * While the turn continues, the length is part of the key because it limits what may follow. */
static struct entry *find_entry(struct sequences *q, const void *state, bool *found) {
    const uint64_t length = is_same_turn(q, state) ? (uint64_t)q->path.count : 0;
    const uint64_t key = q->game->key(state) + length * UINT64_C(0x9E3779B97F4A7C15);
    for (uint64_t i = 0; i < PROBES; i++) {
        struct entry *e = &q->table[(key + i) & q->table_mask];
        *found = e->generation == q->generation && e->key == key;
        if (*found)
            return e;
        if (e->generation != q->generation) {
            *e = (struct entry){.key = key, .generation = q->generation};
            return e;
        }
    }
    return NULL;
}

static double enumerate(struct sequences *q);

/* The current sequence has become one attack longer. */
static double enumerate_merged(struct sequences *q) {
    bool found = false;
    struct entry *e =
        q->settings->merge && q->table != NULL ? find_entry(q, &q->states[q->path.count], &found) : NULL;
    if (found) {
        q->sequences += e->sequences;
        credit_first(q, e->best);
        return e->best;
    }
    const uint64_t before = q->sequences;
    const double best = enumerate(q);
    if (e != NULL) {
        e->sequences = q->sequences - before;
        e->best = best;
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

/* ---- the answer ---- */

static void fill_thoughts(struct sequences *q) {
    struct thoughts *out = q->task->thoughts;
    struct thought best = {.action = q->best.actions[0], .value = q->best_value, .visits = 1};
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
        turn_line_lead(out, &best);
    out->nodes = q->meter.work_done;
    out->depth = q->best_length;
}

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

void sequences_search(struct sequences *q, const struct search_task *task,
                      const struct sequences_settings *settings, struct sequences_result *out) {
    start(q, task, settings);
    enumerate(q);
    if (!q->best_is_whole) { /* it is completed with moves that do not change the value */
        union search_state state;
        search_copy(q->game, &state, task->root);
        for (int i = 0; i < q->best.count; i++)
            q->game->play(&state, q->best.actions[i], task->rng);
        complete(q, &state, true, &q->best);
    }
    *out = (struct sequences_result){
        .result = {.chosen = q->best.actions[0],
                   .value = q->best_value,
                   .work = q->meter.work_done,
                   .nodes = q->meter.work_done},
        .sequences = q->sequences,
        .positions = q->positions,
        .line = q->best,
    };
    if (task->thoughts != NULL)
        fill_thoughts(q);
}
