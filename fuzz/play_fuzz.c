/* SPDX-License-Identifier: MIT
 *
 * The bytes choose a random map and then every action. On a map that fits the small path the wide path plays
 * along and must agree on all results: actions and their order, keys, positions, results, notation.
 */
#include "fuzz.h"

#include "game/tbs/map.h"

/* The work of an input is limited: whole games on small maps, a few plies on the largest ones, where a ply
 * takes as long as a small game. Without a limit large maps would take nearly all of the time. */
enum {
    LIST_MAX = 1 << 16,
    EVERY_TEXT = 8,
    WORK_MAX = 6000, /* actions listed, and PLY_WORK for every ply */
    PLY_WORK = 32,
    PLAYOUT_UNITS_MAX = 16, /* with more units a playout ends before the game does */
};

struct pair {
    struct scenario *scenarios[2]; /* the second is always wide; the first may be */
    union fuzz_state states[2];
};

static void choose_options(struct bytes *in, struct tbs_random_options *o) {
    static const int edges[] = {1, 2, 4, 8, 9, 24, TBS_CELLS_MAX, 6};
    static const int counts[] = {1, 2, 6, 16, 17, TBS_SIDE_UNITS_MAX, 3, 8};
    tbs_random_defaults(o);
    o->width = edges[bytes_below(in, 8)];
    o->height = edges[bytes_below(in, 8)];
    o->units[0] = counts[bytes_below(in, 8)];
    o->units[1] = counts[bytes_below(in, 8)];
    for (int terrain = 0; terrain < TBS_TERRAINS; terrain++)
        o->weight[terrain] = (int)bytes_below(in, 8);
    o->symmetric = bytes_below(in, 4) == 0;
    o->turn_limit = (int)bytes_below(in, 64) + 1;
    o->threshold = (int)bytes_below(in, 16);
    o->hp_low = (int)bytes_below(in, TBS_HP_FULL) + 1;
    o->types = bytes_below(in, 4) == 0 ? bytes_below(in, TBS_ALL_TYPES) + 1 : TBS_ALL_TYPES;
}

static bool make_map(struct bytes *in, struct tbs_map *map) {
    struct tbs_random_options o;
    struct rng r;
    struct err e;
    choose_options(in, &o);
    rng_seed(&r, bytes_below(in, 1 << 16));
    if (!tbs_map_random(&o, &r, map, &e))
        return false;
    for (int i = 0; i < map->unit_count; i++)
        map->units[i].done = bytes_below(in, 8) == 7;
    return true;
}

static void check_agreement(const struct pair *p) {
    struct tbs_position a, b;
    for (int i = 0; i < 2; i++)
        fuzz_check_state(p->scenarios[i]->game, &p->states[i]);
    REQUIRE(p->scenarios[0]->game->key(&p->states[0]) == p->scenarios[1]->game->key(&p->states[1]));
    tbs_position_of(&p->states[0], &a);
    tbs_position_of(&p->states[1], &b);
    REQUIRE(a.turn == b.turn && a.side == b.side && a.result == b.result && a.unit_count == b.unit_count);
    REQUIRE(a.hp_sum[0] == b.hp_sum[0] && a.hp_sum[1] == b.hp_sum[1]);
    for (int i = 0; i < a.unit_count; i++) {
        const struct tbs_unit *u = &a.units[i], *v = &b.units[i];
        REQUIRE(u->hp == v->hp && u->done == v->done && u->side == v->side && u->type == v->type);
        REQUIRE(u->hp == 0 || (u->x == v->x && u->y == v->y));
    }
}

/* An action of the game's list; or any attack, or passing, or resigning: what only is_legal allows. */
static action choose(struct bytes *in, const struct pair *p, const action *list, int count) {
    const unsigned kind = bytes_below(in, 64);
    if (kind == 61)
        return TBS_PASS;
    if (kind == 62)
        return TBS_RESIGN;
    const action a = list[bytes_below(in, (unsigned)count)];
    if (kind != 63)
        return a;
    action every[2][TBS_UNIT_ACTIONS_MAX];
    int attacks[2], counts[2];
    for (int i = 0; i < 2; i++)
        counts[i] =
            tbs_unit_actions(&p->states[i], tbs_action_unit(a), TBS_ATTACKS_ALL, every[i], &attacks[i]);
    REQUIRE(counts[0] == counts[1] && attacks[0] == attacks[1]);
    REQUIRE(memcmp(every[0], every[1], (size_t)counts[0] * sizeof(action)) == 0);
    return every[0][bytes_below(in, (unsigned)counts[0])];
}

static void check_notation(const struct scenario *scenario, const union fuzz_state *state) {
    const struct notation *text = scenario->game->text;
    struct text lines = {0};
    union fuzz_state again;
    struct err e;
    text->write_state(state, &lines);
    REQUIRE(text->read_state(&again, scenario, text_string(&lines), &e));
    REQUIRE(scenario->game->key(&again) == scenario->game->key(state));
    text_done(&lines);
}

static void check_action_text(const struct scenario *scenario, const union fuzz_state *state, action a) {
    struct text word = {0};
    struct err e;
    action back;
    scenario->game->text->write_action(state, a, &word);
    REQUIRE(scenario->game->text->read_action(state, text_string(&word), &back, &e));
    REQUIRE(back == a);
    text_done(&word);
}

static void play_along(struct bytes *in, struct pair *p) {
    static action lists[2][LIST_MAX];
    const struct game *first = p->scenarios[0]->game, *second = p->scenarios[1]->game;
    REQUIRE(first->actions_max <= LIST_MAX && second->actions_max <= LIST_MAX);
    for (int ply = 0, work = 0; bytes_left(in) && work < WORK_MAX && first->mover(&p->states[0]) != NOBODY;
         ply++) {
        const int count = first->actions(&p->states[0], lists[0]);
        work += count + PLY_WORK;
        REQUIRE(count > 0 && count == second->actions(&p->states[1], lists[1]));
        REQUIRE(memcmp(lists[0], lists[1], (size_t)count * sizeof(action)) == 0);
        const action a = choose(in, p, lists[0], count);
        for (int i = 0; i < 2; i++) {
            REQUIRE(p->scenarios[i]->game->is_legal(&p->states[i], a));
            check_action_text(p->scenarios[i], &p->states[i], a);
            p->scenarios[i]->game->play(&p->states[i], a, NULL);
        }
        check_agreement(p);
        if (ply % EVERY_TEXT == 0)
            check_notation(p->scenarios[ply / EVERY_TEXT % 2], &p->states[ply / EVERY_TEXT % 2]);
    }
}

/* One of the games' own playouts: the same random numbers, so the same end. On maps with few units it plays
 * the rest of the game, on others a few turns. */
static void roll_out(struct pair *p, uint64_t seed, int units) {
    const int turns = units <= PLAYOUT_UNITS_MAX ? 0 : 1 + 4 * PLAYOUT_UNITS_MAX / units;
    int count = 0;
    while (p->scenarios[0]->game->rollouts[count].name != NULL)
        count++;
    const int which = (int)(seed % (unsigned)count);
    long played[2];
    for (int i = 0; i < 2; i++) {
        struct rng r;
        rng_seed(&r, seed);
        played[i] = p->scenarios[i]->game->rollouts[which].run(&p->states[i], &r, turns);
    }
    REQUIRE(played[0] == played[1]);
    check_agreement(p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct tbs_map map;
    static struct pair p;
    struct bytes in = {data, data + size};
    if (!make_map(&in, &map))
        return 0;
    const struct tbs_rules *rules = &tbs_rule_sets[bytes_below(&in, 2)];
    for (int i = 0; i < 2; i++) {
        p.scenarios[i] = tbs_scenario_make(&map, rules, i == 0 ? TBS_PATH_AUTO : TBS_PATH_WIDE, NULL);
        REQUIRE(p.scenarios[i] != NULL);
        p.scenarios[i]->game->start(&p.states[i], p.scenarios[i], NULL);
    }
    const uint64_t seed = bytes_below(&in, 1 << 16);
    check_agreement(&p);
    play_along(&in, &p);
    roll_out(&p, seed, map.unit_count);
    for (int i = 0; i < 2; i++)
        game_unload(p.scenarios[i]);
    return 0;
}
