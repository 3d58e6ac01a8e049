/* SPDX-License-Identifier: MIT
 *
 * One of our own players at a table of the Geister server. It thinks in a thread of its own, so that other
 * games go on meanwhile; one byte in a pipe says that it has answered.
 */
#ifndef NET_GEISTER_SEAT_H
#define NET_GEISTER_SEAT_H

#include "net/geister_table.h"

struct geister_seat;

struct geister_seat_terms {
    const char *spec;
    const struct grant *grant; /* what the player may do beside thinking; NULL: nothing */
    int side;
    uint64_t seed;
    int wake; /* the pipe's end to write to */
    const struct clock *clock;
};

struct geister_seat *geister_seat_open(const struct geister_seat_terms *terms, struct err *e);

/* Asks for reds or a move, if the table waits for that and the seat is not thinking already. */
void geister_seat_ask(struct geister_seat *seat, const struct geister_table *t, int64_t now_ns);

/* Has it answered? Then `line` is what it says, or *fault what went wrong. */
bool geister_seat_answer(struct geister_seat *seat, const struct geister_table *t, struct answer *answer,
                         char line[GEISTER_LINE_MAX]);

/* Tells it to end its thinking, without waiting for it; when it has, closing does not wait. NULL is allowed.
 */
void geister_seat_end(struct geister_seat *seat);
bool geister_seat_has_ended(struct geister_seat *seat);
void geister_seat_close(struct geister_seat *seat);

#endif
