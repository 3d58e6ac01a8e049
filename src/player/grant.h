/* SPDX-License-Identifier: MIT
 *
 * What players may do beside thinking. Some options start a program, open a connection or read a file; their
 * rows in the parameter tables say so (enum param_power). A spec can come from anywhere: a command line, a
 * store, a recipe, a bundle, a message. Where it comes from a person's own hand the program adds it to a
 * grant, and opening a player compares its options with the grant (player_open_granted).
 *
 * What is granted is a player with the values of all its powerful options, and exactly these: leave to start
 * `./bot` is no leave to start it with other options of its own.
 */
#ifndef PLAYER_GRANT_H
#define PLAYER_GRANT_H

#include "player/player.h"

struct grant {
    unsigned powers;    /* 1 << enum param_power: allowed whatever it names */
    struct text wishes; /* allowed besides, a line each, as grant_missing writes them */
};

/* For callers whose specs are their own, and for tests. */
extern const struct grant grant_everything;

/* Allows all that this spec and those within it do. False when the spec is not known or memory ran out. */
bool grant_add(struct grant *grant, const char *spec, struct err *e);
void grant_done(struct grant *grant);

/* May a player have these options? Those of players within it are not looked at: they are opened, too. A NULL
 * grant allows nothing. The sentence shows what was refused, as charset_show does. */
bool grant_allows_options(const struct grant *grant, const struct player_type *type, const void *options,
                          struct err *e);

/* May a player with this spec be opened, and those within it? */
bool grant_allows(const struct grant *grant, const char *spec, struct err *e);

/* What the grant lacks for a spec, each on a line of its own, without control characters:
 * "ext:cmd=./bot (starts a program)". False when the spec is not known or memory ran out. */
bool grant_missing(const struct grant *grant, const char *spec, struct text *out, struct err *e);

#endif
