/* SPDX-License-Identifier: MIT
 *
 * A small tournament made by hand, with results, ratings and a table that a reader can check: for tests of
 * reports. Nothing in it was played, and its maps have no scenarios.
 */
#ifndef TESTS_REPORT_SUPPORT_H
#define TESTS_REPORT_SUPPORT_H

#include "tournament/report.h"

enum { SAMPLE_PLAYERS_MAX = 20, SAMPLE_GAMES_MAX = 1600, SAMPLE_MAPS_MAX = 25 };

struct sample {
    struct tournament tournament;
    struct entrant players[SAMPLE_PLAYERS_MAX];
    struct tournament_map maps[SAMPLE_MAPS_MAX];
    struct games games;
    struct scheduled_game scheduled[SAMPLE_GAMES_MAX];
    struct outcome outcomes[SAMPLE_GAMES_MAX];
    struct standing standings[SAMPLE_PLAYERS_MAX];
    struct rating ratings[SAMPLE_PLAYERS_MAX];
    struct report report;
};

/* Four players whose names need care, two maps, a round robin of 24 games with a draw and three faults, a
 * play-off and a final of one meeting each: 28 games, 26 of them played. */
void sample_small(struct sample *s);

/* Many players with long names, three maps, a complete round robin of two games a map: 1140 games for 20. */
void sample_large(struct sample *s, int players);

/* Counts the games into the standings again, for tests that change them. Places and the order stay. */
void sample_count(struct sample *s);

/* The same games at another time, on a slower machine. */
void sample_change_times(struct sample *s);

/* Both fail the test otherwise. */
void sample_has(const struct text *text, const char *part);
void sample_lacks(const struct text *text, const char *part);

/* How often it is there. */
int sample_parts(const struct text *text, const char *part);

#endif
