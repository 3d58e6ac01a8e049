/* SPDX-License-Identifier: MIT
 *
 * What the verbs of `senjutsu map` share. Private to src/cli/map*.c.
 */
#ifndef CLI_MAP_H
#define CLI_MAP_H

#include "cli/cli.h"
#include "game/tbs/map.h"

enum { MAP_PATH_MAX = 4096 };

/* A map file as it was found and read. */
struct map_file {
    char path[MAP_PATH_MAX]; /* for messages */
    struct tbs_map map;
    struct tbs_problems problems;
};

/* Reads a .tbsmap or the JSON form, `name` being a path, the bare name of one of our maps, or "-". False when
 * it cannot be read or has a fatal problem. */
bool map_file_load(const char *name, struct map_file *out, struct err *e);

/* "6 x 6 cells, limit 16 turns, threshold 5, 6 red and 6 blue units". */
void map_summary(const struct tbs_map *map, struct text *out);

/* Were files named (`one`: exactly one)? Says what is wrong. */
bool map_has_files(const struct cli_command *verb, const struct cli_arguments *arguments, bool one);

bool map_path_ends_with(const char *path, const char *ending);

/* The verbs. */
int map_judge(const struct cli_command *self, int argc, char **argv);
int map_repair(const struct cli_command *self, int argc, char **argv);

#endif
