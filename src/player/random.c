/* SPDX-License-Identifier: MIT
 *
 * `random`: one of the listed actions, all equally likely. Plays every game; never passes or resigns.
 */
#include "base/mem.h"
#include "player/player.h"

struct random_player {
    struct player player; /* first member */
    action *actions;
};

static bool open_random(struct player *player, const struct game *game, struct err *e) {
    (void)e;
    ((struct random_player *)player)->actions = mem_alloc((size_t)game->actions_max * sizeof(action));
    return true;
}

static void choose_random(struct player *player, const struct ask *ask, struct answer *out) {
    struct random_player *p = (struct random_player *)player;
    const int count = ask->game->actions(ask->view, p->actions);
    out->chosen = p->actions[rng_below(ask->rng, (uint32_t)count)];
    out->work_done = 1;
}

static void close_random(struct player *player) {
    mem_free(((struct random_player *)player)->actions);
}

const struct player_type player_random = {
    .name = "random",
    .help = "any legal action, evenly",
    .size = sizeof(struct random_player),
    .open = open_random,
    .choose = choose_random,
    .close = close_random,
};
