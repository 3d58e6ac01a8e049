/* SPDX-License-Identifier: MIT
 *
 * include/senjutsu.h over the inner interfaces. Positions of one map share its scenario and count themselves.
 *
 * Calls that allocate run in a scope (base/mem.h), which turns exhausted memory into a failed call: MEM_FREES
 * where the call makes an object or a temporary, MEM_LEAVES where a player may keep what it has allocated.
 */
#include "game/game.h"
#include "senjutsu.h"

#include "base/mem.h"
#include "config.h"
#include "player/player.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct shared_scenario {
    struct scenario *scenario;
    atomic_int users;
};

struct senjutsu_position {
    struct shared_scenario *shared;
    const struct game *game;
    struct rng rng; /* of the game itself, where it has chance */
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

struct senjutsu_player {
    struct player *player;
    const struct game *game; /* the one that it was opened for; its decisions assert that */
};

_Static_assert((int)SENJUTSU_ERROR_SIZE == (int)ERR_TEXT_MAX, "the caller's buffer holds every sentence");
_Static_assert((int)SENJUTSU_NOBODY == (int)NOBODY, "both mean that no side is to move");

/* Returns NULL, for functions that do. */
static void *refuse(char *error, const char *reason) {
    if (error != NULL)
        snprintf(error, SENJUTSU_ERROR_SIZE, "%s", reason);
    return NULL;
}

/* Stands alone: a sentence with details would need memory again. */
static const char no_memory[] = "not enough memory";

const char *senjutsu_version(void) {
    return SENJUTSU_VERSION;
}

/* ---- positions ---- */

/* The reason is copied to the caller's buffer after the scope: inside it an escape could leave half of it. */
senjutsu_position *senjutsu_open(const char *game_spec, const char *map, size_t map_size, char *error) {
    struct mem_scope scope;
    struct err e;
    mem_scope_begin(&scope, MEM_FREES);
    if (setjmp(scope.escape) != 0)
        return refuse(error, no_memory);
    senjutsu_position *p = NULL;
    struct scenario *scenario = NULL;
    struct spec spec;
    if (spec_parse(game_spec, &spec, &e)) {
        const struct game *game = game_find(spec.name);
        if (game == NULL)
            err_set(&e, "game '%s' is unknown", spec.name);
        else
            scenario = game_load(game, &(struct game_source){"map", map, map_size, &spec}, &e);
    }
    if (scenario != NULL) {
        p = mem_alloc(sizeof *p);
        p->shared = mem_alloc(sizeof *p->shared);
        p->shared->scenario = scenario;
        atomic_init(&p->shared->users, 1);
        p->game = scenario->game;
        rng_seed(&p->rng, 0);
        p->game->start(p->state, scenario, &p->rng);
    }
    mem_scope_end(&scope);
    return p != NULL ? p : refuse(error, e.text);
}

/* The last position of a scenario unloads it; other threads may close theirs at the same time. */
void senjutsu_close(senjutsu_position *p) {
    if (p == NULL)
        return;
    if (atomic_fetch_sub(&p->shared->users, 1) == 1) {
        game_unload(p->shared->scenario);
        mem_free(p->shared);
    }
    mem_free(p);
}

/* Copies share the scenario, which never changes after loading; states are values. */
senjutsu_position *senjutsu_copy(const senjutsu_position *position, char *error) {
    senjutsu_position *p = mem_try_alloc(sizeof *p);
    if (p == NULL)
        return refuse(error, no_memory);
    *p = *position;
    atomic_fetch_add(&p->shared->users, 1);
    return p;
}

/* These ask the rules, which allocate nothing: they need no scope. */
int senjutsu_mover(const senjutsu_position *p) {
    return p->game->mover(p->state);
}

double senjutsu_payoff(const senjutsu_position *p, int side) {
    const bool has_payoff = (side == 0 || side == 1) && p->game->mover(p->state) == NOBODY;
    return has_payoff ? p->game->payoff(p->state, side) : (double)NAN;
}

uint64_t senjutsu_key(const senjutsu_position *p) {
    return p->game->key(p->state);
}

/* A caller with little room gets the first actions and the number of all, so that it can come back with
 * more. */
int senjutsu_actions(const senjutsu_position *p, uint32_t *actions, int room) {
    if (room >= p->game->actions_max)
        return p->game->actions(p->state, actions);
    action *all = mem_try_alloc((size_t)p->game->actions_max * sizeof *all);
    if (all == NULL)
        return -1;
    const int count = p->game->actions(p->state, all);
    for (int i = 0; i < count && i < room; i++)
        actions[i] = all[i];
    mem_free(all);
    return count;
}

/* The public function checks what the inner one asserts: callers of a library make errors. */
bool senjutsu_play(senjutsu_position *p, uint32_t a, char *error) {
    if (!p->game->is_legal(p->state, a)) {
        struct err e;
        err_set(&e, "action %lu is illegal here", (unsigned long)a);
        return refuse(error, e.text) != NULL;
    }
    p->game->play(p->state, a, &p->rng);
    return true;
}

/* The seed advances, so that a loop of calls plays different games. */
long senjutsu_rollout(senjutsu_position *p, uint64_t *seed, int turns) {
    struct rng r;
    rng_seed(&r, *seed);
    const long count = p->game->rollouts[0].run(p->state, &r, turns);
    *seed = rng_next(&r);
    return count;
}

/* ---- texts ---- */

/* The text of an action, or of the state where `a` is NULL. Games write legal actions only, and a caller may
 * pass any number, for example what senjutsu_choose returned without memory. */
static int write_text(const senjutsu_position *p, const uint32_t *a, char *out, size_t out_size) {
    struct mem_scope scope;
    if (out_size > 0)
        out[0] = '\0';
    if (a != NULL && !p->game->is_legal(p->state, *a))
        return -1;
    mem_scope_begin(&scope, MEM_FREES);
    if (setjmp(scope.escape) != 0)
        return -1;
    struct text text = {0};
    if (a != NULL)
        p->game->text->write_action(p->state, *a, &text);
    else
        p->game->text->write_state(p->state, &text);
    const int size = (int)text.size;
    snprintf(out, out_size, "%s", text_string(&text));
    text_done(&text);
    mem_scope_end(&scope);
    return size;
}

/* Both return the length of the whole text, as snprintf does: a caller can ask again with more room. */
int senjutsu_action_text(const senjutsu_position *p, uint32_t a, char *out, size_t out_size) {
    return write_text(p, &a, out, out_size);
}

int senjutsu_state_text(const senjutsu_position *p, char *out, size_t out_size) {
    return write_text(p, NULL, out, out_size);
}

bool senjutsu_action_read(const senjutsu_position *p, const char *text, uint32_t *a, char *error) {
    struct mem_scope scope;
    struct err e;
    mem_scope_begin(&scope, MEM_FREES);
    if (setjmp(scope.escape) != 0)
        return refuse(error, no_memory) != NULL;
    const bool ok = p->game->text->read_action(p->state, text, a, &e);
    mem_scope_end(&scope);
    return ok || refuse(error, e.text) != NULL;
}

/* ---- players ---- */

/* The caller of a library is trusted with all that a spec can do (grant_everything). */
senjutsu_player *senjutsu_player_open(const char *spec, const senjutsu_position *position, char *error) {
    struct mem_scope scope;
    struct err e;
    mem_scope_begin(&scope, MEM_FREES);
    if (setjmp(scope.escape) != 0)
        return refuse(error, no_memory);
    struct player *p = player_open_granted(spec, position->game, &grant_everything, &e);
    if (p != NULL && p->type->transcript != NULL) {
        err_set(&e, "%s: an external player needs a whole game, which a position alone is not", spec);
        player_close(p);
        p = NULL;
    }
    senjutsu_player *out = NULL;
    if (p != NULL) {
        out = mem_alloc(sizeof *out);
        *out = (senjutsu_player){p, position->game};
    }
    mem_scope_end(&scope);
    return out != NULL ? out : refuse(error, e.text);
}

/* The end of a program inside the player allocates; without memory a part of the player is left behind. */
void senjutsu_player_close(senjutsu_player *p) {
    struct mem_scope scope;
    if (p == NULL)
        return;
    mem_scope_begin(&scope, MEM_LEAVES);
    if (setjmp(scope.escape) == 0) {
        player_close(p->player);
        mem_scope_end(&scope);
    }
    mem_free(p);
}

/* No action where the player has no decision, when memory ran out, or when a program inside the player
 * failed: the player can still be closed, or asked again. */
uint32_t senjutsu_choose(senjutsu_player *p, const senjutsu_position *position, uint64_t seed) {
    struct rng r;
    rng_seed(&r, seed);
    const struct clock clock = clock_system(); /* for players that were given a time */
    const struct ask ask = {
        .game = position->game, .view = position->state, .budget = {.clock = &clock}, .rng = &r};
    struct answer answer;
    struct mem_scope scope;
    if (p->game != position->game || position->game->mover(position->state) == NOBODY)
        return SENJUTSU_NO_ACTION;
    mem_scope_begin(&scope, MEM_LEAVES);
    if (setjmp(scope.escape) != 0)
        return SENJUTSU_NO_ACTION;
    player_choose_in(p->player, &ask, &answer);
    mem_scope_end(&scope);
    return answer.fault == PLAYER_FAULT_NONE ? answer.chosen : SENJUTSU_NO_ACTION;
}
