/* SPDX-License-Identifier: MIT
 *
 * The output of the original platform, compared with both of our paths: damages, action counts, whole games
 * and digests of games. The vectors lie beside the project ($SENJUTSU_ROOT/../shared) and are not part of it;
 * without them these tests are skipped with a message.
 */
#include "base/numbers.h"
#include "game/tbs/core.h"
#include "golden_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { WORD_MAX = 40 };

/* ---- a game on one path ---- */

struct table {
    const struct game *game;
    struct scenario *scenario;
    _Alignas(16) unsigned char state[GAME_STATE_MAX];
};

static void table_open(struct table *t, const struct game *game, const char *map) {
    t->scenario = golden_scenario(game, map);
    t->game = t->scenario->game;
    assert_ptr_equal(t->game, game); /* all maps of the platform fit the small path */
    t->game->start(t->state, t->scenario, NULL);
}

static void table_close(struct table *t) {
    game_unload(t->scenario);
}

static const struct game *const paths[] = {&tbs_game, &tbs_wide_game};

/* ---- damages ---- */

static int type_of_mark(char mark) {
    int type = 0;
    while (type < TBS_TYPES && tbs_unit_types[type].mark != mark)
        type++;
    assert_in_range(type, 0, TBS_TYPES - 1);
    return type;
}

static void compare_fight(const struct tbs_scenario *sc, struct tbs_fighter a, struct tbs_fighter d,
                          struct tbs_exchange expected) {
    const struct tbs_exchange plain = tbs_fight(sc->rules, a, d), fast = core_fight(sc, a, d);
    if (plain.damage != expected.damage || plain.counter != expected.counter ||
        fast.damage != expected.damage || fast.counter != expected.counter)
        fail_msg("%s %d HP (%d stars) on %s %d HP (%d stars): the platform %d/%d, tbs_fight %d/%d, "
                 "core_fight %d/%d",
                 tbs_unit_types[a.type].name, a.hp, a.stars, tbs_unit_types[d.type].name, d.hp, d.stars,
                 expected.damage, expected.counter, plain.damage, plain.counter, fast.damage, fast.counter);
}

static int compare_damage_line(const struct tbs_scenario *sc, const char *line) {
    char attacker, defender;
    int defender_stars, attacker_stars, hp, used, count = 0;
    if (sscanf(line, "%c %c %d %d %d :%n", &attacker, &defender, &defender_stars, &attacker_stars, &hp,
               &used) != 5)
        fail_msg("'%s' is no damage line", line);
    const int a = type_of_mark(attacker), d = type_of_mark(defender);
    struct tbs_exchange expected;
    for (line += used; sscanf(line, " %d/%d%n", &expected.damage, &expected.counter, &used) == 2;
         line += used)
        compare_fight(sc, (struct tbs_fighter){a, hp, tbs_is_air(a) ? 0 : attacker_stars},
                      (struct tbs_fighter){d, ++count, tbs_is_air(d) ? 0 : defender_stars}, expected);
    return count;
}

static void damages_agree(void **state) {
    (void)state;
    struct table t;
    table_open(&t, &tbs_game, "map01.tbsmap");
    struct text file = {0};
    golden_load("golden/tbs", "damage.txt", &file);
    int count = 0;
    char *at = file.data;
    for (char *line; (line = golden_line(&at)) != NULL;)
        if (line[0] != '#')
            count += compare_damage_line((const struct tbs_scenario *)t.scenario, line);
    assert_int_equal(count, 57600);
    text_done(&file);
    table_close(&t);
}

/* ---- counts ---- */

struct counts {
    int moves, attacks[3]; /* by enum tbs_attacks */
};

static void add_unit_counts(const void *state, int unit, struct counts *c) {
    action list[TBS_UNIT_ACTIONS_MAX];
    for (int which = TBS_ATTACKS_ALL; which <= TBS_ATTACKS_DAMAGE; which++) {
        int attacks;
        const int count = tbs_unit_actions(state, unit, (enum tbs_attacks)which, list, &attacks);
        c->attacks[which] += attacks;
        if (which == TBS_ATTACKS_ALL)
            c->moves += count - attacks;
    }
}

static void compare_unit_line(const struct table *t, const char *line, struct counts *side_sums) {
    int unit, team, x, y, hp, done, reach, n[5];
    char name[WORD_MAX];
    if (sscanf(line,
               "unit %d team %d %39s at %d %d hp %d fin %d reach %d moves %d attacks %d attacks_pow %d "
               "attacks_dmg %d sum %d",
               &unit, &team, name, &x, &y, &hp, &done, &reach, &n[0], &n[1], &n[2], &n[3], &n[4]) != 13)
        fail_msg("'%s' is no unit line", line);
    const struct tbs_map_unit *u = &tbs_map_of(t->state)->units[unit];
    assert_string_equal(tbs_unit_types[u->type].name, name);
    assert_true(u->side == team && u->x == x && u->y == y && u->hp == hp && u->done == done);
    struct counts mine = {0};
    add_unit_counts(t->state, unit, &mine);
    assert_int_equal(mine.moves, reach);
    if (done)
        mine = (struct counts){0}; /* the platform prints what a unit that may act can do */
    assert_int_equal(mine.moves, n[0]);
    assert_int_equal(mine.moves + mine.attacks[TBS_ATTACKS_ALL], n[4]);
    side_sums->moves += mine.moves;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(mine.attacks[i], n[1 + i]);
        side_sums->attacks[i] += mine.attacks[i];
    }
}

static void compare_side_line(const char *line, struct counts *sums) {
    int side, units, n[5];
    if (sscanf(line, "side %d units %d moves %d attacks %d attacks_pow %d attacks_dmg %d sum %d", &side,
               &units, &n[0], &n[1], &n[2], &n[3], &n[4]) != 7)
        fail_msg("'%s' is no side line", line);
    assert_int_equal(sums->moves, n[0]);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sums->attacks[i], n[1 + i]);
    *sums = (struct counts){0};
}

static void compare_map_line(const char *line, const char *map_name, const struct table *t) {
    int width, height, limit, threshold, red, blue;
    if (sscanf(line + 4 + strlen(map_name), " size %d %d limit %d threshold %d red %d blue %d", &width,
               &height, &limit, &threshold, &red, &blue) != 6)
        fail_msg("'%s' is no map line", line);
    const struct tbs_map *map = tbs_map_of(t->state);
    assert_int_equal(map->width, width);
    assert_int_equal(map->height, height);
    assert_int_equal(map->turn_limit, limit);
    assert_int_equal(map->threshold, threshold);
    assert_int_equal(tbs_map_side_units(map, TBS_RED), red);
    assert_int_equal(tbs_map_side_units(map, TBS_BLUE), blue);
}

static int compare_counts(const struct game *game) {
    struct text file = {0};
    golden_load("golden/tbs", "counts.txt", &file);
    struct table t = {0};
    struct counts sums = {0};
    char *at = file.data, map[WORD_MAX];
    int units = 0;
    for (char *line; (line = golden_line(&at)) != NULL;) {
        if (sscanf(line, "map %39s", map) == 1) {
            if (t.scenario != NULL)
                table_close(&t);
            table_open(&t, game, map);
            compare_map_line(line, map, &t);
        } else if (strncmp(line, "unit ", 5) == 0) {
            compare_unit_line(&t, line, &sums);
            units++;
        } else {
            compare_side_line(line, &sums);
        }
    }
    table_close(&t);
    text_done(&file);
    return units;
}

static void counts_agree(void **state) {
    (void)state;
    assert_int_equal(compare_counts(&tbs_game), 223);
    assert_int_equal(compare_counts(&tbs_wide_game), 223);
}

/* ---- games ---- */

/* The platform's random games: splitmix64, and a plain remainder. */
static int platform_below(uint64_t *random, int n) {
    return (int)((rng_splitmix(random) >> 32) % (uint32_t)n);
}

static action platform_choice(const void *state, enum tbs_attacks which, uint64_t *random) {
    struct tbs_position p;
    tbs_position_of(state, &p);
    int ready[TBS_UNITS_MAX], count = 0;
    for (int id = 0; id < p.unit_count; id++)
        if (p.units[id].hp > 0 && p.units[id].side == p.side && !p.units[id].done)
            ready[count++] = id;
    const int unit = ready[platform_below(random, count)];
    action list[TBS_UNIT_ACTIONS_MAX];
    int attacks;
    return list[platform_below(random, tbs_unit_actions(state, unit, which, list, &attacks))];
}

/* The platform prints flags after the action, before the end of the phase clears them; ours are cleared at
 * once. So places and HP come from the position after the action, flags from the one before plus the unit
 * that acted. */
static void write_units(struct text *out, const struct tbs_position *after, const struct tbs_position *before,
                        int actor) {
    text_clear(out);
    for (int id = 0; id < after->unit_count; id++) {
        const struct tbs_unit *u = &after->units[id];
        if (u->hp > 0)
            text_add(out, "%s%d,%d,%d,%d,%d", out->size > 0 ? " " : "", id, u->x, u->y, u->hp,
                     before->units[id].done || id == actor);
    }
}

static void write_start(struct text *out, const struct tbs_map *map) {
    struct tbs_position p = {.unit_count = map->unit_count};
    for (int id = 0; id < map->unit_count; id++) {
        const struct tbs_map_unit *u = &map->units[id];
        p.units[id] = (struct tbs_unit){u->x, u->y, u->type, u->side, u->hp, u->done};
    }
    write_units(out, &p, &p, -1);
}

static struct counts ready_counts(const void *state, const struct tbs_position *p) {
    struct counts c = {0};
    for (int id = 0; id < p->unit_count; id++)
        if (p->units[id].hp > 0 && p->units[id].side == p->side && !p->units[id].done)
            add_unit_counts(state, id, &c);
    return c;
}

/* Plays `a` and writes the platform's line about it. */
static void play_and_write(struct table *t, action a, struct text *out) {
    struct tbs_position before, after;
    struct text units = {0};
    tbs_position_of(t->state, &before);
    const struct counts c = ready_counts(t->state, &before);
    const struct tbs_exchange x = tbs_preview(t->state, a);
    const int unit = tbs_action_unit(a), target = tbs_action_target(a);
    t->game->play(t->state, a, NULL);
    tbs_position_of(t->state, &after);
    write_units(&units, &after, &before, unit);
    text_clear(out);
    text_add(out, "A %d %d %d %d %d %d %d %d %d %d %d | %d %d %d %d | %s", before.turn, before.side, unit,
             target == TBS_NO_TARGET ? 1 : 2, before.units[unit].x, before.units[unit].y, tbs_action_x(a),
             tbs_action_y(a), target, x.damage, x.counter, c.moves, c.attacks[0], c.attacks[1], c.attacks[2],
             text_string(&units));
    text_done(&units);
}

static int living(const struct tbs_position *p, int side) {
    int count = 0;
    for (int id = 0; id < p->unit_count; id++)
        count += p->units[id].hp > 0 && p->units[id].side == side;
    return count;
}

/* "red annihilation" is "red by annihilation" over there. */
static void write_result(const struct tbs_position *p, struct text *out) {
    const char *name = tbs_result_names[p->result], *blank = strchr(name, ' ');
    assert_non_null(blank);
    text_add(out, "turn %d winner %.*s by%s hp %d %d", p->turn, (int)(blank - name), name, blank,
             p->hp_sum[TBS_RED], p->hp_sum[TBS_BLUE]);
}

static void write_end(const struct table *t, struct text *out) {
    struct tbs_position p;
    tbs_position_of(t->state, &p);
    text_clear(out);
    text_add_string(out, "END ");
    write_result(&p, out);
    text_add(out, " units %d %d", living(&p, TBS_RED), living(&p, TBS_BLUE));
}

/* One line of a games file: what we would print there must be the same. */
static void compare_game_line(struct table *t, const char *line, uint64_t *random, struct text *ours) {
    text_clear(ours);
    if (line[0] == 'I') {
        write_start(ours, tbs_map_of(t->state));
        assert_string_equal(line + 4, text_string(ours));
        return;
    }
    if (line[0] == 'A')
        play_and_write(t, platform_choice(t->state, TBS_ATTACKS_ALL, random), ours);
    else
        write_end(t, ours);
    assert_string_equal(line, text_string(ours));
    assert_true(t->game->valid(t->state));
}

static int compare_games(const struct game *game, const char *file_name) {
    struct text file = {0}, ours = {0};
    golden_load("golden/tbs", file_name, &file);
    struct table t = {0};
    uint64_t random = 0;
    int games_seen = 0;
    char *at = file.data, map[WORD_MAX];
    for (char *line; (line = golden_line(&at)) != NULL;) {
        unsigned long long seed;
        if (line[0] == '#')
            continue;
        if (sscanf(line, "GAME %*d map %39s seed %llu mode all", map, &seed) != 2) {
            compare_game_line(&t, line, &random, &ours);
            continue;
        }
        if (t.scenario != NULL)
            table_close(&t);
        table_open(&t, game, map);
        random = seed;
        games_seen++;
    }
    table_close(&t);
    text_done(&file);
    text_done(&ours);
    return games_seen;
}

static void games_agree(void **state) {
    (void)state;
    static const char *const files[] = {"games_block_A1.txt", "games_map01.txt", "games_map02.txt",
                                        "games_map04.txt", "games_puzzle_A1.txt"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
        for (int path = 0; path < 2; path++)
            assert_int_equal(compare_games(paths[path], files[i]), 20);
}

/* ---- digests ---- */

static uint64_t hash_line(uint64_t hash, const struct text *line) {
    return hash_bytes(hash_bytes(hash, text_string(line), line->size), "\n", 1);
}

static uint64_t play_digest(struct table *t, enum tbs_attacks which, uint64_t random, int *actions) {
    struct text units = {0};
    uint64_t hash = HASH_START; /* the start itself is not part of it */
    for (*actions = 0; t->game->mover(t->state) != NOBODY; ++*actions) {
        struct tbs_position before, after;
        const action a = platform_choice(t->state, which, &random);
        tbs_position_of(t->state, &before);
        t->game->play(t->state, a, NULL);
        tbs_position_of(t->state, &after);
        write_units(&units, &after, &before, tbs_action_unit(a));
        hash = hash_line(hash, &units);
    }
    text_done(&units);
    return hash;
}

static void compare_digest(const struct game *game, const char *line) {
    static const char *const modes[] = {"all", "pow", "dmg"}; /* ORDER enum tbs_attacks */
    char map[WORD_MAX], mode[WORD_MAX];
    unsigned long long seed;
    int which = 0, actions;
    if (sscanf(line, "%39s %39s seed %llu", map, mode, &seed) != 3)
        fail_msg("'%s' is no digest", line);
    while (strcmp(modes[which], mode) != 0)
        assert_in_range(++which, 0, 2);
    struct table t;
    table_open(&t, game, map);
    const uint64_t hash = play_digest(&t, (enum tbs_attacks)which, seed, &actions);
    struct tbs_position p;
    tbs_position_of(t.state, &p);
    struct text ours = {0};
    text_add(&ours, "%s %s seed %llu actions %d ", map, mode, seed, actions);
    write_result(&p, &ours);
    text_add(&ours, " fnv %016llx", (unsigned long long)hash);
    assert_string_equal(line, text_string(&ours));
    text_done(&ours);
    table_close(&t);
}

static void digests_agree(void **state) {
    (void)state;
    struct text file = {0};
    golden_load("golden/tbs", "digests.txt", &file);
    char *at = file.data;
    int count = 0;
    for (char *line; (line = golden_line(&at)) != NULL; count++)
        for (int path = 0; path < 2; path++)
            compare_digest(paths[path], line);
    assert_int_equal(count, 396);
    text_done(&file);
}

int main(void) {
    enum { MESON_SKIPPED = 77 };
    if (!golden_is_there())
        return MESON_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damages_agree),
        cmocka_unit_test(counts_agree),
        cmocka_unit_test(games_agree),
        cmocka_unit_test(digests_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
