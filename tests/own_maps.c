/* SPDX-License-Identifier: MIT */
#include "own_maps.h"

#include "base/file.h"
#include "game/tbs/tbs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

struct scenario *own_map(const char *name) {
    char path[1024];
    struct text text = {0};
    struct err e;
    snprintf(path, sizeof path, "%s/maps/%s.tbsmap", getenv("SENJUTSU_ROOT"), name);
    if (!file_read(path, TBS_MAP_TEXT_MAX, &text, &e))
        fail_msg("%s", e.text);
    const struct game_source source = {name, text_string(&text), text.size, NULL};
    struct scenario *scenario = game_load(&tbs_game, &source, &e);
    text_done(&text);
    if (scenario == NULL)
        fail_msg("%s", e.text);
    return scenario;
}
