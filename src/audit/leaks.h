/* SPDX-License-Identifier: MIT
 *
 * Does a player see what it must not? It is asked in two states that differ only in what its side cannot
 * know, with the same random numbers, as a referee would ask: the answers must be the same. The views
 * themselves are compared first, byte for byte: a game that hides badly is found even when this player does
 * not look.
 */
#ifndef AUDIT_LEAKS_H
#define AUDIT_LEAKS_H

#include "base/clock.h"
#include "player/player.h"

struct leaks_task {
    const struct scenario *scenario; /* of a game that hides something */
    struct player *player;           /* opened for its table */
    int positions; /* in which it is asked; random games are played until there are so many */
    int twins;     /* other states for each of them */
    uint64_t seed;
    const struct clock *clock; /* for players with a time limit; may be NULL */
    const atomic_bool *stop;   /* may be NULL */
};

struct leaks_report {
    int positions, twins; /* asked: twins in all */
    int alone;            /* positions that could not be told from no other (and so show nothing) */
    int views, answers;   /* leaks: in the game's views, in the player's answers */
    struct text first;    /* the first leak in words: both states, both answers; the caller's to free */
    bool stopped;
};

/* False when the game hides nothing, the player is at fault or memory ran out. Leaks are a result. */
bool leaks_find(const struct leaks_task *task, struct leaks_report *out, struct err *e);
void leaks_report_done(struct leaks_report *report);

#endif
