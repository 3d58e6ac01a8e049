/* SPDX-License-Identifier: MIT
 *
 * What a request is for, read from its first line as it came: "/api/tables/k3?key=ab%2Cd" becomes a path and
 * parameters. Whatever could mean two things to two readers is refused.
 */
#ifndef NET_WEB_TARGET_H
#define NET_WEB_TARGET_H

#include "base/err.h"
#include "net/message.h"

struct web_target {
    char path[MESSAGE_PATH_MAX];
    int query_count;
    char names[MESSAGE_QUERY_MAX][MESSAGE_VALUE_MAX], values[MESSAGE_QUERY_MAX][MESSAGE_VALUE_MAX];
};

/* False, with a sentence, for a path that does not begin with '/', has a segment "." or "..", an empty one, a
 * backslash, an escape that is none, control characters or bytes that are not UTF-8, or is too long; likewise
 * for parameters, of which none may come twice. */
bool web_target_read(const char *raw, struct web_target *out, struct err *e);

const char *web_target_value(const struct web_target *target, const char *name); /* NULL: not there */

#endif
