/* SPDX-License-Identifier: MIT
 *
 * Permissions of players. Some options start a program, open a connection or read a file; their rows in the
 * parameter tables declare it (enum param_power). A spec can come from anywhere: a command line, a store, a
 * recipe, a fault report, a message. What a person typed is added to a grant, and opening a player compares
 * its options with the grant (player_open_granted).
 *
 * A grant names a player with the exact values of all its powerful options: permission to start `./bot` is no
 * permission to start it with other options.
 */
#ifndef PLAYER_GRANT_H
#define PLAYER_GRANT_H

#include "player/player.h"

struct grant {
    unsigned powers;   /* 1 << enum param_power: allowed with any value */
    struct text lines; /* allowed in addition, a line each, as grant_missing writes them; the owner's */
};

/* For callers whose specs are constants, and for tests. */
extern const struct grant grant_everything;

/* Allows everything that this spec and nested specs do. False when the spec is unknown. */
bool grant_add(struct grant *grant, const char *spec, struct err *e);

/* True when a player may have these options. Nested players are not checked here, since opening them checks
 * them. A NULL grant allows nothing. The sentence shows the refused option, as charset_show writes it. */
bool grant_allows_options(const struct grant *grant, const struct player_type *type, const void *options,
                          struct err *e);

/* True when a player with this spec, and the players nested in it, may be opened. */
bool grant_allows(const struct grant *grant, const char *spec, struct err *e);

/* Appends what the grant lacks for a spec, one line each, without control characters: "ext:cmd=./bot (starts
 * a program)". False when the spec is unknown. */
bool grant_missing(const struct grant *grant, const char *spec, struct text *out, struct err *e);

#endif
