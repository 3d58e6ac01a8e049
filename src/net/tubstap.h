/* SPDX-License-Identifier: MIT
 *
 * The messages of the platform's network protocol, as text and nothing else: who sends them is the business
 * of tubstap_client.h and tubstap_server.h. The server sends `command[ arguments]` CR LF, the client answers
 * `= text` CR LF CR LF; an action is eleven numbers, the same as in the platform's game records.
 */
#ifndef NET_TUBSTAP_H
#define NET_TUBSTAP_H

#include "base/err.h"
#include "base/text.h"
#include "game/game.h"
#include "game/tbs/map.h"

enum {
    TUBSTAP_PORT = 7777,
    TUBSTAP_NAME_MAX = 100,  /* bytes of a player's name that are kept, its end included */
    TUBSTAP_QUOTE_MAX = 100, /* bytes of what was said that a message repeats, its end included */
};

/* ---- actions ---- */

enum tubstap_field {
    TUBSTAP_UNIT,
    TUBSTAP_TO_X,
    TUBSTAP_TO_Y,
    TUBSTAP_FROM_X,
    TUBSTAP_FROM_Y,
    TUBSTAP_TARGET,
    TUBSTAP_TARGET_X,
    TUBSTAP_TARGET_Y,
    TUBSTAP_TYPE,
    TUBSTAP_DAMAGE,
    TUBSTAP_COUNTER,
    TUBSTAP_FIELDS,
};

enum tubstap_type { TUBSTAP_SURRENDER, TUBSTAP_MOVE, TUBSTAP_ATTACK, TUBSTAP_TURN_END };

/* Appends the eleven numbers the platform would write for an action that is legal in this state. */
void tubstap_write_action(const void *state, action a, struct text *out);

/* Reads eleven numbers and nothing else; blanks around them do not matter. */
bool tubstap_read_numbers(const char *text, long out[TUBSTAP_FIELDS], struct err *e);

/* Which action of that game they mean: unit, destination, type and, in an attack, target decide. False when
 * they name nothing that is on the map, or an action that the rules forbid in this state. */
bool tubstap_find_action(const struct game *game, const void *state, const long numbers[TUBSTAP_FIELDS],
                         action *out, struct err *e);

/* Do the other numbers (where the unit stood, the target's cell, both damages) agree with the state? */
bool tubstap_agrees(const void *state, action a, const long numbers[TUBSTAP_FIELDS], struct err *e);

/* ---- commands and answers ---- */

enum tubstap_command {
    TUBSTAP_CALL_NAME,
    TUBSTAP_CALL_OPPONENT,
    TUBSTAP_CALL_MAP,
    TUBSTAP_CALL_COLOR,
    TUBSTAP_CALL_GENMOVE,
    TUBSTAP_CALL_PLAY,
    TUBSTAP_CALL_STATUS,   /* never sent by the platform, but known to it */
    TUBSTAP_CALL_GAMEOVER, /* likewise */
    TUBSTAP_CALLS,
};

extern const char *const tubstap_command_names[TUBSTAP_CALLS];

void tubstap_write_command(enum tubstap_command command, const char *arguments, struct text *out);

/* TUBSTAP_CALLS when it is none of them. *arguments points into the line. */
enum tubstap_command tubstap_read_command(const char *line, const char **arguments);

void tubstap_write_answer(const char *text, struct text *out);

/* What one line of a client is. */
enum tubstap_line {
    TUBSTAP_BLANK,   /* answers end with one; more do no harm */
    TUBSTAP_ANSWER,  /* "= …" */
    TUBSTAP_REFUSAL, /* "? …": the client says that it cannot */
    TUBSTAP_GARBAGE,
};

enum tubstap_line tubstap_read_answer(const char *line, const char **text);

/* ---- the rest ---- */

/* A map file on one line, as MAP sends it. */
void tubstap_write_map(const struct tbs_map *map, struct text *out);

/* Text of somebody else for messages and records: valid UTF-8 without control characters, cut to the room
 * there is. */
void tubstap_clean(const char *text, char *out, size_t out_size);

#endif
