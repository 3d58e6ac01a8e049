/* SPDX-License-Identifier: MIT
 *
 * Private to table*.c: the steps of a game as text. What a step was never changes, and a long game has tens
 * of megabytes of them: for who sees everything the texts of long games are kept, as far as there is room, so
 * that a whole table is put together and not made. What somebody may not see is never kept.
 */
#ifndef SERVE_TABLE_TEXT_H
#define SERVE_TABLE_TEXT_H

#include "serve/shape.h"
#include "serve/table_list.h"

/* The step with that index, but for its chance, its thoughts and the object's end. `replay` stands at it or
 * before it, and is moved only when the text has to be made. */
void table_write_text(struct table *table, int index, enum shape_viewer viewer, struct replay *replay,
                      struct text *out);

/* The last step was just played, in the state `before`: now its text costs least. */
void table_keep_text(struct table *table, const void *before);

void table_drop_text(struct table *table, int index);

#endif
