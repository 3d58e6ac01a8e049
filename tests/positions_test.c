/* SPDX-License-Identifier: MIT
 *
 * Our reconstructions of the positions in Sato, Fujiki and Ikeda (figures 4 to 11, whose own are lost) have
 * the properties the paper states. Everything here is exact: all turns are enumerated, and what a side can
 * force is searched to the end of the game. The numbers are part of the positions: a map that is changed has
 * to be proved again.
 */
#include "positions_support.h"
#include "search/minmax.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int target_of(action a) {
    return is_attack(a) ? tbs_action_target(a) : TBS_NO_TARGET;
}

static bool stays(const struct tbs_small *s, action a) {
    const struct tbs_scenario *sc = s->core.scenario;
    const int id = tbs_action_unit(a);
    return s->cell[sc->map.units[id].side][sc->slot_of[id]] ==
           core_cell(tbs_action_x(a), tbs_action_y(a), CORE_SMALL);
}

static int type_of(const struct tbs_small *s, int id) {
    return s->core.scenario->map.units[id].type;
}

/* Full-width search of so many turns with the sum of HP, attacks first: its choice, and its value to the
 * mover. */
static struct search_result search(const struct tbs_small *s, int turns) {
    struct rng rng;
    struct err e;
    struct search_result result;
    rng_seed(&rng, 1);
    const struct search_task task = {.game = &tbs_game, .root = s, .rng = &rng};
    const struct minmax_settings settings = {.turns = turns,
                                             .order = game_prior(&tbs_game, "attacks"),
                                             .table = true,
                                             .cache = minmax_cache_open(&tbs_game, 4 << 20, &e)};
    assert_non_null(settings.cache);
    minmax_search(&task, &settings, &result);
    minmax_cache_close(settings.cache);
    return result;
}

/* ---- all of them ---- */

static const char *const names[] = {"paper_fig4", "paper_fig5",   "paper_fig6",    "paper_fig7",
                                    "paper_fig8", "paper_fig9_a", "paper_fig10_b", "paper_fig11_c"};
enum { STARTS = 5 }; /* the first of those that whole games start from */

static void they_describe_themselves(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(names); i++) {
        struct spot spot;
        spot_open(&spot, names[i]);
        const struct tbs_map *map = tbs_scenario_map(spot.scenario);
        struct tbs_problems problems = {0};
        tbs_map_check(map, &problems);
        assert_int_equal(problems.count, 0);
        assert_non_null(strstr(map->comment, "Reconstruction of fig. "));
        assert_non_null(strstr(map->comment, "lost: "));
        assert_true(map->width <= SMALL_CELLS + 2 && map->height <= SMALL_CELLS + 2);
        spot_close(&spot);
    }
}

/* ---- figure 4: one turn of foresight takes the wrong fighter ---- */

enum { FIG4_ANTIAIR, FIG4_LEFT, FIG4_RIGHT, FIG4_CANNON };
enum { FIG4_ACTIONS = 15 };

/* How many attacks on the antiair blue has at once, and how many of them destroy it. */
static int answers(const struct tbs_small *s, int *deadly) {
    action list[SPOT_ACTIONS_MAX];
    const int count = tbs_game.actions(s, list);
    int attacks = 0;
    *deadly = 0;
    for (int i = 0; i < count; i++)
        if (target_of(list[i]) == FIG4_ANTIAIR) {
            const struct tbs_small next = after(s, list[i]);
            attacks++;
            *deadly += next.core.result == TBS_BLUE_ANNIHILATION;
        }
    return attacks;
}

/* Wherever the antiair stands after capturing the left fighter, the cannon destroys it. After the right one
 * no attack reaches it, and red wins by force. It cannot begin with the cannon. */
static void fig4_red_wins_by_the_right_fighter(void **state) {
    (void)state;
    struct spot spot;
    struct proof red;
    action list[SPOT_ACTIONS_MAX];
    int captures[4] = {0}, deadly;
    spot_open(&spot, "paper_fig4");
    proof_open(&red, &spot, TBS_RED, 1, NULL);
    const int count = tbs_game.actions(&spot.start, list);
    assert_int_equal(count, FIG4_ACTIONS);
    for (int i = 0; i < count; i++) {
        const struct tbs_small next = after(&spot.start, list[i]);
        const int target = target_of(list[i]);
        if (target == TBS_NO_TARGET)
            continue;
        captures[target]++;
        assert_int_equal(hp_of(&next, target), 0);
        const int attacks = answers(&next, &deadly);
        if (target == FIG4_LEFT)
            assert_true(deadly > 0);
        else
            assert_true(attacks == 0 && proof_holds(&red, &next));
    }
    assert_true(hp_of(&spot.start, FIG4_LEFT) > hp_of(&spot.start, FIG4_RIGHT));
    assert_int_equal(captures[FIG4_LEFT], 2);
    assert_int_equal(captures[FIG4_RIGHT], 1);
    assert_int_equal(captures[FIG4_CANNON], 0);
    proof_close(&red);
    spot_close(&spot);
}

/* The best of these values belong to attacks on one unit only: which. */
static int best_target(const action *list, const double *values, int count) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (values[i] > values[best])
            best = i;
    for (int i = 0; i < count; i++)
        assert_true(values[i] < values[best] || target_of(list[i]) == target_of(list[best]));
    return target_of(list[best]);
}

/* One turn gives most HP on the left; a search of two turns sees the cannon's answer, which ends the game at
 * once. */
static void fig4_depth_one_is_wrong_and_depth_two_right(void **state) {
    (void)state;
    struct spot spot;
    action list[SPOT_ACTIONS_MAX];
    double one[SPOT_ACTIONS_MAX], two[SPOT_ACTIONS_MAX];
    spot_open(&spot, "paper_fig4");
    const int count = tbs_game.actions(&spot.start, list);
    for (int i = 0; i < count; i++) {
        const struct tbs_small next = after(&spot.start, list[i]);
        one[i] = lead(&next, NULL);
        two[i] = -search(&next, 1).value;
        if (target_of(list[i]) == FIG4_LEFT)
            assert_true(minmax_is_decided(two[i]) && two[i] < 0);
    }
    assert_int_equal(best_target(list, one, count), FIG4_LEFT);
    assert_int_equal(best_target(list, two, count), FIG4_RIGHT);
    assert_int_equal(target_of(search(&spot.start, 1).chosen), FIG4_LEFT);
    assert_int_equal(target_of(search(&spot.start, 2).chosen), FIG4_RIGHT);
    spot_close(&spot);
}

/* ---- figure 5: a unit has to make room first ---- */

enum { FIG5_CANNON, FIG5_PANZER, FIG5_ANTIAIR, FIG5_INFANTRY, FIG5_BLUE_CANNON };

/* Of the ordered turns from here: how many there are, after how many the infantry is gone, and after how many
 * all of blue. With `attacks`, only turns in which a unit attacks as long as one can; the others stay. */
struct turn_counts {
    double all, without_infantry, annihilations;
};

static struct turn_counts count_turns(struct known_table *table, const struct tbs_small *s, bool attacks) {
    if (s->core.turn != 0)
        return (struct turn_counts){1, hp_of(s, FIG5_INFANTRY) == 0, s->core.result == TBS_RED_ANNIHILATION};
    const uint64_t key = tbs_game.key(s);
    const struct known *known = known_at(table, key);
    if (known->key != 0)
        return (struct turn_counts){known->value[0], known->value[1], known->value[2]};
    action list[SPOT_ACTIONS_MAX];
    int count = tbs_game.actions(s, list), kept = 0;
    for (int i = 0; i < count && attacks; i++)
        if (is_attack(list[i]))
            list[kept++] = list[i];
    if (attacks && kept == 0)
        list[kept++] = TBS_PASS;
    count = attacks ? kept : count;
    struct turn_counts sum = {0};
    for (int i = 0; i < count; i++) {
        const struct tbs_small next = after(s, list[i]);
        const struct turn_counts more = count_turns(table, &next, attacks);
        sum.all += more.all;
        sum.without_infantry += more.without_infantry;
        sum.annihilations += more.annihilations;
    }
    known_add(table, key, (const double[3]){sum.all, sum.without_infantry, sum.annihilations});
    return sum;
}

static void fig5_only_a_move_lets_red_through(void **state) {
    (void)state;
    struct spot spot;
    struct known_table table = {0};
    spot_open(&spot, "paper_fig5");
    const struct turn_counts any = count_turns(&table, &spot.start, false);
    known_done(&table);
    assert_true(any.all == 28510);
    assert_true(any.without_infantry == 712);
    assert_true(any.annihilations == 82);
    const struct turn_counts attacks = count_turns(&table, &spot.start, true);
    known_done(&table);
    assert_true(attacks.all == 5);
    assert_true(attacks.without_infantry == 0);
    assert_true(attacks.annihilations == 0);
    spot_close(&spot);
}

/* The infantry crosses the mountain into the valley and gets out of range there; the cannon fires or stays.
 */
static bool escape(const struct proof *p, const struct tbs_small *s, action a) {
    (void)p;
    const int id = tbs_action_unit(a);
    return id == FIG5_INFANTRY ? !is_attack(a) && tbs_action_x(a) >= 7 : is_attack(a) || stays(s, a);
}

/* With the infantry destroyed in this turn red wins by force, and after every other turn blue does not lose.
 */
static void fig5_it_is_now_or_never(void **state) {
    (void)state;
    struct spot spot;
    struct endings endings;
    struct proof red, blue;
    int destroyed = 0;
    spot_open(&spot, "paper_fig5");
    proof_open(&red, &spot, TBS_RED, 1, NULL);
    proof_open(&blue, &spot, TBS_BLUE, 0.5, escape);
    endings_collect(&endings, &spot.start);
    assert_int_equal(endings.count, 5816);
    for (int i = 0; i < endings.count; i++) {
        const bool gone = hp_of(&endings.items[i], FIG5_INFANTRY) == 0;
        destroyed += gone;
        assert_true(proof_holds(gone ? &red : &blue, &endings.items[i]));
    }
    assert_int_equal(destroyed, 268);
    endings_done(&endings);
    proof_close(&red);
    proof_close(&blue);
    spot_close(&spot);
}

/* ---- figures 6 and 7: the value of a piece depends on the position ---- */

static const double attacker_heavy[TBS_TYPES] = {1, 100, 1, 1, 1, 1};
static const double fighter_heavy[TBS_TYPES] = {100, 1, 1, 1, 1, 1};

/* The set of the unit of that id. */
static unsigned only(int id) {
    return 1u << id;
}

/* Goes through the best of all turns by these values: each hurts one unit of the set `targets` and no other
 * of blue's, and from each the proof holds. Returns how many there are. */
static int best_turns(const struct endings *endings, const double *values, unsigned targets,
                      struct proof *proof) {
    double best = -HUGE_VAL;
    int count = 0;
    for (int i = 0; i < endings->count; i++)
        best = fmax(best, lead(&endings->items[i], values));
    for (int i = 0; i < endings->count; i++) {
        const struct tbs_small *s = &endings->items[i];
        if (lead(s, values) != best)
            continue;
        const struct tbs_map *map = &s->core.scenario->map;
        unsigned hurt = 0;
        for (int id = 0; id < map->unit_count; id++)
            if (map->units[id].side == TBS_BLUE && hp_of(s, id) < map->units[id].hp)
                hurt |= only(id);
        assert_true(hurt != 0 && (hurt & (hurt - 1)) == 0 && (hurt & ~targets) == 0);
        assert_true(proof_holds(proof, s));
        count++;
    }
    return count;
}

enum { FIG6_RED_FIGHTER, FIG6_RED_ATTACKER, FIG6_BLUE_FIGHTER, FIG6_BLUE_ATTACKER };

/* Fighters first, attackers when no fighter is left; an attacker may make room for its fighter. */
static bool duel(const struct proof *p, const struct tbs_small *s, action a) {
    const int enemy = p->side == TBS_RED ? FIG6_BLUE_FIGHTER : FIG6_RED_FIGHTER;
    if (is_attack(a))
        return tbs_action_target(a) == enemy || hp_of(s, enemy) == 0;
    return type_of(s, tbs_action_unit(a)) == TBS_ATTACKER || stays(s, a);
}

/* Attackers cannot hurt aircraft: the side with the last fighter loses no more HP. By the values of the
 * fighter every best turn wins by force, by those of the attacker every best turn loses. */
static void fig6_the_fighter_decides(void **state) {
    (void)state;
    struct spot spot;
    struct endings endings;
    struct proof red, blue;
    spot_open(&spot, "paper_fig6");
    const struct tbs_map *map = tbs_scenario_map(spot.scenario);
    for (int id = 0; id < map->unit_count; id++)
        assert_true(map->units[id].type == TBS_FIGHTER || map->units[id].type == TBS_ATTACKER);
    proof_open(&red, &spot, TBS_RED, 1, duel);
    proof_open(&blue, &spot, TBS_BLUE, 1, duel);
    endings_collect(&endings, &spot.start);
    assert_int_equal(endings.count, 1167);
    assert_int_equal(best_turns(&endings, fighter_heavy, only(FIG6_BLUE_FIGHTER), &red), 118);
    assert_int_equal(best_turns(&endings, attacker_heavy, only(FIG6_BLUE_ATTACKER), &blue), 60);
    endings_done(&endings);
    proof_close(&red);
    proof_close(&blue);
    spot_close(&spot);
}

enum { FIG7_FIGHTER, FIG7_PANZER, FIG7_WEAK_FIGHTER, FIG7_STRONG_FIGHTER, FIG7_ATTACKER };

/* Blue's fighters attack or stay; its attacker may move anywhere. */
static bool fly_to_the_panzer(const struct proof *p, const struct tbs_small *s, action a) {
    (void)p;
    return tbs_action_unit(a) == FIG7_ATTACKER || is_attack(a) || stays(s, a);
}

/* Blue to move: no attack destroys red's fighter alone, and both of blue's fighters together do, after which
 * blue wins by force. */
static void assert_two_fighters_destroy_it(const struct tbs_small *s, struct proof *blue) {
    action first[SPOT_ACTIONS_MAX], second[SPOT_ACTIONS_MAX];
    bool destroyed = false;
    const int count = tbs_game.actions(s, first);
    for (int i = 0; i < count; i++) {
        if (target_of(first[i]) != FIG7_FIGHTER)
            continue;
        const struct tbs_small hit = after(s, first[i]);
        assert_true(hp_of(&hit, FIG7_FIGHTER) > 0);
        const int more = tbs_game.actions(&hit, second);
        for (int k = 0; k < more; k++) {
            if (target_of(second[k]) != FIG7_FIGHTER)
                continue;
            const struct tbs_small next = after(&hit, second[k]);
            assert_int_equal(hp_of(&next, FIG7_FIGHTER), 0);
            destroyed = destroyed || proof_holds(blue, &next);
        }
    }
    assert_true(destroyed);
}

/* Without the attacker nothing can hurt the panzer, whose HP outweigh both fighters: this is the whole of
 * red's proof, which visits no position. After an attack on a fighter both fighters destroy red's, and blue
 * wins. */
static void fig7_the_attacker_decides(void **state) {
    (void)state;
    struct spot spot;
    struct endings endings;
    struct proof red, blue;
    int attacked = 0, lost = 0;
    spot_open(&spot, "paper_fig7");
    const int weak = hp_of(&spot.start, FIG7_WEAK_FIGHTER), strong = hp_of(&spot.start, FIG7_STRONG_FIGHTER);
    assert_true(hp_of(&spot.start, FIG7_PANZER) > weak + strong);
    proof_open(&red, &spot, TBS_RED, 1, NULL);
    proof_open(&blue, &spot, TBS_BLUE, 1, fly_to_the_panzer);
    endings_collect(&endings, &spot.start);
    assert_int_equal(endings.count, 72);
    assert_int_equal(best_turns(&endings, attacker_heavy, only(FIG7_ATTACKER), &red), 4);
    assert_true(red.nodes == 0);
    const unsigned fighters = only(FIG7_WEAK_FIGHTER) | only(FIG7_STRONG_FIGHTER);
    assert_int_equal(best_turns(&endings, fighter_heavy, fighters, &blue), 10);
    for (int i = 0; i < endings.count; i++) {
        const struct tbs_small *s = &endings.items[i];
        const bool is_attacked = hp_of(s, FIG7_WEAK_FIGHTER) < weak || hp_of(s, FIG7_STRONG_FIGHTER) < strong;
        attacked += is_attacked;
        if (is_attacked)
            assert_two_fighters_destroy_it(s, &blue);
        lost += hp_of(s, FIG7_ATTACKER) > 0 && proof_holds(&blue, s);
    }
    assert_int_equal(attacked, 10);
    assert_int_equal(lost, 66);
    endings_done(&endings);
    proof_close(&red);
    proof_close(&blue);
    spot_close(&spot);
}

/* ---- figure 8: the right order and targets destroy everything ---- */

enum { FIG8_UNITS = 6 };

/* Of the turns from here that destroy all of blue: how many, and with which probability a turn is one of them
 * if a unit is drawn and then one of its attacks (of all its actions). Six units can destroy six only if each
 * destroys one: everything else is left out without a loss. */
struct successes {
    double count, attacking, uniform;
};

static struct successes count_successes(struct known_table *table, const struct tbs_small *s) {
    if (s->core.result == TBS_RED_ANNIHILATION)
        return (struct successes){1, 1, 1};
    const int ready = bits_count(s->core.ready[TBS_RED]);
    if (s->core.turn != 0 || bits_count(s->core.alive[TBS_BLUE]) > ready)
        return (struct successes){0};
    const uint64_t key = tbs_game.key(s);
    const struct known *known = known_at(table, key);
    if (known->key != 0)
        return (struct successes){known->value[0], known->value[1], known->value[2]};
    struct successes sum = {0};
    for (int id = 0; id < FIG8_UNITS; id++) {
        if ((s->core.ready[TBS_RED] >> s->core.scenario->slot_of[id] & 1) == 0)
            continue;
        action list[SPOT_ACTIONS_MAX];
        int attacks;
        const int count = tbs_unit_actions(s, id, TBS_ATTACKS_POWER, list, &attacks);
        for (int i = 0; i < attacks; i++) {
            const struct tbs_small next = after(s, list[i]);
            const struct successes more = count_successes(table, &next);
            sum.count += more.count;
            sum.attacking += more.attacking / ready / attacks;
            sum.uniform += more.uniform / ready / count;
        }
    }
    known_add(table, key, (const double[3]){sum.count, sum.attacking, sum.uniform});
    return sum;
}

/* Ordered sequences of attacks, each continued while an attack is possible. */
static double count_attack_sequences(struct known_table *table, const struct tbs_small *s) {
    if (s->core.turn != 0)
        return 1;
    const uint64_t key = tbs_game.key(s);
    const struct known *known = known_at(table, key);
    if (known->key != 0)
        return known->value[0];
    action list[SPOT_ACTIONS_MAX];
    const int count = tbs_game.actions(s, list);
    double sum = 0;
    for (int i = 0; i < count; i++)
        if (is_attack(list[i])) {
            const struct tbs_small next = after(s, list[i]);
            sum += count_attack_sequences(table, &next);
        }
    sum = sum > 0 ? sum : 1;
    known_add(table, key, (const double[3]){sum});
    return sum;
}

static void fig8_few_turns_destroy_everything(void **state) {
    (void)state;
    struct spot spot;
    struct known_table table = {0};
    action list[SPOT_ACTIONS_MAX];
    int attacks = 0;
    spot_open(&spot, "paper_fig8");
    assert_int_equal(bits_count(spot.start.core.alive[TBS_RED]), FIG8_UNITS);
    assert_int_equal(bits_count(spot.start.core.alive[TBS_BLUE]), FIG8_UNITS);
    const int count = tbs_game.actions(&spot.start, list);
    for (int i = 0; i < count; i++)
        attacks += is_attack(list[i]);
    assert_int_equal(count, 91);
    assert_int_equal(attacks, 8);
    const struct successes found = count_successes(&table, &spot.start);
    known_done(&table);
    assert_true(found.count == 40);
    assert_true(fabs(found.attacking - 0.0101) < 0.0001);
    assert_true(found.uniform > 1.3e-9 && found.uniform < 1.4e-9);
    assert_true(count_attack_sequences(&table, &spot.start) == 1180);
    known_done(&table);
    spot_close(&spot);
}

/* Full-width search of one turn finds one of them. */
static void fig8_min_max_finds_one(void **state) {
    (void)state;
    struct spot spot;
    spot_open(&spot, "paper_fig8");
    struct tbs_small s = spot.start;
    for (int i = 0; i < FIG8_UNITS; i++) {
        assert_int_equal(s.core.turn, 0);
        s = after(&s, search(&s, 1).chosen);
    }
    assert_int_equal(s.core.result, TBS_RED_ANNIHILATION);
    spot_close(&spot);
}

/* ---- figures 9 to 11: start positions ---- */

static int attack_count(const struct tbs_small *s) {
    action list[SPOT_ACTIONS_MAX];
    const int count = tbs_game.actions(s, list);
    int attacks = 0;
    for (int i = 0; i < count; i++)
        attacks += is_attack(list[i]);
    return attacks;
}

/* Turned by half a turn the map is the same, with the sides changed. */
static void assert_fair(const struct tbs_map *map) {
    const int right = map->width - 1, bottom = map->height - 1, half = map->unit_count / 2;
    for (int x = 0; x <= right; x++)
        for (int y = 0; y <= bottom; y++)
            assert_int_equal(map->terrain[x][y], map->terrain[right - x][bottom - y]);
    for (int id = 0; id < half; id++) {
        const struct tbs_map_unit *red = &map->units[id], *blue = &map->units[id + half];
        assert_int_equal(red->side, TBS_RED);
        assert_int_equal(blue->side, TBS_BLUE);
        assert_int_equal(red->type, blue->type);
        assert_int_equal(red->hp, blue->hp);
        assert_int_equal(red->x + blue->x, right);
        assert_int_equal(red->y + blue->y, bottom);
    }
}

static int terrain_count(const struct tbs_map *map, int terrain, int low, int high) {
    int count = 0;
    for (int x = low; x <= high; x++)
        for (int y = low; y <= high; y++)
            count += map->terrain[x][y] == terrain;
    return count;
}

static void start_positions_are_fair_and_quiet(void **state) {
    (void)state;
    for (size_t i = STARTS; i < COUNT(names); i++) {
        struct spot spot;
        spot_open(&spot, names[i]);
        const struct tbs_map *map = tbs_scenario_map(spot.scenario);
        assert_fair(map);
        assert_int_equal(map->unit_count, 12);
        assert_int_equal(attack_count(&spot.start), 0);
        const struct tbs_small waited = after(&spot.start, TBS_PASS);
        assert_int_equal(waited.core.side, TBS_BLUE);
        assert_int_equal(attack_count(&waited), 0);
        /* The sixteen cells in the middle. */
        assert_true(terrain_count(map, TBS_FORTRESS, 3, 6) >= 2);
        assert_true(terrain_count(map, TBS_WOOD, 3, 6) >= 2);
        assert_true(terrain_count(map, TBS_MOUNTAIN, 1, 8) >= 2);
        spot_close(&spot);
    }
}

/* The cells vehicles can get to from red's camp when some cells are closed. */
static uint64_t vehicle_ground(const struct spot *spot, uint64_t closed) {
    const struct tbs_scenario *sc = spot->start.core.scenario;
    const uint64_t open = (sc->small_cost1[TBS_VEHICLE] | sc->small_cost2[TBS_VEHICLE]) & ~closed;
    uint64_t reached = small_bit(spot->start.cell[TBS_RED][0]), before;
    do {
        before = reached;
        reached |= small_neighbours(reached) & open;
    } while (reached != before);
    return reached;
}

/* Mountains are in the way, but they do not keep the armies apart. */
static void no_unit_is_shut_in(void **state) {
    (void)state;
    for (size_t i = STARTS; i < COUNT(names); i++) {
        struct spot spot;
        spot_open(&spot, names[i]);
        const uint64_t reached = vehicle_ground(&spot, 0);
        for (int side = 0; side < TBS_SIDES; side++)
            assert_true((small_side_cells(&spot.start, side) & ~reached) == 0);
        spot_close(&spot);
    }
}

static bool c_connects(uint64_t closed) {
    struct spot spot;
    spot_open(&spot, "paper_fig11_c");
    const bool connects = (vehicle_ground(&spot, closed) & small_bit(spot.start.cell[TBS_BLUE][0])) != 0;
    spot_close(&spot);
    return connects;
}

/* In C there is no way around the two cells in the middle. */
static void c_has_a_choke(void **state) {
    (void)state;
    const uint64_t one = small_bit(core_cell(4, 4, CORE_SMALL)),
                   other = small_bit(core_cell(5, 5, CORE_SMALL));
    assert_true(c_connects(one));
    assert_true(c_connects(other));
    assert_false(c_connects(one | other));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_describe_themselves),
        cmocka_unit_test(fig4_red_wins_by_the_right_fighter),
        cmocka_unit_test(fig4_depth_one_is_wrong_and_depth_two_right),
        cmocka_unit_test(fig5_only_a_move_lets_red_through),
        cmocka_unit_test(fig5_it_is_now_or_never),
        cmocka_unit_test(fig6_the_fighter_decides),
        cmocka_unit_test(fig7_the_attacker_decides),
        cmocka_unit_test(fig8_few_turns_destroy_everything),
        cmocka_unit_test(fig8_min_max_finds_one),
        cmocka_unit_test(start_positions_are_fair_and_quiet),
        cmocka_unit_test(no_unit_is_shut_in),
        cmocka_unit_test(c_has_a_choke),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
