/* SPDX-License-Identifier: MIT
 *
 * For tests of Geister: positions from letters, and the vectors made with the official server, which lie
 * beside the project ($SENJUTSU_ROOT/../shared) and are not part of it.
 */
#ifndef TESTS_GEISTER_SUPPORT_H
#define TESTS_GEISTER_SUPPORT_H

#include "base/text.h"
#include "game/geister/geister.h"

/* For a group of tests that share the game of default rules: its setup and teardown. */
extern struct scenario *geister_scenario;
int geister_set_up(void **state);
int geister_tear_down(void **state);

/* The start with these reds chosen. */
void geister_begin(struct geister *s, const struct scenario *scenario, const char *first, const char *second);

/* Plays moves that are parted by '/', each as its mover writes it; fails the test on an illegal one. */
void geister_play_all(struct geister *s, const char *moves);

/* A position from a board string as the first player sees it; fails the test when it is refused. */
void geister_place(struct geister *s, const struct scenario *scenario, const char *board, int ply, int mover);

/* 36 characters, rows from the far one down: R B own, r b u the other's, '.' empty. */
void geister_write_observation(const struct geister_observation *seen, char out[GEISTER_CELLS + 1]);

/* Without the vectors the test is skipped with a message: false. */
bool geister_golden(const char *file, struct text *out);

#endif
