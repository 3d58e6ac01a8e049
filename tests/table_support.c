/* SPDX-License-Identifier: MIT */
#include "table_support.h"

#include "game/tbs/tbs.h"
#include "outside_support.h"
#include "player/player.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

const struct clock *table_clock(void) {
    static struct clock clock;
    if (clock.now_ns == NULL)
        clock = clock_system();
    return &clock;
}

static const char duel[] = "SIZEX[8];SIZEY[4];TURNLIMIT[12];HPTHRESHOLD[0];UNITNUMRED[2];UNITNUMBLUE[2];\n"
                           "UNIT[1,1,infantry,0,10,0];UNIT[1,2,panzer,0,10,0];\n"
                           "UNIT[6,1,infantry,1,10,0];UNIT[6,2,panzer,1,10,0];\n"
                           "MAP[0,0,0,0,0,0,0,0];MAP[0,1,1,1,1,1,1,0];MAP[0,1,1,1,1,1,1,0];"
                           "MAP[0,0,0,0,0,0,0,0];";

void sit_down(struct table *t, uint64_t id) {
    struct err e = {0};
    const struct game_source source = {.name = "duel", .text = duel, .size = strlen(duel)};
    if (t->scenario == NULL)
        t->scenario = game_load(&tbs_game, &source, &e);
    assert_string_equal(e.text, "");
    t->id = id;
    t->count = t->taken = t->turn = 0;
    t->budget.clock = table_clock();
    for (int side = 0; side < 2; side++)
        rng_seed_stream(&t->rng[side], id, (uint64_t)side + 1);
    t->scenario->game->start(t->state, t->scenario, &t->rng[0]);
}

void get_up(struct table *t) {
    game_unload(t->scenario);
    t->scenario = NULL;
}

static action played_at(const void *from, int index) {
    return ((const struct table *)from)->played[index];
}

struct answer ask_at(struct table *t, struct player *player) {
    const struct game *game = t->scenario->game;
    const int side = game->mover(t->state);
    const struct game_history history = {t->scenario, t->id, t->count, played_at, t};
    const struct ask ask = {.game = game,
                            .view = t->state,
                            .side = side,
                            .taken = t->taken,
                            .budget = t->budget,
                            .time = t->time,
                            .rng = &t->rng[side],
                            .history = &history};
    struct answer answer;
    player_choose(player, &ask, &answer);
    return answer;
}

void play_at(struct table *t, action chosen) {
    const struct game *game = t->scenario->game;
    assert_true(t->count < GAME_MAX);
    assert_true(game->is_legal(t->state, chosen));
    t->played[t->count++] = chosen;
    game->play(t->state, chosen, NULL);
    t->taken = game->turn(t->state) == t->turn ? t->taken + 1 : 0;
    t->turn = game->turn(t->state);
}

struct answer play_at_table(struct table *t, struct player *red, struct player *blue) {
    struct answer answer = {0};
    for (int side; (side = t->scenario->game->mover(t->state)) != NOBODY;) {
        answer = ask_at(t, side == 0 ? red : blue);
        if (answer.fault != PLAYER_FAULT_NONE)
            break;
        play_at(t, answer.chosen);
    }
    return answer;
}

struct player *open_spec(const char *spec) {
    struct err e = {0};
    struct player *player = player_open_granted(spec, &tbs_game, &grant_everything, &e);
    assert_string_equal(e.text, "");
    assert_non_null(player);
    return player;
}

struct player *open_saboteur(const char *mode, const char *more) {
    char spec[SPEC_TEXT_MAX];
    snprintf(spec, sizeof spec, "ext:cmd=[%s %s]%s", outside_saboteur(), mode, more);
    return open_spec(spec);
}

int saboteurs(void) {
    return outside_processes_named("saboteur") + outside_processes_named("sleep");
}

void expect_gone(void) {
    assert_int_equal(saboteurs(), 0);
    assert_int_equal(outside_zombies(), 0);
}
