/* SPDX-License-Identifier: MIT
 *
 * The shared parts of plain.h. They find the game through the scenario, to which every state of these games
 * begins with a pointer, so that one function serves all tables.
 */
#include "game/plain.h"

#include <assert.h>
#include <string.h>

enum { MOVES_MAX = 64 };

/* ---- no knowledge ---- */

/* Both sides have the value 0: a search that needs an evaluation runs, without knowledge. */
static double even(const void *state, int side, const double *weights) {
    (void)state, (void)side, (void)weights;
    return 0;
}

static void none(const void *state, const action *list, int count, float *out) {
    (void)state, (void)list;
    memset(out, 0, (size_t)count * sizeof *out);
}

const struct eval plain_evals[] = {{"even", "both sides are always equal", even}, {0}};
const struct prior plain_priors[] = {{"none", "all actions look alike", none}, {0}};

/* ---- slots of tables ---- */

/* The list of actions is on the stack: a playout allocates nothing and can run in any thread. */
long plain_rollout(void *state, struct rng *r, int turns_max) {
    const struct game *game = plain_game(state);
    action list[PLAIN_ACTIONS_MAX];
    assert(game->actions_max <= PLAIN_ACTIONS_MAX);
    const int turn = game->turn(state);
    long count = 0;
    while (game->mover(state) != NOBODY && (turns_max == 0 || game->turn(state) - turn < turns_max)) {
        const int actions = game->actions(state, list);
        game->play(state, list[rng_below(r, (uint32_t)actions)], r);
        count++;
    }
    return count;
}

struct turn_progress plain_progress(const void *state) {
    return (struct turn_progress){.taken = 0, .left = plain_game(state)->mover(state) == NOBODY ? 0 : 1};
}

void plain_determinize(void *view, struct rng *r) {
    const struct game *game = plain_game(view);
    game->world(view, rng_below(r, (uint32_t)game->worlds(view)));
}

void plain_play(void *state, action a, struct rng *r) {
    const struct game *game = plain_game(state);
    const int count = game->outcomes(state, a);
    game->play_outcome(state, a, count > 1 ? (int)rng_below(r, (uint32_t)count) : 0);
}

/* ---- states as text ---- */

bool plain_read_fields(const char *text, const char *const *names, struct plain_fields *out, struct err *e) {
    const size_t size = strlen(text);
    if (size >= sizeof out->storage)
        return err_set(e, "a state of %zu characters is too long; the limit is %zu", size,
                       sizeof out->storage - 1);
    memcpy(out->storage, text, size + 1);
    struct text expected = {0};
    char *rest = text_trim(out->storage);
    bool ok = true;
    for (int i = 0; names[i] != NULL; i++) {
        assert(i < PLAIN_FIELDS_MAX);
        const size_t length = strlen(names[i]);
        text_add(&expected, "%s%s=…", i == 0 ? "" : " ", names[i]);
        ok = ok && strncmp(rest, names[i], length) == 0 && rest[length] == '=';
        out->values[i] = ok ? rest + length + 1 : rest;
        rest = out->values[i] + strcspn(out->values[i], " ");
        ok = ok && (*rest == '\0') == (names[i + 1] == NULL);
        while (*rest == ' ')
            *rest++ = '\0';
    }
    if (!ok)
        err_code(e, "position.plain", "'%.80s' is no state; expected %s", text, text_string(&expected));
    text_done(&expected);
    return ok;
}

/* Moves are played, not stored: so a text with an illegal move is refused where it becomes illegal. */
bool plain_play_moves(void *state, char *moves, struct err *e) {
    const struct game *game = plain_game(state);
    char *pieces[MOVES_MAX];
    if (strcmp(moves, "-") == 0)
        return true;
    const int count = text_split(moves, ',', pieces, MOVES_MAX);
    if (count < 0)
        return err_set(e, "there are more than %d moves", MOVES_MAX);
    struct rng no_chance = {{0}};
    for (int i = 0; i < count; i++) {
        action a;
        if (!game->text->read_action(state, pieces[i], &a, e))
            return err_prefix(e, "move %d: ", i + 1);
        game->play(state, a, &no_chance);
    }
    return true;
}

bool plain_is_over(const void *state, const char *text, struct err *e) {
    if (plain_game(state)->mover(state) != NOBODY)
        return false;
    err_set(e, "'%s' is illegal: the game is over", text);
    return true;
}

void plain_write_action(const void *state, action a, struct text *out) {
    text_add_string(out, plain_game(state)->text->action_names[a]);
}

/* A name that is not accepted is answered with those that are; when the game is over, with all. */
bool plain_read_action(const void *state, const char *text, action *out, struct err *e) {
    const struct game *game = plain_game(state);
    const char *const *names = game->text->action_names;
    action named = 0;
    while (names[named] != NULL && strcmp(text, names[named]) != 0)
        named++;
    *out = named;
    if (names[named] != NULL && plain_is_over(state, text, e))
        return false;
    if (names[named] != NULL && game->is_legal(state, named))
        return true;
    const bool over = game->mover(state) == NOBODY;
    struct text expected = {0};
    const char *last = NULL; /* it follows "or" */
    for (action a = 0; names[a] != NULL; a++)
        if (over || game->is_legal(state, a)) {
            if (last != NULL)
                text_add(&expected, "%s%s", expected.size > 0 ? ", " : "", last);
            last = names[a];
        }
    err_set(e, "'%.64s' is %s; expected %s%s%s", text, names[named] != NULL ? "illegal here" : "no action",
            text_string(&expected), expected.size > 0 ? " or " : "", last != NULL ? last : "");
    text_done(&expected);
    return false;
}
