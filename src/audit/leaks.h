/* SPDX-License-Identifier: MIT
 *
 * Tests whether a player uses information that its side cannot have. The player is asked in two states that
 * differ only in hidden information, with the same random numbers, as a referee asks: the answers must be
 * equal. The views are compared first, byte for byte: a game that does not hide everything is detected even
 * when this player does not use it.
 *
 * Another state means another game: it is asked about with another seed, number and dealer, so a player that
 * depends on one of these is detected too. Indistinguishable states are made from views, and by replaying
 * the game with other hidden actions. Bytes left in a view by mistake also show when two games with
 * different deals reach the same view.
 *
 * Not detected: differences in thinking time, and a player that caches its first answer to a view.
 */
#ifndef AUDIT_LEAKS_H
#define AUDIT_LEAKS_H

#include "player/player.h"

enum { LEAKS_ALIKE_MAX = 1000 };

struct leaks_task {
    const struct scenario *scenario; /* of a game that hides something */
    struct player *player;           /* opened for the scenario's game */
    int positions; /* number of positions to examine; random games are played until there are enough */
    int alike;     /* indistinguishable states per position, at most LEAKS_ALIKE_MAX */
    uint64_t seed;
    uint64_t work;             /* work limit per decision, instead of the player's own budget; 0: its own */
    const struct clock *clock; /* NULL: a player with a time limit uses its work limit, if it has one */
    const atomic_bool *stop;   /* may be NULL */
};

struct leaks_report {
    int games;            /* random games played */
    int positions, alike; /* examined; indistinguishable states in all */
    int alone;            /* positions without an indistinguishable state; not counted in `positions` */
    int views, answers;   /* leaks: states with different views, with different answers */
    int stored;   /* leaks: positions whose view differs from that of an earlier game with the same key */
    int unsteady; /* equal questions, asked in another order, with different answers */
    struct text first; /* the first finding; the caller frees it, also after a failure */
    bool stopped;
};

/* False when the game hides nothing, or the player is at fault. Leaks are a result, not an error. */
bool leaks_find(const struct leaks_task *task, struct leaks_report *out, struct err *e);

/* True when at least one position was examined and nothing was found. */
bool leaks_none(const struct leaks_report *report);

#endif
