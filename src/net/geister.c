/* SPDX-License-Identifier: MIT
 *
 * Reading and writing the lines of the Geister server's protocol.
 */
#include "net/geister.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const direction_names[] = {
    [GEISTER_NORTH] = "NORTH", [GEISTER_EAST] = "EAST", [GEISTER_WEST] = "WEST", [GEISTER_SOUTH] = "SOUTH"};

/* ---- lines of clients ---- */

/* A … H in either case: 0 … 7; -1 for anything else. */
static int piece_of(char letter) {
    const int piece = toupper((unsigned char)letter) - 'A';
    return piece >= 0 && piece < GEISTER_PIECES ? piece : -1;
}

static bool read_set(const char *text, size_t size, unsigned *reds) {
    *reds = 0;
    for (size_t i = 0; i < size; i++) {
        const int piece = piece_of(text[i]);
        if (piece < 0 || (*reds >> piece & 1) != 0)
            return false;
        *reds |= 1U << piece;
    }
    return size == GEISTER_REDS;
}

/* PIECE "," DIRECTION, both words; of the first only its first letter counts. */
static bool read_move(const char *text, size_t size, struct geister_request *out) {
    size_t name = 0;
    while (name < size && (unsigned char)text[name] < 128 &&
           (isalnum((unsigned char)text[name]) || text[name] == '_'))
        name++;
    if (name == 0 || name == size || text[name] != ',')
        return false;
    out->piece = piece_of(text[0]);
    const char *word = text + name + 1;
    const size_t word_size = size - name - 1;
    for (int d = GEISTER_NORTH; d <= (int)GEISTER_SOUTH; d++)
        if ((word_size == 1 || word_size == strlen(direction_names[d])) &&
            strncasecmp(word, direction_names[d], word_size) == 0) {
            out->direction = (enum geister_direction)d;
            return out->piece >= 0;
        }
    return false;
}

void geister_read_request(const char *line, size_t size, struct geister_request *out) {
    *out = (struct geister_request){.command = GEISTER_COMMAND_BAD};
    if (size < 4)
        return;
    if (memcmp(line, "SET:", 4) == 0 && read_set(line + 4, size - 4, &out->reds))
        out->command = GEISTER_COMMAND_SET;
    else if (memcmp(line, "MOV:", 4) == 0 && read_move(line + 4, size - 4, out))
        out->command = GEISTER_COMMAND_MOVE;
}

void geister_write_request(const struct geister *s, int side, action a, char out[GEISTER_ANSWER_MAX]) {
    assert(side == 0 || side == 1);
    char reds[GEISTER_REDS + 1];
    if (geister_is_setup(a)) {
        geister_write_reds(a & ~(action)GEISTER_SETUP_FLAG, reds);
        snprintf(out, GEISTER_ANSWER_MAX, "SET:%s\r\n", reds);
        return;
    }
    const int piece = geister_piece_at(s, side, (int)(a / 4));
    snprintf(out, GEISTER_ANSWER_MAX, "MOV:%c,%c\r\n", piece < 0 ? '-' : 'A' + piece,
             direction_names[geister_turned(a, side) % 4][0]);
}

bool geister_request_action(const struct geister *s, const struct geister_request *request, action *out) {
    const int mover = geister_game.mover(s);
    if (mover == NOBODY || request->command == GEISTER_COMMAND_BAD)
        return false;
    if (request->command == GEISTER_COMMAND_SET) {
        *out = geister_setup(request->reds);
    } else {
        const int cell = s->where[mover][request->piece];
        if (cell >= GEISTER_CELLS)
            return false;
        const int d = (int)request->direction;
        *out = geister_move(cell, (enum geister_direction)(mover == 0 ? d : (int)GEISTER_SOUTH - d));
    }
    return geister_game.is_legal(s, *out);
}

/* ---- lines of the server ---- */

static const struct {
    const char *word;
    bool board;
} replies[GEISTER_REPLY_BAD] = {
    [GEISTER_REPLY_SET] = {"SET?", false},    [GEISTER_REPLY_MOVE] = {"MOV?", true},
    [GEISTER_REPLY_OK] = {"OK ", false},      [GEISTER_REPLY_OK_RED] = {"OKR", false},
    [GEISTER_REPLY_OK_BLUE] = {"OKB", false}, [GEISTER_REPLY_NG] = {"NG ", false},
    [GEISTER_REPLY_WON] = {"WON:", true},     [GEISTER_REPLY_LOST] = {"LST:", true},
    [GEISTER_REPLY_DRAWN] = {"DRW:", true},
};

enum geister_reply geister_read_reply(const char *line, const char **board) {
    *board = NULL;
    for (int reply = 0; reply < (int)GEISTER_REPLY_BAD; reply++) {
        const size_t length = strlen(replies[reply].word);
        const size_t rest = replies[reply].board ? GEISTER_BOARD_CHARS : 0;
        if (strncmp(line, replies[reply].word, length) != 0 || strlen(line + length) != rest)
            continue;
        if (replies[reply].board)
            *board = line + length;
        return (enum geister_reply)reply;
    }
    return GEISTER_REPLY_BAD;
}
