/* SPDX-License-Identifier: MIT */
#include "golden_support.h"

#include "base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

enum { FILE_SIZE_MAX = 4 << 20 };

void golden_name(const char *folder, const char *file, char out[GOLDEN_NAME_MAX]) {
    const char *root = getenv("SENJUTSU_ROOT");
    snprintf(out, GOLDEN_NAME_MAX, "%s/../shared/%s/%s", root != NULL ? root : ".", folder, file);
}

bool golden_is_there(void) {
    char name[GOLDEN_NAME_MAX];
    golden_name("golden", "tbs", name);
    if (access(name, R_OK) == 0)
        return true;
    printf("SKIP: %s is not there; the platform's vectors are not compared\n", name);
    return false;
}

void golden_load(const char *folder, const char *file, struct text *out) {
    char name[GOLDEN_NAME_MAX];
    struct err e;
    golden_name(folder, file, name);
    if (!file_read(name, FILE_SIZE_MAX, out, &e))
        fail_msg("%s", e.text);
}

struct scenario *golden_scenario(const struct game *game, const char *map) {
    struct text text = {0};
    struct err e;
    golden_load("maps", map, &text);
    struct scenario *scenario =
        game_load(game, &(struct game_source){map, text_string(&text), text.size, NULL}, &e);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    text_done(&text);
    return scenario;
}

char *golden_line(char **at) {
    char *line = *at;
    if (*line == '\0')
        return NULL;
    const size_t length = strcspn(line, "\n");
    *at = line + length + (line[length] == '\n');
    line[length] = '\0';
    return line;
}
