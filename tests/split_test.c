/* SPDX-License-Identifier: MIT
 *
 * Groups of units that cannot influence each other, the `split` player, which asks a player about each group
 * alone, and `first`, the other player made of players.
 */
#include "base/mem.h"
#include "game/tbs/tbs.h"
#include "player_support.h"
#include "search/minmax.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static struct tbs_groups groups;

/* ---- positions ---- */

/* Two rooms of 3 x 3 cells with a wall of two columns between them; units in turns left and right, red and
 * blue. */
static void draw_rooms(struct rng *r, int units, struct tbs_map *map) {
    static const uint8_t floors[] = {TBS_PLAIN, TBS_PLAIN, TBS_WOOD, TBS_ROAD, TBS_FORTRESS};
    static const uint8_t types[] = {TBS_ATTACKER, TBS_PANZER, TBS_ANTIAIR, TBS_INFANTRY, TBS_FIGHTER};
    *map = (struct tbs_map){.width = 10, .height = 5, .turn_limit = 12, .threshold = 3};
    for (int x = 1; x <= 8; x++)
        for (int y = 1; y <= 3; y++)
            map->terrain[x][y] = x == 4 || x == 5 ? TBS_NO_ENTRY : floors[rng_below(r, sizeof floors)];
    bool taken[TBS_EDGE_MAX][TBS_EDGE_MAX] = {{false}};
    for (int i = 0; i < units; i++) {
        const int room = i % 2, side = i / 2 % 2;
        int x, y;
        do {
            x = (room == 0 ? 1 : 6) + (int)rng_below(r, 3);
            y = 1 + (int)rng_below(r, 3);
        } while (taken[x][y]);
        taken[x][y] = true;
        map->units[map->unit_count++] = (struct tbs_map_unit){.x = (uint8_t)x,
                                                              .y = (uint8_t)y,
                                                              .type = types[rng_below(r, sizeof types)],
                                                              .side = (uint8_t)side,
                                                              .hp = (uint8_t)(4 + rng_below(r, 7))};
    }
}

/* Room enough for several groups. */
static void draw_wide_field(struct rng *r, struct tbs_map *map) {
    struct tbs_random_options options;
    struct err e;
    tbs_random_defaults(&options);
    options.width = 16 + (int)rng_below(r, 16);
    options.height = 16 + (int)rng_below(r, 16);
    options.units[TBS_RED] = 2 + (int)rng_below(r, 3);
    options.units[TBS_BLUE] = 2 + (int)rng_below(r, 3);
    options.hp_low = 1;
    options.turn_limit = 12;
    assert_true(tbs_map_random(&options, r, map, &e));
    for (int id = 0; id < map->unit_count; id++)
        map->units[id].done = rng_below(r, 8) == 0;
}

/* ---- groups ---- */

/* The games of all groups beside the whole. */
struct apart {
    struct position whole;
    int count;
    int16_t of[TBS_UNITS_MAX];
    struct tbs_group_game games[TBS_UNITS_MAX];
};

static void start_apart(struct apart *a, const struct position *p, int horizon) {
    struct err e;
    tbs_groups_find(p->state, horizon, &groups);
    a->whole = *p;
    a->count = groups.count;
    memcpy(a->of, groups.of, sizeof a->of);
    for (int g = 0; g < a->count; g++) {
        assert_true(tbs_group_start(p->state, &groups, g, &a->games[g], &e));
        assert_ptr_equal(a->games[g].scenario->game, p->scenario->game);
        assert_true(p->scenario->game->valid(a->games[g].state));
    }
}

static void end_apart(struct apart *a) {
    for (int g = 0; g < a->count; g++)
        game_unload(a->games[g].scenario);
    memset(a->games, 0, sizeof a->games);
}

static int own_id(const struct tbs_group_game *game, int whole_id) {
    int id = 0;
    while (game->id_of[id] != whole_id)
        id++;
    return id;
}

/* The unit has the same actions in both games. */
static int compare_unit(const struct apart *a, int id, action *list) {
    static action alone[TBS_UNIT_ACTIONS_MAX];
    const struct tbs_group_game *game = &a->games[a->of[id]];
    int attacks, attacks_alone;
    const int count = tbs_unit_actions(a->whole.state, id, TBS_ATTACKS_ALL, list, &attacks);
    assert_int_equal(tbs_unit_actions(game->state, own_id(game, id), TBS_ATTACKS_ALL, alone, &attacks_alone),
                     count);
    assert_int_equal(attacks, attacks_alone);
    for (int i = 0; i < count; i++) {
        action translated;
        assert_true(tbs_group_action(game, alone[i], &translated));
        assert_int_equal(translated, list[i]);
    }
    return count;
}

/* Stand-ins can only stay. */
static void play_stand_ins(struct tbs_group_game *game, int side, int turn) {
    const struct game *table = game->scenario->game;
    while (table->mover(game->state) == side && table->turn(game->state) == turn) {
        action list[TBS_UNIT_ACTIONS_MAX], translated;
        assert_int_equal(table->actions(game->state, list), 1);
        assert_false(tbs_group_action(game, list[0], &translated));
        assert_int_equal(game->id_of[tbs_action_unit(list[0])], TBS_NO_UNIT);
        table->play(game->state, list[0], NULL);
    }
}

/* One random action of a unit, played in the whole and in its group. */
static void play_both(struct apart *a, int id, struct rng *r) {
    action list[TBS_UNIT_ACTIONS_MAX];
    const int count = compare_unit(a, id, list);
    const int pick = (int)rng_below(r, (uint32_t)count);
    struct tbs_group_game *game = &a->games[a->of[id]];
    const int target = tbs_action_target(list[pick]);
    assert_true(target == TBS_NO_TARGET || a->of[target] == a->of[id]);
    const action alone = tbs_action(own_id(game, id), tbs_action_x(list[pick]), tbs_action_y(list[pick]),
                                    target == TBS_NO_TARGET ? TBS_NO_TARGET : own_id(game, target));
    game->scenario->game->play(game->state, alone, NULL);
    a->whole.scenario->game->play(a->whole.state, list[pick], NULL);
}

static void compare_group(const struct apart *a, int g) {
    struct tbs_position whole, alone;
    tbs_position_of(a->whole.state, &whole);
    tbs_position_of(a->games[g].state, &alone);
    for (int id = 0; id < alone.unit_count; id++) {
        if (a->games[g].id_of[id] == TBS_NO_UNIT)
            continue;
        const struct tbs_unit *x = &alone.units[id], *y = &whole.units[a->games[g].id_of[id]];
        assert_int_equal(x->hp, y->hp);
        assert_true(x->hp == 0 || (x->x == y->x && x->y == y->y));
    }
}

/* One turn of random actions. */
static void play_turn_apart(struct apart *a, struct rng *r) {
    const struct game *table = a->whole.scenario->game;
    const int side = table->mover(a->whole.state), turn = table->turn(a->whole.state);
    for (;;) {
        struct tbs_position p;
        tbs_position_of(a->whole.state, &p);
        if (table->mover(a->whole.state) != side || p.turn != turn)
            break;
        int id = (int)rng_below(r, (uint32_t)p.unit_count);
        while (!tbs_can_act(&p, id))
            id = (id + 1) % p.unit_count;
        play_both(a, id, r);
    }
    for (int g = 0; g < a->count; g++) {
        play_stand_ins(&a->games[g], side, turn);
        compare_group(a, g);
    }
}

/* Within the horizon each group's game goes as if the others did not exist. */
static void test_separation_is_true(void **unused) {
    (void)unused;
    static struct apart a;
    struct rng r;
    int split = 0, most = 0;
    rng_seed(&r, 31);
    for (int i = 0; i < 400; i++) {
        struct tbs_map map;
        struct position p;
        i % 4 == 0 ? draw_rooms(&r, 5, &map) : draw_wide_field(&r, &map);
        struct scenario *scenario = make_scenario(&map, TBS_PATH_AUTO);
        const int horizon = 1 + i % 3;
        if (walk(&p, scenario, i % 7, &r)) {
            const struct game *game = scenario->game;
            const int start = game->turn(p.state);
            start_apart(&a, &p, horizon);
            split += a.count > 1;
            most = a.count > most ? a.count : most;
            while (a.count > 1 && game->mover(a.whole.state) != NOBODY &&
                   game->turn(a.whole.state) < start + horizon)
                play_turn_apart(&a, &r);
            end_apart(&a);
        }
        game_unload(scenario);
    }
    assert_true(split > 100 && most >= 4);
}

/* A red unit at the end of a lane of plains and a blue infantry on it. */
struct lane {
    int red, distance, horizon;
    bool done; /* blue has no first turn */
    bool wall; /* between them, next to red */
};

static int groups_on(struct lane lane) {
    struct tbs_map map = {.width = 34, .height = 3, .turn_limit = 20, .unit_count = 2};
    for (int x = 1; x <= 32; x++)
        map.terrain[x][1] = lane.wall && x == 2 ? TBS_NO_ENTRY : TBS_PLAIN;
    map.units[0] = (struct tbs_map_unit){.x = 1, .y = 1, .type = (uint8_t)lane.red, .side = 0, .hp = 10};
    map.units[1] = (struct tbs_map_unit){.x = (uint8_t)(1 + lane.distance),
                                         .y = 1,
                                         .type = TBS_INFANTRY,
                                         .side = 1,
                                         .hp = 10,
                                         .done = lane.done};
    struct scenario *scenario = make_scenario(&map, TBS_PATH_AUTO);
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    scenario->game->start(state, scenario, NULL);
    tbs_groups_find(state, lane.horizon, &groups);
    game_unload(scenario);
    return groups.count;
}

static void test_groups_by_distance(void **unused) {
    (void)unused;
    static const struct {
        struct lane lane;
        int groups;
    } cases[] = {
        /* Red goes 3 cells and attacks the next: distance 4 is in its reach within its own turn, 5 is not. */
        {{TBS_INFANTRY, 4, 1, false, false}, 1},
        {{TBS_INFANTRY, 5, 1, false, false}, 2},
        /* Then blue goes 3 more and attacks the next. */
        {{TBS_INFANTRY, 7, 2, false, false}, 1},
        {{TBS_INFANTRY, 8, 2, false, false}, 2},
        /* It cannot when it has no first turn, and red has only one within two turns. */
        {{TBS_INFANTRY, 5, 2, true, false}, 2},
        {{TBS_INFANTRY, 7, 3, true, false}, 1},
        {{TBS_INFANTRY, 8, 3, true, false}, 2},
        /* A cannon moves 5 cells or fires 2 or 3 far, over a wall too. */
        {{TBS_CANNON, 5, 1, false, false}, 1},
        {{TBS_CANNON, 6, 1, false, false}, 2},
        {{TBS_CANNON, 2, 1, false, true}, 1},
        {{TBS_CANNON, 3, 1, false, true}, 1},
        {{TBS_CANNON, 4, 1, false, true}, 2},
        {{TBS_INFANTRY, 2, 1, false, true}, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(groups_on(cases[i].lane), cases[i].groups);
}

/* Three units side by side and no cell beyond them: where the others' stand-ins have no room nothing is
 * parted. With a horizon of 0 no unit acts, so the groups would be three. */
static void test_without_room_nothing_is_parted(void **unused) {
    (void)unused;
    struct tbs_map map = {.width = 5, .height = 3, .turn_limit = 9, .threshold = 1, .unit_count = 3};
    struct err e;
    for (int x = 1; x <= 3; x++) {
        map.terrain[x][1] = TBS_PLAIN;
        map.units[x - 1] = (struct tbs_map_unit){
            .x = (uint8_t)x, .y = 1, .type = TBS_INFANTRY, .side = x == 2 ? TBS_BLUE : TBS_RED, .hp = 5};
    }
    struct scenario *scenario = tbs_scenario_make(&map, &tbs_rule_sets[0], TBS_PATH_AUTO, &e);
    assert_non_null(scenario);
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
    scenario->game->start(state, scenario, NULL);
    memset(&groups, 0x77, sizeof groups);
    tbs_groups_find(state, 0, &groups);
    assert_int_equal(groups.count, 1);
    for (int id = 0; id < 3; id++)
        assert_int_equal(groups.of[id], 0);
    for (int side = 0; side < TBS_SIDES; side++) {
        assert_int_equal(groups.stand_in[0][side].x, 0);
        assert_int_equal(groups.stand_in[0][side].y, 0);
    }
    game_unload(scenario);
}

/* ---- exactness ---- */

static struct search_result search(const struct game *game, const void *state, int turns) {
    struct rng r;
    struct err e;
    struct search_result result;
    rng_seed(&r, 5);
    const struct search_task task = {.game = game, .root = state, .rng = &r};
    const struct minmax_settings settings = {.turns = turns,
                                             .order = &game->priors[1],
                                             .table = true,
                                             .cache = minmax_cache_open(game, 1 << 22, &e)};
    assert_non_null(settings.cache);
    minmax_search(&task, &settings, &result);
    minmax_cache_close(settings.cache);
    return result;
}

/* HP of the stand-ins: their part of the value of a group's game. */
static double stand_in_worth(const struct tbs_group_game *game, int side) {
    struct tbs_position p;
    double sum = 0;
    tbs_position_of(game->state, &p);
    for (int id = 0; id < p.unit_count; id++)
        if (game->id_of[id] == TBS_NO_UNIT)
            sum += p.units[id].side == side ? p.units[id].hp : -p.units[id].hp;
    return sum;
}

struct exactness {
    int compared;
    uint64_t whole, parts;
};

/* The whole's value is the sum of the groups' values, and the split player gets it. */
static void compare_values(const struct position *p, struct player *player, struct exactness *out) {
    static struct apart a;
    const struct game *game = p->scenario->game;
    const int side = game->mover(p->state), turn = game->turn(p->state);
    const struct search_result whole = search(game, p->state, 2);
    start_apart(&a, p, 2);
    double sum = 0;
    uint64_t parts = 0;
    bool decided = minmax_is_decided(whole.value);
    for (int g = 0; g < a.count; g++) {
        const void *alone = a.games[g].state;
        const struct search_result part = search(game, alone, turn + 2 - game->turn(alone));
        sum += game->mover(alone) == side ? part.value : -part.value;
        sum -= stand_in_worth(&a.games[g], side);
        decided = decided || minmax_is_decided(part.value);
        parts += part.nodes;
    }
    end_apart(&a);
    if (decided || a.count == 1)
        return;
    out->compared++;
    out->whole += whole.nodes;
    out->parts += parts;
    assert_true(sum >= whole.value && sum <= whole.value);
    struct position at = *p;
    while (game->mover(at.state) == side && game->turn(at.state) == turn)
        game->play(at.state, ask_player(player, &at, 1, NULL).chosen, NULL);
    assert_int_not_equal(game->mover(at.state), NOBODY);
    const double left = -search(game, at.state, 1).value;
    assert_true(left >= whole.value && left <= whole.value);
}

static void test_parts_add_up(void **unused) {
    (void)unused;
    struct exactness exactness = {0};
    struct player *player = open_player("split:player=[minmax:depth=2],horizon=2", &tbs_game);
    struct rng r;
    rng_seed(&r, 32);
    for (int i = 0; i < 60; i++) {
        struct tbs_map map;
        struct position p;
        draw_rooms(&r, i % 10 == 0 ? 8 : 5, &map);
        struct scenario *scenario = make_scenario(&map, TBS_PATH_SMALL);
        if (walk(&p, scenario, i % 3, &r))
            compare_values(&p, player, &exactness);
        game_unload(scenario);
    }
    player_close(player);
    assert_true(exactness.compared > 25);
    assert_true(exactness.parts * 10 < exactness.whole);
}

/* ---- the player ---- */

static void assert_same(const struct answer *x, const struct answer *y) {
    assert_int_equal(x->chosen, y->chosen);
    assert_int_equal(x->work_done, y->work_done);
    assert_memory_equal(&x->value, &y->value, sizeof x->value);
}

static void test_one_group_is_the_player_itself(void **unused) {
    (void)unused;
    static const char *const specs[] = {"random", "acteval", "minmax:nodes=3000,memory=1",
                                        "minmax:nodes=3000,memory=1,ties=random"};
    struct rng r;
    int same = 0;
    rng_seed(&r, 33);
    for (int i = 0; i < 80; i++) {
        char spec[80];
        struct tbs_map map;
        struct position p;
        draw_map(&r, &map);
        struct scenario *scenario = make_scenario(&map, TBS_PATH_AUTO);
        snprintf(spec, sizeof spec, "split:player=[%s]", specs[i % 4]);
        struct player *plain = open_player(specs[i % 4], scenario->game),
                      *wrapped = open_player(spec, scenario->game);
        if (walk(&p, scenario, i % 6, &r)) {
            tbs_groups_find(p.state, 2, &groups);
            struct rng after[2];
            const struct answer x = ask_player(plain, &p, 7, &after[0]),
                                y = ask_player(wrapped, &p, 7, &after[1]);
            if (groups.count == 1) {
                assert_same(&x, &y);
                assert_memory_equal(&after[0], &after[1], sizeof after[0]);
                same++;
            }
        }
        player_close(plain);
        player_close(wrapped);
        game_unload(scenario);
    }
    assert_true(same > 40);
}

static void note_shown(void *context, const struct thoughts *so_far) {
    (*(int *)context)++;
    assert_true(so_far->count > 0);
}

static int64_t tick(void *self) {
    return *(int64_t *)self += 1000;
}

/* Every candidate and the first part of its line are actions of the whole position. */
static void check_thoughts(const struct position *p, const struct thoughts *t, action chosen) {
    const struct game *game = p->scenario->game;
    for (int i = 0; i < t->count; i++) {
        struct position at = *p;
        for (int k = 0; k < t->candidates[i].line_count; k++) {
            assert_true(game->is_legal(at.state, t->candidates[i].line[k]));
            game->play(at.state, t->candidates[i].line[k], NULL);
        }
        assert_true(game->is_legal(p->state, t->candidates[i].action));
    }
    assert_true(t->count == 0 || t->candidates[0].action == chosen);
}

/* Whole games on large maps: every action is legal, and by the first group with a unit that can act. */
static void test_games_are_played(void **unused) {
    (void)unused;
    static const char *const specs[] = {"split:player=random", "split:player=acteval,horizon=3",
                                        "split:player=[minmax:nodes=2000,memory=1]"};
    static struct thoughts thoughts;
    struct rng r;
    int split = 0, shown = 0;
    int64_t now = 0;
    const struct clock clock = {.now_ns = tick, .self = &now};
    const struct watch watch = {note_shown, &shown, 1};
    rng_seed(&r, 34);
    for (int i = 0; i < 12; i++) {
        struct tbs_map map;
        struct position p;
        draw_wide_field(&r, &map);
        struct scenario *scenario = make_scenario(&map, TBS_PATH_AUTO);
        const struct game *game = scenario->game;
        struct player *player = open_player(specs[i % 3], game);
        for (bool goes_on = walk(&p, scenario, 0, &r); goes_on; goes_on = game->mover(p.state) != NOBODY) {
            const struct ask ask = {.game = game,
                                    .view = p.state,
                                    .budget = {.clock = &clock},
                                    .rng = &r,
                                    .thoughts = &thoughts,
                                    .watch = &watch};
            struct answer answer;
            player_choose_in(player, &ask, &answer);
            assert_true(game->is_legal(p.state, answer.chosen));
            check_thoughts(&p, &thoughts, answer.chosen);
            struct tbs_position position;
            tbs_position_of(p.state, &position);
            tbs_groups_find(p.state, i % 3 == 1 ? 3 : 2, &groups);
            int first = 0;
            while (!tbs_can_act(&position, first))
                first++;
            assert_int_equal(groups.of[tbs_action_unit(answer.chosen)],
                             groups.count == 1 ? 0 : groups.of[first]);
            split += groups.count > 1;
            game->play(p.state, answer.chosen, NULL);
        }
        player_close(player);
        game_unload(scenario);
    }
    assert_true(split > 100 && shown > 0);
}

/* Each decision gets its share of the turn's nodes, in any group. */
static void test_budget_is_shared(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 35);
    struct tbs_map map;
    struct position p;
    draw_rooms(&r, 5, &map);
    for (int id = 0; id < map.unit_count; id++) {
        map.units[id].type = TBS_PANZER; /* no unit falls in one attack */
        map.units[id].hp = 10;
    }
    struct scenario *scenario = make_scenario(&map, TBS_PATH_SMALL);
    assert_true(walk(&p, scenario, 0, &r));
    struct player *player = open_player("split:player=[minmax:depth=9,nodes=3000]", scenario->game);
    tbs_groups_find(p.state, 2, &groups);
    assert_int_equal(groups.count, 2);
    int decisions = 0;
    for (; scenario->game->mover(p.state) == TBS_RED; decisions++) {
        const struct answer answer = ask_player(player, &p, 1, NULL);
        assert_int_equal(answer.work_done, 1000); /* red has three units */
        scenario->game->play(p.state, answer.chosen, NULL);
    }
    assert_int_equal(decisions, 3);
    player_close(player);
    game_unload(scenario);
}

/* A player that only passes and gives up must not end the turn of the other groups. */
static void test_passing_is_staying(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 36);
    struct tbs_map map;
    struct position p;
    do
        draw_rooms(&r, 5, &map);
    while (map.units[0].type != TBS_FIGHTER || map.units[2].type != TBS_PANZER);
    map.units[4].type = TBS_FIGHTER;
    struct scenario *scenario = make_scenario(&map, TBS_PATH_SMALL);
    assert_true(walk(&p, scenario, 0, &r));
    tbs_groups_find(p.state, 2, &groups);
    assert_int_equal(groups.count, 2);
    static struct tbs_group_game game;
    assert_true(tbs_group_start(p.state, &groups, 0, &game, NULL));
    action whole;
    assert_false(tbs_group_action(&game, TBS_PASS, &whole));
    assert_false(tbs_group_action(&game, TBS_RESIGN, &whole));
    game_unload(game.scenario);
    /* Attacks only, and fighters have none against a panzer: the search answers with a pass. */
    struct player *player = open_player("split:player=[minmax:prune=attacks]", scenario->game);
    const struct answer answer = ask_player(player, &p, 1, NULL);
    assert_int_equal(answer.chosen, tbs_action(0, map.units[0].x, map.units[0].y, TBS_NO_TARGET));
    player_close(player);
    game_unload(scenario);
}

/* A turn that was planned for a group is played on, wherever the group's next game lies in memory. */
static void test_plans_hold_at_any_address(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 38);
    struct tbs_map map;
    struct position p;
    draw_rooms(&r, 5, &map);
    for (int id = 0; id < map.unit_count; id++) {
        map.units[id].type = TBS_PANZER; /* no unit falls in one attack */
        map.units[id].hp = 10;
    }
    const struct tbs_map_unit right = map.units[1]; /* red's first two units are in one room */
    map.units[1] = map.units[4];
    map.units[4] = right;
    struct scenario *scenario = make_scenario(&map, TBS_PATH_SMALL);
    assert_true(walk(&p, scenario, 0, &r));
    tbs_groups_find(p.state, 2, &groups);
    assert_int_equal(groups.count, 2);
    assert_int_equal(groups.of[0], groups.of[1]);
    struct player *player = open_player("split:player=[dlmc:turns=4,sims=2]", scenario->game);
    const struct answer first = ask_player(player, &p, 1, NULL);
    assert_true(first.work_done > 0);
    scenario->game->play(p.state, first.chosen, NULL);
    void *blocks[64]; /* occupy the memory that the first question freed */
    for (int i = 0; i < 64; i++)
        blocks[i] = mem_alloc((size_t)256 << i % 8);
    const struct answer second = ask_player(player, &p, 1, NULL);
    assert_int_equal(second.work_done, 0); /* of the plan */
    for (int i = 0; i < 64; i++)
        mem_free(blocks[i]);
    player_close(player);
    game_unload(scenario);
}

static void test_without_memory_the_whole_is_asked(void **unused) {
    (void)unused;
    struct rng r;
    rng_seed(&r, 37);
    struct tbs_map map;
    struct position p;
    draw_rooms(&r, 5, &map);
    struct scenario *scenario = make_scenario(&map, TBS_PATH_SMALL);
    assert_true(walk(&p, scenario, 0, &r));
    tbs_groups_find(p.state, 2, &groups);
    assert_int_equal(groups.count, 2);
    struct player *plain = open_player("minmax", scenario->game),
                  *wrapped = open_player("split:player=minmax", scenario->game);
    mem_fail_at(1);
    const struct answer y = ask_player(wrapped, &p, 1, NULL);
    mem_fail_at(0);
    const struct answer x = ask_player(plain, &p, 1, NULL);
    assert_same(&x, &y);
    player_close(plain);
    player_close(wrapped);
    game_unload(scenario);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_separation_is_true),
        cmocka_unit_test(test_groups_by_distance),
        cmocka_unit_test(test_without_room_nothing_is_parted),
        cmocka_unit_test(test_parts_add_up),
        cmocka_unit_test(test_one_group_is_the_player_itself),
        cmocka_unit_test(test_games_are_played),
        cmocka_unit_test(test_budget_is_shared),
        cmocka_unit_test(test_passing_is_staying),
        cmocka_unit_test(test_plans_hold_at_any_address),
        cmocka_unit_test(test_without_memory_the_whole_is_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
