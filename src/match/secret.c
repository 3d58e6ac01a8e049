/* SPDX-License-Identifier: MIT
 *
 * What actions hide and reveal. Both questions are answered by trying: all actions that could have been
 * played, in all worlds that a side could have been in. No game has code for this, so no game can give a
 * wrong answer. It is asked between decisions, never within a search, so its cost does not matter.
 */
#include "match/record.h"

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

int secret_alike(const struct game *game, const void *state, action played, int side, action *out) {
    out[0] = played;
    if (game->hide == NULL)
        return 1;
    _Alignas(16) unsigned char seen[GAME_STATE_MAX], other[GAME_STATE_MAX];
    const uint64_t key = see_after(game, state, played, side, seen);
    const int all = game->actions(state, out);
    struct text text = {0}, other_text = {0};
    int count = 0;
    game->text->write_state(seen, &text);
    for (int i = 0; i < all; i++) {
        bool is_alike = out[i] == played;
        if (!is_alike && see_after(game, state, out[i], side, other) == key) {
            /* Keys leave out how a position came about, which a side may see all the same. */
            text_clear(&other_text);
            game->text->write_state(other, &other_text);
            is_alike = strcmp(text_string(&text), text_string(&other_text)) == 0;
        }
        if (is_alike)
            out[count++] = out[i];
    }
    text_done(&text);
    text_done(&other_text);
    if (count == 0) /* legal, but not listed */
        out[count++] = played;
    return count;
}

/* The list is needed for the count only. */
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

/* With the random numbers that the game drew: another outcome of chance is no other action. */
static void play_and_hide(const struct observation *seen, action a, void *state) {
    struct rng chance = seen->chance;
    seen->game->play(state, a, &chance);
    seen->game->hide(state, seen->side);
}

/* Would this action, played in this world, have given the side the view that it had? */
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

/* All worlds of the view are compared by number when there are few, otherwise drawn ones. */
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
    const bool are_few = worlds <= SECRET_WORLDS_MAX;
    const uint64_t count = are_few ? (uint64_t)worlds : SECRET_WORLDS_MAX;
    for (uint64_t i = 0; i < count; i++) {
        struct rng r;
        memcpy(world, view, game->state_size);
        rng_seed_stream(&r, 0, i);
        if (are_few)
            game->world(world, i);
        else
            game->determinize(world, &r);
        if (!is_possible(seen, world, list))
            return true;
    }
    return false;
}

/* Goes through the record once, from the point that is to be gone back to. */
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
    struct observation seen = {.game = game};
    bool is_legal = true, was_shown = false; /* a record that leaves the rules ends there */
    while (is_legal && !was_shown && replay.next < replay.record->count) {
        seen.played = replay.record->actions[replay.next].action;
        seen.chance = replay.rng;
        for (seen.side = 0; seen.side < 2 && !was_shown; seen.side++)
            was_shown = (sides >> seen.side & 1) != 0 && shows(&seen, replay.state, list);
        is_legal = replay_step(&replay, NULL);
    }
    mem_free(list);
    return was_shown;
}
