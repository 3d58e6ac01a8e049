/* SPDX-License-Identifier: MIT
 *
 * What every search is given and gives back. Searches know no game but through its table, keep nothing
 * between calls, and draw all chance from the task's generator.
 */
#ifndef SEARCH_SEARCH_H
#define SEARCH_SEARCH_H

#include "base/budget.h"
#include "search/thoughts.h"

struct search_task {
    const struct game *game;
    const void *root; /* somebody must be to move */
    struct budget budget;
    struct rng *rng;
    struct thoughts *thoughts; /* filled when not NULL */
    const struct watch *watch; /* may be NULL; needs `thoughts` and a clock in the budget */
};

struct search_result {
    action chosen;
    double value;   /* to the mover, on the search's own scale */
    uint64_t work;  /* in the units of the search's budget: simulations, nodes, turns … */
    uint64_t nodes; /* positions looked at, or tree nodes made */
    uint64_t
        leaves; /* playouts and ends of games evaluated, those inside of others included; 0: not counted */
};

/* A state on the stack of a search. */
union search_state {
    max_align_t alignment;
    unsigned char bytes[GAME_STATE_MAX];
};

static inline void search_copy(const struct game *game, union search_state *to, const void *from) {
    __builtin_memcpy(to->bytes, from, game->state_size);
}

/* Every order of the actions is as likely as the others. */
static inline void search_shuffle(struct rng *r, action *list, int count) {
    for (int i = count - 1; i > 0; i--) {
        const uint32_t k = rng_below(r, (uint32_t)i + 1);
        const action swapped = list[i];
        list[i] = list[k];
        list[k] = swapped;
    }
}

#endif
