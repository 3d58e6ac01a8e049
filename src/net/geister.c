/* SPDX-License-Identifier: MIT */
#include "net/geister.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 8 };

/* ---- lines of clients ---- */

static bool is_word(unsigned char c) {
    return isalnum(c) || c == '_';
}

static size_t word_length(const char *text, size_t size) {
    size_t length = 0;
    while (length < size && (unsigned char)text[length] < 128 && is_word((unsigned char)text[length]))
        length++;
    return length;
}

/* A … H in either case: 0 … 7; -1 for anything else. */
static int piece_of(char letter) {
    const int piece = toupper((unsigned char)letter) - 'A';
    return piece >= 0 && piece < GEISTER_PIECES ? piece : -1;
}

static bool read_set(const char *text, size_t size, unsigned *reds) {
    *reds = 0;
    if (size != GEISTER_REDS)
        return false;
    for (size_t i = 0; i < size; i++) {
        const int piece = piece_of(text[i]);
        if (piece < 0 || (*reds >> piece & 1) != 0)
            return false;
        *reds |= 1U << piece;
    }
    return true;
}

static bool read_direction(const char *text, size_t size, enum geister_direction *out) {
    static const char *const names[] = {[GEISTER_NORTH] = "NORTH",
                                        [GEISTER_EAST] = "EAST",
                                        [GEISTER_WEST] = "WEST",
                                        [GEISTER_SOUTH] = "SOUTH"};
    char word[WORD_MAX] = "";
    if (size == 0 || size >= sizeof word)
        return false;
    for (size_t i = 0; i < size; i++)
        word[i] = (char)toupper((unsigned char)text[i]);
    for (int d = GEISTER_NORTH; d <= (int)GEISTER_SOUTH; d++)
        if ((size == strlen(names[d]) && memcmp(word, names[d], size) == 0) ||
            (size == 1 && word[0] == names[d][0])) {
            *out = (enum geister_direction)d;
            return true;
        }
    return false;
}

/* PIECE "," DIRECTION, both words; of the first only its first letter counts. */
static bool read_move(const char *text, size_t size, struct geister_request *out) {
    const size_t name = word_length(text, size);
    if (name == 0 || name == size || text[name] != ',')
        return false;
    out->piece = piece_of(text[0]);
    return out->piece >= 0 && read_direction(text + name + 1, size - name - 1, &out->direction);
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
    static const char directions[] = {
        [GEISTER_NORTH] = 'N', [GEISTER_EAST] = 'E', [GEISTER_WEST] = 'W', [GEISTER_SOUTH] = 'S'};
    char reds[GEISTER_REDS + 1];
    if (geister_is_setup(a)) {
        geister_write_reds(a & ~(action)GEISTER_SETUP_FLAG, reds);
        snprintf(out, GEISTER_ANSWER_MAX, "SET:%s\r\n", reds);
        return;
    }
    const int piece = geister_piece_at(s, side, (int)(a / 4));
    snprintf(out, GEISTER_ANSWER_MAX, "MOV:%c,%c\r\n", piece < 0 ? '-' : 'A' + piece,
             directions[geister_turned(a, side) % 4]);
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

struct reply_word {
    const char *word;
    bool board;
};

static const struct reply_word replies[GEISTER_REPLY_BAD] = {
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
