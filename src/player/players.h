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
extern const struct player_type player_acteval, player_minmax, player_first, player_split, player_ext;
extern const struct player_type player_uct, player_pwuct, player_muct, player_ismcts;
extern const struct player_type player_dlmc, player_aas, player_pimc, player_iimc, player_amcts;
extern const struct player_type player_gst_a, player_gst_b, player_gst_c, player_nissy;
extern const struct player_type player_guess, player_pg, player_purple, player_eacp, player_geist;

#endif
