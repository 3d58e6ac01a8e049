/* SPDX-License-Identifier: MIT
 *
 * One kind of question does everything: can the *prover* (one of the two sides) force a score of at least
 * `goal`, if a position at the *horizon* counts as little as is certain without looking further? A positive
 * answer is final. "At least a draw?" and "a win?", asked for both sides at growing horizons, bound the
 * result from both ends; "a win within n turns?" with the horizon at n turns is answered exactly and gives
 * the distance.
 *
 * Every position returns a range that is final, [least score the prover can force, highest score it can
 * reach], whether or not the question was answered. Scores are the prover's: WON less the turns until the
 * end, 0 for a draw, and the negatives. A position that is known to be won, but not when, is worth at least
 * WON_SOMETIME, which is below every real distance. Turns count from the root, and the turn is part of a
 * position's key, so scores mean the same wherever a position is reached.
 */
#include "search/solve.h"

#include "base/bits.h"
#include "base/mem.h"
#include "search/minmax.h"

#include <assert.h>
#include <string.h>

/* ---- the transposition table ---- */

/* Proved scores of positions, by key. When a bucket is full, the cheapest entry is replaced first. Buckets
 * are numbered by the upper bits of the key, so that doubling their number splits each one into two. The
 * table grows with the search, as minmax_table does. */

/* Scores are a side's own (see above). Proofs are final; a failed proof is only valid up to the depth of
 * that search. */
struct solve_entry {
    uint64_t key;
    action best;
    uint32_t effort;         /* nodes it cost, at least; 0: the entry is empty */
    int16_t least[2];        /* by side: the score it can force */
    int16_t failed_goal[2];  /* by side: this score could not be proved … */
    uint16_t failed_turn[2]; /* … within this turn; 0: never tried */
};

_Static_assert(sizeof(struct solve_entry) == 32, "two entries fill a cache line");

enum { SOLVE_BUCKET = 2 }; /* entries a bucket: one cache line */

struct solve_bucket {
    struct solve_entry entries[SOLVE_BUCKET];
};

struct solve_table {
    void *block; /* the allocated block */
    struct solve_bucket *buckets;
    uint64_t bucket_count; /* in use; 0: no table, nothing is found */
    uint64_t bucket_max;   /* bucket_count doubles up to this one as the table fills */
    uint64_t taken;        /* entries */
};

/* The bucket's number from the key's upper half, for any number of buckets. */
static inline struct solve_bucket *solve_table_bucket(const struct solve_table *table, uint64_t key) {
    return &table->buckets[(key >> 32) * table->bucket_count >> 32];
}

static inline const struct solve_entry *solve_table_find(const struct solve_table *table, uint64_t key) {
    if (table->bucket_count == 0)
        return NULL;
    const struct solve_bucket *bucket = solve_table_bucket(table, key);
    for (int i = 0; i < SOLVE_BUCKET; i++)
        if (bucket->entries[i].key == key && bucket->entries[i].effort > 0)
            return &bucket->entries[i];
    return NULL;
}

/* Prefetches the bucket for solve_table_find. */
static inline void solve_table_prefetch(const struct solve_table *table, uint64_t key) {
    if (table->bucket_count > 0)
        __builtin_prefetch(solve_table_bucket(table, key));
}

enum { LINE = 64, SOLVE_FIRST_COUNT = 1 << 13 };

/* Takes at most `size` bytes (rounded up to one bucket; 0: no table). Buckets are aligned to cache lines by
 * hand, because the allocator promises only 16 bytes. */
static bool solve_table_init(struct solve_table *table, size_t size, struct err *e) {
    *table = (struct solve_table){0};
    if (size == 0)
        return true;
    const uint64_t count = size / sizeof(struct solve_bucket);
    table->bucket_max = count == 0 ? 1 : count > UINT32_MAX ? UINT32_MAX : count;
    table->block = mem_try_alloc((size_t)table->bucket_max * sizeof(struct solve_bucket) + LINE);
    if (table->block == NULL)
        return err_set(e, "not enough memory for a table of %zu MB", size >> 20);
    const uintptr_t start = ((uintptr_t)table->block + LINE - 1) / LINE * LINE;
    table->buckets = (struct solve_bucket *)start;
    table->bucket_count = table->bucket_max;
    while (table->bucket_count > SOLVE_FIRST_COUNT)
        table->bucket_count /= 2;
    return true;
}

static void solve_table_done(struct solve_table *table) {
    mem_free(table->block);
    *table = (struct solve_table){0};
}

/* The first place keeps the entry that cost most; the second is always replaced, so that a bucket of costly
 * but old entries still helps the current search. */
static void put(struct solve_table *table, const struct solve_entry *entry) {
    struct solve_entry *places = solve_table_bucket(table, entry->key)->entries;
    const bool is_free = places[0].key == entry->key || places[0].effort == 0;
    const bool costs_more = entry->effort >= places[0].effort;
    table->taken += places[is_free ? 0 : 1].effort == 0;
    if (!is_free && costs_more)
        places[1] = places[0];
    places[is_free || costs_more ? 0 : 1] = *entry;
}

/* Stores the entry in place of an older one of its key, or of the cheapest of its bucket. Grows when there is
 * an entry for each bucket on average, half of the places. */
static void solve_table_store(struct solve_table *table, const struct solve_entry *entry) {
    if (table->bucket_count == 0)
        return;
    if (table->taken >= table->bucket_count && 2 * table->bucket_count <= table->bucket_max) {
        /* Bucket i becomes 2i and 2i + 1, from the last to the first, so that no bucket is overwritten before
         * it has moved. */
        const uint64_t count = table->bucket_count;
        table->bucket_count = 2 * count;
        table->taken = 0;
        for (uint64_t i = count; i-- > 0;) {
            const struct solve_bucket old = table->buckets[i];
            table->buckets[i] = (struct solve_bucket){0};
            for (int k = SOLVE_BUCKET - 1; k >= 0; k--)
                if (old.entries[k].effort > 0)
                    put(table, &old.entries[k]);
        }
    }
    put(table, entry);
}

/* ---- the solver ---- */

enum {
    WON = 30000,
    WON_SOMETIME = 10000,
    TURNS_MAX = WON - WON_SOMETIME - 1, /* beyond, a real distance would look like WON_SOMETIME */
    PLIES_MAX = 4096,                   /* actions from the root to the deepest position */
    LISTED_MAX = 1 << 18,               /* total length of the action lists of one line */
    WATCH_EVERY = 1 << 16,              /* nodes between two reads of the clock for a watcher */
    HISTORY_BITS = 12,
    PICKED_MAX = 12, /* after so many actions without a cut-off their order does not matter any more */
};

#define NO_ACTION UINT32_MAX
static const float FIRST_SCORE = 1e9F;     /* the table's action */
static const float HISTORY_MOST = 10.0F;   /* highest bonus of past cut-offs on the game's own scores … */
static const float HISTORY_HALF = 1000.0F; /* … and how many cut-offs give half of it */

typedef void game_bounds(const void *state, double *low, double *high);

/* For the prover: lowest and highest possible score. */
struct range {
    int low, high;
};

/* Everything of one call of solve, which allocates it on the heap: the history alone has 64 KB. */
struct solver {
    const struct game *game;
    const struct search_task *task;
    const struct prior *prior;
    struct solve_table table;
    struct minmax_table expected; /* of games with chance */
    unsigned char *states;        /* PLIES_MAX of them, state_stride apart */
    size_t state_stride;
    action *listed, *list_next; /* one list after the other, along the line */
    float *scores;
    int listed_max;
    action *line_list; /* the same for following best play, which asks questions on the way */
    float *line_scores;

    struct budget_meter meter;
    int64_t watched_at;
    bool too_deep;
    uint64_t transpositions, saved;

    /* The question. */
    int prover, goal, horizon;

    int root_turn;
    int least[2]; /* by side: what is proved about the root */
    int depth;
    uint32_t history[2][2]
                    [1 << HISTORY_BITS]; /* [prover][mover]: how often each action has caused a cut-off */
};

static inline int more_of(int a, int b) {
    return a > b ? a : b;
}

static inline int less_of(int a, int b) {
    return a < b ? a : b;
}

static inline void *state_at(const struct solver *s, int ply) {
    return s->states + (size_t)ply * s->state_stride;
}

/* ---- scores ---- */

/* The game's own bounds of a position that is not over: the game ends in the current turn at the earliest. */
static struct range range_known_to(const struct solver *s, game_bounds *known, const void *state, int turn) {
    struct range range = {turn + 1 - WON, WON - (turn + 1)};
    if (known == NULL)
        return range;
    double low, high;
    known(state, &low, &high);
    if (s->prover == 1) {
        const double swap = low;
        low = 1 - high;
        high = 1 - swap;
    }
    if (low >= 0.5)
        range.low = low >= 1 ? WON_SOMETIME : 0;
    if (high <= 0.5)
        range.high = high <= 0 ? -WON_SOMETIME : 0;
    return range;
}

/* What best play secures is at least as narrow as the bounds on any play. */
static inline struct range static_range(const struct solver *s, const void *state, int turn) {
    return range_known_to(s, s->game->secured != NULL ? s->game->secured : s->game->bounds, state, turn);
}

static inline bool is_answered(const struct solver *s, struct range range) {
    return range.low >= s->goal || range.high < s->goal;
}

/* ---- the table ---- */

static inline uint64_t key_of(const struct solver *s, const void *state, int turn) {
    /* Not every game includes the turn in its key, and scores need it. */
    return s->game->key(state) ^ (uint64_t)(turn + 1) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Both sides' bounds are kept in one entry: a proof for one side limits the other. */
static void remember(struct solver *s, uint64_t key, struct range range, action best, uint64_t effort) {
    const int p = s->prover;
    struct solve_entry entry = {.key = key};
    const struct solve_entry *old = solve_table_find(&s->table, key);
    if (old != NULL)
        entry = *old;
    entry.best = best;
    entry.effort = effort > UINT32_MAX - entry.effort ? UINT32_MAX : entry.effort + (uint32_t)effort;
    entry.least[p] = (int16_t)range.low;
    entry.least[p ^ 1] = (int16_t)-range.high;
    if (!is_answered(s, range)) {
        entry.failed_goal[p] = (int16_t)s->goal;
        entry.failed_turn[p] = (uint16_t)s->horizon;
    }
    solve_table_store(&s->table, &entry);
}

/* ---- the order of actions ---- */

static inline uint32_t *history_of(struct solver *s, int mover, action a) {
    return &s->history[s->prover][mover][a * UINT32_C(0x9E3779B1) >> (32 - HISTORY_BITS)];
}

/* A node's actions, part of the stack of lists. */
struct listing {
    action *actions;
    float *scores;
    int count;
};

/* The game's own scores, raised by past cut-offs (the history heuristic, Schaeffer 1989). */
static void score_actions(struct solver *s, const void *state, int mover, const struct listing *l,
                          action first) {
    if (s->prior != NULL)
        s->prior->score(state, l->actions, l->count, l->scores);
    else
        for (int i = 0; i < l->count; i++)
            l->scores[i] = 0;
    for (int i = 0; i < l->count; i++) {
        const float past = (float)*history_of(s, mover, l->actions[i]);
        l->scores[i] =
            l->actions[i] == first ? FIRST_SCORE : l->scores[i] + HISTORY_MOST * past / (past + HISTORY_HALF);
    }
}

/* Swaps the best of the actions from `at` on to that place. */
static inline action pick(const struct listing *l, int at) {
    if (at >= PICKED_MAX)
        return l->actions[at];
    int best = at;
    for (int i = at + 1; i < l->count; i++)
        if (l->scores[i] > l->scores[best])
            best = i;
    const action a = l->actions[best];
    l->actions[best] = l->actions[at];
    l->scores[best] = l->scores[at];
    l->actions[at] = a;
    return a;
}

/* ---- the search ---- */

static struct range visit(struct solver *s, int ply, int turn_before);

/* Room for one more list and one more position. Without it the search ends: it could no longer distinguish
 * "not within the horizon" from "beyond the stack". */
static bool has_room(struct solver *s, const struct listing *l, int ply) {
    if (ply + 1 < PLIES_MAX && l->actions - s->listed + s->game->actions_max <= s->listed_max)
        return true;
    s->too_deep = s->meter.over = true;
    return false;
}

/* State of an inner node. */
struct node {
    int ply, mover, turn;
    struct listing list;
    struct range range;
    action best;
};

/* The prover needs one action that reaches the goal, the other side one after which it is not proved. */
BITS_INLINE void try_actions(struct solver *s, struct node *n, bool proves) {
    const int worst = proves ? -WON : WON;
    struct range sum = {worst, worst};
    for (int i = 0; i < n->list.count; i++) {
        const action a = pick(&n->list, i);
        void *child = state_at(s, n->ply + 1); /* a copy: games have no way to take an action back */
        memcpy(child, state_at(s, n->ply), s->game->state_size);
        s->game->play(child, a, s->task->rng);
        s->list_next = n->list.actions + n->list.count;
        const struct range r = visit(s, n->ply + 1, n->turn);
        if (s->meter.over)
            return;
        if (proves ? r.high > sum.high : r.low < sum.low)
            n->best = a;
        sum = proves ? (struct range){more_of(sum.low, r.low), more_of(sum.high, r.high)}
                     : (struct range){less_of(sum.low, r.low), less_of(sum.high, r.high)};
        if ((r.low >= s->goal) == proves) {
            n->best = a;
            if (proves)
                n->range.low = more_of(n->range.low, r.low);
            else
                n->range.high = less_of(n->range.high, r.high);
            *history_of(s, n->mover, a) += 1;
            return;
        }
    }
    n->range.low = more_of(n->range.low, sum.low);
    n->range.high = less_of(n->range.high, sum.high);
}

/* The list lies behind those of the plies above and is given back afterwards. */
static void expand(struct solver *s, struct node *n, action first) {
    const void *state = state_at(s, n->ply);
    n->list.actions = s->list_next;
    if (!has_room(s, &n->list, n->ply))
        return;
    n->list.scores = s->scores + (n->list.actions - s->listed);
    n->list.count = s->game->actions(state, n->list.actions);
    assert(n->list.count > 0);
    n->best = n->list.actions[0];
    score_actions(s, state, n->mover, &n->list, first);
    if (n->mover == s->prover)
        try_actions(s, n, true);
    else
        try_actions(s, n, false);
    s->list_next = n->list.actions;
}

/* The range of the position at `ply`; `turn_before` is the turn of the position before it. Once the budget is
 * used up the result is invalid and discarded. */
static struct range visit(struct solver *s, int ply, int turn_before) {
    const void *state = state_at(s, ply);
    budget_spend(&s->meter, 1);
    if (s->task->watch != NULL && s->meter.work_done % WATCH_EVERY == 0 &&
        search_shows(s->task, &s->watched_at)) {
        s->task->thoughts->depth = s->depth;
        s->task->thoughts->nodes = s->meter.work_done;
        search_show(s->task);
    }
    struct node n = {.ply = ply, .mover = s->game->mover(state)};
    if (n.mover == NOBODY) {
        /* The end belongs to the turn of the last action, even in a game that stops counting turns there. */
        const int turns = more_of(s->game->turn(state) - s->root_turn, turn_before + 1);
        const double payoff = s->game->payoff(state, s->prover);
        const int score = payoff > 0.75 ? WON - turns : payoff < 0.25 ? turns - WON : 0;
        return (struct range){score, score};
    }
    n.turn = s->game->turn(state) - s->root_turn;
    if (n.turn >= s->horizon || s->meter.over)
        return static_range(s, state, n.turn);
    const uint64_t key = key_of(s, state, n.turn);
    solve_table_prefetch(&s->table, key);
    n.range = static_range(s, state, n.turn);
    if (is_answered(s, n.range))
        return n.range;
    const struct solve_entry *entry = solve_table_find(&s->table, key);
    action first = NO_ACTION;
    if (entry != NULL) {
        n.range.low = more_of(n.range.low, entry->least[s->prover]);
        n.range.high = less_of(n.range.high, -entry->least[s->prover ^ 1]);
        if (is_answered(s, n.range) ||
            (entry->failed_turn[s->prover] >= s->horizon && entry->failed_goal[s->prover] <= s->goal)) {
            s->transpositions++;
            s->saved += entry->effort;
            return n.range;
        }
        first = entry->best;
    }
    const uint64_t nodes_before = s->meter.work_done;
    expand(s, &n, first);
    if (!s->meter.over)
        remember(s, key, n.range, n.best, s->meter.work_done - nodes_before + 1);
    return n.range;
}

/* ---- questions about the position at `ply` ---- */

/* Can this side force that score within so many turns of the root? */
struct question {
    int prover, goal, horizon;
};

/* The stack of lists is empty between questions. */
static struct range ask(struct solver *s, struct question q, int ply, int turn_before) {
    s->prover = q.prover;
    s->goal = q.goal;
    s->horizon = q.horizon;
    s->list_next = s->listed;
    return visit(s, ply, turn_before);
}

/* At the root: stores the result. False when the budget is used up. */
static bool ask_root(struct solver *s, struct question q) {
    if (s->meter.over)
        return false;
    memcpy(state_at(s, 0), s->task->root, s->game->state_size);
    const struct range r = ask(s, q, 0, -1);
    if (s->meter.over)
        return false;
    s->least[q.prover] = more_of(s->least[q.prover], r.low);
    s->least[q.prover ^ 1] = more_of(s->least[q.prover ^ 1], -r.high);
    return true;
}

/* What one side can force limits the other. */
static int most_of(const struct solver *s, int side) {
    return -s->least[side ^ 1];
}

/* True when won, drawn or lost is known. */
static bool is_decided(const struct solver *s) {
    return s->least[0] >= WON_SOMETIME || s->least[1] >= WON_SOMETIME ||
           (s->least[0] >= 0 && s->least[1] >= 0);
}

/* A draw first: a side that cannot force a draw cannot force a win. */
static bool close_in(struct solver *s, int side, int horizon) {
    if (s->least[side] < 0 && !ask_root(s, (struct question){side, 0, horizon}))
        return false;
    if (s->least[side] >= 0 && s->least[side] < WON_SOMETIME && most_of(s, side) >= WON_SOMETIME &&
        !ask_root(s, (struct question){side, WON_SOMETIME, horizon}))
        return false;
    /* Without a positive answer there is no win within the horizon. */
    if (s->least[side] < WON_SOMETIME)
        s->least[side ^ 1] = more_of(s->least[side ^ 1], horizon + 1 - WON);
    return true;
}

/* Horizons grow turn by turn, so that short wins are found at little cost. */
static bool find_result(struct solver *s, int root_side) {
    for (; !is_decided(s); s->depth++) {
        const int horizon = s->depth + 1;
        s->too_deep = s->too_deep || horizon > TURNS_MAX;
        if (s->too_deep || !close_in(s, root_side, horizon) ||
            (!is_decided(s) && !close_in(s, root_side ^ 1, horizon)))
            return false;
    }
    return true;
}

/* Asks for a win within 1, 2, … turns, beginning with the first number that is not ruled out. */
static bool find_distance(struct solver *s, int winner) {
    while (s->least[winner] < most_of(s, winner)) {
        const int turns = WON - most_of(s, winner);
        if (turns > TURNS_MAX || !ask_root(s, (struct question){winner, WON - turns, turns}))
            return false;
        if (s->least[winner] < WON - turns)
            s->least[winner ^ 1] = more_of(s->least[winner ^ 1], turns + 1 - WON);
        s->depth = more_of(s->depth, turns);
    }
    return true;
}

/* ---- best play ---- */

/* The result that best play preserves, action by action. */
struct aim {
    int winner;  /* NOBODY: a draw */
    bool exact;  /* the distance is known exactly */
    int score;   /* the winner's */
    int horizon; /* depth of the search */
};

/* Without an exact distance the winner has to stay winning only, within the depth that proved it. */
static struct aim aim_of(const struct solver *s) {
    const int winner = s->least[0] >= WON_SOMETIME ? 0 : s->least[1] >= WON_SOMETIME ? 1 : NOBODY;
    if (winner == NOBODY)
        return (struct aim){.winner = NOBODY, .horizon = s->depth};
    const int score = s->least[winner];
    if (score == most_of(s, winner))
        return (struct aim){winner, true, score, WON - score};
    return (struct aim){winner, false, WON_SOMETIME, s->depth};
}

/* The first action that preserves the result of its side, beginning with the table's. The loser preserves the
 * distance, if that is known. The list is the caller's memory: the questions use the stack of lists. */
static bool choose(struct solver *s, const struct aim *aim, struct node *n, action *out) {
    const void *state = state_at(s, n->ply);
    const struct solve_entry *entry = solve_table_find(&s->table, key_of(s, state, n->turn));
    const bool loses = aim->winner == (n->mover ^ 1);
    struct question q = {n->mover, 0, aim->horizon};
    if (aim->winner != NOBODY)
        q = (struct question){aim->winner, aim->score + loses, aim->horizon - loses};
    n->list.count = s->game->actions(state, n->list.actions);
    n->list.scores = s->line_scores;
    score_actions(s, state, n->mover, &n->list, entry != NULL ? entry->best : NO_ACTION);
    for (int i = 0; i < n->list.count && !s->meter.over; i++) {
        *out = pick(&n->list, i);
        if (loses && !aim->exact)
            return true;
        void *child = state_at(s, n->ply + 1);
        memcpy(child, state, s->game->state_size);
        s->game->play(child, *out, s->task->rng);
        const struct range r = ask(s, q, n->ply + 1, n->turn);
        if (!s->meter.over && (r.low >= q.goal) != loses)
            return true;
    }
    return false;
}

/* Follows best play until the game is over; when the distance does not matter, until the rules alone decide.
 * Uses at most the rest of the budget. Returns the turns to the end, or 0 when it was not reached. */
static int find_line(struct solver *s, struct solution *out) {
    const struct aim aim = aim_of(s);
    struct node n = {.list.actions = s->line_list};
    void *state = state_at(s, 0);
    out->line_count = 0;
    memcpy(state, s->task->root, s->game->state_size);
    while ((n.mover = s->game->mover(state)) != NOBODY) {
        n.turn = s->game->turn(state) - s->root_turn;
        s->prover = aim.exact ? s->prover : 0; /* it numbers the history, so the order of equal actions */
        const struct range r = range_known_to(s, s->game->bounds, state, n.turn);
        const bool is_final = r.low >= WON_SOMETIME || r.high <= -WON_SOMETIME || (r.low == 0 && r.high == 0);
        action a;
        if (out->line_count == SOLVE_LINE_MAX || (!aim.exact && is_final) || !choose(s, &aim, &n, &a))
            return 0;
        out->line[out->line_count++] = a;
        s->game->play(state, a, s->task->rng);
    }
    return more_of(s->game->turn(state) - s->root_turn, n.turn + 1);
}

/* ---- games with chance ---- */

/* The expected payoff of the prover under best play; the table holds the positions that were visited. */
static double expect(struct solver *s, int ply, action *best) {
    const void *state = state_at(s, ply);
    budget_spend(&s->meter, 1);
    const int mover = s->game->mover(state);
    if (mover == NOBODY)
        return s->game->payoff(state, s->prover);
    const uint64_t key = key_of(s, state, s->game->turn(state) - s->root_turn);
    const struct minmax_entry *known = minmax_table_find(&s->expected, key);
    if (known != NULL) {
        s->transpositions++;
        *best = known->best;
        return known->value;
    }
    const struct listing list = {.actions = s->list_next};
    if (!has_room(s, &list, ply))
        return 0;
    const int count = s->game->actions(state, list.actions);
    double value = 0;
    for (int i = 0; i < count && !s->meter.over; i++) {
        const action a = list.actions[i];
        const int outcomes = game_outcomes(s->game, state, a);
        double next = 0; /* the mean over all outcomes */
        action unused;
        s->list_next = list.actions + count;
        for (int outcome = 0; outcome < outcomes && !s->meter.over; outcome++) {
            memcpy(state_at(s, ply + 1), state, s->game->state_size);
            game_play_outcome(s->game, state_at(s, ply + 1), a, outcome);
            next += expect(s, ply + 1, &unused);
        }
        next /= outcomes;
        if (i == 0 || (mover == s->prover ? next > value : next < value)) {
            value = next;
            *best = a;
        }
    }
    s->list_next = list.actions;
    if (!s->meter.over)
        minmax_table_store(&s->expected, &(struct minmax_entry){.key = key, .value = value, .best = *best});
    return value;
}

static void report_work(const struct solver *s, struct solution *out) {
    out->too_deep = s->too_deep;
    out->nodes = s->meter.work_done;
    out->transpositions = s->transpositions;
    out->saved = s->saved;
}

/* Fills the solution of a game with chance. */
static void solve_expected(struct solver *s, int side, struct solution *out) {
    void *state = state_at(s, 0);
    action best;
    s->prover = side;
    s->list_next = s->listed;
    memcpy(state, s->task->root, s->game->state_size);
    const double value = expect(s, 0, &best);
    out->solved = !s->meter.over;
    out->low = out->solved ? value : 0;
    out->high = out->solved ? value : 1;
    report_work(s, out); /* without that of following the line */
    for (int drawn = 1; drawn == 1 && !s->meter.over && s->game->mover(state) != NOBODY &&
                        out->line_count < SOLVE_LINE_MAX;) {
        out->line[out->line_count++] = best;
        drawn = game_outcomes(s->game, state, best);
        game_play_outcome(s->game, state, best, 0);
        if (drawn == 1)
            expect(s, 0, &best);
    }
}

/* ---- the whole search ---- */

/* One block for all arrays of a search, states first; only the table grows with the memory option. */
static bool open_solver(struct solver *s, const struct search_task *task,
                        const struct solve_settings *settings, struct err *e) {
    const struct game *game = task->game;
    *s = (struct solver){.game = game, .task = task, .least = {1 - WON, 1 - WON}};
    s->state_stride = (game->state_size + 63) / 64 * 64;
    s->listed_max = more_of(LISTED_MAX, 4 * game->actions_max);
    const size_t states = PLIES_MAX * s->state_stride;
    const size_t lists = (size_t)(s->listed_max + game->actions_max) * (sizeof(action) + sizeof(float));
    s->states = mem_try_alloc(states + lists);
    if (s->states == NULL)
        return err_set(e, "not enough memory: %zu bytes were asked for", states + lists);
    s->listed = (action *)(s->states + states);
    s->line_list = s->listed + s->listed_max;
    s->scores = (void *)(s->line_list + game->actions_max);
    s->line_scores = s->scores + s->listed_max;
    const bool has_table = game->outcomes != NULL ? minmax_table_init(&s->expected, settings->memory_bytes, e)
                                                  : solve_table_init(&s->table, settings->memory_bytes, e);
    if (!has_table) {
        mem_free(s->states);
        return false;
    }
    for (const struct prior *p = game->priors; p != NULL && p->name != NULL; p++)
        s->prior = p; /* the last one is the most precise */
    s->root_turn = game->turn(task->root);
    s->watched_at = task->watch != NULL ? clock_now_ns(task->budget.clock) : 0;
    budget_start(&s->meter, &task->budget);
    return true;
}

/* Scores between the two marks are draws, as far as the result is concerned. */
static double payoff_of(int score) {
    return score >= WON_SOMETIME ? 1 : score > -WON_SOMETIME ? 0.5 : 0;
}

/* Bounds to `side`, the mover at the root, from what both sides can force. */
static void report(const struct solver *s, int side, int line_turns, struct solution *out) {
    out->low = s->least[side] >= 0 ? payoff_of(s->least[side]) : 0;
    out->high = s->least[side ^ 1] >= 0 ? payoff_of(most_of(s, side)) : 1;
    out->solved = is_decided(s);
    const struct aim aim = aim_of(s);
    if (out->solved && aim.winner != NOBODY) {
        out->turns_low = WON - most_of(s, aim.winner);
        out->turns_high = s->least[aim.winner] > WON_SOMETIME ? WON - s->least[aim.winner] : 0;
    } else if (out->solved) {
        out->turns_low = out->turns_high = line_turns;
    }
    out->distance_known = out->turns_high > 0 && out->turns_low == out->turns_high;
    out->depth = s->depth;
    report_work(s, out);
}

/* A line is followed twice when the distance is found after the result: the first one may take detours. */
bool solve(const struct search_task *task, const struct solve_settings *settings, struct solution *out,
           struct err *e) {
    struct solver *s = mem_alloc(sizeof *s);
    if (!open_solver(s, task, settings, e)) {
        mem_free(s);
        return false;
    }
    const int side = task->game->mover(task->root);
    assert(side != NOBODY);
    memset(out, 0, sizeof *out);
    if (task->game->outcomes != NULL) {
        solve_expected(s, side, out);
    } else {
        int line_turns = 0;
        if (find_result(s, side)) {
            line_turns = find_line(s, out);
            const struct aim aim = aim_of(s);
            if (aim.winner != NOBODY && !aim.exact && !settings->wdl_only && find_distance(s, aim.winner))
                line_turns = find_line(s, out);
        }
        report(s, side, line_turns, out);
    }
    if (task->thoughts != NULL) {
        thoughts_start(task->thoughts);
        task->thoughts->depth = s->depth;
        task->thoughts->nodes = s->meter.work_done;
        struct thought best = {.action = out->line[0],
                               .value = out->low,
                               .visits = out->nodes,
                               .line_count = less_of(out->line_count, THOUGHTS_LINE_MAX)};
        memcpy(best.line, out->line, (size_t)best.line_count * sizeof(action));
        if (best.line_count > 0)
            thoughts_add(task->thoughts, &best, false);
    }
    solve_table_done(&s->table);
    minmax_table_done(&s->expected);
    mem_free(s->states);
    mem_free(s);
    return true;
}
