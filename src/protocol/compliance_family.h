/* SPDX-License-Identifier: MIT
 *
 * An engine and everything it has started, for the item about processes left behind. A link ends them all
 * when it is closed, but here the engine is left to end by itself first, and what it has started then loses
 * the parent it would be found by: so its family is noted before.
 */
#ifndef PROTOCOL_COMPLIANCE_FAMILY_H
#define PROTOCOL_COMPLIANCE_FAMILY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { COMPLIANCE_FAMILY_MAX = 256 };

struct compliance_family {
    int count;
    pid_t pids[COMPLIANCE_FAMILY_MAX];
};

/* Adds all processes that carry the mark (see link_mark) or descend from one that does. False when this
 * system has no /proc, or memory ran out. */
bool compliance_family_note(struct compliance_family *family, const char *mark);

/* How many of them are alive, with their names as far as they fit. */
int compliance_family_alive(const struct compliance_family *family, char *names, size_t names_size);

/* Kills those that are alive, and forgets all. */
void compliance_family_end(struct compliance_family *family);

#endif
