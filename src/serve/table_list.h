/* SPDX-License-Identifier: MIT
 *
 * Private to table*.c and tables.c: all tables there are.
 */
#ifndef SERVE_TABLE_LIST_H
#define SERVE_TABLE_LIST_H

#include "serve/table.h"

/* The part of the workbench. */
struct tables {
    struct workbench *bench;
    struct table *newest;
    uint64_t number_next;
    int advisers;
    size_t told_bytes, told_max; /* of all steps' texts that are kept; there may be */
    bool is_ticking, is_stopping;
};

/* Saves it and puts it into the list, which holds it; others may have to go. False when it cannot be saved:
 * then it is the caller's still. */
bool tables_add(struct tables *tables, struct table *table, struct err *e);
void tables_remove(struct tables *tables, struct table *table); /* with its files and streams */

/* May there be another one that is not finished? 429 in `out` if not. */
bool tables_has_room(struct tables *tables, bool has_people, struct message_out *out);
struct table *tables_find(struct tables *tables, const char *id, struct message_out *out);

#endif
