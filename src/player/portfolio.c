/* SPDX-License-Identifier: MIT
 *
 * `portfolio`: chooses its method by the position (Sato, Fujiki and Ikeda, end of section 7.4: which search
 * is best depends on the position, and how to tell positions apart is open).
 *
 * A win in this turn is searched for first, among attacks only, since attack sequences are few. Otherwise
 * three players share the positions, by two numbers that were measured to matter (docs/players.md): the share
 * of the units still to act that can attack, and the number of all units. Where one or less than half can
 * attack, what counts is where units stand, and a tree search sees furthest. In a fight a full search with
 * the threat evaluation is best as long as it can finish a turn; among many units only sequences of attacks
 * are few enough.
 */
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "player/common.h"
#include "search/minmax.h"

#include <string.h>

enum { APART, FIGHT, CROWD, MEMBERS };
enum { WIN_TABLE_BYTES = 4 << 20 };

struct options {
    struct common_options common;
    int win_nodes, crowd_units;
    char members[MEMBERS][PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

static const struct param params[] = {
    {"win", PARAM_INT, AT(win_nodes), 0, 2147483647, 20000,
     .help = "positions of the search for attacks that win in this turn; 0: none"},
    {"apart", PARAM_TEXT, AT(members[APART]), .choices = "uct:c=0.3", .power = PARAM_SPEC,
     .help = "who plays when one or less than half of the units still to act can attack; a spec with options "
             "goes into "
             "brackets"},
    {"fight", PARAM_TEXT, AT(members[FIGHT]),
     .choices = "minmax:depth=0,values=auto,eval=threat,nodes=100000,memory=16", .power = PARAM_SPEC,
     .help = "who plays when more can"},
    {"crowd", PARAM_TEXT, AT(members[CROWD]), .choices = "aas:values=auto", .power = PARAM_SPEC,
     .help = "who plays such a fight of many units"},
    {"units", PARAM_INT, AT(crowd_units), 1, 2 * TBS_SIDE_UNITS_MAX, 14,
     .help = "so many units of both sides together are many"},
    COMMON_TIME,
    COMMON_SEED,
    {0},
};

static const char *const member_names[MEMBERS] = {"apart", "fight", "crowd"};

struct portfolio {
    struct player player; /* first member */
    struct options options;
    struct player *members[MEMBERS];
    struct minmax_cache *cache; /* of the search for a win */
    action *actions;
    /* A turn that began as a fight is one: the member of the last answer, and the position behind it. */
    int member;
    bool follows;
    union search_state next;
};

static bool check_portfolio(const struct player_type *type, const void *options, struct err *e) {
    const struct options *o = options;
    for (int i = 0; i < MEMBERS; i++)
        if (!player_check(o->members[i], NULL, e))
            return err_prefix(e, "%s: %s: ", type->name, member_names[i]);
    return true;
}

/* Members get the same grant: a spec must not gain powers by nesting. */
static bool open_portfolio(struct player *player, const struct game *game, struct err *e) {
    struct portfolio *p = (struct portfolio *)player;
    for (int i = 0; i < MEMBERS; i++)
        if ((p->members[i] = player_open_granted(p->options.members[i], game, player->grant, e)) == NULL)
            return err_prefix(e, "%s: ", player->type->name);
    p->actions = mem_alloc((size_t)game->actions_max * sizeof *p->actions);
    p->cache = minmax_cache_open(game, WIN_TABLE_BYTES, e);
    return p->cache != NULL || err_prefix(e, "%s: ", player->type->name);
}

static void close_portfolio(struct player *player) {
    struct portfolio *p = (struct portfolio *)player;
    for (int i = 0; i < MEMBERS; i++)
        player_close(p->members[i]);
    minmax_cache_close(p->cache);
    mem_free(p->actions);
}

/* ---- the position in numbers ---- */

struct features {
    int units, enemies;   /* of both sides, of the enemy */
    int ready, attackers; /* units still to act, and those of them that can attack */
};

static struct features find_features(struct portfolio *p, const struct ask *ask) {
    struct tbs_position position;
    struct features f = {0};
    bool attacks[TBS_UNITS_MAX] = {false};
    tbs_position_of(ask->view, &position);
    const int count = game_list(ask->game, "attacks")->list(ask->view, p->actions);
    for (int i = 0; i < count; i++)
        if (tbs_is_unit_action(p->actions[i]))
            attacks[tbs_action_unit(p->actions[i])] = true;
    for (int id = 0; id < position.unit_count; id++) {
        f.units += position.units[id].hp > 0;
        f.enemies += position.units[id].hp > 0 && position.units[id].side != position.side;
        f.ready += tbs_can_act(&position, id);
        f.attackers += attacks[id];
    }
    return f;
}

/* ---- the choice ---- */

/* Every attack destroys one enemy at most. */
static bool finds_win(struct portfolio *p, const struct features *f, const struct search_task *task,
                      struct answer *out) {
    if (p->options.win_nodes == 0 || f->ready < f->enemies || f->attackers == 0)
        return false;
    struct search_task attacks = *task;
    struct search_result result;
    attacks.thoughts = NULL;
    attacks.watch = NULL;
    attacks.budget.work_max = (uint64_t)p->options.win_nodes;
    attacks.budget.time_ns_max /= 4;
    minmax_search(&attacks,
                  &(struct minmax_settings){.turns = 1,
                                            .list = game_list(task->game, "attacks"),
                                            .order = game_prior(task->game, "damage"),
                                            .table = true,
                                            .cache = p->cache},
                  &result);
    common_answer(&result, out);
    return minmax_is_decided(result.value) && result.value > 0;
}

/* A player of whole turns keeps the attacks that it planned; the moves behind them are nothing it is good at.
 */
static int choose_member(const struct portfolio *p, const struct features *f, const struct ask *ask) {
    const bool follows = p->follows && memcmp(&p->next, ask->view, ask->game->state_size) == 0;
    if (follows && (p->member == FIGHT || (p->member == CROWD && f->attackers > 0)))
        return p->member;
    if (f->attackers < 2 || 2 * f->attackers < f->ready)
        return APART;
    return f->units >= p->options.crowd_units ? CROWD : FIGHT;
}

/* As for plans (player/common.h): only the position that follows the answer in the same turn is remembered.
 */
static void remember(struct portfolio *p, int member, const struct ask *ask, action chosen) {
    const struct game *game = ask->game;
    p->member = member;
    search_copy(game, &p->next, ask->view);
    game->play(&p->next, chosen, NULL);
    p->follows = turn_goes_on(game, &p->next, game->mover(ask->view), game->turn(ask->view));
}

static void choose_portfolio(struct player *player, const struct ask *ask, struct answer *out) {
    struct portfolio *p = (struct portfolio *)player;
    const struct features f = find_features(p, ask);
    const int member = choose_member(p, &f, ask);
    struct rng own;
    const int64_t start_ns = ask->budget.clock != NULL ? clock_now_ns(ask->budget.clock) : 0;
    struct search_task task = common_task(ask, &p->options.common, 0, &own);
    if (finds_win(p, &f, &task, out))
        return;
    struct ask inner = *ask;
    inner.rng = task.rng;
    inner.budget = task.budget;
    /* A player of whole turns decides all attacks at once: it gets the time of those decisions. */
    if (member == CROWD && ask->budget.time_ns_max == 0)
        inner.budget.time_ns_max *= f.attackers;
    common_take_time(&inner.budget, start_ns);
    player_choose(p->members[member], &inner, out);
    p->follows = false;
    if (out->fault == PLAYER_FAULT_NONE && ask->game->is_legal(ask->view, out->chosen))
        remember(p, member, ask, out->chosen);
}

const struct player_type player_portfolio = {
    .name = "portfolio",
    .help = "chooses the player by the position: a win in this turn, units apart, a fight, a fight of many",
    .games = PLAYER_TBS,
    .size = sizeof(struct portfolio),
    .params = params,
    .options_size = sizeof(struct options),
    .check = check_portfolio,
    .open = open_portfolio,
    .choose = choose_portfolio,
    .close = close_portfolio,
};
