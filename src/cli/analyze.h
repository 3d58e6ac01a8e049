/* SPDX-License-Identifier: MIT
 *
 * Private to `analyze`: what asking (analyze.c) and telling (analyze_print.c) share.
 */
#ifndef CLI_ANALYZE_H
#define CLI_ANALYZE_H

#include "cli/position.h"
#include "player/player.h"

/* One decision of the turn: what was asked, what came back, how long it took. */
struct decision {
    int number; /* in the recommended turn, from 1 */
    const struct game *game;
    const void *state;
    struct answer answer;
    struct thoughts thoughts;
    int64_t start_ns;
    double seconds;
    const struct payoff_scale *scale; /* values are payoffs, told by this; NULL: they are told as they are */
};

enum {
    ANALYSIS_TURN_MAX = 256, /* a side has at most TBS_SIDE_UNITS_MAX units, each acts once */
    ANALYSIS_LINE_SHOWN = 8, /* actions of an expected line in a table; JSON has all */
};

struct analysis {
    const struct cli_command *command;
    struct position_source source;
    const char *spec;
    uint64_t seed, sims;
    int time_ms, top;
    bool json, watch, no_turn, no_colour;

    struct text player_name; /* the canonical spec */
    struct player *player;
    struct rng rng;
    struct cli_position position;
    bool tactical; /* the game is */
    bool single;   /* its turns are one action: there is no turn to recommend */
    struct payoff_scale scale;
    struct decision first, later;
    const struct decision *now; /* the one being thought about */

    int turn_count; /* recommended so far */
    action turn[ANALYSIS_TURN_MAX];
    double turn_seconds;
    bool stopped;
    int drawn; /* lines on the terminal that the next refresh replaces */
    _Alignas(16) unsigned char state[GAME_STATE_MAX]; /* after the actions in `turn` */
};

/* Shows a search's thoughts on the way; the struct watch's `show`, its context a struct analysis. */
void analysis_refresh(void *context, const struct thoughts *so_far);
void analysis_erase(struct analysis *analysis);

/* Text: the first decision, one action of the recommended turn, and what came of it. */
void analysis_print_decision(const struct analysis *analysis);
void analysis_print_step(const struct analysis *a, action chosen);
void analysis_print_end(const struct analysis *analysis);

/* Everything as one JSON object; false after the reason was printed. */
bool analysis_print_json(const struct analysis *analysis);

#endif
