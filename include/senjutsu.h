/* SPDX-License-Identifier: MIT
 *
 * senjutsu as a library: positions of games, their legal actions, fast playouts, and players, from C or
 * anything that can call C. Small on purpose; link with `pkg-config --cflags --libs senjutsu`.
 *
 * A position belongs to the thread that uses it. Functions that can fail return NULL, false, -1 or
 * SENJUTSU_NO_ACTION and, if `error` is not NULL, write one sentence into it. When memory is exhausted every
 * function fails in this way; none ends the program, and all objects can still be used and closed. Texts are
 * UTF-8.
 */
#ifndef SENJUTSU_H
#define SENJUTSU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SENJUTSU_NOBODY = -1, SENJUTSU_ERROR_SIZE = 512 };

/* No action of any game. */
#define SENJUTSU_NO_ACTION UINT32_C(0xFFFFFFFD)

typedef struct senjutsu_position senjutsu_position;
typedef struct senjutsu_player senjutsu_player;

/* "0.1.0" */
const char *senjutsu_version(void);

/* The start of a game: `game` is a spec such as "tbs" or "tbs:rules=paper", `map` the text of a .tbsmap. */
senjutsu_position *senjutsu_open(const char *game, const char *map, size_t map_size, char *error);
void senjutsu_close(senjutsu_position *position);

/* An independent copy: playing on or closing either does not change the other. */
senjutsu_position *senjutsu_copy(const senjutsu_position *position, char *error);

/* 0 or 1, or SENJUTSU_NOBODY when the game is over. A side may move many times in a row. */
int senjutsu_mover(const senjutsu_position *position);

/* 1 won, 0.5 drawn, 0 lost for that side; NaN while the game runs, and for other sides than 0 and 1. */
double senjutsu_payoff(const senjutsu_position *position, int side);

/* Equal positions have equal keys. */
uint64_t senjutsu_key(const senjutsu_position *position);

/* Fills `actions` with at most `room` legal actions; returns how many there are in all, or -1. */
int senjutsu_actions(const senjutsu_position *position, uint32_t *actions, int room);

bool senjutsu_play(senjutsu_position *position, uint32_t action, char *error);

/* Random play from here to the end (or for `turns` turns, if > 0), in place. *seed is the random stream and
 * moves on. Returns the number of actions played. */
long senjutsu_rollout(senjutsu_position *position, uint64_t *seed, int turns);

/* The engine protocol's texts: "3:4,2x9" for a legal action, and the lines of `state`. Both return the length
 * of the whole text, and write as much of it as fits, always ended by NUL; or -1 and an empty text. */
int senjutsu_action_text(const senjutsu_position *position, uint32_t action, char *out, size_t out_size);
int senjutsu_state_text(const senjutsu_position *position, char *out, size_t out_size);
bool senjutsu_action_read(const senjutsu_position *position, const char *text, uint32_t *action, char *error);

/* A player by its spec ("acteval:style=sample"), for positions of this one's game. Some specs start programs
 * (`ext:cmd=…`), open connections or read files: pass none that you did not write yourself. */
senjutsu_player *senjutsu_player_open(const char *spec, const senjutsu_position *position, char *error);
void senjutsu_player_close(senjutsu_player *player);

/* The player's action here. The same seed gives the same action. SENJUTSU_NO_ACTION when the game is over or
 * is not the one that the player was opened for (small and large maps of "tbs" differ), when memory is
 * exhausted, or when the player asks a program that fails; the player can be asked again. */
uint32_t senjutsu_choose(senjutsu_player *player, const senjutsu_position *position, uint64_t seed);

#ifdef __cplusplus
}
#endif

#endif
