/* SPDX-License-Identifier: MIT
 *
 * What other parts of the workbench want of tables.
 */
#ifndef SERVE_TABLES_H
#define SERVE_TABLES_H

#include "serve/inside.h"
#include "serve/shape.h"

struct record;

/* What a recorded game is told as. */
struct tables_told {
    const char *id;
    const char *map; /* what its map is called; NULL: not known */
};

/* A recorded game as the page's *Table*, with all its steps (no thoughts), for who sees everything: as text,
 * since a long one has tens of megabytes. False and a reason. */
bool tables_write_record(struct workbench *bench, const struct record *record, const struct tables_told *as,
                         struct text *out, struct err *e);

/* A place in a table's game. */
struct tables_place {
    const char *id, *key; /* the key may be NULL */
    int after;            /* so many actions; negative: all */
};

/* Fills a position from a table, as far as the holder of the key may know it. 403, 404 or 409 in `failure`.
 * In a game with hidden parts it must be the turn of a side the key holds (or the game is over), and the
 * position's state is that side's view. */
struct ground_position;
bool tables_position(struct workbench *bench, const struct tables_place *place, struct ground_position *out,
                     struct message_out *failure);

#endif
