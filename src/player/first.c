/* SPDX-License-Identifier: MIT
 *
 * `first`: one player for a side's first turns, another for the rest (Sato, Fujiki and Ikeda, Table 7: a good
 * opening by DLMC, then PW-UCT). A side's first turn is turn 0 or 1 of the game.
 */
#include "player/players.h"

struct options {
    int turns;
    char player[PARAM_TEXT_MAX], then[PARAM_TEXT_MAX];
};

static const struct param params[] = {
    {"player", PARAM_TEXT, offsetof(struct options, player), .choices = "dlmc",
     .help = "who plays the first turns; a spec with options goes into brackets", .power = PARAM_SPEC},
    {"then", PARAM_TEXT, offsetof(struct options, then), .choices = "pwuct", .help = "who plays the rest",
     .power = PARAM_SPEC},
    {"turns", PARAM_INT, offsetof(struct options, turns), 1, 9999, 1, .help = "how many of its side's turns"},
    {0},
};

struct first {
    struct player player; /* first member */
    struct options options;
    struct player *opening, *rest;
};

static bool check_first(const void *options, struct err *e) {
    const struct options *o = options;
    if (!player_check(o->player, NULL, e))
        return err_prefix(e, "first: player: ");
    return player_check(o->then, NULL, e) || err_prefix(e, "first: then: ");
}

static void close_first(struct player *player) {
    struct first *p = (struct first *)player;
    player_close(p->opening);
    player_close(p->rest);
}

static bool open_first(struct player *player, const struct game *game, const struct grant *grant,
                       struct err *e) {
    struct first *p = (struct first *)player;
    p->opening = player_open_granted(p->options.player, game, grant, e);
    p->rest = p->opening != NULL ? player_open_granted(p->options.then, game, grant, e) : NULL;
    return p->rest != NULL || err_prefix(e, "first: ");
}

static void choose_first(struct player *player, const struct ask *ask, struct answer *out) {
    struct first *p = (struct first *)player;
    const bool opens = ask->game->turn(ask->view) / 2 < p->options.turns;
    player_choose(opens ? p->opening : p->rest, ask, out);
}

const struct player_type player_first = {
    .name = "first",
    .help = "one player for a side's first turns, another for the rest",
    .size = sizeof(struct first),
    .params = params,
    .options_size = sizeof(struct options),
    .check = check_first,
    .open = open_first,
    .choose = choose_first,
    .close = close_first,
};
