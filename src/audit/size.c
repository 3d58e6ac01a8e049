/* SPDX-License-Identifier: MIT */
#include "audit/size.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

enum { WALKS = 100, PLIES_MAX = 1 << 16 };

/* Nodes of one deal, as this walk has it: at every step all that might have been done instead is counted as
 * large as what was done. */
static double walk(const struct game *game, void *state, action *list, struct rng *r) {
    double nodes = 1, level = 1;
    for (int ply = 0; ply < PLIES_MAX; ply++) {
        if (game->mover(state) == NOBODY)
            return nodes;
        const int count = game->actions(state, list);
        level *= count;
        nodes += level;
        game->play(state, list[rng_below(r, (uint32_t)count)], r);
    }
    return (double)INFINITY;
}

bool size_estimate(const struct scenario *scenario, uint64_t seed, struct size_estimate *out, struct err *e) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char root[GAME_STATE_MAX], state[GAME_STATE_MAX];
    struct rng r;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    if (list == NULL)
        return err_set(e, "not enough memory");
    rng_seed(&r, seed);
    game->start(root, scenario, &r);
    if (game->hide != NULL)
        game->hide(root, NOBODY);
    *out = (struct size_estimate){.deals = game->hide != NULL ? game->worlds(root) : 1};
    double sum = 0;
    for (int i = 0; i < WALKS; i++) {
        memcpy(state, root, game->state_size);
        if (game->hide != NULL)
            game->determinize(state, &r);
        sum += walk(game, state, list, &r);
    }
    out->nodes = out->deals * sum / WALKS;
    mem_free(list);
    return true;
}
