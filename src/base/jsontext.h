/* SPDX-License-Identifier: MIT
 *
 * JSON that comes from outside: the beginning is the same for every file we read.
 */
#ifndef BASE_JSONTEXT_H
#define BASE_JSONTEXT_H

#include "base/err.h"
#include "base/text.h"

#include <jansson.h>
#include <stdint.h>

/* The caller drops it; NULL and "NAME:LINE: what is wrong". A key that is there twice is wrong. */
json_t *jsontext_load(const char *name, const char *text, size_t size, struct err *e);

/* Is "format" that, and "version" 1? */
bool jsontext_is(const json_t *root, const char *format, struct err *e);

/* A number, or digits in a string when it is more than JSON readers can be trusted with. */
json_t *jsontext_seed(uint64_t seed);

/* A string of bytes that need not be UTF-8 (see charset_to_utf8). */
json_t *jsontext_string(const char *bytes, size_t size);

/* The list with the value behind its last one; NULL, and the list is dropped, when memory ran out. */
json_t *jsontext_append(json_t *list, json_t *value);

/* Makes an object of text that we have written ourselves; NULL when memory ran out. */
json_t *jsontext_own(const struct text *text);

/* The text of a member, for a reader that wants text: the caller's, or NULL and a reason. */
bool jsontext_member(const json_t *root, const char *key, struct text *out, struct err *e);

#endif
