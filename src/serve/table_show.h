/* SPDX-License-Identifier: MIT
 *
 * Private to table*.c and tables.c: a table as JSON, and what each of its audiences may see and do.
 */
#ifndef SERVE_TABLE_SHOW_H
#define SERVE_TABLE_SHOW_H

#include "serve/shape.h"
#include "serve/table.h"

enum shape_viewer table_viewer(const struct table *table, enum table_audience audience);
json_t *table_info_json(const struct table *table);
json_t *table_clocks_json(const struct table *table);
json_t *table_unsaved_json(const struct table *table); /* why what was played is not saved, or null */
json_t *table_may_json(const struct table *table, enum table_audience audience);
void table_write(struct table *table, enum table_audience audience, struct text *out);      /* Table */
void table_write_step(struct table *table, enum table_audience audience, struct text *out); /* the last one */

/* Which side would a take-back of this audience be for? NOBODY: there is nothing to take back. Neither this
 * nor table_may_undo says that it is allowed; see table_has_shown. */
int table_take_back_side(const struct table *table, enum table_audience audience);
bool table_may_undo(const struct table *table, enum table_audience audience);

#endif
