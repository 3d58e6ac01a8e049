/* SPDX-License-Identifier: MIT
 *
 * The list of games, and loading a scenario by the game's name.
 */
#include "game/geister/geister.h"
#include "game/plain.h"
#include "game/synth/synth.h"
#include "game/tbs/tbs.h"

#include <string.h>

/* The order is that of lists and help. */
const struct game *const game_tables[] = {&tbs_game,       &tbs_wide_game, &synth_game,
                                          &fusion_game,    &kuhn_game,     &geister_game,
                                          &tictactoe_game, &race_game,     NULL};

const struct game *game_find(const char *name) {
    for (int i = 0; game_tables[i] != NULL; i++)
        if (strcmp(game_tables[i]->name, name) == 0)
            return game_tables[i];
    return NULL;
}

/* A rule set becomes an option of the spec, so that maps and specs share the checks of the parameter
 * table. */
struct scenario *game_load_map(const struct game *game, const char *rules, const struct game_source *map,
                               struct err *e) {
    struct spec options;
    if (!spec_parse(game->name, &options, e) || (rules != NULL && !spec_add(&options, "rules", rules, e)))
        return NULL;
    return game_load(game, &(struct game_source){map->name, map->text, map->size, &options}, e);
}

struct scenario *game_load_spec(const char *spec, struct err *e) {
    struct spec options;
    if (!spec_parse(spec, &options, e))
        return NULL;
    const struct game *game = game_find(options.name);
    if (game == NULL) {
        err_set(e, "game '%s' is unknown; 'senjutsu games' lists them", options.name);
        return NULL;
    }
    return game_load(game, &(struct game_source){.name = options.name, .options = &options}, e);
}
