/* SPDX-License-Identifier: MIT
 *
 * Private to table*.c and tables.c: what is done with tables, by whom it is done. With the workbench's lock
 * held, like everything that touches a table.
 */
#ifndef SERVE_TABLE_WORK_H
#define SERVE_TABLE_WORK_H

#include "serve/table_list.h"

/* ---- table_watch.c: streams ---- */

/* A stream for that audience, held for the caller; NULL when memory ran out. */
struct topic *table_stream(struct table *table, enum table_audience audience);
void table_tell_all(struct table *table);  /* the whole table */
void table_tell_step(struct table *table); /* the last step */
void table_tell_chance(struct table *table, int ply);
void table_tell_offer(struct table *table);
void table_tell_unsaved(struct table *table);                    /* or that it is saved again */
void table_tell_thinking(struct table *table, json_t *thoughts); /* drops them */
void table_end_streams(struct table *table);
int table_readers(const struct table *table);

/* ---- table_play.c: what is done at a table ---- */

/* What players and clocks do. It is kept as soon as that is possible; until then everybody is told that it is
 * not. An action of who is to move, with how long it took; a fault ends the game. `thoughts` is taken over,
 * may be NULL. */
void table_play(struct table *table, action a, int64_t spent_ns, char *thoughts);
void table_fault(struct table *table, enum player_fault fault, const char *reason);
void table_stop(struct table *table, const char *comment);

/* What people do. It is on the disk before anybody is told; what cannot be written is refused: false and a
 * reason, and the table is as it was. */
bool table_act(struct table *table, action a, struct err *e);
bool table_resign(struct table *table, int side, struct err *e);
bool table_cancel(struct table *table, struct err *e); /* a game between players */
bool table_undo(struct table *table, struct err *e);   /* the last action of the turn that goes on */
bool table_take_back(struct table *table, int side, struct err *e);  /* to the beginning of its last turn */
bool table_make_offer(struct table *table, int side, struct err *e); /* NOBODY: none any more */

/* After any change, and when somebody comes to look: saved, players and advisers set to work, streams of
 * finished games ended. */
void table_settle(struct table *table);

/* Of "PATH: cannot be written: REASON" the reason: who plays need not know where the server keeps its files.
 */
const char *table_reason(const struct err *e);
void table_try_again(struct table *table); /* to save what could not be saved, or was not worth it yet */

/* ---- table_clock.c ---- */

int64_t table_now(const struct table *table);
int64_t table_spent(const struct table *table); /* on the decision at hand */

/* Is an answer after so long too late? Then it is ruled so. */
bool table_rule_late(struct table *table, int64_t spent_ns);
void table_check_time(struct table *table); /* of a person who is to move */
void table_book(struct table *table, int side, int64_t spent_ns);
void tables_tick(struct tables *tables); /* starts whoever looks at the clocks, if that is needed */

/* ---- table_think.c, table_advise.c ---- */

void table_think(struct table *table);  /* if a player is to move and nobody thinks */
void table_forget(struct table *table); /* whoever thinks does so in vain */
bool table_wants_advice(const struct table *table);
void tables_advise(struct tables *tables);

/* ---- table_store.c ---- */

/* On the disk when it returns true. */
bool table_save(struct table *table, struct err *e);
void table_save_thoughts(struct table *table);
void table_recall_thoughts(struct table *table); /* from the file, if they are not in memory */
void table_drop_thoughts(struct table *table);   /* of a finished game: they are in the file */
bool table_remove_files(const struct table *table, struct err *e);
bool tables_load(struct tables *tables, struct err *e);

/* ---- table_create.c ---- */

void tables_create(struct workbench *bench, const struct call *call, struct message_out *out);
void tables_load_record(struct workbench *bench, const struct call *call, struct message_out *out);

/* A finished game as a table that is in no list; the record is taken over, also after a failure. */
struct table *table_of_record(struct tables *tables, struct record *record, struct err *e);

#endif
