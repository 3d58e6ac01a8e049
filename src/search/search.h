/* SPDX-License-Identifier: MIT
 *
 * Input and output of every search. A search uses a game only through its table, keeps nothing between calls,
 * and draws all random numbers from the task's generator.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "game/game.h"

/* ---- what a search reports about its decision ---- */

/* Beyond the action: candidates with values and visits, lines of play, how much was done. A caller that wants
 * it hands in an empty struct (zeros); a search fills it at the end, and on the way for a watcher. There is
 * room for THOUGHTS_MAX candidates, or for as many as the caller has made room for. */

enum { THOUGHTS_MAX = 64, THOUGHTS_LINE_MAX = 32 };

struct thought {
    action action;
    double value; /* to the mover; the scale is the search's own */
    bool at_most; /* the value is an upper bound: alpha-beta did not search further */
    bool leads;   /* the chosen action: before all others, since among equals its place would be arbitrary */
    uint64_t visits; /* simulations or nodes spent on it; 0 when the search does not count them */
    int line_count;
    action line[THOUGHTS_LINE_MAX]; /* expected play, beginning with the action itself */
};

struct thoughts {
    int count;                   /* as many of the best as fit */
    int capacity;                /* of a list made by thoughts_widen; 0: none */
    struct thought *candidates;  /* best first: that list, or `few` */
    int total;                   /* how many candidates there were */
    uint64_t simulations, nodes; /* 0 where the search has none */
    int depth;                   /* of the tree, or completed; in the search's own plies */
    struct thought few[THOUGHTS_MAX];
};

/* A callback for a search in progress, called at most every `every_ns` nanoseconds. */
struct watch {
    void (*show)(void *context, const struct thoughts *so_far);
    void *context;
    int64_t every_ns;
};

/* Makes room for more than THOUGHTS_MAX candidates, until thoughts_done; what was there before is dropped. */
void thoughts_widen(struct thoughts *thoughts, int capacity);
void thoughts_done(struct thoughts *thoughts);

static inline int thoughts_room(const struct thoughts *thoughts) {
    return thoughts->capacity > 0 ? thoughts->capacity : THOUGHTS_MAX;
}

void thoughts_start(struct thoughts *thoughts);

/* Inserts a candidate behind those at least as good by (value, then visits); with `by_visits`, by (visits,
 * then value). One that leads comes first. A full list drops its worst. Returns the entry, whose line the
 * caller fills, or NULL when it was dropped. */
struct thought *thoughts_add(struct thoughts *thoughts, const struct thought *candidate, bool by_visits);

/* ---- the actions of one whole turn of one side, as the searches over turns find them ---- */

/* More than the units of any side of the tactical game. A longer turn is truncated. */
enum { TURN_LINE_MAX = 128 };

struct turn_line {
    int count;
    action actions[TURN_LINE_MAX];
};

static inline void turn_line_add(struct turn_line *line, action a) {
    if (line->count < TURN_LINE_MAX)
        line->actions[line->count++] = a;
}

/* Copies as much of the line as a thought can hold. */
static inline void turn_line_show(const struct turn_line *line, struct thought *out) {
    out->line_count = line->count < THOUGHTS_LINE_MAX ? line->count : THOUGHTS_LINE_MAX;
    for (int i = 0; i < out->line_count; i++)
        out->line[i] = line->actions[i];
}

/* ---- what a search is asked, and its result ---- */

struct search_task {
    const struct game *game;
    const void *root; /* the game must not be over */
    struct budget budget;
    struct rng *rng;
    struct thoughts *thoughts; /* filled when not NULL */
    const struct watch *watch; /* may be NULL; needs `thoughts` and a clock in the budget */
};

struct search_result {
    action chosen;
    double value;    /* to the mover, on the search's own scale */
    uint64_t work;   /* in the units of the search's budget: simulations, nodes, turns … */
    uint64_t nodes;  /* positions visited, or tree nodes made */
    uint64_t leaves; /* evaluated playouts and ends of games, nested ones included; 0: not counted */
};

/* A state on the stack of a search. */
union search_state {
    max_align_t alignment;
    unsigned char bytes[GAME_STATE_MAX];
};

static inline void search_copy(const struct game *game, union search_state *to, const void *from) {
    __builtin_memcpy(to->bytes, from, game->state_size);
}

/* True when the watcher is due; the time is then stored as that of the last report. */
static inline bool search_shows(const struct search_task *task, int64_t *shown_ns) {
    if (task->watch == NULL || task->thoughts == NULL || task->budget.clock == NULL)
        return false;
    const int64_t now = clock_now_ns(task->budget.clock);
    if (now - *shown_ns < task->watch->every_ns)
        return false;
    *shown_ns = now;
    return true;
}

static inline void search_show(const struct search_task *task) {
    task->watch->show(task->watch->context, task->thoughts);
}

/* All orders of the actions are equally likely. */
static inline void search_shuffle(struct rng *r, action *list, int count) {
    for (int i = count - 1; i > 0; i--) {
        const uint32_t k = rng_below(r, (uint32_t)i + 1);
        const action swapped = list[i];
        list[i] = list[k];
        list[k] = swapped;
    }
}

#endif
