/* SPDX-License-Identifier: MIT
 *
 * Private to src/pool: how rank 0 learns that another rank has died, and they that rank 0 has, because MPI
 * does not say. Each rank holds a TCP connection to rank 0 on which nothing is sent after its first bytes;
 * the kernel closes it with the process, whatever ended that. A node that is gone without a word is noticed
 * by the connection's keep-alive after a minute. Ranks that cannot connect are not watched: nothing else
 * changes for them.
 */
#ifndef POOL_LIFELINE_H
#define POOL_LIFELINE_H

#include "base/text.h"

#include <stdbool.h>

struct lifeline;

/* Rank 0's end, for `size` ranks; `here` when all of them are on this machine. Appends to `out` what the
 * others need to connect. NULL where there is no such thing as a socket to be had: nobody is watched then. */
struct lifeline *lifeline_listen(int size, bool here, struct text *out);

/* The end of any other rank; NULL when rank 0 cannot be reached. */
struct lifeline *lifeline_connect(int rank, const struct text *address);

/* NULL is allowed. */
void lifeline_close(struct lifeline *line);

/* Looks at the connections; never waits. */
void lifeline_look(struct lifeline *line);

/* Is that rank's end closed? On the other ranks only rank 0's is known. False for NULL. */
bool lifeline_is_cut(const struct lifeline *line, int rank);

#endif
