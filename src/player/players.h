/* SPDX-License-Identifier: MIT
 *
 * The player types, for the registry, and the options of any player, for code that inspects a spec.
 */
#ifndef PLAYER_PLAYERS_H
#define PLAYER_PLAYERS_H

#include "player/player.h"

#include <stddef.h>

enum { PLAYER_OPTIONS_MAX = 2048 };

/* Aligned for any player's options; each player's size is checked by a test. */
union player_options {
    max_align_t alignment;
    unsigned char bytes[PLAYER_OPTIONS_MAX];
};

/* Finds the type and reads the options; NULL and a sentence when the spec is malformed or unknown. */
const struct player_type *player_read(const char *spec, union player_options *out, struct err *e);

extern const struct player_type player_random;
extern const struct player_type player_acteval;
extern const struct player_type player_uct;
extern const struct player_type player_pwuct;
extern const struct player_type player_muct;
extern const struct player_type player_minmax;
extern const struct player_type player_dlmc;
extern const struct player_type player_aas;
extern const struct player_type player_split;
extern const struct player_type player_first;
extern const struct player_type player_ext;
extern const struct player_type player_pimc;
extern const struct player_type player_iimc;
extern const struct player_type player_amcts;
extern const struct player_type player_ismcts;
extern const struct player_type player_pg;
extern const struct player_type player_gst_a;
extern const struct player_type player_gst_b;
extern const struct player_type player_gst_c;
extern const struct player_type player_nissy;
extern const struct player_type player_purple;
extern const struct player_type player_eacp;
extern const struct player_type player_guess;
extern const struct player_type player_geist;

#endif
