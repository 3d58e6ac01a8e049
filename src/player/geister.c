/* SPDX-License-Identifier: MIT */
#include "player/geister.h"

bool geister_player_needs(const char *player, const struct game *game, const char *setup,
                          struct setup_strategy *out, struct err *e) {
    if (game != &geister_game)
        return err_set(e, "%s plays only Geister, not %s", player, game->name);
    return setup_read(setup, out, e) || err_prefix(e, "%s: ", player);
}

bool geister_player_sets(const struct setup_strategy *strategy, const struct ask *ask, struct answer *out) {
    const struct geister *view = ask->view;
    if (view->stage >= GEISTER_PLAYING)
        return false;
    out->chosen = setup_choose(strategy, ask->rng);
    out->work_done = 1;
    return true;
}

action geister_player_move(const struct ask *ask, action own) {
    const action sideways = geister_turned(own, ask->side);
    return ask->game->is_legal(ask->view, sideways)
               ? sideways
               : geister_turned(geister_move((int)own / 4, GEISTER_NORTH), ask->side);
}
