/* SPDX-License-Identifier: MIT */
#include "cli/shown.h"

#include "game/tbs/tbs.h"

#include <string.h>

static const struct shown usual = {
    .secret = "has chosen",
    .how_to_type = "  Type the action you choose, as it is written in the brackets.\n",
};

/* Its boards have functions of their own. */
static const struct shown tactical = {.game = "tbs"};

static const struct shown *const table[] = {&shown_geister};

const struct shown *shown_of(const struct game *game) {
    if (game_is_tbs(game))
        return &tactical;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (strcmp(table[i]->game, game->name) == 0)
            return table[i];
    return &usual;
}
