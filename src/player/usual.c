/* SPDX-License-Identifier: MIT */
#include "player/usual.h"

#include "game/tbs/tbs.h"

#include <string.h>

static const struct usual_players table[] = {
    {"tbs", "acteval", "uct"},
    {"geister", "geist", "geist"},
    {NULL, "ismcts", "ismcts"},
};

const struct usual_players *usual_players_of(const struct game *game) {
    const char *name = tbs_is_table_of(game) ? tbs_game.name : game->name;
    const struct usual_players *row = table;
    while (row->game != NULL && strcmp(row->game, name) != 0)
        row++;
    return row;
}
