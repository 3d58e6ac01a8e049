/* SPDX-License-Identifier: MIT */
#include "match/secret.h"

#include "base/mem.h"

#include <string.h>

/* What that side sees when this is played; chance is the same for all that are compared. Returns its key. */
static uint64_t see_after(const struct game *game, const void *state, action a, int side, void *out) {
    struct rng chance;
    rng_seed(&chance, 0);
    memcpy(out, state, game->state_size);
    game->play(out, a, &chance);
    game->hide(out, side);
    return game->key(out);
}

/* Keys leave out how a position came about, which a side may see all the same. */
static bool reads_alike(const struct game *game, const void *view, const void *other) {
    struct text texts[2] = {{0}, {0}};
    game->text->write_state(view, &texts[0]);
    game->text->write_state(other, &texts[1]);
    const bool alike = strcmp(text_string(&texts[0]), text_string(&texts[1])) == 0;
    text_done(&texts[0]);
    text_done(&texts[1]);
    return alike;
}

int secret_alike(const struct game *game, const void *state, action played, int side, action *out) {
    out[0] = played;
    if (game->hide == NULL)
        return 1;
    _Alignas(16) unsigned char seen[GAME_STATE_MAX], other[GAME_STATE_MAX];
    const uint64_t key = see_after(game, state, played, side, seen);
    const int all = game->actions(state, out);
    int count = 0;
    for (int i = 0; i < all; i++)
        if (out[i] == played ||
            (see_after(game, state, out[i], side, other) == key && reads_alike(game, seen, other)))
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
