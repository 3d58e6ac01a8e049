/* SPDX-License-Identifier: MIT */
#include "match/signature.h"

#include "base/hash.h"
#include "base/mem.h"
#include "match/referee.h"

#include <string.h>

enum { PLAYOUTS = 50, GAMES = 4 };

/* Players whose every decision counts. New players are added at the end. */
static const char *const players[] = {"random", "acteval", "acteval:style=sample"};

static uint64_t hash_rollouts(uint64_t hash, const struct scenario *scenario) {
    const struct game *game = scenario->game;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    for (const struct rollout *policy = game->rollouts; policy->name != NULL; policy++) {
        struct rng r;
        rng_seed(&r, 20240607);
        for (int i = 0; i < PLAYOUTS; i++) {
            game->start(state, scenario, &r);
            hash = hash_u64(hash, (uint64_t)policy->run(state, &r, 0));
            hash = hash_u64(hash, game->key(state));
        }
    }
    return hash;
}

/* One game of a player against itself. */
static bool hash_game(uint64_t *hash, const struct scenario *scenario, struct player *player, action *list,
                      uint64_t seed) {
    struct referee referee;
    referee_start(&referee, scenario, seed, NULL);
    while (referee_mover(&referee) != NOBODY) {
        struct ask ask;
        struct answer answer;
        const int legal = scenario->game->actions(referee.state, list);
        for (int i = 0; i < legal; i++)
            *hash = hash_u64(*hash, list[i]);
        referee_ask(&referee, &ask);
        player_choose(player, &ask, &answer);
        *hash = hash_u64(*hash, answer.chosen);
        *hash = hash_u64(*hash, answer.work_done);
        if (!referee_answer(&referee, answer.chosen, -1, NULL))
            return false;
    }
    *hash = hash_u64(*hash, scenario->game->key(referee.state));
    return true;
}

static bool hash_players(uint64_t *hash, const struct scenario *scenario, struct err *e) {
    action *list = mem_alloc((size_t)scenario->game->actions_max * sizeof *list);
    if (list == NULL)
        return err_set(e, "not enough memory");
    bool ok = true;
    for (size_t i = 0; ok && i < sizeof players / sizeof players[0]; i++) {
        struct player *player = player_open(players[i], scenario->game, e);
        ok = player != NULL;
        for (uint64_t seed = 1; ok && seed <= GAMES; seed++)
            ok = hash_game(hash, scenario, player, list, seed);
        player_close(player);
    }
    mem_free(list);
    return ok;
}

bool signature_compute(struct scenario *const *scenarios, int count, uint64_t *out, struct err *e) {
    uint64_t hash = HASH_START;
    for (int i = 0; i < count; i++) {
        hash = hash_rollouts(hash, scenarios[i]);
        if (!hash_players(&hash, scenarios[i], e))
            return false;
    }
    *out = hash;
    return true;
}
