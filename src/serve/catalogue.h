/* SPDX-License-Identifier: MIT
 *
 * Parameter tables as JSON.
 */
#ifndef SERVE_CATALOGUE_H
#define SERVE_CATALOGUE_H

#include "base/spec.h"

#include <jansson.h>

/* A list of *Param* (docs/http-api.md) from a table; `values` (may be NULL) are options that the defaults
 * come from in place of the table. NULL when memory ran out. */
json_t *catalogue_params(const struct param *table, const void *values);

#endif
