/* SPDX-License-Identifier: MIT
 *
 * JSON from outside: loading it, its head, and values that need care.
 */
#ifndef BASE_JSONTEXT_H
#define BASE_JSONTEXT_H

#include "base/err.h"
#include "base/text.h"

#include <jansson.h>
#include <stdint.h>

/* Loads a document; the caller drops it. On a syntax error or a duplicate key: NULL and "NAME:LINE: reason".
 */
json_t *jsontext_load(const char *name, const char *text, size_t size, struct err *e);

/* True when "format" is that string and "version" is 1. */
bool jsontext_is(const json_t *root, const char *format, struct err *e);

/* The seed as a number, or as a string of digits when it exceeds what JSON readers represent exactly. */
json_t *jsontext_seed(uint64_t seed);

/* A string from bytes that need not be UTF-8 (see charset_to_utf8). */
json_t *jsontext_string(const char *bytes, size_t size);

/* Parses text that this program has written; NULL when it is no JSON. */
json_t *jsontext_own(const struct text *text);

/* Appends the text of a value (NULL is allowed) and a line end; `flags` are those of json_dumps. False, with
 * nothing appended, when a string in it is not UTF-8 or memory ran out. The value stays the caller's. */
bool jsontext_add_line(const json_t *value, size_t flags, struct text *out);

/* Appends the JSON text of a member to `out`, for readers that take text. On false `e` has the reason. */
bool jsontext_member(const json_t *root, const char *key, struct text *out, struct err *e);

#endif
