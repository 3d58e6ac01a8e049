/* SPDX-License-Identifier: MIT */
#include "match/secret.h"

#include "base/mem.h"

#include <string.h>

/* The key of what that side sees when this is played; chance is the same for all that are compared. */
static uint64_t key_after(const struct game *game, const void *state, action a, int side) {
    _Alignas(16) unsigned char after[GAME_STATE_MAX];
    struct rng chance;
    rng_seed(&chance, 0);
    memcpy(after, state, game->state_size);
    game->play(after, a, &chance);
    game->hide(after, side);
    return game->key(after);
}

int secret_alike(const struct game *game, const void *state, action played, int side, action *out) {
    out[0] = played;
    if (game->hide == NULL)
        return 1;
    const uint64_t key = key_after(game, state, played, side);
    const int all = game->actions(state, out);
    int count = 0;
    for (int i = 0; i < all; i++)
        if (out[i] == played || key_after(game, state, out[i], side) == key)
            out[count++] = out[i];
    if (count == 0) /* legal, but not listed */
        out[count++] = played;
    return count;
}

bool secret_is(const struct game *game, const void *state, action played, int side) {
    if (game->hide == NULL)
        return false;
    action *alike = mem_alloc((size_t)game->actions_max * sizeof *alike);
    const int count = alike != NULL ? secret_alike(game, state, played, side, alike) : 0;
    mem_free(alike);
    return count > 1;
}
