/* SPDX-License-Identifier: MIT
 *
 * A player chooses an action from what it may see. Players keep no secret state between decisions: any
 * position can be asked of any player, and the same ask with the same random stream gives the same answer.
 */
#ifndef PLAYER_PLAYER_H
#define PLAYER_PLAYER_H

#include "player/ask.h"

struct player;
struct grant;

/* What was said between us and a player that is somebody else, for whoever looks into a fault. */
struct player_transcript {
    struct text command; /* how to start it again */
    struct text sent;    /* every line it was sent since it was started (or the last of them), one a line */
    struct text tail;    /* the last lines of both: "> sent", "< said", "! said on standard error" */
};

struct player_type {
    const char *name, *help;
    const struct param *params;
    size_t options_size; /* of the struct the params fill */

    /* Are its values the payoffs it expects: means over games to their end, or cut and then won or lost? All
     * others have scales of their own: HP, scores, votes. */
    bool expects_payoffs;

    /* What the params cannot see: are nested specs well-formed and known? NULL: nothing more to ask. */
    bool (*check)(const void *options, struct err *e);

    /* NULL and a reason when it cannot play that game; `options` has options_size bytes, read already. */
    struct player *(*open)(const struct player_type *type, const struct game *game, const void *options,
                           struct err *e);
    /* In place of `open`, for a player that opens others (PARAM_SPEC): with the grant it was opened with. */
    struct player *(*open_nesting)(const struct player_type *type, const struct game *game,
                                   const void *options, const struct grant *grant, struct err *e);
    void (*choose)(struct player *player, const struct ask *ask, struct answer *out);
    void (*close)(struct player *player);

    /* Appends what is remembered; NULL: the player is no outsider. */
    void (*transcript)(const struct player *player, struct player_transcript *out);
};

/* Concrete players begin with this. */
struct player {
    const struct player_type *type;
};

extern const struct player_type *const player_types[]; /* ended by NULL */
const struct player_type *player_type_find(const char *name);
bool player_expects_payoffs(const char *spec);

/* Opens a player from a spec string like "acteval:style=sample". All players are opened here: options that
 * start a program, open a connection or read a file are refused, but for what the grant allows. Without a
 * grant nothing of that kind is allowed. A player keeps no pointer to the grant. */
struct player *player_open(const char *spec, const struct game *game, struct err *e);
struct player *player_open_granted(const char *spec, const struct game *game, const struct grant *grant,
                                   struct err *e);
void player_choose(struct player *player, const struct ask *ask, struct answer *out);
void player_close(struct player *player);

/* Asks a player about a whole state: shows it only what the side to move may see. */
struct position_ask {
    const struct game *game;
    const void *state; /* somebody must be to move */
    int taken;         /* as in an ask */
    struct budget budget;
    struct rng *rng;
    const struct course *course;
    struct thoughts *thoughts;
    const struct watch *watch;
};

void player_choose_in(struct player *player, const struct position_ask *ask, struct answer *out);

/* Is the spec well-formed and known? `canonical` (may be NULL) gets the spec with defaults left out. */
bool player_check(const char *spec, struct text *canonical, struct err *e);

/* For specs of strangers, after player_check: do its players, those within others included, keep within that
 * memory and that many threads, together? */
bool player_check_needs(const char *spec, int memory_mb_max, int threads_max, struct err *e);

#endif
