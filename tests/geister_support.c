/* SPDX-License-Identifier: MIT */
#include "geister_support.h"

#include "golden_support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

struct scenario *geister_scenario;

static struct rng no_chance;

int geister_set_up(void **state) {
    struct err e;
    (void)state;
    geister_scenario = game_load_spec("geister", &e);
    return geister_scenario == NULL ? -1 : 0;
}

int geister_tear_down(void **state) {
    (void)state;
    game_unload(geister_scenario);
    return 0;
}

static void play_one(struct geister *s, const char *text) {
    struct err e = {{0}};
    action a;
    if (!geister_game.text->read_action(s, text, &a, &e))
        fail_msg("ply %d: %s", s->ply, e.text);
    geister_game.play(s, a, &no_chance);
}

void geister_begin(struct geister *s, const struct scenario *scenario, const char *first,
                   const char *second) {
    geister_game.start(s, scenario, &no_chance);
    play_one(s, first);
    play_one(s, second);
}

void geister_play_all(struct geister *s, const char *moves) {
    while (*moves != '\0') {
        char move[8] = {0};
        const size_t length = strcspn(moves, "/");
        assert_in_range(length, 1, sizeof move - 1);
        memcpy(move, moves, length);
        play_one(s, move);
        moves += length + (moves[length] == '/');
    }
}

void geister_place(struct geister *s, const struct scenario *scenario, const char *board, int ply,
                   int mover) {
    struct err e = {{0}};
    if (!geister_read_board(s, scenario, 0, board, ply, mover, &e))
        fail_msg("%s: %s", board, e.text);
    assert_true(geister_game.valid(s));
}

bool geister_golden(const char *file, struct text *out) {
    char name[GOLDEN_NAME_MAX];
    golden_name("golden/geister", file, name);
    if (access(name, R_OK) != 0) {
        printf("SKIP: %s is not there; the official server's vectors are not compared\n", name);
        return false;
    }
    golden_load("golden/geister", file, out);
    return true;
}

void geister_write_observation(const struct geister_observation *seen, char out[GEISTER_CELLS + 1]) {
    const struct {
        char mark;
        uint64_t cells;
    } boards[] = {
        {'R', seen->red},        {'B', seen->blue},    {'r', seen->their_red},
        {'b', seen->their_blue}, {'u', seen->unknown},
    };
    memset(out, '.', GEISTER_CELLS);
    for (size_t i = 0; i < sizeof boards / sizeof boards[0]; i++)
        for (uint64_t left = boards[i].cells; left != 0; left = bits_without_first(left))
            out[bits_first(left)] = boards[i].mark;
    out[GEISTER_CELLS] = '\0';
}
