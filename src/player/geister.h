/* SPDX-License-Identifier: MIT
 *
 * What the players made for Geister share: they refuse other games, and choose their reds by a strategy that
 * is an option of each.
 */
#ifndef PLAYER_GEISTER_H
#define PLAYER_GEISTER_H

#include "geister/setup.h"
#include "player/player.h"

/* The option's field is `char setup[PARAM_TEXT_MAX]`. */
#define GEISTER_SETUP(options, fallback)                                                                     \
    {                                                                                                        \
        "setup", PARAM_TEXT, offsetof(options, setup), .choices = fallback, .help = SETUP_HELP,              \
                                                       .power = PARAM_WORD                                   \
    }

/* Is it Geister, and is the strategy well-formed? Otherwise a sentence about the player of that name. */
bool geister_player_needs(const char *player, const struct game *game, const char *setup,
                          struct setup_strategy *out, struct err *e);

/* Answers when the ask is about the own reds; false: it is about a move. */
bool geister_player_sets(const struct setup_strategy *strategy, const struct ask *ask, struct answer *out);

/* The action of a move as the side sees it. Searches that know only the ways out to the side say those: where
 * the rules do not have them it is the one forward. */
action geister_player_move(const struct ask *ask, action own);

#endif
