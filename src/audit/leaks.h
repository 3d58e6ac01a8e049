/* SPDX-License-Identifier: MIT
 *
 * Does a player see what it must not? It is asked in two states that differ only in what its side cannot
 * know, with the same random numbers, as a referee would ask: the answers must be the same. The views
 * themselves are compared first, byte for byte: a game that hides badly is found even when this player does
 * not look.
 *
 * A twin would be another game: it is asked about with another seed, number and dealer, so who goes by one of
 * these is found too. Twins are made from views, and by playing the same game with other actions where they
 * are hidden; what was left in a view by mistake also shows where two games that were dealt differently come
 * to look alike.
 *
 * What is not seen: how long an answer takes, and a player that answers one view by what it found out when it
 * was asked first.
 */
#ifndef AUDIT_LEAKS_H
#define AUDIT_LEAKS_H

#include "base/clock.h"
#include "player/player.h"

enum { LEAKS_TWINS_MAX = 1000 };

struct leaks_task {
    const struct scenario *scenario; /* of a game that hides something */
    struct player *player;           /* opened for its table */
    int positions; /* in which it is asked; random games are played until there are so many */
    int twins;     /* other states for each of them, at most LEAKS_TWINS_MAX */
    uint64_t seed;
    uint64_t work;             /* for each decision, in place of the player's own budget; 0: its own */
    const struct clock *clock; /* NULL: a player with a time limit counts work, if its options say how much */
    const atomic_bool *stop;   /* may be NULL */
};

struct leaks_report {
    int games;            /* random ones that were played */
    int positions, twins; /* asked: twins in all */
    int alone;            /* positions that can be nothing else and so show nothing; not among `positions` */
    int views, answers;   /* leaks: twins with other views, with other answers */
    int kept;          /* leaks: positions whose view differs from one of an earlier game that has its key */
    int unsteady;      /* the same question asked twice, in another order, was answered differently */
    struct text first; /* what was found first, in words; the caller's to free */
    bool stopped;
};

/* False when the game hides nothing, the player is at fault or memory ran out. Leaks are a result. Either way
 * the report is to be done with. */
bool leaks_find(const struct leaks_task *task, struct leaks_report *out, struct err *e);
void leaks_report_done(struct leaks_report *report);

/* Nothing was found, and there was something to look at. */
bool leaks_none(const struct leaks_report *report);

#endif
