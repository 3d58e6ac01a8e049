/* SPDX-License-Identifier: MIT
 *
 * Sets of pieces and their numbers: which four are red.
 */
#include "game/geister/core.h"

#include <assert.h>
#include <string.h>

int core_choose(int n, int k) {
    static const uint8_t pascal[GEISTER_PIECES + 1][GEISTER_PIECES + 1] = {
        {1},
        {1, 1},
        {1, 2, 1},
        {1, 3, 3, 1},
        {1, 4, 6, 4, 1},
        {1, 5, 10, 10, 5, 1},
        {1, 6, 15, 20, 15, 6, 1},
        {1, 7, 21, 35, 35, 21, 7, 1},
        {1, 8, 28, 56, 70, 56, 28, 8, 1},
    };
    return n < 0 || k < 0 || k > n ? 0 : pascal[n][k];
}

unsigned core_subset(int n, int k, int number) {
    unsigned set = 0;
    for (int i = 0; i < n && k > 0; i++) {
        const int with = core_choose(n - 1 - i, k - 1);
        if (number < with) {
            set |= 1U << i;
            k--;
        } else {
            number -= with;
        }
    }
    return set;
}

unsigned geister_setup_reds(int number) {
    assert(number >= 0);
    assert(number < GEISTER_SETUPS);
    return core_subset(GEISTER_PIECES, GEISTER_REDS, number);
}

int geister_setup_number(unsigned reds) {
    if (reds > CORE_ALL_PIECES || bits_count(reds) != GEISTER_REDS)
        return -1;
    int number = 0;
    for (int i = 0, left = GEISTER_REDS; i < GEISTER_PIECES && left > 0; i++)
        if ((reds >> i & 1) != 0)
            left--;
        else
            number += core_choose(GEISTER_PIECES - 1 - i, left - 1);
    return number;
}

/* 0 … 7, or -1. */
static int piece_of(char letter) {
    static const char letters[] = "ABCDEFGHabcdefgh";
    const char *found = letter != '\0' ? strchr(letters, letter) : NULL;
    return found == NULL ? -1 : (int)(found - letters) % GEISTER_PIECES;
}

bool geister_read_reds(const char *text, unsigned *reds, struct err *e) {
    unsigned set = 0;
    bool fits = strlen(text) == GEISTER_REDS;
    for (int i = 0; fits && i < GEISTER_REDS; i++) {
        const int piece = piece_of(text[i]);
        fits = piece >= 0 && (set >> piece & 1) == 0;
        set |= fits ? 1U << piece : 0;
    }
    if (!fits)
        return err_set(e, "'%.64s' does not name the reds; expected four different letters of A to H", text);
    *reds = set;
    return true;
}

void geister_write_reds(unsigned reds, char out[GEISTER_REDS + 1]) {
    int count = 0;
    for (int i = 0; i < GEISTER_PIECES && count < GEISTER_REDS; i++)
        if ((reds >> i & 1) != 0)
            out[count++] = (char)('A' + i);
    out[count] = '\0';
}
