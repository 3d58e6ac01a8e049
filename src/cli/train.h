/* SPDX-License-Identifier: MIT
 *
 * What the verbs of `senjutsu train` share. Private to src/cli/train*.c.
 */
#ifndef CLI_TRAIN_H
#define CLI_TRAIN_H

#include "cli/cli.h"
#include "geister/policy.h"

/* Is there nothing under that name yet? Learning takes hours: no result of it is ever overwritten. False with
 * a sentence, which ends with what can be done instead. */
bool train_is_free(const char *path, const char *instead, struct err *e);

/* Weights by name: "builtin", or a file. The caller frees them with mem_free; NULL and a reason. */
struct policy_weights *train_load_weights(const char *name, struct err *e);

/* The verbs. */
int train_geister_pg(const struct cli_command *self, int argc, char **argv);
int train_geister_geist(const struct cli_command *self, int argc, char **argv);
int train_geister_setups(const struct cli_command *self, int argc, char **argv);

#endif
