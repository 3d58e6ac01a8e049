/* SPDX-License-Identifier: MIT
 *
 * What is kept of a game on the server: the official log, and a record like that of any other game.
 *
 *     player=0,SET:BCFG         every line that was received, also rejected ones
 *     player=1,SET:ADEH
 *     player=0,MOV:A,W
 *     …
 *     fault=1,hang: no move in time        ours: when a fault ended the game
 *     winner=0                             2: drawn; the official server leaves it out after a fault
 */
#ifndef NET_GEISTER_LOG_H
#define NET_GEISTER_LOG_H

#include "match/record.h"
#include "net/geister_table.h"

/* `official`: nothing is written about faults, not even who won. */
void geister_log_write(const struct geister_table *t, bool official, struct text *out);

/* Fills a record that record_init has made; date and seed are the caller's. */
bool geister_log_record(const struct geister_table *t, const char *const players[2], struct record *out,
                        struct err *e);

#endif
