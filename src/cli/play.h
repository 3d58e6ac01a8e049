/* SPDX-License-Identifier: MIT
 *
 * A game in the terminal: what play.c (the game's course), play_human.c (a person's commands in the tactical
 * game) and play_plain.c (games without a board) share.
 */
#ifndef CLI_PLAY_H
#define CLI_PLAY_H

#include "cli/cli.h"
#include "game/tbs/show.h"
#include "match/record.h"
#include "player/player.h"

enum { PLAY_LINE_MAX = 256, PLAY_NO_UNIT = -1 };

struct play {
    const struct cli_command *command;
    struct scenario *scenario;
    struct record record;
    struct replay replay;
    struct player *players[2]; /* NULL: a person */
    struct player *adviser;    /* for hints */
    struct rng rng[2];
    bool colour;
    int turn_start; /* how many actions there were when the person's turn began: undo stops there */
    int selected;   /* the unit the person has picked, or PLAY_NO_UNIT */
};

/* Appends the action and plays it; it must be legal. */
bool play_action(struct play *play, action a, double milliseconds);

/* Takes all actions but the first `count` back; false, with a sentence, when a person has learned something
 * from them. */
bool play_go_back(struct play *play, int count);

/* Asks a player about the position at hand. */
bool play_ask(struct play *play, struct player *player, action *out, double *milliseconds);

/* Asks the adviser; how the game goes on does not change by that. */
bool play_advise(struct play *play, action *out);

/* "infantry 3 (red) moves 1,3 > 2,3 and attacks panzer 9 (blue): damage 5, counter 2" */
void play_describe(const struct play *play, action a, struct text *out);

void play_show_board(const struct play *play, const struct tbs_show *marks);

/* Saves as .sgf or JSON, by the name; prints what was done. */
bool play_save(struct play *play, const char *path);

/* One command of the person to move. False when they want to leave. */
bool play_human_command(struct play *play);

/* A whole game without a board: true when it is over, false when it was left; and how it ended. */
bool play_plain_run(struct play *play);
void play_plain_result(const struct play *play);

#endif
