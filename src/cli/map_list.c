/* SPDX-License-Identifier: MIT
 *
 * `senjutsu map list`: the maps that come with the program, smallest first.
 */
#include "cli/map.h"

#include "base/mem.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_MAX = 256 };

struct entry {
    char name[64];
    struct map_file file;
};

static int by_size(const void *a, const void *b) {
    const struct entry *const *p = a, *const *q = b;
    const struct tbs_map *m = &(*p)->file.map, *n = &(*q)->file.map;
    const int difference = m->width * m->height - n->width * n->height;
    return difference != 0 ? difference : strcmp((*p)->name, (*q)->name);
}

/* A file of the folder as an entry; NULL when it is no map. */
static struct entry *read_entry(const char *folder, const char *name) {
    const size_t size = strlen(name), ending = strlen(".tbsmap");
    char path[MAP_PATH_MAX];
    struct err e;
    if (size <= ending || strcmp(name + size - ending, ".tbsmap") != 0 ||
        size - ending >= sizeof(((struct entry *)0)->name))
        return NULL;
    const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
    struct entry *entry = n > 0 && (size_t)n < sizeof path ? mem_alloc(sizeof *entry) : NULL;
    if (entry == NULL)
        return NULL;
    memcpy(entry->name, name, size - ending);
    if (map_file_load(path, &entry->file, &e))
        return entry;
    mem_free(entry);
    return NULL;
}

static void print_entry(const struct entry *entry) {
    const struct tbs_map *map = &entry->file.map;
    struct text note = {0};
    map_add_note(&note, map->comment);
    printf("%-18s %2d x %-2d  %2d and %-2d units  %s\n", entry->name, map->width - 2, map->height - 2,
           tbs_map_side_units(map, TBS_RED), tbs_map_side_units(map, TBS_BLUE), text_string(&note));
    text_done(&note);
}

static int list_folder(const struct cli_command *self, const char *folder, DIR *directory) {
    struct entry *entries[LIST_MAX];
    int count = 0;
    for (const struct dirent *d; count < LIST_MAX && (d = readdir(directory)) != NULL;)
        if ((entries[count] = read_entry(folder, d->d_name)) != NULL)
            count++;
    qsort(entries, (size_t)count, sizeof entries[0], by_size);
    for (int i = 0; i < count; i++) {
        print_entry(entries[i]);
        mem_free(entries[i]);
    }
    return cli_finish_output(self) ? CLI_OK : CLI_FAILED;
}

int map_list(const struct cli_command *self, int argc, char **argv) {
    char folder[MAP_PATH_MAX];
    int status;
    const struct cli_option options[] = {{0}};
    if (!cli_parse_options(self, options, argc, argv, &status))
        return status;
    DIR *directory = cli_maps_folder(folder, sizeof folder) ? opendir(folder) : NULL;
    if (directory == NULL)
        return cli_fail(self, CLI_FAILED, "our own maps were not found beside the program");
    status = list_folder(self, folder, directory);
    closedir(directory);
    return status;
}
