/* SPDX-License-Identifier: MIT
 *
 * Full-width Min-Max. The order in which units act hardly changes where they end, so within a turn most
 * positions are reached in many ways: in a search of one turn alpha-beta prunes nothing and the table does
 * the work. Values are to the mover; a child's value is negated only when the mover changes.
 *
 * Before the first full turn there is a narrow one. It tries only promising actions (those that the order
 * scores above 0, such as attacks); a side without any leaves the board as it is. It costs little, finds most
 * wins, improves the order of what follows, and gives an answer when the budget is too small for a full turn.
 *
 * States of the current line are kept one a ply, because games have no way to take an action back; action
 * lists lie one behind the other in a single block.
 */
#include "search/minmax.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- the transposition table ---- */

enum { MINMAX_FIRST_COUNT = 1024 };

/* A power of two of buckets, so that the low bits of a key number them. */
bool minmax_table_init(struct minmax_table *table, size_t bytes, struct err *e) {
    uint64_t count = 1;
    while (count * 2 * sizeof(struct minmax_bucket) <= bytes)
        count *= 2;
    *table = (struct minmax_table){.count_max = count};
    table->buckets = mem_try_alloc(count * sizeof(struct minmax_bucket));
    minmax_table_clear(table);
    return table->buckets != NULL || err_set(e, "not enough memory for a table of %zu bytes", bytes);
}

void minmax_table_done(struct minmax_table *table) {
    mem_free(table->buckets);
    *table = (struct minmax_table){0};
}

/* After 255 searches the generation starts again, and only then memory is touched. */
void minmax_table_clear(struct minmax_table *table) {
    if (table->generation == UINT8_MAX) {
        memset(table->buckets, 0, table->count_max * sizeof(struct minmax_bucket));
        table->generation = 0;
    }
    table->generation++;
    table->count = table->count_max < MINMAX_FIRST_COUNT ? table->count_max : MINMAX_FIRST_COUNT;
    table->filled = 0;
}

/* Entries of earlier generations count as empty. */
const struct minmax_entry *minmax_table_find(const struct minmax_table *table, uint64_t key) {
    const struct minmax_bucket *bucket = &table->buckets[key & (table->count - 1)];
    for (int i = 0; i < 2; i++)
        if (bucket->entries[i].key == key && bucket->entries[i].generation == table->generation)
            return &bucket->entries[i];
    return NULL;
}

/* Of two entries the costly one stays: it saves most when it is found again. */
void minmax_table_store(struct minmax_table *table, const struct minmax_entry *entry) {
    if (table->filled * 2 > table->count && table->count < table->count_max) {
        /* Doubles the buckets. One more bit of the key decides: an entry stays in its bucket, or moves to the
         * one that is `count` buckets behind it. */
        const uint64_t count = table->count;
        for (uint64_t i = 0; i < 2 * count; i++) {
            struct minmax_entry *from = &table->buckets[i / 2].entries[i % 2],
                                *to = &table->buckets[i / 2 + count].entries[i % 2];
            const bool moves = from->generation == table->generation && (from->key & count) != 0;
            *to = moves ? *from : (struct minmax_entry){0};
            if (moves)
                *from = (struct minmax_entry){0};
        }
        table->count = count * 2;
    }
    struct minmax_entry *costly = table->buckets[entry->key & (table->count - 1)].entries,
                        *latest = costly + 1;
    const bool is_free = costly->generation != table->generation || costly->key == entry->key;
    struct minmax_entry *place = is_free || entry->effort >= costly->effort ? costly : latest;
    /* An entry that loses the first place moves to the second. */
    struct minmax_entry *lost = place == costly && !is_free ? latest : place;
    table->filled += lost->generation != table->generation;
    if (lost != place)
        *lost = *place;
    *place = *entry;
    place->generation = table->generation;
}

/* ---- the state of a search ---- */

/* Room for the action lists of one line, in lists of maximum length. Real lists are far shorter; if the room
 * ends before MINMAX_PLIES_MAX, the position there is evaluated. */
enum { LISTS_MAX = 128 };

#define NO_ACTION ((action) ~(action)2) /* no action of any game: marks "none" */

/* An action of the root within one iteration. */
struct root_move {
    action action;
    bool searched, at_most; /* at_most: not better than an action searched before */
    double value;
    uint64_t nodes;
};

struct minmax_cache {
    struct minmax_table table;
    size_t state_size, lists_size;
    unsigned char *states;          /* the current line, one state a ply */
    action *actions;                /* the action lists of that line, one behind the other */
    struct root_move *moves, *done; /* of this iteration, and of the last completed one */
    action *sorted;                 /* for ordering one list */
    float *scores, *sorted_scores;
};

/* One call of minmax_search. */
struct search {
    const struct search_task *task;
    const struct minmax_settings *settings;
    const struct game *game;
    struct minmax_cache *cache;
    const struct eval *eval;
    double weights[GAME_WEIGHTS_MAX];
    struct budget_meter meter;
    bool stopped; /* the budget ended: results are invalid */
    bool cut;     /* some position was evaluated before the end of the game */
    int root_turn, root_side;
    int depth;  /* of this iteration, in turns or plies; 0: the narrow turn */
    size_t top; /* of the lists in use */
    int move_count, promising, done_depth;
    int64_t shown_ns;
};

/* ---- memory ---- */

/* Only the table can fail: the other blocks are small. */
struct minmax_cache *minmax_cache_open(const struct game *game, size_t table_bytes, struct err *e) {
    struct minmax_cache *c = mem_alloc(sizeof *c);
    const size_t most = (size_t)game->actions_max;
    c->state_size = (game->state_size + 15) / 16 * 16;
    c->lists_size = most * LISTS_MAX;
    c->states = mem_alloc(c->state_size * (MINMAX_PLIES_MAX + 1));
    c->actions = mem_alloc(c->lists_size * sizeof *c->actions);
    c->scores = mem_alloc(most * sizeof *c->scores);
    c->moves = mem_alloc(most * sizeof *c->moves);
    c->done = mem_alloc(most * sizeof *c->done);
    c->sorted = mem_alloc(most * sizeof *c->sorted);
    c->sorted_scores = mem_alloc(most * sizeof *c->sorted_scores);
    if (minmax_table_init(&c->table, table_bytes, e))
        return c;
    minmax_cache_close(c);
    return NULL;
}

void minmax_cache_close(struct minmax_cache *c) {
    if (c == NULL)
        return;
    minmax_table_done(&c->table);
    void *const blocks[] = {c->states, c->actions, c->scores,        c->moves,
                            c->done,   c->sorted,  c->sorted_scores, c};
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        mem_free(blocks[i]);
}

static void *state_at(const struct search *s, int ply) {
    return s->cache->states + (size_t)ply * s->cache->state_size;
}

/* ---- order ---- */

/* Inserts a scored action behind those at least as good in sorted[first … count-1]. */
static void insert_scored(struct minmax_cache *c, int first, int count, action a, float score) {
    int at = count;
    for (; at > first && c->sorted_scores[at - 1] < score; at--) {
        c->sorted[at] = c->sorted[at - 1];
        c->sorted_scores[at] = c->sorted_scores[at - 1];
    }
    c->sorted[at] = a;
    c->sorted_scores[at] = score;
}

/* Sorts best first, stable. Most scores are 0 (plain moves); those are not compared one by one. Returns how
 * many are above 0. */
static int sort_actions(const struct search *s, const void *state, action *list, int count) {
    struct minmax_cache *c = s->cache;
    float *scores = c->scores;
    int sorted = 0;
    s->settings->order->score(state, list, count, scores);
    for (int i = 0; i < count; i++)
        if (scores[i] > 0)
            insert_scored(c, 0, sorted++, list[i], scores[i]);
    const int promising = sorted;
    for (int i = 0; i < count; i++)
        if (!(scores[i] > 0) && !(scores[i] < 0))
            c->sorted[sorted++] = list[i];
    const int zeros_end = sorted;
    for (int i = 0; i < count; i++)
        if (scores[i] < 0)
            insert_scored(c, zeros_end, sorted++, list[i], scores[i]);
    assert(sorted == count);
    memcpy(list, c->sorted, (size_t)count * sizeof *list);
    return promising;
}

/* ---- values ---- */

/* Depth 0 stands for the narrow turn. */
static bool is_narrow(const struct search *s) {
    return s->depth == 0;
}

/* Otherwise depth counts turns. */
static bool counts_plies(const struct search *s) {
    return s->settings->plies > 0;
}

/* Huge weights must not look like a decided game. */
static double evaluate(const struct search *s, const void *state, int side) {
    const double most = MINMAX_WIN / 4, value = s->eval->value(state, side, s->weights);
    return value > most ? most : value < -most ? -most : value;
}

/* The highest value a position of that turn can have: a game is not won before the current turn is over. */
static double soonest_win(const struct search *s, int turn) {
    return MINMAX_WIN - (turn + 1 - s->root_turn);
}

/* ---- table ---- */

/* Some games leave the turn out of their key; positions that end sooner must not be mixed with those that end
 * later. */
static uint64_t key_of(const struct search *s, const void *state, int turn) {
    return s->game->key(state) + (uint64_t)turn * UINT64_C(0x9E3779B97F4A7C15);
}

/* A value is valid for the depth it was searched with. A forced win or loss is also valid for every deeper
 * search, because no line can end the game sooner than a shallower search has seen. In the narrow turn, which
 * does not try all actions, a loss is never forced. */
static bool answers(const struct minmax_entry *entry, unsigned depth, double alpha, double beta) {
    if (entry->depth != depth && !(entry->depth < depth && minmax_is_decided(entry->value)))
        return false;
    if (entry->bound == MINMAX_AT_LEAST)
        return entry->value >= beta && (entry->depth == depth || entry->value > 0);
    if (entry->bound == MINMAX_AT_MOST)
        return entry->value <= alpha && (entry->depth == depth || entry->value < 0);
    return true;
}

/* ---- the search ---- */

static double visit(struct search *s, int ply, double alpha, double beta);

/* The value of the position at `ply`, which `side` has just made in that turn, to this side. It is inlined by
 * force: a call per position made a search of one turn slower by 4 %. */
__attribute__((always_inline)) static inline double value_after(struct search *s, int ply, int turn, int side,
                                                                double alpha, double beta) {
    const struct game *game = s->game;
    const void *to = state_at(s, ply);
    budget_spend(&s->meter, 1);
    const int mover = game->mover(to);
    if (mover == NOBODY) {
        const double payoff = game->payoff(to, side);
        const int end = game->turn(to);
        const double win = end > turn ? MINMAX_WIN - (end - s->root_turn) : soonest_win(s, turn);
        return payoff > 0.5 ? win : payoff < 0.5 ? -win : 0;
    }
    const bool is_horizon =
        ply >= MINMAX_PLIES_MAX ||
        (counts_plies(s) ? ply >= s->depth : game->turn(to) >= s->root_turn + (is_narrow(s) ? 1 : s->depth));
    if (is_horizon) {
        s->cut = true;
        return evaluate(s, to, side);
    }
    return mover == side ? visit(s, ply, alpha, beta) : -visit(s, ply, -beta, -alpha);
}

/* The mean over all outcomes. A game that only some outcomes decide is not decided: there a win counts as the
 * highest evaluation. */
static double mean_value(struct search *s, int ply, int turn, action a, int count) {
    const struct game *game = s->game;
    const int side = game->mover(state_at(s, ply));
    const double most = MINMAX_WIN / 4;
    double sum = 0, bounded = 0;
    int won = 0, lost = 0;
    for (int outcome = 0; outcome < count && !s->stopped; outcome++) {
        memcpy(state_at(s, ply + 1), state_at(s, ply), game->state_size);
        game->play_outcome(state_at(s, ply + 1), a, outcome);
        const double value = value_after(s, ply + 1, turn, side, -(double)INFINITY, (double)INFINITY);
        won += value > MINMAX_WIN / 2;
        lost += value < -MINMAX_WIN / 2;
        sum += value;
        bounded += value > most ? most : value < -most ? -most : value;
    }
    return (won == count || lost == count ? sum : bounded) / count;
}

/* Plays an action of the position at `ply`; returns the value for the side that played it. */
static double play_and_value(struct search *s, int ply, int turn, action a, double alpha, double beta) {
    const struct game *game = s->game;
    const void *from = state_at(s, ply);
    if (s->meter.over) {
        s->stopped = true;
        return 0;
    }
    const int outcomes = game_outcomes(game, from, a);
    if (outcomes > 1)
        return mean_value(s, ply, turn, a, outcomes);
    memcpy(state_at(s, ply + 1), from, game->state_size);
    game->play(state_at(s, ply + 1), a, s->task->rng);
    return value_after(s, ply + 1, turn, game->mover(from), alpha, beta);
}

/* Writes the actions that are searched in a state. */
static int list_searched(const struct search *s, const void *state, action *out) {
    const struct action_list *list = s->settings->list;
    if (list == NULL)
        return s->game->actions(state, out);
    return list->list_drawn != NULL ? list->list_drawn(state, s->settings->draw, out)
                                    : list->list(state, out);
}

/* Appends the actions to try at `ply`, in order, to the lists. */
static int list_actions(struct search *s, int ply, int turn, action first) {
    const void *state = state_at(s, ply);
    action *list = s->cache->actions + s->top;
    int count = list_searched(s, state, list);
    assert(count > 0);
    /* When all children are leaves, evaluating them costs no more than sorting them. */
    const bool is_frontier = counts_plies(s)
                                 ? ply + 1 >= s->depth
                                 : turn + 1 >= s->root_turn + s->depth && s->game->progress(state).left <= 1;
    if (is_narrow(s))
        count = sort_actions(s, state, list, count);
    else if (s->settings->order != NULL && !is_frontier)
        sort_actions(s, state, list, count);
    int at = 0; /* of the first; the others keep their order */
    while (first != NO_ACTION && at < count && list[at] != first)
        at++;
    if (at < count && at > 0) {
        memmove(list + 1, list, (size_t)at * sizeof *list);
        list[0] = first;
    }
    return count;
}

/* Tries all actions; `out` gets value and best. An exhaustive search comes with alpha and beta at infinity
 * and leaves them there, so that nothing is cut. */
static void try_all(struct search *s, int ply, double alpha, double beta, struct minmax_entry *out) {
    const int turn = s->game->turn(state_at(s, ply));
    const size_t bottom = s->top;
    const int count = list_actions(s, ply, turn, out->best);
    s->top += (size_t)count;
    out->value = -(double)INFINITY;
    if (is_narrow(s))
        out->value = evaluate(s, state_at(s, ply), s->root_side);
    for (int i = 0; i < count && out->value < beta && !s->stopped; i++) {
        const action a = s->cache->actions[bottom + (size_t)i];
        const double low = out->value > alpha && !s->settings->exhaustive ? out->value : alpha;
        const double value = play_and_value(s, ply, turn, a, low, beta);
        if (value > out->value) {
            out->value = value;
            out->best = a;
        }
    }
    s->top = bottom;
}

/* The value of the position at `ply` to its mover: exact when between alpha and beta, else a bound on that
 * side. The game is not over there. */
static double visit(struct search *s, int ply, double alpha, double beta) {
    const void *state = state_at(s, ply);
    const int turn = s->game->turn(state);
    if (s->top + (size_t)s->game->actions_max > s->cache->lists_size) {
        s->cut = true;
        return evaluate(s, state, s->game->mover(state));
    }
    if (beta > soonest_win(s, turn) && !s->settings->exhaustive)
        beta = soonest_win(s, turn);
    if (alpha >= beta)
        return beta;
    const uint64_t before = s->meter.work_done;
    struct minmax_entry entry = {
        .depth = (unsigned)(counts_plies(s) ? s->depth - ply : s->depth) & UINT16_MAX, .best = NO_ACTION};
    if (s->settings->table) {
        entry.key = key_of(s, state, turn);
        const struct minmax_entry *known = minmax_table_find(&s->cache->table, entry.key);
        if (known != NULL && answers(known, entry.depth, alpha, beta)) {
            s->cut = s->cut || (counts_plies(s) && !minmax_is_decided(known->value));
            return known->value;
        }
        entry.best = known != NULL ? known->best : NO_ACTION;
    }
    try_all(s, ply, alpha, beta, &entry);
    if (s->settings->table && !s->stopped) {
        entry.bound = entry.value >= beta    ? MINMAX_AT_LEAST
                      : entry.value <= alpha ? MINMAX_AT_MOST
                                             : MINMAX_EXACT;
        entry.effort = (unsigned)(63 - __builtin_clzll((s->meter.work_done - before) | 1)) & 63U;
        minmax_table_store(&s->cache->table, &entry);
    }
    return entry.value;
}

/* ---- reports ---- */

/* The best of the searched moves (the first of equals); -1 when none was searched. */
static int best_of(const struct root_move *moves, int count) {
    int best = -1;
    for (int i = 0; i < count; i++)
        if (moves[i].searched && (best < 0 || moves[i].value > moves[best].value))
            best = i;
    return best;
}

/* The expected line behind a root action, as far as the table contains it, and up to the first action with
 * several outcomes. */
static void follow_line(const struct search *s, struct thought *thought) {
    const struct game *game = s->game;
    union search_state state;
    search_copy(game, &state, s->task->root);
    thought->line[0] = thought->action;
    thought->line_count = 1;
    if (game_outcomes(game, &state, thought->action) > 1)
        return;
    game->play(&state, thought->action, s->task->rng);
    while (s->settings->table && thought->line_count < THOUGHTS_LINE_MAX && game->mover(&state) != NOBODY) {
        const struct minmax_entry *entry =
            minmax_table_find(&s->cache->table, key_of(s, &state, game->turn(&state)));
        if (entry == NULL || entry->bound == MINMAX_AT_MOST || entry->best == NO_ACTION ||
            !game->is_legal(&state, entry->best))
            return;
        thought->line[thought->line_count++] = entry->best;
        if (game_outcomes(game, &state, entry->best) > 1)
            return;
        game->play(&state, entry->best, s->task->rng);
    }
}

/* The chosen action first, whatever bound another one has; its own value is exact. */
static void fill_thoughts(const struct search *s, const struct root_move *moves, int chosen) {
    struct thoughts *t = s->task->thoughts;
    thoughts_start(t);
    t->nodes = s->meter.work_done;
    t->depth = s->done_depth;
    for (int i = 0; i < s->move_count; i++)
        if (i == chosen || moves[i].searched)
            thoughts_add(t,
                         &(struct thought){.action = moves[i].action,
                                           .value = moves[i].value,
                                           .at_most = i != chosen && moves[i].at_most,
                                           .leads = i == chosen,
                                           .visits = moves[i].nodes},
                         false);
    for (int i = 0; i < t->count; i++)
        follow_line(s, &t->candidates[i]);
    t->total = s->move_count;
}

/* ---- iterations ---- */

/* Searches every root action to the depth of this iteration. False when the budget ended first. */
static bool iterate(struct search *s) {
    double best = -(double)INFINITY;
    const bool exhaustive = s->settings->exhaustive;
    const double beta = exhaustive ? (double)INFINITY : soonest_win(s, s->root_turn);
    s->cut = false;
    for (int i = 0; i < s->move_count; i++)
        s->cache->moves[i].searched = false;
    const int count = is_narrow(s) ? s->promising : s->move_count;
    for (int i = 0; i < count && best < beta; i++) {
        struct root_move *move = &s->cache->moves[i];
        const uint64_t before = s->meter.work_done;
        /* To find all actions equal to the best, those must be exact, too. */
        const double alpha = exhaustive                 ? -(double)INFINITY
                             : s->settings->random_ties ? nextafter(best, -(double)INFINITY)
                                                        : best;
        const double value = play_and_value(s, 0, s->root_turn, move->action, alpha, beta);
        if (s->stopped)
            return false;
        *move = (struct root_move){move->action, true, value <= alpha, value, s->meter.work_done - before};
        best = value > best ? value : best;
        if (search_shows(s->task, &s->shown_ns)) {
            const struct root_move *moves = s->done_depth > 0 ? s->cache->done : s->cache->moves;
            fill_thoughts(s, moves, best_of(moves, s->move_count));
            search_show(s->task);
        }
    }
    return true;
}

/* For the next iteration: best first, unsearched last, stable. */
static void sort_moves(struct root_move *moves, int count) {
    for (int i = 1; i < count; i++) {
        const struct root_move move = moves[i];
        int at = i;
        for (; at > 0 && move.searched && (!moves[at - 1].searched || moves[at - 1].value < move.value); at--)
            moves[at] = moves[at - 1];
        moves[at] = move;
    }
}

/* What answers when the budget ends before the next iteration is complete. */
static void store_moves(struct search *s) {
    memcpy(s->cache->done, s->cache->moves, (size_t)s->move_count * sizeof *s->cache->moves);
}

/* The value of the stored moves, or less than any value while there are none. */
static double value_of(const struct search *s, const struct root_move *moves) {
    const int best = best_of(moves, s->move_count);
    return best >= 0 ? moves[best].value : -(double)INFINITY;
}

/* Deepens until the requested depth, a proof, or the end of the budget. The result is in cache->done.
 * Iterative deepening: each iteration orders the moves of the next, and answers when the budget ends. */
static void deepen(struct search *s) {
    const int asked = counts_plies(s) ? s->settings->plies : s->settings->turns;
    const int last = asked > 0 && asked < UINT16_MAX ? asked : UINT16_MAX;
    store_moves(s);
    if (!counts_plies(s) && s->settings->list == NULL && s->promising > 0) { /* the narrow turn */
        s->depth = 0;
        const bool complete = iterate(s);
        store_moves(s);
        s->done_depth = value_of(s, s->cache->done) > MINMAX_WIN / 2 ? 1 : 0;
        sort_moves(s->cache->moves, s->move_count);
        if (!complete || s->done_depth > 0) /* no budget left, or a win */
            return;
    }
    for (s->depth = 1; s->depth <= last; s->depth++) {
        const bool complete = iterate(s);
        /* Of a first full turn that was not finished, moves no worse than the narrow turn's are stored. */
        if (complete || (s->done_depth == 0 && value_of(s, s->cache->moves) >= value_of(s, s->cache->done)))
            store_moves(s);
        if (!complete)
            return;
        s->done_depth = s->depth;
        /* No deeper search can change a proof, or a tree in which every line ended; and a single action needs
         * no better value than was requested. */
        if (!s->cut || (asked == 0 && s->move_count == 1) || minmax_is_decided(value_of(s, s->cache->done)))
            return;
        sort_moves(s->cache->moves, s->move_count);
    }
}

/* Random ties draw from the task's generator, once for each equal move. */
static void answer(struct search *s, struct search_result *out) {
    struct root_move *moves = s->cache->done;
    int chosen = best_of(moves, s->move_count);
    if (chosen < 0) {
        /* Not even one action was searched to its end: the first in order, and the evaluation of the root. */
        chosen = 0;
        moves[0].searched = true;
        moves[0].value = evaluate(s, s->task->root, s->root_side);
    } else if (s->settings->random_ties) {
        /* With alpha-beta only moves searched exactly are known to be equal. */
        const double best = moves[chosen].value;
        uint32_t equals = 0;
        for (int i = 0; i < s->move_count; i++)
            if (moves[i].searched && moves[i].value >= best && rng_below(s->task->rng, ++equals) == 0)
                chosen = i;
    }
    *out = (struct search_result){.chosen = moves[chosen].action,
                                  .value = moves[chosen].value + 0.0, /* never -0 */
                                  .work = s->meter.work_done,
                                  .nodes = s->meter.work_done};
    if (s->task->thoughts != NULL)
        fill_thoughts(s, moves, chosen);
}

/* The root is sorted once with scores of the game; from then on by the values of the iteration before. */
void minmax_search(const struct search_task *task, const struct minmax_settings *settings,
                   struct search_result *out) {
    const struct game *game = task->game;
    struct search s = {.task = task,
                       .settings = settings,
                       .game = game,
                       .cache = settings->cache,
                       .eval = settings->eval != NULL ? settings->eval : &game->evals[0],
                       .root_turn = game->turn(task->root),
                       .root_side = game->mover(task->root)};
    assert(s.root_side != NOBODY);
    assert(s.cache != NULL);
    weights_default(game, s.weights);
    if (settings->weights != NULL)
        memcpy(s.weights, settings->weights, sizeof s.weights);
    minmax_table_clear(&s.cache->table);
    budget_start(&s.meter, &task->budget);
    s.shown_ns = s.meter.start_ns;
    memcpy(state_at(&s, 0), task->root, game->state_size);
    s.move_count = list_searched(&s, task->root, s.cache->actions);
    assert(s.move_count > 0);
    if (settings->order != NULL)
        s.promising = sort_actions(&s, task->root, s.cache->actions, s.move_count);
    for (int i = 0; i < s.move_count; i++)
        s.cache->moves[i] = (struct root_move){.action = s.cache->actions[i]};
    deepen(&s);
    answer(&s, out);
}
