/* SPDX-License-Identifier: MIT */
#include "game/game.h"
#include "game/tbs/tbs.h"

#include <string.h>

const struct game *const games[] = {&tbs_game, &tbs_wide_game, NULL};

const struct game *game_find(const char *name) {
    for (int i = 0; games[i] != NULL; i++)
        if (strcmp(games[i]->name, name) == 0)
            return games[i];
    return NULL;
}
