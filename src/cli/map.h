/* SPDX-License-Identifier: MIT
 *
 * Shared by the verbs of `senjutsu map`. Private to src/cli/map*.c.
 */
#ifndef CLI_MAP_H
#define CLI_MAP_H

#include "cli/cli.h"
#include "game/tbs/map.h"

/* A map file after reading. */
struct map_file {
    char path[FILE_PATH_MAX]; /* for messages */
    struct tbs_map map;
    struct tbs_problems problems;
};

/* Reads a map, a .tbsmap or its JSON form; `name` is a path, the bare name of a bundled map, or "-". False
 * when it cannot be read or has a fatal problem. */
bool map_file_load(const char *name, struct map_file *out, struct err *e);

/* "6 x 6 cells, limit 16 turns, threshold 5, 6 red and 6 blue units". */
void map_summary(const struct tbs_map *map, struct text *out);

/* Refuses a command line without a map, or with `one` of several. False after a message. */
bool map_arguments(const struct cli_call *call, bool one);

/* Writes the map to the file, as JSON with `json` or when its name ends in .json. */
bool map_write(const struct tbs_map *map, const char *path, bool json, struct err *e);

/* Verbs in map_games.c. */
extern const struct cli_body map_judge, map_repair;

#endif
