/* SPDX-License-Identifier: MIT */
#include "match/secret.h"

#include "base/mem.h"

#include <assert.h>
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
    const int count = secret_alike(game, state, played, side, alike);
    mem_free(alike);
    return count > 1;
}

/* ---- what actions show ---- */

/* What that side saw after an action, and the random numbers the game drew for it. */
struct observation {
    const struct game *game;
    action played;
    int side;
    struct rng chance;
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
};

static void play_and_hide(const struct observation *seen, action a, void *state) {
    struct rng chance = seen->chance;
    seen->game->play(state, a, &chance);
    seen->game->hide(state, seen->side);
}

static bool looks_so(const struct observation *seen, const void *world, action a) {
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    if (!seen->game->is_legal(world, a))
        return false;
    memcpy(state, world, seen->game->state_size);
    play_and_hide(seen, a, state);
    return memcmp(state, seen->view, seen->game->state_size) == 0;
}

/* Is this world consistent with the observation? A side's own action is fixed; the other's may be any action
 * with the same view. */
static bool is_possible(const struct observation *seen, const void *world, action *list) {
    if (looks_so(seen, world, seen->played))
        return true;
    if (seen->game->mover(world) == seen->side)
        return false;
    const int count = seen->game->actions(world, list);
    for (int i = 0; i < count; i++)
        if (looks_so(seen, world, list[i]))
            return true;
    return false;
}

/* All worlds of the view by number when there are few; otherwise a drawn one. */
static void fill_in(const struct game *game, void *view, double worlds, uint64_t number) {
    struct rng r;
    if (worlds <= SECRET_WORLDS_MAX) {
        game->world(view, number);
        return;
    }
    rng_seed_stream(&r, 0, number);
    game->determinize(view, &r);
}

static bool shows(struct observation *seen, const void *state, action *list) {
    const struct game *game = seen->game;
    _Alignas(16) unsigned char view[GAME_STATE_MAX], world[GAME_STATE_MAX];
    game_view(game, state, seen->side, view);
    const double worlds = game->worlds(view);
    if (worlds <= 1)
        return false;
    memcpy(seen->view, state, game->state_size);
    play_and_hide(seen, seen->played, seen->view);
    if (game->mover(seen->view) == NOBODY)
        return true;
    const uint64_t count = worlds <= SECRET_WORLDS_MAX ? (uint64_t)worlds : SECRET_WORLDS_MAX;
    for (uint64_t i = 0; i < count; i++) {
        memcpy(world, view, game->state_size);
        fill_in(game, world, worlds, i);
        if (!is_possible(seen, world, list))
            return true;
    }
    return false;
}

static bool any_shows(struct replay *replay, unsigned sides, action *list) {
    struct observation seen = {.game = replay->scenario->game};
    while (replay->next < replay->record->count) {
        seen.played = replay->record->actions[replay->next].action;
        seen.chance = replay->rng;
        for (seen.side = 0; seen.side < 2; seen.side++)
            if ((sides >> seen.side & 1) != 0 && shows(&seen, replay->state, list))
                return true;
        if (!replay_step(replay, NULL))
            return false; /* a record that leaves the rules ends there */
    }
    return false;
}

bool secret_was_shown(const struct replay *back, unsigned sides) {
    const struct game *game = back->scenario->game;
    struct replay replay = *back;
    assert(replay.next <= replay.record->count);
    assert(sides < 4);
    if (game->outcomes != NULL) /* another action could be chosen with the outcome in mind */
        for (struct replay again = *back; again.next < again.record->count; replay_step(&again, NULL))
            if (game->outcomes(again.state, again.record->actions[again.next].action) > 1)
                return true;
    if (game->hide == NULL)
        return false;
    action *list = mem_alloc((size_t)game->actions_max * sizeof *list);
    const bool was = any_shows(&replay, sides, list);
    mem_free(list);
    return was;
}
