/* SPDX-License-Identifier: MIT
 *
 * `portfolio`: chooses its method by the position (Sato, Fujiki and Ikeda, end of section 7.4: which search
 * is best depends on the position, and how to tell positions apart is open).
 *
 * A win in this turn is searched for first, among attacks only, since attack sequences are few: where there
 * are no more enemies than units that can attack, sampling methods miss it and a full search is sure of it.
 * Otherwise one of three players is asked: one for positions with few units, which can be searched in full,
 * one for fights, one for positions in which nothing can be attacked yet.
 */
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "player/common.h"
#include "search/minmax.h"

enum { FEW, FIGHT, APART, MEMBERS };
enum { WIN_TABLE_BYTES = 4 << 20 };

struct options {
    struct common_options common;
    int win_nodes, few_units;
    char members[MEMBERS][PARAM_TEXT_MAX];
};

#define AT(field) offsetof(struct options, field)

static const struct param params[] = {
    {"win", PARAM_INT, AT(win_nodes), 0, 2147483647, 20000,
     .help = "positions of the search for attacks that win in this turn; 0: none"},
    {"few", PARAM_TEXT, AT(members[FEW]), .choices = "minmax:depth=0,eval=threat,nodes=100000,memory=16",
     .power = PARAM_SPEC,
     .help = "who plays positions with few units; a spec with options goes into brackets"},
    {"units", PARAM_INT, AT(few_units), 0, 2 * TBS_SIDE_UNITS_MAX, 4,
     .help = "so many units of both sides together are few"},
    {"fight", PARAM_TEXT, AT(members[FIGHT]), .choices = "uct:c=0.3", .power = PARAM_SPEC,
     .help = "who plays when a unit of the side to move can attack"},
    {"apart", PARAM_TEXT, AT(members[APART]), .choices = "uct:c=0.3", .power = PARAM_SPEC,
     .help = "who plays when none can"},
    COMMON_TIME,
    COMMON_SEED,
    {0},
};

static const char *const member_names[MEMBERS] = {"few", "fight", "apart"};

struct portfolio {
    struct player player; /* first member */
    struct options options;
    struct player *members[MEMBERS];
    struct minmax_cache *cache; /* of the search for a win */
    action *actions;
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
    int units;            /* of both sides */
    int enemies;          /* of the side to move */
    int ready, attackers; /* units that can act, and those that can attack */
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

static void choose_portfolio(struct player *player, const struct ask *ask, struct answer *out) {
    struct portfolio *p = (struct portfolio *)player;
    const struct features f = find_features(p, ask);
    struct rng own;
    const int64_t start_ns = ask->budget.clock != NULL ? clock_now_ns(ask->budget.clock) : 0;
    struct search_task task = common_task(ask, &p->options.common, 0, &own);
    if (finds_win(p, &f, &task, out))
        return;
    struct ask inner = *ask;
    inner.rng = task.rng;
    inner.budget = task.budget;
    common_take_time(&inner.budget, start_ns);
    player_choose(p->members[f.units <= p->options.few_units ? FEW
                             : f.attackers > 0               ? FIGHT
                                                             : APART],
                  &inner, out);
}

const struct player_type player_portfolio = {
    .name = "portfolio",
    .help = "chooses the player by the position: a win in this turn, few units, a fight, or none yet",
    .games = PLAYER_TBS,
    .size = sizeof(struct portfolio),
    .params = params,
    .options_size = sizeof(struct options),
    .check = check_portfolio,
    .open = open_portfolio,
    .choose = choose_portfolio,
    .close = close_portfolio,
};
