/* SPDX-License-Identifier: MIT
 *
 * Private to `repro`: what the verbs share.
 */
#ifndef CLI_REPRO_H
#define CLI_REPRO_H

#include "cli/cli.h"
#include "repro/repro.h"

struct repro_command {
    const struct cli_command *command;
    const char *out; /* NULL: nothing is kept */
    int trials, jobs;
    uint64_t seed;
    bool quick, json, fresh, quiet;

    struct repro_kept kept;

    /* Of the experiment under way. */
    int64_t start_ns, shown_ns;
    bool line_is_shown;
};

/* Boards and plots of a finished result, into c->out. Says what could not be made; false only when something
 * went wrong that the user must know of (a failed write). */
bool repro_draw(const struct repro_command *c, const struct repro_result *result);

/* One of our own maps, whatever lies in the current folder. */
bool repro_map_path(const char *name, char *out, size_t out_size, struct err *e);

/* DIR and, for those who store games, DIR/NAME-games. */
bool repro_make_folders(const struct repro_command *c, const struct repro_experiment *experiment,
                        struct err *e);

#endif
