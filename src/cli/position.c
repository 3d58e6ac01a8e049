/* SPDX-License-Identifier: MIT */
#include "cli/position.h"

#include "cli/text_view.h"
#include "match/secret.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- loading ---- */

enum { ALL_ACTIONS = -1 };

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
    return !path->failed || err_set(e, "not enough memory");
}

/* A record with an illegal action is valid up to it. */
static bool load_record(const char *path, int count, struct record *record, struct err *e) {
    struct err difference = {0};
    if (!record_load(path, record, &difference, e))
        return false;
    if (difference.text[0] != '\0' && (count == ALL_ACTIONS || count > record->count))
        return err_set(e, "%s", difference.text);
    if (count > record->count)
        return err_set(e, "%s: has %d action%s, not %d", path, record->count, record->count == 1 ? "" : "s",
                       count);
    return true;
}

/* With another map or rule set than the record's, its actions are replayed there. */
static bool replay_record(const struct position_source *source, const char *path, int count,
                          struct cli_position *out, struct err *e) {
    if (!load_record(path, count, &out->record, e))
        return false;
    const struct game *game = game_find(out->record.game);
    const bool maps = game != NULL && game_offer(game)->takes_map;
    if (!maps && (source->rules != NULL || source->map != NULL))
        return err_set(e, "%s: is a game of %s, which is played without maps", path, out->record.game);
    if (source->rules != NULL)
        snprintf(out->record.rules, sizeof out->record.rules, "%s", source->rules);
    out->scenario = source->map != NULL ? cli_load_map(source->map, out->record.rules, e)
                                        : record_scenario(&out->record, e);
    if (out->scenario == NULL)
        return false;
    const int wanted = count == ALL_ACTIONS ? out->record.count : count;
    return replay_to(&out->replay, &out->record, out->scenario, wanted, e) || err_prefix(e, "%s: ", path);
}

static struct cli_source played_on(const struct position_source *source) {
    return (struct cli_source){source->game, source->map, source->rules};
}

static bool place(const char *text, struct cli_position *out, struct err *e) {
    const struct game *game = out->scenario->game;
    if (game_offer(game)->takes_map)
        return err_set(e, "--position: the tactical game's positions are maps and records: --map, --after");
    if (!game_read_position(out->scenario, text, out->replay.state, e))
        return err_prefix(e, "--position: ");
    out->placed = true;
    out->partial = game->hide != NULL && game->worlds(out->replay.state) > 1;
    return true;
}

static bool start_game(const struct position_source *source, struct cli_position *out, struct err *e) {
    const struct cli_source played = played_on(source);
    out->scenario = cli_load_source(&played, e);
    if (out->scenario == NULL)
        return false;
    out->record.seed = source->seed;
    replay_start(&out->replay, &out->record, out->scenario);
    return source->position == NULL || place(source->position, out, e);
}

static bool check_source(const struct position_source *source, struct err *e) {
    const struct cli_source played = played_on(source);
    if (source->game != NULL && source->after != NULL)
        return err_set(e, "--game does not go with --after: the record says what was played");
    if (source->position != NULL && source->after != NULL)
        return err_set(e, "--position does not go with --after: the record says where it stands");
    return cli_check_source(&played, e);
}

int position_load(const struct cli_command *command, const struct position_source *source,
                  struct cli_position *out) {
    struct err e;
    struct text path = {0};
    int count, status = CLI_OK;
    *out = (struct cli_position){0};
    record_init(&out->record);
    if (!check_source(source, &e) ||
        (source->after != NULL && !split_after(source->after, &path, &count, &e)))
        status = cli_fail(command, CLI_USAGE, "%s", e.text);
    else if (!(source->after != NULL ? replay_record(source, text_string(&path), count, out, &e)
                                     : start_game(source, out, &e)))
        status = cli_fail(command, CLI_FAILED, "%s", e.text);
    text_done(&path);
    return status;
}

void position_done(struct cli_position *position) {
    if (position->scenario != NULL)
        position->scenario->game->unload(position->scenario);
    record_done(&position->record);
}

/* ---- the tactical game ---- */

void position_print_board(const void *state, const struct tbs_show *marks, bool colour) {
    struct tbs_position p;
    struct text text = {0};
    struct tbs_show how = marks != NULL ? *marks : (struct tbs_show){0};
    how.colour = colour;
    how.ids = true;
    tbs_position_of(state, &p);
    const struct tbs_map *map = tbs_map_of(state);
    if (p.result == TBS_RUNNING)
        text_add(&text, "\nturn %d of %d, %s to move; ", p.turn + 1, map->turn_limit, tbs_side_names[p.side]);
    else
        text_add(&text, "\nafter turn %d; ", p.turn);
    text_add(&text, "HP red %d, blue %d\n", p.hp_sum[TBS_RED], p.hp_sum[TBS_BLUE]);
    tbs_show_position(map, &p, &how, &text);
    fputs(text_string(&text), stdout);
    text_done(&text);
}

static void describe_unit(const struct tbs_position *p, int id, struct text *out) {
    const struct tbs_unit *u = &p->units[id];
    text_add(out, "%s %s %d", tbs_side_names[u->side], tbs_unit_types[u->type].name, id);
}

void position_describe(const void *state, action a, struct text *out) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    if (!tbs_is_unit_action(a)) {
        text_add(out, "%s %s", tbs_side_names[p.side], a == TBS_PASS ? "ends the turn" : "resigns");
        return;
    }
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    const int x = tbs_action_x(a), y = tbs_action_y(a), target = tbs_action_target(a);
    describe_unit(&p, tbs_action_unit(a), out);
    if (x == u->x && y == u->y)
        text_add(out, " stays at %d,%d", x, y);
    else
        text_add(out, " moves from %d,%d to %d,%d", u->x, u->y, x, y);
    if (target == TBS_NO_TARGET)
        return;
    const struct tbs_exchange fight = tbs_preview(state, a);
    text_add_string(out, " and attacks ");
    describe_unit(&p, target, out);
    text_add(out, ": damage %d of %d HP%s, counter-attack %d of %d HP%s", fight.damage, p.units[target].hp,
             fight.damage == p.units[target].hp ? " (destroyed)" : "", fight.counter, u->hp,
             fight.counter == u->hp ? " (destroyed)" : "");
}

void position_describe_short(const void *state, action a, struct text *out) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    if (!tbs_is_unit_action(a)) {
        text_add_string(out, a == TBS_PASS ? "ends the turn" : "resigns");
        return;
    }
    const struct tbs_unit *u = &p.units[tbs_action_unit(a)];
    const int x = tbs_action_x(a), y = tbs_action_y(a), target = tbs_action_target(a);
    const bool stays = x == u->x && y == u->y;
    text_add(out, "%s %s %d,%d", tbs_unit_types[u->type].name, stays ? "stays at" : "to", x, y);
    if (target == TBS_NO_TARGET)
        return;
    const struct tbs_exchange fight = tbs_preview(state, a);
    const struct tbs_unit *t = &p.units[target];
    text_add(out, ", attacks %s: deals %d of %d, takes %d of %d", tbs_unit_types[t->type].name, fight.damage,
             t->hp, fight.counter, u->hp);
}

void position_describe_end(const void *state, struct text *out) {
    static const char *const ways[TBS_RESULTS] = {
        [TBS_RED_ANNIHILATION] = "by annihilation", [TBS_BLUE_ANNIHILATION] = "by annihilation",
        [TBS_RED_LIMIT] = "at the turn limit",      [TBS_BLUE_LIMIT] = "at the turn limit",
        [TBS_DRAW_LIMIT] = "at the turn limit",     [TBS_RED_RESIGNATION] = "by resignation",
        [TBS_BLUE_RESIGNATION] = "by resignation",
    };
    struct tbs_position p;
    tbs_position_of(state, &p);
    const int winner = tbs_winner(p.result);
    if (winner == NOBODY)
        text_add(out, "a draw %s", ways[p.result]);
    else
        text_add(out, "%s won %s", tbs_side_names[winner], ways[p.result]);
}

/* ---- any game ---- */

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
    const struct game *game = scenario->game;
    const struct text_view *text_view = text_view_of(game);
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    position_view(game, state, side, view);
    if (text_view->picture != NULL) {
        text_view->picture(view, place_of(side), colour, out);
        return;
    }
    text_add_string(out, "  ");
    game->text->write_state(view, out);
}

void position_print_view(const struct scenario *scenario, const void *state, int side, bool colour) {
    const struct game *game = scenario->game;
    if (game_is_tbs(game)) {
        position_print_board(state, NULL, colour);
        return;
    }
    struct text spec = {0}, seen = {0};
    const int mover = game->mover(state);
    record_write_game(scenario, &spec);
    position_draw(scenario, state, side, colour, &seen);
    printf("\n%s, ", text_string(&spec));
    if (mover == NOBODY)
        printf("at the end");
    else
        printf("%s to move", game->text->side_names[mover]);
    if (game->hide != NULL && side != POSITION_SEES_ALL)
        printf(", as %s sees it", game->text->side_names[side]);
    printf("\n%s", text_string(&seen));
    text_done(&spec);
    text_done(&seen);
}

void position_add_action(const struct scenario *scenario, const void *state, action a, int side,
                         struct text *out) {
    const struct game *game = scenario->game;
    const struct text_view *text_view = text_view_of(game);
    const int mover = game->mover(state);
    if (game_is_tbs(game)) {
        position_describe(state, a, out);
        return;
    }
    text_add(out, "%s ", game->text->side_names[mover]);
    if (side != POSITION_SEES_ALL && side != mover && secret_is(game, state, a, side)) {
        text_add_string(out, text_view->secret);
    } else if (text_view->action != NULL) {
        text_view->action(state, a, place_of(side), out);
    } else {
        text_add_string(out, "plays ");
        game->text->write_action(state, a, out);
    }
}

void position_add_end(const struct scenario *scenario, const void *state, int side, struct text *out) {
    const struct game *game = scenario->game;
    if (game_is_tbs(game)) {
        position_describe_end(state, out);
        return;
    }
    const struct text_view *text_view = text_view_of(game);
    _Alignas(16) unsigned char view[GAME_STATE_MAX];
    position_view(game, state, side, view);
    if (text_view->end != NULL) {
        text_view->end(view, out);
        return;
    }
    const char *result = game->text->result(view), *how = strchr(result, ' ');
    if (strcmp(result, "unknown") == 0)
        text_add_string(out, "who gets what depends on what is hidden");
    else if (game->text->scale == NULL && how != NULL && strncmp(result, "draw ", 5) == 0)
        text_add(out, "a draw:%s", how);
    else if (game->text->scale == NULL && how != NULL)
        text_add(out, "%.*s won:%s", (int)(how - result), result, how);
    else
        text_add(out, "%s gets %s", game->text->side_names[0], result);
}
