/* SPDX-License-Identifier: MIT
 *
 * Private to src/pool: detects that a rank has died: rank 0 watches the others, and they watch rank 0. MPI
 * does not report it. Each rank holds a TCP connection to rank 0 on which nothing is sent after its first
 * bytes; the kernel closes it when the process ends for any reason. The connection's keep-alive detects a
 * node that disappeared after a minute. Ranks that cannot connect are not watched: nothing else changes for
 * them.
 */
#ifndef POOL_LIFELINE_H
#define POOL_LIFELINE_H

#include "base/text.h"

struct lifeline;

/* Rank 0's end, for `size` ranks; `here` when all of them are on this machine. Appends to `out` what the
 * others need to connect. NULL when no socket can be opened: then no rank is watched. */
struct lifeline *lifeline_listen(int size, bool here, struct text *out);

/* The end of any other rank; NULL when rank 0 cannot be reached. */
struct lifeline *lifeline_connect(int rank, const struct text *address);

/* NULL is allowed. */
void lifeline_close(struct lifeline *line);

/* Looks at the connections; never waits. */
void lifeline_look(struct lifeline *line);

/* Is that rank's end closed? The other ranks watch only rank 0's. False for NULL. */
bool lifeline_is_cut(const struct lifeline *line, int rank);

#endif
