/* SPDX-License-Identifier: MIT
 *
 * The signature: one hash over playouts and decisions with fixed seeds and budgets of work. A change of a
 * rule, a playout or a search changes it; a change that only makes code faster or shorter does not.
 */
#include "match/clocked_game.h"

#include "base/mem.h"

#include <string.h>

enum { PLAYOUTS = 50, DECISIONS_MAX = 100000, STATE_SMALL = 256, PAYOFF_STEPS = 1000000 };

/* Kinds of games: nothing is hidden and states are small or large, or something is hidden in a small game, or
 * it is Geister, which has players of its own. */
enum { SMALL = 1, LARGE = 2, HIDDEN = 4, GEISTER = 8 };

/* The players of the signature. New ones are added at the end. Searching players play the first decisions of
 * one game, and not on large boards, where that takes long. */
static const struct probe {
    const char *spec;
    int games, decisions;
    int where; /* kinds of games */
} probes[] = {
    {"random", 4, DECISIONS_MAX, SMALL | LARGE | HIDDEN | GEISTER},
    {"acteval", 4, DECISIONS_MAX, SMALL | LARGE},
    {"acteval:style=sample", 4, DECISIONS_MAX, SMALL | LARGE},
    {"uct:sims=1200", 1, 24, SMALL | LARGE},
    {"uct:sims=1200,threads=2,horizon=4,c=0.5", 1, 16, SMALL},
    {"uct:sims=1200,transpositions=yes,expand=4", 1, 16, SMALL},
    {"uct:sims=1200,reuse=yes,choose=visits", 1, 16, SMALL},
    {"pwuct:sims=1200", 1, 24, SMALL | LARGE},
    {"muct:sims=60", 1, 24, SMALL},
    {"dlmc:turns=12,sims=8", 1, 24, SMALL | LARGE},
    {"aas:nodes=3000", 1, 24, SMALL},
    {"aas:nodes=3000,rest=greedy", 1, 16, SMALL},
    {"minmax:nodes=10000", 1, 24, SMALL | LARGE},
    {"minmax:depth=2,nodes=10000,eval=threat", 1, 16, SMALL},
    {"split:player=[minmax:nodes=10000]", 1, 16, SMALL | LARGE},
    {"pimc:sims=200", 1, 12, SMALL},
    {"iimc:sims=20,inner=5", 1, 8, SMALL},
    {"amcts:constant=0.5,inner=5,rule=6g", 1, 8, SMALL},
    {"ismcts", 1, 16, SMALL},
    {"pimc", 8, DECISIONS_MAX, HIDDEN},
    {"pimc:evaluator=minimax,worlds=all,sims=100", 4, DECISIONS_MAX, HIDDEN},
    {"pimc:root=ucb1,value=sum,sims=100", 4, DECISIONS_MAX, HIDDEN},
    {"pimc:root=roundrobin,sims=0,constant=5", 4, DECISIONS_MAX, HIDDEN},
    {"iimc:sims=100,inner=20", 4, DECISIONS_MAX, HIDDEN},
    {"iimc:sims=50,inner=0,constant=2,opponent=pimc", 4, DECISIONS_MAX, HIDDEN},
    {"amcts", 8, DECISIONS_MAX, HIDDEN},
    {"amcts:rule=6c,keep=yes,inner=10", 4, DECISIONS_MAX, HIDDEN},
    {"amcts:rule=random,skip=no,inner=10,leaves=3000", 4, DECISIONS_MAX, HIDDEN},
    {"ismcts", 8, DECISIONS_MAX, HIDDEN},
    {"ismcts:bound=tuned,threads=2,expand=3,choose=mean", 4, DECISIONS_MAX, HIDDEN},
    {"pimc:sims=100", 1, 24, GEISTER},
    {"ismcts:sims=100", 1, 24, GEISTER},
    {"gst-a:sims=100", 1, 40, GEISTER},
    {"gst-b:sims=200,threads=2,policy=random", 1, 40, GEISTER},
    {"gst-c:sims=100,merge=yes", 1, 40, GEISTER},
    {"gst-c:sims=100,reading=again,choose=visits", 1, 40, GEISTER},
    {"nissy:sims=100,mate=5", 2, 120, GEISTER},
    {"purple:depth=4", 2, 80, GEISTER},
    {"eacp:depth=2", 1, 40, GEISTER},
    {"guess", 4, DECISIONS_MAX, GEISTER},
    {"pg", 2, DECISIONS_MAX, GEISTER},
    {"pg:style=sample,setup=strong", 2, DECISIONS_MAX, GEISTER},
    {"geist:sims=200", 1, 60, GEISTER},
};

/* The end of each playout, by every policy of the game: catches a changed rule as well as a changed
 * policy. */
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
            if (game->hide != NULL) /* payoffs are graded, and hidden parts count */
                hash = hash_u64(hash, (uint64_t)(game->payoff(state, 0) * PAYOFF_STEPS + 0.5));
        }
    }
    return hash;
}

/* The first decisions of one game of a player against itself: legal actions, choices and amounts of work. A
 * search that finds the same action in another way has another signature. */
static uint64_t hash_game(uint64_t hash, const struct scenario *scenario, struct player *player,
                          int decisions, uint64_t seed) {
    const struct game *game = scenario->game;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    struct referee referee;
    referee_start(&referee, scenario, seed, NULL);
    for (int i = 0; i < decisions && referee_mover(&referee) != NOBODY; i++) {
        struct ask ask;
        struct answer answer;
        const int legal = game->actions(referee.state, list);
        for (int k = 0; k < legal; k++)
            hash = hash_u64(hash, list[k]);
        referee_ask(&referee, &ask);
        player_choose(player, &ask, &answer);
        hash = hash_u64(hash, answer.chosen);
        hash = hash_u64(hash, answer.work_done);
        if (game->hide != NULL)
            hash = hash_u64(hash, answer.leaves);
        referee_answer(&referee, answer.chosen, -1, NULL); /* cannot fail where nothing is recorded */
    }
    mem_free(list);
    return hash_u64(hash, game->key(referee.state));
}

/* Players are opened anew for each scenario, so that none brings knowledge from another one. */
bool signature_compute(struct scenario *const *scenarios, int count, uint64_t *out, struct err *e) {
    uint64_t hash = HASH_START;
    bool ok = true;
    for (int i = 0; ok && i < count; i++) {
        const struct game *game = scenarios[i]->game;
        const int kind = strcmp(game->name, "geister") == 0 ? GEISTER
                         : game->hide != NULL               ? HIDDEN
                         : game->state_size <= STATE_SMALL  ? SMALL
                                                            : LARGE;
        hash = hash_rollouts(hash, scenarios[i]);
        for (size_t k = 0; ok && k < sizeof probes / sizeof probes[0]; k++) {
            const struct probe *probe = &probes[k];
            if ((probe->where & kind) == 0)
                continue;
            struct player *player = player_open(probe->spec, game, e);
            ok = player != NULL;
            for (uint64_t seed = 1; ok && seed <= (uint64_t)probe->games; seed++)
                hash = hash_game(hash, scenarios[i], player, probe->decisions, seed);
            player_close(player);
        }
    }
    *out = hash;
    return ok;
}
