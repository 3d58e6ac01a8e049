/* SPDX-License-Identifier: MIT
 *
 * Input and output of every search. A search uses a game only through its table, keeps nothing between calls,
 * and draws all random numbers from the task's generator.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/clock.h"
#include "search/thoughts.h"

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
