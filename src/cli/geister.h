/* SPDX-License-Identifier: MIT
 *
 * Private to `geister`: what its verbs share.
 */
#ifndef CLI_GEISTER_H
#define CLI_GEISTER_H

#include "cli/cli.h"
#include "net/geister_server.h"

static inline int64_t geister_ns(double seconds) {
    return (int64_t)(seconds * 1e9);
}

int cli_geister_serve(const struct cli_command *self, int argc, char **argv);
int cli_geister_join(const struct cli_command *self, int argc, char **argv);

/* Where a server's games are kept; both may be NULL. */
struct geister_keeper {
    const char *logs, *records;
    bool official; /* logs say nothing about faults */
};

/* Makes the folders; files can be written there. */
bool geister_keep_start(const struct geister_keeper *keeper, struct err *e);

/* Writes log-DATE.txt and geister-DATE.json, by the time of the game's first command. */
bool geister_keep_game(const struct geister_keeper *keeper, const struct geister_finished *game,
                       struct err *e);

#endif
