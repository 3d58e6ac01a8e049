/* SPDX-License-Identifier: MIT
 *
 * Any bytes as a map file, in the JSON form when they begin with '{'. A map that can be played is written in
 * both forms, read again and must be the same; then both paths (where it fits both) play random actions on
 * it.
 */
#include "fuzz.h"

#include "base/numbers.h"
#include "game/tbs/map.h"

enum { ACTIONS_PLAYED = 100 };

static bool same_unit(const struct tbs_map_unit *a, const struct tbs_map_unit *b) {
    return a->x == b->x && a->y == b->y && a->type == b->type && a->side == b->side && a->hp == b->hp &&
           a->done == b->done;
}

static bool same_map(const struct tbs_map *a, const struct tbs_map *b) {
    if (a->width != b->width || a->height != b->height || a->turn_limit != b->turn_limit ||
        a->threshold != b->threshold || a->unit_count != b->unit_count)
        return false;
    for (int i = 0; i < a->unit_count; i++)
        if (!same_unit(&a->units[i], &b->units[i]))
            return false;
    for (int x = 0; x < a->width; x++)
        if (memcmp(a->terrain[x], b->terrain[x], (size_t)a->height) != 0)
            return false;
    return true;
}

/* JSON loses nothing. */
static void check_json(const struct tbs_map *map) {
    static struct tbs_map again;
    static struct tbs_problems problems;
    struct text text = {0};
    struct err e;
    REQUIRE(tbs_map_write_json(map, &text, &e));
    REQUIRE(tbs_map_read_json(text_string(&text), text.size, &again, &problems));
    REQUIRE(same_map(map, &again));
    REQUIRE(strcmp(map->author, again.author) == 0 && strcmp(map->comment, again.comment) == 0);
    text_done(&text);
}

/* Author and comment may lose characters that would end them early, so they are compared as written. */
static void check_text(const struct tbs_map *map) {
    static struct tbs_map again;
    static struct tbs_problems problems;
    struct text first = {0}, second = {0};
    tbs_map_write(map, &first);
    REQUIRE(tbs_map_read(text_string(&first), first.size, &again, &problems));
    REQUIRE(same_map(map, &again));
    tbs_map_write(&again, &second);
    REQUIRE(strcmp(text_string(&first), text_string(&second)) == 0);
    text_done(&first);
    text_done(&second);
}

static void play_on(const struct scenario *scenario, uint64_t seed) {
    static action list[1 << 16];
    const struct game *game = scenario->game;
    union fuzz_state state;
    struct rng r;
    REQUIRE(game->actions_max <= (int)(sizeof list / sizeof list[0]));
    rng_seed(&r, seed);
    game->start(&state, scenario, &r);
    fuzz_check_state(game, &state);
    for (int i = 0; i < ACTIONS_PLAYED && game->mover(&state) != NOBODY; i++) {
        const int count = game->actions(&state, list);
        REQUIRE(count > 0 && count <= game->actions_max);
        const action a = list[rng_below(&r, (uint32_t)count)];
        REQUIRE(game->is_legal(&state, a));
        game->play(&state, a, &r);
        fuzz_check_state(game, &state);
    }
    game->rollouts[0].run(&state, &r, 0);
    REQUIRE(game->mover(&state) == NOBODY);
    fuzz_check_state(game, &state);
}

static bool read_either(const char *text, size_t size, struct tbs_map *out, struct tbs_problems *problems) {
    if (size > 0 && text[0] == '{')
        return tbs_map_read_json(text, size, out, problems);
    if (tbs_map_read(text, size, out, problems))
        return true;
    struct err e = {0};
    REQUIRE(!tbs_map_load("fuzz", text, size, out, &e) && e.text[0] != '\0');
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct tbs_map map;
    static struct tbs_problems problems;
    const uint64_t seed = hash_bytes(HASH_START, data, size);
    if (!read_either((const char *)data, size, &map, &problems)) {
        REQUIRE(problems.fatal && problems.count > 0);
        return 0;
    }
    check_text(&map);
    check_json(&map);
    for (int path = TBS_PATH_AUTO; path <= TBS_PATH_WIDE; path++) {
        struct scenario *scenario =
            tbs_scenario_make(&map, &tbs_rule_sets[seed % 2], (enum tbs_path)path, NULL);
        REQUIRE(scenario != NULL || path == TBS_PATH_SMALL);
        if (scenario == NULL)
            continue;
        play_on(scenario, seed);
        game_unload(scenario);
    }
    return 0;
}
