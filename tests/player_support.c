/* SPDX-License-Identifier: MIT */
#include "player_support.h"

#include "game/tbs/map.h"
#include "player/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

void draw_map(struct rng *r, struct tbs_map *map) {
    struct tbs_random_options options;
    struct err e;
    tbs_random_defaults(&options);
    options.width = 3 + (int)rng_below(r, 6);
    options.height = 3 + (int)rng_below(r, 6);
    options.units[TBS_RED] = 1 + (int)rng_below(r, 4);
    options.units[TBS_BLUE] = 1 + (int)rng_below(r, 4);
    options.hp_low = 1;
    options.turn_limit = 8 + (int)rng_below(r, 12);
    assert_true(tbs_map_random(&options, r, map, &e));
    for (int id = 0; id < map->unit_count; id++)
        map->units[id].done = rng_below(r, 8) == 0;
}

struct scenario *make_scenario(const struct tbs_map *map, enum tbs_path path) {
    struct err e;
    struct scenario *scenario = tbs_scenario_make(map, &tbs_rule_sets[0], path, &e);
    assert_non_null(scenario);
    return scenario;
}

static action any_action(const struct position *p, struct rng *r) {
    static action legal[1 << 15];
    assert_true(p->scenario->game->actions_max <= 1 << 15);
    const int count = p->scenario->game->actions(p->state, legal);
    assert_true(count > 0);
    return legal[rng_below(r, (uint32_t)count)];
}

bool walk(struct position *p, const struct scenario *scenario, int steps, struct rng *r) {
    const struct game *game = scenario->game;
    p->scenario = scenario;
    game->start(p->state, scenario, r);
    if (game->mover(p->state) == NOBODY)
        return false;
    for (int i = 0; i < steps; i++) {
        struct position next = *p;
        game->play(next.state, any_action(p, r), r);
        if (game->mover(next.state) == NOBODY)
            break;
        *p = next;
    }
    return true;
}

struct scenario *load_position(const char *text, struct position *p) {
    struct err e = {0};
    const struct game_source source = {.name = "test", .text = text, .size = strlen(text)};
    struct scenario *scenario = game_load(&tbs_game, &source, &e);
    assert_string_equal(e.text, "");
    assert_non_null(scenario);
    struct rng r;
    rng_seed(&r, 1);
    assert_true(walk(p, scenario, 0, &r));
    return scenario;
}

/* ---- asking ---- */

struct player *open_player(const char *spec, const struct game *game) {
    struct err e = {0};
    struct player *player = player_open_granted(spec, game, &grant_everything, &e);
    assert_string_equal(e.text, "");
    assert_non_null(player);
    return player;
}

struct answer ask_player(struct player *player, const struct position *p, uint64_t seed, struct rng *after) {
    const struct game *game = p->scenario->game;
    struct position seen = *p, asked;
    struct rng r;
    rng_seed(&r, seed);
    game_view(game, p->state, game->mover(p->state), seen.state);
    asked = seen;
    const struct ask question = {.game = game, .view = asked.state, .side = game->mover(p->state), .rng = &r};
    struct answer answer;
    player_choose(player, &question, &answer);
    assert_memory_equal(asked.state, seen.state, game->state_size);
    if (after != NULL)
        *after = r;
    return answer;
}

struct answer ask_in(struct player *player, const struct ask *about, uint64_t seed) {
    struct ask question = *about;
    struct rng r;
    struct answer answer;
    rng_seed(&r, seed);
    question.rng = &r;
    player_choose_in(player, &question, &answer);
    assert_int_equal(answer.fault, PLAYER_FAULT_NONE);
    assert_true(about->game->is_legal(about->view, answer.chosen));
    return answer;
}

struct answer ask_once_in(const char *spec, const struct ask *about, uint64_t seed) {
    struct player *player = open_player(spec, about->game);
    const struct answer answer = ask_in(player, about, seed);
    player_close(player);
    return answer;
}

void expect_same_answer(const struct answer *a, const struct answer *b) {
    assert_int_equal(a->chosen, b->chosen);
    assert_int_equal(a->work_done, b->work_done);
    assert_memory_equal(&a->value, &b->value, sizeof a->value);
}
