/* SPDX-License-Identifier: MIT
 *
 * Players that ask other players.
 *
 * `first`: one player for a side's first turns, another for the rest (Sato, Fujiki and Ikeda, Table 7: a good
 * opening by DLMC, then PW-UCT). A side's first turn is turn 0 or 1 of the game.
 *
 * `split`: asks another player about a part of the board (the same, section 5.2 a). Units that cannot
 * influence each other within the horizon form separate groups, each a game of its own: the possibilities of
 * a turn become a sum instead of a product. The group with the lowest unit that is still to act comes first.
 * A group without enemies is asked like any other: its units may approach, or stay. Where the position is one
 * group, the other player gets the same ask unchanged. The horizon should be the other player's own: a player
 * that looks further sees a group's game continue without the others.
 */
#include "game/tbs/tbs.h"
#include "player/common.h"

struct options {
    int turns, horizon;
    char player[PARAM_TEXT_MAX], then[PARAM_TEXT_MAX]; /* split has no second player */
};

static const struct param first_params[] = {
    {"player", PARAM_TEXT, offsetof(struct options, player), .choices = "dlmc", .power = PARAM_SPEC,
     .help = "who plays the first turns; a spec with options goes into brackets"},
    {"then", PARAM_TEXT, offsetof(struct options, then), .choices = "pwuct", .power = PARAM_SPEC,
     .help = "who plays the rest"},
    {"turns", PARAM_INT, offsetof(struct options, turns), 1, 9999, 1, .help = "how many of its side's turns"},
    {0},
};

static const struct param split_params[] = {
    {"player", PARAM_TEXT, offsetof(struct options, player), .choices = "minmax", .power = PARAM_SPEC,
     .help = "who is asked about each group; a spec with options goes into brackets"},
    {"horizon", PARAM_INT, offsetof(struct options, horizon), 1, 9999, 2,
     .help = "turns in which groups must not meet, the one under way included"},
    {0},
};

struct nested {
    struct player player; /* first member */
    struct options options;
    struct player *asked, *then;
    /* split */
    struct tbs_groups groups;
    struct tbs_group_game game;
    struct thoughts thoughts; /* of the group's game */
    const struct ask *whole;  /* the current ask */
};

static bool check_nested(const struct player_type *type, const void *options, struct err *e) {
    const struct options *o = options;
    if (!player_check(o->player, NULL, e))
        return err_prefix(e, "%s: player: ", type->name);
    return type == &player_split || player_check(o->then, NULL, e) || err_prefix(e, "%s: then: ", type->name);
}

/* Nested players get the same grant: a spec must not gain powers by nesting. */
static bool open_nested(struct player *player, const struct game *game, struct err *e) {
    struct nested *p = (struct nested *)player;
    const struct options *o = &p->options;
    return ((p->asked = player_open_granted(o->player, game, player->grant, e)) != NULL &&
            (o->then[0] == '\0' ||
             (p->then = player_open_granted(o->then, game, player->grant, e)) != NULL)) ||
           err_prefix(e, "%s: ", player->type->name);
}

static void close_nested(struct player *player) {
    struct nested *p = (struct nested *)player;
    player_close(p->asked);
    player_close(p->then);
    thoughts_done(&p->thoughts);
    game_unload(p->game.scenario);
}

/* A turn of each side in alternation: half of the turns are its own. */
static void choose_first(struct player *player, const struct ask *ask, struct answer *out) {
    struct nested *p = (struct nested *)player;
    const bool opens = ask->game->turn(ask->view) / 2 < p->options.turns;
    player_choose(opens ? p->asked : p->then, ask, out);
}

/* ---- split: back to the whole position ---- */

/* The part of a line that is the same turn by the group's own units: what follows depends on the other
 * groups. */
static int translate_line(const struct nested *p, const struct thought *from, action *out) {
    const struct game *game = p->whole->game;
    union search_state state;
    const int turn = game->turn(p->game.state);
    int count = 0;
    search_copy(game, &state, p->game.state);
    while (count < from->line_count && game->mover(&state) != NOBODY && game->turn(&state) == turn &&
           tbs_group_action(&p->game, from->line[count], &out[count]))
        game->play(&state, from->line[count++], NULL);
    return count;
}

static void translate_thoughts(const struct nested *p) {
    const struct thoughts *from = &p->thoughts;
    struct thoughts *to = p->whole->thoughts;
    thoughts_start(to);
    to->simulations = from->simulations;
    to->nodes = from->nodes;
    to->depth = from->depth;
    to->total = from->total;
    for (int i = 0; i < from->count && to->count < thoughts_room(to); i++) {
        struct thought *t = &to->candidates[to->count];
        *t = from->candidates[i];
        if (!tbs_group_action(&p->game, from->candidates[i].action, &t->action))
            continue;
        t->line_count = translate_line(p, &from->candidates[i], t->line);
        to->count++;
    }
}

static void show_translated(void *context, const struct thoughts *so_far) {
    struct nested *p = context;
    (void)so_far; /* the same thoughts */
    translate_thoughts(p);
    p->whole->watch->show(p->whole->watch->context, p->whole->thoughts);
}

/* ---- split: the ask about a group ---- */

static void ask_group(struct nested *p, const struct ask *ask, struct answer *out) {
    const struct watch watch = {show_translated, p, ask->watch != NULL ? ask->watch->every_ns : 0};
    struct ask inner = *ask;
    inner.view = p->game.state;
    inner.history = NULL; /* as in the whole game */
    inner.thoughts = ask->thoughts != NULL ? &p->thoughts : NULL;
    inner.watch = ask->watch != NULL && ask->thoughts != NULL ? &watch : NULL;
    /* The number of decisions in the turn stays the same, so that each gets its share of the turn's work. */
    inner.taken = common_turn_decisions(ask) - ask->game->progress(p->game.state).left;
    p->whole = ask;
    if (ask->thoughts != NULL)
        thoughts_widen(&p->thoughts, thoughts_room(ask->thoughts));
    player_choose(p->asked, &inner, out);
    if (ask->thoughts != NULL)
        translate_thoughts(p);
}

static void choose_split(struct player *player, const struct ask *ask, struct answer *out) {
    struct nested *p = (struct nested *)player;
    struct tbs_position position;
    tbs_position_of(ask->view, &position);
    tbs_groups_find(ask->view, p->options.horizon, &p->groups);
    int unit = 0; /* the first that can act */
    while (!tbs_can_act(&position, unit))
        unit++;
    /* Without memory for the part, the whole position is asked. */
    if (p->groups.count == 1 || !tbs_group_start(ask->view, &p->groups, p->groups.of[unit], &p->game, NULL)) {
        player_choose(p->asked, ask, out);
        return;
    }
    ask_group(p, ask, out);
    /* Passing or resigning in a group's game must not affect the other groups: the unit stays instead. */
    if (!tbs_group_action(&p->game, out->chosen, &out->chosen))
        out->chosen = tbs_action(unit, position.units[unit].x, position.units[unit].y, TBS_NO_TARGET);
}

#define NESTED_TYPE(own_name, own_games, own_params, own_choose, own_help)                                   \
    {                                                                                                        \
        .name = own_name, .help = own_help, .games = own_games, .size = sizeof(struct nested),               \
        .params = own_params, .options_size = sizeof(struct options), .check = check_nested,                 \
        .open = open_nested, .choose = own_choose, .close = close_nested                                     \
    }

const struct player_type player_first =
    NESTED_TYPE("first", PLAYER_ANY_GAME, first_params, choose_first,
                "one player for a side's first turns, another for the rest");
const struct player_type player_split =
    NESTED_TYPE("split", PLAYER_TBS, split_params, choose_split,
                "asks another player about each group of units that can influence each other");
