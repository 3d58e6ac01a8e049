/* SPDX-License-Identifier: MIT
 *
 * A player's strategy in a game that is written out as a form. The player is asked at every information set
 * several times with different random numbers; the frequencies of its answers estimate its mixed strategy.
 */
#ifndef AUDIT_POLICY_H
#define AUDIT_POLICY_H

#include "base/clock.h"
#include "exact/form.h"
#include "player/player.h"

struct policy_task {
    const struct form *form;
    const char *player;        /* spec */
    const struct grant *grant; /* what it may do besides thinking; NULL: nothing */
    int side;                  /* ask only at sets of this side; NOBODY: of both sides */
    int samples;               /* questions per information set */
    uint64_t seed;             /* set i, sample k depend only on (seed, i, k) */
    int workers;
    const struct clock *clock; /* for players with a time limit; may be NULL */
    const atomic_bool *stop;   /* may be NULL */
    /* Called after each set, in order; may be NULL. */
    void (*on_set)(void *context, uint32_t sets_done);
    void *context;
};

/* Fills two strategies of action_count probabilities each, from the even and the odd samples (`samples` is
 * even): two independent estimates of the same strategy. Sets of other sides stay unchanged. `leaves` (may
 * be NULL) gets the mean number of leaf evaluations per decision; 0: the player does not count them. False
 * when the player cannot be opened, is at fault, memory ran out or it was stopped. */
bool policy_sample(const struct policy_task *task, double *even, double *odd, double *leaves, struct err *e);

/* Appends the state in its notation, on one line, for messages. */
void audit_add_state(const struct game *game, const void *state, struct text *out);

#endif
