/* SPDX-License-Identifier: MIT
 *
 * `random`: one of the listed actions, all equally likely. Plays every game; never passes or resigns.
 */
#include "base/mem.h"
#include "player/players.h"

struct random_player {
    struct player player; /* first member */
    action *actions;
};

static struct player *open_random(const struct player_type *type, const struct game *game,
                                  const void *options, struct err *e) {
    (void)options;
    struct random_player *p = mem_alloc(sizeof *p);
    action *actions = mem_alloc((size_t)game->actions_max * sizeof *actions);
    if (p == NULL || actions == NULL) {
        mem_free(p);
        mem_free(actions);
        err_set(e, "random: not enough memory");
        return NULL;
    }
    *p = (struct random_player){{type}, actions};
    return &p->player;
}

static void choose_random(struct player *player, const struct ask *ask, struct answer *out) {
    struct random_player *p = (struct random_player *)player;
    const int count = ask->game->actions(ask->view, p->actions);
    out->chosen = p->actions[rng_below(ask->rng, (uint32_t)count)];
    out->work_done = 1;
}

static void close_random(struct player *player) {
    struct random_player *p = (struct random_player *)player;
    mem_free(p->actions);
    mem_free(p);
}

const struct player_type player_random = {
    .name = "random",
    .help = "any legal action, evenly",
    .open = open_random,
    .choose = choose_random,
    .close = close_random,
};
