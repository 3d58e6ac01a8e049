/* SPDX-License-Identifier: MIT
 *
 * Private to `tubstap`: what its verbs share.
 */
#ifndef CLI_TUBSTAP_H
#define CLI_TUBSTAP_H

#include "cli/cli.h"

static inline int64_t tubstap_ns(double seconds) {
    return (int64_t)(seconds * 1e9);
}

int tubstap_serve(const struct cli_command *self, int argc, char **argv);
int tubstap_join(const struct cli_command *self, int argc, char **argv);

#endif
