/* SPDX-License-Identifier: MIT
 *
 * Private to `check`: what its parts share.
 */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

#include "cli/cli.h"

/* `check --leaks PLAYER…` */
struct check_leaks {
    const struct cli_command *command;
    const char *const *players; /* specs */
    int player_count;
    const char *game; /* spec; NULL: all registered games that hide something */
    int positions, twins;
    uint64_t seed;
    bool json;
};

int check_leaks_run(const struct check_leaks *k);

#endif
