/* SPDX-License-Identifier: MIT
 *
 * Private to rules.c: the line of a field in a JSON text, for messages. Jansson keeps no lines once a text is
 * read.
 */
#ifndef TOURNAMENT_RULES_LINE_H
#define TOURNAMENT_RULES_LINE_H

#include <stddef.h>

/* `text` is a JSON object without errors. The line (from 1) of `key` in it, or in the object that is its
 * member `group` when that is not NULL; 0 when it is not there (or written with escapes). */
int rules_line(const char *text, size_t size, const char *group, const char *key);

#endif
