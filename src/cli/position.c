/* SPDX-License-Identifier: MIT
 *
 * Positions for commands that examine one: loading, and descriptions for a person.
 */
#include "cli/cli.h"

#include "game/face.h"
#include "match/clocked_game.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- loading ---- */

enum { ALL_ACTIONS = -1 }; /* of a record: its last position */

/* Splits "game.json:12". A file that really has such a name is used as it is. */
static bool split_after(const char *after, struct text *path, int *count, struct err *e) {
    const char *colon = strrchr(after, ':');
    long number;
    *count = ALL_ACTIONS;
    if (colon == NULL || access(after, F_OK) == 0) {
        text_add_string(path, after);
    } else if (!text_to_int(colon + 1, &number) || number < 0 || number > RECORD_ACTIONS_MAX) {
        return err_set(e, "--after %s: expected RECORD or RECORD:N, N a whole number from 0 to %d", after,
                       RECORD_ACTIONS_MAX);
    } else {
        text_add_bytes(path, after, (size_t)(colon - after));
        *count = (int)number;
    }
    return true;
}

/* A record is valid up to an illegal action, so a position before it can be examined: that is how a fault is
 * looked into. Its actions may be replayed on another map or by other rules. */
static bool replay_record(const struct position_source *source, const char *path, int count,
                          struct cli_position *out, struct err *e) {
    struct record *record = &out->record;
    struct err difference = {0};
    if (!record_load(path, record, &difference, e))
        return false;
    if (difference.text[0] != '\0' && (count == ALL_ACTIONS || count > record->count))
        return err_set(e, "%s", difference.text);
    if (count > record->count)
        return err_set(e, "%s: has %d action%s, not %d", path, record->count, record->count == 1 ? "" : "s",
                       count);
    const struct game *game = game_find(record->game);
    const bool maps = game != NULL && game_offer(game)->takes_map;
    if (!maps && (source->rules != NULL || source->map != NULL))
        return err_set(e, "%s: is a game of %s, which is played without maps", path, record->game);
    if (source->rules != NULL)
        snprintf(record->rules, sizeof record->rules, "%s", source->rules);
    const char *rules = record->rules[0] != '\0' ? record->rules : NULL;
    out->scenario =
        source->map != NULL ? cli_load_map(game, source->map, NULL, rules, e) : record_scenario(record, e);
    if (out->scenario == NULL)
        return false;
    const int wanted = count == ALL_ACTIONS ? record->count : count;
    return replay_to(&out->replay, record, out->scenario, wanted, e) ||
           err_prefix(e, "%s%s: ", path, source->map != NULL ? " on the map of --map" : "");
}

/* The start of the game, or the position that was given as text. Where such a text leaves hidden parts open
 * there are several possible states, and none of them may be taken for the true one. */
static bool start_game(const struct position_source *source, const struct cli_source *played,
                       struct cli_position *out, struct err *e) {
    out->scenario = cli_load_source(played, e);
    if (out->scenario == NULL)
        return false;
    const struct game *game = out->scenario->game;
    out->record.seed = source->seed;
    replay_start(&out->replay, &out->record, out->scenario);
    if (source->position == NULL)
        return true;
    if (game_offer(game)->takes_map)
        return err_set(e, "--position: a position of %s is a map or a record: --map, --after", game->name);
    if (!game_read_position(out->scenario, source->position, out->replay.state, e))
        return err_prefix(e, "--position: ");
    out->placed = true;
    out->partial = game->hide != NULL && game->worlds(out->replay.state) > 1;
    return true;
}

/* Options are checked first: a mistake in them is wrong usage, a file that cannot be used is a failure. */
int position_load(const struct position_source *source, struct cli_position *out) {
    const struct cli_source played = {source->game, source->map, source->rules};
    struct err e;
    struct text path = {0};
    int count, status = CLI_OK;
    *out = (struct cli_position){0};
    record_init(&out->record);
    if (source->game != NULL && source->after != NULL)
        return cli_error(CLI_USAGE, "--game does not go with --after: the record says what was played");
    if (source->position != NULL && source->after != NULL)
        return cli_error(CLI_USAGE, "--position does not go with --after: the record says where it stands");
    if (!cli_check_source(&played, &e) ||
        (source->after != NULL && !split_after(source->after, &path, &count, &e)))
        status = cli_error(CLI_USAGE, "%s", e.text);
    else if (!(source->after != NULL ? replay_record(source, text_string(&path), count, out, &e)
                                     : start_game(source, &played, out, &e)))
        status = cli_error(CLI_FAILED, "%s", e.text);
    text_done(&path);
    return status;
}

void position_done(struct cli_position *position) {
    game_unload(position->scenario);
    record_done(&position->record);
}

/* Players cannot be asked in a finished game: they have no legal action to choose from. */
bool position_is_open(const struct cli_position *position, const char *verb) {
    const void *state = position->replay.state;
    struct text end = {0};
    if (position->scenario->game->mover(state) != NOBODY)
        return true;
    position_add_end(position->scenario, state, POSITION_SEES_ALL, &end);
    cli_error(CLI_FAILED, "nothing to %s: the game is over, %s", verb, text_string(&end));
    text_done(&end);
    return false;
}

/* ---- views ---- */

void position_view(const struct game *game, const void *state, int side, void *out) {
    if (side == POSITION_SEES_ALL)
        memcpy(out, state, game->state_size);
    else
        game_view(game, state, side, out);
}

/* The side of the board from which the viewer looks. */
static int place_of(int side) {
    assert(side == 0 || side == 1 || side == POSITION_SEES_ALL);
    return side == POSITION_SEES_ALL ? 0 : side;
}

void position_draw(const struct scenario *scenario, const void *state, int side, bool colour,
                   struct text *out) {
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    position_view(scenario->game, state, side, view);
    face_draw(scenario->game, view, place_of(side), colour, out);
}

/* A line about the position stands above the board: a board alone does not show who is to move. */
void position_print_view(const struct scenario *scenario, const void *state, int side, bool colour) {
    const struct game *game = scenario->game;
    struct text text = {0};
    const int mover = game->mover(state);
    text_add_string(&text, "\n");
    if (game_face(game)->heading != NULL) {
        game_face(game)->heading(state, &text);
    } else {
        game_write_spec(scenario, &text);
        text_add(&text, ", %s%s", mover == NOBODY ? "at the end" : game->text->side_names[mover],
                 mover == NOBODY ? "" : " to move");
        if (game->hide != NULL && side != POSITION_SEES_ALL)
            text_add(&text, ", as %s sees it", game->text->side_names[side]);
    }
    text_add_string(&text, "\n");
    position_draw(scenario, state, side, colour, &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
}

/* The mover is named in front, except where the game's own description begins with it. */
void position_add_action(const struct scenario *scenario, const void *state, action a, int side,
                         struct text *out) {
    const struct game *game = scenario->game;
    const struct game_face *face = game_face(game);
    const int mover = game->mover(state);
    if (!face->names_mover)
        text_add(out, "%s ", game->text->side_names[mover]);
    if (side != POSITION_SEES_ALL && side != mover && secret_is(game, state, a, side)) {
        text_add_string(out, face->secret != NULL ? face->secret : "has chosen");
    } else if (face->describe != NULL) {
        face->describe(state, a, place_of(side), out);
    } else {
        text_add_string(out, "plays ");
        game->text->write_action(state, a, out);
    }
}

void position_add_end(const struct scenario *scenario, const void *state, int side, struct text *out) {
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    position_view(scenario->game, state, side, view);
    face_end(scenario->game, view, out);
}
