/* SPDX-License-Identifier: MIT
 *
 * Counting action sequences.
 */
#include "base/budget.h"
#include "base/mem.h"
#include "game/game.h"

#include <string.h>

struct walk {
    const struct game *game;
    struct budget_meter meter; /* a unit of work is a list of actions */
    action *actions;           /* one block of actions_max a level */
    uint64_t nodes;
};

static bool walk(struct walk *w, const void *state, int depth, int level) {
    if (!budget_spend(&w->meter, 1))
        return false;
    action *list = w->actions + (size_t)level * (size_t)w->game->actions_max;
    const int count = w->game->actions(state, list);
    if (depth <= 1) {
        w->nodes += (uint64_t)count;
        return true;
    }
    _Alignas(16) unsigned char next[GAME_STATE_MAX];
    for (int i = 0; i < count; i++) {
        memcpy(next, state, w->game->state_size);
        w->game->play(next, list[i], NULL);
        if (!walk(w, next, depth - 1, level + 1))
            return false;
    }
    return true;
}

bool game_perft(const struct game *game, const void *state, int depth, const struct budget *budget,
                uint64_t *nodes) {
    if (depth <= 0) {
        *nodes = 1;
        return true;
    }
    struct walk w = {.game = game};
    budget_start(&w.meter, budget != NULL ? budget : &(struct budget){0});
    w.actions = mem_alloc((size_t)depth * (size_t)game->actions_max * sizeof(action));
    const bool ok = w.actions != NULL && walk(&w, state, depth, 0);
    mem_free(w.actions);
    *nodes = w.nodes;
    return ok;
}
